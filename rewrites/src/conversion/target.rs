//! Which operations a conversion leaves as they are, and which it has to replace.

use std::collections::BTreeMap;
use std::fmt;

use orison_ir::{Context, Operation};

/// Decides whether one operation is legal; none leaves that to the declaration before.
pub type Decide = Box<dyn Fn(&Context, Operation) -> Option<bool>>;

/// Whether operations are legal.
enum Legality {
    Legal,
    Illegal,
    Dynamic(Decide),
}

/// What is said about the operations of a name.
struct Entry {
    legality: Legality,
    /// What is in a legal operation is legal, too.
    recursively: bool,
}

/// Which operations are legal after a conversion. What is said of an operation goes before what is
/// said of its dialect, and that before what is said of those that nothing else is said about.
#[derive(Default)]
pub struct ConversionTarget {
    operations: BTreeMap<String, Entry>,
    dialects: BTreeMap<String, Legality>,
    unknown: Option<Decide>,
    forbids_rollback: bool,
}

impl fmt::Debug for ConversionTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversionTarget")
            .field("operations", &self.operations.keys())
            .field("dialects", &self.dialects.keys())
            .finish_non_exhaustive()
    }
}

impl ConversionTarget {
    /// A target of which nothing is known.
    pub fn new() -> Self {
        ConversionTarget::default()
    }

    /// What a pattern changed before it declined, or before what it made turned out not to become
    /// legal, is not undone: the conversion fails.
    pub fn forbid_pattern_rollback(&mut self) -> &mut Self {
        self.forbids_rollback = true;
        self
    }

    pub(super) fn forbids_rollback(&self) -> bool {
        self.forbids_rollback
    }

    fn set_operations(&mut self, names: &[&str], legality: fn() -> Legality) {
        for name in names {
            let entry = Entry {
                legality: legality(),
                recursively: false,
            };
            self.operations.insert((*name).to_owned(), entry);
        }
    }

    /// Operations with these names are legal.
    pub fn legal_operations(&mut self, names: &[&str]) -> &mut Self {
        self.set_operations(names, || Legality::Legal);
        self
    }

    /// Operations with these names have to be replaced.
    pub fn illegal_operations(&mut self, names: &[&str]) -> &mut Self {
        self.set_operations(names, || Legality::Illegal);
        self
    }

    /// Operations with this name are legal where the function says so.
    pub fn dynamically_legal_operation(&mut self, name: &str, decide: Decide) -> &mut Self {
        let entry = Entry {
            legality: Legality::Dynamic(decide),
            recursively: false,
        };
        self.operations.insert(name.to_owned(), entry);
        self
    }

    /// What is in legal operations with this name is legal as well. The name was declared before.
    pub fn recursively_legal_operation(&mut self, name: &str) -> &mut Self {
        if let Some(entry) = self.operations.get_mut(name) {
            entry.recursively = true;
        }
        self
    }

    /// Operations of these dialects are legal.
    pub fn legal_dialects(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            self.dialects.insert((*name).to_owned(), Legality::Legal);
        }
        self
    }

    /// Operations of these dialects have to be replaced.
    pub fn illegal_dialects(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            self.dialects.insert((*name).to_owned(), Legality::Illegal);
        }
        self
    }

    /// Operations of this dialect are legal where the function says so.
    pub fn dynamically_legal_dialect(&mut self, name: &str, decide: Decide) -> &mut Self {
        let legality = Legality::Dynamic(decide);
        self.dialects.insert(name.to_owned(), legality);
        self
    }

    /// Operations that nothing else is said about are legal where the function says so.
    pub fn unknown_dynamically_legal(&mut self, decide: Decide) -> &mut Self {
        self.unknown = Some(decide);
        self
    }

    fn said(&self, name: &str) -> Option<&Legality> {
        let dialect = || name.split_once('.').map_or(name, |(dialect, _)| dialect);
        match self.operations.get(name) {
            Some(entry) => Some(&entry.legality),
            None => self.dialects.get(dialect()),
        }
    }

    /// Whether an operation is legal; none when nothing is said about it.
    pub fn is_legal(&self, context: &Context, op: Operation) -> Option<bool> {
        let dynamic = |decide: &Decide| decide(context, op);
        match self.said(op.name_text(context)) {
            Some(Legality::Legal) => Some(true),
            Some(Legality::Illegal) => Some(false),
            Some(Legality::Dynamic(decide)) => dynamic(decide),
            None => self.unknown.as_ref().and_then(dynamic),
        }
    }

    /// Whether an operation was declared illegal, or is by what was said to decide it.
    pub fn is_illegal(&self, context: &Context, op: Operation) -> bool {
        self.is_legal(context, op) == Some(false)
    }

    /// Whether operations with a name may be legal: what the cost of patterns is reckoned with.
    pub fn may_be_legal(&self, name: &str) -> bool {
        match self.said(name) {
            Some(Legality::Legal | Legality::Dynamic(_)) => true,
            Some(Legality::Illegal) => false,
            None => self.unknown.is_some(),
        }
    }

    /// Whether what is in a legal operation is legal without a look.
    pub fn is_recursively_legal(&self, context: &Context, op: Operation) -> bool {
        let entry = self.operations.get(op.name_text(context));
        entry.is_some_and(|entry| entry.recursively) && self.is_legal(context, op) == Some(true)
    }
}
