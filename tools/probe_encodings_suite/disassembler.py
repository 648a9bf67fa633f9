"""Texts of many encodings from few processes of nvdisasm."""

import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from . import text

LINE = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s*(.*?)\s*;\s*$")
REFUSED = re.compile(r"at address 0x([0-9a-f]+)")
# Their last number is an address, which the encoding has relative to the next instruction.
JUMP = re.compile(r"^(?:@!?U?P\w+ )?(?:BRA|BSSY|CALL\.REL|RET\.REL|WARPSYNC\.COLLECTIVE|UBRA|LEPC|ULEPC)\b")
LAST_NUMBER = re.compile(r"-?0x[0-9a-f]+$")
BYTES = 16
MOST_RUNS = 6
# NOP.
VALID = 0xfc000000000000000000000007918


def relative(printed, address):
    """The text with the distance, after an `@`, in place of the target."""
    if not JUMP.match(printed):
        return printed
    return LAST_NUMBER.sub(lambda found: f"@{_wrapped(int(found[0], 16) - address - BYTES):#x}", printed)


def _wrapped(distance):
    """nvdisasm prints a target before the start of the file as a number of 64 bits."""
    distance %= 1 << 64
    return distance - (1 << 64) if distance >> 63 else distance


class Disassembler:
    """nvdisasm for the raw code of one machine, such as `SM90a`."""

    # One process takes 0.3 s to start and then prints about 30000 instructions a second.
    BATCH = 25000

    def __init__(self, program, machine, processes=2):
        self.program = program
        self.machine = machine
        self.count = 0
        self.known = {}
        self.pool = ThreadPoolExecutor(processes)

    def parsed(self, words):
        """The parts of each encoding's text; None where nvdisasm refuses it, or names something invalid."""
        new = [word for word in dict.fromkeys(words) if word not in self.known]
        pieces = [new[start:start + self.BATCH] for start in range(0, len(new), self.BATCH)]
        for piece, lines in zip(pieces, self.pool.map(self._batch, pieces)):
            for place, word in enumerate(piece):
                line = lines.get(place)
                self.known[word] = text.parse(line) if line else None
        self.count += len(new)
        return [self.known[word] for word in words]

    def texts(self, words, change=relative):
        """The text of each encoding; None where nvdisasm refuses it."""
        pieces = [words[start:start + self.BATCH] for start in range(0, len(words), self.BATCH)]
        found = self.pool.map(lambda piece: self._batch(piece, change), pieces)
        return [lines.get(place) for piece, lines in zip(pieces, found) for place in range(len(piece))]

    def _batch(self, words, change=relative):
        """The texts by place. nvdisasm prints nothing if one instruction of the file is invalid, but names the
        addresses of all of these: another run has a valid instruction in their place. Some are refused only then."""
        words, refused = list(words), set()
        for _ in range(MOST_RUNS):
            lines, new = self._run(words, change) if len(refused) < len(words) else ({}, set())
            refused |= new
            if not new:
                # For some invalid encodings nvdisasm prints neither a line nor a message.
                return {place: line for place, line in lines.items() if place not in refused}
            for place in new:
                words[place] = VALID
        raise RuntimeError("nvdisasm refuses instructions that it accepted before")

    def _run(self, words, change):
        with tempfile.NamedTemporaryFile(suffix=".bin", delete=False) as file:
            file.write(b"".join(word.to_bytes(BYTES, "little") for word in words))
        try:
            command = [self.program, "-b", self.machine, "-ndf", file.name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        finally:
            os.unlink(file.name)
        refused = {int(found, 16) // BYTES for found in REFUSED.findall(done.stderr)}
        if done.returncode and not refused:
            raise RuntimeError(done.stderr.strip() or "nvdisasm failed")
        lines = {}
        for line in done.stdout.splitlines():
            found = LINE.match(line)
            if found:
                address = int(found[1], 16)
                lines[address // BYTES] = change(found[2], address)
        return lines, refused
