"""Runs the tests with each fault."""

import collections
import concurrent.futures
import dataclasses
import os
import resource
import signal
import subprocess
import threading
import time
import tomllib

from . import build, faults

# A process of a test may take this many times as much processor time as the test takes without a fault,
# and this many seconds more; and this in all, which ends a test that waits for ever.
PROCESSOR_PATIENCE = (5, 20)
PATIENCE = (20, 120)
# Address space of a test, in bytes: a fault must not exhaust the machine.
MEMORY = 8 << 30
# What cargo sets for the tests that it runs: the seed of the property tests, for one.
CARGO_ENVIRONMENT = tomllib.loads((faults.ROOT / ".cargo" / "config.toml").read_text())["env"]


class BaselineError(Exception):
    """A test fails without a fault."""


@dataclasses.dataclass
class Result:
    """What a fault did: the first test that found it, and whether that test ended in time; or the tests
    that are broken without it."""

    fault: object
    found_by: str = ""
    timed_out: bool = False
    broken: str = ""


def run(built, chosen, jobs):
    """Yields the result of each fault."""
    times = Times(built)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda fault: try_fault(built, fault, times), chosen)


class Times:
    """The times of the tests. A test is run without a fault when its first fault needs it: most
    faults are found by the first of their tests."""

    def __init__(self, built):
        self.built = built
        self.known = collections.defaultdict(concurrent.futures.Future)
        self.lock = threading.Lock()

    def of(self, test):
        """The time without a fault in seconds; BaselineError if the test fails without a fault."""
        with self.lock:
            is_first = test not in self.known
            future = self.known[test]
        if is_first:
            try:
                future.set_result(self.measure(test))
            except BaselineError as error:
                future.set_exception(error)
        return future.result()

    def measure(self, test):
        """Runs the test without a fault."""
        start = time.monotonic()
        done = execute(self.built, test, 0, None)
        if done.returncode:
            raise BaselineError(f"'{test}' fails without a fault:\n{done.stdout}")
        if "running 0 tests" in done.stdout:
            raise BaselineError(f"'{test}' selects no test")
        return time.monotonic() - start


def try_fault(built, fault, times):
    """Runs the tests of a fault until one fails."""
    for test in fault.tests:
        try:
            status = execute(built, test, fault.number, times.of(test)).returncode
        except subprocess.TimeoutExpired:
            return Result(fault, test, True)
        except BaselineError as error:
            return Result(fault, broken=str(error))
        if status:
            return Result(fault, test, status == -signal.SIGXCPU)
    return Result(fault)


def execute(built, test, number, usual):
    """Runs a test with a fault (0: none), which without one takes `usual` seconds."""
    command, folder = built.command(test)
    environment = {**os.environ, **CARGO_ENVIRONMENT, build.SWITCH: str(number), "RUST_BACKTRACE": "0"}

    def limit_resources():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if usual is not None:
            seconds = int(PROCESSOR_PATIENCE[0] * usual + PROCESSOR_PATIENCE[1])
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=limit_resources,
    ) as process:
        try:
            output, _ = process.communicate(timeout=usual and PATIENCE[0] * usual + PATIENCE[1])
        except subprocess.TimeoutExpired:
            # lit runs programs of its own.
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output)
