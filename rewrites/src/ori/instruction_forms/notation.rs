//! The notation of the forms, which `README.md` describes.

use orison_sass::instruction::{Operand, parse_operand};

/// A way to write an operation as instructions.
#[derive(Debug)]
pub struct Form {
    /// What must hold for it.
    pub conditions: Vec<Condition>,
    /// The instructions, in order; none for an operation that only orders others.
    pub instructions: Vec<Template>,
}

/// A condition of a form.
#[derive(Debug)]
pub enum Condition {
    /// The first machine.
    Since(u16),
    /// The first machine that does not have it.
    Until(u16),
    /// A modifier, a group of operands, or of results in use, is there, or is not.
    Present(Name, bool),
    /// A keyword is one of some.
    Keyword(Box<str>, Vec<Box<str>>),
    /// A property of an operand.
    Operand(Box<str>, Test),
}

/// A property of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// It is a uniform register.
    Uniform,
    /// It is in a constant bank.
    ConstantBank,
    /// It is the number zero.
    Zero,
    /// It is the number one.
    One,
    /// It is a number that is a power of two.
    Power,
    /// It is negated.
    Negated,
    /// It has 64 bits.
    Wide,
}

/// A member of a group of operands or results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The group.
    pub group: Box<str>,
    /// The index in the group.
    pub index: usize,
}

/// An instruction.
#[derive(Debug)]
pub struct Template {
    /// The mnemonic.
    pub mnemonic: Vec<Piece>,
    /// The operands, in the order of the text.
    pub operands: Vec<Slot>,
}

/// A part of a mnemonic.
#[derive(Debug)]
pub enum Piece {
    /// Text.
    Text(Box<str>),
    /// A keyword of the operation.
    Word {
        /// The attribute.
        key: Box<str>,
        /// The list of spellings; none if each word is spelled by its capitals.
        list: Option<Box<str>>,
        /// What is written if the attribute is absent.
        absent: Box<str>,
    },
    /// A unit attribute of the operation.
    Flag {
        /// The attribute.
        key: Box<str>,
        /// What is written if it is there.
        set: Box<str>,
        /// What is written if it is not.
        unset: Box<str>,
    },
}

/// An operand of an instruction.
#[derive(Debug)]
pub enum Slot {
    /// An operand or a result of the operation.
    Value(ValueSlot),
    /// A number in an attribute.
    Number(Box<str>),
    /// The special register in an attribute.
    Special(Box<str>),
    /// The operand that stands for a keyword.
    Word(Box<str>),
    /// An address.
    Address(AddressForm),
    /// The same for all operations.
    Literal(Operand),
}

/// An operand or a result of an operation, as an operand of the instruction.
#[derive(Debug)]
pub struct ValueSlot {
    /// Which.
    pub name: Name,
    /// The distance from its first register.
    pub step: u8,
    /// What is written if there is none.
    pub absent: Absent,
    /// What follows the register.
    pub selector: Selector,
    /// What it may be.
    pub kinds: Kinds,
}

/// What is written for an operand that the operation has not.
#[derive(Debug)]
pub enum Absent {
    /// The operation always has it.
    Never,
    /// Nothing.
    Omitted,
    /// The same for all operations.
    Literal(Operand),
}

/// What follows a register.
#[derive(Debug)]
pub enum Selector {
    /// Which half it is, for the modifiers `h0_h0` and `h1_h1`: `.H0_H0`, `.H1_H1`.
    Halves,
    /// The same for an operand of which one half is read: nothing, `.H1`.
    Half,
    /// A text.
    Text(Box<str>),
}

/// What an operand of an instruction may be, besides a register of the file of the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Kinds {
    /// A uniform register, of an instruction of each thread.
    pub uniform: bool,
    /// A number.
    pub immediate: bool,
    /// A value in a constant bank.
    pub constant: bool,
    /// At most one of the operands with this property is not a register of the file.
    pub exclusive: bool,
    /// A number is written with its sign.
    pub signed: bool,
}

