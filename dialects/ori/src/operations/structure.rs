//! Functions, memory symbols, immediates: assembly and verification of operations without
//! instruction.

use orison_ir::declare::{
    AnyAttr, Assembly, AttributeForm, DictionaryArrayAttr, Effects, Folded, FunctionTypeAttr,
    I32ArrayAttr, I32Attr, I64Attr, RegionConstraint, StrAttr, SymbolRefAttr, Trait, UnitAttr,
    VerifyResult,
};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, type_to_string};
use orison_ir::symbol_table::SymbolTables;
use orison_ir::{Attribute, Context, Operation, OperationState, Type};

use super::control::{Call, Ret};
use super::functions;
use super::moves::{AddressOf, Imm};
use crate::keywords::{Keyword, Linkage, Space};
use crate::types::Register;

orison_ir::operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// A kernel or a function.
    ///
    /// Parameters of a kernel are in constant bank 0, starting at the target's parameter base;
    /// `parameters` gives name, offset from that base, size and alignment of each. The arguments of
    /// a function that is not a kernel are registers. Variables in local memory are the slots of
    /// `frame`: each activation of the function has its own.
    op Func = "ori.func" {
        attributes {
            /// The name.
            sym_name = "sym_name": required(StrAttr),
            /// `private` if not visible outside of the module.
            sym_visibility = "sym_visibility": optional(StrAttr),
            /// The types of arguments and results.
            function_type = "function_type": required(FunctionTypeAttr),
            /// The target architecture: `sm_90a`.
            target = "target": required(StrAttr),
            /// The function is a kernel, launched by the host.
            kernel = "kernel": optional(UnitAttr),
            /// `{name, offset, size, alignment}` of each parameter of a kernel.
            parameters = "parameters": optional(DictionaryArrayAttr),
            /// `{name, offset, size, alignment}` in bytes of each variable in local memory.
            frame = "frame": optional(DictionaryArrayAttr),
            /// Maximum number of threads per CTA, by dimension.
            max_threads = "max_threads": optional(I32ArrayAttr),
            /// Required number of threads per CTA, by dimension.
            required_threads = "required_threads": optional(I32ArrayAttr),
            /// Number of CTAs per cluster, by dimension.
            cluster = "cluster": optional(I32ArrayAttr),
            /// Minimum number of CTAs per multiprocessor.
            min_ctas = "min_ctas": optional(I32Attr),
            /// Maximum number of registers per thread.
            max_registers = "max_registers": optional(I32Attr),
            /// `weak`: a definition in another module overrides this one.
            linkage = "linkage": optional(Linkage)
        }
        regions {
            /// The blocks; empty for a declaration.
            body: one(RegionConstraint::Any)
        }
        with {
            traits: &[Trait::IsolatedFromAbove, Trait::Symbol],
            effects: Effects::Unknown,
            assembly: Assembly::Custom { parse: functions::parse, print: functions::print },
            verify: Some(functions::verify),
        }
    }

    /// A memory symbol in any space but local memory, which holds the frames of activations.
    op Memory = "ori.memory" {
        attributes {
            /// The name.
            sym_name = "sym_name": required(StrAttr),
            /// `private` if not visible outside of the module.
            sym_visibility = "sym_visibility": optional(StrAttr),
            /// The memory space.
            space = "space": required(Space),
            /// Size in bytes; 0 if set by the launch or defined elsewhere.
            size = "size": required(I64Attr),
            /// Alignment in bytes: a power of two.
            alignment = "alignment": required(I32Attr),
            /// The initial bytes, `array<i8: …>`; the rest is zero.
            initial = "initial": optional(AnyAttr),
            /// `{offset, bytes, symbol, addend, mask, generic}` of each address among the initial
            /// bytes: its offset and size, the symbol it refers to, the addend (0 if absent), the
            /// bits that are kept and shifted down (all if absent), and whether it is a generic
            /// address.
            addresses = "addresses": optional(DictionaryArrayAttr),
            /// The initializer in the source's syntax, if it is not modelled.
            initial_text = "initial_text": optional(StrAttr),
            /// Linkage; not visible to other modules if absent.
            linkage = "linkage": optional(Linkage)
        }
        with {
            traits: &[Trait::Symbol],
            effects: Effects::Unknown,
            assembly: Assembly::Custom { parse: parse_memory, print: print_memory },
            verify: Some(verify_memory),
            verify_symbols: Some(verify_addresses),
        }
    }

    /// An alias of a function of the module, visible to the linker.
    op Alias = "ori.alias" {
        attributes {
            /// The name.
            sym_name = "sym_name": required(StrAttr),
            /// The function.
            target = "target": required(SymbolRefAttr)
        }
        with {
            traits: &[Trait::Symbol],
            effects: Effects::Unknown,
            assembly: Assembly::Custom { parse: parse_alias, print: print_alias },
            verify_symbols: Some(verify_alias),
        }
    }
}

