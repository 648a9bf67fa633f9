//! Static time of a schedule: the duration of blocks if variable latencies take their typical time.
//!
//! This is an estimate for comparing schedules, never a proof: hazards come from
//! [`super::simulate`] alone. Each block is timed after its predecessors. The first iteration of a loop is timed
//! apart from the others: only it waits for what was in flight before the loop, the others for what the
//! iteration before them left.

use std::collections::BTreeMap;

use orison_ir::analyses::{Graph, Tree, immediate_dominators};
use orison_sass::control::{BarrierSet, ControlWord};
use orison_sass::function::{BlockIndex, Function};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::sass::facts::{Action, FunctionFacts};
use crate::sass::latency::{ClassId, LatencyModel, Mechanism, Queue};

/// Relative execution frequencies of blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frequencies {
    blocks: Vec<u64>,
    /// For each block, how often it is executed in a first iteration of the innermost loop around it, or outside
    /// of loops. Blocks without a number are always.
    first: Vec<u64>,
    /// The edges into loops, sorted.
    entries: Vec<(usize, usize)>,
}

/// Factor of a block's frequency for each enclosing loop.
const LOOP_FACTOR: u64 = 10;
/// Maximum loop depth that is distinguished.
const DEEPEST: u32 = 6;

impl Frequencies {
    /// Ten times the frequency for each loop around a block.
    pub fn of_loops(function: &Function<'_>) -> Frequencies {
        let Loops {
            depths, entries, ..
        } = Loops::new(function);
        let frequency = |depth: &u32| LOOP_FACTOR.saturating_pow((*depth).min(DEEPEST));
        let outside = |depth: &u32| frequency(&depth.saturating_sub(1));
        Frequencies {
            blocks: depths.iter().map(frequency).collect(),
            first: depths.iter().map(outside).collect(),
            entries,
        }
    }

