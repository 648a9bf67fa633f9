//! Selection of machine operations for PTX instructions.
//!
//! A selection returns `None` if the instruction, a modifier or an operand is unknown; the caller
//! then rolls back and keeps the instruction as `ori.inst`.

mod atomics;
mod bits;
mod blocks;
mod cluster;
mod compare;
mod convert;
mod copies;
mod divide;
mod emit;
mod float;
mod float16;
mod float_approximate;
mod float_divide;
mod float_exact;
mod float_newton;
mod integer;
mod matrix;
mod memory;
mod modifiers;
mod moves;
mod software_mbarriers;
mod spaces;
mod sparse;
mod special_registers;
mod stack;
mod synchronize;
mod tensor_map;
mod tensor_memory;
mod texture;
mod uniform;
mod video;
mod warp;
mod warp_group;
mod wmma;

pub(super) use divide::divide_pairs;
pub(super) use float_exact::{Wanted, rounded};

use super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

/// Instructions that write no register, even as their first operand.
const NO_DESTINATION: [&str; 17] = [
    "st",
    "red",
    "bar",
    "barrier",
    "membar",
    "fence",
    "bra",
    "ret",
    "exit",
    "trap",
    "brkpt",
    "prefetch",
    "nanosleep",
    "setmaxnreg",
    "griddepcontrol",
    "pmevent",
    "stackrestore",
];

/// The number of leading operands that an instruction writes: zero or one, which may be a vector or
/// a pair.
pub(super) fn destinations(instruction: &Instruction<'_>) -> usize {
    let Some(first) = instruction.operands.first() else {
        return 0;
    };
    if NO_DESTINATION.contains(&instruction.name) {
        return 0;
    }
    if instruction.name == "tcgen05" && instruction.modifiers.first() == Some(&".dealloc") {
        return 0;
    }
    match first {
        Expression::Address(_) => 0,
        Expression::Parentheses(_) => usize::from(instruction.name == "call"),
        _ if instruction.name == "call" => 0,
        // Counts and groups: `cp.async.wait_group 0`, `wgmma.wait_group.sync.aligned 0`.
        Expression::Integer(..) => 0,
        _ => 1,
    }
}

/// Whether an instruction reads the carry flag, and whether it writes it.
pub(super) fn carries(instruction: &Instruction<'_>) -> (bool, bool) {
    let takes = matches!(instruction.name, "addc" | "subc" | "madc");
    let leaves = (takes || matches!(instruction.name, "add" | "sub" | "mad"))
        && instruction.modifiers.contains(&".cc");
    (takes, leaves)
}

/// Whether an instruction reads its destination: accumulators of warp-group products.
pub(super) fn reads_its_destination(instruction: &Instruction<'_>) -> bool {
    instruction.name == "wgmma" && instruction.modifiers.first() == Some(&".mma_async")
}

/// The destination of an instruction that is complete only after a wait.
pub(super) fn unfinished_destination<'a>(
    instruction: &'a Instruction<'a>,
) -> Option<&'a Expression<'a>> {
    let goes_on = reads_its_destination(instruction)
        || (instruction.name == "tcgen05" && instruction.modifiers.first() == Some(&".ld"));
    instruction.operands.first().filter(|_| goes_on)
}

/// Instructions whose modifiers may be in any order (measured: ptxas 13.0). The selections expect types
/// last; nvcc 13.5 writes `rcp.approx.f32.ftz`.
const ANY_ORDER: [&str; 26] = [
    "abs", "add", "copysign", "cos", "cvt", "div", "ex2", "fma", "ld", "ldu", "lg2", "mad", "max",
    "min", "mul", "neg", "rcp", "rsqrt", "selp", "set", "setp", "sin", "sqrt", "st", "sub", "tanh",
];

/// The instruction with its types after its other modifiers, both in the order as written; `None` if
/// it is that way already or its order has a meaning.
pub(super) fn with_types_last<'a>(instruction: &Instruction<'a>) -> Option<Instruction<'a>> {
    let is_sorted = instruction.modifiers.is_sorted_by_key(|word| is_type(word));
    if is_sorted || !ANY_ORDER.contains(&instruction.name) {
        return None;
    }
    let mut ordered = instruction.clone();
    ordered.modifiers.sort_by_key(|word| is_type(word));
    Some(ordered)
}

