//! The semantics of the host dialects.

mod arith;
mod cf;
mod constant;
mod func;
mod scf;

pub use arith::apply as apply_arith;
pub use constant::datum_of_attribute;

use orison_ir::{Context, Operation};

use crate::Interpreter;

impl<'c> Interpreter<'c> {
    /// An interpreter of a module with `arith`, `cf`, `func` and `scf` registered.
    pub fn with_host_dialects(context: &'c Context, module: Operation) -> Self {
        let mut interpreter = Interpreter::new(context, module);
        register(&mut interpreter);
        interpreter
    }
}

/// Registers `arith`, `cf`, `func`, `math` and `scf` with an interpreter.
pub fn register(interpreter: &mut Interpreter<'_>) {
    interpreter.register("arith", Box::new(arith::Arith));
    interpreter.register("math", Box::new(arith::Arith));
    interpreter.register("cf", Box::new(cf::ControlFlow));
    interpreter.register("func", Box::new(func::Functions));
    interpreter.register("scf", Box::new(scf::Structured));
}
