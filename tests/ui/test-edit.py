# SPDX-License-Identifier: MIT
"""Generated code changed in place: an error is shown at its line, mended it runs as plan B and has a
verdict; its assembly stands beside it, line by line; what is wrong shows on the map; a loop without
an end is stopped, and the window goes on."""
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


def run_edited(user):
    user.click(user.see("^Run edited$", "push button"))


def note(user):
    """The sentence under the two texts."""
    found = user.look("^Line [0-9]+( of assembly comes|: )", "label")
    return found[0].name if found else ""


def listing(user, original):
    """Assembly beside the text: a line on one side marks those of the other."""
    lines = original.split("\n")
    number = next(i for i, line in enumerate(lines) if "seam_op_relu" in line) + 1
    user.choose(user.see("^Machine code", "combo box"), "^Assembly$")
    user.see(r"^assembly by [^\n]*\nVectors .*registers of them in use", "label", timeout=30)
    # From the text, by keys.
    user.click(user.see("^Source$", "text"), down=0.1)
    user.press("ctrl+Home", *["Down"] * (number - 1))
    found = user.wait("the linked lines", lambda: re.fullmatch(
        rf"Line {number}: ([0-9]+) lines? of assembly, from line ([0-9]+) on\.", note(user)))
    # From the instructions, to the same line; the function is inlined from an included file.
    user.click(user.see("^Instructions$", "text"), down=0.1)
    user.press("ctrl+Home", *["Down"] * (int(found.group(2)) - 1))
    user.wait("the line of the text", lambda: re.fullmatch(
        rf"Line {found.group(2)} of assembly comes from (line [0-9]+ of kernels/ops.h, inlined at )+"
        rf"line {number}\.", note(user)))
    # A click on another line of the text says another thing: the pane follows the pointer, too.
    user.click(user.see("^Source$", "text"), across=0.3, down=0.03)
    user.wait("another line", lambda: note(user).startswith("Line ")
              and not note(user).startswith(f"Line {number}:"))


def edit(user):
    prepare(user, pipeline="^gemm-bias-relu:", budget=1)
    wait_for_seam(user, 1, 1, "fused")
    user.press("alt+6")
    user.see("^B: bias . relu, group 2 · generated C", "list item")
    user.click(user.see("^A: matmul, group 1 ", "list item"))
    user.press("End")
    user.see("^B, group 2: bias . relu$", "label")
    original = shown(user)
    check("seam_op_relu (after_bias)" in original, original)

    listing(user, original)
    # What does not compile is said without a run, at its line.
    load(user, original.replace("seam_op_relu (after_bias)", "seam_op_rely (after_bias)"))
    user.see("^Line [0-9]+: error: .*seam_op_rely", "list item", timeout=30)
    user.choose(user.see("^Machine code", "combo box"), "^Text alone$")
    user.click(user.see("^Reset$", "push button"))
    user.wait("the generated code", lambda: shown(user) == original)

    # An error, at its line; loading runs nothing.
    lines = original.split("\n")
    number = next(i for i, line in enumerate(lines) if "seam_op_relu" in line) + 1
    load(user, original.replace("seam_op_relu (after_bias)", "seam_op_rely (after_bias)"))
    check(not user.look("^Line [0-9]+: error", "list item"), "It was compiled before Run.")
    run_edited(user)
    wrong = user.see(f"^Line {number}: error: .*seam_op_rely", "list item", timeout=30)
    user.click(wrong)
    # B was the published plan, and is one click away.
    user.see("^B back to Published$", "push button")

    # Mended by loading, which takes the error along, then changed by typing at the top: it runs, and
    # agrees.
    load(user, original)
    check(not user.look("^Line [0-9]+: error", "list item"), "The error of another text stayed.")
    user.click(user.see("^Source$", "text"))
    user.press("ctrl+Home")
    user.type("// mine")
    user.press("Return")
    user.wait("what was typed", lambda: shown(user).startswith("// mine\n"))
    run_edited(user)
    user.wait("no error", lambda: not user.look("^Line [0-9]+: error", "list item"), timeout=30)
    user.see(r"^B: bias . relu, group 2 · edited C", "list item", timeout=30)
    user.press("alt+1")
    verdict = wait_for_verdict(user)
    check(not re.search("wrong", verdict.name), verdict.name)

    # Without the ReLU it is wrong, and says so.
    user.press("alt+6")
    load(user, original.replace("seam_op_relu (after_bias)", "after_bias"))
    run_edited(user)
    user.press("alt+1")
    user.see("^B is wrong$", "label", timeout=60)

    # No end: the worker is ended, and the window goes on.
    user.press("alt+6")
    load(user, original.replace("const int64_t n = run->n;",
                                "const int64_t n = run->n;\n  for (;;) ;"))
    begin = time.monotonic()
    run_edited(user)
    user.see("showed no progress for 3 seconds", "label", timeout=60)
    check(time.monotonic() - begin < 45, "It took too long.")
    user.click(user.see("^Reset$", "push button"))
    user.see("^B: bias . relu, group 2 · generated C", "list item", timeout=30)
    user.wait("the generated code", lambda: "for (;;)" not in shown(user))
    user.wait("no former plan", lambda: not user.look("^B back to ", "push button"))
    user.press("ctrl+r")
    user.press("alt+1")
    user.see(r"^([0-9.]+× (faster|slower)|Same within .*|Unclear|No verdict)$", "label", timeout=60)
    user.leave()


if __name__ == "__main__":
    os.environ["SEAMSCOPE_EDIT_LIMIT"] = "3"
    person.run(edit)
