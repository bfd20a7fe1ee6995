#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Outputs of small runs on the CPU, compared with recorded ones. Another processor or library may sum in
# another order, so they agree within the tolerance that math-modes.md derives for the math mode. That
# includes plans that are wrong on purpose, which have to stay wrong in the same way.

import io
import tempfile

import numpy

from recorded import HERE, Archive, Set, Shell, main

RUN = ["--target", "cpu", "--preset", "tiny", "--budget", "0.01", "--seed", "7"]
# |a - b| <= t + t |b|
TOLERANCES = {"fp32": 2e-5, "bf16": 8e-3}
AFTER_GROUPNORM = 7.5
HALF_SUMS = 1e-3  # an exhibit whose sums are FP16, whatever the mode
PLANS = {
    "conv-relu-bias": ["unfused", "published", "full", "conv+conv_bias|relu+bias", "relu-after-bias"],
    "conv-bias-scale-sigmoid-groupnorm": ["unfused", "published", "full", "race-in-reduction"],
    "matmul-swish-bias-groupnorm": ["unfused", "published", "full", "as-published",
                                    "race-in-reduction"],
    "conv-relu-hardswish": ["unfused", "published", "full", "half-sums"],
    "gemm-bias-relu": ["unfused", "published", "full", "matmul+bias|relu", "half-sums"],
}
MODES = {
    "fp32": [],
    "bf16": ["--math", "bf16", "--storage", "all"],
}


def write_outputs(home, pipeline, mode):
    shell = Shell(home)
    words = []
    for number, plan in enumerate(PLANS[pipeline]):
        words += ["--plan", plan, "--save-output", f"{plan}={number}-{plan.replace('|', '_')}.npy"]
    done = shell.run("run", pipeline, *RUN, *MODES[mode], *words)
    assert done.returncode in (0, 1), done  # 1: as the exhibits are wrong
    files = shell.files()
    del files["terminal.txt"]  # it has times
    return files


def compare(recorded, written):
    said = [f"{name}: is {'written now and not recorded' if name in written else 'not written any more'}"
            for name in sorted(recorded.keys() ^ written.keys())]
    for name in sorted(recorded.keys() & written.keys()):
        mode = name.partition("/")[0].rpartition("-")[2]
        tolerance = max(TOLERANCES[mode] * (AFTER_GROUPNORM if "groupnorm" in name else 1),
                        HALF_SUMS if "half-sums" in name else 0)
        expected, found = (numpy.load(io.BytesIO(files[name])) for files in (recorded, written))
        if expected.shape != found.shape or expected.dtype != found.dtype:
            said.append(f"{name}: expected {expected.dtype}{expected.shape}, found "
                        f"{found.dtype}{found.shape}")
            continue
        with numpy.errstate(invalid="ignore"):
            close = numpy.abs(found - expected) <= tolerance + tolerance * numpy.abs(expected)
        # An element that an exhibit never writes stays NaN.
        close |= numpy.isnan(found) & numpy.isnan(expected)
        if not close.all():
            first = tuple(map(int, numpy.argwhere(~close)[0]))
            said.append(f"{name}: {numpy.count_nonzero(~close)} of {close.size} elements differ by more "
                        f"than {tolerance:g}; at {first} expected {expected[first]}, found {found[first]}")
    return said


with tempfile.TemporaryDirectory(prefix="seam-net-") as home:
    main(Set("tensors", Archive(HERE / "tensors.tar.xz"), [
        (f"{pipeline}-{mode}", lambda pipeline=pipeline, mode=mode: write_outputs(home, pipeline, mode))
        for pipeline in PLANS for mode in MODES], compare))
