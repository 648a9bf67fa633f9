use super::*;

fn word(text: &str) -> ControlWord {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The control bits of the high half of an encoding.
fn bits(high: u64) -> u32 {
    u32::try_from(high >> 41 & 0x1f_ffff).unwrap()
}

#[test]
fn the_word_of_the_reference() {
    // Reference 10.1: Hopper, ISETP.GE.AND P0, PT, R5, UR4, PT.
    let decoded = Inline21.decode(bits(0x000f_da00_0bf0_6270)).unwrap();
    assert_eq!(decoded, word("B------:R-:W-:Y:S13"));
    // Reference 10.1: the code of B0-2---:R1:W3:Y:S05 is wait, read, write, flag, stall.
    let readable = word("B0-2---:R1:W3:Y:S05");
    let code = 0b101 << 11 | 1 << 8 | 3 << 5 | 5;
    assert_eq!(Inline21.encode(&readable).unwrap(), code);
}

#[test]
fn words_of_real_code() {
    for (high, text) in [
        (0x000e_2200_0000_0a00, "B------:R-:W0:-:S01"),
        (0x001f_c600_0f8e_c03f, "B0-----:R-:W-:Y:S03"),
        (0x000f_e800_0c10_1904, "B------:R-:W-:-:S04"),
        (0x040f_e200_03f0_e000, "B------:R-:W-:-:S01:Ua"),
        (0x0032_1e00_0000_0800, "B01----:R1:W0:Y:S15"),
    ] {
        let decoded = Inline21.decode(bits(high)).unwrap();
        assert_eq!(decoded.to_string(), text);
        assert_eq!(Inline21.encode(&decoded).unwrap(), bits(high));
    }
}

#[test]
fn every_word_of_21_bits_goes_both_ways_or_is_refused() {
    let mut refused = 0u32;
    for bits in 0..1u32 << 21 {
        match Inline21.decode(bits) {
            Ok(decoded) => assert_eq!(Inline21.encode(&decoded), Ok(bits)),
            Err(_) => refused += 1,
        }
    }
    // Barrier 6 as write or as read barrier; those counted twice are subtracted.
    assert_eq!(refused, (1 << 18) + (1 << 18) - (1 << 15));
}

#[test]
fn the_readable_form_goes_both_ways() {
    // Every barrier and a sample of the other fields.
    for bits in (0..1u32 << 21).step_by(37) {
        if let Ok(decoded) = Inline21.decode(bits) {
            assert_eq!(word(&decoded.to_string()), decoded);
        }
    }
}

#[test]
fn what_is_not_a_word_is_refused() {
    for (text, part) in [
        ("", "six barriers"),
        ("B0-2---", "ends before the read barrier"),
        ("B0-2--:R1:W3:Y:S05", "six barriers"),
        ("B1-----:R1:W3:Y:S05", "six barriers"),
        ("B------:R6:W3:Y:S05", "barrier number or '-'"),
        ("B------:R-:R3:Y:S05", "'W'"),
        ("B------:R-:W-:N:S05", "'Y' or '-'"),
        ("B------:R-:W-:Y:S16", "up to 15"),
        ("B------:R-:W-:Y:S5", "two digits"),
        ("B------:R-:W-:Y:S05:U", "slots"),
        ("B------:R-:W-:Y:S05:Uba", "in order"),
        ("B------:R-:W-:Y:S05:Uaa", "in order"),
        ("B------:R-:W-:Y:S05:Ue", "slots of 'abcd'"),
        ("B------:R-:W-:Y:S+5", "two digits"),
        ("B------:R-:W-:y:S05", "expected 'Y' or '-', found 'y'"),
        ("B------:R-:W-:Y", "ends before the stall count"),
        (
            "B------:R-:W-:Y:S05:Ua:x",
            "unexpected 'x' after the control word",
        ),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn the_layout_of_the_page() {
    let readable = word("B0-2---:R1:W3:Y:S05");
    let slot = 5 | 1 << 4 | 3 << 5 | 0b10 << 8 | 0b101 << 14;
    assert_eq!(Bundle23.encode(&readable), Ok(slot));
    assert_eq!(Bundle23.decode(slot), Ok(readable));
    let words = [readable, ControlWord::PLAIN, word("B------:R-:W5:-:S02")];
    let packed = Bundle23.pack(&words).unwrap();
    assert_eq!(packed >> 69, 0);
    assert_eq!(Bundle23.unpack(packed), Ok(words));
}

#[test]
fn lossy_conversions_are_refused() {
    let kept = word("B------:R-:W-:-:S01:Uac");
    let error = Bundle23.encode(&kept).unwrap_err().to_string();
    assert!(error.contains("no room for reuse flags"), "{error}");
    for (layout, bits, part) in [
        (
            &Bundle23 as &dyn ControlLayout,
            0b11 << 8 | 7 << 5,
            "0b000011 names several read barriers",
        ),
        (&Bundle23, 1 << 20 | 7 << 5, "the reserved bits of a slot"),
        (&Bundle23, 1 << 22 | 7 << 5, "the reserved bits of a slot"),
        (&Bundle23, 1 << 23, "more than the 23 bits"),
        (&Inline21, 1 << 21, "more than the 21 bits"),
    ] {
        let error = layout.decode(bits).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let error = Bundle23.unpack(1 << 69).unwrap_err().to_string();
    assert!(error.contains("the 59 bits above the slots"), "{error}");
}

#[test]
fn rules_find_what_they_are_about() {
    for (text, rules) in [
        ("B------:R-:W-:-:S11", &[][..]),
        ("B------:R-:W-:-:S12", &[Rule::LongStallYields][..]),
        ("B------:R-:W-:Y:S15", &[]),
        ("B------:R-:W-:-:S00", &[Rule::ZeroStallYields]),
        ("B------:R-:W-:Y:S00", &[]),
        ("B------:R-:W-:Y:S02:Ub", &[Rule::ReuseStays]),
        ("B------:R-:W-:-:S02:Ub", &[]),
        ("B------:R2:W2:-:S02", &[]),
        ("B------:R-:W-:-:S02:Ud", &[Rule::ThreeSlots]),
    ] {
        let found: Vec<Rule> = check(&word(text), 90)
            .iter()
            .map(|found| found.rule)
            .collect();
        assert_eq!(found, rules, "{text}");
    }
}
