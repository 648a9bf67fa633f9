//! Bulk copies and copies of boxes of tensors: the data they move, and the mbarriers they signal.

use orison_ir::numbers::Direction;
use orison_ori::keywords::{AtomicOperation, AtomicType, Keyword};

use super::Fault;
use super::action::{BulkCopy, TensorCopy, TensorCopyKind};
use super::change::Change;
use super::machine::{Machine, Turn};
use super::memory::{Space, resolve};
use super::registers::lanes;
use super::tensor_maps::{TENSOR_MAP_SIZE, TensorElement, TensorMap};
use super::transfer::{Place, Run, Signal, Source, Transfer};

/// A box: the map, and the addresses of its elements in shared-memory order.
struct TensorBox {
    map: TensorMap,
    elements: Vec<Option<u64>>,
}

impl TensorBox {
    fn bytes(&self) -> u64 {
        (self.elements.len() * self.map.element.bytes()) as u64
    }

    /// Elements that remain adjacent under any swizzle: those of a 16-byte chunk.
    fn chunks(&self) -> impl Iterator<Item = (u64, &[Option<u64>])> {
        let size = self.map.element.bytes();
        let chunks = self.elements.chunks(16 / size).enumerate();
        chunks.map(|(number, chunk)| (16 * number as u64, chunk))
    }
}

impl Machine<'_, '_> {
    /// The location of an address: in shared memory of the cluster if it has 32 bits.
    fn bulk_place(&mut self, turn: &Turn<'_>, operand: usize) -> Result<Place, Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let wide = turn.instruction.operands[operand].slot.words > 1;
        let address = self.value(turn, operand, lane, "an address")? as u64;
        if !wide {
            return Ok(self.cluster_place(turn.cta, address));
        }
        let (space, place) = resolve(Space::Generic, address);
        Ok(match space {
            Space::Cluster(rank) => (self.space_of_rank(turn.cta, rank), place),
            space => (space, place),
        })
    }

    /// The CTAs that receive a copy, each with its location: those of a mask, or the one of the
    /// location.
    fn receivers(
        &mut self,
        turn: &Turn<'_>,
        (space, place): Place,
        multicast: Option<usize>,
    ) -> Result<Vec<Place>, Fault> {
        let Some(operand) = multicast else {
            return Ok(vec![(space, place)]);
        };
        let lane = turn.active.trailing_zeros() as usize;
        let mask = self.value(turn, operand, lane, "the CTA mask")? as u32 & 0xFFFF;
        if mask == 0 {
            return self.fault(turn, "the CTA mask is empty");
        }
        let places = lanes(mask).map(|rank| (self.space_of_rank(turn.cta, rank as u32), place));
        let places: Vec<_> = places.collect();
        for (space, _) in &places {
            self.cta_of(turn, *space)?;
        }
        Ok(places)
    }

    fn rank_of(&self, turn: &Turn<'_>, space: Space) -> u32 {
        match space {
            Space::Cluster(rank) => rank,
            _ => self.ctas[turn.cta].rank,
        }
    }

    /// Begins a bulk copy.
    pub(super) fn bulk_copy(&mut self, turn: &Turn<'_>, copy: &BulkCopy) -> Result<(), Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let to = self.bulk_place(turn, copy.destination)?;
        let from = self.bulk_place(turn, copy.source)?;
        let size = self.value(turn, copy.size, lane, "the number of bytes")? as u64;
        if [to.1, from.1, size].iter().any(|number| number % 16 != 0) {
            return self.fault(
                turn,
                "the addresses and the size must be multiples of 16 bytes",
            );
        }
        let barrier = match copy.barrier {
            Some(operand) => Some(self.bulk_place(turn, operand)?),
            None => None,
        };
        for to in self.receivers(turn, to, copy.multicast)? {
            let signal = barrier.map(|(space, place)| {
                // Each receiving CTA has an mbarrier at the same offset.
                let space = if copy.multicast.is_some() {
                    to.0
                } else {
                    space
                };
                (space, place)
            });
            if let Some(place) = signal {
                self.mbarrier(turn, place)?;
            }
            let transfer = Transfer {
                runs: vec![Run {
                    to,
                    from: Source::Memory(from),
                    size,
                }],
                change: copy.change,
                signal: signal.map(|place| Signal { place, bytes: size }),
            };
            self.begin(turn, transfer)?;
        }
        Ok(())
    }

