//! Fewer registers where that costs next to nothing.

use orison_ori::analyses::{Frequencies, RegisterClass};

use super::assign::{Assignment, Failure};
use super::edges;
use super::live::Live;
use super::units::Program;

/// The most registers that are reduced: what is tried takes as long as what it replaces.
const MOST: u32 = 64;
/// Executed copies that fewer registers may cost, as a part of the executed instructions.
pub(super) const COPIES: f64 = 1.0 / 256.0;
/// The same for internal functions, which callers have fewer registers around and call rarely.
pub(super) const RARE_COPIES: f64 = 1.0 / 16.0;

/// An assignment with fewer registers than `found`, and their number: those that are live at once, or half-way between.
/// `None` if the copies would cost more.
pub(super) fn fewer(
    (program, live): (&Program, &Live),
    frequencies: &Frequencies,
    found: &Assignment,
    (needed, share): (u32, f64),
    attempt: impl Fn(u32) -> Result<Assignment, Failure>,
) -> Option<(Assignment, u32)> {
    let used = found.used[RegisterClass::General as usize].end();
    if used > MOST || needed >= used {
        return None;
    }
    let cost = |found: &Assignment| copies((program, live), frequencies, found);
    let blocks = (0..).zip(&program.blocks);
    let executed = blocks.map(|(number, block)| {
        let instructions = u32::try_from(block.instructions.len()).unwrap_or(u32::MAX);
        frequencies.block(number) * f64::from(instructions)
    });
    let limit = cost(found) + executed.sum::<f64>() * share;
    let numbers = [needed, needed.midpoint(used)];
    numbers.into_iter().find_map(|general| {
        let found = attempt(general).ok().filter(|found| cost(found) <= limit)?;
        Some((found, general))
    })
}

/// The executions of all copies for one of the function.
fn copies(
    (program, live): (&Program, &Live),
    frequencies: &Frequencies,
    found: &Assignment,
) -> f64 {
    let blocks = (0..).zip(&program.blocks);
    let on_edges = edges::counts((program, live, found));
    let each = blocks.zip(on_edges).map(|((number, block), on_edges)| {
        let transfers = block
            .instructions
            .clone()
            .filter_map(|at| found.transfers.get(&at));
        let inside: usize = transfers.map(|transfers| transfers.list.len()).sum();
        let count = u32::try_from(inside + on_edges).unwrap_or(u32::MAX);
        frequencies.block(number) * f64::from(count)
    });
    each.sum()
}
