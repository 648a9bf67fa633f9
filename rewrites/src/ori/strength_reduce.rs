//! The pass `ori-strength-reduce`: phase 21 of ptxas.

use orison_ir::analyses::NaturalLoop;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Context, Operation, Rule, Value};
use orison_ori::analyses::LinearForm;
use orison_ori::analyses::linear::Root;
use orison_ori::analyses::properties::{self, immediate};
use orison_ori::knobs::Knobs;
use orison_ori::modifiers::{self, ModifierSet};
use orison_ori::operations::integer::{Iadd3, Imad};
use orison_ori::{Register, patterns};

use super::functions::{
    Function, applied, immediate_before, on_each, passed, passed_before, word_before,
};
use super::loops::Loops;
use super::surgery::write_word;
use crate::greedy::{GreedyOptions, apply_greedily};
use crate::regions::RegionSimplification;

orison_ir::pass_options! {
    /// Options of `ori-strength-reduce`.
    pub struct StrengthReduceOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const COUNTERS: &str = "counters";

/// The pass `ori-strength-reduce`.
#[derive(Clone, Debug)]
pub struct StrengthReduce(StrengthReduceOptions);

impl Pass for StrengthReduce {
    type Options = StrengthReduceOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<StrengthReduce>(
        "ori-strength-reduce",
        "Replaces products by cheaper operations: phase 21 of ptxas.\n\
         \n\
         A product of an induction variable and a loop-invariant value becomes an induction \
         variable. Products by 0, 1, -1 and powers of two become sums, copies and shifts with \
         addition; two shifts of 32 bits together become a funnel shift; a shift whose only use \
         is an addition becomes a shift with addition. These are the peephole patterns of `ori` \
         whose names begin with `ori-imad`, `ori-lea`, `ori-shf-funnel` and `ori-shf-add`, and \
         their uniform counterparts; `--list-patterns` shows them.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: COUNTERS,
        summary: "Number of products that became induction variables",
    }]);

    fn create(options: StrengthReduceOptions) -> Self {
        StrengthReduce(options)
    }

    fn options(&self) -> &StrengthReduceOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut status = on_each(pass, &self.0.knobs, |pass, function, knobs| {
            Ok(reduce_loops(pass, function, knobs))
        })?;
        let options = GreedyOptions {
            regions: RegionSimplification::Disabled,
            declared_rules: false,
            extra_rules: rules(),
            ..GreedyOptions::default()
        };
        status |= apply_greedily(pass, &options).status;
        Ok(status)
    }
}

/// The name prefixes of the peepholes on products and shifts, without the dialect.
const FAMILIES: [&str; 4] = ["imad", "lea", "shf-funnel", "shf-add"];

/// The peepholes that the pass applies.
pub fn rules() -> Vec<&'static Rule> {
    let mut all = patterns::simplifications();
    all.extend(patterns::selections());
    all.retain(|rule| {
        let name = rule.name.strip_prefix("ori-").unwrap_or(rule.name);
        let plain = name.strip_prefix('u').unwrap_or(name);
        let begins = |name: &str| FAMILIES.iter().any(|family| name.starts_with(family));
        begins(name) || begins(plain)
    });
    all
}

fn reduce_loops(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs) -> IRStatus {
    if !knobs.flag("StrengthReduceInductions") {
        return IRStatus::Unchanged;
    }
    let loops = Loops::of(pass.context, function);
    let most = usize::try_from(knobs.integer("StrengthReduceMaxInductions")).unwrap_or(0);
    let mut status = IRStatus::Unchanged;
    for number in (0..loops.forest.loops().len()).rev() {
        let Some(counted) = Counted::of(pass.context, &loops, number) else {
            continue;
        };
        let mut added = 0;
        for counter in counted.counters(pass.context) {
            for product in counted.products(pass.context, counter.argument) {
                if added == most {
                    pass.declined(
                        product.op,
                        "loop-product",
                        "the limit of new induction variables of the loop is reached",
                        "a larger StrengthReduceMaxInductions",
                    );
                    continue;
                }
                let Some(replaced) = counted.reduce(pass.context, &counter, &product) else {
                    continue;
                };
                applied(
                    pass,
                    replaced,
                    "loop-product",
                    "the product became an induction variable",
                );
                pass.count(COUNTERS, 1);
                added += 1;
                status = IRStatus::Changed;
            }
        }
    }
    status
}

/// A loop with a single entry edge and a single back edge.
struct Counted<'f> {
    loops: &'f Loops,
    number: usize,
    /// The branch into the loop.
    enter: Operation,
    /// The back edge: the branch and its successor index.
    back: (Operation, usize),
}

/// An argument of the header that each iteration increases by the same amount.
struct Counter {
    argument: Value,
    step: LinearForm,
    /// The value in the next iteration.
    next: Value,
}

/// A product of a counter and a loop-invariant number, with a loop-invariant addend.
struct Product {
    op: Operation,
    factor: Value,
    addend: Value,
}

