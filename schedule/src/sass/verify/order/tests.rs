//! The rules one by one, and all adjacent pairs of real code.

use orison_sass::function::Function;
use orison_sass::registers::{Register, RegisterFile};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Reason, Window, check_order};
use crate::dependences::DependenceGraph;
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::LatencyModel;
use crate::sass::test_support::{Random, function, real_functions};

const TARGET: &str = "sm_90a";

/// A function of instructions, without control words.
fn of(lines: &[&str]) -> Function<'static> {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| match line.ends_with(':') {
            true => format!("{line}\n"),
            false => format!("B------:R-:W-:-:S01 {line}\n"),
        })
        .collect();
    function(TARGET, &lines.concat())
}

/// The reasons of the findings if the two last instructions of the first block change places.
fn swapped(lines: &[&str]) -> Vec<Reason> {
    let before = of(lines);
    let mut after = before.clone();
    let instructions = &mut after.blocks[0].instructions;
    let count = instructions.len();
    instructions.swap(count - 2, count - 1);
    let findings = check_order(&before, &after);
    findings.into_iter().map(|found| found.reason).collect()
}

/// That the two last instructions must keep their order.
#[track_caller]
fn refuse(lines: &[&str], reason: Reason) {
    assert_eq!(swapped(lines), [reason], "{lines:?}");
}

/// That they need not.
#[track_caller]
fn accept(lines: &[&str]) {
    assert_eq!(swapped(lines), [], "{lines:?}");
}

const LOAD: &str = "LDG.E R0, desc[UR4][R2.64]";
const SYNC: Reason = Reason::Synchronisation;

#[test]
fn accesses_to_a_register_keep_their_order_if_one_writes() {
    let general = Register::general;
    let write = "FADD R4, R5, R6";
    refuse(
        &[write, "FADD R7, R4, R8"],
        Reason::ReadAfterWrite(general(4)),
    );
    refuse(&[write, "MOV R6, R8"], Reason::WriteAfterRead(general(6)));
    refuse(&[write, "MOV R4, R8"], Reason::WriteAfterWrite(general(4)));
    accept(&[write, "FADD R7, R5, R6"]);
    accept(&["FADD RZ, R5, R6", "MOV R1, RZ"]);
    // The second register of a pair.
    refuse(
        &["LDS.64 R4, [R2]", "MOV R6, R5"],
        Reason::ReadAfterWrite(general(5)),
    );
    accept(&["LDS.64 R4, [R2]", "MOV R7, R6"]);
}

#[test]
fn all_register_files_count() {
    let of_file = |file| Reason::ReadAfterWrite(Register::new(file, 1));
    let set = "ISETP.NE.AND P1, PT, R0, RZ, PT";
    refuse(&[set, "@P1 MOV R4, R5"], of_file(RegisterFile::Predicate));
    refuse(
        &[set, "SEL R4, R5, R6, P1"],
        of_file(RegisterFile::Predicate),
    );
    refuse(
        &["R2P PR, R0, 0x2", "@!P1 MOV R4, R5"],
        of_file(RegisterFile::Predicate),
    );
    accept(&["R2P PR, R0, 0x4", "@!P1 MOV R4, R5"]);
    refuse(
        &["UMOV UR1, 0x1", "IADD3 R4, R5, UR1, RZ"],
        of_file(RegisterFile::Uniform),
    );
    let set = "UISETP.NE.AND UP1, UPT, UR6, URZ, UPT";
    refuse(
        &[set, "@UP1 UMOV UR8, URZ"],
        of_file(RegisterFile::UniformPredicate),
    );
    accept(&[set, "UMOV UR8, URZ"]);
    let barrier = Register::new(RegisterFile::Convergence, 1);
    refuse(
        &["BSSY B1, `(.L_x_0)", "BMOV.32 R3, B1"],
        Reason::ReadAfterWrite(barrier),
    );
}

