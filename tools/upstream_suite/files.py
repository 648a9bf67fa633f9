"""The .mlir files of upstream: their parts, the dialects these use, their RUN lines."""

import re
import shlex

# The dialects that orison registers and MLIR has too.
COMMON_DIALECTS = {"builtin", "func", "arith", "math", "scf", "cf"}
SEPARATOR = "// -----"

STRING = r'"(?:[^"\\\n]|\\.)*"'


class File:
    """A file of upstream's tests."""

    def __init__(self, root, path):
        self.name = str(path.relative_to(root))
        self.text = path.read_text(errors="replace")
        self.parts = self.text.split(SEPARATOR)
        self.lines = [1]
        for part in self.parts:
            self.lines.append(self.lines[-1] + part.count("\n"))

    def part_name(self, number):
        """The name of a part in reports: path and line."""
        return f"{self.name}:{self.lines[number]}"

    @property
    def directory(self):
        """The row of the file in tables: two folders below `Dialect`, else one."""
        folders = self.name.split("/")[:-1]
        depth = 2 if folders[:1] == ["Dialect"] else 1
        return "/".join(folders[:depth]) or "."


def all_files(source, only):
    """The .mlir files of upstream whose path contains `only`."""
    root = source / "mlir/test"
    files = (File(root, path) for path in sorted(root.rglob("*.mlir")))
    return [file for file in files if only in file.name]


def run_lines(text):
    """The commands of the RUN lines, with continued lines joined."""
    commands, pending = [], ""
    for found in re.finditer(r"RUN:(.*)", text):
        pending += found[1].strip()
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        commands.append(pending)
        pending = ""
    return commands


def mlir_opt_flags(command):
    """The flags of the only mlir-opt in a command, without the file; none if there is another
    form of command in front of the first pipe."""
    try:
        words = shlex.split(command.split("|")[0])
    except ValueError:
        return None
    words = [word for word in words if word != "2>&1"]
    if words[:1] == ["not"]:
        words = words[1:]
    if words[:1] != ["mlir-opt"] or not {"%s", "<%s"} & set(words):
        return None
    return [word for word in words[1:] if word not in ("%s", "<%s", "<")]


def dialects_in_text(text, known):
    """The dialects of a text in any form that are among the known ones: a prefix of an operation,
    an attribute or a type outside of strings and comments, of a quoted operation name, or a key of
    the resources in the metadata of the file."""
    quoted = re.findall(r'"([a-z_]\w*)\.[\w.$]+"\s*[(<]', text)
    text = re.sub(STRING, '""', text)
    text = re.sub(r"//.*", "", text)
    bare = re.findall(r"(?<![\w.$%@^-])[!#]?([a-z_]\w*)\.\w", text)
    opened = re.findall(r"[!#]([a-z_]\w*)<", text)
    keys = re.findall(r"^\s*([a-z_]\w*)\s*:\s*\{", text, flags=re.MULTILINE)
    return known & {*quoted, *bare, *opened, *keys}


def dialects_in_generic(text, known):
    """The dialects of a text in generic form that are among the known ones."""
    operations = re.findall(r'(?:^|= )\s*"([a-z_]\w*)\.[\w.$]+"[(<]', text, flags=re.MULTILINE)
    rest = re.sub(STRING, '""', text)
    opaque = re.findall(r"[!#]([a-z_]\w*)[.<]", rest)
    return known & {*operations, *opaque}
