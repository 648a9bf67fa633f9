//! Dominance between blocks of a region and between operations.
//!
//! The algorithm is that of [`crate::analyses::immediate_dominators`].

use rustc_hash::FxHashMap;

use crate::Context;
use crate::analyses::Graph;
use crate::declare::Trait;
use crate::entities::{Block, Operation, Region, Value, ValueOwner};

/// The dominator tree of the blocks of one region. Unreachable blocks are not in it.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    /// Reachable blocks in reverse post-order; the entry is first.
    order: Vec<Block>,
    /// Position in `order`, by block.
    position: FxHashMap<Block, u32>,
    /// Position of the immediate dominator. The entry is its own immediate dominator.
    immediate: Vec<u32>,
    /// Blocks by immediate dominator, in reverse post-order.
    children: Vec<Vec<u32>>,
    /// Pre- and post-order indices in the tree: a dominates b if a's interval contains b's.
    interval: Vec<(u32, u32)>,
}

impl DominatorTree {
    /// The tree of a region; empty for a region without blocks.
    pub fn of(context: &Context, region: Region) -> Self {
        let order = reverse_post_order(context, region);
        let position: FxHashMap<Block, u32> = order.iter().copied().zip(0..).collect();
        let immediate = immediate_dominators(context, &order, &position);
        let mut children = vec![Vec::new(); order.len()];
        for (node, parent) in immediate.iter().enumerate().skip(1) {
            children[*parent as usize].push(u32::try_from(node).unwrap_or(u32::MAX));
        }
        let interval = intervals(&children);
        DominatorTree {
            order,
            position,
            immediate,
            children,
            interval,
        }
    }

    /// The reachable blocks in reverse post-order.
    pub fn reverse_post_order(&self) -> &[Block] {
        &self.order
    }

    /// Whether a block is reachable from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position.contains_key(&block)
    }

    /// The closest strict dominator of `block`. `None` for the entry and for unreachable blocks.
    pub fn immediate_dominator(&self, block: Block) -> Option<Block> {
        let position = *self.position.get(&block)?;
        let parent = self.immediate[position as usize];
        (parent != position).then(|| self.order[parent as usize])
    }

    /// The blocks whose immediate dominator is `block`.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let position = self.position.get(&block);
        let children = position.map_or(&[][..], |position| &self.children[*position as usize]);
        children.iter().map(|child| self.order[*child as usize])
    }

    /// Whether every path from the entry to `b` goes through `a`. Every block dominates unreachable
    /// blocks.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let Some(b) = self.position.get(&b) else {
            return true;
        };
        let Some(a) = self.position.get(&a) else {
            return false;
        };
        let (outer, inner) = (self.interval[*a as usize], self.interval[*b as usize]);
        outer.0 <= inner.0 && inner.1 <= outer.1
    }
}

