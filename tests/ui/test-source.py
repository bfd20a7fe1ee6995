# SPDX-License-Identifier: MIT
"""The source page: the groups of both plans with the code of one beside them; it follows every cut
without a run, says what is wrong with a shape, and saves what it shows."""
import os

import person
from person import check
from steps import prepare, set_entry, wait_for_seam


def groups(user):
    """Names of the rows, in order."""
    rows = user.look("^[AB]: .*, group [0-9]+ · ", "list item")
    return [row.name.split(",")[0] for row in sorted(rows, key=lambda row: row.y)]


def wait_for_groups(user, wanted):
    user.wait(f"the groups {wanted}", lambda: groups(user) == wanted)


def saved(user, name):
    path = os.path.join(user.folder, name)
    user.activate("save-source-to", path)
    user.wait(f"file {name}", lambda: os.path.exists(path))
    with open(path, encoding="utf-8") as file:
        return file.read()


def follows(user):
    prepare(user, pipeline="^gemm-bias-relu:")
    wait_for_seam(user, 1, 1, "fused")
    user.press("alt+6")
    unfused = ["A: matmul", "A: bias", "A: relu"]
    published = ["B: matmul", "B: bias + relu"]
    user.see("^Groups$", "label")
    wait_for_groups(user, unfused + published)

    # The first group is shown, then the one that is clicked, then the last by key.
    user.see("^A, group 1: matmul$", "label")
    text = saved(user, "first.txt")
    check("matmul: OpenBLAS sgemm" in text and "relu: " not in text, text)
    user.click(user.see("^A: relu, group 3 · CPU loops$", "list item"))
    user.see("^A, group 3: relu$", "label")
    text = saved(user, "third.txt")
    check("relu: max(x, 0)" in text and "matmul: " not in text, text)
    user.press("End")
    user.see("^B, group 2: bias . relu$", "label")
    text = saved(user, "last.txt")
    check("after_relu = seam_op_relu (after_bias)" in text and "matmul: " not in text, text)
    user.see("^■ matmul   ■ bias   ■ relu$", "label")

    # A cut on the first page is a group more here.
    user.press("alt+1")
    user.click(wait_for_seam(user, 1, 1, "fused"))
    wait_for_seam(user, 1, 1, "cut")
    user.press("alt+6")
    wait_for_groups(user, unfused + ["B: matmul", "B: bias", "B: relu"])
    user.press("ctrl+z")
    wait_for_groups(user, unfused + published)

    # The shape is in the text; a wrong one is said, and there is no code of it.
    set_entry(user, "^Batch", "5")
    user.wait("the new shape", lambda: "Output: 5 rows" in saved(user, f"{os.urandom(4).hex()}.txt"))
    set_entry(user, "^Batch", "0")
    wait_for_groups(user, [])
    user.see("Batch", "label")
    set_entry(user, "^Batch", "4")
    wait_for_groups(user, unfused + published)

    user.activate("save-source-to", "/nowhere/at/all.cu")
    user.see("^The text was not saved", "label")
    user.leave()


if __name__ == "__main__":
    person.run(follows)
