//! Stages of products of warp groups: violations trap, and what `ori-gmma` corrects computes what
//! the serialized program computes.

use orison_interpret::warp::{Bytes, GlobalMemory, Kernel, Launch};
use orison_ir::pass::{PassRegistry, Pipeline};
use orison_ir::{Diagnostic, Severity};

use crate::harness::{Module, Printed, parse, transform_with};
use crate::operations::run as run_body;
use crate::random::Random;

const PRODUCT: &str = "ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, \
                       right_format = f16, accumulator = f32>";
const TILE: &str = "ori.memory shared @tile, size 4096, align 1024";
/// The words of an accumulator.
const WORDS: usize = 4;
/// The programs of a normal run; `ORISON_STAGES` sets another number.
const PROGRAMS: u64 = 150;

/// Fills the tile with halves, 1.0 and 0.5, and makes its descriptor.
fn setup() -> String {
    "%s = ori.address_of @tile : !ori.r\n%bit = ori.imm 1 : !ori.r\n\
     %one_bits = ori.imm 0x3c003c00 : !ori.r\n%half_bits = ori.imm 0x38003800 : !ori.r\n\
     %step = ori.imm 32 : !ori.r\n\
     %place = ori.imad %tid, %step, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
     %four = ori.concat %one_bits, %half_bits, %one_bits, %one_bits : \
     (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128\n\
     ori.sts <b128> [%place], %four : (!ori.r, !ori.r128) -> ()\n\
     ori.sts <b128> [%place + 16], %four : (!ori.r, !ori.r128) -> ()\n\
     ori.bar <sync, index = 0>\n\
     %low = ori.imm 524288 : !ori.r\n%high = ori.imm 16 : !ori.r\n\
     %desc = ori.concat %low, %high : (!ori.r, !ori.r) -> !ori.r64\n"
        .to_owned()
}

/// An error that a body gives.
fn trap(body: &str) -> String {
    let text = format!("{}{body}", setup());
    run_body(128, TILE, &text).expect_err("a violation")
}

#[test]
fn accumulators_in_flight_may_not_be_read() {
    let error = trap(&format!(
        "ori.wgmma.fence\n%p = {PRODUCT} %desc, %desc : (!ori.r64, !ori.r64) -> !ori.acc<4>\n\
         ori.wgmma.commit\n%x = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r\n\
         ori.stg [%at], %x : (!ori.r64, !ori.r) -> ()\n\
         ori.wgmma.wait <count = 0> : () -> ()\nori.exit"
    ));
    assert!(error.contains("undefined"), "{error}");
}

#[test]
fn a_wait_completes_accumulators_that_it_does_not_pass_on() {
    let text = format!(
        "{}ori.wgmma.fence\n%p = {PRODUCT} %desc, %desc : (!ori.r64, !ori.r64) -> !ori.acc<4>\n\
         ori.wgmma.commit\nori.wgmma.wait <count = 0> : () -> ()\n\
         %x = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r\n\
         ori.stg [%at], %x : (!ori.r64, !ori.r) -> ()\nori.exit",
        setup()
    );
    assert!(run_body(128, TILE, &text).is_ok());
}

#[test]
fn registers_written_after_the_last_fence_may_not_be_multiplied() {
    let load = "%w = ori.ldg [%at] : (!ori.r64) -> !ori.r\n";
    let accumulator = format!(
        "ori.wgmma.fence\n{load}%c = ori.concat %w, %w, %w, %w : (!ori.r, !ori.r, !ori.r, !ori.r) \
         -> !ori.acc<4>\n%p = {PRODUCT} %desc, %desc accumulator(%c) : (!ori.r64, !ori.r64, \
         !ori.acc<4>) -> !ori.acc<4>\nori.exit"
    );
    let error = trap(&accumulator);
    assert!(
        error.contains("the accumulator was written after the last fence"),
        "{error}"
    );
    let factor = format!(
        "ori.wgmma.fence\n{load}%c = ori.concat %w, %w, %w, %w : (!ori.r, !ori.r, !ori.r, !ori.r) \
         -> !ori.r128\n%p = {PRODUCT} %c, %desc : (!ori.r128, !ori.r64) -> !ori.acc<4>\nori.exit"
    );
    let error = trap(&factor);
    assert!(
        error.contains("the left factor was written after the last fence"),
        "{error}"
    );
}

#[test]
fn groups_complete_by_waits_that_count_them() {
    let stage = |rest: &str| {
        trap(&format!(
            "ori.wgmma.fence\n%p = {PRODUCT} %desc, %desc : (!ori.r64, !ori.r64) -> !ori.acc<4>\n\
             {rest}%x = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r\n\
             ori.stg [%at], %x : (!ori.r64, !ori.r) -> ()\nori.exit"
        ))
    };
    let uncommitted = stage("ori.wgmma.wait <count = 0> : () -> ()\n");
    assert!(uncommitted.contains("in flight"), "{uncommitted}");
    let left = stage("ori.wgmma.commit\nori.wgmma.wait <count = 1> : () -> ()\n");
    assert!(left.contains("in flight"), "{left}");
}

#[test]
fn no_thread_ends_while_a_product_is_in_flight() {
    for rest in [
        "",
        "ori.wgmma.commit\n",
        "ori.wgmma.commit\nori.wgmma.wait <count = 1> : () -> ()\n",
    ] {
        let error = trap(&format!(
            "ori.wgmma.fence\n%p = {PRODUCT} %desc, %desc : (!ori.r64, !ori.r64) -> !ori.acc<4>\n\
             {rest}ori.exit"
        ));
        assert!(
            error.contains("ends while a product is in flight"),
            "{error}"
        );
    }
}

#[test]
fn the_first_product_needs_a_fence() {
    let error = trap(&format!(
        "%p = {PRODUCT} %desc, %desc : (!ori.r64, !ori.r64) -> !ori.acc<4>\nori.exit"
    ));
    assert!(
        error.contains("no fence is before the first product"),
        "{error}"
    );
}

/// What a kernel with named registers does, with the rules for them and without.
fn with_source_registers(body: &str) -> [Result<(), String>; 2] {
    let text = format!(
        "{TILE}\nori.func kernel @k() target \"sm_90a\" attributes {{parameters = [\
         {{alignment = 8 : i32, name = \"out\", offset = 0 : i32, size = 8 : i32}}, \
         {{alignment = 8 : i32, name = \"in\", offset = 8 : i32, size = 8 : i32}}]}} {{\n\
         %at = ori.cbank [0, 528] : !ori.r64\n%in = ori.cbank [0, 536] : !ori.r64\n\
         %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n{}{body}ori.exit\n}}",
        setup()
    );
    let module = parsed(&text);
    [true, false].map(|source| {
        let inputs = Inputs {
            decisions: 0,
            times: 1,
            source,
        };
        memory_after(&module, inputs).map(|_| ())
    })
}

const LOAD: &str = "ori.ldg [%in + 32] : (!ori.r64) -> !ori.r loc";

#[test]
fn registers_of_the_source_may_not_be_written_in_flight() {
    let start = format!(
        "%f0 = {LOAD}(\"%f\")\n%g0 = ori.concat %f0, %f0, %f0, %f0 : \
         (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128\nori.wgmma.fence\n\
         %p = {PRODUCT} %g0, %desc : (!ori.r128, !ori.r64) -> !ori.acc<4> \
         loc(\"{{%a0, %a1, %a2, %a3}}\")\nori.wgmma.commit\n"
    );
    let wait = "ori.wgmma.wait <count = 0> : () -> ()\n";
    for (register, wrong) in [("%f", true), ("%a2", true), ("%b", false)] {
        let load = format!("%w = {LOAD}(\"{register}\")\n");
        let [checked, unchecked] = with_source_registers(&format!("{start}{load}{wait}"));
        assert_eq!(unchecked, Ok(()));
        assert_eq!(checked.is_err(), wrong, "{register}: {checked:?}");
        if let Err(error) = checked {
            let wanted = format!("writes {register}, which a product in flight uses");
            assert!(error.contains(&wanted), "{error}");
        }
        // Behind the wait, all is well.
        let [checked, _] = with_source_registers(&format!("{start}{wait}{load}"));
        assert_eq!(checked, Ok(()));
    }
}

#[test]
fn a_fence_is_between_a_read_of_a_register_of_the_source_and_a_product() {
    let product = format!(
        "{PRODUCT} %desc, %desc : (!ori.r64, !ori.r64) -> !ori.acc<4> \
         loc(\"{{%a0, %a1, %a2, %a3}}\")\nori.wgmma.commit\n\
         ori.wgmma.wait <count = 0> : () -> ()\n"
    );
    let read = "%x = ori.extract %p[1] : (!ori.acc<4>) -> !ori.r\n\
                ori.stg [%at], %x : (!ori.r64, !ori.r) -> ()\n";
    let program =
        |fence: &str| format!("ori.wgmma.fence\n%p = {product}{read}{fence}%q = {product}");
    let [checked, unchecked] = with_source_registers(&program(""));
    assert_eq!(unchecked, Ok(()));
    let error = checked.expect_err("%a1 is read before the second product");
    assert!(
        error.contains("%a1, which was accessed after the last fence"),
        "{error}"
    );
    let [checked, _] = with_source_registers(&program("ori.wgmma.fence\n"));
    assert_eq!(checked, Ok(()));
}

/// Writes random programs: fences, products, commits, waits, loads into accumulators and factors,
/// stores of accumulators, branches and loops, in any order.
struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    names: usize,
    /// The current values of two accumulators.
    sums: [String; 2],
    /// The current left factor.
    factor: String,
    offset: usize,
    /// The bits of the parameter that decide branches and loops so far.
    decisions: u32,
    /// The counter of the loop around.
    counter: Option<String>,
}

