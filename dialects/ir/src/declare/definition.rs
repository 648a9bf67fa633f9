//! The records of a declaration.

use std::ops::Range;

use smallvec::SmallVec;

use super::{
    AttributeConstraint, AttributeDefinition, RegionConstraint, Trait, TypeConstraint,
    TypeDefinition, VerifyFn, VerifyResult,
};
use crate::parser::{ParseResult, Parser};
use crate::printer::Printer;
use crate::rewrite::Rule;
use crate::symbol_table::SymbolTables;
use crate::{Attribute, Context, Operation, OperationState, Value};

/// The number of values of a named operand or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variadicity {
    /// Exactly one.
    One,
    /// Zero or one.
    Optional,
    /// Any number.
    Variadic,
}

/// A named operand or result (or group of them).
#[derive(Debug)]
pub struct ValueDefinition {
    /// The name in accessors, formats and documentation.
    pub name: &'static str,
    /// The number of values.
    pub variadicity: Variadicity,
    /// The allowed types.
    pub constraint: &'static TypeConstraint,
    /// Its purpose.
    pub documentation: &'static str,
}

/// An inherent attribute.
#[derive(Debug)]
pub struct InherentAttribute {
    /// The key in the dictionary of properties.
    pub name: &'static str,
    /// The allowed values.
    pub constraint: &'static AttributeConstraint,
    /// Whether it may be absent.
    pub optional: bool,
    /// Creates the default value used when the attribute is absent; it is filled in when the
    /// operation is created without it.
    pub default: Option<fn(&mut Context) -> Attribute>,
    /// Its purpose.
    pub documentation: &'static str,
}

impl InherentAttribute {
    /// Whether it may be omitted: it is optional or has a default.
    pub fn may_be_absent(&self) -> bool {
        self.optional || self.default.is_some()
    }
}

/// A named region; the last one may be variadic.
#[derive(Debug)]
pub struct RegionDefinition {
    /// The name in accessors and documentation.
    pub name: &'static str,
    /// The allowed shape.
    pub constraint: RegionConstraint,
    /// Whether it denotes any number of regions.
    pub variadic: bool,
    /// Its purpose.
    pub documentation: &'static str,
}

/// A named successor; the last one may be variadic.
#[derive(Debug)]
pub struct SuccessorDefinition {
    /// The name in accessors and documentation.
    pub name: &'static str,
    /// Whether it denotes any number of successors.
    pub variadic: bool,
    /// Its purpose.
    pub documentation: &'static str,
}

/// The memory effects of an operation, besides reading operands and producing results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effects {
    /// Unknown: any effect is possible.
    Unknown,
    /// No effects: the operation may be duplicated, moved and dropped.
    None,
    /// The effects of the operations in its regions.
    Recursive,
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// Reads and writes memory.
    ReadWrite,
    /// Allocates memory: it may be dropped if its results are unused.
    Allocate,
}

/// The custom assembly of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Assembly {
    /// Only the generic form.
    Generic,
    /// A format string, see [`super::format`].
    Format(&'static str),
    /// Hand-written functions.
    Custom {
        /// Parses the text after the name.
        parse: fn(&mut Parser<'_>, &mut OperationState) -> ParseResult<()>,
        /// Prints the text after the name.
        print: fn(&mut Printer<'_>, Operation),
    },
}

/// A verifier of an operation's symbol references; symbol tables are built once.
pub type VerifySymbols = fn(&Context, Operation, &mut SymbolTables) -> VerifyResult;
/// A folder: given the constant operands (by index), returns the value of each result.
pub type FoldFn = fn(&mut Context, Operation, &[Option<Attribute>]) -> Option<Vec<Folded>>;

/// The indices of the operands that a branch passes to each of its successors: consecutive ranges,
/// in the order of the successors.
pub type PassedRanges = SmallVec<[Range<usize>; 2]>;

/// How a branch passes control and values to its successors.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The indices of the operands that become arguments of the successors; `None` if unknown.
    /// Linear in the number of successors.
    pub passed: fn(&Context, Operation) -> Option<PassedRanges>,
    /// Records how many operands are passed to each successor. The operands are replaced
    /// separately.
    pub record: fn(&mut Context, Operation, &[usize]),
    /// The successor that is taken, given the constant operands; `None` if that cannot be
    /// determined.
    pub taken: fn(&Context, Operation, &[Option<Attribute>]) -> Option<usize>,
}

/// A target of control flow at an operation with regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionTarget {
    /// The entry block of the region at this index.
    Region(usize),
    /// The point after the operation.
    Results,
}

