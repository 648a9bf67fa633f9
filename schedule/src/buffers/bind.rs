//! Phase 3: the class, depth and placement of each ring.
//!
//! Depth starts at what the schedule needs and is raised for all rings together, step by step,
//! towards the requested depth as far as memory permits.
//!
//! Source: TileAS reference section 7, phase 3.

use std::collections::BTreeMap;

use super::error::{AssignError, Phase, occupancy};
use super::footprint::{Class, Footprint};
use super::lifetime::Lifetime;
use super::memory::{self, Block};
use super::request::{Budget, BufferRequest, Ring, Sharing, Storage};
use super::share::{self, Shared};
use super::{Assignment, Binding, Place};

/// The rings of all requests, by position in the list of requests.
struct Binder<'r> {
    requests: &'r [BufferRequest],
    lifetimes: Vec<Lifetime>,
    rings: Vec<(usize, &'r Ring)>,
    classes: Vec<Class>,
    /// For each ring, the ring whose storage it uses.
    roots: Vec<usize>,
    /// Positions of rings by id.
    order: Vec<usize>,
    budget: &'r Budget,
}

/// A layout of all rings at given depths.
struct Trial {
    footprints: Vec<Footprint>,
    shared: Shared,
    places: Vec<u64>,
    barriers: Vec<u64>,
    smem_bytes: u64,
    tmem_columns: u64,
}

pub(super) fn bind(
    requests: &[BufferRequest],
    lifetimes: Vec<Lifetime>,
    barriers: &[Option<u32>],
    budget: &Budget,
) -> Result<Assignment, AssignError> {
    let binder = Binder::new(requests, lifetimes, barriers, budget)?;
    let needed = binder.depths(0);
    let trial = match binder.lay_out(&needed) {
        Some(trial) if binder.excess(&trial).is_none() => binder.deepest(trial),
        failed => return Err(binder.failure(failed, barriers)),
    };
    Ok(binder.assignment(&trial, barriers))
}

impl<'r> Binder<'r> {
    fn new(
        requests: &'r [BufferRequest],
        lifetimes: Vec<Lifetime>,
        barriers: &[Option<u32>],
        budget: &'r Budget,
    ) -> Result<Self, AssignError> {
        let mut binder = Binder {
            requests,
            lifetimes,
            rings: Vec::new(),
            classes: Vec::new(),
            roots: Vec::new(),
            order: Vec::new(),
            budget,
        };
        let mut position_of: BTreeMap<u32, usize> = BTreeMap::new();
        for (at, request) in requests.iter().enumerate() {
            if let (Some(ring), None) = (request.kind.in_memory(), barriers[at]) {
                position_of.insert(request.id, binder.rings.len());
                binder.classes.push(binder.class(at, ring)?);
                binder.rings.push((at, ring));
            }
        }
        for (ring, (at, _)) in binder.rings.iter().enumerate() {
            let mut root = &requests[*at];
            // Lifetimes were resolved, so the alias chain is finite.
            while let Some(parent) = root.alias_of.and_then(|id| by_id(requests, id)) {
                root = parent;
            }
            binder
                .roots
                .push(position_of.get(&root.id).copied().unwrap_or(ring));
        }
        binder.order = (0..binder.rings.len()).collect();
        binder
            .order
            .sort_by_key(|ring| requests[binder.rings[*ring].0].id);
        Ok(binder)
    }

    /// Tensor memory for tiles of rank two or more, with elements of at least one byte, above the
    /// threshold, whose producers and consumers can access tensor memory.
    fn class(&self, at: usize, ring: &Ring) -> Result<Class, AssignError> {
        let request = &self.requests[at];
        match (ring.storage, self.budget.tensor_memory) {
            (Storage::Shared, _) | (Storage::Any, None) => Ok(Class::Shared),
            (Storage::Tensor, Some(_)) => Ok(Class::Tensor),
            (Storage::Tensor, None) => {
                let error =
                    AssignError::new(Phase::TensorMemory, request, Some(self.lifetimes[at]));
                Err(error.because("the target has no tensor memory".to_owned()))
            }
            (Storage::Any, Some(tensor)) => {
                let large = ring.payload_bytes() > tensor.threshold;
                let tensor = ring.rank >= 2 && ring.element_bits >= 8 && large;
                Ok(if tensor { Class::Tensor } else { Class::Shared })
            }
        }
    }

    /// The depth of each ring if all are raised to `level`, but not beyond the requested depth.
    fn depths(&self, level: u32) -> Vec<u32> {
        let mut depths: Vec<u32> = self
            .rings
            .iter()
            .map(|(at, ring)| {
                let needed = ring.needed.max(self.lifetimes[*at].slots_needed());
                needed.max(ring.requested.min(level)).max(1)
            })
            .collect();
        // Aliases of one storage have the depth of the deepest of them.
        for ring in 0..depths.len() {
            let root = self.roots[ring];
            depths[root] = depths[root].max(depths[ring]);
        }
        for ring in 0..depths.len() {
            depths[ring] = depths[self.roots[ring]];
        }
        depths
    }