/// A form of addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AddressForm {
    /// `[R2+UR4+0x10]`.
    Plain,
    /// The same where a register of the thread is followed by a uniform one, `[R2+URZ]`.
    WithUniform,
    /// `desc[UR4][R2.64+0x10]`.
    Global,
    /// The same without descriptor, `[R2+0x10]`.
    Wide,
    /// `[R2.64+URZ+0x10]`.
    WideUniform,
    /// The address in shared memory of an asynchronous copy.
    Shared,
    /// `c[0x0][R2+0x10]`.
    Bank,
    /// `[R2.64]`, whose registers are two operands.
    Pair,
    /// `[UR4]`, `tmem[UR4]`, `gdesc[UR4]`: an operand.
    Operand {
        /// The operand.
        name: Box<str>,
        /// The keyword before the brackets.
        space: Box<str>,
    },
}

type Parsed<T> = Result<T, String>;

impl Form {
    /// Parses `conditions: INSTRUCTION ; INSTRUCTION`.
    pub fn parse(text: &str) -> Parsed<Form> {
        let (conditions, code) = match text.split_once(": ") {
            Some((conditions, code)) => (conditions, code),
            None => ("", text),
        };
        let conditions = conditions.split_whitespace().map(Condition::parse);
        let code = code.split(" ; ").filter(|code| !code.is_empty());
        Ok(Form {
            conditions: conditions.collect::<Parsed<_>>()?,
            instructions: code.map(Template::parse).collect::<Parsed<_>>()?,
        })
    }
}

impl Condition {
    fn parse(text: &str) -> Parsed<Condition> {
        let machine = |digits: &str| digits.parse().map_err(|_| format!("machine '{digits}'"));
        if let Some(digits) = text.strip_prefix("sm>=") {
            return machine(digits).map(Condition::Since);
        }
        if let Some(digits) = text.strip_prefix("sm<") {
            return machine(digits).map(Condition::Until);
        }
        if let Some((key, words)) = text.split_once('=') {
            let words = words.split('|').map(Into::into).collect();
            return Ok(Condition::Keyword(key.into(), words));
        }
        if let Some((name, test)) = text.split_once(':') {
            return Ok(Condition::Operand(name.into(), Test::parse(test)?));
        }
        match text.strip_prefix('!') {
            Some(name) => Ok(Condition::Present(Name::parse(name)?, false)),
            None => Ok(Condition::Present(Name::parse(text)?, true)),
        }
    }
}

impl Test {
    fn parse(text: &str) -> Parsed<Test> {
        Ok(match text {
            "u" => Test::Uniform,
            "cbank" => Test::ConstantBank,
            "zero" => Test::Zero,
            "one" => Test::One,
            "power" => Test::Power,
            "neg" => Test::Negated,
            "wide" => Test::Wide,
            _ => return Err(format!("test '{text}'")),
        })
    }
}

impl Name {
    fn parse(text: &str) -> Parsed<Name> {
        let (group, index) = text.split_once('.').unwrap_or((text, "0"));
        let index = index.parse().map_err(|_| format!("index in '{text}'"))?;
        let group = group.into();
        Ok(Name { group, index })
    }
}

impl Template {
    fn parse(text: &str) -> Parsed<Template> {
        let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
        let operands = operands.split(", ").filter(|operand| !operand.is_empty());
        Ok(Template {
            mnemonic: pieces(mnemonic)?,
            operands: operands.map(Slot::parse).collect::<Parsed<_>>()?,
        })
    }
}

/// The parts of `IADD3{extended?X}.WIDE`.
fn pieces(mut text: &str) -> Parsed<Vec<Piece>> {
    let mut pieces = Vec::new();
    while let Some((before, rest)) = text.split_once('{') {
        let (inner, after) = rest.split_once('}').ok_or("'{' without '}'")?;
        if !before.is_empty() {
            pieces.push(Piece::Text(before.into()));
        }
        pieces.push(piece(inner));
        text = after;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text.into()));
    }
    Ok(pieces)
}

