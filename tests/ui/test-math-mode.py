# SPDX-License-Identifier: MIT
"""A 16-bit math mode and storage chosen in the sidebar: the run says what the target makes of them,
the copies of the operands are in the table, and the window starts with both the next time. A math
mode that has no 16-bit type has no such storage."""
import os

import person
from person import check
from steps import prepare, wait_for_seam, wait_for_verdict

PICTURE = os.environ.get("SEAMSCOPE_MATH_PICTURE")


def math_mode(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    user.choose(user.see("^Math mode$", "combo box"), "^FP32$")
    check(not user.see("^Storage$", "combo box").sensitive, "16 bits of FP32?")
    user.choose(user.see("^Math mode$", "combo box"), "^BF16$")
    wait_for_seam(user, 0, 0, "cut, 288 bytes")
    user.choose(user.see("^Storage$", "combo box"), "^16 bits between kernels$")
    wait_for_seam(user, 0, 0, "cut, 144 bytes")
    # At once: the run waits for what the target says of the new mode, and begins then.
    user.press("ctrl+r")
    wait_for_verdict(user)
    user.see("round operands", None)
    user.see("rounds input and weight to BF16", "label")
    user.see("BF16 storage between kernels", "label")
    if PICTURE:
        user.take_picture(PICTURE)
    user.leave()

    user.start()
    user.find_window()
    user.sit_down()
    user.see("^Math mode$", "combo box")
    user.see("^BF16$", "label")
    user.see("^16 bits between kernels$", "label")
    # The choice is kept while the mode has none.
    user.choose(user.see("^Math mode$", "combo box"), "^FP32$")
    storage = user.see("^Storage$", "combo box")
    user.wait("storage that cannot be chosen", lambda: not storage.sensitive)
    check(not user.look("^16 bits between kernels$", "label"), "16 bits of FP32?")
    user.choose(user.see("^Math mode$", "combo box"), "^FP16$")
    user.see("^16 bits between kernels$", "label")
    user.leave()


if __name__ == "__main__":
    person.run(math_mode)
