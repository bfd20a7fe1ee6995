# SPDX-License-Identifier: MIT
"""The window starts as it was left: pipeline, shape, plans, page and size."""
import person
from person import check
from steps import prepare, set_entry, wait_for_seam


def remembers(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    set_entry(user, "^Output features ", "48")
    # On the CPU nothing is launched.
    check(not user.see("^Launch mode$", "combo box").sensitive, "A CUDA graph for the CPU?")
    user.click(wait_for_seam(user, 1, 0, "cut"))
    wait_for_seam(user, 1, 0, "fused")
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
    wait_for_seam(user, 1, 0, "fused")
    user.leave()


if __name__ == "__main__":
    person.run(remembers)
