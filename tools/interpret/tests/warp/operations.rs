//! The behaviour of warp operations, and their errors.

use orison_interpret::warp::{Bytes, GlobalMemory, Kernel, Launch};

use crate::harness::parse;

/// Runs a kernel with one buffer `out` of 64 32-bit values per thread; returns its contents, or the
/// error.
pub fn run(threads: u32, symbols: &str, body: &str) -> Result<Vec<u32>, String> {
    let text = format!(
        "{symbols}\nori.func kernel @k() target \"sm_90a\" attributes {{parameters = \
         [{{alignment = 8 : i32, name = \"out\", offset = 0 : i32, size = 8 : i32}}]}} {{\n\
         %out = ori.cbank [0, 528] : !ori.r64\n\
         %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
         %lane = ori.s2r <register = \"SR_LANEID\"> : !ori.r\n\
         %zero = ori.imm 0 : !ori.r\n\
         %size = ori.imm 256 : !ori.r\n\
         %at = ori.imad_wide <u32> %tid, %size, %out : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
         {body}\n}}"
    );
    let module = parse(&text)?;
    let kernel = Kernel::new(&module.context, module.operation, "k");
    let kernel = kernel.map_err(|fault| fault.render(&module.context))?;
    let mut memory = GlobalMemory::default();
    let address = memory.add("out", Bytes::defined(vec![0; 256 * threads as usize]));
    let launch = Launch {
        block: [threads, 1, 1],
        parameters: address.to_le_bytes().to_vec(),
        step_limit: 100_000,
        ..Launch::default()
    };
    let result = kernel.run(&mut memory, &launch);
    result.map_err(|fault| fault.render(&module.context))?;
    let words = memory.buffers()[0].1.data().chunks_exact(4);
    Ok(words
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect())
}

/// The first value of each thread.
pub fn firsts(words: &[u32]) -> Vec<u32> {
    words.iter().copied().step_by(64).collect()
}

/// Stores `%x` as the first value, and ends.
pub const STORE: &str = "ori.stg [%at], %x : (!ori.r64, !ori.r) -> ()\nori.exit";

#[test]
fn shuffles_follow_the_manual() {
    let shuffle = |mode: &str, lane: i64, bounds: i64| {
        let body = format!(
            "%n = ori.imm {lane} : !ori.r\n%b = ori.imm {bounds} : !ori.r\n\
             %x = ori.shfl <{mode}> %lane, %n, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r\n{STORE}"
        );
        firsts(&run(32, "", &body).unwrap())
    };
    let all = |value: fn(u32) -> u32| (0..32).map(value).collect::<Vec<_>>();
    assert_eq!(shuffle("bfly", 5, 31), all(|lane| lane ^ 5));
    assert_eq!(shuffle("idx", 7, 31), all(|_| 7));
    assert_eq!(
        shuffle("up", 3, 0),
        all(|lane| if lane < 3 { lane } else { lane - 3 })
    );
    assert_eq!(
        shuffle("down", 30, 31),
        all(|lane| if lane < 2 { lane + 30 } else { lane })
    );
    // Segments of eight lanes: the mask is 24, followed by the last lane of a segment.
    assert_eq!(
        shuffle("idx", 9, 24 << 8 | 31),
        all(|lane| lane / 8 * 8 + 1)
    );
    let last = |lane: u32| if lane % 8 == 7 { lane } else { lane + 1 };
    assert_eq!(
        shuffle("down", 1, 24 << 8 | 31),
        (0..32).map(last).collect::<Vec<_>>()
    );
}

