//! `ori`: machine operations on virtual registers, in SSA over a control flow graph.
//!
//! Registers are types ([`types`]). Every operation has a row in the instruction table ([`opcodes`]), so
//! that passes query properties and never list opcodes. Instructions that the dialect does not
//! model are `ori.inst "MNEMONIC"`.
//!
//! ```
//! use orison_ir::{Context, Source, parse_source};
//! let mut context = Context::new();
//! orison_host::register(&mut context);
//! orison_ori::register(&mut context);
//! let text = r#"
//!   ori.func kernel @k() target "sm_80" {
//!     %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
//!     %n = ori.cbank [0, 352] : !ori.r
//!     %past = ori.isetp <ge, s32> %tid, %n : (!ori.r, !ori.r) -> !ori.p
//!     ori.exit_if %past : !ori.p
//!     ori.exit
//!   }"#;
//! let module = parse_source(&mut context, Source { name: "a.mlir", text, first_line: 1 });
//! let module = module.expect("well-formed");
//! assert!(context.verify(module).is_ok());
//! ```

pub mod analyses;
mod assembly;
pub mod build;
mod declare;
pub mod division;
pub mod keywords;
pub mod knobs;
pub mod modifiers;
pub mod opcodes;
pub mod operations;
pub mod patterns;
pub mod semantics;
pub mod types;
mod verify;

pub use build::MachineOperation;
pub use types::{Physical, Register};

use orison_ir::Context;
use orison_ir::declare::{AttributeDefinition, DialectDefinition};

/// The attributes of the dialect: those of keywords, and the modifiers of operands.
static ATTRIBUTES: [&AttributeDefinition; keywords::ATTRIBUTES.len() + 1] = {
    let mut all = [&modifiers::MODIFIERS_ATTRIBUTE; keywords::ATTRIBUTES.len() + 1];
    let (_, keywords) = all.split_at_mut(1);
    keywords.copy_from_slice(keywords::ATTRIBUTES);
    all
};

/// The dialect.
pub static ORI: DialectDefinition = DialectDefinition {
    name: "ori",
    documentation: include_str!("documentation.md"),
    operations: operations::OPERATIONS,
    types: &types::TYPES,
    attributes: &ATTRIBUTES,
    materialize_constant: Some(operations::structure::materialize_constant),
    ..DialectDefinition::DEFAULT
};

/// Registers the dialect with a context.
pub fn register(context: &mut Context) {
    context.register_dialect(&ORI);
    opcodes::attach(context, operations::OPERATIONS);
    semantics::attach(context);
}
