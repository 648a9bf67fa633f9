//! The pass `cse`.

use std::rc::Rc;

use orison_ir::declare::Trait;
use orison_ir::dominance::DominatorTree;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Context, Location, Operation, Region};

use crate::effects::{effects_of, is_trivially_dead};
use crate::equivalence::ScopedTable;

const CSED: &str = "num-cse'd";
const DCED: &str = "num-dce'd";

/// The pass `cse`.
#[derive(Clone, Debug)]
pub struct Cse;

impl Pass for Cse {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<Cse>(
        "cse",
        "Eliminates common subexpressions.\n\
         \n\
         Two operations are equal if they have the same name, operands, attributes and result \
         types, and equal regions; locations are ignored. An operation that reads memory is \
         replaced only if no operation in between may write. Dead operations are erased.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: CSED,
            summary: "Number of operations CSE'd",
        },
        Statistic {
            name: DCED,
            summary: "Number of operations DCE'd",
        },
    ]);

    fn create((): ()) -> Self {
        Cse
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        let mut simplifier = Simplifier {
            context: pass.context,
            replaced: 0,
            dead: Vec::new(),
            writes: 0,
        };
        simplifier.run(root);
        let (replaced, dead) = (simplifier.replaced, simplifier.dead);
        let erased = dead.len() as u64;
        for op in dead.into_iter().rev() {
            // Operations nested in an erased one were erased with it.
            if op.is_live(pass.context) {
                op.erase(pass.context);
            }
        }
        pass.count(CSED, replaced);
        pass.count(DCED, erased - replaced);
        Ok(IRStatus::changed_if(erased > 0))
    }
}

struct Simplifier<'c> {
    context: &'c mut Context,
    replaced: u64,
    /// Operations to erase at the end, because tables may still refer to them.
    dead: Vec<Operation>,
    /// Incremented by every operation that may write memory.
    writes: u32,
}

/// A step of the walk. An explicit stack of steps allows any nesting depth.
enum Step {
    /// The regions of an isolated operation: no outer operation is available in them.
    Isolated(Operation),
    Region(Region),
    /// A block, and the blocks that it dominates.
    Block(Block, Option<Rc<DominatorTree>>),
    /// The rest of a block.
    Operations(Option<Operation>),
    /// An operation whose regions have been visited.
    Finish(Operation),
    /// Forget the operations inserted since the matching scope was opened.
    CloseScope,
    /// Restore the table from before an isolated operation.
    CloseTable,
}

impl Simplifier<'_> {
    fn run(&mut self, root: Operation) {
        let mut tables = vec![ScopedTable::default()];
        let mut steps = vec![Step::Isolated(root)];
        while let Some(step) = steps.pop() {
            let Some(table) = tables.last_mut() else {
                return;
            };
            match step {
                Step::Isolated(op) => {
                    tables.push(ScopedTable::default());
                    steps.push(Step::CloseTable);
                    self.push_regions(op, &mut steps);
                }
                Step::CloseTable => {
                    tables.pop();
                }
                Step::CloseScope => table.close_scope(),
                Step::Region(region) => self.enter_region(region, &mut steps),
                Step::Block(block, tree) => {
                    table.open_scope();
                    steps.push(Step::CloseScope);
                    if let Some(tree) = tree {
                        let children: Vec<_> = tree.children(block).collect();
                        let children = children.into_iter().rev();
                        steps.extend(children.map(|b| Step::Block(b, Some(Rc::clone(&tree)))));
                    }
                    steps.push(Step::Operations(block.first_op(self.context)));
                }
                Step::Operations(None) => {}
                Step::Operations(Some(op)) => {
                    steps.push(Step::Operations(op.next(self.context)));
                    self.visit(op, &mut steps, table);
                }
                Step::Finish(op) => self.simplify(op, table),
            }
        }
    }

    fn push_regions(&self, op: Operation, steps: &mut Vec<Step>) {
        let regions: Vec<_> = op.regions(self.context).collect();
        steps.extend(regions.into_iter().rev().map(Step::Region));
    }

    /// Visits blocks along the dominator tree.
    fn enter_region(&self, region: Region, steps: &mut Vec<Step>) {
        let Some(entry) = region.first_block(self.context) else {
            return;
        };
        let several = !region.has_one_block(self.context);
        let tree = several.then(|| Rc::new(DominatorTree::of(self.context, region)));
        steps.push(Step::Block(entry, tree));
    }

    /// Visits the regions of an operation before the operation itself.
    fn visit(&mut self, op: Operation, steps: &mut Vec<Step>, table: &mut ScopedTable) {
        if op.region_count(self.context) == 0 {
            self.simplify(op, table);
            return;
        }
        steps.push(Step::Finish(op));
        // Unregistered operations may be isolated.
        let isolated = op
            .definition(self.context)
            .is_none_or(|definition| definition.has_trait(Trait::IsolatedFromAbove));
        if isolated {
            steps.push(Step::Isolated(op));
        } else {
            self.push_regions(op, steps);
        }
    }

    fn simplify(&mut self, op: Operation, table: &mut ScopedTable) {
        let context = &*self.context;
        if op.has_trait(context, Trait::Terminator) {
            return;
        }
        if is_trivially_dead(context, op) {
            self.dead.push(op);
            return;
        }
        let effects = effects_of(context, op);
        if effects.may_write() {
            self.writes = self.writes.saturating_add(1);
        }
        if !effects.is_none() && !effects.only_reads() {
            return;
        }
        // Regions with several blocks are never considered equal.
        let is_flat = |region: Region| region.is_empty(context) || region.has_one_block(context);
        let flat = op.regions(context).all(is_flat);
        if !flat {
            return;
        }
        let version = effects.only_reads().then_some(self.writes);
        match table.find_or_insert(context, op, version) {
            None => {}
            Some(known) => self.replace(op, known),
        }
    }

    fn replace(&mut self, op: Operation, known: Operation) {
        for number in 0..op.result_count(self.context) {
            let result = op.result(self.context, number);
            let replacement = known.result(self.context, number);
            result.replace_all_uses_with(self.context, replacement);
        }
        // A known location is better than an unknown one.
        if known.location(self.context) == Location::UNKNOWN {
            let location = op.location(self.context);
            known.set_location(self.context, location);
        }
        self.replaced += 1;
        self.dead.push(op);
    }
}
