//! Machine code: broken listings, and supported and unsupported changes of cubins.

#[path = "../../skipped.rs"]
mod skipped;

use std::fs;
use std::path::Path;

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection};
use orison_ir::{Context, PrintFlags, print_to_string};
use orison_sass::control;
use orison_sass::encoding::Encoding;
use orison_sass::function::Function;
use orison_sass::instruction::{Mnemonic, Operand, parse_operand};
use orison_sass::listing::{self, Listing};
use orison_sass::scheduled::{Imported, Scheduled};
use orison_schedule::instructions::machine_code::{Options, schedule};
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::simulate::Frequencies;
use orison_translate::sass::{cubin, import, read_module, register_dialects};

fn here(name: &str) -> String {
    format!("{}/tests/cubin/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A listing and its cubin.
fn pair(name: &str) -> (String, Vec<u8>) {
    let text = fs::read_to_string(here(&format!("{name}.sass"))).expect("a listing");
    (
        text,
        fs::read(here(&format!("{name}.cubin"))).expect("a cubin"),
    )
}

fn functions(text: &str) -> Vec<Function<'static>> {
    let functions = listing::parse(text).and_then(Listing::into_functions);
    functions.unwrap_or_else(|error| panic!("{error}"))
}

fn last<'f>(functions: &'f mut [Function<'static>]) -> &'f mut Function<'static> {
    functions.last_mut().expect("a function")
}

/// The encodings from a section's first instruction on.
fn encodings(bytes: &[u8], first: Encoding, count: usize) -> Vec<Encoding> {
    let wanted = first.to_bytes();
    let start = bytes.windows(16).position(|window| window == wanted);
    let code = &bytes[start.expect("the first instruction")..][..count * 16];
    let chunks = code.chunks_exact(16);
    chunks
        .map(|chunk| Encoding::from_bytes(chunk.try_into().expect("16 bytes")))
        .collect()
}

#[test]
fn broken_listings_get_located_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sass");
    let manifest = fs::read_to_string(folder.join("malformed.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let files = manifest["file"].as_array().expect("files");
    assert!(files.len() >= 40, "{}", files.len());
    for file in files {
        let text = |key: &str| file[key].as_str().expect("a string");
        let mut context = Context::new();
        register_dialects(&mut context);
        let Err(error) = import(&mut context, "bad.sass", text("text")) else {
            panic!("{} was read", text("name"));
        };
        let place = format!("bad.sass:{}:{}: error: ", file["line"], file["column"]);
        let message = error.strip_prefix(&place);
        assert!(
            message.is_some_and(|message| message.contains(text("error"))),
            "{}: {error}",
            text("name")
        );
    }
}

#[test]
fn cut_listings_never_panic() {
    let (text, _) = pair("histogram.sm_80");
    for end in (0..text.len()).step_by(97) {
        if let Ok(listing) = listing::parse(&text[..end]) {
            let _ = listing.into_functions();
        }
    }
    for place in (0..text.len()).step_by(61) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] = b"[;*\x7f0"[place % 5];
        if let Ok(listing) = listing::parse(&String::from_utf8_lossy(&bytes)) {
            let _ = listing.into_functions();
        }
    }
}

#[test]
fn unchanged_functions_are_bit_identical() {
    for name in ["histogram.sm_80", "reduction.sm_90a", "extern_call.sm_90a"] {
        let (text, base) = pair(name);
        let mut context = Context::new();
        register_dialects(&mut context);
        let module = import(&mut context, name, &text).expect("a module");
        assert!(context.verify(module).is_ok());
        let printed = print_to_string(&context, module, &PrintFlags::default());
        let again = read_module(&mut context, "again.mlir", &printed).expect("the listing");
        let again = again.into_functions().expect("functions");
        assert!(
            cubin::patch(&base, &again).expect("a cubin") == base,
            "{name}"
        );
    }
}

