# SPDX-License-Identifier: MIT
"""The main job, done as a person does it: choose #37, preset tiny, fuse a seam, run, read the
verdict, look at the difference, export pictures and tables, check every file, and type into code."""
import csv
import os
import re

import person
from person import check
from pictures import read_png
from steps import prepare, set_entry, wait_for_seam, wait_for_verdict

PUBLISHED_SEAM = "^Seam 1, matmul to matmul_bias, "


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main_job(user):
    # A budget that gives intervals even on a busy machine.
    prepare(user, budget=4)

    # Fuse a seam with the pointer, cut it with the keyboard, and fuse it again.
    cut = wait_for_seam(user, 1, 0, "cut")
    check(re.search(PUBLISHED_SEAM, cut.name), f"B begins with {cut.name}.")
    user.point(cut)
    user.see("^Seam 1 is cut. matmul writes", "label")
    user.click(cut)
    wait_for_seam(user, 1, 0, "fused")
    user.press("space")
    wait_for_seam(user, 1, 0, "cut")
    user.press("Right", "Left", "Return")
    wait_for_seam(user, 1, 0, "fused")
    user.press("ctrl+z")
    wait_for_seam(user, 1, 0, "cut")
    user.press("space")
    wait_for_seam(user, 1, 0, "fused")

    list_shortcuts(user)
    run_fast(user)
    verdict = wait_for_verdict(user)
    user.see("^Outputs agree", "label")
    check("wrong" not in verdict.name, f"Two right plans, but: {verdict.name}")
    kernels = user.wait("rows of the table", lambda: user.look("^groupnorm|groupnorm$", "label"))
    check(len(kernels) >= 2, "The table has no row for groupnorm of both plans.")

    user.press("alt+2")
    agreement = user.see(r"^(Outputs agree|Outputs differ)", "label")
    check("agree" in agreement.name, f"Two right plans, but: {agreement.name}")
    # The plans agree bit by bit; with the reference they agree within tolerance.
    user.choose(user.see("^Compare$", "combo box"), "^A .*, FP64 reference$")
    # What agrees is a note; maps of differences within tolerance come when they are asked for.
    user.click(user.see("^Show the differences that agree$", "check box"))
    user.see("^Overview of the difference", "image")
    element = user.see("^Slice at full resolution", "image")
    user.wait("the element under the pointer",
              lambda: re.search(r"^Row \d+, feature \d+: FP64 .*, A .*, within", element.description))
    # The element follows the pointer, and then the keys.
    user.click(element, 0.6, 0.5)
    here = user.wait("a place", lambda: re.match(r"Row (\d+), feature (\d+)", element.description))
    user.press("Down" if here[1] == "0" else "Up")
    step = 1 if here[1] == "0" else -1
    user.wait("the pointer one row on", lambda: element.description.startswith(
        f"Row {int(here[1]) + step}, feature {here[2]}:"))
    # Typed tolerances: zero, and then nonsense, which changes nothing.
    set_entry(user, "^Relative tolerance", "0")
    set_entry(user, "^Absolute tolerance", "1e-30")
    strict = read_agreement(user)
    set_entry(user, "^Absolute tolerance", "wide")
    check(read_agreement(user) == strict, "Text that is no number changed the verdict.")
    entry = user.see("^Absolute tolerance", "text")
    check("atol" in entry.description, f"The entry does not say what is wrong: {entry.description}")

    export(user)
    exhibit(user)
    type_code(user)
    user.leave()


def read_agreement(user):
    """The headline about the outputs. Each typed character counts anew, so it is read until it stays."""
    read = []

    def stays():
        read.append(user.see(r"^(Outputs agree|Outputs differ)", "label").name)
        return len(read) > 3 and len(set(read[-4:])) == 1
    user.wait("a headline that stays", stays)
    return read[-1]


def list_shortcuts(user):
    """Shows both pages of shortcuts, and the search. A warning of GTK ends the window."""
    user.press("ctrl+question")
    user.wait_for_dialog("^Keyboard shortcuts$")
    user.see("^Why the seam can be fused", "label")
    second = "^Move it by 16"
    check(not user.look(second, "label"), "Both pages are seen at once.")
    user.press("ctrl+Next")
    user.see(second, "label")
    user.press("ctrl+f")
    user.type("worst cell")
    user.see("^Next worst cell of the overview$", "label")

    def leave():
        # The first Escape leaves the search, which takes a moment.
        user.press("Escape")
        return user.xdotool("getactivewindow") == user.window
    user.wait("the shortcuts closed", leave)


def run_fast(user):
    """Keys that are faster than the screen: a shortcut right after a choice in a drop-down is not lost.
    In one call of xdotool, keys are twelve milliseconds apart."""
    drop_down = user.see("^Input values$", "combo box")
    user.open_list(drop_down, "^Normal$", "label")
    user.xdotool("key", "Down", "Return", "alt+2")
    user.wait("the page after a choice", lambda: any(
        tab.selected for tab in user.look("^Difference$", "page tab")))
    user.press("alt+1")
    user.open_list(drop_down, "^Normal$", "label")
    user.xdotool("key", "Up", "Return", "ctrl+r")


