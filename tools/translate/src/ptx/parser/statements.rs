//! Statements of function bodies.

use super::super::ast::{Instruction, Loc, Statement, StatementKind};
use super::super::lexer::Kind;
use super::{Parser, Result};

impl<'t> Parser<'t> {
    /// `{ … }`.
    pub(super) fn block(&mut self) -> Result<Vec<Statement<'t>>> {
        let opening = self.token.place;
        self.expect("{")?;
        self.nested(|parser| {
            let mut statements = Vec::new();
            loop {
                if parser.eat("}")? {
                    return Ok(statements);
                }
                if parser.token.kind == Kind::End {
                    return parser.error_at(opening, "unclosed '{'");
                }
                if !parser.eat(";")? {
                    let place = parser.token.place;
                    let kind = parser.statement()?;
                    statements.push(Statement { place, kind });
                }
            }
        })
    }

    fn statement(&mut self) -> Result<StatementKind<'t>> {
        if self.at("{") {
            return Ok(StatementKind::Block(self.block()?));
        }
        if self.token.kind == Kind::Dotted {
            return match self.token.text {
                ".pragma" => Ok(StatementKind::Pragma(self.pragma()?)),
                ".loc" => Ok(StatementKind::Loc(self.loc()?)),
                ".callprototype" => {
                    self.advance()?;
                    Ok(StatementKind::Prototype(self.prototype()?))
                }
                ".branchtargets" | ".calltargets" => self.targets(),
                _ if self.at_declaration() => {
                    Ok(StatementKind::Declaration(self.variable_statement()?))
                }
                _ => self.expected("a statement"),
            };
        }
        if self.token.kind == Kind::Name && self.next.kind == Kind::Sign(":") {
            let label = self.name("a label")?;
            self.expect(":")?;
            return Ok(StatementKind::Label(label));
        }
        Ok(StatementKind::Instruction(self.instruction()?))
    }

    fn targets(&mut self) -> Result<StatementKind<'t>> {
        let kind = self.dotted("targets")?;
        let mut names = vec![self.name("a label or function")?];
        while self.eat(",")? {
            names.push(self.name("a label or function")?);
        }
        self.expect(";")?;
        Ok(StatementKind::Targets(kind, names))
    }

    fn position(&mut self) -> Result<[u64; 3]> {
        Ok([
            self.integer("a file number")?,
            self.integer("a line")?,
            self.integer("a column")?,
        ])
    }

    fn loc(&mut self) -> Result<Loc<'t>> {
        self.advance()?;
        let position = self.position()?;
        let mut inlined = None;
        if self.eat(",")? {
            if self.token.text != "function_name" {
                return self.expected("'function_name'");
            }
            self.advance()?;
            let name = self.expression()?;
            self.expect(",")?;
            if self.token.text != "inlined_at" {
                return self.expected("'inlined_at'");
            }
            self.advance()?;
            inlined = Some((name, self.position()?));
        }
        Ok(Loc { position, inlined })
    }

    fn instruction(&mut self) -> Result<Instruction<'t>> {
        let mut guard = None;
        if self.eat("@")? {
            let inverted = self.eat("!")?;
            guard = Some((inverted, self.name("a predicate")?));
        }
        let place = self.token.place;
        let name = self.name("an instruction")?;
        let mut modifiers = Vec::new();
        while self.token.kind == Kind::Dotted {
            if !self.token.joined {
                return self.expected("an operand");
            }
            modifiers.push(self.dotted("a modifier")?);
        }
        let mut operands = Vec::new();
        if !self.at(";") {
            operands.push(self.expression()?);
            while self.eat(",")? {
                operands.push(self.expression()?);
            }
        }
        let end = self.token.place;
        if !self.eat(";")? {
            return self.expected("',' or ';' after an instruction");
        }
        Ok(Instruction {
            place,
            end,
            guard,
            name,
            modifiers,
            operands,
        })
    }
}
