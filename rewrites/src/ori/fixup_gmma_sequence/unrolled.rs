//! Loops that ptxas unrolls before the phase.
//!
//! A loop of one block with a counter is unrolled (phase 22): completely if start and bound are
//! constants, otherwise to one copy (if the counter is unsigned), a loop of four, two and one, each of
//! which can be skipped. An operation is then in several sections, and several times in one. Loops
//! without effect are removed. Limits and forms are measured.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::keywords::{Signedness, keyword_of};
use orison_ori::operations::control::CondBra;
use orison_ori::operations::integer::{Iadd3, Isetp};

use super::lines::line_of;
use super::sections::{End, Section, clean, in_order};

/// The most fences, products, commits and waits of a loop that is unrolled.
const MOST_GROUP_OPERATIONS: usize = 15;
/// The most other instructions.
const MOST_OTHERS: usize = 46;

/// The copies of a loop with constant start and bound: later ones are in the state of the last.
const CONSTANT_COPIES: usize = 3;
/// The copies that the unrolled loop and the rest behind it have.
const COPIES: [usize; 3] = [4, 2, 1];

/// Replaces loops that ptxas unrolls by their copies. Each round is linear, and only completely
/// unrolled loops, which may leave the loop around them with one section, need another.
pub(super) fn unroll(context: &Context, mut sections: Vec<Section>) -> Vec<Section> {
    loop {
        let counters: Vec<Option<Counter>> = (0..sections.len())
            .map(|number| Counter::of(context, &sections, number))
            .collect();
        let again = counters.iter().flatten().any(|one| one.is_constant);
        sections = clean(replace(context, sections, &counters));
        if !again {
            return sections;
        }
    }
}

/// The sections with copies in the place of loops with a counter.
fn replace(
    context: &Context,
    mut sections: Vec<Section>,
    counters: &[Option<Counter>],
) -> Vec<Section> {
    let mut order = Vec::with_capacity(sections.len());
    for (number, counter) in counters.iter().enumerate() {
        order.push(number);
        let next = sections[number].next.iter();
        let exit = next.copied().find(|next| *next != number);
        match (counter, exit) {
            (Some(_), Some(exit)) if is_idle(context, &sections[number]) => {
                sections[number] = Section::new(Vec::new(), End::Uniform);
                sections[number].next = vec![exit];
            }
            (Some(counter), Some(exit)) if counter.is_constant => {
                let mut copies = repeated(&sections[number], CONSTANT_COPIES);
                copies.next = vec![exit];
                sections[number] = copies;
            }
            (Some(counter), Some(exit)) => {
                let first = sections.len();
                add_copies(&mut sections, number, exit, counter.is_unsigned);
                order.extend(first..sections.len());
            }
            _ => {}
        }
    }
    in_order(sections, &order)
}

/// Whether a loop has no effect, and nothing else reads what it computes: ptxas removes it.
fn is_idle(context: &Context, body: &Section) -> bool {
    let branch = body.branch;
    let Some((branch, home)) = branch.and_then(|op| Some((op, op.block(context)?))) else {
        return false;
    };
    let inside = |value: Value| {
        let mut users = value.users(context);
        users.all(|user| user.block(context) == Some(home))
    };
    let stays = |op: &Operation| {
        op.block(context) == Some(home)
            && properties::is_removable(context, *op)
            && op.results(context).all(inside)
    };
    // What the branch passes to the exit leaves the loop.
    let mut edges = branch.edges(context);
    let kept = edges.all(|(block, passed)| {
        block == home || passed.is_some_and(|mut passed| passed.next().is_none())
    });
    kept && home.arguments(context).all(inside) && body.operations.iter().all(stays)
}

/// The body of a loop several times, without the branch.
fn repeated(body: &Section, count: usize) -> Section {
    let mut copies = Section::new(body.operations.repeat(count), End::Uniform);
    copies.is_unrolled = true;
    copies
}

/// Replaces a loop by guards, in its own place and behind the others, each before copies that it may
/// skip. If the counter is unsigned, one copy comes first. The first rest is a loop.
fn add_copies(sections: &mut Vec<Section>, number: usize, exit: usize, is_unsigned: bool) {
    let body = std::mem::replace(
        &mut sections[number],
        Section::new(Vec::new(), End::Uniform),
    );
    let mut guard = number;
    let first = is_unsigned.then_some(1);
    let counts: Vec<usize> = first.into_iter().chain(COPIES).collect();
    for (place, count) in counts.iter().copied().enumerate() {
        let copies = sections.len();
        let behind = if place + 1 < counts.len() {
            copies + 1
        } else {
            exit
        };
        let mut section = repeated(&body, count);
        section.next = vec![behind];
        if count == COPIES[0] {
            section.next.insert(0, copies);
            section.branch = body.branch;
        }
        sections[guard].next = vec![copies, behind];
        sections.push(section);
        if behind != exit {
            sections.push(Section::new(Vec::new(), End::Uniform));
            guard = behind;
        }
    }
}

/// The counter of a loop.
struct Counter {
    /// Whether its start and its bound are constants.
    is_constant: bool,
    /// Whether it is compared as an unsigned number.
    is_unsigned: bool,
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
        let marked = section.is_unrolled || section.is_merged || section.is_uneven;
        if !around || !plain || pragma || marked || !is_small(context, section) {
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
        let signedness = keyword_of(context, compare, "signedness");
        Some(Counter {
            is_constant: constant_start && immediate(context, bound).is_some(),
            is_unsigned: matches!(
                signedness,
                Some(Signedness::Unsigned | Signedness::UnsignedWide)
            ),
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
