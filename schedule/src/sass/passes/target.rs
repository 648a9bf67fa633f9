//! Selection of the latency model of a pass.

use orison_ir::pass::{OptionValue, nearest};

use crate::sass::latency::LatencyModel;

/// The latency model, by name or by the function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TargetChoice {
    /// That of the function's `target`.
    #[default]
    Auto,
    /// That of another target, which has one.
    Target(String),
}

impl TargetChoice {
    const AUTO: &'static str = "auto";

    /// The model of the machine for a function with this target.
    ///
    /// # Errors
    /// If there is none; the error lists the available models.
    pub fn model(&self, target: &str) -> Result<&'static LatencyModel, String> {
        let target = self.target(target);
        LatencyModel::for_target(target).ok_or_else(|| unknown(target))
    }

    /// The model to compute control words with: that of all machines that run the code.
    ///
    /// # Errors
    /// As [`TargetChoice::model`].
    pub fn code_model(&self, target: &str) -> Result<&'static LatencyModel, String> {
        let target = self.target(target);
        LatencyModel::for_code(target).ok_or_else(|| unknown(target))
    }

    /// The chosen target, or else that of the function.
    fn target<'t>(&'t self, function: &'t str) -> &'t str {
        match self {
            TargetChoice::Target(target) => target,
            TargetChoice::Auto => function,
        }
    }
}

fn unknown(target: &str) -> String {
    let names = LatencyModel::targets();
    let meant = nearest(target, names.iter().map(String::as_str));
    let meant = meant.map_or_else(String::new, |meant| format!("did you mean '{meant}'? "));
    format!(
        "no latency model for '{target}'; {meant}known are {}",
        names.join(", ")
    )
}

impl OptionValue for TargetChoice {
    fn form() -> String {
        format!(
            "{}|{}",
            TargetChoice::AUTO,
            LatencyModel::targets().join("|")
        )
    }

    fn read(text: &str) -> Result<Self, String> {
        if text == TargetChoice::AUTO {
            return Ok(TargetChoice::Auto);
        }
        LatencyModel::for_target(text).ok_or_else(|| unknown(text))?;
        Ok(TargetChoice::Target(text.to_owned()))
    }

    fn write(&self) -> Option<String> {
        Some(match self {
            TargetChoice::Auto => TargetChoice::AUTO.to_owned(),
            TargetChoice::Target(target) => target.clone(),
        })
    }
}
