//! Random kernels of the machine dialect: loops, diamonds, switches, divergent and uniform
//! branches, guards, values that are undefined in some threads, memory in every space, shuffles and
//! votes where the warp is converged.
//!
//! The final memory of a kernel does not depend on the order of warps: each thread writes its own
//! elements, reads those of others only between barriers, and atomic operations commute.

#[path = "generator/partial.rs"]
mod partial;

use crate::random::Random;
use partial::Partial;

/// Threads of a CTA.
pub const THREADS: usize = 64;
/// 32-bit values that every thread writes to the output.
pub const OUTPUTS: usize = 16;
/// 32-bit values of the input buffer.
pub const INPUTS: usize = 256;
/// 32-bit values that all threads add to.
pub const COUNTERS: usize = 8;

/// The values of a kernel that may be used at a location.
#[derive(Clone, Default)]
struct Scope {
    words: Vec<String>,
    pairs: Vec<String>,
    predicates: Vec<String>,
    partials: Vec<Partial>,
}

/// The convergence of a warp at a location.
#[derive(Clone, Copy, PartialEq)]
enum Together {
    /// All of the CTA.
    Cta,
    /// Diverged.
    No,
}

struct Generator<'r> {
    random: &'r mut Random,
    text: String,
    values: usize,
    blocks: usize,
    budget: usize,
    scope: Scope,
    bitwise_only: bool,
}

/// The symbols that kernels use.
pub const SYMBOLS: &str = "ori.memory shared @slots, size 1024, align 16\n";

/// A kernel `@k{number}` as text.
pub fn kernel(number: usize, random: &mut Random) -> String {
    let budget = 12 + random.below(50);
    let bitwise_only = random.chance(30);
    let mut generator = Generator {
        random,
        text: String::new(),
        values: 0,
        blocks: 0,
        budget,
        scope: Scope::default(),
        bitwise_only,
    };
    generator.begin();
    generator.statements(0, Together::Cta);
    generator.end();
    let parameter = |name: &str, offset: usize| {
        format!(
            "{{alignment = 8 : i32, name = \"{name}\", offset = {offset} : i32, size = 8 : i32}}"
        )
    };
    let frame = "[{alignment = 16 : i32, name = \"own\", offset = 0 : i32, size = 64 : i32}]";
    format!(
        "ori.func kernel @k{number}() target \"sm_80\" attributes {{frame = {frame}, \
         parameters = [{}, {}, {}]}} {{\n{}}}\n",
        parameter("in", 0),
        parameter("out", 8),
        parameter("counters", 16),
        generator.text
    )
}

/// Keywords of the operations with three operands.
const TERNARY: &[&str] = &[
    "iadd3", "iadd3", "imad", "lop3", "lop3", "shf", "prmt", "lea", "vabsdiff", "ffma", "idp",
    "hfma2", "fmnmx3",
];
const BITWISE: &[&str] = &["lop3", "lop3", "shf", "prmt", "iadd3", "lea"];

