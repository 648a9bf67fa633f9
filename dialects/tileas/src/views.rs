//! Shaped types of both dialects: tiled views and memrefs, and the properties they share with
//! tensors.

use orison_ir::declare::{ParameterDefinition, TypeDefinition};
use orison_ir::parser::{Dimensions, ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::types::DYNAMIC;
use orison_ir::{Attribute, Context, DialectValue, Parameter, Parameterized, Type, TypeKind};

use crate::MemorySpace;

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
pub static TILEAA_VIEW_TYPE: TypeDefinition = TypeDefinition::parameterized::<ShapedView>(
    "nv_tileaa.tiled_view",
    "A tiled view of memory.\n\n\
     A view of global storage, one tile at a time; the coordinates of a memory operation select \
     the tile.",
    PARAMETERS,
);

/// `!nv_tileas.tiled_view<2x128x64xf16, smem>`.
pub static TILEAS_VIEW_TYPE: TypeDefinition = TypeDefinition::parameterized::<ShapedView>(
    "nv_tileas.tiled_view",
    "A buffer with its residency.\n\nThe residency is part of the type: views of equal shape in \
     different memories are different types.",
    PARAMETERS,
);

/// `!nv_tileaa.memref<?x?xf16>`.
pub static MEMREF_TYPE: TypeDefinition = TypeDefinition::parameterized::<ShapedView>(
    "nv_tileaa.memref",
    "Memory with a shape, passed to a tile program.\n\n\
     The default memory space is global memory.",
    PARAMETERS,
);

/// `!nv_tileas.memref<128x64xf16, smem>`.
pub static TILEAS_MEMREF_TYPE: TypeDefinition = TypeDefinition::parameterized::<ShapedView>(
    "nv_tileas.memref",
    "Memory with a shape, after tile operations were assigned to it.\n\n\
     The default memory space is global memory.",
    PARAMETERS,
);

/// The types that describe memory with a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShapedKind {
    /// `!nv_tileaa.tiled_view`.
    TileaaView,
    /// `!nv_tileas.tiled_view`.
    TileasView,
    /// `!nv_tileaa.memref`.
    TileaaMemref,
    /// `!nv_tileas.memref`.
    TileasMemref,
}

impl ShapedKind {
    const ALL: [ShapedKind; 4] = [
        ShapedKind::TileaaView,
        ShapedKind::TileasView,
        ShapedKind::TileaaMemref,
        ShapedKind::TileasMemref,
    ];

    fn definition(self) -> &'static TypeDefinition {
        match self {
            ShapedKind::TileaaView => &TILEAA_VIEW_TYPE,
            ShapedKind::TileasView => &TILEAS_VIEW_TYPE,
            ShapedKind::TileaaMemref => &MEMREF_TYPE,
            ShapedKind::TileasMemref => &TILEAS_MEMREF_TYPE,
        }
    }

    /// The type of a declaration.
    fn of(definition: &'static TypeDefinition) -> Option<Self> {
        let mut all = ShapedKind::ALL.into_iter();
        all.find(|kind| std::ptr::eq(kind.definition(), definition))
    }

    fn is_view(self) -> bool {
        matches!(self, ShapedKind::TileaaView | ShapedKind::TileasView)
    }
}

/// A tiled view or memref of either dialect.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ShapedView {
    /// Which type it is.
    pub kind: ShapedKind,
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
            kind: ShapedKind::TileasView,
            shape: shape.to_vec(),
            element,
            space: Some(space),
            layout: None,
        }
    }

    /// A row-major view of `nv_tileaa`.
    pub fn tileaa(shape: &[i64], element: Type, space: MemorySpace) -> Self {
        ShapedView {
            kind: ShapedKind::TileaaView,
            ..Self::tileas(shape, element, space)
        }
    }

    /// The view or memref denoted by a type.
    #[inline]
    pub fn of(context: &Context, ty: Type) -> Option<&Self> {
        ty.downcast(context)
    }

    /// The type with these parts.
    pub fn ty(self, context: &mut Context) -> Type {
        Type::typed(context, self)
    }

    /// True for a tiled view of either dialect.
    pub fn is_view(&self) -> bool {
        self.kind.is_view()
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
    Some((view.shape.clone(), view.element))
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

impl DialectValue for ShapedView {
    fn definition(&self) -> &'static TypeDefinition {
        self.kind.definition()
    }

    fn parse(parser: &mut Parser<'_>, definition: &'static TypeDefinition) -> ParseResult<Self> {
        let kind = ShapedKind::of(definition);
        let kind = kind.ok_or_else(|| parser.error("expected a view or memref"))?;
        parser.expect(TokenKind::Less, "expected '<'")?;
        let shape = parser.parse_dimensions(Dimensions::Dynamic)?;
        let element = parser.parse_type()?;
        if kind.is_view() && !parser.at(TokenKind::Comma) {
            return Err(parser.wrong_token("expected ',' and the memory space"));
        }
        let mut parts = (None, None);
        if parser.eat(TokenKind::Comma)? {
            parts.0 = Some(MemorySpace::parse(parser)?);
        }
        if parser.eat(TokenKind::Comma)? {
            parts.1 = Some(parser.parse_attribute()?);
        }
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(ShapedView {
            kind,
            shape,
            element,
            space: parts.0,
            layout: parts.1,
        })
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.dimensions(&self.shape);
        printer.ty(self.element);
        if let Some(space) = self.space {
            printer.write(", ");
            printer.write(space.keyword());
        }
        if let Some(layout) = self.layout {
            printer.write(", ");
            printer.attribute(layout);
        }
        printer.write(">");
    }

    fn verify(&self, context: &Context) -> Result<(), String> {
        let scalar = matches!(
            self.element.kind(context),
            TypeKind::Integer(..)
                | TypeKind::Float(_)
                | TypeKind::Index
                | TypeKind::Complex(_)
                | TypeKind::Dialect(_)
        );
        if scalar && ShapedView::of(context, self.element).is_none() {
            Ok(())
        } else {
            let element = orison_ir::printer::type_to_string(context, self.element);
            Err(format!("invalid element type of a view: '{element}'"))
        }
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Integers(Type::I64, &self.shape));
        visit(Parameter::Type(self.element));
        let space = |space: MemorySpace| Parameter::Text(space.keyword());
        visit(Parameter::optional(self.space, space));
        visit(Parameter::optional(self.layout, Parameter::Attribute));
    }
}

impl Parameterized for ShapedView {
    fn from_parameters(
        context: &Context,
        definition: &'static TypeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [shape, element, space, layout] = parameters else {
            return None;
        };
        Some(ShapedView {
            kind: ShapedKind::of(definition)?,
            shape: shape.as_integer_array(context)?.1,
            element: element.as_type(context)?,
            space: Parameter::read(*space, |space| MemorySpace::of(context, space))?,
            layout: Parameter::read(*layout, Some)?,
        })
    }
}