    /// Lays out the rings at these depths, ignoring limits; `None` if sizes overflow.
    fn lay_out(&self, depths: &[u32]) -> Option<Trial> {
        let footprints: Vec<Footprint> = (0..self.rings.len())
            .map(|ring| self.footprint(ring, depths[ring]))
            .collect();
        let shared = match self.budget.sharing {
            Sharing::Never => Shared::none(&footprints),
            Sharing::BySchedule => share::share(&footprints, &self.order),
        };
        let (smem, smem_top) = self.place(&footprints, &shared, Class::Shared)?;
        let (tmem, tmem_columns) = self.place(&footprints, &shared, Class::Tensor)?;
        let mut end = memory::barrier_start(smem_top);
        let mut barriers = vec![0; footprints.len()];
        for &ring in &self.order {
            barriers[ring] = end;
            end = end.checked_add(memory::barrier_bytes(depths[ring]))?;
        }
        let smem_bytes = if footprints.is_empty() { 0 } else { end };
        let place = |ring: usize| smem[ring].or(tmem[ring]).unwrap_or(0);
        let places = (0..footprints.len())
            .map(|ring| place(shared.leader[ring]))
            .collect();
        Some(Trial {
            footprints,
            shared,
            places,
            barriers,
            smem_bytes,
            tmem_columns,
        })
    }

    fn footprint(&self, ring: usize, depth: u32) -> Footprint {
        let (at, asked) = self.rings[ring];
        // Aliases of one storage have slots of one size, and a limit on one applies to all.
        let family: Vec<_> = (0..self.rings.len())
            .filter(|other| self.roots[*other] == self.roots[ring])
            .map(|other| self.rings[other])
            .collect();
        let stride = family.iter().map(|(_, ring)| ring.slot_stride()).max();
        let align = family.iter().map(|(_, ring)| ring.alignment.bytes()).max();
        Footprint {
            class: self.classes[self.roots[ring]],
            element: asked.element.clone(),
            slot_stride: stride.unwrap_or(0),
            align: align.unwrap_or(1),
            depth,
            lifetime: self.lifetimes[at],
            has_waits: family.iter().any(|(at, _)| self.requests[*at].has_waits),
            root: self.roots[ring],
        }
    }

    /// Offsets of the leaders of one class, and the end of the last.
    fn place(
        &self,
        footprints: &[Footprint],
        shared: &Shared,
        class: Class,
    ) -> Option<(Vec<Option<u64>>, u64)> {
        let leaders: Vec<usize> = (0..footprints.len())
            .filter(|ring| shared.leader[*ring] == *ring && footprints[*ring].class == class)
            .collect();
        let blocks: Vec<Block> = leaders
            .iter()
            .map(|&ring| {
                let bytes = footprints[ring].bytes();
                let (size, align) = match class {
                    Class::Shared => (bytes, footprints[ring].align),
                    Class::Tensor => (memory::columns(bytes), memory::TMEM_COLUMN_STEP),
                };
                Block {
                    id: self.requests[self.rings[ring].0].id,
                    size,
                    align,
                }
            })
            .collect();
        let (starts, end) = memory::first_fit(&blocks)?;
        let mut places = vec![None; footprints.len()];
        for (ring, start) in leaders.into_iter().zip(starts) {
            places[ring] = Some(start);
        }
        Some((places, end))
    }

    /// The memory that a layout exceeds.
    fn excess(&self, trial: &Trial) -> Option<Phase> {
        let columns = self.budget.tensor_memory.map_or(0, |tensor| tensor.bytes);
        if trial.tmem_columns > columns / memory::TMEM_COLUMN_BYTES {
            return Some(Phase::TensorMemory);
        }
        (trial.smem_bytes > self.budget.shared_memory).then_some(Phase::SharedMemory)
    }

    /// The layout at the largest common level that fits, then each ring, by id, as deep as still
    /// fits. Starts from a layout that fits.
    fn deepest(&self, base: Trial) -> Trial {
        let fitting = |depths: &[u32]| {
            self.lay_out(depths)
                .filter(|trial| self.excess(trial).is_none())
        };
        let (mut low, mut high) = (0, self.highest_level());
        let mut best = base;
        while low < high {
            let level = low + (high - low).div_ceil(2);
            match fitting(&self.depths(level)) {
                Some(trial) => (best, low) = (trial, level),
                None => high = level - 1,
            }
        }
        // Single rings may be raised where raising all of them does not fit.
        for &ring in &self.order {
            if self.roots[ring] != ring {
                continue;
            }
            let mut low = best.footprints[ring].depth;
            let mut high = self.wanted(ring).max(low);
            while low < high {
                let depth = low + (high - low).div_ceil(2);
                let mut depths: Vec<u32> = best.footprints.iter().map(|f| f.depth).collect();
                for (depth_of, root) in depths.iter_mut().zip(&self.roots) {
                    if *root == ring {
                        *depth_of = depth;
                    }
                }
                match fitting(&depths) {
                    Some(trial) => (best, low) = (trial, depth),
                    None => high = depth - 1,
                }
            }
        }
        best
    }

