//! The sections that some threads of a warp may execute without the others (causes 7518, 7520).
//!
//! A section is convergent if all sections before it end so: they are convergent, or synchronize the
//! warp group with a fence, product, commit or wait, and do not end with a divergent branch or a
//! call of a function that is not known. Of a latch only its branch counts. The join of a divergent
//! branch, its immediate post-dominator, is not convergent; exits that some threads take are no
//! ends of paths. Measured besides:
//!
//! - A join that is a latch with such operations is convergent if the branch is in the same loop and
//!   in a convergent section, and there is no fence between them.
//! - A loop that is entered on a side of a divergent branch, from a section with such operations that
//!   is not convergent, counts as left in different iterations ([`Section::is_uneven`]).
//! - In a function that other modules call, `.uni` is not trusted in and after a section that is not
//!   convergent and begins with a wait.

use orison_ir::analyses::{Graph, Tree, immediate_dominators};
use orison_ir::{Context, Operation};
use orison_ori::analyses::Divergence;
use orison_ori::analyses::matrix_groups::{Role, role};

use super::sections::{End, Section, edges, narrow};

/// Finds uneven loops and marks them; whether each section is convergent.
///
/// Linear in the sections, for each row of loops on a divergent side that are uneven because the
/// one before is.
pub(super) fn convergent_sections(
    context: &Context,
    sections: &mut [Section],
    divergence: &Divergence,
    starts_together: bool,
) -> Vec<bool> {
    let mut solver = Solver::of(context, sections, divergence, starts_together);
    loop {
        let joins = solver.joins();
        let together = solver.solve(&joins);
        let sides = solver.sides();
        let uneven = solver.uneven_latches(&together, &sides);
        let changed = solver.distrust(&together) | !uneven.is_empty();
        for latch in uneven {
            solver.sections[latch].is_uneven = true;
        }
        if !changed {
            return solver.with_entries(together, &sides);
        }
    }
}

/// What a section does to groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Acts {
    any: bool,
    /// Whether a fence is among the operations.
    arrives: bool,
    /// Whether a wait is.
    waits: bool,
    /// Whether a wait is the first operation, and others follow.
    begins_with_wait: bool,
}

impl Acts {
    fn of(context: &Context, section: &Section) -> Self {
        let roles = section.operations.iter();
        let roles = roles.filter_map(|op| role(context, *op));
        let roles: Vec<Role> = roles.filter(|role| *role != Role::Call).collect();
        let is_wait = |role: &Role| matches!(role, Role::Wait(_));
        Acts {
            any: section.has_groups(context),
            arrives: roles.contains(&Role::Arrive),
            waits: roles.iter().any(is_wait),
            begins_with_wait: roles.first().is_some_and(is_wait) && !roles.iter().all(is_wait),
        }
    }
}

struct Solver<'a> {
    sections: &'a mut [Section],
    acts: Vec<Acts>,
    /// Branches on a varying condition that the source promises to be uniform.
    promised: Vec<bool>,
    /// Sections where such promises are not trusted.
    distrusted: Vec<bool>,
    starts_together: bool,
    dominators: Tree,
    post_dominators: Tree,
}

impl<'a> Solver<'a> {
    fn of(
        context: &Context,
        sections: &'a mut [Section],
        divergence: &Divergence,
        starts_together: bool,
    ) -> Self {
        let exit = sections.len();
        let mut all = edges(sections);
        let graph = Graph::new(exit + 1, &all);
        let dominators = Tree::new(immediate_dominators(&graph, 0));
        let ends = (0..exit).filter(|number| sections[*number].next.is_empty());
        all.extend(ends.map(|number| (narrow(number), narrow(exit))));
        let reversed = Graph::new(exit + 1, &all).reversed();
        let post_dominators = Tree::new(immediate_dominators(&reversed, narrow(exit)));
        let promises = |branch: Operation| {
            let mut operands = branch.operands(context);
            branch.attribute(context, "uniform").is_some()
                && operands
                    .next()
                    .is_some_and(|one| divergence.is_varying(one))
        };
        Solver {
            acts: sections.iter().map(|one| Acts::of(context, one)).collect(),
            promised: sections
                .iter()
                .map(|one| one.branch.is_some_and(promises))
                .collect(),
            distrusted: vec![false; exit],
            starts_together,
            dominators,
            post_dominators,
            sections,
        }
    }