#[test]
fn control_words_are_written_and_nothing_else() {
    let (text, base) = pair("reduction.sm_90a");
    let mut code = functions(&text);
    let changed = last(&mut code);
    let first = changed.blocks[0].instructions[0].encoding().expect("bits");
    let count = changed.instructions().count();
    changed.blocks[0].instructions[3].control = control::parse("B0-2---:R1:W3:Y:S05").unwrap();
    let patched = cubin::patch(&base, &code).expect("a cubin");
    let differing = base.iter().zip(&patched).filter(|(old, new)| old != new);
    assert!((1..=4).contains(&differing.count()));
    let written = encodings(&patched, first, count)[3];
    assert_eq!(
        written.control().unwrap().to_string(),
        "B0-2---:R1:W3:Y:S05"
    );
    let old = encodings(&base, first, count)[3];
    assert_eq!(written.without_control(), old.without_control());
}

#[test]
fn instructions_move_within_blocks() {
    let (text, base) = pair("histogram.sm_80");
    let mut code = functions(&text);
    let changed = last(&mut code);
    let first = changed.blocks[0].instructions[0].encoding().expect("bits");
    let count = changed.instructions().count();
    let at = |changed: &Function<'_>, mnemonic: &str| {
        let code = &changed.blocks[0].instructions;
        code.iter()
            .position(|found| found.mnemonic.base() == mnemonic)
    };
    // BSSY moves up by one instruction, so that its label is one instruction further away.
    let place = at(changed, "BSSY").expect("BSSY");
    changed.blocks[0].instructions.swap(place, place - 1);
    let patched = cubin::patch(&base, &code).expect("a cubin");
    let (old, new) = (
        encodings(&base, first, count),
        encodings(&patched, first, count),
    );
    assert_eq!(new[place], old[place - 1]);
    assert_eq!(new[place - 1].low, old[place].low + (16 << 32));
    assert_eq!(new[place - 1].high, old[place].high);
    let rest = |all: &[Encoding]| [&all[..place - 1], &all[place + 1..]].concat();
    assert_eq!(rest(&new), rest(&old));
}

