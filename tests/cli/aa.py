#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli aa: a plan against itself, the verdict, and refusals.

import json
import os
import re

from seamtest import cli, main, refused, rows

# Warm and on one thread: many samples in little time, also beside other tests.
TINY = ["--target", "cpu", "--preset", "tiny", "--l2", "warm"]
os.environ["OMP_NUM_THREADS"] = "1"


def test_report():
    # The test's machine may be busy: both answers are right if they fit the measurements.
    done = cli("aa", "#57", *TINY, "--runs", "3", "--budget", "2", "--csv-samples", "samples.csv", "--json", "aa.json",
               "--figure", "samples=samples.svg")
    assert done.returncode in (0, 1), done.stderr
    value = r"((?:< )?\S+)"
    table = re.findall(rf"^ *([123]) +\S+ \S+ +([\d,]+) +{value} +{value} +{value} +(\w+)$",
                       done.stdout, re.MULTILINE)
    assert [row[0] for row in table] == ["1", "2", "3"], done.stdout
    ends = []
    for _, pairs, _, low, high, verdict in table:
        numbers = [float(text.replace("−", "-")) for text in (low, high)
                   if "<" not in text]
        ends += [abs(number) for number in numbers]
        assert int(pairs.replace(",", "")) >= 8
        assert verdict in ("same", "unclear", "faster", "slower")
    said = re.search(r"can claim now: ([\d.]+) %", done.stdout)
    assert said, done.stdout
    # The farthest end of the table, rounded up to two digits; the file has it as it is.
    limit = float(said[1])
    assert max(ends) - .006 <= limit <= max(ends) * 1.1 + .006, (ends, limit)
    with open("aa.json", encoding="utf-8") as file:
        kept = json.load(file)["claimable"]
    assert abs(100 * kept - max(ends)) < .006, (ends, kept)
    false = sum(row[5] in ("faster", "slower") for row in table)
    assert (done.returncode == 0) == (limit <= 1 and false == 0), done.stdout
    assert "Verdicts claim differences over 1 %" in done.stdout or false
    with open("samples.csv", newline="") as file:
        samples = rows(file.read())
    assert len({row["notation"] if "notation" in row else row["plan"] for row in samples}) == 1
    assert len(samples) >= 16
    # The figure is of the same run.
    with open("samples.svg", encoding="utf-8") as file:
        assert file.read().startswith("<?xml")


def test_chosen_plan():
    done = cli("aa", "#57", *TINY, "--runs", "1", "--budget", "0.3", "--plan", "full")
    assert done.returncode in (0, 1), done.stderr
    assert "against itself" in done.stdout


def test_refused():
    for runs in "0", "many":
        refused("aa", "#57", *TINY, "--runs", runs, status=2, says="--runs")
    refused("aa", "#57", *TINY, "--plan", "conv|relu", status=2, says="the plan needs")
    refused("aa", *TINY, status=2, says="PIPELINE")


if __name__ == "__main__":
    main()
