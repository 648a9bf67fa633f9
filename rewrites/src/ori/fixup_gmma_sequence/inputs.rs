//! What the plans of all functions are made from.

use std::rc::Rc;

use orison_ori::analyses::{Divergence, MatrixGroups};

use super::calls::Calls;
use crate::ori::functions::Function;
use crate::ori::matrix_registers::MatrixRegisters;

/// The inputs of a plan.
pub(super) struct Inputs<'a> {
    /// The functions of the module.
    pub functions: &'a [Function],
    /// Their calls.
    pub calls: &'a Calls,
    /// The analyses of each function.
    pub analyses: &'a [(Rc<Divergence>, Rc<MatrixGroups>, Rc<MatrixRegisters>)],
    /// `-maxrregcount`.
    pub max_registers: Option<u32>,
    /// Whether the page's rules decide about reads, writes and calls.
    pub page: bool,
}
