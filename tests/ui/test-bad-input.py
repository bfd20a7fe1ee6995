# SPDX-License-Identifier: MIT
"""What a new user gets wrong: each gets a sentence in its place, Run waits, and nothing is lost."""
import os
import shutil

import person
from person import check
from steps import prepare, set_entry

DATA = os.environ.get("SEAMSCOPE_DATADIR", "")


def run_button(user):
    return user.see("^Run$", "push button")


def try_field(user, field, text, *words):
    """Types `text`, wants a sentence with these words in order, and puts the old text back."""
    old = user.read(field)
    set_entry(user, field, text)
    user.see("(?i)" + ".*".join(words), "label")
    user.wait("Run to wait", lambda: not run_button(user).sensitive)
    user.press("ctrl+r")
    check(not user.look("^Measuring", "label"), f"{field} “{text}” was run.")
    check(user.read(field) == text, f"{field}: the text as typed is gone.")
    set_entry(user, field, old)
    user.wait("Run to be ready again", lambda: run_button(user).sensitive)


def bad_fields(user):
    prepare(user, pipeline="^conv-bias-scale-sigmoid-groupnorm:")
    try_field(user, "^Height ", "0", "Height", "“0”", "1 to")
    try_field(user, "^Height ", "tall", "Height", "“tall”", "number")
    try_field(user, "^Kernel size ", "99", "kernel", "larger than the image")
    try_field(user, "^Groups ", "5", "5 groups", "divide")
    try_field(user, "^Time budget", "long", "“long”")
    try_field(user, "^Seed", "-1", "“-1”")

    # 10^12 elements: no field is wrong, but it cannot fit; refused in words, and still here.
    set_entry(user, "^Batch ", "1000000")
    set_entry(user, "^Height ", "1000")
    set_entry(user, "^Width ", "1000")
    user.see("smaller shape", "label")
    user.press("ctrl+r")
    user.wait("the window to go on", lambda: user.look("^Run$", "push button"))
    check(not user.look("^Outputs agree", "label"), "10¹² elements were run.")
    user.choose(user.see("^Preset$", "combo box"), "^tiny$")

    # A plan that is none.
    user.open_list(user.see("^Plan B: ", "push button"), "^Plan notation", "text")
    user.walk_to("^Plan notation", "text", "Tab")
    user.press("ctrl+a")
    user.type("conv+relu")
    user.press("Return")
    user.see("relu", "label")
    user.press("Escape")
    user.see("^Plan B: Published", "push button")
    user.leave()


def bad_files(user):
    """Pipeline files that are cut off, or of something else, named on the command line."""
    good = os.path.join(DATA, "pipelines", "conv-relu-bias.ini")
    cut = os.path.join(user.folder, "cut.ini")
    with open(good, encoding="utf-8") as source, open(cut, "w", encoding="utf-8") as file:
        file.write(source.read()[:400])
    user.start(cut)
    user.sit_down()
    user.see(r"cut\.ini")
    user.leave()

    own = os.path.join(user.folder, "my-own.ini")
    shutil.copy(good, own)
    user.start(own)
    user.sit_down()
    user.see("^my-own: conv2d", "list item")
    user.leave()

    user.start(os.path.join(user.folder, "missing.ini"))
    user.sit_down()
    user.see(r"missing\.ini")
    user.leave()


def all_of_it(user):
    user.start()
    user.sit_down()
    bad_fields(user)
    bad_files(user)


if __name__ == "__main__":
    person.run(all_of_it, sits_down=False)
