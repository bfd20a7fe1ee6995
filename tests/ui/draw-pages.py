#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of data/pictures from recorded runs: those of the tabs for the help page
window.md, those of the whole window, and every lattice. No test: after a tab, a figure or a recorded
run has changed,

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

DATA = os.environ["SEAMSCOPE_DATADIR"]
PAGE, WHOLE = (1280, 840), (1600, 1000)
HARDSWISH = "h200-conv-relu-hardswish"
SWISH = "h200-matmul-swish-bias-groupnorm-tf32"
SIGMOID = "h200-conv-bias-scale-sigmoid-groupnorm"
TABS = ["timing", "difference", "traffic", "explore", "timeline", "source", "sweep"]
# name, sample, tab, size: without the sidebar unless the whole window is shown
PICTURES = [(f"page-{tab}", SWISH if tab == "difference" else HARDSWISH, tab, PAGE)
            for tab in TABS]
PICTURES += [("window-h200", SIGMOID, "timing", WHOLE), ("traffic-h200", SIGMOID, "traffic", WHOLE),
             ("difference-h200", SWISH, "difference", WHOLE)]


def convert(source, name, *arguments):
    """255 colours make the file a third as large; without a date, drawing again changes nothing."""
    subprocess.run(["convert", source, *arguments, "-strip", "+dither", "-colors", "255",
                    os.path.join(DATA, "pictures", f"{name}.png")], check=True)


def draw_lattices(folder):
    for sample in sorted(os.listdir(os.path.join(DATA, "samples"))):
        # h200-PIPELINE[-MATH].seamscope or laptop-cpu-PIPELINE.seamscope
        name = sample.removesuffix(".seamscope").removesuffix("-tf32").replace("laptop-", "")
        drawn = os.path.join(folder, "lattice.png")
        done = subprocess.run([os.environ["SEAMSCOPE_CLI"], "export", os.path.join(DATA, "samples", sample),
                               "--figure", f"lattice={drawn}"], check=False)
        if done.returncode == 0:
            convert(drawn, f"lattice-{name}", "-resize", "50%")


def show_wrong_plan(user):
    user.press("alt+1")
    user.open_list(user.see("^Plan B", "push button"), "^As published", "list item")
    user.walk_to("^As published", "list item", "Down")
    user.press("Return")
    user.see("^Plan B: As published$", "push button")


def draw_window(user):
    opened = None
    for name, sample, tab, size in PICTURES:
        if (sample, size) != opened:
            if opened:
                user.leave()
            user.start(os.path.join(DATA, "samples", sample + ".seamscope"))
            user.sit_down(*size)
            user.see(f"^Recorded run from {sample}", "label")
            # The window remembers whether it shows the sidebar.
            if (size == PAGE) != (opened is not None and opened[1] == PAGE):
                user.press("F9")
            opened = (sample, size)
        if tab == "difference":
            show_wrong_plan(user)
        user.press(f"alt+{TABS.index(tab) + 1}")
        # Predictions and the code of the kernels arrive later.
        time.sleep(4)
        # In the window's margin, where nothing answers the pointer.
        user.xdotool("mousemove", 4, size[1] // 2)
        time.sleep(1)
        screen = os.path.join(user.folder, "screen.png")
        user.take_picture(screen)
        convert(screen, name, "-crop", f"{size[0]}x{size[1]}+0+0", "+repage")


def draw(user):
    draw_lattices(user.folder)
    draw_window(user)


person.run(draw, sits_down=False)