/// A control-flow edge between regions, and the values passed along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionEdge {
    /// The target.
    pub target: RegionTarget,
    /// The index of the first operand that is passed, among the operands of the source operation.
    pub first_operand: usize,
    /// The index of the first argument or result that receives a passed value; earlier ones get
    /// their values from elsewhere.
    pub first_received: usize,
}

/// How control enters and leaves the regions of an operation.
#[derive(Clone, Copy, Debug)]
pub struct RegionFlow {
    /// The first targets of control flow, given the constant operands.
    pub enter: EnterRegions,
    /// The targets of control flow at the end of the region at this index, given the constant
    /// operands of its terminator.
    pub leave: LeaveRegion,
}

/// Returns the first targets of control flow, given the constant operands.
pub type EnterRegions = fn(&Context, Operation, &[Option<Attribute>]) -> Vec<RegionEdge>;
/// Returns the targets of control flow at the end of the region at an index, given the constant
/// operands of its terminator.
pub type LeaveRegion = fn(&Context, Operation, usize, &[Option<Attribute>]) -> Vec<RegionEdge>;

/// The folded value of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folded {
    /// An existing value.
    Value(Value),
    /// A constant.
    Constant(Attribute),
}

/// The declaration of an operation.
#[derive(Debug)]
pub struct OperationDefinition {
    /// Full name, for example `nv_tileas.dot`.
    pub name: &'static str,
    /// Name of the typed view in Rust.
    pub rust_name: &'static str,
    /// Documentation in Markdown; the first line is the summary.
    pub documentation: &'static str,
    /// Operands in order.
    pub operands: &'static [ValueDefinition],
    /// Results in order.
    pub results: &'static [ValueDefinition],
    /// Inherent attributes.
    pub attributes: &'static [InherentAttribute],
    /// Regions in order.
    pub regions: &'static [RegionDefinition],
    /// Successors in order.
    pub successors: &'static [SuccessorDefinition],
    /// Properties that passes and the verifier query.
    pub traits: &'static [Trait],
    /// Memory effects.
    pub effects: Effects,
    /// Custom assembly.
    pub assembly: Assembly,
    /// Consistency rules for types and attributes; runs before the traits are verified.
    pub verify_types: Option<VerifyFn>,
    /// Rules beyond arity, constraints and traits; runs before the regions are verified.
    pub verify: Option<VerifyFn>,
    /// Rules for the operation's symbol references.
    pub verify_symbols: Option<VerifySymbols>,
    /// Rules about the contents of regions; runs after the regions were verified.
    pub verify_regions: Option<VerifyFn>,
    /// Constant folding and identities.
    pub fold: Option<FoldFn>,
    /// Canonicalization rules.
    pub rules: &'static [&'static Rule],
    /// A descriptive name for the first result (`c0`, `acc`), in custom form.
    pub result_name: Option<fn(&Context, Operation) -> Option<String>>,
    /// Names for results after the first one, by index, in custom form. A result with a name starts
    /// a separate group (`%low, %high = …`).
    pub further_result_name: Option<NameResult>,
    /// Names for the arguments of the entry blocks, in custom form.
    pub argument_name: Option<NameArgument>,
    /// The values that a branch passes to each successor, if its operand groups do not define them:
    /// they do if the last ones are variadic, one for each successor.
    pub branch: Option<Branch>,
    /// How control enters and leaves the regions; unknown if absent.
    pub region_flow: Option<RegionFlow>,
    /// Whether this operation may be executed speculatively, if that depends on operands; otherwise
    /// the traits define it. Nested operations must be speculatable, too.
    pub speculatable: Option<fn(&Context, Operation) -> bool>,
    /// Dialect whose prefix may be omitted in the regions of this operation.
    pub default_dialect: &'static str,
    /// Source file of the declaration.
    pub file: &'static str,
    /// Line of the declaration.
    pub line: u32,
}

