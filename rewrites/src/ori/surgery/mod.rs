//! Surgery on the flow graph of a function: edges, copies of blocks, SSA form, and code for sums.
//!
//! Every function leaves valid IR: arguments and the operands passed to them agree, and each use is
//! dominated by its definition. None of them keeps a [`ControlFlowGraph`] up to date: a caller does
//! what it can on one graph, then computes it again.
//!
//! [`ControlFlowGraph`]: orison_ir::analyses::ControlFlowGraph

mod cloning;
mod edges;
mod iterations;
mod loop_closed;
mod loops;
mod ssa;
mod sums;
mod waits;

pub use cloning::clone_blocks;
pub use edges::{EdgeId, join_edges, split_edge};
pub use iterations::{Iteration, LoopBody, chain, follow};
pub use loop_closed::close_loops;
pub use loops::{peel_first_iteration, rotate, tested_body};
pub use ssa::{SsaRepair, Variable};
pub use sums::write_word;
pub use waits::keep_awaited;
