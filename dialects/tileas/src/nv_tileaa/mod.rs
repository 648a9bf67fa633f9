//! `nv_tileaa`: the operations that surround `nv_tileas`.

mod function;
mod kernel_spec;
pub mod operations;

use orison_ir::declare::{DialectDefinition, ParameterDefinition, TypeDefinition, VerifyResult};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, Operation, Type};

pub use kernel_spec::KernelSpec;
pub use operations::*;

/// Name of the memory-order token.
pub const MEM_TOKEN: &str = "nv_tileaa.mem_token";
/// Name of the pointer type.
pub const POINTER: &str = "nv_tileaa.ptr";

/// `!nv_tileaa.mem_token`.
pub static MEM_TOKEN_TYPE: TypeDefinition = TypeDefinition::without_parameters(
    MEM_TOKEN,
    "Memory order.\n\n\
     An operation that uses a token is ordered after the operations that produced it. Carries no \
     data.",
);

/// `!nv_tileaa.ptr<f16>`.
pub static POINTER_TYPE: TypeDefinition = TypeDefinition {
    name: POINTER,
    documentation: "A pointer into global memory.\n\nTiles of pointers are tensors of them.",
    parameters: &[ParameterDefinition {
        name: "pointee",
        documentation: "pointee type",
    }],
    parse: Some(parse_pointer),
    print: Some(print_pointer),
    verify: None,
};

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
    match ty.as_dialect(context)? {
        (POINTER, [pointee]) => pointee.as_type(context),
        _ => None,
    }
}

/// The pointer type to a type.
pub fn pointer_to(context: &mut Context, pointee: Type) -> Type {
    let pointee = Attribute::ty(context, pointee);
    Type::dialect(context, POINTER, &[pointee])
}

fn parse_pointer(parser: &mut Parser<'_>) -> ParseResult<Vec<Attribute>> {
    parser.expect(TokenKind::Less, "expected '<' and the pointee type")?;
    let pointee = parser.parse_type()?;
    parser.expect(TokenKind::Greater, "expected '>' to close the pointer type")?;
    Ok(vec![Attribute::ty(parser.context, pointee)])
}

fn print_pointer(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let pointee = parameters.first().and_then(|p| p.as_type(printer.context));
    printer.write("<");
    printer.ty(pointee.unwrap_or(Type::NONE));
    printer.write(">");
}
