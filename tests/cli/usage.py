#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Help, listing, doctor, exit statuses, and Stop.

import json
import os
import re
import select
import shutil
import signal
import subprocess
import time

from seamtest import CLI, PIPELINES, QUICK, cli, listing, main, ok, open_terminal, refused


def test_help_and_version():
    for arguments in ["--help"], ["-h"], ["help"]:
        assert "Usage: seamscope-cli" in ok(*arguments).stdout
    assert ok("--version").stdout.startswith("seamscope-cli 0.")
    for command in "compare", "history", "list", "estimate", "run", "doctor", "pitfalls", "source", "worker":
        text = ok(command, "--help").stdout
        assert text.startswith(f"Usage: seamscope-cli {command}") and "Example" in text
        assert ok("help", command).stdout == text
        assert command in ok("--help").stdout
    # The help of run has every option.
    text = ok("run", "--help").stdout
    for option in ("preset", "shape", "plan", "target", "math", "storage", "seed", "distribution", "init", "l2", "launch",
                   "budget", "tensors", "save-tensors", "save-output", "against", "csv",
                   "csv-kernels", "json", "figure"):
        assert f"  --{option} " in text, option
    assert all(len(line) <= 110 for line in text.split("\n"))


def test_locale():
    """With a decimal comma in the locale (tests/run makes it), the command line reads and writes points."""
    german = {**os.environ, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    command = ["estimate", "conv-relu-bias", "--preset", "tiny", "--target", "cpu", "--csv", "-"]
    plain, other = ok(*command), ok(*command, env=german)
    assert plain.stdout == other.stdout and "." in plain.stdout
    refused("run", "conv-relu-bias", "--budget", "0,5", status=2, says="“0,5” is not a number", env=german)


def test_help_pages():
    program = ok("help").stdout
    pages = re.findall(r"^  (\S+) +", program.partition("Pages (")[2].partition("\n\n")[0], re.M)
    assert pages[0] == "index" and pages[-1] == "glossary" and "plans" in pages
    for page in pages:
        text = ok("help", page).stdout
        assert text == ok("help", f"{page}.md").stdout
        assert len(text.split("\n")) > 5, page
    text = ok("help", "plans").stdout
    assert text.startswith("Plans\n═════\n\n")
    # A table is aligned: its columns begin at the header's columns.
    lines = text.split("\n")
    header = next(i for i, line in enumerate(lines) if line.startswith("name") and "what it is" in line)
    column = lines[header].index("what it is")
    assert lines[header + 2].startswith("unfused ")
    assert lines[header + 2][column - 2:column] == "  " and lines[header + 2][column] != " "


def test_help_terms_and_search():
    assert ok("help", "Roofline").stdout.startswith("roofline: ")
    assert ok("help", "fusion").stdout == ok("help", "fused").stdout
    found = ok("help", "--search", "BOUND", "deviations").stdout
    assert found.startswith("math-modes: The bound\n    "), found
    refused("help", "--search", "zzzz", status=2, says="zzzz")
    refused("help", "--search", status=2, says="Name the words")


def test_help_of_unknown_topic():
    refused("help", "planz", status=2, says=["planz", "did you mean “plans”?", "index", "measuring", "glossary"])
    refused("help", "qqqqqqqq", status=2, says=["no command, page or term “qqqqqqqq”.", "results"])
    refused("help", "plans", "files", status=2, says="one command, page or term")
    # Commands have help without the help pages; a page needs its file.
    bare = dict(os.environ, SEAMSCOPE_DATADIR="/nonexistent")
    assert ok("help", "run", env=bare).stdout.startswith("Usage")
    assert "Commands:" in ok("help", env=bare).stdout
    done = cli("help", "plans", env=bare)
    assert done.returncode == 3 and "install the program again" in done.stderr


def test_no_command():
    done = cli()
    assert done.returncode == 2 and done.stdout == "" and "Usage" in done.stderr


def test_list():
    text = ok("list").stdout
    info = listing()
    assert set(PIPELINES) <= set(info)
    numbers = [p["number"] for p in info.values()]
    assert numbers == sorted(numbers), numbers
    for name in info:
        assert name in text
        assert all(p["name"] in text for p in info[name]["presets"] + info[name]["plans"])
    for name in PIPELINES:
        assert [p["name"] for p in info[name]["presets"]] == ["tiny", "laptop", "kernelbench"]
    assert info["conv-relu-hardswish"]["number"] == 57
    exhibits = [p["name"] for p in info["matmul-swish-bias-groupnorm"]["plans"] if p["exhibit"]]
    assert exhibits == ["as-published", "one-pass-variance", "race-in-reduction",
                        "without-affine"]
    assert "exhibits, wrong on purpose" in text


def test_why():
    """Numbers of the two GroupNorms, a picture, and refusals."""
    large = ok("why", "21", "--target", "cpu", "--preset", "kernelbench", "--seam", "5", "--figure",
               "why.svg").stdout
    assert "258,064 elements" in large and "505 tiles" in large and "two passes" in large
    assert open("why.svg", encoding="utf-8").read(5) == "<?xml"
    small = ok("why", "37", "--target", "cpu", "--preset", "kernelbench").stdout
    assert "64 neighbouring columns of one row" in small and small.count("Seam ") == 5
    assert "1 to 5" in cli("why", "37", "--target", "cpu", "--seam", "6").stderr
    assert "--seam N" in cli("why", "37", "--target", "cpu", "--figure", "a.png").stderr
    done = ok("why", "37", "--target", "cpu", "--csv", "-")
    assert done.stdout.startswith("pipeline,") and done.stdout.count("\n") == 6, done.stdout
    assert done.stderr.count("Seam ") == 5
    # This is refused before the target is opened.
    refused("why", "37", "--target", "cpu", "--seam", "1", "--figure", "a.gif", status=2, says=".png")
    refused("why", "37", "--target", "cpu", "--csv", "none/a.csv", status=3, says="no folder")


def test_doctor():
    report = json.loads(ok("doctor", "--json").stdout)
    assert report["targets"][0]["id"] == "cpu" and report["targets"][0]["available"] is True
    assert {check["state"] for check in report["checks"]} <= {"ok", "failed", "unknown"}
    assert any("oneDNN" in check["title"] for check in report["checks"])
    # Everything that is missing comes with a remedy, and the text agrees with the JSON.
    text = ok("doctor").stdout
    for check in report["checks"]:
        assert check["title"] in text
        if check["state"] == "failed":
            assert check["remedy"] and check["remedy"] in text


def test_run_in_words():
    done = ok("run", "#57", *QUICK)
    assert done.stderr == ""  # progress is for terminals
    for word in "unfused", "published", "Median", "95 % interval", "Traffic", "agree", "conv2d":
        assert word in done.stdout, word
    lines = done.stdout.split("\n")
    head = next(i for i, line in enumerate(lines) if line.startswith("Plan "))
    # Columns are aligned: the verdicts begin at their title.
    at = lines[head].index("unfused")
    assert lines[head - 1][at:].startswith("Against") and lines[head - 1][at - 2 : at] == "  "
    assert lines[head + 1][at:].startswith("baseline") and lines[head + 1][at - 2 : at] == "  "


def test_verdicts_in_words():
    """Each plan with the plan that it is compared with; the floor appears once, whichever that is."""
    for letter, against in ("A", "unfused"), ("B", "published"), ("C", "full"):
        shown = ok("run", "conv-relu-hardswish", *QUICK, "--plan", "unfused", "--plan", "published",
                   "--plan", "full", "--against", against).stdout
        head = shown.split("Kernels")[0]
        assert len(re.findall(rf"^. \S+ against {letter} {against}: ", head, re.M)) == 2, shown
        assert len(re.findall(r"^Floor, \S+ bound: ", head, re.M)) == 1, shown
    alone = ok("run", "conv-relu-hardswish", *QUICK, "--plan", "full").stdout
    assert re.search(r"^A full alone, nothing to compare with: ", alone, re.M), alone
    assert len(re.findall(r"^Floor, ", alone, re.M)) == 1, alone


def test_an_own_pipeline_file():
    text = open(os.path.join(data_folder(), "pipelines", "gemm-bias-relu.ini")).read()
    text = text.replace("number=76\n", "").replace("title=Matrix", "title=My matrix")
    open("mine.ini", "w").write(text)
    done = ok("run", "mine.ini", *QUICK)
    assert "mine" in done.stdout and "My matrix" in done.stdout


def data_folder():
    return os.environ["SEAMSCOPE_TEST_DATA"]


def test_options_may_stand_anywhere():
    ok("run", "--preset=tiny", "--target=cpu", "gemm-bias-relu", "--budget=0.05")
    ok("run", *QUICK, "--", "gemm-bias-relu")


def start_long_run(*more, command="run", stderr=subprocess.PIPE):
    arguments = [CLI, command, "matmul-swish-bias-groupnorm", "--target", "cpu", "--budget", "60"]
    return subprocess.Popen(
        arguments + list(more),
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
        # As under a terminal: a process group of its own, and no inherited "ignore".
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def stop(*more, **keywords):
    """Stops a command after some samples; what it says on both ends, and its exit status."""
    # Progress is shown only on a terminal.
    terminal, of_run = open_terminal()
    run = start_long_run("--preset", "laptop", *more, stderr=of_run, **keywords)
    shown = b""
    while not re.search(rb"[0-9]{2} samples", shown):
        assert select.select([terminal], [], [], 60)[0], shown
        shown += os.read(terminal, 4096)
    run.send_signal(signal.SIGINT)
    at = time.monotonic()
    stdout, _ = run.communicate(timeout=60)
    took = time.monotonic() - at
    os.close(of_run)
    while select.select([terminal], [], [], 0)[0]:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
    os.close(terminal)
    assert took < 5, took
    return run.returncode, stdout, shown.decode()


def test_stop_keeps_the_samples():
    status, stdout, stderr = stop("--csv", "plans.csv")
    assert status == 3 and "at your request; the samples so far are kept" in stderr, (status, stderr)
    assert "Stopped early; the samples" in stdout and os.path.exists("plans.csv")


def test_wrong_outranks_stopped():
    status, stdout, stderr = stop("--plan", "unfused", "--plan", "as-published")
    assert status == 1 and "differ" in stdout and "at your request" in stderr, (status, stdout, stderr)


def test_stopped_aa_says_so():
    status, stdout, stderr = stop("--runs", "1", command="aa")
    assert status == 3 and "at your request; the runs so far" in stderr, (status, stderr)
    assert "against itself" in stdout, stdout


def test_stop_twice_ends():
    run = start_long_run("--preset", "kernelbench")
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=20)
    # 130 after the second signal, 3 if the first had stopped it already.
    assert run.returncode in (130, 3), run.returncode


def test_planted_module():
    """A module in a folder above the program is ignored unless it is the build's or the installation's."""
    os.makedirs("app/backend/cuda")
    os.makedirs("some/bin")
    with open("app/backend/cuda/libseamscope-cuda.so", "w") as file:
        file.write("planted")
    copy = shutil.copy(CLI, "some/bin/seamscope-cli")
    engine = os.path.dirname(os.path.dirname(CLI))
    done = subprocess.run([copy, "doctor"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "LD_LIBRARY_PATH": engine})
    assert "oneDNN" in done.stdout, done
    assert os.getcwd() not in done.stdout + done.stderr, done


main()
