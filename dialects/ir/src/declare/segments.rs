//! The operands and results of declared groups.

use std::ops::Range;

use super::{OperationDefinition, PassedRanges, Trait, ValueDefinition, Variadicity};
use crate::{Attribute, Block, Context, Identifier, Operation, Region, Value};

/// Key of the sizes of operand groups.
pub const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
/// Key of the sizes of result groups.
pub const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The indices of the values in each group of `definitions`, given `total` values and the recorded
/// segment sizes `sizes`, if any. Without recorded sizes at most one group has a variable size; it
/// takes the values that remain.
pub(crate) fn group_ranges<'d>(
    definitions: &'d [ValueDefinition],
    total: usize,
    sizes: Option<impl Iterator<Item = i32> + 'd>,
) -> impl Iterator<Item = Range<usize>> + 'd {
    let is_fixed = |definition: &&ValueDefinition| definition.variadicity == Variadicity::One;
    let rest = match sizes {
        Some(_) => 0,
        None => total.saturating_sub(definitions.iter().filter(is_fixed).count()),
    };
    let mut sizes = sizes;
    let mut start = 0;
    definitions.iter().map(move |definition| {
        let size = match &mut sizes {
            Some(sizes) => usize::try_from(sizes.next().unwrap_or(0)).unwrap_or(0),
            None if is_fixed(&definition) => 1,
            None => rest,
        };
        let end = total.min(start + size);
        std::mem::replace(&mut start, end)..end
    })
}

impl OperationDefinition {
    /// Inherent attributes with the sizes of the operand groups, if the operation records them.
    pub fn with_operand_sizes(
        &self,
        context: &mut Context,
        properties: Attribute,
        sizes: &[i32],
    ) -> Attribute {
        if !self.has_trait(Trait::AttrSizedOperandSegments) {
            return properties;
        }
        let sizes = Attribute::i32_array(context, sizes);
        properties.with(context, OPERAND_SEGMENTS, sizes)
    }

    /// The indices of the operands in the declared operand `group`.
    pub fn operand_range(&self, context: &Context, op: Operation, group: usize) -> Range<usize> {
        let total = op.operand_count(context);
        let mut ranges = self.operand_ranges(context, op);
        ranges.nth(group).unwrap_or(total..total)
    }

    /// The indices of the results in the declared result `group`.
    pub fn result_range(&self, context: &Context, op: Operation, group: usize) -> Range<usize> {
        let total = op.result_count(context);
        let mut ranges = self.result_ranges(context, op);
        ranges.nth(group).unwrap_or(total..total)
    }

    /// The indices of the operands in each declared operand group, in time linear in their number.
    pub fn operand_ranges(
        &self,
        context: &Context,
        op: Operation,
    ) -> impl Iterator<Item = Range<usize>> {
        let records = op.has_trait(context, Trait::AttrSizedOperandSegments);
        let key = records.then_some(Identifier::OPERAND_SEGMENTS);
        let sizes = key.and_then(|key| recorded_sizes(context, op, key));
        group_ranges(self.operands, op.operand_count(context), sizes)
    }

    /// The indices of the results in each declared result group, in time linear in their number.
    pub fn result_ranges(
        &self,
        context: &Context,
        op: Operation,
    ) -> impl Iterator<Item = Range<usize>> {
        let records = op.has_trait(context, Trait::AttrSizedResultSegments);
        let key = records.then_some(Identifier::RESULT_SEGMENTS);
        let sizes = key.and_then(|key| recorded_sizes(context, op, key));
        group_ranges(self.results, op.result_count(context), sizes)
    }
}

/// Read for every access to a named operand, so without an allocation and a comparison of texts.
fn recorded_sizes(
    context: &Context,
    op: Operation,
    key: Identifier,
) -> Option<impl Iterator<Item = i32>> {
    let sizes = op.properties(context).entry(context, key)?;
    sizes.i32_array_elements(context)
}

/// Branches. Methods for one successor take time linear in the number of successors; to read or
/// change many successors, [`Operation::edges`], [`Operation::set_all_passed_operands`] and
/// [`EdgeUpdates`](crate::EdgeUpdates) are linear for all of them together.
impl Operation {
    /// The indices of the operands that a branch passes to its successor at this index; `None` if
    /// the declaration does not define them, or their number differs from the number of block
    /// arguments.
    pub fn passed_operands(self, context: &Context, successor: usize) -> Option<Range<usize>> {
        let range = self.passed_group(context, successor)?;
        let block = self.successor(context, successor)?;
        (range.len() == block.argument_count(context)).then_some(range)
    }

