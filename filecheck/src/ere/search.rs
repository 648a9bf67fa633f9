//! Where a match is: simulation of the automaton.
//!
//! A thread of the simulation is a state with a tag. When two threads meet in one state the better
//! tag survives, so every run is linear in the text: searching, the tag is where the match
//! started, and smaller is better; dividing a match, it is where the division was, and larger is
//! better.

use memchr::memmem;

use super::Span;
use super::parse::Assertion;
use super::program::{Instruction, Program};

/// A set of threads.
pub(super) struct Threads {
    dense: Vec<u32>,
    sparse: Vec<u32>,
    tags: Vec<usize>,
}

impl Threads {
    pub(super) fn new(states: usize) -> Threads {
        Threads {
            dense: Vec::new(),
            sparse: vec![0; states],
            tags: vec![0; states],
        }
    }

    fn clear(&mut self) {
        self.dense.clear();
    }

    fn is_empty(&self) -> bool {
        self.dense.is_empty()
    }

    fn contains(&self, state: u32) -> bool {
        let index = self.sparse[state as usize];
        self.dense.get(index as usize) == Some(&state)
    }

    pub(super) fn tag(&self, state: u32) -> Option<usize> {
        self.contains(state).then(|| self.tags[state as usize])
    }
}

/// Which assertions hold at a position.
#[derive(Clone, Copy)]
pub(super) struct Surroundings {
    before: Option<u8>,
    after: Option<u8>,
}

impl Surroundings {
    pub(super) fn at(text: &[u8], position: usize) -> Surroundings {
        Surroundings {
            before: position.checked_sub(1).map(|index| text[index]),
            after: text.get(position).copied(),
        }
    }

    pub(super) fn hold(self, assertion: Assertion) -> bool {
        let is_word = |byte: Option<u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        match assertion {
            Assertion::LineStart => matches!(self.before, None | Some(b'\n')),
            Assertion::LineEnd => matches!(self.after, None | Some(b'\n')),
            Assertion::WordStart => !is_word(self.before) && is_word(self.after),
            Assertion::WordEnd => is_word(self.before) && !is_word(self.after),
        }
    }
}

/// Which of two tags survives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefer {
    Smaller,
    Larger,
}

/// A part of the program under simulation.
pub(super) struct Machine<'a> {
    program: &'a Program,
    text: &'a [u8],
    /// The state that means the part has matched.
    accept: u32,
    prefer: Prefer,
    stack: Vec<(u32, usize)>,
    /// Threads that cross this state get the position as their tag.
    retag_at: Option<u32>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a Program,
        text: &'a [u8],
        accept: u32,
        prefer: Prefer,
        retag_at: Option<u32>,
    ) -> Machine<'a> {
        Machine {
            program,
            text,
            accept,
            prefer,
            stack: Vec::new(),
            retag_at,
        }
    }

    /// Adds a thread and all that it reaches without taking a byte.
    pub(super) fn add(&mut self, threads: &mut Threads, state: u32, tag: usize, position: usize) {
        let surroundings = Surroundings::at(self.text, position);
        self.stack.push((state, tag));
        while let Some((state, mut tag)) = self.stack.pop() {
            if self.retag_at == Some(state) {
                tag = position;
            }
            let slot = state as usize;
            if threads.contains(state) {
                let known = threads.tags[slot];
                let is_better = match self.prefer {
                    Prefer::Smaller => tag < known,
                    Prefer::Larger => tag > known,
                };
                if !is_better {
                    continue;
                }
            } else {
                threads.sparse[slot] = threads.dense.len() as u32;
                threads.dense.push(state);
            }
            threads.tags[slot] = tag;
            if state == self.accept {
                continue;
            }
            let next = state + 1;
            match self.program.instructions[slot] {
                Instruction::Byte(_) | Instruction::Set(_) => {}
                Instruction::Assert(assertion) => {
                    if surroundings.hold(assertion) {
                        self.stack.push((next, tag));
                    }
                }
                Instruction::Open(_)
                | Instruction::Close(_)
                | Instruction::LoopStart(_)
                | Instruction::BackReference { .. } => self.stack.push((next, tag)),
                Instruction::Split(target) => {
                    self.stack.push((target, tag));
                    self.stack.push((next, tag));
                }
                Instruction::Jump(target) => self.stack.push((target, tag)),
                Instruction::LoopEnd { body, .. } => {
                    self.stack.push((next, tag));
                    self.stack.push((body, tag));
                }
            }
        }
    }

    /// Takes the byte at `position`: the threads of `now` that accept it move to `next`.
    pub(super) fn step(&mut self, now: &Threads, next: &mut Threads, position: usize) {
        next.clear();
        let byte = self.text[position];
        for &state in &now.dense {
            if state == self.accept {
                continue;
            }
            let takes = match self.program.instructions[state as usize] {
                Instruction::Byte(expected) => expected == byte,
                Instruction::Set(index) => self.program.sets[index as usize].contains(byte),
                _ => false,
            };
            if takes {
                self.add(next, state + 1, now.tags[state as usize], position + 1);
            }
        }
    }
}

