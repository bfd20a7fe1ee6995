#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Texts for people: help, documents, lists, answers to bad input with their exit statuses, the
# description that a session file has of itself, and the columns of tables that a session does not
# keep. Recorded as plain text, so that git shows the changes.

import re
import shlex
import sqlite3
import tempfile
import zlib

from gi.repository import GLib

from recorded import DATA, HERE, ROOT, Folder, Set, Shell, main

QUICK = "--target cpu --preset tiny --budget 0.05"
# Each line is a command without "seamscope-cli"; bad_files() makes the files that it names.
BAD_INPUT = r"""

rnu
explode
help rnu
'\x1b]0;owned\x07'
list all
list --json=yes
doctor now
worker now
run
run gemm-bias-relu conv-relu-bias
run gemm-bias-relu --presett tiny
run gemm-bias-relu --frobnicate
run gemm-bias-relu -x
run gemm-bias-relu --preset
run gemm-bias-relu --preset --plan
run gemm-bias-relu --preset tiny --preset laptop
run conv-relu-bais
run '#101'
run ''
run missing.ini
run cut.ini
run binary.ini
run folder.ini
run gemm-bias-relu --preset huge
run conv-relu-bias QUICK --shape height=0
run conv-relu-bias QUICK --shape height=tall
run conv-relu-bias QUICK --shape height=
run conv-relu-bias QUICK --shape height
run conv-relu-bias QUICK --shape heigth=9
run conv-relu-bias QUICK --shape kernel_size=11
run conv-bias-scale-sigmoid-groupnorm QUICK --shape groups=3
run conv-relu-bias QUICK --shape batch=99999999999999999999
run conv-relu-bias QUICK --shape batch=1000000,in_channels=1000000,height=1000000
run gemm-bias-relu QUICK --shape batch=1000000,out_features=1000000
run gemm-bias-relu --seed 1e9
run gemm-bias-relu --seed 18446744073709551616
run gemm-bias-relu --budget 0
run gemm-bias-relu --budget nan
run gemm-bias-relu --rtol inf
run gemm-bias-relu QUICK --math fp23
run gemm-bias-relu QUICK --storage half
run gemm-bias-relu QUICK --storage all
run gemm-bias-relu QUICK --truth some
run gemm-bias-relu QUICK --l2 hot
run gemm-bias-relu QUICK --launch graphs
run gemm-bias-relu QUICK --launch graph
run gemm-bias-relu QUICK --distribution poisson
run gemm-bias-relu QUICK --init none
run gemm-bias-relu QUICK --pitfall sleep
run gemm-bias-relu QUICK --overview 513
run conv-relu-bias QUICK --plan publishd
run conv-relu-bias QUICK --plan 'conv|relu|conv_bias|bias'
run conv-relu-bias QUICK --plan conv+conv_bias
run conv-relu-bias QUICK --plan ''
run conv-relu-bias QUICK --plan as-published
run conv-relu-bias QUICK --plan conv@|conv_bias|relu|bias
run conv-relu-bias QUICK --against fp46
run conv-relu-bias QUICK --edit full
run conv-relu-bias QUICK --edit full:9=binary.ini
run gemm-bias-relu QUICK --tensors nowhere
run gemm-bias-relu QUICK --save-output full=x.npy
run gemm-bias-relu QUICK --save-output x.npy
run gemm-bias-relu QUICK --csv binary.ini/x
run gemm-bias-relu QUICK --csv none/x
run gemm-bias-relu QUICK --json folder.ini
run gemm-bias-relu QUICK --figure timing=x.gif
run gemm-bias-relu QUICK --figure x.png
run gemm-bias-relu QUICK --figure lattice=x.svg
run gemm-bias-relu QUICK --figure timing=x.png --plan full
run gemm-bias-relu QUICK --csv - --json -
run gemm-bias-relu QUICK --map-unit cm
run gemm-bias-relu QUICK --map-tiles c
run gemm-bias-relu QUICK --save x.db
run gemm-bias-relu QUICK --save x.seamscope --append y.seamscope
run gemm-bias-relu QUICK --note hello
run gemm-bias-relu QUICK --append flipped.seamscope
export
export missing.seamscope
export empty.seamscope
export text.seamscope
export half.seamscope
export flipped.seamscope
export newer.seamscope
export other.seamscope
export folder.ini
export good.seamscope --run 3
export good.seamscope --survey 1
export good.seamscope --csv -
export good.seamscope --csv-survey -
export good.seamscope --run 1 --figure lattice=x.svg
export good.seamscope --run 1 --figure timing=x.svg
export good.seamscope --run 1 --code binary.ini/x
export good.seamscope --run 1 --csv - --json -
compare good.seamscope
compare good.seamscope half.seamscope
compare good.seamscope good.seamscope --run 9
compare good.seamscope good.seamscope --run 1 --with 9
estimate gemm-bias-relu --target cpu --figure timing=x.svg
why '#37' --target cpu --seam 6
why '#37' --target cpu --figure x.svg
source '#37' --target cpu --asm wasm
source '#37' --target cpu --group 9
sweep gemm-bias-relu
sweep gemm-bias-relu QUICK --vary batch
sweep gemm-bias-relu QUICK --vary batsch=1,2
sweep gemm-bias-relu QUICK --vary batch=1:0:log2
explore gemm-bias-relu QUICK --save x.db
explore gemm-bias-relu QUICK --resume text.seamscope
aa gemm-bias-relu QUICK --runs 0
calibrate --budget 0
pitfalls gemm-bias-relu QUICK --pitfall sleep
"""
# Tables of numbers that are measured or modelled on this machine: only their first lines are kept.
TABLES = {
    "estimate": "estimate gemm-bias-relu --target cpu --preset tiny --csv",
    "why": "why gemm-bias-relu --target cpu --preset tiny --csv",
    "pitfalls": f"pitfalls gemm-bias-relu {QUICK} --csv",
    "aa": f"aa gemm-bias-relu {QUICK} --runs 1 --csv-samples",
    "calibrate": "calibrate --target cpu --budget 0.1 --keep --csv",
}


