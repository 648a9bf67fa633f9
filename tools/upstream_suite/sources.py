"""Fetches the tests of LLVM 22 from Debian's source package into a cache outside the repository."""

import os
import pathlib
import subprocess
import sys
import tempfile

PACKAGE = "llvm-toolchain-22"
# Where the package is looked for, in this order: archive, suite. The file of the sources is the
# same in all of them; not every mirror has it for every suite.
SUITES = [
    ("http://deb.debian.org/debian-security", "bookworm-security"),
    ("http://deb.debian.org/debian", "forky"),
    ("http://deb.debian.org/debian", "sid"),
]
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# What is kept of the sources.
FOLDERS = ["mlir/test", "llvm/utils/lit"]


def cache():
    """The folder of what is fetched."""
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "orison" / "upstream"


def fetch():
    """The folder with the tests; they are fetched if they are not there."""
    target = cache() / PACKAGE
    if not target.is_dir():
        cache().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache()) as scratch:
            unpack(download(pathlib.Path(scratch)), target)
    return target


def download(scratch):
    """Fetches the archive of the sources with apt, which checks its signed checksum."""
    for archive, suite in SUITES:
        print(f"fetching {PACKAGE} of {suite}", file=sys.stderr)
        folder = scratch / suite
        (folder / "lists" / "partial").mkdir(parents=True)
        lists = folder / "sources.list"
        lists.write_text(f"deb-src [signed-by={KEYRING}] {archive} {suite} main\n")
        settings = {
            "Dir::Etc::SourceList": lists,
            "Dir::Etc::SourceParts": "/dev/null",
            "Dir::State::Lists": folder / "lists",
            "Dir::Cache": folder,
            "APT::Sandbox::User": "",
        }
        apt = ["apt-get", "-q"] + [f"-o{name}={value}" for name, value in settings.items()]
        for command in (["update"], ["source", "--download-only", "--tar-only", PACKAGE]):
            done = subprocess.run(apt + command, cwd=folder, capture_output=True, text=True)
            if done.returncode != 0:
                print(done.stderr.strip(), file=sys.stderr)
                break
        # apt reports the first file that a mirror lacks; the archive may be there all the same.
        found = sorted(folder.glob(f"{PACKAGE}_*.orig.tar.*"))
        if found:
            return found[0]
    sys.exit(f"error: no archive has the source package {PACKAGE}")


def unpack(archive, target):
    """Unpacks the folders that are kept. They appear under their name only when all is there."""
    print(f"unpacking {', '.join(FOLDERS)}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        tree = pathlib.Path(scratch) / "tree"
        tree.mkdir()
        command = ["tar", "-xf", archive, "-C", tree, "--strip-components=1"]
        patterns = ["--wildcards", "--no-wildcards-match-slash"]
        patterns += [f"*/{folder}" for folder in FOLDERS]
        subprocess.run(command + patterns, check=True)
        tree.rename(target)
