//! Semantics of programs: an interpreter of IR that executes one operation at a time.
//!
//! An [`Interpreter`] holds a module and the semantics of its operations: by dialect ([`Semantics`]),
//! or attached to an operation by the crate that declares it ([`Execution`]). A [`Machine`] is a running program: a stack of frames, one for each active
//! region. It is plain data, so it can be stepped, cloned, forked into tasks and inspected at any
//! operation; nothing recurses, whatever the nesting of regions and calls. A [`World`] holds the
//! state that machines share and their external events.
//!
//! Undefined behaviour and undefined results are explicit. Undefined behaviour
//! ([`Trap::Undefined`], for example a division by zero) stops the program; an undefined result
//! ([`Datum::Poison`], for example an oversized shift) propagates to its uses. [`refines`] compares
//! two runs: the second may be more defined than the first, never different.
//!
//! ```
//! use orison_interpret::{Datum, Interpreter, Outcome, World};
//! use orison_ir::{Context, Source, numbers::ApInt, parse_source};
//!
//! let mut context = Context::new();
//! orison_host::register(&mut context);
//! let text = "func.func @twice(%x: i8) -> i8 {\n  %y = arith.addi %x, %x : i8\n  return %y : i8\n}";
//! let module = parse_source(&mut context, Source { name: "twice.mlir", text, first_line: 1 });
//! let interpreter = Interpreter::with_host_dialects(&context, module.expect("well-formed"));
//! let mut machine = interpreter.start("twice", vec![Datum::integer(8, 100)]).expect("a function");
//! let outcome = interpreter.run(&mut machine, &mut World::default(), 100);
//! assert_eq!(outcome, Outcome::Returned(vec![Datum::Integer(ApInt::from_i64(8, -56))]));
//! ```

mod command;
pub mod host;
mod interpreter;
pub mod json;
mod machine;
mod program;
mod refinement;
mod semantics;
pub mod tile;
mod trap;
mod value;
pub mod warp;
mod world;

pub use command::main_with;
pub use interpreter::{Interpreter, Outcome, Progress};
pub use machine::{Frame, FrameKind, Machine};
pub use program::Program;
pub use refinement::{Difference, refines};
pub use semantics::{Action, Ended, Execute, Execution, Resume, Semantics, Step};
pub use trap::Trap;
pub use value::{Datum, Elements, Payload};
pub use world::{Event, World};

use orison_ir::Context;

/// Attaches how they run to the operations of the tile dialects and of the machine dialect. What a
/// crate has attached before stays.
pub fn register(context: &mut Context) {
    tile::attach(context);
    warp::register(context);
}
