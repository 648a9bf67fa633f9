"""Compares the pairs of a function with what was learned."""

import collections

from . import listing, pairs
from .learned import opcode


class Finding:
    """A pair that is nearer than in original code, or not protected. `apart` is 1 if the second is the
    instruction after the first."""

    def __init__(self, function, found, kind, first, second, message, apart=1):
        self.function, self.address, self.apart = function.name, found.address, apart
        self.kind, self.first, self.second, self.message = kind, first, second, message

    def __str__(self):
        how = {"R": "read after write", "W": "write after write", "A": "write after read"}.get(self.kind[0], "wait")
        return f"{self.function}+{self.address:04x}: {how}: {self.first} -> {self.second}: {self.message}"


def fixed(machine, function, known):
    """The mnemonics that a function protects by stalls alone more often than by a scoreboard, where other code for the
    machine has one: it is for a variant of the machine that needs none. A wait in between is for something else where
    the first arms none, as in code without optimisation, of which each instruction waits."""
    excess, items = collections.Counter(), function.instructions

    def pair(met):
        if met.how in (pairs.OWN, pairs.QUEUE):
            excess[opcode(met.first)] -= 1
        elif opcode(met.second) not in machine.arming:
            first = items[met.places[0]]
            armed = {first.write_barrier, first.read_barrier} != {pairs.NONE}
            excess[opcode(met.first)] += met.how == pairs.BARE or not armed

    pairs.walk(function, known, pair, lambda *_: None)
    return {name for name, count in excess.items() if count > 0 and name in machine.arming}


def function(machine, function, known):
    """The findings in a function."""
    findings = []

    def pair(met):
        kind, first, second, cycles, places = met.kind, met.first, met.second, met.cycles, met.places
        if met.how == pairs.OWN or (met.how == pairs.QUEUE and machine.in_order((kind, first, second))):
            return
        if machine.is_ended(kind, first, second, met.later):
            return
        least, count = machine.limits((kind, first, second))[met.how != pairs.BARE]
        if least is None:
            if opcode(first) in function.fixed:
                return
            behind = f" but for {', '.join(sorted(met.later))}" if met.later else ""
            message = f"at {cycles} without a wait{behind}; {count} pairs of original code wait for the scoreboard"
        elif cycles < least and (kind[0] == "R" or not machine.is_over(kind, first, second, least, cycles)):
            message = f"at {cycles}; the nearest of {count} pairs of original code is at {least}"
        else:
            return
        findings.append(Finding(function, met.found, kind, first, second, message, places[1] - places[0]))

    def armed(mnemonic, cycles, found):
        least = machine.least_arm(mnemonic)
        if cycles < least:
            message = f"{cycles} cycles after it is armed; never less than {least} in original code"
            findings.append(Finding(function, found, "S", f"{mnemonic}/arm", f"{found.mnemonic}/wait", message))

    pairs.walk(function, known, pair, armed)
    for found in function.instructions:
        for side, (name, barrier) in enumerate((("results", found.write_barrier), ("operands", found.read_barrier)), 1):
            count = machine.never_arms(found.mnemonic, side) if barrier != pairs.NONE else 0
            if count:
                message = f"arms a scoreboard for {name}, as none of {count} of original code does"
                findings.append(Finding(function, found, "S", f"{found.mnemonic}/arm", f"{name}/arm", message))
    for found in pairs.misnamed(function):
        message = "closes a group of copies on a scoreboard that no wait names"
        findings.append(Finding(function, found, "S", f"{found.mnemonic}/arm", "DEPBAR/wait", message))
    return findings


def merged(mine, theirs):
    """Instructions without those that are not among `mine`, whose cycles those before take: no-ops that were
    inserted, and instructions that nvdisasm prints with marks as words without a text."""
    addresses, kept = {item.address for item in mine}, []
    for item in theirs:
        if kept and item.address not in addresses and item.address < mine[-1].address:
            kept[-1].stall += item.stall
        else:
            kept.append(item)
    return kept


def with_words(machines, functions, words):
    """The functions with the control words of others of the same names, instruction by instruction: the
    lists of registers are those of the first. Yields functions; raises ValueError if they differ."""
    known = pairs.Roles()
    others = {found.name: found for found in words}
    for found in functions:
        other = others.get(found.name)
        if other is None:
            continue
        if found.machine in machines:
            found.fixed = fixed(machines[found.machine], found, known)
        mine, theirs = found.instructions, merged(found.instructions, other.instructions)
        # The padding at the end may be missing.
        if [item.address for item in mine] != [item.address for item in theirs[: len(mine)]]:
            raise ValueError(f"{found.name} has other instructions")
        for item, control in zip(mine, theirs):
            for name in ("stall", "write_barrier", "read_barrier", "waits", "partial", "named"):
                setattr(item, name, getattr(control, name))
        yield found


def files(machines, paths, nvdisasm, words=None):
    """Yields (path, functions, findings) of each file. `words` maps a path to that of its new words."""
    known = pairs.Roles()
    for path in paths:
        functions = listing.functions(path, nvdisasm)
        if words is not None:
            functions = with_words(machines, functions, listing.functions(words(path), nvdisasm))
        count, findings = 0, []
        for found in functions:
            machine = machines.get(found.machine)
            if machine is not None:
                count += 1
                findings.extend(function(machine, found, known))
        yield path, count, findings
