//! Expansions of instructions without a machine equivalent compute the results that PTX specifies:
//! quotients, roots, wide products, fields, conversions. Imported kernels are executed operation by
//! operation, on edge cases and on seeded random inputs, and compared with the host.

use std::collections::HashMap;

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::operations::control::{Bra, Call, CondBra};
use orison_ori::semantics::{Bits, Computation, MAX_RESULTS};
use orison_translate::import::{import, register_dialects};
use orison_translate::ptx;

/// The offset of the parameters of a kernel for sm_80 in the constant bank.
const PARAMETERS: i32 = 0x160;

/// A kernel that reads three 64-bit parameters, and the value it stores.
struct Kernel {
    context: Context,
    entry: Block,
    /// The entries of all functions, by name: expansions may call them.
    functions: HashMap<String, Block>,
    known: HashMap<Operation, Computation>,
}

impl Kernel {
    /// A kernel of one instruction: operands `%a`, `%b`, `%c` of a PTX type, the result `%d` of
    /// another; each type is a suffix of the register name, `%a_b32`.
    fn of(instruction: &str) -> Self {
        let mut declared = String::new();
        for ty in ["b16", "b32", "b64", "f32", "f64"] {
            let load = if ty == "b16" { "b32" } else { ty };
            for (name, place) in [("a", 0), ("b", 8), ("c", 16)] {
                let register = format!("%{name}_{ty}");
                if instruction.contains(&register) {
                    declared += &format!(".reg .{load} {register};\n");
                    declared += &format!("ld.param.{load} {register}, [p+{place}];\n");
                }
            }
            if instruction.contains(&format!("%d_{ty}")) {
                declared += &format!(".reg .{load} %d_{ty};\n");
            }
        }
        let result = instruction.split("%d_").nth(1).expect("a result");
        let result = &result[..3];
        let (ty, register) = if result == "b16" {
            ("b16", "b16")
        } else {
            (result, result)
        };
        let text = format!(
            ".version 8.8\n.target sm_80\n.address_size 64\n\
             .visible .entry k(.param .align 8 .b8 p[24], .param .u64 q) {{\n{declared}\
             .reg .b64 %q;\nld.param.u64 %q, [q];\n{instruction};\n\
             st.global.{ty} [%q], %d_{register};\nret;\n}}\n"
        );
        let mut context = Context::new();
        register_dialects(&mut context);
        let module = ptx::parse(&text).expect("well-formed PTX");
        let (module, counts) = import(&mut context, "a.ptx", &text, &module).expect("imported");
        assert_eq!(counts.unmodelled, 0, "{instruction}");
        assert!(context.verify(module).is_ok(), "{instruction}");
        let body = module.body_block(&context, 0).expect("a body");
        let mut known = HashMap::new();
        let mut functions = HashMap::new();
        for function in body.operations(&context) {
            let blocks: Vec<_> = function.region(&context, 0).blocks(&context).collect();
            for op in blocks.iter().flat_map(|block| block.operations(&context)) {
                if let Some(computation) = Computation::of(&context, op) {
                    known.insert(op, computation);
                }
            }
            let name = function.attribute(&context, "sym_name");
            let name = name.and_then(|name| name.as_str(&context)).expect("a name");
            functions.insert(name.to_owned(), blocks[0]);
        }
        Kernel {
            entry: functions["k"],
            functions,
            context,
            known,
        }
    }

    fn parameter(&self, op: Operation, inputs: &[u64; 3]) -> Bits {
        let offset = op.attribute(&self.context, "offset");
        let offset = offset.and_then(|offset| offset.as_i32(&self.context));
        let place = usize::try_from(offset.expect("an offset") - PARAMETERS).expect("a parameter");
        let word = inputs.get(place / 8).copied().unwrap_or(0) >> (8 * (place % 8));
        match self.words(op.result(&self.context, 0)) {
            1 => Bits::from(word & 0xffff_ffff),
            _ => Bits::from(word),
        }
    }

    fn words(&self, value: Value) -> u32 {
        let register = Register::of(&self.context, value.ty(&self.context));
        register.and_then(Register::words).unwrap_or(0)
    }

    /// The value that the kernel stores.
    fn run(&self, inputs: &[u64; 3]) -> u64 {
        let stored = self.execute(self.entry, Vec::new(), inputs);
        u64::try_from(stored[0] & Bits::from(u64::MAX)).expect("64 bits")
    }

