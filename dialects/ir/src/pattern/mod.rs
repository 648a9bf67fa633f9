//! Small rewrite rules as text: `iadd3(x, 0, 0) => x`.
//!
//! A [`Pattern`] consists of the text, the dialect's rules for operands ([`PatternDialect`]), and a
//! function for conditions that the text cannot express. [`peephole!`](crate::peephole) makes a
//! [`Rule`](crate::Rule) of it, so that the greedy driver, its filters, counters and listings handle it like any
//! other rule. The grammar is in [`tree`]; `docs/rewriting.md` shows how to write one.

mod building;
mod matching;
pub mod tree;

use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::declare::{AttributeForm, OperationDefinition, TypeConstraint};
use crate::rewriter::{Declined, Rewriter, RuleResult};
use crate::{Attribute, Context, Keyword, Location, Operation, OperationState, Type, Value};
use tree::PatternTree;

/// A set of modifiers of an operand, as bits defined by the dialect. Zero is the empty set.
pub type Modifiers = u8;

/// Dialect-specific operand rules used by patterns.
pub trait PatternDialect: Sync + std::fmt::Debug {
    /// The operation with this full name.
    fn operation(&self, name: &str) -> Option<&'static OperationDefinition>;
    /// The modifier with this spelling.
    fn modifier(&self, word: &str) -> Option<Modifiers>;
    /// Whether an operation may be part of a pattern; the reason if not, such as a guard.
    fn may_match(&self, context: &Context, op: Operation) -> Result<(), &'static str>;
    /// Whether patterns ignore this operand group or attribute.
    fn is_hidden(&self, name: &str) -> bool;
    /// The modifiers of each operand.
    fn modifiers(&self, context: &Context, op: Operation) -> SmallVec<[Modifiers; 4]>;
    /// The number of leading operands that commute.
    fn commuting(&self, definition: &'static OperationDefinition) -> usize;
    /// The bits of a constant operand with its modifiers applied, sign-extended.
    fn constant(&self, context: &Context, op: Operation, operand: usize) -> Option<i64>;
    /// The inner modifiers that remain after the outer ones are removed.
    fn strip(&self, all: Modifiers, outer: Modifiers) -> Option<Modifiers>;
    /// The modifiers equivalent to `inner` followed by `outer`; `None` if there is no such set.
    fn compose(&self, outer: Modifiers, inner: Modifiers) -> Option<Modifiers>;
    /// Whether an operand of a group may have modifiers.
    fn allows(&self, constraint: &'static TypeConstraint, modifiers: Modifiers) -> bool;
    /// The type of a constant for an operand group or a result.
    fn type_of(&self, context: &mut Context, constraint: &'static TypeConstraint) -> Option<Type>;
    /// The state of an operation that creates a constant.
    fn constant_state(
        &self,
        context: &mut Context,
        bits: i64,
        ty: Type,
        location: Location,
    ) -> Option<OperationState>;
    /// The state of an operation that copies a value to a type; `None` if this is impossible.
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

/// The binding of a name in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Value(Value, Modifiers),
    Constant(i64),
    Attribute(Option<Attribute>),
}

/// The bindings of the names in a pattern.
type Bindings<'p> = SmallVec<[(&'p str, Bound); 8]>;

fn lookup(bindings: &Bindings<'_>, name: &str) -> Option<Bound> {
    let mut all = bindings.iter();
    all.find(|(known, _)| *known == name)
        .map(|(_, bound)| *bound)
}

/// A condition or computation that the pattern's text cannot express.
pub type Condition = fn(&mut Match<'_, '_>) -> RuleResult;

/// A rewrite rule as text.
#[derive(Debug)]
pub struct Pattern {
    /// The dialect's operand rules.
    pub dialect: &'static dyn PatternDialect,
    /// The prefix of operation names.
    pub prefix: &'static str,
    /// The name of the root and the text that follows it.
    pub text: (&'static str, &'static str),
    /// An additional condition.
    pub condition: Option<Condition>,
    /// The tree, parsed on first use.
    pub tree: OnceLock<Result<PatternTree, String>>,
}

impl Pattern {
    /// The pattern as a tree.
    ///
    /// # Errors
    /// If the text is malformed, which is a bug that the test of every pattern list detects.
    pub fn tree(&self) -> Result<&PatternTree, &str> {
        let (root, rest) = self.text;
        let read = || PatternTree::read(&format!("{root}{rest}"), self.prefix, self.dialect);
        self.tree.get_or_init(read).as_ref().map_err(String::as_str)
    }

