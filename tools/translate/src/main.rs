//! The `orison-translate` command line.

use std::fmt::Display;
use std::io::{Read, Write};
use std::process::ExitCode;

use clap::{ArgGroup, Parser};
use orison_ir::{ColorChoice, Context, Operation, Palette, PrintFlags, Severity, print_to_string};
use orison_rewrites::ori_to_sass::OriToSassOptions;
use orison_sass::assemble::Tool;
use orison_sass::cubin::Kind;
use orison_translate::{check, compile, import, ptx, run, sass};

/// Translates between PTX, machine code and orison's dialects.
#[derive(Parser, Debug)]
#[command(name = "orison-translate", version)]
#[command(group(ArgGroup::new("translation").required(true)))]
#[command(group(ArgGroup::new("compilation").args(["ptx_to_sass", "ptx_to_cubin"])))]
struct Arguments {
    /// Read PTX and print it.
    #[arg(long = "ptx-to-ptx", group = "translation")]
    ptx_to_ptx: bool,
    /// Read PTX and check it: names, types, state spaces, targets and versions.
    #[arg(long = "ptx-check", group = "translation")]
    ptx_check: bool,
    /// Read PTX and print it as `ori`.
    #[arg(long = "ptx-to-ori", group = "translation")]
    ptx_to_ori: bool,
    /// Read PTX, compile it, and print it as `sass`: import, then the pipeline `ori-to-sass`.
    #[arg(long = "ptx-to-sass", group = "translation")]
    ptx_to_sass: bool,
    /// Read PTX, compile it, and write a cubin, which the driver loads.
    #[arg(long = "ptx-to-cubin", group = "translation")]
    ptx_to_cubin: bool,
    /// The level of optimization, as that of ptxas.
    #[arg(short = 'O', long = "opt-level", requires = "compilation", value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(0..=3))]
    level: u32,
    /// The machine to compile for; by default that of '.target'.
    #[arg(
        long = "gpu-name",
        alias = "arch",
        requires = "compilation",
        value_name = "sm_XY"
    )]
    gpu_name: Option<String>,
    /// The most registers of a thread; those that a kernel asks for come first.
    #[arg(long = "maxrregcount", requires = "compilation", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_registers: Option<u32>,
    /// Print registers, spills, stack, shared and constant memory, as 'ptxas -v' does.
    #[arg(short = 'v', long = "verbose", requires = "compilation")]
    verbose: bool,
    /// Verify the IR after each pass, and let schedulers and the register allocator check their results; by default
    /// only in builds with debug assertions.
    #[arg(long = "verify-each", requires = "compilation", value_name = "bool", action = clap::ArgAction::Set, num_args = 0..=1, require_equals = true, default_value_t = cfg!(debug_assertions), default_missing_value = "true")]
    verify_each: bool,
    /// Read the output of `nvdisasm -c -hex` and print it as `sass`.
    #[arg(long = "nvdisasm-to-sass", group = "translation")]
    nvdisasm_to_sass: bool,
    /// Read a cubin and print it as `sass`, without nvdisasm.
    #[arg(long = "cubin-to-sass", group = "translation")]
    cubin_to_sass: bool,
    /// Read a cubin and print all of it as text with readable control words, which '--assemble' reads.
    #[arg(long = "disassemble", group = "translation")]
    disassemble: bool,
    /// Read the text of a cubin, with or without changes, and write the cubin. Control words may be left out.
    #[arg(long = "assemble", group = "translation")]
    assemble: bool,
    /// Read `sass` and print a listing with readable control words.
    #[arg(long = "sass-to-text", group = "translation")]
    sass_to_text: bool,
    /// Read `sass` and write a cubin; or with '--base' its control words, and orders within blocks, into a copy of one.
    #[arg(long = "sass-to-cubin", group = "translation")]
    sass_to_cubin: bool,
    /// Read a cubin, order the instructions of its kernels within blocks, and write it with new control words.
    /// Takes nvdisasm.
    #[arg(long = "reschedule", group = "translation")]
    reschedule: bool,
    /// Print the static cycles of each kernel, before and after.
    #[arg(long = "report", requires = "reschedule")]
    report: bool,
    /// Draw the kernels, before and after, in a file that ends in .html or .txt.
    #[arg(long = "schedule-report", requires = "reschedule", value_name = "FILE")]
    schedule_report: Option<String>,
    /// The nvdisasm to run; by default that of the environment variable NVDISASM, or of the search path.
    #[arg(long = "nvdisasm", requires = "reschedule", value_name = "FILE")]
    nvdisasm: Option<String>,
    /// Read PTX, `ori`, `sass` or a listing, and run a kernel of it as a JSON file specifies: see docs/run.md.
    #[arg(long = "run", group = "translation", value_name = "FILE")]
    run: Option<String>,
    /// The cubin to copy.
    #[arg(long = "base", requires = "sass_to_cubin")]
    base: Option<String>,
    /// Print operations in their generic form.
    #[arg(long = "mlir-print-op-generic", conflicts_with_all = ["ptx_to_ptx", "sass_to_text", "sass_to_cubin"])]
    generic: bool,
    /// Print locations.
    #[arg(long = "mlir-print-debuginfo", conflicts_with_all = ["ptx_to_ptx", "sass_to_text", "sass_to_cubin"])]
    debug_info: bool,
    /// Use locations in the PTX also where '.loc' gives a source line.
    #[arg(long = "ptx-locations", requires = "ptx_to_ori")]
    ptx_locations: bool,
    /// Print the number of instructions, and of those kept as `ori.inst`.
    #[arg(long = "counts", requires = "ptx_to_ori")]
    counts: bool,
    /// Skip the checks of types, state spaces, targets and declarations of the PTX before the
    /// import.
    #[arg(long = "no-check")]
    no_check: bool,
    /// Treat every instruction that would be kept as `ori.inst` as an error.
    #[arg(long = "strict", requires = "ptx_to_ori")]
    strict: bool,
    /// Print lines of at most this many columns, unless a token is longer.
    #[arg(long = "print-width", value_name = "columns", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["ptx_to_ptx", "sass_to_text", "sass_to_cubin"])]
    print_width: Option<u32>,
    /// Colours in messages: auto, always or never; auto enables them for terminals and honours
    /// NO_COLOR and CLICOLOR_FORCE.
    #[arg(long = "color", value_name = "when", num_args = 0..=1, require_equals = true, default_value = "auto", default_missing_value = "always")]
    color: ColorChoice,
    /// Do not show remarks.
    #[arg(long = "quiet")]
    quiet: bool,
    /// The input file; standard input if `-` or absent.
    #[arg(default_value = "-")]
    input: String,
    /// The output file.
    #[arg(short = 'o', default_value = "-")]
    output: String,
}

