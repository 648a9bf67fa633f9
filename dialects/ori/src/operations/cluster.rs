//! Memory of a cluster and of several devices, and work stealing by clusters.

use orison_ir::declare::{Effects, UnitAttr, VerifyResult};
use orison_ir::{Context, Operation};

use crate::declare::machine_operations;
use crate::keywords::{AtomicOperation, AtomicType, Order, Scope, Width, keyword_of};
use crate::types::{DATA, SOURCE, UNIFORM};
use crate::verify::has_words;

use super::rules::address;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Asynchronously stores to shared memory of a CTA of the cluster, whose mbarrier counts the
    /// bytes.
    op Stas = "ori.stas" {
        operands {
            /// Address in shared memory of the cluster.
            address: one(SOURCE),
            /// Address of the mbarrier, in the same CTA.
            barrier: one(SOURCE),
            /// The value written.
            value: one(DATA),
        }
        attributes {
            /// Number of bytes.
            width = "width": default(Width, Width::B32),
        }
        with { effects: Effects::Unknown, verify: Some(asynchronous_store) }
    }

    /// Asynchronously combines shared memory of a CTA of the cluster with a value; its mbarrier
    /// counts the bytes.
    op Redas = "ori.redas" {
        operands {
            /// Address in shared memory of the cluster.
            address: one(SOURCE),
            /// Address of the mbarrier, in the same CTA.
            barrier: one(SOURCE),
            /// The value to combine with.
            value: one(DATA),
        }
        attributes {
            /// The combining operation.
            atomic_operation = "operation": required(AtomicOperation),
            /// Type of the elements.
            kind = "type": required(AtomicType),
        }
        with { effects: Effects::Unknown, verify: Some(asynchronous_reduction) }
    }

    /// Loads the combined values at an address in all devices.
    op Ldgmc = "ori.ldgmc": address {
        results {
            /// The combined value.
            value: one(DATA),
        }
        attributes {
            /// Number of bytes.
            width = "width": default(Width, Width::B32),
            /// The combining operation.
            atomic_operation = "operation": required(AtomicOperation),
            /// Type of the elements.
            kind = "type": required(AtomicType),
            /// Memory ordering; weak if absent.
            order = "order": optional(Order),
            /// Memory scope of a strong operation.
            scope = "scope": optional(Scope),
            /// `.ACC::F32`: halves are accumulated as 32-bit floats.
            wide_sums = "wide_sums": optional(UnitAttr),
        }
        with { effects: Effects::Read, verify: Some(reducing_load) }
    }

    /// Requests the next CTA or cluster that is not launched yet, which then is not launched; the
    /// 16-byte response in shared memory is valid once an mbarrier has counted its bytes.
    op Ugetnextworkid = "ori.ugetnextworkid" {
        operands {
            /// Address of the response in shared memory.
            response: one(UNIFORM),
            /// Address of the mbarrier that counts the response's bytes.
            barrier: one(UNIFORM),
        }
        attributes {
            /// `.BROADCAST`: all CTAs of the cluster receive the response.
            broadcast = "broadcast": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }
}

/// The number of 32-bit words of a width of at least 32 bits.
fn words_of(width: Width) -> Option<u32> {
    match width {
        Width::B32 => Some(1),
        Width::B64 => Some(2),
        Width::B128 => Some(4),
        _ => None,
    }
}

fn asynchronous_store(context: &Context, op: Operation) -> VerifyResult {
    let width = keyword_of::<Width>(context, op, "width").unwrap_or(Width::B32);
    let Some(words) = words_of(width) else {
        return Err(op.op_error(context, "must store 4, 8 or 16 bytes"));
    };
    for value in op.operands_named(context, "value") {
        has_words(context, op, "value", value.ty(context), words)?;
    }
    Ok(())
}

fn asynchronous_reduction(context: &Context, op: Operation) -> VerifyResult {
    use AtomicOperation::{Add, And, Dec, Inc, Max, Min, Or, Xor};
    use AtomicType::{B32, S32, U32, U64};
    let operation = keyword_of::<AtomicOperation>(context, op, "operation");
    let kind = keyword_of::<AtomicType>(context, op, "type");
    let known = match (operation, kind) {
        (Some(Add), Some(kind)) => matches!(kind, U32 | S32 | U64),
        (Some(Inc | Dec), Some(kind)) => kind == U32,
        (Some(Min | Max), Some(kind)) => matches!(kind, U32 | S32),
        (Some(And | Or | Xor), Some(kind)) => kind == B32,
        (Some(_), Some(_)) => false,
        _ => true,
    };
    if !known {
        return Err(op.op_error(context, "is not defined for this type"));
    }
    let words = if kind == Some(U64) { 2 } else { 1 };
    for value in op.operands_named(context, "value") {
        has_words(context, op, "value", value.ty(context), words)?;
    }
    Ok(())
}

fn reducing_load(context: &Context, op: Operation) -> VerifyResult {
    use AtomicOperation::{Add, And, Max, Min, Or, Xor};
    address(context, op)?;
    let operation = keyword_of::<AtomicOperation>(context, op, "operation");
    if !matches!(operation, None | Some(Add | And | Max | Min | Or | Xor)) {
        return Err(op.op_error(
            context,
            "must combine by 'add', 'min', 'max', 'and', 'or' or 'xor'",
        ));
    }
    let width = keyword_of::<Width>(context, op, "width").unwrap_or(Width::B32);
    let Some(words) = words_of(width) else {
        return Err(op.op_error(context, "must load 4, 8 or 16 bytes"));
    };
    match op.results(context).next() {
        Some(value) => has_words(context, op, "value", value.ty(context), words),
        None => Ok(()),
    }
}
