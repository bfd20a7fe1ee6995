#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# A session from somebody else: its texts cannot become a path outside the chosen folder, a terminal
# command or a formula, and long texts take no noticeable time.

import csv
import os
import resource
import shutil
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from seamtest import CLI, QUICK, cli, main, ok, open_terminal, refused, rows
from session_file import change, change_code, changing

PLANS = ["--plan", "unfused", "--plan", "conv|conv_bias+relu+add3+div6+clamp+mul"]
FIGURES = ["timing", "difference", "numbers", "traffic", "roofline", "timeline", "samples"]
# A window title, a colour, C1, a bidirectional override, DEL.
CONTROL = "\x1b]0;owned\x07\x1b[31mred\x9b31m\u202eabc\x85\x7f"


def copy(name):
    if not os.path.exists("a.seamscope"):
        ok("run", "#57", *QUICK, *PLANS, "--save", "a.seamscope")
    shutil.copy("a.seamscope", name)
    return name


def everything():
    """Every file below the test's folder, with its text if it is small."""
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(".") for name in names)


def is_clean(text):
    return all(c == "\n" or c.isprintable() for c in text)


def test_code_stays_in_its_folder():
    path = change_code(copy("path.seamscope"), (b"published\0", b"../../esc\0"),
                       (b"kernels/ops.h\0", b"../../../zz.h\0"))
    before = everything()
    done = ok("export", path, "--code", "deep/er/code")
    written = [name for name in everything() if name not in before]
    assert len(written) > 9 and all(name.startswith("./deep/er/code/") for name in written), written
    # They have descriptive names, which the command prints.
    names = [os.path.relpath(name, "deep/er/code") for name in written]
    assert any(name.startswith("esc-1-") and name.endswith(".txt") for name in names), names
    assert any(name.startswith("zz-") and name.endswith(".h") for name in names), names
    assert all(line.split(":")[0] in names for line in done.stdout.splitlines()), done.stdout


def test_code_follows_no_link():
    path = copy("link.seamscope")
    ok("export", path, "--code", "good")
    assert os.path.exists("good/kernels/ops.h")
    os.makedirs("outside")
    for name, target in [("kernels", "outside"), ("unfused-1.txt", "outside/new")]:
        os.makedirs("chosen")
        os.symlink(f"../{target}", f"chosen/{name}")
        refused("export", path, "--code", "chosen", status=3, says=[f"chosen/{name}", "a link"])
        assert os.listdir("outside") == [], name
        shutil.rmtree("chosen")
    # The chosen folder itself may be a link.
    os.symlink("outside", "chosen")
    ok("export", path, "--code", "chosen")
    assert os.path.exists("outside/unfused-1.txt")


def test_two_texts_of_one_name():
    path = change_code(copy("twice.seamscope"), (b"published\0", b"unfused-x\0"))
    path = change_code(path, (b"kernels/ops.h\0", b"unfused-1.txt\0"))
    ok("export", path, "--code", "code")
    with open("code/unfused-1.txt") as words, open("code/2-unfused-1.txt") as included:
        assert "conv: " in words.read() and "mathematics of every op" in included.read()


