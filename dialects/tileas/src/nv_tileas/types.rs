//! Types of `nv_tileas` and the constraints used by declarations.

use std::fmt;

use orison_ir::declare::constraints::{INDEX, RANKED_TENSOR};
use orison_ir::declare::{ParameterDefinition, TypeBound, TypeConstraint, TypeDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Parameter, Parameterized, Type, TypeKind};

use crate::MemorySpace;
use crate::nv_tileaa::types::{MEM_TOKEN_TYPE, POINTERS};
use crate::views::{
    MEMREF_TYPE, ShapedView, TILEAA_VIEW_TYPE, TILEAS_MEMREF_TYPE, TILEAS_VIEW_TYPE,
};

/// `!nv_tileas.pipeline`.
pub static PIPELINE_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    "nv_tileas.pipeline",
    "A ring of stages between producers and consumers.\n\n\
     Ownership tokens transfer stages; iterators select the next stage.",
);
/// `!nv_tileas.producer_token`.
pub static PRODUCER_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    "nv_tileas.producer_token",
    "Ownership of a stage on the producer's side.\n\nFrom acquire, through write, to commit. \
     Carries no data.",
);
/// `!nv_tileas.consumer_token`.
pub static CONSUMER_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    "nv_tileas.consumer_token",
    "Ownership of a stage on the consumer's side.\n\nFrom wait, through read, to release. Carries \
     no data.",
);
/// `!nv_tileas.async_token`.
pub static ASYNC_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    "nv_tileas.async_token",
    "Completion of asynchronous work.\n\n\
     Produced by asynchronous copies, matrix products and TMA operations; `async.wait` waits for \
     it.",
);
/// `!nv_tileas.tma_desc`.
pub static TMA_DESC_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    "nv_tileas.tma_desc",
    "A handle of a TMA descriptor.\n\nThe descriptor itself has 128 bytes and is built on the \
     host or by the kernel.",
);

/// `!nv_tileas.iter<producer, f16, 3, smem>`.
pub static ITERATOR_TYPE: TypeDefinition = TypeDefinition::parameterized::<IteratorType>(
    "nv_tileas.iter",
    "A rotating cursor over the stages of a pipeline; carries the phase.\n\n\
     Two iterator types are equal if role, element, count, stride and space are (TileAS reference \
     1.2, C61). Everything after the role is optional: `!nv_tileas.iter<producer>`. In full: \
     `!nv_tileas.iter<producer, tensor<128x64xf16>, 3, stride = 2, smem>`.",
    &[
        ParameterDefinition {
            name: "role",
            documentation: "`producer` or `consumer`",
        },
        ParameterDefinition {
            name: "element",
            documentation: "optional type of the payload of a stage",
        },
        ParameterDefinition {
            name: "count",
            documentation: "optional number of stages",
        },
        ParameterDefinition {
            name: "stride",
            documentation: "stages per step; 1 by default",
        },
        ParameterDefinition {
            name: "space",
            documentation: "optional memory space of the stages",
        },
    ],
);

/// The side of a pipeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Fills stages. Kind value 1 in later passes.
    Producer,
    /// Reads stages. Kind value 11 in later passes.
    Consumer,
}

impl Role {
    /// The keyword of the role.
    pub const fn keyword(self) -> &'static str {
        match self {
            Role::Producer => "producer",
            Role::Consumer => "consumer",
        }
    }

    /// The role of a keyword.
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        [Role::Producer, Role::Consumer]
            .into_iter()
            .find(|role| role.keyword() == keyword)
    }

    /// The kind value used by later passes.
    pub const fn kind(self) -> u8 {
        match self {
            Role::Producer => 1,
            Role::Consumer => 11,
        }
    }

    /// The token type of this side.
    pub fn token(self, context: &mut Context) -> Type {
        Type::without_parameters(context, self.token_type())
    }

    /// The declaration of the token type of this side.
    pub const fn token_type(self) -> &'static TypeDefinition {
        match self {
            Role::Producer => &PRODUCER_TOKEN_TYPE,
            Role::Consumer => &CONSUMER_TOKEN_TYPE,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.keyword())
    }
}

