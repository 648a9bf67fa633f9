//! `#sass.instruction<"@P0 BRX R6 -0x170" targets [".L_x_1"]>`, and
//! `#sass.encoding<"0x000fe400078e00ff00000a00ff017624" imported "1c2d3e4f">`.
//!
//! The custom form of an operation has the same text, without the names.

use orison_ir::declare::{AttributeConstraint, AttributeDefinition, AttributeForm};
use orison_ir::parser::{ParseResult, Parser, Token, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue};

use crate::effects;
use crate::encoding::Encoding;
use crate::instruction::{self, Code, Instruction, is_remark};
use crate::scheduled::Imported;

/// The attribute of an instruction.
pub static INSTRUCTION_ATTRIBUTE: AttributeDefinition = AttributeDefinition::typed::<Instruction>(
    "sass.instruction",
    "What an instruction does: guard, mnemonic, operands.\n\
     \n\
     `#sass.instruction<\"@!P2 LDG.E R10, [R2.64]\" descriptor \"UR4\">`: the text of nvdisasm, then \
     the labels a `BRX` may branch to (`targets [\".L_x_1\"]`), the remark of nvdisasm (`remark \
     \"SpillRefill\"`) and the first of the two uniform registers of a descriptor that the text \
     omits (sm_80). After `opaque`, what follows the mnemonic is not parsed, and the effects are unknown.",
);

/// The attribute of the bits from which an instruction was imported.
pub static ENCODING_ATTRIBUTE: AttributeDefinition = AttributeDefinition::typed::<Imported>(
    "sass.encoding",
    "The 128 bits from which an instruction was imported.\n\
     \n\
     `#sass.encoding<\"0x000fe400078e00ff00000a00ff017624\" imported \"1c2d3e4f\">`: `0x` and 32 \
     digits, then a fingerprint of the text from which it was imported, 8 digits: the bits are \
     valid for no other text. Their control bits may be older than `control`.",
);

/// An attribute form whose values are borrowed.
macro_rules! borrowed_form {
    ($(#[$doc:meta])* $name:ident, $summary:literal, $value:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl AttributeForm for $name {
            type Value<'c> = &'c $value;
            const CONSTRAINT: &'static AttributeConstraint =
                &AttributeConstraint::new($summary, |context, attribute| {
                    attribute.downcast::<$value>(context).is_some()
                })
                .strict();

            fn read(context: &Context, attribute: Attribute) -> Option<&$value> {
                attribute.downcast(context)
            }

            fn write(context: &mut Context, value: &$value) -> Attribute {
                Attribute::typed(context, value.clone())
            }
        }
    };
}

borrowed_form!(
    /// `#sass.instruction<…>`.
    InstructionAttr,
    "instruction",
    Instruction
);
borrowed_form!(
    /// `#sass.encoding<…>`.
    EncodingAttr,
    "encoding",
    Imported
);

impl DialectValue for Instruction {
    fn definition(&self) -> &'static AttributeDefinition {
        &INSTRUCTION_ATTRIBUTE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<'")?;
        let mut found = parse_code(parser)?;
        parse_comments(parser, &mut found)?;
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(found)
    }

    fn verify(&self, _: &Context) -> Result<(), String> {
        effects::misaligned(self).map_or(Ok(()), Err)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        print_code(printer, self);
        print_comments(printer, self);
        printer.write(">");
    }
}

impl DialectValue for Imported {
    fn definition(&self) -> &'static AttributeDefinition {
        &ENCODING_ATTRIBUTE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<'")?;
        let found = parse_imported(parser)?;
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(found)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        print_imported(printer, self);
        printer.write(">");
    }
}

/// Parses `"@!P2 LDG.E R10, …"`, or `opaque "…"`.
pub(super) fn parse_code(parser: &mut Parser<'_>) -> ParseResult<Instruction> {
    let opaque = parser.eat_keyword("opaque")?;
    let place = parser.token();
    let text = parser.parse_string()?;
    if opaque {
        return match text.contains([';', '\n']) {
            false => Ok(Instruction::opaque(&text)),
            true => Err(parser.error_at(place, "expected a line of text without ';'")),
        };
    }
    instruction::parse(&text)
        .map_err(|error| parser.error_at(inside(place, &text, error.offset), &error.message))
}

