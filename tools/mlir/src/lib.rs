//! orison inside an MLIR-based compiler.
//!
//! A live module of MLIR goes over into orison and back by walking it through MLIR's C interface,
//! without text. `docs/embedding.md` is the guide; in Rust:
//!
//! - [`run_pipeline`] runs passes of orison on a [`melior::ir::Module`];
//! - [`create_pass`] is a pass for a pass manager of MLIR, and [`add_pipeline`] reads
//!   `canonicalize,orison{pipeline=…},cse`;
//! - [`load_dialects`] makes MLIR know the dialects of orison, through IRDL.
//!
//! [`c_interface`] is the same for C, C++ and everything that calls C.
//!
//! All unsafe code is calls into MLIR. Miri cannot run them; `tests/` runs all of it against MLIR.

pub mod c_interface;
mod error;
mod export;
mod forms;
mod import;
mod pass;
mod pipeline;
mod raw;
mod run;

pub use error::{Error, Message};
pub use pass::create_pass;
pub use pipeline::add_pipeline;
pub use run::{load_dialects, round_trip, run_pipeline, run_pipeline_on};

use mlir_sys::{MlirContext, mlirContextGetOrLoadDialect};
use orison_ir::Context;

/// Whether MLIR knows the dialect of a type or attribute of orison from IRDL, and so writes and reads
/// its parameters as plain attributes. The text may be the name alone, or all of `!ori.acc<4 : i64>`.
/// Nobody registers dialects of these names, so that asking loads nothing.
pub(crate) fn is_dynamic(context: &Context, mlir: MlirContext, text: &str) -> bool {
    let name = text.trim_start_matches(['!', '#']);
    let name = name.split('<').next().unwrap_or(name);
    let dialect = name.split('.').next().unwrap_or(name);
    // SAFETY: the context is valid as long as something of it is, and the text during the call.
    context.is_own(name)
        && unsafe {
            !mlirContextGetOrLoadDialect(mlir, raw::text(dialect))
                .ptr
                .is_null()
        }
}
