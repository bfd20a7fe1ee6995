# SPDX-License-Identifier: MIT
"""The pitfall lab: opened by its shortcut, six switches of which one is not possible on the CPU, a
run with two of them, figure and table as files; a run with a pitfall in the main window is marked on
every page and in what is exported."""
import csv
import os
import re
import time

import person
from person import check
from steps import prepare

PICTURES = os.environ.get("SEAMSCOPE_PITFALL_PICTURES")


def picture(user, name):
    """For people who look: set the folder."""
    if PICTURES:
        time.sleep(0.7)
        user.take_picture(os.path.join(PICTURES, name))


def lab_window(user):
    main = user.window
    user.press("ctrl+l")
    user.see("^Each mistake that is switched on", "label")
    user.wait_for_dialog("^Pitfall lab$")
    return main


def switches(user):
    names = ["Zeros as input", "No warm-up", "Warm L2", "Hidden TF32", "Host timer",
             "Flush in the window"]
    found = {}
    for name in names:
        items = user.look(f"^{name}", "check box")
        check(items, f"There is no switch “{name}”.\n{user.describe()}")
        found[name] = items[0]
    return found


def point_in_lab(user, x, y):
    """The lab is a window of its own: places are counted from its content's corner."""
    window = user.xdotool("search", "--onlyvisible", "--name", "^Pitfall lab$").split()[-1]
    text = user.xdotool("getwindowgeometry", "--shell", window)
    values = {key: int(value) for key, value in (line.split("=") for line in text.splitlines())}
    frame = user.see("^Pitfall lab$", "frame")
    user.xdotool("mousemove", values["X"] + (values["WIDTH"] - frame.width) // 2 + x,
                 values["Y"] + (values["HEIGHT"] - frame.height) // 2 + y)
    time.sleep(0.3)


def click_in_lab(user, item):
    point_in_lab(user, item.x + item.width // 2, item.y + item.height // 2)
    user.xdotool("click", 1)
    time.sleep(0.3)


def file_at(path):
    return os.path.exists(path) and os.path.getsize(path) > 0


def pitfalls(user):
    prepare(user, budget=1)
    user.wait("the estimate", lambda: user.look("^Memory", "label"))
    lab_window(user)
    found = switches(user)
    check(not found["Hidden TF32"].sensitive, "Hidden TF32 can be switched on, on the CPU.")
    user.see("^Not possible here. The CPU has no TF32", "label")
    picture(user, "lab-empty.png")
    # Off with all but two.
    for name in ("Zeros as input", "No warm-up", "Host timer"):
        item = found[name]
        item.accessible.get_action_iface().do_action(0)
        user.wait(f"{name} off", lambda: not item.has(person.Atspi.StateType.CHECKED))
    user.press("alt+r")
    user.see("^Measured. All but Honest is wrong on purpose", "label", timeout=120)
    findings = user.see("^Honest: A takes .* as long as B", "label").name
    picture(user, "lab.png")

    figure, table = (os.path.join(user.folder, name) for name in ("lab.svg", "lab.csv"))
    user.activate("export-pitfalls-to", figure)
    user.activate("export-pitfalls-table-to", table)
    user.wait("the figure", lambda: file_at(figure))
    user.wait("the table", lambda: file_at(table))
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    check([row["pitfalls"] for row in rows[::2]] == ["", "warm-l2", "hidden-tf32", "flush-inside"],
          f"Other cases: {[row['pitfalls'] for row in rows]}")
    check(all(float(row["speedup"]) > 0 for row in rows if row["possible"] == "yes"), "No ratio.")

    # A wrong run in the main window is marked everywhere.
    point_in_lab(user, 500, 650)
    user.xdotool("click", "--repeat", 40, "--delay", 20, 5)
    time.sleep(1)
    picture(user, "lab-table.png")
    row = row_of(user, "Warm L2")
    # What was found stands behind the row, in the words of the list above.
    finding = re.search("^Warm L2: (.*)$", findings, re.MULTILINE)[1]
    for step in (0, 3, 6):
        point_in_lab(user, row.x + row.width // 2 + step, row.y + row.height // 2)
        time.sleep(1.5)
        if any(item.name == finding for item in user.look(None, "label")):
            break
    else:
        raise person.Failure(f"No tooltip says “{finding}”.\n{user.describe()}")
    click_in_lab(user, row)
    click_in_lab(user, user.wait("the button", lambda: next(
        (item for item in user.look("^Show the selected _?run", "push button") if item.sensitive),
        None)))
    user.see("^⚠ With pitfall, wrong on purpose: warm L2", "label")
    user.see(r"^⚠ .*, with pitfall$", "label")
    picture(user, "marked.png")
    for page in "23456":
        user.press(f"alt+{page}")
        user.see("^⚠ With pitfall, wrong on purpose: warm L2", "label")
    user.press("alt+1")
    plans = os.path.join(user.folder, "plans.csv")
    user.activate("export-plans-to", plans)
    user.wait("the table of plans", lambda: file_at(plans))
    with open(plans, encoding="utf-8", newline="") as file:
        check(all(row["pitfalls"] == "warm-l2" for row in csv.DictReader(file)), "No mark.")
    user.leave()


def row_of(user, name):
    """A row of the table: the lowest of the texts with that name."""
    return max(user.look(f"^{name}$", "label"), key=lambda item: item.y)


person.run(pitfalls)
