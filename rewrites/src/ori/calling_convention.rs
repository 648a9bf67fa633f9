//! The convention of calls: that of ptxas 13.0, as its code has it for functions that call and are called.
//!
//! Arguments and results are in general registers from R4 on, in order, aligned; predicates from P0 on. The
//! return address is in R20 and R21. A function keeps R2, R16 to R31 and B6 to B15. Functions whose callers are
//! all known, and allocated after them, are internal: they keep nothing, and return to an address in R2 and R3.

use orison_ir::symbol_table::SymbolTable;
use orison_ir::{Context, Operation, walk};
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::structure::Func;
use orison_ori::operations::{Call, CallIndirect};
use rustc_hash::{FxHashMap, FxHashSet};

use super::functions::{Function, functions};
use crate::symbol_dce::references;

/// The first register of arguments and results.
pub const FIRST_ARGUMENT: u32 = 4;
/// The first register of the address to return to; it has two.
const RETURN_ADDRESS: u32 = 20;
/// That of internal functions: the lowest pair that is not the stack pointer, so that a kernel with few
/// registers has it, too.
const INTERNAL_RETURN_ADDRESS: u32 = 2;

/// Whether functions keep a register for their callers, unless they are internal.
pub fn is_kept(class: RegisterClass, index: u32) -> bool {
    match class {
        RegisterClass::General => index == 2 || (16..32).contains(&index),
        RegisterClass::Barrier => index >= 6,
        _ => false,
    }
}

/// Whether an operation calls a function.
pub fn is_call(context: &Context, op: Operation) -> bool {
    Call::of(context, op).is_some() || CallIndirect::of(context, op).is_some()
}

/// The conventions of the functions of a module.
#[derive(Clone, Debug, Default)]
pub struct CallingConvention {
    internal: FxHashSet<String>,
}

impl CallingConvention {
    /// Those in a module. Linear in it, if it has private functions.
    pub fn of(context: &Context, module: Operation) -> Self {
        let all = functions(context, module);
        let private = all.iter().filter_map(|function| {
            let is_private = Func(function.op).sym_visibility(context) == Some("private");
            name_of(context, *function).filter(|_| is_private)
        });
        let mut internal: FxHashSet<String> = private.map(str::to_owned).collect();
        if internal.is_empty() {
            return CallingConvention::default();
        }
        for op in walk::collect(context, module) {
            if Call::of(context, op).is_none() {
                for reference in references(context, op) {
                    internal.remove(reference.as_symbol(context).unwrap_or_default());
                }
            }
        }
        let order = callees_first(context, &all);
        let mut seen = FxHashSet::default();
        for function in order {
            seen.extend(name_of(context, function));
            // One that is not allocated yet: they call each other in a circle, or it calls itself.
            for callee in callees(context, function) {
                if !seen.contains(callee) || Some(callee) == name_of(context, function) {
                    internal.remove(callee);
                }
            }
        }
        CallingConvention { internal }
    }

    /// Whether all callers of a function know what it changes.
    pub fn is_internal(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| self.internal.contains(name))
    }

    /// The internal functions that one calls, and those that these call. Linear in them.
    pub fn internal_callees(&self, context: &Context, function: Operation) -> Vec<Operation> {
        let Some(module) = function
            .parent_op(context)
            .filter(|_| !self.internal.is_empty())
        else {
            return Vec::new();
        };
        let symbols = SymbolTable::of(context, module);
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![function];
        while let Some(op) = pending.pop() {
            let bodies = op.regions(context).map(|body| Function { op, body });
            for function in bodies {
                for callee in callees(context, function) {
                    let is_new = self.is_internal(Some(callee)) && seen.insert(callee);
                    if let Some(op) = symbols.get(callee).filter(|_| is_new) {
                        found.push(op);
                        pending.push(op);
                    }
                }
            }
        }
        found
    }

    /// The registers with the address that a function returns to; without a name, one that is called by address.
    pub fn return_address(&self, name: Option<&str>) -> [u32; 2] {
        let first = if self.is_internal(name) {
            INTERNAL_RETURN_ADDRESS
        } else {
            RETURN_ADDRESS
        };
        [first, first + 1]
    }
}

fn name_of(context: &Context, function: Function) -> Option<&str> {
    Func(function.op).sym_name(context)
}

/// The functions that one calls by name.
fn callees(context: &Context, function: Function) -> impl Iterator<Item = &str> {
    let blocks = function.body.blocks(context);
    let ops = blocks.flat_map(|block| block.operations(context));
    ops.filter_map(|op| Call::of(context, op)?.callee(context)?.as_symbol(context))
}

/// Functions, callees before callers where they do not call each other in a circle.
pub fn callees_first(context: &Context, functions: &[Function]) -> Vec<Function> {
    let numbers = functions.iter().enumerate();
    let numbers: FxHashMap<&str, usize> = numbers
        .filter_map(|(number, function)| Some((name_of(context, *function)?, number)))
        .collect();
    let called: Vec<Vec<usize>> = functions
        .iter()
        .map(|function| {
            let callees = callees(context, *function);
            callees
                .filter_map(|callee| numbers.get(callee).copied())
                .collect()
        })
        .collect();
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    for root in 0..functions.len() {
        // Each function is pushed once to be entered, and once to be left.
        let mut pending = vec![(root, false)];
        while let Some((number, is_left)) = pending.pop() {
            if is_left {
                order.push(functions[number]);
            } else if seen.insert(number) {
                pending.push((number, true));
                pending.extend(called[number].iter().map(|callee| (*callee, false)));
            }
        }
    }
    order
}
