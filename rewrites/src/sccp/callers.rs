//! The call graph.

use orison_host::func::{Call, Func};
use orison_ir::symbol_table::SymbolTables;
use orison_ir::{AttributeKind, Context, Operation, walk};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::symbol_dce::{is_hidden_table, is_local_symbol};

/// The calls of the functions in a symbol table.
#[derive(Debug, Default)]
pub(super) struct Callers {
    /// The callee of each call.
    callees: FxHashMap<Operation, Operation>,
    /// The calls of a function.
    calls: FxHashMap<Operation, Vec<Operation>>,
    /// The functions whose calls are all known.
    closed: FxHashSet<Operation>,
}

impl Callers {
    /// The calls nested in `root`.
    pub(super) fn of(context: &Context, root: Operation) -> Self {
        let mut callers = Callers::default();
        if !root.is_symbol_table(context) {
            return callers;
        }
        let mut tables = SymbolTables::default();
        let mut escaped: FxHashSet<String> = FxHashSet::default();
        let mut complete = true;
        let operations = walk::collect(context, root);
        for &op in &operations {
            // An unregistered operation may be a separate symbol table.
            complete &= op.definition(context).is_some() || op.region_count(context) == 0;
            let callee = Call::of(context, op).and_then(|call| call.callee(context));
            let callee = callee.and_then(|callee| tables.resolve(context, op, callee));
            let callee = callee.filter(|callee| is_body_in(context, *callee, root));
            match callee {
                Some(callee) => {
                    callers.callees.insert(op, callee);
                    callers.calls.entry(callee).or_default().push(op);
                }
                None => escape(context, op, &mut escaped),
            }
        }
        let hidden = is_hidden_table(context, root);
        for op in operations.into_iter().filter(|_| complete) {
            let local = op.parent_op(context) == Some(root)
                && Func::of(context, op).is_some()
                && is_local_symbol(context, op, hidden);
            let name = op.symbol_name(context).filter(|_| local);
            if name.is_some_and(|name| !escaped.contains(name)) {
                callers.closed.insert(op);
            }
        }
        callers
    }

    /// The callee of a call, if its body is known.
    pub(super) fn callee(&self, call: Operation) -> Option<Operation> {
        self.callees.get(&call).copied()
    }

    /// The known calls of a function.
    pub(super) fn calls(&self, func: Operation) -> &[Operation] {
        self.calls.get(&func).map_or(&[], Vec::as_slice)
    }

    /// Whether all calls of a function are known.
    pub(super) fn is_closed(&self, func: Operation) -> bool {
        self.closed.contains(&func)
    }
}

fn is_body_in(context: &Context, callee: Operation, root: Operation) -> bool {
    callee.parent_op(context) == Some(root)
        && Func::of(context, callee).is_some_and(|func| func.entry(context).is_some())
}

/// Collects the symbols referenced by the attributes of an operation.
fn escape(context: &Context, op: Operation, escaped: &mut FxHashSet<String>) {
    let mut pending = vec![op.properties(context), op.attributes(context)];
    while let Some(attribute) = pending.pop() {
        match attribute.kind(context) {
            AttributeKind::SymbolReference { root, nested } => {
                let names = std::iter::once(root).chain(nested);
                escaped.extend(names.map(|name| name.text(context).to_owned()));
            }
            AttributeKind::Array(elements) => pending.extend(elements.iter()),
            AttributeKind::Dictionary(entries) => {
                pending.extend(entries.iter().map(|(_, value)| *value));
            }
            AttributeKind::Dialect(payload) => {
                payload.attributes(context, &mut |inner| pending.push(inner));
            }
            _ => {}
        }
    }
}
