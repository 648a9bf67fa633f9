//! Random straight-line programs compute the same results before and after the pass, according to
//! the semantics of the dialect.

use std::collections::HashMap;
use std::fmt::Write as _;

use orison_ir::numbers::FloatKind;
use orison_ir::pass::{PassManager, PassRegistry};
use orison_ir::{Context, Operation, PrintFlags, Source, Value, parse_source, print_to_string};
use orison_ori::semantics::{Bits, evaluate};
use orison_rewrites::ori::general_optimize::evaluate::is_nan;

use crate::random::Random;

fn errors(context: &mut Context) -> String {
    let diagnostics = context.diagnostics.take();
    let rendered = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.render(context));
    rendered.collect()
}

/// Parses a module.
pub fn read(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "a.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source);
    let Ok(module) = module else {
        panic!("{}\n{text}", errors(&mut context));
    };
    assert!(
        context.verify(module).is_ok(),
        "{}\n{text}",
        errors(&mut context)
    );
    (context, module)
}

/// Runs the pass and verifies the result.
pub fn optimize(context: &mut Context, module: Operation, options: &str) {
    let mut manager = PassManager::default();
    run_passes(&mut manager, context, module, &with(options));
}

/// The pass with options, in pipeline syntax.
pub fn with(options: &str) -> String {
    format!("ori-general-optimize{{{options}}}")
}

/// Runs passes and verifies the result.
pub fn run_passes(
    manager: &mut PassManager<'_>,
    context: &mut Context,
    module: Operation,
    passes: &str,
) {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let pipeline = format!("builtin.module({passes})");
    let pipeline = registry.parse_pipeline(&pipeline).unwrap();
    let outcome = manager.run(context, &pipeline, module, &mut String::new());
    assert!(outcome.is_ok(), "{}", errors(context));
    assert!(context.verify(module).is_ok(), "{}", errors(context));
}

pub fn text(context: &Context, module: Operation) -> String {
    print_to_string(context, module, &PrintFlags::default())
}

/// The operations of the only block of the first function.
fn body(context: &Context, module: Operation) -> Vec<Operation> {
    let function = module
        .body_block(context, 0)
        .unwrap()
        .first_op(context)
        .unwrap();
    function
        .body_block(context, 0)
        .unwrap()
        .operations(context)
        .collect()
}

/// The results of the function for given arguments.
fn run(context: &Context, module: Operation, arguments: &[Bits]) -> Vec<Bits> {
    let ops = body(context, module);
    let block = ops[0].block(context).unwrap();
    let mut values: HashMap<Value, Bits> = block
        .arguments(context)
        .zip(arguments.iter().copied())
        .collect();
    for op in ops {
        let operands: Vec<Bits> = op.operands(context).map(|value| values[&value]).collect();
        if op.name_text(context) == "ori.ret" {
            return operands;
        }
        let results = evaluate(context, op, &operands);
        let results = results.unwrap_or_else(|| panic!("no meaning: {}", op.name_text(context)));
        values.extend(op.results(context).zip(results));
    }
    panic!("the function does not return");
}

/// Values by register type, and the text so far.
struct Program {
    random: Random,
    text: String,
    words: Vec<String>,
    pairs: Vec<String>,
    predicates: Vec<String>,
    uniforms: Vec<String>,
    uniform_predicates: Vec<String>,
    floats: bool,
    next: usize,
}

