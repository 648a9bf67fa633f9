//! Random kernels of the machine dialect: loops, diamonds, switches, divergent and uniform
//! branches, guards, values that are undefined in some threads, memory in every space and of every
//! width, sums that overflow, values that divergent branches choose, shuffles and votes where the warp
//! is converged.
//!
//! The final memory of a kernel does not depend on the order of warps: each thread writes its own
//! elements, reads those of others only between barriers, and atomic operations commute.

#[path = "generator/adjacent.rs"]
mod adjacent;
#[path = "generator/arithmetic.rs"]
mod arithmetic;
#[path = "generator/flow.rs"]
mod flow;
#[path = "generator/memory.rs"]
mod memory;
#[path = "generator/nests.rs"]
mod nests;
#[path = "generator/partial.rs"]
mod partial;
#[path = "generator/threads.rs"]
mod threads;

use crate::random::Random;
use partial::Partial;

/// Threads of a CTA.
pub const THREADS: usize = 64;
/// 32-bit values that every thread writes to the output.
pub const OUTPUTS: usize = 16;
/// 32-bit values of the input buffer.
pub const INPUTS: usize = 256;
/// 32-bit values that all threads change by atomic operations.
pub const COUNTERS: usize = 8;
/// Those of them that are sums; what is done to the others differs by counter.
const SUMS: usize = 4;

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
    write(number, random, budget, |generator| {
        generator.statements(0, Together::Cta);
    })
}

/// A kernel `@k{number}` of some loops as text.
pub fn loop_kernel(number: usize, random: &mut Random) -> String {
    write(number, random, 8, |generator| {
        for _ in 0..1 + generator.random.below(3) {
            match generator.random.chance(40) {
                true => generator.adjacent(Together::Cta),
                false => generator.nest(0, Together::Cta),
            }
        }
    })
}

fn write(
    number: usize,
    random: &mut Random,
    budget: usize,
    body: impl FnOnce(&mut Generator<'_>),
) -> String {
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
    body(&mut generator);
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
        self.line("%shared_window = ori.s2r <register = \"SR_SWINHI\"> : !ori.r");
        self.line("%local_window = ori.s2r <register = \"SR_LWINHI\"> : !ori.r");
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
        for (name, place, window) in [("slot", "%slot", "shared"), ("own", "%own", "local")] {
            self.line(&format!(
                "%generic_{name} = ori.concat {place}, %{window}_window : (!ori.r, !ori.r) -> !ori.r64"
            ));
        }
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
            20..=25 => self.overflowing(),
            26..=37 => self.overlapping(),
            38..=45 => self.partial(),
            46..=53 => self.compare(),
            54..=58 => self.load(),
            59..=61 => self.own_memory(),
            62..=64 => self.store(),
            65..=67 => self.count(),
            68..=70 => self.chosen(together),
            71..=77 if together != Together::No => self.across(),
            78..=80 if together == Together::Cta => self.exchange(),
            81..=88 if depth < 3 => self.diamond(depth, together),
            89..=94 if depth < 3 => self.repeat(depth, together),
            95..=96 if depth < 3 => self.switch(depth),
            97 => self.double(),
            // 0 to 19, and cases not permitted here.
            _ => self.arithmetic(),
        }
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
}
