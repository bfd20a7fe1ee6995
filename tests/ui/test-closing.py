# SPDX-License-Identifier: MIT
"""What was measured and is in no file is never lost without a question: on closing, on a signal, and
when another session is opened. The question names every result; all are saved into one file."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import person
from person import check
from steps import prepare, type_name

FOLDER = os.path.dirname(os.path.abspath(__file__))
CLI = os.path.join(os.path.dirname(os.path.dirname(sys.argv[1])), "app", "cli", "seamscope-cli")
SAMPLE = os.path.join(os.environ["SEAMSCOPE_DATADIR"], "samples",
                      "h200-conv-relu-hardswish.seamscope")
CLOSING, OPENING = "^Save before closing", "^Save before opening"
FIRST, SECOND = "matmul-swish-bias-groupnorm, 2 plans", "gemm-bias-relu, 2 plans"
EXPLORED = "exploration of gemm-bias-relu, 4 of 4 partitions"


def listed(user, heading):
    """The lines of the question, without their times."""
    user.see(heading, "dialog")
    names = [item.name for item in user.look(", [0-9]{2}:[0-9]{2}$", "label")]
    return [re.sub(", [0-9:]{5}$", "", name) for name in names]


def cancel(user, heading):
    user.press("Escape")
    user.wait("the question to go", lambda: not user.look(heading, "dialog"))
    check(user.process.poll() is None, "Cancel closed the window.")


def asked(user, heading, *names):
    found = listed(user, heading)
    check(found == list(names), f"The question names {found}.")
    folder = os.environ.get("SEAMSCOPE_TEST_PICTURES")
    if folder:
        user.take_picture(os.path.join(folder, f"closing-{len(names)}-{heading[13:20]}.png"))


def begun(user):
    """When the run that is shown began, to the second; None: none is shown."""
    labels = user.look(r" · \d{4}-\d\d-\d\dT[0-9:]+Z · ", "label")
    return re.search(r"[0-9-]{10}T[0-9:]+Z", labels[0].name)[0] if labels else None


def run(user):
    before = begun(user)
    # In another second, to tell the runs apart.
    user.wait("the next second",
              lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) != before)
    user.press("alt+1", "ctrl+r")
    user.wait("the new result", lambda: begun(user) not in (None, before), timeout=60)


def choose_pipeline(user, pattern):
    user.click(user.see(pattern, "list item"))
    user.see("^Not run yet$", "label")


def ends(user):
    try:
        check(user.process.wait(15) == 0, f"The window did not end well.\n{user.read_log()}")
    except subprocess.TimeoutExpired:
        raise person.Failure("The window did not close.") from None


def begin_session(folder):
    """A desktop whose session can end; what it hears from the window stands in a file."""
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
        keep_everything(user, manager, heard)
    finally:
        manager.terminate()
        manager.wait()


def keep_everything(user, manager, heard):
    prepare(user, budget=0.2)
    run(user)

    # A result of a pipeline that is not the one shown.
    choose_pipeline(user, "^gemm-bias-relu:")
    user.press("ctrl+q")
    asked(user, CLOSING, FIRST)
    cancel(user, CLOSING)

    # The desktop's session ends: it is held, for the reason that the question explains.
    manager.send_signal(signal.SIGUSR1)
    user.see(CLOSING, "dialog")
    user.wait("the session to be held", lambda: says(heard, "Measured results are not saved"))
    cancel(user, CLOSING)

    # A run does not drop what another one measured; the same run again replaces itself.
    user.choose(user.see("^Preset$", "combo box"), "^tiny$")
    run(user)
    run(user)
    user.press("alt+4")
    user.see("^4 to measure, ", "label")
    user.press("ctrl+r")
    user.see("^4 of 4 measured$", "label", 60)
    user.process.send_signal(signal.SIGTERM)
    asked(user, CLOSING, FIRST, SECOND, EXPLORED)
    cancel(user, CLOSING)

    # Another session loses the runs, and is opened once they are saved.
    user.press("alt+1")
    user.activate("open-recent", "file://" + SAMPLE)
    asked(user, OPENING, FIRST, SECOND)
    cancel(user, OPENING)
    check(begun(user) is not None, "Cancel put the result away.")
    check(not user.look("^Recorded run from", "label"), "Cancel opened the session.")
    folder = os.path.join(user.folder, "kept")
    os.makedirs(folder)
    path = os.path.join(folder, "kept.seamscope")
    user.activate("open-recent", "file://" + SAMPLE)
    user.see(OPENING, "dialog")
    user.press("Return")
    type_name(user, path)
    user.wait_for_dialog_end("Save session")
    user.see("^Recorded run from h200-conv-relu-hardswish.seamscope$", "label")
    user.wait("the session to be let go", lambda: says(heard, "Uninhibit"))
    done = subprocess.run([CLI, "export", path], capture_output=True, text=True, check=False)
    for words in ("matmul-swish-bias-groupnorm", "gemm-bias-relu", "4 of 4 partitions measured"):
        check(words in done.stdout, f"{words} is not in the file:\n{done.stdout}{done.stderr}")

    # Nothing is unsaved: no question. A save that fails keeps the window.
    user.activate("open-recent", "file://" + path)
    user.see("^Recorded run from kept.seamscope$", "label")
    run(user)
    shutil.rmtree(folder)
    user.press("ctrl+q")
    asked(user, CLOSING, FIRST)
    user.press("Return")
    user.see("^The session was not saved", "label")
    check(user.process.poll() is None, "The window closed without having saved.")
    user.process.send_signal(signal.SIGHUP)
    user.see(CLOSING, "dialog")
    user.press("alt+w")
    ends(user)


if __name__ == "__main__":
    person.run(closing, sits_down=False)
