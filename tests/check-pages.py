#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Checks the pages that explain the code. kernels/ladder.csv has the columns and units that
# kernels/README.md explains, and the page's ladder agrees with the data. app/DESIGN.md lists every
# folder of app/. Prints TAP.

import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ROOT / "kernels"
DESIGN = ROOT / "app" / "DESIGN.md"
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


def test_folders_named():
    text = DESIGN.read_text(encoding="utf-8")
    for folder in sorted({path.parent.name for path in (ROOT / "app").rglob("*.c")}):
        row = rf"^\|.*`{folder}/?`.*\|"
        assert re.search(row, text, re.M), f"app/DESIGN.md lacks the folder {folder}"


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
