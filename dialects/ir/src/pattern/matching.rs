//! Matching of patterns and binding of their names.

use smallvec::{SmallVec, smallvec};

use super::tree::{AttributeTree, OperandKind, OperandTree, OperationTree, PatternTree};
use super::{Bindings, Bound, Match, Modifiers, Pattern, PatternDialect, lookup};
use crate::declare::{OperationDefinition, Variadicity};
use crate::rewriter::Declined;
use crate::{Context, Operation, Value};

/// An operand slot of the IR that must match a tree.
#[derive(Clone, Copy)]
struct Goal<'p> {
    tree: &'p OperandTree,
    op: Operation,
    operand: usize,
    value: Value,
    modifiers: Modifiers,
}

/// The maximum number of operand orders tried for one operation of the IR: patterns that nest
/// commutative operations multiply them.
const MAX_ATTEMPTS: u32 = 256;

/// Indices of operands.
type Slots = SmallVec<[usize; 8]>;

struct Matcher<'c> {
    context: &'c Context,
    dialect: &'static dyn PatternDialect,
    attempts: u32,
}

/// The bindings under which an operation matches a pattern.
///
/// # Errors
/// If it does not match.
pub(super) fn find<'p>(
    context: &mut Context,
    pattern: &'p Pattern,
    tree: &'p PatternTree,
    op: Operation,
) -> Result<Bindings<'p>, Declined> {
    let dialect = pattern.dialect;
    if let Err(reason) = dialect.may_match(context, op) {
        return Declined::because(reason);
    }
    let mut ways = Vec::new();
    let mut matcher = Matcher {
        context,
        dialect,
        attempts: 0,
    };
    matcher.operation(&tree.source, op, &[], Bindings::new(), &mut ways);
    let mut reason = Declined("the operation or its operands do not match the pattern".into());
    for bindings in ways {
        let Some(condition) = pattern.condition else {
            return Ok(bindings);
        };
        let mut found = Match {
            context,
            root: op,
            bindings,
        };
        match condition(&mut found) {
            Ok(()) => return Ok(found.bindings),
            Err(declined) => reason = declined,
        }
    }
    Err(reason)
}

