//! Runs orison-opt in process and LLVM 22's mlir-opt as a process, on the same text.

// Each test uses only part of this module.
#![allow(dead_code)]

#[path = "../../../skipped.rs"]
mod skipped;

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use orison_opt::{Outcome, Streams, Tool, run};

/// The tool to compare with.
pub const PEER: &str = "mlir-opt-22";

/// Whether mlir-opt is installed; prints a message if it is not.
pub fn is_installed() -> bool {
    let quiet = Command::new(PEER)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let installed = quiet.is_ok_and(|status| status.success());
    if !installed {
        skipped::skipped(&format!("{PEER} is not installed"));
    }
    installed
}

/// The text orison prints, or its errors.
pub fn orison(text: &str, flags: &[&str]) -> Result<String, String> {
    orison_bytes(text.as_bytes(), flags).map(|output| String::from_utf8_lossy(&output).into_owned())
}

/// The bytes orison writes, or its errors.
pub fn orison_bytes(mut input: &[u8], flags: &[&str]) -> Result<Vec<u8>, String> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        input: &mut input,
        output: &mut output,
        errors: &mut errors,
    };
    let arguments = ["orison-opt"].iter().chain(flags);
    let arguments = arguments.map(|&argument| argument.to_owned()).collect();
    match run(Tool::OPT, arguments, &mut streams) {
        Outcome::Success => Ok(output),
        Outcome::Failure => Err(String::from_utf8_lossy(&errors).into_owned()),
    }
}

/// The text mlir-opt prints, or its errors.
pub fn peer(text: &str, flags: &[&str]) -> Result<String, String> {
    peer_bytes(text.as_bytes(), flags).map(|output| String::from_utf8_lossy(&output).into_owned())
}

/// The bytes mlir-opt writes, or its errors.
pub fn peer_bytes(bytes: &[u8], flags: &[&str]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(PEER)
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mlir-opt starts");
    let mut input = child.stdin.take().expect("a pipe");
    let output = thread::scope(|scope| {
        // A peer that stops reading reports an error.
        scope.spawn(move || input.write_all(bytes));
        child.wait_with_output().expect("mlir-opt ends")
    });
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