    /// Whether a section ends with a branch that parts the threads of a warp.
    fn parts(&self, number: usize) -> bool {
        let section = &self.sections[number];
        let divergent = section.end == End::Divergent
            || section.is_uneven
            || self.promised[number] && self.distrusted[number];
        divergent && section.next.len() > 1
    }

    /// The immediate post-dominator; `None` if it is the exit.
    fn join_of(&self, number: usize) -> Option<usize> {
        let join = self.post_dominators.parent(narrow(number))? as usize;
        (join < self.sections.len()).then_some(join)
    }

    /// Whether an edge is one of a loop.
    fn is_back(&self, from: usize, to: usize) -> bool {
        self.dominators.contains(narrow(to), narrow(from))
    }

    /// The divergent branches that join in each section.
    fn joins(&self) -> Vec<Vec<usize>> {
        let mut joins = vec![Vec::new(); self.sections.len()];
        for number in 0..self.sections.len() {
            if let Some(join) = self.join_of(number).filter(|_| self.parts(number)) {
                joins[join].push(number);
            }
        }
        joins
    }

    /// The greatest solution.
    fn solve(&self, joins: &[Vec<usize>]) -> Vec<bool> {
        let count = self.sections.len();
        let mut together = vec![true; count];
        // The joins that depend on each section with a divergent branch.
        let mut joined_by: Vec<Option<usize>> = vec![None; count];
        for (join, branches) in joins.iter().enumerate() {
            for branch in branches {
                joined_by[*branch] = Some(join);
            }
        }
        let mut waiting = vec![true; count];
        let mut pending: Vec<usize> = (0..count).rev().collect();
        while let Some(number) = pending.pop() {
            waiting[number] = false;
            if !together[number] || self.is_together(number, &joins[number], &together) {
                continue;
            }
            together[number] = false;
            let after = self.sections[number].next.iter().copied();
            for next in after.chain(joined_by[number]) {
                if !std::mem::replace(&mut waiting[next], true) {
                    pending.push(next);
                }
            }
        }
        together
    }

    fn is_together(&self, number: usize, branches: &[usize], together: &[bool]) -> bool {
        if number == 0 && !self.starts_together {
            return false;
        }
        if !branches.is_empty() {
            return self.acts[number].any
                && self.is_latch(number)
                && branches
                    .iter()
                    .all(|branch| together[*branch] && self.meets_in_loop(number, *branch));
        }
        let mut before = self.sections[number].before.iter().copied();
        before.all(|from| {
            let ends_so = !self.parts(from) && self.sections[from].end != End::ExternCall;
            ends_so && (together[from] || self.acts[from].any || self.is_back(from, number))
        })
    }

    fn is_latch(&self, number: usize) -> bool {
        let mut next = self.sections[number].next.iter();
        next.any(|to| self.is_back(number, *to))
    }

    /// Whether threads that part at a branch meet at a latch in the same loop, without a fence on the
    /// way: the header of the loop dominates both, and the latch reaches it.
    fn meets_in_loop(&self, latch: usize, branch: usize) -> bool {
        let is_header = |number: usize| {
            let heads = |section| self.dominators.contains(narrow(number), narrow(section));
            heads(latch) && heads(branch)
        };
        self.any_behind(latch, None, is_header)
            && !self.any_behind(branch, Some(latch), |number| self.acts[number].arrives)
    }

