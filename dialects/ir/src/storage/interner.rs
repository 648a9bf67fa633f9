//! Hash-consing: equal contents have equal handles.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// Contents addressed by a 32-bit index; equal contents have the same index.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    contents: Vec<T>,
    slots: Slots,
}

/// A hash table of indices: open addressing with linear probing, where the place of a hash are its
/// highest bits.
///
/// A slot is one word, so that a lookup of a new content and its insertion touch one cache line,
/// where a table with separate control bytes touches two. Hashes are kept, so that a lookup reads
/// hardly any content but the one that it finds. Slots are ordered by hash, but for collisions, so
/// that growing reads and writes memory in order.
#[derive(Debug, Default)]
struct Slots {
    /// The hash above an index plus one; zero if empty.
    words: Vec<u64>,
    used: usize,
}

/// 32 bits of the hash of a key, the highest of which depend on all others.
fn hash_of(key: &(impl Hash + ?Sized)) -> u32 {
    /// 2^32 divided by the golden ratio, which spreads neighbours.
    const SPREAD: u32 = 0x9e37_79b9;
    let hash = FxBuildHasher.hash_one(key);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the other half is mixed in"
    )]
    let half = (hash ^ hash >> 32) as u32;
    half.wrapping_mul(SPREAD)
}

impl Slots {
    /// The slots of the smallest table, a power of two.
    const FEWEST: usize = 16;

    /// Where the search for a hash starts; outside of an empty table.
    #[inline]
    fn home(&self, hash: u32) -> usize {
        let bits = self.words.len().trailing_zeros();
        let place = u64::from(hash) << 32 >> (64 - bits);
        usize::try_from(place).unwrap_or(usize::MAX)
    }

    /// The index with this hash that is `wanted`.
    #[inline]
    fn find(&self, hash: u32, wanted: impl Fn(u32) -> bool) -> Option<u32> {
        let mut place = self.home(hash);
        loop {
            let word = *self.words.get(place)?;
            let index = low(word).checked_sub(1)?;
            if high(word) == hash && wanted(index) {
                return Some(index);
            }
            place = (place + 1) & (self.words.len() - 1);
        }
    }

    /// Adds an index, which must be below 2^32 - 1.
    #[inline]
    fn insert(&mut self, hash: u32, index: u32) {
        if self.used >= self.words.len() / 4 * 3 {
            self.grow();
        }
        self.used += 1;
        self.place(u64::from(hash) << 32 | u64::from(index + 1));
    }

    /// Writes a word to the first empty slot from its home on.
    #[inline]
    fn place(&mut self, word: u64) {
        let mut place = self.home(high(word));
        while self.words[place] != 0 {
            place = (place + 1) & (self.words.len() - 1);
        }
        self.words[place] = word;
    }

    #[cold]
    fn grow(&mut self) {
        let slots = (self.words.len() * 2).max(Slots::FEWEST);
        let words = std::mem::replace(&mut self.words, vec![0; slots]);
        for word in words.into_iter().filter(|word| *word != 0) {
            self.place(word);
        }
    }
}

fn high(word: u64) -> u32 {
    (word >> 32) as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn low(word: u64) -> u32 {
    word as u32
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            contents: Vec::new(),
            slots: Slots::default(),
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The index of `content`, which is stored if it is new.
    pub(crate) fn intern(&mut self, content: T) -> u32 {
        let hash = hash_of(&content);
        match self.position(hash, |known| *known == content) {
            Some(index) => index,
            None => self.insert_new(hash, content),
        }
    }

    /// The index of a content equal to `key`, if present.
    pub(crate) fn find<Q: Hash + ?Sized>(
        &self,
        key: &Q,
        equal: impl Fn(&T) -> bool,
    ) -> Option<u32> {
        self.position(hash_of(key), equal)
    }

    fn position(&self, hash: u32, equal: impl Fn(&T) -> bool) -> Option<u32> {
        let equal = |index: u32| equal(&self.contents[index as usize]);
        self.slots.find(hash, equal)
    }

    /// The index of the content created by `make`, which must have the same hash as `key`. `make`
    /// is called only if no content equal to `key` is present.
    pub(crate) fn intern_with<Q: Hash + ?Sized>(
        &mut self,
        key: &Q,
        equal: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> u32 {
        let hash = hash_of(key);
        match self.position(hash, equal) {
            Some(index) => index,
            None => self.insert_new(hash, make()),
        }
    }

    fn insert_new(&mut self, hash: u32, content: T) -> u32 {
        let index = u32::try_from(self.contents.len()).unwrap_or(u32::MAX);
        assert!(
            index != u32::MAX,
            "more than 2^32 - 1 interned values of one kind"
        );
        self.contents.push(content);
        self.slots.insert(hash, index);
        index
    }
}

impl<T> std::ops::Index<u32> for Interner<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.contents[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::{Interner, Slots, high, low};

    /// The indices that are found for a hash.
    fn found(slots: &Slots, hash: u32) -> Vec<u32> {
        let seen = std::cell::RefCell::new(Vec::new());
        let _ = slots.find(hash, |index| {
            seen.borrow_mut().push(index);
            false
        });
        seen.into_inner()
    }

    #[test]
    fn colliding_hashes_at_both_ends_of_the_table_are_found_after_it_has_grown() {
        let mut slots = Slots::default();
        assert_eq!(found(&slots, 0), []);
        // The last home is followed by the first.
        let hashes = [u32::MAX, 0, u32::MAX, 1, u32::MAX - 1, 0, 1 << 31];
        for round in 0..1000 {
            for (hash, number) in hashes.into_iter().zip(0..) {
                slots.insert(hash, round * 7 + number);
            }
        }
        assert_eq!(slots.used, 7000);
        assert!(slots.used <= slots.words.len() / 4 * 3);
        let mut last = found(&slots, u32::MAX);
        last.sort_unstable();
        let expected = (0..1000).flat_map(|round| [round * 7, round * 7 + 2]);
        assert_eq!(last, expected.collect::<Vec<_>>());
        assert_eq!(found(&slots, 1 << 31).len(), 1000);
        assert_eq!(found(&slots, 2), []);
    }

    #[test]
    fn a_word_holds_a_hash_and_an_index() {
        let mut slots = Slots::default();
        slots.insert(u32::MAX - 7, u32::MAX - 1);
        let word = slots.words.iter().copied().find(|word| *word != 0);
        let word = word.unwrap_or_default();
        assert_eq!((high(word), low(word)), (u32::MAX - 7, u32::MAX));
    }

    #[test]
    fn equal_contents_share_an_index() {
        let mut strings: Interner<Box<str>> = Interner::default();
        let a = strings.intern("a".into());
        let b = strings.intern("b".into());
        assert_ne!(a, b);
        assert_eq!(strings.intern("a".into()), a);
        assert_eq!(strings.find("b", |s| &**s == "b"), Some(b));
        assert_eq!(strings.find("c", |s| &**s == "c"), None);
        assert_eq!(&*strings[b], "b");
    }
}
