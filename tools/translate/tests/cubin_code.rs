//! The code of cubins, decoded without nvdisasm, against the listings that nvdisasm gives for them.

use std::collections::BTreeMap;
use std::fs;

use orison_ir::Context;
use orison_sass::dialect;
use orison_sass::instruction::Operand;
use orison_sass::listing::{self, Item, Listing, Note, Section};
use orison_sass::scheduled::Scheduled;
use orison_translate::sass::{code, register_dialects};

fn here(name: &str) -> String {
    format!("{}/tests/cubin/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The code of a cubin.
fn decoded(cubin: &[u8]) -> Result<Listing, String> {
    let mut context = Context::new();
    register_dialects(&mut context);
    let module = code::module(&mut context, cubin, "k.cubin")?;
    assert!(context.verify(module).is_ok());
    dialect::listing(&context, module).map_err(|error| error.render(&context))
}

/// The texts of a section with addresses in place of labels; those of the linker are left out.
fn texts(section: &Section) -> Vec<String> {
    let mut labels = BTreeMap::new();
    let mut address = 0;
    for line in &section.lines {
        match &line.item {
            Item::Note(Note::Label(name)) => drop(labels.insert(name.clone(), address)),
            Item::Note(_) => {}
            Item::Instruction(found) => address = found.address + 16,
        }
    }
    let instructions = section.instructions().map(|found| {
        let mut found = found.to_owned();
        let mut known = true;
        found.targets.clear();
        for operand in &mut found.operands {
            let label = match operand {
                Operand::Relative { target, .. } => &mut **target,
                other => other,
            };
            match label {
                Operand::Label(name) => match labels.get(name) {
                    Some(address) => *label = Operand::integer(*address as i64),
                    None => known = false,
                },
                Operand::Relocation(_) => known = false,
                _ => {}
            }
        }
        let text = if known {
            found.to_string()
        } else {
            String::new()
        };
        format!("{:x} {text} {}", found.address, found.control)
    });
    instructions.collect()
}

#[test]
fn cubins_are_read_as_their_listings() {
    for name in ["extern_call.sm_90a", "reduction.sm_90a"] {
        let cubin = fs::read(here(&format!("{name}.cubin"))).expect("a cubin");
        let listed = fs::read_to_string(here(&format!("{name}.sass"))).expect("a listing");
        let listed = listing::parse(&listed).expect("a listing");
        let found = decoded(&cubin).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found.target(), listed.target());
        let code: Vec<_> = listed
            .sections
            .iter()
            .filter(|found| found.is_code())
            .collect();
        assert_eq!(found.sections.len(), code.len(), "{name}");
        for wanted in code {
            let section = found
                .sections
                .iter()
                .find(|section| section.name == wanted.name);
            let section = section.unwrap_or_else(|| panic!("{name} has no {}", wanted.name));
            let bits = |section: &Section| {
                let bits = section.instructions().map(Scheduled::encoding);
                bits.collect::<Vec<_>>()
            };
            assert_eq!(bits(section), bits(wanted), "{name}: {}", wanted.name);
            for (line, wanted) in texts(section).iter().zip(texts(wanted)) {
                // What the linker fills in is zero in the bits.
                let is_linked = wanted.split(' ').nth(1) == Some("");
                assert!(
                    is_linked || *line == wanted,
                    "{name}: {line} is listed as {wanted}"
                );
            }
        }
    }
}

#[test]
fn other_files_are_errors() {
    let cubin = fs::read(here("reduction.sm_90a.cubin")).expect("a cubin");
    for (bytes, part) in [
        (b"//".as_slice(), "not a cubin"),
        (&cubin[..100], "not a cubin"),
    ] {
        let error = decoded(bytes).expect_err("an error");
        assert!(error.contains(part), "{error}");
    }
    let mut other = cubin.clone();
    other[8] = 77;
    let error = decoded(&other).expect_err("an error");
    assert!(
        error.contains("version 77 of the binary interface"),
        "{error}"
    );
}
