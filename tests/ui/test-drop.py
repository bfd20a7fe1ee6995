#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A session that is dragged from another program's window and dropped on this one is opened; a
damaged one is refused in words."""
import os
import subprocess
import time

import person

FOLDER = os.path.dirname(os.path.abspath(__file__))
SAMPLE = os.path.join(os.environ["SEAMSCOPE_DATADIR"], "samples",
                      "h200-conv-relu-hardswish.seamscope")


def drag(user, path, answer):
    """Drags slowly, like a hand, from the middle of the source's window to the middle of ours. The
    source stays until our window has read the dropped file and shows `answer`."""
    source = subprocess.Popen(["/usr/bin/env", "-u", "PYTHONHOME", "/usr/bin/python3", "-W",
                               "ignore", os.path.join(FOLDER, "drag-source.py"), path])
    try:
        def find():
            if source.poll() == 77:
                person.skip("GTK 4 for Python (gir1.2-gtk-4.0) is missing.")
            done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Drag source"],
                                  capture_output=True, text=True, check=False)
            return done.stdout.split()
        window = user.wait("the window to drag from", find)[-1]
        user.xdotool("windowmove", window, 1420, 40)
        user.xdotool("windowraise", window)
        time.sleep(0.5)
        user.xdotool("mousemove", "--window", window, 80, 90)
        time.sleep(0.2)
        user.xdotool("mousedown", 1)
        for x in (1480, 1460, 1440, 1380, 1200, 1000, 800, 790):
            user.xdotool("mousemove", x, 300)
            time.sleep(0.15)
        time.sleep(0.5)
        user.xdotool("mouseup", 1)
        user.see(answer, "label")
    finally:
        source.terminate()
        source.wait()


def drop(user):
    recorded = "^Recorded run from h200-conv-relu-hardswish.seamscope$"
    drag(user, SAMPLE, recorded)
    bad = os.path.join(user.folder, "bad.seamscope")
    with open(bad, "w", encoding="utf-8") as file:
        file.write("no session")
    drag(user, bad, "bad.seamscope cannot be opened. This is no Seamscope session.")
    # The earlier result is still shown.
    user.see(recorded, "label")
    user.leave()


if __name__ == "__main__":
    person.run(drop)
