#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# What the recorded GPU did under load. Shares and clocks are computed here from the samples that every
# run exports, and compared with what its tables and texts say.

import json
import statistics

from seamtest import list_runs, main, ok, rows

# Maximum SM clock of the chip: nvidia-smi -q -d CLOCK on an H200 SXM.
HIGHEST_MHZ = 1980


def count(samples):
    """Share of samples under the power cap, lowest and median clock."""
    clocks = [float(sample["clock_mhz"]) for sample in samples]
    capped = [sample["throttle"] == "SW power cap" for sample in samples]
    assert all(sample["throttle"] in ("SW power cap", "none") for sample in samples)
    return sum(capped) / len(capped), min(clocks), statistics.median(clocks)


def format_ghz(mhz):
    return f"{int(mhz / 10 + 0.5) / 100:.2f}"


def format_share(share):
    return "100" if share == 1 else f"{min(100 * share, 99.9):#.3g}"


def test_recorded():
    runs = list_runs()
    assert len(runs) >= 13
    sentences = set()
    for run in runs:
        samples = rows(ok(*run, "--csv-samples", "-").stdout)
        share, low, median = count(samples)
        line = (
            f"SW power cap in {format_share(share)} % of samples, "
            f"SM clock {format_ghz(median)} GHz of {format_ghz(HIGHEST_MHZ)}"
        )
        assert share > 0.1, run
        medians = []
        for row in rows(ok(*run, "--csv", "-").stdout):
            of_plan = count([sample for sample in samples if sample["plan"] == row["plan"]])
            medians.append(of_plan[2])
            numbers = [float(row[key]) for key in ("throttled_share", "clock_low_mhz", "clock_median_mhz")]
            assert all(abs(a - b) < 1e-9 * b for a, b in zip(numbers, of_plan)), (run, row["plan"], numbers, of_plan)
            assert abs(float(row["max_clock_mhz"]) - HIGHEST_MHZ) < 0.01
            assert row["throttle"] == line, (row["throttle"], line)
        farthest = max(abs(median / medians[0] - 1) for median in medians)
        follows = (
            f"The plans’ clocks differ by up to {100 * farthest:.1f} %: faster is claimed only beyond that."
            if farthest > 0.01
            else "All plans ran alike, so the ratios stand; "
            + ("the times are those of a capped GPU." if median < 0.99 * HIGHEST_MHZ else "the median clock was within 1 % of the highest.")
        )
        sentences.add(farthest > 0.01)
        text = ok(*run, "--text").stdout
        assert f"\n  {line}. Lowest {format_ghz(low)}" in text, (line, text)
        assert f". {follows}\n" in text, (run, follows)
        found = json.loads(ok(*run, "--json", "-").stdout)
        assert found["throttle"] == line
        # Files of before this number was read under load hold that of an idle chip.
        for key, limit in ("power_w", 300), ("temperature_c", 30):
            assert found[key] is None or found[key] > limit, (key, found[key])
            assert (row[key] == "") == (found[key] is None)
    assert sentences == {True, False}


main()
