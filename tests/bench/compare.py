#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares Seamscope's times with PyTorch's: one table for each math mode, and a CSV.

Reads the files that tests/bench/run wrote into a folder. A time marked * was not measured in this run: it
comes from field-notes.csv beside this file (the kernelbench preset on one H200, PyTorch 2.11,
2026-11), unless --no-field-notes is given. Judges two requirements if both sides are known: unfused
no slower than eager, published no slower than the published fusion.
"""

import csv
import math
import pathlib
import sys

from pytorch import BESIDE, PIPELINES

PLANS = ("unfused", "published", "epilogue", "full", "as-published")
MODES = ("tf32", "tf32x", "fp32", "fp16", "bf16")
# Two measurements of the same thing on a shared machine differ by a few per cent.
TOLERANCE = 1.03


def read_rows(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except OSError:
        return []


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan


def read_seamscope(folder):
    """{(pipeline, math mode, requested plan): row}. The file beside a table lists what was asked: `full`
    may have become another plan, whose name its row then has."""
    times = {}
    for path in sorted(folder.glob("run-*.csv")):
        asked = path.with_suffix(".plans").read_text(encoding="utf-8").split()
        rows = read_rows(path)
        left = [plan for plan in asked if plan not in {row["plan"] for row in rows}]
        for row in rows:
            plan = row["plan"] if row["plan"] in asked else left.pop(0)
            times[row["pipeline"], row["math_mode"], plan] = row
    return times


def read_pytorch(folder, with_notes):
    """{(pipeline, math mode, variant): (ms, mark)}"""
    here = pathlib.Path(__file__).resolve().parent
    times = {}
    for row in read_rows(here / "field-notes.csv") if with_notes else []:
        key = row["pipeline"], row["math_mode"], row["variant"]
        times[key] = number(row["elapsed_median_ms"]), "*"
    for path in sorted(folder.glob("pytorch*.csv")):
        for row in read_rows(path):
            value = number(row["elapsed_median_ns"]) / 1e6
            if not math.isnan(value):
                times[row["pipeline"], row["math_mode"], row["variant"]] = value, ""
    return times


def best(times, pipeline, mode):
    """The fastest PyTorch variant that a person has without writing a kernel."""
    candidates = [(value, mark, variant) for (p, m, variant), (value, mark) in times.items()
                  if p == pipeline and m == mode and variant != "published-fusion"]
    measured = [candidate for candidate in candidates if candidate[1] == ""]
    return min(measured or candidates, default=(math.nan, "", ""))


def cell(value, mark=""):
    return "–" if math.isnan(value) else f"{value:.3f}{mark}"


def ratio(a, b):
    return "–" if math.isnan(a) or math.isnan(b) or b == 0 else f"{a / b:.2f}×"


def print_mean(rows):
    """The geometric mean of best PyTorch over our best plan, if every pipeline has both."""
    ratios = [number(row[-3].rstrip("×")) for row in rows[1:]]
    if not any(math.isnan(value) for value in ratios):
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of best PyTorch / best plan: {mean:.2f}×")


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        first = row[0].ljust(widths[0])
        print("  ".join([first] + [text.rjust(width) for text, width in zip(row[1:], widths[1:])]))


def main(arguments):
    with_notes = "--no-field-notes" not in arguments
    folders = [argument for argument in arguments if not argument.startswith("--")]
    if len(folders) != 1:
        print("usage: compare.py [--no-field-notes] FOLDER", file=sys.stderr)
        return 2
    folder = pathlib.Path(folders[0])
    ours, theirs = read_seamscope(folder), read_pytorch(folder, with_notes)
    out = []
    for mode in MODES:
        if mode not in {key[1] for key in (*ours, *theirs)}:
            continue
        theirs_mode = BESIDE.get(mode, mode)
        rows = [["ms, " + mode, *PLANS, "eager", "fusion", "best PyTorch", "",
                 "PyTorch / best plan", "unfused / eager", "published / fusion"]]
        for pipeline in PIPELINES:
            plans = {}
            for plan in PLANS:
                row = ours.get((pipeline, mode, plan), {})
                plans[plan] = number(row.get("elapsed_median_ns")) / 1e6
                if row:
                    out.append([pipeline, mode, "seamscope " + plan, f"{plans[plan]:.6f}",
                                row.get("verdict", ""), row.get("max_abs_error", ""),
                                row.get("executed", "")])
            eager, eager_mark = theirs.get((pipeline, theirs_mode, "eager"), (math.nan, ""))
            fusion, fusion_mark = theirs.get((pipeline, theirs_mode, "published-fusion"), (math.nan, ""))
            fastest, fastest_mark, variant = best(theirs, pipeline, theirs_mode)
            right = [value for plan, value in plans.items()
                     if plan != "as-published" and not math.isnan(value)]
            ours_best = min(right, default=math.nan)
            rows.append([
                pipeline, *(cell(plans[plan]) for plan in PLANS), cell(eager, eager_mark),
                cell(fusion, fusion_mark), cell(fastest, fastest_mark), variant,
                ratio(fastest, ours_best), ratio(plans["unfused"], eager),
                ratio(plans["published"], fusion),
            ])
            for what, a, b in (("unfused no slower than eager", plans["unfused"], eager),
                               ("published no slower than the published fusion",
                                plans["published"], fusion)):
                if mode == "tf32" and not math.isnan(a) and not math.isnan(b):
                    met = a <= b * TOLERANCE
                    out.append([pipeline, mode, what, f"{a / b:.4f}", "met" if met else "missed", "", ""])
        table(rows)
        print_mean(rows)
        print()
    for row in out:
        if row[4] in ("met", "missed"):
            print(f"{row[4]:7} {row[0]}: {row[2]} ({row[3]} of it)")
    if with_notes:
        print("* from the field notes (one H200, PyTorch 2.11), not measured in this run")
    for key, (value, mark) in sorted(theirs.items()):
        out.append([key[0], key[1], "pytorch " + key[2], f"{value:.6f}",
                    "field notes" if mark else "",
                    "", ""])
    with open(folder / "comparison.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["pipeline", "math_mode", "what", "elapsed_median_ms_or_ratio", "verdict",
                         "max_abs_error", "executed"])
        writer.writerows(out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
