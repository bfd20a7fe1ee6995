# SPDX-License-Identifier: MIT
"""Adds up meson's JUnit logs and prints the closing line; names what failed and what was skipped.

usage: summary.py MESON-STATUS LOG...
"""
import sys
import xml.etree.ElementTree as ElementTree


def main():
    status = int(sys.argv[1])
    passed = failed = skipped = 0
    reasons = {}
    for path in sys.argv[2:]:
        try:
            suites = ElementTree.parse(path).getroot().iter("testsuite")
        except (OSError, ElementTree.ParseError) as error:
            print(f"tests: {path} cannot be read: {error}")
            failed += 1
            continue
        for suite in suites:
            for case in suite.iter("testcase"):
                name = f"{suite.get('name')} {case.get('name')}"
                if case.find("failure") is not None or case.find("error") is not None:
                    failed += 1
                    print(f"failed: {name}")
                elif case.find("skipped") is not None:
                    skipped += 1
                    reasons[suite.get("name")] = reasons.get(suite.get("name"), 0) + 1
                else:
                    passed += 1
    for suite, count in sorted(reasons.items()):
        print(f"skipped: {count} in {suite}")
    # A program that crashed before its first case has no testcase; meson's own status knows.
    if status != 0 and failed == 0:
        failed = 1
        print("failed: meson reported a failure that no case shows (see above)")
    if passed + failed == 0:
        failed = 1
        print("failed: no test was executed")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
