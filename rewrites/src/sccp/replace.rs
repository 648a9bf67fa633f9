//! Replacing values with their constants.

use orison_ir::{Attribute, Builder, OperationName, Region, Type};
use orison_ir::{Block, Context, InsertionPoint, Operation, Rewriter, Value};
use rustc_hash::FxHashMap;

use super::lattice::{Facts, Knowledge};
use crate::effects::is_removable;
use crate::folding::find_home;

/// Replaces constant values in reached blocks nested in `root`. Returns whether there were any.
pub(super) fn replace_constants(context: &mut Context, root: Operation, facts: &Facts) -> bool {
    let mut replacer = Replacer {
        rewriter: Rewriter::new(Builder::new(context)),
        facts,
        constants: FxHashMap::default(),
        changed: false,
    };
    let mut pending = Vec::new();
    replacer.push_blocks(root, &mut pending);
    while let Some(block) = pending.pop() {
        if facts.is_reached(block) {
            replacer.visit(block, &mut pending);
        }
    }
    replacer.changed
}

type Key = (Region, Attribute, Type);

struct Replacer<'c> {
    rewriter: Rewriter<'c>,
    facts: &'c Facts,
    /// The constants created so far.
    constants: FxHashMap<Key, Value>,
    changed: bool,
}

impl Replacer<'_> {
    fn push_blocks(&self, op: Operation, pending: &mut Vec<Block>) {
        let context = self.rewriter.ir();
        let start = pending.len();
        let regions = op.regions(context);
        pending.extend(regions.flat_map(|region| region.blocks(context)));
        pending[start..].reverse();
    }

    fn visit(&mut self, block: Block, pending: &mut Vec<Block>) {
        let start = pending.len();
        let operations: Vec<_> = block.operations(self.rewriter.ir()).collect();
        for op in operations {
            let results: Vec<_> = op.results(self.rewriter.ir()).collect();
            let mut all = !results.is_empty();
            for result in results {
                all &= self.replace(result);
            }
            if all && is_removable(self.rewriter.ir(), op) {
                self.rewriter.erase(op);
                continue;
            }
            let mut nested = Vec::new();
            self.push_blocks(op, &mut nested);
            // In textual order, the first one on top.
            pending.splice(start..start, nested);
        }
        let arguments: Vec<_> = block.arguments(self.rewriter.ir()).collect();
        for argument in arguments {
            self.replace(argument);
        }
    }

    /// Replaces a value if it is constant; returns whether it did.
    fn replace(&mut self, value: Value) -> bool {
        let Knowledge::Constant(attribute, name) = self.facts.of(value) else {
            return false;
        };
        let context = self.rewriter.ir();
        let block = value.parent_block(context);
        let Some(region) = block.and_then(|block| block.region(context)) else {
            return false;
        };
        let home = find_home(context, region);
        let key = (home, attribute, value.ty(context));
        let constant = match self.constants.get(&key) {
            Some(&constant) => constant,
            None => match self.create(home, attribute, name, value) {
                Some(constant) => {
                    self.constants.insert(key, constant);
                    constant
                }
                None => return false,
            },
        };
        // Replacing one constant with another is not counted as a change.
        let uses = !value.is_unused(self.rewriter.ir());
        let definition = value.defining_op(self.rewriter.ir());
        let same = definition.is_some_and(|op| {
            crate::folding::constant_of(self.rewriter.ir(), op) == Some(attribute)
        });
        self.changed |= uses && !same;
        self.rewriter.replace_all_uses(value, constant);
        true
    }

    fn create(
        &mut self,
        home: Region,
        attribute: Attribute,
        name: OperationName,
        value: Value,
    ) -> Option<Value> {
        let context = self.rewriter.ir();
        let ty = value.ty(context);
        let location = value.location(context);
        let dialect = context.dialect(name.dialect(context))?;
        let first = home.first_block(context)?.first_op(context)?;
        let materialize = dialect.materialize_constant?;
        let state = materialize(self.rewriter.context(), attribute, ty, location)?;
        self.rewriter
            .set_insertion_point(InsertionPoint::Before(first));
        let op = self.rewriter.create(&state);
        Some(op.result(self.rewriter.ir(), 0))
    }
}
