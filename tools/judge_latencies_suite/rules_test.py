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
    registers read | text`."""
    made = listing.Function("sm_80", "k")
    for number, line in enumerate(lines):
        fields, text = line.split(" | ")
        defines, uses = fields.split(" < ")
        stall, armed, waits, *defines = defines.split()
        guard, mnemonic, operands = listing.TEXT.match(text).groups()
        item = listing.instruction(number * listing.SIZE, guard, mnemonic, operands, 0)
        item.stall, item.read_barrier = int(stall), pairs.NONE
        item.write_barrier = pairs.NONE if armed == "-" else int(armed)
        item.waits = 0 if waits == "-" else sum(1 << int(number) for number in waits)
        item.defines, item.uses = listing.listed(" ".join(defines)), listing.listed(uses)
        made.instructions.append(item)
    return made


def found(learn, lines):
    """The findings in lines after others have been learned."""
    machine, known = learned.Machine(enough=(1,) * 4, at_least=(1,) * 4), pairs.Roles()
    for made in map(function, learn):
        machine.follow(made.instructions)
    for made in map(function, learn):
        pairs.walk(made, known, machine.pair, machine.armed)
    machine.close()
    return judge.function(machine, function(lines), pairs.Roles())


def ordered(first, second):
    """Code that waits for the second of two operations where it uses both."""
    one = first.replace("R4", "R10").replace("2 0 -", "2 - -")
    return [one, second, "2 - 0 R8 < R4 R10 | FADD R8, R4, R10"]


def errors():
    """What is wrong."""
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
