//! The statements of a function, split into basic blocks.

use std::collections::HashMap;

use super::registers::Registers;
use crate::ptx::ast::{Instruction, Loc, Prototype, Statement, StatementKind};
use crate::ptx::{Error, Place};

/// A basic block: instructions without a jump except at the end.
#[derive(Debug, Default)]
pub(super) struct Block<'a> {
    /// The instructions.
    pub steps: Vec<Step<'a>>,
    /// Its terminator.
    pub end: End<'a>,
    /// The location of the terminator.
    pub end_place: Place,
    /// The scope of the terminator.
    pub end_scope: usize,
    /// The `.loc` before the terminator.
    pub end_line: Option<usize>,
    /// The strings of `.pragma` in it.
    pub pragmas: Vec<&'a str>,
    /// Whether the branch at its end is `.uni`: all threads of the warp take the same way.
    pub is_uniform: bool,
}

/// An instruction of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    /// Its location.
    pub place: Place,
    /// Its location in the lines of ptxas.
    pub told: Place,
    /// The index of its scope.
    pub scope: usize,
    /// The index of the preceding `.loc`.
    pub line: Option<usize>,
    /// The instruction.
    pub instruction: &'a Instruction<'a>,
    /// Whether the block is entered only if the guard holds.
    pub is_branched: bool,
}

impl<'a> Step<'a> {
    /// The guard, unless a branch already implements it: whether it is inverted, and the predicate.
    pub fn guard(&self) -> Option<(bool, &'a str)> {
        self.instruction.guard.filter(|_| !self.is_branched)
    }
}

/// The terminator of a block.
#[derive(Clone, Debug, Default)]
pub(super) enum End<'a> {
    /// Returns from the function; ends the thread in a kernel.
    #[default]
    Return,
    /// The thread ends.
    Exit,
    /// The launch ends with an error.
    Trap,
    /// Continues at a block.
    Jump(usize),
    /// Continues at the first block if the predicate (inverted if true) holds, else at the second.
    Branch(bool, &'a str, usize, usize),
    /// Continues at the block with the index in a register.
    Indexed(&'a str, Vec<usize>),
}

/// A table after a label.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table<'a> {
    /// `.branchtargets` or `.calltargets`.
    Targets(&'a [&'a str]),
    /// `.callprototype`.
    Prototype(&'a Prototype<'a>),
}

/// The tables of a function, by scope, and the parent scopes.
#[derive(Debug, Default)]
pub(super) struct Tables<'a> {
    tables: HashMap<(usize, &'a str), Table<'a>>,
    /// The parent of each scope; that of the function is its own parent.
    around: Vec<usize>,
}

impl<'a> Tables<'a> {
    /// The table with a label, as visible from a scope.
    pub fn find(&self, scope: usize, label: &'a str) -> Option<Table<'a>> {
        find_in(&self.tables, &self.around, scope, label).copied()
    }
}

/// Looks a name up from the innermost scope outward.
fn find_in<'m, 'a, T>(
    map: &'m HashMap<(usize, &'a str), T>,
    around: &[usize],
    mut scope: usize,
    name: &'a str,
) -> Option<&'m T> {
    loop {
        if let Some(found) = map.get(&(scope, name)) {
            return Some(found);
        }
        if scope == around[scope] {
            return None;
        }
        scope = around[scope];
    }
}

/// The blocks of a function, the entry first.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub blocks: Vec<Block<'a>>,
    /// Tables at labels of data.
    pub tables: Tables<'a>,
    /// The `.loc` lines.
    pub lines: Vec<(Place, &'a Loc<'a>)>,
}

impl End<'_> {
    /// The successor blocks; one may occur twice.
    pub fn successors(&self) -> Vec<usize> {
        match self {
            End::Return | End::Exit | End::Trap => Vec::new(),
            End::Jump(target) => vec![*target],
            End::Branch(_, _, then, otherwise) => vec![*then, *otherwise],
            End::Indexed(_, targets) => targets.clone(),
        }
    }
}

impl<'a> End<'a> {
    /// The registers it reads.
    pub fn reads(&self, registers: &mut Registers<'a>, scope: usize) -> Vec<usize> {
        match self {
            End::Branch(_, name, ..) | End::Indexed(name, _) => {
                registers.number(scope, name).into_iter().collect()
            }
            End::Return => registers.results.clone(),
            End::Exit | End::Trap | End::Jump(_) => Vec::new(),
        }
    }
}

