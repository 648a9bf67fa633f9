//! The greedy driver: folds, applies rules and erases dead operations until nothing changes.

use std::rc::Rc;

use orison_ir::pass::{IRStatus, PassContext, RewriteControl, RuleCounts};
use orison_ir::{Builder, Context, Declined, Operation, OperationName, Rewriter, Rule, walk};
use rustc_hash::FxHashMap;

use crate::effects::is_trivially_dead;
use crate::folding::{ConstantPool, constant_of, fold};
use crate::regions::{RegionSimplification, simplify_regions};
use crate::worklist::Worklist;

/// Names under which the driver's own steps are counted and held back.
const FOLD: &str = "fold";
const ERASE_DEAD: &str = "erase-dead";
const UNIQUE_CONSTANT: &str = "unique-constant";
const SIMPLIFY_REGIONS: &str = "simplify-regions";

/// How the driver works.
#[derive(Clone, Debug)]
pub struct GreedyOptions {
    /// Operations are looked at from the first to the last; otherwise from the last.
    pub top_down: bool,
    /// What is done to blocks between iterations.
    pub regions: RegionSimplification,
    /// At most this many iterations; none for no limit.
    pub max_iterations: Option<u64>,
    /// At most this many rewrites; none for no limit.
    pub max_rewrites: Option<u64>,
    /// Whether the rules that operations declare are used.
    pub declared_rules: bool,
    /// Whether operations are folded.
    pub fold: bool,
    /// More rules.
    pub extra_rules: Vec<&'static Rule>,
    /// Names of rules that are not used.
    pub disabled: Vec<String>,
    /// Names of the only rules that are used; all when empty.
    pub enabled: Vec<String>,
}

impl Default for GreedyOptions {
    fn default() -> Self {
        GreedyOptions {
            top_down: true,
            regions: RegionSimplification::Normal,
            max_iterations: Some(10),
            max_rewrites: None,
            declared_rules: true,
            fold: true,
            extra_rules: Vec::new(),
            disabled: Vec::new(),
            enabled: Vec::new(),
        }
    }
}

/// What the driver did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GreedyOutcome {
    /// Whether it changed anything.
    pub status: IRStatus,
    /// Whether nothing was left to do.
    pub converged: bool,
    /// How many rewrites there were: folds, rules, erased operations.
    pub rewrites: u64,
}

/// Rewrites everything inside the operation the pass runs on.
///
/// Rules are tried by benefit, highest first, then by name. Why a rule declined is a remark.
pub fn apply_greedily(pass: &mut PassContext<'_>, options: &GreedyOptions) -> GreedyOutcome {
    let mut driver = Driver {
        options,
        root: pass.op(),
        rules: RuleTable::new(options),
        rewrites: 0,
    };
    let mut outcome = GreedyOutcome {
        status: IRStatus::Unchanged,
        converged: false,
        rewrites: 0,
    };
    let mut iterations = 0;
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
        if driver.is_exhausted(pass.control) {
            break;
        }
    }
    outcome.rewrites = driver.rewrites;
    driver.rules.report(pass.control);
    outcome
}

struct Driver<'o> {
    options: &'o GreedyOptions,
    root: Operation,
    rules: RuleTable<'o>,
    rewrites: u64,
}

