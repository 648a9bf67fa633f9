//! Operations: creation, structure, operands, attributes, position.

use smallvec::SmallVec;

use super::{Block, Region, RegionRecord, UseRecord, UseTarget, Value, dangling, handle};
use crate::declare::{OperationDefinition, Trait};
use crate::storage::arena::{NONE, Record};
use crate::{Attribute, Context, Location, OperationName, Type};

handle! {
    /// An operation.
    Operation
}

#[derive(Debug)]
pub(crate) struct OperationRecord {
    generation: u32,
    pub(crate) name: OperationName,
    location: Location,
    properties: Attribute,
    attributes: Attribute,
    pub(crate) operands: u32,
    operand_count: u32,
    results: u32,
    result_count: u32,
    /// Index of the successors and regions; [`NONE`] for the many operations without any.
    extra: u32,
    pub(crate) block: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
    /// Increases along the block while the block is marked as ordered.
    pub(crate) order: u32,
}

impl Default for OperationRecord {
    fn default() -> Self {
        OperationRecord {
            generation: 0,
            name: OperationName(0),
            location: Location::UNKNOWN,
            properties: Attribute::EMPTY_DICTIONARY,
            attributes: Attribute::EMPTY_DICTIONARY,
            operands: 0,
            operand_count: 0,
            results: 0,
            result_count: 0,
            extra: NONE,
            block: NONE,
            previous: NONE,
            next: NONE,
            order: 0,
        }
    }
}

impl Record for OperationRecord {
    fn generation(&self) -> u32 {
        self.generation
    }
    fn set_generation(&mut self, generation: u32) {
        self.generation = generation;
    }
}

/// The parts of an operation that most operations do not have.
#[derive(Debug, Default)]
pub(crate) struct OperationExtra {
    generation: u32,
    successors: u32,
    successor_count: u32,
    regions: SmallVec<[u32; 2]>,
}

impl Record for OperationExtra {
    fn generation(&self) -> u32 {
        self.generation
    }
    fn set_generation(&mut self, generation: u32) {
        self.generation = generation;
    }
}

/// The components from which an operation is created.
#[derive(Clone, Debug)]
pub struct OperationState {
    /// The name.
    pub name: OperationName,
    /// The source location.
    pub location: Location,
    /// Operands.
    pub operands: SmallVec<[Value; 4]>,
    /// Types of the results.
    pub result_types: SmallVec<[Type; 2]>,
    /// Inherent attributes: a dictionary.
    pub properties: Attribute,
    /// Discardable attributes: a dictionary.
    pub attributes: Attribute,
    /// Successor blocks.
    pub successors: SmallVec<[Block; 2]>,
    /// Detached regions, of which the operation takes ownership.
    pub regions: SmallVec<[Region; 1]>,
}

impl OperationState {
    /// The state of an operation without operands, results, attributes, successors, regions.
    pub fn new(name: OperationName, location: Location) -> Self {
        OperationState {
            name,
            location,
            operands: SmallVec::new(),
            result_types: SmallVec::new(),
            properties: Attribute::EMPTY_DICTIONARY,
            attributes: Attribute::EMPTY_DICTIONARY,
            successors: SmallVec::new(),
            regions: SmallVec::new(),
        }
    }

    /// Sets an inherent attribute.
    pub fn set_property(&mut self, context: &mut Context, key: &str, value: Attribute) {
        self.properties = self.properties.with(context, key, value);
    }
}

impl Region {
    /// Creates a detached region without blocks.
    pub fn new(context: &mut Context) -> Region {
        let (index, generation) = context.regions.insert(RegionRecord::default());
        Region { index, generation }
    }
}

impl Operation {
    /// Creates a detached operation. Inherent attributes of a registered operation that the state
    /// lacks have their defaults, so that the operation equals the one that its text is parsed as.
    pub fn create(context: &mut Context, state: &OperationState) -> Operation {
        let length = |length: usize| u32::try_from(length).unwrap_or(NONE);
        let properties = match state.name.definition(context) {
            Some(definition) => definition.with_defaults(context, state.properties),
            None => state.properties,
        };
        let record = OperationRecord {
            name: state.name,
            location: state.location,
            properties,
            attributes: state.attributes,
            operand_count: length(state.operands.len()),
            result_count: length(state.result_types.len()),
            ..OperationRecord::default()
        };
        let (index, generation) = context.operations.insert(record);
        let op = Operation { index, generation };
        let results = context.create_values(index, None, &state.result_types);
        let record = &mut context.operations[index];
        record.results = results;
        context.attach_operands(index, &state.operands);
        if !state.successors.is_empty() || !state.regions.is_empty() {
            context.attach_extra(index, &state.successors, &state.regions);
        }
        op
    }

