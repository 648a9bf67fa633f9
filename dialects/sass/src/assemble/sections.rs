//! The sections and symbols of a cubin.

use std::collections::BTreeMap;

use super::code::{Code, Reference, assemble};
use super::data::Data;
use super::information::{self, CLUSTERS};
use super::{Facts, Problem, Program, frames, notes};
use crate::cubin::{
    ABI_VERSION, Contents, Cubin, Kind, Relocation, Section, StringTable, Symbol, relocation,
    section_flags, section_kind,
};
use crate::function::Function;

/// Bits 24 to 31 of the flags, in all files of version 8 of the binary interface; and bit 2: the code is in this form
/// only.
const FLAGS: u32 = 0x0600_0004;
/// The alignment of code in bytes.
const CODE_ALIGNMENT: u64 = 128;
/// The alignment of constant banks with parameters in bytes.
const BANK_ALIGNMENT: u64 = 4;

/// The first machine on which the system has shared memory of each CTA.
pub(super) const SHARED_OF_SYSTEM: u16 = 100;

pub(super) fn cubin(program: &Program<'_>) -> Result<Cubin, Box<Problem>> {
    let mut builder = Builder::new(program)?;
    builder.plan();
    Ok(builder.build())
}

/// A section whose links are names: their indices are known at the end.
#[derive(Default)]
pub(super) struct Planned {
    pub(super) name: String,
    pub(super) kind: u32,
    pub(super) flags: u64,
    pub(super) link: Option<&'static str>,
    pub(super) info: Info,
    pub(super) alignment: u64,
    pub(super) entry_size: u64,
    pub(super) contents: Option<Contents>,
    pub(super) references: Vec<Reference>,
}

#[derive(Default)]
pub(super) enum Info {
    #[default]
    None,
    /// The index of a section.
    Section(String),
    /// The index of the symbol of a function, with other bits.
    Function(String, u32),
    /// The index of the symbol of a section.
    Symbol(String),
    /// The number of local symbols.
    Locals,
}

