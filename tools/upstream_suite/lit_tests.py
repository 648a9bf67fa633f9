"""lit: orison-lit comes to the results that lit comes to on lit's own tests.

A case is a test of one of the suites in `llvm/utils/lit/tests/Inputs` that lit finds and runs with
its internal shell. lit itself reads the suite's configuration, which is a program in Python; what it
sets is written as a `lit.toml`. Tests whose configuration has no such form are left out.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from .report import Report
from .tools import TIMEOUT, in_parallel, installed, tool

COLUMN = "same result"
LLVM = pathlib.Path("/usr/lib/llvm-22")
# Seconds that a test may take under orison-lit. lit needs a Python package for a limit: suites with
# tests that do not end are left out.
TEST_TIMEOUT = 30

# Run by lit's Python in a suite: what lit finds there and what the configuration of each test sets.
DESCRIBE = r"""
import json, os, re, sys
sys.path.insert(0, sys.argv[1])
import lit.discovery, lit.formats
from lit.LitConfig import LitConfig
from lit.TestingConfig import TestingConfig

quiet = LitConfig("lit", [], "error", False, False, [], False, False, False, "lexical", {})
plain = TestingConfig.fromdefaults(quiet)
found = []
for test in lit.discovery.find_tests_for_inputs(quiet, ["."]):
    config = test.config
    form = config.test_format
    names = [re.sub(r"\\(.)", r"\1", pattern) for pattern, _ in config.substitutions]
    expressible = (
        type(form) is lit.formats.ShTest
        and not form.execute_external
        and not form.extra_substitutions
        and not form.preamble_commands
        and config.pipefail
        and not config.unsupported
        and not config.limit_to_features
        and not getattr(test, "gtest_json_file", None)
        and all(re.fullmatch(r"[%@\w{}:/.-]+", name) for name in names)
        and all(isinstance(value, str) for _, value in config.substitutions)
    )
    changed = {k: v for k, v in config.environment.items() if plain.environment.get(k) != v}
    found.append({
        "name": test.getFullName(),
        "path": os.path.relpath(test.getSourcePath(), "."),
        "expressible": bool(expressible),
        "features": sorted(config.available_features),
        "substitutions": [[n, str(v)] for n, (_, v) in zip(names, config.substitutions)],
        "environment": changed,
    })
json.dump(found, sys.stdout)
"""


def run(source, _tools, only):
    """Runs the mode on the suites whose path contains `only`."""
    installed("lit", "llvm-22-tools", LLVM / "bin")
    report = Report("lit", [COLUMN])
    inputs = source / "llvm/utils/lit/tests/Inputs"
    suites = [
        path
        for path in sorted(inputs.iterdir())
        if only in str(path) and any((path / f"lit.{end}").exists() for end in ("cfg", "cfg.py"))
    ]
    for suite, cases in zip(suites, in_parallel(compare, suites)):
        for name, problem in cases:
            report.add(suite.name, name, COLUMN, problem)
    return report


def compare(suite):
    """The outcomes of a suite: test and problem."""
    with tempfile.TemporaryDirectory(prefix="orison-upstream-") as scratch:
        folders = [pathlib.Path(scratch) / who / suite.name for who in ("lit", "orison-lit")]
        for folder in folders:
            shutil.copytree(suite, folder, symlinks=True)
        theirs, ours = folders
        script = ["python3", "-c", DESCRIBE, LLVM / "utils/lit"]
        described = call(script, theirs)
        if described is None or described.returncode != 0:
            return []
        tests = [test for test in json.loads(described.stdout) if test["expressible"]]
        expected = results([LLVM / "bin/lit"], theirs, ["."])
        for test in tests:
            write_configuration(ours, test)
        program = [tool("orison-lit"), f"--timeout={TEST_TIMEOUT}"]
        found = results(program, ours, [test["path"] for test in tests])
    return [
        (test["name"], difference(expected[test["name"]], found.get(own_name(test))))
        for test in tests
        if test["name"] in expected
    ]


def own_suite(test):
    """The name of the suite that the folder of a test is."""
    folder = str(pathlib.Path(test["path"]).parent)
    suite = test["name"].split(" :: ")[0]
    return suite if folder == "." else f"{suite}/{folder}"


def own_name(test):
    """The full name of a test whose folder is a suite of its own."""
    return f"{own_suite(test)} :: {pathlib.Path(test['path']).name}"


def difference(expected, found):
    """The difference between the results; empty if they agree."""
    return "" if expected == found else f"lit: {expected}, orison-lit: {found}"


def write_configuration(folder, test):
    """Writes the lit.toml of the folder of a test. A JSON string is one of TOML, too."""
    path = pathlib.Path(test["path"])
    lines = [
        f"name = {json.dumps(own_suite(test))}",
        f"suffixes = [{json.dumps(path.suffix or path.name)}]",
        # Where lit runs tests when the configuration does not say otherwise.
        'output-directory = "."',
        "[features]",
        f"available = {json.dumps(test['features'])}",
        "[substitutions]",
        *(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in test["substitutions"]),
        "[environment]",
        *(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in test["environment"].items()),
    ]
    (folder / path.parent / "lit.toml").write_text("\n".join(lines) + "\n")


def results(program, folder, paths):
    """The result of each test by its full name."""
    output = folder.parent / "results.json"
    call([*program, "-q", "-o", output, *paths], folder)
    if not output.exists():
        return {}
    return {test["name"]: test["code"] for test in json.loads(output.read_text())["tests"]}


def call(command, folder):
    """Runs a command in a folder, with LLVM's tools on the search path; None if it does not end."""
    environment = dict(os.environ, PATH=f"{LLVM / 'bin'}:{os.environ['PATH']}")
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(timeout=TIMEOUT)
        return subprocess.CompletedProcess(command, process.returncode, out, errors)
    except subprocess.TimeoutExpired:
        return None
    finally:
        # What the tests have started and left behind ends too.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
