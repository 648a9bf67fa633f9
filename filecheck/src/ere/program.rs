//! From the tree to instructions.
//!
//! Instructions are the states of a nondeterministic automaton. Every part of the pattern owns a
//! contiguous range of them, entered at its start and left at its end, so the same simulation runs
//! the whole pattern or any part of it. [`Item`]s remember those ranges for the division of a
//! match into its groups.

use super::RegexError;
use super::classes::ByteSet;
use super::parse::{Assertion, Node, Tree};

/// How many instructions a pattern may need. Nested counted repetitions multiply.
const MAXIMUM_INSTRUCTIONS: usize = 1 << 18;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// Takes this byte.
    Byte(u8),
    /// Takes a byte of the set with this index.
    Set(u32),
    /// Continues if the assertion holds here.
    Assert(Assertion),
    Open(u32),
    Close(u32),
    /// Continues after this instruction, or at the target.
    Split(u32),
    Jump(u32),
    /// The start of a loop with this nesting level.
    LoopStart(u32),
    /// The end of the loop whose body starts at the target.
    LoopEnd {
        body: u32,
        level: u32,
    },
    /// A back reference; a copy of the group's body follows, up to the target.
    BackReference {
        group: u32,
        end: u32,
    },
}

/// A part of a concatenation, and the instructions that match it.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: ItemKind,
}

/// What an [`Item`] is.
#[derive(Debug)]
pub(super) enum ItemKind {
    /// Matches exactly this many bytes.
    Fixed(u32),
    Open(u32),
    Close(u32),
    Optional(Sequence),
    Loop(Sequence),
    Choice(Vec<Sequence>),
}

/// A concatenation.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) items: Vec<Item>,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) instructions: Vec<Instruction>,
    pub(super) sets: Vec<ByteSet>,
    pub(super) sequence: Sequence,
    pub(super) group_count: u32,
    pub(super) has_backrefs: bool,
    /// How deep loops nest.
    pub(super) loop_depth: u32,
    /// Bytes every match starts with.
    pub(super) prefix: Vec<u8>,
}

struct Compiler {
    instructions: Vec<Instruction>,
    sets: Vec<ByteSet>,
    has_backrefs: bool,
    level: u32,
    loop_depth: u32,
}

pub(super) fn compile(tree: &Tree) -> Result<Program, RegexError> {
    let mut compiler = Compiler {
        instructions: Vec::with_capacity(tree.nodes.len() + 8),
        sets: Vec::new(),
        has_backrefs: false,
        level: 0,
        loop_depth: 0,
    };
    let sequence = compiler.sequence(&tree.nodes)?;
    let prefix = literal_prefix(&compiler.instructions);
    Ok(Program {
        instructions: compiler.instructions,
        sets: compiler.sets,
        sequence,
        group_count: tree.group_count,
        has_backrefs: compiler.has_backrefs,
        loop_depth: compiler.loop_depth,
        prefix,
    })
}

fn literal_prefix(instructions: &[Instruction]) -> Vec<u8> {
    let mut prefix = Vec::new();
    for instruction in instructions {
        match instruction {
            Instruction::Byte(byte) => prefix.push(*byte),
            Instruction::Open(_) | Instruction::Close(_) => {}
            _ => break,
        }
    }
    prefix
}

impl Compiler {
    fn here(&self) -> u32 {
        // The limit on instructions keeps this far below u32::MAX.
        self.instructions.len() as u32
    }

    fn emit(&mut self, instruction: Instruction) -> Result<(), RegexError> {
        if self.instructions.len() >= MAXIMUM_INSTRUCTIONS {
            return Err(RegexError::Space);
        }
        self.instructions.push(instruction);
        Ok(())
    }

    fn sequence(&mut self, nodes: &[Node]) -> Result<Sequence, RegexError> {
        let start = self.here();
        let mut items = Vec::new();
        for node in nodes {
            self.node(node, &mut items)?;
        }
        Ok(Sequence {
            items,
            start,
            end: self.here(),
        })
    }

    fn node(&mut self, node: &Node, items: &mut Vec<Item>) -> Result<(), RegexError> {
        match node {
            Node::Byte(byte) => self.fixed(Instruction::Byte(*byte), 1, items),
            Node::Set(set) => {
                let index = match self.sets.iter().rposition(|known| known == set) {
                    Some(index) => index,
                    None => {
                        self.sets.push(*set);
                        self.sets.len() - 1
                    }
                };
                self.fixed(Instruction::Set(index as u32), 1, items)
            }
            Node::Assert(assertion) => self.fixed(Instruction::Assert(*assertion), 0, items),
            Node::Group(number, body) => {
                self.mark(Instruction::Open(*number), ItemKind::Open(*number), items)?;
                for inner in body.iter() {
                    self.node(inner, items)?;
                }
                self.mark(Instruction::Close(*number), ItemKind::Close(*number), items)
            }
            Node::Alternation(branches) => self.choice(branches, items),
            Node::Star(body) => self.optional(items, |this, inner| this.repeat_loop(body, inner)),
            Node::Plus(body) => self.repeat_loop(body, items),
            Node::Question(body) => self.or_nothing(items, |this, inner| this.node(body, inner)),
            Node::Repeat {
                body,
                minimum,
                maximum,
            } => self.repeat(body, *minimum, *maximum, items),
            Node::BackReference(group, body) => {
                self.has_backrefs = true;
                let start = self.here();
                self.emit(Instruction::BackReference {
                    group: *group,
                    end: 0,
                })?;
                // The copy lets the automaton approximate the reference; the exact check follows.
                self.sequence(body)?;
                let end = self.here();
                self.instructions[start as usize] =
                    Instruction::BackReference { group: *group, end };
                Ok(())
            }
        }
    }

