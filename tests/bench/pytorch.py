#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the five pipelines in PyTorch: what a person would use instead of a fused kernel.

Eager, eager channels-last, torch.compile, torch.compile channels-last, and (on request)
max-autotune; on a CPU eager, eager channels-last, and torch.jit.optimize_for_inference in both
layouts, because PyTorch 1.13 (Debian) compiles nothing else there. The protocol is that of
app/measure: every variant is warmed up, the last-level cache is flushed before each sample by writing
a buffer of twice its size, variants alternate, every sample counts, median and exact order-statistic
interval. Shapes come from data/pipelines. tests/bench/run calls this; tests/bench/compare.py compares
the result with Seamscope's.
"""

import argparse
import configparser
import contextlib
import csv
import math
import os
import pathlib
import statistics
import sys
import time

PIPELINES = (
    "conv-relu-bias",
    "gemm-bias-relu",
    "matmul-swish-bias-groupnorm",
    "conv-bias-scale-sigmoid-groupnorm",
    "conv-relu-hardswish",
)
MODES = ("tf32", "fp32", "fp16", "bf16")
# Seamscope's modes that PyTorch has not, and the one that stands beside them.
BESIDE = {"tf32x": "tf32"}
VARIANTS = {
    # name: (channels last, compile mode or None for eager)
    "eager": (False, None),
    "eager-channels-last": (True, None),
    "compile": (False, "default"),
    "compile-channels-last": (True, "default"),
    "compile-max-autotune": (False, "max-autotune-no-cudagraphs"),
    "compile-max-autotune-channels-last": (True, "max-autotune-no-cudagraphs"),
    "jit": (False, "jit"),
    "jit-channels-last": (True, "jit"),
}
USUAL = {"cuda": ("eager", "eager-channels-last", "compile", "compile-channels-last"),
         "cpu": ("eager", "eager-channels-last", "jit", "jit-channels-last")}
COLUMNS = (
    "pipeline", "variant", "target", "device", "math_mode", "l2_state", "shape", "seed",
    "n_samples", "elapsed_median_ns", "elapsed_ci_low_ns", "elapsed_ci_high_ns",
    "clock_mhz", "max_abs_difference_to_eager", "compile_s", "torch", "cudnn", "error",
)
MIN_SAMPLES = 10
WARM_UP_S = 0.2
WARM_UP_RUNS = 3
GOAL = 0.005
HEAD_START_CYCLES = 1_000_000  # half a millisecond at 2 GHz


def read_shape(data, pipeline, preset):
    """The preset's fields, in the order of the file."""
    parser = configparser.RawConfigParser(delimiters=("=",), comment_prefixes=("#",), strict=True)
    parser.optionxform = str
    with open(data / "pipelines" / f"{pipeline}.ini", encoding="utf-8") as file:
        parser.read_file(file)
    return {key: int(value) for key, value in parser[f"preset {preset}"].items()}


