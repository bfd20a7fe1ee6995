# SPDX-License-Identifier: MIT
"""Generated code changed in place: an error is shown at its line, mended it runs as plan B and has a
verdict; what is wrong shows on the map; a loop without an end is stopped, and the window goes on."""
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

    # An error, at its line; loading runs nothing.
    lines = original.split("\n")
    number = next(i for i, line in enumerate(lines) if "seam_op_relu" in line) + 1
    load(user, original.replace("seam_op_relu (after_bias)", "seam_op_rely (after_bias)"))
    check(not user.look("^Line [0-9]+: error", "list item"), "It was compiled before Run.")
    run_edited(user)
    wrong = user.see(f"^Line {number}: error: .*seam_op_rely", "list item", timeout=30)
    user.click(wrong)

    # Mended by loading, then changed by typing at the top: it runs, and agrees.
    load(user, original)
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
    user.press("ctrl+r")
    user.press("alt+1")
    user.see(r"^([0-9.]+× (faster|slower)|Same within .*|Unclear|No verdict)$", "label", timeout=60)
    user.leave()


if __name__ == "__main__":
    os.environ["SEAMSCOPE_EDIT_LIMIT"] = "3"
    person.run(edit)
