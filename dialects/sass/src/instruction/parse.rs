//! Parses nvdisasm syntax.

use std::fmt;

use super::{
    Address, AddressRegister, AddressSpace, ConstantBank, ConstantOperand, Guard, Immediate,
    Instruction, MemoryOperand, Operand, RegisterOperand,
};
use crate::registers::Register;

/// An error in the text of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The offset, in bytes from the start of the text.
    pub offset: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

fn error<T>(offset: usize, message: impl Into<String>) -> Parsed<T> {
    Err(ParseError {
        offset,
        message: message.into(),
    })
}

/// Parses an instruction without address, encoding and final semicolon.
///
/// # Errors
/// The first text that is not valid nvdisasm output.
pub fn parse(text: &str) -> Parsed<Instruction> {
    let text = text.trim_end();
    let mut cursor = Cursor { text, at: 0 };
    let mut instruction = cursor.head()?;
    cursor.cut_comments(&mut instruction)?;
    while !cursor.rest().is_empty() {
        let (from, to) = cursor.operand()?;
        instruction
            .operands
            .push(parse_operand(&text[from..to]).map_err(|found| ParseError {
                offset: from + found.offset,
                ..found
            })?);
    }
    Ok(instruction)
}

/// The instruction of the guard and mnemonic at the start of a text, and the text after them: the
/// whole text if it does not start with a mnemonic.
pub(super) fn head(text: &str) -> (Instruction, &str) {
    let text = text.trim();
    let mut cursor = Cursor { text, at: 0 };
    match cursor.head() {
        Ok(found) => (found, cursor.rest()),
        Err(_) => (Instruction::new(""), text),
    }
}

/// Records the contents of a comment at an offset of the text.
fn note_comment(instruction: &mut Instruction, offset: usize, inside: &str) -> Parsed<()> {
    match inside.strip_prefix("BRANCH_TARGETS ") {
        Some(labels) if instruction.targets.is_empty() => {
            instruction.targets = labels.split(',').map(Box::from).collect();
            if instruction.targets.iter().any(|label| label.is_empty()) {
                return error(offset, "expected the name of a branch target");
            }
            Ok(())
        }
        None if instruction.remark.is_none() && is_remark(inside) => {
            instruction.remark = Some(inside.into());
            Ok(())
        }
        Some(_) | None => error(
            offset,
            "expected at most one list of targets and one remark",
        ),
    }
}

/// Whether a text can be the remark of an instruction: no other comment starts this way.
pub fn is_remark(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' || byte == b' ';
    !text.is_empty()
        && text.trim() == text
        && text.bytes().all(plain)
        && !text.starts_with("BRANCH_TARGETS")
}

