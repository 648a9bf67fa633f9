//! Matrix products of a warp: sums of products.
//!
//! Sums of float products are taken in double precision, or exactly for doubles one fused step after the other, and rounded once to
//! the format of the accumulator: the order and truncation of partial sums in hardware is not
//! documented, so results agree up to its rounding.

use orison_ir::numbers::{Direction, FloatKind};
use orison_machine::words;
use orison_ori::keywords::Format;
use orison_ori::semantics::arithmetic;

use super::Fault;
use super::action::{Fragments, Product};
use super::fragments::{extents, float_of, left_place, right_place, sum_place, width};
use super::machine::{Machine, Turn};
use super::memory::Space;
use super::registers::{LANES, Slot};

impl Machine<'_, '_> {
    /// The element of a fragment at an index, in a lane.
    pub(super) fn element(
        &mut self,
        turn: &Turn<'_>,
        slot: Slot,
        (lane, number): (usize, usize),
        width: usize,
    ) -> Result<u64, Fault> {
        let bit = number * width;
        let mut bits = 0_u64;
        for part in 0..width.div_ceil(32) {
            let word = self.registers(turn)?.word(slot, bit / 32 + part, lane);
            let Some(word) = word else {
                let message = format!("a fragment is undefined in lane {lane}");
                return self.fault(turn, &message);
            };
            bits |= u64::from(word) << (32 * part);
        }
        if width < 32 {
            bits = bits >> (bit % 32) & ((1 << width) - 1);
        }
        Ok(bits)
    }

    /// Multiplies, adds, and writes the sums. All lanes participate.
    pub(super) fn product(&mut self, turn: &Turn<'_>, product: &Product) -> Result<(), Fault> {
        if turn.active != u32::MAX {
            let message = format!(
                "requires all lanes of the warp, but the active lanes are {:#010x}",
                turn.active
            );
            return self.fault(turn, &message);
        }
        let [rows, columns, depth] = extents(product.shape);
        let slots = [0, 1, 2].map(|operand| turn.instruction.operands[operand].slot);
        let (left, right) = (width(product.left), width(product.right));
        let (left_per_word, right_per_word) = ((32 / left).max(1), (32 / right).max(1));
        let sum_width = width(product.sum);
        let mut a = vec![0; rows * depth];
        let mut b = vec![0; columns * depth];
        for step in 0..depth {
            for row in 0..rows {
                let place = left_place(rows, row, step, left_per_word);
                a[row * depth + step] = self.element(turn, slots[0], place, left)?;
            }
            for column in 0..columns {
                let place = right_place(column, step, right_per_word);
                b[column * depth + step] = self.element(turn, slots[1], place, right)?;
            }
        }
        let (a, b) = (Factor::new(a, product.left), Factor::new(b, product.right));
        let mut sums = vec![[0_u64; LANES]; slots[2].words * 32 / sum_width];
        for row in 0..rows {
            for column in 0..columns {
                let (lane, number) = sum_place(row, column);
                let addend = self.element(turn, slots[2], (lane, number), sum_width)?;
                sums[number][lane] = product.dot(&a, row, &b, column, depth, addend);
            }
        }
        self.write_fragment(turn, &sums, sum_width)
    }

    pub(super) fn write_fragment(
        &mut self,
        turn: &Turn<'_>,
        sums: &[[u64; LANES]],
        width: usize,
    ) -> Result<(), Fault> {
        let result = turn.instruction.results[0];
        let registers = self.registers(turn)?;
        for lane in 0..LANES {
            let mut words = vec![0_u32; result.words];
            for (number, sum) in sums.iter().enumerate() {
                let bit = number * width;
                words[bit / 32] |= (sum[lane] << (bit % 32)) as u32;
                if width == 64 {
                    words[bit / 32 + 1] = (sum[lane] >> 32) as u32;
                }
            }
            for (number, word) in words.into_iter().enumerate() {
                registers.set_word(result, number, lane, Some(word));
            }
        }
        Ok(())
    }
}

/// Elements of a factor, row by row; also as doubles if they are floats.
pub(super) struct Factor {
    bits: Vec<u64>,
    floats: Option<Vec<f64>>,
}

impl Factor {
    pub(super) fn new(bits: Vec<u64>, format: Format) -> Self {
        let floats = float_of(format).map(|kind| {
            let all = bits.iter().map(|bits| double(kind, *bits));
            all.collect()
        });
        Factor { bits, floats }
    }
}

/// The value of an element in double precision, which represents all narrower ones.
fn double((kind, shift): (FloatKind, u32), bits: u64) -> f64 {
    kind.decode_double(bits >> shift)
}

impl Product {
    /// The dot product of a row of the left and a column of the right factor, plus an addend.
    pub(super) fn dot(
        &self,
        left: &Factor,
        row: usize,
        right: &Factor,
        column: usize,
        depth: usize,
        addend: u64,
    ) -> u64 {
        let of_row = row * depth..(row + 1) * depth;
        let of_column = column * depth..(column + 1) * depth;
        let nearest = Direction::NearestEven;
        match (&left.floats, &right.floats, float_of(self.sum)) {
            (Some(a), Some(b), Some((sum, _))) if sum != FloatKind::F64 => {
                let products = a[of_row].iter().zip(&b[of_column]);
                let addend = double((sum, 0), addend);
                let total = products.fold(addend, |total, (x, y)| total + x * y);
                arithmetic::of_host(total, sum) as u64
            }
            (Some(_), Some(_), Some((kind, _))) => {
                let products = left.bits[of_row].iter().zip(&right.bits[of_column]);
                products.fold(addend, |total, (x, y)| {
                    let all = [*x, *y, total].map(u128::from);
                    arithmetic::fused(kind, nearest, all) as u64
                })
            }
            _ => self.integer_dot(&left.bits[of_row], &right.bits[of_column], addend),
        }
    }

