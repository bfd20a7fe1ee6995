#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Mistakes of a new user: each is answered with one sentence and the right exit status, and no file
# is lost.

import os

import numpy

from seamtest import COLD, GOLDEN, QUICK, cli, main, ok, refused, rows

DATA = os.environ["SEAMSCOPE_TEST_DATA"]


def run(*arguments, status=2, says, **keywords):
    return refused("run", *arguments, status=status, says=says, **keywords)


def shape(pipeline, text, says, status=2):
    return run(pipeline, *QUICK, "--shape", text, status=status, says=says)


def test_commands_and_options():
    refused("rnu", status=2, says="did you mean “run”")
    refused("explode", status=2, says="no command")
    refused("help", "rnu", status=2, says="did you mean “run”")
    refused("run", status=2, says="PIPELINE")
    run("gemm-bias-relu", "conv-relu-bias", says="one word too many")
    run("gemm-bias-relu", "--presett", "tiny", says="did you mean --preset")
    run("gemm-bias-relu", "--frobnicate", says="no option --frobnicate")
    run("gemm-bias-relu", "-x", says="no option -x")
    run("gemm-bias-relu", "--preset", says="needs a value")
    run("gemm-bias-relu", "--preset", "--plan", says="needs a value")
    run("gemm-bias-relu", "--preset", "tiny", "--preset", "laptop", says="twice")
    refused("list", "--json=yes", status=2, says="no value")
    refused("list", "all", status=2, says="too many")
    refused("doctor", "now", status=2, says="too many")


def test_pipelines_and_presets():
    run("conv-relu-bais", says="did you mean “conv-relu-bias”")
    run("#101", says=["#101", "conv-relu-hardswish"])
    run("", says="no pipeline")
    run("gemm-bias-relu", "--preset", "huge", says=["huge", "laptop"])
    run("missing.ini", status=3, says="missing.ini")


def test_shapes():
    shape("conv-relu-bias", "height=0", "height")
    shape("conv-relu-bias", "height=-3", "height")
    shape("conv-relu-bias", "height=tall", "whole number")
    shape("conv-relu-bias", "height=", "whole number")
    shape("conv-relu-bias", "height", "key=value")
    shape("conv-relu-bias", "heigth=9", "did you mean “height”")
    shape("conv-relu-bias", "kernel_size=11", "larger than the image")
    shape("conv-bias-scale-sigmoid-groupnorm", "groups=3", "divide")
    shape("conv-relu-bias", "batch=99999999999999999999", "outside")
    shape("conv-relu-bias", "batch=1000000,in_channels=1000000,height=1000000", "64-bit")


def test_a_shape_that_does_not_fit():
    """10^12 elements: 4 TB. Refused before anything is allocated, with both sizes."""
    sentence = shape("gemm-bias-relu", "batch=1000000,out_features=1000000", "TB", status=3)
    assert "GB" in sentence or "MB" in sentence, sentence


def test_numbers():
    for option, value in [("--seed", "x"), ("--seed", "-1"), ("--seed", "1e9"),
                          ("--seed", "18446744073709551616"), ("--budget", "0"), ("--budget", "soon"),
                          ("--budget", "nan"), ("--budget", "1e9"), ("--atol", "-1"),
                          ("--rtol", "inf")]:
        run("gemm-bias-relu", *COLD[:4], option, value, says=option)
    run("gemm-bias-relu", *QUICK, "--math", "fp23", says="fp32")
    run("gemm-bias-relu", *QUICK, "--truth", "some", says=["auto", "whole", "sampled"])
    run("gemm-bias-relu", *COLD[:4], "--l2", "hot", says=["cold", "warm"])
    run("gemm-bias-relu", *QUICK, "--launch", "graphs", says=["--launch", "stream", "graph"])
    run("gemm-bias-relu", *QUICK, "--distribution", "poisson", says=["uniform", "normal"])


