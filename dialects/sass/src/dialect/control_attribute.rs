//! `#sass.ctrl<stall = 4, yield, wr = 0, rd = 1, wait = [0, 2], reuse = [a]>`.

use orison_ir::declare::{AttributeDefinition, ParameterDefinition};
use orison_ir::parser::{ParseError, ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Parameter, Parameterized, Type};

use crate::control::{Barrier, BarrierSet, ControlLayout, ControlWord, Inline21, ReuseSet, Stall};

/// The attribute.
pub static CONTROL_ATTRIBUTE: AttributeDefinition = AttributeDefinition::parameterized::<ControlWord>(
    "sass.ctrl",
    "The control word of an instruction.\n\
         \n\
         `#sass.ctrl<stall = 4, yield, wr = 0, rd = 1, wait = [0, 2], reuse = [a]>`: cycles until \
         the next instruction of the warp may issue (0 to 15), whether the scheduler should \
         switch to another warp, the scoreboards set for the results and for the sources, the \
         scoreboards that must be clear before issue, the source slots whose registers stay in \
         the operand cache. Only `stall` is required.",
    &[ParameterDefinition {
        name: "word",
        documentation: "the 21 bits in the layout of sm_70 and later",
    }],
);

impl DialectValue for ControlWord {
    fn definition(&self) -> &'static AttributeDefinition {
        &CONTROL_ATTRIBUTE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        parse(parser)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        print(printer, self);
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        // The layout can represent every control word.
        let bits = Inline21.encode(self).unwrap_or_default();
        visit(Parameter::Integer(Type::I32, bits.into()));
    }
}

impl Parameterized for ControlWord {
    fn from_parameters(
        context: &Context,
        _: &'static AttributeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [bits] = parameters else { return None };
        let bits = u32::try_from(bits.as_i32(context)?).ok()?;
        Inline21.decode(bits).ok()
    }
}

/// Prints `<stall = 4, …>`.
pub(super) fn print(printer: &mut Printer<'_>, word: &ControlWord) {
    let mut text = format!("<stall = {}", word.stall.cycles());
    if word.yields {
        text += ", yield";
    }
    for (key, barrier) in [("wr", word.write_barrier), ("rd", word.read_barrier)] {
        if let Some(barrier) = barrier {
            text += &format!(", {key} = {}", barrier.index());
        }
    }
    let list = |items: Vec<String>| items.join(", ");
    if !word.wait.is_empty() {
        let wait = word.wait.iter().map(|barrier| barrier.index().to_string());
        text += &format!(", wait = [{}]", list(wait.collect()));
    }
    if !word.reuse.is_empty() {
        let name = |slot: u8| ReuseSet::NAMES[usize::from(slot)].to_string();
        let reuse = word.reuse.iter().map(name);
        text += &format!(", reuse = [{}]", list(reuse.collect()));
    }
    printer.write(&text);
    printer.write(">");
}

/// Parses `<stall = 4, …>`; the keys must be in this order.
pub(super) fn parse(parser: &mut Parser<'_>) -> ParseResult<ControlWord> {
    let mut word = ControlWord::default();
    parser.expect(TokenKind::Less, "expected '<'")?;
    parser.expect_keyword("stall")?;
    word.stall = number(parser, "a stall of 0 to 15 cycles", Stall::new)?;
    let mut last = 0;
    while parser.eat(TokenKind::Comma)? {
        let known = ["yield", "wr", "rd", "wait", "reuse"];
        let place = known.iter().position(|key| parser.at_keyword(key));
        let Some(place) = place.filter(|place| *place + 1 > last) else {
            return Err(wrong(
                parser,
                "expected 'yield', 'wr', 'rd', 'wait' or 'reuse', in this order",
            ));
        };
        last = place + 1;
        parser.advance()?;
        match known[place] {
            "yield" => word.yields = true,
            "wr" => {
                word.write_barrier = Some(number(parser, "a barrier from 0 to 5", Barrier::new)?);
            }
            "rd" => {
                word.read_barrier = Some(number(parser, "a barrier from 0 to 5", Barrier::new)?);
            }
            "wait" => word.wait = parse_wait(parser)?,
            _ => word.reuse = parse_reuse(parser)?,
        }
    }
    parser.expect(TokenKind::Greater, "expected ',' or '>'")?;
    Ok(word)
}

fn wrong(parser: &mut Parser<'_>, message: &str) -> ParseError {
    parser.wrong_token(message)
}

/// Parses `= 4`.
fn number<T>(parser: &mut Parser<'_>, what: &str, make: fn(u8) -> Option<T>) -> ParseResult<T> {
    parser.expect(TokenKind::Equal, "expected '='")?;
    plain_number(parser, what, make)
}

fn plain_number<T>(
    parser: &mut Parser<'_>,
    what: &str,
    make: fn(u8) -> Option<T>,
) -> ParseResult<T> {
    let place = parser.token();
    let message = format!("expected {what}");
    let value = parser.parse_integer(&message)?;
    match u8::try_from(value).ok().and_then(make) {
        Some(value) => Ok(value),
        None => Err(parser.error_at(place, &message)),
    }
}

fn parse_wait(parser: &mut Parser<'_>) -> ParseResult<BarrierSet> {
    let mut set = BarrierSet::EMPTY;
    parser.expect(TokenKind::Equal, "expected '='")?;
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    parser.comma_list_until(TokenKind::RightSquare, "expected ',' or ']'", |parser| {
        set.insert(plain_number(parser, "a barrier from 0 to 5", Barrier::new)?);
        Ok(())
    })?;
    Ok(set)
}

fn parse_reuse(parser: &mut Parser<'_>) -> ParseResult<ReuseSet> {
    let mut mask = 0;
    parser.expect(TokenKind::Equal, "expected '='")?;
    parser.expect(TokenKind::LeftSquare, "expected '['")?;
    parser.comma_list_until(TokenKind::RightSquare, "expected ',' or ']'", |parser| {
        let slot = ReuseSet::NAMES
            .iter()
            .position(|name| parser.at_keyword(&name.to_string()));
        let Some(slot) = slot else {
            return Err(wrong(parser, "expected a slot: 'a', 'b', 'c' or 'd'"));
        };
        mask |= 1 << slot;
        parser.advance()?;
        Ok(())
    })?;
    Ok(ReuseSet::from_mask(mask).unwrap_or_default())
}
