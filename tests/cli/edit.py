#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# A custom text in place of generated code: seamscope-cli source --output, run --edit. Right code passes,
# wrong code is caught, errors of the compiler name the line, and code that faults or never ends costs
# only the run.

import array
import json
import os
import signal
import subprocess
import time

from seamtest import CLI, QUICK, cli, main, need_compiler, ok, refused, rows

GROUP = "conv|conv_bias+relu+add3+div6+clamp+mul"
FETCH = ["source", "#57", "--target", "cpu", "--preset", "tiny", "--plan", GROUP]
RUN = ["run", "#57", *QUICK, "--plan", "unfused"]


def fetch():
    need_compiler()
    ok(*FETCH, "--group", "2", "--output", "tail.c")
    with open("tail.c") as file:
        return file.read()


def write(text, name="tail.c"):
    with open(name, "w") as file:
        file.write(text)
    return f"{GROUP}:2={name}"


def test_unchanged():
    edit = write(fetch() + "// mine\n")
    done = ok(*RUN, "--plan", GROUP, "--edit", edit, "--csv", "plans.csv", "--json", "all.json")
    assert "with code edited by hand" in done.stdout, done.stdout
    with open("plans.csv", newline="") as file:
        plans = rows(file.read())
    # The edit is one more plan, and is marked as edited.
    assert [plan["plan"].endswith("@edited") for plan in plans] == [False, False, True], plans
    assert plans[2]["executed"].endswith("@edited"), plans
    assert plans[2]["n_failing"] == "0" and plans[2]["max_abs_error"] == "0", plans
    with open("all.json") as file:
        [kept] = json.load(file)["edits"]
    assert kept["plan"] == 2 and kept["group"] == 1 and kept["text"].endswith("// mine\n"), kept


def test_wrong():
    text = fetch()
    assert "seam_op_relu (after_conv_bias)" in text
    edit = write(text.replace("seam_op_relu (after_conv_bias)", "after_conv_bias"))
    done = ok(*RUN, "--edit", edit, status=1)
    assert "differ" in done.stdout, done.stdout


def test_without_affine():
    """A GroupNorm without its weight and bias is wrong, unless these are ones and zeros."""
    need_compiler()
    plan = "published"
    tiny = ["--target", "cpu", "--preset", "tiny", "--plan", plan]
    ok("source", "#21", *tiny, "--group", "2", "--output", "tail.c")
    with open("tail.c") as file:
        text = file.read()
    assert text.count("mean, rstd, v0, v1)") == 1, text
    write(text.replace("mean, rstd, v0, v1)", "mean, rstd, 1, 0)"))
    run = ["run", "#21", *QUICK, "--plan", "unfused", "--edit", f"{plan}:2=tail.c", "--json", "-"]
    done = ok(*run, "--save", "a.seamscope", status=1)
    result = json.loads(done.stdout)
    edited = result["plans"][1]["difference"]
    assert result["init"] == "spread" and edited["n_failing"] == edited["n_elements"], edited
    assert json.loads(ok("export", "a.seamscope", "--json", "-").stdout)["init"] == "spread"
    result = json.loads(ok(*run, "--init", "framework").stdout)
    assert result["init"] == "framework" and result["plans"][1]["difference"]["max_abs"] == 0, result
    refused(*run, "--init", "odd", status=2, says=["--init", "spread", "framework", "odd"])


def test_kept_in_a_session():
    ok(*RUN, "--edit", write(fetch() + "// mine\n"), "--save", "a.seamscope")
    done = ok("export", "a.seamscope", "--json", "-")
    assert json.loads(done.stdout)["edits"][0]["text"].endswith("// mine\n"), done.stdout[:400]


