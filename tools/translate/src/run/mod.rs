//! Runs a kernel as a JSON file describes, and prints its results.

mod description;
mod values;

pub use description::{Argument, Content, Description, Extents, MapFields, Outside, PixelFields};
pub use values::Format;

use std::path::Path;

use orison_interpret::tile::Random;
use orison_interpret::warp::{Bytes, GlobalMemory, Kernel, Launch, Parameter, TENSOR_MAP_SIZE};
use orison_ir::{Context, Operation, Palette, Severity, Source, parse_source};
use serde_json::{Map, Value as Json, json};

use crate::{check, import, ptx, sass};

/// Runs a kernel of a text, PTX, IR or a listing, as a JSON file describes; returns the output. PTX is
/// checked first if `checked`.
///
/// # Errors
/// An error in either, or of the run, as text.
pub fn file(
    name: &str,
    text: &str,
    description: &str,
    checked: bool,
    palette: Palette,
) -> Result<String, String> {
    let json = std::fs::read_to_string(description)
        .map_err(|error| format!("{description}: error: {error}\n"))?;
    let parsed = Description::parse(description, &json)?;
    let mut context = Context::new();
    context.diagnostics.palette = palette;
    let module = load(&mut context, name, text, checked)?;
    let directory = Path::new(description).parent();
    let directory = directory.unwrap_or_else(|| Path::new(""));
    run(&context, module, description, &parsed, directory)
}

/// Reads PTX, a listing of machine code, or IR (`ori` or `sass`): a listing is named `.sass` or has
/// headings of sections, IR is named `.mlir` or has no `.version`. PTX is checked first if `checked`.
///
/// # Errors
/// The error in it, as text.
pub fn load(
    context: &mut Context,
    name: &str,
    text: &str,
    checked: bool,
) -> Result<Operation, String> {
    import::register_dialects(context);
    orison_sass::register(context);
    orison_interpret::register(context);
    let is_ir = name.ends_with(".mlir");
    let is_listing = name.ends_with(".sass") || !is_ir && text.contains("\n//-----");
    let module = if is_listing {
        sass::import(context, name, text)?
    } else if is_ir || !text.contains(".version") {
        let source = Source {
            name,
            text,
            first_line: 1,
        };
        parse_source(context, source).map_err(|_| errors(context))?
    } else {
        let palette = context.diagnostics.palette;
        let shown = |error: ptx::Error| error.render_with(&palette, name, text);
        let module = ptx::parse(text).map_err(shown)?;
        if checked {
            check::check_text(name, text, &module, palette)?;
        }
        let imported = import::import(context, name, text, &module);
        imported.map_err(shown)?.0
    };
    match context.verify(module) {
        Ok(()) => Ok(module),
        Err(_) => Err(errors(context)),
    }
}

/// The errors so far as text.
fn errors(context: &mut Context) -> String {
    let all = context.diagnostics.take();
    let errors = all.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.render(context)).collect()
}