pub(super) fn print_code(printer: &mut Printer<'_>, found: &Instruction) {
    if found.is_opaque() {
        printer.write("opaque ");
    }
    printer.string(format!("{:#}", Code(found)).as_bytes());
}

/// The place at an offset of the text in a string; the string itself if it has escapes.
fn inside(string: Token, text: &str, offset: usize) -> Token {
    let plain = string.length as usize == text.len() + 2;
    match u32::try_from(offset + 1).ok().filter(|_| plain) {
        Some(offset) => Token {
            start: string.start + offset as usize,
            column: string.column + offset,
            length: 1,
            ..string
        },
        None => string,
    }
}

/// Parses `targets [".L_x_1"] remark "SpillRefill" descriptor "UR4"`, each optional.
pub(super) fn parse_comments(parser: &mut Parser<'_>, found: &mut Instruction) -> ParseResult<()> {
    if parser.eat_keyword("targets")? {
        parser.expect(TokenKind::LeftSquare, "expected '['")?;
        found.targets.clear();
        parser.comma_list_until(TokenKind::RightSquare, "expected ',' or ']'", |parser| {
            found.targets.push(parser.parse_string()?.into());
            Ok(())
        })?;
    }
    if parser.eat_keyword("remark")? {
        found.remark = Some(parse_checked(parser, |text| match is_remark(text) {
            true => Ok(text.into()),
            false => Err(format!("remark '{text}' is not one nvdisasm prints")),
        })?);
    }
    if parser.eat_keyword("descriptor")? {
        parse_checked(parser, |name| found.hide_descriptor(name))?;
    }
    Ok(())
}

pub(super) fn print_comments(printer: &mut Printer<'_>, found: &Instruction) {
    if !found.targets.is_empty() {
        printer.write(" targets [");
        printer.comma_separated(&found.targets, |printer, label| {
            printer.string(label.as_bytes());
        });
        printer.write("]");
    }
    let descriptor = found
        .hidden_descriptor()
        .map(|register| register.to_string());
    for (key, text) in [
        ("remark", found.remark.as_deref()),
        ("descriptor", descriptor.as_deref()),
    ] {
        if let Some(text) = text {
            printer.write(&format!(" {key} "));
            printer.string(text.as_bytes());
        }
    }
}

/// Parses `"0x000fe400078e00ff00000a00ff017624" imported "1c2d3e4f"`, the latter optional.
pub(super) fn parse_imported(parser: &mut Parser<'_>) -> ParseResult<Imported> {
    let encoding = parse_checked(parser, |text| {
        let bad = || format!("encoding '{text}' is not '0x' and 32 hexadecimal digits");
        let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 32);
        let (high, low) = digits
            .and_then(|digits| digits.split_at_checked(16))
            .ok_or_else(bad)?;
        Ok(Encoding {
            high: hexadecimal(high).ok_or_else(bad)?,
            low: hexadecimal(low).ok_or_else(bad)?,
        })
    })?;
    let mut imported = Imported {
        encoding,
        fingerprint: None,
    };
    if parser.eat_keyword("imported")? {
        imported.fingerprint = Some(parse_checked(parser, |text| {
            let bad = || format!("imported '{text}' is not 8 hexadecimal digits");
            let plain = text.len() == 8 && !text.bytes().any(|byte| byte.is_ascii_uppercase());
            let number = hexadecimal(text).filter(|_| plain);
            number
                .and_then(|number| u32::try_from(number).ok())
                .ok_or_else(bad)
        })?);
    }
    Ok(imported)
}

pub(super) fn print_imported(printer: &mut Printer<'_>, imported: &Imported) {
    let Encoding { low, high } = imported.encoding;
    printer.string(format!("0x{high:016x}{low:016x}").as_bytes());
    if let Some(fingerprint) = imported.fingerprint {
        printer.write(" imported ");
        printer.string(format!("{fingerprint:08x}").as_bytes());
    }
}

fn hexadecimal(digits: &str) -> Option<u64> {
    let known = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| known)
}

/// Parses a string; its error is at the string.
fn parse_checked<T>(
    parser: &mut Parser<'_>,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> ParseResult<T> {
    let place = parser.token();
    let text = parser.parse_string()?;
    read(&text).map_err(|message| parser.error_at(place, &message))
}
