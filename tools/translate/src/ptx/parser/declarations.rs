//! Declarations of variables, registers and parameters.

use super::super::Place;
use super::super::ast::{Declaration, Declarator, Expression, Initializer, Item, Pointer};
use super::super::lexer::Kind;
use super::{Parser, Result};

const LINKAGES: [&str; 4] = [".extern", ".visible", ".weak", ".common"];
const SPACES: [&str; 8] = [
    ".reg", ".sreg", ".const", ".global", ".local", ".param", ".shared", ".tex",
];
const VECTORS: [&str; 3] = [".v2", ".v4", ".v8"];
const TYPES: [&str; 27] = [
    ".b8",
    ".b16",
    ".b32",
    ".b64",
    ".b128",
    ".u8",
    ".u16",
    ".u32",
    ".u64",
    ".s8",
    ".s16",
    ".s32",
    ".s64",
    ".f16",
    ".f16x2",
    ".bf16",
    ".bf16x2",
    ".f32",
    ".f64",
    ".tf32",
    ".pred",
    ".texref",
    ".samplerref",
    ".surfref",
    ".e4m3x2",
    ".e5m2x2",
    ".f32x2",
];

/// The attributes permitted before the space, in any order.
#[derive(Default)]
struct Head<'t> {
    linkage: Option<&'t str>,
    attributes: Vec<(&'t str, Vec<Expression<'t>>)>,
}

impl<'t> Parser<'t> {
    /// Whether the next token begins a declaration of registers or variables.
    pub(super) fn at_declaration(&self) -> bool {
        let text = self.token.text;
        self.token.kind == Kind::Dotted
            && (LINKAGES.contains(&text) || SPACES.contains(&text) || text == ".attribute")
    }

