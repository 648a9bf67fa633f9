//! Results as JSON, in the layout of lit's `--output`.

use std::fmt::Write;

use super::result::{Code, SuiteResult};

/// The version of lit that this layout follows.
const LAYOUT: [u32; 3] = [22, 1, 0];

/// The results of the selected tests.
pub(crate) fn json(result: &SuiteResult) -> String {
    let [major, minor, patch] = LAYOUT;
    let mut out = format!(
        "{{\n  \"__version__\": [\n    {major},\n    {minor},\n    {patch}\n  ],\n  \
         \"elapsed\": {},\n  \"tests\": [",
        result.seconds
    );
    let tests = result
        .tests
        .iter()
        .filter(|test| !matches!(test.code, Code::Excluded | Code::Skipped));
    let mut separator = "";
    for test in tests {
        let _ = write!(
            out,
            "{separator}\n    {{\n      \"code\": {},\n      \"elapsed\": {},\n      \"name\": \
             {},\n      \"output\": {}\n    }}",
            text(test.code.name()),
            test.seconds,
            text(&test.name()),
            text(&test.output)
        );
        separator = ",";
    }
    out.push_str(if separator.is_empty() { "]" } else { "\n  ]" });
    out + "\n}\n"
}

fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for next in text.chars() {
        match next {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::{SuiteResult, json, text};

    #[test]
    fn texts_are_escaped() {
        assert_eq!(text("a\"\\\n\u{1}ü"), r#""a\"\\\n\u0001ü""#);
    }

    #[test]
    fn a_run_without_tests_is_a_document() {
        let expected = "{\n  \"__version__\": [\n    22,\n    1,\n    0\n  ],\n  \"elapsed\": 0,\n  \
                        \"tests\": []\n}\n";
        assert_eq!(json(&SuiteResult::default()), expected);
    }
}
