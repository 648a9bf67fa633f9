//! Batches, and decisions between two instructions.

use super::batch::adjusted;

#[test]
fn batches_are_of_equal_size() {
    assert_eq!(adjusted(5, 8), 5);
    assert_eq!(adjusted(8, 8), 8);
    // Two batches.
    assert_eq!(adjusted(10, 8), 5);
    assert_eq!(adjusted(15, 8), 7);
    // Two, and three.
    assert_eq!(adjusted(16, 8), 8);
    assert_eq!(adjusted(20, 8), 6);
}
