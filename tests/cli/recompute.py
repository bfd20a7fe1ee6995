#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Numbers of every recorded GPU run, computed here from what its CSV files list (samples, kernels,
# ledger, worst elements) and looked for where a person meets them: in the report, on the pages that are
# exported as figures, and in the other tables.

import html
import math
import re
import statistics

from seamtest import list_runs, main, ok, rows

# cudaDevAttrL2CacheSize of an H200: what it holds need not come from memory again.
L2_BYTES = 60 << 20
KINDS = ("", "-kernels", "-samples", "-ledger", "-traffic", "-waterfall", "-roofline", "-worst", "-histogram",
         "-kernel-details")
FIGURES = "timing", "traffic", "roofline", "numbers"


def number(text):
    return float(text) if text else math.nan


def total(table, *keys):
    return sum(number(row[key]) for row in table for key in keys)


def digits(value, n):
    """A number with n significant digits, as the program's texts have it."""
    n_decimals = max(0, n - 1 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{round(value, n_decimals):.{n_decimals}f}"


def in_column(ns):
    """A time as a column of ms or of µs has it."""
    return f"{number(ns) / 1e6:.3f}", f"{number(ns) / 1e3:,.3f}"


def in_bytes(title, a, b):
    """A row of GB or of MB."""
    return f"{title} | {a / 1e9:.2f} | {b / 1e9:.2f} |", f"{title} | {a / 1e6:.2f} | {b / 1e6:.2f} |"


def close(a, b, tolerance=1e-9):
    return math.isclose(a, b, rel_tol=tolerance) or (math.isnan(a) and math.isnan(b))


class Run:
    """One recorded run, with the first plan beside another one, A beside B."""

    def __init__(self, arguments, letter):
        names = [f"{kind[1:] or 'plans'}.csv" for kind in KINDS]
        ok(*arguments, "--pair", f"A,{letter}",
           *(word for kind, name in zip(KINDS, names) for word in (f"--csv{kind}", name)),
           *(word for name in FIGURES for word in ("--figure", f"{name}={name}.svg")))
        self.tables = {name[:-4]: rows(open(name, newline="").read()) for name in names}
        self.figures = {name: self.read_figure(f"{name}.svg") for name in FIGURES}
        self.report = ok(*arguments, "--text").stdout
        self.a = self.tables["plans"][0]
        self.b = self.tables["plans"][ord(letter) - ord("A")]
        self.letter = letter
        self.n_checked = 0

    @staticmethod
    def read_figure(path):
        texts = re.findall(r"<text[^>]*>([^<]*)<", open(path, encoding="utf-8").read())
        return " | ".join(html.unescape(text) for text in texts)

    def of(self, table, plan):
        return [row for row in self.tables[table] if row["plan"] == plan["plan"]]

    def shows(self, where, *texts):
        """One of the texts stands there."""
        found = self.report if where == "report" else self.figures[where]
        assert any(text in found for text in texts), (self.a["shape"], self.letter, where, texts, found)
        self.n_checked += 1

    def equals(self, a, b, tolerance=1e-9):
        assert close(a, b, tolerance), (self.a["shape"], self.letter, a, b)
        self.n_checked += 1


def check_times(run):
    medians = []
    for plan in run.a, run.b:
        median = statistics.median(number(row["elapsed_ns"]) for row in run.of("samples", plan))
        kernels = [row for row in run.of("kernels", plan) if row["kind"] == "kernel"]
        medians.append(median)
        run.equals(median, number(plan["elapsed_median_ns"]))
        run.shows("timing", f"| {digits(median / 1e6, 3)} ms |", f"| {digits(median / 1e3, 3)} µs |")
        run.shows("traffic", *(f"| {text} |" for text in in_column(plan["elapsed_median_ns"])))
        # Gaps and the rest complete the elapsed time, and shares are of it.
        run.equals(total(run.of("kernels", plan), "median_ns"), median)
        for row in kernels:
            run.equals(number(row["share"]), number(row["median_ns"]) / median)
            run.equals(number(row["bytes_per_s"]), number(row["modelled_bytes"]) / number(row["median_ns"]) * 1e9)
            run.shows("report", *in_column(row["median_ns"]))
        for row in run.of("traffic", plan):
            own = [kernel for kernel in kernels if kernel["group"] == row["group"]]
            run.equals(number(row["kernels_sum_median_ns"]), total(own, "median_ns"))
            run.shows("traffic", *in_column(row["kernels_sum_median_ns"]))
    ratio = max(medians) / min(medians)
    word = "faster" if medians[1] < medians[0] else "slower"
    for where in "report", "timing":
        if f"{run.letter} {run.b['plan']} against A" in run.report and run.b["verdict"] == word:
            run.shows(where, f"{digits(ratio, 3)}× {word}")


def check_traffic(run):
    counted, copied = [], []
    for plan in run.a, run.b:
        modelled = total(run.of("ledger", plan), "written_bytes", "read_bytes", "reread_bytes")
        kernels = [row for row in run.of("kernels", plan) if row["kind"] == "kernel"]
        counted.append(total(kernels, "dram_bytes_read", "dram_bytes_written"))
        # The ledger leaves out copies of under 0.1 %. In recorded runs, a GroupNorm read its vectors twice.
        copied.append(modelled + total(run.of("traffic", plan), "copied_bytes"))
        run.equals(copied[-1], number(plan["modelled_bytes"]), 0.001)
        run.shows("timing", f"· {copied[-1] / 1e9:.2f} GB |", f"· {copied[-1] / 1e6:.1f} MB |")
    run.shows("timing", f"{copied[0] / 1e9:.2f} → {copied[1] / 1e9:.2f} GB",
              f"{copied[0] / 1e6:.2f} → {copied[1] / 1e6:.2f} MB")
    run.shows("traffic", *in_bytes("Modelled", *copied))
    if not any(math.isnan(bytes) for bytes in counted):
        run.shows("traffic", *in_bytes("DRAM counters", *counted))


def check_floor_and_roof(run):
    """A convolution's or matmul's own product, the floor of memory, and every point of the roofline."""
    shape = dict(pair.split("=") for pair in run.a["shape"].split(","))
    sizes = {key: int(value) for key, value in shape.items()}
    if "height" in sizes:
        kernel = sizes["kernel_size"]
        area = (sizes["height"] - kernel + 1) * (sizes["width"] - kernel + 1)
        products = sizes["in_channels"] * kernel**2 * sizes["out_channels"] * area
    else:
        products = sizes["in_features"] * sizes["out_features"]
    flop = 2 * products * sizes["batch"]
    run.equals(number(run.a["modelled_flop"]), flop)
    points = run.tables["roofline"]
    bandwidth = number(points[0]["bound_bytes_per_s"])
    peak = max(number(point["bound_operations_per_s"]) for point in points)
    # The least bytes: everything once, without what stays on the chip.
    tensors = {row["tensor"]: row for row in run.of("ledger", run.a)}
    least = sum(number(row["tensor_bytes"]) for row in tensors.values()
                if row["tensor_kind"] != "activation")
    floor = max((least - L2_BYTES) / bandwidth, flop / peak) * 1e9
    run.equals(number(run.a["floor_ns"]), floor, 1e-6)
    run.shows("report", f": {digits(floor / 1e6, 3)} ms. No correct plan", f": {digits(floor / 1e3, 3)} µs. No correct")
    run.shows("timing", f"{digits(floor / 1e6, 3)} ms |", f"{digits(floor / 1e3, 3)} µs |")
    for point in points:
        if point["plan"] not in (run.a["plan"], run.b["plan"]):
            continue
        operations, moved, time = (number(point[key]) for key in ("operations", "bytes", "time_ns"))
        rate = operations / time * 1e9
        # A kernel whose bytes come from the L2 cache is judged by that cache's rate.
        bound_bandwidth = number(point["bound_bytes_per_s"]) if point["level"] == "cache" else bandwidth
        bound = min(number(point["bound_operations_per_s"]), operations / moved * bound_bandwidth)
        run.equals(number(point["operations_per_s"]), rate)
        run.equals(number(point["of_attainable"]), rate / bound)
        run.shows("roofline", *(f"| {text} |" for text in in_column(point["time_ns"])))
        run.shows("roofline", f"| {rate / 1e12:.2f} | {100 * rate / bound:.1f}")


def check_outputs(run):
    for row in run.of("worst", run.b):
        value, trusted = number(row["value"]), number(row["trusted"])
        # Sessions from before the bound have tolerances.
        limit = (number(run.b["atol"]) + number(run.b["rtol"]) * abs(trusted)
                 if run.b["atol"] else number(row["limit"]))
        run.equals(number(row["abs_error"]), abs(value - trusted), 1e-6)
        run.equals(number(row["limit_ratio"]), abs(value - trusted) / limit, 1e-6)
    counted = sum(int(row["n_elements"]) for row in run.of("histogram", run.b) if row["unit"] == "abs")
    run.equals(counted + int(run.b["n_nan"]), int(run.b["n_elements"]))
    run.shows("numbers", f"{counted:,}")


def check_details(run):
    for row in run.tables["kernel-details"]:
        if row["a"] and row["b"]:
            run.equals(number(row["delta"]), number(row["b"]) - number(row["a"]), 1e-6)


def test_recorded():
    n_checked = 0
    for k, arguments in enumerate(list_runs()):
        plans = rows(ok(*arguments, "--csv", "-").stdout)
        others = [i for i, plan in enumerate(plans) if i > 0 and plan["state"] == "measured"]
        run = Run(arguments, chr(ord("A") + others[k % len(others)]))
        for check in check_times, check_traffic, check_floor_and_roof, check_outputs, check_details:
            check(run)
        assert run.n_checked > 20
        n_checked += run.n_checked
    assert n_checked > 1000
    print(f"# {n_checked} numbers")


main()
