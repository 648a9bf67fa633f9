//! Times `orison-filecheck` and LLVM's FileCheck on the same files, in the same run.
//!
//! `cargo bench -p orison-filecheck` prints seconds and ratios; a ratio below one means that
//! `orison-filecheck` is faster. Without LLVM's FileCheck only its own times are printed.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// How often each command runs; the fastest run counts.
const ROUNDS: usize = 7;

struct Workload {
    name: &'static str,
    checks: String,
    input: String,
}

/// Each line defines a variable and uses the one before.
fn variables() -> Workload {
    let (mut checks, mut input) = (String::new(), String::new());
    for index in 0..2_000 {
        let before = if index == 0 {
            String::new()
        } else {
            format!(" [[V{}]]", index - 1)
        };
        let before_text = if index == 0 {
            String::new()
        } else {
            format!(" %r{}", index - 1)
        };
        let _ = writeln!(checks, "CHECK: [[V{index}:%r[0-9]+]] = op{before}{{{{$}}}}");
        let _ = writeln!(input, "  %r{index} = op{before_text}");
    }
    Workload {
        name: "2,000 variables",
        checks,
        input,
    }
}

fn next_lines() -> Workload {
    let (mut checks, mut input) = (String::from("CHECK: start\n"), String::from("start\n"));
    for index in 0..100_000 {
        let _ = writeln!(checks, "CHECK-NEXT: line number {index} of many");
        let _ = writeln!(input, "line number {index} of many");
    }
    Workload {
        name: "100,000 CHECK-NEXT",
        checks,
        input,
    }
}

/// As [`next_lines`], with an expression on each line.
fn next_expressions() -> Workload {
    let (mut checks, mut input) = (String::from("CHECK: start\n"), String::from("start\n"));
    for index in 0..20_000 {
        let _ = writeln!(
            checks,
            "CHECK-NEXT: {{{{%[0-9]+}}}} = add i32 %{index}, {{{{.*}}}}"
        );
        let _ = writeln!(input, "  %{} = add i32 %{index}, %x", index + 1);
    }
    Workload {
        name: "20,000 CHECK-NEXT with regex",
        checks,
        input,
    }
}

fn labels() -> Workload {
    let (mut checks, mut input) = (String::new(), String::new());
    for index in 0..1_000 {
        let _ = writeln!(checks, "CHECK-LABEL: func @f{index}(");
        let _ = writeln!(checks, "CHECK: ret {{{{%[a-z]+}}}}");
        let _ = writeln!(input, "func @f{index}(%a) {{");
        for line in 0..200 {
            let _ = writeln!(
                input,
                "  %{line} = arith.addi %{line}, %{index} : index // padding"
            );
        }
        let _ = writeln!(input, "  ret %result\n}}");
    }
    Workload {
        name: "10 MB with 1,000 labels",
        checks,
        input,
    }
}

fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| {
            directories
                .iter()
                .map(move |directory| directory.join(name))
        })
        .find(|path| path.is_file())
}

fn reference() -> Option<PathBuf> {
    find(&["FileCheck-22", "FileCheck"])
}

/// The fastest of all rounds, in seconds.
fn time(program: &Path, checks: &Path, input: &Path) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let status = Command::new(program)
            .arg(checks)
            .arg("--input-file")
            .arg(input)
            .env_remove("FILECHECK_OPTS")
            .stdin(Stdio::null())
            .status()
            .expect("the program starts");
        best = best.min(started.elapsed().as_secs_f64());
        assert!(
            status.success(),
            "{} fails on {}",
            program.display(),
            checks.display()
        );
    }
    best
}

/// How often each test runner runs over the whole tree, which takes longer.
const TREE_ROUNDS: usize = 3;

/// The fastest run of a test runner, in seconds. Some tests fail on purpose, so the exit code says
/// nothing.
fn time_runner(command: &mut Command, rounds: usize) -> f64 {
    command.arg("-q").env_remove("LIT_OPTS");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let started = Instant::now();
        command.status().expect("the test runner starts");
        best = best.min(started.elapsed().as_secs_f64());
    }
    best
}

/// LLVM's lit with a search path that has its FileCheck, `not` and `count`.
struct Reference {
    lit: PathBuf,
    path: String,
}

impl Reference {
    fn find(directory: &Path) -> Option<Reference> {
        let lit = find(&["lit-22", "lit"])?;
        let tools = directory.join("tools");
        fs::create_dir(&tools).expect("a writable directory");
        let programs = [
            ("FileCheck", reference()?),
            ("not", find(&["not-22", "not"])?),
            ("count", find(&["count-22", "count"])?),
        ];
        for (tool, path) in programs {
            #[cfg(unix)]
            std::os::unix::fs::symlink(path, tools.join(tool)).expect("a link");
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", tools.display());
        Some(Reference { lit, path })
    }

    fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(&self.lit);
        command.env("PATH", &self.path);
        command.env("LIT_OUTPUT", directory.join("output"));
        command
    }
}

/// Compares the test runners, each with its own FileCheck, on the same trees.
fn compare_runners(
    name: &str,
    trees: &[PathBuf],
    rounds: usize,
    reference: Option<&Reference>,
    directory: &Path,
) {
    let own = time_runner(
        Command::new(env!("CARGO_BIN_EXE_orison-lit")).args(trees),
        rounds,
    );
    let Some(reference) = reference else {
        println!("{name:32} {own:9.4}s {:>10} {:>7}", "-", "-");
        return;
    };
    let other = time_runner(reference.command(directory).args(trees), rounds);
    println!("{name:32} {own:9.4}s {other:9.4}s {:7.2}", own / other);
}

/// The suite of this crate, and the tests of the repository where `orison-opt` is built.
fn compare_suites(directory: &Path) {
    let reference = Reference::find(directory);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = [here.join("tests/lit")];
    let name = "filecheck/tests/lit";
    compare_runners(name, &own, ROUNDS, reference.as_ref(), directory);
    let name = "tests/ and examples/";
    let repository = here.join("..");
    let trees = ["tests", "examples"].map(|tree| repository.join(tree));
    if !repository.join("target/release/orison-opt").is_file()
        || !trees.iter().all(|tree| tree.join("lit.toml").is_file())
    {
        println!("{name:32} skipped: no target/release/orison-opt");
        return;
    }
    compare_runners(name, &trees, TREE_ROUNDS, reference.as_ref(), directory);
}

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let ours = Path::new(env!("CARGO_BIN_EXE_orison-filecheck"));
    let theirs = reference();
    println!(
        "{:32} {:>10} {:>10} {:>7}",
        "workload", "ours", "LLVM", "ratio"
    );
    for workload in [variables(), next_lines(), next_expressions(), labels()] {
        let checks = directory.path().join("checks");
        let input = directory.path().join("input");
        fs::write(&checks, &workload.checks).expect("a writable directory");
        fs::write(&input, &workload.input).expect("a writable directory");
        let own = time(ours, &checks, &input);
        match &theirs {
            Some(program) => {
                let other = time(program, &checks, &input);
                let ratio = own / other;
                println!("{:32} {own:9.4}s {other:9.4}s {ratio:7.2}", workload.name);
            }
            None => println!("{:32} {own:9.4}s {:>10} {:>7}", workload.name, "-", "-"),
        }
    }
    compare_suites(directory.path());
}