/// A relevant statement, with nested blocks flattened.
struct Flat<'a> {
    place: Place,
    /// The location in the lines of ptxas.
    told: Place,
    /// Index of the enclosing `{ … }`.
    scope: usize,
    /// Index of the preceding `.loc`.
    line: Option<usize>,
    kind: FlatKind<'a>,
}

enum FlatKind<'a> {
    Label(&'a str),
    Instruction(&'a Instruction<'a>),
    Pragma(&'a [&'a str]),
}

/// The flattened statements of a body.
#[derive(Default)]
struct Flattened<'a> {
    statements: Vec<Flat<'a>>,
    tables: Tables<'a>,
    lines: Vec<(Place, &'a Loc<'a>)>,
}

impl<'a> Flattened<'a> {
    fn add(&mut self, statements: &'a [Statement<'a>], parent: usize) {
        let scope = self.tables.around.len();
        self.tables.around.push(parent);
        let mut label = "";
        for (number, statement) in statements.iter().enumerate() {
            let place = statement.place;
            let line = self.lines.len().checked_sub(1);
            let mut push = |kind| {
                self.statements.push(Flat {
                    place,
                    told: told_place(statement),
                    scope,
                    line,
                    kind,
                });
            };
            let mut table = |table| self.tables.tables.insert((scope, label), table);
            match &statement.kind {
                StatementKind::Label(name) => {
                    label = name;
                    let behind = statements.get(number + 1).map(|next| &next.kind);
                    // The label of a table is not a branch target.
                    if !matches!(
                        behind,
                        Some(StatementKind::Prototype(_) | StatementKind::Targets(..))
                    ) {
                        push(FlatKind::Label(name));
                    }
                }
                StatementKind::Instruction(instruction) => push(FlatKind::Instruction(instruction)),
                StatementKind::Targets(_, names) => {
                    table(Table::Targets(names));
                }
                StatementKind::Prototype(prototype) => {
                    table(Table::Prototype(prototype));
                }
                StatementKind::Block(inner) => self.add(inner, scope),
                StatementKind::Pragma(texts) => push(FlatKind::Pragma(texts)),
                StatementKind::Loc(line) => self.lines.push((place, line)),
                _ => {}
            }
        }
    }
}

/// Where ptxas says that a statement is, if that is on another line than its first token.
fn told_place(statement: &Statement<'_>) -> Place {
    let told = match &statement.kind {
        StatementKind::Instruction(instruction) => instruction.told_place(),
        _ => statement.place,
    };
    if told.line == statement.place.line {
        statement.place
    } else {
        told
    }
}

/// Whether an instruction ends a block.
fn ends(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.name, "bra" | "brx" | "ret" | "exit" | "trap")
}

/// Splits a body into blocks.
///
/// # Errors
/// If a branch refers to an undefined label, or a label is defined twice.
pub(super) fn cut<'a>(statements: &'a [Statement<'a>]) -> Result<Body<'a>, Error> {
    let mut flattened = Flattened::default();
    flattened.add(statements, 0);
    let mut cutter = Cutter {
        blocks: vec![Block::default()],
        labels: HashMap::new(),
        tables: flattened.tables,
        conditional: None,
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
                cutter.invert_over(current, next);
                (current, open) = (next, true);
            }
            FlatKind::Pragma(texts) => cutter.blocks[current].pragmas.extend(texts),
            FlatKind::Instruction(instruction) => {
                if !open {
                    // After a jump without a label: unreachable.
                    current = cutter.new_block();
                    open = true;
                }
                if ends(instruction) {
                    open = cutter.end(&mut current, item, instruction)?;
                } else if instruction.name == "call" && instruction.guard.is_some() {
                    cutter.branch_to_call(&mut current, item, instruction);
                } else {
                    cutter.push(current, item, instruction, false);
                }
            }
        }
    }
    Ok(Body {
        blocks: cutter.blocks,
        tables: cutter.tables,
        lines: flattened.lines,
    })
}

struct Cutter<'a> {
    blocks: Vec<Block<'a>>,
    /// The blocks of labels, by scope.
    labels: HashMap<(usize, &'a str), usize>,
    tables: Tables<'a>,
    /// The block of the last conditional branch.
    conditional: Option<usize>,
}

