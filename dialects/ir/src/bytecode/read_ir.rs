//! Reading of the IR section.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cursor::{Cursor, Read};
use super::format::{part, section, since};
use super::properties;
use super::tables::{Decoder, Tables};
use super::use_order::{self, UseOrder};
use crate::declare::OperationDefinition;
use crate::parser::{Extent, MAX_DEPTH};
use crate::printer::attribute_to_string;
use crate::{
    Attribute, AttributeKind, Block, Context, Location, Operation, OperationName, OperationState,
    Region, Type, Value,
};

/// The state of an operation whose regions are being read.
#[derive(Default)]
struct Frame {
    regions: SmallVec<[Region; 1]>,
    /// The index of the next region.
    next: usize,
    /// The blocks of the current region, and the index of the current block.
    blocks: Vec<Block>,
    block: usize,
    /// Whether a region is being read.
    is_open: bool,
    /// The number of operations of the block that are still to be read.
    operations: u64,
    /// Whether outer values are not visible.
    isolated: bool,
    /// Whether the regions form a separate section.
    section: bool,
}

/// The visible values of an isolated scope, by index.
#[derive(Default)]
struct Scope {
    /// A value, or a placeholder for a value that is used before its definition.
    values: Vec<Option<Value>>,
    /// For each open region, the indices of its first and of its next value.
    regions: Vec<(usize, usize)>,
}

/// Reads operations. Regions are kept on an explicit stack, which supports any depth.
pub(super) struct IrReader<'c, 't, 'b> {
    decoder: Decoder<'c, 't, 'b>,
    /// The cursors of the enclosing sections.
    outer: Vec<Cursor<'b>>,
    frames: Vec<Frame>,
    scopes: Vec<Scope>,
    /// The ranges of the properties in the file.
    properties: Vec<(usize, usize)>,
    /// The properties of operations by operation name and index, as in the file.
    known_properties: FxHashMap<(OperationName, u64), Attribute>,
    /// The properties with defaults filled in.
    with_defaults: FxHashMap<(OperationName, Attribute), Attribute>,
    /// The placeholders for values that are not defined yet.
    placeholders: Vec<Operation>,
    /// Values with a use-list order to set.
    orders: Vec<(Value, Option<UseOrder>)>,
}

impl<'c, 't, 'b> IrReader<'c, 't, 'b> {
    /// Reads the section into a block.
    pub(super) fn read(
        context: &'c mut Context,
        tables: &'t mut Tables<'b>,
        properties: Vec<(usize, usize)>,
        span: (usize, usize),
        block: Block,
    ) -> Read<()> {
        let cursor = Cursor::of(tables.file, span);
        let mut reader = IrReader {
            decoder: Decoder {
                context,
                tables,
                cursor,
                level: 0,
                extent: Extent::default(),
            },
            outer: Vec::new(),
            frames: Vec::new(),
            scopes: vec![Scope::default()],
            properties,
            known_properties: FxHashMap::default(),
            with_defaults: FxHashMap::default(),
            placeholders: Vec::new(),
            orders: Vec::new(),
        };
        let read = reader.read_all(block);
        let IrReader {
            decoder,
            placeholders,
            ..
        } = reader;
        if read.is_err() {
            // The users of placeholders are discarded too.
            let block = block_of(decoder.context, &placeholders);
            crate::parser::discard_block(decoder.context, block);
        }
        read
    }

    fn read_all(&mut self, block: Block) -> Read<()> {
        let mut top = Frame {
            is_open: true,
            isolated: true,
            blocks: vec![block],
            ..Frame::default()
        };
        self.block_head(&mut top)?;
        self.frames.push(top);
        while let Some(mut frame) = self.frames.pop() {
            if frame.is_open && frame.operations > 0 {
                frame.operations -= 1;
                let child = self.operation(&frame)?;
                self.frames.push(frame);
                self.frames.extend(child);
            } else if frame.is_open && frame.block + 1 < frame.blocks.len() {
                frame.block += 1;
                self.block_head(&mut frame)?;
                self.frames.push(frame);
            } else if frame.is_open && !self.frames.is_empty() {
                self.leave_region()?;
                frame.is_open = false;
                self.frames.push(frame);
            } else if frame.next < frame.regions.len() {
                self.enter_region(&mut frame)?;
                self.frames.push(frame);
            } else {
                self.leave_operation(&frame);
            }
        }
        self.set_use_orders(block)
    }

