//! Drawings of schedules: slot occupancy, overlap of iterations, bounds of the interval, and the
//! iteration that occupies each ring slot.
//!
//! [`LoopReport`] is the data; [`text::render`] draws it for a terminal, [`svg::render`] as one
//! image, [`html::render`] as a self-contained page. All three are pure functions of the data, so
//! the same schedule always gives the same bytes. With a [`executed::TimedRun`] they also show what was
//! executed.

pub(crate) mod drawing;
pub mod executed;
pub mod html;
pub mod output;
pub(crate) mod page;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;

/// A lower bound of the initiation interval.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Name, such as `resource`.
    pub name: String,
    /// Cycles.
    pub cycles: u32,
    /// A short description of the bound.
    pub meaning: String,
}

/// A slot that an operation holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hold {
    /// Index into [`LoopReport::slots`].
    pub slot: usize,
    /// Cycles from the start.
    pub duration: u32,
}

/// An operation of the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedOperation {
    /// Name without the dialect prefix.
    pub name: String,
    /// Stage.
    pub stage: u32,
    /// Order within the stage.
    pub order: u32,
    /// Start cycle in the first iteration.
    pub start: i64,
    /// Cycles until the result can be read.
    pub latency: u32,
    /// The slots it holds.
    pub holds: Vec<Hold>,
}

impl ReportedOperation {
    /// The cycles drawn: until its result is available and no slot is held, at least one.
    pub fn length(&self) -> u32 {
        let held = self.holds.iter().map(|hold| hold.duration).max();
        self.latency.max(held.unwrap_or(0)).max(1)
    }
}

/// A ring that connects agents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedRing {
    /// Name, such as `Pipe_0`.
    pub name: String,
    /// Slots.
    pub slots: u32,
    /// Bytes from one slot to the next.
    pub slot_bytes: u64,
    /// Location, such as `smem 0`.
    pub place: String,
    /// First cycle of the first write, and the cycle after the last read, in the first iteration.
    pub busy: (i64, i64),
}

/// The data for the drawings of one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopReport {
    /// Title of the loop.
    pub title: String,
    /// Line and column of the loop, as in [`executed::TimedLoop::place`].
    pub place: String,
    /// What a timed run took in each agent; empty without one.
    pub executed: String,
    /// Initiation interval, in cycles, at least 1.
    pub interval: u32,
    /// Stages.
    pub stages: u32,
    /// The generator of the schedule.
    pub generator: String,
    /// Whether the interval is proven minimal.
    pub proven: bool,
    /// The lower bounds.
    pub bounds: Vec<Bound>,
    /// Names of the slots that are used.
    pub slots: Vec<String>,
    /// The operations, in program order.
    pub operations: Vec<ReportedOperation>,
    /// The rings.
    pub rings: Vec<ReportedRing>,
    /// Bytes of shared memory used and available.
    pub memory: Option<(u64, u64)>,
}

/// A segment of a row of the reservation table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reservation {
    /// Index into [`LoopReport::slots`].
    pub slot: usize,
    /// Index into [`LoopReport::operations`].
    pub operation: usize,
    /// First cycle, modulo the interval.
    pub from: u32,
    /// The cycle after the last, at most the interval.
    pub to: u32,
}

impl LoopReport {
    /// Cycle at which an iteration completes, counted from its start.
    pub fn length(&self) -> i64 {
        let ends = self
            .operations
            .iter()
            .map(|op| op.start.saturating_add(i64::from(op.length())));
        ends.max().unwrap_or(0).max(1)
    }

    /// The share of the interval for which a slot is held; `None` if it is not used.
    pub fn utilisation(&self, slot: &str) -> Option<f64> {
        let slot = self.slots.iter().position(|name| name == slot)?;
        let held = self.reservations().into_iter();
        let held = held.filter(|piece| piece.slot == slot);
        let cycles: u32 = held.map(|piece| piece.to - piece.from).sum();
        Some(f64::from(cycles) / f64::from(self.interval.max(1)))
    }

