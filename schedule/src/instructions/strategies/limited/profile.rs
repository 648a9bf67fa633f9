//! The live registers along an order whose nodes may be issued earlier than their turn.

use crate::instructions::registers::{RegisterClass, Registers};

/// The registers of a class that are live behind each node of an order, as far as it has not been issued, with those of
/// results that nothing reads.
pub(super) struct Profile<'r> {
    registers: &'r Registers,
    class: RegisterClass,
    /// The place of each node in the order.
    places: Vec<usize>,
    /// By place.
    live: RangeMaximum,
    /// For each value, the places of its uses, up to the last one that has not been issued; and how many have not.
    uses: Vec<Vec<usize>>,
    left: Vec<usize>,
    /// The first place that has not been issued, and what is live in front of it.
    first: usize,
    now: i32,
    is_issued: Vec<bool>,
}

impl<'r> Profile<'r> {
    /// That of an order of which nothing has been issued.
    pub fn new(registers: &'r Registers, class: RegisterClass, order: &[u32]) -> Self {
        let mut places = vec![0; order.len()];
        for (place, node) in order.iter().enumerate() {
            places[*node as usize] = place;
        }
        let mut uses = vec![Vec::new(); registers.count()];
        let mut made = vec![None; registers.count()];
        for (place, node) in order.iter().enumerate() {
            for value in registers.reads(*node as usize) {
                uses[*value as usize].push(place);
            }
            for value in registers.defines(*node as usize) {
                made[*value as usize] = Some(place);
            }
        }
        let mut changes = vec![0; order.len() + 1];
        for (number, (uses, made)) in uses.iter().zip(&made).enumerate() {
            let value = registers.value(number);
            let is_counted = value.class == class;
            let from = match made {
                Some(place) => *place,
                None if value.live_in => 0,
                None => continue,
            };
            let to = match uses.last() {
                _ if value.live_out => order.len(),
                Some(last) => *last,
                None => from + 1,
            };
            if is_counted && from < to {
                changes[from] += i32::from(value.width);
                changes[to] -= i32::from(value.width);
            }
        }
        let values = (0..registers.count()).map(|number| registers.value(number));
        let before = values.filter(|value| value.live_in && value.class == class);
        let now = before.map(|value| i32::from(value.width)).sum();
        let live = changes.iter().scan(0, |live, change| {
            *live += change;
            Some(*live)
        });
        Profile {
            registers,
            class,
            places,
            live: RangeMaximum::new(&live.take(order.len()).collect::<Vec<_>>()),
            left: uses.iter().map(Vec::len).collect(),
            uses,
            first: 0,
            now,
            is_issued: vec![false; order.len()],
        }
    }

    /// By how many registers more are live up to the turn of a node, if it is issued now.
    fn growth(&self, node: usize) -> i32 {
        let registers = self.registers;
        let counted = |value: u32| {
            let value = registers.value(value as usize);
            let is_counted = value.class == self.class;
            (
                i32::from(value.width) * i32::from(is_counted),
                value.live_out,
            )
        };
        let made = registers.defines(node).iter().map(|value| {
            let (width, stays) = counted(*value);
            if stays || self.left[*value as usize] > 0 {
                width
            } else {
                0
            }
        });
        let freed = registers.reads(node).iter().map(|value| {
            let (width, stays) = counted(*value);
            if !stays && self.left[*value as usize] == 1 {
                width
            } else {
                0
            }
        });
        made.sum::<i32>() - freed.sum::<i32>()
    }

    /// Whether no more than `limit` registers are live up to the turn of a node, if it is issued now, or no more than
    /// without that.
    pub fn fits(&mut self, node: usize, limit: i32) -> bool {
        let place = self.places[node];
        if place == self.first {
            return true;
        }
        let growth = self.growth(node);
        let most = self.live.maximum(self.first, place).max(self.now);
        growth <= 0 || most + growth <= limit
    }

