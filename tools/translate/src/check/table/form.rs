//! The notation of the table: one form of an instruction per line.
//!
//! ```text
//! (.rn .rz)? .ftz? T=.f32 -> =T T T
//! T=(.u32 .u16x2@90/8.0) .L2::cache_hint? -> =T [] b64?.L2::cache_hint @100a
//! ```
//!
//! The left side lists the modifiers: a required one, a choice in parentheses, `?` after an
//! optional one. `T=` names a type. Types must come in this order, the rest in any. `@90/8.0`
//! requires `sm_90` and PTX 8.0: after a modifier for that modifier, at the end of the line for the
//! form. `90a` is this target alone, `100f` its family, and commas separate alternative targets.
//!
//! The right side lists the operands: a letter or types separated by `/`, prefixed by `=` for a
//! result, `%` for a non-immediate, `#` for an immediate, `~` for a register that may be wider, `&`
//! if a symbol address is permitted, `$` if a special register is, `!` for a predicate that may be
//! negated, `_` for a result that may be `_`. `#4/8` lists the permitted values of an immediate,
//! `<16` bounds one. `[…]` is an address with its space (that of the modifiers if absent) and its
//! other contents; `{T*4}` a vector, `{T*V}` one of the length given by `.v2` or a single register
//! without it, `{T*x2}` one of two for each repetition of `.x4`, `{T*n2}` one for every second
//! column of `.m64n16k8`; `a|b` a pair whose second half is optional. `label` and `targets` are
//! code labels, `part` is a part of a register, `*` is anything, `...` any number of operands, and
//! on the left any modifiers. `?` after an operand: it is optional; `?.x`: it is present exactly if
//! the modifier is.

use super::super::target::Need;
use super::super::types::Type;

/// One form of an instruction.
#[derive(Debug)]
pub(in crate::check) struct Form {
    /// The modifiers that are types, in order.
    pub types: Vec<Slot>,
    /// The other modifiers.
    pub slots: Vec<Slot>,
    /// The operands.
    pub operands: Vec<Pattern>,
    /// The requirements of the form.
    pub need: Option<Need>,
    /// Whether any modifiers are accepted: `...` on the left.
    pub is_open: bool,
}

/// A position of a modifier.
#[derive(Debug)]
pub(in crate::check) struct Slot {
    /// The letter that refers to it in the operands.
    pub letter: Option<char>,
    /// The modifiers, with their dots, and their requirements.
    pub choices: Vec<(String, Option<Need>)>,
    /// Whether it is optional.
    pub is_optional: bool,
}

/// When an operand is present.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::check) enum Presence {
    /// Always.
    Always,
    /// It is optional.
    Optional,
    /// If one of the modifiers is present.
    With(String),
}

/// Permitted operands besides a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::check) struct Role {
    /// It is written.
    pub is_result: bool,
    /// Not an immediate.
    pub is_register: bool,
    /// An immediate.
    pub is_immediate: bool,
    /// A wider register is permitted.
    pub is_wide: bool,
    /// A symbol address is permitted.
    pub takes_symbols: bool,
    /// A special register is permitted.
    pub takes_special: bool,
    /// `!` is permitted.
    pub takes_negation: bool,
    /// `_` is permitted.
    pub takes_discard: bool,
}

/// The type of an operand.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::check) enum Wanted {
    /// That of a slot.
    Letter(char),
    /// One of these.
    Types(Vec<Type>),
}

/// The number of elements of a vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::check) enum Count {
    /// One of these.
    Numbers(Vec<usize>),
    /// The number in `.v2`, `.v4` or `.v8`; a single register without.
    Modifier,
    /// This many for each repetition given by `.x4`.
    Repeated(usize),
    /// One for this many columns given by `.m64n16k8`.
    Columns(usize),
}

/// The syntax of an operand.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::check) enum Shape {
    /// A register or number, and a bound of the number.
    Scalar(Wanted, Option<u64>),
    /// One of these numbers.
    Numbers(Vec<i64>),
    /// An address: space, and the operands after the first comma.
    Address(Option<&'static str>, Vec<Pattern>),
    /// A vector.
    Vector(Box<Pattern>, Count),
    /// `p|q`.
    Pair(Box<Pattern>, Box<Pattern>),
    /// A register of 32 bits or a part of one, `%r.b0`, or a number.
    Part,
    /// A label of code.
    Label,
    /// A list of branch targets.
    Targets,
    /// Anything.
    Any,
    /// Any number of operands.
    Rest,
}

/// An operand.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::check) struct Pattern {
    /// Permitted operands.
    pub role: Role,
    /// Its syntax.
    pub shape: Shape,
    /// When it is present.
    pub presence: Presence,
}

/// The state spaces that an address in the table may name.
const SPACES: [&str; 8] = [
    "shared", "global", "const", "local", "param", "tensor", "generic", "any",
];

