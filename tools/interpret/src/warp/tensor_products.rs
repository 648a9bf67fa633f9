//! Products in tensor memory (`tcgen05.mma`), and the arrivals that signal their completion.
//!
//! Sums are computed as for a warp's product. Rows of the accumulator are lanes, columns are
//! columns, one per sum of any width (PTX ISA, "Data Path Layout Organization"); a pair of CTAs
//! shares the rows, and each holds half of the columns of the right matrix.

use orison_ori::keywords::TensorKind;

use super::Fault;
use super::action::TensorMultiply;
use super::descriptors::Descriptor;
use super::fragments::width;
use super::machine::{Machine, Turn};
use super::matrix::{Factor, negate};
use super::registers::lanes;
use super::tensor_work::{CellPlace, Extents, Left, TensorCommit, TensorProduct, Work};

impl Machine<'_, '_> {
    /// The CTAs that work together, the one with the even rank first: the pair of a CTA, or itself.
    ///
    /// # Errors
    /// A pair without the other CTA.
    pub(super) fn group_of(&self, cta: usize, pair: bool) -> Result<Vec<usize>, String> {
        if !pair {
            return Ok(vec![cta]);
        }
        let space = self.space_of_rank(cta, self.ctas[cta].rank ^ 1);
        match self.shared_of(cta, space) {
            Some(peer) => Ok(vec![cta.min(peer), cta.max(peer)]),
            None => Err(self.no_shared_memory(cta, space)),
        }
    }

    /// Begins a product.
    pub(super) fn multiply_tensor(
        &mut self,
        turn: &Turn<'_>,
        multiply: &TensorMultiply,
    ) -> Result<(), Fault> {
        let first = turn.active.trailing_zeros() as usize;
        let bits = self.value(
            turn,
            multiply.instruction,
            first,
            "the instruction descriptor",
        )?;
        // The instruction of machine code is one for halves and for `tf32`, which its descriptor tells
        // apart.
        let kind = match multiply.kind {
            TensorKind::F16 if self.kernel.code.is_some() && bits >> 7 & 7 == 2 => TensorKind::Tf32,
            kind => kind,
        };
        let shape = match Extents::decode(kind, bits as u32, multiply.two_ctas) {
            Ok(shape) => shape,
            Err(message) => return self.fault(turn, &message),
        };
        let left = self.value(turn, multiply.left, first, "the left factor")?;
        let in_tensor_memory = turn.instruction.operands[multiply.left].slot.words == 1;
        let left = if in_tensor_memory {
            Left::Tensor(CellPlace::of(left as u32))
        } else {
            Left::Shared(self.tensor_descriptor(turn, left as u64)?)
        };
        let (rows, _) = shape.of_each(1 + usize::from(multiply.two_ctas));
        if in_tensor_memory && (rows != 128 || shape.transposed[0]) {
            let message = "multiplies fewer than 128 rows in tensor memory, or transposed ones, \
                           which is not modelled";
            return self.fault(turn, message);
        }
        let right = self.value(turn, multiply.right, first, "the right factor")?;
        let right = self.tensor_descriptor(turn, right as u64)?;
        let sums = self.value(turn, multiply.accumulator, first, "the accumulator")?;
        let accumulates = match multiply.scale {
            Some(scale) => self.predicate(turn, scale, first)?,
            None => true,
        };
        let product = TensorProduct {
            shape,
            left,
            right,
            sums: CellPlace::of(sums as u32),
            accumulates,
            pair: multiply.two_ctas,
        };
        let ctas = self.group_of(turn.cta, product.pair);
        for cta in self.checked(turn, ctas)? {
            for (_, _, place) in product.cells() {
                if let Err(message) = self.ctas[cta].tensor.expect(place) {
                    return self.fault(turn, &message);
                }
            }
        }
        self.begin_work(turn, Work::Product(product));
        Ok(())
    }

    fn tensor_descriptor(&self, turn: &Turn<'_>, bits: u64) -> Result<Descriptor, Fault> {
        match Descriptor::of_tensor_core(bits) {
            Ok(descriptor) => Ok(descriptor),
            Err(message) => self.fault(turn, &message),
        }
    }

    /// Queues an arrival after the preceding work.
    pub(super) fn commit_tensor(
        &mut self,
        turn: &Turn<'_>,
        barrier: usize,
        multicast: Option<usize>,
    ) -> Result<(), Fault> {
        let first = turn.active.trailing_zeros() as usize;
        let address = self.value(turn, barrier, first, "an address")? as u64;
        let (space, place) = self.cluster_place(turn.cta, address);
        let mut places = vec![(space, place)];
        if let Some(operand) = multicast {
            let mask = self.value(turn, operand, first, "the CTA mask")? as u32 & 0xFFFF;
            let ranks = lanes(mask).map(|rank| self.space_of_rank(turn.cta, rank as u32));
            places = ranks.map(|space| (space, place)).collect();
        }
        for place in &places {
            self.mbarrier(turn, *place)?;
        }
        self.begin_work(turn, Work::Commit(TensorCommit { places }));
        Ok(())
    }

