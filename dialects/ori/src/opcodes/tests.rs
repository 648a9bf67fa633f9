use std::collections::BTreeSet;

use super::*;
use crate::operations::OPERATIONS;

#[test]
fn every_operation_has_a_row_and_every_row_a_known_operation() {
    let declared: BTreeSet<_> = OPERATIONS.iter().map(|op| op.name.to_owned()).collect();
    let named = Entry::all().iter().filter_map(|entry| entry.operation);
    let named: BTreeSet<_> = named.map(str::to_owned).collect();
    assert_eq!(declared, named);
    assert_eq!(declared.len(), OPERATIONS.len(), "a name is declared twice");
}

#[test]
fn declared_effects_follow_from_the_table() {
    let structural = ["ori.func", "ori.memory", "ori.alias", "ori.inst"];
    let branches = ["ori.bra", "ori.cond_bra", "ori.brx"];
    let mut different = Vec::new();
    for operation in OPERATIONS {
        if structural.contains(&operation.name) || branches.contains(&operation.name) {
            continue;
        }
        for row in Entry::of_operation(operation.name) {
            let (said, follows) = (operation.effects, effects(row));
            if said != follows {
                different.push(format!(
                    "{}: {said:?}, {}: {follows:?}",
                    operation.name, row.name
                ));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn predicate_rows_write_predicates() {
    for operation in OPERATIONS {
        let writes = operation.results.iter().any(|result| {
            let name = result.constraint.summary;
            result.variadicity == orison_ir::declare::Variadicity::One
                && (name == "predicate" || name == "uniform predicate")
        });
        for row in Entry::of_operation(operation.name) {
            if writes {
                assert!(row.has(Flag::Predicate), "{}", row.name);
            }
        }
    }
}

#[test]
fn the_row_depends_on_modifiers() {
    let mut context = Context::new();
    orison_host::register(&mut context);
    crate::register(&mut context);
    let text = "%a = ori.undef : !ori.r128\n%b = ori.undef : !ori.r64\n\
                %d = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %a \
                : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128\n";
    let source = orison_ir::Source {
        name: "a.mlir",
        text,
        first_line: 1,
    };
    let module = orison_ir::parse_source(&mut context, source).expect("well-formed");
    let body = module.regions(&context).next().expect("a region");
    let block = body.first_block(&context).expect("a block");
    let hmma = block.last_op(&context).expect("three operations");
    let row = of(&context, hmma).expect("a row");
    assert_eq!(row.name, "HMMA_16816");
    assert_eq!(effects(row), Effects::None);
    assert!(row.has(Flag::Convergent));
}
