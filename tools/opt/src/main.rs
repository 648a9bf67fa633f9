//! The `orison-opt` command line.
fn main() {}
