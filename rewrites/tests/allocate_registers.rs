//! Random functions of all register classes, with few registers and many: their allocation is right by a check
//! that shares nothing with it, and that check finds what is changed in it.
//!
//! `ORISON_PROGRAMS=10000 cargo test -p orison-rewrites --test allocate_registers -- --ignored` runs the campaign.

use std::fmt::Write;

use orison_ir::declare::Trait;
use orison_ir::{Context, Operation, Source, Value, parse_source, walk};
use orison_ori::operations::structure::Func;
use orison_ori::{Physical, Register};
use orison_rewrites::ori::{RecordedOperands, allocate_recorded};

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

/// The kinds of values: their types.
const TYPES: [&str; 7] = ["r", "r64", "r128", "p", "ur", "up", "acc<8>"];

/// Writes a random function.
struct Generator {
    random: Random,
    text: String,
    count: usize,
    /// The values that may be used, by type.
    pools: [Vec<String>; 7],
}

impl Generator {
    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    fn pick(&mut self, kind: usize) -> String {
        let number = self.random.below(self.pools[kind].len());
        self.pools[kind][number].clone()
    }

    /// Writes an operation with a result, of its operands' and its own types.
    fn op(&mut self, kind: usize, name: &str, operands: &str, types: &str) {
        let result = self.fresh();
        let ty = TYPES[kind];
        let _ = writeln!(
            self.text,
            "{result} = ori.{name} {operands} : ({types}) -> !ori.{ty}"
        );
        self.pools[kind].push(result);
    }

    fn step(&mut self) {
        let [a, b, c] = [0; 3].map(|kind| self.pick(kind));
        let (wide, quad, p) = (self.pick(1), self.pick(2), self.pick(3));
        let (u, v, up) = (self.pick(4), self.pick(4), self.pick(5));
        let acc = self.pick(6);
        let word = self.random.below(4);
        let (r, r3) = ("!ori.r", "!ori.r, !ori.r, !ori.r");
        match self.random.below(18) {
            0 => self.op(0, "iadd3", &format!("{a}, {b}, {c}"), r3),
            1 => self.op(
                0,
                "iadd3",
                &format!("{a}, {u}, {c}"),
                "!ori.r, !ori.ur, !ori.r",
            ),
            2 => self.op(
                0,
                "sel",
                &format!("{a}, {b}, {p}"),
                "!ori.r, !ori.r, !ori.p",
            ),
            3 => self.op(0, "extract", &format!("{wide}[{}]", word % 2), "!ori.r64"),
            4 => self.op(0, "extract", &format!("{quad}[{word}]"), "!ori.r128"),
            5 => self.op(0, "extract", &format!("{acc}[{}]", 2 * word), "!ori.acc<8>"),
            6 => self.op(
                1,
                "imad_wide <u32>",
                &format!("{a}, {b}, {wide}"),
                "!ori.r, !ori.r, !ori.r64",
            ),
            7 => self.op(1, "concat", &format!("{a}, {b}"), "!ori.r, !ori.r"),
            8 => self.op(
                2,
                "concat",
                &format!("{a}, %seven, {c}, {a}"),
                &format!("{r3}, {r}"),
            ),
            9 => self.op(2, "ldg <b128>", &format!("[{wide}]"), "!ori.r64"),
            10 => {
                let operands = format!("{quad}, {wide}, {quad}");
                let types = "!ori.r128, !ori.r64, !ori.r128";
                self.op(
                    2,
                    "hmma <m16n8k16, from = f16, accumulator = f32>",
                    &operands,
                    types,
                );
            }
            11 => self.op(
                3,
                "isetp <lt, s32, and>",
                &format!("{a}, {b}"),
                "!ori.r, !ori.r",
            ),
            12 => {
                let q = self.pick(3);
                self.op(
                    3,
                    "plop3 <lut = 128>",
                    &format!("{p}, {q}, {p}"),
                    "!ori.p, !ori.p, !ori.p",
                );
            }
            13 => {
                let operands = format!("[{wide}] if {p} else {a}");
                self.op(0, "ldg <b32>", &operands, "!ori.r64, !ori.p, !ori.r");
            }
            14 => self.op(
                4,
                "uiadd3",
                &format!("{u}, {v}, {u}"),
                "!ori.ur, !ori.ur, !ori.ur",
            ),
            15 => self.op(
                5,
                "uisetp <lt, s32, and>",
                &format!("{u}, {v}"),
                "!ori.ur, !ori.ur",
            ),
            16 => self.op(
                4,
                "usel",
                &format!("{u}, {v}, {up}"),
                "!ori.ur, !ori.ur, !ori.up",
            ),
            _ => {
                let operands = format!("{quad}, {a}, {b}, {c}, {a}");
                self.op(6, "concat", &operands, &format!("!ori.r128, {r3}, {r}"));
            }
        }
        if self.random.below(4) == 0 {
            let _ = writeln!(
                self.text,
                "ori.stg <b128> [{wide}], {quad} if {p} : (!ori.r64, !ori.r128, !ori.p) -> ()"
            );
        }
    }

