# SPDX-License-Identifier: MIT
"""The sweep page: what varies is chosen and what it takes is said before, a wrong choice is answered
in words, points come in one shape after the other, it is stopped and gone on with, exported, kept in
a session, and one that the command wrote is drawn without measuring."""
import csv
import os
import re
import subprocess
import sys

import person
from person import check
from pictures import read_png
from steps import prepare, stop_survey

CLI = os.path.join(os.path.dirname(os.path.dirname(sys.argv[1])), "app", "cli", "seamscope-cli")
PICTURES = os.environ.get("SEAMSCOPE_SWEEP_PICTURES")


def points(user):
    return [item.name for item in user.look(r"^batch [0-9]+(, [a-z_]+ [0-9]+)?, [a-z]+: ",
                                            "push button")]


def status(user, pattern, timeout=90):
    return user.see(pattern, "label", timeout)


def set_list(user, text):
    user.click(user.see("^Vary: values, separated by commas$", "text"))
    user.press("ctrl+a")
    user.type(text)


def sweeps(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    # Asked for before the target has answered, it begins with the answer.
    user.press("alt+7", "ctrl+r")
    # One that was stopped before its first point is not kept.
    stop_survey(user, status(user, "^[0-9]+ of 15 measured, "), "^[1-9][0-9]* of 15 measured, ")
    status(user, "^Stopped: [0-9]+ of 15 measured, ")
    user.choose(user.see("^Vary: how it varies$", "combo box"), "^as a list$")
    set_list(user, "1, many")
    status(user, "many.*is not a whole number|“ ?many”")
    check(not user.see("^Measure all$", "push button").sensitive, "There is nothing to measure.")
    set_list(user, "2, 8, 32, 128")
    status(user, "^12 to measure, ")
    user.see("^4 shapes × 3 plans, 12 points$", "label")
    user.click(user.see("^Published$", "check box"))
    user.see("^4 shapes × 2 plans, 8 points$", "label")

    # Stop when there is something, and go on: no point is measured twice.
    user.click(user.see("^Budget of the sweep", "spin button"), across=0.2)
    user.press("ctrl+a")
    user.type("12")
    user.press("Tab")
    state, budget = status(user, "^8 to measure, "), user.see("^Budget of the sweep", "spin button")
    user.press("ctrl+r")
    stop_survey(user, state, "^[2-7] of 8 measured, ",
                lambda: check(not budget.sensitive, "It is being measured."))
    stopped = status(user, "^Stopped: [0-9]+ of 8 measured, [0-9]+ left")
    n_stopped = int(re.search("[0-9]+", stopped.name)[0])
    check(2 <= n_stopped < 8, stopped.name)
    before = set(points(user))
    check(len(before) == n_stopped, f"{before}")
    for _ in range(5):
        user.press("ctrl+r")
        end = status(user, "^(8 of 8 measured$|The budget is used up)")
        if end.name.startswith("8 of 8"):
            break
    after = set(points(user))
    check(len(after) == 8 and before <= after, f"{before - after} changed in {after}")
    user.see("^At batch 2 [a-z]+ is the fastest", "label")
    if PICTURES:
        user.take_picture(os.path.join(PICTURES, "sweep-done.png"))
    take_point(user)
    export(user)
    kept(user, after)


def take_point(user):
    """A point is one click, or the keyboard, from being shape and plan B; Ctrl+Z goes back."""
    batch = user.read("^Batch")
    point = user.see("^batch 32, full: ", "push button")
    check("Click or press Space: this shape, and full as plan B." in point.description,
          point.description)
    user.click(point)
    user.wait("batch 32", lambda: user.read("^Batch") == "32")
    user.see("^8 of 8 measured$", "label")  # it is the same sweep
    user.press("Right", "space")
    user.wait("batch 128", lambda: user.read("^Batch") == "128")
    user.press("alt+1")
    user.see("^Plan B: Full$", "push button")
    user.press("ctrl+z")
    user.wait("batch 32 again", lambda: user.read("^Batch") == "32")
    user.press("ctrl+z")
    user.wait("the shape before", lambda: user.read("^Batch") == batch)
    user.see("^Plan B: Published$", "push button")
    user.press("alt+7")


def export(user):
    for action, name in (("export-sweep-to", "sweep.png"), ("export-points-to", "points.csv")):
        path = os.path.join(user.folder, name)
        user.activate(action, path)
        user.wait(f"file {name}", lambda: os.path.exists(path))
    width, height, colours = read_png(os.path.join(user.folder, "sweep.png"))
    check(width > 2000 and height > 800 and colours > 20, f"{width} x {height}, {colours} colours")
    with open(os.path.join(user.folder, "points.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == 8 and all(row["state"] == "measured" for row in rows), f"{rows}")
    check({row["plan"] for row in rows} == {"unfused", "full"}, f"{rows}")
    check(all(row["survey"] == "sweep" and row["n_failing"] == "0" for row in rows), f"{rows}")
    check(all(int(row["n_samples"]) >= 8 for row in rows), "Some point has too few samples.")


def several(user):
    """A file with two sweeps offers both."""
    path = os.path.join(user.folder, "several.seamscope")
    for fields in ("batch=2,8", "in_features=8,16,32"):
        done = subprocess.run([CLI, "sweep", "gemm-bias-relu", "--target", "cpu", "--preset", "tiny",
                               "--vary", fields, "--plans", "unfused,full", "--budget", "10",
                               "--append", path], capture_output=True, text=True, check=False)
        check(done.returncode == 0, done.stderr)
    user.activate("open-recent", "file://" + path)
    user.see("^2 shapes × 2 plans, 4 points$", "label")
    user.choose(user.see("^Sweep of the session", "combo box"), "^2: over in_features$")
    user.see("^3 shapes × 2 plans, 6 points$", "label")
    if PICTURES:
        user.take_picture(os.path.join(PICTURES, "sweep-several.png"))
    user.choose(user.see("^Sweep of the session", "combo box"), "^1: over batch$")
    user.see("^2 shapes × 2 plans, 4 points$", "label")


def kept(user, measured):
    path = os.path.join(user.folder, "swept.seamscope")
    user.activate("save-to", path)
    user.see_toast("^Saved swept.seamscope$")
    user.leave()
    user.start(path)
    user.sit_down()
    # The first sweep, which was stopped, is in the file, too.
    user.see("^It holds no run; the page Sweep shows it$", "label")
    user.see("^5 shapes × 3 plans, 15 points$", "label")
    user.choose(user.see("^Sweep of the session", "combo box"), "^2: ")
    user.see("^8 of 8 measured$", "label")
    user.wait("the recorded points", lambda: set(points(user)) == measured)
    check(not user.see("^Budget of the sweep", "spin button").sensitive, "It is a recording.")

    several(user)

    # From the command: a map over two fields.
    written = os.path.join(user.folder, "written.seamscope")
    done = subprocess.run([CLI, "sweep", "gemm-bias-relu", "--target", "cpu", "--preset", "tiny",
                           "--vary", "batch=2,8", "--vary", "in_features=8,16", "--plans",
                           "unfused,full", "--budget", "20", "--save", written],
                          capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stderr)
    user.activate("open-recent", "file://" + written)
    user.see("^4 shapes × 2 plans, 8 points$", "label")
    user.wait("the map", lambda: len(points(user)) == 4)  # a cell is its fastest plan
    if PICTURES:
        user.take_picture(os.path.join(PICTURES, "sweep-map.png"))
    user.click(user.see("^Close the session$", "push button"))
    user.wait("the recording to be put away", lambda: not user.look("^It holds no run"))
    user.leave()


if __name__ == "__main__":
    person.run(sweeps)
