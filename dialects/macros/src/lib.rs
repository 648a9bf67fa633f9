//! The procedural macro that declares operations.
//!
//! An invocation holds operations, groups of parts that several operations share, at most one
//! base, whose parts are appended to every operation, and at most one name for the list of all:
//!
//! ```text
//! /// Documentation.
//! list NAME;
//! base { … }
//! group name(PARAMETERS) { … }
//! /// Documentation.
//! op Rust = "dialect.name": group(arguments) + other_group { … }
//! ```
//!
//! The parts, in braces, are lists named `operands`, `results`, `attributes`, `regions`, `successors` and
//! `with`; see `orison_ir::operations`.

mod declaration;
mod expand;
mod tokens;

use proc_macro::TokenStream;

/// Declares operations; `orison_ir::operations` documents the form.
#[proc_macro]
pub fn operations(input: TokenStream) -> TokenStream {
    let output = declaration::parse(input.into()).map(|invocation| expand::invocation(&invocation));
    output.unwrap_or_else(tokens::Error::into_tokens).into()
}
