//! Reads programs, one JSON object `{"ptx", "max_registers", "relocatable"}` a line, and tells what `ori-gmma`
//! reports of each, as JSON: `{"codes": [[code, message]], "arrives", "waits", "products"}`, or
//! `{"error"}`. `tools/compare-gmma` compares this with ptxas.

use std::io::{self, BufRead as _, Write as _};

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, Operation, walk};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_translate::import::{Options, import_with, register_dialects};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let program: Value = serde_json::from_str(&line?)?;
        let ptx = program["ptx"].as_str().unwrap_or_default();
        let limit = program["max_registers"].as_u64().unwrap_or(0);
        let relocatable = program["relocatable"].as_bool().unwrap_or(false);
        let options = format!("max-registers={limit} relocatable={relocatable}");
        // Other modules may call the functions of a relocatable one.
        let unused = if relocatable { "" } else { "symbol-dce," };
        let pipeline = format!("builtin.module({unused}ori-gmma{{{options}}})");
        let told =
            tell(&registry, ptx, &pipeline).unwrap_or_else(|error| json!({ "error": error }));
        writeln!(out, "{told}")?;
    }
    Ok(())
}

/// What the pipeline reports of a program.
fn tell(registry: &PassRegistry, ptx: &str, pipeline: &str) -> Result<Value, String> {
    let mut context = Context::new();
    register_dialects(&mut context);
    let parsed = orison_translate::ptx::parse(ptx).map_err(|error| format!("{error:?}"))?;
    let import = Options {
        ptx_locations: true,
        ..Options::default()
    };
    let imported = import_with(&mut context, "program.ptx", ptx, &parsed, import);
    let (module, _) = imported.map_err(|error| format!("{error:?}"))?;
    context.diagnostics.take();
    let pipeline = registry
        .parse_pipeline(pipeline)
        .map_err(|error| format!("{error:?}"))?;
    let done = run_pipeline(&mut context, &pipeline, module);
    let codes: Vec<Value> = context
        .diagnostics
        .take()
        .iter()
        .filter_map(|diagnostic| {
            let (code, message) = diagnostic.message.strip_prefix("(C")?.split_once(") ")?;
            Some(json!([code.parse::<u32>().ok()?, message]))
        })
        .collect();
    if done.is_err() && codes.is_empty() {
        return Err("the pipeline fails".to_owned());
    }
    if context.verify(module).is_err() {
        return Err(format!("{:?}", context.diagnostics.take()));
    }
    let [arrives, waits, products] = counts(&context, module);
    Ok(json!({ "codes": codes, "arrives": arrives, "waits": waits, "products": products }))
}

/// The arrives, waits and products of a module.
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