    #[track_caller]
    #[inline]
    pub(crate) fn record(self, context: &Context) -> &OperationRecord {
        context
            .operations
            .get(self.index, self.generation)
            .unwrap_or_else(|| dangling("operation"))
    }

    pub(crate) fn at(context: &Context, index: u32) -> Operation {
        Operation {
            index,
            generation: context.operations.generation(index),
        }
    }

    pub(crate) fn link(context: &Context, index: u32) -> Option<Operation> {
        (index != NONE).then(|| Operation::at(context, index))
    }

    /// True while the operation exists.
    pub fn is_live(self, context: &Context) -> bool {
        context
            .operations
            .get(self.index, self.generation)
            .is_some()
    }

    /// The name as a handle.
    #[inline]
    pub fn name(self, context: &Context) -> OperationName {
        self.record(context).name
    }

    /// The name as text, for example `arith.addi`.
    pub fn name_text(self, context: &Context) -> &str {
        self.name(context).text(context)
    }

    /// True if this is the operation `name`. The typed view of a declared operation compares
    /// faster: `AddI::matches(context, op)`.
    pub fn is(self, context: &Context, name: &str) -> bool {
        self.name_text(context) == name
    }

    /// True if the operation is registered with one of these declarations.
    pub fn is_one_of(self, context: &Context, definitions: &[&OperationDefinition]) -> bool {
        let own = self.definition(context);
        own.is_some_and(|own| definitions.iter().any(|known| std::ptr::eq(*known, own)))
    }

    /// The declaration; `None` if the operation is not registered.
    pub fn definition(self, context: &Context) -> Option<&'static OperationDefinition> {
        self.name(context).definition(context)
    }

    /// True if the operation is registered and declared with the trait.
    pub fn has_trait(self, context: &Context, wanted: Trait) -> bool {
        self.name(context).has_trait(context, wanted)
    }

    /// True for terminators, and for unregistered operations, which may be terminators.
    pub fn may_be_terminator(self, context: &Context) -> bool {
        let name = self.name(context);
        name.has_trait(context, Trait::Terminator) || name.definition(context).is_none()
    }

    /// The source location.
    pub fn location(self, context: &Context) -> Location {
        self.record(context).location
    }

    /// Sets the source location.
    pub fn set_location(self, context: &mut Context, location: Location) {
        self.record(context);
        context.operations[self.index].location = location;
    }
}

/// Position.
impl Operation {
    /// The block this operation is in; `None` if detached.
    pub fn block(self, context: &Context) -> Option<Block> {
        Block::link(context, self.record(context).block)
    }

    /// The region this operation is in.
    pub fn parent_region(self, context: &Context) -> Option<Region> {
        self.block(context)?.region(context)
    }

    /// The operation that contains this one.
    pub fn parent_op(self, context: &Context) -> Option<Operation> {
        self.parent_region(context)
            .map(|region| region.owner(context))
    }

