"""Why texts are not as predicted: what each part depends on, found by giving an encoding the fields of another one."""

import itertools
from collections import Counter

from .fields import GUARD, PROBED, WIDEST, Group

# Texts that are not as predicted are explained for so many encodings.
SOME_OF_EACH = 4
MOST_EXPLAINED = 16
MOST_GOOD = 200
# Pairs of units are only tried for encodings that differ in few.
MOST_DIFFERING = 14


class Explanations:
    """What a model does about texts that are not as predicted."""

    def units(self):
        """What an encoding can have from another one: fields, and single bits of groups and of nothing. (bits, name of
        the part, group or None)."""
        found = [(tuple(number.bits), name, None) for name, number in self.numbers.items()]
        found += [(tuple(number.bits), name, None) for name, number in self.floats.items()]
        found += [(tuple(group.bits), name, group)
                  for name, part in sorted(self.words.items()) for group in part.groups]
        covered = {bit for bits, _, _ in found for bit in bits}
        found += [((bit,), name, group) for bits, name, group in found if group and len(bits) > 1 for bit in bits]
        found.append((tuple(GUARD), "guard", None))
        return found + [((bit,), None, None) for bit in PROBED if bit not in covered]

    def explain(self, samples, wrong, check):
        """For some encodings whose texts are not as predicted: (name of the part, units that it depends on), as
        `check` names the parts of which a text is wrong. Each unit is given the value that it has in an encoding whose
        text is as predicted: if that mends the text, it depends on the unit."""
        bad = self._some_of_each(wrong)
        good = [word for word in self.starts if not wrong.get(word)]
        good += [word for word in sorted(samples) if not wrong.get(word)][:MOST_GOOD]
        if not good or not bad:
            return []
        units = [(sum(1 << bit for bit in bits), (bits, name, group)) for bits, name, group in self.units()]
        pairs = []
        for word in bad:
            near = min(good, key=lambda other: sum(1 for mask, _ in units if (word ^ other) & mask))
            # The lists are those of the starts.
            for other in dict.fromkeys([near, *(start for start in self.starts[:2] if not wrong.get(start))]):
                pairs.append((word, other, [(mask, unit) for mask, unit in units if (word ^ other) & mask]))
        asked = [word & ~mask | near & mask for word, near, differing in pairs for mask, _ in differing]
        printed = iter((yield from self._ask(asked)))
        found, unclear = [], []
        for word, near, differing in pairs:
            mended = {}
            for mask, unit in differing:
                parsed = next(printed)
                if parsed is None:
                    continue
                left = set(check(word & ~mask | near & mask, parsed))
                for name in set(wrong[word]) - left:
                    mended.setdefault(name, []).append(unit)
            for name in wrong[word]:
                if name in mended:
                    found.append((name, _smallest(name, mended[name])))
            if not mended and len(differing) <= MOST_DIFFERING:
                unclear.append((word, near, differing))
        return self._ranked(found + (yield from self._by_pairs(unclear, wrong, check)))

    def _by_pairs(self, unclear, wrong, check):
        """Explanations by two units that an encoding whose text is as predicted has from another one."""
        tries = [(word, near, first, second) for word, near, differing in unclear
                 for first, second in itertools.combinations(differing, 2)]
        tries += [(word, near, unit, unit) for word, near, differing in unclear for unit in differing]
        asked = [near & ~(first[0] | second[0]) | word & (first[0] | second[0]) for word, near, first, second in tries]
        printed = yield from self._ask(asked)
        found = []
        for (word, _, first, second), changed, parsed in zip(tries, asked, printed):
            if parsed is None:
                continue
            for name in sorted(set(check(changed, parsed)) & set(wrong[word])):
                found.append((name, [first[1]] if first is second else _smallest(name, [first[1], second[1]])))
        return [(name, units) for name, units in found if len(units) == 1] or found

    @staticmethod
    def _some_of_each(wrong):
        """Some encodings for each set of parts that are not as predicted."""
        counts, found = Counter(), []
        for word in sorted(wrong):
            key = tuple(wrong[word])
            if key and counts[key] < SOME_OF_EACH and len(found) < MOST_EXPLAINED:
                counts[key] += 1
                found.append(word)
        return found

    def mend(self, samples, wrong):
        """Completes lists, or joins groups of a part whose meaning depends on each other. Returns whether anything is
        mended, and the explanations by which the region may be divided."""
        mended = False
        for name, part in self.words.items():
            mended = self._unknown(part, samples, {word for word, found in wrong.items() if name in found}) or mended
        if mended:
            return True, []
        explained = yield from self.explain(samples, wrong, self.differences)
        left = []
        for name, units in explained:
            part = self.words.get(name)
            # What changes a number is a matter of other regions.
            if left and left[0][0] not in self.words:
                return False, left
            if part is None or name in self.kinds or not self._join(part, units):
                left.append((name, units))
                continue
            yield from self._list(part)
            mended = True
        return mended, left

    def _ranked(self, explained):
        """Different explanations: those of numbers first, then the frequent ones. That a part depends on one field of
        its own does not explain anything."""
        def key(name, units):
            return name, tuple(sorted(bits for bits, _, _ in units))

        votes = Counter(key(*found) for found in explained)
        units = {key(*found): found for found in explained}
        order = sorted(votes, key=lambda item: (item[0] in self.words, self._is_own(*units[item]), -votes[item],
                                                len(item[1]), str(item)))
        return [units[item] for item in order]

    @staticmethod
    def _is_own(name, units):
        return len(units) == 1 and units[0][1] == name

    def _join(self, part, units):
        """Joins the groups of a part, and bits that are in groups of other parts; whether they are not one already."""
        groups = [group for group in part.groups if any(set(group.bits) & set(bits) for bits, _, _ in units)]
        if any(group is None and (owner is not None or not self._is_open(bits)) for bits, owner, group in units):
            return False
        joined = {bit for group in groups for bit in group.bits} | {bit for bits, _, _ in units for bit in bits}
        if len(joined) > WIDEST or len(groups) == 1 and joined == set(groups[0].bits):
            return False
        self.opcode.words.setdefault((self.shape.split(" ")[0], part.name), set()).update(joined)
        part.groups = [group for group in part.groups if group not in groups]
        part.groups.append(Group(tuple(sorted(joined))))
        part.groups.sort(key=lambda group: group.bits)
        return True

    def _is_open(self, bits):
        """Whether no condition of the region is on the bits."""
        return not any(condition.mask >> bit & 1 for condition, _ in self.region.path for bit in bits)


def _smallest(name, units):
    """The units without those of which a part is enough, and each of them once: as one of the part, if it is."""
    order = sorted(units, key=lambda unit: (len(unit[0]), unit[1] != name))
    found = []
    for unit in order:
        if not any(set(other[0]) <= set(unit[0]) for other in found):
            found.append(unit)
    return found
