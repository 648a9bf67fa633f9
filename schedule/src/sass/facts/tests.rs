use orison_sass::registers::Register;

use super::*;
use crate::sass::latency::TableFile;
use crate::sass::test_support::function;

fn facts(line: &str) -> FunctionFacts {
    let model = LatencyModel::for_machine(90).expect("a model");
    FunctionFacts::new(
        &function("sm_90a", &format!("B------:R-:W-:-:S05 {line}")),
        model,
    )
}

fn names(registers: impl Iterator<Item = RegisterNumber>) -> Vec<String> {
    registers
        .map(|found| found.register().to_string())
        .collect()
}

#[test]
fn registers_and_actions() {
    let load = facts("@P1 LDG.E.64 R2, desc[UR4][R8.64+0x10]");
    assert_eq!(
        names(load.writes(0).iter().map(|write| write.register)),
        ["R2", "R3"]
    );
    assert_eq!(
        names(load.reads(0).iter().map(|read| read.register)),
        ["P1", "UR4", "UR5", "R8", "R9"]
    );
    let queued: Vec<bool> = load.reads(0).iter().map(|read| read.queued).collect();
    assert_eq!(queued, [false, false, false, true, true]);
    assert!(load.fact(0).guarded);
    let memory = &load.fact(0).memory;
    assert_eq!(
        (memory.len(), memory[0].space, memory[0].writes),
        (1, Space::Global, false)
    );
    let place = memory[0].place.as_ref().expect("a place");
    assert_eq!((place.offset, place.bytes), (16, 8));
    assert_eq!(
        place.registers,
        [RegisterNumber::of(Register::general(8)).expect("a number")]
    );
    let product = facts("HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, gsb0");
    assert_eq!(product.fact(0).action, Action::Product { closes: true });
    assert!(
        product
            .reads(0)
            .iter()
            .filter(|read| read.register.file() == TableFile::General)
            .all(|read| read.accumulator)
    );
    assert_eq!(
        facts("WARPGROUP.DEPBAR.LE gsb0, 0x1").fact(0).action,
        Action::WaitGroups { left: 1 }
    );
    let Action::WaitScoreboard {
        barrier,
        left,
        others,
    } = facts("DEPBAR.LE SB0, 0x2").fact(0).action
    else {
        panic!("no wait");
    };
    assert_eq!((barrier.index(), left, others.is_empty()), (0, 2, true));
    let Action::WaitScoreboard { left, others, .. } = facts("DEPBAR {5,4,3,2,1,0}").fact(0).action
    else {
        panic!("no wait");
    };
    assert_eq!((left, others.mask()), (0, 0x3f));
    assert_eq!(
        facts("BAR.SYNC.DEFER_BLOCKING 0x0").fact(0).action,
        Action::Synchronize
    );
}
