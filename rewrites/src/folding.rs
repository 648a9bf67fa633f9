//! Folding: replacing operations with constants and existing values, and deduplicating constants.

use std::collections::hash_map::Entry;

use orison_ir::declare::{Folded, Trait};
use orison_ir::{
    Attribute, Block, Context, Identifier, InsertionPoint, Location, Operation, OperationName,
    Region, Rewriter, Type, Value,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The value of a constant operation.
#[inline]
pub fn constant_of(context: &Context, op: Operation) -> Option<Attribute> {
    if !op.has_trait(context, Trait::ConstantLike) {
        return None;
    }
    let inherent = op.properties(context).entry(context, Identifier::VALUE);
    inherent.or_else(|| op.attributes(context).entry(context, Identifier::VALUE))
}

/// The constant that defines a value, if any.
#[inline]
pub fn constant_value(context: &Context, value: Value) -> Option<Attribute> {
    constant_of(context, value.defining_op(context)?)
}

/// The constant operands.
type Constants = SmallVec<[Option<Attribute>; 4]>;

/// Moves constant operands of a commutative operation after the others, keeping their order.
/// Returns whether anything changed.
fn order_commutative(rewriter: &mut Rewriter<'_>, op: Operation, constants: Constants) -> bool {
    let first = constants.iter().position(Option::is_some);
    let ordered = first.is_none_or(|first| constants[first..].iter().all(Option::is_some));
    if ordered || !op.has_trait(rewriter.ir(), Trait::Commutative) {
        return false;
    }
    let mut pairs: Vec<_> = op.operands(rewriter.ir()).zip(constants).collect();
    pairs.sort_by_key(|(_, constant)| constant.is_some());
    let operands: Vec<_> = pairs.iter().map(|(operand, _)| *operand).collect();
    op.set_operands(rewriter.context(), &operands);
    rewriter.modified(op);
    true
}

/// Folds an operation: its results are replaced and it is erased, or it is changed in place.
/// Returns whether it was folded.
///
/// A folder returns an empty list for an in-place change.
pub fn fold(rewriter: &mut Rewriter<'_>, op: Operation) -> bool {
    let context = rewriter.ir();
    let name = op.name(context);
    let Some(definition) = name.definition(context) else {
        return false;
    };
    // A constant folds to itself.
    let is_constant = name.has_trait(context, Trait::ConstantLike);
    let commutative = name.has_trait(context, Trait::Commutative);
    if is_constant || (definition.fold.is_none() && !commutative) {
        return false;
    }
    let constants: Constants = op
        .operands(context)
        .map(|operand| constant_value(context, operand))
        .collect();
    let folder = definition.fold;
    let folded = folder.and_then(|folder| folder(rewriter.context(), op, &constants));
    let Some(folded) = folded else {
        return order_commutative(rewriter, op, constants);
    };
    if folded.is_empty() {
        rewriter.modified(op);
        return true;
    }
    // With cyclic definitions, an operation may fold to its own result.
    let context = rewriter.ir();
    let folds_to_itself = op
        .results(context)
        .any(|result| folded.contains(&Folded::Value(result)));
    !folds_to_itself && replace_by_folded(rewriter, op, &folded)
}

fn replace_by_folded(rewriter: &mut Rewriter<'_>, op: Operation, folded: &[Folded]) -> bool {
    debug_assert_eq!(
        folded.len(),
        op.result_count(rewriter.ir()),
        "a folder must return one value per result"
    );
    let mut values = Vec::with_capacity(folded.len());
    let mut created = Vec::new();
    for (number, folded) in folded.iter().enumerate() {
        let attribute = match folded {
            Folded::Value(value) => {
                values.push(*value);
                continue;
            }
            Folded::Constant(attribute) => *attribute,
        };
        let ty = op.result(rewriter.ir(), number).ty(rewriter.ir());
        let Some(constant) = materialize(rewriter, op, attribute, ty) else {
            for constant in created {
                rewriter.erase(constant);
            }
            return false;
        };
        created.push(constant);
        values.push(constant.result(rewriter.ir(), 0));
    }
    rewriter.replace(op, &values);
    true
}

/// Creates a constant before `op`, through the dialect of `op`.
fn materialize(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    attribute: Attribute,
    ty: Type,
) -> Option<Operation> {
    let context = rewriter.ir();
    let dialect = context.dialect(op.name(context).dialect(context))?;
    let location = op.location(context);
    let state = (dialect.materialize_constant?)(rewriter.context(), attribute, ty, location)?;
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    Some(rewriter.create(&state))
}

/// Constants by region, value and type: one of each, at the front of the entry block.
#[derive(Debug, Default)]
pub struct ConstantPool {
    known: FxHashMap<(Region, OperationName, Attribute, Type), Operation>,
    /// The constant inserted last, at its position.
    last: Option<Operation>,
    /// Homes by region, and the last one looked up.
    homes: FxHashMap<Region, Region>,
    last_home: Option<(Region, Region)>,
}

impl ConstantPool {
    /// Adds a constant to the pool. Returns true if an equal one existed, which then replaces it.
    pub fn add(&mut self, rewriter: &mut Rewriter<'_>, op: Operation, value: Attribute) -> bool {
        let context = rewriter.ir();
        let Some(region) = op.parent_region(context) else {
            return false;
        };
        let region = self.home(context, region);
        let result = op.result(context, 0);
        let key = (region, op.name(context), value, result.ty(context));
        match self.known.entry(key) {
            Entry::Occupied(known) => {
                let known = *known.get();
                let replacement = known.result(context, 0);
                rewriter.replace(op, &[replacement]);
                // It represents constants from several locations.
                known.set_location(rewriter.context(), Location::UNKNOWN);
                return true;
            }
            Entry::Vacant(slot) => {
                slot.insert(op);
            }
        }
        if let Some(block) = region.first_block(context) {
            self.move_to_front(rewriter.context(), op, block);
        }
        self.last = Some(op);
        false
    }

    /// Moves a constant to the front of the block, contiguous with the others.
    fn move_to_front(&self, context: &mut Context, op: Operation, block: Block) {
        let Some(first) = block.first_op(context) else {
            return;
        };
        // All operations between the front and a constant that is in position are in position.
        let previous = op.previous(context);
        let behind_constant = previous.is_some() && previous == self.last;
        let in_place = op.block(context) == Some(block) && (first == op || behind_constant);
        if !in_place {
            op.move_before(context, first);
        }
    }

    /// The region whose entry block holds the constants for operations in `region`: the outermost
    /// one within the isolated operation.
    fn home(&mut self, context: &Context, region: Region) -> Region {
        if let Some((asked, home)) = self.last_home
            && asked == region
        {
            return home;
        }
        let home = match self.homes.get(&region) {
            Some(&home) => home,
            None => find_home(context, region),
        };
        self.homes.insert(region, home);
        self.last_home = Some((region, home));
        home
    }
}

/// The region whose entry block holds the constants for operations in `region`: the outermost one
/// within the isolated operation.
pub(crate) fn find_home(context: &Context, region: Region) -> Region {
    let mut home = region;
    loop {
        let owner = home.owner(context);
        // Unregistered operations may be isolated.
        let isolated = owner
            .definition(context)
            .is_none_or(|definition| definition.has_trait(Trait::IsolatedFromAbove));
        match owner.parent_region(context) {
            Some(parent) if !isolated => home = parent,
            _ => return home,
        }
    }
}
