# SPDX-License-Identifier: MIT
"""kill-window.py SEAMSCOPE [with KILLS=200 in the environment]: kills the window at random instants
while it makes one run after the other, and checks that the history has every run that had ended. Run
it on a screen of its own:

    tests/ui/run-person.sh tests/bench/kill-window.py build/normal/ui/seamscope

The window logs when the entry of a run is written; the history has to contain every logged run. Prints
a line for each kill that lost a run; the last line has the totals."""
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

program = sys.argv[1]
n_kills = int(os.environ.get("KILLS", "200"))
random.seed(1)
folder = tempfile.mkdtemp(prefix="seamscope-kill-")
environment = {**os.environ, "G_MESSAGES_DEBUG": "all", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
for variable in "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME":
    environment[variable] = os.path.join(folder, variable)
    os.makedirs(environment[variable])
database = os.path.join(environment["XDG_STATE_HOME"], "seamscope", "history.db")


def key(*names):
    subprocess.run(["xdotool", "key", *names], check=False, stderr=subprocess.DEVNULL)


def wait_for(log, pattern, process, timeout):
    end = time.monotonic() + timeout
    while time.monotonic() < end and process.poll() is None:
        with open(log, encoding="utf-8", errors="replace") as file:
            if re.search(pattern, file.read()):
                return True
        time.sleep(0.02)
    return False


def prepare_settings():
    """Writes settings for tiny runs of 0.1 s, without the start page."""
    path = os.path.join(environment["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile")
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write("[io/github/seamscope/Seamscope]\nstart-page-seen=true\n"
                   "pipeline='gemm-bias-relu'\npreset='tiny'\n"
                   "settings={'budget-s': '0.1'}\n")


prepare_settings()
n_ended = n_lost = 0
for kill in range(n_kills):
    log = os.path.join(folder, "log")
    with open(log, "wb") as file:
        process = subprocess.Popen([program], env=environment, stdout=file,
                                   stderr=subprocess.STDOUT)
    if not wait_for(log, "first frame after", process, 20):
        sys.exit(f"The window did not come up: {open(log, encoding='utf-8').read()}")
    end = time.monotonic() + random.uniform(0.5, 4)
    while time.monotonic() < end:
        key("ctrl+r")
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with open(log, encoding="utf-8", errors="replace") as file:
        said = [int(number) for number in re.findall(r"is entry (-?\d+)", file.read())]
    connection = sqlite3.connect(database)
    found = {number for number, in connection.execute("SELECT id FROM entry "
                                                "WHERE substr(content, 1, 6) = x'53514C697465'")}
    broken = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    lost = [number for number in said if number not in found]
    n_ended += len(said)
    n_lost += len(lost)
    if lost or broken != "ok":
        print(f"kill {kill}: lost {lost}; {broken}", flush=True)
print(f"{n_kills} kills, {n_ended} runs had ended, {n_lost} lost, {len(found)} in the history")
sys.exit(n_lost > 0)
