//! Kernels of the machine dialect, run with the GPU's execution model: CTAs of warps of 32 lanes.
//!
//! | what | how |
//! |---|---|
//! | divergence | lanes that diverge at a branch reconverge at its post-dominator; until then each part is a separate path, and every path eventually continues |
//! | values | 32-bit values; an undefined one (`ori.undef`, a result whose guard is false, unwritten memory) may be copied, but must not decide anything |
//! | memory | bytes: global buffers, shared memory of a CTA, a stack of frames of a thread in local memory, constant banks; accesses are in order and atomic |
//! | order of warps | determined by a seed: equal seeds, equal runs |
//!
//! A kernel error is reported at the operation: an out-of-bounds access, a branch on an undefined
//! value, a shuffle from a missing lane, a barrier that is never released.
//!
//! ```
//! use orison_interpret::warp::{Bytes, GlobalMemory, Kernel, Launch};
//! use orison_ir::{Context, Source, parse_source};
//! let mut context = Context::new();
//! orison_host::register(&mut context);
//! orison_ori::register(&mut context);
//! orison_interpret::register(&mut context);
//! let text = r#"ori.func kernel @k() target "sm_80" attributes
//!     {parameters = [{alignment = 8 : i32, name = "p", offset = 0 : i32, size = 8 : i32}]} {
//!   %base = ori.cbank [0, 352] : !ori.r64
//!   %lane = ori.s2r <register = "SR_LANEID"> : !ori.r
//!   %four = ori.imm 4 : !ori.r
//!   %at = ori.imad_wide <u32> %lane, %four, %base : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
//!   ori.stg [%at], %lane : (!ori.r64, !ori.r) -> ()
//!   ori.exit
//! }"#;
//! let module = parse_source(&mut context, Source { name: "a.mlir", text, first_line: 1 });
//! let kernel = Kernel::new(&context, module.expect("well-formed"), "k").expect("a kernel");
//! let mut memory = GlobalMemory::default();
//! let address = memory.add("out", Bytes::undefined(128));
//! let launch = Launch { parameters: address.to_le_bytes().to_vec(), ..Launch::default() };
//! kernel.run(&mut memory, &launch).expect("a run");
//! assert_eq!(memory.buffer("out").map(|out| out.data()[4]), Some(1));
//! ```

mod access;
mod action;
mod bulk_copies;
mod change;
mod cluster;
mod code;
mod compute;
mod control;
mod copies;
mod copy_groups;
mod descriptors;
mod fault;
mod fragments;
mod frames;
mod kernel;
mod lane_operations;
mod launch;
mod machine;
mod matrix;
mod mbarrier;
mod mbarrier_operations;
mod memory;
mod parameters;
mod paths;
mod program;
mod registers;
mod sass;
mod scheduler;
mod source_registers;
mod source_rules;
mod stack;
mod symbols;
mod synchronize;
mod tensor_copies;
mod tensor_maps;
mod tensor_memory;
mod tensor_products;
mod tensor_transfers;
mod tensor_work;
mod transfer;
mod warp_group;

pub(crate) use action::register;
pub use fault::Fault;
pub use kernel::{Kernel, Statistics};
pub use memory::{Bytes, GlobalMemory};
pub use parameters::{Launch, Parameter};
pub use registers::LANES;
pub use tensor_maps::{PixelBox, TENSOR_MAP_SIZE, TensorElement, TensorMap};
