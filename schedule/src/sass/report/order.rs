//! The same instructions in two versions of a function, and which of them moved.

use std::collections::HashMap;

use super::{Measured, MeasuredInstruction};

/// Finds the instructions of the first version in another, block by block: those with the same text but for
/// `.reuse`, the first of several with the first of several.
pub(super) fn compare(first: &Measured, other: &mut Measured) {
    for (first, other) in first.blocks.iter().zip(&mut other.blocks) {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, found) in first.instructions.iter().enumerate().rev() {
            places.entry(key(found)).or_default().push(place);
        }
        let mut order = Vec::new();
        for found in &mut other.instructions {
            let place = places.get_mut(&key(found)).and_then(Vec::pop);
            order.extend(place);
            found.twin = place.map(|place| first.start + place);
        }
        other.moved = order.len() - longest_increasing(&order);
    }
}

fn key(found: &MeasuredInstruction) -> String {
    found.text.replace(".reuse", "")
}

/// The length of the longest increasing subsequence of different numbers.
fn longest_increasing(numbers: &[usize]) -> usize {
    // For each length, the least number that ends a subsequence of it.
    let mut ends: Vec<usize> = Vec::new();
    for number in numbers {
        let length = ends.partition_point(|end| end < number);
        match ends.get_mut(length) {
            Some(end) => *end = *number,
            None => ends.push(*number),
        }
    }
    ends.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 2, 5 and 1, 2, 4 are the longest; without any number there is none.
    #[test]
    fn the_longest_increasing_subsequence_is_found() {
        assert_eq!(longest_increasing(&[3, 1, 2, 5, 4]), 3);
        assert_eq!(longest_increasing(&[0, 1, 2]), 3);
        assert_eq!(longest_increasing(&[2, 1, 0]), 1);
        assert_eq!(longest_increasing(&[]), 0);
    }
}
