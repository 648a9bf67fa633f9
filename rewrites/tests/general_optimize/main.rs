//! `ori-general-optimize`: rules preserve semantics, facts are sound, blocks do not become more
//! expensive.
#![allow(clippy::unwrap_used, missing_docs)]

mod costs;
mod exhaustive;
mod facts;
mod fuel;
mod graphs;
mod peepholes;
mod programs;
mod random;
mod rules;
mod soundness;
mod values;
mod work;
