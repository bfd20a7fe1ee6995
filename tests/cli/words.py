#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Texts for people are true: links and anchors lead somewhere, every file that a text or a comment names
# exists, the help pages list what the program has, and a number of a result names its source, from
# which this test computes it again if it is a sample session.
#
# A table of results, or a section that has a time in its sentences, is followed by a paragraph
#   Source: sample sessions KIND, runs in MODE.       data/samples/KIND-*.seamscope
#   Source: sample sessions KIND, explorations.
#   Source: `what was run`, YYYY-MM-DD, …             where no session of it is kept

import collections
import json
import os
import pathlib
import re
import subprocess

from seamtest import PIPELINES, listing, main, ok, rows

ROOT = pathlib.Path(os.environ["SEAMSCOPE_TEST_DATA"]).parent
HELP = sorted((ROOT / "data" / "help").glob("*.md"))
TEXTS = [ROOT / "README.md", *HELP]
LINKED = [*TEXTS, ROOT / "kernels" / "README.md", ROOT / "kernels" / "cuda" / "README.md"]
README_LIMIT = 10_000  # bytes: what a stranger reads before trying the program

# Files are named by a path from the root or by a bare name. A name with a star or a word in capitals
# stands for many files.
FOLDERS = "app|data|kernels|mockups|shared|tests|ui"
PATH = re.compile(rf"(?<![\w./-])(?:\.\./)*((?:{FOLDERS})/[\w./-]*\w)(?![\w*/…-])")
BARE = re.compile(rf"(?<![\w./*…-])([A-Za-z][\w-]*\.(?:c|cuh?|h|py|md|ui))(?![\w*/=-])")
PLACEHOLDER = re.compile(r"[A-Z]{4}|[a-z][A-Z]$")
# Files that comments name as examples, or that belong to another project.
EXAMPLES = {"a.c", "a.h", "b.cu", "common_x86_64.h", "conv-relu-bias-A-2.cu", "cuda_occupancy.h",
            "esc-2-0123456789abcdef.cu", "generated.cu", "math.h", "plan1-2.cu", "published-2.cu", "tail.c"}
SOURCES = {".c", ".h", ".cu", ".cuh", ".css", ".md", ".py", ".sh", ".build", ""}
NUMBER = re.compile(r"\d+\.\d+")
TIME = re.compile(r"\d (?:ms|µs)\b")


def plain(markdown):
    """A text without its code blocks."""
    return re.sub(r"^```.*?^```$", "", markdown, flags=re.M | re.S)


