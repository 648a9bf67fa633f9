"""The parts of tools/judge-latencies."""
