//! Parsing of operations, in generic and custom form, and the top level of a file.

use smallvec::{SmallVec, smallvec};

use super::name_key::Name;
use super::scopes::{MAX_RESULTS, NameUse};
use super::suffix_cache::Signature;
use super::{ParseError, ParseResult, Parser, Token, TokenKind};
use crate::declare::{Assembly, OperationDefinition, Trait};
use crate::entities::{Block, Operation, OperationState, Region};
use crate::{Attribute, AttributeKind, Context, Identifier, Location, OperationName, Type};

/// A result name and the number of values it names.
struct ResultName {
    name: Name,
    count: u32,
    token: Token,
}

impl Parser<'_> {
    /// Parses the whole text. The operations are put into a module, or must be a single one.
    pub(super) fn top_level(&mut self, implicit_module: bool) -> ParseResult<Operation> {
        let block = Block::new(self.context, &[]);
        let result = self.parse_top_level_items(block);
        let deferred = result.and_then(|()| self.resolve_deferred_locations());
        let finished = deferred.and_then(|locations| {
            self.check_blocks_defined()?;
            self.check_values_defined()?;
            if !locations.is_empty() {
                replace_deferred(self.context, block, &locations);
            }
            if implicit_module {
                Ok(wrap_in_module(self.context, self.file, block))
            } else {
                only_operation(self.context, self.file, block)
            }
        });
        if finished.is_err() {
            self.discard_block(block);
            self.discard_undefined();
        }
        finished
    }

    fn parse_top_level_items(&mut self, block: Block) -> ParseResult<()> {
        loop {
            match self.token().kind {
                TokenKind::End => return Ok(()),
                TokenKind::HashIdentifier => self.parse_attribute_alias_definition()?,
                TokenKind::ExclamationIdentifier => self.parse_type_alias_definition()?,
                TokenKind::MetadataBegin => self.parse_file_metadata()?,
                _ => {
                    self.forget_text();
                    let op = self.parse_operation()?;
                    block.append(self.context, op);
                }
            }
        }
    }

    /// Parses one operation and returns it detached.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_operation(&mut self) -> ParseResult<Operation> {
        let mut names: SmallVec<[ResultName; 1]> = SmallVec::new();
        let first = self.token();
        if self.at(TokenKind::PercentIdentifier) {
            loop {
                names.push(self.parse_result_name()?);
                if !self.eat(TokenKind::Comma)? {
                    break;
                }
            }
            self.expect(TokenKind::Equal, "expected '=' after SSA name")?;
        }
        let op = match self.token().kind {
            TokenKind::String => self.parse_generic()?,
            TokenKind::BareIdentifier if !is_integer_type(self.current()) => self.parse_custom()?,
            _ => return Err(self.wrong_token("expected operation name in quotes")),
        };
        let bound = self.bind_results(first, op, &names);
        if bound.is_err() {
            self.discard_operation(op);
        }
        bound.map(|()| op)
    }

    fn parse_result_name(&mut self) -> ParseResult<ResultName> {
        if !self.at(TokenKind::PercentIdentifier) {
            return Err(self.wrong_token("expected valid ssa identifier"));
        }
        let name = self.name_in(self.token());
        let token = self.advance()?;
        let mut count = 1;
        if self.eat(TokenKind::Colon)? {
            if !self.at(TokenKind::Integer) {
                return Err(self.error("expected integer number of results"));
            }
            count = match self.current().parse::<u32>() {
                Ok(count) if (1..MAX_RESULTS).contains(&count) => count,
                _ => return Err(self.error("expected named operation to have at least 1 result")),
            };
            self.advance()?;
        }
        Ok(ResultName { name, count, token })
    }

    fn bind_results(
        &mut self,
        first: Token,
        op: Operation,
        names: &[ResultName],
    ) -> ParseResult<()> {
        if names.is_empty() {
            return Ok(());
        }
        let results = op.result_count(self.context);
        if results == 0 {
            return Err(self.error_at(first, "cannot name an operation with no results"));
        }
        let bound: usize = names.iter().map(|name| name.count as usize).sum();
        if bound != results {
            let message =
                format!("operation defines {results} results but was provided {bound} to bind");
            return Err(self.error_at(first, &message));
        }
        let mut number = 0;
        for name in names {
            let value = op.result(self.context, number);
            self.define_name(name.name, name.token, value, name.count)?;
            number += name.count as usize;
        }
        Ok(())
    }

    fn parse_generic(&mut self) -> ParseResult<Operation> {
        let token = self.token();
        let name = self.parse_generic_name()?;
        let definition = name.definition(self.context);
        if definition.is_none() {
            self.check_unregistered(token, name)?;
        }
        let location = self.location_of(token);
        let mut state = OperationState::new(name, location);
        let parsed = self.parse_generic_rest(token, definition, &mut state);
        if parsed.is_err() {
            self.discard_regions(&state.regions);
        }
        parsed.map(|()| Operation::create(self.context, &state))
    }

    /// Parses the quoted name of an operation.
    fn parse_generic_name(&mut self) -> ParseResult<OperationName> {
        let token = self.token();
        let text = self.lexer.spelling(token);
        let plain = &text[1..text.len() - 1];
        if !plain.is_empty() && !plain.bytes().any(|byte| matches!(byte, b'\\' | 0)) {
            let name = self.context.generic_name(plain);
            self.advance()?;
            return Ok(name);
        }
        let name = self.parse_string()?;
        if name.is_empty() {
            return Err(self.error_at(token, "empty operation name is invalid"));
        }
        if name.contains('\0') {
            return Err(self.error_at(token, "null character not allowed in operation name"));
        }
        Ok(OperationName::new(self.context, &name))
    }

    /// Parses the part of the generic form after the name.
    fn parse_generic_rest(
        &mut self,
        token: Token,
        definition: Option<&'static OperationDefinition>,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let operands = self.parse_generic_operands()?;
        if self.at(TokenKind::LeftSquare) {
            if definition.is_some_and(|d| !d.has_trait(Trait::Terminator)) {
                return Err(self.error("successors in non-terminator"));
            }
            state.successors = self.parse_successors()?.into();
        }
        if self.at(TokenKind::LeftParen) {
            self.parse_generic_regions(state)?;
        }
        if let Some(signature) = self.parse_known_suffix(state, operands.len())? {
            for (name, ty) in operands.iter().zip(&signature.inputs) {
                let value = self.resolve_name(name, *ty)?;
                state.operands.push(value);
            }
        } else {
            self.parse_new_suffix(token, definition, state, &operands)?;
        }
        state.location = self.parse_trailing_location(state.location)?;
        Ok(())
    }

    /// Parses the part after the operands and successors, or after the regions if they are already
    /// parsed.
    fn parse_new_suffix(
        &mut self,
        token: Token,
        definition: Option<&'static OperationDefinition>,
        state: &mut OperationState,
        operands: &[NameUse],
    ) -> ParseResult<()> {
        let start = self.start_text();
        let regions = state.regions.len();
        let (types, extent) = self.measured(|parser| {
            if regions == 0 && parser.at(TokenKind::Less) {
                let parse = |parser: &mut Self| parser.parse_generic_properties(token, definition);
                let name = state.name;
                state.properties =
                    parser.parse_part(name, |caches| &mut caches.properties, parse)?;
                if parser.at(TokenKind::LeftParen) {
                    parser.parse_generic_regions(state)?;
                }
            }
            let attributes = parser.parse_optional_dictionary()?;
            parser.set_attributes(token, state, &attributes)?;
            parser.parse_generic_types(state, operands)
        })?;
        // The text of regions is not kept.
        if state.regions.len() == regions {
            self.remember_suffix(start, extent, state, types);
        }
        Ok(())
    }

    fn check_unregistered(&mut self, token: Token, name: OperationName) -> ParseResult<()> {
        let dialect = name.dialect(self.context);
        if self.context.dialect(dialect).is_some() {
            let text = name.text(self.context);
            let message = format!(
                "unregistered operation '{text}' found in dialect ('{dialect}') that does not \
                 allow unknown operations"
            );
            return Err(self.error_at(token, &message));
        }
        if self.context.allows_unregistered_dialect(dialect) {
            return Ok(());
        }
        let message = "operation being parsed with an unregistered dialect. If this is intended, \
                       please use -allow-unregistered-dialect with the MLIR tool used";
        Err(self.error_at(token, message))
    }

    fn parse_generic_operands(&mut self) -> ParseResult<SmallVec<[NameUse; 4]>> {
        self.expect(TokenKind::LeftParen, "expected '(' to start operand list")?;
        let mut operands = SmallVec::new();
        if !self.at(TokenKind::PercentIdentifier) && !self.at(TokenKind::RightParen) {
            return Err(self.wrong_token("expected ')' to end operand list"));
        }
        self.comma_list_until(
            TokenKind::RightParen,
            "expected ')' to end operand list",
            |parser| {
                operands.push(parser.parse_name_use("expected SSA operand")?);
                Ok(())
            },
        )?;
        Ok(operands)
    }

    /// Parses the properties of an operation; an unregistered operation accepts any attribute.
    fn parse_generic_properties(
        &mut self,
        token: Token,
        definition: Option<&'static OperationDefinition>,
    ) -> ParseResult<Attribute> {
        self.advance()?;
        let properties = self.parse_attribute()?;
        self.expect(TokenKind::Greater, "expected '>' to close properties")?;
        match definition {
            Some(definition) => self.known_properties(token, definition, properties),
            None if properties == Attribute::EMPTY_DICTIONARY => {
                Ok(Attribute::empty_properties(self.context))
            }
            None => Ok(properties),
        }
    }

    /// Selects the declared properties; others are dropped, as in MLIR.
    fn known_properties(
        &mut self,
        token: Token,
        definition: &'static OperationDefinition,
        properties: Attribute,
    ) -> ParseResult<Attribute> {
        let mut problem = None;
        let mut known = Vec::new();
        for (key, value) in properties.entries(self.context) {
            let name = key.text(self.context);
            if definition.is_segment_key(name) {
                known.push((*key, *value));
            } else if let Some(attribute) = definition.attribute(name) {
                if !(attribute.constraint.storage)(self.context, *value) {
                    let value = crate::printer::attribute_to_string(self.context, *value);
                    problem = Some(format!(
                        "Invalid attribute `{name}` in property conversion: {value}"
                    ));
                    break;
                }
                known.push((*key, *value));
            }
        }
        let none = definition.attributes.is_empty()
            && !definition.has_trait(Trait::AttrSizedOperandSegments)
            && !definition.has_trait(Trait::AttrSizedResultSegments);
        if none {
            problem = Some("this operation does not support properties".to_owned());
        } else if !matches!(properties.kind(self.context), AttributeKind::Dictionary(_)) {
            problem = Some("expected DictionaryAttr to set properties".to_owned());
        }
        let Some(problem) = problem else {
            return Ok(if known.len() == properties.entries(self.context).len() {
                properties
            } else {
                Attribute::dictionary(self.context, &known)
            });
        };
        let properties = crate::printer::attribute_to_string(self.context, properties);
        let name = definition.name;
        let message = format!("invalid properties {properties} for op {name}: {problem}");
        Err(self.error_at(token, &message))
    }

    /// Parses regions. As in MLIR, operation names without a dialect use the default dialect of the
    /// enclosing operation: only a custom form changes it.
    fn parse_generic_regions(&mut self, state: &mut OperationState) -> ParseResult<()> {
        self.expect(TokenKind::LeftParen, "expected '('")?;
        loop {
            state.regions.push(self.parse_region(&[])?);
            if !self.eat(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "expected ')' to end region list")?;
        Ok(())
    }

    fn parse_generic_types(
        &mut self,
        state: &mut OperationState,
        operands: &[NameUse],
    ) -> ParseResult<SmallVec<[Type; 4]>> {
        self.expect(TokenKind::Colon, "expected ':' followed by operation type")?;
        let place = self.token();
        if !self.at(TokenKind::LeftParen) {
            self.parse_type()?;
            return Err(self.error_at(place, "expected function type"));
        }
        let name = state.name;
        let signature =
            self.parse_part(name, |caches| &mut caches.signatures, Self::parse_signature)?;
        let types = signature.inputs;
        state.result_types = signature.results;
        if types.len() != operands.len() {
            let plural = if operands.len() == 1 { "" } else { "s" };
            let message = format!(
                "expected {} operand type{plural} but had {}",
                operands.len(),
                types.len()
            );
            return Err(self.error_at(place, &message));
        }
        for (name, ty) in operands.iter().zip(&types) {
            let value = self.resolve_name(name, *ty)?;
            state.operands.push(value);
        }
        Ok(types)
    }

    /// Parses `(i32, i32) -> i32`.
    fn parse_signature(&mut self) -> ParseResult<Signature> {
        let inputs = self.parse_type_list_parens()?.into();
        self.expect(TokenKind::Arrow, "expected '->' in function type")?;
        let results = if self.at(TokenKind::LeftParen) {
            self.parse_type_list_parens()?.into()
        } else {
            smallvec![self.parse_type()?]
        };
        Ok(Signature { inputs, results })
    }

    /// Splits attributes into inherent and discardable ones, and fills in defaults.
    pub(super) fn set_attributes(
        &mut self,
        token: Token,
        state: &mut OperationState,
        attributes: &[(Identifier, Attribute)],
    ) -> ParseResult<()> {
        let Some(definition) = state.name.definition(self.context) else {
            state.attributes = Attribute::dictionary(self.context, attributes);
            return Ok(());
        };
        state
            .sort_attributes(self.context, definition, attributes)
            .map_err(|message| self.error_at(token, &message))
    }

    fn parse_custom(&mut self) -> ParseResult<Operation> {
        let token = self.token();
        let (name, definition) = self.resolve_custom_name(token)?;
        self.advance()?;
        let location = self.location_of(token);
        let mut state = OperationState::new(name, location);
        self.default_dialects.push(definition.default_dialect);
        let held = self.held_count();
        let parsed = self.nested(|parser| match definition.assembly {
            Assembly::Custom { parse, .. } => parse(parser, &mut state),
            Assembly::Format(_) => parser.parse_format(definition, &mut state),
            Assembly::Generic => {
                let message = format!(
                    "'{}' has no custom assembly; print it with --mlir-print-op-generic",
                    definition.name
                );
                Err(parser.error_at(token, &message))
            }
        });
        self.default_dialects.pop();
        let finished = parsed.and_then(|()| {
            self.fill_defaults(token, &mut state)?;
            state.location = self.parse_trailing_location(location)?;
            Ok(())
        });
        if finished.is_err() {
            self.discard_regions(&state.regions);
        }
        finished.map(|()| {
            self.release_held(held);
            Operation::create(self.context, &state)
        })
    }

    /// Splits the attributes collected by custom assembly as in the generic form, and fills in
    /// defaults.
    fn fill_defaults(&mut self, token: Token, state: &mut OperationState) -> ParseResult<()> {
        let attributes = std::mem::replace(&mut state.attributes, Attribute::EMPTY_DICTIONARY);
        let entries = attributes.entries(self.context).to_vec();
        self.set_attributes(token, state, &entries)
    }

    fn resolve_custom_name(
        &mut self,
        token: Token,
    ) -> ParseResult<(OperationName, &'static OperationDefinition)> {
        let text = self.spelling(token).to_owned();
        let mut candidates = vec![text.clone()];
        // As in MLIR, a dot without text after it does not form a prefix.
        if text.split_once('.').is_none_or(|(_, rest)| rest.is_empty()) {
            let default = self.default_dialects.last().copied().unwrap_or_default();
            candidates.push(format!("{default}.{text}"));
        }
        for candidate in &candidates {
            let name = OperationName::new(self.context, candidate);
            if let Some(definition) = name.definition(self.context) {
                return Ok((name, definition));
            }
        }
        Err(self.unknown_custom(token, &candidates))
    }

    fn unknown_custom(&mut self, token: Token, candidates: &[String]) -> ParseError {
        let text = &candidates[0];
        if let Some(tried) = candidates.get(1).filter(|tried| !tried.starts_with('.')) {
            let message = format!("custom op '{text}' is unknown (tried '{tried}' as well)");
            return self.error_at(token, &message);
        }
        // A name without a prefix, outside any default dialect.
        let bare = candidates.len() > 1;
        let dialect = if bare {
            ""
        } else {
            text.split('.').next().unwrap_or_default()
        };
        if self.context.dialect(dialect).is_some() {
            return self.error_at(token, &format!("custom op '{text}' is unknown"));
        }
        let known: Vec<_> = self
            .context
            .dialects()
            .iter()
            .map(|dialect| dialect.name)
            .collect();
        let note = format!(
            "Available dialects: {}; operations of other dialects are read in generic form: print \
             them with --mlir-print-op-generic",
            known.join(", ")
        );
        let tried = if bare {
            format!(" (tried '.{text}' as well)")
        } else {
            String::new()
        };
        let message = format!("Dialect `{dialect}' not found for custom op '{text}' {tried}");
        let location = self.location_of(token);
        self.error_with_note(token, &message, location, &note)
    }
}