    fn wanted(&self, ring: usize) -> u32 {
        let family = (0..self.rings.len()).filter(|other| self.roots[*other] == ring);
        family
            .map(|other| self.rings[other].1.requested)
            .max()
            .unwrap_or(0)
    }

    fn highest_level(&self) -> u32 {
        let requested = self.rings.iter().map(|(_, ring)| ring.requested);
        requested.max().unwrap_or(0)
    }

    fn assignment(&self, trial: &Trial, barriers: &[Option<u32>]) -> Assignment {
        let mut bindings: Vec<Option<Binding>> = vec![None; self.requests.len()];
        for (ring, (at, _)) in self.rings.iter().enumerate() {
            let footprint = &trial.footprints[ring];
            let barriers = trial.barriers[ring];
            let start = trial.places[ring];
            let place = match footprint.class {
                Class::Shared => Place::Shared {
                    offset: start,
                    barriers,
                },
                Class::Tensor => Place::Tensor {
                    column: start,
                    barriers,
                },
            };
            let leader = trial.shared.leader[ring];
            let sharers = (0..self.rings.len()).filter(|r| trial.shared.leader[*r] == leader);
            let storage = sharers.map(|r| self.requests[self.rings[r].0].id).min();
            bindings[*at] = Some(Binding {
                id: self.requests[*at].id,
                depth: footprint.depth,
                slot_stride: footprint.slot_stride,
                place,
                lifetime: footprint.lifetime,
                storage: storage.unwrap_or(self.requests[*at].id),
            });
        }
        let locks = self
            .requests
            .iter()
            .enumerate()
            .map(|(at, request)| Binding {
                id: request.id,
                depth: 1,
                slot_stride: 0,
                place: Place::Barrier {
                    number: barriers[at].unwrap_or(0),
                },
                lifetime: self.lifetimes[at],
                storage: request.id,
            });
        let bindings = bindings
            .into_iter()
            .zip(locks)
            .map(|(ring, lock)| ring.unwrap_or(lock))
            .collect();
        let id = |ring: usize| self.requests[self.rings[ring].0].id;
        Assignment {
            bindings,
            shared: trial
                .shared
                .pairs
                .iter()
                .map(|(a, b)| (id(*a), id(*b)))
                .collect(),
            smem_bytes: trial.smem_bytes,
            tmem_columns: trial.tmem_columns,
        }
    }

    /// Names the ring that exceeds the limit first, and what is placed before it.
    fn failure(&self, trial: Option<Trial>, barriers: &[Option<u32>]) -> AssignError {
        let Some(trial) = trial else {
            let (at, _) = self.rings[self.largest()];
            let phase = Phase::SharedMemory;
            let error = AssignError::new(phase, &self.requests[at], Some(self.lifetimes[at]));
            return error.because("the size of its ring overflows".to_owned());
        };
        let phase = self.excess(&trial).unwrap_or(Phase::SharedMemory);
        let class = if phase == Phase::TensorMemory {
            Class::Tensor
        } else {
            Class::Shared
        };
        let ring = self.culprit(&trial, class);
        let (at, asked) = self.rings[ring];
        let (needs, has) = match class {
            Class::Shared => (
                format!("{} bytes of shared memory", trial.smem_bytes),
                self.budget.shared_memory,
            ),
            Class::Tensor => (
                format!("{} columns of tensor memory", trial.tmem_columns),
                self.budget
                    .tensor_memory
                    .map_or(0, |t| t.bytes / memory::TMEM_COLUMN_BYTES),
            ),
        };
        let mut error = AssignError::new(phase, &self.requests[at], Some(self.lifetimes[at]))
            .because(format!(
                "the rings require {needs}, but {has} are available"
            ));
        let depth = trial.footprints[ring].depth;
        error = error.with_note(format!(
            "{} needs {depth} slots of {} bytes; rank {}, {} bits per element",
            self.requests[at].name,
            trial.footprints[ring].slot_stride,
            asked.rank,
            asked.element_bits
        ));
        for line in occupancy(self.requests, &self.assignment(&trial, barriers)) {
            error = error.with_note(line);
        }
        error
    }

    /// The ring of a class that ends last, which exceeds the limit.
    fn culprit(&self, trial: &Trial, class: Class) -> usize {
        let end = |ring: &usize| {
            (
                trial.places[*ring].saturating_add(trial.footprints[*ring].bytes()),
                *ring,
            )
        };
        let of_class = (0..self.rings.len()).filter(|r| trial.footprints[*r].class == class);
        of_class.max_by_key(end).unwrap_or_else(|| self.largest())
    }

    fn largest(&self) -> usize {
        let size = |ring: &usize| self.rings[*ring].1.slot_stride();
        (0..self.rings.len()).max_by_key(size).unwrap_or(0)
    }
}

fn by_id(requests: &[BufferRequest], id: u32) -> Option<&BufferRequest> {
    requests.iter().find(|request| request.id == id)
}
