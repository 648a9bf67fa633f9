//! Operations as nodes, and the cycles between them: those of the machine instructions that they become.

use orison_ir::{Context, Operation, Value};
use orison_machine::{Category, Entry, Flag, Pipe};
use orison_ori::Register;
use orison_ori::analyses::properties;
use orison_ori::knobs::Knobs;
use orison_ori::opcodes;
use orison_ori::operations as ori;
use serde::Deserialize;
use std::sync::OnceLock;

use super::Scope;
use crate::dependences::Protection;
use crate::instructions::region::{Event, Node, Temperature};
use crate::instructions::resources::Unit;
use crate::sass::latency::{LatencyModel, Mechanism, Position, TableFile};

/// What stands for an operation that is no instruction in the tables: its result is where its operands are.
const NO_INSTRUCTION: &str = "NOP";

/// An operation as a node.
pub(super) fn node(scope: Scope<'_>, op: Operation) -> Node {
    let Scope { context, model, .. } = scope;
    let entry = opcodes::of(context, op);
    let issued = entry.filter(|entry| is_issued(scope, op, entry));
    let mnemonic = issued.map_or(NO_INSTRUCTION, |entry| entry.mnemonic);
    let (reads, writes) = entry.map_or((&[][..], &[][..]), |entry| (entry.reads, entry.writes));
    let pipe = issued.map_or(Pipe::None, |entry| entry.pipe);
    Node {
        class: model.class_of(mnemonic),
        issue: match issued {
            Some(entry) => model.issue_minimum(entry.opcode).max(1),
            None => 0,
        },
        unit: Unit::of(pipe, &[reads, writes]),
        event: entry.map_or(Event::None, |entry| event(context, op, entry)),
        temperature: Temperature::of(reads, writes),
        reads_constant: op
            .operands(context)
            .any(|value| is_constant(context, value)),
    }
}

/// Whether an operand is in a constant bank.
fn is_constant(context: &Context, value: Value) -> bool {
    let made = value.defining_op(context);
    made.is_some_and(|op| ori::Cbank::of(context, op).is_some())
}

/// Whether an operation becomes an instruction. A move does not if `SchedModelIdentityMove` is 0: registers are
/// allocated so that it is not needed.
fn is_issued(scope: Scope<'_>, op: Operation, entry: &Entry) -> bool {
    let is_move = op.is(scope.context, ori::Mov::NAME) || op.is(scope.context, ori::Umov::NAME);
    !entry.mnemonic.is_empty()
        && properties::is_instruction(scope.context, op)
        && !(is_move && scope.knobs.integer("SchedModelIdentityMove") == 0)
}

fn event(context: &Context, op: Operation, entry: &Entry) -> Event {
    let left = || {
        let count = op.attribute(context, "count")?.as_i64(context)?;
        usize::try_from(count).ok()
    };
    let left = || left().unwrap_or(0);
    if entry.has(Flag::Group) && entry.category == Category::Matrix {
        Event::Product { closes: false }
    } else if op.is(context, ori::WgmmaCommit::NAME) || op.is(context, ori::WarpgroupCommit::NAME) {
        Event::Product { closes: true }
    } else if op.is(context, ori::WgmmaWait::NAME) || op.is(context, ori::WarpgroupWait::NAME) {
        Event::AwaitProducts { left: left() }
    } else if op.is(context, ori::Ldgdepbar::NAME) {
        Event::CloseCopies
    } else if op.is(context, ori::Depbar::NAME) {
        Event::AwaitCopies { left: left() }
    } else {
        Event::None
    }
}

