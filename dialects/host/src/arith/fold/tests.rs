//! Folders applied to small programs.

use orison_ir::declare::Folded;
use orison_ir::printer::attribute_to_string;
use orison_ir::{Context, Operation, Source, ValueOwner, parse_source};

use crate::arith::constant_of;

/// Folds the last operation before the `return` of a function with parameters of many types, and
/// returns the result as text: constants, parameters, `=` for a change in place, `-` for no result.
fn folded(body: &str) -> String {
    let mut context = Context::new();
    crate::register(&mut context);
    let text = format!(
        "func.func @f(%x: i32, %y: i32, %p: i1, %b: i8, %i: index, %u: f32, %w: f64, \
         %v: vector<2xi32>, %t: tensor<?xi32>) {{\n{body}\nreturn\n}}"
    );
    let source = Source {
        name: "input",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the program is well-formed");
    assert!(context.verify(module).is_ok(), "the program is valid");
    let function = module
        .body_block(&context, 0)
        .and_then(|body| body.first_op(&context));
    let body = function.and_then(|function| function.body_block(&context, 0));
    let last = body.and_then(|body| body.last_op(&context)?.previous(&context));
    describe(&mut context, last.expect("there is an operation to fold"))
}

fn describe(context: &mut Context, op: Operation) -> String {
    let constants: Vec<_> = op
        .operands(context)
        .map(|v| constant_of(context, v))
        .collect();
    let fold = op
        .definition(context)
        .and_then(|definition| definition.fold);
    let fold = fold.expect("the operation has a folder");
    let Some(results) = fold(context, op, &constants) else {
        return "-".to_owned();
    };
    if results.is_empty() {
        assert!(context.verify(op).is_ok(), "it is valid after the change");
        return "=".to_owned();
    }
    assert_eq!(results.len(), op.result_count(context));
    let mut texts = Vec::new();
    for (number, result) in results.iter().enumerate() {
        let ty = op.result(context, number).ty(context);
        match result {
            Folded::Constant(attribute) => {
                assert_eq!(attribute.carried_type(context), ty);
                texts.push(attribute_to_string(context, *attribute));
            }
            Folded::Value(value) => {
                assert_eq!(value.ty(context), ty);
                texts.push(match value.owner(context) {
                    ValueOwner::Argument(_, number) => "xypbiuwvt"[number..=number].to_owned(),
                    ValueOwner::Result(op, _) => match constant_of(context, *value) {
                        Some(attribute) => attribute_to_string(context, attribute),
                        None => op.name_text(context).to_owned(),
                    },
                });
            }
        }
    }
    texts.join(", ")
}

/// Constants used by the tables.
const CONSTANTS: &str = "
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%c2 = arith.constant 2 : i32
%c7 = arith.constant 7 : i32
%m1 = arith.constant -1 : i32
%min = arith.constant -2147483648 : i32
%max = arith.constant 2147483647 : i32
%c33 = arith.constant 33 : i32
%true = arith.constant true
%false = arith.constant false
%c2i = arith.constant 2 : index
%bm2 = arith.constant -2 : i8
%v12 = arith.constant dense<[1, 2]> : vector<2xi32>
%v11 = arith.constant dense<1> : vector<2xi32>
%v00 = arith.constant dense<0> : vector<2xi32>
%f0 = arith.constant 0.0 : f32
%fm0 = arith.constant -0.0 : f32
%f1 = arith.constant 1.0 : f32
%f25 = arith.constant 2.5 : f32
%nan = arith.constant 0x7FC00000 : f32
%inf = arith.constant 0x7F800000 : f32
%minf = arith.constant 0xFF800000 : f32
%tenth = arith.constant 0.1 : f64
%half = arith.constant 0.5 : f64
%big = arith.constant 1.0e20 : f64
";

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (program, expected) in table {
        let found = folded(&format!("{CONSTANTS}{program}"));
        assert_eq!(&found, expected, "{program}");
    }
}

