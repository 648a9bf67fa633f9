//! Running programs before and after passes.

use orison_interpret::{Datum, Interpreter, Outcome, World, refines};
use orison_ir::{Context, Type, TypeKind};

pub use crate::common::{Module, transform};
use crate::common::{context, parse_in};
use crate::generator::Function;
use crate::kinds::Kind;
use crate::random::Random;

/// The maximum number of operations of a run.
const FUEL: u64 = 20_000;
/// The maximum number after passes, which may replace one operation by several.
const FUEL_AFTER: u64 = 10 * FUEL;

/// Parses and verifies a text.
pub fn parse(text: &str) -> Result<Module, String> {
    parse_in(context(), "program.mlir", text)
}

/// The result of `observe_…`: a value that depends on the call, poison if given poison.
fn observe(name: &str, events: usize, arguments: &[Datum]) -> Option<Vec<Datum>> {
    let [argument] = arguments else {
        return None;
    };
    let poison = |datum: &Datum| match datum {
        Datum::Elements(elements) => elements.data.iter().any(Datum::is_poison),
        datum => datum.is_poison(),
    };
    if !name.starts_with("observe_") || poison(argument) {
        return Some(vec![Datum::Poison]);
    }
    let result = match argument {
        Datum::Integer(value) => Datum::Integer(value.wrapping_add(
            &orison_ir::numbers::ApInt::from_u64(value.width(), events as u64),
        )),
        other => other.clone(),
    };
    Some(vec![result])
}

/// The functions of a module that have a body.
pub fn functions(module: &Module) -> Vec<Function> {
    let context = &module.context;
    let kinds = |types: Vec<Type>| {
        let kinds = types.into_iter().map(|ty| kind(context, ty));
        kinds
            .collect::<Option<Vec<_>>>()
            .expect("types of random programs")
    };
    let body = module.operation.body_block(context, 0).expect("a module");
    let symbols = body.operations(context);
    let functions = symbols.filter_map(|symbol| {
        let entry = symbol.body_block(context, 0)?;
        Some(Function {
            name: symbol.symbol_name(context)?.to_owned(),
            is_public: symbol.is_public_symbol(context),
            parameters: kinds(entry.argument_types(context)),
            results: Vec::new(),
        })
    });
    functions.collect()
}

fn kind(context: &Context, ty: Type) -> Option<Kind> {
    match ty.kind(context) {
        TypeKind::Integer(width, _) => Some(Kind::Integer(*width)),
        TypeKind::Index => Some(Kind::Index),
        TypeKind::Float(kind) => Some(Kind::Float(*kind)),
        TypeKind::Vector { element, .. } => Some(Kind::Integers(element.integer_width(context)?)),
        _ => None,
    }
}

/// Arguments for runs of a function.
pub fn arguments(function: &Function, random: &mut Random) -> Vec<Datum> {
    function
        .parameters
        .iter()
        .map(|kind| kind.value(random))
        .collect()
}

/// Runs a function of a module.
pub fn run(module: &Module, function: &str, arguments: &[Datum]) -> (Outcome, World) {
    run_with(module, function, arguments, FUEL)
}

/// Runs a function of a module that passes produced.
pub fn run_after(module: &Module, function: &str, arguments: &[Datum]) -> (Outcome, World) {
    run_with(module, function, arguments, FUEL_AFTER)
}

fn run_with(module: &Module, function: &str, arguments: &[Datum], fuel: u64) -> (Outcome, World) {
    let interpreter = Interpreter::with_host_dialects(&module.context, module.operation);
    let mut world = World::default();
    world.external = Some(observe);
    let outcome = match interpreter.start(function, arguments.to_vec()) {
        Ok(mut machine) => interpreter.run(&mut machine, &mut world, fuel),
        Err(trap) => Outcome::Trapped(trap),
    };
    (outcome, world)
}

/// Compares two runs.
pub fn compare(before: &(Outcome, World), after: &(Outcome, World)) -> Result<(), String> {
    refines((&before.0, &before.1), (&after.0, &after.1))
        .map_err(|difference| difference.to_string())
}
