//! Pictures of schedules: what holds which slot when, how iterations overlap, what bounds the
//! interval, which ring slot is busy with which iteration.
//!
//! [`LoopReport`] is the data; [`text::render`] draws it for a terminal, [`svg::render`] as one
//! picture, [`html::render`] as a page that needs nothing else. All three are pure functions of
//! the data, so the same schedule always gives the same bytes.

pub mod html;
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
    /// What it is the bound of, in a few words.
    pub meaning: String,
}

/// A slot that an operation holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hold {
    /// Index into [`LoopReport::slots`].
    pub slot: usize,
    /// Cycles from the start on.
    pub duration: u32,
}

/// An operation of the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedOperation {
    /// Name without its dialect.
    pub name: String,
    /// Stage.
    pub stage: u32,
    /// Order in the stage.
    pub order: u32,
    /// Start cycle in the first iteration.
    pub start: i64,
    /// Cycles until the result can be read.
    pub latency: u32,
    /// The slots it holds.
    pub holds: Vec<Hold>,
}

impl ReportedOperation {
    /// The cycles it is drawn over: until its result is there and no slot is held, at least one.
    pub fn length(&self) -> u32 {
        let held = self.holds.iter().map(|hold| hold.duration).max();
        self.latency.max(held.unwrap_or(0)).max(1)
    }
}

/// A ring between agents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedRing {
    /// Name, such as `Pipe_0`.
    pub name: String,
    /// Slots.
    pub slots: u32,
    /// Bytes from slot to slot.
    pub slot_bytes: u64,
    /// Where it lies, such as `smem 0`.
    pub place: String,
    /// First cycle of the first write, and the cycle behind the last read, in the first iteration.
    pub busy: (i64, i64),
}

/// Everything that the pictures of one loop show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopReport {
    /// Which loop.
    pub title: String,
    /// Initiation interval, in cycles, at least 1.
    pub interval: u32,
    /// Stages.
    pub stages: u32,
    /// What made the schedule.
    pub generator: String,
    /// Whether the interval is known to be the least.
    pub proven: bool,
    /// The lower bounds.
    pub bounds: Vec<Bound>,
    /// Names of the slots that are used.
    pub slots: Vec<String>,
    /// The operations, in program order.
    pub operations: Vec<ReportedOperation>,
    /// The rings.
    pub rings: Vec<ReportedRing>,
    /// Bytes of shared memory in use and there.
    pub memory: Option<(u64, u64)>,
}

/// A piece of a row of the reservation table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reservation {
    /// Index into [`LoopReport::slots`].
    pub slot: usize,
    /// Index into [`LoopReport::operations`].
    pub operation: usize,
    /// First cycle, modulo the interval.
    pub from: u32,
    /// The cycle behind the last, at most the interval.
    pub to: u32,
}

impl LoopReport {
    /// Cycle at which an iteration is done, counted from its start.
    pub fn length(&self) -> i64 {
        let ends = self
            .operations
            .iter()
            .map(|op| op.start.saturating_add(i64::from(op.length())));
        ends.max().unwrap_or(0).max(1)
    }

    /// How many iterations are drawn: the fill, one full interval more, the drain.
    pub fn iterations_drawn(&self) -> u32 {
        const MOST: u32 = 12;
        (self.stages.max(1) + 2).clamp(3, MOST)
    }

    /// How many iterations are drawn with the rings: as many as show every slot of the deepest taken,
    /// and one taken again.
    pub fn iterations_of_rings(&self) -> u32 {
        let deepest = self.rings.iter().map(|ring| ring.slots).max();
        self.iterations_drawn()
            .max(deepest.unwrap_or(1).min(16) + 1)
    }

    /// The cycles from the start of the first iteration to the end of the last, and of what rings
    /// hold for it.
    pub fn cycles_drawn(&self, iterations: u32) -> i64 {
        let last = i64::from(iterations.saturating_sub(1)) * i64::from(self.interval);
        let rings = self.rings.iter().map(|ring| ring.busy.1);
        let end = rings.max().unwrap_or(0).max(self.length());
        last.saturating_add(end)
    }

    /// The cycles `[0, prologue)` in which the pipeline fills, and the first cycle of its drain,
    /// when so many iterations run.
    pub fn phases(&self, iterations: u32) -> (i64, i64) {
        let interval = i64::from(self.interval);
        let fill = i64::from(self.stages.max(1) - 1) * interval;
        (fill, i64::from(iterations) * interval)
    }

    /// The reservation table: what wraps around the interval comes in two pieces. An operation
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

    /// The letter of an operation: A to Z, a to z, and then numbers.
    pub fn letter(operation: usize) -> String {
        let letters = ('A'..='Z').chain('a'..='z');
        letters
            .into_iter()
            .nth(operation)
            .map_or_else(|| operation.to_string(), String::from)
    }
}

/// The cycles that an axis over `[0, cycles]` has labels at, about `most` at the most: ends and
/// even parts of intervals, which is where the eye looks for them; round numbers where an interval
/// has no even parts.
fn ticks(cycles: i64, interval: u32, most: i64) -> Vec<i64> {
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
    // The end has a label; one that is too near to it goes.
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

/// The least of 1, 2, 5, 10, 20, … that is needed at most `most` times.
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
