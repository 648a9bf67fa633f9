//! Checks derived from declarations: counts, segments, attributes, types, regions.

use crate::declare::{
    OPERAND_SEGMENTS, OperationDefinition, RESULT_SEGMENTS, RegionConstraint, Trait,
    ValueDefinition, Variadicity, VerifyResult,
};
use crate::entities::Operation;
use crate::printer::type_to_string;
use crate::{Attribute, Context, Identifier};

pub(super) fn verify_unregistered(context: &Context, op: Operation) -> VerifyResult {
    let dialect = op.name(context).dialect(context);
    if context.dialect(dialect).is_some() {
        let name = op.name_text(context);
        return Err(op.error(
            context,
            format!(
                "unregistered operation '{name}' found in dialect ('{dialect}') that does not \
                 allow unknown operations"
            ),
        ));
    }
    if context.allows_unregistered_dialect(dialect) {
        return Ok(());
    }
    Err(op.op_error(
        context,
        "created with unregistered dialect. If this is intended, please call \
         allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with \
         the MLIR opt tool used",
    ))
}

/// Checks that inherent attributes, which have these keys, are present and satisfy their constraints.
pub(super) fn verify_properties(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
    keys: &[Option<Identifier>],
) -> VerifyResult {
    let properties = op.properties(context).entries(context);
    for (attribute, key) in definition.attributes.iter().zip(keys) {
        let found = properties.iter().find(|(name, _)| Some(*name) == *key);
        let Some((_, value)) = found.copied() else {
            if attribute.optional {
                continue;
            }
            let message = format!("requires attribute '{}'", attribute.name);
            return Err(op.op_error(context, message));
        };
        if !(attribute.constraint.check)(context, value) {
            let message = format!(
                "attribute '{}' failed to satisfy constraint: {}",
                attribute.name, attribute.constraint.summary
            );
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

/// Checks that the types of operands and results satisfy their constraints.
pub(super) fn verify_value_types(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
) -> VerifyResult {
    verify_operand_types(context, op, definition)?;
    verify_result_types(context, op, definition)
}

/// The minimum number of values of declared groups, and whether there may be more.
fn bounds(groups: &[ValueDefinition]) -> (usize, bool) {
    let fixed = groups
        .iter()
        .filter(|group| group.variadicity == Variadicity::One)
        .count();
    (fixed, fixed < groups.len())
}

/// Checks the numbers of operands, results, regions and successors, and the segment sizes.
pub(super) fn verify_counts(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
) -> VerifyResult {
    let operands = op.operand_count(context);
    let (least, more) = bounds(definition.operands);
    let message = match (least, more) {
        (_, true) if operands < least => Some(format!(
            "expected {least} or more operands, but found {operands}"
        )),
        (_, true) => None,
        _ if operands == least => None,
        (0, _) => Some("requires zero operands".to_owned()),
        (1, _) => Some("requires a single operand".to_owned()),
        _ => Some(format!("expected {least} operands, but found {operands}")),
    };
    if let Some(message) = message {
        return Err(op.op_error(context, message));
    }
    let results = op.result_count(context);
    let (least, more) = bounds(definition.results);
    let message = match (least, more) {
        (_, true) if results < least => Some(format!("expected {least} or more results")),
        (_, true) => None,
        _ if results == least => None,
        (0, _) => Some("requires zero results".to_owned()),
        (1, _) => Some("requires one result".to_owned()),
        _ => Some(format!("expected {least} results")),
    };
    if let Some(message) = message {
        return Err(op.op_error(context, message));
    }
    verify_region_count(context, op, definition)?;
    verify_successor_count(context, op, definition)?;
    if definition.has_trait(Trait::AttrSizedOperandSegments) {
        let sizes = OPERAND_SEGMENTS;
        verify_segments(context, op, sizes, "operand", operands, definition.operands)?;
    }
    if definition.has_trait(Trait::AttrSizedResultSegments) {
        verify_segments(
            context,
            op,
            RESULT_SEGMENTS,
            "result",
            results,
            definition.results,
        )?;
    }
    Ok(())
}

fn verify_region_count(
    context: &Context,
    op: Operation,
    definition: &OperationDefinition,
) -> VerifyResult {
    let found = op.region_count(context);
    let fixed = definition
        .regions
        .iter()
        .filter(|region| !region.variadic)
        .count();
    let variadic = fixed < definition.regions.len();
    if found == fixed || (variadic && found > fixed) {
        return Ok(());
    }
    let message = match fixed {
        _ if variadic => format!("expected {fixed} or more regions"),
        0 => "requires zero regions".to_owned(),
        1 => "requires one region".to_owned(),
        _ => format!("expected {fixed} regions"),
    };
    Err(op.op_error(context, message))
}

fn verify_successor_count(
    context: &Context,
    op: Operation,
    definition: &OperationDefinition,
) -> VerifyResult {
    let found = op.successor_count(context);
    let fixed = definition
        .successors
        .iter()
        .filter(|successor| !successor.variadic)
        .count();
    let variadic = fixed < definition.successors.len();
    if found == fixed || (variadic && found > fixed) {
        return Ok(());
    }
    let plural = if fixed == 1 { "" } else { "s" };
    let message = if variadic {
        format!("requires at least {fixed} successor{plural} but found {found}")
    } else {
        format!("requires {fixed} successor{plural} but found {found}")
    };
    Err(op.op_error(context, message))
}

fn verify_segments(
    context: &Context,
    op: Operation,
    key: &str,
    kind: &str,
    total: usize,
    groups: &[ValueDefinition],
) -> VerifyResult {
    let sizes = op.properties(context).get(context, key);
    // Absent sizes are all zero.
    let sizes = match sizes {
        Some(sizes) => sizes.as_i32_array(context),
        None => Some(vec![0; groups.len()]),
    };
    let Some(sizes) = sizes else {
        return Err(op.op_error(
            context,
            format!("requires dense i32 array attribute '{key}'"),
        ));
    };
    if sizes.iter().any(|size| *size < 0) {
        let message = format!("'{key}' attribute cannot have negative elements");
        return Err(op.op_error(context, message));
    }
    if sizes.len() != groups.len() {
        let message = format!(
            "'{key}' attribute for specifying {kind} segments must have {} elements, but got {}",
            groups.len(),
            sizes.len()
        );
        return Err(op.op_error(context, message));
    }
    let sum: usize = sizes
        .iter()
        .map(|size| usize::try_from(*size).unwrap_or(0))
        .sum();
    if sum != total {
        let message = format!(
            "{kind} count ({total}) does not match with the total size ({sum}) specified in \
             attribute '{key}'"
        );
        return Err(op.op_error(context, message));
    }
    let mut start = 0;
    for (group, size) in groups.iter().zip(&sizes) {
        let wanted = match group.variadicity {
            Variadicity::One if *size != 1 => "1 element",
            Variadicity::Optional if *size > 1 => "0 or 1 element",
            _ => {
                start += size;
                continue;
            }
        };
        let message =
            format!("{kind} group starting at #{start} requires {wanted}, but found {size}");
        return Err(op.op_error(context, message));
    }
    Ok(())
}

fn verify_operand_types(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
) -> VerifyResult {
    let ranges = definition.operand_ranges(context, op);
    for (declared, range) in definition.operands.iter().zip(ranges) {
        for number in range {
            let ty = op.operand(context, number).ty(context);
            verify_type(context, op, "operand", number, declared, ty)?;
        }
    }
    Ok(())
}

fn verify_result_types(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
) -> VerifyResult {
    let ranges = definition.result_ranges(context, op);
    for (declared, range) in definition.results.iter().zip(ranges) {
        for number in range {
            let ty = op.result(context, number).ty(context);
            verify_type(context, op, "result", number, declared, ty)?;
        }
    }
    Ok(())
}

fn verify_type(
    context: &Context,
    op: Operation,
    kind: &str,
    number: usize,
    declared: &ValueDefinition,
    ty: crate::Type,
) -> VerifyResult {
    if (declared.constraint.check)(context, ty) {
        return Ok(());
    }
    let variadic = match declared.variadicity {
        Variadicity::Variadic => "variadic of ",
        _ => "",
    };
    let message = format!(
        "{kind} #{number} must be {variadic}{}, but got '{}'",
        declared.constraint.summary,
        type_to_string(context, ty)
    );
    Err(op.op_error(context, message))
}

/// Checks the number of blocks of each region.
pub(super) fn verify_region_shapes(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
) -> VerifyResult {
    if definition.regions.is_empty() {
        return Ok(());
    }
    for (number, region) in op.regions(context).enumerate() {
        let last = definition.regions.len() - 1;
        let declared = &definition.regions[number.min(last)];
        let blocks = region.blocks(context).take(2).count();
        let wanted = match declared.constraint {
            RegionConstraint::MinOneBlock if blocks == 0 => "region with at least 1 blocks",
            RegionConstraint::OneBlock if blocks != 1 => "region with 1 blocks",
            RegionConstraint::MaxOneBlock if blocks > 1 => "region with at most 1 blocks",
            _ => continue,
        };
        let message = format!(
            "region #{number} ('{}') failed to verify constraint: {wanted}",
            camel_case(declared.name)
        );
        return Err(op.op_error(context, message));
    }
    Ok(())
}

/// Converts `body_region` to `bodyRegion`, the spelling in MLIR's messages.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}

/// Verifies discardable attributes (`dialect.name = value`) with the verifiers of their dialects.
pub(super) fn verify_discardable(context: &Context, op: Operation) -> VerifyResult {
    let attributes = op.attributes(context);
    if attributes == Attribute::EMPTY_DICTIONARY {
        return Ok(());
    }
    for (key, value) in attributes.entries(context) {
        let key = key.text(context);
        let Some((dialect, _)) = key.split_once('.') else {
            continue;
        };
        if let Some(verify) = context
            .dialect(dialect)
            .and_then(|dialect| dialect.verify_attribute)
        {
            verify(context, op, key, *value)?;
        }
    }
    Ok(())
}