def test_plans():
    run("conv-relu-bias", *QUICK, "--plan", "publishd", says="did you mean “published”")
    run("conv-relu-bias", *QUICK, "--plan", "conv|relu|conv_bias|bias", says="needs “conv_bias”")
    run("conv-relu-bias", *QUICK, "--plan", "conv+conv_bias", says="relu")
    run("conv-relu-bias", *QUICK, "--plan", "", says="empty")
    run("conv-relu-bias", *QUICK, "--plan", "as-published", says="no plan")
    run("conv-relu-bias", *QUICK, "--against", "fp46", says="fp64")
    run("conv-relu-bias", *QUICK, "--save-output", "full=x.npy", says="add --plan")
    run("conv-relu-bias", *QUICK, "--save-output", "x.npy", says="PLAN=FILE")
    assert os.listdir() == []


def test_targets():
    for target in "cuda:99", "tpu", "":
        done = cli("run", "gemm-bias-relu", "--preset", "tiny", "--target", target)
        assert done.returncode in (2, 3), (target, done.returncode)
        assert done.stderr.startswith("seamscope-cli: ") and done.stderr.count("\n") == 1, target


def test_graphs_need_a_gpu():
    for name, *more in (["run"], ["aa"], ["explore"], ["sweep", "--vary", "batch=1,2"]):
        refused(name, "gemm-bias-relu", *QUICK, *more, "--launch", "graph", status=3,
                says=["CUDA graph", "launch mode stream"])
        assert os.listdir() == []


def test_a_plan_that_the_target_cannot_run():
    """The message names it, the other plan is measured, and the status tells."""
    done = cli("run", "gemm-bias-relu", *QUICK, "--plan", "unfused", "--plan",
               "matmul@cudnn|bias|relu", "--csv", "plans.csv")
    assert done.returncode == 3
    table = rows(open("plans.csv", newline="").read())
    assert float(table[0]["elapsed_median_ns"]) > 0 and table[1]["elapsed_median_ns"] == ""
    assert table[1]["message"] in done.stdout and table[1]["message"]


def test_cut_pipeline_files():
    text = open(os.path.join(DATA, "pipelines", "conv-relu-hardswish.ini")).read()
    for end in 0, 40, len(text) // 4, len(text) // 2, text.index("[preset tiny]") + 20:
        open("cut.ini", "w").write(text[:end])
        run("cut.ini", *QUICK, status=3, says="cut.ini")
    open("cut.ini", "wb").write(b"\x00\xff" * 50)
    run("cut.ini", *QUICK, status=3, says="cut.ini")
    os.mkdir("folder.ini")
    run("folder.ini", *QUICK, status=3, says="folder.ini: it is a folder")


def test_what_is_no_text_file():
    """A pipe, a device and a huge file are called that at once, as pipeline and as code."""
    os.mkfifo("pipe.ini")
    os.symlink("/dev/zero", "zero.ini")
    with open("huge.ini", "w") as file:
        file.truncate(1 << 40)  # takes no room on the disk, and could not be read into memory
    for name, says in (("pipe.ini", "a pipe or a device"), ("zero.ini", "a pipe or a device"),
                       ("huge.ini", "it is too large: at most 1.05 MB"), ("no.ini", "no such file")):
        for arguments in [name], ["gemm-bias-relu", "--edit", f"full:1={name}"]:
            run(*arguments, *QUICK, status=3, says=[name, says], timeout=10)


def test_places_that_cannot_be_written():
    """They are found before the run, so that no measurement is lost."""
    open("file", "w").close()
    os.mkdir("folder")
    for option in "--csv", "--csv-kernels", "--csv-samples", "--json":
        run("gemm-bias-relu", *QUICK, option, "file/x", status=3, says="file/x")
        run("gemm-bias-relu", *QUICK, option, "none/x", status=3, says="no folder")
        run("gemm-bias-relu", *QUICK, option, "folder", status=3, says="is a folder")
    run("gemm-bias-relu", *QUICK, "--save-output", "unfused=none/x.npy", status=3, says="none")
    run("gemm-bias-relu", *QUICK, "--save-tensors", "file/x", status=3, says="file/x")
    run("gemm-bias-relu", *QUICK, "--figure", "timing=none/x.png", status=3, says="none")
    run("gemm-bias-relu", *QUICK, "--figure", "timing=x.gif", says=".png")
    run("gemm-bias-relu", *QUICK, "--figure", "x.png", says="timing=FILE")
    run("gemm-bias-relu", *QUICK, "--figure", "timing=x.png", "--plan", "full", says="--plan")
    run("gemm-bias-relu", *QUICK, "--csv", "-", "--json", "-", says="standard output")


