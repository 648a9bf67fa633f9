//! Asynchronous operations, cooperation of CTAs, and rejected operations.

use crate::operations::{STORE, firsts, run};

const SHARED: &str = "ori.memory shared @s, size 4096, align 1024";

/// A float in all lanes except one.
fn extremum(words: &str, other: u32) -> u32 {
    let body = format!(
        "%one = ori.imm {} : !ori.r\n%other = ori.imm {} : !ori.r\n\
         %p = ori.isetp <eq, u32> %lane, %zero : (!ori.r, !ori.r) -> !ori.p\n\
         %v = ori.sel %other, %one, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r\n\
         %u = ori.credux <{words}> %v : (!ori.r) -> !ori.ur\n\
         %x = ori.mov %u : (!ori.ur) -> !ori.r\n{STORE}",
        (-1.0_f32).to_bits().cast_signed(),
        other.cast_signed()
    );
    let found = firsts(&run(32, "", &body).expect("a run"));
    assert!(found.iter().all(|word| *word == found[0]));
    found[0]
}

#[test]
fn extrema_of_floats_choose_between_numbers() {
    let (one, two, half) = (0xBF80_0000, 2.0_f32.to_bits(), 0.5_f32.to_bits());
    assert_eq!(extremum("max, f32", two), two);
    assert_eq!(extremum("min, f32", two), one);
    assert_eq!(extremum("max, f32, absolute", half), 1.0_f32.to_bits());
    assert_eq!(extremum("min, f32, absolute", half), half);
    assert_eq!(extremum("max, f32", f32::NAN.to_bits()), one);
    assert_eq!(
        extremum("max, f32, nan_wins", f32::NAN.to_bits()),
        0x7FFF_FFFF
    );
}

/// Rows of ones with columns of alternating bits.
#[test]
fn products_of_bits_count() {
    let product = |words: &str| {
        let body = format!(
            "%ones = ori.imm -1 : !ori.r\n%half = ori.imm 0x55555555 : !ori.r\n\
             %a = ori.concat %ones, %ones : (!ori.r, !ori.r) -> !ori.r64\n\
             %c = ori.concat %lane, %zero, %zero, %zero : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128\n\
             %d = ori.bmma <m16n8k128{words}> %a, %half, %c : (!ori.r64, !ori.r, !ori.r128) -> !ori.r128\n\
             ori.stg <b128> [%at], %d : (!ori.r64, !ori.r128) -> ()\nori.exit"
        );
        run(32, "", &body).unwrap()
    };
    for words in ["", ", exclusive"] {
        let found = product(words);
        for lane in 0..32 {
            assert_eq!(found[64 * lane..][..4], [64 + lane as u32, 64, 64, 64]);
        }
    }
}

const FUNCTIONS: &str = "ori.func private @twice(%a: !ori.r) -> !ori.r target \"sm_90a\" {\n\
     %z = ori.imm 0 : !ori.r\n\
     %s = ori.iadd3 %a, %a, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
     ori.ret %s : !ori.r\n}\n\
     ori.func private @next(%a: !ori.r) -> !ori.r target \"sm_90a\" {\n\
     %one = ori.imm 1 : !ori.r\n%z = ori.imm 0 : !ori.r\n\
     %s = ori.iadd3 %a, %one, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
     ori.ret %s : !ori.r\n}\n\
     ori.func private @both(%a: !ori.r, %b: !ori.r) -> !ori.r target \"sm_90a\" {\n\
     ori.ret %a : !ori.r\n}\n";