    /// The value that a function returns or stores for these arguments.
    fn execute(&self, entry: Block, given: Vec<Bits>, inputs: &[u64; 3]) -> Vec<Bits> {
        let context = &self.context;
        let mut values: HashMap<Value, Bits> = entry.arguments(context).zip(given).collect();
        let mut block = entry;
        for _ in 0..1000 {
            let mut next = None;
            for op in block.operations(context) {
                let read = |value: Value| *values.get(&value).expect("a value");
                match op.name_text(context) {
                    "ori.imm" => {
                        let number = op
                            .attribute(context, "value")
                            .and_then(|n| n.as_i64(context));
                        let number = number.expect("a number").cast_unsigned();
                        let result = op.result(context, 0);
                        let bits = match self.words(result) {
                            1 => number & 0xffff_ffff,
                            _ => number,
                        };
                        values.insert(result, Bits::from(bits));
                    }
                    "ori.cbank" => {
                        let bits = self.parameter(op, inputs);
                        values.insert(op.result(context, 0), bits);
                    }
                    "ori.concat" => {
                        let (mut whole, mut place) = (0, 0);
                        for part in op.operands(context) {
                            whole |= read(part) << place;
                            place += 32 * self.words(part);
                        }
                        values.insert(op.result(context, 0), whole);
                    }
                    "ori.extract" => {
                        let word = op
                            .attribute(context, "word")
                            .and_then(|n| n.as_i32(context));
                        let whole = read(op.operands(context).next().expect("a whole"));
                        let part = whole >> (32 * word.expect("a word"));
                        values.insert(op.result(context, 0), part & 0xffff_ffff);
                    }
                    "ori.stg" => {
                        let stored = op.operands_named(context, "value");
                        return vec![read(stored[0])];
                    }
                    "ori.ret" => return op.operands(context).map(read).collect(),
                    "ori.call" => {
                        let callee = Call(op).callee(context).expect("a callee");
                        let callee = self.functions[callee.as_symbol(context).expect("a name")];
                        let given = op.operands(context).map(read).collect();
                        let returned = self.execute(callee, given, inputs);
                        values.extend(op.results(context).zip(returned));
                    }
                    "ori.bra" => {
                        let given: Vec<_> =
                            Bra(op).arguments(context).into_iter().map(read).collect();
                        next = Some((op.successors(context).next().expect("a target"), given));
                    }
                    "ori.cond_bra" => {
                        let branch = CondBra(op);
                        let holds = read(branch.condition(context)) != 0;
                        let inverted = op.attribute(context, "inverted").is_some();
                        let mut targets = op.successors(context);
                        let (then, other) = (targets.next(), targets.next());
                        let (target, given) = if holds != inverted {
                            (then, branch.then_arguments(context))
                        } else {
                            (other, branch.else_arguments(context))
                        };
                        let given: Vec<_> = given.into_iter().map(read).collect();
                        next = Some((target.expect("a target"), given));
                    }
                    name => {
                        let computation = self.known.get(&op).unwrap_or_else(|| panic!("{name}"));
                        let operands: Vec<_> = op.operands(context).map(read).collect();
                        let mut results = [0; MAX_RESULTS];
                        computation
                            .apply(&operands, &mut results)
                            .expect("a result");
                        for (result, bits) in op.results(context).zip(results) {
                            values.insert(result, bits);
                        }
                    }
                }
            }
            let (target, given) = next.expect("a store comes first");
            block = target;
            for (argument, bits) in target.arguments(context).zip(given) {
                values.insert(argument, bits);
            }
        }
        panic!("it does not end")
    }
}

/// A deterministic pseudorandom sequence (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

const EDGES: [u64; 22] = [
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    64,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_fffe,
    0xffff_ffff_ffff_ffff,
];

/// Bits of edge-case floats, low half first.
const SINGLES: [u32; 22] = [
    0x3fff_ffff,
    0x407f_ffff,
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x3f80_0000,
    0x3f80_0001,
    0xbf80_0000,
    0x4000_0000,
    0x4040_0000,
    0x3eaa_aaab,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x0000_1000,
    0x7e80_0000,
];

const DOUBLES: [u64; 22] = [
    0x3fff_ffff_ffff_ffff,
    0x400f_ffff_ffff_ffff,
    0,
    1 << 63,
    1,
    (1 << 63) | 1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x0010_0000_0000_0001,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0xbff0_0000_0000_0000,
    0x4000_0000_0000_0000,
    0x4008_0000_0000_0000,
    0x3fd5_5555_5555_5555,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x0000_0000_1000_0000,
    0x7fd0_0000_0000_0000,
];

