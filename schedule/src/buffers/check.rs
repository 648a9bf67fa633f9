//! Verifies an assignment with code that assignment does not use: every slot of every iteration is
//! placed on a time line and compared with every other.

use super::lifetime::Lifetime;
use super::memory::MBARRIER_BYTES;
use super::request::{Budget, BufferRequest, RequestKind};
use super::{Assignment, Binding, Place, TMEM_COLUMN_BYTES};

/// A fault in an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The request at fault.
    pub id: u32,
    /// The description of the fault.
    pub message: String,
}

fn fault(id: u32, message: impl Into<String>) -> Fault {
    Fault {
        id,
        message: message.into(),
    }
}

/// Rings whose slot pattern repeats after more iterations than this may not overlap in memory.
const MOST_ROUNDS: u64 = 1 << 12;

/// Bytes of some memory: `[start, end)`.
type Range = (u64, u64);

/// The kind of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Memory {
    Shared,
    Tensor,
}

/// Checks that an assignment satisfies the requests within the budget.
///
/// # Errors
/// The first fault.
pub fn check(
    requests: &[BufferRequest],
    assignment: &Assignment,
    budget: &Budget,
) -> Result<(), Fault> {
    if requests.len() != assignment.bindings.len() {
        let id = requests.first().map_or(0, |request| request.id);
        let message = format!(
            "{} bindings for {} pipelines",
            assignment.bindings.len(),
            requests.len()
        );
        return Err(fault(id, message));
    }
    for (request, binding) in requests.iter().zip(&assignment.bindings) {
        alone(request, binding, budget)?;
    }
    for (at, a) in assignment.bindings.iter().enumerate() {
        for (b, other) in assignment.bindings.iter().enumerate().skip(at + 1) {
            together(requests, (at, a), (b, other))?;
        }
    }
    totals(assignment)
}

/// Checks that the totals cover every binding.
fn totals(assignment: &Assignment) -> Result<(), Fault> {
    let tensor_bytes = assignment.tmem_columns.saturating_mul(TMEM_COLUMN_BYTES);
    for binding in &assignment.bindings {
        for (memory, (_, end)) in ranges(binding) {
            let total = match memory {
                Memory::Shared => assignment.smem_bytes,
                Memory::Tensor => tensor_bytes,
            };
            if end > total {
                let message = format!("ends at byte {end}, beyond the total of {total}");
                return Err(fault(binding.id, message));
            }
        }
    }
    Ok(())
}

/// Checks one binding: enough slots, aligned, inside the memory.
fn alone(request: &BufferRequest, binding: &Binding, budget: &Budget) -> Result<(), Fault> {
    let id = request.id;
    if binding.id != id {
        return Err(fault(
            id,
            format!("the binding belongs to value {}", binding.id),
        ));
    }
    let ring = match (request.kind.in_memory(), binding.place) {
        (_, Place::Barrier { number }) if !matches!(request.kind, RequestKind::Ring(_)) => {
            if number == 0 || number >= budget.named_barriers {
                return Err(fault(id, "Mutex_ barrier index out of range"));
            }
            return Ok(());
        }
        (None, _) | (_, Place::Barrier { .. }) => {
            let message = format!("cannot be of class '{}'", binding.place.class());
            return Err(fault(id, message));
        }
        (Some(ring), _) => ring,
    };
    let needed = ring.needed.max(binding.lifetime.slots_needed());
    if binding.depth < needed {
        let message = format!("needs {needed} slots, but has {}", binding.depth);
        return Err(fault(id, message));
    }
    if binding.slot_stride < ring.slot_stride() {
        let message = format!(
            "needs slots of {} bytes, but has {}",
            ring.slot_stride(),
            binding.slot_stride
        );
        return Err(fault(id, message));
    }
    let aligned = match binding.place {
        Place::Shared { offset, .. } => offset.is_multiple_of(ring.alignment.bytes()),
        _ => true,
    };
    if !aligned || !binding.slot_stride.is_multiple_of(ring.alignment.bytes()) {
        let message = format!("needs slots aligned to {} bytes", ring.alignment.bytes());
        return Err(fault(id, message));
    }
    for (memory, (_, end)) in ranges(binding) {
        let limit = match memory {
            Memory::Shared => budget.shared_memory,
            Memory::Tensor => budget.tensor_memory.map_or(0, |tensor| tensor.bytes),
        };
        if end > limit {
            return Err(fault(
                id,
                format!("ends at byte {end}, beyond the limit of {limit}"),
            ));
        }
    }
    Ok(())
}

