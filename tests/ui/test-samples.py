# SPDX-License-Identifier: MIT
"""The samples of a run below the table of the page Timing, on a session recorded on an H200: every
sample of both plans with words, and the figure as a file."""
import os
import re

import person
from person import check

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "samples",
                      "h200-gemm-bias-relu.seamscope")


def samples(user):
    user.start(SAMPLE)
    user.sit_down()
    figure = user.see("^All samples in the order they were taken")
    counts = re.findall(r"([AB]): (\d+) samples, median ", figure.name)
    check([letter for letter, _ in counts] == ["A", "B"] and all(int(n) > 0 for _, n in counts),
          figure.name)
    user.see("^A took longer in [0-9]+ of [0-9]+ pairs of neighbouring samples", "label")
    path = os.path.join(user.folder, "samples.svg")
    user.activate("export-sequence-to", path)
    user.wait("the figure", lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    with open(path, encoding="utf-8") as file:
        check(file.read().startswith("<?xml"), "No SVG.")
    user.leave()


person.run(samples, sits_down=False)
