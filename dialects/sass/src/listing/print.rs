//! Prints listings as nvdisasm does, with readable control words.

use std::fmt::{Display, Formatter, Result};

use super::{Directive, Item, Line, Listing, Note, Section};
use crate::instruction::Code;
use crate::scheduled::Scheduled;

/// The column in which comments after instructions start.
const COMMENTS: usize = 88;

impl Display for Directive {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if self.arguments.is_empty() {
            return out.write_str(&self.name);
        }
        write!(out, "{}\t{}", self.name, self.arguments)
    }
}

impl Display for Note {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Note::Directive(directive) => write!(out, "\t{directive}"),
            Note::Label(label) => write!(out, "{label}:"),
            Note::Comment(comment) => write!(out, "// {comment}"),
        }
    }
}

/// An instruction with address, control word and encoding. The bits hold this control word, unless no
/// bits can.
fn instruction(out: &mut Formatter<'_>, instruction: &Scheduled<'_>) -> Result {
    let guard = instruction
        .guard
        .map_or(String::new(), |guard| guard.to_string());
    // Without an encoding the text has to say everything, the bits of NaNs too.
    let text = match instruction.encoding() {
        Some(_) => instruction.to_string(),
        None => format!("{:#}", Code(instruction)),
    };
    let text = text.strip_prefix(&guard).unwrap_or(&text).trim_start();
    let line = format!(
        "        /*{:04x}*/ {guard:>6} {text} ;",
        instruction.address
    );
    write!(out, "{line:COMMENTS$} /* {} */", instruction.control)?;
    let Some(imported) = instruction.encoding() else {
        if let Some(register) = instruction.hidden_descriptor() {
            write!(out, " /* descriptor {register} */")?;
        }
        return writeln!(out);
    };
    let current = imported.with_control(&instruction.control);
    let encoding = current.unwrap_or(imported);
    writeln!(out, " /* {:#018x} */", encoding.low)?;
    writeln!(
        out,
        "{:COMMENTS$}{:26}/* {:#018x} */",
        "", "", encoding.high
    )
}

fn lines(out: &mut Formatter<'_>, lines: &[Line]) -> Result {
    for line in lines {
        match &line.item {
            Item::Instruction(found) => instruction(out, found)?,
            Item::Note(note) => writeln!(out, "{note}")?,
        }
    }
    Ok(())
}

impl Display for Section {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let dashes = "---------------------";
        writeln!(out, "//{dashes} {:<24} {dashes}", self.name)?;
        lines(out, &self.lines)
    }
}

impl Display for Listing {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        lines(out, &self.header)?;
        for section in &self.sections {
            write!(out, "\n\n{section}")?;
        }
        Ok(())
    }
}
