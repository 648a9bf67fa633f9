//! orison as a pass of MLIR.

use melior::ContextRef;
use melior::ir::OperationRef;
use melior::ir::r#type::TypeId;
use melior::pass::{ExternalPass, Pass, RunExternalPass, create_external};
use orison_ir::pass::Pipeline;

use crate::error::Error;
use crate::run;

/// What tells passes of this kind from others: the address counts.
#[repr(align(8))]
struct PassId;

static PASS_ID: PassId = PassId;

/// Runs a pipeline of orison on the operation that MLIR's pass manager hands over.
#[derive(Clone)]
struct OrisonPass {
    pipeline: Pipeline,
}

impl<'c> RunExternalPass<'c> for OrisonPass {
    fn initialize(&mut self, _context: ContextRef<'c>) {}

    fn run(&mut self, operation: OperationRef<'c, '_>, pass: ExternalPass<'_>) {
        let pipeline = &self.pipeline;
        // A panic must not run through MLIR's frames.
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            // SAFETY: the pass manager hands over an operation that no other thread works on.
            unsafe { run::run_on(operation.to_raw(), pipeline) }
        }));
        if !matches!(done, Ok(Ok(_))) {
            pass.signal_failure();
        }
    }
}

/// A pass for a pass manager of MLIR that runs a pipeline of orison, such as
/// `builtin.module(canonicalize)`. It fails on operations with another name than the one that the
/// pipeline begins with, so add it where those are.
///
/// # Errors
/// When the pipeline is wrong.
pub fn create_pass(pipeline: &str) -> Result<Pass, Error> {
    let pipeline = run::parse(pipeline)?;
    // MLIR keeps the name of an anchor without copying it, and aborts the process when it differs;
    // without one, orison says itself what is wrong.
    let anchor = "";
    Ok(create_external(
        OrisonPass { pipeline },
        TypeId::create(&PASS_ID),
        "orison",
        "orison",
        "Runs a pass pipeline of orison",
        anchor,
        &[],
    ))
}
