//! PTX as text.

use std::fmt::{Display, Formatter, Result, Write};

use super::ast::{
    Declaration, Declarator, Expression, Function, FunctionDirective, Initializer, Instruction,
    Item, Loc, Module, Pointer, Prototype, Section, SectionLine, Statement, StatementKind,
};

/// Writes items with `, ` between them.
fn comma_separated<T: Display>(out: &mut Formatter<'_>, items: &[T]) -> Result {
    for (number, item) in items.iter().enumerate() {
        out.write_str(if number == 0 { "" } else { ", " })?;
        item.fmt(out)?;
    }
    Ok(())
}

fn strings(out: &mut Formatter<'_>, texts: &[&str]) -> Result {
    out.write_str(".pragma ")?;
    for (number, text) in texts.iter().enumerate() {
        write!(out, "{}\"{text}\"", if number == 0 { "" } else { ", " })?;
    }
    out.write_char(';')
}

impl Display for Module<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        for item in &self.items {
            writeln!(out, "{item}")?;
        }
        Ok(())
    }
}

impl Display for Item<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Item::Version(major, minor) => write!(out, ".version {major}.{minor}"),
            Item::Target(names) => {
                out.write_str(".target ")?;
                comma_separated(out, names)
            }
            Item::AddressSize(size) => write!(out, ".address_size {size}"),
            Item::File(file) => {
                write!(out, ".file {} \"{}\"", file.index, file.name)?;
                match file.details {
                    Some((time, size)) => write!(out, ", {time}, {size}"),
                    None => Ok(()),
                }
            }
            Item::Section(section) => section.fmt(out),
            Item::Alias(alias, target) => write!(out, ".alias {alias}, {target};"),
            Item::Pragma(texts) => strings(out, texts),
            Item::Variable(declaration) => write!(out, "{declaration};"),
            Item::Function(function) => function.fmt(out),
        }
    }
}

impl Display for Section<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(out, ".section {} {{", self.name)?;
        for line in &self.lines {
            match line {
                SectionLine::Label(label) => writeln!(out, "{label}:")?,
                SectionLine::Data(ty, values) => {
                    write!(out, "\t{ty} ")?;
                    comma_separated(out, values)?;
                    out.write_char('\n')?;
                }
            }
        }
        out.write_char('}')
    }
}

fn attributes(out: &mut Formatter<'_>, all: &[(&str, Vec<Expression<'_>>)]) -> Result {
    if all.is_empty() {
        return Ok(());
    }
    out.write_str(".attribute(")?;
    for (number, (name, arguments)) in all.iter().enumerate() {
        write!(out, "{}{name}", if number == 0 { "" } else { ", " })?;
        if !arguments.is_empty() {
            out.write_char('(')?;
            comma_separated(out, arguments)?;
            out.write_char(')')?;
        }
    }
    out.write_str(") ")
}

impl Display for Declaration<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if let Some(linkage) = self.linkage {
            write!(out, "{linkage} ")?;
        }
        out.write_str(self.space)?;
        if let Some(bank) = self.bank {
            write!(out, "[{bank}]")?;
        }
        out.write_char(' ')?;
        attributes(out, &self.attributes)?;
        if let Some(alignment) = self.alignment {
            write!(out, ".align {alignment} ")?;
        }
        if let Some(vector) = self.vector {
            write!(out, "{vector} ")?;
        }
        write!(out, "{} ", self.ty)?;
        if let Some(Pointer { space, alignment }) = self.pointer {
            write!(out, ".ptr ")?;
            if let Some(space) = space {
                write!(out, "{space} ")?;
            }
            if let Some(alignment) = alignment {
                write!(out, ".align {alignment} ")?;
            }
        }
        comma_separated(out, &self.names)
    }
}

impl Display for Declarator<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.write_str(self.name)?;
        if let Some(count) = self.count {
            write!(out, "<{count}>")?;
        }
        for extent in &self.extents {
            match extent {
                Some(extent) => write!(out, "[{extent}]")?,
                None => out.write_str("[]")?,
            }
        }
        match &self.initializer {
            Some(initializer) => write!(out, " = {initializer}"),
            None => Ok(()),
        }
    }
}

impl Display for Initializer<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Initializer::Value(value) => value.fmt(out),
            Initializer::Field(key, value) => write!(out, "{key} = {value}"),
            Initializer::List(list) => {
                out.write_char('{')?;
                comma_separated(out, list)?;
                out.write_char('}')
            }
        }
    }
}

fn parameters(out: &mut Formatter<'_>, all: &[Declaration<'_>]) -> Result {
    out.write_char('(')?;
    comma_separated(out, all)?;
    out.write_char(')')
}