    fn enter_region(&mut self, frame: &mut Frame) -> Read<()> {
        let region = frame.regions[frame.next];
        frame.next += 1;
        let cursor = &mut self.decoder.cursor;
        // The region itself was announced with its operation.
        let blocks = cursor.varint()?;
        cursor.settle(1);
        if blocks == 0 {
            return Ok(());
        }
        let values = cursor.varint()?;
        cursor.announce(blocks, "blocks")?;
        cursor.announce(values, "values")?;
        frame.blocks.clear();
        for _ in 0..blocks {
            let block = Block::new(self.decoder.context, &[]);
            region.append_block(self.decoder.context, block);
            frame.blocks.push(block);
        }
        frame.block = 0;
        frame.is_open = true;
        if let Some(scope) = self.scopes.last_mut() {
            let first = scope.values.len();
            scope.regions.push((first, first));
            // The announced count fits into memory.
            scope
                .values
                .resize(first + usize::try_from(values).unwrap_or(0), None);
        }
        self.block_head(frame)
    }

    fn leave_region(&mut self) -> Read<()> {
        let Some(scope) = self.scopes.last_mut() else {
            return Ok(());
        };
        let (first, next) = scope.regions.pop().unwrap_or_default();
        let undefined = scope.values.get(next..).unwrap_or_default();
        if undefined.iter().any(Option::is_some) {
            let message = "not all forward unresolved forward operand references";
            return Err(self.decoder.cursor.fault(message));
        }
        self.decoder.cursor.settle(undefined.len() as u64);
        scope.values.truncate(first);
        Ok(())
    }

    /// Finishes an operation whose regions were read.
    fn leave_operation(&mut self, frame: &Frame) {
        if frame.isolated {
            self.scopes.pop();
        }
        if frame.section
            && let Some(outer) = self.outer.pop()
        {
            self.decoder.cursor = outer;
        }
    }

    /// Reads the part before the operations of the current block.
    fn block_head(&mut self, frame: &mut Frame) -> Read<()> {
        let block = frame.blocks[frame.block];
        let (operations, has_arguments) = self.decoder.cursor.flagged()?;
        frame.operations = operations;
        self.decoder.cursor.settle(1);
        if !has_arguments {
            return Ok(());
        }
        let count = self.decoder.cursor.varint()?;
        let count = self.decoder.cursor.fits(count, "block arguments")?;
        let mut arguments = Vec::with_capacity(count);
        for _ in 0..count {
            let (ty, location) = self.argument()?;
            arguments.push(block.add_argument(self.decoder.context, ty, location));
        }
        self.define(&arguments)?;
        if self.decoder.tables.version < since::USE_ORDERS || self.decoder.cursor.byte()? == 0 {
            return Ok(());
        }
        for order in use_order::read(&mut self.decoder.cursor, count)? {
            let argument = block.arguments(self.decoder.context).nth(order.value);
            self.orders
                .extend(argument.map(|argument| (argument, Some(order))));
        }
        Ok(())
    }

    fn argument(&mut self) -> Read<(Type, Location)> {
        if self.decoder.tables.version < since::ELIDED_LOCATIONS {
            return Ok((self.decoder.ty()?, self.decoder.location()?));
        }
        let (ty, has_location) = self.decoder.cursor.flagged()?;
        let ty = self.decoder.type_at(ty)?;
        let location = match has_location {
            true => self.decoder.location()?,
            false => Location::UNKNOWN,
        };
        Ok((ty, location))
    }

