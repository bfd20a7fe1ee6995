#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# `export` writes from a session the same bytes as `run` wrote: reports, tables, traces and figures.

import os

from seamtest import PIPELINES, QUICK, main, ok, refused

FILES = [
    ("--csv", "plans.csv"),
    ("--csv-kernels", "kernels.csv"),
    ("--csv-samples", "samples.csv"),
    ("--csv-ledger", "ledger.csv"),
    ("--csv-traffic", "traffic.csv"),
    ("--csv-waterfall", "waterfall.csv"),
    ("--csv-roofline", "roofline.csv"),
    ("--csv-worst", "worst.csv"),
    ("--csv-histogram", "histogram.csv"),
    ("--json", "all.json"),
    ("--trace", "trace.json"),
    ("--figure", "timing=timing.png"),
    ("--figure", "timing=timing.svg"),
    ("--figure", "timing=timing.pdf"),
    ("--figure", "traffic=traffic.svg"),
    ("--figure", "roofline=roofline.pdf"),
    ("--figure", "timeline=timeline.svg"),
    ("--figure", "difference=difference.png"),
    ("--figure", "difference=difference.svg"),
    ("--figure", "difference=difference.pdf"),
    ("--figure", "numbers=numbers.png"),
]


def file_options(folder):
    os.makedirs(folder, exist_ok=True)
    options = []
    for option, value in FILES:
        kind, equals, name = value.rpartition("=")
        options += [option, f"{kind}{equals}{folder}/{name}"]
    return options


def written(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("Wrote "))


def equal(pipeline, *plans, status=0, session="a.seamscope"):
    """Checks that run and export give the same report and files. Returns the session's size."""
    chosen = [word for plan in plans for word in ("--plan", plan)]
    done = ok("run", pipeline, *QUICK, *chosen, *file_options("run"), "--save", session,
              status=status)
    # The export needs nothing else of the run: neither its folder nor the pipeline files.
    exported = ok("export", session, "--text", *file_options("export"),
                  env={**os.environ, "SEAMSCOPE_DATADIR": "/nonexistent"})
    assert written(exported.stdout) == written(done.stdout)
    for _, value in FILES:
        name = value.rpartition("=")[2]
        one, two = (open(f"{folder}/{name}", "rb").read() for folder in ("run", "export"))
        assert len(one) > 100 and one == two, f"{pipeline}: {name} differs"
    return os.stat(session).st_size


def test_every_pipeline_exports_what_it_wrote():
    for pipeline in PIPELINES:
        assert equal(pipeline, "unfused", "published", "full") < 120_000


def test_exhibit_and_several_plans():
    equal("matmul-swish-bias-groupnorm", "unfused", "as-published", "epilogue", status=1)


def test_against_fp64():
    ok("run", "conv-relu-bias", *QUICK, "--against", "fp64", "--save", "a.seamscope", "--figure",
       "difference=a.svg", "--seed", 2**64 - 1, "--distribution", "normal")
    ok("export", "a.seamscope", "--figure", "difference=b.svg")
    assert open("a.svg").read() == open("b.svg").read()


def test_smaller_overview():
    sizes = []
    for cells in 512, 16:
        name = f"{cells}.seamscope"
        ok("run", "matmul-swish-bias-groupnorm", *QUICK, "--shape", "batch=256,out_features=512",
           "--plan", "unfused", "--plan", "as-published", "--overview", cells, "--save", name,
           "--figure", f"difference={cells}-run.svg", status=1)
        ok("export", name, "--figure", f"difference={cells}.svg")
        assert open(f"{cells}.svg").read() == open(f"{cells}-run.svg").read()
        sizes.append(os.stat(name).st_size)
    assert sizes[1] < sizes[0] / 3
    refused("run", "gemm-bias-relu", "--overview", "513", status=2, says="--overview")


main()
