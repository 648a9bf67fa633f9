//! Assignment of indices to dialects, operation names, attributes, types, values, blocks,
//! operations and resources. The indices are those of MLIR: the most used entries have the smallest
//! indices, as far as entries of one dialect stay together.

use rustc_hash::FxHashMap;

use super::emitter::Emitter;
use super::encode::Encoder;
use super::format::since;
use super::piece::{Entity, Piece};
use super::properties;
use super::strings::Strings;
use crate::declare::Trait;
use crate::{
    Attribute, AttributeKind, Block, Context, Identifier, Operation, OperationName, Payload,
    Region, Type, TypeKind, Value,
};

/// No index was assigned.
const NONE: u32 = u32::MAX;

/// Entries of one kind, in output order.
#[derive(Debug)]
pub(super) struct Table<T> {
    items: Vec<Item<T>>,
    positions: FxHashMap<T, u32>,
    /// The index of each entry, by order of first occurrence.
    numbers: Vec<u32>,
}

/// An entry with its dialect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<T> {
    /// The entry.
    pub(super) value: T,
    /// The index of its dialect.
    pub(super) dialect: u32,
    uses: u32,
    met: u32,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table {
            items: Vec::new(),
            positions: FxHashMap::default(),
            numbers: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Table<T> {
    /// Counts a use; returns whether it is the first one.
    fn meet(&mut self, value: T) -> bool {
        let met = u32::try_from(self.items.len()).unwrap_or(NONE);
        let position = *self.positions.entry(value).or_insert(met);
        if position != met {
            self.items[position as usize].uses += 1;
            return false;
        }
        self.items.push(Item {
            value,
            dialect: 0,
            uses: 1,
            met,
        });
        true
    }

    fn set_last_dialect(&mut self, dialect: u32) {
        if let Some(last) = self.items.last_mut() {
            last.dialect = dialect;
        }
    }

    /// Orders entries by use count, and by dialect among entries whose index has the same encoded
    /// length.
    fn finish(&mut self) {
        self.items.sort_by_key(|item| std::cmp::Reverse(item.uses));
        let mut rest = self.items.as_mut_slice();
        let (mut size, mut first) = (0usize, 0);
        for bytes in 1..9 {
            // As in MLIR: the capacity of this encoded length less the size of the previous group.
            size = (1usize << (7 * bytes)) - size;
            let (group, others) = rest.split_at_mut(size.min(rest.len()));
            group.sort_by_key(|item| (item.dialect != first, item.dialect));
            first = group.last().map_or(first, |item| item.dialect);
            rest = others;
            if rest.is_empty() {
                break;
            }
        }
        self.numbers = vec![NONE; self.items.len()];
        for (number, item) in (0..).zip(&self.items) {
            self.numbers[item.met as usize] = number;
        }
    }

    /// The entries in index order.
    pub(super) fn items(&self) -> &[Item<T>] {
        &self.items
    }

    /// The index of an entry.
    #[inline]
    pub(super) fn number(&self, value: T) -> u64 {
        let position = self
            .positions
            .get(&value)
            .map(|position| *position as usize);
        u64::from(position.map_or(NONE, |position| self.numbers[position]))
    }
}

/// All indices.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The dialects, by index.
    pub(super) dialects: Vec<String>,
    dialect_numbers: FxHashMap<String, u32>,
    pub(super) names: Table<OperationName>,
    pub(super) entities: Table<Entity>,
    pub(super) types: Table<Type>,
    /// Keys of resources of the builtin dialect, in the order of their first use.
    pub(super) resources: Vec<Identifier>,
    resource_numbers: FxHashMap<Identifier, u64>,
    values: Vec<u32>,
    operations: Vec<u32>,
    blocks: Vec<u32>,
    isolated: Vec<bool>,
    /// The number of values in a region, by its first block.
    region_values: FxHashMap<Block, u32>,
    next_value: u32,
}

