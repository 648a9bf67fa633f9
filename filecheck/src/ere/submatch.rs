//! What each group of a match holds.
//!
//! A concatenation is divided from left to right: each part takes as much as it can while the rest
//! still matches exactly what is left. A loop reports its last round.

use super::Span;
use super::program::{ItemKind, Program, Sequence};
use super::search::{Machine, Prefer, Threads, longest};

/// Fills in the groups of the match `start..end`.
pub(super) fn fill(
    program: &Program,
    text: &[u8],
    start: usize,
    end: usize,
    groups: &mut [Option<Span>],
) {
    divide(program, text, &program.sequence, start, end, groups);
}

fn divide(
    program: &Program,
    text: &[u8],
    sequence: &Sequence,
    start: usize,
    end: usize,
    groups: &mut [Option<Span>],
) {
    let mut position = start;
    for (index, item) in sequence.items.iter().enumerate() {
        match &item.kind {
            ItemKind::Fixed(width) => {
                position += *width as usize;
                continue;
            }
            ItemKind::Open(group) => {
                let known_end = groups[*group as usize].map_or(position, |(_, end)| end);
                groups[*group as usize] = Some((position, known_end));
                continue;
            }
            ItemKind::Close(group) => {
                let known_start = groups[*group as usize].map_or(position, |(start, _)| start);
                groups[*group as usize] = Some((known_start, position));
                continue;
            }
            ItemKind::Optional(_) | ItemKind::Loop(_) | ItemKind::Choice(_) => {}
        }
        // The last part takes all that is left.
        let rest = if index + 1 == sequence.items.len() {
            end
        } else {
            let states = (item.start, item.end, sequence.end);
            division(program, text, position, end, states)
        };
        let is_match = |part: &&Sequence| matches_exactly(program, text, part, position, rest);
        let (part, start, end) = match &item.kind {
            ItemKind::Loop(body) => {
                let (start, end) = last_round(program, text, body, position, rest);
                (Some(body), start, end)
            }
            ItemKind::Optional(body) => (Some(body).filter(is_match), position, rest),
            ItemKind::Choice(branches) => (branches.iter().find(is_match), position, rest),
            _ => (None, position, rest),
        };
        if let Some(part) = part {
            divide(program, text, part, start, end, groups);
        }
        position = rest;
    }
}

fn matches_exactly(
    program: &Program,
    text: &[u8],
    sequence: &Sequence,
    start: usize,
    end: usize,
) -> bool {
    longest(program, text, start, end, sequence.start, sequence.end).0 == Some(end)
}

/// The last round of a loop that matched `start..end`, each round as long as it can be.
fn last_round(
    program: &Program,
    text: &[u8],
    body: &Sequence,
    start: usize,
    end: usize,
) -> (usize, usize) {
    let mut last = (start, start);
    let mut position = start;
    loop {
        match longest(program, text, position, end, body.start, body.end).0 {
            None => return last,
            Some(next) if next == position => return (position, next),
            Some(next) => {
                last = (position, next);
                position = next;
            }
        }
    }
}

/// The largest position at which the states `item_start..item_end` can end so that the states up
/// to `sequence_end` match exactly the rest up to `end`.
fn division(
    program: &Program,
    text: &[u8],
    start: usize,
    end: usize,
    (item_start, item_end, sequence_end): (u32, u32, u32),
) -> usize {
    let states = program.instructions.len() + 1;
    let mut machine = Machine::new(program, text, sequence_end, Prefer::Larger, Some(item_end));
    let mut now = Threads::new(states);
    let mut next = Threads::new(states);
    machine.add(&mut now, item_start, start, start);
    for position in start..end {
        machine.step(&now, &mut next, position);
        std::mem::swap(&mut now, &mut next);
    }
    // The caller only asks about matches, so there is a division; `start` keeps the loop safe.
    now.tag(sequence_end).unwrap_or(start)
}
