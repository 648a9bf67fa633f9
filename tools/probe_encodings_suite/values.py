"""How the bits of modifiers, signs and selectors are divided into fields, and what their values mean.

A process of nvdisasm takes long to start. So what asks for texts is a generator that yields encodings and is sent
their texts, and `together` runs those of all forms with one process for a question of each.
"""

import collections
import itertools

from . import text

# A field of more bits is not listed.
WIDEST = 8


def words_of(part):
    """The modifiers or selectors of a part, or its signs, as a multiset."""
    return collections.Counter(part.split(".")[1:] if part.startswith(".") else part)


def is_listed(name):
    """Whether the values of a part are words."""
    return name == "modifiers" or name.endswith((".signs", ".selectors", ".reuse")) or name[-2:-1] == "w"


class Context:
    """Changes of one encoding, as far as they keep the shape."""

    def __init__(self, form):
        self.shape = form.shape
        self.word = form.words[0]

    def parts(self, changes):
        """The parts after each set of bits is changed; None if the shape is another, or nothing is printed."""
        words = [self.word ^ sum(1 << bit for bit in bits) for bits in changes]
        result = []
        for found in (yield words):
            parsed = text.parse(found) if found else None
            kept = parsed is not None and parsed.shape == self.shape and "INVALID" not in found
            result.append(parsed.parts if kept and "???" not in found else None)
        return result


def groups(context, name, bits):
    """The bits of a part, in sets that are independent of each other: what a bit adds and removes does not
    depend on the bits of other sets."""
    pairs = list(itertools.combinations(bits, 2))
    changes = [()] + [(bit,) for bit in bits] + pairs
    found = dict(zip(changes, (yield from context.parts(changes))))
    words = {key: None if parts is None else words_of(parts.get(name, "")) for key, parts in found.items()}
    joined = {bit: {bit} for bit in bits}
    for first, second in pairs:
        four = [words[()], words[first,], words[second,], words[first, second]]
        if any(part is None for part in four[:3]):
            continue
        if four[3] is None or _difference(four[1], four[0]) != _difference(four[3], four[2]):
            union = joined[first] | joined[second]
            for bit in union:
                joined[bit] = union
    return sorted({tuple(sorted(group)) for group in joined.values()})


def _difference(after, before):
    return {word: after[word] - before[word] for word in {*after, *before} if after[word] != before[word]}


def of_group(context, name, group):
    """What each value of the bits means, without what all of them have. Values that nvdisasm does not accept in
    this encoding are absent."""
    old = sum(1 << place for place, bit in enumerate(group) if context.word >> bit & 1)
    numbers = range(1 << len(group))
    changes = [tuple(bit for place, bit in enumerate(group) if (number ^ old) >> place & 1) for number in numbers]
    printed = yield from context.parts(changes)
    found = {number: parts.get(name, "") for number, parts in zip(numbers, printed) if parts is not None}
    if name[-2:-1] == "w":
        return found
    common = None
    for part in found.values():
        common = words_of(part) if common is None else common & words_of(part)
    dot = "" if name.endswith(".signs") else "."
    return {number: "".join(dot + word for word in _without(part, common)) for number, part in found.items()}


def _without(part, common):
    """The words in the order of the text, without the common ones."""
    left = collections.Counter(common)
    for word in part.split(".")[1:] if part.startswith(".") else part:
        if left[word]:
            left[word] -= 1
        else:
            yield word


def fields(form):
    """(part, bits, {value: text}) for each field of words."""
    context, result = Context(form), []
    bits = collections.defaultdict(set)
    for bit, effects in form.effects.items():
        for name in {name for effect in effects for name in effect.split(",") if is_listed(name)}:
            bits[name].add(bit)
    for name in sorted(bits):
        for group in (yield from groups(context, name, sorted(bits[name]))):
            listed = (yield from of_group(context, name, group)) if len(group) <= WIDEST else {}
            result.append((name, group, listed))
    return result


def together(disassembler, generators):
    """What each of the generators, by key, returns."""
    waiting, results = {}, {}

    def resume(key, answer):
        try:
            waiting[key] = generators[key].send(answer)
        except StopIteration as stopped:
            waiting.pop(key, None)
            results[key] = stopped.value

    for key in generators:
        resume(key, None)
    while waiting:
        asked = dict(waiting)
        disassembler.texts([word for words in asked.values() for word in words])
        for key, words in asked.items():
            resume(key, disassembler.texts(words))
    return results
