//! Folders under the conditions that make them sound: flags, widths, signs, special values of floats.
//! Each line beside one that folds differs from it in one condition.

mod common;

use orison_host::arith;
use orison_ir::declare::Folded;
use orison_ir::printer::attribute_to_string;
use orison_ir::{Operation, Source, ValueOwner, parse_source};

const CONSTANTS: &str = "\
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%c7 = arith.constant 7 : i32
%c31 = arith.constant 31 : i32
%c32 = arith.constant 32 : i32
%m1 = arith.constant -1 : i32
%m2 = arith.constant -2 : i32
%min = arith.constant -2147483648 : i32
%true = arith.constant true
%f0 = arith.constant 0.0 : f32
%fm0 = arith.constant -0.0 : f32
%nan = arith.constant 0x7FC00000 : f32
%inf = arith.constant 0x7F800000 : f32
%minf = arith.constant 0xFF800000 : f32
";

/// What the last operation of a body folds to: constants, the names of parameters and of operations,
/// `=` for a change in place, `-` for nothing.
fn folded(body: &str) -> String {
    let mut context = common::context();
    let text = format!(
        "func.func @f(%x: i32, %y: i32, %p: i1, %u: f32, %w: f64) {{\n{CONSTANTS}{body}\nreturn\n}}"
    );
    let source = Source {
        name: "t.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    assert!(context.verify(module).is_ok(), "the program is valid");
    let function = module
        .body_block(&context, 0)
        .and_then(|body| body.first_op(&context))
        .expect("a function");
    let block = function.body_block(&context, 0).expect("a body");
    let op: Operation = block
        .last_op(&context)
        .and_then(|end| end.previous(&context))
        .expect("an operation");
    let operands = op.operands(&context);
    let constants: Vec<_> = operands.map(|v| arith::constant_of(&context, v)).collect();
    let definition = op.definition(&context).expect("an operation of arith");
    let fold = definition.fold.expect("a folder");
    let Some(results) = fold(&mut context, op, &constants) else {
        return "-".to_owned();
    };
    if results.is_empty() {
        return "=".to_owned();
    }
    let texts = results.iter().map(|result| match result {
        Folded::Constant(attribute) => attribute_to_string(&context, *attribute),
        Folded::Value(value) => match value.owner(&context) {
            ValueOwner::Argument(_, position) => ["x", "y", "p", "u", "w"][position].to_owned(),
            ValueOwner::Result(op, _) => match arith::constant_of(&context, *value) {
                Some(attribute) => attribute_to_string(&context, attribute),
                None => op.name_text(&context).to_owned(),
            },
        },
    });
    texts.collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (body, expected) in table {
        assert_eq!(&folded(body), expected, "{body}");
    }
}

#[test]
fn products_are_divided_only_under_the_promise_of_the_sign() {
    let divided = |flags: &str, name: &str, operands: &str| {
        folded(&format!(
            "%m = arith.muli %x, %y{flags} : i32\n%r = arith.{name} {operands} : i32"
        ))
    };
    let (nsw, nuw) = (" overflow<nsw>", " overflow<nuw>");
    let both = " overflow<nsw, nuw>";
    for (name, promise, other) in [("divsi", nsw, nuw), ("divui", nuw, nsw)] {
        assert_eq!(divided(promise, name, "%m, %y"), "x", "{name}");
        assert_eq!(divided(promise, name, "%m, %x"), "y", "{name}");
        assert_eq!(divided(both, name, "%m, %y"), "x", "{name}");
        assert_eq!(divided(other, name, "%m, %y"), "-", "{name}");
        assert_eq!(divided("", name, "%m, %y"), "-", "{name}");
        assert_eq!(divided(both, name, "%y, %m"), "-", "{name}");
        assert_eq!(divided(both, name, "%m, %c7"), "-", "{name}");
    }
    for name in ["ceildivsi", "floordivsi", "ceildivui", "remsi", "remui"] {
        assert_eq!(divided(both, name, "%m, %y"), "-", "{name}");
    }
}

#[test]
fn shifts_fold_up_to_the_width() {
    check(&[
        ("%r = arith.shli %c1, %c31 : i32", "-2147483648 : i32"),
        ("%r = arith.shli %c1, %c32 : i32", "-"),
        ("%r = arith.shli %c1, %m1 : i32", "-"),
        ("%r = arith.shrui %min, %c31 : i32", "1 : i32"),
        ("%r = arith.shrui %min, %c32 : i32", "-"),
        ("%r = arith.shrsi %min, %c31 : i32", "-1 : i32"),
        ("%r = arith.shrsi %min, %c32 : i32", "-"),
    ]);
}

#[test]
fn divisions_round_in_their_direction() {
    check(&[
        ("%r = arith.divsi %c7, %m2 : i32", "-3 : i32"),
        ("%r = arith.floordivsi %c7, %m2 : i32", "-4 : i32"),
        ("%r = arith.ceildivsi %c7, %m2 : i32", "-3 : i32"),
        ("%r = arith.remsi %c7, %m2 : i32", "1 : i32"),
        ("%r = arith.ceildivui %m1, %c7 : i32", "613566757 : i32"),
        ("%r = arith.divsi %min, %m1 : i32", "-"),
        ("%r = arith.floordivsi %min, %m1 : i32", "-"),
        ("%r = arith.ceildivsi %min, %m1 : i32", "-"),
    ]);
}

#[test]
fn halves_of_extended_results_have_their_signedness() {
    check(&[
        // 2^31 as a signed product, and (2^32 - 1)^2 = 2^64 - 2^33 + 1.
        (
            "%r:2 = arith.mulsi_extended %min, %m1 : i32",
            "-2147483648 : i32, 0 : i32",
        ),
        (
            "%r:2 = arith.mului_extended %m1, %m1 : i32",
            "1 : i32, -2 : i32",
        ),
        ("%r:2 = arith.mului_extended %x, %c1 : i32", "x, 0 : i32"),
        ("%r:2 = arith.mulsi_extended %x, %c1 : i32", "-"),
        // The carry is unsigned: 2^31 + 2^31 carries, and 2^31 + (2^32 - 1) too; 2^31 - 1 + 1 does not.
        (
            "%r:2 = arith.addui_extended %min, %min : i32, i1",
            "0 : i32, true",
        ),
        (
            "%n = arith.constant 2147483647 : i32\n%r:2 = arith.addui_extended %n, %c1 : i32, i1",
            "-2147483648 : i32, false",
        ),
    ]);
}

#[test]
fn conversions_under_promises_stay() {
    let widened = "%e = arith.extui %x : i32 to i64\n";
    let narrow = |flags: &str| format!("{widened}%r = arith.trunci %e{flags} : i64 to i8");
    let twice = |inner: &str, outer: &str| {
        format!("%e = arith.trunci %x{inner} : i32 to i16\n%r = arith.trunci %e{outer} : i16 to i8")
    };
    check(&[
        (&narrow(""), "="),
        (&narrow(" overflow<nsw>"), "-"),
        (&narrow(" overflow<nuw>"), "-"),
        (&twice("", ""), "="),
        (&twice(" overflow<nuw>", ""), "-"),
        (&twice("", " overflow<nuw>"), "-"),
        // Narrower than before it was widened, and wider.
        (
            "%b = arith.trunci %x : i32 to i8\n%e = arith.extui %b : i8 to i32\n\
             %r = arith.trunci %e : i32 to i16",
            "-",
        ),
    ]);
}

#[test]
fn floats_are_not_rounded_once_instead_of_twice() {
    let through = |inner: &str, outer: &str| {
        format!("%e = arith.truncf %w{inner} : f64 to f32\n%r = arith.extf %e{outer} : f32 to f64")
    };
    let contract = " fastmath<contract>";
    check(&[
        (&through(contract, contract), "w"),
        (&through("", contract), "-"),
        (&through(contract, ""), "-"),
        // f16 holds more digits than bf16 and less range.
        (
            "%h = arith.truncf %u : f32 to bf16\n%e = arith.extf %h : bf16 to f32\n\
             %r = arith.truncf %e : f32 to f16",
            "-",
        ),
        (
            "%h = arith.truncf %u : f32 to bf16\n%e = arith.extf %h : bf16 to f32\n\
             %r = arith.truncf %e : f32 to bf16",
            "arith.truncf",
        ),
    ]);
}

#[test]
fn casts_to_index_and_back_lose_nothing_up_to_64_bits() {
    let through = |ty: &str, back: &str| {
        format!(
            "%l = arith.extui %x : i32 to {ty}\n%e = arith.index_cast %l : {ty} to index\n\
             %r = arith.{back} %e : index to {ty}"
        )
    };
    check(&[
        (&through("i64", "index_cast"), "arith.extui"),
        (&through("i65", "index_cast"), "-"),
        (&through("i128", "index_cast"), "-"),
        (&through("i64", "index_castui"), "-"),
    ]);
}

#[test]
fn neutral_floats_depend_on_signs_and_special_values() {
    check(&[
        ("%r = arith.addf %u, %fm0 : f32", "u"),
        ("%r = arith.addf %u, %f0 : f32", "-"),
        ("%r = arith.addf %u, %f0 fastmath<nsz> : f32", "u"),
        ("%r = arith.addf %u, %f0 fastmath<nnan> : f32", "-"),
        ("%r = arith.subf %u, %f0 : f32", "u"),
        ("%r = arith.subf %u, %fm0 : f32", "-"),
        ("%r = arith.subf %u, %fm0 fastmath<nsz> : f32", "u"),
        ("%r = arith.mulf %u, %f0 : f32", "-"),
        ("%r = arith.mulf %u, %f0 fastmath<nnan> : f32", "-"),
        ("%r = arith.mulf %u, %f0 fastmath<nsz> : f32", "-"),
        (
            "%r = arith.mulf %u, %f0 fastmath<nnan,nsz> : f32",
            "0.000000e+00 : f32",
        ),
        ("%r = arith.maximumf %u, %minf : f32", "u"),
        ("%r = arith.maximumf %u, %inf : f32", "-"),
        ("%r = arith.maximumf %u, %nan : f32", "-"),
        ("%r = arith.minimumf %u, %inf : f32", "u"),
        ("%r = arith.minimumf %u, %minf : f32", "-"),
        ("%r = arith.maxnumf %u, %nan : f32", "u"),
        ("%r = arith.maxnumf %u, %minf : f32", "-"),
        ("%r = arith.minnumf %u, %inf : f32", "-"),
        ("%r = arith.cmpf olt, %u, %nan : f32", "false"),
        ("%r = arith.cmpf ult, %u, %nan : f32", "true"),
        ("%r = arith.cmpf oge, %u, %u : f32", "-"),
    ]);
}

#[test]
fn one_is_no_neutral_divisor_in_one_bit() {
    check(&[
        ("%r = arith.divsi %p, %true : i1", "-"),
        ("%r = arith.divsi %x, %c1 : i32", "x"),
        ("%r = arith.divui %x, %c1 : i32", "x"),
        ("%r = arith.divsi %x, %m1 : i32", "-"),
        ("%r = arith.remsi %x, %c1 : i32", "0 : i32"),
        ("%r = arith.remsi %x, %c0 : i32", "-"),
    ]);
}
