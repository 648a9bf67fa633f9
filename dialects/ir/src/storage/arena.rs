//! A generational arena with 32-bit indices.

/// The null index in the links between records.
pub(crate) const NONE: u32 = u32::MAX;

/// The requirement on records of an arena: a field for the generation.
pub(crate) trait Record: Default {
    fn generation(&self) -> u32;
    fn set_generation(&mut self, generation: u32);
}

/// Records addressed by `(index, generation)`. An odd generation marks a live record, an even one a
/// free slot, so a handle is live exactly if the generations are equal.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    records: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena {
            records: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T: Record> Arena<T> {
    /// Adds a record and returns its index and generation.
    ///
    /// # Panics
    /// If 2^32 - 1 records are live: the address space of the arena is exhausted.
    pub(crate) fn insert(&mut self, mut record: T) -> (u32, u32) {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.records[index as usize];
            let generation = slot.generation() + 1;
            record.set_generation(generation);
            *slot = record;
            return (index, generation);
        }
        let index = u32::try_from(self.records.len()).unwrap_or(NONE);
        assert!(index != NONE, "more than 2^32 - 1 IR entities of one kind");
        record.set_generation(1);
        self.records.push(record);
        (index, 1)
    }

    /// Frees the record at `index`; handles to it are dangling from now on.
    pub(crate) fn remove(&mut self, index: u32) -> T {
        let slot = &mut self.records[index as usize];
        let generation = slot.generation();
        let record = std::mem::take(slot);
        slot.set_generation(generation + 1);
        // A slot with exhausted generations is retired, so that two handles never coincide.
        if generation < u32::MAX - 2 {
            self.free.push(index);
        }
        record
    }

    /// The record of a handle, or `None` if it was erased.
    #[inline]
    pub(crate) fn get(&self, index: u32, generation: u32) -> Option<&T> {
        self.records
            .get(index as usize)
            .filter(|record| record.generation() == generation)
    }

    /// The generation of the record at `index`, which turns a link into a handle.
    #[inline]
    pub(crate) fn generation(&self, index: u32) -> u32 {
        self.records[index as usize].generation()
    }

    /// Number of slots, live or free: the size of a side table indexed by record.
    pub(crate) fn capacity(&self) -> usize {
        self.records.len()
    }
}

impl<T> std::ops::Index<u32> for Arena<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.records[index as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Arena<T> {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.records[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Number {
        generation: u32,
        value: i32,
    }

    impl Record for Number {
        fn generation(&self) -> u32 {
            self.generation
        }
        fn set_generation(&mut self, generation: u32) {
            self.generation = generation;
        }
    }

    #[test]
    fn a_reused_slot_does_not_answer_to_the_old_handle() {
        let mut arena = Arena::default();
        let (index, old) = arena.insert(Number {
            generation: 0,
            value: 7,
        });
        assert_eq!(arena.get(index, old).map(|n| n.value), Some(7));
        assert_eq!(arena.remove(index).value, 7);
        assert!(arena.get(index, old).is_none());
        let (again, new) = arena.insert(Number {
            generation: 0,
            value: 8,
        });
        assert_eq!(again, index);
        assert!(arena.get(index, old).is_none());
        assert_eq!(arena.get(again, new).map(|n| n.value), Some(8));
    }
}
