# SPDX-License-Identifier: MIT
"""Steps that several window tests begin with."""
import re


def set_entry(user, name, text):
    user.click(user.see(name, "text"))
    user.press("ctrl+a")
    user.type(text)
    user.press("Tab")
    user.tree.settle()


def prepare(user, preset="^tiny$", pipeline="^matmul-swish-bias-groupnorm:", budget=1):
    """Goes from the first start to a chosen pipeline and preset."""
    if user.look("^Run on this computer$", "push button"):
        # Before the worker has listed its targets, the start page covers everything else, and its
        # button moves.
        user.click(user.see("^Run on this computer$", "push button", timeout=60))
    user.click(user.see(pipeline, "list item"))
    user.choose(user.see("^Preset$", "combo box"), preset)
    set_entry(user, "^Time budget", str(budget))
    # Beside the window: GTK 4.8 warns where a tooltip appears while a dialog opens over it.
    user.xdotool("mousemove", "1598", "998")


def type_name(user, path):
    """Answers the Save dialog."""
    user.wait_for_dialog("Save session")
    user.press("ctrl+a")
    user.type(path.removesuffix(".seamscope"))
    user.press("Return")


def seams_of(user, plan):
    """The seams of plan A (0) or B (1), from left to right."""
    seams = sorted(user.look("^Seam [0-9]+, ", "push button"), key=lambda seam: (seam.y, seam.x))
    rows = sorted({seam.y for seam in seams})
    return [seam for seam in seams if seam.y == rows[plan]] if len(rows) == 2 else []


def wait_for_seam(user, plan, number, state):
    def find():
        seams = seams_of(user, plan)
        return seams and re.search(f", {state}\\b", seams[number].name) and seams[number]
    return user.wait(f"seam {number + 1} of plan {'AB'[plan]} {state}", find)


def wait_for_verdict(user, timeout=60):
    """The headline of a finished run."""
    return user.see(r"^([0-9.]+× (faster|slower)|Same within .*|Unclear|. is wrong|No verdict)$",
                    "label", timeout)


def find_workers(user):
    """The workers' process ids, first that of the worker for runs; explorations have their own."""
    return [pid for pid, command in user.children()
            if re.search(r"seamscope-cli\S* worker$", command)]
