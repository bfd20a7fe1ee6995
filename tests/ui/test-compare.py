#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
"""Two sessions side by side in a window of their own: an open one with a file, what keeps two runs
from being compared, another run chosen, export, and a file that is none."""

import os
import tempfile

import person
from person import check

SAMPLES = os.path.join(os.environ["SEAMSCOPE_DATADIR"], "samples")
FIRST = os.path.join(SAMPLES, "h200-conv-relu-bias.seamscope")
OTHER = os.path.join(SAMPLES, "h200-matmul-swish-bias-groupnorm-fp32.seamscope")


def leave_it(user, main):
    user.press("ctrl+w")
    user.wait("the comparison to be gone", lambda: not user.look("Export the comparison"))
    user.window, user.title = main, None
    user.xdotool("windowfocus", main)


def compare(user):
    user.start(FIRST)
    user.sit_down()
    user.see("^Recorded run from h200-conv-relu-bias.seamscope$", "label")

    # The run of the file that fits the shown one best: itself.
    user.activate("compare-with", FIRST)
    user.see("^Plans of B against A: ", "label")
    user.see("Run of B", "combo box")
    user.see("rank-sum test", "label")
    main = user.window
    user.turn_to("Compare sessions")
    picture = os.environ.get("SEAM_PICTURES")
    if picture:
        user.take_picture(os.path.join(picture, "compare.png"))

    # The other math mode is no comparison, and says why.
    user.choose(user.see("Run of B", "combo box"), "Run 2")
    user.see("^Not comparable: math mode is TF32 in A and FP32 in B.$", "label")
    if picture:
        user.take_picture(os.path.join(picture, "compare-not.png"))
    user.choose(user.see("Run of B", "combo box"), "Run 1")
    user.see("^Plans of B against A: ", "label")

    with tempfile.TemporaryDirectory() as folder:
        user.activate("export-table-to", os.path.join(folder, "a.csv"), window=2)
        user.wait("the table", lambda: os.path.exists(os.path.join(folder, "a.csv")))
        text = open(os.path.join(folder, "a.csv"), encoding="utf-8").read()
        check("kernel,unfused," in text and "elapsed_median_ns" in text, "The table has numbers.")
        user.activate("export-figure-to", os.path.join(folder, "a.svg"), window=2)
        user.wait("the figure", lambda: os.path.exists(os.path.join(folder, "a.svg")))
    leave_it(user, main)

    # Another pipeline.
    user.activate("compare-with", OTHER)
    user.see("^Not comparable: pipeline is conv-relu-bias in A", "label")
    user.turn_to("Compare sessions")
    leave_it(user, main)

    # A file that is none leaves the window as it is.
    with tempfile.NamedTemporaryFile("w", suffix=".seamscope") as file:
        file.write("no session")
        file.flush()
        user.activate("compare-with", file.name)
        user.see("cannot be opened. This is no Seamscope session.", "label")
    user.leave()


if __name__ == "__main__":
    person.run(compare, sits_down=False)
