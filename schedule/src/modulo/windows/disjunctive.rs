//! Tightens the windows of tasks of which no two may overlap: overload, edge finding and detectable
//! precedences, each in `O(n log n)`.
//!
//! Source: Vilím, Filtering algorithms for the unary resource constraint (2008), chapters 2.4 to 2.6.

use super::Refuted;

/// A task with the first cycle in which it may start and the cycle by which it has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// Earliest start.
    pub start: i64,
    /// Latest end.
    pub end: i64,
    /// Cycles needed, at least 1.
    pub cycles: i64,
}

impl Task {
    /// The task in reversed time.
    fn mirrored(&self) -> Self {
        Self {
            start: -self.end,
            end: -self.start,
            cycles: self.cycles,
        }
    }
}

/// Buffers of the rules, so that repeated calls do not allocate.
#[derive(Debug, Default)]
pub(super) struct Disjunctive {
    tree: ThetaTree,
    mirror: Vec<Task>,
    starts: Vec<i64>,
    by_end: Vec<u32>,
    by_latest_start: Vec<u32>,
    by_earliest_end: Vec<u32>,
}

impl Disjunctive {
    /// Raises starts and lowers ends as far as one application of each rule shows.
    pub fn tighten(&mut self, tasks: &mut [Task]) -> Result<(), Refuted> {
        self.raise_starts(tasks)?;
        let mut mirror = std::mem::take(&mut self.mirror);
        mirror.clear();
        mirror.extend(tasks.iter().map(Task::mirrored));
        let result = self.raise_starts(&mut mirror);
        for (task, mirrored) in tasks.iter_mut().zip(&mirror) {
            task.end = -mirrored.start;
        }
        self.mirror = mirror;
        result
    }

    fn raise_starts(&mut self, tasks: &mut [Task]) -> Result<(), Refuted> {
        self.starts.clear();
        self.starts.extend(tasks.iter().map(|task| task.start));
        self.tree.order(tasks);
        self.after_detected(tasks);
        self.find_edges(tasks)?;
        for (task, &start) in tasks.iter_mut().zip(&self.starts) {
            task.start = start;
            if task.start + task.cycles > task.end {
                return Err(Refuted);
            }
        }
        Ok(())
    }

    /// A task that ends, at the earliest, after the latest start of others comes after them all.
    fn after_detected(&mut self, tasks: &[Task]) {
        sort(&mut self.by_latest_start, tasks.len(), |task| {
            tasks[task].end - tasks[task].cycles
        });
        sort(&mut self.by_earliest_end, tasks.len(), |task| {
            tasks[task].start + tasks[task].cycles
        });
        self.tree.clear();
        let mut next = 0;
        for &task in &self.by_earliest_end {
            let own = &tasks[task as usize];
            while let Some(&other) = self.by_latest_start.get(next) {
                let earlier = &tasks[other as usize];
                if own.start + own.cycles <= earlier.end - earlier.cycles {
                    break;
                }
                self.tree.set(other, earlier, Member::Task);
                next += 1;
            }
            let is_member = self.tree.has(task);
            if is_member {
                self.tree.set(task, own, Member::None);
            }
            let start = &mut self.starts[task as usize];
            *start = (*start).max(self.tree.end());
            if is_member {
                self.tree.set(task, own, Member::Task);
            }
        }
    }

    /// A task that does not fit before the latest end of a set comes after the whole set.
    fn find_edges(&mut self, tasks: &[Task]) -> Result<(), Refuted> {
        sort(&mut self.by_end, tasks.len(), |task| -tasks[task].end);
        self.tree.clear();
        for &task in &self.by_end {
            self.tree.set(task, &tasks[task as usize], Member::Task);
        }
        for &task in &self.by_end {
            let end = tasks[task as usize].end;
            if self.tree.end() > end {
                return Err(Refuted);
            }
            while let Some(other) = self.tree.late(end) {
                let start = &mut self.starts[other as usize];
                *start = (*start).max(self.tree.end());
                self.tree.set(other, &tasks[other as usize], Member::None);
            }
            self.tree.set(task, &tasks[task as usize], Member::Optional);
        }
        Ok(())
    }
}

fn sort(order: &mut Vec<u32>, count: usize, key: impl Fn(usize) -> i64) {
    order.clear();
    order.extend(0..count as u32);
    order.sort_unstable_by_key(|&task| (key(task as usize), task));
}

/// How a task takes part in a [`ThetaTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    None,
    /// A task of the set.
    Task,
    /// A task of which at most one is added to the set.
    Optional,
}

/// No tasks: far below every cycle, and safe for additions.
const EMPTY: i64 = i64::MIN / 4;

/// Sums over the tasks below a node of the tree.
#[derive(Clone, Copy, Debug)]
struct Sums {
    cycles: i64,
    /// Earliest end of the set.
    end: i64,
    /// The same two with the one optional task that makes each largest, and that task.
    with_cycles: (i64, u32),
    with_end: (i64, u32),
}

impl Sums {
    const NONE: Self = Self {
        cycles: 0,
        end: EMPTY,
        with_cycles: (EMPTY, 0),
        with_end: (EMPTY, 0),
    };

    fn joined(left: &Self, right: &Self) -> Self {
        let plus = |optional: (i64, u32), rest: i64| (optional.0 + rest, optional.1);
        Self {
            cycles: left.cycles + right.cycles,
            end: right.end.max(left.end + right.cycles),
            with_cycles: plus(left.with_cycles, right.cycles)
                .max(plus(right.with_cycles, left.cycles)),
            with_end: right
                .with_end
                .max(plus(right.with_cycles, left.end))
                .max(plus(left.with_end, right.cycles)),
        }
    }
}

