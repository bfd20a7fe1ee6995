# SPDX-License-Identifier: MIT
"""The samples of a run below the table of the page Timing, on sessions recorded on an H200: every
sample of both plans with words, and the figure as a file; many words make no wide window."""
import os
import re

import person
from person import check

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "samples")
SAMPLE = os.path.join(SAMPLES, "h200-gemm-bias-relu.seamscope")
THROTTLED = os.path.join(SAMPLES, "h200-matmul-swish-bias-groupnorm-tf32.seamscope")


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

    # The words about a throttled chip are long. Put away, they are still in the page.
    user.start(THROTTLED)
    user.sit_down(1000)
    user.see(r"^A took longer in .*Throttled after [0-9]+ of [0-9]+ samples of B", "label")
    width = user.get_width()
    user.click(user.see("^Close the session$"))
    user.see("^Not run yet$", "label")
    check(user.get_width() == width, f"Was {width} wide, is {user.get_width()}.")
    user.leave()


person.run(samples, sits_down=False)