    /// Given frequencies, one per block; blocks without one count once. How often loops are entered is not known:
    /// every iteration counts as a first one.
    pub fn given(frequencies: Vec<u64>) -> Frequencies {
        Frequencies {
            blocks: frequencies,
            first: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Those of the parts of the blocks: `first` has the first part of each, and at last the number of parts.
    pub(crate) fn of_parts(&self, first: &[usize]) -> Frequencies {
        let of_parts = |blocks: &[u64]| {
            let parts = first.windows(2).map(|parts| parts[1] - parts[0]);
            let frequencies = blocks.iter().zip(parts);
            let each = frequencies.flat_map(|(block, parts)| std::iter::repeat_n(*block, parts));
            each.collect()
        };
        let entries = self.entries.iter();
        let entries = entries.map(|(from, to)| (first[from + 1] - 1, first[*to]));
        Frequencies {
            blocks: of_parts(&self.blocks),
            first: of_parts(&self.first),
            entries: entries.collect(),
        }
    }

    /// The execution frequency of a block.
    pub fn of(&self, block: usize) -> u64 {
        self.blocks.get(block).copied().unwrap_or(1)
    }

    /// How often a block is executed in a first iteration of its loop, or outside of loops.
    pub(crate) fn first(&self, block: usize) -> u64 {
        let first = self.first.get(block).copied();
        first.unwrap_or(u64::MAX).min(self.of(block))
    }

    /// Whether an edge leads into a loop.
    fn enters(&self, from: usize, to: usize) -> bool {
        self.entries.binary_search(&(from, to)).is_ok()
    }
}

/// The natural loops of a function.
struct Loops {
    /// The depth of each block.
    depths: Vec<u32>,
    /// The edges from outside of a loop to its header, sorted.
    entries: Vec<(usize, usize)>,
    /// The blocks of each loop that has none inside, in order.
    innermost: Vec<Vec<BlockIndex>>,
}

/// The blocks of each innermost natural loop of a function, in order of their headers.
pub fn innermost_loops(function: &Function<'_>) -> Vec<Vec<BlockIndex>> {
    Loops::new(function).innermost
}

impl Loops {
    fn new(function: &Function<'_>) -> Loops {
        let count = function.blocks.len();
        let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let root = number(count);
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let callees = function.blocks.iter().filter_map(|block| block.callee);
        let entries = function.entries.iter().map(|entry| entry.block);
        edges.extend(entries.chain(callees).map(|block| (root, number(block))));
        for (from, block) in function.blocks.iter().enumerate() {
            let successors = block.successors.iter();
            edges.extend(successors.map(|edge| (number(from), number(edge.to))));
        }
        let graph = Graph::new(count + 1, &edges);
        let dominators = immediate_dominators(&graph, root);
        let reached = |node: u32| node == root || dominators[node as usize].is_some();
        let tree = Tree::new(dominators.clone());
        // By header. As sets: together they are as large as the loops, not as loops times blocks.
        let mut bodies: BTreeMap<u32, FxHashSet<u32>> = BTreeMap::new();
        for (from, to) in graph.edges() {
            if !(reached(from) && reached(to) && tree.contains(to, from)) {
                continue;
            }
            let body = bodies.entry(to).or_default();
            body.insert(to);
            let mut work = vec![from];
            while let Some(node) = work.pop() {
                if body.insert(node) {
                    let before = graph.predecessors(node).iter();
                    work.extend(before.filter(|node| reached(**node)));
                }
            }
        }
        let mut depths = vec![0; count];
        for block in bodies.values().flatten() {
            if let Some(depth) = depths.get_mut(*block as usize) {
                *depth += 1;
            }
        }
        let mut entries = Vec::new();
        for (from, block) in function.blocks.iter().enumerate() {
            let into = block.successors.iter().map(|edge| edge.to);
            entries.extend(into.filter_map(|to| {
                let body = bodies.get(&number(to))?;
                (!body.contains(&number(from))).then_some((from, to))
            }));
        }
        entries.sort_unstable();
        let inner = bodies.iter().filter(|(header, body)| {
            let inside = |block: &u32| block != *header && bodies.contains_key(block);
            !body.iter().any(inside)
        });
        let blocks = |body: &FxHashSet<u32>| {
            let blocks = body.iter().map(|block| *block as usize);
            let mut blocks: Vec<BlockIndex> = blocks.filter(|block| *block < count).collect();
            blocks.sort_unstable();
            blocks
        };
        let innermost = inner.map(|(_, body)| blocks(body)).collect();
        Loops {
            depths,
            entries,
            innermost,
        }
    }
}

/// The breakdown of cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StallBreakdown {
    /// One cycle per instruction, or per pair of instructions that issue in the same cycle.
    pub issue: u64,
    /// Additional cycles of stall counts.
    pub stalls: u64,
    /// Waiting for results through scoreboards.
    pub results: u64,
    /// Waiting for operands to be read.
    pub operands: u64,
    /// Waiting for groups: of products, of copies.
    pub groups: u64,
}

impl StallBreakdown {
    /// The sum.
    pub fn total(&self) -> u64 {
        self.issue + self.stalls + self.results + self.operands + self.groups
    }

    fn add(&mut self, other: &StallBreakdown, times: u64) {
        let scaled = |value: u64| value.saturating_mul(times);
        self.issue = self.issue.saturating_add(scaled(other.issue));
        self.stalls = self.stalls.saturating_add(scaled(other.stalls));
        self.results = self.results.saturating_add(scaled(other.results));
        self.operands = self.operands.saturating_add(scaled(other.operands));
        self.groups = self.groups.saturating_add(scaled(other.groups));
    }

    /// A fraction of each.
    fn divided(&self, by: u64) -> StallBreakdown {
        StallBreakdown {
            issue: self.issue / by,
            stalls: self.stalls / by,
            results: self.results / by,
            operands: self.operands / by,
            groups: self.groups / by,
        }
    }
}

/// The time of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BlockTiming {
    /// Cycles from its first issue to the issue after its last instruction, including the waits of
    /// the first.
    pub cycles: u64,
    /// Its relative execution frequency.
    pub frequency: u64,
    /// The breakdown of its cycles.
    pub breakdown: StallBreakdown,
    /// That of an iteration after the first of the loop around it; outside of loops the same.
    pub steady: StallBreakdown,
}