/// Runs an instruction on pairs of edge cases and on random inputs; the host computes the expected
/// result, `None` if PTX leaves it open.
fn check(instruction: &str, edges: &[u64], host: impl Fn(u64, u64, u64) -> Option<u64>) {
    let kernel = Kernel::of(instruction);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut inputs = Vec::new();
    for a in edges {
        for b in edges {
            inputs.push([*a, *b, numbers.next()]);
        }
    }
    for round in 0..300 {
        // Small as well as large numbers.
        let shift = |round: u32| round % 7 * 9;
        let [a, b, c] = [0, 1, 2].map(|place| numbers.next() >> shift(round / 3 + place * round));
        inputs.push([a, b, c]);
    }
    for [a, b, c] in inputs {
        let Some(wanted) = host(a, b, c) else {
            continue;
        };
        let found = kernel.run(&[a, b, c]);
        assert_eq!(found, wanted, "{instruction}: {a:#x}, {b:#x}, {c:#x}");
    }
}

fn low(value: u64) -> u32 {
    u32::try_from(value & 0xffff_ffff).expect("32 bits")
}

fn single(value: u64) -> f32 {
    f32::from_bits(low(value))
}

/// The bits of a float; the machine's canonical NaN for NaN.
fn bits(value: f32) -> u64 {
    u64::from(if value.is_nan() {
        0x7fff_ffff
    } else {
        value.to_bits()
    })
}

#[test]
fn quotients_of_words_are_exact() {
    check("div.u32 %d_b32, %a_b32, %b_b32", &EDGES, |a, b, _| {
        Some(u64::from(low(a).checked_div(low(b)).unwrap_or(u32::MAX)))
    });
    check("rem.u32 %d_b32, %a_b32, %b_b32", &EDGES, |a, b, _| {
        Some(u64::from(low(a).checked_rem(low(b)).unwrap_or(u32::MAX)))
    });
    let signed = |value: u64| low(value).cast_signed();
    check("div.s32 %d_b32, %a_b32, %b_b32", &EDGES, |a, b, _| {
        let quotient = if low(b) == 0 {
            -1
        } else {
            signed(a).wrapping_div(signed(b))
        };
        Some(u64::from(quotient.cast_unsigned()))
    });
    check("rem.s32 %d_b32, %a_b32, %b_b32", &EDGES, |a, b, _| {
        let rest = if low(b) == 0 {
            -1
        } else {
            signed(a).wrapping_rem(signed(b))
        };
        Some(u64::from(rest.cast_unsigned()))
    });
}

#[test]
fn quotients_by_constants_are_exact() {
    let signed = |value: u64| low(value).cast_signed();
    for divisor in [3_i32, 7, 8, 10, 641, i32::MAX, -1, -5, -16, i32::MIN] {
        let bits = divisor.cast_unsigned();
        check(
            &format!("div.u32 %d_b32, %a_b32, {bits}"),
            &EDGES,
            |a, _, _| Some(u64::from(low(a) / bits)),
        );
        check(
            &format!("rem.u32 %d_b32, %a_b32, {bits}"),
            &EDGES,
            |a, _, _| Some(u64::from(low(a) % bits)),
        );
        check(
            &format!("div.s32 %d_b32, %a_b32, {divisor}"),
            &EDGES,
            |a, _, _| Some(u64::from(signed(a).wrapping_div(divisor).cast_unsigned())),
        );
        check(
            &format!("rem.s32 %d_b32, %a_b32, {divisor}"),
            &EDGES,
            |a, _, _| Some(u64::from(signed(a).wrapping_rem(divisor).cast_unsigned())),
        );
        let wide = i64::from(divisor) * 3;
        check(
            &format!("div.s64 %d_b64, %a_b64, {wide}"),
            &EDGES,
            |a, _, _| Some(a.cast_signed().wrapping_div(wide).cast_unsigned()),
        );
        check(
            &format!("rem.u64 %d_b64, %a_b64, {bits}"),
            &EDGES,
            |a, _, _| Some(a % u64::from(bits)),
        );
    }
}

#[test]
fn quotients_of_pairs_are_exact() {
    check("div.u64 %d_b64, %a_b64, %b_b64", &EDGES, |a, b, _| {
        Some(a.checked_div(b).unwrap_or(u64::MAX))
    });
    check("rem.u64 %d_b64, %a_b64, %b_b64", &EDGES, |a, b, _| {
        Some(a.checked_rem(b).unwrap_or(u64::MAX))
    });
    check("div.s64 %d_b64, %a_b64, %b_b64", &EDGES, |a, b, _| {
        let (a, b) = (a.cast_signed(), b.cast_signed());
        Some(if b == 0 {
            u64::MAX
        } else {
            a.wrapping_div(b).cast_unsigned()
        })
    });
    check("rem.s64 %d_b64, %a_b64, %b_b64", &EDGES, |a, b, _| {
        let (a, b) = (a.cast_signed(), b.cast_signed());
        Some(if b == 0 {
            u64::MAX
        } else {
            a.wrapping_rem(b).cast_unsigned()
        })
    });
}

