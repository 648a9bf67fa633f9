//! Sets of small numbers that share their memory.

use std::rc::Rc;

/// The numbers of a part.
const PART: u32 = 1024;
/// The words of a part.
const WORDS: usize = PART as usize / 64;

type Part = [u64; WORDS];

/// A set of small numbers, in parts that copies share until one of them changes: sets of a dataflow
/// differ little from point to point. All operations are linear in the number of parts, and touch
/// only the parts that are not the same in both sets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedSet {
    /// `None` stands for a part without numbers; the last one has some.
    parts: Vec<Option<Rc<Part>>>,
}

impl SharedSet {
    /// Whether there is no number in the set.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether a number is in the set.
    pub fn contains(&self, number: u32) -> bool {
        let (part, word, bit) = place(number);
        let part = self.parts.get(part).and_then(Option::as_ref);
        part.is_some_and(|part| part[word] & bit != 0)
    }

    /// Adds a number.
    pub fn insert(&mut self, number: u32) {
        let (part, word, bit) = place(number);
        if self.parts.len() <= part {
            self.parts.resize(part + 1, None);
        }
        let part = self.parts[part].get_or_insert_with(|| Rc::new([0; WORDS]));
        if part[word] & bit == 0 {
            Rc::make_mut(part)[word] |= bit;
        }
    }

    /// Adds the numbers of another set; whether there was a new one.
    pub fn add(&mut self, other: &SharedSet) -> bool {
        if self.parts.len() < other.parts.len() {
            self.parts.resize(other.parts.len(), None);
        }
        let mut changed = false;
        for (own, other) in self.parts.iter_mut().zip(&other.parts) {
            let Some(theirs) = other else { continue };
            let Some(part) = own else {
                own.clone_from(other);
                changed = true;
                continue;
            };
            if Rc::ptr_eq(part, theirs) || is_within(theirs, part) {
                continue;
            }
            changed = true;
            if is_within(part, theirs) {
                own.clone_from(other);
            } else {
                let words = Rc::make_mut(part).iter_mut().zip(theirs.iter());
                words.for_each(|(own, other)| *own |= other);
            }
        }
        changed
    }

    /// Removes the numbers of another set.
    pub fn remove(&mut self, other: &SharedSet) {
        for (own, theirs) in self.parts.iter_mut().zip(&other.parts) {
            let (Some(part), Some(theirs)) = (&mut *own, theirs) else {
                continue;
            };
            if Rc::ptr_eq(part, theirs) || is_within(part, theirs) {
                *own = None;
            } else if part.iter().zip(theirs.iter()).any(|(a, b)| a & b != 0) {
                let words = Rc::make_mut(part).iter_mut().zip(theirs.iter());
                words.for_each(|(own, other)| *own &= !other);
            }
        }
        while let Some(None) = self.parts.last() {
            self.parts.pop();
        }
    }

    /// Whether a number is in both sets.
    pub fn meets(&self, other: &SharedSet) -> bool {
        let mut both = self.parts.iter().zip(&other.parts);
        both.any(|parts| match parts {
            (Some(a), Some(b)) => {
                Rc::ptr_eq(a, b) || a.iter().zip(b.iter()).any(|(a, b)| a & b != 0)
            }
            _ => false,
        })
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let parts = self.parts.iter().zip((0..).step_by(PART as usize));
        parts.flat_map(|(part, first)| {
            let words = part.iter().flat_map(|part| part.iter().copied());
            words.zip((first..).step_by(64)).flat_map(|(word, first)| {
                let bits = 0..u64::BITS;
                bits.filter(move |bit| word >> bit & 1 != 0)
                    .map(move |bit| first + bit)
            })
        })
    }
}

impl FromIterator<u32> for SharedSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = SharedSet::default();
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

/// The part, the word in it and the bit of a number.
fn place(number: u32) -> (usize, usize, u64) {
    let (part, rest) = (number / PART, number % PART);
    (part as usize, rest as usize / 64, 1 << (rest % 64))
}

/// Whether all numbers of a part, none of which is empty, are in another.
fn is_within(part: &Part, other: &Part) -> bool {
    part.iter().zip(other).all(|(own, other)| own & !other == 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Numbers near and across the borders of words and parts.
    fn numbers() -> impl Strategy<Value = BTreeSet<u32>> {
        let one = prop_oneof![0..70_u32, 1000..1100_u32, 5000..5010_u32];
        prop::collection::btree_set(one, 0..12)
    }

    proptest! {
        #[test]
        fn operations_are_those_of_sets(a in numbers(), b in numbers()) {
            let [x, y]: [SharedSet; 2] = [&a, &b].map(|set| set.iter().copied().collect());
            prop_assert_eq!(x.iter().collect::<BTreeSet<u32>>(), a.clone());
            prop_assert_eq!(x.meets(&y), !a.is_disjoint(&b));
            prop_assert!(a.iter().all(|number| x.contains(*number)));
            prop_assert_eq!(b.iter().all(|number| x.contains(*number)), b.is_subset(&a));
            let (mut both, mut left) = (x.clone(), x.clone());
            prop_assert_eq!(both.add(&y), !b.is_subset(&a));
            prop_assert_eq!(&both, &a.union(&b).copied().collect::<SharedSet>());
            left.remove(&y);
            prop_assert_eq!(left, a.difference(&b).copied().collect::<SharedSet>());
            both.remove(&x);
            both.remove(&y);
            prop_assert!(both.is_empty() && both == SharedSet::default());
        }
    }

    #[test]
    fn equal_parts_are_shared() {
        let mut a: SharedSet = [1, 2000].into_iter().collect();
        let b: SharedSet = [1, 2, 2000].into_iter().collect();
        assert!(a.add(&b));
        let shared = a.parts.iter().zip(&b.parts);
        let shared = shared.filter_map(|(a, b)| Some(Rc::ptr_eq(a.as_ref()?, b.as_ref()?)));
        assert_eq!(shared.collect::<Vec<_>>(), [true, false]);
        assert!(!a.add(&b));
    }
}
