//! The pass `ori-fixup-gmma-sequence`: phase 87 of ptxas (FixupGmmaSequence).

mod arms;
mod calls;
pub mod causes;
mod consistency;
mod convergence;
mod definitions;
mod events;
mod facts;
mod flight;
mod inject;
mod inputs;
mod late;
mod lines;
pub mod metadata;
mod page;
mod places;
mod plan;
mod region;
mod secondary;
mod sections;
mod serialize;
mod structure;
mod unit;
mod unrolled;
mod words;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult, Statistic,
    source_position,
};
use orison_ir::{Context, Location, Operation};
use orison_ori::analyses::{Divergence, MatrixGroups};
use orison_ori::knobs::Knobs;
use orison_ori::operations::synchronization::Setmaxreg;
use rustc_hash::FxHashSet;

use super::form_accumulators::{has_products, operations};
use super::functions::{Function, functions};
use super::matrix_registers::{MatrixRegisters, RegisterLimit};
use super::rules::Rules;
use calls::Calls;
use causes::Cause;
use events::told_by;
use inputs::Inputs;
use lines::line_of;
use plan::Plan;
use unit::{Unit, Verdict};

orison_ir::pass_options! {
    /// Options of `ori-fixup-gmma-sequence`.
    pub struct FixupGmmaSequenceOptions {
        /// Registers a thread may have at most, as `-maxrregcount` of ptxas; 0: no limit.
        max_registers = "max-registers": u32[0..=255] = 0,
        /// Whether the module is to be linked with others, as `-c` of ptxas states: calls are external.
        relocatable = "relocatable": bool = false,
        /// Whose rules decide what is serialized: `ptxas` (also if unset) or `page`.
        rules = "rules": Option<Rules> = None,
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const ARRIVES: &str = "arrives";
const WAITS: &str = "waits";
const COMMITS: &str = "commits";
const MOVED: &str = "moved-fences";
const SERIALIZED: &str = "serialized";

/// The pass `ori-fixup-gmma-sequence`.
#[derive(Clone, Debug)]
pub struct FixupGmmaSequence(FixupGmmaSequenceOptions);

impl Pass for FixupGmmaSequence {
    type Options = FixupGmmaSequenceOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<FixupGmmaSequence>(
        "ori-fixup-gmma-sequence",
        "Makes sequences of products of warp groups correct: phase 87 of ptxas \
         (FixupGmmaSequence).\n\
         \n\
         Injects `ori.warpgroup.arrive` before products whose registers were written since the \
         last fence, `ori.warpgroup.wait` before reads of accumulators in flight, and \
         `ori.warpgroup.commit` after products that nothing commits. If that is impossible, or the \
         accumulators need too many registers, the products of the unit are serialized: each gets \
         its own arrive, commit and wait. Reports say so with ptxas's numbers and words, 7508 to \
         7520. See docs/gmma.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: ARRIVES,
            summary: "Number of arrives injected",
        },
        Statistic {
            name: WAITS,
            summary: "Number of waits injected",
        },
        Statistic {
            name: COMMITS,
            summary: "Number of commits injected",
        },
        Statistic {
            name: MOVED,
            summary: "Number of fences moved down",
        },
        Statistic {
            name: SERIALIZED,
            summary: "Number of products serialized",
        },
    ]);

    fn create(options: FixupGmmaSequenceOptions) -> Self {
        FixupGmmaSequence(options)
    }

    fn options(&self) -> &FixupGmmaSequenceOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let functions = functions(pass.context, pass.op());
        let settings = settings(pass, &self.0.knobs, &functions)?;
        let any = |function: &Function| has_products(pass.context, *function);
        if !functions.iter().any(any) {
            return Ok(IRStatus::Unchanged);
        }
        let calls = Calls::of(pass.context, &functions, self.0.relocatable);
        let analyses: Vec<_> = functions
            .iter()
            .map(|function| {
                let divergence = pass.analysis_of::<Divergence>(function.op);
                let groups = pass.analysis_of::<MatrixGroups>(function.op);
                let registers = pass.analysis_of::<MatrixRegisters>(function.op);
                (divergence, groups, registers)
            })
            .collect();
        let inputs = Inputs {
            functions: &functions,
            calls: &calls,
            analyses: &analyses,
            max_registers: (self.0.max_registers > 0).then_some(self.0.max_registers),
            page: self.0.rules == Some(Rules::Page),
        };
        // All before the first change: a function may be in several units.
        let roots = calls.roots(pass.context, &functions).into_iter();
        let units = roots.map(|root| {
            let mut unit = Unit::of(pass.context, &inputs, root);
            decide(&mut unit, &settings);
            unit
        });
        let units: Vec<Unit> = units.collect();
        for unit in &units {
            if too_few_registers(pass.context, &functions, unit) {
                return Err(PassFailure::reported());
            }
            register_count(pass.context, &functions, unit, self.0.max_registers);
            Reporter::new(pass.context, &functions, &settings).unit(unit);
        }
        // Serialized if it is in one of them.
        let mut done: FxHashSet<usize> = FxHashSet::default();
        let serialized = units.iter().filter(|unit| unit.verdict.is_some());
        let others = units.iter().filter(|unit| unit.verdict.is_none());
        for unit in serialized.chain(others) {
            for plan in &unit.plans {
                if settings[plan.function].integer("GmmaMode") > 0 && done.insert(plan.function) {
                    carry_out(pass, &inputs, plan, unit.verdict);
                }
            }
        }
        Ok(IRStatus::changed_if(!done.is_empty()))
    }
}

