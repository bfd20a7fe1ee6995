#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A small window from which a file can be dragged, like a file manager's: drag-source.py FILE. It needs
GTK 4 for Python; exit status 77 if that is missing."""
import sys

try:
    import gi

    gi.require_version("Gtk", "4.0")
    from gi.repository import Gdk, Gio, GLib, Gtk
except (ImportError, ValueError) as error:
    print(f"SKIP: {error}")
    sys.exit(77)


def open_window(application, path):
    window = Gtk.ApplicationWindow(application=application, title="Drag source", default_width=160,
                                   default_height=120)
    label = Gtk.Label(label="drag me")
    files = Gdk.FileList.new_from_list([Gio.File.new_for_path(path)])
    source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
    source.set_content(Gdk.ContentProvider.new_for_value(files))
    label.add_controller(source)
    window.set_child(label)
    window.present()


application = Gtk.Application(application_id="org.example.DragSource",
                              flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", open_window, sys.argv[1])
GLib.timeout_add_seconds(60, application.quit)
application.run(None)
