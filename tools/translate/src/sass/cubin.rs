//! Writes control words, and new instruction orders within blocks, into a copy of a cubin.
//!
//! There is no encoder: every instruction keeps its imported bits, except for its control word and,
//! if it moved, the distance to the label it refers to. Changes that require more are rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex};
use orison_sass::encoding::Encoding;
use orison_sass::function::{Block, Function};
use orison_sass::instruction::Operand;
use orison_sass::scheduled::{Scheduled, disagreement};

use super::{frames, information};

/// Why a program cannot be written into a cubin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatchError {
    /// The function, if the error is about one.
    pub function: Option<String>,
    /// The offset in the function, in bytes, if the error is about a location.
    pub address: Option<u64>,
    /// The message.
    pub message: String,
}

impl fmt::Display for PatchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(out, "'{function}'")?;
            if let Some(address) = self.address {
                write!(out, " at {address:#06x}")?;
            }
            out.write_str(": ")?;
        }
        out.write_str(&self.message)
    }
}

impl std::error::Error for PatchError {}

fn error(message: impl Into<String>) -> PatchError {
    PatchError {
        function: None,
        address: None,
        message: message.into(),
    }
}

/// A section of the cubin: the range of its bytes, and its relocated locations.
struct Code {
    start: usize,
    size: usize,
    relocations: Vec<u64>,
}

/// A copy of a cubin with the control words and orders of functions. Other functions of the cubin
/// are unchanged.
///
/// # Errors
/// If the base is not a cubin or is for another machine, or has no section for a function or one of another size; if an
/// instruction has no encoding or another one than in the same block of the base, or its encoding
/// does not match its operands; if a moved instruction is relocated, has a distance to a label in
/// an unknown format, or is referred to by tables of the cubin in an unknown way.
pub fn patch(base: &[u8], functions: &[Function<'_>]) -> Result<Vec<u8>, PatchError> {
    let file = ElfFile64::<object::Endianness>::parse(base)
        .map_err(|found| error(format!("the base is not a 64-bit ELF file: {found}")))?;
    let mut copy = base.to_vec();
    for function in functions {
        let located = |mut found: PatchError| {
            found.function = Some(function.name.to_string());
            found
        };
        check_machine(&file, &function.target).map_err(located)?;
        let code = find_code(&file, &function.section()).map_err(located)?;
        let moves = patch_function(&mut copy, &code, function).map_err(located)?;
        if !moves.is_empty() {
            check_mentions(&file, function, &moves).map_err(located)?;
            let title = format!(".nv.info.{}", function.name);
            let section = file.section_by_name(&title);
            let range = section.and_then(|section| section.file_range());
            if let Some(bytes) = range.and_then(|range| slice(&mut copy, range)) {
                information::move_addresses(bytes, &moves)
                    .map_err(|message| located(error(format!("'{title}' {message}"))))?;
            }
        }
    }
    Ok(copy)
}

/// Checks that a cubin is for the machine of a function. Its number is in the flags of the ELF header:
/// bits 8 to 15 in version 8 of the binary interface, bits 0 to 7 in version 7 (read in cubins of CUDA
/// 12 and 13).
fn check_machine(file: &ElfFile64<'_>, target: &str) -> Result<(), PatchError> {
    let header = file.elf_header();
    let flags = header.e_flags.get(file.endian()).0;
    let of_base = match header.e_ident.abi_version {
        7 => flags & 0xff,
        8 => flags >> 8 & 0xff,
        _ => return Ok(()),
    };
    match orison_machine::sm_number(target) {
        Some(number) if u32::from(number) != of_base => Err(error(format!(
            "the base is for 'sm_{of_base}', not for '{target}'"
        ))),
        _ => Ok(()),
    }
}

/// A relocation against the code of a function.
struct Mention {
    /// Its offset in its section.
    offset: u64,
    /// The target address, minus the addend stored in the section.
    base: u64,
    /// Whether the section stores an addend.
    added: bool,
}

/// The relocations of a section that refer to some code.
fn mentions<'data>(
    file: &ElfFile64<'data, object::Endianness>,
    section: &impl ObjectSection<'data>,
    code: SectionIndex,
) -> Vec<Mention> {
    let mention = |(offset, relocation): (u64, object::Relocation)| {
        let RelocationTarget::Symbol(symbol) = relocation.target() else {
            return None;
        };
        let symbol = file.symbol_by_index(symbol).ok()?;
        let addend = u64::try_from(relocation.addend()).unwrap_or_default();
        (symbol.section_index() == Some(code)).then(|| Mention {
            offset,
            base: symbol.address().wrapping_add(addend),
            added: relocation.has_implicit_addend(),
        })
    };
    section
        .relocations()
        .filter_map(|(offset, relocation)| mention((offset, relocation)))
        .collect()
}

