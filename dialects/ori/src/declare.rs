//! Declarations of machine operations, with the parts that all of them share.

/// Declares machine operations: [`orison_ir::operations!`] with a guard, values for threads where
/// the guard does not hold, operand modifiers, the shared assembly and verifier, and groups for
/// addresses and for operations without effects that have one result.
macro_rules! machine_operations {
    ($($declarations:tt)*) => {
        orison_ir::operations! {
            base {
                operands {
                    /// Predicate of the threads that execute the operation; all if absent.
                    guard: optional(crate::types::PREDICATE),
                    /// The results where the guard does not hold; undefined if absent.
                    otherwise: variadic(crate::types::REGISTER),
                }
                attributes {
                    /// Modifiers applied to operands when they are read.
                    modifiers = "modifiers": optional(crate::modifiers::ModifiersAttr),
                }
                with {
                    traits: &[orison_ir::declare::Trait::AttrSizedOperandSegments],
                    assembly: orison_ir::declare::Assembly::Custom {
                        parse: crate::assembly::parse,
                        print: crate::assembly::print,
                    },
                    verify: Some(crate::verify::machine),
                    fold: Some(crate::patterns::fold),
                }
            }

            group unary(SOURCE, RESULT) {
                operands {
                    /// The source.
                    a: one(SOURCE),
                }
                results {
                    /// The result.
                    result: one(RESULT),
                }
                with { effects: orison_ir::declare::Effects::None }
            }

            group binary(FIRST, SECOND, RESULT) {
                operands {
                    /// The first source.
                    a: one(FIRST),
                    /// The second source.
                    b: one(SECOND),
                }
                results {
                    /// The result.
                    result: one(RESULT),
                }
                with { effects: orison_ir::declare::Effects::None }
            }

            group ternary(FIRST, SECOND, THIRD, RESULT) {
                operands {
                    /// The first source.
                    a: one(FIRST),
                    /// The second source.
                    b: one(SECOND),
                    /// The third source.
                    c: one(THIRD),
                }
                results {
                    /// The result.
                    result: one(RESULT),
                }
                with { effects: orison_ir::declare::Effects::None }
            }

            group carry(FIRST, SECOND, THIRD, CARRY, RESULT) {
                operands {
                    /// The first source.
                    a: one(FIRST),
                    /// The second source.
                    b: one(SECOND),
                    /// The third source.
                    c: one(THIRD),
                    /// Carries in, at most two; only with `extended`.
                    carry: variadic(crate::types::PREDICATE),
                }
                results {
                    /// The result.
                    result: one(RESULT),
                    /// Carries out, at most two.
                    carries: variadic(CARRY),
                }
                attributes {
                    /// `.X`: the carries in are added.
                    extended = "extended": optional(orison_ir::declare::UnitAttr),
                }
                with {
                    effects: orison_ir::declare::Effects::None,
                    verify: Some(crate::verify::carries),
                }
            }

            group select(FIRST, SECOND, CHOICE, RESULT) {
                operands {
                    /// The result if the choice holds.
                    a: one(FIRST),
                    /// The result otherwise.
                    b: one(SECOND),
                    /// The predicate that selects.
                    choice: one(CHOICE),
                }
                results {
                    /// The result.
                    result: one(RESULT),
                }
                with { effects: orison_ir::declare::Effects::None }
            }

            group comparison(FIRST, SECOND, WITH, RESULT) {
                operands {
                    /// The first source.
                    a: one(FIRST),
                    /// The second source.
                    b: one(SECOND),
                    /// A predicate that the outcome is combined with; true if absent.
                    with: optional(WITH),
                    /// The outcome for the low words, if the sources are high words.
                    low: optional(WITH),
                }
                results {
                    /// The combined outcome.
                    result: one(RESULT),
                    /// The combined opposite outcome; at most one.
                    opposite: variadic(RESULT),
                }
                attributes {
                    /// The operation that combines the outcome with `with`.
                    combine = "combine": default(crate::keywords::Combine, crate::keywords::Combine::And),
                }
                with {
                    effects: orison_ir::declare::Effects::None,
                    verify: Some(crate::verify::comparison),
                }
            }

            group address {
                operands {
                    /// The per-thread part of the address.
                    base: optional(crate::types::ADDRESS),
                    /// The uniform part of the address.
                    uniform: optional(crate::types::UNIFORM_ADDRESS),
                }
                attributes {
                    /// Byte offset added to the address.
                    offset = "offset": default(orison_ir::declare::I32Attr, 0),
                }
            }

            $($declarations)*
        }
    };
}

pub(crate) use machine_operations;