/// The letters of the registers of the accumulators.
const REGISTERS: [char; 2] = ['a', 'b'];

/// The registers of an accumulator.
fn tuple(which: usize) -> String {
    let names = (0..WORDS).map(|word| format!("%{}{word}", REGISTERS[which]));
    format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
}

impl Writer<'_> {
    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("%{kind}{}", self.names)
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    /// A line that writes registers of the PTX program.
    fn written(&mut self, registers: &str, line: &str) {
        let number = self.text.lines().count() + 1;
        self.line(&format!("{line} loc(\"{registers}\"(\"k\":{number}:1))"));
    }

    fn statement(&mut self, depth: usize) {
        let which = self.random.below(2);
        match self.random.below(if depth < 2 { 12 } else { 10 }) {
            0 | 1 => self.line("ori.wgmma.fence"),
            2 | 3 => self.product(which),
            4 => self.line("ori.wgmma.commit"),
            5 => self.wait(),
            6 => self.load(which),
            7 => self.store(which),
            8 => self.load_factor(),
            9 => self.line("ori.bar <sync, index = 0>"),
            10 => self.branch(depth),
            _ => self.repeat(depth),
        }
    }

    fn product(&mut self, which: usize) {
        let sum = self.sums[which].clone();
        let result = self.name("p");
        let (left, ty) = match self.random.chance(30) {
            true => (self.factor.clone(), "!ori.r128"),
            false => ("%desc".to_owned(), "!ori.r64"),
        };
        let line = if self.random.chance(25) {
            format!("{result} = {PRODUCT} {left}, %desc : ({ty}, !ori.r64) -> !ori.acc<4>")
        } else {
            format!(
                "{result} = {PRODUCT} {left}, %desc accumulator({sum}) : \
                 ({ty}, !ori.r64, !ori.acc<4>) -> !ori.acc<4>"
            )
        };
        self.written(&tuple(which), &line);
        self.sums[which] = result;
    }

    fn wait(&mut self) {
        let left = self.random.below(3);
        let [a, b] = self.sums.clone();
        let (x, y) = (self.name("w"), self.name("w"));
        self.line(&format!(
            "{x}, {y} = ori.wgmma.wait <count = {left}> accumulators({a}, {b}) : \
             (!ori.acc<4>, !ori.acc<4>) -> (!ori.acc<4>, !ori.acc<4>)"
        ));
        self.sums = [x, y];
    }

    /// Replaces a word of an accumulator.
    fn load(&mut self, which: usize) {
        let sum = self.sums[which].clone();
        let word = self.random.below(WORDS);
        let mut parts = Vec::new();
        for number in 0..WORDS {
            let part = self.name("e");
            if number == word {
                let line = format!(
                    "{part} = ori.ldg [%in + {}] : (!ori.r64) -> !ori.r",
                    4 * number
                );
                self.written(&format!("%{}{number}", REGISTERS[which]), &line);
            } else {
                self.line(&format!(
                    "{part} = ori.extract {sum}[{number}] : (!ori.acc<4>) -> !ori.r"
                ));
            }
            parts.push(part);
        }
        let whole = self.name("c");
        self.line(&format!(
            "{whole} = ori.concat {} : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>",
            parts.join(", ")
        ));
        self.sums[which] = whole;
    }

    fn load_factor(&mut self) {
        let word = self.name("f");
        let whole = self.name("g");
        self.written(
            "%f",
            &format!("{word} = ori.ldg [%in + 32] : (!ori.r64) -> !ori.r"),
        );
        self.line(&format!(
            "{whole} = ori.concat {word}, {word}, {word}, {word} : \
             (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128"
        ));
        self.factor = whole;
    }

    fn store(&mut self, which: usize) {
        let sum = self.sums[which].clone();
        let word = self.random.below(WORDS);
        let part = self.name("s");
        self.line(&format!(
            "{part} = ori.extract {sum}[{word}] : (!ori.acc<4>) -> !ori.r"
        ));
        let at = 4 * (self.offset % 56);
        self.offset += 1;
        self.line(&format!(
            "ori.stg [%at + {at}], {part} : (!ori.r64, !ori.r) -> ()"
        ));
    }

    fn some(&mut self, depth: usize) {
        for _ in 0..=self.random.below(4) {
            self.statement(depth + 1);
        }
    }

    /// The values that branches pass.
    fn passed(&self) -> String {
        let [a, b] = &self.sums;
        format!(
            "({a}, {b}, {} : !ori.acc<4>, !ori.acc<4>, !ori.r128)",
            self.factor
        )
    }

    /// Begins a block with arguments.
    fn enter(&mut self, label: &str, first: &str) {
        let (a, b, f) = (self.name("x"), self.name("x"), self.name("x"));
        self.line(&format!(
            "^{label}({first}{a}: !ori.acc<4>, {b}: !ori.acc<4>, {f}: !ori.r128):"
        ));
        self.sums = [a, b];
        self.factor = f;
    }

    /// A branch that all threads take alike.
    fn branch(&mut self, depth: usize) {
        self.names += 1;
        let (then, join) = (format!("t{}", self.names), format!("j{}", self.names));
        let condition = self.decision();
        let passed = self.passed();
        self.line(&format!(
            "ori.cond_bra {condition}, ^{then}{passed}, ^{join}{passed} : !ori.p"
        ));
        self.enter(&then, "");
        self.some(depth);
        let passed = self.passed();
        self.line(&format!("ori.bra ^{join}{passed}"));
        self.enter(&join, "");
    }

    /// A condition that a bit of the parameter decides; in a loop, a second one whether it alternates.
    fn decision(&mut self) -> String {
        let mask = 1_u32 << self.decisions;
        self.decisions += 1;
        let bit = self.bit(mask);
        let decisive = match self.counter.clone() {
            None => bit,
            Some(counter) => {
                self.decisions += 1;
                let alternates = self.bit(2 * mask);
                let factor = self.name("m");
                let [odd, now, twice, both] = ["d"; 4].map(|kind| self.name(kind));
                self.line(&format!("{factor} = ori.imm {} : !ori.r", 2 * mask));
                self.word(&odd, &format!("imad {counter}, {factor}, %zero"));
                self.word(
                    &now,
                    &format!("lop3 <lut = 192> {odd}, {alternates}, %zero"),
                );
                self.word(&twice, &format!("iadd3 {bit}, {bit}, %zero"));
                self.word(&both, &format!("lop3 <lut = 60> {now}, {twice}, %zero"));
                both
            }
        };
        let condition = self.name("q");
        self.line(&format!(
            "{condition} = ori.isetp <ne, u32> {decisive}, %zero : (!ori.r, !ori.r) -> !ori.p"
        ));
        condition
    }

    /// A bit of the parameter, in its place.
    fn bit(&mut self, mask: u32) -> String {
        let (of, bit) = (self.name("m"), self.name("d"));
        self.line(&format!("{of} = ori.imm {mask} : !ori.r"));
        self.word(&bit, &format!("lop3 <lut = 192> %n, {of}, %zero"));
        bit
    }

    /// An operation on three words.
    fn word(&mut self, result: &str, operation: &str) {
        self.line(&format!(
            "{result} = ori.{operation} : (!ori.r, !ori.r, !ori.r) -> !ori.r"
        ));
    }

    /// A loop of as many iterations as a parameter or a constant says, but at least one.
    fn repeat(&mut self, depth: usize) {
        self.names += 1;
        let (head, end) = (format!("l{}", self.names), format!("e{}", self.names));
        let passed = self
            .passed()
            .replacen('(', "(%zero, ", 1)
            .replacen(": ", ": !ori.r, ", 1);
        self.line(&format!("ori.bra ^{head}{passed}"));
        let count = self.name("i");
        self.enter(&head, &format!("{count}: !ori.r, "));
        let around = self.counter.replace(count.clone());
        self.some(depth);
        self.counter = around;
        let bound = match self.random.chance(40) {
            true => self.name("k"),
            false => "%times".to_owned(),
        };
        if bound != "%times" {
            let count = self.random.below(4);
            self.line(&format!("{bound} = ori.imm {count} : !ori.r"));
        }
        let (next, again) = (self.name("i"), self.name("q"));
        self.line(&format!(
            "{next} = ori.iadd3 {count}, %bit, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r"
        ));
        self.line(&format!(
            "{again} = ori.isetp <lt, u32> {next}, {bound} : (!ori.r, !ori.r) -> !ori.p"
        ));
        let passed = self.passed();
        let back = passed
            .replacen('(', &format!("({next}, "), 1)
            .replacen(": ", ": !ori.r, ", 1);
        self.line(&format!(
            "ori.cond_bra {again}, ^{head}{back}, ^{end}{passed} : !ori.p"
        ));
        self.enter(&end, "");
    }
}

