//! What is known of a function before products are followed.

use orison_ir::Context;
use orison_ir::analyses::{ControlFlowGraph, DefUse};
use orison_ori::analyses::MatrixGroups;

use super::events::Event;
use super::sections::Section;
use crate::ori::matrix_registers::variables::Variables;

/// The inputs of the analysis.
pub(super) struct Facts<'a> {
    /// The IR.
    pub context: &'a Context,
    /// The products.
    pub groups: &'a MatrixGroups,
    /// The registers.
    pub variables: &'a Variables,
    /// The flow graph.
    pub flow: &'a ControlFlowGraph,
    /// What branches pass to block arguments.
    pub chains: &'a DefUse,
    /// The sections.
    pub sections: &'a [Section],
    /// Their events; sections outside of the region have none.
    pub events: &'a [Vec<Event>],
}
