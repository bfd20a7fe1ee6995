# SPDX-License-Identifier: MIT
"""Every result is in the history from the moment its run ends: the window closes without a question,
and no result is lost by a kill of the window, a signal, or the end of the desktop's session. Closing
asks only if the history cannot be written."""
import glob
import os
import re
import signal
import subprocess
import time

import person
from person import check
from steps import find_workers, prepare, set_entry, type_name

FOLDER = os.path.dirname(os.path.abspath(__file__))
CLOSING = "^Save before closing"


def entries(user):
    """The rows of the list of runs, from the top."""
    return [row.name for row in user.look(r", \d+ \w+ [0-9:]+: ", "list item")]


def wait_for_entries(user, n):
    return user.wait(f"{n} entries of the history", lambda: len(entries(user)) == n
                     and entries(user), timeout=60)


def run(user, n_before):
    user.press("alt+1", "ctrl+r")
    wait_for_entries(user, n_before + 1)
    user.wait("the end of the run", lambda: user.see("^Run$", "push button").sensitive, timeout=60)


def ends(user, status=0):
    try:
        found = user.process.wait(15)
        check(found == status, f"The window ended with {found}.\n{user.read_log()}")
    except subprocess.TimeoutExpired:
        raise person.Failure("The window did not close.") from None


def again(user):
    user.start()
    user.sit_down()


def begin_session(folder):
    """A desktop whose session can end; a file has the window's answers to it."""
    heard = os.path.join(folder, "session-manager")
    with open(heard, "w", encoding="utf-8") as file:
        manager = subprocess.Popen(["/usr/bin/env", "-u", "PYTHONHOME", "/usr/bin/python3", "-W",
                                    "ignore", os.path.join(FOLDER, "session-manager.py")],
                                   stdout=file)
    return manager, heard


def says(path, words):
    with open(path, encoding="utf-8") as file:
        return words in file.read()


def closing(user):
    manager, heard = begin_session(user.folder)
    try:
        while not says(heard, "ready"):
            check(manager.poll() is None, "The session manager did not start.")
            time.sleep(0.1)
        user.start()
        user.sit_down()
        user.wait("the window to register", lambda: says(heard, "RegisterClient"))
        keeps_everything(user)
        asks_where_the_disk_fails(user, manager, heard)
    finally:
        manager.terminate()
        manager.wait()


def keeps_everything(user):
    prepare(user, pipeline="^gemm-bias-relu:", budget=0.2)
    run(user, 0)
    user.press("ctrl+q")
    ends(user)

    # The window is killed at the moment the result is there.
    again(user)
    wait_for_entries(user, 1)
    user.press("ctrl+r")
    wait_for_entries(user, 2)
    user.process.kill()
    ends(user, -signal.SIGKILL)

    # The window is closed during a run: the run is stopped, then the window closes. The worker is
    # held meanwhile, because on a quiet machine the run can end by itself within a second.
    again(user)
    wait_for_entries(user, 2)
    user.choose(user.see("^Preset$", "combo box"), "^laptop$")
    set_entry(user, "^Time budget", "60")
    user.press("ctrl+r")
    user.see("^[1-9][0-9]* samples · [0-9.]+ of 60 s", "label", 30)
    workers = find_workers(user)
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    user.press("ctrl+q")
    user.see("^Stopping", "label")
    for worker in workers:
        os.kill(worker, signal.SIGCONT)
    ends(user)
    again(user)
    newest = wait_for_entries(user, 3)[0]
    check("stopped early: " in newest, f"The newest entry is {newest}.")

    # A signal ends an exploration.
    user.choose(user.see("^Preset$", "combo box"), "^tiny$")
    user.press("alt+4")
    user.see("^4 to measure, ", "label")
    user.press("ctrl+r")
    user.see("^[1-4] of 4 measured", "label", 60)
    user.process.send_signal(signal.SIGTERM)
    ends(user)
    again(user)
    newest = wait_for_entries(user, 4)[0]
    check(re.search(r"[1-4] of 4 partitions", newest), f"The newest entry is {newest}.")


def asks_where_the_disk_fails(user, manager, heard):
    user.press("ctrl+q")
    ends(user)
    database = os.path.join(user.folder, "state", "seamscope", "history.db")
    for path in glob.glob(database + "*"):
        os.unlink(path)
    os.mkdir(database)
    again(user)
    user.press("alt+1")
    set_entry(user, "^Time budget", "0.2")
    run(user, 0)
    user.see("The result is not in the history", "label")

    # The desktop's session would end, but the window holds it, and its question gives the reason.
    manager.send_signal(signal.SIGUSR1)
    user.see(CLOSING, "dialog")
    user.wait("the session to be held", lambda: says(heard, "Measured results are not saved"))
    user.press("Escape")
    user.wait("the question to go", lambda: not user.look(CLOSING, "dialog"))
    check(user.process.poll() is None, "Cancel closed the window.")

    # A save that fails keeps the window.
    path = os.path.join(user.folder, "kept.seamscope")
    user.press("ctrl+q")
    user.see(CLOSING, "dialog")
    user.press("Return")
    type_name(user, "/proc/kept.seamscope")
    user.see("^The session was not saved", "label")
    check(user.process.poll() is None, "The window closed without having saved.")
    user.process.send_signal(signal.SIGHUP)
    user.see(CLOSING, "dialog")
    user.press("Return")
    type_name(user, path)
    ends(user)
    check(os.path.exists(path), "The window closed without having saved.")


if __name__ == "__main__":
    person.run(closing, sits_down=False)
