#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The answers of a class, from files and folders to a table, a figure and exit statuses.

import json
import os
import shutil

from seamtest import main, ok, refused, rows

LESSON = os.path.join(os.environ["SEAMSCOPE_TEST_LESSONS"], "lesson-example.md")


def hand_in(path, value, learner=None):
    answer = {"step": "b", "ask": "number", "value": value, "points": 1, "committed_at": "2026-11-26T09:00:00Z"}
    whole = {"lesson": "lesson-example", "title": "An example", "step": 1, "done": False, "answers": [answer]}
    if learner:
        whole["learner"] = learner
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        json.dump(whole, file)
    return path


def test_folder_to_table_and_figure():
    for i in range(12):
        hand_in(f"in/table{i % 3}/{i}.seamanswers", 4e5 + 1e5 * i, "Ada" if i == 4 else None)
    done = ok("class", "in", "--lesson", LESSON, "--csv", "class.csv", "--figure", "class.svg")
    assert "12 files of answers: lesson-example" in done.stdout
    assert "0.400 ms" in done.stdout and "0.950 ms" in done.stdout and "1.50 ms" in done.stdout, done.stdout
    table = rows(open("class.csv", newline="").read())
    assert sorted(float(row["value"]) for row in table) == [4e5 + 1e5 * i for i in range(12)]
    assert [row["learner"] for row in table if row["learner"]] == ["Ada"]
    assert {row["step"] for row in table} == {"b"} and {row["guess"] for row in table} == {""}
    # The plan that the question asks for, in the sample that the lesson shows.
    sample = os.path.join(os.environ["SEAMSCOPE_DATADIR"], "samples", "h200-conv-relu-hardswish.seamscope")
    plans = {row["plan"]: row for row in rows(ok("export", sample, "--run", "1", "--csv", "-").stdout)}
    measured = f"{float(plans['published']['elapsed_median_ns']) / 1e6:.3f}"
    assert "12 predictions" in open("class.svg").read() and f"measured {measured} ms" in open("class.svg").read()
    ok("class", "in", "--lesson", LESSON, "--step", "b", "--covered", "--figure", "covered.svg")
    assert measured not in open("covered.svg").read()
    # A table on standard output is alone there.
    assert len(rows(ok("class", "in", "--csv", "-").stdout)) == 12


def test_damaged_file_is_named_and_left_out():
    hand_in("some/good.seamanswers", 5e5)
    with open("some/cut.seamanswers", "w") as file:
        file.write('{"lesson": "lesson-ex')
    done = ok("class", "some", "some/good.seamanswers", "--csv", "some.csv", status=3)
    assert "cut.seamanswers was left out: " in done.stderr and "good" not in done.stderr
    assert len(rows(open("some.csv", newline="").read())) == 1


def test_foreign_files_open_nothing():
    """A learner's file names a device, nests too deep, or is a link to the teacher's own files."""
    hand_in("foreign/good.seamanswers", 5e5)
    hand_in("mine/private.seamanswers", 6e5)
    with open("foreign/device.seamanswers", "w") as file:
        json.dump({"lesson": "/dev/zero", "answers": []}, file)
    with open("foreign/deep.seamanswers", "w") as file:
        file.write("[" * 40000 + "]" * 40000)
    with open("foreign/path.seamanswers", "w") as file:
        # Not the lesson of that path, which would be opened if this were one.
        json.dump({"lesson": "lesson-example.md", "title": "An example", "answers": []}, file)
    os.mkfifo("foreign/pipe.seamanswers")
    os.symlink("../mine/private.seamanswers", "foreign/link.seamanswers")
    shutil.copy(LESSON, "lesson-example.md")
    done = ok("class", "foreign", "--csv", "foreign.csv", status=3, timeout=20)
    for said in (
        "device.seamanswers holds no answers to a lesson: ",
        "“/dev/zero” is not a lesson's name",
        "nested too deeply",
        "pipe.seamanswers was left out: ",
        "link.seamanswers was left out: it is a link that leads out",
    ):
        assert said in done.stderr, (said, done.stderr)
    assert "An example\n" not in done.stdout
    assert len(rows(open("foreign.csv", newline="").read())) == 1
    done = ok("class", "foreign", "--figure", "a.svg", status=2)
    assert "“lesson-example” did not come with this version" in done.stderr and not os.path.exists("a.svg")


