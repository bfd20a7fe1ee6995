#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli estimate: the command gives the byte table of the field notes, its limits fit together,
# and mistakes are explained in a sentence.

import math
import xml.etree.ElementTree

from seamtest import PIPELINES, main, ok, refused, rows

CPU = ["--target", "cpu"]
# GB unfused, published, full and GFLOP at kernelbench, computed from the shapes without the program.
TABLE = {
    "conv-relu-bias": (7.82, 3.66, 1.58, 299.7),
    "gemm-bias-relu": (0.47, 0.40, 0.34, 137.4),
    "matmul-swish-bias-groupnorm": (6.59, 1.76, 0.69, 274.9),
    "conv-bias-scale-sigmoid-groupnorm": (12.95, 4.50, 1.33, 38.05),
    "conv-relu-hardswish": (7.35, 1.63, 0.59, 18.73),
}


def estimate(pipeline, *more):
    done = ok("estimate", pipeline, *CPU, "--csv", "-", *more)
    # The report for people then goes to standard error.
    assert "nothing was run" in done.stderr
    return rows(done.stdout)


def test_byte_table():
    for pipeline in PIPELINES:
        table = estimate(pipeline, "--preset", "kernelbench", "--plan", "unfused", "--plan",
                         "published")
        unfused, published, full, gflop = TABLE[pipeline]
        assert [row["plan"] for row in table] == ["unfused", "published"]
        for row, gb in zip(table, (unfused, published)):
            assert math.isclose(float(row["modelled_bytes"]) / 1e9, gb, rel_tol=0.03), row
            assert math.isclose(float(row["fewest_bytes"]) / 1e9, full, rel_tol=0.03), row
            assert math.isclose(float(row["flop"]) / 1e9, gflop, rel_tol=0.001), row
            assert math.isclose(float(row["most_gain_bytes"]), unfused / full, rel_tol=0.03), row
            assert row["preset"] == "kernelbench" and row["can_run"] == "yes"


def test_limits_fit_together():
    for pipeline in PIPELINES:
        table = estimate(pipeline)
        assert len(table) >= 4  # every named plan, no exhibit
        assert "as-published" not in [row["plan"] for row in table]
        for row in table:
            memory, compute, floor, own, full_rate = (
                float(row[key]) for key in ("memory_ns", "compute_ns", "problem_floor_ns",
                                            "floor_ns", "full_rate_ns"))
            assert math.isclose(floor, max(memory, compute), rel_tol=1e-9)
            assert row["limit"] == ("memory" if memory > compute else "arithmetic")
            assert own <= full_rate <= float(row["unfused_full_rate_ns"])
            assert row["most_gain_time"] == ""  # nothing bounds the unfused kernels
        unfused = next(row for row in table if row["plan"] == "unfused")
        assert unfused["full_rate_ns"] == unfused["unfused_full_rate_ns"]
        assert unfused["modelled_bytes"] == unfused["unfused_bytes"]


def test_words():
    text = ok("estimate", "#21", "--preset", "kernelbench", *CPU).stdout
    for words in "Fewest bytes   1.33 GB", "38.1 GFLOP", " bound", "9.77× in bytes", "12.953", \
            "Rates: measured here":
        assert words in text, words
    # An exhibit appears only on request.
    assert "as-published" not in ok("estimate", "#37", *CPU).stdout
    assert "as-published" in ok("estimate", "#37", *CPU, "--plan", "as-published").stdout


def test_memory():
    """A run that does not fit is refused; the estimate says so in the same words."""
    huge = ["gemm-bias-relu", *CPU, "--preset", "tiny", "--shape", "batch=1000000,out_features=1000000"]
    said = next(line for line in ok("estimate", *huge, "--plan", "unfused").stdout.splitlines()
                if line.startswith("This run needs "))
    refused("run", *huge, "--plan", "unfused", status=3, says=said.split(" has ")[0])
    assert "the preset" in said  # a smaller one
    assert "This run needs" not in ok("estimate", "gemm-bias-relu", *CPU, "--preset", "tiny").stdout


def test_kernels():
    for name in PIPELINES:
        text = ok("estimate", name, *CPU, "--preset", "tiny").stdout
        unknown = any(row["n_kernels"] == "" and row["can_run"] == "yes" for row in estimate(name, "--preset", "tiny"))
        assert ("under Kernels: a library chooses" in text) == unknown


def test_files():
    ok("estimate", "#57", *CPU, "--csv", "plans.csv", "--figure", "ceiling=ceiling.svg")
    assert len(rows(open("plans.csv", newline="").read())) >= 4
    # There is only one figure, so FILE needs no name before it.
    ok("estimate", "#57", *CPU, "--figure", "alone.svg")
    for path in "ceiling.svg", "alone.svg":
        assert xml.etree.ElementTree.parse(path).getroot().tag.endswith("svg")


def test_refusals():
    refused("estimate", status=2, says="PIPELINE")
    refused("estimate", "#21", "--figure", "timing=x.png", status=2, says="ceiling=FILE")
    refused("estimate", "#21", "--figure", "ceiling=", status=2, says="ceiling=FILE")
    refused("estimate", "#21", *CPU, "--figure", "ceiling=x.gif", status=2, says="x.gif")
    refused("estimate", "#21", *CPU, "--csv", "none/x.csv", status=3, says="none/x.csv")
    refused("estimate", "#21", "--plan", "publish", status=2, says="published")
    refused("estimate", "#21", "--budget", "3", status=2, says="--budget")


main()
