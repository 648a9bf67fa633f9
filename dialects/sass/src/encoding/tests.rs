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
        let wrong: Vec<_> = table
            .unreadable
            .iter()
            .filter(|line| !line.contains("a["))
            .collect();
        assert!(wrong.is_empty(), "{machine}: {wrong:#?}");
        assert!(
            table.forms.len() > 500,
            "{machine}: {} forms",
            table.forms.len()
        );
    }
}

#[test]
fn floats_are_printed_and_read() {
    use floats::Format::{Bf16, F16, F32, F64};
    for (format, bits, text) in [
        (F32, 0, "0"),
        (F32, 0x8000_0000, "-0.0"),
        (F32, 0x3f80_0000, "1"),
        (F32, 0x3dcc_cccd, "0.10000000149011611938"),
        (F32, 0xff80_0000, "-INF"),
        (F32, 1, "1.4012984643248170709e-45"),
        (F32, 0x7f7f_ffff, "3.40282346638528859812e+38"),
        (F32, 0x4e6e_6b28, "1.00000000000000000000e+09"),
        (F32, 0x4b80_0000, "16777216"),
        (F64, 0x3f80_0000, "0.0078125"),
        (F64, 0x7f80_0000, "1.40444776161118430291e+306"),
        (F16, 0x3555, "0.333251953125"),
        (F16, 1, "5.9604644775390625e-08"),
        (Bf16, 0x3dcc, "0.099609375"),
        (Bf16, 1, "9.183549615799121156e-41"),
    ] {
        assert_eq!(format.text(bits), text);
        assert_eq!(format.bits(text), Some(bits), "{text}");
    }
    // What ptxas writes for NaN has all bits.
    assert_eq!(F32.bits("+QNAN"), Some(0x7fff_ffff));
    assert_eq!(F32.text(0x7fc0_0000), "+QNAN");
    assert_eq!(F32.bits("1e39"), None);
    assert_eq!(F32.bits("0.1"), None);
    assert_eq!(F16.bits("65536"), None);
}
