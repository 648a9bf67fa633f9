use super::*;
use crate::registers::RegisterFile;

/// Output of nvdisasm 13.2 for real instructions.
const REAL: &[&str] = &[
    "@P0 EXIT",
    "@!UP1 UMOV UR11, UR7",
    "LDC R1, c[0x0][0x28]",
    "LDC R0, c[0x0][R0+0x210]",
    "ULDC UR5, c[0x3][UR8+-0x4]",
    "IADD3 R15, P0, R7, -c[0x0][0x160], RZ",
    "IADD3.X R37, PT, PT, R58, UR5, R39, P2, P3",
    "IMAD.X R18, R11, 0x1, ~R8, P0",
    "FSETP.GTU.FTZ.AND P1, PT, |R3|, +INF , PT",
    "FSETP.GT.AND P5, PT, |R46|.reuse, 8.50705917302346158658e+37, PT",
    "HADD2.F32 R8, -RZ, R24.reuse.H0_H0",
    "FADD2 R18, R18.F32x2.HI_LO, -R40.reuse.F32",
    "IMMA.16832.S8.S8 R12, R4.reuse.ROW, R4.reuse.COL, R12",
    "LDGSTS.E.BYPASS.128 [R15+0x800], desc[UR6][R8.64+-0x800]",
    "STS [R0.X4+0x200], RZ",
    "LDS R7, [UR4+0x30]",
    "ATOMS.POPC.INC.32 RZ, [R20.X4+URZ]",
    "HGMMA.64x128x16.F32 R88, gdesc[UR20].tnspB, R88, gsb0",
    "UTCHMMA gdesc[UR24], gdesc[UR26], tmem[UR28], tmem[UR4], idesc[UR5], !UPT",
    "STTM.16dp32bit_t16_t31.x32 tmem[UR9+0x20], RZ",
    "DEPBAR.LE SB0, 0x1",
    "DEPBAR {5,4,3,2,1,0}",
    "BSSY.RECONVERGENT B0, `(.L_x_0)",
    "RET.REL.NODEC R4 `(call_callee_own_stage)",
    "RET.ABS.NODEC R20 0x0",
    "BRX R6 -0x170 (*\"BRANCH_TARGETS .L_x_65,.L_x_66\"*)",
    "STL [R1+0x8], R24 (*\"SpillRefill\"*)",
    "MOV R20, 32@lo((call_extern_in_stage + .L_x_0@srel))",
    "P2R R146, PR, RZ, 0x20",
    "S2UR UR18, SR_CTAID.X",
    "CS2R R26, SRZ",
    "@!PT LDS RZ, [RZ]",
    "UTMALDG.2D [UR8], [UR4], desc[UR10]",
];

#[test]
fn real_instructions_go_both_ways() {
    for text in REAL {
        let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(parsed.to_string(), *text);
        let known = |operand: &Operand| !matches!(operand, Operand::Other(_));
        assert!(parsed.operands.iter().all(known), "{text}");
    }
}

#[test]
fn parts_are_where_they_belong() {
    let parsed = parse("@!P2 LDG.E.128 R10, desc[UR6][R2.64+-0x800]").unwrap();
    assert_eq!(parsed.mnemonic.base(), "LDG");
    assert!(parsed.mnemonic.has("128") && !parsed.mnemonic.has("12"));
    let guard = parsed.guard.unwrap();
    assert!(guard.negated && guard.predicate == Register::predicate(2));
    let Operand::Memory(memory) = &parsed.operands[1] else {
        panic!("{:?}", parsed.operands[1]);
    };
    assert_eq!(memory.descriptor, Some(Register::uniform(6)));
    assert_eq!(memory.address.offset, Some(-0x800));
    assert_eq!(&*memory.address.registers[0].selector, "64");
}

#[test]
fn numbers_have_values() {
    let value = |text: &str| match parse_operand(text).unwrap() {
        Operand::Immediate(number) => (number.integer(), number.float()),
        other => panic!("{other:?}"),
    };
    assert_eq!(value("-0x10"), (Some(-16), None));
    assert_eq!(value("0xffffffffffffffff"), (None, None));
    assert_eq!(value("-1.5"), (None, Some(-1.5)));
    assert_eq!(value("+INF").1, Some(f64::INFINITY));
    assert!(value("-QNAN").1.unwrap().is_nan());
}

#[test]
fn broken_instructions_are_refused_where_they_break() {
    for (text, offset, part) in [
        ("", 0, "mnemonic"),
        ("mov R0, R1", 0, "mnemonic"),
        ("MOV. R0", 0, "mnemonic"),
        ("MOV,R0", 3, "blank"),
        ("@R0 MOV R0, R1", 0, "not a predicate"),
        ("@P7 MOV R0, R1", 0, "not a predicate"),
        ("MOV R0, R255", 8, "does not exist"),
        ("MOV R0, ", 7, "after the comma"),
        ("MOV R0, , R1", 8, "expected an operand"),
        ("LDS R0, [R1", 8, "unclosed"),
        ("LDS R0, R1]", 10, "unmatched"),
        ("LDS R0, [R1)", 11, "unmatched"),
        ("LDS R0, [R1+R300]", 8, "part of an address"),
        ("LDS R0, [0x1+0x2]", 8, "not an address"),
        ("LDC R0, c[R1][0x0]", 8, "constant bank"),
        ("MOV R0, 0x0g", 8, "not a number"),
        ("MOV R0, 0x01", 8, "not a number"),
        ("FADD R0, |R1, R2", 12, "expected '|'"),
        ("FADD R0, R1.?, R2", 11, "not an operand selector"),
        ("MOV R0, %1", 8, "not an operand"),
        ("BRA `()", 4, "label"),
        ("DEPBAR {6}", 7, "scoreboards"),
        (
            "BRX R6 -0x1 (*\"BRANCH_TARGETS a,\"*)",
            12,
            "the name of a branch target",
        ),
        ("BRX R6 -0x1 (*TARGETS a*)", 12, "expected '(*\""),
        ("STL [R1], R0 (*\"A\"*) (*\"B\"*)", 21, "one remark"),
        ("STL [R1], R0 (*\"A\"*) x", 21, "expected '(*\""),
    ] {
        let found = parse(text).expect_err(text);
        assert!(found.message.contains(part), "{text}: {found:?}");
        assert_eq!(found.offset, offset, "{text}: {found:?}");
    }
}

#[test]
fn names_of_registers() {
    for name in [
        "R0", "R254", "RZ", "UR63", "URZ", "P6", "PT", "UP0", "UPT", "B15", "SB5", "gsb0",
    ] {
        assert_eq!(Register::from_name(name).unwrap().to_string(), name);
    }
    for name in [
        "R255", "R01", "P7", "UP7", "B16", "SB6", "BT", "R", "RX", "RZ1", "R1x", "",
    ] {
        assert_eq!(Register::from_name(name), None, "{name}");
    }
    assert_eq!(Register::PT.file, RegisterFile::Predicate);
}

#[test]
fn kept_registers_are_slots_of_the_word() {
    for (text, kept) in [
        ("IMAD R0, R1.reuse, R2.reuse, R3", Some(2)),
        (
            "HMMA.SP.16832.F32 R20, R4.reuse, R8, R20, R0.reuse, 0x0",
            Some(1),
        ),
        ("HMMA.16816.F32 R4, R8.reuse, R2, R4", Some(1)),
        ("TEX.SCR.LL R6, R18, R2, R17, 0x0, 0x58, 2D", None),
    ] {
        assert_eq!(parse(text).unwrap().kept(), kept, "{text}");
    }
}
