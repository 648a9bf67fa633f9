//! The pass `ori-pipelining`: phase 24 of ptxas.

mod body;
mod feasibility;
mod fold;
mod gemm;
mod kernel;
mod latency;
mod registers;

use orison_ir::analyses::Liveness;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind, Statistic,
    source_position,
};
use orison_ir::{Attribute, Block, Context};
use orison_ori::knobs::Knobs;
use orison_schedule::modulo::{Schedule, SchedulingOptions, Strategy, schedule_loop};
use rustc_hash::FxHashSet;

use self::body::Body;
use self::gemm::Gemm;
use self::kernel::Plan;
use self::registers::{Registers, Spans};
use super::counted_loop::CountedLoop;
use super::functions::{Function, applied, divergence, machine_of, on_each};
use super::loops::Loops;
use super::matrix_registers::RegisterLimit;
use super::rules::Rules;
use crate::regions::erase_unreachable;

orison_ir::pass_options! {
    /// Options of `ori-pipelining`.
    pub struct PipeliningOptions {
        /// Whose rules exclude operations: `ptxas` (also if unset), or `page`, where the two operands
        /// of an operation must be of one latency class.
        rules = "rules": Option<Rules> = None,
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const RULE: &str = "pipelining";
const PIPELINED: &str = "pipelined";
const REJECTED: &str = "rejected";
const FOLDED: &str = "folded";

/// The attribute of a branch whose loop this pass has made or left.
const DONE: &str = "ori.pipelined";

/// Work of the searches of the modulo scheduler for a loop; deterministic, unlike a limit in seconds.
const EXACT_WORK: u64 = 400_000;
const EJECTION_WORK: u64 = 100_000;

/// The pass `ori-pipelining`.
#[derive(Clone, Debug)]
pub struct Pipelining(PipeliningOptions);

impl Pass for Pipelining {
    type Options = PipeliningOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Pipelining>(
        "ori-pipelining",
        "Pipelines loops: phase 24 of ptxas.\n\
         \n\
         Iterations of a loop that is one block begin every II cycles, before the ones in front of \
         them have ended. II is the initiation interval that the modulo scheduler finds with the \
         latencies and the seven pipes of docs/loops.md, and at least MII: what recurrences and pipes \
         allow. The loop becomes a prologue, a kernel and an epilogue; values that several \
         iterations need at a time have a name in each copy of the kernel. The loop itself stays for \
         iterations that do not fill the kernel, and for numbers of iterations that are too small. \
         Operations on constants in the loop are folded. Loops are to be canonical \
         (ori-loop-simplification). Remarks say why a loop is not pipelined. The knobs whose names \
         begin with `Pipeline`, `GemmPipeliner` and `OkToPipeline` are the parameters.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: PIPELINED,
            summary: "Number of loops pipelined",
        },
        Statistic {
            name: REJECTED,
            summary: "Number of loops not pipelined",
        },
        Statistic {
            name: FOLDED,
            summary: "Number of operations on constants folded",
        },
    ]);

    fn create(options: PipeliningOptions) -> Self {
        Pipelining(options)
    }

    fn options(&self) -> &PipeliningOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let follows_page = self.0.rules == Some(Rules::Page);
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            Ok(pipeline(pass, function, knobs, follows_page))
        })
    }
}

/// A loop that is pipelined.
struct Chosen {
    header: Block,
    candidate: CountedLoop,
    plan: Plan,
    schedule: Schedule,
    registers: Registers,
}

fn pipeline(
    pass: &mut PassContext<'_>,
    function: Function,
    knobs: &Knobs,
    follows_page: bool,
) -> IRStatus {
    let mut loops = Loops::of(pass.context, function);
    if !knobs.flag("Pipelining") || loops.forest.loops().is_empty() {
        return IRStatus::Unchanged;
    }
    let mut status = fold_constants(pass, &loops);
    if status.is_changed() {
        loops = Loops::of(pass.context, function);
    }
    let chosen = choose(pass, function, &loops, knobs, follows_page);
    if chosen.is_empty() {
        return status;
    }
    status = IRStatus::Changed;
    let headers: FxHashSet<Block> = chosen.iter().map(|one| one.header).collect();
    let numbers = loops.close(pass.context, function, &headers);
    for one in &chosen {
        let number = numbers.get(&one.header);
        let body = number.and_then(|number| one.candidate.body(pass.context, &loops, *number));
        let Some(body) = body else { continue };
        tell(pass, one);
        let branch = kernel::emit(pass.context, &one.candidate, &body, &one.plan);
        for branch in [branch, Some(one.candidate.branch)].into_iter().flatten() {
            branch.set_attribute(pass.context, DONE, Attribute::UNIT);
        }
    }
    erase_unreachable(pass.context, function.body);
    status
}

