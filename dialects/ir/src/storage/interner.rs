//! Hash-consing: equal contents have equal handles.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Contents addressed by a 32-bit index; equal contents have the same index.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    contents: Vec<T>,
    table: HashTable<Slot>,
}

/// The index of a content. Its hash is kept, so that a growing table reads no content, and a lookup
/// hardly any but the one that it finds.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    index: u32,
}

impl Slot {
    /// Half of the hash of a key.
    fn hash_of(key: &(impl Hash + ?Sized)) -> u32 {
        let hash = FxBuildHasher.hash_one(key);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the other half is mixed in"
        )]
        let half = (hash ^ hash >> 32) as u32;
        half
    }

    /// A hash for the table, which looks at the bits at both ends.
    fn spread(hash: u32) -> u64 {
        FxBuildHasher.hash_one(hash)
    }
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            contents: Vec::new(),
            table: HashTable::new(),
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The index of `content`, which is stored if it is new.
    pub(crate) fn intern(&mut self, content: T) -> u32 {
        let hash = Slot::hash_of(&content);
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
        self.position(Slot::hash_of(key), equal)
    }

    fn position(&self, hash: u32, equal: impl Fn(&T) -> bool) -> Option<u32> {
        let equal = |slot: &Slot| slot.hash == hash && equal(&self.contents[slot.index as usize]);
        let slot = self.table.find(Slot::spread(hash), equal);
        slot.map(|slot| slot.index)
    }

    /// The index of the content created by `make`, which must have the same hash as `key`. `make`
    /// is called only if no content equal to `key` is present.
    pub(crate) fn intern_with<Q: Hash + ?Sized>(
        &mut self,
        key: &Q,
        equal: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> u32 {
        let hash = Slot::hash_of(key);
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
        let slot = Slot { hash, index };
        let again = |slot: &Slot| Slot::spread(slot.hash);
        self.table.insert_unique(Slot::spread(hash), slot, again);
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
    use super::Interner;

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