impl Program {
    fn pick(&mut self, which: char) -> String {
        if self.random.below(4) == 0 {
            return self.immediate(which);
        }
        let values = match which {
            'r' => &self.words,
            'd' => &self.pairs,
            'u' => &self.uniforms,
            'v' => &self.uniform_predicates,
            _ => &self.predicates,
        };
        let last = values.len().min(6);
        values[values.len() - 1 - self.random.below(last)].clone()
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn immediate(&mut self, which: char) -> String {
        let small = i64::try_from(self.random.next() % 40).unwrap();
        let name = self.fresh();
        let (value, ty) = match which {
            'r' => {
                let any = u32::try_from(self.random.value(32)).unwrap().cast_signed();
                let value = if self.random.below(2) == 0 {
                    small
                } else {
                    i64::from(any)
                };
                (value, "!ori.r")
            }
            'd' => (self.random.value(64).cast_signed(), "!ori.r64"),
            'u' => (small, "!ori.ur"),
            'v' => (small & 1, "!ori.up"),
            _ => (small & 1, "!ori.p"),
        };
        writeln!(self.text, "  {name} = ori.imm {value} : {ty}").unwrap();
        name
    }

    fn choose<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.random.below(words.len())]
    }

    /// Adds an operation: name, keywords, operand letters with modifiers, result letter.
    fn op(&mut self, name: &str, words: &str, operands: &[(char, &str)], result: char) -> String {
        let mut values = Vec::new();
        let mut types = Vec::new();
        for (letter, modifiers) in operands {
            let modifier = self
                .choose(&modifiers.split('|').collect::<Vec<_>>())
                .to_owned();
            values.push(format!("{modifier} {}", self.pick(*letter)));
            types.push(ty(*letter));
        }
        let name_of_result = self.fresh();
        let words = if words.is_empty() {
            String::new()
        } else {
            format!(" <{words}>")
        };
        writeln!(
            self.text,
            "  {name_of_result} = {name}{words} {} : ({}) -> {}",
            values.join(", "),
            types.join(", "),
            ty(result)
        )
        .unwrap();
        match result {
            'r' => self.words.push(name_of_result.clone()),
            'd' => self.pairs.push(name_of_result.clone()),
            'u' => self.uniforms.push(name_of_result.clone()),
            'v' => self.uniform_predicates.push(name_of_result.clone()),
            _ => self.predicates.push(name_of_result.clone()),
        }
        name_of_result
    }

    fn step(&mut self) {
        const R: (char, &str) = ('r', "");
        const N: (char, &str) = ('r', "||neg");
        const P: (char, &str) = ('p', "|not");
        let sign = self.choose(&["s32", "u32"]);
        let lut = self.random.next() & 0xff;
        let shift = self.random.next() & 31;
        let more = self.random.below(4);
        if more == 0 {
            return self.more();
        }
        match self.random.below(if self.floats { 27 } else { 22 }) {
            0 | 1 => self.op("ori.iadd3", "", &[N, N, N], 'r'),
            2 => self.op("ori.imad", "", &[R, R, N], 'r'),
            3 => self.op("ori.imad_wide", sign, &[R, R, ('d', "")], 'd'),
            4 => self.op("ori.imad_hi", sign, &[R, R, ('d', "")], 'r'),
            5 | 6 => {
                let table = self.choose(&["192", "252", "60", "15", ""]);
                let table = if table.is_empty() {
                    lut.to_string()
                } else {
                    table.to_owned()
                };
                self.op("ori.lop3", &format!("lut = {table}"), &[R, R, R], 'r')
            }
            7 => self.op("ori.lea", &format!("shift = {shift}"), &[N, N, R], 'r'),
            8 => {
                let form = self.choose(&[
                    "left, u32",
                    "right, u32, high",
                    "right, s32, high",
                    "left, u64, high",
                    "right, u64",
                    "right, s64",
                    "left, u32, high, wrap",
                    "right, u32, wrap",
                    "left, s32, wrap",
                ]);
                self.op("ori.shf", form, &[R, R, R], 'r')
            }
            9 => {
                let signedness = self.choose(&["s32", "u32"]);
                self.op("ori.vimnmx", signedness, &[R, R, P], 'r')
            }
            10 => self.op("ori.iabs", "", &[R], 'r'),
            11 => {
                let compare = self.choose(&["lt", "eq", "le", "gt", "ne", "ge"]);
                self.op(
                    "ori.isetp",
                    &format!("{compare}, {sign}, and"),
                    &[R, R],
                    'p',
                )
            }
            12 => {
                let compare = self.choose(&["lt", "eq", "le", "gt", "ne", "ge"]);
                let combine = self.choose(&["and", "or", "xor"]);
                self.joined(compare, combine, sign)
            }
            13 => self.op("ori.sel", "", &[R, R, P], 'r'),
            14 => self.op("ori.plop3", &format!("lut = {lut}"), &[P, P, P], 'p'),
            15 => {
                let name = self.choose(&["ori.popc", "ori.brev"]);
                self.op(name, "", &[R], 'r')
            }
            16 => {
                let form = self.choose(&["s32", "u32", "s32, shift_amount", "u32, shift_amount"]);
                self.op("ori.flo", form, &[R], 'r')
            }
            17 => self.op("ori.prmt", "idx", &[R, R, R], 'r'),
            18 => {
                let signedness = self.choose(&["s32", "u32"]);
                self.op("ori.sgxt", signedness, &[R, R], 'r')
            }
            19 => self.op("ori.bmsk", "", &[R, R], 'r'),
            20 => self.pair(),
            21 => self.pair_sum(),
            22 => {
                let ftz = self.choose(&["", "ftz"]);
                self.op("ori.fadd", ftz, &[F, F], 'r')
            }
            23 => {
                let ftz = self.choose(&["", "ftz"]);
                self.op("ori.fmul", ftz, &[F, F], 'r')
            }
            24 => {
                let ftz = self.choose(&["", "ftz"]);
                self.op("ori.ffma", ftz, &[F, F, F], 'r')
            }
            25 => self.op("ori.dadd", "", &[D, D], 'd'),
            _ => self.op("ori.dfma", "", &[D, D, D], 'd'),
        };
    }

    /// Operations of the uniform datapath, with two results, or with three operands; on floats and
    /// halves.
    fn more(&mut self) {
        if self.floats && self.random.below(3) > 0 {
            return self.more_floats();
        }
        const R: (char, &str) = ('r', "");
        const U: (char, &str) = ('u', "");
        const N: (char, &str) = ('r', "||neg");
        let sign = self.choose(&["s32", "u32"]);
        let lut = self.random.next() & 0xff;
        let second = self.random.next() & 0xff;
        let extremum = self.choose(&["min", "max"]);
        let shift = self.random.next() & 31;
        let compare = self.choose(&["lt", "eq", "le", "gt", "ne", "ge"]);
        match self.random.below(16) {
            0 | 1 => self.op("ori.uiadd3", "", &[('u', "||neg"), U, U], 'u'),
            2 => self.op("ori.ulop3", &format!("lut = {lut}"), &[U, U, U], 'u'),
            3 => self.op("ori.ulea", &format!("shift = {shift}"), &[U, U, U], 'u'),
            4 => self.op("ori.uimad", "", &[U, U, U], 'u'),
            5 => self.op(
                "ori.uisetp",
                &format!("{compare}, {sign}, and"),
                &[U, U],
                'v',
            ),
            6 => self.op("ori.usel", "", &[U, U, ('v', "|not")], 'u'),
            7 => self.op("ori.mov", "", &[U], 'r'),
            8 => self.op("ori.ushf", "left, u32", &[U, U, U], 'u'),
            9 => self.two(
                "ori.isetp",
                &format!("{compare}, {sign}, and"),
                &[R, R],
                'p',
            ),
            10 => {
                let words = format!("lut = {lut}, second_lut = {second}");
                self.two(
                    "ori.plop3",
                    &words,
                    &[('p', "|not"), ('p', ""), ('p', "")],
                    'p',
                )
            }
            11 => self.two("ori.iadd3", "", &[N, R, N], 'r'),
            12 => self.op(
                "ori.viaddmnmx",
                &format!("{extremum}, {sign}"),
                &[N, N, R],
                'r',
            ),
            13 => self.op(
                "ori.vimnmx3",
                &format!("{extremum}, {sign}"),
                &[R, R, R],
                'r',
            ),
            14 => self.op("ori.vabsdiff", sign, &[R, R, R], 'r'),
            _ => {
                let formats = ["u8", "s8", "u16", "s16", "u32", "s32"];
                let (to, from) = (self.choose(&formats), self.choose(&formats));
                let saturate = self.choose(&["", ", saturate"]);
                self.op(
                    "ori.i2i",
                    &format!("to = {to}, from = {from}{saturate}"),
                    &[R],
                    'r',
                )
            }
        };
    }

    fn more_floats(&mut self) {
        const H: (char, &str) = ('r', "|||neg|abs|h0_h0|h1_h1|neg h0_h0|neg abs h1_h1");
        const P: (char, &str) = ('p', "|not");
        let relation = self.choose(&[
            "lt", "eq", "le", "gt", "ne", "ge", "num", "nan", "ltu", "equ", "leu", "gtu", "neu",
            "geu",
        ]);
        let format = self.choose(&["f16", "bf16"]);
        let flag = self.choose(&["", "ftz", "nan_wins"]);
        let extremum = self.choose(&["min", "max"]);
        match self.random.below(14) {
            0 => self.op("ori.fsetp", relation, &[F, F], 'p'),
            1 => self.op("ori.fsetp", &format!("{relation}, ftz"), &[F, F], 'p'),
            2 => self.two("ori.fsetp", relation, &[F, F], 'p'),
            3 => self.op("ori.dsetp", relation, &[D, D], 'p'),
            4 | 5 => self.op("ori.fmnmx", flag, &[F, F, P], 'r'),
            6 => self.op("ori.fmnmx3", extremum, &[F, F, F], 'r'),
            7 => self.op("ori.fsel", "", &[F, F, P], 'r'),
            8 => self.op("ori.hadd2", format, &[H, H], 'r'),
            9 => self.op("ori.hmul2", format, &[H, H], 'r'),
            10 => self.op("ori.hfma2", format, &[H, H, H], 'r'),
            11 => self.two("ori.hsetp2", relation, &[H, H], 'p'),
            12 => {
                let formats = self.choose(&["to = f32, from = f16", "to = f16, from = f32"]);
                let operand = if formats == "to = f32, from = f16" {
                    ('r', "")
                } else {
                    F
                };
                self.op("ori.f2f", formats, &[operand], 'r')
            }
            _ => {
                let to = self.choose(&["s32", "u32"]);
                self.op(
                    "ori.f2i",
                    &format!("to = {to}, from = f32, trunc"),
                    &[F],
                    'r',
                )
            }
        };
    }

    /// Adds an operation with two results, the second one a predicate.
    fn two(&mut self, name: &str, words: &str, operands: &[(char, &str)], first: char) -> String {
        let result = self.op(name, words, operands, first);
        let end = format!("-> {}\n", ty(first));
        assert!(self.text.ends_with(&end));
        self.text.truncate(self.text.len() - end.len());
        writeln!(self.text, "-> ({}, !ori.p)", ty(first)).unwrap();
        let single = format!("  {result} = ");
        let start = self.text.rfind(&single).unwrap();
        self.text.insert_str(start + single.len() - 3, ":2");
        let known = match first {
            'r' => &mut self.words,
            _ => &mut self.predicates,
        };
        known.pop();
        known.push(format!("{result}#0"));
        self.predicates.push(format!("{result}#1"));
        result
    }

    /// A comparison combined with a predicate.
    fn joined(&mut self, compare: &str, combine: &str, sign: &str) -> String {
        let (a, b, p) = (self.pick('r'), self.pick('r'), self.pick('p'));
        let name = self.fresh();
        let extended = self.random.below(3) == 0;
        let (flag, group) = if extended {
            (", extended", "low")
        } else {
            ("", "with")
        };
        writeln!(
            self.text,
            "  {name} = ori.isetp <{compare}, {sign}{flag}, {combine}> {a}, {b} {group}({p}) : \
             (!ori.r, !ori.r, !ori.p) -> !ori.p"
        )
        .unwrap();
        self.predicates.push(name.clone());
        name
    }

    /// Two words as a pair, or a word of a pair.
    fn pair(&mut self) -> String {
        if self.random.below(2) == 0 {
            return self.op("ori.concat", "", &[('r', ""), ('r', "")], 'd');
        }
        let (whole, word) = (self.pick('d'), self.random.below(2));
        let name = self.fresh();
        writeln!(
            self.text,
            "  {name} = ori.extract {whole}[{word}] : (!ori.r64) -> !ori.r"
        )
        .unwrap();
        self.words.push(name.clone());
        name
    }

    /// A sum or difference of pairs, in the form that the importer generates.
    fn pair_sum(&mut self) -> String {
        let (a, b) = (self.pick('d'), self.pick('d'));
        let v: Vec<String> = (0..8).map(|_| self.fresh()).collect();
        let (low, high) = if self.random.below(2) == 0 {
            ("", "")
        } else {
            ("neg ", "not ")
        };
        for (name, whole, word) in [(0, &a, 0), (1, &a, 1), (2, &b, 0), (3, &b, 1)] {
            writeln!(
                self.text,
                "  {} = ori.extract {whole}[{word}] : (!ori.r64) -> !ori.r",
                v[name]
            )
            .unwrap();
        }
        writeln!(
            self.text,
            "  {z} = ori.imm 0 : !ori.r\n  \
             {l}:2 = ori.iadd3 {a0}, {low}{b0}, {z} : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)\n  \
             {h} = ori.iadd3 <extended> {a1}, {high}{b1}, {z} carry({l}#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r\n  \
             {d} = ori.concat {l}#0, {h} : (!ori.r, !ori.r) -> !ori.r64",
            a0 = v[0], a1 = v[1], b0 = v[2], b1 = v[3], z = v[4], l = v[5], h = v[6], d = v[7],
        )
        .unwrap();
        self.pairs.push(v[7].clone());
        v[7].clone()
    }
}