    pub(super) fn complete_commit(
        &mut self,
        cta: usize,
        commit: &TensorCommit,
    ) -> Result<(), String> {
        for (space, place) in &commit.places {
            let found = self.shared_of(cta, *space);
            let barrier = found.and_then(|cta| self.ctas[cta].mbarriers.get_mut(place));
            match barrier.map(super::mbarrier::Mbarrier::arrive_once) {
                Some(true) => {}
                Some(false) => {
                    return Err(format!("too many arrivals at the mbarrier at {place:#x}"));
                }
                None => {
                    return Err(format!(
                        "arrives at the mbarrier at {place:#x}, which no longer exists"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Elements of a matrix in the shared memory of a CTA, row by row.
    fn shared_factor(
        &self,
        cta: usize,
        descriptor: Descriptor,
        (lines, depth): (usize, usize),
        (bits, transposed): (usize, bool),
    ) -> Result<Vec<u64>, String> {
        let mut elements = Vec::with_capacity(lines * depth);
        for line in 0..lines {
            for step in 0..depth {
                let place = descriptor.element(line, step, bits, transposed);
                match self.shared_word(cta, place, bits / 8)? {
                    Some(word) => elements.push(word.into()),
                    None => {
                        return Err(format!(
                            "multiplies byte {place} of shared memory, which is undefined"
                        ));
                    }
                }
            }
        }
        Ok(elements)
    }

    /// Rows of the left factor of a CTA.
    fn left_rows(
        &self,
        cta: usize,
        product: &TensorProduct,
        rows: usize,
    ) -> Result<Vec<u64>, String> {
        let shape = &product.shape;
        let bits = width(shape.product.left);
        let first = match product.left {
            Left::Shared(descriptor) => {
                let extents = (rows, shape.depth);
                return self.shared_factor(cta, descriptor, extents, (bits, shape.transposed[0]));
            }
            Left::Tensor(first) => first,
        };
        let mut elements = Vec::with_capacity(rows * shape.depth);
        for row in 0..rows {
            for step in 0..shape.depth {
                let place = first.plus(row, step * bits / 32);
                let word = self.ctas[cta].tensor.read_in_order(place)?;
                let Some(word) = word else {
                    return Err(format!(
                        "multiplies lane {} and column {} of tensor memory, which are undefined",
                        place.lane, place.column
                    ));
                };
                let element = u64::from(word) >> (step * bits % 32);
                elements.push(element & (u64::MAX >> (64 - bits)));
            }
        }
        Ok(elements)
    }

    pub(super) fn complete_product(
        &mut self,
        cta: usize,
        product: &TensorProduct,
    ) -> Result<(), String> {
        let shape = &product.shape;
        // The CTA with the even rank has the first rows and columns.
        let ctas = self.group_of(cta, product.pair)?;
        let (rows, columns) = shape.of_each(ctas.len());
        let bits = width(shape.product.right);
        let mut right = Vec::new();
        for cta in &ctas {
            let extents = (columns, shape.depth);
            right.extend(self.shared_factor(
                *cta,
                product.right,
                extents,
                (bits, shape.transposed[1]),
            )?);
        }
        negate(&mut right, shape.negated[1], shape.product.right);
        let right = Factor::new(right, shape.product.right);
        for cta in ctas {
            let mut left = self.left_rows(cta, product, rows)?;
            negate(&mut left, shape.negated[0], shape.product.left);
            let left = Factor::new(left, shape.product.left);
            for (row, column, place) in product.cells() {
                let tensor = &mut self.ctas[cta].tensor;
                let addend = match product.accumulates {
                    true => match tensor.read_in_order(place)? {
                        Some(word) => {
                            u64::from(word) & (u64::MAX >> (64 - width(shape.product.sum)))
                        }
                        None => {
                            return Err(format!(
                                "adds to lane {} and column {} of tensor memory, which are \
                                 undefined",
                                place.lane, place.column
                            ));
                        }
                    },
                    false => 0,
                };
                let sum = shape
                    .product
                    .dot(&left, row, &right, column, shape.depth, addend);
                tensor.write(place, Some(sum as u32))?;
                tensor.arrived(place)?;
            }
        }
        Ok(())
    }
}