#[test]
fn sums_differences_products() {
    check(&[
        ("%r = arith.addi %x, %c0 : i32", "x"),
        ("%r = arith.addi %c7, %c1 : i32", "8 : i32"),
        ("%r = arith.addi %max, %c1 : i32", "-2147483648 : i32"),
        (
            "%r = arith.addi %v12, %v11 : vector<2xi32>",
            "dense<[2, 3]> : vector<2xi32>",
        ),
        (
            "%d = arith.subi %x, %y : i32\n%r = arith.addi %d, %y : i32",
            "x",
        ),
        (
            "%d = arith.subi %x, %y : i32\n%r = arith.addi %y, %d : i32",
            "x",
        ),
        (
            "%d = arith.subi %x, %y : i32\n%r = arith.addi %d, %x : i32",
            "-",
        ),
        ("%r = arith.subi %x, %x : i32", "0 : i32"),
        (
            "%r = arith.subi %v, %v : vector<2xi32>",
            "dense<0> : vector<2xi32>",
        ),
        ("%r = arith.subi %t, %t : tensor<?xi32>", "-"),
        ("%r = arith.subi %x, %c0 : i32", "x"),
        ("%r = arith.subi %c0, %x : i32", "-"),
        (
            "%s = arith.addi %x, %y : i32\n%r = arith.subi %s, %y : i32",
            "x",
        ),
        (
            "%s = arith.addi %x, %y : i32\n%r = arith.subi %s, %x : i32",
            "y",
        ),
        ("%r = arith.muli %x, %c0 : i32", "0 : i32"),
        (
            "%r = arith.muli %v, %v00 : vector<2xi32>",
            "dense<0> : vector<2xi32>",
        ),
        ("%r = arith.muli %x, %c1 : i32", "x"),
        ("%r = arith.muli %c7, %m1 : i32", "-7 : i32"),
        ("%r = arith.muli %x, %c7 : i32", "-"),
        ("%r:2 = arith.addui_extended %x, %c0 : i32, i1", "x, false"),
        (
            "%r:2 = arith.addui_extended %m1, %c7 : i32, i1",
            "6 : i32, true",
        ),
        (
            "%r:2 = arith.mulsi_extended %m1, %c7 : i32",
            "-7 : i32, -1 : i32",
        ),
        (
            "%r:2 = arith.mului_extended %m1, %c7 : i32",
            "-7 : i32, 6 : i32",
        ),
        (
            "%r:2 = arith.mulsi_extended %x, %c0 : i32",
            "0 : i32, 0 : i32",
        ),
    ]);
}

#[test]
fn divisions_that_are_undefined_stay() {
    check(&[
        ("%r = arith.divsi %c7, %c0 : i32", "-"),
        ("%r = arith.divui %c7, %c0 : i32", "-"),
        ("%r = arith.remsi %c7, %c0 : i32", "-"),
        ("%r = arith.remui %c7, %c0 : i32", "-"),
        ("%r = arith.ceildivsi %c7, %c0 : i32", "-"),
        ("%r = arith.divsi %min, %m1 : i32", "-"),
        ("%r = arith.ceildivsi %min, %m1 : i32", "-"),
        ("%r = arith.floordivsi %min, %m1 : i32", "-"),
        ("%r = arith.divsi %x, %x : i32", "-"),
        ("%r = arith.divsi %p, %true : i1", "-"),
        ("%r = arith.divsi %true, %true : i1", "-"),
    ]);
}

#[test]
fn divisions() {
    check(&[
        ("%r = arith.divsi %x, %c1 : i32", "x"),
        ("%r = arith.divsi %bm2, %bm2 : i8", "1 : i8"),
        ("%r = arith.divui %m1, %c7 : i32", "613566756 : i32"),
        ("%r = arith.divsi %m1, %c7 : i32", "0 : i32"),
        ("%r = arith.floordivsi %m1, %c7 : i32", "-1 : i32"),
        ("%r = arith.ceildivsi %c7, %c2 : i32", "4 : i32"),
        ("%r = arith.ceildivui %c7, %c2 : i32", "4 : i32"),
        ("%r = arith.remsi %x, %c1 : i32", "0 : i32"),
        ("%r = arith.remui %x, %c1 : i32", "0 : i32"),
        ("%r = arith.remsi %m1, %c7 : i32", "-1 : i32"),
        ("%r = arith.remui %m1, %c7 : i32", "3 : i32"),
    ]);
}

#[test]
fn bits() {
    let inverted = "%n = arith.xori %x, %m1 : i32\n";
    let complement = |op: &str| format!("{inverted}%r = arith.{op} %x, %n : i32");
    let (conjunction, disjunction) = (complement("andi"), complement("ori"));
    check(&[
        ("%r = arith.andi %x, %c0 : i32", "0 : i32"),
        ("%r = arith.andi %x, %m1 : i32", "x"),
        ("%r = arith.andi %x, %x : i32", "x"),
        (&conjunction, "0 : i32"),
        (
            "%a = arith.andi %x, %y : i32\n%r = arith.andi %a, %y : i32",
            "arith.andi",
        ),
        ("%r = arith.andi %c7, %m1 : i32", "7 : i32"),
        ("%r = arith.ori %x, %c0 : i32", "x"),
        ("%r = arith.ori %x, %m1 : i32", "-1 : i32"),
        (&disjunction, "-1 : i32"),
        ("%r = arith.ori %x, %c7 : i32", "-"),
        ("%r = arith.xori %x, %x : i32", "0 : i32"),
        ("%r = arith.xori %x, %c0 : i32", "x"),
        (
            "%a = arith.xori %x, %y : i32\n%r = arith.xori %y, %a : i32",
            "x",
        ),
        ("%r = arith.xori %c7, %c1 : i32", "6 : i32"),
        ("%r = arith.shli %x, %c0 : i32", "x"),
        ("%r = arith.shli %c1, %c7 : i32", "128 : i32"),
        ("%r = arith.shli %c1, %c33 : i32", "-"),
        ("%r = arith.shrui %m1, %c33 : i32", "-"),
        ("%r = arith.shrui %min, %c7 : i32", "16777216 : i32"),
        ("%r = arith.shrsi %min, %c7 : i32", "-16777216 : i32"),
    ]);
}