pub(super) struct Builder<'p> {
    pub(super) program: &'p Program<'p>,
    pub(super) machine: u16,
    pub(super) code: Vec<Code>,
    pub(super) data: Vec<Data>,
    pub(super) planned: Vec<Planned>,
    pub(super) symbols: Vec<Symbol>,
    /// The names of functions, objects and sections with their symbols.
    pub(super) numbers: BTreeMap<String, u32>,
    pub(super) no_facts: Facts,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program<'p>) -> Result<Self, Box<Problem>> {
        let code = program.functions.iter().map(assemble);
        let data = program.data.iter().map(Data::of);
        let machine = orison_machine::sm_number(&program.machine).unwrap_or(0);
        Ok(Builder {
            program,
            machine,
            code: code.collect::<Result<_, _>>()?,
            data: data.collect::<Result<_, _>>()?,
            planned: Vec::new(),
            symbols: Vec::new(),
            numbers: BTreeMap::new(),
            no_facts: Facts::default(),
        })
    }

    pub(super) fn facts(&self, name: &str) -> &Facts {
        self.program.facts.get(name).unwrap_or(&self.no_facts)
    }

    fn kernels(&self) -> impl Iterator<Item = &'p Function<'p>> {
        let program = self.program;
        let is_kernel = |function: &&Function<'_>| {
            let facts = program.facts.get(&function.name);
            facts.is_some_and(|facts| facts.resources.kernel)
        };
        program.functions.iter().filter(is_kernel)
    }

    /// The sections in their order, without what depends on the numbers of symbols.
    fn plan(&mut self) {
        let program = self.program;
        for name in [".shstrtab", ".strtab"] {
            let contents = Contents::Strings(StringTable::default());
            self.push(name, section_kind::STRINGS, 0, 1, contents);
        }
        self.push_linked(
            ".symtab",
            section_kind::SYMBOLS,
            0,
            ".strtab",
            Info::Locals,
            8,
            24,
        );
        let (frames, references) = self.frames();
        self.push(".debug_frame", section_kind::CONTENTS, 0, 1, frames);
        self.last().references = references;
        let tool = Contents::Bytes(notes::tool(&program.tool));
        self.push(".note.nv.tkinfo", section_kind::NOTES, 0x0200_0000, 4, tool);
        let file = Contents::Bytes(notes::file(self.machine));
        self.push(".note.nv.cuinfo", section_kind::NOTES, 0x0100_0000, 4, file);
        if self.machine >= CLUSTERS {
            self.last().flags |= section_flags::INFO_LINK;
            self.last().link = Some(".note.nv.tkinfo");
            self.last().info = Info::Symbol(".nv.info".to_owned());
        }
        self.push_linked(
            ".nv.info",
            section_kind::INFORMATION,
            0,
            ".symtab",
            Info::None,
            4,
            0,
        );
        if self.machine >= CLUSTERS {
            let records = information::compatibility(&program.machine, &program.functions);
            let bytes = Contents::Bytes(crate::cubin::information::bytes(&records));
            self.push(".nv.compat", section_kind::COMPATIBILITY, 0, 4, bytes);
        }
        for function in &program.functions {
            let code = Info::Section(function.section());
            let name = format!(".nv.info.{}", function.name);
            let flags = section_flags::INFO_LINK;
            self.push_linked(
                &name,
                section_kind::INFORMATION,
                flags,
                ".symtab",
                code,
                4,
                0,
            );
        }
        let link = ".symtab";
        self.push_linked(
            ".nv.callgraph",
            section_kind::CALL_GRAPH,
            0,
            link,
            Info::None,
            4,
            8,
        );
        if self.machine < CLUSTERS {
            // How the driver applies relocations: the same in all files.
            let action = vec![0x73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x25, 0, 5, 0x36];
            let action = Contents::Bytes(action);
            self.push(
                ".nv.rel.action",
                section_kind::RELOCATION_ACTION,
                0,
                8,
                action,
            );
            self.last().entry_size = 8;
        }
        self.plan_relocations();
        self.plan_constants();
        if self.machine < CLUSTERS {
            self.plan_parameters();
        }
        self.plan_code();
        self.plan_data();
        if self.machine >= CLUSTERS {
            self.plan_parameters();
        }
    }

    fn push(&mut self, name: &str, kind: u32, flags: u64, alignment: u64, contents: Contents) {
        self.planned.push(Planned {
            name: name.to_owned(),
            kind,
            flags,
            alignment,
            contents: Some(contents),
            ..Planned::default()
        });
    }

    #[allow(clippy::too_many_arguments)] // The fields of a section in their order.
    fn push_linked(
        &mut self,
        name: &str,
        kind: u32,
        flags: u64,
        link: &'static str,
        info: Info,
        alignment: u64,
        entry_size: u64,
    ) {
        self.planned.push(Planned {
            name: name.to_owned(),
            kind,
            flags,
            link: Some(link),
            info,
            alignment,
            entry_size,
            ..Planned::default()
        });
    }

    fn last(&mut self) -> &mut Planned {
        if self.planned.is_empty() {
            self.planned.push(Planned::default());
        }
        let last = self.planned.len() - 1;
        &mut self.planned[last]
    }

    fn frames(&self) -> (Contents, Vec<Reference>) {
        let mut bytes = frames::common();
        let mut references = Vec::new();
        for function in &self.program.functions {
            references.push(Reference {
                offset: u64::try_from(bytes.len()).unwrap_or(0) + frames::LOCATION,
                kind: relocation::ADDRESS,
                symbol: function.name.clone(),
                addend: 0,
            });
            bytes.extend(frames::of_function(function));
        }
        (Contents::Bytes(bytes), references)
    }

    fn plan_relocations(&mut self) {
        let code = self.program.functions.iter().zip(&self.code);
        let code = code.map(|(function, code)| (function.section(), !code.references.is_empty()));
        let data = self.data.iter();
        let data = data.map(|data| (data.name.to_string(), !data.references.is_empty()));
        let frames = [(".debug_frame".to_owned(), !self.code.is_empty())];
        let all: Vec<_> = code.chain(data).chain(frames).collect();
        for (name, _) in all.into_iter().filter(|(_, has)| *has) {
            let title = format!(".rela{name}");
            let (kind, flags) = (section_kind::RELOCATIONS, section_flags::INFO_LINK);
            self.push_linked(&title, kind, flags, ".symtab", Info::Section(name), 8, 24);
        }
    }

    /// Constant banks of all kernels, and tables of branches, which each kernel has its own copy of.
    fn plan_constants(&mut self) {
        const TABLES: &str = ".nv.constant2";
        for data in std::mem::take(&mut self.data) {
            if !data.name.starts_with(".nv.constant") {
                self.data.push(data);
                continue;
            }
            let owners: Vec<Option<String>> = if *data.name == *TABLES {
                let users = self.kernels().filter(|function| reads_bank(function, 2));
                users
                    .map(|function| Some(function.name.to_string()))
                    .collect()
            } else {
                vec![None]
            };
            for owner in owners {
                let name = match &owner {
                    Some(kernel) => format!("{}.{kernel}", data.name),
                    None => data.name.to_string(),
                };
                let bytes = Contents::Bytes(data.bytes.clone());
                let bank = bank_of(&data.name).unwrap_or(0);
                let kind = self.data_kind(0x7000_0064 + bank, section_kind::CONTENTS);
                let (flags, alignment) = (section_flags::ALLOCATED, data.alignment);
                self.push(&name, kind, flags, alignment, bytes);
                self.last().references.clone_from(&data.references);
                if let Some(kernel) = owner {
                    self.last().flags |= section_flags::INFO_LINK;
                    self.last().info = Info::Section(format!(".text.{kernel}"));
                }
            }
            self.data.push(data);
        }
    }

    /// The type of a section of data in a file for a linker, or for the driver.
    fn data_kind(&self, relocatable: u32, executable: u32) -> u32 {
        match self.program.kind {
            Kind::Relocatable => relocatable,
            Kind::Executable => executable,
        }
    }

    /// The constant bank of each kernel with its parameters.
    fn plan_parameters(&mut self) {
        let start = information::parameter_start(self.machine);
        let kernels: Vec<_> = self
            .kernels()
            .map(|function| function.name.clone())
            .collect();
        for kernel in kernels {
            let size = start + self.facts(&kernel).parameter_bytes();
            let bytes = vec![0; usize::try_from(size).unwrap_or(0)];
            let kind = self.data_kind(0x7000_0064, section_kind::CONTENTS);
            let flags = section_flags::ALLOCATED | section_flags::INFO_LINK;
            let name = format!(".nv.constant0.{kernel}");
            self.push(&name, kind, flags, BANK_ALIGNMENT, Contents::Bytes(bytes));
            self.last().info = Info::Section(format!(".text.{kernel}"));
        }
    }

    fn plan_code(&mut self) {
        let code = std::mem::take(&mut self.code);
        for (function, code) in self.program.functions.iter().zip(&code) {
            let flags = section_flags::ALLOCATED | section_flags::EXECUTABLE;
            let bytes = Contents::Bytes(code.bytes.clone());
            let (name, kind) = (function.section(), section_kind::CONTENTS);
            self.push(&name, kind, flags, CODE_ALIGNMENT, bytes);
            let registers = self.facts(&function.name).resources.registers;
            let bits = match self.machine >= CLUSTERS {
                true => 0,
                false => registers.min(255) << 24,
            };
            self.last().link = Some(".symtab");
            self.last().info = Info::Function(function.name.to_string(), bits);
            self.last().references.clone_from(&code.references);
        }
        self.code = code;
    }

    fn plan_data(&mut self) {
        let data = std::mem::take(&mut self.data);
        let others = data
            .iter()
            .filter(|data| !data.name.starts_with(".nv.constant"));
        for found in others {
            let (kernel, relocatable) = match found.name.strip_prefix(".nv.shared.") {
                Some(kernel) => (Some(kernel), 0x7000_000a),
                None if found.no_bits => (None, 0x7000_0007),
                None => (None, 0x7000_0008),
            };
            let (executable, contents) = match found.no_bits {
                true => (section_kind::ZEROS, Contents::Zeros(found.size())),
                false => (section_kind::CONTENTS, Contents::Bytes(found.bytes.clone())),
            };
            let kind = self.data_kind(relocatable, executable);
            let flags = section_flags::ALLOCATED | section_flags::WRITE;
            self.push(&found.name, kind, flags, found.alignment, contents);
            self.last().references.clone_from(&found.references);
            if let Some(kernel) = kernel {
                self.last().flags |= section_flags::INFO_LINK;
                self.last().info = Info::Section(format!(".text.{kernel}"));
                self.last().alignment = found.alignment.max(16);
            }
        }
        self.data = data;
        if self.machine >= CLUSTERS {
            let size = self.reserved_shared();
            let contents = Contents::Zeros(size);
            let flags = section_flags::ALLOCATED | section_flags::WRITE;
            self.push(
                ".nv.shared.reserved.0",
                section_kind::ZEROS,
                flags,
                1,
                contents,
            );
        }
    }

    /// Bytes of shared memory that the system has for each CTA.
    pub(super) fn reserved_shared(&self) -> u64 {
        match self.machine {
            ..SHARED_OF_SYSTEM => 0,
            SHARED_OF_SYSTEM.. => 0x40,
        }
    }

    pub(super) fn index(&self, name: &str) -> Option<u32> {
        let place = self.planned.iter().position(|found| found.name == name)?;
        u32::try_from(place + 1).ok()
    }

    fn build(mut self) -> Cubin {
        let locals = self.number_symbols();
        let kinds = self.fill();
        let indices: BTreeMap<String, u32> = (1u32..)
            .zip(&self.planned)
            .map(|(index, planned)| (planned.name.clone(), index))
            .collect();
        let index = |name: &str| indices.get(name).copied().unwrap_or(0);
        let number = |name: &str| self.numbers.get(name).copied().unwrap_or(0);
        let relocations: BTreeMap<String, Vec<Relocation>> = self
            .planned
            .iter()
            .map(|planned| {
                let all = planned.references.iter().map(|reference| Relocation {
                    offset: reference.offset,
                    kind: reference.kind,
                    symbol: number(&reference.symbol),
                    addend: reference.addend,
                });
                (format!(".rela{}", planned.name), all.collect())
            })
            .collect();
        let symbols = std::mem::take(&mut self.symbols);
        let sections = self.planned.into_iter().map(|planned| {
            let contents = match planned.contents {
                Some(contents) => contents,
                None if planned.name == ".symtab" => Contents::Symbols(symbols.clone()),
                None => match relocations.get(&planned.name) {
                    Some(all) => Contents::Relocations(all.clone()),
                    None => Contents::Bytes(kinds.get(&planned.name).cloned().unwrap_or_default()),
                },
            };
            Section {
                kind: planned.kind,
                flags: planned.flags,
                link: planned.link.map_or(0, index),
                info: match &planned.info {
                    Info::None => 0,
                    Info::Section(name) => index(name),
                    Info::Function(name, bits) => number(name) & 0xff_ffff | bits,
                    Info::Symbol(name) => index(name) + 1,
                    Info::Locals => locals,
                },
                alignment: planned.alignment,
                entry_size: planned.entry_size,
                contents,
                offset: None,
                name: planned.name.into(),
            }
        });
        Cubin {
            kind: self.program.kind,
            abi_version: ABI_VERSION,
            flags: FLAGS | u32::from(self.machine) << 8,
            version: 1,
            sections: sections.collect(),
        }
    }

    pub(super) fn is_undefined(&self, symbol: u32) -> bool {
        let place = usize::try_from(symbol).unwrap_or(usize::MAX);
        self.symbols
            .get(place)
            .is_some_and(|found| found.section == 0)
    }
}

/// The number of a constant bank: 3 of `.nv.constant3`.
fn bank_of(name: &str) -> Option<u32> {
    let rest = name.strip_prefix(".nv.constant")?;
    rest.split('.').next()?.parse().ok()
}

fn reads_bank(function: &Function<'_>, bank: u64) -> bool {
    use crate::instruction::{ConstantBank, Operand};
    function.instructions().any(|found| {
        found.operands.iter().any(|operand| match operand {
            Operand::Constant(constant) => constant.bank == ConstantBank::Number(bank),
            _ => false,
        })
    })
}
