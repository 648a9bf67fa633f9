//! What is in flight at a point, and how this follows from what is in flight at the entry.

use std::rc::Rc;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Block, Context, Operation};
use rustc_hash::FxHashMap;

use super::ages::{Ages, OLDEST};
use super::shared_set::SharedSet;
use super::{Role, role};

/// A product in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InFlight {
    /// The number of the product, in the order of the text.
    pub product: u32,
    /// The groups that it may be in.
    pub ages: Ages,
}

/// The products in flight at a point, by the ages of their groups.
///
/// Commits and waits act on all products of an age alike, so that none is looked at; and what does
/// not differ between points is in memory once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flights {
    by_age: [SharedSet; OLDEST as usize + 1],
}

impl Flights {
    /// The products, by number.
    pub fn iter(&self) -> impl Iterator<Item = InFlight> + '_ {
        let all: Vec<u32> = self.all().iter().collect();
        all.into_iter().map(|product| InFlight {
            product,
            ages: self.ages(product),
        })
    }

    /// Whether no product is in flight.
    pub fn is_empty(&self) -> bool {
        self.by_age.iter().all(SharedSet::is_empty)
    }

    /// The products in flight.
    pub fn all(&self) -> SharedSet {
        union(&self.by_age)
    }

    /// The products whose group may be open.
    pub fn open(&self) -> &SharedSet {
        &self.by_age[0]
    }

    /// The groups that a product may be in; empty if it is not in flight.
    pub fn ages(&self, product: u32) -> Ages {
        let ages = (0..).zip(&self.by_age);
        let ages = ages.filter(|(_, products)| products.contains(product));
        ages.map(|(age, _)| age).collect()
    }

    /// The products that a wait for all but `left` groups completes on some path.
    pub fn reached(&self, left: u32) -> SharedSet {
        union(&self.by_age[kept(left)..])
    }

    /// The products that a wait for all but `left` groups completes on all paths.
    pub fn completed(&self, left: u32) -> SharedSet {
        let mut completed = self.reached(left);
        for younger in &self.by_age[..kept(left)] {
            completed.remove(younger);
        }
        completed
    }

    /// The greatest number of groups that may be in flight, the open one included.
    pub fn depth(&self) -> u32 {
        let ages = (1..).zip(&self.by_age);
        let ages = ages.filter(|(_, products)| !products.is_empty());
        ages.map(|(depth, _)| depth).last().unwrap_or(0)
    }

    /// A product is issued, to the open group. One of an earlier iteration completes before it, in
    /// order.
    pub fn issue(&mut self, product: u32) {
        self.by_age[0].insert(product);
    }

    /// The open group is closed.
    pub fn commit(&mut self) {
        let [.., last, oldest] = &mut self.by_age;
        oldest.add(last);
        *last = std::mem::take(oldest);
        self.by_age.rotate_right(1);
    }

    /// All groups complete but the open one and the last `left` closed ones.
    pub fn wait(&mut self, left: u32) {
        self.by_age[kept(left)..].fill(SharedSet::default());
    }

    /// Nothing is in flight any more.
    pub fn clear(&mut self) {
        self.by_age.fill(SharedSet::default());
    }

    /// Any number of groups may be closed and complete.
    pub fn age(&mut self) {
        for age in 1..self.by_age.len() {
            let (younger, older) = self.by_age.split_at_mut(age);
            older[0].add(&younger[age - 1]);
        }
    }

    /// Adds what may be in flight on another path; whether this changed anything.
    pub fn merge(&mut self, other: &Flights) -> bool {
        let mut changed = false;
        for (own, other) in self.by_age.iter_mut().zip(&other.by_age) {
            changed |= own.add(other);
        }
        changed
    }

    /// The effect of an operation with a role.
    fn apply(&mut self, role: Role, product: Option<u32>) {
        match role {
            Role::Product => product.into_iter().for_each(|product| self.issue(product)),
            Role::Arrive => {}
            Role::Commit => self.commit(),
            Role::Wait(left) => self.wait(left),
            Role::Call => self.age(),
        }
    }
}

/// The number of ages that a wait leaves.
fn kept(left: u32) -> usize {
    left.min(OLDEST) as usize + 1
}

fn union(sets: &[SharedSet]) -> SharedSet {
    let mut all = SharedSet::default();
    for set in sets {
        all.add(set);
    }
    all
}

/// The products in flight at each point of a function.
#[derive(Clone, Debug, Default)]
pub struct FlightFlow {
    number: FxHashMap<Operation, u32>,
    /// At the beginning of each block; shared while blocks do not change it.
    entry: Vec<Rc<Flights>>,
}