#[test]
fn votes_and_matches_look_at_all_lanes() {
    let body = format!(
        "%six = ori.imm 6 : !ori.r\n\
         %p = ori.isetp <lt, u32> %lane, %six : (!ori.r, !ori.r) -> !ori.p\n\
         %x, %all = ori.vote <any> %p : (!ori.p) -> (!ori.r, !ori.p)\n{STORE}"
    );
    assert_eq!(firsts(&run(32, "", &body).unwrap()), [63; 32]);
    let body = format!(
        "%mask = ori.imm 3 : !ori.r\n\
         %v = ori.lop3 <lut = 192> %lane, %mask, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %x = ori.match <any> %v : (!ori.r) -> !ori.r\n{STORE}"
    );
    let expected: Vec<_> = (0..32).map(|lane| 0x1111_1111_u32 << (lane % 4)).collect();
    assert_eq!(firsts(&run(32, "", &body).unwrap()), expected);
    let body = format!(
        "%u = ori.redux <sum> %lane : (!ori.r) -> !ori.ur\n\
         %x = ori.mov %u : (!ori.ur) -> !ori.r\n{STORE}"
    );
    assert_eq!(firsts(&run(32, "", &body).unwrap()), [496; 32]);
}

/// Divergent lanes count their iterations separately, and reconverge after the loop.
#[test]
fn lanes_meet_behind_divergent_loops() {
    let body = format!(
        "ori.bra ^head(%zero : !ori.r)\n\
         ^head(%i: !ori.r):\n\
         %p = ori.isetp <lt, u32> %i, %lane : (!ori.r, !ori.r) -> !ori.p\n\
         %one = ori.imm 1 : !ori.r\n\
         %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         ori.cond_bra %p, ^head(%next : !ori.r), ^behind : !ori.p\n\
         ^behind:\n\
         %u = ori.redux <sum> %i : (!ori.r) -> !ori.ur\n\
         %x = ori.mov %u : (!ori.ur) -> !ori.r\n{STORE}"
    );
    assert_eq!(firsts(&run(32, "", &body).unwrap()), [496; 32]);
}

/// An edge that swaps two arguments reads both before it writes one.
#[test]
fn arguments_of_an_edge_are_copied_in_parallel() {
    let body = format!(
        "%three = ori.imm 3 : !ori.r\n%one = ori.imm 1 : !ori.r\n%ten = ori.imm 10 : !ori.r\n\
         ori.bra ^head(%zero, %lane, %ten : !ori.r, !ori.r, !ori.r)\n\
         ^head(%i: !ori.r, %a: !ori.r, %b: !ori.r):\n\
         %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %p = ori.isetp <lt, u32> %next, %three : (!ori.r, !ori.r) -> !ori.p\n\
         ori.cond_bra %p, ^head(%next, %b, %a : !ori.r, !ori.r, !ori.r), ^end : !ori.p\n\
         ^end:\n%x = ori.imad %a, %ten, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r\n{STORE}"
    );
    // Two swaps leave the lane in the first argument.
    let expected: Vec<_> = (0..32).map(|lane| 10 * lane + 10).collect();
    assert_eq!(firsts(&run(32, "", &body).unwrap()), expected);
}

/// Lanes that end on one side of a branch are not waited for at its join.
#[test]
fn lanes_that_end_are_not_waited_for() {
    let body = format!(
        "%ten = ori.imm 10 : !ori.r\n\
         %p = ori.isetp <lt, u32> %lane, %ten : (!ori.r, !ori.r) -> !ori.p\n\
         %q = ori.isetp <eq, u32> %lane, %zero : (!ori.r, !ori.r) -> !ori.p\n\
         ori.cond_bra %p, ^few, ^join : !ori.p\n\
         ^few:\nori.exit_if %q : !ori.p\nori.bra ^join\n\
         ^join:\n%u = ori.redux <sum> %lane : (!ori.r) -> !ori.ur\n\
         %x = ori.mov %u : (!ori.ur) -> !ori.r\n{STORE}"
    );
    let found = firsts(&run(32, "", &body).unwrap());
    assert_eq!(found[0], 0);
    assert_eq!(found[1..], [496; 31]);
}

