//! How much hoisting from a block may cost, and whether it pays.

use orison_ori::knobs::Knobs;

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
        let early = self.pass_id == 0;
        let scale = knobs.number("HoistConservativeScale").max(1.0);
        let budget = match (self.is_innermost, self.place) {
            (true, Place::Always | Place::BackEdge(_)) if early => 200.0,
            (true, Place::Always | Place::BackEdge(_)) => 300.0,
            (true, _) => number(knobs, "HoistLoopInvBudget", early),
            (false, _) => match knobs.number("HoistBudget") {
                unlimited if unlimited <= 0.0 => f64::INFINITY,
                budget => budget,
            },
        };
        let mut budget = if self.pass_id == 3 {
            budget * 100.0
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
    number(knobs, "NestedHoistInnerThreshold", pass_id == 0)
}

/// A knob whose default depends on the pass: 22 in the first, 100 in the others.
fn number(knobs: &Knobs, name: &str, early: bool) -> f64 {
    match knobs.number(name) {
        unset if unset <= 0.0 => [100.0, 22.0][usize::from(early)],
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
    if is_long_latency { 1.0 } else { 30.0 }
}

impl Counts {
    /// The two sides of the comparison: it pays if the first is not less than the second.
    ///
    /// `weights` are those of the instructions of the loop: of the header, and of its other blocks.
    pub fn sides(&self, site: &Site, weights: [f64; 2], knobs: &Knobs) -> [f64; 2] {
        let early = site.pass_id == 0;
        let [load, divisor] = match (self.has_long_latency, early) {
            (true, true) => [60.0, 5.0],
            (true, false) => [150.0, 5.0],
            (false, true) => [12.0, 1.0],
            (false, false) => [30.0, 1.0],
        };
        let weight_of_move = knobs.number("MovWeightForSinkingHoisting");
        let others = (self.others - self.moves) as f64 + self.moves as f64 * weight_of_move;
        let score = self.loads as f64 * load + others;
        let [header, body] = weights;
        let size = match early {
            true => self.size as f64,
            false => body / 3.0 + header,
        };
        let gain = match site.budget(knobs) {
            budget if budget.is_infinite() => f64::INFINITY,
            budget => score * budget / (divisor * size.max(1.0)),
        };
        [gain, f64::from(self.registers)]
    }
}
