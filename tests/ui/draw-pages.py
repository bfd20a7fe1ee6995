#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of the tabs for the help page window.md, from recorded runs. No test: after a
tab has changed,

  tests/ui/run-person.sh tests/ui/draw-pages.py build/normal/ui/seamscope
"""
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[1])))
os.environ.update({
    "SEAMSCOPE_DATADIR": os.path.join(ROOT, "data"),
    "SEAMSCOPE_CLI": os.path.join(BUILD, "app", "cli", "seamscope-cli"),
    "SEAMSCOPE_TEST_MACHINE": os.path.join(BUILD, "tests", "machine", "libtest-machine.so"),
    "GSETTINGS_SCHEMA_DIR": os.path.join(BUILD, "ui"),
})
import person  # pylint: disable=wrong-import-position

WIDTH, HEIGHT = 1280, 840
DATA = os.environ["SEAMSCOPE_DATADIR"]
HARDSWISH = "h200-conv-relu-hardswish"
SWISH = "h200-matmul-swish-bias-groupnorm-tf32"
TABS = [("timing", HARDSWISH), ("difference", SWISH), ("traffic", HARDSWISH),
        ("explore", HARDSWISH), ("timeline", HARDSWISH), ("source", HARDSWISH),
        ("sweep", HARDSWISH)]


def draw(user, tab):
    screen = "/tmp/seamscope-page.png"
    user.take_picture(screen)
    subprocess.run(["convert", screen, "-crop", f"{WIDTH}x{HEIGHT}+0+0", "+repage", "+dither", "-colors", "255",
                    os.path.join(DATA, "pictures", f"page-{tab}.png")], check=True)


def draw_pages(user):
    opened = None
    for number, (tab, sample) in enumerate(TABS):
        if sample != opened:
            if opened:
                user.leave()
            user.start(os.path.join(DATA, "samples", sample + ".seamscope"))
            user.sit_down(WIDTH, HEIGHT)
            user.see(f"^Recorded run from {sample}", "label")
            # The window remembers that it shows no sidebar.
            if not opened:
                user.press("F9")
            opened = sample
        if tab == "difference":
            user.press("alt+1")
            user.open_list(user.see("^Plan B", "push button"), "^As published", "list item")
            user.walk_to("^As published", "list item", "Down")
            user.press("Return")
            user.see("^Plan B: As published$", "push button")
        user.press(f"alt+{number + 1}")
        # Predictions and the code of the kernels arrive later.
        time.sleep(4)
        user.xdotool("mousemove", 1590, 990)
        time.sleep(1)
        draw(user, tab)


person.run(draw_pages, sits_down=False)
