"""Encodings to start from: those of cubins, and those that nvdisasm accepts for each value of the opcode."""

import collections
import gzip
import random
import re
import struct

OPCODE_BITS = 12
CONTROL = ((1 << 21) - 1) << 105
# A control word that every instruction may have: no scoreboard, a stall of 15.
PLAIN_CONTROL = (15 | 7 << 5 | 7 << 8) << 105

# One that an instruction may have whose registers are kept.
STAYING_CONTROL = (1 | 1 << 4 | 7 << 5 | 7 << 8) << 105


def plain(word):
    """The encoding with the plain control word, executed by all threads."""
    return word & ~CONTROL & ~(0xf << 12) | PLAIN_CONTROL | 7 << 12


def of_listing(text):
    """The encodings in the comments of a listing."""
    halves = [int(half, 16) for half in re.findall(r"/\* 0x([0-9a-f]{16}) \*/", text)]
    return [low | high << 64 for low, high in zip(halves[::2], halves[1::2])]


def of_cubin(path):
    """The encodings in the code sections of an ELF file, in a listing, or in a file `.bin` of nothing else."""
    if path.endswith(".sass"):
        with open(path, encoding="utf-8") as file:
            return of_listing(file.read())
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    if path.endswith(".bin"):
        return [int.from_bytes(data[place:place + 16], "little") for place in range(0, len(data), 16)]
    if data[:4] != b"\x7fELF":
        return []
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3a)
    sections = [struct.unpack_from("<IIQQQQ", data, table + size * index) for index in range(count)]
    start = sections[names][4]
    words = []
    for name, kind, _, _, offset, length in sections:
        at = start + name
        if kind == 1 and data[at:at + 6] == b".text.":
            code = data[offset:offset + length]
            words += [int.from_bytes(code[place:place + 16], "little") for place in range(0, len(code), 16)]
    return words


def patterns(words):
    """What the bits after the opcode may be: those of real code, by frequency, and plain ones."""
    counts = {}
    for word in words:
        rest = plain(word) >> OPCODE_BITS << OPCODE_BITS
        # Immediates are of no interest here.
        rest &= ~(0xffffffff << 32)
        counts[rest] = counts.get(rest, 0) + 1
    frequent = sorted(counts, key=lambda rest: (-counts[rest], rest))
    predicates = 7 << 81 | 7 << 84 | 7 << 87
    made = [plain(bits) for base in (0, predicates, 7 << 87, 7 << 81)
            for bits in (base, base | 1 << 91)]
    return made + frequent[:40]


# Of real code, this many encodings of an opcode, and of the same bits 72 to 104.
MOST_OF_OPCODE = 500
MOST_ALIKE = 2
# So many show how frequent values are.
MOST_OF_USAGE = 1500


def chosen(words):
    """Real encodings that differ in their modifiers."""
    words = sorted({plain(word) & ~(0xf << 122) for word in words})
    random.Random(1).shuffle(words)
    alike, of_opcode, result = collections.Counter(), collections.Counter(), []
    for word in words:
        code, key = word & 0xfff, (word & 0xfff, word >> 72 & (1 << 33) - 1)
        if of_opcode[code] < MOST_OF_OPCODE and alike[key] < MOST_ALIKE:
            of_opcode[code] += 1
            alike[key] += 1
            result.append(word)
    return result


def usage(words):
    """By opcode: a random part of the real encodings, and how many there are."""
    found = {}
    for word in {plain(word) & ~(0xf << 122) for word in words}:
        found.setdefault(word & 0xfff, []).append(word)
    chooser = random.Random(1)
    return {code: (chooser.sample(sorted(own), min(len(own), MOST_OF_USAGE)), len(own)) for code, own in found.items()}
