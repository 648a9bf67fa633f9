//! Random kernels in PTX: arithmetic of all types, predicates, branches, loops, switches, local and
//! shared memory, exchange between lanes, atomic operations.
//!
//! A kernel reads 16 words of each thread, computes, and writes all registers. What only works if all
//! lanes of a warp take part is outside of branches.

use std::fmt::Write;

macro_rules! line {
    ($generator:expr, $($part:tt)*) => {
        writeln!($generator.text, $($part)*).expect("text grows")
    };
}

mod arithmetic;

/// Pseudorandom numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// The registers of each kind: prefix, how many.
const WORDS: usize = 10;
const PAIRS: usize = 4;
const SINGLES: usize = 6;
const DOUBLES: usize = 3;
const PREDICATES: usize = 4;

pub struct Generator<'r> {
    random: &'r mut Random,
    text: String,
    labels: usize,
    /// Whether all lanes are together.
    together: bool,
}

/// Threads of a launch: two CTAs.
pub const THREADS: usize = 128;
/// Words behind those of threads in the output.
pub const SHARED: usize = 4;
/// Words of a thread in the input, and in the output.
pub const INPUTS: usize = 16;
pub const OUTPUTS: usize = WORDS + 2 * PAIRS + SINGLES + 2 * DOUBLES + 4;

/// A kernel, for a file that starts with [`preamble`].
pub fn kernel(random: &mut Random, name: &str) -> String {
    let mut generator = Generator {
        random,
        text: String::new(),
        labels: 0,
        together: true,
    };
    generator.header(name);
    let count = 12 + generator.random.below(30);
    for _ in 0..count {
        generator.statement(0);
    }
    generator.footer();
    generator.text
}

/// What stands in front of the kernels of a file: the machine, a table, and the function that kernels call.
pub fn preamble(target: &str) -> String {
    format!(
        ".version 8.6
.target {target}
.address_size 64
.const .align 4 .b32 table[8] = {{3, 1, 4, 1, 5, 9, 2, 6}};
.func (.reg .b32 d) helper(.reg .b32 a, .reg .b32 b)
{{
.reg .pred p;
setp.gt.s32 p, a, b;
@p mad.lo.s32 d, a, 3, b;
@!p sub.s32 d, b, a;
xor.b32 d, d, 0x55;
ret;
}}
"
    )
}

