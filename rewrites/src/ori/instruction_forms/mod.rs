//! How operations of `ori` are written as machine instructions: the mnemonic, the operands, what each
//! operand may be, by machine. `README.md` has the notation of the tables.
//!
//! Both ends of code generation read them: `ori-enforce-argument-restrictions` makes every operand one
//! that its instruction can have, and `convert-ori-to-sass` writes the instructions.

mod notation;
mod numbers;
#[cfg(test)]
mod tests;

use std::sync::{LazyLock, OnceLock};

use orison_ir::{Attribute, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::modifiers::{self, Modifier, ModifierSet};
use orison_ori::operations as ori;
use orison_sass::instruction::{Operand, parse_operand};
use rustc_hash::FxHashMap;

pub use numbers::NumberClass;

pub use notation::{
    Absent, AddressForm, Condition, Form, Kinds, Name, Piece, Selector, Slot, Template, Test,
    ValueSlot,
};

/// The tables, by file.
const FILES: [(&str, &str); 3] = [
    ("arithmetic.toml", include_str!("arithmetic.toml")),
    ("memory.toml", include_str!("memory.toml")),
    ("matrix.toml", include_str!("matrix.toml")),
];

/// The forms by operation, without its prefix.
static FORMS: LazyLock<FxHashMap<String, Forms>> =
    LazyLock::new(|| forms().expect("tests parse the tables"));

/// The spellings of keywords by list, and the operands that stand for keywords by attribute.
static WORDS: LazyLock<Words> = LazyLock::new(|| words().expect("tests parse the tables"));

#[derive(Default)]
struct Words {
    lists: FxHashMap<String, FxHashMap<String, String>>,
    operands: FxHashMap<String, FxHashMap<String, Operand>>,
}

/// The forms of an operation, read when they are first asked for: a program has few of all operations.
#[derive(Debug)]
struct Forms {
    texts: Vec<String>,
    read: OnceLock<Vec<Form>>,
}

impl Forms {
    fn parse(&self) -> Result<Vec<Form>, String> {
        let texts = self.texts.iter();
        let forms =
            texts.map(|text| Form::parse(text).map_err(|error| format!("{error} in '{text}'")));
        forms.collect()
    }

    fn get(&self) -> &[Form] {
        self.read
            .get_or_init(|| self.parse().expect("tests parse the tables"))
    }
}

fn forms() -> Result<FxHashMap<String, Forms>, String> {
    let mut all = FxHashMap::default();
    for (file, text) in FILES {
        let table: toml::Table =
            toml::from_str(text).map_err(|error| format!("{file}: {error}"))?;
        for (name, value) in table {
            let texts = match &value {
                toml::Value::Array(texts) => texts.iter().collect(),
                one => vec![one],
            };
            let texts = texts
                .into_iter()
                .map(|text| text.as_str().map(str::to_owned));
            let texts = texts.collect::<Option<Vec<_>>>();
            let forms = Forms {
                texts: texts.ok_or_else(|| format!("{file}: {name}: expected text"))?,
                read: OnceLock::new(),
            };
            if all.insert(name.clone(), forms).is_some() {
                return Err(format!("{file}: {name} is there twice"));
            }
        }
    }
    Ok(all)
}

fn words() -> Result<Words, String> {
    let table: toml::Table = toml::from_str(include_str!("words.toml"))
        .map_err(|error| format!("words.toml: {error}"))?;
    let mut words = Words::default();
    let texts = |table: &toml::Value| -> Option<FxHashMap<String, String>> {
        let entries = table.as_table()?.iter();
        let entries = entries.map(|(word, text)| Some((word.clone(), text.as_str()?.to_owned())));
        entries.collect()
    };
    for (list, value) in &table {
        if list != "operand" {
            let found = texts(value).ok_or(format!("words.toml: {list}"))?;
            words.lists.insert(list.clone(), found);
            continue;
        }
        for (key, value) in value.as_table().into_iter().flatten() {
            let found = texts(value).ok_or(format!("words.toml: operand.{key}"))?;
            let found = found.into_iter().map(|(word, text)| {
                let operand = parse_operand(&text).map_err(|_| format!("operand '{text}'"))?;
                Ok::<_, String>((word, operand))
            });
            words
                .operands
                .insert(key.clone(), found.collect::<Result<_, _>>()?);
        }
    }
    Ok(words)
}

/// The forms of an operation, in the order in which they are tried; empty if it has none.
pub fn of(context: &Context, op: Operation) -> &'static [Form] {
    let name = op.name_text(context).strip_prefix("ori.");
    let found = name.and_then(|name| FORMS.get(name));
    found.map_or(&[], Forms::get)
}

/// The form of an operation on a machine: the first one whose conditions hold.
pub fn select(context: &Context, op: Operation, machine: u16) -> Option<&'static Form> {
    let mut forms = of(context, op).iter();
    forms.find(|form| form.applies(context, op, machine))
}