def test_texts_of_a_lesson_differ():
    for i, text in enumerate(("aa", "bb")):
        hand_in(f"texts/{i}.seamanswers", 5e5)
        whole = json.load(open(f"texts/{i}.seamanswers"))
        with open(f"texts/{i}.seamanswers", "w") as file:
            json.dump({**whole, "lesson_hash": text}, file)
    done = ok("class", "texts")
    assert "“lesson-example” had 2 different texts" in done.stderr, done.stderr
    assert "3 different texts" in ok("class", "texts", "--lesson", LESSON).stderr


def test_learners_are_told_apart():
    """A file with another learner's id, files with an empty one, and a name that is cut short."""

    def change(path, **keys):
        whole = json.load(open(path))
        with open(path, "w") as file:
            json.dump({**whole, **keys}, file)

    for name, learner, value in (("ada", "Ada", 5e5), ("eve", "Eve", 9e5), ("copy", "Eve", 9e5)):
        change(hand_in(f"who/{name}.seamanswers", value, learner), id="i1")
    for name in "xyz":
        change(hand_in(f"who/{name}.seamanswers", 7e5), id="")
    done = ok("class", "who", "--lesson", LESSON, "--csv", "who.csv", status=3)
    assert "who/copy.seamanswers was left out: it is by “Eve”, but who/ada.seamanswers by “Ada” has the" in done.stderr
    assert "4 files of answers: lesson-example" in done.stdout, done.stdout
    assert sorted(row["value"] for row in rows(open("who.csv", newline="").read())) == ["500000"] + 3 * ["700000"]
    hand_in("nul/a.seamanswers", 5e5, "Ada\0Eve")
    assert "a text in it holds \\u0000" in ok("class", "nul", status=3).stderr


def test_other_lessons_and_mistakes_are_listed():
    own = {"lesson": "1-why-fuse", "title": "Why fuse at all?"}
    os.makedirs("mixed")
    for name, title, step, ask, value in (
        ("0", own["title"], "forged", "number", 1),
        ("a", own["title"], "published", "number", 4e5),
        ("b", own["title"], "published", "choice", 1),
        ("c", own["title"], "what-is-left", "choice", 3),
        ("d", "Forged", "published", "number", 2),
        ("e", "Forged", "published", "number", 3),
        ("f", "Forged", "published", "number", 4),
        ("g", "Forged", "published", "number", 4),
    ):
        with open(f"mixed/{name}.seamanswers", "w") as file:
            json.dump({**own, "title": title, "answers": [{"step": step, "ask": ask, "value": value}]}, file)
    for options in [], ["--lesson", "1-why-fuse"]:
        done = ok("class", "mixed", *options, status=3)
        assert "Why fuse at all?\n" in done.stdout and "1  0.400 ms" in done.stdout, done.stdout
        others = ", ".join(f"mixed/{name}.seamanswers" for name in "0def") + " and mixed/g.seamanswers"
        assert f"5 files are of another lesson: {others}. --lesson NAME chooses it." in done.stderr, done.stderr
        for name, step in ("b", "published"), ("c", "what-is-left"):
            assert f"The answer to “{step}” in mixed/{name}.seamanswers was left out: the" in done.stderr, done.stderr
    # Whose lesson did not come with the program, says so.
    hand_in("mine/a.seamanswers", 5e5)
    assert "or name it with --lesson" in ok("class", "mine").stderr


def test_refused():
    hand_in("one/a.seamanswers", 5e5)
    refused("class", status=2, says="files with answers")
    refused("class", "one", "--lesson", LESSON, "--figure", "a.svg", "--step", "z", status=2, says="no question “z”")
    refused("class", "one", "--lesson", LESSON, "--figure", "a.txt", status=2, says=".png")
    os.mkdir("empty")
    refused("class", "empty", status=3, says="no answers")


main()
