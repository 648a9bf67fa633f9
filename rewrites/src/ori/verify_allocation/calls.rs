//! What calls change: the registers in the types of the functions that they reach.

use orison_ir::symbol_table::SymbolTable;
use orison_ir::{Context, Operation, Value, walk};
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::Call;
use orison_ori::operations::structure::Func;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Place, places};
use crate::ori::calling_convention::{CallingConvention, is_call, is_kept};

/// The stack pointer, which every function has as it was when it returns.
const STACK_POINTER: Place = (RegisterClass::General, 1);

/// What the calls of a function change.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The registers in the types of the callees, and of what they call; `None` if one of them is not known.
    changed: FxHashMap<String, Option<FxHashSet<Place>>>,
    convention: CallingConvention,
}

impl Calls {
    /// Those of the calls in a function. Linear in the functions that it reaches, and, if it calls any, in the
    /// symbols of its module.
    pub(super) fn of(context: &Context, function: Operation) -> Self {
        let mut calls = Calls::default();
        let has_calls = |op: &Operation| is_call(context, *op);
        let module = function
            .ancestors(context)
            .find(|op| op.is_symbol_table(context));
        let Some(module) =
            module.filter(|_| walk::collect(context, function).iter().any(has_calls))
        else {
            return calls;
        };
        calls.convention = CallingConvention::of(context, module);
        let symbols = SymbolTable::of(context, module);
        for callee in callees(context, function) {
            let found = calls.reached(context, &symbols, callee);
            calls.changed.insert(callee.to_owned(), found);
        }
        calls
    }

    /// The registers that a function and all that it calls have in their types; `None` if one is not known.
    fn reached(
        &self,
        context: &Context,
        symbols: &SymbolTable,
        name: &str,
    ) -> Option<FxHashSet<Place>> {
        let mut found = FxHashSet::default();
        let mut seen: FxHashSet<(&str, bool)> = FxHashSet::default();
        // With whether a function on the way keeps registers, whatever those that it calls do.
        let mut pending = vec![(name, false)];
        while let Some((name, is_inside)) = pending.pop() {
            let keeps = is_inside || !self.convention.is_internal(Some(name));
            if !seen.insert((name, keeps)) {
                continue;
            }
            let op = symbols.get(name)?;
            let body = Func::of(context, op)?.0.regions(context).next();
            body.filter(|body| !body.is_empty(context))?;
            let own = words(context, op);
            let kept = |(class, index): &Place| keeps && is_kept(*class, *index);
            found.extend(own.into_iter().filter(|place| !kept(place)));
            let address = self.convention.return_address(Some(name));
            let address = address.map(|index| (RegisterClass::General, index));
            found.extend(
                address
                    .into_iter()
                    .filter(|place| !is_inside || !kept(place)),
            );
            for op in walk::collect(context, op) {
                let callee = Call::of(context, op).and_then(|call| call.callee(context));
                match callee.and_then(|callee| callee.as_symbol(context)) {
                    Some(callee) => pending.push((callee, keeps)),
                    None if is_call(context, op) => return None,
                    None => {}
                }
            }
        }
        Some(found)
    }

    /// Whether an operation, a call, changes a register.
    pub(super) fn changes(&self, context: &Context, op: Operation) -> impl Fn(Place) -> bool + '_ {
        let callee = Call::of(context, op).and_then(|call| call.callee(context));
        let callee = callee.and_then(|callee| callee.as_symbol(context));
        let known = callee.and_then(|callee| self.changed.get(callee)?.as_ref());
        let address = self.convention.return_address(callee);
        move |place| {
            let (class, index) = place;
            if place == STACK_POINTER {
                return false;
            }
            let is_address = class == RegisterClass::General && address.contains(&index);
            is_address
                || known.map_or_else(|| !is_kept(class, index), |known| known.contains(&place))
        }
    }
}

/// The functions that one calls by name.
fn callees(context: &Context, function: Operation) -> Vec<&str> {
    let calls = walk::collect(context, function).into_iter();
    calls
        .filter_map(|op| Call::of(context, op)?.callee(context)?.as_symbol(context))
        .collect()
}

/// The registers in the types of a function.
fn words(context: &Context, function: Operation) -> Vec<Place> {
    let mut found = Vec::new();
    let mut note = |value: Value| found.extend(places(context, value).into_iter().flatten());
    for op in walk::collect(context, function) {
        op.results(context).for_each(&mut note);
        let blocks = op
            .regions(context)
            .flat_map(|region| region.blocks(context));
        blocks.for_each(|block| block.arguments(context).for_each(&mut note));
    }
    found
}
