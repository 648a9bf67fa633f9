//! Names of values and blocks while a text is parsed.
//!
//! A region sees the names around it, may not redefine them, and forgets its own at its end; that
//! holds for operations isolated from above too, as in MLIR. A value may be used before it is
//! defined: it gets a placeholder, which the definition replaces.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{ParseError, ParseResult, Parser, Token};
use crate::entities::{Block, Operation, OperationState, Value};
use crate::{Location, OperationName, Type};

/// What a number of a name stands for.
#[derive(Clone, Copy, Debug)]
struct Entry {
    value: Value,
    location: Location,
    /// A placeholder: used, but not defined yet.
    forward: bool,
}

type Numbers = SmallVec<[Option<Entry>; 1]>;

#[derive(Debug, Default)]
struct ValueScope<'a> {
    names: FxHashMap<&'a str, Numbers>,
    /// Names defined, in order; a region truncates the list to what it found.
    defined: Vec<&'a str>,
    forward: usize,
}

#[derive(Debug, Default)]
struct BlockScope<'a> {
    blocks: FxHashMap<&'a str, (Block, Location, bool)>,
}

/// All names in scope.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a> {
    values: ValueScope<'a>,
    blocks: Vec<BlockScope<'a>>,
    /// Placeholders and blocks of names that went out of scope undefined.
    lost: (Vec<Operation>, Vec<Block>),
}

impl Scopes<'_> {
    /// The placeholders and blocks of names that were used and not defined.
    pub(super) fn take_undefined(
        &mut self,
        context: &crate::Context,
    ) -> (Vec<Operation>, Vec<Block>) {
        let (mut placeholders, mut blocks) = std::mem::take(&mut self.lost);
        let entries = self.values.names.values().flatten().flatten();
        let forward = entries.filter(|entry| entry.forward);
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

/// A use of a value by name, before its type is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameUse<'a> {
    pub(super) name: &'a str,
    pub(super) number: u32,
    pub(super) token: Token,
}

impl<'a> Parser<'a> {
    /// Enters a region; the result goes to [`Parser::leave_region`].
    pub(super) fn enter_region(&mut self) -> usize {
        self.scopes.blocks.push(BlockScope::default());
        self.scopes.values.defined.len()
    }

    /// Leaves a region that was parsed to its end.
    pub(super) fn leave_region(&mut self, mark: usize) -> ParseResult<()> {
        self.check_blocks_defined()?;
        let scope = &mut self.scopes.values;
        for name in scope.defined.drain(mark..) {
            scope.names.remove(name);
        }
        Ok(())
    }

    /// Checks at the end of the text that every value that was used was defined.
    pub(super) fn check_values_defined(&mut self) -> ParseResult<()> {
        let scope = &self.scopes.values;
        if scope.forward == 0 {
            return Ok(());
        }
        let entries = scope.names.values().flatten().flatten();
        let mut undefined: Vec<Location> = entries
            .filter(|entry| entry.forward)
            .map(|entry| entry.location)
            .collect();
        undefined.sort_by_cached_key(|location| location.position(self.context));
        self.report_undefined(&undefined, "use of undeclared SSA value name");
        Err(ParseError)
    }

    /// Emits an error for each place, up to a number that a person still reads.
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

    /// The value a name stands for, of the given type; a placeholder if it is not defined yet.
    pub(super) fn resolve_name(&mut self, name_use: &NameUse<'a>, ty: Type) -> ParseResult<Value> {
        let NameUse {
            name,
            number,
            token,
        } = *name_use;
        let location = self.location_of(token);
        let numbers = self.scopes.values.names.entry(name).or_default();
        if let Some(Some(entry)) = numbers.get(number as usize).copied() {
            let known = entry.value.ty(self.context);
            if known == ty {
                return Ok(entry.value);
            }
            let known = crate::printer::type_to_string(self.context, known);
            let wanted = crate::printer::type_to_string(self.context, ty);
            let message = format!(
                "use of value '{name}' expects different type than prior uses: '{wanted}' vs '{known}'"
            );
            return Err(self.error_with_note(token, &message, entry.location, "prior use here"));
        }
        let defined = numbers
            .first()
            .copied()
            .flatten()
            .is_some_and(|first| !first.forward);
        if defined || number >= MAX_RESULTS {
            return Err(self.error_at(token, "reference to invalid result number"));
        }
        let value = self.placeholder(ty, location);
        let entry = Entry {
            value,
            location,
            forward: true,
        };
        let scope = &mut self.scopes.values;
        scope.forward += 1;
        let numbers = scope.names.entry(name).or_default();
        if numbers.len() <= number as usize {
            numbers.resize(number as usize + 1, None);
        }
        numbers[number as usize] = Some(entry);
        Ok(value)
    }

