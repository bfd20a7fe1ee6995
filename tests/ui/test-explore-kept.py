# SPDX-License-Identifier: MIT
"""An exploration is kept: measured in the window, saved, opened again as a recording that nothing is
measured into, put away; one that the command wrote is opened, too."""
import os
import subprocess
import sys

import person
from person import check
from steps import prepare

CLI = os.path.join(os.path.dirname(os.path.dirname(sys.argv[1])), "app", "cli", "seamscope-cli")


def nodes(user):
    return [item.name for item in user.look(r"^matmul[+|].*: ", "push button")]


def kept(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    user.press("alt+4")
    user.see("^4 to measure, ", "label")
    user.press("ctrl+r")
    user.see("^4 of 4 measured$", "label", 60)
    measured = sorted(nodes(user))
    check(len(measured) == 4, f"{measured}")
    path = os.path.join(user.folder, "explored.seamscope")
    user.activate("save-to", path)
    user.see_toast("^Saved explored.seamscope$")
    user.press("ctrl+s")
    user.see("^explored.seamscope holds this already$", "label")

    # Another day: the page Explore is shown, with the same numbers.
    user.leave()
    user.start(path)
    user.sit_down()
    user.see("^Recorded exploration from explored.seamscope$", "label")
    user.see("^4 of 4 measured$", "label")
    user.wait("the recorded nodes", lambda: sorted(nodes(user)) == measured)
    check(not user.see("^Measure all$", "push button").sensitive, "Nothing is left to measure.")
    user.click(user.see("^Close the session$", "push button"))
    user.wait("the recording to be put away", lambda: not user.look("^Recorded exploration"))
    user.wait("the live nodes", lambda: nodes(user) and sorted(nodes(user)) != measured)

    # From the command.
    written = os.path.join(user.folder, "written.seamscope")
    done = subprocess.run([CLI, "explore", "conv-relu-bias", "--target", "cpu", "--preset", "tiny",
                           "--budget", "0.2", "--save", written], capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0, done.stderr)
    user.activate("open-recent", "file://" + written)
    user.see("^Recorded exploration from written.seamscope$", "label")
    user.see("^3 seams, 8 partitions$", "label")
    user.leave()


if __name__ == "__main__":
    person.run(kept)
