//! Types of `nv_tileas` and the constraints used by declarations.

use std::fmt;

use orison_ir::declare::constraints::{INDEX, RANKED_TENSOR};
use orison_ir::declare::{ParameterDefinition, TypeBound, TypeConstraint, TypeDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, Type, TypeKind};

use crate::MemorySpace;
use crate::nv_tileaa::MEM_TOKEN;
use crate::views::{MEMREF, ShapedView, TILEAA_VIEW, TILEAS_MEMREF, TILEAS_VIEW};

/// Name of the pipeline type.
pub const PIPELINE: &str = "nv_tileas.pipeline";
/// Name of the iterator type.
pub const ITERATOR: &str = "nv_tileas.iter";
/// Name of the token of a producer that owns a stage.
pub const PRODUCER_TOKEN: &str = "nv_tileas.producer_token";
/// Name of the token of a consumer that owns a stage.
pub const CONSUMER_TOKEN: &str = "nv_tileas.consumer_token";
/// Name of the completion token.
pub const ASYNC_TOKEN: &str = "nv_tileas.async_token";
/// Name of the descriptor type.
pub const TMA_DESC: &str = "nv_tileas.tma_desc";

/// `!nv_tileas.pipeline`.
pub static PIPELINE_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    PIPELINE,
    "A ring of stages between producers and consumers.\n\n\
     Ownership tokens transfer stages; iterators select the next stage.",
);
/// `!nv_tileas.producer_token`.
pub static PRODUCER_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    PRODUCER_TOKEN,
    "Ownership of a stage on the producer's side.\n\nFrom acquire, through write, to commit. \
     Carries no data.",
);
/// `!nv_tileas.consumer_token`.
pub static CONSUMER_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    CONSUMER_TOKEN,
    "Ownership of a stage on the consumer's side.\n\nFrom wait, through read, to release. Carries \
     no data.",
);
/// `!nv_tileas.async_token`.
pub static ASYNC_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    ASYNC_TOKEN,
    "Completion of asynchronous work.\n\n\
     Produced by asynchronous copies, matrix products and TMA operations; `async.wait` waits for \
     it.",
);
/// `!nv_tileas.tma_desc`.
pub static TMA_DESC_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    TMA_DESC,
    "A handle of a TMA descriptor.\n\nThe descriptor itself has 128 bytes and is built on the \
     host or by the kernel.",
);

/// `!nv_tileas.iter<producer, f16, 3, smem>`.
pub static ITERATOR_TYPE: TypeDefinition = TypeDefinition {
    name: ITERATOR,
    documentation: "A rotating cursor over the stages of a pipeline; carries the phase.\n\n\
        Two iterator types are equal if role, element, count, stride and space are (TileAS \
        reference 1.2, C61). Everything after the role is optional: `!nv_tileas.iter<producer>`. \
        In full: `!nv_tileas.iter<producer, tensor<128x64xf16>, 3, stride = 2, smem>`.",
    parameters: &[
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
    parse: Some(parse_iterator),
    print: Some(print_iterator),
    verify: Some(verify_iterator),
};

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
        let name = match self {
            Role::Producer => PRODUCER_TOKEN,
            Role::Consumer => CONSUMER_TOKEN,
        };
        Type::dialect(context, name, &[])
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.keyword())
    }
}

