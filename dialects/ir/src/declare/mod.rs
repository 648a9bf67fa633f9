//! Declarations of operations, types and attributes of a dialect.
//!
//! A declaration is plain data ([`OperationDefinition`]). The macro [`operations!`] generates it
//! together with the typed view (accessors and builder); the generic verifier, the assembly format,
//! the documentation page and the IRDL export read it.
//!
//! [`operations!`]: crate::operations

mod attribute_forms;
mod build;
pub mod constraints;
mod definition;
mod documentation;
pub mod format;
mod inherent_attributes;
mod irdl;
mod overview;
mod payload;
mod segments;
mod traits;

pub use attribute_forms::*;
pub use build::BuildParts;
pub use constraints::{
    AttributeConstraint, KeywordSet, RegionConstraint, TypeBound, TypeConstraint,
};
pub use definition::*;
pub use documentation::dialect_page;
pub use irdl::irdl_file;
pub(crate) use irdl::{UNREGISTERED, dotless, irdl_describes};
pub use overview::dialect_overview;
pub use payload::{
    AttributeDefinition, ParameterDefinition, PayloadDefinition, PlainForm, ReadParameters,
    TypeDefinition, VisitParameters,
};
pub use segments::{OPERAND_SEGMENTS, RESULT_SEGMENTS};
pub use traits::{CustomTrait, Trait, TraitSet, VerifyFn, VerifyResult};
