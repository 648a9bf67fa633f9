//! What was learned, as text for people and as JSON.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use orison_machine::Opcode;
use orison_schedule::sass::evidence::{Armed, Instance, Order, Pairs, is_enough};
use orison_schedule::sass::latency::{Cell, LatencyModel};
use serde::Serialize;

use crate::Learned;
use crate::roles::Kind;

/// All machines.
#[derive(Debug, Serialize)]
pub struct Report {
    machines: Vec<Machine>,
}

#[derive(Debug, Serialize)]
struct Machine {
    machine: String,
    instructions: usize,
    cells: Vec<CellRow>,
    pairs: Vec<PairRow>,
    scoreboards: Vec<ScoreboardRow>,
    orders: Vec<OrderRow>,
    roles: RolesPart,
}

/// Two instructions of real code.
#[derive(Debug, Serialize)]
struct Example {
    from: String,
    to: String,
    place: String,
}

/// The pairs of a cell.
#[derive(Debug, Serialize)]
struct CellRow {
    cell: String,
    /// The cycles of the table; none if no rule has the pair, which then takes one.
    table: Option<u32>,
    least: u32,
    at_least: usize,
    all: usize,
    enough: bool,
    example: Option<Example>,
}

/// The pairs of a cell and two classes.
#[derive(Debug, Serialize)]
struct PairRow {
    producer: String,
    consumer: String,
    cell: String,
    least: u32,
    at_least: usize,
    all: usize,
    example: Option<Example>,
}

#[derive(Debug, Serialize)]
struct ScoreboardRow {
    class: String,
    /// None for all instructions of the class.
    opcode: Option<String>,
    results: ArmedPart,
    operands: ArmedPart,
}

#[derive(Debug, Serialize)]
struct ArmedPart {
    all: usize,
    armed: usize,
}

#[derive(Debug, Serialize)]
struct OrderRow {
    order: &'static str,
    producer: String,
    consumer: String,
    none: usize,
    own: usize,
    other: usize,
    example: Option<Example>,
}

#[derive(Debug, Serialize)]
struct RolesPart {
    compared: usize,
    differences: Vec<DifferenceRow>,
}

#[derive(Debug, Serialize)]
struct DifferenceRow {
    opcode: String,
    kind: Kind,
    count: usize,
    example: String,
}

impl Example {
    fn new(found: &Instance) -> Example {
        Example {
            from: found.from.clone(),
            to: found.to.clone(),
            place: found.place.clone(),
        }
    }

    fn first(pairs: &Pairs) -> Option<Example> {
        pairs.instances.first().map(Example::new)
    }
}

impl Report {
    /// What was learned of each machine, by its name; all rows in an order that does not depend on that
    /// of the files.
    pub fn new(learned: &BTreeMap<String, Learned>) -> Report {
        let known = learned.iter().filter_map(|(name, learned)| {
            let model = LatencyModel::for_target(name)?;
            Some(Machine::new(model, learned))
        });
        Report {
            machines: known.collect(),
        }
    }
}

impl Machine {
    fn new(model: &LatencyModel, learned: &Learned) -> Machine {
        let measured = &learned.measured;
        let differences = learned.roles.differences.iter();
        Machine {
            machine: model.name().to_owned(),
            instructions: measured.instructions,
            cells: cells(model, &measured.cells()),
            pairs: pairs(model, learned),
            scoreboards: scoreboards(model, learned),
            orders: orders(model, learned),
            roles: RolesPart {
                compared: learned.roles.compared,
                differences: differences
                    .map(|((opcode, kind), found)| DifferenceRow {
                        opcode: opcode.clone(),
                        kind: *kind,
                        count: found.count,
                        example: found.example.clone(),
                    })
                    .collect(),
            },
        }
    }
}

fn cells(model: &LatencyModel, measured: &BTreeMap<Cell, Pairs>) -> Vec<CellRow> {
    let of_model = Cell::all(model);
    let row = |(cell, pairs): (&Cell, &Pairs)| CellRow {
        cell: cell.name(model),
        table: of_model.contains(cell).then(|| cell.value(model)),
        least: pairs.least,
        at_least: pairs.at_least,
        all: pairs.all,
        enough: is_enough(model, pairs.least, [pairs.at_least, pairs.all]),
        example: Example::first(pairs),
    };
    measured.iter().map(row).collect()
}

fn pairs(model: &LatencyModel, learned: &Learned) -> Vec<PairRow> {
    let mut sorts: Vec<_> = learned.measured.sorts.iter().collect();
    sorts.sort_by_key(|(sort, _)| **sort);
    let row = |(sort, pairs): (&orison_schedule::sass::evidence::Sort, &Pairs)| {
        let [producer, consumer] = sort.classes.map(|class| model.class(class).name.clone());
        PairRow {
            producer,
            consumer,
            cell: sort.cell.name(model),
            least: pairs.least,
            at_least: pairs.at_least,
            all: pairs.all,
            example: Example::first(pairs),
        }
    };
    sorts.into_iter().map(row).collect()
}

