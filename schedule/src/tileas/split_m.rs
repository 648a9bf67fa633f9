//! `tileas-split-m`: divides the tiles of a loop along their rows.
//!
//! The sums of the products are divided along M. From there, the axis follows operands and results,
//! through the loop and to loads and stores, until everything that a divided tile is computed from or
//! used for is divided too. What cannot be divided is a refusal.

use std::collections::BTreeMap;

use orison_host::arith;
use orison_host::arith::constant_of;
use orison_ir::declare::Trait;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::{Context, Operation, Value, ValueOwner, source_position};
use orison_tileas::nv_tileas::Dot;

use super::loop_body::LoopBody;
use super::slice::{self, Division, Plan, Space};

/// The name of the transformation, in remarks.
const RULE: &str = "split-m";

orison_ir::pass_options! {
    /// Options of `tileas-split-m`.
    pub struct SplitOptions {
        /// Parts of each tile.
        parts = "parts": u32[2..=4] = 2,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct SplitM {
    options: SplitOptions,
}
impl Pass for SplitM {
    type Options = SplitOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-split-m",
        "Divide tiles along their rows.\n\n\
         The products of an innermost loop, and everything that is computed from or for their rows, \
         are replaced by an operation for each part of the rows: operations on elements, reductions \
         along other axes, broadcasts, what the loop carries, loads of the left factors, and the \
         stores. Tiles without these rows, such as the right factors, are shared by all parts. A loop \
         that cannot be divided is left unchanged, with a remark. Afterwards, compute agents can \
         execute one part each: `tileas-generate-schedule=strategy=joint` divides loops itself where \
         that is better.\n\n\
         Source: FlashAttention-3 (two consumers that take turns), CUTLASS cooperative kernels.",
        source_position!(),
    );

    fn create(options: SplitOptions) -> Self {
        SplitM { options }
    }

    fn options(&self) -> &SplitOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let bodies = LoopBody::targets(pass.context, pass.op());
        if bodies.is_empty() {
            let reason = "no innermost 'scf.for' has tile operations";
            pass.nothing_to_do(reason, "only loops with tile operations are divided");
        }
        let mut changed = false;
        for body in bodies {
            match split_rows(pass.context, &body, self.options.parts) {
                Ok(divided) => {
                    changed = true;
                    report(pass, divided, self.options.parts);
                }
                Err(refusal) => report_refusal(pass, &refusal),
            }
        }
        Ok(IRStatus::changed_if(changed))
    }
}

/// Reports a loop that was divided.
pub(super) fn report(pass: &mut PassContext<'_>, divided: Operation, parts: u32) {
    if pass.wants_remarks() {
        let remark = Remark::new(
            RemarkKind::Passed,
            RULE,
            "divided the rows of the loop's tiles",
        );
        pass.remark(divided, &remark.with_value("parts", parts));
    }
}

/// Reports a loop that was not divided.
pub(super) fn report_refusal(pass: &mut PassContext<'_>, refusal: &Refusal) {
    let name = refusal.op.name_text(pass.context);
    let reason = format!("the rows are not divided at '{name}': {}", refusal.reason);
    let help = "products, operations on each row, loads and stores by tile can be divided";
    pass.declined(refusal.op, RULE, &reason, help);
}

/// The reason that a loop is not divided, and the operation it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The operation.
    pub op: Operation,
    /// The reason.
    pub reason: String,
}

type Step = Result<(), Refusal>;

/// Divides the rows of the products of a loop, and all that depends on them, into parts; returns the
/// new loop. Without it, the IR is unchanged.
///
/// # Errors
/// The first operation that cannot be divided.
pub fn split_rows(
    context: &mut Context,
    body: &LoopBody,
    parts: u32,
) -> Result<Operation, Refusal> {
    let plan = plan(context, body, i64::from(parts))?;
    let isolated = |op: &Operation| op.has_trait(context, Trait::IsolatedFromAbove);
    let function = body.op.ancestors(context).find(isolated);
    let loops = slice::divide(context, function.unwrap_or(body.op), &plan);
    let replaced = loops.into_iter().find(|(old, _)| *old == body.op);
    Ok(replaced.map_or(body.op, |(_, new)| new))
}

