# SPDX-License-Identifier: MIT
"""Keys that follow each other faster than the screen: a shortcut right after a choice in a drop-down
is not lost. And the list of all shortcuts, which opens over it."""
import person
from person import check
from steps import prepare, wait_for_verdict


def open_list(user, drop_down):
    user.click(drop_down)
    user.wait("the open list", lambda: [item for item in user.look("^Normal$", "label")
                                        if item.popover is not None])


def list_shortcuts(user):
    """Both pages, and the search. A warning of GTK ends the window."""
    user.press("ctrl+question")
    user.wait_for_dialog("^Keyboard shortcuts$")
    user.see("^Why the seam can be fused", "label")
    second = "^Move it by 16"
    check(not user.look(second, "label"), "Both pages are seen at once.")
    user.press("ctrl+Next")
    user.see(second, "label")
    user.press("ctrl+f")
    user.type("worst cell")
    user.see("^Next worst cell of the overview$", "label")

    def leave():
        # The first leaves the search, which takes a moment.
        user.press("Escape")
        return user.xdotool("getactivewindow") == user.window
    user.wait("the shortcuts closed", leave)


def fast_keys(user):
    prepare(user, budget=.2)
    list_shortcuts(user)
    drop_down = user.see("^Input values$", "combo box")
    for turn in range(6):
        page, key = [("Difference", "alt+2"), ("Traffic", "alt+3")][turn % 2]
        open_list(user, drop_down)
        # One call: twelve milliseconds lie between the keys.
        user.xdotool("key", ["Down", "Up"][turn % 2], "Return", key)
        user.wait(f"page {page} after a choice", lambda name=page: any(
            tab.selected for tab in user.look(f"^{name}$", "page tab")))
        user.press("alt+1")
    open_list(user, drop_down)
    user.xdotool("key", "Down", "Return", "ctrl+r")
    wait_for_verdict(user)
    user.leave()


if __name__ == "__main__":
    person.run(fast_keys)