/// Odd lanes call another function than even ones, by a table in memory; all reconverge afterwards.
#[test]
fn lanes_call_functions_by_their_addresses() {
    let table = format!(
        "{FUNCTIONS}ori.memory global @table, size 16, align 8 {{initial = array<i8: 0, 0, 0, 0, 0, 0, \
         0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, addresses = [{{bytes = 8 : i64, offset = 0 : i64, symbol = \
         @twice}}, {{bytes = 8 : i64, offset = 8 : i64, symbol = @next}}]}}"
    );
    let body = format!(
        "%t = ori.address_of @table : !ori.r64\n%one = ori.imm 1 : !ori.r\n%eight = ori.imm 8 : !ori.r\n\
         %odd = ori.lop3 <lut = 192> %lane, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %place = ori.imad_wide <u32> %odd, %eight, %t : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
         %f = ori.ldg <b64> [%place] : (!ori.r64) -> !ori.r64\n\
         %y = ori.call_indirect %f(%lane) : (!ori.r64, !ori.r) -> !ori.r\n\
         %u = ori.redux <sum> %y : (!ori.r) -> !ori.ur\n\
         %x = ori.mov %u : (!ori.ur) -> !ori.r\n{STORE}"
    );
    let sum = (0..32)
        .map(|n| if n % 2 == 0 { 2 * n } else { n + 1 })
        .sum::<u32>();
    assert_eq!(firsts(&run(32, &table, &body).unwrap()), [sum; 32]);
    let wrong = |function: &str, words: &str| {
        let body = format!("%f = ori.address_of @{function} : !ori.r64\n{words}\nori.exit");
        run(32, FUNCTIONS, &body).unwrap_err()
    };
    let error = wrong(
        "both",
        "%y = ori.call_indirect %f(%lane) : (!ori.r64, !ori.r) -> !ori.r",
    );
    assert!(error.contains("do not match the callee"), "{error}");
    let error = wrong(
        "next",
        "%y = ori.call_indirect %at(%lane) : (!ori.r64, !ori.r) -> !ori.r",
    );
    assert!(error.contains("which is not a function"), "{error}");
}

#[test]
fn there_are_always_enough_registers() {
    let body = format!(
        "%done = ori.setmaxreg <inc, count = 240> : !ori.up\n%one = ori.imm 1 : !ori.r\n\
         %x = ori.sel %one, %zero, %done : (!ori.r, !ori.r, !ori.up) -> !ori.r\n{STORE}"
    );
    assert_eq!(firsts(&run(32, "", &body).unwrap()), [1; 32]);
}

/// An arrival after copies: the phase ends once all lanes' copies are complete.
#[test]
fn arrivals_behind_copies_come_when_these_are_complete() {
    let body = |counted: &str, arrivals: u32| {
        format!(
            "%s = ori.address_of @s : !ori.r\n%n = ori.imm {arrivals} : !ori.r\n\
             %four = ori.imm 4 : !ori.r\n\
             %to = ori.imad %lane, %four, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             %p = ori.isetp <eq, u32> %lane, %zero : (!ori.r, !ori.r) -> !ori.p\n\
             ori.stg [%at + 16], %lane : (!ori.r64, !ori.r) -> ()\n\
             ori.syncs <init> [%s + 1024] count(%n) if %p : (!ori.r, !ori.r, !ori.p) -> ()\n\
             ori.warpsync\n\
             ori.ldgsts <b32> [%to], [%at + 16] : (!ori.r, !ori.r64) -> ()\n\
             ori.arrives <{counted}> [%s + 1024] : (!ori.r) -> ()\n\
             {}\
             %done = ori.syncs_try_wait [%s + 1024], %zero : (!ori.r, !ori.r) -> !ori.p\n\
             %x = ori.lds [%to] : (!ori.r) -> !ori.r\n{STORE}",
            if counted.is_empty() {
                "ori.syncs_arrive [%s + 1024] : (!ori.r) -> ()\n"
            } else {
                ""
            }
        )
    };
    let lanes: Vec<_> = (0..32).collect();
    let body = |counted: &str| body(counted, 32).replace("<>", "");
    assert_eq!(firsts(&run(32, SHARED, &body("counted")).unwrap()), lanes);
    assert_eq!(firsts(&run(32, SHARED, &body("")).unwrap()), lanes);
}

