//! The pass `test-single-fold`: applies each folder once.

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::{Builder, Context, Operation, Rewriter, walk};

use crate::effects::is_trivially_dead;
use crate::folding::{ConstantPool, constant_of, fold};

orison_ir::pass_options! {
    /// Options of `test-single-fold`.
    pub struct TestSingleFoldOptions {
        /// How often an operation is folded again after an in-place fold.
        max_iterations = "max-iterations": u64 = 1,
    }
}

/// The pass `test-single-fold`.
#[derive(Clone, Debug)]
pub struct TestSingleFold(TestSingleFoldOptions);

impl Pass for TestSingleFold {
    type Options = TestSingleFoldOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<TestSingleFold>(
        "test-single-fold",
        "Folds each operation once, in reverse order, to test folders without the greedy driver.\n\
         \n\
         Afterwards constants are uniqued and unused ones are erased.",
        source_position!(),
    );

    fn create(options: TestSingleFoldOptions) -> Self {
        TestSingleFold(options)
    }

    fn options(&self) -> &TestSingleFoldOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        let mut changed = false;
        for op in walk::collect(pass.context, root).into_iter().rev() {
            for _ in 0..self.0.max_iterations {
                if op == root || !op.is_live(pass.context) || !fold_one(pass.context, op) {
                    break;
                }
                changed = true;
            }
        }
        changed |= keep_one_of_each_constant(pass.context, root);
        Ok(IRStatus::changed_if(changed))
    }
}

fn fold_one(context: &mut Context, op: Operation) -> bool {
    fold(&mut Rewriter::new(Builder::new(context)), op)
}

/// Erases unused and duplicate constants, and moves the others to the front.
fn keep_one_of_each_constant(context: &mut Context, root: Operation) -> bool {
    let mut pool = ConstantPool::default();
    let mut changed = false;
    for op in walk::collect(context, root) {
        let Some(value) = constant_of(context, op) else {
            continue;
        };
        let mut rewriter = Rewriter::new(Builder::new(context));
        if is_trivially_dead(rewriter.ir(), op) {
            rewriter.erase(op);
            changed = true;
        } else {
            changed |= pool.add(&mut rewriter, op, value);
        }
    }
    changed
}
