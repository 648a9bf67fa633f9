"""Lines of a machine that differ only in a condition, or in an operand that is not always shown, as one line."""

import collections
import re

REGISTER = re.compile(r"(?:\{g (\d+):!\})?\{U?[PR] ([0-9+,]+)(~?)\}(?:\{r \d+\})?$")
FIELD = re.compile(r"\{(?:[A-Za-z0-9?]+ )?([0-9][0-9+,*su~|@]*)(?::[^}]*)?\}")
ADDRESS = re.compile(r"\[\{R ([0-9+]+)\}\+\{n ([0-9+]+)(s?)(\*\d+)?\}\]")


class Parsed:
    """The parts of a line without machines, with the number of its real encodings."""

    def __init__(self, line, frequency):
        code, conditions, fixed, free, guard, mnemonic, *operands = line.split("; ")
        self.key = (code, guard, mnemonic)
        self.conditions = tuple(conditions.split(" ")) if conditions else ()
        self.fixed = bits(fixed)
        self.free = free
        self.operands = tuple(operands)
        self.frequency = frequency

    def with_(self, **changes):
        """A copy with other parts."""
        found = object.__new__(Parsed)
        found.__dict__.update(self.__dict__)
        found.__dict__.update(changes)
        return found

    def line(self):
        code, guard, mnemonic = self.key
        head = [code, " ".join(self.conditions), ranges(self.fixed), self.free, guard, mnemonic]
        return "; ".join([*head, *self.operands])

    def rest(self, *others):
        """The conditions without some; None if it does not have all of these."""
        if not set(others) <= set(self.conditions):
            return None
        return frozenset(self.conditions) - set(others)


def bits(text):
    """The bits of `24+8,91`."""
    found = set()
    for part in text.split(",") if text not in ("", "-") else ():
        first, _, width = part.partition("+")
        found |= set(range(int(first), int(first) + int(width or 1)))
    return frozenset(found)


def ranges(found):
    """The text of a set of bits."""
    result = []
    for bit in sorted(found):
        if result and bit == result[-1][0] + result[-1][1]:
            result[-1][1] += 1
        else:
            result.append([bit, 1])
    return ",".join(f"{first}+{width}" if width > 1 else f"{first}" for first, width in result) or "-"


def merged(lines):
    """Lines with their frequencies, from such lines."""
    found = [Parsed(line, frequency) for line, frequency in lines.items()]
    while True:
        count = len(found)
        for step in (_complements, _addresses, _optional):
            groups = collections.defaultdict(list)
            for line in found:
                groups[line.key].append(line)
            found = [line for group in groups.values() for line in step(group)]
        if len(found) == count:
            break
    result = collections.Counter()
    for line in found:
        result[line.line()] += line.frequency
    return result


def _complement(condition):
    """The condition that holds if another one does not."""
    if condition.endswith("^"):
        return condition[:-2] + "^" if condition.endswith("!^") else condition[:-1] + "!^"
    place = max(condition.find("="), condition.find("!"))
    left, sign, value = condition[:place], condition[place], condition[place + 1:]
    if left.isdigit():
        return f"{left}={1 - int(value)}"
    return f"{left}{'!' if sign == '=' else '='}{value}"


def _covered(line):
    """The bits of all fields of a line."""
    found = set()
    for text in (line.key[2], *line.operands):
        for field in FIELD.findall(text):
            found |= bits(re.sub(r"[su~]|\*\d+|\|1|@", "", field))
    return found


def _complements(lines):
    """Lines whose texts are alike, whether a condition holds or not."""
    found = list(lines)
    for line in lines:
        for condition in line.conditions if line in found else ():
            rest, opposite = line.rest(condition), _complement(condition)
            other = next((one for one in found if one is not line and one.operands == line.operands
                          and one.free == line.free and one.rest(opposite) == rest), None)
            own = bits(re.split(r"[=!^]", condition)[0])
            if other is None or line.fixed - own != other.fixed - own:
                continue
            usual = max(line, other, key=lambda one: one.frequency)
            covered = _covered(line)
            new = usual.with_(conditions=tuple(one for one in usual.conditions if one in rest),
                              fixed=usual.fixed - (own & covered), free=ranges(bits(line.free) | own - covered),
                              frequency=line.frequency + other.frequency)
            found = [one for one in found if one not in (line, other)] + [new]
            break
    return found


