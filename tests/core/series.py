#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the table `known_series` of test-statistics.c: effective values, centre, half width and drift of
series, from the definitions alone (integrated autocorrelation time by the initial positive sequence,
Geyer 1992; trimmed mean and winsorised variance, Yuen 1974; Student's t by integrating its density)."""
import math


def noise(n, memory, slope):
    """The same numbers as make_series() of known-series.h: a congruential generator, remembered."""
    state, value, values = 12345, 0.0, []
    for i in range(n):
        state = (state * 1103515245 + 12345) % 2**31
        value = memory * value + state / 2**31 - 0.5
        values.append(value + slope * i)
    return values


def student(probability, degrees):
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)

    def beyond(t):  # Simpson over the angle whose tangent is t / √degrees
        low, steps = math.atan(t / math.sqrt(degrees)), 2000
        width = (math.pi / 2 - low) / steps
        terms = [max(math.cos(low + k * width), 0) ** (degrees - 1) for k in range(steps + 1)]
        return scale * math.sqrt(degrees) * width / 3 * (
            terms[0] + terms[-1] + 4 * sum(terms[1:-1:2]) + 2 * sum(terms[2:-1:2]))

    low, high = 0.0, 1e4
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle) > 1 - probability else (low, middle)
    return low


def effective(values):
    n, mean = len(values), sum(values) / len(values)
    away = [v - mean for v in values]
    correlation = [sum(a * b for a, b in zip(away, away[lag:])) / sum(a * a for a in away) for lag in range(n)]
    time, lag = 1.0, 1
    while lag + 1 < n // 2 and correlation[lag] + correlation[lag + 1] > 0:
        time += 2 * (correlation[lag] + correlation[lag + 1])
        lag += 2
    return n / (time * (1 + 2 * (time - 1) / n)), sum(a * a for a in away) / (n - 1)


def measure(values):
    n, order = len(values), sorted(values)
    cut = int(0.2 * n)
    centre = sum(order[cut:n - cut]) / (n - 2 * cut)
    edged = [min(max(v, order[cut]), order[n - 1 - cut]) for v in values]
    at = [i - (n - 1) / 2 for i in range(n)]
    slope = sum(a * v for a, v in zip(at, edged)) / sum(a * a for a in at)
    rest = [v - slope * a for a, v in zip(at, edged)]
    count, variance = effective(rest)
    if count >= 30 and abs(slope * n) > math.sqrt(12 * variance / count) * student(0.99995, count - 2):
        first, last = sorted(values[:n // 3]), sorted(values[n - n // 3:])
        cut = int(0.2 * (n // 3))
        inner = len(first) - 2 * cut
        drift = 1.5 * (sum(last[cut:cut + inner]) - sum(first[cut:cut + inner])) / inner
    else:
        drift = 0
        count, variance = effective(edged)
    if count < 6:
        return count, centre, math.nan, drift
    return count, centre, math.sqrt(variance / count) / 0.6 * student(0.975, 0.6 * count - 1) * (2 if count < 15 else 1), drift


for n, memory, slope in ((20, 0, 0), (24, 0, 0), (100, 0, 0), (100, 0.5, 0), (100, 0.9, 0), (400, 0.9, 0),
                         (400, 0.5, 0.004), (60, 0, 0.001)):
    found = ", ".join("NAN" if math.isnan(v) else f"{v:.9g}" for v in measure(noise(n, memory, slope)))
    print(f"    {{ {n}, {memory}, {slope}, {found} }},")
