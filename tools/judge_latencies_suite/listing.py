"""Reads what nvdisasm -c -hex -plr -lrm narrow prints: instructions, their control words, and the registers
that nvdisasm says each defines and uses.
"""

import json
import os
import re
import subprocess

# An instruction is two lines, one for each half of its word; the marks are at the end of the second.
ITEM = re.compile(
    r"^[ \t]+/\*([0-9a-f]{4,6})\*/[ ]+(?:@(!?U?P\w+)[ ]+)?([A-Z][\w.]*)[ ]*(.*?)[ ]*;[ ]*(?:/\* B[^*]*\*/[ ]*)?"
    r"/\* 0x[0-9a-f]{16} \*/.*\n"
    r"[ ]+/\* 0x([0-9a-f]{16}) \*/(?:[ ]*// \|(.*))?"
    r"|^\t\.section[ \t]+\.text\.([^,\s]+)"
    r"|^[ ]*// (\|[^\n0-9]*# 0.*)"
    r"|^[ ]*// (\| *GPR.*)"
    r"|^\t\.(?:target[ \t]+sm_|headerflags[^\n]* EF_CUDA_SM)(\d+)"
    r"|^([.$\w]+):[ \t]*(?://.*)?$",
    re.M,
)
MARK = re.compile(r"[v^x]")
REGISTER = re.compile(r"(?<![\w.])(U?)([RP])(\d+)")
LISTED = re.compile(r"(U?[RP])(\d+)(?:-U?[RP]?(\d+))?")
TEXT = re.compile(r"(?:@(!?U?P\w+)\s+)?(\S+)\s*(.*)")
WAITED_COUNT = re.compile(r"SB(\d), 0x([0-9a-f]+)")

# Bytes of an instruction.
SIZE = 16

FILES = {"GPR": "R", "PRED": "P", "UGPR": "UR", "UPRED": "UP"}


class Instruction:
    """An instruction. `defines` and `uses` are pairs (register file, number), `partial` the scoreboard of which a
    wait leaves operations in flight, and how many, and `named` the only scoreboard that a `DEPBAR.LE` names."""

    __slots__ = (
        "address", "guard", "mnemonic", "operands", "stall", "write_barrier", "read_barrier", "waits",
        "defines", "uses", "partial", "named",
    )  # fmt: skip


class Function:
    """A function. `fixed` are mnemonics that need no scoreboard in it, though they do in other code, and
    `labels` pairs of the number of the instruction behind a label and its name."""

    def __init__(self, machine, name):
        self.machine, self.name, self.instructions, self.fixed, self.labels = machine, name, [], set(), []


def instruction(address, guard, mnemonic, operands, word):
    """An instruction, of which `word` is the upper half, without its registers."""
    result = Instruction()
    result.address, result.guard, result.mnemonic, result.operands = address, guard, mnemonic, operands
    # Bits 105 to 121 of the word: stall, yield, write and read scoreboard, mask of scoreboards waited for.
    control = word >> 41
    result.stall = control & 15
    result.write_barrier = control >> 5 & 7
    result.read_barrier = control >> 8 & 7
    result.waits = control >> 11 & 63
    result.partial, result.named = (), None
    if mnemonic.startswith("DEPBAR"):
        counted, others = WAITED_COUNT.search(operands), re.findall(r"\{([\d,]+)\}", operands)
        if counted:
            barrier, left = int(counted.group(1)), int(counted.group(2), 16)
            if left:
                result.partial = (barrier, left)
            else:
                result.waits |= 1 << barrier
            result.named = None if others else barrier
        for barriers in others:
            for number in barriers.split(","):
                result.waits |= 1 << int(number)
    return result


def marked(columns, marks):
    """The registers that are defined and used, by the marks at the end of a line."""
    defines, uses = [], []
    for (file, offset), column in zip(columns, marks.split("|")):
        for mark in MARK.finditer(column):
            register = (file, mark.start() - offset)
            kind = mark.group()
            if kind != "v":
                defines.append(register)
            if kind != "^":
                uses.append(register)
    return defines, uses


def parse(text):
    """Yields the functions of a listing."""
    function, machine, names, columns = None, "", (), ()
    for found in ITEM.finditer(text):
        kind = found.lastindex
        if kind in (5, 6):
            if function is not None:
                address, guard, mnemonic, operands, word, marks = found.group(1, 2, 3, 4, 5, 6)
                item = instruction(int(address, 16), guard, mnemonic, operands, int(word, 16))
                item.defines, item.uses = marked(columns, marks or "")
                function.instructions.append(item)
        elif kind == 7:
            if function is not None and function.instructions:
                yield function
            function, columns = Function(machine, found.group(7)), ()
        elif kind == 9:
            names = [FILES[name] for name in re.findall(r"[A-Z]+", found.group(9))]
        elif kind == 8:
            header = found.group(8).strip("|").split("|")
            columns = [(name, column.index("#") + 2) for name, column in zip(names, header)]
        elif kind == 11:
            if function is not None:
                function.labels.append((len(function.instructions), found.group(11)))
        else:
            machine = f"sm_{found.group(10)}"
    if function is not None and function.instructions:
        yield function


def listed(text):
    """The registers of a text such as `R2-R5 P0`."""
    registers = []
    for found in LISTED.finditer(text):
        first, last = int(found[2]), int(found[3] or found[2])
        registers.extend((found[1], number) for number in range(first, last + 1))
    return registers


def from_json(path):
    """Yields the functions of a file like dialects/sass/tests/real/*.json (see the README there)."""
    machine = re.search(r"\.(sm_\d+)", path).group(1)
    with open(path, encoding="utf-8") as file:
        contents = json.load(file)
    for found in contents["functions"]:
        function = Function(machine, found["name"])
        for address, text, _, word, _, defines, uses in found["instructions"]:
            guard, mnemonic, operands = TEXT.match(text).groups()
            item = instruction(address, guard, mnemonic, operands, int(word, 16))
            item.defines, item.uses = listed(defines), listed(uses)
            function.instructions.append(item)
        function.labels = [(first // SIZE, "") for _, first, _, _ in found["blocks"]]
        yield function


def functions(path, nvdisasm):
    """The functions of a file: a cubin, a listing, or the JSON of one."""
    if path.endswith(".json"):
        return from_json(path)
    if path.endswith(".cubin"):
        command = [nvdisasm, "-c", "-hex", "-plr", "-lrm", "narrow", path]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        return parse(result.stdout)
    with open(path, encoding="utf-8", errors="replace") as file:
        return parse(file.read())


def below(paths):
    """All files to read of paths that are files or directories."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith((".cubin", ".plr", ".json")):
                    yield os.path.join(folder, name)
