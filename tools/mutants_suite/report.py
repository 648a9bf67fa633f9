"""The table of a campaign."""

import collections


def print_results(results, with_each):
    """Prints found, survived and equivalent faults by crate; returns the exit status."""
    rows = collections.defaultdict(collections.Counter)
    survivors, wrong, broken = [], [], []
    for result in results:
        fault = result.fault
        if result.broken:
            broken.append(result.broken)
            continue
        if fault.equivalent:
            kind = "equivalent"
            if result.found_by:
                wrong.append(f"'{fault.name}' is listed as equivalent, but '{result.found_by}' finds it")
        else:
            kind = "found" if result.found_by else "survived"
            survivors += [fault] * (kind == "survived")
        rows[fault.package()][kind] += 1
        if with_each:
            by = result.found_by + (" (time limit)" if result.timed_out else "")
            print(f"{kind:10} {fault.name}: {by or fault.equivalent or fault.rule}", flush=True)
    total = sum(rows.values(), collections.Counter())
    print("\n| crate | faults | found | survived | equivalent | share found |")
    print("|---|--:|--:|--:|--:|--:|")
    for crate, row in [*sorted(rows.items()), ("all", total)]:
        changing = row["found"] + row["survived"]
        share = f"{100 * row['found'] / changing:.1f} %" if changing else "-"
        cells = [row.total(), row["found"], row["survived"], row["equivalent"], share]
        print(f"| {crate} |", " | ".join(map(str, cells)), "|")
    for fault in survivors:
        print(f"\nsurvived: {fault.name} ({fault.file})\n  {fault.rule}\n  {fault.find!r} -> {fault.replace!r}")
    for line in [*wrong, *sorted(set(broken))]:
        print(f"\nerror: {line}")
    if broken:
        return 2
    return 1 if survivors or wrong else 0
