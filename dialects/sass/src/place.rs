//! Locations in texts.

/// A location in a text; lines and columns are counted from one, columns in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}
