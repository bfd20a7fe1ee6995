#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Limits of the system: with too little address space there is a message, and with a limit on threads
# the program uses fewer.

import os
import pathlib
import resource
import stat
import subprocess
import time

from seamtest import CLI, QUICK, Skip, cli, main


def limited(limits, user=None, **environment):
    """A tiny run on the CPU under limits of the system, as another user if one is given."""
    def limit():
        for kind, most in limits.items():
            resource.setrlimit(kind, (most, most))
        if user is not None:
            os.setgid(user)
            os.setuid(user)
    return cli("run", "gemm-bias-relu", *QUICK, timeout=60, preexec_fn=limit,
               env={**os.environ, **environment}, cwd="/")


def test_address_space():
    """Where the address space does not hold the threads' stacks, a sentence says so."""
    with open(CLI, "rb") as program:
        is_sanitized = b"__asan_init" in program.read()
    if is_sanitized:
        raise Skip("AddressSanitizer reserves terabytes of address space")
    done = limited({resource.RLIMIT_AS: 200 << 20})
    assert done.returncode == 3 and "ulimit -v" in done.stderr, done
    assert done.stderr.count("\n") == 1, done.stderr


def test_threads():
    """If more threads are requested than are sensible or allowed, there are fewer, and no crash."""
    done = limited({}, OMP_NUM_THREADS="100000", OMP_WAIT_POLICY="passive")
    assert done.returncode == 0 and "100000 threads were asked for" in done.stderr, done
    if os.geteuid() != 0:
        return  # the limit counts all that the user runs
    if not all(folder.stat().st_mode & stat.S_IXOTH for folder in pathlib.Path(CLI).parents):
        return  # another user cannot start the program here
    # The leak checker starts a thread of its own.
    done = limited({resource.RLIMIT_NPROC: 1}, user=64123, OMP_NUM_THREADS="4",
                   ASAN_OPTIONS="detect_leaks=0")
    assert done.returncode == 0 and "only 1 of 4 threads" in done.stderr, done


def test_waiting():
    """Threads wait for each other for a short time only, unless a person says for how long."""
    for own in {}, {"OMP_WAIT_POLICY": "active"}, {"GOMP_SPINCOUNT": "7"}:
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
        worker = subprocess.Popen([CLI, "worker"], env={**environment, **own},
                                  stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        path = pathlib.Path(f"/proc/{worker.pid}/environ")
        expected = "GOMP_SPINCOUNT=" + ("1000" if not own else own.get("GOMP_SPINCOUNT", ""))
        end = time.monotonic() + 20
        while True:
            found = [part for part in path.read_text().split("\0")
                     if part.startswith("GOMP_SPINCOUNT=")]
            # The program may not have started anew yet.
            if found or "OMP_WAIT_POLICY" in own or time.monotonic() > end:
                break
            time.sleep(.01)
        worker.stdin.close()
        assert worker.wait(60) == 0
        assert found == ([expected] if own.get("OMP_WAIT_POLICY") is None else []), found


main()
