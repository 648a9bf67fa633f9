//! Parser methods for hand-written custom assembly, besides tokens, types and attributes.

use super::scopes::NameUse;
use super::{ParseError, ParseResult, Parser, Token, TokenKind};
use crate::entities::{OperationState, Region, Value};
use crate::{Attribute, Block, Identifier, Location, Operation, OperationName, Type};

pub use super::blocks::EntryArgument;

/// An operand name whose value is resolved once its type is known.
#[derive(Clone, Copy, Debug)]
pub struct UnresolvedOperand(NameUse);

impl UnresolvedOperand {
    /// The token of the name.
    pub fn token(&self) -> Token {
        self.0.token
    }
}

impl Parser<'_> {
    /// Emits an error about the custom form of an operation at the next token.
    pub fn op_error(&mut self, state: &OperationState, message: &str) -> ParseError {
        let token = self.token();
        self.op_error_at(state, token, message)
    }

    /// Emits an error about the custom form of an operation at a token.
    pub fn op_error_at(
        &mut self,
        state: &OperationState,
        token: Token,
        message: &str,
    ) -> ParseError {
        let name = state.name.text(self.context);
        let message = format!("custom op '{name}' {message}");
        self.error_at(token, &message)
    }

    /// Consumes a keyword that the custom form of an operation requires.
    ///
    /// # Errors
    /// If the next token is not the keyword.
    pub fn expect_op_keyword(&mut self, state: &OperationState, keyword: &str) -> ParseResult<()> {
        if self.eat_keyword(keyword)? {
            return Ok(());
        }
        Err(self.op_error(state, &format!("expected '{keyword}'")))
    }

    /// Parses a function type in the custom form of an operation.
    ///
    /// # Errors
    /// If the next type is missing or is not a function type.
    pub fn parse_op_function_type(
        &mut self,
        state: &OperationState,
    ) -> ParseResult<(Vec<Type>, Vec<Type>)> {
        let token = self.token();
        let ty = self.parse_type()?;
        if let Some((inputs, results)) = ty.as_function(self.context) {
            return Ok((inputs.to_vec(), results.to_vec()));
        }
        let found = crate::printer::type_to_string(self.context, ty);
        let message = format!(
            "invalid kind of type specified: expected builtin.function, but found '{found}'"
        );
        Err(self.op_error_at(state, token, &message))
    }

    /// Resolves operands with their types, in the custom form of an operation.
    ///
    /// # Errors
    /// If the counts differ or a value is known with another type.
    pub fn resolve_op_operands(
        &mut self,
        state: &OperationState,
        place: Token,
        operands: &[UnresolvedOperand],
        types: &[Type],
    ) -> ParseResult<Vec<Value>> {
        if let Some(message) = counts_differ(operands, types) {
            return Err(self.op_error_at(state, place, &message));
        }
        self.resolve_pairs(operands, types)
    }

    fn resolve_pairs(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
    ) -> ParseResult<Vec<Value>> {
        operands
            .iter()
            .zip(types)
            .map(|(operand, ty)| self.resolve_operand(operand, *ty))
            .collect()
    }

    /// Parses `%name` or `%name#number`.
    ///
    /// # Errors
    /// If none is present.
    pub fn parse_operand(&mut self) -> ParseResult<UnresolvedOperand> {
        self.parse_name_use("expected SSA operand")
            .map(UnresolvedOperand)
    }

    /// Parses a possibly empty list of operands separated by commas.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_operand_list(&mut self) -> ParseResult<Vec<UnresolvedOperand>> {
        let mut operands = Vec::new();
        if self.at(TokenKind::PercentIdentifier) {
            operands.push(self.parse_operand()?);
            while self.eat(TokenKind::Comma)? {
                operands.push(self.parse_operand()?);
            }
        }
        Ok(operands)
    }

    /// Parses `(%a, %b)`.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_operand_list_parens(&mut self) -> ParseResult<Vec<UnresolvedOperand>> {
        self.expect(TokenKind::LeftParen, "expected '('")?;
        let mut operands = Vec::new();
        self.comma_list_until(TokenKind::RightParen, "expected ')'", |parser| {
            operands.push(parser.parse_operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    /// The value of an operand with this type.
    ///
    /// # Errors
    /// If the value is known with another type.
    pub fn resolve_operand(&mut self, operand: &UnresolvedOperand, ty: Type) -> ParseResult<Value> {
        self.resolve_held(&operand.0, ty)
    }

    /// Resolves operands with their types.
    ///
    /// # Errors
    /// If the counts differ or a value is known with another type.
    pub fn resolve_operands(
        &mut self,
        place: Token,
        operands: &[UnresolvedOperand],
        types: &[Type],
    ) -> ParseResult<Vec<Value>> {
        if let Some(message) = counts_differ(operands, types) {
            return Err(self.error_at(place, &message));
        }
        self.resolve_pairs(operands, types)
    }

    /// The type of an earlier definition or use of the operand, if any.
    pub fn operand_type(&mut self, operand: &UnresolvedOperand) -> Option<Type> {
        self.known_type(&operand.0)
    }

    /// Parses `%name`, an argument of an entry block; its type is set later.
    ///
    /// # Errors
    /// If none is present.
    pub fn parse_entry_argument(&mut self) -> ParseResult<EntryArgument> {
        let name = self.parse_name_use("expected SSA operand")?;
        let location = self.location_of(name.token);
        Ok(EntryArgument {
            name: Some(name),
            ty: Type::NONE,
            location,
        })
    }

    /// Parses `loc(…)` after an entry argument, if present.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_argument_location(
        &mut self,
        argument: EntryArgument,
    ) -> ParseResult<EntryArgument> {
        let location = self.parse_trailing_location(argument.location)?;
        Ok(EntryArgument {
            location,
            ..argument
        })
    }

    /// An unnamed argument of an entry block.
    pub fn anonymous_argument(&mut self, ty: Type, place: Token) -> EntryArgument {
        EntryArgument {
            name: None,
            ty,
            location: self.location_of(place),
        }
    }

    /// Parses an optional attribute dictionary into the attributes of `state`; they are split into
    /// inherent and discardable attributes when the operation is complete.
    ///
    /// # Errors
    /// If it is malformed.
    /// If it is malformed.
    pub fn parse_attribute_dictionary(&mut self, state: &mut OperationState) -> ParseResult<()> {
        let entries = self.parse_optional_dictionary()?;
        self.add_attributes(state, &entries);
        Ok(())
    }

    /// Parses `attributes {…}` if the keyword is present.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_attribute_dictionary_with_keyword(
        &mut self,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        if self.eat_keyword("attributes")? {
            let entries = self.parse_dictionary_entries()?;
            self.add_attributes(state, &entries);
        }
        Ok(())
    }

    fn add_attributes(&mut self, state: &mut OperationState, entries: &[(Identifier, Attribute)]) {
        if entries.is_empty() {
            return;
        }
        let mut all = state.attributes.entries(self.context).to_vec();
        all.extend_from_slice(entries);
        state.attributes = Attribute::dictionary(self.context, &all);
    }

    /// Appends `terminator` without operands to the only block of a region whose custom form omits
    /// it; creates the block if necessary.
    pub fn ensure_terminator(&mut self, region: Region, terminator: &str, location: Location) {
        let block = region.first_block(self.context).unwrap_or_else(|| {
            let block = Block::new(self.context, &[]);
            region.append_block(self.context, block);
            block
        });
        let ends = block.last_op(self.context).is_some_and(|op| {
            op.definition(self.context)
                .is_some_and(|d| d.has_trait(crate::declare::Trait::Terminator))
        });
        if !ends {
            let name = OperationName::new(self.context, terminator);
            let state = OperationState::new(name, location);
            let op = Operation::create(self.context, &state);
            block.append(self.context, op);
        }
    }
}

fn counts_differ(operands: &[UnresolvedOperand], types: &[Type]) -> Option<String> {
    let (operands, types) = (operands.len(), types.len());
    (operands != types).then(|| {
        format!(
            "number of operands and types do not match: got {operands} operands and {types} types"
        )
    })
}