/// How an instruction issues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Issue {
    /// Cycles from the start of its block to its issue.
    pub cycle: u64,
    /// Its cycles: the waits before it, its issue, and its stall.
    pub breakdown: StallBreakdown,
    /// The scoreboards that it waited for: those that had not been released when it arrived.
    pub waited: BarrierSet,
    /// The scoreboards that may be armed afterwards.
    pub armed: BarrierSet,
    /// When its results are typically available, in cycles from the start of its block.
    pub completes: u64,
}

/// The time of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timing {
    /// The time of each block.
    pub blocks: Vec<BlockTiming>,
    /// Cycles of all blocks, weighted by frequency.
    pub cycles: u64,
    /// Their breakdown.
    pub breakdown: StallBreakdown,
    /// The most scoreboards that may be armed at an instruction.
    pub most_armed: u32,
    /// Scoreboards that may be armed, summed over the instructions where any is.
    pub armed: u64,
    /// Instructions at which any may be armed.
    pub armed_instructions: u64,
}

/// An event that a scoreboard waits for, and when it completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Ready {
    results: i64,
    operands: i64,
}

/// The completion of the last operation of each queue.
pub(crate) type Queues = SmallVec<[(Queue, i64); 4]>;

/// Maximum number of group ends that are told apart.
const GROUPS: usize = 64;

/// When things end, in cycles from the start of the block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Ends {
    boards: [Ready; 6],
    armed: BarrierSet,
    /// For each scoreboard, when the operations that last armed it for their results complete.
    arms: [Vec<i64>; 6],
    groups: Vec<i64>,
    queues: Queues,
    open_group: i64,
}

impl Ends {
    /// The same, counted from a later cycle.
    fn seen_from(&self, cycle: i64) -> Ends {
        let left = |end: i64| (end - cycle).max(0);
        Ends {
            boards: self.boards.map(|ready| Ready {
                results: left(ready.results),
                operands: left(ready.operands),
            }),
            armed: self.armed,
            arms: std::array::from_fn(|board| {
                self.arms[board].iter().map(|end| left(*end)).collect()
            }),
            groups: self.groups.iter().map(|end| left(*end)).collect(),
            queues: self
                .queues
                .iter()
                .map(|(queue, end)| (*queue, left(*end)))
                .collect(),
            open_group: left(self.open_group),
        }
    }

    /// The later end of each, of two paths.
    fn join(&mut self, other: &Ends) {
        for (mine, theirs) in self.boards.iter_mut().zip(other.boards) {
            mine.results = mine.results.max(theirs.results);
            mine.operands = mine.operands.max(theirs.operands);
        }
        self.armed = self.armed.union(other.armed);
        for (mine, theirs) in self.arms.iter_mut().zip(&other.arms) {
            join_counted(mine, theirs);
        }
        join_counted(&mut self.groups, &other.groups);
        join_queues(&mut self.queues, &other.queues);
        self.open_group = self.open_group.max(other.open_group);
    }
}

/// The later end of each entry, counted from the last; entries missing on one path have ended
/// there.
pub(crate) fn join_counted(mine: &mut Vec<i64>, theirs: &[i64]) {
    if theirs.is_empty() {
        return;
    }
    let missing = theirs.len().saturating_sub(mine.len());
    mine.splice(0..0, std::iter::repeat_n(0, missing));
    for (mine, theirs) in mine.iter_mut().rev().zip(theirs.iter().rev()) {
        *mine = (*mine).max(*theirs);
    }
}

/// The later end of each queue.
pub(crate) fn join_queues(mine: &mut Queues, theirs: &Queues) {
    for (queue, end) in theirs {
        let mine = queue_end(mine, *queue);
        *mine = (*mine).max(*end);
    }
}

