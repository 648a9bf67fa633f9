//! The pass `ori-store-elimination`: phase 65 of ptxas (GeneralOptimizeLate2; reference 9.4, 9.8).

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::declare::Effects;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Context, Operation};
use orison_ori::analyses::MemoryFlow;
use orison_ori::analyses::memory::{self, Access, AliasKind};
use orison_ori::analyses::properties;
use orison_ori::keywords::{Width, keyword_of};

use super::functions::{Function, applied, on_each};

orison_ir::pass_options! {
    /// Options of `ori-store-elimination`.
    pub struct StoreEliminationOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

const LOADED: &str = "loaded";
const STORED: &str = "stored";

/// The pass `ori-store-elimination`.
#[derive(Clone, Debug)]
pub struct StoreElimination(StoreEliminationOptions);

impl Pass for StoreElimination {
    type Options = StoreEliminationOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<StoreElimination>(
        "ori-store-elimination",
        "Erases redundant stores: phase 65 of ptxas.\n\
         \n\
         A store is erased if its value was loaded from or stored to the same address before and \
         no operation in between may write to that address. Accesses that are ordered with other \
         threads are kept.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: LOADED,
            summary: "Number of erased stores of values loaded from the same address",
        },
        Statistic {
            name: STORED,
            summary: "Number of erased stores of values stored to the same address before",
        },
    ]);

    fn create(options: StoreEliminationOptions) -> Self {
        StoreElimination(options)
    }

    fn options(&self) -> &StoreEliminationOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            if !knobs.flag("RedundantStoreElimination") {
                return Ok(IRStatus::Unchanged);
            }
            Ok(eliminate(pass, function))
        })
    }
}

/// Linear except for the queries to [`MemoryFlow`], each of which is bounded. All queries precede
/// any change: a redundant store does not change the contents of memory.
fn eliminate(pass: &mut PassContext<'_>, function: Function) -> IRStatus {
    let context = &*pass.context;
    let flow = ControlFlowGraph::of(context, function.body);
    let blocks = flow
        .reverse_post_order()
        .iter()
        .map(|number| flow.block(*number));
    let operations: Vec<Operation> = blocks
        .flat_map(|block| block.operations(context))
        .filter(|op| is_plain(context, *op, Effects::Write))
        .collect();
    let memory = MemoryFlow::of(context, flow).for_unchanging(context);
    let found: Vec<_> = operations
        .into_iter()
        .filter_map(|store| Some((store, redundancy(context, &memory, store)?)))
        .collect();
    for (store, kind) in &found {
        applied(
            pass,
            *store,
            "redundant-store",
            "the address already holds the value",
        );
        pass.count(kind, 1);
        store.erase(pass.context);
    }
    IRStatus::changed_if(!found.is_empty())
}

/// Whether an operation has exactly these effects, without ordering with other threads.
fn is_plain(context: &Context, op: Operation, effects: Effects) -> bool {
    let declared = op.definition(context);
    declared.is_some_and(|definition| definition.effects == effects)
        && !properties::is_unmodelled(context, op)
        && !properties::is_ordered(context, op)
        && !properties::is_convergent(context, op)
        && !memory::orders_memory(context, op)
}

/// Why a store is redundant, as the statistic that counts it.
fn redundancy(context: &Context, memory: &MemoryFlow, store: Operation) -> Option<&'static str> {
    let [value] = store.operands_named(context, "value")[..] else {
        return None;
    };
    let [write] = &memory::accesses(context, store)[..] else {
        return None;
    };
    write.bytes?;
    // The value a read of the same address would return.
    let read = Access {
        reads: true,
        writes: false,
        ..write.clone()
    };
    let state = memory.source(context, store, &read)?;
    if let Some(before) = memory.writer(state)
        && is_plain(context, before, Effects::Write)
        && properties::guard(context, before).is_none()
        && before.operands_named(context, "value")[..] == [value]
        && is_same_place(context, before, &read)
        && width(context, before) == width(context, store)
    {
        return Some(STORED);
    }
    let load = value.defining_op(context)?;
    let extends = [Width::U8, Width::S8, Width::U16, Width::S16];
    let whole = width(context, load).is_none_or(|width| !extends.contains(&width));
    let plain = is_plain(context, load, Effects::Read)
        && load.result_count(context) == 1
        && properties::otherwise(context, load).is_empty()
        && width(context, load) == width(context, store)
        && whole;
    let guard = properties::guard(context, load);
    let covered = guard.is_none() || guard == properties::guard(context, store);
    if !plain || !covered || !is_same_place(context, load, &read) {
        return None;
    }
    let [seen] = &memory::accesses(context, load)[..] else {
        return None;
    };
    (memory.source(context, load, seen)? == state).then_some(LOADED)
}

fn is_same_place(context: &Context, op: Operation, read: &Access) -> bool {
    let accesses = memory::accesses(context, op);
    let [access] = &accesses[..] else {
        return false;
    };
    let write = Access {
        writes: true,
        ..access.clone()
    };
    memory::alias(&write, read).kind == AliasKind::Same
}

fn width(context: &Context, op: Operation) -> Option<Width> {
    keyword_of(context, op, "width")
}
