//! Runs of consecutive records (the operands or the results of one operation) in one vector.

use rustc_hash::FxHashMap;

/// A vector in which runs of records are allocated and freed. Freed runs are reused for runs of the
/// same length, which matches the pattern of erasing and creating operations.
#[derive(Debug)]
pub(crate) struct Runs<T> {
    records: Vec<T>,
    free: FxHashMap<u32, Vec<u32>>,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Runs {
            records: Vec::new(),
            free: FxHashMap::default(),
        }
    }
}

impl<T: Clone> Runs<T> {
    /// Allocates `length` records, each a copy of `fill`, and returns the index of the first. A
    /// reused run keeps the contents it had when it was released.
    ///
    /// # Panics
    /// If the 32-bit address space is exhausted.
    pub(crate) fn allocate(&mut self, length: u32, fill: &T) -> u32 {
        if length == 0 {
            return 0;
        }
        if let Some(start) = self.free.get_mut(&length).and_then(Vec::pop) {
            return start;
        }
        let start = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        assert!(
            start.checked_add(length).is_some_and(|end| end < u32::MAX),
            "more than 2^32 - 1 operands or results"
        );
        self.records
            .resize(self.records.len() + length as usize, fill.clone());
        start
    }

    /// Releases a run. Its records keep their contents until the run is allocated again.
    pub(crate) fn release(&mut self, start: u32, length: u32) {
        if length != 0 {
            self.free.entry(length).or_default().push(start);
        }
    }

    pub(crate) fn slice(&self, start: u32, length: u32) -> &[T] {
        &self.records[start as usize..(start + length) as usize]
    }

    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        self.records.get(index as usize)
    }

    /// Number of records, live or free: the size of a side table indexed by record.
    pub(crate) fn capacity(&self) -> usize {
        self.records.len()
    }
}

impl<T> std::ops::Index<u32> for Runs<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.records[index as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Runs<T> {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.records[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Runs;

    #[test]
    fn a_released_run_serves_the_next_one_of_its_length() {
        let mut runs = Runs::default();
        let first = runs.allocate(2, &0);
        let other = runs.allocate(3, &0);
        runs[first] = 5;
        runs.release(first, 2);
        assert_eq!(runs.allocate(2, &0), first);
        assert_eq!(runs.slice(first, 2), [5, 0]);
        assert_ne!(runs.allocate(3, &0), other);
    }
}
