#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The language of pipelines: what is refused, and in which words; hints at void ops; the modes of a run; a folder of one's
# own pipelines; and the most seams that Explore takes.

import json
import os
import pathlib

import numpy

from seamtest import cli, main, ok, refused

RUN = ["--target", "cpu", "--preset", "tiny", "--budget", "0.01", "--l2", "warm"]
FIELDS = {"batch": 4, "in_channels": 3, "out_channels": 6, "height": 7, "width": 8, "kernel_size": 3}


def write(ops, fields=None, extra="", name="own.ini"):
    """A file with these ops, a list of (name, keys); a convolution's weight is there."""
    fields = FIELDS if fields is None else fields
    lines = ["[pipeline]", "title=Own", "description=Own.", "source=test", "ops=" + ";".join(op[0] for op in ops)]
    for key in fields:
        lines += [f"[field {key}]", f"label={key}", "min=1", "max=1000000000"]
    if "kernel_size" in fields:
        lines += ["[param w]", "role=conv-weight", "init=fan-in"]
    lines.append(extra)
    for op, keys in ops:
        lines += [f"[op {op}]", *keys.split()]
    lines += ["[preset tiny]", *(f"{key}={value}" for key, value in fields.items())]
    pathlib.Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


CONV = ("conv", "type=conv2d weight=w")


def test_refused():
    for ops, says in (
        ([CONV, ("p", "type=max_pool2d kernel=9")], ["“p” has a kernel of 9", "axis 2", "(5)"]),
        ([CONV, ("p", "type=max_pool2d kernel=2 padding=2")], ["at most half of its kernel"]),
        ([CONV, ("p", "type=max_pool2d")], ["[op p] kernel", "missing"]),
        ([CONV, ("p", "type=max_pool3d kernel=2 stride=0")], ["stride"]),
        ([CONV, ("s", "type=reduce_sum axes=4")], ["“s” names an axis that is not there", "0 to 3"]),
        ([CONV, ("s", "type=reduce_sum axes=-5")], ["“s” names an axis that is not there"]),
        ([CONV, ("s", "type=reduce_sum axes=-6")], ["axes"]),
        ([CONV, ("s", "type=reduce_sum axes=one")], ["axes"]),
        ([CONV, ("s", "type=reduce_sum axes=0;1;2;3")], ["“s” leaves no axis", "keepdim"]),
        ([CONV, ("s", "type=reduce_sum")], ["[op s] axes", "missing"]),
        ([CONV, ("s", "type=reduce_sum axes=3;-1 keepdim=true")], ["“s” names axis 3 twice"]),
        ([CONV, ("s", "type=reduce_sum axes=1,2")], ["Axes have “;” between"]),
        ([CONV, ("c", "type=clamp")], ["[op c] low", "high"]),
        ([CONV, ("p", "type=max_pool2d kernel=size")], ["neither a number nor the key", "[field size]"]),
        ([CONV, ("a", "type=add_tensor operand=w")], ["“w” is a parameter"]),
        ([CONV, ("s", "type=reduce_sum axes=1 keepdim=maybe")], ["keepdim", "true"]),
        ([CONV, ("l", "type=layer_norm axes=1")], ["“l”", "the last ones"]),
        ([CONV, ("m", "type=matmul weight=w")], ["does not fit"]),
        ([CONV, ("t", "type=conv_transpose2d weight=w stride=2 output_padding=2")], ["output padding of 2", "stride"]),
        ([CONV, ("a", "type=relu"), ("b", "type=relu input=conv")], ["no op reads the output of “a”"]),
        ([CONV, ("a", "type=add_tensor operand=b"), ("b", "type=relu")], ["does not come before"]),
        ([CONV, ("a", "type=add_tensor operand=more")], ["no op “more”", "[input more]"]),
        ([CONV, ("a", "type=add_scalar value=1 param=w")], ["does not fit"]),
        ([CONV, ("a", "type=batch_norm weight=v")], ["[param v]"]),
        ([CONV, ("d", "type=dropout p=1")], ["share"]),
        ([CONV, ("n", "type=instance_norm eps=0")], ["eps", "over 0"]),
        ([CONV, ("input", "type=relu")], ["the name of an input"]),
    ):
        refused("estimate", write(ops), "--target", "cpu", status=3, says=says)


def test_refused_at_a_shape():
    own = write([CONV, ("g", "type=global_avg_pool"), ("b", "type=batch_norm"), ("r", "type=relu")])
    refused("run", own, *RUN, "--shape", "batch=1", status=2, says=["“b”", "single value"])
    refused("run", own, *RUN, "--statistics", "running", status=2, says=["“b” has no running statistics"])
    inference = write([CONV, ("g", "type=global_avg_pool"), ("b", "type=batch_norm running_mean=m running_var=v")],
                      {**FIELDS, "batch": 1}, "[param m]\nrole=vector\ninit=zeros\n[param v]\nrole=vector\ninit=ones")
    ok("run", inference, *RUN, "--statistics", "running", "--against", "fp64")
    refused("run", inference, *RUN, status=2, says=["“b”", "single value"])
    ok("run", write([("mm", "type=matmul weight=u out=5"), ("r", "type=relu")], {"batch": 3, "in_features": 4},
                    "[param u]\nrole=matmul-weight\ninit=normal"), *RUN)
    shapes = write([CONV, ("a", "type=add_tensor operand=more")], extra="[input more]\nshape=batch;out_channels;3;1")
    refused("run", shapes, *RUN, status=3, says=["“a”", "[4, 6, 5, 6]", "[4, 6, 3, 1]", "compared from the last"])
    refused("run", write([CONV, ("a", "type=add_tensor operand=more")], extra="[input more]\nshape=height-7"), *RUN, status=3,
            says=["Axis 0 of “more”"])


