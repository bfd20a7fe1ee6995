#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Plans #21 on a part of the GPU: in a green context (restrict.c) and as a client of MPS, where the
# machine has it. All blocks of hand-resident must be on the GPU at once: with half of the
# multiprocessors they fit, with an eighth they do not. Then hand-recompute must run instead, and
# naming hand-resident must be refused with the reason. Two clients of MPS that share all
# multiprocessors must both come to an end with right outputs.
# Part of a GPU session (session.sh, step restricted).

import contextlib
import csv
import os
import shutil
import subprocess
import sys
import tempfile

OPS = "conv+conv_bias+bias+scale+sigmoid+groupnorm"
SAYS = "registers of the multiprocessors that this program may use"
# part of the GPU: multiprocessors of a green context or per cent of an MPS client; plan; version that
# must run (None: refused)
CASES = (
    ("green", 64, "full", "hand-resident"),
    ("green", 64, OPS + "@hand-resident", "hand-resident"),
    ("green", 16, "full", "hand-recompute"),
    ("green", 16, OPS + "@hand-resident", None),
    ("mps", 50, "full", "hand-resident"),
    ("mps", 12, "full", "hand-recompute"),
    ("mps", 12, OPS + "@hand-resident", None),
)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CLI = os.environ["SEAMSCOPE_CLI"].split()


@contextlib.contextmanager
def start_mps(folder):
    """Starts an MPS daemon of our own; variables for its clients, None where there is none."""
    control = shutil.which("nvidia-cuda-mps-control")
    folders = {"CUDA_MPS_PIPE_DIRECTORY": os.path.join(folder, "pipe"),
               "CUDA_MPS_LOG_DIRECTORY": os.path.join(folder, "log")}
    for name in folders.values():
        os.makedirs(name, exist_ok=True)
    environment = {**os.environ, **folders}
    if control is None or subprocess.run([control, "-d"], env=environment, check=False).returncode != 0:
        yield None
        return
    try:
        yield [f"{name}={value}" for name, value in folders.items()]
    finally:
        subprocess.run([control], input="quit\n", text=True, env=environment, check=False)


def start(plan, table, environment):
    return subprocess.Popen(["env", *environment, *CLI, "run", "#21", "--target", "cuda:0", "--preset",
                             "kernelbench", "--math", "tf32", "--budget", "2", "--no-counters", "--plan",
                             "unfused", "--plan", plan, "--csv", table],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def judge(label, process, plan, table, version):
    """Prints a line and returns whether the plan ran as it must."""
    output = process.communicate()[0]
    rows = {}
    if os.path.exists(table):
        with open(table, newline="", encoding="utf-8") as file:
            rows = {row["plan"]: row for row in csv.DictReader(file)}
        os.unlink(table)
    row = rows.get(plan, {})
    executed, ns = row.get("executed", ""), row.get("elapsed_median_ns", "")
    is_said = SAYS in " ".join(output.split()) + row.get("message", "")
    if version is None:
        good = process.returncode != 0 and is_said
    else:
        good = (process.returncode == 0 and "@" + version in executed
                and (version == "hand-resident" or is_said))
    took = f"{float(ns) / 1e6:.3f} ms" if ns else "not run"
    print(f"{label}, {plan}: {'ok' if good else 'WRONG'}, exit {process.returncode}, {executed or '-'}, {took}")
    for line in output.splitlines():
        if "restrict:" in line or "may use" in line:
            print("   ", line.strip())
    if not good:
        print(output)
    return good


def main(folder):
    library = os.path.join(folder, "restrict.so")
    subprocess.run([os.environ.get("CC", "gcc"), "-shared", "-fPIC", "-I/usr/local/cuda/include", "-o",
                    library, os.path.join(ROOT, "tests", "gpu", "restrict.c"), "-ldl"], check=True)
    tables = [os.path.join(folder, f"run{i}.csv") for i in range(2)]
    good = True
    with start_mps(folder) as client:
        if client is None:
            print("MPS: not on this machine")
        for part, amount, plan, version in CASES:
            if part == "green":
                label = f"{amount} multiprocessors"
                environment = [f"LD_PRELOAD={library}", f"SEAM_RESTRICT_SMS={amount}"]
            elif client is None:
                continue
            else:
                label = f"MPS, {amount} %"
                environment = [*client, f"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE={amount}"]
            good &= judge(label, start(plan, tables[0], environment), plan, tables[0], version)
        both = [start("full", table, client) for table in tables] if client is not None else []
        for i, process in enumerate(both):
            good &= judge(f"MPS, client {i + 1} of 2", process, "full", tables[i], "hand-resident")
    return 0 if good else 1


with tempfile.TemporaryDirectory() as temporary:
    sys.exit(main(temporary))
