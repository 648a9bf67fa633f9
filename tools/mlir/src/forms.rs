//! What of MLIR is what of orison: each type, attribute, location and name is converted once.
//!
//! MLIR makes equal things one object, and so does orison, so that a table by address says all. The
//! tables serve both ways: what came from MLIR and was not changed goes back as the same object,
//! whether orison understands it or not.

use std::rc::Rc;

use mlir_sys::{MlirAttribute, MlirLocation, MlirType};
use orison_ir::{Attribute, Identifier, Location, OperationName, Type};
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
    /// Operations that MLIR does not know and whose inherent attributes it has among the others.
    pub(crate) mixed: FxHashSet<OperationName>,
}
