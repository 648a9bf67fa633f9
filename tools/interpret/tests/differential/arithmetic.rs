//! Random operations of `arith`, and the idioms that folders and rules match.

use std::fmt::Write;

use crate::generator::Generator;
use crate::kinds::Kind;

const OVERFLOWING: [&str; 4] = ["addi", "subi", "muli", "shli"];
const EXACT: [&str; 4] = ["divui", "divsi", "shrui", "shrsi"];
const PLAIN: [&str; 12] = [
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
];
const FLOAT: [&str; 9] = [
    "addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf",
];
const INTEGER_PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];
const FLOAT_PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
];

impl Generator {
    pub fn arithmetic(&mut self) {
        let kind = self.kind();
        if kind.is_integer_like() && self.random.chance(15) {
            return self.idiom(kind);
        }
        match (kind.is_integer_like(), self.random.below(10)) {
            (_, 0) => self.select(kind),
            (true, 1 | 2) => self.compare_integers(kind),
            (true, 3 | 4) => self.convert_integer(kind),
            (true, 5) => self.extended(kind),
            (true, _) => self.binary_integer(kind),
            (false, 1 | 2) => self.compare_floats(kind),
            (false, 3 | 4) => self.convert_float(kind),
            (false, 5) => self.negate(kind),
            (false, _) => self.binary_float(kind),
        }
    }

    /// Two or three operations that rules match together.
    fn idiom(&mut self, kind: Kind) {
        let ty = kind.text();
        let (left, right) = self.pair(kind);
        match self.random.below(8) {
            0 => {
                // An operation and its inverse.
                let (first, second) =
                    *self
                        .random
                        .pick(&[("addi", "subi"), ("subi", "addi"), ("xori", "xori")]);
                let inner = self.write(&format!("{first} {left}, {right} : {ty}"), kind);
                self.write(&format!("{second} {inner}, {right} : {ty}"), kind);
            }
            6 => self.divided_product(kind, &left),
            7 => self.truncated_shift(kind, &left),
            1 => {
                // Constants at both levels.
                let (one, other) = (self.constant(kind), self.constant(kind));
                let (first, second) = (
                    *self.random.pick(&OVERFLOWING[..3]),
                    *self.random.pick(&OVERFLOWING[..3]),
                );
                let (inner_flags, flags) = (self.overflow(40), self.overflow(40));
                let (one, other) = if self.random.chance(30) {
                    (other, one)
                } else {
                    (one, other)
                };
                let reversed = first == "subi" && self.random.chance(40);
                let inner = if reversed {
                    format!("{first} {one}, {left}{inner_flags} : {ty}")
                } else {
                    format!("{first} {left}, {one}{inner_flags} : {ty}")
                };
                let inner = self.write(&inner, kind);
                let reversed = second == "subi" && self.random.chance(40);
                let outer = if reversed {
                    format!("{second} {other}, {inner}{flags} : {ty}")
                } else {
                    format!("{second} {inner}, {other}{flags} : {ty}")
                };
                self.write(&outer, kind);
            }
            2 => {
                let name = *self.random.pick(&PLAIN[..7]);
                let (one, other) = (self.constant(kind), self.constant(kind));
                let inner = self.write(&format!("{name} {left}, {one} : {ty}"), kind);
                self.write(&format!("{name} {inner}, {other} : {ty}"), kind);
            }
            3 => {
                // A condition, and selects by it or its negation.
                let predicate = *self.random.pick(&INTEGER_PREDICATES);
                let condition = kind.condition();
                let flag = self.write(
                    &format!("cmpi {predicate}, {left}, {right} : {ty}"),
                    condition,
                );
                let opposite = self.constant(condition);
                let flag = self.write(
                    &format!("xori {flag}, {opposite} : {}", condition.text()),
                    condition,
                );
                let types = if condition == Kind::Integer(1) {
                    ty
                } else {
                    format!("{}, {ty}", condition.text())
                };
                self.write(&format!("select {flag}, {left}, {right} : {types}"), kind);
            }
            4 => {
                let (one, other) = (
                    *self.random.pick(&PLAIN[..7]),
                    *self.random.pick(&PLAIN[..7]),
                );
                let inner = self.write(&format!("{one} {left}, {right} : {ty}"), kind);
                self.write(&format!("{other} {left}, {inner} : {ty}"), kind);
            }
            _ => self.there_and_back(kind, &left),
        }
    }

