//! Pairs of loops of which the second one follows the first one.

use orison_ir::Context;
use orison_ori::analyses::induction::is_same_condition;
use orison_ori::operations::control::CondBra;
use rustc_hash::FxHashMap;

use crate::ori::loops::Loops;

/// A loop, and the one that runs next behind it.
#[derive(Clone, Debug)]
pub(super) struct Adjacent {
    pub first: usize,
    pub second: usize,
    /// The blocks that lead from the first one to the second one, in order.
    pub between: Vec<u32>,
    /// The block in `between` that is also reached without the first loop; the number of blocks if it
    /// is the second loop.
    pub merge: Option<usize>,
    /// The block in `between` whose branch decides about the second loop, and the way into it.
    pub test: Option<(usize, usize)>,
}

/// The loops of a function by their headers.
pub(super) struct Headers<'l> {
    loops: &'l Loops,
    loop_at: FxHashMap<u32, usize>,
}

impl<'l> Headers<'l> {
    pub fn of(loops: &'l Loops) -> Self {
        let all = loops.forest.loops().iter().zip(0..);
        Headers {
            loops,
            loop_at: all
                .map(|(natural, number)| (natural.header, number))
                .collect(),
        }
    }

    /// The loop that runs next behind a loop: at most one branch decides whether it does.
    pub fn next_loop(&self, first: usize) -> Option<Adjacent> {
        let exits = &self.loops.forest.loops()[first].exits;
        let mut targets: Vec<u32> = exits.iter().map(|(_, to)| *to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
            .into_iter()
            .find_map(|target| self.follow(first, target))
    }

    fn follow(&self, first: usize, target: u32) -> Option<Adjacent> {
        let flow = &self.loops.flow;
        let mut found = Adjacent {
            first,
            second: first,
            between: Vec::new(),
            merge: None,
            test: None,
        };
        let mut block = target;
        while !self.loop_at.contains_key(&block) {
            let place = found.between.len();
            match (flow.predecessors(block).len(), found.merge) {
                (1, _) => {}
                (2, None) => found.merge = Some(place),
                _ => return None,
            }
            found.between.push(block);
            match flow.successors(block) {
                [next] => block = *next,
                [a, b] => {
                    let ways = [*a, *b].into_iter().enumerate();
                    let mut ways = ways.map(|(way, next)| (way, self.straight(next)));
                    let (way, (rest, header)) = ways.find_map(|(way, path)| Some((way, path?)))?;
                    found.test = Some((place, way));
                    found.between.extend(rest);
                    block = header;
                }
                _ => return None,
            }
        }
        found.second = self.loop_at[&block];
        let forest = &self.loops.forest;
        let second = &forest.loops()[found.second];
        let before = flow.predecessors(block).iter();
        if before.filter(|block| !second.contains(**block)).count() > 1 {
            found.merge = Some(found.between.len());
        }
        let [a, b] = [first, found.second].map(|number| forest.loops()[number].parent);
        (a == b && found.second != first).then_some(found)
    }

    /// The blocks that lead from a block to the header of a loop, and nowhere else; and the header.
    fn straight(&self, mut block: u32) -> Option<(Vec<u32>, u32)> {
        let flow = &self.loops.flow;
        let mut path = Vec::new();
        while !self.loop_at.contains_key(&block) {
            let ([_], [next]) = (flow.predecessors(block), flow.successors(block)) else {
                return None;
            };
            path.push(block);
            block = *next;
        }
        Some((path, block))
    }
}

impl Adjacent {
    /// Whether the second loop runs exactly where the first one does: nothing decides in between, or
    /// the same condition as in front of the first one.
    pub fn run_together(&self, context: &Context, loops: &Loops) -> bool {
        match (self.merge, self.test) {
            (None, None) => true,
            (Some(merge), Some(test)) => {
                merge <= test.0
                    && self
                        .has_same_guard(context, loops, merge, test)
                        .unwrap_or(false)
            }
            _ => false,
        }
    }

    /// The block that decides about the first loop, and leads to the merge otherwise; and the way
    /// into the loop.
    pub fn guard(&self, loops: &Loops, merge: usize) -> Option<(u32, usize)> {
        let flow = &loops.flow;
        let natural = &loops.forest.loops()[self.first];
        let mut target = natural.header;
        let mut before = flow.predecessors(target).iter();
        let mut block = *before.find(|block| !natural.contains(**block))?;
        while let ([_], [before]) = (flow.successors(block), flow.predecessors(block)) {
            target = block;
            block = *before;
        }
        let way = match *flow.successors(block) {
            [a, b] if a == target && b == self.between[merge] => 0,
            [a, b] if b == target && a == self.between[merge] => 1,
            _ => return None,
        };
        Some((block, way))
    }

    fn has_same_guard(
        &self,
        context: &Context,
        loops: &Loops,
        merge: usize,
        (place, way): (usize, usize),
    ) -> Option<bool> {
        let (guard, into_first) = self.guard(loops, merge)?;
        let decision = |block: u32, way: usize| {
            let branch = loops.flow.block(block).terminator(context)?;
            let branch = CondBra::of(context, branch)?;
            let holds = (way == 0) != branch.inverted(context).is_some();
            Some((branch.condition(context), holds))
        };
        let (first, if_first) = decision(guard, into_first)?;
        let (second, if_second) = decision(self.between[place], way)?;
        Some(is_same_condition(
            context,
            [first, second],
            if_first != if_second,
        ))
    }
}
