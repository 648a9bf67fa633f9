"""What original code shows of pairs of dependent instructions, and what of that a pair is judged by."""

import json

from .listing import SIZE
from .pairs import BARE, NONE, OWN, QUEUE

# Exact pairs, pairs without modifiers, and those of sorts of instructions: how many pairs show whether a
# scoreboard is needed, and how many at the least distance show that it is least because it must be. With
# fewer, what is known of more general pairs decides.
ENOUGH, ENOUGH_AT_LEAST = (500, 300, 100, 100), (50, 50, 10, 10)

FAR = 1 << 20


class Least:
    """Distances in cycles: how many, the least, how many issue at it, and at how many of these nothing but the
    dependence explains it."""

    __slots__ = ("all", "at", "cycles", "held")

    def __init__(self, count=0, cycles=FAR, at=0, held=0):
        self.all, self.cycles, self.at, self.held = count, cycles, at, held

    def add(self, cycles, held=True):
        """Adds a pair."""
        self.all += 1
        if cycles < self.cycles:
            self.cycles, self.at, self.held = cycles, 0, 0
        if cycles == self.cycles:
            self.at += 1
            self.held += held

    def merge(self, more):
        """Adds the pairs of another."""
        self.all += more.all
        if more.cycles < self.cycles:
            self.cycles, self.at, self.held = more.cycles, 0, 0
        if more.cycles == self.cycles:
            self.at += more.at
            self.held += more.held

    def fields(self):
        """As a list of numbers, for a file."""
        return [self.all, self.cycles, self.at, self.held] if self.all else []


class Counts:
    """Pairs of a kind: how many are protected by a scoreboard of their own, and by that of a later operation
    of the first mnemonic; the distances of those kept apart by their stalls alone; of those with a wait for
    something before the first in between; and of those with one for something behind it."""

    __slots__ = ("bare", "behind", "other", "own", "queue")

    def __init__(self, own=0, queue=0, bare=(), other=(), behind=()):
        self.own, self.queue = own, queue
        self.bare, self.other, self.behind = Least(*bare), Least(*other), Least(*behind)

    def add(self, found, held):
        """Adds a pair."""
        if found.how == OWN:
            self.own += 1
        elif found.how == QUEUE:
            self.queue += 1
        elif found.how == BARE:
            self.bare.add(found.cycles, held)
        elif found.later:
            self.behind.add(found.cycles, held)
        else:
            self.other.add(found.cycles, held)

    def merge(self, more):
        """Adds the pairs of another."""
        self.own += more.own
        self.queue += more.queue
        self.bare.merge(more.bare)
        self.other.merge(more.other)
        self.behind.merge(more.behind)

    def fields(self):
        """As lists of numbers, for a file."""
        return [self.own, self.queue, self.bare.fields(), self.other.fields(), self.behind.fields()]


def opcode(key):
    """The mnemonic of a key or of an instruction, without modifiers."""
    return key.split("/", 1)[0].split(".", 1)[0]