def interval(samples, confidence=0.95):
    """Order statistics that enclose the median; the same rule as app/base/statistics.c."""
    ordered = sorted(samples)
    n, tail, rank = len(ordered), 0.0, 0
    log_term = -n * math.log(2.0)
    for i in range((n + 1) // 2):
        tail += math.exp(log_term)
        if 2.0 * tail > (1.0 - confidence) * (1.0 + 1e-12):
            break
        rank = i + 1
        log_term += math.log((n - i) / (i + 1))
    if rank == 0:
        return math.nan, math.nan
    return ordered[rank - 1], ordered[n - rank]


def make_model(pipeline, shape):
    """The module of the KernelBench level-2 problem, op by op, and a function that makes its input."""
    import torch
    from torch import nn

    class Conv(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(shape["in_channels"], shape["out_channels"], shape["kernel_size"])

        def input(self):
            return torch.rand(shape["batch"], shape["in_channels"], shape["height"], shape["width"])

        def channel(self):
            return nn.Parameter(torch.randn(shape["out_channels"], 1, 1))

    class ConvReluBias(Conv):  # 1
        def __init__(self):
            super().__init__()
            self.bias = self.channel()

        def forward(self, x):
            x = self.conv(x)
            x = torch.relu(x)
            return x + self.bias

    class GemmBiasRelu(nn.Module):  # 76
        def __init__(self):
            super().__init__()
            self.gemm = nn.Linear(shape["in_features"], shape["out_features"], bias=False)
            self.bias = nn.Parameter(torch.randn(shape["out_features"]))

        def input(self):
            return torch.rand(shape["batch"], shape["in_features"])

        def forward(self, x):
            x = self.gemm(x)
            x = x + self.bias
            return torch.relu(x)

    class MatmulSwishBiasGroupnorm(nn.Module):  # 37
        def __init__(self):
            super().__init__()
            self.matmul = nn.Linear(shape["in_features"], shape["out_features"])
            self.bias = nn.Parameter(torch.randn(shape["out_features"]))
            self.group_norm = nn.GroupNorm(shape["groups"], shape["out_features"])

        def input(self):
            return torch.rand(shape["batch"], shape["in_features"])

        def forward(self, x):
            x = self.matmul(x)
            x = torch.sigmoid(x) * x
            x = x + self.bias
            return self.group_norm(x)

    class ConvBiasScaleSigmoidGroupnorm(Conv):  # 21
        def __init__(self):
            super().__init__()
            self.bias = self.channel()
            self.scale = self.channel()
            self.group_norm = nn.GroupNorm(shape["groups"], shape["out_channels"])

        def forward(self, x):
            x = self.conv(x)
            x = x + self.bias
            x = x * self.scale
            x = torch.sigmoid(x)
            return self.group_norm(x)

    class ConvReluHardswish(Conv):  # 57
        def forward(self, x):
            x = self.conv(x)
            x = torch.relu(x)
            return x * torch.clamp((x + 3) / 6, 0, 1)

    classes = dict(zip(PIPELINES, (
        ConvReluBias, GemmBiasRelu, MatmulSwishBiasGroupnorm, ConvBiasScaleSigmoidGroupnorm,
        ConvReluHardswish,
    )))
    return classes[pipeline]()


class Gpu:
    """The first GPU: how work is placed, awaited and timed there."""

    target = "cuda:0"
    device = "cuda"

    def __init__(self, args):
        import torch

        properties = torch.cuda.get_device_properties(0)
        self.name = properties.name
        self.library = torch.backends.cudnn.version()
        self.flush_bytes = 2 * properties.L2_cache_size
        self.buffer = None if args.warm else torch.empty(self.flush_bytes, dtype=torch.uint8,
                                                         device="cuda")
        torch.backends.cudnn.benchmark = args.cudnn_benchmark

    @staticmethod
    def reason():
        import torch

        return None if torch.cuda.is_available() else "PyTorch sees no GPU."

    def wait(self):
        import torch

        torch.cuda.synchronize()

    def forget(self):
        import torch

        torch.cuda.empty_cache()

    def time_ns(self, run):
        import torch

        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        # The GPU is busy while the host launches, so that no sample contains Python's time.
        torch.cuda._sleep(HEAD_START_CYCLES)
        if self.buffer is not None:
            self.buffer.zero_()
        start.record()
        run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e6

    def clock_mhz(self):
        import torch

        return torch.cuda.clock_rate()


class Cpu:
    """The processor, with a thread for each core (PyTorch takes fewer) or as OMP_NUM_THREADS says."""

    target = "cpu"
    device = "cpu"

    def __init__(self, args):
        import torch

        caches = [read_size(path) for path in
                  pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
        self.name = (names or ["CPU"])[0]
        if "OMP_NUM_THREADS" not in os.environ:
            torch.set_num_threads(len(os.sched_getaffinity(0)))
        self.library = f"{torch.get_num_threads()} threads"
        self.flush_bytes = 2 * max(caches, default=32 << 20)
        self.buffer = None if args.warm else torch.empty(self.flush_bytes, dtype=torch.uint8)

    @staticmethod
    def reason():
        return None

    def wait(self):
        pass

    def forget(self):
        pass

    def time_ns(self, run):
        if self.buffer is not None:
            self.buffer.add_(1)
        start = time.perf_counter_ns()
        run()
        return float(time.perf_counter_ns() - start)

    def clock_mhz(self):
        raise NotImplementedError


def read_size(path):
    text = path.read_text(encoding="utf-8").strip()
    return int(text.rstrip("KM")) * {"K": 1 << 10, "M": 1 << 20}.get(text[-1], 1)


class Variant:
    """One way of running a module, warmed up and ready to be timed."""

    def __init__(self, name, module, x, machine):
        import torch

        self.name = name
        self.machine = machine
        self.samples_ns = []
        self.clocks_mhz = []
        self.compile_s = 0.0
        self.error = ""
        channels_last, mode = VARIANTS[name]
        if channels_last:
            import copy

            module = copy.deepcopy(module).to(memory_format=torch.channels_last)
            x = x.contiguous(memory_format=torch.channels_last)
        self.x = x
        self.run = module
        if mode == "jit":
            traced = torch.jit.freeze(torch.jit.trace(module, x))
            self.run = torch.jit.optimize_for_inference(traced)
        elif mode is not None:
            options = {} if mode == "default" else {"mode": mode}
            self.run = torch.compile(module, dynamic=False, fullgraph=True, **options)

    def warm_up(self):
        start = time.monotonic()
        result = self.run(self.x)
        self.machine.wait()
        self.compile_s = time.monotonic() - start
        start, n = time.monotonic(), 0
        while n < WARM_UP_RUNS or time.monotonic() - start < WARM_UP_S:
            self.run(self.x)
            self.machine.wait()
            n += 1
        return result

    def take_sample(self):
        self.samples_ns.append(self.machine.time_ns(lambda: self.run(self.x)))
        try:
            self.clocks_mhz.append(self.machine.clock_mhz())
        except Exception:  # unknown, as without an NVML binding: the column stays empty
            pass

    def is_done(self):
        if len(self.samples_ns) < MIN_SAMPLES:
            return False
        low, high = interval(self.samples_ns)
        return high - low <= GOAL * statistics.median(self.samples_ns)


def set_math_mode(mode):
    import torch

    if hasattr(torch, "set_float32_matmul_precision"):
        torch.set_float32_matmul_precision("high" if mode == "tf32" else "highest")
    torch.backends.cudnn.allow_tf32 = mode == "tf32"


def get_autocast(mode, device):
    """The context for a math mode. fp16 and bf16 use autocast: PyTorch chooses which ops, and which
    tensors between them, have 16 bits. Weights are cast in every execution, as the inputs are."""
    import torch

    dtypes = {"fp16": torch.float16, "bf16": torch.bfloat16}
    if mode not in dtypes:
        return contextlib.nullcontext()
    return torch.autocast(device, dtype=dtypes[mode], cache_enabled=False)


def measure(pipeline, math_mode, args, machine, write):
    """Measures all variants of one pipeline and math mode in alternation; writes one row for each."""
    import torch

    shape = read_shape(args.data, pipeline, args.preset)
    torch.manual_seed(args.seed)
    module = make_model(pipeline, shape).to(machine.device).eval()
    x = module.input().to(machine.device)
    rows, variants = {}, []
    eager = None
    if any(VARIANTS[name][1] not in (None, "jit") for name in args.variants):
        torch._dynamo.reset()  # not between variants: that would compile the earlier ones again
    with torch.no_grad(), get_autocast(math_mode, machine.device):
        set_math_mode(math_mode)
        for name in args.variants:
            row = dict.fromkeys(COLUMNS, "")
            row.update(
                pipeline=pipeline, variant=name + args.suffix, target=machine.target,
                device=machine.name, math_mode=math_mode,
                l2_state="warm" if args.warm else "cold",
                shape=",".join(f"{key}={value}" for key, value in shape.items()), seed=args.seed,
                n_samples=0, torch=torch.__version__, cudnn=machine.library,
            )
            rows[name] = row
            if VARIANTS[name][0] and x.dim() != 4:
                row["error"] = "channels-last needs an image"
                continue
            if time.monotonic() > args.end:
                row["error"] = "left out: no time left"
                continue
            try:
                variant = Variant(name, module, x, machine)
                result = variant.warm_up()
                if name == "eager":
                    eager = result
                elif eager is not None:
                    row["max_abs_difference_to_eager"] = f"{(result - eager).abs().max().item():.9g}"
                del result
                row["compile_s"] = f"{variant.compile_s:.3f}"
                variants.append(variant)
            except Exception as error:  # one variant that fails must not take the rest with it
                row["error"] = " ".join(str(error).split())[:300]
        eager = None
        machine.forget()

        end = min(time.monotonic() + args.seconds, max(args.end, time.monotonic() + 0.5))
        order = variants[:]
        while order:
            for variant in order:
                variant.take_sample()
            order.reverse()
            n = len(order[0].samples_ns)
            if n >= MIN_SAMPLES and (time.monotonic() > end or (
                    n % 5 == 0 and all(variant.is_done() for variant in order))):
                break
    for variant in variants:
        row = rows[variant.name]
        low, high = interval(variant.samples_ns)
        row.update(
            n_samples=len(variant.samples_ns),
            elapsed_median_ns=f"{statistics.median(variant.samples_ns):.1f}",
            elapsed_ci_low_ns=f"{low:.1f}", elapsed_ci_high_ns=f"{high:.1f}",
            clock_mhz=statistics.median(variant.clocks_mhz) if variant.clocks_mhz else "",
        )
    for row in rows.values():
        write(row)


def show(row):
    if row["elapsed_median_ns"]:
        median = float(row["elapsed_median_ns"])
        half = (float(row["elapsed_ci_high_ns"]) - float(row["elapsed_ci_low_ns"])) / 2
        text = f"{median / 1e6:10.4f} ms  ± {100 * half / median:5.2f} %  n {row['n_samples']}"
        text += f"  {row['clock_mhz']} MHz" if row["clock_mhz"] else ""
    else:
        text = f"{'–':>10}     {row['error']}"
    print(f"  {row['math_mode']}  {row['variant']:36}{text}", flush=True)


def parse_arguments(arguments):
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--pipelines", default=",".join(PIPELINES), help="comma separated")
    parser.add_argument("--math", default="tf32,fp32", help="comma separated: " + ", ".join(MODES))
    parser.add_argument("--target", default="cuda:0", choices=("cuda:0", "cpu"))
    parser.add_argument("--variants", help="comma separated: " + ", ".join(VARIANTS))
    parser.add_argument("--suffix", default="", help="appended to the variants' names in the table")
    parser.add_argument("--max-autotune", action="store_true", help="adds the max-autotune variants")
    parser.add_argument("--preset", default="kernelbench")
    parser.add_argument("--seconds", type=float, default=3.0,
                        help="samples of one pipeline and math mode, after compiling")
    parser.add_argument("--deadline", type=float, default=math.inf,
                        help="seconds after which no further variant is compiled")
    parser.add_argument("--warm", action="store_true", help="leave the L2 cache warm")
    parser.add_argument("--cudnn-benchmark", action="store_true", help="let cuDNN try algorithms")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=pathlib.Path, default=root / "data")
    parser.add_argument("--csv", type=pathlib.Path, help="write the table here")
    args = parser.parse_args(arguments)
    args.pipelines = args.pipelines.split(",")
    args.math = list(dict.fromkeys(BESIDE.get(mode, mode) for mode in args.math.split(",")))
    args.variants = (args.variants.split(",") if args.variants
                     else list(USUAL[args.target.split(":", maxsplit=1)[0]]))
    if args.max_autotune:
        args.variants += [name for name in VARIANTS
                          if "max-autotune" in name and name not in args.variants]
    for what, known, given in (("pipeline", PIPELINES, args.pipelines),
                               ("math mode", MODES, args.math),
                               ("variant", VARIANTS, args.variants)):
        for name in given:
            if name not in known:
                parser.error(f"{name} is no {what}; there are {', '.join(known)}")
    args.end = time.monotonic() + args.deadline
    return args


def main(arguments):
    args = parse_arguments(arguments)
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed for this python3.", file=sys.stderr)
        return 3
    place = Cpu if args.target == "cpu" else Gpu
    if place.reason() is not None:
        print(place.reason(), file=sys.stderr)
        return 3
    machine = place(args)
    print(f"PyTorch {torch.__version__} ({machine.library}), {machine.name}, preset {args.preset}, "
          f"cache {'warm' if args.warm else f'cold ({machine.flush_bytes >> 20} MiB flushed)'}")

    file = open(args.csv, "w", newline="", encoding="utf-8") if args.csv else None
    writer = csv.DictWriter(file, COLUMNS) if file else None
    if writer:
        writer.writeheader()

    def write(row):
        show(row)
        if writer:
            writer.writerow(row)
            file.flush()

    status = 0
    for pipeline in args.pipelines:
        print(pipeline, flush=True)
        for math_mode in args.math:
            try:
                measure(pipeline, math_mode, args, machine, write)
            except Exception as error:  # the next pipeline may well fit
                print(f"  {math_mode}  {error}", file=sys.stderr, flush=True)
                status = 1
            machine.forget()
    if file:
        file.close()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
