//! The pass `ori-copy-propagation`: the handling of copies and predicates in phase 29 of ptxas.

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::modifiers::{self, Modifier, ModifierSet};
use orison_ori::operations::integer::Lop3;
use orison_ori::operations::moves::{Concat, Extract, Mov, Sel, Umov};

use super::functions::{Function, applied, on_each, undefined_before};
use super::guards::with_guard;
use crate::blocks::drop_redundant_arguments;

orison_ir::pass_options! {
    /// Options of `ori-copy-propagation`.
    pub struct CopyPropagationOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const COPIES: &str = "copies";
const GUARDS: &str = "guards";
const ARGUMENTS: &str = "arguments";
const BACKWARDS: &str = "backwards";

/// The pass `ori-copy-propagation`.
#[derive(Clone, Debug)]
pub struct CopyPropagation(CopyPropagationOptions);

impl Pass for CopyPropagation {
    type Options = CopyPropagationOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<CopyPropagation>(
        "ori-copy-propagation",
        "Replaces copies by their sources: from phase 29 of ptxas.\n\
         \n\
         Copies are moves within a register class, selects between equal values or by a constant \
         predicate, truth tables equal to one of their inputs, extracts from concatenations and \
         the reverse, and block arguments for which every predecessor passes the same value. A \
         guard that is always true is removed; an operation whose guard is always false is \
         replaced by its `else` value. A guarded copy whose result is undefined where the guard \
         is false is replaced by its source. `BackCopyPropBudget` is the number of guarded copies \
         with `else` that are propagated backwards: the operation that computes the source, if \
         the copy is its only use, is executed under the guard in place of the copy.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: COPIES,
            summary: "Number of copies replaced by their sources",
        },
        Statistic {
            name: GUARDS,
            summary: "Number of guards that are constant",
        },
        Statistic {
            name: ARGUMENTS,
            summary: "Number of times block arguments with a single incoming value were removed",
        },
        Statistic {
            name: BACKWARDS,
            summary: "Number of guarded copies propagated backwards",
        },
    ]);

    fn create(options: CopyPropagationOptions) -> Self {
        CopyPropagation(options)
    }

    fn options(&self) -> &CopyPropagationOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let mut status = propagate(pass, function);
            let budget = knobs.budget("BackCopyPropBudget");
            status |= propagate_backwards(pass, function, budget);
            Ok(status)
        })
    }
}

/// In visiting order, definitions come before uses, except for block arguments: those are visited
/// until nothing changes. Each iteration removes an argument, which bounds the number of
/// iterations.
fn propagate(pass: &mut PassContext<'_>, function: Function) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    loop {
        let flow = orison_ir::analyses::ControlFlowGraph::of(pass.context, function.body);
        for block in flow.reverse_post_order() {
            status |= visit(pass, flow.block(*block));
        }
        if !drop_redundant_arguments(pass.context, function.body).is_changed() {
            return status;
        }
        pass.count(ARGUMENTS, 1);
        status = IRStatus::Changed;
    }
}

/// Moves the operation that computes the source of a guarded copy, if it has no other use, to the
/// copy and under its guard, so that it writes the destination directly. The phase is off in ptxas,
/// and so is the budget.
fn propagate_backwards(
    pass: &mut PassContext<'_>,
    function: Function,
    mut budget: Option<u64>,
) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    if budget == Some(0) {
        return status;
    }
    let blocks: Vec<Block> = function.body.blocks(pass.context).collect();
    for block in blocks {
        for op in block.body(pass.context) {
            let Some((maker, guard)) = merged_copy(pass.context, op) else {
                continue;
            };
            if budget == Some(0) {
                let help = "a larger BackCopyPropBudget";
                pass.declined(op, "backward-copy", "the budget is exhausted", help);
                return status;
            }
            budget = budget.map(|left| left - 1);
            applied(
                pass,
                op,
                "backward-copy",
                "the source is computed in place of the copy",
            );
            let context = &mut *pass.context;
            let otherwise = properties::otherwise(context, op);
            maker.move_before(context, op);
            let new = with_guard(context, maker, Some(guard), &otherwise);
            let value = new.result(context, 0);
            op.result(context, 0).replace_all_uses_with(context, value);
            op.erase(context);
            pass.count(BACKWARDS, 1);
            status = IRStatus::Changed;
        }
    }
    status
}

/// The operation that computes the source of a guarded copy with `else`, and the guard, if it can
/// be executed under the guard at the position of the copy.
fn merged_copy(context: &Context, op: Operation) -> Option<(Operation, properties::Guard)> {
    Mov::of(context, op)?;
    let guard = properties::guard(context, op)?;
    if properties::otherwise(context, op).is_empty() || !is_plain(context, op, 0) {
        return None;
    }
    let source = op.operand(context, 0);
    let maker = source.defining_op(context)?;
    let mut users = source.users(context);
    let alone = users.next().is_some() && users.next().is_none();
    let possible = alone
        && maker.block(context) == op.block(context)
        && maker.result_count(context) == 1
        && source.ty(context) == op.result(context, 0).ty(context)
        && properties::is_pure(context, maker)
        && properties::is_instruction(context, maker)
        && properties::can_be_guarded(context, maker)
        && properties::guard(context, maker).is_none();
    possible.then_some((maker, guard))
}

