//! Conversion targets: which operations are legal, and which have to be replaced.

use std::collections::BTreeMap;
use std::fmt;

use orison_ir::{Context, Operation};

/// Decides whether an operation is legal; `None` defers to the previous declaration.
pub type Decide = Box<dyn Fn(&Context, Operation) -> Option<bool>>;

/// Whether operations are legal.
enum Legality {
    Legal,
    Illegal,
    Dynamic(Decide),
}

/// The declaration for an operation name.
struct Entry {
    legality: Legality,
    /// Operations nested in a legal operation are legal, too.
    recursively: bool,
}

/// Which operations are legal after a conversion. Declarations for an operation take precedence
/// over those for its dialect, and those over the declaration for unknown operations.
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
    /// A target without declarations.
    pub fn new() -> Self {
        ConversionTarget::default()
    }

    /// Makes the conversion fail if a pattern has to be rolled back because it declined after
    /// making changes, or because its result did not become legal.
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

    /// Declares operations with these names legal.
    pub fn legal_operations(&mut self, names: &[&str]) -> &mut Self {
        self.set_operations(names, || Legality::Legal);
        self
    }

    /// Declares operations with these names illegal.
    pub fn illegal_operations(&mut self, names: &[&str]) -> &mut Self {
        self.set_operations(names, || Legality::Illegal);
        self
    }

    /// Operations with this name are legal if the function returns true.
    pub fn dynamically_legal_operation(&mut self, name: &str, decide: Decide) -> &mut Self {
        let entry = Entry {
            legality: Legality::Dynamic(decide),
            recursively: false,
        };
        self.operations.insert(name.to_owned(), entry);
        self
    }

    /// Operations nested in legal operations with this name are legal as well. The name must have
    /// been declared before.
    pub fn recursively_legal_operation(&mut self, name: &str) -> &mut Self {
        if let Some(entry) = self.operations.get_mut(name) {
            entry.recursively = true;
        }
        self
    }

    /// Declares the operations of these dialects legal.
    pub fn legal_dialects(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            self.dialects.insert((*name).to_owned(), Legality::Legal);
        }
        self
    }

    /// Declares the operations of these dialects illegal.
    pub fn illegal_dialects(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            self.dialects.insert((*name).to_owned(), Legality::Illegal);
        }
        self
    }

    /// Operations of this dialect are legal if the function returns true.
    pub fn dynamically_legal_dialect(&mut self, name: &str, decide: Decide) -> &mut Self {
        let legality = Legality::Dynamic(decide);
        self.dialects.insert(name.to_owned(), legality);
        self
    }

    /// Operations without any other declaration are legal if the function returns true.
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

    /// Whether an operation is legal; `None` if nothing is declared for it.
    pub fn is_legal(&self, context: &Context, op: Operation) -> Option<bool> {
        let dynamic = |decide: &Decide| decide(context, op);
        match self.said(op.name_text(context)) {
            Some(Legality::Legal) => Some(true),
            Some(Legality::Illegal) => Some(false),
            Some(Legality::Dynamic(decide)) => dynamic(decide),
            None => self.unknown.as_ref().and_then(dynamic),
        }
    }

    /// Whether an operation was declared illegal, statically or dynamically.
    pub fn is_illegal(&self, context: &Context, op: Operation) -> bool {
        self.is_legal(context, op) == Some(false)
    }

    /// Whether operations with a name may be legal. Used to compute the cost of patterns.
    pub fn may_be_legal(&self, name: &str) -> bool {
        match self.said(name) {
            Some(Legality::Legal | Legality::Dynamic(_)) => true,
            Some(Legality::Illegal) => false,
            None => self.unknown.is_some(),
        }
    }

    /// Whether the operations nested in a legal operation are legal without being examined.
    pub fn is_recursively_legal(&self, context: &Context, op: Operation) -> bool {
        let entry = self.operations.get(op.name_text(context));
        entry.is_some_and(|entry| entry.recursively) && self.is_legal(context, op) == Some(true)
    }
}
