//! Random programs in numbers: scheduled and judged, and written for the judges in Python, which know neither the
//! table nor the scheduler.
//!
//! What the instructions of the generator read and write is written down here once more, by their forms.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use orison_sass::control::{ControlLayout, Inline21};
use orison_sass::function::Function;
use orison_sass::scheduled::Scheduled;

use super::Options;
use super::tests::judged;
use crate::sass::test_support::{Random, function, random_lines};
use crate::sass::verify::order::check_order;

/// Programs in a file.
const BATCH: usize = 500;

/// What an instruction accesses.
#[derive(Default)]
struct Accesses {
    writes: Vec<String>,
    reads: Vec<String>,
    /// The space of memory, and whether it is written.
    memory: Option<(char, bool)>,
    /// Whether it may leave its block.
    leaves: bool,
}

impl Accesses {
    fn of(found: &Scheduled<'_>) -> Accesses {
        let text = found.to_string();
        let words: Vec<&str> = text
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .collect();
        let guard = words[0].strip_prefix('@');
        let words = &words[usize::from(guard.is_some())..];
        let (mnemonic, operands) = (words[0], &words[1..]);
        let name = |word: &str| word.trim_matches(['[', ']']).replace(".64", "");
        let one = |word: &str| vec![name(word)];
        let pair = |word: &str| {
            let first = name(word);
            let number: u32 = first[1..].parse().expect("a register");
            vec![first, format!("R{}", number + 1)]
        };
        let global = |word: &str| {
            let mut registers = pair(
                word.split_once('[')
                    .and_then(|(_, rest)| rest.split_once('['))
                    .expect("an address")
                    .1,
            );
            registers.extend(["UR4".to_owned(), "UR5".to_owned()]);
            registers
        };
        let (writes, mut reads, memory) = match mnemonic {
            "LDG.E" => (one(operands[0]), global(operands[1]), Some(('g', false))),
            "LDS.64" => (pair(operands[0]), one(operands[1]), Some(('s', false))),
            "STG.E" => (
                Vec::new(),
                [global(operands[0]), one(operands[1])].concat(),
                Some(('g', true)),
            ),
            "STS" => (
                Vec::new(),
                [one(operands[0]), one(operands[1])].concat(),
                Some(('s', true)),
            ),
            "ISETP.NE.AND" => (one(operands[0]), one(operands[2]), None),
            "IMAD.WIDE" => {
                let reads = [one(operands[1]), one(operands[2]), pair(operands[3])];
                (pair(operands[0]), reads.concat(), None)
            }
            "DFMA" => {
                let reads = operands[1..].iter().flat_map(|word| pair(word));
                (pair(operands[0]), reads.collect(), None)
            }
            "S2R" => (one(operands[0]), Vec::new(), None),
            "BRA" | "EXIT" | "NOP" => Default::default(),
            _ => {
                let reads = operands[1..].iter().map(|word| name(word));
                (one(operands[0]), reads.collect(), None)
            }
        };
        reads.extend(guard.map(str::to_owned));
        reads.retain(|name| !matches!(&**name, "RZ" | "URZ" | "PT") && !name.starts_with("0x"));
        Accesses {
            writes,
            reads,
            memory,
            leaves: matches!(mnemonic, "BRA" | "EXIT"),
        }
    }

    /// Whether this and a later one must keep their order. All addresses may be the same.
    fn precedes(&self, other: &Accesses) -> bool {
        let common = |one: &[String], other: &[String]| one.iter().any(|name| other.contains(name));
        let memory = self.memory.zip(other.memory);
        other.leaves
            || common(&self.writes, &other.reads)
            || common(&self.reads, &other.writes)
            || common(&self.writes, &other.writes)
            || memory.is_some_and(|(one, other)| one.0 == other.0 && (one.1 || other.1))
    }
}

/// Swaps pairs of dependent instructions, neighbours and others, and returns how many; each must be reported.
fn swap_all(name: &str, program: &Function<'_>, random: &mut Random) -> usize {
    let mut swapped = 0;
    for (number, block) in program.blocks.iter().enumerate() {
        let accesses: Vec<Accesses> = block.instructions.iter().map(Accesses::of).collect();
        for first in 0..accesses.len().saturating_sub(1) {
            let behind = first + 1 + random.below(accesses.len() - first - 1);
            for second in [first + 1, behind] {
                let same =
                    block.instructions[first].to_string() == block.instructions[second].to_string();
                if same || !accesses[first].precedes(&accesses[second]) {
                    continue;
                }
                let mut wrong = program.clone();
                wrong.blocks[number].instructions.swap(first, second);
                let (one, other) = (&block.instructions[first], &block.instructions[second]);
                assert!(
                    !check_order(program, &wrong).is_empty(),
                    "{name}: '{one}', '{other}'"
                );
                swapped += 1;
            }
        }
    }
    swapped
}