/// A random program, and the number of bits of its parameter.
fn program(random: &mut Random) -> (String, u32) {
    let mut writer = Writer {
        random,
        text: String::new(),
        names: 0,
        sums: ["%first".to_owned(), "%second".to_owned()],
        factor: "%fragment".to_owned(),
        offset: 0,
        decisions: 0,
        counter: None,
    };
    for _ in 0..=4 + writer.random.below(10) {
        writer.statement(0);
    }
    writer.line("ori.wgmma.commit");
    writer.sums = {
        let [a, b] = writer.sums.clone();
        writer.line(&format!(
            "%last0, %last1 = ori.wgmma.wait <count = 0> accumulators({a}, {b}) : \
             (!ori.acc<4>, !ori.acc<4>) -> (!ori.acc<4>, !ori.acc<4>)"
        ));
        ["%last0".to_owned(), "%last1".to_owned()]
    };
    for which in 0..2 {
        for word in 0..WORDS {
            let part = writer.name("z");
            let at = 4 * (56 + 4 * which + word);
            writer.line(&format!(
                "{part} = ori.extract %last{which}[{word}] : (!ori.acc<4>) -> !ori.r"
            ));
            writer.line(&format!(
                "ori.stg [%at + {at}], {part} : (!ori.r64, !ori.r) -> ()"
            ));
        }
    }
    let parameters = ["out", "in"].map(|name| {
        let offset = if name == "out" { 0 } else { 8 };
        format!(
            "{{alignment = 8 : i32, name = \"{name}\", offset = {offset} : i32, size = 8 : i32}}"
        )
    });
    let load = |name: &str, word: usize, register: &str| {
        format!(
            "%{name} = ori.ldg [%in + {}] : (!ori.r64) -> !ori.r loc(\"{register}\")\n",
            4 * word
        )
    };
    let mut loads = load("f", 8, "%f");
    for word in 0..WORDS {
        loads += &load(&format!("v{word}"), word, &format!("%a{word}"));
        loads += &load(&format!("u{word}"), 3 - word, &format!("%b{word}"));
    }
    let text = format!(
        "{TILE}\nori.func kernel @k() target \"sm_90a\" attributes {{parameters = [{}, {}, \
         {{alignment = 4 : i32, name = \"n\", offset = 16 : i32, size = 4 : i32}}, \
         {{alignment = 4 : i32, name = \"times\", offset = 20 : i32, size = 4 : i32}}]}} {{\n\
         %out = ori.cbank [0, 528] : !ori.r64\n%in = ori.cbank [0, 536] : !ori.r64\n\
         %n = ori.cbank [0, 544] : !ori.r\n%times = ori.cbank [0, 548] : !ori.r\n\
         %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
         %zero = ori.imm 0 : !ori.r\n%size = ori.imm 256 : !ori.r\n\
         %at = ori.imad_wide <u32> %tid, %size, %out : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
         {}{loads}\
         %first = ori.concat %v0, %v1, %v2, %v3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>\n\
         %second = ori.concat %u0, %u1, %u2, %u3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>\n\
         %fragment = ori.concat %f, %f, %f, %f : \
         (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128\n\
         {}ori.exit\n}}",
        parameters[0],
        parameters[1],
        setup(),
        writer.text
    );
    (text, writer.decisions)
}