/// The cycles from what makes a value to what reads it as an operand, and what signals that it is there. `None` for
/// the reader: any.
pub(super) fn of_value(
    scope: Scope<'_>,
    from: &Node,
    value: Value,
    reader: Option<(&Node, Operation, usize)>,
) -> (u32, Protection) {
    if from.issue == 0 {
        return (0, Protection::Time);
    }
    let class = scope.model.class(from.class);
    match class.mechanism {
        Mechanism::Variable => (1, Protection::Results),
        Mechanism::TensorGroup => (1, Protection::Group),
        Mechanism::None => (1, Protection::Time),
        Mechanism::Fixed => {
            let cycles = match reader.filter(|(node, ..)| node.issue > 0) {
                Some((node, op, number)) => {
                    let file = file(scope.context, value);
                    let column = class.write_column(file, 0);
                    let position = position(scope.context, op, number);
                    let row = scope.model.class(node.class).read_row(file, position);
                    scope.model.read_after_write(file, column, row)
                }
                None => scope.model.result_cycles(from.class),
            };
            (cycles.max(1), Protection::Time)
        }
    }
}

/// The cycles between operations that stay in order for other reasons than values.
pub(super) fn of_order(scope: Scope<'_>, from: Operation) -> u32 {
    let entry = opcodes::of(scope.context, from);
    let synchronizes = entry.is_some_and(|entry| entry.has(Flag::Barrier));
    let cycles = scope.knobs.integer("SchedSyncsLatency");
    match u32::try_from(cycles) {
        Ok(cycles) if synchronizes => cycles.max(1),
        _ => 1,
    }
}

fn file(context: &Context, value: Value) -> TableFile {
    match Register::of(context, value.ty(context)) {
        Some(Register::P) => TableFile::Predicate,
        Some(Register::Up) => TableFile::UniformPredicate,
        Some(Register::Ur | Register::Ur64) => TableFile::Uniform,
        _ => TableFile::General,
    }
}

/// Where an instruction reads an operand.
fn position(context: &Context, op: Operation, number: usize) -> Position {
    let value = op.operand(context, number);
    let is_address = || op.operands_named(context, "address").contains(&value);
    let guard = properties::guard_operand(context, op);
    if guard == Some(number) {
        Position::Other
    } else if is_address() {
        Position::Address
    } else {
        Position::Source(u8::try_from(number).unwrap_or(u8::MAX), 0)
    }
}

/// A knob that sets cycles of instructions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    knob: String,
    #[serde(default)]
    mnemonics: Vec<String>,
    #[serde(default)]
    pipes: Vec<Pipe>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Adjustments {
    latency: Vec<Row>,
    busy: Vec<Row>,
}

/// # Panics
/// Panics if the embedded file is malformed: a bug, which every test of the pass shows.
fn adjustments() -> &'static Adjustments {
    static ROWS: OnceLock<Adjustments> = OnceLock::new();
    ROWS.get_or_init(|| match toml::from_str(include_str!("adjustments.toml")) {
        Ok(rows) => rows,
        Err(error) => panic!("adjustments.toml: {error}"),
    })
}

/// The model with the latencies and the busy cycles that knobs set; `None` if none does.
pub fn adjusted_model(model: &LatencyModel, knobs: &Knobs) -> Option<LatencyModel> {
    let Adjustments { latency, busy } = adjustments();
    let set = |row: &Row| u32::try_from(knobs.integer(&row.knob)).ok();
    let mut changed: Option<LatencyModel> = None;
    for (rows, is_busy) in [(latency, false), (busy, true)] {
        for row in rows {
            let Some(cycles) = set(row) else { continue };
            let own = changed.get_or_insert_with(|| model.clone());
            for mnemonic in row.mnemonics() {
                own.set_cycles(mnemonic, cycles, is_busy);
            }
        }
    }
    for knob in ["SchedResBusyOp", "SchedResBusyMachineOpcode"] {
        let text = knobs.text(knob);
        for pair in text.split(';') {
            if let Some((mnemonic, cycles)) = pair.split_once([',', ':'])
                && let Ok(cycles) = cycles.trim().parse()
            {
                let own = changed.get_or_insert_with(|| model.clone());
                own.set_cycles(mnemonic.trim(), cycles, true);
            }
        }
    }
    changed
}

impl Row {
    fn mnemonics(&self) -> impl Iterator<Item = &str> {
        let named = self.mnemonics.iter().map(String::as_str);
        let rows = orison_machine::Entry::all().iter();
        let of_pipes = rows.filter(|entry| self.pipes.contains(&entry.pipe));
        named.chain(of_pipes.map(|entry| entry.mnemonic))
    }
}
