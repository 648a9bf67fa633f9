//! The syntax tree of PTX. Names and strings are slices of the source.

use super::Place;

/// A file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Module<'t> {
    /// Its items, in order.
    pub items: Vec<Item<'t>>,
    /// The location of each.
    pub places: Vec<Place>,
}

/// A top-level item.
#[derive(Clone, PartialEq, Debug)]
pub enum Item<'t> {
    /// `.version 8.8`.
    Version(u32, u32),
    /// `.target sm_90a, texmode_independent`.
    Target(Vec<&'t str>),
    /// `.address_size 64`.
    AddressSize(u64),
    /// `.file 1 "a.cu", 2, 3`.
    File(File<'t>),
    /// `.section .debug_info { … }`.
    Section(Section<'t>),
    /// `.alias a, b;`.
    Alias(&'t str, &'t str),
    /// `.pragma "text";`.
    Pragma(Vec<&'t str>),
    /// A variable.
    Variable(Declaration<'t>),
    /// A kernel or function.
    Function(Box<Function<'t>>),
}

/// `.file index "name", time, size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File<'t> {
    /// Number in `.loc`.
    pub index: u64,
    /// Name, without quotes, with escapes as they are.
    pub name: &'t str,
    /// Time stamp and size in bytes.
    pub details: Option<(u64, u64)>,
}

/// `.section name { lines }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Section<'t> {
    /// Name, with the dot.
    pub name: &'t str,
    /// Data and labels.
    pub lines: Vec<SectionLine<'t>>,
}

/// A line of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum SectionLine<'t> {
    /// `.b8 1, 2`.
    Data(&'t str, Vec<Expression<'t>>),
    /// `label:`.
    Label(&'t str),
}

/// `.visible .global .align 4 .f32 a[3] = {…}` and similar: variables, registers, parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration<'t> {
    /// Where it begins.
    pub place: Place,
    /// `.extern`, `.visible`, `.weak`, `.common`.
    pub linkage: Option<&'t str>,
    /// `.reg`, `.global`, `.param`, …, with the dot.
    pub space: &'t str,
    /// `[2]` after `.const`.
    pub bank: Option<u64>,
    /// `.attribute(.managed, .unified(1, 2))`.
    pub attributes: Vec<(&'t str, Vec<Expression<'t>>)>,
    /// `.align 16`.
    pub alignment: Option<u64>,
    /// `.v2`, `.v4`, `.v8`, with the dot.
    pub vector: Option<&'t str>,
    /// `.f32`, with the dot.
    pub ty: &'t str,
    /// `.ptr .global .align 8` of a parameter.
    pub pointer: Option<Pointer<'t>>,
    /// The names.
    pub names: Vec<Declarator<'t>>,
}

/// What a parameter points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer<'t> {
    /// `.global`, with the dot; generic if absent.
    pub space: Option<&'t str>,
    /// Alignment in bytes.
    pub alignment: Option<u64>,
}

/// A name in a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator<'t> {
    /// Its location.
    pub place: Place,
    /// The name.
    pub name: &'t str,
    /// `<10>`: names with suffixes 0 to 9.
    pub count: Option<u64>,
    /// `[4][]`: extents, `None` for an open one.
    pub extents: Vec<Option<Expression<'t>>>,
    /// The part after `=`.
    pub initializer: Option<Initializer<'t>>,
}

/// The initializer of a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer<'t> {
    /// A number or the address of a symbol.
    Value(Expression<'t>),
    /// `{…}`.
    List(Vec<Initializer<'t>>),
    /// `key = value`, for samplers.
    Field(&'t str, Expression<'t>),
}

/// A kernel or function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function<'t> {
    /// The location of its name.
    pub place: Place,
    /// `.extern`, `.visible`, `.weak`.
    pub linkage: Option<&'t str>,
    /// `.entry`, rather than `.func`.
    pub is_kernel: bool,
    /// `.attribute(…)`.
    pub attributes: Vec<(&'t str, Vec<Expression<'t>>)>,
    /// Results.
    pub results: Vec<Declaration<'t>>,
    /// The name.
    pub name: &'t str,
    /// Parameters; `None` without parentheses.
    pub parameters: Option<Vec<Declaration<'t>>>,
    /// `.maxntid 128, 1, 1` and similar.
    pub directives: Vec<FunctionDirective<'t>>,
    /// Statements; `None` for a declaration.
    pub body: Option<Vec<Statement<'t>>>,
}

/// A directive between the parameters and the body of a function.
#[derive(Clone, PartialEq, Debug)]
pub enum FunctionDirective<'t> {
    /// A name with numbers.
    Numbers(&'t str, Vec<u64>),
    /// `.pragma "text";`.
    Pragma(Vec<&'t str>),
}

/// A statement of a body, with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement<'t> {
    /// Its location.
    pub place: Place,
    /// Its kind.
    pub kind: StatementKind<'t>,
}