/// A decoded iterator type.
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

    /// Decodes an iterator type.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        let (ITERATOR, [role, element, count, stride, space]) = ty.as_dialect(context)? else {
            return None;
        };
        Some(IteratorType {
            role: Role::from_keyword(role.as_str(context)?)?,
            element: element.as_type(context),
            count: count.as_i64(context),
            stride: stride.as_i64(context)?,
            space: MemorySpace::of(context, *space),
        })
    }

    /// The type with these parts.
    pub fn ty(&self, context: &mut Context) -> Type {
        let role = Attribute::string(context, self.role.keyword());
        let element = self.element.map(|ty| Attribute::ty(context, ty));
        let count = self.count.map(|count| Attribute::i64(context, count));
        let stride = Attribute::i64(context, self.stride);
        let space = self.space.map(|space| space.attribute(context));
        let parameters = [
            role,
            element.unwrap_or(Attribute::UNIT),
            count.unwrap_or(Attribute::UNIT),
            stride,
            space.unwrap_or(Attribute::UNIT),
        ];
        Type::dialect(context, ITERATOR, &parameters)
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

/// True for the type without parameters of this name.
pub fn is(context: &Context, ty: Type, name: &str) -> bool {
    ty.is_dialect(context, name)
}

fn parse_iterator(parser: &mut Parser<'_>) -> ParseResult<Vec<Attribute>> {
    parser.expect(TokenKind::Less, "expected '<' and a role")?;
    let role = match Role::from_keyword(parser.current()) {
        Some(role) if parser.at(TokenKind::BareIdentifier) => role,
        _ => return Err(parser.error("expected 'producer' or 'consumer'")),
    };
    parser.advance()?;
    let mut parts = [Attribute::UNIT; 4];
    let mut stride = 1;
    // Every part has a distinct form, so any of them may be omitted.
    while parser.eat(TokenKind::Comma)? {
        if parser.at(TokenKind::Integer) || parser.at(TokenKind::Minus) {
            let count = parser.parse_integer("expected the number of stages")?;
            parts[1] = Attribute::i64(parser.context, count);
        } else if parser.at_keyword("stride") {
            parser.advance()?;
            parser.expect(TokenKind::Equal, "expected '=' after 'stride'")?;
            stride = parser.parse_integer("expected the stride in stages")?;
        } else if parser.at_type() {
            let ty = parser.parse_type()?;
            parts[0] = Attribute::ty(parser.context, ty);
        } else {
            let space = MemorySpace::parse(parser)?;
            parts[3] = space.attribute(parser.context);
        }
    }
    parser.expect(
        TokenKind::Greater,
        "expected '>' to close the iterator type",
    )?;
    let role = Attribute::string(parser.context, role.keyword());
    parts[2] = Attribute::i64(parser.context, stride);
    Ok(vec![role, parts[0], parts[1], parts[2], parts[3]])
}

fn print_iterator(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let context = printer.context;
    let [role, element, count, stride, space] = parameters else {
        return;
    };
    printer.write("<");
    printer.write(role.as_str(context).unwrap_or_default());
    if let Some(element) = element.as_type(context) {
        printer.write(", ");
        printer.ty(element);
    }
    if let Some(count) = count.as_i64(context) {
        printer.write(", ");
        printer.integer(count);
    }
    if let Some(stride) = stride.as_i64(context).filter(|stride| *stride != 1) {
        printer.write(", stride = ");
        printer.integer(stride);
    }
    if let Some(space) = space.as_str(context) {
        printer.write(", ");
        printer.write(space);
    }
    printer.write(">");
}

fn verify_iterator(context: &Context, parameters: &[Attribute]) -> Result<(), String> {
    let at_least_one = |number: usize| {
        let value = parameters.get(number).and_then(|p| p.as_i64(context));
        value.is_none_or(|value| value >= 1)
    };
    if !at_least_one(2) {
        return Err("an iterator needs at least one stage".to_owned());
    }
    if !at_least_one(3) {
        return Err("the stride of an iterator must be positive".to_owned());
    }
    Ok(())
}

/// A constraint: exactly the dialect type of this name, which has no parameters.
macro_rules! exact {
    ($(#[$doc:meta])* $ident:ident, $name:expr, $summary:literal) => {
        $(#[$doc])*
        pub static $ident: TypeConstraint = TypeConstraint {
            summary: $summary,
            check: |context, ty| is(context, ty, $name),
            build: Some(|context| Type::dialect(context, $name, &[])),
            base: Some($name),
            bounds: &[TypeBound::Named($name)],
        };
    };
}

exact!(
    /// `!nv_tileas.pipeline`.
    A_PIPELINE, PIPELINE, "pipeline"
);
exact!(
    /// `!nv_tileas.producer_token`.
    A_PRODUCER_TOKEN, PRODUCER_TOKEN, "producer token"
);
exact!(
    /// `!nv_tileas.consumer_token`.
    A_CONSUMER_TOKEN, CONSUMER_TOKEN, "consumer token"
);
exact!(
    /// `!nv_tileas.async_token`.
    AN_ASYNC_TOKEN, ASYNC_TOKEN, "async token"
);
exact!(
    /// `!nv_tileas.tma_desc`.
    A_TMA_DESC, TMA_DESC, "TMA descriptor"
);
exact!(
    /// `!nv_tileaa.mem_token`.
    A_MEM_TOKEN, MEM_TOKEN, "memory-order token"
);

/// A producer or consumer token.
pub static OWNERSHIP_TOKEN: TypeConstraint =
    TypeConstraint::new("producer or consumer token", |context, ty| {
        is(context, ty, PRODUCER_TOKEN) || is(context, ty, CONSUMER_TOKEN)
    })
    .within(&[
        TypeBound::Named(PRODUCER_TOKEN),
        TypeBound::Named(CONSUMER_TOKEN),
    ]);
/// A memory-order or async token, which order memory operations.
pub static ORDER_TOKEN: TypeConstraint =
    TypeConstraint::new("memory-order or async token", |context, ty| {
        is(context, ty, MEM_TOKEN) || is(context, ty, ASYNC_TOKEN)
    })
    .within(&[TypeBound::Named(MEM_TOKEN), TypeBound::Named(ASYNC_TOKEN)]);
/// Any token.
pub static ANY_TOKEN: TypeConstraint = TypeConstraint::new("token", |context, ty| {
    (OWNERSHIP_TOKEN.check)(context, ty) || (ORDER_TOKEN.check)(context, ty)
})
.within(&[
    TypeBound::Named(PRODUCER_TOKEN),
    TypeBound::Named(CONSUMER_TOKEN),
    TypeBound::Named(MEM_TOKEN),
    TypeBound::Named(ASYNC_TOKEN),
]);
/// An iterator of any role.
pub static AN_ITERATOR: TypeConstraint = TypeConstraint {
    summary: "pipeline iterator",
    check: |context, ty| IteratorType::of(context, ty).is_some(),
    build: None,
    base: Some(ITERATOR),
    bounds: &[TypeBound::Named(ITERATOR)],
};
/// An iterator of the producer side.
pub static PRODUCER_ITERATOR: TypeConstraint =
    TypeConstraint::new("producer-side pipeline iterator", |context, ty| {
        IteratorType::of(context, ty).is_some_and(|iterator| iterator.role == Role::Producer)
    })
    .within(&[TypeBound::Named(ITERATOR)]);
/// An iterator of the consumer side.
pub static CONSUMER_ITERATOR: TypeConstraint =
    TypeConstraint::new("consumer-side pipeline iterator", |context, ty| {
        IteratorType::of(context, ty).is_some_and(|iterator| iterator.role == Role::Consumer)
    })
    .within(&[TypeBound::Named(ITERATOR)]);
/// A tiled view of either dialect.
pub static A_VIEW: TypeConstraint = TypeConstraint::new("tiled view", |context, ty| {
    ShapedView::of(context, ty).is_some_and(|view| view.is_view())
})
.within(&[TypeBound::Named(TILEAA_VIEW), TypeBound::Named(TILEAS_VIEW)]);
/// A tiled view or memref of either dialect.
pub static A_BUFFER: TypeConstraint = TypeConstraint::new("tiled view or memref", |context, ty| {
    ShapedView::of(context, ty).is_some()
})
.within(&[
    TypeBound::Named(TILEAA_VIEW),
    TypeBound::Named(TILEAS_VIEW),
    TypeBound::Named(MEMREF),
    TypeBound::Named(TILEAS_MEMREF),
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
        TypeBound::Named(TILEAA_VIEW),
        TypeBound::Named(TILEAS_VIEW),
    ]);
/// A tile in registers, a view of a buffer, or a scalar.
pub static TILE_VIEW_OR_SCALAR: TypeConstraint =
    TypeConstraint::new("tile, tiled view, scalar or pointer", |context, ty| {
        (TILE_OR_VIEW.check)(context, ty)
            || (POINTERS.check)(context, ty)
            || (!ty.is_shaped(context) && ty.bit_width(context).is_some())
    });
/// A tile of pointers, or a pointer.
pub static POINTERS: TypeConstraint =
    TypeConstraint::new("pointer or tile of pointers", |context, ty| {
        ty.scalar(context)
            .is_dialect(context, crate::nv_tileaa::POINTER)
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
