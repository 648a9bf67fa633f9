//! Type conversion.

use std::cell::RefCell;
use std::fmt;

use orison_ir::{Attribute, Block, Context, Location, Type, Value};
use rustc_hash::FxHashMap;

use super::ConversionRewriter;
use super::signature::SignatureConversion;

/// Converts a type: `None` if the function does not handle it, `Some(None)` if it cannot be
/// converted, else any number of types.
pub type ConvertType = Box<dyn Fn(&mut Context, Type) -> Option<Option<Vec<Type>>>>;
/// Makes values of the types from other values; `None` if it cannot.
pub type Materialize =
    Box<dyn Fn(&mut ConversionRewriter<'_>, &[Type], &[Value], Location) -> Option<Vec<Value>>>;

/// Converts each type to any number of types, and materializes values between both.
#[derive(Default)]
pub struct TypeConverter {
    conversions: Vec<ConvertType>,
    source: Vec<Materialize>,
    target: Vec<Materialize>,
    /// Whether casts that cannot be materialized are kept; otherwise, they are errors.
    pub keeps_casts: bool,
    known: RefCell<FxHashMap<Type, Option<Vec<Type>>>>,
}

impl fmt::Debug for TypeConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypeConverter")
            .field("conversions", &self.conversions.len())
            .field("keeps_casts", &self.keeps_casts)
            .finish_non_exhaustive()
    }
}

impl TypeConverter {
    /// A converter without conversions.
    pub fn new() -> Self {
        TypeConverter::default()
    }

    /// Adds a conversion, which is tried before those that were added earlier.
    pub fn conversion(&mut self, convert: ConvertType) -> &mut Self {
        self.conversions.push(convert);
        self
    }

    /// Adds a materialization of a value of an original type from converted values.
    pub fn source_materialization(&mut self, materialize: Materialize) -> &mut Self {
        self.source.push(materialize);
        self
    }

    /// Adds a materialization of converted values from a value of an original type.
    pub fn target_materialization(&mut self, materialize: Materialize) -> &mut Self {
        self.target.push(materialize);
        self
    }

    /// The converted types of a type; `None` if it cannot be converted. Results are cached.
    pub fn convert(&self, context: &mut Context, ty: Type) -> Option<Vec<Type>> {
        if let Some(known) = self.known.borrow().get(&ty) {
            return known.clone();
        }
        let mut all = self.conversions.iter().rev();
        let converted = all.find_map(|convert| convert(context, ty)).flatten();
        self.known.borrow_mut().insert(ty, converted.clone());
        converted
    }

    /// Converts several types and concatenates the results.
    pub fn convert_all(&self, context: &mut Context, types: &[Type]) -> Option<Vec<Type>> {
        let mut converted = Vec::new();
        for ty in types {
            converted.extend(self.convert(context, *ty)?);
        }
        Some(converted)
    }

    /// Whether a type is converted to itself.
    pub fn is_legal(&self, context: &mut Context, ty: Type) -> bool {
        self.convert(context, ty).as_deref() == Some(&[ty])
    }

    /// Converts the argument types of a block.
    pub fn convert_block(
        &self,
        context: &mut Context,
        block: Block,
    ) -> Option<SignatureConversion> {
        let mut conversion = SignatureConversion::default();
        for ty in block.argument_types(context) {
            let types = self.convert(context, ty)?;
            conversion.add(types);
        }
        Some(conversion)
    }

    /// Converts a function type.
    pub fn convert_function_type(&self, context: &mut Context, ty: Type) -> Option<Type> {
        let (inputs, results) = ty.as_function(context)?;
        let (inputs, results) = (inputs.to_vec(), results.to_vec());
        let inputs = self.convert_all(context, &inputs)?;
        let results = self.convert_all(context, &results)?;
        Some(Type::function(context, &inputs, &results))
    }

    /// Whether all types in an attribute that holds a function type are legal.
    pub fn is_signature_legal(&self, context: &mut Context, signature: Attribute) -> bool {
        let ty = signature.as_type(context);
        ty.is_some_and(|ty| self.convert_function_type(context, ty) == Some(ty))
    }

    /// Materializes values of types before the conversion (`to_source`) or after it.
    pub(super) fn materialize(
        &self,
        rewriter: &mut ConversionRewriter<'_>,
        to_source: bool,
        types: &[Type],
        inputs: &[Value],
        location: Location,
    ) -> Option<Vec<Value>> {
        let all = if to_source {
            &self.source
        } else {
            &self.target
        };
        let mut all = all.iter().rev();
        all.find_map(|materialize| materialize(rewriter, types, inputs, location))
    }
}
