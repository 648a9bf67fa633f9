//! Converts operations to plain data and back.

use orison_ir::declare::AttributeForm;
use orison_ir::{
    Attribute, Block, Context, Diagnostic, Identifier, Location, Operation, OperationName,
    OperationState, Region,
};
use rustc_hash::FxHashMap;

use super::keys;
use super::operations::{FallThrough, Func, Header, Inst, Notes, Section, TextArrayAttr};
use crate::effects;
use crate::encoding::Encoding;
use crate::instruction::{self, AddressSpace, Instruction, Mnemonic, Operand, is_remark};
use crate::listing::{self, Item, Line, Note, Place};
use crate::program::{self, Function, Origin, Part, Program};
use crate::registers::{Register, RegisterFile};

/// The result of a conversion; failures are errors at the operation.
pub type Converted<T> = Result<T, Box<Diagnostic>>;

fn texts(context: &mut Context, texts: impl IntoIterator<Item = String>) -> Attribute {
    TextArrayAttr::write(context, texts.into_iter().collect())
}

fn notes_attribute<'a>(
    context: &mut Context,
    notes: impl IntoIterator<Item = &'a Note>,
) -> Attribute {
    let text = |note: &Note| note.to_string().trim_start().to_owned();
    texts(context, notes.into_iter().map(text))
}

/// The notes of an attribute, or the error in it.
pub(super) fn notes_of(
    context: &Context,
    attribute: Option<Attribute>,
) -> Result<Vec<Note>, String> {
    let texts = attribute.and_then(|texts| TextArrayAttr::read(context, texts));
    let note = |text: &String| {
        Note::parse(text).ok_or_else(|| format!("'{text}' is not a label, directive or comment"))
    };
    texts.unwrap_or_default().iter().map(note).collect()
}

/// The attributes of an instruction.
pub(super) fn instruction_attributes(
    context: &mut Context,
    found: &Instruction,
) -> Vec<(&'static str, Attribute)> {
    let mut attributes = Vec::new();
    let mut add = |key, value| attributes.push((key, value));
    if let Some(guard) = found.guard {
        add(keys::GUARD, Attribute::string(context, &guard.to_string()));
    }
    let mnemonic = found.mnemonic.text();
    add(keys::MNEMONIC, Attribute::string(context, mnemonic));
    let operands = found.operands.iter().map(ToString::to_string);
    add(keys::OPERANDS, texts(context, operands));
    if !found.targets.is_empty() {
        let labels = found.targets.iter().map(ToString::to_string);
        add(keys::TARGETS, texts(context, labels));
    }
    if let Some(remark) = &found.remark {
        add(keys::REMARK, Attribute::string(context, remark));
    }
    let control = Attribute::typed(context, found.control);
    add(keys::CONTROL, control);
    let hidden = found.operands.iter().find_map(|operand| match operand {
        Operand::Memory(memory) => memory.hidden_descriptor,
        _ => None,
    });
    if let Some(register) = hidden {
        let name = Attribute::string(context, &register.to_string());
        add(keys::DESCRIPTOR, name);
    }
    if let Some(Encoding { low, high }) = found.encoding {
        let text = format!("0x{high:016x}{low:016x}");
        add(keys::ENCODING, Attribute::string(context, &text));
    }
    if let Some(imported) = found.imported {
        let text = format!("{imported:08x}");
        add(keys::IMPORTED, Attribute::string(context, &text));
    }
    attributes
}

/// The name of the operation of a mnemonic.
pub(super) fn operation_name(mnemonic: &Mnemonic) -> String {
    match effects::row(mnemonic) {
        Some(row) => format!("sass.{}", row.name.to_ascii_lowercase()),
        None => Inst::DEFINITION.name.to_owned(),
    }
}

/// The instruction of an operation, without its address.
///
/// # Errors
/// If the attributes are not valid nvdisasm output.
pub fn instruction(context: &Context, op: Operation) -> Converted<Instruction> {
    read_instruction(context, op).map_err(|message| op.op_error(context, message))
}