/// The knobs of each function.
fn settings(
    pass: &PassContext<'_>,
    texts: &[String],
    functions: &[Function],
) -> Result<Vec<Knobs>, PassFailure> {
    let told =
        |op: Operation, message: String| PassFailure::from(op.op_error(pass.context, message));
    let knobs = Knobs::of(texts).map_err(|message| told(pass.op(), message))?;
    let own = functions.iter().map(|function| {
        let own = knobs.for_function(pass.context, function.op);
        own.map_err(|message| told(function.op, message))
    });
    own.collect()
}

/// Applies the knobs to a unit: what may not be injected is an ill-formed stage.
fn decide(unit: &mut Unit, settings: &[Knobs]) {
    if unit.verdict.is_some() {
        return;
    }
    unit.verdict = unit.plans.iter().find_map(|plan| {
        let knobs = &settings[plan.function];
        let mut arrives = plan.arrives.iter().map(|arrive| arrive.before);
        let mut waits = plan.waits.iter().map(|wait| wait.about);
        let refused = if knobs.flag("GmmaSerialize") {
            Some(None)
        } else if !injects(knobs, ARRIVE) {
            arrives.next().map(Some)
        } else {
            None
        };
        let refused = refused.or_else(|| waits.next().filter(|_| !injects(knobs, WAIT)));
        refused.map(|op| Verdict {
            cause: Cause::IllFormed,
            function: plan.function,
            op,
            excuse: None,
        })
    });
}

/// The knob that allows arrives.
const ARRIVE: &str = "GmmaInjectArrive";
/// The knob that allows waits.
const WAIT: &str = "GmmaInjectWait";

/// Whether a knob allows injections in a function: also if the products are then serialized for
/// another reason, but not if they are serialized in any case.
fn injects(knobs: &Knobs, knob: &str) -> bool {
    knobs.flag(knob) && !knobs.flag("GmmaSerialize")
}

/// Changes a function as planned, and rebuilds its attributes.
fn carry_out(
    pass: &mut PassContext<'_>,
    inputs: &Inputs<'_>,
    plan: &Plan,
    verdict: Option<Verdict>,
) {
    let function = inputs.functions[plan.function];
    let groups = &inputs.analyses[plan.function].1;
    if verdict.is_some() {
        let count = serialize::serialize(pass.context, function, plan);
        pass.count(SERIALIZED, count);
    } else {
        let injected = inject::inject(pass.context, function, plan, groups);
        pass.count(ARRIVES, injected.arrives);
        pass.count(WAITS, injected.waits);
        pass.count(COMMITS, injected.commits);
        pass.count(MOVED, injected.moved);
    }
    let flow = ControlFlowGraph::of(pass.context, function.body);
    let groups = MatrixGroups::of(pass.context, &flow);
    let cause = verdict.map(|verdict| verdict.cause);
    metadata::rebuild(pass.context, function, &groups, &flow, cause);
    pass.provide_analysis(function.op, groups);
}

