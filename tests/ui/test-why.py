# SPDX-License-Identifier: MIT
"""Why a seam can be fused or not: a popover with sentence, number and picture, by the pointer and
by the keys, for the op that it is about; it takes nothing away from cutting and fusing."""
import person
from person import check
from steps import prepare, wait_for_seam


def why(user):
    prepare(user)
    seam = wait_for_seam(user, 1, 0, "cut")
    user.point(seam)
    user.xdotool("click", 3)
    user.see("^Plan B, seam 1: matmul to matmul_bias$", "label")
    user.see("^(This target|The target)", "label")
    user.see("^Each output of ", "image")
    user.press("Escape")
    user.wait("the popover to go", lambda: not user.look("^Plan B, seam 1: ", "label"))
    wait_for_seam(user, 1, 0, "cut")

    # With the keys, at the seam before GroupNorm: what belongs together is a group.
    user.click(seam)
    wait_for_seam(user, 1, 0, "fused")
    user.press("End", "Menu")
    user.see("^Plan B, seam 5: bias to groupnorm$", "label")
    group = user.see("^A group of groupnorm spans ", "label")
    check("columns of one row" in group.name, f"The sentence says {group.name}")
    user.press("Escape")
    user.wait("the popover to go", lambda: not user.look("^Plan B, seam 5: ", "label"))
    user.press("Home", "space")
    wait_for_seam(user, 1, 0, "cut")
    user.leave()


if __name__ == "__main__":
    person.run(why)
