"""Forms of instructions, and what each bit of them changes."""

import re
from dataclasses import dataclass, field

from . import seeds, text

# Bits 122 to 125 keep registers for reuse; the other bits of the control word are in no text.
PROBED = [*range(12, 105), 122, 123, 124, 125, 126, 127]
SEEDS = 3
MOST_SHAPES = 24
NUMBER = re.compile(r"^-?0x[0-9a-f]+$")
REGISTER = re.compile(r"^(UR|UP|SB|R|P|B)(\d+|Z|T)$")


@dataclass
class Form:
    """All encodings of an opcode whose texts have the same shape."""

    opcode: int
    shape: str
    words: list = field(default_factory=list)
    # For each bit, what its change did to each seed: "refused", "same", "shape", or the parts.
    effects: dict = field(default_factory=dict)
    # For each part that is a number or register, the bits with what they add.
    weights: dict = field(default_factory=dict)
    # For each part that was `RZ`, `URZ` or `PT`, all its bits set, the register that each bit leaves.
    left: dict = field(default_factory=dict)


def value(part):
    """The number of a register or immediate; None for `RZ`, floats and everything else."""
    if NUMBER.match(part):
        return int(part, 16)
    found = REGISTER.match(part)
    return int(found[2]) if found and found[2].isdigit() else None


def discover(disassembler, words):
    """The forms of accepted encodings and of those that differ from them in one bit."""
    forms, todo = {}, list(dict.fromkeys(words))
    while todo:
        added = []
        for word, found in zip(todo, disassembler.texts(todo)):
            parsed = text.parse(found) if found else None
            if parsed is None or "INVALID" in found or "???" in found:
                continue
            key = (word & 0xfff, parsed.shape)
            siblings = sum(1 for opcode, _ in forms if opcode == key[0])
            if key not in forms and siblings >= MOST_SHAPES:
                continue
            form = forms.setdefault(key, Form(*key))
            if len(form.words) < SEEDS:
                form.words.append(word)
                added.append(word)
        todo = [word ^ 1 << bit for word in added for bit in PROBED]
    return forms


def probe(disassembler, form):
    """Changes each bit of each seed."""
    for word in form.words:
        flipped = [word] + [word ^ 1 << bit for bit in PROBED]
        base, *others = disassembler.texts(flipped)
        parts = text.parse(base).parts
        for bit, other in zip(PROBED, others):
            form.effects.setdefault(bit, []).append(_effect(form, word, bit, parts, other))
    complete(form)


def _effect(form, word, bit, parts, other):
    if other is None:
        return "refused"
    parsed = text.parse(other)
    if parsed is None or parsed.shape != form.shape:
        return "shape"
    changed = [name for name in {**parts, **parsed.parts} if parts.get(name, "") != parsed.parts.get(name, "")]
    for name in changed:
        before, after = value(parts.get(name, "")), value(parsed.parts.get(name, ""))
        if after is not None and parts.get(name, "")[-1:] in ("Z", "T"):
            form.left.setdefault(name, {})[bit] = after
        if before is None and name[-2:-1] == "n" and name not in parts:
            before = 0
        if after is None and name[-2:-1] == "n" and name not in parsed.parts:
            after = 0
        if before is not None and after is not None:
            weight = (after - before) * (-1 if word >> bit & 1 else 1)
            form.weights.setdefault(name, {}).setdefault(bit, set()).add(weight)
    return ",".join(sorted(changed)) or "same"


def complete(form):
    """The register without number has all bits set: a bit that leaves another one adds the difference."""
    for name, left in form.left.items():
        highest = (1 << len(left)) - 1
        for bit, after in left.items():
            form.weights.setdefault(name, {}).setdefault(bit, set()).add(highest - after)


def ranges(bits):
    """The fields of a number: (first bit, width, what the first bit adds, whether it is signed). None if a bit
    adds different amounts in different seeds, or other amounts than powers of two."""
    single = {}
    for bit, weights in bits.items():
        if len(weights) != 1:
            return None
        single[bit], = weights
    found = []
    for bit in sorted(single):
        last = found[-1] if found else None
        weight = single[bit]
        if last and bit == last[0] + last[1] and abs(weight) == last[2] << last[1] and not last[3]:
            found[-1] = (last[0], last[1] + 1, last[2], weight < 0)
        elif weight > 0:
            found.append((bit, 1, weight, False))
        else:
            return None
    return found