#[test]
fn threads_that_exclude_each_other_need_no_order() {
    let negative = "@!P0 MOV R4, R6";
    accept(&["@P0 MOV R4, R5", negative]);
    accept(&["@P0 LDG.E R4, desc[UR4][R2.64]", negative]);
    let four = Register::general(4);
    refuse(
        &["@P0 MOV R4, R5", "@P0 MOV R4, R6"],
        Reason::WriteAfterWrite(four),
    );
    refuse(
        &["@P0 MOV R4, R5", "@!P1 MOV R4, R6"],
        Reason::WriteAfterWrite(four),
    );
    // A write of all threads in front of both.
    refuse(
        &["@!P0 MOV R7, R8", "MOV R4, R5", negative],
        Reason::WriteAfterWrite(four),
    );
    // Another value of P0 in between.
    let lines = [
        "@P0 MOV R4, R5",
        "ISETP.NE.AND P0, PT, R8, RZ, PT",
        negative,
    ];
    let other = [lines[1], lines[2], lines[0]];
    let findings = check_order(&of(&lines), &of(&other));
    let reasons: Vec<Reason> = findings.iter().map(|found| found.reason).collect();
    let guard = Reason::WriteAfterRead(Register::predicate(0));
    assert_eq!(reasons, [guard, Reason::WriteAfterWrite(four)]);
    // A uniform register is written if any thread is left.
    let uniform = Reason::WriteAfterWrite(Register::uniform(6));
    refuse(&["@P0 R2UR UR6, R4", "@!P0 R2UR UR6, R5"], uniform);
    accept(&["@UP0 UMOV UR6, 0x1", "@!UP0 UMOV UR6, 0x2"]);
}

#[test]
fn accesses_to_the_same_memory_keep_their_order_if_one_writes() {
    let memory = Reason::Memory;
    let store = "STG.E desc[UR4][R8.64], R5";
    refuse(&[LOAD, store], memory(Window::Global));
    refuse(&[store, LOAD], memory(Window::Global));
    refuse(
        &[store, "STG.E desc[UR4][R10.64], R5"],
        memory(Window::Global),
    );
    accept(&[LOAD, "LDG.E R1, desc[UR4][R8.64]"]);
    accept(&[LOAD, "STS [R8], R5"]);
    accept(&["LDC R6, c[0x0][R8]", store]);
    // Generic addresses are in any of the three windows.
    let generic = "ST.E desc[UR4][R20.64], R5";
    refuse(&[LOAD, generic], memory(Window::Global));
    refuse(&["LDS R6, [R0]", generic], memory(Window::Shared));
    refuse(&["LDL R6, [R0]", generic], memory(Window::Local));
    accept(&["TEX.SCR.LL RZ, R6, R0, R2, UR12, 2D, 0x1", generic]);
    // An access of no thread.
    refuse(
        &["@!PT LDS RZ, [RZ]", "STS [R8], R5"],
        memory(Window::Shared),
    );
}

#[test]
fn other_bytes_at_the_same_base_need_no_order() {
    let shared = Reason::Memory(Window::Shared);
    let store = "STS.64 [R8+0x8], R4";
    accept(&[store, "LDS R6, [R8+0x4]"]);
    accept(&[store, "LDS R6, [R8+0x10]"]);
    refuse(&[store, "LDS R6, [R8+0xc]"], shared);
    refuse(&[store, "LDS.128 R12, [R8]"], shared);
    refuse(&[store, "LDS R6, [R9]"], shared);
    accept(&["STS.U8 [R8+0x1], R4", "LDS.U8 R6, [R8]"]);
    accept(&["STS.U16 [R8+UR4+0x2], R4", "LDS.U16 R6, [R8+UR4]"]);
    refuse(&["STS [R8.X4+0x4], R4", "LDS R6, [R8]"], shared);
    accept(&["STS [R8.X4+0x4], R4", "LDS R6, [R8.X4]"]);
    // The base has another value.
    let moved = ["STS [R8], R4", "IADD3 R8, R8, 0x4, RZ", "LDS R6, [R8+0x4]"];
    let findings = check_order(&of(&moved), &of(&[moved[1], moved[2], moved[0]]));
    let reasons: Vec<Reason> = findings.iter().map(|found| found.reason).collect();
    assert_eq!(
        reasons,
        [Reason::WriteAfterRead(Register::general(8)), shared]
    );
    // The same registers are a pair in one address, and in the other a word of shared memory.
    refuse(&["ST.E desc[UR4][R8.64], R4", "LDS R6, [R8+0x4]"], shared);
    accept(&[
        "ST.E desc[UR4][R8.64], R4",
        "LDG.E R6, desc[UR4][R8.64+0x4]",
    ]);
    // Other lanes give the addresses of a matrix.
    refuse(&["STS [R8], R4", "LDSM.16.M88.4 R12, [R8+0x100]"], shared);
    // A copy writes shared memory, and reads global memory.
    let copy = "LDGSTS.E.128 [R9], desc[UR4][R2.64]";
    accept(&[copy, "LDGSTS.E.128 [R9+0x10], desc[UR4][R2.64+0x10]"]);
    refuse(
        &[copy, "LDGSTS.E.128 [R9+0x8], desc[UR4][R2.64+0x10]"],
        shared,
    );
    refuse(&[copy, "LDS R6, [R9+0xc]"], shared);
    accept(&[copy, "LDS R6, [R9+0x10]"]);
    refuse(
        &[copy, "STG.E desc[UR4][R2.64], R6"],
        Reason::Memory(Window::Global),
    );
}

