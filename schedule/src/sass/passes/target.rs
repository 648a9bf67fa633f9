//! Selection of the latency model of a pass.

use orison_ir::pass::{OptionValue, nearest};

use crate::sass::latency::LatencyModel;

/// The latency model, by name or by the function.
#[derive(Clone, Debug, Default)]
pub enum TargetChoice {
    /// That of the function's `target`.
    #[default]
    Auto,
    /// An embedded model.
    Model(&'static LatencyModel),
}

impl TargetChoice {
    const AUTO: &'static str = "auto";

    /// The model for a function with this target.
    ///
    /// # Errors
    /// If there is none; the error lists the available models.
    pub fn model(&self, target: &str) -> Result<&'static LatencyModel, String> {
        match self {
            TargetChoice::Model(model) => Ok(model),
            TargetChoice::Auto => LatencyModel::for_target(target).ok_or_else(|| unknown(target)),
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

impl PartialEq for TargetChoice {
    fn eq(&self, other: &Self) -> bool {
        self.write() == other.write()
    }
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
        let model = LatencyModel::for_target(text).ok_or_else(|| unknown(text))?;
        Ok(TargetChoice::Model(model))
    }

    fn write(&self) -> Option<String> {
        Some(match self {
            TargetChoice::Auto => TargetChoice::AUTO.to_owned(),
            TargetChoice::Model(model) => model.name().to_owned(),
        })
    }
}
