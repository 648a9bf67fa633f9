"""Faults that `inject_faults` (schedule/examples) made: which of them break anything, and how many of these the
simulator found."""

import collections
import itertools
import os

from . import judge, listing, pairs
from .learned import opcode


def lines(path):
    """Yields (listing, function, address, word, kind, number of hazards)."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, function, address, bits, kind, hazards = line.rstrip("\n").split("\t")
            yield name, function, int(address, 16), int(bits) << 41, kind, int(hazards)


def broken(machine, function, found, word):
    """The first finding of a function that it has with another word at an instruction only; None if the word
    breaks nothing."""
    before = {str(finding) for finding in found}
    items = function.instructions
    place = next(index for index, item in enumerate(items) if item.address == word[0])
    old = items[place]
    items[place] = listing.instruction(old.address, old.guard, old.mnemonic, old.operands, word[1])
    items[place].defines, items[place].uses = old.defines, old.uses
    findings = judge.function(machine, function, pairs.Roles())
    items[place] = old
    return next((finding for finding in findings if str(finding) not in before), None)


def sort(machine, finding):
    """How far apart the two are, and how the result of the first is signalled."""
    near = "adjacent" if finding.apart == 1 else "distant"
    return near, "variable" if finding.kind == "S" or opcode(finding.first) in machine.arming else "fixed"


def report(machines, path, limit):
    """Prints a table of the faults of a file, and up to `limit` that break something and were not found.
    Returns whether each kind is found often enough."""
    table, missed = collections.defaultdict(lambda: [0, 0]), []
    for name, group in itertools.groupby(lines(path), lambda line: line[0]):
        functions = {found.name: found for found in listing.functions(os.path.splitext(name)[0] + ".plr", None)}
        clean = {}
        for _, owner, address, word, kind, hazards in group:
            function = functions.get(owner)
            machine = function and machines.get(function.machine)
            if not machine or all(item.address != address for item in function.instructions):
                continue
            if owner not in clean:
                function.fixed = judge.fixed(machine, function, pairs.Roles())
                clean[owner] = judge.function(machine, function, pairs.Roles())
            finding = broken(machine, function, clean[owner], (address, word))
            if finding is None:
                continue
            for row in ((kind, "all", "all"), (kind, *sort(machine, finding)), ("all", "all", "all")):
                table[row][0] += 1
                table[row][1] += hazards > 0
            if not hazards:
                missed.append(f"{name}: {kind} at {address:04x}: {finding}")
    print(f"{'fault':24}{'consumer':10}{'producer':10}{'breaks':>8}{'found':>8}")
    for (kind, near, signal), (count, found) in sorted(table.items()):
        print(f"{kind:24}{near:10}{signal:10}{count:8}{found:8} {100 * found / count:6.1f}%")
    for line in missed[:limit]:
        print(line)
    kinds = [(kind, *counts) for (kind, near, _), counts in table.items() if near == "all"]
    return bool(kinds) and all(found * 100 >= count * (98 if kind == "all" else 95) for kind, count, found in kinds)
