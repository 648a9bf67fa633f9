//! The context: interned objects, IR entities and registered dialects.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::attributes::{Attribute, AttributeKind};
use crate::declare::format::{self, Element};
use crate::declare::{
    Assembly, AttributeDefinition, DialectDefinition, OperationDefinition, Trait, TraitSet,
    TypeDefinition, UNREGISTERED, dotless,
};
use crate::diagnostics::{DiagnosticSink, SourceMap};
use crate::entities::{
    BlockRecord, OperationExtra, OperationRecord, RegionRecord, UseRecord, ValueRecord,
};
use crate::identifier::Identifier;
use crate::location::LocationKind;
use crate::resources::Resources;
use crate::storage::arena::Arena;
use crate::storage::interner::Interner;
use crate::storage::runs::Runs;
use crate::storage::type_map::TypeMap;
use crate::types::{Type, TypeKind};

/// Owns all IR. Handles ([`crate::Operation`], [`crate::Value`], [`Type`], [`Attribute`], …) are
/// meaningful only together with the context that made them.
#[derive(Debug)]
pub struct Context {
    pub(crate) strings: Interner<Box<str>>,
    pub(crate) types: Interner<TypeKind>,
    pub(crate) attributes: Interner<AttributeKind>,
    pub(crate) locations: Interner<LocationKind>,
    pub(crate) operations: Arena<OperationRecord>,
    pub(crate) extras: Arena<OperationExtra>,
    pub(crate) regions: Arena<RegionRecord>,
    pub(crate) blocks: Arena<BlockRecord>,
    pub(crate) values: Runs<ValueRecord>,
    pub(crate) operands: Runs<UseRecord>,
    pub(crate) successors: Runs<UseRecord>,
    pub(crate) distinct: u32,
    /// Whether an attribute that is printed with an alias was ever created.
    pub(crate) has_aliases: bool,
    names: Vec<OperationNameRecord>,
    name_table: FxHashMap<Box<str>, OperationName>,
    /// The implementations attached to operations: one table for each interface.
    pub(crate) interfaces: TypeMap,
    dialects: Vec<&'static DialectDefinition>,
    type_definitions: FxHashMap<&'static str, &'static TypeDefinition>,
    attribute_definitions: FxHashMap<&'static str, &'static AttributeDefinition>,
    formats: FxHashMap<&'static str, Arc<[Element]>>,
    allow_unregistered: bool,
    /// Unregistered dialects that are accepted.
    opaque_dialects: Vec<&'static str>,
    /// Whether parameters of types and attributes of own dialects are parsed as plain attributes.
    pub(crate) plain_parameters: bool,
    /// Operations of own dialects whose names have several dots, keyed by the name in dotless form.
    dotless_names: FxHashMap<Box<str>, OperationName>,
    /// The sink for errors, warnings and remarks.
    pub diagnostics: DiagnosticSink,
    /// The source texts that locations refer to.
    pub sources: SourceMap,
    /// Entries of the file metadata section.
    pub resources: Resources,
}

#[derive(Debug)]
struct OperationNameRecord {
    text: Box<str>,
    definition: Option<&'static OperationDefinition>,
    traits: TraitSet,
}

/// The name of an operation: a `Copy` handle with access to the declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OperationName(pub(crate) u32);

impl OperationName {
    /// Interns a name.
    pub fn new(context: &mut Context, text: &str) -> Self {
        if let Some(&name) = context.name_table.get(text) {
            return name;
        }
        let name = OperationName(u32::try_from(context.names.len()).unwrap_or(u32::MAX));
        context.names.push(OperationNameRecord {
            text: text.into(),
            definition: None,
            traits: TraitSet::default(),
        });
        context.name_table.insert(text.into(), name);
        name
    }

    /// The name as text, for example `arith.addi`.
    #[inline]
    pub fn text(self, context: &Context) -> &str {
        &context.names[self.0 as usize].text
    }

    /// The declaration; `None` if the operation is not registered.
    #[inline]
    pub fn definition(self, context: &Context) -> Option<&'static OperationDefinition> {
        context.names[self.0 as usize].definition
    }

    /// True if the operation is registered and declared with the trait.
    #[inline]
    pub fn has_trait(self, context: &Context, wanted: Trait) -> bool {
        let record = &context.names[self.0 as usize];
        let known = record.traits.get(wanted);
        known.unwrap_or_else(|| record.definition.is_some_and(|d| d.has_trait(wanted)))
    }

    /// A dense index for tables keyed by name.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The part before the first dot.
    pub fn dialect(self, context: &Context) -> &str {
        let text = self.text(context);
        text.split_once('.').map_or(text, |(dialect, _)| dialect)
    }
}

impl Default for Context {
    fn default() -> Self {
        Context::new()
    }
}

impl Context {
    /// A context without dialects.
    pub fn new() -> Self {
        let mut context = Context {
            strings: Interner::default(),
            types: Interner::default(),
            attributes: Interner::default(),
            locations: Interner::default(),
            operations: Arena::default(),
            extras: Arena::default(),
            regions: Arena::default(),
            blocks: Arena::default(),
            values: Runs::default(),
            operands: Runs::default(),
            successors: Runs::default(),
            distinct: 0,
            has_aliases: false,
            names: Vec::new(),
            name_table: FxHashMap::default(),
            interfaces: TypeMap::default(),
            dialects: Vec::new(),
            type_definitions: FxHashMap::default(),
            attribute_definitions: FxHashMap::default(),
            formats: FxHashMap::default(),
            allow_unregistered: false,
            opaque_dialects: Vec::new(),
            plain_parameters: false,
            dotless_names: FxHashMap::default(),
            diagnostics: DiagnosticSink::default(),
            sources: SourceMap::default(),
            resources: Resources::default(),
        };
        Identifier::intern_constants(&mut context);
        Type::intern_constants(&mut context);
        Attribute::intern_constants(&mut context);
        context
    }

