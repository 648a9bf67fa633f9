//! The decomposition of addresses into values and a constant.

use super::{Program, function};
use crate::analyses::memory::{self, Access, AliasKind};

/// The alias result of the first two memory operations.
fn alias(body: &str) -> AliasKind {
    let program = function(&format!("{body}\nori.ret"));
    let (a, b) = first_two(&program);
    memory::alias(&a, &b).kind
}

fn first_two(program: &Program) -> (Access, Access) {
    let context = &program.context;
    let all = program.operations().into_iter();
    let mut all = all.flat_map(|op| memory::accesses(context, op));
    (all.next().expect("an access"), all.next().expect("another"))
}

/// Stores 4 bytes at a 32-bit address, and another 4 bytes at one computed from it.
fn words(computation: &str, offset: i64) -> AliasKind {
    alias(&format!(
        "{computation}\n\
         ori.sts <b32> [%r], %x : (!ori.r, !ori.r) -> ()\n\
         ori.sts <b32> [%a + {offset}], %x : (!ori.r, !ori.r) -> ()"
    ))
}

/// The same with a 64-bit address.
fn pairs(computation: &str, offset: i64) -> AliasKind {
    alias(&format!(
        "%lo = ori.extract %d[0] : (!ori.r64) -> !ori.r\n\
         %hi = ori.extract %d[1] : (!ori.r64) -> !ori.r\n{computation}\n\
         ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\n\
         ori.stg <b32> [%a + {offset}], %x : (!ori.r64, !ori.r) -> ()"
    ))
}

const TYPES: &str = "(!ori.r, !ori.r, !ori.r) -> !ori.r";

#[test]
fn constants_of_sums_are_added_to_the_offset() {
    for (sum, offset) in [
        (format!("ori.iadd3 %r, %four, %zero : {TYPES}"), -4),
        (format!("ori.iadd3 %four, %r, %four : {TYPES}"), -8),
        (format!("ori.iadd3 %four, %four, %r : {TYPES}"), -8),
        (format!("ori.iadd3 %r, neg %four, %one : {TYPES}"), 3),
        (format!("ori.iadd3 %r, not %four, %zero : {TYPES}"), 5),
        (format!("ori.iadd3 %r, not %zero, %zero : {TYPES}"), 1),
        (
            "ori.viadd %r, %four : (!ori.r, !ori.r) -> !ori.r".to_owned(),
            -4,
        ),
    ] {
        let sum = format!("%a = {sum}");
        assert_eq!(words(&sum, offset), AliasKind::Same, "{sum}");
        assert_eq!(words(&sum, offset + 2), AliasKind::Must, "{sum}");
        assert_eq!(words(&sum, offset + 4), AliasKind::None, "{sum}");
        assert_eq!(words(&sum, offset - 4), AliasKind::None, "{sum}");
    }
}

/// `r + 0x7fffffff + 0x7fffffff + 2` is `r` in 32 bits.
#[test]
fn sums_of_32_bits_wrap() {
    let sum = format!(
        "%most = ori.imm 2147483647 : !ori.r\n\
         %h = ori.iadd3 %r, %most, %most : {TYPES}\n\
         %a = ori.iadd3 %h, %one, %one : {TYPES}"
    );
    assert_eq!(words(&sum, 0), AliasKind::Same);
    assert_eq!(words(&sum, 3), AliasKind::Must);
    assert_eq!(words(&sum, 4), AliasKind::None);
}

#[test]
fn sums_that_are_not_a_value_and_constants_are_not_taken_apart() {
    for sum in [
        // Two values; a negated or inverted value.
        format!("%a = ori.iadd3 %r, %x, %four : {TYPES}"),
        format!("%a = ori.iadd3 neg %r, %four, %zero : {TYPES}"),
        format!("%a = ori.iadd3 not %r, %four, %zero : {TYPES}"),
        // Elsewhere the result is undefined or another value.
        "%a = ori.iadd3 %r, %four, %zero if %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r"
            .to_owned(),
        "%a = ori.iadd3 %r, %four, %zero if %p else %x \
         : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r"
            .to_owned(),
        // Also under a guard that is known.
        "%c = ori.imm 1 : !ori.p\n\
         %a = ori.iadd3 %r, %four, %zero if %c : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r"
            .to_owned(),
        // A carry is added.
        "%a = ori.iadd3 <extended> %r, %four, %zero carry(%p) \
         : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r"
            .to_owned(),
    ] {
        for offset in [-4, 60] {
            assert_eq!(words(&sum, offset), AliasKind::May, "{sum}");
        }
    }
}

/// Two additions connected by a carry.
fn pair(low: &str, high: &str) -> String {
    format!(
        "%y = ori.imm 8 : !ori.r\n\
         %l:2 = ori.iadd3 {low} : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)\n\
         %h = ori.iadd3 <extended> {high} : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r\n\
         %a = ori.concat %l#0, %h : (!ori.r, !ori.r) -> !ori.r64"
    )
}

