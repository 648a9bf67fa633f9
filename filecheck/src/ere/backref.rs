//! Patterns with back references.
//!
//! The automaton, in which a reference matches anything its group could match, proposes a
//! match; a backtracking search then looks for a path on which the references hold.

use super::Span;
use super::program::{Instruction, Program};
use super::search::{Surroundings, find, longest};

/// How many steps all attempts at one match may take together.
pub const STEP_LIMIT: u64 = 20_000_000;

/// What to restore, or to try next, when backtracking.
enum Choice {
    Try { state: u32, position: usize },
    GroupStart(u32, usize),
    GroupEnd(u32, usize),
    LoopPosition(u32, usize),
}

const UNSET: usize = usize::MAX;

struct Search<'a> {
    program: &'a Program,
    text: &'a [u8],
    steps: u64,
    starts: Vec<usize>,
    ends: Vec<usize>,
    loops: Vec<usize>,
    choices: Vec<Choice>,
}

/// As [`super::Regex::captures`], for programs with back references.
pub(super) fn captures(program: &Program, text: &[u8]) -> Option<Vec<Option<Span>>> {
    let groups = program.group_count as usize + 1;
    let accept = program.instructions.len() as u32;
    let mut search = Search {
        program,
        text,
        steps: 0,
        starts: vec![UNSET; groups],
        ends: vec![UNSET; groups],
        loops: vec![UNSET; program.loop_depth as usize + 1],
        choices: Vec::new(),
    };
    let mut from = 0;
    while from <= text.len() {
        let (start, mut end) = find(program, text, from)?;
        loop {
            if search.matches(start, end) {
                let mut captured = vec![None; groups];
                captured[0] = Some((start, end));
                for (group, slot) in captured.iter_mut().enumerate().skip(1) {
                    if search.ends[group] != UNSET {
                        *slot = Some((search.starts[group], search.ends[group]));
                    }
                }
                return Some(captured);
            }
            if search.steps > STEP_LIMIT {
                return None;
            }
            if end == start {
                break;
            }
            // A shorter match may do.
            let (shorter, reached) = longest(program, text, start, end - 1, 0, accept);
            search.steps += (reached - start) as u64;
            let Some(shorter) = shorter else { break };
            end = shorter;
        }
        from = start + 1;
    }
    None
}

impl Search<'_> {
    /// Whether the program matches exactly `start..end`; leaves the groups set if so.
    fn matches(&mut self, start: usize, end: usize) -> bool {
        self.starts.fill(UNSET);
        self.ends.fill(UNSET);
        self.loops.fill(UNSET);
        self.choices.clear();
        self.choices.push(Choice::Try {
            state: 0,
            position: start,
        });
        while let Some(choice) = self.choices.pop() {
            match choice {
                Choice::GroupStart(group, old) => self.starts[group as usize] = old,
                Choice::GroupEnd(group, old) => self.ends[group as usize] = old,
                Choice::LoopPosition(level, old) => self.loops[level as usize] = old,
                Choice::Try { state, position } => {
                    if self.run(state, position, end) {
                        return true;
                    }
                    if self.steps > STEP_LIMIT {
                        return false;
                    }
                }
            }
        }
        false
    }

    /// Follows one path through the program until it fails or matches.
    fn run(&mut self, mut state: u32, mut position: usize, end: usize) -> bool {
        loop {
            self.steps += 1;
            if self.steps > STEP_LIMIT {
                return false;
            }
            let Some(instruction) = self.program.instructions.get(state as usize) else {
                return position == end;
            };
            state += 1;
            match *instruction {
                Instruction::Byte(_) | Instruction::Set(_) => {
                    if position == end || !self.takes(*instruction, self.text[position]) {
                        return false;
                    }
                    position += 1;
                }
                Instruction::Assert(assertion) => {
                    if !Surroundings::at(self.text, position).hold(assertion) {
                        return false;
                    }
                }
                Instruction::Open(group) => {
                    let old = std::mem::replace(&mut self.starts[group as usize], position);
                    self.choices.push(Choice::GroupStart(group, old));
                }
                Instruction::Close(group) => {
                    let old = std::mem::replace(&mut self.ends[group as usize], position);
                    self.choices.push(Choice::GroupEnd(group, old));
                }
                Instruction::Split(target) => {
                    self.choices.push(Choice::Try {
                        state: target,
                        position,
                    });
                }
                Instruction::Jump(target) => state = target,
                Instruction::LoopStart(level) => self.set_loop(level, position),
                Instruction::LoopEnd { body, level } => {
                    // A round that took nothing ends the loop.
                    if self.loops[level as usize] != position {
                        self.choices.push(Choice::Try { state, position });
                        self.set_loop(level, position);
                        state = body;
                    }
                }
                Instruction::BackReference { group, end: behind } => {
                    let Some(length) = self.repeated(group, position, end) else {
                        return false;
                    };
                    self.steps += length as u64;
                    position += length;
                    state = behind;
                }
            }
        }
    }

    /// Whether an instruction for one byte takes this one.
    fn takes(&self, instruction: Instruction, byte: u8) -> bool {
        match instruction {
            Instruction::Byte(wanted) => wanted == byte,
            Instruction::Set(index) => self.program.sets[index as usize].contains(byte),
            _ => false,
        }
    }

    /// The length of the group's text, if the same text is at `position`.
    fn repeated(&self, group: u32, position: usize, end: usize) -> Option<usize> {
        let (start, group_end) = (self.starts[group as usize], self.ends[group as usize]);
        if group_end == UNSET || start == UNSET || start > group_end {
            return None;
        }
        let value = &self.text[start..group_end];
        self.text[position..end]
            .starts_with(value)
            .then_some(value.len())
    }

    fn set_loop(&mut self, level: u32, position: usize) {
        let old = std::mem::replace(&mut self.loops[level as usize], position);
        self.choices.push(Choice::LoopPosition(level, old));
    }
}
