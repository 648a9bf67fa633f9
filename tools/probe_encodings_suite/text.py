"""The parts of an instruction's text, so that what a bit changes can be named."""

import re

HEAD = re.compile(r"^(?:@(!?)(U?P(?:\d+|T))\s+)?([A-Z][A-Z0-9_]*)((?:\.[A-Za-z0-9_]+)*)\s*(.*)$")
SIGNS = re.compile(r"^[!~|-]*")
FLOAT = re.compile(r"[+-]?(?:INF|QNAN|SNAN|\d+(?:\.\d+)?(?:e[+-]?\d+)?)$")
# `1.5.H1`: nvdisasm prints the selector of a register for a number.
FLOAT_WITH_SELECTOR = re.compile(r", [+-]?(?:\d[0-9.e+-]*|INF|QNAN|SNAN) ?\.[A-Z]")
NUMBER = re.compile(r"@?-?0x[0-9a-f]+$")
SCOREBOARDS = re.compile(r"\{[0-9,]*\}$")
REGISTER = re.compile(r"(UR|UP|SB|R|P|B)(\d+|Z|T)(?![A-Za-z0-9_])")
ATOM = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<register>(UR|UP|SB|R|P|B)(?:\d+|Z|T)(?![A-Za-z0-9_]))"
    r"|(?P<number>@?-?0x[0-9a-f]+)"
    r"|(?P<selector>(?:\.[A-Za-z0-9_]+)+)")
LAST_BRACKET = re.compile(r"(?<!desc)\[([^\[\]]*\})\]$")


class Text:
    """`shape` has the mnemonic and the kinds of the operands, with a letter for each register, number, float and
    word; `parts` has the texts of these, and those of modifiers, signs and selectors, by name: `1.a0` is the
    first atom of the second operand, `1.s0` the selectors after it, `1.se` those after the last bracket, `1.g`
    the signs, `1.r` the mark of a register that is kept."""

    __slots__ = ("shape", "parts", "guard")

    def __init__(self, shape, parts, guard):
        self.shape = shape
        self.parts = parts
        self.guard = guard


def split_operands(text):
    """The operands, at the commas outside of brackets."""
    if "," not in text:
        return [text.strip()] if text.strip() else []
    operands, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "[({":
            depth += 1
        elif letter in "])}":
            depth -= 1
        elif letter == "," and depth == 0:
            operands.append(text[start:place].strip())
            start = place + 1
    if text[start:].strip():
        operands.append(text[start:].strip())
    return operands


def parse(text):
    """The parts of a text; None if it has no mnemonic, or names something invalid."""
    if "INVALID" in text or "???" in text or FLOAT_WITH_SELECTOR.search(text):
        return None
    found = HEAD.match(text)
    if not found:
        return None
    negated, predicate, base, modifiers, rest = found.groups()
    parts = {"m": modifiers}
    shapes = [_operand(index, operand, parts) for index, operand in enumerate(split_operands(rest))]
    guard = f"{negated or ''}{predicate}" if predicate else ""
    return Text(" ".join([base, ", ".join(shapes)]).strip(), parts, guard)


def _operand(index, operand, parts):
    """The shape of an operand; its parts are added."""
    if FLOAT.match(operand):
        parts[f"{index}.a0"] = operand
        return "{f}"
    if NUMBER.match(operand):
        parts[f"{index}.a0"] = operand
        return "{d}" if operand[0] == "@" else "{n}"
    if SCOREBOARDS.match(operand):
        parts[f"{index}.a0"] = operand
        return "{S}"
    signs = SIGNS.match(operand)[0]
    rest = operand[len(signs):].replace("|", "")
    if "[" not in rest and not REGISTER.match(rest):
        parts[f"{index}.a0"] = operand
        return "{w}"
    parts[f"{index}.g"] = signs
    count = 0

    def replace(match):
        nonlocal count
        kind = match.lastgroup
        if kind == "selector":
            place = "e" if rest[match.start() - 1] == "]" else str(count - 1)
            words = match[0]
            if words.startswith(".reuse"):
                parts[f"{index}.r"] = ".reuse"
                words = words[len(".reuse"):]
            parts[f"{index}.s{place}"] = words
            return ""
        parts[f"{index}.a{count}"] = match[0]
        count += 1
        return "{" + (match[2] or ("d" if match[0][0] == "@" else "n")) + "}"

    shape = ATOM.sub(replace, rest)
    # An offset of zero is not printed.
    last = LAST_BRACKET.search(shape)
    if last and not last[1].endswith("{n}"):
        parts[f"{index}.a{count}"] = "0x0"
        shape = shape[:-1] + "+{n}]"
    return shape


def kinds(shape):
    """The kind of each atom by the name of its part."""
    _, _, rest = shape.partition(" ")
    found = {}
    for index, operand in enumerate(split_operands(rest)):
        for place, atom in enumerate(re.findall(r"\{(\w+)\}", operand)):
            found[f"{index}.a{place}"] = atom
    return found


def value(part):
    """The number of a register or immediate; None for `RZ`, `PT` and everything else."""
    if NUMBER.match(part):
        return int(part.lstrip("@"), 16)
    if SCOREBOARDS.match(part):
        return sum(1 << int(bit) for bit in part[1:-1].split(",") if bit)
    found = REGISTER.match(part)
    return int(found[2]) if found and found[2].isdigit() else None


def scoreboards(bits):
    """The text of a set of scoreboards."""
    return "{" + ",".join(str(bit) for bit in reversed(range(bits.bit_length())) if bits >> bit & 1) + "}"


def words_of(name, part):
    """The modifiers or selectors of a part, or its signs."""
    if name.endswith(".g"):
        return tuple(part)
    if name == "m" or ".s" in name:
        return tuple(part.split(".")[1:])
    return (part,) if part else ()