/// A position in the text of an instruction.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| belongs(*byte)).count();
        self.at += length;
        &rest[..length]
    }

    fn blanks(&mut self) {
        self.take_while(|byte| byte == b' ' || byte == b'\t');
    }

    /// Guard and mnemonic, with the blanks after them.
    fn head(&mut self) -> Parsed<Instruction> {
        self.blanks();
        let guard = self.guard()?;
        let start = self.at;
        let mnemonic =
            self.take_while(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
        if !mnemonic.starts_with(|first: char| first.is_ascii_uppercase())
            || mnemonic.ends_with('.')
        {
            return error(start, "expected a mnemonic");
        }
        if !self.rest().is_empty() && !self.rest().starts_with([' ', '\t']) {
            return error(self.at, "expected a blank after the mnemonic");
        }
        self.blanks();
        Ok(Instruction {
            guard,
            ..Instruction::new(mnemonic)
        })
    }

    fn guard(&mut self) -> Parsed<Option<Guard>> {
        if !self.rest().starts_with('@') {
            return Ok(None);
        }
        let start = self.at;
        self.at += 1;
        let negated = self.rest().starts_with('!');
        self.at += usize::from(negated);
        let name = self.take_while(|byte| byte.is_ascii_alphanumeric());
        let predicate = Register::from_name(name).filter(|found| found.file.is_predicate());
        let Some(predicate) = predicate else {
            return error(start, format!("guard '{name}' is not a predicate"));
        };
        self.blanks();
        Ok(Some(Guard { predicate, negated }))
    }

    /// Removes the comments from the end of the text: the labels of a `BRX`, and a remark.
    fn cut_comments(&mut self, instruction: &mut Instruction) -> Parsed<()> {
        let Some(found) = self.rest().find("(*") else {
            self.text = self.text.trim_end();
            return Ok(());
        };
        let start = self.at + found;
        let mut at = start;
        while at < self.text.len() {
            let text = &self.text[at..];
            let inside = text
                .strip_prefix("(*\"")
                .and_then(|inside| Some((inside, inside.find("\"*)")?)));
            let Some((inside, length)) = inside else {
                return error(at, "expected '(*\"…\"*)'");
            };
            note_comment(instruction, at, &inside[..length])?;
            let behind = &inside[length + "\"*)".len()..];
            at = self.text.len() - behind.trim_start().len();
        }
        self.text = self.text[..start].trim_end();
        self.at = self.at.min(self.text.len());
        Ok(())
    }

    /// The bounds of the next operand; the cursor moves after its comma.
    fn operand(&mut self) -> Parsed<(usize, usize)> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut open = Vec::new();
        let mut end = start;
        while end < bytes.len() {
            match bytes[end] {
                b',' if open.is_empty() => break,
                opening @ (b'[' | b'(' | b'{') => open.push((opening, end)),
                closing @ (b']' | b')' | b'}') => {
                    let expected = match open.pop() {
                        Some((b'[', _)) => b']',
                        Some((b'(', _)) => b')',
                        Some(_) => b'}',
                        None => 0,
                    };
                    if closing != expected {
                        return error(end, format!("unmatched '{}'", char::from(closing)));
                    }
                }
                _ => {}
            }
            end += 1;
        }
        if let Some((opening, place)) = open.pop() {
            return error(place, format!("unclosed '{}'", char::from(opening)));
        }
        self.at = end;
        if end < bytes.len() {
            self.at += 1;
            self.blanks();
            if self.rest().is_empty() {
                return error(self.at, "expected an operand after the comma");
            }
        }
        let operand = self.text[start..end].trim_end();
        if operand.is_empty() {
            return error(start, "expected an operand");
        }
        Ok((start, start + operand.len()))
    }
}

/// The signs before an operand.
#[derive(Clone, Copy, Default)]
struct Signs {
    not: bool,
    negate: bool,
    invert: bool,
    absolute: bool,
    length: usize,
}

impl Signs {
    /// The signs at the start of a text, in the order in which nvdisasm writes them.
    fn split(text: &str) -> (Signs, &str) {
        let mut signs = Signs::default();
        let mut rest = text;
        let mut take = |sign: char| {
            let found = rest.strip_prefix(sign);
            rest = found.unwrap_or(rest);
            found.is_some()
        };
        signs.not = take('!');
        signs.negate = take('-');
        signs.invert = take('~');
        signs.absolute = take('|');
        signs.length = text.len() - rest.len();
        (signs, rest)
    }

    fn only_negate(self) -> bool {
        !self.not && !self.invert && !self.absolute
    }
}

/// Parses an operand.
///
/// # Errors
/// If it is not valid nvdisasm output.
pub fn parse_operand(text: &str) -> Parsed<Operand> {
    let text = text.trim_end();
    if let Some(label) = text.strip_prefix("`(") {
        return match label.strip_suffix(')') {
            Some(label) if !label.is_empty() => Ok(Operand::Label(label.into())),
            _ => error(0, "expected a label between '`(' and ')'"),
        };
    }
    if text.starts_with('{') {
        return scoreboards(text);
    }
    match text {
        "PR" => return Ok(Operand::AllPredicates { uniform: false }),
        "UPR" => return Ok(Operand::AllPredicates { uniform: true }),
        _ => {}
    }
    let (signs, rest) = Signs::split(text);
    let located = |found: ParseError| ParseError {
        offset: found.offset + signs.length,
        ..found
    };
    if rest.starts_with("c[") || rest.starts_with("cx[") {
        return constant(signs, rest).map_err(located);
    }
    if rest.starts_with('[') || rest.contains('[') && signs.length == 0 {
        return memory(text);
    }
    // The shape of a texture; others are parsed as names (`ARRAY_2D`, `CUBE`).
    if ["1D", "2D", "3D"].contains(&text) {
        return Ok(Operand::Other(text.into()));
    }
    let first = rest.bytes().next().unwrap_or_default();
    let name = rest.split(':').next().unwrap_or_default();
    if first.is_ascii_digit() || first == b'+' || ["INF", "QNAN", "SNAN"].contains(&name) {
        return number(signs, text, rest);
    }
    if let Some((register, behind)) = Register::split(rest) {
        return register_operand(signs, register, behind).map_err(|found| ParseError {
            offset: found.offset + text.len() - behind.len(),
            ..found
        });
    }
    word(signs, text)
}

