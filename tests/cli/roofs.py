#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The roof of every kernel of every recorded GPU run is that of the arithmetic which its counters, or the
# note of who executed it, show.

import json

from seamtest import list_runs, main, ok, rows


def test_recorded():
    seen = set()
    for run in list_runs():
        device = json.loads(ok(*run, "--json", "-").stdout)["device"]
        plans, kernels, points = (
            rows(ok(*run, f"--csv{kind}", "-").stdout) for kind in ("", "-kernels", "-roofline")
        )
        executed = {row["plan"]: row["executed"].split("|")[0] for row in plans}
        kernels = {(row["plan"], row["index"]): row for row in kernels if row["kind"] == "kernel"}
        products = {}
        for row in kernels.values():
            if row["short_name"].startswith(("matmul", "conv2d")) and row["is_copy"] == "no":
                longest = products.setdefault(row["plan"], row)
                if float(row["median_ns"]) > float(longest["median_ns"]):
                    products[row["plan"]] = row
        for row in points:
            if row["point"] == "plan":
                continue
            mode, roof = row["math_mode"], float(row["bound_operations_per_s"])
            kernel = kernels[row["plan"], row["kernel"]]
            is_product = kernel is products[row["plan"]]
            if kernel["group"] == "0" and not is_product:
                continue
            if not is_product or float(kernel["tensor_percent"]) < 1:
                seen.add((mode, is_product, "fp32"))
                assert roof == device["flop_fp32"], (run, row)
            elif "(TF32)" in executed[row["plan"]]:
                seen.add((mode, is_product, "tf32"))
                assert roof == device["flop_tf32"], (run, row)
            else:
                seen.add((mode, is_product, "mode"))
                assert roof > 3 * device["flop_fp32"], (run, row)
    expected = ("fp32", "fp32"), ("tf32", "fp32"), ("tf32x", "tf32"), ("fp32", "mode"), ("tf32x", "mode")
    assert {(mode, True, roof) for mode, roof in expected} <= seen, seen


main()
