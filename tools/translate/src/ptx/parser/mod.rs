//! Recursive-descent parser of PTX. All nesting is bounded, so that hostile input results in an
//! error.

mod declarations;
mod expressions;
mod functions;
mod statements;

use super::ast::{Expression, File, Item, Module, Section, SectionLine};
use super::lexer::{Kind, Lexer, Token};
use super::{Error, Place};

/// The maximum combined nesting depth of blocks, expressions and initializers.
pub const MAX_DEPTH: usize = 128;

type Result<T> = std::result::Result<T, Error>;

/// Parses a file.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<Module<'_>> {
    let mut parser = Parser::new(text)?;
    let mut module = Module::default();
    while parser.token.kind != Kind::End {
        let place = parser.token.place;
        if let Some(item) = parser.item()? {
            module.items.push(item);
            module.places.push(place);
        }
    }
    Ok(module)
}

/// The parser, with two tokens of lookahead.
struct Parser<'t> {
    lexer: Lexer<'t>,
    token: Token<'t>,
    next: Token<'t>,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Result<Self> {
        let mut lexer = Lexer::new(text);
        let token = lexer.next()?;
        let next = lexer.next()?;
        Ok(Parser {
            lexer,
            token,
            next,
            depth: 0,
        })
    }

    fn advance(&mut self) -> Result<Token<'t>> {
        let after = self.lexer.next()?;
        let next = std::mem::replace(&mut self.next, after);
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn error_at<T>(&self, place: Place, message: impl Into<String>) -> Result<T> {
        Err(Error {
            place,
            message: message.into(),
        })
    }

    /// An error at the next token, which it names.
    fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match self.token.kind {
            Kind::End => "end of input".to_owned(),
            Kind::String => format!("string \"{}\"", self.token.text),
            _ => format!("'{}'", self.token.text),
        };
        self.error_at(self.token.place, format!("expected {what}, found {found}"))
    }

    fn at(&self, sign: &str) -> bool {
        matches!(self.token.kind, Kind::Sign(found) if found == sign)
    }

    fn at_dotted(&self, name: &str) -> bool {
        self.token.kind == Kind::Dotted && self.token.text == name
    }

    fn eat(&mut self, sign: &str) -> Result<bool> {
        let found = self.at(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn eat_dotted(&mut self, name: &str) -> Result<bool> {
        let found = self.at_dotted(name);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign)? {
            return Ok(());
        }
        self.expected(&format!("'{sign}'"))
    }

    fn name(&mut self, what: &str) -> Result<&'t str> {
        if self.token.kind != Kind::Name {
            return self.expected(what);
        }
        Ok(self.advance()?.text)
    }

    fn dotted(&mut self, what: &str) -> Result<&'t str> {
        if self.token.kind != Kind::Dotted {
            return self.expected(what);
        }
        Ok(self.advance()?.text)
    }

    fn integer(&mut self, what: &str) -> Result<u64> {
        let Kind::Integer(value, _) = self.token.kind else {
            return self.expected(what);
        };
        self.advance()?;
        Ok(value)
    }

    fn string(&mut self, what: &str) -> Result<&'t str> {
        if self.token.kind != Kind::String {
            return self.expected(what);
        }
        Ok(self.advance()?.text)
    }

    /// Runs `step` one level deeper.
    fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("nesting deeper than {MAX_DEPTH} levels");
            return self.error_at(self.token.place, message);
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    /// Parses `item` separated by commas until `close`, which is consumed too.
    fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close)? {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close)? {
                return Ok(items);
            }
            if !self.eat(",")? {
                return self.expected(&format!("',' or '{close}'"));
            }
        }
    }

    /// A top-level item; `None` for a lone `;`.
    fn item(&mut self) -> Result<Option<Item<'t>>> {
        if self.eat(";")? {
            return Ok(None);
        }
        if self.token.kind != Kind::Dotted {
            return self.expected("a directive");
        }
        let item = match self.token.text {
            ".version" => self.version()?,
            ".target" => self.target()?,
            ".address_size" => {
                self.advance()?;
                let place = self.token.place;
                match self.integer("32 or 64")? {
                    size @ (32 | 64) => Item::AddressSize(size),
                    _ => return self.error_at(place, "address size must be 32 or 64"),
                }
            }
            ".file" => Item::File(self.file()?),
            ".section" => Item::Section(self.section()?),
            ".alias" => self.alias()?,
            ".pragma" => Item::Pragma(self.pragma()?),
            ".entry" | ".func" => self.declaration_or_function()?,
            _ if self.at_declaration() => self.declaration_or_function()?,
            _ => return self.expected("a directive"),
        };
        Ok(Some(item))
    }

    /// `.version 8.8`, which is lexed as a float.
    fn version(&mut self) -> Result<Item<'t>> {
        self.advance()?;
        let place = self.token.place;
        let text = self.token.text;
        let parts = text.split_once('.');
        let parts = parts.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let Some((major, minor)) = parts else {
            return self.error_at(place, "expected a version like '8.8'");
        };
        self.advance()?;
        Ok(Item::Version(major, minor))
    }

    fn target(&mut self) -> Result<Item<'t>> {
        self.advance()?;
        let mut names = vec![self.name("a target like 'sm_90a'")?];
        while self.eat(",")? {
            names.push(self.name("a target")?);
        }
        Ok(Item::Target(names))
    }

    fn file(&mut self) -> Result<File<'t>> {
        self.advance()?;
        let index = self.integer("a file number")?;
        let name = self.string("a quoted file name")?;
        let mut details = None;
        if self.eat(",")? {
            let time = self.integer("a timestamp")?;
            self.expect(",")?;
            details = Some((time, self.integer("a size")?));
        }
        Ok(File {
            index,
            name,
            details,
        })
    }

    fn section(&mut self) -> Result<Section<'t>> {
        self.advance()?;
        let name = match self.token.kind {
            Kind::Dotted | Kind::Name => self.advance()?.text,
            _ => return self.expected("a section name"),
        };
        let mut lines = Vec::new();
        self.expect("{")?;
        while !self.eat("}")? {
            if self.eat(";")? {
                continue;
            }
            if self.token.kind == Kind::Name {
                lines.push(SectionLine::Label(self.name("a label")?));
                self.expect(":")?;
                continue;
            }
            let ty = match self.token.text {
                ".b8" | ".b16" | ".b32" | ".b64" => self.dotted("data")?,
                _ => return self.expected("'.b8', '.b16', '.b32', '.b64', a label or '}'"),
            };
            let mut values = vec![self.section_value()?];
            while self.eat(",")? {
                values.push(self.section_value()?);
            }
            lines.push(SectionLine::Data(ty, values));
        }
        Ok(Section { name, lines })
    }

    /// A value in a section: an expression, or the start of a section, `.debug_abbrev`, with an
    /// optional offset.
    fn section_value(&mut self) -> Result<Expression<'t>> {
        if self.token.kind != Kind::Dotted {
            return self.expression();
        }
        let begin = Expression::Name(self.dotted("a section")?);
        let Kind::Sign(sign @ ("+" | "-")) = self.token.kind else {
            return Ok(begin);
        };
        self.advance()?;
        let distance = self.expression()?;
        Ok(Expression::Binary(
            sign,
            Box::new(begin),
            Box::new(distance),
        ))
    }

    fn alias(&mut self) -> Result<Item<'t>> {
        self.advance()?;
        let alias = self.name("an alias name")?;
        self.expect(",")?;
        let target = self.name("a function name")?;
        self.expect(";")?;
        Ok(Item::Alias(alias, target))
    }

    /// `.pragma "a", "b";`.
    fn pragma(&mut self) -> Result<Vec<&'t str>> {
        self.advance()?;
        let mut texts = vec![self.string("a quoted pragma")?];
        while self.eat(",")? {
            texts.push(self.string("a quoted pragma")?);
        }
        self.expect(";")?;
        Ok(texts)
    }
}
