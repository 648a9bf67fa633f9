//! Names of values and blocks.
//!
//! Values are numbered as in MLIR: first all values of a region, then its nested regions, last
//! region first, each starting from the final number of its parent region; entry block arguments
//! are numbered separately (`%arg0`). In generic form no number is used twice. In custom form,
//! operations may suggest names (`%c0`).

use rustc_hash::{FxHashMap, FxHashSet};

use super::{PrintFlags, Printer};
use crate::entities::{Block, Operation, Region, Value};
use crate::location::LocationKind;
use crate::{Context, Location};

/// Set in the 32-bit encoding of a value name for an entry block argument.
const ARGUMENT: u32 = 1 << 30;
const NAMED: u32 = 1 << 31;
/// Set for the results of operations with several results.
const ONE_OF_MANY: u32 = 1 << 29;
const UNKNOWN: u32 = u32::MAX;

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

/// The names of all values and blocks under an operation.
#[derive(Debug, Default)]
pub(super) struct ValueNames {
    /// By value index: a number, `ARGUMENT` with a number, or `NAMED` with an index into `texts`;
    /// of several results, the first one of each group has a name.
    values: Vec<u32>,
    texts: Vec<String>,
    /// By block index: the block's number in its region.
    blocks: Vec<u32>,
    /// Results that start a separate group, by operation index.
    groups: FxHashMap<u32, Vec<usize>>,
    /// The numbers of operations without results, if users of values are printed.
    operations: FxHashMap<u32, u32>,
}

struct Namer<'c> {
    context: &'c Context,
    flags: &'c PrintFlags,
    names: ValueNames,
    used: FxHashSet<String>,
    counters: Counters,
}

impl ValueNames {
    pub(super) fn of(context: &Context, op: Operation, flags: &PrintFlags) -> ValueNames {
        let names = ValueNames {
            values: vec![UNKNOWN; context.value_capacity()],
            blocks: vec![UNKNOWN; context.block_capacity()],
            ..ValueNames::default()
        };
        let mut namer = Namer {
            context,
            flags,
            names,
            used: FxHashSet::default(),
            counters: Counters::default(),
        };
        namer.number_operation(op, &mut Vec::new());
        namer.number_nested(op);
        namer.names
    }

    pub(super) fn operation_number(&self, op: Operation) -> Option<u32> {
        self.operations.get(&op.index).copied()
    }

    pub(super) fn groups(&self, op: Operation) -> &[usize] {
        self.groups.get(&op.index).map_or(&[], Vec::as_slice)
    }
}

/// A step of the traversal of nested regions.
enum Step {
    Enter(Region, Counters),
    /// Release the names of a region whose nested regions are done.
    Leave(Vec<String>),
}

impl Namer<'_> {
    fn number_nested(&mut self, op: Operation) {
        let unique = self.flags.unique_names || self.flags.generic;
        let start = if unique {
            self.counters
        } else {
            Counters::default()
        };
        let mut steps: Vec<Step> = op
            .regions(self.context)
            .map(|region| Step::Enter(region, start))
            .collect();
        while let Some(step) = steps.pop() {
            let (region, counters) = match step {
                Step::Enter(region, counters) => (region, counters),
                Step::Leave(scope) => {
                    for name in scope {
                        self.used.remove(&name);
                    }
                    continue;
                }
            };
            if !unique {
                self.counters = counters;
            }
            let scope = self.number_region(region);
            // Numbering continues in the next region, but a name is reusable after its scope.
            steps.push(Step::Leave(scope));
            let after = self.counters;
            for block in region.blocks(self.context) {
                for op in block.operations(self.context) {
                    steps.extend(op.regions(self.context).map(|r| Step::Enter(r, after)));
                }
            }
        }
    }

    /// Numbers the direct contents of a region; returns the names used.
    fn number_region(&mut self, region: Region) -> Vec<String> {
        let mut scope = Vec::new();
        self.name_entry_arguments(region, &mut scope);
        for (number, block) in (0..).zip(region.blocks(self.context)) {
            self.names.blocks[block.index()] = number;
            self.number_block(block, &mut scope);
        }
        scope
    }

    fn name_entry_arguments(&mut self, region: Region, scope: &mut Vec<String>) {
        let owner = region.owner(self.context);
        let suggest = owner.definition(self.context).and_then(|d| d.argument_name);
        let (Some(suggest), Some(entry), false) = (
            suggest,
            region.first_block(self.context),
            self.flags.generic,
        ) else {
            return;
        };
        let number = region.number(self.context);
        for (position, argument) in entry.arguments(self.context).enumerate() {
            if let Some(name) = suggest(self.context, owner, number, position)
                && !self.name_from_location(argument, scope)
            {
                self.set_text(argument, &name, scope);
            }
        }
    }

    fn number_block(&mut self, block: Block, scope: &mut Vec<String>) {
        let entry = block.is_entry(self.context);
        for argument in block.arguments(self.context) {
            if self.names.values[argument.index()] != UNKNOWN {
                continue;
            }
            let number = self.counters.argument;
            if entry {
                self.counters.argument += 1;
            }
            if self.name_from_location(argument, scope) {
                continue;
            }
            if entry {
                if self.flags.generic {
                    self.names.values[argument.index()] = ARGUMENT | number;
                } else {
                    self.set_text(argument, &format!("arg{number}"), scope);
                }
            } else {
                self.set_number(argument);
            }
        }
        for op in block.operations(self.context) {
            self.number_operation(op, scope);
        }
    }

    fn number_operation(&mut self, op: Operation, scope: &mut Vec<String>) {
        if op.result_count(self.context) == 0 {
            if self.flags.value_users {
                let number = self.counters.value;
                self.counters.value += 1;
                self.names.operations.insert(op.index, number);
            }
            return;
        }
        let first = op.result(self.context, 0);
        if !self.name_from_location(first, scope) {
            if !self.flags.generic
                && let Some(suggest) = op.definition(self.context).and_then(|d| d.result_name)
                && let Some(name) = suggest(self.context, op)
            {
                self.set_text(first, &name, scope);
            } else {
                self.set_number(first);
            }
        }
        self.name_further_results(op, scope);
    }

    fn name_further_results(&mut self, op: Operation, scope: &mut Vec<String>) {
        if op.result_count(self.context) == 1 {
            return;
        }
        self.suggest_further_results(op, scope);
        for result in op.results(self.context) {
            let word = &mut self.names.values[result.index()];
            *word |= ONE_OF_MANY;
        }
    }

    fn suggest_further_results(&mut self, op: Operation, scope: &mut Vec<String>) {
        let suggest = op
            .definition(self.context)
            .and_then(|d| d.further_result_name);
        let (Some(suggest), false) = (suggest, self.flags.generic) else {
            return;
        };
        for number in 1..op.result_count(self.context) {
            if let Some(name) = suggest(self.context, op, number) {
                let result = op.result(self.context, number);
                if !self.name_from_location(result, scope) {
                    self.set_text(result, &name, scope);
                }
                self.names.groups.entry(op.index).or_default().push(number);
            }
        }
    }

    fn name_from_location(&mut self, value: Value, scope: &mut Vec<String>) -> bool {
        if !self.flags.name_locations_as_prefix {
            return false;
        }
        let name = name_in_location(self.context, value.location(self.context));
        match name {
            Some(name) => {
                self.set_text(value, &name, scope);
                true
            }
            None => false,
        }
    }

    fn set_number(&mut self, value: Value) {
        self.names.values[value.index()] = self.counters.value;
        self.counters.value += 1;
    }

    fn set_text(&mut self, value: Value, name: &str, scope: &mut Vec<String>) {
        let mut name = sanitize(name);
        if self.used.contains(&name) {
            loop {
                let candidate = format!("{name}_{}", self.counters.conflict);
                self.counters.conflict += 1;
                if !self.used.contains(&candidate) {
                    name = candidate;
                    break;
                }
            }
        }
        self.used.insert(name.clone());
        scope.push(name.clone());
        self.names.values[value.index()] =
            NAMED | u32::try_from(self.names.texts.len()).unwrap_or(0);
        self.names.texts.push(name);
    }
}