fn read_instruction(context: &Context, op: Operation) -> Result<Instruction, String> {
    let text_of = |key: &str| {
        op.attribute(context, key)
            .and_then(|value| value.as_str(context))
    };
    let texts_of = |key: &str| {
        let value = op.attribute(context, key);
        value.and_then(|value| TextArrayAttr::read(context, value))
    };
    let mnemonic = text_of(keys::MNEMONIC).ok_or("has no mnemonic")?;
    let guard = text_of(keys::GUARD).unwrap_or_default();
    let mut found = instruction::parse(&format!("{guard} {mnemonic}"))
        .map_err(|error| format!("'{guard} {mnemonic}': {error}"))?;
    for operand in texts_of(keys::OPERANDS).ok_or("has no operands")? {
        let parsed = instruction::parse_operand(&operand);
        let parsed = parsed.map_err(|error| format!("operand '{operand}': {error}"))?;
        if parsed.to_string() != operand {
            return Err(format!("operand '{operand}' must be written '{parsed}'"));
        }
        found.operands.push(parsed);
    }
    let targets = texts_of(keys::TARGETS).unwrap_or_default();
    found.targets = targets.into_iter().map(String::into_boxed_str).collect();
    found.remark = text_of(keys::REMARK).map(Box::from);
    if let Some(remark) = found.remark.as_ref().filter(|text| !is_remark(text)) {
        return Err(format!("remark '{remark}' is not one nvdisasm prints"));
    }
    let control = op.attribute(context, keys::CONTROL);
    found.control = control
        .and_then(|control| control.downcast(context).copied())
        .ok_or("has no control word")?;
    found.encoding = text_of(keys::ENCODING).map(parse_encoding).transpose()?;
    found.imported = text_of(keys::IMPORTED).map(parse_imported).transpose()?;
    if let Some(name) = text_of(keys::DESCRIPTOR) {
        hide_descriptor(&mut found, name)?;
    }
    Ok(found)
}

fn parse_encoding(text: &str) -> Result<Encoding, String> {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    let bad = || format!("encoding '{text}' is not '0x' and 32 hexadecimal digits");
    if digits.len() != 32 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(bad());
    }
    let half = |digits| u64::from_str_radix(digits, 16).map_err(|_| bad());
    Ok(Encoding {
        high: half(&digits[..16])?,
        low: half(&digits[16..])?,
    })
}

fn parse_imported(text: &str) -> Result<u32, String> {
    let digits = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let known = text.len() == 8 && text.bytes().all(digits);
    let number = u32::from_str_radix(text, 16).ok().filter(|_| known);
    number.ok_or_else(|| format!("imported '{text}' is not 8 hexadecimal digits"))
}

fn hide_descriptor(found: &mut Instruction, name: &str) -> Result<(), String> {
    let register =
        Register::from_name(name).filter(|register| register.file == RegisterFile::Uniform);
    let register =
        register.ok_or_else(|| format!("descriptor '{name}' is not a uniform register"))?;
    let memories = found
        .operands
        .iter_mut()
        .filter_map(|operand| match operand {
            Operand::Memory(memory) if memory.space == AddressSpace::Plain => Some(memory),
            _ => None,
        });
    let memory = memories.last().filter(|memory| memory.descriptor.is_none());
    let memory = memory.ok_or("'descriptor' requires an address without a descriptor")?;
    memory.hidden_descriptor = Some(register);
    Ok(())
}

/// Converts a program to a `builtin.module`; locations are in the file with this name.
pub fn module(context: &mut Context, program: &Program, file: &str) -> Operation {
    let file = Identifier::new(context, file);
    let start = Location::file(context, file, 1, 1);
    let region = Region::new(context);
    let body = Block::new(context, &[]);
    region.append_block(context, body);
    let mut state = state(context, "builtin.module", start);
    state.regions.push(region);
    let module = Operation::create(context, &state);
    if !program.header.is_empty() {
        let notes = notes_attribute(context, &program.header);
        let op = create(
            context,
            Header::DEFINITION.name,
            start,
            [("notes", notes)],
            &[],
        );
        body.append(context, op);
    }
    for part in &program.parts {
        let op = match part {
            Part::Function(function) => function_op(context, function, file),
            Part::Section(section) => section_op(context, section, start),
        };
        body.append(context, op);
    }
    module
}

