use super::information::{Record, Value, Word, attribute, attributes, bytes, records};
use super::*;

#[test]
fn the_table_of_attributes_is_well_formed() {
    let all: toml::Table = toml::from_str(include_str!("attributes.toml")).expect("the table");
    assert_eq!(all.len(), attributes().len());
    let mut names: Vec<&str> = attributes()
        .values()
        .map(|found| found.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
    for (number, found) in attributes() {
        assert_eq!(attribute(&found.name), Some(*number));
    }
}

#[test]
fn records_are_read_as_they_are_written() {
    let all = [
        Record::flag("UNNAMED_35"),
        Record::byte("NUM_BARRIERS", 3),
        Record::half("MAXREG_COUNT", 255),
        Record::words("EXIT_INSTR_OFFSETS", &[0x10, 0x20]),
        Record::words("EXTERNS", &[]),
    ];
    let written = bytes(&all);
    assert_eq!(written[..4], [1, 0x35, 0, 0]);
    assert_eq!(written[4..8], [2, 0x4c, 3, 0]);
    assert_eq!(records(&written), Ok(all.to_vec()));
    for end in 1..written.len() {
        if let Ok(found) = records(&written[..end]) {
            assert!(found.len() < all.len());
        }
    }
    assert_eq!(
        records(&[9, 0, 0, 0]),
        Err(CubinError("has a record of format 9".to_owned()))
    );
    assert_eq!(
        records(&[4, 0, 1, 0]),
        Err(CubinError("ends within a record".to_owned()))
    );
}

#[test]
fn words_are_what_the_table_says() {
    use Word::{Address, Block, Symbol, Unknown, Value as Number};
    for (name, words, expected) in [
        ("REGCOUNT", vec![7, 32], vec![Symbol, Number]),
        ("EXIT_INSTR_OFFSETS", vec![16, 32], vec![Address, Address]),
        (
            "ANNOTATIONS",
            vec![1, 16, 2, 32],
            vec![Number, Address, Unknown, Unknown],
        ),
        (
            "INDIRECT_BRANCH_TARGETS",
            vec![48, 0, 2, 64, 0],
            vec![Address, Number, Number, Block, Block],
        ),
        // There are fewer blocks than it says.
        (
            "INDIRECT_BRANCH_TARGETS",
            vec![48, 0, 2, 64],
            vec![Address, Number, Unknown, Unknown],
        ),
    ] {
        assert_eq!(Record::words(name, &words).kinds(), expected, "{name}");
    }
    let odd = Record {
        attribute: 0x1c,
        value: Value::Data(vec![1, 2, 3]),
    };
    assert!(odd.kinds().is_empty());
}

#[test]
fn names_have_the_first_place_that_is_theirs() {
    let mut table = StringTable::new(b"\0ab\0b\0ab\0".to_vec());
    assert_eq!(table.find("ab"), Some(1));
    // Not the end of another name.
    assert_eq!(table.find("b"), Some(4));
    assert_eq!(table.find("c"), None);
    assert_eq!(table.intern("b"), 4);
    assert_eq!(table.intern("c"), 9);
    assert_eq!(table.bytes(), b"\0ab\0b\0ab\0c\0");
}

#[test]
fn kinds_of_relocations_have_one_name_each() {
    let mut numbers: Vec<u32> = relocation::KINDS.iter().map(|kind| kind.number).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), relocation::KINDS.len());
    assert!(numbers.is_sorted());
    for kind in relocation::KINDS {
        assert_eq!(relocation::named(kind.name), relocation::kind(kind.number));
    }
}

/// A file of version 7 of the binary interface has the machine elsewhere in its flags.
#[test]
fn the_machine_is_in_the_flags() {
    let mut cubin = Cubin {
        kind: Kind::Executable,
        abi_version: 7,
        flags: 0x5a0d5a,
        version: 129,
        sections: Vec::new(),
    };
    assert_eq!(cubin.machine(), "sm_90a");
    cubin.flags = 0x500550;
    assert_eq!(cubin.machine(), "sm_80");
    cubin.abi_version = 8;
    cubin.flags = 0x600_6402;
    assert_eq!(cubin.machine(), "sm_100");
}
