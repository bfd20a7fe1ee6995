# SPDX-License-Identifier: MIT
"""Generated code is changed in place: an error is shown at its line; the corrected code runs as plan C
beside A and B and has a verdict; its assembly is shown beside it, line by line; wrong outputs show on
the map; an endless loop is stopped, and the window goes on."""
import os
import re
import time

import person
from person import check
from steps import prepare, wait_for_seam, wait_for_verdict


def path(user, name, text):
    place = os.path.join(user.folder, name)
    with open(place, "w", encoding="utf-8") as file:
        file.write(text)
    return place


def shown(user):
    place = os.path.join(user.folder, f"{os.urandom(4).hex()}.c")
    user.activate("save-source-to", place)
    user.wait("the text as a file", lambda: os.path.exists(place))
    with open(place, encoding="utf-8") as file:
        return file.read()


def load(user, text):
    user.activate("load-edit-from", path(user, "edit.c", text))
    user.wait("the loaded text", lambda: shown(user) == text)


def act(user, button, action):
    """Does what the button does, because a busy window loses clicks. tests/ui/test-source.c clicks it."""
    user.wait(f"“{button}” to be possible", lambda: user.see(f"^{button}$", "push button").sensitive)
    user.activate(action)


def run_edited(user):
    act(user, "Run edited", "run-edited")


def reset(user):
    act(user, "Reset", "reset-edit")


def note(user):
    """The sentence under the two texts."""
    found = user.look("^Line [0-9]+( of assembly comes|: )", "label")
    return found[0].name if found else ""


def listing(user, original):
    """Shows the assembly beside the text: the cursor's line on one side marks lines of the other."""
    lines = original.split("\n")
    number = next(i for i, line in enumerate(lines) if "seam_op_relu" in line) + 1
    user.choose(user.see("^Machine code", "combo box"), "^Assembly$")
    user.see(r"^assembly by [^\n]*\nVectors .*registers of them in use", "label", timeout=30)
    # From the text, by keys.
    user.click(user.see("^Source$", "text"), down=0.1)
    user.press("ctrl+Home", *["Down"] * (number - 1))
    found = user.wait("the linked lines", lambda: re.fullmatch(
        rf"Line {number}: ([0-9]+) lines? of assembly, from line ([0-9]+) on\.", note(user)))
    # After every choice the code is loaded again, a quarter of a second later. Rows of the list, cursor and
    # marked lines stay.
    first = user.see("^A: matmul, group 1 ", "list item").path
    user.choose(user.see("^Input values$", "combo box"), "^Normal")
    time.sleep(1.5)
    check(user.see("^A: matmul, group 1 ", "list item").path == first, "The list was filled anew.")
    check(note(user).startswith(f"Line {number}: "), f"The cursor was lost: {note(user)}")
    # From the instructions, to the same line; the function is inlined from an included file.
    user.click(user.see("^Instructions$", "text"), down=0.1)
    user.press("ctrl+Home", *["Down"] * (int(found.group(2)) - 1))
    user.wait("the line of the text", lambda: re.fullmatch(
        rf"Line {found.group(2)} of assembly comes from (line [0-9]+ of kernels/ops.h, inlined at )+"
        rf"line {number}\.", note(user)))
    # A click on another line of the text marks other instructions: the pane follows the pointer, too.
    user.click(user.see("^Source$", "text"), across=0.3, down=0.03)
    user.wait("another line", lambda: note(user).startswith("Line ")
              and not note(user).startswith(f"Line {number}:"))


def three_plans(user):
    """All three plans are measured in turn and shown in strips and bars; B or C is compared with A."""
    user.see("^Plan C: Own plan$", "push button")
    bars = [item.name for item in user.look("^[ABC], [a-z]", "push button")]
    check({name[0] for name in bars} == {"A", "B", "C"}, f"{bars}")
    user.see(r"^C .* against A unfused · B published: ", "label")
    user.choose(user.see("^Compared plans$", "combo box"), "^A with B$")
    user.see(r"^B published against A unfused · C .*: ", "label")
    user.press("alt+3")
    user.see("^Modelled {2}A .*, B .*, B − A", "label")
    user.choose(user.see("^Compared plans$", "combo box"), "^A with C$")
    user.see("^Modelled {2}A .*, C .*, C − A", "label")
    user.press("alt+1")
    user.see(r"^C .* against A unfused · B published: ", "label")


def difference_of_c(user):
    """The map shows A and C, and on request A and B."""
    user.press("alt+2")
    user.see("^Outputs differ in ", "label", timeout=30)
    user.see("^Plan C, .*: edit on the Timing tab$", "push button")
    user.choose(user.see("^Compare$", "combo box"), "^A Unfused, B Published$")
    user.see("^Outputs agree$", "label", timeout=30)
    user.see("^Plan B, .*: edit on the Timing tab$", "push button")
    user.choose(user.see("^Compare$", "combo box"), "^B Published, C ")
    user.see("^Outputs differ in ", "label", timeout=30)


