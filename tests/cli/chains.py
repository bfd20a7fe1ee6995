#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Random chains of all classes of ops: odd sizes, strides, paddings, ceil_mode, axes, broadcasting, earlier values, further
# inputs. The FP64 reference is what NumPy computes by formulas of its own, and every plan is within the bound. By default a
# part of them; all with SEAMSCOPE_TEST_ALL=1.

import os
import pathlib

import numpy

from seamtest import PART, main, ok

N_CHAINS = 300 if os.environ.get("SEAMSCOPE_TEST_ALL") == "1" else 60
GROUPS = 10
RUN = ["--target", os.environ.get("SEAMSCOPE_TEST_TARGET", "cpu"), "--budget", "0.01", "--l2", "warm", "--against", "fp64"]


def dilate(x, stride):
    """Zeros between the elements along the axes of space."""
    out = numpy.zeros(x.shape[:2] + tuple((n - 1) * stride + 1 for n in x.shape[2:]))
    out[(slice(None), slice(None)) + (slice(None, None, stride),) * (x.ndim - 2)] = x
    return out


def windows(x, kernel, stride, first):
    view = numpy.lib.stride_tricks.sliding_window_view(x, (kernel,) * (x.ndim - first), tuple(range(first, x.ndim)))
    return view[(slice(None),) * first + (slice(None, None, stride),) * (x.ndim - first)]


def convolve(x, w, stride, padding):
    pad = [(0, 0), (0, 0)] + [(padding, padding)] * (x.ndim - 2)
    view = windows(numpy.pad(x, pad), w.shape[2], stride, 2)
    letters = "tuv"[: x.ndim - 2]
    space = "xyz"[: x.ndim - 2]
    return numpy.einsum(f"nc{space}{letters},kc{letters}->nk{space}", view, w)


def transpose(x, w, stride, padding, more):
    kernel = w.shape[2]
    x = numpy.pad(dilate(x, stride), [(0, 0), (0, 0)] + [(kernel - 1, kernel - 1 + more)] * (x.ndim - 2))
    flipped = numpy.flip(numpy.swapaxes(w, 0, 1), tuple(range(2, w.ndim)))
    full = convolve(x, flipped, 1, 0)
    cut = (slice(None),) * 2 + tuple(slice(padding, n - padding) for n in full.shape[2:])
    return full[cut]


def pool(x, kind, rank, kernel, stride, padding, ceil, counts):
    first = x.ndim - rank
    sizes = []
    for n in x.shape[first:]:
        left = n + 2 * padding - kernel
        size = left // stride + 1
        if ceil and left % stride and size * stride < n + padding:
            size += 1
        sizes.append(size)
    out = numpy.empty(x.shape[:first] + tuple(sizes))
    for index in numpy.ndindex(*sizes):
        part, padded = (), 1
        for i, n in zip(index, x.shape[first:]):
            begin = i * stride - padding
            end = min(begin + kernel, n + padding)
            padded *= end - begin
            part += (slice(max(begin, 0), min(end, n)),)
        window = x[(Ellipsis,) + part]
        axes = tuple(range(first, x.ndim))
        n = padded if counts else numpy.prod(window.shape[first:])
        out[(Ellipsis,) + index] = window.max(axes) if kind == "max" else window.sum(axes) / n
    return out


def normalise(x, axes, eps):
    return (x - x.mean(axes, keepdims=True)) / numpy.sqrt(x.var(axes, keepdims=True) + eps)


def softplus(x):
    return numpy.logaddexp(0, x)


MAPS = {
    "relu": lambda x: numpy.maximum(x, 0),
    "tanh": numpy.tanh,
    "sigmoid": lambda x: (1 + numpy.tanh(x / 2)) / 2,
    "mish": lambda x: x * numpy.tanh(softplus(x)),
    "hardswish": lambda x: x * numpy.clip(x + 3, 0, 6) / 6,
    "gelu_tanh": lambda x: x / 2 * (1 + numpy.tanh(numpy.sqrt(2 / numpy.pi) * (x + 0.044715 * x ** 3))),
}


