#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Math modes fp16, bf16 and tf32x from the command line: golden cases within the mode's tolerance,
# operands rounded as by NumPy, a message for an input beyond FP16's range, and the mode in every
# table and file.

import json
import os

import numpy

from seamtest import GOLDEN, PIPELINES, QUICK, main, ok, refused, rows, search

CPU = ["--target", "cpu", "--budget", "0.01", "--l2", "warm"]
SHAPE = ["--shape", "batch=9,in_features=70,out_features=20"]


def shape_of(folder):
    case = json.load(open(os.path.join(folder, "case.json"), encoding="utf-8"))
    return ",".join(f"{k}={v}" for k, v in case["shape"].items() if k != "affine")


def test_golden_cases():
    """Within the mode's own tolerance, against FP64 of unrounded operands."""
    for mode, said in ("fp16", "FP16 and"), ("bf16", "BF16 and"), ("tf32x", "FP16, after a power of two for each sample"):
        for pipeline in PIPELINES:
            folder = os.path.join(GOLDEN, pipeline, "case0")
            done = ok("run", pipeline, *CPU, "--shape", shape_of(folder), "--tensors", folder, "--math", mode,
                      "--against", "fp64", "--plan", "unfused", "--plan", "full", "--csv", "a.csv")
            table = rows(open("a.csv", encoding="utf-8").read())
            assert [row["math_mode"] for row in table] == [mode, mode]
            assert all(row["n_failing"] == "0" for row in table), done.stdout
            assert "rounds input and weight to " + said in done.stdout


def test_numbers_are_the_modes():
    """The result equals NumPy's FP16 of both operands, multiplied in FP64."""
    ok("run", "gemm-bias-relu", *CPU, *SHAPE,
       "--math", "fp16", "--plan", "full", "--save-tensors", "s", "--save-output", "full=y.npy")
    x, w, bias = (numpy.load(f"s/{name}.npy") for name in ("input", "gemm.weight", "bias"))
    exact = x.astype(numpy.float16).astype(float) @ w.astype(numpy.float16).astype(float).T + bias
    assert numpy.abs(numpy.load("y.npy") - numpy.maximum(exact, 0)).max() < 1e-5
    unrounded = x.astype(float) @ w.astype(float).T + bias
    assert numpy.abs(numpy.load("y.npy") - numpy.maximum(unrounded, 0)).max() > 5e-5


def test_rows_have_scales():
    """tf32x equals NumPy's FP16 of rows scaled by powers of two, so that no value is too large or small."""
    ok("run", "gemm-bias-relu", *CPU, *SHAPE, "--plan", "full", "--save-tensors", "s")
    x, w = (numpy.load(f"s/{name}.npy") for name in ("input", "gemm.weight"))
    x *= (numpy.float32(10) ** numpy.arange(-22, 23, 5, dtype=numpy.float32))[:, None]
    numpy.save("s/input.npy", x)
    numpy.save("s/bias.npy", numpy.load("s/bias.npy") * 0)
    ok("run", "gemm-bias-relu", *CPU, *SHAPE, "--math", "tf32x", "--tensors", "s", "--plan", "full", "--save-output", "full=y.npy")

    def rounded(rows):
        scale = 2.0 ** (14 - numpy.floor(numpy.log2(numpy.abs(rows).max(axis=1, keepdims=True))))
        return (rows * scale).astype(numpy.float16).astype(float) / scale

    size = numpy.abs(x.astype(float)) @ numpy.abs(w.astype(float)).T
    y = numpy.load("y.npy")
    assert (numpy.abs(y - numpy.maximum(rounded(x.astype(float)) @ rounded(w.astype(float)).T, 0)) < 1e-6 * size).all()
    assert (numpy.abs(y - numpy.maximum(x.astype(float) @ w.astype(float).T, 0)) > 2e-5 * size).any()


