//! The `orison-opt` command line; everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    orison_opt::main()
}
