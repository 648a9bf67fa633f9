//! What the phases report: causes with ptxas's numbers and words (`causes.toml`).

use std::sync::LazyLock;

use orison_ir::{Context, Diagnostic, Location, Severity};
use serde::Deserialize;

use crate::ori::matrix_registers::Shortage;

/// Why products are serialized, or what else is reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A function that is not known is called.
    ExternCall,
    /// A stage may cross a call of a function with products.
    Call,
    /// The accumulators of a stage need copies, or more registers than there are.
    PipelineRegisters,
    /// The accumulators of the function need more registers than there are.
    FunctionRegisters,
    /// Another instruction writes a factor of a product in flight.
    InputDefined,
    /// Another instruction reads an accumulator in flight.
    AccumulatorRead,
    /// Another instruction writes an accumulator in flight.
    AccumulatorDefined,
    /// Fences, commits and waits do not match.
    IllFormed,
    /// A wait is missing in a divergent block.
    DivergentWait,
    /// An arrive is missing in a divergent block.
    DivergentArrive,
    /// A wait was injected.
    WaitInjected,
    /// An arrive was injected.
    ArriveInjected,
    /// Too many accumulators are live.
    LiveRanges,
    /// The number of registers at the entry is not known.
    RegisterCountUnknown,
    /// One product needs more registers than there are.
    TooFewRegisters,
}

impl From<Shortage> for Cause {
    fn from(shortage: Shortage) -> Self {
        match shortage {
            Shortage::Overlap | Shortage::Stage(_) => Cause::PipelineRegisters,
            Shortage::Function(_) => Cause::FunctionRegisters,
        }
    }
}

/// What a report means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// The products of the unit are serialized.
    Serialized,
    /// An operation was inserted.
    Injected,
    /// Nothing is changed.
    Advice,
    /// Nothing is generated.
    Fatal,
}

/// A row of the table.
#[derive(Debug, Deserialize)]
pub struct Row {
    /// The cause.
    pub cause: Cause,
    /// The value of the phase's state; 0 if it is none.
    pub state: u32,
    /// ptxas's number.
    pub code: u32,
    /// What the report means.
    pub severity: Consequence,
    /// The message.
    pub message: String,
}

#[derive(Deserialize)]
struct Table {
    cause: Vec<Row>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("causes.toml")).expect("a valid table");
    table.cause
});

impl Cause {
    /// All rows, in the order of the table.
    pub fn rows() -> &'static [Row] {
        &ROWS
    }

    /// The row.
    ///
    /// # Panics
    /// Panics if the table lacks the cause, which a test excludes.
    pub fn row(self) -> &'static Row {
        let mut rows = ROWS.iter();
        rows.find(|row| row.cause == self).expect("a row per cause")
    }

    /// The message with its code: `(C7519) warpgroup.arrive is …`.
    pub fn message(self, function: &str, numbers: &[u32]) -> String {
        let row = self.row();
        let mut text = String::new();
        let mut numbers = numbers.iter();
        let mut rest = row.message.as_str();
        while let Some(place) = rest.find('%') {
            text += &rest[..place];
            match rest.as_bytes().get(place + 1) {
                Some(b'd') => {
                    text += &numbers.next().map_or_else(String::new, ToString::to_string);
                }
                _ => text += function,
            }
            rest = rest.get(place + 2..).unwrap_or_default();
        }
        format!("(C{}) {text}{rest}", row.code)
    }

    /// The report of the cause at a location.
    pub fn diagnostic(self, at: Location, function: &str, numbers: &[u32]) -> Diagnostic {
        let severity = match self.row().severity {
            Consequence::Serialized => Severity::Warning,
            Consequence::Injected | Consequence::Advice => Severity::Remark,
            Consequence::Fatal => Severity::Error,
        };
        Diagnostic::new(severity, at, self.message(function, numbers))
    }

    /// Reports the cause at a location.
    pub fn report(self, context: &mut Context, at: Location, function: &str, numbers: &[u32]) {
        let diagnostic = self.diagnostic(at, function, numbers);
        context.diagnostics.emit(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_one_row_and_serializing_states_are_those_of_the_page() {
        let mut codes: Vec<u32> = Cause::rows().iter().map(|row| row.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Cause::rows().len());
        let mut states: Vec<u32> = Cause::rows()
            .iter()
            .filter(|row| row.severity == Consequence::Serialized)
            .map(|row| row.state)
            .collect();
        states.sort_unstable();
        assert_eq!(states, (1..=10).collect::<Vec<_>>());
        assert_eq!(
            Cause::DivergentWait.row().code,
            7518,
            "not 7519, as the page's slip has it"
        );
    }

    #[test]
    fn messages_are_filled_in() {
        assert_eq!(
            Cause::ArriveInjected.message("k", &[66]),
            "(C7519) warpgroup.arrive is injected in around line 66 by compiler to allow use of \
             registers in GMMA in function 'k'"
        );
        assert_eq!(
            Cause::TooFewRegisters.message("k", &[128, 159, 154]),
            "(C7602) Insufficient registers (128) to compile instruction at line 159 in function k. \
             Try to compile with register target of 154 or higher."
        );
    }
}
