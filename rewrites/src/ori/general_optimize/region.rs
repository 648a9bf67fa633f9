//! One block: its windows are read, saturated, extracted and emitted; then the whole block is
//! compared.
//!
//! Nothing is replaced until the block is known to be cheaper. Until then, emitted operations are
//! inserted next to the old ones, which still define and use all values; if a window or the block
//! is not cheaper, they are erased again.

use std::ops::Range;

use egg::Id;
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cost::{Registers, Source, of_line, source};
use super::emit::{Emitter, Setting, take_back};
use super::extract::Extraction;
use super::facts::Graph;
use super::locations::{Created, Replacement};
use super::machine::Prices;
use super::read::Reader;
use super::rules::PatternRule;
use super::saturate::{Bound, History, Limits, Permission, saturate};
use super::term::Term;
use super::work_budget::{Budget, Work};

/// The configuration shared by all blocks.
pub struct Job<'j> {
    /// The pattern rules.
    pub rules: &'j [PatternRule],
    /// The limits of a graph.
    pub limits: Limits,
    /// The maximum number of operations in a window.
    pub window: usize,
    /// The work budget of all windows.
    pub budget: &'j Budget,
    /// The target version.
    pub target: u32,
    /// The costs of operators on the target.
    pub prices: Prices,
    /// Products and sums of floats may be contracted.
    pub contracts: bool,
    /// Which rules may be used at an operation, by rule index.
    pub allowed: &'j dyn Fn(&Context, Operation, usize) -> bool,
    /// Whether a match of a rule is applied, by rule index: debug counters.
    pub admits: &'j dyn Fn(usize) -> bool,
    /// Whether a window that became cheaper is replaced; called once per window, because it
    /// consumes fuel.
    pub replaces: &'j dyn Fn() -> bool,
}

/// Statistics of a block.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Saturated graphs.
    pub graphs: u64,
    /// Graphs that reached the iteration limit.
    pub at_iterations: u64,
    /// Graphs that reached the term limit.
    pub at_terms: u64,
    /// Graphs that reached the work limit, during saturation or extraction.
    pub at_work: u64,
    /// Units of work done.
    pub work: u64,
    /// By rule index: how often it found something new, how many of its terms are in the result,
    /// and the cost saved.
    pub rules: Vec<[u64; 3]>,
    /// Whether the IR changed.
    pub changed: bool,
}

/// A block being rewritten.
struct Rewriting<'c, 'j> {
    context: &'c mut Context,
    job: &'j Job<'j>,
    block: Block,
    ops: Vec<Operation>,
    /// Indices of the operations that define values.
    places: FxHashMap<Value, usize>,
    numbers: FxHashMap<Operation, usize>,
    /// Values that operations of the block read: users of a value may include operations elsewhere.
    reads: FxHashSet<Value>,
    replaced: FxHashMap<Value, Value>,
    /// Operations of windows that were replaced.
    gone: FxHashSet<Operation>,
    /// Created operations, with the index of the operation that each precedes.
    created: Vec<(usize, Operation)>,
    report: Report,
}

fn is_uniform(context: &Context, value: Value) -> bool {
    Register::of(context, value.ty(context)).is_some_and(Register::is_uniform)
}

/// The input of a window.
struct Read {
    /// The indices of its operations.
    window: Range<usize>,
    /// The operations that are terms.
    absorbed: FxHashSet<Operation>,
    /// The required values, each with the index of the operation that first needs it.
    roots: Vec<(usize, Value)>,
    /// The classes of all results of terms.
    values: Vec<(Value, Id)>,
    /// The values of leaves, by index.
    leaves: Vec<Value>,
    /// The terms before saturation, with their classes.
    program: Vec<(Id, Term)>,
}

/// The output of a window.
struct Written {
    /// The created operations, with the index of the operation that each precedes.
    created: Vec<(usize, Created)>,
    replaced: Vec<(Value, Value)>,
    /// The classes of created values.
    classes: FxHashMap<Value, Id>,
}

impl Written {
    fn operations(&self) -> impl DoubleEndedIterator<Item = (usize, Operation)> {
        self.created.iter().map(|(number, made)| (*number, made.op))
    }
}

