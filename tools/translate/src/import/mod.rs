//! Import of PTX as `ori`.
//!
//! Every instruction is kept: one that is unknown, or has an unknown operand or modifier, becomes
//! `ori.inst` with its text, unknown effects and a remark. Parameters and results of functions
//! other than kernels are registers.

mod body;
mod calls;
mod emitter;
mod frame;
mod function;
mod liveness;
mod locations;
mod memory_variables;
mod pragmas;
mod registers;
mod routine_functions;
mod routines;
mod select;
mod symbols;
mod variables;

use std::collections::HashSet;
use std::sync::Arc;

use orison_host::builtin::Module as BuiltinModule;
use orison_ir::declare::AttributeForm;
use orison_ir::{
    Attribute, Context, Identifier, Location, Operation, OperationName, OperationState, Region,
    Type,
};
use orison_ori::keywords::Linkage;
use orison_ori::operations::structure::{Alias, Func};

use crate::ptx::ast::{
    Declaration, Function, FunctionDirective, Item, Module, Statement, StatementKind,
};
use crate::ptx::{Error, Place};
use frame::Frame;
use locations::Source;
use registers::{Registers, names};
use symbols::{Symbols, bytes_of, size_of};

/// Statistics of the instructions of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Instructions, except those that end blocks.
    pub instructions: usize,
    /// Those that are kept as `ori.inst`.
    pub unmodelled: usize,
}

/// Registers the dialects of imported operations.
pub fn register_dialects(context: &mut Context) {
    orison_host::register(context);
    orison_ori::register(context);
}

/// Options of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Operations get locations in the PTX, also where `.loc` gives a source line.
    pub ptx_locations: bool,
    /// An unsupported instruction is reported as an error in the context, not a remark.
    pub strict: bool,
}

/// The locations of the parameters of a kernel in constant bank 0; empty for a function.
fn parameter_places<'a>(symbols: &Symbols<'a>, function: &'a Function<'a>) -> Vec<(&'a str, i32)> {
    let (true, Some(start)) = (function.is_kernel, symbols.parameter_place()) else {
        return Vec::new();
    };
    let layout = layout(function, start).unwrap_or_default();
    let places = layout.into_iter();
    places
        .map(|(name, [offset, ..])| (name, start + offset))
        .collect()
}

/// Name, offset, size and alignment of each parameter; `None` if a size is not a number. They are
/// aligned in the bank, in which the first one has an offset (observed in the output of ptxas
/// 13.0).
fn layout<'a>(function: &'a Function<'a>, start: i32) -> Option<Vec<(&'a str, [i32; 3])>> {
    let start = u64::try_from(start).ok()?;
    let mut offset = start;
    let mut layout = Vec::new();
    for declaration in function.parameters.as_deref().unwrap_or_default() {
        for name in &declaration.names {
            let size = size_of(declaration, &name.extents)?;
            let alignment = declaration
                .alignment
                .filter(|_| declaration.pointer.is_none());
            let alignment = alignment.unwrap_or(1).max(bytes_of(declaration.ty));
            offset = offset.checked_next_multiple_of(alignment)?;
            let numbers =
                [offset - start, size, alignment].map(|number| i32::try_from(number).ok());
            let [Some(place), Some(bytes), Some(aligned)] = numbers else {
                return None;
            };
            layout.push((name.name, [place, bytes, aligned]));
            offset = offset.checked_add(size)?;
        }
    }
    Some(layout)
}

/// Imports a module; the result is a `builtin.module`. Remarks on unsupported instructions go to
/// the context.
///
/// # Errors
/// A missing or unknown target, a branch to an undefined label, a register with two types.
pub fn import(
    context: &mut Context,
    name: &str,
    text: &str,
    module: &Module<'_>,
) -> Result<(Operation, Counts), Error> {
    import_with(context, name, text, module, Options::default())
}

