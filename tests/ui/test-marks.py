# SPDX-License-Identifier: MIT
"""Marks that nobody may miss: a red headline, with a sign, over numbers that cannot be; the pitfalls
in what Ctrl+C takes along; why the CPU has no CUDA graph."""
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import person
from person import check
from session_file import change
from steps import set_entry

CLI = os.path.join(os.path.dirname(os.path.dirname(sys.argv[1])), "app", "cli", "seamscope-cli")


def record(path, *arguments):
    done = subprocess.run([CLI, "run", "conv-relu-hardswish", "--target", "cpu", "--preset", "tiny",
                           "--budget", "0.2", *arguments, "--save", path], capture_output=True,
                          text=True, check=False)
    check(done.returncode in (0, 1), f"seamscope-cli run: {done.stderr}")
    return path


def check_red(user, item, red):
    """Whether the text is drawn in the colour for what is wrong, on a picture of the screen."""
    if shutil.which("import") is None:
        return  # ImageMagick, which tests/run installs: the sign and the words have to do.
    x, y = user._origin()
    done = subprocess.run(["import", "-window", "root", "-crop",
                           f"{item.width}x{item.height}+{x + item.x}+{y + item.y}", "-depth", "8",
                           "rgb:-"], capture_output=True, check=True)
    check(len(done.stdout) == 3 * item.width * item.height, "The picture has another size.")
    pixels = [done.stdout[i:i + 3] for i in range(0, len(done.stdout), 3)]
    found = sum(r > 150 and g < 90 and b < 100 for r, g, b in pixels)
    check((found > 50) == red, f"{item} has {found} red points.")


def open_session(user, path):
    if user.process is not None:
        user.leave()
    user.start(path)
    user.sit_down()


def headline(user, pattern):
    return user.see(pattern, "label")


def test_rails(user):
    plain = record(os.path.join(user.folder, "plain.seamscope"))
    open_session(user, plain)
    fine = headline(user, r"^([0-9.]+× (faster|slower)|Same within .*|Unclear)$")
    check_red(user, fine, False)

    low = record(os.path.join(user.folder, "floor.seamscope"))
    open_session(user, change(low, "UPDATE run SET floor_ns = 1e9"))
    check_red(user, headline(user, r"^⚠ .*(faster|slower|Same|Unclear)"), True)
    user.see("Faster than the floor of this shape: the time, or the rates", "label")

    over = record(os.path.join(user.folder, "over.seamscope"))
    open_session(user, change(over, "UPDATE kernel SET sm_percent = 130"))
    check_red(user, headline(user, r"^⚠ .*(faster|slower|Same|Unclear)"), True)
    user.see("a kernel is over a peak of the device, see its row", "label")


def copied(user):
    """What is in the clipboard, pasted where text goes; bad text there changes nothing."""
    user.click(user.see("^Time budget", "text"))
    user.press("ctrl+a", "ctrl+v")
    text = user.read("^Time budget")
    set_entry(user, "^Time budget", "1")
    return text


def copy_row(user):
    rows = user.wait("the table of kernels",
                     lambda: [item for item in user.look("^conv2d$", "label") if item.y > 500])
    user.click(rows[-1])
    user.press("ctrl+c")
    return copied(user)


def test_copies(user):
    open_session(user, record(os.path.join(user.folder, "honest.seamscope")))
    text = copy_row(user)
    check(text.startswith("Plan\t") and "conv2d" in text, f"Copied: {text!r}")
    check("Pitfalls" not in text, f"Copied: {text!r}")
    open_session(user, record(os.path.join(user.folder, "wrong.seamscope"), "--pitfall",
                              "zeros,warm-l2"))
    text = copy_row(user)
    lines = re.split(r"[\n\r↵]", text.strip())
    check("\tPitfalls" in text and text.rstrip().endswith("\tzeros,warm-l2"), f"Copied: {lines}")


def test_launch(user):
    open_session(user, os.path.join(user.folder, "honest.seamscope"))
    choice = user.see("^Launch mode$", "combo box")
    check(not choice.sensitive, "A CUDA graph can be chosen on the CPU.")
    reason = "^Only a GPU can be given a whole plan as one CUDA graph"
    check(re.search(reason, user.see("^Launch$", "list item").description), "The row says no reason.")
    # A tooltip comes when the pointer has moved over its row.
    for across in (0.3, 0.5, 0.4, 0.6):
        user.point(user.see("^Launch$", "label"), across)
        time.sleep(1.5)
        if user.look(reason, "label"):
            return
    raise person.Failure("The row's tooltip does not come.")


def marks(user):
    test_rails(user)
    test_copies(user)
    test_launch(user)
    user.leave()


person.run(marks, sits_down=False)
