//! Making operations legal by applying patterns.

use std::collections::BTreeMap;

use orison_ir::pass::{PassContext, RuleCounts, Trace};
use orison_ir::{Context, Declined, InsertionPoint, Operation};

use super::{ConversionPattern, ConversionRewriter, ConversionTarget};

/// The `--debug-only` topic of conversions, as in `mlir-opt`.
pub const CONVERSION: &str = "dialect-conversion";

/// The depth of operations that cannot become legal.
const NEVER: usize = usize::MAX;

/// Chooses patterns and applies them.
pub(super) struct Legalizer<'p> {
    target: &'p ConversionTarget,
    pub(super) patterns: &'p [ConversionPattern],
    /// For each root, the indices of the patterns in the order in which they are tried.
    by_root: BTreeMap<&'p str, Vec<usize>>,
    /// The patterns being applied: they are not applied to operations they generate.
    active: Vec<usize>,
    counts: Vec<RuleCounts>,
    /// The pattern whose changes had to be rolled back although the target forbids that.
    pub(super) forbidden_rollback: Option<&'static str>,
    pub(super) trace: Trace,
}

/// For each operation, the minimum number of rewrites until everything is legal.
fn depths<'p>(
    target: &ConversionTarget,
    patterns: &'p [ConversionPattern],
) -> BTreeMap<&'p str, usize> {
    let mut depths: BTreeMap<&str, usize> = BTreeMap::new();
    // Each iteration settles one depth; there are no more depths than roots.
    loop {
        let mut changed = false;
        for pattern in patterns {
            let depth = depth_of(target, &depths, pattern);
            let known = depths.entry(pattern.root).or_insert(NEVER);
            if depth < *known {
                *known = depth;
                changed = true;
            }
        }
        if !changed {
            return depths;
        }
    }
}

/// The number of rewrites needed when starting with this pattern.
fn depth_of(
    target: &ConversionTarget,
    depths: &BTreeMap<&str, usize>,
    pattern: &ConversionPattern,
) -> usize {
    let of_name = |name: &&str| match depths.get(name) {
        _ if target.may_be_legal(name) => 0,
        Some(depth) => *depth,
        None => NEVER,
    };
    let deepest = pattern.generates.iter().map(of_name).max();
    deepest.unwrap_or(0).saturating_add(1)
}

