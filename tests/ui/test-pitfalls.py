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


def open_lab(user):
    user.press("ctrl+l")
    user.see("^Each mistake that is switched on", "label")
    user.turn_to("Pitfall lab")


def switches(user):
    names = ["Zeros as input", "No warm-up", "Warm L2", "Hidden TF32", "Host timer",
             "Flush in the window"]
    found = {}
    for name in names:
        items = user.look(f"^{name}", "check box")
        check(items, f"There is no switch “{name}”.\n{user.describe()}")
        found[name] = items[0]
    return found


def file_at(path):
    return os.path.exists(path) and os.path.getsize(path) > 0


def pitfalls(user):
    prepare(user, budget=1)
    user.wait("the estimate", lambda: user.look("^Memory", "label"))
    main = user.window
    open_lab(user)
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

    # What was found stands behind the row, in the words of the list above.
    finding = re.search("^Warm L2: (.*)$", findings, re.MULTILINE)[1]
    user.wait(f"the tooltip “{finding}”", lambda: tooltip_of(user, "Warm L2", finding),
              timeout=60)
    picture(user, "lab-table.png")

    # What could not be measured cannot be shown; a chosen row is still chosen when the lab returns.
    choose_row(user, "Hidden TF32")
    check(not show_button(user).sensitive, "A case without a run can be shown.")
    choose_row(user, "Warm L2")
    user.wait("the button", lambda: show_button(user).sensitive)
    user.press("Escape")
    user.window, user.title = main, None
    user.wait("the lab closed", lambda: not show_button(user))
    open_lab(user)
    check(row_of(user, "Warm L2").chosen and show_button(user).sensitive, "The row is lost.")

    # A wrong run in the main window is marked everywhere.
    mark = "^⚠ With pitfall, wrong on purpose: warm L2"
    user.click_until(SHOW, "push button", "the run", lambda: user.look(mark, "label"))
    user.window, user.title = main, None
    user.see(mark, "label")
    user.see(r"^⚠ .*, with pitfall$", "label")
    picture(user, "marked.png")
    for page in "23456":
        user.press(f"alt+{page}")
        user.see(mark, "label")
    user.press("alt+1")
    plans = os.path.join(user.folder, "plans.csv")
    user.activate("export-plans-to", plans)
    user.wait("the table of plans", lambda: file_at(plans))
    with open(plans, encoding="utf-8", newline="") as file:
        check(all(row["pitfalls"] == "warm-l2" for row in csv.DictReader(file)), "No mark.")

    # What the lab measured is in no file either.
    user.press("ctrl+q")
    user.see("^pitfall lab of matmul-swish-bias-groupnorm, 6 runs, ", "label")
    user.press("Escape")
    user.wait("the question to go", lambda: not user.look("^Save before closing", "dialog"))
    user.activate("save-to", os.path.join(user.folder, "lab.seamscope"))
    user.see_toast("^Saved 6 runs in lab.seamscope$")
    user.leave()


SHOW = "^Show the selected _?run"


def show_button(user):
    return next(iter(user.look(SHOW, "push button")), None)


def row_of(user, name):
    """A row of the table, the lowest of the texts with that name, and whether it is chosen."""
    label = max(user.look(f"^{name}$", "label"), key=lambda item: item.y)
    rows = [item for item in user.look(None, "table row")
            if item.y <= label.y < item.y + item.height]
    label.chosen = any(row.selected for row in rows)
    return label


def choose_row(user, name):
    def chosen():
        if row_of(user, name).chosen:
            return True
        user.click(row_of(user, name))
        return False

    user.wait(f"{name} chosen", chosen, timeout=60)


def tooltip_of(user, name, text):
    """Points at the row, each time a little elsewhere: only a pointer that moves is answered."""
    user.point(row_of(user, name), across=0.3 + time.monotonic() % 0.4)
    time.sleep(1.5)
    return any(item.name == text for item in user.look(None, "label"))


person.run(pitfalls)
