//! What `ptxas -v` prints: registers, stack, spills, barriers, shared and constant memory.

use std::fmt::Write as _;

use orison_ir::{Attribute, Context, Operation};
use orison_rewrites::ori::memory_layout::{CLUSTERS_SINCE, SHARED_START};
use orison_sass::dialect::{Func, Resources, Section};

/// Bytes of constant bank 0 in front of parameters, up to sm_89; later machines print no bank 0.
const PARAMETERS: u32 = 0x160;

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
            && let Some(stated) = function.resources(context)
        {
            let resources = Resources::of(context, stated);
            write_function(&mut text, context, function, &resources, &sections);
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
        let resources = Resources::of(context, function.resources(context)?);
        Some((function.sym_name(context)?.to_owned(), resources))
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
    resources: &Resources,
    sections: &Sections<'_>,
) {
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
    if machine < CLUSTERS_SINCE {
        let bytes = i64::from(PARAMETERS) + parameter_bytes(context, function);
        let _ = write!(text, ", {bytes} bytes cmem[0]");
    }
    bank(text, sections, 2);
    text.push('\n');
}

/// The bytes of the parameters of a kernel.
fn parameter_bytes(context: &Context, function: Func) -> i64 {
    let parameters = function.parameters(context);
    let parameters = parameters.and_then(|parameters| parameters.as_array(context));
    let number = |parameter: &Attribute, key: &str| {
        let value = parameter.get(context, key);
        value.and_then(|value| value.as_i64(context)).unwrap_or(0)
    };
    let ends = parameters.into_iter().flatten();
    let ends = ends.map(|parameter| number(parameter, "offset") + number(parameter, "size"));
    ends.max().unwrap_or(0)
}
