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
    let description = Description::parse("run.json", &json)?;
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
