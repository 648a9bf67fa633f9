//! Peephole rules on machine operations, one file per family.
//!
//! They are the documented families of ptxas (reference 9.8) whose conditions depend only on one
//! operation, its operands and its users. A rule is text, `iadd3(x, 0, 0) => x`, with a function
//! for conditions that the text cannot express; [`orison_ir::pattern`] has the grammar. Rules with
//! `both` are instantiated twice, for the operations of the thread and for their uniform variants.
//!
//! Identities of floats are bit-exact, except that a NaN may keep its payload where the operation
//! would have produced the canonical NaN.

mod choices;
mod constants;
mod copies;
mod floats;
mod folding;
mod logic;
mod operands;
mod predicates;
mod products;
mod selection;
mod shifts;
mod sums;

pub use folding::fold;
pub use operands::{OriPatterns, immediate};

use orison_ir::Rule;
use orison_ir::pattern::flatten;

/// Declares a peephole: `both` adds a second rule for the uniform variants.
macro_rules! peephole {
    ($(#[$doc:meta])* both $ident:ident, benefit $benefit:literal, $name:literal, $($rest:tt)*) => {
        orison_ir::peephole!(
            $(#[$doc])* pub(super) $ident, dialect &$crate::patterns::OriPatterns,
            ["ori.", "ori-"] ["ori.u", "ori-u"], benefit $benefit, $name, $($rest)*
        );
    };
    ($(#[$doc:meta])* $ident:ident, benefit $benefit:literal, $name:literal, $($rest:tt)*) => {
        orison_ir::peephole!(
            $(#[$doc])* pub(super) $ident, dialect &$crate::patterns::OriPatterns,
            ["ori.", "ori-"], benefit $benefit, $name, $($rest)*
        );
    };
}
use peephole;

/// The rules that always simplify, and are therefore part of canonicalization.
pub fn simplifications() -> Vec<&'static Rule> {
    let families = [
        sums::RULES,
        products::RULES,
        shifts::RULES,
        logic::RULES,
        choices::RULES,
        copies::RULES,
        floats::RULES,
    ];
    let mut rules = flatten(&families.concat());
    rules.extend(predicates::RULES);
    rules.extend(constants::RULES);
    rules
}

/// The rules that select one instruction instead of another, or of several.
pub fn selections() -> Vec<&'static Rule> {
    flatten(selection::RULES)
}
