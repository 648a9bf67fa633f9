//! `sass-schedule-instructions`: a new order of instructions, and control words for it.

use orison_ir::pass::{
    Pass, PassContext, PassDefinition, PassFailure, PassResult, Remark, RemarkKind, Statistic,
};
use orison_ir::{Diagnostic, Operation, source_position};
use orison_sass::control::Inline21;
use orison_sass::dialect::Func;
use orison_sass::function::Function;

use super::{Options, Outcome, model_of, schedule};
use crate::instructions::strategies::{Settings, StrategyChoice};
use crate::sass::latency::LatencyModel;
use crate::sass::passes::ReportFile;
use crate::sass::passes::TargetChoice;
use crate::sass::passes::functions::{Source, edit};
use crate::sass::report::{BUDGET, Measured};
use crate::sass::verify::order::check_order;
use crate::sass::verify::verify;

orison_ir::pass_options! {
    /// Options of `sass-schedule-instructions`.
    pub struct ScheduleInstructionsOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// Strategy of all blocks; auto chooses by block.
        strategy = "strategy": StrategyChoice = StrategyChoice::Auto,
        /// Instructions that a search may issue in trials, for each block.
        effort = "effort": u32 = 4000,
        /// General registers that the code may use, for strategies that count them.
        register_budget = "register-budget": u32 = 255,
        /// Candidates that a strategy with dynamic priorities compares at a time.
        window = "window": u32 = 32,
        /// Give up orders that need additional instructions.
        in_place = "in-place": bool = false,
        /// Keep the order and the control words of a function if they have no hazard and nothing faster is found.
        keep_words = "keep-words": bool = true,
        /// File for a report of the functions before and after: .html or .txt, or - for text on standard output.
        report = "report": String = String::new(),
        /// File with a listing of nvdisasm whose functions of the same names are in the report, too.
        other = "report-other": String = String::new(),
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct ScheduleInstructions {
    options: ScheduleInstructionsOptions,
}

const FUNCTIONS: &str = "num-functions";
const BLOCKS: &str = "num-blocks";
const BEFORE: &str = "cycles-before";
const AFTER: &str = "cycles-after";

impl Pass for ScheduleInstructions {
    type Options = ScheduleInstructionsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-schedule-instructions",
        "Order the instructions of machine code within blocks, and compute control words.\n\n\
         Phase 110. Registers stay as they are. Each block is ordered by the strategies that suit it, with what \
         blocks before leave in flight and what later ones wait for; the order with the fewest static cycles wins. \
         Blocks that become slower with their control words keep their order, and so do functions: none is slower \
         than before. Remarks name the strategy of each block and what it gained. With `--verify-each` the result \
         is checked: by the seven checks of `sass-verify-schedule`, and by a judge of the order that shares no \
         code with the scheduler.\n\n\
         Source: seed 000; reference sections 4 and 5; docs/sass-schedule.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: FUNCTIONS,
            summary: "Number of functions with a new order",
        },
        Statistic {
            name: BLOCKS,
            summary: "Number of blocks with a new order",
        },
        Statistic {
            name: BEFORE,
            summary: "Static cycles before",
        },
        Statistic {
            name: AFTER,
            summary: "Static cycles after",
        },
    ]);

    fn create(options: ScheduleInstructionsOptions) -> Self {
        ScheduleInstructions { options }
    }

    fn options(&self) -> &ScheduleInstructionsOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let options = self.schedule_options();
        let verifies = pass.verifies();
        let budget = self.options.register_budget.clamp(1, BUDGET);
        let reports = ReportFile::new(&self.options.report, &self.options.other, budget);
        let reports = reports.map_err(|message| pass.op().op_error(pass.context, message))?;
        let mut found = Vec::new();
        let (results, status) = edit(pass, &self.options.target, |source| {
            let Source {
                function,
                model,
                frequencies,
            } = source;
            *model = model_of(function, model);
            let before = verifies.then(|| function.clone());
            let given = reports.as_ref();
            let given = given.map(|_| Measured::new("before", function, model, frequencies));
            let outcome = schedule(function, model, frequencies, &options);
            let failures = before.map(|before| failures(&before, function, model));
            if let (Some(reports), Some(given)) = (&reports, given) {
                let after = Measured::new("after", function, model, frequencies);
                found.push(reports.compare(source, vec![given, after]));
            }
            (outcome, failures.unwrap_or_default())
        })?;
        if let Some(reports) = &reports {
            let written = reports.write(&found);
            written.map_err(|message| pass.op().op_error(pass.context, message))?;
        }
        let mut errors: Vec<Diagnostic> = Vec::new();
        for (op, (outcome, failures)) in &results {
            let wrong = failures
                .iter()
                .map(|failure| *op.op_error(pass.context, failure.clone()));
            errors.extend(wrong);
            report(pass, *op, outcome);
        }
        if errors.is_empty() {
            Ok(status)
        } else {
            Err(PassFailure::new(errors))
        }
    }
}

impl ScheduleInstructions {
    fn schedule_options(&self) -> Options<'static> {
        let options = &self.options;
        Options {
            settings: Settings {
                effort: u64::from(options.effort),
                register_budget: i32::try_from(options.register_budget).unwrap_or(i32::MAX),
                window: usize::try_from(options.window.max(1)).unwrap_or(usize::MAX),
                ..Settings::default()
            },
            strategy: options.strategy.forced(),
            in_place: options.in_place,
            keeps_words: options.keep_words,
            ..Options::default()
        }
    }
}

/// What the checks find in a result.
fn failures(before: &Function<'_>, after: &Function<'_>, model: &LatencyModel) -> Vec<String> {
    let order = check_order(before, after).into_iter();
    // A NOP that control words need is no change.
    let order = order.filter(|found| !found.is_padding());
    let order = order.map(|found| format!("has a wrong order: {found}"));
    let words = verify(after, model, &Inline21).into_iter();
    let words = words
        .filter(|found| !found.lint)
        .map(|found| found.to_string());
    order.chain(words).collect()
}

/// Adds the statistics of a function, and its remarks.
fn report(pass: &mut PassContext<'_>, op: Operation, outcome: &Outcome) {
    pass.count(FUNCTIONS, u64::from(!outcome.blocks.is_empty()));
    pass.count(
        BLOCKS,
        u64::try_from(outcome.blocks.len()).unwrap_or(u64::MAX),
    );
    pass.count(BEFORE, outcome.given);
    pass.count(AFTER, outcome.after);
    if !pass.wants_remarks() {
        return;
    }
    let name = Func(op)
        .sym_name(pass.context)
        .unwrap_or_default()
        .to_owned();
    let reason = format!(
        "'{name}' takes {} static cycles, {} with new control words only, {} before; {} blocks have a new order",
        outcome.after,
        outcome.before,
        outcome.given,
        outcome.blocks.len()
    );
    pass.remark(op, &Remark::new(RemarkKind::Passed, "schedule", reason));
    for block in &outcome.blocks {
        let reason = format!(
            "block {} of '{name}': strategy '{}', {} cycles instead of {}",
            block.block,
            block.strategy.name(),
            block.after,
            block.before
        );
        pass.remark(op, &Remark::new(RemarkKind::Passed, "block", reason));
    }
}
