//! The greedy driver: folds, applies rules and erases dead operations until nothing changes.

use std::ops::Range;

use orison_ir::declare::Trait;
use orison_ir::pass::{IRStatus, PassContext, RewriteControl, RuleCounts};
use orison_ir::{Block, Builder, Context, Declined, Operation, Region, Rewriter, Rule, walk};
use rustc_hash::FxHashSet;

use crate::effects::{is_trivially_dead, may_be_removable};
use crate::folding::{ConstantPool, constant_of, fold};
use crate::regions::{
    RegionSimplification, erase_blocks, simplify_regions, unreachable_blocks, uses_itself,
};
use crate::tracing::Tracing;
pub use crate::worklist::Strictness;
use crate::worklist::Worklist;

/// The built-in steps of the driver.
#[derive(Clone, Copy)]
enum Step {
    Fold,
    EraseDead,
    UniqueConstant,
    SimplifyRegions,
}

impl Step {
    const NAMES: [&'static str; 4] = ["fold", "erase-dead", "unique-constant", "simplify-regions"];

    /// The name used for counting and suppressing the step.
    fn name(self) -> &'static str {
        Step::NAMES[self as usize]
    }
}

/// Configuration of the driver.
#[derive(Clone, Debug)]
pub struct GreedyOptions {
    /// Visit operations from first to last; otherwise from last to first.
    pub top_down: bool,
    /// How blocks are simplified between iterations.
    pub regions: RegionSimplification,
    /// Maximum number of iterations; `None` for no limit.
    pub max_iterations: Option<u64>,
    /// Maximum number of rewrites per iteration; `None` for no limit.
    pub max_rewrites: Option<u64>,
    /// Which operations are rewritten if the driver is given an initial list.
    pub strictness: Strictness,
    /// Whether declared rules are used.
    pub declared_rules: bool,
    /// Whether operations are folded.
    pub fold: bool,
    /// Additional rules.
    pub extra_rules: Vec<&'static Rule>,
    /// Names of disabled rules.
    pub disabled: Vec<String>,
    /// Names of the only rules that are used; all if empty.
    pub enabled: Vec<String>,
}

impl Default for GreedyOptions {
    fn default() -> Self {
        GreedyOptions {
            top_down: true,
            regions: RegionSimplification::Normal,
            max_iterations: Some(10),
            max_rewrites: None,
            strictness: Strictness::Any,
            declared_rules: true,
            fold: true,
            extra_rules: Vec::new(),
            disabled: Vec::new(),
            enabled: Vec::new(),
        }
    }
}

/// The result of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GreedyOutcome {
    /// Whether it changed the IR.
    pub status: IRStatus,
    /// Whether it reached a fixed point.
    pub converged: bool,
    /// The number of rewrites: folds, rules, erased operations.
    pub rewrites: u64,
}

/// Rewrites everything nested in the root operation of the pass.
///
/// Rules are tried by descending benefit, then by name. The reason why a rule declined is reported
/// as a remark.
///
/// Rules may rely on definitions that dominate their uses: unreachable blocks are erased before
/// each iteration, whatever `options.regions` is, or skipped if [`RewriteControl`] forbids that. An
/// operation that uses its own result, which can occur in graph regions and in blocks that became
/// unreachable during the iteration, is not rewritten. Longer cycles may keep rules applying: an
/// iteration ends after [`REWRITES_PER_OPERATION`] rewrites for each operation of the input.
pub fn apply_greedily(pass: &mut PassContext<'_>, options: &GreedyOptions) -> GreedyOutcome {
    drive(pass, options, None)
}

/// Rewrites these operations and, depending on the strictness, operations added by rewrites. Blocks
/// are not simplified.
pub fn apply_greedily_to(
    pass: &mut PassContext<'_>,
    operations: &[Operation],
    options: &GreedyOptions,
) -> GreedyOutcome {
    drive(pass, options, Some(operations))
}

/// The maximum number of rewrites in an iteration for each initial operation.
pub const REWRITES_PER_OPERATION: u64 = 16;

/// Additional rewrites allowed in an iteration: a single operation may be lowered in many steps.
const SPARE_REWRITES: u64 = 256;