    /// Reads an operation without its regions, for which it returns a frame.
    fn operation(&mut self, frame: &Frame) -> Read<Option<Frame>> {
        self.decoder.level = self.frames.len();
        let (name, registered) = self.name()?;
        let parts = self.decoder.cursor.byte()?;
        let location = self.decoder.location()?;
        let mut state = OperationState::new(name, location);
        let mut attributes = Attribute::EMPTY_DICTIONARY;
        if parts & part::ATTRIBUTES != 0 {
            attributes = self.decoder.dictionary()?;
        }
        if parts & part::PROPERTIES != 0 {
            state.properties = self.properties(name, registered)?;
        }
        self.set_attributes(&mut state, attributes)?;
        if parts & part::RESULTS != 0 {
            state.result_types = self.decoder.list(Decoder::ty)?.into();
        }
        if parts & part::OPERANDS != 0 {
            let count = self.decoder.cursor.varint()?;
            for _ in 0..self.decoder.cursor.fits(count, "operands")? {
                let operand = self.operand()?;
                state.operands.push(operand);
            }
        }
        if parts & part::SUCCESSORS != 0 {
            let cursor = &mut self.decoder.cursor;
            let count = cursor.varint()?;
            for _ in 0..cursor.fits(count, "successors")? {
                let index = cursor.index(frame.blocks.len(), "successor")?;
                state.successors.push(frame.blocks[index]);
            }
        }
        let mut orders = Vec::new();
        let results = state.result_types.len();
        if parts & part::USE_ORDERS != 0 && self.decoder.tables.version >= since::USE_ORDERS {
            orders = use_order::read(&mut self.decoder.cursor, results)?;
        }
        let (regions, isolated) = match parts & part::REGIONS {
            0 => (0, false),
            _ => self.decoder.cursor.flagged()?,
        };
        self.decoder.cursor.announce(regions, "regions")?;
        for _ in 0..regions {
            state.regions.push(Region::new(self.decoder.context));
        }
        let op = Operation::create(self.decoder.context, &state);
        frame.blocks[frame.block].append(self.decoder.context, op);
        self.define_results(op, orders)?;
        match regions {
            0 => Ok(None),
            _ => self.open(state.regions, isolated).map(Some),
        }
    }

    /// The frame for the regions of an operation that was just read.
    fn open(&mut self, regions: SmallVec<[Region; 1]>, isolated: bool) -> Read<Frame> {
        if self.frames.len() + 1 >= MAX_DEPTH {
            let message = format!("nesting deeper than {MAX_DEPTH} levels");
            return Err(self.decoder.cursor.fault(message));
        }
        let section = isolated && self.decoder.tables.version >= since::ISOLATED_SECTIONS;
        if isolated {
            self.scopes.push(Scope::default());
        }
        if section {
            let count = regions.len() as u64;
            self.decoder.cursor.settle(count);
            let (kind, span) = self.decoder.cursor.section()?;
            if kind != section::IR {
                return Err(self.decoder.cursor.fault("expected IR section for region"));
            }
            let mut inner = Cursor::of(self.decoder.tables.file, span);
            inner.announce(count, "regions")?;
            let outer = std::mem::replace(&mut self.decoder.cursor, inner);
            self.outer.push(outer);
        }
        Ok(Frame {
            regions,
            isolated,
            section,
            ..Frame::default()
        })
    }

    /// Reads the name of an operation, and whether it was registered with the producer.
    fn name(&mut self) -> Read<(OperationName, Option<bool>)> {
        let Decoder {
            context,
            tables,
            cursor,
            ..
        } = &mut self.decoder;
        let index = cursor.index(tables.names.len(), "operation name")?;
        let entry = &mut tables.names[index];
        if let Some(name) = entry.resolved {
            return Ok((name, entry.registered));
        }
        let dialect = &mut tables.dialects[entry.dialect];
        // A name without a dialect, which older versions allowed.
        let text = if entry.name.is_empty() {
            dialect.name.clone()
        } else {
            dialect.load(context, cursor)?;
            format!("{}.{}", dialect.name, entry.name)
        };
        if text.is_empty() || text.contains('\0') {
            return Err(cursor.fault("empty operation name is invalid"));
        }
        let name = context.generic_name(&text);
        entry.resolved = Some(name);
        Ok((name, entry.registered))
    }