    /// Overflow flags, in `percent` of 100 cases.
    fn overflow(&mut self, percent: usize) -> &'static str {
        if !self.random.chance(percent) {
            return "";
        }
        let flags = [" overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"];
        flags[self.random.below(flags.len())]
    }

    /// A product divided by one of its factors, which is not zero.
    fn divided_product(&mut self, kind: Kind, left: &str) {
        let most = if kind.width() < 4 { 1 } else { 7 };
        let factor = self.repeated(kind, 1, most);
        let (ty, flags) = (kind.text(), self.overflow(60));
        let name = *self.random.pick(&["divsi", "divui"]);
        let product = self.write(&format!("muli {left}, {factor}{flags} : {ty}"), kind);
        self.write(&format!("{name} {product}, {factor} : {ty}"), kind);
    }

    /// A truncation of a signed shift by as many bits as are cut off, or of a value that was widened.
    fn truncated_shift(&mut self, kind: Kind, operand: &str) {
        let Kind::Integer(width @ 2..) = kind else {
            return self.binary_integer(kind);
        };
        let narrow = Kind::Integer(1 + self.random.below(width as usize - 1) as u32);
        let lost = width - narrow.width();
        // An amount is written as a signed number of the same width.
        if u64::from(lost) >= 1 << (width.min(32) - 1) {
            return self.binary_integer(kind);
        }
        let amount = self.repeated(kind, lost, lost);
        let (ty, exact) = (
            kind.text(),
            if self.random.chance(20) { " exact" } else { "" },
        );
        let shifted = self.write(&format!("shrsi {operand}, {amount}{exact} : {ty}"), kind);
        let flags = self.overflow(60);
        let to = narrow.text();
        self.write(&format!("trunci {shifted}{flags} : {ty} to {to}"), narrow);
    }

    /// Extended, compared, truncated.
    fn there_and_back(&mut self, kind: Kind, operand: &str) {
        let (Kind::Integer(width), true) = (kind, kind.width() < 120) else {
            return self.binary_integer(kind);
        };
        let wide = Kind::Integer(width + 1 + self.random.below(8) as u32);
        let name = *self.random.pick(&["extsi", "extui"]);
        let widened = self.cast(name, operand, kind, wide);
        let other = self.constant(wide);
        let predicate = *self.random.pick(&INTEGER_PREDICATES);
        let ty = wide.text();
        self.write(
            &format!("cmpi {predicate}, {widened}, {other} : {ty}"),
            Kind::Integer(1),
        );
        let operation = *self.random.pick(&["addi", "andi", "muli", "shrui"]);
        let flags = match operation {
            "addi" | "muli" => self.overflow(25),
            _ => "",
        };
        let mixed = self.write(
            &format!("{operation} {widened}, {other}{flags} : {ty}"),
            wide,
        );
        let flags = self.overflow(25);
        let (from, to) = (wide.text(), kind.text());
        self.write(&format!("trunci {mixed}{flags} : {from} to {to}"), kind);
        // Truncated to another width than before.
        let between = Kind::Integer(1 + self.random.below(wide.width() as usize - 1) as u32);
        let (flags, to) = (self.overflow(40), between.text());
        self.write(
            &format!("trunci {widened}{flags} : {from} to {to}"),
            between,
        );
    }

    /// Writes an operation with one result.
    fn write(&mut self, operation: &str, kind: Kind) -> String {
        let name = self.fresh();
        let _ = writeln!(self.text, "{name} = arith.{operation}");
        self.define(name.clone(), kind);
        name
    }

    /// Two values, often equal.
    fn pair(&mut self, kind: Kind) -> (String, String) {
        let left = self.operand(kind);
        let right = if self.random.chance(12) {
            left.clone()
        } else {
            self.operand(kind)
        };
        (left, right)
    }

    /// A right operand: mostly one for which the operation is defined.
    fn right_operand(&mut self, name: &str, kind: Kind, otherwise: String) -> String {
        let shifts = name.starts_with("sh");
        let divides = name.contains("div") || name.starts_with("rem");
        if !(shifts || divides) || self.random.chance(15) {
            return otherwise;
        }
        let (least, most) = if shifts {
            (0, kind.width() - 1)
        } else {
            (1, 7)
        };
        let most = if kind.width() < 4 { most.min(1) } else { most };
        self.repeated(kind, least, most.max(least))
    }

    fn binary_integer(&mut self, kind: Kind) {
        let (left, right) = self.pair(kind);
        let ty = kind.text();
        match self.random.below(3) {
            0 => {
                let name = *self.random.pick(&OVERFLOWING);
                let right = self.right_operand(name, kind, right);
                let flags = self.overflow(20);
                self.write(&format!("{name} {left}, {right}{flags} : {ty}"), kind);
            }
            1 => {
                let name = *self.random.pick(&EXACT);
                let right = self.right_operand(name, kind, right);
                let exact = if self.random.chance(8) { " exact" } else { "" };
                self.write(&format!("{name} {left}, {right}{exact} : {ty}"), kind);
            }
            _ => {
                let name = *self.random.pick(&PLAIN);
                let right = self.right_operand(name, kind, right);
                self.write(&format!("{name} {left}, {right} : {ty}"), kind);
            }
        }
    }

    fn extended(&mut self, kind: Kind) {
        let (left, right) = self.pair(kind);
        let (name, ty) = (self.fresh(), kind.text());
        let (first, second) = (format!("{name}#0"), format!("{name}#1"));
        if self.random.chance(30) {
            let condition = kind.condition();
            let operation = format!(
                "arith.addui_extended {left}, {right} : {ty}, {}",
                condition.text()
            );
            let _ = writeln!(self.text, "{name}:2 = {operation}");
            self.define(first, kind);
            self.define(second, condition);
            return;
        }
        let sign = if self.random.chance(50) { "s" } else { "u" };
        let _ = writeln!(
            self.text,
            "{name}:2 = arith.mul{sign}i_extended {left}, {right} : {ty}"
        );
        self.define(first, kind);
        self.define(second, kind);
    }

    fn compare_integers(&mut self, kind: Kind) {
        let (left, right) = self.pair(kind);
        let predicate = *self.random.pick(&INTEGER_PREDICATES);
        self.write(
            &format!("cmpi {predicate}, {left}, {right} : {}", kind.text()),
            kind.condition(),
        );
    }

    fn compare_floats(&mut self, kind: Kind) {
        let (left, right) = self.pair(kind);
        let predicate = *self.random.pick(&FLOAT_PREDICATES);
        let flags = self.fast_math();
        self.write(
            &format!("cmpf {predicate}, {left}, {right}{flags} : {}", kind.text()),
            Kind::Integer(1),
        );
    }

    /// Only the flags that make results poison: the others permit several results.
    fn fast_math(&mut self) -> &'static str {
        match self.random.below(10) {
            0 => " fastmath<nnan>",
            1 => " fastmath<ninf>",
            2 => " fastmath<nnan,ninf>",
            _ => "",
        }
    }

    fn select(&mut self, kind: Kind) {
        let by_lane = kind.condition() != Kind::Integer(1) && self.random.chance(70);
        let condition_kind = if by_lane {
            kind.condition()
        } else {
            Kind::Integer(1)
        };
        let condition = self.operand(condition_kind);
        let (chosen, other) = self.pair(kind);
        let ty = kind.text();
        let types = if by_lane {
            format!("{}, {ty}", condition_kind.text())
        } else {
            ty
        };
        self.write(
            &format!("select {condition}, {chosen}, {other} : {types}"),
            kind,
        );
    }

    fn negate(&mut self, kind: Kind) {
        let (operand, flags) = (self.operand(kind), self.fast_math());
        self.write(&format!("negf {operand}{flags} : {}", kind.text()), kind);
    }

    fn binary_float(&mut self, kind: Kind) {
        let (left, right) = self.pair(kind);
        let (name, flags) = (*self.random.pick(&FLOAT), self.fast_math());
        self.write(
            &format!("{name} {left}, {right}{flags} : {}", kind.text()),
            kind,
        );
    }

    fn cast(&mut self, name: &str, operand: &str, from: Kind, to: Kind) -> String {
        self.write(
            &format!("{name} {operand} : {} to {}", from.text(), to.text()),
            to,
        )
    }

    fn convert_integer(&mut self, from: Kind) {
        let operand = self.operand(from);
        let to = self.kind();
        match (from, to) {
            (Kind::Integer(_), Kind::Index) | (Kind::Index, Kind::Integer(_)) => {
                let name = *self.random.pick(&["index_cast", "index_castui"]);
                self.cast(name, &operand, from, to);
            }
            (Kind::Integer(a), Kind::Integer(b)) | (Kind::Integers(a), Kind::Integers(b))
                if a < b =>
            {
                let name = *self.random.pick(&["extsi", "extui"]);
                self.cast(name, &operand, from, to);
            }
            (Kind::Integer(a), Kind::Integer(b)) | (Kind::Integers(a), Kind::Integers(b))
                if a > b =>
            {
                let flags = self.overflow(20);
                self.write(
                    &format!("trunci {operand}{flags} : {} to {}", from.text(), to.text()),
                    to,
                );
            }
            (Kind::Integer(a), Kind::Float(kind)) => {
                let name = *self.random.pick(&["sitofp", "uitofp", "bitcast"]);
                if name != "bitcast" || a == kind.width() {
                    self.cast(name, &operand, from, to);
                }
            }
            _ => self.binary_integer(from),
        }
    }

    fn convert_float(&mut self, from: Kind) {
        let to = self.kind();
        match (from, to) {
            (Kind::Float(a), Kind::Float(b)) if a.width() < b.width() => {
                let operand = self.operand(from);
                self.cast("extf", &operand, from, to);
            }
            (Kind::Float(a), Kind::Float(b)) if a.width() > b.width() => {
                let operand = self.operand(from);
                let mode = match self.random.below(8) {
                    0 => " to_nearest_even",
                    1 => " downward",
                    2 => " upward",
                    3 => " toward_zero",
                    4 => " to_nearest_away",
                    _ => "",
                };
                self.write(
                    &format!("truncf {operand}{mode} : {} to {}", from.text(), to.text()),
                    to,
                );
            }
            (Kind::Float(_), Kind::Integer(_)) => {
                let operand = self.operand(from);
                let name = *self.random.pick(&["fptosi", "fptoui"]);
                self.cast(name, &operand, from, to);
                self.read_bits(from, to);
            }
            _ => self.negate(from),
        }
    }

    /// Reads the bits of a float whose bits are defined even if it is a NaN.
    fn read_bits(&mut self, from: Kind, to: Kind) {
        let exact = |name: &&crate::generator::Name| name.kind == from && name.exact;
        let source = self.values.iter().find(exact).map(|name| name.text.clone());
        if let Some(source) = source.filter(|_| from.width() == to.width()) {
            self.cast("bitcast", &source, from, to);
        }
    }
}
