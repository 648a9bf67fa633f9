//! Listing suites, tests and features.

use std::collections::BTreeSet;

use super::condition;
use super::discovery::Test;
use super::options::Options;
use super::run::Plan;
use super::script;

/// The lists that the options request.
pub(super) fn list(options: &Options, plan: &Plan<'_>) -> String {
    let mut out = String::new();
    if options.show_suites {
        out.push_str(&suites(plan));
    }
    if options.show_tests {
        out.push_str("-- Available Tests --\n");
        let tests = plan.tests.iter();
        tests.for_each(|test| out.push_str(&format!("  {}\n", test.name())));
    }
    if options.show_used_features {
        let used: BTreeSet<String> = plan.tests.iter().flat_map(used_features).collect();
        let used: Vec<String> = used.into_iter().collect();
        out.push_str(&format!("{}\n", used.join(" ")));
    }
    out
}

fn suites(plan: &Plan<'_>) -> String {
    let mut out = String::from("-- Test Suites --\n");
    for (root, context) in plan.suites() {
        let tests: Vec<&Test> = plan
            .tests
            .iter()
            .filter(|test| test.suite.root == root)
            .collect();
        let features: Vec<&str> = context.features.iter().map(String::as_str).collect();
        let name = tests.first().map_or("", |test| test.suite.name.as_str());
        let output_root = context.output_root.display();
        out.push_str(&format!("  {name} - {} tests\n", tests.len()));
        out.push_str(&format!("    Source Root: {}\n", root.display()));
        out.push_str(&format!("    Exec Root  : {output_root}\n"));
        out.push_str(&format!("    Available Features: {}\n", features.join(" ")));
    }
    out
}

/// The features in the conditions of a test; empty if it cannot be read.
fn used_features(test: &Test) -> Vec<String> {
    let text = std::fs::read(test.source()).unwrap_or_default();
    let Ok(script) = script::parse(&text) else {
        return Vec::new();
    };
    script
        .requires
        .iter()
        .chain(&script.unsupported)
        .chain(&script.expected_failures)
        .flat_map(|text| condition::names(text))
        .collect()
}
