//! Parsing of regions, blocks and successors.

use super::scopes::NameUse;
use super::{ParseResult, Parser, TokenKind};
use crate::entities::{Block, OperationState, Region, Value};
use crate::{Location, Type};

/// An entry block argument that custom assembly declares outside the region.
#[derive(Clone, Copy, Debug)]
pub struct EntryArgument {
    /// The name and its location; `None` for an unnamed argument.
    pub(super) name: Option<NameUse>,
    /// The type.
    pub ty: Type,
    /// The location.
    pub location: Location,
}

impl EntryArgument {
    /// The same argument with another type.
    #[must_use]
    pub fn with_type(self, ty: Type) -> EntryArgument {
        EntryArgument { ty, ..self }
    }
}

impl Parser<'_> {
    /// Parses `{ … }` into a new detached region. `arguments` are the entry block arguments
    /// declared before the region.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_region(&mut self, arguments: &[EntryArgument]) -> ParseResult<Region> {
        let region = Region::new(self.context);
        let parsed = self.nested(|parser| parser.parse_braces(region, arguments));
        if parsed.is_err() {
            self.discard_regions(&[region]);
        }
        parsed.map(|()| region)
    }

    fn parse_braces(&mut self, region: Region, arguments: &[EntryArgument]) -> ParseResult<()> {
        self.expect(TokenKind::LeftBrace, "expected '{' to begin a region")?;
        let mark = self.enter_region();
        if self.at(TokenKind::RightBrace) && arguments.is_empty() {
            self.leave_region(mark)?;
            self.advance()?;
            return Ok(());
        }
        self.parse_region_body(region, arguments)?;
        self.expect(TokenKind::RightBrace, "expected operation name in quotes")?;
        self.leave_region(mark)
    }

    /// Parses a region if one is present.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_optional_region(&mut self) -> ParseResult<Option<Region>> {
        if self.at(TokenKind::LeftBrace) {
            return self.parse_region(&[]).map(Some);
        }
        Ok(None)
    }

    fn parse_region_body(
        &mut self,
        region: Region,
        arguments: &[EntryArgument],
    ) -> ParseResult<()> {
        if !self.at(TokenKind::CaretIdentifier) || !arguments.is_empty() {
            let entry = Block::new(self.context, &[]);
            region.append_block(self.context, entry);
            for argument in arguments {
                let value = entry.add_argument(self.context, argument.ty, argument.location);
                if let Some(name) = &argument.name {
                    self.check_argument_name(name)?;
                    self.define_name(name.name, name.token, value, 1)?;
                }
            }
            if !arguments.is_empty() && self.at(TokenKind::CaretIdentifier) {
                return Err(self.error("invalid block name in region with named arguments"));
            }
            self.parse_block_body(entry)?;
        }
        while !self.at(TokenKind::RightBrace) {
            self.parse_labelled_block(region)?;
        }
        Ok(())
    }

    fn parse_labelled_block(&mut self, region: Region) -> ParseResult<()> {
        let token = self.expect(TokenKind::CaretIdentifier, "expected block name")?;
        let block = self.define_block(token)?;
        region.append_block(self.context, block);
        if self.eat(TokenKind::LeftParen)? {
            self.comma_list_until(
                TokenKind::RightParen,
                "expected ')' to end argument list",
                |parser| {
                    let name = parser.parse_name_use("expected SSA operand")?;
                    parser.expect(TokenKind::Colon, "expected ':' and type for SSA operand")?;
                    let ty = parser.parse_type()?;
                    let default = parser.location_of(name.token);
                    let location = parser.parse_trailing_location(default)?;
                    let value = block.add_argument(parser.context, ty, location);
                    parser.define_name(name.name, name.token, value, 1)
                },
            )?;
        }
        self.expect(TokenKind::Colon, "expected ':' after block name")?;
        self.parse_block_body(block)
    }

    fn parse_block_body(&mut self, block: Block) -> ParseResult<()> {
        while !self.at(TokenKind::CaretIdentifier) && !self.at(TokenKind::RightBrace) {
            self.forget_text();
            let op = self.parse_operation()?;
            block.append(self.context, op);
        }
        Ok(())
    }

    /// Parses `[^bb0, ^bb1]`.
    pub(super) fn parse_successors(&mut self) -> ParseResult<Vec<Block>> {
        self.expect(TokenKind::LeftSquare, "expected '['")?;
        if self.at(TokenKind::RightSquare) {
            return Err(self.error("expected list element"));
        }
        let mut blocks = vec![self.parse_successor()?];
        while self.eat(TokenKind::Comma)? {
            blocks.push(self.parse_successor()?);
        }
        self.expect(TokenKind::RightSquare, "expected ']'")?;
        Ok(blocks)
    }

    /// Parses `^bb0`.
    ///
    /// # Errors
    /// If none is present.
    pub fn parse_successor(&mut self) -> ParseResult<Block> {
        let token = self.expect(TokenKind::CaretIdentifier, "expected block name")?;
        Ok(self.block_named(token))
    }

    /// Parses `^bb0` or `^bb0(%a, %b : i32, f32)`, a successor of an operation.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_successor_and_arguments(
        &mut self,
        state: &OperationState,
    ) -> ParseResult<(Block, Vec<Value>)> {
        let block = self.parse_successor()?;
        let mut values = Vec::new();
        if self.eat(TokenKind::LeftParen)? {
            let place = self.token();
            let names = self.parse_operand_list()?;
            self.expect(TokenKind::Colon, "expected ':'")?;
            let types = self.parse_type_list()?;
            self.expect(TokenKind::RightParen, "expected ')'")?;
            values = self.resolve_op_operands(state, place, &names, &types)?;
        }
        Ok((block, values))
    }

    /// Parses `%name` or `%name#number`.
    pub(super) fn parse_name_use(&mut self, message: &str) -> ParseResult<NameUse> {
        if !self.at(TokenKind::PercentIdentifier) {
            return Err(self.wrong_token(message));
        }
        let name = self.name_in(self.token());
        let token = self.advance()?;
        let mut number = 0;
        if self.at(TokenKind::HashIdentifier) {
            let Ok(parsed) = self.current()[1..].parse() else {
                return Err(self.error("invalid SSA value result number"));
            };
            number = parsed;
            self.advance()?;
        }
        Ok(NameUse {
            name,
            number,
            token,
        })
    }
}
