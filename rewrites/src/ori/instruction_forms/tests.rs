//! The tables, and the notation.

use orison_ir::declare::OperationDefinition;
use orison_ori::operations::OPERATIONS;

use super::*;

/// The operations without a form: code writes them (branches, calls, the stack, blocks of uniform
/// registers), or they are constants, parts or symbols.
const WRITTEN: [&str; 34] = [
    "address_of",
    "alias",
    "alloca",
    "bra",
    "brx",
    "bssy",
    "call",
    "call_indirect",
    "cbank",
    "concat",
    "cond_bra",
    "createpolicy",
    "exit",
    "exit_if",
    "extract",
    "func",
    "imm",
    "kill",
    "memory",
    "ret",
    "slot_address",
    "stack_restore",
    "stack_save",
    "tcgen05.ld",
    "tcgen05.mma",
    "tcgen05.st",
    "ublkcp",
    "ublkred",
    "undef",
    "utmaldg",
    "utmapf",
    "utmaredg",
    "utmastg",
    "wgmma.mma",
];

/// The operations that have no instruction yet, and what is not modelled.
const MISSING: [&str; 11] = [
    "createpolicy_range",
    "inst",
    "suatom",
    "suld",
    "sured",
    "sust",
    "tex",
    "tld",
    "tld4",
    "txd",
    "txq",
];

#[test]
fn the_tables_are_well_formed() {
    for (name, forms) in forms().expect("TOML") {
        assert_eq!(forms.parse().err(), None, "{name}");
    }
    assert_eq!(words().err(), None);
}

fn definition(name: &str) -> &'static OperationDefinition {
    let full = format!("ori.{name}");
    let found = OPERATIONS.iter().find(|known| known.name == full);
    found.unwrap_or_else(|| panic!("no operation 'ori.{name}'"))
}

#[test]
fn every_operation_has_a_form_or_is_written_by_code() {
    let names = OPERATIONS
        .iter()
        .map(|known| known.name.trim_start_matches("ori."));
    let without: Vec<&str> = names.filter(|name| !FORMS.contains_key(*name)).collect();
    let mut expected: Vec<&str> = WRITTEN.iter().chain(&MISSING).copied().collect();
    expected.sort_unstable();
    let mut found = without;
    found.sort_unstable();
    assert_eq!(found, expected);
}

/// Every name in a form is one of its operation: an operand, a result or an attribute.
#[test]
fn forms_name_what_their_operations_have() {
    for (name, forms) in &*FORMS {
        let definition = definition(name);
        let is_value = |group: &str| {
            let mut all = definition.operands.iter().chain(definition.results);
            all.any(|value| value.name == group)
        };
        let is_key = |key: &str| definition.attribute(key).is_some();
        for form in forms.get() {
            for condition in &form.conditions {
                match condition {
                    Condition::Present(found, _) => assert!(
                        is_value(&found.group) || is_key(&found.group),
                        "{name}: {condition:?}"
                    ),
                    Condition::Keyword(key, words) => {
                        let set = definition
                            .attribute(key)
                            .and_then(|key| key.constraint.keywords);
                        let set = set.unwrap_or_else(|| panic!("{name}: {key}"));
                        let mut all = words.iter();
                        assert!(
                            all.all(|word| set.words.contains(&&**word)),
                            "{name}: {condition:?}"
                        );
                    }
                    Condition::Operand(group, _) => assert!(is_value(group), "{name}: {group}"),
                    Condition::Since(_) | Condition::Until(_) => {}
                }
            }
            for template in &form.instructions {
                for piece in &template.mnemonic {
                    match piece {
                        Piece::Text(_) => {}
                        Piece::Word { key, .. } | Piece::Flag { key, .. } => {
                            assert!(is_key(key), "{name}: {key}");
                        }
                    }
                }
                for slot in &template.operands {
                    match slot {
                        Slot::Value(slot) => {
                            assert!(is_value(&slot.name.group), "{name}: {:?}", slot.name);
                        }
                        Slot::Number(key) | Slot::Special(key) | Slot::Word(key) => {
                            assert!(is_key(key), "{name}: {key}");
                        }
                        Slot::Address(AddressForm::Operand { name: group, .. }) => {
                            assert!(is_value(group), "{name}: {group}");
                        }
                        Slot::Address(_) | Slot::Literal(_) => {}
                    }
                }
            }
        }
    }
}
