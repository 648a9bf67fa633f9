//! Small rewrite rules as text: `iadd3(x, 0, 0) => x`.
//!
//! A [`Pattern`] is the text with what a dialect says about its operands ([`PatternDialect`]), and
//! a function for what the text cannot say. [`peephole!`](crate::peephole) makes a [`Rule`] of it,
//! so that the greedy driver, its filters, counters and listings work as with any other rule. The
//! grammar is in [`tree`]; `docs/rewriting.md` shows how to write one.

mod building;
mod matching;
pub mod tree;

use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::declare::{OperationDefinition, TypeConstraint};
use crate::rewrite::{Declined, Rewriter, Rule, RuleResult};
use crate::{Attribute, Context, Location, Operation, OperationState, Type, Value};
use tree::PatternTree;

/// A set of modifiers of an operand, as bits: what they mean is known to the dialect. Zero is none.
pub type Modifiers = u8;

/// What patterns need to know about a dialect's operations.
pub trait PatternDialect: Sync + std::fmt::Debug {
    /// The modifier that is written so.
    fn modifier(&self, word: &str) -> Option<Modifiers>;
    /// Whether an operation may be part of a pattern; a reason when not, such as a guard.
    fn may_match(&self, context: &Context, op: Operation) -> Result<(), &'static str>;
    /// Whether a group of operands or an attribute is none that patterns speak of.
    fn is_hidden(&self, name: &str) -> bool;
    /// The modifiers of each operand.
    fn modifiers(&self, context: &Context, op: Operation) -> SmallVec<[Modifiers; 4]>;
    /// How many operands, from the first on, may be exchanged.
    fn commuting(&self, name: &str) -> usize;
    /// The bits of a constant operand with its modifiers applied, extended with sign.
    fn constant(&self, context: &Context, op: Operation, operand: usize) -> Option<i64>;
    /// What is left inside when modifiers are taken off the outside.
    fn strip(&self, all: Modifiers, outer: Modifiers) -> Option<Modifiers>;
    /// The modifiers that mean `inner`, then `outer`; none when no set does.
    fn compose(&self, outer: Modifiers, inner: Modifiers) -> Option<Modifiers>;
    /// Whether an operand of a group may have modifiers.
    fn allows(&self, constraint: &'static TypeConstraint, modifiers: Modifiers) -> bool;
    /// The type of a constant for an operand of a group, or of a result.
    fn type_of(&self, context: &mut Context, constraint: &'static TypeConstraint) -> Option<Type>;
    /// Describes a constant.
    fn constant_state(
        &self,
        context: &mut Context,
        bits: i64,
        ty: Type,
        location: Location,
    ) -> Option<OperationState>;
    /// Describes a copy of a value to a type; none when a value cannot become one.
    fn copy_state(
        &self,
        context: &mut Context,
        value: Value,
        ty: Type,
        location: Location,
    ) -> Option<OperationState>;
    /// Records the modifiers of the operands of an operation.
    fn set_modifiers(
        &self,
        context: &mut Context,
        modifiers: &[Modifiers],
    ) -> Option<(&'static str, Attribute)>;
}

/// What a name in a pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Value(Value, Modifiers),
    Constant(i64),
    Attribute(Option<Attribute>),
}

/// What the names in a pattern stand for.
type Bindings<'p> = SmallVec<[(&'p str, Bound); 8]>;

fn lookup(bindings: &Bindings<'_>, name: &str) -> Option<Bound> {
    let mut all = bindings.iter();
    all.find(|(known, _)| *known == name)
        .map(|(_, bound)| *bound)
}

/// What a pattern asks, or works out, beyond its text.
pub type Condition = fn(&mut Match<'_, '_>) -> RuleResult;

