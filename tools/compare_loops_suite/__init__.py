"""Shared by tools/compare-hoisting and tools/compare-unrolling: compiling a program with ptxas and with passes on ori,
and the loops around lines of the result."""
