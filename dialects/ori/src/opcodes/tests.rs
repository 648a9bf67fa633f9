use std::collections::BTreeSet;

use super::*;
use crate::ORI;
use crate::operations::OPERATIONS;

#[test]
fn every_base_entry_has_a_row_with_its_number() {
    for number in 0..BASE_ENTRIES {
        let row = table().numbered(number).expect("a row for each number");
        assert_eq!(row.number, Some(number));
    }
    assert!(table().numbered(BASE_ENTRIES).is_none());
}

#[test]
fn rows_are_found_by_name() {
    for row in table().rows() {
        assert!(std::ptr::eq(
            table().named(&row.name).expect("by name"),
            row
        ));
    }
    assert!(table().named("NO_SUCH_ENTRY").is_none());
}

#[test]
fn every_operation_has_a_row_and_every_row_a_known_operation() {
    let declared: BTreeSet<_> = OPERATIONS.iter().map(|op| op.name.to_owned()).collect();
    let named: BTreeSet<_> = table()
        .rows()
        .iter()
        .filter_map(|row| row.operation.clone())
        .collect();
    assert_eq!(declared, named);
    assert_eq!(declared.len(), OPERATIONS.len(), "a name is declared twice");
}

#[test]
fn several_rows_of_one_operation_are_told_apart() {
    for operation in OPERATIONS {
        let conditions: Vec<_> = table().of_operation(operation.name).collect();
        let plain = conditions.iter().filter(|row| row.when.is_none()).count();
        assert_eq!(plain, 1, "rows of {} without a condition", operation.name);
        let distinct: BTreeSet<_> = conditions.iter().map(|row| &row.when).collect();
        assert_eq!(
            distinct.len(),
            conditions.len(),
            "rows of {}",
            operation.name
        );
        for when in conditions.iter().filter_map(|row| row.when.as_deref()) {
            let known = operation.attributes.iter().any(|attribute| {
                attribute.name == when
                    || crate::keywords::words_of(attribute.name)
                        .is_some_and(|words| words.contains(&when))
            });
            assert!(known, "'{when}' is not a modifier of {}", operation.name);
        }
    }
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
        for row in table().of_operation(operation.name) {
            let (said, follows) = (operation.effects, row.effects());
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
fn markers_and_pseudo_rows_issue_nothing() {
    for row in table().rows() {
        let nothing = matches!(row.category, Category::Marker | Category::Pseudo);
        if nothing {
            assert!(row.mnemonic.is_empty(), "{}", row.name);
            assert_eq!(row.pipe, Pipe::None, "{}", row.name);
        }
        if row.mnemonic.is_empty() {
            assert_eq!(row.number.filter(|_| !nothing), None, "{}", row.name);
        }
        let known = ["instructions", "sass", "gmma", "ori"];
        assert!(known.contains(&row.source.as_str()), "{}", row.source);
        assert_eq!(
            row.number.is_some(),
            row.source == "instructions",
            "{}",
            row.name
        );
        assert!(row.number.is_none() || row.cycles.is_some(), "{}", row.name);
    }
}

#[test]
fn memory_rows_say_what_they_touch() {
    for row in table().rows() {
        let touches = !row.reads.is_empty() || !row.writes.is_empty();
        if row.category == Category::Memory && !row.mnemonic.is_empty() {
            let asks = ["QSPC"].contains(&row.mnemonic.as_str());
            assert!(touches || asks, "{}", row.name);
        }
        if matches!(
            row.category,
            Category::Integer | Category::Float | Category::Double
        ) {
            assert!(!touches, "{}", row.name);
        }
    }
}

#[test]
fn predicate_rows_write_predicates() {
    for operation in OPERATIONS {
        let writes = operation.results.iter().any(|result| {
            let name = result.constraint.summary;
            result.variadicity == orison_ir::declare::Variadicity::One
                && (name == "predicate" || name == "uniform predicate")
        });
        for row in table().of_operation(operation.name) {
            if writes {
                assert!(row.has(Flag::Predicate), "{}", row.name);
            }
        }
    }
}

#[test]
fn words_and_keys_agree_with_the_declarations() {
    for operation in OPERATIONS {
        for attribute in operation.attributes {
            let summary = attribute.constraint.summary;
            let words = crate::keywords::words_of(attribute.name);
            assert_eq!(
                summary.starts_with("one of"),
                words.is_some(),
                "{} of {}",
                attribute.name,
                operation.name
            );
            if let Some(words) = words {
                let expected = format!("one of '{}'", words.join("' '"));
                assert_eq!(
                    summary, expected,
                    "{} of {}",
                    attribute.name, operation.name
                );
            }
        }
    }
}

#[test]
fn a_broken_table_names_the_row() {
    let row = |name: &str, number: u16| {
        format!(
            "{{ number = {number}, name = \"{name}\", mnemonic = \"A\", category = \"integer\", \
             pipe = \"alu\", latency = \"fixed\", since = 70, source = \"sass\" }}"
        )
    };
    let table = |rows: &[String]| OpcodeTable::parse(&format!("opcodes = [{}]", rows.join(",")));
    assert!(table(&[row("A", 0), row("B", 1)]).is_ok());
    let twice = table(&[row("A", 0), row("A", 1)]).expect_err("twice");
    assert_eq!(twice, "duplicate row 'A'");
    let order = table(&[row("A", 1)]).expect_err("order");
    assert_eq!(
        order,
        "row 'A': the numbers must be consecutive and start at 0"
    );
    let unknown = table(&[row("A", 0).replace("alu", "fpu")]).expect_err("pipe");
    assert!(unknown.contains("fpu"), "{unknown}");
}

#[test]
fn the_page_is_current() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/opcodes.md");
    if std::env::var_os("ORISON_WRITE_PAGES").is_some() {
        std::fs::write(&path, page()).expect("the page is written");
    }
    let found = std::fs::read_to_string(&path).expect("the page");
    assert_eq!(found.lines().count(), page().lines().count());
    for (found, wanted) in found.lines().zip(page().lines()) {
        assert_eq!(
            found, wanted,
            "run ORISON_WRITE_PAGES=1 cargo test -p orison-ori page"
        );
    }
}

#[test]
fn the_row_depends_on_modifiers() {
    let mut context = Context::new();
    orison_host::register(&mut context);
    context.register_dialect(&ORI);
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
    assert_eq!(row.effects(), Effects::None);
    assert!(row.has(Flag::Convergent));
}
