//! Contents of dialect types and attributes: interned Rust values.
//!
//! A dialect type or attribute is a [`Payload`]: its declaration and a value of any Rust type that
//! implements [`DialectValue`]. To know what it is, ask for that Rust type: [`Attribute::downcast`]
//! compares type ids, and returns a reference. No text and no name is compared.

use std::any::Any;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxBuildHasher;

use crate::declare::PayloadDefinition;
use crate::parser::{ParseResult, Parser};
use crate::printer::Printer;
use crate::{Attribute, AttributeKind, Context, Type, TypeKind};

/// A Rust type whose values are the contents of dialect types or attributes.
pub trait DialectValue: Eq + Hash + Clone + Debug + Send + Sync + 'static {
    /// The declaration of the type or attribute with this value.
    fn definition(&self) -> &'static PayloadDefinition;

    /// Parses the text after the name of a declaration; it matters which one only if there are
    /// several for this Rust type.
    ///
    /// # Errors
    /// If it is malformed.
    fn parse(parser: &mut Parser<'_>, definition: &'static PayloadDefinition) -> ParseResult<Self>;

    /// Prints the text after the name.
    fn print(&self, printer: &mut Printer<'_>);

    /// Checks a value, for its own sake: the parser does, and [`Payload::verify`].
    ///
    /// # Errors
    /// The message, if it is invalid.
    fn verify(&self, context: &Context) -> Result<(), String> {
        let _ = context;
        Ok(())
    }

    /// Visits the parameters, in the order of the declaration. Every attribute and type inside the
    /// value must be among them: that is how symbol references and resources in it are found.
    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        let _ = visit;
    }
}

/// A value that tools that know the dialect from IRDL see as a list of attributes
/// ([`PrintFlags::irdl`](crate::PrintFlags::irdl)); without this trait they see its text.
pub trait Parameterized: DialectValue {
    /// The value of a declaration with these parameters; `None` if there is none.
    fn from_parameters(
        context: &Context,
        definition: &'static PayloadDefinition,
        parameters: &[Attribute],
    ) -> Option<Self>;
}