    /// The map at the address of an operand.
    fn tensor_map(&mut self, turn: &Turn<'_>, operand: usize) -> Result<TensorMap, Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let place = self.bulk_place(turn, operand)?;
        if place.1 % 64 != 0 {
            let message = format!(
                "the address of the tensor map, {:#x}, must be a multiple of 64",
                place.1
            );
            return self.fault(turn, &message);
        }
        let mut bytes = [0; TENSOR_MAP_SIZE];
        for (number, byte) in bytes.iter_mut().enumerate() {
            let at = (place.0, place.1 + number as u64);
            *byte = match self.read_bytes(turn, lane, at, 1) {
                Some(Some(byte)) => byte as u8,
                Some(None) => {
                    let message = format!("byte {number} of the tensor map is undefined");
                    return self.fault(turn, &message);
                }
                None => return self.outside(turn, lane, at, 1),
            };
        }
        match TensorMap::decode(&bytes) {
            Ok(map) => Ok(map),
            Err(message) => self.fault(turn, &message),
        }
    }

    fn words(
        &mut self,
        turn: &Turn<'_>,
        operands: std::ops::Range<usize>,
        what: &str,
    ) -> Result<Vec<u32>, Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let word = |operand| Ok(self.value(turn, operand, lane, what)? as u32);
        operands.map(word).collect()
    }

    /// The box of a copy.
    fn tensor_box(&mut self, turn: &Turn<'_>, copy: &TensorCopy) -> Result<TensorBox, Fault> {
        let map = self.tensor_map(turn, copy.descriptor)?;
        let first = self.words(turn, copy.coordinates.clone(), "a coordinate")?;
        let first: Vec<_> = first.into_iter().map(u32::cast_signed).collect();
        if first.len() != map.dimensions.len() {
            let message = format!(
                "has {} coordinates, but its tensor map has {} dimensions",
                first.len(),
                map.dimensions.len()
            );
            return self.fault(turn, &message);
        }
        let elements = match &copy.offsets {
            None if map.pixels.is_some() => {
                return self.fault(turn, "a tile copy requires a tensor map of tiles");
            }
            None => map.tile(&first),
            Some(offsets) => {
                let offsets = self.words(turn, offsets.clone(), "an offset")?;
                match map.convolution(&first, &offsets) {
                    Some(elements) => elements,
                    None => {
                        return self.fault(turn, "an im2col copy requires an im2col tensor map");
                    }
                }
            }
        };
        Ok(TensorBox { map, elements })
    }

    /// Begins a copy of a box.
    pub(super) fn tensor_copy(&mut self, turn: &Turn<'_>, copy: &TensorCopy) -> Result<(), Fault> {
        let tensor = self.tensor_box(turn, copy)?;
        let shared = self.bulk_place(turn, copy.shared)?;
        // Swizzles permute within lines of 128 bytes; boxes are aligned to them.
        if shared.1 % 128 != 0 {
            let message = format!(
                "the shared memory address of the box, {:#x}, must be a multiple of 128",
                shared.1
            );
            return self.fault(turn, &message);
        }
        match copy.kind {
            TensorCopyKind::Load {
                barrier,
                multicast,
                two_ctas,
            } => self.load_box(turn, &tensor, shared, (barrier, multicast, two_ctas)),
            TensorCopyKind::Store => self.store_box(turn, &tensor, shared, None),
            TensorCopyKind::Reduce(operation) => {
                let Some(change) = change_of(operation, tensor.map.element) else {
                    let message = format!(
                        "'{}' is not defined for elements {:?}",
                        operation.keyword(),
                        tensor.map.element
                    );
                    return self.fault(turn, &message);
                };
                self.store_box(turn, &tensor, shared, Some(change))
            }
        }
    }

    fn load_box(
        &mut self,
        turn: &Turn<'_>,
        tensor: &TensorBox,
        shared: Place,
        (barrier, multicast, two_ctas): (usize, Option<usize>, bool),
    ) -> Result<(), Fault> {
        let (barrier_space, barrier) = self.bulk_place(turn, barrier)?;
        let told = self.rank_of(turn, barrier_space);
        for (space, first) in self.receivers(turn, shared, multicast)? {
            let receiver = self.rank_of(turn, space);
            let told = match (multicast, two_ctas) {
                (None, _) => told,
                (Some(_), false) => receiver,
                // The CTA of the pair with the same parity.
                (Some(_), true) => receiver & !1 | told & 1,
            };
            if told != receiver && !(two_ctas && told ^ 1 == receiver) {
                let message = format!(
                    "signals CTA {told} of the cluster for a box that CTA {receiver} receives"
                );
                return self.fault(turn, &message);
            }
            let place = (self.space_of_rank(turn.cta, told), barrier);
            self.mbarrier(turn, place)?;
            let runs = load_runs(tensor, (space, first));
            let bytes = tensor.bytes();
            let transfer = Transfer {
                runs,
                change: None,
                signal: Some(Signal { place, bytes }),
            };
            self.begin(turn, transfer)?;
        }
        Ok(())
    }

    fn store_box(
        &mut self,
        turn: &Turn<'_>,
        tensor: &TensorBox,
        (space, first): Place,
        change: Option<Change>,
    ) -> Result<(), Fault> {
        let size = tensor.map.element.bytes() as u64;
        let mut runs = Vec::new();
        for (distance, chunk) in tensor.chunks() {
            let from = tensor.map.swizzled(first + distance);
            for (number, elements) in joined(chunk, size) {
                if let Some(address) = elements.0 {
                    runs.push(Run {
                        to: (Space::Global, address),
                        from: Source::Memory((space, from + number * size)),
                        size: elements.1 * size,
                    });
                }
            }
        }
        let transfer = Transfer {
            runs,
            change,
            signal: None,
        };
        self.begin(turn, transfer)
    }
}

