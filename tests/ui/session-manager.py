#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Stands in for the desktop's session manager. SIGUSR1: asks its clients whether the session may end.
Writes a line for each client, with its reason if it holds the session."""
import signal

from gi.repository import Gio, GLib

MANAGER, PRIVATE = "org.gnome.SessionManager", "org.gnome.SessionManager.ClientPrivate"
CLIENT = "/org/gnome/SessionManager/Client1"
XML = f"""<node><interface name='{MANAGER}'>
<method name='RegisterClient'><arg type='s' direction='in'/><arg type='s' direction='in'/>
  <arg type='o' direction='out'/></method>
<method name='UnregisterClient'><arg type='o' direction='in'/></method>
<method name='Inhibit'><arg type='s' direction='in'/><arg type='u' direction='in'/>
  <arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='u' direction='out'/></method>
<method name='Uninhibit'><arg type='u' direction='in'/></method>
</interface><interface name='{PRIVATE}'>
<method name='EndSessionResponse'><arg type='b' direction='in'/><arg type='s' direction='in'/></method>
<signal name='QueryEndSession'><arg type='u'/></signal></interface></node>"""


def call(_bus, _sender, _path, _interface, method, parameters, invocation):
    answer = {"RegisterClient": ("(o)", (CLIENT,)), "Inhibit": ("(u)", (1,))}.get(method)
    invocation.return_value(GLib.Variant(*answer) if answer else None)
    print(method, *parameters.unpack(), flush=True)


bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
manager, private = Gio.DBusNodeInfo.new_for_xml(XML).interfaces
bus.register_object("/org/gnome/SessionManager", manager, call, None, None)
bus.register_object(CLIENT, private, call, None, None)
Gio.bus_own_name_on_connection(bus, MANAGER, Gio.BusNameOwnerFlags.NONE,
                               lambda *_: print("ready", flush=True), None)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, lambda: bus.emit_signal(
    None, CLIENT, PRIVATE, "QueryEndSession", GLib.Variant("(u)", (0,))))
GLib.MainLoop().run()