/// The end of the last entry but so many; 0 if there are no more.
pub(crate) fn counted(ends: &[i64], left: usize) -> i64 {
    let end = ends.len().checked_sub(left.saturating_add(1));
    end.and_then(|index| ends.get(index)).copied().unwrap_or(0)
}

/// The cycle at which an operation that issues now has typically completed. `queues` are the completions
/// of the last operations of each queue: those with results occupy its unit one after another, and keep
/// their order.
pub(crate) fn completion(queues: &mut Queues, model: &LatencyModel, id: ClassId, now: i64) -> i64 {
    let class = model.class(id);
    let end = now + i64::from(class.typical);
    if let Some(queue) = class.result_queue {
        let last = queue_end(queues, queue);
        *last = end.max(*last + i64::from(model.issue_interval(id)));
        return *last;
    }
    let queue = class.operand_queue;
    queue.map_or(end, |queue| end.max(*queue_end(queues, queue)))
}

fn queue_end(queues: &mut Queues, queue: Queue) -> &mut i64 {
    let known = queues.iter().position(|found| found.0 == queue);
    let index = known.unwrap_or_else(|| {
        queues.push((queue, 0));
        queues.len() - 1
    });
    &mut queues[index].1
}

/// Times a function.
pub(crate) fn time(
    function: &Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    frequencies: &Frequencies,
) -> Timing {
    time_with(
        function,
        facts,
        model,
        frequencies,
        &control_words(function),
    )
}

/// Times a function as if it had these control words, one for each instruction.
pub(crate) fn time_with(
    function: &Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    frequencies: &Frequencies,
    words: &[ControlWord],
) -> Timing {
    Walk::new(function, facts, model, words).time(frequencies, None)
}

/// Times a function. `note` gets how each instruction issues, by its number in the function; one in a loop
/// twice, at last in an iteration after the first.
pub(in crate::sass) fn replay(
    function: &Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    frequencies: &Frequencies,
    mut note: impl FnMut(usize, &Issue),
) -> Timing {
    let words = control_words(function);
    Walk::new(function, facts, model, &words).time(frequencies, Some(&mut note))
}

fn control_words(function: &Function<'_>) -> Vec<ControlWord> {
    function.instructions().map(|found| found.control).collect()
}

/// Gets the number of an instruction and how it issues.
type Note<'n> = &'n mut dyn FnMut(usize, &Issue);

/// Walks over all blocks.
struct Walk<'a> {
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    words: &'a [ControlWord],
    predecessors: Vec<Vec<usize>>,
    /// So many ends of each scoreboard, and of groups, are told apart: no wait leaves more in flight.
    counted: [usize; 2],
    /// The last walk through each block.
    last: Vec<Option<Walked>>,
}

/// A walk through a block.
struct Walked {
    start: Ends,
    end: Ends,
    breakdown: StallBreakdown,
    armed: Armed,
}

/// Scoreboards that may be armed.
#[derive(Clone, Copy, Default)]
struct Armed {
    /// The most at an instruction.
    most: u32,
    /// Summed over instructions.
    sum: u64,
    /// Instructions at which any may be.
    instructions: u64,
}

impl<'a> Walk<'a> {
    fn new(
        function: &Function<'_>,
        facts: &'a FunctionFacts,
        model: &'a LatencyModel,
        words: &'a [ControlWord],
    ) -> Self {
        let mut counted = [0; 2];
        for number in 0..facts.len() {
            let (kind, left) = match facts.fact(number).action {
                Action::WaitScoreboard { left, .. } => (0, left),
                Action::WaitGroups { left } => (1, left),
                _ => continue,
            };
            let left = usize::try_from(left).unwrap_or(GROUPS);
            counted[kind] = left.saturating_add(1).clamp(counted[kind], GROUPS);
        }
        Walk {
            facts,
            model,
            words,
            predecessors: function.predecessors(),
            counted,
            last: (0..function.blocks.len()).map(|_| None).collect(),
        }
    }

