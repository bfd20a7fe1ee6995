#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli explore: every partition is measured and right; Ctrl-C or the budget stops it, and
# resuming loses no point; its table and its figure.

import os
import signal
import subprocess
import xml.etree.ElementTree

from seamtest import CLI, PIPELINES, cli, main, ok, refused, rows, search

TINY = ["--target", "cpu", "--preset", "tiny"]
N_NODES = {"conv-relu-bias": 8, "conv-bias-scale-sigmoid-groupnorm": 32,
           "matmul-swish-bias-groupnorm": 32, "conv-relu-hardswish": 64, "gemm-bias-relu": 4}


def read(path):
    with open(path, newline="") as file:
        return rows(file.read())


def measured(table):
    return {row["plan"]: row for row in table if row["state"] == "measured"}


def test_every_partition():
    for pipeline in PIPELINES:
        done = search("explore", pipeline, *TINY, "--budget", "1", "--csv", "all.csv")
        table = read("all.csv")
        assert (done.returncode == 0) == (len(measured(table)) == len(table))
        assert len(table) == N_NODES[pipeline], pipeline
        assert len({row["notation"] for row in table}) == len(table)
        assert table[0]["plan"] == "unfused"
        times = {}
        for row in table:
            assert row["survey"] == "explore" and row["pipeline"] == pipeline
            if row["state"] != "measured":
                assert row["state"] == "pending" and row["elapsed_median_ns"] == ""
                continue
            assert row["n_failing"] == "0" and row["stable"] == "yes", row
            assert int(row["n_fused"]) == row["notation"].count("+")
            times[row["notation"]] = float(row["adjusted_median_ns"])
            assert float(row["full_rate_ns"]) > 0 and float(row["modelled_bytes"]) > 0
        fastest = [row for row in table if row["fastest"] == "yes"]
        assert len(fastest) == 1
        assert times[fastest[0]["notation"]] == min(times.values())
        if len(times) == len(table):
            path = [row for row in table if row["on_best_path"] == "yes"]
            assert sorted(int(row["n_fused"]) for row in path) == list(
                range(table[0]["notation"].count("|") + 1))
            assert any(row["pareto"] == "yes" for row in table)


def finish(pipeline, budget):
    """Resumes points.csv until every partition is measured, because compiling and a busy machine may
    leave a run little of its budget. Returns the answer of the first run."""
    first = search("explore", pipeline, *TINY, "--budget", budget, "--resume", "points.csv")
    done = first
    for _ in range(50):
        if done.returncode == 0:
            break
        done = search("explore", pipeline, *TINY, "--budget", budget, "--resume", "points.csv")
    return first


def test_report_and_figure():
    # The estimate of its duration comes first, on standard error.
    first = finish("#76", 1)
    assert "4 partitions. Budget 1 s" in first.stderr
    done = ok("explore", "#76", *TINY, "--resume", "points.csv", "--figure", "lattice.svg")
    for words in "What each seam is worth", "best", "matmul | bias", "4 of 4 partitions measured":
        assert words in done.stdout, words
    assert xml.etree.ElementTree.parse("lattice.svg").getroot().tag.endswith("svg")
    done = search("explore", "#76", *TINY, "--budget", "1", "--csv", "-")
    assert len(rows(done.stdout)) == 4
    assert "What each seam is worth" in done.stderr


def test_budget_and_resume():
    open("points.csv", "w").close()  # an empty file has no points yet
    done = cli("explore", "#37", *TINY, "--budget", "0.05", "--resume", "points.csv")
    assert done.returncode == 3, done.stderr
    assert "The budget is used up" in done.stderr and "--resume points.csv" in done.stderr
    first = measured(read("points.csv"))
    assert 0 < len(first) < 32
    finish("#37", 2)
    table = measured(read("points.csv"))
    assert len(table) == 32
    for plan, row in first.items():
        for key in "elapsed_median_ns", "n_samples", "measured_at", "reference_median_ns":
            assert table[plan][key] == row[key], (plan, key)
    # There is nothing left to measure.
    done = ok("explore", "#37", *TINY, "--resume", "points.csv")
    assert "32 measured before" in done.stderr


def test_interrupt():
    process = subprocess.Popen(
        [CLI, "explore", "#57", *TINY, "--budget", "30", "--csv", "points.csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    for line in process.stderr:
        if line.startswith("6 of 64"):
            process.send_signal(signal.SIGINT)
            break
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert "Stopped at your request" in err
    table = read("points.csv")
    assert len(table) == 64 and 6 <= len(measured(table)) < 64
    assert "What each seam is worth" in out


def test_refusals():
    refused("explore", status=2, says="PIPELINE")
    refused("explore", "#76", *TINY, "--figure", "lattice.gif", status=2, says=".png")
    refused("explore", "#76", *TINY, "--csv", "no/such/folder.csv", status=3, says="no/such")
    refused("explore", "#76", *TINY, "--budget", "0", status=2, says="--budget")
    refused("explore", "#76", *TINY, "--plan", "unfused", status=2, says="--plan")
    search("explore", "#76", *TINY, "--budget", "0.5", "--csv", "points.csv")
    before = open("points.csv").read()
    for more, words in ((["--seed", "2"], "seed"), (["--l2", "warm"], "l2_state"),
                        (["--shape", "batch=3"], "4 of its 4 points")):
        refused("explore", "#76", *TINY, *more, "--resume", "points.csv", status=3, says=words)
    refused("explore", "#1", *TINY, "--resume", "points.csv", status=3, says="pipeline")
    assert open("points.csv").read() == before
    with open("other.csv", "w") as file:
        file.write("a,b\n1,2\n")
    refused("explore", "#76", *TINY, "--resume", "other.csv", status=3, says="survey")
    assert os.path.getsize("other.csv") == 8


main()
