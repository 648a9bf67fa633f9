//! Declarations of machine operations, with the parts that all of them share.

/// Declares machine operations: [`orison_ir::operations!`] with a guard, values for threads where
/// the guard does not hold, operand modifiers, and the shared assembly and verifier.
macro_rules! machine_operations {
    ($(
        $(#[doc = $doc:literal])*
        op $rust:ident = $name:literal {
            $(operands { $($operands:tt)* })?
            $(results { $($results:tt)* })?
            $(attributes { $($attributes:tt)* })?
            $(successors { $($successors:tt)* })?
            effects: $effects:ident,
            $(traits: [$($trait:expr),*],)?
            $(verify: $verify:expr,)*
        }
    )*) => {
        orison_ir::operations! { $(
            $(#[doc = $doc])*
            op $rust = $name {
                operands {
                    $($($operands)*)?
                    /// Predicate of the threads that execute the operation; all if absent.
                    guard: optional($crate::types::PREDICATE),
                    /// The results where the guard does not hold; undefined if absent.
                    otherwise: variadic($crate::types::REGISTER),
                }
                $(results { $($results)* })?
                attributes {
                    $($($attributes)*)?
                    /// Modifiers applied to operands when they are read.
                    modifiers = "modifiers": optional($crate::modifiers::ModifiersAttr),
                }
                $(successors { $($successors)* })?
                with {
                    traits: &[orison_ir::declare::Trait::AttrSizedOperandSegments $($(, $trait)*)?],
                    effects: orison_ir::declare::Effects::$effects,
                    assembly: orison_ir::declare::Assembly::Custom {
                        parse: $crate::assembly::parse,
                        print: $crate::assembly::print,
                    },
                    verify: Some(|context, op| {
                        $crate::verify::machine(context, op)?;
                        $( $verify(context, op)?; )*
                        Ok(())
                    }),
                    fold: Some($crate::patterns::fold),
                }
            }
        )* }
    };
}

/// Declares operations without effects: with one result from one, two or three operands `a`, `b`,
/// `c`; with carries; selections; or comparisons.
macro_rules! arithmetic_operations {
    ($(
        $(#[doc = $doc:literal])*
        $rust:ident = $name:literal: $shape:ident($($set:ident),*) -> $result:ident
        $(, { $($attributes:tt)* })?
        $(, verify $verify:expr)?;
    )*) => { $(
        $crate::declare::arithmetic_operations! { @$shape
            [$(#[doc = $doc])*] $rust $name ($($set),*) $result
            { $($($attributes)*)? } [$($verify)?]
        }
    )* };
    (@unary [$($doc:tt)*] $rust:ident $name:literal ($a:ident) $result:ident { $($attributes:tt)* } [$($verify:expr)?]) => {
        $crate::declare::machine_operations! {
            $($doc)*
            op $rust = $name {
                operands {
                    /// The source.
                    a: one($a),
                }
                results {
                    /// The result.
                    result: one($result),
                }
                attributes { $($attributes)* }
                effects: None,
                $(verify: $verify,)?
            }
        }
    };
    (@binary [$($doc:tt)*] $rust:ident $name:literal ($a:ident, $b:ident) $result:ident { $($attributes:tt)* } [$($verify:expr)?]) => {
        $crate::declare::machine_operations! {
            $($doc)*
            op $rust = $name {
                operands {
                    /// The first source.
                    a: one($a),
                    /// The second source.
                    b: one($b),
                }
                results {
                    /// The result.
                    result: one($result),
                }
                attributes { $($attributes)* }
                effects: None,
                $(verify: $verify,)?
            }
        }
    };
    (@ternary [$($doc:tt)*] $rust:ident $name:literal ($a:ident, $b:ident, $c:ident) $result:ident { $($attributes:tt)* } [$($verify:expr)?]) => {
        $crate::declare::machine_operations! {
            $($doc)*
            op $rust = $name {
                operands {
                    /// The first source.
                    a: one($a),
                    /// The second source.
                    b: one($b),
                    /// The third source.
                    c: one($c),
                }
                results {
                    /// The result.
                    result: one($result),
                }
                attributes { $($attributes)* }
                effects: None,
                $(verify: $verify,)?
            }
        }
    };
    (@carry [$($doc:tt)*] $rust:ident $name:literal ($a:ident, $b:ident, $c:ident, $carry:ident) $result:ident { $($attributes:tt)* } [$($verify:expr)?]) => {
        $crate::declare::machine_operations! {
            $($doc)*
            op $rust = $name {
                operands {
                    /// The first source.
                    a: one($a),
                    /// The second source.
                    b: one($b),
                    /// The third source.
                    c: one($c),
                    /// Carries in, at most two; only with `extended`.
                    carry: variadic($crate::types::PREDICATE),
                }
                results {
                    /// The result.
                    result: one($result),
                    /// Carries out, at most two.
                    carries: variadic($carry),
                }
                attributes {
                    $($attributes)*
                    /// `.X`: the carries in are added.
                    extended = "extended": optional(orison_ir::declare::UnitAttr),
                }
                effects: None,
                verify: $crate::verify::carries,
                $(verify: $verify,)?
            }
        }
    };
    (@select [$($doc:tt)*] $rust:ident $name:literal ($a:ident, $b:ident, $choice:ident) $result:ident { $($attributes:tt)* } [$($verify:expr)?]) => {
        $crate::declare::machine_operations! {
            $($doc)*
            op $rust = $name {
                operands {
                    /// The result if the choice holds.
                    a: one($a),
                    /// The result otherwise.
                    b: one($b),
                    /// The predicate that selects.
                    choice: one($choice),
                }
                results {
                    /// The result.
                    result: one($result),
                }
                attributes { $($attributes)* }
                effects: None,
                $(verify: $verify,)?
            }
        }
    };
    (@comparison [$($doc:tt)*] $rust:ident $name:literal ($a:ident, $b:ident, $with:ident) $result:ident { $($attributes:tt)* } [$($verify:expr)?]) => {
        $crate::declare::machine_operations! {
            $($doc)*
            op $rust = $name {
                operands {
                    /// The first source.
                    a: one($a),
                    /// The second source.
                    b: one($b),
                    /// A predicate that the outcome is combined with; true if absent.
                    with: optional($with),
                    /// The outcome for the low words, if the sources are high words.
                    low: optional($with),
                }
                results {
                    /// The combined outcome.
                    result: one($result),
                    /// The combined opposite outcome; at most one.
                    opposite: variadic($result),
                }
                attributes {
                    $($attributes)*
                    /// The operation that combines the outcome with `with`.
                    combine = "combine": default(crate::keywords::CombineAttr, crate::keywords::Combine::And),
                }
                effects: None,
                verify: $crate::verify::comparison,
                $(verify: $verify,)?
            }
        }
    };
}

pub(crate) use arithmetic_operations;
pub(crate) use machine_operations;
