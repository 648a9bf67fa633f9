//! Checks the codec on files of instructions, 16 bytes each.
//!
//! `round-trip MACHINE FILE…`: bits to instruction to bits. `random MACHINE COUNT SEED OUT`: writes
//! random instructions. `compare MACHINE FILE TEXTS`: the instructions against the texts that nvdisasm
//! prints for them, a line each, empty for one that it refuses.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use orison_sass::encoding::{Encoding, decode, encode, sample};
use orison_sass::instruction::{Instruction, parse};

fn words(path: &str) -> Result<Vec<Encoding>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let chunks = bytes.chunks_exact(16);
    Ok(chunks
        .map(|chunk| Encoding::from_bytes(chunk.try_into().unwrap_or([0; 16])))
        .collect())
}

#[derive(Default)]
struct Misses(BTreeMap<String, (usize, String)>);

impl Misses {
    fn note(&mut self, kind: &str, encoding: Encoding, what: &str) {
        let opcode = encoding.field(0, 12);
        let entry = self.0.entry(format!("{kind} {opcode:03x}")).or_default();
        entry.0 += 1;
        if entry.0 == 1 {
            entry.1 = format!("{:032x} {what}", encoding.bits());
        }
    }

    fn print(&self, total: usize) {
        let count: usize = self.0.values().map(|(count, _)| count).sum();
        let mut listed: Vec<_> = self.0.iter().collect();
        listed.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (kind, (count, example)) in listed.iter().take(400) {
            println!("{count:>8} {kind}: {example}");
        }
        println!("{count} misses of {total}");
    }
}

fn round_trip(machine: &str, paths: &[String]) -> Result<(), String> {
    let mut misses = Misses::default();
    let mut total = 0;
    let (mut decoding, mut encoding_time) = (0.0, 0.0);
    for path in paths {
        let words = words(path)?;
        total += words.len();
        let start = Instant::now();
        let found: Vec<_> = words
            .iter()
            .map(|word| decode(machine, *word, 0x1000))
            .collect();
        decoding += start.elapsed().as_secs_f64();
        let start = Instant::now();
        let back: Vec<_> = found
            .iter()
            .map(|found| {
                found
                    .as_ref()
                    .ok()
                    .map(|found| encode(machine, found, 0x1000))
            })
            .collect();
        encoding_time += start.elapsed().as_secs_f64();
        for ((word, found), back) in words.iter().zip(&found).zip(&back) {
            match (found, back) {
                (Err(error), _) => misses.note("decode", *word, &error.to_string()),
                (Ok(found), Some(Err(error))) => {
                    misses.note("encode", *word, &format!("{found}: {error}"));
                }
                (Ok(found), Some(Ok(back))) if back.without_control() != word.without_control() => {
                    misses.note("bits", *word, &format!("{found} {:032x}", back.bits()));
                }
                _ => {}
            }
        }
    }
    misses.print(total);
    let count = total as f64 / 1e9;
    println!(
        "{:.0} ns to decode, {:.0} ns to encode",
        decoding / count,
        encoding_time / count
    );
    Ok(())
}

fn random(machine: &str, count: usize, seed: u64, path: &str) -> Result<(), String> {
    let mut chooser = sample::Chooser::new(seed);
    let mut bytes = Vec::with_capacity(count * 16);
    let mut tries = 0;
    while bytes.len() < count * 16 && tries < count * 20 {
        tries += 1;
        let Some(found) = sample::random(machine, &mut chooser) else {
            continue;
        };
        if decode(machine, found, 0).is_ok() {
            // A control word that every instruction may have.
            let plain = (15 | 7 << 5 | 7 << 8) << 105;
            bytes.extend_from_slice(&Encoding::from_bits(found.bits() | plain).to_bytes());
        }
    }
    std::fs::write(path, bytes).map_err(|error| error.to_string())
}

/// The text without the marks of registers that are kept, which nvdisasm does not print of instructions that yield.
fn plain(found: &Instruction) -> String {
    let mut found = found.clone();
    found.remark = None;
    found.to_string().replace(".reuse", "")
}

fn compare(machine: &str, path: &str, texts: &str) -> Result<(), String> {
    let words = words(path)?;
    let texts = std::fs::read_to_string(texts).map_err(|error| error.to_string())?;
    let mut misses = Misses::default();
    let (mut refused, mut unknown, mut total) = (0, 0, 0);
    for (place, (word, text)) in words.iter().zip(texts.lines()).enumerate() {
        let address = place as u64 * 16;
        if text.is_empty() || text.contains("INVALID") || text.contains("???") {
            refused += 1;
            continue;
        }
        let Ok(wanted) = parse(text) else {
            unknown += 1;
            if unknown <= 20 {
                println!("not parsed: {text}");
            }
            continue;
        };
        total += 1;
        match decode(machine, *word, address) {
            Err(error) => misses.note("decode", *word, &format!("{text}: {error}")),
            Ok(found) if plain(&found) != plain(&wanted) => {
                misses.note("text", *word, &format!("{text} is {found}"));
            }
            Ok(found) => match encode(machine, &found, address) {
                Err(error) => misses.note("encode", *word, &format!("{text}: {error}")),
                Ok(back)
                    if decode(machine, back, address)
                        .as_ref()
                        .map(ToString::to_string)
                        != Ok(found.to_string().replace(".reuse", "")) =>
                {
                    misses.note("again", *word, &format!("{text} {:032x}", back.bits()));
                }
                Ok(_) => {}
            },
        }
    }
    misses.print(total);
    println!("{refused} refused by nvdisasm, {unknown} in a notation that is not parsed");
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["round-trip", machine, ..] => round_trip(machine, &arguments[2..]),
        ["random", machine, count, seed, out] => match (count.parse(), seed.parse()) {
            (Ok(count), Ok(seed)) => random(machine, count, seed, out),
            _ => Err("expected two numbers".to_owned()),
        },
        ["compare", machine, file, texts] => compare(machine, file, texts),
        _ => Err("see the head of this file".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
