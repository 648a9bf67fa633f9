//! The live registers along an order whose nodes may be issued earlier than their turn.

use std::ops::Range;
use std::rc::Rc;

use crate::instructions::registers::{RegisterClass, Registers, Value};

/// The classes that are limited.
const CLASSES: [RegisterClass; 2] = [RegisterClass::General, RegisterClass::Predicate];

/// By class of [`CLASSES`].
type Counts = [i32; CLASSES.len()];

/// The registers of a value, if its class is limited.
fn counted(value: Value) -> Option<(usize, i32)> {
    let class = CLASSES.iter().position(|class| *class == value.class)?;
    Some((class, i32::from(value.width)))
}

/// The order.
#[derive(Debug)]
struct Base {
    /// The place of each node.
    places: Vec<u32>,
    /// The places of the uses of each value, one value behind the other, and where those of each start.
    uses: Vec<u32>,
    starts: Vec<u32>,
}

impl Base {
    fn new(registers: &Registers, order: &[u32]) -> Self {
        let mut places = vec![0; order.len()];
        let mut starts = vec![0; registers.count() + 1];
        for (place, node) in (0..).zip(order) {
            places[*node as usize] = place;
            for value in registers.reads(*node as usize) {
                starts[*value as usize + 1] += 1;
            }
        }
        for value in 0..registers.count() {
            starts[value + 1] += starts[value];
        }
        let mut next = starts.clone();
        let mut uses = vec![0; starts.last().map_or(0, |end| *end as usize)];
        for (place, node) in (0..).zip(order) {
            for value in registers.reads(*node as usize) {
                let next = &mut next[*value as usize];
                uses[*next as usize] = place;
                *next += 1;
            }
        }
        Base {
            places,
            uses,
            starts,
        }
    }

    /// What is live behind each place, by class, with results that nothing reads.
    fn live(&self, registers: &Registers, order: &[u32]) -> [RangeMaximum; CLASSES.len()] {
        let mut made = vec![None; registers.count()];
        for (place, node) in order.iter().enumerate() {
            for value in registers.defines(*node as usize) {
                made[*value as usize] = Some(place);
            }
        }
        let mut changes = CLASSES.map(|_| vec![0; order.len() + 1]);
        for (number, made) in made.into_iter().enumerate() {
            let value = registers.value(number);
            let Some((class, width)) = counted(value) else {
                continue;
            };
            let from = match made {
                Some(place) => place,
                None if value.live_in => 0,
                None => continue,
            };
            let uses = self.starts[number] as usize..self.starts[number + 1] as usize;
            let to = match self.uses[uses].last() {
                _ if value.live_out => order.len(),
                Some(last) => *last as usize,
                None => from + 1,
            };
            if from < to {
                changes[class][from] += width;
                changes[class][to] -= width;
            }
        }
        changes.map(|mut changes| {
            let mut live = 0;
            for change in &mut changes {
                live += *change;
                *change = live;
            }
            changes.pop();
            RangeMaximum::new(changes)
        })
    }
}

/// The registers of limited classes that are live behind each node of an order, as far as it has not been issued, with
/// those of results that nothing reads.
#[derive(Clone, Debug)]
pub(super) struct Profile<'r> {
    registers: &'r Registers,
    limits: Counts,
    base: Rc<Base>,
    /// By place.
    live: [RangeMaximum; CLASSES.len()],
    /// For each value, the end of its uses in the base, up to the last one that has not been issued; and how many have
    /// not.
    ends: Vec<u32>,
    left: Vec<u32>,
    /// The first place that has not been issued, and what is live in front of it.
    first: usize,
    now: Counts,
    is_issued: Vec<bool>,
}

impl<'r> Profile<'r> {
    /// That of an order of which nothing has been issued, with the most registers of each class.
    pub fn new(registers: &'r Registers, limits: Counts, order: &[u32]) -> Self {
        let base = Base::new(registers, order);
        let mut now = Counts::default();
        for value in (0..registers.count()).map(|number| registers.value(number)) {
            if let Some((class, width)) = counted(value).filter(|_| value.live_in) {
                now[class] += width;
            }
        }
        Profile {
            registers,
            limits,
            live: base.live(registers, order),
            left: base
                .starts
                .windows(2)
                .map(|ends| ends[1] - ends[0])
                .collect(),
            ends: base.starts[1..].to_vec(),
            base: Rc::new(base),
            first: 0,
            now,
            is_issued: vec![false; order.len()],
        }
    }