fn parsed(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The parameters of a program, and how it is run.
#[derive(Clone, Copy, Debug)]
struct Inputs {
    /// The bits decide branches.
    decisions: u32,
    /// The iterations of loops with an unknown number.
    times: u32,
    /// Whether registers of the source are checked.
    source: bool,
}

/// The memory after a program.
fn memory_after(module: &Module, inputs: Inputs) -> Result<(Vec<u8>, Vec<bool>), String> {
    let kernel = Kernel::new(&module.context, module.operation, "k");
    let kernel = kernel.map_err(|fault| fault.render(&module.context))?;
    let mut memory = GlobalMemory::default();
    let values: Vec<u8> = (0..16)
        .flat_map(|word| match word {
            8 => 0x3c00_3800_u32.to_le_bytes(),
            word => (word as f32 + 0.5).to_le_bytes(),
        })
        .collect();
    let addresses = [
        memory.add("out", Bytes::defined(vec![0; 256 * 128])),
        memory.add("in", Bytes::defined(values)),
    ];
    let mut parameters: Vec<u8> = addresses.iter().flat_map(|a| a.to_le_bytes()).collect();
    parameters.extend(inputs.decisions.to_le_bytes());
    parameters.extend(inputs.times.to_le_bytes());
    let launch = Launch {
        block: [128, 1, 1],
        parameters,
        step_limit: 200_000,
        source_registers: inputs.source,
        ..Launch::default()
    };
    let result = kernel.run(&mut memory, &launch);
    result.map_err(|fault| fault.render(&module.context))?;
    let out = &memory.buffers()[0].1;
    Ok((out.data().to_vec(), out.known().to_vec()))
}

/// The inputs that take every path of a program of few branches, and some paths of others.
fn inputs(decisions: u32) -> impl Iterator<Item = Inputs> {
    (1..4).flat_map(move |times| {
        (0..1 << decisions.min(8)).map(move |decisions| Inputs {
            decisions,
            times,
            source: true,
        })
    })
}

/// The codes of what the PTX ISA calls wrong: a factor is written (7513), an accumulator read (7514) or
/// written (7515) while a product uses it.
const VIOLATIONS: [&str; 3] = ["(C7513)", "(C7514)", "(C7515)"];

/// Whether a report tells of a violation. A note says why a program with the code is right.
fn is_violation(report: &Diagnostic) -> bool {
    let mut codes = VIOLATIONS.iter();
    codes.any(|code| report.message.starts_with(code)) && report.notes.is_empty()
}

/// A program after a pipeline, and what it reports.
fn transformed(text: &str, pipeline: &Pipeline) -> (Module, Vec<Diagnostic>) {
    let mut module = parsed(text);
    let done = transform_with(&mut module, pipeline, Printed::Unchecked);
    done.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let reports = module.context.diagnostics.take();
    (module, reports)
}

#[test]
fn violations_trap_and_corrected_programs_compute_what_serialized_ones_do() {
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let pipeline = |text: &str| -> Pipeline { registry.parse_pipeline(text).expect("a pipeline") };
    let corrected = pipeline("builtin.module(ori-gmma)");
    let serialized = pipeline("builtin.module(ori-gmma{knobs=GmmaSerialize=true})");
    let count = std::env::var("ORISON_STAGES").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS);
    let (mut violating, mut trapping, mut pipelined) = (0, 0, 0);
    for seed in 0..count {
        let (text, decisions) = program(&mut Random(seed + 1));
        let original = parsed(&text);
        let (corrected, reports) = transformed(&text, &corrected);
        let (serialized, _) = transformed(&text, &serialized);
        let mut traps = false;
        for inputs in inputs(decisions) {
            let run =
                |module: &Module, source: bool| memory_after(module, Inputs { source, ..inputs });
            let fail = |what: &str| -> ! { panic!("seed {seed}: {what}, {inputs:?}\n{text}") };
            let wanted = run(&serialized, false).unwrap_or_else(|error| fail(&error));
            let result = run(&corrected, false).unwrap_or_else(|error| fail(&error));
            if result != wanted {
                fail("corrected and serialized programs differ");
            }
            match run(&original, true) {
                Ok(result) if result != wanted => fail("a violation neither traps nor is harmless"),
                Ok(_) => {}
                Err(_) => traps = true,
            }
        }
        let violates = reports.iter().any(is_violation);
        assert!(
            traps || !violates,
            "seed {seed}: a violation is reported, and no path traps\n{text}"
        );
        violating += u64::from(violates);
        trapping += u64::from(traps);
        let serializes = |report: &Diagnostic| report.severity == Severity::Warning;
        pipelined += u64::from(!reports.iter().any(serializes));
    }
    assert!(
        violating > count / 4 && trapping - violating > count / 8 && pipelined > count / 4,
        "of {count} programs, {violating} are reported as violations, {trapping} trap, and \
         {pipelined} stay pipelined"
    );
}
