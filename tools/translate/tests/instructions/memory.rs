//! Loads and stores of parts of words, accesses that overlap, spaces, atomic operations.

use super::check;

/// Statements that make `%y64` an address of 16 bytes of each thread in a space, and how the space is
/// written in an instruction.
const SPACES: [(&str, &str, &str); 6] = [
    ("shared", "mov.u32 %s, %shared;", "%s"),
    ("local", "mov.u32 %s, %local;", "%s"),
    ("global", "mov.u64 %y64, %global;", "%y64"),
    ("generic", "mov.u64 %y64, %global;", "%y64"),
    (
        "generic",
        "cvt.u64.u32 %y64, %shared; cvta.shared.u64 %y64, %y64;",
        "%y64",
    ),
    (
        "generic",
        "cvt.u64.u32 %y64, %local; cvta.local.u64 %y64, %y64;",
        "%y64",
    ),
];

/// Compares an instruction in every space; `#` stands for the space, `$` for the address.
fn everywhere(text: &str, host: impl Fn(u64, u64, u64) -> u64 + Copy) {
    for (space, setting, address) in SPACES {
        let space = match space {
            "generic" => String::new(),
            space => format!(".{space}"),
        };
        let text = text.replace('#', &space).replace('$', address);
        check(&format!("{setting} {text}"), host);
    }
}

#[test]
fn loads_extend_parts_of_words_by_their_type() {
    let store = "st#.b64 [$], %a64;";
    everywhere(&format!("{store} ld#.s8 %d32, [$+1]"), |a, _, _| {
        u64::from(i32::from((a >> 8) as u8 as i8) as u32)
    });
    everywhere(&format!("{store} ld#.u8 %d32, [$+7]"), |a, _, _| a >> 56);
    everywhere(&format!("{store} ld#.s16 %d32, [$+2]"), |a, _, _| {
        u64::from(i32::from((a >> 16) as u16 as i16) as u32)
    });
    everywhere(&format!("{store} ld#.u16 %d32, [$+6]"), |a, _, _| a >> 48);
    everywhere(&format!("{store} ld#.b32 %d32, [$+4]"), |a, _, _| a >> 32);
    everywhere(&format!("{store} ld#.s8 %d64, [$]"), |a, _, _| {
        i64::from(a as u8 as i8).cast_unsigned()
    });
    everywhere(&format!("{store} ld#.s32 %d64, [$]"), |a, _, _| {
        i64::from(a as u32 as i32).cast_unsigned()
    });
}

#[test]
fn stores_of_parts_keep_the_other_bytes() {
    let store = "st#.b64 [$], %a64;";
    everywhere(
        &format!("{store} st#.u8 [$+2], %b32; ld#.b64 %d64, [$]"),
        |a, b, _| a & !0xFF_0000 | (b & 0xFF) << 16,
    );
    everywhere(
        &format!("{store} st#.b16 [$+6], %b16; ld#.b64 %d64, [$]"),
        |a, b, _| a & 0xFFFF_FFFF_FFFF | b << 48,
    );
    everywhere(
        &format!("{store} st#.b32 [$+4], %b32; ld#.b64 %d64, [$]"),
        |a, b, _| a & 0xFFFF_FFFF | b << 32,
    );
    // A pair over two halves of another one.
    everywhere(
        &format!(
            "{store} st#.b64 [$+8], %b64; st#.b32 [$+4], %c32; ld#.v2.b64 {{%x64, %d64}}, [$]; xor.b64 %d64, %d64, %x64"
        ),
        |a, b, c| (a & 0xFFFF_FFFF | c << 32) ^ b,
    );
    everywhere(
        "st#.v4.b32 [$], {%a32, %b32, %c32, %t}; ld#.v2.b32 {%x32, %d32}, [$+8]; mov.u32 %d32, %x32",
        |_, _, c| c & 0xFFFF_FFFF,
    );
}

#[test]
fn a_guard_keeps_what_a_load_does_not_write() {
    everywhere(
        "st#.b64 [$], %a64; mov.u32 %d32, %b32; setp.lt.s32 %p, %c32, 0; @%p ld#.u8 %d32, [$]",
        |a, b, c| {
            if (c as u32 as i32) < 0 {
                a & 0xFF
            } else {
                b & 0xFFFF_FFFF
            }
        },
    );
    everywhere(
        "st#.b64 [$], %a64; setp.lt.s32 %p, %c32, 0; @!%p st#.u8 [$+1], %b32; ld#.b64 %d64, [$]",
        |a, b, c| {
            if (c as u32 as i32) < 0 {
                a
            } else {
                a & !0xFF00 | (b & 0xFF) << 8
            }
        },
    );
}

/// Addresses of shared and local memory have 32 bits: the sum of base and offset wraps.
#[test]
fn addresses_of_32_bits_wrap() {
    check(
        "st.shared.b32 [%shared+4], %a32; sub.u32 %s, %shared, 8192; ld.shared.b32 %d32, [%s+8196]",
        |a, _, _| a & 0xFFFF_FFFF,
    );
    check(
        "st.local.b32 [%local+4], %a32; sub.u32 %s, %local, 0x7ffff0; ld.local.b32 %d32, [%s+0x7ffff4]",
        |a, _, _| a & 0xFFFF_FFFF,
    );
}

