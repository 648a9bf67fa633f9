"""The forms as lines of a table, for people and for dialects/sass/src/encoding."""

import collections
import re

from . import fields, order
from .lists import divided
from .merge import merged


# Floats of no known format, words within brackets and constant sets of scoreboards have no notation.
WITHOUT_NOTATION = re.compile(r"\{None|\[\{w |; \{[0-9,]*\}")


def ranges(bits):
    """`24+8,91+1` of bits whose order is that of their significance."""
    found = [f"{first}+{mask.bit_length()}" if mask > 1 else f"{first}" for first, mask, _ in fields.runs(bits)]
    return ",".join(found) or "-"


def number(found):
    """The fields of a number: `40+14*4`, `34+48s*4`, `87+3~` of inverted bits, `40+8|1`."""
    if found.inverted or found.added:
        return ranges(found.bits) + ("~" if found.inverted else "|1")
    listed_ranges = []
    for bit, weight in found.weights:
        last = listed_ranges[-1] if listed_ranges else None
        if last and not last[3] and bit == last[0] + last[1] and abs(weight) == last[2] << last[1]:
            last[1] += 1
            last[3] = weight < 0
        else:
            listed_ranges.append([bit, 1, abs(weight), weight < 0])
    return ",".join(f"{first}" + (f"+{width}" if width > 1 else "") + ("s" if signed else "")
                    + (f"*{scale}" if scale != 1 else "") for first, width, scale, signed in listed_ranges) or "-"


def mask_bits(mask):
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def condition(found, truth):
    """`81+3=7`, `81+3!7`, `32+32^`."""
    bits = mask_bits(found.mask)
    if found.value is None:
        return ranges(bits) + ("^" if truth else "!^")
    value = sum(1 << place for place, bit in enumerate(bits) if found.value >> bit & 1)
    if len(bits) == 1:
        return f"{bits[0]}={int(bool(value) == truth)}"
    return f"{ranges(bits)}{'=' if truth else '!'}{value:x}"


def listed(table):
    """The texts of values as an entry of the values: `0= 1=.RM`, or for a bit its text."""
    if set(table) == {0, 1} and not table[0] and table[1] and not set(table[1]) & set("=,{} "):
        return table[1]
    return " ".join(f"{value}={text}" for value, text in table.items())


def pieces(part, count):
    """The pieces of a word part, in the order of the text: `77:.SAT`, `=.LUT`."""
    dot = "" if part.name.endswith(".g") or ".a" in part.name or part.name.endswith(".r") else "."
    sequence, result = list(part.sequence or ()), []
    place = 0
    while place < len(sequence):
        owner, which, _ = sequence[place]
        if owner is None:
            result.append("=" + dot + part.constant[which])
            place += 1
            continue
        end = place + 1
        while end < len(sequence) and sequence[end][0] == owner:
            end += 1
        items = {item[1:] for item in sequence[place:end]}
        group = part.groups[owner]
        table = {value: tuple(dot + word for word, item in zip(words, order.owned(group, value)) if item in items)
                 for value, words in group.table.items()}
        result += [_ordered(*piece, count) for piece in divided(group.bits, table)]
        place = end
    # A field without any text still says which values are possible.
    for group in part.groups:
        if not any(group.table.values()):
            result += [_ordered(*piece, count) for piece in divided(group.bits, {value: () for value in group.table})]
    shown = {bit for piece in result if not isinstance(piece, str) and any(piece[1].values()) for bit in piece[0]}
    return [piece for piece in result
            if isinstance(piece, str) or any(piece[1].values()) or not shown.issuperset(piece[0])]


def _ordered(bits, table, count):
    """Sorted by value; of values with the same text, the usual one first."""
    counts = count(bits)
    by_text = collections.defaultdict(list)
    for value in sorted(table):
        by_text[table[value]].append(value)
    ranks = {}
    for values in by_text.values():
        usual = max(values, key=lambda value: (counts.get(value, 0), -value))
        for value in values:
            ranks[value] = (value != usual, value)
    return bits, {value: table[value] for value in sorted(table, key=lambda value: ranks[value])}