/// A parameter of a dialect type or attribute.
#[derive(Clone, Copy, Debug)]
pub enum Parameter<'v> {
    /// `unit`: an optional parameter is absent.
    Absent,
    /// An attribute.
    Attribute(Attribute),
    /// A type.
    Type(Type),
    /// An integer of an integer type.
    Integer(Type, i64),
    /// A string.
    Text(&'v str),
    /// A dense array with elements of an integer type.
    Integers(Type, &'v [i64]),
}

impl<'v> Parameter<'v> {
    /// The parameter, or [`Parameter::Absent`].
    pub fn optional<T>(value: Option<T>, some: impl FnOnce(T) -> Parameter<'v>) -> Self {
        value.map_or(Parameter::Absent, some)
    }

    /// Reads an optional parameter; `None` if it is present and malformed.
    pub fn read<T>(
        attribute: Attribute,
        value: impl FnOnce(Attribute) -> Option<T>,
    ) -> Option<Option<T>> {
        if attribute == Attribute::UNIT {
            return Some(None);
        }
        value(attribute).map(Some)
    }
}

/// A value of unknown Rust type.
trait AnyValue: Any + Debug + Send + Sync {
    fn equals(&self, other: &dyn AnyValue) -> bool;
    fn boxed_clone(&self) -> Box<dyn AnyValue>;
}

impl<T: Any + Eq + Clone + Debug + Send + Sync> AnyValue for T {
    fn equals(&self, other: &dyn AnyValue) -> bool {
        (other as &dyn Any).downcast_ref::<T>() == Some(self)
    }

    fn boxed_clone(&self) -> Box<dyn AnyValue> {
        Box::new(self.clone())
    }
}

/// The contents of a dialect type or attribute: a declaration and a value.
#[derive(Debug)]
pub struct Payload {
    definition: &'static PayloadDefinition,
    /// The hash of name and value: the value is hashed only once.
    hash: u64,
    /// Whether the value is known to be valid.
    verified: AtomicBool,
    value: Box<dyn AnyValue>,
}

impl Payload {
    /// The contents with this value.
    pub fn new<T: DialectValue>(value: T) -> Self {
        let definition = value.definition();
        Payload::hashed(definition, hash(definition, &value), value)
    }

    /// The contents of a type or attribute without parameters; allocates nothing.
    pub(crate) fn without_parameters(definition: &'static PayloadDefinition) -> Self {
        Payload::hashed(definition, hash(definition, &()), ())
    }

    fn hashed(definition: &'static PayloadDefinition, hash: u64, value: impl AnyValue) -> Self {
        let value = Box::new(value);
        Payload {
            definition,
            hash,
            verified: AtomicBool::new(false),
            value,
        }
    }

    /// The declaration.
    pub fn definition(&self) -> &'static PayloadDefinition {
        self.definition
    }

    /// Checks the value ([`DialectValue::verify`]): at most once if it is valid, since contents are
    /// interned and never change.
    ///
    /// # Errors
    /// The message, if it is invalid.
    pub fn verify(&self, context: &Context) -> Result<(), String> {
        if !self.verified.load(Ordering::Relaxed) {
            (self.definition.verify)(self, context)?;
            self.verified.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The value, if it is of this Rust type.
    pub fn downcast<T: DialectValue>(&self) -> Option<&T> {
        (&*self.value as &dyn Any).downcast_ref()
    }

    /// Visits the attributes among the parameters, also those of dialect types among them.
    pub fn attributes(&self, context: &Context, visit: &mut dyn FnMut(Attribute)) {
        (self.definition.visit)(self, &mut |parameter| match parameter {
            Parameter::Attribute(attribute) => visit(attribute),
            Parameter::Type(ty) => {
                if let Some(payload) = ty.payload(context) {
                    payload.attributes(context, visit);
                }
            }
            _ => {}
        });
    }

    fn holds<T: DialectValue>(&self, definition: &PayloadDefinition, hash: u64, value: &T) -> bool {
        self.hash == hash
            && std::ptr::eq(self.definition, definition)
            && self.downcast() == Some(value)
    }
}

fn hash(definition: &PayloadDefinition, value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one((definition.name, value))
}

impl Clone for Payload {
    fn clone(&self) -> Self {
        Payload {
            definition: self.definition,
            hash: self.hash,
            verified: AtomicBool::new(self.verified.load(Ordering::Relaxed)),
            value: self.value.boxed_clone(),
        }
    }
}

impl PartialEq for Payload {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && std::ptr::eq(self.definition, other.definition)
            && self.value.equals(&*other.value)
    }
}

impl Eq for Payload {}

impl Hash for Payload {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Creation and reading of types and attributes of one kind.
macro_rules! handles {
    ($handle:ident, $kind:ident, $table:ident, $what:literal) => {
        impl $handle {
            #[doc = concat!("The dialect ", $what, " with this value; allocates nothing if it already exists.")]
            pub fn typed<T: DialectValue>(context: &mut Context, value: T) -> $handle {
                let definition = value.definition();
                let hash = hash(definition, &value);
                // The hash of a kind with this value, without the value.
                let key = $kind::Dialect(Payload::hashed(definition, hash, ()));
                let known = context.$table.find(&key, |kind| match kind {
                    $kind::Dialect(known) => known.holds(definition, hash, &value),
                    _ => false,
                });
                match known {
                    Some(index) => $handle(index),
                    None => {
                        let payload = Payload::hashed(definition, hash, value);
                        $handle::new(context, $kind::Dialect(payload))
                    }
                }
            }

            #[doc = concat!("The dialect ", $what, " of a declaration without parameters.")]
            pub fn without_parameters(context: &mut Context, definition: &'static PayloadDefinition) -> $handle {
                let payload = Payload::without_parameters(definition);
                $handle::new(context, $kind::Dialect(payload))
            }

            #[doc = concat!("The contents of a dialect ", $what, "; `None` for any other ", $what, ".")]
            #[inline]
            pub fn payload(self, context: &Context) -> Option<&Payload> {
                match self.kind(context) {
                    $kind::Dialect(payload) => Some(payload),
                    _ => None,
                }
            }

            #[doc = concat!("The value of a dialect ", $what, ", if it is of this Rust type.")]
            #[inline]
            pub fn downcast<T: DialectValue>(self, context: &Context) -> Option<&T> {
                self.payload(context)?.downcast()
            }

            #[doc = concat!("Whether this is a dialect ", $what, " with this declaration.")]
            #[inline]
            pub fn is_declared_by(self, context: &Context, definition: &'static PayloadDefinition) -> bool {
                let payload = self.payload(context);
                payload.is_some_and(|payload| std::ptr::eq(payload.definition, definition))
            }
        }
    };
}

handles!(Attribute, AttributeKind, attributes, "attribute");
handles!(Type, TypeKind, types, "type");

#[cfg(test)]
mod tests;