/// The runs of a box to be loaded to shared memory.
fn load_runs(tensor: &TensorBox, (space, first): Place) -> Vec<Run> {
    let size = tensor.map.element.bytes() as u64;
    let mut runs = Vec::new();
    for (distance, chunk) in tensor.chunks() {
        let to = tensor.map.swizzled(first + distance);
        for (number, (address, count)) in joined(chunk, size) {
            runs.push(Run {
                to: (space, to + number * size),
                from: match address {
                    Some(address) => Source::Memory((Space::Global, address)),
                    None => Source::Fill(tensor.map.outside()),
                },
                size: count * size,
            });
        }
    }
    runs
}

/// Elements of a chunk that are also contiguous in global memory, or are all out of bounds: the
/// index of the first one, its address, the count.
fn joined(chunk: &[Option<u64>], size: u64) -> Vec<(u64, (Option<u64>, u64))> {
    let mut all: Vec<(u64, (Option<u64>, u64))> = Vec::new();
    for (number, address) in chunk.iter().enumerate() {
        if let Some((_, (first, count))) = all.last_mut()
            && first.map(|first| first + *count * size) == *address
        {
            *count += 1;
            continue;
        }
        all.push((number as u64, (*address, 1)));
    }
    all
}

/// How elements of a tensor are combined; `None` if the operation does not support them (PTX ISA,
/// `cp.reduce.async.bulk.tensor`).
fn change_of(operation: AtomicOperation, element: TensorElement) -> Option<Change> {
    use AtomicOperation as O;
    use TensorElement as E;
    let bits = matches!(operation, O::And | O::Or | O::Xor);
    let kind = match (element, operation) {
        (E::U32 | E::S32, _) if bits => AtomicType::B32,
        (E::U64 | E::S64, _) if bits => AtomicType::B64,
        (E::U32, O::Add | O::Min | O::Max | O::Inc | O::Dec) => AtomicType::U32,
        (E::S32, O::Add | O::Min | O::Max) => AtomicType::S32,
        (E::U64, O::Add | O::Min | O::Max) => AtomicType::U64,
        (E::S64, O::Add | O::Min | O::Max) => AtomicType::S64,
        (E::F16, O::Add | O::Min | O::Max) => AtomicType::F16x2,
        (E::Bf16, O::Add | O::Min | O::Max) => AtomicType::Bf16x2,
        (E::F32 | E::F32Ftz, O::Add) => AtomicType::F32,
        (E::F64, O::Add) => AtomicType::F64,
        _ => return None,
    };
    Some(Change {
        operation,
        kind,
        ftz: element == E::F32Ftz,
        rounding: Direction::NearestEven,
    })
}
