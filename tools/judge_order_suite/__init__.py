"""The parts of tools/judge-order."""
