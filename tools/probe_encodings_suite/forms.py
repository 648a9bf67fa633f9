"""Forms of an opcode: regions of its encodings in which every part of the text is a function of few bits.

The encodings of an opcode are divided by conditions, `(bits & mask) == value`, until all encodings of a region
have a text of the same shape, and each part of it is found by `parts.fit`. Conditions are on single bits, on
registers that are `RZ`, `PT` or `URZ`, and on numbers that are 0, 1, all ones or a power of two.
"""

import math
import random
from collections import Counter

try:
    import numpy
except ImportError:
    # Slower.
    numpy = None

from . import parts
from .fields import GUARD, PROBED, WIDEST

DEEPEST = 14
MOST_LEAVES = 150
# Of a number that is printed differently, so many values may be conditions.
MOST_VALUES = 3
LONG = 9
# Of an opcode that no real code has.
MOST_UNKNOWN_LEAVES = 24
DRAWS = 80
STARTS = 3
# The bits of so many encodings of different shapes are changed.
MOST_FLIPPED = 4
# Words of a region are mended so often.
ROUNDS = 6


class Condition:
    """`(word & mask) == value`, or, without a value, that the bits of the mask are a power of two."""

    def __init__(self, mask, value):
        self.mask = mask
        self.value = value
        self.low = (mask & -mask).bit_length() - 1
        self.key = (bin(mask).count("1") == 1, mask, -1 if value is None else value)

    def holds(self, word):
        if self.value is None:
            number = word & self.mask
            return number != 0 and number & (number - 1) == 0
        return word & self.mask == self.value

    def holds_all(self, low, high):
        """Whether it holds, for arrays of the halves of words."""
        mask = [numpy.uint64(half) for half in (self.mask & (1 << 64) - 1, self.mask >> 64)]
        if self.value is None:
            number = low & mask[0] if mask[1] == 0 else high & mask[1]
            return (number != 0) & (number & (number - numpy.uint64(1)) == 0)
        value = [numpy.uint64(half) for half in (self.value & (1 << 64) - 1, self.value >> 64)]
        return (low & mask[0] == value[0]) & (high & mask[1] == value[1])

    def impose(self, word, wanted, chooser):
        """A word for which the condition has this truth."""
        for _ in range(20):
            if self.holds(word) == wanted:
                return word
            if wanted:
                new = self.value if self.value is not None else 1 << chooser.choice(_bits(self.mask))
            else:
                new = sum(1 << bit for bit in _bits(self.mask) if chooser.random() < 0.5)
            word = word & ~self.mask | new
        return word


def _bits(mask):
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


class Opcode:
    """The encodings of an opcode that were printed, and the conditions that may divide them."""

    def __init__(self, code):
        self.code = code
        self.samples = {}
        self.real = set()
        # A random part of the real encodings, how many there are, and how many of the part each leaf has.
        self.usage = ()
        self.frequency = 0
        # Words all of whose bits were changed.
        self.flipped = set()
        self.conditions = {}
        # Bits of registers, in any form.
        self.registers = 0
        # Bits of words, and what bits add to numbers, by part.
        self.words = {}
        self.numbers = {}
        self.floats = {}
        self.leaves = 0
        self.root = None
        self.condition(7 << GUARD[0], 7 << GUARD[0])
        self.new = []

    def add(self, word, parsed):
        if parsed is not None and word not in self.samples:
            self.samples[word] = parsed
            self.new.append(word)

    def condition(self, mask, value):
        found = Condition(mask, value)
        self.conditions.setdefault(found.key, found)

    def note_field(self, kind, bits):
        """Conditions on a register or number that was found."""
        mask = sum(1 << bit for bit in bits)
        if len(bits) < 2:
            return
        if kind in ("n", "d", "S"):
            self.condition(mask, 0)
            if len(bits) == 32:
                self.condition(mask, 1 << bits[0])
                self.condition(mask, None)
            elif len(bits) < 16:
                self.condition(mask, mask)
        elif kind != "f" and bits == list(range(bits[0], bits[-1] + 1)):
            self.condition(mask, 0 if kind.endswith("~") else mask)
            if kind in ("R", "UR"):
                self.registers |= mask

    def route(self):
        """Gives the new samples to their regions."""
        for word in self.new:
            self.root.find(word).own[word] = self.samples[word]
        self.new = []


class Region:
    """The encodings of an opcode for which the conditions have the given truths."""

    def __init__(self, opcode, path=()):
        self.opcode = opcode
        self.path = path
        self.own = {}
        self.children = None
        self.model = None
        self.errors = 0
        self.tested = 0
        self.split_on = None

    def has(self, word):
        return all(condition.holds(word) == truth for condition, truth in self.path)

    def impose(self, word, chooser):
        for _ in range(4):
            for condition, truth in self.path:
                word = condition.impose(word, truth, chooser)
            if self.has(word):
                return word
        return None

    def leaves(self):
        if self.children is None:
            return [self]
        return [leaf for child in self.children for leaf in child.leaves()]

    def find(self, word):
        region = self
        while region.children is not None:
            region = region.children[0 if region.split_on.holds(word) else 1]
        return region