/// Checks that an alias refers to a function with a body.
fn verify_alias(context: &Context, op: Operation, tables: &mut SymbolTables) -> VerifyResult {
    let Some(symbol) = op.attribute(context, "target") else {
        return Ok(());
    };
    let target = tables.resolve(context, op, symbol);
    let defined = target
        .and_then(|target| Func::of(context, target))
        .is_some_and(|function| function.0.region(context, 0).first_block(context).is_some());
    if defined {
        return Ok(());
    }
    let name = symbol.as_symbol(context).unwrap_or_default();
    let message = format!("symbol '{name}' is not an 'ori.func' with a body");
    Err(op.op_error(context, message))
}

/// Parses `@name = @function`.
fn parse_alias(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let name = parser.parse_symbol_name()?;
    let name = Attribute::string(parser.context, &name);
    state.set_property(parser.context, "sym_name", name);
    parser.expect(TokenKind::Equal, "expected '='")?;
    let target = parser.parse_symbol_name()?;
    let target = Attribute::symbol(parser.context, &target);
    state.set_property(parser.context, "target", target);
    parser.parse_attribute_dictionary(state)
}

fn print_alias(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let name = op.attribute(context, "sym_name");
    let target = op.attribute(context, "target");
    printer.write(" ");
    printer.symbol_name(
        name.and_then(|name| name.as_str(context))
            .unwrap_or_default(),
    );
    printer.write(" = ");
    printer.symbol_name(
        target
            .and_then(|target| target.as_symbol(context))
            .unwrap_or_default(),
    );
    printer.attribute_dictionary(op, &["sym_name", "target"]);
}

/// Parses `shared @name, size 1024, align 16`.
fn parse_memory(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let space = Space::from_keyword(parser.current());
    let space = space.filter(|_| parser.at(TokenKind::BareIdentifier));
    let Some(space) = space else {
        return Err(parser.error(&format!("expected a memory space, {}", Space::SUMMARY)));
    };
    parser.advance()?;
    let space = Space::write(parser.context, space);
    state.set_property(parser.context, "space", space);
    let name = parser.parse_symbol_name()?;
    let name = Attribute::string(parser.context, &name);
    state.set_property(parser.context, "sym_name", name);
    parser.expect(TokenKind::Comma, "expected ','")?;
    parser.expect_op_keyword(state, "size")?;
    let size = parser.parse_integer("expected a size in bytes")?;
    let size = Attribute::i64(parser.context, size);
    state.set_property(parser.context, "size", size);
    parser.expect(TokenKind::Comma, "expected ','")?;
    parser.expect_op_keyword(state, "align")?;
    let alignment = parser.parse_i32("expected an alignment in bytes")?;
    let alignment = Attribute::i32(parser.context, alignment);
    state.set_property(parser.context, "alignment", alignment);
    parser.parse_attribute_dictionary(state)
}

fn print_memory(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let memory = Memory(op);
    printer.write(" ");
    printer.write(memory.space(context).map_or("", Keyword::keyword));
    printer.write(" ");
    printer.symbol_name(memory.sym_name(context).unwrap_or_default());
    printer.write(", size ");
    printer.integer(memory.size(context).unwrap_or(0));
    printer.write(", align ");
    printer.integer(memory.alignment(context).unwrap_or(0).into());
    printer.attribute_dictionary(op, &["space", "sym_name", "size", "alignment"]);
}

fn verify_memory(context: &Context, op: Operation) -> VerifyResult {
    let memory = Memory(op);
    if memory.space(context) == Some(Space::Local) {
        let message = "cannot be in local memory; use attribute 'frame' of the function";
        return Err(op.op_error(context, message));
    }
    let size = memory.size(context).unwrap_or(0);
    if size < 0 {
        return Err(op.op_error(context, "has a negative size"));
    }
    let alignment = memory.alignment(context).unwrap_or(0);
    if !u32::try_from(alignment).is_ok_and(u32::is_power_of_two) {
        let message = format!("alignment must be a power of two, but is {alignment}");
        return Err(op.op_error(context, message));
    }
    let Some(initial) = memory.initial(context) else {
        if memory.addresses(context).is_some() {
            let message = "'addresses' requires 'initial'";
            return Err(op.op_error(context, message));
        }
        return Ok(());
    };
    match initial.as_integer_array(context) {
        Some((Type::I8, bytes)) if i64::try_from(bytes.len()).is_ok_and(|n| n <= size) => Ok(()),
        Some((Type::I8, _)) => Err(op.op_error(
            context,
            "attribute 'initial' has more bytes than \
                                                         the size",
        )),
        _ => Err(op.op_error(context, "attribute 'initial' must be an array of i8")),
    }
}