#[test]
fn wide_products_and_sums_are_exact() {
    check("mul.hi.u64 %d_b64, %a_b64, %b_b64", &EDGES, |a, b, _| {
        Some(((u128::from(a) * u128::from(b)) >> 64) as u64)
    });
    check("mul.hi.s64 %d_b64, %a_b64, %b_b64", &EDGES, |a, b, _| {
        let product = i128::from(a.cast_signed()) * i128::from(b.cast_signed());
        Some((product >> 64) as u64)
    });
    check(
        "mad.lo.u64 %d_b64, %a_b64, %b_b64, %c_b64",
        &EDGES,
        |a, b, c| Some(a.wrapping_mul(b).wrapping_add(c)),
    );
    check(
        "mad.hi.u32 %d_b32, %a_b32, %b_b32, %c_b32",
        &EDGES,
        |a, b, c| {
            let high = (u64::from(low(a)) * u64::from(low(b))) >> 32;
            Some(u64::from(low(high).wrapping_add(low(c))))
        },
    );
    let signed = |value: u64| low(value).cast_signed();
    for (name, sum) in [
        ("add", i32::saturating_add as fn(i32, i32) -> i32),
        ("sub", i32::saturating_sub),
    ] {
        let instruction = format!("{name}.sat.s32 %d_b32, %a_b32, %b_b32");
        check(&instruction, &EDGES, |a, b, _| {
            Some(u64::from(sum(signed(a), signed(b)).cast_unsigned()))
        });
    }
    let chain = "{ .reg .b32 %x, %y, %u, %v; mov.b64 {%x, %y}, %a_b64; mov.b64 {%u, %v}, %b_b64; ";
    for (first, second, wrap) in [
        (
            "add.cc.u32",
            "addc.u32",
            u64::wrapping_add as fn(u64, u64) -> u64,
        ),
        ("sub.cc.u32", "subc.u32", u64::wrapping_sub),
    ] {
        let instruction = format!(
            "{chain}{first} %x, %x, %u; {second} %y, %y, %v; mov.b64 %d_b64, {{%x, %y}}; }}"
        );
        check(&instruction, &EDGES, |a, b, _| Some(wrap(a, b)));
    }
}

#[test]
fn bits_are_where_they_belong() {
    check(
        "bfe.u32 %d_b32, %a_b32, %b_b32, %c_b32",
        &EDGES,
        |a, b, c| {
            let (place, length) = (b & 0xff, c & 0xff);
            let field = if place > 31 {
                0
            } else {
                u64::from(low(a)) >> place
            };
            Some(if length > 31 {
                field
            } else {
                field & ((1 << length) - 1)
            })
        },
    );
    check(
        "bfi.b32 %d_b32, %a_b32, %b_b32, %c_b32, 7",
        &EDGES,
        |a, b, c| {
            let place = c & 0xff;
            let mask = if place > 31 { 0 } else { low(0x7f << place) };
            let field = if place > 31 { 0 } else { low(a << place) };
            Some(u64::from((field & mask) | (low(b) & !mask)))
        },
    );
    check(
        "bfe.s64 %d_b64, %a_b64, %b_b32, %c_b32",
        &EDGES,
        |a, b, c| {
            let (place, length) = (b & 0xff, c & 0xff);
            let a = i128::from(a.cast_signed());
            let field = a >> place.min(64);
            let room = 128 - length.min(64);
            Some(if length == 0 {
                0
            } else {
                ((field << room) >> room) as u64
            })
        },
    );
    check("clz.b64 %d_b32, %a_b64", &EDGES, |a, _, _| {
        Some(u64::from(a.leading_zeros()))
    });
    check("bfind.s64 %d_b32, %a_b64", &EDGES, |a, _, _| {
        let a = if a.cast_signed() < 0 { !a } else { a };
        Some(if a == 0 {
            0xffff_ffff
        } else {
            u64::from(a.ilog2())
        })
    });
    check("shr.s64 %d_b64, %a_b64, %b_b32", &EDGES, |a, b, _| {
        Some((a.cast_signed() >> low(b).min(63)).cast_unsigned())
    });
    check(
        "shf.l.clamp.b32 %d_b32, %a_b32, %b_b32, %c_b32",
        &EDGES,
        |a, b, c| {
            let pair = u64::from(low(b)) << 32 | u64::from(low(a));
            Some(u128::from(pair).wrapping_shl(low(c).min(32)) as u64 >> 32)
        },
    );
    check(
        "fns.b32 %d_b32, %a_b32, %b_b32, %c_b32",
        &EDGES,
        |a, b, c| {
            let (mask, base, offset) = (low(a), b & 0xff, low(c).cast_signed());
            if b > 31 {
                return None;
            }
            let up = (base..32).filter(|bit| mask >> bit & 1 != 0);
            let down = (0..=base).rev().filter(|bit| mask >> bit & 1 != 0);
            let found = match offset {
                0 => (mask >> base & 1 != 0).then_some(base),
                1.. => up.clone().nth(usize::try_from(offset - 1).ok()?),
                _ => down
                    .clone()
                    .nth(usize::try_from(-(i64::from(offset) + 1)).ok()?),
            };
            Some(found.unwrap_or(0xffff_ffff))
        },
    );
}

