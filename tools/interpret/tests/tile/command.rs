//! The command line: kernels from files.

use std::path::Path;
use std::process::Command;

use crate::examples::{EXAMPLES, materialized};

/// Exit code, standard output, standard error.
fn interpret(arguments: &[&str], file: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_orison-interpret"))
        .arg(file)
        .args(arguments)
        .output()
        .expect("the interpreter runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn kernels_are_compared_explored_and_judged() {
    let example = &EXAMPLES[0];
    let folder = tempfile::tempdir().expect("a folder");
    let (before, after) = (
        folder.path().join("before.mlir"),
        folder.path().join("after.mlir"),
    );
    let agents = materialized(example, "tileas-materialize-schedule");
    let agents = agents.unwrap_or_else(|errors| panic!("{errors}")).text();
    std::fs::write(&before, example.text()).expect("written");
    std::fs::write(&after, &agents).expect("written");
    let other = before.to_string_lossy();
    let flags = [
        "--entry",
        "gemm",
        "--grid",
        "2,1,1",
        "--interleavings",
        "20",
    ];
    let compared = interpret(&[&flags[..], &["--compare-with", &other]].concat(), &after);
    assert_eq!(compared.0, Some(0), "{}", compared.2);
    assert!(compared.1.contains("20 interleavings, "), "{}", compared.1);
    let explored = interpret(
        &["--entry", "gemm", "--tiles", "2", "--explore", "10000"],
        &after,
    );
    assert!(explored.1.contains("1 endings"), "{}", explored.1);
    assert!(explored.1.ends_with("all orders\n"), "{}", explored.1);
    let broken = folder.path().join("broken.mlir");
    let kept = agents
        .lines()
        .filter(|line| !line.contains("consumer_release"));
    let kept: Vec<&str> = kept.collect();
    std::fs::write(&broken, kept.join("\n")).expect("written");
    let failed = interpret(&["--entry", "gemm", "--tiles", "64"], &broken);
    assert_eq!(failed.0, Some(2));
    assert!(
        failed
            .2
            .contains("error: deadlock: no task can make progress"),
        "{}",
        failed.2
    );
    assert!(
        failed.2.contains("note: agent 0 waits here for stage 0"),
        "{}",
        failed.2
    );
    let (code, _, errors) = interpret(&["--entry", "gemm", "--grid", "0"], &after);
    assert_eq!(
        (code, errors.as_str()),
        (Some(1), "--grid: '0' is not a grid of blocks\n")
    );
}
