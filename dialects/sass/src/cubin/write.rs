//! Writes cubins.

use object::elf::{
    self, FileHeader64, Ident, ProgramFlags, ProgramHeader64, ProgramType, SectionFlags,
    SectionHeader64, SectionType,
};
use object::{LittleEndian, U16, U32, U64, pod};

use super::layout::{self, Layout, Segment};
use super::{Contents, Cubin, Kind, MACHINE, OS_ABI, Section, StringTable, section_kind};

const LITTLE: LittleEndian = LittleEndian;

impl Cubin {
    /// The bytes of the file. Names that its tables of names do not have are added to them.
    pub fn write(mut self) -> Vec<u8> {
        self.intern_names();
        let layout = Layout::of(&self);
        let program_size = self.program_headers(&layout);
        let section_count = self.sections.len() + 1;
        let headers = layout::SECTION_HEADER * number(section_count);
        let program_headers = layout.section_headers + headers;
        let mut file = pod::bytes_of(&self.file_header(&layout, program_size)).to_vec();
        for (section, offset) in self.sections.iter().zip(&layout.offsets) {
            let is_shared = *offset < number(file.len());
            if !is_shared && !matches!(section.contents, Contents::Zeros(_)) {
                pad(&mut file, *offset);
                self.write_contents(&mut file, section);
            }
        }
        pad(&mut file, layout.section_headers);
        file.resize(file.len() + 64, 0);
        let names = self.section_names();
        for (section, offset) in self.sections.iter().zip(&layout.offsets) {
            let header = section_header(section, *offset, names);
            file.extend_from_slice(pod::bytes_of(&header));
        }
        if self.kind == Kind::Executable {
            let (flags, is_first) = layout::own_segment(&self);
            let own = Segment {
                flags,
                start: program_headers,
                file_size: program_size,
                memory_size: program_size,
            };
            let mut loaded = layout.segments.clone();
            loaded.insert(if is_first { 0 } else { loaded.len() }, own);
            let all = [(elf::PT_PHDR, own)].into_iter();
            for (kind, segment) in all.chain(loaded.into_iter().map(|found| (elf::PT_LOAD, found)))
            {
                file.extend_from_slice(pod::bytes_of(&program_header(kind, segment)));
            }
        }
        file
    }

    /// The index in `sections` of the table with the names of sections.
    fn section_names_index(&self) -> Option<usize> {
        let named = |name: &str| {
            self.sections.iter().position(|section| {
                &*section.name == name && matches!(section.contents, Contents::Strings(_))
            })
        };
        named(".shstrtab").or_else(|| named(".strtab"))
    }

    fn section_names(&self) -> Option<&StringTable> {
        match &self.sections[self.section_names_index()?].contents {
            Contents::Strings(names) => Some(names),
            _ => None,
        }
    }

    fn strings(&mut self, index: usize) -> Option<&mut StringTable> {
        match &mut self.sections.get_mut(index)?.contents {
            Contents::Strings(names) => Some(names),
            _ => None,
        }
    }

    fn intern_names(&mut self) {
        let sections: Vec<_> = self
            .sections
            .iter()
            .map(|found| found.name.clone())
            .collect();
        if let Some(index) = self.section_names_index()
            && let Some(table) = self.strings(index)
        {
            for name in &sections {
                table.intern(name);
            }
        }
        let tables = self
            .sections
            .iter()
            .filter_map(|section| match &section.contents {
                Contents::Symbols(symbols) => {
                    let names = symbols.iter().map(|symbol| symbol.name.clone());
                    Some((section.link, names.collect::<Vec<_>>()))
                }
                _ => None,
            });
        for (link, names) in tables.collect::<Vec<_>>() {
            let index = usize::try_from(link)
                .ok()
                .and_then(|link| link.checked_sub(1));
            if let Some(table) = index.and_then(|index| self.strings(index)) {
                for name in &names {
                    table.intern(name);
                }
            }
        }
    }

