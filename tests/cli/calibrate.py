#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli calibrate on the CPU: numbers with units, equal in every format; a calibration is kept,
# used by estimate, run and doctor, shown and forgotten; that of a busy machine is not kept; a run
# raises one that is too low; a damaged file and wrong options are refused in words.

import json
import os
import pathlib

from seamtest import QUICK, cli, main, ok, refused, rows, search, set_machine

CPU = ["--target", "cpu"]
KNOWN = ["copy", "read", "write", "fp32", "launch"]
UNITS = {"launch": "ns", "fp32": "operations/s", "tf32": "operations/s", "bf16": "operations/s",
         "fp64": "operations/s"}
os.environ["OMP_NUM_THREADS"] = "1"
# Other programs must not decide whether a calibration is kept.
set_machine("idle")


def own_data_folder():
    """Gives the test a data folder of its own, in its own folder."""
    os.environ["XDG_DATA_HOME"] = os.path.join(os.getcwd(), "data-home")


def calibrate(*more):
    return ok("calibrate", *CPU, "--budget", "0.1", *more)


def kept():
    return list(pathlib.Path(os.environ["XDG_DATA_HOME"]).glob("seamscope/calibrations/*.ini"))


def rates_source():
    return rows(ok("estimate", "#57", *CPU, "--preset", "tiny", "--csv", "-").stdout)[0]


def test_formats():
    own_data_folder()
    done = calibrate("--csv", "c.csv", "--json", "c.json", "--figure", "c.svg")
    assert "Copy bandwidth" in done.stdout and "GB/s" in done.stdout, done.stdout
    with open("c.csv", newline="", encoding="utf-8") as file:
        table = rows(file.read())
    with open("c.json", encoding="utf-8") as file:
        data = json.load(file)
    rates = {row["quantity"]: row for row in table if row["quantity"] not in ("curve", "knee")}
    assert list(rates) == ["copy", "read", "write", "fp32", "tf32", "bf16", "fp64", "launch"]
    for name, row in rates.items():
        assert row["unit"] == UNITS.get(name, "bytes/s"), row
        # Some processors multiply bf16.
        if name in KNOWN or (name == "bf16" and row["median"] != ""):
            assert 0 < float(row["least"]) <= float(row["median"]) <= float(row["most"]), row
            assert int(row["n_samples"]) >= 3 and row["reason"] == "", row
            assert data["rates"][name]["median"] == float(row["median"]), name
        else:
            # A rate that a target does not have is unknown, not zero.
            assert row["median"] == "" and row["n_samples"] == "" and row["reason"], row
            assert data["rates"][name]["median"] is None, name
    # A plausible rate of a processor of this century, which shows that the unit is right.
    assert 1e7 < float(rates["read"]["median"]) < 1e13, rates["read"]
    assert 1e8 < float(rates["fp32"]["median"]) < 1e14, rates["fp32"]
    assert 10 < float(rates["launch"]["median"]) < 1e8, rates["launch"]
    curve = [float(row["working_set_bytes"]) for row in table if row["quantity"] == "curve"]
    assert len(curve) >= 6 and curve == sorted(curve), curve
    assert curve == [point["bytes"] for point in data["curve"]]
    assert [row["quantity"] for row in table][-1] == "knee"
    # For a CPU, no data sheet is known.
    assert {row["peak"] for row in table} == {row["over_peak"] for row in table} == {""}, table
    assert "peak" not in data["rates"]["read"] or data["rates"]["read"]["peak"] is None, data
    assert max(curve) <= float(rates["read"]["working_set_bytes"]), curve
    with open("c.svg", encoding="utf-8") as file:
        assert file.read().startswith("<?xml")


