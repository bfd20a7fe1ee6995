#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times one plan in two builds by turns, on one GPU in one visit, and prints new over old.

Every round runs each pipeline with the old build and with the new one, in changing order, so that both
see the same clocks. Prints for each pipeline the median of each build, the geometric mean of the rounds'
ratios and its 95 % interval (Student's t over the rounds). A build is a command, which may have several
words.
"""

import argparse
import csv
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

from pytorch import PIPELINES

# 97.5 % points of Student's t with 1, 2, … degrees of freedom.
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)


def time_plan(command, pipeline, options, path):
    """The plan's median elapsed time in ms."""
    call = [*command.split(), "run", pipeline, "--preset", options.preset, "--math", options.math, "--plan",
            options.plan, "--budget", str(options.budget), "--csv", str(path)]
    done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(call)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    with open(path, newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    return float(row["elapsed_median_ns"]) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--old", required=True)
    parser.add_argument("--new", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=1.5)
    parser.add_argument("--math", default="fp32")
    parser.add_argument("--plan", default="full")
    parser.add_argument("--preset", default="kernelbench")
    parser.add_argument("--pipelines", nargs="+", default=PIPELINES)
    options = parser.parse_args()
    times = {pipeline: ([], []) for pipeline in options.pipelines}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.csv"
        for turn in range(options.rounds):
            for pipeline in options.pipelines:
                builds = [(options.old, 0), (options.new, 1)]
                for command, which in builds if turn % 2 == 0 else reversed(builds):
                    path.unlink(missing_ok=True)
                    times[pipeline][which].append(time_plan(command, pipeline, options, path))
                print(f"{pipeline}: old {times[pipeline][0][-1]:.4f}, new {times[pipeline][1][-1]:.4f}", flush=True)
    print(f"{'pipeline':36} {'old ms':>8} {'new ms':>8}  new / old")
    for pipeline, (old, new) in times.items():
        logs = [math.log(b / a) for a, b in zip(old, new)]
        middle, half = statistics.mean(logs), math.inf
        if len(logs) > 1:
            half = STUDENT[min(len(logs) - 2, len(STUDENT) - 1)] * statistics.stdev(logs) / math.sqrt(len(logs))
        print(f"{pipeline:36} {statistics.median(old):8.4f} {statistics.median(new):8.4f}  {math.exp(middle):.4f}"
              f" ({math.exp(middle - half):.4f} to {math.exp(middle + half):.4f})")


if __name__ == "__main__":
    main()
