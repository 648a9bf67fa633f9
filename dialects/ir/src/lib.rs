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

// The declaration macro names this crate by its path.
extern crate self as orison_ir;

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
mod erasure;
mod identifier;
mod interfaces;
mod keyword;
pub mod location;
pub mod numbers;
pub mod parser;
pub mod pass;
pub mod pattern;
mod payload;
pub mod printer;
pub mod resources;
pub mod rewrite;
mod rewriter;
mod spelling;
mod storage;
pub mod symbol_table;
pub mod types;
pub mod verifier;
pub mod walk;

pub use attributes::{Attribute, AttributeKind, OpaqueAlias};
pub use builder::{Builder, InsertionPoint, Listener};
pub use cloning::Mapping;
pub use context::{Context, OperationName};
pub use diagnostics::{ColorChoice, Diagnostic, Palette, Severity};
pub use edge_updates::EdgeUpdates;
pub use entities::{Block, Operation, OperationState, Region, Use, Value, ValueOwner, Values};
pub use identifier::Identifier;
pub use interfaces::Interface;
pub use keyword::Keyword;
pub use location::{Location, LocationKind};
pub use parser::{ParseError, ParseResult, Source, parse_source};
pub use payload::{DialectValue, Parameter, Parameterized, Payload};
pub use printer::{PrintFlags, print, print_to_string};
pub use rewrite::{Declined, Rewriter, Rule, RuleResult};
pub use types::{Type, TypeKind};
pub use verifier::verify;

/// Declares operations. Each declaration defines the record that verifier, parser, printer and
/// documentation read (`Type::DEFINITION`) and the typed view with accessors and a builder.
///
/// ```
/// use orison_ir::declare::{Effects, I32Attr, constraints::{ANY_TYPE, INDEX}};
/// orison_ir::operations! {
///     group place {
///         operands {
///             /// The storage.
///             storage: one(ANY_TYPE),
///             /// The position of the element.
///             indices: variadic(INDEX),
///         }
///     }
///
///     group value(SET) {
///         operands {
///             /// The new element.
///             value: one(SET),
///         }
///         with { effects: Effects::Write }
///     }
///
///     /// Reads one element.
///     ///
///     /// The longer description follows the summary line.
///     op Peek = "toy.peek": place {
///         results {
///             /// The element.
///             element: one(ANY_TYPE),
///         }
///         attributes {
///             /// Alignment in bytes.
///             alignment = "alignment": optional(I32Attr),
///         }
///         with { effects: Effects::Read }
///     }
///
///     /// Replaces one element.
///     op Poke = "toy.poke": place + value(ANY_TYPE);
/// }
/// assert_eq!(Peek::DEFINITION.name, "toy.peek");
/// assert_eq!(Peek::DEFINITION.summary(), "Reads one element.");
/// assert_eq!(Poke::DEFINITION.operands.len(), 3);
/// ```
///
/// * `operands`, `results`: `one`, `optional` or `variadic`, with a type constraint.
/// * `attributes`: `required(Form)`, `optional(Form)` or `default(Form, value)`. `build` takes the required
///   ones; the others have setters.
/// * `regions`: `one` or `variadic`, with a constraint; `successors`: `one` or `variadic`.
/// * `with`: other fields of [`OperationDefinition`](declare::OperationDefinition).
/// * A `group` holds parts that operations share. Its parameters are replaced by the arguments, which are
///   any tokens without a comma. An operation that needs nothing else ends with `;`.
/// * The parts of `base { … }` belong to every operation of the invocation, after its own.
/// * `list NAME;` makes `NAME` the list of the declarations of the invocation, in order, for the
///   crate's [`DialectDefinition`](declare::DialectDefinition).
///
/// Operands, results, regions and successors of groups come before those of the operation, attributes
/// after them. Traits of groups and operation are joined; all
/// verifiers run, those of the base first; any other field of the operation replaces that of a group.
pub use orison_macros::operations;
