//! Time to decode and to encode an instruction, against that of nvdisasm, which prints it and is named by
//! NVDISASM: `cargo bench -p orison-sass --bench encodings`. The instructions are those of real kernels.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use orison_sass::encoding::{Encoding, decode, encode};
use orison_sass::listing;
use orison_sass::scheduled::Scheduled;

const COUNT: usize = 200_000;
const MACHINE: &str = "sm_90a";

/// Real instructions, repeated.
fn instructions() -> Vec<Encoding> {
    let text = [
        include_str!("../tests/real/tma_matmul.sm_90a.sass"),
        include_str!("../tests/real/softmax.sm_90a.sass"),
        include_str!("../tests/real/every_kind.sm_90a.sass"),
    ];
    let mut found = Vec::new();
    for text in text {
        let listing = listing::parse(text).expect("a listing");
        let sections = listing.sections.iter();
        found.extend(sections.flat_map(|section| {
            let bits = section.instructions().filter_map(Scheduled::encoding);
            bits.collect::<Vec<_>>()
        }));
    }
    found.into_iter().cycle().take(COUNT).collect()
}

/// Nanoseconds an instruction.
fn each<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = black_box(work());
    (result, start.elapsed().as_secs_f64() * 1e9 / COUNT as f64)
}

/// The time of nvdisasm, without that for a file of one instruction.
fn nvdisasm(program: &str, words: &[Encoding]) -> f64 {
    let path = std::env::temp_dir().join(format!("orison-bench-{}.bin", std::process::id()));
    let run = |words: &[Encoding]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_bytes()).collect();
        std::fs::write(&path, bytes).expect("a file");
        let name = MACHINE.replace("sm_", "SM");
        let (output, time) = each(|| {
            let mut command = Command::new(program);
            command.args(["-b", &name, "-ndf"]).arg(&path).output()
        });
        assert!(output.expect("nvdisasm runs").status.success());
        time
    };
    let start = run(&words[..1]);
    let time = run(words) - start;
    std::fs::remove_file(&path).expect("a file");
    time
}

fn main() {
    let words = instructions();
    // Reads the table.
    let ((), first) = each(|| drop(black_box(decode(MACHINE, words[0], 0))));
    println!("{:.1} ms to read the table", first * COUNT as f64 / 1e6);
    let (found, decoding) = each(|| {
        let decoded = words.iter().map(|word| decode(MACHINE, *word, 0x1000));
        decoded.collect::<Result<Vec<_>, _>>()
    });
    let found = found.expect("instructions");
    let (back, encoding) = each(|| {
        let encoded = found.iter().map(|found| encode(MACHINE, found, 0x1000));
        encoded.collect::<Result<Vec<_>, _>>()
    });
    assert_eq!(back.map(|back| back.len()).ok(), Some(COUNT));
    println!("{decoding:.0} ns to decode an instruction, {encoding:.0} ns to encode it");
    match std::env::var("NVDISASM") {
        Ok(program) => {
            let time = nvdisasm(&program, &words);
            println!(
                "{time:.0} ns to print it by nvdisasm: {:.1} and {:.1} times as long",
                time / decoding,
                time / encoding
            );
        }
        Err(_) => println!("NVDISASM does not name nvdisasm: nothing to compare with"),
    }
}