class Chain:
    """A pipeline's text and NumPy's values, op after op."""

    def __init__(self, seed):
        self.rng = numpy.random.default_rng(seed)
        self.rank = int(self.rng.choice([0, 2, 3]))
        self.sections, self.tensors, self.values, self.names = [], {}, {}, []
        self.joinable, self.was_map = set(), False
        self.maps, self.sets, self.reads = set(), set(), []
        n, c = (int(value) for value in self.rng.integers(1, 6, 2))
        space = [int(value) for value in self.rng.integers(3, 10, self.rank)]
        self.fields = {"batch": n, ("in_features" if self.rank == 0 else "in_channels"): c + 2}
        self.fields |= dict(zip(("depth", "height", "width")[3 - self.rank:], space)) if self.rank else {}
        self.x = self.values["input"] = self.add_tensor("input", [n, c + 2, *space])
        self.before = "input"
        self.n_matrix = 0
        for _ in range(int(self.rng.integers(3, 9))):
            self.add_op()

    def add_tensor(self, name, shape, positive=False):
        data = (self.rng.random(shape) + 0.5 if positive else self.rng.standard_normal(shape)).astype("f4")
        self.tensors[name] = data
        return data.astype("f8")

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def finish(self, type_, y, **keys):
        name = f"op{len(self.names)}"
        if not numpy.isfinite(y).all() or y.size > 60000 or numpy.abs(y).max() > 1e6:
            return False
        lines = [f"[op {name}]", f"type={type_}"] + [f"{key}={value}" for key, value in keys.items()]
        self.sections.append("\n".join(lines))
        self.names.append(name)
        # A map of a shape that the two values before it have, too: the op before it is a map or a matmul.
        is_map = type_ in MAPS or type_.endswith(("_channel", "_scalar"))
        if "operand" in keys:
            other = self.values[keys["operand"]]
            is_map = "input" not in keys and other.shape == self.x.shape
            self.reads.append((len(self.names), keys["operand"]))
            self.reads.append((len(self.names), keys.get("input")))
        if is_map and self.was_map:
            self.joinable.add(name)
        if is_map:
            self.maps.add(name)
        if type_.startswith("reduce_") or type_ in ("logsumexp", "softmax", "batch_norm", "instance_norm", "layer_norm"):
            self.sets.add(name)
        self.was_map = is_map or type_ == "matmul"
        self.x = self.values[name] = y
        self.before = name
        return True

    def add_param(self, role, shape, positive=False):
        name = f"p{len(self.tensors)}"
        init = "ones" if positive else "normal"
        self.sections.append(f"[param {name}]\nrole={role}\ninit={init}")
        return name, self.add_tensor(name, shape, positive)

    def add_op(self):
        before = len(self.sections)
        kinds = [self.add_map, self.add_map, self.add_vector, self.add_scalar, self.add_reduction, self.add_norm, self.add_softmax,
                 self.add_earlier]
        if self.x.ndim > 2:
            kinds += [self.add_pool, self.add_pool]
        if self.n_matrix < 2 and (self.x.ndim == 2 or self.x.ndim == self.rank + 2):
            kinds += [self.add_matrix] * 3
        if not self.pick(*kinds)():
            for section in self.sections[before:]:
                self.tensors.pop(section.split("]")[0].split()[-1], None)
            del self.sections[before:]

    def add_matrix(self):
        out = int(self.rng.integers(1, 8))
        key = "out" if self.n_matrix else ("out_features" if self.x.ndim == 2 else "out_channels")
        if self.x.ndim == 2:
            name, w = self.add_param("matmul-weight", [out, self.x.shape[1]])
            done = self.finish("matmul", self.x @ w.T, weight=name, out=out)
        else:
            kernel, stride = int(self.rng.integers(1, 4)), int(self.rng.integers(1, 4))
            padding = int(self.rng.integers(0, 3))
            kind = f"{self.x.ndim - 2}d"
            keys = {"kernel": kernel, "stride": stride, "padding": padding, "out": out}
            if min(self.x.shape[2:]) + 2 * padding < kernel:
                return False
            if self.rng.random() < 0.5:
                name, w = self.add_param("conv-weight", [out, self.x.shape[1]] + [kernel] * (self.x.ndim - 2))
                done = self.finish("conv" + kind, convolve(self.x, w, stride, padding), weight=name, **keys)
            else:
                more = int(self.rng.integers(0, stride))
                name, w = self.add_param("conv-weight", [self.x.shape[1], out] + [kernel] * (self.x.ndim - 2))
                if min((n - 1) * stride - 2 * padding + kernel + more for n in self.x.shape[2:]) < 1:
                    return False
                done = self.finish("conv_transpose" + kind, transpose(self.x, w, stride, padding, more), weight=name,
                                   output_padding=more, **keys)
        self.n_matrix += done
        return done

    def add_map(self):
        name = self.pick(*MAPS)
        return self.finish(name, MAPS[name](self.x))

    def add_vector(self):
        if self.x.ndim < 2:
            return False
        name, v = self.add_param("vector", [self.x.shape[1]])
        v = v.reshape([-1] + [1] * (self.x.ndim - 2))
        kind = self.pick("add_channel", "sub_channel", "mul_channel")
        y = {"add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply}[kind[:3]](self.x, v)
        return self.finish(kind, y, vector=name)

    def add_scalar(self):
        kind = self.pick("add_scalar", "sub_scalar", "mul_scalar", "min_scalar")
        if self.rng.random() < 0.5:
            name, value = self.add_param("scalar", [])
            keys = {"param": name}
        else:
            value = float(numpy.float32(self.rng.integers(-8, 9) / 4))
            keys = {"value": value}
        function = {"add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply, "min": numpy.minimum}[kind[:3]]
        return self.finish(kind, function(self.x, value), **keys)

    def choose_axes(self):
        axes = tuple(sorted({int(a) for a in self.rng.integers(0, self.x.ndim, int(self.rng.integers(1, 3)))}))
        text = ";".join(str(a - self.x.ndim if self.rng.random() < 0.3 else a) for a in axes)
        return axes, text

    def add_reduction(self):
        axes, text = self.choose_axes()
        keep = self.rng.random() < 0.6
        if not keep and len(axes) == self.x.ndim:
            return False
        kind = self.pick("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "logsumexp")
        if kind == "logsumexp":
            top = self.x.max(axes, keepdims=True)
            y = top + numpy.log(numpy.exp(self.x - top).sum(axes, keepdims=True))
            y = y if keep else y.squeeze(axes)
        else:
            y = {"sum": numpy.sum, "mean": numpy.mean, "max": numpy.max, "min": numpy.min}[kind[7:]](
                self.x, axes, keepdims=keep)
        # A sum of what a norm made is 0, and only rounding is left of it.
        if numpy.abs(y).max() < 1e-2 * numpy.abs(self.x).max():
            return False
        return self.finish(kind, y, axes=text, keepdim=str(keep).lower())

    def add_norm(self):
        kind = self.pick("groupnorm", "batch_norm", "instance_norm", "layer_norm")
        if self.x.ndim < 2:
            return False
        c, keys = self.x.shape[1], {}
        if kind == "groupnorm":
            groups = self.pick(*[g for g in range(1, c + 1) if c % g == 0])
            shape = (self.x.shape[0], groups, -1)
            y = normalise(self.x.reshape(shape), 2, 1e-5).reshape(self.x.shape)
            keys["groups"], n = groups, self.x[0].size // groups
        elif kind == "batch_norm":
            axes = (0,) + tuple(range(2, self.x.ndim))
            y, n = normalise(self.x, axes, 1e-5), self.x.size // c
        elif kind == "instance_norm":
            axes = tuple(range(2, self.x.ndim)) or (1,)
            y, n = normalise(self.x, axes, 1e-5), numpy.prod([self.x.shape[a] for a in axes])
        else:
            first = int(self.rng.integers(1, self.x.ndim))
            axes = tuple(range(first, self.x.ndim))
            y, n = normalise(self.x, axes, 1e-5), numpy.prod(self.x.shape[first:])
            keys["axes"] = ";".join(map(str, axes))
            c = self.x.shape[first:]
        # What lies nearer together than its rounding has no digits left behind a norm.
        if n < 2 or numpy.abs(y).max() < 0.1:
            return False
        if kind == "groupnorm" or self.rng.random() < 0.5:
            if kind == "layer_norm" and len(c) > 1:
                return self.finish(kind, y, **keys)
            keys["weight"], weight = self.add_param("vector", [c] if isinstance(c, int) else list(c))
            keys["bias"], bias = self.add_param("vector", [c] if isinstance(c, int) else list(c))
            shape = list(weight.shape) if kind == "layer_norm" else [-1] + [1] * (self.x.ndim - 2)
            y = y * weight.reshape(shape) + bias.reshape(shape)
        return self.finish(kind, y, **keys)

    def add_softmax(self):
        axes, text = self.choose_axes()
        e = numpy.exp(self.x - self.x.max(axes, keepdims=True))
        return self.finish("softmax", e / e.sum(axes, keepdims=True), axes=text)

    def add_pool(self):
        rank = int(self.rng.integers(1, min(3, self.x.ndim - 1) + 1))
        kernel, stride = int(self.rng.integers(1, 4)), int(self.rng.integers(1, 4))
        padding = int(self.rng.integers(0, kernel // 2 + 1))
        kind, ceil = self.pick("max", "avg"), self.rng.random() < 0.5
        counts = kind == "avg" and self.rng.random() < 0.5
        if min(self.x.shape[-rank:]) + 2 * padding < kernel:
            return False
        keys = {"kernel": kernel, "stride": stride, "padding": padding, "ceil_mode": str(bool(ceil)).lower()}
        if kind == "avg":
            keys["count_include_pad"] = str(bool(counts)).lower()
        return self.finish(f"{kind}_pool{rank}d", pool(self.x, kind, rank, kernel, stride, padding, ceil, counts), **keys)

    def add_earlier(self):
        kind = self.pick("add_tensor", "sub_tensor", "mul_tensor")
        name = self.pick(*self.values)
        if self.rng.random() < 0.25:
            shape = [n if self.rng.random() < 0.6 else 1 for n in self.x.shape]
            name = f"more{len(self.tensors)}"
            self.sections.append(f"[input {name}]\nshape={';'.join(map(str, shape))}")
            self.values[name] = self.add_tensor(name, shape)
        function = {"add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply}[kind[:3]]
        try:
            y = function(self.x, self.values[name])
        except ValueError:
            return False
        # Rounding is all that is left of two equal values, or of two large ones that lie close together.
        if kind == "sub_tensor" and numpy.abs(y).max() < 1e-2 * numpy.abs(self.x).max():
            return False
        keys = {"operand": name}
        if kind == "sub_tensor" and self.rng.random() < 0.5 and name.startswith("op") and name != self.before:
            keys, y = {"input": name, "operand": self.before}, -y
        return self.finish(kind, y, **keys)

    def write(self, folder):
        """The file and its tensors."""
        folder.mkdir()
        head = ["[pipeline]", "title=Random", "description=A random chain.", "source=test",
                "ops=" + "".join(name + ";" for name in self.names)]
        fields = [f"[field {key}]\nlabel={key}\nmin=1\nmax=1000" for key in self.fields]
        fields.append("[input input]\nshape=" + ";".join(self.fields))
        preset = "[preset tiny]\n" + "\n".join(f"{key}={value}" for key, value in self.fields.items())
        (folder / "chain.ini").write_text("\n".join(head) + "\n" + "\n".join(fields + self.sections + [preset]) + "\n",
                                          encoding="utf-8")
        for name, data in self.tensors.items():
            numpy.save(folder / f"{name}.npy", data)

    def choose_plan(self):
        """A random partition of which each group is maps of one shape, on the value before, behind any op; or such maps before
        an op that reads whole sets, if nothing after it reads their values."""
        plan, group = self.names[0], [self.names[0]]
        for index, name in enumerate(self.names[1:], 1):
            takes = name in self.sets and self.maps.issuperset(group) and not any(
                reader > index and read in group for reader, read in self.reads)
            joins = (takes or name in self.joinable) and self.rng.random() < 0.6
            plan += ("+" if joins else "|") + name
            group = group + [name] if joins else [name]
        return plan


def make_chain(seed):
    for attempt in range(100):
        chain = Chain([seed, attempt])
        if len(chain.names) >= 3:
            return chain
    raise AssertionError("no chain")


def check(seed):
    chain = make_chain(seed)
    folder = pathlib.Path(f"chain-{seed}")
    chain.write(folder)
    arguments = ["run", str(folder / "chain.ini"), *RUN, "--tensors", str(folder), "--plan", "unfused"]
    arguments += ["--plan", "full", "--plan", chain.choose_plan()]
    ok(*arguments, "--save-output", f"fp64={folder}/fp64.npy")
    # Slices of the reference by themselves.
    if seed % 4 == 0:
        ok(*arguments, "--truth", "sampled")
    found = numpy.load(folder / "fp64.npy").reshape(chain.x.shape)
    error = numpy.max(numpy.abs(found - chain.x)) / max(numpy.abs(chain.x).max(), 1e-300)
    assert error <= 1e-9, (seed, error)


def make_test(group):
    def test():
        for seed in range(group, N_CHAINS, GROUPS):
            check(seed)
    return test


for number in range(PART[0], GROUPS, PART[1]):
    globals()[f"test_chains_{number}"] = make_test(number)


main()
