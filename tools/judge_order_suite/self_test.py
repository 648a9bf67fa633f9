"""Pairs of neighbours that change places: in made-up code for each rule, and in real or random listings."""

import glob
import os

from judge_latencies_suite import listing

from . import order, rules

SAMPLES = os.path.join(os.path.dirname(__file__), "../../dialects/sass/tests/real/*.json")

LOAD = "R0 < R2 R3 UR4 UR5 | LDG.E R0, desc[UR4][R2.64]"
STORE = "< R8 R9 UR4 UR5 R5 | STG.E desc[UR4][R8.64], R5"
SUM = "R4 < R5 R6 | FADD R4, R5, R6"
PRODUCT = "R24 R25 R26 R27 < UR8 UR9 UR10 UR11 | HGMMA.64x8x16.F32 R24, gdesc[UR8], RZ, !UPT, gsb0"
CLOCK = "R10 R11 < | CS2R R10, SR_CLOCKLO"
STRONG = "R6 < R10 R11 UR4 UR5 | LDG.E.STRONG.SYS R6, desc[UR4][R10.64]"

# The two last instructions change places. Which other findings there are is not checked.
WRONG = {
    "it writes R4, which the other reads": [SUM, "R7 < R4 | MOV R7, R4"],
    "it reads R6, which the other writes": [SUM, "R6 < R8 | MOV R6, R8"],
    "both write R4": [SUM, "R4 < R8 | MOV R4, R8"],
    "a guard": ["P0 < R0 | ISETP.NE.AND P0, PT, R0, RZ, PT", "R4 < P0 R5 | @P0 MOV R4, R5"],
    "one guard": ["R4 < P0 R5 | @P0 MOV R4, R5", "R4 < P0 R6 | @P0 MOV R4, R6"],
    "predicates as a word": ["R1 < | P2R R1, PR, RZ, 0x4", "P2 < R2 | ISETP.NE.AND P2, PT, R2, RZ, PT"],
    "a uniform register": ["UR6 < P0 R5 | @P0 R2UR UR6, R5", "UR6 < P0 R6 | @!P0 R2UR UR6, R6"],
    "a convergence barrier": ["< | BSSY B0, `(.L_x_1)", "< | BREAK B0"],
    "a load and a store": [LOAD, STORE],
    "two stores": [STORE, "< R10 R11 UR4 UR5 R5 | STG.E desc[UR4][R10.64], R5"],
    "a generic store": ["R6 < R0 | LDS R6, [R0]", "< R8 R9 UR4 UR5 R5 | ST.E desc[UR4][R8.64], R5"],
    "the same bytes": ["< R8 R4 R5 | STS.64 [R8+0x8], R4", "R6 < R8 | LDS R6, [R8+0xc]"],
    "the same bytes without a base": ["< R4 R5 | STS.64 [RZ], R4", "R6 < | LDS R6, [0x4]"],
    "another base": ["< R8 R4 | STS [R8], R4", "R6 < R9 | LDS R6, [R9+0x4]"],
    "no thread": ["< | @!PT LDS RZ, [RZ]", "< R8 R4 | STS [R8], R4"],
    "strong accesses": ["R12 < R14 R15 UR4 UR5 | LD.E.STRONG.GPU R12, desc[UR4][R14.64]", STRONG],
    "an atomic operation": ["R12 < R14 R15 | ATOMS.ADD R12, [R14], R15", STRONG],
    "a barrier": [LOAD, "< | BAR.SYNC.DEFER_BLOCKING 0x0"],
    "two barriers": ["< | MEMBAR.SC.GPU", "< | ERRBAR"],
    "a clock": [LOAD, CLOCK],
    "two clocks": ["R12 < | S2R R12, SR_GLOBALTIMERLO", CLOCK],
    "a wait": ["R12 < R13 | MUFU.RCP R12, R13", "< | DEPBAR.LE SB0, 0x1"],
    "two products": [PRODUCT, PRODUCT.replace("R2", "R4").replace("gdesc[UR8]", "gdesc[UR12]")],
    "a register of a product": [PRODUCT, "< | WARPGROUP.DEPBAR.LE gsb0, 0x0", "R1 < R25 | MOV R1, R25"],
    "threads that are together": ["< | WARPSYNC.ALL", "R1 < R4 | SHFL.IDX PT, R1, R4, RZ, 0x1f"],
    "the number of registers": [SUM, "< | USETMAXREG.DEALLOC.CTAPOOL 0x28"],
    "the end of a block": [SUM, "< | EXIT"],
    "an unknown instruction": [SUM, "< | UNHEARDOF"],
}
RIGHT = {
    "other registers": [SUM, "R7 < R5 R6 | FADD R7, R5, R6"],
    "threads that exclude each other": ["R4 < P0 R5 | @P0 MOV R4, R5", "R4 < P0 R6 | @!P0 MOV R4, R6"],
    "two loads": [LOAD, "R1 < R8 R9 UR4 UR5 | LDG.E R1, desc[UR4][R8.64]"],
    "other memory": [LOAD, "< R8 R5 | STS [R8], R5"],
    "other bytes": ["< R8 R4 R5 | STS.64 [R8+0x8], R4", "R6 < R8 | LDS R6, [R8+0x4]"],
    "other bytes without a base": ["< R4 | STS [0x3c], R4", "< | STS [RZ], RZ"],
    "products of four": ["R4 < R4 R5 | QMUL4.E4M3x4 R4, R4.N6420, R5.B1", "R7 < R7 R8 | QMUL4.E4M3x4 R7, R7.N6420, R8.B1"],
    "other bytes of a copy": [
        "< R9 R2 R3 UR4 UR5 | LDGSTS.E.128 [R9], desc[UR4][R2.64]",
        "< R9 R2 R3 UR4 UR5 | LDGSTS.E.128 [R9+0x10], desc[UR4][R2.64+0x10]",
    ],
    "other predicates of a word": ["R1 < | P2R R1, PR, RZ, 0x4", "P1 < R2 | ISETP.NE.AND P1, PT, R2, RZ, PT"],
    "copies under one predicate": [
        "P2 < P2 R9 R2 R3 | LDGSTS.E.128 [R9], [R2.64], P2",
        "P2 < P2 R9 R2 R3 | LDGSTS.E.128 [R9+0x10], [R2.64+0x10], P2",
    ],
    "a weak access": [LOAD, STRONG],
    "no memory": ["< | BAR.SYNC.DEFER_BLOCKING 0x0", SUM],
    "a constant": [STORE, "R1 < | LDC R1, c[0x0][0x210]"],
    "no clock": ["R10 R11 < | CS2R R10, SRZ", LOAD],
    "no product's register": [PRODUCT, "< | WARPGROUP.DEPBAR.LE gsb0, 0x0", "R1 < R12 | MOV R1, R12"],
}


