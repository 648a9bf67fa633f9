"""Transforms: under upstream's RUN lines, FileCheck accepts what orison-opt prints.

A case is a top-level operation, with the comments in front of it, of a file that a RUN line gives to
mlir-opt with passes and options that orison-opt all has. It has no operation, attribute or type of a
dialect that mlir-opt registers and orison does not, and mlir-opt passes it under the same RUN line.
Where mlir-opt does not pass all operations of a part one by one, because they depend on each other,
the part as a whole is a case, too.
"""

import re
import shlex
import subprocess

from .files import (
    COMMON_DIALECTS,
    all_files,
    dialects_in_generic,
    dialects_in_text,
    run_lines,
)
from .report import Report
from .tools import in_parallel

COLUMN = "as FileCheck expects"
DIRECTIVE = r"(?:-(?:LABEL|NEXT|SAME|DAG|NOT|EMPTY|COUNT-\d+))?(?:\{\w+\})?:"
# Options that say something about the run and not about the result.
IGNORED_OPTIONS = {"split-input-file", "mlir-disable-threading"}


def run(source, tools, only):
    """Runs the mode on the files whose path contains `only`."""
    report = Report("Transforms", [COLUMN])
    suite = Suite(source, tools)
    jobs = [
        (file, command, number)
        for file in all_files(source, only)
        for command in filter(None, map(suite.command, run_lines(file.text)))
        for number in range(len(file.parts) if command.splits else 1)
    ]
    for (file, _, _), cases in zip(jobs, in_parallel(lambda job: suite.judge(*job), jobs)):
        for place, problem in cases:
            report.add(file.directory, place, COLUMN, problem)
    return report


class Command:
    """A RUN line: the flags of each mlir-opt, and those of FileCheck, if there is one."""

    def __init__(self, stages, check):
        self.stages = stages
        self.check = check
        self.splits = any("split-input-file" in name(flag) for stage in stages for flag in stage)

    def prefixes(self):
        """The prefixes of the directives that FileCheck checks."""
        words = " ".join(self.check or [])
        found = re.findall(r"-check-prefix(?:es)?[= ](\S+)", words)
        return ",".join(found).split(",") if found else ["CHECK"]


def name(flag):
    """The name of an option without dashes and value."""
    return flag.lstrip("-").split("=")[0]


class Suite:
    """The state shared by all cases."""

    def __init__(self, source, tools):
        self.tools = tools
        help_text = subprocess.run(
            [tools.orison_opt, "--help"], capture_output=True, check=True, text=True
        ).stdout
        passes = help_text[help_text.index("\nPasses") :]
        option = re.compile(r"^ +--([\w-]+)", re.MULTILINE)
        self.options = {*option.findall(help_text), *IGNORED_OPTIONS}
        self.passes = set(option.findall(passes))
        declarations = (source / "mlir/test/lib/Dialect/Test").glob("*.td")
        # Operations of the dialect `test` that mlir-opt registers; it admits all others.
        self.test_operations = {
            found for path in declarations for found in re.findall(r'<"([\w.]+)"', path.read_text())
        }

    def command(self, line):
        """A RUN line, if orison-opt has all it asks for and it runs a pass."""
        try:
            words = shlex.split(line)
        except ValueError:
            return None
        stages, check, stage = [], None, None
        for word in words:
            if word in ("mlir-opt", "FileCheck") and stage is None and check is None:
                stage = []
                if word == "FileCheck":
                    check = stage
                else:
                    stages.append(stage)
            elif stage is None:
                return None
            elif word == "|":
                stage = None
            elif word not in ("%s", "-"):
                stage.append(word)
        if not stages or any(set(stage) & {">", ">>", "<", "2>&1", "&&", ";"} for stage in stages):
            return None
        flags = [flag for stage in stages for flag in stage]
        known = all(flag.startswith("-") and self.offers(flag) for flag in flags)
        return Command(stages, check) if known and any(map(self.runs_pass, flags)) else None

    def offers(self, flag):
        """Whether orison-opt has an option and all passes it names."""
        if name(flag) == "pass-pipeline":
            return pipeline(flag) <= self.passes
        return name(flag) in self.options

    def runs_pass(self, flag):
        """Whether an option runs a pass."""
        return name(flag) in self.passes or (name(flag) == "pass-pipeline" and pipeline(flag))

    def judge(self, file, command, number):
        """The outcomes of a part of a file: place and problem."""
        whole = file.parts[number] if command.splits else file.text
        place = file.part_name(number)
        pieces = list(split(whole))
        alone = [piece for piece in pieces if self.passes_mlir(piece, command)]
        if len(alone) < len(pieces) and self.passes_mlir(whole, command):
            alone.append(whole)
        outcomes = []
        for piece in alone:
            if self.is_common(piece):
                label = re.search(r"@[\w.$-]+", piece)
                problem = self.outcome("orison-opt", piece, command)
                outcomes.append((f"{place} {label[0] if label else ''}", problem))
        return outcomes

    def passes_mlir(self, text, command):
        """Whether mlir-opt passes a text."""
        return self.outcome("mlir-opt", text, command) == ""

    def is_common(self, text):
        """Whether a text has nothing of dialects that only mlir-opt registers."""
        if dialects_in_text(text, self.tools.dialects - COMMON_DIALECTS - {"test"}):
            return False
        flags = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
        flags.append("--mlir-very-unsafe-disable-verifier-on-parsing")
        generic = self.tools.mlir(text, flags).output
        others = dialects_in_generic(generic, self.tools.dialects - COMMON_DIALECTS)
        if others == {"test"} and not re.search(r"[!#]test\b", generic):
            return not self.test_operations & set(re.findall(r'"test\.([\w.]+)"', generic))
        return not others

    def outcome(self, tool, text, command):
        """The failure of the output of a tool under a command; empty if it passes."""
        answer, extra, output = self.tools.mlir, [], text
        if tool == "orison-opt":
            answer = self.tools.orison
            # To mlir-opt all operations of this dialect are known.
            extra = ["--allow-unregistered-dialect"] if "test." in text else []
        for stage in command.stages:
            done = answer(output, [*extra, *stage])
            if done.code != 0:
                return done.errors.strip() or f"exit status {done.code}"
            output = done.output
        prefixes = "|".join(map(re.escape, command.prefixes()))
        if command.check is None or not re.search(f"(?:{prefixes}){DIRECTIVE}", text):
            return ""
        return self.tools.file_check(text, output, command.check)


def pipeline(flag):
    """The passes of a `--pass-pipeline`."""
    text = flag.split("=", 1)[-1].strip("'\"")
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", "", text)
    anchors = set(re.findall(r"([\w.-]+)\(", text))
    return set(re.findall(r"[\w.-]+", text)) - anchors


def split(text):
    """The top-level operations of a text with the comments in front of each. Aliases that are
    defined at the beginning of a line go with each of them."""
    aliases = "".join(re.findall(r"^[#!]\w+ *= .*\n", text, re.MULTILINE))
    piece, ended, first = "", False, True
    for line in text.splitlines(keepends=True):
        if ended and re.match(r"//|[a-z_]+\.|module\b|\"", line):
            yield piece if first else aliases + piece
            piece, ended, first = "", False, False
        piece += line
        ended = ended or line.startswith("}")
    yield piece if first else aliases + piece