#[test]
fn a_branch_on_a_negated_predicate_takes_the_other_edge() {
    let body = |not: &str| {
        format!(
            "%ten = ori.imm 10 : !ori.r\n\
             %p = ori.isetp <lt, u32> %lane, %ten : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra {not}%p, ^end(%ten : !ori.r), ^end(%zero : !ori.r) : !ori.p\n\
             ^end(%x: !ori.r):\n{STORE}"
        )
    };
    let chosen = |first: u32, second: u32| -> Vec<u32> {
        let lanes = (0..32).map(|lane| if lane < 10 { first } else { second });
        lanes.collect()
    };
    assert_eq!(firsts(&run(32, "", &body("")).unwrap()), chosen(10, 0));
    assert_eq!(firsts(&run(32, "", &body("not ")).unwrap()), chosen(0, 10));
}

/// The thread of a block of 8 by 4 by 2.
#[test]
fn threads_are_counted_along_x_first() {
    let text = "ori.func kernel @k() target \"sm_90a\" attributes {parameters = \
         [{alignment = 8 : i32, name = \"out\", offset = 0 : i32, size = 8 : i32}]} {\n\
         %out = ori.cbank [0, 528] : !ori.r64\n\
         %x = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
         %y = ori.s2r <register = \"SR_TID.Y\"> : !ori.r\n\
         %z = ori.s2r <register = \"SR_TID.Z\"> : !ori.r\n\
         %eight = ori.imm 8 : !ori.r\n%width = ori.imm 32 : !ori.r\n%four = ori.imm 4 : !ori.r\n\
         %row = ori.imad %y, %eight, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %n = ori.imad %z, %width, %row : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %at = ori.imad_wide <u32> %n, %four, %out : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
         %w = ori.imad %y, %width, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         ori.stg [%at], %w : (!ori.r64, !ori.r) -> ()\nori.exit\n}";
    let module = parse(text).unwrap();
    let kernel = Kernel::new(&module.context, module.operation, "k");
    let kernel = kernel
        .map_err(|fault| fault.render(&module.context))
        .unwrap();
    let mut memory = GlobalMemory::default();
    let address = memory.add("out", Bytes::undefined(256));
    let launch = Launch {
        block: [8, 4, 2],
        parameters: address.to_le_bytes().to_vec(),
        ..Launch::default()
    };
    let result = kernel.run(&mut memory, &launch);
    result
        .map_err(|fault| fault.render(&module.context))
        .unwrap();
    for thread in 0..64 {
        let (y, z) = (thread / 8 % 4, thread / 32);
        let found = memory.buffers()[0].1.read(4 * thread, 4);
        assert_eq!(found, Some(Some((32 * y + z) as u32)), "thread {thread}");
    }
}

#[test]
fn calls_return_to_all_lanes() {
    let twice = "ori.func private @twice(%a: !ori.r) -> !ori.r target \"sm_90a\" {\n\
                 %z = ori.imm 0 : !ori.r\n\
                 %three = ori.imm 3 : !ori.r\n\
                 %p = ori.isetp <lt, u32> %a, %three : (!ori.r, !ori.r) -> !ori.p\n\
                 ori.cond_bra %p, ^small, ^large : !ori.p\n\
                 ^small:\n\
                 ori.ret %z : !ori.r\n\
                 ^large:\n\
                 %s = ori.iadd3 %a, %a, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
                 ori.ret %s : !ori.r\n}";
    let body = format!(
        "%y = ori.call @twice(%lane) : (!ori.r) -> !ori.r\n\
         %u = ori.redux <sum> %y : (!ori.r) -> !ori.ur\n\
         %x = ori.mov %u : (!ori.ur) -> !ori.r\n{STORE}"
    );
    assert_eq!(firsts(&run(32, twice, &body).unwrap()), [2 * (496 - 3); 32]);
}

