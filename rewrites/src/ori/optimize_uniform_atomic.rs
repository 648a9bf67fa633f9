//! The pass `ori-optimize-uniform-atomic`: phase 44 of ptxas (reference 9.8: uniform `ATOM` becomes
//! `ELECT`, `REDUX` and a single `ATOM`).

use orison_ir::analyses::{ControlFlowGraph, DefUse, LoopForest, PostDominatorTree};
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::divergence::FlowAnalyses;
use orison_ori::analyses::{Divergence, Guard, properties};
use orison_ori::keywords::{self, AtomicOperation, AtomicType, Order, Signedness, keyword_of};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::functions::{Function, applied, create_before, immediate_before, machine_of, on_each};
use super::guards::with_guard;

orison_ir::pass_options! {
    /// Options of `ori-optimize-uniform-atomic`.
    pub struct OptimizeUniformAtomicOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const COMBINED: &str = "combined";
/// The first version with `REDUX`, and the first with `ELECT`.
const REDUX_SINCE: u16 = 80;
const ELECT_SINCE: u16 = 90;
/// The supported reductions: the keyword of the atomic operation, and that of `REDUX`.
const REDUCTIONS: [(AtomicOperation, keywords::Reduction); 6] = [
    (AtomicOperation::Add, keywords::Reduction::Sum),
    (AtomicOperation::Min, keywords::Reduction::Min),
    (AtomicOperation::Max, keywords::Reduction::Max),
    (AtomicOperation::And, keywords::Reduction::And),
    (AtomicOperation::Or, keywords::Reduction::Or),
    (AtomicOperation::Xor, keywords::Reduction::Xor),
];

/// The pass `ori-optimize-uniform-atomic`.
#[derive(Clone, Debug)]
pub struct OptimizeUniformAtomic(OptimizeUniformAtomicOptions);

impl Pass for OptimizeUniformAtomic {
    type Options = OptimizeUniformAtomicOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<OptimizeUniformAtomic>(
        "ori-optimize-uniform-atomic",
        "Combines the atomic operations of a warp on one address: phase 44 of ptxas.\n\
         \n\
         An atomic operation on 32-bit values whose result is unused, at a warp-uniform address, \
         becomes a reduction over the active threads and one operation by an elected thread: with \
         `ELECT` from sm_90 on, by the highest active lane on sm_80. \
         `OptimizeUniformAtomicMode=0` turns it off.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: COMBINED,
        summary: "Number of atomic operations combined over the warp",
    }]);

    fn create(options: OptimizeUniformAtomicOptions) -> Self {
        OptimizeUniformAtomic(options)
    }

    fn options(&self) -> &OptimizeUniformAtomicOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            if knobs.integer("OptimizeUniformAtomicMode") == 0 {
                return Ok(IRStatus::Unchanged);
            }
            Ok(combine_all(pass, function))
        })
    }
}

fn combine_all(pass: &mut PassContext<'_>, function: Function) -> IRStatus {
    let context = &*pass.context;
    let machine = machine_of(context, function.op).unwrap_or(0);
    if machine < REDUX_SINCE {
        return IRStatus::Unchanged;
    }
    let flow = ControlFlowGraph::of(context, function.body);
    let analyses = FlowAnalyses {
        flow: &flow,
        post_dominators: &PostDominatorTree::of(&flow),
        loops: &LoopForest::of(&flow),
        chains: &DefUse::of(context, &flow),
    };
    let divergence = Divergence::of(context, function.op, &analyses);
    let blocks = flow
        .reverse_post_order()
        .iter()
        .map(|number| flow.block(*number));
    let candidates: Vec<_> = blocks
        .flat_map(|block| block.operations(context))
        .filter_map(|op| Some((op, Reduction::of(context, op)?)))
        .collect();
    let mut status = IRStatus::Unchanged;
    for (op, reduction) in candidates {
        let reads_varying = |value| divergence.reads_varying(pass.context, &analyses, op, value);
        match reduction.check(pass.context, op, reads_varying) {
            Ok(()) => {
                applied(pass, op, "uniform-atomic", "combined over the warp");
                reduction.combine(pass.context, op, machine);
                pass.count(COMBINED, 1);
                status = IRStatus::Changed;
            }
            Err(reason) => pass.declined(op, "uniform-atomic", reason, ""),
        }
    }
    status
}

/// The reduction of an atomic operation, in the keywords of `REDUX`.
struct Reduction {
    keyword: keywords::Reduction,
    signedness: Option<Signedness>,
}

