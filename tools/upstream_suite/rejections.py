"""Rejections: orison-opt reports the errors that upstream's tests expect, on the same line and with
the same words.

A case is a part of a file that has `expected-error`, that a RUN line of the file gives to mlir-opt
with `--verify-diagnostics` and without passes, that mlir-opt passes, and that mentions no dialect
that mlir-opt registers and orison does not.
"""

from .files import COMMON_DIALECTS, all_files, dialects_in_text, mlir_opt_flags, run_lines
from .report import Report
from .tools import in_parallel

COLUMN = "same line and words"
# Flags under which a RUN line only parses, verifies and prints. Parts are split here.
PLAIN_FLAGS = {"allow-unregistered-dialect", "no-implicit-module", "mlir-disable-threading"}
DROPPED_FLAGS = {"verify-diagnostics", "split-input-file"}


def run(source, tools, only):
    """Runs the mode on the files whose path contains `only`."""
    report = Report("Rejections", [COLUMN])
    cases = [case for file in all_files(source, only) for case in select(tools, file)]
    for case, problem in zip(cases, in_parallel(lambda case: compare(tools, *case), cases)):
        file, number, _ = case
        if problem is not None:
            report.add(file.directory, file.part_name(number), COLUMN, problem)
    return report


def select(tools, file):
    """The cases of a file: file, part, flags."""
    flags = next(filter(None, map(plain_flags, run_lines(file.text))), None)
    if flags is None:
        return []
    others = tools.dialects - COMMON_DIALECTS
    return [
        (file, number, flags)
        for number, part in enumerate(file.parts)
        if "expected-error" in part and not dialects_in_text(part, others)
    ]


def plain_flags(command):
    """The flags of a RUN line that expects diagnostics and runs no pass."""
    flags = mlir_opt_flags(command)
    if flags is None:
        return None
    names = {flag.lstrip("-").split("=")[0] for flag in flags}
    if "verify-diagnostics" not in names or names - PLAIN_FLAGS - DROPPED_FLAGS:
        return None
    kept = [flag for flag in flags if flag.lstrip("-").split("=")[0] in PLAIN_FLAGS]
    return ["--verify-diagnostics", *kept]


def compare(tools, file, number, flags):
    """The difference; None if mlir-opt fails too."""
    part = file.parts[number]
    if tools.mlir(part, flags).code != 0:
        return None
    ours = tools.orison(part, flags)
    return "" if ours.code == 0 else ours.errors.strip() or f"exit status {ours.code}"
