//! The results of mlir-opt's constant folding equal those of the interpreter. Skipped, with a
//! message, if LLVM 22's mlir-opt is not installed.

#[path = "differential/kinds.rs"]
#[allow(dead_code)]
mod kinds;
#[path = "common/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../skipped.rs"]
mod skipped;

use std::fmt::Write;
use std::process::{Command, Stdio};

use orison_interpret::{Interpreter, Outcome, Trap, World};
use orison_ir::numbers::FloatKind;
use orison_ir::{Context, Operation, Source, parse_source};

use kinds::Kind;
use random::Random;

const PEER: &str = "mlir-opt-22";

/// Functions per file, and number of files.
const FUNCTIONS: usize = 1500;
const FILES: u64 = 4;

const INTEGER: [&str; 20] = [
    "addi",
    "subi",
    "muli",
    "divui",
    "divsi",
    "remui",
    "remsi",
    "ceildivui",
    "ceildivsi",
    "floordivsi",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrui",
    "shrsi",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
];
const FLOAT: [&str; 9] = [
    "addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf",
];
/// Operations of `math` on one integer, and those on one float with an exact definition.
const INTEGER_MATH: [&str; 4] = ["absi", "ctlz", "cttz", "ctpop"];
const FLOAT_MATH: [&str; 7] = [
    "absf",
    "ceil",
    "floor",
    "round",
    "roundeven",
    "sqrt",
    "trunc",
];
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];
const FLOAT_PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
];
/// Formats whose constants are exact in text, which has doubles, and that have NaN: mlir-opt's
/// results for NaN in other formats are arbitrary.
const FLOATS: [FloatKind; 8] = [
    FloatKind::F16,
    FloatKind::BF16,
    FloatKind::F32,
    FloatKind::F64,
    FloatKind::TF32,
    FloatKind::F8E5M2,
    FloatKind::F8E4M3FN,
    FloatKind::F8E5M2FNUZ,
];

/// Generates functions without arguments that return an operation on constants.
struct Writer {
    random: Random,
    text: String,
}

impl Writer {
    fn integer_kind(&mut self) -> Kind {
        match self.random.below(8) {
            0 => Kind::Index,
            1 | 2 => Kind::Integer(*self.random.pick(&[1, 8, 16, 32, 64])),
            3 => Kind::Integers(1 + self.random.below(70) as u32),
            _ => Kind::Integer(1 + self.random.below(128) as u32),
        }
    }

    fn constant(&mut self, name: &str, kind: Kind) {
        let value = kind.value(&mut self.random);
        let (literal, ty) = (kind.literal(&value), kind.text());
        let literal = if kind == Kind::Integer(1) {
            literal
        } else {
            format!("{literal} : {ty}")
        };
        let _ = writeln!(self.text, "  {name} = arith.constant {literal}");
    }

    /// A function around an operation on `%a` (and `%b`), which are constants.
    fn function(&mut self, number: usize) {
        let float = Kind::Float(*self.random.pick(&FLOATS));
        let kind = if self.random.chance(60) {
            self.integer_kind()
        } else {
            float
        };
        let operation = match (kind.is_integer_like(), self.random.below(6)) {
            (_, 5) => self.math(kind),
            (true, 0) => self.convert_integer(kind),
            (_, 1) => self.compare(kind),
            (true, _) => {
                let name = *self.random.pick(&INTEGER);
                (format!("arith.{name} %a, %b : {}", kind.text()), kind)
            }
            (false, 0) => self.convert_float(kind),
            (false, 2) => (format!("arith.negf %a : {}", kind.text()), kind),
            (false, _) => {
                let name = *self.random.pick(&FLOAT);
                (format!("arith.{name} %a, %b : {}", kind.text()), kind)
            }
        };
        let (operation, result) = operation;
        let ty = result.text();
        let _ = writeln!(self.text, "func.func @f{number}() -> {ty} {{");
        self.constant("%a", kind);
        self.constant("%b", kind);
        let _ = writeln!(self.text, "  %r = {operation}\n  return %r : {ty}\n}}");
    }

    fn math(&mut self, kind: Kind) -> (String, Kind) {
        let ty = kind.text();
        let operation = if !kind.is_integer_like() {
            format!("math.{} %a : {ty}", self.random.pick(&FLOAT_MATH))
        } else if self.random.chance(20) {
            format!("math.ipowi %a, %b : {ty}")
        } else {
            format!("math.{} %a : {ty}", self.random.pick(&INTEGER_MATH))
        };
        (operation, kind)
    }

    fn compare(&mut self, kind: Kind) -> (String, Kind) {
        let (name, predicate) = match kind {
            Kind::Float(_) => ("cmpf", *self.random.pick(&FLOAT_PREDICATES)),
            _ => ("cmpi", *self.random.pick(&PREDICATES)),
        };
        (
            format!("arith.{name} {predicate}, %a, %b : {}", kind.text()),
            kind.condition(),
        )
    }