    fn file_header(&self, layout: &Layout, program_size: u64) -> FileHeader64<LittleEndian> {
        let count = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let program_count = u16::try_from(program_size / layout::PROGRAM_HEADER);
        let is_executable = self.kind == Kind::Executable;
        let has_program_size = is_executable || !self.separates_constants();
        let sections = number(self.sections.len() + 1) * layout::SECTION_HEADER;
        FileHeader64 {
            e_ident: Ident {
                magic: elf::ELFMAG,
                class: elf::ELFCLASS64,
                data: elf::ELFDATA2LSB,
                version: elf::EV_CURRENT,
                os_abi: elf::OsAbi(if self.abi_version < 8 { 0x33 } else { OS_ABI }),
                abi_version: self.abi_version,
                padding: [0; 7],
            },
            e_type: U16::new(
                LITTLE,
                if is_executable {
                    elf::ET_EXEC
                } else {
                    elf::ET_REL
                },
            ),
            e_machine: U16::new(LITTLE, elf::Machine(MACHINE)),
            e_version: U32::new(LITTLE, self.version),
            e_entry: U64::new(LITTLE, 0),
            e_phoff: U64::new(
                LITTLE,
                if is_executable {
                    layout.section_headers + sections
                } else {
                    0
                },
            ),
            e_shoff: U64::new(LITTLE, layout.section_headers),
            e_flags: U32::new(LITTLE, elf::FileFlags(self.flags)),
            e_ehsize: U16::new(LITTLE, 64),
            e_phentsize: U16::new(LITTLE, if has_program_size { 56 } else { 0 }),
            e_phnum: U16::new(LITTLE, program_count.unwrap_or(u16::MAX)),
            e_shentsize: U16::new(LITTLE, 64),
            e_shnum: U16::new(LITTLE, count(self.sections.len() + 1)),
            e_shstrndx: U16::new(
                LITTLE,
                elf::SymbolSection(
                    self.section_names_index()
                        .map_or(0, |index| count(index + 1)),
                ),
            ),
        }
    }

    fn write_contents(&self, file: &mut Vec<u8>, section: &Section) {
        match &section.contents {
            Contents::Bytes(bytes) => file.extend_from_slice(bytes),
            Contents::Zeros(_) => {}
            Contents::Strings(table) => file.extend_from_slice(table.bytes()),
            Contents::Symbols(symbols) => {
                let names = self.section(section.link).map(|found| &found.contents);
                for symbol in symbols {
                    let name = match names {
                        Some(Contents::Strings(table)) => table.find(&symbol.name),
                        _ => None,
                    };
                    file.extend(name.unwrap_or(0).to_le_bytes());
                    file.extend([symbol.info, symbol.other]);
                    file.extend(symbol.section.to_le_bytes());
                    file.extend(symbol.value.to_le_bytes());
                    file.extend(symbol.size.to_le_bytes());
                }
            }
            Contents::Relocations(relocations) => {
                for found in relocations {
                    file.extend(found.offset.to_le_bytes());
                    file.extend(found.kind.to_le_bytes());
                    file.extend(found.symbol.to_le_bytes());
                    if section.kind == section_kind::RELOCATIONS {
                        file.extend(found.addend.to_le_bytes());
                    }
                }
            }
        }
    }
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn pad(file: &mut Vec<u8>, offset: u64) {
    let offset = usize::try_from(offset).unwrap_or_default();
    file.resize(offset.max(file.len()), 0);
}

fn section_header(
    section: &Section,
    offset: u64,
    names: Option<&StringTable>,
) -> SectionHeader64<LittleEndian> {
    let name = names.and_then(|names| names.find(&section.name));
    SectionHeader64 {
        sh_name: U32::new(LITTLE, name.unwrap_or(0)),
        sh_type: U32::new(LITTLE, SectionType(section.kind)),
        sh_flags: U64::new(LITTLE, SectionFlags(section.flags)),
        sh_addr: U64::new(LITTLE, 0),
        sh_offset: U64::new(LITTLE, offset),
        sh_size: U64::new(LITTLE, section.size()),
        sh_link: U32::new(LITTLE, section.link),
        sh_info: U32::new(LITTLE, section.info),
        sh_addralign: U64::new(LITTLE, section.alignment),
        sh_entsize: U64::new(LITTLE, section.entry_size),
    }
}

fn program_header(kind: ProgramType, segment: Segment) -> ProgramHeader64<LittleEndian> {
    ProgramHeader64 {
        p_type: U32::new(LITTLE, kind),
        p_flags: U32::new(LITTLE, ProgramFlags(segment.flags)),
        p_offset: U64::new(LITTLE, segment.start),
        p_vaddr: U64::new(LITTLE, 0),
        p_paddr: U64::new(LITTLE, 0),
        p_filesz: U64::new(LITTLE, segment.file_size),
        p_memsz: U64::new(LITTLE, segment.memory_size),
        p_align: U64::new(LITTLE, 8),
    }
}
