#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The worker, called in plain JSON over its pipes, as a person with a shell could call it: framing,
# errors, a clean standard output, its end. The calls with results are in test-worker.c.

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import time

from seamtest import CLI, cli, main, need_compiler, open_terminal, set_machine

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


def read_text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


class Worker:
    def __init__(self):
        self.process = subprocess.Popen(
            [*shlex.split(CLI), "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.number = 0

    def send(self, method, parameters):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        return self.number

    def receive(self):
        # An unknown number is NaN, for which JSON has no word; json-glib writes this.
        return json.loads(self.receive_text().replace(b"nan.0", b"null"))

    def receive_text(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            assert line, "the worker ended"
            line = line.strip()
            if not line:
                break
            name, value = line.split(b": ")
            if name == b"Content-Length":
                length = int(value)
        return self.process.stdout.read(length)

    def call(self, method, parameters):
        number = self.send(method, parameters)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                return answer

    def end(self):
        self.process.stdin.close()
        status = self.process.wait(timeout=20)
        rest = self.process.stdout.read()
        errors = self.process.stderr.read()
        assert rest == b"", rest
        return status, errors


def test_describe_and_end():
    worker = Worker()
    result = worker.call("describe", {})["result"]
    assert result["version"].startswith("0.")
    assert result["targets"][0]["id"] == "cpu"
    assert any("oneDNN" in check["title"] for check in result["checks"])
    status, errors = worker.end()
    assert status == 0 and errors == b"", (status, errors)


def test_hello():
    """Each end says which protocol it speaks; another one is refused with both, and by name a program
    may be of any version."""
    protocol = int(re.search(r"#define SEAM_PROTOCOL_VERSION (\d+)", read_text("app", "worker", "protocol.h"))[1])
    worker = Worker()
    mine = {"protocol": protocol, "version": "99.0", "machine": "lab", "host": "desk"}
    answer = worker.call("hello", mine)["result"]
    assert sorted(answer) == sorted(mine), answer
    assert answer["protocol"] == protocol and answer["machine"] == "lab", answer
    assert re.fullmatch(r"0\.\d+\.\d+\+(archive|[0-9a-f]{12})", answer["version"]), answer
    assert answer["host"] == socket.gethostname(), answer
    error = worker.call("hello", dict(mine, protocol=protocol + 1))["error"]
    assert error["code"] == 1002, error
    for words in (f"version {protocol} of", f"speaks version {protocol + 1}.", "Seamscope 99.0 on desk"):
        assert words in error["message"], (words, error)
    for wrong, words in (
        ({}, "names no version"),
        ([], "names no version"),
        ({"protocol": "one"}, "names no version"),
        (dict(mine, protocol=[protocol]), "names no version"),
        ({"protocol": -1}, "speaks version -1."),
        ({"protocol": protocol + 0.5}, f"speaks version {protocol + 0.5}."),
    ):
        error = worker.call("hello", wrong)["error"]
        assert error["code"] == 1002 and words in error["message"], (wrong, error)
    # JSON may send a whole number as a decimal.
    assert worker.call("hello", dict(mine, protocol=float(protocol)))["result"] == answer
    # Names are only shown.
    assert worker.call("hello", {"protocol": protocol, "version": ["99"]})["result"]["machine"] == ""
    # Who does not introduce himself is answered, too.
    assert "result" in worker.call("describe", {})
    assert worker.end()[0] == 0


def test_errors_have_codes_and_sentences():
    worker = Worker()
    for method, parameters, code, says in [
        ("explode", {}, -32601, "explode"),
        ("difference", {}, 1000, "“a”"),
        ("difference", {"a": 0, "b": 1, "atol": 0.1, "rtol": 0.1, "max_side": 64}, 1000, "run"),
        ("difference", {"a": "zero", "b": 1}, 1000, "“a”"),
        ("difference", {"a": -5, "b": 1}, 1000, "“a”"),
        ("difference", {"a": 0.5, "b": 1}, 1000, "“a”"),
        ("slice", {"a": 0, "b": 0}, 1000, "“sample”"),
        ("read_output", {"index": 0}, 1000, "“offset”"),
        ("read_output", {"index": 0, "offset": 0, "n": 0}, 1000, "“n”"),
        ("read_output", {"index": 0, "offset": 0, "n": 8}, 1000, "run first"),
        ("read_output", {"index": 0, "offset": 8, "n": 8}, 1000, "from offset 0"),
        ("estimate", {}, 1000, "pipeline"),
        ("source", {}, 1000, "pipeline"),
        ("run", {"pipeline": "x", "pipeline_text": "[pipeline]"}, None, "x"),
        ("run", [1, 2], 1000, "object"),
    ]:
        error = worker.call(method, parameters)["error"]
        assert code is None or error["code"] == code, (method, error)
        assert says in error["message"], (method, error)
    # The worker still answers after all that.
    assert "result" in worker.call("cancel", {})
    assert "result" in worker.call("describe", {})
    assert worker.end()[0] == 0


def read_protocol():
    """What app/worker/protocol.h explains, {name: words}, and what it defines, {constant: name}."""
    comment, code = read_text("app", "worker", "protocol.h").split("*/", 1)
    explained = re.findall(r"^ \*   (\w+) {2,}(\S.*(?:\n \* {16}.*)*)", comment, re.M)
    defined = re.findall(r'^#define SEAM_((?:METHOD|NOTIFY)_\w+) +"(\w+)"', code, re.M)
    return dict(explained), dict(defined)


def test_names_are_those_of_the_header():
    """Who calls by the words of the header is answered: each name in them is the constant's, and the
    worker has the call."""
    explained, defined = read_protocol()
    assert sorted(explained) == sorted(defined.values()), set(explained) ^ set(defined.values())
    for constant, name in defined.items():
        assert constant in (f"METHOD_{name.upper()}", f"NOTIFY_{name.upper()}"), (constant, name)
    worker = Worker()
    for constant, name in defined.items():
        if constant.startswith("METHOD_") and name != "crash":
            answer = worker.call(name, {"measure": False})
            assert answer.get("error", {}).get("code") != -32601, answer
    assert worker.end()[0] == 0


def test_explore():
    """Points travel under the names of the header, in the call, the notification and the answer."""
    request = {"pipeline": "gemm-bias-relu", "pipeline_text": read_text("data", "pipelines", "gemm-bias-relu.ini"),
               "plans": ["unfused"], "values": [3, 5, 7], "target": "cpu", "measure": False}
    members = re.findall(r"(\w+)(?: a\{sv\}[^,]*)?(?:,|$)", read_protocol()[0]["search"].split(": ")[1])
    worker = Worker()
    number = worker.send("explore", request)
    first = worker.receive()
    assert first["method"] == "search" and sorted(first["params"]) == sorted(members), (first, members)
    assert first["params"]["n_points"] == first["params"]["n_pending"] == 4, first
    answer = worker.receive()
    assert answer["id"] == number and sorted(answer["result"]) == ["end", "search"], answer
    assert answer["result"]["search"]["points"] == first["params"]["search"]["points"]
    error = worker.call("explore", dict(request, search={"points": 1}))["error"]
    assert error["code"] == 1000 and "points" in error["message"], error
    assert worker.end()[0] == 0


def test_nested_too_deep():
    """Such a message is refused under its own id, however deep, and the next call is answered."""
    worker = Worker()
    for body in (b'{"jsonrpc":"2.0","method":"describe","params":{"a":' + b"[" * 200_000 + b"]" * 200_000
                 + b'},"id":9}',
                 b'{"jsonrpc":"2.0","id":9,"method":"run","params":' + b'{"a":' * 40 + b"{}" + b"}" * 41):
        worker.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        worker.process.stdin.flush()
        answer = worker.receive()
        assert answer["id"] == 9 and answer["error"]["code"] == 1000, answer
        assert "too deep" in answer["error"]["message"], answer
        assert "result" in worker.call("describe", {})
    assert worker.end()[0] == 0


def test_lists():
    """The shape's values, and edits of the code, are lists in JSON."""
    need_compiler()
    text = read_text("data", "pipelines", "gemm-bias-relu.ini")
    request = {"pipeline": "gemm-bias-relu", "pipeline_text": text, "plans": ["unfused", "published"],
               "values": [3, 5, 7], "target": "cpu", "budget_s": 0.01}
    worker = Worker()
    found = worker.call("run", request)["result"]
    assert found["values"] == [3, 5, 7] and found["plans"][0]["state"] == "measured", found
    code = worker.call("source", request)["result"]["plans"][1]["groups"][1]["sources"][0]
    edit = {"plan": 1, "group": 1, "text": code["text"] + "/* mine */\n"}
    found = worker.call("run", dict(request, edits=[edit]))["result"]
    assert found["edits"] == [edit], found.get("edits")
    assert found["plans"][1]["executed"].endswith("@edited"), found["plans"][1]
    for key, value, says in [
        ("values", [3, 5], "2 shape values"),
        ("values", [3, 5, "seven"], "not a list of integers"),
        ("values", [3, 5, 7.5], "not a list of integers"),
        ("values", [3, 5, None], "not a list of integers"),
        ("values", {}, "not a list of integers"),
        ("edits", ["text"], "not a list of objects"),
        ("edits", [{"plan": 0, "group": 0}], "text"),
        ("plans", ["unfused", [1]], "not a list of texts"),
    ]:
        error = worker.call("run", dict(request, **{key: value}))["error"]
        assert error["code"] == 1000 and says in error["message"], (value, error)
    assert worker.end()[0] == 0


def test_calibrate():
    """A calibration is requested, measured with progress, stopped, and used by the next estimate."""
    os.environ["XDG_DATA_HOME"] = os.path.join(os.getcwd(), "data-home")
    set_machine("idle rates")
    worker = Worker()
    error = worker.call("calibrate", {"target": "cpu", "measure": False})["error"]
    assert "not calibrated" in error["message"], error
    for budget in 0, 1e6:
        error = worker.call("calibrate", {"target": "cpu", "measure": True, "budget_s": budget})["error"]
        assert error["code"] == 1000 and "budget" in error["message"], error

    number = worker.send("calibrate", {"target": "cpu", "measure": True, "budget_s": 60.0})
    first = worker.receive()
    assert first["method"] == "calibration" and first["params"]["what"] == "Copy bandwidth", first
    assert first["params"]["fraction"] == 0
    worker.send("cancel", {})
    answer = first
    while answer.get("id") != number:
        answer = worker.receive()
    assert answer["error"]["code"] == 1005, answer

    number = worker.send("calibrate", {"target": "cpu", "measure": True, "budget_s": 0.1})
    fractions, answer = [], {}
    while answer.get("id") != number:
        answer = worker.receive()
        if answer.get("method") == "calibration":
            fractions.append(answer["params"]["fraction"])
    assert len(fractions) >= 14 and fractions == sorted(fractions) and fractions[-1] > .9, fractions
    found = answer["result"]["calibration"]
    assert found["read"][0] > 1e7 and "tf32" not in found and found["tf32_reason"], found
    assert "not_kept" not in answer["result"]
    kept = worker.call("calibrate", {"target": "cpu", "measure": False})["result"]["calibration"]
    assert kept["read"] == found["read"] and kept["curve"] == found["curve"]
    assert worker.end()[0] == 0

    # On a busy machine it is answered, but not kept.
    set_machine("busy rates")
    worker = Worker()
    number, answer = worker.send("calibrate", {"target": "cpu", "measure": True, "budget_s": 0.1}), {}
    while answer.get("id") != number:
        answer = json.loads(worker.receive_text().replace(b"nan.0", b"null"))
    assert "The samples lie too far apart" in answer["result"]["unsteady"], answer
    assert answer["result"]["calibration"]["read"][0] > 1e7, answer
    worker.send("calibrate", {"target": "cpu", "measure": False})
    again = json.loads(worker.receive_text().replace(b"nan.0", b"null"))["result"]["calibration"]
    assert again["measured_at"] == kept["measured_at"], again
    assert worker.end()[0] == 0
    set_machine("rates")


def test_the_end_of_the_input_ends_a_run():
    """If a window goes away during a run, its worker ends."""
    listed = json.loads(cli("list", "--json").stdout)["pipelines"][0]["id"]
    text = read_text("data", "pipelines", listed + ".ini")
    request = {"pipeline": listed, "pipeline_text": text, "plans": ["unfused", "full"],
               "target": "cpu", "budget_s": 60.0}
    for seconds in 0.1, 1.0:
        worker = Worker()
        worker.send("run", request)
        assert worker.receive()["method"] == "progress"
        time.sleep(seconds)
        started = time.monotonic()
        worker.process.stdin.close()
        worker.process.stdout.read()
        assert worker.process.wait(timeout=20) == 0
        assert time.monotonic() - started < 5
        worker.process.stdout.close()
        worker.process.stderr.close()

    # SIGINT ends it, too, whether it works or not.
    for works in True, False:
        worker = Worker()
        if works:
            worker.send("run", request)
            assert worker.receive()["method"] == "progress"
        else:
            worker.call("describe", {})
        worker.process.send_signal(signal.SIGINT)
        worker.process.stdout.read()
        assert worker.process.wait(timeout=20) == 0, works
        worker.process.stdin.close()
        worker.process.stdout.close()
        worker.process.stderr.close()
    # Nobody can call one without a standard input.
    done = subprocess.run([CLI, "worker"], preexec_fn=lambda: os.close(0), timeout=20)
    assert done.returncode == 0, done

    worker = Worker()
    error = worker.call("run", dict(request, plans=["unfused", 3]))["error"]
    assert error["code"] == 1000 and "list of texts" in error["message"], error
    assert worker.end()[0] == 0


def test_edited_code_with_a_thread():
    """The code may still run: the worker says so, answers what waits behind the run, and what comes
    after its reply, until it is told to end."""
    need_compiler()
    request = {"pipeline": "conv-relu-hardswish", "target": "cpu", "budget_s": 0.1, "cold": False,
               "pipeline_text": read_text("data", "pipelines", "conv-relu-hardswish.ini"),
               "plans": ["unfused", "published"]}
    worker = Worker()
    [group] = worker.call("source", request)["result"]["plans"][1]["groups"][1:]
    text = group["sources"][0]["text"]
    request["edits"] = [{"plan": 1, "group": 1, "text": text}]
    assert worker.call("run", request)["result"]["plans"][1]["executed"].endswith("@edited")
    assert worker.call("difference", {"a": 1, "b": 0, "atol": 0, "rtol": 0, "max_side": 8})["result"]
    request["edits"][0]["text"] = (
        "#include <pthread.h>\nstatic int started;\nstatic void *go (void *unused)\n{\n  for (;;)\n    ;\n}\n"
        + text.replace("const int64_t n = run->n;", "const int64_t n = run->n;\n  pthread_t thread;\n"
                       "  if (started++ == 0)\n    pthread_create (&thread, 0, go, 0);"))
    run, waiting = worker.send("run", request), worker.send("describe", {})
    seen = []
    while not seen or seen[-1].get("id") != waiting:
        seen.append(worker.receive())
    order = [answer.get("id", answer.get("method")) for answer in seen if answer.get("method") != "progress"]
    assert order == ["ending", run, waiting], order
    [plans] = [answer["result"]["plans"] for answer in seen if answer.get("id") == run]
    assert plans[1]["executed"].endswith("@edited") and plans[1]["difference"]["n_failing"] == 0, plans
    late, end = worker.send("describe", {}), worker.send("end", {})
    assert worker.receive()["id"] == late
    assert worker.receive() == {"jsonrpc": "2.0", "id": end, "result": {}}
    assert worker.process.wait(timeout=20) == 0
    assert worker.end()[0] == 0


def test_the_end_of_the_input_ends_a_stuck_worker():
    """Edited code has all threads of the worker wait forever: the worker ends all the same."""
    need_compiler()
    request = {"pipeline": "conv-relu-hardswish", "target": "cpu", "budget_s": 0.01, "cold": False,
               "pipeline_text": read_text("data", "pipelines", "conv-relu-hardswish.ini"),
               "plans": ["unfused", "published"]}
    worker = Worker()
    [group] = worker.call("source", request)["result"]["plans"][1]["groups"][1:]
    # The system gives a signal to the main thread, and the next ones to others that do not block it.
    text = ("#define _GNU_SOURCE\n#include <signal.h>\n#include <unistd.h>\n"
            "static void stay (int number)\n{\n  for (;;)\n    pause ();\n}\n" + group["sources"][0]["text"].replace(
                "const int64_t n = run->n;",
                "const int64_t n = run->n;\n  signal (SIGUSR1, stay);\n  kill (getpid (), SIGUSR1);"))
    worker.send("run", dict(request, edits=[{"plan": 1, "group": 1, "text": text}]))
    blocked, until = "0", time.monotonic() + 20
    while int(blocked, 16) & 1 << signal.SIGUSR1 - 1 == 0:
        assert time.monotonic() < until, "the code does not run"
        time.sleep(0.02)
        with open(f"/proc/{worker.process.pid}/task/{worker.process.pid}/status", encoding="utf-8") as file:
            blocked = re.search(r"SigBlk:\s*(\w+)", file.read())[1]
    started = time.monotonic()
    worker.process.stdin.close()
    assert worker.process.wait(timeout=20) == 0
    assert 2 < time.monotonic() - started < 5
    worker.process.stdout.close()
    worker.process.stderr.close()


def test_garbage_ends_it():
    worker = Worker()
    worker.process.stdin.write(b"Content-Length: 5\r\n\r\nhello")
    worker.process.stdin.flush()
    worker.process.wait(timeout=20)
    worker.process.stdin.close()
    worker.process.stdout.close()
    worker.process.stderr.close()


def test_crash_is_a_crash():
    worker = Worker()
    worker.send("crash", {})
    assert worker.process.wait(timeout=20) == -signal.SIGSEGV
    for pipe in worker.process.stdin, worker.process.stdout, worker.process.stderr:
        pipe.close()


def test_a_terminal_is_told():
    main_end, other_end = open_terminal()
    done = subprocess.run([CLI, "worker"], stdin=other_end, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", timeout=20)
    os.close(main_end)
    os.close(other_end)
    assert done.returncode == 2 and done.stdout == "" and "terminal" in done.stderr
    assert cli("worker", "now").returncode == 2


if __name__ == "__main__":
    main()
