//! The calls of a module: who is called, and what is known of it.

use orison_ir::{Context, Operation};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::control::{Call, CallIndirect};
use orison_ori::operations::moves::AddressOf;
use orison_ori::operations::structure::Func;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ori::form_accumulators::operations;
use crate::ori::functions::Function;

/// Functions of the runtime that ptxas links to every program: a program that calls no other function
/// without a body is a whole one.
const RUNTIME: [&str; 4] = ["__assertfail", "free", "malloc", "vprintf"];

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Callee {
    /// A function of the module, by its number.
    Known(usize),
    /// A function of the module that may also be called through a register: its address is taken, or that
    /// of a function that calls it.
    Taken(usize),
    /// A function without a body; in a relocatable module, every function that is named.
    External,
    /// A function of the runtime.
    Runtime,
    /// What a register points to.
    Indirect,
}

impl Callee {
    /// The function of the module.
    fn number(self) -> Option<usize> {
        match self {
            Callee::Known(number) | Callee::Taken(number) => Some(number),
            Callee::External | Callee::Runtime | Callee::Indirect => None,
        }
    }
}

/// The calls of the functions of a module.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Whether the module is compiled to be linked with others (`-c` of ptxas): nothing is known of a
    /// function that is called, even one of the module (measured).
    pub is_relocatable: bool,
    /// The calls of each function, in order.
    pub calls: Vec<Vec<(Operation, Callee)>>,
    /// The functions whose addresses each function takes.
    references: Vec<Vec<usize>>,
    /// Whether each function may be called through a register.
    is_taken: Vec<bool>,
    /// Whether each function has products or commits, itself or in a function that it calls.
    pub has_products: Vec<bool>,
    /// Whether each function calls one that is not known, itself or in a function that it calls.
    is_external: Vec<bool>,
}

impl Calls {
    /// The calls of functions. `relocatable` states that the module is; one that calls functions without
    /// bodies beyond those of the runtime is in any case. Linear in the operations and the calls.
    pub fn of(context: &Context, functions: &[Function], relocatable: bool) -> Self {
        let names = functions.iter();
        let names = names.map(|function| function.op.symbol_name(context).unwrap_or_default());
        let numbers: FxHashMap<&str, usize> = names.zip(0..).collect();
        let mut calls = Calls {
            is_relocatable: relocatable,
            ..Calls::default()
        };
        for function in functions {
            let (mut own, mut references) = (Vec::new(), Vec::new());
            let mut products = false;
            for op in operations(context, *function) {
                products |= matches!(role(context, op), Some(Role::Product | Role::Commit));
                if let Some(call) = Call::of(context, op) {
                    let callee = call.callee(context);
                    let callee = callee.and_then(|callee| callee.as_symbol(context));
                    let known = callee.and_then(|callee| numbers.get(callee).copied());
                    let unknown = match callee.is_some_and(|callee| RUNTIME.contains(&callee)) {
                        true => Callee::Runtime,
                        false => Callee::External,
                    };
                    let callee = known.map_or(unknown, Callee::Known);
                    calls.is_relocatable |= callee == Callee::External;
                    own.push((op, callee));
                } else if CallIndirect::matches(context, op) {
                    own.push((op, Callee::Indirect));
                } else if let Some(address) = AddressOf::of(context, op) {
                    let symbol = address.symbol(context);
                    let symbol = symbol.and_then(|symbol| symbol.as_symbol(context));
                    references.extend(symbol.and_then(|name| numbers.get(name).copied()));
                }
            }
            calls.calls.push(own);
            calls.references.push(references);
            calls.has_products.push(products);
        }
        calls.classify();
        let callers = 0..calls.calls.len();
        let external: Vec<bool> = callers.map(|caller| calls.calls_unknown(caller)).collect();
        calls.has_products = calls.spread(&calls.has_products);
        calls.is_external = calls.spread(&external);
        calls
    }

