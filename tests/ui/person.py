# SPDX-License-Identifier: MIT
"""A person in front of the window, for tests.

Reads the screen through the accessibility bus (AT-SPI), and acts with a real pointer and real keys
(xdotool) on the window under Xvfb. Nothing here reaches into the program. Run by
run-person.sh, which gives it a display, a window manager and a session bus.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIP = 77

# The processor's caches are small (tests/machine/machine.c): flushing large ones leaves a short budget
# too few samples for an interval.
os.environ["LD_PRELOAD"] = os.environ["SEAMSCOPE_TEST_MACHINE"]


def skip(reason):
    print(f"SKIP: {reason}")
    sys.exit(SKIP)


try:
    from accessibles import FOCUSED, Tree, is_of
    from gi.repository import Gio, GLib
except ImportError as error:
    skip(f"Python has no GLib ({error}); install python3-gi.")


class Failure(Exception):
    pass


class Person:
    """Starts the window, looks at it, points and types."""

    def __init__(self, program, folder, animates=False):
        self.program, self.folder, self.animates = program, folder, animates
        self.log_path = os.path.join(folder, "log")
        self.log = open(self.log_path, "wb")
        self.process = self.window = self.tree = None

    def start(self, *arguments):
        """Starts the window (again). Settings and caches are this person's own. One test has animations,
        as people do; for the others the screen is drawn only where something changes."""
        own = dict(os.environ)
        for variable, name in (("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
                               ("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state")):
            own[variable] = os.path.join(self.folder, name)
            os.makedirs(own[variable], exist_ok=True)
        settings = os.path.join(own["XDG_CONFIG_HOME"], "gtk-4.0")
        os.makedirs(settings, exist_ok=True)
        with open(os.path.join(settings, "settings.ini"), "w", encoding="utf-8") as file:
            file.write(f"[Settings]\ngtk-enable-animations={int(self.animates)}\n")
        own["G_DEBUG"] = "fatal-warnings"
        self.process = subprocess.Popen([self.program, *arguments], env=own, stdout=self.log,
                                        stderr=subprocess.STDOUT)
        self.tree = Tree(self.process.pid)

    # -- Seeing ------------------------------------------------------------------------------

    def look(self, name=None, role=None):
        """All items whose name matches the pattern `name` and whose role is `role`."""
        return self.tree.look(name, role)

    def wait(self, what, condition, timeout=20.0):
        """Waits for a true answer of `condition` and returns it; fails with `what` was expected."""
        end = time.monotonic() + timeout
        while True:
            began = time.monotonic()
            if self.process.poll() is not None:
                raise Failure(f"The window ended with status {self.process.returncode} while "
                              f"waiting for {what}.\n{self.read_log()}")
            answer = condition()
            if answer:
                return answer
            if time.monotonic() > end:
                raise Failure(f"Not seen within {timeout:.0f} s: {what}.\nOn the screen:\n"
                              f"{self.describe()}\n{self.read_log()}")
            # A look takes the window's time, so half of the time is left to what is waited for.
            time.sleep(max(0.05, time.monotonic() - began))

    def see(self, name=None, role=None, timeout=20.0):
        found = self.wait(f"{role or 'item'} “{name}”", lambda: self.look(name, role), timeout)
        return found[0]

    def see_toast(self, pattern, timeout=20.0):
        return self.wait(f"toast “{pattern}”",
                         lambda: [item for item in self.look(pattern, "label")
                                  if item.is_within("AdwToastWidget$")], timeout)[0]

    def read(self, name):
        """The present text of an entry."""
        return self.see(name, "text").text

    def describe(self):
        lines = [f"  {item!r}" for item in self.look(".")]
        return "\n".join(lines)

    def read_log(self):
        self.log.flush()
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return "Log:\n" + file.read()[-4000:]

    # -- Acting ------------------------------------------------------------------------------

    def xdotool(self, *arguments):
        done = subprocess.run(["xdotool", *map(str, arguments)], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise Failure(f"xdotool {' '.join(map(str, arguments))}: {done.stderr}"
                          f"The window's exit status is {self.process.poll()} (None: it is open).\n"
                          f"{self.read_log()}")
        return done.stdout.strip()

    def _search(self, *arguments):
        """The windows on the screen that match."""
        return subprocess.run(["xdotool", "search", "--onlyvisible", *arguments],
                              capture_output=True, text=True, check=False).stdout.split()

    def sit_down(self, width=1400, height=940):
        """Waits for the window and gives it a known size. Remembers the window, because menus are other
        windows of the same process."""
        self.window = self.wait("the window",
                                lambda: self._search("--pid", str(self.process.pid)))[-1]
        self.xdotool("windowmove", self.window, 0, 0, "windowsize", self.window, width, height,
                     "windowfocus", self.window)
        self.wait("the window in its new size", lambda: self._frame().width > width - 40)

    def _frame(self):
        return self.wait("the window on the accessibility bus", self.tree.look_at_windows)[0]

    def _find_edges(self):
        """Where on the screen the window's content begins, and the height of the whole window, including
        the frame around the content."""
        text = self.xdotool("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in text.splitlines())
        frame = self._frame()
        return (int(values["X"]) + (int(values["WIDTH"]) - frame.width) // 2,
                int(values["Y"]) + (int(values["HEIGHT"]) - frame.height) // 2,
                int(values["HEIGHT"]))

    def _stand_still(self, item):
        """Waits until an item has not moved for a few frames, because a change may still move it."""
        for _ in range(20):
            moved = item.look_again()
            time.sleep(0.04)
            if not item.look_again() and not moved:
                break

    def _find_place(self, item, across, down):
        """Where on the screen to point at an item."""
        # A popover is a window of its own, which X moves to a place with room without telling the
        # bus. Tests use the keys in menus: choose() and walk_to().
        check(not item.in_popover, f"{item} is in a popover: its place is not known.")
        self._stand_still(item)
        x, y, height = self._find_edges()
        # Turns the wheel left of an item that is below the window's edge, as a person would.
        for _ in range(20):
            if item.y + item.height * down < height - 8:
                break
            self.xdotool("mousemove", x + max(item.x - 150, 20), y + height // 2, "click", 5)
            self.tree.settle()
            self._stand_still(item)
        return x + item.x + int(item.width * across), y + item.y + int(item.height * down)

    def point(self, item, across=0.5, down=0.5):
        self.xdotool("mousemove", *self._find_place(item, across, down))

    def click(self, item, across=0.5, down=0.5):
        self.xdotool("mousemove", *self._find_place(item, across, down), "click", 1)

    def press(self, *keys):
        self.xdotool("key", "--delay", 20, *keys)

    def wait_for_dialog(self, title):
        """Waits for a dialog, which is a window of its own with this title, and gives it the keys."""
        window = self.wait(f"the dialog “{title}”", lambda: self._search("--name", title))[-1]
        self.xdotool("windowfocus", "--sync", window)
        self.tree.settle()

    def wait_for_dialog_end(self, title):
        """Waits until a dialog has closed, without using the accessibility tree: if asked meanwhile, GTK
        4.8 reports a critical message about a part that is not on the bus."""
        self.wait(f"the end of the dialog “{title}”", lambda: not self._search("--name", title))

    def type(self, text):
        self.xdotool("type", "--delay", 5, "--", text)

    def open_list(self, button, entry, role):
        """Opens a menu or a list with the pointer; its entries, one of which matches."""
        def find():
            items = [item for item in self.look(None, role) if item.in_popover]
            return items if any(re.search(entry, item.name) for item in items) else None
        # A list may close again if it opens while the window is busy with the click before. A person
        # then clicks once more.
        for _ in range(3):
            self.click(button)
            end = time.monotonic() + 4
            while time.monotonic() < end:
                items = find()
                if items:
                    return items
                time.sleep(0.05)
        return self.wait("the open list", find, timeout=1)

    def choose(self, drop_down, entry):
        """Opens a drop-down with the pointer and takes the entry that matches with the keys."""
        names = [item.name for item in sorted(self.open_list(drop_down, entry, "label"),
                                              key=lambda item: item.y) if item.name]
        number = next(i for i, name in enumerate(names) if re.search(entry, name))
        self.press("Home", *["Down"] * number, "Return")

    def walk_to(self, name, role, key, limit=20):
        """Presses `key` until the matching item has the focus."""
        item = self.see(name, role)
        for _ in range(limit):
            if item.has(FOCUSED):
                return item
            self.press(key)
            self.tree.settle()
        raise Failure(f"{key} does not lead to {item}.")

    # -- The way scripts act: actions over the session bus --------------------------------------

    def activate(self, action, text=None, window=1):
        """Activates an action of a window (1: the first opened), as `gdbus call` would."""
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        names = bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus",
                              "org.freedesktop.DBus", "ListNames", None, None, 0, -1,
                              None).unpack()[0]
        name = next((name for name in names
                     if name.startswith(":") and is_of(bus, name, self.process.pid)), None)
        check(name is not None, "The window is not on the session bus.")
        parameter = [GLib.Variant("s", text)] if text is not None else []
        bus.call_sync(name, f"/io/github/seamscope/Seamscope/window/{window}", "org.gtk.Actions",
                      "Activate", GLib.Variant("(sava{sv})", (action, parameter, {})), None, 0,
                      5000, None)

    # -- Leaving -----------------------------------------------------------------------------

    def children(self):
        """Process ids of the window's children with their command lines."""
        done = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)],
                              capture_output=True, text=True, check=False)
        return [(int(line.split(None, 1)[0]), line.split(None, 1)[1])
                for line in done.stdout.splitlines() if line.strip()]

    def leave(self):
        """Quits as a person who discards the results. The window must end without an error or a
        message."""
        self.press("ctrl+q")
        end = time.monotonic() + 30
        again = time.monotonic() + 8
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise Failure("The window did not close on Ctrl+Q.")
            # A busy window loses keys, which a person presses again.
            if time.monotonic() > again:
                again += 8
                self.press("ctrl+q")
            # The question gets the keys, because it is a dialog that has just opened.
            if self.look("^Save before closing", "dialog"):
                self.press("alt+w")
            time.sleep(0.05)
        status = self.process.returncode
        if status != 0:
            raise Failure(f"The window ended with status {status}.\n{self.read_log()}")
        if re.search(r"(WARNING|CRITICAL) \*\*", self.read_log()):
            raise Failure(self.read_log())

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def take_picture(self, path):
        if shutil.which("import") is not None:
            subprocess.run(["import", "-window", "root", path], check=False, capture_output=True)


def run(test, sits_down=True, animates=False):
    """Starts the window, runs test(person) and returns the result as an exit status. With
    SEAMSCOPE_TEST_PICTURES set to a folder, a failing test leaves a picture of the screen there."""
    person = Person(sys.argv[1], tempfile.mkdtemp(prefix="seamscope-ui-"), animates)
    status = 0
    try:
        if sits_down:
            person.start()
            person.sit_down()
        test(person)
    except Failure as failure:
        print(f"FAIL: {failure}")
        status = 1
        folder = os.environ.get("SEAMSCOPE_TEST_PICTURES")
        if folder:
            person.take_picture(os.path.join(folder, test.__name__ + ".png"))
    finally:
        person.end()
    sys.exit(status)


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)
