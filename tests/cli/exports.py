#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every option that writes a file. The options are read from the commands' help, so that new ones are
# tested without a change here. Each writes its file, and every file of a run with a pitfall says so:
# from the run, from its session, and in a comparison.

import json
import os
import re
import zlib

from seamtest import COLD, QUICK, cli, main, ok, rows

# Threads that spin for each other on a busy machine would leave a run with one sample.
os.environ["OMP_NUM_THREADS"] = "1"
PITFALLS = "zeros,flush-inside"
# Against FP64 there are errors, and so worst elements, whatever the plans.
RUN = ["#57", *COLD, "--against", "fp64"]
# A PDF contains “fl” as a single ligature, so the test looks for words without it.
WORDS = "wrong on purpose: zeros as input"
TITLES = "zeros as input, flush in the timed window"
TINY = ["--target", "cpu", "--preset", "tiny"]
# Commands that write products, with the options that they need; those of a run with a pitfall are
# below.
HONEST = {
    "aa": ["#57", *QUICK, "--runs", "1"],
    "calibrate": ["--target", "cpu", "--budget", "0.1", "--keep"],
    "estimate": ["#57", *TINY],
    "explore": ["gemm-bias-relu", *TINY, "--budget", "1"],
    "pitfalls": ["#57", *TINY, "--budget", "1", "--pitfall", "zeros"],
    "sweep": ["gemm-bias-relu", *TINY, "--budget", "1", "--vary", "batch=1,2"],
    "why": ["#57", *TINY, "--seam", "1"],
}
MARKED = {"compare", "export", "run"}
# It writes code, which is not about a result: source.py.
CODE = {"source"}
# It writes runs that were measured before, and adds no words of its own.
KEPT = {"history"}
# They write and read what learners answered, and judge a saved run: class_answers.py, lesson.py.
LEARNT = {"class"}
# Options whose file is only read, or continued: explore.py.
READ = {"tensors", "edit", "resume"}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def words_of(path):
    """The text of a PDF by Cairo, without white space: its strings, which are readable in fonts with
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
    """Runs a command. Statuses for slower or different plans count as answers."""
    done = cli(*words)
    assert done.returncode in (0, 1), f"status {done.returncode}: {words}\n{done.stderr}"


def check_table(path):
    for row in rows(read(path)):
        assert PITFALLS in (row.get("pitfalls"), row.get("pitfalls_b")), (path, row)
        assert "pitfalls_a" not in row or row["pitfalls_a"] == "", (path, row)


def check_json(path):
    text = read(path)
    if "traceEvents" in json.loads(text):
        names = [event["args"]["name"] for event in json.loads(text)["traceEvents"]
                 if event["name"] == "process_name"]
        assert len(names) == 2 and all(WORDS in name for name in names), names
    else:
        assert PITFALLS in text, path


def check_figure(path):
    # Under the title, and in the line at the foot.
    assert words_of(path).count(WORDS.replace(" ", "")) >= 2, words_of(path)


def kind_of(path):
    with open(path, "rb") as file:
        begin = file.read(4)
    return "figure" if begin == b"%PDF" else "json" if begin[:1] == b"{" else "table"


def check_marked(path):
    {"table": check_table, "json": check_json, "figure": check_figure}[kind_of(path)](path)


def check_made(path):
    """Checks that the file is not empty. Returns its text without white space."""
    kind = kind_of(path)
    if kind == "figure":
        assert words_of(path), path
        return words_of(path)
    assert rows(read(path)) if kind == "table" else json.loads(read(path)), path
    return re.sub(r"\s", "", read(path))


def check_session(path, options):
    path += ".seamscope"
    write(options(path))
    ok("export", path, "--csv", "again.csv")
    assert {row["pitfalls"] for row in rows(read("again.csv"))} == {PITFALLS}
    # The mark belongs to the right one of several runs.
    ok("run", *RUN, "--append", path)
    choice = cli("export", path, "--csv", "again.csv")
    assert choice.returncode != 0, choice
    runs = re.split(r"conv-relu-hardswish, ", choice.stderr)[1:]
    assert [f"with pitfall: {TITLES}, N 2" in run for run in runs] == [True, False], choice.stderr


def check_refused(path, options):
    """An array has no room for the words, so it is refused."""
    done = cli(*options(path))
    assert done.returncode == 3 and "could not say" in done.stderr, done.stderr
    assert not os.path.exists(path) or not os.listdir(path)


def check_code(path, options):
    """Code is what ran and contains no time."""
    write(options(path))
    assert not re.search(r"\d (ns|µs|ms|s)\b", "".join(read(os.path.join(path, name))
                                                     for name in os.listdir(path)
                                                     if name.endswith(".txt")))


# Files that are not products have a check of their own.
OTHERS = {"save": check_session, "append": check_session, "save-output": check_refused,
          "save-tensors": check_refused, "code": check_code}


def options_of(command):
    """The options that write a file or folder, with their argument."""
    options = re.findall(r"^  --([a-z0-9-]+) (\S*(?:FILE|FOLDER|DIR)\S*)",
                         ok(command, "--help").stdout, re.MULTILINE)
    return {name: value for name, value in options if name not in READ}


def products_of(command):
    """For each product, the words that request it, by the file that they write."""
    products = {}
    for name, value in options_of(command).items():
        if name == "figure" and value != "FILE":
            text = ok(command, "--help").stdout
            after = text[text.index("  --figure "):]
            for kind in set(re.findall(r"([a-z]+)=FILE", re.split(r"\n  --", after[4:])[0])):
                path = f"{command}-{kind}.pdf"
                products[path] = ["--figure", f"{kind}={path}"]
        elif name not in OTHERS:
            assert value == "FILE", f"{command} --{name} {value}: this test does not know how to ask."
            path = f"{command}-{name}" + (".pdf" if name == "figure" else "")
            products[path] = [f"--{name}", path]
    return products


def all_words(products):
    return [word for words in products.values() for word in words]


def check_others(command, words):
    for name, value in options_of(command).items():
        if name in OTHERS:
            before = "unfused=" if value.startswith("PLAN=") else ""
            OTHERS[name](f"{command}-{name}", lambda path, before=before, name=name:
                         (command, *words, f"--{name}", before + path))


def test_run():
    products = products_of("run")
    assert len(products) >= 18, products
    words = [*RUN, "--pitfall", PITFALLS]
    write(["run", *words, *all_words(products)])
    for path in products:
        check_marked(path)
    check_others("run", words)


def test_export():
    """A run, an exploration and a sweep, each in its own session: every product comes from one of
    them, and those of the run name the pitfall."""
    ok("run", *RUN, "--pitfall", PITFALLS, "--save", "run.seamscope")
    for command in "explore", "sweep":
        done = cli(command, *HONEST[command], "--save", f"{command}.seamscope")
        assert done.returncode in (0, 3), done
    products = products_of("export")
    assert len(products) >= 21, products
    left = set(products)
    for session in "run", "explore", "sweep":
        # It complains about products that the session lacks, and goes on.
        cli("export", f"{session}.seamscope", *all_words(products))
        written = {path for path in products if os.path.exists(path)}
        for path in written:
            if session == "run":
                check_marked(path)
            else:
                assert "onpurpose" not in check_made(path), path
            os.remove(path)
        left -= written
    assert not left, f"export wrote none of {left}"
    check_others("export", ["run.seamscope"])


def test_compare():
    ok("run", *RUN, "--save", "honest.seamscope")
    ok("run", *RUN, "--pitfall", PITFALLS, "--save", "wrong.seamscope")
    # A comparison of different work still names the pitfall; it has its own exit status.
    products = products_of("compare")
    assert len(products) >= 3, products
    write(["compare", "honest.seamscope", "wrong.seamscope", *all_words(products)])
    for path in products:
        check_marked(path)
    # No figure of the honest run has the mark.
    ok("export", "honest.seamscope", "--figure", "timing=honest.pdf")
    assert not says("honest.pdf", "on purpose") and says("honest.pdf", "conv-relu-hardswish")


def list_commands():
    listed = ok("--help").stdout.split("\nPages ")[0]
    commands = re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)
    assert {"run", "pitfalls", "explore", "sweep", "aa", "estimate", "why"} <= set(commands), listed
    return commands


def test_all_other_commands():
    """Whatever the times, the files exist, and only those of the lab name a pitfall."""
    os.environ["XDG_DATA_HOME"] = os.path.join(os.getcwd(), "data-home")
    writing = {command for command in list_commands() if options_of(command)}
    assert writing == set(HONEST) | MARKED | CODE | KEPT | LEARNT, writing
    for command, words in HONEST.items():
        products = products_of(command)
        done = cli(command, *words, *all_words(products))
        assert products and done.returncode in (0, 1, 3), done
        for path in products:
            assert os.path.exists(path), f"{command} did not write {path}: {done.stderr}"
            text = check_made(path).lower()
            assert ("zeros" in text) == (command == "pitfalls"), (path, text)


def test_no_other_command_makes_any():
    for command in list_commands():
        if command not in ("run", "pitfalls", "help"):
            assert "--pitfall" not in ok(command, "--help").stdout, command
            assert cli(command, "#57", "--pitfall", "zeros").returncode == 2, command


if __name__ == "__main__":
    main()
