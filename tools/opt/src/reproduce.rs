//! Files that reproduce a failure.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use orison_ir::pass::reproducer::Reproducer;

use crate::configuration::Run;
use crate::input::{Part, new_context, parse};

/// The default path of a reproducer: in the temporary folder, with a name that depends
/// on the input.
pub(crate) fn default_path(run: Run<'_>, part: &Part<'_>) -> PathBuf {
    let mut hasher = std::hash::DefaultHasher::new();
    // A file that can no longer be read has the name of an empty one.
    part.text(run).unwrap_or_default().hash(&mut hasher);
    let name = format!("orison-reproducer-{:016x}.mlir", hasher.finish());
    std::env::temp_dir().join(name)
}

/// The input with the pipeline in its metadata. The input is parsed again, because the current IR
/// is no longer the pipeline's input.
pub(crate) fn text(
    run: Run<'_>,
    part: &Part<'_>,
    reproducer: &Reproducer,
) -> std::io::Result<Vec<u8>> {
    let (mut context, _) = new_context(run);
    if let Ok(op) = parse(run, &mut context, part) {
        return Ok(reproducer.file(&mut context, op).into_bytes());
    }
    // The input has a syntax error, so the pipeline is not relevant; it is kept for the reader.
    let mut text = format!("// pipeline: {}\n", reproducer.pipeline).into_bytes();
    text.extend_from_slice(&part.text(run)?);
    Ok(text)
}