def function(lines):
    """A function of lines `registers written < registers read | text`. A `MUFU` arms a scoreboard."""
    made = listing.Function("sm_90", "k")
    for number, line in enumerate(lines):
        registers, text = line.split("| ")
        defines, uses = registers.split("<")
        guard, mnemonic, operands = listing.TEXT.match(text).groups()
        word = 0 if mnemonic.startswith("MUFU") else 7 << 5 + 41
        item = listing.instruction(number * listing.SIZE, guard, mnemonic, operands, word | 7 << 8 + 41)
        item.defines, item.uses = listing.listed(defines), listing.listed(uses)
        made.instructions.append(item)
    return made


def texts(made):
    return [order.text_of(item.guard, item.mnemonic, item.operands) for item in made.instructions]


def swapped(made):
    """The findings if the two last instructions change places, in one block."""
    own = texts(made)
    new = own[:-2] + [own[-1], own[-2]]
    return list(order.compare_block("k", 0, made.instructions, own, new, order.product_registers(made)))


def errors_of_cases():
    """What is wrong with the judge in made-up code."""
    errors = []
    for name, lines in WRONG.items():
        if not swapped(function(lines)):
            errors.append(f"{name}: not found")
    for name, lines in RIGHT.items():
        errors += [f"{name}: {order.message(found)}" for found in swapped(function(lines))]
    made = function([SUM, LOAD, "< | EXIT"])
    own = texts(made)
    orders = {"missing": own[1:], "twice": [own[0], *own], "the same": own, "padding": ["NOP", *own]}
    for name, new in orders.items():
        expected = name in ("missing", "twice")
        if len(list(order.compare(made, new, []))) != expected:
            errors.append(f"{name}: {int(expected)} findings expected")
    return errors


def depend(first, second):
    """Whether registers alone keep two instructions in order, and whether nothing else can."""
    (writes, reads), (later_writes, later_reads) = order.registers_of(first), order.registers_of(second)
    common = writes & later_reads | reads & later_writes | writes & later_writes
    plain = all(rules.base(item.mnemonic) in rules.ARITHMETIC for item in (first, second))
    guards = {item.guard.lstrip("!") for item in (first, second) if item.guard}
    inverse = len(guards) == 1 and first.guard and second.guard and first.guard != second.guard
    return bool(common) and not inverse, plain and not common


def errors_of_swaps(paths, counts):
    """What is wrong with the judge in code whose neighbours change places, every second pair at a time."""
    errors = []
    for path in paths:
        for made in listing.functions(path, None):
            own, items = texts(made), made.instructions
            for start in (0, 1):
                new, pairs = list(own), []
                for block in order.blocks(own, made.labels):
                    for first in block[start:-1:2]:
                        # What leaves the block would end it elsewhere.
                        if rules.base(items[first + 1].mnemonic) not in rules.FLOW and own[first] != own[first + 1]:
                            new[first], new[first + 1] = own[first + 1], own[first]
                            pairs.append((first, first + 1))
                found = {(one.first, one.second) for one in order.compare(made, new, made.labels)}
                for first, second in pairs:
                    wrong, right = depend(items[first], items[second])
                    is_found = (own[first], own[second]) in found
                    counts["wrong"] += wrong
                    counts["right"] += right
                    if wrong and not is_found:
                        errors.append(f"{path}: '{own[first]}', '{own[second]}': not found")
                    if right and is_found:
                        # Equal texts elsewhere may be meant.
                        same = [pair for pair in pairs if own[pair[0]] == own[first] and own[pair[1]] == own[second]]
                        if len(same) == 1 and rules.CLOCK.search(own[first] + own[second]) is None:
                            errors.append(f"{path}: '{own[first]}', '{own[second]}': found")
            if any(order.compare(made, own, made.labels)):
                errors.append(f"{path}: '{made.name}' in its own order: found")
    return errors


def report(before, paths, errors):
    """Adds the errors of swaps in files, and prints all; 0 if there are none."""
    counts = {"wrong": 0, "right": 0}
    errors = errors + errors_of_swaps(paths, counts)
    for error in errors[:40]:
        print(f"error: {error}")
    print(f"{before}neighbours swapped: {counts['wrong']} wrong, {counts['right']} right; {len(errors)} errors")
    return int(bool(errors) or min(counts.values()) < 1000)


def run():
    return report(f"{len(WRONG) + len(RIGHT)} made-up cases; ", sorted(glob.glob(SAMPLES)), errors_of_cases())
