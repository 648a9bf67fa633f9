//! `ori-gmma` reports what ptxas 13.0.88 reports, on programs with its recorded answers.

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::read::GzDecoder;
use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, Operation, walk};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_translate::import::{Options, import_with, register_dialects};
use serde::Deserialize;

/// The least number of random programs with the same reports.
const RANDOM_FLOOR: usize = 368;

#[derive(Deserialize)]
struct Program {
    name: String,
    family: String,
    ptx: String,
    flags: Vec<String>,
    codes: Vec<(u32, String)>,
    arrives: Option<u32>,
    waits: Option<u32>,
    products: Option<u32>,
}

#[derive(Deserialize)]
struct Differences {
    difference: Vec<Difference>,
}

#[derive(Deserialize)]
struct Difference {
    /// The program.
    name: String,
    /// Why the reports differ.
    reason: String,
}

/// The recorded programs.
fn programs() -> Vec<Program> {
    let bytes: &[u8] = include_bytes!("programs.jsonl.gz");
    let mut text = String::new();
    let read = GzDecoder::new(bytes).read_to_string(&mut text);
    read.expect("the file is compressed");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a program"))
        .collect()
}

/// What the pipeline reports, and the arrives, waits and products after it.
struct Told {
    codes: BTreeSet<(u32, String)>,
    counts: [u32; 3],
}

fn tell(registry: &PassRegistry, program: &Program) -> Told {
    let mut context = Context::new();
    register_dialects(&mut context);
    let parsed = orison_translate::ptx::parse(&program.ptx).expect("well-formed PTX");
    let options = Options {
        ptx_locations: true,
        ..Options::default()
    };
    let imported = import_with(&mut context, "program.ptx", &program.ptx, &parsed, options);
    let (module, _) = imported.expect("an import");
    context.diagnostics.take();
    let limits = program.flags.iter();
    let mut limits = limits.filter_map(|flag| flag.strip_prefix("-maxrregcount="));
    let limit = limits.next().unwrap_or("0");
    let relocatable = program.flags.iter().any(|flag| flag == "-c");
    let options = format!("max-registers={limit} relocatable={relocatable}");
    // Other modules may call the functions of a relocatable one.
    let unused = if relocatable { "" } else { "symbol-dce," };
    let text = format!("builtin.module({unused}ori-gmma{{{options}}})");
    let pipeline = registry.parse_pipeline(&text).expect("a pipeline");
    let done = run_pipeline(&mut context, &pipeline, module);
    let diagnostics = context.diagnostics.take();
    let codes: BTreeSet<(u32, String)> = diagnostics
        .iter()
        .filter_map(|diagnostic| {
            let (code, message) = diagnostic.message.strip_prefix("(C")?.split_once(") ")?;
            Some((code.parse().ok()?, message.to_owned()))
        })
        .collect();
    let fatal = codes.iter().any(|(code, _)| *code == 7602);
    assert_eq!(done.is_err(), fatal, "{}: {diagnostics:?}", program.name);
    assert!(context.verify(module).is_ok(), "{}", program.name);
    Told {
        codes,
        counts: counts(&context, module),
    }
}

fn counts(context: &Context, module: Operation) -> [u32; 3] {
    let mut counts = [0; 3];
    for op in walk::collect(context, module) {
        match role(context, op) {
            Some(Role::Arrive) => counts[0] += 1,
            Some(Role::Wait(_)) => counts[1] += 1,
            Some(Role::Product) => counts[2] += 1,
            _ => {}
        }
    }
    counts
}

/// What ptxas reports; 7600 comes with 7602 and is about register allocation.
fn wanted(program: &Program) -> BTreeSet<(u32, String)> {
    let codes = program.codes.iter().cloned();
    codes.filter(|(code, _)| *code != 7600).collect()
}

#[test]
fn reports_are_those_of_ptxas() {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let differences: Differences =
        toml::from_str(include_str!("differences.toml")).expect("a table");
    let known = |name: &str| differences.difference.iter().find(|one| one.name == name);
    let (mut random, mut same) = (0, 0);
    let mut counted = [0, 0];
    for program in programs() {
        let told = tell(&registry, &program);
        let agrees = told.codes == wanted(&program);
        if let Some(difference) = known(&program.name) {
            assert!(!difference.reason.is_empty());
            assert!(!agrees, "{}: no difference any more", program.name);
        } else {
            assert!(
                agrees,
                "{}: {:?} instead of {:?}",
                program.name,
                told.codes,
                wanted(&program)
            );
        }
        if program.family != "hand" {
            random += 1;
            same += usize::from(agrees);
        }
        // Copies in loops that ptxas unrolled count several times in its code.
        if agrees && program.products == Some(told.counts[2]) {
            counted[0] += 1;
            let want = [program.arrives, program.waits];
            let got = [Some(told.counts[0]), Some(told.counts[1])];
            counted[1] += u32::from(want == got);
        }
    }
    assert!(same >= RANDOM_FLOOR, "{same} of {random}");
    assert!(
        counted[1] * 100 >= counted[0] * 95,
        "{} of {} programs have the same numbers of arrives and waits",
        counted[1],
        counted[0]
    );
}
