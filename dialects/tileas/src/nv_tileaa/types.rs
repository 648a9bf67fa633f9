//! Types of `nv_tileaa` and the constraints used by declarations.

use orison_ir::declare::{ParameterDefinition, TypeBound, TypeConstraint, TypeDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Parameter, Parameterized, Type};

/// `!nv_tileaa.mem_token`.
pub static MEM_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    "nv_tileaa.mem_token",
    "Memory order.\n\n\
     An operation that uses a token is ordered after the operations that produced it. Carries no \
     data.",
);

/// `!nv_tileaa.ptr<f16>`.
pub static POINTER_TYPE: TypeDefinition = TypeDefinition::parameterized::<Pointer>(
    "nv_tileaa.ptr",
    "A pointer into global memory.\n\nTiles of pointers are tensors of them.",
    &[ParameterDefinition {
        name: "pointee",
        documentation: "pointee type",
    }],
);

/// The value of a pointer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The pointee type.
    pub pointee: Type,
}

/// The pointee of a pointer type.
pub fn pointee(context: &Context, ty: Type) -> Option<Type> {
    ty.downcast(context).map(|Pointer { pointee }| *pointee)
}

/// The pointer type to a type.
pub fn pointer_to(context: &mut Context, pointee: Type) -> Type {
    Type::typed(context, Pointer { pointee })
}

impl DialectValue for Pointer {
    fn definition(&self) -> &'static TypeDefinition {
        &POINTER_TYPE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static TypeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<' and the pointee type")?;
        let pointee = parser.parse_type()?;
        parser.expect(TokenKind::Greater, "expected '>' to close the pointer type")?;
        Ok(Pointer { pointee })
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.ty(self.pointee);
        printer.write(">");
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Type(self.pointee));
    }
}

impl Parameterized for Pointer {
    fn from_parameters(
        context: &Context,
        _: &'static TypeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [pointee] = parameters else { return None };
        let pointee = pointee.as_type(context)?;
        Some(Pointer { pointee })
    }
}

/// `!nv_tileaa.mem_token`.
pub static A_MEM_TOKEN: TypeConstraint = TypeConstraint {
    summary: "memory-order token",
    check: |context, ty| ty.is_declared_by(context, &MEM_TOKEN_TYPE),
    build: Some(|context| Type::without_parameters(context, &MEM_TOKEN_TYPE)),
    base: Some(MEM_TOKEN_TYPE.name),
    bounds: &[TypeBound::Named(MEM_TOKEN_TYPE.name)],
};

/// A tile of pointers, or a pointer.
pub static POINTERS: TypeConstraint =
    TypeConstraint::new("pointer or tile of pointers", |context, ty| {
        ty.scalar(context).downcast::<Pointer>(context).is_some()
    });