def test_a_full_disk():
    """It is noticed only while writing; the table is printed all the same."""
    done = cli("run", "gemm-bias-relu", *QUICK, "--csv", "/dev/full", "--json", "good.json",
               "--save-output", "unfused=/dev/full")
    assert done.returncode == 3
    assert "unfused" in done.stdout and "Median" in done.stdout and os.path.exists("good.json")
    assert done.stderr.count("disk is full") == 2
    with open("/dev/full", "w") as full:
        import subprocess

        from seamtest import CLI

        done = subprocess.run([CLI, "list"], stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode == 3 and "could not be written" in done.stderr


def test_tensors_that_do_not_fit():
    folder = os.path.join(GOLDEN, "gemm-bias-relu", "case1")
    fits = "batch=1,in_features=17,out_features=5"

    def tensors(path, text, says):
        done = cli("run", "gemm-bias-relu", "--target", "cpu", "--budget", "0.05", "--tensors", path,
                   "--shape", text)
        assert done.returncode in (2, 3), done.returncode
        assert done.stderr.count("\n") == 1 and says in done.stderr, done.stderr

    ok("run", "gemm-bias-relu", "--target", "cpu", "--budget", "0.05", "--tensors", folder,
       "--shape", fits)
    tensors(folder, fits.replace("17", "18"), "input.npy")
    tensors("nowhere", fits, "nowhere")
    os.mkdir("mine")
    numpy.save("mine/input.npy", numpy.zeros((1, 17), "f4"))
    tensors("mine", fits, "npy")
    numpy.save("mine/gemm.weight.npy", numpy.zeros((5, 17), "i4"))
    numpy.save("mine/bias.npy", numpy.zeros(5, "f4"))
    tensors("mine", fits, "gemm.weight.npy")
    data = open(os.path.join(folder, "gemm.weight.npy"), "rb").read()
    open("mine/gemm.weight.npy", "wb").write(data[:-3])
    tensors("mine", fits, "truncated")


def test_numbers_that_fp32_does_not_have():
    ok("run", "gemm-bias-relu", *QUICK, "--save-tensors", "t")
    image = numpy.load("t/input.npy").astype("f8")
    image[1, 2] = 16777217
    numpy.save("t/input.npy", image)
    done = ok("run", "gemm-bias-relu", *QUICK, "--tensors", "t", "--csv", "plans.csv")
    sentence = ("input.npy: element [1, 2] is 16777217, which FP32 does not have, so that the run uses "
                "16777216 (the first such element).")
    assert rows(open("plans.csv", newline="").read())[0]["message"] == sentence
    assert sentence in " ".join(done.stdout.split()), done.stdout
    image[1, 2] = 1e300
    numpy.save("t/input.npy", image)
    run("gemm-bias-relu", *QUICK, "--tensors", "t", status=3,
        says=["t/input.npy", "element [1, 2]", "e+300"])


def test_special_values_in_an_input():
    """NaN is right where the chain makes it of the input, and nowhere else; what infinity makes is not judged."""
    ok("run", "gemm-bias-relu", *QUICK, "--save-tensors", "t")
    image = numpy.load("t/input.npy")
    for value, says in ((numpy.nan, "12 elements are NaN on both sides"), (numpy.inf, "12 elements are not judged")):
        image[1, 2] = value
        numpy.save("t/input.npy", image)
        for against in ("unfused", "fp64"):
            done = ok("run", "gemm-bias-relu", *QUICK, "--tensors", "t", "--against", against, "--csv", "plans.csv")
            table = rows(open("plans.csv", newline="").read())
            assert int(table[1]["n_failing"]) == 0 and float(table[1]["max_bound_ratio"]) < 1, table
            assert says in done.stdout, done.stdout
    image[1, 2] = numpy.nan
    numpy.save("t/input.npy", image)
    done = ok("run", "gemm-bias-relu", *QUICK, "--tensors", "t", "--atol", "1e-5", status=1)
    assert "12 of 72 outside tolerance" in done.stdout, done.stdout


main()