    /// Reads the properties of an operation.
    fn properties(&mut self, name: OperationName, registered: Option<bool>) -> Read<Attribute> {
        let Some(registered) = registered else {
            let version = self.decoder.tables.version;
            return Err(self.decoder.cursor.fault(format!(
                "Unexpected missing `wasRegistered` opname flag at bytecode version {version} with \
                 properties."
            )));
        };
        let index = self.decoder.cursor.varint()?;
        if let Some(known) = self.known_properties.get(&(name, index)) {
            return Ok(*known);
        }
        let span = usize::try_from(index)
            .ok()
            .and_then(|index| self.properties.get(index));
        let Some(span) = span.copied() else {
            let name = name.text(self.decoder.context);
            let message = format!("Properties idx out-of-bound for {name}");
            return Err(self.decoder.cursor.fault(message));
        };
        let inner = Cursor::of(self.decoder.tables.file, span);
        let outer = std::mem::replace(&mut self.decoder.cursor, inner);
        let properties = self.decode_properties(name, registered)?;
        if !self.decoder.cursor.is_empty() {
            let name = name.text(self.decoder.context);
            let message = format!("unexpected trailing bytes in the properties of '{name}'");
            return Err(self.decoder.cursor.fault(message));
        }
        self.decoder.cursor = outer;
        self.known_properties.insert((name, index), properties);
        Ok(properties)
    }

    fn decode_properties(&mut self, name: OperationName, registered: bool) -> Read<Attribute> {
        let native = properties::native(self.decoder.context, name).filter(|_| registered);
        if let Some(definition) = native {
            let entries = properties::decode(&mut self.decoder, definition)?;
            return Ok(Attribute::dictionary(self.decoder.context, &entries));
        }
        if registered {
            let name = name.text(self.decoder.context);
            return Err(self.decoder.cursor.fault(format!(
                "properties of '{name}' have an unknown dialect-specific encoding; use the textual \
                 form of the IR"
            )));
        }
        let properties = self.decoder.attribute()?;
        match name.definition(self.decoder.context) {
            Some(definition) => {
                self.check_properties(definition, properties)?;
                Ok(properties)
            }
            None if properties == Attribute::EMPTY_DICTIONARY => {
                Ok(Attribute::empty_properties(self.decoder.context))
            }
            None => Ok(properties),
        }
    }

    /// Checks that an attribute is a valid properties dictionary of an operation.
    fn check_properties(
        &self,
        definition: &'static OperationDefinition,
        properties: Attribute,
    ) -> Read<()> {
        let context = &*self.decoder.context;
        if !matches!(properties.kind(context), AttributeKind::Dictionary(_)) {
            return Err(self
                .decoder
                .unexpected("DictionaryAttr to set properties", properties));
        }
        for (key, value) in properties.entries(context) {
            let key = key.text(context);
            let problem = match definition.attribute(key) {
                Some(attribute) => properties::check(context, attribute, *value).err(),
                None if definition.is_segment_key(key) => None,
                None => {
                    let value = attribute_to_string(context, *value);
                    Some(format!(
                        "'{}' has no property '{key}': {value}",
                        definition.name
                    ))
                }
            };
            if let Some(problem) = problem {
                return Err(self.decoder.cursor.fault(problem));
            }
        }
        Ok(())
    }

    /// Splits the attributes of an operation and fills in defaults.
    fn set_attributes(&mut self, state: &mut OperationState, attributes: Attribute) -> Read<()> {
        let context = &mut *self.decoder.context;
        let Some(definition) = state.name.definition(context) else {
            state.attributes = attributes;
            return Ok(());
        };
        let entries = attributes.entries(context).to_vec();
        let is_inherent =
            |key: &str| definition.attribute(key).is_some() || definition.is_segment_key(key);
        if entries
            .iter()
            .any(|(key, _)| is_inherent(key.text(context)))
        {
            let sorted = state.sort_attributes(context, definition, &entries);
            return sorted.map_err(|message| self.decoder.cursor.fault(message));
        }
        let key = (state.name, state.properties);
        if let Some(known) = self.with_defaults.get(&key) {
            state.properties = *known;
        } else {
            let sorted = state.sort_attributes(context, definition, &[]);
            sorted.map_err(|message| self.decoder.cursor.fault(message))?;
            self.with_defaults.insert(key, state.properties);
        }
        state.attributes = attributes;
        Ok(())
    }

