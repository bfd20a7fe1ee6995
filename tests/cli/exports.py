#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every option that writes a file, read from the commands' own help: what is written of a run that
# was made with a pitfall says so, from the run, from its session and beside another one.

import json
import os
import re
import zlib

from seamtest import COLD, cli, main, ok, rows

# Threads that spin for each other on a busy machine would leave a run with one sample.
os.environ["OMP_NUM_THREADS"] = "1"
PITFALLS = "zeros,flush-inside"
# Beside FP64 there are errors, and so worst elements, whatever the plans are.
RUN = ["#57", *COLD, "--against", "fp64"]
# A PDF has “fl” as one letter of its own: its words are looked for as far as they are plain.
WORDS = "wrong on purpose: zeros as input"
TITLES = "zeros as input, flush in the timed window"
# Options that take a file and only read it.
READ = {"tensors", "edit", "resume"}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def words_of(path):
    """The text of a PDF by Cairo, without white space: its strings, in clear where a font is of
    Latin letters."""
    with open(path, "rb") as file:
        data = file.read()
    text = ""
    for match in re.finditer(rb"stream\r?\n", data):
        try:
            content = zlib.decompressobj().decompress(data[match.end():])
        except zlib.error:
            continue
        for drawn in re.findall(rb"\[((?:[^\]\\(]|\\.|\((?:[^\\)]|\\.)*\))*)\]\s*TJ|(\((?:[^\\)]|\\.)*\))\s*Tj",
                                content):
            for string in re.findall(rb"\(((?:[^\\)]|\\.)*)\)", drawn[0] or drawn[1]):
                text += re.sub(rb"\\(.)", rb"\1", string).decode("latin-1")
    return re.sub(r"\s", "", text)


def says(path, words):
    return words.replace(" ", "") in words_of(path)


def write(words):
    """Slower, or different, is an answer."""
    done = cli(*words)
    assert done.returncode in (0, 1), f"status {done.returncode}: {words}\n{done.stderr}"


def check_table(path):
    found = rows(read(path))
    assert found, path
    for row in found:
        assert PITFALLS in (row.get("pitfalls"), row.get("pitfalls_b")), (path, row)
        assert "pitfalls_a" not in row or row["pitfalls_a"] == "", (path, row)


def check_text(path):
    assert PITFALLS in read(path), path


def check_trace(path):
    events = json.loads(read(path))["traceEvents"]
    names = [event["args"]["name"] for event in events if event["name"] == "process_name"]
    assert len(names) == 2 and all(WORDS in name for name in names), names


def check_figure(path):
    # Under the title, and in the line at the foot.
    assert words_of(path).count(WORDS.replace(" ", "")) >= 2, words_of(path)


def check_session(path, options):
    path += ".seamscope"
    write(options(path))
    ok("export", path, "--csv", "again.csv")
    assert {row["pitfalls"] for row in rows(read("again.csv"))} == {PITFALLS}
    # Among several runs it is seen which one it is.
    ok("run", *RUN, "--append", path)
    choice = cli("export", path, "--csv", "again.csv")
    assert choice.returncode != 0, choice
    runs = re.split(r"conv-relu-hardswish, ", choice.stderr)[1:]
    assert [f"with pitfall: {TITLES}, N 2" in run for run in runs] == [True, False], choice.stderr


def check_refused(path, options):
    """An array has no room for the words."""
    done = cli(*options(path))
    assert done.returncode == 3 and "could not say" in done.stderr, done.stderr
    assert not os.path.exists(path) or not os.listdir(path)


def check_code(path, options):
    """Code is what ran; no time is in it."""
    write(options(path))
    assert not re.search(r"\d (ns|µs|ms|s)\b", "".join(read(os.path.join(path, name))
                                                     for name in os.listdir(path)
                                                     if name.endswith(".txt")))


