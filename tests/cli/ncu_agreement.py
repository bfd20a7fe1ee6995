#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# tests/bench/ncu-agreement on files written here: how it matches, judges and leaves out kernels.

import csv
import os
import subprocess

from seamtest import GOLDEN, main

SCRIPT = os.path.join(os.path.dirname(GOLDEN), "bench", "ncu-agreement")
NCU = ('"ID","Process ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Unit",'
       '"Metric Value"\n')


def kernel(name, time_ns, read, written, grid=132):
    return f'"{name}",{time_ns},{read},{written},{grid},1,1\n'


def launch(number, name, time_ns, read, written, grid=132):
    values = (("gpu__time_duration.sum", "ns", f"{time_ns:,}"),
              ("dram__bytes_read.sum", "byte", f"{read:,}"),
              ("dram__bytes_write.sum", "byte", f"{written:,}"))
    return "".join(f'"{number}","7","{name}","(256, 1, 1)","({grid}, 1, 1)","{metric}","{unit}",'
                   f'"{value}"\n' for metric, unit, value in values)


def agree(ours, theirs):
    with open("ours.csv", "w", encoding="utf-8") as file:
        file.write("name,median_ns,dram_bytes_read,dram_bytes_written,grid_x,grid_y,grid_z\n"
                   + ours)
    with open("ncu.csv", "w", encoding="utf-8") as file:
        file.write("==PROF== Connected\n" + NCU + theirs)
    done = subprocess.run([SCRIPT, "--ours", "ours.csv", "--ncu", "ncu.csv", "--out", "."],
                          capture_output=True, text=True, check=False)
    with open("ncu-agreement.csv", newline="", encoding="utf-8") as file:
        # Kernels that only ncu saw come last, and may have one of our names with another grid.
        return done, {(row["kernel"], row["quantity"]): row
                      for row in reversed(list(csv.DictReader(file)))}


def test_within_the_limit():
    # Three launches: the median counts. The tools write names differently.
    name = "void f<(int)4, (bool)1, (space::Kind)2>(float*)"
    done, rows = agree(kernel("void f<4, true, (space::Kind)2>(float *)", 1000000, 400000000, ""),
                       launch(0, name, 990000, 401000000, 5)
                       + launch(1, name, 1010000, 403000000, 5)
                       + launch(2, name, 9000000, 401000000, 5))
    assert done.returncode == 0, done.stdout + done.stderr
    time = rows["voidf<4,1,2>(float*)", "time_ns"]
    assert abs(float(time["ratio"]) - 1 / 1.01) < 1e-9 and time["agrees"] == "True"
    assert rows["voidf<4,1,2>(float*)", "dram_bytes_written"]["agrees"] == ""
    assert "2 of 2 agree within 2%" in done.stdout


def test_beyond_the_limit():
    done, rows = agree(kernel("f", 1000000, 400000000, 300000000),
                       launch(0, "f", 1000000, 420000000, 300000000))
    assert done.returncode == 1 and rows["f", "dram_bytes_read"]["agrees"] == "False"
    assert rows["f", "dram_bytes_written"]["agrees"] == "True"
    assert "beyond the limit" in done.stdout


def test_what_is_not_judged():
    # With another grid it is another kernel; a copy is no kernel; little traffic is noise.
    done, rows = agree(kernel("f", 1000000, 400000000, 300000000) + kernel("memset", 5000, "", "", 0)
                       + kernel("small", 3000, 9000, 9000),
                       launch(0, "f", 1000000, 400000000, 300000000, grid=66)
                       + launch(1, "small", 9000, 90000, 9000))
    assert done.returncode == 2, done.stdout
    assert rows["f", "time_ns"]["ncu"] == "" and ("memset", "time_ns") not in rows
    with open("ncu-agreement.csv", newline="", encoding="utf-8") as file:
        assert [row["seamscope"] for row in csv.DictReader(file)][-3:] == ["", "", ""]
    assert rows["small", "time_ns"]["ncu"] == "9000.0" and rows["small", "time_ns"]["agrees"] == ""


