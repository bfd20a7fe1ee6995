#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli source: every group's code as text or as files; mistakes are explained in a sentence.

import os
import re
import subprocess

from seamtest import PIPELINES, QUICK, main, ok, refused, rows

CPU = ["--target", "cpu"]


def test_every_pipeline():
    for pipeline in PIPELINES:
        text = ok("source", pipeline, *CPU, "--plan", "unfused", "--plan", "full").stdout
        heads = re.findall(
            r"^=== (\w+), group (\d+) of (\d+): (\S+) \((?:cpu|generated|onednn)\)$", text, re.M
        )
        unfused = [head for head in heads if head[0] == "unfused"]
        assert len(unfused) == int(unfused[0][2]) > 2, heads
        ops = [head[3] for head in unfused]
        fused = [head[3] for head in heads if head[0] == "full"]
        assert "+".join(fused) == "+".join(ops), heads
        for op in ops:
            # Once in the description, and once there or as a value in generated code.
            lines = re.findall(rf"^(?://)? *(?:{op}: |const float after_{op} = seam_op_)", text, re.M)
            assert len(lines) == 2, (pipeline, op)


def test_generated():
    group = ["source", "#57", *CPU, "--plan", "conv|conv_bias+relu|add3+div6+clamp+mul"]
    text = ok(*group, "--group", "3", "--out", "code").stdout
    assert "plan1-3.c: generated C" in text, text
    with open("code/plan1-3.c") as file:
        code = file.read()
    assert "const float after_clamp = seam_op_clamp (after_div6, 0.0f, 1.0f);" in code, code
    assert "x0[i]" in code and "conv-relu-hardswish" in code, code
    # It compiles in the folder where it was written, with the files there.
    subprocess.run(["cc", "-c", "-Wall", "-Werror", "-fopenmp-simd", "-I", "code", "-o", "code.o",
                    "code/plan1-3.c"], check=True)


# A process chooses its compiler only once.
def with_compiler(name, *arguments, **keywords):
    return ok(*arguments, env={**os.environ, "SEAMSCOPE_CC": name}, **keywords)


def test_compilers():
    fused = "conv+conv_bias+relu+add3+div6+clamp+mul"
    run = ["run", "#57", *QUICK, "--plan", "unfused", "--plan"]
    [_, plan] = rows(with_compiler("none", *run, fused, "--csv", "-").stdout)
    assert plan["executed"].endswith("@cpu"), plan
    [_, plan] = rows(with_compiler("cc", *run, fused, "--csv", "-").stdout)
    assert plan["executed"].endswith("@generated"), plan
    # If the compiler fails, a message says so, and the loops run.
    done = with_compiler("false", *run, fused)
    assert "false could not compile the code" in done.stdout and "agree" in done.stdout, done.stdout
    done = with_compiler("false", *run, fused + "@generated", status=3)
    assert "could not compile" in done.stdout, done.stdout
    done = with_compiler("none", *run, fused + "@generated", status=3)
    assert "needs a C compiler" in done.stdout, done.stdout


def test_one_group():
    what = ["source", "#57", *CPU, "--plan", "conv|conv_bias+relu|add3+div6+clamp+mul"]
    text = ok(*what, "--group", "2").stdout
    assert "group 2 of 3: conv_bias+relu" in text and text.count("===") == 1, text
    assert "after_relu = seam_op_relu (after_conv_bias);" in text and "after_clamp" not in text, text


def test_assembly():
    what = ["source", "#57", *CPU, "--plan", "conv|conv_bias+relu+add3+div6+clamp+mul", "--asm", "native"]
    text = ok(*what, "--group", "2").stdout
    assert re.search(r"^<?stage_0>?:", text, re.M), text
    # Every op of the group has instructions under its line, although it is inlined.
    for op in ["conv_bias", "relu", "add3", "div6", "clamp", "mul"]:
        assert re.search(rf"^# \d+: const float after_{op} = .*\n\t", text, re.M), (op, text)
    assert "registers of them in use" in text, text
    ok(*what, "--group", "2", "--output", "a.s")
    with open("a.s") as file:
        assert file.read() == text
    # For a plan, the existing listings, and the reasons why others are missing.
    text = ok(*what).stdout
    assert "# Loops of this program run the group" in text and "after_mul" in text, text
    refused(*what, "--group", "1", status=3, says="nothing is compiled for it")
    refused(*what[:-1], "ptx", "--group", "2", status=3, says="NVIDIA GPUs")
    refused(*what[:-1], "what", status=2, says="ptx and sass")
    # Without objdump, the output is the assembler's source, and a note says what it lacks.
    os.makedirs("bin")
    for tool in ["cc", "as"]:
        path = subprocess.run(["which", tool], check=True, capture_output=True, text=True).stdout.strip()
        os.symlink(path, f"bin/{tool}")
    text = ok(*what, "--group", "2", env={**os.environ, "PATH": os.path.abspath("bin")}).stdout
    assert "install objdump" in text and re.search(r"^stage_0:", text, re.M), text
    assert re.search(r"^# \d+: y0\[i\] = after_mul;", text, re.M), text


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
    refused("source", "#57", *CPU, "--out", "file/code", status=3, says="another folder")


main()
