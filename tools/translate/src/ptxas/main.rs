//! `orison-ptxas`: PTX to cubins, with the command line, the messages and the exit codes of ptxas.

mod options;

use std::process::ExitCode;

use options::Options;
use orison_ir::{Context, Palette};
use orison_rewrites::ori_to_sass::OriToSassOptions;
use orison_sass::assemble::Tool;
use orison_sass::cubin::Kind;
use orison_translate::{check, compile, import, ptx, sass};

/// The exit code of ptxas after any error.
const FAILURE: u8 = 255;
/// The machine without `--gpu-name`.
const MACHINE: &str = "sm_75";
/// The output without `--output-file`.
const OUTPUT: &str = "elf.o";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Fatal(message)) => {
            eprintln!("ptxas fatal   : {message}");
            ExitCode::from(FAILURE)
        }
        Err(Failure::Errors(lines)) => {
            eprint!("{lines}");
            eprintln!("ptxas fatal   : Ptx assembly aborted due to errors");
            ExitCode::from(FAILURE)
        }
    }
}

enum Failure {
    /// Of the command line or of files.
    Fatal(String),
    /// In the input, as lines.
    Errors(String),
}

fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::parse(arguments.iter().cloned()).map_err(Failure::Fatal)?;
    if options.has("help") || arguments.is_empty() {
        print!("{}", options::help());
        return Ok(());
    }
    if options.has("version") {
        // The release is that of the ptxas whose options and files these are: build systems read it.
        println!("ptxas: orison {}", env!("CARGO_PKG_VERSION"));
        println!("Cuda compilation tools, release 13.0, V13.0.88");
        return Ok(());
    }
    if options.has("list-version") {
        println!("1.0-9.0");
        return Ok(());
    }
    let sources = sources(&options)?;
    let request = Request::of(&options, arguments)?;
    let cubin = request.compile(&sources)?;
    let output = options.value("output-file").unwrap_or(OUTPUT);
    std::fs::write(output, cubin).map_err(|error| {
        Failure::Fatal(format!(
            "Output file '{output}' could not be written: {error}"
        ))
    })
}

/// A module: its name and its text.
struct Input {
    name: String,
    text: String,
}

fn sources(options: &Options) -> Result<Vec<Input>, Failure> {
    let mut sources = Vec::new();
    for name in &options.inputs {
        let bytes = std::fs::read(name)
            .map_err(|_| Failure::Fatal(format!("Input file '{name}' could not be opened")))?;
        let text = ptx::check_utf8(&bytes).map_err(|error| {
            Failure::Errors(rendered(&error.render_with(&Palette::PLAIN, name, "")))
        })?;
        sources.push(Input {
            name: name.clone(),
            text: text.to_owned(),
        });
    }
    if let Some(text) = options.value("input-as-string") {
        sources.push(Input {
            name: "<string>".to_owned(),
            text: text.to_owned(),
        });
    }
    match sources.is_empty() {
        true => Err(Failure::Fatal("No input file specified".to_owned())),
        false => Ok(sources),
    }
}

/// What is asked for.
struct Request<'o> {
    options: &'o Options,
    machine: &'o str,
    pipeline: OriToSassOptions,
    kind: Kind,
    tool: Tool,
}

impl<'o> Request<'o> {
    fn of(options: &'o Options, arguments: &[String]) -> Result<Self, Failure> {
        let machine = options.value("gpu-name").unwrap_or(MACHINE);
        let number = |name: &str, default: u32| match options.value(name) {
            None => Ok(default),
            Some(text) => text.parse::<u32>().map_err(|_| {
                let message = format!("Value '{text}' is not defined for option '{name}'");
                Failure::Fatal(message)
            }),
        };
        let level = number("opt-level", 3)?;
        if level > 3 {
            let message = format!("Value '{level}' is not defined for option 'opt-level'");
            return Err(Failure::Fatal(message));
        }
        let (least, most) = compile::REGISTERS;
        let asked = match options.value("maxrregcount") {
            Some("archmax") => most,
            Some("archmin") => least,
            _ => number("maxrregcount", 0)?,
        };
        let max_registers = if asked == 0 {
            0
        } else {
            asked.clamp(least, most)
        };
        let request = Request {
            options,
            machine,
            pipeline: OriToSassOptions {
                level,
                max_registers,
            },
            kind: match options.has("compile-only") {
                true => Kind::Relocatable,
                false => Kind::Executable,
            },
            tool: Tool {
                name: "orison-ptxas".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                arguments: arguments.join(" "),
            },
        };
        if max_registers != asked {
            let bound = if asked < least { "lower" } else { "upper" };
            request.warn(&format!(
                "For profile {machine} adjusting per thread register count of {asked} to {bound} bound of {max_registers}"
            ))?;
        }
        Ok(request)
    }

