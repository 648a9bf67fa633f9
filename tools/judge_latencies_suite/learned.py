"""What original code shows of pairs of dependent instructions, and what of that a pair is judged by."""

import json

from .listing import SIZE
from .pairs import BARE, OWN, QUEUE

# Exact pairs, pairs without modifiers, and those of sorts of instructions: how many pairs show whether a
# scoreboard is needed, and how many at the least distance show that it is least because it must be. With
# fewer, what is known of more general pairs decides.
ENOUGH, ENOUGH_AT_LEAST = (500, 300, 100, 100), (50, 50, 10, 10)

FAR = 1 << 20


class Least:
    """Distances in cycles: how many, the least, and how many issue at it."""

    __slots__ = ("all", "at", "cycles")

    def __init__(self, count=0, cycles=FAR, at=0):
        self.all, self.cycles, self.at = count, cycles, at

    def add(self, cycles, at=1, count=1):
        """Adds `count` pairs, of which `at` issue at `cycles` and none nearer."""
        self.all += count
        if cycles < self.cycles:
            self.cycles, self.at = cycles, 0
        if cycles == self.cycles:
            self.at += at


class Counts:
    """Pairs of a kind: how many are protected by a scoreboard of their own, and by that of a later operation
    of the first mnemonic; the distances of those kept apart by their stalls alone, and of those with a wait
    for another operation in between."""

    __slots__ = ("bare", "other", "own", "queue")

    def __init__(self, own=0, queue=0, bare=(), other=()):
        self.own, self.queue, self.bare, self.other = own, queue, Least(*bare), Least(*other)

    def add(self, how, cycles):
        """Adds a pair."""
        if how == OWN:
            self.own += 1
        elif how == QUEUE:
            self.queue += 1
        elif how == BARE:
            self.bare.add(cycles)
        else:
            self.other.add(cycles)

    def merge(self, more):
        """Adds the pairs of another."""
        self.own += more.own
        self.queue += more.queue
        for mine, theirs in ((self.bare, more.bare), (self.other, more.other)):
            mine.add(theirs.cycles, theirs.at, theirs.all)

    def all(self):
        """The number of pairs."""
        return self.own + self.queue + self.bare.all + self.other.all

    def fields(self):
        """As lists of numbers, for a file."""
        least = [[least.all, least.cycles, least.at] if least.all else [] for least in (self.bare, self.other)]
        return [self.own, self.queue, *least]


def opcode(key):
    """The mnemonic of a key or of an instruction, without modifiers."""
    return key.split("/", 1)[0].split(".", 1)[0]


def base(key):
    """A key without the modifiers: their order, rounding, type and so on."""
    mnemonic, part = key.rsplit("/", 1)
    # The latency of a matrix operation depends on its shape and types.
    if mnemonic.split(".", 1)[0].endswith("MMA"):
        return key
    name, *modifiers = mnemonic.split(".")
    # A result of two registers is computed by two passes of a unit.
    kept = [modifier for modifier in modifiers if modifier in ("WIDE", "HI", "MMA")]
    return ".".join([name, *kept]) + "/" + part