    /// By how many registers more are live up to the turn of a node, if it is issued now.
    fn growth(&self, node: usize) -> Counts {
        let mut growth = Counts::default();
        for number in self.registers.defines(node) {
            let value = self.registers.value(*number as usize);
            let stays = value.live_out || self.left[*number as usize] > 0;
            if let Some((class, width)) = counted(value).filter(|_| stays) {
                growth[class] += width;
            }
        }
        for number in self.registers.reads(node) {
            let value = self.registers.value(*number as usize);
            let ends = !value.live_out && self.left[*number as usize] == 1;
            if let Some((class, width)) = counted(value).filter(|_| ends) {
                growth[class] -= width;
            }
        }
        growth
    }

    /// Whether no more registers than allowed are live up to the turn of a node, if it is issued now, or no more than
    /// without that.
    pub fn fits(&self, node: usize) -> bool {
        let place = self.base.places[node] as usize;
        if place == self.first {
            return true;
        }
        let growth = self.growth(node);
        (0..CLASSES.len()).all(|class| {
            let most = || {
                self.live[class]
                    .maximum(self.first, place)
                    .max(self.now[class])
            };
            growth[class] <= 0 || most() + growth[class] <= self.limits[class]
        })
    }

    /// The place of the node whose turn it is.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Issues a node now.
    pub fn issue(&mut self, node: usize) {
        let registers = self.registers;
        let place = self.base.places[node] as usize;
        let growth = self.growth(node);
        for (now, growth) in self.now.iter_mut().zip(growth) {
            *now += growth;
        }
        for number in registers.defines(node) {
            let value = registers.value(*number as usize);
            let is_read = value.live_out || self.left[*number as usize] > 0;
            if let Some((class, width)) = counted(value).filter(|_| is_read) {
                self.live[class].add(self.first, place, width);
            }
        }
        self.is_issued[place] = true;
        for number in registers.reads(node) {
            self.left[*number as usize] -= 1;
            if let Some(end) = self.use_ends(*number, place) {
                let value = registers.value(*number as usize);
                if let Some((class, width)) = counted(value).filter(|_| !value.live_out) {
                    self.live[class].add(end.max(self.first), place, -width);
                }
            }
        }
        while self.is_issued.get(self.first) == Some(&true) {
            self.first += 1;
        }
    }

    /// The place of the last use of a value that has not been issued, 0 if there is none, where that is no longer the one
    /// at a place.
    fn use_ends(&mut self, number: u32, place: usize) -> Option<usize> {
        let start = self.base.starts[number as usize];
        let end = &mut self.ends[number as usize];
        let last = |end: u32| {
            let at = end.checked_sub(1).filter(|at| *at >= start)?;
            Some(self.base.uses[at as usize] as usize)
        };
        if last(*end) != Some(place) {
            return None;
        }
        while last(*end).is_some_and(|place| self.is_issued[place]) {
            *end -= 1;
        }
        Some(last(*end).unwrap_or(0))
    }
}

/// Numbers of which ranges grow, and the greatest of a range. Runs of [`RUN`] numbers have a sum that counts for all of
/// them and their greatest, so that a range costs two runs and one step for each run between them: ranges are short
/// mostly, and a run is a few vectors.
#[derive(Clone, Debug)]
struct RangeMaximum {
    /// Without what was added to their runs.
    numbers: Vec<i32>,
    /// By run: what was added to all of it, and its greatest number, with that.
    added: Vec<i32>,
    greatest: Vec<i32>,
}

/// The length of a run.
const RUN: usize = 64;

impl RangeMaximum {
    fn new(numbers: Vec<i32>) -> Self {
        let runs = numbers.chunks(RUN).map(greatest);
        RangeMaximum {
            greatest: runs.collect(),
            added: vec![0; numbers.len().div_ceil(RUN)],
            numbers,
        }
    }