def test_overflow():
    """Inputs beyond 65,504 are infinite in FP16, which the verdict says; bf16 has enough range."""
    ok("run", "gemm-bias-relu", *CPU, *SHAPE, "--plan", "full",
       "--save-tensors", "t")
    numpy.save("t/input.npy", numpy.load("t/input.npy") * numpy.float32(1e6))
    common = ["run", "gemm-bias-relu", *CPU, *SHAPE, "--tensors", "t",
              "--against", "fp64", "--plan", "unfused", "--plan", "full"]
    done = ok(*common, "--math", "fp16", "--csv", "a.csv", status=1)
    assert "FP16 ends at 65,504" in done.stdout and "Outputs differ" in done.stdout, done.stdout
    table = rows(open("a.csv", encoding="utf-8").read())
    assert all(int(row["n_failing"]) > 0 and row["verdict"] == "wrong" for row in table), table
    done = ok(*common[:-6], "--math", "fp16", "--plan", "unfused", "--plan", "full", status=1)
    assert "elements of its output are" in done.stdout and "compare with fp64" in done.stdout, done.stdout
    done = ok(*common, "--math", "bf16", "--csv", "a.csv", "--atol", "1e4")
    assert "65,504" not in done.stdout


def test_mode_is_written():
    """Tables, sessions and comparisons name the mode; an unknown mode is refused with a list of all."""
    for mode in "fp16", "bf16", "tf32x":
        ok("run", "gemm-bias-relu", *QUICK, "--math", mode, "--save", f"{mode}.seamscope", "--csv-kernels",
           "k.csv", "--figure", "roofline=r.svg")
        kernels = rows(open("k.csv", encoding="utf-8").read())
        assert any(row["short_name"] == "round operands" for row in kernels), kernels[0]
        shown = ok("export", f"{mode}.seamscope", "--csv", "-").stdout
        assert all(row["math_mode"] == mode for row in rows(shown))
    done = ok("compare", "fp16.seamscope", "bf16.seamscope", status=1)
    assert "math mode is FP16 in A and BF16 in B" in done.stderr, done.stderr
    refused("run", "gemm-bias-relu", *QUICK, "--math", "fp8", status=2, says=["fp8", "tf32x (TF32-accurate", "fp16", "bf16"])


def test_explore_and_estimate():
    table = rows(search("explore", "gemm-bias-relu", *QUICK, "--math", "bf16", "--csv", "-").stdout)
    assert len(table) == 4 and {row["math_mode"] for row in table} == {"bf16"}
    table = rows(ok("estimate", "gemm-bias-relu", "--target", "cpu", "--math", "fp16", "--csv", "-").stdout)
    assert {row["math_mode"] for row in table} == {"fp16"}


def test_storage():
    """Half the bytes between kernels, in every table; refused if the mode has no 16-bit type."""
    common = ["gemm-bias-relu", *QUICK, "--math", "bf16", "--plan", "unfused", "--plan", "full", "--against", "fp64"]
    tables = {}
    for storage in "fp32", "between":
        done = ok("run", *common, "--storage", storage, "--csv", "p.csv", "--csv-ledger", "l.csv",
                  "--save", f"{storage}.seamscope", "--save-output", "full=y.npy")
        tables[storage] = rows(open("p.csv", encoding="utf-8").read())
        assert {row["storage"] for row in tables[storage]} == {storage}
        assert all(row["n_failing"] == "0" for row in tables[storage]), done.stdout
        assert ("BF16 storage between kernels" in done.stdout) == (storage == "between")
        assert numpy.load("y.npy").dtype == numpy.float32
    ledger = rows(open("l.csv", encoding="utf-8").read())
    stored = {row["tensor"]: int(row["tensor_bytes"]) for row in ledger if row["tensor_kind"] == "activation"}
    output = max(int(row["tensor_bytes"]) for row in ledger if row["tensor_kind"] == "output")
    assert stored and all(2 * size == output for size in stored.values()), (stored, output)
    wide, narrow = (float(tables[s][0]["modelled_bytes"]) for s in ("fp32", "between"))
    assert wide - narrow == 2 * len(stored) * output / 2, (wide, narrow)
    assert tables["fp32"][1]["modelled_bytes"] == tables["between"][1]["modelled_bytes"]
    # Tensors between kernels are rounded, values inside a fused kernel are not.
    errors = {s: [float(row["max_abs_error"]) for row in tables[s]] for s in tables}
    assert errors["between"][0] > errors["fp32"][0] and errors["between"][1] == errors["fp32"][1], errors
    assert {row["storage"] for row in rows(ok("export", "between.seamscope", "--csv", "-").stdout)} == {"between"}
    done = ok("compare", "fp32.seamscope", "between.seamscope", status=1)
    assert "storage is FP32 in A and 16 bits between kernels in B" in done.stderr, done.stderr
    estimate = ok("estimate", "gemm-bias-relu", "--target", "cpu", "--math", "fp16", "--storage", "between", "--csv", "-")
    assert {row["storage"] for row in rows(estimate.stdout)} == {"between"}
    for mode in "fp32", "tf32", "tf32x":
        refused("run", "gemm-bias-relu", *QUICK, "--math", mode, "--storage", "between", status=2,
                says=["--storage", "choose math mode fp16 or bf16"])
    refused("run", "gemm-bias-relu", *QUICK, "--storage", "half", status=2, says=["half", "fp32", "between", "all"])


