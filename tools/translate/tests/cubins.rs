//! Whole cubins: read and written, as text and back, and made of PTX.

use std::fs;

use orison_ir::{Context, Palette};
use orison_rewrites::ori_to_sass::OriToSassOptions;
use orison_sass::assemble::Tool;
use orison_sass::cubin::information::{Record, Value, records};
use orison_sass::cubin::{Contents, Cubin, Kind, Section};
use orison_sass::instruction::Operand;
use orison_sass::listing;
use orison_translate::{compile, import, ptx, sass};

fn fixture(name: &str) -> Vec<u8> {
    let file = format!("{}/tests/cubin/{name}.cubin", env!("CARGO_MANIFEST_DIR"));
    fs::read(file).expect("a cubin")
}

const FIXTURES: [&str; 3] = ["extern_call.sm_90a", "histogram.sm_80", "reduction.sm_90a"];

fn text_of(cubin: &[u8]) -> String {
    let (text, warnings) = sass::disassemble(cubin).expect("a cubin");
    assert!(warnings.is_empty(), "{warnings:?}");
    text
}

fn assembled(text: &str) -> Result<Vec<u8>, String> {
    sass::assemble_text("k.sass", text, Palette::PLAIN)
}

#[test]
fn cubins_are_written_as_they_were_read() {
    for name in FIXTURES {
        let bytes = fixture(name);
        let cubin = Cubin::read(&bytes).expect("a cubin");
        assert_eq!(
            format!("x.{}", cubin.machine()),
            format!("x.{}", name.rsplit('.').next().unwrap_or_default())
        );
        assert!(cubin.write() == bytes, "{name}");
    }
}

