//! The `orison-opt` command line; the implementation is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    orison_opt::main()
}
