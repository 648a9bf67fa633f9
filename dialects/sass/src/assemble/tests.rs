use super::*;
use crate::cubin::relocation;
use crate::encoding::{Encoding, decode};
use crate::listing;

const HEADER: &str = "\t.target\tsm_90a\n\n//--------------------- .text.k ---------------------\n";

fn function(lines: &str) -> Function<'static> {
    let text = format!("{HEADER}{lines}");
    let listing = listing::parse_edited(&text).expect("a listing");
    let mut functions = listing.into_functions().expect("functions");
    functions.remove(0)
}

fn texts(code: &Code) -> Vec<String> {
    let chunks = code.bytes.as_chunks::<16>().0.iter().zip(0u64..);
    let text = chunks.map(|(bytes, number)| {
        let encoding = Encoding::from_bytes(*bytes);
        decode("sm_90a", encoding, number * 16)
            .expect("an instruction")
            .to_string()
    });
    text.collect()
}

#[test]
fn labels_become_addresses() {
    let function = function("k:\n\tMOV R0, R1 ;\n.L_x_0:\n\tNOP ;\n\tBRA `(.L_x_0) ;\n\tEXIT ;\n");
    let code = assemble(&function).expect("code");
    assert_eq!(texts(&code), ["MOV R0, R1", "NOP", "BRA 0x10", "EXIT"]);
    assert_eq!(code.labels.get(".L_x_0"), Some(&16));
    assert!(code.references.is_empty());
}

/// nvdisasm prints these as `IMAD.MOV`, `IMAD.IADD` and `IMAD.SHL`, no carry into `PT`, and no zero
/// behind a register.
#[test]
fn some_instructions_have_other_texts() {
    let function = function(
        "k:\n\tIMAD.U32 R0, R1, RZ, RZ ;\n\tIMAD R2, R3, 0x1, R4 ;\n\tIMAD.U32 R5, R6, 0x8, RZ ;\n\
         \tIADD3 R0, PT, R1, R2, RZ ;\n\tCALL.ABS.NOINC R2 0x0 ;\n",
    );
    let code = assemble(&function).expect("code");
    let expected = [
        "IMAD.MOV.U32 R0, R1, RZ, RZ",
        "IMAD.IADD R2, R3, 0x1, R4",
        "IMAD.SHL.U32 R5, R6, 0x8, RZ",
        "IADD3 R0, R1, R2, RZ",
        "CALL.ABS.NOINC R2",
    ];
    assert_eq!(texts(&code), expected);
}

#[test]
fn what_is_known_later_is_a_reference() {
    let function = function(
        "k:\n\tMOV R0, 32@lo(counter) ;\n\tMOV R1, 32@hi((counter + 0x8)) ;\n\
         \tMOV R2, 32@lo((k + .L_x_0@srel)) ;\n\tCALL.ABS.NOINC `(other) ;\n.L_x_0:\n\tEXIT ;\n",
    );
    let code = assemble(&function).expect("code");
    let found: Vec<_> = code
        .references
        .iter()
        .map(|found| (found.offset, found.kind, &*found.symbol, found.addend))
        .collect();
    assert_eq!(
        found,
        [
            (0, relocation::LOW, "counter", 0),
            (16, relocation::HIGH, "counter", 8),
            (32, relocation::LOW, "k", 64),
            (48, relocation::CALL_SINCE_90, "other", 0),
        ]
    );
}

#[test]
fn problems_name_the_instruction() {
    for (line, expected) in [
        (
            "MOV R0, 32@middle(x) ;",
            "'k' at 0x0000: 'MOV R0, 32@middle(x)': '32@middle(x)' is not an address that is known later",
        ),
        (
            "MOV R0, 32@lo((k + .L_y@srel)) ;",
            "there is no label '.L_y'",
        ),
        ("FROB R0 ;", "sm_90a has no instruction 'FROB'"),
    ] {
        let problem = assemble(&function(&format!("k:\n\t{line}\n"))).expect_err(line);
        assert!(problem.to_string().contains(expected), "{problem}");
        assert!(matches!(problem.origin, Origin::Line(place) if place.line == 5));
    }
}

fn data(lines: &str) -> Result<Data, Box<Problem>> {
    let text = format!(
        "\t.target\tsm_90a\n//--------------------- .nv.global.init ---------------------\n{lines}"
    );
    Data::of(&listing::parse(&text).expect("a listing").sections[0])
}

#[test]
fn data_has_bytes_objects_and_references() {
    let found = data(
        "\t.section .nv.global.init,\"aw\",@progbits\n\t.align 8\n.nv.global.init:\n\t.size a,3\na:\n\
         \t.byte 0x01, 2, 0xff\n\t.align 4\n\t.global b\nb:\n\t.word 0x5, a\n\t.dword (a + 0x8)\n\
         \t.dword fun@R_CUDA_G64(a)\n\t.zero 2\n",
    )
    .expect("data");
    assert_eq!(
        (found.alignment, &*found.flags, found.no_bits),
        (8, "aw", false)
    );
    assert_eq!(found.bytes[..8], [1, 2, 255, 0, 5, 0, 0, 0]);
    assert_eq!(found.size(), 12 + 16 + 2);
    let objects: Vec<_> = found
        .objects
        .iter()
        .map(|object| (&*object.name, object.offset, object.size, object.global))
        .collect();
    assert_eq!(objects, [("a", 0, 3, false), ("b", 4, 0, true)]);
    let references: Vec<_> = found
        .references
        .iter()
        .map(|found| (found.offset, found.kind, found.addend))
        .collect();
    let kinds = [
        relocation::SHORT_ADDRESS,
        relocation::ADDRESS,
        relocation::GENERIC_ADDRESS,
    ];
    assert_eq!(
        references,
        [(8, kinds[0], 0), (12, kinds[1], 8), (20, kinds[2], 0)]
    );
}

#[test]
fn data_that_is_not_understood_is_a_problem() {
    for (line, expected) in [
        (".word a b", "'a b' is not an address"),
        (".byte a", "'a' is not a number of 1 bytes"),
        (".align 3", "'.align\t3' is not understood"),
        (".zero 99999999999999", "are too many"),
        (
            ".dword fun@R_CUDA_NO(a)",
            "'R_CUDA_NO' is not a kind of relocation",
        ),
        (".frob", "'.frob' is not understood"),
    ] {
        let problem = data(&format!("\t{line}\n")).expect_err(line);
        assert!(problem.to_string().contains(expected), "{problem}");
    }
}

/// The common entry is that of ptxas; behind `IADD3 R1, R1, -0x20, RZ` the frame of the caller is 32 bytes above.
#[test]
fn frames_say_where_the_stack_moves() {
    let common = frames::common();
    let expected = [
        0xff, 0xff, 0xff, 0xff, 0x24, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 3, 0, 4, 0x7c, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x0c, 0x81, 0x80, 0x80, 0x28, 0,
        8, 0xff, 0x81, 0x80, 0x28, 8, 0x81, 0x80, 0x80, 0x28, 0, 0, 0,
    ];
    assert_eq!(common, expected);
    let moved = function("k:\n\tNOP ;\n\tIADD3 R1, R1, -0x20, RZ ;\n\tEXIT ;\n");
    let entry = frames::of_function(&moved);
    // The size, then what happens at the third instruction, in units of four bytes.
    assert_eq!(entry[28..36], [48, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(entry[36..43], [4, 8, 0, 0, 0, 0x0e, 0x20]);
}