def test_used():
    own_data_folder()
    before = rates_source()
    assert "measured here just now" in before["rates_source"], before
    refused("calibrate", *CPU, "--show", status=3, says="is not calibrated")
    assert "Not calibrated" in ok("doctor").stdout

    calibrate("--csv", "c.csv")
    with open("c.csv", newline="", encoding="utf-8") as file:
        rates = {row["quantity"]: row for row in rows(file.read())}
    after = rates_source()
    assert after["rates_source"].startswith("calibrated "), after
    fastest = max(float(rates[name]["median"]) for name in ("copy", "read", "write"))
    assert float(after["bytes_per_s"]) == fastest
    assert float(after["flop_per_s"]) == float(rates["fp32"]["median"])
    doctor = ok("doctor").stdout
    assert "Calibration of cpu\n           calibrated " in doctor, doctor
    report = ok("estimate", "#57", *CPU, "--preset", "tiny").stdout
    assert "Rates: calibrated " in report, report

    # It is shown as it was measured; a run keeps the rates that it used.
    ok("calibrate", *CPU, "--show", "--csv", "shown.csv")
    with open("c.csv", "rb") as first, open("shown.csv", "rb") as second:
        assert first.read() == second.read()
    result = json.loads(ok("run", "#57", *QUICK, "--json", "-").stdout)
    assert result["device"]["rates_source"].startswith("calibrated "), result["device"]
    assert result["device"]["launch_ns"] == float(rates["launch"]["median"])
    assert "identity" not in result["device"]

    assert len(kept()) == 1
    ok("calibrate", *CPU, "--forget")
    assert kept() == []
    assert "was not calibrated" in ok("calibrate", *CPU, "--forget").stdout
    assert "measured here just now" in rates_source()["rates_source"]


def test_busy():
    own_data_folder()
    busy = {"env": {**os.environ, "TEST_MACHINE": "busy"}}
    arguments = ["calibrate", *CPU, "--budget", "0.1", "--csv", "busy.csv"]
    done = ok(*arguments, status=3, **busy)
    for part in ["The calibration is not kept. The samples lie too far apart to rely on: ",
                 "FP32 matrix product", "calibrate again when it is idle. With --keep it is kept"]:
        assert part in done.stderr, done.stderr
    # It is shown and written all the same.
    assert "The samples lie too far apart" in done.stdout, done.stdout
    assert os.path.exists("busy.csv") and kept() == []
    assert "measured here just now" in rates_source()["rates_source"]
    done = ok(*arguments, "--keep", **busy)
    assert "not kept" not in done.stderr and len(kept()) == 1, done.stderr
    assert "The samples lie too far apart" in ok("calibrate", *CPU, "--show").stdout
    # A kept calibration stays when a worse one is discarded.
    before = kept()[0].read_bytes()
    ok(*arguments, status=3, **busy)
    assert kept()[0].read_bytes() == before


def test_busy_run():
    """Before and after a run, a message says that others use the machine; the session keeps it."""
    busy = {"env": {**os.environ, "TEST_MACHINE": "busy"}}
    done = ok("run", "#57", *QUICK, "--csv", "plans.csv", "--save", "a.seamscope", **busy)
    assert "Other programs use 43 % of the processor’s time, so times" in done.stderr, done.stderr
    after = "Other programs used 43 % of the processor’s time during the run."
    assert after in done.stdout and " · other programs 43 % · " in done.stdout, done.stdout
    assert [row["foreign_load"] for row in rows(open("plans.csv", newline="").read())] == \
        ["0.43", "0.43"]
    done = ok("export", "a.seamscope", "--csv", "-", "--json", "all.json")
    assert rows(done.stdout)[0]["foreign_load"] == "0.43"
    assert json.load(open("all.json"))["foreign_load"] == .43
    assert after in done.stderr + done.stdout or after in ok("export", "a.seamscope").stdout
    assert "Other programs use 43 %" in ok("estimate", "#57", *CPU, **busy).stdout

    done = search("explore", "#57", "--preset", "tiny", *CPU, "--budget", "2", "--csv", "points.csv",
                  "--save", "search.seamscope", **busy)
    assert "Other programs use 43 % of the processor’s time, so times" in done.stderr, done.stderr
    assert " · other programs up to 43 % · " in done.stdout, done.stdout
    assert "Other programs used up to 43 % of the processor’s time while " in done.stdout
    points = rows(open("points.csv", newline="").read())
    assert {row["foreign_load"] for row in points if row["state"] == "measured"} == {"0.43"}
    assert rows(ok("export", "search.seamscope", "--csv-survey", "-").stdout) == points

    idle = ok("run", "#57", *QUICK)
    assert "ther programs" not in idle.stdout + idle.stderr, idle.stderr
    assert "ther programs" not in ok("estimate", "#57", *CPU).stdout


