#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli source: every group's code as text or as files, and what is wrong said in a sentence.

import os
import re

from seamtest import PIPELINES, main, ok, refused

CPU = ["--target", "cpu"]


def test_every_pipeline():
    for pipeline in PIPELINES:
        text = ok("source", pipeline, *CPU, "--plan", "unfused", "--plan", "full").stdout
        heads = re.findall(r"^=== (\w+), group (\d+) of (\d+): (\S+) \(cpu\)$", text, re.M)
        unfused = [head for head in heads if head[0] == "unfused"]
        assert len(unfused) == int(unfused[0][2]) > 2, heads
        ops = [head[3] for head in unfused]
        fused = [head[3] for head in heads if head[0] == "full"]
        assert "+".join(fused) == "+".join(ops), heads
        for op in ops:
            assert len(re.findall(rf"^ *{op}: ", text, re.M)) == 2, (pipeline, op)


def test_one_group():
    what = ["source", "#57", *CPU, "--plan", "conv|conv_bias+relu|add3+div6+clamp+mul"]
    text = ok(*what, "--group", "2").stdout
    assert "group 2 of 3: conv_bias+relu" in text and text.count("===") == 1, text
    assert "  relu: max" in text and "  clamp: " not in text, text


def test_shape_is_shown():
    text = ok("source", "#1", *CPU, "--plan", "full", "--preset", "tiny", "--shape", "batch=3").stdout
    assert "Output: 3 samples x " in text, text


def test_files():
    done = ok("source", "#21", *CPU, "--plan", "unfused", "--out", "deep/code")
    names = sorted(os.listdir("deep/code"))
    assert names and all(re.fullmatch(r"unfused-\d\.txt", name) for name in names), names
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == names
    with open("deep/code/unfused-1.txt") as file:
        assert "conv: " in file.read()


def test_what_is_wrong():
    refused("source", status=2, says="PIPELINE")
    refused("source", "#57", *CPU, "--plan", "full", "--group", "9", status=2, says="no group 9")
    refused("source", "#57", *CPU, "--group", "0", status=2, says="--group")
    refused("source", "#57", *CPU, "--plan", "conv+nothing", status=2, says="nothing")
    refused("source", "#57", "--target", "gpu", status=2, says="gpu")
    with open("file", "w") as file:
        file.write("")
    refused("source", "#57", *CPU, "--out", "file/code", status=3, says="--out")


main()
