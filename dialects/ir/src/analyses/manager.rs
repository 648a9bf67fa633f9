//! Cached results of analyses: passes share them as long as the IR they describe is unchanged.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{Context, Operation};

/// A result computed from an operation and its contents, without changing them.
pub trait Analysis: Any {
    /// The name in messages and timing reports.
    const NAME: &'static str;

    /// Computes it.
    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self;
}

/// The identity of an analysis type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct AnalysisKey {
    id: TypeId,
    /// The name.
    pub name: &'static str,
}

impl AnalysisKey {
    /// The key of an analysis.
    pub const fn of<A: Analysis>() -> Self {
        AnalysisKey {
            id: TypeId::of::<A>(),
            name: A::NAME,
        }
    }
}

/// The analyses that remain valid after a pass that changed the IR.
#[derive(Clone, Debug, Default)]
pub struct PreservedAnalyses {
    all: bool,
    keys: Vec<AnalysisKey>,
}

impl PreservedAnalyses {
    /// No analyses.
    pub fn none() -> Self {
        PreservedAnalyses::default()
    }

    /// All analyses.
    pub fn all() -> Self {
        PreservedAnalyses {
            all: true,
            keys: Vec::new(),
        }
    }

    /// Adds one analysis.
    pub fn preserve<A: Analysis>(&mut self) {
        self.keys.push(AnalysisKey::of::<A>());
    }

    /// Adds all analyses.
    pub fn preserve_all(&mut self) {
        self.all = true;
    }

    /// Whether this analysis is preserved.
    pub fn contains(&self, key: AnalysisKey) -> bool {
        self.all || self.keys.contains(&key)
    }
}

#[derive(Default)]
struct Cached {
    results: BTreeMap<AnalysisKey, Rc<dyn Any>>,
    /// The pass that invalidated each analysis.
    lost: BTreeMap<AnalysisKey, &'static str>,
}

/// Cached analyses, by operation.
#[derive(Default)]
pub struct AnalysisManager {
    by_operation: FxHashMap<Operation, Cached>,
    /// For each operation, the nested operations that have cached analyses.
    inside: FxHashMap<Operation, BTreeSet<Operation>>,
    computed: Vec<&'static str>,
}

impl std::fmt::Debug for AnalysisManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut list: Vec<_> = self
            .by_operation
            .iter()
            .flat_map(|(op, cached)| cached.results.keys().map(move |key| (*op, key.name)))
            .collect();
        list.sort_unstable();
        f.debug_list().entries(list).finish()
    }
}

impl AnalysisManager {
    /// An empty cache.
    pub fn new() -> Self {
        AnalysisManager::default()
    }

    /// An analysis of an operation, computed if it is not cached.
    pub fn get<A: Analysis>(&mut self, context: &mut Context, op: Operation) -> Rc<A> {
        if let Some(known) = self.cached::<A>(op) {
            return known;
        }
        self.computed.push(A::NAME);
        let result = A::compute(context, op, self);
        self.insert(context, op, result)
    }

    /// An analysis of an operation, if it is cached.
    pub fn cached<A: Analysis>(&self, op: Operation) -> Option<Rc<A>> {
        let cached = self.by_operation.get(&op)?;
        let result = cached.results.get(&AnalysisKey::of::<A>())?;
        Rc::clone(result).downcast::<A>().ok()
    }

    /// Caches a result that a pass computed itself.
    pub fn insert<A: Analysis>(&mut self, context: &Context, op: Operation, result: A) -> Rc<A> {
        let result = Rc::new(result);
        let key = AnalysisKey::of::<A>();
        let cached = self.by_operation.entry(op).or_default();
        cached.lost.remove(&key);
        cached
            .results
            .insert(key, Rc::clone(&result) as Rc<dyn Any>);
        for ancestor in op.ancestors(context) {
            self.inside.entry(ancestor).or_default().insert(op);
        }
        result
    }

    /// Discards analyses that are not preserved after `pass` changed `op`: those of the operation
    /// itself, of nested operations, and of its ancestors.
    pub fn invalidate(
        &mut self,
        context: &Context,
        op: Operation,
        preserved: &PreservedAnalyses,
        pass: &'static str,
    ) {
        if preserved.all {
            return;
        }
        if op.is_live(context) {
            for ancestor in op.ancestors(context) {
                self.invalidate_one(ancestor, preserved, pass);
            }
        }
        self.invalidate_one(op, preserved, pass);
        for nested in self.inside.remove(&op).unwrap_or_default() {
            if !nested.is_live(context) {
                self.by_operation.remove(&nested);
                continue;
            }
            if self.invalidate_one(nested, preserved, pass) {
                self.inside.entry(op).or_default().insert(nested);
            }
        }
    }

    /// Invalidates one operation's analyses; returns whether any information about it remains.
    fn invalidate_one(
        &mut self,
        op: Operation,
        preserved: &PreservedAnalyses,
        pass: &'static str,
    ) -> bool {
        let Some(cached) = self.by_operation.get_mut(&op) else {
            return false;
        };
        let Cached { results, lost } = cached;
        results.retain(|key, _| {
            let keep = preserved.contains(*key);
            if !keep {
                lost.insert(*key, pass);
            }
            keep
        });
        true
    }

    /// The pass that invalidated an analysis of an operation, if it was cached and no longer is.
    pub fn lost_by(&self, op: Operation, key: AnalysisKey) -> Option<&'static str> {
        self.by_operation.get(&op)?.lost.get(&key).copied()
    }

    /// The names of the analyses computed since the last call.
    pub fn take_computed(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.computed)
    }
}
