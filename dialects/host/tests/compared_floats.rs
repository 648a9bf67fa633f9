//! Comparisons of converted integers with float constants, which become comparisons of integers: all
//! integers of three bits, all predicates, constants beside, between and beyond the integers.

mod common;

use std::fmt::Write;

use orison_host::arith::{self, IntegerPredicate, IntegerPredicateAttr};
use orison_ir::declare::AttributeForm;
use orison_ir::{
    Attribute, Builder, Context, InsertionPoint, Operation, Rewriter, Source, Value, parse_source,
};

const PREDICATES: [&str; 14] = [
    "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
    "uno",
];

/// What a predicate says of two numbers that are no NaN.
fn holds(predicate: &str, a: f64, b: f64) -> bool {
    match &predicate[1..] {
        "eq" => a == b,
        "ne" => a != b,
        "gt" => a > b,
        "ge" => a >= b,
        "lt" => a < b,
        "le" => a <= b,
        "rd" => true,
        "no" => false,
        other => panic!("{other} is no predicate"),
    }
}

/// The number that three bits mean.
fn number(bits: i64, signed: bool) -> i64 {
    if signed && bits >= 4 { bits - 8 } else { bits }
}

/// What the rewritten comparison says of an integer.
fn decided(context: &Context, value: Value, bits: i64) -> bool {
    if let Some(known) = arith::constant_of(context, value).and_then(Attribute::as_bool) {
        return known;
    }
    let op = value.defining_op(context).expect("an operation");
    assert_eq!(op.name_text(context), "arith.cmpi");
    let bound = arith::constant_integer_of(context, op.operand(context, 1));
    let bound = bound
        .and_then(orison_ir::numbers::ApInt::as_i64)
        .expect("a constant")
        & 7;
    let predicate = op.attribute(context, "predicate");
    let predicate = predicate.and_then(|value| IntegerPredicateAttr::read(context, value));
    let (a, b) = (number(bits, true), number(bound, true));
    use IntegerPredicate as P;
    match predicate.expect("a predicate") {
        P::Eq => bits == bound,
        P::Ne => bits != bound,
        P::Slt => a < b,
        P::Sle => a <= b,
        P::Sgt => a > b,
        P::Sge => a >= b,
        P::Ult => bits < bound,
        P::Ule => bits <= bound,
        P::Ugt => bits > bound,
        P::Uge => bits >= bound,
    }
}

/// Applies the rule; `None` if it declines.
fn rewritten(context: &mut Context, comparison: Operation, end: Operation) -> Option<Value> {
    let definition = comparison.definition(context).expect("a comparison");
    let mut rules = definition.rules.iter();
    let rule = rules.find(|rule| rule.name == "arith-cmpf-of-integer");
    let rule = rule.expect("the rule");
    let mut rewriter = Rewriter::new(Builder::new(context));
    rewriter.set_insertion_point(InsertionPoint::Before(comparison));
    let applied = (rule.apply)(&mut rewriter, comparison).is_ok();
    applied.then(|| end.operand(context, 0))
}

#[test]
fn a_comparison_of_integers_says_what_that_of_floats_says() {
    let mut cases = Vec::new();
    for signed in [true, false] {
        for predicate in PREDICATES {
            for quarter in -40..=40 {
                cases.push((signed, predicate, f64::from(quarter) / 4.0));
            }
        }
    }
    let mut text = String::new();
    for (signed, predicate, constant) in &cases {
        let conversion = if *signed { "sitofp" } else { "uitofp" };
        let _ = writeln!(
            text,
            "func.func @f{}(%x: i3) -> i1 {{\n%c = arith.constant {constant:?} : f32\n\
             %f = arith.{conversion} %x : i3 to f32\n\
             %r = arith.cmpf {predicate}, %f, %c : f32\nreturn %r : i1\n}}",
            text.len()
        );
    }
    let mut context = common::context();
    let source = Source {
        name: "t.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    let body = module.body_block(&context, 0).expect("a module");
    let functions: Vec<_> = body.operations(&context).collect();
    assert_eq!(functions.len(), cases.len());
    for (function, (signed, predicate, constant)) in functions.into_iter().zip(&cases) {
        let block = function.body_block(&context, 0).expect("a body");
        let end = block.last_op(&context).expect("a return");
        let comparison = end.previous(&context).expect("a comparison");
        let value = rewritten(&mut context, comparison, end).expect("the rule applies");
        for bits in 0..8 {
            let integer = number(bits, *signed);
            assert_eq!(
                decided(&context, value, bits),
                holds(predicate, integer as f64, *constant),
                "{integer} {predicate} {constant}, signed: {signed}"
            );
        }
    }
}

#[test]
fn a_conversion_that_rounds_and_a_nan_are_left_alone() {
    let applies = |ty: &str, float: &str, constant: &str| {
        let text = format!(
            "func.func @f(%x: {ty}) -> i1 {{\n%c = arith.constant {constant} : {float}\n\
             %f = arith.uitofp %x : {ty} to {float}\n\
             %r = arith.cmpf olt, %f, %c : {float}\nreturn %r : i1\n}}"
        );
        let mut context = common::context();
        let source = Source {
            name: "t.mlir",
            text: &text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("the text is well-formed");
        let body = module.body_block(&context, 0).expect("a module");
        let function = body.first_op(&context).expect("a function");
        let block = function.body_block(&context, 0).expect("a body");
        let end = block.last_op(&context).expect("a return");
        let comparison = end.previous(&context).expect("a comparison");
        rewritten(&mut context, comparison, end).is_some()
    };
    // 24 bits are significant in f32, 11 in f16, 8 in bf16.
    assert!(applies("i24", "f32", "1.0"));
    assert!(!applies("i25", "f32", "1.0"));
    assert!(applies("i11", "f16", "1.0"));
    assert!(!applies("i12", "f16", "1.0"));
    assert!(applies("i8", "bf16", "1.0"));
    assert!(!applies("i9", "bf16", "1.0"));
    assert!(applies("i8", "f32", "0x7F800000"));
    assert!(!applies("i8", "f32", "0x7FC00000"));
}
