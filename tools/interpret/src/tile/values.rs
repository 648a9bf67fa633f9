//! Tiles: rectangular values in registers.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use orison_ir::attributes::DenseData;
use orison_ir::{Attribute, AttributeKind, Context, Operation, Type};
use rustc_hash::FxHasher;

use super::element::{Element, ElementKind, sign_extend};
use crate::{Datum, Payload, Trap};

/// The elements of a tile, row-major.
#[derive(Clone, PartialEq, Debug)]
pub enum TileData {
    /// Floats, each a value of the format of the tile.
    Floats(Vec<f64>),
    /// Integers, sign-extended, or addresses.
    Integers(Vec<i64>),
}

impl TileData {
    /// This many zeros.
    pub fn zeros(kind: ElementKind, count: usize) -> TileData {
        match kind {
            ElementKind::Float(_) => TileData::Floats(vec![0.0; count]),
            _ => TileData::Integers(vec![0; count]),
        }
    }

    /// An element.
    pub fn get(&self, number: usize) -> Element {
        match self {
            TileData::Floats(values) => Element::Float(values[number]),
            TileData::Integers(values) => Element::Integer(values[number]),
        }
    }

    /// Replaces an element by one of the same variant.
    pub fn set(&mut self, number: usize, element: Element) {
        match (self, element) {
            (TileData::Floats(values), Element::Float(value)) => values[number] = value,
            (TileData::Integers(values), Element::Integer(value)) => values[number] = value,
            (TileData::Floats(values), Element::Integer(value)) => values[number] = value as f64,
            (TileData::Integers(values), Element::Float(value)) => values[number] = value as i64,
        }
    }
}

/// A tile in registers; immutable.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Extents.
    pub shape: Arc<[usize]>,
    /// The element kind.
    pub kind: ElementKind,
    /// The elements; those at undefined positions are meaningless.
    pub data: Arc<TileData>,
    /// Which elements are undefined; `None` if all are defined.
    pub undefined: Option<Arc<[bool]>>,
    digest: OnceLock<u64>,
}

impl PartialEq for Tile {
    fn eq(&self, other: &Self) -> bool {
        self.refined_by(other) && other.refined_by(self)
    }
}

impl Payload for Tile {
    fn refines(&self, before: &dyn Payload) -> bool {
        let before: &dyn std::any::Any = before;
        before
            .downcast_ref::<Tile>()
            .is_some_and(|before| before.refined_by(self))
    }
}

/// The strides of a row-major shape, in elements.
pub fn row_major(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1] * shape[axis + 1];
    }
    strides
}

