#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The files of a run, read back by other programs: CSV by Python's csv, JSON, .npy by NumPy, figures by
# their first bytes. Numbers in different files agree.

import json
import math
import os
import xml.etree.ElementTree

import numpy

from seamtest import COLD, PIPELINES, QUICK, listing, main, ok, rows

# The columns that the issue promises, in this order and at the beginning.
COLUMNS = (
    "pipeline,plan,target,device,math_mode,l2_state,shape,seed,n_samples,elapsed_median_ns,"
    "elapsed_ci_low_ns,elapsed_ci_high_ns,span_median_ns,kernels_sum_median_ns,n_kernels,"
    "max_abs_error,max_rel_error,n_failing,verdict"
).split(",")


def test_csv_of_plans():
    for pipeline in PIPELINES:
        done = ok("run", pipeline, *COLD, "--plan", "unfused", "--plan", "published", "--plan",
                  "full", "--seed", 2**64 - 1, "--csv", "-")
        # The table for people goes to standard error if standard output is the CSV.
        assert "Median" in done.stderr
        table = rows(done.stdout)
        assert list(table[0])[: len(COLUMNS)] == COLUMNS
        assert [row["plan"] for row in table] == ["unfused", "published", "full"]
        info = listing()[pipeline]
        shape = next(p["shape"] for p in info["presets"] if p["name"] == "tiny")
        for row in table:
            assert row["pipeline"] == pipeline and row["target"] == "cpu" and row["seed"] == str(2**64 - 1)
            assert row["shape"] == ",".join(f"{k}={v}" for k, v in shape.items())
            assert row["l2_state"] == "cold" and row["math_mode"] == "fp32"
            assert int(row["n_samples"]) >= 1 and float(row["elapsed_median_ns"]) > 0
            if row["elapsed_ci_low_ns"]:
                low, high = float(row["elapsed_ci_low_ns"]), float(row["elapsed_ci_high_ns"])
                assert low <= float(row["elapsed_median_ns"]) <= high
            assert None not in row
        # The plan compared with has no error; the other plans have one and do not fail.
        assert table[0]["verdict"] == "reference" and table[0]["max_abs_error"] == ""
        for row in table[1:]:
            assert float(row["max_abs_error"]) < 1e-4 and row["n_failing"] == "0"
        ops = len(info["ops"])
        assert table[0]["n_kernels"] == str(ops) and int(table[1]["n_kernels"]) < ops


def test_csv_of_samples_gives_the_median():
    ok("run", "gemm-bias-relu", *QUICK, "--csv", "plans.csv", "--csv-samples", "samples.csv",
       "--csv-kernels", "kernels.csv", "--json", "all.json")
    plans = rows(open("plans.csv", newline="").read())
    samples = rows(open("samples.csv", newline="").read())
    kernels = rows(open("kernels.csv", newline="").read())
    result = json.load(open("all.json"))
    for plan, in_json in zip(plans, result["plans"]):
        values = [float(s["elapsed_ns"]) for s in samples if s["plan"] == plan["plan"]]
        assert len(values) == int(plan["n_samples"])
        assert math.isclose(numpy.median(values), float(plan["elapsed_median_ns"]), rel_tol=1e-9)
        assert math.isclose(in_json["elapsed_median_ns"], numpy.median(values), rel_tol=1e-9)
        own = [k for k in kernels if k["plan"] == plan["plan"] and k["kind"] == "kernel"]
        assert len(own) == int(plan["n_kernels"])
    orders = [int(s["order"]) for s in samples]
    assert sorted(orders) == list(range(len(samples)))


def test_csv_lines_end_as_the_rfc_says():
    data = ok("run", "gemm-bias-relu", *QUICK, "--csv", "-").stdout
    ok("run", "gemm-bias-relu", *QUICK, "--csv", "plans.csv")
    assert open("plans.csv", "rb").read().count(b"\r\n") == 3
    assert data.count("\n") == 3


def test_json_on_standard_output():
    done = ok("run", "conv-relu-bias", *QUICK, "--json", "-", "--distribution", "normal",
              "--math", "fp32", "--against", "fp64", "--atol", "1e-3", "--rtol", "0")
    result = json.loads(done.stdout)
    assert result["cold"] is False and result["distribution"] == "normal"
    assert result["against"] == "fp64" and result["atol"] == 1e-3 and result["rtol"] == 0
    assert all(plan["difference"]["n_failing"] == 0 for plan in result["plans"])


