"""How the parts of a text follow from the bits, within a region of encodings."""

import itertools
from collections import Counter

from . import text
from .floats import Float

# A field of more bits is not listed.
WIDEST = 9
# The bits of registers; those of uniform ones depend on the machine.
WIDTHS = {"R": 8, "P": 3, "UP": 3}


def runs(bits):
    """Consecutive bits: (first bit, mask, place in the value)."""
    found = []
    for place, bit in enumerate(bits):
        if found and bit == found[-1][0] + found[-1][1]:
            found[-1][1] += 1
        else:
            found.append([bit, 1, place])
    return [(first, (1 << width) - 1, place) for first, width, place in found]


class Number:
    """A register or a number: the sum of what its bits add."""

    def __init__(self, kind, weights):
        self.kind = kind
        # (bit, what it adds)
        self.weights = sorted(weights.items())
        self.bits = sorted(weights)
        self.all = sum(weight for _, weight in self.weights)
        self.runs = runs(self.bits)
        # Whether each bit adds twice what the one before does.
        self.plain = all(weight == 1 << place for place, (_, weight) in enumerate(self.weights))

    def of(self, word):
        """The text."""
        if self.plain:
            total = 0
            for first, mask, place in self.runs:
                total |= (word >> first & mask) << place
        else:
            total = sum(weight for bit, weight in self.weights if word >> bit & 1)
        if self.kind == "n":
            return f"{total:#x}"
        if total == self.all and len(self.bits) > 1 and self.kind in ("R", "UR", "P", "UP"):
            return self.kind + ("T" if self.kind in ("P", "UP") else "Z")
        return f"{self.kind}{total}"


class Group:
    """Bits that together mean words."""

    def __init__(self, bits):
        self.bits = bits
        self.table = {}
        self.runs = runs(bits)

    def value(self, word):
        total = 0
        for first, mask, place in self.runs:
            total |= (word >> first & mask) << place
        return total

    def put(self, word, value):
        for place, bit in enumerate(self.bits):
            word = word & ~(1 << bit) | (value >> place & 1) << bit
        return word


class Words:
    """A part that is a list of words: those that all encodings have, and those of each group."""

    def __init__(self, name):
        self.name = name
        self.groups = []
        self.constant = ()
        # The places of the groups in the text; None is that of the constant words.
        self.sequence = None

    def sorted(self, word):
        """The words, sorted; None if a value is unknown."""
        total = self.constant
        for group in self.groups:
            found = group.table.get(group.value(word))
            if found is None:
                return None
            total += found
        return sorted(total)


