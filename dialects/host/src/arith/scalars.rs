//! Constants as scalars, element by element.

use orison_ir::attributes::DenseData;
use orison_ir::numbers::{ApInt, Float, FloatKind};
use orison_ir::{Attribute, AttributeKind, Context, Type, TypeKind};

/// A scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Integer(ApInt),
    Float(Float),
}

impl Scalar {
    pub(in crate::arith) fn integer(&self) -> Option<&ApInt> {
        match self {
            Scalar::Integer(value) => Some(value),
            Scalar::Float(_) => None,
        }
    }

    pub(crate) fn float(&self) -> Option<Float> {
        match self {
            Scalar::Float(value) => Some(*value),
            Scalar::Integer(_) => None,
        }
    }
}

/// The scalars of a constant: a single one if all elements are equal.
struct Elements {
    values: Vec<Scalar>,
    uniform: bool,
}

/// The interpretation of the bytes of an element.
enum Format {
    Integer(u32),
    Float(FloatKind),
}

fn format(context: &Context, ty: Type) -> Option<Format> {
    match ty.kind(context) {
        TypeKind::Integer(width, _) => Some(Format::Integer(*width)),
        TypeKind::Index => Some(Format::Integer(64)),
        TypeKind::Float(kind) => Some(Format::Float(*kind)),
        _ => None,
    }
}

impl Format {
    fn bytes(&self) -> usize {
        let bits = match self {
            Format::Integer(width) => *width,
            Format::Float(kind) => kind.width(),
        };
        bits.div_ceil(8) as usize
    }

    fn read(&self, bytes: &[u8]) -> Scalar {
        match self {
            Format::Integer(width) => Scalar::Integer(ApInt::from_le_bytes(*width, bytes)),
            Format::Float(kind) => Scalar::Float(Float::from_le_bytes(*kind, bytes)),
        }
    }

    fn write(&self, value: &Scalar, bytes: &mut Vec<u8>) {
        let size = self.bytes();
        match value {
            Scalar::Integer(value) => {
                let words = value.words().iter().flat_map(|word| word.to_le_bytes());
                bytes.extend(words.chain(std::iter::repeat(0)).take(size));
            }
            Scalar::Float(value) => bytes.extend_from_slice(&value.bits().to_le_bytes()[..size]),
        }
    }
}

fn elements(context: &Context, attribute: Attribute) -> Option<Elements> {
    let single = |value| Elements {
        values: vec![value],
        uniform: true,
    };
    match attribute.kind(context) {
        AttributeKind::Integer { value, .. } => Some(single(Scalar::Integer(value.clone()))),
        AttributeKind::Float { value, .. } => Some(single(Scalar::Float(*value))),
        AttributeKind::DenseElements {
            ty,
            data: DenseData::Bytes { bytes, splat },
        } => {
            let format = format(context, ty.element(context)?)?;
            let size = format.bytes();
            if size == 0 {
                return None;
            }
            let values = bytes.chunks_exact(size).map(|chunk| format.read(chunk));
            Some(Elements {
                values: values.collect(),
                uniform: *splat,
            })
        }
        _ => None,
    }
}

/// The constant of a type with these scalars; a single one for a scalar or a splat.
fn attribute(context: &mut Context, ty: Type, values: &[Scalar]) -> Option<Attribute> {
    if !ty.is_shaped(context) {
        return match values {
            [Scalar::Integer(value)] => {
                let value = value.clone();
                let fits = ty.bit_width(context) == Some(value.width());
                fits.then(|| Attribute::new(context, AttributeKind::Integer { ty, value }))
            }
            [Scalar::Float(value)] if ty.float_kind(context) == Some(value.kind()) => {
                let value = *value;
                Some(Attribute::new(context, AttributeKind::Float { ty, value }))
            }
            _ => None,
        };
    }
    ty.element_count(context)?;
    let format = format(context, ty.element(context)?)?;
    let mut bytes = Vec::with_capacity(values.len() * format.bytes());
    for value in values {
        format.write(value, &mut bytes);
    }
    Attribute::dense(context, ty, &bytes).ok()
}