/// `key`, `key!`, `key@list`, `key|ABSENT`, `key?SET|UNSET`.
fn piece(text: &str) -> Piece {
    if let Some((key, words)) = text.split_once('?') {
        let (set, unset) = words.split_once('|').unwrap_or((words, ""));
        return Piece::Flag {
            key: key.into(),
            set: set.into(),
            unset: unset.into(),
        };
    }
    let (text, absent) = text.split_once('|').unwrap_or((text, ""));
    let (key, list) = match (text.strip_suffix('!'), text.split_once('@')) {
        (Some(key), _) => (key, None),
        (None, Some((key, list))) => (key, Some(list)),
        (None, None) => (text, Some(text)),
    };
    Piece::Word {
        key: key.into(),
        list: list.map(Into::into),
        absent: absent.into(),
    }
}

impl Slot {
    fn parse(text: &str) -> Parsed<Slot> {
        let rest = text.get(1..).unwrap_or_default();
        let within = |close: char| rest.strip_suffix(close).ok_or(format!("operand '{text}'"));
        match text.chars().next() {
            Some('#') => Ok(Slot::Number(rest.into())),
            Some('$') => Ok(Slot::Special(rest.into())),
            Some('<') => within('>').map(|key| Slot::Word(key.into())),
            Some('[') => within(']').map(|form| Slot::Address(AddressForm::parse(form))),
            Some('\'') => literal(within('\'')?).map(Slot::Literal),
            Some(first) if first.is_ascii_lowercase() => ValueSlot::parse(text).map(Slot::Value),
            _ => literal(text).map(Slot::Literal),
        }
    }
}

fn literal(text: &str) -> Parsed<Operand> {
    parse_operand(text).map_err(|_| format!("operand '{text}'"))
}

impl ValueSlot {
    /// `name.index+step@selector:kinds?`, or with `=LITERAL` at the end.
    fn parse(text: &str) -> Parsed<ValueSlot> {
        let (text, absent) = match (text.split_once('='), text.strip_suffix('?')) {
            (Some((text, other)), _) => (text, Absent::Literal(literal(other)?)),
            (None, Some(text)) => (text, Absent::Omitted),
            (None, None) => (text, Absent::Never),
        };
        let (text, kinds) = match text.split_once(':') {
            Some((text, letters)) => (text, Kinds::parse(letters)?),
            None => (text, Kinds::default()),
        };
        let (text, selector) = match text.split_once('@') {
            Some((text, "half")) => (text, Selector::Half),
            Some((text, selector)) => (text, Selector::Text(selector.into())),
            None => (text, Selector::Halves),
        };
        let (name, step) = text.split_once('+').unwrap_or((text, "0"));
        Ok(ValueSlot {
            name: Name::parse(name)?,
            step: step.parse().map_err(|_| format!("step '{step}'"))?,
            absent,
            selector,
            kinds,
        })
    }
}

impl Kinds {
    fn parse(letters: &str) -> Parsed<Kinds> {
        let mut kinds = Kinds::default();
        for letter in letters.chars() {
            match letter.to_ascii_lowercase() {
                'u' => kinds.uniform = true,
                'i' => kinds.immediate = true,
                'c' => kinds.constant = true,
                '-' => kinds.signed = true,
                _ => return Err(format!("kind '{letter}'")),
            }
            kinds.exclusive |= letter.is_ascii_uppercase();
        }
        Ok(kinds)
    }
}

impl AddressForm {
    fn parse(text: &str) -> AddressForm {
        match text {
            "plain" => AddressForm::Plain,
            "with_uniform" => AddressForm::WithUniform,
            "global" => AddressForm::Global,
            "wide" => AddressForm::Wide,
            "uniform" => AddressForm::WideUniform,
            "shared" => AddressForm::Shared,
            "bank" => AddressForm::Bank,
            "pair" => AddressForm::Pair,
            _ => {
                let (name, space) = text.split_once('@').unwrap_or((text, ""));
                AddressForm::Operand {
                    name: name.into(),
                    space: space.into(),
                }
            }
        }
    }
}
