# SPDX-License-Identifier: MIT
"""The traffic page: the ledger follows every cut without a run; after one the waterfall leads from A
to B and the roofline holds both plans; another cut leaves them as they were and says so; figures and
tables can be exported."""
import csv
import os
import re

import person
from person import check
from pictures import read_png
from steps import prepare, wait_for_seam, wait_for_verdict


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def modelled(user, more="."):
    """Bytes of A and B below the ledger, in kB, once the second is `more` than a number."""
    def find():
        for item in user.look(r"^Modelled  A ", "label"):
            return re.search(r"A ([0-9.,]+), B ([0-9.,]+) kB, B − A (.*) kB", item.name)
    found = user.wait("the totals of the ledger", find)
    return float(found[1].replace(",", "")), float(found[2].replace(",", ""))


def follows(user):
    prepare(user, pipeline="^conv-bias-scale-sigmoid-groupnorm:")
    wait_for_seam(user, 1, 2, "fused")
    user.press("alt+3")
    user.see("^Traffic ledger$", "label")
    user.see("^Run both plans to see where the time goes", "label")
    user.see("^DRAM counters  not measured$", "label")
    unfused, published = modelled(user)
    check(published < unfused, f"Published moves {published}, unfused {unfused}.")
    for tensor in "input", "conv2d", "sigmoid", "groupnorm", "5 parameters":
        user.see(f"^{tensor}$", "label")
    user.see("^Struck through: in B it stays on the chip", "label")

    # A cut on the first page is in the ledger, and undone it is not.
    user.press("alt+1")
    user.click(wait_for_seam(user, 1, 2, "fused"))
    wait_for_seam(user, 1, 2, "cut")
    user.press("alt+3")
    user.wait("a ledger of more bytes", lambda: modelled(user)[1] > published)
    user.press("ctrl+z")
    user.wait("the ledger of before", lambda: modelled(user)[1] == published)

    user.press("alt+1", "ctrl+r")
    wait_for_verdict(user)
    user.press("alt+3")
    explains(user)
    export(user, unfused, published)
    keeps(user)
    user.leave()


def explains(user):
    steps = user.see("^From A to B: A Unfused ").name
    for step in "conv_bias", "sigmoid", "groupnorm, with 4 ops more", "not explained", "B Published":
        check(step in steps, f"No step {step} in: {steps}")
    user.see("kernels are gone: ", "label")
    # Each step can be reached and says what it is.
    user.see("^conv_bias took .* in A; B does it in another kernel.", "push button")
    roofline = user.see("^Roofline: Plan A, Unfused: ").name
    check(re.search(r"Plan B, Published: .* operations a byte; .* \(modelled\)", roofline),
          roofline)
    user.see("^Bounds: measured here", "label")
    user.see("^sigmoid of A: .* operations a byte", "push button")


def keeps(user):
    """What was measured stays, marked, when the plans change; the ledger is of the new ones."""
    user.press("alt+1")
    user.click(wait_for_seam(user, 1, 1, "fused"))
    wait_for_seam(user, 1, 1, "cut")
    user.press("alt+3")
    user.see("^Plans changed since this run", "label")
    user.see("^From A to B: A Unfused ")


def export(user, unfused, published):
    def save(action, name):
        path = os.path.join(user.folder, name)
        user.activate(action, path)
        user.wait(f"file {name}", lambda: os.path.exists(path))
        return path

    for name in "traffic.png", "roofline.png":
        width, height, colours = read_png(save(f"export-{name[:-4]}-to", name))
        check(width > 2000 and height > 800 and colours > 20, f"{width} x {height}, {colours}")
    ledger = read_csv(save("export-ledger-to", "ledger.csv"))
    groups = read_csv(save("export-group-traffic-to", "groups.csv"))
    steps = read_csv(save("export-waterfall-to", "steps.csv"))
    points = read_csv(save("export-roofline-points-to", "points.csv"))
    for plan, kilobytes in ("unfused", unfused), ("published", published):
        moved = sum(float(row[key]) for row in ledger if row["plan"] == plan
                    for key in ("written_bytes", "read_bytes", "reread_bytes"))
        check(abs(moved / 1e3 - kilobytes) < .01, f"{plan}: {moved} bytes, {kilobytes} kB shown")
        check(abs(sum(float(row["modelled_bytes"]) for row in groups if row["plan"] == plan)
                  - moved) < 1, "The groups move something else than the tensors.")
    check(steps[0]["kind"] == "start" and steps[-1]["kind"] == "end", f"{steps}")
    check({row["point"] for row in points} == {"plan", "kernel"}, f"{points}")


if __name__ == "__main__":
    person.run(follows)
