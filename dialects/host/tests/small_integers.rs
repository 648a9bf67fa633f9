//! Every fold and every rule of integer operations on all integers of three bits, compared with a
//! model of the operations that is written here: with overflow flags, poison and divisions by zero.

mod common;

use std::fmt::Write;

use orison_host::arith::{self, IntegerPredicate, Overflow};
use orison_ir::declare::{AttributeForm, Folded};
use orison_ir::{Builder, Context, Operation, Rewriter, Source, Value, ValueOwner, parse_source};

const WIDTH: u32 = 3;

/// Undefined behaviour.
#[derive(Debug, PartialEq)]
struct Undefined;

/// A value; `None` is poison.
type Evaluated = Result<Option<i64>, Undefined>;

/// The value of the low bits as an unsigned number.
fn unsigned(value: i64, width: u32) -> i64 {
    value & ((1 << width) - 1)
}

fn signed(value: i64, width: u32) -> i64 {
    let value = unsigned(value, width);
    value - ((value >> (width - 1)) << width)
}

/// Rounded toward negative infinity.
fn floor(a: i64, b: i64) -> i64 {
    a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0)
}

/// A sum, difference, product or left shift: poison if it leaves a range that a flag promises.
fn wrapped(exact: [i64; 2], width: u32, flags: Overflow) -> Option<i64> {
    let [from_signed, from_unsigned] = exact;
    let wraps_signed = signed(from_signed, width) != from_signed;
    let wraps_unsigned = unsigned(from_unsigned, width) != from_unsigned;
    let broken = wraps_signed && flags.contains(Overflow::NSW)
        || wraps_unsigned && flags.contains(Overflow::NUW);
    (!broken).then(|| unsigned(from_unsigned, width))
}

fn divided(name: &str, a: i64, b: i64, width: u32, exact: bool) -> Evaluated {
    let (sa, sb) = (signed(a, width), signed(b, width));
    if b == 0 {
        return Err(Undefined);
    }
    let overflows = sa == -(1 << (width - 1)) && sb == -1;
    let quotient = match name {
        "divui" => a / b,
        "remui" => a % b,
        "ceildivui" => (a + b - 1) / b,
        "remsi" => sa % sb,
        _ if overflows => return Err(Undefined),
        "divsi" => sa / sb,
        "floordivsi" => floor(sa, sb),
        "ceildivsi" => -floor(-sa, sb),
        other => panic!("{other} is no division"),
    };
    let remains = if name == "divui" { a % b } else { sa % sb } != 0;
    Ok((!(exact && remains)).then(|| unsigned(quotient, width)))
}

fn shifted(name: &str, a: i64, b: i64, width: u32, flags: Overflow, exact: bool) -> Option<i64> {
    if b >= i64::from(width) {
        return None;
    }
    let lost = exact && unsigned(a, b as u32) != 0;
    match name {
        "shli" => wrapped([signed(a, width) << b, a << b], width, flags),
        "shrui" => (!lost).then_some(a >> b),
        _ => (!lost).then(|| unsigned(signed(a, width) >> b, width)),
    }
}

fn holds(predicate: IntegerPredicate, a: i64, b: i64, width: u32) -> bool {
    use IntegerPredicate as P;
    let (sa, sb) = (signed(a, width), signed(b, width));
    match predicate {
        P::Eq => a == b,
        P::Ne => a != b,
        P::Slt => sa < sb,
        P::Sle => sa <= sb,
        P::Sgt => sa > sb,
        P::Sge => sa >= sb,
        P::Ult => a < b,
        P::Ule => a <= b,
        P::Ugt => a > b,
        P::Uge => a >= b,
    }
}

struct Model<'c> {
    context: &'c Context,
    /// The values of the parameters `%x` and `%y`.
    parameters: [i64; 2],
}