/// Rewrites a block if that makes it cheaper.
pub fn optimize(context: &mut Context, block: Block, job: &Job<'_>) -> Report {
    let ops: Vec<Operation> = block.operations(context).collect();
    let mut places = FxHashMap::default();
    let mut numbers = FxHashMap::default();
    let mut reads = FxHashSet::default();
    for (number, op) in ops.iter().enumerate() {
        numbers.insert(*op, number);
        reads.extend(op.operands(context));
        for result in op.results(context) {
            places.insert(result, number);
        }
    }
    let mut rewriting = Rewriting {
        context,
        job,
        block,
        ops,
        places,
        numbers,
        reads,
        replaced: FxHashMap::default(),
        gone: FxHashSet::default(),
        created: Vec::new(),
        report: Report {
            rules: vec![[0; 3]; job.rules.len() + super::saturate::CODE_RULES.len()],
            ..Report::default()
        },
    };
    rewriting.windows();
    rewriting.finish()
}

impl Rewriting<'_, '_> {
    /// Cuts the block into windows with a limited number of operations that may be terms.
    fn windows(&mut self) {
        let (mut start, mut size) = (0, 0);
        for end in 0..self.ops.len() {
            size += usize::from(Reader::is_candidate(self.context, self.ops[end]));
            if size >= self.job.window {
                self.window(start, end + 1);
                (start, size) = (end + 1, 0);
            }
        }
        if start < self.ops.len() {
            self.window(start, self.ops.len());
        }
    }

    /// Reads, saturates, extracts and emits the operations of an index range, within the work
    /// budget.
    fn window(&mut self, start: usize, end: usize) {
        let Some((mut graph, read)) = self.read(start, end) else {
            return;
        };
        let allowed = self.job.budget.open(end - start);
        // Some work is reserved for extraction.
        graph.analysis.work = Work::limited(allowed / 4 * 3);
        let (job, context) = (self.job, &*self.context);
        let first = self.ops[start];
        let may_use = |number: usize| (job.allowed)(context, first, number);
        let permission = Permission {
            allowed: &may_use,
            admits: job.admits,
        };
        let history = saturate(&mut graph, job.rules, job.limits, &permission);
        self.count(&history);
        graph.analysis.work.allow(allowed);
        if !graph.analysis.contradiction {
            self.choose(&graph, &history, &read);
        }
        let work = &graph.analysis.work;
        self.job.budget.close(work.spent());
        let at_work = history.bound == Some(Bound::Work) || work.is_spent();
        self.report.at_work += u64::from(at_work);
        self.report.work += work.spent();
    }

    /// Makes terms of operations; `None` if none of them may be terms.
    fn read(&self, start: usize, end: usize) -> Option<(Graph, Read)> {
        let usable = |value: Value| self.is_usable(value);
        let mut reader = Reader::new(self.context, self.job.contracts, &usable);
        let mut absorbed: FxHashSet<Operation> = FxHashSet::default();
        for op in &self.ops[start..end] {
            if reader.absorb(*op) {
                absorbed.insert(*op);
            }
        }
        if absorbed.is_empty() {
            return None;
        }
        let values = self.ops[start..end]
            .iter()
            .filter(|op| absorbed.contains(op))
            .flat_map(|op| op.results(self.context))
            .filter_map(|value| Some((value, reader.class(value)?)))
            .collect();
        let read = Read {
            window: start..end,
            roots: self.roots(start, end, &absorbed),
            absorbed,
            values,
            leaves: std::mem::take(&mut reader.leaves),
            program: graph_terms(&reader.graph),
        };
        Some((reader.graph, read))
    }

