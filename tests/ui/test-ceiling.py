# SPDX-License-Identifier: MIT
"""What is known before running: it stands under the strips, follows every cut at once, and can be
exported without a run."""
import csv
import os
import re

import person
from person import check
from pictures import read_png
from steps import prepare, wait_for_seam


def ceiling(user, pattern):
    """The figure's sentences, once they match."""
    def find():
        item = next(iter(user.look("^Before running: ", "image")), None)
        return item and re.search(pattern, item.name)
    return user.wait(f"the ceiling with “{pattern}”", find)


def moved(user, plan):
    """Bytes of a plan as the figure says them, in its unit."""
    return float(ceiling(user, rf"lan {plan} moves ([0-9.]+) kB")[1])


def follows(user):
    prepare(user, pipeline="^conv-bias-scale-sigmoid-groupnorm:")
    gain = ceiling(user, r"fusion gives at most ([0-9.]+)× in bytes and, .* ([0-9.]+)× in time")
    check(float(gain[1]) > 1 and float(gain[2]) >= 1, f"Fusion gives {gain[0]}.")
    ceiling(user, "(Memory|Arithmetic) binds")
    ceiling(user, "Rates: measured here")
    unfused, published = moved(user, "A"), moved(user, "B")
    check(published < unfused, f"Published moves {published}, unfused {unfused}.")

    # Cutting a seam of B costs bytes, at once; undoing it gives them back.
    seam = wait_for_seam(user, 1, 2, "fused")
    user.click(seam)
    wait_for_seam(user, 1, 2, "cut")
    user.wait("more bytes of B", lambda: moved(user, "B") > published)
    check(moved(user, "A") == unfused, "A changed, too.")
    user.press("ctrl+z")
    user.wait("the bytes of before", lambda: moved(user, "B") == published)

    export(user, unfused, published)
    user.leave()


def export(user, unfused, published):
    for action, name in (("export-ceiling-to", "ceiling.png"), ("export-ceiling-to", "ceiling.svg"),
                         ("export-estimate-to", "estimate.csv")):
        path = os.path.join(user.folder, name)
        user.activate(action, path)
        user.wait(f"file {name}", lambda: os.path.exists(path))
    width, height, colours = read_png(os.path.join(user.folder, "ceiling.png"))
    check(width > 2000 and height > 500 and colours > 20, f"{width} x {height}, {colours} colours")
    with open(os.path.join(user.folder, "estimate.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check([row["plan"] for row in rows] == ["unfused", "published"], f"{rows}")
    for row, kilobytes in zip(rows, (unfused, published)):
        check(abs(float(row["modelled_bytes"]) / 1e3 - kilobytes) < .01,
              f"{row['plan']}: {row['modelled_bytes']} bytes, {kilobytes} kB in the window")
    # What needs a run says so.
    path = os.path.join(user.folder, "timing.png")
    user.activate("export-timing-to", path)
    user.see("press Run first", "label")
    check(not os.path.exists(path), "A figure of nothing was written.")


if __name__ == "__main__":
    person.run(follows)
