//! State that machines share, and their external events.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;

use crate::Datum;

/// An external event, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A call of a function without a body.
    Call {
        /// Its name.
        function: String,
        /// Its arguments.
        arguments: Vec<Datum>,
        /// Its results.
        results: Vec<Datum>,
    },
}

/// State that machines share: the events so far, the results of functions without a body, and the
/// state of dialects. A clone is independent of the original.
#[derive(Clone, Default)]
pub struct World {
    /// The external events.
    pub events: Vec<Event>,
    /// The results of functions without a body; if absent, calling one is unsupported.
    pub external: Option<External>,
    state: BTreeMap<TypeId, Box<dyn State>>,
}

/// The results of a function without a body: from its name, the number of events before, and its
/// arguments. `None` if there is no such function.
pub type External = fn(&str, usize, &[Datum]) -> Option<Vec<Datum>>;

trait State: Any + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn State>;
}

impl<T: Any + Clone + Send + Sync> State for T {
    fn boxed_clone(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn State> {
    fn clone(&self) -> Self {
        self.as_ref().boxed_clone()
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("events", &self.events)
            .field("states", &self.state.len())
            .finish_non_exhaustive()
    }
}

impl World {
    /// The state of this Rust type, created on first use.
    pub fn state<T: Any + Clone + Default + Send + Sync>(&mut self) -> &mut T {
        let entry = self
            .state
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Box::new(T::default()));
        match (entry.as_mut() as &mut dyn Any).downcast_mut() {
            Some(state) => state,
            None => unreachable!("the key is the type of the entry"),
        }
    }

    /// The state of this Rust type, if it exists.
    pub fn existing_state<T: Any>(&self) -> Option<&T> {
        let entry = self.state.get(&TypeId::of::<T>())?;
        (entry.as_ref() as &dyn Any).downcast_ref()
    }
}
