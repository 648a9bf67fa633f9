//! What a program means: an interpreter of IR that runs one operation at a time.
//!
//! An [`Interpreter`] knows the operations of a module and, by dialect, what they do
//! ([`Semantics`]). A [`Machine`] is a running program: a stack of frames, one for each region that
//! is under way. It is plain data, so it can be stepped, cloned, forked into tasks and inspected at
//! any operation; nothing recurses, whatever the depth of regions and calls. A [`World`] is what
//! machines share and do to the outside.
//!
//! Undefined behaviour and undefined results are explicit. What a program must not do
//! ([`Trap::Undefined`], for example a division by zero) stops it; a result without a meaning
//! ([`Datum::Poison`], for example a shift by too much) is passed on and matters where it is used.
//! [`refines`] compares two runs: the second may be more defined than the first, never different.
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

pub mod host;
mod interpreter;
pub mod json;
mod machine;
mod refinement;
mod semantics;
pub mod tile;
mod value;
pub mod warp;
mod world;

pub use interpreter::{Interpreter, Outcome, Progress};
pub use machine::{Frame, FrameKind, Machine};
pub use refinement::{Difference, refines};
pub use semantics::{Action, Ended, Semantics, Step, Trap};
pub use value::{Datum, Elements, Payload};
pub use world::{Event, World};
