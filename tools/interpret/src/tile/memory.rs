//! Memory: buffers of bits that track which bytes were written, and views of them.

use std::fmt;
use std::sync::Arc;

use orison_tileas::MemorySpace;

use super::element::{Element, ElementKind};
use super::values::{Tile, TileData, advance, count};

/// A buffer: an argument of the kernel, or the result of `alloc_tensor`.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Its name in messages.
    pub name: String,
    /// Its memory space.
    pub space: MemorySpace,
    bytes: Arc<Vec<u8>>,
    /// For each byte, whether it was written; `None` if all were.
    written: Option<Arc<Vec<bool>>>,
}

/// Location of an element: bits of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Index of the buffer.
    pub buffer: usize,
    /// First bit.
    pub bit: usize,
}

impl Buffer {
    /// An unwritten buffer of this many bits.
    pub fn unwritten(name: &str, space: MemorySpace, bits: usize) -> Buffer {
        let bytes = bits.div_ceil(8);
        Buffer {
            name: name.to_owned(),
            space,
            bytes: Arc::new(vec![0; bytes]),
            written: Some(Arc::new(vec![false; bytes])),
        }
    }

    /// A buffer in global memory with these elements.
    pub fn of_tile(name: &str, tile: &Tile) -> Buffer {
        let bits = tile.element_count() * tile.kind.bits();
        let mut buffer = Buffer::unwritten(name, MemorySpace::Global, bits);
        for number in 0..tile.element_count() {
            let bits = tile.kind.encode(tile.data.get(number));
            buffer.store(number * tile.kind.bits(), tile.kind.bits(), bits);
        }
        buffer.written = None;
        buffer
    }

    /// Size in bits.
    pub fn bits(&self) -> usize {
        self.bytes.len() * 8
    }

    /// The bytes; unwritten ones are meaningless.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// For each byte, whether it was written; `None` if all were.
    pub fn written(&self) -> Option<&[bool]> {
        self.written.as_deref().map(Vec::as_slice)
    }

    /// Marks a range of bits as unwritten.
    pub fn forget(&mut self, bits: std::ops::Range<usize>) {
        let length = self.bytes.len();
        let written = self
            .written
            .get_or_insert_with(|| Arc::new(vec![true; length]));
        let end = bits.end.div_ceil(8).min(length);
        Arc::make_mut(written)[bits.start / 8..end].fill(false);
        Arc::make_mut(&mut self.bytes)[bits.start / 8..end].fill(0);
    }

    /// The bits at an offset inside the buffer; `None` if unwritten.
    pub fn load(&self, bit: usize, width: usize) -> Option<u64> {
        let (first, end) = (bit / 8, (bit + width).div_ceil(8));
        if let Some(written) = &self.written
            && written[first..end].contains(&false)
        {
            return None;
        }
        let mut word = 0u128;
        for (number, byte) in self.bytes[first..end].iter().enumerate() {
            word |= u128::from(*byte) << (8 * number);
        }
        let mask = (1u128 << width) - 1;
        Some((word >> (bit % 8) & mask) as u64)
    }

    /// Writes bits at an offset inside the buffer.
    pub fn store(&mut self, bit: usize, width: usize, value: u64) {
        let (first, end) = (bit / 8, (bit + width).div_ceil(8));
        let bytes = Arc::make_mut(&mut self.bytes);
        let mask = ((1u128 << width) - 1) << (bit % 8);
        let word = u128::from(value) << (bit % 8) & mask;
        for (number, byte) in bytes[first..end].iter_mut().enumerate() {
            let (mask, word) = ((mask >> (8 * number)) as u8, (word >> (8 * number)) as u8);
            *byte = *byte & !mask | word;
        }
        if let Some(written) = &mut self.written {
            Arc::make_mut(written)[first..end].fill(true);
        }
    }
}

/// Elements of a buffer, arranged by extents and strides.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// Index of the buffer.
    pub buffer: usize,
    /// The bit at which the element at position zero starts; may be outside the buffer.
    pub start: i64,
    /// Extents in elements.
    pub shape: Vec<usize>,
    /// Distance along each axis, in elements.
    pub strides: Vec<i64>,
    /// The element kind.
    pub kind: ElementKind,
}