fn state(context: &mut Context, name: &str, location: Location) -> OperationState {
    OperationState::new(OperationName::new(context, name), location)
}

/// The state of the operation of an instruction.
pub(super) fn instruction_state(
    context: &mut Context,
    found: &Instruction,
    location: Location,
) -> OperationState {
    let mut state = state(context, &operation_name(&found.mnemonic), location);
    let attributes = instruction_attributes(context, found);
    state.properties = Attribute::dictionary_of(context, &attributes);
    state
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
    let notes = section.lines.iter().filter_map(|line| match &line.item {
        Item::Note(note) => Some(note),
        Item::Instruction(_) => None,
    });
    let notes = notes_attribute(context, notes);
    let title = Attribute::string(context, &section.name);
    let attributes = [("title", title), ("notes", notes)];
    create(context, Section::DEFINITION.name, location, attributes, &[])
}

fn location(context: &mut Context, file: Identifier, place: Place) -> Location {
    Location::file(context, file, place.line.max(1), place.column.max(1))
}

fn function_op(context: &mut Context, function: &Function, file: Identifier) -> Operation {
    let first = function.blocks.first().map(first_place);
    let location = location(context, file, first.unwrap_or_default());
    let mut state = state(context, Func::DEFINITION.name, location);
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
    fill(context, op, region, function, file);
    op
}

/// The position of the first instruction in the listing.
fn first_place(block: &program::Block) -> Place {
    let first = block.origins.first().copied();
    first.unwrap_or_default().place()
}

fn fill(
    context: &mut Context,
    op: Operation,
    region: Region,
    function: &Function,
    file: Identifier,
) {
    let blocks: Vec<Block> = function
        .blocks
        .iter()
        .map(|_| Block::new(context, &[]))
        .collect();
    // The first block of a region has no predecessors, but a loop may start with the function.
    let looped = function
        .predecessors()
        .first()
        .is_some_and(|found| !found.is_empty());
    if looped {
        let entry = Block::new(context, &[]);
        region.append_block(context, entry);
        let start = op.location(context);
        let jump = create(
            context,
            FallThrough::DEFINITION.name,
            start,
            [],
            &blocks[..1],
        );
        entry.append(context, jump);
    }
    for (block, from) in blocks.iter().zip(&function.blocks) {
        region.append_block(context, *block);
        fill_block(context, *block, from, &blocks, file);
    }
}

fn fill_block(
    context: &mut Context,
    block: Block,
    from: &program::Block,
    blocks: &[Block],
    file: Identifier,
) {
    let start = location(context, file, first_place(from));
    if !from.notes.is_empty() {
        let notes = notes_attribute(context, &from.notes);
        let op = create(
            context,
            Notes::DEFINITION.name,
            start,
            [("notes", notes)],
            &[],
        );
        block.append(context, op);
    }
    let successors: Vec<Block> = from.successors.iter().map(|edge| blocks[edge.to]).collect();
    let last = from.instructions.len().saturating_sub(1);
    let mut ended = false;
    let mut place = start;
    for (number, (found, origin)) in from.code().enumerate() {
        place = location(context, file, origin.place());
        let mut state = instruction_state(context, found, place);
        if number == last && program::flow(found).ends_block() {
            state.successors.extend(successors.iter().copied());
            ended = true;
        }
        let op = Operation::create(context, &state);
        block.append(context, op);
    }
    if !ended {
        let op = create(
            context,
            FallThrough::DEFINITION.name,
            place,
            [],
            &successors,
        );
        block.append(context, op);
    }
}

/// The plain function of a `sass.func`. Addresses are counted from zero in the order of the blocks.
///
/// # Errors
/// If an operation is not of the dialect or is not valid nvdisasm output, or a jump branches to a
/// label that no block has.
pub fn function(context: &Context, op: Operation) -> Converted<Function> {
    let read = |function: &Func| -> Option<(Box<str>, Box<str>)> {
        Some((
            function.sym_name(context)?.into(),
            function.target(context)?.into(),
        ))
    };
    let (name, target) =
        read(&Func(op)).ok_or_else(|| op.op_error(context, "is not a 'sass.func'"))?;
    let trailing = notes_of(context, op.attribute(context, "trailing"));
    read_function(context, op, (name, target), trailing, false)
}

