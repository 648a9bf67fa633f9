//! The codec against real code: the listings of `tests/real`, and, where nvdisasm is found, its texts of
//! random instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use orison_sass::encoding::{DecodeError, Encoding, MACHINES, decode, encode, sample};
use orison_sass::instruction::{Immediate, Instruction, Operand, parse};
use orison_sass::listing::{self, Item, Note, Section};

/// The addresses of the labels of a section.
fn labels(section: &Section) -> BTreeMap<&str, u64> {
    let mut found = BTreeMap::new();
    let mut address = 0;
    for line in &section.lines {
        match &line.item {
            Item::Note(Note::Label(name)) => {
                found.insert(&**name, address);
            }
            Item::Note(_) => {}
            Item::Instruction(found) => address = found.address + Encoding::BYTES,
        }
    }
    found
}

/// The instruction with addresses in place of labels; `None` if it names anything else, which only the
/// linker knows.
fn resolved(instruction: &Instruction, labels: &BTreeMap<&str, u64>) -> Option<Instruction> {
    let mut found = instruction.clone();
    found.targets.clear();
    found.remark = None;
    for operand in &mut found.operands {
        let place = match operand {
            Operand::Label(_) => operand,
            Operand::Relative { target, .. } => &mut **target,
            Operand::Relocation(_) | Operand::Opaque(_) => return None,
            _ => continue,
        };
        if let Operand::Label(label) = place {
            let magnitude = *labels.get(&**label)?;
            *place = Operand::Immediate(Immediate::Integer {
                negative: false,
                magnitude,
            });
        }
    }
    Some(found)
}

/// The text with the descriptor that nvdisasm omits.
fn text(instruction: &Instruction) -> String {
    format!("{instruction} {:?}", instruction.hidden_descriptor())
}

#[test]
fn real_code_is_decoded_to_its_text_and_encoded_to_its_bits() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == "sass"))
        .collect();
    files.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for path in &files {
        let source = std::fs::read_to_string(path).expect("a listing");
        let listing = listing::parse(&source).expect("a listing");
        let machine = listing.target().to_owned();
        if decode(&machine, Encoding::default(), 0) == Err(DecodeError::Machine) {
            continue;
        }
        for section in &listing.sections {
            let labels = labels(section);
            for found in section.instructions() {
                let Some(bits) = found.encoding() else {
                    continue;
                };
                count += 1;
                if let Err(why) = check(&machine, found, bits, found.address, &labels) {
                    wrong.push(format!("{}: {}: {why}", path.display(), **found));
                }
            }
        }
    }
    for line in wrong.iter().take(20) {
        println!("{line}");
    }
    // docs/encodings.md lists what the tables lack.
    assert!(
        wrong.len() * 100 <= count,
        "{} of {count} differ",
        wrong.len()
    );
    assert_eq!(files.len(), 17);
    assert!(count > 3000, "{count} instructions");
}

fn check(
    machine: &str,
    listed: &Instruction,
    bits: Encoding,
    address: u64,
    labels: &BTreeMap<&str, u64>,
) -> Result<(), String> {
    let found = decode(machine, bits, address).map_err(|error| error.to_string())?;
    let wanted = resolved(listed, labels);
    if let Some(wanted) = wanted.filter(|wanted| text(wanted) != text(&found)) {
        return Err(format!("{} is decoded to {}", text(&wanted), text(&found)));
    }
    let back = encode(machine, &found, address).map_err(|error| error.to_string())?;
    if back.without_control() != bits.without_control() {
        return Err(format!("{:x} is encoded as {:x}", bits.bits(), back.bits()));
    }
    Ok(())
}

/// What nvdisasm printed, and its messages.
fn run(program: &str, machine: &str, words: &[Encoding]) -> (String, String) {
    let name = format!("orison-encodings-{}-{machine}.bin", std::process::id());
    let path = std::env::temp_dir().join(name);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_bytes()).collect();
    std::fs::write(&path, bytes).expect("a file");
    let mut command = Command::new(program);
    command
        .args(["-b", &machine.replace("sm_", "SM"), "-ndf"])
        .arg(&path);
    let output = command.output().expect("nvdisasm runs");
    std::fs::remove_file(&path).expect("a file");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The instructions that nvdisasm accepts, with their addresses in a file of these, and their texts. It
/// prints nothing if one is invalid, but names the addresses of these.
fn disassembled(program: &str, machine: &str, words: &[Encoding]) -> Vec<(Encoding, u64, String)> {
    let (mut printed, messages) = run(program, machine, words);
    let address = |digits: &str| u64::from_str_radix(digits, 16).ok();
    let refused: BTreeSet<u64> = messages
        .split("at address 0x")
        .skip(1)
        .filter_map(|rest| address(rest.split(|next: char| !next.is_ascii_hexdigit()).next()?))
        .collect();
    let places = (0u64..).map(|place| place * Encoding::BYTES);
    let kept: Vec<_> = places
        .zip(words)
        .filter_map(|(address, word)| (!refused.contains(&address)).then_some(*word))
        .collect();
    if !refused.is_empty() {
        printed = run(program, machine, &kept).0;
    }
    let line = |line: &str| {
        let (digits, text) = line.trim().strip_prefix("/*")?.split_once("*/")?;
        let address = address(digits)?;
        let word = kept.get(usize::try_from(address / Encoding::BYTES).ok()?)?;
        Some((
            *word,
            address,
            text.trim().trim_end_matches(';').trim().to_owned(),
        ))
    };
    printed.lines().filter_map(line).collect()
}

