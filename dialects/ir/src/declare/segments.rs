//! Which operands or results a declared name stands for.

use std::ops::Range;

use super::{OperationDefinition, Trait, ValueDefinition, Variadicity};
use crate::{Attribute, Context, Operation, Region, Value};

/// Key of the sizes of operand groups.
pub const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
/// Key of the sizes of result groups.
pub const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The numbers of the values that group `group` of `definitions` stands for, when there are
/// `total` values and `sizes` are the recorded segment sizes, if any. At most one group is not
/// fixed when there are no recorded sizes; it takes what the others leave.
pub(crate) fn group_range(
    definitions: &[ValueDefinition],
    group: usize,
    total: usize,
    sizes: Option<&[i32]>,
) -> Range<usize> {
    if let Some(sizes) = sizes {
        let size = |i: usize| {
            sizes
                .get(i)
                .map_or(0, |size| usize::try_from(*size).unwrap_or(0))
        };
        let start: usize = (0..group).map(size).sum();
        let start = start.min(total);
        return start..start.saturating_add(size(group)).min(total);
    }
    let fixed = definitions
        .iter()
        .filter(|d| d.variadicity == Variadicity::One)
        .count();
    let rest = total.saturating_sub(fixed);
    let mut start = 0;
    for (number, definition) in definitions.iter().enumerate() {
        let size = if definition.variadicity == Variadicity::One {
            1
        } else {
            rest
        };
        if number == group {
            return start.min(total)..(start + size).min(total);
        }
        start += size;
    }
    total..total
}

impl OperationDefinition {
    /// The numbers of the operands that the declared operand `group` stands for.
    pub fn operand_range(&self, context: &Context, op: Operation, group: usize) -> Range<usize> {
        let sizes = self.has_trait(Trait::AttrSizedOperandSegments);
        let sizes = sizes
            .then(|| recorded_sizes(context, op, OPERAND_SEGMENTS))
            .flatten();
        group_range(
            self.operands,
            group,
            op.operand_count(context),
            sizes.as_deref(),
        )
    }

    /// The numbers of the results that the declared result `group` stands for.
    pub fn result_range(&self, context: &Context, op: Operation, group: usize) -> Range<usize> {
        let sizes = self.has_trait(Trait::AttrSizedResultSegments);
        let sizes = sizes
            .then(|| recorded_sizes(context, op, RESULT_SEGMENTS))
            .flatten();
        group_range(
            self.results,
            group,
            op.result_count(context),
            sizes.as_deref(),
        )
    }
}

fn recorded_sizes(context: &Context, op: Operation, key: &str) -> Option<Vec<i32>> {
    op.properties(context)
        .get(context, key)?
        .as_i32_array(context)
}

/// Branches.
impl Operation {
    /// The numbers of the operands that a branch hands to its successor with this number; none when
    /// the declaration does not tell.
    pub fn passed_operands(self, context: &Context, successor: usize) -> Option<Range<usize>> {
        let range = self.passed_group(context, successor)?;
        let block = self.successors(context).nth(successor)?;
        (range.len() == block.argument_count(context)).then_some(range)
    }

    /// The same, also where their number is not that of the arguments of the block: while
    /// arguments come or go.
    pub fn passed_group(self, context: &Context, successor: usize) -> Option<Range<usize>> {
        let definition = self.definition(context)?;
        if let Some(branch) = definition.branch {
            return (branch.passed)(context, self, successor);
        }
        let first = definition.first_passed_group(self.successor_count(context))?;
        Some(definition.operand_range(context, self, first + successor))
    }

    /// Replaces what a branch hands to its successor with this number; nothing happens when the
    /// declaration does not tell what that is.
    pub fn set_passed_operands(self, context: &mut Context, successor: usize, values: &[Value]) {
        let Some(definition) = self.definition(context) else {
            return;
        };
        if let Some(branch) = definition.branch {
            return (branch.set_passed)(context, self, successor, values);
        }
        let Some(first) = definition.first_passed_group(self.successor_count(context)) else {
            return;
        };
        let range = definition.operand_range(context, self, first + successor);
        let mut operands: Vec<_> = self.operands(context).collect();
        operands.splice(range, values.iter().copied());
        self.set_operands(context, &operands);
        if let Some(mut sizes) = recorded_sizes(context, self, OPERAND_SEGMENTS)
            && let Some(size) = sizes.get_mut(first + successor)
        {
            *size = i32::try_from(values.len()).unwrap_or(i32::MAX);
            let sizes = Attribute::i32_array(context, &sizes);
            let properties = self.properties(context);
            let properties = properties.with(context, OPERAND_SEGMENTS, sizes);
            self.set_properties(context, properties);
        }
    }
}

impl OperationDefinition {
    /// The operand group for the first successor, where each successor has a variadic group.
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
    /// The operands that the declared operand `group` stands for.
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

    /// The results that the declared result `group` stands for.
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

    /// The operands that the declared operand `name` stands for; empty when nothing of this name
    /// is declared.
    pub fn operands_named(self, context: &Context, name: &str) -> Vec<Value> {
        let Some(definition) = self.definition(context) else {
            return Vec::new();
        };
        let group = definition
            .operands
            .iter()
            .position(|operand| operand.name == name);
        group.map_or_else(Vec::new, |group| {
            self.operand_group(context, definition, group)
        })
    }

    /// The results that the declared result `name` stands for; empty when nothing of this name
    /// is declared.
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

    /// The regions that the declared region `name` stands for.
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

    #[test]
    fn the_one_variadic_group_takes_what_the_fixed_ones_leave() {
        let groups = [
            value(Variadicity::One),
            value(Variadicity::Variadic),
            value(Variadicity::One),
        ];
        assert_eq!(group_range(&groups, 0, 5, None), 0..1);
        assert_eq!(group_range(&groups, 1, 5, None), 1..4);
        assert_eq!(group_range(&groups, 2, 5, None), 4..5);
        assert_eq!(group_range(&groups, 1, 2, None), 1..1);
    }

    #[test]
    fn recorded_sizes_decide_and_never_reach_past_the_end() {
        let groups = [value(Variadicity::Variadic), value(Variadicity::Optional)];
        assert_eq!(group_range(&groups, 1, 3, Some(&[2, 1])), 2..3);
        assert_eq!(group_range(&groups, 1, 3, Some(&[9, 9])), 3..3);
        assert_eq!(group_range(&groups, 0, 3, Some(&[-1, 1])), 0..0);
    }
}
