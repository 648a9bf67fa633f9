//! The registers of calls: arguments and results, and what callees change.

use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::structure::Func;
use orison_ori::operations::{Call, CallIndirect, Ret};
use rustc_hash::FxHashMap;

use super::register_set::RegisterSet;
use crate::ori::calling_convention::{CallingConvention, FIRST_ARGUMENT, is_kept};
use crate::ori::functions::Function;
use crate::ori::operand_registers;

/// Registers by class.
pub type Registers = [RegisterSet; 5];

/// What callers know of functions.
#[derive(Debug, Default)]
pub struct Callees {
    /// The registers that functions change, by name.
    changed: FxHashMap<String, Registers>,
    convention: CallingConvention,
}

impl Callees {
    /// Nothing is known yet of what the functions of a module change.
    pub fn new(context: &Context, module: Operation) -> Self {
        Callees {
            changed: FxHashMap::default(),
            convention: CallingConvention::of(context, module),
        }
    }

    /// The registers with the address that a function returns to.
    pub fn return_address(&self, context: &Context, function: Function) -> [u32; 2] {
        let name = Func(function.op).sym_name(context);
        self.convention.return_address(name)
    }

    /// Whether a function is called by name alone, in functions whose registers are allocated after it.
    pub fn is_internal(&self, context: &Context, function: Function) -> bool {
        self.convention
            .is_internal(Func(function.op).sym_name(context))
    }

    /// Notes the registers that a function uses, of which it keeps some for its callers.
    pub fn add(&mut self, context: &Context, function: Function, mut used: Registers) {
        let Some(name) = Func(function.op).sym_name(context) else {
            return;
        };
        if !self.convention.is_internal(Some(name)) {
            used = without_kept(used);
        }
        for index in self.convention.return_address(Some(name)) {
            used[RegisterClass::General as usize].insert(index);
        }
        self.changed.insert(name.to_owned(), used);
    }

    /// The registers that a call changes; `None` for other operations.
    pub fn changed(&self, context: &Context, op: Operation) -> Option<Registers> {
        if CallIndirect::of(context, op).is_some() {
            return Some(everything());
        }
        let callee = Call::of(context, op)?.callee(context);
        let callee = callee.and_then(|callee| callee.as_symbol(context));
        let known = callee.and_then(|callee| self.changed.get(callee));
        Some(known.copied().unwrap_or_else(everything))
    }
}

/// What a function changes that is not known.
fn everything() -> Registers {
    let mut general = RegisterSet::below(255);
    general.remove(super::STACK_POINTER);
    let predicates = RegisterSet::below(7);
    let all = [
        general,
        RegisterSet::below(63),
        predicates,
        predicates,
        RegisterSet::below(16),
    ];
    let mut changed = without_kept(all);
    // The call itself writes the address to return to.
    for index in CallingConvention::default().return_address(None) {
        changed[RegisterClass::General as usize].insert(index);
    }
    changed
}

/// Registers without those that functions keep.
fn without_kept(mut registers: Registers) -> Registers {
    for class in RegisterClass::ALL {
        let set = &mut registers[class as usize];
        let kept: Vec<u32> = set.iter().filter(|index| is_kept(class, *index)).collect();
        kept.into_iter().for_each(|index| set.remove(index));
    }
    registers
}

/// The registers of arguments or results of these types, in order.
pub fn places(registers: impl IntoIterator<Item = Option<Register>>) -> Vec<Option<u8>> {
    let mut next = [FIRST_ARGUMENT, 0, 0, 0, 0];
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
