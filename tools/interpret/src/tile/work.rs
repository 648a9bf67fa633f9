//! What operations do with memory and in-flight tiles: the same for the synchronous and the
//! asynchronous form, which differ in when it is done.

use super::element::{Element, ElementKind, zero_extend};
use super::handles::{EffectName, Ownership};
use super::memory::View;
use super::values::{Tile, TileData, advance, count, row_major};
use super::window::Window;
use crate::Datum;

/// An input of an operation: a tile, memory to read when it runs, or the result of another
/// asynchronous operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A tile.
    Tile(Tile),
    /// Memory.
    Memory(Window),
    /// The value of another operation.
    Future(EffectName),
}

/// A part of a tile: offset, size and stride along each axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Start along each axis.
    pub offsets: Vec<i64>,
    /// Size along each axis.
    pub sizes: Vec<usize>,
    /// Stride of its elements.
    pub strides: Vec<i64>,
}

/// How an atomic operation combines memory with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// Sum.
    Add,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Signed maximum.
    Max,
    /// Signed minimum.
    Min,
    /// Unsigned maximum.
    UnsignedMax,
    /// Unsigned minimum.
    UnsignedMin,
    /// The value replaces the one in memory.
    Exchange,
}

/// A product `a * b + c`, whose operands may be read when it runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Product {
    /// M by K, optionally with a leading batch axis.
    pub a: Source,
    /// K by N, or N by K.
    pub b: Source,
    /// M by N; zero if absent.
    pub c: Option<Source>,
    /// Whether `b` is N by K.
    pub transposed: bool,
    /// Whether integers of `a` and `b` are signed.
    pub signed: [bool; 2],
    /// Scales of `a` and of `b` for blocks of K.
    pub scales: Option<[Source; 2]>,
    /// Extents of the result.
    pub shape: Vec<usize>,
    /// Elements of the result.
    pub kind: ElementKind,
}

/// The work of an operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Work {
    /// Moves a tile.
    Move {
        /// The source.
        from: Source,
        /// The destination; a value if absent.
        to: Option<Window>,
        /// The value of elements out of bounds.
        fill: Option<Element>,
    },
    /// Moves rows that need not be adjacent, between these windows and the rows of a dense view.
    MoveRows {
        /// One window per row.
        rows: Vec<Window>,
        /// The contiguous rows.
        dense: View,
        /// Whether the rows are loaded, rather than stored.
        load: bool,
        /// The value of elements out of bounds.
        fill: Element,
    },
    /// Loads elements at arbitrary positions; those without a position come from `other`.
    Gather {
        /// A view of one element each.
        places: Vec<Option<View>>,
        /// The other elements.
        other: Tile,
    },
    /// Stores elements at arbitrary positions.
    Scatter {
        /// A view of one element each.
        places: Vec<Option<View>>,
        /// The elements.
        tile: Tile,
    },
    /// Combines a tile with memory; the value is the previous content.
    Atomic {
        /// The memory.
        window: Window,
        /// The combination.
        combine: Combine,
        /// The operands.
        values: Vec<Tile>,
    },
    /// A part of a tile.
    Slice {
        /// The tile.
        from: Source,
        /// The part.
        slice: Slice,
        /// Extents of the result.
        shape: Vec<usize>,
    },
    /// A tile with a slice replaced.
    Insert {
        /// The new slice.
        part: Source,
        /// The tile.
        whole: Source,
        /// The position.
        slice: Slice,
    },
    /// A known value.
    Value(Datum),
    /// A product of matrices.
    Product {
        /// The operands and how they are multiplied.
        product: Box<Product>,
        /// The accumulator in memory that receives the result; a value if absent.
        to: Option<View>,
    },
    /// Publishes a stage.
    Publish(Ownership),
    /// Releases a stage.
    Return(Ownership),
}

impl Combine {
    /// The combination that an `rmw_mode` names.
    pub fn of_mode(mode: &str) -> Option<Combine> {
        Some(match mode {
            "add" => Combine::Add,
            "and" => Combine::And,
            "or" => Combine::Or,
            "xor" => Combine::Xor,
            "max" => Combine::Max,
            "min" => Combine::Min,
            "umax" => Combine::UnsignedMax,
            "umin" => Combine::UnsignedMin,
            "cmpxchg" => Combine::Exchange,
            _ => return None,
        })
    }