def test_tensors_are_the_same_when_read_back():
    ok("run", "conv-bias-scale-sigmoid-groupnorm", *QUICK, "--save-tensors", "tensors",
       "--save-output", "unfused=a.npy", "--seed", 11)
    names = listing()["conv-bias-scale-sigmoid-groupnorm"]["parameters"] + ["input"]
    assert sorted(os.listdir("tensors")) == sorted(name + ".npy" for name in names)
    image = numpy.load("tensors/input.npy")
    assert image.dtype == numpy.float32 and image.shape == (2, 3, 10, 9)
    assert image.min() >= 0 and image.max() < 1 and 0.4 < image.mean() < 0.6
    weight, bias = (numpy.load(f"tensors/group_norm.{name}.npy") for name in ("weight", "bias"))
    assert (abs(weight - 1) <= 0.5).all() and (weight != 1).all()
    assert (abs(bias) <= 0.5).all() and (bias != 0).all()
    assert numpy.load("tensors/scale.npy").shape == (8, 1, 1)
    ok("run", "conv-bias-scale-sigmoid-groupnorm", *QUICK, "--tensors", "tensors",
       "--save-output", "unfused=b.npy", "--seed", 12)
    assert (numpy.load("a.npy") == numpy.load("b.npy")).all()
    ok("run", "conv-bias-scale-sigmoid-groupnorm", *QUICK, "--save-output", "unfused=c.npy",
       "--seed", 12)
    assert (numpy.load("a.npy") != numpy.load("c.npy")).any()


def test_figures():
    done = ok("run", "matmul-swish-bias-groupnorm", *QUICK, "--plan", "unfused", "--plan",
              "as-published", "--figure", "timing=a.png", "--figure", "difference=b.png",
              "--figure", "timing=a.svg", "--figure", "difference=b.svg",
              "--figure", "numbers=c.svg", "--figure", "timing=a.pdf", "--figure",
              "difference=b.PDF", status=1)
    for name in "a.png", "b.png", "a.svg", "b.svg", "c.svg", "a.pdf", "b.PDF":
        data = open(name, "rb").read()
        assert f"Wrote {name}\n" in done.stdout
        if name.lower().endswith("pdf"):
            assert data.startswith(b"%PDF-") and b"%%EOF" in data[-32:]
        elif name.endswith("png"):
            assert data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82")
            width, height = (int.from_bytes(data[i : i + 4], "big") for i in (16, 20))
            assert width >= 2000 and height >= 600
        else:
            assert xml.etree.ElementTree.fromstring(data).tag.endswith("svg")


def test_sampled_reference():
    run = ("run", "matmul-swish-bias-groupnorm", *QUICK, "--shape", "batch=1000", "--plan", "unfused",
           "--plan", "as-published", "--against", "fp64")
    done = ok(*run, "--truth", "sampled", "--json", "a.json", "--csv-worst", "worst.csv",
              "--figure", "difference=a.svg", "--save", "a.seamscope", status=1)
    assert "Outputs against the FP64 reference on 64 sampled slices, 6.40 % of the elements" \
        in done.stdout
    unfused, wrong = (plan["difference"] for plan in json.load(open("a.json"))["plans"])
    assert unfused["n_slices"] == wrong["n_slices"] == 64
    assert unfused["n_failing"] == 0 < wrong["n_failing"] <= wrong["n_looked"]
    assert wrong["n_looked"] * 1000 == wrong["n_elements"] * 64
    assert wrong["region"].endswith(".") and "region" not in unfused
    assert "looked" not in wrong and "cells" not in wrong
    # The same slices again, and the same files from the session.
    ok(*run, "--truth", "sampled", "--csv-worst", "again.csv", status=1)
    assert open("worst.csv").read() == open("again.csv").read()
    ok("export", "a.seamscope", "--json", "b.json", "--figure", "difference=b.svg")
    assert open("a.json").read() == open("b.json").read()
    assert open("a.svg").read() == open("b.svg").read()
    # The whole reference, if that takes seconds.
    done = ok(*run, "--json", "c.json", status=1)
    assert "sampled" not in done.stdout
    whole = json.load(open("c.json"))["plans"][0]["difference"]
    assert "n_slices" not in whole and whole["max_abs"] >= unfused["max_abs"] > 0


def test_existing_files_are_replaced():
    open("plans.csv", "w").write("old")
    os.chmod("plans.csv", 0o640)
    os.symlink("plans.csv", "link.csv")
    ok("run", "gemm-bias-relu", *QUICK, "--csv", "link.csv")
    assert os.path.islink("link.csv") and os.stat("plans.csv").st_mode & 0o777 == 0o640
    assert len(rows(open("plans.csv", newline="").read())) == 2
    assert sorted(os.listdir()) == ["link.csv", "plans.csv"]


main()
