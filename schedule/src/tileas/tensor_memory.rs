//! Tensor memory: the allocations that operations access, and the columns that they take.
//!
//! A product with an accumulator in tensor memory, a copy from or to it, and the wait for one of
//! these access allocations and no other memory. Two such operations are ordered only if they access
//! a common allocation, and one of them writes it.
//!
//! Source: PTX ISA, tcgen05 (tensor memory, its allocation in columns).

use std::collections::BTreeSet;

use orison_host::scf;
use orison_ir::declare::OperationDefinition;
use orison_ir::walk::collect;
use orison_ir::{Context, Operation, Value, ValueOwner};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas;
use orison_tileas::views::{ShapedView, byte_size, memory_space};

use super::tokens::async_tokens;
use crate::buffers::tensor_columns;

/// An access to an allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TensorAccess {
    /// The result of the `alloc_tensor`.
    pub allocation: Value,
    /// Whether it is written.
    pub writes: bool,
}

/// Products of tiles that add to an accumulator.
pub const PRODUCTS: [&OperationDefinition; 2] =
    [nv_tileas::Dot::DEFINITION, nv_tileas::AsyncDot::DEFINITION];

/// Operations whose result shows memory of the operand.
pub const VIEWS: [&OperationDefinition; 3] = [
    nv_tileas::View::DEFINITION,
    nv_tileas::Reinterpret::DEFINITION,
    nv_tileas::ExtractSlice::DEFINITION,
];

/// The allocation in tensor memory that a view shows; `None` if it is not known.
pub fn allocation(context: &Context, value: Value) -> Option<Value> {
    let mut value = value;
    let mut seen = BTreeSet::new();
    while seen.insert(value) {
        if memory_space(context, value.ty(context)) != Some(MemorySpace::Tensor) {
            return None;
        }
        value = match value.owner(context) {
            ValueOwner::Result(op, number) => {
                let operand = if nv_tileas::AllocTensor::matches(context, op) {
                    return Some(value);
                } else if op.is_one_of(context, &PRODUCTS) {
                    2
                } else if op.is_one_of(context, &VIEWS) {
                    0
                } else if scf::For::matches(context, op) {
                    number + 3
                } else {
                    return None;
                };
                op.operands(context).nth(operand)?
            }
            ValueOwner::Argument(block, position) => {
                let owner = block.parent_op(context)?;
                let number = position.checked_sub(1)?;
                if !scf::For::matches(context, owner) {
                    return None;
                }
                owner.operands(context).nth(number + 3)?
            }
        };
    }
    None
}

/// The accesses of an operation that accesses tensor memory and no other; `None` for others.
pub fn accesses(context: &Context, op: Operation) -> Option<Vec<TensorAccess>> {
    let operand = |name: &str| op.operands_named(context, name).first().copied();
    let in_tensor_memory =
        |value: Value| memory_space(context, value.ty(context)) == Some(MemorySpace::Tensor);
    let copies = [
        nv_tileas::Copy::DEFINITION,
        nv_tileas::AsyncCopy::DEFINITION,
    ];
    let (reads, writes) = if op.is_one_of(context, &PRODUCTS) {
        let sum = operand("c").filter(|sum| in_tensor_memory(*sum))?;
        let left = operand("a").filter(|left| in_tensor_memory(*left));
        (left, Some(sum))
    } else if op.is_one_of(context, &copies) {
        let (source, destination) = (operand("source")?, operand("destination"));
        let registers =
            |value: Value| memory_space(context, value.ty(context)) == Some(MemorySpace::Register);
        match destination {
            None => (Some(source), None),
            Some(destination) if registers(source) => (None, Some(destination)),
            Some(_) => return None,
        }
    } else if nv_tileas::AsyncWait::matches(context, op) {
        let started = operand("token")?.defining_op(context)?;
        let is_token = async_tokens(context, started).contains(&operand("token")?);
        return accesses(context, started).filter(|_| is_token);
    } else {
        return None;
    };
    let mut found = Vec::new();
    for (value, writes) in [(reads, false), (writes, true)] {
        if let Some(value) = value {
            let allocation = allocation(context, value)?;
            found.push(TensorAccess { allocation, writes });
        }
    }
    Some(found)
}

/// The allocations that both access and one of them writes.
pub fn conflicts(first: &[TensorAccess], second: &[TensorAccess]) -> BTreeSet<Value> {
    let pairs = first
        .iter()
        .flat_map(|a| second.iter().map(move |b| (a, b)));
    pairs
        .filter(|(a, b)| a.allocation == b.allocation && (a.writes || b.writes))
        .map(|(a, _)| a.allocation)
        .collect()
}

/// The allocations in tensor memory in an operation, with the columns of each.
pub fn allocations(context: &Context, root: Operation) -> Vec<(Operation, u64)> {
    let all = collect(context, root).into_iter();
    let mut found = Vec::new();
    for op in all.filter(|op| nv_tileas::AllocTensor::matches(context, *op)) {
        let ty = op.result(context, 0).ty(context);
        let view = ShapedView::of(context, ty)
            .filter(|_| memory_space(context, ty) == Some(MemorySpace::Tensor));
        let bytes = view.and_then(|view| byte_size(context, &view.shape, view.element));
        found.extend(bytes.map(|bytes| (op, tensor_columns(bytes))));
    }
    found
}