/// The kinds of statements.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind<'t> {
    /// Registers and variables.
    Declaration(Declaration<'t>),
    /// `label:`.
    Label(&'t str),
    /// An instruction.
    Instruction(Instruction<'t>),
    /// `{ … }`.
    Block(Vec<Statement<'t>>),
    /// `.pragma "nounroll";`.
    Pragma(Vec<&'t str>),
    /// `.loc 1 12 3`.
    Loc(Loc<'t>),
    /// `.callprototype (…) _ (…);` after its label.
    Prototype(Prototype<'t>),
    /// `.branchtargets` or `.calltargets` (with the dot) and names, after the label.
    Targets(&'t str, Vec<&'t str>),
}

/// `.loc file line column, function_name label+offset, inlined_at file line column`.
#[derive(Clone, PartialEq, Debug)]
pub struct Loc<'t> {
    /// File, line, column.
    pub position: [u64; 3],
    /// The inlined function and its call location.
    pub inlined: Option<(Expression<'t>, [u64; 3])>,
}

/// The types of an indirect call.
#[derive(Clone, PartialEq, Debug)]
pub struct Prototype<'t> {
    /// Results.
    pub results: Vec<Declaration<'t>>,
    /// The name, which has no meaning.
    pub name: &'t str,
    /// Parameters.
    pub parameters: Vec<Declaration<'t>>,
    /// `.noreturn` and similar.
    pub directives: Vec<FunctionDirective<'t>>,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction<'t> {
    /// The location of its name.
    pub place: Place,
    /// The location of its semicolon.
    pub end: Place,
    /// The predicate that guards it, and whether it is inverted.
    pub guard: Option<(bool, &'t str)>,
    /// The name without modifiers.
    pub name: &'t str,
    /// The modifiers, with their dots.
    pub modifiers: Vec<&'t str>,
    /// The operands.
    pub operands: Vec<Expression<'t>>,
}

impl Instruction<'_> {
    /// Where ptxas says that the instruction is: at its semicolon if it is one of `wgmma`, or has
    /// neither a type nor a guard (`ret`, `bar.sync`); otherwise at its name (measured, 13.0.88).
    pub fn told_place(&self) -> Place {
        let untyped = !self.modifiers.iter().any(|modifier| is_type(modifier));
        if self.name == "wgmma" || untyped && self.guard.is_none() {
            self.end
        } else {
            self.place
        }
    }
}

/// Whether a modifier is a type: letters and a number of bits.
fn is_type(modifier: &str) -> bool {
    let size = modifier.trim_start_matches(['.', 'b', 's', 'u', 'f']);
    let size = size.strip_suffix("x2").unwrap_or(size);
    size.len() + 2 <= modifier.len() && size.parse::<u16>().is_ok()
}

/// An operand or a constant expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression<'t> {
    /// A register, symbol, label, `_`.
    Name(&'t str),
    /// An integer, and whether it has a `U` suffix.
    Integer(u64, bool),
    /// `0f3F800000`: the bits of a float.
    Single(u32),
    /// `0d3FF0000000000000` or `1.0`: the bits of a double.
    Double(u64),
    /// `%tid.x`, `[…].unified`: a part or a property, with the dot.
    Member(Box<Expression<'t>>, &'t str),
    /// `-x`, `!%p`, `~x`, `+x`.
    Unary(char, Box<Expression<'t>>),
    /// `a + b`, also `%p|%q`.
    Binary(&'static str, Box<Expression<'t>>, Box<Expression<'t>>),
    /// `c ? a : b`.
    Conditional(Box<[Expression<'t>; 3]>),
    /// `(.s64) x`.
    Cast(&'t str, Box<Expression<'t>>),
    /// `generic(x)`, `0xFF(x)`.
    Apply(Box<Expression<'t>>, Vec<Expression<'t>>),
    /// `(a, b)`; with one element also a grouping.
    Parentheses(Vec<Expression<'t>>),
    /// `{a, b}`.
    Vector(Vec<Expression<'t>>),
    /// `[a + 4]`, `[a, {x, y}]`.
    Address(Vec<Expression<'t>>),
}

impl Expression<'_> {
    /// The value of an integer constant, with its sign; `None` for anything else.
    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Expression::Integer(value, _) => Some(i128::from(*value)),
            Expression::Unary('-', inner) => inner.as_integer().map(|value| -value),
            Expression::Unary('+', inner) => inner.as_integer(),
            Expression::Parentheses(items) => match items.as_slice() {
                [one] => one.as_integer(),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Calls `each` with every name in an expression.
pub(crate) fn names<'a>(expression: &'a Expression<'a>, each: &mut impl FnMut(&'a str)) {
    match expression {
        Expression::Name(name) => each(name),
        Expression::Member(of, _) | Expression::Unary(_, of) | Expression::Cast(_, of) => {
            names(of, each);
        }
        Expression::Binary(_, a, b) => {
            names(a, each);
            names(b, each);
        }
        Expression::Conditional(parts) => parts.iter().for_each(|part| names(part, each)),
        Expression::Apply(of, list) => {
            names(of, each);
            list.iter().for_each(|item| names(item, each));
        }
        Expression::Parentheses(list) | Expression::Vector(list) | Expression::Address(list) => {
            list.iter().for_each(|item| names(item, each));
        }
        _ => {}
    }
}

/// Bytes of an element of a PTX type.
pub(crate) fn bytes_of(ty: &str) -> u64 {
    match ty {
        ".b8" | ".u8" | ".s8" => 1,
        ".b16" | ".u16" | ".s16" | ".f16" | ".bf16" => 2,
        ".b64" | ".u64" | ".s64" | ".f64" | ".f32x2" | ".texref" | ".samplerref" | ".surfref" => 8,
        ".b128" => 16,
        _ => 4,
    }
}

/// The number of elements of a declared type: `.v4`.
pub(crate) fn lanes_of(declaration: &Declaration<'_>) -> u64 {
    match declaration.vector {
        Some(".v2") => 2,
        Some(".v4") => 4,
        Some(".v8") => 8,
        _ => 1,
    }
}

/// Bytes of a declared name, 0 for an open extent; `None` if an extent is not a number.
pub(crate) fn size_of(
    declaration: &Declaration<'_>,
    extents: &[Option<Expression<'_>>],
) -> Option<u64> {
    let mut size = bytes_of(declaration.ty) * lanes_of(declaration);
    for extent in extents {
        let extent = match extent {
            Some(extent) => u64::try_from(extent.as_integer()?).ok()?,
            None => 0,
        };
        size = size.checked_mul(extent)?;
    }
    Some(size)
}