impl Matcher<'_> {
    /// Adds the bindings under which an operation matches, together with the remaining goals.
    fn operation<'p>(
        &mut self,
        tree: &'p OperationTree,
        op: Operation,
        open: &[Goal<'p>],
        bindings: Bindings<'p>,
        ways: &mut Vec<Bindings<'p>>,
    ) {
        let Some((bindings, slots)) = self.shape(tree, op, bindings) else {
            return;
        };
        let commuting = self.dialect.commuting(tree.definition);
        let commuting = match commuting.min(tree.operands.len()) {
            count @ 2..=3 => count,
            _ => 0,
        };
        let modifiers = self.dialect.modifiers(self.context, op);
        let goal = |tree: &'p OperandTree, operand: usize| Goal {
            tree,
            op,
            operand,
            value: op.operand(self.context, operand),
            modifiers: modifiers.get(operand).copied().unwrap_or(0),
        };
        // Most operations fail here, without bindings.
        let fits =
            |number: usize, slot: usize| self.fits(&goal(&tree.operands[number], slots[slot]));
        let named = tree.groups.iter().zip(&slots[tree.operands.len()..]);
        let named: SmallVec<[Goal<'p>; 2]> =
            named.map(|((_, tree), slot)| goal(tree, *slot)).collect();
        let mut others = commuting..tree.operands.len();
        if !others.all(|number| fits(number, number)) || !named.iter().all(|goal| self.fits(goal)) {
            return;
        }
        let fits: SmallVec<[bool; 9]> = (0..commuting * commuting)
            .map(|both| fits(both / commuting, both % commuting))
            .collect();
        for order in orders(commuting) {
            let mut places = order.iter().enumerate();
            if !places.all(|(number, slot)| fits[number * commuting + slot]) {
                continue;
            }
            self.attempts += 1;
            if self.attempts > MAX_ATTEMPTS {
                return;
            }
            let mut goals = open.to_vec();
            let positional = tree.operands.iter().enumerate();
            goals.extend(positional.map(|(number, tree)| {
                let slot = order.get(number).copied().unwrap_or(number);
                goal(tree, slots[slot])
            }));
            goals.extend(&named);
            self.solve(goals, bindings.clone(), ways);
        }
    }

    /// Whether an operand may match a tree, whatever the bindings are.
    fn fits(&self, goal: &Goal<'_>) -> bool {
        let constant = || self.dialect.constant(self.context, goal.op, goal.operand);
        match &goal.tree.kind {
            OperandKind::Anything => true,
            OperandKind::Number(number) => constant() == Some(*number),
            OperandKind::Constant(_) => constant().is_some(),
            OperandKind::Value(_) => {
                let rest = self.dialect.strip(goal.modifiers, goal.tree.modifiers);
                rest.is_some()
            }
            OperandKind::Operation(tree) => {
                let definition = goal.value.defining_op(self.context);
                let definition = definition.and_then(|op| op.definition(self.context));
                goal.modifiers == goal.tree.modifiers
                    && definition.is_some_and(|found| std::ptr::eq(found, tree.definition))
            }
        }
    }

    /// Whether name, attributes and groups match. Returns attribute bindings and operand indices:
    /// positional operands first, then those of named groups in the order of the pattern.
    fn shape<'p>(
        &self,
        tree: &'p OperationTree,
        op: Operation,
        mut bindings: Bindings<'p>,
    ) -> Option<(Bindings<'p>, Slots)> {
        let context = self.context;
        let definition = op.definition(context)?;
        if !std::ptr::eq(definition, tree.definition) || op.result_count(context) != 1 {
            return None;
        }
        let slots = self.slots(tree, op, definition)?;
        for declared in definition.attributes {
            if self.dialect.is_hidden(declared.name) {
                continue;
            }
            let found = op.attribute(context, declared.name);
            let wanted = tree
                .attributes
                .iter()
                .find(|(key, _)| *key == declared.name);
            let fits = match wanted.map(|(_, tree)| tree) {
                None => found.is_none(),
                Some(AttributeTree::Anything) => true,
                Some(AttributeTree::Present) => found.is_some(),
                Some(AttributeTree::Number(number)) => {
                    found.and_then(|found| found.as_i32(context)) == Some(*number)
                }
                Some(AttributeTree::Keyword(set, number)) => {
                    found.and_then(|found| (set.number)(context, found)) == Some(*number)
                }
                Some(AttributeTree::Name(name)) => {
                    unify(&mut bindings, name, Bound::Attribute(found))
                }
            };
            if !fits {
                return None;
            }
        }
        Some((bindings, slots))
    }

    fn slots(
        &self,
        tree: &OperationTree,
        op: Operation,
        definition: &'static OperationDefinition,
    ) -> Option<Slots> {
        let mut slots = Slots::new();
        let mut named: SmallVec<[Option<usize>; 2]> = smallvec![None; tree.groups.len()];
        let ranges = definition.operand_ranges(self.context, op);
        for (group, (declared, range)) in definition.operands.iter().zip(ranges).enumerate() {
            if let Some(position) = tree
                .groups
                .iter()
                .position(|(name, _)| name == declared.name)
            {
                named[position] = (range.len() == 1).then_some(range.start);
            } else if declared.variadicity == Variadicity::One || group == 0 {
                slots.extend(range);
            } else if !range.is_empty() && !self.dialect.is_hidden(declared.name) {
                return None;
            }
        }
        if slots.len() != tree.operands.len() {
            return None;
        }
        let named: Option<Slots> = named.into_iter().collect();
        slots.extend(named?);
        Some(slots)
    }

    /// Adds the bindings that satisfy all goals.
    fn solve<'p>(
        &mut self,
        mut goals: Vec<Goal<'p>>,
        mut bindings: Bindings<'p>,
        ways: &mut Vec<Bindings<'p>>,
    ) {
        // Goals that need no search come first: most operations fail there.
        while let Some(position) = goals.iter().position(|goal| !is_operation(goal.tree)) {
            let goal = goals.swap_remove(position);
            if !self.leaf(goal, &mut bindings) {
                return;
            }
        }
        let Some(goal) = goals.pop() else {
            ways.push(bindings);
            return;
        };
        let OperandKind::Operation(tree) = &goal.tree.kind else {
            return;
        };
        let Some(op) = goal.value.defining_op(self.context) else {
            return;
        };
        let many = tree.once && goal.value.uses(self.context).nth(1).is_some();
        let clean = goal.modifiers == goal.tree.modifiers;
        if clean && !many && self.dialect.may_match(self.context, op).is_ok() {
            self.operation(tree, op, &goals, bindings, ways);
        }
    }

    /// Whether an operand matches a tree that is not an operation.
    fn leaf<'p>(&self, goal: Goal<'p>, bindings: &mut Bindings<'p>) -> bool {
        let constant = || self.dialect.constant(self.context, goal.op, goal.operand);
        match &goal.tree.kind {
            OperandKind::Anything | OperandKind::Operation(_) => true,
            OperandKind::Number(number) => constant() == Some(*number),
            OperandKind::Constant(name) => {
                constant().is_some_and(|bits| unify(bindings, name, Bound::Constant(bits)))
            }
            OperandKind::Value(name) => self
                .dialect
                .strip(goal.modifiers, goal.tree.modifiers)
                .is_some_and(|rest| unify(bindings, name, Bound::Value(goal.value, rest))),
        }
    }
}

fn is_operation(tree: &OperandTree) -> bool {
    matches!(tree.kind, OperandKind::Operation(_))
}

/// Binds a name, or compares with its existing binding.
fn unify<'p>(bindings: &mut Bindings<'p>, name: &'p str, bound: Bound) -> bool {
    match lookup(bindings, name) {
        Some(known) => known == bound,
        None => {
            bindings.push((name, bound));
            true
        }
    }
}

/// The permutations of the first operands.
fn orders(count: usize) -> &'static [&'static [usize]] {
    match count {
        2 => &[&[0, 1], &[1, 0]],
        3 => &[
            &[0, 1, 2],
            &[0, 2, 1],
            &[1, 0, 2],
            &[1, 2, 0],
            &[2, 0, 1],
            &[2, 1, 0],
        ],
        _ => &[&[]],
    }
}
