//! What `ori-gmma` reports of a PTX program: the harness of the test `gmma` and of the example
//! `gmma_reports`.

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, Operation, walk};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_translate::import::{Options, import_with, register_dialects};
use serde::Serialize;

/// The passes.
pub fn registry() -> PassRegistry {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    registry
}

/// The flags of ptxas that matter to products.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// `-maxrregcount`; 0: none.
    pub max_registers: u32,
    /// `-c`.
    pub relocatable: bool,
}

impl Flags {
    /// Reads ptxas's flags; others are ignored.
    pub fn of(flags: &[String]) -> Self {
        let limits = flags.iter().filter_map(|flag| {
            let flag = flag.trim_start_matches('-');
            let number = flag.strip_prefix("maxrregcount")?;
            number.trim_start_matches(['=', ' ']).parse().ok()
        });
        Flags {
            max_registers: limits.max().unwrap_or(0),
            relocatable: flags.iter().any(|flag| flag == "-c"),
        }
    }
}

/// Real unrolling, in front of the phases as in ptxas: for the number of arrives and waits. Reports name
/// each line once, and `ori-gmma` alone knows which loops ptxas unrolls.
pub const UNROLLING: &str = "ori-loop-simplification,ori-loop-unrolling,ori-branch-opt,";

/// What is reported, and the arrives, waits and products in the result.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Codes and messages, in order.
    pub codes: Vec<(u32, String)>,
    /// Fences and injected arrives.
    pub arrives: u32,
    /// Waits, the injected ones among them.
    pub waits: u32,
    /// Products.
    pub products: u32,
}

/// Runs the pipeline on a program, with other passes in front. Fails if the program is not well-formed, or the pipeline fails
/// without a code, or its result is not valid.
pub fn report(
    registry: &PassRegistry,
    ptx: &str,
    flags: Flags,
    front: &str,
) -> Result<Report, String> {
    let mut context = Context::new();
    register_dialects(&mut context);
    let parsed = orison_translate::ptx::parse(ptx).map_err(|error| format!("{error:?}"))?;
    let options = Options {
        ptx_locations: true,
        ..Options::default()
    };
    let imported = import_with(&mut context, "program.ptx", ptx, &parsed, options);
    let (module, _) = imported.map_err(|error| format!("{error:?}"))?;
    context.diagnostics.take();
    let Flags {
        max_registers,
        relocatable,
    } = flags;
    // Other modules may call the functions of a relocatable one.
    let unused = if relocatable { "" } else { "symbol-dce," };
    let options = format!("max-registers={max_registers} relocatable={relocatable}");
    let pipeline = format!("builtin.module({unused}{front}ori-gmma{{{options}}})");
    let pipeline = registry.parse_pipeline(&pipeline);
    let pipeline = pipeline.map_err(|error| format!("{error:?}"))?;
    let done = run_pipeline(&mut context, &pipeline, module);
    let diagnostics = context.diagnostics.take();
    let codes = diagnostics.iter().filter_map(|diagnostic| {
        let (code, message) = diagnostic.message.strip_prefix("(C")?.split_once(") ")?;
        Some((code.parse().ok()?, message.to_owned()))
    });
    let codes: Vec<(u32, String)> = codes.collect();
    // A product that does not fit in the registers is an error.
    if done.is_err() != codes.iter().any(|(code, _)| *code == 7602) {
        return Err(format!("the pipeline fails: {diagnostics:?}"));
    }
    if context.verify(module).is_err() {
        return Err(format!("{:?}", context.diagnostics.take()));
    }
    let [arrives, waits, products] = counts(&context, module);
    Ok(Report {
        codes,
        arrives,
        waits,
        products,
    })
}

fn counts(context: &Context, module: Operation) -> [u32; 3] {
    let mut counts = [0; 3];
    for op in walk::collect(context, module) {
        match role(context, op) {
            Some(Role::Arrive) => counts[0] += 1,
            Some(Role::Wait(_)) => counts[1] += 1,
            Some(Role::Product) => counts[2] += 1,
            _ => {}
        }
    }
    counts
}
