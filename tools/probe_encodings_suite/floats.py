"""Floating-point immediates as nvdisasm prints them."""

import struct

# Exponent and significand bits. `f64` are the upper 32 bits.
FORMATS = {"f32": (8, 23), "f64": (11, 20), "f16": (5, 10), "bf16": (8, 7)}


def show(format_, bits):
    """The text of a number."""
    exponent, significand = FORMATS[format_]
    sign = "-" if bits >> (exponent + significand) & 1 else "+"
    part, power = bits & (1 << significand) - 1, bits >> significand & (1 << exponent) - 1
    if power == (1 << exponent) - 1:
        return sign + ("INF" if not part else "QNAN" if part >> (significand - 1) else "SNAN")
    if not part and not power:
        return "-0.0" if sign == "-" else "0"
    if format_ == "f16":
        value, = struct.unpack("<e", struct.pack("<H", bits))
    elif format_ == "f64":
        value, = struct.unpack("<d", struct.pack("<Q", bits << 32))
    else:
        value, = struct.unpack("<f", struct.pack("<I", bits << 16 if format_ == "bf16" else bits))
    return f"{value:.20e}" if abs(value) >= 1e9 else f"{value:.20g}"


class Float:
    """An immediate in consecutive bits."""

    def __init__(self, bits, samples):
        """`samples`: (word, text), to find the format by."""
        self.bits = bits
        self.format = None
        self.wrong = len(samples) + 1
        for name, (exponent, significand) in FORMATS.items():
            if 1 + exponent + significand == len(bits):
                self.format = self.format or name
                wrong = sum(1 for word, text in samples if show(name, self.value(word)) != text)
                if wrong < self.wrong:
                    self.format, self.wrong = name, wrong

    def value(self, word):
        return sum(1 << place for place, bit in enumerate(self.bits) if word >> bit & 1)

    def of(self, word):
        return show(self.format, self.value(word)) if self.format else ""
