//! The pass `ori-rematerialize`: phases 31 and 69 of ptxas (SinkRemat, OriDoRemat).

mod candidates;
mod choice;
mod profile;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Context, Operation};
use orison_ori::analyses::Frequencies;
use orison_ori::operations::structure::Func;
use rustc_hash::{FxHashMap, FxHashSet};

use super::allocate_registers::calls::Callees;
use super::allocate_registers::live::Live;
use super::allocate_registers::units::Program;
use super::calling_convention::callees_first;
use super::functions::{Function, applied, functions};
use super::loops::Loops;
use candidates::{Candidate, Copies, erase_unused};
use profile::Profile;

orison_ir::pass_options! {
    /// Options of `ori-rematerialize`.
    pub struct RematerializeOptions {
        /// Live registers from which on values are computed again.
        floor = "floor": u32 = 24,
        /// What copies may cost: one of so many executed instructions.
        share = "share": u32[1..=1000000] = 16,
    }
}

const COPIES: &str = "num-copies";
const VALUES: &str = "num-values";
const RULE: &str = "rematerialize";

/// How often the blocks are looked at anew.
const ROUNDS: usize = 3;

/// The pass `ori-rematerialize`.
#[derive(Clone, Debug)]
pub struct Rematerialize(RematerializeOptions);

impl Pass for Rematerialize {
    type Options = RematerializeOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Rematerialize>(
        "ori-rematerialize",
        "Computes cheap values again where they are used, instead of keeping them in registers: phases 31 and 69 of ptxas \
         (SinkRemat, OriDoRemat).\n\
         \n\
         Where more general registers are live than `floor`, values that live there without being used are given up, the \
         cheapest first: each block that uses one computes it anew, in front of the first use. That takes operations \
         of one instruction, loads from constant banks, and special registers, whose operands are constants, live \
         where the copy is, or can be computed there in the same way. All copies together may cost one of `share` \
         executed instructions. A value whose uses are all in other blocks moves to them.\n\n\
         Source: reference sections 1.1 and 9.6; docs/ori-registers.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: COPIES,
            summary: "Number of operations that are executed again",
        },
        Statistic {
            name: VALUES,
            summary: "Number of values that are computed where they are used",
        },
    ]);

    fn create(options: RematerializeOptions) -> Self {
        Rematerialize(options)
    }

    fn options(&self) -> &RematerializeOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let all = functions(pass.context, pass.op());
        let mut callees: FxHashMap<String, u32> = FxHashMap::default();
        let mut status = IRStatus::Unchanged;
        for function in callees_first(pass.context, &all) {
            let peak = self.lower(pass, function, &callees, &mut status);
            if let Some(name) = Func(function.op).sym_name(pass.context) {
                callees.insert(name.to_owned(), peak);
            }
        }
        Ok(status)
    }
}

impl Rematerialize {
    /// Lowers the peaks of a function; returns what is left of them.
    fn lower(
        &self,
        pass: &mut PassContext<'_>,
        function: Function,
        callees: &FxHashMap<String, u32>,
        status: &mut IRStatus,
    ) -> u32 {
        let mut budget = None;
        for _ in 0..ROUNDS {
            let state = State::of(pass.context, function, callees);
            if state.profile.peak() <= self.0.floor {
                return state.profile.peak();
            }
            let left = budget.get_or_insert_with(|| state.executed() / f64::from(self.0.share));
            let chosen = choice::choose(pass.context, &state, self.0.floor, left);
            if chosen.is_empty() {
                return state.profile.peak();
            }
            apply(pass, &state, chosen);
            *status = IRStatus::Changed;
        }
        State::of(pass.context, function, callees).profile.peak()
    }
}

/// Computes candidates where they are used: those that read others first, whose copies then use these in more blocks.
fn apply(pass: &mut PassContext<'_>, state: &State, mut chosen: Vec<Candidate>) {
    let later_first =
        |context: &Context, op: Operation| std::cmp::Reverse(state.position(context, op));
    chosen.sort_by_key(|found| later_first(pass.context, found.op));
    let mut copied = Vec::new();
    let mut known = Copies::default();
    for candidate in &chosen {
        applied(pass, candidate.op, RULE, "computed where it is used");
        copied.extend(candidate.apply(pass.context, state, &mut known));
    }
    pass.count(VALUES, chosen.len() as u64);
    pass.count(COPIES, copied.len() as u64);
    copied.sort_by_key(|op| later_first(pass.context, *op));
    let mut seen = FxHashSet::default();
    for op in copied.into_iter().filter(|op| seen.insert(*op)) {
        erase_unused(pass.context, op);
    }
}

/// A function at a moment.
struct State {
    loops: Loops,
    frequencies: Frequencies,
    program: Program,
    live: Live,
    profile: Profile,
    /// The numbers of instructions.
    places: FxHashMap<Operation, u32>,
}

impl State {
    fn of(context: &Context, function: Function, callees: &FxHashMap<String, u32>) -> Self {
        let loops = Loops::of(context, function);
        let frequencies = Frequencies::of(context, &loops.flow, &loops.forest, &loops.inductions);
        let program = Program::of(context, &loops.flow, &Callees::default());
        let live = Live::of(&program, &loops.flow);
        let profile = Profile::of(context, (&program, &live), &loops.flow, callees);
        let instructions = program.instructions.iter();
        let places = instructions.map(|found| found.op).zip(0..).collect();
        State {
            loops,
            frequencies,
            program,
            live,
            profile,
            places,
        }
    }

    /// Instructions that an execution of the function executes.
    fn executed(&self) -> f64 {
        let blocks = (0..).zip(&self.program.blocks);
        let each = blocks.map(|(number, block)| {
            let instructions = u32::try_from(block.instructions.len()).unwrap_or(u32::MAX);
            self.frequencies.block(number) * f64::from(instructions)
        });
        each.sum()
    }

    /// The place of an operation, in the order in which definitions precede uses.
    fn position(&self, context: &Context, op: Operation) -> (Option<u32>, Option<u32>) {
        let block = self.block_of(context, op);
        let block = block.and_then(|block| self.loops.flow.position(block));
        (block, self.places.get(&op).copied())
    }

    /// The number of the block of an operation.
    fn block_of(&self, context: &Context, op: Operation) -> Option<u32> {
        self.loops.flow.number(op.block(context)?)
    }
}
