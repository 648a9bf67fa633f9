"""The faults: their data files, and the source text with the faults behind a switch."""

import dataclasses
import pathlib
import re
import tomllib
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(__file__).parent / "faults"
KEYS = {"name", "rule", "file", "in", "find", "replace", "tests", "quick", "equivalent"}
# The condition of the fault in a replacement that is used as written.
CONDITION = "FAULT"


class FaultError(Exception):
    """An entry of the data files is invalid."""


@dataclasses.dataclass
class Fault:
    """One fault."""

    source: pathlib.Path
    name: str
    rule: str
    file: str
    find: str
    replace: str
    tests: list
    within: str = ""
    quick: bool = False
    equivalent: str = ""

    @property
    def number(self):
        """The number that selects the fault. It depends on the name alone, so that a new fault changes
        one file of the tree that is built."""
        return zlib.crc32(self.name.encode())

    @property
    def condition(self):
        """The expression that holds when the fault is active."""
        return f"crate::__fault::is({self.number})"

    def package(self):
        """The package of the changed file."""
        folder = (ROOT / self.file).parent
        while not (folder / "Cargo.toml").exists():
            folder = folder.parent
        return package_of(folder)

    def span(self, text):
        """The range of `find` in the text of the file."""
        start = text.find(self.within)
        if start < 0:
            raise FaultError(f"{self.source.name}: {self.name}: '{self.within}' is not in {self.file}")
        found = text.find(self.find, start)
        if found < 0:
            raise FaultError(f"{self.source.name}: {self.name}: '{self.find}' is not in {self.file}")
        if not self.within and text.find(self.find, found + 1) >= 0:
            raise FaultError(
                f"{self.source.name}: {self.name}: '{self.find}' is in {self.file} more than once; add 'in'"
            )
        return found, found + len(self.find)

    def switched(self, original):
        """The source text that has the fault behind the switch; `original` is the text without it."""
        replacement = self.replace.strip()
        if re.search(rf"\b{CONDITION}\b", replacement):
            return re.sub(rf"\b{CONDITION}\b", self.condition, replacement)
        if self.find.rstrip().endswith((";", "}")):
            return f"if {self.condition} {{ {replacement} }} else {{ {original} }}"
        return f"(if {self.condition} {{ {replacement} }} else {{ {original} }})"


def package_of(folder):
    """The name of the package in a folder."""
    return tomllib.loads((folder / "Cargo.toml").read_text())["package"]["name"]


def load():
    """All faults, in the order of the files' names and of the entries."""
    found = []
    for source in sorted(FOLDER.glob("*.toml")):
        try:
            entries = tomllib.loads(source.read_text()).get("fault", [])
        except tomllib.TOMLDecodeError as error:
            raise FaultError(f"{source.name}: {error}") from error
        for entry in entries:
            found.append(read(source, entry))
    names = {}
    for fault in found:
        if fault.number in names or fault.number == 0:
            raise FaultError(f"{fault.source.name}: '{fault.name}' has the number of another fault")
        names[fault.number] = fault.name
        path = ROOT / fault.file
        if not path.exists():
            raise FaultError(f"{fault.source.name}: {fault.name}: there is no file {fault.file}")
        fault.span(path.read_text())
    return found


def read(source, entry):
    """The fault of an entry."""
    place = f"{source.name}: {entry.get('name', 'an entry without a name')}"
    unknown = entry.keys() - KEYS
    if unknown:
        raise FaultError(f"{place}: unknown key '{min(unknown)}'")
    missing = {"name", "rule", "file", "find", "replace", "tests"} - entry.keys()
    if missing:
        raise FaultError(f"{place}: key '{min(missing)}' is missing")
    if not entry["tests"]:
        raise FaultError(f"{place}: 'tests' is empty")
    fields = {key: value for key, value in entry.items() if key != "in"}
    return Fault(source, within=entry.get("in", ""), **fields)


def switched_text(text, faults):
    """The text of a file with its faults behind switches. Spans may be equal or nested."""
    spans = sorted(((*fault.span(text), fault) for fault in faults), key=lambda span: (span[0], -span[1]))
    for outer, inner in zip(spans, spans[1:]):
        if inner[0] < outer[1] < inner[1]:
            raise FaultError(f"'{outer[2].name}' and '{inner[2].name}' overlap without nesting")
    return apply(text, 0, len(text), spans)


def apply(text, start, end, spans):
    """The text of a range, with the faults of sorted, nested spans in it."""
    out = []
    while spans:
        low, high, fault = spans[0]
        count = 1
        while count < len(spans) and spans[count][1] <= high:
            count += 1
        out.append(text[start:low])
        out.append(fault.switched(apply(text, low, high, spans[1:count])))
        start, spans = high, spans[count:]
    out.append(text[start:end])
    return "".join(out)
