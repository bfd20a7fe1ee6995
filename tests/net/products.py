#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every product of recorded sessions, compared byte by byte with a recording: reports, tables, JSON,
# traces, code, and figures as SVG. The program's own help lists the tables and figures.

import hashlib
import pathlib
import re
import subprocess
import tempfile

from recorded import DATA, HERE, Archive, Set, Shell, main

SESSIONS = sorted([*(DATA / "samples").glob("*.seamscope"), *(HERE.parent / "sessions").iterdir(),
                   *(HERE / "sessions").iterdir()])
BY_NAME = {path.stem: path for path in SESSIONS}
# Pairs of sessions: comparable and incomparable ones, two runs of a file, a file with itself.
COMPARISONS = {
    "compare-before-and-after": ["before", "after"],
    "compare-two-days": ["conv-relu-hardswish-1.0", "h200-conv-relu-hardswish", "--run", 1],
    "compare-with-itself": ["laptop-cpu-conv-relu-bias", "laptop-cpu-conv-relu-bias"],
    "compare-math-modes": ["h200-gemm-bias-relu", "h200-gemm-bias-relu", "--run", 1, "--with", 2],
    "compare-edited-with-wrong": ["edited", "pitfalls"],
    "compare-without-run": ["surveys", "before"],
}
# Figures of explorations and sweeps, and variants of a first run's map. Maps compress badly, so they
# come only from the sessions in this list and from a GPU's.
SEARCH_FIGURES = {"exploration": "lattice", "sweep": "sweep"}
LOOKS = {
    "relative": ["--map-unit", "rel", "--map-tiles", "a"],
    "ulp": ["--map-unit", "ulp", "--map-tiles", "b"],
}
LOOKED_AT = {*(HERE / "sessions").iterdir(), BY_NAME["h200-matmul-swish-bias-groupnorm-tf32"]}
# Libraries that influence an SVG.
LIBRARIES = ["cairo", "pangocairo", "freetype2", "harfbuzz", "fontconfig"]
FONTS = ["opentype/cantarell/Cantarell-Regular.otf", "opentype/cantarell/Cantarell-Bold.otf",
         "truetype/dejavu/DejaVuSans.ttf", "truetype/dejavu/DejaVuSansMono.ttf"]


def options_of(command, home):
    """The options of a command that take a file, and the kinds of figures that it names."""
    text = Shell(home).run(command, "--help").stdout
    return re.findall(r"^  --(\S+) FILE ", text, re.M), re.findall(r"\b([a-z]+)=FILE\b", text)


def as_files(options, prefix=""):
    """A file name for each option: "csv" is plans.csv, "csv-kernels" kernels.csv."""
    words = []
    for option in options:
        kind, _, rest = option.partition("-")
        name = rest or {"csv": "plans", "json": "all"}.get(kind, kind)
        words += [f"--{option}", f"{prefix}{name}.{'csv' if kind == 'csv' else 'json'}"]
    return words


class Session:
    """A session in its own shell, with the numbers of its runs, and numbers and kinds of its searches."""

    def __init__(self, home, path):
        self.shell = Shell(home, "/nonexistent")  # nothing but the file is needed
        self.name = self.shell.link(path)
        listed = self.export("--list").stdout
        self.runs = re.findall(r"^Run (\d+): ", listed, re.M)
        self.searches = re.findall(r"^Search (\d+): (\w+)", listed, re.M)

    def export(self, *options):
        return self.shell.run("export", self.name, *options)


def write_tables(home, path, options):
    session = Session(home, path)
    session.export()
    of_run = [option for option in options if not option.endswith("-survey")]
    for run in session.runs:
        session.export("--run", run, *as_files(of_run, f"{run}-"), "--code", f"{run}-code")
    for search, _ in session.searches:
        session.export("--survey", search, "--csv-survey", f"survey-{search}.csv", "--json-survey",
                       f"survey-{search}.json")
    if len(session.runs) != 1:
        session.export("--trace", "trace.json")
        session.export("--csv", "-")
    return session.shell.files()


def write_figures(home, path, kinds):
    """Writes each figure by a process of its own, because ids in an SVG count earlier drawings."""
    session = Session(home, path)
    for run in session.runs:
        for kind in [kind for kind in kinds if kind not in SEARCH_FIGURES.values()]:
            session.export("--run", run, "--figure", f"{kind}={run}-{kind}.svg")
    for look, options in LOOKS.items() if session.runs and path in LOOKED_AT else ():
        session.export("--run", 1, *options, "--figure", f"difference=1-difference-{look}.svg")
    for search, kind in session.searches:
        figure = SEARCH_FIGURES[kind]
        session.export("--survey", search, "--figure", f"{figure}={search}-{figure}.svg")
    return session.shell.files()


def compare(home, words, *options):
    shell = Shell(home, "/nonexistent")
    words = [shell.link(BY_NAME[word]) if word in BY_NAME else word for word in words]
    for more in options:
        shell.run("compare", *words, *more)
    return shell.files()


def versions():
    """The versions of the libraries that draw figures here, one on each line."""
    lines = []
    for library in LIBRARIES:
        done = subprocess.run(["pkg-config", "--modversion", library], capture_output=True, text=True)
        lines.append(f"{library} {done.stdout.strip() or 'not found'}")
    for font in FONTS:
        path = pathlib.Path("/usr/share/fonts", font)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else "not found"
        lines.append(f"{path.name} {digest}")
    return "\n".join(lines) + "\n"


def say_what_differs(recorded):
    """Names libraries and fonts of other versions, which measure text differently."""
    then = recorded.get("drawn-with/versions", b"").decode().splitlines()
    differing = [f"{now} ({line})" for line, now in zip(then, versions().splitlines()) if line != now]
    return f"recorded with others than {', '.join(differing)}" if differing else None


def main_in(home):
    options, kinds = options_of("export", home)
    of_comparison = [option for option in options_of("compare", home)[0] if option != "figure"]
    drawn_with = ("drawn-with", lambda: {"versions": versions().encode()})
    tables, figures = [], [drawn_with]
    for name, path in BY_NAME.items():
        tables.append((name, lambda path=path: write_tables(home, path, options)))
        figures.append((name, lambda path=path: write_figures(home, path, kinds)))
    for name, words in COMPARISONS.items():
        tables.append((name, lambda words=words: compare(home, words, as_files(of_comparison), ["--all"])))
        figures.append((name, lambda words=words: compare(home, words, ["--figure", "changes.svg"])))
    main(Set("tables", Archive(HERE / "tables.tar.xz"), tables),
         Set("figures", Archive(HERE / "figures.tar.xz"), figures, skip=say_what_differs))


with tempfile.TemporaryDirectory(prefix="seam-net-") as home:
    main_in(home)
