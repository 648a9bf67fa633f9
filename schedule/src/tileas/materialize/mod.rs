//! From scheduled loops to agents that talk through pipelines.
//!
//! [`super::solve`] decides who does what and may refuse; here it is written. The original
//! operations stay until all agents are written and checked.
//!
//! | what | file |
//! |---|---|
//! | what stands before the agents | `channels.rs`, `storage.rs`, `warps.rs` |
//! | what one agent does in a frame | `steps.rs` |
//! | its region | `agents.rs`, `fill.rs`, `turns.rs` |
//! | the drivers: several agents, one agent | `specialized.rs`, `unspecialized.rs` |
//! | operations | `emit.rs` |
//! | the change: all or nothing | `emission.rs` |

mod agents;
mod channels;
mod emission;
mod emit;
mod fill;
mod specialized;
mod steps;
mod storage;
mod turns;
mod unspecialized;
mod warps;

pub use channels::TRIVIAL;
pub use emission::Emission;
pub use specialized::{Dual, Refusal, Specialized};
pub use storage::{Storage, function_around};
pub use turns::use_dual;
pub use unspecialized::{FAILED, Peeling, Unspecialized};
pub use warps::{AgentWarps, PackedAgent, divide, pack};