/// The name in a location, if any.
fn name_in_location(context: &Context, location: Location) -> Option<String> {
    match location.kind(context) {
        LocationKind::Name { name, .. } => Some(name.text(context).to_owned()),
        LocationKind::CallSite { callee, .. } => name_in_location(context, callee),
        LocationKind::Fused { locations, .. } => locations
            .iter()
            .find_map(|location| name_in_location(context, *location)),
        _ => None,
    }
}

/// Makes a name valid for the lexer: puts `_` before a leading digit and for invalid characters.
fn sanitize(name: &str) -> String {
    let mut clean = String::with_capacity(name.len());
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        clean.push('_');
    }
    clean.extend(name.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-') => c,
        _ => '_',
    }));
    clean
}

impl Printer<'_> {
    /// Writes the name of a value: `%0`, `%arg1`, `%r#2`.
    pub fn value(&mut self, value: Value) {
        let word = self.names.values.get(value.index()).copied();
        if let Some(word) = word.filter(|word| word & ONE_OF_MANY == 0) {
            self.write_name(word);
        } else {
            self.grouped_value(value);
        }
    }

    /// Writes the name of a value that may be one of several results.
    fn grouped_value(&mut self, value: Value) {
        let mut name = value;
        let mut number = None;
        if let Some(op) = value.defining_op(self.context)
            && op.result_count(self.context) > 1
        {
            let position = value.position(self.context);
            let groups = self.names.groups(op);
            let start = groups
                .iter()
                .copied()
                .rev()
                .find(|start| *start <= position)
                .unwrap_or(0);
            let end = groups.iter().copied().find(|next| *next > position);
            let end = end.unwrap_or(op.result_count(self.context));
            name = op.result(self.context, start);
            number = (end - start > 1).then_some(position - start);
        }
        self.value_name(name);
        if let Some(number) = number {
            self.write("#");
            self.integer(i64::try_from(number).unwrap_or(0));
        }
    }

    /// Writes the name of a value without its index in the group.
    pub(super) fn value_name(&mut self, value: Value) {
        let word = self.names.values.get(value.index()).copied();
        self.write_name(word.unwrap_or(UNKNOWN));
    }

    fn write_name(&mut self, word: u32) {
        if word == UNKNOWN {
            self.write("<<UNKNOWN SSA VALUE>>");
        } else if word & NAMED != 0 {
            self.out.push(b'%');
            let text = &self.names.texts[(word & !(NAMED | ONE_OF_MANY)) as usize];
            self.out.extend_from_slice(text.as_bytes());
        } else {
            self.write(if word & ARGUMENT != 0 { "%arg" } else { "%" });
            self.integer(i64::from(word & !(ARGUMENT | ONE_OF_MANY)));
        }
    }

    /// Writes the name of a block: `^bb0`.
    pub fn successor(&mut self, block: Block) {
        match self
            .names
            .blocks
            .get(block.index())
            .copied()
            .unwrap_or(UNKNOWN)
        {
            UNKNOWN => self.write("INVALIDBLOCK"),
            number => {
                self.write("^bb");
                self.integer(i64::from(number));
            }
        }
    }

    pub(super) fn block_number(&self, block: Block) -> u32 {
        self.names
            .blocks
            .get(block.index())
            .copied()
            .unwrap_or(UNKNOWN)
    }
}