#[test]
fn the_text_of_a_cubin_is_assembled_to_its_bytes() {
    for name in FIXTURES {
        let bytes = fixture(name);
        let text = text_of(&bytes);
        let again = assembled(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(again == bytes, "{name}");
    }
}

/// The words of the records of an attribute.
fn words(cubin: &Cubin, section: &str, attribute: &str) -> Vec<u32> {
    let section = cubin.section_named(section).expect("the section");
    let all = records(section.bytes()).expect("records");
    let found = all.iter().filter(|record| record_name(record) == attribute);
    found.flat_map(Record::as_words).collect()
}

fn record_name(record: &Record) -> &str {
    use orison_sass::cubin::information::attributes;
    let known = attributes().get(&record.attribute);
    known.map_or("", |attribute| &attribute.name)
}

/// What has no text that says all of it is its bits, with the text in a comment.
#[test]
fn instructions_without_a_text_are_their_bits() {
    let bytes = fixture("reduction.sm_90a");
    let mut cubin = Cubin::read(&bytes).expect("a cubin");
    let code = cubin.sections.iter_mut().find(|section| section.is_code());
    let Some(Contents::Bytes(code)) = code.map(|section| &mut section.contents) else {
        panic!("no code");
    };
    // No instruction has an opcode of all ones.
    code[0] |= 0xff;
    code[1] |= 0x0f;
    let bytes = cubin.write();
    let (text, warnings) = sass::disassemble(&bytes).expect("a cubin");
    assert_eq!(warnings.len(), 1);
    assert!(text.contains("UNKNOWN 0x"), "{text}");
    assert!(assembled(&text).expect("a cubin") == bytes);
}

/// Eight instructions in front of all others, so that the size stays a multiple of 128 bytes: what refers to the others
/// moves by 128.
#[test]
fn addresses_follow_instructions_that_are_added() {
    let before = fixture("reduction.sm_90a");
    let text = text_of(&before);
    let first = text.find("/*0000*/").expect("the first instruction");
    let line = text[..first].rfind('\n').expect("its line") + 1;
    let nops = "\tNOP ; /* B------:R-:W-:-:S01 */\n".repeat(8);
    let text = format!("{}{nops}{}", &text[..line], &text[line..]);
    let after = assembled(&text).expect("a cubin");
    let (before, after) = (
        Cubin::read(&before).expect("a cubin"),
        Cubin::read(&after).expect("a cubin"),
    );
    let kernel = before.symbols().iter().find(|symbol| symbol.info == 0x12);
    let kernel = kernel.expect("a kernel").name.clone();
    let size = |cubin: &Cubin| {
        let mut symbols = cubin.symbols().iter();
        symbols
            .find(|symbol| symbol.name == kernel)
            .map(|symbol| symbol.size)
    };
    assert_eq!(size(&after), size(&before).map(|size| size + 128));
    let title = format!(".nv.info.{kernel}");
    for attribute in ["EXIT_INSTR_OFFSETS", "COOP_GROUP_INSTR_OFFSETS"] {
        let old = words(&before, &title, attribute);
        assert!(!old.is_empty(), "{attribute}");
        let moved: Vec<u32> = old.iter().map(|address| address + 128).collect();
        assert_eq!(words(&after, &title, attribute), moved, "{attribute}");
    }
    // What is no address stays.
    let threads = words(&before, &title, "REQNTID");
    assert_eq!(words(&after, &title, "REQNTID"), threads);
}

/// Without control words the instructions get new ones, and the code stays the same otherwise.
#[test]
fn control_words_may_be_left_out() {
    let before = fixture("reduction.sm_90a");
    let text = text_of(&before);
    let lines = text.lines().map(|line| match line.split_once("/* B") {
        Some((code, _)) => code.trim_end().to_owned(),
        None => line.to_owned(),
    });
    let plain: Vec<String> = lines.collect();
    assert!(plain.iter().any(|line| line.ends_with(';')));
    let after = assembled(&(plain.join("\n") + "\n")).expect("a cubin");
    let code = |bytes: &[u8]| {
        let cubin = Cubin::read(bytes).expect("a cubin");
        let code = cubin.sections.into_iter().find(Section::is_code);
        let code = code.expect("code").bytes().to_vec();
        code.as_chunks::<16>().0.to_vec()
    };
    let (old, new) = (code(&before), code(&after));
    assert_eq!(old.len(), new.len());
    // Bits 105 to 125.
    let without = |bytes: &[u8; 16]| u128::from_le_bytes(*bytes) & !(0x1f_ffff << 105);
    for (old, new) in old.iter().zip(&new) {
        assert_eq!(without(old), without(new));
    }
    assert!(old != new);
}

#[test]
fn errors_point_into_the_text() {
    let text = text_of(&fixture("reduction.sm_90a"));
    let line = text
        .lines()
        .position(|line| line.contains("EXIT ;"))
        .expect("an exit")
        + 1;
    for (from, to, expected) in [
        (
            "EXIT ;",
            "EXITT ;",
            format!("k.sass:{line}:9: error: 'EXITT': sm_90a has no instruction 'EXITT'"),
        ),
        (
            ".symbol\t",
            ".symbl\t",
            "expected '.symbol' with six parts".to_owned(),
        ),
        ("@progbits", "@progbit", "is not understood".to_owned()),
        ("words \"", "words \"no", "there is no symbol".to_owned()),
        ("half 0x", "halves 0x", "is not understood".to_owned()),
        (
            ".headerflags",
            ".headerflag",
            "expected '.headerflags' with three numbers".to_owned(),
        ),
        (
            ".sectionlink\t",
            ".sectionlink\tno",
            "there is no section".to_owned(),
        ),
        (".byte\t0x", ".byte\t0x1", "is not understood".to_owned()),
    ] {
        assert!(text.contains(from), "{from}");
        let changed = text.replacen(from, to, 1);
        let message = assembled(&changed).expect_err(to);
        assert!(message.contains(&expected), "{to}: {message}");
    }
    let message = assembled("\t.target\tsm_90a\n").expect_err("no sections");
    assert!(
        message.contains("expected a section '.symtab'"),
        "{message}"
    );
}

/// Neither a part of a file nor one with wrong bytes is read with a panic.
#[test]
fn broken_files_are_errors() {
    let bytes = fixture("reduction.sm_90a");
    for end in (0..bytes.len()).step_by(61) {
        if let Ok(cubin) = Cubin::read(&bytes[..end]) {
            drop(cubin.write());
        }
    }
    for place in 0..bytes.len().min(4096) {
        let mut broken = bytes.clone();
        broken[place] ^= 0xff;
        let _ = sass::disassemble(&broken);
    }
    let headers = bytes.len() - 2048;
    for place in headers..bytes.len() {
        let mut broken = bytes.clone();
        broken[place] ^= 0xff;
        let _ = sass::disassemble(&broken);
    }
    for (bytes, expected) in [
        (&b"\x7fELF"[..], "not a cubin"),
        (b"", "not a cubin"),
        (b".version 8.0", "not a cubin"),
    ] {
        let error = Cubin::read(bytes).expect_err("no cubin");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

fn compiled(text: &str, machine: &str, kind: Kind) -> Vec<u8> {
    made(text, machine, kind).unwrap_or_else(|error| panic!("{machine}: {error}"))
}

fn made(text: &str, machine: &str, kind: Kind) -> Result<Vec<u8>, String> {
    let mut context = Context::new();
    compile::register_dialects(&mut context);
    let mut module = ptx::parse(text).expect("PTX");
    compile::retarget(&mut module, machine).expect("a machine");
    let options = import::Options::default();
    let imported = import::import_with(&mut context, "k.ptx", text, &module, options);
    let (op, _) = imported.expect("an import");
    let options = OriToSassOptions::default();
    compile::compile(&mut context, op, &options, false)?;
    sass::assemble(&context, op, kind, Tool::default())
}

const PTX: &str = "
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .b32 counter = 7;
.global .align 8 .u64 pointer = counter;
.const .align 4 .b32 factors[4] = {1, 2, 3, 4};
.func (.param .b32 result) twice(.param .b32 value)
{
	.reg .b32 %r<3>;
	ld.param.b32 %r1, [value];
	add.s32 %r2, %r1, %r1;
	st.param.b32 [result], %r2;
	ret;
}
.visible .entry k(.param .u64 to, .param .u32 n, .param .align 16 .b8 s[24])
	.reqntid 64, 2
	.maxnreg 40
{
	.reg .b32 %r<9>; .reg .b64 %rd<3>;
	.shared .align 8 .b8 words[64];
	ld.param.u64 %rd1, [to];
	cvta.to.global.u64 %rd2, %rd1;
	ld.param.u32 %r1, [n];
	atom.global.add.u32 %r2, [counter], 1;
	ld.const.u32 %r3, [factors+8];
	st.shared.u32 [words+4], %r2;
	bar.sync 0;
	ld.shared.u32 %r4, [words];
	{
	.param .b32 value; .param .b32 result;
	st.param.b32 [value], %r4;
	call.uni (result), twice, (value);
	ld.param.b32 %r5, [result];
	}
	add.s32 %r6, %r5, %r3;
	st.global.u32 [%rd2], %r6;
	ret;
}
";

/// What the driver reads: the numbers follow from the PTX, and from what ptxas 13.0 writes for it.
#[test]
fn kernels_have_what_the_driver_needs() {
    let cubin = Cubin::read(&compiled(PTX, "sm_90", Kind::Executable)).expect("a cubin");
    assert_eq!((cubin.kind, cubin.flags), (Kind::Executable, 0x0600_5a04));
    assert_eq!(cubin.machine(), "sm_90");
    let info = |attribute: &str| words(&cubin, ".nv.info.k", attribute);
    assert_eq!(info("REQNTID"), [64, 2, 1]);
    // The last parameter first: index; ordinal and offset; alignment, space, bank and size.
    let parameter =
        |ordinal: u32, offset: u32, size: u32| [0, ordinal | offset << 16, 0x1f << 12 | size << 18];
    let all = [parameter(2, 16, 24), parameter(1, 8, 4), parameter(0, 0, 8)];
    assert_eq!(info("KPARAM_INFO"), all.concat());
    assert_eq!(info("PARAM_CBANK")[1], 0x210 | 40 << 16);
    assert_eq!(info("CUDA_API_VERSION"), [130]);
    let half = |attribute: &str| {
        let section = cubin.section_named(".nv.info.k").expect("the section");
        let all = records(section.bytes()).expect("records");
        let found = all
            .into_iter()
            .find(|record| record_name(record) == attribute);
        found.map(|record| record.value)
    };
    assert_eq!(half("CBANK_PARAM_SIZE"), Some(Value::Half(40)));
    assert_eq!(half("MAXREG_COUNT"), Some(Value::Half(40)));
    assert_eq!(half("NUM_BARRIERS"), Some(Value::Byte(1)));
    // The bank with the parameters, and shared memory with what the system has of it.
    let size = |name: &str| cubin.section_named(name).map(Section::size);
    assert_eq!(size(".nv.constant0.k"), Some(0x210 + 40));
    assert_eq!(size(".nv.shared.k"), Some(1024 + 64));
    assert_eq!(size(".nv.constant3"), Some(16));
    let kernel = cubin.symbols().iter().find(|symbol| &*symbol.name == "k");
    let kernel = kernel.expect("the kernel");
    assert_eq!((kernel.info, kernel.other), (0x12, 0x10));
    let callee = cubin
        .symbols()
        .iter()
        .find(|symbol| &*symbol.name == "twice");
    assert_eq!(callee.map(|symbol| symbol.info), Some(2));
    // Addresses are filled in by the driver: of the counter, of the place to return to, of the function.
    let code = cubin
        .section_named(".rela.text.k")
        .map(|section| &section.contents);
    let Some(Contents::Relocations(code)) = code else {
        panic!("no relocations of the code");
    };
    let mut kinds: Vec<u32> = code.iter().map(|found| found.kind).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, [56, 56, 57, 57, 75]);
    let data = cubin
        .section_named(".rela.nv.global.init")
        .map(|section| &section.contents);
    let Some(Contents::Relocations(data)) = data else {
        panic!("no relocations of the data");
    };
    assert_eq!(data.iter().map(|found| found.kind).collect::<Vec<_>>(), [2]);
}

#[test]
fn what_is_made_is_read_and_written_again() {
    for machine in ["sm_90", "sm_90a", "sm_100a"] {
        let text = PTX.replace("sm_90", machine);
        for kind in [Kind::Executable, Kind::Relocatable] {
            let bytes = compiled(&text, machine, kind);
            let cubin = Cubin::read(&bytes).expect("a cubin");
            assert_eq!((cubin.kind, &*cubin.machine()), (kind, machine));
            assert!(cubin.write() == bytes, "{machine}");
            let again =
                assembled(&text_of(&bytes)).unwrap_or_else(|error| panic!("{machine}: {error}"));
            assert!(again == bytes, "{machine}");
        }
    }
}

#[path = "../../skipped.rs"]
mod skipped;

/// The PTX of this repository's tests whose names end with a machine that has tables of encodings.
fn real_kernels() -> Vec<(String, &'static str, String)> {
    let mut found = Vec::new();
    for folder in ["tests/run/ptx", "tests/translate/ptx"] {
        let folder = format!("{}/../../{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let stem = name
                .strip_suffix(".ptx")
                .and_then(|stem| stem.rsplit_once('.'));
            let machines = orison_sass::encoding::MACHINES.iter();
            let machine = machines
                .copied()
                .find(|machine| stem.is_some_and(|stem| stem.1 == *machine));
            if let Some(machine) = machine {
                found.push((name, machine, fs::read_to_string(&path).expect("PTX")));
            }
        }
    }
    found.sort();
    found
}

/// What cannot be encoded yet: the machine has the numbers of a barrier and of its threads in one register, and the table
/// of sm_80 lacks conversions of floats in constant banks.
const MISSING: [&str; 2] = [
    "'BAR.SYNC.DEFER_BLOCKING R4, R2'",
    "'F2F.F64.F32 R8, c[0x0]",
];

/// nvdisasm prints the instructions that were encoded, with their control words, and complains about none.
#[test]
fn nvdisasm_reads_what_is_made() {
    let nvdisasm = std::env::var_os("NVDISASM").unwrap_or_else(|| "nvdisasm".into());
    let runs = std::process::Command::new(&nvdisasm)
        .arg("--version")
        .output()
        .is_ok();
    if !runs {
        skipped::skipped("no nvdisasm in PATH, and NVDISASM does not name it");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let kernels = real_kernels();
    assert!(kernels.len() > 15, "{}", kernels.len());
    let (mut compared, mut wrong) = (0, Vec::new());
    for (name, machine, text) in kernels {
        let bytes = match made(&text, machine, Kind::Executable) {
            Ok(bytes) => bytes,
            Err(error) => {
                if !MISSING.iter().any(|missing| error.contains(missing)) {
                    wrong.push(format!("{name}: {error}"));
                }
                continue;
            }
        };
        let file = folder.path().join("k.cubin");
        fs::write(&file, &bytes).expect("a file");
        let run = std::process::Command::new(&nvdisasm)
            .args(["-c", "-hex"])
            .arg(&file)
            .output();
        let run = run.expect("nvdisasm");
        let complaints = String::from_utf8_lossy(&run.stderr);
        if !complaints.is_empty() {
            wrong.push(format!("{name}: {complaints}"));
        }
        let listed = listing::parse(&String::from_utf8_lossy(&run.stdout)).expect("a listing");
        let made = Cubin::read(&bytes)
            .expect("a cubin")
            .listing()
            .expect("a listing");
        for section in made.sections.iter().filter(|section| section.is_code()) {
            let same = listed
                .sections
                .iter()
                .find(|found| found.name == section.name);
            let same = same.unwrap_or_else(|| panic!("{name}: {}", section.name));
            for (made, listed) in section.instructions().zip(same.instructions()) {
                compared += 1;
                let is_place = |operand: &Operand| {
                    matches!(
                        operand,
                        Operand::Label(_) | Operand::Relocation(_) | Operand::Relative { .. }
                    )
                };
                let text = if made.operands.iter().any(is_place) {
                    made.mnemonic == listed.mnemonic
                } else {
                    made.to_string() == listed.to_string()
                };
                if !text || made.control != listed.control {
                    wrong.push(format!("{name}: '{made}' is '{listed}'"));
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
    assert!(
        wrong.is_empty(),
        "{} of {compared}: {:#?}",
        wrong.len(),
        wrong.get(..20.min(wrong.len()))
    );
}
