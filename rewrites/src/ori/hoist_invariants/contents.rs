//! What the loops of a function contain, and which of them are left alone.

use orison_ir::{Block, Context};
use orison_ori::analyses::memory::{self, Access};
use orison_ori::analyses::properties::{self, is_instruction};
use orison_ori::operations::control::{Brx, Call};
use orison_ori::operations::synchronization::{Bar, Membar};

use crate::ori::loops::{Loops, is_cold, reads_far, samples};

/// The writes of a loop that are compared with a read one by one. Loops with more write anything.
const MOST_WRITES: usize = 32;

/// What a loop contains, inner loops included.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    /// Writes of memory, and what orders it.
    pub writes: Vec<Access>,
    /// Instructions.
    pub size: usize,
    /// Those of them that read global memory or textures.
    pub long_latency: usize,
    /// Those of them that read textures.
    pub textures: usize,
    /// A barrier or a memory barrier.
    pub has_barrier: bool,
    /// A branch to one of several blocks.
    pub has_indirect_branch: bool,
    /// A call that does more than compute its results.
    pub has_call: bool,
    /// A block that a pragma calls cold.
    pub has_cold_block: bool,
}

impl Contents {
    /// Of all loops of a function. Linear in the function.
    pub fn of(context: &Context, loops: &Loops) -> Vec<Self> {
        let all = loops.forest.loops();
        let mut found = vec![Contents::default(); all.len()];
        for (number, block) in (0..).zip(loops.flow.blocks()) {
            if let Some(innermost) = loops.forest.innermost(number) {
                found[innermost].add_block(context, *block);
            }
        }
        // Inner loops have higher indices.
        for (number, natural) in all.iter().enumerate().rev() {
            if let Some(parent) = natural.parent {
                let inner = found[number].clone();
                found[parent].add(inner);
            }
        }
        found
    }

    fn add_block(&mut self, context: &Context, block: Block) {
        for op in block.operations(context) {
            self.size += usize::from(is_instruction(context, op));
            self.long_latency += usize::from(reads_far(context, op));
            self.textures += usize::from(samples(context, op));
            self.has_barrier |= Bar::of(context, op).is_some() || Membar::of(context, op).is_some();
            self.has_indirect_branch |= Brx::of(context, op).is_some();
            let calls = Call::of(context, op).is_some();
            self.has_call |= calls && !properties::is_pure_call(context, op);
            let writes = memory::accesses(context, op);
            self.add_writes(writes.into_iter().filter(|access| access.writes));
        }
        self.has_cold_block |= is_cold(context, block);
    }

    fn add(&mut self, inner: Contents) {
        self.size += inner.size;
        self.long_latency += inner.long_latency;
        self.textures += inner.textures;
        self.has_barrier |= inner.has_barrier;
        self.has_indirect_branch |= inner.has_indirect_branch;
        self.has_call |= inner.has_call;
        self.has_cold_block |= inner.has_cold_block;
        self.add_writes(inner.writes.into_iter());
    }

    fn add_writes(&mut self, writes: impl Iterator<Item = Access>) {
        for write in writes {
            if self.writes.contains(&write) {
                continue;
            }
            if self.writes.len() == MOST_WRITES {
                self.writes = vec![Access::ANY];
            }
            if self.writes.first() != Some(&Access::ANY) {
                self.writes.push(write);
            }
        }
    }
}

/// Why nothing is hoisted from a loop: the five results of the boundary analysis. The second, that
/// it has inner loops, restricts it only ([`super::budget`]).
pub(super) fn boundary(
    loops: &Loops,
    number: usize,
    contents: &Contents,
    follows_page: bool,
) -> Option<&'static str> {
    let natural = &loops.forest.loops()[number];
    if natural.irreducible {
        return Some("it is entered at several blocks");
    }
    if natural.children.is_empty() {
        return None;
    }
    if contents.has_indirect_branch {
        return Some("there is an indexed branch in the nest");
    }
    if follows_page && contents.has_barrier {
        return Some("there is a barrier in the nest");
    }
    if follows_page && contents.has_call {
        return Some("there is a call in the nest");
    }
    None
}
