//! What a launch gives a kernel.

/// Launch parameters of a kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// CTAs, by dimension.
    pub grid: [u32; 3],
    /// Threads of a CTA, by dimension.
    pub block: [u32; 3],
    /// The bytes of the parameters, as laid out in constant bank 0.
    pub parameters: Vec<u8>,
    /// CTAs of a cluster, by dimension, if the kernel does not specify it; one if absent.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of shared memory in addition to symbols with a size.
    pub dynamic_shared: usize,
    /// Initial values of named constant memory, instead of those of the module.
    pub constants: Vec<(String, Vec<u8>)>,
    /// Seed of the scheduling of warps.
    pub seed: u64,
    /// The maximum number of warp instructions of a run.
    pub step_limit: u64,
    /// Whether values are in the registers of the PTX program that their locations name, and the rules
    /// for registers that products of warp groups use are checked: for kernels before `ori-gmma`.
    pub source_registers: bool,
}

impl Default for Launch {
    fn default() -> Self {
        Launch {
            grid: [1; 3],
            block: [32, 1, 1],
            cluster: None,
            parameters: Vec::new(),
            dynamic_shared: 0,
            constants: Vec::new(),
            seed: 0,
            step_limit: 100_000_000,
            source_registers: false,
        }
    }
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its offset from the first parameter, in bytes.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}
