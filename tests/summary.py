# SPDX-License-Identifier: MIT
"""Adds up meson's JUnit logs and prints the closing line; names what failed and what was skipped.
A program that ended before it said which case fails has no failed case there; the JSON log beside
it knows.

usage: summary.py MESON-STATUS LOG...
"""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

GOOD = {"OK", "SKIP", "EXPECTEDFAIL"}


def reason(case):
    """Why a case was skipped: a TAP test says only that, a script says "SKIP: ..." somewhere."""
    lines = (case.findtext("system-out") or "").strip().splitlines()
    said = [line[len("SKIP: "):] for line in lines if line.startswith("SKIP: ")]
    return (said or lines or [f"without a reason: {case.get('name')}"])[0]


def find_broken(path):
    """Tests that did not succeed, as meson's own log (one JSON object a line) names them."""
    with open(path, encoding="utf-8") as file:
        tests = [json.loads(line) for line in file]
    return {test["name"] for test in tests if test["result"] not in GOOD}


def main():
    status = int(sys.argv[1])
    passed = failed = skipped = 0
    skips = {}
    for path in sys.argv[2:]:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                # A test that shows a spoilt file may print what XML cannot hold.
                text = re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?",
                              file.read())
            suites = ElementTree.fromstring(text.encode()).iter("testsuite")
            broken = find_broken(path.replace(".junit.xml", ".json"))
        except (OSError, ValueError, ElementTree.ParseError) as error:
            print(f"tests: {path} cannot be read: {error}")
            failed += 1
            continue
        for suite in suites:
            for case in suite.iter("testcase"):
                name = f"{suite.get('name')} {case.get('name')}"
                if case.find("failure") is not None or case.find("error") is not None:
                    failed += 1
                    print(f"failed: {name}")
                    broken -= {case.get("name"), suite.get("name").partition(".")[2]}
                elif case.find("skipped") is not None:
                    skipped += 1
                    why = reason(case)
                    skips[why] = skips.get(why, 0) + 1
                else:
                    passed += 1
        for test in sorted(broken):
            failed += 1
            print(f"failed: {test} ended before it said why (see above)")
    for why, count in sorted(skips.items()):
        print(f"skipped: {count}, {why}")
    if status != 0 and failed == 0:
        failed = 1
        print("failed: meson reported a failure that no log shows (see above)")
    if passed + failed == 0:
        failed = 1
        print("failed: no test was executed")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
