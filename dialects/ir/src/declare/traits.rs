//! Traits: properties of operations that the verifier checks and passes query.

use crate::{Context, Diagnostic, Operation};

/// The outcome of a verifier.
pub type VerifyResult = Result<(), Box<Diagnostic>>;
/// A verifier of one operation.
pub type VerifyFn = fn(&Context, Operation) -> VerifyResult;

/// A property of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Trait {
    /// Ends a block; must be its last operation.
    Terminator,
    /// Its regions use no value defined outside.
    IsolatedFromAbove,
    /// Each region has at most one block.
    SingleBlock,
    /// Single-block regions end with this operation, which custom assembly may leave out.
    ImplicitTerminator(&'static str),
    /// Blocks in its regions need no terminator.
    NoTerminator,
    /// Its regions are graph regions: unordered, so no dominance inside a block.
    GraphRegion,
    /// A symbol table: its region contains named symbols.
    SymbolTable,
    /// A symbol: has `sym_name`.
    Symbol,
    /// Must be directly inside one of these operations.
    HasParent(&'static [&'static str]),
    /// Operand groups have the sizes in `operandSegmentSizes`.
    AttrSizedOperandSegments,
    /// Result groups have the sizes in `resultSegmentSizes`.
    AttrSizedResultSegments,
    /// All operands have the same type.
    SameTypeOperands,
    /// All operands and results have the same type.
    SameOperandsAndResultType,
    /// All operands and results have the same shape.
    SameOperandsAndResultShape,
    /// All operands and results have the same element type.
    SameOperandsAndResultElementType,
    /// Operands may be exchanged.
    Commutative,
    /// Applying it twice is equivalent to applying it once.
    Idempotent,
    /// A constant: its attribute `value` is the result.
    ConstantLike,
    /// Its operands are the results of the parent operation.
    ReturnLike,
    /// May be executed speculatively.
    AlwaysSpeculatable,
    /// May be executed speculatively if every operation inside may be.
    RecursivelySpeculatable,
    /// A loop: its regions may be executed repeatedly.
    Loop,
    /// A trait of a dialect, with its own verifier.
    Custom(&'static CustomTrait),
}

/// A trait that a dialect declares.
#[derive(Debug)]
pub struct CustomTrait {
    /// The name in the documentation.
    pub name: &'static str,
    /// The property it requires.
    pub documentation: &'static str,
    /// Checks it; runs before the operation's own verifier.
    pub verify: VerifyFn,
}

impl PartialEq for Trait {
    fn eq(&self, other: &Self) -> bool {
        use Trait::{Custom, HasParent, ImplicitTerminator};
        match (self, other) {
            (Custom(a), Custom(b)) => a.name == b.name,
            (HasParent(a), HasParent(b)) => a == b,
            (ImplicitTerminator(a), ImplicitTerminator(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Eq for Trait {}

/// The traits without parameters of an operation, as a bit set: passes query them once for each
/// operation of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TraitSet(u32);

impl TraitSet {
    /// The set of these traits; those with parameters are left out.
    pub fn of(traits: &[Trait]) -> Self {
        let bits = traits.iter().filter_map(|known| known.bit());
        TraitSet(bits.fold(0, |set, bit| set | bit))
    }

    /// Whether a trait is in the set; `None` for traits with parameters.
    #[inline]
    pub fn get(self, wanted: Trait) -> Option<bool> {
        wanted.bit().map(|bit| self.0 & bit != 0)
    }
}

impl Trait {
    /// The bit of a trait without parameters.
    #[inline]
    fn bit(self) -> Option<u32> {
        let number = match self {
            Trait::Terminator => 0,
            Trait::IsolatedFromAbove => 1,
            Trait::SingleBlock => 2,
            Trait::NoTerminator => 3,
            Trait::GraphRegion => 4,
            Trait::SymbolTable => 5,
            Trait::Symbol => 6,
            Trait::AttrSizedOperandSegments => 7,
            Trait::AttrSizedResultSegments => 8,
            Trait::SameTypeOperands => 9,
            Trait::SameOperandsAndResultType => 10,
            Trait::SameOperandsAndResultShape => 11,
            Trait::SameOperandsAndResultElementType => 12,
            Trait::Commutative => 13,
            Trait::Idempotent => 14,
            Trait::ConstantLike => 15,
            Trait::ReturnLike => 16,
            Trait::AlwaysSpeculatable => 17,
            Trait::RecursivelySpeculatable => 18,
            Trait::Loop => 19,
            Trait::ImplicitTerminator(_) | Trait::HasParent(_) | Trait::Custom(_) => return None,
        };
        Some(1 << number)
    }

    /// The name in documentation.
    pub fn name(&self) -> String {
        match self {
            Trait::Custom(custom) => custom.name.to_owned(),
            other => {
                let text = format!("{other:?}");
                text.split(['(', ' ']).next().unwrap_or_default().to_owned()
            }
        }
    }
}