/// An atomic operation on one word of each thread: the new value, and the old one.
fn atomic(operation: &str, host: impl Fn(u32, u32) -> u32) {
    let operand = if operation.starts_with("cas") {
        "%b32, %c32"
    } else {
        "%b32"
    };
    for space in ["shared", "global"] {
        let text = format!(
            "st.{space}.b32 [%{space}], %a32; atom.{space}.{operation} %x32, [%{space}], {operand}; \
             ld.{space}.b32 %y32, [%{space}]; mov.b64 %d64, {{%y32, %x32}}"
        );
        check(&text, |a, b, _| {
            u64::from(host(a as u32, b as u32)) | (a & 0xFFFF_FFFF) << 32
        });
    }
}

#[test]
fn atomic_operations_follow_their_type() {
    atomic("add.u32", u32::wrapping_add);
    atomic("min.s32", |old, value| {
        (old as i32).min(value as i32) as u32
    });
    atomic("max.s32", |old, value| {
        (old as i32).max(value as i32) as u32
    });
    atomic("min.u32", u32::min);
    atomic("max.u32", u32::max);
    atomic(
        "inc.u32",
        |old, value| if old >= value { 0 } else { old + 1 },
    );
    atomic("dec.u32", |old, value| {
        if old == 0 || old > value {
            value
        } else {
            old - 1
        }
    });
    atomic("and.b32", |old, value| old & value);
    atomic("or.b32", |old, value| old | value);
    atomic("xor.b32", |old, value| old ^ value);
    atomic("exch.b32", |_, value| value);
}

#[test]
fn compare_and_swap_writes_only_what_was_expected() {
    check(
        "and.b32 %a32, %a32, 3; and.b32 %b32, %b32, 3; st.shared.b32 [%shared], %a32; \
         atom.shared.cas.b32 %x32, [%shared], %b32, %c32; ld.shared.b32 %d32, [%shared]",
        |a, b, c| {
            if a & 3 == b & 3 {
                c & 0xFFFF_FFFF
            } else {
                a & 3
            }
        },
    );
    check(
        "st.shared.b64 [%shared], %a64; atom.shared.cas.b64 %x64, [%shared], %a64, %b64; \
         ld.shared.b64 %d64, [%shared]",
        |_, b, _| b,
    );
}

/// Sums of floats flush denormals in global memory, and keep them in shared memory.
#[test]
fn atomic_sums_of_floats_flush_denormals_in_global_memory_only() {
    // The least denormal, and zero.
    for (space, sum) in [("shared", 1), ("global", 0)] {
        check(
            &format!(
                "mov.b32 %y32, 0; st.{space}.b32 [%{space}], %y32; mov.b32 %y32, 1; \
                 atom.{space}.add.f32 %x32, [%{space}], %y32; ld.{space}.b32 %d32, [%{space}]"
            ),
            |_, _, _| sum,
        );
        // 1.5 + 2.25
        check(
            &format!(
                "mov.b32 %y32, 0x3fc00000; st.{space}.b32 [%{space}], %y32; \
                 mov.b32 %y32, 0x40100000; atom.{space}.add.f32 %x32, [%{space}], %y32; \
                 ld.{space}.b32 %d32, [%{space}]"
            ),
            |_, _, _| 0x4070_0000,
        );
    }
}

/// A guarded write of a register keeps the value that another block gave it.
#[test]
fn a_guarded_write_keeps_the_value_of_another_block() {
    check(
        "mov.u32 %d32, 7; setp.lt.s32 %p, %c32, 0; setp.lt.s32 %q, %b32, 0; @%q bra L;\n\
         mov.u32 %d32, 9;\nL:\n@%p mov.u32 %d32, %a32",
        |a, b, c| match ((c as u32 as i32) < 0, (b as u32 as i32) < 0) {
            (true, _) => a & 0xFFFF_FFFF,
            (false, true) => 7,
            (false, false) => 9,
        },
    );
}

/// A variable of parameters is held in registers, of which accesses may touch parts.
#[test]
fn parts_of_parameters_are_stored_and_extended() {
    check(
        "{ .param .b64 q; st.param.b64 [q], %a64; st.param.b8 [q+2], %b32; ld.param.b64 %d64, [q]; }",
        |a, b, _| a & !0xFF_0000 | (b & 0xFF) << 16,
    );
    check(
        "{ .param .b64 q; st.param.b64 [q], %a64; ld.param.s8 %d32, [q+5]; }",
        |a, _, _| u64::from(i32::from((a >> 40) as u8 as i8) as u32),
    );
    check(
        "{ .param .b64 q; st.param.b64 [q], %a64; ld.param.u16 %d32, [q+6]; }",
        |a, _, _| a >> 48,
    );
}
