//! Tensor memory: the allocations that operations access, and the columns that they take.
//!
//! A product with an accumulator in tensor memory, a copy from or to it, and the wait for one of
//! these access allocations and no other memory. Two such operations are ordered only if they access
//! a common allocation, and one of them writes it.
//!
//! Source: PTX ISA, tcgen05 (tensor memory, its allocation in columns).

use std::collections::BTreeSet;

use orison_ir::walk::collect;
use orison_ir::{Context, Operation, Value, ValueOwner};
use orison_tileas::MemorySpace;
use orison_tileas::views::{ShapedView, byte_size, memory_space};

use super::solve::loads::async_tokens;
use crate::buffers::tensor_columns;

/// An access to an allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TensorAccess {
    /// The result of the `alloc_tensor`.
    pub allocation: Value,
    /// Whether it is written.
    pub writes: bool,
}

/// The allocation in tensor memory that a view shows; `None` if it is not known.
pub fn allocation(context: &Context, value: Value) -> Option<Value> {
    let mut value = value;
    let mut seen = BTreeSet::new();
    while seen.insert(value) {
        if memory_space(context, value.ty(context)) != Some(MemorySpace::Tensor) {
            return None;
        }
        value = match value.owner(context) {
            ValueOwner::Result(op, number) => match op.name_text(context) {
                "nv_tileas.alloc_tensor" => return Some(value),
                "nv_tileas.dot" | "nv_tileas.async.dot" => op.operands(context).nth(2)?,
                "nv_tileas.view" | "nv_tileas.reinterpret" | "nv_tileas.extract_slice" => {
                    op.operands(context).next()?
                }
                "scf.for" => op.operands(context).nth(number + 3)?,
                _ => return None,
            },
            ValueOwner::Argument(block, position) => {
                let owner = block.parent_op(context)?;
                let number = position.checked_sub(1)?;
                if !owner.is(context, "scf.for") {
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
    let name = op.name_text(context);
    let operand = |name: &str| op.operands_named(context, name).first().copied();
    let in_tensor_memory =
        |value: Value| memory_space(context, value.ty(context)) == Some(MemorySpace::Tensor);
    let (reads, writes) = match name {
        "nv_tileas.dot" | "nv_tileas.async.dot" => {
            let sum = operand("c").filter(|sum| in_tensor_memory(*sum))?;
            let left = operand("a").filter(|left| in_tensor_memory(*left));
            (left, Some(sum))
        }
        "nv_tileas.copy" | "nv_tileas.async.copy" => {
            let (source, destination) = (operand("source")?, operand("destination"));
            let registers = |value: Value| {
                memory_space(context, value.ty(context)) == Some(MemorySpace::Register)
            };
            match destination {
                None => (Some(source), None),
                Some(destination) if registers(source) => (None, Some(destination)),
                Some(_) => return None,
            }
        }
        "nv_tileas.async.wait" => {
            let started = operand("token")?.defining_op(context)?;
            let is_token = async_tokens(context, started).contains(&operand("token")?);
            return accesses(context, started).filter(|_| is_token);
        }
        _ => return None,
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
    for op in all.filter(|op| op.is(context, "nv_tileas.alloc_tensor")) {
        let ty = op.result(context, 0).ty(context);
        let view = ShapedView::of(context, ty)
            .filter(|_| memory_space(context, ty) == Some(MemorySpace::Tensor));
        let bytes = view.and_then(|view| byte_size(context, &view.shape, view.element));
        found.extend(bytes.map(|bytes| (op, tensor_columns(bytes))));
    }
    found
}