/// Folds operations on constants in loops that are one block.
fn fold_constants(pass: &mut PassContext<'_>, loops: &Loops) -> IRStatus {
    let mut count = 0;
    for natural in loops.forest.loops() {
        if let [block] = natural.blocks[..] {
            let block = loops.flow.block(block);
            for op in block.operations(pass.context).collect::<Vec<_>>() {
                count += u64::from(fold::fold(pass.context, op));
            }
        }
    }
    pass.count(FOLDED, count);
    match count {
        0 => IRStatus::Unchanged,
        _ => IRStatus::Changed,
    }
}

/// The loops that are pipelined, and remarks about those that are not.
fn choose(
    pass: &mut PassContext<'_>,
    function: Function,
    loops: &Loops,
    knobs: &Knobs,
    follows_page: bool,
) -> Vec<Chosen> {
    let context = &*pass.context;
    let divergence = divergence(context, function, &loops.flow);
    let liveness = Liveness::of(context, &loops.flow);
    let limit = RegisterLimit::of(context, function.op, None);
    let planner = Planner {
        context,
        loops,
        liveness: &liveness,
        knobs,
        machine: machine_of(context, function.op).unwrap_or(0),
        limit: i64::from(limit.registers),
    };
    let mut chosen = Vec::new();
    let mut refused = Vec::new();
    for (number, natural) in loops.forest.loops().iter().enumerate() {
        let latch = natural.latches.first().copied().unwrap_or(natural.header);
        let Some(branch) = loops.flow.block(latch).terminator(context) else {
            continue;
        };
        if branch.attribute(context, DONE).is_some() {
            refused.push((branch, "it is the result of pipelining".to_owned()));
            continue;
        }
        let plan =
            feasibility::check(context, loops, number, knobs, follows_page).and_then(|candidate| {
                match divergence.is_left_unevenly(number) {
                    true => {
                        Err("threads may leave it after different numbers of iterations".into())
                    }
                    false => planner.plan(number, candidate),
                }
            });
        match plan {
            Ok(plan) => chosen.push(plan),
            Err(reason) => refused.push((branch, reason)),
        }
    }
    pass.count(PIPELINED, chosen.len() as u64);
    pass.count(REJECTED, refused.len() as u64);
    if pass.wants_remarks() {
        for (branch, reason) in refused {
            let text = format!("Not pipelined: {reason}");
            pass.remark(branch, &Remark::new(RemarkKind::Missed, RULE, &text));
        }
    }
    chosen
}

struct Planner<'p> {
    context: &'p Context,
    loops: &'p Loops,
    liveness: &'p Liveness,
    knobs: &'p Knobs,
    machine: u16,
    /// The registers that a thread may have.
    limit: i64,
}

