//! `poly-interpret`: orison-interpret with the dialect `poly`.

use std::process::ExitCode;

fn main() -> ExitCode {
    orison_interpret::main_with(own_dialect::register)
}
