#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the pipelines of KernelBench's level 2 beside this file:

    data/level2/write.py PROBLEMS.json GOLDEN

PROBLEMS.json describes the hundred problems, and GOLDEN has a folder of small cases for each of them. A problem whose ops a
pipeline file cannot name yet is left out, and the five of data/pipelines are there. Presets: tiny is the shape of golden
case0, kernelbench that of the problem; laptop is kernelbench, whose largest number (not of the kernel)
is halved until the matrix op has at most 2^29 multiplications and the largest value 2^22 elements."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"mul_channel": "multiply_channel", "mul_tensor": "multiply_tensor", "div_scalar": "divide_scalar",
         "group_norm": "groupnorm"}
MAPS = {"add_channel", "sub_channel", "multiply_channel", "add_scalar", "sub_scalar", "mul_scalar", "divide_scalar",
        "min_scalar", "clamp", "relu", "sigmoid", "tanh", "gelu", "mish", "hardswish", "leaky_relu", "softplus",
        "add_tensor", "multiply_tensor", "groupnorm"}
KEYS = {"min": "low", "max": "high"}
NUMBERS = ("value", "low", "high", "negative_slope", "beta", "threshold")
LABELS = {"batch": ("Batch", {"conv2d": "samples", "matmul": "rows"}), "in_channels": ("Input channels", "channels"),
          "out_channels": ("Output channels", "channels"), "in_features": ("Input features", "columns"),
          "out_features": ("Output features", "columns"), "height": ("Height", "px"), "width": ("Width", "px"),
          "kernel_size": ("Kernel size", "px"), "groups": ("Groups", "groups")}
OPS = {"conv2d": "convolution", "matmul": "matrix product", "add_channel": "bias", "sub_channel": "subtracted bias",
       "multiply_channel": "scale", "add_scalar": "addition", "sub_scalar": "subtraction", "mul_scalar": "multiplication",
       "divide_scalar": "division", "min_scalar": "minimum", "clamp": "clamp", "relu": "ReLU", "sigmoid": "sigmoid",
       "tanh": "tanh", "gelu": "GELU", "mish": "Mish", "hardswish": "hardswish", "leaky_relu": "leaky ReLU",
       "softplus": "softplus", "add_tensor": "residual", "multiply_tensor": "product", "groupnorm": "GroupNorm"}
MOST_PRODUCTS, MOST_ELEMENTS = 2 ** 29, 2 ** 22


def name_type(op):
    return TYPES.get(op["type"], op["type"])


def can_be_said(problem):
    first, *others = problem["ops"]
    return (name_type(first) in ("conv2d", "matmul") and first.get("stride", 1) == 1 and first.get("padding", 0) == 0
            and len(problem["inputs"]) == 1
            and all(name_type(op) in MAPS and "param" not in op and op["input"] == before["name"]
                    and not any(op.get(key, 0) is None for key in KEYS)
                    for before, op in zip(problem["ops"], others)))


def count(problem, shape):
    """Multiplications of the matrix op, and elements of the largest value."""
    if "in_features" in shape:
        return (shape["batch"] * shape["in_features"] * shape["out_features"],
                shape["batch"] * max(shape["in_features"], shape["out_features"]))
    rows, columns = (shape[key] - shape["kernel_size"] + 1 for key in ("height", "width"))
    outputs = shape["batch"] * shape["out_channels"] * rows * columns
    inputs = shape["batch"] * shape["in_channels"] * shape["height"] * shape["width"]
    return outputs * shape["in_channels"] * shape["kernel_size"] ** 2, max(outputs, inputs)


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


def write_section(lines, head, **values):
    lines += ["", f"[{head}]", *(f"{key}={value}" for key, value in values.items())]


def write(problem, tiny):
    matrix = name_type(problem["ops"][0])
    words = [OPS[name_type(op)] for op in problem["ops"]]
    title = ", ".join(words)
    lines = ["# SPDX-License-Identifier: MIT", "#", "# Written by data/level2/write.py."]
    write_section(lines, "pipeline", title=title[0].upper() + title[1:], description=problem["chain"] + ".",
                  source=f"KernelBench level 2 #{problem['number']}", number=problem["number"],
                  ops="".join(op["name"] + ";" for op in problem["ops"]))
    for key in problem["shape"]:
        label, unit = LABELS[key]
        write_section(lines, f"field {key}", label=label, unit=unit if isinstance(unit, str) else unit[matrix], min=1,
                      max=1000000)
    for parameter in problem["parameters"]:
        role = "vector-3d" if len(parameter["shape"]) == 3 else "vector"
        if parameter["name"] == problem["ops"][0]["weight"]:
            role = "conv-weight" if matrix == "conv2d" else "matmul-weight"
        init = parameter["init"].split()[0]
        write_section(lines, f"param {parameter['name']}", role=role,
                      init={"uniform": "fan-in", "ones": "ones", "zeros": "zeros"}.get(init, "normal"))
    for op in problem["ops"]:
        values = {"type": name_type(op)}
        values |= {key: op[key] for key in ("weight", "bias", "vector", "operand") if key in op}
        values |= {KEYS.get(key, key): f"{value:g}" for key, value in op.items() if KEYS.get(key, key) in NUMBERS}
        write_section(lines, f"op {op['name']}", **values)
    for name, shape in (("tiny", tiny), ("laptop", choose_laptop(problem)), ("kernelbench", problem["shape"])):
        write_section(lines, f"preset {name}", **{key: shape[key] for key in problem["shape"]})
    (HERE / f"{problem['id']}.ini").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    problems = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["problems"]
    there = {path.stem for path in (HERE.parent / "pipelines").glob("*.ini")}
    written = 0
    for path in HERE.glob("*.ini"):
        path.unlink()
    for problem in problems:
        if problem["id"] not in there and can_be_said(problem):
            case = json.loads((pathlib.Path(sys.argv[2]) / problem["id"] / "case0" / "case.json").read_text())
            write(problem, case["shape"])
            written += 1
    print(f"{written} pipelines written")


if __name__ == "__main__":
    main()