const F: (char, &str) = ('r', "|||neg|abs|neg abs");
const D: (char, &str) = ('d', "|||neg|abs|neg abs");

fn ty(letter: char) -> &'static str {
    match letter {
        'r' => "!ori.r",
        'd' => "!ori.r64",
        'u' => "!ori.ur",
        'v' => "!ori.up",
        _ => "!ori.p",
    }
}

/// A function of `size` operations that returns its last values.
pub fn program(seed: u64, size: usize, floats: bool) -> String {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut program = Program {
        random: Random(seed),
        text: String::new(),
        words: names(&["%a", "%b", "%c"]),
        pairs: names(&["%d", "%e"]),
        predicates: names(&["%p", "%q"]),
        uniforms: names(&["%u", "%w"]),
        uniform_predicates: names(&["%v"]),
        floats,
        next: 0,
    };
    for _ in 0..size {
        program.step();
    }
    let last = |values: &[String]| values.iter().rev().take(3).cloned().collect::<Vec<_>>();
    let (r, d, p, u, v) = (
        last(&program.words),
        last(&program.pairs),
        last(&program.predicates),
        last(&program.uniforms),
        last(&program.uniform_predicates),
    );
    let types = |values: &[String], ty: &str| vec![ty.to_owned(); values.len()];
    let all = [r.clone(), d.clone(), p.clone(), u.clone(), v.clone()].concat();
    let all = all.join(", ");
    let results = [
        types(&r, "!ori.r"),
        types(&d, "!ori.r64"),
        types(&p, "!ori.p"),
        types(&u, "!ori.ur"),
        types(&v, "!ori.up"),
    ]
    .concat()
    .join(", ");
    let target = if seed.is_multiple_of(3) {
        "sm_103a"
    } else {
        "sm_90a"
    };
    format!(
        "ori.func @f(%a: !ori.r, %b: !ori.r, %c: !ori.r, %d: !ori.r64, %e: !ori.r64, %p: !ori.p, \
         %q: !ori.p, %u: !ori.ur, %w: !ori.ur, %v: !ori.up) -> ({results}) target \"{target}\" \
         {{\n{}  ori.ret {all} : {results}\n}}\n",
        program.text
    )
}

