"""Compares two orders of the instructions of a function.

In both orders each instruction adds its own random number to sums, one for each thing that it does (writes R4, is a
store to shared memory, synchronises, ...), and sees the sums of all that it must stay in order with. If it sees
the same in both orders, it is after the same instructions.
"""

import collections
import random
import re

from judge_latencies_suite import listing

from . import rules

MASK = (1 << 64) - 1
REUSE = re.compile(r"\.reuse\b")
LABEL = re.compile(r"\.L_x_\d+")
NAMED = re.compile(r"(?<![.\w])(B|SB|gsb)(\d+)\b")
PREDICATES = re.compile(r"\b(U?PR)\b")
# An address, and the number in it.
ADDRESS = re.compile(r"(?:desc\[UR\d+\])?\[([^\]]*)\]")
OFFSET = re.compile(r"(?:^|\+)(-?)0x([0-9a-f]+)$")
ZERO = re.compile(r"(?:^|\+)U?RZ(?:\.64)?$")
SUMMAND = re.compile(r"(U?R)(\d+)(\.64)?")
SIZES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}

# What does nothing, of which there may be more or fewer: stall counts may need it.
NOTHING = "NOP"

Finding = collections.namedtuple("Finding", "function block first second reason")


def message(finding):
    """The finding in words."""
    place = f"{finding.function}, block {finding.block}"
    if not finding.second:
        return f"{place}: '{finding.first}' {finding.reason}"
    return f"{place}: '{finding.second}' must stay after '{finding.first}': {finding.reason}"


def text_of(guard, mnemonic, operands):
    """The text of an instruction, which is the same for the same instruction."""
    words = f"@{guard} {mnemonic} {operands}" if guard else f"{mnemonic} {operands}"
    return " ".join(REUSE.sub("", words).split())


def mnemonic_of(text):
    return text.split(" ", 2)[1 if text.startswith("@") else 0]


def blocks(texts, labels):
    """Splits the texts of a function behind jumps and at labels: lists of numbers of instructions. `labels` are pairs
    of a number and a name. nvdisasm makes some for life ranges that nothing names: these do not count."""
    named = {name for text in texts for name in LABEL.findall(text)}
    starts = {number for number, name in labels if not name.startswith(".L_x_") or name in named}
    found, current = [], []
    for number, text in enumerate(texts):
        if number in starts and current:
            found.append(current)
            current = []
        current.append(number)
        if rules.base(mnemonic_of(text)) in rules.FLOW:
            found.append(current)
            current = []
    return found + [current] if current else found


def size(mnemonic):
    return next((SIZES[name] for name in mnemonic.split(".")[1:] if name in SIZES), 4)


def literal(guard, versions):
    """The threads of a guard: the predicate, its value, and whether it is inverted; `None` for all."""
    if not guard or guard.lstrip("!") in ("PT", "UPT"):
        return None
    name = guard.lstrip("!")
    register = (name.rstrip("0123456789"), int(name.lstrip("UP")))
    return register, versions[register], guard.startswith("!")


def registers_of(item):
    """The registers that an instruction writes, and those that it reads: those of life ranges, convergence barriers and
    scoreboards (which count as written), and what life ranges have wrong: predicates as a word are not in them, and
    the predicate of a copy, which it only reads, is marked as written."""
    defines, uses = set(item.defines), set(item.uses)
    name = rules.base(item.mnemonic)
    if name == "LDGSTS":
        uses.update(register for register in defines if register[0] == "P")
        defines = {register for register in defines if register[0] != "P"}
    defines.update((file, int(number)) for file, number in NAMED.findall(item.operands))
    for whole in PREDICATES.findall(item.operands):
        mask = item.operands.rsplit(", ", 1)[-1]
        mask = int(mask, 16) if mask.startswith("0x") else 0x7F
        predicates = {(whole[:-1], number) for number in range(7) if mask >> number & 1}
        (defines if name in ("R2P", "UR2UP") else uses).update(predicates)
    return defines, uses


