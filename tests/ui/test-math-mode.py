# SPDX-License-Identifier: MIT
"""A 16-bit math mode and storage chosen in the sidebar: the run says what the target makes of them,
the copies of the operands are in the table, and the window starts with both the next time. A math
mode that has no 16-bit type has no such storage."""
import os
import signal
import time

import person
from person import check
from steps import prepare, set_entry, wait_for_seam, wait_for_verdict

PICTURE = os.environ.get("SEAMSCOPE_MATH_PICTURE")


def math_mode(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    user.choose(user.see("^Math mode$", "combo box"), "^FP32$")
    check(not user.see("^Storage$", "combo box").sensitive, "16 bits of FP32?")
    user.choose(user.see("^Math mode$", "combo box"), "^BF16$")
    wait_for_seam(user, 0, 0, "cut, 288 bytes")
    # A run that waits for a target that does not answer can be called off.
    worker = user.children()[0][0]
    os.kill(worker, signal.SIGSTOP)
    user.choose(user.see("^Storage$", "combo box"), "^16 bits between kernels$")
    wait_for_seam(user, 0, 0, "cut, 144 bytes")
    user.press("ctrl+r", "Escape")
    user.see_toast("^Not started: ")
    os.kill(worker, signal.SIGCONT)
    user.see("^Plan A moves 4.37 kB", "label")
    time.sleep(1)
    user.see("^Not run yet$", "label", timeout=1)
    # Else it begins with the answer.
    os.kill(worker, signal.SIGSTOP)
    set_entry(user, "^Seed", "2")
    user.press("ctrl+r")
    os.kill(worker, signal.SIGCONT)
    wait_for_verdict(user)
    user.see("round operands", None)
    user.see("rounds input and weight to BF16", "label")
    user.see("BF16 storage between kernels", "label")
    if PICTURE:
        user.take_picture(PICTURE)
    user.leave()

    # A target is remembered where it was chosen among several, which needs a GPU here.
    with open(os.path.join(user.folder, "config", "glib-2.0", "settings", "keyfile"), "a",
              encoding="utf-8") as settings:
        settings.write("\n[io/github/seamscope/Seamscope]\ntarget='cpu'\n")
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