    /// The start or the end of a group.
    fn mark(
        &mut self,
        instruction: Instruction,
        kind: ItemKind,
        items: &mut Vec<Item>,
    ) -> Result<(), RegexError> {
        let start = self.here();
        self.emit(instruction)?;
        let end = self.here();
        items.push(Item { start, end, kind });
        Ok(())
    }

    fn fixed(
        &mut self,
        instruction: Instruction,
        width: u32,
        items: &mut Vec<Item>,
    ) -> Result<(), RegexError> {
        let start = self.here();
        self.emit(instruction)?;
        let end = self.here();
        if let Some(Item {
            end: last_end,
            kind: ItemKind::Fixed(count),
            ..
        }) = items.last_mut()
            && *last_end == start
        {
            *last_end = end;
            *count += width;
            return Ok(());
        }
        items.push(Item {
            start,
            end,
            kind: ItemKind::Fixed(width),
        });
        Ok(())
    }

    fn choice(&mut self, branches: &[Vec<Node>], items: &mut Vec<Item>) -> Result<(), RegexError> {
        let start = self.here();
        let mut sequences = Vec::with_capacity(branches.len());
        let mut jumps = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            let is_last = index + 1 == branches.len();
            let split = self.here();
            if !is_last {
                self.emit(Instruction::Split(0))?;
            }
            sequences.push(self.sequence(branch)?);
            if !is_last {
                jumps.push(self.here());
                self.emit(Instruction::Jump(0))?;
                self.instructions[split as usize] = Instruction::Split(self.here());
            }
        }
        let end = self.here();
        for jump in jumps {
            self.instructions[jump as usize] = Instruction::Jump(end);
        }
        items.push(Item {
            start,
            end,
            kind: ItemKind::Choice(sequences),
        });
        Ok(())
    }

    /// `body?` as part of `*`: prefers the body, and divides as an optional loop.
    fn optional(
        &mut self,
        items: &mut Vec<Item>,
        body: impl FnOnce(&mut Compiler, &mut Vec<Item>) -> Result<(), RegexError>,
    ) -> Result<(), RegexError> {
        let start = self.here();
        self.emit(Instruction::Split(0))?;
        let inner_start = self.here();
        let mut inner = Vec::new();
        body(self, &mut inner)?;
        let end = self.here();
        self.instructions[start as usize] = Instruction::Split(end);
        let sequence = Sequence {
            items: inner,
            start: inner_start,
            end,
        };
        items.push(Item {
            start,
            end,
            kind: ItemKind::Optional(sequence),
        });
        Ok(())
    }

    /// `(body|)`, which is how `?` and optional counts divide a match.
    fn or_nothing(
        &mut self,
        items: &mut Vec<Item>,
        body: impl FnOnce(&mut Compiler, &mut Vec<Item>) -> Result<(), RegexError>,
    ) -> Result<(), RegexError> {
        let start = self.here();
        self.emit(Instruction::Split(0))?;
        let inner_start = self.here();
        let mut inner = Vec::new();
        body(self, &mut inner)?;
        let inner_end = self.here();
        let end = inner_end + 1;
        self.emit(Instruction::Jump(end))?;
        self.instructions[start as usize] = Instruction::Split(end);
        let branches = vec![
            Sequence {
                items: inner,
                start: inner_start,
                end: inner_end,
            },
            Sequence {
                items: Vec::new(),
                start: end,
                end,
            },
        ];
        items.push(Item {
            start,
            end,
            kind: ItemKind::Choice(branches),
        });
        Ok(())
    }

    fn repeat_loop(&mut self, body: &Node, items: &mut Vec<Item>) -> Result<(), RegexError> {
        self.level += 1;
        self.loop_depth = self.loop_depth.max(self.level);
        let start = self.here();
        self.emit(Instruction::LoopStart(self.level))?;
        let inner_start = self.here();
        let mut inner = Vec::new();
        self.node(body, &mut inner)?;
        let inner_end = self.here();
        self.emit(Instruction::LoopEnd {
            body: inner_start,
            level: self.level,
        })?;
        self.level -= 1;
        let sequence = Sequence {
            items: inner,
            start: inner_start,
            end: inner_end,
        };
        items.push(Item {
            start,
            end: self.here(),
            kind: ItemKind::Loop(sequence),
        });
        Ok(())
    }

    /// Counted repetition: copies for the minimum, then optional copies or a loop.
    fn repeat(
        &mut self,
        body: &Node,
        minimum: u32,
        maximum: Option<u32>,
        items: &mut Vec<Item>,
    ) -> Result<(), RegexError> {
        if minimum == 0 {
            return self.or_nothing(items, |this, inner| this.repeat(body, 1, maximum, inner));
        }
        for _ in 1..minimum {
            self.node(body, items)?;
        }
        let Some(maximum) = maximum else {
            return self.repeat_loop(body, items);
        };
        for _ in minimum..maximum {
            self.or_nothing(items, |this, inner| this.node(body, inner))?;
        }
        self.node(body, items)
    }
}
