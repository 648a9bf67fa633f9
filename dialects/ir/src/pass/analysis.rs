//! Analyses: results that passes share as long as the IR they describe does not change.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{Context, Operation};

/// Something that is computed from an operation and what is in it, without changing it.
pub trait Analysis: Any {
    /// The name in messages and timing reports.
    const NAME: &'static str;

    /// Computes it.
    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self;
}

/// A kind of analysis.
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

/// Which analyses still hold after a pass that changed the IR.
#[derive(Clone, Debug, Default)]
pub struct PreservedAnalyses {
    all: bool,
    keys: Vec<AnalysisKey>,
}

impl PreservedAnalyses {
    /// None.
    pub fn none() -> Self {
        PreservedAnalyses::default()
    }

    /// All.
    pub fn all() -> Self {
        PreservedAnalyses {
            all: true,
            keys: Vec::new(),
        }
    }

    /// Adds one.
    pub fn preserve<A: Analysis>(&mut self) {
        self.keys.push(AnalysisKey::of::<A>());
    }

    /// Adds all.
    pub fn preserve_all(&mut self) {
        self.all = true;
    }

    /// Whether this one is preserved.
    pub fn contains(&self, key: AnalysisKey) -> bool {
        self.all || self.keys.contains(&key)
    }
}

#[derive(Default)]
struct Cached {
    results: BTreeMap<AnalysisKey, Rc<dyn Any>>,
    /// The pass that made an analysis invalid.
    lost: BTreeMap<AnalysisKey, &'static str>,
}

/// The analyses that are known, by operation.
#[derive(Default)]
pub struct AnalysisManager {
    by_operation: FxHashMap<Operation, Cached>,
    /// For each operation, those inside it that have analyses.
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
    /// No analyses.
    pub fn new() -> Self {
        AnalysisManager::default()
    }

    /// An analysis of an operation, computed if it is not known.
    pub fn get<A: Analysis>(&mut self, context: &mut Context, op: Operation) -> Rc<A> {
        if let Some(known) = self.cached::<A>(op) {
            return known;
        }
        self.computed.push(A::NAME);
        let result = A::compute(context, op, self);
        self.insert(context, op, result)
    }

    /// An analysis of an operation, if it is known.
    pub fn cached<A: Analysis>(&self, op: Operation) -> Option<Rc<A>> {
        let cached = self.by_operation.get(&op)?;
        let result = cached.results.get(&AnalysisKey::of::<A>())?;
        Rc::clone(result).downcast::<A>().ok()
    }

    /// Makes a result known that a pass has at hand.
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

    /// Forgets what is not preserved after `pass` changed `op`: analyses of the operation itself,
    /// of those inside, and of those around it.
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

    /// Whether anything is remembered about the operation afterwards.
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

    /// The pass that made an analysis of an operation invalid, when it was known and is not now.
    pub fn lost_by(&self, op: Operation, key: AnalysisKey) -> Option<&'static str> {
        self.by_operation.get(&op)?.lost.get(&key).copied()
    }

    /// The names of analyses that were computed since the last call.
    pub fn take_computed(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.computed)
    }
}
