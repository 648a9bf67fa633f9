//! Evidence for the cells of latency models: what listings of real code show of the distances between
//! dependent instructions, and the files `machines/evidence` that keep it, one per machine.
//!
//! Every cell of every machine is held from both sides: real code that issues at exactly this distance
//! (a larger cell would call it a hazard), and the number of pairs of which none is nearer (a smaller cell
//! would permit what no real code does). The tests of this module do that in every run.
//!
//! `machines/evidence/README.md` describes the files; `orison-learn` measures listings and writes them.

mod instance;
mod measure;
mod orders;
mod records;
#[cfg(test)]
mod tests;
mod walk;

pub use instance::Instance;
pub use measure::{Measured, Pairs, Sort, function};
pub use orders::{Armed, Order, OrderKind, Orders, Scoreboards};
pub use records::{Evidence, Nearest, Record, Support, is_enough, parse};