    /// The same, even if their number differs from the number of block arguments: for use while
    /// arguments are added or removed.
    pub fn passed_group(self, context: &Context, successor: usize) -> Option<Range<usize>> {
        self.passed_groups(context)?.get(successor).cloned()
    }

    /// [`Self::passed_group`] for all successors; `None` if the declaration does not define them.
    pub fn passed_groups(self, context: &Context) -> Option<PassedRanges> {
        let definition = self.definition(context)?;
        if let Some(branch) = definition.branch {
            return (branch.passed)(context, self);
        }
        let count = self.successor_count(context);
        let first = definition.first_passed_group(count)?;
        let groups = first..first + count;
        Some(
            groups
                .map(|group| definition.operand_range(context, self, group))
                .collect(),
        )
    }

    /// The successors, each with the result of [`Self::passed_operands`].
    pub fn edges(self, context: &Context) -> impl Iterator<Item = (Block, Option<Range<usize>>)> {
        let groups = self.passed_groups(context).unwrap_or_default();
        self.successors(context)
            .enumerate()
            .map(move |(number, block)| {
                let range = groups.get(number).cloned();
                let fits = |range: &Range<usize>| range.len() == block.argument_count(context);
                (block, range.filter(fits))
            })
    }

    /// Replaces the operands that a branch passes to its successor at this index. Does nothing if
    /// the declaration does not define them.
    pub fn set_passed_operands(self, context: &mut Context, successor: usize, values: &[Value]) {
        let Some(groups) = self.passed_groups(context) else {
            return;
        };
        let Some(range) = groups.get(successor).cloned() else {
            return;
        };
        if range.len() == values.len() {
            for (number, value) in range.zip(values) {
                self.set_operand(context, number, *value);
            }
            return;
        }
        let mut operands: Vec<Value> = self.operands(context).collect();
        operands.splice(range, values.iter().copied());
        self.set_operands(context, &operands);
        let mut sizes: Vec<usize> = groups.iter().map(ExactSizeIterator::len).collect();
        sizes[successor] = values.len();
        self.record_passed(context, &sizes);
    }

    /// Replaces the operands that a branch passes to all of its successors. Does nothing if the
    /// declaration does not define them, or the number of lists is not the number of successors.
    pub fn set_all_passed_operands(self, context: &mut Context, values: &[Vec<Value>]) {
        let Some(groups) = self.passed_groups(context) else {
            return;
        };
        let (Some(first), Some(last)) = (groups.first(), groups.last()) else {
            return;
        };
        if groups.len() != values.len() {
            return;
        }
        let mut operands: Vec<Value> = self.operands(context).collect();
        operands.splice(first.start..last.end, values.iter().flatten().copied());
        self.set_operands(context, &operands);
        let sizes: Vec<usize> = values.iter().map(Vec::len).collect();
        self.record_passed(context, &sizes);
    }

    fn record_passed(self, context: &mut Context, sizes: &[usize]) {
        let Some(definition) = self.definition(context) else {
            return;
        };
        if let Some(branch) = definition.branch {
            return (branch.record)(context, self, sizes);
        }
        let Some(first) = definition.first_passed_group(sizes.len()) else {
            return;
        };
        let recorded = recorded_sizes(context, self, Identifier::OPERAND_SEGMENTS);
        if let Some(mut recorded) = recorded.map(Iterator::collect::<Vec<i32>>) {
            for (size, new) in recorded.iter_mut().skip(first).zip(sizes) {
                *size = i32::try_from(*new).unwrap_or(i32::MAX);
            }
            let recorded = Attribute::i32_array(context, &recorded);
            let properties = self.properties(context);
            let properties = properties.with(context, OPERAND_SEGMENTS, recorded);
            self.set_properties(context, properties);
        }
    }
}