def excluded(threads, register):
    """The threads that never access a register together with others, if the register is theirs alone."""
    if threads is None or register[0] in ("UR", "UP") and threads[0][0] != "UP":
        return None
    return threads[0], threads[1], not threads[2]


class Walk:
    """Makes for each instruction of a block what it adds to and what it sees."""

    def __init__(self, products):
        self.versions = collections.Counter()
        self.products = products

    def step(self, item, is_last):
        """Keys that the instruction adds to, and triples of a reason, keys whose sums it sees, and keys whose sums
        are taken off."""
        adds, sees = [], []
        members = rules.sets(item, is_last, self.products)
        adds.extend(("set", name) for name in members)
        for one, other, reason in rules.PAIRS:
            if one in members:
                sees.append((reason, [("set", other)], []))
            if other in members and other != one:
                sees.append((reason, [("set", one)], []))
        self.memory(item, adds, sees)
        self.registers(item, adds, sees)
        return adds, sees

    def registers(self, item, adds, sees):
        if item.guard in ("!PT", "!UPT"):
            return
        threads = literal(item.guard, self.versions)
        defines, uses = registers_of(item)
        for register in defines | uses:
            name = f"{register[0]}{register[1]}"
            others = excluded(threads, register)
            kinds = ["write", "read"] if register in defines else ["write"]
            plus = [(kind, register) for kind in kinds]
            minus = [(kind, register, others) for kind in kinds] if others else []
            reason = f"one accesses {name}, the other writes it"
            sees.append((reason, plus, minus))
            made = [("write", register)] if register in defines else []
            made += [("read", register)] if register in uses else []
            adds.extend(made)
            adds.extend((*key, threads) for key in made if threads)
        for register in defines:
            self.versions[register] += 1

    def memory(self, item, adds, sees):
        reads, writes = rules.spaces(item.mnemonic)
        for space in dict.fromkeys(reads + writes):
            written = space in writes
            kinds = ["store", "load"] if written else ["store"]
            own = "store" if written else "load"
            reason = f"both access {rules.SPACES[space]}, and one writes"
            base, places = self.place(item, space, written)
            plus = [(kind, space) for kind in kinds]
            minus = [(kind, space, base) for kind in kinds] if base else []
            sees.append((reason, plus, minus))
            adds.append((own, space))
            if base:
                adds.append((own, space, base))
            for place in places:
                sees.append((reason, [(kind, space, base, place) for kind in kinds], []))
                adds.append((own, space, base, place))

    def place(self, item, space, written):
        """The registers that are added to an address, with their values, and the bytes behind their sum."""
        name = rules.base(item.mnemonic)
        addresses = ADDRESS.findall(item.operands)
        if name == "LDGSTS":
            address = addresses[0 if written else 1] if len(addresses) == 2 else None
        elif name in ("LD", "ST", "LDG", "STG", "LDS", "STS", "LDL", "STL") and len(addresses) == 1:
            address = addresses[0]
        else:
            return None, ()
        if address is None or item.guard in ("!PT", "!UPT"):
            return None, ()
        offset = OFFSET.search(address)
        start = int(offset[1] + offset[2], 16) if offset else 0
        text = ZERO.sub("", address[: offset.start()] if offset else address)
        values = []
        for file, number, wide in SUMMAND.findall(text):
            # The high half of an address may not be marked: nothing is lost if a word's neighbour counts too.
            neighbours = (0, 1) if wide or space == "g" or name in ("LD", "ST") else (0,)
            values += [self.versions[file, int(number) + more] for more in neighbours]
        # Generic addresses of global memory are those of the other instructions.
        kind = "g" if name in ("LD", "ST") else space
        return (kind, text, tuple(values)), range(start, start + size(item.mnemonic))


def seen(steps, order, numbers):
    """What each instruction sees, by its number."""
    sums, found = collections.defaultdict(int), {}
    for number in order:
        adds, sees = steps[number]
        found[number] = [
            (sum(sums[key] for key in plus) - sum(sums[key] for key in minus)) & MASK for _, plus, minus in sees
        ]
        for key in adds:
            sums[key] += numbers[number]
    return found


