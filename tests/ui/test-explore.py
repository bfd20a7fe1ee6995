# SPDX-License-Identifier: MIT
"""The explore page: it estimates its duration before, partitions get their times one by one, it can be
stopped and resumed, a node becomes plan B by pointer and by table, and everything can be exported."""
import csv
import os
import re

import person
from person import check
from pictures import read_png
from steps import prepare, stop_search

PICTURES = os.environ.get("SEAMSCOPE_EXPLORE_PICTURES")


def picture(user, name):
    """Saves a picture for people, if the environment names a folder."""
    if PICTURES:
        user.take_picture(os.path.join(PICTURES, name))


def nodes(user):
    """The lattice's nodes by their partition; the notation ends at the first colon."""
    return {item.name.split(":")[0]: item for item in user.look(r"^conv[+|].*: ", "push button")}


def status(user, pattern, timeout=60):
    return user.see(pattern, "label", timeout)


def explores(user):
    prepare(user, pipeline="^conv-relu-bias:")
    user.press("alt+4")
    status(user, "^8 to measure, .* s each; all need at least")
    user.see("^3 seams, 8 partitions$", "label")
    user.see("^Measure all$")
    predicted = user.wait("8 nodes", lambda: len(nodes(user)) == 8 and nodes(user))
    check(all(": pending" in item.name for item in predicted.values()), "Nothing was measured.")
    picture(user, "explore-predicted.png")

    # Start, and stop after the first points.
    user.click(user.see("^Budget of the exploration", "spin button"), across=0.2)
    user.press("ctrl+a")
    user.type("12")
    user.press("Tab")
    state = status(user, "^8 to measure, ")
    user.press("ctrl+r")
    stop_search(user, state, "^[3-7] of 8 measured, ")
    stopped = status(user, "^Stopped: [0-9]+ of 8 measured")
    n_stopped = int(re.search("[0-9]+", stopped.name)[0])
    check(3 <= n_stopped < 8, stopped.name)
    before = {name: item.name for name, item in nodes(user).items() if ": pending" not in item.name}
    check(len(before) == n_stopped, f"{len(before)} nodes have a time, {n_stopped} were measured.")

    # Go on with the rest.
    for _ in range(5):
        user.press("ctrl+r")
        end = status(user, "^(8 of 8 measured$|The budget is used up)", 60)
        if end.name.startswith("8 of 8"):
            break
    after = nodes(user)
    check(not any(": pending" in item.name for item in after.values()), "Some node has no time.")
    picture(user, "explore-done.png")

    # A node becomes plan B.
    chosen = after["conv|conv_bias+relu|bias"]
    user.click(chosen)
    user.see("^conv.conv_bias.relu.bias$", "label")
    user.see("^([0-9.]+× (faster|slower) than unfused)$", "label")
    picture(user, "explore-chosen.png")
    user.press("alt+1")
    user.wait("its seams in the strip of B",
              lambda: [item for item in user.look("^Seam 2, .*, fused", "push button")])
    user.press("ctrl+z")
    user.press("alt+4")

    export(user, n_stopped)
    user.leave()


def export(user, n_stopped):
    for action, name in (("export-lattice-to", "lattice.png"), ("export-lattice-to", "lattice.svg"),
                         ("export-csv-explore-to", "partitions.csv")):
        path = os.path.join(user.folder, name)
        user.activate(action, path)
        user.wait(f"file {name}", lambda: os.path.exists(path))
    width, height, colours = read_png(os.path.join(user.folder, "lattice.png"))
    check(width > 2000 and height > 1000 and colours > 50, f"{width} x {height}, {colours} colours")
    with open(os.path.join(user.folder, "partitions.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == 8 and all(row["state"] == "measured" for row in rows), f"{rows}")
    check(all(row["n_failing"] == "0" for row in rows), "An output is wrong.")
    check(len({row["measured_at"] for row in rows}) > 1, "All of it is one batch.")


if __name__ == "__main__":
    person.run(explores)