#[test]
fn what_a_kernel_must_not_do_is_told() {
    let shared = "ori.memory shared @s, size 64, align 16";
    let cases = [
        (
            32,
            "ori.stg [%at + 8192], %lane : (!ori.r64, !ori.r) -> ()\nori.exit",
            "out of bounds in lane 0: at byte 8192 of buffer 'out', which has 8192 bytes",
        ),
        (
            32,
            "ori.stg [%at + 2], %lane : (!ori.r64, !ori.r) -> ()\nori.exit",
            "misaligned",
        ),
        (
            32,
            "%s = ori.address_of @s : !ori.r\n%v = ori.lds [%s] : (!ori.r) -> !ori.r\n\
             %p = ori.isetp <eq, u32> %v, %zero : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %p, ^a, ^a : !ori.p\n^a:\nori.exit",
            "a predicate is undefined in lane 0",
        ),
        (
            32,
            "%p = ori.isetp <eq, u32> %lane, %zero : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %p, ^a, ^b : !ori.p\n\
             ^a:\n%b = ori.imm 31 : !ori.r\n\
             %v = ori.shfl <bfly> %lane, %b, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             ori.bra ^b\n^b:\nori.exit",
            "lane 0 reads inactive lane 31",
        ),
        (
            64,
            "%n = ori.imm 32 : !ori.r\n\
             %p = ori.isetp <lt, u32> %tid, %n : (!ori.r, !ori.r) -> !ori.p\n\
             ori.bar <sync, index = 3> threads(%size) if %p : (!ori.r, !ori.p) -> ()\nori.exit",
            "deadlock: no warp can make progress: lanes 0xffffffff of warp 0 of CTA [0, 0, 0] wait for barrier 3, at \
             which 32 threads have arrived",
        ),
        (
            32,
            "ori.inst <mnemonic = \"frobnicate.u32\">\nori.exit",
            "'frobnicate.u32' is not modelled",
        ),
        (
            32,
            "ori.bra ^a\n^a:\nori.bra ^a",
            "did not finish within 100000 instructions",
        ),
        (
            32,
            "%s = ori.address_of @s : !ori.r\n%one = ori.imm 1 : !ori.r\n\
             %p = ori.isetp <eq, u32> %lane, %zero : (!ori.r, !ori.r) -> !ori.p\n\
             ori.syncs <init> [%s] count(%one) if %p : (!ori.r, !ori.r, !ori.p) -> ()\n\
             %done = ori.syncs_try_wait [%s], %zero : (!ori.r, !ori.r) -> !ori.p\nori.exit",
            "for phase 0 of the mbarrier at 0x0",
        ),
    ];
    for (threads, body, expected) in cases {
        let error = run(threads, shared, body).unwrap_err();
        assert!(error.contains(expected), "{error}");
        assert!(error.starts_with("kernels.mlir:"), "{error}");
    }
}

/// Fragments of ones and of row numbers: the product counts.
#[test]
fn products_of_a_warp_put_elements_in_their_lanes() {
    // Halves 1.0 in both factors, so that every sum is the depth, plus the lane as addend.
    let body = "%ones = ori.imm 0x3C003C00 : !ori.r\n\
                %a = ori.concat %ones, %ones, %ones, %ones : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128\n\
                %b = ori.concat %ones, %ones : (!ori.r, !ori.r) -> !ori.r64\n\
                %f = ori.i2f <to = f32, from = u32> %lane : (!ori.r) -> !ori.r\n\
                %c = ori.concat %f, %zero, %zero, %zero : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128\n\
                %d = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %c : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128\n\
                ori.stg <b128> [%at], %d : (!ori.r64, !ori.r128) -> ()\nori.exit";
    let found = run(32, "", body).unwrap();
    for lane in 0..32 {
        let words = [0, 1, 2, 3].map(|word| f32::from_bits(found[64 * lane + word]));
        assert_eq!(words, [16.0 + lane as f32, 16.0, 16.0, 16.0]);
    }
}