impl Generator<'_> {
    fn header(&mut self, name: &str) {
        line!(
            self,
            ".visible .entry {name}(.param .u64 in, .param .u64 out, .param .u32 n)\n{{"
        );
        line!(
            self,
            ".reg .b32 %r<{WORDS}>, %t<8>;\n.reg .b64 %l<{PAIRS}>, %a<6>;"
        );
        line!(
            self,
            ".reg .f32 %f<{SINGLES}>;\n.reg .f64 %d<{DOUBLES}>;\n.reg .pred %p<{PREDICATES}>, %q, %s;"
        );
        line!(
            self,
            ".reg .b16 %h<4>;\n.local .align 8 .b8 stack[64];\n.shared .align 16 .b8 tile[1024];"
        );
        line!(self, "ld.param.u64 %a0, [in];\nld.param.u64 %a1, [out];");
        line!(
            self,
            "mov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\nmov.u32 %t2, %ntid.x;"
        );
        line!(self, "mad.lo.u32 %t0, %t1, %t2, %t0;");
        line!(self, "mad.wide.u32 %a2, %t0, {}, %a0;", 4 * INPUTS);
        line!(
            self,
            "mad.wide.u32 %a3, %t0, {}, %a1;\nmov.u32 %t1, %tid.x;",
            4 * OUTPUTS
        );
        let mut place = 0;
        for number in 0..WORDS {
            line!(
                self,
                "ld.global.b32 %r{number}, [%a2+{}];",
                4 * (place % INPUTS)
            );
            place += 1;
        }
        for number in 0..PAIRS {
            line!(
                self,
                "ld.global.b64 %l{number}, [%a2+{}];",
                8 * (number % (INPUTS / 2))
            );
        }
        for number in 0..SINGLES {
            line!(
                self,
                "ld.global.f32 %f{number}, [%a2+{}];",
                4 * (place % INPUTS)
            );
            place += 1;
        }
        for number in 0..DOUBLES {
            line!(self, "cvt.f64.f32 %d{number}, %f{number};");
        }
        for number in 0..PREDICATES {
            line!(
                self,
                "setp.lt.s32 %p{number}, %r{number}, %r{};",
                number + 1
            );
        }
        for number in 0..16 {
            line!(
                self,
                "st.local.b32 [stack+{}], %r{};",
                4 * number,
                number % WORDS
            );
        }
    }

    fn footer(&mut self) {
        let mut place = 0;
        for number in 0..WORDS {
            line!(self, "st.global.b32 [%a3+{}], %r{number};", 4 * place);
            place += 1;
        }
        for (kind, count) in [("l", PAIRS), ("d", DOUBLES)] {
            for number in 0..count {
                line!(self, "mov.b64 {{%t2, %t3}}, %{kind}{number};");
                line!(self, "st.global.b32 [%a3+{}], %t2;", 4 * place);
                line!(self, "st.global.b32 [%a3+{}], %t3;", 4 * place + 4);
                place += 2;
            }
        }
        for number in 0..SINGLES {
            // Which NaN an operation gives is not specified.
            line!(
                self,
                "setp.nan.f32 %q, %f{number}, %f{number};\nselp.f32 %f{number}, 0f7FFFFFFF, %f{number}, %q;"
            );
            line!(self, "st.global.f32 [%a3+{}], %f{number};", 4 * place);
            place += 1;
        }
        for number in 0..PREDICATES {
            line!(self, "selp.b32 %t2, 1, 0, %p{number};");
            line!(self, "st.global.b32 [%a3+{}], %t2;", 4 * place);
            place += 1;
        }
        line!(self, "ret;\n}}");
    }

    fn word(&mut self) -> String {
        match self.random.below(8) {
            0 => self
                .random
                .pick(&["0", "1", "-1", "31", "0x80000000", "0x7f800000", "255"])
                .to_owned(),
            _ => self.word_register(),
        }
    }

    fn word_register(&mut self) -> String {
        format!("%r{}", self.random.below(WORDS))
    }

    fn pair(&mut self) -> String {
        format!("%l{}", self.random.below(PAIRS))
    }

    fn single(&mut self) -> String {
        match self.random.below(8) {
            0 => self
                .random
                .pick(&[
                    "0f3F800000",
                    "0f00000000",
                    "0fC0490FDB",
                    "0f7F800000",
                    "0f00000001",
                ])
                .to_owned(),
            _ => format!("%f{}", self.random.below(SINGLES)),
        }
    }

    fn double(&mut self) -> String {
        format!("%d{}", self.random.below(DOUBLES))
    }

    fn predicate(&mut self) -> String {
        format!("%p{}", self.random.below(PREDICATES))
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("$L{}", self.labels)
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(24) {
            0..=7 => self.integers(),
            8 | 9 => self.wide_integers(),
            10..=12 => self.singles(),
            13 => self.doubles(),
            14 => self.halves(),
            15 => self.conversion(),
            16 => self.comparison(),
            17 => self.memory(),
            18 | 19 if depth < 3 => self.branch(depth),
            20 if depth < 2 => self.repeat(depth),
            21 if depth < 2 => self.switch(depth),
            22 if self.together => self.exchange(),
            _ => self.call_or_atomic(),
        }
    }

    fn comparison(&mut self) {
        let (p, q) = (self.predicate(), self.predicate());
        let with = self.random.pick(&["", ".and", ".or", ".xor"]);
        let mut also = if with.is_empty() {
            String::new()
        } else {
            format!(", {q}")
        };
        if !with.is_empty() && self.random.below(2) == 0 {
            also = format!(", !{q}");
        }
        match self.random.below(6) {
            0 | 1 => {
                let compare = self.random.pick(&["eq", "ne", "lt", "le", "gt", "ge"]);
                let kind = self.random.pick(&["s32", "u32"]);
                let (a, b) = (self.word_register(), self.word());
                line!(self, "setp.{compare}{with}.{kind} {p}, {a}, {b}{also};");
            }
            2 => {
                let compare = self.random.pick(&["eq", "ne", "lt", "le", "gt", "ge"]);
                let kind = self.random.pick(&["s64", "u64"]);
                let (a, b) = (self.pair(), self.pair());
                line!(self, "setp.{compare}{with}.{kind} {p}, {a}, {b}{also};");
            }
            3 => {
                let compare = self
                    .random
                    .pick(&["eq", "ne", "ltu", "le", "gtu", "ge", "num", "nan", "neu"]);
                // ptxas 13.0 -O1 drops `.ftz` where it splits the comparison and the other predicate.
                let kinds = if with.is_empty() { 2 } else { 1 };
                let kind = self.random.pick(&["f32", "ftz.f32"][..kinds]);
                let (a, b) = (format!("%f{}", self.random.below(SINGLES)), self.single());
                line!(self, "setp.{compare}{with}.{kind} {p}, {a}, {b}{also};");
            }
            4 => {
                let (a, b) = (self.double(), self.double());
                line!(self, "setp.lt{with}.f64 {p}, {a}, {b}{also};");
            }
            _ => {
                let operation = self.random.pick(&["and.pred", "or.pred", "xor.pred"]);
                let a = self.predicate();
                line!(self, "{operation} {p}, {a}, {q};");
            }
        }
    }

    /// Local memory and constants, at places that registers choose.
    fn memory(&mut self) {
        let (r, d) = (self.word_register(), self.word_register());
        line!(self, "and.b32 %t2, {r}, 7;\nmul.wide.u32 %a4, %t2, 4;");
        match self.random.below(4) {
            0 => line!(
                self,
                "mov.u64 %a5, stack;\nadd.s64 %a5, %a5, %a4;\nst.local.b32 [%a5], {d};"
            ),
            1 => line!(
                self,
                "mov.u64 %a5, stack;\nadd.s64 %a5, %a5, %a4;\nld.local.b32 {d}, [%a5+4];"
            ),
            2 => line!(
                self,
                "mov.u64 %a5, table;\nadd.s64 %a5, %a5, %a4;\nld.const.b32 {d}, [%a5];"
            ),
            _ => line!(
                self,
                "mov.u64 %a5, stack;\ncvta.local.u64 %a5, %a5;\nadd.s64 %a5, %a5, %a4;\nld.u8 {d}, [%a5+1];"
            ),
        }
    }

    fn block(&mut self, depth: usize) {
        let together = std::mem::replace(&mut self.together, false);
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth + 1);
        }
        self.together = together;
    }

    fn branch(&mut self, depth: usize) {
        let p = self.predicate();
        let (other, end) = (self.label(), self.label());
        line!(self, "@{p} bra {other};");
        self.block(depth);
        line!(self, "bra {end};\n{other}:");
        if self.random.below(2) == 0 {
            self.block(depth);
        }
        line!(self, "{end}:");
    }

    /// A loop whose length depends on the thread, with an exit in the middle.
    fn repeat(&mut self, depth: usize) {
        let counter = format!("%t{}", 4 + depth);
        let (r, p) = (self.word_register(), self.predicate());
        let (start, end) = (self.label(), self.label());
        line!(self, "and.b32 {counter}, {r}, 3;\n{start}:");
        self.block(depth);
        if self.random.below(2) == 0 {
            line!(self, "@{p} bra {end};");
        }
        self.block(depth);
        line!(
            self,
            "sub.s32 {counter}, {counter}, 1;\nsetp.ge.s32 %q, {counter}, 0;\n@%q bra {start};\n{end}:"
        );
    }

    fn switch(&mut self, depth: usize) {
        let r = self.word_register();
        let cases = [(); 5].map(|()| self.label());
        let (table, end) = (self.label(), self.label());
        line!(self, "and.b32 %t2, {r}, 3;");
        line!(self, "{table}: .branchtargets {};", cases[..4].join(", "));
        line!(self, "brx.idx %t2, {table};");
        for case in &cases[..4] {
            line!(self, "{case}:");
            self.block(depth);
            line!(self, "bra {end};");
        }
        line!(self, "{end}:");
    }

    /// What all lanes of a warp do together.
    fn exchange(&mut self) {
        let (a, d) = (self.word_register(), self.word_register());
        let p = self.predicate();
        match self.random.below(9) {
            0 => {
                let mode = self.random.pick(&["bfly", "idx", "up", "down"]);
                let lane = self.random.below(32);
                let bounds = if mode == "up" { 0 } else { 31 };
                line!(
                    self,
                    "shfl.sync.{mode}.b32 {d}|{p}, {a}, {lane}, {bounds}, 0xffffffff;"
                );
            }
            1 => {
                let r = self.word_register();
                line!(
                    self,
                    "and.b32 %t2, {r}, 31;\nshfl.sync.idx.b32 {d}, {a}, %t2, 31, 0xffffffff;"
                );
            }
            2 => line!(self, "vote.sync.ballot.b32 {d}, {p}, 0xffffffff;"),
            3 => {
                let mode = self.random.pick(&["any", "all", "uni"]);
                line!(self, "vote.sync.{mode}.pred {p}, !{p}, 0xffffffff;");
            }
            4 => line!(
                self,
                "and.b32 %t2, {a}, 3;\nmatch.any.sync.b32 {d}, %t2, 0xffffffff;"
            ),
            5 => line!(self, "match.all.sync.b32 {d}|{p}, {a}, 0xffffffff;"),
            6 => {
                let mode = self.random.pick(&[
                    "add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32",
                ]);
                line!(self, "redux.sync.{mode} {d}, {a}, 0xffffffff;");
            }
            7 => {
                let mode = self.random.pick(&["popc.u32", "and.pred", "or.pred"]);
                let to = if mode == "popc.u32" { d } else { p.clone() };
                line!(self, "barrier.cta.red.{mode} {to}, 0, {p};");
            }
            _ => {
                let other = self.random.below(64);
                line!(
                    self,
                    "mul.lo.u32 %t2, %t1, 4;\nmov.u32 %t3, tile;\nadd.u32 %t3, %t3, %t2;"
                );
                line!(self, "bar.sync 0;\nst.shared.b32 [%t3], {a};\nbar.sync 0;");
                line!(
                    self,
                    "xor.b32 %t2, %t1, {other};\nand.b32 %t2, %t2, 63;\nmul.lo.u32 %t2, %t2, 4;"
                );
                line!(
                    self,
                    "mov.u32 %t3, tile;\nadd.u32 %t3, %t3, %t2;\nld.shared.b32 {d}, [%t3];"
                );
            }
        }
    }

    fn call_or_atomic(&mut self) {
        let [a, b, d] = [(); 3].map(|()| self.word_register());
        match self.random.below(4) {
            0 => line!(self, "call ({d}), helper, ({a}, {b});"),
            // The words of a thread.
            1 => {
                let operation = self.random.pick(&[
                    "add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "exch.b32",
                    "inc.u32", "dec.u32",
                ]);
                let place = self.random.below(INPUTS);
                line!(
                    self,
                    "atom.global.{operation} {d}, [%a2+{}], {a};",
                    4 * place
                );
            }
            2 => {
                let place = self.random.below(INPUTS);
                line!(
                    self,
                    "atom.global.cas.b32 {d}, [%a2+{}], {a}, {b};",
                    4 * place
                );
            }
            // Words of all threads, each with one operation: the order does not matter.
            _ => {
                let place = self.random.below(SHARED);
                let operation = ["add.u32", "min.s32", "max.u32", "xor.b32"][place];
                line!(
                    self,
                    "red.global.{operation} [%a1+{}], {a};",
                    4 * (THREADS * OUTPUTS + place)
                );
            }
        }
    }
}
