//! The peepholes of `ori` as equations: saturation finds what a peephole finds, from the rules of
//! `rules.toml` and those in code alone. The exceptions are listed.
//!
//! Each peephole rewrites its example in `tests/ori-patterns`; original and result are read into one
//! graph, where both returned values become one class.

use std::path::Path;

use orison_ir::pass::PassManager;
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};
use orison_rewrites::ori::general_optimize::pattern_rules;
use orison_rewrites::ori::general_optimize::read::Reader;
use orison_rewrites::ori::general_optimize::saturate::{Limits, Permission, saturate};
use orison_rewrites::ori::peephole::rules;

use crate::programs::{read, run_passes};

/// The default limits of the pass.
const LIMITS: Limits = Limits {
    nodes: 2500,
    iterations: 8,
    matches: 100,
};

/// Peepholes whose equations saturation does not find, by the reason.
const BEYOND: &[(&str, &[&str])] = &[
    (
        "terms have at most 64 bits",
        &[
            "ori-concat-extract-four",
            "ori-extract-concat-four",
            "ori-extract-extract",
        ],
    ),
    (
        "forms without an operator: directed rounding, an unknown choice, the low word of a right \
         shift by at most 32",
        &[
            "ori-dfma-one",
            "ori-ffma-one",
            "ori-imnmx-same",
            "ori-shf-funnel-or-low",
            "ori-shf-funnel-or-low-turned",
            "ori-ushf-funnel-or-low",
            "ori-ushf-funnel-or-low-turned",
            "ori-vimnmx-same",
        ],
    ),
    (
        "no rule takes an unknown factor out of a sum",
        &["ori-imad-common-factor", "ori-uimad-common-factor"],
    ),
];

/// The text of the example of a rule.
fn example(name: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ori-patterns");
    let head = format!(
        "ori.func @{}(",
        name.trim_start_matches("ori-").replace('-', "_")
    );
    let files = std::fs::read_dir(folder).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    texts.into_iter().find_map(|text| {
        let start = text.find(&head)?;
        let end = start + text[start..].find("\n}")? + 2;
        Some(text[start..end].to_owned())
    })
}

/// The lines of the function of a module: its head, its operations, and its return.
fn lines(context: &Context, module: Operation) -> Vec<String> {
    let text = print_to_string(context, module, &PrintFlags::default());
    let lines = text.lines().map(str::trim);
    let lines = lines.skip_while(|line| !line.starts_with("ori.func"));
    lines
        .take_while(|line| *line != "}")
        .map(str::to_owned)
        .collect()
}

/// A line whose values, other than arguments, have other names.
fn renamed(line: &str) -> String {
    let mut parts = line.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let prefix = if part.starts_with("arg") {
            "%"
        } else {
            "%after"
        };
        text + prefix + part
    })
}

/// A function that computes what the example does before and after the rule, and returns both.
fn before_and_after(name: &str) -> Option<String> {
    let (mut context, module) = read(&example(name)?);
    let before = lines(&context, module);
    let pass = format!("ori-peephole{{enable-patterns={name}}}");
    run_passes(&mut PassManager::default(), &mut context, module, &pass);
    let after = lines(&context, module);
    assert_ne!(before, after, "{name} does not apply");
    let (first, before) = before.split_first()?;
    let (result, before) = before.split_last()?;
    let (new, after) = after[1..].split_last()?;
    let (value, ty) = result.strip_prefix("ori.ret ")?.split_once(" : ")?;
    let new = renamed(new);
    let (new, _) = new.strip_prefix("ori.ret ")?.split_once(" : ")?;
    let (head, tail) = first.split_once(" -> ")?;
    let (_, tail) = tail.split_once(" target ")?;
    let after: Vec<String> = after.iter().map(|line| renamed(line)).collect();
    Some(format!(
        "{head} -> ({ty}, {ty}) target {tail}\n{}\n{}\nori.ret {value}, {new} : {ty}, {ty}\n}}",
        before.join("\n"),
        after.join("\n")
    ))
}

/// Whether saturation finds that both returned values are equal.
fn finds(text: &str) -> bool {
    let (mut context, module) = read(text);
    // The pass attaches to operations how they become terms.
    let source = Source {
        name: "empty.mlir",
        text: "ori.func @g() target \"sm_100a\" {\n  ori.ret\n}",
        first_line: 1,
    };
    let empty = parse_source(&mut context, source).unwrap();
    let pass = "ori-general-optimize";
    run_passes(&mut PassManager::default(), &mut context, empty, pass);
    let function = module.body_block(&context, 0).unwrap();
    let function = function.first_op(&context).unwrap();
    let body = function.body_block(&context, 0).unwrap();
    let usable = |_| true;
    let mut reader = Reader::new(&context, false, &usable);
    for op in body.operations(&context) {
        reader.absorb(op);
    }
    let last = body.last_op(&context).unwrap();
    let classes: Option<Vec<_>> = last
        .operands(&context)
        .map(|value| reader.class(value))
        .collect();
    let Some([before, after]) = classes.as_deref() else {
        return false;
    };
    let (before, after) = (*before, *after);
    saturate(&mut reader.graph, pattern_rules(), LIMITS, &Permission::ALL);
    reader.graph.find(before) == reader.graph.find(after)
}

#[test]
fn saturation_finds_what_peepholes_find() {
    let mut missed = Vec::new();
    let mut found = 0;
    for rule in rules().iter().filter(|rule| rule.pattern.is_some()) {
        let text = before_and_after(rule.name);
        if text.is_some_and(|text| finds(&text)) {
            found += 1;
        } else {
            missed.push(rule.name);
        }
    }
    missed.sort_unstable();
    let mut expected: Vec<&str> = BEYOND
        .iter()
        .flat_map(|(_, names)| names.iter().copied())
        .collect();
    expected.sort_unstable();
    println!("{found} of {} peepholes", found + missed.len());
    assert_eq!(missed, expected);
}
