//! Operations parsed from text, evaluated, and compared with independent formulations.

mod floats;
mod integers;

use orison_ir::{Context, Operation, Source, parse_source};

use super::{Bits, Computation, MAX_RESULTS};

/// The first operation of a function with arguments `%a`, `%b`, … of the given types.
pub(super) fn operation(context: &mut Context, types: &[&str], text: &str) -> Operation {
    orison_host::register(context);
    crate::register(context);
    let arguments: Vec<_> = types
        .iter()
        .zip('a'..='z')
        .map(|(ty, name)| format!("%{name}: !ori.{ty}"))
        .collect();
    let text = format!(
        "ori.func @f({}) target \"sm_100a\" {{\n{text}\nori.ret\n}}",
        arguments.join(", ")
    );
    let source = Source {
        name: "semantics.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(context, source);
    if let Err(error) = &module {
        panic!("{text}\n{error:?}");
    }
    let module = module.unwrap();
    let valid = context.verify(module);
    assert!(valid.is_ok(), "{text}\n{:?}", context.diagnostics.take());
    let function = module.body_block(context, 0).unwrap();
    let function = function.first_op(context).unwrap();
    let body = function.body_block(context, 0).unwrap();
    body.first_op(context).unwrap()
}

/// The computation of an operation given as text.
pub(super) fn computation(types: &[&str], text: &str) -> impl Fn(&[Bits]) -> Vec<Bits> + use<> {
    let mut context = Context::new();
    let op = operation(&mut context, types, text);
    let computation = Computation::of(&context, op);
    let computation = computation.unwrap_or_else(|| panic!("not pure: {text}"));
    move |operands| {
        let mut results = [0; MAX_RESULTS];
        computation.apply(operands, &mut results).unwrap();
        results[..computation.result_count()].to_vec()
    }
}

/// An operation on words with one result.
pub(super) fn words(count: usize, text: &str) -> impl Fn(&[u32]) -> u32 + use<> {
    let types = vec!["r"; count];
    let registers = vec!["!ori.r"; count].join(", ");
    let text = format!("%z = {text} : ({registers}) -> !ori.r");
    let compute = computation(&types, &text);
    move |operands| {
        let operands: Vec<_> = operands.iter().map(|word| Bits::from(*word)).collect();
        u32::try_from(compute(&operands)[0]).unwrap()
    }
}

/// Boundary values, and some arbitrary ones.
pub(super) fn interesting(seed: u64) -> impl Iterator<Item = u32> {
    const CORNERS: [u32; 14] = [
        0,
        1,
        2,
        31,
        32,
        33,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0001,
        0xFFFF_FFFF,
        0x8080_8080,
        0x7F80_0000,
        0x3F80_0000,
        0x0000_8000,
    ];
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let word = (state >> 20) as u32;
        match state % 4 {
            0 => CORNERS[(word % 14) as usize],
            1 => word % 70,
            _ => word,
        }
    })
}

/// Where the guard does not hold, the results are the `else` values, or there are none.
#[test]
fn guards_choose_between_the_result_and_the_alternative() {
    let mut context = Context::new();
    let text = "%z = ori.brev %a if not %b else %c : (!ori.r, !ori.p, !ori.r) -> !ori.r";
    let op = operation(&mut context, &["r", "p", "r"], text);
    let evaluate = |bits: &[Bits]| super::evaluate(&context, op, bits);
    assert_eq!(evaluate(&[1, 0, 7]), Some(vec![0x8000_0000]));
    assert_eq!(evaluate(&[1, 1, 7]), Some(vec![7]));
    let mut context = Context::new();
    let text = "%z = ori.brev %a if %b : (!ori.r, !ori.p) -> !ori.r";
    let op = operation(&mut context, &["r", "p"], text);
    assert_eq!(super::evaluate(&context, op, &[1, 0]), None);
    assert_eq!(
        super::evaluate(&context, op, &[1, 1]),
        Some(vec![0x8000_0000])
    );
}

/// Every operation that computes without effects and without other lanes has semantics.
#[test]
fn pure_operations_have_semantics() {
    use orison_ir::declare::Effects;
    // They read inputs that are not operands: constant banks, special registers, symbols, other
    // lanes.
    let outside = [
        "ori.s2r",
        "ori.s2ur",
        "ori.cbank",
        "ori.undef",
        "ori.address_of",
        "ori.slot_address",
        "ori.ldc",
        "ori.uldc",
        "ori.ldcu",
        "ori.createpolicy",
        "ori.createpolicy_range",
        // Its use of the random bits is unknown.
        "ori.f2fp_rs",
        "ori.mapa",
        "ori.qspc",
        "ori.r2ur",
        "ori.hmma",
        "ori.imma",
        "ori.qmma",
        "ori.bmma",
        "ori.dmma",
        "ori.hmma_sp",
        "ori.imma_sp",
        "ori.qmma_sp",
        "ori.qmma_sf",
        "ori.omma_sf",
        "ori.bra",
        "ori.cond_bra",
        "ori.brx",
        "ori.nop",
        "ori.txq",
    ];
    for definition in crate::operations::OPERATIONS {
        let pure = matches!(definition.effects, Effects::None);
        let known = super::table::function_of(definition.name).is_some();
        let expected = pure && !outside.contains(&definition.name);
        assert_eq!(known, expected, "{}", definition.name);
    }
}
