//! Functions and listings from operations.

use orison_ir::{Block, Context, Diagnostic, DialectValue, Operation, Payload, Region};
use rustc_hash::FxHashMap;

use super::operations::{FallThrough, Func, Header, Notes, Section};
use crate::control::ControlWord;
use crate::encoding::Encoding;
use crate::function::{self, Function};
use crate::instruction::Instruction;
use crate::listing::{self, Item, Line, Listing, Note, Place};
use crate::scheduled::{Imported, Origin, Scheduled};
use std::borrow::Cow;

/// What was read; failures are errors at the operation.
pub type Read<T> = Result<T, Box<Diagnostic>>;

/// The notes of an operation, in the attribute with this key.
///
/// # Errors
/// If one is not a note.
pub(super) fn notes(context: &Context, op: Operation, key: &str) -> Read<Vec<Note>> {
    parsed(context, op, texts(context, op, key))
}

/// Checks that [`notes`] has no error.
pub(super) fn check_notes(context: &Context, op: Operation, key: &str) -> Read<()> {
    match texts(context, op, key).find(|text| !Note::is_one(text)) {
        Some(text) => Err(not_a_note(context, op, text)),
        None => Ok(()),
    }
}

fn not_a_note(context: &Context, op: Operation, text: &str) -> Box<Diagnostic> {
    let message = format!("'{text}' is not a label, directive or comment");
    op.op_error(context, message)
}

fn texts<'c>(context: &'c Context, op: Operation, key: &str) -> impl Iterator<Item = &'c str> {
    let texts = op.attribute(context, key);
    let texts = texts.and_then(|texts| texts.as_array(context));
    let texts = texts.unwrap_or_default().iter();
    texts.filter_map(|text| text.as_str(context))
}

fn parsed<'c>(
    context: &Context,
    op: Operation,
    texts: impl Iterator<Item = &'c str>,
) -> Read<Vec<Note>> {
    let note = |text| Note::parse(text).ok_or_else(|| not_a_note(context, op, text));
    texts.map(note).collect()
}

impl<'c> Scheduled<'c> {
    /// The instruction of an operation; its address is zero.
    ///
    /// # Errors
    /// If the operation is not an instruction.
    pub fn of_operation(context: &'c Context, op: Operation) -> Read<Self> {
        Scheduled::find(context, op).ok_or_else(|| op.op_error(context, "is not an instruction"))
    }

    /// The instruction of an operation, if it is one; its address is zero.
    pub fn find(context: &'c Context, op: Operation) -> Option<Self> {
        let mut instruction: Option<&Instruction> = None;
        let mut control: Option<&ControlWord> = None;
        let mut imported: Option<&Imported> = None;
        // Each has its own type, so that no key is compared; they are tried in the order of the keys.
        for (_, value) in op.properties(context).entries(context) {
            let Some(payload) = value.payload(context) else {
                continue;
            };
            let _ = holds(&mut control, payload)
                || holds(&mut imported, payload)
                || holds(&mut instruction, payload);
        }
        Some(Scheduled {
            address: 0,
            instruction: Cow::Borrowed(instruction?),
            control: *control?,
            imported: imported.copied(),
            origin: Origin::Operation(op),
        })
    }
}

/// Takes the value that a payload holds, if it is of this type and none is known.
fn holds<'c, T: DialectValue>(known: &mut Option<&'c T>, payload: &'c Payload) -> bool {
    if known.is_none() {
        *known = payload.downcast();
        return known.is_some();
    }
    false
}

impl<'c> Function<'c> {
    /// The function of a `sass.func`. Addresses are counted from zero in the order of the blocks.
    ///
    /// # Errors
    /// If an operation in it is not of the dialect, or a jump branches to a label that no block has.
    pub fn of_operation(context: &'c Context, op: Operation) -> Read<Self> {
        let found = Func(op);
        let (Some(name), Some(target)) = (found.sym_name(context), found.target(context)) else {
            return Err(op.op_error(context, "is not a 'sass.func'"));
        };
        Ok(Function {
            name: name.into(),
            target: target.into(),
            trailing: notes(context, op, "trailing")?,
            ..read_function(context, op, false)?
        })
    }
}

/// The function with only the instructions that end blocks, which determine the edges.
pub(super) fn skeleton(context: &Context, op: Operation) -> Read<Function<'_>> {
    read_function(context, op, true)
}

