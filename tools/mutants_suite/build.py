"""The one build that has all faults: a copy of the tree, in which a switch selects the active fault."""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import tomllib

from . import faults

COPY = faults.ROOT / "target" / "mutants" / "tree"
TARGET = faults.ROOT / "target" / "mutants" / "build"
# The environment variable with the number of the active fault; none without it.
SWITCH = "ORISON_FAULT"
SWITCH_MODULE = f"""
#[doc(hidden)]
#[allow(missing_docs, dead_code)]
pub mod __fault {{
    pub fn is(number: u32) -> bool {{
        static ACTIVE: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {{
            std::env::var("{SWITCH}").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
        }});
        *ACTIVE == number
    }}
}}
"""
# Where lit lists the variables that the programs of a test see: the switch must be one of them.
LIT_ENVIRONMENT = ("filecheck/src/lit/run.rs", '"LD_LIBRARY_PATH"]')
# Of each package of the workspace: most tests take less time than the optimization of the code would.
PROFILE = """
[profile.dev.package.{package}]
opt-level = 0
debug = false
"""
# Faults leave values unused and code unreachable.
LINTS = """
[workspace.lints.rust]
warnings = "allow"
"""
FILECHECK_PACKAGES = ["orison-filecheck", "orison-opt", "orison-translate", "orison-interpret"]


class BuildError(Exception):
    """The tree with the faults does not compile, or lacks a test."""


class Built:
    """The test programs of a build: a test is `PACKAGE --lib [filter]`, `PACKAGE --test NAME [filter]`
    or `lit PATH...`."""

    def __init__(self, programs):
        self.programs = programs

    def command(self, test):
        """The command line of a test, and the folder in which it runs."""
        if test.startswith("lit "):
            return [TARGET / "debug" / "orison-lit", "-j1", *test.split()[1:]], COPY
        package, target, arguments = split(test)
        program, folder = self.programs[package, target]
        return [program, "--test-threads=2", *arguments], folder


def split(test):
    """The package, the target (`--lib` or a name) and the other arguments of a test."""
    package, *words = test.split()
    if words and words[0] == "--lib":
        return package, "--lib", words[1:]
    if len(words) > 1 and words[0] == "--test":
        return package, words[1], words[2:]
    raise BuildError(f"'{test}' is neither 'PACKAGE --lib …', 'PACKAGE --test NAME …' nor 'lit PATH…'")


def build(known, chosen):
    """Compiles the tests that the chosen faults name, with all known faults in the code: a build serves
    every choice."""
    write_copy(known)
    share_libraries()
    targets = collections.defaultdict(set)
    lit = False
    for test in {test for fault in chosen for test in fault.tests}:
        if test.startswith("lit "):
            lit = True
        else:
            package, target, _ = split(test)
            targets[package].add(target)
    programs = {}
    if lit:
        compile_tests(["build", *selection(FILECHECK_PACKAGES), "--bins"])
    libraries = [package for package in targets if "--lib" in targets[package]]
    if libraries:
        programs |= compile_tests(["test", "--no-run", *selection(libraries), "--lib"])
    programs_of_tests = [package for package in targets if targets[package] - {"--lib"}]
    if programs_of_tests:
        names = sorted({name for package in programs_of_tests for name in targets[package] - {"--lib"}})
        flags = [f"--test={name}" for name in names]
        programs |= compile_tests(["test", "--no-run", *selection(programs_of_tests), *flags])
    for package, names in targets.items():
        for name in names:
            if (package, name) not in programs:
                raise BuildError(f"package {package} has no test '{name}'")
    return Built(programs)


def selection(packages):
    """The flags of cargo that select these packages."""
    return [flag for package in sorted(packages) for flag in ("-p", package)]


def share_libraries():
    """Gives the build the external libraries that the tree's own build has: both compile them alike. What
    cargo does not accept, it compiles again."""
    lock = tomllib.loads((faults.ROOT / "Cargo.lock").read_text())
    external = {package["name"] for package in lock["package"] if "source" in package}
    external |= {name.replace("-", "_") for name in external}
    for folder in (".fingerprint", "build", "deps"):
        for path in sorted((faults.ROOT / "target" / "debug" / folder).glob("*")):
            name = path.name.split(".")[0].rpartition("-")[0]
            is_library = path.is_dir() or path.suffix in (".rlib", ".rmeta", ".so", ".d")
            copy = TARGET / "debug" / folder / path.name
            known = name in external or name.removeprefix("lib") in external
            if not (is_library and known) or copy.exists():
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, copy)
            elif path.suffix == ".d":
                shutil.copy2(path, copy)
            else:
                os.link(path, copy)