    /// Finds the functions that may be called through registers, and in a relocatable module makes all
    /// that are named external.
    fn classify(&mut self) {
        let mut taken = vec![false; self.calls.len()];
        let mut pending: Vec<usize> = self.references.iter().flatten().copied().collect();
        while let Some(number) = pending.pop() {
            if !std::mem::replace(&mut taken[number], true) {
                pending.extend(self.known(number));
            }
        }
        for (_, callee) in self.calls.iter_mut().flatten() {
            *callee = match *callee {
                Callee::Known(_) | Callee::Runtime if self.is_relocatable => Callee::External,
                Callee::Known(number) if taken[number] => Callee::Taken(number),
                other => other,
            };
        }
        self.is_taken = taken;
    }

    /// The functions of the module that a function calls.
    fn known(&self, caller: usize) -> impl Iterator<Item = usize> {
        let callees = self.calls[caller].iter();
        callees.filter_map(|(_, callee)| callee.number())
    }

    /// The functions for which something holds, or that call one for which it does.
    fn spread(&self, holds: &[bool]) -> Vec<bool> {
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); holds.len()];
        for caller in 0..holds.len() {
            for callee in self.known(caller) {
                callers[callee].push(caller);
            }
        }
        let mut result = vec![false; holds.len()];
        let all = holds.iter().enumerate().filter(|(_, holds)| **holds);
        let mut pending: Vec<usize> = all.map(|(number, _)| number).collect();
        while let Some(number) = pending.pop() {
            if !std::mem::replace(&mut result[number], true) {
                pending.extend(callers[number].iter().copied());
            }
        }
        result
    }

    /// Whether a call may execute code that is not in the module.
    pub fn is_external(&self, callee: Callee) -> bool {
        match callee {
            Callee::Known(number) => self.is_external[number],
            _ => true,
        }
    }

    /// Whether the threads of a warp may enter a function of a unit apart: it may be called through a
    /// register, and something in the unit calls what is not known.
    pub fn is_entered_apart(&self, number: usize, unit: &[usize]) -> bool {
        self.is_taken[number] && unit.iter().any(|caller| self.calls_unknown(*caller))
    }

    /// Whether a function itself calls one that is not known.
    fn calls_unknown(&self, caller: usize) -> bool {
        let mut callees = self.calls[caller].iter().map(|(_, callee)| callee);
        callees.any(|callee| !matches!(callee, Callee::Known(_)))
    }

    /// Whether a stage cannot be followed across a call of a function: it has products, or calls what is
    /// not known.
    pub fn crosses(&self, callee: usize) -> bool {
        self.is_external[callee] || self.has_products[callee]
    }

    /// The functions of the unit of a root, in the order of the text: those that are called or whose
    /// addresses are taken there, and all whose addresses are taken anywhere if something calls what is
    /// not in the module.
    pub fn reached(&self, root: usize) -> Vec<usize> {
        let mut seen = vec![false; self.calls.len()];
        let mut pending = vec![root];
        let mut reaches_taken = false;
        while let Some(number) = pending.pop() {
            if std::mem::replace(&mut seen[number], true) {
                continue;
            }
            pending.extend(self.known(number));
            pending.extend(&self.references[number]);
            let unknown = self.calls[number]
                .iter()
                .any(|(_, callee)| callee.number().is_none());
            if !self.is_relocatable && unknown && !std::mem::replace(&mut reaches_taken, true) {
                pending.extend((0..seen.len()).filter(|number| self.is_taken[*number]));
            }
        }
        (0..seen.len()).filter(|number| seen[*number]).collect()
    }

    /// The kernels, and the functions that other modules may call and this one does not; all functions of
    /// a relocatable module.
    pub fn roots(&self, context: &Context, functions: &[Function]) -> Vec<usize> {
        let called: FxHashSet<usize> = (0..functions.len())
            .flat_map(|caller| self.known(caller))
            .collect();
        let is_root = |number: &usize| {
            let op = functions[*number].op;
            let private = op.attribute(context, "sym_visibility");
            let private = private.and_then(|text| text.as_str(context)) == Some("private");
            let is_called = called.contains(number);
            self.is_relocatable || is_kernel(context, op) || !is_called && !private
        };
        (0..functions.len()).filter(is_root).collect()
    }
}

/// Whether a function is a kernel.
pub(super) fn is_kernel(context: &Context, op: Operation) -> bool {
    Func::of(context, op).is_some_and(|function| function.kernel(context).is_some())
}
