//! The places of variables in shared memory and in the banks of constants.

use orison_ir::{Context, Operation, walk};
use orison_ori::keywords::Space;
use orison_ori::operations as ori;
use rustc_hash::FxHashMap;

/// The first machine with clusters: the address of shared memory has the rank of the CTA in its high
/// byte, and the first kibibyte is reserved (measured with ptxas 13.0).
pub const CLUSTERS_SINCE: u16 = 90;
/// The first offset in shared memory on machines with clusters.
pub const SHARED_START: i64 = 0x400;

/// The offsets of the variables of a module in their spaces, which all its functions agree on: in the
/// order of the text, those of the size that the launch gives at the end.
#[derive(Debug, Default)]
pub(crate) struct MemoryLayout {
    places: FxHashMap<String, (Space, i64)>,
    spaces: FxHashMap<Space, Vec<(ori::Memory, i64)>>,
}

impl MemoryLayout {
    /// The layout of a module.
    pub(crate) fn of(context: &Context, module: Operation) -> MemoryLayout {
        let all = walk::collect(context, module).into_iter();
        Self::of_operations(context, all)
    }

    /// The layout of the variables among operations.
    pub(crate) fn of_operations(
        context: &Context,
        operations: impl Iterator<Item = Operation>,
    ) -> MemoryLayout {
        let memories = operations.filter_map(|op| ori::Memory::of(context, op));
        let (sized, open): (Vec<_>, Vec<_>) =
            memories.partition(|memory| memory.size(context).unwrap_or(0) > 0);
        let mut layout = MemoryLayout::default();
        let mut ends = FxHashMap::default();
        for memory in sized.into_iter().chain(open) {
            let Some(space) = memory.space(context) else {
                continue;
            };
            let end: &mut i64 = ends.entry(space).or_default();
            let alignment = i64::from(memory.alignment(context).unwrap_or(1).max(1));
            *end = (*end + alignment - 1) / alignment * alignment;
            let name = memory.sym_name(context).unwrap_or_default().to_owned();
            layout.places.insert(name, (space, *end));
            layout.spaces.entry(space).or_default().push((memory, *end));
            *end += memory.size(context).unwrap_or(0);
        }
        layout
    }

    /// The space and the offset of a variable.
    pub(crate) fn place(&self, name: &str) -> Option<(Space, i64)> {
        self.places.get(name).copied()
    }

    /// The first byte behind the variables of a space.
    pub(crate) fn end(&self, context: &Context, space: Space) -> i64 {
        let last = self.variables(space).last();
        last.map_or(0, |(memory, offset)| {
            offset + memory.size(context).unwrap_or(0)
        })
    }

    /// The variables of a space and their offsets, in the order of the offsets.
    pub(crate) fn variables(&self, space: Space) -> &[(ori::Memory, i64)] {
        self.spaces.get(&space).map_or(&[], Vec::as_slice)
    }
}
