//! Host dialects of orison: builtin, func, arith, math, scf, cf.
//!
//! They are MLIR's dialects of these names: the same operations, assembly and verifiers, so that
//! text round-trips between both.
//!
//! ```
//! use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string};
//!
//! let mut context = Context::new();
//! orison_host::register(&mut context);
//! let text = "func.func @one() -> i32 {\n  %x = arith.constant 1 : i32\n  return %x : i32\n}";
//! let module = parse_source(&mut context, Source { name: "one.mlir", text, first_line: 1 });
//! let module = module.expect("this text is well-formed");
//! assert_eq!(
//!     print_to_string(&context, module, &PrintFlags::default()),
//!     "module {\n  func.func @one() -> i32 {\n    %c1_i32 = arith.constant 1 : i32\n    \
//!      return %c1_i32 : i32\n  }\n}\n"
//! );
//! ```

pub mod arith;
pub mod builtin;
pub mod cf;
pub mod func;
pub mod math;
pub mod scf;
mod types;

use orison_ir::Context;

/// Registers the operations of all host dialects in a context.
pub fn register(context: &mut Context) {
    context.register_dialect(&builtin::DIALECT);
    context.register_dialect(&func::DIALECT);
    context.register_dialect(&arith::DIALECT);
    context.register_dialect(&math::DIALECT);
    context.register_dialect(&scf::DIALECT);
    context.register_dialect(&cf::DIALECT);
}