impl<'a> Cutter<'a> {
    /// Inverts the last conditional branch if it leads to a label over a block that only branches
    /// back, and that is the last one: this is how a compiler without fallthrough writes a loop.
    fn invert_over(&mut self, last: usize, label: usize) {
        let jump = &self.blocks[last];
        // The blocks of labels are numbered in the order of the text.
        let back = matches!(jump.end, End::Jump(target) if target < label);
        if !back || !jump.steps.is_empty() {
            return;
        }
        let Some(branch) = self.conditional else {
            return;
        };
        if let End::Branch(inverted, predicate, then, next) = self.blocks[branch].end
            && (then, next) == (label, last)
        {
            self.blocks[branch].end = End::Branch(!inverted, predicate, next, then);
        }
    }

    fn new_block(&mut self) -> usize {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    fn push(
        &mut self,
        block: usize,
        from: &Flat<'a>,
        instruction: &'a Instruction<'a>,
        is_branched: bool,
    ) {
        self.blocks[block].steps.push(Step {
            place: from.place,
            told: from.told,
            scope: from.scope,
            line: from.line,
            instruction,
            is_branched,
        });
        self.end_here(block, from);
    }

    /// A guarded call in a separate block: calls have no guard.
    fn branch_to_call(
        &mut self,
        current: &mut usize,
        from: &Flat<'a>,
        instruction: &'a Instruction<'a>,
    ) {
        let Some((inverted, predicate)) = instruction.guard else {
            return;
        };
        let (call, next) = (self.new_block(), self.new_block());
        self.blocks[*current].end = End::Branch(inverted, predicate, call, next);
        self.end_here(*current, from);
        self.push(call, from, instruction, true);
        self.blocks[call].end = End::Jump(next);
        *current = next;
    }

    /// Assigns each label a block; labels without an instruction between them share one.
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
                        let message = format!("label '{name}' is defined twice");
                        let place = item.place;
                        return Err(Error { place, message });
                    }
                }
                FlatKind::Instruction(_) => behind_label = false,
                FlatKind::Pragma(_) => {}
            }
        }
        Ok(())
    }

    /// The block of a label, as visible from a statement: that of the innermost scope.
    fn target(&self, from: &Flat<'_>, name: &'a str) -> Result<usize, Error> {
        let found = find_in(&self.labels, &self.tables.around, from.scope, name);
        found.copied().ok_or_else(|| Error {
            place: from.place,
            message: format!("label '{name}' is not defined"),
        })
    }

    /// The successor blocks of `brx`.
    fn table_targets(&self, from: &Flat<'a>, table: &'a str) -> Result<Vec<usize>, Error> {
        let Some(Table::Targets(labels)) = self.tables.find(from.scope, table) else {
            return Err(Error {
                place: from.place,
                message: format!("branch targets '{table}' are not defined"),
            });
        };
        let targets = labels.iter().map(|label| self.target(from, label));
        targets.collect()
    }

    /// Records the location of a block's end.
    fn end_here(&mut self, block: usize, from: &Flat<'a>) {
        let block = &mut self.blocks[block];
        (block.end_place, block.end_scope, block.end_line) = (from.told, from.scope, from.line);
    }

    /// Ends a block; returns whether the next instruction continues in `current`.
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
                message: format!("operand {number} of '{}' must be a name", instruction.name),
            }),
        };
        let last = match instruction.name {
            "bra" => End::Jump(self.target(from, name(0)?)?),
            "brx" => End::Indexed(name(0)?, self.table_targets(from, name(1)?)?),
            "exit" => End::Exit,
            "trap" => End::Trap,
            _ => End::Return,
        };
        self.end_here(*current, from);
        self.blocks[*current].is_uniform = instruction.modifiers.contains(&".uni");
        let Some((inverted, predicate)) = instruction.guard else {
            self.blocks[*current].end = last;
            return Ok(false);
        };
        let then = match last {
            End::Jump(target) => target,
            last => {
                let block = self.new_block();
                self.end_here(block, from);
                self.blocks[block].end = last;
                block
            }
        };
        let next = self.new_block();
        self.blocks[*current].end = End::Branch(inverted, predicate, then, next);
        self.conditional = Some(*current);
        *current = next;
        Ok(true)
    }
}

impl Body<'_> {
    /// The reachable blocks, each after one of its predecessors.
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
