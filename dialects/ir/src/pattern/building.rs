//! Construction of the replacement for a matched operation.

use super::tree::{AttributeTree, OperandKind, OperandTree, OperationTree, PatternTree};
use super::{Bindings, Bound, Modifiers, Pattern, PatternDialect, lookup};
use crate::declare::{BuildParts, OperationDefinition, TypeConstraint, Variadicity};
use crate::rewriter::{Declined, Rewriter, RuleResult};
use crate::{Attribute, Context, InsertionPoint, Location, Operation, Type, Value};

/// The future contents of an operand slot. A plan is complete before anything is changed.
enum Plan {
    Existing(Value),
    Constant(i64, Type),
    Copy(Value, Type),
    New(Box<OperationPlan>),
}

struct OperationPlan {
    definition: &'static OperationDefinition,
    attributes: Vec<(&'static str, Attribute)>,
    /// Operands by group.
    groups: Vec<Vec<Plan>>,
    modifiers: Vec<Modifiers>,
    result: Type,
}

struct Planner<'c, 'b, 'p> {
    context: &'c mut Context,
    dialect: &'static dyn PatternDialect,
    bindings: &'b Bindings<'p>,
}

/// Replaces an operation by the target of the pattern.
pub(super) fn replace(
    rewriter: &mut Rewriter<'_>,
    pattern: &Pattern,
    tree: &PatternTree,
    op: Operation,
    bindings: &Bindings<'_>,
) -> RuleResult {
    let result = op.result(rewriter.ir(), 0).ty(rewriter.ir());
    let mut planner = Planner {
        context: rewriter.context(),
        dialect: pattern.dialect,
        bindings,
    };
    let plan = planner.result(&tree.target, result)?;
    let location = op.location(rewriter.ir());
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    match build(rewriter, pattern.dialect, plan, location) {
        Some(value) => {
            rewriter.replace(op, &[value]);
            Ok(())
        }
        None => Declined::because("the constant cannot be built"),
    }
}