impl FlightFlow {
    /// Computes the products in flight, as the numbers that they are given. Products with the same
    /// number are not told apart; those without number are left out.
    ///
    /// Each block is visited when what enters it changes, at most nine times for each product and
    /// loop around it; a visit is linear in the operations of the block.
    pub fn of(
        context: &Context,
        flow: &ControlFlowGraph,
        number: FxHashMap<Operation, u32>,
    ) -> Self {
        let mut solution = FlightFlow {
            entry: vec![Rc::default(); flow.block_count()],
            number,
        };
        let acting = flow.blocks().iter().map(|block| {
            let all = block.operations(context);
            let all = all.filter_map(|op| Some((role(context, op)?, solution.number(op))));
            all.collect()
        });
        let acting: Vec<Vec<(Role, Option<u32>)>> = acting.collect();
        if !solution.number.is_empty() {
            solution.solve(flow, &acting);
        }
        solution
    }

    fn solve(&mut self, flow: &ControlFlowGraph, acting: &[Vec<(Role, Option<u32>)>]) {
        let mut waiting = vec![true; flow.block_count()];
        let mut again = true;
        while again {
            again = false;
            for &block in flow.reverse_post_order() {
                if !std::mem::take(&mut waiting[block as usize]) {
                    continue;
                }
                let mut state = Rc::clone(&self.entry[block as usize]);
                for (role, product) in &acting[block as usize] {
                    Rc::make_mut(&mut state).apply(*role, *product);
                }
                for &next in flow.successors(block) {
                    if self.enter(next, &state) {
                        waiting[next as usize] = true;
                        again |= flow.position(next) <= flow.position(block);
                    }
                }
            }
        }
    }

    /// Adds a state to the entry of a block; whether it changed.
    fn enter(&mut self, block: u32, state: &Rc<Flights>) -> bool {
        let entry = &mut self.entry[block as usize];
        if state.is_empty() || Rc::ptr_eq(entry, state) {
            return false;
        }
        if entry.is_empty() {
            *entry = Rc::clone(state);
            return true;
        }
        Rc::make_mut(entry).merge(state)
    }

    /// The number of a product.
    pub fn number(&self, op: Operation) -> Option<u32> {
        self.number.get(&op).copied()
    }

    /// The products in flight at the beginning of a block.
    pub fn at_start(&self, block: u32) -> &Flights {
        &self.entry[block as usize]
    }

    /// Reports the products in flight before each operation of a block, and then (without an
    /// operation) at its end. Linear in the operations.
    pub fn walk(
        &self,
        context: &Context,
        flow: &ControlFlowGraph,
        block: u32,
        mut tell: impl FnMut(Option<Operation>, &Flights),
    ) {
        let handle: Block = flow.block(block);
        let mut state = self.at_start(block).clone();
        for op in handle.operations(context) {
            tell(Some(op), &state);
            if let Some(role) = role(context, op) {
                state.apply(role, self.number(op));
            }
        }
        tell(None, &state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(products: &[&[u32]]) -> Flights {
        let mut flights = Flights::default();
        for (product, ages) in (0..).zip(products) {
            for age in *ages {
                flights.by_age[*age as usize].insert(product);
            }
        }
        flights
    }

    fn after(products: &[&[u32]], act: impl Fn(&mut Flights)) -> Flights {
        let mut flights = of(products);
        act(&mut flights);
        flights
    }

    #[test]
    fn commits_age_and_waits_complete() {
        assert_eq!(
            after(&[&[0], &[0, 8]], Flights::commit),
            of(&[&[1], &[1, 8]])
        );
        assert_eq!(after(&[&[7, 8], &[7]], Flights::commit), of(&[&[8], &[8]]));
        assert!(after(&[&[1]], |all| all.wait(0)).is_empty());
        assert_eq!(after(&[&[1, 2]], |all| all.wait(1)), of(&[&[1]]));
        let open = after(&[&[0]], |all| all.wait(0));
        assert_eq!(open, of(&[&[0]]), "a wait leaves the open group");
        assert!(after(&[&[8]], |all| all.wait(7)).is_empty());
        assert_eq!(after(&[&[8]], |all| all.wait(9)), of(&[&[8]]));
        assert_eq!(after(&[&[3]], Flights::age), of(&[&[3, 4, 5, 6, 7, 8]]));
        assert!(after(&[], Flights::age).is_empty());
        assert_eq!(of(&[&[0, 2]]).ages(0).to_string(), "open|closed-2");
    }

    #[test]
    fn a_wait_completes_on_some_or_on_all_paths() {
        let flights = of(&[&[0, 2], &[2], &[1]]);
        let numbers = |set: SharedSet| set.iter().collect::<Vec<u32>>();
        assert_eq!(numbers(flights.reached(1)), [0, 1]);
        assert_eq!(numbers(flights.completed(1)), [1]);
        assert_eq!(numbers(flights.completed(0)), [1, 2]);
        assert_eq!(flights.depth(), 3);
        assert_eq!(
            flights.iter().map(|one| one.product).collect::<Vec<_>>(),
            [0, 1, 2]
        );
    }
}