/// The end of the longest match of the states `start..accept` that begins at `from` and does not
/// go beyond `limit`, and how far the simulation had to look.
pub(super) fn longest(
    program: &Program,
    text: &[u8],
    from: usize,
    limit: usize,
    start: u32,
    accept: u32,
) -> (Option<usize>, usize) {
    let mut machine = Machine::new(program, text, accept, Prefer::Smaller, None);
    let mut now = Threads::new(program.instructions.len() + 1);
    let mut next = Threads::new(program.instructions.len() + 1);
    let mut position = from;
    let mut end = None;
    machine.add(&mut now, start, 0, position);
    loop {
        if now.contains(accept) {
            end = Some(position);
        }
        if now.is_empty() || position == limit {
            return (end, position);
        }
        machine.step(&now, &mut next, position);
        std::mem::swap(&mut now, &mut next);
        position += 1;
    }
}

/// The leftmost longest match that starts at or after `from`.
pub(super) fn find(program: &Program, text: &[u8], from: usize) -> Option<Span> {
    let accept = program.instructions.len() as u32;
    if program.prefix.is_empty() {
        return scan(program, text, from);
    }
    // A match starts with these bytes: only their occurrences need a closer look. When those looks
    // cost much more than the distance covered, one pass over the rest is cheaper.
    let finder = memmem::Finder::new(&program.prefix);
    let mut position = from;
    let mut looked = 0;
    while let Some(found) = finder.find(text.get(position..)?) {
        let start = position + found;
        let (end, reached) = longest(program, text, start, text.len(), 0, accept);
        if let Some(end) = end {
            return Some((start, end));
        }
        looked += reached - start;
        position = start + 1;
        if looked > 4 * (position - from) + 4096 {
            return scan(program, text, position);
        }
    }
    None
}

/// [`find`] in one pass, whatever the pattern starts with.
fn scan(program: &Program, text: &[u8], from: usize) -> Option<Span> {
    let accept = program.instructions.len() as u32;
    let states = program.instructions.len() + 1;
    let first = first_bytes(program);
    let mut machine = Machine::new(program, text, accept, Prefer::Smaller, None);
    let mut now = Threads::new(states);
    let mut next = Threads::new(states);
    let mut best: Option<Span> = None;
    let mut position = from;
    loop {
        if best.is_none() {
            if now.is_empty()
                && let Some(first) = &first
            {
                let rest = text.get(position..)?;
                position += rest.iter().position(|&byte| first[usize::from(byte)])?;
            }
            machine.add(&mut now, 0, position, position);
        }
        if let Some(start) = now.tag(accept)
            && best.is_none_or(|(known, _)| start <= known)
        {
            best = Some((start, position));
        }
        if position >= text.len() || (now.is_empty() && best.is_some()) {
            return best;
        }
        if let Some((start, _)) = best {
            // Later starts can no longer win.
            now.retain_tags_up_to(start);
        }
        machine.step(&now, &mut next, position);
        std::mem::swap(&mut now, &mut next);
        position += 1;
    }
}

impl Threads {
    fn retain_tags_up_to(&mut self, limit: usize) {
        let tags = &self.tags;
        self.dense.retain(|&state| tags[state as usize] <= limit);
        for (index, &state) in self.dense.iter().enumerate() {
            self.sparse[state as usize] = index as u32;
        }
    }
}

/// The bytes a match can start with; `None` if it can be empty.
fn first_bytes(program: &Program) -> Option<[bool; 256]> {
    let accept = program.instructions.len();
    let mut first = [false; 256];
    let mut seen = vec![false; accept + 1];
    let mut stack = vec![0];
    while let Some(state) = stack.pop() {
        if state == accept {
            return None;
        }
        if std::mem::replace(&mut seen[state], true) {
            continue;
        }
        match program.instructions[state] {
            Instruction::Byte(byte) => first[usize::from(byte)] = true,
            Instruction::Set(index) => {
                let set = &program.sets[index as usize];
                (0..=255)
                    .filter(|&byte| set.contains(byte))
                    .for_each(|byte| {
                        first[usize::from(byte)] = true;
                    });
            }
            Instruction::Split(target) => stack.extend([state + 1, target as usize]),
            Instruction::Jump(target) => stack.push(target as usize),
            Instruction::LoopEnd { body, .. } => stack.extend([state + 1, body as usize]),
            _ => stack.push(state + 1),
        }
    }
    Some(first)
}
