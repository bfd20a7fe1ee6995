# SPDX-License-Identifier: MIT
"""The numbers behind a difference: the table of the worst elements, the slice and the readout go
together, with pointer, keys and W; the maps show ULP and a kernel's tiles; the tables and the figure
leave the window as files."""
import csv
import os
import re
import time

import person
from person import check
from pictures import read_png
from steps import prepare


def choose_exhibit(user):
    user.open_list(user.see("^Plan B: ", "push button"), "^Published", "list item")
    user.walk_to("^Published", "list item", "Tab")
    user.walk_to("^As published", "list item", "Down")
    user.press("Return")


def read_place(element):
    place = re.match(r"Row (\d+), column (\d+): A (\S+), B (\S+),", element.description)
    return place and (int(place[1]), int(place[2]), place[3], place[4])


def wait_for_place(user, element, worst):
    user.wait(f"the pointer at {worst}", lambda: read_place(element)
              and read_place(element)[:2] == worst)


def export_table(user, name):
    path = os.path.join(user.folder, name + ".csv")
    user.activate(f"export-{name}-to", path)
    user.wait(f"file {path}", lambda: os.path.exists(path))
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def walks_the_worst(user, worst):
    element = user.see("^Slice at full resolution", "image")
    # The keys: W goes down the list.
    user.click(element, 0.6, 0.5)
    user.press("w")
    wait_for_place(user, element, worst[1])
    user.press("w")
    wait_for_place(user, element, worst[2])

    # A row of the table is the same: clicked, and walked by its own keys. Its cells are labels in a
    # line, of which the first is the rank.
    user.click(element, 0.6, 0.5)
    user.press(*["Page_Down"] * 3)
    ranks = user.wait("the table", lambda: [item for item in user.look(r"^[0-9]+$", "label")
                                            if item.popover is None])
    ulps = user.see(r"^ULP \(FP32\)$", "label")
    title = user.see("^#$", "label")
    check(title.y == ulps.y, "The titles do not stand in a line.")
    column = sorted((item for item in ranks if item.y > title.y
                     and abs(item.x + item.width - title.x - title.width) < 12),
                    key=lambda item: item.y)
    check([item.name for item in column[:5]] == ["1", "2", "3", "4", "5"],
          f"The ranks are {[item.name for item in column]}.")
    user.click(column[4])
    wait_for_place(user, element, worst[4])
    user.press("Down")
    wait_for_place(user, element, worst[5])
    user.press("w")
    wait_for_place(user, element, worst[6])


def values_in_turn(user):
    """B shows both sides in turn, in the picture alone; the menu shows one of them, and stays."""
    element = user.see("^Slice at full resolution", "image")
    user.click(element, 0.6, 0.5)
    place = read_place(element)
    menu = user.see("^What the slice shows", "combo box")
    user.press("b")
    user.wait_for_name(element, "It shows the values of B.$")
    user.wait_for_name(element, "It shows the values of A.$")
    user.wait_for_name(element, "It shows the values of B.$")
    check(read_place(element) == place, "The numbers moved, too.")
    # Leaving the page ends it.
    user.press("alt+1", "alt+2")
    user.see(r"^Slice at full resolution.*outside tolerance\.$", "image")
    user.choose(menu, "^Values of B$")
    user.see("It shows the values of B.$", "image")
    user.see("^Colour scale of the values of both sides", "image")
    time.sleep(1.5)
    check(user.look("It shows the values of B.$", "image"), "One side alone does not stay.")
    user.choose(user.see("^What the slice shows", "combo box"), "^Difference$")
    user.see("^Colour scale of .A − B.", "image")


def unit_and_tiles(user):
    """The maps in ULP, and the kernel's tiles over them, of either plan; the sheet says both."""
    menu = user.see("^Kind of difference", "combo box")
    user.choose(menu, "^ULP$")
    user.see("^Colour scale of .A − B., in units in the last place of FP32", "image")
    user.see(r"^.A − B. ULP$", "label")
    user.click(user.see("^Slice at full resolution", "image"), 0.6, 0.5)
    user.press("t")
    # On a CPU every group's output is written by tiles of this program.
    user.see(r"^Lines: tiles of B, as its last kernel writes them, \d+ rows? × [\d,]+ columns\.$",
             "label")
    user.press("shift+t")
    user.see("^Lines: tiles of A, as its last kernel writes them", "label")
    path = os.path.join(user.folder, "ulp.png")
    user.activate("export-difference-to", path)
    user.wait("ulp.png", lambda: os.path.exists(path))
    check(read_png(path)[0] >= 1000, "The sheet is too small.")
    user.click(user.see("^Tiles of the kernel", "push button"))
    user.wait("no tiles", lambda: not user.look("^Lines: tiles of", "label"))
    user.choose(user.see("^Kind of difference", "combo box"), "^Absolute$")
    user.see("^Colour scale of .A − B., absolute", "image")


def exports(user):
    histogram = export_table(user, "histogram")
    check(sum(int(row["n_elements"]) for row in histogram) > 0, "The histogram is empty.")
    check({row["plan"] for row in histogram} == {"as-published"}
          and {row["against"] for row in histogram} == {"unfused"},
          f"The histogram is of {histogram[0]}.")
    path = os.path.join(user.folder, "numbers.png")
    user.activate("export-numbers-to", path)
    user.wait("numbers.png", lambda: os.path.exists(path))
    width, height, colours = read_png(path)
    check(width >= 1000 and height >= 400 and colours > 20, f"{width} x {height}, {colours}")


def numbers(user):
    prepare(user)
    choose_exhibit(user)
    user.press("ctrl+r")
    user.see("^B is wrong$", "label", timeout=60)
    user.press("alt+2")
    user.see("^Outputs differ in ", "label")
    worst = [(int(row["row"]), int(row["column"])) for row in export_table(user, "worst")]
    check(len(worst) == 16, f"{len(worst)} worst elements of an exhibit.")
    wait_for_place(user, user.see("^Slice at full resolution", "image"), worst[0])
    values_in_turn(user)
    unit_and_tiles(user)
    walks_the_worst(user, worst)
    exports(user)
    user.leave()


if __name__ == "__main__":
    person.run(numbers)