def _entropy(counts):
    total = sum(counts)
    return -sum(count / total * math.log2(count / total) for count in counts if count) if total else 0.0


MOST = 4000


def best_condition(region, labels, fields=(), within=0):
    """The condition that tells most about the labels of words; None if none tells anything. A register that is
    `RZ` is preferred to a bit of it. `within`: the condition is on some of these bits."""
    words = list(labels)
    if len(words) > MOST:
        words = random.Random(len(words)).sample(words, MOST)
    numbers = {}
    ids = [numbers.setdefault(labels[word], len(numbers)) for word in words]
    totals = _counts(ids, len(numbers))
    columns = Columns(words, ids)
    whole = _entropy(totals)
    used = {condition.key for condition, _ in region.path}
    # No part depends on a single bit of a register or number.
    closed = sum(1 << bit for bit in fields)
    keys = [key for key in sorted(region.opcode.conditions) if not (key in used or key[0] and key[1] & closed)]

    def best_of(keys):
        best, most = None, 1e-9
        for key in keys:
            condition = region.opcode.conditions[key]
            counts = columns.counts(condition, len(numbers))
            count = sum(counts)
            if count in (0, len(ids)):
                continue
            outside = [total - inside for total, inside in zip(totals, counts)]
            gain = whole - (count * _entropy(counts) + (len(ids) - count) * _entropy(outside)) / len(ids)
            # A single bit of what is a register elsewhere must tell more; any other one is preferred to a value of a
            # field.
            if key[0]:
                gain *= 1.05 if not key[1] & region.opcode.registers else 1 / 3
            if gain > most * 1.0001:
                best, most = condition, gain
        return best

    return best_of([key for key in keys if not within or key[1] & within])


def _counts(ids, size):
    counts = [0] * size
    for number in ids:
        counts[number] += 1
    return counts


class Columns:
    """Words with their labels, for which many conditions are tried: with numpy, all words at once."""

    def __init__(self, words, ids):
        self.words = words
        self.ids = ids
        if numpy:
            self.ids = numpy.array(ids)
            self.low = numpy.array([word & (1 << 64) - 1 for word in words], dtype=numpy.uint64)
            self.high = numpy.array([word >> 64 for word in words], dtype=numpy.uint64)

    def counts(self, condition, size):
        """How often each label is that of a word for which the condition holds."""
        if numpy:
            inside = self.ids[condition.holds_all(self.low, self.high)]
            return [int(count) for count in numpy.bincount(inside, minlength=size)]
        return _counts([number for word, number in zip(self.words, self.ids) if condition.holds(word)], size)


def divide(region, labels, fields=(), within=0):
    """Divides a region by the condition that tells most about the labels; whether there is one."""
    most = MOST_LEAVES if region.opcode.real else MOST_UNKNOWN_LEAVES
    allowed = len(region.path) < DEEPEST and region.opcode.leaves < most
    condition = best_condition(region, labels, fields, within) if allowed else None
    if condition is None:
        return False
    region.opcode.leaves += 1
    region.split_on = condition
    region.children = [Region(region.opcode, (*region.path, (condition, truth))) for truth in (True, False)]
    for word, parsed in region.own.items():
        region.children[0 if condition.holds(word) else 1].own[word] = parsed
    region.own = {}
    return True


def divide_by_shape(region):
    """Divides a region of several shapes, by a condition on bits of which a single one changes the shape."""
    samples = region.own
    telling = 0
    for word, parsed in samples.items():
        if word in region.opcode.flipped:
            for bit in PROBED:
                other = samples.get(word ^ 1 << bit)
                if other is not None and other.shape != parsed.shape:
                    telling |= 1 << bit
    labels = {word: parsed.shape for word, parsed in samples.items()}
    return divide(region, labels, (), telling) or divide(region, labels)


def divide_by_texts(region, model, wrong, explained):
    """Divides a region in which texts are not as predicted, by the bits on which they depend."""
    fields = {bit for number in [*model.numbers.values(), *model.floats.values()] for bit in number.bits}
    for name in dict.fromkeys(name for name, _ in explained):
        within, bad = 0, {word for word, found in wrong.items() if name in found}
        for bits, group in _depends_on(name, model, explained):
            mask = sum(1 << bit for bit in bits)
            within |= mask
            for value in _values(region.own, mask, group is not None, bad):
                region.opcode.condition(mask, value)
        if within and divide(region, {word: word in bad for word in wrong}, fields, within):
            return True
    return not explained and divide(region, {word: bool(found) for word, found in wrong.items()}, fields)


def _depends_on(name, model, explained):
    """The units on which a part depends; of a number, others than itself, if there are any."""
    found = {bits: (owner, group) for part, units in explained if part == name for bits, owner, group in units}
    others = {bits: group for bits, (owner, group) in found.items() if owner != name or name in model.words}
    return (others or {bits: group for bits, (_, group) in found.items()}).items()