impl<'f> Counted<'f> {
    fn of(context: &Context, loops: &'f Loops, number: usize) -> Option<Self> {
        let (flow, natural) = (&loops.flow, &loops.forest.loops()[number]);
        let [latch] = natural.latches[..] else {
            return None;
        };
        if natural.irreducible {
            return None;
        }
        let enter = flow.block(natural.preheader(flow)?).terminator(context)?;
        let back = flow.block(latch).terminator(context)?;
        let header = flow.block(natural.header);
        let mut ways = back.successors(context).enumerate();
        let mut ways = ways.by_ref().filter(|(_, target)| *target == header);
        let (way, _) = ways.next()?;
        if ways.next().is_some() {
            return None;
        }
        let count = header.argument_count(context);
        let known =
            passed(context, enter, 0).len() == count && passed(context, back, way).len() == count;
        known.then_some(Counted {
            loops,
            number,
            enter,
            back: (back, way),
        })
    }

    fn natural(&self) -> &'f NaturalLoop {
        &self.loops.forest.loops()[self.number]
    }

    /// The induction variables of one word whose step can be written in front of the loop.
    fn counters(&self, context: &Context) -> Vec<Counter> {
        let variables = self.loops.at(context, self.number).variables().into_iter();
        let counters = variables.filter_map(|variable| match (variable.variable, variable.next) {
            (Root::Value(argument), Some([next, _])) if !variable.step.is_wide() => Some(Counter {
                argument,
                step: variable.step,
                next,
            }),
            _ => None,
        });
        counters.collect()
    }

    fn products(&self, context: &Context, argument: Value) -> Vec<Product> {
        let mut users: Vec<Operation> = argument.users(context).collect();
        users.sort_unstable();
        users.dedup();
        users.retain(|op| {
            let inside = self.loops.flow.block_around(context, *op);
            inside.is_some_and(|block| self.natural().contains(block))
        });
        let products = users.into_iter().filter_map(|op| {
            Imad::of(context, op)?;
            let plain = is_plain(context, op) && op.operand_count(context) == 3;
            let [a, b, addend] = [0, 1, 2].map(|number| op.operand(context, number));
            let factor = match (a == argument, b == argument) {
                (true, false) => b,
                (false, true) => a,
                _ => return None,
            };
            // A product by a power of two is a shift, which is no more expensive than a counter.
            let shift = immediate(context, factor).is_some_and(is_power_of_two);
            let around = self.loops.at(context, self.number);
            let fixed = around.is_invariant(factor) && around.is_invariant(addend);
            (plain && fixed && !shift).then_some(Product { op, factor, addend })
        });
        products.collect()
    }

    /// Adds a loop counter for a product; returns the operation that computes its next value. `None`,
    /// without a change, if the step cannot be written in front of the loop.
    fn reduce(
        &self,
        context: &mut Context,
        counter: &Counter,
        product: &Product,
    ) -> Option<Operation> {
        let location = product.op.location(context);
        let enter = self.enter;
        let counter_step = write_word(context, enter, &counter.step)?;
        let [factor, addend] =
            [product.factor, product.addend].map(|value| outside(context, enter, value));
        let starts = passed(context, enter, 0);
        let position = counter.argument.position(context);
        let start = [starts[position], factor, addend];
        let start = word_before(context, enter, location, Imad::NAME, start);
        let zero = immediate_before(context, enter, Register::R, 0);
        let step = match (immediate(context, counter_step), immediate(context, factor)) {
            (Some(a), Some(b)) => {
                let product = a.wrapping_mul(b);
                // The low 32 bits, sign-extended.
                immediate_before(context, enter, Register::R, (product << 32) >> 32)
            }
            _ => {
                let product = [counter_step, factor, zero];
                word_before(context, enter, location, Imad::NAME, product)
            }
        };
        let header = self.loops.flow.block(self.natural().header);
        let ty = product.op.result(context, 0).ty(context);
        let argument = header.add_argument(context, ty, location);
        let place = self.place(context, counter);
        let next = word_before(
            context,
            place,
            location,
            Iadd3::NAME,
            [argument, step, zero],
        );
        for (branch, way, value) in [(enter, 0, start), (self.back.0, self.back.1, next)] {
            let mut values = passed_before(context, branch, way);
            values.push(value);
            branch.set_passed_operands(context, way, &values);
        }
        let result = product.op.result(context, 0);
        result.replace_all_uses_with(context, argument);
        product.op.erase(context);
        next.defining_op(context)
    }

    /// Where the next value of a counter is computed.
    fn place(&self, context: &Context, counter: &Counter) -> Operation {
        let inside = |op: &Operation| {
            let home = op
                .block(context)
                .and_then(|block| self.loops.flow.number(block));
            home.is_some_and(|home| self.natural().contains(home))
        };
        let defining = counter.next.defining_op(context);
        defining.filter(inside).unwrap_or(self.back.0)
    }
}

/// A value that is available before a branch: immediates are created there.
fn outside(context: &mut Context, anchor: Operation, value: Value) -> Value {
    match immediate(context, value) {
        Some(number) => immediate_before(context, anchor, Register::R, number),
        None => value,
    }
}

/// Whether an operation has no guard, modifiers, carries.
fn is_plain(context: &Context, op: Operation) -> bool {
    let unmodified = |number| modifiers::of_operand(context, op, number) == ModifierSet::NONE;
    properties::guard(context, op).is_none()
        && op.result_count(context) == 1
        && op.attribute(context, "extended").is_none()
        && (0..op.operand_count(context)).all(unmodified)
}

fn is_power_of_two(number: i64) -> bool {
    number == 0 || number.unsigned_abs().is_power_of_two()
}