fn scoreboards(model: &LatencyModel, learned: &Learned) -> Vec<ScoreboardRow> {
    let mut by_class: BTreeMap<&str, BTreeMap<Option<&str>, Armed>> = BTreeMap::new();
    for ((class, opcode), armed) in &learned.measured.scoreboards.0 {
        let name = opcode.map_or("(others)", |opcode: Opcode| opcode.row().name);
        let opcodes = by_class.entry(&model.class(*class).name).or_default();
        for row in [None, Some(name)] {
            let sum = opcodes.entry(row).or_default();
            for (sum, more) in [
                (&mut sum.results, armed.results),
                (&mut sum.operands, armed.operands),
            ] {
                sum[0] += more[0];
                sum[1] += more[1];
            }
        }
    }
    let part = |[all, armed]: [usize; 2]| ArmedPart { all, armed };
    let rows = by_class.into_iter().flat_map(|(class, opcodes)| {
        opcodes
            .into_iter()
            .map(move |(opcode, armed)| ScoreboardRow {
                class: class.to_owned(),
                opcode: opcode.map(str::to_owned),
                results: part(armed.results),
                operands: part(armed.operands),
            })
    });
    rows.collect()
}

fn orders(model: &LatencyModel, learned: &Learned) -> Vec<OrderRow> {
    let mut found: Vec<_> = learned.measured.orders.0.iter().collect();
    found.sort_by_key(|(key, _)| **key);
    let class = |class| model.class(class).name.clone();
    let row = |(&(kind, first, second), order): (&(_, _, _), &Order)| {
        let kind: orison_schedule::sass::evidence::OrderKind = kind;
        OrderRow {
            order: kind.name(),
            producer: class(first),
            consumer: class(second),
            none: order.none,
            own: order.own,
            other: order.other,
            example: order.example.as_ref().map(Example::new),
        }
    };
    found.into_iter().map(row).collect()
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.machines
            .iter()
            .try_for_each(|machine| write!(out, "{machine}"))
    }
}

impl Display for Machine {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {} instructions", self.machine, self.instructions)?;
        writeln!(out, "\n  cells: table, least distance, pairs at it of all")?;
        self.cells.iter().try_for_each(|row| write!(out, "{row}"))?;
        writeln!(
            out,
            "\n  pairs of classes: least distance, pairs at it of all"
        )?;
        self.pairs.iter().try_for_each(|row| write!(out, "{row}"))?;
        writeln!(
            out,
            "\n  scoreboards: instructions that arm one of all, for results and operands"
        )?;
        self.scoreboards
            .iter()
            .try_for_each(|row| write!(out, "{row}"))?;
        writeln!(
            out,
            "\n  orders: pairs with no wait in between, for the own scoreboard, for others"
        )?;
        self.orders
            .iter()
            .try_for_each(|row| write!(out, "{row}"))?;
        let RolesPart {
            compared,
            differences,
        } = &self.roles;
        writeln!(
            out,
            "\n  registers of nvdisasm: {compared} instructions compared"
        )?;
        for DifferenceRow {
            opcode,
            kind,
            count,
            example,
        } in differences
        {
            writeln!(out, "    {opcode}: {}: {count}: {example}", kind.name())?;
        }
        writeln!(out)
    }
}

impl Display for Example {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "      {}; {}; {}", self.from, self.to, self.place)
    }
}

fn example(out: &mut Formatter<'_>, example: Option<&Example>) -> fmt::Result {
    example.map_or(Ok(()), |example| write!(out, "{example}"))
}

impl Display for CellRow {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let CellRow {
            cell,
            least,
            at_least,
            all,
            ..
        } = self;
        let table = self.table.map_or("-".to_owned(), |table| table.to_string());
        let verdict = match self.table.unwrap_or(1) {
            table if *least < table => ": nearer than the table",
            table if *least > table && self.enough => ": the table is too low",
            table if *least > table => ": all farther",
            _ => "",
        };
        writeln!(
            out,
            "    {cell}: {table}, {least}, {at_least} of {all}{verdict}"
        )?;
        example(out, self.example.as_ref())
    }
}

impl Display for PairRow {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let PairRow {
            producer,
            consumer,
            cell,
            least,
            at_least,
            all,
            ..
        } = self;
        writeln!(
            out,
            "    {producer} -> {consumer} ({cell}): {least}, {at_least} of {all}"
        )?;
        example(out, self.example.as_ref())
    }
}

impl Display for ArmedPart {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let ArmedPart { all, armed } = self;
        let often = match armed {
            _ if *all == 0 => return write!(out, "none"),
            0 => "never",
            armed if armed == all => "always",
            _ => "sometimes",
        };
        write!(out, "{often} ({armed} of {all})")
    }
}

impl Display for ScoreboardRow {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let ScoreboardRow {
            class,
            opcode,
            results,
            operands,
        } = self;
        match opcode {
            None => write!(out, "    {class}")?,
            Some(opcode) => write!(out, "      {opcode}")?,
        }
        writeln!(out, ": results {results}, operands {operands}")
    }
}

impl Display for OrderRow {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let OrderRow {
            order,
            producer,
            consumer,
            none,
            own,
            other,
            ..
        } = self;
        writeln!(
            out,
            "    {order}: {producer} -> {consumer}: {none}, {own}, {other}"
        )?;
        example(out, self.example.as_ref())
    }
}
