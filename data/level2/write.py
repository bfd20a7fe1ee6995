#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the pipelines of KernelBench's level 2 beside this file:

    data/level2/write.py PROBLEMS.json GOLDEN

PROBLEMS.json describes the hundred problems, and GOLDEN has a folder of small cases for each of them; the five of
data/pipelines are there. Presets: tiny is the shape of golden case0, kernelbench that of the problem; laptop is kernelbench,
whose largest number (not of the kernel) is halved until the matrix ops have at most 2^29 multiplications and the largest
value 2^22 elements."""
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"mul_channel": "multiply_channel", "mul_tensor": "multiply_tensor", "div_scalar": "divide_scalar",
         "group_norm": "groupnorm"}
KEYS = {"min": "low", "max": "high"}
NUMBERS = ("value", "low", "high", "negative_slope", "beta", "threshold", "p")
# Whole numbers, and what a file need not say.
COUNTS = {"stride": (1,), "padding": (0,), "output_padding": (0,), "kernel": (), "keepdim": ()}
LABELS = {"batch": ("Batch", "samples"), "in_channels": ("Input channels", "channels"),
          "out_channels": ("Output channels", "channels"), "in_features": ("Input features", "columns"),
          "hidden_features": ("Hidden features", "columns"), "out_features": ("Output features", "columns"),
          "depth": ("Depth", "px"), "height": ("Height", "px"), "width": ("Width", "px"),
          "kernel_size": ("Kernel size", "px"), "groups": ("Groups", "groups")}
OPS = {"conv2d": "convolution", "conv3d": "3-D convolution", "conv_transpose2d": "transposed convolution",
       "conv_transpose3d": "transposed 3-D convolution", "matmul": "matrix product", "add_channel": "bias",
       "sub_channel": "subtracted bias", "multiply_channel": "scale", "add_scalar": "addition", "sub_scalar": "subtraction",
       "mul_scalar": "multiplication", "divide_scalar": "division", "min_scalar": "minimum", "clamp": "clamp", "relu": "ReLU",
       "sigmoid": "sigmoid", "tanh": "tanh", "gelu": "GELU", "mish": "Mish", "hardswish": "hardswish",
       "leaky_relu": "leaky ReLU", "softplus": "softplus", "add_tensor": "residual", "multiply_tensor": "product",
       "sub_tensor": "difference", "add_outer": "outer sum", "dropout": "dropout", "groupnorm": "GroupNorm",
       "batch_norm": "BatchNorm", "instance_norm": "InstanceNorm", "layer_norm": "LayerNorm", "softmax": "softmax",
       "global_avg_pool": "global average pool", "reduce_sum": "sum", "reduce_mean": "mean", "reduce_max": "maximum",
       "reduce_min": "minimum over axes", "logsumexp": "logsumexp",
       **{f"{kind}_pool{rank}d": f"{rank}-D {word} pool" for kind, word in (("max", "maximum"), ("avg", "average"))
          for rank in (1, 2, 3)}}
MOST_PRODUCTS, MOST_ELEMENTS = 2 ** 29, 2 ** 22


def name_type(op):
    return TYPES.get(op["type"], op["type"])


def is_matrix(op):
    return op["type"] == "matmul" or op["type"].startswith("conv")


def find_field(problem, value):
    """The key of the field with the output features of a matrix op."""
    keys = [key for key in ("hidden_features", "out_features", "out_channels") if problem["shape"].get(key) == value]
    return keys[0]


def infer(problem, op, x, shape):
    """The shape of an op's output, and its multiplications."""
    kernel, stride = op.get("kernel", shape.get("kernel_size", 1)), op.get("stride", 1)
    padding, more = op.get("padding", 0), op.get("output_padding", 0)
    if is_matrix(op):
        out = shape[find_field(problem, op["shape"][1])]
        if "transpose" in op["type"]:
            space = [(n - 1) * stride - 2 * padding + kernel + more for n in x[2:]]
            return [x[0], out, *space], math.prod(x) * out * kernel ** len(space)
        space = [(n + 2 * padding - kernel) // stride + 1 for n in x[2:]]
        return [x[0], out, *space], math.prod([x[0], out, *space]) * x[1] * kernel ** len(space)
    if "_pool" in op["type"] and "kernel" in op:
        rank = int(op["type"][-2])
        return x[:-rank] + [(n - kernel) // stride + 1 for n in x[-rank:]], 0
    if "keepdim" in op:
        return [1 if i in op["axes"] else n for i, n in enumerate(x) if i not in op["axes"] or op["keepdim"]], 0
    return x, 0


def count(problem, shape):
    """Multiplications of the matrix ops, and elements of the largest value; None: no such shape."""
    keys = ("batch", "in_channels", "in_features", "depth", "height", "width")
    values = {"input": [shape[key] for key in keys if key in shape]}
    products, most = 0, math.prod(values["input"])
    for op in problem["ops"]:
        values[op["name"]], n = infer(problem, op, values[op["input"]], shape)
        if min(values[op["name"]]) < 1:
            return None
        products, most = products + n, max(most, math.prod(values[op["name"]]))
    return products, most


def choose_laptop(problem):
    shape = dict(problem["shape"])
    keys = [key for key in shape if key not in ("kernel_size", "groups")]
    while count(problem, shape)[0] > MOST_PRODUCTS or count(problem, shape)[1] > MOST_ELEMENTS:
        shape[max(keys, key=lambda key: shape[key])] //= 2
    if "groups" in shape:
        channels = shape.get("out_channels", shape.get("out_features"))
        while channels % shape["groups"] or shape["groups"] > channels // 2:
            shape["groups"] //= 2
    return shape


def describe_shape(problem, case, sizes, small):
    """A shape in fields: what is so at the problem's shape and at a small one."""
    terms = []
    for size, other in zip(sizes, small):
        found = [key for key in problem["shape"]
                 if problem["shape"][key] == size and case["shape"][key] == other]
        twice = [f"2*{key}" for key in problem["shape"]
                 if 2 * problem["shape"][key] == size and 2 * case["shape"][key] == other]
        terms.append("1" if size == other == 1 else (found + twice)[0])
    return ";".join(terms)


def write_section(lines, head, **values):
    lines += ["", f"[{head}]", *(f"{key}={value}" for key, value in values.items())]


def write_params(lines, problem, case):
    """Those that an op reads; a BatchNorm's running statistics too."""
    roles = {}
    for op in problem["ops"]:
        for key in ("weight", "bias", "vector", "param", "running_mean", "running_var"):
            if key in op:
                roles[op[key]] = (op, key)
    for parameter in problem["parameters"]:
        if parameter["name"] not in roles:
            continue
        op, key = roles[parameter["name"]]
        init = parameter["init"].split()[0]
        init = {"uniform": "fan-in"}.get(init, init)
        if op["type"] == "add_outer":
            shape = describe_shape(problem, case, parameter["shape"], case["parameters"][parameter["name"]])
            write_section(lines, f"param {parameter['name']}", shape=shape, init=init)
            continue
        role = "vector-3d" if len(parameter["shape"]) == 3 else "vector"
        if key == "param":
            role = "scalar"
        elif is_matrix(op):
            role = "matmul-weight" if op["type"] == "matmul" else "conv-weight"
        write_section(lines, f"param {parameter['name']}", role=role, init=init)


def write_op(lines, problem, op, before):
    values = {"type": name_type(op)}
    if op["input"] != before:
        values["input"] = op["input"]
    values |= {key: op[key] for key in ("weight", "bias", "vector", "param", "running_mean", "running_var") if key in op}
    if "operand" in op:
        values["operand"] = op["operand"].removeprefix("input:")
    values |= {KEYS.get(key, key): f"{value:g}" for key, value in op.items()
               if KEYS.get(key, key) in NUMBERS and value is not None}
    if is_matrix(op) and find_field(problem, op["shape"][1]).startswith("hidden"):
        values["out"] = "hidden_features"
    if "axes" in op and op["type"] != "global_avg_pool":
        values["axes"] = ";".join(str(axis) for axis in op["axes"])
    for key, (*usual,) in COUNTS.items():
        if key in op and op[key] not in usual and not (key == "stride" and op[key] == op.get("kernel")):
            values[key] = str(op[key]).lower()
    if op["type"] == "group_norm" and "groups" not in problem["shape"]:
        values["groups"] = op["groups"]
    write_section(lines, f"op {op['name']}", **values)


def write(problem, case):
    words = [OPS[name_type(op)] for op in problem["ops"]]
    title = ", ".join(words)
    lines = ["# SPDX-License-Identifier: MIT", "#", "# Written by data/level2/write.py."]
    write_section(lines, "pipeline", title=title[0].upper() + title[1:], description=problem["chain"] + ".",
                  source=f"KernelBench level 2 #{problem['number']}", number=problem["number"],
                  ops="".join(op["name"] + ";" for op in problem["ops"]))
    for key in problem["shape"]:
        label, unit = LABELS[key]
        if key == "batch" and "in_features" in problem["shape"]:
            unit = "rows"
        write_section(lines, f"field {key}", label=label, unit=unit, min=1, max=1000000)
    for further in problem["inputs"][1:]:
        write_section(lines, f"input {further['name']}",
                      shape=describe_shape(problem, case, further["shape"], case["inputs"][further["name"]]))
    write_params(lines, problem, case)
    before = "input"
    for op in problem["ops"]:
        write_op(lines, problem, op, before)
        before = op["name"]
    for name, shape in (("tiny", case["shape"]), ("laptop", choose_laptop(problem)), ("kernelbench", problem["shape"])):
        write_section(lines, f"preset {name}", **{key: shape[key] for key in problem["shape"]})
    (HERE / f"{problem['id']}.ini").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    problems = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["problems"]
    there = {path.stem for path in (HERE.parent / "pipelines").glob("*.ini")}
    written = 0
    for path in HERE.glob("*.ini"):
        path.unlink()
    for problem in problems:
        if problem["id"] not in there:
            write(problem, json.loads((pathlib.Path(sys.argv[2]) / problem["id"] / "case0" / "case.json").read_text()))
            written += 1
    print(f"{written} pipelines written")


if __name__ == "__main__":
    main()
