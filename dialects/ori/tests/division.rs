//! Compares divisions by constants with integer division: all dividends of 16 bits by many
//! divisors, random ones of 32 and 64 bits, and those where quotients change.

use orison_ir::{Block, Builder, Context, InsertionPoint, Operation, Source, Value, parse_source};
use orison_ori::division::{Division, by_constant};
use orison_ori::semantics::{Bits, Computation};

/// A division as operations, prepared for repeated execution.
struct Program {
    context: Context,
    steps: Vec<(Operation, Computation, Vec<usize>)>,
    constants: Vec<(usize, Bits)>,
    values: usize,
    result: usize,
}

fn body(context: &Context, module: Operation) -> Block {
    let function = module
        .body_block(context, 0)
        .and_then(|block| block.first_op(context));
    let body = function.and_then(|function| function.body_block(context, 0));
    body.expect("a function")
}

impl Program {
    fn new(divisor: i64, division: Division) -> Self {
        let mut context = Context::new();
        orison_host::register(&mut context);
        orison_ori::register(&mut context);
        let ty = if division.bits == 32 {
            "!ori.r"
        } else {
            "!ori.r64"
        };
        let text = format!("ori.func @f(%a: {ty}) target \"sm_80\" {{\n  ori.ret\n}}");
        let source = Source {
            name: "division.mlir",
            text: &text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("a module");
        let block = body(&context, module);
        let end = block.terminator(&context).expect("a return");
        let (argument, location) = (block.argument(&context, 0), end.location(&context));
        let mut builder = Builder::at(&mut context, InsertionPoint::Before(end));
        let result = by_constant(&mut builder, location, argument, divisor, division);
        let result = result.expect("no division by zero");
        assert!(
            context.verify(module).is_ok(),
            "{:?}",
            context.diagnostics.take()
        );
        Self::read(context, block, argument, result)
    }

    fn read(context: Context, block: Block, argument: Value, result: Value) -> Self {
        let mut known = vec![argument];
        let (mut steps, mut constants) = (Vec::new(), Vec::new());
        for op in block.body(&context) {
            if let Some(number) = op.attribute(&context, "value") {
                let number = number.as_i64(&context).expect("a number");
                let wide = op.result(&context, 0).ty(&context) == result_type(&context, op, 64);
                let bits = if wide { u64::MAX } else { u64::from(u32::MAX) };
                constants.push((known.len(), Bits::from(number.cast_unsigned() & bits)));
            } else {
                let place = |value: Value| known.iter().position(|known| *known == value);
                let operands = op
                    .operands(&context)
                    .map(|value| place(value).expect("known"));
                let operands = operands.collect();
                let computation = Computation::of(&context, op).expect("a computation");
                steps.push((op, computation, operands));
            }
            known.extend(op.results(&context));
        }
        let place = known.iter().position(|known| *known == result);
        Program {
            values: known.len(),
            result: place.expect("a result"),
            context,
            steps,
            constants,
        }
    }

    fn run(&self, dividend: u64) -> u64 {
        let mut values = vec![0; self.values];
        values[0] = Bits::from(dividend);
        for (place, bits) in &self.constants {
            values[*place] = *bits;
        }
        let mut places: Vec<usize> = Vec::new();
        let mut next = 1;
        let mut steps = self.steps.iter();
        let constants: Vec<usize> = self.constants.iter().map(|(place, _)| *place).collect();
        while next < self.values {
            if constants.contains(&next) {
                next += 1;
                continue;
            }
            let (op, computation, operands) = steps.next().expect("a step a value");
            places.clone_from(operands);
            let operands: Vec<Bits> = places.iter().map(|place| values[*place]).collect();
            let mut results = [0; orison_ori::semantics::MAX_RESULTS];
            computation
                .apply(&operands, &mut results)
                .expect("a result");
            for (offset, bits) in results
                .iter()
                .enumerate()
                .take(op.result_count(&self.context))
            {
                values[next + offset] = *bits;
            }
            next += op.result_count(&self.context);
        }
        values[self.result] as u64
    }
}

fn result_type(context: &Context, op: Operation, bits: u32) -> orison_ir::Type {
    let ty = op.result(context, 0).ty(context);
    let register = orison_ori::Register::of(context, ty).expect("a register");
    let words = register.words().expect("words");
    if words * 32 == bits {
        ty
    } else {
        orison_ir::Type::I1
    }
}

/// The expected result.
fn expected(dividend: u64, divisor: i64, division: Division) -> u64 {
    match (division.bits, division.signed) {
        (32, true) => {
            let (a, b) = (dividend as u32 as i32, divisor as i32);
            let value = match division.remainder {
                true => a.wrapping_rem(b),
                false => a.wrapping_div(b),
            };
            u64::from(value.cast_unsigned())
        }
        (32, false) => {
            let (a, b) = (dividend as u32, divisor as u32);
            u64::from(if division.remainder { a % b } else { a / b })
        }
        (_, true) => {
            let a = dividend.cast_signed();
            let value = match division.remainder {
                true => a.wrapping_rem(divisor),
                false => a.wrapping_div(divisor),
            };
            value.cast_unsigned()
        }
        (_, false) => {
            let b = divisor.cast_unsigned();
            if division.remainder {
                dividend % b
            } else {
                dividend / b
            }
        }
    }
}

/// A reproducible random number generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A random integer of random bit length.
    fn any(&mut self) -> u64 {
        let length = self.next() % 64;
        let bits = self.next() >> length;
        if self.next() & 1 == 0 {
            bits
        } else {
            bits.wrapping_neg()
        }
    }
}

