//! Results of tests.

use std::fmt;
use std::path::PathBuf;

use super::discovery::Test;

/// The outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The test was not selected.
    Excluded,
    /// The run ended before the test was started.
    Skipped,
    /// The conditions of the test do not hold.
    Unsupported,
    /// The test passed.
    Pass,
    /// The test passed after a failed attempt.
    FlakyPass,
    /// The test failed, as expected.
    ExpectedFail,
    /// The test could not be run.
    Unresolved,
    /// The test exceeded its time limit.
    Timeout,
    /// The test failed.
    Fail,
    /// The test passed, but was expected to fail.
    UnexpectedPass,
}

impl Code {
    /// All codes, in the order of the summary.
    pub const ALL: [Code; 10] = [
        Code::Excluded,
        Code::Skipped,
        Code::Unsupported,
        Code::Pass,
        Code::FlakyPass,
        Code::ExpectedFail,
        Code::Unresolved,
        Code::Timeout,
        Code::Fail,
        Code::UnexpectedPass,
    ];

    /// Whether the test makes the run fail.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(
            self,
            Code::Unresolved | Code::Timeout | Code::Fail | Code::UnexpectedPass
        )
    }

    /// The keyword before a test's name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Code::Excluded => "EXCLUDED",
            Code::Skipped => "SKIPPED",
            Code::Unsupported => "UNSUPPORTED",
            Code::Pass => "PASS",
            Code::FlakyPass => "FLAKYPASS",
            Code::ExpectedFail => "XFAIL",
            Code::Unresolved => "UNRESOLVED",
            Code::Timeout => "TIMEOUT",
            Code::Fail => "FAIL",
            Code::UnexpectedPass => "XPASS",
        }
    }

    /// The label of this code in the summary.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Code::Excluded => "Excluded",
            Code::Skipped => "Skipped",
            Code::Unsupported => "Unsupported",
            Code::Pass => "Passed",
            Code::FlakyPass => "Passed With Retry",
            Code::ExpectedFail => "Expectedly Failed",
            Code::Unresolved => "Unresolved",
            Code::Timeout => "Timed Out",
            Code::Fail => "Failed",
            Code::UnexpectedPass => "Unexpectedly Passed",
        }
    }
}

/// The result of a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The name of the suite.
    pub suite: String,
    /// The path from the root of the suite.
    pub path: PathBuf,
    /// The outcome.
    pub code: Code,
    /// The output for the user.
    pub output: String,
    /// The running time.
    pub seconds: f64,
    /// The number of attempts made.
    pub attempts: usize,
    /// The number of attempts allowed.
    pub allowed_attempts: usize,
}

impl TestResult {
    pub(crate) fn new(test: &Test, code: Code, output: String) -> TestResult {
        TestResult {
            suite: test.suite.name.clone(),
            path: test.path.clone(),
            code,
            output,
            seconds: 0.0,
            attempts: 1,
            allowed_attempts: 1,
        }
    }

    /// `suite :: path`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} :: {}", self.suite, self.path.display())
    }
}

/// The results of all tests, sorted by name. `Display` prints the failures with their output, and a
/// summary.
#[derive(Clone, Debug, Default)]
pub struct SuiteResult {
    /// One result per test.
    pub tests: Vec<TestResult>,
    /// The running time of the suite.
    pub seconds: f64,
    /// The changes to check files that were updated (blessed).
    pub blessed: Vec<String>,
}

impl SuiteResult {
    /// Whether no test failed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The tests that failed.
    pub fn failures(&self) -> impl Iterator<Item = &TestResult> {
        self.tests.iter().filter(|test| test.code.is_failure())
    }

    /// The number of tests with this code.
    #[must_use]
    pub fn count(&self, code: Code) -> usize {
        self.tests.iter().filter(|test| test.code == code).count()
    }
}

impl fmt::Display for SuiteResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for change in &self.blessed {
            f.write_str(change)?;
        }
        for test in self.failures() {
            let stars = "*".repeat(20);
            writeln!(
                f,
                "{stars} TEST '{}' {} {stars}",
                test.name(),
                test.code.name()
            )?;
            writeln!(f, "{}{stars}", test.output)?;
        }
        for code in Code::ALL {
            let count = self.count(code);
            if count > 0 {
                writeln!(f, "{}: {count}", code.label())?;
            }
        }
        Ok(())
    }
}
