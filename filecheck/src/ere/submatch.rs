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
        let is_last = index + 1 == sequence.items.len();
        match &item.kind {
            ItemKind::Fixed(width) => position += *width as usize,
            ItemKind::Open(group) => {
                let known_end = groups[*group as usize].map_or(position, |(_, end)| end);
                groups[*group as usize] = Some((position, known_end));
            }
            ItemKind::Close(group) => {
                let known_start = groups[*group as usize].map_or(position, |(start, _)| start);
                groups[*group as usize] = Some((known_start, position));
            }
            ItemKind::Optional(body) => {
                let rest = if is_last {
                    end
                } else {
                    division(
                        program,
                        text,
                        position,
                        end,
                        (item.start, item.end, sequence.end),
                    )
                };
                if matches_exactly(program, text, body, position, rest) {
                    divide(program, text, body, position, rest, groups);
                }
                position = rest;
            }
            ItemKind::Loop(body) => {
                let rest = if is_last {
                    end
                } else {
                    division(
                        program,
                        text,
                        position,
                        end,
                        (item.start, item.end, sequence.end),
                    )
                };
                let (last_start, last_end) = last_round(program, text, body, position, rest);
                divide(program, text, body, last_start, last_end, groups);
                position = rest;
            }
            ItemKind::Choice(branches) => {
                let rest = if is_last {
                    end
                } else {
                    division(
                        program,
                        text,
                        position,
                        end,
                        (item.start, item.end, sequence.end),
                    )
                };
                let branch = branches
                    .iter()
                    .find(|branch| matches_exactly(program, text, branch, position, rest));
                if let Some(branch) = branch {
                    divide(program, text, branch, position, rest, groups);
                }
                position = rest;
            }
        }
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
