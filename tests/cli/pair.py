#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# --pair chooses the plans of a figure and of the waterfall, and every product calls a plan by the
# same letter, its place in the run, and states the same numbers of it. The shipped samples have four
# to seven plans; `full`, which is the fourth in the files, is B.

import glob
import itertools
import json
import math
import os
import re
import xml.etree.ElementTree

from seamtest import QUICK, main, ok, refused, rows

SAMPLE = os.path.join(os.environ["SEAMSCOPE_TEST_DATA"], "samples", "laptop-cpu-gemm-bias-relu.seamscope")
FIVE = os.path.join(os.path.dirname(SAMPLE), "h200-conv-relu-hardswish.seamscope")
LETTERS = "ABCDE"
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


def test_every_sample():
    """Report, tables, JSON and figures have one order of plans, which are their letters; tests/ui/test-samples.c
    looks for the same letters in the window."""
    samples = sorted(glob.glob(os.path.join(os.path.dirname(SAMPLE), "*.seamscope")))
    assert len(samples) > 10
    for sample in samples:
        report = ok("export", sample, "--run", 1, "--csv", "plans.csv", "--csv-kernels", "kernels.csv", "--json",
                    "all.json", "--figure", "timing=t.svg", "--text").stdout
        with open("plans.csv", encoding="utf-8", newline="") as file:
            names = [row["plan"] for row in rows(file.read())]
        assert names[:4] == ["unfused", "full", "published", "epilogue"], (sample, names)
        with open("all.json", encoding="utf-8") as file:
            assert [plan.get("name", plan["notation"]) for plan in json.load(file)["plans"]] == names
        with open("kernels.csv", encoding="utf-8", newline="") as file:
            assert list(dict.fromkeys(row["plan"] for row in rows(file.read()))) == names
        said = dict(re.findall(r"^([A-Z]) (\S+) against A unfused: ", report, re.M))
        assert said == dict(zip("BCDEFGH", names[1:])), (sample, said)
        drawn = words("t.svg")
        assert [drawn[drawn.index(letter) + 1] for letter in "AB"] == ["Unfused", "Full"], (sample, drawn)


def test_run_order():
    """A run from the command line has the letters that its file will have."""
    plans = [word for name in ("unfused", "published", "epilogue", "full") for word in ("--plan", name)]
    report = ok("run", "gemm-bias-relu", *QUICK, *plans, "--csv", "a.csv", "--save", "a.seamscope").stdout
    ok("export", "a.seamscope", "--csv", "b.csv")
    with open("a.csv", encoding="utf-8") as a, open("b.csv", encoding="utf-8") as b:
        assert a.read() == b.read()
    assert re.search("^B full against A unfused: ", report, re.M), report
    # Three plans keep their places.
    report = ok("run", "gemm-bias-relu", *QUICK, *plans[:4], "--plan", "full").stdout
    assert re.search("^C full against A unfused: ", report, re.M), report


def test_every_pair():
    """What figures say of two plans is said of these two, and of the plan that outputs were compared with."""
    plans = rows(ok("export", FIVE, "--run", 1, "--csv", "-", "--csv-samples", "samples.csv").stdout)
    with open("samples.csv", encoding="utf-8", newline="") as file:
        times = {plan["plan"]: [] for plan in plans}
        for row in rows(file.read()):
            times[row["plan"]].append(float(row["elapsed_ns"]))
    figures = [word for name in FIGURES for word in ("--figure", f"{name}={name}.svg")]
    for a, b in itertools.permutations(range(len(plans)), 2):
        ok("export", FIVE, "--run", 1, "--pair", f"{LETTERS[a]},{LETTERS[b]}", *figures)
        of_a, of_b = (times[plans[i]["plan"]] for i in (a, b))
        longer, differ = sum(x > y for x, y in zip(of_a, of_b)), sum(x != y for x, y in zip(of_a, of_b))
        said = f"{LETTERS[a]} took longer in {longer} of {differ} pairs"
        assert any(text.startswith(said) for text in words("samples.svg")), (said, words("samples.svg"))
        [error] = [text for text in words("timing.svg") if text.startswith("max |")]
        assert error.startswith(f"max |A−{LETTERS[b or a]}| "), (a, b, error)
        for name in FIGURES:
            texts = [text for text in words(f"{name}.svg") if "→K" not in text and text != error]
            named = set(re.findall(r"(?<![\w/°])[A-E](?![\w/])", "\n".join(texts)))
            assert named <= {LETTERS[a], LETTERS[b]}, (name, a, b, named, texts)


