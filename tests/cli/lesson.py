#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# seamscope-cli lesson: the list, a lesson with its numbers, mistakes of a file with their lines, and runs
# that a learner saved. The last lesson is taken as a learner takes it: from its skeleton, with code that
# is wrong, and with code that is right.

import os
import re
import shutil

from seamtest import cli, main, need_compiler, ok, refused

LESSONS = os.path.join(os.environ["SEAMSCOPE_TEST_DATA"], "lessons")
SKELETON = os.path.join(LESSONS, "7-fuse-it-yourself.c")
UNWRITTEN = "    y0[i] = after_relu;\n"
# What a learner may write in place of the last line; the first is the order of the chain.
RIGHT = [
    """    const float after_div6 = seam_op_divide (seam_op_add (after_relu, 3.0f), 6.0f);
    y0[i] = seam_op_multiply (seam_op_clamp (after_div6, 0.0f, 1.0f), after_relu);
""",
    """    float h = (after_relu + 3.0f) / 6.0f;
    h = h < 0.0f ? 0.0f : h > 1.0f ? 1.0f : h;
    y0[i] = h * after_relu;
""",
]
WRONG = {
    "nothing": UNWRITTEN,
    "no product": "    y0[i] = seam_op_clamp ((after_relu + 3.0f) / 6.0f, 0.0f, 1.0f);\n",
    "product with what is before the ReLU":
        "    y0[i] = seam_op_clamp ((after_relu + 3.0f) / 6.0f, 0.0f, 1.0f) * after_conv_bias - 1e-3f;\n",
    "another divisor": "    y0[i] = seam_op_clamp ((after_relu + 3.0f) / 5.0f, 0.0f, 1.0f) * after_relu;\n",
    "the last element left out": RIGHT[0].replace("y0[i] =", "if (i < n - 1) y0[i] ="),
}


def write_code(body, name="mine.c"):
    with open(SKELETON, encoding="utf-8") as file:
        text = file.read()
    assert UNWRITTEN in text
    with open(name, "w", encoding="utf-8") as file:
        file.write(text.replace(UNWRITTEN, body))
    return name


NO_CLAMP = "    y0[i] = (after_relu + 3.0f) / 6.0f * after_relu;\n"
# Inputs that show it: sums of one product, normally distributed, and many of them.
PROBE = ["--shape", "in_channels=1,kernel_size=1,height=128,width=128", "--distribution", "normal"]


def run_edited(name, preset, budget, status, *more):
    ok("run", "57", "--target", "cpu", "--preset", preset, "--budget", budget, *more, "--plan", "unfused", "--plan",
       "published", "--edit", f"published:2={name}", "--save", "mine.seamscope", status=status)


def check(lesson, status, *options, session="mine.seamscope"):
    return ok("lesson", lesson, "--check", session, *options, status=status).stdout


def test_list():
    text = ok("lesson").stdout
    for number in range(1, 8):
        assert re.search(rf"^{number} .* \d+ ", text, re.M), text
    assert "Why fuse at all?" in text and "Fuse it yourself" in text


def test_each():
    for number in range(1, 8):
        text = ok("lesson", number).stdout
        with_answers = ok("lesson", number, "--answers").stdout
        assert "To take home" in text
        assert "Answer: " in with_answers and "Answer: " not in text
        assert "[x]" not in text and "{" not in text
        # Every number is known where a step has a sample: dashes stand only where nothing was run here.
        for step in re.split(r"\n\d\. (?=[A-Z])", with_answers):
            if " –" in step:
                assert step.startswith(("Check", "Run", "Predict")), step
    assert ok("lesson", "1-why-fuse").stdout == ok("lesson", "1").stdout
    refused("lesson", "8", status=2, says="1 to 7")
    refused("lesson", "2-the-celing", status=2, says="2-the-ceiling")
    refused("lesson", "1", "2", status=2, says="one lesson")