#[test]
fn extremes() {
    check(&[
        ("%r = arith.maxsi %x, %x : i32", "x"),
        ("%r = arith.maxsi %x, %max : i32", "2147483647 : i32"),
        ("%r = arith.maxsi %x, %min : i32", "x"),
        ("%r = arith.maxui %x, %m1 : i32", "-1 : i32"),
        ("%r = arith.maxui %x, %c0 : i32", "x"),
        ("%r = arith.minsi %x, %min : i32", "-2147483648 : i32"),
        ("%r = arith.minsi %m1, %c7 : i32", "-1 : i32"),
        ("%r = arith.minui %m1, %c7 : i32", "7 : i32"),
        ("%r = arith.maxsi %x, %c7 : i32", "-"),
        ("%r = arith.maximumf %u, %minf : f32", "u"),
        ("%r = arith.maximumf %u, %inf : f32", "-"),
        ("%r = arith.maximumf %f1, %nan : f32", "0x7FC00000 : f32"),
        ("%r = arith.maximumf %fm0, %f0 : f32", "0.000000e+00 : f32"),
        ("%r = arith.maxnumf %f1, %nan : f32", "1.000000e+00 : f32"),
        ("%r = arith.minnumf %u, %nan : f32", "u"),
        ("%r = arith.minimumf %u, %inf : f32", "u"),
    ]);
}

#[test]
fn floats_keep_their_zeros_and_nans() {
    check(&[
        ("%r = arith.addf %u, %f0 : f32", "-"),
        ("%r = arith.addf %u, %fm0 : f32", "u"),
        ("%r = arith.addf %u, %f0 fastmath<nsz> : f32", "u"),
        ("%r = arith.subf %u, %f0 : f32", "u"),
        ("%r = arith.subf %u, %fm0 : f32", "-"),
        ("%r = arith.subf %u, %u : f32", "-"),
        ("%r = arith.mulf %u, %f0 : f32", "-"),
        (
            "%r = arith.mulf %u, %f0 fastmath<nnan,nsz> : f32",
            "0.000000e+00 : f32",
        ),
        ("%r = arith.mulf %u, %f1 : f32", "u"),
        ("%r = arith.divf %u, %f1 : f32", "u"),
        ("%r = arith.divf %f1, %f0 : f32", "0x7F800000 : f32"),
        ("%r = arith.divf %u, %u : f32", "-"),
        ("%r = arith.addf %f25, %f1 : f32", "3.500000e+00 : f32"),
        ("%r = arith.remf %f25, %f1 : f32", "5.000000e-01 : f32"),
        ("%r = arith.negf %f0 : f32", "-0.000000e+00 : f32"),
        ("%n = arith.negf %u : f32\n%r = arith.negf %n : f32", "u"),
    ]);
}

#[test]
fn comparisons() {
    check(&[
        ("%r = arith.cmpi sle, %x, %x : i32", "true"),
        ("%r = arith.cmpi ult, %x, %x : i32", "false"),
        ("%r = arith.cmpi slt, %m1, %c7 : i32", "true"),
        ("%r = arith.cmpi ult, %m1, %c7 : i32", "false"),
        ("%r = arith.cmpi slt, %c7, %x : i32", "="),
        ("%r = arith.cmpi slt, %x, %c7 : i32", "-"),
        (
            "%r = arith.cmpi eq, %v12, %v11 : vector<2xi32>",
            "dense<[true, false]> : vector<2xi1>",
        ),
        ("%r = arith.cmpi ne, %p, %false : i1", "p"),
        ("%r = arith.cmpi eq, %p, %true : i1", "p"),
        ("%r = arith.cmpi eq, %p, %false : i1", "-"),
        (
            "%e = arith.extui %p : i1 to i32\n%r = arith.cmpi ne, %e, %c0 : i32",
            "p",
        ),
        ("%r = arith.cmpf false, %u, %u : f32", "false"),
        ("%r = arith.cmpf true, %u, %u : f32", "true"),
        ("%r = arith.cmpf oeq, %u, %u : f32", "-"),
        ("%r = arith.cmpf oeq, %nan, %nan : f32", "false"),
        ("%r = arith.cmpf une, %nan, %nan : f32", "true"),
        ("%r = arith.cmpf oeq, %f0, %fm0 : f32", "true"),
        ("%r = arith.cmpf ult, %nan, %f1 : f32", "true"),
        ("%r = arith.cmpf ogt, %f25, %f1 : f32", "true"),
    ]);
}

