"""The machine code of ptxas, and what passes on ori make, as lines of text."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOLS = Path(os.environ.get("ORISON_TOOLS", ROOT / "target/debug"))


def add_arguments(parser):
    """The arguments that name ptxas and nvdisasm."""
    parser.add_argument("--ptxas", default=shutil.which("ptxas"))
    parser.add_argument("--nvdisasm", default=shutil.which("nvdisasm"))


def are_missing(options):
    """Whether a program is missing; says so."""
    if options.ptxas and options.nvdisasm:
        return False
    print("skipped: ptxas and nvdisasm are not installed (tools/peers)")
    return True


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{Path(sys.argv[0]).name}: {command[0]}: {done.stderr[:500]}")
    return done.stdout


def machine_code(options, path, target="sm_90"):
    """The instructions and labels that ptxas makes of a file."""
    cubin = path.with_suffix(".cubin")
    run([options.ptxas, "-O3", f"-arch={target}", str(path), "-o", str(cubin)])
    lines = []
    for line in run([options.nvdisasm, "-c", str(cubin)]).splitlines():
        if found := re.search(r"/\*[0-9a-f]{4,}\*/\s+(.*?);", line):
            lines.append(found[1])
        elif re.match(r"\s*\.L_x_\d+:", line):
            lines.append(line.strip())
    return lines


def after_passes(path, passes):
    """The operations and labels that some passes make of a file."""
    imported = run([TOOLS / "orison-translate", "--ptx-to-ori", str(path)])
    output = run([TOOLS / "orison-opt", *(f"--ori-{name}" for name in passes)], imported)
    return [line.split("//")[0].strip() for line in output.splitlines()]