/// A group's product of ones in shared memory, without swizzle: sums are the depth; a read before
/// the wait is undefined.
#[test]
fn products_of_a_group_are_there_behind_the_wait() {
    let body = |wait: &str| {
        format!(
            "%s = ori.address_of @tile : !ori.r\n%ones = ori.imm 0x3C003C00 : !ori.r\n\
             %step = ori.imm 32 : !ori.r\n\
             %place = ori.imad %tid, %step, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             %four = ori.concat %ones, %ones, %ones, %ones : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128\n\
             ori.sts <b128> [%place], %four : (!ori.r, !ori.r128) -> ()\n\
             ori.sts <b128> [%place + 16], %four : (!ori.r, !ori.r128) -> ()\n\
             ori.bar <sync, index = 0>\n\
             %low = ori.imm 524288 : !ori.r\n%high = ori.imm 16 : !ori.r\n\
             %desc = ori.concat %low, %high : (!ori.r, !ori.r) -> !ori.r64\n\
             ori.wgmma.fence\n\
             %acc = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %desc, %desc : (!ori.r64, !ori.r64) -> !ori.acc<4>\n\
             ori.wgmma.commit\n{wait}\
             %x = ori.extract %done[3] : (!ori.acc<4>) -> !ori.r\n\
             %y = ori.fadd %x, %x : (!ori.r, !ori.r) -> !ori.r\n\
             %p = ori.fsetp <gt> %y, %x : (!ori.r, !ori.r) -> !ori.p\n\
             ori.stg [%at], %y if %p : (!ori.r64, !ori.r, !ori.p) -> ()\nori.exit"
        )
    };
    let tile = "ori.memory shared @tile, size 4096, align 1024";
    let waits =
        "%done = ori.wgmma.wait <count = 0> accumulators(%acc) : (!ori.acc<4>) -> !ori.acc<4>\n";
    let found = run(128, tile, &body(waits)).unwrap();
    assert_eq!(firsts(&found), [32.0_f32.to_bits(); 128]);
    let early =
        "%done = ori.wgmma.wait <count = 1> accumulators(%acc) : (!ori.acc<4>) -> !ori.acc<4>\n";
    let error = run(128, tile, &body(early)).unwrap_err();
    assert!(error.contains("accumulator in flight"), "{error}");
}

/// A bulk copy completes eventually; the mbarrier signals it.
#[test]
fn bulk_copies_complete_at_their_mbarrier() {
    let body = "%s = ori.address_of @s : !ori.r\n%one = ori.imm 1 : !ori.r\n%bytes = ori.imm 32 : !ori.r\n\
                %p = ori.isetp <eq, u32> %lane, %zero : (!ori.r, !ori.r) -> !ori.p\n\
                %seven = ori.imm 7 : !ori.r\n\
                ori.stg [%at + 16], %seven : (!ori.r64, !ori.r) -> ()\n\
                ori.syncs <init> [%s + 32] count(%one) if %p : (!ori.r, !ori.r, !ori.p) -> ()\n\
                ori.syncs_arrive [%s + 32] expect(%bytes) if %p : (!ori.r, !ori.r, !ori.p) -> ()\n\
                %to = ori.r2ur %s : (!ori.r) -> !ori.ur\n\
                %place = ori.imm 32 : !ori.r\n\
                %b = ori.r2ur %place : (!ori.r) -> !ori.ur\n\
                %low = ori.extract %out[0] : (!ori.r64) -> !ori.r\n%high = ori.extract %out[1] : (!ori.r64) -> !ori.r\n\
                %l = ori.r2ur %low : (!ori.r) -> !ori.ur\n%h = ori.r2ur %high : (!ori.r) -> !ori.ur\n\
                %from = ori.concat %l, %h : (!ori.ur, !ori.ur) -> !ori.ur64\n\
                ori.ublkcp %to, %from, %b barrier(%b) : (!ori.ur, !ori.ur64, !ori.ur, !ori.ur) -> ()\n\
                %done = ori.syncs_try_wait [%s + 32], %zero : (!ori.r, !ori.r) -> !ori.p\n\
                %x = ori.lds [%s + 16] : (!ori.r) -> !ori.r\n\
                ori.stg [%at], %x : (!ori.r64, !ori.r) -> ()\nori.exit";
    let found = run(32, "ori.memory shared @s, size 64, align 16", body).unwrap();
    assert_eq!(firsts(&found), [7; 32]);
}