OF_RESULT = {
    **{name: check_table for name in (
        "csv", "csv-kernels", "csv-samples", "csv-ledger", "csv-traffic", "csv-waterfall",
        "csv-roofline", "csv-worst", "csv-histogram")},
    "json": check_text,
    "trace": check_trace,
}
FIGURES = {"timing", "difference", "numbers", "traffic", "roofline", "timeline", "samples"}
WAYS = {
    "run": {**OF_RESULT, "save": check_session, "append": check_session,
            "save-output": check_refused, "save-tensors": check_refused},
    "export": {**OF_RESULT, "code": check_code},
    "compare": {"csv": check_table, "json": check_text, "figure": check_figure},
}
# What takes a command of its own; all else is written by one.
ALONE = {check_session, check_refused, check_code}
# Of explorations and sweeps, whose runs make no mistakes on purpose.
OF_SURVEYS = {"csv-survey", "lattice", "sweep"}


def files_of(command):
    """The options of a command that take a file or folder, and the kinds of figures where --figure
    has several."""
    text = ok(command, "--help").stdout
    options = dict(re.findall(r"^  --([a-z0-9-]+) (\S*(?:FILE|FOLDER|DIR)\S*)", text, re.MULTILINE))
    kinds = set()
    if options.get("figure") == "KIND=FILE":
        after = text[text.index("  --figure KIND=FILE"):]
        kinds = set(re.findall(r"([a-z]+)=FILE", re.split(r"\n  --", after[4:])[0]))
        del options["figure"]
    return {name: value for name, value in options.items() if name not in READ}, kinds


def check_command(command, *words):
    files, kinds = files_of(command)
    ways = WAYS[command]
    unknown = set(files) - set(ways) - OF_SURVEYS
    assert not unknown, f"{command} writes files by {unknown}, which this test does not know."
    assert kinds - OF_SURVEYS == (FIGURES if kinds else set()), kinds
    together = {}
    for name, value in files.items():
        if name in OF_SURVEYS:
            continue
        before = "unfused=" if value.startswith("PLAN=") else ""
        if ways[name] in ALONE:
            ways[name](f"{command}-{name}", lambda path, before=before, name=name:
                       (command, *words, f"--{name}", before + path))
        else:
            path = f"{command}-{name}" + (".pdf" if name == "figure" else "")
            together[path] = ways[name], f"--{name}", path
    for kind in kinds - OF_SURVEYS:
        path = f"{command}-{kind}.pdf"
        together[path] = check_figure, "--figure", f"{kind}={path}"
    write([command, *words, *(word for way in together.values() for word in way[1:])])
    for path, way in together.items():
        way[0](path)
    return files, kinds


def test_run():
    files, kinds = check_command("run", *RUN, "--pitfall", PITFALLS)
    assert len(files) >= 15 and kinds


def test_export_and_compare():
    ok("run", *RUN, "--save", "honest.seamscope")
    ok("run", *RUN, "--pitfall", PITFALLS, "--save", "wrong.seamscope")
    check_command("export", "wrong.seamscope")
    # A comparison with other work still says what the other one was; its exit status is its own.
    files, _ = check_command("compare", "honest.seamscope", "wrong.seamscope")
    assert set(files) == set(WAYS["compare"]), files
    # And no figure of the honest run says so.
    ok("export", "honest.seamscope", "--figure", "timing=honest.pdf")
    assert not says("honest.pdf", "on purpose") and says("honest.pdf", "conv-relu-hardswish")


def test_no_other_command_makes_any():
    listed = ok("--help").stdout
    commands = re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)
    assert {"run", "pitfalls", "explore", "sweep", "aa", "estimate", "why"} <= set(commands), listed
    for command in commands:
        if command not in ("run", "pitfalls", "help"):
            assert "--pitfall" not in ok(command, "--help").stdout, command
            assert cli(command, "#57", "--pitfall", "zeros").returncode == 2, command


if __name__ == "__main__":
    main()
