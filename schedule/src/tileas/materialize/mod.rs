//! Rewrites scheduled loops into agents that communicate through pipelines.
//!
//! [`super::solve`] assigns the work to agents and may refuse; this module emits the code. The
//! original operations are kept until all agents are emitted and checked.
//!
//! | contents | file |
//! |---|---|
//! | operations before the agents | `channels.rs`, `channel_key.rs`, `storage.rs`, `warps.rs` |
//! | the steps of one agent in a frame | `steps.rs` |
//! | the region of an agent | `agents.rs`, `slot_writes.rs`, `products.rs`, `dual.rs` |
//! | loops whose iterations overlap: the decision, the steps, the expansion | `rotation/`, `overlapped_loop.rs`, `expand.rs` |
//! | the drivers: several agents, one agent | `specialized.rs`, `unspecialized.rs` |
//! | creating operations | `emit.rs` |
//! | the all-or-nothing replacement | `emission.rs` |

mod agents;
mod channel_key;
mod channels;
mod dual;
mod emission;
mod emit;
mod expand;
mod overlapped_loop;
mod products;
mod rotation;
mod slot_writes;
mod specialized;
mod steps;
mod storage;
mod unspecialized;
mod warps;

pub use channels::TRIVIAL;
pub use dual::use_dual;
pub use emission::Emission;
pub use rotation::{Planned, Reduced, Shortage, overlap};
pub use specialized::{Dual, Refusal, Specialized};
pub use storage::{Storage, function_around};
pub use unspecialized::{FAILED, Peeling, Unspecialized};
pub use warps::{AgentWarps, LOAD_REGISTERS, PackedAgent, REGISTERS_A_LANE, divide, pack};