#[test]
fn choices() {
    check(&[
        ("%r = arith.select %p, %x, %x : i32", "x"),
        ("%r = arith.select %true, %x, %y : i32", "x"),
        ("%r = arith.select %false, %x, %y : i32", "y"),
        ("%r = arith.select %p, %true, %false : i1", "p"),
        ("%r = arith.select %p, %false, %true : i1", "-"),
        (
            "%q = arith.cmpi eq, %x, %y : i32\n%r = arith.select %q, %x, %y : i32",
            "y",
        ),
        (
            "%q = arith.cmpi ne, %y, %x : i32\n%r = arith.select %q, %x, %y : i32",
            "x",
        ),
        (
            "%q = arith.cmpi slt, %x, %y : i32\n%r = arith.select %q, %x, %y : i32",
            "-",
        ),
        (
            "%q = arith.constant dense<[true, false]> : vector<2xi1>\n\
             %r = arith.select %q, %v12, %v00 : vector<2xi1>, vector<2xi32>",
            "dense<[1, 0]> : vector<2xi32>",
        ),
    ]);
}

#[test]
fn conversions() {
    check(&[
        ("%r = arith.extui %bm2 : i8 to i32", "254 : i32"),
        ("%r = arith.extsi %bm2 : i8 to i32", "-2 : i32"),
        (
            "%e = arith.extsi %b : i8 to i16\n%r = arith.extsi %e : i16 to i32",
            "=",
        ),
        (
            "%e = arith.extsi %b : i8 to i16\n%r = arith.extui %e : i16 to i32",
            "-",
        ),
        (
            "%e = arith.extui %b : i8 to i32\n%r = arith.trunci %e : i32 to i8",
            "b",
        ),
        (
            "%e = arith.extui %x : i32 to i64\n%r = arith.trunci %e : i64 to i8",
            "=",
        ),
        (
            "%e = arith.trunci %x : i32 to i16\n%r = arith.trunci %e : i16 to i8",
            "=",
        ),
        (
            "%e = arith.trunci %x : i32 to i16\n\
             %r = arith.trunci %e overflow<nsw> : i16 to i8",
            "-",
        ),
        ("%r = arith.trunci %m1 : i32 to i1", "true"),
        ("%r = arith.extf %f25 : f32 to f64", "2.500000e+00 : f64"),
        ("%r = arith.truncf %half : f64 to f32", "5.000000e-01 : f32"),
        ("%r = arith.truncf %tenth : f64 to f32", "-"),
        (
            "%e = arith.extf %u : f32 to f64\n%r = arith.truncf %e : f64 to f32",
            "u",
        ),
        ("%r = arith.sitofp %m1 : i32 to f32", "-1.000000e+00 : f32"),
        ("%r = arith.uitofp %bm2 : i8 to f32", "2.540000e+02 : f32"),
        ("%r = arith.fptosi %f25 : f32 to i32", "2 : i32"),
        ("%r = arith.fptosi %big : f64 to i32", "-"),
        ("%r = arith.fptosi %nan : f32 to i32", "-"),
        (
            "%n = arith.constant -1.0 : f32\n%r = arith.fptoui %n : f32 to i32",
            "-",
        ),
        ("%r = arith.index_cast %m1 : i32 to index", "-1 : index"),
        (
            "%r = arith.index_castui %m1 : i32 to index",
            "4294967295 : index",
        ),
        ("%r = arith.index_cast %c2i : index to i8", "2 : i8"),
        (
            "%e = arith.index_cast %x : i32 to index\n%r = arith.index_cast %e : index to i32",
            "x",
        ),
        (
            "%e = arith.index_cast %i : index to i32\n%r = arith.index_cast %e : i32 to index",
            "-",
        ),
        ("%r = arith.bitcast %f1 : f32 to i32", "1065353216 : i32"),
        ("%r = arith.bitcast %c0 : i32 to f32", "0.000000e+00 : f32"),
        (
            "%e = arith.bitcast %u : f32 to i32\n%r = arith.bitcast %e : i32 to f32",
            "=",
        ),
    ]);
}