/// Checks that addresses are within the initial bytes and refer to memory or functions.
fn verify_addresses(context: &Context, op: Operation, symbols: &mut SymbolTables) -> VerifyResult {
    let memory = Memory(op);
    let Some(addresses) = memory.addresses(context) else {
        return Ok(());
    };
    let initial = memory.initial(context);
    let given = initial.and_then(|initial| initial.as_integer_array(context));
    let given = given.map_or(0, |(_, bytes)| bytes.len());
    let given = i64::try_from(given).unwrap_or(i64::MAX);
    let all = addresses.as_array(context).unwrap_or_default();
    for (number, address) in all.iter().enumerate() {
        let integer = |key| address.get(context, key)?.as_i64(context);
        let symbol = address.get(context, "symbol");
        let (Some(offset), Some(bytes), Some(symbol)) =
            (integer("offset"), integer("bytes"), symbol)
        else {
            let message = format!(
                "address #{number} requires an offset, a number of bytes and a \
                                   symbol"
            );
            return Err(op.op_error(context, message));
        };
        let end = offset.saturating_add(bytes);
        if offset < 0 || !(1..=8).contains(&bytes) || end > given {
            let message = format!("address #{number} must be 1 to 8 bytes within 'initial'");
            return Err(op.op_error(context, message));
        }
        let target = symbols.resolve(context, op, symbol);
        let known = target.is_some_and(|target| {
            Memory::of(context, target).is_some() || Func::of(context, target).is_some()
        });
        if !known {
            let name = symbol.as_symbol(context).unwrap_or_default();
            let message = format!("symbol '{name}' is not an 'ori.memory' or 'ori.func'");
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

/// Parses `5 : !ori.r`.
pub(super) fn parse_immediate(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let value = parser.parse_integer("expected an integer")?;
    let value = Attribute::i64(parser.context, value);
    state.set_property(parser.context, "value", value);
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    state.result_types.push(ty);
    Ok(())
}

pub(super) fn print_immediate(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    printer.write(" ");
    printer.integer(Imm(op).value(context).unwrap_or(0));
    printer.attribute_dictionary(op, &["value"]);
    printer.write(" : ");
    printer.types(op.results(context).map(|result| result.ty(context)));
}

pub(super) fn fold_immediate(
    context: &mut Context,
    op: Operation,
    _: &[Option<Attribute>],
) -> Option<Vec<Folded>> {
    op.attribute(context, "value")
        .map(|value| vec![Folded::Constant(value)])
}

/// Describes an immediate for an attribute created by folding.
pub(crate) fn materialize_constant(
    context: &mut Context,
    value: Attribute,
    ty: Type,
    location: orison_ir::Location,
) -> Option<OperationState> {
    Register::of(context, ty)?;
    value.as_i64(context)?;
    let name = orison_ir::OperationName::new(context, Imm::NAME);
    let mut state = OperationState::new(name, location);
    state.set_property(context, "value", value);
    state.result_types.push(ty);
    Some(state)
}

pub(super) fn verify_address_of(
    context: &Context,
    op: Operation,
    symbols: &mut SymbolTables,
) -> VerifyResult {
    let Some(symbol) = AddressOf(op).symbol(context) else {
        return Ok(());
    };
    let name = symbol.as_symbol(context).unwrap_or_default();
    let target = symbols.resolve(context, op, symbol);
    let narrow = match target {
        Some(target) if Func::of(context, target).is_some() => false,
        Some(target) if Memory::of(context, target).is_some() => {
            Memory(target).space(context) == Some(Space::Shared)
        }
        _ => {
            let message = format!("symbol '{name}' is not an 'ori.memory' or 'ori.func'");
            return Err(op.op_error(context, message));
        }
    };
    let register = Register::of(context, AddressOf(op).result(context).ty(context));
    let wanted = if narrow { 1 } else { 2 };
    if register.and_then(Register::words) == Some(wanted) {
        return Ok(());
    }
    let message = format!("expects a {}-bit result for '{name}'", 32 * wanted);
    Err(op.op_error(context, message))
}

pub(super) fn verify_call(
    context: &Context,
    op: Operation,
    symbols: &mut SymbolTables,
) -> VerifyResult {
    let Some(symbol) = Call(op).callee(context) else {
        return Ok(());
    };
    let name = symbol.as_symbol(context).unwrap_or_default();
    let function = symbols
        .resolve(context, op, symbol)
        .and_then(|target| Func::of(context, target));
    let Some(function) = function else {
        return Err(op.op_error(context, format!("callee '{name}' is not an 'ori.func'")));
    };
    let ty = function.function_type(context);
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(context)) else {
        return Ok(());
    };
    let operands = op.operands(context).map(|value| value.ty(context));
    let made = op.results(context).map(|value| value.ty(context));
    if operands.eq(inputs.iter().copied()) && made.eq(results.iter().copied()) {
        return Ok(());
    }
    let ty = ty.map_or_else(String::new, |ty| type_to_string(context, ty));
    let message = format!("operand and result types do not match callee '{name}' of type {ty}");
    Err(op.op_error(context, message))
}

pub(super) fn verify_return(context: &Context, op: Operation) -> VerifyResult {
    let function = op.parent_op(context);
    let Some(function) = function.and_then(|parent| Func::of(context, parent)) else {
        return Ok(());
    };
    let ty = function.function_type(context);
    let Some((_, results)) = ty.and_then(|ty| ty.as_function(context)) else {
        return Ok(());
    };
    let values = Ret(op).values(context);
    let types = values.iter().map(|value| value.ty(context));
    if types.eq(results.iter().copied()) {
        return Ok(());
    }
    let message = format!(
        "operand types must match the {} results of the function",
        results.len()
    );
    Err(op.op_error(context, message))
}