    /// The operations that contain this one, innermost first.
    pub fn ancestors(self, context: &Context) -> impl Iterator<Item = Operation> + '_ {
        std::iter::successors(self.parent_op(context), |op| op.parent_op(context))
    }

    /// True if `other` is this operation or nested in it at any depth.
    pub fn is_ancestor_of(self, context: &Context, other: Operation) -> bool {
        other == self || other.ancestors(context).any(|op| op == self)
    }

    /// The operation in `block` that is this one or contains it.
    pub fn ancestor_in_block(self, context: &Context, block: Block) -> Option<Operation> {
        std::iter::once(self)
            .chain(self.ancestors(context))
            .find(|op| op.block(context) == Some(block))
    }

    /// The next operation of the block.
    pub fn next(self, context: &Context) -> Option<Operation> {
        Operation::link(context, self.record(context).next)
    }

    /// The previous operation of the block.
    pub fn previous(self, context: &Context) -> Option<Operation> {
        Operation::link(context, self.record(context).previous)
    }

    /// True if this operation precedes `other` in the same block. Constant time if the block is
    /// numbered ([`Block::renumber`]), linear in the block otherwise.
    pub fn is_before_in_block(self, context: &Context, other: Operation) -> bool {
        let record = self.record(context);
        let other_record = other.record(context);
        debug_assert_eq!(
            record.block, other_record.block,
            "the operations are in different blocks"
        );
        if record.block != NONE && context.blocks[record.block].ordered {
            return record.order < other_record.order;
        }
        let mut current = other.previous(context);
        while let Some(op) = current {
            if op == self {
                return true;
            }
            current = op.previous(context);
        }
        false
    }

    /// Removes the operation from its block without erasing it.
    pub fn detach(self, context: &mut Context) {
        let OperationRecord {
            block,
            previous,
            next,
            ..
        } = *self.record(context);
        if block == NONE {
            return;
        }
        match previous {
            NONE => context.blocks[block].first = next,
            _ => context.operations[previous].next = next,
        }
        match next {
            NONE => context.blocks[block].last = previous,
            _ => context.operations[next].previous = previous,
        }
        let record = &mut context.operations[self.index];
        record.block = NONE;
        record.previous = NONE;
        record.next = NONE;
    }

    /// Moves the operation before `anchor`.
    ///
    /// # Panics
    /// If `anchor` is detached.
    pub fn move_before(self, context: &mut Context, anchor: Operation) {
        if self == anchor {
            return;
        }
        let block = anchor.block(context);
        self.detach(context);
        match block {
            Some(block) => block.insert_before(context, Some(anchor), self),
            None => panic!("the anchor is not in a block"),
        }
    }

    /// Moves the operation after `anchor`.
    ///
    /// # Panics
    /// If `anchor` is detached.
    pub fn move_after(self, context: &mut Context, anchor: Operation) {
        if self == anchor {
            return;
        }
        self.detach(context);
        let next = anchor.next(context);
        match anchor.block(context) {
            Some(block) => block.insert_before(context, next, self),
            None => panic!("the anchor is not in a block"),
        }
    }
}

/// Operands, results, successors, regions.
impl Operation {
    /// Number of operands.
    pub fn operand_count(self, context: &Context) -> usize {
        self.record(context).operand_count as usize
    }