    /// Values to pass to a block with an argument of each type.
    fn passed(&mut self) -> String {
        let values: Vec<String> = (0..TYPES.len()).map(|kind| self.pick(kind)).collect();
        let types: Vec<String> = TYPES.iter().map(|ty| format!("!ori.{ty}")).collect();
        format!("{} : {}", values.join(", "), types.join(", "))
    }

    /// Begins a block with an argument of each type.
    fn block(&mut self, label: &str) {
        let arguments: Vec<String> = (0..TYPES.len()).map(|_| self.fresh()).collect();
        let typed = arguments
            .iter()
            .zip(TYPES)
            .map(|(name, ty)| format!("{name}: !ori.{ty}"));
        let typed: Vec<String> = typed.collect();
        let _ = writeln!(self.text, "^{label}({}):", typed.join(", "));
        for (pool, argument) in self.pools.iter_mut().zip(arguments) {
            pool.push(argument);
        }
    }

    fn steps(&mut self, most: usize) {
        for _ in 0..self.random.below(most) {
            self.step();
        }
    }

    /// A branch around blocks, or a loop.
    fn region(&mut self, number: usize) {
        if self.random.below(2) == 0 {
            let (p, saved) = (self.pick(3), self.pools.clone());
            let _ = writeln!(
                self.text,
                "ori.cond_bra {p}, ^a{number}, ^b{number} : !ori.p"
            );
            for name in ["a", "b"] {
                self.pools.clone_from(&saved);
                let _ = writeln!(self.text, "^{name}{number}:");
                self.steps(8);
                let passed = self.passed();
                let _ = writeln!(self.text, "ori.bra ^m{number}({passed})");
            }
            self.pools = saved;
            self.block(&format!("m{number}"));
        } else {
            let passed = self.passed();
            let _ = writeln!(self.text, "ori.bra ^l{number}({passed})");
            self.block(&format!("l{number}"));
            self.steps(12);
            let (p, passed) = (self.pick(3), self.passed());
            let _ = writeln!(
                self.text,
                "ori.cond_bra {p}, ^l{number}({passed}), ^e{number} : !ori.p"
            );
            let _ = writeln!(self.text, "^e{number}:");
        }
    }

    fn function(seed: u64) -> String {
        let mut generator = Generator {
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            text: String::from(
                "ori.func kernel @f() target \"sm_90a\" {\n%q = ori.cbank[0, 528] : !ori.r64\n%seven = ori.imm 7 : !ori.r\n",
            ),
            count: 0,
            pools: Default::default(),
        };
        generator.pools[1].push("%q".into());
        generator.pools[0].push("%seven".into());
        for _ in 0..1 + generator.random.below(4) {
            generator.op(0, "ldg <b32>", "[%q]", "!ori.r64");
            generator.op(1, "ldg <b64>", "[%q + 8]", "!ori.r64");
            generator.op(2, "ldg <b128>", "[%q + 16]", "!ori.r64");
            let (a, b) = (generator.pick(0), generator.pick(0));
            generator.op(
                3,
                "isetp <eq, s32, and>",
                &format!("{a}, {b}"),
                "!ori.r, !ori.r",
            );
            generator.op(4, "r2ur", &a, "!ori.r");
            let u = generator.pick(4);
            generator.op(
                5,
                "uisetp <eq, s32, and>",
                &format!("{u}, {u}"),
                "!ori.ur, !ori.ur",
            );
            let quad = generator.pick(2);
            generator.op(
                6,
                "concat",
                &format!("{quad}, {quad}"),
                "!ori.r128, !ori.r128",
            );
        }
        for number in 0..generator.random.below(4) {
            generator.steps(10);
            generator.region(number);
        }
        generator.steps(20);
        for kind in [0, 1, 2] {
            let widths = ["b32", "b64", "b128"];
            for value in generator.pools[kind].clone().iter().rev().take(6) {
                let (width, ty) = (widths[kind], TYPES[kind]);
                let _ = writeln!(
                    generator.text,
                    "ori.stg <{width}> [%q], {value} : (!ori.r64, !ori.{ty}) -> ()"
                );
            }
        }
        generator.text.push_str("ori.exit\n}\n");
        generator.text
    }
}

fn parse(context: &mut Context, text: &str) -> Operation {
    orison_host::register(context);
    orison_ori::register(context);
    let source = Source {
        name: "random.mlir",
        text,
        first_line: 1,
    };
    parse_source(context, source).unwrap_or_else(|_| {
        let errors = context.diagnostics.take();
        let errors: Vec<_> = errors.iter().map(|one| one.render(context)).collect();
        panic!("{}\n{text}", errors.concat())
    })
}

/// The limits that are tried: none, and few registers.
const LIMITS: [Option<u32>; 4] = [None, Some(48), Some(32), Some(24)];

/// Allocates a random function; `None` if its instructions need more registers than it may have.
fn allocated(context: &mut Context, seed: u64) -> Option<(Operation, RecordedOperands)> {
    let text = Generator::function(seed);
    let module = parse(context, &text);
    let limit = LIMITS[usize::try_from(seed % 4).unwrap_or(0)];
    let found = allocate_recorded(context, module, limit);
    let Ok(mut found) = found else {
        assert!(limit.is_some(), "seed {seed} has no registers\n{text}");
        return None;
    };
    found.pop()
}