impl Numbering {
    /// Numbers an operation and its contents.
    pub(super) fn of(encoder: &mut Encoder<'_>, root: Operation, version: u64) -> Self {
        let context = &*encoder.context;
        let mut numbering = Numbering {
            values: vec![NONE; context.value_capacity()],
            operations: vec![NONE; context.operation_capacity()],
            blocks: vec![0; context.block_capacity()],
            isolated: vec![true; context.operation_capacity()],
            ..Numbering::default()
        };
        numbering.walk(context, root);
        numbering.operation(encoder, root, version);
        let mut regions = Vec::new();
        numbering.push_regions(encoder.context, root, &mut regions);
        while let Some((region, first_value)) = regions.pop() {
            numbering.next_value = first_value;
            numbering.region(encoder, region, version);
            for block in region.blocks(encoder.context) {
                for op in block.operations(encoder.context) {
                    numbering.push_regions(encoder.context, op, &mut regions);
                }
            }
        }
        numbering.names.finish();
        numbering.entities.finish();
        numbering.types.finish();
        numbering
    }

    /// Numbers operations in text order, and finds those whose regions use no outer values: the
    /// stack contains the enclosing operations, each with the smallest depth of an operation whose
    /// regions define a value used in its own regions.
    fn walk(&mut self, context: &Context, root: Operation) {
        enum Step {
            Enter(Operation),
            Leave(Operation),
        }
        let mut stack: Vec<usize> = Vec::new();
        let mut depths: FxHashMap<Operation, usize> = FxHashMap::default();
        let mut steps = vec![Step::Enter(root)];
        let mut next = 0;
        while let Some(step) = steps.pop() {
            let op = match step {
                Step::Leave(op) => {
                    let lowest = stack.pop().unwrap_or(0);
                    let declared = op.has_trait(context, Trait::IsolatedFromAbove);
                    self.isolated[op.index()] = declared || lowest >= stack.len();
                    depths.remove(&op);
                    // Isolation by declaration implies nothing for the enclosing operations.
                    if let Some(outer) = stack.last_mut()
                        && !declared
                    {
                        *outer = lowest.min(*outer);
                    }
                    continue;
                }
                Step::Enter(op) => op,
            };
            self.operations[op.index()] = next;
            next += 1;
            if let Some(lowest) = stack.last_mut() {
                let block = op.block(context);
                for operand in op.operands(context) {
                    let defined = operand.parent_block(context);
                    if defined != block {
                        let owner = defined.and_then(|block| block.parent_op(context));
                        let depth = owner.and_then(|owner| depths.get(&owner)).copied();
                        *lowest = depth.unwrap_or(0).min(*lowest);
                    }
                }
            }
            if op.region_count(context) == 0 {
                continue;
            }
            steps.push(Step::Leave(op));
            depths.insert(op, stack.len());
            stack.push(usize::MAX);
            let start = steps.len();
            for region in op.regions(context) {
                for block in region.blocks(context) {
                    steps.extend(block.operations(context).map(Step::Enter));
                }
            }
            steps[start..].reverse();
        }
    }

    fn push_regions(&self, context: &Context, op: Operation, regions: &mut Vec<(Region, u32)>) {
        let first = if self.is_isolated(op) {
            0
        } else {
            self.next_value
        };
        regions.extend(op.regions(context).map(|region| (region, first)));
    }

    fn region(&mut self, encoder: &mut Encoder<'_>, region: Region, version: u64) {
        let Some(first) = region.first_block(encoder.context) else {
            return;
        };
        let before = self.next_value;
        let blocks: Vec<_> = region.blocks(encoder.context).collect();
        for (number, block) in (0..).zip(blocks) {
            self.blocks[block.index()] = number;
            let arguments: Vec<_> = block.arguments(encoder.context).collect();
            for argument in arguments {
                self.value(argument);
                let location = argument.location(encoder.context);
                self.entity(encoder, Entity::Location(location));
                self.ty(encoder, argument.ty(encoder.context));
            }
            let mut current = block.first_op(encoder.context);
            while let Some(op) = current {
                self.operation(encoder, op, version);
                current = op.next(encoder.context);
            }
        }
        self.region_values.insert(first, self.next_value - before);
    }

