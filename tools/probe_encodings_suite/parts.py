"""How the parts of a text follow from the bits, within a region of encodings."""

from collections import Counter

from . import explain, order, text
from .fields import ADDED, GUARD, PROBED, REGISTERS, WIDEST, Group, Number, Words, runs
from .floats import Float

# Most modifiers are from this bit on.
FIRST_MODIFIER = 72
# The bits of registers; those of uniform ones depend on the machine.
WIDTHS = {"R": 8, "P": 3, "UP": 3}


class Model(explain.Explanations):
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
        """Kind and bits of the registers and numbers; the kind of inverted ones ends with `~`."""
        found = {name: (number.kind + "~" * number.inverted, number.bits) for name, number in self.numbers.items()}
        found.update({name: ("f", number.bits) for name, number in self.floats.items()})
        return found

    def _numbers(self):
        taken = set()
        for name, kind in self.kinds.items():
            bits = self.changing.get(name, {})
            if kind == "f":
                # Another bit may be that of the format.
                widest = max(runs(sorted(bits)), key=lambda run: run[1], default=(0, 0, 0))
                bits = self._float_bits(name, [widest[0] + place for place in range(widest[1].bit_length())])
                self.floats[name] = Float(bits, [])
                taken |= set(bits)
            elif kind != "w":
                weights = self._known(kind, name, self._weights(kind, bits, name))
                if weights is None and kind in REGISTERS and len(bits) > 1:
                    # Never a list of registers: other bits are for the regions of this one.
                    weights = _register(kind, self._votes(bits), bits)
                if weights is not None:
                    self.numbers[name] = Number(kind, weights)
                    taken |= set(weights)
        self.taken = taken
        for name in {*self.changing, "m", *(name for word in self.starts for name in self.opcode.samples[word].parts)}:
            if name not in self.numbers and name not in self.floats:
                self.words[name] = Words(name)

    def _float_bits(self, name, bits):
        """The bits of a float: those of another region of the opcode, if they are more. Few bits change the text of
        a NaN."""
        known = self.opcode.floats.setdefault(name, [])
        for other in known:
            if set(bits) < set(other):
                return other
        if bits and bits not in known:
            known.append(bits)
        return bits

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
        """What each bit adds to most texts; None if no number explains the first one."""
        base = self.starts[0]
        printed = self.opcode.samples[base].parts.get(name, "0x0")
        number = text.value(printed)
        if not bits:
            # A number that no bit changes is a word.
            return {} if number == 0 and kind in ("n", "d") else None
        found = self._votes(bits)
        if kind in REGISTERS:
            found = _register(kind, found, bits)
        else:
            found = _completed({bit: weight for bit, weight in found.items() if weight}, number, base)
            found = _filled(found, self.free.union(*(own for part, own in self.changing.items() if part != name)))
        if found and kind in ("R", "UR") and number is not None:
            added = number - sum(weight for bit, weight in found.items() if base >> bit & 1)
            found = {**found, ADDED: 1} if added == 1 else found
        # What is there without any bit is not known to this model.
        return found if found and Number(kind, found).of(base) == printed else None

    @staticmethod
    def _votes(bits):
        """What each bit adds in most changes; of equally many, in the first."""
        # The register without a number has all bits set.
        found, last = {}, None
        for _ in range(2):
            for bit, changes in bits.items():
                votes = Counter()
                for old, new, was_set, _ in changes:
                    before, after = text.value(old), text.value(new)
                    before = last if before is None else before
                    after = last if after is None else after
                    if before is not None and after is not None:
                        votes[(before - after) if was_set else (after - before)] += 1
                if votes:
                    found[bit] = votes.most_common(1)[0][0]
            powers = [bit - abs(weight).bit_length() + 1 for bit, weight in found.items() if weight]
            first = Counter(powers).most_common(1)[0][0] if powers else min(bits)
            last = (1 << max(bits) - first + 1) - 1
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
        while self._join_claims(part):
            yield from self._list(part)

    def _join_claims(self, part):
        """Joins groups that have the same word in the first encoding, whose text has it only once."""
        word = self.starts[0]
        left = Counter(text.words_of(part.name, self.opcode.samples[word].parts.get(part.name, "")))
        left.subtract(part.constant)
        for group in part.groups:
            left.subtract(group.table.get(group.value(word), ()))
        twice = {found for found, count in left.items() if count < 0}
        groups = [group for group in part.groups if twice & set(group.table.get(group.value(word), ()))]
        joined = {bit for group in groups for bit in group.bits}
        if len(groups) < 2 or len(joined) > WIDEST:
            return False
        part.groups = [group for group in part.groups if group not in groups]
        part.groups.append(Group(tuple(sorted(joined))))
        part.groups.sort(key=lambda group: group.bits)
        return True

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

    def misplaced(self, word, parsed):
        """The names of the parts whose words are in another order."""
        wrong = []
        for name, part in self.words.items():
            if len(part.constant) + len(part.groups) < 2:
                continue
            found = []
            for owner, which, text_ in part.sequence:
                if owner is None:
                    found.append(part.constant[which])
                else:
                    group = part.groups[owner]
                    value = group.value(word)
                    found += [word_ for word_, item in zip(group.table.get(value, ()), order.owned(group, value))
                              if item == (which, text_)]
            if tuple(found) != text.words_of(name, parsed.parts.get(name, "")):
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
        # Together with others, a bit that changes nothing alone may change something.
        for bit in sorted(self.free):
            if chooser.random() < (0.25 if bit >= FIRST_MODIFIER else 0.05):
                word ^= 1 << bit
        if chooser.random() < 0.2:
            word ^= chooser.randrange(1, 8) << GUARD[0]
        return self.region.impose(word, chooser)

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
            part.sequence = order.sequence(part, samples)


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


def _register(kind, found, bits):
    """The bits of a register: side by side, each adding twice what the one before does."""
    starts = Counter()
    for bit, weight in found.items():
        if weight and abs(weight) & abs(weight) - 1 == 0:
            starts[bit - abs(weight).bit_length() + 1, weight < 0] += 1
    if not starts:
        return None
    # Of two places, the one that the first encoding has.
    most = max(starts.values())
    first, negative = next(place for place in sorted(starts) if starts[place] == most)
    own = [bit for bit, weight in found.items() if bit >= first and weight == (-1 if negative else 1) << bit - first]
    width = WIDTHS.get(kind, max(own) - first + 1)
    return {first + place: (-1 if negative else 1) << place for place in range(width)}


def _completed(found, number, base):
    """What bits add, with those that cannot be changed in this region: bits of the rest of the number that are beside
    the others."""
    if number is None or not found or any(weight <= 0 for weight in found.values()):
        return found
    rest = number - sum(weight for bit, weight in found.items() if base >> bit & 1)
    first, weight = min(found.items())
    added = {}
    while rest > 0:
        power = rest & -rest
        bit = first + power.bit_length() - weight.bit_length()
        if bit in found or bit < 0 or not base >> bit & 1:
            return found
        added[bit] = power
        rest -= power
    return found if rest else {**found, **added}


def _filled(found, others):
    """What bits add, with those between them that could not be changed alone."""
    positive = {bit: weight for bit, weight in found.items() if weight > 0}
    if not positive:
        return found
    first, weight = min(positive.items())
    if any(weight << bit - first != other for bit, other in positive.items()):
        return found
    between = {bit: weight << bit - first for bit in range(first, max(positive)) if bit not in others}
    return {**between, **found}


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
