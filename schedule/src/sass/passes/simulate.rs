//! `sass-simulate`: hazards and static time of machine code.

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult, Remark, RemarkKind,
    Statistic,
};
use orison_ir::{Context, Diagnostic, source_position};
use orison_sass::dialect::Func;

use super::functions::{Places, Source, analyze};
use super::target::TargetChoice;
use crate::sass::facts::FunctionFacts;
use crate::sass::simulate::{Hazard, Report, simulate_with};

orison_ir::pass_options! {
    /// Options of `sass-simulate`.
    pub struct SimulateOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// Warn about valid but unintended code: waits for scoreboards that nothing armed,
        /// scoreboards that operations of two queues share.
        lints = "lints": bool = false,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct Simulate {
    options: SimulateOptions,
}

const BLOCKS: &str = "num-blocks";
const INSTRUCTIONS: &str = "num-instructions";
const DEPENDENCES: &str = "num-dependences";
const HAZARDS: &str = "num-hazards";
const CYCLES: &str = "num-cycles";

impl Pass for Simulate {
    type Options = SimulateOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-simulate",
        "Find hazards in machine code from its control words, and estimate its execution time.\n\n\
         Results of fixed latency arrive after that latency; those of variable latency, and the \
         reads of queued operations, complete at the latest time that their scoreboard allows. On \
         all paths through a function, a register that is read too early, overwritten while its \
         value is in flight, or overwritten before it is read is an error at the later \
         instruction, with a note at the earlier one. Remarks report the static cycles of each \
         block and function and their causes; a block counts ten times as often for each loop \
         around it, or as often as `sass.frequencies` of the function states.\n\n\
         Source: design section 5.3, reference sections 3.6 and 10.4; docs/sass-simulate.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: BLOCKS,
            summary: "Number of blocks checked",
        },
        Statistic {
            name: INSTRUCTIONS,
            summary: "Number of instructions checked",
        },
        Statistic {
            name: DEPENDENCES,
            summary: "Number of dependences on operations in flight",
        },
        Statistic {
            name: HAZARDS,
            summary: "Number of hazards",
        },
        Statistic {
            name: CYCLES,
            summary: "Static cycles",
        },
    ]);

    fn create(options: SimulateOptions) -> Self {
        Simulate { options }
    }

    fn options(&self) -> &SimulateOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let found = analyze(pass, &self.options.target, |source| {
            let Source {
                function,
                model,
                frequencies,
            } = source;
            let facts = FunctionFacts::new(function, model);
            let report = simulate_with(function, &facts, model, frequencies);
            let starts = (0..facts.block_count()).map(|block| facts.block(block).start);
            (report, starts.collect::<Vec<_>>())
        })?;
        let mut errors = Vec::new();
        for (places, (report, starts)) in &found {
            let hazards = report.hazards.iter();
            errors.extend(hazards.map(|hazard| error(pass.context, places, hazard)));
            if self.options.lints {
                warn(pass.context, places, report);
            }
            count(pass, report);
            remark(pass, places, report, starts);
        }
        if errors.is_empty() {
            Ok(IRStatus::Unchanged)
        } else {
            Err(PassFailure::new(errors))
        }
    }
}

fn error(context: &Context, places: &Places, hazard: &Hazard) -> Diagnostic {
    let op = places.instruction(hazard.consumer);
    let error = op.op_error(context, hazard.to_string());
    let producer = places.location(context, hazard.producer);
    error.with_note(producer, "this instruction is still in flight")
}

fn warn(context: &mut Context, places: &Places, report: &Report) {
    for lint in &report.lints {
        let location = places.location(context, lint.instruction);
        let text = format!("{lint} [{}]", lint.kind.name());
        context.warning(location, text);
    }
}

fn count(pass: &mut PassContext<'_>, report: &Report) {
    pass.count(BLOCKS, report.checked.blocks);
    pass.count(INSTRUCTIONS, report.checked.instructions);
    pass.count(DEPENDENCES, report.checked.dependences);
    pass.count(
        HAZARDS,
        u64::try_from(report.hazards.len()).unwrap_or(u64::MAX),
    );
    pass.count(CYCLES, report.timing.cycles);
}

/// `starts` are the indices of the first instructions of the blocks.
fn remark(pass: &mut PassContext<'_>, places: &Places, report: &Report, starts: &[usize]) {
    if !pass.wants_remarks() {
        return;
    }
    let timing = &report.timing;
    let breakdown = |found: &crate::sass::simulate::StallBreakdown| {
        format!(
            "{} issue, {} stalls, {} results, {} operands, {} groups",
            found.issue, found.stalls, found.results, found.operands, found.groups
        )
    };
    let reason = format!(
        "'{}' takes {} static cycles: {}; at most {} scoreboards armed, {} of {} instructions with any",
        Func(places.op).sym_name(pass.context).unwrap_or_default(),
        timing.cycles,
        breakdown(&timing.breakdown),
        timing.most_armed,
        timing.armed_instructions,
        report.checked.instructions
    );
    let found = Remark::new(RemarkKind::Analysis, "static-cycles", reason);
    pass.remark(places.op, &found.with_value("cycles", timing.cycles));
    for (start, time) in starts.iter().zip(&timing.blocks) {
        let reason = format!(
            "block takes {} cycles, {} times: {}",
            time.cycles,
            time.frequency,
            breakdown(&time.breakdown)
        );
        let found = Remark::new(RemarkKind::Analysis, "block-cycles", reason);
        let first = places.instruction(u32::try_from(*start).unwrap_or(u32::MAX));
        pass.remark(first, &found.with_value("cycles", time.cycles));
    }
}