    fn time(mut self, frequencies: &Frequencies, mut note: Option<Note<'_>>) -> Timing {
        let mut timing = Timing {
            blocks: vec![BlockTiming::default(); self.last.len()],
            ..Timing::default()
        };
        let repeats = |block| frequencies.first(block) < frequencies.of(block);
        let first = self.times(|_, _| true, |_| true, &mut note);
        for armed in self.last.iter().flatten().map(|walked| walked.armed) {
            timing.most_armed = timing.most_armed.max(armed.most);
            timing.armed += armed.sum;
            timing.armed_instructions += armed.instructions;
        }
        let later = match frequencies.entries.is_empty() {
            true => first.clone(),
            false => self.times(|from, to| !frequencies.enters(from, to), repeats, &mut note),
        };
        for (number, block) in timing.blocks.iter_mut().enumerate() {
            block.frequency = frequencies.of(number);
            let entered = frequencies.first(number);
            block.steady = match repeats(number) {
                true => later[number],
                false => first[number],
            };
            let mut all = StallBreakdown::default();
            all.add(&first[number], entered);
            all.add(&later[number], block.frequency - entered);
            timing.breakdown.add(&all, 1);
            block.breakdown = all.divided(block.frequency.max(1));
            block.cycles = block.breakdown.total();
        }
        timing.cycles = timing.breakdown.total();
        timing
    }

    /// The time of each block after those of its predecessors that `follows` says. `note` gets how the instructions
    /// of the blocks that `notes` says issue.
    ///
    /// The second pass knows what loops leave in flight. Where an iteration waits for the one before, it waits
    /// longer the shorter that was, so that long and short ones alternate: the time is the mean of two. A block
    /// in front of which nothing has changed is not walked again.
    fn times(
        &mut self,
        follows: impl Fn(usize, usize) -> bool,
        notes: impl Fn(usize) -> bool,
        note: &mut Option<Note<'_>>,
    ) -> Vec<StallBreakdown> {
        let blocks = self.last.len();
        let mut times = vec![StallBreakdown::default(); blocks];
        let mut is_walked = vec![false; blocks];
        for pass in 0..3 {
            for block in 0..blocks {
                let mut start = Ends::default();
                let before = self.predecessors[block].iter();
                for from in before.filter(|from| is_walked[**from] && follows(**from, block)) {
                    if let Some(walked) = &self.last[*from] {
                        start.join(&walked.end);
                    }
                }
                let wanted = note.as_mut().filter(|_| pass == 2 && notes(block));
                let same = self.last[block].take().filter(|last| last.start == start);
                let walked = match (same, wanted) {
                    (Some(same), None) => same,
                    (_, None) => self.walk(block, start, |_, _| {}),
                    (_, Some(note)) => self.walk(block, start, note),
                };
                if pass > 0 {
                    times[block].add(&walked.breakdown, 1);
                }
                self.last[block] = Some(walked);
                is_walked[block] = true;
            }
        }
        times.iter().map(|time| time.divided(2)).collect()
    }

    fn walk(&self, block: BlockIndex, start: Ends, mut note: impl FnMut(usize, &Issue)) -> Walked {
        let mut clock = Clock {
            model: self.model,
            facts: self.facts,
            counted: self.counted,
            now: 0,
            ends: start.clone(),
            breakdown: StallBreakdown::default(),
        };
        let mut armed = Armed::default();
        for number in self.facts.block(block) {
            let issue = clock.issue(number, &self.words[number]);
            let count = issue.armed.mask().count_ones();
            armed.most = armed.most.max(count);
            armed.sum += u64::from(count);
            armed.instructions += u64::from(count > 0);
            note(number, &issue);
        }
        Walked {
            start,
            end: clock.ends.seen_from(clock.now),
            breakdown: clock.breakdown,
            armed,
        }
    }
}