/// A name that is not a register.
fn word(signs: Signs, text: &str) -> Parsed<Operand> {
    let named = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$@".contains(&byte);
    let looks_like_register = |text: &str| {
        let digits = text.trim_start_matches(|first: char| first.is_ascii_uppercase());
        let letters = &text[..text.len() - digits.len()];
        ["R", "UR", "P", "UP", "B", "SB"].contains(&letters)
            && digits.starts_with(|first: char| first.is_ascii_digit())
    };
    if signs.length > 0 || !text.bytes().all(named) {
        return error(signs.length, format!("'{text}' is not an operand"));
    }
    if looks_like_register(text) {
        return error(0, format!("the register '{text}' does not exist"));
    }
    Ok(if text.starts_with("SR") {
        Operand::Special(text.into())
    } else {
        Operand::Other(text.into())
    })
}

fn scoreboards(text: &str) -> Parsed<Operand> {
    let bad = || ParseError {
        offset: 0,
        message: format!("'{text}' is not a set of scoreboards"),
    };
    let inner = text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    let mut numbers = Vec::new();
    for number in inner.ok_or_else(bad)?.split(',') {
        match number.as_bytes() {
            [digit @ b'0'..=b'5'] => numbers.push(digit - b'0'),
            _ => return Err(bad()),
        }
    }
    Ok(Operand::Scoreboards(numbers))
}