    fn value(&mut self, value: Value) {
        self.values[value.index()] = self.next_value;
        self.next_value += 1;
    }

    fn operation(&mut self, encoder: &mut Encoder<'_>, op: Operation, version: u64) {
        let name = op.name(encoder.context);
        if self.names.meet(name) {
            let dialect = name.dialect(encoder.context).to_owned();
            let dialect = self.dialect(&dialect);
            self.names.set_last_dialect(dialect);
        }
        for number in 0..op.result_count(encoder.context) {
            let result = op.result(encoder.context, number);
            self.value(result);
            self.ty(encoder, result.ty(encoder.context));
        }
        let attributes = properties::dictionary(encoder.context, op, version);
        if attributes != Attribute::EMPTY_DICTIONARY {
            self.entity(encoder, Entity::of(encoder.context, attributes));
        }
        if version >= since::PROPERTIES {
            let properties = encoder.properties(op, version);
            for entity in properties.entities() {
                self.entity(encoder, entity);
            }
        }
        self.entity(encoder, Entity::Location(op.location(encoder.context)));
    }

    /// Counts a use of an attribute, and at the first use also its components.
    fn entity(&mut self, encoder: &mut Encoder<'_>, entity: Entity) {
        if self.entities.meet(entity) {
            self.describe(encoder, vec![Piece::Entity(entity)]);
        }
    }

    /// Counts a use of a type, and at the first use also its components.
    fn ty(&mut self, encoder: &mut Encoder<'_>, ty: Type) {
        if self.types.meet(ty) {
            self.describe(encoder, vec![Piece::Type(ty)]);
        }
    }

    /// Counts the uses in a new entry. The order is that of a recursive walk; the explicit stack
    /// supports any depth.
    fn describe(&mut self, encoder: &mut Encoder<'_>, mut stack: Vec<Piece>) {
        let mut first = true;
        while let Some(piece) = stack.pop() {
            let start = stack.len();
            match piece {
                Piece::Entity(entity) | Piece::Optional(Some(entity)) => {
                    if !first && !self.entities.meet(entity) {
                        continue;
                    }
                    let dialect = entity_dialect(encoder.context, entity);
                    let dialect = self.dialect(&dialect);
                    self.entities.set_last_dialect(dialect);
                    if !encoder.entity(entity, &mut stack)
                        && let Entity::Attribute(attribute) = entity
                    {
                        self.text_resources(encoder.context, vec![attribute]);
                    }
                }
                Piece::Type(ty) => {
                    if !first && !self.types.meet(ty) {
                        continue;
                    }
                    let dialect = type_dialect(encoder.context, ty);
                    let dialect = self.dialect(&dialect);
                    self.types.set_last_dialect(dialect);
                    if !encoder.ty(ty, &mut stack)
                        && let Some(payload) = ty.payload(encoder.context)
                    {
                        let mut attributes = Vec::new();
                        push_reversed(encoder.context, payload, &mut attributes);
                        self.text_resources(encoder.context, attributes);
                    }
                }
                Piece::Resource(key) => {
                    self.resource(key);
                }
                _ => {}
            }
            first = false;
            stack[start..].reverse();
        }
    }

    /// Finds resources in attributes that are encoded as text; `pending` is a stack.
    fn text_resources(&mut self, context: &Context, mut pending: Vec<Attribute>) {
        while let Some(attribute) = pending.pop() {
            match attribute.kind(context) {
                AttributeKind::DenseResource { key, .. } => self.resource(*key),
                AttributeKind::Array(elements) => pending.extend(elements.iter().rev()),
                AttributeKind::Dialect(payload) => push_reversed(context, payload, &mut pending),
                AttributeKind::Dictionary(entries) => {
                    pending.extend(entries.iter().rev().map(|(_, value)| *value));
                }
                _ => {}
            }
        }
    }

