//! IR core of orison: types, attributes, operations, textual format, verifier, passes.
//!
//! The IR is MLIR's: operations with operands, results, attributes and nested regions of blocks in
//! SSA form. A [`Context`] owns everything; operations, values, types and attributes are `Copy`
//! handles into it.
//!
//! ```
//! use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string};
//!
//! let mut context = Context::new();
//! context.allow_unregistered_dialects(true);
//! let text = r#"%0 = "toy.make"() : () -> i32"#;
//! let module = parse_source(&mut context, Source { name: "toy.mlir", text, first_line: 1 });
//! let module = module.expect("this text is well-formed");
//! assert_eq!(
//!     print_to_string(&context, module, &PrintFlags::generic()),
//!     "\"builtin.module\"() ({\n  %0 = \"toy.make\"() : () -> i32\n}) : () -> ()\n"
//! );
//! ```

pub mod affine;
pub mod analyses;
pub mod attributes;
mod builder;
pub mod bytecode;
mod cloning;
mod context;
pub mod declare;
pub mod diagnostics;
pub mod dominance;
mod edge_updates;
mod entities;
mod identifier;
pub mod location;
pub mod numbers;
mod opaque_aliases;
mod palette;
pub mod parser;
pub mod pass;
pub mod pattern;
pub mod printer;
pub mod resources;
pub mod rewrite;
mod storage;
pub mod symbol_table;
pub mod types;
pub mod verifier;
pub mod walk;

pub use attributes::{Attribute, AttributeKind};
pub use builder::{Builder, InsertionPoint, Listener};
pub use cloning::Mapping;
pub use context::{Context, OperationName};
pub use diagnostics::{Diagnostic, Severity};
pub use edge_updates::EdgeUpdates;
pub use entities::{Block, Operation, OperationState, Region, Use, Value, ValueOwner};
pub use identifier::Identifier;
pub use location::{Location, LocationKind};
pub use opaque_aliases::OpaqueAlias;
pub use palette::{ColorChoice, Palette};
pub use parser::{ParseError, ParseResult, Source, parse_source};
pub use printer::{PrintFlags, print, print_to_string};
pub use rewrite::{Declined, Rewriter, Rule, RuleResult};
pub use types::{Type, TypeKind};
pub use verifier::verify;
