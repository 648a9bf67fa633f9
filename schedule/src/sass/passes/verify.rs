//! `sass-verify-schedule`: the seven checks of the page.

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult};
use orison_ir::{Context, Diagnostic, source_position};
use orison_sass::control::{Bundle23, ControlLayout, Inline21};

use super::functions::{Places, analyze};
use super::target::TargetChoice;
use crate::sass::verify::{Finding, verify};

orison_ir::option_enum! {
    /// The layout in which control words must fit.
    pub enum LayoutChoice {
        /// Bits 105 to 125 of every instruction.
        Inline21 = "inline21",
        /// A slot of the scoreboard page.
        Bundle23 = "bundle23",
    }
}

impl LayoutChoice {
    fn layout(self) -> &'static dyn ControlLayout {
        match self {
            LayoutChoice::Inline21 => &Inline21,
            LayoutChoice::Bundle23 => &Bundle23,
        }
    }
}

orison_ir::pass_options! {
    /// Options of `sass-verify-schedule`.
    pub struct VerifyScheduleOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// Layout in which control words must fit.
        layout = "layout": LayoutChoice = LayoutChoice::Inline21,
        /// Waiting for a scoreboard that nothing armed is an error.
        strict = "strict": bool = false,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct VerifySchedule {
    options: VerifyScheduleOptions,
}

impl Pass for VerifySchedule {
    type Options = VerifyScheduleOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-verify-schedule",
        "Check the control words of machine code.\n\n\
         The seven checks of the page; each error starts with the name of its check: stall-bounds, \
         barrier-index, wait-mask, completeness, format, yield, integrity. Waiting for a \
         scoreboard that is never armed is a warning, since ptxas emits such waits; `strict` makes \
         it an error.\n\n\
         Source: seed 003, \"Verification\"; docs/sass-simulate.md.",
        source_position!(),
    );

    fn create(options: VerifyScheduleOptions) -> Self {
        VerifySchedule { options }
    }

    fn options(&self) -> &VerifyScheduleOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let layout = self.options.layout.layout();
        let found = analyze(pass, &self.options.target, |source| {
            verify(&source.function, source.model, layout)
        })?;
        let mut errors = Vec::new();
        for (places, findings) in found {
            for finding in findings {
                if finding.lint && !self.options.strict {
                    let location = places.location(pass.context, finding.instruction);
                    pass.context.warning(location, finding.to_string());
                } else {
                    errors.push(error(pass.context, &places, &finding));
                }
            }
        }
        if errors.is_empty() {
            Ok(IRStatus::Unchanged)
        } else {
            Err(PassFailure::new(errors))
        }
    }
}

fn error(context: &Context, places: &Places, finding: &Finding) -> Diagnostic {
    let op = places.instruction(finding.instruction);
    let error = *op.op_error(context, finding.to_string());
    match finding.other {
        Some(other) => {
            let location = places.location(context, other);
            error.with_note(location, "this instruction is still in flight")
        }
        None => error,
    }
}
