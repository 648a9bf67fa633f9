"""All forms of a machine: from nothing, or from those of a machine that is like it."""

import collections
import itertools
import random
import re

from . import forms, parts, seeds
from .fields import PROBED

# Encodings of a shape whose bits are changed before anything is known about the shape.
SEEDS = 3
MOST_SHAPES = 48
# Two of these bits are changed together, for so many shapes: some formats need two.
PAIRED = range(72, 91)
MOST_PAIRED = 4
# Encodings of a form by which two machines are compared.
COMPARED = 30


class Machine:
    """The opcodes of a machine, with what nvdisasm prints for their encodings."""

    def __init__(self, disassembler, report):
        self.disassembler = disassembler
        self.report = report
        self.opcodes = {}

    def opcode(self, word):
        return self.opcodes.setdefault(word & 0xfff, forms.Opcode(word & 0xfff))

    def ask(self, words):
        for word, parsed in zip(words, self.disassembler.parsed(words)):
            if parsed is not None:
                self.opcode(word).add(word, parsed)

    def start(self, real, codes=range(1 << seeds.OPCODE_BITS)):
        """Asks for encodings of real code, and for their patterns with every opcode."""
        chosen = seeds.chosen(real)
        self.ask(chosen)
        for word in chosen:
            if word & 0xfff in self.opcodes and word in self.opcodes[word & 0xfff].samples:
                self.opcodes[word & 0xfff].real.add(word)
        for code, (some, count) in seeds.usage(real).items():
            if code in self.opcodes:
                self.opcodes[code].usage, self.opcodes[code].frequency = some, count
        patterns = seeds.patterns(chosen)
        self.ask([rest | code for code in codes for rest in patterns])
        self.report(f"{len(chosen)} real encodings, {len(self.opcodes)} opcodes")

    def flip(self, codes, rounds):
        """Changes the bits of some encodings of each shape, which finds other shapes."""
        for _ in range(rounds):
            todo = []
            for code in codes:
                opcode, counts = self.opcodes[code], collections.Counter()
                order = sorted(opcode.samples, key=lambda word: (word not in opcode.real, bin(word).count("1"), word))
                for word in order:
                    shape = opcode.samples[word].shape
                    if counts[shape] < SEEDS and len(counts) < MOST_SHAPES:
                        counts[shape] += 1
                        if word not in opcode.flipped:
                            opcode.flipped.add(word)
                            todo.append(word)
            self.ask([word ^ 1 << bit for word in todo for bit in PROBED])
        self.ask([word ^ 1 << first ^ 1 << second for code in codes for word in self._plainest(self.opcodes[code])
                  for first, second in itertools.combinations(PAIRED, 2)])
        self.report("bits of some encodings changed")

    @staticmethod
    def _plainest(opcode):
        """An encoding of each shape, of few shapes."""
        found = {}
        for word in sorted(opcode.flipped & opcode.samples.keys(), key=lambda word: (word not in opcode.real, word)):
            if len(found) < MOST_PAIRED:
                found.setdefault(opcode.samples[word].shape, word)
        return found.values()

    def learn(self, codes):
        """The regions of opcodes, by opcode."""
        roots = {}
        for code in codes:
            opcode = self.opcodes[code]
            for bit in PROBED:
                opcode.condition(1 << bit, 1 << bit)
            self._note_fields(opcode)
            roots[code] = opcode.root = forms.Region(opcode)
            opcode.new = list(opcode.samples)
            opcode.route()
        level = list(roots.values())
        while level:
            forms.together(self.disassembler, [forms.learn(region) for region in level])
            level = [child for region in level for child in region.children or ()]
            self.report(f"{len(level)} regions to divide")
        return roots

    @staticmethod
    def _note_fields(opcode):
        by_shape = {}
        for word in sorted(opcode.flipped & opcode.samples.keys()):
            by_shape.setdefault(opcode.samples[word].shape, []).append(word)
        for _, words in sorted(by_shape.items()):
            model = parts.Model(forms.Region(opcode), words[:SEEDS])
            for kind, bits in model.fields().values():
                opcode.note_field(kind, list(bits))

    def like(self, roots):
        """The regions of the opcodes whose encodings have the same texts as on another machine, and the codes of
        the others."""
        chooser = random.Random(1)
        asked = {code: _telling(root, chooser) for code, root in sorted(roots.items())}
        self.disassembler.parsed([word for words in asked.values() for word in words])
        drawn = {code: _drawn(root, chooser) for code, root in sorted(roots.items())}
        self.disassembler.parsed([word for words in drawn.values() for word in words])
        kept, others = {}, []
        for code, root in sorted(roots.items()):
            own = self.opcodes.get(code)
            explained = not any(leaf.errors for leaf in root.leaves())
            if explained and self._is_same(root, asked[code]) and self._predicts(root, own, drawn[code]):
                root.opcode.real = own.real if own else set()
                root.opcode.usage = own.usage if own else ()
                root.opcode.frequency = own.frequency if own else 0
                for word in root.opcode.real:
                    root.find(word).own[word] = own.samples[word]
                kept[code] = root
            else:
                # What is known of the other machine was asked of this one, too.
                self.ask(asked[code])
        others = [code for code in sorted(self.opcodes) if code not in kept]
        self.report(f"{len(kept)} opcodes as on the other machine, {len(others)} not")
        return kept, others

    def _is_same(self, root, words):
        for word, found in zip(words, self.disassembler.parsed(words)):
            known = root.opcode.samples.get(word)
            if (known is None) != (found is None):
                return False
            if known is not None and (known.shape != found.shape or known.parts != found.parts):
                return False
        return True

    def _predicts(self, root, own, drawn):
        samples = [*(own.samples.items() if own else ()), *zip(drawn, self.disassembler.parsed(drawn))]
        for word, parsed in samples:
            leaf = root.find(word)
            if parsed is not None and (leaf.model is None or leaf.model.shape != parsed.shape
                                       or leaf.model.differences(word, parsed) or leaf.model.misplaced(word, parsed)):
                return False
        return True