    fn convert_integer(&mut self, kind: Kind) -> (String, Kind) {
        let to = match kind {
            Kind::Index => Kind::Integer(1 + self.random.below(128) as u32),
            Kind::Integer(_) if self.random.chance(20) => Kind::Index,
            Kind::Integers(width) => Kind::Integers(width + 1 + self.random.below(9) as u32),
            _ if self.random.chance(40) => Kind::Float(*self.random.pick(&FLOATS)),
            _ => Kind::Integer(1 + self.random.below(128) as u32),
        };
        let names: &[&str] = match (kind, to) {
            (Kind::Index, _) | (_, Kind::Index) => &["index_cast", "index_castui"],
            (_, Kind::Float(_)) => &["sitofp", "uitofp"],
            _ if kind.width() < to.width() => &["extsi", "extui"],
            _ if kind.width() > to.width() => &["trunci"],
            _ => &["bitcast"],
        };
        let name = *self.random.pick(names);
        (
            format!("arith.{name} %a : {} to {}", kind.text(), to.text()),
            to,
        )
    }

    fn convert_float(&mut self, kind: Kind) -> (String, Kind) {
        if self.random.chance(40) {
            let to = Kind::Integer(1 + self.random.below(128) as u32);
            let name = *self.random.pick(&["fptosi", "fptoui"]);
            return (
                format!("arith.{name} %a : {} to {}", kind.text(), to.text()),
                to,
            );
        }
        let to = Kind::Float(*self.random.pick(&FLOATS));
        let name = match kind.width().cmp(&to.width()) {
            std::cmp::Ordering::Less => "extf",
            std::cmp::Ordering::Greater => "truncf",
            std::cmp::Ordering::Equal => return (format!("arith.negf %a : {}", kind.text()), kind),
        };
        (
            format!("arith.{name} %a : {} to {}", kind.text(), to.text()),
            to,
        )
    }
}

fn is_installed() -> bool {
    let quiet = Command::new(PEER)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let installed = quiet.is_ok_and(|status| status.success());
    if !installed {
        skipped::skipped(&format!("{PEER} is not installed"));
    }
    installed
}

fn parse(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    let source = Source {
        name: "constants.mlir",
        text,
        first_line: 1,
    };
    match parse_source(&mut context, source) {
        Ok(module) => (context, module),
        Err(_) => panic!("{}", context.diagnostics.take()[0].render(&context)),
    }
}

/// The result of a function without arguments.
fn result(context: &Context, module: Operation, function: &str) -> Outcome {
    let interpreter = Interpreter::with_host_dialects(context, module);
    let mut machine = interpreter.start(function, Vec::new()).expect("a function");
    interpreter.run(&mut machine, &mut World::default(), 10)
}

/// Whether a function only returns a constant.
fn is_folded(context: &Context, module: Operation, function: &str) -> bool {
    let function = module.lookup_symbol(context, function).expect("a function");
    let body = function.body_block(context, 0).expect("a body");
    let mut operations = body.operations(context);
    operations.all(|op| op.is(context, "arith.constant") || op.is(context, "func.return"))
}

#[test]
fn what_mlir_opt_folds_is_what_is_computed() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (mut compared, mut failures) = (0, Vec::new());
    for file in 0..FILES {
        let mut writer = Writer {
            random: Random(file),
            text: String::new(),
        };
        for number in 0..FUNCTIONS {
            writer.function(number);
        }
        let path = folder.path().join(format!("{file}.mlir"));
        std::fs::write(&path, &writer.text).expect("a file");
        let output = Command::new(PEER)
            .arg("--canonicalize")
            .arg(&path)
            .output()
            .expect("mlir-opt runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let folded = String::from_utf8_lossy(&output.stdout);
        let (before, original) = parse(&writer.text);
        let (after, transformed) = parse(&folded);
        for number in 0..FUNCTIONS {
            let name = format!("f{number}");
            if !is_folded(&after, transformed, &name) {
                continue;
            }
            compared += 1;
            let own = result(&before, original, &name);
            if matches!(own, Outcome::Trapped(Trap::Undefined { .. })) {
                continue;
            }
            let (Outcome::Returned(own), Outcome::Returned(theirs)) =
                (own, result(&after, transformed, &name))
            else {
                failures.push(format!("file {file} @{name} does not return"));
                continue;
            };
            // Undefined results here may be anything there.
            if !theirs[0].refines(&own[0]) {
                failures.push(format!(
                    "file {file} @{name}: {} here, {} there",
                    own[0], theirs[0]
                ));
            }
        }
    }
    println!("{compared} operations on constants compared with {PEER}");
    assert!(compared > 4000, "{compared}");
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
