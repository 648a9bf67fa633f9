//! Hash-consing: equal contents have equal handles.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Contents addressed by a 32-bit index; equal contents have the same index.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    contents: Vec<T>,
    table: HashTable<u32>,
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
        let hash = FxBuildHasher.hash_one(&content);
        if let Some(&index) = self
            .table
            .find(hash, |&i| self.contents[i as usize] == content)
        {
            return index;
        }
        self.insert_new(hash, content)
    }

    /// The index of a content equal to `key`, if present.
    pub(crate) fn find<Q: Hash + ?Sized>(
        &self,
        key: &Q,
        equal: impl Fn(&T) -> bool,
    ) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(key);
        self.table
            .find(hash, |&i| equal(&self.contents[i as usize]))
            .copied()
    }

    /// The index of the content created by `make`, which must have the same hash as `key`. `make`
    /// is called only if no content equal to `key` is present.
    pub(crate) fn intern_with<Q: Hash + ?Sized>(
        &mut self,
        key: &Q,
        equal: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> u32 {
        let hash = FxBuildHasher.hash_one(key);
        let known = |&index: &u32| equal(&self.contents[index as usize]);
        match self.table.find(hash, known) {
            Some(&index) => index,
            None => self.insert_new(hash, make()),
        }
    }

    fn insert_new(&mut self, hash: u64, content: T) -> u32 {
        let index = u32::try_from(self.contents.len()).unwrap_or(u32::MAX);
        assert!(
            index != u32::MAX,
            "more than 2^32 - 1 interned values of one kind"
        );
        self.contents.push(content);
        let contents = &self.contents;
        self.table.insert_unique(hash, index, |&i| {
            FxBuildHasher.hash_one(&contents[i as usize])
        });
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