fn visit(pass: &mut PassContext<'_>, block: Block) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for op in block.body(pass.context) {
        let op = match decide_guard(pass, op) {
            Guarded::Stays => op,
            Guarded::Always(op) => {
                status = IRStatus::Changed;
                op
            }
            Guarded::Never => {
                status = IRStatus::Changed;
                continue;
            }
        };
        let Some(source) = source(pass.context, op) else {
            continue;
        };
        let result = op.result(pass.context, 0);
        if result.is_unused(pass.context) {
            continue;
        }
        applied(pass, op, "copy", "the copy is replaced by its source");
        result.replace_all_uses_with(pass.context, source);
        if properties::is_removable(pass.context, op) && op.is_unused(pass.context) {
            op.erase(pass.context);
        }
        pass.count(COPIES, 1);
        status = IRStatus::Changed;
    }
    status
}

enum Guarded {
    Stays,
    /// The guard is always true: the operation without it.
    Always(Operation),
    /// The guard is never true: the operation is removed.
    Never,
}

fn decide_guard(pass: &mut PassContext<'_>, op: Operation) -> Guarded {
    let context = &mut *pass.context;
    let Some(guard) = properties::guard(context, op) else {
        return Guarded::Stays;
    };
    let Some(known) = immediate(context, guard.predicate) else {
        return Guarded::Stays;
    };
    if op.successor_count(context) > 0 {
        return Guarded::Stays;
    }
    if (known != 0) != guard.inverted {
        let new = with_guard(context, op, None, &[]);
        pass.count(GUARDS, 1);
        applied(pass, new, "constant-guard", "the guard is always true");
        return Guarded::Always(new);
    }
    applied(pass, op, "constant-guard", "the guard is always false");
    let context = &mut *pass.context;
    let otherwise = properties::otherwise(context, op);
    let results: Vec<Value> = op.results(context).collect();
    for (number, result) in results.into_iter().enumerate() {
        if result.is_unused(context) {
            continue;
        }
        let value = match otherwise.get(number) {
            Some(value) => *value,
            None => undefined_before(context, op, result),
        };
        result.replace_all_uses_with(context, value);
    }
    op.erase(context);
    pass.count(GUARDS, 1);
    Guarded::Never
}

/// The value that the result of an operation copies, in the same register class.
fn source(context: &Context, op: Operation) -> Option<Value> {
    if op.result_count(context) != 1 || !properties::otherwise(context, op).is_empty() {
        return None;
    }
    let result = op.result(context, 0);
    let found = copied(context, op)
        .or_else(|| selected(context, op))
        .or_else(|| tabulated(context, op))
        .or_else(|| extracted(context, op))
        .or_else(|| put_together(context, op))?;
    (found.ty(context) == result.ty(context) && found != result).then_some(found)
}

fn is_plain(context: &Context, op: Operation, operand: usize) -> bool {
    modifiers::of_operand(context, op, operand) == ModifierSet::NONE
}

fn copied(context: &Context, op: Operation) -> Option<Value> {
    let moves = Mov::of(context, op).is_some() || Umov::of(context, op).is_some();
    (moves && is_plain(context, op, 0)).then(|| op.operand(context, 0))
}

/// The result of a select of equal values, or with a known predicate.
fn selected(context: &Context, op: Operation) -> Option<Value> {
    Sel::of(context, op)?;
    let [a, b, choice] = [0, 1, 2].map(|number| op.operand(context, number));
    if a == b {
        return Some(a);
    }
    let inverted = modifiers::of_operand(context, op, 2).contains(Modifier::Invert);
    let known = immediate(context, choice)?;
    Some(if (known != 0) == inverted { b } else { a })
}

/// The input that a truth table returns unchanged: 0xf0, 0xcc, 0xaa.
fn tabulated(context: &Context, op: Operation) -> Option<Value> {
    let table = Lop3::of(context, op)?.lut(context)?;
    let number = [0xf0, 0xcc, 0xaa]
        .iter()
        .position(|known| *known == table)?;
    Some(op.operand(context, number))
}

/// A part extracted from a concatenation, or from another part.
fn extracted(context: &Context, op: Operation) -> Option<Value> {
    let word = u32::try_from(Extract::of(context, op)?.word(context)?).ok()?;
    let words = |value: Value| Register::of(context, value.ty(context))?.words();
    let whole = op.operand(context, 0);
    if word == 0 && words(whole) == words(op.result(context, 0)) {
        return Some(whole);
    }
    let concat = whole.defining_op(context)?;
    Concat::of(context, concat)?;
    let mut start = 0;
    for part in concat.operands(context) {
        if start == word {
            return Some(part);
        }
        start += words(part)?;
    }
    None
}

/// The value whose parts are all concatenated again.
fn put_together(context: &Context, op: Operation) -> Option<Value> {
    Concat::of(context, op)?;
    let words = |value: Value| Register::of(context, value.ty(context))?.words();
    let mut whole = None;
    let mut start = 0;
    for part in op.operands(context) {
        let extract = part.defining_op(context)?;
        let word = u32::try_from(Extract::of(context, extract)?.word(context)?).ok()?;
        let of = extract.operand(context, 0);
        if word != start || *whole.get_or_insert(of) != of {
            return None;
        }
        start += words(part)?;
    }
    let whole = whole?;
    (words(whole)? == start).then_some(whole)
}
