#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Sessions on the command line: several runs in a file; the trace follows Chrome's Trace Event Format; a
# bad file is refused in a sentence; a kill while a session is written leaves it whole. That `export`
# writes the same bytes as `run`: run_and_export.py.

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import statistics
import subprocess
import time

from seamtest import CLI, GOLDEN, PIPELINES, QUICK, cli, main, ok, refused, rows, search

# Sessions that earlier versions wrote, one file for each format.
OLDER = os.path.join(os.path.dirname(GOLDEN), "sessions")
FIRST_EXECUTION = 11  # its thread in a trace


def test_one_plan():
    ok("run", "gemm-bias-relu", *QUICK, "--plan", "full", "--save", "a.seamscope")
    assert rows(ok("export", "a.seamscope", "--csv", "-").stdout)[0]["plan"] == "full"
    refused("export", "a.seamscope", "--figure", "timing=a.png", status=3, says="only one was run")


def test_several_runs():
    for mode, note in ("fp32", "first"), ("tf32", "second, “quoted”"):
        ok("run", "gemm-bias-relu", *QUICK, "--math", mode, "--append", "both.seamscope", "--note",
           note, "--seed", 7 if mode == "fp32" else 8)
    says = refused("export", "both.seamscope", "--csv", "-", status=2, says=["2 runs", "--run"])
    assert "first" in says and "second, “quoted”" in says
    for number, seed in (1, "7"), (2, "8"):
        assert rows(ok("export", "both.seamscope", "--run", number, "--csv", "-").stdout)[0]["seed"] == seed
    text = ok("export", "both.seamscope").stdout
    assert text.count("gemm-bias-relu  Matrix product") == 2
    assert "Run 1 of 2\n" in text and "Note: second, “quoted”\n" in text
    refused("export", "both.seamscope", "--run", "3", status=2, says="1 to 2")
    trace = json.loads(ok("export", "both.seamscope", "--trace", "-").stdout)
    assert {event["pid"] for event in trace["traceEvents"]} == {1, 2, 3, 4}
    # --save starts a new file.
    ok("run", "gemm-bias-relu", *QUICK, "--save", "both.seamscope")
    assert len(rows(ok("export", "both.seamscope", "--csv", "-").stdout)) == 2


def test_appended_at_once():
    """After twenty programs have appended to one file, it has twenty runs."""
    run = [CLI, "run", "gemm-bias-relu", *map(str, QUICK), "--plan", "unfused", "--append",
           "a.seamscope", "--seed"]
    processes = [subprocess.Popen([*run, str(seed)], stdout=subprocess.DEVNULL,
                                  env={**os.environ, "OMP_NUM_THREADS": "1"})
                 for seed in range(20)]
    assert [process.wait() for process in processes] == [0] * 20
    lines = ok("export", "a.seamscope", "--list").stdout.splitlines()
    assert len(lines) == 20 and lines[19].startswith("Run 20: gemm-bias-relu, "), lines
    database = sqlite3.connect("file:a.seamscope?mode=ro", uri=True)
    assert {seed for seed, in database.execute("SELECT seed FROM run")} == set(range(20))
    database.close()
    assert os.listdir() == ["a.seamscope"]


def test_one_damaged_run():
    """A message names it; the other runs are listed and exported."""
    for _ in range(2):
        ok("run", "gemm-bias-relu", *QUICK, "--append", "a.seamscope")
    database = sqlite3.connect("a.seamscope")
    database.execute('UPDATE plan SET elapsed_median_ns = 1 WHERE run_key = 1')
    database.commit()
    database.close()
    assert ok("export", "a.seamscope", "--list").stdout.count("gemm-bias-relu") == 2
    says = "seamscope-cli: Run 1 of a.seamscope cannot be read. It is damaged; "
    done = cli("export", "a.seamscope")
    assert done.returncode == 3 and done.stderr.startswith(says), done.stderr
    assert done.stdout.startswith("\nRun 2 of 2\ngemm-bias-relu"), done.stdout
    refused("export", "a.seamscope", "--run", 1, "--csv", "-", status=3, says="Run 1")
    ok("export", "a.seamscope", "--run", 2, "--csv", "-")
    # The damage is found before anything is measured.
    refused("run", "gemm-bias-relu", *QUICK, "--append", "a.seamscope", status=3, says="checksum")


