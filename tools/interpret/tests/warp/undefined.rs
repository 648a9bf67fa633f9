//! Undefined values: what becomes undefined, and what is nevertheless defined.

use crate::operations::{STORE, firsts, run};

/// Runs a body after definitions of `%u`, which is undefined, `%none`, an undefined predicate, and
/// constants.
fn with_undefined(body: &str) -> Result<Vec<u32>, String> {
    let body = format!(
        "%u = ori.undef : !ori.r\n%none = ori.undef : !ori.p\n%five = ori.imm 5 : !ori.r\n\
         %yes = ori.imm 1 : !ori.p\n%no = ori.imm 0 : !ori.p\n{body}"
    );
    run(1, "", &body).map(|words| firsts(&words))
}

/// Whether a predicate `%p` defined by some operations is defined: a branch on it is then not an
/// error.
fn decides(operations: &str) -> bool {
    let body = format!("{operations}\nori.cond_bra %p, ^a, ^a : !ori.p\n^a:\nori.exit");
    match with_undefined(&body) {
        Ok(_) => true,
        Err(error) => {
            assert!(error.contains("a predicate is undefined"), "{error}");
            false
        }
    }
}

#[test]
fn a_choice_needs_what_it_chooses() {
    let chosen = |operation: &str| with_undefined(&format!("{operation}\n{STORE}")).unwrap();
    let types = "(!ori.r, !ori.r, !ori.p) -> !ori.r";
    assert_eq!(
        chosen(&format!("%x = ori.sel %five, %u, %yes : {types}")),
        [5]
    );
    assert_eq!(
        chosen(&format!("%x = ori.sel %u, %five, %no : {types}")),
        [5]
    );
    assert_eq!(
        chosen(&format!("%x = ori.sel %u, %five, not %yes : {types}")),
        [5]
    );
    let types = "(!ori.r, !ori.r, !ori.r) -> !ori.r";
    assert_eq!(
        chosen(&format!(
            "%x = ori.lop3 <lut = 192> %u, %zero, %u : {types}"
        )),
        [0]
    );
}

#[test]
fn a_guard_may_be_undefined_where_the_operation_may_be_speculated() {
    // With and without `else`, the result is undefined: it is not an error, but must not decide
    // anything.
    for (otherwise, ty) in [("", ""), (" else %five", ", !ori.r")] {
        let made = format!(
            "%x = ori.iadd3 %five, %five, %zero if %none{otherwise} : \
             (!ori.r, !ori.r, !ori.r, !ori.p{ty}) -> !ori.r\n\
             %p = ori.isetp <eq, u32> %x, %five : (!ori.r, !ori.r) -> !ori.p"
        );
        assert!(!decides(&made));
    }
    let cases = [
        "%x = ori.ldg [%at] if %none : (!ori.r64, !ori.p) -> !ori.r",
        "ori.stg [%at], %five if %none : (!ori.r64, !ori.r, !ori.p) -> ()",
        "%x = ori.ldc [%five + 3] if %none : (!ori.r, !ori.p) -> !ori.r",
        "%x = ori.alloca <alignment = 4> %five if %none : (!ori.r, !ori.p) -> !ori.r",
    ];
    for case in cases {
        let error = with_undefined(&format!("{case}\nori.exit")).unwrap_err();
        assert!(error.contains("has an undefined guard"), "{error}");
    }
}

#[test]
fn a_side_of_a_combined_comparison_may_be_undefined() {
    // The operands, the predicate, how they are combined; whether the result is defined.
    let cases = [
        ("%u, %five", "%no", "and", true),
        ("%u, %five", "%yes", "and", false),
        ("%u, %five", "%yes", "or", true),
        ("%u, %five", "%no", "or", false),
        ("%u, %five", "%no", "xor", false),
        ("%five, %five", "%none", "or", true),
        ("%five, %five", "%none", "and", false),
        ("%zero, %five", "%none", "and", true),
        ("%zero, %five", "%none", "or", false),
        ("%u, %five", "%none", "and", false),
        ("%u, %five", "not %yes", "and", true),
        ("%u, %five", "not %no", "and", false),
        ("%u, %five", "not %no", "or", true),
    ];
    for (compared, with, combine, expected) in cases {
        let made = format!(
            "%p = ori.isetp <eq, u32, {combine}> {compared} with({with}) : \
             (!ori.r, !ori.r, !ori.p) -> !ori.p"
        );
        assert_eq!(decides(&made), expected, "{made}");
    }
    let types = "(!ori.p, !ori.p, !ori.p) -> !ori.p";
    assert!(decides(&format!(
        "%p = ori.plop3 <lut = 192> %no, %none, %none : {types}"
    )));
    assert!(!decides(&format!(
        "%p = ori.plop3 <lut = 192> %yes, %none, %yes : {types}"
    )));
}

#[test]
fn bits_are_undefined_one_by_one() {
    // The low byte is 0x85; the others are undefined, also after a store and a load.
    let partly = "%low = ori.imm 0x85 : !ori.r\n%bytes = ori.imm 0x3214 : !ori.r\n%mask = ori.imm 255 : !ori.r\n\
         %w = ori.prmt <idx> %u, %bytes, %low : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         ori.stg [%at + 8], %w : (!ori.r64, !ori.r) -> ()\n\
         %l = ori.ldg [%at + 8] : (!ori.r64) -> !ori.r\n";
    let chosen =
        |operation: &str| with_undefined(&format!("{partly}{operation}\n{STORE}")).unwrap();
    let types = "(!ori.r, !ori.r, !ori.r) -> !ori.r";
    let masked = format!("%x = ori.lop3 <lut = 192> %l, %mask, %zero : {types}");
    assert_eq!(chosen(&masked), [0x85]);
    let signed = "%x = ori.ldg <s8> [%at + 8] : (!ori.r64) -> !ori.r";
    assert_eq!(chosen(signed), [0xffff_ff85]);
    // A one is known, so that the value is not zero; nothing is known of the second byte.
    let tested = format!(
        "{partly}%x, %p = ori.lop3_test <lut = 192> %l, %mask, %zero : \
         (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
    );
    assert!(decides(&tested));
    let tested = format!(
        "{partly}%x, %p = ori.lop3_test <lut = 240> %l, %mask, %zero : \
         (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
    );
    assert!(decides(&tested));
    let tested = format!(
        "{partly}%second = ori.imm 0xff00 : !ori.r\n\
         %x, %p = ori.lop3_test <lut = 192> %l, %second, %zero : \
         (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
    );
    assert!(!decides(&tested));
}
