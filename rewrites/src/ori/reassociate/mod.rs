//! The pass `ori-reassociate`: phase 50 of ptxas (OriReassociateAndCommon; reference 9.5, 9.8).

mod rebuild;
mod terms;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::properties::immediate;
use orison_ori::knobs::Knobs;
use rustc_hash::FxHashMap;

use self::rebuild::Rebuilder;
use self::terms::{Kind, Term, read};
use super::functions::{Function, applied, on_each};

orison_ir::pass_options! {
    /// Options of `ori-reassociate`.
    pub struct ReassociateOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const CHAINS: &str = "chains";
const SHARED: &str = "shared";
const FACTORED: &str = "factored";

/// The pass `ori-reassociate`.
#[derive(Clone, Debug)]
pub struct Reassociate(ReassociateOptions);

impl Pass for Reassociate {
    type Options = ReassociateOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Reassociate>(
        "ori-reassociate",
        "Reassociates sums, products and bitwise operations: phase 50 of ptxas.\n\
         \n\
         Chains of sums in a block whose intermediate results have one use are split into terms; \
         so are products, and *and*, *or*, *exclusive or*. Constants are folded, terms that \
         cancel are removed, and `a*b + a*c` becomes `a*(b+c)`; the other terms are combined from \
         the left, in the order of their definitions with constants last, three at a time if the \
         operation has three operands. A partial result that one of the last \
         `ReassociateCSEWindow` operations computed is reused.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: CHAINS,
            summary: "Number of chains reordered",
        },
        Statistic {
            name: SHARED,
            summary: "Number of partial results reused",
        },
        Statistic {
            name: FACTORED,
            summary: "Number of common factors extracted",
        },
    ]);

    fn create(options: ReassociateOptions) -> Self {
        Reassociate(options)
    }

    fn options(&self) -> &ReassociateOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            if !knobs.flag("AllowReassociateCSE") {
                return Ok(IRStatus::Unchanged);
            }
            Ok(reassociate(pass, function, knobs))
        })
    }
}

/// The remaining budget in a function.
struct Allowance {
    chains: Option<u64>,
    factors: Option<u64>,
    /// Number of chains to skip first.
    skipped: u64,
    window: Option<u64>,
}

fn reassociate(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs) -> IRStatus {
    let mut allowance = Allowance {
        chains: knobs.budget("ReassociateCSEBudget"),
        factors: knobs.budget("DistributeAndReassociateMulBudget"),
        skipped: u64::try_from(knobs.integer("ReassociateCSESkip")).unwrap_or(0),
        window: knobs.budget("ReassociateCSEWindow"),
    };
    let flow = ControlFlowGraph::of(pass.context, function.body);
    let mut status = IRStatus::Unchanged;
    for &number in flow.reverse_post_order() {
        status |= visit(pass, flow.block(number), &mut allowance);
    }
    status
}

/// Each operation of a block belongs to one chain: linear except for sorting the terms.
fn visit(pass: &mut PassContext<'_>, block: Block, allowance: &mut Allowance) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    let mut rebuilder = Rebuilder::new(block, allowance.window);
    for op in block.body(pass.context) {
        if !op.is_live(pass.context) {
            continue;
        }
        rebuilder.pass_by(pass.context, op);
        let Some((kind, own)) = read(pass.context, op) else {
            continue;
        };
        if is_inner(pass.context, op, kind) {
            rebuilder.register(pass.context, kind, &own, op);
            continue;
        }
        if allowance.skipped > 0 {
            allowance.skipped -= 1;
            continue;
        }
        let chain = Chain::of(pass.context, op, kind, own.clone());
        let factors = &mut allowance.factors;
        let plan = rebuilder.plan(pass.context, &chain, factors);
        if rebuilder.is_as_planned(pass.context, kind, &own, &plan) {
            rebuilder.register(pass.context, kind, &own, op);
            continue;
        }
        if allowance.chains == Some(0) {
            let help = "a larger ReassociateCSEBudget";
            pass.declined(op, "reassociate", "the budget is exhausted", help);
            rebuilder.register(pass.context, kind, &own, op);
            continue;
        }
        allowance.chains = allowance.chains.map(|left| left - 1);
        applied(pass, op, "reassociate", "reassociated");
        let done = rebuilder.rebuild(pass.context, &chain, plan);
        pass.count(CHAINS, 1);
        pass.count(SHARED, done.shared);
        pass.count(FACTORED, done.factored);
        status = IRStatus::Changed;
    }
    status
}

/// Whether an operation is an inner part of a chain: its only use in the block combines it with
/// other terms.
fn is_inner(context: &Context, op: Operation, kind: Kind) -> bool {
    let result = op.result(context, 0);
    let mut users = result.users(context);
    let (Some(user), None) = (users.next(), users.next()) else {
        return false;
    };
    user.block(context) == op.block(context)
        && read(context, user).is_some_and(|(outer, terms)| {
            outer == kind && terms.iter().any(|term| term.value == result)
        })
}

/// A flattened chain of operations of one kind.
struct Chain {
    root: Operation,
    kind: Kind,
    /// The non-constant terms.
    terms: Vec<Term>,
    /// The combined constants.
    constant: u32,
    /// The operations of the chain, definitions before uses; the root is last.
    operations: Vec<Operation>,
}

impl Chain {
    fn of(context: &Context, root: Operation, kind: Kind, own: Vec<Term>) -> Chain {
        let mut chain = Chain {
            root,
            kind,
            terms: Vec::new(),
            constant: kind.neutral(),
            operations: vec![root],
        };
        let mut pending = own;
        while let Some(term) = pending.pop() {
            if let Some(number) = immediate(context, term.value) {
                let bits = number as u32;
                let bits = if term.negated {
                    bits.wrapping_neg()
                } else {
                    bits
                };
                chain.constant = kind.combine(chain.constant, bits);
                continue;
            }
            let Some((op, parts)) = inner(context, root, kind, term.value) else {
                chain.terms.push(term);
                continue;
            };
            chain.operations.push(op);
            pending.extend(parts.into_iter().map(|part| Term {
                negated: part.negated != term.negated,
                ..part
            }));
        }
        chain.operations.reverse();
        chain
    }
}

/// The operation of a chain that defines a value, and its terms.
fn inner(
    context: &Context,
    root: Operation,
    kind: Kind,
    value: Value,
) -> Option<(Operation, Vec<Term>)> {
    let op = value.defining_op(context)?;
    let (own, terms) = read(context, op)?;
    let word = Register::of(context, value.ty(context)) == Some(Register::R);
    let belongs = word
        && own == kind
        && op.block(context) == root.block(context)
        && is_inner(context, op, kind);
    belongs.then_some((op, terms))
}

/// How often each value occurs among terms.
fn occurrences(values: impl Iterator<Item = Value>) -> FxHashMap<Value, usize> {
    let mut found = FxHashMap::default();
    for value in values {
        *found.entry(value).or_insert(0) += 1;
    }
    found
}