def test_storage_all():
    """Input, weight and output have half the bytes, too; vectors do not. The output can be saved."""
    common = ["conv-relu-bias", *QUICK, "--math", "fp16", "--plan", "unfused", "--plan", "full", "--against", "fp64"]
    tensors, outputs, runs = {}, {}, {}
    for storage in "fp32", "between", "all":
        done = ok("run", *common, "--storage", storage, "--csv", "p.csv", "--csv-ledger", "l.csv", "--json", "r.json",
                  "--save", f"{storage}.seamscope", "--save-output", "full=y.npy", "--save-tensors", storage,
                  "--trace", "t.json")
        runs[storage] = rows(open("p.csv", encoding="utf-8").read())
        assert all(row["n_failing"] == "0" and row["storage"] == storage for row in runs[storage]), done.stdout
        assert ("FP16 storage of all tensors but vectors" in done.stdout) == (storage == "all"), done.stdout
        assert json.load(open("r.json", encoding="utf-8"))["storage"] == storage
        assert (storage == "fp32") or f'"{storage}"' in open("t.json", encoding="utf-8").read()
        ledger = rows(open("l.csv", encoding="utf-8").read())
        tensors[storage] = {row["tensor"]: int(row["tensor_bytes"]) for row in ledger if row["tensor_bytes"]}
        outputs[storage] = numpy.load("y.npy")
    halved = {name for name, size in tensors["all"].items() if 2 * size == tensors["fp32"][name]}
    kept = {name for name, size in tensors["all"].items() if size == tensors["fp32"][name]}
    assert halved | kept == set(tensors["fp32"]) and {"input", "conv.weight"} <= halved, (halved, kept)
    assert kept and all("bias" in name or "parameter" in name for name in kept), kept
    # Only the output is rounded once more, to a number of FP16.
    assert numpy.array_equal(outputs["between"], outputs["fp32"])
    assert numpy.array_equal(outputs["all"], outputs["fp32"].astype(numpy.float16).astype(numpy.float32))
    assert not numpy.array_equal(outputs["all"], outputs["fp32"])
    # The saved tensors are the given ones.
    assert numpy.array_equal(numpy.load("all/input.npy"), numpy.load("fp32/input.npy"))
    estimates = {}
    for storage in "fp32", "all":
        text = ok("estimate", "conv-relu-bias", "--preset", "kernelbench", "--target", "cpu", "--math", "fp16",
                  "--storage", storage, "--csv", "-").stdout
        estimates[storage] = rows(text)
        assert {row["storage"] for row in estimates[storage]} == {storage}
    # The CPU reads both factors and writes FP32 copies, which the plans' bytes include.
    n_factors = 128 * 64 * 128 * 128 + 128 * 64 * 3 * 3
    for wide, narrow in zip(estimates["fp32"], estimates["all"]):
        for row, size in (wide, 4), (narrow, 2):
            row["modelled_bytes"] = float(row["modelled_bytes"]) - (size + 4) * n_factors
        for column in "modelled_bytes", "fewest_bytes", "unfused_bytes":
            assert 0.5 < float(narrow[column]) / float(wide[column]) < 0.501, (column, wide, narrow)
    # A session keeps the storage, and every figure of it names it.
    assert {row["storage"] for row in rows(ok("export", "all.seamscope", "--csv", "-").stdout)} == {"all"}
    done = ok("export", "all.seamscope", "--csv-ledger", "again.csv")
    assert open("again.csv", encoding="utf-8").read() == open("l.csv", encoding="utf-8").read(), done
    done = ok("compare", "between.seamscope", "all.seamscope", status=1)
    assert "storage is 16 bits between kernels in A and 16 bits for all but vectors in B" in done.stderr, done.stderr
    for mode in "fp32", "tf32":
        refused("run", "gemm-bias-relu", *QUICK, "--math", mode, "--storage", "all", status=2,
                says=["--storage", "choose math mode fp16 or bf16"])


main()
