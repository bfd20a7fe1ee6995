#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The ledger, the bytes of groups and the waterfall of a run, read back from their tables: they add
# up to the plan's own row, and the figure has the format of its ending.

import math
import xml.etree.ElementTree

from seamtest import PIPELINES, QUICK, main, ok, refused, rows


def run(pipeline, *plans):
    options = [word for plan in plans for word in ("--plan", plan)]
    ok("run", pipeline, *QUICK, *options, "--csv", "plans.csv", "--csv-kernels", "kernels.csv",
       "--csv-ledger", "ledger.csv", "--csv-traffic", "traffic.csv", "--csv-waterfall",
       "waterfall.csv", "--csv-roofline", "roofline.csv", "--figure", "traffic=traffic.svg",
       "--figure", "roofline=roofline.svg", "--figure", "timeline=timeline.svg",
       status=1 if "as-published" in plans else 0)
    return {name: rows(open(f"{name}.csv", newline="").read())
            for name in ("plans", "kernels", "ledger", "traffic", "waterfall", "roofline")}


def test_sums():
    for pipeline in PIPELINES:
        tables = run(pipeline, "unfused", "published", "full")
        for plan in tables["plans"]:
            entries = [row for row in tables["ledger"] if row["plan"] == plan["plan"]]
            groups = [row for row in tables["traffic"] if row["plan"] == plan["plan"]]
            moved = sum(float(row[key]) for row in entries
                        for key in ("written_bytes", "read_bytes", "reread_bytes"))
            assert math.isclose(moved, float(plan["modelled_bytes"]), rel_tol=1e-9), plan
            assert math.isclose(sum(float(row["modelled_bytes"]) for row in groups), moved)
            # The two tables agree for each group; nothing on this machine counts memory traffic.
            for row in groups:
                own = [entry for entry in entries if entry["group"] == row["group"]]
                assert {entry["ops"] for entry in own} == {row["ops"]}
                assert sum(float(entry["written_bytes"]) for entry in own) == float(
                    row["modelled_written_bytes"])
                assert row["dram_bytes_read"] == row["dram_bytes_written"] == row["apart"] == ""
            pieces = [row for row in tables["kernels"] if row["plan"] == plan["plan"]]
            kernels = [row for row in pieces if row["kind"] == "kernel"]
            assert math.isclose(sum(float(row["median_ns"]) for row in kernels),
                                sum(float(row["kernels_sum_median_ns"]) for row in groups))
            # Gaps and the rest, of either sign, complete the elapsed median.
            assert {row["kind"] for row in pieces} <= {"kernel", "gaps", "rest"}
            assert math.isclose(sum(float(row["median_ns"]) for row in pieces),
                                float(plan["elapsed_median_ns"]))
            assert math.isclose(sum(float(row["share"]) for row in pieces), 1)


def test_waterfall():
    for pipeline in PIPELINES:
        tables = run(pipeline, "unfused", "published")
        steps = tables["waterfall"]
        first, last = (float(plan["elapsed_median_ns"]) for plan in tables["plans"])
        assert steps[0]["kind"] == "start" and float(steps[0]["to_ns"]) == first
        assert steps[-1]["kind"] == "end" and float(steps[-1]["to_ns"]) == last
        assert [row["kind"] for row in steps].count("remainder") == 1
        between = sum(float(row["delta_ns"]) for row in steps[1:-1])
        assert math.isclose(first + between, last, rel_tol=1e-9), (first, between, last)
        # Every kernel of the unfused plan is in one step.
        assert {row["group_a"] for row in steps if row["group_a"]} == {
            row["group"] for row in tables["kernels"]
            if row["plan"] == "unfused" and row["kind"] == "kernel"}


def test_exhibit():
    tables = run("matmul-swish-bias-groupnorm", "unfused", "as-published")
    names = [row["tensor"] for row in tables["ledger"] if row["plan"] == "as-published"
             and row["tensor_kind"] in ("activation", "output")]
    assert set(names) == {"matmul", "groupnorm"}, names


def test_roofline():
    for pipeline in PIPELINES:
        tables = run(pipeline, "unfused", "full")
        points = tables["roofline"]
        for plan in tables["plans"]:
            own = [row for row in points if row["plan"] == plan["plan"]]
            whole = next(row for row in own if row["point"] == "plan")
            assert len(own) == 1 + int(plan["n_kernels"]), own
            assert float(whole["bytes"]) == float(plan["modelled_bytes"])
            assert float(whole["operations"]) >= float(plan["modelled_flop"])
            assert float(whole["time_ns"]) == float(plan["elapsed_median_ns"])
            for row in own:
                intensity, rate = float(row["operations_per_byte"]), float(row["operations_per_s"])
                assert math.isclose(intensity * float(row["bytes"]), float(row["operations"]))
                assert math.isclose(rate * float(row["time_ns"]) / 1e9, float(row["operations"]))
                attainable = min(intensity * float(row["bound_bytes_per_s"]),
                                 float(row["bound_operations_per_s"]))
                assert math.isclose(float(row["attainable_operations_per_s"]), attainable)
                assert math.isclose(float(row["of_attainable"]), rate / attainable)
                assert row["bytes_source"] == "modelled" and row["rates_source"]
        # However the ops are cut, their operations add up to the same sum.
        wholes = [row["operations"] for row in points if row["point"] == "plan"]
        assert len(set(wholes)) == 1, wholes


def test_figures():
    run("conv-relu-bias", "unfused", "full")
    for name in "traffic.svg", "roofline.svg", "timeline.svg":
        assert xml.etree.ElementTree.parse(name).getroot().tag.endswith("svg")


def test_refusals():
    refused("run", "#21", *QUICK, "--figure", "trafic=x.png", status=2, says="traffic=FILE")
    refused("run", "#21", *QUICK, "--figure", "timelines=x.png", status=2, says="timeline=FILE")
    refused("run", "#21", *QUICK, "--plan", "full", "--figure", "traffic=x.png", status=2,
            says="--plan")
    # A single plan has a ledger, but no waterfall to another plan.
    ok("run", "#21", *QUICK, "--plan", "full", "--csv-ledger", "ledger.csv")
    done = ok("run", "#21", *QUICK, "--plan", "full", "--csv-waterfall", "waterfall.csv", status=3)
    assert "only one was run" in done.stderr


main()
