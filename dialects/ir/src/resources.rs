//! The file metadata section: data that belongs to a file and not to an operation.

use rustc_hash::FxHashMap;

/// Section of blobs that attributes refer to.
pub const DIALECT_RESOURCES: &str = "dialect_resources";
/// Section of tool-specific entries.
pub const EXTERNAL_RESOURCES: &str = "external_resources";

/// An entry of the file metadata section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// [`DIALECT_RESOURCES`] or [`EXTERNAL_RESOURCES`].
    pub section: String,
    /// The dialect or tool it belongs to.
    pub group: String,
    /// The key in the group.
    pub key: String,
    /// The value as written: a quoted string, `true` or `false`.
    pub value: String,
}

/// The entries of the file metadata section, in order.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    entries: Vec<Resource>,
    positions: FxHashMap<(String, String, String), usize>,
}

impl Resources {
    /// True if there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = &Resource> {
        self.entries.iter()
    }

    /// The value of an entry.
    pub fn get(&self, section: &str, group: &str, key: &str) -> Option<&str> {
        let place = (section.to_owned(), group.to_owned(), key.to_owned());
        self.positions
            .get(&place)
            .map(|position| self.entries[*position].value.as_str())
    }

    /// Adds an entry; replaces an entry with the same section, group and key.
    pub fn insert(&mut self, resource: Resource) {
        let place = (
            resource.section.clone(),
            resource.group.clone(),
            resource.key.clone(),
        );
        match self.positions.get(&place) {
            Some(position) => self.entries[*position] = resource,
            None => {
                self.positions.insert(place, self.entries.len());
                self.entries.push(resource);
            }
        }
    }

    /// Removes the entries of a group.
    pub fn remove_group(&mut self, section: &str, group: &str) {
        let entries = std::mem::take(self).entries;
        for entry in entries {
            if entry.section != section || entry.group != group {
                self.insert(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(group: &str, key: &str, value: &str) -> Resource {
        Resource {
            section: EXTERNAL_RESOURCES.to_owned(),
            group: group.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn the_later_of_two_entries_counts_and_order_is_kept() {
        let mut resources = Resources::default();
        resources.insert(entry("b", "x", "1"));
        resources.insert(entry("a", "y", "2"));
        resources.insert(entry("b", "x", "3"));
        assert_eq!(resources.get(EXTERNAL_RESOURCES, "b", "x"), Some("3"));
        let keys: Vec<_> = resources.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, ["x", "y"]);
        resources.remove_group(EXTERNAL_RESOURCES, "b");
        assert_eq!(resources.get(EXTERNAL_RESOURCES, "b", "x"), None);
        assert_eq!(resources.get(EXTERNAL_RESOURCES, "a", "y"), Some("2"));
    }
}