/// A program as listing, and as JSON like that in `dialects/sass/tests/real`, with the life ranges of its registers.
fn written(name: &str, program: &Function<'_>) -> (String, String) {
    let mut text = format!(
        "\t.target\t{}\n\t.section\t.text.{name},\"ax\"\n",
        program.target
    );
    let (mut items, mut blocks, mut address) = (Vec::new(), Vec::new(), 0);
    for block in &program.blocks {
        blocks.push(format!("[0,{address},0,0]"));
        // Blocks are compared one by one, also those that nothing jumps to.
        writeln!(text, "block_{}:", blocks.len()).expect("a line");
        for found in &block.instructions {
            let accesses = Accesses::of(found);
            let bits = u64::from(Inline21.encode(&found.control).expect("a word")) << 41;
            let [writes, reads] = [accesses.writes.join(" "), accesses.reads.join(" ")];
            writeln!(text, "        /*{address:04x}*/ {found} ;").expect("a line");
            items.push(format!(
                "[{address},\"{found}\",\"\",\"{bits:016x}\",[],\"{writes}\",\"{reads}\"]"
            ));
            address += 16;
        }
    }
    let [items, blocks] = [items.join(",\n"), blocks.join(",")];
    let json = format!(
        "{{\"name\":\"{name}\",\"subfunctions\":[],\"instructions\":[{items}],\"blocks\":[{blocks}]}}"
    );
    (text, json)
}

/// The programs of a batch before and after, by machine, for `tools/judge-order` and `tools/judge-latencies`.
#[derive(Default)]
struct Batch {
    before: Vec<String>,
    listings: String,
    after: Vec<String>,
}

impl Batch {
    fn add(&mut self, name: &str, before: &Function<'_>, after: &Function<'_>) {
        self.before.push(written(name, before).1);
        let (listing, json) = written(name, after);
        self.listings.push_str(&listing);
        self.after.push(json);
    }

    fn write(&self, folder: &Path, name: &str) {
        let json = |functions: &[String]| format!("{{\"functions\":[{}]}}", functions.join(",\n"));
        for (part, end, text) in [
            ("before", "json", json(&self.before)),
            ("after", "sass", self.listings.clone()),
            ("words", "json", json(&self.after)),
        ] {
            let folder = folder.join(part);
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join(format!("{name}.{end}")), text).expect("a file");
        }
    }
}

/// `ORISON_PROGRAMS` programs (10,000) keep their order and have no hazard; every swap of dependent instructions is
/// reported. They are written to the folder `ORISON_PROGRAMS_TO`, if it is given.
#[test]
#[ignore = "a campaign: see docs/testing.md"]
fn random_programs() {
    let count = std::env::var("ORISON_PROGRAMS").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let folder = std::env::var_os("ORISON_PROGRAMS_TO");
    let targets = ["sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a"];
    let mut random = Random::new(0x0ca3_9a16);
    let (mut cycles, mut changed, mut swapped, mut instructions) = ([0, 0], 0, 0, 0);
    for start in (0..count).step_by(BATCH) {
        let mut batches: [Batch; 5] = Default::default();
        for number in start..count.min(start + BATCH) {
            let (blocks, machine) = (1 + random.below(5), number % targets.len());
            let length = 4 + random.below(60);
            let lines = random_lines(&mut random, blocks, length);
            let before = function(targets[machine], &lines);
            let name = format!("program_{number}");
            let (outcome, after) = judged(&name, &before, &Options::default());
            cycles = [cycles[0] + outcome.before, cycles[1] + outcome.after];
            changed += outcome.blocks.len();
            instructions += before.instructions().count();
            swapped += swap_all(&name, &before, &mut random);
            batches[machine].add(&name, &before, &after);
        }
        for (target, batch) in targets.iter().zip(&batches) {
            if let Some(folder) = &folder {
                let target = target.trim_end_matches('a');
                batch.write(Path::new(folder), &format!("programs_{start}.{target}"));
            }
        }
    }
    println!(
        "{count} programs, {instructions} instructions: {changed} blocks have a new order, {} cycles became {}; \
         {swapped} swaps of dependent instructions, all reported",
        cycles[0], cycles[1]
    );
    assert!(changed * 2 > count && swapped > count);
}