    /// Registers the operations, types and attributes of a dialect. Registering a dialect twice has
    /// no effect.
    ///
    /// # Panics
    /// If the assembly format of an operation is malformed, which is a bug in the dialect.
    pub fn register_dialect(&mut self, dialect: &'static DialectDefinition) {
        if self.dialects.iter().any(|known| known.name == dialect.name) {
            return;
        }
        self.dialects.push(dialect);
        for definition in dialect.operations {
            let name = OperationName::new(self, definition.name);
            let record = &mut self.names[name.0 as usize];
            record.definition = Some(definition);
            record.traits = TraitSet::of(definition.traits);
            if let Assembly::Format(text) = definition.assembly {
                match format::compile(definition, text) {
                    Ok(elements) => self.formats.insert(definition.name, elements.into()),
                    Err(message) => panic!("format of '{}': {message}", definition.name),
                };
            }
        }
        for definition in dialect.types {
            self.type_definitions.insert(definition.name, definition);
        }
        for definition in dialect.attributes {
            self.attribute_definitions
                .insert(definition.name, definition);
        }
    }

    /// The compiled format of a registered operation.
    pub(crate) fn format(&self, definition: &OperationDefinition) -> Arc<[Element]> {
        self.formats
            .get(definition.name)
            .cloned()
            .unwrap_or_default()
    }

    /// The registered dialects, in registration order.
    pub fn dialects(&self) -> &[&'static DialectDefinition] {
        &self.dialects
    }

    /// The registered dialect with this namespace.
    pub fn dialect(&self, name: &str) -> Option<&'static DialectDefinition> {
        self.dialects
            .iter()
            .copied()
            .find(|dialect| dialect.name == name)
    }

    /// The declaration of a dialect type by its full name.
    pub fn type_definition(&self, name: &str) -> Option<&'static TypeDefinition> {
        self.type_definitions.get(name).copied()
    }

    /// The declaration of a dialect attribute by its full name.
    pub fn attribute_definition(&self, name: &str) -> Option<&'static AttributeDefinition> {
        self.attribute_definitions.get(name).copied()
    }

    /// Whether operations, types and attributes of this unregistered dialect are accepted.
    pub fn allows_unregistered_dialect(&self, name: &str) -> bool {
        self.allow_unregistered || self.opaque_dialects.contains(&name)
    }

    /// Whether all unregistered dialects are accepted.
    pub fn allows_unregistered_dialects(&self) -> bool {
        self.allow_unregistered
    }

    /// Accepts (or rejects) operations, types and attributes of unregistered dialects.
    pub fn allow_unregistered_dialects(&mut self, allow: bool) {
        self.allow_unregistered = allow;
    }

    /// Accepts operations, types and attributes of one unregistered dialect, as opaque ones.
    pub fn allow_unregistered_dialect(&mut self, name: &'static str) {
        if !self.opaque_dialects.contains(&name) {
            self.opaque_dialects.push(name);
        }
    }

    /// Reads the form that MLIR writes for dialects it knows from IRDL: parameters are plain
    /// attributes (`!ori.acc<4 : i64>`), dots after the first in `nv_tileas.async.token.await` are
    /// underscores, and operations that IRDL cannot describe have the prefix `unregistered.`.
    /// Applies to the dialects registered now; dialects that MLIR itself defines keep their form.
    pub fn read_irdl_form(&mut self, plain: bool) {
        self.plain_parameters = plain;
        if !plain || !self.dotless_names.is_empty() {
            return;
        }
        let own = self.dialects.iter().filter(|dialect| !dialect.upstream);
        let names: Vec<_> = own
            .flat_map(|dialect| dialect.operations.iter().map(|operation| operation.name))
            .collect();
        for name in names {
            let dotless = dotless(name);
            if dotless != name {
                let name = OperationName::new(self, name);
                self.dotless_names.insert(dotless.into(), name);
            }
        }
    }

    /// The name of an operation written in generic form.
    pub(crate) fn generic_name(&mut self, text: &str) -> OperationName {
        if !self.plain_parameters {
            return OperationName::new(self, text);
        }
        if let Some(name) = self.dotless_names.get(text) {
            return *name;
        }
        let own = text.strip_prefix(UNREGISTERED);
        OperationName::new(self, own.filter(|own| self.is_own(own)).unwrap_or(text))
    }

    /// Whether the parameters of a type or attribute are parsed as plain attributes.
    pub(crate) fn writes_plain_parameters(&self, name: &str) -> bool {
        self.plain_parameters && self.is_own(name)
    }

    /// Whether a type, attribute or operation belongs to a dialect that is declared here and not
    /// defined by MLIR itself.
    pub fn is_own(&self, name: &str) -> bool {
        let dialect = name.split('.').next().unwrap_or(name);
        self.dialect(dialect).is_some_and(|known| !known.upstream)
    }

    /// The size of a side table indexed by [`crate::Value::index`].
    pub fn value_capacity(&self) -> usize {
        self.values.capacity()
    }

    /// The size of a side table indexed by [`crate::Operation::index`].
    pub fn operation_capacity(&self) -> usize {
        self.operations.capacity()
    }

    /// The size of a side table indexed by [`crate::Block::index`].
    pub fn block_capacity(&self) -> usize {
        self.blocks.capacity()
    }
}
