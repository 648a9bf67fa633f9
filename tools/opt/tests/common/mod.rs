//! Runs orison-opt in process and LLVM 22's mlir-opt beside it, on the same text.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use orison_opt::{Outcome, Streams, Tool, run};

/// What is compared with.
pub const PEER: &str = "mlir-opt-22";

/// Whether there is a peer; says so where there is none.
pub fn is_installed() -> bool {
    let quiet = Command::new(PEER)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let installed = quiet.is_ok_and(|status| status.success());
    if !installed {
        println!("skipped: {PEER} is not installed");
    }
    installed
}

/// What orison prints, or its errors.
pub fn orison(text: &str, flags: &[&str]) -> Result<String, String> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        input: &mut text.as_bytes(),
        output: &mut output,
        errors: &mut errors,
    };
    let arguments = ["orison-opt"].iter().chain(flags);
    let arguments = arguments.map(|&argument| argument.to_owned()).collect();
    let outcome = run(Tool::OPT, arguments, &mut streams);
    answer(outcome == Outcome::Success, &output, &errors)
}

/// What mlir-opt prints, or its errors.
pub fn peer(text: &str, flags: &[&str]) -> Result<String, String> {
    let mut child = Command::new(PEER)
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mlir-opt starts");
    let mut input = child.stdin.take().expect("a pipe");
    let output = thread::scope(|scope| {
        // A peer that stops reading has an error to tell.
        scope.spawn(move || input.write_all(text.as_bytes()));
        child.wait_with_output().expect("mlir-opt ends")
    });
    answer(output.status.success(), &output.stdout, &output.stderr)
}

fn answer(succeeded: bool, output: &[u8], errors: &[u8]) -> Result<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match succeeded {
        true => Ok(text(output)),
        false => Err(text(errors)),
    }
}
