//! More predicates or uniform registers than there are, or than a call leaves alone: they are computed again
//! before they are used, or kept in registers of another file.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Use, Value};
use orison_ori::analyses::{RegisterClass, properties};
use orison_ori::operations::moves::{Concat, Extract, Mov, R2ur};
use orison_ori::{MachineOperation, Register};
use rustc_hash::FxHashMap;

use super::calls::Callees;
use super::live::Live;
use super::predicate_words::{select_before, test_before};
use super::register_set::RegisterSet;
use super::residence::{Point, Residence, residence};
use super::units::{Program, UnitId, is_unit};
use crate::ori::functions::{Function, create_before};
use crate::ori::surgery::{SsaRepair, Variable};

/// How many registers fewer than there are it is tried with.
const ROUNDS: u32 = 5;

/// Live uniform registers up to which some live longer instead of predicates.
const MOST_UNIFORM: u32 = 32;

/// The registers of a class.
fn count_of(class: RegisterClass) -> u32 {
    match class {
        RegisterClass::Uniform => 63,
        _ => 7,
    }
}

/// Lowers the number of live values of a class to that of the registers. `None` if that is not
/// possible. Linear in the function for each round; there are at most five.
pub fn lower(
    context: &mut Context,
    function: Function,
    class: RegisterClass,
    callees: &Callees,
) -> Option<()> {
    let count = count_of(class);
    for registers in (0..ROUNDS).map(|fewer| count - fewer) {
        let flow = ControlFlowGraph::of(context, function.body);
        let program = Program::of(context, &flow, callees);
        let live = Live::of(&program, &flow);
        let pressure = live.pressure(&program, &flow);
        if pressure[class as usize] <= count {
            return Some(());
        }
        let pinned = vec![false; program.units.len()];
        let usable = RegisterSet::below(registers);
        let found = residence((&program, &live), &flow, class, usable, &pinned)?;
        let mut writer = Writer {
            context,
            flow: &flow,
            program: &program,
            live: &live,
            class,
            last_uses: last_uses(&program),
            places: program
                .instructions
                .iter()
                .map(|found| found.op)
                .zip(0..)
                .collect(),
            words: FxHashMap::default(),
            keeps_uniform: class == RegisterClass::Predicate
                && pressure[RegisterClass::Uniform as usize] <= MOST_UNIFORM,
        };
        writer.write(&found);
    }
    None
}

/// The last instruction of each block that reads a unit.
fn last_uses(program: &Program) -> FxHashMap<(u32, UnitId), u32> {
    let mut uses = FxHashMap::default();
    for (number, block) in (0..).zip(&program.blocks) {
        for at in block.instructions.clone() {
            for tuple in program.instructions[at as usize].uses.clone() {
                for unit in program.members(tuple) {
                    uses.insert((number, *unit), at);
                }
            }
        }
    }
    uses
}

struct Writer<'a> {
    context: &'a mut Context,
    flow: &'a ControlFlowGraph,
    program: &'a Program,
    live: &'a Live,
    class: RegisterClass,
    last_uses: FxHashMap<(u32, UnitId), u32>,
    /// The places of operations: what was made meanwhile has none.
    places: FxHashMap<Operation, u32>,
    /// The values of other files that values are kept in.
    words: FxHashMap<UnitId, Value>,
    /// Whether uniform registers may be live longer, so that what reads them is computed again.
    keeps_uniform: bool,
}

