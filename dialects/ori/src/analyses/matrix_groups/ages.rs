//! The groups in which a product may be, relative to the current point.

use std::fmt;

/// The most closed groups that a wait can leave in flight, and so the greatest age that is told
/// apart from greater ones.
const OLDEST: u32 = 8;

/// A set of ages of a product in flight. Age 0: its group is open; age n: it is closed, and n - 1
/// groups were closed after it. Ages of 8 and more are one age, since no wait leaves 8 groups.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ages(u16);

impl Ages {
    /// In the open group.
    pub const OPEN: Ages = Ages(1);

    /// Whether the set is empty: the product is complete.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the group may be open.
    pub const fn may_be_open(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the group may be closed.
    pub const fn may_be_closed(self) -> bool {
        self.0 & !1 != 0
    }

    /// The ages of either set.
    #[must_use]
    pub const fn or(self, other: Ages) -> Ages {
        Ages(self.0 | other.0)
    }

    /// The ages after a group was closed.
    #[must_use]
    pub const fn after_commit(self) -> Ages {
        let shifted = self.0 << 1;
        Ages((shifted | (shifted >> 1 & 1 << OLDEST)) & ((1 << (OLDEST + 1)) - 1))
    }

    /// The ages that remain after a wait that leaves `left` groups in flight: the open group, and
    /// the last `left` closed ones.
    #[must_use]
    pub const fn after_wait(self, left: u32) -> Ages {
        let kept = if left < OLDEST { left } else { OLDEST };
        Ages(self.0 & ((1 << (kept + 1)) - 1))
    }

    /// The ages after any number of commits and waits.
    #[must_use]
    pub const fn after_anything(self) -> Ages {
        if self.0 == 0 {
            return self;
        }
        let first = self.0.trailing_zeros();
        Ages(((1 << (OLDEST + 1)) - 1) & !((1 << first) - 1))
    }

    /// The ages, in order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..=OLDEST).filter(move |age| self.0 & 1 << age != 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ages: &[u32]) -> Ages {
        Ages(ages.iter().fold(0, |set, age| set | 1 << age))
    }

    #[test]
    fn commits_age_and_waits_complete() {
        let open = Ages::OPEN;
        assert_eq!(open.after_commit(), of(&[1]));
        assert_eq!(of(&[1]).after_wait(0), Ages::default());
        assert_eq!(of(&[1, 2]).after_wait(1), of(&[1]));
        assert_eq!(open.after_wait(0), open, "a wait leaves the open group");
        assert_eq!(of(&[0, 8]).after_commit(), of(&[1, 8]));
        assert_eq!(of(&[7, 8]).after_commit(), of(&[8]));
        assert_eq!(of(&[8]).after_wait(7), Ages::default());
        assert_eq!(of(&[3]).after_anything(), of(&[3, 4, 5, 6, 7, 8]));
        assert_eq!(Ages::default().after_anything(), Ages::default());
        assert_eq!(of(&[0, 2]).to_string(), "open|closed-2");
    }
}