    /// Reads the index of a value, which may be defined later.
    fn operand(&mut self) -> Read<Value> {
        let Some(scope) = self.scopes.last_mut() else {
            return Err(self.decoder.cursor.fault("invalid value index"));
        };
        let index = self.decoder.cursor.index(scope.values.len(), "value")?;
        if let Some(value) = scope.values[index] {
            return Ok(value);
        }
        let context = &mut *self.decoder.context;
        let name = OperationName::new(context, "builtin.unrealized_conversion_cast");
        let mut state = OperationState::new(name, Location::UNKNOWN);
        state.result_types.push(Type::NONE);
        let placeholder = Operation::create(context, &state);
        self.placeholders.push(placeholder);
        let value = placeholder.result(context, 0);
        scope.values[index] = Some(value);
        Ok(value)
    }

    fn define_results(&mut self, op: Operation, orders: Vec<UseOrder>) -> Read<()> {
        let results: SmallVec<[Value; 2]> = op.results(self.decoder.context).collect();
        // Outside of regions, values have no indices.
        if self.frames.is_empty() {
            return Ok(());
        }
        self.define(&results)?;
        let order = |order: UseOrder| Some((*results.get(order.value)?, Some(order)));
        self.orders.extend(orders.into_iter().filter_map(order));
        Ok(())
    }

    /// Assigns the next indices to values, and replaces their placeholders.
    fn define(&mut self, values: &[Value]) -> Read<()> {
        let Some(scope) = self.scopes.last_mut() else {
            return Ok(());
        };
        let known = scope.values.len();
        let Some((_, next)) = scope.regions.last_mut() else {
            return Err(self
                .decoder
                .cursor
                .fault("a value is defined outside of any region"));
        };
        let first = *next;
        let end = first + values.len();
        if end > known {
            return Err(self.decoder.cursor.fault(format!(
                "value index range was outside of the expected range for the parent region, got \
                 [{first}, {end}), but the maximum index was {}",
                known.wrapping_sub(1).cast_signed()
            )));
        }
        *next = end;
        self.decoder.cursor.settle(values.len() as u64);
        for (slot, &value) in scope.values[first..end].iter_mut().zip(values) {
            let Some(placeholder) = slot.replace(value) else {
                continue;
            };
            placeholder.replace_all_uses_with(self.decoder.context, value);
            // The use list now has another order.
            self.orders.push((value, None));
        }
        Ok(())
    }

    /// Sets the use-list orders and erases the placeholders, which have no uses left.
    fn set_use_orders(&mut self, block: Block) -> Read<()> {
        let context = &mut *self.decoder.context;
        for op in std::mem::take(&mut self.placeholders) {
            op.erase(context);
        }
        if self.orders.is_empty() {
            return Ok(());
        }
        let mut numbers = vec![0u32; context.operation_capacity()];
        let operations = block
            .operations(context)
            .flat_map(|op| crate::walk::collect(context, op));
        for (number, op) in (0..).zip(operations) {
            numbers[op.index()] = number;
        }
        // An order from the file is applied after the default order, to which it is relative.
        for (value, order) in std::mem::take(&mut self.orders) {
            let number = |op: Operation| numbers[op.index()];
            let applied = use_order::apply(context, value, order.as_ref(), number);
            applied.ok_or_else(|| {
                let message = "parsed use-list orders were invalid and could not be applied";
                self.decoder.cursor.fault(message)
            })?;
        }
        Ok(())
    }
}

/// Creates a block of detached operations, to be discarded.
fn block_of(context: &mut Context, operations: &[Operation]) -> Block {
    let block = Block::new(context, &[]);
    for op in operations {
        block.append(context, *op);
    }
    block
}