class Model:
    """The parts of all texts of a region."""

    def __init__(self, region, starts):
        self.region = region
        self.opcode = region.opcode
        self.starts = starts
        self.shape = self.opcode.samples[starts[0]].shape
        self.kinds = text.kinds(self.shape)
        self.numbers, self.words, self.floats = {}, {}, {}
        self.changing = {}
        self.free = set()
        self._flips()
        self._numbers()

    def _flips(self):
        """What each bit changes, from single changes that stay in the region."""
        samples = self.opcode.samples
        self.weights = {}
        accepted = set()
        from .forms import PROBED
        for word in self.starts:
            before = samples[word].parts
            for bit in PROBED:
                after = samples.get(word ^ 1 << bit)
                if after is None or after.shape != self.shape or not self.region.has(word ^ 1 << bit):
                    continue
                accepted.add(bit)
                after = after.parts
                if after == before:
                    continue
                for name in {*before, *after}:
                    old, new = before.get(name, ""), after.get(name, "")
                    if old != new:
                        self.changing.setdefault(name, {}).setdefault(bit, []).append(
                            (old, new, word >> bit & 1, word))
        self.free = accepted - {bit for bits in self.changing.values() for bit in bits}

    def fields(self):
        """Kind and bits of the registers and numbers."""
        found = {name: (number.kind, number.bits) for name, number in self.numbers.items()}
        found.update({name: ("f", number.bits) for name, number in self.floats.items()})
        return found

    def _numbers(self):
        taken = set()
        for name, kind in self.kinds.items():
            bits = self.changing.get(name, {})
            if kind == "f":
                # Another bit may be that of the format.
                widest = max(runs(sorted(bits)), key=lambda run: run[1], default=(0, 0, 0))
                bits = [widest[0] + place for place in range(widest[1].bit_length())]
                self.floats[name] = Float(bits, [])
                taken |= set(bits)
            elif kind != "w":
                weights = self._known(kind, name, self._weights(kind, bits, name))
                if weights is not None:
                    self.numbers[name] = Number(kind, weights)
                    taken |= set(weights)
        self.taken = taken
        for name in {*self.changing, "m", *(name for word in self.starts for name in self.opcode.samples[word].parts)}:
            if name not in self.numbers and name not in self.floats:
                self.words[name] = Words(name)

    def _known(self, kind, name, weights):
        """What each bit adds, or what it does in another region of the opcode, if that agrees with more texts: of
        powers of two no bit can be changed alone."""
        known = self.opcode.numbers.setdefault((self.shape.split(" ")[0], name, kind), [])
        own = sorted(self.region.own)[:200] or self.starts
        samples = [(word, self.opcode.samples[word].parts.get(name, "0x0")) for word in own]

        def wrong(candidate):
            number = Number(kind, candidate)
            return sum(1 for word, printed in samples if number.of(word) != printed)

        mistakes = len(samples) + 1 if weights is None else wrong(weights)
        for candidate in known if mistakes else ():
            if wrong(candidate) < min(mistakes, 1 + len(samples) // 20):
                weights, mistakes = candidate, wrong(candidate)
        if weights and not mistakes and weights not in known:
            known.append(weights)
        return weights

    def _weights(self, kind, bits, name):
        """What each bit adds; None if that is not the same everywhere."""
        by_word = Counter()
        for changes in bits.values():
            for _, _, _, word in changes:
                by_word[word] += 1
        found = {}
        for bit, changes in bits.items():
            for old, new, was_set, word in changes:
                before, after = text.value(old), text.value(new)
                # The register without a number has all bits set.
                highest = (1 << len(bits)) - 1
                before = highest if before is None else before
                after = highest if after is None else after
                weight = (before - after) if was_set else (after - before)
                if found.setdefault(bit, weight) != weight:
                    return None
        constant = {text.value(self.opcode.samples[word].parts.get(name, "0x0")) for word in self.starts}
        if not bits:
            # A number that no bit changes is a word.
            return None if constant != {0} or kind != "n" else {}
        # What is there without any bit is not known to this model.
        base = self.starts[0]
        number = text.value(self.opcode.samples[base].parts.get(name, ""))
        if number is not None and number != sum(weight for bit, weight in found.items() if base >> bit & 1):
            return None
        if kind in ("R", "UR") and found:
            # Wide registers are even: their lowest bits cannot be changed alone.
            lowest = min(found, key=found.get)
            while found[lowest] > 1 and found[lowest] & 1 == 0:
                found[lowest - 1] = found[lowest] // 2
                lowest -= 1
        if kind in WIDTHS and found:
            # A bit whose change gives the register without a number is in another region.
            first, weight = min(found.items(), key=lambda item: item[1])
            first -= weight.bit_length() - 1
            if all(bit >= first and weight == 1 << bit - first for bit, weight in found.items()):
                found = {first + place: 1 << place for place in range(WIDTHS[kind])}
        return found

    def find_words(self):
        """Divides the bits of each word part into groups and lists their values."""
        yield from jointly([self._find(part) for _, part in sorted(self.words.items())])

    def _find(self, part):
        name = part.name
        # What another region of the opcode has in this part may need two changed bits here.
        shared = self.opcode.words.setdefault((self.shape.split(" ")[0], name), set())
        shared |= set(self.changing.get(name, {}))
        fixed = {bit for condition, _ in self.region.path for bit in range(16, 105) if condition.mask >> bit & 1}
        own = set(self.changing.get(name, {})) | (shared - fixed - self.free if name == "m" else set())
        bits = sorted(own - self.taken)
        if name in self.kinds:
            part.groups = [Group(tuple(bits))] if 0 < len(bits) <= WIDEST else []
        else:
            sets = yield from self._independent(name, bits)
            part.groups = [Group(bits) for bits in sets]
        yield from self._list(part)

    def _ask(self, words):
        from .forms import ask
        printed = yield from ask(self.opcode, words)
        return [found if found is not None and found.shape == self.shape and self.region.has(word) else None
                for word, found in zip(words, printed)]

    def _independent(self, name, bits):
        """The bits in sets: what a bit adds and removes does not depend on the bits of other sets."""
        # Fields have their bits side by side, mostly; `join` finds the others.
        pairs = [(first, second) for place, first in enumerate(bits) for second in bits[place + 1:place + 3]]
        changes = [()] + [(bit,) for bit in bits] + pairs
        starts = self.starts[:3]
        words = [start ^ sum(1 << bit for bit in change) for start in starts for change in changes]
        printed = iter((yield from self._ask(words)))
        joined = {bit: {bit} for bit in bits}

        def join(first, second):
            union = joined[first] | joined[second]
            if len(union) <= WIDEST:
                for bit in union:
                    joined[bit] = union

        seen = {}
        for _ in starts:
            found = {change: None if parsed is None else Counter(text.words_of(name, parsed.parts.get(name, "")))
                     for change, parsed in ((change, next(printed)) for change in changes)}
            for first, second in pairs:
                four = [found[()], found[first,], found[second,], found[first, second]]
                known = seen.setdefault((first, second), [False, False])
                if None in four[:3]:
                    known[1] = known[1] or four[0] is not None
                    continue
                if four[3] is None:
                    known[1] = True
                elif _difference(four[1], four[0]) != _difference(four[3], four[2]):
                    known[0] = True
        for (first, second), (depends, _) in seen.items():
            if depends:
                join(first, second)
        # Neighbours of which not both may be set are one field with an unused value.
        for (first, second), (_, excluded) in seen.items():
            if excluded and second - first == 1:
                join(first, second)
        return sorted({tuple(sorted(group)) for group in joined.values()})

    def _list(self, part):
        """The words of each value of each group."""
        rows = [[[group.put(start, value) for value in range(1 << len(group.bits))]
                 for start in self.starts[:3 if len(group.bits) <= 4 else 2]] for group in part.groups]
        printed = iter((yield from self._ask([word for group in rows for row in group for word in row])))
        tables = [[[next(printed) for _ in row] for row in group] for group in rows]
        first = self.opcode.samples[self.starts[0]].parts.get(part.name, "")
        rest = Counter(text.words_of(part.name, first))
        for group, listed in zip(part.groups, tables):
            group.table = self._table(part.name, listed)
            rest.subtract(group.table.get(group.value(self.starts[0]), ()))
        part.constant = tuple((+rest).elements())

    def _table(self, name, listed):
        """The words of each value, without those that all of them have."""
        found = {}
        for row in listed:
            row = {value: text.words_of(name, parsed.parts.get(name, ""))
                   for value, parsed in enumerate(row) if parsed is not None}
            if not row:
                continue
            known = [value for value in row if value in found]
            if not found:
                common = None
                for words in row.values():
                    common = Counter(words) if common is None else common & Counter(words)
                found = {value: tuple(_without(words, common)) for value, words in row.items()}
            elif known:
                # The other words of this encoding are those beside the ones of a known value.
                other = Counter(row[known[0]])
                other.subtract(found[known[0]])
                for value, words in row.items():
                    if value not in found:
                        found[value] = tuple(_without(words, other))
        return found

    def find_formats(self, samples):
        """The format of each floating-point number by its texts."""
        for name, number in self.floats.items():
            self.floats[name] = Float(number.bits, [(word, parsed.parts.get(name, ""))
                                                    for word, parsed in samples.items()])

    def differences(self, word, parsed):
        """The names of the parts that are not as predicted."""
        wrong = []
        for name, number in self.numbers.items():
            if number.of(word) != parsed.parts.get(name, "0x0"):
                wrong.append(name)
        for name, number in self.floats.items():
            if number.of(word) != parsed.parts.get(name, ""):
                wrong.append(name)
        for name, part in self.words.items():
            if part.sorted(word) != sorted(text.words_of(name, parsed.parts.get(name, ""))):
                wrong.append(name)
        return wrong

    def draw(self, chooser):
        """A random encoding of the region."""
        word = chooser.choice(self.starts)
        for kind, bits in self.fields().values():
            luck = chooser.random()
            if luck < 0.25:
                continue
            mask = sum(1 << bit for bit in bits)
            if luck < 0.45:
                chosen = mask
            elif luck < 0.55:
                chosen = 0
            else:
                chosen = sum(1 << bit for bit in bits if chooser.random() < 0.5)
                if kind in ("R", "UR") and chooser.random() < 0.7 and bits:
                    chosen &= ~(7 << bits[0])
            word = word & ~mask | chosen
        for part in self.words.values():
            for group in part.groups:
                if group.table and chooser.random() < 0.5:
                    word = group.put(word, chooser.choice(sorted(group.table)))
        return self.region.impose(word, chooser)

    def join(self, samples, wrong):
        """Joins two groups of a part if what they mean depends on both; whether any are joined."""
        any_joined = False
        for name, part in self.words.items():
            bad = {word for word, found in wrong.items() if name in found}
            if not bad:
                continue
            unknown = self._unknown(part, samples, bad)
            if unknown:
                any_joined = True
                continue
            best, most = None, 0
            for first, second in itertools.combinations(part.groups, 2):
                if len(first.bits) + len(second.bits) > WIDEST:
                    continue
                cells = {}
                for word in samples:
                    cell = cells.setdefault((first.value(word), second.value(word)), [0, 0])
                    cell[word in bad] += 1
                explained = sum(cell[1] for cell in cells.values() if cell[0] == 0)
                if explained > most:
                    best, most = (first, second), explained
            if best is None or most * 4 < len(bad):
                continue
            first, second = best
            part.groups = [group for group in part.groups if group not in best]
            part.groups.append(Group(tuple(sorted(first.bits + second.bits))))
            part.groups.sort(key=lambda group: group.bits)
            yield from self._list(part)
            any_joined = True
        return any_joined

    def _unknown(self, part, samples, bad):
        """Completes tables by samples in which only one group has an unknown value."""
        added = False
        for word in sorted(bad):
            missing = [group for group in part.groups if group.value(word) not in group.table]
            if len(missing) != 1:
                continue
            rest = Counter(text.words_of(part.name, samples[word].parts.get(part.name, "")))
            total = Counter(part.constant)
            for group in part.groups:
                if group is not missing[0]:
                    total.update(group.table[group.value(word)])
            if total - rest:
                continue
            left = tuple(_without(text.words_of(part.name, samples[word].parts.get(part.name, "")), total))
            missing[0].table[missing[0].value(word)] = left
            added = True
        return added

    def order(self, samples):
        """The order of groups in the text."""
        for part in self.words.values():
            part.sequence = _sequence(part, samples)


def jointly(generators):
    """Runs generators that ask for texts side by side, as one."""
    waiting = []
    for generator in generators:
        try:
            waiting.append((generator, next(generator)))
        except StopIteration:
            pass
    while waiting:
        printed = iter((yield [word for _, asked in waiting for word in asked]))
        following = []
        for generator, asked in waiting:
            try:
                following.append((generator, generator.send([next(printed) for _ in asked])))
            except StopIteration:
                pass
        waiting = following


def _difference(after, before):
    return {word: after[word] - before[word] for word in {*after, *before} if after[word] != before[word]}


def _without(words, common):
    """The words in the order of the text, without the common ones."""
    left = Counter(common)
    for word in words:
        if left[word] > 0:
            left[word] -= 1
        else:
            yield word


def _sequence(part, samples):
    """Places: (group or None for a constant word, which of its words), in the order of the text."""
    items = [(None, place) for place in range(len(part.constant))]
    for number, group in enumerate(part.groups):
        width = max((len(words) for words in group.table.values()), default=0)
        items += [(number, place) for place in range(width)]
    before = {}
    for word, parsed in samples.items():
        words = text.words_of(part.name, parsed.parts.get(part.name, ""))
        owners = {}
        for place, constant in enumerate(part.constant):
            owners.setdefault(constant, []).append((None, place))
        for number, group in enumerate(part.groups):
            for place, found in enumerate(group.table.get(group.value(word), ())):
                owners.setdefault(found, []).append((number, place))
        named = [owners[found][0] for found in words if len(owners.get(found, ())) == 1]
        for first, second in zip(named, named[1:]):
            before[first, second] = before.get((first, second), 0) + 1
    return _sorted(items, before)


def _sorted(items, before):
    """Topological order; a circle is cut at its rarest observation."""
    left, result = list(items), []
    edges = dict(before)
    for first in items:
        for second in items:
            if first[0] == second[0] and first[1] < second[1]:
                edges[first, second] = 1 << 30
    while left:
        ready = [item for item in left if not any((other, item) in edges for other in left if other != item)]
        if not ready:
            inside = [edge for edge in edges if edge[0] in left and edge[1] in left]
            weakest = min(inside, key=lambda edge: (edges[edge], str(edge)))
            del edges[weakest]
            continue
        result.append(ready[0])
        left.remove(ready[0])
    return result