impl View {
    /// The bit of the element at a position.
    pub fn bit(&self, position: &[usize]) -> i64 {
        let pairs = position.iter().zip(&self.strides);
        let offset: i64 = pairs.map(|(at, stride)| *at as i64 * stride).sum();
        self.start + offset * self.kind.bits() as i64
    }

    /// The part that begins at `offset` (in elements, may be out of bounds) with these extents and
    /// every `steps`-th element along each axis.
    pub fn part(&self, offset: &[i64], shape: &[usize], steps: &[i64]) -> View {
        let pairs = offset.iter().zip(&self.strides);
        let moved: i64 = pairs.map(|(at, stride)| at * stride).sum();
        let strides = self.strides.iter().zip(steps);
        View {
            start: self.start + moved * self.kind.bits() as i64,
            shape: shape.to_vec(),
            strides: strides.map(|(stride, step)| stride * step).collect(),
            ..self.clone()
        }
    }

    /// The range of bits that the view may access.
    pub fn bits(&self) -> std::ops::Range<i64> {
        if count(&self.shape) == 0 {
            return self.start..self.start;
        }
        let (mut low, mut high) = (self.start, self.start);
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            let reach = (*extent as i64 - 1) * stride * self.kind.bits() as i64;
            low += reach.min(0);
            high += reach.max(0);
        }
        low..high + self.kind.bits() as i64
    }

    /// Whether the elements are contiguous, row-major.
    pub fn is_dense(&self) -> bool {
        let dense = super::values::row_major(&self.shape);
        let mut axes = self.shape.iter().zip(&self.strides).zip(dense);
        axes.all(|((extent, stride), dense)| *extent <= 1 || *stride == dense as i64)
    }

    /// The dense view of the same memory with another shape or other elements; `None` if this view
    /// is not dense.
    pub fn recast(&self, shape: &[usize], kind: ElementKind) -> Option<View> {
        let strides = super::values::row_major(shape);
        self.is_dense().then(|| View {
            shape: shape.to_vec(),
            strides: strides.into_iter().map(|stride| stride as i64).collect(),
            kind,
            ..self.clone()
        })
    }

    /// A dense view of the beginning of a buffer.
    pub fn whole(buffer: usize, shape: &[usize], kind: ElementKind) -> View {
        let strides = super::values::row_major(shape);
        View {
            buffer,
            start: 0,
            shape: shape.to_vec(),
            strides: strides.into_iter().map(|stride| stride as i64).collect(),
            kind,
        }
    }
}

/// The failure of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The element at this position is outside its buffer.
    Outside {
        /// Position in the view.
        position: Vec<usize>,
        /// Name of the buffer.
        buffer: String,
    },
    /// The element at this position is unwritten.
    Unwritten {
        /// Position in the view.
        position: Vec<usize>,
        /// Name of the buffer.
        buffer: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Outside { position, buffer } => {
                write!(f, "element {position:?} is out of bounds of {buffer}")
            }
            Fault::Unwritten { position, buffer } => {
                write!(f, "element {position:?} of {buffer} is not initialized")
            }
        }
    }
}

/// All buffers.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    /// The buffers; views refer to them by index.
    pub buffers: Vec<Buffer>,
}

impl Memory {
    /// Adds a buffer and returns its index.
    pub fn add(&mut self, buffer: Buffer) -> usize {
        self.buffers.push(buffer);
        self.buffers.len() - 1
    }

    /// Whether an element of this many bits at this bit is inside a buffer.
    pub fn holds(&self, buffer: usize, bit: i64, width: usize) -> bool {
        let end = self.buffers[buffer].bits() as i64;
        bit >= 0
            && bit
                .checked_add(width as i64)
                .is_some_and(|last| last <= end)
    }

    fn outside(&self, view: &View, position: &[usize]) -> Fault {
        Fault::Outside {
            position: position.to_vec(),
            buffer: self.buffers[view.buffer].name.clone(),
        }
    }

