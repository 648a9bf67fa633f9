//! Locations.

use mlir_sys::*;
use orison_ir::{Identifier, Location, LocationKind};

use super::Importer;
use crate::error::Error;
use crate::forms::Address;
use crate::raw;

impl Importer<'_> {
    /// A location.
    ///
    /// # Safety
    /// It is valid.
    pub(super) unsafe fn location(&mut self, location: MlirLocation) -> Result<Location, Error> {
        if let Some(known) = self.forms.locations.get(&(location.ptr as Address)) {
            return Ok(*known);
        }
        // SAFETY: as the caller says.
        let kind = unsafe { self.location_kind(location) }?;
        let new = Location::new(self.context, kind);
        self.forms.locations.insert(location.ptr as Address, new);
        self.forms.mlir_locations.entry(new).or_insert(location);
        Ok(new)
    }

    unsafe fn location_kind(&mut self, location: MlirLocation) -> Result<LocationKind, Error> {
        // SAFETY: the location is valid, and each accessor is called on what its test accepted.
        unsafe {
            if mlirLocationIsAFileLineColRange(location) {
                return self.range(location);
            }
            if mlirLocationIsAName(location) {
                let name = self.identifier(mlirLocationNameGetName(location))?;
                let child = self.location(mlirLocationNameGetChildLoc(location))?;
                return Ok(LocationKind::Name { name, child });
            }
            if mlirLocationIsACallSite(location) {
                let callee = self.location(mlirLocationCallSiteGetCallee(location))?;
                let caller = self.location(mlirLocationCallSiteGetCaller(location))?;
                return Ok(LocationKind::CallSite { callee, caller });
            }
            if mlirLocationIsAFused(location) {
                return self.fused(location);
            }
            if mlirLocationEqual(location, mlirLocationUnknownGet(self.mlir)) {
                return Ok(LocationKind::Unknown);
            }
        }
        // A dialect's own kind of location: its text is a name that leads back to it.
        let text = raw::printed(|callback, to| {
            // SAFETY: the location is valid.
            unsafe { mlirLocationPrint(location, callback, to) }
        });
        let name = Identifier::new(self.context, &String::from_utf8_lossy(&text));
        let child = Location::UNKNOWN;
        Ok(LocationKind::Name { name, child })
    }

    unsafe fn range(&mut self, location: MlirLocation) -> Result<LocationKind, Error> {
        let number = |number: i32| u32::try_from(number).unwrap_or(0);
        // SAFETY: it is a range.
        unsafe {
            let file = self.identifier(mlirLocationFileLineColRangeGetFilename(location))?;
            let line = number(mlirLocationFileLineColRangeGetStartLine(location));
            let column = number(mlirLocationFileLineColRangeGetStartColumn(location));
            let end = (
                number(mlirLocationFileLineColRangeGetEndLine(location)),
                number(mlirLocationFileLineColRangeGetEndColumn(location)),
            );
            Ok(LocationKind::File {
                file,
                line,
                column,
                end: (end != (line, column)).then_some(end),
            })
        }
    }

    unsafe fn fused(&mut self, location: MlirLocation) -> Result<LocationKind, Error> {
        // SAFETY: it is fused, and the buffer has room for all its parts.
        unsafe {
            let count = mlirLocationFusedGetNumLocations(location) as usize;
            let mut parts = vec![location; count];
            mlirLocationFusedGetLocations(location, parts.as_mut_ptr());
            let locations = parts
                .into_iter()
                .map(|part| self.location(part))
                .collect::<Result<_, _>>()?;
            let metadata = mlirLocationFusedGetMetadata(location);
            let metadata = match metadata.ptr.is_null() {
                true => None,
                false => Some(self.attribute(metadata)?),
            };
            Ok(LocationKind::Fused {
                locations,
                metadata,
            })
        }
    }
}
