//! `orison-interpret`.

use std::process::ExitCode;

fn main() -> ExitCode {
    orison_interpret::main_with(|_| {})
}
