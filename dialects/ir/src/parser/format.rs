//! Parsing of declarative assembly formats.

use super::{ParseResult, Parser, Token, TokenKind, UnresolvedOperand};
use crate::declare::format::Element;
use crate::declare::{
    OPERAND_SEGMENTS, OperationDefinition, RESULT_SEGMENTS, Trait, ValueDefinition, Variadicity,
};
use crate::{Attribute, OperationState, Type};

/// The parts parsed so far; types of a group are unknown until an element specifies them.
#[derive(Default)]
struct Parts {
    operands: Vec<Vec<UnresolvedOperand>>,
    operand_types: Vec<Option<Vec<Type>>>,
    result_types: Vec<Option<Vec<Type>>>,
    /// All operands in one list, if the format has `operands`.
    all_operands: Option<Vec<UnresolvedOperand>>,
    /// All types, if the format has `functional-type`.
    all_types: Option<(Vec<Type>, Vec<Type>)>,
}

impl Parser<'_> {
    /// Parses the text after the name of an operation by the format of its declaration.
    pub(crate) fn parse_format(
        &mut self,
        definition: &'static OperationDefinition,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let elements = self.context.format(definition);
        let mut parts = Parts {
            operands: vec![Vec::new(); definition.operands.len()],
            operand_types: vec![None; definition.operands.len()],
            result_types: vec![None; definition.results.len()],
            ..Parts::default()
        };
        let place = self.token();
        self.parse_elements(definition, &elements, state, &mut parts)?;
        self.resolve_parts(place, definition, state, &parts)
    }

    fn parse_elements(
        &mut self,
        definition: &'static OperationDefinition,
        elements: &[Element],
        state: &mut OperationState,
        parts: &mut Parts,
    ) -> ParseResult<()> {
        for element in elements {
            match element {
                Element::Optional(inner, _) => {
                    if self.group_is_ahead(inner) {
                        self.parse_elements(definition, inner, state, parts)?;
                        self.set_unit_attributes(definition, inner, state);
                    }
                }
                element => self.parse_element(definition, element, state, parts)?,
            }
        }
        Ok(())
    }

    fn parse_element(
        &mut self,
        definition: &'static OperationDefinition,
        element: &Element,
        state: &mut OperationState,
        parts: &mut Parts,
    ) -> ParseResult<()> {
        match element {
            Element::Literal(text) => self.parse_literal_text(state, text)?,
            Element::Operand(group) => {
                parts.operands[*group] = match definition.operands[*group].variadicity {
                    Variadicity::One => vec![self.parse_operand()?],
                    Variadicity::Optional if self.at(TokenKind::PercentIdentifier) => {
                        vec![self.parse_operand()?]
                    }
                    Variadicity::Optional => Vec::new(),
                    Variadicity::Variadic => self.parse_operand_list()?,
                };
            }
            Element::Operands => parts.all_operands = Some(self.parse_operand_list()?),
            Element::Attribute(number) => {
                self.parse_format_attribute(definition, *number, state)?;
            }
            Element::Region(number) => {
                state.regions.push(self.parse_region(&[])?);
                while definition.regions[*number].variadic && self.eat(TokenKind::Comma)? {
                    state.regions.push(self.parse_region(&[])?);
                }
            }
            Element::Successor(number) => {
                state.successors.push(self.parse_successor()?);
                while definition.successors[*number].variadic && self.eat(TokenKind::Comma)? {
                    state.successors.push(self.parse_successor()?);
                }
            }
            Element::OperandType(group) => {
                let types = self.parse_group_types(&definition.operands[*group])?;
                parts.operand_types[*group] = Some(types);
            }
            Element::ResultType(group) => {
                let types = self.parse_group_types(&definition.results[*group])?;
                parts.result_types[*group] = Some(types);
            }
            Element::FunctionalType => {
                parts.all_types = Some(self.parse_op_function_type(state)?);
            }
            Element::AttrDict(false) => self.parse_attribute_dictionary(state)?,
            Element::AttrDict(true) => self.parse_attribute_dictionary_with_keyword(state)?,
            Element::Optional(..) => {}
        }
        Ok(())
    }

    /// Whether the next token starts the first element of an optional group.
    fn group_is_ahead(&self, inner: &[Element]) -> bool {
        match inner.first() {
            Some(Element::Literal(text)) => self.literal_is_ahead(text),
            Some(Element::Operand(_) | Element::Operands) => self.at(TokenKind::PercentIdentifier),
            Some(Element::Region(_)) => self.at(TokenKind::LeftBrace),
            Some(Element::Successor(_)) => self.at(TokenKind::CaretIdentifier),
            // Only the name of a symbol: the compiler of formats rejects others.
            Some(Element::Attribute(_)) => self.at(TokenKind::AtIdentifier),
            Some(Element::OperandType(_) | Element::ResultType(_)) => self.at_type(),
            _ => false,
        }
    }

    fn literal_is_ahead(&self, text: &str) -> bool {
        let start = self.token().start;
        let keyword = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if keyword {
            self.at_keyword(text)
        } else {
            self.text_from(start).starts_with(text)
        }
    }

    fn parse_literal_text(&mut self, state: &OperationState, text: &str) -> ParseResult<()> {
        if !self.literal_is_ahead(text) {
            let message = format!("expected '{text}'");
            let keyword = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            return Err(if keyword {
                self.op_error(state, &message)
            } else {
                self.wrong_token(&message)
            });
        }
        // A literal may span several tokens (`[[`).
        let end = self.token().start + text.len();
        while self.token().start < end && !self.at(TokenKind::End) {
            self.advance()?;
        }
        Ok(())
    }

    fn parse_format_attribute(
        &mut self,
        definition: &'static OperationDefinition,
        number: usize,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let declared = &definition.attributes[number];
        let token = self.token();
        let ty = short_type(declared.constraint.summary);
        let value = if token.kind == TokenKind::AtIdentifier && declared.name == "sym_name" {
            let name = self.parse_symbol_name()?;
            Attribute::string(self.context, &name)
        } else {
            self.parse_attribute_of(ty)?
        };
        if !(declared.constraint.storage)(self.context, value) {
            return Err(self.error_at(token, "invalid kind of attribute specified"));
        }
        if !(declared.constraint.check)(self.context, value) {
            let message = format!(
                "attribute '{}' failed to satisfy constraint: {}",
                declared.name, declared.constraint.summary
            );
            return Err(self.error_at(token, &message));
        }
        state.set_property(self.context, declared.name, value);
        Ok(())
    }

    /// Sets the unit attributes that the literals of an optional group imply.
    fn set_unit_attributes(
        &mut self,
        definition: &'static OperationDefinition,
        inner: &[Element],
        state: &mut OperationState,
    ) {
        for element in inner {
            if let Element::Attribute(number) = element
                && definition.attributes[*number].constraint.summary == "unit attribute"
            {
                let name = definition.attributes[*number].name;
                state.set_property(self.context, name, Attribute::UNIT);
            }
        }
    }

    fn parse_group_types(&mut self, group: &ValueDefinition) -> ParseResult<Vec<Type>> {
        match group.variadicity {
            Variadicity::One => Ok(vec![self.parse_type()?]),
            Variadicity::Optional if self.at_type() => Ok(vec![self.parse_type()?]),
            Variadicity::Variadic if self.at_type() || self.at(TokenKind::End) => {
                self.parse_type_list()
            }
            _ => Ok(Vec::new()),
        }
    }

    fn resolve_parts(
        &mut self,
        place: Token,
        definition: &'static OperationDefinition,
        state: &mut OperationState,
        parts: &Parts,
    ) -> ParseResult<()> {
        let operands: Vec<_> = match &parts.all_operands {
            Some(all) => all.clone(),
            None => parts.operands.iter().flatten().copied().collect(),
        };
        if let Some((inputs, results)) = &parts.all_types {
            state.operands = self
                .resolve_op_operands(state, place, &operands, inputs)?
                .into();
            state.result_types = results.as_slice().into();
        } else {
            let shared = self.shared_type(definition, parts);
            for (group, declared) in definition.operands.iter().enumerate() {
                let names = &parts.operands[group];
                let types = match (
                    &parts.operand_types[group],
                    declared.constraint.build,
                    shared,
                ) {
                    (Some(types), _, _) => types.clone(),
                    (None, Some(build), _) => vec![build(self.context); names.len()],
                    (None, None, Some(ty)) => vec![ty; names.len()],
                    (None, None, None) => Vec::new(),
                };
                let values = self.resolve_op_operands(state, place, names, &types)?;
                state.operands.extend(values);
            }
            for (group, declared) in definition.results.iter().enumerate() {
                match (
                    &parts.result_types[group],
                    declared.constraint.build,
                    shared,
                ) {
                    (Some(types), _, _) => state.result_types.extend_from_slice(types),
                    (None, _, Some(ty))
                        if definition.has_trait(Trait::SameOperandsAndResultType) =>
                    {
                        state.result_types.push(ty);
                    }
                    // An optional group without written types is absent.
                    (None, Some(build), _) if declared.variadicity == Variadicity::One => {
                        state.result_types.push(build(self.context));
                    }
                    _ => {}
                }
            }
        }
        self.record_segments(definition, state, parts);
        Ok(())
    }

    /// The type that a trait requires all operands to have: that of the first known group.
    fn shared_type(&mut self, definition: &OperationDefinition, parts: &Parts) -> Option<Type> {
        let same = definition.has_trait(Trait::SameOperandsAndResultType)
            || definition.has_trait(Trait::SameTypeOperands);
        let known = parts
            .operand_types
            .iter()
            .chain(&parts.result_types)
            .flatten()
            .flatten();
        known.copied().next().filter(|_| same)
    }

    fn record_segments(
        &mut self,
        definition: &'static OperationDefinition,
        state: &mut OperationState,
        parts: &Parts,
    ) {
        let size = |length: usize| i32::try_from(length).unwrap_or(i32::MAX);
        if definition.has_trait(Trait::AttrSizedOperandSegments) && parts.all_operands.is_none() {
            let sizes: Vec<_> = parts
                .operands
                .iter()
                .map(|group| size(group.len()))
                .collect();
            let sizes = Attribute::i32_array(self.context, &sizes);
            state.set_property(self.context, OPERAND_SEGMENTS, sizes);
        }
        if definition.has_trait(Trait::AttrSizedResultSegments) && parts.all_types.is_none() {
            let sizes: Vec<_> = parts
                .result_types
                .iter()
                .map(|types| types.as_ref().map_or(1, |types| size(types.len())))
                .collect();
            let sizes = Attribute::i32_array(self.context, &sizes);
            state.set_property(self.context, RESULT_SEGMENTS, sizes);
        }
    }
}

/// The type of an attribute that formats omit, by the form of the attribute.
fn short_type(summary: &str) -> Option<Type> {
    match summary {
        "32-bit signless integer attribute" => Some(Type::I32),
        "64-bit signless integer attribute" => Some(Type::I64),
        "8-bit signless integer attribute" => Some(Type::I8),
        // A `:` after the string belongs to the format.
        "string attribute" => Some(Type::NONE),
        _ => None,
    }
}