#[test]
fn other_threads_observe_strong_accesses_and_atomic_operations() {
    let strong = "LDG.E.STRONG.SYS R6, desc[UR4][R8.64]";
    refuse(
        &["LDG.E.STRONG.GPU R0, desc[UR4][R2.64]", strong],
        Reason::Observed,
    );
    refuse(
        &["LD.E.MMIO.SYS R0, desc[UR4][R2.64]", strong],
        Reason::Observed,
    );
    accept(&[LOAD, strong]);
    refuse(&["ATOMS.ADD R5, [R8], R4", strong], Reason::Observed);
    refuse(
        &[
            "ATOMS.ADD R5, [R8], R4",
            "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7",
        ],
        Reason::Observed,
    );
    refuse(&["ATOMS.ADD R5, [R8], R4", "CCTL.IVALL"], Reason::Observed);
}

#[test]
fn synchronisation_keeps_its_order_with_memory_and_with_itself() {
    for barrier in [
        "BAR.SYNC.DEFER_BLOCKING 0x0",
        "MEMBAR.SC.GPU",
        "ERRBAR",
        "FENCE.VIEW.ASYNC.S",
        "LDGDEPBAR",
        "UTMACMDFLUSH",
        "B2R.RESULT RZ, P3",
        "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR8], RZ",
        "UCGABAR_ARV",
        "BPT.TRAP 0x1",
    ] {
        refuse(&[LOAD, barrier], SYNC);
        refuse(&[barrier, "LDL R6, [R8]"], SYNC);
        refuse(&[barrier, "NANOSLEEP 0x10"], SYNC);
        accept(&[barrier, "FADD R4, R5, R6"]);
        accept(&[barrier, "LDC R6, c[0x0][0x210]"]);
    }
}

#[test]
fn a_wait_for_a_number_of_operations_counts_what_may_have_a_scoreboard() {
    let wait = "DEPBAR.LE SB0, 0x1";
    refuse(&["MUFU.RCP R4, R5", wait], Reason::Counted);
    refuse(&[wait, "S2R R6, SR_TID.X"], Reason::Counted);
    refuse(&[wait, "LDC R6, c[0x0][0x210]"], Reason::Counted);
    accept(&[wait, "FFMA R4, R5, R6, R7"]);
    let one = Register::new(RegisterFile::Scoreboard, 0);
    refuse(&[wait, "DEPBAR.LE SB0, 0x0"], Reason::WriteAfterWrite(one));
}

#[test]
fn products_of_a_warp_group_keep_their_order_with_fences_waits_and_each_other() {
    let first = "HGMMA.64x8x16.F32 R24, R4, gdesc[UR8], R24";
    let second = "HGMMA.64x8x16.F32 R40, gdesc[UR12], RZ, !UPT, gsb0";
    refuse(&[first, second], Reason::Products);
    let with = |line| [first, second, "WARPGROUP.ARRIVE", line];
    // A fence is also a barrier of memory.
    refuse(&["WARPGROUP.ARRIVE", second], SYNC);
    refuse(&with("MOV R25, R1"), Reason::ProductRegisters);
    refuse(&with("MOV R1, R25"), Reason::ProductRegisters);
    refuse(&with("MOV R7, R1"), Reason::ProductRegisters);
    accept(&with("MOV R8, R1"));
    accept(&with("UIADD3 UR8, UR8, 0x1, URZ"));
    refuse(
        &[second, "WARPGROUP.DEPBAR.LE gsb0, 0x0", "FADD R1, R40, R41"],
        Reason::ProductRegisters,
    );
}

