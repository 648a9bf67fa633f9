use orison_machine::{Latency, Opcode};

use super::*;
use crate::instruction::parse;

fn ranges(accesses: &[Access]) -> String {
    let mut ranges: Vec<RegisterRange> = accesses.iter().map(|access| access.range).collect();
    ranges.sort_unstable();
    ranges.dedup();
    let texts: Vec<String> = ranges.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[test]
fn definitions_and_uses() {
    for (text, definitions, uses) in [
        (
            "@!P2 LDG.E.128 R12, desc[UR6][R2.64+0x8]",
            "R12-R15",
            "R2-R3 UR6-UR7 P2",
        ),
        (
            "IADD3 R36, P2, P3, R57.reuse, UR4, R38",
            "R36 P2 P3",
            "R38 R57 UR4",
        ),
        ("LOP3.LUT P0, RZ, R5, 0x1, RZ, 0xc0, !PT", "P0", "R5"),
        ("IMAD.WIDE R2, R5, 0x4, R8", "R2-R3", "R5 R8-R9"),
        ("ISETP.GE.AND P0, PT, R5, R6, P1", "P0", "R5 R6 P1"),
        // The places are of 64 bits, with and without an offset (nvdisasm 13.5, `-plr`).
        ("@P0 BRX R4 -0x100", "", "R4-R5 P0"),
        ("BRX R4", "", "R4-R5"),
        ("JMX R4", "", "R4-R5"),
        ("BRXU UR4 -0x100", "", "UR4-UR5"),
        ("BRXU UR4", "", "UR4-UR5"),
        ("JMXU UR4", "", "UR4-UR5"),
        ("PLOP3.LUT P0, PT, P1, P2, PT, 0xe0, 0x0", "P0", "P1 P2"),
        (
            "HMMA.16816.F32 R4, R8, R16, R20",
            "R4-R7",
            "R8-R11 R16-R17 R20-R23",
        ),
        (
            "HMMA.16816.F16 R4, R8, R16, R20",
            "R4-R5",
            "R8-R11 R16-R17 R20-R21",
        ),
        (
            "HMMA.1688.F32.TF32 R4, R8, R16, R20",
            "R4-R7",
            "R8-R11 R16-R17 R20-R23",
        ),
        (
            "HGMMA.64x256x16.F32 R24, R156, gdesc[UR8], R24",
            "R24-R151",
            "R24-R151 R156-R159 UR8-UR11",
        ),
        (
            "HGMMA.64x64x16.F16 R56, gdesc[UR4], RZ, !UPT, gsb0",
            "R56-R71",
            "UR4-UR7",
        ),
        (
            "ATOMG.E.CAS.64.STRONG.GPU PT, R4, [R2.64], R6, R8",
            "R4-R5",
            "R2-R3 R6-R7 R8-R9",
        ),
        ("UTMALDG.3D [UR16], [UR46]", "", "UR16-UR20 UR46-UR47"),
        // A column and four rows in place of the coordinates (ptxas 13.0, nvdisasm's `-plr`).
        ("UTMALDG.2D.GATHER4 [UR8], [UR6]", "", "UR6-UR7 UR8-UR14"),
        (
            "UTMAPF.L2.2D.GATHER4 [UR16], [UR6]",
            "",
            "UR6-UR7 UR16-UR20",
        ),
        ("UTMASTG.2D.SCATTER4 [UR8], [UR6]", "", "UR6-UR7 UR8-UR13"),
        // Libraries of CUDA 13.3, nvdisasm's `-plr`.
        (
            "IMNMX.U64 PT, PT, R8, R6, UR10, !PT, !PT",
            "R8-R9",
            "R6-R7 UR10-UR11",
        ),
        (
            "UIMNMX.S64 UPT, UPT, UR8, UR6, UR4, !UPT, !UPT",
            "UR8-UR9",
            "UR4-UR5 UR6-UR7",
        ),
        ("LDSM.U4x16P64TO8.MT1616 R48, [R48+0x800]", "R48-R49", "R48"),
        ("LDSM.U4x16P64TO8.M816.2 R44, [R44+0x800]", "R44-R45", "R44"),
        ("LDTM.x64 R4, tmem[UR32]", "R4-R67", "UR32"),
        ("STTM.16dp256bit.x4 tmem[UR4], R8", "", "R8-R23 UR4"),
        ("FADD2 R2, R4.F32x2.HI_LO, R6.F32", "R2-R3", "R4-R5 R6"),
        ("F2F.F32.F64 R7, R6", "R7", "R6-R7"),
        ("P2R R0, PR, RZ, 0x5", "R0", "P0 P2"),
        ("R2P PR, R0, 0x3", "P0 P1", "R0"),
        ("SHFL.BFLY P0, R7, R4, R8, R9", "R7 P0", "R4 R8 R9"),
        ("VOTE.ANY R7, P1, !P0", "R7 P1", "P0"),
        (
            "LDGSTS.E [R7+0x80c], desc[UR12][R12.64], P1",
            "",
            "R7 R12-R13 UR12-UR13 P1",
        ),
        (
            "ATOMG.E.EXCH.STRONG.GPU PT, RZ, [R14], R9",
            "",
            "R9 R14-R15",
        ),
        ("IMAD.HI.U32 R0, R9, R0, R6", "R0", "R0 R6-R7 R9"),
        ("ST.E [RZ.U32+UR4], R0", "", "R0 UR4-UR5"),
        (
            "LDG.E R0, desc[UR6][R2.U32+UR4.64]",
            "R0",
            "R2 UR4-UR5 UR6-UR7",
        ),
        (
            "SYNCS.ARRIVE.TRANS64 R4, [UR8+0x200], R6",
            "R4-R5",
            "R6 UR8",
        ),
        (
            "UTCQMMA gdesc[UR16], gdesc[UR14], tmem[UR4], tmem[UR12], idesc[UR13], tmem[UR10], UP0",
            "",
            "UR4 UR10-UR11 UR12 UR13 UR14-UR15 UR16-UR17 UP0",
        ),
        ("RET.REL.NODEC R4 `(k)", "", "R4-R5"),
        ("BSSY B0, `(.L_x_0)", "B0", ""),
        ("BREAK B1", "B1", "B1"),
        ("DEPBAR.LE SB0, 0x1", "", ""),
        ("LDC.64 R2, c[0x0][R4+0x210]", "R2-R3", "R4"),
        ("FADD R0, R0, cx[UR4][0x10]", "R0", "R0 UR4-UR5"),
        ("NOTKNOWN.64 R2, R4", "R2-R3", "R4-R5"),
    ] {
        let found = effects(&parse(text).unwrap());
        assert_eq!(ranges(&found.definitions), definitions, "{text}");
        assert_eq!(ranges(&found.uses), uses, "{text}");
        assert_eq!(found.known, !text.starts_with("NOT"), "{text}");
    }
}

#[test]
fn guards_leave_old_values() {
    for (text, partial) in [
        ("MOV R0, R1", false),
        ("@PT MOV R0, R1", false),
        ("@P0 MOV R0, R1", true),
        ("@!PT MOV R0, R1", true),
    ] {
        assert_eq!(effects(&parse(text).unwrap()).partial, partial, "{text}");
    }
}

#[test]
fn memory_comes_from_the_table() {
    let of = |text: &str| memory(&Mnemonic::new(text));
    assert_eq!(of("LDG.E.128.CONSTANT").reads, [Space::Global]);
    assert_eq!(of("LDGSTS.E.BYPASS.128").writes, [Space::Shared]);
    assert!(of("BAR.SYNC.DEFER_BLOCKING").orders);
    assert!(of("IADD3.X").reads.is_empty() && !of("IADD3.X").orders);
    assert!(of("NOTKNOWN").orders);
}

#[test]
fn the_longest_entry_is_taken() {
    let of = |text: &str| entry(&Mnemonic::new(text)).map(|entry| entry.name);
    assert_eq!(of("IMAD"), Some("IMAD"));
    assert_eq!(of("IMAD.WIDE.U32"), Some("IMAD_WIDE"));
    assert_eq!(of("IMAD.WIDER"), Some("IMAD"));
    assert_eq!(
        of("SYNCS.PHASECHK.TRANS64.TRYWAIT"),
        Some("MBARRIER_TRY_WAIT")
    );
    // None is a prefix: the first one.
    assert_eq!(of("HMMA.88.F32"), Some("HMMA_16"));
    assert_eq!(of("IMADE"), None);
}

#[test]
fn latencies() {
    let of = |name: &str, sm| Opcode::named(name).unwrap().row().latency(sm);
    assert_eq!(of("IADD3", 80), Latency::Fixed);
    assert_eq!(of("DFMA", 80), Latency::Variable);
    assert_eq!(of("DFMA", 90), Latency::Fixed);
    assert_eq!(of("LDG", 90), Latency::Variable);
    assert_eq!(of("HGMMA", 90), Latency::Asynchronous);
}

/// Rows of operations without an instruction have no mnemonic.
#[test]
fn a_mnemonic_without_letters_has_no_opcode() {
    for text in ["U", "U.WIDE", ".WIDE", ""] {
        assert!(entry(&Mnemonic::new(text)).is_none(), "{text}");
    }
}

/// The registers nvdisasm lists for textures and surfaces of sm_75, 80 and 90.
#[test]
fn textures_have_the_registers_of_their_shape() {
    let cases = [
        (
            "TEX.SCR.LL R8, R6, R2, R19, 0x0, 0x58, 2D",
            "R6-R7 R8-R9",
            "R2-R3 R19",
        ),
        (
            "TEX.SCR.LL RZ, R8, R2, R18, 0x0, 0x58, 3D, 0x3",
            "R8-R9",
            "R2-R3 R18-R19",
        ),
        (
            "TEX.LL RZ, R22, R8, R14, UR4, 0x0, 2D, 0x1",
            "R22",
            "R8-R9 R14 UR4-UR5",
        ),
        (
            "TEX R22, R18, R20, UR4, ARRAY_CUBE",
            "R18-R19 R22-R23",
            "R20-R23 UR4-UR5",
        ),
        (
            "TEX.SCR.F16.RN.LL R40, R41, R40, R39, 0x0, 0x58, 2D",
            "R40 R41",
            "R39 R40-R41",
        ),
        (
            "TEX.LL P0, R20, R2, R8, R7, UR4, 0x0, 2D",
            "R2-R3 R20-R21 P0",
            "R7 R8-R9 UR4-UR5",
        ),
        (
            "TLD.SCR.LZ R58, R56, R4, R6, 0x0, 0x58, 3D",
            "R56-R57 R58-R59",
            "R4-R5 R6",
        ),
        (
            "TLD4.SCR.G R42, R48, R42, R38, 0x0, 0x58, 2D",
            "R42-R43 R48-R49",
            "R38 R42",
        ),
        (
            "TXD R8, R10, R12, R8, 0x0, 0x58, ARRAY_2D",
            "R8-R9 R10-R11",
            "R8-R11 R12-R14",
        ),
        ("TXQ.B RZ, R6, R6, TEX_HEADER_DIMENSION, 0x1", "R6", "R6-R7"),
        (
            "SULD.D.BA.2D.64.STRONG.SM.TRAP R10, [R18], UR4",
            "R10-R11",
            "R18-R19 UR4",
        ),
        (
            "SULD.D.BA.2D_ARRAY.U16.STRONG.SM.TRAP R0, [R32], 0x0, 0x5a",
            "R0",
            "R32-R34",
        ),
        (
            "SUST.P.2D.STRONG.SM.TRAP [R8], R16, 0x0, 0x5a",
            "",
            "R8-R9 R16-R19",
        ),
        // As many registers as components.
        (
            "SUST.P.2D.STRONG.SM.RG.TRAP [R12], R4, 0x0, 0x58",
            "",
            "R4-R5 R12-R13",
        ),
        (
            "SUST.P.2D.STRONG.SM.R.TRAP [R12], R5, UR6, 0x0",
            "",
            "R5 R12-R13 UR6",
        ),
        (
            "SURED.D.BA.2D.ADD.U64.STRONG.SYS.TRAP [R16], R8, UR4",
            "",
            "R8-R9 R16-R17 UR4",
        ),
    ];
    for (text, written, read) in cases {
        let found = effects(&parse(text).unwrap());
        assert!(found.known, "{text}");
        assert_eq!(ranges(&found.definitions), written, "{text}");
        assert_eq!(ranges(&found.uses), read, "{text}");
    }
}
