//! The tables, and the notation.

use orison_ir::declare::OperationDefinition;
use orison_ori::operations::OPERATIONS;

use super::*;

/// The operations without a form: those that code writes, that become others before, or that need no
/// instruction.
const WITHOUT: [&str; 2] = ["", ""];

#[test]
fn the_tables_are_well_formed() {
    assert_eq!(forms().err(), None);
    assert_eq!(words().err(), None);
}

fn definition(name: &str) -> &'static OperationDefinition {
    let full = format!("ori.{name}");
    let found = OPERATIONS.iter().find(|known| known.name == full);
    found.unwrap_or_else(|| panic!("no operation 'ori.{name}'"))
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
        for form in forms {
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
                        let known = |word: &Box<str>| set.words.contains(&&**word);
                        assert!(words.iter().all(known), "{name}: {condition:?}");
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