/// What an operand is to an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A register.
    Register(Register),
    /// A number, sign-extended from the width of the register.
    Number(i64),
    /// A value in a constant bank.
    ConstantBank {
        /// The index of the bank.
        bank: i32,
        /// The offset in bytes.
        offset: i32,
    },
    /// No particular value.
    Undefined,
}

impl Source {
    /// What a value is.
    pub fn of(context: &Context, value: Value) -> Source {
        let register = Register::of(context, value.ty(context)).unwrap_or(Register::R);
        let Some(op) = value.defining_op(context) else {
            return Source::Register(register);
        };
        if let Some(number) = ori::Imm::of(context, op).and_then(|op| op.value(context)) {
            return Source::Number(number);
        }
        if let Some(constant) = ori::Cbank::of(context, op) {
            return Source::ConstantBank {
                bank: constant.bank(context).unwrap_or(0),
                offset: constant.offset(context).unwrap_or(0),
            };
        }
        if ori::Undef::of(context, op).is_some() {
            return Source::Undefined;
        }
        Source::Register(register)
    }
}

impl Form {
    fn applies(&self, context: &Context, op: Operation, machine: u16) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.all(|condition| condition.holds(context, op, machine))
    }
}

impl Condition {
    fn holds(&self, context: &Context, op: Operation, machine: u16) -> bool {
        match self {
            Condition::Since(first) => machine >= *first,
            Condition::Until(end) => machine < *end,
            Condition::Present(name, wanted) => name.is_present(context, op) == *wanted,
            Condition::Keyword(key, words) => {
                let found = keyword(context, op, key);
                words.iter().any(|word| found == Some(&**word))
            }
            Condition::Operand(name, test) => {
                let number = op.operand_range_named(context, name).next();
                number.is_some_and(|number| test.holds(context, op, number))
            }
        }
    }
}

impl Name {
    /// Whether the operation has the modifier, the operand, or the result, which is used.
    fn is_present(&self, context: &Context, op: Operation) -> bool {
        if op.attribute(context, &self.group).is_some() {
            return true;
        }
        let results = op.results_named(context, &self.group);
        let used = results
            .get(self.index)
            .is_some_and(|result| !result.is_unused(context));
        used || op.operand_range_named(context, &self.group).len() > self.index
    }
}

impl Test {
    fn holds(self, context: &Context, op: Operation, number: usize) -> bool {
        let value = op.operand(context, number);
        let set = modifiers::of_operand(context, op, number);
        let source = Source::of(context, value);
        let register = Register::of(context, value.ty(context));
        let number = match source {
            Source::Number(number) => Some(if set.contains(Modifier::Negate) {
                number.wrapping_neg()
            } else {
                number
            }),
            _ => None,
        };
        match self {
            Test::Uniform => {
                matches!(source, Source::Register(register) if register.is_uniform())
            }
            Test::ConstantBank => matches!(source, Source::ConstantBank { .. }),
            Test::Zero => number == Some(0),
            Test::One => number == Some(1),
            Test::Power => number.is_some_and(|number| {
                u32::try_from(number & 0xffff_ffff).is_ok_and(u32::is_power_of_two)
            }),
            Test::Negated => set != ModifierSet::NONE,
            Test::Wide => register.and_then(Register::words) == Some(2),
        }
    }
}

/// The keyword in an attribute; `true` and `false` of a boolean.
fn keyword(context: &Context, op: Operation, key: &str) -> Option<&'static str> {
    let value = op.attribute(context, key)?;
    if let Some(flag) = value.as_bool() {
        return Some(if flag { "true" } else { "false" });
    }
    let declared = op.definition(context)?.attribute(key)?;
    declared.constraint.keywords?.word(context, value)
}

/// The mnemonic of an instruction of a form.
pub fn mnemonic(context: &Context, op: Operation, template: &Template) -> String {
    let mut text = String::new();
    let mut add = |word: &str, dot: bool| {
        if !word.is_empty() {
            text.push_str(if dot { "." } else { "" });
            text.push_str(word);
        }
    };
    for piece in &template.mnemonic {
        match piece {
            Piece::Text(piece) => add(piece, false),
            Piece::Flag { key, set, unset } => {
                let found = op.attribute(context, key) == Some(Attribute::UNIT);
                add(if found { set } else { unset }, true);
            }
            Piece::Word { key, list, absent } => match keyword(context, op, key) {
                Some(word) => add(&spelling(list.as_deref(), word), true),
                None => add(absent, true),
            },
        }
    }
    text
}

/// How a keyword is spelled: in a list, or by its capitals.
fn spelling(list: Option<&str>, word: &str) -> String {
    let list = list.and_then(|list| WORDS.lists.get(list));
    let found = list.and_then(|list| list.get(word)).cloned();
    found.unwrap_or_else(|| word.to_ascii_uppercase())
}

/// The operand that stands for the keyword in an attribute.
pub fn operand_of_keyword(context: &Context, op: Operation, key: &str) -> Option<&'static Operand> {
    let word = keyword(context, op, key)?;
    WORDS.operands.get(key)?.get(word)
}
