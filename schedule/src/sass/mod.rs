//! Real machine code: what its control words mean for time, what they protect, and what they miss.

pub mod dependences;
pub mod facts;
pub mod latency;
mod register_table;
pub mod simulate;
pub mod verify;
