//! The steady state of starts written by hand.

use super::record::steady;

/// The starts of iterations from their distances.
fn starts(distances: &[u64]) -> Vec<u64> {
    let mut all = vec![100];
    for distance in distances {
        all.push(all[all.len() - 1] + distance);
    }
    all
}

/// Of eleven distances, the sixth to the tenth count.
#[test]
fn the_steady_state_is_behind_the_first_half() {
    let distances = [90, 90, 90, 90, 90, 7, 7, 7, 7, 7, 50];
    assert_eq!(steady(&starts(&distances)), (35, 5));
    assert_eq!(steady(&starts(&[7, 7, 7])), (14, 2));
    assert_eq!(steady(&starts(&[7, 7])), (0, 0));
}

/// A pattern of two iterations is in five distances twice; without a pattern, all of them count.
#[test]
fn only_whole_patterns_count() {
    let distances = [10, 20, 10, 20, 10, 20, 10, 20, 10, 20, 10];
    assert_eq!(steady(&starts(&distances)), (60, 4));
    let distances = [0, 0, 0, 0, 0, 20, 10, 30, 10, 20, 10];
    assert_eq!(steady(&starts(&distances)), (90, 5));
}
