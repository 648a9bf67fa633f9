"""Fields of encodings: numbers, and groups of bits that mean words."""

from . import text

# The bits after the guard and before the control word.
PROBED = range(16, 105)
# The predicate of the guard, which is PT in most encodings that are tried.
GUARD = range(12, 15)
# A field of more bits is not listed.
WIDEST = 9
# In place of a bit: what is added to the number of a register.
ADDED = -1
# Those of which one is always zero or true.
REGISTERS = ("R", "UR", "P", "UP")


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
    """A register, a number or a set of scoreboards: the sum of what its bits add. If all of them subtract, the bits
    are inverted."""

    def __init__(self, kind, weights):
        self.kind = kind
        # The second one of two registers has the bits of the first.
        self.added = weights.get(ADDED, 0)
        weights = {bit: weight for bit, weight in weights.items() if bit != ADDED}
        self.inverted = len(weights) > 1 and all(weight < 0 for weight in weights.values())
        # (bit, what it adds)
        self.weights = sorted((bit, abs(weight) if self.inverted else weight) for bit, weight in weights.items())
        self.bits = sorted(weights)
        self.all = sum(weight for _, weight in self.weights)
        self.runs = runs(self.bits)
        self.flip = sum(1 << bit for bit in self.bits) if self.inverted else 0
        # Whether each bit adds twice what the one before does.
        self.plain = all(weight == 1 << place for place, (_, weight) in enumerate(self.weights))

    def of(self, word):
        """The text."""
        word ^= self.flip
        if self.plain:
            total = 0
            for first, mask, place in self.runs:
                total |= (word >> first & mask) << place
        else:
            total = sum(weight for bit, weight in self.weights if word >> bit & 1)
        if self.kind in ("n", "d"):
            return f"{'@' * (self.kind == 'd')}{total:#x}"
        if self.kind == "S":
            return text.scoreboards(total)
        if total + self.added == self.all and len(self.bits) > 1 and self.kind in REGISTERS:
            return self.kind + ("T" if self.kind in ("P", "UP") else "Z")
        return f"{self.kind}{total + self.added}"


class Group:
    """Bits that together mean words."""

    def __init__(self, bits):
        self.bits = bits
        self.table = {}
        self.runs = runs(bits)
        # Whether the words of all values have one order.
        self.by_word = True

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
