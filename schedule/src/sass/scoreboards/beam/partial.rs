//! Partial allocations of scoreboards, and how one goes on.

use orison_sass::control::Barrier;
use smallvec::SmallVec;

use super::super::input::{Index, Token};
use super::{COUNT, FAR, NEVER};
use crate::sass::simulate::Queues;

/// The first wait for an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Wait {
    /// Its cycle from the start of the trace, without waits.
    pub(super) at: i64,
    /// The instruction, if it is in the trace.
    pub(super) here: Index,
    /// The frequency of its block.
    pub(super) weight: i64,
}

impl Wait {
    pub(super) const NONE: Wait = Wait {
        at: FAR,
        here: NEVER,
        weight: 0,
    };

    pub(super) fn earlier(self, other: Wait) -> Wait {
        if other.at < self.at { other } else { self }
    }
}

/// A scoreboard of a partial allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Board {
    /// The first wait for its operations.
    pub(super) wait: Wait,
    /// Cycle at which they have typically completed.
    pub(super) ready: i64,
}

impl Board {
    pub(super) const FREE: Board = Board {
        wait: Wait::NONE,
        ready: 0,
    };

    pub(super) fn is_busy(&self) -> bool {
        self.wait.at < FAR
    }
}

/// An allocation up to an instruction of a trace.
#[derive(Clone, Debug)]
pub(super) struct Partial {
    pub(super) allocation: Allocation,
    pub(super) queues: Queues,
    /// Its last decision.
    pub(super) decision: Option<usize>,
}

/// Its scoreboards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocation {
    pub(super) boards: [Board; COUNT],
    /// Cycles that waits have added.
    pub(super) waited: i64,
    /// The same weighted, and the time that its decisions add on other paths.
    pub(super) time: i64,
    /// Operations that share a scoreboard, or wait for one to arm it.
    pub(super) shared: u32,
    /// The next instruction that waits for a scoreboard.
    pub(super) next: Index,
}

impl Partial {
    pub(super) fn new(boards: [Board; COUNT], queues: Queues) -> Partial {
        let mut allocation = Allocation {
            boards,
            waited: 0,
            time: 0,
            shared: 0,
            next: NEVER,
        };
        allocation.find_next();
        Partial {
            allocation,
            queues,
            decision: None,
        }
    }

    /// What is in flight at a cycle without waits.
    pub(super) fn end(&self, offset: i64) -> End {
        let now = offset + self.allocation.waited;
        let left = |end: i64| (end - now).max(0);
        let queues = self.queues.iter();
        End {
            ready: self.allocation.boards.map(|board| left(board.ready)),
            queues: queues.map(|(queue, end)| (*queue, left(*end))).collect(),
        }
    }
}

impl Allocation {
    pub(super) fn find_next(&mut self) {
        let places = self.boards.iter().map(|board| board.wait.here);
        self.next = places.min().unwrap_or(NEVER);
    }

    /// Waits for a scoreboard at an instruction that would issue at a cycle without waits.
    pub(super) fn wait(&mut self, board: usize, offset: i64, weight: i64) {
        let late = (self.boards[board].ready - offset - self.waited).max(0);
        self.waited += late;
        self.time += late * weight;
        self.boards[board] = Board::FREE;
        self.find_next();
    }

    pub(super) fn arm(&mut self, board: usize, ready: i64, wait: Wait) {
        let board = &mut self.boards[board];
        board.ready = board.ready.max(ready);
        board.wait = board.wait.earlier(wait);
        self.next = self.next.min(board.wait.here);
    }

    /// Its time: of the waits until now, and of the first wait for each scoreboard. `behind` are the first
    /// waits for each behind the trace, for any operation. What decides between partial allocations of
    /// equal time: those that wait later, as waits delay what issues after them; then free scoreboards;
    /// then how few are shared.
    pub(super) fn time(&self, behind: &[Wait; COUNT]) -> (i64, i64, usize, u32) {
        let mut waits: SmallVec<[(Wait, i64); COUNT]> = SmallVec::new();
        for (board, behind) in self.boards.iter().zip(behind) {
            let wait = board.wait.earlier(*behind);
            if wait.at < FAR {
                let place = waits.partition_point(|found| found.0.at <= wait.at);
                waits.insert(place, (wait, board.ready));
            }
        }
        let (mut waited, mut time, mut early) = (self.waited, self.time * INSIDE, 0);
        for (wait, ready) in waits {
            let late = ready - wait.at - waited;
            if late > 0 {
                waited += late;
                let share = if wait.here == NEVER { OUTSIDE } else { INSIDE };
                time += late * wait.weight * share;
                early -= late * wait.at;
            }
        }
        let busy = self.boards.iter().filter(|board| board.is_busy());
        (time, early, busy.count(), self.shared)
    }

    /// Its scoreboards without their numbers: allocations with the same ones differ in nothing else.
    pub(super) fn sorted(&self) -> [Board; COUNT] {
        let mut boards = self.boards;
        boards.sort_unstable();
        boards
    }
}

/// How much a cycle waited in the trace counts, and one behind it, which other waits may cover.
const INSIDE: i64 = 8;
const OUTSIDE: i64 = 7;

/// What is in flight at the end of a block, counted from there.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    pub(super) ready: [i64; COUNT],
    pub(super) queues: Queues,
}

/// What an instruction does with scoreboards, after another decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) before: Option<usize>,
    pub(super) token: Token,
    pub(super) barrier: Option<Barrier>,
    /// Whether the instruction waits for it first.
    pub(super) evicts: bool,
}

/// A way to continue a partial allocation.
pub(super) struct Candidate {
    pub(super) time: (i64, i64, usize, u32),
    pub(super) decision: Decision,
    /// The number of the partial allocation in the beam, with the operation counted in its queue.
    pub(super) of: usize,
    /// The scoreboard that ends the operation.
    pub(super) arms: usize,
    /// The cycle at which the operation has completed, unless the instruction waits for the scoreboard.
    pub(super) ready: i64,
}

/// An operation to decide on.
pub(super) struct Arming {
    pub(super) token: Token,
    pub(super) wait: Wait,
    /// Cycle of its instruction without waits.
    pub(super) offset: i64,
    /// The frequency of its block.
    pub(super) weight: i64,
    /// Time added on other paths to the wait, by scoreboard, weighted.
    pub(super) elsewhere: [i64; COUNT],
}

impl Arming {
    /// Makes a decision.
    pub(super) fn apply(&self, candidate: &Candidate, next: &mut Allocation) {
        let Candidate { arms, decision, .. } = *candidate;
        let mut ready = candidate.ready;
        let shares = decision.barrier.is_some() && next.boards[arms].is_busy();
        if decision.evicts {
            let waited = next.waited;
            next.wait(arms, self.offset, self.weight);
            ready += next.waited - waited;
        }
        next.shared += u32::from(shares);
        next.arm(arms, ready, self.wait);
        next.time += self.elsewhere[arms];
    }
}