def test_terminal():
    path = copy("control.seamscope")
    with changing(path) as db:
        for table, columns in [("plan", ["name", "message"]), ("kernel", ["name", "short_name"]),
                               ("device", ["name", "driver"]), ("run", ["note", "trace_note"])]:
            for column in columns:
                db.execute(f"UPDATE {table} SET {column} = ?", (CONTROL,))
    done = ok("export", path)
    assert "owned" in done.stdout and is_clean(done.stdout), done.stdout
    # Files and pipes get the text unchanged.
    assert rows(ok("export", path, "--csv-kernels", "-").stdout)[0]["short_name"] == CONTROL
    # A terminal does not get the control characters, even in data.
    ends = open_terminal()
    subprocess.run([CLI, "export", path, "--csv-kernels", "-"], stdout=ends[1], check=True,
                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    os.close(ends[1])
    shown = b""
    try:
        while part := os.read(ends[0], 65536):
            shown += part
    except OSError:
        pass  # the other end is closed
    os.close(ends[0])
    shown = shown.decode().replace("\r\n", "\n")
    assert "short_name" in shown and "owned" in shown and is_clean(shown), shown


def test_command_line():
    for arguments in [["export", CONTROL], [CONTROL], ["run", CONTROL], ["list", CONTROL],
                      ["export", "--" + CONTROL], ["run", "#57", "--plan", CONTROL],
                      ["run", "#57", "--shape", CONTROL], ["run", CONTROL + ".ini"]]:
        done = cli(*arguments)
        assert done.returncode in (2, 3), done
        assert is_clean(done.stderr) and done.stdout == "", (arguments, done.stderr)


def test_paths_that_are_no_text():
    copy("a.seamscope.copy")
    name = b"caf\xe9\x1b[31m.seamscope"
    for arguments in [[b"export", name], [b"list", name], [name], [b"run", name + b".ini"],
                      [b"run", b"#57", b"--tensors", name], [b"compare", name, name],
                      [b"export", b"a.seamscope", b"--csv", b"no/" + name],
                      [b"export", b"a.seamscope", b"--code", b"a.seamscope/" + name]]:
        done = subprocess.run([CLI, *arguments], capture_output=True, stdin=subprocess.DEVNULL)
        assert done.returncode in (2, 3), (arguments, done)
        assert is_clean(done.stderr.decode()) and "caf\ufffd" in done.stderr.decode(), done.stderr
    # The name works like any other, and messages show it as text.
    shutil.copy("a.seamscope", name)
    done = subprocess.run([CLI, b"export", name, b"--csv", b"caf\xe9.csv"], capture_output=True,
                          check=True)
    assert done.stdout.decode() == "Wrote caf\ufffd.csv\n" and os.path.exists(b"caf\xe9.csv")
    # The name of a pipeline's file is its id, which tables and figures contain.
    data = os.path.join(os.environ["SEAMSCOPE_TEST_DATA"], "pipelines", "gemm-bias-relu.ini")
    shutil.copy(data, b"./caf\xe9.ini")
    done = subprocess.run([CLI, b"run", b"./caf\xe9.ini", *map(str.encode, QUICK), b"--csv", b"p.csv",
                           b"--plan", b"unfused", b"--plan", b"full", b"--figure", b"timing=p.svg"],
                          capture_output=True, check=True)
    assert "caf\ufffd" in done.stdout.decode()
    with open("p.csv", encoding="utf-8", newline="") as file:
        assert rows(file.read())[0]["pipeline"] == "caf\ufffd"


def test_formulas():
    path = copy("formula.seamscope")
    with changing(path) as db:
        db.execute("UPDATE plan SET message = '=1+1'")
        db.execute("UPDATE kernel SET short_name = '@SUM(A1)', name = '+x', implementation = '-y'")
    assert rows(ok("export", path, "--csv", "-").stdout)[0]["message"] == "'=1+1"
    for row in rows(ok("export", path, "--csv-kernels", "-").stdout):
        if row["kind"] != "kernel":
            continue
        assert [row["short_name"], row["name"], row["implementation"]] == ["'@SUM(A1)", "'+x", "'-y"]
        assert float(row["median_ns"]) > 0
    # The overview of differences and the steps of a waterfall have negative numbers; those stay.
    steps = rows(ok("export", path, "--csv-waterfall", "-").stdout)
    assert any(value.startswith("-") for step in steps for value in step.values()), steps


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# Texts of a session: names, and sentences.
NAMES = [("kernel", "name"), ("kernel", "short_name"), ("kernel", "implementation"),
         ("plan", "name"), ("run", "shape_text"), ("run", "pipeline"), ("run", "preset"),
         ("run", "throttle"), ("run", "against")]
SENTENCES = [("device", "name"), ("device", "libraries"), ("device", "rates_source"),
             ("plan", "message"), ("run", "note"), ("run", "trace_note")]


def test_texts_that_are_no_text():
    for table, column in NAMES + SENTENCES:
        path = change(copy("bytes.seamscope"), f"UPDATE {table} SET {column} = CAST(? AS TEXT)",
                      b"a\xffb")
        refused("export", path, status=3, says=["bytes.seamscope", f"“{column}” holds"])


def test_long_texts():
    word = "w" * 200_000
    whole = [option for kind in FIGURES for option in ("--figure", f"{kind}={kind}.svg")]
    copy("a.seamscope.copy")
    begin = cpu_seconds()
    ok("export", "a.seamscope", "--text", *whole)
    usual = cpu_seconds() - begin
    # Bad texts of a device are ignored, and sentences may be long.
    for table, column in NAMES + SENTENCES:
        path = change(copy("long.seamscope"), f"UPDATE {table} SET {column} = ?", word)
        begin = cpu_seconds()
        if (table, column) in NAMES:
            # No name is that long; the longest accepted one takes as little time.
            refused("export", path, status=3, says=[f'"{column}" is a text of 200001 bytes', "16384"])
            path = change(copy("long.seamscope"), f"UPDATE {table} SET {column} = ?", word[:16_000])
        done = ok("export", path, "--text", *whole)
        # Laying out the whole text would take half a minute for each figure.
        assert cpu_seconds() - begin < usual + 2, (table, column, cpu_seconds() - begin, usual)
        assert len(done.stdout) < 60_000, (table, column, len(done.stdout))
    # Files contain the whole text.
    csv.field_size_limit(len(word))
    path = change(copy("long.seamscope"), "UPDATE plan SET message = ?", word)
    assert rows(ok("export", path, "--csv", "-").stdout)[0]["message"] == word
    assert word in ok("export", path, "--json", "-").stdout


main()