def test_another_storage():
    """A text for 16-bit storage is refused in FP32 and the other way round; each runs in its own."""
    narrow = ["--math", "bf16", "--storage", "between"]
    texts = {}
    for name, options in (("fp32", ["--math", "bf16"]), ("bf16", narrow)):
        ok(*FETCH, *options, "--group", "2", "--output", "own.c")
        with open("own.c") as file:
            texts[name] = file.read()

    def notes(text, options):
        done = cli(*RUN, *options, "--edit", write(text + "// mine\n"))
        assert done.returncode in (0, 1), done.stderr
        return done.stdout
    said = notes(texts["bf16"], ["--math", "bf16"])
    assert "for tensors that are stored in BF16, and here they are stored in FP32" in said, said
    said = notes(texts["fp32"], narrow)
    assert "for tensors that are stored in FP32, and here some" in said and "BF16" in said, said
    for text, options in ((texts["bf16"], narrow), (texts["fp32"], ["--math", "bf16"])):
        said = notes(text, options)
        assert "This text is for" not in said, said


def test_does_not_compile():
    lines = fetch().split("\n")
    number = next(i for i, line in enumerate(lines) if "after_add3 =" in line)
    lines[number] = lines[number].replace("after_relu", "after_rely")
    mistaken(write("\n".join(lines)), f"line {number + 1}, column", "after_rely")
    lines[number] = lines[number].replace("after_rely", "after_relu").replace("seam_op_", "my_op_")
    mistaken(write("\n".join(lines)), f"line {number + 1}, column", "my_op_add")
    # It is known before the tensors of a large shape are drawn and their reference is computed.
    done = ok("run", "#57", "--target", "cpu", "--preset", "kernelbench", "--against", "fp64", "--edit",
              write("\n".join(lines)), "--save", "a.seamscope", status=3, timeout=20)
    assert "my_op_add" in done.stderr and done.stdout == "", done
    assert not os.path.exists("a.seamscope")


def mistaken(edit, *says):
    """A mistake is named with its group, and nothing is measured."""
    done = ok(*RUN, "--edit", edit, status=3)
    assert done.stdout == "", done.stdout
    for words in ("seamscope-cli: Group ", "@edited", *says):
        assert words in done.stderr, (words, done.stderr)


def test_no_function():
    mistaken(write(fetch().replace("stage_0", "my_stage")), "no function “stage_0”")


def test_save_output():
    """The output of the edited plan has the name that the report shows; beside it is that of the plan itself."""
    text = fetch()
    assert text.count("= after_mul;") == 1, text
    edit = write(text.replace("= after_mul;", "= 2 * after_mul;"))
    ok(*RUN, "--plan", GROUP, "--edit", edit, "--save-output", f"{GROUP}=own.npy",
       "--save-output", f"{GROUP}@edited=edited.npy", status=1)
    own, edited = (array.array("f", open(name, "rb").read()[128:]) for name in ("own.npy", "edited.npy"))
    assert max(own) > 0 and [2 * value for value in own] == list(edited), (own[:9], edited[:9])
    # Where the plan itself is not run, its name is enough.
    ok(*RUN, "--edit", edit, "--save-output", f"{GROUP}=again.npy", status=1)
    with open("again.npy", "rb") as again, open("edited.npy", "rb") as before:
        assert again.read() == before.read()
    refused(*RUN, "--edit", edit, "--save-output", "full=a.npy", status=2, says="not run here")


def test_a_thread_goes_on():
    """Code of a thread stays loaded, and what it reads stays there, until the command ends as usual."""
    head = ("#include <pthread.h>\nstatic volatile float sum;\nstatic const float *from;\nstatic int started;\n"
            "static void *go (void *unused)\n{\n  for (long i = 0;; i++)\n    sum = from[i % 100];\n}\n"
            "static void start (const float *x)\n{\n  pthread_t thread;\n  if (started++)\n    return;\n"
            "  from = x;\n  pthread_create (&thread, 0, go, 0);\n}")
    done = ok(*RUN, "--edit", edited(head, "start (x0);"), "--save-output", f"{GROUP}=a.npy", "--csv", "a.csv")
    assert done.stderr == "" and "agree" in done.stdout, done
    assert os.path.exists("a.npy") and os.path.exists("a.csv")


def test_faults():
    text = fetch().replace("const int64_t n = run->n;", "const int64_t n = run->n;\n  y0 = (float *)8;")
    # Without this, AddressSanitizer would handle the fault.
    options = os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0"
    done = cli(*RUN, "--edit", write(text), env={**os.environ, "ASAN_OPTIONS": options})
    assert done.returncode == 3 and "ended by signal 11" in done.stderr, done.stderr