/// Runs the kernel that a description names. Files are relative to `directory`.
///
/// # Errors
/// Arguments that do not match, kernel errors, outputs that differ from the expected ones, as text.
pub fn run(
    context: &Context,
    module: Operation,
    name: &str,
    description: &Description,
    directory: &Path,
) -> Result<String, String> {
    let shown = |fault: orison_interpret::warp::Fault| fault.render(context);
    let kernel = Kernel::new(context, module, &description.kernel).map_err(shown)?;
    let mut memory = GlobalMemory::default();
    let mut random = Random::new(description.seed);
    let laid_out;
    let parameters = if kernel.has_parameters() {
        kernel.parameters()
    } else {
        laid_out = parameters_of(description);
        &laid_out
    };
    let palette = context.diagnostics.palette;
    let fail = |message: &str| palette.headline(name, Severity::Error, message);
    if parameters.len() != description.arguments.len() {
        return Err(fail(&format!(
            "kernel '{}' expects {} arguments, found {}",
            description.kernel,
            parameters.len(),
            description.arguments.len()
        )));
    }
    let mut addresses = Vec::new();
    for (what, argument) in buffers(description, parameters) {
        let given = contents(argument, &mut random, directory)
            .map_err(|error| fail(&format!("'{what}': {error}")))?;
        let address = memory.add(&what, Bytes::defined(given));
        addresses.push((what, address));
    }
    let wrong = description
        .buffers
        .iter()
        .find(|(_, one)| !one.content.is_buffer());
    if let Some((what, _)) = wrong {
        return Err(fail(&format!("'{what}' is not a buffer")));
    }
    let bytes = parameter_bytes(description, parameters, &addresses, &mut memory)
        .map_err(|error| fail(&error))?;
    let mut constants = Vec::new();
    for (symbol, argument) in &description.constants {
        let given = contents(argument, &mut random, directory)
            .map_err(|error| fail(&format!("constant '{symbol}': {error}")))?;
        constants.push((symbol.clone(), given));
    }
    let launch = Launch {
        grid: description.grid.0,
        block: description.block.0,
        cluster: description.cluster.map(|extents| extents.0),
        parameters: bytes,
        dynamic_shared: description.dynamic_shared,
        constants,
        seed: description.seed,
        step_limit: description.step_limit,
        source_registers: description.source_registers,
    };
    let statistics = kernel.run(&mut memory, &launch).map_err(shown)?;
    let outputs = outputs(description, parameters, &memory, directory).map_err(|e| fail(&e))?;
    let json = json!({
        "kernel": description.kernel,
        "instructions": statistics.instructions,
        "issued": statistics.issued,
        "lane_instructions": statistics.lane_instructions,
        "divergent_branches": statistics.divergent_branches,
        "outputs": outputs,
    });
    Ok(format!("{json:#}\n"))
}

/// The parameters of a kernel that does not describe them: those of the sizes of the arguments, each
/// aligned to its size.
fn parameters_of(description: &Description) -> Vec<Parameter> {
    let mut end: usize = 0;
    let arguments = description.arguments.iter().enumerate();
    let parameters = arguments.map(|(number, argument)| {
        let (size, alignment) = match &argument.content {
            Content::Value(bytes) => (bytes.len(), argument.format.bytes()),
            Content::TensorMap(_) => (TENSOR_MAP_SIZE, 64),
            _ => (8, 8),
        };
        let offset = end.next_multiple_of(alignment);
        end = offset + size;
        Parameter {
            name: format!("{}_param_{number}", description.kernel),
            offset,
            size,
        }
    });
    parameters.collect()
}

/// The bytes of all parameters; maps that are passed by address are placed in memory.
fn parameter_bytes(
    description: &Description,
    parameters: &[Parameter],
    addresses: &[(String, u64)],
    memory: &mut GlobalMemory,
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut buffers = addresses.iter().map(|(_, address)| *address);
    for (number, (argument, parameter)) in description.arguments.iter().zip(parameters).enumerate()
    {
        let given = match &argument.content {
            Content::Value(bytes) => bytes.clone(),
            Content::TensorMap(map) => {
                let found = addresses.iter().find(|(name, _)| *name == map.of);
                let Some((_, address)) = found else {
                    return Err(format!("argument {number}: '{}' is not a buffer", map.of));
                };
                let map = map.map(argument.format, *address);
                let map = map.map_err(|error| format!("argument {number}: {error}"))?;
                let bytes = map.encode().to_vec();
                if parameter.size == 8 {
                    let what = title(argument, Some(parameter), number);
                    let address = memory.add(&what, Bytes::defined(bytes));
                    address.to_le_bytes().to_vec()
                } else {
                    bytes
                }
            }
            _ => buffers.next().unwrap_or(0).to_le_bytes().to_vec(),
        };
        if given.len() != parameter.size {
            return Err(format!(
                "argument {number} has {} bytes, but parameter '{}' has {}",
                given.len(),
                parameter.name,
                parameter.size
            ));
        }
        bytes.resize(bytes.len().max(parameter.offset + given.len()), 0);
        bytes[parameter.offset..parameter.offset + given.len()].copy_from_slice(&given);
    }
    Ok(bytes)
}

