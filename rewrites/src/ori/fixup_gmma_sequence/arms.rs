//! Arms of divergent branches in which threads may end.
//!
//! ptxas predicates them like other short arms, but after the phase: a wait at the exit is one in a
//! section that only some threads execute, and behind the arms the warp is together (measured).

use orison_ir::Context;

use super::sections::{End, Extent, LONGEST_SIDE, Section};

/// Marks these arms ([`Section::is_arm`]), and makes their branches uniform. Inner branches first: the
/// number of sweeps is the depth of the nest.
pub(super) fn mark_arms(context: &Context, sections: &mut [Section]) {
    if !sections.iter().any(|section| section.end == End::ExitIf) {
        return;
    }
    let mut graph = Graph {
        nodes: (0..sections.len())
            .map(|number| Node::of(context, sections, number))
            .collect(),
        sections,
    };
    while graph.sweep() {}
}

/// Sections that are executed in order.
struct Node {
    parts: Vec<usize>,
    next: Vec<usize>,
    before: Vec<usize>,
    extent: Extent,
    /// Whether threads may end in it.
    exits: bool,
    /// Whether it contains arms.
    is_merged: bool,
    /// Whether it has to stay a block.
    is_fixed: bool,
}

impl Node {
    fn of(context: &Context, sections: &[Section], number: usize) -> Self {
        let section = &sections[number];
        let ends = matches!(section.end, End::Call | End::ExternCall | End::Exit);
        Node {
            parts: vec![number],
            next: section.next.clone(),
            before: section.before.clone(),
            extent: section.extent(context),
            exits: section.end == End::ExitIf,
            is_merged: section.is_merged,
            is_fixed: ends || section.has_groups(context),
        }
    }
}

struct Graph<'a> {
    nodes: Vec<Node>,
    sections: &'a mut [Section],
}

impl Graph<'_> {
    /// Joins what is executed in order, and takes arms in; whether there was one.
    fn sweep(&mut self) -> bool {
        let mut changed = false;
        for number in 0..self.nodes.len() {
            self.join(number);
            if let Some((arms, join)) = self.arms(number) {
                self.take(number, &arms, join);
                changed = true;
            }
        }
        changed
    }

    fn join(&mut self, number: usize) {
        while let [next] = self.nodes[number].next[..] {
            let alone = self.nodes[next].before == [number] && next != number && next != 0;
            if !alone || self.nodes[number].is_fixed || self.nodes[next].is_fixed {
                return;
            }
            let taken = self.nodes[next].next.clone();
            self.absorb(number, next);
            for after in &taken {
                for before in &mut self.nodes[*after].before {
                    if *before == next {
                        *before = number;
                    }
                }
            }
            self.nodes[number].next = taken;
        }
    }

    /// Adds what another node has; it is empty then.
    fn absorb(&mut self, number: usize, other: usize) {
        let fixed = std::mem::take(&mut self.nodes[other].is_fixed);
        let parts = std::mem::take(&mut self.nodes[other].parts);
        let extent = self.nodes[other].extent;
        let (exits, is_merged) = (self.nodes[other].exits, self.nodes[other].is_merged);
        self.nodes[other].next.clear();
        self.nodes[other].before.clear();
        let own = &mut self.nodes[number];
        own.parts.extend(parts);
        own.extent.is_mixed |= own.is_merged && extent.instructions > 0;
        own.extent = own.extent.and(extent);
        own.exits |= exits;
        own.is_merged |= is_merged;
        own.is_fixed |= fixed;
    }

    /// The arms of the branch at the end of a node, and where they meet.
    fn arms(&self, number: usize) -> Option<(Vec<usize>, usize)> {
        let [a, b] = self.nodes[number].next[..] else {
            return None;
        };
        let after = |way: usize| self.nodes[way].next.first().copied();
        let found = if self.is_arm(a) && after(a) == Some(b) {
            (vec![a], b)
        } else if self.is_arm(b) && after(b) == Some(a) {
            (vec![b], a)
        } else if self.is_arm(a) && self.is_arm(b) && after(a) == after(b) {
            (vec![a, b], after(a)?)
        } else {
            return None;
        };
        (found.1 != number).then_some(found)
    }

    fn is_arm(&self, number: usize) -> bool {
        let node = &self.nodes[number];
        let simple = node.before.len() == 1 && node.next.len() == 1 && !node.is_fixed;
        let barrier = node.extent.has_barrier && (node.exits || node.extent.is_mixed);
        simple && !barrier && node.extent.instructions <= LONGEST_SIDE
    }

    fn take(&mut self, number: usize, arms: &[usize], join: usize) {
        let exits = arms.iter().any(|arm| self.nodes[*arm].exits);
        let branch = self.nodes[number].parts.last().copied().unwrap_or(number);
        if exits && self.sections[branch].end == End::Divergent {
            self.sections[branch].end = End::Uniform;
            for part in arms.iter().flat_map(|arm| &self.nodes[*arm].parts) {
                self.sections[*part].is_arm = true;
            }
        }
        let own = &mut self.nodes[number];
        own.extent.is_mixed |= own.extent.instructions > 1 || arms.len() > 1;
        own.is_merged = true;
        for arm in arms {
            self.nodes[join].before.retain(|before| before != arm);
            // What was mixed before the arm was taken in counts already.
            let merged = std::mem::take(&mut self.nodes[number].is_merged);
            self.absorb(number, *arm);
            self.nodes[number].is_merged |= merged;
        }
        self.nodes[number].next = vec![join];
        if !self.nodes[join].before.contains(&number) {
            self.nodes[join].before.push(number);
        }
    }
}