#[test]
fn sums_of_64_bits_are_two_additions_with_a_carry() {
    let sum = pair("%lo, %y, %zero", "%hi, %zero, %zero carry(%l#1)");
    assert_eq!(pairs(&sum, -8), AliasKind::Same);
    assert_eq!(pairs(&sum, -6), AliasKind::Must);
    assert_eq!(pairs(&sum, -4), AliasKind::None);
    assert_eq!(pairs(&sum, -12), AliasKind::None);
    // The constant of the high word counts 2^32 bytes.
    let far = pair("%lo, %zero, %zero", "%hi, %one, %zero carry(%l#1)");
    for offset in [-4, 0, 4] {
        assert_eq!(pairs(&far, offset), AliasKind::None, "at {offset}");
    }
    // The low word is unsigned, the high word carries the sign: -8 in 64 bits.
    let back = "%ones = ori.imm -1 : !ori.r\n%minus = ori.imm -8 : !ori.r\n".to_owned()
        + &pair("%lo, %minus, %zero", "%hi, %ones, %zero carry(%l#1)");
    assert_eq!(pairs(&back, 8), AliasKind::Same);
}

#[test]
fn sums_of_64_bits_with_other_carries_are_not_taken_apart() {
    let high = "%hi, %zero, %zero carry(%l#1)";
    for (low, high) in [
        // The carry is inverted, or that of another addition.
        ("%lo, %y, %zero", "%hi, %zero, %zero carry(not %l#1)"),
        ("%lo, %y, %zero", "%hi, %zero, %zero carry(%p)"),
        // An inverted zero is -1; a negated one adds a carry.
        ("%lo, %y, not %zero", high),
        ("%lo, %y, neg %zero", high),
        ("%lo, %zero, not %zero", high),
        ("%lo, neg %y, %zero", high),
        ("%lo, not %y, %zero", high),
        ("%lo, %y, %y", high),
        ("neg %lo, %y, %zero", high),
        ("%lo, %y, %x", high),
        ("%lo, %y, %zero", "%hi, not %zero, %zero carry(%l#1)"),
        // The words are in the wrong places, or of other pairs.
        ("%hi, %y, %zero", "%lo, %zero, %zero carry(%l#1)"),
        ("%lo, %y, %zero", "%x, %zero, %zero carry(%l#1)"),
    ] {
        for offset in [-8, 0, 64] {
            let sum = pair(low, high);
            assert_eq!(pairs(&sum, offset), AliasKind::May, "{low}; {high}");
        }
    }
    let plain = "%y = ori.imm 8 : !ori.r\n\
         %l = ori.iadd3 %lo, %y, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %h = ori.iadd3 %hi, %zero, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %a = ori.concat %l, %h : (!ori.r, !ori.r) -> !ori.r64";
    assert_eq!(pairs(plain, 64), AliasKind::May, "without a carry");
    let swapped = pair("%lo, %y, %zero", "%hi, %zero, %zero carry(%l#1)")
        .replace("concat %l#0, %h", "concat %h, %l#0");
    assert_eq!(pairs(&swapped, 64), AliasKind::May, "swapped words");
    for guarded in ["low", "high"] {
        let [low, high] = ["low", "high"].map(|word| match word == guarded {
            true => (" if %p", ", !ori.p"),
            false => ("", ""),
        });
        let sum = format!(
            "%y = ori.imm 8 : !ori.r\n\
             %l:2 = ori.iadd3 %lo, %y, %zero{} : (!ori.r, !ori.r, !ori.r{}) -> (!ori.r, !ori.p)\n\
             %h = ori.iadd3 <extended> %hi, %zero, %zero carry(%l#1){} \
             : (!ori.r, !ori.r, !ori.r, !ori.p{}) -> !ori.r\n\
             %a = ori.concat %l#0, %h : (!ori.r, !ori.r) -> !ori.r64",
            low.0, low.1, high.0, high.1
        );
        assert_eq!(
            pairs(&sum, 64),
            AliasKind::May,
            "guard on the {guarded} word"
        );
    }
}

#[test]
fn all_parts_of_an_address_count() {
    let global = |a: &str, b: &str| {
        alias(&format!(
            "ori.stg <b32> [{a}], %x : (!ori.r64, !ori.ur64, !ori.r) -> ()\n\
             ori.stg <b32> [{b}], %x : (!ori.r64, !ori.ur64, !ori.r) -> ()"
        ))
    };
    assert_eq!(global("%d + %v + 8", "%d + %v + 8"), AliasKind::Same);
    assert_eq!(global("%d + %v + 8", "%d + %v + 12"), AliasKind::None);
    assert_eq!(global("%d + %v + 8", "%e + %v + 12"), AliasKind::May);
    let one_uniform = alias(
        "ori.stg <b32> [%d + %v + 8], %x : (!ori.r64, !ori.ur64, !ori.r) -> ()\n\
         ori.stg <b32> [%d + 64], %x : (!ori.r64, !ori.r) -> ()",
    );
    assert_eq!(one_uniform, AliasKind::May);
}

