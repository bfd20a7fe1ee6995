# SPDX-License-Identifier: MIT
"""Adds up meson's JSON logs and prints the closing line; names what failed, with its reason, and
what was skipped.

usage: summary.py MESON-STATUS LOG...
"""
import json
import re
import sys

GOOD = {"OK", "SKIP", "EXPECTEDFAIL"}
CASE = re.compile(r"(not )?ok \d+ *(?:- )?([^#]*)(?:# *(SKIP|TODO)\b *(.*))?", re.IGNORECASE)
# Lines without information: TAP plans, GLib's headings, meson's note on an exit status.
NOISE = re.compile(r"1\.\.\d+$|# (Start of|End of|random seed)|\*\*$|\(test program exited")
MOST_LINES = 30


def print_reason(lines):
    """Prints a test's last output without TAP's marks, cut in the middle, and without a sanitizer's
    map of memory."""
    lines = [line.removeprefix("# ").rstrip() for line in lines if not NOISE.match(line)]
    lines = [line for line in lines if line not in ("", "#")]
    for i, line in enumerate(lines):
        if line.startswith("SUMMARY: ") and "Sanitizer" in line:
            lines = lines[max(0, i - MOST_LINES):i + 1]
            break
    if len(lines) > MOST_LINES:
        n_first = MOST_LINES // 2
        lines = lines[:n_first] + ["..."] + lines[n_first - MOST_LINES + 1:]
    for line in lines:
        print(f"    {line}")


class Sum:
    def __init__(self):
        self.passed = self.failed = 0
        self.skips = {}

    def skip(self, why):
        self.skips[why] = self.skips.get(why, 0) + 1

    def fail(self, name, lines):
        self.failed += 1
        print(f"failed: {name}")
        print_reason(lines)

    def add_cases(self, test, said, complaints):
        """Adds the cases of a TAP test. GLib prints the reason before the case, seamtest.py after it."""
        is_glib = any(line.startswith("# random seed") for line in said)
        n_failed, before, at = 0, [], 0
        while at < len(said):
            case = CASE.fullmatch(said[at])
            at += 1
            if case is None:
                before.append(said[at - 1])
                continue
            after = []
            while not is_glib and at < len(said) and CASE.fullmatch(said[at]) is None:
                after.append(said[at])
                at += 1
            name = f"{test['name']} {case[2].strip()}"
            if (case[3] or "").upper() == "SKIP":
                self.skip(case[4] or f"without a reason: {name}")
            elif case[1]:
                n_failed += 1
                self.fail(name, before + after)
            else:
                self.passed += 1
            before = []
        if test["result"] not in GOOD and (n_failed == 0 or test["returncode"] < 0):
            self.fail(f"{test['name']} ended before it said which case failed{how(test)}",
                      before + complaints)

    def add(self, test):
        said = test.get("stdout", "").splitlines()
        complaints = test.get("stderr", "").splitlines()
        if any(CASE.fullmatch(line) for line in said):
            self.add_cases(test, said, complaints)
        elif test["result"] == "SKIP":
            reasons = [line for line in said if line.startswith(("SKIP: ", "1..0 # SKIP "))]
            self.skip(reasons[0].split("SKIP", 1)[1].lstrip(": ") if reasons
                      else f"without a reason: {test['name']}")
        elif test["result"] in GOOD:
            self.passed += 1
        else:
            self.fail(test["name"] + how(test), said + complaints)


def how(test):
    """How a program ended unexpectedly."""
    if test["result"] == "TIMEOUT":
        return f": stopped after {test['duration']:.0f} s"
    status = test["returncode"]
    return f": ended by signal {-status}" if status < 0 else f": exit status {status}"


def main():
    sums = Sum()
    for path in sys.argv[2:]:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    test = json.loads(line)
                    # "seamscope:core+core-sanitized / base": the first suite is enough.
                    test["name"] = re.sub(r"\+[+\w-]* / ", " / ", test["name"])
                    sums.add(test)
        except (OSError, ValueError, KeyError) as error:
            sums.fail(f"{path} cannot be read: {error}", [])
    for why, count in sorted(sums.skips.items()):
        print(f"skipped: {count}, {why}")
    if sys.argv[1] != "0" and sums.failed == 0:
        sums.fail("meson reported a failure that no log shows (see above)", [])
    if sums.passed + sums.failed == 0:
        sums.fail("no test was executed", [])
    print(f"{sums.passed} passed, {sums.failed} failed, {sum(sums.skips.values())} skipped")
    return 1 if sums.failed else 0


if __name__ == "__main__":
    sys.exit(main())