impl OperationDefinition {
    /// An empty declaration: the base of every other one.
    pub const DEFAULT: OperationDefinition = OperationDefinition {
        name: "",
        rust_name: "",
        documentation: "",
        operands: &[],
        results: &[],
        attributes: &[],
        regions: &[],
        successors: &[],
        traits: &[],
        effects: Effects::Unknown,
        assembly: Assembly::Generic,
        verify_types: None,
        verify: None,
        verify_symbols: None,
        verify_regions: None,
        fold: None,
        rules: &[],
        result_name: None,
        further_result_name: None,
        argument_name: None,
        branch: None,
        region_flow: None,
        speculatable: None,
        default_dialect: "",
        file: "",
        line: 0,
    };

    /// True if `op` is registered with this declaration. Constant time.
    pub fn matches(&self, context: &Context, op: Operation) -> bool {
        let own = op.definition(context);
        own.is_some_and(|own| std::ptr::eq(own, self))
    }

    /// The inherent attribute with this key.
    pub fn attribute(&self, name: &str) -> Option<&'static InherentAttribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// Whether the operation is declared with the trait; custom traits are compared by name.
    pub fn has_trait(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    /// The first line of the documentation.
    pub fn summary(&self) -> &'static str {
        self.documentation.trim().lines().next().unwrap_or_default()
    }

    /// The namespace.
    pub fn dialect(&self) -> &'static str {
        self.name
            .split_once('.')
            .map_or(self.name, |(dialect, _)| dialect)
    }
}

/// Suggests a name for the result at an index.
pub type NameResult = fn(&Context, Operation, usize) -> Option<String>;
/// Suggests a name for an argument (second index) of the entry block of a region (first index).
pub type NameArgument = fn(&Context, Operation, usize, usize) -> Option<String>;
/// Checks a discardable attribute, given its key, on any operation.
pub type VerifyDiscardable = fn(&Context, Operation, &str, Attribute) -> VerifyResult;

/// The declaration of a dialect.
#[derive(Debug)]
pub struct DialectDefinition {
    /// The namespace.
    pub name: &'static str,
    /// Documentation in Markdown; the first line is the summary.
    pub documentation: &'static str,
    /// Operations.
    pub operations: &'static [&'static OperationDefinition],
    /// Types.
    pub types: &'static [&'static TypeDefinition],
    /// Attributes.
    pub attributes: &'static [&'static AttributeDefinition],
    /// Checks a discardable attribute of this dialect (`dialect.name = value`) on any operation.
    pub verify_attribute: Option<VerifyDiscardable>,
    /// Creates a constant operation for a folded attribute of a type, if this dialect can.
    pub materialize_constant: Option<MaterializeConstant>,
    /// Whether MLIR itself defines this dialect, so that exports need not describe it.
    pub upstream: bool,
}

/// Describes the constant operation for an attribute of a type.
pub type MaterializeConstant =
    fn(&mut Context, Attribute, crate::Type, crate::Location) -> Option<OperationState>;

impl DialectDefinition {
    /// An empty dialect: the base of every other declaration.
    pub const DEFAULT: DialectDefinition = DialectDefinition {
        name: "",
        documentation: "",
        operations: &[],
        types: &[],
        attributes: &[],
        verify_attribute: None,
        materialize_constant: None,
        upstream: false,
    };
}
