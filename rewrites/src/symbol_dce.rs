//! The pass `symbol-dce`.

use orison_ir::declare::Trait;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::symbol_table::{SYMBOL_VISIBILITY, SymbolTable};
use orison_ir::{Attribute, AttributeKind, Context, Operation, walk};
use rustc_hash::{FxHashMap, FxHashSet};

const ERASED: &str = "num-dce'd";

/// The pass `symbol-dce`.
#[derive(Clone, Debug)]
pub struct SymbolDce;

impl Pass for SymbolDce {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<SymbolDce>(
        "symbol-dce",
        "Erases dead symbols.\n\
         \n\
         A symbol is dead if it has no live references and is not visible outside: a private \
         symbol is visible in its symbol table only, a nested one where its symbol table is \
         visible. References from dead symbols are not live.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: ERASED,
        summary: "Number of symbols DCE'd",
    }]);

    fn create((): ()) -> Self {
        SymbolDce
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        if !root.is_symbol_table(pass.context) {
            let message =
                "was scheduled to run under SymbolDCE, but does not define a symbol table";
            return Err(root.op_error(pass.context, message).into());
        }
        let hidden = is_hidden_table(pass.context, root);
        let live = live_symbols(pass.context, root, hidden);
        let mut erased = 0;
        for op in walk::collect_post_order(pass.context, root) {
            let symbol = op != root && is_symbol(pass.context, op);
            if symbol && in_table(pass.context, op) && !live.contains(&op) {
                op.erase(pass.context);
                erased += 1;
            }
        }
        pass.count(ERASED, erased);
        Ok(IRStatus::changed_if(erased > 0))
    }
}

fn visibility(context: &Context, op: Operation) -> &str {
    op.attribute(context, SYMBOL_VISIBILITY)
        .and_then(|visibility| visibility.as_str(context))
        .unwrap_or("public")
}

fn is_private(context: &Context, op: Operation) -> bool {
    visibility(context, op) == "private"
}

/// Whether all references to the nested symbols of a symbol table are inside it.
pub(crate) fn is_hidden_table(context: &Context, table: Operation) -> bool {
    table.parent_op(context).is_none() || is_private(context, table)
}

/// Whether all references to a symbol are inside its table; `hidden` describes the table.
pub(crate) fn is_local_symbol(context: &Context, op: Operation, hidden: bool) -> bool {
    match visibility(context, op) {
        "private" => true,
        "nested" => hidden,
        _ => false,
    }
}

fn is_symbol(context: &Context, op: Operation) -> bool {
    op.has_trait(context, Trait::Symbol) && op.symbol_name(context).is_some()
}

fn in_table(context: &Context, op: Operation) -> bool {
    op.parent_op(context)
        .is_some_and(|parent| parent.is_symbol_table(context))
}

/// The live operations: those that are not symbols, visible symbols, and symbols that live ones
/// refer to.
fn live_symbols(context: &Context, root: Operation, hidden: bool) -> FxHashSet<Operation> {
    let mut live = Live {
        resolver: Resolver::default(),
        operations: FxHashSet::default(),
        pending: Vec::new(),
    };
    let mut tables = vec![(root, hidden)];
    loop {
        if let Some((table, hidden)) = tables.pop() {
            for region in table.regions(context) {
                for block in region.blocks(context) {
                    for op in block.operations(context) {
                        if !is_discardable(context, op, hidden) {
                            live.mark(op, hidden);
                        }
                    }
                }
            }
        } else if let Some((op, hidden)) = live.pending.pop() {
            for user in in_same_table(context, op) {
                if user.is_symbol_table(context) {
                    tables.push((user, hidden || is_private(context, user)));
                }
                live.mark_references(context, user, hidden);
            }
        } else {
            return live.operations;
        }
    }
}

#[derive(Default)]
struct Live {
    resolver: Resolver,
    operations: FxHashSet<Operation>,
    /// With whether their table is visible from outside.
    pending: Vec<(Operation, bool)>,
}

impl Live {
    fn mark(&mut self, op: Operation, hidden: bool) {
        if self.operations.insert(op) {
            self.pending.push((op, hidden));
        }
    }

    fn mark_references(&mut self, context: &Context, user: Operation, hidden: bool) {
        for reference in references(context, user) {
            for symbol in self.resolver.resolve(context, user, reference) {
                self.mark(symbol, hidden);
            }
        }
    }
}

/// Symbols by table, each table read once.
#[derive(Default)]
struct Resolver {
    tables: FxHashMap<Operation, SymbolTable>,
}

impl Resolver {
    fn lookup(&mut self, context: &Context, table: Operation, name: &str) -> Option<Operation> {
        let symbols = self.tables.entry(table);
        symbols
            .or_insert_with(|| SymbolTable::of(context, table))
            .get(name)
    }

    /// The symbols on the path of a reference, outermost first, as far as they exist.
    fn resolve(
        &mut self,
        context: &Context,
        user: Operation,
        reference: Attribute,
    ) -> Vec<Operation> {
        let AttributeKind::SymbolReference { root, nested } = reference.kind(context) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let tables = std::iter::once(user).chain(user.ancestors(context));
        for table in tables.filter(|op| op.is_symbol_table(context)) {
            let Some(mut symbol) = self.lookup(context, table, root.text(context)) else {
                continue;
            };
            found.push(symbol);
            for name in nested {
                match self.lookup(context, symbol, name.text(context)) {
                    Some(next) => symbol = next,
                    None => break,
                }
                found.push(symbol);
            }
            break;
        }
        found
    }
}

/// The symbol references in the attributes of an operation.
pub(crate) fn references(context: &Context, op: Operation) -> Vec<Attribute> {
    let mut found = Vec::new();
    let mut pending = vec![op.properties(context), op.attributes(context)];
    while let Some(attribute) = pending.pop() {
        match attribute.kind(context) {
            AttributeKind::SymbolReference { .. } => found.push(attribute),
            AttributeKind::Array(elements) => pending.extend(elements.iter()),
            AttributeKind::Dictionary(entries) => pending.extend(entries.iter().map(|(_, v)| *v)),
            AttributeKind::Dialect(payload) => {
                payload.attributes(context, &mut |inner| pending.push(inner));
            }
            AttributeKind::Type(ty) => {
                if let Some(payload) = ty.payload(context) {
                    payload.attributes(context, &mut |inner| pending.push(inner));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether an operation may be erased if nothing refers to it.
fn is_discardable(context: &Context, op: Operation, hidden: bool) -> bool {
    is_symbol(context, op) && is_local_symbol(context, op, hidden)
}

/// An operation and everything nested in it, without the contents of symbol tables.
fn in_same_table(context: &Context, op: Operation) -> Vec<Operation> {
    let mut found = Vec::new();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        found.push(op);
        if op.is_symbol_table(context) {
            continue;
        }
        for region in op.regions(context) {
            for block in region.blocks(context) {
                pending.extend(block.operations(context));
            }
        }
    }
    found
}
