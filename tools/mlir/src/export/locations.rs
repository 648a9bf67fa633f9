//! Locations.

use mlir_sys::*;
use orison_ir::{Location, LocationKind};

use super::Exporter;
use crate::error::Error;
use crate::raw;

impl Exporter<'_> {
    /// A location.
    ///
    /// # Errors
    /// When MLIR refuses its metadata.
    pub(crate) fn location(&mut self, location: Location) -> Result<MlirLocation, Error> {
        if let Some(known) = self.forms.mlir_locations.get(&location) {
            return Ok(*known);
        }
        let new = self.new_location(location)?;
        self.forms.mlir_locations.insert(location, new);
        Ok(new)
    }

    fn new_location(&mut self, location: Location) -> Result<MlirLocation, Error> {
        let (mlir, context) = (self.mlir, self.context);
        // SAFETY: the context is valid, texts and arrays are alive during the calls.
        unsafe {
            Ok(match location.kind(context) {
                LocationKind::Unknown => mlirLocationUnknownGet(mlir),
                LocationKind::File {
                    file,
                    line,
                    column,
                    end,
                } => {
                    let file = raw::text(file.text(context));
                    match end {
                        // A range from a place to itself is another object.
                        None => mlirLocationFileLineColGet(mlir, file, line, column),
                        Some((last_line, last)) => mlirLocationFileLineColRangeGet(
                            mlir, file, line, column, last_line, last,
                        ),
                    }
                }
                LocationKind::Name { name, child } => {
                    let child = self.location(child)?;
                    mlirLocationNameGet(mlir, raw::text(name.text(context)), child)
                }
                LocationKind::CallSite { callee, caller } => {
                    let (callee, caller) = (self.location(callee)?, self.location(caller)?);
                    mlirLocationCallSiteGet(callee, caller)
                }
                LocationKind::Fused {
                    locations,
                    metadata,
                } => {
                    let parts = locations
                        .iter()
                        .map(|part| self.location(*part))
                        .collect::<Result<Vec<_>, _>>()?;
                    let metadata = match metadata {
                        Some(metadata) => self.attribute(metadata)?,
                        None => mlirAttributeGetNull(),
                    };
                    mlirLocationFusedGet(mlir, parts.len() as isize, parts.as_ptr(), metadata)
                }
            })
        }
    }
}
