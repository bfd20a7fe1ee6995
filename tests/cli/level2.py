#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The problems of KernelBench's level 2 (data/level2), on PyTorch's tensors: the FP64 reference is
# PyTorch's result in FP64, and every way to execute them is within the bound. data/level2/write.py wrote them.

import json
import os
import pathlib

import numpy

from seamtest import GOLDEN, PART, cli, main, ok

DATA = pathlib.Path(os.environ["SEAMSCOPE_DATADIR"])
FOLDER = pathlib.Path(GOLDEN) / "level2"
# cuda:0 in tests/gpu/emulate and tests/gpu/session.sh, which choose a part of the problems and math modes for each case.
TARGET = os.environ.get("SEAMSCOPE_TEST_TARGET", "cpu")
MODES = os.environ.get("SEAMSCOPE_TEST_MODES", "").split()
RUN = ["--target", TARGET, "--budget", "0.01", "--l2", "warm", "--against", "fp64"]


# bf16 takes part with one problem of so many.
BF16_STRIDE = 6


def check(folder, bf16):
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    shape = ",".join(f"{key}={value}" for key, value in case["shape"].items())
    arguments = ["run", folder.parent.name, *RUN, "--shape", shape, "--tensors", str(folder), "--plan", "unfused",
                 "--plan", "full"]
    if folder.name == "eval0":
        arguments += ["--statistics", "running"]
    if folder.name != "mask0":
        arguments += ["--dropout", "0"]
    path = f"{folder.parent.name}-{folder.name}.npy"
    ok(*arguments, "--save-output", f"fp64={path}")
    for mode in MODES or ["bf16"] * bf16:
        ok(*arguments, "--math", mode)
    expected, found = numpy.load(folder / "output_f64.npy"), numpy.load(path)
    assert found.size == expected.size and numpy.isfinite(expected).all()
    error = numpy.max(numpy.abs(found.reshape(expected.shape) - expected))
    assert error <= 1e-12 * numpy.max(numpy.abs(expected)), (folder.name, error)


def make_test(folder, number):
    def test():
        for case in sorted(folder.iterdir()):
            check(case, number % BF16_STRIDE == 0)
    return test


for number, path in enumerate(sorted(FOLDER.iterdir())):
    if number % PART[1] == PART[0]:
        globals()[f"test_{path.name}"] = make_test(path, number)


def test_listed():
    """By id, by number, and in the list that asks for them; tiny is the shape of the golden case."""
    listed = {item["id"]: item for item in json.loads(ok("list", "--level", "2", "--json").stdout)["pipelines"]}
    names = {path.name for path in FOLDER.iterdir()}
    assert list(listed)[:5] == [item["id"] for item in json.loads(ok("list", "--json").stdout)["pipelines"]]
    assert set(list(listed)[5:]) == names
    for name in names:
        tiny = listed[name]["presets"][0]
        case = json.loads((FOLDER / name / "case0" / "case.json").read_text(encoding="utf-8"))
        assert tiny["name"] == "tiny" and tiny["shape"] == case["shape"], name
        assert listed[name]["number"] == case["number"]
    assert "GELU" in ok("estimate", "#86", "--target", "cpu", "--preset", "tiny").stdout
    text = (DATA / "level2" / "matmul-swish-scale.ini").read_text(encoding="utf-8")
    assert "type=multiply_tensor" in text
    pathlib.Path("own.ini").write_text(text.replace("type=multiply_tensor", "type=mul_tensor"), encoding="utf-8")
    assert "mul_tensor" not in ok("estimate", "own.ini", "--target", "cpu", "--preset", "tiny").stdout
    done = cli("list", "--level", "3")
    assert done.returncode == 2 and "only KernelBench's level 2" in done.stderr, done.stderr


main()
