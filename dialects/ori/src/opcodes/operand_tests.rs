//! Declarations agree with the instruction table on the register files and widths of operands.
//!
//! Roles have no names, and operands of an operation are in another order than in the text of
//! nvdisasm. So each result and operand needs a role with one of its register files, those that are
//! always there a role each, and one of its widths must be a width of an operand of the instruction.

use std::collections::BTreeSet;

use orison_ir::declare::{OperationDefinition, TypeBound, ValueDefinition, Variadicity};
use orison_machine::{Entry, Opcode, OperandKind, Role, Row, Slot, Width};

use crate::operations::OPERATIONS;

/// Operands and results that are not in the text of the instruction.
const NOT_IN_THE_TEXT: [(&str, &str); 7] = [
    // Accumulators, which have their registers since the product was issued.
    ("ori.wgmma.wait", "complete"),
    ("ori.warpgroup.wait", "complete"),
    // The callee writes them.
    ("ori.call", "results"),
    ("ori.call_indirect", "results"),
    // `B2R` reads it.
    ("ori.bar", "reduced"),
    // The barrier that is read is written.
    ("ori.break", "rest"),
    // ptxas 13.0 drops it.
    ("ori.elect", "mask"),
];

/// Register files and numbers of registers that a declaration allows; any number for accumulators.
fn allowed(value: &ValueDefinition) -> Vec<(OperandKind, Option<u8>)> {
    let register = |bound: &TypeBound| {
        let (TypeBound::Named(name) | TypeBound::Is(name)) = bound;
        Some(match *name {
            "ori.r" => (OperandKind::General, Some(1)),
            "ori.r64" => (OperandKind::General, Some(2)),
            "ori.r128" => (OperandKind::General, Some(4)),
            "ori.acc" => (OperandKind::General, None),
            "ori.ur" => (OperandKind::Uniform, Some(1)),
            "ori.ur64" => (OperandKind::Uniform, Some(2)),
            "ori.p" => (OperandKind::Predicate, None),
            "ori.up" => (OperandKind::UniformPredicate, None),
            "ori.b" => (OperandKind::Convergence, None),
            _ => return None,
        })
    };
    let bounds = value.constraint.bounds.iter();
    bounds.filter_map(register).collect()
}

/// Whether an operand with this role has several registers, in parts of an address or a descriptor.
fn is_address(role: Role) -> bool {
    [
        OperandKind::Memory,
        OperandKind::Descriptor,
        OperandKind::MatrixDescriptor,
        OperandKind::TensorMemory,
        OperandKind::Code,
    ]
    .into_iter()
    .any(|kind| role.allows(kind))
}

/// Whether a value may be an operand with a role. A constant is a value too.
fn fits(role: Role, value: &ValueDefinition) -> bool {
    let constant = [OperandKind::Number, OperandKind::Constant];
    let is = |file| match file {
        OperandKind::Predicate => role.allows(file) || role.allows(OperandKind::Predicates),
        _ => role.allows(file),
    };
    is_address(role)
        || constant.into_iter().any(|kind| role.allows(kind))
        || allowed(value).iter().any(|(file, _)| is(*file))
}

/// Whether there is a role for each value, that of an address for any number of them.
fn have_roles(roles: &[Role], values: &[&ValueDefinition]) -> bool {
    let Some((value, more)) = values.split_first() else {
        return true;
    };
    (0..roles.len()).any(|place| {
        let mut others = roles.to_vec();
        if !is_address(roles[place]) {
            others.remove(place);
        }
        fits(roles[place], value) && have_roles(&others, more)
    })
}

/// The numbers of registers of the operands in slots; `None` if there may be any number.
fn widths(row: &Row, entry: &Entry, slots: &[Slot], every: Slot) -> Option<BTreeSet<u8>> {
    let modifiers: Vec<&str> = entry.mnemonic.split('.').skip(1).collect();
    let mut all = BTreeSet::new();
    for slot in slots {
        let mut known = BTreeSet::from([1]);
        for widths in row.widths {
            let mut runs = modifiers.windows(widths.has.len().max(1));
            let certain = widths.has.is_empty() || runs.any(|run| run == widths.has);
            for (_, width) in widths
                .of
                .iter()
                .filter(|(of, _)| of == slot || *of == every)
            {
                if certain {
                    known.clear();
                }
                match width {
                    Width::Count(count) => known.extend([*count]),
                    Width::Data => known.extend([1, 2, 3, 4, 8]),
                    Width::Selected => known.extend([1, 2]),
                    _ => return None,
                }
            }
        }
        all.extend(known);
    }
    Some(all)
}

/// What an operation says of its operands or results and an entry of it contradicts.
fn contradictions(operation: &OperationDefinition, entry: &Entry) -> Vec<String> {
    let Some(row) = entry.opcode.map(Opcode::row) else {
        return Vec::new();
    };
    let Some(roles) = row.roles else {
        return Vec::new();
    };
    let sources = (0..8).map(Slot::Source).chain([Slot::Last]);
    let sources: Vec<Slot> = sources.collect();
    let written = [Slot::Destination(0), Slot::Destination(1)];
    let mut wrong = Vec::new();
    for (what, values, roles, widths) in [
        (
            "results",
            operation.results,
            roles.results,
            widths(row, entry, &written, Slot::Destinations),
        ),
        (
            "operands",
            operation.operands,
            roles.sources,
            widths(row, entry, &sources, Slot::Sources),
        ),
    ] {
        let is_said = |value: &&ValueDefinition| {
            !["guard", "otherwise"].contains(&value.name)
                && !NOT_IN_THE_TEXT.contains(&(operation.name, value.name))
                && !allowed(value).is_empty()
        };
        let own: Vec<_> = values.iter().filter(is_said).collect();
        let mut say = |what: String| {
            let (operation, file, line) = (operation.name, row.file, row.line);
            wrong.push(format!(
                "{operation}: {what} ({} at {file}:{line})",
                entry.name
            ));
        };
        let addressed = roles.iter().any(|role| is_address(*role));
        for value in &own {
            if !roles.iter().any(|role| fits(*role, value)) {
                say(format!("no role has a register file of '{}'", value.name));
            }
            let possible = |count: Option<u8>| match (&widths, count) {
                (Some(widths), Some(count)) => addressed || widths.contains(&count),
                _ => true,
            };
            if !allowed(value).iter().any(|(_, count)| possible(*count)) {
                say(format!("no operand has the width of '{}'", value.name));
            }
        }
        let required = own.iter().copied();
        let required: Vec<_> = required
            .filter(|value| value.variadicity == Variadicity::One)
            .collect();
        if !have_roles(roles, &required) {
            say(format!("not every one of its {what} has a role"));
        }
    }
    wrong
}

#[test]
fn operands_agree_with_the_table() {
    let mut wrong = Vec::new();
    for operation in OPERATIONS {
        for entry in Entry::of_operation(operation.name) {
            wrong.extend(contradictions(operation, entry));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Operations of one datapath contradict the entries of the same operation on the other one.
#[test]
fn an_operation_contradicts_the_other_datapath() {
    let mut checked = 0;
    for operation in OPERATIONS {
        for entry in Entry::of_operation(operation.name).filter_map(Entry::general) {
            let has_roles = entry
                .opcode
                .is_some_and(|opcode| opcode.row().roles.is_some());
            let found = contradictions(operation, entry);
            assert_eq!(
                !found.is_empty(),
                has_roles,
                "{}, {}",
                operation.name,
                entry.name
            );
            checked += usize::from(has_roles);
        }
    }
    assert!(checked > 20, "{checked}");
}
