//! Names of values and blocks during parsing.
//!
//! A region sees the names of the enclosing regions, may not redefine them, and drops its own names
//! at its end; as in MLIR, this also holds for operations isolated from above. A value may be used
//! before its definition: a placeholder is created, which the definition replaces.

use std::collections::hash_map::Entry::{Occupied, Vacant};

use rustc_hash::FxHashMap;

use super::name_key::Name;
use super::{ParseError, ParseResult, Parser, Token};
use crate::entities::{Block, Operation, OperationState, Value};
use crate::{Location, OperationName, Type};

/// The values of a name: consecutive values, the results of one operation, or one argument.
#[derive(Clone, Copy, Debug)]
struct Definition {
    first: Value,
    count: u32,
    location: Location,
}

/// A placeholder for a value that is used before its definition.
#[derive(Clone, Copy, Debug)]
struct Forward {
    number: u32,
    value: Value,
    location: Location,
    /// The number of operations with custom form in progress that have it as an operand.
    holders: u32,
}

#[derive(Debug, Default)]
struct ValueScope {
    names: FxHashMap<Name, Definition>,
    /// Defined names, in order; leaving a region truncates the list to its length at entry.
    defined: Vec<Name>,
    /// Placeholders of each name, ordered by result index.
    forward: FxHashMap<Name, Vec<Forward>>,
    /// The held placeholders, by name and result index, of all enclosing operations in progress.
    held: Vec<(Name, u32)>,
}

impl ValueScope {
    fn forward(&mut self, name: Name, number: u32) -> Option<&mut Forward> {
        let numbers = self.forward.get_mut(&name)?;
        let index = numbers.binary_search_by_key(&number, |entry| entry.number);
        index.ok().map(|index| &mut numbers[index])
    }
}

#[derive(Debug, Default)]
struct BlockScope {
    blocks: FxHashMap<Name, (Block, Location, bool)>,
}

/// All names in scope.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    values: ValueScope,
    blocks: Vec<BlockScope>,
    /// Placeholders and blocks of names that went out of scope without a definition.
    lost: (Vec<Operation>, Vec<Block>),
}

impl Scopes {
    /// Takes the placeholders and blocks of names that were used but not defined.
    pub(super) fn take_undefined(
        &mut self,
        context: &crate::Context,
    ) -> (Vec<Operation>, Vec<Block>) {
        let (mut placeholders, mut blocks) = std::mem::take(&mut self.lost);
        let forward = self.values.forward.values().flatten();
        placeholders.extend(forward.filter_map(|entry| entry.value.defining_op(context)));
        let named = self.blocks.iter().flat_map(|scope| scope.blocks.values());
        blocks.extend(
            named
                .filter(|(_, _, defined)| !defined)
                .map(|entry| entry.0),
        );
        (placeholders, blocks)
    }
}

/// A use of a value by name whose type is not known yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameUse {
    pub(super) name: Name,
    pub(super) number: u32,
    pub(super) token: Token,
}

