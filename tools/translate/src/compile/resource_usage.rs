//! What `ptxas -v` prints: registers, stack, spills, barriers, shared and constant memory.

use std::fmt::Write as _;

use orison_ir::{Context, Operation};
use orison_rewrites::ori::memory_layout::{CLUSTERS_SINCE, SHARED_START};
use orison_sass::assemble::{Facts, parameter_start};
use orison_sass::dialect::{Func, Resources, Section};

/// The sizes of sections by title.
struct Sections<'c>(Vec<(&'c str, u64)>);

impl Sections<'_> {
    fn bytes(&self, title: &str) -> u64 {
        let found = self.0.iter().filter(|(name, _)| *name == title);
        found.map(|(_, bytes)| bytes).sum()
    }
}

/// The bytes of a line of a section.
fn line_bytes(line: &str) -> u64 {
    let Some((directive, rest)) = line.split_once('\t') else {
        return 0;
    };
    let count = rest.split(',').count() as u64;
    match directive {
        ".zero" => rest.trim().parse().unwrap_or(0),
        ".byte" => count,
        ".word" => 4 * count,
        ".dword" => 8 * count,
        _ => 0,
    }
}

/// The lines of `ptxas -v` on the functions of a module of machine code, in their order.
pub fn resource_usage(context: &Context, module: Operation) -> String {
    let body = module.body_block(context, 0);
    let operations: Vec<Operation> = body
        .map(|body| body.operations(context).collect())
        .unwrap_or_default();
    let sections = operations.iter().filter_map(|op| {
        let section = Section::of(context, *op)?;
        let lines = section.notes(context)?;
        let bytes = lines.iter().map(|line| line_bytes(line)).sum();
        Some((section.title(context)?, bytes))
    });
    let sections = Sections(sections.collect());
    let mut text = format!(
        "ptxas info    : {} bytes gmem",
        sections.bytes(".nv.global") + sections.bytes(".nv.global.init")
    );
    bank(&mut text, &sections, 3);
    text.push('\n');
    for op in operations {
        if let Some(function) = Func::of(context, op)
            && function.resources(context).is_some()
        {
            let facts = Facts::of(context, function);
            write_function(&mut text, context, function, &facts, &sections);
        }
    }
    text
}

/// What the functions of a module of machine code need, with their names, in their order.
pub fn resources(context: &Context, module: Operation) -> Vec<(String, Resources)> {
    let body = module.body_block(context, 0);
    let operations = body.iter().flat_map(|body| body.operations(context));
    let functions = operations.filter_map(|op| {
        let function = Func::of(context, op)?;
        function.resources(context)?;
        let name = function.sym_name(context)?.to_owned();
        Some((name, Facts::of(context, function).resources))
    });
    functions.collect()
}

fn bank(text: &mut String, sections: &Sections<'_>, number: u32) {
    let bytes = sections.bytes(&format!(".nv.constant{number}"));
    if bytes > 0 {
        let _ = write!(text, ", {bytes} bytes cmem[{number}]");
    }
}

fn write_function(
    text: &mut String,
    context: &Context,
    function: Func,
    facts: &Facts,
    sections: &Sections<'_>,
) {
    let resources = &facts.resources;
    let name = function.sym_name(context).unwrap_or_default();
    let target = function.target(context).unwrap_or_default();
    let machine = orison_machine::sm_number(target).unwrap_or(0);
    if resources.kernel {
        let _ = writeln!(
            text,
            "ptxas info    : Compiling entry function '{name}' for '{target}'"
        );
    }
    let _ = writeln!(text, "ptxas info    : Function properties for {name}");
    let _ = writeln!(
        text,
        "    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads",
        resources.frame, resources.spill_stores, resources.spill_loads
    );
    if !resources.kernel {
        return;
    }
    let _ = write!(
        text,
        "ptxas info    : Used {} registers, used {} barriers",
        resources.registers, resources.barriers
    );
    if resources.stack > 0 {
        let _ = write!(text, ", {} bytes cumulative stack size", resources.stack);
    }
    let reserved = if machine >= CLUSTERS_SINCE {
        u64::try_from(SHARED_START).unwrap_or(0)
    } else {
        0
    };
    let shared = sections.bytes(&format!(".nv.shared.{name}"));
    if shared > reserved {
        let _ = write!(text, ", {} bytes smem", shared - reserved);
    }
    // Later machines print no bank 0.
    if machine < CLUSTERS_SINCE {
        let bytes = parameter_start(machine) + facts.parameter_bytes();
        let _ = write!(text, ", {bytes} bytes cmem[0]");
    }
    bank(text, sections, 2);
    text.push('\n');
}
