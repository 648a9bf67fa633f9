//! Machine code: the instructions of `sass`, as [`super::Kernel`]s.
//!
//! What computes, accesses memory or waits is decoded to the same actions as operations of `ori`
//! ([`super::action`]), whose operands are physical registers ([`files`]); only control flow is
//! executed differently ([`super::code`]): each lane has its own place in the code. Control words are
//! ignored: instructions are executed in order, each after the one before.

mod asynchronous;
mod constants;
mod control;
mod decode;
mod exchange;
mod files;
mod labels;
mod matrix;
mod memory;
mod program;
mod sections;
mod table;
mod tensor;

pub(super) use program::{Module, reserved_shared};
