use super::*;
use crate::control::{Barrier, Stall};
use crate::instruction::{Imported, Scheduled, parse};

/// `@!P0 LDG.E R20, [R2.64]` of sm_80, with nvdisasm's text.
fn load(text: &str) -> Scheduled<'static> {
    let encoding = Encoding {
        low: 0x0000_0004_0214_8981,
        high: 0x000e_a200_0c1e_1900,
    };
    Scheduled {
        imported: Some(Imported {
            encoding,
            fingerprint: None,
        }),
        ..Scheduled::new(parse(text).expect("an instruction"))
    }
}

#[test]
fn an_encoding_agrees_with_its_text() {
    assert_eq!(disagreement(&load("@!P0 LDG.E R20, [R2.64]")), None);
}

/// The sign of the guard is bit 15, its predicate bits 12 to 14.
#[test]
fn another_guard_disagrees() {
    for text in [
        "@P0 LDG.E R20, [R2.64]",
        "@!P1 LDG.E R20, [R2.64]",
        "LDG.E R20, [R2.64]",
    ] {
        let found = disagreement(&load(text)).expect(text);
        assert!(found.contains("guard"), "{found}");
    }
}

#[test]
fn a_register_that_is_not_encoded_disagrees() {
    for (text, register) in [
        ("@!P0 LDG.E R21, [R2.64]", "R21"),
        ("@!P0 LDG.E R20, [R6.64]", "R6"),
    ] {
        let found = disagreement(&load(text)).expect(text);
        assert!(found.contains(register), "{found}");
    }
}

/// Bits 105 to 125 are replaced, whatever they were; all others stay.
#[test]
fn another_control_word_replaces_the_old_one() {
    let old = Encoding {
        low: u64::MAX,
        high: u64::MAX,
    };
    let word = ControlWord {
        stall: Stall::at_most(4),
        write_barrier: Barrier::new(2),
        ..ControlWord::PLAIN
    };
    let new = old.with_control(&word).expect("encoded");
    assert_eq!(new.control(), Ok(word));
    assert_eq!(new.without_control(), old.without_control());
    assert_eq!(new.low, old.low);
    // Bits 126 and 127 are not part of it.
    assert_eq!(new.high >> 62, 3);
    assert_eq!(new.high & 0x1ff_ffff_ffff, 0x1ff_ffff_ffff);
}

#[test]
fn fields_cross_the_halves() {
    let encoding = Encoding {
        low: 1 << 63,
        high: 0b101,
    };
    assert_eq!(encoding.field(63, 4), 0b1011);
    assert_eq!(encoding.field(64, 3), 0b101);
    assert_eq!(Encoding::from_bytes(encoding.to_bytes()), encoding);
}
