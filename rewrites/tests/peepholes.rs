//! Every peephole of `ori` has an example and a counterexample in `tests/ori-patterns`, named after
//! it: `@iadd3_zeros` and `@iadd3_zeros_not` for `ori-iadd3-zeros`.

use std::collections::BTreeMap;
use std::path::Path;

use orison_ir::pass::{PassManager, Pipeline, RuleCounts};
use orison_ir::{Context, Rule, Source, parse_source};
use orison_rewrites::ori::peephole::{Peephole, PeepholeOptions, rules};

/// The text of the test functions, by name.
fn functions() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ori-patterns");
    let mut functions = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the tests are there") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a text");
        for part in text.split("ori.func @").skip(1) {
            let name = part.split('(').next().unwrap_or_default().to_owned();
            let end = part.find("\n}").expect("the function ends") + 2;
            let before = functions.insert(name.clone(), format!("ori.func @{}", &part[..end]));
            assert!(before.is_none(), "two functions are named '{name}'");
        }
    }
    functions
}

/// How often a rule applies to a function, without other rules.
fn applied(rule: &'static Rule, text: &str) -> u64 {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: rule.name,
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the function is well-formed");
    let options = PeepholeOptions {
        enable_patterns: vec![rule.name.to_owned()],
        ..PeepholeOptions::default()
    };
    let mut pipeline = Pipeline::on("builtin.module");
    pipeline.add(<Peephole as orison_ir::pass::Pass>::create(options));
    let mut manager = PassManager::default();
    let result = manager.run(&mut context, &pipeline, module, &mut String::new());
    assert!(
        result.is_ok(),
        "{}: {:?}",
        rule.name,
        context.diagnostics.take()
    );
    let counts = manager.control().counts().get(rule.name).copied();
    counts.unwrap_or(RuleCounts::default()).applied
}

#[test]
fn every_rule_has_an_example_and_a_counterexample() {
    let functions = functions();
    for rule in rules() {
        let name = rule.name.trim_start_matches("ori-").replace('-', "_");
        let of = |name: &str| {
            let text = functions.get(name);
            text.unwrap_or_else(|| panic!("tests/ori-patterns has no '@{name}'"))
        };
        assert!(
            applied(rule, of(&name)) > 0,
            "'{}' does not apply",
            rule.name
        );
        let left_alone = of(&format!("{name}_not"));
        assert_eq!(
            applied(rule, left_alone),
            0,
            "'{}' applies to @{name}_not",
            rule.name
        );
    }
}