def test_own_file():
    shutil.copy(os.path.join(LESSONS, "1-why-fuse.md"), "mine.md")
    assert ok("lesson", "./mine.md").stdout == ok("lesson", "1").stdout
    with open("mine.md", encoding="utf-8") as file:
        lines = file.read().split("\n")
    # A mistake is named with its line.
    at = lines.index("answer = elapsed(B)")
    for wrong, says in (("answer = elapsd(B)", "elapsed"), ("anwser = elapsed(B)", "answer"),
                        ("answer = elapsed(B) + bytes(B)", "cannot be added")):
        with open("broken.md", "w", encoding="utf-8") as file:
            file.write("\n".join(lines[:at] + [wrong] + lines[at + 1:]))
        refused("lesson", "./broken.md", status=3, says=["broken.md", f"line {at + 1}:", says])
    # So is a sample that does not exist, and one that does not have the plan.
    text = "\n".join(lines)
    for old, new, says in (("sample = h200-conv-relu-hardswish", "sample = h200-nothing", "h200-nothing"),
                           ("plans = unfused, published, full",
                            "plans = unfused, missing-tail, full", "missing-tail")):
        with open("broken.md", "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
        refused("lesson", "./broken.md", status=1, says=["broken.md", "line", says])
    refused("lesson", "./nothing.md", status=3, says="cannot be opened")


HEAD = "---\ntitle: T\ntopic: X\nminutes: 5\ngoal: G.\n---\n\n"
SAMPLE = "sample = h200-conv-relu-hardswish\nplans = unfused, published\n"
# Keys of a step, its text, the exit status, and what is said. tests/core/test-lesson-foreign.c has more.
MISTAKES = [
    ("Say", SAMPLE, "{ops() * 1e300|words} {0 - ops() * 1e300}", 1,
     "line 9: The sample does not give every number of “– –”, or one is too large."),
    ("Say", SAMPLE, "{ops()} {0-ops()} {ops() * 1e12}", 0, "7 −7 7,000,000,000,000"),
    ("Predict", "sample = no-such-sample\nplans = unfused, published\nask = number\nanswer = elapsed(B)\n"
     "range = 1 us to 9 ms\n", "", 1, "line 9: "),
    ("Predict", SAMPLE + "ask = cut\nanswer = ops() * -1000\n", "", 1,
     "line 15: “ops() * -1000” is not a seam here; seams are numbered from 1 to 6."),
    ("Run", "skeleton = ../.ssh/id_fake\n", "", 3, "line 12: “../.ssh/id_fake” is not the name of a file"),
    ("Say", "", "before\0after", 3, "not a text in UTF-8, or holds a NUL"),
    ("Say", "", 300000 * "x", 0, "The text is cut here:"),
    ("Say", "page = timing\n", "Text.\r\nMore.\r\n", 0, "Text. More.\n"),
    ("Say", "page = nowhere\n", "", 1, "line 9: The window has no page “nowhere”."),
    ("Say", "", f"## Predict: P\n\n```seamscope\n{SAMPLE}ask = choice\nchoice = a\nif = yes\n"
     "choice = b\nif = yes\n```\n", 1, "line 14: Every choice is right."),
]


def test_mistakes():
    """What somebody's lesson asks for and no file gives is named with its line; nothing else is opened."""
    for kind, keys, text, status, says in MISTAKES:
        with open("lesson.md", "w", encoding="utf-8") as file:
            file.write(f"{HEAD}\n## {kind}: S\n\n```seamscope\n{keys}```\n\n{text}\n")
        if status == 0:
            assert says in ok("lesson", "./lesson.md", "--answers").stdout, text[:40]
        else:
            refused("lesson", "./lesson.md", status=status, says=["lesson.md", says])
    os.mkfifo("pipe.md")
    refused("lesson", "./pipe.md", status=3, says="a pipe or a device")


def test_affine():
    """Lesson 6: a GroupNorm without its parameters passes with those of a framework, and is caught."""
    def run(init, plan, status):
        ok("run", "37", "--target", "cpu", "--preset", "tiny", "--budget", "0.05", "--init", init, "--plan",
           "unfused", "--plan", plan, "--save", "mine.seamscope", status=status)

    run("framework", "without-affine", 0)
    assert "passed" in check(6, 0, "--step", "check-framework")
    assert "Spread" in check(6, 1, "--step", "check-spread")
    run("spread", "without-affine", 1)
    assert "Framework" in check(6, 1, "--step", "check-framework")
    assert "passed" in check(6, 0, "--step", "check-spread")
    run("spread", "published", 0)
    assert "without-affine" in check(6, 1)
    refused("lesson", "6", "--check", "mine.seamscope", "--step", "nothing", status=2, says="nothing")
    refused("lesson", "6", "--step", "check-spread", status=2, says="--check")
    refused("lesson", "6", "--check", "nothing.seamscope", status=3, says="nothing.seamscope")


def test_wrong_code():
    need_compiler()
    for name, body in WRONG.items():
        run_edited(write_code(body), "tiny", "0.05", 1)
        assert "Your output differs" in check(7, 1, "--step", "check"), name


def test_missing_clamp():
    """With the usual inputs nothing is large enough for the clamp, so a check needs others."""
    need_compiler()
    run_edited(write_code(NO_CLAMP), "tiny", "0.05", 0)
    assert "Normal" in check(7, 1) and "Input channels" in check(7, 1)
    run_edited(write_code(NO_CLAMP), "tiny", "0.05", 1, *PROBE)
    assert "look at your clamp" in check(7, 1)
    run_edited(write_code(RIGHT[1]), "tiny", "0.05", 0, *PROBE)
    assert check(7, 0) == "Inputs that can show a missing clamp: passed\n"


def test_right_code():
    """On the shape of the lesson it takes seconds, and is faster than the operations one by one."""
    need_compiler()
    for body in RIGHT:
        # On a busy machine the intervals of both times overlap; longer runs tell them apart.
        for budget in ("2", "8", "20"):
            run_edited(write_code(body), "laptop", budget, 0)
            done = cli("lesson", 7, "--check", "mine.seamscope", "--step", "check")
            if done.returncode == 0:
                break
        assert done.stdout == "Right, and faster than one by one: passed\n", done.stdout
    # Without an edit, and compared with itself.
    ok("run", "57", "--target", "cpu", "--preset", "tiny", "--budget", "0.05", "--save", "mine.seamscope")
    assert "Run edited" in check(7, 1, "--step", "check")


main()