fn reverse_post_order(context: &Context, region: Region) -> Vec<Block> {
    let Some(entry) = region.first_block(context) else {
        return Vec::new();
    };
    let mut seen = rustc_hash::FxHashSet::default();
    seen.insert(entry);
    let successors = |block: Block| block.successors(context).collect::<Vec<_>>();
    let mut stack = vec![(entry, successors(entry), 0)];
    let mut order = Vec::new();
    while let Some((block, targets, next)) = stack.last_mut() {
        if let Some(&target) = targets.get(*next) {
            *next += 1;
            if target.region(context) == Some(region) && seen.insert(target) {
                stack.push((target, successors(target), 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

/// Positions of immediate dominators. The entry is its own immediate dominator.
fn immediate_dominators(
    context: &Context,
    order: &[Block],
    position: &FxHashMap<Block, u32>,
) -> Vec<u32> {
    let mut edges = Vec::new();
    for (from, block) in (0..).zip(order) {
        let successors = block.successors(context);
        let inside = successors.filter_map(|target| position.get(&target));
        edges.extend(inside.map(|to| (from, *to)));
    }
    let graph = Graph::new(order.len(), &edges);
    let immediate = crate::analyses::immediate_dominators(&graph, 0);
    immediate
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect()
}

fn intervals(children: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let mut interval = vec![(0, 0); children.len()];
    if children.is_empty() {
        return interval;
    }
    let mut clock = 0;
    let mut stack = vec![(0u32, 0usize)];
    while let Some((node, next)) = stack.last_mut() {
        let index = *node as usize;
        if *next == 0 {
            interval[index].0 = clock;
            clock += 1;
        }
        if let Some(&child) = children[index].get(*next) {
            *next += 1;
            stack.push((child, 0));
        } else {
            interval[index].1 = clock;
            clock += 1;
            stack.pop();
        }
    }
    interval
}

/// Whether a region is a graph region: unordered, so that uses may precede definitions. Regions of
/// unregistered operations may be graph regions.
pub fn is_graph_region(context: &Context, region: Region) -> bool {
    let owner = region.owner(context);
    owner
        .definition(context)
        .is_some_and(|definition| definition.has_trait(Trait::GraphRegion))
}

/// Dominance in a tree of regions. Dominator trees are computed on first use.
#[derive(Debug, Default)]
pub struct Dominance {
    trees: FxHashMap<Region, DominatorTree>,
}

impl Dominance {
    /// The dominator tree of a region.
    pub fn tree(&mut self, context: &Context, region: Region) -> &DominatorTree {
        self.trees
            .entry(region)
            .or_insert_with(|| DominatorTree::of(context, region))
    }

    /// Whether `value` is available where `user` reads its operands.
    pub fn dominates_use(&mut self, context: &Context, value: Value, user: Operation) -> bool {
        match value.owner(context) {
            ValueOwner::Result(op, _) => self.properly_dominates(context, op, user),
            ValueOwner::Argument(block, _) => self.block_dominates(context, block, user),
        }
    }

    fn block_dominates(&mut self, context: &Context, block: Block, user: Operation) -> bool {
        let Some(region) = block.region(context) else {
            return false;
        };
        let Some(place) = block_around(context, user, region) else {
            return false;
        };
        place == block || self.tree(context, region).dominates(block, place)
    }

    /// Whether `a` is always executed before `b`, and `b` is not inside `a`. In a graph region
    /// every operation properly dominates every other.
    pub fn properly_dominates(&mut self, context: &Context, a: Operation, b: Operation) -> bool {
        let Some(region) = a.parent_region(context) else {
            return false;
        };
        let Some(a_block) = a.block(context) else {
            return false;
        };
        let Some(b_block) = block_around(context, b, region) else {
            return false;
        };
        let Some(b_here) = b.ancestor_in_block(context, b_block) else {
            return false;
        };
        if is_graph_region(context, region) {
            return b_here != a || b == a;
        }
        if a_block == b_block {
            return a != b_here && a.is_before_in_block(context, b_here);
        }
        self.tree(context, region).dominates(a_block, b_block)
    }
}

/// The block of `region` that contains `op` at any depth.
fn block_around(context: &Context, op: Operation, region: Region) -> Option<Block> {
    std::iter::once(op)
        .chain(op.ancestors(context))
        .filter_map(|op| op.block(context))
        .find(|block| block.region(context) == Some(region))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, parse_source};

    fn blocks(text: &str) -> (Context, Region, Vec<Block>) {
        let mut context = Context::new();
        context.allow_unregistered_dialects(true);
        let source = Source {
            name: "test",
            text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("parses");
        let body = module.body_block(&context, 0).expect("a body");
        let region = body
            .first_op(&context)
            .expect("an operation")
            .region(&context, 0);
        let blocks = region.blocks(&context).collect();
        (context, region, blocks)
    }

    #[test]
    fn the_join_of_a_diamond_is_dominated_by_its_head() {
        let (context, region, blocks) = blocks(
            r#""t.f"() ({
                "t.br"()[^left, ^right] : () -> ()
              ^left:
                "t.br"()[^join] : () -> ()
              ^right:
                "t.br"()[^join] : () -> ()
              ^join:
                "t.br"()[^join, ^left] : () -> ()
              ^dead:
                "t.br"()[^join] : () -> ()
            }) : () -> ()"#,
        );
        let tree = DominatorTree::of(&context, region);
        let [entry, left, right, join, dead] = blocks[..] else {
            panic!("five blocks")
        };
        assert_eq!(tree.immediate_dominator(entry), None);
        assert_eq!(tree.immediate_dominator(left), Some(entry));
        assert_eq!(tree.immediate_dominator(join), Some(entry));
        assert!(tree.dominates(entry, join) && tree.dominates(join, join));
        assert!(!tree.dominates(left, join) && !tree.dominates(right, left));
        assert!(!tree.is_reachable(dead));
        assert!(tree.dominates(left, dead) && !tree.dominates(dead, left));
        assert_eq!(tree.children(entry).count(), 3);
    }
}