/// Imports a module, as [`import`], with options.
///
/// # Errors
/// Those of [`import`].
pub fn import_with(
    context: &mut Context,
    name: &str,
    text: &str,
    module: &Module<'_>,
    options: Options,
) -> Result<(Operation, Counts), Error> {
    let file = Identifier::new(context, name);
    context.sources.add(file, Arc::from(text.as_bytes()), 1);
    let source = Source::of(context, file, module, options.ptx_locations);
    pragmas::warn(context, &source, module);
    let mut symbols = Symbols::of(module)?;
    symbols.is_strict = options.strict;
    if symbols.sm == 0 {
        return Err(Error {
            place: Place { line: 1, column: 1 },
            message: format!("expected '.target sm_…', found '{}'", symbols.target),
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
    let mut importer = Importer {
        source,
        symbols,
        block,
        counts: Counts::default(),
    };
    match importer.items(context, module) {
        Ok(()) => Ok((made, importer.counts)),
        Err(error) => {
            made.erase(context);
            Err(error)
        }
    }
}

/// An import in progress.
struct Importer<'a> {
    source: Source<'a>,
    symbols: Symbols<'a>,
    /// The body of the module.
    block: orison_ir::Block,
    counts: Counts,
}

impl<'a> Importer<'a> {
    fn items(&mut self, context: &mut Context, module: &'a Module<'a>) -> Result<(), Error> {
        let mut declared = HashSet::new();
        for (declaration, name) in std::mem::take(&mut self.symbols.memory) {
            self.memory(context, declaration, name, name);
            declared.insert(name);
        }
        let functions = module.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function.as_ref()),
            _ => None,
        });
        let defined: HashSet<_> = functions
            .clone()
            .filter(|function| function.body.is_some())
            .map(|function| function.name)
            .collect();
        for function in functions {
            let name = function.name;
            if self.symbols.alias(name).is_some() {
                continue;
            }
            let is_known = defined.contains(name) || declared.contains(name);
            if function.body.is_none() && is_known {
                continue;
            }
            if !declared.insert(name) {
                let message = format!("'{name}' is defined twice");
                let place = function.place;
                return Err(Error { place, message });
            }
            let op = self.function(context, function)?;
            self.block.append(context, op);
        }
        self.aliases(context, module);
        let symbols = &self.symbols;
        symbols.routines.build(context, symbols, self.block);
        Ok(())
    }

    /// Creates memory for a declared name, under a symbol.
    fn memory(
        &mut self,
        context: &mut Context,
        declaration: &'a Declaration<'a>,
        name: &str,
        symbol: &str,
    ) {
        let op = memory_variables::memory(
            context,
            &self.source,
            &self.symbols,
            declaration,
            [name, symbol],
        );
        self.block.append(context, op);
    }

    /// Aliases of functions, unchanged.
    fn aliases(&mut self, context: &mut Context, module: &'a Module<'a>) {
        for item in &module.items {
            let Item::Alias(alias, target) = item else {
                continue;
            };
            let location = self.source.place(context, Place { line: 1, column: 1 });
            let name = OperationName::new(context, Alias::NAME);
            let mut state = OperationState::new(name, location);
            let name = Attribute::string(context, alias);
            state.set_property(context, "sym_name", name);
            let target = Attribute::symbol(context, target);
            state.set_property(context, "target", target);
            let op = Operation::create(context, &state);
            self.block.append(context, op);
        }
    }

    fn function(
        &mut self,
        context: &mut Context,
        function: &'a Function<'a>,
    ) -> Result<Operation, Error> {
        let mut memory = Vec::new();
        let mut frame = Frame::default();
        let symbols = &mut self.symbols;
        let mut registers = Registers::of(function, &mut |declaration, declarator| {
            if declaration.space == ".local" {
                return Ok(registers::Memory::Slot(
                    frame.declare(declaration, declarator)?,
                ));
            }
            let name = declarator.name;
            let (symbol, is_new) = symbols.declare_in(function.name, declaration, name);
            if is_new {
                memory.push((declaration, name, symbol.clone()));
            }
            Ok(registers::Memory::Symbol(symbol))
        })?;
        for (declaration, name, symbol) in memory {
            self.memory(context, declaration, name, &symbol);
        }
        for parameter in pointed_to(function) {
            let name = parameter.names[0].name;
            let size = size_of(parameter, &parameter.names[0].extents).unwrap_or(0);
            let alignment = parameter.alignment.unwrap_or(bytes_of(parameter.ty)).max(4);
            // The 32-bit registers that pass it are stored whole.
            let slot = frame.add(name, size.next_multiple_of(4), alignment);
            if let Some(slot) = slot.filter(|_| size > 0) {
                registers.spill(name, slot);
            }
        }
        import_function(context, self, function, registers, &frame)
    }
}

