//! Notes: which tool made a file, and for which machine.

use super::Tool;

/// The owner of the notes.
const OWNER: &[u8] = b"NVIDIA Corp\0";
const TOOL: u32 = 2000;
const FILE: u32 = 1000;
/// The version of both notes.
const VERSION: u16 = 2;
/// The toolkit whose files these are like: 13.0.
const TOOLKIT: u16 = 130;

/// `.note.nv.tkinfo`: offsets of the name of the source, of the tool, of its version, branch and arguments among the
/// names that follow.
pub(super) fn tool(tool: &Tool) -> Vec<u8> {
    let mut names = vec![0];
    let mut offsets = [0u32; 5];
    let texts = [&tool.name, &tool.version, &String::new(), &tool.arguments];
    for (offset, text) in offsets[1..].iter_mut().zip(texts) {
        *offset = u32::try_from(names.len()).unwrap_or(0);
        names.extend(text.bytes().filter(|byte| *byte != 0));
        names.push(0);
    }
    let mut description = u32::from(VERSION).to_le_bytes().to_vec();
    description.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
    description.extend(names);
    note(TOOL, &description)
}

/// `.note.nv.cuinfo`: the machine of the PTX, and the toolkit.
pub(super) fn file(machine: u16) -> Vec<u8> {
    let numbers = [VERSION, machine, TOOLKIT, 0];
    let description: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    note(FILE, &description)
}

fn note(kind: u32, description: &[u8]) -> Vec<u8> {
    let size = |size: usize| u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes();
    let filled = description.len().next_multiple_of(4);
    let mut bytes = Vec::new();
    bytes.extend(size(OWNER.len()));
    bytes.extend(size(filled));
    bytes.extend(kind.to_le_bytes());
    bytes.extend_from_slice(OWNER);
    bytes.extend_from_slice(description);
    bytes.resize(12 + OWNER.len() + filled, 0);
    bytes
}