/// A rewrite rule as text.
#[derive(Debug)]
pub struct Pattern {
    /// What it says about operands.
    pub dialect: &'static dyn PatternDialect,
    /// What stands before the names of operations.
    pub prefix: &'static str,
    /// The name of the root and what follows it.
    pub text: (&'static str, &'static str),
    /// What the text cannot say.
    pub condition: Option<Condition>,
    /// The tree, once it was needed.
    pub tree: OnceLock<Result<PatternTree, String>>,
}

impl Pattern {
    /// The pattern as a tree.
    ///
    /// # Errors
    /// When the text is malformed: a bug that the test of every list of patterns finds.
    pub fn tree(&self) -> Result<&PatternTree, &str> {
        let (root, rest) = self.text;
        let read = || PatternTree::read(&format!("{root}{rest}"), self.prefix, self.dialect);
        self.tree.get_or_init(read).as_ref().map_err(String::as_str)
    }

    /// Applies the pattern to an operation.
    ///
    /// # Errors
    /// When it does not fit; nothing was changed then.
    pub fn apply(&self, rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
        let tree = match self.tree() {
            Ok(tree) => tree,
            Err(error) => return Declined::because(error.to_owned()),
        };
        let bindings = matching::find(rewriter.context(), self, tree, op)?;
        building::replace(rewriter, self, tree, op, &bindings)
    }
}

/// An operation that fits a pattern: what its names stand for, for conditions.
#[derive(Debug)]
pub struct Match<'m, 'p> {
    context: &'m mut Context,
    root: Operation,
    bindings: Bindings<'p>,
}

/// A condition that names something the pattern does not have is a bug; it declines.
const UNKNOWN: &str = "the condition names what the pattern does not have";

impl<'p> Match<'_, 'p> {
    /// The IR.
    pub fn context(&self) -> &Context {
        self.context
    }

    /// The operation that is replaced.
    pub fn root(&self) -> Operation {
        self.root
    }

    /// The constant `#name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn constant(&self, name: &str) -> Result<i64, Declined> {
        match lookup(&self.bindings, name) {
            Some(Bound::Constant(bits)) => Ok(bits),
            _ => Declined::because(UNKNOWN),
        }
    }

    /// The value `name`, with its modifiers.
    ///
    /// # Errors
    /// When there is none.
    pub fn value(&self, name: &str) -> Result<(Value, Modifiers), Declined> {
        match lookup(&self.bindings, name) {
            Some(Bound::Value(value, modifiers)) => Ok((value, modifiers)),
            _ => Declined::because(UNKNOWN),
        }
    }

    /// The attribute `name`; none when it is absent.
    ///
    /// # Errors
    /// When the pattern has no such name.
    pub fn attribute(&self, name: &str) -> Result<Option<Attribute>, Declined> {
        match lookup(&self.bindings, name) {
            Some(Bound::Attribute(attribute)) => Ok(attribute),
            _ => Declined::because(UNKNOWN),
        }
    }

    /// The number in the attribute `name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn number(&self, name: &str) -> Result<i32, Declined> {
        let number = self.attribute(name)?;
        match number.and_then(|number| number.as_i32(self.context)) {
            Some(number) => Ok(number),
            None => Declined::because("the attribute is absent"),
        }
    }

    /// The word in the attribute `name`; empty when it is absent.
    ///
    /// # Errors
    /// When the pattern has no such name.
    pub fn word(&self, name: &str) -> Result<&str, Declined> {
        let word = self.attribute(name)?;
        Ok(word
            .and_then(|word| word.as_str(self.context))
            .unwrap_or_default())
    }

    /// Declines unless something holds.
    ///
    /// # Errors
    /// When it does not.
    pub fn require(&self, holds: bool, otherwise: &'static str) -> RuleResult {
        if holds {
            Ok(())
        } else {
            Declined::because(otherwise)
        }
    }

    fn bind(&mut self, name: &'p str, bound: Bound) {
        self.bindings.retain(|(known, _)| *known != name);
        self.bindings.push((name, bound));
    }

    /// Makes `#name` a constant.
    pub fn set_constant(&mut self, name: &'static str, bits: i64) {
        self.bind(name, Bound::Constant(bits));
    }

    /// Makes `name` a value with modifiers.
    pub fn set_value(&mut self, name: &'static str, (value, modifiers): (Value, Modifiers)) {
        self.bind(name, Bound::Value(value, modifiers));
    }

    /// Makes the attribute `name` a number.
    pub fn set_number(&mut self, name: &'static str, number: i32) {
        let number = Attribute::i32(self.context, number);
        self.bind(name, Bound::Attribute(Some(number)));
    }

    /// Makes the attribute `name` a word.
    pub fn set_word(&mut self, name: &'static str, word: &str) {
        let word = Attribute::string(self.context, word);
        self.bind(name, Bound::Attribute(Some(word)));
    }
}

