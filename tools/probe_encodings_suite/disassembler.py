"""Texts of many encodings from one process of nvdisasm."""

import os
import re
import subprocess
import tempfile

LINE = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s*(.*?)\s*;\s*$")
REFUSED = re.compile(r"at address 0x([0-9a-f]+)")
# Their last number is an address, which the encoding has relative to the next instruction.
JUMP = re.compile(r"^(?:@!?U?P\w+ )?(?:BRA|BSSY|CALL\.REL|RET\.REL|BRX|WARPSYNC\.COLLECTIVE|UBRA)\b")
LAST_NUMBER = re.compile(r"-?0x[0-9a-f]+$")
BYTES = 16


def relative(text, address):
    """The text with the distance in place of the target."""
    if not JUMP.match(text):
        return text
    return LAST_NUMBER.sub(lambda found: f"{_wrapped(int(found[0], 16) - address - BYTES):#x}", text)


def _wrapped(distance):
    """nvdisasm prints a target before the start of the file as a number of 64 bits."""
    distance %= 1 << 64
    return distance - (1 << 64) if distance >> 63 else distance


class Disassembler:
    """nvdisasm for the raw code of one machine, such as `SM90a`."""

    # One process takes 0.3 s to start and then prints about 15000 instructions a second.
    BATCH = 50000

    def __init__(self, program, machine):
        self.program = program
        self.machine = machine
        self.count = 0
        self.known = {}

    def texts(self, words):
        """The text of each encoding, an integer of 128 bits; None where nvdisasm refuses it."""
        new = [word for word in dict.fromkeys(words) if word not in self.known]
        for start in range(0, len(new), self.BATCH):
            self._batch(new[start:start + self.BATCH])
        return [self.known[word] for word in words]

    def _batch(self, words):
        """nvdisasm prints nothing if one instruction of the file is invalid, but names the addresses of all
        of these: the second run has only the others."""
        self.count += len(words)
        lines, refused = self._run(words)
        if refused:
            for word in (words[place] for place in refused):
                self.known[word] = None
            words = [word for place, word in enumerate(words) if place not in refused]
            lines, refused = self._run(words) if words else ({}, set())
        if refused:
            raise RuntimeError(f"nvdisasm refused {len(refused)} instructions that it accepted before")
        # For some invalid encodings nvdisasm prints neither a line nor a message.
        for place, word in enumerate(words):
            self.known[word] = lines.get(place)

    def _run(self, words):
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
                lines[address // BYTES] = relative(found[2], address)
        return lines, refused