/// Runs random functions; returns how many were refused.
fn check(programs: u64) -> u64 {
    let mut refused = 0;
    for seed in 0..programs {
        let mut context = Context::new();
        let Some((function, recorded)) = allocated(&mut context, seed) else {
            refused += 1;
            continue;
        };
        let errors = recorded.check(&context, function);
        let errors: Vec<String> = errors.iter().map(|error| error.render(&context)).collect();
        assert!(
            errors.is_empty(),
            "seed {seed}: {}\n{}",
            errors.concat(),
            Generator::function(seed)
        );
        let valid = orison_ir::verify(&context, function);
        let valid = valid.map_err(|errors| {
            let errors = errors.iter().map(|error| error.render(&context));
            errors.collect::<String>()
        });
        assert_eq!(valid, Ok(()), "seed {seed}");
    }
    refused
}

#[test]
fn random_functions_have_right_registers() {
    let refused = check(400);
    assert!(refused * 20 < 400, "{refused} of 400 were refused");
}

/// A number of programs from the environment.
fn programs() -> u64 {
    let given = std::env::var("ORISON_PROGRAMS").ok();
    given.and_then(|given| given.parse().ok()).unwrap_or(10_000)
}

#[test]
#[ignore = "a campaign"]
fn campaign_of_random_functions() {
    let (programs, refused) = (programs(), check(programs()));
    println!("{programs} functions, {refused} refused");
}

/// What is changed in an allocated function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// An operation reads another value of the same type.
    Operand,
    /// A copy reads another register. (A copy that is left out may do no harm: its register may have the value.)
    Copy,
    /// A spilled register is not stored.
    Store,
}

/// Makes a fault; false if the function has no place for it.
fn inject(
    context: &mut Context,
    function: Operation,
    recorded: &RecordedOperands,
    fault: Fault,
    random: &mut Random,
) -> bool {
    let all = walk::collect(context, function);
    let is_candidate = |op: &&Operation| match fault {
        Fault::Operand => {
            recorded.contains(**op)
                && op.operand_count(context) > 0
                && !op.has_trait(context, Trait::Terminator)
        }
        Fault::Copy => {
            // What only a block gets may never be read.
            let is_read = |result: Value| {
                let mut users = result.users(context);
                users.any(|user| {
                    recorded.contains(user) && !user.has_trait(context, Trait::Terminator)
                })
            };
            let is_copy = !recorded.contains(**op) && op.is(context, "ori.mov");
            // A constant may be in the register already, from the instruction in front.
            let reads_register = op
                .operands(context)
                .any(|value| Physical::of(context, value.ty(context)).is_some());
            is_copy && reads_register && op.results(context).any(is_read)
        }
        Fault::Store => !recorded.contains(**op) && op.is(context, "ori.stl"),
    };
    let candidates: Vec<Operation> = all.iter().filter(is_candidate).copied().collect();
    if candidates.is_empty() {
        return false;
    }
    let op = candidates[random.below(candidates.len())];
    match fault {
        Fault::Store => op.erase(context),
        Fault::Operand | Fault::Copy => {
            let operand = random.below(op.operand_count(context));
            let old = op.operand(context, operand);
            let class = Register::of(context, old.ty(context));
            // A copy has the value that it copies.
            let made = all.iter().filter(|other| recorded.contains(**other));
            let results = made.flat_map(|other| other.results(context).collect::<Vec<Value>>());
            let others: Vec<Value> = results
                .filter(|value| {
                    value.ty(context) != old.ty(context)
                        && Register::of(context, value.ty(context)) == class
                })
                .filter(|value| Physical::of(context, value.ty(context)).is_some())
                .collect();
            if others.is_empty() || Physical::of(context, old.ty(context)).is_none() {
                return false;
            }
            let other = others[random.below(others.len())];
            op.set_operand(context, operand, other);
        }
    }
    true
}

#[test]
fn faults_in_allocations_are_found() {
    for fault in [Fault::Operand, Fault::Copy, Fault::Store] {
        let (mut made, mut found) = (0, 0);
        for seed in 0..600 {
            let mut context = Context::new();
            let Some((function, recorded)) = allocated(&mut context, seed) else {
                continue;
            };
            let mut random = Random(seed * 2 + 1);
            if inject(&mut context, function, &recorded, fault, &mut random) {
                made += 1;
                found += usize::from(!recorded.check(&context, function).is_empty());
            }
        }
        println!("{fault:?}: {found} of {made}");
        assert!(made > 50, "{fault:?} was made {made} times");
        // What comes back from memory may be passed to a block that does not read it.
        let least = if fault == Fault::Store { 95 } else { 99 };
        assert!(
            100 * found >= least * made,
            "{fault:?}: {found} of {made} were found"
        );
    }
}

#[test]
fn the_functions_are_functions() {
    let mut context = Context::new();
    let module = parse(&mut context, &Generator::function(1));
    let functions = walk::collect(&context, module);
    assert!(functions.iter().any(|op| Func::of(&context, *op).is_some()));
}