/// What is divided if the sums of the products of a loop have `parts` parts.
fn plan(context: &Context, body: &LoopBody, parts: i64) -> Result<Plan, Refusal> {
    let mut rows = Rows {
        context,
        body,
        parts,
        plan: Plan::new(),
        axis_of: BTreeMap::new(),
        pending: Vec::new(),
    };
    let products = body.operations.iter().copied();
    for product in products.filter(|op| Dot::of(context, *op).is_some()) {
        rows.visit(product, Space::rows)?;
    }
    if rows.plan.is_empty() {
        return refuse(
            body.op,
            "it contains no product, whose rows could be divided",
        );
    }
    while let Some(value) = rows.pending.pop() {
        rows.follow(value)?;
    }
    Ok(rows.plan)
}

fn refuse<T>(op: Operation, reason: impl Into<String>) -> Result<T, Refusal> {
    let reason = reason.into();
    Err(Refusal { op, reason })
}

struct Rows<'s> {
    context: &'s Context,
    body: &'s LoopBody,
    parts: i64,
    plan: Plan,
    /// The axis of each divided value.
    axis_of: BTreeMap<Value, usize>,
    /// Divided values whose maker and readers are not visited.
    pending: Vec<Value>,
}

impl Rows<'_> {
    /// Divides an operation along an axis of its elements, and the tiles that have the axis.
    fn visit(&mut self, op: Operation, axis: impl Fn(&Space) -> Option<usize>) -> Step {
        let (context, parts) = (self.context, self.parts);
        let space = slice::divisible(context, op).or_else(|reason| refuse(op, reason))?;
        let Some(axis) = axis(&space) else {
            return refuse(op, "it does not work on each row");
        };
        if self
            .plan
            .get(&op)
            .is_some_and(|known| known.counts[axis] == parts)
        {
            return Ok(());
        }
        if space.rows().is_some_and(|rows| rows != axis) {
            return refuse(op, "it sums over the rows, or has them as columns");
        }
        if space.axes[axis].is_reduced {
            return refuse(op, "it reduces the rows");
        }
        let mut tiles = space.operands_along(context, op, axis);
        tiles.extend(space.results_along(context, op, axis));
        for (value, place) in tiles {
            self.divide(op, value, place)?;
        }
        let division = Division::along(space, axis, parts).or_else(|reason| refuse(op, reason))?;
        self.plan.insert(op, division);
        Ok(())
    }

    /// Divides a value along an axis.
    fn divide(&mut self, op: Operation, value: Value, axis: usize) -> Step {
        match self.axis_of.insert(value, axis) {
            Some(known) if known != axis => {
                let reason = format!(
                    "it needs a tile divided along axis {axis}, which is divided along axis {known}"
                );
                refuse(op, reason)
            }
            Some(_) => Ok(()),
            None => {
                self.pending.push(value);
                Ok(())
            }
        }
    }

    /// Divides what a divided value is computed from, and what reads it.
    fn follow(&mut self, value: Value) -> Step {
        let (context, body) = (self.context, self.body);
        let axis = self.axis_of[&value];
        match value.owner(context) {
            // Constants can have readers that are not divided: these keep the whole.
            ValueOwner::Result(op, _) if arith::Constant::matches(context, op) => {
                let constant = constant_of(context, value);
                return match constant.and_then(|constant| constant.splat_bytes(context)) {
                    Some(_) => Ok(()),
                    None => refuse(op, "it is a constant with different elements"),
                };
            }
            ValueOwner::Result(op, number) if op == body.op => self.carry(number, axis)?,
            ValueOwner::Result(op, number) => {
                self.visit(op, |space| {
                    space.results[number].as_ref()?.get(axis).copied()
                })?;
            }
            ValueOwner::Argument(block, number) if block == body.block && number > 0 => {
                self.carry(number - 1, axis)?;
            }
            ValueOwner::Argument(block, _) => {
                let owner = block.parent_op(context).unwrap_or(body.op);
                return refuse(owner, "it passes a tile to be divided into its region");
            }
        }
        let uses = value
            .uses(context)
            .map(|usage| (usage.owner, usage.operand));
        for (user, number) in uses.collect::<Vec<_>>() {
            if user == body.terminator {
                self.carry(number, axis)?;
            } else if user == body.op {
                self.carry(number - body.bounds(context).len(), axis)?;
            } else {
                self.visit(user, |space| *space.operands[number].as_ref()?.get(axis)?)?;
            }
        }
        Ok(())
    }

    /// Divides what the loop carries at a position: initial value, argument, yielded value, result.
    fn carry(&mut self, position: usize, axis: usize) -> Step {
        let (context, body) = (self.context, self.body);
        let all = [
            body.initial_values(context)[position],
            body.carried(context)[position],
            body.yielded(context)[position],
            body.op.result(context, position),
        ];
        all.into_iter()
            .try_for_each(|value| self.divide(body.op, value, axis))
    }
}
