//! `ori-gmma` reports what ptxas 13.0.88 reports, on programs with its recorded answers.

mod reports;

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::read::GzDecoder;
use serde::Deserialize;

/// The least number of random programs with the same reports, and of those with calls of functions that
/// are not known.
const FLOORS: [usize; 2] = [369, 37];

#[derive(Deserialize)]
struct Program {
    name: String,
    family: String,
    ptx: String,
    flags: Vec<String>,
    codes: Vec<(u32, String)>,
    arrives: Option<u32>,
    waits: Option<u32>,
}

#[derive(Deserialize)]
struct Differences {
    difference: Vec<Difference>,
    counts: Vec<Difference>,
    unrolled: Vec<Difference>,
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
    let files: [&[u8]; 2] = [
        include_bytes!("programs.jsonl.gz"),
        include_bytes!("external.jsonl.gz"),
    ];
    let mut text = String::new();
    for bytes in files {
        let read = GzDecoder::new(bytes).read_to_string(&mut text);
        read.expect("the file is compressed");
    }
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
    let known = |list: &[Difference], name: &str| list.iter().any(|one| one.name == name);
    let all = differences.difference.iter().chain(&differences.counts);
    let all = all.chain(&differences.unrolled);
    assert!(all.into_iter().all(|one| !one.reason.is_empty()));
    let mut same = [0, 0];
    let mut unrolled_otherwise: BTreeSet<String> = BTreeSet::new();
    let mut counted_otherwise: BTreeSet<String> = BTreeSet::new();
    for program in programs() {
        let flags = reports::Flags::of(&program.flags);
        let told = reports::report(&registry, &program.ptx, flags, "");
        let told = told.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let unrolled = reports::report(&registry, &program.ptx, flags, reports::UNROLLING);
        let unrolled = unrolled.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let codes: BTreeSet<(u32, String)> = told.codes.into_iter().collect();
        let codes_unrolled: BTreeSet<(u32, String)> = unrolled.codes.into_iter().collect();
        if codes != codes_unrolled {
            unrolled_otherwise.insert(program.name.clone());
        }
        let agrees = codes == wanted(&program);
        if known(&differences.difference, &program.name) {
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
            same[usize::from(program.family == "external")] += usize::from(agrees);
        }
        // ptxas makes no code of products that do not fit.
        if let (true, Some(arrives), Some(waits)) = (agrees, program.arrives, program.waits)
            && [arrives, waits] != [unrolled.arrives, unrolled.waits]
        {
            counted_otherwise.insert(program.name.clone());
        }
    }
    let names = |list: &[Difference]| list.iter().map(|one| one.name.clone()).collect();
    assert_eq!(unrolled_otherwise, names(&differences.unrolled));
    assert_eq!(counted_otherwise, names(&differences.counts));
    assert!(same[0] >= FLOORS[0] && same[1] >= FLOORS[1], "{same:?}");
}

/// A dataflow that recurses over the program would overflow the stack.
#[test]
fn ten_thousand_products_in_a_nest_and_in_a_row() {
    let stage = "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 \
                 {%d0, %d1, %d2, %d3}, %da, %da, 1, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\n";
    let program = |nested: bool| {
        let mut text = ".version 8.6\n.target sm_90a\n.address_size 64\n\
                        .visible .entry k(.param .u64 out)\n.maxntid 128\n{\n.reg .pred %p;\n\
                        .reg .b64 %out, %da;\n.reg .f32 %d<4>;\nld.param.u64 %out, [out];\n\
                        cvta.to.global.u64 %out, %out;\nmov.u64 %da, %out;\n\
                        ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%out];\n"
            .to_owned();
        let count = if nested { 3_000 } else { 10_000 };
        for number in 0..count {
            if nested {
                text += &format!("setp.lt.u64 %p, %out, {number};\n@%p bra $L{number};\n");
            }
            text += stage;
        }
        for number in (0..count).rev().filter(|_| nested) {
            text += &format!("$L{number}:\nbar.sync 0;\n");
        }
        text + "wgmma.wait_group.sync.aligned 0;\nst.global.v4.f32 [%out], {%d0, %d1, %d2, %d3};\n\
                ret;\n}\n"
    };
    let registry = reports::registry();
    for nested in [true, false] {
        let told = reports::report(&registry, &program(nested), reports::Flags::default(), "");
        let told = told.expect("a report");
        assert_eq!(told.products, if nested { 3_000 } else { 10_000 });
    }
}
