//! Which tests should fail.

use std::collections::BTreeSet;

use super::condition;
use super::discovery::Test;
use super::result::Code;
use super::script::Script;

/// Command-line options for tests that are expected to fail.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expectations {
    /// Tests that should fail, by path or by full name.
    pub(crate) failing: Vec<String>,
    /// Tests that are expected to pass even with `XFAIL:`.
    pub(crate) not_failing: Vec<String>,
    /// Whether to exclude tests that should fail.
    pub(crate) are_excluded: bool,
}

impl Expectations {
    /// Whether a test should fail.
    pub(crate) fn is_failing(
        &self,
        test: &Test,
        script: &Script,
        features: &BTreeSet<String>,
    ) -> bool {
        let (path, name) = (test.path.to_string_lossy(), test.name());
        let is_in = |list: &[String]| list.iter().any(|item| *item == path || *item == name);
        !is_in(&self.not_failing)
            && (is_in(&self.failing)
                || script.expected_failures.iter().any(|expression| {
                    expression == "*" || condition::evaluate(expression, features).unwrap_or(false)
                }))
    }
}

/// Adjusts the result of a test to whether it should fail.
pub(crate) fn judged(code: Code, should_fail: bool) -> Code {
    match code {
        Code::Pass if should_fail => Code::UnexpectedPass,
        Code::Fail if should_fail => Code::ExpectedFail,
        other => other,
    }
}
