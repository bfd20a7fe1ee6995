#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Pitfalls from the command line: every file of a run with a pitfall says so, the zeros are zeros, and
# the lab names the pitfalls that are impossible here.

import json
import os
import re

from seamtest import COLD, cli, main, ok, refused, rows

os.environ["OMP_NUM_THREADS"] = "1"
HERE = ["zeros", "no-warm-up", "warm-l2", "host-timer", "flush-inside"]
TABLES = ["csv", "csv-kernels", "csv-samples", "csv-ledger", "csv-traffic", "csv-waterfall",
          "csv-roofline", "csv-worst", "csv-histogram"]
FIGURES = ["timing", "difference", "traffic", "roofline", "timeline", "samples"]


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def files(prefix):
    words = ["--json", f"{prefix}.json", "--trace", f"{prefix}.trace"]
    for table in TABLES:
        words += [f"--{table}", f"{prefix}-{table}"]
    for figure in FIGURES:
        words += ["--figure", f"{figure}={prefix}-{figure}.svg"]
    return words


def check_files(prefix, pitfall):
    for table in TABLES:
        found = rows(read(f"{prefix}-{table}"))
        assert table == "csv-worst" or found, table
        for row in found:
            assert row["pitfalls"] == pitfall, (table, row)
    assert json.loads(read(f"{prefix}.json"))["pitfalls"] == pitfall
    assert "With pitfall, wrong on purpose" in read(f"{prefix}.trace")


def test_every_export_says_so():
    for pitfall in HERE:
        done = ok("run", "#57", *COLD, "--pitfall", pitfall, *files("run"), "--save", "a.seamscope")
        assert "⚠ With pitfall, wrong on purpose" in done.stdout
        assert re.search("wrong on purpose: .* · ", done.stdout)
        check_files("run", pitfall)
        assert rows(read("run-csv"))[1]["verdict"] == "with pitfall"
        # Another process reads the session and writes the same files.
        ok("export", "a.seamscope", *files("export"))
        check_files("export", pitfall)
        for figure in FIGURES:
            assert read(f"run-{figure}.svg") == read(f"export-{figure}.svg"), figure


def test_figures_are_marked():
    # The mark is a line of its own below the title; the lines further down depend on the times.
    def head(path):
        texts = re.findall(r'<text [^>]*\by="([\d.]+)"[^>]*>([^<]*)</text>', read(path))
        return [text for y, text in texts if float(y) < 62]

    ok("run", "#57", *COLD, *files("honest"))
    ok("run", "#57", *COLD, "--pitfall", "warm-l2", *files("wrong"))
    for figure in ("timing", "traffic", "samples"):
        honest, wrong = head(f"honest-{figure}.svg"), head(f"wrong-{figure}.svg")
        assert wrong[:len(honest)] == honest, (figure, honest, wrong)
        assert len(honest) == 2 and "wrong on purpose" in wrong[2], (figure, honest, wrong)
    for row in rows(read("honest-csv")):
        assert row["pitfalls"] == "" and "with pitfall" not in row["verdict"]


def test_zeros_are_zeros():
    # hardswish (relu (bias)) is below 0.5 and the same everywhere; with a real input it is not.
    largest = {}
    for pitfall in ("", "zeros"):
        words = ["--pitfall", pitfall] if pitfall else []
        ok("run", "#57", *COLD, *words, "--against", "fp64", "--csv", "a.csv", "--json", "a.json")
        plan = json.loads(read("a.json"))["plans"][0]
        largest[pitfall] = plan["difference"]["max_abs_b"]
        assert rows(read("a.csv"))[0]["distribution"] == (pitfall or "uniform")
    assert 0 < largest["zeros"] < 0.9 * largest[""], largest
    # An array cannot contain the mark.
    done = cli("run", "#57", *COLD, "--pitfall", "zeros", "--save-output", "unfused=out.npy")
    assert done.returncode == 3 and "could not say" in done.stderr
    assert not os.path.exists("out.npy")


def test_refused():
    refused("run", "#57", *COLD, "--pitfall", "hidden-tf32", status=3, says="The CPU has no TF32")
    refused("run", "#57", *COLD, "--pitfall", "ones", status=2, says=["“ones”", "zeros"])
    refused("run", "#57", *COLD, "--pitfall", "warm-l2", "--l2", "warm", status=2, says="warm")
    refused("run", "#57", *COLD, "--pitfall", "warm-l2,flush-inside", status=2, says="one of the two")
    refused("pitfalls", "#57", *COLD, "--plan", "unfused", "--plan", "full", "--plan", "published",
            status=2, says="one or two")


def test_lab():
    tiny = ["--target", "cpu", "--preset", "tiny", "--budget", "3"]
    done = ok("pitfalls", "#57", *tiny, "--csv", "lab.csv", "--figure", "lab.svg")
    found = rows(read("lab.csv"))
    assert [row["pitfalls"] for row in found[::2]] == ["", "zeros", "no-warm-up", "warm-l2",
                                                      "hidden-tf32", "host-timer", "flush-inside"]
    assert [row["plan"] for row in found[:2]] == ["unfused", "published"]
    for row in found:
        possible = row["pitfalls"] != "hidden-tf32"
        assert row["possible"] == ("yes" if possible else "no")
        assert (int(row["n_samples"]) > 0) == possible
        if possible:
            assert float(row["speedup"]) > 0 and row["honest_speedup"] == found[0]["speedup"]
    # Flushing takes so much longer than this small work that the difference disappears.
    flush = found[-1]
    assert float(flush["elapsed_median_ns"]) > 2 * float(flush["honest_median_ns"])
    assert "Hidden TF32" in done.stdout and "The CPU has no TF32" in done.stdout
    assert "All but Honest is wrong on purpose" in done.stdout
    assert read("lab.svg").startswith("<?xml")
    # With one plan there are times instead of ratios.
    done = ok("pitfalls", "#57", *tiny, "--plan", "full", "--pitfall", "host-timer", "--csv", "-")
    found = rows(done.stdout)
    assert [row["pitfalls"] for row in found] == ["", "host-timer"]
    assert found[0]["speedup"] == "" and "A takes" in done.stderr


if __name__ == "__main__":
    main()
