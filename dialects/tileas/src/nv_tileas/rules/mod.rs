//! Canonicalisations.

pub mod slice_of_insert;
pub mod slice_of_view;
pub mod static_slice;

use orison_ir::Rule;

/// Rules rooted at operations of other dialects.
pub static NV_TILEAS_RULES: &[&Rule] = &[];
