//! The findings of the simulator.

use std::fmt;

use orison_sass::control::Barrier;
use orison_sass::registers::Register;

use super::state::InstructionIndex;

/// The kind of conflict between two instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HazardKind {
    /// A fixed result is read before it is available.
    ReadTooEarly,
    /// A register is written before an earlier fixed result arrives, which then overwrites the
    /// later value.
    OverwriteTooEarly,
    /// A register is written before an earlier instruction has read it.
    WriteTooEarly,
    /// A result is read without waiting for its scoreboard.
    ReadWithoutWait,
    /// A register whose result is in flight is written without waiting for the scoreboard.
    OverwriteWithoutWait,
    /// A register that an operation may not have read yet is written without waiting for the
    /// scoreboard.
    WriteWithoutWait,
    /// A register of a warp group's product is used before a `WARPGROUP.DEPBAR` covers it.
    ProductInFlight,
    /// A scoreboard is waited for before arming it has taken effect.
    WaitBeforeArmed,
    /// `DEPBAR` waits for some of the operations of a scoreboard that complete in no known order.
    PartialWaitUnordered,
    /// A group of copies is closed on a scoreboard that no `DEPBAR.LE` behind it names, though there are some.
    GroupNotWaitedFor,
    /// A scoreboard is armed for the results of a store, which has none.
    NothingToSignal,
    /// A stall of zero pairs two instructions that cannot issue in the same cycle.
    NoPair,
}

impl HazardKind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [HazardKind; 12] = [
        HazardKind::ReadTooEarly,
        HazardKind::OverwriteTooEarly,
        HazardKind::WriteTooEarly,
        HazardKind::ReadWithoutWait,
        HazardKind::OverwriteWithoutWait,
        HazardKind::WriteWithoutWait,
        HazardKind::ProductInFlight,
        HazardKind::WaitBeforeArmed,
        HazardKind::PartialWaitUnordered,
        HazardKind::GroupNotWaitedFor,
        HazardKind::NothingToSignal,
        HazardKind::NoPair,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            HazardKind::ReadTooEarly => "read too early",
            HazardKind::OverwriteTooEarly => "overwrite too early",
            HazardKind::WriteTooEarly => "write too early",
            HazardKind::ReadWithoutWait => "read without wait",
            HazardKind::OverwriteWithoutWait => "overwrite without wait",
            HazardKind::WriteWithoutWait => "write without wait",
            HazardKind::ProductInFlight => "product in flight",
            HazardKind::WaitBeforeArmed => "wait before armed",
            HazardKind::PartialWaitUnordered => "partial wait unordered",
            HazardKind::GroupNotWaitedFor => "group not waited for",
            HazardKind::NothingToSignal => "nothing to signal",
            HazardKind::NoPair => "no pair",
        }
    }
}

/// A hazard: a path exists on which the later instruction reads or leaves a wrong value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// The kind.
    pub kind: HazardKind,
    /// The instruction that issues too early.
    pub consumer: InstructionIndex,
    /// The instruction that has not completed.
    pub producer: InstructionIndex,
    /// The register; `None` if the hazard is about the scoreboard itself.
    pub register: Option<Register>,
    /// For timing hazards: the required cycles between their issues.
    pub needed: u32,
    /// For timing hazards: the cycles on the shortest path.
    pub found: u32,
    /// Scoreboards of which any would suffice as a wait; empty if no scoreboard signals it.
    pub barriers: Vec<Barrier>,
}

impl Hazard {
    /// The key for sorting and deduplication.
    pub(super) fn key(&self) -> (InstructionIndex, InstructionIndex, HazardKind) {
        (self.consumer, self.producer, self.kind)
    }
}

impl fmt::Display for Hazard {
    /// Describes the hazard without the names of the instructions: those are locations.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hazard { needed, found, .. } = self;
        let register = self
            .register
            .map_or(String::new(), |found| found.to_string());
        match self.kind {
            HazardKind::ReadTooEarly => {
                write!(
                    out,
                    "reads {register} {found} cycles after the instruction that computes it, which \
                     takes {needed}"
                )
            }
            HazardKind::OverwriteTooEarly => write!(
                out,
                "writes {register} {found} cycles after another instruction that writes it; at \
                 least {needed} are required"
            ),
            HazardKind::WriteTooEarly => write!(
                out,
                "writes {register} {found} cycles after an instruction that reads it; at least \
                 {needed} are required"
            ),
            HazardKind::ReadWithoutWait => {
                write!(out, "reads {register}, whose value is still in flight")?;
                self.write_barriers(out)
            }
            HazardKind::OverwriteWithoutWait => {
                write!(
                    out,
                    "writes {register}, for which another value is still in flight"
                )?;
                self.write_barriers(out)
            }
            HazardKind::WriteWithoutWait => {
                write!(out, "writes {register}, which may not have been read yet")?;
                self.write_barriers(out)
            }
            HazardKind::ProductInFlight => write!(
                out,
                "uses {register} of a product in flight: no WARPGROUP.DEPBAR has waited for its group"
            ),
            HazardKind::WaitBeforeArmed => write!(
                out,
                "waits for a scoreboard {found} cycles after it was armed, which takes {needed} cycles to take effect"
            ),
            HazardKind::PartialWaitUnordered => write!(
                out,
                "waits for a part of the operations of a scoreboard, whose order of completion is \
                 unknown"
            ),
            HazardKind::GroupNotWaitedFor => {
                write!(out, "closes a group of copies")?;
                self.write_barriers(out)
            }
            HazardKind::NothingToSignal => {
                write!(out, "arms a scoreboard for results, but it has none")
            }
            HazardKind::NoPair => write!(
                out,
                "cannot issue in the same cycle as the instruction before, whose stall is 0"
            ),
        }
    }
}

impl Hazard {
    fn write_barriers(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.barriers.is_empty() {
            return out.write_str(": no scoreboard covers it");
        }
        out.write_str(": nothing waits for scoreboard")?;
        for (number, barrier) in self.barriers.iter().enumerate() {
            let before = if number == 0 { " " } else { " or " };
            write!(out, "{before}{}", barrier.index())?;
        }
        Ok(())
    }
}

/// Code that is valid but unlikely to be intended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LintKind {
    /// An instruction waits for a scoreboard that is not armed on any path to it. ptxas emits this
    /// in 0.35% of its waits.
    WaitNeverArmed,
    /// A scoreboard is armed while an operation of another queue uses it: every wait waits for
    /// both.
    BarrierShared,
}

impl LintKind {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            LintKind::WaitNeverArmed => "wait never armed",
            LintKind::BarrierShared => "barrier shared",
        }
    }
}

/// A lint at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lint {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The kind.
    pub kind: LintKind,
    /// The scoreboard.
    pub barrier: Barrier,
    /// The other operation that uses it.
    pub other: Option<InstructionIndex>,
}

impl fmt::Display for Lint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let barrier = self.barrier.index();
        match self.kind {
            LintKind::WaitNeverArmed => {
                write!(out, "waits for scoreboard {barrier}, which was not armed")
            }
            LintKind::BarrierShared => write!(
                out,
                "arms scoreboard {barrier}, which an operation of another queue still uses"
            ),
        }
    }
}