def test_one_interval():
    """A plan has the same median and interval in every product, whenever it was recorded."""
    done = ok("export", FIVE, "--run", 1, "--csv", "plans.csv", "--json", "all.json", "--text")
    with open("plans.csv", encoding="utf-8", newline="") as file:
        plans = rows(file.read())
    with open("all.json", encoding="utf-8") as file:
        kept = json.load(file)["plans"]
    for i, (plan, json_plan) in enumerate(zip(plans, kept)):
        low, high = plan["elapsed_ci_low_ns"], plan["elapsed_ci_high_ns"]
        assert low == ("" if json_plan["elapsed_ci_low_ns"] is None else repr(json_plan["elapsed_ci_low_ns"]))
        ok("export", FIVE, "--run", 1, "--pair", f"{LETTERS[i]},{LETTERS[not i]}", "--figure", "samples=s.svg")
        heading, _ = [text for text in words("s.svg") if " samples" in text and "interval " in text
                      and "effective samples" not in text]
        said = re.search(r"95 % interval ([\d.,]+) to ([\d.,]+) (ms|µs)", heading)
        assert (said is None) == (low == ""), (heading, low)
        if said:
            unit = {"ms": 1e6, "µs": 1e3}[said[3]]
            shown = [float(text.replace(",", "")) for text in said.groups()[:2]]
            assert shown == [round(float(low) / unit, 3), round(float(high) / unit, 3)], (heading, low, high)
            assert f"{float(low) / 1e6:.3f} to {float(high) / 1e6:.3f}" in done.stdout


def test_ratio():
    """The tables state the verdict's ratio as B over A; the report says the same as a factor."""
    done = ok("export", FIVE, "--run", 1, "--csv", "plans.csv", "--json", "all.json", "--text")
    with open("plans.csv", encoding="utf-8", newline="") as file:
        first, *others = rows(file.read())
    with open("all.json", encoding="utf-8") as file:
        kept = json.load(file)["plans"]
    keys = "ratio", "ratio_ci_low", "ratio_ci_high", "effective_samples"
    assert [first[key] for key in keys] == [""] * 4
    for plan, json_plan in zip(others, kept[1:]):
        ratio, low, high, effective = (float(plan[key]) for key in keys)
        assert [json_plan[key] for key in keys] == [ratio, low, high, effective]
        assert json_plan["verdict"] == plan["verdict"]
        assert low <= ratio <= high
        assert math.isclose(ratio, float(plan["elapsed_median_ns"]) / float(first["elapsed_median_ns"]))
        factors = [f"{factor:.2f}×" if factor < 10 else f"{factor:.1f}×" for factor in (1 / ratio, 1 / high, 1 / low)]
        assert ("{} faster; 95 % interval {} to {}, ".format(*factors) + f"{effective:.0f} effective"
                in done.stdout), (plan, done.stdout)


def test_names():
    by_letter, by_name = draw("C,B"), draw("published,full")
    assert by_letter == by_name
    [first, *_] = rows(ok("export", SAMPLE, "--csv-waterfall", "-", "--pair", "c,full").stdout)
    assert (first["plan_a"], first["plan_b"]) == ("published", "full")
    # Without --pair the plan compared with and the first other one.
    [first, *_] = rows(ok("export", SAMPLE, "--csv-waterfall", "-").stdout)
    assert (first["plan_a"], first["plan_b"]) == ("unfused", "full")


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
            says="which has A unfused, B full, C published, D epilogue")
    refused("export", SAMPLE, "--figure", "timing=a.svg", "--pair", "A,unfused", status=3, says="two different plans")
    assert not glob.glob("*.svg")


if __name__ == "__main__":
    main()