    /// Prints a warning, which may be an error.
    fn warn(&self, message: &str) -> Result<(), Failure> {
        if self.options.has("warning-as-error") {
            return Err(Failure::Errors(format!("ptxas error   : {message}\n")));
        }
        if !self.options.has("disable-warnings") {
            eprintln!("ptxas warning : {message}");
        }
        Ok(())
    }

    /// The cubin of all modules together.
    fn compile(&self, inputs: &[Input]) -> Result<Vec<u8>, Failure> {
        let mut joined: Option<(&Input, ptx::ast::Module<'_>)> = None;
        for input in inputs {
            let Input { name, text } = input;
            let failed =
                |error: &ptx::Error| rendered(&error.render_with(&Palette::PLAIN, name, text));
            let mut module = ptx::parse(text).map_err(|error| Failure::Errors(failed(&error)))?;
            compile::retarget(&mut module, self.machine).map_err(|message| {
                // ptxas's words begin with a capital letter.
                let mut letters = message.chars();
                let first = letters.next().map(|first| first.to_ascii_uppercase());
                Failure::Fatal(first.into_iter().chain(letters).collect())
            })?;
            check::check_text(name, text, &module, Palette::PLAIN)
                .map_err(|lines| Failure::Errors(rendered(&lines)))?;
            match &mut joined {
                None => joined = Some((input, module)),
                Some((_, first)) => first.items.extend(module.items.into_iter().filter(|item| {
                    use ptx::ast::Item;
                    !matches!(
                        item,
                        Item::Version(..) | Item::Target(_) | Item::AddressSize(_)
                    )
                })),
            }
        }
        let Some((Input { name, text }, module)) = joined else {
            return Err(Failure::Fatal("No input file specified".to_owned()));
        };
        let mut context = Context::new();
        context.diagnostics.palette = Palette::PLAIN;
        compile::register_dialects(&mut context);
        let options = import::Options::default();
        let (op, _) =
            import::import_with(&mut context, name, text, &module, options).map_err(|error| {
                Failure::Errors(rendered(&error.render_with(&Palette::PLAIN, name, text)))
            })?;
        compile::compile(&mut context, op, &self.pipeline, false)
            .map_err(|lines| Failure::Errors(rendered(&lines)))?;
        self.report(&context, op)?;
        let cubin = sass::assemble(&context, op, self.kind, self.tool.clone());
        std::mem::forget(context);
        cubin.map_err(|lines| Failure::Errors(rendered(&lines)))
    }

    fn report(&self, context: &Context, module: orison_ir::Operation) -> Result<(), Failure> {
        if self.options.has("verbose") {
            eprint!("{}", compile::resource_usage(context, module));
        }
        for (name, resources) in compile::resources(context, module) {
            let (stores, loads) = (resources.spill_stores, resources.spill_loads);
            if self.options.has("warn-on-spills") && stores + loads > 0 {
                self.warn(&format!(
                    "Registers are spilled to local memory in function '{name}', {stores} bytes spill stores, {loads} bytes spill loads"
                ))?;
            }
            if self.options.has("warn-on-local-memory-usage") && resources.frame > 0 {
                let frame = resources.frame;
                self.warn(&format!(
                    "Local memory used for function '{name}', size of stack frame: {frame} bytes"
                ))?;
            }
        }
        Ok(())
    }
}

/// Diagnostics in the form of ptxas: `ptxas k.ptx, line 3; error   : message`, without source lines.
fn rendered(diagnostics: &str) -> String {
    let mut text = String::new();
    for line in diagnostics.lines() {
        for severity in ["error", "warning"] {
            let mark = format!(": {severity}: ");
            let Some((place, message)) = line.split_once(&mark) else {
                continue;
            };
            let mut parts = place.rsplitn(3, ':');
            let numbers = [parts.next(), parts.next()].map(Option::unwrap_or_default);
            let is_place = numbers.iter().all(|part| part.parse::<u32>().is_ok());
            let place = match (is_place, parts.next()) {
                (true, Some(file)) => format!("{file}, line {}; ", numbers[1]),
                _ => String::new(),
            };
            text.push_str(&format!("ptxas {place}{severity:<8}: {message}\n"));
        }
    }
    match text.is_empty() {
        true => diagnostics.to_owned(),
        false => text,
    }
}
