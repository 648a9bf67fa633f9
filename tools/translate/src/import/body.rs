//! The statements of a function as blocks of instructions.

use std::collections::HashMap;

use crate::ptx::ast::{Instruction, Statement, StatementKind};
use crate::ptx::{Error, Place};

/// Instructions without a jump but at the end.
#[derive(Debug, Default)]
pub(super) struct Block<'a> {
    /// Instructions with their places.
    pub instructions: Vec<(Place, &'a Instruction<'a>)>,
    /// How it ends.
    pub end: End<'a>,
    /// Where it ends.
    pub end_place: Place,
}

/// How a block ends.
#[derive(Clone, Debug, Default)]
pub(super) enum End<'a> {
    /// The thread or function ends.
    #[default]
    Return,
    /// Goes on at a block.
    Jump(usize),
    /// Goes on at the first block where the predicate (inverted if true) holds, else at the second.
    Branch(bool, &'a str, usize, usize),
    /// Goes on at the block with the number in a register.
    Indexed(&'a str, Vec<usize>),
}

/// The blocks of a function, the entry first.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub blocks: Vec<Block<'a>>,
}

impl End<'_> {
    /// The blocks it may go on at; one may stand twice.
    pub fn successors(&self) -> Vec<usize> {
        match self {
            End::Return => Vec::new(),
            End::Jump(target) => vec![*target],
            End::Branch(_, _, then, otherwise) => vec![*then, *otherwise],
            End::Indexed(_, targets) => targets.clone(),
        }
    }
}

/// A statement that matters here, nested blocks opened.
struct Flat<'a> {
    place: Place,
    /// Number of the `{ … }` around it.
    scope: usize,
    kind: FlatKind<'a>,
}

enum FlatKind<'a> {
    Label(&'a str),
    Instruction(&'a Instruction<'a>),
}

/// The statements of a body one behind the other, and the blocks around each block.
#[derive(Default)]
struct Flattened<'a> {
    statements: Vec<Flat<'a>>,
    /// The scope around each scope; that of the function is around itself.
    around: Vec<usize>,
    tables: HashMap<&'a str, &'a [&'a str]>,
}

impl<'a> Flattened<'a> {
    fn add(&mut self, statements: &'a [Statement<'a>], parent: usize) {
        let scope = self.around.len();
        self.around.push(parent);
        let mut label = "";
        for statement in statements {
            let place = statement.place;
            let mut push = |kind| self.statements.push(Flat { place, scope, kind });
            match &statement.kind {
                StatementKind::Label(name) => {
                    label = name;
                    push(FlatKind::Label(name));
                }
                StatementKind::Instruction(instruction) => push(FlatKind::Instruction(instruction)),
                StatementKind::Targets(".branchtargets", names) => {
                    self.tables.insert(label, names);
                }
                StatementKind::Block(inner) => self.add(inner, scope),
                _ => {}
            }
        }
    }
}

/// Whether an instruction ends a block.
fn ends(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.name, "bra" | "brx" | "ret" | "exit" | "trap")
}

