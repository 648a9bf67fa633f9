//! Writes control words, and new instruction orders within blocks, into a copy of a cubin.
//!
//! There is no encoder: every instruction keeps its imported bits, except for its control word and,
//! if it moved, the distance to the label it refers to. Changes that require more are rejected.

use std::collections::BTreeMap;

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection};
use orison_sass::cubin::machine_number;
use orison_sass::encoding::Encoding;
use orison_sass::function::{Block, Function};
use orison_sass::instruction::Operand;
use orison_sass::scheduled::{Scheduled, disagreement};

use super::information;
pub use super::patch_error::PatchError;
use super::patch_error::{at, error};
use super::references::{References, information_of};

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
    let file = read(base)?;
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
            let references = References::of(&file, function).map_err(located)?;
            references.check(&moves).map_err(located)?;
            let title = information_of(function);
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

/// The addresses of the instructions of a function that keep their address and the instructions before them, so that
/// [`patch`] accepts any other order within blocks.
///
/// # Errors
/// If the base is not a cubin, has no section for the function, or has a table that cannot be read.
pub fn fixed(base: &[u8], function: &Function<'_>) -> Result<Vec<u64>, PatchError> {
    let file = read(base)?;
    let code = find_code(&file, &function.section())?;
    let links = Links::new(&code, function);
    let (mut found, mut address) = (Vec::new(), 0);
    for instruction in function.instructions() {
        let bits = instruction.encoding();
        if bits.is_none_or(|bits| links.target(instruction, bits, address).is_err()) {
            found.push(address);
        }
        address += Encoding::BYTES;
    }
    found.extend(References::of(&file, function)?.fixed());
    Ok(found)
}

fn read(base: &[u8]) -> Result<ElfFile64<'_>, PatchError> {
    ElfFile64::parse(base)
        .map_err(|found| error(format!("the base is not a 64-bit ELF file: {found}")))
}

/// Checks that a cubin is for the machine of a function.
fn check_machine(file: &ElfFile64<'_>, target: &str) -> Result<(), PatchError> {
    let header = file.elf_header();
    let flags = header.e_flags.get(file.endian()).0;
    let abi_version = header.e_ident.abi_version;
    if !(7..=8).contains(&abi_version) {
        return Ok(());
    }
    let of_base = machine_number(abi_version, flags);
    match orison_machine::sm_number(target) {
        Some(number) if u32::from(number) != of_base => Err(error(format!(
            "the base is for 'sm_{of_base}', not for '{target}'"
        ))),
        _ => Ok(()),
    }
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
    let links = Links::new(code, function);
    let (mut moves, mut start) = (BTreeMap::new(), 0);
    for block in &function.blocks {
        let length = block.instructions.len() * 16;
        let patcher = BlockPatcher {
            start: u64::try_from(start).unwrap_or(u64::MAX),
            links: &links,
        };
        patcher.patch(&mut bytes[start..start + length], block, &mut moves)?;
        start += length;
    }
    Ok(moves)
}

/// Writes a block.
struct BlockPatcher<'a> {
    start: u64,
    links: &'a Links<'a>,
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
        let refuse = |why: String| at(to, format!("cannot move '{found}' from {from:#06x}: {why}"));
        let target = self.links.target(found, encoding, from).map_err(refuse)?;
        let new = target.and_then(|target| distance(to, target));
        Ok(match new {
            Some(new) => Encoding {
                low: encoding.low & 0xffff_ffff | u64::from(new) << 32,
                ..encoding
            },
            None => encoding,
        })
    }
}

/// What instructions refer to by distances and relocations.
struct Links<'a> {
    labels: BTreeMap<&'a str, u64>,
    relocations: &'a [u64],
}

impl<'a> Links<'a> {
    fn new(code: &'a Code, function: &'a Function<'_>) -> Self {
        let mut labels = BTreeMap::new();
        let mut address = 0;
        for block in &function.blocks {
            labels.extend(block.labels().map(|label| (label, address)));
            address +=
                Encoding::BYTES * u64::try_from(block.instructions.len()).unwrap_or(u64::MAX);
        }
        Links {
            labels,
            relocations: &code.relocations,
        }
    }

    /// The address of the label that an instruction refers to; or why it cannot move.
    fn target(
        &self,
        found: &Scheduled<'_>,
        encoding: Encoding,
        address: u64,
    ) -> Result<Option<u64>, String> {
        let inside = |offset: &&u64| (address..address + Encoding::BYTES).contains(*offset);
        let relocated = self.relocations.iter().any(|offset| inside(&offset));
        let linked = |operand: &Operand| matches!(operand, Operand::Relocation(_));
        if relocated || found.operands.iter().any(linked) {
            return Err("it has a relocation".to_owned());
        }
        let mut labels = found.operands.iter().filter_map(|operand| match operand {
            Operand::Label(label) => Some(label),
            _ => None,
        });
        let Some(label) = labels.next() else {
            return Ok(None);
        };
        // Of the instructions that refer to labels only BSSY and WARPSYNC occur within blocks; both
        // store the distance from the next instruction in bits 32 to 63.
        let target = self.labels.get(&**label).copied();
        let is_known = |target: &u64| {
            distance(address, *target).is_some_and(|bits| encoding.low >> 32 == u64::from(bits))
        };
        let unknown = || format!("the encoding of its reference to '{label}' is unknown");
        target.filter(is_known).map(Some).ok_or_else(unknown)
    }
}

/// The bits of the distance from the instruction behind an address.
fn distance(address: u64, target: u64) -> Option<u32> {
    let behind = i64::try_from(address + Encoding::BYTES).ok()?;
    let distance = i64::try_from(target).ok()? - behind;
    i32::try_from(distance).ok().map(i32::cast_unsigned)
}