def _values(samples, mask, is_group, bad):
    """The values of bits that may be conditions: of a group, those of encodings whose texts are not as predicted; of
    a long number, those that many encodings have."""
    if is_group:
        return {word & mask for word in bad} if mask & mask - 1 else ()
    if bin(mask).count("1") < LONG:
        return ()
    found = []
    for some in (bad, samples.keys() - bad):
        counts = Counter(word & mask for word in some)
        found += [value for value, count in counts.most_common(MOST_VALUES) if count > 1]
    return found


def bases(region, samples, count, chooser):
    """Encodings to change bits of: the plainest ones, real ones, and any."""
    def plainness(word):
        return bin(word >> 64 & (1 << 41) - 1).count("1"), len(samples[word].parts["m"]), word

    words = sorted(samples, key=plainness)
    real = [word for word in words if word in region.opcode.real]
    flipped = [word for word in words if word in region.opcode.flipped]
    found = dict.fromkeys((flipped or words)[:1])
    seen = {samples[word].parts["m"] for word in found}
    for word in flipped:
        if samples[word].parts["m"] not in seen and len(found) < count:
            seen.add(samples[word].parts["m"])
            found[word] = None
    for word in real:
        if samples[word].parts["m"] not in seen and len(found) < count - 1:
            seen.add(samples[word].parts["m"])
            found[word] = None
    while len(found) < min(count, len(words)):
        found[chooser.choice(words)] = None
    return list(found)


def learn(region):
    """Finds the model of a region, or divides it: a generator that yields encodings and is sent their texts."""
    chooser = random.Random(f"{region.opcode.code} {[(c.key, t) for c, t in region.path]}")
    opcode = region.opcode
    samples = region.own
    if not samples:
        return
    if _has_shapes(region):
        yield from _flip_shapes(region)
        if not divide_by_shape(region):
            region.errors = len(samples)
        return
    starts = bases(region, samples, STARTS, chooser)
    opcode.flipped.update(starts)
    yield from ask(opcode, [word ^ 1 << bit for word in starts for bit in PROBED])
    if _has_shapes(region):
        divide_by_shape(region)
        return
    model = parts.Model(region, starts)
    for name, (kind, bits) in model.fields().items():
        opcode.note_field(kind, bits)
    yield from model.find_words()
    explained = []
    for place in range(ROUNDS):
        drawn = [word for word in (model.draw(chooser) for _ in range(DRAWS)) if word is not None]
        yield from ask(opcode, drawn)
        samples = region.own
        if _has_shapes(region):
            divide_by_shape(region)
            return
        model.find_formats(samples)
        wrong = {word: model.differences(word, parsed) for word, parsed in samples.items()}
        if any(wrong.values()):
            mended, explained = yield from model.mend(samples, wrong)
            if not mended:
                break
        elif place:
            break
    if _has_shapes(region) and divide_by_shape(region):
        return
    wrong = {word: model.differences(word, parsed) for word, parsed in region.own.items()}
    region.tested = len(wrong)
    region.errors = sum(1 for found in wrong.values() if found)
    region.model = model
    model.order({word: parsed for word, parsed in region.own.items() if not wrong[word]} or region.own)
    if not region.errors:
        wrong = {word: model.misplaced(word, parsed) for word, parsed in region.own.items()}
        region.errors = sum(1 for found in wrong.values() if found)
        explained = (yield from model.explain(region.own, wrong, model.misplaced)) if region.errors else []
        if _has_shapes(region) and divide_by_shape(region):
            region.model = None
            return
        wrong = {word: wrong.get(word) or model.misplaced(word, parsed) for word, parsed in region.own.items()}
    if region.errors and divide_by_texts(region, model, wrong, explained):
        region.model = None


def _flip_shapes(region):
    """Changes the bits of an encoding of each shape, of few shapes."""
    flipped = {parsed.shape for word, parsed in region.own.items() if word in region.opcode.flipped}
    words = {}
    for word in sorted(region.own):
        shape = region.own[word].shape
        if shape not in flipped and len(words) < MOST_FLIPPED:
            words.setdefault(shape, word)
    region.opcode.flipped.update(words.values())
    yield from ask(region.opcode, [word ^ 1 << bit for word in words.values() for bit in PROBED])


def _has_shapes(region):
    return len({parsed.shape for parsed in region.own.values()}) > 1


def ask(opcode, words):
    """Asks for texts, which become samples of the opcode."""
    found = yield words
    for word, parsed in zip(words, found):
        opcode.add(word, parsed)
    opcode.route()
    return found


def together(disassembler, generators, note=None):
    """Runs generators side by side, so that nvdisasm is started once for a question of each."""
    waiting = {}
    for generator in generators:
        try:
            waiting[generator] = next(generator)
        except StopIteration:
            pass
    while waiting:
        words = [word for asked in waiting.values() for word in asked]
        if note:
            note(len(words), len(waiting))
        disassembler.parsed(words)
        following = {}
        for generator, asked in waiting.items():
            try:
                following[generator] = generator.send(disassembler.parsed(asked))
            except StopIteration:
                pass
        waiting = following
