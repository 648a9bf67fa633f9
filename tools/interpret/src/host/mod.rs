//! The semantics of the host dialects.

mod arith;
mod cf;
mod constant;
mod func;
mod scf;

pub use arith::apply as apply_arith;
pub use constant::datum_of_attribute;

use crate::Interpreter;

/// Registers `arith`, `cf`, `func`, `math` and `scf` with an interpreter.
pub fn register(interpreter: &mut Interpreter<'_>) {
    interpreter.register("arith", Box::new(arith::Arith));
    interpreter.register("math", Box::new(arith::Arith));
    interpreter.register("cf", Box::new(cf::ControlFlow));
    interpreter.register("func", Box::new(func::Functions));
    interpreter.register("scf", Box::new(scf::Structured));
}