/// The address-taken parameters of a function other than a kernel.
fn pointed_to<'a>(function: &'a Function<'a>) -> Vec<&'a Declaration<'a>> {
    let mut taken = HashSet::new();
    let body = function.body.as_deref().unwrap_or_default();
    if !function.is_kernel {
        addresses(body, &mut taken);
    }
    let parameters = function.parameters.as_deref().unwrap_or_default().iter();
    parameters
        .filter(|parameter| parameter.space == ".param")
        .filter(|parameter| matches!(&parameter.names[..], [one] if taken.contains(one.name)))
        .collect()
}

/// The names that are moved or converted as addresses.
fn addresses<'a>(statements: &'a [Statement<'a>], taken: &mut HashSet<&'a str>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Block(inner) => addresses(inner, taken),
            StatementKind::Instruction(instruction)
                if matches!(instruction.name, "mov" | "cvta") =>
            {
                for operand in &instruction.operands {
                    names(operand, &mut |name| {
                        taken.insert(name);
                    });
                }
            }
            _ => {}
        }
    }
}

fn import_function<'a>(
    context: &mut Context,
    importer: &mut Importer<'a>,
    function: &'a Function<'a>,
    registers: Registers<'a>,
    frame: &Frame,
) -> Result<Operation, Error> {
    let location = importer.source.place(context, function.place);
    let name = OperationName::new(context, Func::NAME);
    let mut state = OperationState::new(name, location);
    let [inputs, results] = match importer.symbols.interface(function.name) {
        Some(interface) => [&interface.arguments, &interface.results].map(|all| {
            let registers = all.iter().flatten();
            registers.map(|register| register.ty(context)).collect()
        }),
        None => [Vec::new(), Vec::new()],
    };
    let ty = Type::function(context, &inputs, &results);
    let target = importer.symbols.target;
    let properties = [
        ("sym_name", Attribute::string(context, function.name)),
        ("function_type", Attribute::ty(context, ty)),
        ("target", Attribute::string(context, target)),
    ];
    for (key, value) in properties {
        state.set_property(context, key, value);
    }
    // The host launches kernels, also those that no other module sees.
    let seen = matches!(function.linkage, Some(".visible" | ".weak" | ".extern"));
    if !(seen || function.is_kernel) || function.body.is_none() {
        let private = Attribute::string(context, "private");
        state.set_property(context, "sym_visibility", private);
    }
    if function.linkage == Some(".weak") {
        let weak = Linkage::write(context, Linkage::Weak);
        state.set_property(context, "linkage", weak);
    }
    if function.is_kernel {
        state.set_property(context, "kernel", Attribute::UNIT);
        let start = importer.symbols.parameter_place().unwrap_or(0);
        let parameters: Vec<_> = layout(function, start)
            .unwrap_or_default()
            .into_iter()
            .map(|(name, numbers)| function::parameter_attribute(context, name, numbers))
            .collect();
        if !parameters.is_empty() {
            let parameters = Attribute::array(context, &parameters);
            state.set_property(context, "parameters", parameters);
        }
    }
    if let Some(frame) = frame.attribute(context) {
        state.set_property(context, "frame", frame);
    }
    directives(context, &mut state, function)?;
    let region = Region::new(context);
    state.regions.push(region);
    let op = Operation::create(context, &state);
    let body = function.body.is_some().then_some(op.region(context, 0));
    let Some(region) = body else {
        return Ok(op);
    };
    let Importer {
        source,
        symbols,
        counts,
        ..
    } = importer;
    match function::import_body(
        context, source, symbols, function, registers, region, counts,
    ) {
        Ok(()) => Ok(op),
        Err(error) => {
            op.erase(context);
            Err(error)
        }
    }
}

/// Bounds on threads, CTAs and registers.
fn directives(
    context: &mut Context,
    state: &mut OperationState,
    function: &Function<'_>,
) -> Result<(), Error> {
    for directive in &function.directives {
        let (name, numbers) = match directive {
            FunctionDirective::Numbers(name, numbers) => (name, numbers),
            FunctionDirective::Pragma(texts) => {
                pragmas::keep(context, state, texts);
                continue;
            }
        };
        let numbers: Vec<_> = numbers
            .iter()
            .map(|number| i32::try_from(*number).unwrap_or(i32::MAX))
            .collect();
        let has_extents = matches!(*name, ".maxntid" | ".reqntid" | ".reqnctapercluster");
        if has_extents && numbers.contains(&0) {
            let message = format!("expected positive integers after '{name}'");
            let place = function.place;
            return Err(Error { place, message });
        }
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
    Ok(())
}