/// Random instructions of every machine mean to nvdisasm what they mean here.
#[test]
fn random_instructions_are_those_of_nvdisasm() {
    const COUNT: usize = 3000;
    let Ok(program) = std::env::var("NVDISASM") else {
        eprintln!("skipped: NVDISASM does not name nvdisasm");
        return;
    };
    let (mut report, mut wrong, mut total) = (String::new(), 0, 0);
    for machine in MACHINES {
        let mut chooser = sample::Chooser::new(7);
        // A control word that every instruction may have.
        let plain = (15 | 7 << 5 | 7 << 8) << 105;
        let words: Vec<_> = (0..COUNT)
            .filter_map(|_| sample::random(machine, &mut chooser))
            .filter(|word| decode(machine, *word, 0).is_ok())
            .map(|word| Encoding::from_bits(word.bits() | plain))
            .collect();
        for (word, address, text) in disassembled(&program, machine, &words) {
            let Ok(wanted) = parse(&text) else {
                continue;
            };
            if text.contains("INVALID") || text.contains("???") {
                continue;
            }
            total += 1;
            let found = decode(machine, word, address);
            if found.as_ref().map(ToString::to_string) != Ok(wanted.to_string()) {
                wrong += 1;
                let _ = writeln!(report, "{machine}: {text}: {found:?}");
            }
        }
    }
    println!("{wrong} of {total}\n{report}");
    // docs/encodings.md has the figures of many more.
    assert!(
        total > COUNT / 2 && wrong * 500 <= total,
        "{wrong} of {total} differ"
    );
}

/// Bits 0 to 11 of these are the same on all machines.
#[test]
fn the_simplest_instructions_are_those_of_every_machine() {
    for machine in MACHINES {
        for (source, opcode) in [("NOP", 0x918), ("EXIT", 0x94d), ("BRA 0x40", 0x947)] {
            let instruction = parse(source).expect(source);
            let bits = encode(machine, &instruction, 0x100)
                .unwrap_or_else(|error| panic!("{machine}: {source}: {error}"));
            assert_eq!(bits.field(0, 12), opcode, "{machine}: {source}");
            // The guard is PT.
            assert_eq!(bits.field(12, 4), 7, "{machine}: {source}");
            let back = decode(machine, bits, 0x100).map(|found| found.to_string());
            assert_eq!(back.as_deref(), Ok(source), "{machine}");
        }
    }
}

/// What is written without the bits of a NaN has all of them set; others are kept.
#[test]
fn bits_of_nans_are_kept() {
    for (source, low) in [
        ("FSEL R1, R2, +QNAN , P0", 0x7fff_ffff_u64),
        ("FSEL R1, R2, -QNAN:0xffc00000, P0", 0xffc0_0000),
    ] {
        let instruction = parse(source).expect(source);
        let bits = encode("sm_90a", &instruction, 0).expect(source);
        assert_eq!(bits.field(32, 32), low, "{source}");
        let back = decode("sm_90a", bits, 0).expect(source);
        assert_eq!(back.operands, instruction.operands, "{source}");
        assert!(back.to_string().contains("QNAN ,"), "{back}");
    }
}

#[test]
fn what_is_no_instruction_is_an_error() {
    let nothing = Encoding::from_bits(0x7ff);
    assert_eq!(
        decode("sm_90a", nothing, 0),
        Err(DecodeError::Opcode(0x7ff))
    );
    assert_eq!(decode("sm_20", nothing, 0), Err(DecodeError::Machine));
}

#[test]
fn errors_name_the_operand_and_what_would_fit() {
    for (source, operand, part) in [
        ("FOO R1", None, "sm_90a has no instruction 'FOO'"),
        ("FADD.BAR R1, R2, R3", None, ".FTZ"),
        (
            "STG.E desc[UR4][R2.64+0x1000000], R3",
            Some(0),
            "-0x800000 to 0x7fffff do",
        ),
        ("FADD R1, R2, 1.00000000001", Some(2), "a float of 32 bits"),
        ("LDG.E R1, desc[UR70][R2.64]", Some(1), "UR0 to UR62 do"),
        (
            "BRA `(.L_x_1)",
            Some(0),
            "the label '.L_x_1' has no address",
        ),
        ("FADD R1, P2, R3", Some(1), "expected a register"),
        ("FADD R1, R2", None, "FADD has 3 operands, not 2"),
        (
            "FADD R1, R2.X4, R3",
            Some(1),
            "the selector '.X4' is not possible here, none is",
        ),
    ] {
        let instruction = parse(source).expect(source);
        let error = encode("sm_90a", &instruction, 0).expect_err(source);
        assert_eq!(error.operand, operand, "{source}: {error}");
        assert!(error.message.contains(part), "{source}: {error}");
    }
}