def exhibit(user):
    """The swapped order of the published fusion is caught: the verdict is wrong, whatever the speed."""
    user.press("alt+1")
    user.open_list(user.see("^Plan B: ", "push button"), "^Full", "list item")
    user.walk_to("^Unfused", "list item", "Tab")
    user.walk_to("^As published", "list item", "Down")
    user.press("Return")
    user.press("ctrl+r")
    user.see("^B is wrong$", "label", timeout=60)
    user.press("alt+2")
    user.see("^Outputs differ", "label")
    element = user.see("^Slice at full resolution", "image")
    user.wait("the worst element first", lambda: re.search("over the bound", element.description))
    first = element.description
    # W goes down the list of the worst cells.
    user.click(element, 0.6, 0.5)
    user.press("w")
    user.wait("the next worst element", lambda: re.search("over the bound", element.description)
              and element.description != first)


def type_code(user):
    """What is typed into the code of a group runs as plan C. test-edit.c has the rest of editing."""
    shown = os.path.join(user.folder, "shown.c")

    def is_typed():
        user.activate("save-source-to", shown)
        if not os.path.exists(shown):
            return False
        with open(shown, encoding="utf-8") as file:
            return file.read().startswith("// mine\n")

    user.press("alt+6")
    user.click(user.see("^B: .* · generated C", "list item"))
    user.click(user.see("^Source$", "text"))
    user.press("ctrl+Home")
    user.type("// mine")
    user.press("Return")
    user.wait("what was typed", is_typed)
    user.wait("the end of the run", lambda: user.see("^Run edited$", "push button").sensitive)
    user.activate("run-edited")
    user.see("^C: .* · edited C", "list item", timeout=60)


def export(user):
    def path(name):
        return os.path.join(user.folder, name)

    def wait_for(name):
        user.wait(f"file {name}", lambda: os.path.exists(path(name)))
        return path(name)

    for action, name in (("export-timing-to", "timing.png"), ("export-timing-to", "timing.svg"),
                         ("export-timing-to", "timing.pdf"),
                         ("export-difference-to", "difference.png"),
                         ("export-window-to", "window.png"), ("export-csv-plans-to", "plans.csv"),
                         ("export-csv-kernels-to", "kernels.csv"),
                         ("export-csv-samples-to", "samples.csv"),
                         ("export-csv-overview-to", "overview.csv")):
        user.activate(action, path(name))
        wait_for(name)

    for name, least in (("timing.png", 1000), ("difference.png", 1000), ("window.png", 2000)):
        width, height, colours = read_png(path(name))
        check(width >= least and height >= 400, f"{name} is {width} x {height}.")
        check(colours > 20, f"{name} has only {colours} colours.")
    with open(path("timing.svg"), encoding="utf-8") as file:
        check(file.read(400).lstrip().startswith("<?xml"), "timing.svg is no SVG.")
    with open(path("timing.pdf"), "rb") as file:
        check(file.read(5) == b"%PDF-", "timing.pdf is no PDF.")

    plans = read_csv(path("plans.csv"))
    check(len(plans) == 2, f"plans.csv has {len(plans)} rows.")
    check(plans[0]["plan"] != plans[1]["plan"], "Both rows are the same plan.")
    for row in plans:
        check(row["pipeline"] == "matmul-swish-bias-groupnorm", f"plans.csv: {row['pipeline']}")
        low, median, high = (float(row[f"elapsed_{key}_ns"])
                             for key in ("ci_low", "median", "ci_high"))
        check(0 < low <= median <= high, f"plans.csv: {low} {median} {high}")
        check(int(row["n_samples"]) > 0, "plans.csv: no samples")
    samples = read_csv(path("samples.csv"))
    check(len(samples) == sum(int(row["n_samples"]) for row in plans),
          f"samples.csv has {len(samples)} rows.")
    check(len(read_csv(path("kernels.csv"))) >= 3, "kernels.csv has too few rows.")
    overview = read_csv(path("overview.csv"))
    check(len(overview) > 1 and "max_abs" in overview[0], "overview.csv is empty.")

    # The same through the file chooser, with keys.
    user.activate("export-csv-plans")
    user.wait_for_dialog("Export table of plans")
    user.press("ctrl+a")
    user.type(path("chosen.csv"))
    user.press("Return")
    check(read_csv(wait_for("chosen.csv")) == plans, "The chooser's file differs.")

    # A file that cannot be written gives a message, and the window goes on.
    user.activate("export-timing-to", path("no such folder/timing.png"))
    user.see("no such folder", "label")
    user.activate("export-timing-to", path("timing.docx"))
    user.see(r"docx", "label")
    check(not os.path.exists(path("timing.docx")), "A figure was written as .docx.")


if __name__ == "__main__":
    person.run(main_job, animates=True)