/// Reports a product that alone needs more registers than there are; whether there is one.
fn too_few_registers(context: &mut Context, functions: &[Function], unit: &Unit) -> bool {
    for plan in &unit.plans {
        let largest = plan.registers.largest();
        let limit = plan.limit.registers;
        let Some(product) = largest.filter(|product| limit < product.least_limit()) else {
            continue;
        };
        let function = functions[plan.function].op;
        let name = function.symbol_name(context).unwrap_or_default().to_owned();
        let line = line_of(context, product.op).unwrap_or(0);
        let numbers = [limit, line, product.least_limit()];
        Cause::TooFewRegisters.report(context, product.op.location(context), &name, &numbers);
        return true;
    }
    false
}

/// Reports changes of the register count (`setmaxnreg`) that cannot be made because the count at the
/// entry is not known: it follows from `.maxnreg`, an option, or the threads and CTAs of a
/// multiprocessor.
fn register_count(context: &mut Context, functions: &[Function], unit: &Unit, option: u32) {
    for plan in &unit.plans {
        let function = functions[plan.function];
        let limit = RegisterLimit::of(context, function.op, (option > 0).then_some(option));
        let all = operations(context, function);
        let mut changes = all.iter().filter(|op| Setmaxreg::matches(context, **op));
        if let Some(change) = changes.next().filter(|_| !limit.is_asked) {
            let location = change.location(context);
            Cause::RegisterCountUnknown.report(context, location, "", &[]);
        }
    }
}

/// Reports what a plan says, in ptxas's order: arrives, waits, then the cause.
struct Reporter<'a> {
    context: &'a mut Context,
    functions: &'a [Function],
    settings: &'a [Knobs],
    told: FxHashSet<(usize, Cause, Option<u32>)>,
}

impl<'a> Reporter<'a> {
    fn new(context: &'a mut Context, functions: &'a [Function], settings: &'a [Knobs]) -> Self {
        Reporter {
            context,
            functions,
            settings,
            told: FxHashSet::default(),
        }
    }

    /// Only injections that the knobs allow.
    fn unit(&mut self, unit: &Unit) {
        let settings = self.settings;
        let injected = |knob: &'static str| {
            let all = unit.plans.iter();
            all.filter(move |plan| injects(&settings[plan.function], knob))
        };
        for plan in injected(ARRIVE) {
            let together = |section: usize| !plan.divergent[section];
            for arrive in plan.arrives.iter().filter(|a| together(a.section)) {
                self.tell(
                    Cause::ArriveInjected,
                    plan.function,
                    Some(arrive.before),
                    None,
                );
            }
        }
        for plan in injected(WAIT) {
            let together = |section: usize| !plan.divergent[section];
            for wait in plan.waits.iter().filter(|w| together(w.section)) {
                let about = wait.about.map(|op| told_by(self.context, op));
                self.tell(Cause::WaitInjected, plan.function, about, None);
            }
        }
        if let Some(verdict) = unit.verdict {
            let Verdict {
                cause,
                function,
                op,
                excuse,
            } = verdict;
            self.tell(cause, function, op, excuse);
        }
    }

    fn tell(
        &mut self,
        cause: Cause,
        function: usize,
        op: Option<Operation>,
        excuse: Option<&'static str>,
    ) {
        let line = op.and_then(|op| line_of(self.context, op));
        let once = self.settings[function].flag("GmmaWarnOnce");
        if once && !self.told.insert((function, cause, line)) {
            return;
        }
        let function = self.functions[function].op;
        let name = function
            .symbol_name(self.context)
            .unwrap_or_default()
            .to_owned();
        let at: Location = op.unwrap_or(function).location(self.context);
        let mut report = cause.diagnostic(at, &name, &[line.unwrap_or(0)]);
        if let Some(excuse) = excuse {
            report = report.with_note(at, excuse);
        }
        self.context.diagnostics.emit(report);
    }
}
