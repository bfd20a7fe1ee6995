# SPDX-License-Identifier: MIT
"""The visible contents of a program's windows, as GTK reports them on the accessibility bus (AT-SPI).

Each question to the bus takes half a millisecond, and a window has hundreds of accessibles, so
questions are sent together where possible. person.py looks and acts through this."""
import re

from gi.repository import Gio, GLib

ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE, COMPONENT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component"
TEXT, PROPERTIES = "org.a11y.atspi.Text", "org.freedesktop.DBus.Properties"
# The numbers of AT-SPI that are used here.
ROLES = {7: "check box", 11: "combo box", 16: "dialog", 20: "filler", 27: "image", 29: "label", 32: "list item",
         33: "menu", 37: "page tab", 43: "push button", 48: "scroll bar", 52: "spin button",
         61: "text", 62: "toggle button"}
FOCUSED, SELECTED, SENSITIVE = 12, 23, 24
WINDOW_COORDINATES = GLib.Variant("(u)", (1,))  # GTK 4.8 warns about others.
NAME, DESCRIPTION = (GLib.Variant("(ss)", (ACCESSIBLE, name)) for name in ("Name", "Description"))


def connect():
    session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None,
                                None, 0, -1, None).unpack()[0]
    return Gio.DBusConnection.new_for_address_sync(
        address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
        | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)


def is_of(bus, name, process_id):
    """Whether this name on a bus belongs to the process."""
    try:
        return process_id == bus.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)), None, 0, -1,
            None).unpack()[0]
    except GLib.Error:  # it has just left
        return False


def is_in(states, number):
    return bool(states and states[number // 32] >> number % 32 & 1)


class Item:
    """One accessible. Reading its states and description asks the bus each time."""

    def __init__(self, tree, path, above, role, name):
        self.tree, self.path, self.above, self.role, self.name = tree, path, above, role, name
        self.x = self.y = self.width = self.height = 0

    def look_again(self):
        """Reads the place again; returns whether it has moved."""
        before = self.x, self.y, self.width, self.height
        self.tree.read_places([self])
        return before != (self.x, self.y, self.width, self.height)

    def is_within(self, pattern):
        """Whether this item or one around it has such a name."""
        return bool(re.match(pattern, self.name)) or (self.above is not None
                                                      and self.above.is_within(pattern))

    @property
    def in_popover(self):
        return self.is_within("GtkPopover$") or self.is_in("menu")

    def is_in(self, role):
        return self.role == role or self.above is not None and self.above.is_in(role)

    def _ask(self, interface, method, parameters=None):
        return self.tree.ask([self.path], interface, method, parameters)[self.path]

    def has(self, state):
        return is_in(self._ask(ACCESSIBLE, "GetState"), state)

    @property
    def sensitive(self):
        return self.has(SENSITIVE)

    @property
    def selected(self):
        return self.has(SELECTED)

    @property
    def description(self):
        return self._ask(PROPERTIES, "Get", DESCRIPTION) or ""

    @property
    def text(self):
        length = self._ask(PROPERTIES, "Get", GLib.Variant("(ss)", (TEXT, "CharacterCount")))
        return self._ask(TEXT, "GetText", GLib.Variant("(ii)", (0, length or 0)))

    def __repr__(self):
        return f"{self.role} “{self.name}” at {self.x},{self.y} {self.width}x{self.height}"


class Tree:
    """The accessibles of one process."""

    def __init__(self, process_id):
        self.process_id = process_id
        self.bus = self.owner = None
        self.kinds = {}  # role and first name of visited accessibles
        self.children = {}  # paths of the children of visited accessibles

    def _find(self):
        """Whether the process is registered: before that, a question makes GTK 4.8 fail."""
        if self.owner is None:
            self.bus = self.bus or connect()
            programs = self.bus.call_sync("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren",
                                          None, None, 0, -1, None).unpack()[0]
            self.owner = next((name for name, _ in programs
                               if is_of(self.bus, name, self.process_id)), None)
        return self.owner is not None

    def ask(self, paths, interface, method, parameters=None):
        """Asks each path one question, all at once. Returns the answers, None for removed accessibles."""
        answers = {}

        def answered(bus, result, path):
            try:
                answers[path] = bus.call_finish(result).unpack()[0]
            except GLib.Error:
                answers[path] = None

        for path in paths:
            self.bus.call(self.owner, path, interface, method, parameters, None, 0, -1, None,
                          answered, path)
        while len(answers) < len(paths):
            GLib.MainContext.default().iteration(True)
        return answers

    def _walk(self, path, above):
        """Visits an accessible and what is in it. Pages behind the one in front are skipped, because
        they keep their last place although nobody sees them."""
        role, name = self.kinds.get(path, (None, None))
        page = role and re.match(r"Seam(\w+)Page$", name)
        if role is None or page and not self.pages.get(page[1], True):
            return
        item = Item(self, path, above, role, name)
        yield item
        if role not in ("scroll bar", "image", "label"):
            self.walked.add(path)
            for child in self.children.get(path, []):
                yield from self._walk(child, item)

    def _read(self):
        """Everything that is visible, in reading order."""
        unasked, items = set(self.children) or {ROOT}, []
        self.children, self.pages = {}, {}  # whether the page of a tab is in front
        while unasked:
            for path, children in self.ask(unasked, ACCESSIBLE, "GetChildren").items():
                self.children[path] = [child for _, child in children or []]
            new = {ROOT, *(child for path in unasked for child in self.children[path])}.difference(
                self.kinds)
            names = self.ask(new, PROPERTIES, "Get", NAME)
            for path, role in self.ask(new, ACCESSIBLE, "GetRole").items():
                if role is not None:
                    self.kinds[path] = ROLES.get(role, f"role {role}"), names[path] or ""
            tabs = [path for path, (role, name) in self.kinds.items()
                    if role == "page tab" and name not in self.pages]
            for path, states in self.ask(tabs, ACCESSIBLE, "GetState").items():
                self.pages[self.kinds[path][1]] = is_in(states, SELECTED)
            self.walked = set()
            items = list(self._walk(ROOT, None))
            unasked = self.walked.difference(self.children)
        self.children = {path: self.children[path] for path in self.walked}
        self.kinds = {item.path: self.kinds[item.path] for item in items}
        return items

    def _name(self, items):
        names = self.ask([item.path for item in items], PROPERTIES, "Get", NAME)
        for item in items:
            item.name = names[item.path] or ""

    def read_places(self, items):
        """Reads the places of items; a removed one keeps its last place."""
        places = self.ask([item.path for item in items], COMPONENT, "GetExtents",
                          WINDOW_COORDINATES)
        for item in items:
            if places[item.path]:
                item.x, item.y, item.width, item.height = places[item.path]

    def look(self, name=None, role=None):
        """The items of this role whose name matches the pattern, and that have a place."""
        found = [item for item in self._read() if role in (None, item.role)] if self._find() else []
        self._name(found)
        found = [item for item in found if name is None or re.search(name, item.name)]
        self.read_places(found)
        return [item for item in found if item.width > 0 and item.height > 0]

    def look_at_windows(self):
        paths = self._find() and self.ask([ROOT], ACCESSIBLE, "GetChildren")[ROOT] or []
        windows = [Item(self, path, None, "window", "") for _, path in paths]
        self.read_places(windows)
        return [window for window in windows if window.width > 0 and window.height > 0]

    def settle(self):
        """Waits until the program has handled earlier keys and clicks: it gets them from the X server
        in the rounds of its main loop in which it answers questions."""
        for _ in range(4):
            self.ask([ROOT], ACCESSIBLE, "GetRole")
