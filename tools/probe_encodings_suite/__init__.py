"""The parts of tools/probe-encodings."""
