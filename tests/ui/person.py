# SPDX-License-Identifier: MIT
"""A person in front of the window, for tests.

Looks at what is on the screen through the accessibility bus (AT-SPI), and acts with a real pointer
and real keys (xdotool) on the window under Xvfb. Nothing here reaches into the program. Run by
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


def skip(reason):
    print(f"SKIP: {reason}")
    sys.exit(SKIP)


try:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, Gio, GLib
except (ImportError, ValueError) as error:
    skip(f"Python has no AT-SPI ({error}); install python3-gi and gir1.2-atspi-2.0.")

# A window on a busy machine may need longer to answer than the 0.8 s after which the bus, without a
# word, says "no children".
Atspi.set_timeout(10000, 30000)


class Failure(Exception):
    pass


class Item:
    """What the bus says of one accessible, read once."""

    def __init__(self, accessible, name, role, place, popover):
        self.accessible = accessible
        self.name, self.role = name, role
        self.x, self.y, self.width, self.height = place.x, place.y, place.width, place.height
        self.popover = popover

    def look_again(self):
        """Reads the place again; whether it has moved."""
        try:
            place = self.accessible.get_extents(Atspi.CoordType.WINDOW)
        except GLib.Error:
            return False
        before = self.x, self.y, self.width, self.height
        self.x, self.y, self.width, self.height = place.x, place.y, place.width, place.height
        return before != (place.x, place.y, place.width, place.height)

    def has(self, state):
        try:
            return self.accessible.get_state_set().contains(state)
        except GLib.Error:
            return False

    @property
    def sensitive(self):
        return self.has(Atspi.StateType.SENSITIVE)

    @property
    def selected(self):
        return self.has(Atspi.StateType.SELECTED)

    @property
    def description(self):
        return self.accessible.get_description() or ""

    def __repr__(self):
        return f"{self.role} “{self.name}” at {self.x},{self.y} {self.width}x{self.height}"


class Person:
    """Starts the window, and sees, points and types."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.log_path = os.path.join(folder, "log")
        self.log = open(self.log_path, "wb")
        self.process = self.window = self.title = None

    def start(self, *arguments):
        """Starts the window (again). Settings and caches are this person's own."""
        own = dict(os.environ)
        for variable, name in (("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
                               ("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state")):
            own[variable] = os.path.join(self.folder, name)
            os.makedirs(own[variable], exist_ok=True)
        own["G_DEBUG"] = "fatal-warnings"
        self.process = subprocess.Popen([self.program, *arguments], env=own, stdout=self.log,
                                        stderr=subprocess.STDOUT)

    # -- Seeing ------------------------------------------------------------------------------

    def _application(self):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            try:
                if child is not None and child.get_process_id() == self.process.pid:
                    return child
            except GLib.Error:
                continue
        return None

    def _walk(self, accessible, wanted, depth=0, popover=None):
        """Items that `wanted(name, role)` and that have a place. Pages behind the one in front keep
        their last place: nobody sees them, and they are passed over."""
        if accessible is None or depth > 60:
            return
        try:
            name, role = accessible.get_name() or "", accessible.get_role_name()
            page = re.match(r"Seam(\w+)Page$", name)
            if role == "page tab":
                self._pages[name] = accessible.get_state_set().contains(
                    Atspi.StateType.SELECTED)
            elif page and not self._pages.get(page[1], True):
                return
            is_popover = re.match("GtkPopover(Menu)?$", name)
            if is_popover or wanted(name, role):
                try:
                    # Only window coordinates: GTK 4.8 warns about others.
                    place = accessible.get_extents(Atspi.CoordType.WINDOW)
                    if is_popover:
                        popover = place
                    if place.width > 0 and place.height > 0 and wanted(name, role):
                        yield Item(accessible, name, role, place, popover)
                except GLib.Error:
                    pass
            if role in ("scroll bar", "image", "label"):
                return
            for i in range(accessible.get_child_count()):
                yield from self._walk(accessible.get_child_at_index(i), wanted, depth + 1,
                                      popover)
        except GLib.Error:
            return

    def look(self, name=None, role=None):
        """All items whose name matches the pattern `name` and whose role is `role`."""
        self._pages = {}  # whether the page of a tab is in front; the tabs come before the pages
        return list(self._walk(self._application(),
                               lambda a_name, a_role: (role is None or a_role == role)
                               and (name is None or re.search(name, a_name))))

    def wait(self, what, condition, timeout=20.0):
        """The first true answer of `condition`; says `what` was waited for otherwise."""
        end = time.monotonic() + timeout
        while True:
            if self.process.poll() is not None:
                raise Failure(f"The window ended with status {self.process.returncode} while "
                              f"waiting for {what}.\n{self.read_log()}")
            answer = condition()
            if answer:
                return answer
            if time.monotonic() > end:
                raise Failure(f"Not seen within {timeout:.0f} s: {what}.\nOn the screen:\n"
                              f"{self.describe()}\n{self.read_log()}")
            time.sleep(0.1)

    def see(self, name=None, role=None, timeout=20.0):
        found = self.wait(f"{role or 'item'} “{name}”", lambda: self.look(name, role), timeout)
        return found[0]

    def see_toast(self, pattern, timeout=20.0):
        """A toast leaves after five seconds, and a look at the whole window may take as long: this
        one goes straight to where toasts stand."""
        def find(accessible, depth):
            if accessible is None or depth > 5:
                return []
            try:
                if accessible.get_name() == "AdwToastWidget":
                    return list(self._walk(accessible, lambda name, role: role == "label"
                                           and re.search(pattern, name)))
                return [item for i in range(accessible.get_child_count() if depth < 5 else 0)
                        for item in find(accessible.get_child_at_index(i), depth + 1)]
            except GLib.Error:
                return []
        return self.wait(f"toast “{pattern}”", lambda: find(self._application(), 0), timeout)[0]

    def wait_for_name(self, item, pattern, timeout=20.0):
        """Asks this one item only, for what soon passes: a look at the whole window may take
        seconds on a busy machine."""
        return self.wait(f"“{pattern}” where it said “{item.name}”",
                         lambda: re.search(pattern, item.accessible.get_name() or ""), timeout)

    def read(self, name):
        """The text of an entry, as it stands there."""
        entry = self.see(name, "text").accessible
        return Atspi.Text.get_text(entry, 0, Atspi.Text.get_character_count(entry))

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
            raise Failure(f"xdotool {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout.strip()

    def find_window(self):
        def find():
            done = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid",
                                   str(self.process.pid)], capture_output=True, text=True,
                                  check=False)
            return done.stdout.split()
        self.window = self.wait("the window", find)[-1]
        self.wait("the window on the accessibility bus", self._application)

    def get_width(self):
        return self._frame().width

    def sit_down(self, width=1400, height=940):
        """Waits for the window and gives it a known size; menus are other windows of the same
        process, so this one is remembered."""
        self.find_window()
        self.xdotool("windowmove", self.window, 0, 0)
        self.xdotool("windowsize", self.window, width, height)
        self.xdotool("windowfocus", self.window)
        self.wait("the window in its new size",
                  lambda: self._frame().width > width - 40)

    def turn_to(self, title):
        """Another window of the program, found by its title, gets pointer and keys."""
        self.wait_for_dialog(title)
        done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"],
                              capture_output=True, text=True, check=False)
        self.window, self.title = done.stdout.split()[-1], title

    def _find_frame(self):
        application = self._application()
        if application is None:
            return None
        try:
            windows = [application.get_child_at_index(i)
                       for i in range(application.get_child_count())]
            if self.title is not None:
                windows = [window for window in windows if window.get_name() == self.title]
        except (AttributeError, GLib.Error):  # one that has just closed
            return None
        return next(self._walk(windows[0], lambda name, role: True), None) if windows else None

    def _frame(self):
        return self.wait(f"the window {self.title or ''} on the bus", self._find_frame)

    def _origin(self):
        """Screen position of the window's content: a frame is drawn around it on all sides."""
        text = self.xdotool("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in text.splitlines())
        frame = self._frame()
        return (int(values["X"]) + (int(values["WIDTH"]) - frame.width) // 2,
                int(values["Y"]) + (int(values["HEIGHT"]) - frame.height) // 2)

    def _scroll_to(self, item, down):
        """Turns the wheel over what lies left of an item below the window's edge, as a person would."""
        shape = self.xdotool("getwindowgeometry", "--shell", self.window)
        bottom = int(re.search("HEIGHT=([0-9]+)", shape)[1]) - 8
        x, y = self._origin()
        for _ in range(20):
            if item.y + item.height * down < bottom:
                break
            self.xdotool("mousemove", x + max(item.x - 150, 20), y + bottom // 2)
            self.xdotool("click", 5)
            time.sleep(0.4)
            item.look_again()

    def point(self, item, across=0.5, down=0.5):
        # A popover is a window of its own, which X moves to where there is room without telling the
        # bus. In menus a test uses the keys: choose() and walk_to().
        check(item.popover is None, f"{item} is in a popover: its place is not known.")
        x, y = self._origin()
        # What has just changed may still move: a person waits until it stands.
        for _ in range(20):
            time.sleep(0.1)
            if not item.look_again():
                break
        self._scroll_to(item, down)
        self.xdotool("mousemove", x + item.x + int(item.width * across),
                     y + item.y + int(item.height * down))

    def click(self, item, across=0.5, down=0.5):
        # On a busy machine what stood a moment ago may still move before the button is pressed.
        for _ in range(5):
            self.point(item, across, down)
            time.sleep(0.15)
            if not item.look_again():
                break
        self.xdotool("click", 1)
        time.sleep(0.15)

    def click_until(self, name, role, what, condition):
        """Clicks again where a busy window lost the click, as a person does."""
        end = time.monotonic() + 60
        while not condition():
            if time.monotonic() > end:
                self.wait(what, condition, timeout=0)
            self.click(self.see(name, role))
            patience = time.monotonic() + 5
            while time.monotonic() < patience and not condition():
                time.sleep(0.1)

    def press(self, *keys):
        for key in keys:
            self.xdotool("key", key)
            time.sleep(0.12)

    def wait_for_dialog(self, title):
        """A dialog is a window of its own, found by its title, which then gets the keys."""
        def find():
            done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", title],
                                  capture_output=True, text=True, check=False)
            return done.stdout.split()
        window = self.wait(f"the dialog “{title}”", find)[-1]
        self.xdotool("windowfocus", "--sync", window)
        time.sleep(0.3)

    def type(self, text):
        self.xdotool("type", "--delay", 25, "--", text)
        time.sleep(0.15)

    def open_list(self, button, entry, role):
        """Opens a menu or a list with the pointer, which then shows the entry that matches."""
        def find():
            return [item for item in self.look(entry, role) if item.popover is not None]
        # A list that opens while the window is still busy with the click before may close again:
        # then a person clicks once more.
        for patience in (4, 4, 10):
            self.click(button)
            end = time.monotonic() + patience
            while time.monotonic() < end and not find():
                time.sleep(0.1)
            if find():
                break
        self.wait("the open list", find, timeout=1)

    def choose(self, drop_down, entry):
        """Opens a drop-down with the pointer and takes the entry that matches with the keys."""
        self.open_list(drop_down, entry, "label")
        names = [item.name for item in sorted((item for item in self.look(".", "label")
                                               if item.popover is not None),
                                              key=lambda item: item.y)]
        number = next(i for i, name in enumerate(names) if re.search(entry, name))
        self.press("Home", *["Down"] * number, "Return")

    def walk_to(self, name, role, key, limit=20):
        """Presses `key` until the item that matches has the keyboard."""
        item = self.see(name, role)
        for _ in range(limit):
            if item.has(Atspi.StateType.FOCUSED):
                return item
            self.press(key)
        raise Failure(f"{key} does not lead to {item}.")

    # -- The way scripts act: actions over the session bus --------------------------------------

    def activate(self, action, text=None, window=1):
        """Activates an action of a window (1: the first opened), as `gdbus call` would."""
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        names = bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus",
                              "org.freedesktop.DBus", "ListNames", None, None, 0, -1,
                              None).unpack()[0]
        for name in names:
            pid = bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus",
                                "org.freedesktop.DBus", "GetConnectionUnixProcessID",
                                GLib.Variant("(s)", (name,)), None, 0, -1, None).unpack()[0] \
                if name.startswith(":") else None
            if pid != self.process.pid:
                continue
            parameter = [GLib.Variant("s", text)] if text is not None else []
            bus.call_sync(name, f"/io/github/seamscope/Seamscope/window/{window}", "org.gtk.Actions",
                          "Activate", GLib.Variant("(sava{sv})", (action, parameter, {})), None, 0,
                          5000, None)
            return
        raise Failure("The window is not on the session bus.")

    # -- Leaving -----------------------------------------------------------------------------

    def children(self):
        """Process ids of the window's children with their command lines."""
        done = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)],
                              capture_output=True, text=True, check=False)
        return [(int(line.split(None, 1)[0]), line.split(None, 1)[1])
                for line in done.stdout.splitlines() if line.strip()]

    def leave(self):
        """Quits as a person does, who does not keep what was measured; the window must end well and
        quietly."""
        self.press("ctrl+q")
        end = time.monotonic() + 10
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise Failure("The window did not close on Ctrl+Q.")
            # The question has the keys, as a dialog that has just opened.
            if self.look("^Save before closing", "dialog"):
                self.press("alt+w")
            time.sleep(0.2)
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


def run(test, sits_down=True):
    """Starts the window, runs test(person) and turns its end into an exit status. With
    SEAMSCOPE_TEST_PICTURES set to a folder, a failing test leaves a picture of the screen there."""
    person = Person(sys.argv[1], tempfile.mkdtemp(prefix="seamscope-ui-"))
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
