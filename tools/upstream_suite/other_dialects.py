"""Other dialects: what orison-opt reads and prints in generic form is to mlir-opt what it was.

A case is a part of a file that mlir-opt accepts with `--allow-unregistered-dialect` and no passes
and that has something of a dialect that orison does not register. mlir-opt writes it in generic
form, orison-opt reads that and writes it, mlir-opt reads that and writes the same as before.
"""

from .files import COMMON_DIALECTS, SEPARATOR, all_files, dialects_in_generic
from .report import Report
from .round_trips import GENERIC, accepted, differences
from .tools import in_parallel

COLUMN = "through orison-opt"


def run(source, tools, only):
    """Runs the mode on the files whose path contains `only`."""
    files = all_files(source, only)
    report = Report("Other dialects in generic form", [COLUMN])
    for file, cases in zip(files, in_parallel(lambda file: compare(tools, file), files)):
        for number, column, problem in cases:
            report.add(file.directory, file.part_name(number), column, problem)
    return report


def compare(tools, file):
    """The outcomes of a file: part, column, problem."""
    generic = accepted(tools, file)
    others = tools.dialects - COMMON_DIALECTS
    selected = [
        number for number, part in enumerate(generic) if dialects_in_generic(part, others)
    ]
    if not selected:
        return []
    text = (SEPARATOR + "\n").join(generic)
    through = tools.orison(text, GENERIC)
    # What mlir-opt does not read again itself is no case.
    theirs = tools.mlir(text, GENERIC)
    normal = theirs.output.split(SEPARATOR + "\n")
    selected = [number for number in selected if normal[number].strip()]
    ours = tools.mlir(through.output, GENERIC)
    return differences(selected, COLUMN, theirs, ours, through.errors + ours.errors)
