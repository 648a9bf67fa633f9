use orison_sass::control::{Bundle23, Inline21};

use super::*;
use crate::sass::test_support::{function, real_functions};

fn findings(lines: &str, layout: &dyn ControlLayout) -> Vec<(Check, u32, bool)> {
    let model = LatencyModel::for_machine(90).expect("a model");
    let found = verify(&function("sm_90a", lines), model, layout);
    found
        .iter()
        .map(|finding| (finding.check, finding.instruction, finding.lint))
        .collect()
}

const PLAIN: RawWord = RawWord {
    stall: 1,
    yields: false,
    write_barrier: RawWord::NONE,
    read_barrier: RawWord::NONE,
    wait: 0,
    reuse: 0,
};

fn raw(word: RawWord) -> Vec<Check> {
    check_raw(0, &word, 90)
        .iter()
        .map(|finding| finding.check)
        .collect()
}

#[test]
fn stall_bounds() {
    assert_eq!(raw(PLAIN), []);
    assert_eq!(
        raw(RawWord {
            stall: 15,
            yields: true,
            ..PLAIN
        }),
        []
    );
    assert_eq!(
        raw(RawWord {
            stall: 16,
            yields: true,
            ..PLAIN
        }),
        [Check::StallBounds]
    );
    assert_eq!(raw(RawWord { stall: 39, ..PLAIN }), [Check::StallBounds]);
}

#[test]
fn barrier_index() {
    assert_eq!(
        raw(RawWord {
            write_barrier: 5,
            read_barrier: 0,
            ..PLAIN
        }),
        []
    );
    assert_eq!(
        raw(RawWord {
            write_barrier: 6,
            ..PLAIN
        }),
        [Check::BarrierIndex]
    );
    assert_eq!(
        raw(RawWord {
            read_barrier: 8,
            ..PLAIN
        }),
        [Check::BarrierIndex]
    );
    let both = RawWord {
        write_barrier: 6,
        read_barrier: 6,
        ..PLAIN
    };
    assert_eq!(raw(both), [Check::BarrierIndex, Check::BarrierIndex]);
}

#[test]
fn wait_mask() {
    assert_eq!(
        raw(RawWord {
            wait: 0x3f,
            ..PLAIN
        }),
        []
    );
    assert_eq!(
        raw(RawWord {
            wait: 0x40,
            ..PLAIN
        }),
        [Check::WaitMask]
    );
    let never = "B---3--:R-:W-:-:S05 EXIT";
    assert_eq!(findings(never, &Inline21), [(Check::WaitMask, 0, true)]);
    let armed = "B------:R-:W3:-:S02 MUFU.RCP R0, R1
        B---3--:R-:W-:-:S05 EXIT";
    assert_eq!(findings(armed, &Inline21), []);
}

#[test]
fn completeness() {
    let lines = |barrier: &str| {
        format!(
            "B------:R-:W{barrier}:-:S02 MUFU.RCP R0, R1
             B------:R-:W-:-:S05 FADD R2, R0, R0"
        )
    };
    assert_eq!(
        findings(&lines("-"), &Inline21),
        [(Check::Completeness, 1, false)]
    );
    // It has one, but no instruction waits.
    assert_eq!(
        findings(&lines("1"), &Inline21),
        [(Check::Integrity, 1, false)]
    );
    // The scoreboard of a later operation of the queue suffices.
    let later = "B------:R-:W-:-:S01 MUFU.RCP R0, R1
        B------:R-:W1:-:S02 MUFU.RCP R3, R1
        B-1----:R-:W-:-:S05 FADD R2, R0, R0";
    assert_eq!(findings(later, &Inline21), []);
}

#[test]
fn format() {
    // A slot of the page has no space for reuse flags, but a mask of read barriers.
    let kept = "B------:R-:W-:-:S05:K-a FADD R2, R0.reuse, R1";
    let kept = kept.replace(":K-a", "");
    assert_eq!(findings(&kept, &Inline21), [(Check::Format, 0, false)]);
    let fits = "B------:R-:W-:-:S05 FADD R2, R0, R1";
    assert_eq!(findings(fits, &Inline21), []);
    assert_eq!(findings(fits, &Bundle23), []);
}

#[test]
fn yields() {
    assert_eq!(
        findings("B------:R-:W-:-:S12 NOP", &Inline21),
        [(Check::Yield, 0, false)]
    );
    assert_eq!(findings("B------:R-:W-:Y:S12 NOP", &Inline21), []);
    assert_eq!(raw(RawWord { stall: 0, ..PLAIN }), [Check::Yield]);
    assert_eq!(
        raw(RawWord {
            yields: true,
            reuse: 1,
            ..PLAIN
        }),
        [Check::Yield]
    );
}

#[test]
fn integrity() {
    let lines = "B------:R-:W-:-:S03 IADD3 R0, R1, R2, RZ
        B------:R-:W-:-:S05 IADD3 R3, R0, R2, RZ";
    assert_eq!(findings(lines, &Inline21), [(Check::Integrity, 1, false)]);
}

/// Every check fails in some test above, and none on real code; the lint is rare there.
#[test]
fn real_code_passes() {
    let mut lints = 0;
    for (name, function) in real_functions() {
        let model = LatencyModel::for_target(&function.target).expect("a model");
        for finding in verify(&function, model, &Inline21) {
            assert!(finding.lint, "{name} {}: {finding}", function.name);
            lints += usize::from(!name.contains(".O0."));
        }
    }
    assert!(lints < 20, "{lints}");
}