    /// Applies the pattern to an operation.
    ///
    /// # Errors
    /// If it does not match; nothing is changed in this case.
    pub fn apply(&self, rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
        let tree = match self.tree() {
            Ok(tree) => tree,
            Err(error) => return Declined::because(error.to_owned()),
        };
        let bindings = matching::find(rewriter.context(), self, tree, op)?;
        building::replace(rewriter, self, tree, op, &bindings)
    }
}

/// A matched operation with its bindings, for conditions.
#[derive(Debug)]
pub struct Match<'m, 'p> {
    context: &'m mut Context,
    root: Operation,
    bindings: Bindings<'p>,
}

/// A condition that uses a name missing from the pattern is a bug; it declines.
const UNKNOWN: &str = "the condition uses a name that the pattern does not bind";

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
    /// If there is none.
    pub fn constant(&self, name: &str) -> Result<i64, Declined> {
        match lookup(&self.bindings, name) {
            Some(Bound::Constant(bits)) => Ok(bits),
            _ => Declined::because(UNKNOWN),
        }
    }

    /// The value `name`, with its modifiers.
    ///
    /// # Errors
    /// If there is none.
    pub fn value(&self, name: &str) -> Result<(Value, Modifiers), Declined> {
        match lookup(&self.bindings, name) {
            Some(Bound::Value(value, modifiers)) => Ok((value, modifiers)),
            _ => Declined::because(UNKNOWN),
        }
    }

    /// The attribute `name`; `None` if it is absent.
    ///
    /// # Errors
    /// If the pattern has no such name.
    pub fn attribute(&self, name: &str) -> Result<Option<Attribute>, Declined> {
        match lookup(&self.bindings, name) {
            Some(Bound::Attribute(attribute)) => Ok(attribute),
            _ => Declined::because(UNKNOWN),
        }
    }

    /// The integer value of the attribute `name`.
    ///
    /// # Errors
    /// If there is none.
    pub fn number(&self, name: &str) -> Result<i32, Declined> {
        let number = self.attribute(name)?;
        match number.and_then(|number| number.as_i32(self.context)) {
            Some(number) => Ok(number),
            None => Declined::because("the attribute is absent"),
        }
    }

    /// The keyword in the attribute `name`; `None` if it is absent.
    ///
    /// # Errors
    /// If the pattern has no such name.
    pub fn keyword<K: Keyword>(&self, name: &str) -> Result<Option<K>, Declined> {
        let attribute = self.attribute(name)?;
        Ok(attribute.and_then(|attribute| K::read(self.context, attribute)))
    }

    /// Declines unless a condition holds.
    ///
    /// # Errors
    /// If it does not hold.
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

    /// Binds `#name` to a constant.
    pub fn set_constant(&mut self, name: &'static str, bits: i64) {
        self.bind(name, Bound::Constant(bits));
    }

    /// Binds `name` to a value with modifiers.
    pub fn set_value(&mut self, name: &'static str, (value, modifiers): (Value, Modifiers)) {
        self.bind(name, Bound::Value(value, modifiers));
    }

    /// Binds `name` to an integer attribute.
    pub fn set_number(&mut self, name: &'static str, number: i32) {
        let number = Attribute::i32(self.context, number);
        self.bind(name, Bound::Attribute(Some(number)));
    }

    /// Binds `name` to a keyword attribute.
    pub fn set_keyword<K: Keyword>(&mut self, name: &'static str, keyword: K) {
        let keyword = K::write(self.context, keyword);
        self.bind(name, Bound::Attribute(Some(keyword)));
    }
}

/// Flattens lists of rule lists, in order.
pub fn flatten<R>(lists: &[&'static [R]]) -> Vec<&'static R> {
    lists.iter().copied().flatten().collect()
}