#[test]
fn clocks_keep_their_order_with_memory_synchronisation_and_each_other() {
    let clock = "CS2R R4, SR_CLOCKLO";
    refuse(&[clock, "S2R R6, SR_GLOBALTIMERLO"], Reason::Changing);
    refuse(&[LOAD, clock], Reason::Changing);
    refuse(&[clock, "BAR.SYNC.DEFER_BLOCKING 0x0"], Reason::Changing);
    accept(&[clock, "FADD R7, R8, R9"]);
    accept(&["CS2R R4, SRZ", LOAD]);
    accept(&["S2R R4, SR_TID.X", LOAD]);
}

#[test]
fn threads_are_together_for_what_they_exchange() {
    let exchange = "SHFL.IDX PT, R4, R5, RZ, 0x1f";
    refuse(&["WARPSYNC.ALL", exchange], Reason::Together);
    refuse(&[exchange, "WARPSYNC 0xff"], Reason::Together);
    accept(&["BAR.SYNC.DEFER_BLOCKING 0x0", exchange]);
    accept(&["WARPSYNC.ALL", "FADD R4, R5, R6"]);
}

#[test]
fn general_registers_keep_their_order_with_changes_of_their_number() {
    let change = "USETMAXREG.DEALLOC.CTAPOOL 0x28";
    refuse(&["FADD R4, R5, R6", change], Reason::RegisterCount);
    accept(&["UIADD3 UR8, UR8, 0x1, URZ", change]);
}

#[test]
fn what_leaves_the_block_and_what_is_not_understood_stays() {
    refuse(&["FADD R4, R5, R6", "EXIT"], Reason::Last);
    refuse(&["FADD R4, R5, R6", "@P0 EXIT"], Reason::Last);
    refuse(&["FADD R4, R5, R6", "LEPC R20"], Reason::Pinned);
    refuse(&["FADD R4, R5, R6", "UNHEARDOF R20"], Reason::Pinned);
    accept(&["FADD R4, R5, R6", "NOP"]);
}

fn messages(before: &[&str], after: &[&str]) -> Vec<String> {
    let findings = check_order(&of(before), &of(after));
    findings.iter().map(ToString::to_string).collect()
}

#[test]
fn every_instruction_is_still_there_once_unchanged_and_in_its_block() {
    let lines = [
        "FADD R4, R5, R6",
        "MOV R7, R8",
        "@P0 BRA `(.L_x_1)",
        ".L_x_1:",
        "EXIT",
    ];
    let with = |from: usize, to: &[&'static str]| {
        let mut other = lines.to_vec();
        other.splice(from..from + 1, to.iter().copied());
        messages(&lines, &other)
    };
    assert_eq!(with(1, &["MOV R7, R8"]), Vec::<String>::new());
    assert_eq!(
        with(1, &[]),
        ["'MOV R7, R8' (block 0, 0x0010) is missing in the new order"]
    );
    assert_eq!(
        with(1, &["MOV R7, R8", "MOV R7, R8"]),
        ["'MOV R7, R8' (block 0, 0x0020) is not in the original code"]
    );
    assert_eq!(
        with(1, &["MOV R7, R9"]),
        ["'MOV R7, R8' (block 0, 0x0010) became 'MOV R7, R9' (block 0, 0x0010)"]
    );
    assert_eq!(with(1, &["NOP", "MOV R7, R8"]), Vec::<String>::new());
    let mut other = lines.to_vec();
    let found = other.remove(1);
    other.insert(3, found);
    assert_eq!(
        messages(&lines, &other),
        ["'MOV R7, R8' (block 0, 0x0010) moved to block 1"]
    );
    other = lines.to_vec();
    other[3] = ".L_x_2:";
    other[2] = "@P0 BRA `(.L_x_2)";
    assert_eq!(
        messages(&lines, &other).len(),
        2,
        "a changed jump and other labels"
    );
    let before = of(&lines);
    let mut after = before.clone();
    after.blocks.truncate(1);
    let reasons = check_order(&before, &after).into_iter();
    let reasons: Vec<Reason> = reasons.map(|found| found.reason).collect();
    assert_eq!(reasons, [Reason::Labels, Reason::Missing]);
}