impl Display for FunctionDirective<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            FunctionDirective::Pragma(texts) => strings(out, texts),
            FunctionDirective::Numbers(name, numbers) => {
                out.write_str(name)?;
                if !numbers.is_empty() {
                    out.write_char(' ')?;
                }
                comma_separated(out, numbers)
            }
        }
    }
}

impl Display for Function<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if let Some(linkage) = self.linkage {
            write!(out, "{linkage} ")?;
        }
        out.write_str(if self.is_kernel { ".entry " } else { ".func " })?;
        attributes(out, &self.attributes)?;
        if !self.results.is_empty() {
            parameters(out, &self.results)?;
            out.write_char(' ')?;
        }
        out.write_str(self.name)?;
        if let Some(all) = &self.parameters {
            parameters(out, all)?;
        }
        for directive in &self.directives {
            write!(out, "\n{directive}")?;
        }
        match &self.body {
            None => out.write_char(';'),
            Some(body) => {
                out.write_char('\n')?;
                block(out, body, 0)
            }
        }
    }
}

fn block(out: &mut Formatter<'_>, statements: &[Statement<'_>], depth: usize) -> Result {
    let indent = "\t".repeat(depth);
    out.write_str("{\n")?;
    for statement in statements {
        match &statement.kind {
            StatementKind::Block(inner) => {
                write!(out, "{indent}\t")?;
                block(out, inner, depth + 1)?;
            }
            StatementKind::Label(label) => write!(out, "{label}:")?,
            kind => write!(out, "{indent}\t{kind}")?,
        }
        out.write_char('\n')?;
    }
    write!(out, "{indent}}}")
}

impl Display for StatementKind<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            StatementKind::Declaration(declaration) => write!(out, "{declaration};"),
            StatementKind::Label(label) => write!(out, "{label}:"),
            StatementKind::Instruction(instruction) => instruction.fmt(out),
            StatementKind::Block(statements) => block(out, statements, 0),
            StatementKind::Pragma(texts) => strings(out, texts),
            StatementKind::Loc(loc) => loc.fmt(out),
            StatementKind::Prototype(prototype) => prototype.fmt(out),
            StatementKind::Targets(kind, names) => {
                write!(out, "{kind} ")?;
                comma_separated(out, names)?;
                out.write_char(';')
            }
        }
    }
}

impl Display for Loc<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let [file, line, column] = self.position;
        write!(out, ".loc {file} {line} {column}")?;
        if let Some((name, [file, line, column])) = &self.inlined {
            write!(
                out,
                ", function_name {name}, inlined_at {file} {line} {column}"
            )?;
        }
        Ok(())
    }
}

impl Display for Prototype<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.write_str(".callprototype ")?;
        if !self.results.is_empty() {
            parameters(out, &self.results)?;
            out.write_char(' ')?;
        }
        write!(out, "{} ", self.name)?;
        parameters(out, &self.parameters)?;
        for directive in &self.directives {
            write!(out, " {directive}")?;
        }
        out.write_char(';')
    }
}

impl Display for Instruction<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if let Some((inverted, predicate)) = self.guard {
            write!(out, "@{}{predicate} ", if inverted { "!" } else { "" })?;
        }
        out.write_str(self.name)?;
        for modifier in &self.modifiers {
            out.write_str(modifier)?;
        }
        if !self.operands.is_empty() {
            out.write_char(' ')?;
            comma_separated(out, &self.operands)?;
        }
        out.write_char(';')
    }
}

impl Display for Expression<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Expression::Name(name) => out.write_str(name),
            Expression::Integer(value, unsigned) => {
                write!(out, "{value}{}", if *unsigned { "U" } else { "" })
            }
            Expression::Single(bits) => write!(out, "0f{bits:08X}"),
            Expression::Double(bits) => write!(out, "0d{bits:016X}"),
            Expression::Member(of, member) => write!(out, "{of}{member}"),
            Expression::Unary(sign, operand) => write!(out, "{sign}{operand}"),
            Expression::Binary(sign, a, b) => write!(out, "{a} {sign} {b}"),
            Expression::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                write!(out, "{condition} ? {then} : {otherwise}")
            }
            Expression::Cast(ty, operand) => write!(out, "({ty}){operand}"),
            Expression::Apply(function, arguments) => {
                write!(out, "{function}(")?;
                comma_separated(out, arguments)?;
                out.write_char(')')
            }
            Expression::Parentheses(items) => bracketed(out, '(', items, ')'),
            Expression::Vector(items) => bracketed(out, '{', items, '}'),
            Expression::Address(items) => bracketed(out, '[', items, ']'),
        }
    }
}

fn bracketed(out: &mut Formatter<'_>, open: char, items: &[Expression<'_>], close: char) -> Result {
    out.write_char(open)?;
    comma_separated(out, items)?;
    out.write_char(close)
}