    /// The operand at this index.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn operand(self, context: &Context, number: usize) -> Value {
        let record = self.record(context);
        let slots = context
            .operands
            .slice(record.operands, record.operand_count);
        Value::at(context, slots[number].target)
    }

    /// The operands in order.
    pub fn operands(
        self,
        context: &Context,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + '_ {
        let record = self.record(context);
        let slots = context
            .operands
            .slice(record.operands, record.operand_count);
        slots.iter().map(|slot| Value::at(context, slot.target))
    }

    /// Redirects one operand.
    ///
    /// # Panics
    /// If there is none at this index.
    pub fn set_operand(self, context: &mut Context, number: usize, value: Value) {
        let record = self.record(context);
        assert!(
            number < record.operand_count as usize,
            "operand index out of range"
        );
        value.record(context);
        let slot = record.operands + u32::try_from(number).unwrap_or(NONE);
        context.unlink_use(UseTarget::Value, slot);
        context.link_use(UseTarget::Value, slot, value.index);
    }

    /// Replaces the list of operands.
    pub fn set_operands(self, context: &mut Context, operands: &[Value]) {
        self.drop_operands(context);
        context.attach_operands(self.index, operands);
    }

    /// Number of results.
    pub fn result_count(self, context: &Context) -> usize {
        self.record(context).result_count as usize
    }

    /// The result at this index.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn result(self, context: &Context, number: usize) -> Value {
        let record = self.record(context);
        assert!(
            number < record.result_count as usize,
            "result index out of range"
        );
        Value::at(
            context,
            record.results + u32::try_from(number).unwrap_or(NONE),
        )
    }

    /// The results in order.
    pub fn results(self, context: &Context) -> impl ExactSizeIterator<Item = Value> + '_ {
        let record = self.record(context);
        (0..record.result_count as usize).map(move |number| self.result(context, number))
    }

    /// The types of the operands.
    pub fn operand_types(self, context: &Context) -> Vec<Type> {
        self.operands(context)
            .map(|value| value.ty(context))
            .collect()
    }

    /// The types of the results.
    pub fn result_types(self, context: &Context) -> Vec<Type> {
        self.results(context)
            .map(|value| value.ty(context))
            .collect()
    }

    /// True if no result has a use.
    pub fn is_unused(self, context: &Context) -> bool {
        self.results(context)
            .all(|result| result.is_unused(context))
    }

    fn extra(self, context: &Context) -> Option<&OperationExtra> {
        match self.record(context).extra {
            NONE => None,
            extra => Some(&context.extras[extra]),
        }
    }

    /// Whether the operation has neither regions nor successors.
    #[inline]
    pub(crate) fn is_plain(self, context: &Context) -> bool {
        self.record(context).extra == NONE
    }

    /// Number of regions.
    pub fn region_count(self, context: &Context) -> usize {
        self.extra(context).map_or(0, |extra| extra.regions.len())
    }

    /// The region at this index.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn region(self, context: &Context, number: usize) -> Region {
        match self
            .extra(context)
            .and_then(|extra| extra.regions.get(number))
        {
            Some(index) => Region::at(context, *index),
            None => panic!("region index out of range"),
        }
    }

    /// The regions in order.
    pub fn regions(self, context: &Context) -> impl ExactSizeIterator<Item = Region> + '_ {
        let regions: &[u32] = self.extra(context).map_or(&[], |extra| &extra.regions);
        regions.iter().map(|index| Region::at(context, *index))
    }

    /// The entry block of the region at this index, if both exist.
    pub fn body_block(self, context: &Context, number: usize) -> Option<Block> {
        self.regions(context).nth(number)?.first_block(context)
    }

    /// Number of successors.
    pub fn successor_count(self, context: &Context) -> usize {
        self.extra(context)
            .map_or(0, |extra| extra.successor_count as usize)
    }

    /// The successors in order.
    pub fn successors(self, context: &Context) -> impl ExactSizeIterator<Item = Block> + '_ {
        let slots: &[UseRecord] = self.extra(context).map_or(&[], |extra| {
            context
                .successors
                .slice(extra.successors, extra.successor_count)
        });
        slots.iter().map(|slot| Block::at(context, slot.target))
    }

    /// The successor at this index; `None` if the index is out of range.
    pub fn successor(self, context: &Context, number: usize) -> Option<Block> {
        let extra = self.extra(context)?;
        let slots = context
            .successors
            .slice(extra.successors, extra.successor_count);
        let slot = slots.get(number)?;
        Some(Block::at(context, slot.target))
    }

    /// The slot of the first successor.
    pub(crate) fn first_successor(self, context: &Context) -> u32 {
        self.extra(context).map_or(0, |extra| extra.successors)
    }

    /// Redirects one successor.
    ///
    /// # Panics
    /// If there is none at this index.
    pub fn set_successor(self, context: &mut Context, number: usize, block: Block) {
        assert!(
            number < self.successor_count(context),
            "successor index out of range"
        );
        block.record(context);
        let slot = self.first_successor(context) + u32::try_from(number).unwrap_or(NONE);
        context.unlink_use(UseTarget::Block, slot);
        context.link_use(UseTarget::Block, slot, block.index);
    }
}

/// Attributes. Inherent ones ("properties") are part of the operation's semantics; discardable ones
/// are annotations that a pass may drop.
impl Operation {
    /// The dictionary of inherent attributes.
    #[inline]
    pub fn properties(self, context: &Context) -> Attribute {
        self.record(context).properties
    }

    /// The dictionary of discardable attributes.
    #[inline]
    pub fn attributes(self, context: &Context) -> Attribute {
        self.record(context).attributes
    }

    /// Replaces the dictionary of inherent attributes.
    pub fn set_properties(self, context: &mut Context, properties: Attribute) {
        self.record(context);
        context.operations[self.index].properties = properties;
    }

    /// Replaces the dictionary of discardable attributes.
    pub fn set_attributes(self, context: &mut Context, attributes: Attribute) {
        self.record(context);
        context.operations[self.index].attributes = attributes;
    }

    /// An attribute by name: inherent first, then discardable.
    pub fn attribute(self, context: &Context, key: &str) -> Option<Attribute> {
        let record = self.record(context);
        record
            .properties
            .get(context, key)
            .or_else(|| record.attributes.get(context, key))
    }

