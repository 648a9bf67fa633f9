"""The rules of the judge, each on a few made-up instructions."""

from . import judge, learned, listing, pairs

SUM = "5 - - R0 < R1 | IADD3 R0, R1, R1, RZ"
CARRIED = [
    "5 - - R0 < R1 | IADD3 R0, R1, R1, RZ",
    "4 - - R2 P0 < R3 | LEA R2, P0, R3, R3, 0x1",
    "2 - - R4 < R0 P0 | LEA.HI.X R4, R0, R5, R5, 0x1, P0",
]
COMPARED = "2 - - P0 < R2 | DSETP.GT.AND P0, PT, R2, RZ, PT"
ADDED = "2 0 - R4 < R6 | DADD R4, R6, R6"
MULTIPLIED = "2 0 - R4 < R6 | DMUL R4, R6, R6"
CHOSEN = "2 - 0 R8 < R9 P0 | FSEL R8, R9, R9, P0"


def function(lines):
    """A function of lines `stall, scoreboard that is armed, scoreboards that are waited for, registers written <
    registers read | text`. A scoreboard with an `r` is armed for operands."""
    made = listing.Function("sm_80", "k")
    for number, line in enumerate(lines):
        fields, text = line.split(" | ")
        defines, uses = fields.split(" < ")
        stall, armed, waits, *defines = defines.split()
        guard, mnemonic, operands = listing.TEXT.match(text).groups()
        item = listing.instruction(number * listing.SIZE, guard, mnemonic, operands, 0)
        item.stall, item.read_barrier, item.write_barrier = int(stall), pairs.NONE, pairs.NONE
        if armed.endswith("r"):
            item.read_barrier = int(armed[:-1])
        elif armed != "-":
            item.write_barrier = int(armed)
        item.waits |= 0 if waits == "-" else sum(1 << int(number) for number in waits)
        item.defines, item.uses = listing.listed(" ".join(defines)), listing.listed(uses)
        made.instructions.append(item)
    return made


def found(learn, lines):
    """The findings in lines after others have been learned."""
    return judge.function(machine_of(learn), function(lines), pairs.Roles())


def machine_of(learn):
    """What lines show, where every pair counts."""
    machine, known = learned.Machine(enough=(1,) * 4, at_least=(1,) * 4), pairs.Roles()
    for made in map(function, learn):
        machine.follow(made.instructions)
    for made in map(function, learn):
        pairs.walk(made, known, machine.pair, machine.armed)
    machine.close()
    return machine


def ordered(first, second):
    """Code that waits for the second of two operations where it uses both."""
    one = first.replace("R4", "R10").replace("2 0 -", "2 - -")
    return [one, second, "2 - 0 R8 < R4 R10 | FADD R8, R4, R10"]


def errors_of_variants():
    """What is wrong with functions for a variant of the machine, where doubles need no scoreboards: where they have
    none, whatever else is waited for."""
    machine = machine_of([ordered(MULTIPLIED, ADDED), ordered(ADDED, MULTIPLIED)])
    for armed, waits in (("-", "-"), ("-", "0"), ("1", "1")):
        lines = [
            "15 0 - R6 < R7 | LDG.E R6, [R7]",
            ADDED.replace("2 0", f"15 {armed}"),
            f"2 - {waits} R8 < R4 | MOV R8, R4",
        ]
        if ("DADD" in judge.fixed(machine, function(lines), pairs.Roles())) != (armed == "-"):
            yield f"doubles with scoreboard {armed} and a wait for {waits}"


def closed(on):
    """A group of copies that is closed on a scoreboard, and a wait for scoreboard 0."""
    return ["4 - -  <  | DEPBAR.LE SB1, 0x36", f"2 {on} -  <  | LDGDEPBAR", "4 - -  <  | DEPBAR.LE SB0, 0x1"]


def errors():
    """What is wrong."""
    stored = [
        "5 - - R1 < R9 | MOV R1, R9",
        "2 0r -  < R0 R1 R4 R5 | STG.E.64 [R4.64], R0",
        "2 - 0 R1 < R9 | MOV R1, R9",
    ]
    fence, barrier = "2 ", " -  <  | MEMBAR.ALL.CTA"
    emptied = [stored[1], "4 - -  <  | DEPBAR.LE SB0, 0x0", stored[2].replace("- 0", "- -")]
    sums = ["2 - - R3 < R9 | IADD3 R3, R9, R9, RZ", "2 - - R6 R7 < R2 R3 | DADD R6, R2, R2"]
    wide = ["3 - - R3 < R9 | MOV R3, R9", "2 - - R6 R7 < R8 R9 R2 R3 | IMAD.WIDE R6, R8, R9, R2"]
    own = [COMPARED.replace("2 - -", "2 1 -"), CHOSEN.replace("2 - 0", "2 - 1")]
    behind = [COMPARED, ADDED, CHOSEN]
    cases = {
        # The nine cycles from the sum to LEA.HI.X are those of the carry, which has no other explanation.
        "a later operand explains the distance of an earlier one": ([CARRIED], ["7" + SUM[1:], CARRIED[2]], 0),
        "the last operand has the distance of its own": ([CARRIED], [CARRIED[0], "3" + CARRIED[1][1:], CARRIED[2]], 1),
        "a predicate without a wait": ([own], [COMPARED, CHOSEN.replace("2 - 0", "2 - -")], 1),
        "a predicate behind a later operation": ([own], behind, 1),
        "a predicate whose order is relied on": ([own, behind], behind, 0),
        "two orders make a queue": (
            [ordered(MULTIPLIED, ADDED), ordered(ADDED, MULTIPLIED), own, behind],
            [COMPARED, MULTIPLIED, CHOSEN],
            0,
        ),
        "stores read later than what takes no scoreboard": ([stored, sums], wide, 0),
        "what takes no scoreboard reads as its sort does": ([stored, sums], ["1" + wide[0][1:], wide[1]], 1),
        "an operand of a store behind a count of zero": ([stored], emptied, 0),
        "an operand of a store without a wait": ([stored], [emptied[0], "4 - -  <  | NOP", emptied[2]], 1),
        "a scoreboard for operands, as in original code": ([[fence + "0r" + barrier]], [fence + "0r" + barrier], 0),
        "a scoreboard for results, which none arms": ([[fence + "0r" + barrier]], [fence + "0" + barrier], 1),
        "a group closed on the scoreboard that is waited for": ([], closed(0), 0),
        "a group closed on another scoreboard": ([], closed(1), 1),
        "products behind a wait for their group": (
            [["12 - - R4 < R4 | HGMMA.64x64x16.F32 R4, gdesc[UR4], R4", "2 - - R8 < R4 | FADD R8, R4, R4"]],
            [
                "1 - - R4 < R4 | HGMMA.64x64x16.F32 R4, gdesc[UR4], R4, gsb0",
                "1 - - R9 < R9 | WARPGROUP.DEPBAR.LE gsb0, 0x0",
                "2 - - R8 < R4 | FADD R8, R4, R4",
            ],
            0,
        ),
    }
    for name, (learn, lines, count) in cases.items():
        findings = found(learn, lines)
        if len(findings) != count:
            yield f"{name}: {len(findings)} findings, not {count}: {', '.join(map(str, findings))}"
    yield from errors_of_variants()