/// The contents of buffers, with their names: arguments first, then buffers that are not arguments.
fn buffers<'d>(
    description: &'d Description,
    parameters: &[Parameter],
) -> Vec<(String, &'d Argument)> {
    let all = description.arguments.iter().zip(parameters).enumerate();
    let all = all.filter(|(_, (argument, _))| argument.content.is_buffer());
    let all = all.map(|(number, (argument, parameter))| {
        (title(argument, Some(parameter), number), argument)
    });
    let others = description.buffers.iter();
    all.chain(others.map(|(name, argument)| (name.clone(), argument)))
        .collect()
}

/// The name of an argument.
fn title(argument: &Argument, parameter: Option<&Parameter>, number: usize) -> String {
    let own = argument.name.clone();
    own.or_else(|| parameter.map(|parameter| parameter.name.clone()))
        .unwrap_or_else(|| format!("argument {number}"))
}

fn contents(argument: &Argument, random: &mut Random, directory: &Path) -> Result<Vec<u8>, String> {
    match &argument.content {
        Content::Value(bytes) | Content::Buffer(bytes) => Ok(bytes.clone()),
        Content::TensorMap(_) => Err("a tensor map cannot be part of a value".to_owned()),
        Content::File(file) => {
            let path = directory.join(file);
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        }
        Content::Random(count, [low, high]) => {
            let one = |random: &mut Random| {
                let part = (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
                argument.format.encode_f64(low + part * (high - low))
            };
            Ok((0..*count).flat_map(|_| one(random)).collect())
        }
    }
}

/// Prints, saves and checks the requested outputs.
fn outputs(
    description: &Description,
    parameters: &[Parameter],
    memory: &GlobalMemory,
    directory: &Path,
) -> Result<Json, String> {
    let mut outputs = Map::new();
    let all = buffers(description, parameters);
    for ((what, argument), (_, bytes)) in all.into_iter().zip(memory.buffers()) {
        let size = argument.format.bytes();
        if let Some(file) = &argument.save {
            let path = directory.join(file);
            std::fs::write(&path, bytes.data())
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        if let Some(expected) = &argument.expect {
            check(&what, argument, expected, bytes)?;
        }
        if argument.output {
            let numbers = bytes
                .data()
                .chunks_exact(size)
                .zip(bytes.known().chunks_exact(size));
            let numbers = numbers.map(|(bytes, known)| {
                if known.iter().all(|known| *known) {
                    argument.format.decode(bytes)
                } else {
                    Json::Null
                }
            });
            outputs.insert(what, numbers.collect());
        }
    }
    Ok(Json::Object(outputs))
}

/// Compares the beginning of a buffer with the expected contents.
fn check(what: &str, argument: &Argument, expected: &[u8], found: &Bytes) -> Result<(), String> {
    let format = argument.format;
    let size = format.bytes();
    if expected.len() > found.len() {
        let (expected, found) = (expected.len() / size, found.len() / size);
        return Err(format!(
            "'{what}' has {found} elements, expected {expected}"
        ));
    }
    let pairs = expected
        .chunks_exact(size)
        .zip(found.data().chunks_exact(size));
    for (number, (expected, bytes)) in pairs.enumerate() {
        let known = found.known()[number * size..][..size]
            .iter()
            .all(|known| *known);
        let (wanted, got) = (format.decode_f64(expected), format.decode_f64(bytes));
        let bound = argument.tolerance * wanted.abs().max(1.0);
        let close = expected == bytes || (wanted - got).abs() <= bound;
        if known && close {
            continue;
        }
        let got = if known {
            format.decode(bytes)
        } else {
            Json::Null
        };
        return Err(format!(
            "element {number} of '{what}' is {got}, expected {}",
            format.decode(expected)
        ));
    }
    Ok(())
}