    /// The parts of a range by run, with whether each is the whole run.
    fn parts(
        &self,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = (usize, Range<usize>, bool)> + use<> {
        let count = self.numbers.len();
        let to = to.min(count);
        let runs = from / RUN..to.max(from).div_ceil(RUN);
        runs.filter(move |_| from < to).map(move |run| {
            let whole = run * RUN..((run + 1) * RUN).min(count);
            let part = whole.start.max(from)..whole.end.min(to);
            let is_whole = part == whole;
            (run, part, is_whole)
        })
    }

    /// Adds to the numbers from a place to another one, which does not get it.
    fn add(&mut self, from: usize, to: usize, number: i32) {
        for (run, part, is_whole) in self.parts(from, to) {
            if is_whole {
                self.added[run] += number;
                self.greatest[run] += number;
                continue;
            }
            for each in &mut self.numbers[part] {
                *each += number;
            }
            let end = ((run + 1) * RUN).min(self.numbers.len());
            self.greatest[run] = greatest(&self.numbers[run * RUN..end]) + self.added[run];
        }
    }

    /// The greatest number from a place to another one, which does not count.
    fn maximum(&self, from: usize, to: usize) -> i32 {
        let parts = self.parts(from, to);
        let most = parts.map(|(run, part, is_whole)| match is_whole {
            true => self.greatest[run],
            false => greatest(&self.numbers[part]) + self.added[run],
        });
        most.max().unwrap_or(i32::MIN / 2)
    }
}

/// The greatest of some numbers.
fn greatest(numbers: &[i32]) -> i32 {
    numbers.iter().copied().max().unwrap_or(i32::MIN / 2)
}

#[cfg(test)]
mod tests {
    use super::{Profile, RangeMaximum};
    use crate::instructions::registers::{RegisterClass, Registers, Value};

    #[test]
    fn ranges_grow() {
        let mut numbers = RangeMaximum::new(vec![3, 1, 4, 1, 5]);
        assert_eq!(numbers.maximum(0, 2), 3);
        numbers.add(1, 4, 10);
        assert_eq!(numbers.maximum(0, 5), 14);
        assert_eq!(numbers.maximum(3, 5), 11);
        numbers.add(2, 3, -10);
        assert_eq!(numbers.maximum(0, 3), 11);
        assert_eq!(numbers.maximum(4, 5), 5);
    }

    /// Ranges that begin and end within runs, at their ends, and over some of them, against plain numbers.
    #[test]
    fn ranges_grow_over_runs() {
        let mut plain: Vec<i32> = (0..300).map(|place| place * 37 % 101).collect();
        let mut numbers = RangeMaximum::new(plain.clone());
        for step in 0..400 {
            let (from, to) = (step * 53 % 301, step * 91 % 301);
            let (from, to) = (from.min(to), from.max(to));
            let most = plain[from..to].iter().copied().max();
            assert_eq!(numbers.maximum(from, to), most.unwrap_or(i32::MIN / 2));
            let number = i32::try_from(step % 7).unwrap() - 3;
            numbers.add(from, to, number);
            plain[from..to].iter_mut().for_each(|each| *each += number);
        }
    }

    /// Three loads, each with its sum behind it: loads may come early as far as their results fit.
    #[test]
    fn what_is_issued_early_is_live_until_its_turn() {
        let mut registers = Registers::new(6);
        let word = |live_in, live_out| Value {
            class: RegisterClass::General,
            width: 1,
            live_in,
            live_out,
        };
        let mut sum = registers.add(word(true, false));
        for number in 0..3 {
            let loaded = registers.add(word(false, false));
            registers.define(2 * number, loaded);
            registers.read(2 * number + 1, loaded);
            registers.read(2 * number + 1, sum);
            sum = registers.add(word(false, number == 2));
            registers.define(2 * number + 1, sum);
        }
        let order: Vec<u32> = (0..6).collect();
        let within = |most: i32| Profile::new(&registers, [most, 7], &order);
        let mut profiles = [2, 3, 4].map(within);
        let fits =
            |profiles: &[Profile<'_>; 3], node: usize| [0, 1, 2].map(|at| profiles[at].fits(node));
        let issue = |profiles: &mut [Profile<'_>; 3], node: usize| {
            profiles.iter_mut().for_each(|profile| profile.issue(node));
        };
        // Two registers are live behind each load; with the second load in front three.
        assert_eq!(fits(&profiles, 2), [false, true, true]);
        issue(&mut profiles, 2);
        assert_eq!(fits(&profiles, 4), [false, false, true]);
        // The first load is where it was, and so is its sum, which frees what it loaded.
        issue(&mut profiles, 0);
        assert_eq!(fits(&profiles, 1), [true; 3]);
        issue(&mut profiles, 1);
        // Behind the first sum two are live again.
        assert_eq!(fits(&profiles, 4), [false, true, true]);
    }
}
