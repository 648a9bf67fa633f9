//! When the slots of a pipeline are busy.
//!
//! The slot of iteration k is busy in `[start + k·II, end + k·II)`. With depth D a slot serves
//! every D-th iteration, so the time line is cyclic with period D·II.
//!
//! Source: TileAS reference section 7, phase 1 and its recommended lifetime.

/// A cycle, given as a stage and a cycle in that stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Endpoint {
    /// Index of the initiation interval, from 0 at the start of the iteration.
    pub stage: i64,
    /// Cycle in the interval.
    pub cycle: i64,
}

/// When a slot is busy in iteration 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// Always: the cycles are not known.
    Always,
    /// `[start, end)`, repeated every `interval` cycles with the next slot.
    Cyclic {
        /// The loop in which cycles are counted.
        region: u32,
        /// Initiation interval of the loop, at least 1.
        interval: u32,
        /// First cycle of the first write.
        start: i64,
        /// The cycle after the last read.
        end: i64,
    },
}

impl Lifetime {
    /// The number of slots that avoids stalls: `max(1, ceil((end - start) / II))`.
    pub fn slots_needed(&self) -> u32 {
        match *self {
            Lifetime::Always => 1,
            Lifetime::Cyclic {
                interval,
                start,
                end,
                ..
            } => {
                let length = end.saturating_sub(start).max(1).unsigned_abs();
                u32::try_from(length.div_ceil(u64::from(interval))).unwrap_or(u32::MAX)
            }
        }
    }

    /// First write and last read as stage and cycle; `None` if not known.
    pub fn endpoints(&self) -> Option<(Endpoint, Endpoint)> {
        let Lifetime::Cyclic {
            interval,
            start,
            end,
            ..
        } = *self
        else {
            return None;
        };
        let interval = i64::from(interval);
        let point = |time: i64| Endpoint {
            stage: time.div_euclid(interval),
            cycle: time.rem_euclid(interval),
        };
        Some((point(start), point(end)))
    }

    /// Whether two slots are ever busy in the same cycle if, slot by slot, the same iterations
    /// (modulo `depth`) use both.
    pub fn overlaps(&self, other: &Lifetime, depth: u32) -> bool {
        self.overlaps_shifted(other, 0, depth)
    }

    /// Like [`Self::overlaps`], with the other's iterations `shift` later, on a circle of `depth`
    /// intervals.
    pub(super) fn overlaps_shifted(&self, other: &Lifetime, shift: i64, depth: u32) -> bool {
        let (
            Lifetime::Cyclic {
                region: a,
                interval,
                start,
                end,
            },
            Lifetime::Cyclic {
                region: b,
                interval: other_interval,
                start: from,
                end: to,
            },
        ) = (*self, *other)
        else {
            return true;
        };
        if a != b || interval != other_interval {
            return true;
        }
        let interval = i128::from(interval);
        let circle = interval * i128::from(depth.max(1));
        let length = i128::from(end) - i128::from(start);
        let other_length = i128::from(to) - i128::from(from);
        if length >= circle || other_length >= circle {
            return true;
        }
        let distance = i128::from(from) + i128::from(shift) * interval - i128::from(start);
        let distance = distance.rem_euclid(circle);
        // The other starts `distance` after this one: inside it, or so late that it extends into
        // the next period.
        distance < length || circle - distance < other_length
    }
}

/// The shortest lifetime that contains both.
pub(super) fn union(a: Lifetime, b: Lifetime) -> Lifetime {
    match (a, b) {
        (
            Lifetime::Cyclic {
                region,
                interval,
                start,
                end,
            },
            Lifetime::Cyclic {
                region: other,
                interval: other_interval,
                start: from,
                end: to,
            },
        ) if region == other && interval == other_interval => Lifetime::Cyclic {
            region,
            interval,
            start: start.min(from),
            end: end.max(to),
        },
        _ => Lifetime::Always,
    }
}
