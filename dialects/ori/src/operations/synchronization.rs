//! Barriers, fences, waits.

use orison_ir::declare::{I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{
    BarrierModeAttr, BarrierReductionAttr, FenceOrderAttr, RegisterPoolAttr, ScopeAttr, ViewAttr,
};
use crate::types::{B, PREDICATE, SOURCE, UP};

use super::rules;

machine_operations! {
    /// Waits for, or arrives at, a barrier of the CTA.
    op Bar = "ori.bar" {
        operands {
            /// Number of the barrier; that of the attribute when absent.
            barrier: optional(SOURCE),
            /// Threads that take part, a multiple of 32; all of the CTA when absent.
            threads: optional(SOURCE),
            /// The predicate that a reduction is of.
            predicate: optional(PREDICATE),
        }
        results {
            /// The reduction, as a register or as a predicate; at most one.
            reduced: variadic(crate::types::REGISTER),
        }
        attributes {
            /// What it does.
            mode = "mode": required(BarrierModeAttr),
            /// Number of the barrier, from 0 to 15.
            index = "index": optional(I32Attr),
            /// How predicates become one.
            barrier_reduction = "barrier_reduction": optional(BarrierReductionAttr),
        }
        effects: Unknown,
        verify: rules::barrier,
    }

    /// Orders memory accesses of the thread.
    op Membar = "ori.membar" {
        attributes {
            /// How strong it is.
            fence = "fence": required(FenceOrderAttr),
            /// For whom.
            scope = "scope": required(ScopeAttr),
        }
        effects: Unknown,
        verify: rules::fence_scope,
    }

    /// Waits until errors of memory accesses before it are reported.
    op Errbar = "ori.errbar" {
        effects: Unknown,
    }

    /// As `ori.errbar`, for the cluster.
    op Cgaerrbar = "ori.cgaerrbar" {
        effects: Unknown,
    }

    /// Orders accesses through different ways to memory.
    op Fence = "ori.fence" {
        attributes {
            /// Which way.
            view = "view": required(ViewAttr),
            /// The asynchronous proxy.
            asynchronous = "asynchronous": optional(UnitAttr),
        }
        effects: Unknown,
    }

    /// Waits until the threads of a mask (of the warp, when absent) are here.
    op Warpsync = "ori.warpsync" {
        operands {
            /// The threads, as bits.
            mask: optional(SOURCE),
        }
        effects: Unknown,
    }

    /// Arrives at the barrier of the cluster.
    op CgabarArrive = "ori.cgabar_arrive" {
        attributes {
            /// Does not order memory.
            relaxed = "relaxed": optional(UnitAttr),
        }
        effects: Unknown,
    }

    /// Waits for the barrier of the cluster.
    op CgabarWait = "ori.cgabar_wait" {
        effects: Unknown,
    }

    /// Sleeps for about so many nanoseconds.
    op Nanosleep = "ori.nanosleep" {
        operands {
            /// How many.
            duration: one(SOURCE),
        }
        effects: Unknown,
    }

    /// Waits until the grids that this one depends on are complete, and sees what they wrote.
    op Acqbulk = "ori.acqbulk" {
        effects: Unknown,
    }

    /// Lets the grids that depend on this one begin.
    op Preexit = "ori.preexit" {
        effects: Unknown,
    }

    /// Triggers events of the performance monitor.
    op Pmtrig = "ori.pmtrig" {
        attributes {
            /// The events, as bits.
            events = "events": required(I32Attr),
        }
        effects: Unknown,
        verify: rules::event_mask,
    }

    /// Lets another warp go on.
    op Yield = "ori.yield" {
        effects: Unknown,
    }

    /// Changes how many registers a thread of the warp group has.
    op Setmaxreg = "ori.setmaxreg" {
        results {
            /// Whether there were enough; at most one.
            done: variadic(UP),
        }
        attributes {
            /// More or fewer.
            pool = "pool": required(RegisterPoolAttr),
            /// How many: a multiple of 8 from 24 to 256.
            count = "count": required(I32Attr),
        }
        effects: Unknown,
        verify: rules::register_count,
    }

    /// Begins a region at whose end the threads meet again.
    op Bssy = "ori.bssy" {
        results {
            /// The threads that will meet.
            barrier: one(B),
        }
        attributes {
            /// `.RECONVERGENT`.
            reconvergent = "reconvergent": optional(UnitAttr),
        }
        effects: Unknown,
    }

    /// Waits until the threads of a region are here.
    op Bsync = "ori.bsync" {
        operands {
            /// The threads.
            barrier: one(B),
        }
        attributes {
            /// `.RECONVERGENT`.
            reconvergent = "reconvergent": optional(UnitAttr),
        }
        effects: Unknown,
    }

    /// Takes the thread out of those that meet at the end of a region.
    op Break = "ori.break" {
        operands {
            /// The threads before.
            barrier: one(B),
        }
        results {
            /// The threads behind.
            rest: one(B),
        }
        effects: Unknown,
    }

    /// Does nothing.
    op Nop = "ori.nop" {
        effects: None,
    }

    /// Stops with a trap.
    op Bpt = "ori.bpt" {
        attributes {
            /// What it does.
            trap = "trap": required(crate::keywords::TrapAttr),
        }
        effects: Unknown,
    }

    /// An instruction that the dialect does not model.
    ///
    /// It stands for itself: no pass looks inside, moves it, or drops it.
    op Inst = "ori.inst" {
        operands {
            /// What it reads.
            inputs: variadic(crate::types::REGISTER),
        }
        results {
            /// What it writes.
            outputs: variadic(crate::types::REGISTER),
        }
        attributes {
            /// What it is called where it is from, with modifiers.
            mnemonic = "mnemonic": required(orison_ir::declare::StrAttr),
            /// The whole instruction as it was written, with operands that are no registers.
            text = "text": optional(orison_ir::declare::StrAttr),
            /// Memory spaces it reads; any when absent.
            reads = "reads": optional(orison_ir::declare::ArrayAttr),
            /// Memory spaces it writes; any when absent.
            writes = "writes": optional(orison_ir::declare::ArrayAttr),
            /// Means something only together with other threads.
            convergent = "convergent": optional(UnitAttr),
            /// Synchronises.
            barrier = "barrier": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::unmodelled,
    }
}