    fn resource(&mut self, key: Identifier) {
        let number = self.resources.len() as u64;
        self.resource_numbers.entry(key).or_insert_with(|| {
            self.resources.push(key);
            number
        });
    }

    /// The index of a dialect.
    fn dialect(&mut self, name: &str) -> u32 {
        if let Some(number) = self.dialect_numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.dialects.len()).unwrap_or(NONE);
        self.dialects.push(name.to_owned());
        self.dialect_numbers.insert(name.to_owned(), number);
        number
    }

    /// Whether the regions of an operation use no outer values.
    pub(super) fn is_isolated(&self, op: Operation) -> bool {
        self.isolated[op.index()]
    }

    /// The index of an operation in text order; `None` outside of the written IR.
    pub(super) fn operation_number(&self, op: Operation) -> Option<u32> {
        self.operations
            .get(op.index())
            .copied()
            .filter(|number| *number != NONE)
    }

    /// The index of a value; `None` outside of the written IR.
    #[inline]
    pub(super) fn value_number(&self, value: Value) -> Option<u64> {
        let number = self.values[value.index()];
        (number != NONE).then_some(u64::from(number))
    }

    /// The index of a block in its region.
    pub(super) fn block_number(&self, block: Block) -> u64 {
        u64::from(self.blocks[block.index()])
    }

    /// The number of values defined in the blocks of a region, given its first block.
    pub(super) fn region_values(&self, first: Block) -> u64 {
        u64::from(self.region_values.get(&first).copied().unwrap_or(0))
    }

    /// The index of a resource of the builtin dialect.
    pub(super) fn resource_number(&self, key: Identifier) -> u64 {
        self.resource_numbers.get(&key).copied().unwrap_or(0)
    }

    /// Writes the components of an encoding.
    pub(super) fn write_pieces(&self, pieces: &[Piece], strings: &mut Strings, out: &mut Emitter) {
        for piece in pieces {
            match piece {
                Piece::Integer(value) => out.varint(*value),
                Piece::Signed(value) => out.signed(*value),
                Piece::Byte(byte) => out.byte(*byte),
                Piece::Entity(entity) => out.varint(self.entities.number(*entity)),
                Piece::Optional(None) => out.varint(0),
                Piece::Optional(Some(entity)) => {
                    out.flagged(self.entities.number(*entity), true);
                }
                Piece::Type(ty) => out.varint(self.types.number(*ty)),
                Piece::String(string) => out.varint(strings.number(string)),
                Piece::Blob(bytes) => {
                    out.count(bytes.len());
                    out.bytes(bytes);
                }
                Piece::Resource(key) => out.varint(self.resource_number(*key)),
            }
        }
    }

    /// As in MLIR, moves resources with data before those that are only referenced.
    pub(super) fn sort_resources(&mut self, has_data: impl Fn(Identifier) -> bool) {
        self.resources.sort_by_key(|key| !has_data(*key));
        for (number, key) in (0..).zip(&self.resources) {
            self.resource_numbers.insert(*key, number);
        }
    }
}

fn entity_dialect(context: &Context, entity: Entity) -> String {
    match entity {
        Entity::Location(_) => "builtin".to_owned(),
        Entity::Attribute(attribute) => match attribute.kind(context) {
            AttributeKind::Opaque { dialect, .. } => dialect.text(context).to_owned(),
            AttributeKind::Dialect(payload) => payload.definition().dialect().to_owned(),
            _ => "builtin".to_owned(),
        },
    }
}

fn type_dialect(context: &Context, ty: Type) -> String {
    match ty.kind(context) {
        TypeKind::Opaque { dialect, .. } => dialect.text(context).to_owned(),
        TypeKind::Dialect(payload) => payload.definition().dialect().to_owned(),
        _ => "builtin".to_owned(),
    }
}

/// Pushes the attributes of a dialect type or attribute on a stack, the first on top.
fn push_reversed(context: &Context, payload: &Payload, stack: &mut Vec<Attribute>) {
    let start = stack.len();
    payload.attributes(context, &mut |attribute| stack.push(attribute));
    stack[start..].reverse();
}