    /// Loads the elements of a view for which `inside` holds; the others are `padding`, or
    /// undefined without it.
    ///
    /// # Errors
    /// If an element is outside the buffer or unwritten.
    pub fn load(
        &self,
        view: &View,
        inside: impl Fn(&[usize]) -> bool,
        padding: Option<Element>,
    ) -> Result<Tile, Fault> {
        let total = count(&view.shape);
        let mut data = TileData::zeros(view.kind, total);
        let mut undefined = Vec::new();
        let mut position = vec![0; view.shape.len()];
        let buffer = &self.buffers[view.buffer];
        let width = view.kind.bits();
        for number in 0..total {
            if inside(&position) {
                let bit = view.bit(&position);
                if !self.holds(view.buffer, bit, width) {
                    return Err(self.outside(view, &position));
                }
                let Some(bits) = buffer.load(bit as usize, width) else {
                    let buffer = buffer.name.clone();
                    return Err(Fault::Unwritten { position, buffer });
                };
                data.set(number, view.kind.decode(bits));
            } else if let Some(padding) = padding {
                data.set(number, padding);
            } else {
                undefined.resize(total, false);
                undefined[number] = true;
            }
            advance(&mut position, &view.shape);
        }
        Ok(Tile::new(&view.shape, view.kind, data).with_undefined(undefined))
    }

    /// Stores the elements of a tile of the shape of the view for which `inside` holds.
    ///
    /// # Errors
    /// If an element is outside the buffer; nothing is stored then.
    pub fn store(
        &mut self,
        view: &View,
        tile: &Tile,
        inside: impl Fn(&[usize]) -> bool,
    ) -> Result<(), Fault> {
        let width = view.kind.bits();
        let mut position = vec![0; view.shape.len()];
        let mut places = Vec::with_capacity(tile.element_count());
        for number in 0..tile.element_count() {
            if inside(&position) {
                let bit = view.bit(&position);
                if !self.holds(view.buffer, bit, width) {
                    return Err(self.outside(view, &position));
                }
                places.push((bit as usize, view.kind.encode(tile.data.get(number))));
            }
            advance(&mut position, &view.shape);
        }
        let buffer = &mut self.buffers[view.buffer];
        for (bit, bits) in places {
            buffer.store(bit, width, bits);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orison_ir::numbers::FloatKind;

    const F4: ElementKind = ElementKind::Float(FloatKind::F4E2M1FN);
    const I16: ElementKind = ElementKind::Integer(16);

    #[test]
    fn narrow_elements_share_bytes() {
        let mut memory = Memory::default();
        let number = memory.add(Buffer::unwritten("b", MemorySpace::Shared, 16));
        let view = View::whole(number, &[4], F4);
        let tile = Tile::new(&[4], F4, TileData::Floats(vec![1.0, -2.0, 0.5, 6.0]));
        memory.store(&view, &tile, |_| true).expect("it fits");
        assert_eq!(memory.load(&view, |_| true, None), Ok(tile));
        assert_eq!(memory.buffers[number].bytes(), [0xC2, 0x71]);
    }

    #[test]
    fn what_was_not_written_cannot_be_read() {
        let mut memory = Memory::default();
        let number = memory.add(Buffer::unwritten("b", MemorySpace::Shared, 64));
        let view = View::whole(number, &[2, 2], I16);
        let row = view.part(&[1, 0], &[1, 2], &[1, 1]);
        let tile = Tile::splat(&[1, 2], I16, Element::Integer(-3));
        memory.store(&row, &tile, |_| true).expect("it fits");
        assert_eq!(memory.load(&row, |_| true, None), Ok(tile));
        let fault = memory.load(&view, |_| true, None);
        assert!(matches!(fault, Err(Fault::Unwritten { position, .. }) if position == [0, 0]));
        memory.buffers[number].forget(row.bits().start as usize..row.bits().end as usize);
        assert!(memory.load(&row, |_| true, None).is_err());
    }

    #[test]
    fn outside_is_padding_or_an_error() {
        let mut memory = Memory::default();
        let number = memory.add(Buffer::of_tile(
            "b",
            &Tile::splat(&[2], I16, Element::Integer(5)),
        ));
        let view = View::whole(number, &[2], I16).part(&[1], &[2], &[1]);
        let padded = memory.load(&view, |p| p[0] < 1, Some(Element::Integer(9)));
        let expected = Tile::new(&[2], I16, TileData::Integers(vec![5, 9]));
        assert_eq!(padded, Ok(expected));
        assert!(matches!(
            memory.load(&view, |_| true, None),
            Err(Fault::Outside { .. })
        ));
    }
}
