//! The convention of calls.
//!
//! Arguments and results are in general registers from R4 on, in order, aligned; predicates from P0 on. The
//! return address is in R20 and R21. A function that is allocated before its caller says which registers
//! it changes; any other one may change all.

use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::structure::Func;
use orison_ori::operations::{Call, CallIndirect, Ret};
use rustc_hash::{FxHashMap, FxHashSet};

use super::register_set::RegisterSet;
use crate::ori::functions::Function;
use crate::ori::operand_registers;

/// The first register of arguments and results.
const FIRST: u32 = 4;
/// The first register of the return address, which has two.
pub const RETURN_ADDRESS: u32 = 20;

/// Registers by class.
pub type Registers = [RegisterSet; 5];

/// The registers that functions change, by name.
#[derive(Debug, Default)]
pub struct Callees(FxHashMap<String, Registers>);

impl Callees {
    /// Notes what a function changes.
    pub fn add(&mut self, context: &Context, function: Function, mut changed: Registers) {
        for index in [RETURN_ADDRESS, RETURN_ADDRESS + 1] {
            changed[RegisterClass::General as usize].insert(index);
        }
        if let Some(name) = Func(function.op).sym_name(context) {
            self.0.insert(name.to_owned(), changed);
        }
    }

    /// The registers that a call changes; `None` for other operations.
    pub fn changed(&self, context: &Context, op: Operation) -> Option<Registers> {
        if CallIndirect::of(context, op).is_some() {
            return Some(everything());
        }
        let callee = Call::of(context, op)?.callee(context);
        let callee = callee.and_then(|callee| callee.as_symbol(context));
        let known = callee.and_then(|callee| self.0.get(callee));
        Some(known.copied().unwrap_or_else(everything))
    }
}

/// All registers but the stack pointer.
fn everything() -> Registers {
    let mut general = RegisterSet::below(255);
    general.remove(super::STACK_POINTER);
    let predicates = RegisterSet::below(7);
    [
        general,
        RegisterSet::below(63),
        predicates,
        predicates,
        RegisterSet::below(16),
    ]
}

/// Functions, callees before callers where they do not call each other in a circle.
pub fn callees_first(context: &Context, functions: &[Function]) -> Vec<Function> {
    let names: FxHashMap<&str, usize> = functions
        .iter()
        .enumerate()
        .filter_map(|(number, function)| Some((Func(function.op).sym_name(context)?, number)))
        .collect();
    let called: Vec<Vec<usize>> = functions
        .iter()
        .map(|function| {
            let blocks = function.body.blocks(context);
            let ops = blocks.flat_map(|block| block.operations(context));
            let callees = ops.filter_map(|op| Call::of(context, op)?.callee(context));
            callees
                .filter_map(|callee| names.get(callee.as_symbol(context)?).copied())
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

/// The registers of arguments or results of these types, in order.
pub fn places(registers: impl IntoIterator<Item = Option<Register>>) -> Vec<Option<u8>> {
    let mut next = [FIRST, 0, 0, 0, 0];
    let mut place = |register: Register| {
        let (class, count) = RegisterClass::of(register);
        let next = &mut next[class as usize];
        let first = next.next_multiple_of(operand_registers::alignment(register));
        *next = first + count;
        u8::try_from(first).ok()
    };
    registers
        .into_iter()
        .map(|register| place(register?))
        .collect()
}

/// The given registers of the operands of an operation.
pub fn given_operands(context: &Context, op: Operation) -> Vec<Option<u8>> {
    let register = |value: Value| Register::of(context, value.ty(context));
    if CallIndirect::of(context, op).is_some() {
        let arguments = op.operands(context).skip(1).map(register);
        return std::iter::once(None).chain(places(arguments)).collect();
    }
    if Call::of(context, op).is_some() || Ret::of(context, op).is_some() {
        return places(op.operands(context).map(register));
    }
    Vec::new()
}

/// The given registers of the results of an operation.
pub fn given_results(context: &Context, op: Operation) -> Vec<Option<u8>> {
    let is_call = Call::of(context, op).is_some() || CallIndirect::of(context, op).is_some();
    let results = op.results(context).filter(|_| is_call);
    places(results.map(|value| Register::of(context, value.ty(context))))
}
