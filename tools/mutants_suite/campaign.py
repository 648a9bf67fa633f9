"""Runs the tests with each fault."""

import concurrent.futures
import dataclasses
import os
import resource
import subprocess
import sys
import time

from . import build

# A test with a fault may take this many times what it takes without, and this many seconds more.
PATIENCE = (5, 20)
# Address space of a test, in bytes: a fault must not exhaust the machine.
MEMORY = 8 << 30


class BaselineError(Exception):
    """A test fails without a fault."""


@dataclasses.dataclass
class Result:
    """What a fault did: the first test that found it, and whether that test ended in time."""

    fault: object
    found_by: str = ""
    timed_out: bool = False


def run(built, chosen, jobs):
    """The result of each fault."""
    tests = sorted({test for fault in chosen for test in fault.tests})
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        limits = dict(zip(tests, pool.map(lambda test: baseline(built, test), tests)))
        results = []
        for result in pool.map(lambda fault: try_fault(built, fault, limits), chosen):
            results.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(chosen)} faults", end="", file=sys.stderr)
    return results


def baseline(built, test):
    """The time limit of a test, from its time without a fault."""
    start = time.monotonic()
    done = execute(built, test, 0, None)
    if done.returncode:
        raise BaselineError(f"'{test}' fails without a fault:\n{done.stdout}")
    if "running 0 tests" in done.stdout and "running 1 test" not in done.stdout:
        raise BaselineError(f"'{test}' selects no test")
    return PATIENCE[0] * (time.monotonic() - start) + PATIENCE[1]


def try_fault(built, fault, limits):
    """Runs the tests of a fault until one fails."""
    for test in fault.tests:
        try:
            failed = execute(built, test, fault.number, limits[test]).returncode != 0
        except subprocess.TimeoutExpired:
            return Result(fault, test, True)
        if failed:
            return Result(fault, test)
    return Result(fault)


def execute(built, test, number, limit):
    """Runs a test with a fault (0: none)."""
    command, folder = built.command(test)
    environment = {**os.environ, build.SWITCH: str(number), "RUST_BACKTRACE": "0"}
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=limit,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