    /// Chooses terms for the required values of a window, emits them, and keeps them if they are
    /// cheaper.
    fn choose(&mut self, graph: &Graph, history: &History, read: &Read) {
        let values: FxHashMap<Value, Id> = read.values.iter().copied().collect();
        let classes: Vec<Id> = read
            .roots
            .iter()
            .filter_map(|(_, value)| values.get(value).copied())
            .collect();
        let now = |value: Value| self.replaced.get(&value).copied().unwrap_or(value);
        let sources: Vec<Source> = read
            .leaves
            .iter()
            .map(|v| source(self.context, now(*v)))
            .collect();
        let mut extraction = Extraction::new(graph, &sources, &self.job.prices);
        let computed: FxHashSet<Id> = values.values().map(|class| graph.find(*class)).collect();
        let has_twice = computed.len() < values.len();
        let Some((_, choice)) = extraction.best(&classes, &read.program, has_twice) else {
            return;
        };
        let needed = extraction.needed(&choice, &classes);
        let rules = self.job.rules;
        let used = || rules_of(graph, rules, history, &needed, &read.program);
        let uniform: FxHashSet<Id> = read
            .values
            .iter()
            .filter(|(value, _)| is_uniform(self.context, *value))
            .map(|(_, class)| graph.find(*class))
            .collect();
        let setting = Setting {
            graph,
            extraction: &extraction,
            choice: &choice,
            leaves: &read.leaves,
            replaced: &self.replaced,
            places: &self.places,
            reads: &self.reads,
            block: self.block,
            target: self.job.target,
            uniform: &uniform,
        };
        let first = self.ops[read.window.start];
        let emitter = Emitter::new(self.context, &setting, first, &needed);
        match write(emitter, &self.ops, &read.roots, &values) {
            Ok(mut written) => {
                let old = values
                    .iter()
                    .map(|(value, class)| (*value, graph.find(*class)));
                written.classes.extend(old);
                self.judge(read, written, &used);
            }
            Err(created) => take_back(self.context, created.into_iter().map(|made| made.op)),
        }
    }

    /// Whether a value from outside the window is in a register anyway: one of this block, unless
    /// its window was replaced; one of another block, if an operation here reads it or it needs no
    /// register.
    fn is_usable(&self, value: Value) -> bool {
        let context = &*self.context;
        let Some(number) = self.places.get(&value) else {
            return source(context, value) != Source::Register || self.reads.contains(&value);
        };
        !self.gone.contains(&self.ops[*number]) || self.replaced.contains_key(&value)
    }

    /// Whether an operation is in another block. Operations created here have no index, but are in
    /// this block.
    fn is_elsewhere(&self, user: Operation) -> bool {
        user.block(self.context) != Some(self.block)
    }

    /// Whether an operation is in another block, or in this one after a window.
    fn is_behind(&self, user: Operation, end: usize) -> bool {
        self.is_elsewhere(user) || self.numbers.get(&user).is_some_and(|number| *number >= end)
    }

    /// Values of the window with users other than its terms, with the index where each is first
    /// needed, in order, each once.
    fn roots(
        &self,
        start: usize,
        end: usize,
        absorbed: &FxHashSet<Operation>,
    ) -> Vec<(usize, Value)> {
        let context = &*self.context;
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut roots = Vec::new();
        let is_ours = |value: Value| {
            value
                .defining_op(context)
                .is_some_and(|op| absorbed.contains(&op))
        };
        for number in start..end {
            let op = self.ops[number];
            if absorbed.contains(&op) {
                continue;
            }
            for value in op.operands(context) {
                if is_ours(value) && seen.insert(value) {
                    roots.push((number, value));
                }
            }
        }
        // Values that live on are computed at the end of the window; in the last one, before the
        // branch.
        let last = if end == self.ops.len() { end - 1 } else { end };
        for op in &self.ops[start..end] {
            if !absorbed.contains(op) {
                continue;
            }
            for value in op.results(context) {
                let lives_on = value.users(context).any(|user| self.is_behind(user, end));
                if lives_on && seen.insert(value) {
                    roots.push((last, value));
                }
            }
        }
        roots
    }

    fn count(&mut self, history: &History) {
        self.report.graphs += 1;
        self.report.at_iterations += u64::from(history.bound == Some(Bound::Iterations));
        self.report.at_terms += u64::from(history.bound == Some(Bound::Terms));
        for (total, fired) in self.report.rules.iter_mut().zip(&history.fired) {
            total[0] += fired;
        }
    }

