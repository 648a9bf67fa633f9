//! The sections that some threads of a warp may execute without the others (causes 7518, 7520).
//!
//! A section is convergent if all sections before it end so: they are convergent, or synchronize threads
//! with a fence, product, commit, wait or barrier, and do not end with a divergent branch or a call of a
//! function that is not known. The join of a divergent branch, its immediate post-dominator, is not
//! convergent; exits that some threads take are no ends of paths. Measured besides:
//!
//! - A loop that is entered on a side of a divergent branch, from a section with such operations that
//!   is not convergent, counts as left in different iterations ([`Section::is_uneven`]), like one that
//!   some threads leave at a divergent branch.
//! - The section before an uneven loop without fences, waits and loops inside is reported as convergent;
//!   so is the one where the counter of a loop is stepped. ptxas keeps the counter in a uniform register,
//!   whose step it puts where the warp is together: in a latch that acts on groups and is not small,
//!   otherwise in the head. Both only if the threads of a warp enter the function together.
//! - Arms of divergent branches in which threads may end are predicated later (`arms.rs`): they are
//!   divergent, and what follows them is not.
//! - In a function that other modules call, `.uni` is not trusted in and after a section that is not
//!   convergent and begins with a wait.

use orison_ir::analyses::{Graph, Tree, immediate_dominators};
use orison_ir::{Context, Operation};
use orison_ori::analyses::Divergence;
use orison_ori::analyses::matrix_groups::{Role, role};
use rustc_hash::FxHashSet;

use super::sections::{End, Section, edges, is_barrier, narrow};
use crate::ori::matrix_registers::variables::words;

/// The least size of a latch where a counter is stepped, the step and the comparison included (measured
/// with commits, waits, products and arithmetic).
const LARGE_LATCH: usize = 10;

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
            return solver.reported(together, &sides);
        }
    }
}

/// What a section does to synchronize threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Acts {
    /// Whether it acts on groups, or waits at a barrier.
    any: bool,
    /// Whether a fence is among the operations.
    arrives: bool,
    /// Whether a wait is.
    waits: bool,
    /// Whether a wait is the first operation on groups, and others follow, or a barrier is there.
    begins_with_wait: bool,
    /// Whether a fence is the first operation on groups.
    begins_with_fence: bool,
    /// Its instructions, and the registers of the accumulators of its products.
    size: usize,
}

