use super::table::Table;
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

/// Lines in which every notation of operands occurs.
const LINES: &str = "\
1 2; 111; 77=0; -; 92+13; P; FOO{78:.A}; {R 16+8}; ?{P 81+3}; [{R? 24+8}+{n 40+24su}]; ?{g 67:!}{P 64+3~}
1; 111; 77=1; 77; 92+13; P; FOO.B; {UR 16+8}; {UR 16+8|1}; {S 32+6}
2; 112; 77=1; 77; 92+13; P; BAR; {R 16+8}
";

/// That bits are decoded to a text, and encoded to the same bits.
fn check(table: &Table, bits: u128, text: &str) {
    let found = decode::by_table(table, bits, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(found.to_string(), text);
    let parsed = crate::instruction::parse(text).expect(text);
    let back =
        encode::by_table(table, &parsed, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(format!("{:x}", back.bits()), format!("{bits:x}"), "{text}");
}

#[test]
fn operands_that_are_not_always_shown() {
    let table = Table::of_machine("1", LINES);
    // Guard PT, R1 in bits 16 to 23; PT in bits 81 to 83 and, inverted, in 64 to 66.
    let plain: u128 = 0x111 | 7 << 12 | 1 << 16 | 7 << 81;
    let zero: u128 = 0xff << 24;
    let minus: u128 = 0xff_fff8 << 40;
    check(&table, plain | 2 << 24, "FOO R1, [R2]");
    check(&table, plain | 2 << 24 | minus, "FOO R1, [R2+-0x8]");
    check(&table, plain | zero, "FOO R1, [RZ]");
    // Without a register, the number has no sign.
    check(&table, plain | zero | minus, "FOO R1, [0xfffff8]");
    check(
        &table,
        plain | zero | 16 << 40 | 1 << 78,
        "FOO.A R1, [0x10]",
    );
    // The first of two operands that are not always shown is the one that is.
    check(&table, plain ^ (7 ^ 2) << 81 | zero, "FOO R1, P2, [RZ]");
    check(&table, plain | zero | 5 << 64, "FOO R1, [RZ], P2");
    check(&table, plain | zero | 8 << 64, "FOO R1, [RZ], !PT");
    check(
        &table,
        plain ^ 7 << 81 | zero | 13 << 64,
        "FOO R1, P0, [RZ], !P2",
    );
}

#[test]
fn registers_of_others_and_sets_of_scoreboards() {
    let table = Table::of_machine("1", LINES);
    let plain: u128 = 0x111 | 7 << 12 | 4 << 16 | 1 << 77;
    check(&table, plain | 0b101_001 << 32, "FOO.B UR4, UR5, {5,3,0}");
    let parsed = crate::instruction::parse("FOO.B UR4, UR6, {0}").expect("an instruction");
    let error = encode::by_table(&table, &parsed, 0).expect_err("UR6 is not UR5");
    assert_eq!(error.operand, Some(1));
    assert!(error.message.contains("another operand"), "{error}");
}

/// A machine has only the lines that name it.
#[test]
fn lines_belong_to_machines() {
    let table = Table::of_machine("2", LINES);
    assert_eq!(table.len(), 2);
    let missing = decode::by_table(&table, 0x111 | 1 << 77, 0);
    assert_eq!(missing, Err(DecodeError::Form(0x111)));
    let found = decode::by_table(&table, 0x112 | 1 << 77 | 7 << 12, 0);
    assert_eq!(
        found.map(|found| found.to_string()),
        Ok("BAR R0".to_owned())
    );
    let other = decode::by_table(&table, 0x113, 0);
    assert_eq!(other, Err(DecodeError::Opcode(0x113)));
}
