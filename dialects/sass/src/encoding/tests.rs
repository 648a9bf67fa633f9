use super::*;
use crate::control::{Barrier, Stall};

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

/// Every line of the tables is read, for every machine; operands of graphics that are not parsed
/// (`a[R1]`) are the only exceptions.
#[test]
fn tables_are_read() {
    for machine in MACHINES {
        let Some(table) = table::of(machine) else {
            panic!("{machine} has no table");
        };
        let unreadable = (0..table.len()).filter(|place| table.at(*place).is_none());
        let wrong: Vec<_> = unreadable
            .map(|place| table.line(place))
            .filter(|line| !line.contains("a["))
            .collect();
        assert!(wrong.is_empty(), "{machine}: {wrong:#?}");
        assert!(table.len() > 500, "{machine}: {} forms", table.len());
    }
}
