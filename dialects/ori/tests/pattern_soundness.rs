//! Checks that every peephole computes the same results as the operations it replaces.
//!
//! Random instances of a rule's left side are built from its text, with operands that are sometimes
//! equal, constants and modifiers; the rule is applied, and both versions are evaluated on random
//! words and on all words of 8 bits.

mod instances;

use instances::{Instance, Random};
use orison_ir::Rule;
use orison_ir::numbers::FloatKind;
use orison_ori::patterns::{selections, simplifications};

/// Required number of instances where a rule applies.
const WANTED: usize = 24;
/// Maximum number of instances tried to find those.
const ATTEMPTS: usize = 60_000;
/// Number of random inputs per instance.
const INPUTS: usize = 24;

fn rules() -> Vec<&'static Rule> {
    let mut rules = simplifications();
    rules.extend(selections());
    // Rules without text are tested where they are applied: `rewrites/tests/predicate_rules.rs`.
    rules.retain(|rule| rule.pattern.is_some());
    rules
}

/// Whether two results are equal; a NaN may have any payload.
fn same(rule: &Rule, before: u128, after: u128) -> bool {
    let kinds: &[(&str, FloatKind, u32)] = &[
        ("ori.f", FloatKind::F32, 1),
        ("ori.d", FloatKind::F64, 1),
        ("ori.hmul2", FloatKind::F16, 2),
    ];
    let is_nan = |bits: u128, exponent: u32, mantissa: u32| {
        let mantissa_bits = bits & ((1 << mantissa) - 1);
        let exponent_bits = bits >> mantissa & ((1 << exponent) - 1);
        exponent_bits == (1 << exponent) - 1 && mantissa_bits != 0
    };
    if before == after {
        return true;
    }
    let comparison = rule.root.ends_with("setp");
    let kind = kinds.iter().find(|(root, ..)| rule.root.starts_with(root));
    let Some((_, kind, count)) = kind.filter(|_| !comparison) else {
        return false;
    };
    let bfloat = rule.name.ends_with("bf16");
    let (exponent, mantissa) = match (kind, bfloat) {
        (FloatKind::F16, true) => (8, 7),
        (FloatKind::F16, false) => (5, 10),
        (FloatKind::F64, _) => (11, 52),
        _ => (8, 23),
    };
    let width = 1 + exponent + mantissa;
    (0..*count).all(|part| {
        let mask = (1_u128 << width) - 1;
        let part_of = |bits: u128| bits >> (part * width) & mask;
        let (before, after) = (part_of(before), part_of(after));
        let nans = is_nan(before, exponent, mantissa) && is_nan(after, exponent, mantissa);
        before == after || nans
    })
}

/// Compares both versions on one input; false if the original has no value there.
fn compare(rule: &Rule, before: &Instance, after: &Instance, input: &[u128]) -> bool {
    let Some(expected) = before.evaluate(input) else {
        return false;
    };
    let Some(found) = after.evaluate(input) else {
        panic!(
            "{}: no value on {input:x?}\n{}\n{}",
            rule.name,
            before.text(),
            after.text()
        );
    };
    assert!(
        same(rule, expected, found),
        "{}: {found:x} instead of {expected:x} on {input:x?}\n{}\n{}",
        rule.name,
        before.text(),
        after.text()
    );
    true
}

/// Tests one rule; returns the number of instances where it applied.
fn check(rule: &'static Rule) -> usize {
    let mut random = Random::new(rule.name);
    let mut applied = 0;
    for _ in 0..ATTEMPTS {
        if applied == WANTED {
            break;
        }
        let Some(mut after) = Instance::build(rule, &mut random) else {
            continue;
        };
        let before = after.copy();
        if !after.apply(rule) {
            continue;
        }
        let mut compared = 0;
        for _ in 0..INPUTS {
            let input = after.random_input(&mut random);
            compared += usize::from(compare(rule, &before, &after, &input));
        }
        if applied == 0 {
            for input in after.inputs_of_eight_bits(&mut random) {
                compare(rule, &before, &after, &input);
            }
        }
        applied += usize::from(compared > 0);
    }
    applied
}

#[test]
fn every_rule_computes_what_it_replaces() {
    let mut weak = Vec::new();
    for rule in rules() {
        let applied = check(rule);
        if applied < WANTED {
            weak.push(format!("{} ({applied})", rule.name));
        }
    }
    assert!(
        weak.is_empty(),
        "rules that were not tested enough: {weak:?}"
    );
}

#[test]
fn every_rule_is_a_pattern_that_fits_the_declarations() {
    let mut names = std::collections::BTreeSet::new();
    for rule in rules() {
        assert!(
            names.insert(rule.name),
            "two rules are named '{}'",
            rule.name
        );
        let pattern = rule
            .pattern
            .unwrap_or_else(|| panic!("'{}' is no pattern", rule.name));
        let tree = pattern
            .tree()
            .unwrap_or_else(|error| panic!("{}: {error}", rule.name));
        instances::check_declared(rule.name, &tree.source);
    }
}

#[test]
fn a_wrong_rule_is_found() {
    orison_ir::peephole!(
        WRONG, dialect &orison_ori::patterns::OriPatterns, ["ori.", "ori-"], benefit 1, "wrong",
        iadd3 "(x, y, 0) => lop3<lut = 0xfc>(x, y, 0)"
    );
    let result = std::panic::catch_unwind(|| check(&WRONG[0]));
    assert!(result.is_err(), "a sum is no bitwise or");
}
