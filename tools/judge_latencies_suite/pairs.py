"""The pairs of dependent instructions of a function: what was written or read, what reads or writes it
next, how many cycles the stalls keep between the two, and which scoreboard was waited for.

A path is the instructions in their order, branches not taken, until one that always leaves, or one with a stall
of zero, which waits for everything in flight. Registers are
those of nvdisasm's lists; an instruction under a guard does not end what was there before.
"""

import re

from . import listing

# Without scoreboard: the value of the fields of the control word.
NONE = 7

# Instructions after which the next one is not executed next, if they have no guard.
LEAVES = {"EXIT", "BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "RET", "CALL", "KILL", "BREAK", "RTT"}

# Instructions that close a group of copies or stores, on the scoreboard that they arm.
CLOSES = {"LDGDEPBAR", "UTMACMDFLUSH"}

# A wait that leaves so many operations in flight waits for none: it stands in front of allocations of tensor memory.
MANY = 32

# Waits for groups of products of a warp group; and such a product.
GROUPS, PRODUCT = "WARPGROUP.DEPBAR.LE", re.compile(r"[A-Z]GMMA\b")

# How a pair is kept apart: by the scoreboard that the first armed; by nothing but its stalls; or, where that
# was not waited for, by its stalls and a wait for some other operation, or by the scoreboard of a later
# operation with its mnemonic.
OWN, BARE, OTHER, QUEUE = range(4)

# What an operand that is a register looks like.
PLAIN = re.compile(r"(?:U?R\d+|U?RZ|U?P\d|U?PT)$")


class Pair:
    """A pair of dependent instructions. `kind` is the order (R read after write, W write after write, A write
    after read) with the register file, `first` and `second` are keys, `later` the mnemonics of operations behind
    the first whose scoreboards were waited for if its own was not, `places` the numbers of both instructions,
    `found` is the second of them, and `front` the instruction in front of it."""

    __slots__ = ("cycles", "first", "found", "front", "how", "kind", "later", "places", "second", "shadowed")

    def __init__(self, kind, first, second, how, cycles, later, places, found, front):
        self.kind, self.first, self.second, self.how, self.cycles = kind, first, second, how, cycles
        self.later, self.places, self.found, self.front = later, places, found, front
        # Whether the second also depends on an instruction behind the first, and only stalls keep it from that.
        self.shadowed = False


class Roles:
    """The keys of an instruction's registers: what it is of the result, or which operand reads it."""

    def __init__(self):
        self.known = {}

    def of(self, found):
        """Pairs (register, key) of definitions, and of uses."""
        text = (found.guard, found.mnemonic, found.operands, len(found.defines), len(found.uses))
        result = self.known.get(text)
        if result is None:
            if len(self.known) > 300_000:
                self.known.clear()
            result = roles(found)
            # What the text does not show may differ between two instructions of the same text.
            if not any(key.endswith("?") for _, key in result[0] + result[1]):
                self.known[text] = result
        return result


def operand_registers(operands):
    """Triples (register file, first register, slot): the slot is the operand's position, with a letter
    if the register is inside brackets."""
    found = []
    for position, operand in enumerate(operands.split(", ")):
        for register in listing.REGISTER.finditer(operand):
            before = operand[: register.start()]
            bracket = before.rfind("[")
            inside = bracket > before.rfind("]")
            slot = str(position)
            if inside:
                slot = "d" if before[:bracket].endswith("desc") else "c" if before.startswith("c[") else "a"
            found.append((register.group(1) + register.group(2), int(register.group(3)), slot))
    return found


def roles(found):
    """Like `Roles.of`."""
    # nvdisasm lists what a call may change, which is not the call's own.
    if found.mnemonic.startswith("CALL"):
        return [], []
    operands = operand_registers(found.operands)
    # Results come first: a register in the first operand, predicates in the first three. The lists have
    # predicates also where they are operands only (LDGSTS).
    leading = 0
    for operand in found.operands.split(", "):
        if not PLAIN.match(operand):
            break
        leading += 1
    result = {}
    for file, base, slot in operands:
        if slot == "0":
            result[file] = (base, slot)
    places = {(file, base): slot for file, base, slot in reversed(operands) if slot in "012"[:leading]}
    defines = []
    for file, number in found.defines:
        if file in ("P", "UP"):
            if (file, number) in places:
                defines.append(((file, number), f"{found.mnemonic}/{places[file, number]}"))
            continue
        part = number - result.get(file, (number, "0"))[0]
        defines.append(((file, number), f"{found.mnemonic}/{part if 0 <= part < 4 else 'n'}"))
    guard = found.guard and found.guard.lstrip("!")
    uses = []
    for file, number in found.uses:
        if guard == f"{file}{number}":
            uses.append(((file, number), f"{found.mnemonic}/g"))
        sources = [
            (base, slot)
            for position, (name, base, slot) in enumerate(operands)
            if name == file and base <= number and not (slot == "0" and result.get(file) == (base, "0"))
        ]
        nearest = max((base for base, _ in sources), default=None)
        if file in ("P", "UP") and nearest != number:
            sources = []
            if guard == f"{file}{number}":
                continue
        slots = {slot + ("+" if base < number else "") for base, slot in sources if base == nearest}
        for slot in sorted(slots) or ["?"]:
            uses.append(((file, number), f"{found.mnemonic}/{slot}"))
    return defines, uses


class Waits:
    """Which of the operations before are known to be complete."""

    def __init__(self):
        self.all_until = [-1] * 6
        self.armed = [[] for _ in range(6)]
        self.any = -1
        self.last = [[{}, {}] for _ in range(6)]
        self.queues = [{}, {}]
        self.groups, self.groups_until = [], -1

    def close(self, found, index):
        """Closes a group of products of a warp group."""
        if "gsb0" in found.operands:
            self.groups.append(index)

    def arm(self, barrier, name, index, *, results):
        """Arms a scoreboard for results, or for operands; `name` is the mnemonic without modifiers."""
        if results:
            self.armed[barrier].append(index)
            self.last[barrier][0][name] = index
        # When there is a result, the operands have been read.
        self.last[barrier][1][name] = index

    def wait(self, found, index):
        """Waits of an instruction, before it issues."""
        mask = found.waits
        if mask:
            self.any = index
            for barrier in range(6):
                if mask >> barrier & 1:
                    self.all_until[barrier] = index - 1
                    for queue, ended in zip(self.queues, self.last[barrier]):
                        for name, last in ended.items():
                            queue[name] = max(queue.get(name, -1), last)
                        ended.clear()
        if found.partial:
            barrier, count = found.partial
            self.any = index
            armed = self.armed[barrier] if barrier < 6 else []
            if len(armed) > count:
                self.all_until[barrier] = max(self.all_until[barrier], armed[-1 - count])
        elif found.mnemonic == GROUPS:
            self.any = index
            count = int(found.operands.rsplit(" ", 1)[1], 0)
            if len(self.groups) > count:
                self.groups_until = max(self.groups_until, self.groups[-1 - count])


def walk(function, known, pair, armed):
    """Calls pair(found), with a Pair, for each pair of a function; and armed(mnemonic, cycles, found) for each
    first wait after arming."""
    state, following = Walk(known, pair, armed), None
    for index, found in enumerate(function.instructions):
        # Where nvdisasm prints an instruction as a word without a text, nothing is known of it.
        if found.address != following:
            state.reset()
        following = found.address + listing.SIZE
        state.step(index, found)


def misnamed(function):
    """Yields the instructions that close a group of copies on a scoreboard that no wait of a function names, though
    some name others."""
    named = {found.named for found in function.instructions if not found.partial or found.partial[1] < MANY} - {None}
    for found in function.instructions:
        if found.mnemonic.split(".", 1)[0] in CLOSES and named:
            armed = {found.write_barrier, found.read_barrier} - {NONE}
            if not armed & named:
                yield found


class Walk:
    """A path."""

    def __init__(self, known, pair, armed):
        self.known, self.pair, self.armed = known, pair, armed
        self.reset()

    def reset(self):
        """Begins a path."""
        self.now, self.front = 0, None
        self.writers, self.readers, self.changed, self.pending = {}, {}, {}, {}
        self.waits = Waits()

    def step(self, index, found):
        """Adds an instruction to the path."""
        self.wait(index, found)
        guard = None
        if found.guard:
            name = found.guard.lstrip("!")
            guard = (name, found.guard[0] == "!", self.changed.get(name))
        defines, uses = self.known.of(found)
        self.meet(index, found, guard, defines, uses)
        self.record(index, found, guard, defines, uses)
        if PRODUCT.match(found.mnemonic):
            self.waits.close(found, index)
        for barrier in {found.write_barrier, found.read_barrier} - {NONE}:
            results = barrier == found.write_barrier
            self.waits.arm(barrier, found.mnemonic.split(".", 1)[0], index, results=results)
            self.pending[barrier] = (self.now, found.mnemonic)
        self.now += found.stall
        self.front = found
        if found.stall == 0 or guard is None and found.mnemonic.split(".", 1)[0] in LEAVES:
            self.reset()

    def wait(self, index, found):
        """The waits before an instruction issues."""
        if found.waits or found.partial or found.mnemonic == GROUPS:
            self.waits.wait(found, index)
            for barrier in range(6):
                if found.waits >> barrier & 1 and barrier in self.pending:
                    since, mnemonic = self.pending.pop(barrier)
                    self.armed(mnemonic, self.now - since, found)

    def how(self, kind, entry):
        """How what an entry did is kept apart from what issues now, and the mnemonics of later operations that
        have ended if neither its scoreboard nor time alone does. `kind` is as for `pair`."""
        index, _, key, barriers, _ = entry
        if any(self.waits.all_until[barrier] >= index for barrier in barriers):
            return OWN, ()
        if PRODUCT.match(key) and self.waits.groups_until >= index:
            return OWN, ()
        if self.waits.any <= index:
            return BARE, ()
        later = [name for name, last in self.waits.queues[kind[0] == "A"].items() if last > index]
        return QUEUE if key.split("/", 1)[0].split(".", 1)[0] in later else OTHER, later

    def met(self, kind, entries, guard, key, index, found):
        """The pairs of entries with an instruction, but for those whose guards exclude each other."""
        for entry in entries:
            before = entry[4]
            if before and guard and before[0] == guard[0] and before[1] != guard[1] and before[2] == guard[2]:
                continue
            how, later = self.how(kind, entry)
            places = (entry[0], index)
            yield Pair(kind, entry[2], key, how, self.now - entry[1], later, places, found, self.front)

    def meet(self, index, found, guard, defines, uses):
        """Reports the pairs with an instruction as the second."""
        met = []
        for register, key in uses:
            entries = self.writers.get(register)
            if entries:
                met.extend(self.met("R" + register[0], entries, guard, key, index, found))
        for register, key in defines:
            entries = self.writers.get(register)
            if entries:
                met.extend(self.met("W" + register[0], entries, guard, key, index, found))
            entries = self.readers.get(register)
            if entries:
                met.extend(self.met("A" + register[0], entries, guard, key, index, found))
        last = max((pair.places[0] for pair in met if pair.how in (BARE, OTHER)), default=-1)
        for pair in met:
            pair.shadowed = pair.places[0] < last
            self.pair(pair)

    def record(self, index, found, guard, defines, uses):
        """Its accesses, for instructions after it."""
        results = tuple(barrier for barrier in (found.write_barrier,) if barrier != NONE)
        operands = tuple({found.write_barrier, found.read_barrier} - {NONE})
        for register, key in defines:
            entry = (index, self.now, key, results, guard)
            if guard is None:
                self.writers[register] = [entry]
                self.readers.pop(register, None)
            else:
                entries = self.writers.setdefault(register, [])
                entries[:] = [before for before in entries if before[4] != guard][-3:]
                entries.append(entry)
            if register[0] in ("P", "UP"):
                self.changed[f"{register[0]}{register[1]}"] = index
        written = set(found.defines) if guard is None else ()
        for register, key in uses:
            if register not in written:
                self.readers.setdefault(register, []).append((index, self.now, key, operands, guard))