#[test]
fn what_cannot_be_written_is_refused() {
    type Change = fn(&mut Function<'static>);
    fn imported<'f>(function: &'f mut Function<'static>, place: usize) -> &'f mut Imported {
        let found = &mut function.blocks[0].instructions[place];
        found.imported.as_mut().expect("bits")
    }
    let changes: [(&str, Change, &str); 12] = [
        (
            "histogram.sm_80",
            |f| f.blocks[0].instructions[2].imported = None,
            "has no encoding",
        ),
        (
            "histogram.sm_80",
            |f| {
                let found = &mut f.blocks[0].instructions[0];
                found.operands[0] = parse_operand("R77").unwrap();
            },
            "does not name R77",
        ),
        (
            "histogram.sm_80",
            |f| {
                let code = &mut f.blocks[0].instructions;
                code[1].guard = orison_sass::instruction::parse("@P3 NOP").unwrap().guard;
            },
            "a different guard",
        ),
        (
            "histogram.sm_80",
            |f| {
                let immediate = |operand: &Operand| matches!(operand, Operand::Immediate(_));
                let operands = f.blocks[0].instructions.iter_mut();
                let found = operands
                    .flat_map(|found| &mut found.operands)
                    .find(|operand| immediate(operand));
                *found.expect("an immediate") = parse_operand("0x7b").unwrap();
            },
            "imported with a different text",
        ),
        (
            "histogram.sm_80",
            |f| {
                let code = &mut f.blocks[0].instructions;
                let compare = code.iter_mut().find(|found| found.mnemonic.has("GE"));
                let compare = compare.expect("a comparison");
                compare.mnemonic = Mnemonic::new(&compare.mnemonic.text().replace("GE", "GT"));
            },
            "imported with a different text",
        ),
        (
            "histogram.sm_80",
            |f| imported(f, 0).fingerprint = None,
            "imported with a different text",
        ),
        (
            "histogram.sm_80",
            |f| {
                f.blocks[0].instructions.pop();
            },
            "bytes of code",
        ),
        (
            "histogram.sm_80",
            |f| {
                let moved = f.blocks[0].instructions.remove(0);
                f.blocks[1].instructions.insert(0, moved);
            },
            "in this block",
        ),
        (
            "histogram.sm_80",
            |f| {
                let other = f.blocks[0].instructions[1].clone();
                f.blocks[0].instructions[0] = other;
            },
            "in this block",
        ),
        (
            "histogram.sm_80",
            |f| f.name = "other".into(),
            "no section '.text.other'",
        ),
        (
            "histogram.sm_80",
            |f| f.target = "sm_86".into(),
            "the base is for 'sm_80', not for 'sm_86'",
        ),
        (
            "extern_call.sm_90a",
            |f| {
                let linked = |found: &Scheduled<'_>| found.to_string().contains("@lo(");
                for block in &mut f.blocks {
                    if let Some(place) = block.instructions.iter().position(linked) {
                        block.instructions.swap(place, place - 1);
                        return;
                    }
                }
            },
            "it has a relocation",
        ),
    ];
    for (name, change, part) in changes {
        let (text, base) = pair(name);
        let mut code = functions(&text);
        change(last(&mut code));
        let error = cubin::patch(&base, &code).expect_err(part).to_string();
        assert!(error.contains(part), "{part}: {error}");
        assert!(error.starts_with('\''), "{error}");
    }
    let (text, base) = pair("histogram.sm_80");
    let code = functions(&text);
    assert!(cubin::patch(b"no ELF file", &code).is_err());
    for end in (0..base.len()).step_by(101) {
        let _ = cubin::patch(&base[..end], &code);
    }
}

/// The reduction with two instructions of its first block swapped: at 0x40 and 0x50.
fn swapped_reduction() -> (Vec<Function<'static>>, Vec<u8>) {
    let (text, base) = pair("reduction.sm_90a");
    let mut code = functions(&text);
    last(&mut code).blocks[0].instructions.swap(4, 5);
    (code, base)
}

/// The base of the reduction with another stack frame from 0x50 on; the offset of the rule.
fn change_frame(base: &mut [u8]) -> usize {
    // At 0xa0 the frame is at R1 + 0 as before. With another offset, and at 0x50, it changes there.
    let again = [0x0c, 0x81, 0x80, 0x80, 0x28, 0x00];
    let last = base
        .windows(again.len())
        .rposition(|window| window == again)
        .expect("a rule");
    assert_eq!(base[last - 5..last], [4, 0x28, 0, 0, 0]);
    base[last - 4] = 0x14;
    base[last + 5] = 8;
    last
}

#[test]
fn instructions_stay_where_their_stack_frame_is() {
    let (code, mut base) = swapped_reduction();
    assert!(cubin::patch(&base, &code).is_ok());
    let last = change_frame(&mut base);
    let error = cubin::patch(&base, &code).expect_err("a move across 0x50");
    assert!(
        error.to_string().contains("across 0x0050: '.debug_frame'"),
        "{error}"
    );
    // An unknown operation.
    base[last] = 0x3f;
    let error = cubin::patch(&base, &code).expect_err("an unknown rule");
    assert!(error.to_string().contains("0x3f"), "{error}");
}

/// Gives the record of an attribute of `.nv.info.reduce_sum` a number that no table has.
fn rename_attribute(base: &mut [u8], attribute: u8) {
    let file = ElfFile64::<object::Endianness>::parse(&*base).expect("an ELF file");
    let section = file.section_by_name(".nv.info.reduce_sum");
    let range = section.and_then(|section| section.file_range());
    let (start, size) = range.expect("contents");
    let (mut place, end) = (start as usize, (start + size) as usize);
    while place < end {
        let length = u16::from_le_bytes([base[place + 2], base[place + 3]]);
        if base[place..place + 2] == [4, attribute] {
            base[place + 1] = 0xee;
            return;
        }
        place += 4 + usize::from(base[place] == 4) * usize::from(length);
    }
    panic!("no attribute {attribute:#04x}");
}

/// Schedules a function with instructions that stay.
fn scheduled(before: &Function<'static>, fixed: &[u64]) -> Function<'static> {
    let model = LatencyModel::for_code(&before.target).expect("a model");
    let options = Options {
        fixed,
        in_place: true,
        ..Options::default()
    };
    let mut after = before.clone();
    schedule(&mut after, model, &Frequencies::of_loops(before), &options);
    after
}

#[test]
fn functions_are_scheduled_around_what_refers_to_instructions() {
    let (text, base) = pair("reduction.sm_90a");
    let before = last(&mut functions(&text)).clone();
    let free = scheduled(&before, &[]);
    assert!(cubin::patch(&base, std::slice::from_ref(&free)).is_ok());
    // Branches end their blocks anyway.
    let ends = cubin::fixed(&base, &before).expect("references");
    let branches = before
        .instructions()
        .filter(|found| ends.contains(&found.address));
    assert!(
        branches
            .into_iter()
            .all(|found| found.to_string().contains("BRA"))
    );
    // A frame rule that changes, and a list of instructions (0x28 are those of cooperative groups) whose meaning is
    // unknown.
    let changes: [fn(&mut Vec<u8>); 2] = [
        |base| {
            change_frame(base);
        },
        |base| rename_attribute(base, 0x28),
    ];
    for change in changes {
        let mut base = base.clone();
        change(&mut base);
        let fixed = cubin::fixed(&base, &before).expect("references");
        assert!(fixed.len() > ends.len(), "{fixed:x?}");
        let after = scheduled(&before, &fixed);
        assert!(cubin::patch(&base, std::slice::from_ref(&after)).is_ok());
        let places = before.instructions().zip(after.instructions());
        let moved = places.filter(|(old, new)| old.address != new.address);
        assert!(moved.count() > 0);
    }
}

/// What is relocated, or refers to a label by other bits than those of a distance, stays.
#[test]
fn linked_instructions_are_fixed() {
    let (text, base) = pair("extern_call.sm_90a");
    let function = last(&mut functions(&text)).clone();
    let fixed = cubin::fixed(&base, &function).expect("references");
    for found in function.instructions() {
        if found.to_string().contains("@lo(") {
            assert!(fixed.contains(&found.address), "{found}");
        }
    }
    let after = scheduled(&function, &fixed);
    assert!(cubin::patch(&base, std::slice::from_ref(&after)).is_ok());
    assert!(cubin::fixed(b"no ELF file", &function).is_err());
}

/// The base with its section `.debug_frame`, whose relocation is against the function, under another
/// name of the same length.
fn renamed_frames(mut base: Vec<u8>, name: &[u8; 12]) -> Vec<u8> {
    let old = b".debug_frame";
    let places = base.windows(old.len()).enumerate();
    let places = places.filter(|(_, window)| *window == old);
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    for place in places {
        base[place..][..name.len()].copy_from_slice(name);
    }
    base
}

/// The base with one field of a section's header replaced: 24 is the offset of the contents in the
/// file, 32 their size.
fn with_header(base: &[u8], section: &str, field: usize, value: u64) -> Vec<u8> {
    let headers = u64::from_le_bytes(base[0x28..0x30].try_into().expect("8 bytes"));
    let file = ElfFile64::<object::Endianness>::parse(base).expect("an ELF file");
    let section = file.section_by_name(section).expect("the section");
    let header = usize::try_from(headers).expect("an offset") + 64 * section.index().0;
    let mut changed = base.to_vec();
    changed[header + field..][..8].copy_from_slice(&value.to_le_bytes());
    changed
}

#[test]
fn sections_lie_within_the_base() {
    let (code, base) = swapped_reduction();
    let error = cubin::patch(b"no ELF file", &code).expect_err("no cubin");
    assert!(
        error
            .to_string()
            .starts_with("the base is not a 64-bit ELF file: "),
        "{error}"
    );
    for (section, field, value, expected) in [
        (
            ".text.reduce_sum",
            24,
            base.len() as u64,
            "'reduce_sum': the base ends before the section",
        ),
        (
            ".text.reduce_sum",
            24,
            u64::MAX - 15,
            "'reduce_sum': the base ends before the section",
        ),
        (
            ".debug_frame",
            24,
            base.len() as u64,
            "'reduce_sum': cannot move instructions: '.debug_frame' has no contents",
        ),
        (
            ".debug_frame",
            32,
            20,
            "'reduce_sum': cannot move instructions: '.debug_frame' ends within an entry",
        ),
        (
            ".nv.info.reduce_sum",
            32,
            5,
            "'reduce_sum': '.nv.info.reduce_sum' ends within a record",
        ),
    ] {
        let changed = with_header(&base, section, field, value);
        let error = cubin::patch(&changed, &code).expect_err(section);
        assert_eq!(error.to_string(), expected);
    }
}

/// The distance of a moved `BSSY` to its label must be the one that its encoding has.
#[test]
fn references_in_an_unknown_form_do_not_move() {
    let (text, mut base) = pair("histogram.sm_80");
    let mut code = functions(&text);
    let block = &mut last(&mut code).blocks[0].instructions;
    let place = block
        .iter()
        .position(|found| found.mnemonic.base() == "BSSY");
    let place = place.expect("BSSY");
    let imported = block[place].imported.as_mut().expect("bits");
    let encoding = imported.encoding;
    let changed = Encoding {
        low: encoding.low ^ 1 << 40,
        ..encoding
    };
    imported.encoding = changed;
    let old = encoding.to_bytes();
    let start = base.windows(16).position(|window| window == old);
    base[start.expect("the instruction")..][..16].copy_from_slice(&changed.to_bytes());
    assert!(cubin::patch(&base, &code).is_ok());
    last(&mut code).blocks[0]
        .instructions
        .swap(place, place - 1);
    let error = cubin::patch(&base, &code).expect_err("an unknown form");
    let expected = format!(
        "from {:#06x}: the encoding of its reference to '",
        16 * place
    );
    assert!(error.to_string().contains(&expected), "{error}");
}

#[test]
fn code_with_line_numbers_is_not_reordered() {
    let (code, base) = swapped_reduction();
    let base = renamed_frames(base, b".debug_line\0");
    let error = cubin::patch(&base, &code).expect_err("line numbers");
    let expected = "'.debug_line' has line numbers for them";
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn what_a_relocation_refers_to_stays_at_its_address() {
    let (functions, base) = swapped_reduction();
    let base = renamed_frames(base, b".debug_names");
    // The section's relocation is against the start of the function.
    assert!(cubin::patch(&base, &functions).is_ok());
    // Its addend is the last word of its entry, which is the section before the code.
    let [table, code] = [".rela.debug_names", ".text.reduce_sum"].map(|name| {
        let file = ElfFile64::<object::Endianness>::parse(&*base).expect("an ELF file");
        let section = file.section_by_name(name).expect("the section");
        section.file_range().expect("contents")
    });
    assert_eq!(table.1, 24, "one relocation");
    assert!(table.0 < code.0);
    let addend = usize::try_from(table.0).expect("an offset") + 16;
    // At 0x40 and 0x50 are the swapped instructions; that at 0x60 does not move.
    for (address, moves) in [(0x40, true), (0x50, true), (0x60, false)] {
        let mut base = base.clone();
        base[addend] = address;
        match cubin::patch(&base, &functions) {
            Err(error) if moves => {
                let expected = format!("at {address:#06x}: cannot move the instruction");
                assert!(error.to_string().contains(&expected), "{error}");
            }
            patched => assert!(patched.is_ok() && !moves, "{address:#x}"),
        }
    }
}

#[test]
fn nvdisasm_reads_moved_instructions() {
    let (code, base) = swapped_reduction();
    let patched = cubin::patch(&base, &code).expect("a cubin");
    let file = std::env::temp_dir().join(format!("orison-moved-{}.cubin", std::process::id()));
    fs::write(&file, &patched).expect("a file");
    let nvdisasm = std::env::var_os("NVDISASM").unwrap_or_else(|| "nvdisasm".into());
    let read = std::process::Command::new(nvdisasm)
        .args(["-c", "-hex"])
        .arg(&file)
        .output();
    fs::remove_file(&file).expect("the file");
    let Ok(read) = read else {
        skipped::skipped("no nvdisasm in PATH, and NVDISASM does not name it");
        return;
    };
    assert!(read.status.success(), "{read:?}");
    let text = String::from_utf8(read.stdout).expect("a listing");
    let again = code_of(&text);
    assert_eq!(again, {
        let (text, _) = pair("reduction.sm_90a");
        let mut code = code_of(&text);
        code.swap(4, 5);
        code
    });
}

/// The instructions of the last function, as text.
fn code_of(text: &str) -> Vec<String> {
    let mut all = functions(text);
    let code = last(&mut all);
    code.instructions().map(ToString::to_string).collect()
}
