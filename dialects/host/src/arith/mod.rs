//! The arith dialect: integer and float arithmetic on scalars, vectors and tensors.

use orison_ir::declare::{CustomTrait, DialectDefinition, Trait};

pub(crate) mod assembly;
mod attributes;
mod casts;
mod compare;
mod constant;
mod float;
mod fold;
mod integer;
mod poison;
mod rules;
mod scalars;
pub(crate) mod verify;

pub use attributes::{
    FastMath, FastMathAttr, FloatPredicate, FloatPredicateAttr, IntegerPredicate,
    IntegerPredicateAttr, Overflow, OverflowAttr, RoundingMode, RoundingModeAttr,
};
pub use casts::*;
pub use compare::*;
pub use constant::*;
pub use float::*;
pub use integer::*;
pub(crate) use poison::is_never_poison;
pub(crate) use scalars::{Scalar, integer_vector, integers, map};

/// The dialect definition.
pub static DIALECT: DialectDefinition = DialectDefinition {
    name: "arith",
    documentation: "Integer and float arithmetic on scalars, vectors and tensors.\n\n\
        Integers are signless; operations whose result depends on signedness have a variant for \
        each (`divsi`, `divui`).",
    operations: &[
        AddF::DEFINITION,
        AddI::DEFINITION,
        AddUIExtended::DEFINITION,
        AndI::DEFINITION,
        Bitcast::DEFINITION,
        CeilDivSI::DEFINITION,
        CeilDivUI::DEFINITION,
        CmpF::DEFINITION,
        CmpI::DEFINITION,
        Constant::DEFINITION,
        DivF::DEFINITION,
        DivSI::DEFINITION,
        DivUI::DEFINITION,
        ExtF::DEFINITION,
        ExtSI::DEFINITION,
        ExtUI::DEFINITION,
        FPToSI::DEFINITION,
        FPToUI::DEFINITION,
        FloorDivSI::DEFINITION,
        IndexCast::DEFINITION,
        IndexCastUI::DEFINITION,
        MaxNumF::DEFINITION,
        MaxSI::DEFINITION,
        MaxUI::DEFINITION,
        MaximumF::DEFINITION,
        MinNumF::DEFINITION,
        MinSI::DEFINITION,
        MinUI::DEFINITION,
        MinimumF::DEFINITION,
        MulF::DEFINITION,
        MulI::DEFINITION,
        MulSIExtended::DEFINITION,
        MulUIExtended::DEFINITION,
        NegF::DEFINITION,
        OrI::DEFINITION,
        RemF::DEFINITION,
        RemSI::DEFINITION,
        RemUI::DEFINITION,
        SIToFP::DEFINITION,
        ScalingExtF::DEFINITION,
        ScalingTruncF::DEFINITION,
        Select::DEFINITION,
        ShLI::DEFINITION,
        ShRSI::DEFINITION,
        ShRUI::DEFINITION,
        SubF::DEFINITION,
        SubI::DEFINITION,
        TruncF::DEFINITION,
        TruncI::DEFINITION,
        UIToFP::DEFINITION,
        XOrI::DEFINITION,
    ],
    attributes: &[
        &attributes::FAST_MATH_DEFINITION,
        &attributes::OVERFLOW_DEFINITION,
    ],
    materialize_constant: Some(constant::materialize),
    upstream: true,
    ..DialectDefinition::DEFAULT
};

/// Operations applied to each element of vectors and tensors.
pub(crate) const ELEMENTWISE: Trait = Trait::Custom(&CustomTrait {
    name: "Elementwise",
    documentation: "Operands and results that are not scalars have the same shape and are all \
                    vectors or all tensors.",
    verify: verify::elementwise,
});
