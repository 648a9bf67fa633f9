//! Attributes that are one of a set of keywords: `#toy.order<weak>`.
//!
//! A set is a Rust enumeration that implements [`Keyword`]; its values are the contents of the
//! attribute, as of any dialect attribute. The enumeration is also the form of the attribute in
//! declarations of operations ([`AttributeForm`]).

use std::fmt::Debug;
use std::hash::Hash;

use crate::declare::{
    AttributeConstraint, AttributeDefinition, AttributeForm, KeywordSet, ParameterDefinition,
    PayloadDefinition,
};
use crate::parser::{ParseResult, Parser, TokenKind};
use crate::printer::Printer;
use crate::{Attribute, Context, DialectValue, Parameter, Parameterized};

/// An enumeration whose members are keywords.
pub trait Keyword: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The declaration of the attribute, made by [`PayloadDefinition::keyword`].
    const DEFINITION: &'static AttributeDefinition;
    /// All members, in the order of their numbers.
    const ALL: &'static [Self];
    /// The spellings of all members, in the same order.
    const WORDS: &'static [&'static str];
    /// The set in error messages and documentation: `one of 'weak' 'strong'`.
    const SUMMARY: &'static str;

    /// The index of the member in [`Keyword::ALL`].
    fn number(self) -> usize;

    /// The spelling.
    fn keyword(self) -> &'static str {
        Self::WORDS[self.number()]
    }

    /// The member with the given spelling.
    fn from_keyword(word: &str) -> Option<Self> {
        let number = Self::WORDS.iter().position(|known| *known == word)?;
        Some(Self::ALL[number])
    }
}

impl PayloadDefinition {
    /// An attribute that is one of a set of keywords.
    pub const fn keyword<K: Keyword>(name: &'static str, documentation: &'static str) -> Self {
        PayloadDefinition {
            words: K::WORDS,
            ..PayloadDefinition::parameterized::<K>(
                name,
                documentation,
                &[ParameterDefinition {
                    name: "keyword",
                    documentation: K::SUMMARY,
                }],
            )
        }
    }
}

impl<K: Keyword> AttributeForm for K {
    type Value<'c> = K;
    const CONSTRAINT: &'static AttributeConstraint =
        &AttributeConstraint::new(K::SUMMARY, |context, attribute| {
            K::read(context, attribute).is_some()
        })
        .named(K::DEFINITION.name)
        .keywords(KeywordSet {
            words: K::WORDS,
            attribute: |context, number| K::write(context, K::ALL[number]),
            number: |context, attribute| K::read(context, attribute).map(K::number),
        });

    fn read(context: &Context, attribute: Attribute) -> Option<K> {
        attribute.downcast(context).copied()
    }

    fn write(context: &mut Context, value: K) -> Attribute {
        Attribute::typed(context, value)
    }
}

impl<K: Keyword> DialectValue for K {
    fn definition(&self) -> &'static AttributeDefinition {
        K::DEFINITION
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<' and a keyword")?;
        let found = match parser.at(TokenKind::BareIdentifier) {
            true => K::from_keyword(parser.current()),
            false => None,
        };
        let Some(found) = found else {
            return Err(parser.error(&format!("expected {}", K::SUMMARY)));
        };
        parser.advance()?;
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(found)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.write(self.keyword());
        printer.write(">");
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Text(self.keyword()));
    }
}

impl<K: Keyword> Parameterized for K {
    fn from_parameters(
        context: &Context,
        _: &'static AttributeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [word] = parameters else { return None };
        K::from_keyword(word.as_str(context)?)
    }
}

/// Declares sets of keywords as enumerations that implement [`Keyword`], and a list of the
/// declarations of their attributes.
///
/// ```
/// orison_ir::keywords! {
///     /// The attributes.
///     list ATTRIBUTES;
///
///     /// The order of accesses.
///     Order = "toy.order" { Weak = "weak", Strong = "strong" }
/// }
/// use orison_ir::Keyword;
/// assert_eq!(Order::from_keyword("strong"), Some(Order::Strong));
/// assert_eq!(ATTRIBUTES[0].name, "toy.order");
/// ```
#[macro_export]
macro_rules! keywords {
    (
        $(#[$list_doc:meta])* list $list:ident;
        $( $(#[doc = $doc:literal])* $name:ident = $full:literal {
            $($variant:ident = $keyword:literal),* $(,)?
        } )*
    ) => {
        $(#[$list_doc])*
        pub static $list: &[&$crate::declare::AttributeDefinition] =
            &[$(<$name as $crate::Keyword>::DEFINITION),*];
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
            pub enum $name {
                $( #[doc = concat!("`", $keyword, "`.")] $variant ),*
            }

            impl $crate::Keyword for $name {
                const DEFINITION: &'static $crate::declare::AttributeDefinition = {
                    static DEFINITION: $crate::declare::AttributeDefinition =
                        $crate::declare::AttributeDefinition::keyword::<$name>(
                            $full,
                            concat!($($doc),*),
                        );
                    &DEFINITION
                };
                const ALL: &'static [Self] = &[$($name::$variant),*];
                const WORDS: &'static [&'static str] = &[$($keyword),*];
                const SUMMARY: &'static str = concat!("one of", $(" '", $keyword, "'"),*);

                fn number(self) -> usize {
                    self as usize
                }
            }
        )*
    };
}
