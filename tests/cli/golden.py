#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The golden cases through the command line: every named plan and a sample of partitions of every
# pipeline, outputs read back by NumPy and compared with PyTorch's FP64 result.

import itertools
import json
import os
import random

import numpy

from seamtest import GOLDEN, PIPELINES, listing, main, ok

# FP32 on the CPU sums in another order than PyTorch. Ten times PyTorch's own distance from
# FP64 leaves room for that; a wrong op, operand or element is off by 1e-2 and more.
ALLOWANCE = 10
LEAST = 2e-6


def partitions(ops):
    for seams in itertools.product("+|", repeat=len(ops) - 1):
        yield ops[0] + "".join(seam + op for seam, op in zip(seams, ops[1:]))


def check(pipeline, folder, plans):
    case = json.load(open(os.path.join(folder, "case.json")))
    shape = ",".join(f"{k}={v}" for k, v in case["shape"].items() if k != "affine")
    reference = numpy.load(os.path.join(folder, "output_f64.npy"))
    limit = max(LEAST, ALLOWANCE * case["max_abs_f32_vs_f64"])
    arguments = ["run", pipeline, "--target", "cpu", "--shape", shape, "--tensors", folder]
    arguments += ["--budget", "0.01", "--l2", "warm", "--against", "fp64"]
    for i, plan in enumerate(plans):
        arguments += ["--plan", plan, "--save-output", f"{plan}=out{i}.npy"]
    ok(*arguments)
    for i, plan in enumerate(plans):
        output = numpy.load(f"out{i}.npy")
        assert output.dtype == numpy.float32 and output.shape == reference.shape, (plan, output.shape)
        error = numpy.max(numpy.abs(output - reference) / numpy.maximum(1, numpy.abs(reference)))
        assert error <= limit, f"{plan} of {folder}: {error} > {limit}"


def make_test(pipeline):
    def test():
        info = listing()[pipeline]
        named = [plan["name"] for plan in info["plans"] if not plan["exhibit"]]
        every = list(partitions([op["name"] for op in info["ops"]]))
        sample = random.Random(pipeline)
        cases = sorted(os.listdir(os.path.join(GOLDEN, pipeline)))
        assert len(cases) == 4
        for case in cases:
            # Every partition of every case is in tests/core/test-golden.c.
            plans = named + (sample.sample(every, min(6, len(every))) if case == cases[0] else [])
            check(pipeline, os.path.join(GOLDEN, pipeline, case), plans)

    return test


for name in PIPELINES:
    globals()[f"test_{name}"] = make_test(name)


def test_as_published_is_what_its_author_wrote():
    """The exhibit has the published, swapped order, and the command says that it is wrong."""
    folder = os.path.join(GOLDEN, "matmul-swish-bias-groupnorm", "case1")
    case = json.load(open(os.path.join(folder, "case.json")))
    shape = ",".join(f"{k}={v}" for k, v in case["shape"].items() if k != "affine")

    def load(name):
        return numpy.load(os.path.join(folder, name + ".npy")).astype(numpy.float64)

    x = load("input") @ load("matmul.weight").T + load("matmul.bias") + load("bias")
    x = x / (1 + numpy.exp(-x))
    groups = x.reshape(len(x), case["shape"]["groups"], -1)
    mean, variance = groups.mean(2, keepdims=True), groups.var(2, keepdims=True)
    x = ((groups - mean) / numpy.sqrt(variance + 1e-5)).reshape(x.shape)
    x = x * load("group_norm.weight") + load("group_norm.bias")

    done = ok("run", "#37", "--target", "cpu", "--shape", shape, "--tensors", folder, "--budget",
              "0.01", "--plan", "unfused", "--plan", "as-published", "--save-output",
              "as-published=out.npy", status=1)
    assert "wrong" in done.stdout and "differ in" in done.stdout
    assert numpy.max(numpy.abs(numpy.load("out.npy") - x)) < 2e-5
    reference = numpy.load(os.path.join(folder, "output_f64.npy"))
    assert numpy.max(numpy.abs(x - reference)) > 0.1


main()