class Line:
    """A form: conditions, and the rest, in which tables of values are still lists."""

    def __init__(self, leaf):
        self.leaf = leaf
        model = leaf.model
        own = leaf.usage or [word for word in leaf.own if word in leaf.opcode.real]
        self.is_real = bool(own)
        # How many real encodings it has, more or less.
        self.frequency = len(leaf.usage) * leaf.opcode.frequency // max(1, len(leaf.opcode.usage))
        # Bits in no text are those of all real encodings with such operands, if this form has none.
        alike = [word for other in leaf.opcode.root.leaves() if other.model and other.model.shape == model.shape
                 for word in other.usage]
        likely = own or alike or list(leaf.opcode.usage)
        some = own or model.starts[:1]
        self.mnemonic, self.operands = self._texts(model, lambda bits: _counted(bits, some))
        covered = set()
        for field in [*model.numbers.values(), *model.floats.values()]:
            covered |= set(field.bits)
        grouped = {bit for part in model.words.values() for group in part.groups for place, bit in enumerate(group.bits)
                   if len({value >> place & 1 for value in group.table}) == 2}
        shown = {bit for bits in self._word_bits() for bit in bits}
        covered |= shown
        # Bits that differ between encodings whose texts are as predicted are in no text, either.
        first = model.starts[0]
        varied = 0
        for word in leaf.own:
            varied |= word ^ first
        free = {*model.free, *(grouped - shown), *(bit for bit in range(16, 105) if varied >> bit & 1)}
        free = sorted(bit for bit in free - covered if bit < 105)
        usual = 0
        for bit in range(12, 126):
            if bit in covered or 105 <= bit < 126 or 12 <= bit < 16:
                continue
            words = likely if bit in free and likely else some
            if 2 * sum(word >> bit & 1 for word in words) > len(words):
                usual |= 1 << bit
        # A bit that is neither free nor in a field is the same everywhere.
        def place(item):
            found, _ = item
            return found.low, found.mask, found.value is None, found.value or 0

        self.conditions = [condition(found, truth) for found, truth in sorted(leaf.path, key=place)]
        self.fixed = ranges(mask_bits(usual))
        self.free = ranges(free)
        self.guard = model.guard

    def _word_bits(self):
        """The bits of the pieces that are in the text."""
        found = [piece for piece in self.mnemonic if not isinstance(piece, str)]
        found += [piece[1] for operand in self.operands for piece in operand
                  if not isinstance(piece, str) and not isinstance(piece[1], str)]
        return [bits for bits, _ in found]

    def _texts(self, model, counts):
        base, _, rest = model.shape.partition(" ")
        mnemonic = [base, *pieces(model.words["m"], counts)]
        from .text import split_operands
        operands = []
        for index, shape in enumerate(split_operands(rest)):
            operands.append(self._operand(model, index, shape, counts))
        return mnemonic, operands

    def _operand(self, model, index, shape, counts):
        result = [("g", piece) for piece in self._part(model, f"{index}.g", counts)]
        atom = 0
        for kind in shape.replace("}", "{").split("{"):
            if kind not in ("R", "UR", "P", "UP", "B", "SB", "S", "n", "d", "f", "w"):
                result.append(kind)
                continue
            name = f"{index}.a{atom}"
            if name in model.numbers:
                field = number(model.numbers[name])
                result.append(("a", f"{{n {field}@}}" if kind == "d" else f"{{{kind} {field}}}"))
            elif name in model.floats:
                result.append(("a", f"{{{model.floats[name].format} {ranges(model.floats[name].bits)}}}"))
            else:
                words = self._part(model, name, counts)
                if len(words) == 1 and isinstance(words[0], str):
                    result.append(words[0][1:])
                else:
                    result += [("w", piece) for piece in words]
            if atom == 0 and index in model.reuse:
                result.append(("a", f"{{r {model.reuse[index]}}}"))
            result += [("s", piece) for piece in self._part(model, f"{index}.s{atom}", counts)]
            atom += 1
        result += [("s", piece) for piece in self._part(model, f"{index}.se", counts)]
        return result

    @staticmethod
    def _part(model, name, counts):
        part = model.words.get(name)
        return pieces(part, counts) if part is not None else []

    def text(self, name_of):
        """The line without machines; `name_of` gives the name of a table that is too long to repeat."""
        def piece(found):
            if isinstance(found, str):
                return found
            bits, table = found
            return f"{ranges(bits)}:{name_of(self, listed(table))}"

        mnemonic = "".join(found if place == 0 else found[1:] if isinstance(found, str) else "{" + piece(found) + "}"
                           for place, found in enumerate(self.mnemonic))
        operands = []
        for operand in self.operands:
            text = ""
            for found in operand:
                if isinstance(found, str):
                    text += found
                elif found[0] == "a":
                    text += found[1]
                else:
                    text += f"{{{found[0]} {piece(found[1])}}}"
            operands.append(text)
        head = [f"{self.leaf.opcode.code:03x}", " ".join(self.conditions), self.fixed, self.free, self.guard]
        return "; ".join([*head, mnemonic, *operands])


def _counted(bits, words):
    """How often words have each value of the bits."""
    group = fields.Group(bits)
    return collections.Counter(group.value(word) for word in words)


class Writer:
    """The lines of all machines; a line that several machines have exists once."""

    def __init__(self):
        self.lines = {}
        self.names = {}
        # How many real encodings each line has.
        self.frequency = collections.Counter()

    def add(self, machine, lines):
        """Adds the lines of a machine."""
        texts = collections.Counter()
        for line in lines:
            text = line.text(self._name)
            if not WITHOUT_NOTATION.search(text):
                texts[text] += line.frequency + line.is_real
        for text, frequency in merged(texts).items():
            self.frequency[text] += frequency
            self.lines.setdefault(text, []).append(machine)

    def _name(self, line, values):
        """The name of a list of values, after the first mnemonic that has it; a short text is its own name."""
        if "=" not in values:
            return values
        if values not in self.names:
            base = "$" + line.leaf.model.shape.split(" ")[0].lower()
            count = sum(1 for name in self.names.values() if name.partition(".")[0] == base)
            self.names[values] = f"{base}.{count + 1}" if count else base
        return self.names[values]

    def write(self, folder):
        with open(f"{folder}/forms.txt", "w", encoding="utf-8") as file:
            # Of forms with the same text, the first is encoded: those of real code are before the others.
            def rank(line):
                return not self.frequency[line], line[:3], -self.frequency[line], line

            for line in sorted(self.lines, key=rank):
                file.write(f"{' '.join(self.lines[line])}; {line}\n")
        with open(f"{folder}/values.txt", "w", encoding="utf-8") as file:
            for values, name in sorted(self.names.items(), key=lambda item: item[1]):
                file.write(f"{name} {values}\n")


def comparable(line, lists):
    """What of a line follows from the texts alone: opcode, guard, mnemonic and operands, with the lists of values
    in place of their names, in any order."""
    code, _, _, _, guard, *texts = line.split("; ")

    def values(found):
        return " ".join(sorted(lists.get(found[0], found[0]).split(" ")))

    return (code, guard, *(re.sub(r"\$[a-z0-9_.]+", values, text) for text in texts))