def pairs(steps, order, number, see):
    """The instructions that are on different sides of one in both orders, and concern one thing that it sees."""
    _, plus, minus = see
    place = {other: position for position, other in enumerate(order)}
    for other, (adds, _) in enumerate(steps):
        concerned = sum(key in plus for key in adds) - sum(key in minus for key in adds) > 0
        if concerned and other in place and other != number:
            if (other < number) != (place[other] < place[number]):
                yield min(other, number), max(other, number)


def match(before, after):
    """The numbers of the instructions of the first order in the second one, and what only one of them has."""
    stock = collections.defaultdict(collections.deque)
    for number, text in enumerate(before):
        stock[text].append(number)
    order, added = [], []
    for text in after:
        if stock[text]:
            order.append(stock[text].popleft())
        elif text != NOTHING:
            added.append(text)
    missing = sorted(number for text, left in stock.items() if text != NOTHING for number in left)
    return order, [before[number] for number in missing], added


def compare_block(name, number, items, texts, after, products):
    """The findings in a block."""
    order, missing, added = match(texts, after)
    for text in missing:
        yield Finding(name, number, text, "", "is missing in the new order")
    for text in added:
        yield Finding(name, number, text, "", "is not in the original code")
    if order == sorted(order):
        return
    walk = Walk(products)
    steps = [walk.step(item, place + 1 == len(items)) for place, item in enumerate(items)]
    random.seed(0)
    numbers = [random.getrandbits(63) for _ in items]
    old, new = seen(steps, sorted(order), numbers), seen(steps, order, numbers)
    known = set()
    for one in sorted(order):
        for see, first, second in zip(steps[one][1], old[one], new[one]):
            if first == second:
                continue
            for pair in pairs(steps, order, one, see):
                if pair not in known:
                    known.add(pair)
                    yield Finding(name, number, texts[pair[0]], texts[pair[1]], see[0])


def product_registers(function):
    """The general registers that products of warp groups access."""
    products = (item for item in function.instructions if rules.PRODUCT.fullmatch(rules.base(item.mnemonic)))
    accessed = (register for item in products for register in (*item.defines, *item.uses))
    return {register for register in accessed if register[0] == "R"}


def compare(function, texts, labels):
    """The findings in a function: `texts` are the instructions in the new order, `labels` the pairs of numbers and
    names of their labels."""
    before = [text_of(item.guard, item.mnemonic, item.operands) for item in function.instructions]
    # Behind the last jump is only padding, which nvdisasm does not print with life ranges.
    texts = texts[: max((number for number, text in enumerate(texts, 1) if text != NOTHING), default=0)]
    old, new = blocks(before, function.labels), blocks(texts, labels)
    products = product_registers(function)
    if len(old) != len(new):
        yield Finding(function.name, 0, f"{len(old)} blocks", "", f"became {len(new)}")
    for number, (first, second) in enumerate(zip(old, new)):
        items = [function.instructions[index] for index in first]
        own = [before[index] for index in first]
        yield from compare_block(function.name, number, items, own, [texts[index] for index in second], products)


def moved(function, texts):
    """How many instructions of a function are elsewhere in the new order."""
    before = (text_of(item.guard, item.mnemonic, item.operands) for item in function.instructions)
    return sum(first != second for first, second in zip(before, texts))


LINE = re.compile(
    r"^[ \t]+/\*[0-9a-f]{4,6}\*/[ \t]+([^;\n]*?)[ \t]*;[^\n]*$"
    r"|^\t\.section[ \t]+\.text\.([^,\s]+)"
    r"|^([.$\w]+):[ \t]*(?://.*)?$",
    re.M,
)


def texts_of(text):
    """The functions of a listing in any form by name: lists of texts, and of pairs of a number and a label."""
    found, texts, labels = {}, None, None
    for line in LINE.finditer(text):
        if line.lastindex == 2:
            texts, labels = found.setdefault(line.group(2), ([], []))
        elif texts is None:
            continue
        elif line.lastindex == 3:
            labels.append((len(texts), line.group(3)))
        else:
            texts.append(text_of(*listing.TEXT.match(line.group(1)).groups()))
    return found
