#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Measures how long Stop takes: starts a long run in a worker, cancels it after waits of several
# lengths, and times the answer. Fails over half a second. Part of a GPU session (session.sh, step
# stop).
#
#   tests/gpu/stop.py [TARGET [PRESET]]

import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from worker_json import Worker  # noqa: E402

target = sys.argv[1] if len(sys.argv) > 1 else "cuda:0"
preset = sys.argv[2] if len(sys.argv) > 2 else "kernelbench"
folder = os.path.join(os.path.dirname(__file__), "..", "..", "data", "pipelines")
pipeline = "conv-relu-hardswish"
with open(os.path.join(folder, pipeline + ".ini"), encoding="utf-8") as file:
    text = file.read()
request = {"pipeline": pipeline, "pipeline_text": text, "preset": preset, "target": target,
           "plans": ["unfused", "published", "epilogue", "full", "conv+conv_bias|relu+add3+div6+clamp+mul",
                     "conv|conv_bias|relu|add3+div6+clamp+mul"],
           "math_mode": "tf32", "budget_s": 60.0}
worst = 0.0
for wait in 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0:
    worker = Worker()
    run = worker.send("run", request)
    phase = "start"
    started = time.monotonic()
    cancelled = None
    while True:
        message = worker.receive_text().decode()
        now = time.monotonic()
        if '"method"' in message:
            # Unknown numbers of a notification are NaN, for which JSON has no word.
            found = re.search(r'"phase" *: *"([^"]*)"', message)
            phase = found.group(1) if found else phase
        elif f'"id":{run}' in message.replace(" ", ""):
            break
        if cancelled is None and now - started > wait:
            worker.send("cancel", {})
            cancelled = now
    if cancelled is None:
        print(f"after {wait} s: the run had ended before")
        continue
    took = now - cancelled
    worst = max(worst, took)
    what = "error" if '"error"' in message else "result"
    print(f"after {wait} s (phase {phase}): stopped in {took * 1000:.0f} ms with {what}")
    worker.end()
print(f"Stop took at most {worst * 1000:.0f} ms")
sys.exit(0 if worst < 0.5 else 1)
