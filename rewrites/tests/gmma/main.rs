//! `ori-gmma` reports what ptxas 13.0.88 reports, on programs with its recorded answers.

mod reports;

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::read::GzDecoder;
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

/// What ptxas reports; 7600 comes with 7602 and is about register allocation.
fn wanted(program: &Program) -> BTreeSet<(u32, String)> {
    let codes = program.codes.iter().cloned();
    codes.filter(|(code, _)| *code != 7600).collect()
}

#[test]
fn reports_are_those_of_ptxas() {
    let registry = reports::registry();
    let differences: Differences =
        toml::from_str(include_str!("differences.toml")).expect("a table");
    let known = |name: &str| differences.difference.iter().find(|one| one.name == name);
    let (mut random, mut same) = (0, 0);
    let mut counted = [0, 0];
    for program in programs() {
        let flags = reports::Flags::of(&program.flags);
        let told = reports::report(&registry, &program.ptx, flags);
        let told = told.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let codes: BTreeSet<(u32, String)> = told.codes.into_iter().collect();
        let agrees = codes == wanted(&program);
        if let Some(difference) = known(&program.name) {
            assert!(!difference.reason.is_empty());
            assert!(!agrees, "{}: no difference any more", program.name);
        } else {
            assert!(
                agrees,
                "{}: {codes:?} instead of {:?}",
                program.name,
                wanted(&program)
            );
        }
        if program.family != "hand" {
            random += 1;
            same += usize::from(agrees);
        }
        // Copies in loops that ptxas unrolled count several times in its code.
        if agrees && program.products == Some(told.products) {
            counted[0] += 1;
            let want = [program.arrives, program.waits];
            let got = [Some(told.arrives), Some(told.waits)];
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
