//! Where the parts of a file are.

use rustc_hash::FxHashMap;

use super::{Contents, Cubin, Kind, Section, section_flags};

/// Sizes of the structures of 64-bit ELF files, in bytes.
pub(super) const FILE_HEADER: u64 = 64;
pub(super) const SECTION_HEADER: u64 = 64;
pub(super) const PROGRAM_HEADER: u64 = 56;

/// Readable, writable and executable segments.
const EXECUTE: u32 = 1;
const WRITE: u32 = 2;
const READ: u32 = 4;

/// The first machine on which constants are in a segment without code.
const SEPARATE_CONSTANTS: u32 = 90;
/// Sections of the second form of the code (from sm_100 on) are in no segment.
const SECOND_FORM: u64 = 0x1000_0000;

/// What is loaded together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub(super) flags: u32,
    pub(super) start: u64,
    pub(super) file_size: u64,
    pub(super) memory_size: u64,
}

/// Where the parts of a file are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// The offset of each section.
    pub(super) offsets: Vec<u64>,
    /// The offset of the headers of the sections.
    pub(super) section_headers: u64,
    /// The segments with contents.
    pub(super) segments: Vec<Segment>,
}

impl Section {
    /// The size in memory, in bytes.
    pub fn size(&self) -> u64 {
        let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        match &self.contents {
            Contents::Bytes(bytes) => count(bytes.len()),
            Contents::Zeros(size) => *size,
            Contents::Strings(table) => count(table.bytes().len()),
            Contents::Symbols(all) => count(all.len()).saturating_mul(self.entry_size),
            Contents::Relocations(all) => count(all.len()).saturating_mul(self.entry_size),
        }
    }

    fn file_size(&self) -> u64 {
        match self.contents {
            Contents::Zeros(_) => 0,
            _ => self.size(),
        }
    }
}

impl Cubin {
    /// The offsets of sections where each follows the one in front of it.
    pub(crate) fn natural_offsets(&self) -> Vec<u64> {
        let mut end = FILE_HEADER;
        let mut offsets = Vec::with_capacity(self.sections.len());
        for section in &self.sections {
            let natural = align(end, section.alignment);
            offsets.push(natural);
            let start = section.offset.unwrap_or(natural);
            end = start.saturating_add(section.file_size()).max(end);
        }
        offsets
    }
}

impl Layout {
    pub(super) fn of(cubin: &Cubin) -> Layout {
        let mut end = FILE_HEADER;
        let mut offsets: Vec<u64> = Vec::with_capacity(cubin.sections.len());
        // Sections of the second form of the code may share the bytes of those of the first.
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        for (index, section) in cubin.sections.iter().enumerate() {
            let first = section
                .offset
                .and_then(|offset| places.get(&offset).copied());
            if let Some(first) = first
                && cubin.sections[first].contents == section.contents
            {
                offsets.push(offsets[first]);
                continue;
            }
            let aligned = align(end, section.alignment);
            let wanted = section.offset.filter(|offset| *offset >= aligned);
            // A table of names that was read may be followed by unused bytes.
            let offset = wanted.map_or(aligned, |wanted| align(wanted, section.alignment));
            places.entry(offset).or_insert(index);
            offsets.push(offset);
            end = offset.saturating_add(section.file_size());
        }
        Layout {
            section_headers: align(end, 8),
            segments: match cubin.kind {
                Kind::Executable => segments(cubin, &offsets),
                Kind::Relocatable => Vec::new(),
            },
            offsets,
        }
    }
}

fn align(offset: u64, alignment: u64) -> u64 {
    offset
        .checked_next_multiple_of(alignment.max(1))
        .unwrap_or(offset)
}

/// Sections that follow each other and have the same flags are a segment.
fn segments(cubin: &Cubin, offsets: &[u64]) -> Vec<Segment> {
    let separate = cubin.separates_constants();
    let mut segments: Vec<Segment> = Vec::new();
    for (section, offset) in cubin.sections.iter().zip(offsets) {
        if section.flags & section_flags::ALLOCATED == 0 || section.flags & SECOND_FORM != 0 {
            continue;
        }
        let flags = flags(section, separate);
        let (file, memory) = (section.file_size(), section.size());
        if let Some(last) = segments.last_mut().filter(|last| last.flags == flags) {
            // Between sections is what aligns them.
            let gap = offset.saturating_sub(last.start + last.file_size);
            last.file_size += gap + file;
            let end = align(last.start + last.memory_size, section.alignment);
            last.memory_size = (end - last.start).max(last.file_size - file) + memory;
            continue;
        }
        segments.push(Segment {
            flags,
            start: *offset,
            file_size: file,
            memory_size: memory,
        });
    }
    segments
}

fn flags(section: &Section, separate: bool) -> u32 {
    let has = |flag| section.flags & flag != 0;
    if has(section_flags::WRITE) {
        READ | WRITE
    } else if has(section_flags::EXECUTABLE) || !separate {
        READ | EXECUTE
    } else {
        READ
    }
}

impl Cubin {
    /// Whether constants are in segments without code. nvlink writes files as those for older machines, with actions
    /// for relocations.
    pub(super) fn separates_constants(&self) -> bool {
        let is_linked = self.section_named(".nv.rel.action").is_some();
        self.machine_number() >= SEPARATE_CONSTANTS && !is_linked
    }

    /// The headers of the segments in the file, in bytes: those of the sections' segments, and two of the table itself.
    pub(super) fn program_headers(&self, layout: &Layout) -> u64 {
        match self.kind {
            Kind::Relocatable => 0,
            Kind::Executable => {
                let count = u64::try_from(layout.segments.len()).unwrap_or(u64::MAX);
                count.saturating_add(2).saturating_mul(PROGRAM_HEADER)
            }
        }
    }
}

/// The flags of the segment that holds the headers of the segments, and whether it comes first.
pub(super) fn own_segment(cubin: &Cubin) -> (u32, bool) {
    match cubin.separates_constants() {
        true => (READ, true),
        false => (READ | EXECUTE, false),
    }
}