def test_appended_to_older_formats():
    """The old runs are copied unchanged; the file gets the present format."""
    for name in os.listdir(OLDER):
        shutil.copy(os.path.join(OLDER, name), "a.seamscope")
        before = ok("export", "a.seamscope").stdout
        n = ok("export", "a.seamscope", "--list").stdout.count("Run ")
        ok("run", "gemm-bias-relu", *QUICK, "--append", "a.seamscope")
        assert int.from_bytes(open("a.seamscope", "rb").read()[60:64], "big") == 1005
        after = ok("export", "a.seamscope").stdout
        lines = [line for line in before.splitlines() if not line.startswith("Run ")]
        assert all(line in after for line in lines[:20]), (name, after)
        assert ok("export", "a.seamscope", "--list").stdout.count("Run ") == n + 1
        ok("export", "a.seamscope", "--run", n + 1, "--csv", "-")


def test_size_limit():
    """If the limit on file sizes is too low, there is a message, and the old file stays."""
    ok("run", "gemm-bias-relu", *QUICK, "--save", "a.seamscope")
    before = open("a.seamscope", "rb").read()
    done = cli("run", "gemm-bias-relu", *QUICK, "--append", "a.seamscope",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000)))
    assert done.returncode == 3 and "ulimit -f" in done.stderr, (done.returncode, done.stderr)
    assert open("a.seamscope", "rb").read() == before and os.listdir() == ["a.seamscope"]


def check_trace(trace):
    """Checks the parts of Chrome's Trace Event Format that Perfetto and chrome://tracing require."""
    assert trace["displayTimeUnit"] in ("ms", "ns")
    lanes = {}
    names = {}
    for event in trace["traceEvents"]:
        assert event["ph"] in "MX" and isinstance(event["name"], str) and event["name"]
        assert type(event["pid"]) is int and type(event["tid"]) is int
        assert isinstance(event["args"], dict)
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name", "process_sort_index")
            if event["name"] != "process_sort_index":
                names[event["pid"], event["tid"], event["name"]] = event["args"]["name"]
            continue
        assert isinstance(event["ts"], float) and event["ts"] >= 0
        assert isinstance(event["dur"], float) and event["dur"] >= 0
        assert event["cat"] in ("kernel", "copy", "plan")
        lanes.setdefault((event["pid"], event["tid"]), []).append(event)
    for lane, events in lanes.items():
        assert (*lane, "thread_name") in names and (lane[0], 0, "process_name") in names
        end = 0
        for event in sorted(events, key=lambda e: e["ts"]):
            assert event["ts"] >= end - 1e-6, "two events of a thread overlap"
            end = event["ts"] + event["dur"]
    return names, lanes


def test_trace():
    ok("run", "conv-bias-scale-sigmoid-groupnorm", *QUICK, "--trace", "a.json", "--csv-kernels",
       "kernels.csv", "--csv", "plans.csv")
    names, lanes = check_trace(json.load(open("a.json")))
    kernels = [row for row in rows(open("kernels.csv", newline="").read()) if row["kind"] == "kernel"]
    plans = rows(open("plans.csv", newline="").read())
    # The medians; each traced execution has a lane of its own.
    shown = [e for (_, lane), events in lanes.items() for e in events
             if e["cat"] != "plan" and lane < FIRST_EXECUTION]
    assert len(shown) == len(kernels) > 0
    for number, plan in enumerate(plans, 1):
        assert names[number, 0, "process_name"].startswith(plan["plan"] + " · ")
        own = [e for e in shown if e["pid"] == number]
        table = [k for k in kernels if k["plan"] == plan["plan"]]
        own.sort(key=lambda e: e["ts"])
        for event, kernel in zip(own, table, strict=True):
            assert event["name"] == kernel["short_name"], kernel
            assert abs(event["dur"] * 1000 - float(kernel["median_ns"])) < 1e-3
            assert event["args"]["bytes"] == float(kernel["modelled_bytes"])
            assert event["args"]["implementation"] in ("cpu", "generated")
            # A CPU's groups have neither; unknown fields are left out, not 0.
            assert "registers" not in event["args"] and "grid" not in event["args"]
        [whole] = [e for e in lanes[number, 1]]
        assert abs(whole["dur"] * 1000 - float(plan["elapsed_median_ns"])) < 1e-3
        executions = [lanes[number, FIRST_EXECUTION + i] for i in range(own[0]["args"]["samples"])]
        assert names[number, FIRST_EXECUTION, "thread_name"] == f"execution 1 of {len(executions)}"
        for k, kernel in enumerate(table):
            times = [sorted(e, key=lambda e: e["ts"])[k]["dur"] * 1000 for e in executions]
            assert abs(statistics.median(times) - float(kernel["median_ns"])) < 1e-3