def test_names_that_leave_no_choice():
    # ncu writes template arguments in its own way; two instances of a function are not told apart.
    done, rows = agree(kernel("void a<X>(int)", 1000000, 400000000, 300000000)
                       + kernel("void b<X>(int)", 1000000, 400000000, 300000000)
                       + kernel("void b<Y>(int)", 1000000, 400000000, 300000000),
                       launch(0, "void a<space::X>(int)", 1000000, 400000000, 300000000)
                       + launch(1, "void b<space::X>(int)", 1000000, 400000000, 300000000)
                       + launch(2, "void b<space::Y>(int)", 1000000, 400000000, 300000000))
    assert done.returncode == 0 and "3 of 3 agree" in done.stdout, done.stdout
    assert rows["voidb<X>(int)", "time_ns"]["ncu"] == ""
    assert rows["voidb<space::X>(int)", "time_ns"]["seamscope"] == ""


# Stand-ins for the program and for ncu. The program's plans have two kernels; the ncu requires options
# that limit profiling to those kernels, and hangs in the second case.
FAKE_CLI = """#!/usr/bin/python3
import sys
arguments = sys.argv[1:]
if "--csv-kernels" in arguments:
    with open(arguments[arguments.index("--csv-kernels") + 1], "w", encoding="utf-8") as file:
        file.write("name,median_ns,dram_bytes_read,dram_bytes_written,grid_x,grid_y,grid_z\\n"
                   "memset,5000,,,0,0,0\\n"
                   '"void (anonymous namespace)::space::one<Op<int>, (bool)1>(Data<2>*)",1000000,'
                   "400000000,300000000,132,1,1\\n"
                   "two_kernel__5x_cublas,1000000,400000000,300000000,132,1,1\\n")
"""
FAKE_NCU = """#!/usr/bin/python3
import re, sys, time
arguments = sys.argv[1:]
def value(name):
    return arguments[arguments.index(name) + 1]
pattern = value("--kernel-name")
assert pattern.startswith("regex:"), pattern
pattern = re.compile(pattern[6:])
assert pattern.match("one") and pattern.match("two_kernel__5x_cublas"), pattern
assert not pattern.match("flush") and not pattern.match("one_more"), pattern
assert (value("--launch-skip"), value("--launch-count")) == ("2", "24")
assert value("--clock-control") == "none"
assert value("--cache-control") == {
    "gpu__time_duration.sum,dram__bytes_write.sum": "none",
    "dram__bytes_read.sum": "all"}[value("--metrics")]
assert value("--target-processes") == "all" and value("--kill") == "yes"
if "full" in arguments:
    time.sleep(60)
print("==PROF== Profiling one: 0%....100% - 1 pass")
for line in open("ncu.csv", encoding="utf-8"):
    metric = line.split('","')[5] if line.startswith('"') else "Metric Name"
    if metric == "Metric Name" or metric in value("--metrics"):
        print(line, end="")
"""


def test_cases():
    for name, text in ("fake-cli", FAKE_CLI), ("ncu", FAKE_NCU):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o755)
    with open("ncu.csv", "w", encoding="utf-8") as file:
        # Ten slow launches of the warm-up, and six that count.
        file.write(NCU + "".join(
            launch(i, "void (anonymous namespace)::space::one<Op<int>, (bool)1>(Data<2>*)",
                   3000000 if i < 10 else 1000000, 400000000, 300000000) for i in range(16))
                   + launch(16, "two_kernel__5x_cublas", 1100000, 400000000, 300000000))
    done = subprocess.run([SCRIPT, "--cli", "./fake-cli", "--out", ".", "--seconds", "2",
                           "a:unfused:tf32", "a:full:tf32"], capture_output=True, text=True,
                          check=False, env=os.environ | {"PATH": f".:{os.environ['PATH']}"})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "5 of 6 agree within 2%" in done.stdout, done.stdout + done.stderr
    assert "a:full:tf32: " in done.stdout and "ncu took more than 2 s" in done.stdout, done.stdout
    with open("ncu-agreement.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 12 and not os.path.exists("ncu-agreement.csv.part")
    # The interrupted case keeps the program's own numbers.
    assert {row["ncu"] for row in table if row["what"] == "a:full:tf32"} == {""}, table
    assert {row["seamscope"] for row in table if row["what"] == "a:full:tf32"} != {""}, table


main()