/// The declaration of an operation of a pattern.
fn definition_of(
    context: &mut Context,
    name: &str,
) -> Result<&'static OperationDefinition, Declined> {
    let name = crate::OperationName::new(context, name);
    match name.definition(context) {
        Some(definition) => Ok(definition),
        None => Declined::because(format!("no operation is named '{}'", name.text(context))),
    }
}

/// The rules in lists of lists, in order.
pub fn flatten(lists: &[&'static [Rule]]) -> Vec<&'static Rule> {
    lists.iter().copied().flatten().collect()
}

/// Declares a small rewrite rule as text, as a static list of one rule.
///
/// `peephole!(X, dialect &ORI, ["ori.", "ori-"], benefit 1, "iadd3-zeros", iadd3 "(x, 0, 0) => x")`,
/// with the prefixes of operations and of rules; a second pair of prefixes makes a second rule. A
/// condition may follow. Dialects wrap this in a shorter macro of their own.
#[macro_export]
macro_rules! peephole {
    ($(#[$doc:meta])* $visibility:vis $ident:ident, dialect $dialect:expr,
     [$prefix:literal, $names:literal], benefit $benefit:literal, $name:literal,
     $root:ident $text:literal $(, $condition:expr)? $(,)?) => {
        $(#[$doc])*
        #[doc = concat!("`", stringify!($root), $text, "`")]
        $visibility static $ident: &[$crate::rewrite::Rule] = &[
            $crate::peephole!(@rule $dialect, $prefix, $names, $benefit, $name, $root $text $(, $condition)?),
        ];
    };
    ($(#[$doc:meta])* $visibility:vis $ident:ident, dialect $dialect:expr,
     [$prefix:literal, $names:literal] [$second:literal, $second_names:literal],
     benefit $benefit:literal, $name:literal,
     $root:ident $text:literal $(, $condition:expr)? $(,)?) => {
        $(#[$doc])*
        #[doc = concat!("`", stringify!($root), $text, "`")]
        $visibility static $ident: &[$crate::rewrite::Rule] = &[
            $crate::peephole!(@rule $dialect, $prefix, $names, $benefit, $name, $root $text $(, $condition)?),
            $crate::peephole!(@rule $dialect, $second, $second_names, $benefit, $name, $root $text $(, $condition)?),
        ];
    };
    (@rule $dialect:expr, $prefix:literal, $names:literal, $benefit:literal, $name:literal,
     $root:ident $text:literal $(, $condition:expr)?) => {{
        static PATTERN: $crate::pattern::Pattern = $crate::pattern::Pattern {
            dialect: $dialect,
            prefix: $prefix,
            text: (stringify!($root), $text),
            condition: $crate::peephole!(@condition $($condition)?),
            tree: std::sync::OnceLock::new(),
        };
        $crate::rewrite::Rule {
            name: concat!($names, $name),
            summary: concat!(stringify!($root), $text),
            root: concat!($prefix, stringify!($root)),
            benefit: $benefit,
            apply: |rewriter, op| PATTERN.apply(rewriter, op),
            pattern: Some(&PATTERN),
            file: file!(),
            line: line!(),
        }
    }};
    (@condition) => { None };
    (@condition $condition:expr) => { Some($condition) };
}