    /// The new element, given the one in memory and the operands.
    pub(super) fn apply(self, kind: ElementKind, old: Element, given: &[Element]) -> Element {
        match (old, given) {
            (Element::Float(old), [Element::Float(value)]) => {
                let result = match self {
                    Combine::Add => old + value,
                    Combine::Max => old.max(*value),
                    _ => old.min(*value),
                };
                kind.decode(kind.encode(rounded(kind, result)))
            }
            (Element::Integer(old), [Element::Integer(value), rest @ ..]) => {
                let width = kind.bits() as u32;
                let unsigned = |value: i64| zero_extend(width, value);
                let result = match self {
                    Combine::Add => old.wrapping_add(*value),
                    Combine::And => old & value,
                    Combine::Or => old | value,
                    Combine::Xor => old ^ value,
                    Combine::Max => old.max(*value),
                    Combine::Min => old.min(*value),
                    Combine::UnsignedMax => std::cmp::max_by_key(old, *value, |v| unsigned(*v)),
                    Combine::UnsignedMin => std::cmp::min_by_key(old, *value, |v| unsigned(*v)),
                    Combine::Exchange => match rest {
                        [Element::Integer(new)] if old == *value => *new,
                        _ => old,
                    },
                };
                kind.decode(kind.encode(Element::Integer(result)))
            }
            _ => old,
        }
    }
}

fn rounded(kind: ElementKind, value: f64) -> Element {
    match kind {
        ElementKind::Float(format) => Element::Float(format.round_double(value)),
        _ => Element::Float(value),
    }
}

impl Slice {
    /// Whether the slice is inside a tile of these extents.
    pub fn fits(&self, shape: &[usize]) -> bool {
        let axes = self.offsets.iter().zip(&self.sizes).zip(&self.strides);
        self.offsets.len() == shape.len()
            && axes.zip(shape).all(|(((offset, size), stride), extent)| {
                let last = (*size as i128 - 1).max(0) * i128::from(*stride) + i128::from(*offset);
                *offset >= 0 && *stride >= 1 && (*size == 0 || last < *extent as i128)
            })
    }

    fn place(&self, strides: &[usize], position: &[usize]) -> usize {
        let axes = position.iter().zip(&self.offsets).zip(&self.strides);
        let places = axes.map(|((at, offset), stride)| (*at as i64 * stride + offset) as usize);
        places.zip(strides).map(|(at, stride)| at * stride).sum()
    }

    /// The slice of a tile that contains it.
    pub fn cut(&self, tile: &Tile) -> Tile {
        let strides = row_major(&tile.shape);
        tile.gathered(&self.sizes, |position| self.place(&strides, position))
    }

    /// The tile with this slice replaced; both must fit.
    pub fn replaced(&self, whole: &Tile, part: &Tile) -> Tile {
        let strides = row_major(&whole.shape);
        let mut data = TileData::clone(&whole.data);
        let mut undefined: Vec<bool> = (0..whole.element_count())
            .map(|number| !whole.is_defined(number))
            .collect();
        let mut position = vec![0; self.sizes.len()];
        for number in 0..count(&self.sizes) {
            let place = self.place(&strides, &position);
            data.set(place, part.data.get(number));
            undefined[place] = !part.is_defined(number);
            advance(&mut position, &self.sizes);
        }
        Tile::new(&whole.shape, whole.kind, data).with_undefined(undefined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: ElementKind = ElementKind::Integer(8);

    #[test]
    fn atomic_operations_wrap_and_know_signs() {
        let apply = |combine: Combine, old: i64, given: &[i64]| {
            let given: Vec<Element> = given.iter().map(|value| Element::Integer(*value)).collect();
            combine.apply(I8, Element::Integer(old), &given)
        };
        assert_eq!(apply(Combine::Add, 127, &[1]), Element::Integer(-128));
        assert_eq!(apply(Combine::Max, -1, &[1]), Element::Integer(1));
        assert_eq!(apply(Combine::UnsignedMax, -1, &[1]), Element::Integer(-1));
        assert_eq!(apply(Combine::UnsignedMin, -1, &[1]), Element::Integer(1));
        assert_eq!(apply(Combine::Exchange, 3, &[3, 9]), Element::Integer(9));
        assert_eq!(apply(Combine::Exchange, 4, &[3, 9]), Element::Integer(4));
    }

    #[test]
    fn a_part_that_was_inserted_is_extracted() {
        let whole = Tile::splat(&[4, 4], I8, Element::Integer(0));
        let part = Tile::new(&[2, 2], I8, TileData::Integers(vec![1, 2, 3, 4]));
        let slice = Slice {
            offsets: vec![1, 0],
            sizes: vec![2, 2],
            strides: vec![2, 3],
        };
        assert!(slice.fits(&whole.shape));
        let updated = slice.replaced(&whole, &part);
        assert_eq!(slice.cut(&updated), part);
        assert_eq!(updated.data.get(4), Element::Integer(1));
        assert_eq!(updated.data.get(15), Element::Integer(4));
        let outside = Slice {
            offsets: vec![2, 0],
            ..slice
        };
        assert!(!outside.fits(&whole.shape));
    }
}
