//! The documentation page of a dialect, from its declarations.

use std::fmt::{self, Write as _};

use super::{
    DialectDefinition, Effects, OperationDefinition, ParameterDefinition, ValueDefinition,
    Variadicity,
};

/// The Markdown page of a dialect: its description, operations, types and attributes.
pub fn dialect_page(dialect: &DialectDefinition) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, dialect);
    page
}

fn write_page(page: &mut String, dialect: &DialectDefinition) -> fmt::Result {
    writeln!(page, "# `{}`\n", dialect.name)?;
    writeln!(
        page,
        "<!-- Generated from the declarations; see docs/README.md. -->\n"
    )?;
    writeln!(page, "{}\n", paragraph(dialect.documentation))?;
    if !dialect.operations.is_empty() {
        writeln!(page, "## Operations\n")?;
    }
    for definition in dialect.operations {
        operation(page, definition)?;
    }
    if !dialect.types.is_empty() {
        writeln!(page, "## Types\n")?;
    }
    for definition in dialect.types {
        writeln!(
            page,
            "### `!{}`\n\n{}\n",
            definition.name,
            paragraph(definition.documentation)
        )?;
        parameters(page, definition.parameters)?;
    }
    if !dialect.attributes.is_empty() {
        writeln!(page, "## Attributes\n")?;
    }
    for definition in dialect.attributes {
        writeln!(
            page,
            "### `#{}`\n\n{}\n",
            definition.name,
            paragraph(definition.documentation)
        )?;
        parameters(page, definition.parameters)?;
    }
    Ok(())
}

/// Documentation comments keep the blank after `///`; it is removed.
fn paragraph(text: &str) -> String {
    let lines: Vec<_> = text
        .trim()
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    lines.join("\n")
}

/// A cell of a table: one line.
fn cell(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

fn operation(page: &mut String, definition: &OperationDefinition) -> fmt::Result {
    writeln!(
        page,
        "### `{}`\n\n{}\n",
        definition.name,
        paragraph(definition.documentation)
    )?;
    if let super::Assembly::Format(format) = definition.assembly {
        writeln!(page, "```\n{} {format}\n```\n", definition.name)?;
    }
    values(page, "operand", definition.operands)?;
    values(page, "result", definition.results)?;
    if !definition.attributes.is_empty() {
        writeln!(page, "| attribute | form | |\n|---|---|---|")?;
        for attribute in definition.attributes {
            let optional = if attribute.optional { "optional; " } else { "" };
            let (name, form) = (attribute.name, attribute.constraint.summary);
            writeln!(
                page,
                "| `{name}` | {form} | {optional}{} |",
                cell(attribute.documentation)
            )?;
        }
        writeln!(page)?;
    }
    for region in definition.regions {
        let variadic = if region.variadic { " (any number)" } else { "" };
        writeln!(
            page,
            "- region `{}`{variadic}: {}",
            region.name,
            cell(region.documentation)
        )?;
    }
    for successor in definition.successors {
        let variadic = if successor.variadic {
            " (any number)"
        } else {
            ""
        };
        writeln!(
            page,
            "- successor `{}`{variadic}: {}",
            successor.name,
            cell(successor.documentation)
        )?;
    }
    if !definition.regions.is_empty() || !definition.successors.is_empty() {
        writeln!(page)?;
    }
    let traits: Vec<_> = definition
        .traits
        .iter()
        .map(|t| format!("`{}`", t.name()))
        .collect();
    let effects = effects(definition.effects);
    if traits.is_empty() {
        writeln!(page, "Memory: {effects}.\n")
    } else {
        writeln!(page, "Memory: {effects}. Traits: {}.\n", traits.join(", "))
    }
}

fn effects(effects: Effects) -> &'static str {
    match effects {
        Effects::Unknown => "unknown effects",
        Effects::None => "no effects",
        Effects::Recursive => "the effects of its regions",
        Effects::Read => "reads",
        Effects::Write => "writes",
        Effects::ReadWrite => "reads and writes",
        Effects::Allocate => "allocates",
    }
}

fn values(page: &mut String, kind: &str, values: &[ValueDefinition]) -> fmt::Result {
    if values.is_empty() {
        return Ok(());
    }
    writeln!(page, "| {kind} | type | |\n|---|---|---|")?;
    for value in values {
        let count = match value.variadicity {
            Variadicity::One => "",
            Variadicity::Optional => "optional; ",
            Variadicity::Variadic => "any number; ",
        };
        let (name, ty) = (value.name, value.constraint.summary);
        writeln!(
            page,
            "| `{name}` | {ty} | {count}{} |",
            cell(value.documentation)
        )?;
    }
    writeln!(page)
}

fn parameters(page: &mut String, parameters: &[ParameterDefinition]) -> fmt::Result {
    if parameters.is_empty() {
        return Ok(());
    }
    writeln!(page, "| parameter | |\n|---|---|")?;
    for parameter in parameters {
        writeln!(
            page,
            "| `{}` | {} |",
            parameter.name,
            cell(parameter.documentation)
        )?;
    }
    writeln!(page)
}
