#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# --json of the commands that write a table: it parses, and says what the table of --csv says, row by
# row and column by column, in JSON's own types.

import json
import os
import sqlite3

from seamtest import cli, main, ok, refused, rows, search

CPU = ["--target", "cpu"]
TINY = [*CPU, "--preset", "tiny"]


def refuse_constant(text):
    raise AssertionError(f"{text} is no JSON")


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse_constant)


def as_csv(value):
    """What the CSV has for a value of JSON; numbers stay numbers."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else "" if value is None else value


def check_agree(csv_path, json_path, n_rows):
    """The same rows, the same columns in the same order, the same values. Returns JSON's rows."""
    with open(csv_path, encoding="utf-8", newline="") as file:
        table, whole = rows(file.read()), read_json(json_path)
    assert list(whole) == ["rows"] and len(whole["rows"]) == len(table) == n_rows, (list(whole), len(table))
    for row, expected in zip(whole["rows"], table):
        assert list(row) == list(expected)
        for column, text in expected.items():
            value = as_csv(row[column])
            if isinstance(value, (int, float)):
                assert float(text) == float(value), (column, text, value)
            else:
                assert value == text or text in ("inf", "-inf", "nan"), (column, text, value)
    return whole["rows"]


def check_intervals(points):
    """An interval holds the ratio, and decides the verdict. Returns the number of intervals."""
    known = [row for row in points if row["state"] == "measured" and row["speedup_ci_low"] is not None]
    for row in known:
        low, high = row["speedup_ci_low"], row["speedup_ci_high"]
        assert low <= row["reference_median_ns"] / row["elapsed_median_ns"] <= high, row
        assert row["verdict"] != "faster" or low > 1, row
        assert row["verdict"] != "slower" or high < 1, row
        assert row["verdict"] in ("reference", "faster", "slower", "same", "unclear", "wrong"), row
    return len(known)


def both(name):
    return ["--csv", f"{name}.csv", "--json", f"{name}.json"]


def test_estimate():
    ok("estimate", "#21", *CPU, "--plan", "unfused", "--plan", "published", *both("estimate"))
    found = check_agree("estimate.csv", "estimate.json", 2)
    assert [row["plan"] for row in found] == ["unfused", "published"]
    assert found[0]["can_run"] is True and found[0]["modelled_bytes"] > found[1]["modelled_bytes"] > 0


def test_why():
    ok("why", "#37", "--preset", "kernelbench", *CPU, *both("why"))
    found = check_agree("why.csv", "why.json", 5)
    assert [row["seam"] for row in found] == [1, 2, 3, 4, 5]
    # Without a convolution there is no halo, and so no tile of pixels.
    assert found[0]["tile_width"] is None and found[0]["can_fuse"] is True


def test_explore():
    search("explore", "gemm-bias-relu", *TINY, "--l2", "warm", "--budget", "2", *both("explore"), "--save", "a.seamscope")
    found = check_agree("explore.csv", "explore.json", 4)
    assert found[0]["verdict"] == "reference" and found[0]["speedup_ci_low"] == 1
    check_intervals(found)
    # Of a session the same files follow.
    ok("export", "a.seamscope", "--csv-survey", "again.csv", "--json-survey", "again.json")
    assert read_json("again.json") == read_json("explore.json")
    check_agree("again.csv", "again.json", 4)


def test_sweep():
    search("sweep", "gemm-bias-relu", *TINY, "--l2", "warm", "--budget", "2", "--vary", "batch=2,4", *both("sweep"))
    found = check_agree("sweep.csv", "sweep.json", 4)
    assert {row["survey"] for row in found} == {"sweep"}
    check_intervals(found)


def test_recorded_intervals():
    """Every survey that a file holds has its intervals and verdicts; one of too few samples has none."""
    tests, data = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.environ["SEAMSCOPE_TEST_DATA"]
    for path, known in ((os.path.join(tests, "net", "sessions", "surveys.seamscope"), (7, 0, 6, 4)),
                        (os.path.join(data, "samples", "h200-conv-relu-hardswish.seamscope"), (64,))):
        for survey, n in enumerate(known, 1):
            ok("export", path, "--survey", survey, "--csv-survey", "s.csv", "--json-survey", "s.json")
            with open("s.csv", encoding="utf-8", newline="") as file:
                found = check_agree("s.csv", "s.json", len(rows(file.read())))
            assert check_intervals(found) == n, (path, survey)


def test_aa():
    """Everything of the run that differs most, as run writes it, and its table of plans."""
    done = cli("aa", "#57", *TINY, "--l2", "warm", "--runs", "2", "--budget", "0.2", *both("aa"))
    assert done.returncode in (0, 1), done.stderr
    with open("aa.csv", encoding="utf-8", newline="") as file:
        table, plans = rows(file.read()), read_json("aa.json")["plans"]
    assert len(table) == len(plans) == 2 and table[0]["plan"] == table[1]["plan"] == "unfused"
    for row, plan in zip(table, plans):
        assert float(row["elapsed_median_ns"]) == plan["elapsed_median_ns"] > 0
        assert int(row["n_samples"]) == plan["n_samples"] >= 1
    assert f" {table[1]['verdict']}\n" in done.stdout


def test_history():
    env = {**os.environ, "XDG_STATE_HOME": os.path.abspath("state")}
    assert json.loads(ok("history", "--json", env=env).stdout) == {"rows": []}
    database = sqlite3.connect("state/seamscope/history.db")
    database.execute("INSERT INTO entry (kind, pipeline, outcome, detail, device, ended_at, partial, wrong,"
                     " saved, pinned, name, bytes, content) VALUES ('run', 'gemm-bias-relu', '1.5× faster',"
                     " 'a \"b\"', 'H200', '2026-01-02T03:04:05Z', 1, 0, 1, 0, 'before', 4, x'00010203')")
    database.execute("INSERT INTO entry (kind, bytes, content) VALUES ('sweep', 1, x'00')")
    database.commit()
    sweep, run = json.loads(ok("history", "--json", env=env).stdout)["rows"]
    assert run == {"id": 1, "kind": "run", "pipeline": "gemm-bias-relu", "outcome": "1.5× faster",
                   "detail": 'a "b"', "device": "H200", "ended_at": "2026-01-02T03:04:05Z", "partial": True,
                   "wrong": False, "saved": True, "pinned": False, "name": "before", "bytes": 4}
    assert sweep["kind"] == "sweep" and sweep["name"] is None and sweep["partial"] is False
    # A stopped run says so before what it found.
    assert "gemm-bias-relu: stopped early: 1.5× faster" in ok("history", env=env).stdout


def test_refused():
    refused("why", "#37", *CPU, "--csv", "-", "--json", "-", status=2, says="standard output")
    refused("estimate", "#37", *CPU, "--json", "no/where.json", status=3, says="no folder")
    refused("history", "--json=yes", status=2, says="no value")


if __name__ == "__main__":
    main()
