"""The tools that are compared, found and run."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from . import sources

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Seconds after which a tool counts as failed.
TIMEOUT = 60
# The folder that tools run in: some flags of the tests make them write files.
SCRATCH = tempfile.TemporaryDirectory()


class Tools:
    """mlir-opt 22 and orison-opt."""

    def __init__(self, mlir_opt, filecheck, orison_opt, source):
        self.mlir_opt = mlir_opt
        self.filecheck = filecheck
        self.orison_opt = orison_opt
        self.source = source
        shown = subprocess.run([mlir_opt, "--version"], capture_output=True, check=True).stdout
        self.answers = sources.cache() / "mlir-opt" / hashlib.sha256(shown).hexdigest()[:16]
        self.answers.mkdir(parents=True, exist_ok=True)
        dialects = subprocess.run(
            [mlir_opt, "--show-dialects"], capture_output=True, check=True, text=True
        )
        names = re.sub(r".*:", "", dialects.stdout, flags=re.DOTALL)
        self.dialects = {name.strip() for name in names.split(",")}

    @staticmethod
    def find(source):
        """The tools on this machine; the program ends when one is missing."""
        return Tools(
            installed("mlir-opt-22", "mlir-22-tools"),
            installed("FileCheck-22", "llvm-22-tools"),
            tool("orison-opt"),
            source,
        )

    def mlir(self, text, flags):
        """What mlir-opt does with a text; answers are kept in the cache."""
        key = hashlib.sha256("\0".join([*flags, text]).encode()).hexdigest()
        kept = self.answers / key
        if kept.exists():
            return Answer(*json.loads(kept.read_text()))
        answer = run([self.mlir_opt, *flags], text)
        kept.write_text(json.dumps([answer.code, answer.output, answer.errors]))
        return answer

    def orison(self, text, flags):
        """What orison-opt does with a text."""
        return run([self.orison_opt, *flags], text)

    def file_check(self, directives, text, flags):
        """The errors of LLVM's FileCheck for a text; empty if it passes."""
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(directives)
            file.flush()
            done = run([self.filecheck, "--allow-unused-prefixes", *flags, file.name], text)
        return "" if done.code == 0 else done.errors


class Answer:
    """What a tool answered: its exit status, standard output and standard error."""

    def __init__(self, code, output, errors):
        self.code = code
        self.output = output
        self.errors = errors


def installed(name, package, folder=None):
    """The path of a tool of LLVM, in a folder or on the search path; the program ends when it is not
    installed."""
    path = shutil.which(name, path=folder)
    return path or sys.exit(f"error: {name} is not installed (Debian: {package})")


def tool(name):
    """The path of a tool of orison: $ORISON_TOOLS, or the release build, or the debug build."""
    folders = [os.environ.get("ORISON_TOOLS"), ROOT / "target/release", ROOT / "target/debug"]
    for folder in filter(None, folders):
        path = pathlib.Path(folder) / name
        if path.exists():
            return str(path.resolve())
    sys.exit(f"error: {name} is not built: cargo build --release -p orison-opt -p orison-filecheck")


def run(command, text):
    """Runs a command on a text as its standard input."""
    try:
        done = subprocess.run(
            command,
            input=text.encode(),
            capture_output=True,
            timeout=TIMEOUT,
            cwd=SCRATCH.name,
        )
    except subprocess.TimeoutExpired:
        return Answer(124, "", f"timeout after {TIMEOUT} s")
    decoded = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
    return Answer(done.returncode, *decoded)


def in_parallel(work, items):
    """The results of `work` on each item, in their order."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, items))