/// The value of an iterator type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IteratorType {
    /// The side of the pipeline.
    pub role: Role,
    /// Type of the payload of a stage, if known.
    pub element: Option<Type>,
    /// Number of stages, if known.
    pub count: Option<i64>,
    /// Stages per step.
    pub stride: i64,
    /// Memory space of the stages, if known.
    pub space: Option<MemorySpace>,
}

impl IteratorType {
    /// An iterator with only a known role.
    pub const fn new(role: Role) -> Self {
        IteratorType {
            role,
            element: None,
            count: None,
            stride: 1,
            space: None,
        }
    }

    /// The value of an iterator type.
    #[inline]
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        ty.downcast(context).copied()
    }

    /// The type with these parts.
    pub fn ty(self, context: &mut Context) -> Type {
        Type::typed(context, self)
    }

    /// The same iterator in another memory space: the only change allowed to an asynchronous
    /// pipeline operation.
    #[must_use]
    pub fn in_space(self, space: MemorySpace) -> Self {
        IteratorType {
            space: Some(space),
            ..self
        }
    }

    /// The iterator after a reduction or scan over the stages, which divides the count (TileAS
    /// reference 1.5); `None` if the factor does not divide it.
    pub fn divided(self, factor: i64) -> Option<Self> {
        let count = match self.count {
            Some(count) if factor > 0 && count % factor == 0 => Some(count / factor),
            Some(_) => return None,
            None => None,
        };
        Some(IteratorType { count, ..self })
    }
}

/// The payload type of an iterator type; any other type is returned unchanged.
pub fn unwrap_iterator(context: &Context, ty: Type) -> Type {
    IteratorType::of(context, ty)
        .and_then(|iterator| iterator.element)
        .unwrap_or(ty)
}

impl DialectValue for IteratorType {
    fn definition(&self) -> &'static TypeDefinition {
        &ITERATOR_TYPE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static TypeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<' and a role")?;
        let role = match Role::from_keyword(parser.current()) {
            Some(role) if parser.at(TokenKind::BareIdentifier) => role,
            _ => return Err(parser.error("expected 'producer' or 'consumer'")),
        };
        parser.advance()?;
        let mut iterator = IteratorType::new(role);
        // Every part has a distinct form, so any of them may be omitted.
        while parser.eat(TokenKind::Comma)? {
            if parser.at(TokenKind::Integer) || parser.at(TokenKind::Minus) {
                let count = parser.parse_integer("expected the number of stages")?;
                iterator.count = Some(count);
            } else if parser.at_keyword("stride") {
                parser.advance()?;
                parser.expect(TokenKind::Equal, "expected '=' after 'stride'")?;
                iterator.stride = parser.parse_integer("expected the stride in stages")?;
            } else if parser.at_type() {
                iterator.element = Some(parser.parse_type()?);
            } else {
                iterator.space = Some(MemorySpace::parse(parser)?);
            }
        }
        parser.expect(
            TokenKind::Greater,
            "expected '>' to close the iterator type",
        )?;
        Ok(iterator)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.write(self.role.keyword());
        if let Some(element) = self.element {
            printer.write(", ");
            printer.ty(element);
        }
        if let Some(count) = self.count {
            printer.write(", ");
            printer.integer(count);
        }
        if self.stride != 1 {
            printer.write(", stride = ");
            printer.integer(self.stride);
        }
        if let Some(space) = self.space {
            printer.write(", ");
            printer.write(space.keyword());
        }
        printer.write(">");
    }

    fn verify(&self, _: &Context) -> Result<(), String> {
        if self.count.is_some_and(|count| count < 1) {
            return Err("an iterator needs at least one stage".to_owned());
        }
        if self.stride < 1 {
            return Err("the stride of an iterator must be positive".to_owned());
        }
        Ok(())
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Text(self.role.keyword()));
        visit(Parameter::optional(self.element, Parameter::Type));
        let count = |count| Parameter::Integer(Type::I64, count);
        visit(Parameter::optional(self.count, count));
        visit(Parameter::Integer(Type::I64, self.stride));
        let space = |space: MemorySpace| Parameter::Text(space.keyword());
        visit(Parameter::optional(self.space, space));
    }
}