/// `%r + 4` wraps at 32 bits before it is added to the 64-bit part, where `%r` and an offset of 4
/// are added without wrapping.
#[test]
fn a_32_bit_part_of_a_64_bit_address_is_not_taken_apart() {
    let sum = format!("%a = ori.iadd3 %r, %four, %zero : {TYPES}\n");
    let stores = |first: &str, second: &str| {
        alias(&format!(
            "{sum}ori.stg <b32> [{first}], %x : (!ori.r, !ori.ur64, !ori.r) -> ()\n\
             ori.stg <b32> [{second}], %x : (!ori.r, !ori.ur64, !ori.r) -> ()"
        ))
    };
    assert_eq!(stores("%a + %v", "%r + %v + 4"), AliasKind::May);
    assert_eq!(stores("%a + %v", "%a + %v"), AliasKind::Same);
    assert_eq!(stores("%a + %v", "%a + %v + 2"), AliasKind::Must);
    assert_eq!(stores("%a + %v", "%a + %v + 4"), AliasKind::None);
}

#[test]
fn symbols_and_slots_of_different_names_are_apart() {
    let symbols = |a: &str, b: &str, offset: u32| {
        alias(&format!(
            "%a = ori.address_of @{a} : !ori.r\n%b = ori.address_of @{b} : !ori.r\n\
             ori.sts <b32> [%a], %x : (!ori.r, !ori.r) -> ()\n\
             ori.sts <b32> [%b + {offset}], %x : (!ori.r, !ori.r) -> ()"
        ))
    };
    assert_eq!(symbols("s", "t", 0), AliasKind::None);
    assert_eq!(symbols("s", "s", 0), AliasKind::Same);
    assert_eq!(symbols("s", "s", 4), AliasKind::None);
    let slots = |a: &str, b: &str, offset: u32| {
        alias(&format!(
            "%a = ori.slot_address \"{a}\" : !ori.r\n%b = ori.slot_address \"{b}\" : !ori.r\n\
             ori.stl <b32> [%a], %x : (!ori.r, !ori.r) -> ()\n\
             ori.stl <b32> [%b + {offset}], %x : (!ori.r, !ori.r) -> ()"
        ))
    };
    assert_eq!(slots("m", "n", 0), AliasKind::None);
    assert_eq!(slots("m", "m", 0), AliasKind::Same);
    // A value may be any address.
    let value = alias(
        "%a = ori.slot_address \"m\" : !ori.r\n\
         ori.stl <b32> [%a], %x : (!ori.r, !ori.r) -> ()\n\
         ori.stl <b32> [%r], %x : (!ori.r, !ori.r) -> ()",
    );
    assert_eq!(value, AliasKind::May);
}

/// Every width covers as many bytes as its name says.
#[test]
fn widths_are_numbers_of_bytes() {
    let load = |word: &str, ty: &str, offset: i64| {
        alias(&format!(
            "ori.stg <u8> [%d + {offset}], %x : (!ori.r64, !ori.r) -> ()\n\
             %y = ori.ldg <{word}> [%d] : (!ori.r64) -> {ty}"
        ))
    };
    for (word, ty, bytes) in [
        ("u8", "!ori.r", 1),
        ("s8", "!ori.r", 1),
        ("u16", "!ori.r", 2),
        ("s16", "!ori.r", 2),
        ("b32", "!ori.r", 4),
        ("b64", "!ori.r64", 8),
        ("b128", "!ori.r128", 16),
        ("b256", "!ori.acc<8>", 32),
    ] {
        assert_ne!(load(word, ty, bytes - 1), AliasKind::None, "{word}");
        assert_eq!(load(word, ty, bytes), AliasKind::None, "{word}");
    }
    let reduction = |word: &str, ty: &str, offset: i64| {
        alias(&format!(
            "%y = ori.undef : {ty}\n\
             ori.stg <u8> [%d + {offset}], %x : (!ori.r64, !ori.r) -> ()\n\
             ori.redg <add, {word}> [%d], %y : (!ori.r64, {ty}) -> ()"
        ))
    };
    for (word, ty, bytes) in [
        ("u32", "!ori.r", 4),
        ("s32", "!ori.r", 4),
        ("f32", "!ori.r", 4),
        ("f16x2", "!ori.r", 4),
        ("u64", "!ori.r64", 8),
        ("s64", "!ori.r64", 8),
        ("f64", "!ori.r64", 8),
        ("f32x2", "!ori.r64", 8),
        ("f32x4", "!ori.r128", 16),
    ] {
        assert_ne!(reduction(word, ty, bytes - 1), AliasKind::None, "{word}");
        assert_eq!(reduction(word, ty, bytes), AliasKind::None, "{word}");
    }
}

/// Matrices are loaded from the addresses of all lanes.
#[test]
fn matrix_loads_have_no_known_size() {
    let found = |offset: u32| {
        alias(&format!(
            "ori.sts <b32> [%r + {offset}], %x : (!ori.r, !ori.r) -> ()\n\
             %y = ori.ldsm <x1> [%r] : (!ori.r) -> !ori.r"
        ))
    };
    assert_eq!(found(512), AliasKind::May);
    assert_eq!(found(0), AliasKind::Must);
}
