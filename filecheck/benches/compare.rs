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

/// The fastest run of a test runner over the suite in `tests/lit`, in seconds. Many of those tests
/// fail on purpose, so the exit code says nothing.
fn time_suite(mut command: Command) -> f64 {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lit");
    command.arg("-q").arg(suite).env_remove("LIT_OPTS");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        command.status().expect("the test runner starts");
        best = best.min(started.elapsed().as_secs_f64());
    }
    best
}

/// Compares the test runners, each with its own FileCheck.
fn compare_suites(directory: &Path) {
    let name = "tests/lit, runner and FileCheck";
    let own = time_suite(Command::new(env!("CARGO_BIN_EXE_orison-lit")));
    let (Some(lit), Some(check)) = (find(&["lit-22", "lit"]), reference()) else {
        println!("{name:32} {own:9.4}s {:>10} {:>7}", "-", "-");
        return;
    };
    let tools = directory.join("tools");
    fs::create_dir(&tools).expect("a writable directory");
    let programs = [
        ("FileCheck", Some(check)),
        ("not", find(&["not-22", "not"])),
        ("count", find(&["count-22", "count"])),
    ];
    for (tool, path) in programs {
        if let Some(path) = path {
            #[cfg(unix)]
            std::os::unix::fs::symlink(path, tools.join(tool)).expect("a link");
        }
    }
    let mut command = Command::new(lit);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", tools.display()));
    command.env("LIT_OUTPUT", directory.join("output"));
    let other = time_suite(command);
    println!("{name:32} {own:9.4}s {other:9.4}s {:7.2}", own / other);
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
