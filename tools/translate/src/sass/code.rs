//! Reads the code of cubins by the tables of encodings, without nvdisasm.

use orison_ir::{Context, Operation};
use orison_sass::cubin::Cubin;
use orison_sass::dialect;
use orison_sass::listing::{Code, Listing};

/// The sections with code of a cubin as a module of `sass`, as the output of cuobjdump for it is
/// imported.
///
/// # Errors
/// If the file is not a cubin of a known machine, or a section of it is not code.
pub fn module(context: &mut Context, cubin: &[u8], name: &str) -> Result<Operation, String> {
    let cubin = Cubin::read(cubin).map_err(|error| error.to_string())?;
    let code = cubin.sections.iter().filter(|section| section.is_code());
    let code: Vec<_> = code
        .map(|section| Code {
            name: &section.name,
            bytes: section.bytes(),
        })
        .collect();
    let listing = Listing::of_code(&cubin.machine(), &code).map_err(|error| error.message)?;
    dialect::module(context, listing, name).map_err(|error| error.message)
}
