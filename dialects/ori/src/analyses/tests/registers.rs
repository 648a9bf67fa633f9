//! Register pressure.

use orison_ir::analyses::Liveness;

use super::function;
use crate::Register;
use crate::analyses::pressure::{RegisterClass, RegisterCounts, RegisterPressure};

/// The maximum number of registers of a class. The arguments of the function are live from its
/// beginning only if used.
fn most(body: &str, class: RegisterClass) -> u32 {
    let program = function(body);
    let flow = program.flow();
    let liveness = Liveness::of(&program.context, &flow);
    let pressure = RegisterPressure::of(&program.context, &flow, &liveness);
    let blocks = 0..u32::try_from(flow.block_count()).expect("small");
    let each = blocks.map(|block| pressure.block(block).get(class));
    assert_eq!(each.max(), Some(pressure.max().get(class)));
    pressure.max().get(class)
}

const TYPES: &str = "(!ori.r, !ori.r, !ori.r) -> !ori.r";

/// The arguments of the function need 2 registers, 2 pairs, 1 + 2 uniform ones, a predicate and a
/// uniform one.
#[test]
fn values_need_registers_of_their_class_and_width() {
    assert_eq!(most("ori.ret", RegisterClass::General), 6);
    assert_eq!(most("ori.ret", RegisterClass::Uniform), 3);
    assert_eq!(most("ori.ret", RegisterClass::Predicate), 1);
    assert_eq!(most("ori.ret", RegisterClass::UniformPredicate), 1);
    assert_eq!(most("ori.ret", RegisterClass::Barrier), 0);
    for (register, class, count) in [
        (Register::R, RegisterClass::General, 1),
        (Register::R64, RegisterClass::General, 2),
        (Register::R128, RegisterClass::General, 4),
        (Register::Accumulator(9), RegisterClass::General, 9),
        (Register::Ur, RegisterClass::Uniform, 1),
        (Register::Ur64, RegisterClass::Uniform, 2),
        (Register::P, RegisterClass::Predicate, 1),
        (Register::Up, RegisterClass::UniformPredicate, 1),
        (Register::B, RegisterClass::Barrier, 1),
    ] {
        assert_eq!(RegisterClass::of(register), (class, count));
        let mut counts = RegisterCounts::default();
        counts.add(register);
        assert_eq!(counts.get(class), count);
        counts.remove(register);
        assert_eq!(counts, RegisterCounts::default());
    }
}

/// `%a`, `%b` and `%c` are live together with `%d` and `%e`: 3 + 4 registers. A result counts during
/// its operation even if unused; an operand at its last use does not count in addition.
#[test]
fn values_are_counted_from_their_definition_to_their_last_use() {
    let chain = |last: &str| {
        format!(
            "%a = ori.popc %r : (!ori.r) -> !ori.r\n\
             %b = ori.popc %a : (!ori.r) -> !ori.r\n\
             %c = ori.popc %b : (!ori.r) -> !ori.r\n{last}\
             ori.stg <b64> [%d], %e : (!ori.r64, !ori.r64) -> ()\nori.ret"
        )
    };
    let all = chain(&format!("%g = ori.iadd3 %a, %b, %c : {TYPES}\n"));
    assert_eq!(most(&all, RegisterClass::General), 7);
    // At the beginning: %r, %d and %e; %x is not used.
    assert_eq!(most(&chain(""), RegisterClass::General), 6);
    let wide =
        chain("%w = ori.undef : !ori.r\n%g = ori.ldg <b256> [%d] : (!ori.r64) -> !ori.acc<8>\n");
    assert_eq!(most(&wide, RegisterClass::General), 8 + 4);
}

#[test]
fn values_of_operand_slots_need_no_register() {
    for value in [
        "%y = ori.imm 7 : !ori.r64",
        "%y = ori.cbank[0, 352] : !ori.r64",
        "%y = ori.undef : !ori.r64",
    ] {
        let body = format!(
            "{value}\n%a = ori.undef : !ori.r128\n\
             ori.stg <b64> [%d], %y : (!ori.r64, !ori.r64) -> ()\nori.ret"
        );
        assert_eq!(most(&body, RegisterClass::General), 6, "{value}");
    }
}

/// A value that is live across a block without uses is counted there.
#[test]
fn values_live_through_a_block_are_counted_in_it() {
    let body = "%a = ori.ldg <b128> [%d] : (!ori.r64) -> !ori.r128\n\
                %b = ori.ldg <b128> [%d + 16] : (!ori.r64) -> !ori.r128\n\
                ori.cond_bra %p, ^mid, ^end : !ori.p\n\
                ^mid:\n%c = ori.popc %x : (!ori.r) -> !ori.r\n\
                ori.sts <b32> [%x], %c : (!ori.r, !ori.r) -> ()\nori.bra ^end\n\
                ^end:\nori.stg <b128> [%e], %a : (!ori.r64, !ori.r128) -> ()\n\
                ori.stg <b128> [%e + 16], %b : (!ori.r64, !ori.r128) -> ()\nori.ret";
    // In `mid`: %a and %b (8), %e (2), %x and %c (2).
    let program = function(body);
    let flow = program.flow();
    let liveness = Liveness::of(&program.context, &flow);
    let pressure = RegisterPressure::of(&program.context, &flow, &liveness);
    assert_eq!(pressure.block(1).get(RegisterClass::General), 12);
    assert_eq!(pressure.block(2).get(RegisterClass::General), 10);
}