impl Model<'_> {
    fn width(&self, value: Value) -> u32 {
        let width = value.ty(self.context).integer_width(self.context);
        width.expect("an integer")
    }

    fn of(&self, value: Value) -> Evaluated {
        let context = self.context;
        let op = match value.owner(context) {
            ValueOwner::Argument(_, position) => return Ok(Some(self.parameters[position])),
            ValueOwner::Result(op, _) => op,
        };
        if let Some(constant) = arith::constant_integer_of(context, value) {
            return Ok(Some(unsigned(
                constant.as_i64().unwrap_or(0),
                self.width(value),
            )));
        }
        let name = op.name_text(context).strip_prefix("arith.");
        let name = name.expect("an operation of arith");
        let operands: Result<Vec<_>, _> = op.operands(context).map(|v| self.of(v)).collect();
        let operands = operands?;
        if name == "select" {
            return Ok(operands[0].and_then(|c| operands[if c == 1 { 1 } else { 2 }]));
        }
        let divides = name.contains("div") || name.starts_with("rem");
        // Poison may be any value: zero, or the smallest integer, which minus one does not divide.
        let overflows = ["divsi", "ceildivsi", "floordivsi"].contains(&name);
        if divides {
            let ones = (1 << self.width(value)) - 1;
            match (operands[0], operands[1]) {
                (_, None | Some(0)) => return Err(Undefined),
                (None, Some(divisor)) if overflows && divisor == ones => return Err(Undefined),
                _ => {}
            }
        }
        let known: Option<Vec<i64>> = operands.into_iter().collect();
        let Some(known) = known else {
            return Ok(None);
        };
        let from = self.width(op.operand(context, 0));
        self.apply(op, name, &known, from, self.width(value))
    }

    fn apply(&self, op: Operation, name: &str, known: &[i64], from: u32, to: u32) -> Evaluated {
        let context = self.context;
        let flags = op.attribute(context, "overflowFlags");
        let flags = flags.and_then(|flags| arith::OverflowAttr::read(context, flags));
        let flags = flags.unwrap_or(Overflow::NONE);
        let exact = op.attribute(context, "isExact").is_some();
        let a = known[0];
        let b = known.get(1).copied().unwrap_or(0);
        let (sa, sb) = (signed(a, from), signed(b, from));
        Ok(match name {
            "addi" => wrapped([sa + sb, a + b], to, flags),
            "subi" => wrapped([sa - sb, a - b], to, flags),
            "muli" => wrapped([sa * sb, a * b], to, flags),
            "trunci" => wrapped([sa, a], to, flags),
            "shli" | "shrui" | "shrsi" => shifted(name, a, b, from, flags, exact),
            "andi" => Some(a & b),
            "ori" => Some(a | b),
            "xori" => Some(a ^ b),
            "maxsi" => Some(if sa > sb { a } else { b }),
            "minsi" => Some(if sa < sb { a } else { b }),
            "maxui" => Some(a.max(b)),
            "minui" => Some(a.min(b)),
            "extui" => Some(a),
            "extsi" => Some(unsigned(sa, to)),
            "cmpi" => {
                let predicate = op.attribute(context, "predicate");
                let predicate = predicate
                    .and_then(|value| arith::IntegerPredicateAttr::read(context, value))
                    .expect("a predicate");
                Some(i64::from(holds(predicate, a, b, from)))
            }
            _ => return divided(name, a, b, from, exact),
        })
    }

    /// For all values of the parameters.
    fn table(context: &Context, value: Value) -> Vec<Evaluated> {
        let all = 0..1 << (2 * WIDTH);
        let parameters = all.map(|number| [number & 7, number >> WIDTH]);
        parameters
            .map(|parameters| {
                Model {
                    context,
                    parameters,
                }
                .of(value)
            })
            .collect()
    }
}

