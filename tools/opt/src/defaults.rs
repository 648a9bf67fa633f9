//! Options of the tool that set an option of all passes of a pipeline where it is unset: `--machine`,
//! the rules of `--diagnostics=page`, `--schedule-strategy` and `--schedule-report`.

use orison_ir::pass::{Element, ErasedPass, OptionError, Pipeline};

/// Sets the machine model of each pass that needs one and has no explicit one.
///
/// # Errors
/// If there is no such model, or no pass needs one; the error is the message to show.
pub fn choose_machine(pipeline: &mut Pipeline, machine: &str) -> Result<(), String> {
    match set_unset(pipeline, "machine", machine, |_| true) {
        Ok(0) => Err("--machine: no pass of the pipeline takes a machine model".to_owned()),
        Ok(_) => Ok(()),
        Err(message) => Err(format!("--machine: {message}")),
    }
}

/// Sets the rules of each pass that has a choice of rules and no explicit one.
///
/// # Errors
/// If a pass has no such rules; the error is the message to show.
pub fn choose_rules(pipeline: &mut Pipeline, rules: &str) -> Result<(), String> {
    let set = set_unset(pipeline, "rules", rules, |_| true);
    set.map(|_| ())
        .map_err(|message| format!("--diagnostics: {message}"))
}

/// Sets an option of each pass that schedules instructions and has no explicit one: that which the flag
/// `--schedule-OPTION` of the tool stands for.
///
/// # Errors
/// If no pass schedules instructions, or the value is not allowed; the error is the message to show.
pub fn choose_scheduling(pipeline: &mut Pipeline, option: &str, value: &str) -> Result<(), String> {
    let schedules = |name: &str| name.ends_with("-schedule-instructions");
    match set_unset(pipeline, option, value, schedules) {
        Ok(0) => Err(format!(
            "--schedule-{option}: no pass of the pipeline schedules instructions"
        )),
        Ok(_) => Ok(()),
        Err(message) => Err(format!("--schedule-{option}: {message}")),
    }
}

/// Sets an option of the passes with some names, also in nested pipelines; returns the number of passes that have
/// it.
fn set_unset(
    pipeline: &mut Pipeline,
    option: &str,
    value: &str,
    is_meant: impl Fn(&str) -> bool + Copy,
) -> Result<usize, String> {
    let mut takers = 0;
    for element in &mut pipeline.elements {
        match element {
            Element::Nested(nested) => takers += set_unset(nested, option, value, is_meant)?,
            Element::Pass(pass) if is_meant(pass.definition().name) => {
                let mut options = pass.definition().options.iter();
                let Some(taken) = options.find(|taken| taken.name == option) else {
                    continue;
                };
                takers += 1;
                if let Some(told) =
                    with_value(&**pass, option, (taken.default)().as_deref(), value)?
                {
                    *pass = told;
                }
            }
            Element::Pass(_) => {}
        }
    }
    Ok(takers)
}

/// The pass with a value of an option; `None` if it has an explicit one, other than the default.
fn with_value(
    pass: &dyn ErasedPass,
    option: &str,
    default: Option<&str>,
    value: &str,
) -> Result<Option<Box<dyn ErasedPass>>, String> {
    let (own, mut values): (Vec<_>, Vec<_>) = pass
        .option_texts()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .partition(|(name, _)| name == option);
    if own.first().map(|(_, own)| own.as_str()) != default {
        return Ok(None);
    }
    values.push((option.to_owned(), value.to_owned()));
    let told = (pass.definition().create)(&values);
    told.map(Some).map_err(|error| match error {
        OptionError::Value { message, .. } => message,
        unknown @ OptionError::Unknown { .. } => unknown.to_string(),
    })
}