/// The plain function with only the instructions that end blocks, which determine the edges.
pub(super) fn skeleton(context: &Context, op: Operation) -> Converted<Function> {
    read_function(context, op, Default::default(), Ok(Vec::new()), true)
}

fn read_function(
    context: &Context,
    op: Operation,
    (name, target): (Box<str>, Box<str>),
    trailing: Result<Vec<Note>, String>,
    only_ends: bool,
) -> Converted<Function> {
    let body = op.regions(context).next();
    let mut blocks = Vec::new();
    let mut address = 0;
    for block in body.iter().flat_map(|body| code_blocks(context, *body)) {
        blocks.push(read_block(context, block, &mut address, only_ends)?);
    }
    let mut function = Function {
        name,
        target,
        blocks,
        trailing: trailing.map_err(|message| op.op_error(context, message))?,
        entries: Vec::new(),
    };
    function
        .connect()
        .map_err(|error| op.op_error(context, error.message))?;
    Ok(function)
}

/// Whether an operation of a function is neither notes nor the end of a block.
pub(super) fn is_instruction(context: &Context, op: Operation) -> bool {
    let name = op.name_text(context);
    name != Notes::DEFINITION.name && name != FallThrough::DEFINITION.name
}

/// The blocks of a function in the order of its plain form: without the empty block before a loop
/// that starts with the function.
pub(super) fn code_blocks(context: &Context, body: Region) -> impl Iterator<Item = Block> + '_ {
    let blocks = body.blocks(context);
    blocks.filter(|block| !(block.is_entry(context) && only_falls_through(context, *block)))
}

/// Whether a block has neither notes nor instructions.
pub(super) fn only_falls_through(context: &Context, block: Block) -> bool {
    let last = block.last_op(context);
    last.is_some_and(|op| op.name_text(context) == FallThrough::DEFINITION.name)
        && block.first_op(context) == last
}

fn read_block(
    context: &Context,
    block: Block,
    address: &mut u64,
    only_ends: bool,
) -> Converted<program::Block> {
    let mut read = program::Block::default();
    let mut begun = false;
    for op in block.operations(context) {
        let name = op.name_text(context);
        if name == Notes::DEFINITION.name {
            if begun {
                return Err(op.op_error(context, "must precede the instructions of its block"));
            }
            let notes = notes_of(context, op.attribute(context, "notes"));
            read.notes
                .extend(notes.map_err(|message| op.op_error(context, message))?);
            continue;
        }
        begun = true;
        let skipped = only_ends && block.last_op(context) != Some(op);
        if name == FallThrough::DEFINITION.name || skipped {
            continue;
        }
        let mut found = instruction(context, op)?;
        found.address = *address;
        *address += Encoding::BYTES;
        read.push(found, Origin::Operation(op));
    }
    Ok(read)
}

/// The plain program of a module.
///
/// # Errors
/// Those of [`function`], and operations in the module that are not of the dialect.
pub fn program(context: &Context, module: Operation) -> Converted<Program> {
    let mut program = Program::default();
    let body = module.body_block(context, 0);
    for op in body.iter().flat_map(|body| body.operations(context)) {
        let notes = || {
            let notes = notes_of(context, op.attribute(context, "notes"));
            notes.map_err(|message| op.op_error(context, message))
        };
        let name = op.name_text(context);
        if name == Func::DEFINITION.name {
            program.parts.push(Part::Function(function(context, op)?));
        } else if name == Header::DEFINITION.name {
            program.header.extend(notes()?);
        } else if name == Section::DEFINITION.name {
            let line = |note| Line {
                place: Place::default(),
                item: Item::Note(note),
            };
            program.parts.push(Part::Section(listing::Section {
                name: Section(op).title(context).unwrap_or_default().into(),
                lines: notes()?.into_iter().map(line).collect(),
            }));
        } else {
            return Err(op.op_error(context, "cannot be part of a listing"));
        }
    }
    Ok(program)
}

/// The index of each block of a function among those of its plain form; the empty block before a
/// loop that starts with the function has the index of that loop.
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