def test_raised():
    own_data_folder()
    calibrate()
    lines = kept()[0].read_text(encoding="utf-8").split("\n")
    slow = ["fp32=1e6;nan;nan;1e6;1e6;3;" if line.startswith("fp32=") else line for line in lines]
    kept()[0].write_text("\n".join(slow), encoding="utf-8")
    assert rates_source()["rates_source"].startswith("calibrated "), rates_source()
    refuted = float(rates_source()["problem_floor_ns"])
    done = ok("run", "#57", *QUICK, "--json", "run.json")
    assert "more than the 1.00 MFLOP/s of the calibration" in done.stdout, done.stdout
    with open("run.json", encoding="utf-8") as file:
        result = json.load(file)
    assert result["floor_ns"] < refuted / 10, result["floor_ns"]
    source = result["device"]["rates_source"]
    assert "FP32 raised by a run of conv-relu-hardswish on " in source, source
    # The raised rate stays, in the next process and through the next calibration.
    after = rates_source()
    assert after["rates_source"] == source, after
    assert float(after["flop_per_s"]) == result["device"]["flop_fp32"]
    assert float(after["problem_floor_ns"]) <= result["floor_ns"], after
    shown = ok("calibrate", *CPU, "--show").stdout
    assert "FP32 matrix product: a run of conv-relu-hardswish on " in shown, shown
    calibrate()
    assert float(rates_source()["flop_per_s"]) >= result["device"]["flop_fp32"]


def test_damaged():
    own_data_folder()
    calibrate()
    kept()[0].write_text("[calibration]\nversion=1\n", encoding="utf-8")
    refused("calibrate", *CPU, "--show", status=3, says=["is not used", "Calibrate again"])
    source = rates_source()["rates_source"]
    assert source.startswith("measured here just now") and "damaged" in source, source
    assert "is not used" in ok("doctor").stdout
    calibrate()
    assert rates_source()["rates_source"].startswith("calibrated ")


def test_cannot_keep():
    own_data_folder()
    with open(os.environ["XDG_DATA_HOME"], "w", encoding="utf-8") as file:
        file.write("no folder")
    done = calibrate()
    assert "Copy bandwidth" in done.stdout
    assert "cannot be made" in done.stderr, done.stderr


def test_refused():
    own_data_folder()
    for budget in "0", "1e9", "long":
        refused("calibrate", *CPU, "--budget", budget, status=2, says="--budget")
    refused("calibrate", "--target", "tpu", status=2, says="tpu")
    refused("calibrate", "--target", "tpu", "--show", status=2, says="tpu")
    refused("calibrate", *CPU, "--figure", "c.gif", status=2, says=".png")
    refused("calibrate", *CPU, "--csv", "-", "--json", "-", status=2, says="standard output")
    refused("calibrate", *CPU, "--csv", "missing/c.csv", status=3, says="no folder")
    refused("calibrate", *CPU, "--forget", "--show", status=2, says="--forget")
    refused("calibrate", *CPU, "--forget", "--keep", status=2, says="--forget")
    refused("calibrate", *CPU, "--keep", "--show", status=2, says="--keep")
    refused("calibrate", "much", *CPU, status=2, says="no words")
    assert cli("calibrate", "--help").returncode == 0
    assert kept() == []


if __name__ == "__main__":
    main()