/// The byte ranges of a ring and of its mbarriers.
fn ranges(binding: &Binding) -> Vec<(Memory, Range)> {
    let (memory, start, barriers) = match binding.place {
        Place::Shared { offset, barriers } => (Memory::Shared, offset, barriers),
        Place::Tensor { column, barriers } => (
            Memory::Tensor,
            column.saturating_mul(TMEM_COLUMN_BYTES),
            barriers,
        ),
        Place::Barrier { .. } => return Vec::new(),
    };
    let bytes = u64::from(binding.depth).saturating_mul(2 * MBARRIER_BYTES);
    vec![
        (memory, (start, start.saturating_add(binding.bytes()))),
        (Memory::Shared, (barriers, barriers.saturating_add(bytes))),
    ]
}

fn meet(a: Range, b: Range) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// Checks two bindings: never the same bytes or barrier at the same time.
fn together(
    requests: &[BufferRequest],
    (a, one): (usize, &Binding),
    (b, other): (usize, &Binding),
) -> Result<(), Fault> {
    let names = || format!("{} and {}", requests[a].name, requests[b].name);
    if let (Place::Barrier { number }, Place::Barrier { number: second }) = (one.place, other.place)
    {
        if number == second && collide(one, other, |_, _| true) {
            let message = format!("{} hold barrier {number} at the same time", names());
            return Err(fault(one.id, message));
        }
        return Ok(());
    }
    if same_storage(requests, a, b) {
        return Ok(());
    }
    for (position, (memory, range)) in ranges(one).into_iter().enumerate() {
        for (second, (other_memory, other_range)) in ranges(other).into_iter().enumerate() {
            if memory != other_memory || !meet(range, other_range) {
                continue;
            }
            let rings = position == 0 && second == 0;
            let slot = |binding: &Binding, start: u64, k: u64| {
                let slot = k % u64::from(binding.depth.max(1));
                let first = start.saturating_add(slot.saturating_mul(binding.slot_stride));
                (first, first.saturating_add(binding.slot_stride))
            };
            let on_each_other =
                |k: u64, m: u64| meet(slot(one, range.0, k), slot(other, other_range.0, m));
            if !rings || collide(one, other, on_each_other) {
                return Err(fault(one.id, format!("{} overlap", names())));
            }
        }
    }
    Ok(())
}

/// Whether two requests alias the same storage.
fn same_storage(requests: &[BufferRequest], a: usize, b: usize) -> bool {
    let root = |at: usize| {
        let mut current = &requests[at];
        for _ in 0..requests.len() {
            let Some(parent) = current.alias_of else {
                break;
            };
            match requests.iter().find(|request| request.id == parent) {
                Some(request) => current = request,
                None => break,
            }
        }
        current.id
    };
    root(a) == root(b)
}

/// Whether two iterations for which `touch` holds are busy at the same time. Simulates iterations
/// until the slot pattern repeats and lifetimes no longer extend into the range.
fn collide(a: &Binding, b: &Binding, touch: impl Fn(u64, u64) -> bool) -> bool {
    let (
        Lifetime::Cyclic {
            region,
            interval,
            start,
            end,
        },
        Lifetime::Cyclic {
            region: other,
            interval: second,
            start: from,
            end: to,
        },
    ) = (a.lifetime, b.lifetime)
    else {
        return true;
    };
    if region != other || interval != second {
        return true;
    }
    let interval = i128::from(interval);
    let (start, end) = (i128::from(start), i128::from(end));
    let (from, to) = (i128::from(from), i128::from(to));
    let rounds = u64::from(a.depth) * u64::from(b.depth);
    let rounds = if a.depth == b.depth {
        u64::from(a.depth)
    } else {
        rounds
    };
    if rounds > MOST_ROUNDS {
        return true;
    }
    let pattern = i128::from(rounds);
    (0..rounds).any(|k| {
        // Iterations of the other binding that are busy in [start, end) of iteration k.
        let base = i128::from(k) * interval;
        let first = (base + start - to).div_euclid(interval) + 1;
        let last = (base + end - 1 - from).div_euclid(interval);
        (first..=last.min(first + pattern - 1)).any(|m| {
            let m = u64::try_from(m.rem_euclid(pattern)).unwrap_or(0);
            touch(k, m)
        })
    })
}
