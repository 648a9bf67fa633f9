//! Errors of buffer assignment, with the occupancy of the resources.
//!
//! The texts match the pages byte for byte (TileAS reference section 10).

use std::fmt::{self, Display, Formatter};

use super::lifetime::Lifetime;
use super::request::BufferRequest;
use super::{Assignment, Place};

/// The phase that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Phase 1.
    Lifetime,
    /// Phase 2.
    Barriers,
    /// Phase 3, shared memory.
    SharedMemory,
    /// Phase 3, tensor memory.
    TensorMemory,
}

impl Phase {
    /// The text in the pages.
    pub const fn text(self) -> &'static str {
        match self {
            Phase::Lifetime => "fails to resolve lifetime",
            Phase::Barriers => "fails to assign named barrier",
            Phase::SharedMemory => "fails to assign smem buffer",
            Phase::TensorMemory => "fails to assign tmem buffer",
        }
    }

    /// Number of the phase, 1 to 3.
    pub const fn number(self) -> u32 {
        match self {
            Phase::Lifetime => 1,
            Phase::Barriers => 2,
            Phase::SharedMemory | Phase::TensorMemory => 3,
        }
    }
}

/// A request that cannot be satisfied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssignError {
    /// The phase.
    pub phase: Phase,
    /// Id of the request.
    pub id: u32,
    /// The reason, printed after the text of the phase.
    pub reason: String,
    /// Known facts: endpoints, occupied barriers, the map of the memory.
    pub notes: Vec<String>,
}

impl AssignError {
    pub(super) fn new(phase: Phase, request: &BufferRequest, lifetime: Option<Lifetime>) -> Self {
        let mut note = format!(
            "phase {}, value {} ({})",
            phase.number(),
            request.id,
            request.name
        );
        match request.timing {
            Some(timing) => note.push_str(&format!(
                ", II {}, {} stages",
                timing.interval, timing.stages
            )),
            None => note.push_str(", outside of scheduled loops"),
        }
        if let Some((start, end)) = lifetime.and_then(|lifetime| lifetime.endpoints()) {
            note.push_str(&format!(
                ", from stage {} cycle {} to stage {} cycle {}",
                start.stage, start.cycle, end.stage, end.cycle
            ));
        }
        AssignError {
            phase,
            id: request.id,
            reason: String::new(),
            notes: vec![note],
        }
    }

    pub(super) fn because(mut self, reason: String) -> Self {
        self.reason = reason;
        self
    }

    pub(super) fn with_note(mut self, note: String) -> Self {
        self.notes.push(note);
        self
    }
}

impl Display for AssignError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.phase.text())?;
        if !self.reason.is_empty() {
            write!(out, ": {}", self.reason)?;
        }
        Ok(())
    }
}

impl std::error::Error for AssignError {}

/// The map of memory and barriers, one line per entry, by location.
pub fn occupancy(requests: &[BufferRequest], assignment: &Assignment) -> Vec<String> {
    let mut lines: Vec<(u32, u64, u32, String)> = Vec::new();
    for (request, binding) in requests.iter().zip(&assignment.bindings) {
        let name = &request.name;
        let depth = binding.depth;
        let entry = match binding.place {
            Place::Shared { offset, .. } => {
                let end = offset.saturating_add(binding.bytes());
                let line = format!(
                    "smem [{offset}, {end}): {name}, {depth} slots of {} bytes",
                    binding.slot_stride
                );
                (0, offset, line)
            }
            Place::Tensor { column, .. } => {
                let columns = super::memory::columns(binding.bytes());
                let end = column.saturating_add(columns);
                let line = format!("tmem columns [{column}, {end}): {name}, {depth} slots");
                (1, column, line)
            }
            Place::Barrier { number } => {
                (2, u64::from(number), format!("barrier {number}: {name}"))
            }
        };
        lines.push((entry.0, entry.1, binding.id, entry.2));
        if let Place::Shared { barriers, .. } | Place::Tensor { barriers, .. } = binding.place {
            let end = barriers.saturating_add(super::memory::barrier_bytes(depth));
            let line = format!("smem [{barriers}, {end}): full and empty mbarriers of {name}");
            lines.push((0, barriers, binding.id, line));
        }
    }
    lines.sort();
    lines.into_iter().map(|(.., line)| line).collect()
}
