//! The documentation page of a dialect, from its declarations.

use std::fmt::{self, Write as _};

use super::{
    DialectDefinition, Effects, InherentAttribute, OperationDefinition, ParameterDefinition,
    ValueDefinition, Variadicity,
};

/// A row of a table: name, type or form, meaning.
pub(super) type Row = (&'static str, &'static str, String);

/// The Markdown page of a dialect: its description, operations, types and attributes.
pub fn dialect_page(dialect: &DialectDefinition) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, dialect);
    page
}

fn write_page(page: &mut String, dialect: &DialectDefinition) -> fmt::Result {
    header(page, dialect)?;
    if !dialect.operations.is_empty() {
        writeln!(page, "## Operations\n")?;
    }
    for definition in dialect.operations {
        operation(page, definition)?;
    }
    types_and_attributes(page, dialect)
}

/// Name and description.
pub(super) fn header(page: &mut String, dialect: &DialectDefinition) -> fmt::Result {
    writeln!(page, "# `{}`\n", dialect.name)?;
    writeln!(
        page,
        "<!-- Generated from the declarations; see docs/README.md. -->\n"
    )?;
    writeln!(page, "{}\n", paragraph(dialect.documentation))
}

/// The types and attributes of the dialect.
pub(super) fn types_and_attributes(page: &mut String, dialect: &DialectDefinition) -> fmt::Result {
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
pub(super) fn cell(text: &str) -> String {
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
            row(page, &attribute_row(attribute))?;
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

pub(super) fn effects(effects: Effects) -> &'static str {
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
        row(page, &value_row(value))?;
    }
    writeln!(page)
}

/// The row of an operand or a result.
pub(super) fn value_row(value: &ValueDefinition) -> Row {
    let count = match value.variadicity {
        Variadicity::One => "",
        Variadicity::Optional => "optional; ",
        Variadicity::Variadic => "any number; ",
    };
    let meaning = format!("{count}{}", cell(value.documentation));
    (value.name, value.constraint.summary, meaning)
}

/// The row of an attribute.
pub(super) fn attribute_row(attribute: &InherentAttribute) -> Row {
    let optional = if attribute.optional { "optional; " } else { "" };
    let meaning = format!("{optional}{}", cell(attribute.documentation));
    (attribute.name, attribute.constraint.summary, meaning)
}

/// Writes a row.
pub(super) fn row(page: &mut String, (name, form, meaning): &Row) -> fmt::Result {
    writeln!(page, "| `{name}` | {form} | {meaning} |")
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