impl<'p> Legalizer<'p> {
    pub(super) fn new(target: &'p ConversionTarget, patterns: &'p [ConversionPattern]) -> Self {
        let depths = depths(target, patterns);
        let mut by_root: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, pattern) in patterns.iter().enumerate() {
            if depth_of(target, &depths, pattern) != NEVER {
                by_root.entry(pattern.root).or_default().push(number);
            }
        }
        for numbers in by_root.values_mut() {
            numbers.sort_by_key(|number| {
                let pattern = &patterns[*number];
                let depth = depth_of(target, &depths, pattern);
                (depth, std::cmp::Reverse(pattern.benefit), pattern.name)
            });
        }
        Legalizer {
            target,
            patterns,
            by_root,
            active: Vec::new(),
            counts: vec![RuleCounts::default(); patterns.len()],
            forbidden_rollback: None,
            trace: Trace::default(),
        }
    }

    /// The operations nested in another one that are to become legal, outer ones first.
    pub(super) fn collect(&self, context: &Context, root: Operation) -> Vec<Operation> {
        let mut found = Vec::new();
        let mut pending = vec![root];
        while let Some(op) = pending.pop() {
            if op != root {
                found.push(op);
            }
            if op != root && self.target.is_recursively_legal(context, op) {
                continue;
            }
            let blocks = op
                .regions(context)
                .flat_map(|region| region.blocks(context));
            let mut inside: Vec<_> = blocks.flat_map(|block| block.operations(context)).collect();
            inside.reverse();
            pending.extend(inside);
        }
        found
    }

    fn show(&mut self, text: &str) {
        if self.trace.shows(CONVERSION) {
            self.trace.line(self.active.len(), text);
        }
    }

    /// Makes an operation legal; returns false, with nothing changed, if that is impossible.
    pub(super) fn legalize(
        &mut self,
        rewriter: &mut ConversionRewriter<'_>,
        pass: &mut Outside<'_>,
        op: Operation,
    ) -> bool {
        if self.trace.is_on() {
            let name = op.name_text(rewriter.ir());
            let text = format!("\nLegalizing operation : '{name}' {{");
            self.show(&text);
        }
        if self.target.is_legal(rewriter.ir(), op) == Some(true) {
            self.show("} -> SUCCESS : operation marked legal by the target");
            return true;
        }
        let name = op.name_text(rewriter.ir()).to_owned();
        let numbers = self.by_root.get(name.as_str()).cloned().unwrap_or_default();
        for number in numbers {
            if self.apply(rewriter, pass, op, number) {
                self.show("} -> SUCCESS");
                return true;
            }
        }
        self.show("} -> FAILURE : no matched legalization pattern");
        false
    }

    /// Applies a pattern and legalizes the result; rolls everything back if that fails.
    fn apply(
        &mut self,
        rewriter: &mut ConversionRewriter<'_>,
        pass: &mut Outside<'_>,
        op: Operation,
        number: usize,
    ) -> bool {
        let pattern = &self.patterns[number];
        let recursive = self.active.contains(&number) && !pattern.has_bounded_recursion;
        if recursive
            || self.forbidden_rollback.is_some()
            || !pass.admits(rewriter.ir(), pattern.name, op)
        {
            return false;
        }
        self.active.push(number);
        self.show(&format!(
            "* Pattern : '{} -> ()' {{\n  {}",
            pattern.root, pattern.name
        ));
        let mark = rewriter.mark();
        rewriter.pattern = Some(number);
        let result = run(rewriter, pattern, op);
        self.counts[number].tried += 1;
        if let Some(journal) = &mut rewriter.journal {
            let journal = std::mem::take(journal);
            self.show(&journal);
        }
        let outcome = match result {
            Err(Declined(reason)) => Some(reason.into_owned()),
            Ok(()) => self.legalize_touched(rewriter, pass, mark),
        };
        if let Some(reason) = &outcome {
            if self.target.forbids_rollback() && rewriter.mark() > mark {
                self.forbidden_rollback.get_or_insert(pattern.name);
            }
            rewriter.roll_back(mark);
            self.show(&format!("}} -> FAILURE : {reason}"));
            pass.declined.push((op, pattern.name, reason.clone()));
        } else {
            self.counts[number].applied += 1;
            self.show("} -> SUCCESS : pattern applied successfully");
        }
        self.active.pop();
        outcome.is_none()
    }

    /// Legalizes what a pattern created and changed; returns the reason if that fails.
    fn legalize_touched(
        &mut self,
        rewriter: &mut ConversionRewriter<'_>,
        pass: &mut Outside<'_>,
        mark: usize,
    ) -> Option<String> {
        for op in rewriter.touched(mark) {
            if rewriter.is_gone(op) {
                continue;
            }
            if !self.legalize(rewriter, pass, op) {
                let name = op.name_text(rewriter.ir());
                return Some(format!(
                    "generated operation '{name}' could not be legalized"
                ));
            }
        }
        None
    }

    /// Adds the counts of all patterns to the statistics.
    pub(super) fn report(&self, pass: &mut PassContext<'_>) {
        for (pattern, counts) in self.patterns.iter().zip(&self.counts) {
            if counts.tried > 0 {
                pass.control.add_counts(pattern.name, *counts);
            }
        }
    }
}

/// Runs a pattern with converted operands.
fn run(
    rewriter: &mut ConversionRewriter<'_>,
    pattern: &ConversionPattern,
    op: Operation,
) -> Result<(), Declined> {
    let operands: Vec<_> = op.operands(rewriter.ir()).collect();
    let mut converted = Vec::new();
    for value in operands {
        let Some(converter) = &pattern.converter else {
            converted.push(vec![value]);
            continue;
        };
        let ty = value.ty(rewriter.ir());
        let Some(types) = converter.convert(rewriter.context(), ty) else {
            return Declined::because("unable to convert the type of an operand");
        };
        converted.push(rewriter.converted(value, &types));
    }
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    (pattern.apply)(rewriter, op, &converted)
}

/// The state of the pass that the legalizer needs while the rewriter borrows the context.
pub(super) struct Outside<'a> {
    pub(super) control: &'a mut orison_ir::pass::RewriteControl,
    /// Operations and patterns that did not become legal, and why.
    pub(super) declined: Vec<(Operation, &'static str, String)>,
}

impl Outside<'_> {
    fn admits(&mut self, context: &Context, rule: &str, op: Operation) -> bool {
        self.control.admits(context, rule, op)
    }
}
