//! What of MLIR is what of orison: each type, attribute, location and name is converted once.
//!
//! MLIR makes equal things one object, and so does orison, so that a table by address says all. The
//! tables serve both ways: what came from MLIR and was not changed goes back as the same object,
//! whether orison understands it or not.

use std::rc::Rc;

use mlir_sys::{MlirAttribute, MlirLocation, MlirType};
use orison_ir::{Attribute, Identifier, Location, Operation, OperationName, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// An object of MLIR, by its address.
pub(crate) type Address = usize;

/// How the inherent attributes of an operation are found in MLIR.
#[derive(Debug)]
pub(crate) enum Inherent {
    /// By name, since orison knows the names; those that MLIR keeps among the others too.
    Declared(Vec<(Identifier, String)>),
    /// In the text of the operation: orison does not know it.
    Unknown,
}

/// An operation name.
#[derive(Debug)]
pub(crate) struct NameForm {
    pub(crate) name: OperationName,
    pub(crate) inherent: Inherent,
    /// Whether nothing inside uses values from outside, nor the other way round.
    pub(crate) isolated: bool,
}

/// The tables.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    pub(crate) types: FxHashMap<Address, Type>,
    pub(crate) attributes: FxHashMap<Address, Attribute>,
    pub(crate) locations: FxHashMap<Address, Location>,
    pub(crate) identifiers: FxHashMap<Address, Identifier>,
    pub(crate) names: FxHashMap<Address, Rc<NameForm>>,
    pub(crate) mlir_types: FxHashMap<Type, MlirType>,
    pub(crate) mlir_attributes: FxHashMap<Attribute, MlirAttribute>,
    pub(crate) mlir_locations: FxHashMap<Location, MlirLocation>,
    /// The locations of imported operations, by [`orison_ir::Operation::index`], so that most need
    /// not be looked up.
    pub(crate) operation_locations: Vec<(Location, MlirLocation)>,
    /// Properties by their text.
    pub(crate) properties: FxHashMap<Box<[u8]>, Attribute>,
    /// Operations that MLIR does not know and whose inherent attributes it has among the others.
    pub(crate) mixed: FxHashSet<OperationName>,
}

impl Forms {
    /// Keeps the location of an imported operation.
    pub(crate) fn remember_location(
        &mut self,
        operation: Operation,
        own: Location,
        location: MlirLocation,
    ) {
        let index = operation.index();
        if index >= self.operation_locations.len() {
            let nothing = MlirLocation {
                ptr: std::ptr::null(),
            };
            self.operation_locations
                .resize(index + 1, (Location::UNKNOWN, nothing));
        }
        self.operation_locations[index] = (own, location);
    }

    /// The location of an operation, if it is what it was when the operation was imported.
    pub(crate) fn remembered_location(
        &self,
        operation: Operation,
        own: Location,
    ) -> Option<MlirLocation> {
        let (known, location) = *self.operation_locations.get(operation.index())?;
        (known == own && !location.ptr.is_null()).then_some(location)
    }
}
