//! Reading, verifying, simplifying and writing large modules, compared with mlir-opt 22 in the
//! same run: `cargo bench -p orison-opt --bench textual_format -- [operations…]`.
//!
//! Prints, for each size, the median time and peak memory of both tools and their ratio. Without
//! mlir-opt, orison's own numbers.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Runs of each command; the median is shown.
const RUNS: usize = 5;
/// Module sizes when none are given, in operations.
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// A small generator of pseudo-random numbers (SplitMix64), so that modules are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((word ^ (word >> 31)) % limit as u64).unwrap_or(0)
    }

    /// One of the last values that were made.
    fn recent<'v>(&mut self, values: &'v [String]) -> &'v str {
        let window = values.len().min(32);
        &values[values.len() - 1 - self.below(window)]
    }
}

/// A module in generic form: functions of integer and float arithmetic, with operations of an
/// unknown dialect that carry attributes and regions.
fn module(operations: usize) -> String {
    let mut random = Random(7);
    let mut text = String::from("\"builtin.module\"() ({\n");
    let mut left = operations;
    let mut number = 0;
    while left > 0 {
        let size = left.min(500 + random.below(1_500));
        function(&mut text, &mut random, number, size);
        left -= size;
        number += 1;
    }
    text + "}) : () -> ()\n"
}

fn function(text: &mut String, random: &mut Random, number: usize, size: usize) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  \"func.func\"() <{{function_type = (i64, f32) -> i64, sym_name = \"kernel{number}\"}}> ({{\n  \
         ^bb0(%x: i64, %y: f32):"
    );
    let (mut integers, mut floats) = (vec!["%x".to_owned()], vec!["%y".to_owned()]);
    for step in 0..size {
        let (a, b) = (
            random.recent(&integers).to_owned(),
            random.recent(&integers).to_owned(),
        );
        let _ = match random.below(20) {
            0..=2 => {
                let value = random.below(20_000);
                integers.push(format!("%c{step}"));
                writeln!(
                    text,
                    "    %c{step} = \"arith.constant\"() <{{value = {value} : i64}}> : () -> i64"
                )
            }
            3..=10 => {
                let name = ["addi", "subi", "muli"][random.below(3)];
                integers.push(format!("%i{step}"));
                writeln!(
                    text,
                    "    %i{step} = \"arith.{name}\"({a}, {b}) <{{overflowFlags = #arith.overflow<none>}}> : (i64, i64) -> i64"
                )
            }
            11..=15 => {
                let (a, b) = (
                    random.recent(&floats).to_owned(),
                    random.recent(&floats).to_owned(),
                );
                let name = ["addf", "mulf", "subf"][random.below(3)];
                floats.push(format!("%f{step}"));
                writeln!(
                    text,
                    "    %f{step} = \"arith.{name}\"({a}, {b}) <{{fastmath = #arith.fastmath<none>}}> : (f32, f32) -> f32"
                )
            }
            16..=17 => writeln!(
                text,
                "    %t{step} = \"tile.load\"({a}) {{box = array<i64: 64, 64>, mode = \"async\", stage = {} : i32}} : (i64) -> tensor<64x64xf16>",
                step % 4
            ),
            _ => {
                integers.push(format!("%r{step}"));
                writeln!(
                    text,
                    "    %r{step} = \"tile.apply\"({a}) ({{\n    ^bb0(%e: i64):\n      %s = \"arith.addi\"(%e, {b}) <{{overflowFlags = #arith.overflow<none>}}> : (i64, i64) -> i64\n      \"tile.yield\"(%s) : (i64) -> ()\n    }}) : (i64) -> i64"
                )
            }
        };
    }
    let last = integers.last().map_or("%x", String::as_str);
    let _ = writeln!(
        text,
        "    \"func.return\"({last}) : (i64) -> ()\n  }}) : () -> ()"
    );
}

/// Seconds and peak memory in MiB of one run.
struct Cost {
    seconds: f64,
    mebibytes: f64,
}

/// The median of several runs; none when the tool fails.
fn measure(tool: &Path, arguments: &[&str], input: &Path) -> Option<Cost> {
    let mut times = Vec::new();
    let mut memory: f64 = 0.0;
    for _ in 0..RUNS {
        let report = std::env::temp_dir().join(format!("orison-bench-{}", std::process::id()));
        let start = Instant::now();
        let status = Command::new("/usr/bin/time")
            .args(["-f", "%M", "-o"])
            .arg(&report)
            .arg(tool)
            .args(arguments)
            .arg(input)
            .stdout(Stdio::null())
            .status()
            .ok()?;
        times.push(start.elapsed().as_secs_f64());
        if !status.success() {
            return None;
        }
        let kibibytes: f64 = fs::read_to_string(&report).ok()?.trim().parse().ok()?;
        memory = memory.max(kibibytes / 1024.0);
        let _ = fs::remove_file(report);
    }
    times.sort_by(f64::total_cmp);
    Some(Cost {
        seconds: times[RUNS / 2],
        mebibytes: memory,
    })
}

fn main() -> ExitCode {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    let sizes = if sizes.is_empty() {
        SIZES.to_vec()
    } else {
        sizes
    };
    let orison = PathBuf::from(env!("CARGO_BIN_EXE_orison-opt"));
    let peer = PathBuf::from("mlir-opt-22");
    let jobs: [(&str, &[&str]); 2] = [
        ("parse, verify, print", &["--mlir-print-op-generic"]),
        (
            "canonicalize, cse",
            &["--canonicalize", "--cse", "--mlir-print-op-generic"],
        ),
    ];
    println!("operations | job | orison | mlir-opt | mlir-opt / orison | memory orison / mlir-opt");
    for size in sizes {
        let input = std::env::temp_dir().join(format!("orison-bench-{size}.mlir"));
        if let Err(error) = fs::write(&input, module(size)) {
            eprintln!("cannot write {}: {error}", input.display());
            return ExitCode::FAILURE;
        }
        for (job, flags) in jobs {
            let mut arguments = vec!["--allow-unregistered-dialect"];
            arguments.extend(flags);
            let Some(own) = measure(&orison, &arguments, &input) else {
                eprintln!("orison-opt failed on {}", input.display());
                return ExitCode::FAILURE;
            };
            match measure(&peer, &arguments, &input) {
                Some(other) => println!(
                    "{size} | {job} | {:.3} s, {:.0} MiB | {:.3} s, {:.0} MiB | {:.2} | {:.2}",
                    own.seconds,
                    own.mebibytes,
                    other.seconds,
                    other.mebibytes,
                    other.seconds / own.seconds,
                    own.mebibytes / other.mebibytes
                ),
                None => println!(
                    "{size} | {job} | {:.3} s, {:.0} MiB | not installed",
                    own.seconds, own.mebibytes
                ),
            }
        }
        let _ = fs::remove_file(input);
    }
    ExitCode::SUCCESS
}
