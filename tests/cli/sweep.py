#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli sweep: lines and maps of several plans over shapes; the budget stops it, and resuming
# loses no point; mistakes are explained in a sentence.

import xml.etree.ElementTree

from seamtest import cli, main, refused, rows, search

TINY = ["--target", "cpu", "--preset", "tiny"]


def read(path):
    with open(path, newline="") as file:
        return rows(file.read())


def test_lines():
    what = ["sweep", "#57", *TINY, "--vary", "batch=1:4:log2", "--plans", "unfused,full",
            "--budget", "3", "--resume", "points.csv", "--figure", "lines.svg"]
    begun = done = search(*what)
    while done.returncode != 0:
        done = search(*what)
    table = read("points.csv")
    assert [row["plan"] for row in table] == ["unfused", "full"] * 3
    assert [row["shape"].split(",")[0] for row in table] == [
        "batch=1", "batch=1", "batch=2", "batch=2", "batch=4", "batch=4"]
    for row in table:
        assert row["survey"] == "sweep" and row["state"] == "measured" and row["n_failing"] == "0"
        assert float(row["reference_median_ns"]) > 0
        assert row["pareto"] == "" and row["on_best_path"] == ""
    for first in range(0, 6, 2):
        pair = table[first:first + 2]
        fastest = min(pair, key=lambda row: float(row["elapsed_median_ns"]))
        assert [row["fastest"] for row in pair] == ["yes" if row is fastest else "no"
                                                    for row in pair]
        assert pair[0]["reference_median_ns"] == pair[0]["elapsed_median_ns"]
    assert "is the fastest" in done.stdout and "6 points. Budget 3 s" in begun.stderr
    assert xml.etree.ElementTree.parse("lines.svg").getroot().tag.endswith("svg")


def test_map_and_resume():
    what = ["sweep", "#1", *TINY, "--vary", "batch=1,2,3", "--vary", "height+width=2,8",
            "--resume", "points.csv", "--figure", "map.svg"]
    done = cli(*what, "--budget", "0.02")
    assert done.returncode == 3 and "The budget is used up" in done.stderr, done.stderr
    first = [row for row in read("points.csv") if row["state"] == "measured"]
    assert first
    for _ in range(30):
        done = search(*what, "--budget", "2")
        if done.returncode == 0:
            break
    table = read("points.csv")
    assert len(table) == 12
    # A kernel of 3 does not fit on 2 pixels: the point is impossible, and the sweep goes on.
    assert sum(row["state"] == "impossible" for row in table) == 6
    assert sum(row["state"] == "measured" for row in table) == 6
    for row in first:
        again = next(r for r in table if (r["shape"], r["plan"]) == (row["shape"], row["plan"]))
        for key in "elapsed_median_ns", "n_samples", "measured_at":
            assert again[key] == row[key]
    assert "impossible" in done.stdout
    assert xml.etree.ElementTree.parse("map.svg").getroot().tag.endswith("svg")


def test_refusals():
    refused("sweep", "#57", *TINY, status=2, says="--vary batch=1:128:log2")
    refused("sweep", "#57", *TINY, "--vary", "bath=1,2", status=2, says=["bath", "batch"])
    refused("sweep", "#57", *TINY, "--vary", "batch=0:4", status=2, says="batch")
    refused("sweep", "#57", *TINY, "--vary", "batch=4:1:log2", status=2, says="ends before")
    refused("sweep", "#57", *TINY, "--vary", "batch=1,2", "--vary", "batch=3,4", status=2,
            says="batch")
    refused("sweep", "#57", *TINY, *["--vary", "batch=1"] * 3, status=2, says="once or twice")
    refused("sweep", "#57", *TINY, "--vary", "batch=1", "--plans", "unfused,unfused", status=2,
            says="twice")
    refused("sweep", "#57", *TINY, "--vary", "batch=1", "--plans", "unfuse", status=2,
            says="unfused")
    refused("sweep", "#57", *TINY, "--vary", "batch=1", "--plans", "full", "--plan", "full",
            status=2, says="--plans")
    refused("sweep", "#57", *TINY, "--vary", "batch=1:200", "--vary", "width=10:200", status=2,
            says="4096")


main()
