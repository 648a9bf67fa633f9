//! Timelines computed by hand.