    /// The place of the node whose turn it is.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Issues a node now.
    pub fn issue(&mut self, node: usize) {
        let registers = self.registers;
        let place = self.places[node];
        self.now += self.growth(node);
        for value in registers.defines(node) {
            let found = registers.value(*value as usize);
            let is_read = found.live_out || self.left[*value as usize] > 0;
            if found.class == self.class && is_read {
                self.live.add(self.first, place, i32::from(found.width));
            }
        }
        self.is_issued[place] = true;
        for value in registers.reads(node) {
            self.left[*value as usize] -= 1;
            let uses = &mut self.uses[*value as usize];
            if uses.last() != Some(&place) {
                continue;
            }
            while uses.last().is_some_and(|place| self.is_issued[*place]) {
                uses.pop();
            }
            let found = registers.value(*value as usize);
            if !found.live_out && found.class == self.class {
                let end = uses.last().map_or(self.first, |last| self.first.max(*last));
                self.live.add(end, place, -i32::from(found.width));
            }
        }
        while self.is_issued.get(self.first) == Some(&true) {
            self.first += 1;
        }
    }
}

/// Numbers of which ranges grow, and the greatest of a range: each in logarithmic time.
struct RangeMaximum {
    /// A binary tree: the greatest below each node, without what was added above it.
    greatest: Vec<i32>,
    added: Vec<i32>,
    size: usize,
}

impl RangeMaximum {
    fn new(numbers: &[i32]) -> Self {
        let size = numbers.len().next_power_of_two();
        let mut greatest = vec![i32::MIN / 2; 2 * size];
        greatest[size..size + numbers.len()].copy_from_slice(numbers);
        for node in (1..size).rev() {
            greatest[node] = greatest[2 * node].max(greatest[2 * node + 1]);
        }
        RangeMaximum {
            added: vec![0; 2 * size],
            greatest,
            size,
        }
    }

    /// Adds to the numbers from a place to another one, which does not get it.
    fn add(&mut self, from: usize, to: usize, number: i32) {
        self.visit(1, (0, self.size), (from, to), number);
    }

    /// The greatest number from a place to another one, which does not count.
    fn maximum(&mut self, from: usize, to: usize) -> i32 {
        self.visit(1, (0, self.size), (from, to), 0)
    }

    /// Adds to a part of what a node covers; returns the greatest there.
    fn visit(
        &mut self,
        node: usize,
        covered: (usize, usize),
        part: (usize, usize),
        number: i32,
    ) -> i32 {
        let (low, high) = covered;
        if part.1 <= low || high <= part.0 {
            return i32::MIN / 2;
        }
        if part.0 <= low && high <= part.1 {
            self.greatest[node] += number;
            self.added[node] += number;
            return self.greatest[node];
        }
        let middle = low.midpoint(high);
        let left = self.visit(2 * node, (low, middle), part, number);
        let right = self.visit(2 * node + 1, (middle, high), part, number);
        let children = self.greatest[2 * node].max(self.greatest[2 * node + 1]);
        self.greatest[node] = children + self.added[node];
        left.max(right) + self.added[node]
    }
}

#[cfg(test)]
mod tests {
    use super::{Profile, RangeMaximum};
    use crate::instructions::registers::{RegisterClass, Registers, Value};

    #[test]
    fn ranges_grow() {
        let mut numbers = RangeMaximum::new(&[3, 1, 4, 1, 5]);
        assert_eq!(numbers.maximum(0, 2), 3);
        numbers.add(1, 4, 10);
        assert_eq!(numbers.maximum(0, 5), 14);
        assert_eq!(numbers.maximum(3, 5), 11);
        numbers.add(2, 3, -10);
        assert_eq!(numbers.maximum(0, 3), 11);
        assert_eq!(numbers.maximum(4, 5), 5);
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
        let mut profile = Profile::new(&registers, RegisterClass::General, &order);
        // Two registers are live behind each load; with the second load in front three.
        assert!(!profile.fits(2, 2) && profile.fits(2, 3));
        profile.issue(2);
        assert!(!profile.fits(4, 3) && profile.fits(4, 4));
        // The first load is where it was, and so is its sum, which frees what it loaded.
        profile.issue(0);
        assert!(profile.fits(1, 0));
        profile.issue(1);
        // Behind the first sum two are live again.
        assert!(profile.fits(4, 3) && !profile.fits(4, 2));
    }
}
