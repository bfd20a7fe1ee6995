#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Checks the pages that explain the code. kernels/ladder.csv has the columns and units that
# kernels/README.md explains, and the page's ladder agrees with the data. The tables of app/DESIGN.md
# are the layers of check-layers.sh, and every file and identifier that it names exists; a tab and a
# setting are where it says that they have to be. Prints TAP.

import csv
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ROOT / "kernels"
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
PAIRS = ("before", "predicted", "measured")
COLUMNS = (
    "kind date machine conditions pipeline version mode step quantity unit before_low before_high "
    "predicted_low predicted_high predicted_unit prediction measured_low measured_high kept remark"
).split()
CHOICES = {
    "kind": "ladder floor target alone mode step baseline chip diagnosis clock error".split(),
    "pipeline": ["", *(path.stem for path in (ROOT / "data" / "pipelines").iterdir())],
    "mode": ["", "tf32", "tf32x", "fp32", "fp16", "bf16"],
    "kept": ["", "yes", "no"],
}
UNITS = {
    "DRAM read": ["GB", "MB"],
    "DRAM traffic": ["GB"],
    "L2 traffic": ["GB"],
    "bytes": ["MB"],
    "clock": ["GHz"],
    "cycles": ["cycles"],
    "largest error": ["1"],
    "launches": ["1"],
    "rate": ["TB/s", "TFLOP/s"],
    "time": ["ms", "us"],
}


def find_faults(row):
    """The faults of a row of the CSV, in words."""
    if None in row or None in row.values():
        yield f"{len(COLUMNS)} cells belong in a row"
        return
    for column, choices in CHOICES.items():
        if row[column] not in choices:
            yield f"{column} is {row[column]!r}"
    if row["unit"] not in UNITS.get(row["quantity"], []):
        yield f"{row['quantity']!r} in {row['unit']!r}"
    if not re.fullmatch(r"(\d{4}-\d\d-\d\d)?", row["date"]):
        yield f"date is {row['date']!r}"
    for pair in PAIRS:
        low, high = row[pair + "_low"], row[pair + "_high"]
        if not all(NUMBER.fullmatch(text) for text in (low, high) if text):
            yield f"{pair} is no number: {low!r}, {high!r}"
        elif high and not (low and float(low) < float(high)):
            yield f"{pair} is no range: {low!r}, {high!r}"
    if row["predicted_unit"] not in ([row["unit"], "%"] if row["predicted_low"] else [""]):
        yield f"predicted in {row['predicted_unit']!r}"
    if not (row["measured_low"] or row["predicted_low"] or row["remark"]):
        yield "says nothing"
    is_step = row["kind"] == "step"
    if is_step != (row["kept"] != "") or (is_step and not row["step"]):
        yield "a step says what it is and whether it was kept, and nothing else does"


LADDERS = {"The ladder": "NVIDIA H200", "The ladder on an H100": "NVIDIA H100"}


