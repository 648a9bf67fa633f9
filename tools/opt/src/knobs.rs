//! `--knob Name=value`: numeric parameters that passes read by name, shared by all passes of a
//! pipeline.

use orison_ir::pass::{Element, ErasedPass, OptionError, Pipeline};
use orison_ori::knobs::Knobs;

/// The option of passes that read knobs.
const OPTION: &str = "knobs";

/// Sets knobs for each pass that reads knobs; the explicit options of a pass take precedence.
///
/// # Errors
/// If a knob does not exist or rejects its value, or no pass reads knobs; the error is the message
/// to show.
pub fn set_knobs(pipeline: &mut Pipeline, settings: &[String]) -> Result<(), String> {
    Knobs::of(settings).map_err(|message| format!("--knob: {message}"))?;
    match set(pipeline, settings)? {
        0 => Err("--knob: no pass of the pipeline reads knobs".to_owned()),
        _ => Ok(()),
    }
}

/// Does the same in a nested pipeline; returns the number of passes that read knobs.
fn set(pipeline: &mut Pipeline, settings: &[String]) -> Result<usize, String> {
    let mut readers = 0;
    for element in &mut pipeline.elements {
        match element {
            Element::Nested(nested) => readers += set(nested, settings)?,
            Element::Pass(pass) if reads_knobs(&**pass) => {
                readers += 1;
                *pass = with_knobs(&**pass, settings)?;
            }
            Element::Pass(_) => {}
        }
    }
    Ok(readers)
}

fn reads_knobs(pass: &dyn ErasedPass) -> bool {
    let options = pass.definition().options;
    options.iter().any(|option| option.name == OPTION)
}

/// The pass with additional knobs before its explicit ones.
fn with_knobs(pass: &dyn ErasedPass, settings: &[String]) -> Result<Box<dyn ErasedPass>, String> {
    let mut all = settings.join(",");
    let mut values: Vec<(String, String)> = Vec::new();
    for (name, value) in pass.option_texts() {
        if name != OPTION {
            values.push((name.to_owned(), value));
        } else if !value.is_empty() {
            all = format!("{all},{value}");
        }
    }
    values.push((OPTION.to_owned(), all));
    let told = (pass.definition().create)(&values);
    told.map_err(|error| match error {
        OptionError::Value { message, .. } => format!("--knob: {message}"),
        unknown @ OptionError::Unknown { .. } => format!("--knob: {unknown}"),
    })
}