fn drive(
    pass: &mut PassContext<'_>,
    options: &GreedyOptions,
    operations: Option<&[Operation]>,
) -> GreedyOutcome {
    let mut driver = Driver {
        options,
        operations: operations.map(<[Operation]>::to_vec),
        root: pass.op(),
        unreachable: FxHashSet::default(),
        size: None,
        rules: RuleTable::new(options),
        tracing: Tracing::new(pass.control),
        steps: [0; 4],
        rewrites: 0,
        rewrites_of_iteration: 0,
    };
    let mut outcome = GreedyOutcome {
        status: IRStatus::Unchanged,
        converged: false,
        rewrites: 0,
    };
    let mut iterations = 0;
    let errors = pass.context.diagnostics.error_count();
    while options
        .max_iterations
        .is_none_or(|limit| iterations < limit)
    {
        iterations += 1;
        let changed = driver.iterate(pass);
        outcome.status |= IRStatus::changed_if(changed);
        if !changed {
            outcome.converged = true;
            break;
        }
        // A change that the rewriter rejected would be retried.
        let failed = pass.context.diagnostics.error_count() > errors;
        if failed || pass.control.is_exhausted() {
            break;
        }
    }
    outcome.rewrites = driver.rewrites;
    driver.rules.report(pass.control);
    for (name, applied) in Step::NAMES.into_iter().zip(driver.steps) {
        if applied > 0 {
            let tried = applied;
            pass.control.add_counts(name, RuleCounts { tried, applied });
        }
    }
    outcome
}

struct Driver<'o> {
    options: &'o GreedyOptions,
    /// The initial operations; if `None`, everything nested in the root.
    operations: Option<Vec<Operation>>,
    root: Operation,
    /// Unreachable blocks that are kept: nothing in them is rewritten.
    unreachable: FxHashSet<Block>,
    /// The initial number of operations; known once the first worklist is filled.
    size: Option<u64>,
    rules: RuleTable<'o>,
    tracing: Tracing,
    /// How often each built-in step was taken.
    steps: [u64; 4],
    rewrites: u64,
    rewrites_of_iteration: u64,
}

