//! Modifiers applied to an operand when it is read: `#ori.modifiers<_, neg, neg abs>`.

use orison_ir::declare::{AttributeDefinition, ParameterDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Operation, Parameter, Parameterized, Type};

/// Key of the attribute on operations.
pub const MODIFIERS: &str = "modifiers";

/// A modifier of an operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Modifier {
    /// `neg`: negation.
    Negate,
    /// `abs`: the absolute value of a float; applied before `neg`.
    Absolute,
    /// `not`: bitwise inversion, or negation of a predicate.
    Invert,
    /// `h0_h0`: the low half of a pair in both halves.
    LowHalf,
    /// `h1_h1`: the high half of a pair in both halves.
    HighHalf,
}

impl Modifier {
    /// All modifiers, in print order.
    pub const ALL: [Modifier; 5] = [
        Modifier::Negate,
        Modifier::Absolute,
        Modifier::Invert,
        Modifier::LowHalf,
        Modifier::HighHalf,
    ];

    /// The spelling.
    pub const fn keyword(self) -> &'static str {
        match self {
            Modifier::Negate => "neg",
            Modifier::Absolute => "abs",
            Modifier::Invert => "not",
            Modifier::LowHalf => "h0_h0",
            Modifier::HighHalf => "h1_h1",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The set of modifiers of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModifierSet(u8);

impl ModifierSet {
    /// The empty set.
    pub const NONE: ModifierSet = ModifierSet(0);

    /// The set with a modifier added.
    #[must_use]
    pub const fn with(self, modifier: Modifier) -> Self {
        ModifierSet(self.0 | modifier.bit())
    }

    /// One bit for each modifier, by its position in [`Modifier`].
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Whether a modifier is in the set.
    pub const fn contains(self, modifier: Modifier) -> bool {
        self.0 & modifier.bit() != 0
    }

    /// The members, in print order.
    pub fn iter(self) -> impl Iterator<Item = Modifier> {
        Modifier::ALL
            .into_iter()
            .filter(move |modifier| self.contains(*modifier))
    }
}

impl FromIterator<Modifier> for ModifierSet {
    fn from_iter<I: IntoIterator<Item = Modifier>>(modifiers: I) -> Self {
        let start = ModifierSet::NONE;
        modifiers.into_iter().fold(start, ModifierSet::with)
    }
}

/// `#ori.modifiers<_, neg>`: the modifiers of each operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Modifiers(Vec<ModifierSet>);

/// The declaration of the attribute.
pub static MODIFIERS_ATTRIBUTE: AttributeDefinition = AttributeDefinition::parameterized::<Modifiers>(
    "ori.modifiers",
    "The source modifiers of each operand.\n\
         \n\
         One entry per operand, including the guard: `_` for no modifier, or keywords: `neg`, \
         `abs` (before `neg`), `not` (bits or predicate), `h0_h0` and `h1_h1` (one half of a \
         pair, twice). The attribute is absent when every entry is `_`. In the custom form the \
         keywords precede the operand.",
    &[ParameterDefinition {
        name: "entries",
        documentation: "a bit set per operand",
    }],
);

orison_ir::attribute_form!(
    /// `#ori.modifiers<…>`.
    ModifiersAttr,
    "modifiers of operands",
    Vec<ModifierSet>,
    |context, attribute| {
        let Modifiers(sets) = attribute.downcast(context)?;
        Some(sets.clone())
    },
    |context, sets| Attribute::typed(context, Modifiers(sets)),
    strict
);

/// The attribute for the operands of an operation; `None` if no operand has a modifier.
pub fn attribute(context: &mut Context, sets: &[ModifierSet]) -> Option<Attribute> {
    let any = sets.iter().any(|set| *set != ModifierSet::NONE);
    any.then(|| Attribute::typed(context, Modifiers(sets.to_vec())))
}

/// The modifiers of the operand with the given index.
pub fn of_operand(context: &Context, op: Operation, number: usize) -> ModifierSet {
    let all = of_operands(context, op);
    all.get(number).copied().unwrap_or_default()
}

/// The modifiers of the operands in order; empty if none has any.
pub fn of_operands(context: &Context, op: Operation) -> &[ModifierSet] {
    let all = op.attribute(context, MODIFIERS);
    let all = all.and_then(|all| all.downcast(context));
    all.map_or(&[], |Modifiers(sets)| sets)
}

/// Skips the keywords before an operand.
pub(crate) fn parse_set(parser: &mut Parser<'_>) -> ParseResult<ModifierSet> {
    let mut set = ModifierSet::NONE;
    loop {
        let mut all = Modifier::ALL.into_iter();
        let Some(modifier) = all.find(|modifier| parser.at_keyword(modifier.keyword())) else {
            return Ok(set);
        };
        if set.contains(modifier) {
            return Err(parser.error("duplicate modifier"));
        }
        set = set.with(modifier);
        parser.advance()?;
    }
}

impl DialectValue for Modifiers {
    fn definition(&self) -> &'static AttributeDefinition {
        &MODIFIERS_ATTRIBUTE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        let mut sets = Vec::new();
        parser.expect(TokenKind::Less, "expected '<' and modifiers")?;
        parser.comma_list_until(TokenKind::Greater, "expected ',' or '>'", |parser| {
            if parser.eat_keyword("_")? {
                sets.push(ModifierSet::NONE);
                return Ok(());
            }
            let set = parse_set(parser)?;
            if set == ModifierSet::NONE {
                return Err(parser.error("expected '_', 'neg', 'abs', 'not', 'h0_h0' or 'h1_h1'"));
            }
            sets.push(set);
            Ok(())
        })?;
        Ok(Modifiers(sets))
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.comma_separated(&self.0, |printer, set| {
            if *set == ModifierSet::NONE {
                printer.write("_");
            }
            for (number, modifier) in set.iter().enumerate() {
                printer.write(if number == 0 { "" } else { " " });
                printer.write(modifier.keyword());
            }
        });
        printer.write(">");
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        let bits: Vec<i64> = self.0.iter().map(|set| i64::from(set.0)).collect();
        visit(Parameter::Integers(Type::I8, &bits));
    }
}

impl Parameterized for Modifiers {
    fn from_parameters(
        context: &Context,
        _: &'static AttributeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [bits] = parameters else { return None };
        let (_, bits) = bits.as_integer_array(context)?;
        let sets = bits.into_iter().map(|bits| u8::try_from(bits).ok());
        let sets = sets.map(|bits| bits.map(ModifierSet));
        sets.collect::<Option<_>>().map(Modifiers)
    }
}