    /// Keeps the emitted operations if the window is cheaper with them, else erases them.
    fn judge(&mut self, read: &Read, written: Written, used: &dyn Fn() -> Vec<usize>) {
        let Read {
            window: Range { start, end },
            absorbed,
            ..
        } = read;
        let (start, end) = (*start, *end);
        let context = &*self.context;
        let old = |value: Value| self.replaced.get(&value).copied().unwrap_or(value);
        let added: FxHashMap<Value, Value> = written.replaced.iter().copied().collect();
        let new = |value: Value| added.get(&value).copied().unwrap_or_else(|| old(value));
        let window = &self.ops[start..end];
        let lives_on = |value: &Value| value.users(context).any(|user| self.is_behind(user, end));
        let results = window.iter().flat_map(|op| op.results(context));
        let stays: Vec<Value> = results.filter(lives_on).collect();
        let stay = |now: &dyn Fn(Value) -> Value| -> FxHashSet<Value> {
            stays.iter().map(|value| now(*value)).collect()
        };
        let kept =
            |number: usize| (!absorbed.contains(&self.ops[number])).then_some(self.ops[number]);
        let created: Vec<(usize, Operation)> = written.operations().collect();
        let after_ops = merged(start..end, &created, kept);
        let all = [Registers::All];
        let [before] = of_line(context, window, &old, &stay(&old), all);
        let [after] = of_line(context, &after_ops, &new, &stay(&new), all);
        if after >= before || !(self.job.replaces)() {
            return take_back(self.context, created.into_iter().map(|(_, op)| op));
        }
        share(&mut self.report.rules, &used(), before - after);
        let gone = window.iter().filter(|op| absorbed.contains(op));
        let replacement = Replacement {
            old: &gone.copied().collect::<Vec<_>>(),
            created: &written
                .created
                .iter()
                .map(|(_, made)| *made)
                .collect::<Vec<_>>(),
            classes: &written.classes,
            replaced: &self.replaced,
        };
        replacement.inherit(self.context);
        self.gone.extend(absorbed);
        self.created.extend(created);
        self.replaced.extend(written.replaced);
    }

    /// Compares the block before and after, and commits or reverts the change.
    fn finish(mut self) -> Report {
        if self.created.is_empty() && self.replaced.is_empty() {
            return self.report;
        }
        let context = &*self.context;
        let now = |value: Value| self.replaced.get(&value).copied().unwrap_or(value);
        let lives_on = |value: &Value| value.users(context).any(|user| self.is_elsewhere(user));
        let results = self.ops.iter().flat_map(|op| op.results(context));
        let stays: Vec<Value> = results.filter(lives_on).collect();
        let as_is: FxHashSet<Value> = stays.iter().copied().collect();
        let dead = self.dead();
        let kept = |number: usize| (!dead.contains(&self.ops[number])).then_some(self.ops[number]);
        let line = merged(0..self.ops.len(), &self.created, kept);
        let as_will_be: FxHashSet<Value> = stays.iter().map(|value| now(*value)).collect();
        let both = [Registers::Own, Registers::All];
        let before = of_line(context, &self.ops, &|value| value, &as_is, both);
        let after = of_line(context, &line, &now, &as_will_be, both);
        if after[0] >= before[0] || after[1] > before[1] {
            take_back(self.context, self.created.into_iter().map(|(_, op)| op));
            return self.report;
        }
        self.report.changed = true;
        self.replace(&dead);
        self.report
    }

    /// Operations that become unused once values are replaced, last first.
    fn dead(&self) -> FxHashSet<Operation> {
        let context = &*self.context;
        let mut needed: FxHashSet<Value> = FxHashSet::default();
        let now = |value: Value| self.replaced.get(&value).copied().unwrap_or(value);
        let created = self.created.iter().map(|(_, op)| *op);
        for op in created {
            needed.extend(op.operands(context));
        }
        let mut dead = FxHashSet::default();
        for op in self.ops.iter().rev() {
            let is_used = op.results(context).any(|result| {
                let replaced = now(result) != result;
                needed.contains(&result)
                    || !replaced && result.users(context).any(|user| self.is_elsewhere(user))
            });
            if !is_used && Reader::is_candidate(context, *op) {
                dead.insert(*op);
            } else {
                needed.extend(op.operands(context).map(now));
            }
        }
        dead
    }