#[test]
fn a_message_names_both_instructions_and_the_reason() {
    let lines = ["FADD R4, R5, R6", "MOV R7, R4"];
    assert_eq!(
        messages(&lines, &[lines[1], lines[0]]),
        [
            "'MOV R7, R4' (block 0, 0x0010) must stay after 'FADD R4, R5, R6' (block 0, 0x0000): it reads R4, written there"
        ]
    );
}

#[test]
fn marks_for_reuse_and_control_words_may_differ() {
    let before = function(TARGET, "B------:R-:W-:-:S01 FADD R4, R5, R6\n");
    let after = function(TARGET, "B0-----:R-:W-:Y:S04 FADD R4, R5.reuse, R6\n");
    assert_eq!(check_order(&before, &after), []);
}

/// Two equal increments are interchangeable, and what is between them is not.
#[test]
fn equal_instructions_are_matched_in_order() {
    let lines = [
        "IADD3 R4, R4, 0x1, RZ",
        "IADD3 R4, R4, 0x1, RZ",
        "MOV R5, R4",
    ];
    assert_eq!(
        messages(&lines, &[lines[1], lines[0], lines[2]]),
        Vec::<String>::new()
    );
    assert_eq!(messages(&lines, &[lines[0], lines[2], lines[1]]).len(), 1);
}

