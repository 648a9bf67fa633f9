//! The records that a declaration consists of.

use std::ops::Range;

use smallvec::SmallVec;

use super::{AttributeConstraint, RegionConstraint, Trait, TypeConstraint};
use crate::parser::{ParseResult, Parser};
use crate::printer::Printer;
use crate::rewrite::Rule;
use crate::symbol_table::SymbolTables;
use crate::{Attribute, Context, Diagnostic, Operation, OperationState, Value};

/// How many values a named operand or result stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variadicity {
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// Any number.
    Variadic,
}

/// A named operand or result (or group of them).
#[derive(Debug)]
pub struct ValueDefinition {
    /// The name in accessors, formats and documentation.
    pub name: &'static str,
    /// How many values.
    pub variadicity: Variadicity,
    /// What types are allowed.
    pub constraint: &'static TypeConstraint,
    /// What it is for.
    pub documentation: &'static str,
}

/// An inherent attribute.
#[derive(Debug)]
pub struct InherentAttribute {
    /// The key in the dictionary of properties.
    pub name: &'static str,
    /// What values are allowed.
    pub constraint: &'static AttributeConstraint,
    /// Whether it may be absent.
    pub optional: bool,
    /// The value that an absent attribute means, as text of the attribute; it is filled in when the
    /// operation is parsed without it.
    pub default: Option<fn(&mut Context) -> Attribute>,
    /// What it is for.
    pub documentation: &'static str,
}

impl InherentAttribute {
    /// Whether an operation may be written without it: it is optional or has a default.
    pub fn may_be_absent(&self) -> bool {
        self.optional || self.default.is_some()
    }
}

/// A named region; the last one may be variadic.
#[derive(Debug)]
pub struct RegionDefinition {
    /// The name in accessors and documentation.
    pub name: &'static str,
    /// What shape is allowed.
    pub constraint: RegionConstraint,
    /// Whether it stands for any number of regions.
    pub variadic: bool,
    /// What it is for.
    pub documentation: &'static str,
}

/// A named successor; the last one may be variadic.
#[derive(Debug)]
pub struct SuccessorDefinition {
    /// The name in accessors and documentation.
    pub name: &'static str,
    /// Whether it stands for any number of successors.
    pub variadic: bool,
    /// What it is for.
    pub documentation: &'static str,
}

/// What an operation does to memory, besides reading operands and making results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effects {
    /// Nothing is known: it may do anything.
    Unknown,
    /// Nothing: the operation may be duplicated, moved and dropped.
    None,
    /// What the operations in its regions do.
    Recursive,
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// Reads and writes memory.
    ReadWrite,
    /// Allocates memory: it may be dropped when its results are not used.
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
        /// Parses what follows the name.
        parse: fn(&mut Parser<'_>, &mut OperationState) -> ParseResult<()>,
        /// Prints what follows the name.
        print: fn(&mut Printer<'_>, Operation),
    },
}

/// The outcome of a verifier.
pub type VerifyResult = Result<(), Box<Diagnostic>>;
/// A verifier of one operation.
pub type VerifyFn = fn(&Context, Operation) -> VerifyResult;
/// A verifier of the symbols that an operation refers to; tables are looked up once.
pub type VerifySymbols = fn(&Context, Operation, &mut SymbolTables) -> VerifyResult;
/// A folder: given which operands are constant (by number), what each result is.
pub type FoldFn = fn(&mut Context, Operation, &[Option<Attribute>]) -> Option<Vec<Folded>>;

/// The numbers of the operands that a branch hands to each of its successors: consecutive ranges, in
/// the order of the successors.
pub type PassedRanges = SmallVec<[Range<usize>; 2]>;

/// How a branch leads to its successors.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The numbers of the operands that become arguments of the successors; none when that is not
    /// known. Linear in the number of successors.
    pub passed: fn(&Context, Operation) -> Option<PassedRanges>,
    /// Records how many operands each successor is handed. The operands are replaced separately.
    pub record: fn(&mut Context, Operation, &[usize]),
    /// The successor that is taken, given which operands are constant; none when that depends on
    /// more.
    pub taken: fn(&Context, Operation, &[Option<Attribute>]) -> Option<usize>,
}

/// Where control goes at an operation with regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionTarget {
    /// To the entry block of the region with this number.
    Region(usize),
    /// Behind the operation.
    Results,
}

/// A way that control may go, and the values that go with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionEdge {
    /// Where to.
    pub target: RegionTarget,
    /// The number of the first operand that is handed on, of the operation that is left.
    pub first_operand: usize,
    /// The number of the first argument or result that is handed something; those before it get
    /// values from elsewhere.
    pub first_received: usize,
}

/// How control enters and leaves the regions of an operation.
#[derive(Clone, Copy, Debug)]
pub struct RegionFlow {
    /// Where control goes first, given which operands are constant.
    pub enter: EnterRegions,
    /// Where control goes at the end of the region with this number, given which operands of the
    /// terminator there are constant.
    pub leave: LeaveRegion,
}

/// Says where control goes first, given which operands are constant.
pub type EnterRegions = fn(&Context, Operation, &[Option<Attribute>]) -> Vec<RegionEdge>;
/// Says where control goes at the end of the region with a number, given which operands of the
/// terminator there are constant.
pub type LeaveRegion = fn(&Context, Operation, usize, &[Option<Attribute>]) -> Vec<RegionEdge>;

