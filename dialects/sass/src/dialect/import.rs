//! Operations from listings.

use orison_ir::declare::AttributeForm;
use orison_ir::{
    Attribute, Block, Context, Identifier, Location, Operation, OperationName, OperationState,
    Region,
};

use super::keys;
use super::operations::{FallThrough, Func, Header, Inst, Notes, Section, TextArrayAttr};
use crate::control::ControlWord;
use crate::effects;
use crate::function::{self, Function, Part};
use crate::instruction::{Instruction, Mnemonic, flow};
use crate::listing::{self, Item, Listing, ListingError, Note, Place};
use crate::scheduled::{Imported, Scheduled};

/// The name of the operation of a mnemonic.
pub(super) fn operation_name(mnemonic: &Mnemonic) -> String {
    match effects::row(mnemonic) {
        Some(row) => format!("sass.{}", row.name.to_ascii_lowercase()),
        None => Inst::DEFINITION.name.to_owned(),
    }
}

/// The properties of the operation of an instruction.
pub(super) fn properties(
    context: &mut Context,
    instruction: Instruction,
    control: ControlWord,
    imported: Option<Imported>,
) -> Attribute {
    let mut entries = vec![(keys::CONTROL, Attribute::typed(context, control))];
    if let Some(imported) = imported {
        entries.push((keys::ENCODING, Attribute::typed(context, imported)));
    }
    entries.push((keys::INSTRUCTION, Attribute::typed(context, instruction)));
    Attribute::dictionary_of(context, &entries)
}

/// The state of the operation of an instruction.
pub(super) fn instruction_state(
    context: &mut Context,
    found: Scheduled<'_>,
    location: Location,
) -> OperationState {
    let mut state = state(context, &operation_name(&found.mnemonic), location);
    let instruction = found.instruction.into_owned();
    state.properties = properties(context, instruction, found.control, found.imported);
    state
}

/// The module of a listing; locations are in the file with this name. Warnings of the listing are emitted.
///
/// # Errors
/// Those of [`Listing::into_parts`].
pub fn module(
    context: &mut Context,
    listing: Listing,
    file: &str,
) -> Result<Operation, ListingError> {
    let header = listing.header.iter().filter_map(|line| note(&line.item));
    let header = (!listing.header.is_empty()).then(|| notes_attribute(context, header));
    let file = Identifier::new(context, file);
    for warning in &listing.warnings {
        let place = location(context, file, warning.place);
        context.warning(place, &*warning.message);
    }
    let parts = listing.into_parts()?;
    let start = Location::file(context, file, 1, 1);
    let region = Region::new(context);
    let body = Block::new(context, &[]);
    region.append_block(context, body);
    let mut state = state(context, "builtin.module", start);
    state.regions.push(region);
    let module = Operation::create(context, &state);
    if let Some(notes) = header {
        let name = Header::DEFINITION.name;
        let op = create(context, name, start, [("notes", notes)], &[]);
        body.append(context, op);
    }
    for part in parts {
        let op = match part {
            Part::Function(function) => function_op(context, function, file),
            Part::Section(section) => section_op(context, &section, start),
        };
        body.append(context, op);
    }
    Ok(module)
}

fn note(item: &Item) -> Option<&Note> {
    match item {
        Item::Note(note) => Some(note),
        Item::Instruction(_) => None,
    }
}

fn notes_attribute<'a>(
    context: &mut Context,
    notes: impl IntoIterator<Item = &'a Note>,
) -> Attribute {
    let text = |note: &Note| note.to_string().trim_start().to_owned();
    TextArrayAttr::write(context, notes.into_iter().map(text).collect())
}

fn state(context: &mut Context, name: &str, location: Location) -> OperationState {
    OperationState::new(OperationName::new(context, name), location)
}

fn create<const N: usize>(
    context: &mut Context,
    name: &str,
    location: Location,
    attributes: [(&str, Attribute); N],
    successors: &[Block],
) -> Operation {
    let mut state = state(context, name, location);
    for (key, value) in attributes {
        state.set_property(context, key, value);
    }
    state.successors.extend(successors.iter().copied());
    Operation::create(context, &state)
}