impl OperationDefinition {
    /// The operand group for the first successor, if each successor has a variadic group.
    fn first_passed_group(&self, successors: usize) -> Option<usize> {
        let count = self.successors.len();
        if count != successors || self.successors.iter().any(|successor| successor.variadic) {
            return None;
        }
        let first = self.operands.len().checked_sub(count)?;
        let groups = &self.operands[first..];
        let variadic = groups
            .iter()
            .all(|group| group.variadicity == Variadicity::Variadic);
        variadic.then_some(first)
    }
}

impl Operation {
    /// The operands in the declared operand `group`.
    pub fn operand_group(
        self,
        context: &Context,
        definition: &OperationDefinition,
        group: usize,
    ) -> Vec<Value> {
        definition
            .operand_range(context, self, group)
            .map(|number| self.operand(context, number))
            .collect()
    }

    /// The results in the declared result `group`.
    pub fn result_group(
        self,
        context: &Context,
        definition: &OperationDefinition,
        group: usize,
    ) -> Vec<Value> {
        definition
            .result_range(context, self, group)
            .map(|number| self.result(context, number))
            .collect()
    }

    /// The operands in the declared operand `name`; empty if no such operand is declared.
    pub fn operands_named(self, context: &Context, name: &str) -> Vec<Value> {
        let numbers = self.operand_range_named(context, name);
        numbers
            .map(|number| self.operand(context, number))
            .collect()
    }

    /// Whether there are operands in the declared operand `name`.
    pub fn has_operands_named(self, context: &Context, name: &str) -> bool {
        !self.operand_range_named(context, name).is_empty()
    }

    /// The indices of the operands in the declared operand `name`; empty if no such operand is
    /// declared.
    pub fn operand_range_named(self, context: &Context, name: &str) -> Range<usize> {
        let Some(definition) = self.definition(context) else {
            return 0..0;
        };
        let mut groups = definition.operands.iter();
        match groups.position(|operand| operand.name == name) {
            Some(group) => definition.operand_range(context, self, group),
            None => 0..0,
        }
    }

    /// The results in the declared result `name`; empty if no such result is declared.
    pub fn results_named(self, context: &Context, name: &str) -> Vec<Value> {
        let Some(definition) = self.definition(context) else {
            return Vec::new();
        };
        let group = definition
            .results
            .iter()
            .position(|result| result.name == name);
        group.map_or_else(Vec::new, |group| {
            self.result_group(context, definition, group)
        })
    }

    /// The regions in the declared region `name`.
    pub fn regions_named(self, context: &Context, name: &str) -> Vec<Region> {
        let Some(definition) = self.definition(context) else {
            return Vec::new();
        };
        let Some(number) = definition
            .regions
            .iter()
            .position(|region| region.name == name)
        else {
            return Vec::new();
        };
        let length = if definition.regions[number].variadic {
            usize::MAX
        } else {
            1
        };
        self.regions(context).skip(number).take(length).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declare::constraints::ANY_TYPE;

    const fn value(variadicity: Variadicity) -> ValueDefinition {
        ValueDefinition {
            name: "x",
            variadicity,
            constraint: &ANY_TYPE,
            documentation: "",
        }
    }

    fn ranges(
        groups: &[ValueDefinition],
        total: usize,
        sizes: Option<&[i32]>,
    ) -> Vec<Range<usize>> {
        let sizes = sizes.map(|sizes| sizes.iter().copied());
        group_ranges(groups, total, sizes).collect()
    }

    #[test]
    fn the_one_variadic_group_takes_what_the_fixed_ones_leave() {
        let groups = [
            value(Variadicity::One),
            value(Variadicity::Variadic),
            value(Variadicity::One),
        ];
        assert_eq!(ranges(&groups, 5, None), [0..1, 1..4, 4..5]);
        assert_eq!(ranges(&groups, 2, None), [0..1, 1..1, 1..2]);
    }

    #[test]
    fn recorded_sizes_decide_and_never_reach_past_the_end() {
        let groups = [value(Variadicity::Variadic), value(Variadicity::Optional)];
        assert_eq!(ranges(&groups, 3, Some(&[2, 1])), [0..2, 2..3]);
        assert_eq!(ranges(&groups, 3, Some(&[9, 9])), [0..3, 3..3]);
        assert_eq!(ranges(&groups, 3, Some(&[-1, 1])), [0..0, 0..1]);
        assert_eq!(ranges(&groups, 3, Some(&[2])), [0..2, 2..2]);
    }
}
