"""The natural loops of code that is given as lines of text."""

import collections
import re


class Form:
    """How a text writes its blocks: a label, the labels that a line leads to, the last line of a block, and a last
    line behind which the next block may follow."""

    def __init__(self, label, target, last, goes_on):
        self.label, self.target, self.last = re.compile(label), re.compile(target), re.compile(last)
        self.goes_on = re.compile(goes_on)


SASS = Form(r"(\.L_x_\d+):", r"BRA.*?`\((\.L_x_\d+)\)", r"BRA|EXIT|RET", r"@|BRA(\.\S+)? !?U?P")
ORI = Form(r"\^(bb\d+)[(:]", r"[,\s]\^(bb\d+)", r"ori\.(cond_bra|bra|ret|exit)\b", r"(?!)")


class Loops:
    """The loops of some lines."""

    def __init__(self, lines, form):
        self.around, after = blocks(lines, form)
        self.bodies = natural_loops(after)

    def depth(self, line):
        """The number of loops around a line."""
        return sum(self.around[line] in body for body in self.bodies.values())

    def innermost(self, line):
        """The header of the innermost loop around a line; None if there is none."""
        around = [(len(body), header) for header, body in self.bodies.items() if self.around[line] in body]
        return min(around)[1] if around else None


def blocks(lines, form):
    """The block of each line, and the blocks behind each block."""
    found, names, around = [[]], {}, {}
    for number, line in enumerate(lines):
        if label := form.label.match(line):
            if found[-1]:
                found.append([])
            names[label[1]] = len(found) - 1
        found[-1].append(number)
        around[number] = len(found) - 1
        if form.last.search(line) and not form.label.match(line):
            found.append([])
    after = []
    for block, own in enumerate(found):
        line = lines[own[-1]] if own else ""
        is_last = form.last.search(line) and not form.label.match(line)
        targets = [names[name] for name in form.target.findall(line) if name in names and is_last]
        ends = is_last and not form.goes_on.match(line)
        after.append(targets + ([block + 1] if not ends and block + 1 < len(found) else []))
    return around, after


def natural_loops(after):
    """The blocks of each natural loop, by the header."""
    count = len(after)
    before = [[block for block in range(count) if one in after[block]] for one in range(count)]
    dominators = [{0}] + [set(range(count)) for _ in range(count - 1)]
    changed = True
    while changed:
        changed = False
        for block in range(1, count):
            common = [dominators[one] for one in before[block]]
            new = {block} | (set.intersection(*common) if common else set(range(count)))
            changed |= new != dominators[block]
            dominators[block] = new
    loops = collections.defaultdict(set)
    for latch in range(count):
        for header in after[latch]:
            if header in dominators[latch] and before[latch] + [latch == 0]:
                body, pending = {header, latch}, [latch]
                while pending:
                    one = pending.pop()
                    if one != header:
                        pending += [block for block in before[one] if block not in body]
                        body.update(before[one])
                loops[header] |= body
    return loops
