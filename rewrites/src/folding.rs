//! Folding: replacing operations by constants and values that exist, and keeping one of each
//! constant.

use orison_ir::declare::{Folded, Trait};
use orison_ir::{
    Attribute, Block, Context, InsertionPoint, Operation, Region, Rewriter, Type, Value,
};
use rustc_hash::FxHashMap;

/// The value of a constant operation.
pub fn constant_of(context: &Context, op: Operation) -> Option<Attribute> {
    if op.has_trait(context, Trait::ConstantLike) {
        op.attribute(context, "value")
    } else {
        None
    }
}

/// The constant that a value is.
pub fn constant_value(context: &Context, value: Value) -> Option<Attribute> {
    constant_of(context, value.defining_op(context)?)
}

/// Moves constant operands of a commutative operation behind the others, in order. True when that
/// changed something.
pub fn order_commutative(rewriter: &mut Rewriter<'_>, op: Operation) -> bool {
    let context = rewriter.ir();
    if op.operand_count(context) < 2 || !op.has_trait(context, Trait::Commutative) {
        return false;
    }
    let operands: Vec<_> = op.operands(context).collect();
    let is_constant = |value: &Value| constant_value(context, *value).is_some();
    let (constants, mut ordered): (Vec<_>, Vec<_>) =
        operands.iter().copied().partition(is_constant);
    ordered.extend(constants);
    if ordered == operands {
        return false;
    }
    op.set_operands(rewriter.context(), &ordered);
    rewriter.modified(op);
    true
}

/// Folds an operation: its results are replaced and it is erased, or it is changed in place. True
/// when that was possible.
///
/// A folder that changes an operation in place says so by an empty list, or by a list of the
/// operation's own results.
pub fn fold(rewriter: &mut Rewriter<'_>, op: Operation) -> bool {
    let context = rewriter.ir();
    let Some(definition) = op.definition(context) else {
        return false;
    };
    // A constant folds to itself.
    if definition.has_trait(Trait::ConstantLike) {
        return false;
    }
    let ordered = order_commutative(rewriter, op);
    let Some(folder) = definition.fold else {
        return ordered;
    };
    let context = rewriter.ir();
    let constants: Vec<_> = op
        .operands(context)
        .map(|operand| constant_value(context, operand))
        .collect();
    let Some(folded) = folder(rewriter.context(), op, &constants) else {
        return ordered;
    };
    let context = rewriter.ir();
    let in_place = folded.is_empty()
        || op
            .results(context)
            .zip(&folded)
            .all(|(result, folded)| *folded == Folded::Value(result));
    if in_place {
        rewriter.modified(op);
        return true;
    }
    replace_by_folded(rewriter, op, &folded) || ordered
}

fn replace_by_folded(rewriter: &mut Rewriter<'_>, op: Operation, folded: &[Folded]) -> bool {
    debug_assert_eq!(
        folded.len(),
        op.result_count(rewriter.ir()),
        "a folder gives one value a result"
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

/// Constants by region, value and type: there is one of each, at the front of the entry block.
#[derive(Debug, Default)]
pub struct ConstantPool {
    known: FxHashMap<(Region, orison_ir::OperationName, Attribute, Type), Operation>,
    owned: rustc_hash::FxHashSet<Operation>,
    regions: FxHashMap<Region, Region>,
}

impl ConstantPool {
    /// Takes a constant into the pool. True when an equal one was there, which then replaces it.
    pub fn add(&mut self, rewriter: &mut Rewriter<'_>, op: Operation) -> bool {
        let context = rewriter.ir();
        let (Some(value), Some(region)) = (constant_of(context, op), op.parent_region(context))
        else {
            return false;
        };
        if op.result_count(context) != 1 {
            return false;
        }
        let region = self.home(context, region);
        let result = op.result(context, 0);
        let key = (region, op.name(context), value, result.ty(context));
        match self.known.get(&key) {
            Some(&known) if known.is_live(context) && known != op => {
                let replacement = known.result(context, 0);
                rewriter.replace(op, &[replacement]);
                return true;
            }
            _ => {}
        }
        if let Some(block) = region.first_block(context) {
            self.move_to_front(rewriter.context(), op, block);
        }
        self.known.insert(key, op);
        self.owned.insert(op);
        false
    }

    /// Constants stand at the front of the block, in a row.
    fn move_to_front(&self, context: &mut Context, op: Operation, block: Block) {
        let Some(first) = block.first_op(context) else {
            return;
        };
        let behind_constant = op
            .previous(context)
            .is_some_and(|previous| self.owned.contains(&previous));
        let in_place = op.block(context) == Some(block) && (first == op || behind_constant);
        if !in_place {
            op.move_before(context, first);
        }
    }

    /// The region whose entry block holds the constants for operations in `region`: the outermost
    /// one within the isolated operation.
    fn home(&mut self, context: &Context, region: Region) -> Region {
        if let Some(&home) = self.regions.get(&region) {
            return home;
        }
        let mut home = region;
        loop {
            let owner = home.owner(context);
            // Operations that are not registered may be isolated.
            let isolated = owner
                .definition(context)
                .is_none_or(|definition| definition.has_trait(Trait::IsolatedFromAbove));
            match owner.parent_region(context) {
                Some(parent) if !isolated => home = parent,
                _ => break,
            }
        }
        self.regions.insert(region, home);
        home
    }
}