#[test]
fn quotients_and_roots_of_singles_are_rounded_once() {
    let edges = SINGLES.map(u64::from);
    check("div.rn.f32 %d_f32, %a_f32, %b_f32", &edges, |a, b, _| {
        Some(bits(single(a) / single(b)))
    });
    check("rcp.rn.f32 %d_f32, %a_f32", &edges, |a, _, _| {
        Some(bits(1.0 / single(a)))
    });
    check("sqrt.rn.f32 %d_f32, %a_f32", &edges, |a, _, _| {
        Some(bits(single(a).sqrt()))
    });
    // Toward zero: the quotient in doubles, which is inexact unless the exact one is representable,
    // truncated.
    check("div.rz.f32 %d_f32, %a_f32, %b_f32", &edges, |a, b, _| {
        let (a, b) = (single(a), single(b));
        let near = a / b;
        if !near.is_finite() || b.is_infinite() {
            return near.is_nan().then(|| bits(near));
        }
        let over = f64::from(near).abs() * f64::from(b).abs() > f64::from(a).abs();
        Some(if over {
            bits(f32::from_bits(near.to_bits() - 1))
        } else {
            bits(near)
        })
    });
}

#[test]
fn quotients_and_roots_of_doubles_are_rounded_once() {
    let number = f64::from_bits;
    let bits = |value: f64| {
        if value.is_nan() {
            None
        } else {
            Some(value.to_bits())
        }
    };
    check("div.rn.f64 %d_f64, %a_f64, %b_f64", &DOUBLES, |a, b, _| {
        bits(number(a) / number(b))
    });
    check("rcp.rn.f64 %d_f64, %a_f64", &DOUBLES, |a, _, _| {
        bits(1.0 / number(a))
    });
    check("sqrt.rn.f64 %d_f64, %a_f64", &DOUBLES, |a, _, _| {
        bits(number(a).sqrt())
    });
    check("min.f64 %d_f64, %a_f64, %b_f64", &DOUBLES, |a, b, _| {
        if number(a) == 0.0 && number(b) == 0.0 {
            return Some(a | b);
        }
        bits(number(a).min(number(b)))
    });
}

#[test]
fn conversions_saturate_and_extend() {
    check("cvt.sat.s16.u64 %d_b32, %a_b64", &EDGES, |a, _, _| {
        Some(a.min(0x7fff))
    });
    check("cvt.sat.u8.s32 %d_b32, %a_b32", &EDGES, |a, _, _| {
        Some(u64::from(
            low(a).cast_signed().clamp(0, 255).cast_unsigned(),
        ))
    });
    check("cvt.sat.u32.s64 %d_b32, %a_b64", &EDGES, |a, _, _| {
        Some(a.cast_signed().clamp(0, 0xffff_ffff).cast_unsigned())
    });
    check("cvt.s64.s8 %d_b64, %a_b32", &EDGES, |a, _, _| {
        Some(i64::from(a.to_le_bytes()[0].cast_signed()).cast_unsigned())
    });
    check("cvt.rn.f32.u64 %d_f32, %a_b64", &EDGES, |a, _, _| {
        #[expect(clippy::cast_precision_loss, reason = "the conversion that is tested")]
        Some(bits(a as f32))
    });
    check(
        "cvt.rna.tf32.f32 %d_b32, %a_f32",
        &SINGLES.map(u64::from),
        |a, _, _| {
            let a = low(a);
            let special = a & 0x7f80_0000 == 0x7f80_0000;
            Some(u64::from(
                if special { a } else { a + 0x1000 } & 0xffff_e000,
            ))
        },
    );
}