/// Whether an identifier is an integer type such as `i32` or `si8`; all other identifiers may name
/// operations.
fn is_integer_type(word: &str) -> bool {
    let digits = word.trim_start_matches(['s', 'u']).strip_prefix('i');
    digits.is_some_and(|digits| {
        word.len() - digits.len() <= 2
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The only operation in the block of a file, detached.
///
/// # Errors
/// If there is not exactly one.
pub(crate) fn only_operation(
    context: &mut Context,
    file: Identifier,
    block: Block,
) -> ParseResult<Operation> {
    let count = block.operations(context).count();
    match block.first_op(context) {
        Some(only) if count == 1 => {
            only.detach(context);
            block.erase(context);
            Ok(only)
        }
        _ => {
            let location = Location::file(context, file, 0, 0);
            let message =
                format!("source must contain a single top-level operation, found: {count}");
            context.error(location, message);
            Err(ParseError)
        }
    }
}

/// The only operation in the block of a file if it is a module; otherwise a new module that
/// contains all of them.
pub(crate) fn wrap_in_module(context: &mut Context, file: Identifier, block: Block) -> Operation {
    if let Some(only) = block.first_op(context)
        && only.next(context).is_none()
        && only.is(context, "builtin.module")
    {
        only.detach(context);
        block.erase(context);
        return only;
    }
    let region = Region::new(context);
    region.append_block(context, block);
    let name = OperationName::new(context, "builtin.module");
    // As in MLIR, the implicit module has line 0 of the file.
    let location = Location::file(context, file, 0, 0);
    let mut state = OperationState::new(name, location);
    state.regions.push(region);
    Operation::create(context, &state)
}

/// Replaces the placeholders of deferred aliases with the resolved locations.
fn replace_deferred(context: &mut Context, block: Block, locations: &[Location]) {
    let resolve = |location: Location| {
        location
            .as_deferred()
            .and_then(|number| locations.get(number as usize))
            .copied()
    };
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        for position in 0..block.argument_count(context) {
            if let Some(location) = resolve(block.argument_location(context, position)) {
                block.set_argument_location(context, position, location);
            }
        }
        let mut current = block.first_op(context);
        while let Some(op) = current {
            if let Some(location) = resolve(op.location(context)) {
                op.set_location(context, location);
            }
            for region in op.regions(context) {
                blocks.extend(region.blocks(context));
            }
            current = op.next(context);
        }
    }
}
