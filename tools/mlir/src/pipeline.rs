//! Pipelines of MLIR with passes of orison in them: `canonicalize,orison{pipeline=…},cse`.

use melior::pass::OperationPassManager;
use mlir_sys::*;

use crate::error::Error;
use crate::pass::create_pass;
use crate::raw;

/// How deep pipelines may nest.
const MAX_DEPTH: usize = 64;

/// Adds a pipeline to a pass manager of MLIR. The text is as in `mlir-opt`, without the anchor of
/// the pass manager itself; `orison{pipeline=builtin.module(…)}` is a pass of orison.
///
/// ```no_run
/// # fn f(manager: &melior::pass::PassManager<'_>) -> Result<(), orison_mlir::Error> {
/// let text = "canonicalize,orison{pipeline=builtin.module(tileas-generate-schedule)},cse";
/// orison_mlir::add_pipeline(manager.as_operation_pass_manager(), text)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the text is malformed or names what does not exist. What stands before that has been added.
pub fn add_pipeline(manager: OperationPassManager<'_, '_>, text: &str) -> Result<(), Error> {
    // SAFETY: a pass manager of melior is valid.
    unsafe { add(manager.to_raw(), text, 0) }
}

/// Adds the elements of a list.
///
/// # Safety
/// The pass manager is valid.
pub(crate) unsafe fn add(
    manager: MlirOpPassManager,
    text: &str,
    depth: usize,
) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        let message = format!("pipelines nest deeper than {MAX_DEPTH} levels");
        return Err(Error::MlirPipeline(message));
    }
    // Neighbours that MLIR has itself are handed over as they stand.
    let mut upstream = Vec::new();
    for element in elements(text)? {
        let element = element.trim();
        match part_of_orison(element) {
            None => upstream.push(element),
            Some(part) => {
                // SAFETY: the pass manager is valid, and so are those nested in it.
                unsafe {
                    add_upstream(manager, &mut upstream)?;
                    match part {
                        Part::Pass(pipeline) => {
                            let pass = create_pass(pipeline)?;
                            mlirOpPassManagerAddOwnedPass(manager, pass.to_raw());
                        }
                        Part::Nested(name, inside) => {
                            let nested = mlirOpPassManagerGetNestedUnder(manager, raw::text(name));
                            add(nested, inside, depth + 1)?;
                        }
                    }
                }
            }
        }
    }
    // SAFETY: as above.
    unsafe { add_upstream(manager, &mut upstream) }
}

/// What of a pipeline is for orison.
enum Part<'t> {
    /// `orison{pipeline=…}`: the pipeline.
    Pass(&'t str),
    /// `name(…)` with something for orison inside.
    Nested(&'t str, &'t str),
}

fn part_of_orison(element: &str) -> Option<Part<'_>> {
    let options = element
        .strip_prefix("orison")
        .and_then(|rest| rest.trim_start().strip_prefix('{')?.strip_suffix('}'));
    if let Some(options) = options {
        let value = options.trim().strip_prefix("pipeline")?.trim_start();
        let value = value.strip_prefix('=')?.trim();
        let bare = value.strip_prefix(['"', '\'']);
        let bare = bare.and_then(|rest| rest.strip_suffix(['"', '\'']));
        return Some(Part::Pass(bare.unwrap_or(value)));
    }
    let (name, rest) = element.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    let is_name = !name.contains(['{', '}']);
    (is_name && inside.contains("orison")).then_some(Part::Nested(name.trim(), inside))
}

/// The parts of a list between commas that are not inside brackets.
fn elements(text: &str) -> Result<Vec<&str>, Error> {
    let mut elements = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => {
                depth = depth.checked_sub(1).ok_or_else(|| {
                    Error::MlirPipeline(format!("unbalanced brackets in '{text}'"))
                })?;
            }
            b',' if depth == 0 => {
                elements.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth != 0 {
        return Err(Error::MlirPipeline(format!(
            "unbalanced brackets in '{text}'"
        )));
    }
    elements.push(&text[start..]);
    Ok(elements)
}

/// Adds passes of MLIR.
unsafe fn add_upstream(manager: MlirOpPassManager, elements: &mut Vec<&str>) -> Result<(), Error> {
    if elements.is_empty() {
        return Ok(());
    }
    let text = elements.join(",");
    elements.clear();
    let mut added = false;
    let words = raw::printed(|callback, to| {
        // SAFETY: the pass manager is valid, and the text is alive during the call.
        let result =
            unsafe { mlirOpPassManagerAddPipeline(manager, raw::text(&text), callback, to) };
        added = result.value != 0;
    });
    if added {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&words).trim().to_owned();
    Err(Error::MlirPipeline(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_brackets_part_nothing() {
        let text = "canonicalize{a=1,b=2},func.func(cse,orison{pipeline=func.func(x,y)}),cse";
        let parts = elements(text).expect("balanced");
        assert_eq!(
            parts,
            [
                "canonicalize{a=1,b=2}",
                "func.func(cse,orison{pipeline=func.func(x,y)})",
                "cse"
            ]
        );
        assert!(elements("a(b").is_err());
        assert!(elements("a)b").is_err());
    }

    #[test]
    fn a_nested_pipeline_is_taken_apart_only_when_orison_is_in_it() {
        assert!(part_of_orison("func.func(cse)").is_none());
        assert!(part_of_orison("canonicalize{top-down=false}").is_none());
        let pass = part_of_orison("orison{pipeline=\"builtin.module(cse)\"}");
        assert!(matches!(pass, Some(Part::Pass("builtin.module(cse)"))));
        let nested = part_of_orison("func.func(orison{pipeline=func.func(cse)})");
        assert!(matches!(
            nested,
            Some(Part::Nested("func.func", "orison{pipeline=func.func(cse)}"))
        ));
    }
}
