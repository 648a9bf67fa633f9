"""The modes of `tools/upstream`, one a module, and what they share."""