    /// Sets an attribute: an inherent one if the declaration lists it, otherwise a discardable one.
    pub fn set_attribute(self, context: &mut Context, key: &str, value: Attribute) {
        let inherent = self
            .definition(context)
            .is_some_and(|d| d.attribute(key).is_some());
        if inherent {
            let dictionary = self.properties(context).with(context, key, value);
            self.set_properties(context, dictionary);
        } else {
            let dictionary = self.attributes(context).with(context, key, value);
            self.set_attributes(context, dictionary);
        }
    }

    /// Removes an attribute of either kind.
    pub fn remove_attribute(self, context: &mut Context, key: &str) {
        let properties = self.properties(context).without(context, key);
        self.set_properties(context, properties);
        let attributes = self.attributes(context).without(context, key);
        self.set_attributes(context, attributes);
    }
}

/// Erasing.
impl Operation {
    /// Erases the operation and its regions.
    ///
    /// # Panics
    /// If a result is used by an operation outside.
    #[track_caller]
    pub fn erase(self, context: &mut Context) {
        self.drop_references(context);
        self.erase_unreferenced(context);
    }

    /// Drops operands and successors of this operation and of everything nested in it.
    pub(crate) fn drop_references(self, context: &mut Context) {
        self.drop_own_references(context);
        let blocks: Vec<_> = self
            .regions(context)
            .flat_map(|r| r.blocks(context))
            .collect();
        for block in blocks {
            block.drop_references(context);
        }
    }

    /// Drops operands and successors of this operation, but not of nested operations.
    pub(crate) fn drop_own_references(self, context: &mut Context) {
        self.drop_operands(context);
        if let Some(extra) = self.extra(context) {
            let (start, count) = (extra.successors, extra.successor_count);
            for slot in start..start + count {
                context.unlink_use(UseTarget::Block, slot);
            }
            context.successors.release(start, count);
            let extra = context.operations[self.index].extra;
            context.extras[extra].successor_count = 0;
        }
    }

    #[track_caller]
    pub(crate) fn erase_unreferenced(self, context: &mut Context) {
        for region in self.regions(context).collect::<Vec<_>>() {
            while let Some(block) = region.last_block(context) {
                block.erase_unreferenced(context);
            }
            context.regions.remove(region.index);
        }
        assert!(
            self.is_unused(context),
            "erasing an operation whose results are used"
        );
        self.detach(context);
        let record = context.operations.remove(self.index);
        context.free_values(record.results, record.result_count);
        if record.extra != NONE {
            context.extras.remove(record.extra);
        }
    }

    fn drop_operands(self, context: &mut Context) {
        let OperationRecord {
            operands,
            operand_count,
            ..
        } = *self.record(context);
        for slot in operands..operands + operand_count {
            context.unlink_use(UseTarget::Value, slot);
        }
        context.operands.release(operands, operand_count);
        context.operations[self.index].operand_count = 0;
    }
}

impl Context {
    fn attach_operands(&mut self, owner: u32, operands: &[Value]) {
        let count = u32::try_from(operands.len()).unwrap_or(NONE);
        let start = self.operands.allocate(count, &UseRecord::EMPTY);
        for (slot, value) in (start..start + count).zip(operands) {
            value.record(self);
            self.operands[slot].owner = owner;
            self.link_use(UseTarget::Value, slot, value.index);
        }
        let record = &mut self.operations[owner];
        record.operands = start;
        record.operand_count = count;
    }

    fn attach_extra(&mut self, owner: u32, successors: &[Block], regions: &[Region]) {
        let count = u32::try_from(successors.len()).unwrap_or(NONE);
        let start = self.successors.allocate(count, &UseRecord::EMPTY);
        for (slot, block) in (start..start + count).zip(successors) {
            block.record(self);
            self.successors[slot].owner = owner;
            self.link_use(UseTarget::Block, slot, block.index);
        }
        for region in regions {
            region.record(self);
            self.regions[region.index].owner = owner;
        }
        let (extra, _) = self.extras.insert(OperationExtra {
            successors: start,
            successor_count: count,
            regions: regions.iter().map(|region| region.index).collect(),
            ..OperationExtra::default()
        });
        self.operations[owner].extra = extra;
    }
}