impl Planner<'_> {
    /// The schedule of a loop, with as many stages as the registers allow.
    fn plan(&self, number: usize, candidate: CountedLoop) -> Result<Chosen, String> {
        let around = self.loops.at(self.context, number);
        let inductions = self.loops.inductions.at(number);
        let block = around.natural.header;
        let mut body = Body::of(&around, inductions, &candidate);
        let outside = Registers::around(self.context, around.flow, self.liveness, block);
        let gemm = match self.knobs.flag("GemmPipelinerEnabled") {
            true => Gemm::of(self.context, &body),
            false => None,
        };
        if let Some(gemm) = &gemm
            && self.knobs.flag("GemmPipelinerDependenciesPopbl")
        {
            body.edges.extend(gemm.joint_waits(&body));
        }
        let mut stages = u32::try_from(self.knobs.integer("PipelineStageLimit")).unwrap_or(0);
        if let Some(trips) = candidate.trips {
            // Two rounds, of one iteration each, are to be left for the kernel.
            if trips < 3 {
                return Err(format!("it has {trips} iterations"));
            }
            let most = u32::try_from(trips - 1).unwrap_or(u32::MAX);
            stages = if stages == 0 { most } else { stages.min(most) };
        }
        loop {
            let schedule = self.schedule(&body, stages)?;
            let interval = i64::from(schedule.interval);
            let count = body.operations.len();
            let mut starts = schedule.starts[..count].to_vec();
            let first = starts.iter().min().copied().unwrap_or(0);
            let shift = first.div_euclid(interval) * interval;
            starts.iter_mut().for_each(|start| *start -= shift);
            if let Some(gemm) = &gemm {
                let depth = gemm.depth(self.knobs, self.machine);
                let depth = depth.min(match stages {
                    0 => depth,
                    stages => i64::from(stages),
                });
                gemm.delay(&body, &mut starts, interval, depth);
            }
            let last = starts.iter().max().copied().unwrap_or(0);
            let used = last.div_euclid(interval) + 1;
            if used < 2 {
                return Err(format!(
                    "iterations do not overlap at an initiation interval of {interval} cycles"
                ));
            }
            let spans = Spans::of(&body, &starts, interval);
            let registers = outside.of_round(self.context, &body, &spans);
            let is_fixed =
                gemm.is_some() && self.knobs.integer("GemmPipelinerUseRegisterCalculation") == 0;
            if !is_fixed && !self.fits(registers) {
                if used == 2 {
                    return Err(format!(
                        "two stages need {} registers and {} predicates",
                        registers.general, registers.predicates
                    ));
                }
                stages = u32::try_from(used - 1).unwrap_or(2);
                continue;
            }
            let plan = self.finish(&candidate, &body, &starts, &spans);
            return Ok(Chosen {
                header: self.loops.flow.block(block),
                candidate,
                plan,
                schedule,
                registers,
            });
        }
    }

    /// A schedule with at most so many stages; 0 is any number.
    fn schedule(&self, body: &Body, stages: u32) -> Result<Schedule, String> {
        let mut first = body.counter.clone();
        if self.knobs.integer("PipelineSpecUsesInHeadOnly") != 0 {
            first.extend(feasibility::loads(self.context, body));
        }
        let graph = body.graph(self.context, &first);
        let graph = graph.map_err(|error| error.to_string())?;
        let options = SchedulingOptions {
            strategy: Strategy::CostBased,
            max_stages: (stages != 0).then_some(stages),
            exact_work: EXACT_WORK,
            ejection_work: EJECTION_WORK,
            random_delay: self
                .knobs
                .budget("PipelineDelaySeed")
                .filter(|seed| *seed != 0),
            ..SchedulingOptions::default()
        };
        schedule_loop(&graph, &options).map_err(|error| error.to_string())
    }

    fn fits(&self, registers: Registers) -> bool {
        let limit = |name: &str, otherwise: i64| {
            let limit = self.knobs.integer(name);
            if limit < 0 { otherwise } else { limit }
        };
        registers.general <= limit("PipelineHoistRRegPressureLimit", self.limit)
            && registers.predicates <= limit("PipelineHoistPRegPressureLimit", PREDICATES)
    }

    fn finish(&self, candidate: &CountedLoop, body: &Body, starts: &[i64], spans: &Spans) -> Plan {
        let order = body.order(starts, spans.interval);
        let stages = order.iter().map(|(_, stage)| stage + 1).max().unwrap_or(1);
        let limit = self.knobs.integer("PipelineCopies");
        let wanted = spans.names();
        let size = wanted * i64::try_from(order.len()).unwrap_or(i64::MAX);
        let mut copies = if wanted <= limit && size <= KERNEL {
            wanted
        } else {
            1
        };
        if let Some(trips) = candidate.trips {
            let trips = i64::try_from(trips).unwrap_or(i64::MAX);
            copies = copies.min(trips - (stages - 1));
        }
        Plan {
            order,
            invariant: body.invariant.clone(),
            stages,
            copies,
            trips: candidate.trips,
        }
    }
}

/// The most operations of a kernel of several copies.
const KERNEL: i64 = 256;

/// The predicates of a thread, without that which is always true.
const PREDICATES: i64 = 7;

/// Says what is made of a loop.
fn tell(pass: &mut PassContext<'_>, one: &Chosen) {
    let (schedule, plan) = (&one.schedule, &one.plan);
    let bounds = schedule.bounds;
    let text = format!(
        "pipelined: an iteration begins every {} cycles, and at least {} (recurrences {}, pipes {}, \
         stages {}); stages: {}, copies: {}, registers: {}, predicates: {}",
        schedule.interval,
        bounds.interval(),
        bounds.recurrence,
        bounds.fine,
        bounds.dependency,
        plan.stages,
        plan.copies,
        one.registers.general,
        one.registers.predicates,
    );
    applied(pass, one.candidate.branch, RULE, &text);
}