impl Parameterized for IteratorType {
    fn from_parameters(
        context: &Context,
        _: &'static TypeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [role, element, count, stride, space] = parameters else {
            return None;
        };
        Some(IteratorType {
            role: Role::from_keyword(role.as_str(context)?)?,
            element: Parameter::read(*element, |element| element.as_type(context))?,
            count: Parameter::read(*count, |count| count.as_i64(context))?,
            stride: stride.as_i64(context)?,
            space: Parameter::read(*space, |space| MemorySpace::of(context, space))?,
        })
    }
}

/// A constraint: exactly the dialect type of this declaration, which has no parameters.
macro_rules! exact {
    ($(#[$doc:meta])* $ident:ident, $definition:ident, $summary:literal) => {
        $(#[$doc])*
        pub static $ident: TypeConstraint = TypeConstraint {
            summary: $summary,
            check: |context, ty| ty.is_declared_by(context, &$definition),
            build: Some(|context| Type::without_parameters(context, &$definition)),
            base: Some($definition.name),
            bounds: &[TypeBound::Named($definition.name)],
        };
    };
}

exact!(
    /// `!nv_tileas.pipeline`.
    A_PIPELINE, PIPELINE_TYPE, "pipeline"
);
exact!(
    /// `!nv_tileas.producer_token`.
    A_PRODUCER_TOKEN, PRODUCER_TOKEN_TYPE, "producer token"
);
exact!(
    /// `!nv_tileas.consumer_token`.
    A_CONSUMER_TOKEN, CONSUMER_TOKEN_TYPE, "consumer token"
);
exact!(
    /// `!nv_tileas.async_token`.
    AN_ASYNC_TOKEN, ASYNC_TOKEN_TYPE, "async token"
);
exact!(
    /// `!nv_tileas.tma_desc`.
    A_TMA_DESC, TMA_DESC_TYPE, "TMA descriptor"
);

/// A producer or consumer token.
pub static OWNERSHIP_TOKEN: TypeConstraint =
    TypeConstraint::new("producer or consumer token", |context, ty| {
        ty.is_declared_by(context, &PRODUCER_TOKEN_TYPE)
            || ty.is_declared_by(context, &CONSUMER_TOKEN_TYPE)
    })
    .within(&[
        TypeBound::Named(PRODUCER_TOKEN_TYPE.name),
        TypeBound::Named(CONSUMER_TOKEN_TYPE.name),
    ]);
/// A memory-order or async token, which order memory operations.
pub static ORDER_TOKEN: TypeConstraint =
    TypeConstraint::new("memory-order or async token", |context, ty| {
        ty.is_declared_by(context, &MEM_TOKEN_TYPE) || ty.is_declared_by(context, &ASYNC_TOKEN_TYPE)
    })
    .within(&[
        TypeBound::Named(MEM_TOKEN_TYPE.name),
        TypeBound::Named(ASYNC_TOKEN_TYPE.name),
    ]);
/// Any token.
pub static ANY_TOKEN: TypeConstraint = TypeConstraint::new("token", |context, ty| {
    (OWNERSHIP_TOKEN.check)(context, ty) || (ORDER_TOKEN.check)(context, ty)
})
.within(&[
    TypeBound::Named(PRODUCER_TOKEN_TYPE.name),
    TypeBound::Named(CONSUMER_TOKEN_TYPE.name),
    TypeBound::Named(MEM_TOKEN_TYPE.name),
    TypeBound::Named(ASYNC_TOKEN_TYPE.name),
]);
/// An iterator of any role.
pub static AN_ITERATOR: TypeConstraint = TypeConstraint {
    summary: "pipeline iterator",
    check: |context, ty| IteratorType::of(context, ty).is_some(),
    build: None,
    base: Some(ITERATOR_TYPE.name),
    bounds: &[TypeBound::Named(ITERATOR_TYPE.name)],
};
/// An iterator of the producer side.
pub static PRODUCER_ITERATOR: TypeConstraint =
    TypeConstraint::new("producer-side pipeline iterator", |context, ty| {
        IteratorType::of(context, ty).is_some_and(|iterator| iterator.role == Role::Producer)
    })
    .within(&[TypeBound::Named(ITERATOR_TYPE.name)]);
/// An iterator of the consumer side.
pub static CONSUMER_ITERATOR: TypeConstraint =
    TypeConstraint::new("consumer-side pipeline iterator", |context, ty| {
        IteratorType::of(context, ty).is_some_and(|iterator| iterator.role == Role::Consumer)
    })
    .within(&[TypeBound::Named(ITERATOR_TYPE.name)]);
/// A tiled view of either dialect.
pub static A_VIEW: TypeConstraint = TypeConstraint::new("tiled view", |context, ty| {
    ShapedView::of(context, ty).is_some_and(ShapedView::is_view)
})
.within(&[
    TypeBound::Named(TILEAA_VIEW_TYPE.name),
    TypeBound::Named(TILEAS_VIEW_TYPE.name),
]);
/// A tiled view or memref of either dialect.
pub static A_BUFFER: TypeConstraint = TypeConstraint::new("tiled view or memref", |context, ty| {
    ShapedView::of(context, ty).is_some()
})
.within(&[
    TypeBound::Named(TILEAA_VIEW_TYPE.name),
    TypeBound::Named(TILEAS_VIEW_TYPE.name),
    TypeBound::Named(MEMREF_TYPE.name),
    TypeBound::Named(TILEAS_MEMREF_TYPE.name),
]);
/// A tile: a ranked tensor.
pub static A_TILE: TypeConstraint = TypeConstraint::new("tile (ranked tensor)", |context, ty| {
    (RANKED_TENSOR.check)(context, ty)
})
.within(&[TypeBound::Named("builtin.tensor")]);
/// A tile in registers or a view of a buffer.
pub static TILE_OR_VIEW: TypeConstraint =
    TypeConstraint::new("tile or tiled view", |context, ty| {
        (A_TILE.check)(context, ty) || (A_VIEW.check)(context, ty)
    })
    .within(&[
        TypeBound::Named("builtin.tensor"),
        TypeBound::Named(TILEAA_VIEW_TYPE.name),
        TypeBound::Named(TILEAS_VIEW_TYPE.name),
    ]);
/// A tile in registers, a view of a buffer, or a scalar.
pub static TILE_VIEW_OR_SCALAR: TypeConstraint =
    TypeConstraint::new("tile, tiled view, scalar or pointer", |context, ty| {
        (TILE_OR_VIEW.check)(context, ty)
            || (POINTERS.check)(context, ty)
            || (!ty.is_shaped(context) && ty.bit_width(context).is_some())
    });
/// A tile of `i1`.
pub static MASK: TypeConstraint = TypeConstraint::new("mask (i1 or tile of i1)", |context, ty| {
    ty.scalar(context) == Type::I1
})
.within(&[
    TypeBound::Is("i1"),
    TypeBound::Named("builtin.tensor"),
    TypeBound::Named("builtin.vector"),
    TypeBound::Named("builtin.memref"),
    TypeBound::Named("builtin.unranked_tensor"),
    TypeBound::Named("builtin.unranked_memref"),
]);
/// A tile of integers or indices.
pub static INTEGER_TILE: TypeConstraint =
    TypeConstraint::new("tile of integers or indices", |context, ty| {
        (A_TILE.check)(context, ty)
            && matches!(
                ty.scalar(context).kind(context),
                TypeKind::Integer(..) | TypeKind::Index
            )
    })
    .within(&[TypeBound::Named("builtin.tensor")]);
/// A coordinate of a tile: `index`. The operation checks it, because it has a separate message
/// for it (TileAS reference 10).
pub static COORDINATE: TypeConstraint = TypeConstraint {
    summary: "index",
    check: |_, _| true,
    build: INDEX.build,
    base: None,
    bounds: &[TypeBound::Is("index")],
};
