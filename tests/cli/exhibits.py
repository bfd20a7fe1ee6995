#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every exhibit on the CPU: the command calls it wrong, the same cut of the right chain agrees, and the
# differing elements are those that the mistake affects.

import numpy

from exhibits_shapes import SHAPES
from seamtest import PIPELINES, listing, main, ok, rows

RUN = ["--target", "cpu", "--preset", "tiny", "--budget", "0.02", "--l2", "warm"]


def differ(pipeline, exhibit, *options):
    """Runs an exhibit beside the same cut of the right chain; returns which elements differ."""
    plans = {p["name"]: p for p in listing()[pipeline]["plans"]}
    assert plans[exhibit]["exhibit"] is True
    done = ok("run", pipeline, *RUN, *options, "--plan", "unfused", "--plan", "published", "--plan",
              exhibit, "--save-output", "unfused=a.npy", "--save-output", f"{exhibit}=b.npy",
              "--csv", "plans.csv", "--csv-worst", "worst.csv", status=1)
    table = {row["plan"]: row for row in rows(open("plans.csv", encoding="utf-8").read())}
    assert table["published"]["n_failing"] == "0" and table["published"]["exhibit"] == "no"
    assert int(table[exhibit]["n_failing"]) > 0 and table[exhibit]["exhibit"] == "yes"
    assert table[exhibit]["verdict"] == "wrong" and table["published"]["verdict"] != "wrong"
    assert plans[exhibit]["note"] in done.stdout
    a, b = numpy.load("a.npy"), numpy.load("b.npy")
    return a, b, ~(numpy.abs(a - b) <= 2e-4 * (1 + numpy.abs(a)))


def test_all_are_caught():
    n = 0
    for pipeline in PIPELINES:
        exhibits = [p["name"] for p in listing()[pipeline]["plans"] if p["exhibit"]]
        assert exhibits, pipeline
        for exhibit in exhibits:
            options = SHAPES.get((pipeline, exhibit), [])
            if options is not None:
                differ(pipeline, exhibit, *options)
                n += 1
    assert n == 11


def test_relu_after_bias():
    """Wrong only where the bias or the sum before it is negative; the output is never negative."""
    a, b, wrong = differ("conv-relu-bias", "relu-after-bias")
    assert (b >= 0).all() and (a < 0).any() and wrong[a < -1e-3].all()


def test_missing_tail():
    """Only the last columns of every row hold their old contents."""
    _, b, wrong = differ("conv-relu-hardswish", "missing-tail", "--shape", "width=25,height=11")
    assert b.shape[-1] == 23
    assert wrong[..., 20:].all() and not wrong[..., :20].any()
    assert numpy.isnan(b[..., 20:]).all()
    worst = rows(open("worst.csv", encoding="utf-8").read())
    assert worst and all(int(row["element"]) % 23 >= 20 for row in worst)
    # With whole vectors nothing is left out, and the command says so instead of warning.
    done = ok("run", "57", *RUN, "--shape", "width=26", "--plan", "unfused", "--plan", "missing-tail")
    assert "nothing is left out at this shape" in done.stdout


def test_index_overflow():
    _, b, wrong = differ("conv-relu-bias", "index-overflow-16-bit", "--shape",
                         "batch=4,height=50,width=41")
    assert wrong.ravel()[32768:].all() and not wrong.ravel()[:32768].any()
    done = ok("run", "1", *RUN, "--plan", "unfused", "--plan", "index-overflow")
    assert "the outputs agree at this shape" in done.stdout and "2,147,483,648" in done.stdout


def test_race():
    """Some groups are wrong as a whole, the others are right."""
    for pipeline, options, groups in [
        ("matmul-swish-bias-groupnorm", ["--shape", "batch=64,out_features=256,groups=4"], 256),
        ("conv-bias-scale-sigmoid-groupnorm", ["--shape", "batch=16"], 64),
    ]:
        _, _, wrong = differ(pipeline, "race-in-reduction", *options)
        share = wrong.reshape(groups, -1).mean(1)
        right = share == 0
        assert 0.03 * groups < right.sum() < 0.25 * groups, right.sum()
        assert share[~right].mean() > 0.6


def test_one_pass():
    a, b, wrong = differ("matmul-swish-bias-groupnorm", "one-pass-variance", "--distribution",
                         "offset")
    assert wrong.mean() > 0.2 and numpy.nanmax(numpy.abs(a - b)) < 1
    done = ok("run", "37", *RUN, "--plan", "unfused", "--plan", "one-pass-variance")
    assert "the inputs “offset” show it" in done.stdout
    # With these values right plans stay right, also against FP64.
    ok("run", "37", *RUN, "--distribution", "offset", "--against", "fp64", "--plan", "unfused",
       "--plan", "published", "--plan", "full")


def test_half_sums():
    """Errors everywhere, as large as FP16's steps, and larger for longer sums."""
    errors = []
    for features in (64, 1024):
        a, b, wrong = differ("gemm-bias-relu", "half-sums", "--shape",
                             f"in_features={features},batch=32,out_features=64")
        errors.append(numpy.abs(a - b).mean())
        assert wrong.any()
    assert 2e-5 < errors[0] < errors[1] < 2e-2, errors


main()
