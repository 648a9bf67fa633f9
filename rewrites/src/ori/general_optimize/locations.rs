//! Locations and discardable attributes of created operations.
//!
//! An operation that is the same instruction as one it replaces keeps its location and its
//! discardable attributes. The location of any other is fused of those of the operations it
//! replaces: first those that computed the value it was created for, then those whose values only
//! they used.

use egg::Id;
use orison_ir::{Attribute, Context, Location, Operation, OperationName, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A created operation.
#[derive(Clone, Copy, Debug)]
pub struct Created {
    /// The operation.
    pub op: Operation,
    /// The class of the value it was created for.
    pub class: Id,
}

/// A replacement of the operations of a window.
pub struct Replacement<'r> {
    /// The replaced operations, in order.
    pub old: &'r [Operation],
    /// The created ones, in order.
    pub created: &'r [Created],
    /// The classes of the values of both.
    pub classes: &'r FxHashMap<Value, Id>,
    /// The replacements of values of earlier windows.
    pub replaced: &'r FxHashMap<Value, Value>,
}

/// A value as the operations before and after a replacement know it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Known {
    Class(Id),
    Value(Value),
}

/// What the same instruction has in common: its form, and its first result or its operands.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Key {
    name: OperationName,
    properties: Attribute,
    types: Vec<Type>,
    result: Option<Id>,
    operands: Vec<Known>,
}

impl Replacement<'_> {
    /// Sets the locations and discardable attributes of the created operations.
    pub fn inherit(&self, context: &mut Context) {
        let replaced = self.replaced_locations(context);
        let same = self.same_instructions(context);
        for Created { op, class } in self.created {
            if let Some(old) = same.get(op) {
                let (location, attributes) = (old.location(context), old.attributes(context));
                op.set_location(context, location);
                op.set_attributes(context, attributes);
            } else if let Some(locations) = replaced.get(class) {
                let location = Location::fused(context, locations, None);
                op.set_location(context, location);
            }
        }
    }

    /// The old operation that is the same instruction as a created one, if any.
    fn same_instructions(&self, context: &Context) -> FxHashMap<Operation, Operation> {
        let mut table: FxHashMap<Key, Operation> = FxHashMap::default();
        // What created values without a class are equal to.
        let mut equal: FxHashMap<Value, Known> = FxHashMap::default();
        for op in self.old {
            for key in self.keys(context, *op, &equal) {
                table.entry(key).or_insert(*op);
            }
        }
        let mut same = FxHashMap::default();
        for Created { op, .. } in self.created {
            let mut keys = self.keys(context, *op, &equal).into_iter();
            let Some(old) = keys.find_map(|key| table.get(&key).copied()) else {
                continue;
            };
            same.insert(*op, old);
            for (new, old) in op.results(context).zip(old.results(context)) {
                equal.insert(new, self.known(old, &equal));
            }
        }
        same
    }

    /// The keys of an operation: by its first result if that has a class, and by its operands.
    fn keys(&self, context: &Context, op: Operation, equal: &FxHashMap<Value, Known>) -> Vec<Key> {
        let key = |result, operands| Key {
            name: op.name(context),
            properties: op.properties(context),
            types: op.result_types(context),
            result,
            operands,
        };
        let class = op
            .results(context)
            .next()
            .and_then(|first| self.classes.get(&first));
        let by_result = class.map(|class| key(Some(*class), Vec::new()));
        let operands = op.operands(context).map(|value| self.known(value, equal));
        let by_operands = key(None, operands.collect());
        by_result.into_iter().chain([by_operands]).collect()
    }

    fn known(&self, value: Value, equal: &FxHashMap<Value, Known>) -> Known {
        let class = self.classes.get(&value).map(|class| Known::Class(*class));
        class
            .or_else(|| equal.get(&value).copied())
            .unwrap_or_else(|| Known::Value(self.replaced.get(&value).copied().unwrap_or(value)))
    }

    /// The locations of the replaced operations, by the class that operations were created for.
    fn replaced_locations(&self, context: &Context) -> FxHashMap<Id, Vec<Location>> {
        let made: FxHashSet<Id> = self.created.iter().map(|created| created.class).collect();
        // The classes an operation was needed for, and whether it computed them: else its users did.
        let mut needed: FxHashMap<Operation, (bool, Vec<Id>)> = FxHashMap::default();
        for op in self.old.iter().rev() {
            let results = op
                .results(context)
                .filter_map(|value| self.classes.get(&value));
            let mut classes: Vec<Id> = results
                .filter(|class| made.contains(class))
                .copied()
                .collect();
            let computes = !classes.is_empty();
            if !computes {
                let users = op.results(context).flat_map(|result| result.users(context));
                let users = users.filter_map(|user| needed.get(&user));
                classes.extend(users.flat_map(|(_, classes)| classes));
                classes.sort_unstable();
                classes.dedup();
            }
            needed.insert(*op, (computes, classes));
        }
        let mut locations: FxHashMap<Id, Vec<Location>> = FxHashMap::default();
        for first in [true, false] {
            for op in self.old {
                let Some((_, classes)) = needed.get(op).filter(|(computes, _)| *computes == first)
                else {
                    continue;
                };
                for class in classes {
                    locations
                        .entry(*class)
                        .or_default()
                        .push(op.location(context));
                }
            }
        }
        locations
    }
}
