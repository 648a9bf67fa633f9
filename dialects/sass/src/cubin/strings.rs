//! Tables of names.

use rustc_hash::FxHashMap;

/// Names that end with zero bytes, at offsets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringTable {
    bytes: Vec<u8>,
    /// The offset of each name that stands alone.
    places: FxHashMap<Box<[u8]>, u32>,
}

impl Default for StringTable {
    fn default() -> Self {
        StringTable::new(vec![0])
    }
}

impl StringTable {
    /// The table with these bytes.
    pub fn new(bytes: Vec<u8>) -> StringTable {
        let mut places = FxHashMap::default();
        let mut start = 0;
        for name in bytes.split(|byte| *byte == 0) {
            if let Ok(place) = u32::try_from(start) {
                places.entry(name.into()).or_insert(place);
            }
            start += name.len() + 1;
        }
        StringTable { bytes, places }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The offset of a name, if the table has it.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.places.get(name.as_bytes()).copied()
    }

    /// The offset of a name, which is added if the table does not have it.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(place) = self.find(name) {
            return place;
        }
        let place = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.places.insert(name.as_bytes().into(), place);
        place
    }
}
