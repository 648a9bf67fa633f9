//! The ten functional units that the scheduler counts (seed 000, "Resource Vector Layout").

use orison_machine::{Pipe, Space};

/// A functional unit, by its index in the page's resource vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// Integers and logic.
    Integer,
    /// Single precision; also half precision and integer products, which the same pipe computes.
    Single,
    /// Double precision.
    Double,
    /// Matrix products.
    Tensor,
    /// Global, local and tensor memory, and copies.
    Memory,
    /// Textures and surfaces.
    Texture,
    /// Branches, barriers and moves of addresses.
    Control,
    /// Shared memory.
    Shared,
    /// Elementary functions and conversions.
    Special,
    /// The uniform datapath.
    Uniform,
}

impl Unit {
    /// All, in the order of the page.
    pub const ALL: [Unit; 10] = [
        Unit::Integer,
        Unit::Single,
        Unit::Double,
        Unit::Tensor,
        Unit::Memory,
        Unit::Texture,
        Unit::Control,
        Unit::Shared,
        Unit::Special,
        Unit::Uniform,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Integer => "integer",
            Unit::Single => "single",
            Unit::Double => "double",
            Unit::Tensor => "tensor",
            Unit::Memory => "memory",
            Unit::Texture => "texture",
            Unit::Control => "control",
            Unit::Shared => "shared",
            Unit::Special => "special",
            Unit::Uniform => "uniform",
        }
    }

    /// The unit of an instruction, by its pipe and the memory spaces that it reads or writes.
    pub fn of(pipe: Pipe, spaces: &[&[Space]]) -> Unit {
        let mut accessed = spaces.iter().copied().flatten();
        match pipe {
            Pipe::None | Pipe::Alu => Unit::Integer,
            Pipe::Fma | Pipe::FmaWide | Pipe::Fp16 => Unit::Single,
            Pipe::Fp64 | Pipe::Fp64Tensor => Unit::Double,
            Pipe::HalfTensor | Pipe::Tensor | Pipe::WarpgroupTensor | Pipe::TensorCore => {
                Unit::Tensor
            }
            Pipe::Memory => {
                match accessed.any(|space| matches!(space, Space::Shared | Space::SharedCluster)) {
                    true => Unit::Shared,
                    false => Unit::Memory,
                }
            }
            Pipe::TensorMemory | Pipe::Tma => Unit::Memory,
            Pipe::Texture => Unit::Texture,
            Pipe::Control | Pipe::Address => Unit::Control,
            Pipe::Transcendental => Unit::Special,
            Pipe::Uniform | Pipe::AluToUniform => Unit::Uniform,
        }
    }
}
