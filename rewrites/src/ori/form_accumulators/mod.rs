//! The pass `ori-form-accumulators`: the form in which `ori-propagate-gmma` and
//! `ori-fixup-gmma-sequence` expect products of warp groups.
//!
//! An import reads and writes each register of an accumulator: 32 extracts follow a product, and a
//! concatenation of them precedes the next one. In the form an accumulator is one value:
//!
//! 1. a concatenation of all parts of a value, in order, is that value;
//! 2. block arguments that are concatenated are one block argument;
//! 3. a product has no accumulator if it is zero in its block, and no `scale` if that is constant;
//! 4. a wait passes on only accumulators that are used after it, and unused products are erased;
//! 5. equal products without accumulators are one;
//! 6. an extract is where its part is used;
//! 7. a block argument has different values from different branches;
//! 8. what a product takes is put together in front of the fence before it, if it is known there.
//!
//! Other passes keep the form: none of them takes an accumulator apart. ptxas does the same before
//! its phase 85 (measured: equal products are merged, unused ones are dead, zero accumulators become
//! `RZ, !UPT`).

mod arguments;
mod extracts;
mod products;
mod tuples;
mod waits;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::moves::{Concat, Extract};

use super::functions::{Function, on_each};
use crate::blocks::drop_redundant_arguments;

orison_ir::pass_options! {
    /// Options of `ori-form-accumulators`.
    pub struct FormAccumulatorsOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const WHOLE: &str = "whole";
const CARRIED: &str = "carried";
const ZERO: &str = "zero";
const MERGED: &str = "merged";
const DROPPED: &str = "dropped";
const ERASED: &str = "erased";

/// The pass `ori-form-accumulators`.
#[derive(Clone, Debug)]
pub struct FormAccumulators(FormAccumulatorsOptions);

impl Pass for FormAccumulators {
    type Options = FormAccumulatorsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<FormAccumulators>(
        "ori-form-accumulators",
        "Makes the accumulator of each product of a warp group one value: the form that phases 85 \
         and 87 of ptxas start from.\n\
         \n\
         Concatenations of all parts of a value become the value, also through block arguments. \
         Products lose accumulators that are zero and scales that are constant. Equal products are \
         merged, and products and waits for them whose results are unused are dropped. Extracts \
         move to where their parts are used. See docs/gmma.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: WHOLE,
            summary: "Number of concatenations replaced by the value they were taken from",
        },
        Statistic {
            name: CARRIED,
            summary: "Number of accumulators carried by a block argument as a whole",
        },
        Statistic {
            name: ZERO,
            summary: "Number of products that lost a zero accumulator or a constant scale",
        },
        Statistic {
            name: MERGED,
            summary: "Number of products replaced by equal ones",
        },
        Statistic {
            name: DROPPED,
            summary: "Number of accumulators dropped from waits because they are not used after it",
        },
        Statistic {
            name: ERASED,
            summary: "Number of unused products erased",
        },
    ]);

    fn create(options: FormAccumulatorsOptions) -> Self {
        FormAccumulators(options)
    }

    fn options(&self) -> &FormAccumulatorsOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, _| {
            if !has_products(pass.context, function) {
                return Ok(IRStatus::Unchanged);
            }
            let context = &mut *pass.context;
            let simpler = drop_redundant(context, function);
            let dropped = waits::drop_unused(context, function);
            let counts = [
                (DROPPED, dropped),
                (WHOLE, whole_values(context, function)),
                (CARRIED, arguments::carry_whole(context, function)),
                (ZERO, products::simplify(context, function)),
                (MERGED, products::merge_equal(context, function)),
                (ERASED, products::erase_unused(context, function)),
            ];
            let moved = extracts::sink(context, function) + tuples::hoist(context, function);
            for (statistic, count) in counts {
                pass.count(statistic, count);
            }
            let changed = moved + counts.iter().map(|(_, count)| count).sum::<u64>();
            Ok(IRStatus::changed_if(simpler || changed > 0))
        })
    }
}

/// Drops block arguments for which every branch passes the same value, also around the loops of a
/// nest: those of an inner one make those of the outer redundant. Whether there were any.
fn drop_redundant(context: &mut Context, function: Function) -> bool {
    let mut any = false;
    while drop_redundant_arguments(context, function.body).is_changed() {
        any = true;
    }
    any
}

/// Whether a function has products of warp groups, or waits for them.
pub(super) fn has_products(context: &Context, function: Function) -> bool {
    let blocks = function.body.blocks(context);
    let mut operations = blocks.flat_map(|block| block.operations(context));
    operations.any(|op| !matches!(role(context, op), None | Some(Role::Call)))
}

/// The operations of a function, in the order of the text.
pub(super) fn operations(context: &Context, function: Function) -> Vec<Operation> {
    let blocks = function.body.blocks(context);
    blocks.flat_map(|block| block.operations(context)).collect()
}

/// Replaces concatenations of all parts of a value.
fn whole_values(context: &mut Context, function: Function) -> u64 {
    let mut replaced = 0;
    for op in operations(context, function) {
        let Some(concat) = Concat::of(context, op) else {
            continue;
        };
        let (parts, whole): (Vec<Value>, Value) =
            (op.operands(context).collect(), concat.whole(context));
        if let Some(value) = whole_of(context, &parts, whole) {
            whole.replace_all_uses_with(context, value);
            op.erase(context);
            replaced += 1;
        }
    }
    replaced
}

/// The value whose parts these are, all of them and in order, if it has the type of `like`.
fn whole_of(context: &Context, parts: &[Value], like: Value) -> Option<Value> {
    let mut next = 0;
    let mut found = None;
    for part in parts {
        let extract = Extract::of(context, part.defining_op(context)?)?;
        let whole = extract.whole(context);
        if *found.get_or_insert(whole) != whole || extract.word(context) != Some(next) {
            return None;
        }
        let register = Register::of(context, part.ty(context))?;
        next += i32::try_from(register.words()?).ok()?;
    }
    found.filter(|whole| whole.ty(context) == like.ty(context))
}