def edit(user):
    prepare(user, pipeline="^gemm-bias-relu:", budget=1)
    wait_for_seam(user, 1, 1, "fused")
    user.press("alt+6")
    user.see("^B: bias . relu, group 2 · generated C", "list item")
    # The list has scrolled to B's last group; A's are out of sight.
    user.click(user.see("^B: matmul, group 1 ", "list item"))
    user.press("End")
    user.see("^B, group 2: bias . relu$", "label")
    original = shown(user)
    check("seam_op_relu (after_bias)" in original, original)

    listing(user, original)
    # An error of the compiler is shown at its line without a run.
    load(user, original.replace("seam_op_relu (after_bias)", "seam_op_rely (after_bias)"))
    user.see("^Line [0-9]+: error: .*seam_op_rely", "list item", timeout=30)
    user.choose(user.see("^Machine code", "combo box"), "^Text alone$")
    reset(user)
    user.wait("the generated code", lambda: shown(user) == original)

    # The error is at its line; loading runs nothing.
    lines = original.split("\n")
    number = next(i for i, line in enumerate(lines) if "seam_op_relu" in line) + 1
    load(user, original.replace("seam_op_relu (after_bias)", "seam_op_rely (after_bias)"))
    check(not user.look("^Line [0-9]+: error", "list item"), "It was compiled before Run.")
    run_edited(user)
    wrong = user.see(f"^Line {number}: error: .*seam_op_rely", "list item", timeout=30)
    user.click(wrong)
    # The edit is one more plan: B stays the published one, and one click removes C.
    user.see("^B: bias . relu, group 2 · generated C", "list item")
    user.see("^C: bias . relu, group 2 ", "list item")
    user.see("^Leave plan C out$", "push button")

    # Loading the original removes the error. Then the text is changed at its top: it runs, and its
    # output agrees.
    load(user, original)
    check(not user.look("^Line [0-9]+: error", "list item"), "The error of another text stayed.")
    user.click(user.see("^Source$", "text"))
    user.press("ctrl+Home")
    user.type("// mine")
    user.press("Return")
    user.wait("what was typed", lambda: shown(user).startswith("// mine\n"))
    run_edited(user)
    user.wait("no error", lambda: not user.look("^Line [0-9]+: error", "list item"), timeout=30)
    user.see(r"^C: bias . relu, group 2 · edited C", "list item", timeout=30)
    user.press("alt+1")
    verdict = wait_for_verdict(user)
    check(not re.search("wrong", verdict.name), verdict.name)
    three_plans(user)

    # Without the ReLU the output is wrong, and the window says so.
    user.press("alt+6")
    load(user, original.replace("seam_op_relu (after_bias)", "after_bias"))
    run_edited(user)
    user.press("alt+1")
    user.see("^C is wrong$", "label", timeout=60)
    difference_of_c(user)

    # An endless loop: the worker is ended, and the window goes on.
    user.press("alt+6")
    load(user, original.replace("const int64_t n = run->n;",
                                "const int64_t n = run->n;\n  for (;;) ;"))
    begin = time.monotonic()
    run_edited(user)
    user.see("showed no progress for 10 seconds", "label", timeout=60)
    check(time.monotonic() - begin < 45, "It took too long.")
    reset(user)
    user.see("^C: bias . relu, group 2 · generated C", "list item", timeout=30)
    user.wait("the generated code", lambda: "for (;;)" not in shown(user))

    # The code ends the worker with status 0: there is no result, and forked processes end, too.
    left = os.path.join(user.folder, "left")
    load(user, "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
         + original.replace("const int64_t n = run->n;", (
             "const int64_t n = run->n;\n  int pid = fork ();\n  if (pid == 0)\n    for (;;)\n      pause ();\n"
             f'  FILE *file = fopen ("{left}", "w");\n  fprintf (file, "%d", pid);\n  fclose (file);\n'
             "  _exit (0);"), 1))
    run_edited(user)
    user.see("ended in the middle of its work, with exit status 0", "label", timeout=60)
    with open(left, encoding="utf-8") as file:
        pid = file.read()
    user.wait("the end of what was forked", lambda: not os.path.exists(f"/proc/{pid}")
              or " Z " in open(f"/proc/{pid}/stat", encoding="utf-8").read())
    reset(user)
    user.wait("the generated code", lambda: "fork" not in shown(user))

    user.click_until("^Leave plan C out$", "push button", "no plan C",
                     lambda: not user.look("^C: ", "list item"))
    user.press("ctrl+r")
    user.press("alt+1")
    user.see(r"^([0-9.]+× (faster|slower)|Same within .*|Unclear|No verdict)$", "label", timeout=60)
    user.leave()


if __name__ == "__main__":
    os.environ["SEAMSCOPE_EDIT_LIMIT"] = "10"
    person.run(edit)
