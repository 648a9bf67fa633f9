//! Running kernels before and after passes.

use orison_interpret::warp::{Bytes, GlobalMemory, Kernel, Launch, Statistics};

pub use crate::common::{Module, Printed, transform_with};
use crate::common::{context, parse_in};
use crate::generator::{COUNTERS, INPUTS, OUTPUTS, THREADS};
use crate::random::Random;

/// The maximum number of instructions of a random kernel.
const STEPS: u64 = 50_000;

/// Parses and verifies a text.
pub fn parse(text: &str) -> Result<Module, String> {
    parse_in(context(), "kernels.mlir", text)
}

/// The kernels of a module, prepared together, with one of them selected.
pub fn prepare(module: &Module, number: usize) -> Result<Kernel<'_>, String> {
    let kernel = Kernel::new(&module.context, module.operation, &format!("k{number}"));
    kernel.map_err(|fault| fault.render(&module.context))
}

/// Runs a random kernel of a module on inputs of a seed; returns the final memory. What passes have
/// made of a kernel runs in another order of warps, since they may change it too, and may execute
/// more instructions.
pub fn run(
    module: &Module,
    kernel: &mut Kernel<'_>,
    number: usize,
    seed: u64,
    is_transformed: bool,
) -> Result<(GlobalMemory, Statistics), String> {
    let selected = kernel.select(&format!("k{number}"));
    selected.map_err(|fault| fault.render(&module.context))?;
    let mut random = Random(seed);
    let words = |count: usize, value: &mut dyn FnMut() -> u32| {
        let bytes = (0..count).flat_map(|_| value().to_le_bytes());
        Bytes::defined(bytes.collect())
    };
    let mut memory = GlobalMemory::default();
    let input = words(INPUTS, &mut || match random.below(4) {
        0 => random.below(64) as u32,
        1 => f32::to_bits(random.below(1000) as f32 / 16.0 - 20.0),
        _ => random.bits() as u32,
    });
    let blocks = 1 + (seed % 2) as usize;
    let addresses = [
        memory.add("in", input),
        memory.add("out", words(blocks * THREADS * OUTPUTS, &mut || 0)),
        memory.add("counters", words(COUNTERS, &mut || 0)),
    ];
    let launch = Launch {
        grid: [blocks as u32, 1, 1],
        block: [THREADS as u32, 1, 1],
        parameters: addresses
            .iter()
            .flat_map(|address| address.to_le_bytes())
            .collect(),
        seed: u64::from(is_transformed),
        step_limit: if is_transformed { 2 * STEPS } else { STEPS },
        ..Launch::default()
    };
    let result = kernel.run(&mut memory, &launch);
    let statistics = result.map_err(|fault| fault.render(&module.context))?;
    Ok((memory, statistics))
}

/// Reports the first byte that was defined before and differs, or is undefined, after.
pub fn compare(before: &GlobalMemory, after: &GlobalMemory) -> Result<(), String> {
    for ((name, old), (_, new)) in before.buffers().iter().zip(after.buffers()) {
        for at in 0..old.len() {
            let same = new.known()[at] && new.data()[at] == old.data()[at];
            if old.known()[at] && !same {
                let word = at / 4 * 4;
                let text = |bytes: &Bytes| {
                    if bytes.known()[word] {
                        format!("{:02x?}", &bytes.data()[word..word + 4])
                    } else {
                        "nothing".to_owned()
                    }
                };
                return Err(format!(
                    "buffer '{name}', byte {word}: {} before, {} after",
                    text(old),
                    text(new)
                ));
            }
        }
    }
    Ok(())
}
