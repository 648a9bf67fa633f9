//! Dictionaries: sorted lists of named attributes.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::{Attribute, AttributeKind};
use crate::{Context, Identifier};

impl Attribute {
    /// `{entries}` with keys that are not interned yet. Of entries with equal keys, the last one is
    /// kept.
    pub fn dictionary_of(context: &mut Context, entries: &[(&str, Attribute)]) -> Attribute {
        let entries: Vec<_> = entries
            .iter()
            .map(|(key, value)| (Identifier::new(context, key), *value))
            .collect();
        Attribute::dictionary(context, &entries)
    }

    /// `{entries}`, sorted by key. Of entries with equal keys, the last one is kept.
    pub fn dictionary(context: &mut Context, entries: &[(Identifier, Attribute)]) -> Attribute {
        if entries.is_empty() {
            return Attribute::EMPTY_DICTIONARY;
        }
        let ordered = entries
            .windows(2)
            .all(|w| w[0].0.text(context) < w[1].0.text(context));
        if ordered {
            return sorted_dictionary(context, entries);
        }
        let mut sorted: Vec<_> = entries.to_vec();
        sorted.sort_by(|a, b| a.0.text(context).cmp(b.0.text(context)));
        // `dedup_by` keeps the first of equal keys, so move the last value there.
        sorted.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = later.1;
            }
            same
        });
        sorted_dictionary(context, &sorted)
    }

    /// The marker of properties that are written as `<{}>`. Only an unregistered operation has it:
    /// its properties are unknown, so their presence is recorded.
    pub fn empty_properties(context: &mut Context) -> Attribute {
        let kind = AttributeKind::Opaque {
            dialect: Identifier::new(context, ""),
            body: "{}".into(),
            aliases: Box::default(),
            ty: crate::Type::NONE,
        };
        Attribute::new(context, kind)
    }

    /// Whether this is the marker created by [`Attribute::empty_properties`].
    pub fn is_empty_properties(self, context: &Context) -> bool {
        matches!(self.kind(context), AttributeKind::Opaque { dialect, .. }
            if dialect.text(context).is_empty())
    }

    /// The entries of a dictionary, sorted by key; empty for every other attribute.
    pub fn entries(self, context: &Context) -> &[(Identifier, Attribute)] {
        match self.kind(context) {
            AttributeKind::Dictionary(entries) => entries,
            _ => &[],
        }
    }

    /// The value of `key` in a dictionary.
    pub fn get(self, context: &Context, key: &str) -> Option<Attribute> {
        if self == Attribute::EMPTY_DICTIONARY {
            return None;
        }
        let entries = self.entries(context);
        let found = entries.iter().find(|(name, _)| name.text(context) == key);
        found.map(|(_, value)| *value)
    }

    /// The value of an interned key in a dictionary.
    #[inline]
    pub fn entry(self, context: &Context, key: Identifier) -> Option<Attribute> {
        let mut entries = self.entries(context).iter();
        entries
            .find(|(name, _)| *name == key)
            .map(|(_, value)| *value)
    }

    /// The dictionary with `key` set to `value`.
    pub fn with(self, context: &mut Context, key: &str, value: Attribute) -> Attribute {
        let key = Identifier::new(context, key);
        self.with_entry(context, key, value)
    }

    /// The dictionary with an interned key set to `value`.
    pub fn with_entry(self, context: &mut Context, key: Identifier, value: Attribute) -> Attribute {
        let mut entries: SmallVec<[_; 8]> = self.entries(context).into();
        if let Some(entry) = entries.iter_mut().find(|(name, _)| *name == key) {
            entry.1 = value;
            return sorted_dictionary(context, &entries);
        }
        entries.push((key, value));
        Attribute::dictionary(context, &entries)
    }

    /// The dictionary without `key`.
    pub fn without(self, context: &mut Context, key: &str) -> Attribute {
        let mut entries = self.entries(context).to_vec();
        let before = entries.len();
        entries.retain(|(name, _)| name.text(context) != key);
        if entries.len() == before {
            self
        } else {
            Attribute::dictionary(context, &entries)
        }
    }
}

/// The contents of a dictionary, with the hash of the attribute.
struct Entries<'e>(&'e [(Identifier, Attribute)]);

impl Hash for Entries<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&AttributeKind::Dictionary(Box::default())).hash(state);
        self.0.hash(state);
    }
}

/// The dictionary of sorted entries; allocates nothing if it already exists.
fn sorted_dictionary(context: &mut Context, entries: &[(Identifier, Attribute)]) -> Attribute {
    let equal = |known: &AttributeKind| matches!(known, AttributeKind::Dictionary(known) if **known == *entries);
    let make = || AttributeKind::Dictionary(entries.into());
    let attributes = &mut context.attributes;
    Attribute(attributes.intern_with(&Entries(entries), equal, make))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_is_found_however_it_is_made() {
        let mut context = Context::new();
        let a = Identifier::new(&mut context, "a");
        let entries = [(a, Attribute::TRUE)];
        let one = Attribute::dictionary(&mut context, &entries);
        let kind = AttributeKind::Dictionary(entries.into());
        assert_eq!(Attribute::new(&mut context, kind), one);
    }

    #[test]
    fn dictionaries_are_sorted_and_the_later_of_two_entries_wins() {
        let mut context = Context::new();
        let b = Identifier::new(&mut context, "b");
        let a = Identifier::new(&mut context, "a");
        let pairs = [
            (b, Attribute::TRUE),
            (a, Attribute::UNIT),
            (b, Attribute::FALSE),
        ];
        let dictionary = Attribute::dictionary(&mut context, &pairs);
        assert_eq!(
            dictionary.entries(&context),
            [(a, Attribute::UNIT), (b, Attribute::FALSE)]
        );
        assert_eq!(dictionary.get(&context, "b"), Some(Attribute::FALSE));
        assert_eq!(dictionary.get(&context, "c"), None);
        let without = dictionary
            .without(&mut context, "a")
            .without(&mut context, "b");
        assert_eq!(without, Attribute::EMPTY_DICTIONARY);
        assert_eq!(
            without
                .with(&mut context, "b", Attribute::UNIT)
                .entries(&context)
                .len(),
            1
        );
    }
}
