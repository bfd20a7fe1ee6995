#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The bound of a right implementation's error, for whole chains on the CPU: right plans stay within it for
# every pipeline, mode and distribution, and use some of it; exhibits do not. Its rules, one by one:
# tests/core/test-bound.c.

import itertools
import os
import pathlib
import subprocess

import numpy

from exhibits_shapes import SHAPES
from seamtest import PIPELINES, cli, listing, main, ok, rows

VARIANTS = pathlib.Path(__file__).resolve().parents[1] / "bench" / "variants"
RUN = ["--target", "cpu", "--preset", "tiny", "--budget", "0.01", "--l2", "warm", "--against", "fp64"]


def parts(pipeline, *options):
    """What is printed, and the largest part of the bound, by plan."""
    done = cli("run", pipeline, *RUN, *options, "--csv", "plans.csv")
    assert done.returncode in (0, 1), done.stderr
    return done.stdout, {row["plan"]: float(row["max_bound_ratio"])
                         for row in rows(open("plans.csv", encoding="utf-8").read())}


def test_right():
    modes = [["--math", "fp32"], ["--math", "fp16"], ["--math", "bf16", "--storage", "all"]]
    distributions = itertools.cycle(["normal", "offset"])
    for (pipeline, mode), values in zip(itertools.product(PIPELINES, modes), distributions):
        text, found = parts(pipeline, *mode, "--distribution", values, "--plan", "unfused", "--plan", "full")
        assert all(0 < part < 0.75 for part in found.values()), (pipeline, mode, values, found)
        # The tolerances are so wide for some of these values that they show nothing.
        words = f"{found['full']:.2f}" if found["full"] >= 0.01 else "under 0.01"
        assert f"agree, {words} of the bound" in text or "shows nothing" in text


def test_scaled():
    """Numbers of any size: the tolerances refuse right plans for large ones, and accept zeros for small ones."""
    changes = {"1e4": lambda x: x * 1e4, "1e-5": lambda x: x * 1e-5, "images": lambda x: numpy.round(x * 255)}
    modes = itertools.cycle(["fp32", "fp16", "bf16", "fp16"])
    for pipeline, (name, change) in itertools.product(PIPELINES, changes.items()):
        folder = f"{pipeline} {name}"
        ok("run", pipeline, *RUN, "--plan", "unfused", "--save-tensors", folder)
        path = os.path.join(folder, "input.npy")
        numpy.save(path, change(numpy.load(path)).astype(numpy.float32))
        mode = next(modes)
        _, found = parts(pipeline, "--math", mode, "--tensors", folder, "--plan", "unfused", "--plan", "full")
        assert all(0 < part < 0.75 for part in found.values()), (pipeline, name, mode, found)


def test_untested():
    """The reference counts which parts of its maps the input takes; of #57 usual sums never reach the upper bound."""
    few = ["--plan", "unfused", "--plan", "full"]
    text, _ = parts("conv-relu-hardswish", *few)
    assert "This input does not test clamp’s lower bound or clamp’s upper bound: 0 of 896 elements.\n" in text, text
    text, _ = parts("conv-relu-hardswish", *few, "--distribution", "normal", "--shape", "in_channels=1,kernel_size=1,"
                    "height=100,width=100")
    assert "clamp’s lower bound: 0 of" in text and "upper bound" not in text, text
    text, _ = parts("conv-relu-bias", *few)
    assert "does not test" not in text, text


def test_sampled():
    """Slices of a large output have bounds, too; no file has room for them alone."""
    large = ["--shape", "batch=4096,in_features=2048,out_features=1024", "--plan", "unfused"]
    _, found = parts("gemm-bias-relu", *large)
    assert 0 < found["unfused"] < 0.75, found
    done = cli("run", "gemm-bias-relu", *RUN, *large, "--save-output", "bound=none.npy")
    assert done.returncode == 3 and "sampled slices, which no file holds" in done.stderr, done.stderr


def test_saved():
    """The reference and the bounds as files are those that the run judges by."""
    files = ["--save-tensors", "saved", *itertools.chain.from_iterable(
        ["--save-output", f"{name}={name}.npy"] for name in ("fp64", "bound", "full"))]
    _, found = parts("gemm-bias-relu", "--plan", "full", *files)
    tensors = {name: numpy.load(f"saved/{name}.npy").astype(numpy.float64) for name in ("input", "gemm.weight", "bias")}
    exact = numpy.maximum(tensors["input"] @ tensors["gemm.weight"].T + tensors["bias"], 0)
    fp64, bound, full = (numpy.load(f"{name}.npy") for name in ("fp64", "bound", "full"))
    assert fp64.dtype == numpy.float64 and numpy.allclose(fp64, exact, rtol=1e-14, atol=0)
    assert abs((abs(full - fp64) / bound).max() / found["full"] - 1) < 1e-6, found


def test_variants():
    """Right implementations that the program does not have: forms of the sigmoid, statistics in one pass, Winograd."""
    for arguments in (["--pipelines", "21", "--kinds", "x 1e-5"], ["--pipelines", "1", "--kinds", "outliers"]):
        done = subprocess.run([VARIANTS, os.environ["SEAMSCOPE_CLI"], "--modes", "fp32", "--seed", "2", *arguments],
                              stdout=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 0 and "\n0 of 28 right variants refused\n" in done.stdout, done.stdout


def test_wrong():
    for pipeline in PIPELINES:
        for exhibit in [plan["name"] for plan in listing()[pipeline]["plans"] if plan["exhibit"]]:
            options = SHAPES.get((pipeline, exhibit), [])
            if options is not None:
                _, found = parts(pipeline, *options, "--plan", "unfused", "--plan", exhibit)
                assert found["unfused"] < 0.75 and found[exhibit] > 1, (pipeline, exhibit, found)


main()
