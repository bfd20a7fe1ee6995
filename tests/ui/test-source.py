# SPDX-License-Identifier: MIT
"""The source page: the groups of both plans with the code of one beside them; it follows every cut
without a run, says what is wrong with a shape, and saves what it shows. Of a session it shows the
code that ran, whatever this machine would run."""
import os
import subprocess
import sys

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

    # An edit that was made with another storage is told from one that was not.
    user.choose(user.see("^Math mode$", "combo box"), "^BF16$")
    user.click(user.see("^A: matmul, group 1 ", "list item"))
    user.press("End")
    path = os.path.join(user.folder, "edit.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write("// mine\n" + saved(user, "plain.txt"))
    user.activate("load-edit-from", path)
    user.wait("the edit", lambda: "// mine" in saved(user, f"{os.urandom(4).hex()}.txt"))
    other = "^This text is for tensors that are stored in FP32, "
    check(not user.look(other, "label"), "Its own storage is another?")
    user.choose(user.see("^Storage$", "combo box"), "^16 bits between kernels$")
    user.see(other, "label")
    user.choose(user.see("^Storage$", "combo box"), "^FP32$")
    user.wait("no remark", lambda: not user.look(other, "label"))

    user.activate("save-source-to", "/nowhere/at/all.cu")
    user.see("^The text was not saved", "label")
    user.leave()


def keeps(user):
    """A session of a machine with a C compiler, opened where there is none."""
    path = os.path.join(user.folder, "there.seamscope")
    cli = os.path.join(os.path.dirname(os.path.dirname(sys.argv[1])), "app", "cli", "seamscope-cli")
    done = subprocess.run([cli, "run", "gemm-bias-relu", "--target", "cpu", "--preset", "tiny",
                           "--budget", "0.2", "--save", path], capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0, done.stderr)
    os.environ["SEAMSCOPE_CC"] = "none"
    user.start(path)
    user.sit_down()
    user.press("alt+6")
    user.see("^B: bias . relu, group 2 · generated C", "list item", timeout=30)
    user.click(user.see("^A: matmul, group 1 ", "list item"))
    user.press("End")
    user.see(r"This is the text that ran on .*, as there\.seamscope keeps it; it is only shown\.",
             "label")
    check("seam_op_relu (after_bias)" in saved(user, "kept.txt"), "It is another text.")
    check(not user.look("^Run edited$", "push button"), "A kept text can be run.")
    user.choose(user.see("^Whose code", "combo box"), "^For this target$")
    user.see("^B: bias . relu, group 2 · CPU loops", "list item", timeout=30)
    user.choose(user.see("^Whose code", "combo box"), "^As it ran$")
    user.see("^B: bias . relu, group 2 · generated C", "list item", timeout=30)
    user.leave()


def both(user):
    follows(user)
    keeps(user)


if __name__ == "__main__":
    person.run(both)
