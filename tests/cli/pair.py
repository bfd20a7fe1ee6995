#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# --pair chooses the plans of a figure and of the waterfall, and every product calls a plan by the
# same letter: its place in the run. The shipped samples have four or five plans.

import glob
import os
import re
import xml.etree.ElementTree

from seamtest import QUICK, main, ok, refused, rows

SAMPLE = os.path.join(os.environ["SEAMSCOPE_TEST_DATA"], "samples", "laptop-cpu-gemm-bias-relu.seamscope")
PLANS = ["unfused", "published", "epilogue", "full"]
FIGURES = ["timing", "traffic", "roofline", "timeline", "samples"]


def words(path):
    """The texts of an SVG, one a line."""
    return [" ".join(text.itertext()) for text in xml.etree.ElementTree.parse(path).iter()
            if text.tag.endswith("}text")]


def draw(pair, *more):
    """The five figures of two plans, as lists of their texts."""
    figures = [word for name in FIGURES for word in ("--figure", f"{name}={name}.svg")]
    ok("export", SAMPLE, "--pair", pair, *figures, *more)
    return {name: words(f"{name}.svg") for name in FIGURES}


def letters(texts):
    """The single letters of the badges and legends."""
    return {text for text in texts if re.fullmatch("[A-Z]", text)}


def test_letters():
    for a, b in ("A", "B"), ("A", "D"), ("B", "D"), ("D", "B"), ("C", "A"):
        for name, texts in draw(f"{a},{b}").items():
            found = letters(texts) | {text[0] for text in texts if re.match(r"[A-Z]  ?\S", text)}
            assert {a, b} <= found, (name, a, b, texts)
            others = {"A", "B", "C", "D"} - {a, b}
            assert not letters(texts) & others, (name, a, b, letters(texts))


def test_names():
    by_letter, by_name = draw("B,D"), draw("published,full")
    assert by_letter == by_name
    [first, *_] = rows(ok("export", SAMPLE, "--csv-waterfall", "-", "--pair", "b,full").stdout)
    assert (first["plan_a"], first["plan_b"]) == ("published", "full")
    # Without --pair the plan compared with and the first other one.
    [first, *_] = rows(ok("export", SAMPLE, "--csv-waterfall", "-").stdout)
    assert (first["plan_a"], first["plan_b"]) == ("unfused", "published")


def test_difference():
    """Outputs were compared with A alone."""
    ok("export", SAMPLE, "--pair", "A,C", "--figure", "difference=ac.svg", "--figure", "numbers=n.svg")
    assert any("C" in text for text in words("ac.svg"))
    refused("export", SAMPLE, "--pair", "B,C", "--figure", "difference=bc.svg", status=3,
            says="outputs were compared with unfused")
    assert not os.path.exists("bc.svg")


def test_run():
    ok("run", "gemm-bias-relu", *QUICK, "--plan", "unfused", "--plan", "published", "--plan", "full",
       "--pair", "B,C", "--csv-waterfall", "w.csv")
    with open("w.csv", encoding="utf-8", newline="") as file:
        assert rows(file.read())[0]["plan_b"] == "full"


def test_refused():
    for pair in "A", "A,B,C", "":
        refused("export", SAMPLE, "--figure", "timing=a.svg", "--pair", pair, status=2, says="--pair takes two")
    refused("export", SAMPLE, "--figure", "timing=a.svg", "--pair", "A,Z", status=3,
            says="which has A unfused, B published, C epilogue, D full")
    refused("export", SAMPLE, "--figure", "timing=a.svg", "--pair", "A,unfused", status=3, says="two different plans")
    assert not glob.glob("*.svg")


if __name__ == "__main__":
    main()