/// The number of elements of a shape.
pub fn count(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Advances `position` in row-major order; returns false after the last one.
pub fn advance(position: &mut [usize], shape: &[usize]) -> bool {
    for axis in (0..shape.len()).rev() {
        position[axis] += 1;
        if position[axis] < shape[axis] {
            return true;
        }
        position[axis] = 0;
    }
    false
}

/// The indices of all positions of a shape, row-major, with these strides.
fn places(shape: &[usize], start: usize, strides: &[usize]) -> Vec<usize> {
    let mut places = vec![start];
    for (extent, stride) in shape.iter().zip(strides) {
        places = places
            .iter()
            .flat_map(|place| (0..*extent).map(move |at| place + at * stride))
            .collect();
    }
    places
}

impl Tile {
    /// A tile of these elements, whose number must match the shape.
    pub fn new(shape: &[usize], kind: ElementKind, data: TileData) -> Tile {
        Tile {
            shape: shape.into(),
            kind,
            data: Arc::new(data),
            undefined: None,
            digest: OnceLock::new(),
        }
    }

    /// A tile with all elements equal.
    pub fn splat(shape: &[usize], kind: ElementKind, element: Element) -> Tile {
        let count = count(shape);
        let data = match element {
            Element::Float(value) => TileData::Floats(vec![value; count]),
            Element::Integer(value) => TileData::Integers(vec![value; count]),
        };
        Tile::new(shape, kind, data)
    }

    /// A tile of undefined elements.
    pub fn undefined(shape: &[usize], kind: ElementKind) -> Tile {
        let count = count(shape);
        Tile::new(shape, kind, TileData::zeros(kind, count)).with_undefined(vec![true; count])
    }

    /// The same tile with these elements marked as undefined.
    pub fn with_undefined(mut self, undefined: Vec<bool>) -> Tile {
        self.undefined = undefined.contains(&true).then(|| undefined.into());
        self.digest = OnceLock::new();
        self
    }

    /// The number of elements.
    pub fn element_count(&self) -> usize {
        match self.data.as_ref() {
            TileData::Floats(values) => values.len(),
            TileData::Integers(values) => values.len(),
        }
    }

    /// The position of the first undefined element.
    pub fn first_undefined(&self) -> Option<Vec<usize>> {
        let number = self.undefined.as_ref()?.iter().position(|flag| *flag)?;
        Some(self.position_of(number))
    }

    /// The position of the element with this index.
    pub fn position_of(&self, number: usize) -> Vec<usize> {
        let strides = row_major(&self.shape);
        let pairs = self.shape.iter().zip(strides);
        pairs
            .map(|(extent, stride)| number / stride % extent)
            .collect()
    }

    /// Whether an element is defined.
    pub fn is_defined(&self, number: usize) -> bool {
        self.undefined.as_ref().is_none_or(|flags| !flags[number])
    }

    /// The same elements with another shape of the same size.
    pub fn reshaped(&self, shape: &[usize]) -> Tile {
        Tile {
            shape: shape.into(),
            digest: OnceLock::new(),
            ..self.clone()
        }
    }

    /// The tile of another shape whose element at each position is that of this tile at the index
    /// that `source` returns.
    pub fn gathered(&self, shape: &[usize], source: impl Fn(&[usize]) -> usize) -> Tile {
        let total = count(shape);
        let mut data = TileData::zeros(self.kind, total);
        let mut undefined = vec![false; total];
        let mut position = vec![0; shape.len()];
        for (number, flag) in undefined.iter_mut().enumerate() {
            let from = source(&position);
            data.set(number, self.data.get(from));
            *flag = !self.is_defined(from);
            advance(&mut position, shape);
        }
        Tile::new(shape, self.kind, data).with_undefined(undefined)
    }

    /// The tile of another shape whose element at each position is that of this tile at `start`
    /// plus the position times the strides.
    pub fn strided(&self, shape: &[usize], start: usize, strides: &[usize]) -> Tile {
        let sources = places(shape, start, strides);
        let data = match self.data.as_ref() {
            TileData::Floats(values) => {
                TileData::Floats(sources.iter().map(|from| values[*from]).collect())
            }
            TileData::Integers(values) => {
                TileData::Integers(sources.iter().map(|from| values[*from]).collect())
            }
        };
        let tile = Tile::new(shape, self.kind, data);
        match &self.undefined {
            None => tile,
            Some(flags) => {
                let flags = sources.iter().map(|from| flags[*from]).collect();
                tile.with_undefined(flags)
            }
        }
    }

    /// The tile of a dense or splat attribute of this type.
    pub fn from_attribute(context: &Context, attribute: Attribute, ty: Type) -> Option<Tile> {
        let kind = ElementKind::of(context, ty)?;
        let shape = static_shape(context, ty)?;
        let AttributeKind::DenseElements {
            data: DenseData::Bytes { bytes, splat },
            ..
        } = attribute.kind(context)
        else {
            return None;
        };
        let width = kind.bits().div_ceil(8);
        let mut elements = bytes.chunks_exact(width).map(|chunk| {
            let mut word = [0; 8];
            word[..width].copy_from_slice(chunk);
            kind.decode(u64::from_le_bytes(word))
        });
        if *splat {
            return Some(Tile::splat(&shape, kind, elements.next()?));
        }
        let mut data = TileData::zeros(kind, count(&shape));
        for (number, element) in elements.enumerate().take(count(&shape)) {
            data.set(number, element);
        }
        Some(Tile::new(&shape, kind, data))
    }

    /// A hash of the tile.
    pub fn digest(&self) -> u64 {
        *self.digest.get_or_init(|| {
            let mut hasher = FxHasher::default();
            (&self.shape, self.kind, &self.undefined).hash(&mut hasher);
            match self.data.as_ref() {
                TileData::Floats(values) => {
                    for value in values {
                        value.to_bits().hash(&mut hasher);
                    }
                }
                TileData::Integers(values) => values.hash(&mut hasher),
            }
            hasher.finish()
        })
    }

    /// Whether `after` may replace this tile: equal where this one is defined. NaNs are equal.
    fn refined_by(&self, after: &Tile) -> bool {
        let equal = |number: usize| match (self.data.get(number), after.data.get(number)) {
            (Element::Float(a), Element::Float(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            (a, b) => a == b,
        };
        self.shape == after.shape
            && self.kind == after.kind
            && (0..self.element_count()).all(|number| {
                !self.is_defined(number) || (after.is_defined(number) && equal(number))
            })
    }
}

/// The maximum number of elements of a tile; the dialect's limit is lower.
const MAX_ELEMENTS: usize = 1 << 24;

/// The extents of a static shaped type; `None` also for one that is too large.
pub fn static_shape(context: &Context, ty: Type) -> Option<Vec<usize>> {
    let (shape, _) = orison_tileas::views::shape_and_element(context, ty)?;
    let extents = shape.iter().map(|extent| usize::try_from(*extent).ok());
    let extents: Vec<usize> = extents.collect::<Option<_>>()?;
    let total = extents
        .iter()
        .try_fold(1usize, |total, extent| total.checked_mul(*extent))?;
    (total <= MAX_ELEMENTS).then_some(extents)
}

/// The datum of a scalar element of this kind.
pub fn scalar(kind: ElementKind, element: Element) -> Datum {
    use orison_ir::numbers::{ApInt, Float};
    match (kind, element) {
        (ElementKind::Float(kind), Element::Float(value)) => {
            let value = if value.is_nan() { f64::NAN } else { value };
            Datum::Float(Float::from_f64(kind, value))
        }
        (ElementKind::Integer(width), Element::Integer(value)) => {
            Datum::Integer(ApInt::from_i64(width, value))
        }
        _ => Datum::payload(Tile::splat(&[], kind, element)),
    }
}

/// The element of a scalar datum; `None` for other data and for poison.
pub fn scalar_element(datum: &Datum) -> Option<Element> {
    match datum {
        Datum::Float(value) => Some(Element::Float(value.to_f64())),
        Datum::Integer(value) => {
            let low = value.words().first().copied().unwrap_or(0).cast_signed();
            Some(Element::Integer(sign_extend(value.width(), low)))
        }
        _ => {
            let tile = datum.as_payload::<Tile>()?;
            (tile.element_count() == 1 && tile.is_defined(0)).then(|| tile.data.get(0))
        }
    }
}

/// Rejects a tile with undefined elements.
///
/// # Errors
/// Undefined behaviour.
pub fn require_defined(op: Operation, tile: &Tile) -> Result<(), Trap> {
    match tile.first_undefined() {
        None => Ok(()),
        Some(position) => Err(meaningless(op, &position)),
    }
}

/// The error for the use of an undefined element.
pub fn meaningless(op: Operation, position: &[usize]) -> Trap {
    let reason = format!("uses element {position:?} of a tile, which is undefined");
    Trap::undefined(op, &reason)
}

/// The integers of a tile.
pub fn integers(tile: &Tile) -> Option<&[i64]> {
    match tile.data.as_ref() {
        TileData::Integers(values) => Some(values),
        TileData::Floats(_) => None,
    }
}

/// The scalar of a tile of one element; pointers remain tiles.
pub fn scalar_of(datum: Datum) -> Datum {
    match datum.as_payload::<Tile>() {
        Some(tile) if tile.shape.is_empty() && tile.is_defined(0) => {
            scalar(tile.kind, tile.data.get(0))
        }
        Some(tile) if tile.shape.is_empty() => Datum::Poison,
        _ => datum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I32: ElementKind = ElementKind::Integer(32);

    fn counting(shape: &[usize]) -> Tile {
        let values = (0..count(shape) as i64).collect();
        Tile::new(shape, I32, TileData::Integers(values))
    }

    #[test]
    fn positions_run_row_major() {
        let tile = counting(&[2, 3]);
        assert_eq!(tile.position_of(4), [1, 1]);
        let mut position = [0, 2];
        assert!(advance(&mut position, &[2, 3]));
        assert_eq!(position, [1, 0]);
        assert!(!advance(&mut [1, 2], &[2, 3]));
    }

    #[test]
    fn a_transposed_tile_is_gathered() {
        let tile = counting(&[2, 3]);
        let turned = tile.gathered(&[3, 2], |p| p[1] * 3 + p[0]);
        assert_eq!(turned, tile.strided(&[3, 2], 0, &[1, 3]));
        assert_eq!(*turned.data, TileData::Integers(vec![0, 3, 1, 4, 2, 5]));
    }

    #[test]
    fn what_is_undefined_may_become_anything() {
        let defined = counting(&[2]);
        let half = counting(&[2]).with_undefined(vec![false, true]);
        assert!(defined.refines(&half));
        assert!(!half.refines(&defined));
        assert_eq!(half.first_undefined(), Some(vec![1]));
        assert_ne!(half.digest(), defined.digest());
    }
}
