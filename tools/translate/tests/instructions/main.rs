//! Single PTX instructions, imported and executed in the 32 lanes of warps, compare with what the PTX
//! manual says of them, as written down by the host.

mod floats;
mod integers;
mod lanes;
mod memory;

use orison_interpret::warp::{Bytes, GlobalMemory, Kernel, Launch};
use orison_ir::Context;

/// Threads of a run.
pub const THREADS: usize = 256;

/// The operands `%a`, `%b` and `%c` of each thread.
pub type Inputs = Vec<[u64; 3]>;

/// Boundary values of integers and floats of each width, in all three places, and random ones.
pub fn inputs() -> Inputs {
    const CORNERS: [u64; 40] = [
        0,
        1,
        2,
        7,
        8,
        15,
        16,
        17,
        31,
        32,
        33,
        63,
        64,
        65,
        0x7F,
        0x80,
        0xFF,
        0x100,
        0x7FFF,
        0x8000,
        0x8001,
        0xFFFF,
        0x1_0000,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0001,
        0xFFFF_FFFF,
        0x0000_0003,
        0x007F_FFFF,
        0x0080_0001,
        0x3F80_0000,
        0xBF80_0001,
        0x4020_0000,
        0x4F00_0000,
        0x7F80_0000,
        0xFF80_0000,
        0x7FC0_0000,
        0x7FFF_FFFF_FFFF_FFFF,
        0x8000_0000_0000_0000,
        0xFFFF_FFFF_FFFF_FFFF,
    ];
    let mut state = 0x1234_5678_9ABC_DEF1_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        match (state >> 33) % 4 {
            0 => state.rotate_left(17),
            1 => (state >> 11) & 0xFFFF_FFFF,
            _ => CORNERS[(state >> 40) as usize % CORNERS.len()],
        }
    };
    (0..THREADS).map(|_| [next(), next(), next()]).collect()
}

/// The value of `%d64` of each thread after some statements.
///
/// `%a64`, `%a32`, `%a16` are the low bits of the first operand, `%b…` and `%c…` of the others; `%t`
/// is the thread, `%d64`, `%d32`, `%d16`, `%p`, `%q` and some temporary registers are free; there are
/// 16 bytes of shared, local and global memory for each thread, at `%shared`, `%local` and `%global`.
pub fn run(body: &str, inputs: &[[u64; 3]]) -> Vec<u64> {
    let text = format!(
        ".version 8.8\n.target sm_100a\n.address_size 64\n.shared .align 16 .b8 tile[4096];\n\
         .visible .entry k(.param .u64 in, .param .u64 out, .param .u64 own)\n{{\n\
         .local .align 16 .b8 frame[16];\n\
         .reg .b64 %a64, %b64, %c64, %d64, %x64, %y64, %in, %out, %global, %at;\n\
         .reg .b32 %a32, %b32, %c32, %d32, %x32, %y32, %t, %shared, %local, %s;\n\
         .reg .b16 %a16, %b16, %c16, %d16, %x16;\n.reg .pred %p, %q;\n\
         ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %global, [own];\n\
         mov.u32 %t, %tid.x; mad.wide.u32 %at, %t, 24, %in;\n\
         ld.global.b64 %a64, [%at]; ld.global.b64 %b64, [%at+8]; ld.global.b64 %c64, [%at+16];\n\
         mov.b64 {{%a32, %x32}}, %a64; mov.b64 {{%b32, %x32}}, %b64; mov.b64 {{%c32, %x32}}, %c64;\n\
         mov.b32 {{%a16, %x16}}, %a32; mov.b32 {{%b16, %x16}}, %b32; mov.b32 {{%c16, %x16}}, %c32;\n\
         mov.u64 %d64, 0; mov.u32 %d32, 0; mov.u32 %x32, 0; mov.u64 %x64, 0;\n\
         mov.u32 %shared, tile; mad.lo.u32 %shared, %t, 16, %shared; mov.u32 %local, frame;\n\
         mad.wide.u32 %global, %t, 16, %global;\n\
         {body}\n\
         mad.wide.u32 %at, %t, 8, %out; st.global.b64 [%at], %d64; ret;\n}}\n"
    );
    let mut context = Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
    let module = orison_translate::run::load(&mut context, "k.ptx", &text, true);
    let module = module.unwrap_or_else(|errors| panic!("{body}\n{errors}"));
    let kernel = Kernel::new(&context, module, "k");
    let kernel = kernel.unwrap_or_else(|fault| panic!("{body}\n{}", fault.render(&context)));
    let mut memory = GlobalMemory::default();
    let bytes = |words: &mut dyn Iterator<Item = u64>| {
        Bytes::defined(words.flat_map(u64::to_le_bytes).collect())
    };
    let addresses = [
        memory.add("in", bytes(&mut inputs.iter().flatten().copied())),
        memory.add("out", bytes(&mut inputs.iter().map(|_| 0))),
        memory.add("own", bytes(&mut inputs.iter().flat_map(|_| [0, 0]))),
    ];
    let launch = Launch {
        block: [inputs.len() as u32, 1, 1],
        parameters: addresses.iter().flat_map(|at| at.to_le_bytes()).collect(),
        step_limit: 1_000_000,
        ..Launch::default()
    };
    let result = kernel.run(&mut memory, &launch);
    result.unwrap_or_else(|fault| panic!("{body}\n{}", fault.render(&context)));
    let out = memory.buffer("out").expect("the output");
    assert!(out.known().iter().all(|known| *known), "{body}: undefined");
    let words = out.data().chunks_exact(8);
    words
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
        .collect()
}

/// An instruction with its result in `%d64`, extended with zeros.
fn extended(instruction: &str) -> String {
    let end = if instruction.contains("%d32") {
        "cvt.u64.u32 %d64, %d32;"
    } else if instruction.contains("%d16") {
        "cvt.u64.u16 %d64, %d16;"
    } else if instruction.contains("%d64") {
        ""
    } else {
        "selp.b64 %d64, 1, 0, %p;"
    };
    format!("{instruction};\n{end}")
}

/// Compares an instruction with the host for all inputs.
#[track_caller]
pub fn check(instruction: &str, host: impl Fn(u64, u64, u64) -> u64) {
    check_with(instruction, |found, [a, b, c]| {
        let expected = host(a, b, c);
        (found != expected).then(|| format!("{found:#x}, not {expected:#x}"))
    });
}

/// Tells what is wrong with the result of an instruction for some inputs.
#[track_caller]
pub fn check_with(instruction: &str, wrong: impl Fn(u64, [u64; 3]) -> Option<String>) {
    let inputs = inputs();
    let found = run(&extended(instruction), &inputs);
    for (found, operands) in found.into_iter().zip(inputs) {
        if let Some(message) = wrong(found, operands) {
            panic!("{instruction} of {operands:#x?}: {message}");
        }
    }
}

/// Compares the results of the 32 lanes of one warp with the host, which sees the first operands of
/// all lanes.
#[track_caller]
pub fn check_warp(instruction: &str, host: impl Fn(usize, &[u32]) -> u32) {
    let inputs = &inputs()[..32];
    let found = run(&extended(instruction), inputs);
    let all: Vec<_> = inputs.iter().map(|operands| operands[0] as u32).collect();
    for (lane, found) in found.into_iter().enumerate() {
        let expected = u64::from(host(lane, &all));
        assert_eq!(found, expected, "{instruction}, lane {lane}");
    }
}