def test_never_ends():
    text = fetch().replace("const int64_t n = run->n;", "const int64_t n = run->n;\n  for (;;) ;")
    start = time.monotonic()
    done = cli(*RUN, "--edit", write(text), env={**os.environ, "SEAMSCOPE_EDIT_LIMIT": "2"})
    assert done.returncode == 3 and "showed no progress for 2 seconds" in done.stderr, done.stderr
    assert time.monotonic() - start < 60


def edited(head, extra):
    """The option for a text with `head` above it and `extra` at the start of its function."""
    text = fetch().replace("const int64_t n = run->n;", "const int64_t n = run->n;\n  " + extra)
    return write(f"{head}\n{text}")


def test_ends_the_program():
    """Code that ends the program gives no result, whatever the exit status."""
    for head, extra in (("void _exit (int);", "_exit (0);"), ("void exit (int);", "exit (0);"),
                        ("void _exit (int);", "_exit (1);")):
        done = cli(*RUN, "--edit", edited(head, extra))
        assert done.returncode == 3 and done.stdout == "", (extra, done)
        assert "ended the program before the run was complete" in done.stderr, (extra, done.stderr)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_leaves_nothing_behind():
    """Processes that the code forked end with the run, even if they left the process group."""
    head = ("#include <stdio.h>\n#include <unistd.h>\nstatic int started;\n"
            "static void leave (void)\n{\n"
            "  if (started++ || fork () != 0)\n    return;\n"
            "  setsid ();\n"
            "  FILE *file = fopen (\"left.tmp\", \"w\");\n"
            "  fprintf (file, \"%d\", (int)getpid ());\n  fclose (file);\n"
            "  rename (\"left.tmp\", \"left\");\n"
            "  for (;;)\n    pause ();\n}")
    # The group runs until the process has written its id.
    done = cli(*RUN, "--edit", edited(head, 'leave (); while (access ("left", F_OK) != 0) ;'))
    assert done.returncode == 0, done
    with open("left") as file:
        pid = int(file.read())
    assert not is_running(pid), pid


def test_signals_are_handed_on():
    """A signal to the command stops the run and keeps its samples; a second signal ends it at once."""
    head = "#include <fcntl.h>\n#include <unistd.h>\nint usleep (unsigned);"
    edit = edited(head, 'close (open ("began", O_CREAT | O_WRONLY, 0600)); usleep (20000);')
    # Under nohup, the command would inherit that SIGHUP is ignored, and keep ignoring it.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        if os.path.exists("began"):
            os.remove("began")
        child = subprocess.Popen([CLI, *RUN[:-4], "--budget", "60", *RUN[-2:], "--edit", edit],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not os.path.exists("began"):
            assert child.poll() is None, child.communicate()
            time.sleep(0.01)
        child.send_signal(number)
        out, err = child.communicate(timeout=30)
        assert child.returncode == 3 and "at your request" in err, (number, child.returncode, err)


def test_what_is_wrong():
    fetch()
    refused(*RUN, "--edit", "published", status=2, says="PLAN:GROUP=FILE")
    refused(*RUN, "--edit", "nothing:2=tail.c", status=2, says="nothing")
    refused(*RUN, "--edit", "published:x=tail.c", status=2, says="--edit")
    refused(*RUN, "--edit", f"{GROUP}:2=nowhere.c", status=3, says="nowhere.c")
    refused(*RUN, "--edit", f"{GROUP}:9=tail.c", status=2, says="no group 9")
    refused(*RUN, "--edit", f"{GROUP}:2=tail.c", "--edit", f"{GROUP}:2=tail.c", status=2, says="has a text already")
    with open("binary", "wb") as file:
        file.write(b"\xff\xfe\x00")
    refused(*RUN, "--edit", f"{GROUP}:2=binary", status=3, says="UTF-8")
    refused(*FETCH, "--output", "a.c", status=2, says="--group")
    refused(*FETCH, "--group", "1", "--output", "a.c", status=3, says="no code to edit")
    done = ok(*RUN, "--plan", GROUP + "@edited", status=3)
    assert "needs the edited code" in done.stdout, done.stdout
    mistaken("unfused:1=tail.c", "elementwise ops and GroupNorm")


main()
