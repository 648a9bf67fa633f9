//! PTX as `ori`.
//!
//! Every instruction stays: one that is not known, or has an operand or modifier that is not, becomes
//! `ori.inst` with its text, unknown effects and a remark. Functions that are no kernels are imported
//! without arguments; what hands values to them is kept as `ori.inst` too.

mod body;
mod emitter;
mod function;
mod registers;
mod select;
mod symbols;

use std::sync::Arc;

use orison_host::builtin::Module as BuiltinModule;
use orison_ir::{
    Attribute, Context, Identifier, Location, Operation, OperationName, OperationState, Region,
    Type,
};
use orison_ori::operations::structure::{Func, Memory};

use crate::ptx::ast::{Declaration, Function, FunctionDirective, Initializer, Item, Module};
use crate::ptx::{Error, Place};
use symbols::{Symbols, bytes_of, size_of};

/// What became of the instructions of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Instructions, but those that end blocks.
    pub instructions: usize,
    /// Those that are kept as `ori.inst`.
    pub unmodelled: usize,
}

/// Registers the dialects that an import makes operations of.
pub fn register_dialects(context: &mut Context) {
    orison_host::register(context);
    orison_ori::register(context);
}

/// The file that locations point into.
#[derive(Clone, Copy)]
struct Source {
    file: Identifier,
}

impl Source {
    fn location(self, context: &mut Context, place: Place) -> Location {
        Location::file(context, self.file, place.line, place.column)
    }
}

/// Where the parameters of a kernel lie in constant bank 0; none of a function.
fn parameter_places<'a>(symbols: &Symbols<'a>, function: &'a Function<'a>) -> Vec<(&'a str, i32)> {
    let (true, Some(start)) = (function.is_kernel, symbols.parameter_place()) else {
        return Vec::new();
    };
    let layout = layout(function).unwrap_or_default();
    let places = layout.into_iter();
    places
        .map(|(name, [offset, ..])| (name, start + offset))
        .collect()
}

/// Name, offset, size and alignment of each parameter; none when a size is no number.
fn layout<'a>(function: &'a Function<'a>) -> Option<Vec<(&'a str, [i32; 3])>> {
    let mut offset = 0u64;
    let mut layout = Vec::new();
    for declaration in function.parameters.as_deref().unwrap_or_default() {
        for name in &declaration.names {
            let size = size_of(declaration, &name.extents)?;
            let alignment = declaration
                .alignment
                .filter(|_| declaration.pointer.is_none());
            let alignment = alignment.unwrap_or(1).max(bytes_of(declaration.ty));
            offset = offset.checked_next_multiple_of(alignment)?;
            let numbers = [offset, size, alignment].map(|number| i32::try_from(number).ok());
            let [Some(place), Some(bytes), Some(aligned)] = numbers else {
                return None;
            };
            layout.push((name.name, [place, bytes, aligned]));
            offset = offset.checked_add(size)?;
        }
    }
    Some(layout)
}

/// Imports a module; the result is a `builtin.module`. Remarks about what is not modelled go to the
/// context.
///
/// # Errors
/// A missing or unknown target, a branch to a label that is not defined.
pub fn import(
    context: &mut Context,
    name: &str,
    text: &str,
    module: &Module<'_>,
) -> Result<(Operation, Counts), Error> {
    let file = Identifier::new(context, name);
    context.sources.add(file, Arc::from(text.as_bytes()), 1);
    let source = Source { file };
    let symbols = Symbols::of(module);
    if symbols.sm == 0 {
        return Err(Error {
            place: Place { line: 1, column: 1 },
            message: format!("expected '.target sm_…', but found '{}'", symbols.target),
        });
    }
    let location = Location::file(context, file, 1, 1);
    let name = OperationName::new(context, BuiltinModule::NAME);
    let mut state = OperationState::new(name, location);
    let region = Region::new(context);
    let block = orison_ir::Block::new(context, &[]);
    region.append_block(context, block);
    state.regions.push(region);
    let made = Operation::create(context, &state);
    let mut counts = Counts::default();
    for (declaration, name) in &symbols.memory {
        let op = memory(context, source, declaration, name);
        block.append(context, op);
    }
    let mut declared: Vec<&str> = Vec::new();
    for item in &module.items {
        let Item::Function(function) = item else {
            continue;
        };
        let defined_later = function.body.is_none()
            && module.items.iter().any(|other| {
                matches!(other, Item::Function(other) if other.name == function.name && other.body.is_some())
            });
        if defined_later || declared.contains(&function.name) {
            continue;
        }
        declared.push(function.name);
        let imported = import_function(context, source, &symbols, function, &mut counts);
        match imported {
            Ok(op) => block.append(context, op),
            Err(error) => {
                made.erase(context);
                return Err(error);
            }
        }
    }
    Ok((made, counts))
}