/// A function with pairs of adjacent instructions of each block in each other's places, from the first or
/// from the second instruction on. No instruction then passes another one than that of its pair.
fn with_swapped_pairs(of: &Function<'static>, from: usize) -> Function<'static> {
    let mut other = of.clone();
    for block in &mut other.blocks {
        let rest = block.instructions.get_mut(from..).unwrap_or_default();
        for pair in rest.chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
    }
    other
}

/// The registers in the first address of an instruction.
fn sum(text: &str) -> Option<&str> {
    let (_, address) = text.split_once('[')?;
    address.split(['+', ']']).next()
}

/// All adjacent pairs of real code that depend on each other in the graph of the schedulers, which has no code in
/// common with the judge.
#[test]
fn all_swaps_of_adjacent_dependent_instructions_of_real_code_are_found() {
    let (mut dependent, mut free) = (0, 0);
    for (name, function) in real_functions() {
        assert_eq!(check_order(&function, &function), [], "{name}");
        let model = LatencyModel::for_code(&function.target).expect("a machine");
        let facts = FunctionFacts::new(&function, model);
        let found: FxHashSet<(usize, usize)> = [0, 1]
            .iter()
            .flat_map(|from| check_order(&function, &with_swapped_pairs(&function, *from)))
            .map(|found| (found.second.block, found.second.index))
            .collect();
        for (index, block) in function.blocks.iter().enumerate() {
            let start = u32::try_from(facts.block(index).start).expect("an index");
            let graph = DependenceGraph::of_block(&facts, model, index);
            let edges = graph.edges().iter().map(|edge| (edge.from, edge.to));
            let edges: FxHashSet<(u32, u32)> = edges.collect();
            for (number, (first, second)) in
                (1..).zip(block.instructions.iter().zip(&block.instructions[1..]))
            {
                let to = start + u32::try_from(number).expect("an index");
                let depends = edges.contains(&(to - 1, to));
                let is_found = found.contains(&(index, number));
                // The graph does not compare addresses with scaled registers, or of copies.
                let texts = [first.to_string(), second.to_string()];
                let apart = texts[0] != texts[1] && sum(&texts[0]) == sum(&texts[1]);
                assert!(
                    is_found || !depends || apart || first.instruction == second.instruction,
                    "{name}, block {index}: '{first}', '{second}'"
                );
                dependent += u32::from(depends);
                free += u32::from(!is_found);
            }
        }
    }
    assert!(dependent > 1000 && free > 1000, "{dependent} {free}");
}

/// An instruction of few registers, bytes and guards, so that many conflict.
fn random_instruction(random: &mut Random) -> String {
    let guard = match random.below(6) {
        0 => "@P0 ",
        1 => "@!P0 ",
        2 => "@!P1 ",
        _ => "",
    };
    let (a, b, c) = (random.below(6), random.below(6), random.below(6));
    let offset = random.below(4) * 4;
    let text = match random.below(8) {
        0 => format!("LDS R{a}, [R{b}+{offset:#x}]"),
        1 => format!("STS.64 [R{b}+{offset:#x}], R{}", c / 2 * 2),
        2 => format!("STG.E desc[UR4][R{}.64+{offset:#x}], R{c}", b / 2 * 2),
        3 => format!("LD.E R{a}, desc[UR4][R{}.64+{offset:#x}]", b / 2 * 2),
        4 => format!("ISETP.NE.AND P{}, PT, R{b}, RZ, PT", a % 2),
        _ => format!("FADD R{a}, R{b}, R{c}"),
    };
    format!("{guard}{text}")
}

/// What decides of a pair in the random code: guard with its value, registers written and read, memory.
struct Simple {
    threads: Option<(usize, usize, bool)>,
    reads: Vec<String>,
    writes: Vec<String>,
    /// Whether it writes, its spaces, and the registers with their values, first byte and end of the address.
    memory: Option<(bool, &'static str, String, usize, usize)>,
}

/// Reads an instruction of [`random_instruction`] from its text, after `writes` by register.
fn simple(text: &str, writes: &mut FxHashMap<String, usize>) -> Simple {
    let value = |register: &str| writes.get(register).copied().unwrap_or(0);
    let (guard, rest) = match text.strip_prefix('@') {
        Some(rest) => rest.split_once(' ').expect("a guard"),
        None => ("", text),
    };
    let (mnemonic, operands) = rest.split_once(' ').expect("operands");
    let bare = guard.trim_start_matches('!');
    let threads = (!guard.is_empty()).then(|| {
        let number = usize::from(bare == "P1");
        (number, value(bare), guard.starts_with('!'))
    });
    let words = operands.replace(['[', ']', '+'], " ").replace(',', " ");
    let words: Vec<&str> = words
        .split_whitespace()
        .filter(|word| *word != "desc")
        .collect();
    let pair = |register: &str| {
        let first: usize = register[1..].parse().expect("a register");
        vec![format!("R{first}"), format!("R{}", first + 1)]
    };
    let mut reads: Vec<String>;
    let mut written = Vec::new();
    let mut memory = None;
    let address = words.iter().find(|word| word.ends_with(".64"));
    let offset = words.iter().find_map(|word| word.strip_prefix("0x"));
    let offset = offset.map_or(0, |digits| {
        usize::from_str_radix(digits, 16).expect("digits")
    });
    let mut accesses = |writes, spaces, registers: &[String], bytes| {
        let values: Vec<_> = registers.iter().map(|name| (name, value(name))).collect();
        memory = Some((
            writes,
            spaces,
            format!("{values:?}"),
            offset,
            offset + bytes,
        ));
    };
    match mnemonic {
        "LDS" => {
            written = vec![words[0].to_owned()];
            reads = vec![words[1].to_owned()];
            accesses(false, "S", &reads, 4);
        }
        "STS.64" => {
            reads = vec![words[0].to_owned()];
            accesses(true, "S", &reads, 8);
            reads.extend(pair(words.last().expect("a value")));
        }
        "STG.E" | "LD.E" => {
            reads = pair(address.expect("an address").trim_end_matches(".64"));
            let store = mnemonic == "STG.E";
            accesses(store, if store { "G" } else { "SG" }, &reads, 4);
            match store {
                true => reads.push((*words.last().expect("a value")).to_owned()),
                false => written = vec![words[0].to_owned()],
            }
        }
        _ => {
            let sources = words[1..]
                .iter()
                .filter(|word| word[1..].parse::<u8>().is_ok());
            reads = sources.map(|word| (*word).to_owned()).collect();
            written = vec![words[0].to_owned()];
        }
    }
    reads.extend((!bare.is_empty()).then(|| bare.to_owned()));
    for register in &written {
        *writes.entry(register.clone()).or_default() += 1;
    }
    Simple {
        threads,
        reads,
        writes: written,
        memory,
    }
}

impl Simple {
    /// Whether this must stay in front of a later one.
    fn precedes(&self, other: &Simple) -> bool {
        let excluded = self
            .threads
            .zip(other.threads)
            .is_some_and(|(one, other)| (one.0, one.1) == (other.0, other.1) && one.2 != other.2);
        let common = |one: &[String], other: &[String]| one.iter().any(|name| other.contains(name));
        let registers = common(&self.writes, &other.reads)
            || common(&self.reads, &other.writes)
            || common(&self.writes, &other.writes);
        let memory = self.memory.as_ref().zip(other.memory.as_ref());
        let memory = memory.is_some_and(|(one, other)| {
            let apart = one.2 == other.2 && (one.4 <= other.3 || other.4 <= one.3);
            let same = one.1.chars().any(|space| other.1.contains(space));
            // Pairs and single registers have other names.
            (one.0 || other.0) && same && !apart
        });
        registers && !excluded || memory
    }
}

/// On random orders of random code the judge says what a comparison of all pairs says.
#[test]
fn random_orders_are_judged_as_by_comparing_all_pairs() {
    let mut random = Random::new(20);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..600 {
        let count = 4 + random.below(20);
        let lines: Vec<String> = (0..count)
            .map(|_| random_instruction(&mut random))
            .collect();
        let mut order: Vec<usize> = (0..count).collect();
        for _ in 0..1 + random.below(4) {
            let from = random.below(count);
            let to = (from + random.below(4)).min(count - 1);
            let moved = order.remove(from);
            order.insert(to, moved);
        }
        let before = of(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let mut after = before.clone();
        let instructions = &before.blocks[0].instructions;
        after.blocks[0].instructions = order.iter().map(|of| instructions[*of].clone()).collect();

        let mut writes = FxHashMap::default();
        let known: Vec<Simple> = lines.iter().map(|line| simple(line, &mut writes)).collect();
        // Of equal instructions the first in one order is the first in the other.
        let position = |number: usize| {
            let rank = lines[..number]
                .iter()
                .filter(|line| **line == lines[number]);
            let mut same = (0..count).filter(|place| lines[order[*place]] == lines[number]);
            same.nth(rank.count()).expect("as many")
        };
        let positions: Vec<usize> = (0..count).map(position).collect();
        let is_wrong = |first: usize, second: usize| {
            positions[first] > positions[second] && known[first].precedes(&known[second])
        };
        let wrong = |second: usize| (0..second).any(|first| is_wrong(first, second));
        let expected: Vec<usize> = (0..count).filter(|second| wrong(*second)).collect();

        let findings = check_order(&before, &after);
        for found in &findings {
            let first = found.first.as_ref().expect("a pair").index;
            assert!(
                is_wrong(first, found.second.index),
                "{found}\n{lines:#?}\n{order:?}"
            );
        }
        let mut reported: Vec<usize> = findings.iter().map(|found| found.second.index).collect();
        reported.dedup();
        assert_eq!(reported, expected, "{lines:#?}\n{order:?}");
        good += u32::from(expected.is_empty());
        bad += u32::from(!expected.is_empty());
    }
    assert!(good > 50 && bad > 50, "{good} {bad}");
}

/// Many registers, guards, bases and equal accesses in one block: a walk that compared pairs would make more than
/// a thousand million comparisons.
#[test]
fn a_long_block_is_judged() {
    let mut random = Random::new(7);
    let lines: Vec<String> = (0..40_000)
        .map(|_| random_instruction(&mut random))
        .collect();
    let before = of(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(check_order(&before, &before), []);
    let mut after = before.clone();
    let moved = after.blocks[0].instructions.remove(0);
    after.blocks[0].instructions.push(moved);
    assert!(!check_order(&before, &after).is_empty());
}
