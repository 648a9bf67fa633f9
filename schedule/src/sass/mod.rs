//! Real machine code: what its control words mean for time, what they protect, and what they miss.

pub mod facts;
pub mod latency;
pub mod simulate;
