//! Reads the code of cubins by the tables of encodings, without nvdisasm.

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, SectionKind};
use orison_ir::{Context, Operation};
use orison_sass::dialect;
use orison_sass::listing::{Code, Listing};

/// The sections with code of a cubin as a module of `sass`, as the output of cuobjdump for it is
/// imported.
///
/// # Errors
/// If the file is not a cubin of a known machine, or a section of it is not code.
pub fn module(context: &mut Context, cubin: &[u8], name: &str) -> Result<Operation, String> {
    let file = ElfFile64::parse(cubin).map_err(|error| format!("not a cubin: {error}"))?;
    let machine = machine(&file)?;
    let mut sections = Vec::new();
    for section in file.sections() {
        let title = section.name().map_err(|error| error.to_string())?;
        if section.kind() == SectionKind::Text && title.starts_with(".text.") {
            let bytes = section
                .data()
                .map_err(|error| format!("'{title}': {error}"))?;
            sections.push((title.to_owned(), bytes));
        }
    }
    let code: Vec<_> = sections
        .iter()
        .map(|(name, bytes)| Code { name, bytes })
        .collect();
    let listing = Listing::of_code(&machine, &code).map_err(|error| error.message)?;
    dialect::module(context, listing, name).map_err(|error| error.message)
}

/// The machine: its number is in the flags of the header, in bits 8 to 15 in version 8 of the binary
/// interface and in bits 0 to 7 in version 7.
fn machine(file: &ElfFile64<'_>) -> Result<String, String> {
    let header = file.elf_header();
    let flags = header.e_flags.get(file.endian()).0;
    let (number, only) = match header.e_ident.abi_version {
        // Read in cubins of CUDA 12.
        7 => (flags & 0xff, flags >> 11 & 1 == 1),
        8 => (flags >> 8 & 0xff, is_only_for_machine(file)),
        version => {
            return Err(format!(
                "version {version} of the binary interface is unknown"
            ));
        }
    };
    Ok(format!("sm_{number}{}", if only { "a" } else { "" }))
}

/// Whether the code is for no later machine: the attribute 9 of `.nv.compat`, whose entries have a
/// format, an attribute and a value of two bytes or, in format 4, the size of the value that follows
/// (read in cubins of CUDA 13 for `sm_100`, `sm_100f` and `sm_100a`).
fn is_only_for_machine(file: &ElfFile64<'_>) -> bool {
    const SIZED: u8 = 4;
    const ONLY: u8 = 9;
    let section = file.section_by_name(".nv.compat");
    let Some(mut rest) = section.and_then(|section| section.data().ok()) else {
        return false;
    };
    while let [format, attribute, low, high, behind @ ..] = rest {
        if *attribute == ONLY {
            return *low != 0;
        }
        let size = usize::from(u16::from_le_bytes([*low, *high]));
        rest = match *format {
            SIZED => behind.get(size..).unwrap_or_default(),
            _ => behind,
        };
    }
    false
}