impl Acts {
    fn of(context: &Context, section: &Section) -> Self {
        let roles = section.operations.iter();
        let roles = roles.filter_map(|op| role(context, *op));
        let roles: Vec<Role> = roles.filter(|role| *role != Role::Call).collect();
        let is_wait = |role: &Role| matches!(role, Role::Wait(_));
        let mut operations = section.operations.iter();
        let has_barrier = operations.any(|op| is_barrier(context, *op));
        Acts {
            any: section.has_groups(context) || has_barrier,
            arrives: roles.contains(&Role::Arrive),
            waits: roles.iter().any(is_wait),
            begins_with_wait: roles.first().is_some_and(is_wait)
                && (has_barrier || !roles.iter().all(is_wait)),
            begins_with_fence: roles.first() == Some(&Role::Arrive),
            size: size(context, section),
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
    post_dominators: Tree,
    loops: Vec<Loop>,
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
            loops: loops(sections, &dominators),
            starts_together,
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

    /// The sections where divergent branches join.
    fn joins(&self) -> Vec<bool> {
        let mut joins = vec![false; self.sections.len()];
        for number in 0..self.sections.len() {
            if let Some(join) = self.join_of(number).filter(|_| self.parts(number)) {
                joins[join] = true;
            }
        }
        joins
    }

    /// The greatest solution.
    fn solve(&self, joins: &[bool]) -> Vec<bool> {
        let count = self.sections.len();
        let mut together = vec![true; count];
        let mut waiting = vec![true; count];
        let mut pending: Vec<usize> = (0..count).rev().collect();
        while let Some(number) = pending.pop() {
            waiting[number] = false;
            if !together[number] || self.is_together(number, joins[number], &together) {
                continue;
            }
            together[number] = false;
            for next in self.sections[number].next.iter().copied() {
                if !std::mem::replace(&mut waiting[next], true) {
                    pending.push(next);
                }
            }
        }
        together
    }

    fn is_together(&self, number: usize, is_join: bool, together: &[bool]) -> bool {
        if number == 0 && !self.starts_together {
            return false;
        }
        if is_join {
            return false;
        }
        let mut before = self.sections[number].before.iter().copied();
        before.all(|from| {
            let ends_so = !self.parts(from) && self.sections[from].end != End::ExternCall;
            ends_so && (together[from] || self.acts[from].any)
        })
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

    /// Latches of loops that threads leave in different iterations: those that are entered on a side from
    /// a section that is not convergent, and those with a branch that diverges beyond the loop.
    fn uneven_latches(&self, together: &[bool], sides: &[bool]) -> Vec<usize> {
        let loops = self.loops.iter().filter(|one| {
            let enters = |from: &usize| {
                !together[*from]
                    && sides[*from]
                    && self.acts[*from].any
                    && self.sections[*from].next.len() == 1
            };
            one.entries.iter().any(enters) || one.body.iter().any(|at| self.leaves(one, *at))
        });
        let latches = loops.flat_map(|one| one.latches.iter().copied());
        let mut found: Vec<usize> = latches
            .filter(|latch| !self.sections[*latch].is_uneven)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a branch in a loop parts threads such that some leave it.
    fn leaves(&self, around: &Loop, number: usize) -> bool {
        let is_latch = around.latches.contains(&number);
        self.sections[number].end == End::Divergent
            && !is_latch
            && self.parts(number)
            && self
                .join_of(number)
                .is_some_and(|join| !around.body.contains(&join))
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

    /// What the reports say. Sections of arms are divergent. Some are convergent although threads may
    /// have parted: the section before an uneven loop without fences, waits and loops inside, and the
    /// section of a loop where its counter is stepped.
    fn reported(&self, mut together: Vec<bool>, sides: &[bool]) -> Vec<bool> {
        for one in self.loops.iter().filter(|_| self.starts_together) {
            let is_uneven = one.latches.iter().any(|at| self.sections[*at].is_uneven);
            let mut body = one.body.iter().map(|at| self.acts[*at]);
            let is_plain = one.is_innermost && !body.any(|acts| acts.arrives || acts.waits);
            for from in one.entries.iter().copied() {
                let alone = self.sections[from].next.len() == 1;
                if alone && sides[from] && self.acts[from].any && is_uneven && is_plain {
                    together[from] = true;
                }
            }
            together[one.head] |= self.steps_in_head(one, &together);
            if let [latch] = one.latches[..] {
                together[latch] |= self.steps_in_latch(one, latch, &together);
            }
        }
        for (together, section) in together.iter_mut().zip(&*self.sections) {
            *together &= !section.is_arm;
        }
        together
    }

    /// Whether the counter of a loop is stepped in its head because threads part behind it: the head acts
    /// on groups, and nothing before it does, or only loops part the threads.
    fn steps_in_head(&self, one: &Loop, together: &[bool]) -> bool {
        let parts = |at: &&usize| {
            let join = self.join_of(**at);
            self.parts(**at) && join.is_some_and(|join| one.body.contains(&join))
        };
        let mut inside = one.body.iter().filter(parts).peekable();
        let diverges = inside.peek().is_some();
        let by_loops = diverges && inside.all(|at| self.sections[*at].end != End::Divergent);
        let mut ends = one.body.iter().map(|at| self.sections[*at].end);
        let calls = ends.any(|end| end == End::ExternCall);
        let mut quiet = one.entries.iter().map(|from| {
            let alone = self.sections[*from].next.len() == 1;
            together[*from] || !alone || !self.acts[*from].any
        });
        let quiet = quiet.all(|quiet| quiet);
        self.acts[one.head].any && (quiet && (diverges || calls) || by_loops)
    }

    /// Whether the counter of a loop is stepped in its latch although threads may have parted before: the
    /// latch acts on groups and is not small, its branch is uniform, and the threads of a warp enter
    /// the loop together. A wait before its first fence is not reported.
    fn steps_in_latch(&self, one: &Loop, latch: usize, together: &[bool]) -> bool {
        let section = &self.sections[latch];
        let is_uniform = section.end != End::Divergent && !section.is_uneven;
        let mut entries = one.entries.iter();
        let enters = entries.all(|from| together[*from] || self.acts[*from].any);
        let acts = self.acts[latch];
        let is_large = acts.size >= LARGE_LATCH && !acts.begins_with_fence;
        latch != one.head && acts.any && is_large && is_uniform && enters
    }
}

/// A loop.
struct Loop {
    head: usize,
    latches: Vec<usize>,
    /// The sections before the head, outside.
    entries: Vec<usize>,
    /// All sections, the head among them.
    body: FxHashSet<usize>,
    /// Whether it has no loop inside.
    is_innermost: bool,
}

/// The loops, by their heads. Linear in the sections, times the loops around them.
fn loops(sections: &[Section], dominators: &Tree) -> Vec<Loop> {
    let is_back = |from: usize, to: usize| dominators.contains(narrow(to), narrow(from));
    let mut all = Vec::new();
    let mut heads: FxHashSet<usize> = FxHashSet::default();
    for (head, section) in sections.iter().enumerate() {
        let before = section.before.iter().copied();
        let (latches, entries): (Vec<usize>, Vec<usize>) =
            before.partition(|from| is_back(*from, head));
        if latches.is_empty() {
            continue;
        }
        heads.insert(head);
        let mut body = FxHashSet::from_iter([head]);
        let mut pending = latches.clone();
        while let Some(number) = pending.pop() {
            if body.insert(number) {
                pending.extend(&sections[number].before);
            }
        }
        all.push(Loop {
            head,
            latches,
            entries,
            body,
            is_innermost: true,
        });
    }
    for one in &mut all {
        let mut inside = one.body.iter().filter(|at| **at != one.head);
        one.is_innermost = !inside.any(|at| heads.contains(at));
    }
    all
}

/// The instructions of a section, and the registers of the accumulators of its products.
fn size(context: &Context, section: &Section) -> usize {
    let groups = section
        .operations
        .iter()
        .map(|op| match role(context, *op) {
            Some(Role::Product) => 1 + words(context, op.result(context, 0)) as usize,
            Some(Role::Call) | None => 0,
            Some(_) => 1,
        });
    section.extent(context).instructions + groups.sum::<usize>()
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
