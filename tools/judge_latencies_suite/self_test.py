"""Faults in the control words of real listings, each of which has to be found."""

import collections
import glob
import json
import os

from . import judge, learned, listing, pairs, rules_test

SAMPLES = os.path.join(os.path.dirname(__file__), "../../dialects/sass/tests/real/*.json")

# Faults of each kind that are tried in a function.
MOST = 8

LISTING = """\
	.target	sm_80
	.section	.text.k,"ax",@progbits
  // | GPR | PRED |
  // |    0          |           |
  // | # 0123456789  | # 0123456 |
  /*0010*/  @!P1 IADD3 R2, P0, R3, UR4, RZ ;  /* 0x0000000000007919 */  // |  |  |
  /* 0x001fca0000002100 */  // | 3   ^x       | 2 ^v      |
"""

# `changes` are triples of the number of an instruction, the name of a field, and its new value.
Fault = collections.namedtuple("Fault", "kind changes second")


def learn(functions):
    """What functions of a machine show, where every pair counts."""
    machine, known = learned.Machine(enough=(1,) * 4, at_least=(1,) * 4), pairs.Roles()
    for function in functions:
        machine.follow(function.instructions)
    for function in functions:
        pairs.walk(function, known, machine.pair, machine.armed)
    machine.close()
    return machine


def faults(machine, function):
    """For each result that is read: a stall shorter by one where the pair is at its least distance; no wait
    for the scoreboard; no scoreboard; and a wait in the cycle after the scoreboard is armed."""
    found, items = {}, function.instructions

    def pair(met):
        kind, key, second, (first, index) = met.kind, met.first, met.second, met.places
        if kind[0] != "R":
            return
        barrier = items[first].write_barrier
        (least, _), _ = machine.limits((kind, key, second))
        if met.how == pairs.BARE and met.cycles == least and items[first].stall > 1:
            changes = ((first, "stall", items[first].stall - 1),)
            found["stall", first] = Fault("stall", changes, met.found.address)
        elif least is None and barrier != pairs.NONE:
            # The scoreboard of a later operation of the same queue may protect it as well.
            name, later = learned.opcode(key), [learned.opcode(item.mnemonic) for item in items[first + 1 : index]]
            if name not in later and not machine.is_ended(kind, key, second, later):
                waiting = [position for position in range(first + 1, index + 1) if items[position].waits >> barrier & 1]
                changes = tuple((position, "waits", items[position].waits & ~(1 << barrier)) for position in waiting)
                if changes:
                    found["wait", first] = Fault("wait", changes, met.found.address)
                changes = ((first, "write_barrier", pairs.NONE),)
                found["scoreboard", first] = Fault("scoreboard", changes, met.found.address)
            if index == first + 1 and items[first].stall == machine.least_arm(name) > 1:
                changes = ((first, "stall", 1),)
                found["arm", first] = Fault("arm", changes, met.found.address)

    pairs.walk(function, pairs.Roles(), pair, lambda *_: None)
    kinds = collections.Counter()
    for fault in found.values():
        kinds[fault.kind] += 1
        if kinds[fault.kind] <= MOST:
            yield fault


def is_found(machine, function, fault):
    """Whether a function with a fault has a finding at its place."""
    items, before = function.instructions, []
    for number, name, value in fault.changes:
        before.append((items[number], name, getattr(items[number], name)))
        setattr(items[number], name, value)
    findings = judge.function(machine, function, pairs.Roles())
    for item, name, value in before:
        setattr(item, name, value)
    return any(finding.address == fault.second for finding in findings)


def fields_agree(path):
    """Whether the control words are read as the fields in the JSON say."""
    with open(path, encoding="utf-8") as file:
        listed = [item for found in json.load(file)["functions"] for item in found["instructions"]]
    for address, _, _, word, (stall, _, *fields, _), _, _ in listed:
        item = listing.instruction(address, None, "NOP", "", int(word, 16))
        if [item.stall, item.write_barrier, item.read_barrier, item.waits] != [stall, *fields]:
            return False
    return True


def errors():
    """What is wrong."""
    (function,) = listing.parse(LISTING)
    (item,) = function.instructions
    fields = (function.machine, item.address, item.guard, item.mnemonic, item.stall, item.waits)
    if fields != ("sm_80", 0x10, "!P1", "IADD3", 5, 1):
        yield f"a listing is read as {fields}"
    if (item.defines, item.uses) != ([("R", 2), ("R", 3), ("P", 0)], [("R", 3), ("P", 1)]):
        yield f"marks are read as {item.defines} and {item.uses}"
    tried = collections.Counter()
    for path in sorted(glob.glob(SAMPLES)):
        name = os.path.basename(path)
        if not fields_agree(path):
            yield f"{name}: other control fields"
        functions = list(listing.functions(path, None))
        machine = learn(functions)
        for function in functions:
            if judge.function(machine, function, pairs.Roles()):
                yield f"{name}: findings in the code that was learned from"
            for fault in faults(machine, function):
                tried[fault.kind] += 1
                if not is_found(machine, function, fault):
                    yield f"{name}: {function.name}: not found: {fault}"
    print("faults found:", ", ".join(f"{count} of {kind}" for kind, count in sorted(tried.items())))
    yield from (f"too few faults of {kind}" for kind in ("stall", "wait", "scoreboard", "arm") if tried[kind] < 10)


def run():
    """Runs the test; 0 if it passes."""
    found = [*rules_test.errors(), *errors()]
    for error in found:
        print(f"error: {error}")
    return int(bool(found))