def compile_tests(arguments):
    """Runs cargo in the copy; returns the program and the folder of each package and test."""
    command = ["cargo", *arguments, "--message-format=json-render-diagnostics"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET), "CARGO_INCREMENTAL": "0"}
    done = subprocess.run(command, cwd=COPY, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise BuildError(f"the tree with the faults, in {COPY}, does not compile")
    programs = {}
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
            folder = pathlib.Path(message["manifest_path"]).parent
            package = faults.package_of(folder)
            is_library = "lib" in message["target"]["kind"]
            name = "--lib" if is_library else message["target"]["name"]
            programs[package, name] = (message["executable"], folder)
    return programs


def write_copy(known):
    """Writes the copy of the tree; files that are the same as before keep their time."""
    by_file = collections.defaultdict(list)
    for fault in known:
        by_file[fault.file].append(fault)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=faults.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    wanted = {name for name in listed.stdout.split("\0") if name and (faults.ROOT / name).is_file()}
    manifests = [
        pathlib.Path(name).parent
        for name in wanted
        if pathlib.Path(name).name == "Cargo.toml" and not exports_macros(faults.ROOT / name)
    ]
    members = tomllib.loads((faults.ROOT / "Cargo.toml").read_text())["workspace"]["members"]
    packages = [faults.package_of(faults.ROOT / member) for member in members]
    roots = {str(folder / "src" / name) for folder in manifests for name in ("lib.rs", "main.rs")}
    roots |= {str(path.relative_to(faults.ROOT)) for path in faults.ROOT.glob("*/src/bin/*.rs")}
    roots |= {str(path.relative_to(faults.ROOT)) for path in faults.ROOT.glob("*/*/src/bin/*.rs")}
    for name in wanted:
        content = (faults.ROOT / name).read_bytes()
        if name in by_file:
            content = faults.switched_text(content.decode(), by_file[name]).encode()
        if name == LIT_ENVIRONMENT[0]:
            content = with_switch_in_lit(content.decode()).encode()
        if name in roots:
            content += SWITCH_MODULE.encode()
        if name == "Cargo.toml":
            content = with_profile(content.decode(), packages).encode()
        write_if_changed(COPY / name, content, (faults.ROOT / name).stat(), name in by_file)
    for path in COPY.rglob("*"):
        if path.is_file() and not path.is_symlink() and str(path.relative_to(COPY)) not in wanted:
            path.unlink()
    link = COPY / "target" / "release"
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(TARGET / "debug")


def exports_macros(manifest):
    """Whether a package is a procedural macro, whose root cannot have the switch."""
    return tomllib.loads(manifest.read_text()).get("lib", {}).get("proc-macro", False)


def with_switch_in_lit(text):
    """The source of lit, which hands the switch on to the programs of a test."""
    _, end = LIT_ENVIRONMENT
    if text.count(end) != 1:
        raise BuildError(f"{LIT_ENVIRONMENT[0]} has no list of variables that ends in {end}")
    return text.replace(end, f'{end[:-1]}, "{SWITCH}"]')


def write_if_changed(path, content, original, has_faults):
    """Writes a file unless it has this content. A new file has the time of its original, so that cargo
    uses a build folder that was copied from elsewhere."""
    is_new = not path.exists()
    if not is_new and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(original.st_mode)
    if is_new and not has_faults:
        os.utime(path, ns=(original.st_atime_ns, original.st_mtime_ns))


def with_profile(manifest, packages):
    """The workspace's manifest with the profile of the campaign for these packages, and without lints."""
    sections = re.split(r"(?m)^(?=\[)", manifest)
    dropped = ("[profile.dev.package.orison-", "[workspace.lints.")
    kept = "".join(section for section in sections if not section.startswith(dropped))
    return kept + LINTS + "".join(PROFILE.format(package=package) for package in packages)