    /// The type of a value that is defined or used already; none for an unknown name.
    pub(super) fn known_type(&mut self, name_use: &NameUse<'a>) -> Option<Type> {
        let numbers = self.scopes.values.names.get(name_use.name)?;
        let value = numbers
            .get(name_use.number as usize)
            .copied()
            .flatten()?
            .value;
        Some(value.ty(self.context))
    }

    fn placeholder(&mut self, ty: Type, location: Location) -> Value {
        let name = OperationName::new(self.context, "builtin.unrealized_conversion_cast");
        let mut state = OperationState::new(name, location);
        state.result_types.push(ty);
        Operation::create(self.context, &state).result(self.context, 0)
    }

    /// Checks that an argument that is named outside its region has a name of its own.
    pub(super) fn check_argument_name(&mut self, argument: &NameUse<'a>) -> ParseResult<()> {
        let NameUse { name, token, .. } = *argument;
        let known = self.scopes.values.names.get(name);
        let known = known.and_then(|numbers| numbers.first().copied().flatten());
        let Some(entry) = known else {
            return Ok(());
        };
        let message = format!("region entry argument '{name}' is already in use");
        let note = "previously referenced here";
        Err(self.error_with_note(token, &message, entry.location, note))
    }

    /// Makes `name` (without number) stand for `values`.
    pub(super) fn define_name(
        &mut self,
        name: &'a str,
        token: Token,
        values: &[Value],
    ) -> ParseResult<()> {
        let location = self.location_of(token);
        let scope = &mut self.scopes.values;
        scope.defined.push(name);
        let old = scope.names.remove(name).unwrap_or_default();
        let new = values.iter().map(|&value| {
            Some(Entry {
                value,
                location,
                forward: false,
            })
        });
        scope.names.insert(name, new.collect());
        let replaced = self.replace_placeholders(name, token, &old, values);
        if replaced.is_err() {
            let forward = old.iter().flatten().filter(|entry| entry.forward);
            let live = forward.filter(|entry| entry.value.is_live(self.context));
            let context = &*self.context;
            let placeholders = live.filter_map(|entry| entry.value.defining_op(context));
            self.scopes.lost.0.extend(placeholders);
        }
        replaced
    }

    /// Puts the values of a name in the places of what was used before it was defined.
    fn replace_placeholders(
        &mut self,
        name: &str,
        token: Token,
        old: &Numbers,
        values: &[Value],
    ) -> ParseResult<()> {
        for (number, entry) in old.iter().enumerate() {
            let Some(entry) = entry else { continue };
            if !entry.forward {
                let message = format!("redefinition of SSA value '{name}'");
                let note = "previously defined here";
                return Err(self.error_with_note(token, &message, entry.location, note));
            }
            let Some(&value) = values.get(number) else {
                self.context
                    .error(entry.location, "use of undeclared SSA value name");
                return Err(ParseError);
            };
            self.replace_placeholder(name, number, token, *entry, value)?;
        }
        Ok(())
    }

    fn replace_placeholder(
        &mut self,
        name: &str,
        number: usize,
        token: Token,
        entry: Entry,
        value: Value,
    ) -> ParseResult<()> {
        let (used, defined) = (entry.value.ty(self.context), value.ty(self.context));
        if used != defined {
            let used = crate::printer::type_to_string(self.context, used);
            let defined = crate::printer::type_to_string(self.context, defined);
            let message = format!("definition of SSA value '{name}#{number}' has type '{defined}'");
            let note = format!("previously used here with type '{used}'");
            return Err(self.error_with_note(token, &message, entry.location, &note));
        }
        entry.value.replace_all_uses_with(self.context, value);
        if let Some(op) = entry.value.defining_op(self.context) {
            op.erase(self.context);
        }
        self.scopes.values.forward -= 1;
        Ok(())
    }

    /// The block a name stands for, created if it is not defined yet.
    pub(super) fn block_named(&mut self, name: &'a str, token: Token) -> Block {
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

    /// Marks a named block as defined here.
    pub(super) fn define_block(&mut self, name: &'a str, token: Token) -> ParseResult<Block> {
        let block = self.block_named(name, token);
        let location = self.location_of(token);
        let last = self.scopes.blocks.len() - 1;
        let Some(entry) = self.scopes.blocks[last].blocks.get_mut(name) else {
            return Ok(block);
        };
        if entry.2 {
            return Err(self.error_at(token, &format!("redefinition of block '{name}'")));
        }
        *entry = (block, location, true);
        Ok(block)
    }

    /// Checks at the end of a region, or of the text, that every block that was used was defined.
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

/// How many names are reported as undefined, each.
const MAX_REPORTED: usize = 100;

/// The largest number in `%name#number`, so that hostile input cannot ask for a huge table.
pub(super) const MAX_RESULTS: u32 = 1 << 24;
