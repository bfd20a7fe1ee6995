#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# What a run says of two outputs: the pattern of the errors where nearly all elements are wrong, and that a
# comparison of values under a person's own tolerance shows nothing.

import json
import re

from seamtest import QUICK, main, need_compiler, ok, rows

SMALL = """[pipeline]
title=T
description=d
source=s
ops=matmul;b;d;
[field batch]
label=batch
unit=u
min=1
max=1000000
[field in_features]
label=in_features
unit=u
min=1
max=1000000
[field out_features]
label=out_features
unit=u
min=1
max=1000000
[param matmul.weight]
role=matmul-weight
init=fan-in
[param b.v]
role=vector
init=normal
[op matmul]
type=matmul
weight=matmul.weight
[op b]
type=add_channel
vector=b.v
[op d]
type=divide_scalar
value=1e6
[preset tiny]
batch=16
in_features=32
out_features=64
[cut published]
notation=matmul|b+d
"""
NOTHING = "This comparison shows nothing: the largest value, 3.2×10⁻⁶, is below the tolerance 2.0×10⁻⁵."


def test_stripes():
    done = ok("run", "37", *QUICK, "--shape", "batch=64", "--plan", "unfused", "--plan", "as-published", status=1)
    assert "no pattern" not in done.stdout, done.stdout
    assert "The same features stand out in all rows" in done.stdout, done.stdout


def test_nothing():
    need_compiler()
    with open("small.ini", "w") as file:
        file.write(SMALL)
    ok("source", "small.ini", "--target", "cpu", "--preset", "tiny", "--plan", "published", "--group", "2",
       "--output", "zero.c")
    with open("zero.c") as file:
        text = file.read()
    zero, n = re.subn(r"y0\[i\] = after_d;", "y0[i] = 0.0f;", text)
    assert n > 0, text
    with open("zero.c", "w") as file:
        file.write(zero)
    run = ["run", "small.ini", *QUICK, "--against", "fp64", "--edit", "published:2=zero.c"]
    # The bound tells zeros from right outputs, whatever their size.
    done = ok(*run, "--csv", "plans.csv", status=1)
    assert "C is wrong" in done.stdout and "shows nothing" not in done.stdout, done.stdout
    with open("plans.csv", newline="") as file:
        table = rows(file.read())
    assert float(table[1]["max_bound_ratio"]) < 0.75 and float(table[2]["max_bound_ratio"]) > 100, table
    # With a person's own tolerance the comparison may show nothing.
    done = ok(*run, "--atol", "2e-5", "--csv", "plans.csv", "--json", "all.json", status=1)
    assert "matmul|b+d@edited: " + NOTHING in done.stdout, done.stdout
    assert " agree" not in done.stdout, done.stdout
    with open("plans.csv", newline="") as file:
        table = rows(file.read())
    assert table[2]["verdict"] == "shows nothing"
    with open("all.json") as file:
        assert json.load(file)["plans"][2]["difference"]["shows_nothing"] == NOTHING
    # Under a tolerance that the values reach, zeros are wrong, and the program's own plans are right.
    done = ok(*run, "--atol", "1e-9", status=1)
    assert "C is wrong" in done.stdout and "shows nothing" not in done.stdout, done.stdout


def test_all_zero():
    """An output that is 0 everywhere agrees, with a hint."""
    with open("zero.ini", "w") as file:
        file.write(SMALL.replace("ops=matmul;b;d;", "ops=matmul;b;d;r;").replace("matmul|b+d", "matmul|b+d+r")
                   .replace("type=divide_scalar\nvalue=1e6", "type=add_scalar\nvalue=-1000\n[op r]\ntype=relu"))
    done = ok("run", "zero.ini", *QUICK, "--against", "fp64")
    assert "Every element of the output compared with is 0: this shows little." in done.stdout, done.stdout


main()
