//! `ori-general-optimize`: rules keep the meaning, facts are true, blocks get no costlier.
#![allow(clippy::unwrap_used, missing_docs)]

mod costs;
mod exhaustive;
mod facts;
mod fuel;
mod graphs;
mod programs;
mod random;
mod rules;
mod soundness;
mod values;
mod work;