fn read(input: &str) -> std::io::Result<Vec<u8>> {
    if input != "-" {
        return std::fs::read(input);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn write(output: &str, bytes: &[u8]) -> std::io::Result<()> {
    if output != "-" {
        return std::fs::write(output, bytes);
    }
    std::io::stdout().write_all(bytes)
}

/// Imports PTX into a context; remarks go to standard error.
fn imported(
    arguments: &Arguments,
    name: &str,
    text: &str,
    module: &ptx::ast::Module<'_>,
) -> Result<(Context, Operation), String> {
    let mut context = Context::new();
    let palette = arguments.color.palette();
    context.diagnostics.palette = palette;
    compile::register_dialects(&mut context);
    let options = import::Options {
        ptx_locations: arguments.ptx_locations,
        strict: arguments.strict,
    };
    let imported = import::import_with(&mut context, name, text, module, options);
    let (op, counts) = imported.map_err(|error| error.render_with(&palette, name, text))?;
    let unmodelled = context.diagnostics.error_count() > 0;
    let verified = context.verify(op);
    show(arguments, &mut context);
    if unmodelled {
        return Err(String::new());
    }
    if verified.is_err() {
        return Err(palette.headline(name, Severity::Error, "the imported module is invalid"));
    }
    if arguments.counts {
        let import::Counts {
            instructions,
            unmodelled,
        } = counts;
        eprintln!("{name}: {instructions} instructions, {unmodelled} as 'ori.inst'");
    }
    Ok((context, op))
}

/// Writes diagnostics to standard error.
fn show(arguments: &Arguments, context: &mut Context) {
    for diagnostic in context.diagnostics.take() {
        if diagnostic.severity != Severity::Remark || !arguments.quiet {
            eprint!("{}", diagnostic.render(context));
        }
    }
}

/// The module as text of the `ori` dialect.
fn to_ori(
    arguments: &Arguments,
    name: &str,
    text: &str,
    module: &ptx::ast::Module<'_>,
) -> Result<String, String> {
    let (context, op) = imported(arguments, name, text, module)?;
    Ok(print_to_string(&context, op, &print_flags(arguments)))
}

/// The module, compiled, as text of the `sass` dialect or as a cubin.
fn to_machine_code<'t>(
    arguments: &'t Arguments,
    name: &str,
    text: &str,
    mut module: ptx::ast::Module<'t>,
) -> Result<Vec<u8>, String> {
    if let Some(machine) = &arguments.gpu_name {
        compile::retarget(&mut module, machine)
            .map_err(|error| wrong(arguments.color.palette(), name, error))?;
    }
    let (mut context, op) = imported(arguments, name, text, &module)?;
    let max_registers = arguments.max_registers.map_or(0, |asked| {
        let registers = asked.clamp(compile::REGISTERS.0, compile::REGISTERS.1);
        if registers != asked {
            eprintln!(
                "ptxas warning : adjusting per thread register count of {asked} to {registers}"
            );
        }
        registers
    });
    let options = OriToSassOptions {
        level: arguments.level,
        max_registers,
    };
    compile::compile(&mut context, op, &options, arguments.verify_each)?;
    show(arguments, &mut context);
    if arguments.verbose {
        eprint!("{}", compile::resource_usage(&context, op));
    }
    let written = if arguments.ptx_to_cubin {
        sass::assemble(&context, op, Kind::Executable, tool(arguments))?
    } else {
        print_to_string(&context, op, &print_flags(arguments)).into_bytes()
    };
    // The process is about to end: to free the IR operation by operation takes time for nothing.
    std::mem::forget(context);
    Ok(written)
}

/// What cubins note as their tool.
fn tool(arguments: &Arguments) -> Tool {
    let level = arguments.level;
    Tool {
        name: env!("CARGO_BIN_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        arguments: format!("-O {level}"),
    }
}

fn print_flags(arguments: &Arguments) -> PrintFlags {
    PrintFlags {
        generic: arguments.generic,
        debug_info: arguments.debug_info,
        width: arguments.print_width.map(|columns| columns as usize),
        ..PrintFlags::default()
    }
}

/// Conversion of machine code from and to listings, and into cubins.
fn machine_code(arguments: &Arguments, name: &str, text: &str) -> Result<Vec<u8>, String> {
    let palette = arguments.color.palette();
    let mut context = sass_context(palette);
    if arguments.nvdisasm_to_sass {
        let module = sass::import(&mut context, name, text)?;
        return verified_text(arguments, context, module).map(String::into_bytes);
    }
    let module = sass::read(&mut context, name, text)?;
    if arguments.sass_to_cubin && arguments.base.is_none() {
        return sass::assemble(&context, module, Kind::Executable, tool(arguments));
    }
    let listing = sass::listing(&context, module)?;
    let Some(base) = &arguments.base else {
        return Ok(listing.to_string().into_bytes());
    };
    let bytes = std::fs::read(base).map_err(|error| wrong(palette, base, error))?;
    let functions = listing
        .into_functions()
        .map_err(|error| wrong(palette, name, error.message))?;
    let patched = sass::cubin::patch(&bytes, &functions);
    patched.map_err(|error| wrong(palette, base, error))
}

/// The code of a cubin, decoded.
fn cubin_to_sass(arguments: &Arguments, name: &str, cubin: &[u8]) -> Result<String, String> {
    let palette = arguments.color.palette();
    let mut context = sass_context(palette);
    let module = sass::code::module(&mut context, cubin, name)
        .map_err(|error| wrong(palette, name, error))?;
    verified_text(arguments, context, module)
}

fn sass_context(palette: Palette) -> Context {
    let mut context = Context::new();
    context.diagnostics.palette = palette;
    sass::register_dialects(&mut context);
    context
}

/// The text of a module of `sass`, if it is valid.
fn verified_text(
    arguments: &Arguments,
    mut context: Context,
    module: Operation,
) -> Result<String, String> {
    let verified = context.verify(module);
    show(arguments, &mut context);
    match verified {
        Ok(()) => Ok(print_to_string(&context, module, &print_flags(arguments))),
        Err(_) => Err(String::new()),
    }
}

/// Another order for the kernels of a cubin.
fn reschedule(arguments: &Arguments, cubin: &[u8]) -> Result<Vec<u8>, String> {
    let found = sass::reschedule::reschedule(cubin, arguments.nvdisasm.as_deref())?;
    if arguments.report {
        eprint!("{}", found.table());
    }
    if let Some(file) = &arguments.schedule_report {
        let drawn = found.drawings(file)?;
        write(file, drawn.as_bytes()).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(found.cubin)
}

/// An error about a file as a whole.
fn wrong(palette: Palette, file: &str, error: impl Display) -> String {
    palette.headline(file, Severity::Error, error)
}

fn translate(arguments: &Arguments) -> Result<(), String> {
    let palette = arguments.color.palette();
    let name = match arguments.input.as_str() {
        "-" => "<stdin>",
        name => name,
    };
    let bytes = read(&arguments.input).map_err(|error| wrong(palette, name, error))?;
    if arguments.reschedule {
        let bytes = reschedule(arguments, &bytes).map_err(|error| wrong(palette, name, error))?;
        let written = write(&arguments.output, &bytes);
        return written.map_err(|error| wrong(palette, &arguments.output, error));
    }
    if arguments.disassemble {
        let found = sass::disassemble(&bytes).map_err(|error| wrong(palette, name, error))?;
        for warning in found.1.iter().filter(|_| !arguments.quiet) {
            eprint!("{}", palette.headline(name, Severity::Warning, warning));
        }
        let written = write(&arguments.output, found.0.as_bytes());
        return written.map_err(|error| wrong(palette, &arguments.output, error));
    }
    if arguments.cubin_to_sass {
        let text = cubin_to_sass(arguments, name, &bytes)?;
        let written = write(&arguments.output, text.as_bytes());
        return written.map_err(|error| wrong(palette, &arguments.output, error));
    }
    let text = ptx::check_utf8(&bytes).map_err(|error| error.render_with(&palette, name, ""))?;
    let result = if arguments.assemble {
        sass::assemble_text(name, text, palette)?
    } else if let Some(description) = &arguments.run {
        run::file(name, text, description, !arguments.no_check, palette)?.into_bytes()
    } else if arguments.ptx_to_ptx
        || arguments.ptx_to_ori
        || arguments.ptx_to_sass
        || arguments.ptx_to_cubin
        || arguments.ptx_check
    {
        let module = ptx::parse(text);
        let module = module.map_err(|error| error.render_with(&palette, name, text))?;
        let is_compiled = arguments.ptx_to_sass || arguments.ptx_to_cubin;
        let is_imported = arguments.ptx_to_ori || is_compiled;
        if arguments.ptx_check || (is_imported && !arguments.no_check) {
            check::check_text(name, text, &module, palette)?;
        }
        if arguments.ptx_check {
            return Ok(());
        }
        if arguments.ptx_to_ori {
            to_ori(arguments, name, text, &module)?.into_bytes()
        } else if is_compiled {
            to_machine_code(arguments, name, text, module)?
        } else {
            module.to_string().into_bytes()
        }
    } else {
        machine_code(arguments, name, text)?
    };
    write(&arguments.output, &result).map_err(|error| wrong(palette, &arguments.output, error))
}

fn main() -> ExitCode {
    match translate(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}