    fn replace(&mut self, dead: &FxHashSet<Operation>) {
        for op in &self.ops {
            let results: Vec<Value> = op.results(self.context).collect();
            for result in results {
                if let Some(new) = self.replaced.get(&result) {
                    result.replace_all_uses_with(self.context, *new);
                }
            }
        }
        for op in self.ops.iter().rev() {
            if dead.contains(op) && op.is_unused(self.context) {
                op.erase(self.context);
            }
        }
    }
}

/// Remaining and new operations in their final order.
fn merged(
    numbers: std::ops::Range<usize>,
    created: &[(usize, Operation)],
    kept: impl Fn(usize) -> Option<Operation>,
) -> Vec<Operation> {
    let mut line = Vec::new();
    let mut created = created.iter().peekable();
    for number in numbers {
        while let Some((_, op)) = created.next_if(|(place, _)| *place <= number) {
            line.push(*op);
        }
        line.extend(kept(number));
    }
    line.extend(created.map(|(_, op)| *op));
    line
}

/// The terms of a graph before any change, with their classes.
fn graph_terms(graph: &Graph) -> Vec<(Id, Term)> {
    let nodes = graph.nodes().iter().enumerate();
    let operators = nodes.filter(|(_, term)| !term.is_atom());
    operators
        .map(|(place, term)| (Id::from(place), term.clone()))
        .collect()
}

/// The rules responsible for newly computed terms: those that created them, or found that an
/// existing term is equal to a required value.
fn rules_of(
    graph: &Graph,
    rules: &[PatternRule],
    history: &History,
    needed: &[(Id, &Term)],
    program: &[(Id, Term)],
) -> Vec<usize> {
    use egg::Language;
    // Rules that only move operands are rarely the reason.
    let counts = |number: usize| rules.get(number).is_none_or(|rule| !rule.only_moves());
    let makers = history.makers(graph, &counts);
    let mergers = history.mergers(graph, &counts);
    let known: FxHashSet<Term> = program
        .iter()
        .map(|(_, term)| term.clone().map_children(|child| graph.find(child)))
        .collect();
    let mut had: FxHashMap<Id, FxHashSet<&Term>> = FxHashMap::default();
    for (class, _) in program {
        let class = graph.find(*class);
        let terms = graph[class]
            .nodes
            .iter()
            .filter(|term| known.contains(*term));
        had.entry(class).or_insert_with(|| terms.collect());
    }
    let mut used = Vec::new();
    for (class, term) in needed {
        let term = (*term).clone().map_children(|child| graph.find(child));
        if !known.contains(&term) {
            used.extend(makers.get(&term).or_else(|| mergers.get(class)).copied());
        } else if had.get(class).is_some_and(|terms| terms.len() > 1) {
            used.extend(mergers.get(class).copied());
        }
    }
    used
}

/// Counts the rules responsible for a change and divides the savings evenly among them.
fn share(totals: &mut [[u64; 3]], used: &[usize], saved: u64) {
    let count = used.len() as u64;
    for (place, rule) in used.iter().enumerate() {
        let rest = u64::from((place as u64) < saved % count);
        totals[*rule][1] += 1;
        totals[*rule][2] += saved / count + rest;
    }
}

/// Emits the terms that the roots need, each before the operation that needs it.
fn write(
    mut emitter: Emitter<'_, '_>,
    ops: &[Operation],
    roots: &[(usize, Value)],
    classes: &FxHashMap<Value, Id>,
) -> Result<Written, Vec<Created>> {
    let mut written = Written {
        created: Vec::new(),
        replaced: Vec::new(),
        classes: FxHashMap::default(),
    };
    for (number, value) in roots {
        emitter.move_to(ops[*number], *number);
        let before = emitter.created.len();
        let new = match classes.get(value) {
            Some(class) => emitter.value_like(*class, *value),
            None => Ok(*value),
        };
        let Ok(new) = new else {
            return Err(emitter.created);
        };
        written.replaced.push((*value, new));
        let created = &emitter.created[before..];
        written
            .created
            .extend(created.iter().map(|made| (*number, *made)));
    }
    written.classes = emitter.classes;
    Ok(written)
}
