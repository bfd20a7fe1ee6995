# SPDX-License-Identifier: MIT
"""Sessions in the window: a measured run is saved and opened again with the same figures; sessions on
the start page are opened, and one that is none is named."""
import os
import re
import shutil
import subprocess
import sys

import person
from person import check
from steps import prepare, type_name, wait_for_verdict

CLI = os.path.join(os.path.dirname(os.path.dirname(sys.argv[1])), "app", "cli", "seamscope-cli")
QUICK = ["--target", "cpu", "--preset", "tiny", "--budget", "0.2"]


def record(path, *arguments):
    done = subprocess.run([CLI, "run", "matmul-swish-bias-groupnorm", *QUICK, *arguments, "--append",
                           path], capture_output=True, text=True, check=False)
    check(done.returncode in (0, 1), f"seamscope-cli run: {done.stderr}")


def export(user, name):
    """Exports the timing figure, the difference figure and the tables on the screen; returns their bytes."""
    contents = []
    # As PNG, because ids in an SVG count earlier drawings of the process.
    for action, ending in (("timing", "png"), ("difference", "png"), ("csv-plans", "csv"),
                           ("csv-kernels", "csv"), ("csv-samples", "csv"), ("csv-overview", "csv")):
        path = os.path.join(user.folder, f"{name}-{action}.{ending}")
        user.activate(f"export-{action}-to", path)
        user.wait(f"file {path}", lambda: os.path.exists(path))
        with open(path, "rb") as file:
            contents.append((action, file.read()))
    return contents


def closes(user):
    try:
        check(user.process.wait(15) == 0, f"The window did not end well.\n{user.read_log()}")
    except subprocess.TimeoutExpired:
        raise person.Failure("The window did not close.") from None


def replaces_only_when_told(user, path):
    """A name typed without its ending is that of a file which exists: the person is asked."""
    def answer(key):
        user.activate("export-timing")
        user.wait_for_dialog("Export timing figure")
        user.press("ctrl+a")
        user.type(path.removesuffix(".png"))
        user.press("Return")
        user.see(f"^Replace “{os.path.basename(path)}”", "label")
        user.press(key)
        user.wait("the end of the question", lambda: not user.look("^Replace “", "label"))

    with open(path, "wb") as file:
        file.write(b"a file of the person")
    answer("Escape")
    check(os.path.getsize(path) == 20, "A file was replaced although the person said no.")
    answer("alt+r")
    user.wait("the new picture", lambda: os.path.getsize(path) > 1000)


def saved_and_opened_again(user):
    prepare(user)
    user.press("ctrl+s")
    user.see_toast("^There is no result to save yet")
    user.press("ctrl+r")
    wait_for_verdict(user)
    user.press("alt+2")
    user.see(r"^(Outputs agree|Outputs differ)", "label")
    user.wait("the slice", lambda: not user.look("^Asking for the slice", "label"))
    measured = export(user, "measured")
    replaces_only_when_told(user, os.path.join(user.folder, "measured-timing.png"))

    path = os.path.join(user.folder, "kept.seamscope")
    user.press("ctrl+s")
    type_name(user, path)
    user.wait_for_dialog_end("Save session")
    # This toast comes after those of the exports.
    user.see_toast("^Saved kept.seamscope$", timeout=60)
    user.press("ctrl+q")
    closes(user)

    # The session contains the code that ran.
    code = os.path.join(user.folder, "code")
    done = subprocess.run([CLI, "export", path, "--code", code], capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0 and "unfused-1.txt" in os.listdir(code), done.stderr + done.stdout)

    user.start(path)
    user.sit_down()
    user.see("^Recorded run from kept.seamscope$", "label")
    user.press("alt+1")
    wait_for_verdict(user)
    user.see("^From kept.seamscope · ", "label")
    user.press("alt+2")
    user.see(r"^(Outputs agree|Outputs differ)", "label")
    for (action, before), (_, after) in zip(measured, export(user, "stored"), strict=True):
        check(len(before) > 100 and before == after, f"The {action} of the file differs.")

    # Run measures again; the result is new and unsaved, and Save adds it to the open file.
    user.press("alt+1")
    user.press("ctrl+r")
    user.wait("the recorded run to be put away",
              lambda: not user.look("^Recorded run from", "label"), timeout=30)
    user.wait("the end of the run", lambda: user.see("^Run$", "push button").sensitive, timeout=60)
    user.press("ctrl+s")
    user.see_toast("^Saved as run 2 of kept.seamscope$", timeout=60)
    user.press("ctrl+s")
    user.see_toast("^kept.seamscope holds this already$")


def samples_on_the_start_page(user):
    data = os.path.join(user.folder, "sample-data")
    shutil.copytree(os.environ["SEAMSCOPE_DATADIR"], data,
                    ignore=shutil.ignore_patterns("pictures", "samples"))
    os.makedirs(os.path.join(data, "samples"))
    record(os.path.join(data, "samples", "recorded.seamscope"), "--plan", "unfused", "--plan", "full")
    with open(os.path.join(data, "samples", "spoilt.seamscope"), "w", encoding="utf-8") as file:
        file.write("spoilt")
    os.environ["SEAMSCOPE_DATADIR"] = data
    user.start()
    user.sit_down()
    user.activate("start-page")
    user.see("spoilt.seamscope cannot be opened", "label")
    # The pipeline's name stands in the sidebar too.
    user.click(user.see("^FP32 on .*: unfused, full$", "label"))
    user.see("^Recorded run from recorded.seamscope$", "label")
    user.press("alt+1")
    wait_for_verdict(user)
    # The program's own recordings are never overwritten.
    user.press("ctrl+s")
    user.see("^Save which results", "dialog")
    # A key before the dialog has the focus would be lost.
    user.wait_for_dialog("Save which results")
    user.press("Return")
    user.wait_for_dialog("Save session")
    user.press("Escape")
    user.wait_for_dialog_end("Save session")


def sessions(user):
    saved_and_opened_again(user)
    user.leave()
    samples_on_the_start_page(user)
    user.leave()


if __name__ == "__main__":
    person.run(sessions)