fn all_kinds(bits: u32) -> impl Iterator<Item = Division> {
    let kinds = [(false, false), (false, true), (true, false), (true, true)];
    kinds.into_iter().map(move |(signed, remainder)| Division {
        bits,
        signed,
        remainder,
    })
}

/// Dividends near the multiples of a divisor, and near the limits of the range.
fn edges(divisor: i64, bits: u32, random: &mut Random) -> Vec<u64> {
    let mask = u64::MAX >> (64 - bits);
    let mut found = Vec::new();
    for multiple in [
        0,
        1,
        2,
        3,
        random.any(),
        random.any(),
        u64::MAX / 3,
        u64::MAX,
    ] {
        let near = divisor.cast_unsigned().wrapping_mul(multiple);
        found.extend([near.wrapping_sub(1), near, near.wrapping_add(1)]);
    }
    let top = 1_u64 << (bits - 1);
    found.extend([0, 1, top - 1, top, top + 1, mask, mask - 1]);
    found.extend((0..16).map(|_| random.any()));
    found.iter().map(|dividend| dividend & mask).collect()
}

#[test]
fn every_dividend_of_sixteen_bits() {
    for divisor in [
        3_i64, 5, 6, 7, 10, 14, 100, 641, 1000, 4096, 65_535, -7, -1, -12,
    ] {
        for division in all_kinds(32) {
            let program = Program::new(divisor, division);
            for half in 0..=u64::from(u16::MAX) {
                // Small, large, negative.
                for dividend in [half, half << 16, u64::from(u32::MAX) - half] {
                    let found = program.run(dividend);
                    let wanted = expected(dividend, divisor, division);
                    assert_eq!(found, wanted, "{dividend} by {divisor}, {division:?}");
                }
            }
        }
    }
}

#[test]
fn random_words_and_pairs() {
    let mut random = Random(8);
    let known = [
        1_i64,
        -1,
        2,
        3,
        7,
        28,
        i64::MAX,
        i64::MIN,
        1 << 31,
        1 << 32,
        (1 << 32) + 1,
    ];
    for bits in [32, 64] {
        let randomly: Vec<i64> = (0..120).map(|_| random.any().cast_signed()).collect();
        for divisor in known.into_iter().chain(randomly) {
            let zero = divisor == 0 || (bits == 32 && divisor as u32 == 0);
            for division in all_kinds(bits).filter(|_| !zero) {
                let program = Program::new(divisor, division);
                for dividend in edges(divisor, bits, &mut random) {
                    let found = program.run(dividend);
                    let wanted = expected(dividend, divisor, division);
                    assert_eq!(found, wanted, "{dividend:#x} by {divisor:#x}, {division:?}");
                }
            }
        }
    }
}

/// Two or three instructions for a word (reference 9.2).
#[test]
fn quotients_of_words_are_short() {
    for divisor in [3_i64, 7, 10, 641, 1_000_000_007] {
        for (signed, most) in [(false, 2), (true, 3)] {
            let division = Division {
                bits: 32,
                signed,
                remainder: false,
            };
            let program = Program::new(divisor, division);
            let issued = program.steps.iter().filter(|(op, ..)| {
                let context = &program.context;
                orison_ori::analyses::properties::is_instruction(context, *op)
                    && !op.is(context, "ori.concat")
                    && !op.is(context, "ori.extract")
            });
            assert!(issued.count() <= most, "{divisor}, {signed}");
        }
    }
}

#[test]
fn nothing_is_written_for_zero() {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let text = "ori.func @f(%a: !ori.r) target \"sm_80\" {\n  ori.ret\n}";
    let source = Source {
        name: "zero.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("a module");
    let block = body(&context, module);
    let end = block.terminator(&context).expect("a return");
    let (argument, location) = (block.argument(&context, 0), end.location(&context));
    for (bits, divisor) in [(32, 0), (32, 1_i64 << 32), (16, 3)] {
        let division = Division {
            bits,
            signed: true,
            remainder: false,
        };
        let mut builder = Builder::at(&mut context, InsertionPoint::Before(end));
        assert_eq!(
            by_constant(&mut builder, location, argument, divisor, division),
            None
        );
    }
    assert!(block.body(&context).is_empty());
}
