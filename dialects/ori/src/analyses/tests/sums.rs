//! Linear forms of random computations, compared with what the operations compute.

use std::fmt::Write as _;

use orison_ir::Value;
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::{Program, function};
use crate::Register;
use crate::analyses::linear::{LinearForm, Root};
use crate::semantics::Bits;

/// The bits of all values, given those of the words and pairs that the function is called with.
fn values(program: &Program, words: [u32; 2], pairs: [u64; 2]) -> FxHashMap<Value, Bits> {
    let context = &program.context;
    let body = program.function.region(context, 0);
    let entry = body.blocks(context).next().expect("an entry");
    let inputs = [
        words[0].into(),
        words[1].into(),
        pairs[0].into(),
        pairs[1].into(),
    ];
    let mut known: FxHashMap<Value, Bits> = entry.arguments(context).zip(inputs).collect();
    program.execute(entry, &mut known);
    known
}

/// The number that a form is for these bits.
fn number(form: &LinearForm, known: &FxHashMap<Value, Bits>) -> u64 {
    let bits = |value: &Value| u64::try_from(known[value] & Bits::from(u64::MAX)).unwrap_or(0);
    let mut sum = form.offset();
    for (root, factor) in form.terms() {
        let value = match root {
            Root::Value(value) | Root::Unsigned(value) => bits(value),
            Root::Pair(low, high) => bits(high) << 32 | bits(low),
            Root::Signed(value) => ((bits(value) << 32).cast_signed() >> 32).cast_unsigned(),
            _ => panic!("no memory here"),
        };
        sum = sum.wrapping_add(factor.wrapping_mul(value.cast_signed()));
    }
    let mask = u64::MAX >> if form.is_wide() { 0 } else { 32 };
    sum.cast_unsigned() & mask
}

/// One operation, by kind, on earlier words `%w…` and pairs `%q…` with two numbers.
fn operation(text: &mut String, place: usize, kind: u8, words: [usize; 2], number: i32) {
    let [a, b] = words.map(|word| format!("%w{word}"));
    let [p, q] = words.map(|pair| format!("%q{pair}"));
    let three = "(!ori.r, !ori.r, !ori.r)";
    let shift = number & 31;
    let sign = |number: i32| ["", "neg ", "not "][number.unsigned_abs() as usize % 3];
    let (first, second) = (sign(number), sign(number >> 3));
    let word = match kind % 8 {
        0 => format!("ori.iadd3 {first}{a}, {second}{b}, %k{place}"),
        1 => format!("ori.imad {first}{a}, %k{place}, {second}{b}"),
        2 => format!("ori.lea <shift = {shift}> {first}{a}, {second}{b}, %k{place}"),
        3 => format!("ori.shf <left, u32> {a}, %s{place}, {b}"),
        4 => format!("ori.viadd {first}{a}, {second}{b}"),
        5 => format!("ori.iadd3 %k{place}, {first}{a}, {second}%k{place}"),
        6 => format!("ori.shf <right, s32, high> {a}, %s{place}, {b}"),
        _ => format!("ori.lop3 <lut = 128> {a}, {b}, %k{place}"),
    };
    let types = if kind % 8 == 4 {
        "(!ori.r, !ori.r)"
    } else {
        three
    };
    let _ = writeln!(
        text,
        "%k{place} = ori.imm {number} : !ori.r\n%s{place} = ori.imm {shift} : !ori.r\n\
         %w{place} = {word} : {types} -> !ori.r"
    );
    for (name, pair) in [("a", &p), ("b", &q)] {
        for part in [0, 1] {
            let _ = writeln!(
                text,
                "%{name}{place}_{part} = ori.extract {pair}[{part}] : (!ori.r64) -> !ori.r"
            );
        }
    }
    let add = |low: &str, high: &str| {
        format!(
            "%l{place}:2 = ori.iadd3 {low} : {three} -> (!ori.r, !ori.p)\n\
             %h{place} = ori.iadd3 <extended> {high} carry(%l{place}#1) \
             : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r\n\
             %q{place} = ori.concat %l{place}#0, %h{place} : (!ori.r, !ori.r) -> !ori.r64"
        )
    };
    let [a0, a1, b0, b1] = ["a0", "a1", "b0", "b1"].map(|name| {
        let (value, part) = name.split_at(1);
        format!("%{value}{place}_{part}")
    });
    let pair = match kind / 8 % 8 {
        0 => add(&format!("{a0}, {b0}, %zero"), &format!("%zero, {b1}, {a1}")),
        1 => add(
            &format!("{a0}, neg {b0}, %zero"),
            &format!("{a1}, not {b1}, %zero"),
        ),
        2 => add(
            &format!("%k{place}, {b0}, %zero"),
            &format!("{b1}, %zero, %zero"),
        ),
        3 => add(
            &format!("{a0}, {b0}, %k{place}"),
            &format!("{a1}, {b1}, %zero"),
        ),
        4 => format!(
            "%l{place} = ori.shf <left, u32> {a0}, %s{place}, %zero : {three} -> !ori.r\n\
             %h{place} = ori.shf <left, u64, high> {a0}, %s{place}, {a1} : {three} -> !ori.r\n\
             %q{place} = ori.concat %l{place}, %h{place} : (!ori.r, !ori.r) -> !ori.r64"
        ),
        5 => format!(
            "%o{place} = ori.imm 31 : !ori.r\n\
             %h{place} = ori.shf <right, s32, high> %zero, %o{place}, {a} : {three} -> !ori.r\n\
             %q{place} = ori.concat {a}, %h{place} : (!ori.r, !ori.r) -> !ori.r64"
        ),
        6 => format!(
            "%l{place}:2 = ori.lea <shift = {shift}> {a}, {b0}, %zero : {three} -> (!ori.r, !ori.p)\n\
             %h{place} = ori.lea <shift = {shift}, high, sign_extended, extended> {a}, {b1}, %zero \
             carry(%l{place}#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r\n\
             %q{place} = ori.concat %l{place}#0, %h{place} : (!ori.r, !ori.r) -> !ori.r64"
        ),
        _ => {
            let sign = if number & 1 == 0 { "s32" } else { "u32" };
            format!(
                "%q{place} = ori.imad_wide <{sign}> {a}, %k{place}, {q} \
                 : (!ori.r, !ori.r, !ori.r64) -> !ori.r64"
            )
        }
    };
    text.push_str(&pair);
    text.push('\n');
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every value of a random computation is the number that its form is.
    #[test]
    fn a_form_has_the_value_of_the_computation(
        steps in proptest::collection::vec(
            (any::<u8>(), any::<[u8; 2]>(), prop_oneof![-40..40i32, any::<i32>()]), 1..14),
        words in any::<[u32; 2]>(),
        pairs in any::<[u64; 2]>(),
    ) {
        let mut text = String::new();
        for (name, old) in [("%w0", "%r"), ("%w1", "%x")] {
            let _ = writeln!(text, "{name} = ori.iadd3 {old}, %zero, %zero \
                : (!ori.r, !ori.r, !ori.r) -> !ori.r");
        }
        for (name, old) in [("%q0", "%d"), ("%q1", "%e")] {
            let _ = writeln!(text, "{name} = ori.imad_wide <u32> %zero, %zero, {old} \
                : (!ori.r, !ori.r, !ori.r64) -> !ori.r64");
        }
        for (place, (kind, operands, number)) in (2..).zip(steps) {
            let operands = operands.map(|operand| usize::from(operand) % place);
            operation(&mut text, place, kind, operands, number);
        }
        text.push_str("ori.ret");
        let program = function(&text);
        let known = values(&program, words, pairs);
        let context = &program.context;
        for op in program.operations() {
            for value in op.results(context) {
                let register = Register::of(context, value.ty(context));
                if register.and_then(Register::words).is_none() {
                    continue;
                }
                let form = LinearForm::of(context, value);
                let expected = u64::try_from(known[&value]).unwrap_or(0);
                prop_assert_eq!(number(&form, &known), expected, "{}\n{:?}", &text, form);
            }
        }
    }
}