def _addresses(lines):
    """`[RZ]`, `[0x10]` and `[R4+0x10]` as one form: the register that is zero is not shown beside another number."""
    found = list(lines)
    for line in lines:
        place = next((place for place, text in enumerate(line.operands) if ADDRESS.search(text)), None)
        if place is None or line not in found:
            continue
        match = ADDRESS.search(line.operands[place])
        register, number, signed, scale = match[1], match[2], match[3], match[4] or ""
        zero = f"{(1 << len(bits(register))) - 1:x}"
        before, behind = line.operands[place][:match.start()], line.operands[place][match.end():]
        rest = line.rest(f"{register}!{zero}")
        if rest is None:
            continue

        def shown(text, place=place, line=line, before=before, behind=behind):
            return line.operands[:place] + (before + text + behind,) + line.operands[place + 1:]

        def other(conditions, texts, line=line, rest=rest, register=register):
            for candidate in found:
                if (candidate is not line and candidate.rest(*conditions) == rest and candidate.operands in texts
                        and candidate.free == line.free and candidate.fixed - bits(register) == line.fixed):
                    return candidate
            return None

        unsigned, plain = shown(f"[{{n {number}{scale}}}]"), shown(f"[{{n {number}{signed}{scale}}}]")
        alone = other((f"{register}={zero}", f"{number}!0"), (unsigned, plain))
        without = other((f"{register}={zero}", f"{number}=0"), (shown(f"[{{R {register}}}+{{n -}}]"),))
        if alone is None or without is None:
            continue
        mark = "u" if signed and alone.operands == unsigned else ""
        text = f"[{{R? {register}}}+{{n {number}{signed}{mark}{scale}}}]"
        new = line.with_(conditions=tuple(found_ for found_ in line.conditions if found_ in rest), operands=shown(text),
                         frequency=line.frequency + alone.frequency + without.frequency)
        found = [other for other in found if other not in (line, alone, without)] + [new]
    return found


def _optional(lines):
    """A register that is always true or zero, and is not shown then."""
    found = list(lines)
    for line in lines:
        for place, text in enumerate(line.operands):
            match = REGISTER.match(text)
            if line not in found or not match:
                continue
            sign, field, inverted = match.groups()
            constant = "0" if inverted else f"{(1 << len(bits(field))) - 1:x}"
            rest = line.rest(f"{field}!{constant}")
            if rest is None:
                continue
            covered = bits(field) | (bits(sign) if sign else set())
            without = line.operands[:place] + line.operands[place + 1:]
            plain = f"{field}={constant}"
            unsigned = (f"{sign}=0",) if sign else ()

            def other(conditions, operands, line=line, rest=rest, covered=covered):
                for candidate in found:
                    if (candidate is not line and candidate.rest(*conditions) == rest and candidate.operands == operands
                            and candidate.free == line.free and candidate.fixed - covered == line.fixed):
                        return candidate
                return None

            absent = other((plain, *unsigned), without)
            if absent is None:
                continue
            used = [line, absent]
            if sign:
                signed = text.replace(f"{{g {sign}:!}}", "{g =!}")
                negated = other((plain, f"{sign}=1"), line.operands[:place] + (signed,) + line.operands[place + 1:])
                used += [negated] if negated else []
            new = line.with_(conditions=tuple(found_ for found_ in line.conditions if found_ in rest),
                             operands=line.operands[:place] + ("?" + text,) + line.operands[place + 1:],
                             frequency=sum(one.frequency for one in used))
            found = [one for one in found if one not in used] + [new]
            break
    return found
