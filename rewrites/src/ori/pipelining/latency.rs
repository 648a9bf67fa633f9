//! The machine model of the pass: latency classes, pipes, cycles (`latency.toml`).

use std::sync::OnceLock;

use orison_ir::{Context, Operation};
use orison_machine::{Category, Entry, Flag, Pipe, Space};
use orison_ori::Register;
use orison_ori::analyses::properties;
use orison_ori::opcodes;
use serde::Deserialize;

/// A pipe, and how many instructions start on it in a cycle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PipeWidth {
    pub name: String,
    pub width: u32,
}

/// A latency class.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {
    /// The number on the page.
    pub number: u32,
    /// The index of the pipe.
    pub pipe: usize,
    cycles: Option<u32>,
    #[serde(default)]
    is_long: bool,
    #[expect(dead_code, reason = "describes the row")]
    meaning: String,
}

/// Which operations are in a class.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rule {
    class: u32,
    categories: Vec<Category>,
    pipes: Vec<Pipe>,
    flags: Vec<Flag>,
    reads: Vec<Space>,
    writes: Vec<Space>,
    operations: Vec<String>,
    is_uniform: bool,
    is_wide: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    #[serde(rename = "pipe")]
    pub pipes: Vec<PipeWidth>,
    #[serde(rename = "class")]
    classes: Vec<Class>,
    #[serde(rename = "rule")]
    rules: Vec<Rule>,
}

impl Class {
    /// Whether its instructions go through the queue of memory instructions.
    pub fn is_queued(&self) -> bool {
        self.is_long
    }
}

/// The class of operands that no pipe reads: predicates, and those behind the last.
const NONE: u32 = 1;
/// Cycles at which latencies are cut (seed 001, Stall Cycle Calculator).
const LONGEST: u32 = 64;
const LONGEST_OF_OTHERS: u32 = 32;
/// Cycles of an instruction without a number in the scalar cost model (ptxas reference 3.2).
const OTHER: u16 = 6;

/// The table of this module.
///
/// # Panics
/// Panics if the embedded file is malformed: a bug, which every test of the pass shows.
pub(super) fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| match toml::from_str(include_str!("latency.toml")) {
        Ok(model) => model,
        Err(error) => panic!("latency.toml: {error}"),
    })
}

/// The latency class of an operation; `None` if it is no instruction.
pub(super) fn class(context: &Context, op: Operation) -> Option<&'static Class> {
    if !properties::is_instruction(context, op) {
        return None;
    }
    let entry = opcodes::of(context, op)?;
    let model = model();
    let rule = model
        .rules
        .iter()
        .find(|rule| rule.holds(context, op, entry))?;
    model
        .classes
        .iter()
        .find(|class| class.number == rule.class)
}

/// The latency class of an operand of an instruction.
pub(super) fn operand_class(context: &Context, op: Operation, number: usize) -> u32 {
    let is_read = number < op.operand_count(context)
        && Register::of(context, op.operand(context, number).ty(context))
            .is_some_and(|register| register.words().is_some());
    match class(context, op) {
        Some(class) if is_read => class.number,
        _ => NONE,
    }
}

/// Cycles from an operation to the use of its result; 0 if it is no instruction.
pub(super) fn cycles(context: &Context, op: Operation) -> u32 {
    let Some(class) = class(context, op) else {
        return 0;
    };
    let own = opcodes::of(context, op).and_then(|entry| entry.cycles);
    let cycles = class
        .cycles
        .unwrap_or_else(|| u32::from(own.unwrap_or(OTHER)));
    cycles.min(if class.is_long {
        LONGEST
    } else {
        LONGEST_OF_OTHERS
    })
}

impl Rule {
    fn holds(&self, context: &Context, op: Operation, entry: &Entry) -> bool {
        fn any<T: PartialEq>(wanted: &[T], known: impl Fn(&T) -> bool) -> bool {
            wanted.is_empty() || wanted.iter().any(known)
        }
        any(&self.categories, |one| *one == entry.category)
            && any(&self.pipes, |one| *one == entry.pipe)
            && any(&self.flags, |one| entry.has(*one))
            && any(&self.reads, |one| entry.reads.contains(one))
            && any(&self.writes, |one| entry.writes.contains(one))
            && any(&self.operations, |one| {
                op.name(context).text(context) == *one
            })
            && (!self.is_uniform || entry.has(Flag::Uniform))
            && (!self.is_wide || is_wide(context, op))
    }
}

/// Whether an operand is wider than a word and is no address.
fn is_wide(context: &Context, op: Operation) -> bool {
    let data = op.operands_named(context, "value");
    let mut words = data.iter().filter_map(|value| {
        let register = Register::of(context, value.ty(context))?;
        register.words()
    });
    words.any(|words| words > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_has_the_classes_pipes_and_widths_of_the_page() {
        let model = model();
        let numbers: Vec<u32> = model.classes.iter().map(|class| class.number).collect();
        assert_eq!(
            numbers,
            [1, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 26, 31],
            "the thirteen classes, and class 6"
        );
        let widths: Vec<u32> = model.pipes.iter().map(|pipe| pipe.width).collect();
        assert_eq!(widths, [4, 4, 1, 1, 2, 1, 1]);
        for rule in &model.rules {
            assert!(numbers.contains(&rule.class), "{rule:?}");
        }
        for class in &model.classes {
            assert!(class.pipe < model.pipes.len(), "{class:?}");
        }
    }
}
