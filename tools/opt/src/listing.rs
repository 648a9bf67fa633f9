//! `--list-passes`, `--list-patterns`, `--list-ops`, `--show-dialects`, `--emit-dialect-docs`,
//! `--emit-dialect-overview`.

use std::collections::BTreeMap;

use orison_ir::Context;
use orison_ir::declare::{DialectDefinition, dialect_overview, dialect_page, irdl_file};
use orison_ir::pass::{Anchor, ListedPattern, OptionDefinition, PassRegistry, nearest};
use orison_schedule::machine::MachineModel;
use orison_schedule::sass::latency::LatencyModel;

/// A line of a list: name, source location, description.
struct Entry {
    name: String,
    place: String,
    summary: String,
}

/// Formats the entries in columns.
fn columns(entries: &[Entry]) -> String {
    let name_width = entries.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let place_width = entries.iter().map(|e| e.place.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Entry {
        name,
        place,
        summary,
    } in entries
    {
        let line = format!("{name:name_width$}  {place:place_width$}  {summary}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn place(file: &str, line: u32) -> String {
    format!("{file}:{line}")
}

/// The passes and named pipelines with their options, by name.
pub fn passes(registry: &PassRegistry) -> String {
    let mut entries = BTreeMap::new();
    for pass in registry.passes() {
        let on = match pass.anchor {
            Anchor::Any => String::new(),
            Anchor::Op(name) => format!(" (on {name})"),
        };
        let entry = Entry {
            name: pass.name.to_owned(),
            place: place(pass.position.file, pass.position.line),
            summary: format!("{}{on}", pass.summary()),
        };
        entries.insert(pass.name, (entry, pass.options));
    }
    for pipeline in registry.pipelines() {
        let summary = pipeline.documentation.trim().lines().next();
        let entry = Entry {
            name: pipeline.name.to_owned(),
            place: place(pipeline.position.file, pipeline.position.line),
            summary: format!("{} (pipeline)", summary.unwrap_or_default()),
        };
        entries.insert(pipeline.name, (entry, pipeline.options));
    }
    let mut lines = Vec::new();
    for (entry, options) in entries.into_values() {
        lines.push(entry);
        lines.extend(options.iter().map(option));
    }
    columns(&lines)
}

fn option(option: &OptionDefinition) -> Entry {
    Entry {
        name: format!("  {}", option.name),
        place: option_form(option),
        summary: option.help.trim().to_owned(),
    }
}

/// `uint = 4`.
pub fn option_form(option: &OptionDefinition) -> String {
    let form = (option.form)();
    match (option.default)() {
        Some(default) => format!("{form} = {default}"),
        None => form,
    }
}

/// The rewrite rules of declarations and those registered in sets, by name, with the sets that
/// contain them.
pub fn patterns(context: &Context, registry: &PassRegistry) -> String {
    let operations = context.dialects().iter().flat_map(|d| d.operations);
    let declared = operations.flat_map(|op| op.rules.iter().copied());
    let declared = declared.map(|rule| (ListedPattern::from(rule), "canonicalize"));
    let sets = registry.pattern_sets().iter();
    let registered = sets.flat_map(|set| set.patterns.iter().map(|rule| (*rule, set.name)));
    let mut by_name: BTreeMap<_, (ListedPattern, Vec<&str>)> = BTreeMap::new();
    for (rule, set) in declared.chain(registered) {
        let (_, sets) = by_name.entry(rule.name).or_insert((rule, Vec::new()));
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    let entry = |(rule, sets): (ListedPattern, Vec<&str>)| Entry {
        name: rule.name.to_owned(),
        place: place(rule.position.file, rule.position.line),
        summary: format!(
            "{}: {} (benefit {}; {})",
            rule.root,
            rule.summary.trim(),
            rule.benefit,
            sets.join(", ")
        ),
    };
    columns(&by_name.into_values().map(entry).collect::<Vec<_>>())
}

/// The operations by name.
pub fn operations(context: &Context) -> String {
    let operations = context.dialects().iter().flat_map(|d| d.operations);
    let by_name: BTreeMap<_, _> = operations.map(|op| (op.name, *op)).collect();
    let entries: Vec<_> = by_name
        .into_values()
        .map(|op| Entry {
            name: op.name.to_owned(),
            place: place(op.file, op.line),
            summary: op.summary().trim().to_owned(),
        })
        .collect();
    columns(&entries)
}

/// The names of the dialects, sorted.
pub fn dialects(context: &Context) -> String {
    let mut names: Vec<_> = context.dialects().iter().map(|d| d.name).collect();
    names.sort_unstable();
    format!("Available Dialects: {}\n", names.join(","))
}

/// The documentation page of a dialect.
///
/// # Errors
/// If there is no such dialect; the error suggests a similar name.
pub fn documentation(context: &Context, name: &str) -> Result<String, String> {
    named_dialect(context, name).map(dialect_page)
}

/// The page of a dialect with its operations in tables.
///
/// # Errors
/// If there is no such dialect.
pub fn overview(context: &Context, name: &str) -> Result<String, String> {
    named_dialect(context, name).map(dialect_overview)
}

/// Dialects as an IRDL file.
///
/// # Errors
/// If there is no such dialect, or it is built into MLIR.
pub fn irdl(context: &Context, names: &[&str]) -> Result<String, String> {
    let mut dialects = Vec::new();
    for name in names {
        let dialect = named_dialect(context, name)?;
        if dialect.upstream {
            return Err(format!("dialect '{name}' is built into MLIR"));
        }
        dialects.push(dialect);
    }
    Ok(irdl_file(&dialects))
}

/// The dialect with a name; the error suggests a similar name.
fn named_dialect(context: &Context, name: &str) -> Result<&'static DialectDefinition, String> {
    if let Some(dialect) = context.dialect(name) {
        return Ok(dialect);
    }
    let known = context.dialects().iter().map(|dialect| dialect.name);
    Err(unknown("dialect", name, known))
}

/// The message for an unknown name; it suggests a similar name.
fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let meant = nearest(name, known);
    let meant = meant.map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"));
    format!("unknown {what} '{name}'{meant}")
}

/// The text of a machine model of the tile scheduler.
///
/// # Errors
/// If there is no such model; the error suggests a similar name.
pub fn machine(name: &str) -> Result<String, String> {
    if let Some(text) = MachineModel::embedded_text(name) {
        return Ok(text.to_owned());
    }
    if let Some(model) = LatencyModel::for_target(name) {
        return Ok(model.to_string());
    }
    let targets = LatencyModel::targets();
    let known = MachineModel::EMBEDDED.into_iter();
    let known: Vec<&str> = known.chain(targets.iter().map(String::as_str)).collect();
    let message = unknown("machine model", name, known.iter().copied());
    Err(format!("{message}; known are {}", known.join(", ")))
}