impl Planner<'_, '_, '_> {
    fn bound(&self, name: &str) -> Result<Bound, Declined> {
        match lookup(self.bindings, name) {
            Some(bound) => Ok(bound),
            None => Declined::because(format!("'{name}' is not bound")),
        }
    }

    /// The plan for the replacement of the root.
    fn result(&mut self, tree: &OperandTree, ty: Type) -> Result<Plan, Declined> {
        match &tree.kind {
            OperandKind::Anything => Ok(Plan::Constant(0, ty)),
            OperandKind::Number(bits) => Ok(Plan::Constant(*bits, ty)),
            OperandKind::Constant(name) => match self.bound(name)? {
                Bound::Constant(bits) => Ok(Plan::Constant(bits, ty)),
                _ => Declined::because(super::UNKNOWN),
            },
            OperandKind::Operation(tree) => self.operation(tree, Some(ty)),
            OperandKind::Value(name) => {
                let Bound::Value(value, inner) = self.bound(name)? else {
                    return Declined::because(super::UNKNOWN);
                };
                if self.dialect.compose(tree.modifiers, inner) != Some(0) {
                    return Declined::because(
                        "the operand has modifiers, which a copy cannot keep",
                    );
                }
                if value.ty(self.context) == ty {
                    return Ok(Plan::Existing(value));
                }
                let copy = self
                    .dialect
                    .copy_state(self.context, value, ty, Location::UNKNOWN);
                match copy {
                    Some(_) => Ok(Plan::Copy(value, ty)),
                    None => Declined::because("the operand is a register of a different class"),
                }
            }
        }
    }

    fn operation(&mut self, tree: &OperationTree, ty: Option<Type>) -> Result<Plan, Declined> {
        let definition = tree.definition;
        let Some(result) = definition.results.first() else {
            return Declined::because("the operation has no result");
        };
        let ty = match ty {
            Some(ty) => Some(ty),
            None => self.dialect.type_of(self.context, result.constraint),
        };
        let Some(ty) = ty.filter(|ty| (result.constraint.check)(self.context, *ty)) else {
            return Declined::because("the result would have a different type");
        };
        let mut plan = OperationPlan {
            definition,
            attributes: Vec::new(),
            groups: Vec::new(),
            modifiers: Vec::new(),
            result: ty,
        };
        for declared in definition.attributes {
            if let Some(value) = self.attribute(tree, declared.name)? {
                plan.attributes.push((declared.name, value));
            } else if let Some(default) = declared.default {
                plan.attributes.push((declared.name, default(self.context)));
            }
        }
        let mut positional = tree.operands.iter();
        for (number, group) in definition.operands.iter().enumerate() {
            let named = tree.groups.iter().filter(|(name, _)| name == group.name);
            let mut trees: Vec<_> = named.map(|(_, tree)| tree).collect();
            if trees.is_empty() && group.variadicity == Variadicity::One {
                trees.extend(positional.next());
            } else if trees.is_empty() && number == 0 {
                trees.extend(positional.by_ref());
            }
            let mut plans = Vec::new();
            for tree in trees {
                let (operand, modifiers) = self.operand(tree, group.constraint)?;
                plans.push(operand);
                plan.modifiers.push(modifiers);
            }
            plan.groups.push(plans);
        }
        Ok(Plan::New(Box::new(plan)))
    }

    fn attribute(
        &mut self,
        tree: &OperationTree,
        key: &str,
    ) -> Result<Option<Attribute>, Declined> {
        let Some((_, tree)) = tree.attributes.iter().find(|(known, _)| *known == key) else {
            return Ok(None);
        };
        Ok(match tree {
            AttributeTree::Anything => None,
            AttributeTree::Present => Some(Attribute::UNIT),
            AttributeTree::Number(number) => Some(Attribute::i32(self.context, *number)),
            AttributeTree::Keyword(set, number) => Some((set.attribute)(self.context, *number)),
            AttributeTree::Name(name) => match self.bound(name)? {
                Bound::Attribute(attribute) => attribute,
                _ => return Declined::because(super::UNKNOWN),
            },
        })
    }

    fn operand(
        &mut self,
        tree: &OperandTree,
        constraint: &'static TypeConstraint,
    ) -> Result<(Plan, Modifiers), Declined> {
        let bits = match &tree.kind {
            OperandKind::Anything => Some(0),
            OperandKind::Number(bits) => Some(*bits),
            OperandKind::Constant(name) | OperandKind::Value(name) => match self.bound(name)? {
                Bound::Constant(bits) => Some(bits),
                _ => None,
            },
            OperandKind::Operation(_) => None,
        };
        if let Some(bits) = bits {
            return match self.dialect.type_of(self.context, constraint) {
                Some(ty) => Ok((Plan::Constant(bits, ty), 0)),
                None => Declined::because("the operand cannot be a constant"),
            };
        }
        match &tree.kind {
            OperandKind::Operation(inner) => {
                let plan = self.operation(inner, None)?;
                self.checked(plan, tree.modifiers, constraint)
            }
            OperandKind::Value(name) => {
                let Bound::Value(value, inner) = self.bound(name)? else {
                    return Declined::because(super::UNKNOWN);
                };
                let Some(modifiers) = self.dialect.compose(tree.modifiers, inner) else {
                    return Declined::because("the modifiers of the operand cannot be combined");
                };
                self.checked(Plan::Existing(value), modifiers, constraint)
            }
            _ => Declined::because(super::UNKNOWN),
        }
    }

    fn checked(
        &self,
        plan: Plan,
        modifiers: Modifiers,
        constraint: &'static TypeConstraint,
    ) -> Result<(Plan, Modifiers), Declined> {
        let ty = match &plan {
            Plan::Existing(value) => value.ty(self.context),
            Plan::Constant(_, ty) | Plan::Copy(_, ty) => *ty,
            Plan::New(new) => new.result,
        };
        if !(constraint.check)(self.context, ty) {
            return Declined::because("the operand would be a register of a different class");
        }
        if modifiers != 0 && !self.dialect.allows(constraint, modifiers) {
            return Declined::because("these modifiers are not allowed at this operand");
        }
        Ok((plan, modifiers))
    }
}

/// Carries out a plan; `None`, before any change, if a constant cannot be made.
fn build(
    rewriter: &mut Rewriter<'_>,
    dialect: &'static dyn PatternDialect,
    plan: Plan,
    location: Location,
) -> Option<Value> {
    let state = match plan {
        Plan::Existing(value) => return Some(value),
        Plan::Constant(bits, ty) => {
            dialect.constant_state(rewriter.context(), bits, ty, location)?
        }
        Plan::Copy(value, ty) => dialect.copy_state(rewriter.context(), value, ty, location)?,
        Plan::New(plan) => return build_operation(rewriter, dialect, *plan, location),
    };
    let op = rewriter.create(&state);
    Some(op.result(rewriter.ir(), 0))
}

fn build_operation(
    rewriter: &mut Rewriter<'_>,
    dialect: &'static dyn PatternDialect,
    plan: OperationPlan,
    location: Location,
) -> Option<Value> {
    let mut groups = Vec::new();
    for group in plan.groups {
        let mut values = Vec::new();
        for operand in group {
            values.push(build(rewriter, dialect, operand, location)?);
        }
        groups.push(values);
    }
    let context = rewriter.context();
    let mut parts = BuildParts::new(context, plan.definition, location);
    for values in &groups {
        parts.operand_group(values);
    }
    for (key, value) in plan.attributes {
        parts.attribute(context, key, value);
    }
    if let Some((key, value)) = dialect.set_modifiers(context, &plan.modifiers) {
        parts.attribute(context, key, value);
    }
    parts.result_group(&[plan.result]);
    let state = parts.finish(context);
    let op = rewriter.create(&state);
    Some(op.result(rewriter.ir(), 0))
}
