# SPDX-License-Identifier: MIT
"""A 16-bit math mode chosen in the sidebar: the run says what the target makes of it, the copies of
the operands are in the table, and the window starts with it the next time."""
import os

import person
from steps import prepare, wait_for_verdict

PICTURE = os.environ.get("SEAMSCOPE_MATH_PICTURE")


def math_mode(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    user.choose(user.see("^Math mode$", "combo box"), "^BF16$")
    # At once: the run waits for what the target says of the new mode, and begins then.
    user.press("ctrl+r")
    wait_for_verdict(user)
    user.see("round operands", None)
    user.see("rounds input and weight to BF16", "label")
    if PICTURE:
        user.take_picture(PICTURE)
    user.leave()

    user.start()
    user.find_window()
    user.sit_down()
    user.see("^Math mode$", "combo box")
    user.see("^BF16$", "label")
    user.leave()


if __name__ == "__main__":
    person.run(math_mode)