/// Copies of a group are complete after the wait for it, not before; and their sources are read
/// after the wait for reads.
#[test]
fn bulk_groups_are_waited_for() {
    let body = |wait: &str| {
        format!(
            "%s = ori.address_of @s : !ori.r\n%four = ori.imm 4 : !ori.r\n%all = ori.imm 128 : !ori.r\n\
             %to = ori.imad %lane, %four, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             ori.sts [%to], %lane : (!ori.r, !ori.r) -> ()\n\
             ori.warpsync\n\
             %us = ori.r2ur %s : (!ori.r) -> !ori.ur\n%bytes = ori.r2ur %all : (!ori.r) -> !ori.ur\n\
             %low = ori.extract %out[0] : (!ori.r64) -> !ori.r\n%high = ori.extract %out[1] : (!ori.r64) -> !ori.r\n\
             %l = ori.r2ur %low : (!ori.r) -> !ori.ur\n%h = ori.r2ur %high : (!ori.r) -> !ori.ur\n\
             %uout = ori.concat %l, %h : (!ori.ur, !ori.ur) -> !ori.ur64\n\
             ori.ublkred <add, u32> %uout, %us, %bytes : (!ori.ur64, !ori.ur, !ori.ur) -> ()\n\
             ori.utmacmdflush\n{wait}\n\
             ori.sts [%to], %zero : (!ori.r, !ori.r) -> ()\n\
             ori.exit"
        )
    };
    let sum = |wait: &str| run(32, SHARED, &body(wait)).map(|words| words[..32].to_vec());
    let lanes: Vec<_> = (0..32).collect();
    assert_eq!(sum("ori.bulk_wait <count = 0>").unwrap(), lanes);
    assert_eq!(sum("ori.bulk_wait <count = 0, reads>").unwrap(), lanes);
    // One group may remain open, so that its source is overwritten before it is read.
    assert_ne!(sum("ori.bulk_wait <count = 1>").unwrap(), lanes);
}

/// Columns, a store, a load: the first value of each thread is the one it stored.
fn tensor_memory(between: &str, end: &str) -> Result<Vec<u32>, String> {
    let body = format!(
        "%n = ori.imm 32 : !ori.r\n%count = ori.r2ur %n : (!ori.r) -> !ori.ur\n\
         %base = ori.tcgen05.alloc %count : (!ori.ur) -> !ori.ur\n\
         ori.tcgen05.st <s32x32b, repeat = 1> %base, %tid : (!ori.ur, !ori.r) -> ()\n\
         {between}\
         %y = ori.tcgen05.ld <s32x32b, repeat = 1> %base : (!ori.ur) -> !ori.r\n\
         %x = ori.tcgen05.wait_ld values(%y) : (!ori.r) -> !ori.r\n\
         {end}{STORE}"
    );
    run(32, "", &body)
}

