#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Two sessions side by side: comparable and incomparable runs, in words, numbers and exit statuses.

import json
import os

from seamtest import QUICK, main, ok, refused, rows

# Threads that spin for each other on a busy machine would leave a run with one sample.
os.environ["OMP_NUM_THREADS"] = "1"
SAMPLES = os.path.join(os.environ["SEAMSCOPE_TEST_DATA"], "samples")
FP32 = os.path.join(SAMPLES, "h200-matmul-swish-bias-groupnorm-fp32.seamscope")
QUIET = os.path.join(SAMPLES, "h200-conv-relu-hardswish.seamscope")
TF32 = os.path.join(SAMPLES, "h200-matmul-swish-bias-groupnorm-tf32.seamscope")


def make(name, *plans, pipeline="gemm-bias-relu"):
    words = [word for plan in plans for word in ("--plan", plan)]
    ok("run", pipeline, *QUICK, *words, "--save", name)
    return name


def find(table, **wanted):
    found = [row for row in table if all(row[key] == value for key, value in wanted.items())]
    assert len(found) == 1, (wanted, len(found))
    return found[0]


def test_other_math_mode_is_not_compared():
    done = ok("compare", FP32, TF32, "--csv", "a.csv", status=1)
    assert done.stderr == "seamscope-cli: Not comparable: math mode is FP32 in A and TF32 in B.\n"
    assert "prevents a comparison" in done.stdout and "faster" not in done.stdout
    table = rows(open("a.csv", newline="").read())
    assert find(table, number="Math mode")["state"] == "prevents"
    assert not [row for row in table if row["level"] in ("plan", "kernel")]


def test_a_session_with_itself_is_the_same():
    table = rows(ok("compare", TF32, TF32, "--csv", "-").stdout)
    verdicts = {row["plan"]: row["verdict"] for row in table if row["verdict"]}
    # The exhibit is wrong on both sides, which the verdict names before any time.
    assert verdicts.pop("as-published") == "wrong"
    assert len(verdicts) == 5 and set(verdicts.values()) <= {"same", "unclear"}, verdicts
    # Under a clock that did not wander, equal times are the same.
    quiet = rows(ok("compare", QUIET, QUIET, "--csv", "-").stdout)
    assert {row["verdict"] for row in quiet if row["plan"] == "unfused" and row["verdict"]} == {"same"}
    assert {row["change"] for row in table} <= {"0", ""}
    assert {row["match"] for row in table if row["match"]} == {"same"}
    # Counters and errors are among the numbers, and unknown is empty.
    table = rows(ok("compare", FP32, FP32, "--csv", "-").stdout)
    dram = find(table, level="plan", plan="unfused", number="dram_bytes")
    assert float(dram["a"]) > 1e9 and dram["ratio"] == "1"
    failing = find(table, level="plan", plan="as-published", number="n_failing")
    assert int(failing["a"]) > 1e8
    assert find(table, level="plan", plan="unfused", number="n_failing")["a"] == ""


def test_same_plans_twice():
    a, b = make("a.seamscope", "unfused", "full"), make("b.seamscope", "unfused", "full")
    done = ok("compare", a, b, "--json", "c.json")
    [comparison] = json.load(open("c.json"))["comparisons"]
    assert "obstacle" not in comparison
    assert [plan["plan"] for plan in comparison["plans"]] == ["unfused", "full"]
    for plan in comparison["plans"]:
        assert plan["match"] == "same" and "headline" in plan
        [median] = [n for n in plan["numbers"] if n["number"] == "elapsed_median_ns"]
        assert abs(median["change"] - (median["b"] - median["a"])) < 1e-6
        assert abs(median["ratio"] - median["b"] / median["a"]) < 1e-12
        assert abs(plan["speedup"] - median["a"] / median["b"]) < 1e-12
        assert {kernel["match"] for kernel in plan["kernels"]} == {"same"}
    assert "Measured at" in done.stdout and "rank-sum" in done.stdout
    assert "seed 1" in done.stdout


def test_another_plan_is_added_and_removed():
    a = make("a.seamscope", "unfused", "published")
    b = make("b.seamscope", "unfused", "full")
    done = ok("compare", a, b, "--csv", "c.csv", "--all")
    table = rows(open("c.csv", newline="").read())
    kernels = [row for row in table if row["level"] == "kernel" and row["number"] == "median_ns"]
    removed = [row for row in kernels if row["match"] == "removed"]
    added = [row for row in kernels if row["match"] == "added"]
    assert [row["plan"] for row in removed] == ["published"] * 2
    assert [row["plan"] for row in added] == ["full"] and added[0]["ops"] == "0-2"
    assert all(row["b"] == "" and row["change"] == "" for row in removed)
    assert all(row["a"] == "" and float(row["b"]) > 0 for row in added)
    assert "1 plan added; 1 plan removed" in done.stdout
    assert "−  published" in done.stdout and "+  full" in done.stdout


def test_figure():
    a, b = make("a.seamscope", "unfused", "published"), make("b.seamscope", "unfused", "full")
    ok("compare", a, b, "--figure", "c.svg")
    ok("compare", FP32, TF32, "--figure", "d.pdf", status=1)
    assert os.stat("c.svg").st_size > 5000 and open("d.pdf", "rb").read(4) == b"%PDF"
    refused("compare", a, b, "--figure", "c.gif", status=2, says=".png")


def test_several_runs():
    make("a.seamscope", "unfused")
    ok("run", "gemm-bias-relu", *QUICK, "--append", "a.seamscope", "--shape", "batch=3")
    ok("run", "gemm-bias-relu", *QUICK, "--shape", "batch=3", "--save", "b.seamscope")
    # The run of the same shape is found, and the other one is named.
    done = ok("compare", "a.seamscope", "b.seamscope")
    assert "Only in A: run 1 (" in done.stdout
    done = ok("compare", "a.seamscope", "b.seamscope", "--run", "1", status=1)
    assert "Not comparable: shape is" in done.stderr
    ok("compare", "a.seamscope", "a.seamscope", "--run", "2", "--with", "2")
    refused("compare", "a.seamscope", "b.seamscope", "--run", "3", status=2, says="1 to 2")


def test_bad_files():
    a = make("a.seamscope", "unfused")
    data = open(a, "rb").read()
    open("half.seamscope", "wb").write(data[: len(data) // 2])
    open("text.seamscope", "w").write("plan,median\r\n" * 20)
    refused("compare", a, "half.seamscope", status=3, says=["half.seamscope", "cut short"])
    refused("compare", "text.seamscope", a, status=3, says=["text.seamscope", "no Seamscope"])
    refused("compare", a, "missing.seamscope", status=3, says="no such file")
    refused("compare", a, status=2, says="two SESSIONs")
    refused("compare", a, a, "--csv", "-", "--json", "-", status=2, says="Only one")
    refused("compare", a, a, "--csv", "no/where.csv", status=3, says="no folder")


main()
