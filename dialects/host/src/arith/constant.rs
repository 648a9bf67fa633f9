//! Constants.

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{
    Assembly, AttributeForm, Effects, Folded, Trait, VerifyResult, constraints,
};
use orison_ir::numbers::{ApInt, Float};
use orison_ir::parser::{ParseResult, Parser};
use orison_ir::printer::{Printer, type_to_string};
use orison_ir::{
    Attribute, AttributeKind, Builder, Context, Identifier, Location, Operation, OperationName,
    OperationState, Type, TypeKind, Value,
};

/// A typed attribute.
#[derive(Debug)]
pub struct TypedAttr;

impl AttributeForm for TypedAttr {
    type Value<'c> = Attribute;
    const CONSTRAINT: &'static orison_ir::declare::AttributeConstraint =
        &constraints::TYPED_ATTRIBUTE;
    fn read(context: &Context, attribute: Attribute) -> Option<Attribute> {
        (constraints::TYPED_ATTRIBUTE.check)(context, attribute).then_some(attribute)
    }
    fn write(_context: &mut Context, value: Attribute) -> Attribute {
        value
    }
}

orison_ir::operations! {
    /// A constant scalar, vector or tensor.
    op Constant = "arith.constant" {
        results {
            /// The value.
            result: one(ANY_TYPE),
        }
        attributes {
            /// The value.
            value = "value": required(TypedAttr),
        }
        with {
            traits: &[Trait::ConstantLike, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom { parse, print },
            verify: Some(verify),
            fold: Some(|context, op, _| {
                Some(vec![Folded::Constant(op.attribute(context, "value")?)])
            }),
            result_name: Some(name),
        }
    }
}

fn parse(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parser.parse_attribute_dictionary(state)?;
    let place = parser.token();
    let value = parser.parse_attribute()?;
    if TypedAttr::read(parser.context, value).is_none() {
        return Err(parser.op_error_at(state, place, "invalid kind of attribute specified"));
    }
    state.set_property(parser.context, "value", value);
    let ty = value.carried_type(parser.context);
    state.result_types.push(ty);
    Ok(())
}

fn print(printer: &mut Printer<'_>, op: Operation) {
    printer.attribute_dictionary(op, &["value"]);
    printer.write(" ");
    if let Some(value) = op.attribute(printer.context, "value") {
        printer.attribute(value);
    }
}

/// `c1_i32`, `c1` for an index, `true`, `cst` for types other than integers.
fn name(context: &Context, op: Operation) -> Option<String> {
    let value = op.attribute(context, "value")?;
    let AttributeKind::Integer { value, ty } = value.kind(context) else {
        return Some("cst".to_owned());
    };
    if *ty == Type::I1 {
        return Some(if value.is_zero() { "false" } else { "true" }.to_owned());
    }
    let digits = value.to_signed_decimal();
    Some(match ty.integer_width(context) {
        Some(_) => format!("c{digits}_{}", type_to_string(context, *ty)),
        None => format!("c{digits}"),
    })
}

fn verify(context: &Context, op: Operation) -> VerifyResult {
    let Some(value) = op.attribute(context, "value") else {
        return Ok(());
    };
    let ty = op.result(context, 0).ty(context);
    if value.carried_type(context) != ty {
        let message = "failed to verify that all of {value, result} have same type";
        return Err(op.op_error(context, message));
    }
    if ty.is_integer(context) && !ty.is_signless_integer(context) {
        return Err(op.op_error(context, "integer return type must be signless"));
    }
    let is_number = matches!(
        value.kind(context),
        AttributeKind::Integer { .. }
            | AttributeKind::Float { .. }
            | AttributeKind::DenseElements { .. }
            | AttributeKind::DenseResource { .. }
            | AttributeKind::SparseElements { .. }
    );
    if !is_number {
        let message = "value must be an integer, float, or elements attribute";
        return Err(op.op_error(context, message));
    }
    let scalable = matches!(ty.kind(context), TypeKind::Vector { scalable, .. }
        if scalable.iter().any(|dimension| *dimension));
    if scalable && value.splat_bytes(context).is_none() {
        let message = "intializing scalable vectors with elements attribute is not supported \
                       unless it's a vector splat";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

/// Describes `arith.constant` for an attribute that this dialect can materialise.
pub(super) fn materialize(
    context: &mut Context,
    value: Attribute,
    ty: Type,
    location: Location,
) -> Option<OperationState> {
    let is_number = matches!(
        value.kind(context),
        AttributeKind::Integer { .. }
            | AttributeKind::Float { .. }
            | AttributeKind::DenseElements { .. }
    );
    let signless = !ty.is_integer(context) || ty.is_signless_integer(context);
    if !is_number || !signless || value.carried_type(context) != ty {
        return None;
    }
    let name = OperationName::new(context, Constant::NAME);
    let mut state = OperationState::new(name, location);
    state.result_types.push(ty);
    let key = Identifier::new(context, "value");
    state.properties = Attribute::dictionary(context, &[(key, value)]);
    Some(state)
}

/// Creates a constant from a typed attribute.
pub fn constant(builder: &mut Builder<'_>, location: Location, value: Attribute) -> Value {
    let ty = value.carried_type(builder.ir());
    Constant::build(builder, location, value, ty).result(builder.ir())
}

/// Creates `arith.constant value : index`.
pub fn constant_index(builder: &mut Builder<'_>, location: Location, value: i64) -> Value {
    let value = Attribute::index(builder.context(), value);
    constant(builder, location, value)
}

/// Creates `arith.constant value : ty` for an integer type or `index`.
pub fn constant_integer(
    builder: &mut Builder<'_>,
    location: Location,
    ty: Type,
    value: i64,
) -> Value {
    let value = Attribute::integer(builder.context(), ty, value);
    constant(builder, location, value)
}

/// Creates `arith.constant value : ty` for a float type; `None` for other types.
pub fn constant_float(
    builder: &mut Builder<'_>,
    location: Location,
    ty: Type,
    value: f64,
) -> Option<Value> {
    let value = Attribute::float(builder.context(), ty, value)?;
    Some(constant(builder, location, value))
}

/// The value attribute of the constant, of any dialect, that defines a value.
pub fn constant_of(context: &Context, value: Value) -> Option<Attribute> {
    let op = value.defining_op(context)?;
    if op.has_trait(context, Trait::ConstantLike) {
        op.attribute(context, "value")
    } else {
        None
    }
}

/// The known integer of a value.
pub fn constant_integer_of(context: &Context, value: Value) -> Option<&ApInt> {
    match constant_of(context, value)?.kind(context) {
        AttributeKind::Integer { value, .. } => Some(value),
        _ => None,
    }
}

/// The known float of a value.
pub fn constant_float_of(context: &Context, value: Value) -> Option<Float> {
    match constant_of(context, value)?.kind(context) {
        AttributeKind::Float { value, .. } => Some(*value),
        _ => None,
    }
}
