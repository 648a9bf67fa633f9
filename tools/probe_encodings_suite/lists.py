"""Lists of the words of values, divided into fields that are shorter."""

import functools
import itertools

# What a field costs in a line besides its list.
COST = 4


def divided(bits, table):
    """The fields of a list (value to words), in the order of the text: pairs of bits and list, whose values are texts.
    Bits on which no text depends are in none, if all of their values are possible."""
    # Bits that are the same in all values are no field.
    values = list(table)
    differing = [place for place in range(len(bits)) if any((value ^ values[0]) >> place & 1 for value in values)]
    table = {_value(value, differing): words for value, words in table.items()}
    return [(found, {value: "".join(words) for value, words in own.items()})
            for found, own in _cached(tuple(bits[place] for place in differing), tuple(sorted(table.items())))
            if any(own.values()) or len(own) < 1 << len(found)]


@functools.cache
def _cached(bits, items):
    """Many forms have the same lists."""
    return _divided(bits, dict(items))


def _divided(bits, table):
    best, least = None, _size(table)
    if not bits:
        return [(bits, table)]
    for width in range(1, len(bits)):
        for places in itertools.combinations(range(len(bits)), width):
            found = _product(bits, table, places)
            if found and sum(_size(own) + COST for _, own in found) < least:
                best, least = found, sum(_size(own) + COST for _, own in found)
    if best is None:
        return [(bits, table)]
    return [piece for found, own in best for piece in _divided(found, own)]


def _size(table):
    """The length of the list in a table."""
    return sum(4 + sum(len(word) for word in words) for words in table.values())


def _value(value, places):
    return sum((value >> place & 1) << index for index, place in enumerate(places))


def _product(bits, table, places):
    """Two fields of which the first, at these places, has the first words of each text, and the second the others."""
    others = tuple(place for place in range(len(bits)) if place not in places)
    cells = {(_value(value, places), _value(value, others)): words for value, words in table.items()}
    firsts, seconds = {first for first, _ in cells}, {second for _, second in cells}
    # Values that are not possible become so, but not most.
    if len(cells) * 2 < len(firsts) * len(seconds):
        return None
    before, behind = {}, {}
    # From one value on, all others are found by what is known.
    some = max(seconds, key=lambda second: (sum((first, second) in cells for first in firsts), -second))
    rows = [cells[first, some] for first in firsts if (first, some) in cells]
    common = 0
    while all(len(row) > common and row[len(row) - 1 - common] == rows[0][len(rows[0]) - 1 - common] for row in rows):
        common += 1
    behind[some] = rows[0][len(rows[0]) - common:]
    changed = True
    while changed:
        changed = False
        for (first, second), words in cells.items():
            if first in before and second not in behind:
                if words[:len(before[first])] != before[first]:
                    return None
                behind[second] = words[len(before[first]):]
                changed = True
            elif second in behind and first not in before:
                if words[len(words) - len(behind[second]):] != behind[second]:
                    return None
                before[first] = words[:len(words) - len(behind[second])]
                changed = True
    if len(before) < len(firsts) or len(behind) < len(seconds):
        return None
    if any(before[first] + behind[second] != words for (first, second), words in cells.items()):
        return None
    # Bits on which no text depends are no field, so all of their values must be possible.
    if len(cells) < len(firsts) * len(seconds) and not (any(before.values()) and any(behind.values())):
        return None
    return [(tuple(bits[place] for place in places), before), (tuple(bits[place] for place in others), behind)]
