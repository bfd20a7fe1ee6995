#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Plans #21 on a part of the GPU, as green contexts and MPS give it (restrict.c). All blocks of
# hand-resident must be on the GPU at once: with half of the multiprocessors they fit, with 16 they do
# not. Then hand-recompute must run instead, and naming hand-resident must be refused with the reason.
# Part of a GPU session (session.sh, step restricted).

import csv
import os
import subprocess
import sys
import tempfile

OPS = "conv+conv_bias+bias+scale+sigmoid+groupnorm"
SAYS = "registers of the multiprocessors that this program may use"
# multiprocessors, plan, version that must run (None: refused)
CASES = (
    (64, "full", "hand-resident"),
    (64, OPS + "@hand-resident", "hand-resident"),
    (16, "full", "hand-recompute"),
    (16, OPS + "@hand-resident", None),
)

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
cli = os.environ["SEAMSCOPE_CLI"].split()
failed = False
with tempfile.TemporaryDirectory() as folder:
    library = os.path.join(folder, "restrict.so")
    table = os.path.join(folder, "run.csv")
    subprocess.run([os.environ.get("CC", "gcc"), "-shared", "-fPIC", "-I/usr/local/cuda/include", "-o",
                    library, os.path.join(root, "tests", "gpu", "restrict.c"), "-ldl"], check=True)
    for n, plan, version in CASES:
        environment = {**os.environ, "SEAM_RESTRICT_SMS": str(n)}
        done = subprocess.run(["env", f"LD_PRELOAD={library}", *cli, "run", "#21", "--target", "cuda:0",
                               "--preset", "kernelbench", "--math", "tf32", "--budget", "2",
                               "--no-counters", "--plan", "unfused", "--plan", plan, "--csv", table],
                              capture_output=True, text=True, env=environment)
        said = " ".join((done.stdout + done.stderr).split())
        rows = {}
        if os.path.exists(table):
            with open(table, newline="", encoding="utf-8") as file:
                rows = {row["plan"]: row for row in csv.DictReader(file)}
            os.unlink(table)
        row = rows.get(plan, {})
        executed, ns = row.get("executed", ""), row.get("elapsed_median_ns", "")
        if version is None:
            good = done.returncode != 0 and SAYS in said + row.get("message", "")
        else:
            good = (done.returncode == 0 and "@" + version in executed
                    and (version == "hand-resident" or SAYS in said + row.get("message", "")))
        failed |= not good
        took = f"{float(ns) / 1e6:.3f} ms" if ns else "not run"
        print(f"{n} multiprocessors, {plan}: {'ok' if good else 'WRONG'}, exit {done.returncode}, "
              f"{executed or '-'}, {took}")
        for line in (done.stdout + done.stderr).splitlines():
            if "restrict:" in line or "may use" in line:
                print("   ", line.strip())
        if not good:
            print(done.stdout + done.stderr)
sys.exit(1 if failed else 0)