def _drawn(root, chooser):
    """Random encodings of each form."""
    drawn = [leaf.model.draw(chooser) for leaf in root.leaves() if leaf.model for _ in range(COMPARED)]
    return [word for word in drawn if word is not None]


def _telling(root, chooser):
    """Encodings of an opcode that tell whether another machine has the same forms: known ones, single changes, and
    values of fields that this machine does not have."""
    words = []
    for leaf in root.leaves():
        if leaf.model is None:
            continue
        own = sorted(leaf.own)
        start = leaf.model.starts[0]
        words += chooser.sample(own, min(COMPARED, len(own)))
        words += [start] + [start ^ 1 << bit for bit in PROBED]
        for part in leaf.model.words.values():
            for group in part.groups:
                words += [group.put(start, value) for value in range(1 << len(group.bits))
                          if value not in group.table]
    return list(dict.fromkeys(words))


def _find_reuse(disassembler, leaves):
    """The bits that keep the register of an operand for reuse: only instructions that do not yield have them, so
    they are not found by changing one bit."""
    bits = range(122, 126)
    words = [start & ~seeds.CONTROL | seeds.STAYING_CONTROL | 1 << bit
             for leaf in leaves for start in leaf.model.starts[:2] for bit in bits]
    printed = iter(disassembler.parsed(words))
    for leaf in leaves:
        leaf.model.reuse = {}
        for _ in leaf.model.starts[:2]:
            for bit in bits:
                parsed = next(printed)
                for name in parsed.parts if parsed is not None and parsed.shape == leaf.model.shape else ():
                    if name.endswith(".r"):
                        leaf.model.reuse[int(name[:-2])] = bit


def finish(disassembler, roots):
    """The forms with models, and their guards, bits of reuse, and real encodings."""
    leaves = [leaf for _, root in sorted(roots.items()) for leaf in root.leaves() if leaf.model]
    # A guard other than PT.
    printed = disassembler.parsed([leaf.model.starts[0] & ~(7 << 12) for leaf in leaves])
    for leaf, parsed in zip(leaves, printed):
        guard = parsed.guard if parsed else ""
        leaf.model.guard = re.sub(r"[!0-9]", "", guard) or "-"
    _find_reuse(disassembler, leaves)
    for _, root in sorted(roots.items()):
        for leaf in root.leaves():
            leaf.usage = []
        for word in root.opcode.usage:
            root.find(word).usage.append(word)
    return leaves