impl Generator<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str("  ");
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn name(&mut self) -> String {
        self.values += 1;
        format!("%v{}", self.values)
    }

    fn block(&mut self) -> String {
        self.blocks += 1;
        format!("^b{}", self.blocks)
    }

    /// Defines a value with an operation; `types` follows the colon.
    fn define(&mut self, operation: &str, types: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {operation} : {types}"));
        name
    }

    fn immediate(&mut self, value: i64) -> String {
        self.define(&format!("ori.imm {value}"), "!ori.r")
    }

    fn number(&mut self) -> i64 {
        const NUMBERS: [i64; 16] = [
            0,
            1,
            -1,
            2,
            3,
            4,
            5,
            7,
            8,
            16,
            31,
            32,
            255,
            -2_147_483_648,
            0x3F80_0000,
            0x7F80_0000,
        ];
        match self.random.below(3) {
            0 => i64::from(self.random.bits() as i32),
            1 => i64::from(self.random.bits() as i8),
            _ => *self.random.pick(&NUMBERS),
        }
    }

    /// A 32-bit value to read.
    fn word(&mut self) -> String {
        if self.random.chance(20) {
            let number = self.number();
            return self.immediate(number);
        }
        // Preferring recent values makes chains.
        let count = self.scope.words.len();
        let youngest = self.random.below(count.min(6));
        let at = if self.random.chance(60) {
            count - 1 - youngest
        } else {
            self.random.below(count)
        };
        self.scope.words[at].clone()
    }

    fn pair(&mut self) -> String {
        if self.scope.pairs.is_empty() || self.random.chance(30) {
            let (low, high) = (self.word(), self.word());
            let pair = self.define(
                &format!("ori.concat {low}, {high}"),
                "(!ori.r, !ori.r) -> !ori.r64",
            );
            self.scope.pairs.push(pair);
        }
        let at = self.random.below(self.scope.pairs.len());
        self.scope.pairs[at].clone()
    }

    fn predicate(&mut self) -> String {
        if self.scope.predicates.is_empty() || self.random.chance(50) {
            self.compare();
        }
        let at = self.random.below(self.scope.predicates.len());
        self.scope.predicates[at].clone()
    }

    fn pick_str(&mut self, words: &'static [&'static str]) -> &'static str {
        let word: &&'static str = self.random.pick(words);
        word
    }

    fn maybe(&mut self, percent: usize, text: &'static str) -> &'static str {
        if self.random.chance(percent) {
            text
        } else {
            ""
        }
    }

    /// A guard with a fallback, and its types.
    fn guard(&mut self, percent: usize) -> (String, &'static str) {
        if !self.random.chance(percent) {
            return (String::new(), "");
        }
        let (not, predicate, other) = (self.maybe(40, "not "), self.predicate(), self.word());
        (
            format!(" if {not}{predicate} else {other}"),
            ", !ori.p, !ori.r",
        )
    }

    fn begin(&mut self) {
        let tid = self.define("ori.s2r <register = \"SR_TID.X\">", "!ori.r");
        let lane = self.define("ori.s2r <register = \"SR_LANEID\">", "!ori.r");
        let block = self.define("ori.s2r <register = \"SR_CTAID.X\">", "!ori.r");
        self.line("%input = ori.cbank [0, 352] : !ori.r64");
        self.line("%output = ori.cbank [0, 360] : !ori.r64");
        self.line("%counters = ori.cbank [0, 368] : !ori.r64");
        self.line("%ntid = ori.cbank [0, 0] : !ori.r");
        self.line("%slots = ori.address_of @slots : !ori.r");
        self.line("%own = ori.slot_address \"own\" : !ori.r");
        self.line("%four = ori.imm 4 : !ori.r");
        self.line("%sixteen = ori.imm 16 : !ori.r");
        self.line("%zero = ori.imm 0 : !ori.r");
        let triple = "(!ori.r, !ori.r, !ori.r) -> !ori.r";
        self.line(&format!(
            "%global = ori.imad {block}, %ntid, {tid} : {triple}"
        ));
        self.line(&format!(
            "%slot = ori.imad {tid}, %sixteen, %slots : {triple}"
        ));
        self.line("%bytes = ori.imm 64 : !ori.r");
        self.line("%place = ori.imad_wide <u32> %global, %bytes, %output : (!ori.r, !ori.r, !ori.r64) -> !ori.r64");
        self.scope.words = vec![tid, lane, block, "%global".to_owned()];
        for offset in 0..4 {
            let value = self.word();
            self.line(&format!(
                "ori.sts [%slot + {}], {value} : (!ori.r, !ori.r) -> ()",
                4 * offset
            ));
        }
        for offset in 0..16 {
            let value = self.word();
            self.line(&format!(
                "ori.stl [%own + {}], {value} : (!ori.r, !ori.r) -> ()",
                4 * offset
            ));
        }
        self.load();
        self.load();
    }

    fn end(&mut self) {
        for number in 0..OUTPUTS {
            let value = self.word();
            self.line(&format!(
                "ori.stg [%place + {}], {value} : (!ori.r64, !ori.r) -> ()",
                4 * number
            ));
        }
        self.line("ori.exit");
    }

    /// Statements until the budget is exhausted, or a few in a nested scope.
    fn statements(&mut self, depth: usize, together: Together) {
        let count = if depth == 0 {
            usize::MAX
        } else {
            1 + self.random.below(6)
        };
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth, together);
        }
    }

    fn statement(&mut self, depth: usize, together: Together) {
        match self.random.below(100) {
            45..=54 => self.compare(),
            55..=60 => self.load(),
            61..=64 => self.own_memory(),
            65..=67 => self.store(),
            68..=69 => self.count(),
            70..=77 if together != Together::No => self.across(),
            78..=80 if together == Together::Cta => self.exchange(),
            81..=88 if depth < 3 => self.diamond(depth, together),
            89..=94 if depth < 3 => self.repeat(depth, together),
            95..=96 if depth < 3 => self.switch(depth),
            97 => self.double(),
            35..=44 => self.partial(),
            // 0 to 34, and cases not permitted here.
            _ => self.arithmetic(),
        }
    }

    /// The parts before and in the angle brackets of an operation with three operands.
    fn ternary(&mut self, name: &str) -> (String, [&'static str; 3]) {
        let negated: &[&str] = &["", "", "neg ", "not "];
        let float: &[&str] = &["", "", "neg ", "abs ", "neg abs "];
        let signs = |generator: &mut Self, set: &'static [&'static str]| generator.pick_str(set);
        match name {
            "lop3" => (
                format!("ori.lop3 <lut = {}>", self.random.below(256)),
                [""; 3],
            ),
            "shf" => {
                let direction = self.pick_str(&["left", "right"]);
                let sign = self.pick_str(&["u32", "s32", "u64", "s64"]);
                let (high, wrap) = (self.maybe(50, ", high"), self.maybe(30, ", wrap"));
                (
                    format!("ori.shf <{direction}, {sign}{high}{wrap}>"),
                    [""; 3],
                )
            }
            "lea" => {
                let shift = self.random.below(32);
                (
                    format!("ori.lea <shift = {shift}>"),
                    [signs(self, negated), "", ""],
                )
            }
            "vabsdiff" => (
                format!("ori.vabsdiff <{}>", self.pick_str(&["u32", "s32"])),
                [""; 3],
            ),
            "idp" => (
                "ori.idp <left_format = s8, right_format = u8>".to_owned(),
                [""; 3],
            ),
            "fmnmx3" => ("ori.fmnmx3 <max>".to_owned(), [signs(self, float), "", ""]),
            "ffma" => {
                let ftz = self.pick_str(&["", " <ftz>", " <rz>", " <rp, saturate>"]);
                (
                    format!("ori.ffma{ftz}"),
                    [signs(self, float), signs(self, float), signs(self, float)],
                )
            }
            "hfma2" => ("ori.hfma2 <f16>".to_owned(), [signs(self, float), "", ""]),
            "imad" => (
                "ori.imad".to_owned(),
                [signs(self, negated), "", signs(self, negated)],
            ),
            "iadd3" => (
                "ori.iadd3".to_owned(),
                [
                    signs(self, negated),
                    signs(self, negated),
                    signs(self, negated),
                ],
            ),
            name => (format!("ori.{name}"), [""; 3]),
        }
    }

    fn arithmetic(&mut self) {
        if self.random.chance(35) {
            return self.other_arithmetic();
        }
        let name = self.pick_str(if self.bitwise_only { BITWISE } else { TERNARY });
        let (head, signs) = self.ternary(name);
        let operands: Vec<_> = signs
            .iter()
            .map(|sign| format!("{sign}{}", self.word()))
            .collect();
        let (guard, types) = self.guard(15);
        let mut value = self.define(
            &format!("{head} {}{guard}", operands.join(", ")),
            &format!("(!ori.r, !ori.r, !ori.r{types}) -> !ori.r"),
        );
        if head.starts_with("ori.ffma") {
            value = self.without_nan(&value);
        }
        self.scope.words.push(value);
    }

    /// Zero in place of a NaN: passes may change the payload of a NaN, as ptxas does (it folds
    /// `x * 1.0`), and integer operations would see the difference.
    fn without_nan(&mut self, value: &str) -> String {
        let zero = self.immediate(0);
        let predicate = self.predicate();
        self.define(
            &format!("ori.fmnmx {value}, {zero}, {predicate}"),
            "(!ori.r, !ori.r, !ori.p) -> !ori.r",
        )
    }

    /// Operations with one or two operands, carries, selects, conversions.
    fn other_arithmetic(&mut self) {
        let (a, b) = (self.word(), self.word());
        let one = "(!ori.r) -> !ori.r";
        let two = "(!ori.r, !ori.r) -> !ori.r";
        let choice = "(!ori.r, !ori.r, !ori.p) -> !ori.r";
        let value = match self.random.below(20) {
            0 => self.define(&format!("ori.mov {a}"), one),
            1 => self.define(&format!("ori.popc not {a}"), one),
            2 => self.define(&format!("ori.flo <u32> {a}"), one),
            3 => self.define(&format!("ori.brev {a}"), one),
            4 => self.define(&format!("ori.iabs {a}"), one),
            5 => self.define(&format!("ori.bmsk {a}, {b}"), two),
            6 => self.define(&format!("ori.sgxt <s32> {a}, {b}"), two),
            7 => self.define(&format!("ori.i2f <to = f32, from = s32> {a}"), one),
            8 => self.define(
                &format!("ori.f2i <to = s32, from = f32, trunc, nan_is_zero> {a}"),
                one,
            ),
            9 => self.define(&format!("ori.f2fp <to = f16, from = f32> {a}, {b}"), two),
            10 => {
                let sum = self.define(&format!("ori.fadd neg {a}, {b}"), two);
                self.without_nan(&sum)
            }
            11 => {
                let product = self.define(&format!("ori.fmul {a}, abs {b}"), two);
                self.without_nan(&product)
            }
            12 => self.define(&format!("ori.mufu <rcp> {a}"), one),
            13..=15 => {
                let predicate = self.predicate();
                let not = self.maybe(30, "not ");
                self.define(&format!("ori.sel {a}, {b}, {not}{predicate}"), choice)
            }
            16 => {
                let predicate = self.predicate();
                self.define(&format!("ori.imnmx <s32> {a}, {b}, {predicate}"), choice)
            }
            17 => {
                let predicate = self.predicate();
                self.define(
                    &format!("ori.p2r <mask = 2> {a} predicates({predicate})"),
                    "(!ori.r, !ori.p) -> !ori.r",
                )
            }
            _ => return self.wide(),
        };
        self.scope.words.push(value);
    }

    /// 64 bits: sums through carries, products, parts.
    fn wide(&mut self) {
        let (a, b) = (self.word(), self.word());
        match self.random.below(4) {
            0 => {
                let (sum, carry) = (self.name(), self.name());
                let sign = self.pick_str(&["", "neg "]);
                self.line(&format!(
                    "{sum}, {carry} = ori.iadd3 {a}, {sign}{b}, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
                ));
                let (c, d) = (self.word(), self.word());
                let sign = if sign.is_empty() { "" } else { "not " };
                let high = self.define(
                    &format!("ori.iadd3 <extended> {c}, {sign}{d}, %zero carry({carry})"),
                    "(!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r",
                );
                self.scope.words.extend([sum, high]);
                self.scope.predicates.push(carry);
            }
            1 => {
                let (sign, pair) = (self.pick_str(&["u32", "s32"]), self.pair());
                let value = self.define(
                    &format!("ori.imad_wide <{sign}> {a}, {b}, {pair}"),
                    "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
                );
                self.scope.pairs.push(value);
            }
            _ => {
                let (word, pair) = (self.random.below(2), self.pair());
                let value = self.define(
                    &format!("ori.extract {pair}[{word}]"),
                    "(!ori.r64) -> !ori.r",
                );
                self.scope.words.push(value);
            }
        }
    }

    fn double(&mut self) {
        let (a, b) = (self.pair(), self.pair());
        let name = self.pick_str(&["dadd", "dmul"]);
        let value = self.define(
            &format!("ori.{name} {a}, neg {b}"),
            "(!ori.r64, !ori.r64) -> !ori.r64",
        );
        self.scope.pairs.push(value);
    }

    fn compare(&mut self) {
        let (a, b) = (self.word(), self.word());
        let old = self.scope.predicates.last().cloned();
        let value = match (self.random.below(4), old) {
            (0, Some(old)) => {
                let combine = self.pick_str(&["and", "or", "xor"]);
                self.define(
                    &format!("ori.isetp <lt, s32, {combine}> {a}, {b} with({old})"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.p",
                )
            }
            (1, Some(old)) => {
                let lut = self.random.below(256);
                let other = self.random.below(self.scope.predicates.len());
                let other = self.scope.predicates[other].clone();
                self.define(
                    &format!("ori.plop3 <lut = {lut}> {old}, not {other}, {old}"),
                    "(!ori.p, !ori.p, !ori.p) -> !ori.p",
                )
            }
            (2, _) if !self.bitwise_only => {
                let compare = self.pick_str(&["lt", "ge", "neu", "nan", "equ", "gt"]);
                self.define(
                    &format!("ori.fsetp <{compare}> {a}, abs {b}"),
                    "(!ori.r, !ori.r) -> !ori.p",
                )
            }
            _ => {
                let compare = self.pick_str(&["lt", "eq", "le", "gt", "ne", "ge"]);
                let sign = self.pick_str(&["s32", "u32"]);
                self.define(
                    &format!("ori.isetp <{compare}, {sign}> {a}, {b}"),
                    "(!ori.r, !ori.r) -> !ori.p",
                )
            }
        };
        self.scope.predicates.push(value);
    }

    /// A value below a power of two, times four.
    fn index(&mut self, limit: usize) -> String {
        let value = self.word();
        let mask = self.immediate(limit as i64 - 1);
        self.define(
            &format!("ori.lop3 <lut = 192> {value}, {mask}, %zero"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        )
    }

    fn load(&mut self) {
        let index = self.index(INPUTS);
        let address = self.define(
            &format!("ori.imad_wide <u32> {index}, %four, %input"),
            "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
        );
        let width = self.pick_str(&["", "", "", " <u8>", " <s16>"]);
        let (guard, types) = self.guard(20);
        let value = self.define(
            &format!("ori.ldg{width} [{address}]{guard}"),
            &format!("(!ori.r64{types}) -> !ori.r"),
        );
        self.scope.words.push(value);
    }

    /// Local memory, and the thread's slots of shared memory.
    fn own_memory(&mut self) {
        let (space, base, words) = *self.random.pick(&[("l", "%own", 16), ("s", "%slot", 4)]);
        let index = self.index(words);
        let address = self.define(
            &format!("ori.imad {index}, %four, {base}"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        );
        if self.random.chance(50) {
            let value = self.word();
            let guard = if self.random.chance(30) {
                format!(" if {}", self.predicate())
            } else {
                String::new()
            };
            let types = if guard.is_empty() { "" } else { ", !ori.p" };
            self.line(&format!(
                "ori.st{space} [{address}], {value}{guard} : (!ori.r, !ori.r{types}) -> ()"
            ));
        } else {
            let value = self.define(&format!("ori.ld{space} [{address}]"), "(!ori.r) -> !ori.r");
            self.scope.words.push(value);
        }
    }

    fn store(&mut self) {
        let (value, at) = (self.word(), 4 * self.random.below(OUTPUTS));
        let (guard, types) = if self.random.chance(40) {
            (format!(" if not {}", self.predicate()), ", !ori.p")
        } else {
            (String::new(), "")
        };
        self.line(&format!(
            "ori.stg [%place + {at}], {value}{guard} : (!ori.r64, !ori.r{types}) -> ()"
        ));
    }

    fn count(&mut self) {
        let (value, at) = (self.word(), 4 * self.random.below(COUNTERS));
        self.line(&format!(
            "ori.redg <add, u32> [%counters + {at}], {value} : (!ori.r64, !ori.r) -> ()"
        ));
    }

    /// Shuffles and votes.
    fn across(&mut self) {
        let value = self.word();
        match self.random.below(4) {
            0 => {
                let (predicate, mode) = (self.predicate(), self.pick_str(&["any", "all", "eq"]));
                let (ballot, answer) = (self.name(), self.name());
                self.line(&format!("{ballot}, {answer} = ori.vote <{mode}> {predicate} : (!ori.p) -> (!ori.r, !ori.p)"));
                self.scope.words.push(ballot);
                self.scope.predicates.push(answer);
            }
            1 => {
                let (sum, copied) = (self.name(), self.name());
                self.line(&format!(
                    "{sum} = ori.redux <xor> {value} : (!ori.r) -> !ori.ur"
                ));
                self.line(&format!("{copied} = ori.mov {sum} : (!ori.ur) -> !ori.r"));
                self.scope.words.push(copied);
            }
            _ => {
                let (mode, bounds) =
                    *self
                        .random
                        .pick(&[("bfly", 31), ("idx", 31), ("down", 31), ("up", 0)]);
                let (lane, bounds) = (self.word(), self.immediate(bounds));
                let (found, valid) = (self.name(), self.name());
                self.line(&format!(
                    "{found}, {valid} = ori.shfl <{mode}> {value}, {lane}, {bounds} : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
                ));
                self.scope.words.push(found);
                self.scope.predicates.push(valid);
            }
        }
    }

    /// Reads data that another thread has written, between barriers.
    fn exchange(&mut self) {
        let value = self.word();
        self.line(&format!(
            "ori.sts [%slot], {value} : (!ori.r, !ori.r) -> ()"
        ));
        self.line("ori.bar <sync, index = 0>");
        let index = self.index(THREADS);
        let address = self.define(
            &format!("ori.imad {index}, %sixteen, %slots"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        );
        let read = self.define(&format!("ori.lds [{address}]"), "(!ori.r) -> !ori.r");
        self.line("ori.bar <sync, index = 0>");
        self.scope.words.push(read);
    }

    /// Values passed along an edge, one of each type.
    fn handed(&mut self, count: usize) -> String {
        let values: Vec<_> = (0..count).map(|_| self.word()).collect();
        if values.is_empty() {
            return String::new();
        }
        let types = vec!["!ori.r"; count].join(", ");
        format!("({} : {types})", values.join(", "))
    }

    /// Arguments of a block, which are added to the scope.
    fn taken(&mut self, count: usize) -> String {
        let names: Vec<_> = (0..count).map(|_| self.name()).collect();
        self.scope.words.extend(names.iter().cloned());
        if names.is_empty() {
            return String::new();
        }
        let typed: Vec<_> = names.iter().map(|name| format!("{name}: !ori.r")).collect();
        format!("({})", typed.join(", "))
    }

    fn label(&mut self, block: &str, arguments: &str) {
        self.text.push_str(&format!("{block}{arguments}:\n"));
    }

    /// A condition: per thread, or uniform in the CTA.
    fn condition(&mut self, together: Together) -> (String, Together) {
        if together == Together::No || self.random.chance(60) {
            return (self.predicate(), Together::No);
        }
        let number = self.random.below(4) as i64;
        let number = self.immediate(number);
        let uniform = self.define(
            &format!("ori.isetp <le, u32> %ntid, {number}"),
            "(!ori.r, !ori.r) -> !ori.p",
        );
        (uniform, together)
    }

    fn diamond(&mut self, depth: usize, together: Together) {
        let (condition, inner) = self.condition(together);
        let (yes, no, join) = (self.block(), self.block(), self.block());
        let count = self.random.below(3);
        let direct = self.random.chance(30);
        let not = self.maybe(30, "not ");
        if direct {
            let values = self.handed(count);
            self.line(&format!(
                "ori.cond_bra {not}{condition}, {yes}, {join}{values} : !ori.p"
            ));
        } else {
            self.line(&format!(
                "ori.cond_bra {not}{condition}, {yes}, {no} : !ori.p"
            ));
        }
        let sides = if direct { vec![yes] } else { vec![yes, no] };
        let outside = self.scope.clone();
        for side in sides {
            self.label(&side, "");
            if depth < 2 && self.random.chance(25) {
                // A diamond whose condition depends on a value that only this side loads.
                self.load();
                self.compare();
                self.diamond(depth + 1, Together::No);
            }
            self.statements(depth + 1, inner);
            let values = self.handed(count);
            self.line(&format!("ori.bra {join}{values}"));
            self.scope = outside.clone();
        }
        let arguments = self.taken(count);
        self.label(&join, &arguments);
    }

    /// A loop with a few iterations and an optional early exit.
    fn repeat(&mut self, depth: usize, together: Together) {
        let uniform = together != Together::No && self.random.chance(50);
        let inner = if uniform { together } else { Together::No };
        let trips = if uniform {
            let trips = self.random.below(5) as i64;
            self.immediate(trips)
        } else {
            self.index(8)
        };
        let (header, body, behind) = (self.block(), self.block(), self.block());
        let carried = 1 + self.random.below(2);
        let values = self.handed(carried);
        let values = values.trim_start_matches('(').trim_end_matches(')');
        let (names, types) = values.split_once(" : ").unwrap_or(("", ""));
        self.line(&format!(
            "ori.bra {header}(%zero, {names} : !ori.r, {types})"
        ));
        let counter = self.name();
        let outside = self.scope.clone();
        let arguments = self.taken(carried);
        let arguments = arguments.trim_start_matches('(');
        self.label(&header, &format!("({counter}: !ori.r, {arguments}"));
        let around = self.scope.clone();
        let goes = self.define(
            &format!("ori.isetp <lt, s32> {counter}, {trips}"),
            "(!ori.r, !ori.r) -> !ori.p",
        );
        let left = self.handed(carried);
        self.line(&format!(
            "ori.cond_bra {goes}, {body}, {behind}{left} : !ori.p"
        ));
        self.label(&body, "");
        self.scope.words.push(counter.clone());
        self.statements(depth + 1, inner);
        if !uniform && self.random.chance(30) {
            let (early, next) = (self.predicate(), self.block());
            let left = self.handed(carried);
            self.line(&format!(
                "ori.cond_bra {early}, {behind}{left}, {next} : !ori.p"
            ));
            self.label(&next, "");
        }
        let one = self.immediate(1);
        let stepped = self.define(
            &format!("ori.iadd3 {counter}, {one}, %zero"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        );
        let values = self.handed(carried);
        let values = values.trim_start_matches('(').trim_end_matches(')');
        let (names, types) = values.split_once(" : ").unwrap_or(("", ""));
        self.line(&format!(
            "ori.bra {header}({stepped}, {names} : !ori.r, {types})"
        ));
        // Definitions of the header dominate the code after the loop.
        self.scope = if self.random.chance(50) {
            around
        } else {
            outside
        };
        let arguments = self.taken(carried);
        self.label(&behind, &arguments);
    }

    fn switch(&mut self, depth: usize) {
        let index = self.index(4);
        let cases: Vec<_> = (0..4).map(|_| self.block()).collect();
        let join = self.block();
        self.line(&format!("ori.brx {index}, [{}] : !ori.r", cases.join(", ")));
        let outside = self.scope.clone();
        for case in cases {
            self.label(&case, "");
            self.statements(depth + 1, Together::No);
            let values = self.handed(1);
            self.line(&format!("ori.bra {join}{values}"));
            self.scope = outside.clone();
        }
        let arguments = self.taken(1);
        self.label(&join, &arguments);
    }
}
