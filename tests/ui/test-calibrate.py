# SPDX-License-Identifier: MIT
"""Calibration from the window: the card says that there are no calibrated rates, the small window
measures them, the ceiling uses them at once, and they can be saved."""
import csv
import os
import signal

import person
from person import check
from steps import find_workers, prepare


# Other programs must not decide whether a calibration is kept (tests/machine/machine.c).
os.environ["TEST_MACHINE"] = "idle"


def stop(user):
    """Return begins a calibration, and Escape stops it. The workers are held until the window has taken
    both keys, because on a busy machine the calibration would end before."""
    workers = find_workers(user)
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    try:
        user.press("Return")
        user.see("^Stop$", "push button")
        user.press("Escape")
        user.see("^Stopping", "label")
    finally:
        for worker in workers:
            os.kill(worker, signal.SIGCONT)
    user.see("^Stopped; nothing was changed", "label")


def calibrates(user):
    prepare(user)
    user.see("^The rates are a quick measurement", "label")
    user.see("^Calibrate…$", "push button")
    user.activate("calibrate")
    user.wait_for_dialog("^Calibration$")
    # The window first looks for a kept calibration. There is none, and Return starts one.
    check(not user.see("^Forget$", "push button").sensitive, "There is nothing to forget.")
    user.see("^Budget of the calibration in seconds$", "spin button")
    stop(user)
    user.press("Return")

    path = os.path.join(user.folder, "calibration.csv")

    def saved():
        user.activate("export-csv-calibration-to", path)
        return os.path.exists(path)
    user.wait("the calibration", saved, timeout=90)
    with open(path, newline="", encoding="utf-8") as file:
        rows = {row["quantity"]: row for row in csv.DictReader(file)}
    check(float(rows["read"]["median"]) > 1e7, f"{rows['read']}")
    check(rows["tf32"]["median"] == "" and rows["tf32"]["reason"], f"{rows['tf32']}")
    figure = os.path.join(user.folder, "calibration.svg")
    user.activate("export-calibration-to", figure)
    user.wait("the figure", lambda: os.path.exists(figure))
    check(not rows["read"]["over_peak"], "No data sheet is known of a CPU.")
    user.press("Escape")

    user.see("^The rates are calibrated for this device", "label")
    user.see("Rates: calibrated ", "image")

    # After Forget, the rates come at once from a quick measurement again.
    user.activate("calibrate")
    user.wait_for_dialog("^Calibration$")
    user.see(", calibrated .* rest on these numbers", "label")
    user.activate("calibrate-forget")
    user.see("^Forgotten[.]", "label")
    user.press("alt+F4")
    user.see("^The rates are a quick measurement", "label")

    # Escape closes Help, also while something is searched.
    user.xdotool("windowfocus", "--sync", user.window)
    user.press("F1")
    user.wait_for_dialog("^Help$")
    user.type("floor")
    user.press("Escape")
    user.wait_for_dialog_end("^Help$")
    user.leave()

    os.environ["TEST_MACHINE"] = "busy"
    user.start()
    user.sit_down()
    asks_before_it_keeps(user)


def answer(user, key):
    user.wait_for_dialog("^Keep this calibration[?]$")
    user.see("^The samples lie too far apart", "label")
    user.press(key)


def asks_before_it_keeps(user):
    """On a busy machine, a calibration is discarded, then measured again and kept."""
    user.see("^The rates are a quick measurement", "label")
    user.activate("calibrate")
    # GTK 4.8 fails if the window of a tooltip goes away, so the pointer moves elsewhere.
    user.xdotool("mousemove", 1590, 990)
    user.wait_for_dialog("^Calibration$")
    user.press("Return")
    answer(user, "alt+d")
    user.see("is not calibrated", "label")
    user.wait_for_dialog("^Calibration$")
    user.press("Return")
    answer(user, "alt+k")
    user.see(", calibrated .* rest on these numbers", "label")
    user.wait_for_dialog("^Calibration$")
    user.press("alt+F4")
    user.see("^The rates are calibrated for this device", "label")
    user.leave()


if __name__ == "__main__":
    person.run(calibrates)
