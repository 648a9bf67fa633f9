"""Results by directory, as a table."""


class Report:
    """What passed and what failed of a mode, with one column of figures for each check."""

    def __init__(self, title, columns):
        self.title = title
        self.columns = columns
        self.rows = {}
        self.failures = []

    def add(self, directory, name, column, problem):
        """Counts one case; `problem` is empty when it passed."""
        row = self.rows.setdefault(directory, {column: [0, 0] for column in self.columns})
        row[column][0] += not problem
        row[column][1] += 1
        if problem:
            self.failures.append((name, column, problem))

    def print(self, with_failures):
        """Prints the table, and the failures below it."""
        print(f"\n## {self.title}\n")
        print("| directory |", " | ".join(self.columns), "|")
        print("|---|" + "--:|" * len(self.columns))
        for directory, row in sorted(self.rows.items()):
            self.print_row(directory, row)
        total = {
            column: [sum(row[column][which] for row in self.rows.values()) for which in (0, 1)]
            for column in self.columns
        }
        self.print_row("all", total)
        for name, column, problem in self.failures if with_failures else []:
            print(f"\n{name}: {column}: {problem}")

    def print_row(self, directory, row):
        cells = (f"{row[column][0]} of {row[column][1]}" for column in self.columns)
        print(f"| {directory} |", " | ".join(cells), "|")


def first_difference(expected, found):
    """The first lines in which two texts differ."""
    expected, found = expected.splitlines(), found.splitlines()
    for number in range(max(len(expected), len(found))):
        wanted, got = (
            lines[number] if number < len(lines) else "(the end)" for lines in (expected, found)
        )
        if wanted != got:
            return f"line {number + 1}\n  mlir-opt:   {wanted}\n  orison-opt: {got}"
    return ""
