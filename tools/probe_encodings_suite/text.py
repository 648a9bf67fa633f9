"""The parts of an instruction's text, so that what a bit changes can be named."""

import re
from dataclasses import dataclass, field

HEAD = re.compile(r"^(?:@(!?)(U?P(?:\d+|T))\s+)?([A-Z][A-Z0-9_]*)((?:\.[A-Za-z0-9_]+)*)\s*(.*)$")
SIGNS = re.compile(r"^[!~|-]*")
ATOM = re.compile(
    r"(?<![A-Za-z0-9_])(?P<register>(?:UR|UP|SB|R|P|B)(?:\d+|Z|T)(?![A-Za-z0-9_]))"
    r"|(?P<word>\bSR(?:Z|_[A-Z0-9_]+)(?:\.[A-Z0-9]+)?)"
    r"|(?P<number>-?0x[0-9a-f]+)"
    r"|(?P<float>[+-]?(?:INF|QNAN|SNAN|\d+(?:\.\d+)?(?:e[+-]\d+)?)(?![A-Za-z0-9_]))"
    r"|(?P<selector>\.[A-Za-z][A-Za-z0-9_]*|\.\d[A-Za-z0-9_]*)")


@dataclass
class Text:
    """`shape` has a letter for every register, number and float; `parts` has their texts, and those of
    modifiers, signs and selectors, by name."""

    shape: str
    parts: dict = field(default_factory=dict)


def split_operands(text):
    """The operands, at the commas outside of brackets."""
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
    """The parts of a text; None if it has no mnemonic."""
    found = HEAD.match(text)
    if not found:
        return None
    negated, predicate, base, modifiers, rest = found.groups()
    result = Text("")
    result.parts["guard"] = f"{negated or ''}{predicate}" if predicate else ""
    result.parts["modifiers"] = modifiers
    shapes = []
    for index, operand in enumerate(split_operands(rest)):
        shapes.append(_operand(index, operand, result.parts))
    result.shape = " ".join([base, ", ".join(shapes)]).strip()
    return result


def _operand(index, operand, parts):
    """The shape of an operand; its parts are added."""
    signs = SIGNS.match(operand)[0]
    if signs == "-" and re.match(r"-(0x|\d|INF|QNAN)", operand):
        signs = ""
    parts[f"{index}.signs"] = signs
    rest = operand[len(signs):].replace("|", "")
    selectors, counts = [], {}

    def replace(match):
        kind = match.lastgroup
        if kind == "selector":
            selectors.append(match[0])
            return ""
        value = match[0]
        name = re.match(r"UR|UP|SB|R|P|B", value)[0] if kind == "register" else kind[0]
        place = counts[name] = counts.get(name, -1) + 1
        parts[f"{index}.{name}{place}"] = value
        return "{" + name + "}"

    shape = ATOM.sub(replace, rest)
    parts[f"{index}.reuse"] = ".reuse" if ".reuse" in selectors else ""
    parts[f"{index}.selectors"] = "".join(found for found in selectors if found != ".reuse")
    # An offset of zero is not printed.
    return shape.replace("+{n}]", "]")