def order(kind):
    """What of a kind of pair decides in which order operations end: results of a unit come in one order; operands
    in predicates and uniform registers are read at issue, others later."""
    return kind if kind[0] == "A" and kind[1:] != "R" else kind[0]


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
        self.exact, self.arm, self.issue, self.orders, self.sides = {}, {}, {}, {}, {}
        # The sides of all machines: that an operation can arm a scoreboard is how it is built.
        self.everywhere = self.sides

    def pair(self, found):
        """Adds a pair, as pairs.walk reports it."""
        key = (found.kind, found.first, found.second)
        counts = self.exact.get(key)
        if counts is None:
            counts = self.exact[key] = Counts()
        counts.add(found, self.is_held(found))
        if found.later:
            key = (order(found.kind), opcode(found.first), "+".join(sorted(found.later)), opcode(found.second))
            self.orders[key] = self.orders.get(key, 0) + 1

    def is_held(self, found):
        """Whether nothing but the dependence explains when the second of a pair issues: it does not depend on
        an instruction behind the first, too, and the stall in front of it is longer than the two need that
        follow each other there. What is read by the next instruction is always held."""
        if found.shadowed:
            return False
        if found.kind[0] == "R" and found.places[1] == found.places[0] + 1:
            return True
        return found.front.stall > self.least_issue(found.front.mnemonic, found.found.mnemonic)

    def least_issue(self, first, second):
        """The least distance of two mnemonics that follow each other; where too few do, of the first from any."""
        known = self.issue.get((opcode(first), opcode(second)))
        if known and known.at >= self.at_least[2]:
            return known.cycles
        return self.issue[opcode(first), ""].cycles if (opcode(first), "") in self.issue else 1

    def armed(self, mnemonic, cycles, _found):
        """Adds a wait for a scoreboard, as pairs.walk reports it."""
        self.arm.setdefault(mnemonic.split(".", 1)[0], Least()).add(cycles)

    def follow(self, instructions):
        """Adds the distance of each instruction from the one before it, whatever depends on what, and which
        scoreboards each arms."""
        for found in instructions:
            counts = self.sides.setdefault(opcode(found.mnemonic), [0, 0, 0])
            counts[0] += 1
            counts[1] += found.write_barrier != NONE
            counts[2] += found.read_barrier != NONE
        for first, second in zip(instructions, instructions[1:]):
            if second.address == first.address + SIZE:
                for key in (opcode(second.mnemonic), ""):
                    self.issue.setdefault((opcode(first.mnemonic), key), Least()).add(first.stall)

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

    def sort(self, key):
        """The sort of an instruction: whether it arms scoreboards for results, only for operands, or none."""
        name = opcode(key)
        return "results" if name in self.arming else "operands" if name in self.reading else "fixed"

    def more_general(self, key):
        """The keys that decide for a pair, from its own to the most general: with modifiers; without;
        the second by which scoreboards it arms and the sort of its operand; the first likewise."""
        kind, first, second = key
        first_base, second_base = base(first), base(second)
        operand = second_base.rsplit("/", 1)[1]
        # The second register of an operand is read apart from the first.
        place = operand.rstrip("+")
        operand = (place if place.isalpha() else "n") + operand[len(place) :]
        second_class = f"{self.sort(second)}/{operand}"
        first_class = self.sort(first)
        return [
            key,
            (kind, first_base, second_base),
            (kind, first_base, second_class),
            (kind, first_class, second_class),
        ]

    def close(self):
        """Makes what is looked up; no pair may be added afterwards."""
        # A mnemonic arms scoreboards for results, or for operands, if more of its pairs are protected by them than
        # by stalls alone. What overwrites operands may be of the queue itself, which needs none.
        self.arming = self.protected("R", self.exact)
        self.reading = self.protected("A", (key for key in self.exact if opcode(key[2]) not in self.arming))
        self.ended, self.over = {}, {}
        for (kind, first, later, second), count in self.orders.items():
            self.end(kind, first, second, later.split("+"), count)
        for (kind, first, second), counts in self.exact.items():
            arms = opcode(second) in self.arming
            if kind[0] != "R" and kind[1:] == "R" and arms:
                self.end(kind[0], opcode(first), opcode(second), [opcode(second)], counts.bare.all)
            if kind[0] == "A" and not arms or kind[0] == "R" and opcode(first) not in self.arming:
                key = (("W" if kind[0] == "R" else "A") + kind[1:], base(first))
                self.over.setdefault(key, Least()).merge(counts.bare)
        self.join(self.in_one_queue())
        self.levels, self.found = {}, {}
        for key, counts in self.exact.items():
            for general in dict.fromkeys(self.more_general(key)):
                known = self.levels.get(general)
                if known is None:
                    known = self.levels[general] = Counts()
                known.merge(counts)

    def end(self, kind, first, second, later, count):
        """Adds pairs that a wait for later operations keeps apart."""
        names = frozenset(later)
        sets = self.ended.setdefault((kind, first, kind[0] != "R" and second in self.arming), {})
        sets[names] = sets.get(names, 0) + count

    def in_one_queue(self):
        """Pairs of (order, mnemonic) of which enough pairs show that a wait for the second is also one for the
        first before it: operations of one queue."""
        shown = {}
        for (kind, first, _), sets in self.ended.items():
            for names, count in sets.items():
                if len(names) == 1 and first in (self.reading if kind[0] == "A" else self.arming):
                    unit = "R" if kind == "W" else kind
                    key = ((unit, first), (unit, *names))
                    shown[key] = shown.get(key, 0) + count
        return {key for key, count in shown.items() if count >= self.at_least[2]}

    def join(self, shown):
        """Makes the queues: all operations that are connected by such pairs."""
        roots = {}

        def root(name):
            while roots.setdefault(name, name) != name:
                name = roots[name]
            return name

        for first, second in sorted(shown):
            roots[root(first)] = root(second)
        self.queues = {name: root(name) for name in list(roots)}

    def protected(self, kind, keys):
        """The mnemonics that arm scoreboards for what they do in pairs of a kind, of general registers."""
        known = {}
        for key in keys:
            if key[0][0] == kind and (kind == "R" or key[0] == "AR"):
                counts = self.exact[key]
                name = opcode(key[1])
                known[name] = known.get(name, 0) + counts.own + counts.queue - counts.bare.all
        return {name for name, count in known.items() if count > 0}

    def least_arm(self, mnemonic):
        """The least distance of a wait from the instruction with a mnemonic that armed its scoreboard."""
        own = self.arm.get(mnemonic.split(".", 1)[0])
        if own and own.all >= self.enough[0] and own.at >= self.at_least[0]:
            return own.cycles
        return min((least.cycles for least in self.arm.values()), default=0)

    def never_arms(self, mnemonic, side):
        """How many instructions of original code show that those with a mnemonic, whatever its modifiers, arm no
        scoreboard for results (side 1) or operands (2); 0 if some do, or too few were seen."""
        counts = self.everywhere.get(opcode(mnemonic), [0, 0, 0])
        return counts[0] if counts[0] >= self.at_least[0] and not counts[side] else 0

    def in_order(self, key):
        """Whether scoreboards of later operations of the first mnemonic protect its results."""
        return any(self.levels[general].queue for general in self.more_general(key)[:3] if general in self.levels)

    def is_ended(self, kind, first, second, later):
        """Whether original code takes what an operation did as ended when some later operations have: in enough
        pairs nothing but some of these was waited for, or one of them is of its queue; or when the second, of
        variable latency itself, delivers."""
        arms = kind[0] != "R" and opcode(second) in self.arming
        waited = {*later, opcode(second)} if arms else {*later}
        keys = [(order(kind), opcode(first), False)]
        # What may be read may be overwritten.
        if kind[0] == "W":
            keys.append(("R", opcode(first), False))
        if arms:
            keys.append((order(kind), opcode(first), True))
        sets = [item for key in keys for item in self.ended.get(key, {}).items()]
        if waited and sum(count for names, count in sets if names <= waited) >= self.at_least[2]:
            return True
        unit = "R" if kind[0] == "W" else order(kind)
        # Where the result is there, the operands have been read.
        units = {unit, "R"} if opcode(first) in self.arming else {unit}
        return any(
            (unit, opcode(first)) in self.queues
            and any(self.queues.get((unit, name)) == self.queues[unit, opcode(first)] for name in waited)
            for unit in units
        )

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
        # Whether what takes a scoreboard has ended behind a later operation is a matter of orders, not of distance.
        variable = opcode(key[1]) in (self.reading if key[0][0] == "A" else self.arming)
        # What is overwritten has no latency of its own: that no pair is nearer says little of the pair. Two results
        # of one mnemonic come in the order in which they issue. Guards and other predicates are read at issue.
        if key[0][0] == "W" and opcode(key[1]) == opcode(key[2]) and not variable:
            return (0, 0), (0, 0)
        if key[0][0] != "R":
            # An operation of fixed latency has read its operands when a result of another one can be there, whichever
            # they are.
            coupled = key[0][0] == "A" and not variable and opcode(key[2]) not in self.arming
            at_issue = key[0][0] == "A" and key[0].endswith("P")
            free = [(counts, level) for counts, level in levels if level > (2 if coupled or at_issue else 1)]
            least = self.both(free, variable, [self.at_least[1]] * len(keys))
            none = self.both(free if at_issue else levels, variable, self.at_least)
            return tuple(found if found[0] is None else limit for found, limit in zip(none, least))
        return self.both(levels, variable, self.at_least)

    def both(self, levels, variable, few):
        """The limits without and with another wait in between."""
        names = ("bare", "other", "behind")
        return self.limit(levels, names[:1], few), self.limit(levels, names[: 3 - variable], few)

    def limit(self, levels, names, few):
        """The least distance by the first level with enough pairs, and these; None if a scoreboard is
        always waited for. `levels` are pairs of counts and their place in `more_general`, `names` the counts that
        are looked at, and `few` how many at the least distance are needed."""
        for counts, level in levels:
            least = Least()
            for name in names:
                least.merge(getattr(counts, name))
            if least.all == 0 and counts.own + counts.queue >= self.enough[level]:
                return None, counts.own + counts.queue
            if least.all >= self.enough[level] and least.held >= few[level]:
                return least.cycles, least.all
        return 0, 0


def without_modifiers(machines):
    """The machines, with pairs of mnemonics alone."""
    result = {}
    for machine, found in machines.items():
        brief = result[machine] = Machine()
        brief.arm, brief.issue, brief.orders, brief.sides = found.arm, found.issue, found.orders, found.sides
        for (kind, first, second), counts in found.exact.items():
            key = (kind, base(first), base(second))
            brief.exact.setdefault(key, Counts()).merge(counts)
    return result


def save(path, machines):
    """Writes what was learned."""
    contents = {
        machine: {
            "arm": {mnemonic: least.fields() for mnemonic, least in found.arm.items()},
            "issue": {" ".join(key): least.fields() for key, least in found.issue.items()},
            "orders": {" ".join(key): count for key, count in found.orders.items()},
            "sides": found.sides,
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
        machine.sides = found["sides"]
        machine.orders = {tuple(key.split(" ")): count for key, count in found["orders"].items()}
        machine.exact = {tuple(key.split(" ")): Counts(*counts) for key, counts in found["pairs"].items()}
    return machines