/// Applies a function element by element to constants. `None` if the function returns `None` for an
/// element, or if the constants are not numeric.
pub(crate) fn map(
    context: &mut Context,
    operands: &[Option<Attribute>],
    ty: Type,
    function: impl Fn(&[&Scalar]) -> Option<Scalar>,
) -> Option<Attribute> {
    let all: Option<Vec<_>> = operands
        .iter()
        .map(|operand| elements(context, (*operand)?))
        .collect();
    let all = all?;
    let count = all
        .iter()
        .filter(|elements| !elements.uniform)
        .map(|elements| elements.values.len())
        .max()
        .unwrap_or(1);
    let mut results = Vec::with_capacity(count);
    for number in 0..count {
        let row: Option<Vec<_>> = all
            .iter()
            .map(|elements| {
                elements
                    .values
                    .get(if elements.uniform { 0 } else { number })
            })
            .collect();
        results.push(function(&row?)?);
    }
    attribute(context, ty, &results)
}

/// [`map`] over integers.
pub(in crate::arith) fn map_integers(
    context: &mut Context,
    operands: &[Option<Attribute>],
    ty: Type,
    function: impl Fn(&ApInt, &ApInt) -> Option<ApInt>,
) -> Option<Attribute> {
    map(context, operands, ty, |row| match row {
        [Scalar::Integer(a), Scalar::Integer(b)] => function(a, b).map(Scalar::Integer),
        _ => None,
    })
}

/// [`map`] over floats.
pub(in crate::arith) fn map_floats(
    context: &mut Context,
    operands: &[Option<Attribute>],
    ty: Type,
    function: impl Fn(Float, Float) -> Float,
) -> Option<Attribute> {
    map(context, operands, ty, |row| match row {
        [Scalar::Float(a), Scalar::Float(b)] => Some(Scalar::Float(function(*a, *b))),
        _ => None,
    })
}

/// The scalar shared by all elements of a constant.
pub(in crate::arith) fn uniform(context: &Context, attribute: Option<Attribute>) -> Option<Scalar> {
    let elements = elements(context, attribute?)?;
    if elements.uniform {
        elements.values.into_iter().next()
    } else {
        None
    }
}

/// All elements of an integer constant.
pub(crate) fn integers(context: &Context, attribute: Attribute) -> Option<Vec<ApInt>> {
    let elements = elements(context, attribute)?;
    let count = if elements.uniform {
        usize::try_from(attribute.carried_type(context).element_count(context)?).ok()?
    } else {
        elements.values.len()
    };
    let value = |number: usize| {
        let number = if elements.uniform { 0 } else { number };
        elements.values.get(number)?.integer().cloned()
    };
    (0..count).map(value).collect()
}

/// The constant vector of integers; `None` if there are no integers or their widths differ.
pub(crate) fn integer_vector(
    context: &mut Context,
    ty: Type,
    values: &[ApInt],
) -> Option<Attribute> {
    let vector = Type::new(
        context,
        TypeKind::Vector {
            shape: [i64::try_from(values.len()).ok()?].into(),
            scalable: [false].into(),
            element: ty,
        },
    );
    let values: Vec<_> = values.iter().cloned().map(Scalar::Integer).collect();
    if values.is_empty() {
        return None;
    }
    self::attribute(context, vector, &values)
}

/// The float shared by all elements of a constant.
pub(in crate::arith) fn uniform_float(context: &Context, attribute: Attribute) -> Option<Float> {
    uniform(context, Some(attribute))?.float()
}

/// The integer shared by all elements of a constant.
pub(in crate::arith) fn uniform_integer(context: &Context, attribute: Attribute) -> Option<ApInt> {
    match uniform(context, Some(attribute))? {
        Scalar::Integer(value) => Some(value),
        Scalar::Float(_) => None,
    }
}

/// Whether all elements of a constant are one integer that satisfies a predicate.
pub(in crate::arith) fn is_integer(
    context: &Context,
    attribute: Option<Attribute>,
    predicate: impl Fn(&ApInt) -> bool,
) -> bool {
    uniform(context, attribute)
        .as_ref()
        .and_then(Scalar::integer)
        .is_some_and(predicate)
}

/// Whether all elements of a constant are one float that satisfies a predicate.
pub(in crate::arith) fn is_float(
    context: &Context,
    attribute: Option<Attribute>,
    predicate: impl Fn(Float) -> bool,
) -> bool {
    uniform(context, attribute)
        .as_ref()
        .and_then(Scalar::float)
        .is_some_and(predicate)
}

/// The constant of a type whose elements are all the same integer.
pub(in crate::arith) fn splat_integer(
    context: &mut Context,
    ty: Type,
    value: impl Fn(u32) -> ApInt,
) -> Option<Attribute> {
    let width = ty.scalar(context).bit_width(context)?;
    attribute(context, ty, &[Scalar::Integer(value(width))])
}