impl Parser<'_> {
    /// Enters a region; the result must be passed to [`Parser::leave_region`].
    pub(super) fn enter_region(&mut self) -> usize {
        self.scopes.blocks.push(BlockScope::default());
        self.scopes.values.defined.len()
    }

    /// Leaves a completely parsed region.
    pub(super) fn leave_region(&mut self, mark: usize) -> ParseResult<()> {
        self.check_blocks_defined()?;
        let scope = &mut self.scopes.values;
        for name in scope.defined.drain(mark..) {
            scope.names.remove(&name);
        }
        Ok(())
    }

    /// Checks at the end of the text that every used value is defined.
    pub(super) fn check_values_defined(&mut self) -> ParseResult<()> {
        let entries = self.scopes.values.forward.values().flatten();
        let mut undefined: Vec<Location> = entries.map(|entry| entry.location).collect();
        if undefined.is_empty() {
            return Ok(());
        }
        undefined.sort_by_cached_key(|location| location.position(self.context));
        self.report_undefined(&undefined, "use of undeclared SSA value name");
        Err(ParseError)
    }

    /// Emits an error for each location, up to [`MAX_REPORTED`].
    fn report_undefined(&mut self, places: &[Location], message: &str) {
        for (number, location) in places.iter().enumerate() {
            if number == MAX_REPORTED {
                let message = format!("{message}, and {} more", places.len() - number);
                self.context.error(*location, message);
                return;
            }
            self.context.error(*location, message);
        }
    }

    /// The key of the name in a token with a sigil.
    #[inline]
    pub(super) fn name_in(&mut self, token: Token) -> Name {
        let text = self.lexer.text_from(token.start + 1);
        Name::new(self.context, text, token.length as usize - 1)
    }

    /// The value of a name with the given type; a placeholder if it is not defined yet.
    pub(super) fn resolve_name(&mut self, name_use: &NameUse, ty: Type) -> ParseResult<Value> {
        let Some(known) = self.scopes.values.names.get(&name_use.name).copied() else {
            return self.resolve_forward(name_use, ty);
        };
        if name_use.number >= known.count {
            return Err(self.error_at(name_use.token, "reference to invalid result number"));
        }
        let value = Value::at(self.context, known.first.index + name_use.number);
        if value.ty(self.context) != ty {
            return Err(self.other_type(name_use, value, ty, known.location));
        }
        Ok(value)
    }

    #[cold]
    fn other_type(
        &mut self,
        name_use: &NameUse,
        value: Value,
        wanted: Type,
        prior: Location,
    ) -> ParseError {
        let name = name_use.name.text(self.context);
        let known = crate::printer::type_to_string(self.context, value.ty(self.context));
        let wanted = crate::printer::type_to_string(self.context, wanted);
        let message = format!(
            "use of value '%{name}' expects different type than prior uses: '{wanted}' vs '{known}'"
        );
        self.error_with_note(name_use.token, &message, prior, "prior use here")
    }

    /// The placeholder for a result of a name that is not defined yet.
    fn resolve_forward(&mut self, name_use: &NameUse, ty: Type) -> ParseResult<Value> {
        let NameUse {
            name,
            number,
            token,
        } = *name_use;
        if let Some(entry) = self.scopes.values.forward(name, number).copied() {
            if entry.value.ty(self.context) == ty {
                return Ok(entry.value);
            }
            return Err(self.other_type(name_use, entry.value, ty, entry.location));
        }
        if number >= MAX_RESULTS {
            return Err(self.error_at(token, "reference to invalid result number"));
        }
        let location = self.location_of(token);
        let value = self.placeholder(ty, location);
        let numbers = self.scopes.values.forward.entry(name).or_default();
        let index = numbers.partition_point(|entry| entry.number < number);
        let entry = Forward {
            number,
            value,
            location,
            holders: 0,
        };
        numbers.insert(index, entry);
        Ok(value)
    }

    /// Resolves an operand of an operation whose custom form is being parsed. The operation does
    /// not exist yet; its placeholders must not be replaced before it is created.
    pub(super) fn resolve_held(&mut self, name_use: &NameUse, ty: Type) -> ParseResult<Value> {
        let value = self.resolve_name(name_use, ty)?;
        let scope = &mut self.scopes.values;
        if !scope.forward.is_empty()
            && let Some(entry) = scope.forward(name_use.name, name_use.number)
        {
            entry.holders += 1;
            scope.held.push((name_use.name, name_use.number));
        }
        Ok(value)
    }

    /// The number of held placeholders; the result must be passed to [`Parser::release_held`].
    pub(super) fn held_count(&self) -> usize {
        self.scopes.values.held.len()
    }

    /// Releases the placeholders held for an operation that is now being created.
    pub(super) fn release_held(&mut self, mark: usize) {
        let scope = &mut self.scopes.values;
        while scope.held.len() > mark {
            if let Some((name, number)) = scope.held.pop()
                && let Some(entry) = scope.forward(name, number)
            {
                entry.holders -= 1;
            }
        }
    }

    /// The type of a value that is already defined or used; `None` for an unknown name.
    pub(super) fn known_type(&mut self, name_use: &NameUse) -> Option<Type> {
        let scope = &mut self.scopes.values;
        let value = match scope.names.get(&name_use.name) {
            Some(known) if name_use.number < known.count => {
                Value::at(self.context, known.first.index + name_use.number)
            }
            Some(_) => return None,
            None => scope.forward(name_use.name, name_use.number)?.value,
        };
        Some(value.ty(self.context))
    }

    fn placeholder(&mut self, ty: Type, location: Location) -> Value {
        let name = OperationName::new(self.context, "builtin.unrealized_conversion_cast");
        let mut state = OperationState::new(name, location);
        state.result_types.push(ty);
        Operation::create(self.context, &state).result(self.context, 0)
    }

    /// Checks that the name of an argument declared outside its region is not already in use.
    pub(super) fn check_argument_name(&mut self, argument: &NameUse) -> ParseResult<()> {
        let NameUse { name, token, .. } = *argument;
        let scope = &self.scopes.values;
        let first = |numbers: &Vec<Forward>| {
            let first = numbers.first().filter(|entry| entry.number == 0);
            first.map(|entry| entry.location)
        };
        let known = scope.names.get(&name).map(|known| known.location);
        let Some(location) = known.or_else(|| scope.forward.get(&name).and_then(first)) else {
            return Ok(());
        };
        let name = name.text(self.context);
        let message = format!("region entry argument '%{name}' is already in use");
        let note = "previously referenced here";
        Err(self.error_with_note(token, &message, location, note))
    }

    /// Binds `name` (without result index) to `count` consecutive values.
    pub(super) fn define_name(
        &mut self,
        name: Name,
        token: Token,
        first: Value,
        count: u32,
    ) -> ParseResult<()> {
        let location = self.location_of(token);
        let scope = &mut self.scopes.values;
        match scope.names.entry(name) {
            Occupied(entry) => {
                let prior = entry.get().location;
                let name = name.text(self.context);
                let message = format!("redefinition of SSA value '%{name}'");
                let note = "previously defined here";
                return Err(self.error_with_note(token, &message, prior, note));
            }
            Vacant(entry) => {
                entry.insert(Definition {
                    first,
                    count,
                    location,
                });
            }
        }
        scope.defined.push(name);
        if scope.forward.is_empty() {
            return Ok(());
        }
        let Some(placeholders) = scope.forward.remove(&name) else {
            return Ok(());
        };
        let replaced = self.replace_placeholders(name, token, &placeholders, first, count);
        if replaced.is_err() {
            let context = &*self.context;
            let live = placeholders
                .iter()
                .filter(|entry| entry.value.is_live(context));
            let placeholders = live.filter_map(|entry| entry.value.defining_op(context));
            self.scopes.lost.0.extend(placeholders);
        }
        replaced
    }

    /// Replaces the placeholders of a name with its values.
    fn replace_placeholders(
        &mut self,
        name: Name,
        token: Token,
        placeholders: &[Forward],
        first: Value,
        count: u32,
    ) -> ParseResult<()> {
        for entry in placeholders {
            // As in MLIR, a value defined in a region is not visible to the enclosing operation.
            if entry.number >= count || entry.holders > 0 {
                self.context
                    .error(entry.location, "use of undeclared SSA value name");
                return Err(ParseError);
            }
            let value = Value::at(self.context, first.index + entry.number);
            self.replace_placeholder(name, token, *entry, value)?;
        }
        Ok(())
    }

    fn replace_placeholder(
        &mut self,
        name: Name,
        token: Token,
        entry: Forward,
        value: Value,
    ) -> ParseResult<()> {
        let (used, defined) = (entry.value.ty(self.context), value.ty(self.context));
        if used != defined {
            let used = crate::printer::type_to_string(self.context, used);
            let defined = crate::printer::type_to_string(self.context, defined);
            let (name, number) = (name.text(self.context), entry.number);
            let message =
                format!("definition of SSA value '%{name}#{number}' has type '{defined}'");
            let note = format!("previously used here with type '{used}'");
            return Err(self.error_with_note(token, &message, entry.location, &note));
        }
        entry.value.replace_all_uses_with(self.context, value);
        if let Some(op) = entry.value.defining_op(self.context) {
            op.erase(self.context);
        }
        Ok(())
    }

    /// The block of a name, created if it is not defined yet.
    pub(super) fn block_named(&mut self, token: Token) -> Block {
        let name = self.name_in(token);
        let location = self.location_of(token);
        if self.scopes.blocks.is_empty() {
            self.scopes.blocks.push(BlockScope::default());
        }
        let last = self.scopes.blocks.len() - 1;
        let context = &mut *self.context;
        let blocks = &mut self.scopes.blocks[last].blocks;
        blocks
            .entry(name)
            .or_insert_with(|| (Block::new(context, &[]), location, false))
            .0
    }

    /// Marks a named block as defined at this point.
    pub(super) fn define_block(&mut self, token: Token) -> ParseResult<Block> {
        let block = self.block_named(token);
        let name = self.name_in(token);
        let location = self.location_of(token);
        let last = self.scopes.blocks.len() - 1;
        let Some(entry) = self.scopes.blocks[last].blocks.get_mut(&name) else {
            return Ok(block);
        };
        if entry.2 {
            let name = name.text(self.context);
            return Err(self.error_at(token, &format!("redefinition of block '^{name}'")));
        }
        *entry = (block, location, true);
        Ok(block)
    }

    /// Checks at the end of a region or of the text that every used block is defined.
    pub(super) fn check_blocks_defined(&mut self) -> ParseResult<()> {
        let Some(scope) = self.scopes.blocks.pop() else {
            return Ok(());
        };
        let mut undefined: Vec<Location> = scope
            .blocks
            .values()
            .filter(|(_, _, defined)| !defined)
            .map(|(_, location, _)| *location)
            .collect();
        let lost = scope.blocks.values().filter(|(_, _, defined)| !defined);
        self.scopes.lost.1.extend(lost.map(|entry| entry.0));
        undefined.sort_by_cached_key(|location| location.position(self.context));
        self.report_undefined(&undefined, "reference to an undefined block");
        if undefined.is_empty() {
            Ok(())
        } else {
            Err(ParseError)
        }
    }
}

/// The maximum number of undefined names that are reported individually.
const MAX_REPORTED: usize = 100;

/// The largest result index in `%name#index`, which bounds the table size for hostile input.
pub(super) const MAX_RESULTS: u32 = 1 << 24;