/// Cuts a body into blocks.
///
/// # Errors
/// When a branch names no label, or a label stands twice.
pub(super) fn cut<'a>(statements: &'a [Statement<'a>]) -> Result<Body<'a>, Error> {
    let mut flattened = Flattened::default();
    flattened.add(statements, 0);
    let mut cutter = Cutter {
        blocks: vec![Block::default()],
        labels: HashMap::new(),
        around: flattened.around,
        tables: flattened.tables,
    };
    cutter.place_labels(&flattened.statements)?;
    let mut current = 0;
    let mut open = true;
    for item in &flattened.statements {
        match item.kind {
            FlatKind::Label(name) => {
                let next = cutter.labels[&(item.scope, name)];
                if open && next != current {
                    cutter.blocks[current].end = End::Jump(next);
                }
                (current, open) = (next, true);
            }
            FlatKind::Instruction(instruction) => {
                if !open {
                    // Behind a jump without a label: nothing comes here.
                    current = cutter.new_block();
                    open = true;
                }
                if ends(instruction) {
                    open = cutter.end(&mut current, item, instruction)?;
                } else {
                    let instructions = &mut cutter.blocks[current].instructions;
                    instructions.push((item.place, instruction));
                }
            }
        }
    }
    Ok(Body {
        blocks: cutter.blocks,
    })
}

struct Cutter<'a> {
    blocks: Vec<Block<'a>>,
    /// The blocks of labels, by the scope they stand in.
    labels: HashMap<(usize, &'a str), usize>,
    around: Vec<usize>,
    tables: HashMap<&'a str, &'a [&'a str]>,
}

impl<'a> Cutter<'a> {
    fn new_block(&mut self) -> usize {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    /// Gives each label a block; labels without an instruction between them share one.
    fn place_labels(&mut self, flat: &[Flat<'a>]) -> Result<(), Error> {
        let mut behind_label = false;
        for item in flat {
            match item.kind {
                FlatKind::Label(name) => {
                    let block = if behind_label {
                        self.blocks.len() - 1
                    } else {
                        self.new_block()
                    };
                    behind_label = true;
                    if self.labels.insert((item.scope, name), block).is_some() {
                        let message = format!("label '{name}' stands twice");
                        let place = item.place;
                        return Err(Error { place, message });
                    }
                }
                FlatKind::Instruction(_) => behind_label = false,
            }
        }
        Ok(())
    }

    /// The block of a label, as it is seen from a statement: that of the innermost scope.
    fn target(&self, from: &Flat<'_>, name: &'a str) -> Result<usize, Error> {
        let mut scope = from.scope;
        loop {
            if let Some(block) = self.labels.get(&(scope, name)) {
                return Ok(*block);
            }
            if scope == self.around[scope] {
                return Err(Error {
                    place: from.place,
                    message: format!("label '{name}' is not defined"),
                });
            }
            scope = self.around[scope];
        }
    }

    /// Ends a block; whether the next instruction follows in `current`.
    fn end(
        &mut self,
        current: &mut usize,
        from: &Flat<'a>,
        instruction: &'a Instruction<'a>,
    ) -> Result<bool, Error> {
        use crate::ptx::ast::Expression::Name;
        let place = from.place;
        let name = |number: usize| match instruction.operands.get(number) {
            Some(Name(name)) => Ok(*name),
            _ => Err(Error {
                place,
                message: format!(
                    "expected a name as operand {number} of '{}'",
                    instruction.name
                ),
            }),
        };
        let target = match instruction.name {
            "bra" => Some(self.target(from, name(0)?)?),
            _ => None,
        };
        self.blocks[*current].end_place = place;
        if instruction.name == "brx" {
            let table = name(1)?;
            let labels = self.tables.get(table).copied().ok_or_else(|| Error {
                place,
                message: format!("branch targets '{table}' are not defined"),
            })?;
            let targets: Result<Vec<_>, _> = labels
                .iter()
                .map(|label| self.target(from, label))
                .collect();
            self.blocks[*current].end = End::Indexed(name(0)?, targets?);
            return Ok(false);
        }
        let Some((inverted, predicate)) = instruction.guard else {
            self.blocks[*current].end = target.map_or(End::Return, End::Jump);
            return Ok(false);
        };
        let then = match target {
            Some(target) => target,
            None => self.new_block(),
        };
        let next = self.new_block();
        self.blocks[*current].end = End::Branch(inverted, predicate, then, next);
        *current = next;
        Ok(true)
    }
}

impl Body<'_> {
    /// The blocks that execution may reach, each behind one of its predecessors.
    pub fn reverse_post_order(&self) -> Vec<usize> {
        let mut seen = vec![false; self.blocks.len()];
        let mut order = Vec::new();
        let mut stack = vec![(0, self.blocks[0].end.successors())];
        seen[0] = true;
        while let Some((block, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, self.blocks[next].end.successors()));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}
