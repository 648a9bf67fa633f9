//! The operands and attributes that the interpreter implements, per operation.

use std::ops::Range;
use std::sync::OnceLock;

use orison_ir::{Context, Operation};
use rustc_hash::{FxHashMap, FxHashSet};

/// The table file.
const FILE: &str = include_str!("operations.toml");

/// Operands and attributes that any operation may have; all are implemented.
const OF_ALL: [&str; 3] = ["guard", "otherwise", "modifiers"];

/// The contents of the table file.
struct Table {
    without_effect: FxHashSet<String>,
    pure_attributes: FxHashSet<String>,
    operations: FxHashMap<String, FxHashSet<String>>,
    refused: FxHashMap<String, String>,
}

fn names(value: Option<&toml::Value>) -> FxHashSet<String> {
    let all = value.and_then(toml::Value::as_array).into_iter().flatten();
    all.filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect()
}

impl Table {
    fn parse(text: &str) -> Self {
        // An unreadable file yields an empty table, so that every operation is rejected; a test
        // parses it.
        let file: toml::Table = text.parse().unwrap_or_default();
        let section = |name: &str| file.get(name).and_then(toml::Value::as_table).cloned();
        let section = |name: &str| section(name).unwrap_or_default();
        let operations = section("operations").into_iter();
        let refused = section("refused").into_iter();
        Table {
            without_effect: section("without_effect")
                .into_iter()
                .map(|(key, _)| key)
                .collect(),
            pure_attributes: names(section("pure").get("attributes")),
            operations: operations
                .map(|(name, all)| (name, names(Some(&all))))
                .collect(),
            refused: refused
                .filter_map(|(name, why)| Some((name, why.as_str()?.to_owned())))
                .collect(),
        }
    }

    /// Whether operands or attributes of a name are implemented on any operation.
    fn is_known(&self, key: &str) -> bool {
        self.without_effect.contains(key) || OF_ALL.contains(&key)
    }

    fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| Table::parse(FILE))
    }
}

/// Why an operation stops a run; `None` if all its operands and attributes are implemented.
pub(super) fn refused(
    context: &Context,
    op: Operation,
    group: &dyn Fn(&str) -> Range<usize>,
) -> Option<String> {
    let table = Table::get();
    let name = op.name_text(context);
    if let Some(why) = table.refused.get(name) {
        let mnemonic = op.attribute(context, "mnemonic");
        let what = mnemonic
            .and_then(|text| text.as_str(context))
            .unwrap_or(name);
        return Some(format!(
            "'{what}' is not modelled by the interpreter: {why}"
        ));
    }
    let definition = op.definition(context)?;
    let mut attributes = definition.attributes.iter().map(|attribute| attribute.name);
    let given = |key: &str| op.attribute(context, key).is_some();
    let unknown = match table.operations.get(name) {
        Some(done) => {
            let known = |key: &str| done.contains(key) || table.is_known(key);
            let mut operands = definition.operands.iter().map(|operand| operand.name);
            let operand = operands.find(|name| !known(name) && !group(name).is_empty());
            operand.or_else(|| attributes.find(|key| !known(key) && given(key)))
        }
        None if orison_ori::semantics::is_pure(name) => {
            let known = |key: &str| table.pure_attributes.contains(key) || table.is_known(key);
            attributes.find(|key| !known(key) && given(key))
        }
        None => return Some(format!("'{name}' is not modelled by the interpreter")),
    }?;
    Some(format!(
        "'{unknown}' of '{name}' is not modelled by the interpreter"
    ))
}

#[cfg(test)]
mod tests {
    use orison_ori::operations::OPERATIONS;

    use super::*;

    /// Operands and attributes that are rejected, with the operation.
    const REFUSED: [(&str, &str); 11] = [
        ("ori.wgmma.mma", "metadata"),
        ("ori.wgmma.mma", "selector"),
        ("ori.tcgen05.mma", "scales"),
        ("ori.utmastg", "im2col"),
        ("ori.utmastg", "form"),
        ("ori.utmaldg", "form"),
        ("ori.utmaredg", "im2col"),
        ("ori.ublkcp", "bytes"),
        ("ori.ldsm", "cells"),
        ("ori.ldsm", "narrow"),
        ("ori.stsm", "cells"),
    ];

    #[test]
    fn the_file_says_something_of_every_operation() {
        let file: toml::Table = FILE.parse().unwrap();
        let table = Table::get();
        let declarations = file["declarations"].as_table().unwrap();
        let mut known = FxHashSet::default();
        for definition in OPERATIONS {
            let name = definition.name;
            known.insert(name);
            let pure = orison_ori::semantics::is_pure(name);
            let told = [
                table.operations.contains_key(name),
                table.refused.contains_key(name),
                declarations.contains_key(name),
            ];
            let count = told.iter().filter(|told| **told).count() + usize::from(pure && !told[0]);
            assert_eq!(
                count, 1,
                "{name} has one place in operations.toml, or computes"
            );
        }
        let all = table.operations.keys().chain(table.refused.keys());
        for name in all.chain(declarations.keys()) {
            assert!(known.contains(name.as_str()), "{name} is no operation");
        }
    }

    #[test]
    fn the_file_says_something_of_every_attribute_and_operand() {
        let table = Table::get();
        let mut wrong = Vec::new();
        for definition in OPERATIONS {
            let name = definition.name;
            let attributes: Vec<_> = definition.attributes.iter().map(|it| it.name).collect();
            let operands: Vec<_> = definition.operands.iter().map(|it| it.name).collect();
            let Some(done) = table.operations.get(name) else {
                if orison_ori::semantics::is_pure(name) {
                    for key in &attributes {
                        if !table.pure_attributes.contains(*key) && !table.is_known(key) {
                            wrong.push(format!("{name}: {key}"));
                        }
                    }
                }
                continue;
            };
            for key in attributes.iter().chain(&operands) {
                let told = done.contains(*key) || table.is_known(key);
                let refused = REFUSED.contains(&(name, key));
                if told == refused {
                    wrong.push(format!("{name}: {key}"));
                }
            }
            for key in done {
                let declared =
                    attributes.contains(&key.as_str()) || operands.contains(&key.as_str());
                if !declared {
                    wrong.push(format!("{name} has no {key}"));
                }
            }
        }
        assert_eq!(wrong, Vec::<String>::new());
    }
}
