//! Reporting results to users and tools.

use std::fmt::Write;

use super::result::{Code, SuiteResult, TestResult};

/// The groups of results and the counts, as at the end of a run.
pub(crate) fn summary(result: &SuiteResult, shown: &[Code], is_short: bool) -> String {
    let mut out = groups(result, shown);
    if !is_short {
        let _ = writeln!(out, "\nTesting Time: {:.2}s", result.seconds);
    }
    let total = result.tests.len();
    let _ = writeln!(out, "\nTotal Discovered Tests: {total}");
    let counts: Vec<(&str, String)> = Code::ALL
        .into_iter()
        .filter(|code| !is_short || code.is_failure())
        .map(|code| (code.label(), result.count(code)))
        .filter(|(_, count)| *count > 0)
        .map(|(label, count)| (label, count.to_string()))
        .collect();
    let width = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let label_width = width(&mut counts.iter().map(|(label, _)| label.len()));
    let count_width = width(&mut counts.iter().map(|(_, count)| count.len()));
    for (label, count) in counts {
        let share = count.parse().unwrap_or(0.0) / total as f64 * 100.0;
        let _ = writeln!(
            out,
            "  {label:label_width$}: {count:>count_width$} ({share:.2}%)"
        );
    }
    out
}

/// The names of tests, grouped by the result codes that are reported.
fn groups(result: &SuiteResult, shown: &[Code]) -> String {
    let mut out = String::new();
    for code in Code::ALL {
        let tests: Vec<&TestResult> = result
            .tests
            .iter()
            .filter(|test| test.code == code)
            .collect();
        if tests.is_empty() || !(code.is_failure() || shown.contains(&code)) {
            continue;
        }
        let (stars, label) = ("*".repeat(20), code.label());
        let _ = writeln!(out, "{stars}\n{label} Tests ({}):", tests.len());
        for test in tests {
            let _ = writeln!(out, "  {}", test.name());
        }
        out.push('\n');
    }
    out
}

/// The slowest tests and a histogram of the times of all tests.
pub(crate) fn times(result: &SuiteResult) -> String {
    let mut tests: Vec<&TestResult> = result
        .tests
        .iter()
        .filter(|test| test.seconds > 0.0)
        .collect();
    tests.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let Some(slowest) = tests.first() else {
        return String::new();
    };
    let line = "-".repeat(74);
    let mut out = format!("Slowest Tests:\n{line}\n");
    for test in tests.iter().take(20) {
        let _ = writeln!(out, "{:.2}s: {}", test.seconds, test.name());
    }
    let _ = writeln!(out, "\nTests Times:\n{line}");
    const BARS: usize = 10;
    let height = (slowest.seconds / BARS as f64).max(f64::MIN_POSITIVE);
    let mut bars = [0usize; BARS];
    for test in &tests {
        bars[((test.seconds / height) as usize).min(BARS - 1)] += 1;
    }
    for (index, count) in bars.iter().enumerate().rev() {
        let from = index as f64 * height;
        let stars = "*".repeat(40 * count / tests.len());
        let _ = writeln!(
            out,
            "[{from:7.3}s,{:7.3}s) :: [{stars:40}] :: [{count:4}/{}]",
            from + height,
            tests.len()
        );
    }
    out + &line + "\n"
}

fn attribute(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            control if is_forbidden(control) => {}
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Whether the character is a control character that XML does not allow.
fn is_forbidden(character: char) -> bool {
    (character < ' ' && !matches!(character, '\t' | '\r' | '\n'))
        || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// The results in the format of xUnit.
pub(crate) fn xunit(result: &SuiteResult) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites time=\"{:.2}\">", result.seconds);
    let mut suites: Vec<&str> = result
        .tests
        .iter()
        .map(|test| test.suite.as_str())
        .collect();
    suites.dedup();
    for suite in suites {
        let tests: Vec<&TestResult> = result
            .tests
            .iter()
            .filter(|test| test.suite == suite)
            .collect();
        let name = suite.replace('.', "-");
        let failures = tests.iter().filter(|test| test.code.is_failure()).count();
        let skipped = tests.iter().filter(|test| is_skipped(test.code)).count();
        let time: f64 = tests.iter().map(|test| test.seconds).sum();
        let _ = writeln!(
            out,
            "<testsuite name={} tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\" \
             time=\"{time:.2}\">",
            attribute(&name),
            tests.len()
        );
        tests
            .iter()
            .for_each(|test| test_case(&mut out, test, &name));
        out.push_str("</testsuite>\n");
    }
    out + "</testsuites>\n"
}

fn is_skipped(code: Code) -> bool {
    matches!(code, Code::Excluded | Code::Skipped | Code::Unsupported)
}

fn test_case(out: &mut String, test: &TestResult, suite: &str) {
    let directory = test
        .path
        .parent()
        .map(|path| path.to_string_lossy().replace('.', "_"));
    let directory = directory
        .filter(|path| !path.is_empty())
        .unwrap_or_else(|| suite.to_owned());
    let name = test
        .path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let _ = write!(
        out,
        "<testcase classname={} name={} time=\"{:.2}\"",
        attribute(&format!("{suite}.{directory}")),
        attribute(&name.unwrap_or_default()),
        test.seconds
    );
    if test.code.is_failure() {
        let text: String = test
            .output
            .chars()
            .filter(|next| !is_forbidden(*next))
            .collect();
        let text = text.replace("]]>", "]]]]><![CDATA[>");
        let _ = write!(
            out,
            ">\n  <failure><![CDATA[{text}]]></failure>\n</testcase>\n"
        );
    } else if is_skipped(test.code) {
        let reason = match test.code {
            Code::Excluded => "Test not selected (--filter, --max-tests)",
            Code::Skipped => "User interrupt",
            _ => test.output.trim_end(),
        };
        let _ = write!(
            out,
            ">\n  <skipped message={}/>\n</testcase>\n",
            attribute(reason)
        );
    } else {
        out.push_str("/>\n");
    }
}