    /// Whether something holds for a section that is reached from another one, up to an end.
    fn any_behind(&self, from: usize, end: Option<usize>, holds: impl Fn(usize) -> bool) -> bool {
        let mut reached = vec![false; self.sections.len()];
        let mut pending = vec![from];
        while let Some(number) = pending.pop() {
            for next in self.sections[number].next.iter().copied() {
                if Some(next) == end || std::mem::replace(&mut reached[next], true) {
                    continue;
                }
                if holds(next) {
                    return true;
                }
                if next != from {
                    pending.push(next);
                }
            }
        }
        false
    }

    /// The sections on sides of divergent branches, before their joins: those that depend on one, or
    /// on a branch there.
    fn sides(&self) -> Vec<bool> {
        let mut marked = vec![false; self.sections.len()];
        // The first section above in the tree that may not be marked, with path compression.
        let mut above: Vec<usize> = (0..self.sections.len()).collect();
        let parts = |number: &usize| self.parts(*number) && !self.sections[*number].is_uneven;
        let mut pending: Vec<usize> = (0..self.sections.len()).filter(parts).collect();
        while let Some(branch) = pending.pop() {
            let end = self.join_of(branch);
            let depth = end.map_or(0, |end| self.post_dominators.depth(narrow(end)));
            for next in &self.sections[branch].next {
                let mut at = Some(*next);
                while let Some(section) = at.map(|at| unmarked(&mut above, &marked, at)) {
                    if self.post_dominators.depth(narrow(section)) <= depth || marked[section] {
                        break;
                    }
                    marked[section] = true;
                    pending.push(section);
                    at = self.join_of(section);
                    above[section] = at.unwrap_or(section);
                }
            }
        }
        marked
    }

    /// Latches of loops that are entered on a side from a section that is not convergent.
    fn uneven_latches(&self, together: &[bool], sides: &[bool]) -> Vec<usize> {
        let mut found = Vec::new();
        for (head, section) in self.sections.iter().enumerate() {
            let enters = |from: &usize| {
                !self.is_back(*from, head)
                    && !together[*from]
                    && sides[*from]
                    && self.acts[*from].any
                    && self.sections[*from].next.len() == 1
            };
            if !section.before.iter().any(enters) {
                continue;
            }
            let latches = section.before.iter().copied();
            let latches = latches.filter(|from| self.is_back(*from, head));
            found.extend(latches.filter(|latch| !self.sections[*latch].is_uneven));
        }
        found
    }

    /// Stops trusting promises where threads may have parted before a wait; whether that is new.
    fn distrust(&mut self, together: &[bool]) -> bool {
        if self.starts_together {
            return false;
        }
        let starts = |number: &usize| !together[*number] && self.acts[*number].begins_with_wait;
        let mut pending: Vec<usize> = (0..self.sections.len()).filter(starts).collect();
        let mut changed = false;
        while let Some(number) = pending.pop() {
            if !std::mem::replace(&mut self.distrusted[number], true) {
                changed |= self.promised[number];
                pending.extend(&self.sections[number].next);
            }
        }
        changed
    }

    /// The section that enters an uneven loop of one section without fences and waits counts as
    /// convergent.
    fn with_entries(&self, mut together: Vec<bool>, sides: &[bool]) -> Vec<bool> {
        for number in 0..self.sections.len() {
            let [next] = self.sections[number].next[..] else {
                continue;
            };
            let target = &self.sections[next];
            let own_loop = target.next.contains(&next) && target.is_uneven;
            if sides[number] && self.acts[number].any && own_loop {
                together[number] |= !self.acts[next].arrives && !self.acts[next].waits;
            }
        }
        together
    }
}

/// The lowest section at or above one that is not marked, or the highest.
fn unmarked(above: &mut [usize], marked: &[bool], mut section: usize) -> usize {
    while marked[section] && above[section] != section {
        let next = above[section];
        if marked[next] {
            above[section] = above[next];
        }
        section = next;
    }
    section
}
