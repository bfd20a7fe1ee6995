# SPDX-License-Identifier: MIT
#
# Shared by the scripts of this folder: running seamscope-cli so that its output does not depend on
# this machine, recording the output, and comparing new output with the recording. Results as TAP.

import dataclasses
import io
import lzma
import os
import pathlib
import shlex
import shutil
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = ROOT / "data"
# Meson sets these. With these defaults, --record can be run by hand without any setting.
os.environ.setdefault("SEAMSCOPE_CLI", str(ROOT / "build/normal/app/cli/seamscope-cli"))
os.environ.setdefault("SEAMSCOPE_TEST_GOLDEN", str(ROOT / "tests/golden"))
os.environ.setdefault("SEAMSCOPE_TEST_MACHINE",
                      str(ROOT / "build/normal/tests/machine/libtest-machine.so"))
sys.dont_write_bytecode = True
sys.path.insert(1, str(HERE.parent / "cli"))

import seamtest  # noqa: E402

N_PROCESSES = 2
MAX_WIDTH = 200  # characters that are shown of a line
MAX_LINES = 3    # that differ, of one product
MAX_SHOWN = 12   # products of a group whose lines are shown; of the others the name


def environment(home, datadir):
    """An environment without the person's locale, width, time zone, fonts, calibration and cache."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("LC_", "SEAMSCOPE_", "XDG_"))}
    return {**kept, "COLUMNS": "80", "FONTCONFIG_FILE": str(HERE / "fonts.conf"), "HOME": home,
            "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1", "SEAMSCOPE_DATADIR": str(datadir),
            "TZ": "UTC", **{f"XDG_{name}_HOME": home for name in ("CACHE", "CONFIG", "DATA", "STATE")}}


class Shell:
    """A folder in which commands are run; their output is recorded with their status."""

    def __init__(self, home, datadir=DATA):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=home))
        self.environment = environment(home, datadir)
        self.printed = ""

    def link(self, path):
        """Links a file into the folder, so that no product contains the path of one of our folders."""
        if not (self.folder / path.name).exists():
            (self.folder / path.name).symlink_to(path)
        return path.name

    def run(self, *arguments):
        done = seamtest.cli(*arguments, cwd=self.folder, env=self.environment)
        line = shlex.join(map(str, arguments))
        line = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line)
        self.printed += f"$ seamscope-cli {line}\n{done.stdout}{done.stderr}[status {done.returncode}]\n"
        return done

    def files(self):
        """All output of the commands, and every file that they wrote."""
        written = {str(path.relative_to(self.folder)): path.read_bytes()
                   for path in self.folder.rglob("*") if path.is_file() and not path.is_symlink()}
        return {"terminal.txt": self.printed.encode(), **written}


class Archive:
    """Files in a tar.xz, whose bytes depend only on the files."""

    def __init__(self, path):
        self.path = path

    def read(self):
        if not self.path.exists():
            return {}
        with tarfile.open(self.path) as tar:
            return {member.name: tar.extractfile(member).read() for member in tar}

    def write(self, files):
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w:xz", preset=9 | lzma.PRESET_EXTREME) as tar:
            # Neighbouring files of one kind compress best: "1-timing.svg" of every session.
            for name in sorted(files, key=lambda name: (name.rpartition("/")[2].lstrip("0123456789-"), name)):
                member = tarfile.TarInfo(name)
                member.size = len(files[name])
                tar.addfile(member, io.BytesIO(files[name]))
        self.path.write_bytes(data.getvalue())


class Folder:
    """Plain files, so that git shows their changes."""

    def __init__(self, path):
        self.path = path

    def read(self):
        return {str(path.relative_to(self.path)): path.read_bytes()
                for path in self.path.rglob("*") if path.is_file()}

    def write(self, files):
        shutil.rmtree(self.path, ignore_errors=True)
        for name, data in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def show(line, start):
    """The part of a line around the first character that differs."""
    if line is None:
        return "(no more lines)"
    first = max(0, start - MAX_WIDTH // 4)
    text = line[first:first + MAX_WIDTH]
    return ("…" if first > 0 else "") + text + ("…" if first + MAX_WIDTH < len(line) else "")


def first_differences(expected, found):
    """The first lines of two contents that differ, in words."""
    one, two = (data.decode(errors="backslashreplace").split("\n") for data in (expected, found))
    said = []
    for number in range(max(len(one), len(two))):
        a, b = (lines[number] if number < len(lines) else None for lines in (one, two))
        if a == b:
            continue
        if len(said) == 2 * MAX_LINES:
            break
        start = len(os.path.commonprefix([a or "", b or ""]))
        said += [f"  line {number + 1}, expected: {show(a, start)}",
                 f"  line {number + 1}, found:    {show(b, start)}"]
    return said


def differences(expected, found):
    """The differences between two dictionaries of files, line by line; empty if they are equal."""
    said = []
    n_shown = 0
    for name in sorted({*expected, *found}):
        if expected.get(name) == found.get(name):
            continue
        n_shown += 1
        if name not in found:
            said.append(f"{name}: is recorded and is not written any more")
        elif name not in expected:
            said.append(f"{name}: is written now and is not recorded")
        else:
            said.append(f"{name}: differs")
            if n_shown <= MAX_SHOWN:
                said += first_differences(expected[name], found[name])
    return said


@dataclasses.dataclass
class Set:
    """Files that are recorded in one place. `groups` are pairs of a name and a function that makes a
    dictionary of files, which are kept under the group's name. `compare` lists the differences of two
    dictionaries, and `skip` returns, for a recording, why this machine cannot compare with it."""

    title: str
    store: object
    groups: list
    compare: object = differences
    skip: object = lambda recorded: None


def check(made, record, say):
    """Compares one set, or records it; reports the differences of each group through `say`."""
    recorded = made.store.read()
    reason = None if record else made.skip(recorded)
    groups = {group: {} for group, _ in made.groups}
    for name, data in recorded.items():
        groups.setdefault(name.partition("/")[0], {})[name] = data
    written = {}
    with ThreadPoolExecutor(N_PROCESSES) as pool:
        found = pool.map(lambda pair: pair[1]() if reason is None else {}, made.groups)
        for (group, _), files in zip(made.groups, found):
            files = {f"{group}/{name}": data for name, data in files.items()}
            written.update(files)
            title = f"{made.title} of {group}" + (f" # SKIP {reason}" if reason else "")
            say(title, [] if reason else made.compare(groups.pop(group), files))
    stray = [] if reason else [name for files in groups.values() for name in files]
    say(f"{made.title} that nothing writes", [f"{name}: is recorded" for name in stray])
    if record:
        made.store.write(written)
        print(f"# {len(written)} files are recorded in {made.store.path}")


def main(*sets):
    """Compares the sets. --record records the present output and prints the changes."""
    record = sys.argv[1:] == ["--record"]
    if sys.argv[1:] and not record:
        sys.exit(f"Usage: {sys.argv[0]} [--record]")
    if not os.access(seamtest.CLI, os.X_OK):
        sys.exit(f"There is no {seamtest.CLI}: build it, or name another in SEAMSCOPE_CLI.")
    results = []

    def say(title, said):
        results.append(not said or record)
        print(f"{'ok' if results[-1] else 'not ok'} {len(results)} - {title}")
        for line in said:
            print(f"# {line}", flush=True)

    print(f"1..{sum(len(made.groups) + 1 for made in sets)}")
    for made in sets:
        check(made, record, say)
    sys.exit(not all(results))