/// The place of a walk in a block.
struct Clock<'a> {
    model: &'a LatencyModel,
    facts: &'a FunctionFacts,
    counted: [usize; 2],
    now: i64,
    ends: Ends,
    breakdown: StallBreakdown,
}

impl Clock<'_> {
    fn issue(&mut self, number: usize, control: &ControlWord) -> Issue {
        let mut issue = Issue::default();
        self.wait(control, &mut issue);
        let fact = self.facts.fact(number);
        self.act(fact.action, &mut issue);
        issue.cycle = cycles(self.now);
        let (class, closes) = (
            fact.class,
            fact.action == (Action::Product { closes: true }),
        );
        issue.completes = cycles(self.start(class, control, closes));
        issue.armed = self.ends.armed;
        let taken = match control.stall.cycles() {
            0 if self.model.is_paired(control) => 0,
            0 => 1,
            taken => u64::from(taken),
        };
        issue.breakdown.issue = taken.min(1);
        issue.breakdown.stalls = taken - issue.breakdown.issue;
        self.breakdown.add(&issue.breakdown, 1);
        self.now += i64::try_from(taken).unwrap_or(0);
        issue
    }

    fn wait(&mut self, control: &ControlWord, issue: &mut Issue) {
        let (mut results, mut operands) = (self.now, self.now);
        for barrier in control.wait.iter() {
            let ready = self.ends.boards[usize::from(barrier.index())];
            if ready.results.max(ready.operands) > self.now {
                issue.waited.insert(barrier);
            }
            results = results.max(ready.results);
            operands = operands.max(ready.operands);
            self.ends.armed.remove(barrier);
        }
        if results >= operands {
            issue.breakdown.results = cycles(results - self.now);
        } else {
            issue.breakdown.operands = cycles(operands - self.now);
        }
        self.now = self.now.max(results).max(operands);
    }

    fn act(&mut self, action: Action, issue: &mut Issue) {
        let (ends, left, barrier) = match action {
            Action::WaitGroups { left } => (&self.ends.groups, left, None),
            Action::WaitScoreboard { barrier, left, .. } => {
                let ends = &self.ends.arms[usize::from(barrier.index())];
                (ends, left, Some(barrier))
            }
            _ => return,
        };
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let end = counted(ends, left);
        if end > self.now {
            issue.waited = issue.waited.union(barrier.into_iter().collect());
        }
        issue.breakdown.groups = cycles(end - self.now);
        self.now = self.now.max(end);
    }

    /// Starts an operation, and returns when it has typically completed.
    fn start(&mut self, class: ClassId, control: &ControlWord, closes: bool) -> i64 {
        let end = completion(&mut self.ends.queues, self.model, class, self.now);
        let class = self.model.class(class);
        if class.mechanism == Mechanism::TensorGroup {
            self.ends.open_group = self.ends.open_group.max(end);
            if closes {
                remember(&mut self.ends.groups, self.ends.open_group, self.counted[1]);
            }
        }
        let operands = self.now + i64::from(class.operands_after);
        if let Some(barrier) = control.write_barrier {
            let ready = &mut self.ends.boards[usize::from(barrier.index())];
            ready.results = ready.results.max(end);
            self.ends.armed.insert(barrier);
            let arms = &mut self.ends.arms[usize::from(barrier.index())];
            remember(arms, end, self.counted[0]);
        }
        if let Some(barrier) = control.read_barrier {
            let ready = &mut self.ends.boards[usize::from(barrier.index())];
            ready.operands = ready.operands.max(operands);
            self.ends.armed.insert(barrier);
        }
        end
    }
}

/// Adds an end, of which so many are counted.
fn remember(ends: &mut Vec<i64>, end: i64, counted: usize) {
    if counted == 0 {
        return;
    }
    if ends.len() >= counted {
        ends.remove(0);
    }
    ends.push(end);
}

fn cycles(difference: i64) -> u64 {
    u64::try_from(difference).unwrap_or(0)
}
