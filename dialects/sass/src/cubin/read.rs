//! Reads cubins.

use object::LittleEndian;
use object::elf::{self, FileHeader64, SectionHeader64};
use object::read::elf::{FileHeader, SectionTable};

use super::{
    Contents, Cubin, CubinError, Kind, MACHINE, OS_ABI, Relocation, Section, StringTable, Symbol,
    section_kind,
};

type Header = FileHeader64<LittleEndian>;
type Sections<'data> = SectionTable<'data, Header>;

const LITTLE: LittleEndian = LittleEndian;

fn wrong(message: impl Into<String>) -> CubinError {
    CubinError(message.into())
}

impl Cubin {
    /// Reads a cubin.
    ///
    /// # Errors
    /// If the bytes are not an ELF file for GPUs of version 7 or 8 of the binary interface, or end before one of its parts.
    pub fn read(bytes: &[u8]) -> Result<Cubin, CubinError> {
        let not_one = |error: object::Error| wrong(format!("not a cubin: {error}"));
        let kind = object::FileKind::parse(bytes).map_err(not_one)?;
        if kind != object::FileKind::Elf64 {
            return Err(wrong("not a cubin: it is no 64-bit ELF file"));
        }
        let header = Header::parse(bytes).map_err(not_one)?;
        let ident = header.e_ident;
        if header.endian().map_err(not_one)? != LITTLE || header.e_machine.get(LITTLE).0 != MACHINE
        {
            return Err(wrong("not a cubin: it is for another processor"));
        }
        let abi_version = ident.abi_version;
        if !(7..=8).contains(&abi_version) || abi_version == 8 && ident.os_abi.0 != OS_ABI {
            let message = format!("version {abi_version} of the binary interface is unknown");
            return Err(wrong(message));
        }
        let kind = match header.e_type.get(LITTLE) {
            elf::ET_EXEC => Kind::Executable,
            elf::ET_REL => Kind::Relocatable,
            other => return Err(wrong(format!("files of type {} are unknown", other.0))),
        };
        let table = header.sections(LITTLE, bytes).map_err(not_one)?;
        let sections = table.iter().skip(1);
        let sections = sections.map(|section| read_section(bytes, &table, section));
        Ok(Cubin {
            kind,
            abi_version,
            flags: header.e_flags.get(LITTLE).0,
            version: header.e_version.get(LITTLE),
            sections: sections.collect::<Result<_, _>>()?,
        })
    }
}

fn read_section(
    bytes: &[u8],
    table: &Sections<'_>,
    header: &SectionHeader64<LittleEndian>,
) -> Result<Section, CubinError> {
    let name = table
        .section_name(LITTLE, header)
        .map_err(|error| wrong(error.to_string()))?;
    let name: Box<str> = text(name)?;
    let kind = header.sh_type.get(LITTLE).0;
    let size = header.sh_size.get(LITTLE);
    let link = header.sh_link.get(LITTLE);
    let inside = |error: object::Error| wrong(format!("section '{name}': {error}"));
    let contents = if is_zeros(kind) {
        Contents::Zeros(size)
    } else {
        let data = header_data(bytes, header)
            .ok_or_else(|| wrong(format!("section '{name}' ends behind the file")))?;
        let entry_size = header.sh_entsize.get(LITTLE);
        match kind {
            section_kind::STRINGS => Contents::Strings(StringTable::new(data.to_vec())),
            section_kind::SYMBOLS if entry_size == 24 => {
                let names = table
                    .strings(LITTLE, bytes, object::SectionIndex(index(link)))
                    .map_err(inside)?;
                Contents::Symbols(symbols(data, names)?)
            }
            section_kind::RELOCATIONS if entry_size == 24 => {
                Contents::Relocations(relocations(data, true))
            }
            section_kind::RELOCATIONS_IN_PLACE if entry_size == 16 => {
                Contents::Relocations(relocations(data, false))
            }
            _ => Contents::Bytes(data.to_vec()),
        }
    };
    Ok(Section {
        kind,
        flags: header.sh_flags.get(LITTLE).0,
        link,
        info: header.sh_info.get(LITTLE),
        alignment: header.sh_addralign.get(LITTLE),
        entry_size: header.sh_entsize.get(LITTLE),
        contents,
        offset: Some(header.sh_offset.get(LITTLE)),
        name,
    })
}

/// Whether sections of a type have a size, but nothing in the file: shared memory of a file for a linker, too.
pub(crate) fn is_zeros(kind: u32) -> bool {
    const GLOBAL: u32 = 0x7000_0007;
    const SHARED: u32 = 0x7000_000a;
    matches!(kind, section_kind::ZEROS | GLOBAL | SHARED)
}

fn header_data<'data>(
    bytes: &'data [u8],
    header: &SectionHeader64<LittleEndian>,
) -> Option<&'data [u8]> {
    let start = usize::try_from(header.sh_offset.get(LITTLE)).ok()?;
    let size = usize::try_from(header.sh_size.get(LITTLE)).ok()?;
    bytes.get(start..start.checked_add(size)?)
}

fn index(link: u32) -> usize {
    usize::try_from(link).unwrap_or(usize::MAX)
}

fn text(bytes: &[u8]) -> Result<Box<str>, CubinError> {
    let name = std::str::from_utf8(bytes).map_err(|_| wrong("a name is not UTF-8"))?;
    Ok(name.into())
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array(bytes, at))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(bytes, at))
}

fn double(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(bytes, at))
}

/// Bytes from a place on; zeros where there are none.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let found = bytes.get(at..at + N);
    found
        .and_then(|found| found.try_into().ok())
        .unwrap_or([0; N])
}

fn symbols(data: &[u8], names: object::StringTable<'_>) -> Result<Vec<Symbol>, CubinError> {
    let entries = data.chunks_exact(24);
    let symbol = |entry: &[u8]| {
        let name = names.get(word(entry, 0));
        Ok(Symbol {
            name: text(name.map_err(|()| wrong("a symbol has no name"))?)?,
            info: entry[4],
            other: entry[5],
            section: half(entry, 6),
            value: double(entry, 8),
            size: double(entry, 16),
        })
    };
    entries.map(symbol).collect()
}

fn relocations(data: &[u8], with_addends: bool) -> Vec<Relocation> {
    let entries = data.chunks_exact(if with_addends { 24 } else { 16 });
    let relocation = |entry: &[u8]| {
        let info = double(entry, 8);
        Relocation {
            offset: double(entry, 0),
            kind: u32::try_from(info & u64::from(u32::MAX)).unwrap_or_default(),
            symbol: u32::try_from(info >> 32).unwrap_or_default(),
            addend: double(entry, 16).cast_signed(),
        }
    };
    entries.map(relocation).collect()
}