fn arguments(random: &mut Random) -> Vec<Bits> {
    [32, 32, 32, 64, 64, 1, 1, 32, 32, 1]
        .iter()
        .map(|bits| Bits::from(random.value(*bits)))
        .collect()
}

/// Compares results. In programs with floats, NaN results are skipped, because integer operations
/// observe their bits.
fn check(seeds: std::ops::Range<u64>, size: usize, floats: bool, options: &str) {
    let mut changed = 0;
    for seed in seeds.clone() {
        let before = program(seed, size, floats);
        let (context, module) = read(&before);
        let (mut after, changed_module) = read(&before);
        optimize(&mut after, changed_module, options);
        changed += usize::from(text(&context, module) != text(&after, changed_module));
        let mut random = Random(seed);
        for _ in 0..24 {
            let arguments = arguments(&mut random);
            let expected = run(&context, module, &arguments);
            if floats && body_makes_no_number(&context, module, &arguments) {
                continue;
            }
            let found = run(&after, changed_module, &arguments);
            assert_eq!(
                expected,
                found,
                "seed {seed}, arguments {arguments:x?}\n{before}\n{}",
                text(&after, changed_module)
            );
        }
    }
    assert!(
        changed * 2 > seeds.count(),
        "only {changed} programs were changed"
    );
}