/// What happened to the last operation of a function.
#[derive(Debug, PartialEq)]
enum Step {
    None,
    Fold,
    Rule(&'static str),
}

/// The returned value after the folder or a rule was applied to the operation that defines it, and
/// which of them was.
fn rewrite(context: &mut Context, end: Operation) -> (Value, Step) {
    let value = end.operand(context, 0);
    let op = value.defining_op(context).expect("an operation");
    let definition = op.definition(context).expect("an operation of arith");
    let constants: Vec<_> = op
        .operands(context)
        .map(|operand| arith::constant_of(context, operand))
        .collect();
    if let Some(fold) = definition.fold
        && let Some(folded) = fold(context, op, &constants)
    {
        let value = match folded.first() {
            None => value,
            Some(Folded::Value(value)) => *value,
            Some(Folded::Constant(attribute)) => {
                let mut rewriter = Rewriter::new(Builder::new(context));
                rewriter.set_insertion_point(orison_ir::InsertionPoint::Before(end));
                let location = end.location(rewriter.ir());
                arith::constant(&mut rewriter, location, *attribute)
            }
        };
        return (value, Step::Fold);
    }
    for rule in definition.rules {
        let mut rewriter = Rewriter::new(Builder::new(context));
        rewriter.set_insertion_point(orison_ir::InsertionPoint::Before(op));
        if (rule.apply)(&mut rewriter, op).is_ok() {
            return (end.operand(context, 0), Step::Rule(rule.name));
        }
    }
    (value, Step::None)
}

/// Checks that what is defined stays what it is. Returns how many programs were changed, by rule.
fn check(bodies: &[String]) -> Vec<Step> {
    let mut steps = Vec::new();
    for chunk in bodies.chunks(2000) {
        let mut text = String::new();
        for (number, body) in chunk.iter().enumerate() {
            let ty = body.rsplit(" : ").next().unwrap_or_default();
            let ty = ty.rsplit(" to ").next().unwrap_or_default();
            let ty = if body.contains("%r = arith.cmpi") {
                "i1"
            } else {
                ty
            };
            let _ = writeln!(
                text,
                "func.func @f{number}(%x: i3, %y: i3) -> {ty} {{\n{body}\nreturn %r : {ty}\n}}"
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
        for (function, body) in functions.into_iter().zip(chunk) {
            let block = function.body_block(&context, 0).expect("a body");
            let end = block.last_op(&context).expect("a return");
            let before = Model::table(&context, end.operand(&context, 0));
            let (value, step) = rewrite(&mut context, end);
            let after = Model::table(&context, value);
            for (number, (before, after)) in before.iter().zip(&after).enumerate() {
                let refines = match before {
                    Err(Undefined) => true,
                    Ok(None) => after.is_ok(),
                    known => after == known,
                };
                assert!(
                    refines,
                    "{step:?}, %x = {}, %y = {}: {before:?} becomes {after:?}\n{body}",
                    number & 7,
                    number >> WIDTH
                );
            }
            steps.push(step);
        }
    }
    steps
}

const FLAGS: [&str; 4] = [
    "",
    " overflow<nsw>",
    " overflow<nuw>",
    " overflow<nsw, nuw>",
];
const EXACT: [&str; 2] = ["", " exact"];

/// Operations with each of their flags.
fn operations() -> Vec<(&'static str, &'static str)> {
    let mut all = Vec::new();
    for name in ["addi", "subi", "muli", "shli"] {
        all.extend(FLAGS.map(|flags| (name, flags)));
    }
    for name in ["divui", "divsi", "shrui", "shrsi"] {
        all.extend(EXACT.map(|flags| (name, flags)));
    }
    for name in [
        "andi",
        "ori",
        "xori",
        "maxsi",
        "maxui",
        "minsi",
        "minui",
        "remui",
        "remsi",
        "ceildivui",
        "ceildivsi",
        "floordivsi",
    ] {
        all.push((name, ""));
    }
    all
}

fn constant(name: &str, value: i64) -> String {
    format!("%{name} = arith.constant {} : i3\n", signed(value, WIDTH))
}

#[test]
fn one_operation_with_each_constant_on_each_side() {
    let mut bodies = Vec::new();
    for (name, flags) in operations() {
        for (a, b) in [("x", "x"), ("x", "c"), ("c", "x"), ("c", "d")] {
            for c in 0..8 {
                for d in 0..8 {
                    if b != "d" && d > 0 || a == b && c > 0 {
                        continue;
                    }
                    let constants = constant("c", c) + &constant("d", d);
                    bodies.push(format!(
                        "{constants}%r = arith.{name} %{a}, %{b}{flags} : i3"
                    ));
                }
            }
        }
    }
    let steps = check(&bodies);
    assert!(steps.iter().filter(|step| **step == Step::Fold).count() > 1000);
}

#[test]
fn an_operation_of_an_operation_on_the_same_values() {
    let mut bodies = Vec::new();
    for (outer, outer_flags) in operations() {
        for (inner, flags) in operations() {
            for operands in ["%i, %x", "%i, %y", "%x, %i", "%y, %i"] {
                bodies.push(format!(
                    "%i = arith.{inner} %x, %y{flags} : i3\n\
                     %r = arith.{outer} {operands}{outer_flags} : i3"
                ));
            }
        }
    }
    let steps = check(&bodies);
    assert!(steps.iter().filter(|step| **step == Step::Fold).count() > 50);
    let rule = Step::Rule("arith-subi-of-own-minuend");
    assert!(steps.contains(&rule));
}

#[test]
fn an_operation_with_a_constant_of_an_operation_with_a_constant() {
    let mut bodies = Vec::new();
    let chained: Vec<_> = operations()
        .into_iter()
        .filter(|(name, _)| ["addi", "subi", "muli"].contains(name))
        .collect();
    for (outer, outer_flags) in &chained {
        for (inner, flags) in &chained {
            for (inner_operands, outer_operands) in [
                ("%x, %c", "%i, %d"),
                ("%c, %x", "%i, %d"),
                ("%x, %c", "%d, %i"),
                ("%c, %x", "%d, %i"),
            ] {
                for (c, d) in (0..64).map(|number| (number & 7, number >> 3)) {
                    let constants = constant("c", c) + &constant("d", d);
                    bodies.push(format!(
                        "{constants}%i = arith.{inner} {inner_operands}{flags} : i3\n\
                         %r = arith.{outer} {outer_operands}{outer_flags} : i3"
                    ));
                }
            }
        }
    }
    let steps = check(&bodies);
    for rule in [
        "arith-addi-of-addi",
        "arith-addi-of-subi-right",
        "arith-addi-of-subi-left",
        "arith-subi-of-addi",
        "arith-subi-of-subi-right",
        "arith-subi-of-subi-left",
        "arith-subi-from-addi",
        "arith-subi-from-subi-right",
        "arith-subi-from-subi-left",
        "arith-muli-of-muli",
    ] {
        assert!(steps.contains(&Step::Rule(rule)), "{rule}");
    }
}

#[test]
fn truncations_with_promises_of_widened_shifted_and_truncated_values() {
    let mut bodies = Vec::new();
    for flags in FLAGS {
        for width in 1..6 {
            for widen in ["extsi", "extui"] {
                bodies.push(format!(
                    "%i = arith.{widen} %x : i3 to i6\n\
                     %r = arith.trunci %i{flags} : i6 to i{width}"
                ));
            }
            for inner in FLAGS {
                if width < 2 {
                    bodies.push(format!(
                        "%i = arith.trunci %x{inner} : i3 to i2\n\
                         %r = arith.trunci %i{flags} : i2 to i{width}"
                    ));
                }
            }
        }
        for (amount, exact) in (0..3).flat_map(|amount| EXACT.map(|exact| (amount, exact))) {
            for width in 1..3 {
                let amount = constant("c", amount);
                bodies.push(format!(
                    "{amount}%i = arith.shrsi %x, %c{exact} : i3\n\
                     %r = arith.trunci %i{flags} : i3 to i{width}"
                ));
            }
        }
    }
    for (inner, outer) in [
        ("extsi", "extsi"),
        ("extsi", "extui"),
        ("extui", "extsi"),
        ("extui", "extui"),
    ] {
        bodies.push(format!(
            "%i = arith.{inner} %x : i3 to i4\n%r = arith.{outer} %i : i4 to i6"
        ));
    }
    let steps = check(&bodies);
    for rule in [
        "arith-trunci-of-extsi",
        "arith-trunci-of-extui",
        "arith-trunci-of-shrsi",
        "arith-extsi-of-extui",
    ] {
        assert!(steps.contains(&Step::Rule(rule)), "{rule}");
    }
}

#[test]
fn comparisons_and_choices() {
    const PREDICATES: [&str; 10] = [
        "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
    ];
    let mut bodies = Vec::new();
    for predicate in PREDICATES {
        for operands in ["%x, %x", "%x, %y"] {
            bodies.push(format!("%r = arith.cmpi {predicate}, {operands} : i3"));
        }
        for c in 0..8 {
            let c = constant("c", c);
            for operands in ["%x, %c", "%c, %x", "%c, %c"] {
                bodies.push(format!("{c}%r = arith.cmpi {predicate}, {operands} : i3"));
            }
        }
        for widen in ["extsi", "extui"] {
            bodies.push(format!(
                "%i = arith.{widen} %x : i3 to i5\n%j = arith.{widen} %y : i3 to i5\n\
                 %r = arith.cmpi {predicate}, %i, %j : i5"
            ));
            for number in [-1, 0, 1] {
                bodies.push(format!(
                    "%b = arith.cmpi slt, %x, %y : i3\n%i = arith.{widen} %b : i1 to i5\n\
                     %c = arith.constant {number} : i5\n%r = arith.cmpi {predicate}, %i, %c : i5"
                ));
            }
        }
        for flag in ["true", "false"] {
            for operation in ["xori", "andi", "ori", "cmpi eq,", "cmpi ne,"] {
                bodies.push(format!(
                    "%b = arith.cmpi {predicate}, %x, %y : i3\n%c = arith.constant {flag}\n\
                     %r = arith.{operation} %b, %c : i1"
                ));
            }
        }
        for values in ["%x, %y", "%y, %x", "%x, %x"] {
            for condition in ["%b", "%n"] {
                bodies.push(format!(
                    "%b = arith.cmpi {predicate}, %x, %y : i3\n%t = arith.constant true\n\
                     %n = arith.xori %b, %t : i1\n%r = arith.select {condition}, {values} : i3"
                ));
            }
        }
        for (one, other) in [(0, 1), (1, 0), (0, 7), (1, 1)] {
            let constants = constant("c", one) + &constant("d", other);
            bodies.push(format!(
                "{constants}%b = arith.cmpi {predicate}, %x, %y : i3\n\
                 %r = arith.select %b, %c, %d : i3"
            ));
        }
        for (inner, outer) in [("%x, %y", "%s, %x"), ("%x, %y", "%y, %s")] {
            bodies.push(format!(
                "%b = arith.cmpi {predicate}, %x, %y : i3\n%s = arith.select %b, {inner} : i3\n\
                 %r = arith.select %b, {outer} : i3"
            ));
        }
    }
    for widen in ["extsi", "extui"] {
        for name in ["andi", "ori", "xori"] {
            bodies.push(format!(
                "%i = arith.{widen} %x : i3 to i5\n%j = arith.{widen} %y : i3 to i5\n\
                 %r = arith.{name} %i, %j : i5"
            ));
        }
    }
    let steps = check(&bodies);
    for rule in [
        "arith-xori-of-cmpi",
        "arith-cmpi-of-extsi",
        "arith-cmpi-of-extui",
        "arith-select-of-not",
        "arith-select-of-select-true",
        "arith-select-of-select-false",
        "arith-select-to-extui",
        "arith-andi-of-extsi",
        "arith-ori-of-extui",
        "arith-xori-of-extsi",
    ] {
        assert!(steps.contains(&Step::Rule(rule)), "{rule}");
    }
}
