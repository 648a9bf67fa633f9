//! Tiles of memory that are partly out of bounds.

use super::memory::View;

/// A tile of memory, of which only a box is in bounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// The tile; parts of it may be outside the memory.
    pub view: View,
    /// First position in bounds, along each axis.
    pub low: Vec<usize>,
    /// End of the positions in bounds, along each axis (exclusive).
    pub high: Vec<usize>,
}

impl Window {
    /// A view that is entirely in bounds.
    pub fn all(view: View) -> Window {
        Window {
            low: vec![0; view.shape.len()],
            high: view.shape.clone(),
            view,
        }
    }

    /// Whether a position is in bounds.
    pub fn contains(&self, position: &[usize]) -> bool {
        let bounds = self.low.iter().zip(&self.high);
        let mut axes = position.iter().zip(bounds);
        axes.all(|(at, (low, high))| low <= at && at < high)
    }

    /// The part in bounds.
    pub fn inside(&self) -> View {
        let offset: Vec<i64> = self.low.iter().map(|low| *low as i64).collect();
        let pairs = self.low.iter().zip(&self.high);
        let shape: Vec<usize> = pairs.map(|(low, high)| high.saturating_sub(*low)).collect();
        self.view.part(&offset, &shape, &vec![1; shape.len()])
    }

    /// Bytes of the whole tile, including the part out of bounds.
    pub fn bytes(&self) -> u64 {
        (super::values::count(&self.view.shape) * self.view.kind.bits()).div_ceil(8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::element::ElementKind;

    #[test]
    fn a_window_is_clipped() {
        let view =
            View::whole(0, &[4, 4], ElementKind::Integer(8)).part(&[-1, 0], &[4, 4], &[1, 1]);
        let window = Window {
            view,
            low: vec![1, 0],
            high: vec![4, 4],
        };
        assert!(!window.contains(&[0, 2]));
        assert_eq!(window.inside().shape, [3, 4]);
        assert_eq!(window.inside().start, 0);
        assert_eq!(window.bytes(), 16);
    }
}