/// The earliest end of a set of tasks, kept under insertion and removal: a binary tree over the
/// tasks by earliest start.
#[derive(Debug, Default)]
struct ThetaTree {
    /// Number of leaves, a power of two.
    width: usize,
    /// The root is at 1, the children of a node at twice its index.
    sums: Vec<Sums>,
    leaf: Vec<u32>,
    order: Vec<u32>,
}

impl ThetaTree {
    fn order(&mut self, tasks: &[Task]) {
        sort(&mut self.order, tasks.len(), |task| tasks[task].start);
        self.leaf.clear();
        self.leaf.resize(tasks.len(), 0);
        for (position, &task) in self.order.iter().enumerate() {
            self.leaf[task as usize] = position as u32;
        }
        self.width = tasks.len().next_power_of_two();
    }

    fn clear(&mut self) {
        self.sums.clear();
        self.sums.resize(2 * self.width, Sums::NONE);
    }

    fn has(&self, task: u32) -> bool {
        self.sums[self.width + self.leaf[task as usize] as usize].cycles > 0
    }

    fn set(&mut self, task: u32, entry: &Task, member: Member) {
        let mut place = self.width + self.leaf[task as usize] as usize;
        let end = entry.start + entry.cycles;
        self.sums[place] = match member {
            Member::None => Sums::NONE,
            Member::Task => Sums {
                cycles: entry.cycles,
                end,
                ..Sums::NONE
            },
            Member::Optional => Sums {
                with_cycles: (entry.cycles, task),
                with_end: (end, task),
                ..Sums::NONE
            },
        };
        while place > 1 {
            place /= 2;
            self.sums[place] = Sums::joined(&self.sums[2 * place], &self.sums[2 * place + 1]);
        }
    }

    /// Earliest end of the set.
    fn end(&self) -> i64 {
        self.sums[1].end
    }

    /// The optional task that makes the set end latest, if that is after a cycle.
    fn late(&self, cycle: i64) -> Option<u32> {
        let (end, task) = self.sums[1].with_end;
        (end > cycle).then_some(task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(start: i64, end: i64, cycles: i64) -> Task {
        Task { start, end, cycles }
    }

    fn tighten(mut tasks: Vec<Task>) -> Result<Vec<(i64, i64)>, Refuted> {
        Disjunctive::default().tighten(&mut tasks)?;
        Ok(tasks.iter().map(|task| (task.start, task.end)).collect())
    }

    #[test]
    fn three_tasks_of_two_cycles_do_not_fit_into_five() {
        assert!(tighten(vec![task(0, 5, 2); 3]).is_err());
        assert!(tighten(vec![task(0, 6, 2); 3]).is_ok());
    }

    /// The long task fits neither before nor between the two others.
    #[test]
    fn a_task_that_fits_only_after_a_set_starts_at_its_end() {
        let windows = tighten(vec![task(0, 20, 5), task(1, 7, 3), task(1, 7, 3)]);
        assert_eq!(windows.unwrap(), [(7, 20), (1, 7), (1, 7)]);
    }

    /// The second task cannot be before the first, which starts by 3.
    #[test]
    fn a_task_that_ends_after_the_latest_start_of_another_follows_it() {
        let windows = tighten(vec![task(0, 5, 2), task(2, 20, 4)]);
        assert_eq!(windows.unwrap(), [(0, 5), (2, 20)]);
        let windows = tighten(vec![task(1, 5, 2), task(0, 20, 4)]);
        assert_eq!(windows.unwrap(), [(1, 5), (3, 20)]);
    }

    /// Every start that some order of the tasks allows stays inside the windows.
    #[test]
    fn no_start_of_a_solution_is_removed() {
        use super::super::super::order::next_random;
        let mut seed = 3;
        let mut random = |limit: u64| (next_random(&mut seed) % limit) as i64;
        let (mut solved, mut refuted) = (0, 0);
        for _ in 0..4000 {
            let tasks: Vec<Task> = (0..4)
                .map(|_| {
                    let (start, cycles) = (random(8), 1 + random(4));
                    task(start, start + cycles + random(7), cycles)
                })
                .collect();
            let mut hull: Option<Vec<(i64, i64)>> = None;
            enumerate(&tasks, &mut Vec::new(), &mut |starts| {
                let hull = hull.get_or_insert_with(|| starts.iter().map(|&s| (s, s)).collect());
                for (range, &start) in hull.iter_mut().zip(starts) {
                    *range = (range.0.min(start), range.1.max(start));
                }
            });
            match (tighten(tasks.clone()), hull) {
                (Ok(windows), Some(hull)) => {
                    solved += 1;
                    for ((window, range), task) in windows.iter().zip(&hull).zip(&tasks) {
                        assert!(window.0 <= range.0, "{tasks:?}");
                        assert!(window.1 >= range.1 + task.cycles, "{tasks:?}");
                    }
                }
                (Err(Refuted), None) => refuted += 1,
                (Ok(_), None) => {}
                (Err(Refuted), Some(_)) => panic!("{tasks:?} has a solution"),
            }
        }
        assert!(solved > 1000 && refuted > 500, "{solved} {refuted}");
    }

    fn enumerate(tasks: &[Task], starts: &mut Vec<i64>, visit: &mut impl FnMut(&[i64])) {
        let Some(task) = tasks.get(starts.len()) else {
            visit(starts);
            return;
        };
        for start in task.start..=task.end - task.cycles {
            let apart = |(&other, earlier): (&i64, &Task)| {
                other + earlier.cycles <= start || start + task.cycles <= other
            };
            if starts.iter().zip(tasks).all(apart) {
                starts.push(start);
                enumerate(tasks, starts, visit);
                starts.pop();
            }
        }
    }
}