fn section_op(context: &mut Context, section: &listing::Section, location: Location) -> Operation {
    let notes = section.lines.iter().filter_map(|line| note(&line.item));
    let notes = notes_attribute(context, notes);
    let title = Attribute::string(context, &section.name);
    let attributes = [("title", title), ("notes", notes)];
    create(context, Section::DEFINITION.name, location, attributes, &[])
}

fn location(context: &mut Context, file: Identifier, place: Place) -> Location {
    Location::file(context, file, place.line.max(1), place.column.max(1))
}

fn function_op(context: &mut Context, function: Function<'static>, file: Identifier) -> Operation {
    let first = function.blocks.first().map(first_place);
    let start = location(context, file, first.unwrap_or_default());
    let mut locate =
        |context: &mut Context, found: &Scheduled<'_>| location(context, file, found.place());
    function_operation(context, function, start, &mut locate)
}

/// The operation of a function whose edges are known ([`Function::connect`]), at a location, each
/// instruction at the one that `locate` gives for it.
pub fn function_operation(
    context: &mut Context,
    function: Function<'static>,
    start: Location,
    locate: &mut dyn FnMut(&mut Context, &Scheduled<'_>) -> Location,
) -> Operation {
    let mut state = state(context, Func::DEFINITION.name, start);
    let name = Attribute::string(context, &function.name);
    state.set_property(context, "sym_name", name);
    let target = Attribute::string(context, &function.target);
    state.set_property(context, "target", target);
    if !function.trailing.is_empty() {
        let trailing = notes_attribute(context, &function.trailing);
        state.set_property(context, "trailing", trailing);
    }
    let region = Region::new(context);
    state.regions.push(region);
    let op = Operation::create(context, &state);
    fill(context, op, region, function, locate);
    op
}

/// The position of the first instruction in the listing.
fn first_place(block: &function::Block<'_>) -> Place {
    let first = block.instructions.first();
    first.map(Scheduled::place).unwrap_or_default()
}

fn fill(
    context: &mut Context,
    op: Operation,
    region: Region,
    function: Function<'static>,
    locate: &mut dyn FnMut(&mut Context, &Scheduled<'_>) -> Location,
) {
    let blocks = function.blocks.iter();
    let blocks: Vec<Block> = blocks.map(|_| Block::new(context, &[])).collect();
    let start = op.location(context);
    // The first block of a region has no predecessors, but a loop may start with the function.
    let predecessors = function.predecessors();
    if predecessors.first().is_some_and(|found| !found.is_empty()) {
        let entry = Block::new(context, &[]);
        region.append_block(context, entry);
        let name = FallThrough::DEFINITION.name;
        let jump = create(context, name, start, [], &blocks[..1]);
        entry.append(context, jump);
    }
    for (block, from) in blocks.iter().zip(function.blocks) {
        region.append_block(context, *block);
        let first = from.instructions.first();
        let first = first.map_or(start, |first| locate(context, first));
        fill_block(context, *block, from, &blocks, first, locate);
    }
}

fn fill_block(
    context: &mut Context,
    block: Block,
    from: function::Block<'static>,
    blocks: &[Block],
    start: Location,
    locate: &mut dyn FnMut(&mut Context, &Scheduled<'_>) -> Location,
) {
    if !from.notes.is_empty() {
        let notes = notes_attribute(context, &from.notes);
        let name = Notes::DEFINITION.name;
        let op = create(context, name, start, [("notes", notes)], &[]);
        block.append(context, op);
    }
    let successors: Vec<Block> = from.successors.iter().map(|edge| blocks[edge.to]).collect();
    let mut ended = false;
    let mut place = start;
    for found in from.instructions {
        place = locate(context, &found);
        ended = flow(&found).ends_block();
        let mut state = instruction_state(context, found, place);
        if ended {
            state.successors.extend(successors.iter().copied());
        }
        let op = Operation::create(context, &state);
        block.append(context, op);
    }
    if !ended {
        let name = FallThrough::DEFINITION.name;
        let op = create(context, name, place, [], &successors);
        block.append(context, op);
    }
}
