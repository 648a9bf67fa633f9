//! Patterns as trees, and their textual syntax.
//!
//! ```text
//! pattern   := operation `=>` operand
//! operand   := modifier* ( `_` | number | `#`name | name | operation )
//! operation := `once`? name (`<` attribute (`,` attribute)* `>`)? `(` operands (`;` group)* `)`
//! group     := name `=` operand
//! attribute := key (`=` (number | `'`word`'` | name | `_`))?
//! ```
//!
//! A name denotes a value with its modifiers, the same value at each occurrence; `#name` a
//! constant; `_` anything. An attribute that is not written must be absent: one with a default has
//! to be written. `once` requires that the operation has no other use. Operations, attributes and
//! words must be those of declarations.

use super::{Modifiers, PatternDialect};
use crate::declare::{KeywordSet, OperationDefinition};

/// The pattern of an operand slot.
#[derive(Clone, Debug)]
pub struct OperandTree {
    /// The modifiers written before it.
    pub modifiers: Modifiers,
    /// The kind of operand.
    pub kind: OperandKind,
}

/// The kind of an operand pattern.
#[derive(Clone, Debug)]
pub enum OperandKind {
    /// `_`: anything; zero in a target.
    Anything,
    /// A number: the bits of a constant, sign-extended from 32 bits.
    Number(i64),
    /// `#name`: a constant.
    Constant(String),
    /// A value with its modifiers.
    Value(String),
    /// The result of an operation.
    Operation(OperationTree),
}

/// The pattern of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeTree {
    /// `_`: anything or absent.
    Anything,
    /// Only the key is written: the attribute is present, a unit attribute.
    Present,
    /// A number.
    Number(i32),
    /// `'word'`: the attribute's keywords, and the index of this one.
    Keyword(KeywordSet, usize),
    /// A name: bound to any value, including absence.
    Name(String),
}

/// An operation with one result.
#[derive(Clone, Debug)]
pub struct OperationTree {
    /// The declaration.
    pub definition: &'static OperationDefinition,
    /// Whether nothing else uses the result.
    pub once: bool,
    /// Attributes by key.
    pub attributes: Vec<(&'static str, AttributeTree)>,
    /// The operands of the leading groups, in order.
    pub operands: Vec<OperandTree>,
    /// Operands of groups that may be empty, by name.
    pub groups: Vec<(String, OperandTree)>,
}

/// A pattern: source and target.
#[derive(Clone, Debug)]
pub struct PatternTree {
    /// The operation that is replaced.
    pub source: OperationTree,
    /// The replacement.
    pub target: OperandTree,
}

/// Parses patterns.
struct Reader<'t> {
    dialect: &'static dyn PatternDialect,
    prefix: &'static str,
    text: &'t str,
    position: usize,
}

impl PatternTree {
    /// Parses a pattern; `prefix` is added to the names of operations.
    ///
    /// # Errors
    /// If the text is not a pattern; the message contains the location of the error.
    pub fn read(
        text: &str,
        prefix: &'static str,
        dialect: &'static dyn PatternDialect,
    ) -> Result<PatternTree, String> {
        let mut reader = Reader {
            dialect,
            prefix,
            text,
            position: 0,
        };
        let name = reader.name()?;
        let source = reader.operation(name, false)?;
        reader.expect("=>")?;
        let target = reader.operand()?;
        reader.skip_space();
        if reader.position < text.len() {
            return Err(reader.error("expected the end of the pattern"));
        }
        Ok(PatternTree { source, target })
    }
}

impl<'t> Reader<'t> {
    fn error(&self, message: &str) -> String {
        let (before, after) = self.text.split_at(self.position);
        format!("{message} at '{before}^{after}'")
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
    }

    fn at(&mut self, token: &str) -> bool {
        self.skip_space();
        self.text[self.position..].starts_with(token)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.at(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            return Ok(());
        }
        Err(self.error(&format!("expected '{token}'")))
    }

    /// The longest run of matching characters.
    fn run(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        self.skip_space();
        let rest = &self.text[self.position..];
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.position += end;
        &rest[..end]
    }