fn read_function(context: &Context, op: Operation, only_ends: bool) -> Read<Function<'_>> {
    let body = op.regions(context).next();
    let mut blocks = Vec::new();
    let mut address = 0;
    for block in body.iter().flat_map(|body| code_blocks(context, *body)) {
        blocks.push(read_block(context, block, &mut address, only_ends)?);
    }
    let mut function = Function {
        name: Func(op).sym_name(context).unwrap_or_default().into(),
        target: Box::default(),
        blocks,
        trailing: Vec::new(),
        entries: Vec::new(),
    };
    function
        .connect()
        .map_err(|error| op.op_error(context, error.message))?;
    Ok(function)
}

/// Whether an operation of a function is neither notes nor the end of a block.
pub(super) fn is_instruction(context: &Context, op: Operation) -> bool {
    !op.is_one_of(context, &[Notes::DEFINITION, FallThrough::DEFINITION])
}

/// The blocks of a function that have code: without the empty block before a loop that starts with
/// the function.
fn code_blocks(context: &Context, body: Region) -> impl Iterator<Item = Block> + '_ {
    let blocks = body.blocks(context);
    blocks.filter(|block| !(block.is_entry(context) && only_falls_through(context, *block)))
}

/// Whether a block has neither notes nor instructions.
pub(super) fn only_falls_through(context: &Context, block: Block) -> bool {
    let last = block.last_op(context);
    last.is_some_and(|op| FallThrough::matches(context, op)) && block.first_op(context) == last
}

fn read_block<'c>(
    context: &'c Context,
    block: Block,
    address: &mut u64,
    only_ends: bool,
) -> Read<function::Block<'c>> {
    let mut read = function::Block::default();
    let mut begun = false;
    for op in block.operations(context) {
        if Notes::matches(context, op) {
            if begun {
                return Err(op.op_error(context, "must precede the instructions of its block"));
            }
            // Edges follow from the labels.
            let texts = texts(context, op, "notes");
            let texts = texts.filter(|text| !only_ends || text.ends_with(':'));
            read.notes.extend(parsed(context, op, texts)?);
            continue;
        }
        begun = true;
        if FallThrough::matches(context, op) {
            read.fall_through = Some(op);
        } else if !only_ends || block.last_op(context) == Some(op) {
            let found = Scheduled::of_operation(context, op)?;
            read.instructions.push(Scheduled {
                address: *address,
                ..found
            });
            *address += Encoding::BYTES;
        }
    }
    Ok(read)
}

/// The listing of a module.
///
/// # Errors
/// Those of [`Function::of_operation`], and operations in the module that are not of the dialect.
pub fn listing(context: &Context, module: Operation) -> Read<Listing> {
    let mut listing = Listing::default();
    let body = module.body_block(context, 0);
    for op in body.iter().flat_map(|body| body.operations(context)) {
        let lines = || section_lines(context, op);
        let name = op.name_text(context);
        if name == Func::DEFINITION.name {
            let function = Function::of_operation(context, op)?;
            listing.sections.push(function.to_section());
        } else if name == Header::DEFINITION.name {
            listing.header.extend(lines()?);
        } else if name == Section::DEFINITION.name {
            listing.sections.push(listing::Section {
                name: Section(op).title(context).unwrap_or_default().into(),
                lines: lines()?,
            });
        } else {
            return Err(op.op_error(context, "cannot be part of a listing"));
        }
    }
    Ok(listing)
}

/// The lines of a `sass.header` or `sass.section`.
///
/// # Errors
/// If one is not a note.
pub(crate) fn section_lines(context: &Context, op: Operation) -> Read<Vec<Line>> {
    let notes = notes(context, op, "notes")?;
    let line = |note| Line {
        place: Place::default(),
        item: Item::Note(note),
    };
    Ok(notes.into_iter().map(line).collect())
}

/// The index of each block of a function among those that have code; the empty block before a loop
/// that starts with the function has the index of that loop.
pub(super) fn block_numbers(context: &Context, body: Region) -> FxHashMap<Block, usize> {
    let mut numbers = FxHashMap::default();
    let mut next = 0;
    for block in body.blocks(context) {
        numbers.insert(block, next);
        if !(block.is_entry(context) && only_falls_through(context, block)) {
            next += 1;
        }
    }
    numbers
}
