//! Uniform registers where the threads of a warp part.
//!
//! A warp has one copy of its uniform registers, and executes the ways that its threads take one behind the
//! other. What lives at a branch must be in its register until all threads are past it, also on the ways that
//! do not read it.

use orison_ir::analyses::{ControlFlowGraph, PostDominatorTree};
use orison_ori::analyses::RegisterClass;
use rustc_hash::FxHashMap;

use super::units::{Program, UnitId, is_unit};

/// The units that must live on at the ends of blocks, besides those that live at the starts and ends because they
/// are read behind them. Linear in the function, and in the units that live in regions times the ends of these.
pub fn kept(
    program: &Program,
    flow: &ControlFlowGraph,
    (ins, outs): (&[Vec<UnitId>], &[Vec<UnitId>]),
) -> Vec<(UnitId, u32)> {
    let uniform = |units: &[UnitId]| -> Vec<UnitId> {
        let class = |unit: &UnitId| program.units[*unit as usize].class;
        let units = units.iter().copied();
        units.filter(|unit| class(unit).is_uniform()).collect()
    };
    let mut kept = Vec::new();
    if outs.iter().all(|outs| uniform(outs).is_empty()) {
        return kept;
    }
    let mut keep = |start: u32, ends: &[u32]| {
        let units = uniform(&outs[start as usize]);
        for last in ends.iter().filter(|last| flow.dominates(start, **last)) {
            kept.extend(units.iter().map(|unit| (*unit, *last)));
        }
    };
    for (start, end) in regions(program) {
        keep(start, flow.predecessors(end));
    }
    let post_dominators = PostDominatorTree::of(flow);
    for start in flow.reverse_post_order().iter().copied() {
        // Of ways that never meet, one that ends at once and has no uniform registers disturbs no other.
        let has_uniform = |way: &&u32| {
            let block = **way;
            !flow.successors(block).is_empty()
                || !uniform(&ins[block as usize]).is_empty()
                || writes_uniform(program, block)
        };
        let ways = flow.successors(start).iter().filter(has_uniform).count();
        if ways >= 2 && post_dominators.immediate(start).is_none() {
            keep(start, post_dominators.exits());
        }
    }
    kept
}

fn writes_uniform(program: &Program, block: u32) -> bool {
    let instructions = program.blocks[block as usize].instructions.clone();
    let mut made = instructions.flat_map(|at| program.instructions[at as usize].defs.clone());
    made.any(|tuple| program.tuples[tuple as usize].class.is_uniform())
}

/// The blocks that set up a convergence barrier, each with the block where threads wait at it.
fn regions(program: &Program) -> Vec<(u32, u32)> {
    let is_barrier = |tuple: &u32| {
        let class = program.tuples[*tuple as usize].class;
        class == RegisterClass::Barrier
    };
    let mut starts: FxHashMap<UnitId, u32> = FxHashMap::default();
    let mut waits = Vec::new();
    for (number, block) in (0_u32..).zip(&program.blocks) {
        for at in block.instructions.clone() {
            let found = &program.instructions[at as usize];
            for tuple in found.defs.clone().filter(is_barrier) {
                let members = program.members(tuple).iter();
                starts.extend(members.map(|unit| (*unit, number)));
            }
            for tuple in found.uses.clone().filter(is_barrier) {
                let members = program.members(tuple).iter().copied();
                waits.extend(
                    members
                        .filter(|unit| is_unit(*unit))
                        .map(|unit| (unit, number)),
                );
            }
        }
    }
    let starts = |(unit, end): (UnitId, u32)| Some((*starts.get(&unit)?, end));
    waits.into_iter().filter_map(starts).collect()
}
