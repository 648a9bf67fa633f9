//! Machine code: the timing effects of control words, what they protect, and what they miss.

pub mod dependences;
pub mod evidence;
pub mod facts;
mod guards;
pub mod latency;
pub mod passes;
mod register_table;
pub mod report;
mod roles;
pub mod scoreboards;
pub mod simulate;
#[cfg(test)]
pub(crate) mod test_support;
pub mod verify;