impl Writer<'_> {
    fn write(&mut self, found: &Residence) {
        let mut by_unit: FxHashMap<UnitId, Vec<Point>> = FxHashMap::default();
        for (point, unit) in &found.reloads {
            // All parts of a value come back together.
            let first = unit - self.program.units[*unit as usize].part;
            let points = by_unit.entry(first).or_default();
            if !points.contains(point) {
                points.push(*point);
            }
        }
        let mut units: Vec<UnitId> = by_unit.keys().copied().collect();
        units.sort_unstable();
        let homes = self.homes();
        let mut repair = SsaRepair::new(self.flow);
        let mut replaced = Vec::new();
        for unit in units {
            let points = &by_unit[&unit];
            let made: Vec<(Point, Value)> = points
                .iter()
                .filter_map(|point| Some((*point, self.bring_back(unit, *point)?)))
                .collect();
            self.rename(unit, &made, homes[unit as usize], &mut repair);
            replaced.push(self.program.units[unit as usize].value);
        }
        repair.finish(self.context);
        // What is computed again everywhere is not needed where it was.
        for value in replaced {
            let Some(op) = value.defining_op(self.context) else {
                continue;
            };
            if op.is_unused(self.context) && properties::is_removable(self.context, op) {
                op.erase(self.context);
            }
        }
    }

    /// The block that defines each unit, and the place behind which it is defined.
    fn homes(&self) -> Vec<(u32, Option<u32>)> {
        let mut homes = vec![(0, None); self.program.units.len()];
        for (number, block) in (0..).zip(&self.program.blocks) {
            for tuple in block.arguments.clone() {
                for unit in self.program.members(tuple) {
                    homes[*unit as usize] = (number, None);
                }
            }
            for at in block.instructions.clone() {
                for tuple in self.program.instructions[at as usize].defs.clone() {
                    for unit in self.program.members(tuple) {
                        homes[*unit as usize] = (number, Some(at));
                    }
                }
            }
        }
        homes
    }

    /// The operation in front of which a point is, its block and its place.
    fn anchor(&self, point: Point) -> Option<(Operation, u32, u32)> {
        match point {
            Point::Before(at) => {
                let op = self.program.instructions[at as usize].op;
                let block = op
                    .block(self.context)
                    .and_then(|block| self.flow.number(block))?;
                Some((op, block, at))
            }
            Point::End(block) => {
                let op = self.flow.block(block).terminator(self.context)?;
                let end = self.program.blocks[block as usize].instructions.end;
                Some((op, block, end))
            }
        }
    }

    /// Makes a value again at a point.
    fn bring_back(&mut self, unit: UnitId, point: Point) -> Option<Value> {
        let (anchor, block, at) = self.anchor(point)?;
        let value = self.program.units[unit as usize].value;
        if let Some(op) = value.defining_op(self.context)
            && self.can_recompute(op, value, block, at)
            && let Some(copy) = MachineOperation::copy_of(self.context, op)
        {
            let number = value.position(self.context);
            let location = op.location(self.context);
            return Some(
                create_before(self.context, anchor, location, copy).result(self.context, number),
            );
        }
        let word = self.word(unit)?;
        if self.class == RegisterClass::Uniform {
            return self.copied(anchor, word, R2ur::NAME, Register::Ur);
        }
        Some(test_before(self.context, anchor, word, self.is_uniform()))
    }

    /// A copy of a value, or of its two parts, in another file, in front of an operation.
    fn copied(
        &mut self,
        anchor: Operation,
        value: Value,
        copy: &'static str,
        register: Register,
    ) -> Option<Value> {
        let location = anchor.location(self.context);
        let (_, count) = RegisterClass::of(Register::of(self.context, value.ty(self.context))?);
        let context = &mut *self.context;
        let made = |context: &mut Context, op: MachineOperation| {
            create_before(context, anchor, location, op).result(context, 0)
        };
        let copy_of = |value| {
            MachineOperation::new(copy)
                .operand("a", value)
                .result(register)
        };
        if count == 1 {
            return Some(made(context, copy_of(value)));
        }
        let (part, whole) = match register {
            Register::Ur => (Register::R, Register::Ur64),
            _ => (Register::Ur, Register::R64),
        };
        let mut concat = MachineOperation::new(Concat::NAME);
        for word in 0..2 {
            let extract = MachineOperation::new(Extract::NAME).operand("whole", value);
            let extract = extract.number(context, "word", word).result(part);
            let extract = made(context, extract);
            concat = concat.operand("parts", made(context, copy_of(extract)));
        }
        (count == 2).then(|| made(context, concat.result(whole)))
    }

    fn is_uniform(&self) -> bool {
        self.class != RegisterClass::Predicate
    }

    /// Whether an operation can be executed again at a place: its operands are live there anyway, or in uniform registers of
    /// which there are enough.
    fn can_recompute(&self, op: Operation, value: Value, block: u32, at: u32) -> bool {
        let context = &*self.context;
        let mut others = op.results(context).filter(|result| *result != value);
        properties::is_speculatable(context, op)
            && properties::guard(context, op).is_none()
            && others.all(|result| result.is_unused(context))
            && op.operands(context).all(|operand| {
                let units = self.program.units_of(operand).unwrap_or_default();
                units.into_iter().all(|unit| {
                    let unit = self.program.members[unit as usize];
                    is_unit(unit) && (self.is_live(unit, block, at) || self.is_kept(unit))
                })
            })
    }

    /// Whether a unit may live up to where it is read again.
    fn is_kept(&self, unit: UnitId) -> bool {
        let class = self.program.units[unit as usize].class;
        self.keeps_uniform && class == RegisterClass::Uniform
    }

    /// Whether a unit of a file of words is live in front of a place of a block.
    fn is_live(&self, unit: UnitId, block: u32, at: u32) -> bool {
        let class = self.program.units[unit as usize].class;
        let is_word = matches!(class, RegisterClass::General | RegisterClass::Uniform);
        if !is_word || class == self.class {
            return false;
        }
        let outs = &self.live.outs[block as usize];
        let later = outs.binary_search(&unit).is_ok()
            || self
                .last_uses
                .get(&(block, unit))
                .is_some_and(|last| *last >= at);
        let ins = &self.live.ins[block as usize];
        let is_earlier = || {
            let value = self.program.units[unit as usize].value;
            let op = value.defining_op(self.context);
            let place = op.and_then(|op| op.block(self.context));
            let here = self.flow.block(block);
            let anchor = self
                .program
                .instructions
                .get(at as usize)
                .map(|found| found.op);
            let anchor = anchor.filter(|anchor| anchor.block(self.context) == Some(here));
            match (op, anchor) {
                (Some(op), Some(anchor)) if place == Some(here) => {
                    op.is_before_in_block(self.context, anchor)
                }
                (Some(_), None) => place == Some(here),
                (None, _) => value.argument_owner(self.context) == Some(here),
                _ => false,
            }
        };
        later && (ins.binary_search(&unit).is_ok() || is_earlier())
    }

    /// The value that another one is kept in, made where that is defined.
    fn word(&mut self, unit: UnitId) -> Option<Value> {
        if let Some(word) = self.words.get(&unit) {
            return Some(*word);
        }
        let value = self.program.units[unit as usize].value;
        let anchor = match value.defining_op(self.context) {
            Some(op) => op.next(self.context)?,
            None => value.argument_owner(self.context)?.first_op(self.context)?,
        };
        if self.class == RegisterClass::Uniform {
            let word = self.copied(anchor, value, Mov::NAME, Register::R)?;
            self.words.insert(unit, word);
            return Some(word);
        }
        let word = select_before(self.context, anchor, value, self.is_uniform());
        self.words.insert(unit, word);
        Some(word)
    }

    /// Gives the uses of a value the nearest of its definitions.
    fn rename(
        &mut self,
        unit: UnitId,
        made: &[(Point, Value)],
        home: (u32, Option<u32>),
        repair: &mut SsaRepair<'_>,
    ) {
        let value = self.program.units[unit as usize].value;
        let mut variable = Variable::like(self.context, value);
        // By block: the places of definitions and the values, in order.
        let mut places: FxHashMap<u32, Vec<(u32, Value)>> = FxHashMap::default();
        places.entry(home.0).or_default().push((0, value));
        for (point, value) in made {
            if let Some((_, block, at)) = self.anchor(*point) {
                places.entry(block).or_default().push((at, *value));
            }
        }
        for (block, list) in &mut places {
            list.sort_by_key(|(at, _)| *at);
            variable
                .definitions
                .extend(list.last().map(|(_, value)| (*block, *value)));
        }
        let numbers = self.numbers(value);
        let mut pending: Vec<Use> = Vec::new();
        for (usage, block, at) in numbers {
            let list = places.get(&block).into_iter().flatten();
            match list.rev().find(|(place, _)| *place <= at) {
                Some((_, name)) => usage.owner.set_operand(self.context, usage.operand, *name),
                None => pending.push(usage),
            }
        }
        repair.repair(self.context, &variable, &pending);
    }

    /// The uses of a value with their blocks and places; what a branch passes is used at the end.
    fn numbers(&self, value: Value) -> Vec<(Use, u32, u32)> {
        let uses = value.uses(self.context);
        uses.filter_map(|usage| {
            let block = usage.owner.block(self.context)?;
            let block = self.flow.number(block)?;
            let at = *self.places.get(&usage.owner)?;
            let ways = 0..usage.owner.successor_count(self.context);
            let is_passed = ways
                .filter_map(|way| usage.owner.passed_operands(self.context, way))
                .any(|range| range.contains(&usage.operand));
            let at = if is_passed {
                self.program.blocks[block as usize].instructions.end
            } else {
                at
            };
            Some((usage, block, at))
        })
        .collect()
    }
}