/// What a folder found a result to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folded {
    /// A value that exists.
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
    /// Properties that passes and the verifier ask for.
    pub traits: &'static [Trait],
    /// What it does to memory.
    pub effects: Effects,
    /// Custom assembly.
    pub assembly: Assembly,
    /// Rules about how types and attributes go together; runs before the traits are verified.
    pub verify_types: Option<VerifyFn>,
    /// Rules beyond arity, constraints and traits; runs before the regions are verified.
    pub verify: Option<VerifyFn>,
    /// Rules about the symbols the operation refers to.
    pub verify_symbols: Option<VerifySymbols>,
    /// Rules about the contents of regions; runs after the regions were verified.
    pub verify_regions: Option<VerifyFn>,
    /// Constant folding and identities.
    pub fold: Option<FoldFn>,
    /// Canonicalization rules.
    pub rules: &'static [&'static Rule],
    /// A name for the first result that says more than a number (`c0`, `acc`), in custom form.
    pub result_name: Option<fn(&Context, Operation) -> Option<String>>,
    /// Names for results behind the first one, by number, in custom form. A result with a name
    /// starts a group of its own (`%low, %high = …`).
    pub further_result_name: Option<NameResult>,
    /// Names for the arguments of the entry blocks, in custom form.
    pub argument_name: Option<NameArgument>,
    /// What a branch hands to which block, where its operand groups do not tell: they tell when the
    /// last ones are variadic, one for each successor.
    pub branch: Option<Branch>,
    /// How control enters and leaves the regions; nothing is known about it when absent.
    pub region_flow: Option<RegionFlow>,
    /// Whether this operation may be executed though the program would not reach it, where that
    /// depends on operands; the traits say it otherwise. What is inside has to be so, too.
    pub speculatable: Option<fn(&Context, Operation) -> bool>,
    /// Dialect whose prefix may be left out in the regions of this operation.
    pub default_dialect: &'static str,
    /// Source file of the declaration.
    pub file: &'static str,
    /// Line of the declaration.
    pub line: u32,
}

impl OperationDefinition {
    /// A declaration that says nothing: the base of every other.
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

    /// The inherent attribute with this key.
    pub fn attribute(&self, name: &str) -> Option<&'static InherentAttribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// Whether the operation is declared with the trait; custom traits compare by name.
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

/// A named parameter of a dialect type or attribute.
#[derive(Debug)]
pub struct ParameterDefinition {
    /// The name.
    pub name: &'static str,
    /// What it is for, with unit.
    pub documentation: &'static str,
}

/// The declaration of a dialect type. Its parameters are attributes.
#[derive(Debug)]
pub struct TypeDefinition {
    /// Full name, for example `nv_tileas.iter`.
    pub name: &'static str,
    /// Documentation in Markdown; the first line is the summary.
    pub documentation: &'static str,
    /// Parameters in order.
    pub parameters: &'static [ParameterDefinition],
    /// Parses what follows the name, `<` and `>` included. None when there are no parameters.
    pub parse: Option<ParseParameters>,
    /// Prints what follows the name.
    pub print: Option<PrintParameters>,
    /// Checks the parameters.
    pub verify: Option<VerifyParameters>,
}

impl TypeDefinition {
    /// A type without parameters.
    pub const fn without_parameters(name: &'static str, documentation: &'static str) -> Self {
        TypeDefinition {
            name,
            documentation,
            parameters: &[],
            parse: None,
            print: None,
            verify: None,
        }
    }
}

/// The declaration of a dialect attribute. Its parameters are attributes.
#[derive(Debug)]
pub struct AttributeDefinition {
    /// Full name, for example `nv_tileas.atom`.
    pub name: &'static str,
    /// Documentation in Markdown; the first line is the summary.
    pub documentation: &'static str,
    /// Parameters in order.
    pub parameters: &'static [ParameterDefinition],
    /// Parses what follows the name, `<` and `>` included. None when there are no parameters.
    pub parse: Option<ParseParameters>,
    /// Prints what follows the name.
    pub print: Option<PrintParameters>,
    /// Checks the parameters.
    pub verify: Option<VerifyParameters>,
}

/// Suggests a name for the result with a number.
pub type NameResult = fn(&Context, Operation, usize) -> Option<String>;
/// Suggests a name for the argument with a number (second) of the entry block of a region (first).
pub type NameArgument = fn(&Context, Operation, usize, usize) -> Option<String>;
/// Checks a discardable attribute, given its key, wherever it stands.
pub type VerifyDiscardable = fn(&Context, Operation, &str, Attribute) -> VerifyResult;

/// Parses the parameters of a dialect type or attribute.
pub type ParseParameters = fn(&mut Parser<'_>) -> ParseResult<Vec<Attribute>>;
/// Prints the parameters of a dialect type or attribute.
pub type PrintParameters = fn(&mut Printer<'_>, &[Attribute]);
/// Checks the parameters of a dialect type or attribute; the error is the message.
pub type VerifyParameters = fn(&Context, &[Attribute]) -> Result<(), String>;

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
    /// Makes a constant operation for a folded attribute of a type, if this dialect can.
    pub materialize_constant: Option<MaterializeConstant>,
    /// Whether MLIR has this dialect itself, so that it need not be told what is in it.
    pub upstream: bool,
}

/// Describes the constant operation for an attribute of a type.
pub type MaterializeConstant =
    fn(&mut Context, Attribute, crate::Type, crate::Location) -> Option<OperationState>;

impl DialectDefinition {
    /// A dialect that declares nothing: the base of every other.
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
