//! Loops that ptxas unrolls before the phase.
//!
//! A loop of one block with a counter is unrolled (phase 22): completely if start and bound are
//! constants, otherwise so that each copy can be skipped. The copies behave like the loop, but a
//! path goes around them that the source does not have, and a completely unrolled loop is no loop
//! any more. Limits and forms are measured.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::operations::control::CondBra;
use orison_ori::operations::integer::{Iadd3, Isetp};

use super::lines::line_of;
use super::sections::{End, Section};

/// The most fences, products, commits and waits of a loop that is unrolled.
const MOST_GROUP_OPERATIONS: usize = 15;
/// The most other instructions.
const MOST_OTHERS: usize = 46;

/// Gives sections that are such loops the edges that unrolling leaves.
pub(super) fn unroll(context: &Context, sections: &mut [Section]) {
    for number in 0..sections.len() {
        let Some(counter) = Counter::of(context, sections, number) else {
            continue;
        };
        let (exit, entries) = {
            let section = &sections[number];
            let exit = section.next.iter().copied().find(|next| *next != number);
            let entries = section.before.iter().copied();
            let entries: Vec<usize> = entries.filter(|before| *before != number).collect();
            (exit, entries)
        };
        let Some(exit) = exit else { continue };
        if counter.is_constant {
            sections[number].next.retain(|next| *next != number);
            sections[number].before.retain(|before| *before != number);
            sections[number].end = End::Uniform;
            continue;
        }
        for entry in entries {
            if !sections[entry].next.contains(&exit) {
                sections[entry].next.push(exit);
                sections[exit].before.push(entry);
            }
        }
    }
}

/// The counter of a loop.
struct Counter {
    /// Whether its start and its bound are constants.
    is_constant: bool,
}

impl Counter {
    /// The counter of a section that is a loop which ptxas unrolls.
    fn of(context: &Context, sections: &[Section], number: usize) -> Option<Self> {
        let section = &sections[number];
        let branch = section.branch?;
        let latch = CondBra::of(context, branch)?;
        let around = section.next.len() == 2 && section.next.contains(&number);
        let plain = section.end == End::Uniform && latch.uniform(context).is_none();
        let pragma = branch.attribute(context, "ori.pragmas").is_some();
        if !around || !plain || pragma || !is_small(context, section) {
            return None;
        }
        let home = branch.block(context)?;
        let compare = latch.condition(context).defining_op(context)?;
        let compare = Isetp::matches(context, compare).then_some(compare)?;
        let stepped = compare.operand(context, 0);
        let bound = compare.operand(context, 1);
        let argument = stepped_argument(context, stepped, home)?;
        let fixed =
            immediate(context, bound).is_some() || bound.parent_block(context) != Some(home);
        if !fixed {
            return None;
        }
        let constant_start = starts_constant(context, home, argument, branch);
        Some(Counter {
            is_constant: constant_start && immediate(context, bound).is_some(),
        })
    }
}

/// The argument of a block that a value is a constant step from.
fn stepped_argument(context: &Context, value: Value, home: Block) -> Option<usize> {
    let op = value.defining_op(context)?;
    let sum = Iadd3::matches(context, op).then_some(op)?;
    let mut argument = None;
    for operand in sum.operands(context) {
        if operand.argument_owner(context) == Some(home) {
            argument = Some(operand.position(context));
        } else {
            immediate(context, operand)?;
        }
    }
    argument
}

/// Whether all branches but the latch pass a constant to an argument.
fn starts_constant(context: &Context, home: Block, argument: usize, latch: Operation) -> bool {
    home.predecessor_edges(context)
        .filter(|(branch, _)| *branch != latch)
        .all(|(branch, way)| {
            let mut passed = branch.passed_operands(context, way).into_iter().flatten();
            let value = passed.nth(argument).map(|n| branch.operand(context, n));
            value.is_some_and(|value| immediate(context, value).is_some())
        })
}

/// Whether a section is small enough, without calls and exits.
fn is_small(context: &Context, section: &Section) -> bool {
    let (mut groups, mut others) = (0, 0);
    let mut last = None;
    for op in &section.operations {
        match role(context, *op) {
            Some(Role::Call) => return false,
            Some(_) => groups += 1,
            None => {
                let line = line_of(context, *op);
                let new = line.is_none() || line != last;
                others += usize::from(new && properties::is_instruction(context, *op));
                last = line;
            }
        }
    }
    groups <= MOST_GROUP_OPERATIONS && others <= MOST_OTHERS
}
