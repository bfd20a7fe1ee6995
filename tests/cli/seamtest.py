# SPDX-License-Identifier: MIT
#
# Shared by the command-line tests: running seamscope-cli, and results as TAP. A test is a function
# whose name begins with "test_". A failed assertion fails it, with the assertion's values shown; Skip
# skips it.

import ast
import csv
import functools
import glob
import io
import json
import os
import pty
import reprlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback

CLI = os.environ["SEAMSCOPE_CLI"]
# The part of a script's tests that scripts which are cut into parts run: 4/9 are the fifth, the fourteenth, ...
PART = [int(part) for part in os.environ.get("SEAMSCOPE_TEST_PART", "0/1").split("/")]
GOLDEN = os.environ["SEAMSCOPE_TEST_GOLDEN"]
# Those that lessons, samples and recorded numbers are about; the program may have more.
PIPELINES = [
    "conv-relu-bias",
    "conv-bias-scale-sigmoid-groupnorm",
    "matmul-swish-bias-groupnorm",
    "conv-relu-hardswish",
    "gemm-bias-relu",
]
# A short budget: these tests check that numbers are right and consistent, not that they are fast. Even
# a small cache takes longer to flush than a tiny run.
COLD = ["--target", "cpu", "--preset", "tiny", "--budget", "0.05"]
QUICK = ["--l2", "warm", *COLD]

# The caches of the processor are small (tests/machine/machine.c).
if "SEAMSCOPE_TEST_MACHINE" in os.environ:  # not on a GPU's
    os.environ["LD_PRELOAD"] = os.environ["SEAMSCOPE_TEST_MACHINE"]
os.environ["ASAN_OPTIONS"] = "verify_asan_link_order=0"


def set_machine(kind):
    """Sets the machine of programs that are started from now on: "rates", "idle" or "busy"."""
    os.environ["TEST_MACHINE"] = kind


def cli(*arguments, timeout=120, **keywords):
    """Runs seamscope-cli; the answer has returncode, stdout and stderr as text."""
    return subprocess.run(
        [CLI, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        **keywords,
    )


def ok(*arguments, status=0, **keywords):
    """Runs seamscope-cli and checks its exit status."""
    done = cli(*arguments, **keywords)
    assert done.returncode == status, (
        f"status {done.returncode}, not {status}: {arguments}\n{done.stdout}\n{done.stderr}"
    )
    return done


def search(*arguments, **keywords):
    """Runs explore or sweep. The exit status may say that the budget ended it, as on a busy machine."""
    done = cli(*arguments, **keywords)
    expected = 3 if "The budget is used up" in done.stderr else 0
    assert done.returncode == expected, f"status {done.returncode}: {arguments}\n{done.stderr}"
    return done


def refused(*arguments, status, says, **keywords):
    """The command ends with `status` and one sentence on standard error that names `says`."""
    done = cli(*arguments, **keywords)
    where = f"{arguments}: status {done.returncode}, says {done.stderr!r}"
    assert done.returncode == status, where
    lines = done.stderr.strip().split("\n")
    assert len(lines) == 1, where
    assert lines[0].startswith("seamscope-cli: "), where
    assert lines[0].endswith((".", "?", "!", "”", "”.", ")")), where
    for word in [says] if isinstance(says, str) else says:
        assert word in lines[0], f"{where}, not {word!r}"
    return lines[0]


def rows(text):
    """A CSV text as dictionaries."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def list_runs():
    """Options of `export` for every recorded GPU run."""
    runs = []
    for path in sorted(glob.glob(os.path.join(os.environ["SEAMSCOPE_TEST_DATA"], "samples", "h200-*.seamscope"))):
        n = sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("select count(*) from run").fetchone()[0]
        runs += [["export", path, "--run", i + 1] for i in range(n)]
    return runs


@functools.cache
def listing():
    return {p["id"]: p for p in json.loads(ok("list", "--json").stdout)["pipelines"]}


class Skip(Exception):
    """Skips a test, with what this machine lacks for it."""


def open_terminal():
    """Both ends of a pseudo-terminal."""
    try:
        return pty.openpty()
    except OSError as error:
        raise Skip(f"no pseudo-terminal here: {error}") from error


def need_compiler():
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        raise Skip("no C compiler here")


class ShowOperands(ast.NodeTransformer):
    """Turns `assert a == b` into `assert (_0 := a) == (_1 := b), _say(locals(), ["a", "b"])`."""

    def visit_Assert(self, node):
        if node.msg is None:
            texts = []
            node.test = self.keep(node.test, texts)
            node.msg = ast.parse(f"_say(locals(), {texts!r})", mode="eval").body
        return ast.fix_missing_locations(node)

    def keep(self, node, texts):
        if isinstance(node, ast.BoolOp):
            node.values = [self.keep(value, texts) for value in node.values]
        elif isinstance(node, ast.UnaryOp):
            node.operand = self.keep(node.operand, texts)
        elif isinstance(node, ast.Compare):
            node.left = self.keep(node.left, texts)
            node.comparators = [self.keep(value, texts) for value in node.comparators]
        elif not isinstance(node, ast.Constant):
            texts.append(ast.unparse(node))
            node = ast.NamedExpr(ast.Name(f"_{len(texts) - 1}", ast.Store()), node)
        return node


def say(values, texts):
    """The operands of a failed assertion, as far as they were evaluated."""
    show = reprlib.Repr()
    show.maxstring = show.maxother = 500
    return "".join(f"\n    {text} is {show.repr(values[f'_{i}'])}"
                   for i, text in enumerate(texts) if f"_{i}" in values)


def read_tests():
    """The test_ functions of the calling script, recompiled so that their assertions show values."""
    path = sys.modules["__main__"].__file__
    with open(path, encoding="utf-8") as file:
        tree = ShowOperands().visit(ast.parse(file.read()))
    tree.body.pop()  # main()
    functions = {"__name__": "__main__", "__file__": path, "_say": say}
    exec(compile(tree, path, "exec"), functions)
    return [(name, f) for name, f in functions.items() if name.startswith("test_")]


def main():
    """Runs every test_ function of the calling script, in a folder of its own."""
    tests = read_tests()
    failed = False
    print(f"1..{len(tests)}")
    for number, (name, function) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory(prefix="seam-cli-") as folder:
            os.chdir(folder)
            try:
                function()
                print(f"ok {number} - {name[5:]}", flush=True)
            except Skip as skip:
                print(f"ok {number} - {name[5:]} # SKIP {skip}", flush=True)
            except Exception:
                failed = True
                print(f"not ok {number} - {name[5:]}")
                for line in traceback.format_exc().split("\n"):
                    print(f"# {line}", flush=True)
            os.chdir("/")
    sys.exit(failed)