def test_bad_files():
    ok("run", "gemm-bias-relu", *QUICK, "--save", "a.seamscope")
    data = open("a.seamscope", "rb").read()
    bad = {
        "empty.seamscope": (b"", "empty"),
        "text.seamscope": (b"plan,median\r\n" * 20, "no Seamscope session"),
        "half.seamscope": (data[: len(data) // 2], "cut short"),
        "flipped.seamscope": (data.replace(b"gemm-bias-relu", b"gemm-bias-rely", 1), "damaged"),
        "newer.seamscope": (data[:60] + (9000).to_bytes(4, "big") + data[64:], "newer Seamscope"),
    }
    for name, (content, says) in bad.items():
        open(name, "wb").write(content)
        for command in ("export", name), ("run", "gemm-bias-relu", *QUICK, "--append", name):
            refused(*command, status=3, says=[name, says])
        assert open(name, "rb").read() == content
    database = sqlite3.connect("other.seamscope")
    database.execute("CREATE TABLE t (x)")
    database.commit()
    database.close()
    refused("export", "other.seamscope", status=3, says="another program")
    os.mkdir("folder.seamscope")
    refused("export", "folder.seamscope", status=3, says="folder")
    refused("export", "missing.seamscope", status=3, says="no such file")
    refused("export", "--csv", "-", status=2, says="SESSION")
    refused("export", "a.seamscope", "--figure", "profile=a.png", status=2, says="timing=FILE")
    refused("export", "a.seamscope", "--csv", "-", "--json", "-", status=2, says="Only one")
    refused("export", "a.seamscope", "--csv", "no/where.csv", status=3, says="no folder")


def test_history():
    """Entries that the window keeps are listed, and saved in session files under their names."""
    env = {**os.environ, "XDG_STATE_HOME": os.path.abspath("state")}
    assert ok("history", env=env).stdout.startswith("0 entries")
    ok("run", "gemm-bias-relu", *QUICK, "--save", "a.seamscope")
    content = open("a.seamscope", "rb").read()
    database = sqlite3.connect("state/seamscope/history.db")
    for name in "before", None:
        database.execute("INSERT INTO entry (kind, pipeline, outcome, ended_at, name, bytes, content)"
                         " VALUES ('run', 'gemm-bias-relu', '1.50× faster', '2026-01-02T03:04:05Z',"
                         " ?, ?, ?)", (name, len(content), content))
    database.execute("INSERT INTO entry (kind, bytes, content) VALUES ('calibration', 1, x'00')")
    database.commit()
    listed = ok("history", env=env).stdout
    assert listed.count("in no session file") == 3 and "“before”" in listed, listed
    assert "3 entries" in listed.splitlines()[-1]
    ok("history", 1, 2, "--save", "b.seamscope", "--note", "after", env=env)
    text = ok("export", "b.seamscope", "--list").stdout
    assert "before" in text and "after" in text and "Run 2" in text, text
    assert ok("history", env=env).stdout.count("in no session file") == 1
    refused("history", 9, "--save", "c.seamscope", status=2, says="no entry 9", env=env)
    refused("history", 3, "--save", "c.seamscope", status=2, says="calibrations", env=env)
    refused("history", "--save", "c.seamscope", status=2, says="by their numbers", env=env)
    refused("history", 1, status=2, says="--save", env=env)
    assert not os.path.exists("c.seamscope")
    # What others write stays in its line, and a size that is not possible is unknown.
    database.execute("UPDATE entry SET bytes = -5, name = 'a\nb\x1b[31m\rc', detail = 'd\n\te',"
                     " pipeline = '\n', ended_at = '1\n2', device = 'x\ny' WHERE id = 1")
    database.commit()
    lines = ok("history", env=env).stdout.splitlines()
    assert len(lines) == 4 and lines[3] == "3 entries, – of 1 GB", lines
    assert lines[2] == ("    1  1 2   : 1.50× faster · d  e · x y · “a b\ufffd[31m\ufffdc”"), lines
    # After a second, the command says why it waits; then it goes on.
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("UPDATE entry SET pinned = 1 WHERE id = 1")
    begin = time.monotonic()
    with subprocess.Popen([CLI, "history"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8") as waiting:
        says = waiting.stderr.readline()
        assert "has locked the history; waiting" in says and time.monotonic() - begin > 0.9, says
        database.commit()
        database.close()
        assert waiting.stdout.read().count("pinned") == 1 and waiting.wait() == 0


def test_explorations_and_sweeps():
    """A session gives the same figures and tables, byte by byte."""
    search("explore", "gemm-bias-relu", *QUICK, "--save", "a.seamscope", "--note", "first", "--csv",
           "run.csv", "--figure", "run.svg")
    report = search("sweep", "gemm-bias-relu", *QUICK, "--vary", "batch=2,3", "--append",
                    "a.seamscope", "--csv", "run-sweep.csv", "--figure", "run-sweep.svg").stdout
    env = {**os.environ, "SEAMSCOPE_DATADIR": "/nonexistent"}
    # Each by a process of its own, because ids in an SVG count earlier drawings of the process.
    ok("export", "a.seamscope", "--figure", "lattice=a.svg", env=env)
    ok("export", "a.seamscope", "--figure", "sweep=b.svg", env=env)
    ok("export", "a.seamscope", "--survey", 1, "--csv-survey", "a.csv", env=env)
    ok("export", "a.seamscope", "--survey", 2, "--csv-survey", "b.csv", env=env)
    for one, two in ("run.svg", "a.svg"), ("run-sweep.svg", "b.svg"), ("run.csv", "a.csv"), (
            "run-sweep.csv", "b.csv"):
        assert open(one, "rb").read() == open(two, "rb").read(), two
    text = ok("export", "a.seamscope").stdout
    assert report.strip() in text and "Note: first\n" in text
    refused("export", "a.seamscope", "--csv-survey", "-", status=3, says=["--survey", "sweep"])
    refused("export", "a.seamscope", "--csv", "-", status=3, says="no run")
    refused("export", "a.seamscope", "--survey", 3, status=2, says="1 to 2")
    refused("compare", "a.seamscope", "a.seamscope", status=3, says="no run")
    # A run is added to the file; another process reads the points.
    ok("run", "gemm-bias-relu", *QUICK, "--append", "a.seamscope")
    ok("export", "a.seamscope", "--csv", "c.csv", "--figure", "lattice=c.svg")
    database = sqlite3.connect("file:a.seamscope?mode=ro", uri=True)
    assert database.execute("SELECT kind FROM survey").fetchall() == [("explore",), ("sweep",)]
    assert database.execute("SELECT count(*) FROM point").fetchone() == (4 + 4,)
    refused("explore", "gemm-bias-relu", *QUICK, "--save", "a.db", status=2, says=".seamscope")
    refused("run", "gemm-bias-relu", *QUICK, "--figure", "lattice=a.svg", status=2, says="timing=")


def test_code_that_ran():
    plans = ["--plan", "unfused", "--plan", "full"]
    ok("run", "conv-relu-bias", *QUICK, *plans, "--save", "a.seamscope")
    ok("source", "conv-relu-bias", "--target", "cpu", "--preset", "tiny", *plans, "--out", "ran")
    ok("export", "a.seamscope", "--code", "kept",
       env={**os.environ, "SEAMSCOPE_DATADIR": "/nonexistent"})
    names = sorted(os.listdir("ran"))
    assert names == sorted(os.listdir("kept")) and len(names) >= 5, names
    for name in names:
        if os.path.isfile(f"ran/{name}"):
            assert open(f"ran/{name}").read() == open(f"kept/{name}").read(), name
    refused("export", os.path.join(OLDER, "conv-relu-hardswish-1.0.seamscope"), "--run", 1, "--code",
            "none", status=3, says="does not hold the code")


def test_samples_and_older_formats():
    samples = os.path.join(os.environ["SEAMSCOPE_TEST_DATA"], "samples")
    versions = set()
    for path in [os.path.join(folder, name) for folder in (samples, OLDER)
                 for name in os.listdir(folder)]:
        name = os.path.basename(path)
        version = int.from_bytes(open(path, "rb").read()[60:64], "big")
        # An exhibit that is wrong everywhere has two maps of its differences that no packing shortens.
        assert 1000 <= version <= 1005 and os.path.getsize(path) < 4e6, (path, version)
        versions.add(version)
        [pipeline] = [known for known in PIPELINES if known in name]
        text = ok("export", path).stdout
        assert pipeline in text
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        # A file that does not say how its parameters were drawn is older than "spread", the default.
        [says] = database.execute("SELECT count(*) FROM member WHERE name = 'init'").fetchone() \
            if version >= 1005 else [0]
        assert ("init spread" if says else "init framework") in text, text
        assert ("init framework" if says else "init spread") not in text, text
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_schema")}
        explored = "survey" in tables and database.execute(
            "SELECT count(*) FROM survey WHERE kind = 'explore'").fetchone()[0]
        if explored:
            ok("export", path, "--figure", "lattice=a.svg")
        else:
            refused("export", path, "--figure", "lattice=a.svg", status=3, says="no result of explore")
    assert versions >= set(range(1000, 1005)), versions


def test_bad_save():
    run = ("run", "gemm-bias-relu", *QUICK)
    refused(*run, "--save", "a.db", status=2, says=".seamscope")
    refused(*run, "--save", "a.seamscope", "--append", "b.seamscope", status=2, says="one of them")
    refused(*run, "--note", "hello", status=2, says="--save")
    refused(*run, "--save", "no/where.seamscope", status=3, says="no folder")
    assert os.listdir() == []


def test_other_programs_read_it():
    """The schema is documented: other programs can read a session without ours."""
    done = ok("run", "gemm-bias-relu", *QUICK, "--save", "a.seamscope", "--csv", "-")
    database = sqlite3.connect("file:a.seamscope?mode=ro", uri=True)
    medians = [row[0] for row in database.execute("SELECT elapsed_median_ns FROM plan")]
    assert medians == [float(row["elapsed_median_ns"]) for row in rows(done.stdout)]
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    [schema] = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'kernel'").fetchone()
    assert "-- ns" in schema and "REFERENCES" in schema


def test_killed_while_it_appends():
    ok("run", "gemm-bias-relu", *QUICK, "--save", "a.seamscope")
    before = open("a.seamscope", "rb").read()
    n_finished = 0
    for _ in range(8):
        shutil.copy("a.seamscope", "b.seamscope")
        process = subprocess.Popen(
            [CLI, "run", "gemm-bias-relu", *QUICK, "--append", "b.seamscope"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        # The report is printed right before the session is written.
        process.stdout.read(1)
        time.sleep(random.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        count = ok("export", "b.seamscope").stdout.count("gemm-bias-relu  Matrix product")
        assert count in (1, 2)
        if count == 1:
            assert open("b.seamscope", "rb").read() == before
        n_finished += count == 2
    print(f"# {n_finished} of 8 were written before the kill")


main()
