//! How much hoisting from a block may cost, and whether it pays.

use std::sync::OnceLock;

use orison_ori::knobs::Knobs;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    early: Phase,
    late: Phase,
    last: Last,
    size: Size,
}

/// The numbers of the first pass, or of the later ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phase {
    every_iteration: f64,
    default: f64,
    far: Reads,
    near: Reads,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reads {
    load: f64,
    divisor: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Last {
    factor: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Size {
    far: f64,
    near: f64,
    outside_of_header: f64,
}

/// The table of this module.
///
/// # Panics
/// Panics if the embedded file is malformed: a bug, which every test of the pass shows.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| match toml::from_str(include_str!("weights.toml")) {
        Ok(table) => table,
        Err(error) => panic!("weights.toml: {error}"),
    })
}

fn phase(pass_id: i64) -> &'static Phase {
    match pass_id {
        0 => &table().early,
        _ => &table().late,
    }
}

/// How often a block is executed in an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Once.
    Always,
    /// One of several blocks with a back edge.
    BackEdge(usize),
    /// Perhaps not.
    Sometimes,
    /// Often: it is in an inner loop.
    Inner,
}

/// What the budget of a block depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// The number of the pass.
    pub pass_id: i64,
    /// Whether the loop has no inner loops.
    pub is_innermost: bool,
    /// The block.
    pub place: Place,
    /// The part of the loop that texture reads are, if one of them is to be hoisted.
    pub textures: Option<f64>,
}

impl Site {
    /// The budget; infinite if there is no limit.
    ///
    /// The listing of the page calls blocks by a `hoist_mode`; which of them is executed when was
    /// measured (docs/loops.md).
    pub fn budget(&self, knobs: &Knobs) -> f64 {
        let phase = phase(self.pass_id);
        let scale = knobs.number("HoistConservativeScale").max(1.0);
        let budget = match (self.is_innermost, self.place) {
            (true, Place::Always | Place::BackEdge(_)) => phase.every_iteration,
            (true, _) => number(knobs, "HoistLoopInvBudget", phase),
            (false, _) => match knobs.number("HoistBudget") {
                unlimited if unlimited <= 0.0 => f64::INFINITY,
                budget => budget,
            },
        };
        let mut budget = if self.pass_id == 3 {
            budget * table().last.factor
        } else {
            budget
        };
        match self.place {
            Place::BackEdge(all) => budget /= all.max(1) as f64,
            Place::Inner => budget /= scale,
            Place::Always | Place::Sometimes => {}
        }
        match self.textures {
            Some(part) if part >= knobs.number("HoistTexToInstRatioHigh") => f64::INFINITY,
            Some(part) if part < knobs.number("HoistTexToInstRatioLow") => budget / scale,
            _ => budget,
        }
    }
}

/// The size up to which what an inner loop leaves behind is hoisted from the loop around it.
pub(super) fn inner_limit(knobs: &Knobs, pass_id: i64) -> f64 {
    number(knobs, "NestedHoistInnerThreshold", phase(pass_id))
}

/// A knob whose default depends on the pass.
fn number(knobs: &Knobs, name: &str, phase: &Phase) -> f64 {
    match knobs.number(name) {
        unset if unset <= 0.0 => phase.default,
        set => set,
    }
}

/// The counts of a block, and of what may be hoisted from it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Instructions of the block, with the arguments.
    pub size: usize,
    /// Whether one of them has a long latency.
    pub has_long_latency: bool,
    /// Invariant instructions with a long latency.
    pub loads: usize,
    /// Other invariant instructions.
    pub others: usize,
    /// Those of the others that are copies.
    pub moves: usize,
    /// The registers that would hold results through the loop.
    pub registers: u32,
}

/// The weight of an instruction of a loop.
pub(super) fn loop_weight(is_long_latency: bool) -> f64 {
    let size = &table().size;
    if is_long_latency { size.far } else { size.near }
}

impl Counts {
    /// The two sides of the comparison: it pays if the first is not less than the second.
    ///
    /// `weights` are those of the instructions of the loop: of the header, and of its other blocks.
    pub fn sides(&self, site: &Site, weights: [f64; 2], knobs: &Knobs) -> [f64; 2] {
        let phase = phase(site.pass_id);
        let reads = match self.has_long_latency {
            true => &phase.far,
            false => &phase.near,
        };
        let weight_of_move = knobs.number("MovWeightForSinkingHoisting");
        let others = (self.others - self.moves) as f64 + self.moves as f64 * weight_of_move;
        let score = self.loads as f64 * reads.load + others;
        let [header, body] = weights;
        let size = match site.pass_id {
            0 => self.size as f64,
            _ => body / table().size.outside_of_header + header,
        };
        let gain = match site.budget(knobs) {
            budget if budget.is_infinite() => f64::INFINITY,
            budget => score * budget / (reads.divisor * size.max(1.0)),
        };
        [gain, f64::from(self.registers)]
    }
}
