"""Round trips: orison-opt prints what mlir-opt prints, and reads its custom form as mlir-opt does.

A case is a part of a file that mlir-opt accepts with `--allow-unregistered-dialect` and no passes,
that is not empty, and that has in generic form no operation, attribute or type of a dialect that
mlir-opt registers and orison does not.
"""

from .files import COMMON_DIALECTS, SEPARATOR, all_files, dialects_in_generic
from .report import Report, first_difference
from .tools import in_parallel

COMMON_FLAGS = ["--split-input-file", "--allow-unregistered-dialect"]
GENERIC = [*COMMON_FLAGS, "--mlir-print-op-generic"]
EMPTY_MODULE = '"builtin.module"() ({\n}) : () -> ()'
# Columns of the table, and the flags of both tools.
FORMS = {
    "generic form": GENERIC,
    "custom form": COMMON_FLAGS,
    "with locations": [*GENERIC, "--mlir-print-debuginfo"],
}
READ_AGAIN = "read again"


def run(source, tools, only):
    """Runs the mode on the files whose path contains `only`."""
    files = all_files(source, only)
    report = Report("Round trips", [*FORMS, READ_AGAIN])
    for file, cases in zip(files, in_parallel(lambda file: compare(tools, file), files)):
        for number, column, problem in cases:
            report.add(file.directory, file.part_name(number), column, problem)
    return report


def accepted(tools, file):
    """The parts of a file in generic form as mlir-opt prints them; empty ones for parts that it
    refuses."""
    answer = tools.mlir(file.text, GENERIC)
    parts = printed(answer)
    return parts if len(parts) == len(file.parts) else [""] * len(file.parts)


def compare(tools, file):
    """The outcomes of a file: part, column, problem."""
    generic = accepted(tools, file)
    others = tools.dialects - COMMON_DIALECTS
    selected = [
        number
        for number, part in enumerate(generic)
        if part.strip() not in ("", EMPTY_MODULE) and not dialects_in_generic(part, others)
    ]
    if not selected:
        return []
    cases = []
    for column, flags in FORMS.items():
        theirs = tools.mlir(file.text, flags)
        ours = tools.orison(file.text, flags)
        cases += differences(selected, column, theirs, ours, ours.errors)
    return cases + read_again(tools, file, selected)


def read_again(tools, file, selected):
    """The outcomes of reading orison's custom form with both tools."""
    custom = printed(tools.orison(file.text, COMMON_FLAGS))
    written = [number for number in selected if number < len(custom) and custom[number].strip()]
    text = (SEPARATOR + "\n").join(custom[number] for number in written)
    ours = tools.orison(text, GENERIC)
    theirs = tools.mlir(text, GENERIC)
    outcomes = differences(range(len(written)), READ_AGAIN, theirs, ours, ours.errors)
    cases = [(written[number], column, problem) for number, column, problem in outcomes]
    missing = set(selected) - set(written)
    return cases + [(number, READ_AGAIN, "not printed") for number in sorted(missing)]


def differences(selected, column, theirs, ours, errors):
    """The outcomes of one check of the selected parts."""
    theirs, ours = printed(theirs), printed(ours)
    if len(theirs) != len(ours):
        return [(number, column, errors or "ended early") for number in selected]
    outcomes = []
    for number in selected:
        problem = first_difference(theirs[number], ours[number])
        if problem and not ours[number].strip():
            problem = "refused: " + errors
        outcomes.append((number, column, problem))
    return outcomes


def printed(answer):
    """The parts of what a tool printed."""
    return answer.output.split(SEPARATOR + "\n")
