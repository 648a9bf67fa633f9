//! Barriers, fences, waits.

use orison_ir::declare::{Effects, I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{BarrierMode, BarrierReduction, FenceOrder, RegisterPool, Scope, View};
use crate::types::{B, PREDICATE, SOURCE, UP};

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Waits for or arrives at a CTA barrier.
    op Bar = "ori.bar" {
        operands {
            /// Index of the barrier; the attribute's if absent.
            barrier: optional(SOURCE),
            /// Number of participating threads, a multiple of 32; the whole CTA if absent.
            threads: optional(SOURCE),
            /// The predicate to reduce.
            predicate: optional(PREDICATE),
        }
        results {
            /// The result of the reduction, a register or a predicate; at most one.
            reduced: variadic(crate::types::REGISTER),
        }
        attributes {
            /// The operation.
            mode = "mode": required(BarrierMode),
            /// Index of the barrier, from 0 to 15.
            index = "index": optional(I32Attr),
            /// The reduction of the predicates.
            barrier_reduction = "barrier_reduction": optional(BarrierReduction),
        }
        with { effects: Effects::Unknown, verify: Some(rules::barrier) }
    }

    /// Orders memory accesses of the thread.
    op Membar = "ori.membar" {
        attributes {
            /// Strength of the fence.
            fence = "fence": required(FenceOrder),
            /// Memory scope.
            scope = "scope": required(Scope),
        }
        with { effects: Effects::Unknown, verify: Some(rules::fence_scope) }
    }

    /// Waits until errors of earlier memory accesses are reported.
    op Errbar = "ori.errbar" {
        with { effects: Effects::Unknown }
    }

    /// As `ori.errbar`, for the cluster.
    op Cgaerrbar = "ori.cgaerrbar" {
        with { effects: Effects::Unknown }
    }

    /// Orders accesses through different proxies.
    op Fence = "ori.fence" {
        attributes {
            /// The proxy pair.
            view = "view": required(View),
            /// The asynchronous proxy.
            asynchronous = "asynchronous": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }

    /// Waits until the threads of a mask (the whole warp if absent) arrive.
    op Warpsync = "ori.warpsync" {
        operands {
            /// Bit mask of the threads.
            mask: optional(SOURCE),
        }
        with { effects: Effects::Unknown }
    }

    /// Arrives at the barrier of the cluster.
    op CgabarArrive = "ori.cgabar_arrive" {
        attributes {
            /// Memory accesses are not ordered.
            relaxed = "relaxed": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }

    /// Waits for the barrier of the cluster.
    op CgabarWait = "ori.cgabar_wait" {
        with { effects: Effects::Unknown }
    }

    /// Sleeps for approximately the given number of nanoseconds.
    op Nanosleep = "ori.nanosleep" {
        operands {
            /// Number of nanoseconds.
            duration: one(SOURCE),
        }
        with { effects: Effects::Unknown }
    }

    /// Waits until the grids this one depends on are complete and their writes are visible.
    op Acqbulk = "ori.acqbulk" {
        with { effects: Effects::Unknown }
    }

    /// Allows dependent grids to start.
    op Preexit = "ori.preexit" {
        with { effects: Effects::Unknown }
    }

    /// Triggers events of the performance monitor.
    op Pmtrig = "ori.pmtrig" {
        attributes {
            /// Bit mask of the events.
            events = "events": required(I32Attr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::event_mask) }
    }

    /// Yields to another warp.
    op Yield = "ori.yield" {
        with { effects: Effects::Unknown }
    }

    /// Changes the number of registers per thread of the warp group.
    op Setmaxreg = "ori.setmaxreg" {
        results {
            /// Whether the allocation succeeded; at most one.
            done: variadic(UP),
        }
        attributes {
            /// Increase or decrease.
            pool = "pool": required(RegisterPool),
            /// Number of registers: a multiple of 8 from 24 to 256.
            count = "count": required(I32Attr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::register_count) }
    }

    /// Begins a region at the end of which the threads reconverge.
    op Bssy = "ori.bssy" {
        results {
            /// The set of threads that will reconverge.
            barrier: one(B),
        }
        attributes {
            /// The `.RECONVERGENT` modifier.
            reconvergent = "reconvergent": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }

    /// Waits until the threads of a region reconverge.
    op Bsync = "ori.bsync" {
        operands {
            /// The threads.
            barrier: one(B),
        }
        attributes {
            /// The `.RECONVERGENT` modifier.
            reconvergent = "reconvergent": optional(UnitAttr),
        }
        with { effects: Effects::Unknown }
    }

    /// Removes the thread from the set that reconverges at the end of a region.
    op Break = "ori.break" {
        operands {
            /// The previous set of threads.
            barrier: one(B),
        }
        results {
            /// The set of threads without this one.
            rest: one(B),
        }
        with { effects: Effects::Unknown }
    }

    /// Does nothing.
    op Nop = "ori.nop" {
        with { effects: Effects::None }
    }

    /// Traps.
    op Bpt = "ori.bpt" {
        attributes {
            /// The operation.
            trap = "trap": required(crate::keywords::Trap),
        }
        with { effects: Effects::Unknown }
    }

    /// An instruction that the dialect does not model.
    ///
    /// It is opaque: no pass inspects, moves or removes it.
    op Inst = "ori.inst" {
        operands {
            /// The operands read.
            inputs: variadic(crate::types::REGISTER),
        }
        results {
            /// The results written.
            outputs: variadic(crate::types::REGISTER),
        }
        attributes {
            /// The mnemonic in the source, with modifiers.
            mnemonic = "mnemonic": required(orison_ir::declare::StrAttr),
            /// The text of the instruction in the source, including operands that are not
            /// registers.
            text = "text": optional(orison_ir::declare::StrAttr),
            /// Memory spaces read; any if absent.
            reads = "reads": optional(orison_ir::declare::ArrayAttr),
            /// Memory spaces written; any if absent.
            writes = "writes": optional(orison_ir::declare::ArrayAttr),
            /// Convergent: the effect depends on which threads execute it together.
            convergent = "convergent": optional(UnitAttr),
            /// The instruction synchronises.
            barrier = "barrier": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::unmodelled) }
    }
}