def slug(heading):
    """The anchor that a repository's web page gives a heading."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w -]", "", words.replace("`", "")).replace(" ", "-")


def anchors(path):
    found = []
    for heading in re.findall(r"^#+ (.*)$", plain(path.read_text()), re.M):
        n = sum(1 for other in found if re.fullmatch(re.escape(slug(heading)) + r"(-\d+)?", other))
        found.append(f"{slug(heading)}-{n}" if n else slug(heading))
    return found


def ours():
    """Every file of the tree."""
    done = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode == 0:
        return [ROOT / name for name in done.stdout.split("\n") if name and (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and "build" not in path.relative_to(ROOT).parts]


def comments(path):
    """The comments of a source file, or the whole text of a page."""
    text = path.read_text(errors="replace")
    if path.suffix == ".md":
        return text
    if path.suffix in {".c", ".h", ".cu", ".cuh", ".css"}:
        found = re.findall(r"/\*.*?\*/|//[^\n]*", text, re.S)
        return "\n".join(re.sub(r"\n\s*(?:\*|//) ?", "\n", comment) for comment in found)
    return "\n".join(re.findall(r"(?:^|\s)#(?!include)[^\n]*", text))


def test_links():
    broken = []
    for path in LINKED:
        for target in re.findall(r"\]\(([^)\s]+)\)", plain(path.read_text())):
            if "://" in target:
                continue
            file, _, anchor = target.partition("#")
            to = (path.parent / file).resolve() if file else path
            if not to.exists():
                broken.append(f"{path.relative_to(ROOT)}: {target}: no such file")
            elif anchor and anchor not in anchors(to):
                broken.append(f"{path.relative_to(ROOT)}: {target}: has {anchors(to)}")
    assert not broken, "\n".join(broken)



def test_named_files():
    files = ours()
    names = {path.name for path in files}
    paths = {str(path.relative_to(ROOT)) for path in files}
    folders = {str(parent) for path in paths for parent in pathlib.PurePath(path).parents}
    known = paths | folders | {str(pathlib.PurePath(path).with_suffix("")) for path in paths}
    sections = {heading.strip() for heading in re.findall(r"^#+ (.*)$", (ROOT / "README.md").read_text(), re.M)}
    gone = []
    for path in files:
        where = path.relative_to(ROOT)
        if path.suffix not in SOURCES or path == pathlib.Path(__file__):
            continue
        if path.suffix == "" and not path.read_bytes().startswith(b"#!"):
            continue
        text = comments(path)
        # A module may be named without its ending.
        gone += [f"{where}: {name}" for name in PATH.findall(text)
                 if name not in known and not PLACEHOLDER.search(name)]
        gone += [f"{where}: {name}" for name in BARE.findall(text)
                 if name not in names | EXAMPLES and not PLACEHOLDER.search(name)]
        for name in re.findall(r"README(?:\.md)?,? [“\"]([^”\"]+)[”\"]", text):
            if name not in sections:
                gone.append(f"{where}: README “{name}”")
    gone = sorted(set(gone))
    assert not gone, "\n".join(gone)


def test_every_page_is_linked():
    for path, folder in (ROOT / "README.md", "data/help/"), (ROOT / "data" / "help" / "index.md", ""):
        linked = set(re.findall(rf"\]\({folder}([\w-]+\.md)\)", path.read_text()))
        assert {page.name for page in HELP} - {"index.md"} <= linked, path.name


def test_readme_is_short():
    size = (ROOT / "README.md").stat().st_size
    assert size < README_LIMIT, size


# ---- Numbers ----


def sections(path):
    """The sections of a text, each with its blocks, which blank lines separate."""
    parts = re.split(r"^## .*$", plain(path.read_text()), flags=re.M)
    return [[block for block in re.split(r"\n\s*\n", part) if block.strip()] for part in parts]


def is_table(block):
    return block.startswith("|")


def read_table(block):
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.strip().split("\n")]
    cells = [[cell.replace("\\|", "|").replace("*", "").replace("`", "").strip() for cell in line] for line in lines]
    return cells[0], cells[2:]


def is_result(block):
    """Whether a table has at least two cells that hold only a decimal number."""
    return is_table(block) and sum(1 for row in read_table(block)[1] for cell in row
                                   if NUMBER.fullmatch(cell)) >= 2


def source_after(blocks, i):
    """The source of the block, which may follow a second table."""
    for block in blocks[i + 1:]:
        if block.startswith("Source: "):
            return block
        if not is_table(block):
            return None
    return None


def test_results_name_their_source():
    missing = []
    for path in TEXTS:
        if path.name == "lessons.md":
            continue  # its times are examples of what an author writes
        for blocks in sections(path):
            sourced = any(block.startswith("Source: ") for block in blocks)
            for i, block in enumerate(blocks):
                if is_result(block) and source_after(blocks, i) is None:
                    missing.append(f"{path.name}: {block[:100]}")
                if TIME.search(block) and not sourced:
                    missing.append(f"{path.name}: {block[:100]}")
                if block.startswith("Source: "):
                    check_source(path, block, missing)
    assert not missing, "\n".join(missing)


def check_source(path, source, wrong):
    if source.startswith("Source: sample sessions "):
        if not re.match(r"Source: sample sessions [\w-]+, (?:runs in \w+|explorations)\.", source):
            wrong.append(f"{path.name}: {source}")
        return
    quoted = re.match(r"Source: `([^`]+)`", source)
    if quoted is None:
        wrong.append(f"{path.name}: {source}")
        return
    what = quoted[1].split()[0]
    if what != "seamscope-cli" and not (ROOT / what).exists():
        wrong.append(f"{path.name}: {what} does not exist")
    # A test can be repeated at any time; a person's run has a date.
    if not what.startswith("tests/core/") and not re.search(r", \d{4}-\d\d-\d\d\b", source):
        wrong.append(f"{path.name}: {source}: no date")


def read_runs(kind, math):
    """For each pipeline, the plans of its first run in this math mode, with medians in ms and verdicts."""
    found = {}
    for session in sorted((ROOT / "data" / "samples").glob(f"{kind}-*.seamscope")):
        listed = ok("export", session, "--list").stdout
        for n in range(1, len(re.findall(r"^Run ", listed, re.M)) + 1):
            plans = rows(ok("export", session, "--run", n, "--csv", "-").stdout)
            if plans[0]["math_mode"] == math:
                found.setdefault(plans[0]["pipeline"], {p["plan"]: p for p in plans})
    return found


def read_explorations(kind):
    found = {}
    for session in sorted((ROOT / "data" / "samples").glob(f"{kind}-*.seamscope")):
        if "Search 1" in ok("export", session, "--list").stdout:
            points = rows(ok("export", session, "--csv-survey", "-").stdout)
            text = ok("export", session, "--survey", 1).stdout
            found[points[0]["pipeline"]] = (points, text)
    return found


def ms(text):
    return float(text) / 1e6


def is_rounded(cell, value):
    """Whether the cell is the value, rounded to as many digits as it has."""
    assert NUMBER.fullmatch(cell), cell
    digits = len(cell.partition(".")[2])
    return cell == f"{value:.{digits}f}"


def run_cell(title, plans):
    def time(plan):
        return ms(plans[plan]["elapsed_median_ns"])
    if " / " in title:
        one, _, other = title.partition(" / ")
        return time(one) / time(other)
    return time(title)


def exploration_cell(title, exploration):
    points, text = exploration
    measured = sorted((ms(p["adjusted_median_ns"]), p["plan"], p["n_fused"]) for p in points if p["adjusted_median_ns"])
    times = {plan: time for time, plan, _ in measured}
    n_seams = max(int(n) for _, _, n in measured)
    worth = re.search(r"Seam \d+ \((.*?)\) is worth most: fusing it saves (\S+) (µs|ms)", text)
    return {
        "partitions": len(measured),
        "unfused": times["unfused"],
        "full": next(time for time, _, n in measured if int(n) == n_seams),
        "best": measured[0][0],
        "next best": measured[1][0],
        "seam worth most": worth[1],
        "saves": float(worth[2]) / (1000 if worth[3] == "µs" else 1),
    }[title]


def agrees(cell, value):
    if isinstance(value, float):
        return is_rounded(cell, value)
    return cell == str(value)


def check_table(path, block, source, wrong):
    header, lines = read_table(block)
    kind = re.match(r"Source: sample sessions ([\w-]+), (?:runs in (\w+)|explorations)", source)
    data = read_runs(kind[1], kind[2]) if kind[2] else read_explorations(kind[1])
    for line in lines:
        for title, cell in zip(header[1:], line[1:]):
            value = (run_cell if kind[2] else exploration_cell)(title, data[line[0]])
            if not agrees(cell, value):
                wrong.append(f"{path.name}: {line[0]}, {title}: {cell}, but the session has {value}")
    return [line[0] for line in lines]


def test_results_are_those_of_the_samples():
    wrong = []
    seen = collections.Counter()
    for path in TEXTS:
        for blocks in sections(path):
            for i, block in enumerate(blocks):
                source = source_after(blocks, i) if is_result(block) else None
                if source is not None and source.startswith("Source: sample sessions "):
                    seen.update(check_table(path, block, source, wrong))
    # Six tables have all five, and one has three of them.
    assert sum(seen[pipeline] for pipeline in PIPELINES) == 33, seen
    assert not wrong, "\n".join(wrong)


def test_ratios_are_those_of_their_columns():
    """Also in tables for which no session is kept."""
    wrong = []
    for block in [b for path in TEXTS for blocks in sections(path) for b in blocks if is_result(b)]:
        header, lines = read_table(block)
        for line in lines:
            cells = dict(zip(header, line))
            for title in header:
                one, slash, other = title.partition(" / ")
                # A ratio of rounded times may differ in its last digit.
                if slash and abs(float(cells[one]) / float(cells[other]) - float(cells[title])) > 0.006 * float(cells[title]):
                    wrong.append(f"{line[0]}: {title}: {cells[title]}")
    assert not wrong, "\n".join(wrong)


def test_numbers_of_the_exhibit():
    plans = read_runs("h200", "tf32")["matmul-swish-bias-groupnorm"]
    text = " ".join((ROOT / "data" / "help" / "results.md").read_text().split())
    exhibit = plans["as-published"]
    for plan in "as-published", "published":
        assert f"{ms(plans[plan]['elapsed_median_ns']):.3f} ms" in text
    share = int(exhibit["n_failing"]) / int(exhibit["n_elements"])
    assert f"{100 * share:.2f} % of {int(exhibit['n_elements']):,} elements" in text
    assert f"the largest difference is {float(exhibit['max_abs_error']):.2f}" in text


def test_readme_agrees_with_results():
    """For PyTorch, the README has the two extremes of the table in the results."""
    table = next(b for blocks in sections(ROOT / "data" / "help" / "results.md") for b in blocks
                 if b.startswith("| TF32 |"))
    header, lines = read_table(table)
    ratios = sorted((float(line[header.index("best PyTorch / full")]), line[0]) for line in lines)
    text = " ".join((ROOT / "README.md").read_text().split())
    for ratio, pipeline in (ratios[0], ratios[-1]):
        assert re.search(rf"{ratio:.2f} times[^.]*\({pipeline}\)", text), (ratio, pipeline)


# ---- What the program has ----


def help_of(command):
    return ok(command, "--help").stdout


def find_table(path, first):
    """The table in a text whose header begins with this title."""
    for blocks in sections(path):
        for block in blocks:
            if is_table(block) and read_table(block)[0][:len(first)] == first:
                return read_table(block)
    raise AssertionError(f"{path.name} has no table {first}")


def test_commands_and_options_exist():
    wrong = []
    options = {}
    for path in TEXTS:
        text = path.read_text()
        for line in re.findall(r"seamscope-cli ([^`\n]*)", text):
            words = line.partition("#")[0].split()
            command = words[0]
            if command.isupper() or command.startswith("--"):
                continue
            if not re.fullmatch("[a-z]+", command):
                continue
            if command not in options:
                done = ok("help", command) if command != "worker" else ok("worker", "--help")
                options[command] = set(re.findall(r"^  (--[\w-]+)", done.stdout, re.M))
            for word in words[1:]:
                option = re.match(r"--[a-z][\w-]*", word)
                if option and option[0] not in options[command] | {"--help"}:
                    wrong.append(f"{path.name}: {command} {option[0]}")
    every = set().union(*options.values())
    for path in TEXTS:
        text = re.sub(r"`(?:tests|app)/[^`]*`", "", plain(path.read_text()))
        for option in re.findall(r"(?<![\w-])(--[a-z][\w-]*)(?!…)\b", text):
            if option not in every | {"--help", "--device-as-default-execution-space"}:
                wrong.append(f"{path.name}: {option}")
    assert len(options) > 10, sorted(options)
    assert not wrong, "\n".join(wrong)


def test_every_command_is_in_a_text():
    program = ok("help").stdout.partition("Commands:")[2].partition("\n\n")[0]
    text = "".join(path.read_text() for path in TEXTS)
    for command in re.findall(r"^  ([a-z]+) ", program, re.M):
        assert re.search(rf"seamscope-cli {command}\b", text), command


def test_columns_exist():
    session = ROOT / "data" / "samples" / "h200-matmul-swish-bias-groupnorm-tf32.seamscope"
    _, lines = find_table(ROOT / "data" / "help" / "files.md", ["option", "one row for each"])
    described = {line[0]: line[2] for line in lines}
    offered = set(re.findall(r"^  (--csv[\w-]*)", help_of("export"), re.M))
    assert set(described) == offered
    for option, text in described.items():
        run = ["--run", 1] if option != "--csv-survey" else []
        columns = ok("export", session, *run, option, "-").stdout.splitlines()[0].split(",")
        for name in re.sub(r"\([^)]*\)", "", text).split(","):
            assert name.strip() in columns, (option, name)


def test_pipelines_and_exhibits_are_those_of_the_program():
    _, lines = find_table(ROOT / "data" / "help" / "pipelines.md", ["id", "number"])
    assert {(line[0], int(line[1])) for line in lines} <= {(p["id"], p["number"]) for p in listing().values()}
    assert {line[0] for line in lines} >= set(PIPELINES)
    _, lines = find_table(ROOT / "data" / "help" / "plans.md", ["name", "pipeline", "what is wrong"])
    written = {(line[0], int(number)) for line in lines for number in re.findall(r"#(\d+)", line[1])}
    assert written == {(plan["name"], p["number"]) for p in listing().values() for plan in p["plans"] if plan["exhibit"]}
    _, lines = find_table(ROOT / "data" / "help" / "plans.md", ["name", "what it is"])
    named = {plan["name"] for p in listing().values() for plan in p["plans"] if not plan["exhibit"]}
    assert {line[0] for line in lines} == named


def test_choices_are_those_of_the_program():
    text = help_of("run")
    page = ROOT / "data" / "help" / "math-modes.md"
    modes = [line[0] for line in find_table(page, ["mode"])[1]]
    said = re.search(r"--math MODE +(.*?):", text)[1]
    assert modes == re.findall(r"[a-z]+\d+x?", said)
    pitfalls = [line[0] for line in find_table(ROOT / "data" / "help" / "measuring.md", ["name", "mistake"])[1]]
    said = " ".join(re.search(r"--pitfall NAME,… …(.*?);", text, re.S)[1].split())
    assert pitfalls == said.partition(": ")[2].split(", ")


def test_environment_is_read():
    sources = "".join(path.read_text(errors="replace") for path in ours()
                      if path.suffix in {".c", ".h"} and str(path.relative_to(ROOT)).startswith(("app/", "ui/")))
    _, lines = find_table(ROOT / "data" / "help" / "files.md", ["variable"])
    assert {line[0] for line in lines if line[0].startswith("SEAM")} == set(re.findall(r'"(SEAMSCOPE_[A-Z_]+)"', sources))


def test_example_of_a_pipeline_runs():
    text = (ROOT / "data" / "help" / "pipelines.md").read_text()
    example = re.search(r"^```\n(\[pipeline\].*?)^```", text, re.M | re.S)[1]
    pathlib.Path("own.ini").write_text(example)
    result = json.loads(ok("run", "own.ini", "--target", "cpu", "--preset", "tiny", "--l2", "warm",
                           "--budget", 0.05, "--json", "-").stdout)
    assert [plan["name"] for plan in result["plans"]] == ["unfused", "published"]
    assert all(plan["state"] == "measured" for plan in result["plans"])
    # The page has one row for each type of op, with the names that files use.
    types = {name for line in find_table(ROOT / "data" / "help" / "pipelines.md", ["type"])[1]
             for name in line[0].split(", ")}
    table = (ROOT / "kernels" / "ops.h").read_text()
    assert types == set(re.findall(r"^  (?:MATRIX|MAP|OTHER) \([A-Z0-9_]+, (\w+),", table, re.M))


main()