    fn integer_dot(&self, a: &[u64], b: &[u64], addend: u64) -> u64 {
        let read = |format: Format, bits: u64| match format {
            Format::S4 | Format::S8 => words::signed(width(format) as u32, bits),
            _ => bits.cast_signed(),
        };
        let addend = i64::from((addend as u32).cast_signed());
        let products = a.iter().zip(b);
        let sum = products.fold(addend, |sum, (x, y)| {
            let (x, y) = (read(self.left, *x), read(self.right, *y));
            sum + if self.exclusive { x ^ y } else { x * y }
        });
        let sum = if self.saturate {
            sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX))
        } else {
            sum
        };
        u64::from(sum as u32)
    }
}

/// Changes the signs of floats.
pub(super) fn negate(elements: &mut [u64], negated: bool, format: Format) {
    if negated {
        let sign = 1 << (width(format) - 1);
        for element in elements {
            *element ^= sign;
        }
    }
}

/// A row of a matrix in shared memory: the lane that holds its address, and the location.
type Line = (usize, (Space, u64));

impl Machine<'_, '_> {
    /// Loads or stores the matrices whose row addresses the lanes hold: lanes from 0 on hold the
    /// rows of the first matrix, lanes from 8 on those of the second.
    pub(super) fn fragments(
        &mut self,
        turn: &Turn<'_>,
        fragments: &Fragments,
    ) -> Result<(), Fault> {
        if turn.active != u32::MAX {
            return self.fault(turn, "requires all lanes of the warp");
        }
        let slot = match fragments.value {
            Some(value) => turn.instruction.operands[value].slot,
            None => turn.instruction.results[0],
        };
        for matrix in 0..slot.words {
            let lines = (0..8).map(|row| {
                let lane = 8 * matrix + row;
                let place = self.place(turn, Space::Shared, &fragments.address, lane, 16)?;
                Ok((lane, place))
            });
            let lines: Vec<_> = lines.collect::<Result<_, Fault>>()?;
            if fragments.value.is_some() {
                self.store_matrix(turn, fragments.transposed, (slot, matrix), &lines)?;
            } else {
                self.load_matrix(turn, fragments.transposed, (slot, matrix), &lines)?;
            }
        }
        Ok(())
    }

    fn load_matrix(
        &mut self,
        turn: &Turn<'_>,
        transposed: bool,
        (slot, matrix): (Slot, usize),
        lines: &[Line],
    ) -> Result<(), Fault> {
        for holder in 0..LANES {
            let mut word = Some(0);
            for half in 0..2 {
                let (row, column) = (holder / 4, holder % 4 * 2 + half);
                let (line, at) = if transposed {
                    (column, row)
                } else {
                    (row, column)
                };
                let (lane, (space, place)) = lines[line];
                let place = (space, place + 2 * at as u64);
                let Some(read) = self.read_bytes(turn, lane, place, 2) else {
                    return self.outside(turn, lane, place, 2);
                };
                word = word
                    .zip(read)
                    .map(|(word, read)| word | read << (16 * half));
            }
            self.registers(turn)?.set_word(slot, matrix, holder, word);
        }
        Ok(())
    }

    fn store_matrix(
        &mut self,
        turn: &Turn<'_>,
        transposed: bool,
        (slot, matrix): (Slot, usize),
        lines: &[Line],
    ) -> Result<(), Fault> {
        for holder in 0..LANES {
            let word = self.registers(turn)?.word(slot, matrix, holder);
            for half in 0..2 {
                let (row, column) = (holder / 4, holder % 4 * 2 + half);
                let (line, at) = if transposed {
                    (column, row)
                } else {
                    (row, column)
                };
                let (lane, (space, place)) = lines[line];
                let place = (space, place + 2 * at as u64);
                let value = word.map(|word| word >> (16 * half) & 0xFFFF);
                if self.write_bytes(turn, lane, place, 2, value).is_none() {
                    return self.outside(turn, lane, place, 2);
                }
            }
        }
        Ok(())
    }

    /// Transposes an 8 by 8 matrix of 16-bit elements.
    pub(super) fn transpose(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        if turn.active != u32::MAX {
            return self.fault(turn, "requires all lanes of the warp");
        }
        let (from, to) = (
            turn.instruction.operands[0].slot,
            turn.instruction.results[0],
        );
        let registers = self.registers(turn)?;
        let rows: Vec<_> = (0..LANES)
            .map(|lane| registers.word(from, 0, lane))
            .collect();
        let half = |row: usize, column: usize| {
            let word = rows[4 * row + column / 2]?;
            Some(word >> (16 * (column % 2)) & 0xFFFF)
        };
        for lane in 0..LANES {
            let (row, column) = (lane / 4, lane % 4 * 2);
            let pair = half(column, row).zip(half(column + 1, row));
            registers.set_word(to, 0, lane, pair.map(|(low, high)| high << 16 | low));
        }
        Ok(())
    }
}