class Machine:
    """What the code of a machine shows. `enough` and `at_least` are as ENOUGH and ENOUGH_AT_LEAST."""

    def __init__(self, enough=ENOUGH, at_least=ENOUGH_AT_LEAST):
        self.enough, self.at_least = enough, at_least
        self.exact, self.arm, self.issue, self.orders = {}, {}, {}, {}

    def pair(self, kind, first, second, how, cycles, later, _places, _found):
        """Adds a pair, as pairs.walk reports it."""
        key = (kind, first, second)
        counts = self.exact.get(key)
        if counts is None:
            counts = self.exact[key] = Counts()
        counts.add(how, cycles)
        # Predicates and uniform registers are read at issue.
        if len(later) == 1 and kind[1:] == "R":
            key = (kind[0], opcode(first), later[0], opcode(second))
            self.orders[key] = self.orders.get(key, 0) + 1

    def armed(self, mnemonic, cycles, _found):
        """Adds a wait for a scoreboard, as pairs.walk reports it."""
        self.arm.setdefault(mnemonic.split(".", 1)[0], Least()).add(cycles)

    def follow(self, instructions):
        """Adds the distance of each instruction from the one before it, whatever depends on what."""
        for first, second in zip(instructions, instructions[1:]):
            if second.address == first.address + SIZE:
                key = (opcode(first.mnemonic), opcode(second.mnemonic))
                self.issue.setdefault(key, Least()).add(first.stall)

    def is_over(self, kind, first, second, least, cycles):
        """Whether a register may be overwritten after some cycles, though no pair of its sort is nearer than
        `least`."""
        # The two mnemonics are never nearer, whatever depends on what: a unit takes instructions at this distance.
        issue = self.issue.get((opcode(first), opcode(second)))
        if issue and issue.at >= self.at_least[2] and issue.cycles >= least:
            return True
        # A result is there when others read it. An operand has been read when results of fixed latency overwrite
        # it; others come later.
        if kind[0] == "A" and opcode(second) not in self.arming:
            return False
        known = self.over.get((kind, base(first)))
        return known is not None and known.at >= self.at_least[2] and cycles >= known.cycles

    def more_general(self, key):
        """The keys that decide for a pair, from its own to the most general: with modifiers; without;
        the second by whether it arms scoreboards and the sort of its operand; the first likewise."""
        kind, first, second = key
        first_base, second_base = base(first), base(second)
        operand = second_base.rsplit("/", 1)[1]
        operand = operand.rstrip("+") if operand.rstrip("+").isalpha() else "n"
        second_class = f"{second_base.split('/')[0].split('.')[0] in self.arming}/{operand}"
        first_class = str(first_base.split("/")[0].split(".")[0] in self.arming)
        return [
            key,
            (kind, first_base, second_base),
            (kind, first_base, second_class),
            (kind, first_class, second_class),
        ]

    def close(self):
        """Makes what is looked up; no pair may be added afterwards."""
        # A mnemonic arms scoreboards if most of its pairs that a scoreboard can protect have one.
        protected, free = {}, {}
        for (kind, first, _), counts in self.exact.items():
            if kind[0] == "R":
                name = first.split(".", 1)[0].split("/")[0]
                protected[name] = protected.get(name, 0) + counts.own
                free[name] = free.get(name, 0) + counts.all() - counts.own
        self.arming = {name for name, count in protected.items() if count > free[name]}
        # What overwrites may be of the queue itself, which needs no wait.
        self.ended, self.over = {}, {}
        for (kind, first, later, second), count in self.orders.items():
            if kind == "R" or second not in self.arming:
                key = (kind, first, later)
                self.ended[key] = self.ended.get(key, 0) + count
        for (kind, first, second), counts in self.exact.items():
            arms = opcode(second) in self.arming
            if kind[0] != "R" and kind[1:] == "R" and arms:
                key = (kind[0], opcode(first), opcode(second))
                self.ended[key] = self.ended.get(key, 0) + counts.bare.all
            if kind[0] == "A" and not arms or kind[0] == "R" and opcode(first) not in self.arming:
                key = (("W" if kind[0] == "R" else "A") + kind[1:], base(first))
                least = counts.bare
                self.over.setdefault(key, Least()).add(least.cycles, least.at, least.all)
        self.levels, self.found = {}, {}
        for key, counts in self.exact.items():
            for general in dict.fromkeys(self.more_general(key)):
                known = self.levels.get(general)
                if known is None:
                    known = self.levels[general] = Counts()
                known.merge(counts)

    def least_arm(self, mnemonic):
        """The least distance of a wait from the instruction with a mnemonic that armed its scoreboard."""
        own = self.arm.get(mnemonic.split(".", 1)[0])
        if own and own.all >= self.enough[0] and own.at >= self.at_least[0]:
            return own.cycles
        return min((least.cycles for least in self.arm.values()), default=0)

    def in_order(self, key):
        """Whether scoreboards of later operations of the first mnemonic protect its results."""
        return any(self.levels[general].queue for general in self.more_general(key)[:3] if general in self.levels)

    def is_ended(self, kind, first, second, later):
        """Whether original code takes what an operation did as ended when one of some later operations has: in
        enough pairs nothing else was waited for; or when the second, of variable latency itself, delivers."""
        order, also = (kind[0], opcode(first)), [opcode(second)] * (kind[0] != "R" and opcode(second) in self.arming)
        return any(self.ended.get((*order, name), 0) >= self.at_least[2] for name in [*later, *also])

    def limits(self, key):
        """For pairs that are bare and that have another wait between them: the least distance, or None if
        a scoreboard must protect them. With the evidence, and the level that decides."""
        result = self.found.get(key)
        if result is None:
            result = self.found[key] = self.decide(key)
        return result

    def decide(self, key):
        """Like `limits`."""
        keys = self.more_general(key)
        levels = [(self.levels[general], level) for level, general in enumerate(keys) if general in self.levels]
        # What is overwritten has no latency of its own: that no pair is nearer says little of the pair.
        if key[0][0] != "R":
            free = [(counts, level) for counts, level in levels if level > 1]
            least = self.limit(free, other=False), self.limit(free, other=True)
            none = self.limit(levels, other=False), self.limit(levels, other=True)
            return tuple(found if found[0] is None else limit for found, limit in zip(none, least))
        return self.limit(levels, other=False), self.limit(levels, other=True)

    def limit(self, levels, other):
        """The least distance by the first level with enough pairs, and these; None if a scoreboard is
        always waited for. `levels` are pairs of counts and their place in `more_general`."""
        for counts, level in levels:
            least = Least()
            least.add(counts.bare.cycles, counts.bare.at, counts.bare.all)
            if other:
                least.add(counts.other.cycles, counts.other.at, counts.other.all)
            if least.all == 0 and counts.own + counts.queue >= self.enough[level]:
                return None, counts.own + counts.queue
            if least.all >= self.enough[level] and least.at >= self.at_least[level]:
                return least.cycles, least.all
        return 0, 0


