//! Shaped types of both dialects: tiled views and memrefs, and the properties they share with
//! tensors.

use orison_ir::declare::{ParameterDefinition, TypeDefinition};
use orison_ir::parser::{Dimensions, ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::types::DYNAMIC;
use orison_ir::{Attribute, Context, Type, TypeKind};

use crate::MemorySpace;

/// Name of the view type of `nv_tileaa`.
pub const TILEAA_VIEW: &str = "nv_tileaa.tiled_view";
/// Name of the view type of `nv_tileas`.
pub const TILEAS_VIEW: &str = "nv_tileas.tiled_view";
/// Name of the memref type of `nv_tileaa`.
pub const MEMREF: &str = "nv_tileaa.memref";
/// Name of the memref type of `nv_tileas`.
pub const TILEAS_MEMREF: &str = "nv_tileas.memref";

const PARAMETERS: &[ParameterDefinition] = &[
    ParameterDefinition {
        name: "shape",
        documentation: "extents in elements; `?` if known only at run time",
    },
    ParameterDefinition {
        name: "element",
        documentation: "type of one element",
    },
    ParameterDefinition {
        name: "space",
        documentation: "residency: rmem, local, smem, gmem, tmem or constant",
    },
    ParameterDefinition {
        name: "layout",
        documentation: "optional layout, for example `strided<[64, 1]>`; row-major when absent",
    },
];

/// `!nv_tileaa.tiled_view<128x64xf16, gmem>`.
pub static TILEAA_VIEW_TYPE: TypeDefinition = TypeDefinition {
    name: TILEAA_VIEW,
    documentation: "A tiled view of memory.\n\n\
        A view of global storage, one tile at a time; the coordinates of a memory operation select \
        the tile.",
    parameters: PARAMETERS,
    parse: Some(parse_view),
    print: Some(print_shaped),
    verify: Some(verify_shaped),
};

/// `!nv_tileas.tiled_view<2x128x64xf16, smem>`.
pub static TILEAS_VIEW_TYPE: TypeDefinition = TypeDefinition {
    name: TILEAS_VIEW,
    documentation: "A buffer with its residency.\n\nThe residency is part of the type: views of \
                    equal shape in different memories are different types.",
    parameters: PARAMETERS,
    parse: Some(parse_view),
    print: Some(print_shaped),
    verify: Some(verify_shaped),
};

/// `!nv_tileaa.memref<?x?xf16>`.
pub static MEMREF_TYPE: TypeDefinition = TypeDefinition {
    name: MEMREF,
    documentation: "Memory with a shape, passed to a tile program.\n\n\
        The default memory space is global memory.",
    parameters: PARAMETERS,
    parse: Some(parse_memref),
    print: Some(print_shaped),
    verify: Some(verify_shaped),
};

/// `!nv_tileas.memref<128x64xf16, smem>`.
pub static TILEAS_MEMREF_TYPE: TypeDefinition = TypeDefinition {
    name: TILEAS_MEMREF,
    documentation: "Memory with a shape, after tile operations were assigned to it.\n\n\
        The default memory space is global memory.",
    parameters: PARAMETERS,
    parse: Some(parse_memref),
    print: Some(print_shaped),
    verify: Some(verify_shaped),
};

/// A decoded tiled view or memref of either dialect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapedView {
    /// Full name of the type: [`TILEAA_VIEW`], [`TILEAS_VIEW`], [`MEMREF`] or [`TILEAS_MEMREF`].
    pub name: &'static str,
    /// Extents; [`DYNAMIC`] for `?`.
    pub shape: Vec<i64>,
    /// Element type.
    pub element: Type,
    /// Residency; `None` if a memref omits it.
    pub space: Option<MemorySpace>,
    /// Layout; `None` is row-major.
    pub layout: Option<Attribute>,
}

impl ShapedView {
    /// A row-major view of `nv_tileas`.
    pub fn tileas(shape: &[i64], element: Type, space: MemorySpace) -> Self {
        ShapedView {
            name: TILEAS_VIEW,
            shape: shape.to_vec(),
            element,
            space: Some(space),
            layout: None,
        }
    }

    /// A row-major view of `nv_tileaa`.
    pub fn tileaa(shape: &[i64], element: Type, space: MemorySpace) -> Self {
        ShapedView {
            name: TILEAA_VIEW,
            ..Self::tileas(shape, element, space)
        }
    }

    /// Decodes a type, if it is a view or memref of one of the tile dialects.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        let (name, parameters) = ty.as_dialect(context)?;
        let name = [TILEAA_VIEW, TILEAS_VIEW, MEMREF, TILEAS_MEMREF]
            .into_iter()
            .find(|known| *known == name)?;
        let [shape, element, space, layout] = parameters else {
            return None;
        };
        Some(ShapedView {
            name,
            shape: shape.as_integer_array(context)?.1,
            element: element.as_type(context)?,
            space: MemorySpace::of(context, *space),
            layout: Some(*layout).filter(|layout| *layout != Attribute::UNIT),
        })
    }

    /// The type with these parts.
    pub fn ty(&self, context: &mut Context) -> Type {
        let shape = Attribute::dense_array(context, Type::I64, &self.shape);
        let element = Attribute::ty(context, self.element);
        let space = match self.space {
            Some(space) => space.attribute(context),
            None => Attribute::UNIT,
        };
        let layout = self.layout.unwrap_or(Attribute::UNIT);
        Type::dialect(context, self.name, &[shape, element, space, layout])
    }

    /// True for a tiled view of either dialect.
    pub fn is_view(&self) -> bool {
        self.name == TILEAA_VIEW || self.name == TILEAS_VIEW
    }

    /// The size in bytes of a view with a static shape.
    pub fn byte_size(&self, context: &Context) -> Option<u64> {
        byte_size(context, &self.shape, self.element)
    }
}