    /// The number of iterations drawn: fill, one more full interval, drain.
    pub fn iterations_drawn(&self) -> u32 {
        const MOST: u32 = 12;
        (self.stages.max(1) + 2).clamp(3, MOST)
    }

    /// The number of iterations drawn with the rings: enough to fill every slot of the deepest ring
    /// and reuse one.
    pub fn iterations_of_rings(&self) -> u32 {
        let deepest = self.rings.iter().map(|ring| ring.slots).max();
        self.iterations_drawn()
            .max(deepest.unwrap_or(1).min(16) + 1)
    }

    /// The cycles from the start of the first iteration to the end of the last, including the ring
    /// slots held for it.
    pub fn cycles_drawn(&self, iterations: u32) -> i64 {
        let last = i64::from(iterations.saturating_sub(1)) * i64::from(self.interval);
        let rings = self.rings.iter().map(|ring| ring.busy.1);
        let end = rings.max().unwrap_or(0).max(self.length());
        last.saturating_add(end)
    }

    /// The cycles `[0, prologue)` in which the pipeline fills, and the first cycle of its drain,
    /// for this number of iterations.
    pub fn phases(&self, iterations: u32) -> (i64, i64) {
        let interval = i64::from(self.interval);
        let fill = i64::from(self.stages.max(1) - 1) * interval;
        (fill, i64::from(iterations) * interval)
    }

    /// The reservation table: segments that wrap around the interval are split in two. An operation
    /// that holds a slot longer than the interval fills the row.
    pub fn reservations(&self) -> Vec<Reservation> {
        let interval = self.interval.max(1);
        let mut table = Vec::new();
        for (operation, op) in self.operations.iter().enumerate() {
            let row = op.start.rem_euclid(i64::from(interval));
            let row = u32::try_from(row).unwrap_or(0);
            for hold in &op.holds {
                let duration = hold.duration.min(interval);
                let end = row + duration;
                let mut add = |from: u32, to: u32| {
                    if from < to {
                        let slot = hold.slot;
                        table.push(Reservation {
                            slot,
                            operation,
                            from,
                            to,
                        });
                    }
                };
                add(row, end.min(interval));
                add(0, end.saturating_sub(interval));
            }
        }
        table.sort_by_key(|piece| (piece.slot, piece.from, piece.operation));
        table
    }

    /// The letter of an operation: A to Z, then a to z, then numbers.
    pub fn letter(operation: usize) -> String {
        let letters = ('A'..='Z').chain('a'..='z');
        letters
            .into_iter()
            .nth(operation)
            .map_or_else(|| operation.to_string(), String::from)
    }
}

/// The labelled cycles of an axis over `[0, cycles]`, about `most` of them: ends and even fractions
/// of intervals, or round numbers where an interval has no even fractions.
pub(crate) fn ticks(cycles: i64, interval: u32, most: i64) -> Vec<i64> {
    let (cycles, interval) = (cycles.max(1), i64::from(interval.max(1)));
    let most = most.max(1);
    let mut step = interval;
    while cycles / step > most {
        step = step.saturating_mul(2);
    }
    while step % 2 == 0 && step <= interval && cycles / (step / 2) <= most {
        step /= 2;
    }
    if cycles <= interval && cycles / step < 4.min(cycles) {
        step = round_step(cycles, most);
    }
    let mut ticks: Vec<i64> = (0..=most)
        .map(|tick| tick.saturating_mul(step))
        .take_while(|tick| *tick <= cycles)
        .collect();
    // The end has a label; a label too close to it is removed.
    if ticks.last().is_some_and(|last| *last < cycles) {
        if ticks
            .last()
            .is_some_and(|last| (cycles - last) * 3 < step * 2)
        {
            ticks.pop();
        }
        ticks.push(cycles);
    }
    ticks
}

/// The least of 1, 2, 5, 10, 20, … of which at most `most` fit.
fn round_step(cycles: i64, most: i64) -> i64 {
    let mut decade = 1i64;
    loop {
        for digit in [1, 2, 5] {
            let step = decade.saturating_mul(digit);
            if cycles / step <= most || step == i64::MAX {
                return step;
            }
        }
        decade = decade.saturating_mul(10);
    }
}
