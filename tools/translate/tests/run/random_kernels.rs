//! Random kernels in PTX have the same results as their machine code: ours, and that of ptxas.

use std::panic::{AssertUnwindSafe, catch_unwind};

use orison_interpret::warp::{Bytes, GlobalMemory, Launch};

use super::generator::{INPUTS, OUTPUTS, Random, SHARED, THREADS, kernel, preamble};
use super::machine;
use super::passes::{self, Module};

#[path = "../../../skipped.rs"]
mod skipped;

/// Seed and count may be set, to try more kernels or to repeat one.
fn setting(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// The global memory and the parameters of a launch.
fn memory(random: &mut Random) -> (GlobalMemory, Vec<u8>) {
    const SPECIAL: [u32; 6] = [0, 0x7F80_0000, 0x8000_0000, 0x7FFF_FFFF, 0x3F80_0000, 1];
    let mut word = || match random.below(4) {
        0 => random.below(100) as u32,
        1 => SPECIAL[random.below(SPECIAL.len())],
        // A float of moderate size.
        2 => 0x3E00_0000 + random.below(0x0400_0000) as u32,
        _ => random.below(1 << 32) as u32,
    };
    let input = (0..THREADS * INPUTS)
        .flat_map(|_| word().to_le_bytes())
        .collect();
    let mut memory = GlobalMemory::default();
    let input = memory.add("in", Bytes::defined(input));
    let output = memory.add(
        "out",
        Bytes::defined(vec![0; 4 * (THREADS * OUTPUTS + SHARED)]),
    );
    let mut parameters = input.to_le_bytes().to_vec();
    parameters.extend(output.to_le_bytes());
    parameters.extend(7_u32.to_le_bytes());
    (memory, parameters)
}

/// Why the runs of kernels in one file differ, by seed.
fn differences(target: &str, seeds: &[u64]) -> Vec<(u64, String)> {
    let all = catch_unwind(AssertUnwindSafe(|| {
        let text = file(target, seeds);
        let imported = Module::read("k.ptx", &text);
        let compiled = machine::compiled("k.ptx", &text);
        let all = seeds.iter().copied();
        all.filter_map(|seed| Some((seed, difference(&imported, &compiled, seed)?)))
            .collect()
    }));
    match (all, seeds) {
        (Ok(all), _) => all,
        (Err(_), [seed]) => vec![(*seed, "the kernel is not accepted".to_owned())],
        (Err(_), seeds) => {
            let single = seeds.iter();
            single
                .flat_map(|seed| differences(target, &[*seed]))
                .collect()
        }
    }
}

/// A file with the kernels of seeds, each named by its seed.
fn file(target: &str, seeds: &[u64]) -> String {
    let kernels = seeds
        .iter()
        .map(|seed| kernel(&mut Random::new(*seed), &format!("k{seed}")));
    preamble(target) + &kernels.collect::<String>()
}

/// Why the runs of a kernel differ, if they do.
fn difference(imported: &Module, compiled: &[(String, Module)], seed: u64) -> Option<String> {
    let (before, parameters) = memory(&mut Random::new(seed + 1));
    let launch = Launch {
        grid: [2, 1, 1],
        block: [THREADS as u32 / 2, 1, 1],
        parameters,
        seed,
        step_limit: 1_000_000,
        ..Launch::default()
    };
    let run = |module: &Module| -> Result<GlobalMemory, String> {
        let mut memory = before.clone();
        let result = module.kernel(&format!("k{seed}")).run(&mut memory, &launch);
        result.map_err(|fault| fault.render(&module.context))?;
        Ok(memory)
    };
    let after = match run(imported) {
        Ok(after) => after,
        Err(fault) => return Some(format!("the PTX: {fault}")),
    };
    for (compiler, module) in compiled {
        match run(module) {
            Err(fault) => return Some(format!("{compiler}: {fault}")),
            Ok(memory) => {
                let same = || passes::same(compiler, &after, &memory);
                if let Err(panic) = catch_unwind(AssertUnwindSafe(same)) {
                    let message = panic.downcast_ref::<String>();
                    return Some(message.map_or_else(|| compiler.clone(), String::clone));
                }
            }
        }
    }
    None
}

/// The machines that kernels are made for.
const TARGETS: [&str; 3] = ["sm_80", "sm_90a", "sm_100a"];

/// The kernels in one file: tools start once for all of them.
const KERNELS: usize = 20;

/// `ORISON_PROGRAMS=1000` runs more; `ORISON_SEED` is the first one, `ORISON_KEEP` a folder for the kernels
/// that differ.
#[test]
fn random_kernels_agree_with_their_machine_code() {
    if std::env::var_os("PTXAS").is_none() || std::env::var_os("NVDISASM").is_none() {
        skipped::skipped(
            "PTXAS and NVDISASM do not name ptxas and nvdisasm: our machine code alone is run",
        );
    }
    let first = setting("ORISON_SEED", 1);
    let seeds = first..first + setting("ORISON_PROGRAMS", 60);
    let mut wrong = Vec::new();
    for (index, target) in (0..).zip(TARGETS) {
        let own: Vec<u64> = seeds.clone().filter(|seed| seed % 3 == index).collect();
        for (seed, why) in own.chunks(KERNELS).flat_map(|own| differences(target, own)) {
            if let Ok(folder) = std::env::var("ORISON_KEEP") {
                let path = std::path::Path::new(&folder).join(format!("{seed}.ptx"));
                std::fs::write(path, file(target, &[seed])).expect("a folder for kernels");
            }
            println!("seed {seed}, {target}: {why}");
            wrong.push(seed);
        }
    }
    assert_eq!(wrong, Vec::<u64>::new(), "the seeds of kernels that differ");
}