def write_help(home):
    shell = Shell(home)
    whole = shell.run("help").stdout
    texts = {"seamscope-cli.txt": whole}
    for command in re.findall(r"^  ([a-z]+) ", whole.partition("Commands:")[2].partition("\n\n")[0], re.M):
        texts[f"{command}.txt"] = shell.run(command, "--help").stdout
    return {name: text.encode() for name, text in texts.items()}


def read_documents():
    paths = [ROOT / "README.md", *sorted((DATA / "man").iterdir())]
    return {f"{path.name}.txt": path.read_bytes() for path in paths}


def write_lists(home):
    shell = Shell(home)
    texts = {"list.txt": shell.run("list").stdout, "list.json": shell.run("list", "--json").stdout}
    for pipeline in "21", "37":
        text = shell.run("why", pipeline, "--target", "cpu", "--preset", "kernelbench").stdout
        # The first line begins with the processor and its libraries.
        texts[f"why-{pipeline}.txt"] = re.sub(r"\A.*? · (?=[a-z-]+ · N )", "", text)
    return {name: text.encode() for name, text in texts.items()}


def bad_files(folder):
    """Makes bad files of every kind."""
    good = (HERE / "sessions" / "not-all.seamscope").read_bytes()
    contents = {
        "cut.ini": (DATA / "pipelines" / "conv-relu-hardswish.ini").read_bytes()[:400],
        "binary.ini": b"\x00\xff" * 50,
        "good.seamscope": good,
        "empty.seamscope": b"",
        "text.seamscope": b"plan,median\r\n" * 20,
        "half.seamscope": good[:len(good) // 2],
        "flipped.seamscope": good.replace(b"gemm-bias-relu", b"gemm-bias-rely", 1),
        "newer.seamscope": good[:60] + (9000).to_bytes(4, "big") + good[64:],
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    (folder / "folder.ini").mkdir()
    other = sqlite3.connect(folder / "other.seamscope")
    other.execute("CREATE TABLE t (x)")
    other.commit()
    other.close()


def write_bad_input(home):
    shell = Shell(home)
    bad_files(shell.folder)
    before = set(shell.folder.iterdir())
    for line in BAD_INPUT.split("\n")[1:-1]:
        words = shlex.split(line.replace("QUICK", QUICK))
        shell.run(*(word.encode().decode("unicode_escape") if "\\x" in word else word for word in words))
    text = re.sub(r"has \S+ \S+ free", "has … free", shell.printed)  # of this machine's memory
    left = sorted(path.name for path in set(shell.folder.iterdir()) - before)
    return {"sentences.txt": f"{text}Left behind: {', '.join(left) or 'nothing'}\n".encode()}


def keys_of(name, kind, blob):
    """The keys in a member that is a dictionary or a list of them (app/session/blob.h), except in one
    that describes this machine."""
    if name == "device":
        return ""
    data = zlib.decompress(blob[8:]) if blob[0] == 1 else blob[8:]
    value = GLib.Variant.new_from_bytes(GLib.VariantType(kind), GLib.Bytes.new(data), False).unpack()
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            return ": " + ", ".join(sorted(item))
    return ""


def write_schema(home):
    """The schema as `sqlite3 FILE .schema` shows it, followed by the keys in `member`."""
    shell = Shell(home)
    common = shlex.split(QUICK) + ["--append", "a.seamscope"]
    shell.run("run", "gemm-bias-relu", *common)
    shell.run("sweep", "gemm-bias-relu", *common, "--vary", "batch=1,2")
    session = sqlite3.connect(shell.folder / "a.seamscope")
    text = "".join(f"{sql};\n" for (sql,) in session.execute(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rootpage, name"))
    text += "".join(f"-- {pragma}: {session.execute(f'PRAGMA {pragma}').fetchone()[0]}\n"
                    for pragma in ("application_id", "user_version"))
    text += "".join(f"-- meta: {key}\n" for (key,) in session.execute('SELECT "key" FROM meta'))
    members = session.execute("SELECT owner, name, type, value FROM member GROUP BY owner, name "
                              "ORDER BY owner, name")
    text += "".join(f"-- member of {owner}: {name}, {kind}{keys_of(name, kind, blob)}\n"
                    for owner, name, kind, blob in members)
    session.close()
    return {"session.sql": text.encode()}


def write_columns(home):
    shell = Shell(home)
    text = ""
    for name, line in TABLES.items():
        shell.run(*shlex.split(line), f"{name}.csv")
        with open(shell.folder / f"{name}.csv", encoding="utf-8") as table:
            text += f"{name}: {table.readline()}"
    return {"first-lines.txt": text.encode()}


with tempfile.TemporaryDirectory(prefix="seam-net-") as home:
    main(Set("texts", Folder(HERE / "texts"), [
        ("help", lambda: write_help(home)),
        ("documents", read_documents),
        ("lists", lambda: write_lists(home)),
        ("bad-input", lambda: write_bad_input(home)),
        ("schema", lambda: write_schema(home)),
        ("columns", lambda: write_columns(home)),
    ]))