/// Whether a float operation reads or produces NaN.
fn body_makes_no_number(context: &Context, module: Operation, arguments: &[Bits]) -> bool {
    let ops = body(context, module);
    let block = ops[0].block(context).unwrap();
    let mut values: HashMap<Value, Bits> = block
        .arguments(context)
        .zip(arguments.iter().copied())
        .collect();
    for op in ops {
        let operands: Vec<Bits> = op.operands(context).map(|value| values[&value]).collect();
        let name = op.name_text(context).to_owned();
        if name == "ori.ret" {
            return false;
        }
        let results = evaluate(context, op, &operands).unwrap();
        let seen = operands.iter().chain(&results);
        let single = name.starts_with("ori.f") && name != "ori.flo";
        let double = name.starts_with("ori.d");
        for value in seen {
            let value = u64::try_from(*value).unwrap();
            let half = name.starts_with("ori.h") || name == "ori.f2f";
            let lanes = [value, value >> 16]
                .into_iter()
                .flat_map(|lane| [FloatKind::F16, FloatKind::BF16].map(|kind| is_nan(kind, lane)));
            if half && lanes.into_iter().any(|no_number| no_number) {
                return true;
            }
            if single && value & 0x7fff_ffff > 0x7f80_0000
                || double && value << 1 > 0x7ff0_0000_0000_0000 << 1
            {
                return true;
            }
        }
        values.extend(op.results(context).zip(results));
    }
    false
}

#[test]
fn random_programs_of_integers() {
    check(0..160, 14, false, "");
}

#[test]
fn random_programs_in_small_windows() {
    check(500..560, 24, false, "window=5 max-iterations=4");
}

#[test]
fn random_programs_with_floats() {
    check(1000..1100, 12, true, "");
}

#[test]
fn two_runs_are_equal_whatever_the_thread() {
    let seeds: Vec<u64> = (2000..2012).collect();
    let optimized = |seed: u64| {
        let (mut context, module) = read(&program(seed, 20, true));
        optimize(&mut context, module, "");
        text(&context, module)
    };
    let once: Vec<String> = seeds.iter().map(|seed| optimized(*seed)).collect();
    let threads: Vec<_> = seeds
        .iter()
        .rev()
        .map(|seed| {
            let seed = *seed;
            std::thread::spawn(move || optimized(seed))
        })
        .collect();
    let again = threads
        .into_iter()
        .rev()
        .map(|thread| thread.join().unwrap());
    for (first, second) in once.iter().zip(again) {
        assert_eq!(*first, second);
    }
}
