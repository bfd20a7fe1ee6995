# SPDX-License-Identifier: MIT
"""When a worker dies during a run, there is a message and a new worker, and nothing else is lost. Stop
acts within half a second and keeps the samples."""
import os
import signal
import time

import person
from person import check
from steps import find_workers, prepare, set_entry


def start_run(user):
    user.press("ctrl+r")
    # Samples are arriving, so the worker is in the middle of its work.
    user.see(r"^[1-9][0-9]* samples · ", "label", timeout=30)


def lose_worker(user):
    prepare(user, preset="^laptop$", pipeline="^conv-relu-bias:")
    set_entry(user, "^Time budget", "30")
    set_entry(user, "^Seed", "4711")

    start_run(user)
    worker = user.wait("the worker", lambda: find_workers(user))[0]
    os.kill(worker, signal.SIGKILL)
    message = user.see(r"worker", "label")
    check(len(message.name) > 20, f"The message says too little: {message.name}")
    user.see("^Run$", "push button")
    # Typed values are kept.
    user.wait("the seed as typed", lambda: user.read("^Seed") == "4711")

    # The next run works, in a new process.
    set_entry(user, "^Time budget", "1")
    user.press("ctrl+r")
    again = user.wait("another worker", lambda: find_workers(user))[0]
    check(again != worker, "The dead worker still runs.")
    # The lost run's "No verdict" does not match, because it is no verdict.
    user.see(r"^([0-9.]+× (faster|slower)|Same within .*|Unclear)$", "label", timeout=90)

    # Stop.
    set_entry(user, "^Time budget", "60")
    start_run(user)
    begin = time.monotonic()
    user.press("Escape")
    user.wait("the end of the run", lambda: not user.look(r"^Measuring", "label"), timeout=10)
    end = time.monotonic()
    user.look(r"^Measuring", "label")
    looking = time.monotonic() - end
    # The program has half a second. The rest is the time of the test's own looks at the window, one that
    # came too early and one that saw the state, which are slow on a busy machine.
    took = max(0, end - begin - 2 * looking)
    check(took < 3, f"Stop took {took:.1f} s beside twice {looking:.1f} s of looking.")
    print(f"# Stop took {took:.2f} s beside twice {looking:.2f} s of looking.")
    check(again in find_workers(user), "Stop cost a worker.")
    user.leave()
    end = time.monotonic() + 5
    while os.path.exists(f"/proc/{again}") and time.monotonic() < end:
        time.sleep(0.1)
    check(not os.path.exists(f"/proc/{again}"), "The worker outlived its window.")


if __name__ == "__main__":
    person.run(lose_worker)
