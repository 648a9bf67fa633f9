//! The groups in which a product may be, relative to the current point.

use std::fmt;

/// The most closed groups that a wait can leave in flight, and so the greatest age that is told
/// apart from greater ones.
pub(super) const OLDEST: u32 = 8;

/// A set of ages of a product in flight. Age 0: its group is open; age n: it is closed, and n - 1
/// groups were closed after it. Ages of 8 and more are one age, since no wait leaves 8 groups.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ages(u16);

impl Ages {
    /// Whether the set is empty: the product is complete.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The ages, in order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..=OLDEST).filter(move |age| self.0 & 1 << age != 0)
    }
}

impl FromIterator<u32> for Ages {
    fn from_iter<I: IntoIterator<Item = u32>>(ages: I) -> Self {
        Ages(ages.into_iter().fold(0, |set, age| set | 1 << age))
    }
}

/// `open`, `closed-1`, or several with `|`.
impl fmt::Display for Ages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, age) in self.iter().enumerate() {
            let separator = if number == 0 { "" } else { "|" };
            match age {
                0 => write!(f, "{separator}open")?,
                age => write!(f, "{separator}closed-{age}")?,
            }
        }
        Ok(())
    }
}