/// The size in bytes of elements of a static shape; bits are packed.
pub fn byte_size(context: &Context, shape: &[i64], element: Type) -> Option<u64> {
    let bits = u64::from(element.bit_width(context)?);
    let count = element_count(shape)?;
    Some(count.checked_mul(bits)?.div_ceil(8))
}

/// The number of elements of a static shape; `None` if an extent is dynamic or on overflow.
pub fn element_count(shape: &[i64]) -> Option<u64> {
    shape.iter().try_fold(1u64, |count, extent| {
        count.checked_mul(u64::try_from(*extent).ok()?)
    })
}

/// Shape and element type of a tile: a ranked tensor, a view or a memref.
pub fn shape_and_element(context: &Context, ty: Type) -> Option<(Vec<i64>, Type)> {
    if let TypeKind::Tensor { shape, element, .. } = ty.kind(context) {
        return Some((shape.to_vec(), *element));
    }
    let view = ShapedView::of(context, ty)?;
    Some((view.shape, view.element))
}

/// The memory space of a tile: registers for a tensor, the residency of a view; memrefs without a
/// space are global.
pub fn memory_space(context: &Context, ty: Type) -> Option<MemorySpace> {
    if matches!(ty.kind(context), TypeKind::Tensor { .. }) {
        return Some(MemorySpace::Register);
    }
    let view = ShapedView::of(context, ty)?;
    view.space.or(Some(MemorySpace::Global))
}

/// True if a shape has no `?`.
pub fn is_static(shape: &[i64]) -> bool {
    shape.iter().all(|extent| *extent != DYNAMIC)
}

/// True if two shapes are equal in all extents known in both.
pub fn shapes_compatible(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
}

fn parse_view(parser: &mut Parser<'_>) -> ParseResult<Vec<Attribute>> {
    let mut parameters = parse_shape_and_element(parser)?;
    parser.expect(TokenKind::Comma, "expected ',' and the memory space")?;
    let space = MemorySpace::parse(parser)?;
    parameters.push(space.attribute(parser.context));
    parse_layout(parser, &mut parameters)?;
    Ok(parameters)
}

fn parse_memref(parser: &mut Parser<'_>) -> ParseResult<Vec<Attribute>> {
    let mut parameters = parse_shape_and_element(parser)?;
    if parser.eat(TokenKind::Comma)? {
        let space = MemorySpace::parse(parser)?;
        parameters.push(space.attribute(parser.context));
    } else {
        parameters.push(Attribute::UNIT);
    }
    parse_layout(parser, &mut parameters)?;
    Ok(parameters)
}

fn parse_shape_and_element(parser: &mut Parser<'_>) -> ParseResult<Vec<Attribute>> {
    parser.expect(TokenKind::Less, "expected '<'")?;
    let shape = parser.parse_dimensions(Dimensions::Dynamic)?;
    let element = parser.parse_type()?;
    let shape = Attribute::dense_array(parser.context, Type::I64, &shape);
    Ok(vec![shape, Attribute::ty(parser.context, element)])
}

fn parse_layout(parser: &mut Parser<'_>, parameters: &mut Vec<Attribute>) -> ParseResult<()> {
    let layout = if parser.eat(TokenKind::Comma)? {
        parser.parse_attribute()?
    } else {
        Attribute::UNIT
    };
    parameters.push(layout);
    parser.expect(TokenKind::Greater, "expected '>'")?;
    Ok(())
}

fn print_shaped(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let context = printer.context;
    let [shape, element, space, layout] = parameters else {
        return;
    };
    printer.write("<");
    let shape = shape
        .as_integer_array(context)
        .unwrap_or((Type::I64, vec![]));
    printer.dimensions(&shape.1);
    printer.ty(element.as_type(context).unwrap_or(Type::NONE));
    if let Some(space) = space.as_str(context) {
        printer.write(", ");
        printer.write(space);
    }
    if *layout != Attribute::UNIT {
        printer.write(", ");
        printer.attribute(*layout);
    }
    printer.write(">");
}

fn verify_shaped(context: &Context, parameters: &[Attribute]) -> Result<(), String> {
    let element = parameters.get(1).and_then(|e| e.as_type(context));
    let element = element.ok_or("expected an element type")?;
    let scalar = matches!(
        element.kind(context),
        TypeKind::Integer(..)
            | TypeKind::Float(_)
            | TypeKind::Index
            | TypeKind::Complex(_)
            | TypeKind::Dialect { .. }
    );
    if scalar && ShapedView::of(context, element).is_none() {
        Ok(())
    } else {
        let element = orison_ir::printer::type_to_string(context, element);
        Err(format!("invalid element type of a view: '{element}'"))
    }
}
