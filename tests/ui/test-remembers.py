# SPDX-License-Identifier: MIT
"""The window starts as it was left: pipeline, shape, three plans, page and size."""
import re

import person
from person import check
from steps import prepare, set_entry, wait_for_seam


def third_row(user):
    """The seams of plan C, from left to right; empty where there is none."""
    seams = user.look("^Seam [0-9]+, ", "push button")
    rows = sorted({seam.y for seam in seams})
    return sorted((seam for seam in seams if seam.y == rows[2]), key=lambda seam: seam.x) \
        if len(rows) == 3 else []


def states(seams):
    return [re.search(r", (cut|fused)\b", seam.name)[1] for seam in seams]


def remembers(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    set_entry(user, "^Output features ", "48")
    # On the CPU nothing is launched.
    check(not user.see("^Launch mode$", "combo box").sensitive, "A CUDA graph for the CPU?")
    user.click(wait_for_seam(user, 1, 0, "cut"))
    wait_for_seam(user, 1, 0, "fused")
    # A third plan, like B and then changed.
    user.open_list(user.see("^Plan B: ", "push button"), "^Add plan C, ", "push button")
    user.walk_to("^Add plan C, ", "push button", "Tab")
    user.press("space")
    user.see("^Plan C: ", "push button")
    user.click(third_row(user)[1])
    user.wait("the last seam of plan C cut", lambda: states(third_row(user)) == ["fused", "cut"])
    user.press("alt+2")
    user.see("^No outputs to compare yet", "label")
    user.press("F9")
    width = user.get_width()
    user.leave()

    user.start()
    user.find_window()
    user.wait("the window's old width", lambda: abs(user.get_width() - width) < 4)
    user.sit_down()
    user.press("F9")
    row = user.see("^gemm-bias-relu:", "list item")
    user.wait("the pipeline as it was", lambda: row.selected)
    check(user.read("^Output features ") == "48", "The shape is another.")
    user.press("alt+1")
    user.see("^Plan C: ", "push button")
    user.wait("plan C as it was", lambda: states(third_row(user)) == ["fused", "cut"])
    user.leave()


if __name__ == "__main__":
    person.run(remembers)
