"""Whether the fields that were found say what nvdisasm prints for encodings that were not probed."""

import random

from . import forms, text

DRAWS = 8


def fields_of(form):
    """The fields of the numbers and registers whose bits are completely known."""
    found = {}
    for name, weights in form.weights.items():
        ranges = forms.ranges(weights)
        changing = {bit for bit, effects in form.effects.items()
                    for effect in effects if name in effect.split(",")}
        if ranges and changing == set(weights):
            found[name] = ranges
    return found


def draw(chooser, word, fields):
    """The encoding with random numbers in the fields, and these numbers. Fields with common bits are left as
    they are, and no register has all bits set."""
    expected, used = {}, set()
    for name, ranges in sorted(fields.items()):
        bits = [bit for first, width, _, _ in ranges for bit in range(first, first + width)]
        if used & set(bits):
            continue
        used.update(bits)
        total = 0
        for first, width, scale, signed in ranges:
            chosen = chooser.randrange((1 << width) - 1)
            word = word & ~((1 << width) - 1 << first) | chosen << first
            negative = signed and chosen >> width - 1
            total += scale * (chosen - (1 << width if negative else 0))
        expected[name] = total
    return word, expected


def check(disassembler, all_forms):
    """For each form the numbers of draws that nvdisasm prints as expected, otherwise, with another shape, and
    not at all."""
    chooser = random.Random(1)
    drawn = []
    for key in sorted(all_forms):
        form = all_forms[key]
        fields = fields_of(form)
        for _ in range(DRAWS if fields else 0):
            drawn.append((key, *draw(chooser, chooser.choice(form.words), fields)))
    results = {}
    printed = disassembler.texts([word for _, word, _ in drawn])
    for (key, _, expected), found in zip(drawn, printed):
        counts = results.setdefault(key, {"equal": 0, "different": 0, "shape": 0, "refused": 0})
        counts[_outcome(all_forms[key], expected, found)] += 1
    return results


def _outcome(form, expected, found):
    parsed = text.parse(found) if found else None
    if parsed is None:
        return "refused"
    if parsed.shape != form.shape:
        return "shape"
    # An offset of zero is not printed.
    same = all(forms.value(parsed.parts.get(name, "0x0")) == number for name, number in expected.items())
    return "equal" if same else "different"
