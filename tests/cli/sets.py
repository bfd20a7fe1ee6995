#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Reductions and normalisations over long sets, and over many short ones, in either order in memory, beside NumPy: a
# target may cut a set into parts and merge their results, or work on several sets at once. SEAMSCOPE_TEST_TARGET: cpu, or cuda:0 (tests/gpu/emulate).

import os

import numpy

from seamtest import main, ok

TARGET = os.environ.get("SEAMSCOPE_TEST_TARGET", "cpu")
# Of [batch, in_features], and the axis that is reduced: the last one, divisible by four or not, and the first.
LONG = [((2, 17000), 1), ((2, 16389), 1), ((1201, 5), 0), ((1100, 40), 0)]
# Short sets share a block of a GPU, each with 1 to 32 threads.
SHORT = [((1100, 12), 1), ((601, 7), 1), ((151, 701), 1), ((9, 4101), 0)]
WITH_SHORT = "reduce_max", "softmax", "instance_norm"


def logsumexp(x, axis):
    return numpy.logaddexp.reduce(x, axis)


def softmax(x, axis):
    e = numpy.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def instance_norm(x, axis):
    return (x - x.mean(axis, keepdims=True)) / numpy.sqrt(x.var(axis, keepdims=True) + 1e-5)


OPS = {"reduce_sum": numpy.sum, "reduce_mean": numpy.mean, "reduce_max": numpy.max, "reduce_min": numpy.min,
       "logsumexp": logsumexp, "softmax": softmax,
       "instance_norm": instance_norm}


def put_special(x):
    """A set of infinities, one with NaN, one with infinity, and one of which half is minus infinity."""
    x[3] = -numpy.inf
    x[5, 7], x[6, 9] = numpy.nan, numpy.inf
    x[7, ::2] = -numpy.inf


def check(kind, axis, shape, rising=False, special=False):
    with open("chain.ini", "w", encoding="utf-8") as file:
        file.write("[pipeline]\ntitle=T\ndescription=d\nsource=s\nops=one;\n")
        for field in ("batch", "in_features"):
            file.write(f"[field {field}]\nlabel={field}\nunit=u\nmin=1\nmax=1000000\n")
        file.write(f"[op one]\ntype={kind}\naxes={axis}\n[preset tiny]\nbatch={shape[0]}\nin_features={shape[1]}\n")
    os.makedirs("tensors", exist_ok=True)
    x = (numpy.random.default_rng(1).standard_normal(shape) * 3 + 2).astype(numpy.float32)
    if rising:
        x = numpy.sort(x, axis)
    if special:
        put_special(x)
    numpy.save("tensors/input.npy", x)
    done = ok("run", "chain.ini", "--target", TARGET, "--budget", "0.01", "--l2", "warm", "--preset", "tiny", "--tensors", "tensors",
              "--plan", "unfused", "--save-output", "unfused=y.npy", "--against", "fp64")
    with numpy.errstate(invalid="ignore", divide="ignore"):
        expected = OPS[kind](x.astype(numpy.float64), axis)
    found = numpy.load("y.npy").reshape(expected.shape)
    finite = numpy.isfinite(expected)
    assert finite.all() or special
    assert numpy.array_equal(found[~finite], expected[~finite].astype(numpy.float32), equal_nan=True), (kind, found[~finite])
    error = numpy.abs(found[finite] - expected[finite]).max()
    assert error <= 2e-6 * numpy.abs(expected[finite]).max(), (kind, axis, shape, error)
    # What is computed from infinities is not judged; NaN is right where the reference has it.
    assert not special or kind == "instance_norm" or "not judged" in done.stdout, done.stdout


def make_test(kind):
    def test():
        for shape, axis in LONG + SHORT * (kind in WITH_SHORT):
            if kind != "instance_norm" or axis == 1:
                check(kind, axis, shape)
        check(kind, 1, (2, 5000), rising=True)
        check(kind, 1, (37, 701), special=True)
    return test


for name in OPS:
    globals()[f"test_{name}"] = make_test(name)

main()