def read_page(title):
    """(pipeline, version, cells) of each row of a ladder of the page, its first table."""
    text = (KERNELS / "README.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
    pipeline = None
    for line in section[section.index("\n|"):].strip().split("\n\n")[0].splitlines():
        cells = [cell.strip().strip("*`") for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[1] not in ("version", "---"):
            pipeline = cells[0].split(" ")[0] or pipeline
            yield pipeline, cells[1], cells[2:]


def get_times(rows, machine, pipeline, version, mode, quantity="time"):
    """The expected texts of a cell: of its number, or of both ends of its range."""
    kind, which = ("floor", "predicted") if version == "floor" else ("ladder", "measured")
    found = [
        [text for text in (row[which + "_low"], row[which + "_high"]) if text]
        for row in rows
        if (row["kind"], row["machine"], row["pipeline"], row["version"], row["mode"], row["quantity"])
        == (kind, machine, pipeline, version, mode, quantity)
    ]
    assert len(found) <= 1, f"{len(found)} rows of {pipeline} {version} {mode} {quantity}"
    return found[0] if found else []


def test_rows():
    with open(KERNELS / "ladder.csv", encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        rows = list(reader)
    assert reader.fieldnames == COLUMNS, reader.fieldnames
    bad = [
        f"line {line}: {fault}" for line, row in enumerate(rows, 2) for fault in find_faults(row)
    ]
    assert not bad, "\n".join(bad)
    seen = [tuple(row.values()) for row in rows]
    assert len(set(seen)) == len(seen), [row for row in seen if seen.count(row) > 1]
    return rows


def test_columns_explained():
    text = (KERNELS / "README.md").read_text(encoding="utf-8").split("\n## The data")[1]
    for word in COLUMNS + CHOICES["kind"]:
        assert f"`{word}`" in text, f"kernels/README.md does not explain {word}"


def check_ladder(rows, title, machine):
    page = list(read_page(title))
    for pipeline, version, cells in page:
        for mode, cell in (("tf32", cells[0]), ("fp32", cells[1])):
            expected = " to ".join(get_times(rows, machine, pipeline, version, mode))
            assert cell == expected, f"{pipeline} {version} {mode}: {cell!r}, CSV {expected!r}"
        if cells[2]:
            traffic = [
                text
                for mode in ("", "tf32", "fp32")
                for text in get_times(rows, machine, pipeline, version, mode, "DRAM traffic")
            ]
            assert traffic == [cells[2]], f"{pipeline} {version}: {cells[2]} GB, CSV {traffic}"
        if version == "floor":
            continue
        for mode, share in zip(("tf32", "fp32"), cells[3].split(" / ")):
            times = [float(text) for text in get_times(rows, machine, pipeline, version, mode)]
            if not times:
                assert share == "–", f"{pipeline} {version} {mode}: {share!r} of no time"
                continue
            floor = float(get_times(rows, machine, pipeline, "floor", mode)[0])
            percent = 100 * floor / (sum(times) / len(times))
            # Both are rounded to three digits.
            off = abs(float(share.rstrip(" %")) - percent)
            assert off < 0.6, f"{pipeline} {version} {mode}: {share}, computed {percent:.2f}"
    of_page = {(pipeline, version) for pipeline, version, _ in page}
    of_data = {(r["pipeline"], r["version"]) for r in rows if r["kind"] in ("ladder", "floor") and r["machine"] == machine}
    assert of_page == of_data, of_page ^ of_data


def test_ladders():
    rows = test_rows()
    for title, machine in LADDERS.items():
        check_ladder(rows, title, machine)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_layers():
    """Each row of the tables is a layer, in the same order."""
    layers = re.search(r"^layers=\((.*?)^\)", read("tests/check-layers.sh"), re.M | re.S)[1]
    expected = [
        {folder.split("/")[-1] for folder in quoted.strip("'").split()}
        for quoted in re.findall(r"'[^']*'|\S+", layers)
    ]
    tables = read("app/DESIGN.md").split("## How it works")[0].split("| folder | what is there |")[2:]
    rows = [set(re.findall(r"`(\w+)`", row.split("|")[1])) for table in tables
            for row in re.findall(r"^\| `.*", table, re.M)]
    # The files directly in app/ and ui/ are in no table.
    assert rows == [layer for layer in expected if not layer & {"app", "ui"}], (rows, expected)


def list_files():
    """Files of the project, without what is built."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", check=False)
    files = listed.stdout.splitlines() if listed.returncode == 0 else [
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
    return [path for path in files if not path.startswith("build/") and (ROOT / path).is_file()]


def test_names_exist():
    """In app/DESIGN.md: files and folders, with NAME or * for any, and identifiers. What stands
    before a file in parentheses is in that file."""
    files = list_files()
    folders = {str(parent) for path in files for parent in pathlib.PurePath(path).parents}
    words = {word for path in files if path.endswith((".c", ".h", ".sh", ".build"))
             for word in re.findall(r"[\w-]+" if path.endswith(".build") else r"\w+", read(path))}
    words |= {pathlib.PurePath(path).name for path in folders}

    def is_there(name):
        if not re.search(r"[/.*]", name):
            return name in words
        pattern = re.escape(name.rstrip("/")).replace("NAME", "[^/]+").replace(r"\*", "[^/]+")
        return any(re.fullmatch(rf"(.*/)?{pattern}", path) for path in [*files, *folders])

    text = read("app/DESIGN.md")
    named = {word for quoted in re.findall(r"`([^`]+)`", text) for word in quoted.split()
             if not word.startswith(("-", "."))}
    gone = sorted(name for name in named if not is_there(name.removeprefix("seamscope-")))
    assert not gone, f"app/DESIGN.md names what does not exist: {', '.join(gone)}"
    for name, path in re.findall(r"`(\w+)`\s+\(`([^`]+)`", text):
        assert re.search(rf"\b{name}\b", read(path)), f"{path} has no {name}"


def test_tabs():
    """Every tab is where app/DESIGN.md says that it has to be."""
    found = {name: path for path in list_files() if path.startswith("ui/") and path.endswith(".c")
             for name in re.findall(r'iface->name = "(\w+)"', read(path))}
    assert len(found) >= 7, found
    paragraph = re.search(r"^\*\*A page of the window.*?^$", read("app/DESIGN.md"), re.M | re.S)[0]
    lists = [path for path in re.findall(r"`([^`]+)`", paragraph)
             if path.startswith("tests/ui/") and path not in ("tests/ui/meson.build", "tests/ui/test-pages.c")]
    assert len(lists) >= 4, lists
    for name, path in found.items():
        for other in lists:
            assert f'"{name}"' in read(other), f"{other} has no tab {name}"
        assert re.search(rf"^## {name}$", read("data/help/window.md"), re.M | re.I), name
        assert (ROOT / f"data/pictures/page-{name}.png").is_file(), name
        assert f"icons/seam-{name}-symbolic.svg<" in read("ui/seamscope.gresource.xml"), name
        assert f"{pathlib.PurePath(path).with_suffix('.ui').name}" in read("ui/seamscope.gresource.xml"), path
    assert f"&lt;Alt&gt;1...{len(found)}<" in read("ui/window/shortcuts.ui"), len(found)


def test_settings_in_the_man_page():
    manual = read("data/man/seamscope-cli.1")
    options = re.findall(r'\.option = "([\w-]+)"', read("app/settings/settings.c"))
    assert len(options) >= 11, options
    for option in options:
        dashed = re.escape((f"--{option}").replace("-", "\\-"))
        assert re.search(rf'^\.BI.* ?"?{dashed} "', manual, re.M), f"the manual explains no --{option}"


failed = False
tests = [(name, test) for name, test in list(globals().items()) if name.startswith("test_")]
for n, (name, test) in enumerate(tests, 1):
    try:
        test()
        print(f"ok {n} - {name[5:]}")
    except (AssertionError, IndexError, KeyError, ValueError, csv.Error) as error:
        failed = True
        print(f"not ok {n} - {name[5:]}")
        print("\n".join("# " + line for line in f"{type(error).__name__}: {error}".splitlines()))
print(f"1..{len(tests)}")
sys.exit(failed)