    fn name(&mut self) -> Result<&'t str, String> {
        let name = self.run(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(self.error("expected a name"));
        }
        Ok(name)
    }

    fn number(&mut self) -> Result<Option<i64>, String> {
        self.skip_space();
        let negative = self.eat("-");
        if !self.text[self.position..].starts_with(|c: char| c.is_ascii_digit()) {
            return if negative {
                Err(self.error("expected digits"))
            } else {
                Ok(None)
            };
        }
        let digits = self.run(|c| c.is_ascii_alphanumeric());
        let number = match digits.strip_prefix("0x") {
            // Up to eight digits are 32 bits, up to sixteen 64: sign-extended.
            Some(hex) if hex.len() <= 8 => {
                u32::from_str_radix(hex, 16).map(|bits| i64::from(bits.cast_signed()))
            }
            Some(hex) => u64::from_str_radix(hex, 16).map(u64::cast_signed),
            None => digits.parse::<i64>(),
        };
        let number = number.map_err(|_| self.error("expected a number"))?;
        Ok(Some(if negative { -number } else { number }))
    }

    fn operand(&mut self) -> Result<OperandTree, String> {
        let mut modifiers = 0;
        if let Some(number) = self.number()? {
            let kind = OperandKind::Number(number);
            return Ok(OperandTree { modifiers, kind });
        }
        let kind = loop {
            if self.eat("#") {
                break OperandKind::Constant(self.name()?.to_owned());
            }
            let name = self.name()?;
            if let Some(modifier) = self.dialect.modifier(name) {
                modifiers |= modifier;
            } else if name == "once" {
                let name = self.name()?;
                break OperandKind::Operation(self.operation(name, true)?);
            } else if self.at("<") || self.at("(") {
                break OperandKind::Operation(self.operation(name, false)?);
            } else if name == "_" {
                break OperandKind::Anything;
            } else {
                break OperandKind::Value(name.to_owned());
            }
        };
        let takes_none = matches!(kind, OperandKind::Constant(_) | OperandKind::Anything);
        if modifiers != 0 && takes_none {
            return Err(self.error("expected a value after the modifier"));
        }
        Ok(OperandTree { modifiers, kind })
    }

    fn operation(&mut self, name: &str, once: bool) -> Result<OperationTree, String> {
        let name = format!("{}{name}", self.prefix);
        let Some(definition) = self.dialect.operation(&name) else {
            return Err(self.error(&format!("unknown operation '{name}'")));
        };
        let mut tree = OperationTree {
            definition,
            once,
            attributes: Vec::new(),
            operands: Vec::new(),
            groups: Vec::new(),
        };
        if self.eat("<") {
            loop {
                tree.attributes.push(self.attribute(definition)?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(">")?;
        }
        self.expect("(")?;
        while !self.at(")") && !self.at(";") {
            tree.operands.push(self.operand()?);
            if !self.eat(",") {
                break;
            }
        }
        while self.eat(";") {
            let group = self.name()?.to_owned();
            self.expect("=")?;
            tree.groups.push((group, self.operand()?));
        }
        self.expect(")")?;
        Ok(tree)
    }

    fn attribute(
        &mut self,
        definition: &OperationDefinition,
    ) -> Result<(&'static str, AttributeTree), String> {
        let key = self.name()?;
        let Some(declared) = definition.attribute(key) else {
            return Err(self.error(&format!("'{}' has no attribute '{key}'", definition.name)));
        };
        let key = declared.name;
        if self.at("=>") || !self.eat("=") {
            return Ok((key, AttributeTree::Present));
        }
        if let Some(number) = self.number()? {
            let number =
                i32::try_from(number).map_err(|_| self.error("expected a 32-bit integer"))?;
            return Ok((key, AttributeTree::Number(number)));
        }
        if self.eat("'") {
            let word = self.run(|c| c != '\'');
            let keywords = declared.constraint.keywords;
            let found = keywords.and_then(|set| Some((set, set.number_of(word)?)));
            let Some((set, number)) = found else {
                let what = declared.constraint.summary;
                return Err(self.error(&format!("'{key}' must be {what}, but is '{word}'")));
            };
            self.expect("'")?;
            return Ok((key, AttributeTree::Keyword(set, number)));
        }
        Ok(match self.name()? {
            "_" => (key, AttributeTree::Anything),
            name => (key, AttributeTree::Name(name.to_owned())),
        })
    }
}