impl Driver<'_> {
    fn is_exhausted(&self, control: &RewriteControl) -> bool {
        let bound = |size| SPARE_REWRITES + REWRITES_PER_OPERATION * size;
        let limits = [self.options.max_rewrites, self.size.map(bound)];
        let mut limits = limits.into_iter().flatten();
        control.is_exhausted() || limits.any(|limit| self.rewrites_of_iteration >= limit)
    }

    /// Runs one iteration; returns whether anything changed.
    fn iterate(&mut self, pass: &mut PassContext<'_>) -> bool {
        let mut worklist = Worklist::new(pass.context, self.root);
        self.rewrites_of_iteration = 0;
        self.unreachable.clear();
        if self.tracing.is_on() {
            worklist.keep_journal();
        }
        let mut visited = 0;
        let mut changed = match self.operations.take() {
            Some(operations) => {
                walk::walk_nested(pass.context, self.root, |_| visited += 1);
                self.populate_with(pass.context, &mut worklist, operations)
            }
            None => self.populate(pass, &mut worklist, &mut visited),
        };
        self.size.get_or_insert(visited);
        while !self.is_exhausted(pass.control) {
            let Some(op) = worklist.pop(pass.context) else {
                break;
            };
            changed |= self.process(pass, &mut worklist, op);
        }
        if self.operations.is_none()
            && self.options.regions != RegionSimplification::Disabled
            && !self.is_exhausted(pass.control)
            && allows(pass, Step::SimplifyRegions, self.root)
        {
            let simplified = simplify_regions(pass.context, self.root, self.options.regions);
            if simplified.is_changed() {
                self.applied(pass.control, Step::SimplifyRegions);
                changed = true;
            }
        }
        changed
    }

    /// Fills the worklist with those of the given operations that still exist. Never changes the
    /// IR.
    fn populate_with(
        &mut self,
        context: &Context,
        worklist: &mut Worklist,
        mut operations: Vec<Operation>,
    ) -> bool {
        operations.retain(|op| op.is_live(context));
        worklist.restrict(&operations, self.options.strictness);
        let mut known: FxHashSet<Region> = FxHashSet::default();
        for op in &operations {
            worklist.push(*op);
            let mut region = op.parent_region(context);
            while let Some(inner) = region.filter(|region| known.insert(*region)) {
                self.unreachable.extend(unreachable_blocks(context, inner));
                region = inner.owner(context).parent_region(context);
            }
        }
        if self.options.top_down {
            worklist.reverse();
        }
        self.operations = Some(operations);
        false
    }

    /// Fills the worklist with every operation that may be rewritten. Constants go into the pool.
    /// Counts the visited operations.
    fn populate(
        &mut self,
        pass: &mut PassContext<'_>,
        worklist: &mut Worklist,
        visited: &mut u64,
    ) -> bool {
        let mut pool = ConstantPool::default();
        let mut changed = false;
        // Each entry represents an operation and those after it in its block.
        let mut pending = Vec::new();
        changed |= self.push_blocks(pass, self.root, &mut pending);
        while let Some(op) = pending.pop() {
            *visited += 1;
            pending.extend(op.next(pass.context));
            changed |= self.push_blocks(pass, op, &mut pending);
            if self.options.top_down {
                changed |= self.enlist(pass, worklist, &mut pool, op);
            }
        }
        if self.options.top_down {
            worklist.reverse();
            return changed;
        }
        let mut operations = walk::collect_post_order(pass.context, self.root);
        operations.pop();
        for op in operations {
            if !self.is_unreachable(pass.context, op) {
                changed |= self.enlist(pass, worklist, &mut pool, op);
            }
        }
        changed
    }

    /// Pushes the first operations of the reachable blocks in an operation, the first block's on
    /// top. Erases the other blocks, or records that they are to be skipped. Returns true if blocks
    /// were erased.
    fn push_blocks(
        &mut self,
        pass: &mut PassContext<'_>,
        op: Operation,
        pending: &mut Vec<Operation>,
    ) -> bool {
        if op.region_count(pass.context) == 0 {
            return false;
        }
        let mut changed = false;
        let start = pending.len();
        for number in 0..op.region_count(pass.context) {
            let region = op.region(pass.context, number);
            let unreachable = unreachable_blocks(pass.context, region);
            if !unreachable.is_empty() {
                if !self.is_exhausted(pass.control) && allows(pass, Step::SimplifyRegions, op) {
                    erase_blocks(pass.context, &unreachable);
                    self.applied(pass.control, Step::SimplifyRegions);
                    changed = true;
                } else {
                    self.unreachable.extend(unreachable);
                }
            }
            let blocks = region.blocks(pass.context);
            let reachable = blocks.filter(|block| !self.unreachable.contains(block));
            pending.extend(reachable.filter_map(|block| block.first_op(pass.context)));
        }
        pending[start..].reverse();
        changed
    }

    /// Whether an operation is in a skipped block, at any depth.
    fn is_unreachable(&self, context: &Context, op: Operation) -> bool {
        !self.unreachable.is_empty()
            && std::iter::once(op)
                .chain(op.ancestors(context))
                .filter_map(|op| op.block(context))
                .any(|block| self.unreachable.contains(&block))
    }

    /// Adds an operation to the worklist; returns true if it was a constant that another one
    /// replaced.
    fn enlist(
        &mut self,
        pass: &mut PassContext<'_>,
        worklist: &mut Worklist,
        pool: &mut ConstantPool,
        op: Operation,
    ) -> bool {
        if self.options.fold
            && let Some(value) = constant_of(pass.context, op)
            && !self.is_exhausted(pass.control)
            && allows(pass, Step::UniqueConstant, op)
            && pool.add(&mut rewriter(pass.context, worklist), op, value)
        {
            self.applied(pass.control, Step::UniqueConstant);
            return true;
        }
        if self.rules.of(pass.context, op).is_rewritable {
            worklist.push(op);
        }
        false
    }

    fn applied(&mut self, control: &mut RewriteControl, step: Step) {
        self.rewrites += 1;
        self.rewrites_of_iteration += 1;
        self.steps[step as usize] += 1;
        control.spend();
    }

    fn process(
        &mut self,
        pass: &mut PassContext<'_>,
        worklist: &mut Worklist,
        op: Operation,
    ) -> bool {
        if !self.tracing.is_on() {
            return self.rewrite(pass, worklist, op).is_some();
        }
        worklist.take_journal();
        self.tracing.open(&mut pass.control.trace, pass.context, op);
        let outcome = self.rewrite(pass, worklist, op);
        let words = outcome.unwrap_or("failure : pattern failed to match");
        self.tracing.close(&mut pass.control.trace, words);
        outcome.is_some()
    }

    /// Rewrites an operation if possible; returns a description of the step for debug output.
    fn rewrite(
        &mut self,
        pass: &mut PassContext<'_>,
        worklist: &mut Worklist,
        op: Operation,
    ) -> Option<&'static str> {
        if self.is_unreachable(pass.context, op) || uses_itself(pass.context, op) {
            return None;
        }
        if is_trivially_dead(pass.context, op) {
            if !allows(pass, Step::EraseDead, op) {
                return None;
            }
            rewriter(pass.context, worklist).erase(op);
            self.applied(pass.control, Step::EraseDead);
            let outcome = "success : operation is trivially dead";
            self.show(pass, worklist, Step::EraseDead.name(), "Dead", outcome);
            return Some(outcome);
        }
        if self.options.fold
            && allows(pass, Step::Fold, op)
            && fold(&mut rewriter(pass.context, worklist), op)
        {
            self.applied(pass.control, Step::Fold);
            let outcome = "success : operation was folded";
            self.show(pass, worklist, Step::Fold.name(), "Fold", outcome);
            return Some(outcome);
        }
        for number in self.rules.of(pass.context, op).rules.clone() {
            if self.apply(pass, worklist, op, number) {
                return Some("success : pattern matched");
            }
        }
        None
    }

    /// Tries one rule on an operation.
    fn apply(
        &mut self,
        pass: &mut PassContext<'_>,
        worklist: &mut Worklist,
        op: Operation,
        number: usize,
    ) -> bool {
        let (rule, counts) = &mut self.rules.all[number];
        let rule = *rule;
        if !pass.control.admits(pass.context, rule.name, op) {
            return false;
        }
        let mut rewriter = rewriter(pass.context, worklist);
        rewriter.set_insertion_point(orison_ir::InsertionPoint::Before(op));
        let result = (rule.apply)(&mut rewriter, op);
        counts.tried += 1;
        counts.applied += u64::from(result.is_ok());
        let heading = || format!("Pattern {} : '{} -> ()'", rule.name, rule.root);
        match result {
            Ok(()) => {
                self.rewrites += 1;
                self.rewrites_of_iteration += 1;
                pass.control.spend();
                if self.tracing.is_on() {
                    let outcome = "success : pattern applied successfully";
                    self.show(pass, worklist, rule.name, &heading(), outcome);
                }
                true
            }
            Err(Declined(reason)) => {
                pass.declined(op, rule.name, &reason, "");
                if self.tracing.is_on() {
                    let outcome = format!("failure : {reason}");
                    self.show(pass, worklist, rule.name, &heading(), &outcome);
                }
                false
            }
        }
    }

    /// Prints a step in debug output.
    fn show(
        &mut self,
        pass: &mut PassContext<'_>,
        worklist: &mut Worklist,
        name: &str,
        heading: &str,
        outcome: &str,
    ) {
        if self.tracing.is_on() {
            let changes = worklist.take_journal();
            let trace = &mut pass.control.trace;
            self.tracing.step(trace, name, heading, &changes, outcome);
        }
    }
}

