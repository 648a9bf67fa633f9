"""The order of words in the texts of a part."""

import itertools
from collections import Counter

from . import text


def owned(group, value):
    """The items of a value's words: (which of the words that are equal, word), or their places if the words of
    the group have no order."""
    words = group.table.get(value, ())
    if not group.by_word:
        return [(place, None) for place in range(len(words))]
    seen = Counter()
    found = []
    for word in words:
        found.append((seen[word], word))
        seen[word] += 1
    return found


def _has_order(group):
    """Whether no word is before another one in the text of one value, and behind it in that of another."""
    before = set()
    for value in group.table:
        items = owned(group, value)
        before |= set(itertools.combinations(items, 2))
    return not any((second, first) in before for first, second in before)


def sequence(part, samples):
    """Items: (group or None for a constant word, which, word), in the order of the text."""
    items = [(None, place, None) for place in range(len(part.constant))]
    edges = {}
    for number, group in enumerate(part.groups):
        group.by_word = True
        group.by_word = _has_order(group)
        for value in sorted(group.table):
            row = [(number, *item) for item in owned(group, value)]
            items += [item for item in row if item not in items]
            for pair in zip(row, row[1:]):
                edges[pair] = 1 << 30
    for word, parsed in samples.items():
        words = text.words_of(part.name, parsed.parts.get(part.name, ""))
        owners = {}
        for place, constant in enumerate(part.constant):
            owners.setdefault(constant, []).append((None, place, None))
        for number, group in enumerate(part.groups):
            value = group.value(word)
            for found, item in zip(group.table.get(value, ()), owned(group, value)):
                owners.setdefault(found, []).append((number, *item))
        named = [owners[found][0] for found in words if len(owners.get(found, ())) == 1]
        for first, second in zip(named, named[1:]):
            edges[first, second] = edges.get((first, second), 0) + 1
    return _sorted(items, edges)


def _sorted(items, edges):
    """Topological order; a circle is cut at its rarest observation. Items of one group are kept together."""
    left, result = list(items), []
    edges = dict(edges)
    while left:
        ready = [item for item in left if not any((other, item) in edges for other in left if other != item)]
        if not ready:
            inside = [edge for edge in edges if edge[0] in left and edge[1] in left and edge[0] != edge[1]]
            weakest = min(inside, key=lambda edge: (edges[edge], str(edge)))
            del edges[weakest]
            continue
        # Those of a group that still wait for another group.
        waiting = Counter(after[0] for before, after in edges
                          if before in left and after in left and before[0] != after[0])
        last = result[-1][0] if result else None

        def rank(item, last=last, waiting=waiting):
            return item[0] != last or last is None, waiting[item[0]] if item[0] is not None else 0

        chosen = min(ready, key=rank)
        result.append(chosen)
        left.remove(chosen)
    return result
