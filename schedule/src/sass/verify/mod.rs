//! The seven checks of the page on a schedule (seed 003, "Verification"): each can be run alone.
//!
//! 1. *Stall bounds*: stall counts are 0 to 15.
//! 2. *Barrier index*: barriers are 0 to 5, or 7 for none.
//! 3. *Wait mask*: instructions wait only for scoreboards, and for those armed on some path. The
//!    second half is a lint, as ptxas violates it in 0.35% of its waits (measured); `strict` makes
//!    it an error.
//! 4. *Completeness*: an operation of variable latency has a scoreboard before a dependent
//!    instruction: its own, or that of a later operation of its queue.
//! 5. *Format*: the control word can be encoded in the layout and decoded unchanged; reuse flags
//!    match the operands.
//! 6. *Yield*: the flag is consistent with the stall count and the reuse flags (reference 10.2 and
//!    10.3).
//! 7. *Integrity*: no value is read, overwritten or replaced at the wrong time on any path.
//!
//! The fourth and the seventh come from [`super::simulate`], which shares no code with the passes
//! that compute control words.

pub mod order;
#[cfg(test)]
mod tests;
mod word;

use std::fmt;

use orison_sass::control::{self, ControlLayout};
use orison_sass::function::Function;
use orison_sass::scheduled::Scheduled;

pub use word::RawWord;

use super::facts::FunctionFacts;
use super::latency::LatencyModel;
use super::simulate::{
    Frequencies, Hazard, HazardKind, InstructionIndex, Lint, LintKind, simulate_with,
};

/// A check of the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Stall counts are 0 to 15.
    StallBounds,
    /// Barriers are 0 to 5, or 7 for none.
    BarrierIndex,
    /// Only armed scoreboards are waited for.
    WaitMask,
    /// Every operation of variable latency with a dependent instruction has a scoreboard.
    Completeness,
    /// The control word can be encoded and decoded.
    Format,
    /// The yield flag is consistent with the rest of the control word.
    Yield,
    /// No value is used at the wrong time.
    Integrity,
}

impl Check {
    /// All checks, in the order of the page.
    pub const ALL: [Check; 7] = [
        Check::StallBounds,
        Check::BarrierIndex,
        Check::WaitMask,
        Check::Completeness,
        Check::Format,
        Check::Yield,
        Check::Integrity,
    ];

    /// Its name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Check::StallBounds => "stall-bounds",
            Check::BarrierIndex => "barrier-index",
            Check::WaitMask => "wait-mask",
            Check::Completeness => "completeness",
            Check::Format => "format",
            Check::Yield => "yield",
            Check::Integrity => "integrity",
        }
    }
}

/// A finding of a check.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// The instruction at fault.
    pub instruction: InstructionIndex,
    /// The check.
    pub check: Check,
    /// The description.
    pub message: String,
    /// Another instruction involved.
    pub other: Option<InstructionIndex>,
    /// Whether real code also does this, so that it is not an error by itself.
    pub lint: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.check.name(), self.message)
    }
}

/// Checks a function, all seven, in a layout of control words.
pub fn verify(
    function: &Function<'_>,
    model: &LatencyModel,
    layout: &dyn ControlLayout,
) -> Vec<Finding> {
    let facts = FunctionFacts::new(function, model);
    let machine = u16::try_from(model.compute_capability()).unwrap_or(u16::MAX);
    let mut findings = Vec::new();
    for (number, instruction) in function.instructions().enumerate() {
        let number = InstructionIndex::try_from(number).unwrap_or(InstructionIndex::MAX);
        let mut raw = RawWord::of(&instruction.control);
        if instruction.kept().is_none() {
            // Textures of ptxas yield with a slot set that their text does not show.
            raw.reuse = 0;
        }
        findings.extend(check_raw(number, &raw, machine));
        findings.extend(check_format(number, instruction, layout));
    }
    let frequencies = Frequencies::given(Vec::new());
    let report = simulate_with(function, &facts, model, &frequencies);
    findings.extend(report.lints.iter().filter_map(of_lint));
    findings.extend(report.hazards.iter().map(of_hazard));
    findings.sort();
    findings
}

/// The checks of a single control word, whose fields may have any values: 1, 2, the first half of
/// 3, and 6. `machine` is its compute capability, such as 90.
pub fn check_raw(instruction: InstructionIndex, word: &RawWord, machine: u16) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut found = |check, message: String| {
        findings.push(Finding {
            instruction,
            check,
            message,
            other: None,
            lint: false,
        });
    };
    if word.stall > 15 {
        found(
            Check::StallBounds,
            format!("stall of {} cycles exceeds the maximum of 15", word.stall),
        );
    }
    for (what, barrier) in [("write", word.write_barrier), ("read", word.read_barrier)] {
        if barrier > 5 && barrier != RawWord::NONE {
            let message = format!(
                "{what} barrier {barrier} is out of range: expected 0 to 5, or 7 for no barrier"
            );
            found(Check::BarrierIndex, message);
        }
    }
    if word.wait > 0x3f {
        let message = format!(
            "wait mask {:#x} has bits beyond the six scoreboards",
            word.wait
        );
        found(Check::WaitMask, message);
    }
    if let Some(checked) = word.checked() {
        for rule in control::check(&checked, machine) {
            found(Check::Yield, rule.message);
        }
    }
    findings
}

fn check_format(
    number: InstructionIndex,
    instruction: &Scheduled<'_>,
    layout: &dyn ControlLayout,
) -> Option<Finding> {
    let word = &instruction.control;
    let message = match layout.encode(word).map(|bits| (bits, layout.decode(bits))) {
        Err(error) | Ok((_, Err(error))) => error.to_string(),
        Ok((bits, Ok(read))) if read != *word => {
            format!(
                "{word} is {bits:#x} in {}, which decodes as {read}",
                layout.name()
            )
        }
        Ok(_) => {
            let kept = word.reuse.iter().count();
            let said = instruction.kept().filter(|said| *said != kept)?;
            format!("has {kept} reuse flags, but {said} operands are marked 'reuse'")
        }
    };
    Some(Finding {
        instruction: number,
        check: Check::Format,
        message,
        other: None,
        lint: false,
    })
}

fn of_lint(lint: &Lint) -> Option<Finding> {
    (lint.kind == LintKind::WaitNeverArmed).then(|| Finding {
        instruction: lint.instruction,
        check: Check::WaitMask,
        message: lint.to_string(),
        other: lint.other,
        lint: true,
    })
}

fn of_hazard(hazard: &Hazard) -> Finding {
    let waits = matches!(
        hazard.kind,
        HazardKind::ReadWithoutWait
            | HazardKind::OverwriteWithoutWait
            | HazardKind::WriteWithoutWait
    );
    // A scoreboard is missing at the producer, or a wait at the consumer.
    let check = if waits && hazard.barriers.is_empty() {
        Check::Completeness
    } else {
        Check::Integrity
    };
    Finding {
        instruction: hazard.consumer,
        check,
        message: hazard.to_string(),
        other: Some(hazard.producer),
        lint: false,
    }
}
