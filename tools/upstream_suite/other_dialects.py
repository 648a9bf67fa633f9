"""Other dialects: what orison-opt reads and prints in generic form is to mlir-opt what it was.

A case is a part of a file that mlir-opt accepts with `--allow-unregistered-dialect` and no passes
and that has something of a dialect that orison does not register. mlir-opt writes it in generic
form, orison-opt reads that and writes it, mlir-opt reads that and writes the same as before.
"""

from .files import COMMON_DIALECTS, SEPARATOR, all_files, dialects_in_generic
from .report import Report, first_difference
from .round_trips import GENERIC, accepted, printed
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
    # What mlir-opt does not read again itself is no case.
    normal = both_ways(tools.mlir, [generic[number] for number in selected])
    wanted = {number: part for number, part in zip(selected, normal) if part.strip()}
    through = both_ways(tools.orison, [generic[number] for number in wanted])
    written = [number for number, part in zip(wanted, through) if part.strip()]
    found = both_ways(tools.mlir, [part for part in through if part.strip()])
    found = dict(zip(written, found))
    return [
        (number, COLUMN, first_difference(part, found.get(number, "")))
        for number, part in wanted.items()
    ]


def both_ways(tool, parts):
    """What a tool reads from parts in generic form and writes in generic form, part by part; empty
    parts for what it refuses."""
    if not parts:
        return []
    answer = tool((SEPARATOR + "\n").join(parts), GENERIC)
    written = printed(answer)
    return written if len(written) == len(parts) else [""] * len(parts)