impl Driver<'_> {
    fn is_exhausted(&self, control: &RewriteControl) -> bool {
        control.is_exhausted()
            || self
                .options
                .max_rewrites
                .is_some_and(|limit| self.rewrites >= limit)
    }

    /// One look at every operation; true when something changed.
    fn iterate(&mut self, pass: &mut PassContext<'_>) -> bool {
        let mut worklist = Worklist::new(pass.context, self.root);
        let mut changed = self.populate(pass, &mut worklist);
        while !self.is_exhausted(pass.control) {
            let Some(op) = worklist.pop(pass.context) else {
                break;
            };
            changed |= self.process(pass, &mut worklist, op);
        }
        if self.options.regions != RegionSimplification::Disabled
            && !self.is_exhausted(pass.control)
            && pass
                .control
                .allows(pass.context, SIMPLIFY_REGIONS, self.root)
        {
            let simplified = simplify_regions(pass.context, self.root, self.options.regions);
            if simplified.is_changed() {
                self.applied(pass.control, SIMPLIFY_REGIONS);
                changed = true;
            }
        }
        changed
    }

    /// Fills the list with every operation. Constants go into the pool.
    fn populate(&mut self, pass: &mut PassContext<'_>, worklist: &mut Worklist) -> bool {
        let operations = if self.options.top_down {
            let mut operations = walk::collect(pass.context, self.root);
            operations.remove(0);
            operations
        } else {
            let mut operations = walk::collect_post_order(pass.context, self.root);
            operations.pop();
            operations
        };
        let mut pool = ConstantPool::default();
        let mut changed = false;
        for op in operations {
            if self.options.fold && constant_of(pass.context, op).is_some() {
                let allowed = !self.is_exhausted(pass.control)
                    && pass.control.allows(pass.context, UNIQUE_CONSTANT, op);
                if allowed && pool.add(&mut rewriter(pass.context, worklist), op) {
                    self.applied(pass.control, UNIQUE_CONSTANT);
                    changed = true;
                    continue;
                }
            }
            worklist.push(op);
        }
        if self.options.top_down {
            worklist.reverse();
        }
        changed
    }

    fn applied(&mut self, control: &mut RewriteControl, step: &'static str) {
        self.rewrites += 1;
        control.record(step, true);
    }

    fn process(
        &mut self,
        pass: &mut PassContext<'_>,
        worklist: &mut Worklist,
        op: Operation,
    ) -> bool {
        if is_trivially_dead(pass.context, op) {
            if !pass.control.allows(pass.context, ERASE_DEAD, op) {
                return false;
            }
            rewriter(pass.context, worklist).erase(op);
            self.applied(pass.control, ERASE_DEAD);
            return true;
        }
        if self.options.fold
            && pass.control.allows(pass.context, FOLD, op)
            && fold(&mut rewriter(pass.context, worklist), op)
        {
            self.applied(pass.control, FOLD);
            return true;
        }
        let rules = self.rules.of(pass.context, op);
        for &number in &*rules {
            let rule = self.rules.all[number].0;
            if !pass.control.allows(pass.context, rule.name, op) {
                continue;
            }
            let mut rewriter = rewriter(pass.context, worklist);
            rewriter.set_insertion_point(orison_ir::InsertionPoint::Before(op));
            let result = (rule.apply)(&mut rewriter, op);
            let counts = &mut self.rules.all[number].1;
            counts.tried += 1;
            match result {
                Ok(()) => {
                    counts.applied += 1;
                    self.rewrites += 1;
                    pass.control.spend();
                    return true;
                }
                Err(Declined(reason)) => pass.declined(op, rule.name, &reason, ""),
            }
        }
        false
    }
}

fn rewriter<'c>(context: &'c mut Context, worklist: &'c mut Worklist) -> Rewriter<'c> {
    Rewriter::new(Builder::new(context).with_listener(worklist))
}

/// The rules by operation, in the order in which they are tried.
struct RuleTable<'o> {
    options: &'o GreedyOptions,
    /// Every rule met so far with its counts.
    all: Vec<(&'static Rule, RuleCounts)>,
    by_name: FxHashMap<OperationName, Rc<[usize]>>,
}

impl<'o> RuleTable<'o> {
    fn new(options: &'o GreedyOptions) -> Self {
        RuleTable {
            options,
            all: Vec::new(),
            by_name: FxHashMap::default(),
        }
    }

    fn of(&mut self, context: &Context, op: Operation) -> Rc<[usize]> {
        let name = op.name(context);
        if let Some(known) = self.by_name.get(&name) {
            return Rc::clone(known);
        }
        let mut rules: Vec<&'static Rule> = Vec::new();
        if self.options.declared_rules
            && let Some(definition) = name.definition(context)
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
        // A rule may be declared and given as an extra one.
        rules.dedup_by_key(|rule| rule.name);
        let first = self.all.len();
        let counted = rules.iter().map(|rule| (*rule, RuleCounts::default()));
        self.all.extend(counted);
        let numbers: Rc<[usize]> = (first..self.all.len()).collect();
        self.by_name.insert(name, Rc::clone(&numbers));
        numbers
    }

    fn report(&self, control: &mut RewriteControl) {
        for (rule, counts) in &self.all {
            control.add_counts(rule.name, *counts);
        }
    }
}