    /// A variable or a function: the linkage precedes both.
    pub(super) fn declaration_or_function(&mut self) -> Result<Item<'t>> {
        let place = self.token.place;
        let head = self.head()?;
        match self.token.text {
            ".entry" | ".func" if self.token.kind == Kind::Dotted => {
                let function = self.function(head.linkage, head.attributes)?;
                Ok(Item::Function(Box::new(function)))
            }
            _ => Ok(Item::Variable(self.variable(place, head)?)),
        }
    }

    fn head(&mut self) -> Result<Head<'t>> {
        let mut head = Head::default();
        loop {
            if self.token.kind == Kind::Dotted && LINKAGES.contains(&self.token.text) {
                if head.linkage.is_some() {
                    return self.error_at(self.token.place, "duplicate linkage");
                }
                head.linkage = Some(self.dotted("linkage")?);
            } else if self.at_dotted(".attribute") {
                self.attributes(&mut head.attributes)?;
            } else {
                return Ok(head);
            }
        }
    }

    /// `.attribute(.managed, .unified(1, 2))`.
    pub(super) fn attributes(
        &mut self,
        attributes: &mut Vec<(&'t str, Vec<Expression<'t>>)>,
    ) -> Result<()> {
        self.advance()?;
        self.expect("(")?;
        attributes.extend(self.list(")", |parser| {
            let name = parser.dotted("an attribute like '.managed'")?;
            let mut arguments = Vec::new();
            if parser.eat("(")? {
                arguments = parser.list(")", Self::expression)?;
            }
            Ok((name, arguments))
        })?);
        Ok(())
    }

    /// A declaration with its `;`.
    pub(super) fn variable_statement(&mut self) -> Result<Declaration<'t>> {
        let place = self.token.place;
        let head = self.head()?;
        self.variable(place, head)
    }

    fn variable(&mut self, place: Place, head: Head<'t>) -> Result<Declaration<'t>> {
        let mut declaration = self.type_of_declaration(place)?;
        declaration.linkage = head.linkage;
        declaration.attributes.splice(0..0, head.attributes);
        loop {
            let declarator = self.declarator()?;
            declaration.names.push(declarator);
            if !self.eat(",")? {
                break;
            }
        }
        if !self.eat(";")? {
            return self.expected("',' or ';' after a declaration");
        }
        Ok(declaration)
    }

    /// A parameter: a declaration of one name, without `;`.
    pub(super) fn parameter(&mut self) -> Result<Declaration<'t>> {
        let place = self.token.place;
        if !matches!(self.token.text, ".param" | ".reg") {
            return self.expected("'.param' or '.reg'");
        }
        let mut declaration = self.type_of_declaration(place)?;
        let declarator = self.declarator()?;
        if declarator.initializer.is_some() || declarator.count.is_some() {
            return self.error_at(
                declarator.place,
                "a parameter must be one name without a value",
            );
        }
        declaration.names.push(declarator);
        Ok(declaration)
    }

    /// Space, bank, alignment, vector, type, pointer.
    fn type_of_declaration(&mut self, place: Place) -> Result<Declaration<'t>> {
        if self.token.kind != Kind::Dotted || !SPACES.contains(&self.token.text) {
            return self.expected("a state space like '.global', '.entry' or '.func'");
        }
        let space = self.dotted("a state space")?;
        let mut declaration = Declaration {
            place,
            linkage: None,
            space,
            bank: None,
            attributes: Vec::new(),
            alignment: None,
            vector: None,
            ty: "",
            pointer: None,
            names: Vec::new(),
        };
        if space == ".const" && self.eat("[")? {
            declaration.bank = Some(self.integer("a bank number")?);
            self.expect("]")?;
        }
        loop {
            let text = self.token.text;
            if self.token.kind != Kind::Dotted {
                return self.expected("a type like '.b32'");
            } else if text == ".align" {
                self.alignment_into(&mut declaration.alignment)?;
            } else if text == ".attribute" {
                self.attributes(&mut declaration.attributes)?;
            } else if VECTORS.contains(&text) && declaration.vector.is_none() {
                declaration.vector = Some(self.dotted("a vector")?);
            } else if TYPES.contains(&text) {
                declaration.ty = self.dotted("a type")?;
                break;
            } else {
                return self.expected("a type like '.b32'");
            }
        }
        if space == ".param" && self.eat_dotted(".ptr")? {
            declaration.pointer = Some(self.pointer()?);
        }
        if self.at_dotted(".align") {
            self.alignment_into(&mut declaration.alignment)?;
        }
        Ok(declaration)
    }

    fn alignment_into(&mut self, alignment: &mut Option<u64>) -> Result<()> {
        let place = self.token.place;
        self.advance()?;
        if alignment.is_some() {
            return self.error_at(place, "duplicate alignment");
        }
        let place = self.token.place;
        let value = self.integer("an alignment in bytes")?;
        if !value.is_power_of_two() {
            return self.error_at(place, "alignment must be a power of two");
        }
        *alignment = Some(value);
        Ok(())
    }

    fn pointer(&mut self) -> Result<Pointer<'t>> {
        let mut pointer = Pointer {
            space: None,
            alignment: None,
        };
        if matches!(self.token.text, ".const" | ".global" | ".local" | ".shared") {
            pointer.space = Some(self.dotted("a state space")?);
        }
        if self.at_dotted(".align") {
            self.alignment_into(&mut pointer.alignment)?;
        }
        Ok(pointer)
    }

    fn declarator(&mut self) -> Result<Declarator<'t>> {
        let place = self.token.place;
        let name = self.name("a name")?;
        let mut count = None;
        if self.eat("<")? {
            count = Some(self.integer("a number of names")?);
            self.expect(">")?;
        }
        let mut extents = Vec::new();
        while self.eat("[")? {
            if self.eat("]")? {
                extents.push(None);
                continue;
            }
            extents.push(Some(self.expression()?));
            self.expect("]")?;
        }
        let initializer = if self.eat("=")? {
            Some(self.initializer()?)
        } else {
            None
        };
        Ok(Declarator {
            place,
            name,
            count,
            extents,
            initializer,
        })
    }

    fn initializer(&mut self) -> Result<Initializer<'t>> {
        if self.eat("{")? {
            let list = self.nested(|parser| parser.list("}", Self::initializer))?;
            return Ok(Initializer::List(list));
        }
        if self.token.kind == Kind::Name && self.next.kind == Kind::Sign("=") {
            let key = self.name("a property")?;
            self.expect("=")?;
            return Ok(Initializer::Field(key, self.expression()?));
        }
        Ok(Initializer::Value(self.expression()?))
    }
}