#[test]
fn another_kernel_of_a_module_can_be_selected() {
    let kernel = |name: &str, value: u32| {
        format!(
            "ori.func kernel @{name}() target \"sm_90a\" attributes {{parameters = \
             [{{alignment = 8 : i32, name = \"out_{name}\", offset = 0 : i32, size = 8 : i32}}]}} {{\n\
             %out = ori.cbank [0, 528] : !ori.r64\n%x = ori.imm {value} : !ori.r\n\
             ori.stg [%out], %x : (!ori.r64, !ori.r) -> ()\nori.exit\n}}\n"
        )
    };
    let private = "ori.func private @p() target \"sm_90a\" {\nori.ret\n}\n";
    let module = parse(&(kernel("a", 1) + &kernel("b", 2) + private)).unwrap();
    let mut kernel = Kernel::new(&module.context, module.operation, "a").unwrap();
    let stored = |kernel: &Kernel<'_>| {
        let mut memory = GlobalMemory::default();
        let address = memory.add("out", Bytes::undefined(4));
        let launch = Launch {
            parameters: address.to_le_bytes().to_vec(),
            ..Launch::default()
        };
        kernel.run(&mut memory, &launch).unwrap();
        memory.buffers()[0].1.read(0, 4)
    };
    assert_eq!(stored(&kernel), Some(Some(1)));
    kernel.select("b").unwrap();
    assert_eq!(stored(&kernel), Some(Some(2)));
    assert_eq!(kernel.parameters()[0].name, "out_b");
    let error = |fault: orison_interpret::warp::Fault| fault.render(&module.context);
    let refused = kernel.select("c").map_err(error).unwrap_err();
    assert!(refused.contains("undefined kernel 'c'"), "{refused}");
    let refused = kernel.select("p").map_err(error).unwrap_err();
    assert!(refused.contains("is not a kernel"), "{refused}");
    assert_eq!(stored(&kernel), Some(Some(2)));
}

/// Ten warps wait for more threads than there are, then eight.
#[test]
fn a_deadlock_lists_eight_waits() {
    let waits = |threads: u32| {
        let body = "%many = ori.imm 1024 : !ori.r\n\
                    ori.bar <sync, index = 3> threads(%many) : (!ori.r) -> ()\nori.exit";
        let error = run(threads, "", body).unwrap_err();
        let more = error
            .split("; and ")
            .nth(1)
            .map(|rest| rest.contains("2 more"));
        (error.matches("wait for barrier 3").count(), more)
    };
    assert_eq!(waits(320), (8, Some(true)));
    assert_eq!(waits(256), (8, None));
}

/// Only one action of `CCTL` discards the lines that it names; a branch needs a defined predicate.
#[test]
fn an_invalidated_line_keeps_its_value() {
    let run = |action: &str| {
        let body = format!(
            "%v = ori.imm 7 : !ori.r\nori.stg [%at], %v : (!ori.r64, !ori.r) -> ()\n\
             ori.cctl <{action}> [%at] : (!ori.r64) -> ()\n\
             %x = ori.ldg [%at] : (!ori.r64) -> !ori.r\n\
             %p = ori.isetp <eq, u32> %x, %v : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %p, ^a, ^a : !ori.p\n^a:\nori.exit"
        );
        run(1, "", &body).map(|words| firsts(&words))
    };
    assert_eq!(run("iv"), Ok(vec![7]));
    let error = run("rml2").unwrap_err();
    assert!(error.contains("a predicate is undefined"), "{error}");
}
