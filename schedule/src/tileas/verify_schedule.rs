//! `tileas-verify-schedule`: checks written schedules with the independent checker.

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult};
use orison_ir::source_position;

use super::attributes::read_schedule;
use super::check_loop::check_loop;
use super::loop_body::LoopBody;
use super::machine_choice::MachineChoice;

orison_ir::pass_options! {
    /// Options of `tileas-verify-schedule`.
    pub struct VerifyScheduleOptions {
        /// Machine model.
        machine = "machine": MachineChoice = MachineChoice::Auto,
        /// A loop that could be scheduled but is not is an error.
        require = "require": bool = false,
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
        "tileas-verify-schedule",
        "Verify the schedules that attributes describe.\n\n\
         Dependences and resources are derived from the IR again, by code independent of the \
         schedulers; the first violated constraint of a schedule is an error with the operations \
         involved.\n\n\
         Source: design section 5.2.",
        source_position!(),
    );

    fn create(options: VerifyScheduleOptions) -> Self {
        VerifySchedule { options }
    }

    fn options(&self) -> &VerifyScheduleOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut errors = Vec::new();
        let mut found = false;
        for body in LoopBody::targets(pass.context, pass.op()) {
            let context = &*pass.context;
            let machine = self.options.machine.model(context, body.op);
            let written = read_schedule(context, body.op, &body.operations);
            found |= self.options.require || !matches!(written, Ok(None));
            let checked = match written {
                Ok(Some(schedule)) => check_loop(context, &body, &schedule, machine),
                Ok(None) if self.options.require => {
                    Err(body.op.op_error(context, "has no schedule"))
                }
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            errors.extend(checked.err().map(|error| *error));
        }
        if !found {
            let help = "run tileas-generate-schedule first";
            pass.nothing_to_do("no loop has a schedule", help);
        }
        if errors.is_empty() {
            Ok(IRStatus::Unchanged)
        } else {
            Err(PassFailure::new(errors))
        }
    }
}
