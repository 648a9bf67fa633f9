//! Divergence: the paths of a warp, and their reconvergence.

use super::copy_groups::Copies;
use super::program::EdgeCopies;
use super::registers::Registers;
use super::stack::Places;

/// A reconvergence point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The beginning of a block of the function of a frame.
    Block { frame: usize, block: usize },
    /// After a call: its instruction.
    Return { frame: usize, pc: usize },
}

/// Lanes that will reconverge.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub(super) place: Place,
    /// Lanes that will arrive, minus those that ended.
    pub(super) expected: u32,
    /// Lanes that have arrived.
    pub(super) arrived: u32,
    /// The enclosing meetings, outermost first.
    pub(super) outer: Vec<usize>,
}

/// The condition a path waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Nothing.
    Ready,
    /// A barrier of the CTA.
    Barrier(u32),
    /// Lanes of the warp, at the same instruction.
    Lanes(u32),
    /// The lanes of a convergence barrier, which is this register.
    Convergence(usize),
    /// A phase of the mbarrier at an address of shared memory.
    Phase { address: u64, parity: bool },
    /// All threads of the cluster.
    Cluster,
    /// Columns of tensor memory.
    Columns,
}

/// Lanes that are at the same instruction, and continue together.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) frame: usize,
    pub(super) pc: usize,
    pub(super) mask: u32,
    /// The meetings that the lanes will reach, outermost first.
    pub(super) meetings: Vec<usize>,
    pub(super) wait: Wait,
}

/// A call of a function by lanes of a warp.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: usize,
    pub(super) registers: Registers,
    /// Locations of its variables in local memory.
    pub(super) places: Places,
}

/// A warp: its lanes, registers and paths.
#[derive(Clone, Debug)]
pub(super) struct Warp {
    /// Its index in the CTA.
    pub(super) number: usize,
    /// Existing lanes.
    pub(super) lanes: u32,
    /// Lanes that have ended.
    pub(super) ended: u32,
    pub(super) frames: Vec<Option<Frame>>,
    pub(super) meetings: Vec<Meeting>,
    pub(super) paths: Vec<Path>,
    /// Asynchronous copies of each lane.
    pub(super) copies: Vec<Copies>,
    /// Closed groups of products of the warp group.
    pub(super) closed_groups: u32,
    /// Whether it has executed a fence of products.
    pub(super) has_fenced: bool,
    /// Cells of tensor memory with stores that were not waited for.
    pub(super) stored_cells: Vec<usize>,
    /// Number of groups of bulk copies that each lane has closed.
    pub(super) closed_bulks: [u64; super::LANES],
    /// Lanes that have arrived at the barrier of the cluster, whose phase is not complete.
    pub(super) cluster_arrived: u32,
    /// Lanes that have arrived there and have not waited.
    pub(super) cluster_owed: u32,
}

impl Warp {
    /// A warp at the entry of a function.
    pub(super) fn new(number: usize, lanes: u32, frame: Frame, pc: usize) -> Self {
        Warp {
            number,
            lanes,
            ended: 0,
            frames: vec![Some(frame)],
            meetings: Vec::new(),
            paths: vec![Path {
                frame: 0,
                pc,
                mask: lanes,
                meetings: Vec::new(),
                wait: Wait::Ready,
            }],
            copies: vec![Copies::default(); super::LANES],
            closed_groups: 0,
            has_fenced: false,
            stored_cells: Vec::new(),
            closed_bulks: [0; super::LANES],
            cluster_arrived: 0,
            cluster_owed: 0,
        }
    }

    /// The current call of a path.
    pub(super) fn frame(&mut self, number: usize) -> Option<&mut Frame> {
        self.frames.get_mut(number)?.as_mut()
    }

    /// Adds a frame; returns its index.
    pub(super) fn add_frame(&mut self, frame: Frame) -> usize {
        let free = self.frames.iter().position(Option::is_none);
        match free {
            Some(free) => {
                self.frames[free] = Some(frame);
                free
            }
            None => {
                self.frames.push(Some(frame));
                self.frames.len() - 1
            }
        }
    }

    /// Whether lanes are in a call, or wait for others that are.
    pub(super) fn is_running(&self, frame: usize) -> bool {
        let open = self.meetings.iter().filter(|meeting| meeting.expected != 0);
        let mut places = open.map(|meeting| match meeting.place {
            Place::Block { frame, .. } | Place::Return { frame, .. } => frame,
        });
        places.any(|place| place == frame) || self.paths.iter().any(|path| path.frame == frame)
    }

    /// Adds a meeting of the lanes of a path inside its existing ones; returns its index.
    pub(super) fn add_meeting(&mut self, path: &Path, place: Place) -> usize {
        let meeting = Meeting {
            place,
            expected: path.mask,
            arrived: 0,
            outer: path.meetings.clone(),
        };
        let unused = self
            .meetings
            .iter()
            .position(|meeting| meeting.expected == 0);
        match unused {
            Some(unused) => {
                self.meetings[unused] = meeting;
                unused
            }
            None => {
                self.meetings.push(meeting);
                self.meetings.len() - 1
            }
        }
    }

    /// Records that a path has reached its meeting; returns the path of all lanes once all have
    /// arrived.
    pub(super) fn arrive(&mut self, path: &Path, number: usize) -> Option<Path> {
        let meeting = &mut self.meetings[number];
        meeting.arrived |= path.mask;
        self.complete(number)
    }

    /// The path after a meeting at which all lanes have arrived.
    fn complete(&mut self, number: usize) -> Option<Path> {
        let meeting = &mut self.meetings[number];
        if meeting.expected == 0 || meeting.arrived != meeting.expected {
            return None;
        }
        let mask = std::mem::take(&mut meeting.expected);
        let (frame, pc) = match meeting.place {
            Place::Block { frame, .. } => (frame, usize::MAX),
            Place::Return { frame, pc } => (frame, pc),
        };
        Some(Path {
            frame,
            pc,
            mask,
            meetings: std::mem::take(&mut meeting.outer),
            wait: Wait::Ready,
        })
    }

    /// Removes ended lanes from all meetings. Returns the meetings that this completes, each with
    /// the path after it.
    pub(super) fn end_lanes(&mut self, mask: u32) -> Vec<(Place, Path)> {
        self.ended |= mask;
        let mut complete = Vec::new();
        for number in 0..self.meetings.len() {
            let meeting = &mut self.meetings[number];
            if meeting.expected & mask == 0 {
                continue;
            }
            meeting.expected &= !mask;
            meeting.arrived &= !mask;
            let place = meeting.place;
            if let Some(path) = self.complete(number) {
                complete.push((place, path));
            }
        }
        complete
    }
}

/// Copies the registers of an edge in parallel: none is read after it is written.
pub(super) fn copy_words(registers: &mut Registers, copies: &EdgeCopies, mask: u32) {
    let rows: Vec<_> = copies
        .iter()
        .map(|(from, _)| registers.row(*from))
        .collect();
    for ((_, to), row) in copies.iter().zip(rows) {
        registers.set_row(*to, &row, mask);
    }
}