fn import_function<'a>(
    context: &mut Context,
    source: Source,
    symbols: &Symbols<'a>,
    function: &'a Function<'a>,
    counts: &mut Counts,
) -> Result<Operation, Error> {
    let location = source.location(context, function.place);
    let name = OperationName::new(context, Func::NAME);
    let mut state = OperationState::new(name, location);
    let ty = Type::function(context, &[], &[]);
    let properties = [
        ("sym_name", Attribute::string(context, function.name)),
        ("function_type", Attribute::ty(context, ty)),
        ("target", Attribute::string(context, symbols.target)),
    ];
    for (key, value) in properties {
        state.set_property(context, key, value);
    }
    let seen = matches!(function.linkage, Some(".visible" | ".weak" | ".extern"));
    if !seen || function.body.is_none() {
        let private = Attribute::string(context, "private");
        state.set_property(context, "sym_visibility", private);
    }
    if function.is_kernel {
        state.set_property(context, "kernel", Attribute::UNIT);
        let parameters: Vec<_> = layout(function)
            .unwrap_or_default()
            .into_iter()
            .map(|(name, numbers)| function::parameter_attribute(context, name, numbers))
            .collect();
        if !parameters.is_empty() {
            let parameters = Attribute::array(context, &parameters);
            state.set_property(context, "parameters", parameters);
        }
    }
    directives(context, &mut state, function);
    let region = Region::new(context);
    state.regions.push(region);
    let op = Operation::create(context, &state);
    let body = function.body.is_some().then_some(op.region(context, 0));
    if let Some(region) = body
        && let Err(error) =
            function::import_body(context, source, symbols, function, region, counts)
    {
        op.erase(context);
        return Err(error);
    }
    Ok(op)
}

/// Bounds on threads, CTAs and registers.
fn directives(context: &mut Context, state: &mut OperationState, function: &Function<'_>) {
    for directive in &function.directives {
        let FunctionDirective::Numbers(name, numbers) = directive else {
            continue;
        };
        let numbers: Vec<_> = numbers
            .iter()
            .filter_map(|n| i32::try_from(*n).ok())
            .collect();
        let (key, value) = match (*name, numbers.as_slice()) {
            (".maxntid", all) => ("max_threads", Attribute::i32_array(context, all)),
            (".reqntid", all) => ("required_threads", Attribute::i32_array(context, all)),
            (".reqnctapercluster", all) => ("cluster", Attribute::i32_array(context, all)),
            (".minnctapersm", [one]) => ("min_ctas", Attribute::i32(context, *one)),
            (".maxnreg", [one]) => ("max_registers", Attribute::i32(context, *one)),
            _ => continue,
        };
        state.set_property(context, key, value);
    }
}

fn memory(
    context: &mut Context,
    source: Source,
    declaration: &Declaration<'_>,
    name: &str,
) -> Operation {
    let location = source.location(context, declaration.place);
    let op = OperationName::new(context, Memory::NAME);
    let mut state = OperationState::new(op, location);
    let declarator = declaration.names.iter().find(|known| known.name == name);
    let size = declarator.and_then(|known| size_of(declaration, &known.extents));
    let alignment = declaration.alignment.unwrap_or(bytes_of(declaration.ty));
    let space = match declaration.space {
        ".const" => "constant",
        other => other.trim_start_matches('.'),
    };
    let size = size.and_then(|size| i64::try_from(size).ok()).unwrap_or(0);
    let properties = [
        ("sym_name", Attribute::string(context, name)),
        ("space", Attribute::string(context, space)),
        ("size", Attribute::i64(context, size)),
        (
            "alignment",
            Attribute::i32(context, i32::try_from(alignment).unwrap_or(1)),
        ),
    ];
    for (key, value) in properties {
        state.set_property(context, key, value);
    }
    let initial = declarator.and_then(|known| known.initializer.as_ref());
    if let Some(initial) = initial {
        let mut bytes = Vec::new();
        if initial_bytes(declaration, initial, &mut bytes).is_some() {
            let bytes = Attribute::dense_array(context, Type::I8, &bytes);
            state.set_property(context, "initial", bytes);
        } else {
            let message = format!("the first value of '{name}' is not modelled: it is dropped");
            context.warning(location, message);
        }
    }
    Operation::create(context, &state)
}

/// The bytes of an initializer of numbers; none when it holds anything else.
fn initial_bytes(
    declaration: &Declaration<'_>,
    initial: &Initializer<'_>,
    bytes: &mut Vec<i64>,
) -> Option<()> {
    use crate::ptx::ast::Expression::{Double, Single};
    let width = usize::try_from(bytes_of(declaration.ty)).ok()?;
    let value = match initial {
        Initializer::List(list) => {
            for each in list {
                initial_bytes(declaration, each, bytes)?;
            }
            return Some(());
        }
        Initializer::Value(Single(bits)) if width == 4 => i128::from(*bits),
        Initializer::Value(Double(bits)) if width == 8 => i128::from(*bits),
        Initializer::Value(value) => value.as_integer()?,
        Initializer::Field(..) => return None,
    };
    let all = value.to_le_bytes();
    bytes.extend(all.get(..width)?.iter().map(|byte| i64::from(*byte)));
    Some(())
}