/// Rejects moves that require changes in other sections: moves across changes of stack frame rules,
/// line tables, and relocations to an instruction within a block. A reference to a block refers to
/// its first instruction.
fn check_mentions(
    file: &ElfFile64<'_, object::Endianness>,
    function: &Function<'_>,
    moves: &BTreeMap<u64, u64>,
) -> Result<(), PatchError> {
    let code = file.section_by_name(&function.section());
    let Some(code) = code.map(|section| section.index()) else {
        return Ok(());
    };
    let mut blocks = BTreeSet::new();
    let mut address = 0;
    for block in &function.blocks {
        blocks.insert(address);
        address += Encoding::BYTES * u64::try_from(block.instructions.len()).unwrap_or(u64::MAX);
    }
    for section in file.sections() {
        let name = section.name().unwrap_or_default();
        // The second form of the code on sm_100 duplicates all related data.
        if name.starts_with(".nv.merc.") || name.starts_with(".nv.capmerc.") {
            continue;
        }
        let mentions = mentions(file, &section, code);
        let moved = mentions
            .iter()
            .find(|found| moves.contains_key(&found.base) && !blocks.contains(&found.base));
        if name == ".debug_frame" {
            check_frames(&section, &mentions, moves)?;
        } else if name.contains("debug_line") && !mentions.is_empty() {
            let message = format!("cannot move instructions: '{name}' has line numbers for them");
            return Err(error(message));
        } else if let Some(found) = moved {
            let message =
                format!("cannot move the instruction: a relocation in '{name}' refers to it");
            return Err(at(found.base, message));
        }
    }
    Ok(())
}

/// Whether every instruction stays on its side of changes of the frame rules.
fn check_frames<'data>(
    section: &impl ObjectSection<'data>,
    mentions: &[Mention],
    moves: &BTreeMap<u64, u64>,
) -> Result<(), PatchError> {
    if mentions.is_empty() {
        return Ok(());
    }
    let refuse = |why: String| error(format!("cannot move instructions: '.debug_frame' {why}"));
    let bytes = section.data();
    let bytes = bytes.map_err(|_| refuse("has no contents".to_owned()))?;
    for entry in frames::entries(bytes).map_err(refuse)? {
        let mention = mentions.iter().find(|found| found.offset == entry.location);
        let Some(mention) = mention else {
            continue;
        };
        let start = match mention.added {
            true => mention.base.wrapping_add(entry.start),
            false => mention.base,
        };
        for boundary in &entry.boundaries {
            let place = start.wrapping_add(*boundary);
            let crossed = moves
                .iter()
                .find(|(from, to)| (**from < place) != (**to < place));
            if let Some((from, to)) = crossed {
                let message = format!(
                    "cannot move the instruction from {from:#06x} across {place:#06x}: \
                     '.debug_frame' has a different stack frame there"
                );
                return Err(at(*to, message));
            }
        }
    }
    Ok(())
}

fn slice(bytes: &mut [u8], (start, size): (u64, u64)) -> Option<&mut [u8]> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    bytes.get_mut(start..end)
}

fn find_code(file: &ElfFile64<'_, object::Endianness>, name: &str) -> Result<Code, PatchError> {
    let missing = || error(format!("the base has no section '{name}'"));
    let section = file.section_by_name(name).ok_or_else(missing)?;
    let (start, size) = section.file_range().ok_or_else(missing)?;
    let number = |number: u64| usize::try_from(number).map_err(|_| missing());
    Ok(Code {
        start: number(start)?,
        size: number(size)?,
        relocations: section.relocations().map(|(offset, _)| offset).collect(),
    })
}

/// Writes a function; returns the old and new addresses of instructions.
fn patch_function(
    copy: &mut [u8],
    code: &Code,
    function: &Function<'_>,
) -> Result<BTreeMap<u64, u64>, PatchError> {
    let size = function.instructions().count() * 16;
    if size != code.size {
        return Err(error(format!(
            "has {size} bytes of code, expected {} as in the base",
            code.size
        )));
    }
    let end = code.start.checked_add(size);
    let bytes = end.and_then(|end| copy.get_mut(code.start..end));
    let bytes = bytes.ok_or_else(|| error("the base ends before the section"))?;
    let mut labels = BTreeMap::new();
    let mut address = 0;
    for block in &function.blocks {
        labels.extend(block.labels().map(|label| (label.to_owned(), address)));
        address += Encoding::BYTES * u64::try_from(block.instructions.len()).unwrap_or(u64::MAX);
    }
    let (mut moves, mut start) = (BTreeMap::new(), 0);
    for block in &function.blocks {
        let length = block.instructions.len() * 16;
        let patcher = BlockPatcher {
            start: u64::try_from(start).unwrap_or(u64::MAX),
            labels: &labels,
            relocations: &code.relocations,
        };
        patcher.patch(&mut bytes[start..start + length], block, &mut moves)?;
        start += length;
    }
    Ok(moves)
}

/// Writes a block.
struct BlockPatcher<'a> {
    start: u64,
    labels: &'a BTreeMap<String, u64>,
    relocations: &'a [u64],
}