/// Whether a modifier is a type: `.f32`, `.bf16x2`, `.ue8m0x2`, `.pred`.
fn is_type(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c == '.' || c.is_ascii_lowercase());
    let kind = word.strip_suffix(digits).unwrap_or_default();
    let has_width = digits.starts_with(|c: char| c.is_ascii_digit());
    word == ".pred"
        || has_width
            && matches!(
                kind,
                ".f" | ".bf" | ".tf" | ".s" | ".u" | ".b" | ".e" | ".ue"
            )
}

/// Emits the machine operations of an instruction; `None` if unknown.
pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let is_float = || {
        let ty = instruction.modifiers.last();
        ty.is_some_and(|ty| ty.starts_with(".f") || ty.starts_with(".bf"))
    };
    match instruction.name {
        "addc" | "subc" | "madc" => integer::select_carry(emitter, instruction),
        "add" | "sub" | "mad" if instruction.modifiers.contains(&".cc") => {
            integer::select_carry(emitter, instruction)
        }
        "add" | "sub" | "mul" | "mad" | "neg" | "abs" | "min" | "max" | "div" if is_float() => {
            float::select(emitter, instruction)
        }
        "fma" | "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "copysign" => {
            float::select(emitter, instruction)
        }
        "testp" => float::select_test(emitter, instruction),
        "add" | "sub" | "mul" | "mad" | "neg" | "abs" | "min" | "max" | "mul24" | "mad24"
        | "sad" => integer::select(emitter, instruction),
        "div" | "rem" => divide::select(emitter, instruction),
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "shf" | "prmt" | "lop3" | "clz"
        | "popc" | "brev" | "bfind" | "bfe" | "bfi" | "bmsk" | "szext" | "fns" => {
            bits::select(emitter, instruction)
        }
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vset" | "vshl" | "vshr" | "vmad"
        | "vadd2" | "vsub2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vavrg2" | "vadd4"
        | "vsub4" | "vabsdiff4" | "vmin4" | "vmax4" | "vset4" | "vavrg4" => {
            video::select(emitter, instruction)
        }
        "dp4a" | "dp2a" => bits::select_dot_product(emitter, instruction),
        "setp" | "set" | "selp" | "slct" => compare::select(emitter, instruction),
        "st" | "red" if instruction.modifiers.first() == Some(&".async") => {
            cluster::select_counted(emitter, instruction)
        }
        "ld" | "ldu" | "st" => memory::select(emitter, instruction),
        "cp" => copies::select(emitter, instruction),
        "prefetch" | "prefetchu" | "discard" | "applypriority" => {
            copies::select_cache(emitter, instruction)
        }
        "createpolicy" => copies::select_policy(emitter, instruction),
        "tex" | "txq" | "suld" | "sust" | "sured" => texture::select(emitter, instruction),
        "tensormap" => tensor_map::select(emitter, instruction),
        "atom" | "red" => atomics::select(emitter, instruction),
        "mov" | "cvta" => moves::select(emitter, instruction),
        "cvt" => convert::select(emitter, instruction),
        "isspacep" => moves::select_space_test(emitter, instruction),
        "mapa" | "getctarank" => moves::select_cluster_address(emitter, instruction),
        "mma" if sparse::is_special(instruction) => sparse::select(emitter, instruction),
        "multimem" => cluster::select_multimem(emitter, instruction),
        "clusterlaunchcontrol" => cluster::select_launch(emitter, instruction),
        "alloca" | "stacksave" | "stackrestore" => stack::select(emitter, instruction),
        "mma" | "ldmatrix" | "stmatrix" | "movmatrix" => matrix::select(emitter, instruction),
        "wmma" => wmma::select(emitter, instruction),
        "wgmma" => warp_group::select(emitter, instruction),
        "tcgen05" => tensor_memory::select(emitter, instruction),
        "barrier" if instruction.modifiers.first() == Some(&".cluster") => {
            synchronize::select_cluster_barrier(emitter, instruction)
        }
        "bar" | "barrier" | "shfl" | "vote" | "elect" | "match" | "redux" | "activemask" => {
            warp::select(emitter, instruction)
        }
        "fence" | "membar" | "mbarrier" | "nanosleep" | "griddepcontrol" | "setmaxnreg"
        | "pmevent" | "brkpt" => synchronize::select(emitter, instruction),
        _ => None,
    }
}
