# SPDX-License-Identifier: MIT
"""The timeline page, on a session recorded on an H200: kernels of both plans on one scale, zoom and
pan with keys, wheel and buttons, F shows all; a drag, Enter and M measure; the figure is exported."""
import os
import re
import time

import person
from person import check
from pictures import read_png

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "samples",
                      "h200-conv-bias-scale-sigmoid-groupnorm.seamscope")
PICTURES = os.environ.get("SEAMSCOPE_TIMELINE_PICTURES")


def picture(user, name):
    """For people who look: set the folder."""
    if PICTURES:
        time.sleep(0.5)
        user.take_picture(os.path.join(PICTURES, name))


def figure(user, pattern="."):
    """The timeline whose summary matches."""
    return user.wait(f"a timeline: {pattern}",
                     lambda: next((item for item in user.look("^Timeline: A, ")
                                   if re.search(pattern, item.name)), None))


def whole(user):
    return user.wait("all of the time", lambda: not user.look("^Timeline: .*Seen from ")
                     and user.look("^Timeline: A, "))


def kernel(user, name, plan):
    return user.see(f"^{name} of {plan}: ", "push button")


def time_of(item):
    """In milliseconds."""
    number, unit = re.search(r": ([0-9.]+) (ms|µs)", item.name).groups()
    return float(number) * {"ms": 1, "µs": 1e-3}[unit]


def timeline(user):
    user.start(SAMPLE)
    user.sit_down(1600, 1000)
    user.press("alt+5")
    seen = figure(user, r"A, .*: 7 kernels in 4\.\d+ ms, 6 gaps of .* B, .*: \d kernels in ")
    a, b = kernel(user, "conv2d", "A"), kernel(user, "conv2d … groupnorm", "B")
    longer = time_of(b) / time_of(a)
    check(abs(a.width * longer - b.width) < 0.03 * b.width, f"Not one scale: {a}, {b}")
    check(a.x <= b.x < a.x + 10 and b.y > a.y, f"B begins elsewhere: {a}, {b}")
    check(kernel(user, "scale", "A").x > a.x + a.width - 2, "scale begins after conv2d.")
    picture(user, "all.png")
    moves(user, seen, a)
    measures(user, a)
    exports(user)
    user.leave()


def moves(user, seen, a):
    # The whole of conv2d is cut off on the left, or wider, in every nearer view.
    user.press("w", "w", "w")
    near = figure(user, "Seen from ")
    check(kernel(user, "conv2d", "A").width != a.width, "Nothing came nearer.")
    user.press("d")
    user.wait("a later time", lambda: figure(user, "Seen from ").name != near.name)
    user.press("a")
    user.wait("the time of before", lambda: figure(user, "Seen from ").name == near.name)
    picture(user, "near.png")
    user.press("s", "s", "s")
    whole(user)

    user.point(seen, 0.7, 0.5)
    user.xdotool("click", 4)
    figure(user, "Seen from ")
    user.press("f")
    whole(user)
    user.click(user.see("^Zoom in$", "push button"))
    figure(user, "Seen from ")
    user.click(user.see("^Fit$", "push button"))
    whole(user)


def measures(user, a):
    # From the middle of nothing to the end of conv2d, where the pointer only comes near.
    user.point(a, 0.0, 0.5)
    user.xdotool("mousedown", 1)
    for across in 0.3, 0.6, 0.9, 0.995:
        user.point(a, across, 0.5)
        time.sleep(0.1)
    user.xdotool("mouseup", 1)
    measured = figure(user, "Measured: ")
    takes = re.search(r": ([0-9.]+ ms)", a.name)[1]
    check(f"Measured: {takes} · 1 kernel · 1.33 GB" in measured.name, measured.name)
    picture(user, "measured.png")
    user.press("Escape")
    user.wait("nothing measured", lambda: not user.look("^Timeline: .*Measured: "))

    # The same without a pointer: one kernel, then on to the third.
    user.click(a)
    figure(user, "Measured: .* · 1 kernel · ")
    user.press("Right", "Right", "m")
    figure(user, "Measured: .* · 3 kernels · 2 gaps of ")
    user.press("Escape")
    user.wait("nothing measured", lambda: not user.look("^Timeline: .*Measured: "))


def exports(user):
    path = os.path.join(user.folder, "timeline.png")
    user.activate("export-timeline-to", path)
    user.wait("the file", lambda: os.path.exists(path))
    width, height, colours = read_png(path)
    check(width > 2000 and height > 800 and colours > 20, f"{width} x {height}, {colours}")


if __name__ == "__main__":
    person.run(timeline, sits_down=False)
