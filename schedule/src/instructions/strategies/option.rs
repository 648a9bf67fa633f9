//! A strategy as an option of a pass.

use orison_ir::pass::{OptionValue, nearest};

use super::{ALL, Phase, Strategy, named};

/// The strategy of all blocks, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StrategyChoice {
    /// By block.
    #[default]
    Auto,
    /// One for all.
    Strategy(&'static dyn Strategy),
}

impl StrategyChoice {
    const AUTO: &'static str = "auto";

    /// The strategy of all blocks, if there is one.
    pub fn forced(self) -> Option<&'static dyn Strategy> {
        match self {
            StrategyChoice::Auto => None,
            StrategyChoice::Strategy(strategy) => Some(strategy),
        }
    }

    fn names() -> impl Iterator<Item = &'static str> {
        let all = ALL.into_iter().map(Strategy::name);
        std::iter::once(Self::AUTO).chain(all)
    }
}

impl OptionValue for StrategyChoice {
    fn form() -> String {
        Self::names().collect::<Vec<_>>().join("|")
    }

    fn read(text: &str) -> Result<Self, String> {
        if text == Self::AUTO {
            return Ok(StrategyChoice::Auto);
        }
        named(text).map(StrategyChoice::Strategy).ok_or_else(|| {
            let meant = nearest(text, Self::names());
            let meant =
                meant.map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"));
            format!("expected {}, found '{text}'{meant}", Self::form())
        })
    }

    fn write(&self) -> Option<String> {
        Some(match self {
            StrategyChoice::Auto => Self::AUTO.to_owned(),
            StrategyChoice::Strategy(strategy) => strategy.name().to_owned(),
        })
    }
}

impl OptionValue for Phase {
    fn form() -> String {
        Phase::ALL.map(Phase::name).join("|")
    }

    fn read(text: &str) -> Result<Self, String> {
        let mut phases = Phase::ALL.into_iter();
        let found = phases.find(|phase| phase.name() == text);
        found.ok_or_else(|| format!("expected {}, found '{text}'", Self::form()))
    }

    fn write(&self) -> Option<String> {
        Some(self.name().to_owned())
    }
}
