//! Functions of a required size, for benchmarks of machine code.

use orison_sass::function::{Edge, EdgeKind, Function};

/// A function with at least this many instructions: copies of a kernel, where instructions that
/// ended one copy continue with the next.
pub fn repeated<'a>(kernel: &Function<'a>, size: usize) -> Function<'a> {
    let mut all = kernel.clone();
    let each = kernel.instructions().count();
    for _ in 1..size.div_ceil(each) {
        let first = all.blocks.len();
        let last_copy = first - kernel.blocks.len();
        for block in &mut all.blocks[last_copy..] {
            if block.successors.is_empty() {
                let kind = EdgeKind::FallThrough;
                block.successors.push(Edge { to: first, kind });
            }
        }
        for block in &kernel.blocks {
            let mut copy = block.clone();
            for edge in &mut copy.successors {
                edge.to += first;
            }
            copy.callee = copy.callee.map(|callee| callee + first);
            all.blocks.push(copy);
        }
    }
    all
}
