//! `--machine`: one machine model for all passes of a pipeline that need one.

use orison_ir::pass::{Element, ErasedPass, OptionError, Pipeline};

/// The option of passes that need a machine model.
const OPTION: &str = "machine";

/// The default value of the option.
const UNSET: &str = "auto";

/// Sets the requested machine model for each pass that needs one and has no explicit model.
///
/// # Errors
/// If there is no such model, or no pass needs one; the error is the message to show.
pub fn choose_machine(pipeline: &mut Pipeline, machine: &str) -> Result<(), String> {
    match choose(pipeline, machine) {
        Ok(0) => Err("--machine: no pass of the pipeline takes a machine model".to_owned()),
        Ok(_) => Ok(()),
        Err(message) => Err(format!("--machine: {message}")),
    }
}

/// Does the same in a nested pipeline; returns the number of passes that need a machine model.
fn choose(pipeline: &mut Pipeline, machine: &str) -> Result<usize, String> {
    let mut takers = 0;
    for element in &mut pipeline.elements {
        match element {
            Element::Nested(nested) => takers += choose(nested, machine)?,
            Element::Pass(pass) if takes_machine(&**pass) => {
                takers += 1;
                if let Some(told) = with_machine(&**pass, machine)? {
                    *pass = told;
                }
            }
            Element::Pass(_) => {}
        }
    }
    Ok(takers)
}

fn takes_machine(pass: &dyn ErasedPass) -> bool {
    let options = pass.definition().options;
    options.iter().any(|option| option.name == OPTION)
}

/// The pass with the machine model; `None` if it has an explicit one.
fn with_machine(
    pass: &dyn ErasedPass,
    machine: &str,
) -> Result<Option<Box<dyn ErasedPass>>, String> {
    let mut values: Vec<(String, String)> = Vec::new();
    for (name, value) in pass.option_texts() {
        match (name, value.as_str()) {
            (OPTION, UNSET) => {}
            (OPTION, _) => return Ok(None),
            _ => values.push((name.to_owned(), value)),
        }
    }
    values.push((OPTION.to_owned(), machine.to_owned()));
    let told = (pass.definition().create)(&values);
    told.map(Some).map_err(|error| match error {
        OptionError::Value { message, .. } => message,
        unknown @ OptionError::Unknown { .. } => unknown.to_string(),
    })
}
