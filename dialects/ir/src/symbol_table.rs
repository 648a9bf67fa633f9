//! Symbols: named operations, found through the symbol table that contains them.

use crate::declare::Trait;
use crate::entities::Operation;
use crate::{Attribute, AttributeKind, Context};

/// Key of the name of a symbol.
pub const SYMBOL_NAME: &str = "sym_name";
/// Key of the visibility of a symbol: `public` (also if absent), `private` or `nested`.
pub const SYMBOL_VISIBILITY: &str = "sym_visibility";

impl Operation {
    /// The name of a symbol.
    pub fn symbol_name(self, context: &Context) -> Option<&str> {
        self.attribute(context, SYMBOL_NAME)?.as_str(context)
    }

    /// True for a symbol that code outside its table may refer to.
    pub fn is_public_symbol(self, context: &Context) -> bool {
        let visibility = self.attribute(context, SYMBOL_VISIBILITY);
        visibility.is_none_or(|visibility| visibility.as_str(context) == Some("public"))
    }

    /// Whether the operation is a symbol table. An unregistered operation may be one if it has one
    /// region with one block.
    pub fn is_symbol_table(self, context: &Context) -> bool {
        self.has_trait(context, Trait::SymbolTable)
    }

    /// The closest symbol table: this operation or an ancestor.
    pub fn nearest_symbol_table(self, context: &Context) -> Option<Operation> {
        std::iter::once(self)
            .chain(self.ancestors(context))
            .find(|op| op.is_symbol_table(context))
    }

    /// The symbol `name` directly in this table. Linear in the table; build a [`SymbolTable`] for
    /// repeated look-ups.
    pub fn lookup_symbol(self, context: &Context, name: &str) -> Option<Operation> {
        let body = self.body_block(context, 0)?;
        body.operations(context)
            .find(|op| op.symbol_name(context) == Some(name))
    }
}

/// The symbols of one table by name.
#[derive(Debug, Default)]
pub struct SymbolTable {
    symbols: std::collections::BTreeMap<String, Operation>,
}

impl SymbolTable {
    /// The symbols directly in `table`. If two have the same name (which the verifier rejects), the
    /// first is used.
    pub fn of(context: &Context, table: Operation) -> Self {
        let mut symbols = std::collections::BTreeMap::new();
        if let Some(body) = table.body_block(context, 0) {
            for op in body.operations(context) {
                if let Some(name) = op.symbol_name(context) {
                    symbols.entry(name.to_owned()).or_insert(op);
                }
            }
        }
        SymbolTable { symbols }
    }

    /// The symbol with this name.
    pub fn get(&self, name: &str) -> Option<Operation> {
        self.symbols.get(name).copied()
    }

    /// The symbols sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Operation)> {
        self.symbols.iter().map(|(name, op)| (name.as_str(), *op))
    }

    /// `base`, or the first of `base_0`, `base_1`, … that is not a symbol of this table.
    pub fn unused_name(&self, base: &str) -> String {
        if !self.symbols.contains_key(base) {
            return base.to_owned();
        }
        let mut number = 0usize;
        loop {
            let name = format!("{base}_{number}");
            if !self.symbols.contains_key(&name) {
                return name;
            }
            number += 1;
        }
    }

    /// Adds a symbol; an operation without a name is ignored.
    pub fn insert(&mut self, context: &Context, op: Operation) {
        if let Some(name) = op.symbol_name(context) {
            self.symbols.insert(name.to_owned(), op);
        }
    }
}

/// Symbol tables by operation, built on first use. They are valid as long as no symbol is added,
/// removed or renamed.
#[derive(Debug, Default)]
pub struct SymbolTables {
    tables: rustc_hash::FxHashMap<Operation, SymbolTable>,
}

impl SymbolTables {
    /// The symbols of a table.
    pub fn of(&mut self, context: &Context, table: Operation) -> &SymbolTable {
        self.tables
            .entry(table)
            .or_insert_with(|| SymbolTable::of(context, table))
    }

    /// The symbol that a reference (`@a::@b`) at an operation resolves to.
    pub fn resolve(
        &mut self,
        context: &Context,
        from: Operation,
        reference: Attribute,
    ) -> Option<Operation> {
        let AttributeKind::SymbolReference { root, nested } = reference.kind(context) else {
            return None;
        };
        let table = from.nearest_symbol_table(context)?;
        let mut symbol = self.of(context, table).get(root.text(context))?;
        for name in nested {
            symbol = self.of(context, symbol).get(name.text(context))?;
        }
        Some(symbol)
    }
}
