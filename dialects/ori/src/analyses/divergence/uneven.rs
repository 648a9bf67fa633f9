//! Loops that threads leave in different iterations.

use orison_ir::analyses::LoopForest;

/// A set of loops, by index in the forest, with the innermost member around each loop.
#[derive(Clone, Debug, Default)]
pub(super) struct UnevenLoops {
    /// The innermost member that is a loop or contains it; empty if there are no members.
    innermost: Vec<Option<usize>>,
}

impl UnevenLoops {
    /// Whether a loop is a member.
    pub fn contains(&self, number: usize) -> bool {
        self.innermost.get(number).copied().flatten() == Some(number)
    }

    /// Adds a loop; returns whether it is new. Linear in the loops inside of it that are in no other
    /// member.
    pub fn insert(&mut self, loops: &LoopForest, number: usize) -> bool {
        if self.contains(number) {
            return false;
        }
        self.innermost.resize(loops.loops().len(), None);
        let outer = self.innermost[number];
        let mut pending = vec![number];
        while let Some(inner) = pending.pop() {
            // Others are in a member that is further inside.
            if self.innermost[inner] == outer {
                self.innermost[inner] = Some(number);
                pending.extend(&loops.loops()[inner].children);
            }
        }
        true
    }

    /// The innermost member that contains a block.
    pub fn around(&self, loops: &LoopForest, block: u32) -> Option<usize> {
        let number = loops.innermost(block)?;
        self.innermost.get(number).copied().flatten()
    }

    /// Whether a member contains a block and not another one.
    pub fn part(&self, loops: &LoopForest, inside: u32, outside: u32) -> bool {
        // Members around the innermost one contain what it contains.
        let around = self.around(loops, inside);
        around.is_some_and(|number| !loops.loops()[number].contains(outside))
    }
}