impl Reduction {
    /// For operations that combine a 32-bit value in memory with one of each thread.
    fn of(context: &Context, op: Operation) -> Option<Reduction> {
        let operation = keyword_of(context, op, "operation")?;
        let mut all = REDUCTIONS.into_iter();
        let (_, keyword) = all.find(|(atomic, _)| *atomic == operation)?;
        let signedness = match keyword_of(context, op, "type")? {
            AtomicType::S32 => Some(Signedness::Signed),
            AtomicType::U32 => Some(Signedness::Unsigned),
            AtomicType::B32 => None,
            _ => return None,
        };
        let compared = op.has_operands_named(context, "expected");
        let orders = matches!(keyword, keywords::Reduction::Min | keywords::Reduction::Max);
        (!compared).then_some(Reduction {
            keyword,
            signedness: signedness.filter(|_| orders),
        })
    }

    fn check(
        &self,
        context: &Context,
        op: Operation,
        reads_varying: impl Fn(Value) -> bool,
    ) -> Result<(), &'static str> {
        if properties::guard(context, op).is_some() {
            return Err(
                "the operation has a guard: the active threads are not those that execute it",
            );
        }
        if op.results(context).any(|result| !result.is_unused(context)) {
            return Err("the old value is used");
        }
        let order = keyword_of(context, op, "order").unwrap_or(Order::Weak);
        if !matches!(order, Order::Weak | Order::Strong) {
            return Err("the operation is ordered with other accesses of the thread");
        }
        let base = op.operands_named(context, "base");
        if base.into_iter().any(reads_varying) {
            return Err("the address is not warp-uniform");
        }
        Ok(())
    }

    fn combine(&self, context: &mut Context, op: Operation, machine: u16) {
        let location = op.location(context);
        let Some(value) = op.operands_named(context, "value").first().copied() else {
            return;
        };
        let mut redux = MachineOperation::new(ori::Redux::NAME).operand("a", value);
        redux = redux.keyword(context, "reduction", self.keyword);
        if let Some(signedness) = self.signedness {
            redux = redux.keyword(context, "signedness", signedness);
        }
        let redux = create_before(context, op, location, redux.result(Register::Ur));
        let all = redux.result(context, 0);
        let copy = MachineOperation::new(ori::Mov::NAME).operand("a", all);
        let copy = create_before(context, op, location, copy.result(Register::R));
        let all = copy.result(context, 0);
        let elected = if machine >= ELECT_SINCE {
            let elect = MachineOperation::new(ori::Elect::NAME).result(Register::P);
            create_before(context, op, location, elect).result(context, 0)
        } else {
            highest_lane(context, op)
        };
        for (number, operand) in op.operands(context).enumerate().collect::<Vec<_>>() {
            if operand == value && is_value(context, op, number) {
                op.set_operand(context, number, all);
            }
        }
        let guard = Guard {
            predicate: elected,
            inverted: false,
        };
        with_guard(context, op, Some(guard), &[]);
    }
}

/// Whether an operand is the value combined with memory, not an address.
fn is_value(context: &Context, op: Operation, number: usize) -> bool {
    op.definition(context).is_some_and(|definition| {
        let group = definition
            .operands
            .iter()
            .position(|group| group.name == "value");
        group.is_some_and(|group| {
            definition
                .operand_range(context, op, group)
                .contains(&number)
        })
    })
}

/// Whether this thread is the highest of the active lanes.
fn highest_lane(context: &mut Context, op: Operation) -> Value {
    let location = op.location(context);
    let always = immediate_before(context, op, Register::P, 1);
    let vote = MachineOperation::new(ori::Vote::NAME).operand("a", always);
    let vote = vote.word(context, "vote", "any").result(Register::R);
    let active = create_before(context, op, location, vote).result(context, 0);
    let flo = MachineOperation::new(ori::Flo::NAME).operand("a", active);
    let flo = flo.word(context, "signedness", "u32").result(Register::R);
    let highest = create_before(context, op, location, flo).result(context, 0);
    let lane = MachineOperation::new(ori::S2r::NAME).word(context, "register", "SR_LANEID");
    let lane = create_before(context, op, location, lane.result(Register::R)).result(context, 0);
    let is = MachineOperation::new(ori::Isetp::NAME)
        .operand("a", lane)
        .operand("b", highest)
        .word(context, "compare", "eq")
        .word(context, "signedness", "u32")
        .word(context, "combine", "and");
    create_before(context, op, location, is.result(Register::P)).result(context, 0)
}