#[test]
fn tensor_memory_is_allocated_and_waited_for() {
    let free = "ori.tcgen05.dealloc %base columns(%count) : (!ori.ur, !ori.ur) -> ()\n";
    let waits = "ori.tcgen05.wait_st\n";
    let lanes: Vec<_> = (0..32).collect();
    assert_eq!(firsts(&tensor_memory(waits, free).unwrap()), lanes);
    let cases = [
        ("", free, "without waiting for the store"),
        (waits, "", "not freed before the CTA ends"),
        (
            "ori.tcgen05.wait_st\nori.tcgen05.permit\n%b = ori.tcgen05.alloc %count : (!ori.ur) -> !ori.ur\n",
            free,
            "relinquished its allocation permit",
        ),
        (
            "%m = ori.imm 65536 : !ori.r\n%far = ori.tcgen05.ld <s32x32b, repeat = 1> %m : (!ori.r) -> !ori.r\n",
            free,
            "warp 0 can access lanes 0 to 31",
        ),
        (
            "%m = ori.imm 32 : !ori.r\n%far = ori.tcgen05.ld <s32x32b, repeat = 1> %m : (!ori.r) -> !ori.r\n",
            free,
            "column 32 of tensor memory, which are not allocated",
        ),
        (
            "%m = ori.imm 33 : !ori.r\n%o = ori.r2ur %m : (!ori.r) -> !ori.ur\n%b = ori.tcgen05.alloc %o : (!ori.ur) -> !ori.ur\n",
            free,
            "256 or 512, found 33",
        ),
    ];
    for (between, end, words) in cases {
        let error = tensor_memory(between, end).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn clusters_are_told_what_they_must_not_do() {
    let cases = [
        (
            "ori.cgabar_wait\nori.exit",
            "without a previous arrive, in lane 0",
        ),
        (
            "ori.cgabar_arrive\nori.cgabar_arrive\nori.exit",
            "twice without a wait",
        ),
        (
            "%s = ori.address_of @s : !ori.r\n%one = ori.imm 1 : !ori.r\n\
             %m = ori.mapa %s, %one : (!ori.r, !ori.r) -> !ori.r\n\
             %x = ori.lds [%m] : (!ori.r) -> !ori.r\nori.exit",
            "belongs to CTA 1 of the cluster",
        ),
        (
            "%s = ori.address_of @s : !ori.r\n%one = ori.imm 1 : !ori.r\n\
             %m = ori.mapa %s, %one : (!ori.r, !ori.r) -> !ori.r\n\
             %w = ori.s2r <register = \"SR_SWINHI\"> : !ori.r\n\
             %g = ori.concat %m, %w : (!ori.r, !ori.r) -> !ori.r64\n\
             %x = ori.ld [%g] : (!ori.r64) -> !ori.r\nori.exit",
            "accesses CTA 1 of a cluster of 1 CTAs",
        ),
    ];
    for (body, words) in cases {
        let error = run(32, SHARED, body).unwrap_err();
        assert!(error.contains(words), "{error}");
        assert!(error.starts_with("kernels.mlir:"), "{error}");
    }
}

/// An unsupported operation stops a run, if reached.
#[test]
fn what_is_not_modelled_is_refused() {
    let cases = [
        (
            "%d = ori.concat %zero, %zero : (!ori.r, !ori.r) -> !ori.r64\n\
             %a = ori.wgmma.mma <columns = 64, depth = 32, half, left_format = f16, right_format = f16, \
             accumulator = f32, selector = 1> %d, %d metadata(%zero) : (!ori.r64, !ori.r64, !ori.r) -> !ori.acc<32>",
            "'metadata' of 'ori.wgmma.mma' is not modelled",
        ),
        (
            "%x = ori.tex <tex2d, mask = 1, bound = 3, lz> coordinates(%zero, %zero) : (!ori.r, !ori.r) -> !ori.r",
            "'ori.tex' is not modelled by the interpreter: textures are not modelled",
        ),
        (
            "%x = ori.fswzadd <adds = true> %zero, %zero : (!ori.r, !ori.r) -> !ori.r",
            "which lanes of a quad it adds in is not known",
        ),
        (
            "%x = ori.cs2r <register = \"SR_PM0\"> : !ori.r",
            "'SR_PM0' is not modelled",
        ),
    ];
    for (body, words) in cases {
        let error = run(32, SHARED, &format!("{body}\nori.exit")).unwrap_err();
        assert!(error.contains(words), "{error}");
        assert!(error.starts_with("kernels.mlir:"), "{error}");
        // A branch around it is not an error.
        let around = format!("ori.bra ^a\n^b:\n{body}\nori.bra ^a\n^a:\nori.exit");
        run(32, SHARED, &around).unwrap();
    }
}

/// Memory with an unsupported initial value is undefined.
#[test]
fn first_values_that_are_only_text_are_no_zeros() {
    let memory = "ori.memory global @g, size 4, align 4 {initial_text = \"{f}\"}";
    let body = "%g = ori.address_of @g : !ori.r64\n%v = ori.ldg [%g] : (!ori.r64) -> !ori.r\n\
                %p = ori.isetp <eq, u32> %v, %zero : (!ori.r, !ori.r) -> !ori.p\n\
                ori.cond_bra %p, ^a, ^a : !ori.p\n^a:\nori.exit";
    let error = run(32, memory, body).unwrap_err();
    assert!(error.contains("a predicate is undefined"), "{error}");
}