def without_modifiers(machines):
    """The machines, with pairs of mnemonics alone."""
    result = {}
    for machine, found in machines.items():
        brief = result[machine] = Machine()
        brief.arm, brief.issue, brief.orders = found.arm, found.issue, found.orders
        for (kind, first, second), counts in found.exact.items():
            key = (kind, base(first), base(second))
            brief.exact.setdefault(key, Counts()).merge(counts)
    return result


def save(path, machines):
    """Writes what was learned."""
    contents = {
        machine: {
            "arm": {mnemonic: [least.all, least.cycles, least.at] for mnemonic, least in found.arm.items()},
            "issue": {" ".join(key): [least.all, least.cycles, least.at] for key, least in found.issue.items()},
            "orders": {" ".join(key): count for key, count in found.orders.items()},
            "pairs": {" ".join(key): counts.fields() for key, counts in found.exact.items()},
        }
        for machine, found in sorted(machines.items())
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(contents, file, separators=(",", ":"))


def load(path):
    """Reads what was learned."""
    with open(path, encoding="utf-8") as file:
        contents = json.load(file)
    machines = {}
    for target, found in contents.items():
        machine = machines[target] = Machine()
        machine.arm = {mnemonic: Least(*least) for mnemonic, least in found["arm"].items()}
        machine.issue = {tuple(key.split(" ")): Least(*least) for key, least in found["issue"].items()}
        machine.orders = {tuple(key.split(" ")): count for key, count in found["orders"].items()}
        machine.exact = {tuple(key.split(" ")): Counts(*counts) for key, counts in found["pairs"].items()}
    return machines