def test_defects():
    """Of an op that no kernel makes wrong on purpose."""
    for defect in ("without-affine", "lost-update:8", "missing-tail:4"):
        extra = f"[chain wrong]\nnote=Wrong.\nops=conv;n;r\ncut=conv|n|r\ndefect.n={defect}"
        refused("run", write([CONV, ("n", "type=batch_norm"), ("r", "type=relu")], extra=extra), *RUN, status=3,
                says=["defect.n", "groupnorm"])


def test_all_nan():
    own = write([CONV, ("r", "type=relu")])
    ok("run", own, *RUN, "--save-tensors", "nan")
    numpy.save("nan/w.npy", numpy.full((6, 3, 3, 3), numpy.nan, "f4"))
    assert "all elements compared with are NaN" in cli("run", own, *RUN, "--tensors", "nan", "--against", "fp64").stdout


def get_notes(*arguments):
    return ok("run", *arguments, *RUN, "--plan", "unfused").stdout


def test_hints():
    for number, says in (("#7", "“leakyrelu” changes nothing"), ("#83", "“clamp” is zero for every input"),
                         ("#80", "“sub” is zero for every input"), ("#14", "“sum” adds up outputs of “matmul”"),
                         ("#51", "“logsumexp” is over one element"), ("#97", "“matmul_bias” has no effect"),
                         ("#3", "“add” has no effect")):
        assert says in get_notes(number), number
    for number in ("#1", "#38", "#66", "#88"):
        notes = get_notes(number)
        assert not any(word in notes for word in ("changes nothing", "every input", "no effect", "adds up")), number
    # A clamp that a negative number may reach, and a norm over the channels that a bias tells apart.
    own = write([CONV, ("t", "type=tanh"), ("c", "type=clamp low=0 high=1"), ("n", "type=softmax axes=1")])
    assert "“c”" not in get_notes(own)
    own = write([CONV, ("t", "type=tanh"), ("c", "type=clamp low=-1 high=2"), ("s", "type=softmax axes=0")])
    assert "“c” changes nothing" in get_notes(own)
    assert "“s” is over one element, so it is 1" in get_notes(own, "--shape", "batch=1")


def test_dropout():
    """The mask is the same for every plan, has the chosen share of zeros, and changes with the seed."""
    own = write([CONV, ("r", "type=relu"), ("d", "type=dropout p=0.25"), ("m", "type=mul_scalar value=2")],
                {**FIELDS, "batch": 40})
    masks = []
    for number, options in enumerate(([], ["--seed", "2"], ["--dropout", "0.75"], ["--dropout", "0"])):
        ok("run", own, *RUN, "--against", "fp64", "--plan", "unfused", "--plan", "full", "--save-tensors",
           f"tensors-{number}", *options)
        masks.append(numpy.load(f"tensors-{number}/d_mask.npy"))
    share = [numpy.mean(mask == 0) for mask in masks]
    assert abs(share[0] - 0.25) < 0.03 and abs(share[2] - 0.75) < 0.03 and share[3] == 0, share
    assert set(numpy.unique(masks[0])) == {0, numpy.float32(1 / 0.75)} and (masks[3] == 1).all()
    assert (masks[0] != masks[1]).any()


def test_statistics_are_kept():
    for mode in ("batch", "running"):
        ok("run", "#73", *RUN, "--statistics", mode, "--save", f"{mode}.seamscope", "--save-output", f"unfused={mode}.npy",
           "--plan", "unfused")
    assert numpy.abs(numpy.load("batch.npy") - numpy.load("running.npy")).max() > 0.1
    kept = json.loads(ok("export", "running.seamscope", "--json", "-").stdout)
    assert kept["statistics"] == "running", kept.keys()
    assert "statistics" not in json.loads(ok("export", "batch.seamscope", "--json", "-").stdout)
    assert "statistics is batch in A and running in B" in cli("compare", "batch.seamscope", "running.seamscope").stderr


def test_own_folder():
    folder = pathlib.Path("home/seamscope/pipelines")
    folder.mkdir(parents=True)
    text = pathlib.Path(write([CONV, ("r", "type=relu")])).read_text(encoding="utf-8")
    (folder / "my-chain.ini").write_text(text, encoding="utf-8")
    (folder / "broken.ini").write_text(text.replace("type=relu", "type=rleu"), encoding="utf-8")
    environment = {**os.environ, "XDG_DATA_HOME": str(pathlib.Path("home").resolve())}
    done = cli("list", "--json", env=environment)
    assert [item["id"] for item in json.loads(done.stdout)["pipelines"]][5:] == ["my-chain"], done.stdout
    assert "broken.ini: [op r] type" in done.stderr, done.stderr
    assert cli("run", "my-chain", *RUN, env=environment).returncode == 0
    done = cli("run", "broken", *RUN, env=environment)
    assert done.returncode == 3 and "broken.ini: [op r] type" in done.stderr, done.stderr


def test_explore_takes_eleven_seams():
    ops = [CONV] + [(f"r{i}", "type=tanh") for i in range(12)]
    refused("explore", write(ops), "--target", "cpu", "--budget", "1", status=2, says=["12 seams", "up to 11"])
    assert cli("run", write(ops), *RUN).returncode == 0
    refused("run", write([CONV] + [(f"r{i}", "type=tanh") for i in range(24)]), *RUN, status=3, says=["1 to 24 ops"])


main()
