#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times one plan in two builds by turns, on one GPU in one visit, and prints new over old.

Every round runs each pipeline with the old build and with each new one, in changing order, so that all
see the same conditions. Prints for each pipeline and build the median time and SM clock, the geometric mean
of the rounds' ratios and its 95 % interval (Student's t over the rounds). A build is a command, which may
have several words.
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
    """The plan's median elapsed time in ms, and the median SM clock in MHz."""
    call = [*command.split(), "run", pipeline, "--preset", options.preset, "--math", options.math, "--plan",
            options.plan, "--budget", str(options.budget), "--csv", str(path)]
    done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(call)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    with open(path, newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    return float(row["elapsed_median_ns"]) / 1e6, float(row.get("clock_median_mhz") or "nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--old", required=True)
    parser.add_argument("--new", required=True, nargs="+", help="one or several builds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=1.5)
    parser.add_argument("--math", default="fp32")
    parser.add_argument("--plan", default="full")
    parser.add_argument("--preset", default="kernelbench")
    parser.add_argument("--pipelines", nargs="+", default=PIPELINES)
    options = parser.parse_args()
    builds = [options.old, *options.new]
    found = {pipeline: [[] for _ in builds] for pipeline in options.pipelines}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.csv"
        for turn in range(options.rounds):
            for pipeline, of_builds in found.items():
                for k in range(len(builds)) if turn % 2 == 0 else reversed(range(len(builds))):
                    path.unlink(missing_ok=True)
                    of_builds[k].append(time_plan(builds[k], pipeline, options, path))
                print(f"{pipeline}: " + ", ".join(f"{f[-1][0]:.4f} ms at {f[-1][1]:.0f} MHz" for f in of_builds),
                      flush=True)
    print(f"{'pipeline':36} build {'ms':>8} {'MHz':>5}  new / old")
    for pipeline, of_builds in found.items():
        for k, times in enumerate(of_builds):
            logs = [math.log(b[0] / a[0]) for a, b in zip(of_builds[0], times)]
            middle, half = statistics.mean(logs), math.inf
            if len(logs) > 1:
                half = STUDENT[min(len(logs) - 2, len(STUDENT) - 1)] * statistics.stdev(logs) / math.sqrt(len(logs))
            ratio = f"{math.exp(middle):.4f} ({math.exp(middle - half):.4f} to {math.exp(middle + half):.4f})"
            print(f"{pipeline:36} {k or 'old':>5} {statistics.median(t[0] for t in times):8.4f} "
                  f"{statistics.median(t[1] for t in times):5.0f}  {ratio if k else ''}")


if __name__ == "__main__":
    main()
