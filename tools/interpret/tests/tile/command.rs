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

/// A kernel that stores a tile of these numbers.
fn storing(number: &str) -> String {
    format!(
        "nv_tileaa.func @f(%X: !nv_tileaa.memref<?x?xf32>) {{
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<{number}> : tensor<4x4xf32>
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  nv_tileas.tiled_store %x, %view[%c0, %c0] : tensor<4x4xf32>, !nv_tileaa.tiled_view<4x4xf32, gmem>
  nv_tileaa.return
}}\n"
    )
}

#[test]
fn grids_arguments_and_differences_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, other] = ["1.0", "2.0"].map(|number| {
        let file = folder.path().join(format!("{number}.mlir"));
        std::fs::write(&file, storing(number)).expect("written");
        file
    });
    let run = |arguments: &[&str]| interpret(&[&["--entry", "f"], arguments].concat(), &file);
    for (arguments, errors) in [
        (["--grid", "65536,2"], "--grid: more than 65536 blocks\n"),
        (["--args", "{}"], "--args: expected an array\n"),
        (
            ["--args", "[true]"],
            "--args: argument 0 must be a number or memory\n",
        ),
    ] {
        assert_eq!(run(&arguments), (Some(1), String::new(), errors.to_owned()));
    }
    // A null is chosen as if it was not given.
    let chosen = run(&["--args", "[null]"]);
    assert_eq!(chosen.0, Some(0), "{}", chosen.2);
    assert_eq!(chosen, run(&[]));
    let (code, _, errors) = run(&["--compare-with", &other.to_string_lossy()]);
    assert_eq!(code, Some(2));
    let expected = "element 0 of the memory of argument 0 is 1, expected 2";
    assert!(errors.contains(expected), "{errors}");
    assert!(errors.contains("in the interleaving of seed "), "{errors}");
}
