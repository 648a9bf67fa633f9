//! Runs described by a JSON text.

use std::path::Path;

use orison_ir::Context;
use orison_translate::run::{Description, load, run};

use super::*;

/// The output of a described run of `saxpy`, or its error.
fn saxpy(arguments: &str) -> Result<serde_json::Value, String> {
    let json = format!(
        "{{\"kernel\": \"saxpy\", \"grid\": [1], \"block\": [32], \"arguments\": {arguments}}}"
    );
    described_saxpy(&json)
}

fn described_saxpy(json: &str) -> Result<serde_json::Value, String> {
    let description = Description::parse("run.json", json)?;
    let file = "saxpy.sm_80.ptx";
    let text = std::fs::read_to_string(path(file)).expect("the file of a test");
    let mut context = Context::new();
    let module = load(&mut context, file, &text, true)?;
    let printed = run(&context, module, "run.json", &description, Path::new("."))?;
    Ok(serde_json::from_str(&printed).expect("the run prints JSON"))
}

#[test]
fn outputs_are_printed_and_checked() {
    let arguments = |expect: &str| {
        format!(
            "[{{\"type\": \"s32\", \"value\": 3}}, {{\"type\": \"f32\", \"value\": 2}}, \
             {{\"type\": \"f32\", \"values\": [1, -0.5, \"inf\", 9]}}, \
             {{\"type\": \"f32\", \"count\": 4, \"fill\": 1.5, \"output\": true, \"name\": \"y\", \
             \"expect\": {expect}}}]"
        )
    };
    let json = saxpy(&arguments("[3.5, 0.5, \"inf\", 1.5]")).unwrap();
    assert_eq!(
        json["outputs"]["y"],
        serde_json::json!([3.5, 0.5, "inf", 1.5])
    );
    assert!(json["instructions"].as_u64().unwrap() > 10);
    assert_eq!(json["divergent_branches"], 1);
    let error = saxpy(&arguments("[3.5, 0.25]")).unwrap_err();
    assert_eq!(
        error,
        "run.json: error: element 1 of 'y' is 0.5, expected 0.25\n"
    );
}

#[test]
fn arguments_fit_the_parameters() {
    let error = saxpy("[]").unwrap_err();
    assert_eq!(
        error,
        "run.json: error: kernel 'saxpy' expects 4 arguments, found 0\n"
    );
    let three = "{\"type\": \"f32\", \"value\": 2}, {\"type\": \"f32\", \"count\": 1}, \
                 {\"type\": \"f32\", \"count\": 1}";
    let error = saxpy(&format!("[{{\"type\": \"s64\", \"value\": 3}}, {three}]")).unwrap_err();
    assert_eq!(
        error,
        "run.json: error: argument 0 has 8 bytes, but parameter 'saxpy_param_0' has 4\n"
    );
    // The buffers hold one number, but the count passed to the kernel is three.
    let error = saxpy(&format!("[{{\"type\": \"s32\", \"value\": 3}}, {three}]")).unwrap_err();
    assert!(error.contains("saxpy.sm_80.ptx:"), "{error}");
    assert!(
        error.contains("byte 4 of buffer 'saxpy_param_2', which has 4 bytes"),
        "{error}"
    );
}

#[test]
fn arguments_are_described_completely() {
    let parsed = |argument: &str| {
        let json = format!("{{\"kernel\": \"k\", \"arguments\": [{argument}]}}");
        Description::parse("run.json", &json)
            .err()
            .unwrap_or_default()
    };
    let one = "expected one of 'value', 'values', 'file', 'tensor_map', 'count', or 'count' with 'fill' or 'random'";
    for (argument, expected) in [
        ("{\"type\": \"s32\"}", one),
        ("{\"type\": \"s32\", \"value\": 1, \"values\": [1]}", one),
        ("{\"type\": \"s32\", \"file\": \"a\", \"count\": 1}", one),
        ("{\"type\": \"s32\", \"random\": [0, 1]}", one),
        // 2^28 numbers of 4 bytes are the largest buffer.
        (
            "{\"type\": \"s32\", \"count\": 268435457}",
            "the buffer exceeds 1073741824 bytes",
        ),
        (
            "{\"type\": \"s32\", \"count\": 9223372036854775807}",
            "the buffer exceeds 1073741824 bytes",
        ),
    ] {
        let error = parsed(argument);
        assert!(error.contains(expected), "{argument}: {error}");
        assert!(error.starts_with("run.json:1:"), "{error}");
    }
}

/// The kernel adds nothing, as the count is zero.
#[test]
fn buffers_are_buffers_and_have_the_expected_elements() {
    let described = |y: &str, rest: &str| {
        let json = format!(
            "{{\"kernel\": \"saxpy\", \"block\": [32], \"arguments\": [{{\"type\": \"s32\", \"value\": 0}}, \
             {{\"type\": \"f32\", \"value\": 2}}, {{\"type\": \"f32\", \"count\": 1}}, {y}]{rest}}}"
        );
        described_saxpy(&json).expect_err("it is wrong")
    };
    assert_eq!(
        described(
            "{\"type\": \"f32\", \"values\": [1, 2], \"name\": \"y\", \"expect\": [1, 2, 3]}",
            ""
        ),
        "run.json: error: 'y' has 2 elements, expected 3\n"
    );
    let y = "{\"type\": \"f32\", \"count\": 1}";
    assert_eq!(
        described(
            y,
            ", \"buffers\": {\"b\": {\"type\": \"s32\", \"value\": 1}}"
        ),
        "run.json: error: 'b' is not a buffer\n"
    );
    let map =
        "{\"type\": \"f32\", \"tensor_map\": {\"of\": \"b\", \"dimensions\": [4], \"box\": [4]}}";
    assert_eq!(
        described(map, ""),
        "run.json: error: argument 3: 'b' is not a buffer\n"
    );
}