fn allows(pass: &mut PassContext<'_>, step: Step, op: Operation) -> bool {
    pass.control.admits(pass.context, step.name(), op)
}

fn rewriter<'c>(context: &'c mut Context, worklist: &'c mut Worklist) -> Rewriter<'c> {
    Rewriter::new(Builder::new(context).with_listener(worklist))
}

/// The steps that apply to operations of a name.
#[derive(Clone, Debug, Default)]
struct Possibilities {
    /// Range of rules, in the order in which they are tried.
    rules: Range<usize>,
    /// Whether it can be erased or folded, or has rules.
    is_rewritable: bool,
}

/// The rules by operation.
struct RuleTable<'o> {
    options: &'o GreedyOptions,
    /// Every rule used so far, with its counts.
    all: Vec<(&'static Rule, RuleCounts)>,
    /// Indexed by operation name.
    by_name: Vec<Option<Possibilities>>,
}

impl<'o> RuleTable<'o> {
    fn new(options: &'o GreedyOptions) -> Self {
        RuleTable {
            options,
            all: Vec::new(),
            by_name: Vec::new(),
        }
    }

    fn of(&mut self, context: &Context, op: Operation) -> &Possibilities {
        let index = op.name(context).index();
        if index >= self.by_name.len() {
            self.by_name.resize(index + 1, None);
        }
        if self.by_name[index].is_none() {
            self.by_name[index] = Some(self.collect(context, op));
        }
        // Present at this point.
        self.by_name[index].get_or_insert_default()
    }

    fn collect(&mut self, context: &Context, op: Operation) -> Possibilities {
        let name = op.name(context);
        let definition = name.definition(context);
        let mut rules: Vec<&'static Rule> = Vec::new();
        if self.options.declared_rules
            && let Some(definition) = definition
        {
            rules.extend(definition.rules);
        }
        let text = name.text(context);
        let extra = self.options.extra_rules.iter().copied();
        rules.extend(extra.filter(|rule| rule.root == text));
        let named = |names: &[String], rule: &Rule| names.iter().any(|name| name == rule.name);
        rules.retain(|rule| {
            !named(&self.options.disabled, rule)
                && (self.options.enabled.is_empty() || named(&self.options.enabled, rule))
        });
        RewriteControl::sort(&mut rules);
        // A rule may be both declared and extra.
        rules.dedup_by_key(|rule| rule.name);
        let first = self.all.len();
        let counted = rules.iter().map(|rule| (*rule, RuleCounts::default()));
        self.all.extend(counted);
        let folds = definition.is_some_and(|definition| definition.fold.is_some())
            || name.has_trait(context, Trait::Commutative);
        let is_rewritable =
            !rules.is_empty() || (self.options.fold && folds) || may_be_removable(context, name);
        Possibilities {
            rules: first..self.all.len(),
            is_rewritable,
        }
    }

    fn report(&self, control: &mut RewriteControl) {
        for (rule, counts) in &self.all {
            control.add_counts(rule.name, *counts);
        }
    }
}