/// The magnitude of a hexadecimal number as nvdisasm writes it: without leading zeros.
fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    let plain = digits == "0" || !digits.starts_with('0');
    let lower = digits
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if plain && lower {
        u64::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

fn number(signs: Signs, text: &str, rest: &str) -> Parsed<Operand> {
    if rest.contains('@') {
        return Ok(Operand::Relocation(text.into()));
    }
    let bad = || error(0, format!("'{text}' is not a number"));
    if !signs.only_negate() {
        return bad();
    }
    if rest.starts_with("0x") {
        return match hexadecimal(rest) {
            Some(magnitude) => Ok(Operand::Immediate(Immediate::Integer {
                negative: signs.negate,
                magnitude,
            })),
            None => bad(),
        };
    }
    let unsigned = rest.strip_prefix('+').unwrap_or(rest);
    let decimal = unsigned.starts_with(|first: char| first.is_ascii_digit())
        && unsigned.parse::<f64>().is_ok();
    let (name, bits) = unsigned.split_once(':').unwrap_or((unsigned, "0x0"));
    let is_nan = ["QNAN", "SNAN"].contains(&name)
        && bits
            .strip_prefix("0x")
            .is_some_and(|digits| u32::from_str_radix(digits, 16).is_ok());
    if decimal || unsigned == "INF" || is_nan {
        return Ok(Operand::Immediate(Immediate::Float(text.into())));
    }
    bad()
}

/// A selector after a dot: `.F32x2.HI_LO` is `F32x2.HI_LO`.
fn selector(text: &str) -> Parsed<Box<str>> {
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || b"._".contains(&byte);
    match text.strip_prefix('.') {
        None if text.is_empty() => Ok(Box::default()),
        Some(rest) if !rest.is_empty() && !rest.ends_with('.') && rest.bytes().all(belongs) => {
            Ok(rest.into())
        }
        _ => error(0, format!("'{text}' is not an operand selector")),
    }
}

fn register_operand(signs: Signs, register: Register, behind: &str) -> Parsed<Operand> {
    let mut behind = behind;
    if let Some(target) = behind.strip_prefix(' ') {
        if signs.length > 0 {
            return error(0, "a target register cannot have a sign");
        }
        let target = Box::new(parse_operand(target)?);
        return Ok(Operand::Relative { register, target });
    }
    // The second bar may be before or after the selector.
    if signs.absolute {
        match behind.strip_prefix('|') {
            Some(rest) => behind = rest,
            None => return error(0, "expected '|' after the register"),
        }
    }
    let reuse = behind
        .strip_prefix(".reuse")
        .filter(|rest| rest.is_empty() || rest.starts_with('.'));
    Ok(Operand::Register(RegisterOperand {
        register,
        negate: signs.negate,
        absolute: signs.absolute,
        invert: signs.invert,
        not: signs.not,
        reuse: reuse.is_some(),
        selector: selector(reuse.unwrap_or(behind))?,
    }))
}

/// The text between the brackets at the start of `text`, and the text after them.
fn brackets(text: &str) -> Parsed<(&str, &str)> {
    let inner = text.strip_prefix('[');
    match inner.and_then(|inner| inner.split_once(']')) {
        Some(parts) => Ok(parts),
        None => error(0, format!("expected '[…]', found '{text}'")),
    }
}

fn address(text: &str) -> Parsed<Address> {
    let mut address = Address::default();
    for part in text.split('+') {
        let (negative, digits) = match part.strip_prefix('-') {
            Some(digits) => (true, digits),
            _ => (false, part),
        };
        if let Some(magnitude) = hexadecimal(digits) {
            let value = i64::try_from(magnitude)
                .ok()
                .filter(|_| address.offset.is_none());
            let Some(value) = value else {
                return error(0, format!("'{text}' is not an address"));
            };
            address.offset = Some(if negative { -value } else { value });
            continue;
        }
        match Register::split(part) {
            Some((register, behind)) if address.offset.is_none() => {
                address.registers.push(AddressRegister {
                    register,
                    selector: selector(behind)?,
                });
            }
            _ => return error(0, format!("'{part}' is not part of an address")),
        }
    }
    Ok(address)
}

fn memory(text: &str) -> Parsed<Operand> {
    let (mut rest, mut descriptor) = (text, None);
    let split = text.strip_prefix("desc").map(brackets).transpose()?;
    if let Some((name, behind)) = split.filter(|(_, behind)| behind.starts_with(['[', 'g', 't'])) {
        descriptor = Register::from_name(name);
        if descriptor.is_none() {
            return error(0, format!("'{name}' is not a register"));
        }
        rest = behind;
    }
    let spaces = [
        AddressSpace::MatrixDescriptor,
        AddressSpace::InstructionDescriptor,
        AddressSpace::Tensor,
        AddressSpace::Descriptor,
    ];
    let space = spaces
        .into_iter()
        .find(|space| rest.starts_with(space.keyword()))
        .unwrap_or(AddressSpace::Plain);
    let (inner, behind) = brackets(&rest[space.keyword().len()..])?;
    Ok(Operand::Memory(MemoryOperand {
        space,
        descriptor,
        hidden_descriptor: None,
        address: address(inner)?,
        selector: selector(behind)?,
    }))
}

fn constant(signs: Signs, text: &str) -> Parsed<Operand> {
    if signs.not {
        return error(0, "a constant cannot have '!'");
    }
    let bindless = text.strip_prefix("cx");
    let (bank, rest) = brackets(bindless.unwrap_or(&text[1..]))?;
    let known = if bindless.is_some() {
        Register::from_name(bank).map(ConstantBank::Bindless)
    } else {
        hexadecimal(bank).map(ConstantBank::Number)
    };
    let Some(known) = known else {
        return error(0, format!("'{bank}' is not a constant bank"));
    };
    // nvdisasm separates the brackets by a blank if the value is a half.
    let (inner, mut behind) = brackets(rest.trim_start())?;
    if signs.absolute {
        match behind.strip_prefix('|') {
            Some(rest) => behind = rest,
            None => return error(0, "expected '|' after the constant"),
        }
    }
    Ok(Operand::Constant(ConstantOperand {
        negate: signs.negate,
        absolute: signs.absolute,
        invert: signs.invert,
        bank: known,
        address: address(inner)?,
        selector: selector(behind)?,
    }))
}
