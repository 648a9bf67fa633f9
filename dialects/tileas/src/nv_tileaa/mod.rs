//! `nv_tileaa`: the operations that surround `nv_tileas`.

mod function;
mod kernel_spec;
pub mod operations;

use orison_ir::declare::{DialectDefinition, ParameterDefinition, TypeDefinition, VerifyResult};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Operation, Parameter, Parameterized, Type};

pub use kernel_spec::KernelSpec;
pub use operations::*;

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

/// The dialect definition.
pub static NV_TILEAA: DialectDefinition = DialectDefinition {
    name: "nv_tileaa",
    documentation: "Functions, program ids and views of memory around `nv_tileas`.\n\n\
        Has only the operations that remain legal together with `nv_tileas`.",
    operations: &[
        Func::DEFINITION,
        Return::DEFINITION,
        GetProgramId::DEFINITION,
        IsValidProgramId::DEFINITION,
        CreateMemToken::DEFINITION,
        BlockTile::DEFINITION,
        MakeMemref::DEFINITION,
        AddPtr::DEFINITION,
    ],
    types: &[
        &MEM_TOKEN_TYPE,
        &POINTER_TYPE,
        &crate::views::TILEAA_VIEW_TYPE,
        &crate::views::MEMREF_TYPE,
    ],
    verify_attribute: Some(verify_attribute),
    ..DialectDefinition::DEFAULT
};

fn verify_attribute(context: &Context, op: Operation, key: &str, value: Attribute) -> VerifyResult {
    if key == crate::schedule_keys::KERNEL_SPEC {
        return kernel_spec::verify(context, op, value);
    }
    Ok(())
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