impl Form {
    /// Reads a form.
    ///
    /// # Errors
    /// The error in the notation.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (left, right) = text.split_once("->").ok_or("no '->'")?;
        let mut form = Form {
            types: Vec::new(),
            slots: Vec::new(),
            operands: Vec::new(),
            need: None,
            is_open: left.trim() == "...",
        };
        let mut rest = if form.is_open { "" } else { left.trim() };
        while !rest.is_empty() {
            let end = match rest.find([' ', '(']) {
                Some(at) if rest[at..].starts_with('(') => {
                    let close = rest.find(')').ok_or("unclosed '('")?;
                    close + rest[close..].find(' ').unwrap_or(rest.len() - close)
                }
                Some(at) => at,
                None => rest.len(),
            };
            let slot = Slot::parse(&rest[..end])?;
            let is_type = |(name, _): &(String, _)| Type::named(name).is_some();
            if slot.choices.iter().all(is_type) {
                form.types.push(slot);
            } else {
                form.slots.push(slot);
            }
            rest = rest[end..].trim_start();
        }
        for word in right.split_whitespace() {
            match word.strip_prefix('@') {
                Some(need) => form.need = Some(Need::parse(need)?),
                None => form.operands.push(Pattern::parse(word)?),
            }
        }
        Ok(form)
    }
}

impl Slot {
    fn parse(text: &str) -> Result<Self, String> {
        let (text, is_optional) = match text.strip_suffix('?') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (letter, text) = match text.split_once('=') {
            Some((letter, text)) => (letter.chars().next(), text),
            None => (None, text),
        };
        let mut choices = Vec::new();
        for choice in text.trim_matches(['(', ')']).split_whitespace() {
            if !choice.starts_with('.') {
                return Err(format!("'{choice}' is not a modifier"));
            }
            choices.push(match choice.split_once('@') {
                Some((name, need)) => (name.to_owned(), Some(Need::parse(need)?)),
                None => (choice.to_owned(), None),
            });
        }
        Ok(Slot {
            letter,
            choices,
            is_optional,
        })
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, String> {
        let (text, presence) = match text.rsplit_once('?') {
            Some((text, "")) => (text, Presence::Optional),
            Some((text, modifier)) => (text, Presence::With(modifier.to_owned())),
            None => (text, Presence::Always),
        };
        let mut role = Role::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let flag = match first {
                '=' => &mut role.is_result,
                '%' => &mut role.is_register,
                '#' => &mut role.is_immediate,
                '~' => &mut role.is_wide,
                '&' => &mut role.takes_symbols,
                '$' => &mut role.takes_special,
                '!' => &mut role.takes_negation,
                '_' => &mut role.takes_discard,
                _ => break,
            };
            *flag = true;
            rest = &rest[1..];
        }
        let shape = Shape::parse(rest, role)?;
        Ok(Pattern {
            role,
            shape,
            presence,
        })
    }
}

impl Count {
    fn parse(text: &str) -> Result<Self, String> {
        let number = |digits: &str| {
            digits
                .parse()
                .map_err(|_| format!("'{text}' is not a count"))
        };
        match text.split_at_checked(1) {
            Some(("V", "")) => Ok(Count::Modifier),
            Some(("x", digits)) => Ok(Count::Repeated(number(digits)?)),
            Some(("n", digits)) => Ok(Count::Columns(number(digits)?)),
            _ => Ok(Count::Numbers(
                text.split('/').map(number).collect::<Result<_, _>>()?,
            )),
        }
    }
}

impl Shape {
    /// The contents of the brackets of an address.
    fn address(inner: &str) -> Result<Self, String> {
        let (space, rest) = inner.split_once(',').unwrap_or((inner, ""));
        let space = match space {
            "" => None,
            space => Some(
                *SPACES
                    .iter()
                    .find(|known| **known == space)
                    .ok_or_else(|| format!("unknown space '{space}'"))?,
            ),
        };
        let items = rest.split(',').filter(|item| !item.is_empty());
        let items: Result<_, _> = items.map(Pattern::parse).collect();
        Ok(Shape::Address(space, items?))
    }

    fn parse(text: &str, role: Role) -> Result<Self, String> {
        match text {
            "part" => return Ok(Shape::Part),
            "label" => return Ok(Shape::Label),
            "targets" => return Ok(Shape::Targets),
            "*" => return Ok(Shape::Any),
            "..." => return Ok(Shape::Rest),
            _ => {}
        }
        if let Some(inner) = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            return Shape::address(inner);
        }
        if let Some(inner) = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
        {
            let (element, count) = inner.rsplit_once('*').ok_or("a vector without '*'")?;
            let mut element = Pattern::parse(element)?;
            element.role.is_result |= role.is_result;
            element.role.is_register |= role.is_register;
            element.role.is_wide |= role.is_wide;
            let count = Count::parse(count)?;
            return Ok(Shape::Vector(Box::new(element), count));
        }
        if let Some((first, second)) = text.split_once('|') {
            let mut first = Pattern::parse(first)?;
            first.role = role;
            let mut second = Pattern::parse(second)?;
            second.role.is_result = role.is_result;
            return Ok(Shape::Pair(Box::new(first), Box::new(second)));
        }
        let (text, bound) = match text.split_once('<') {
            Some((text, bound)) => (text, Some(bound.parse().map_err(|_| "no bound")?)),
            None => (text, None),
        };
        if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            let numbers: Result<_, _> = text.split('/').map(str::parse).collect();
            return Ok(Shape::Numbers(
                numbers.map_err(|_| format!("'{text}' is not a number"))?,
            ));
        }
        let mut letters = text.chars();
        if let (Some(letter @ 'A'..='Z'), None) = (letters.next(), letters.next()) {
            return Ok(Shape::Scalar(Wanted::Letter(letter), bound));
        }
        let types = text.split('/').map(|name| {
            let found = Type::named(name);
            found.ok_or_else(|| format!("'{name}' is not a type"))
        });
        let types: Result<_, _> = types.collect();
        Ok(Shape::Scalar(Wanted::Types(types?), bound))
    }
}
