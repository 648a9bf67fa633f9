//! `--knob Name=value`: numbers that passes read by name, the same for all passes of a pipeline.

use orison_ir::pass::{Element, ErasedPass, OptionError, Pipeline};
use orison_ori::knobs::Knobs;

/// The option of passes that read knobs.
const OPTION: &str = "knobs";

/// Sets knobs for each pass that reads some; what a pass is told itself wins.
///
/// # Errors
/// When a knob does not exist or does not take its value, or no pass reads knobs; the error is what
/// to show.
pub fn set_knobs(pipeline: &mut Pipeline, settings: &[String]) -> Result<(), String> {
    Knobs::of(settings).map_err(|message| format!("--knob: {message}"))?;
    match set(pipeline, settings)? {
        0 => Err("--knob: no pass of the pipeline reads knobs".to_owned()),
        _ => Ok(()),
    }
}

/// The same in a nested pipeline; how many passes read knobs.
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

/// The pass with more knobs, before its own.
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
