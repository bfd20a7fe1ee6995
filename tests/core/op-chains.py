#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes op-chains.txt, chains of maps behind a matrix op, and op-chains.npy, their values by NumPy in
FP64: every ordered pair and triple of MAPS, pairs with MORE, and what oneDNN makes one post-op of, with other maps around
it. Run it if the table of ops (kernels/ops.h) changes. test-op-chains.c and test-gpu-ops.c read both.

In the text: a line for each map (its name, its type, the numbers of the pipeline file), then one for each
chain. The values are [2 + chains, 2, 10]: the matrix op's outputs in two rows, the two vectors, and the
outputs of every chain."""
import itertools
import math
import pathlib

import numpy

random = numpy.random.default_rng(45)
# Sixteenths are exact in bf16, so that every product of the tests is.
START = numpy.rint(random.uniform(-4, 4, (2, 10)) * 16) / 16
VECTORS = random.uniform(0.5, 1.5, (2, 10)).astype("f4") * [[1], [-1]]


def add(value):
    return lambda x, start: x + value


def multiply(value):
    return lambda x, start: x * value


def clamp(low, high):
    return lambda x, start: numpy.clip(x, low, high)


# Two sets of constants for every map that has some.
MAPS = {
    "add": ("add_scalar value=0.8125", add(0.8125)),
    "add-2": ("add_scalar value=-1.3", add(-1.3)),
    "divide": ("divide_scalar value=2.5", multiply(1 / 2.5)),
    "divide-2": ("divide_scalar value=-0.7", multiply(1 / -0.7)),
    "clamp": ("clamp low=-1.1;high=2.3", clamp(-1.1, 2.3)),
    "clamp-2": ("clamp low=0.2;high=0.9", clamp(0.2, 0.9)),
    "relu": ("relu", lambda x, start: numpy.maximum(x, 0)),
    "sigmoid": ("sigmoid", lambda x, start: 1 / (1 + numpy.exp(-x))),
    "bias": ("add_channel vector=0", add(VECTORS[0])),
    "bias-2": ("add_channel vector=1", add(VECTORS[1])),
    "scale": ("multiply_channel vector=0", multiply(VECTORS[0])),
    "scale-2": ("multiply_channel vector=1", multiply(VECTORS[1])),
    "product": ("multiply_tensor", lambda x, start: x * start),
}
# Of hardswish: x clamp ((x + 3) / 6, 0, 1).
HARD = {
    "three": ("add_scalar value=3", add(3)),
    "sixth": ("divide_scalar value=6", multiply(1 / 6)),
    "unit": ("clamp low=0;high=1", clamp(0, 1)),
}
HARDSWISH = ("three", "sixth", "unit", "product")
OTHERS = [(*HARDSWISH, *more) for more in [(), *itertools.product(MAPS, repeat=1)]] + [
    ("sigmoid", "product", *more) for more in itertools.product(MAPS, repeat=2)]

# In pairs only.
erf = numpy.vectorize(math.erf)
MORE = {
    "sub": ("sub_scalar value=0.8125", add(-0.8125)),
    "sub-2": ("sub_scalar value=-1.3", add(1.3)),
    "unbias": ("sub_channel vector=1", add(-VECTORS[1])),
    "times": ("mul_scalar value=-2.5", multiply(-2.5)),
    "min": ("min_scalar value=0.4", lambda x, start: numpy.minimum(x, 0.4)),
    "sum": ("add_tensor", lambda x, start: x + start),
    "tanh": ("tanh", lambda x, start: numpy.tanh(x)),
    "gelu": ("gelu", lambda x, start: x / 2 * (1 + erf(x / 2 ** 0.5))),
    "mish": ("mish", lambda x, start: x * numpy.tanh(numpy.log1p(numpy.exp(x)))),
    "hardswish": ("hardswish", lambda x, start: x * numpy.clip(x + 3, 0, 6) / 6),
    "leaky": ("leaky_relu negative_slope=0.01", lambda x, start: numpy.where(x > 0, x, 0.01 * x)),
    "softplus": ("softplus beta=1.5;threshold=2", lambda x, start: numpy.where(
        1.5 * x > 2, x, numpy.log1p(numpy.exp(numpy.minimum(1.5 * x, 50))) / 1.5)),
}
ALL = MAPS | HARD | MORE
chains = [*itertools.product(MAPS, repeat=2), *itertools.product(MAPS, repeat=3), *OTHERS,
          *(pair for pair in itertools.product(MAPS | MORE, repeat=2) if set(pair) & set(MORE))]
values = [START, VECTORS]
for chain in chains:
    x = START
    for name in chain:
        x = ALL[name][1](x, START)
    values.append(x)
folder = pathlib.Path(__file__).parent
numpy.save(folder / "op-chains.npy", numpy.array(values).astype("<f4"))
(folder / "op-chains.txt").write_text(
    "".join(f"{name} {text}\n" for name, (text, _) in ALL.items())
    + "\n"
    + "".join(" ".join(chain) + "\n" for chain in chains), encoding="utf-8")