impl BlockPatcher<'_> {
    fn patch(
        &self,
        bytes: &mut [u8],
        block: &Block<'_>,
        moves: &mut BTreeMap<u64, u64>,
    ) -> Result<(), PatchError> {
        let mut old: Vec<Encoding> = Vec::new();
        for chunk in bytes.chunks_exact(16) {
            old.push(Encoding::from_bytes(chunk.try_into().unwrap_or_default()));
        }
        // Indices in the base of each instruction not written yet, by encoding.
        let mut places: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
        for (place, encoding) in old.iter().enumerate().rev() {
            let known = encoding.without_control();
            places
                .entry((known.low, known.high))
                .or_default()
                .push(place);
        }
        let fixed = self.assign(block, &old, &mut places)?;
        for (place, (found, from)) in block.instructions.iter().zip(fixed).enumerate() {
            let (old_address, address) = (self.address(from), self.address(place));
            let mut encoding = old[from];
            if from != place {
                encoding = self.moved(found, encoding, old_address, address)?;
                moves.insert(old_address, address);
            }
            let written = encoding.with_control(&found.control);
            let written = written.map_err(|problem| at(address, problem.to_string()))?;
            bytes[place * 16..][..16].copy_from_slice(&written.to_bytes());
        }
        Ok(())
    }

    fn address(&self, place: usize) -> u64 {
        self.start + Encoding::BYTES * u64::try_from(place).unwrap_or_default()
    }

    /// The index in the base of each instruction: its own if equal, so that equal instructions do
    /// not appear to move.
    fn assign(
        &self,
        block: &Block<'_>,
        old: &[Encoding],
        places: &mut BTreeMap<(u64, u64), Vec<usize>>,
    ) -> Result<Vec<usize>, PatchError> {
        let mut assigned: Vec<Option<usize>> = vec![None; old.len()];
        let mut keys = Vec::new();
        for (place, found) in block.instructions.iter().enumerate() {
            let address = self.address(place);
            let Some(imported) = found.imported else {
                return Err(at(address, format!("'{found}' has no encoding")));
            };
            if let Some(message) = disagreement(found) {
                return Err(at(address, format!("'{found}' was changed: {message}")));
            }
            if imported.fingerprint != Some(found.fingerprint()) {
                let message = "was changed: its encoding was imported with a different text";
                return Err(at(address, format!("'{found}' {message}")));
            }
            let key = imported.encoding.without_control();
            let key = (key.low, key.high);
            if let Some(free) = places.get_mut(&key)
                && let Some(same) = free.iter().position(|free| *free == place)
            {
                free.remove(same);
                assigned[place] = Some(place);
            }
            keys.push(key);
        }
        for (place, key) in keys.iter().enumerate() {
            if assigned[place].is_none() {
                assigned[place] = places.get_mut(key).and_then(Vec::pop);
            }
        }
        let missing = assigned.iter().position(Option::is_none);
        if let Some(place) = missing {
            let found = &block.instructions[place];
            let message = format!("the base has no instruction '{found}' in this block");
            return Err(at(self.address(place), message));
        }
        Ok(assigned.into_iter().flatten().collect())
    }

    /// The encoding of an instruction at another address.
    fn moved(
        &self,
        found: &Scheduled<'_>,
        encoding: Encoding,
        from: u64,
        to: u64,
    ) -> Result<Encoding, PatchError> {
        let inside = |offset: &&u64| (from..from + Encoding::BYTES).contains(*offset);
        let relocated = self.relocations.iter().any(|offset| inside(&offset));
        let linked = |operand: &Operand| matches!(operand, Operand::Relocation(_));
        if relocated || found.operands.iter().any(linked) {
            let message = format!("cannot move '{found}' from {from:#06x}: it has a relocation");
            return Err(at(to, message));
        }
        let mut labels = found.operands.iter().filter_map(|operand| match operand {
            Operand::Label(label) => Some(label),
            _ => None,
        });
        let Some(label) = labels.next() else {
            return Ok(encoding);
        };
        let refuse = || {
            let message = format!(
                "cannot move '{found}' from {from:#06x}: the encoding of its reference to \
                 '{label}' is unknown"
            );
            at(to, message)
        };
        let target = self.labels.get(&**label).ok_or_else(refuse)?;
        // Of the instructions that refer to labels only BSSY and WARPSYNC occur within blocks; both
        // store the distance from the next instruction in bits 32 to 63.
        let distance = |address: u64| {
            let distance =
                i64::try_from(*target).ok()? - i64::try_from(address + Encoding::BYTES).ok()?;
            i32::try_from(distance).ok().map(i32::cast_unsigned)
        };
        let (old, new) = (
            distance(from).ok_or_else(refuse)?,
            distance(to).ok_or_else(refuse)?,
        );
        if encoding.low >> 32 != u64::from(old) {
            return Err(refuse());
        }
        Ok(Encoding {
            low: encoding.low & 0xffff_ffff | u64::from(new) << 32,
            ..encoding
        })
    }
}

fn at(address: u64, message: String) -> PatchError {
    PatchError {
        address: Some(address),
        ..error(message)
    }
}