/// The form of the last pair before the return, as its terms without names and its constant.
fn factors(body: &str) -> (Vec<i64>, i64) {
    let program = function(&format!("{body}\nori.ret"));
    let context = &program.context;
    let all = program.operations();
    let last = all[all.len() - 2].result(context, 0);
    let form = LinearForm::of(context, last);
    let factors = form.terms().iter().map(|(_, factor)| *factor);
    (factors.collect(), form.offset())
}

#[test]
fn sums_are_combined_and_cancel() {
    let types = "(!ori.r, !ori.r, !ori.r) -> !ori.r";
    let twice = format!("%a = ori.iadd3 %r, %r, %four : {types}");
    assert_eq!(factors(&twice), (vec![2], 4));
    let gone = format!("{twice}\n%b = ori.lea <shift = 1> %r, neg %a, %zero : {types}");
    assert_eq!(factors(&gone), (vec![], -4));
    let product = format!("{twice}\n%b = ori.imad %a, %four, %x : {types}");
    let mut found = factors(&product);
    found.0.sort_unstable();
    assert_eq!(found, (vec![1, 8], 16));
    // 2^16 * 2^16 is 0.
    let power = format!(
        "%k = ori.imm 65536 : !ori.r\n%a = ori.imad %r, %k, %one : {types}\n\
         %b = ori.imad %a, %k, %zero : {types}"
    );
    assert_eq!(factors(&power), (vec![], 65536));
}

/// A chain of a thousand additions is not followed to its beginning, and not forever.
#[test]
fn a_query_follows_a_bounded_number_of_operations() {
    let mut text = String::from("%w0 = ori.viadd %r, %one : (!ori.r, !ori.r) -> !ori.r\n");
    for number in 1..1000 {
        let before = number - 1;
        let _ = writeln!(
            text,
            "%w{number} = ori.viadd %w{before}, %w{before} : (!ori.r, !ori.r) -> !ori.r"
        );
    }
    let (terms, _) = factors(&text);
    assert!(terms.len() <= 8);
}
