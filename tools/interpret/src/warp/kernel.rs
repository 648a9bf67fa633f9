//! Prepared kernels, and the parameters of a launch.

use orison_ir::{Attribute, Context, Operation};
use orison_machine::sm_number;
use orison_ori::operations::structure::{Func, Memory};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Fault;
use super::action::Names;
use super::memory::{self, Bytes, GlobalMemory};
use super::program::Function;
use super::sass::{Module, reserved_shared};
use super::stack::Stack;

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

/// Statistics of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Instructions, counted once per path.
    pub instructions: u64,
    /// Lanes that executed them.
    pub lane_instructions: u64,
    /// Of the instructions, those that become machine instructions: not constants, names of parts of
    /// values, and branches to the block behind.
    pub issued: u64,
    /// Divergent branches.
    pub divergent_branches: u64,
}

/// Offsets of launch values in constant bank 0; `None` if the target has no such value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    parameters: usize,
    extents: [usize; 2],
    dynamic_shared: usize,
    /// The end of local memory, from which machine code takes its frames.
    stack: usize,
    /// Bases of the generic windows of shared, local, constant memory and parameters.
    windows: [Option<usize>; 4],
    /// Whether the parameter window begins at the bank rather than at the first parameter.
    window_of_bank: bool,
    pub(super) clusters: Option<ClusterPlaces>,
}

/// Offsets of the values of a cluster launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterPlaces {
    /// One if there are no clusters.
    implicit: usize,
    /// CTAs of a cluster by dimension, clusters of the grid, CTAs of a cluster.
    extents: usize,
    clusters: usize,
    size: usize,
    /// The reciprocals of the CTAs of a cluster by dimension, as floats, for a division by them.
    reciprocals: usize,
}

/// The offsets for a target (observed in the output of ptxas 13.0); those of sm_80 before it. From
/// sm_100 on those of clusters move with `SR_CgaSize`, which reads as zero here.
fn places(sm: u16) -> Places {
    match sm {
        100.. => Places {
            parameters: 0x380,
            extents: [0x360, 0x370],
            dynamic_shared: 0x2ac,
            stack: 0x37c,
            windows: [None, Some(0x2f8), Some(0x120), Some(0x348)],
            window_of_bank: false,
            clusters: Some(ClusterPlaces {
                implicit: 0x36c,
                extents: 0x2a0,
                clusters: 0x2c0,
                size: 0x2cc,
                reciprocals: 0x2b0,
            }),
        },
        90..=99 => Places {
            parameters: 0x210,
            extents: [0, 0xc],
            dynamic_shared: 0x2c,
            stack: 0x28,
            windows: [None, Some(0x20), Some(0xd0), Some(0x198)],
            window_of_bank: false,
            clusters: Some(ClusterPlaces {
                implicit: 0x140,
                extents: 0x144,
                clusters: 0x15c,
                size: 0x188,
                reciprocals: 0x150,
            }),
        },
        _ => Places {
            parameters: 0x160,
            extents: [0, 0xc],
            dynamic_shared: 0x2c,
            stack: 0x28,
            windows: [Some(0x18), Some(0x20), Some(0x50), Some(0x40)],
            window_of_bank: true,
            clusters: None,
        },
    }
}

/// A symbol of memory.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    address: u64,
    initial: Vec<u8>,
    pub(super) size: usize,
    /// Whether its initial value is unsupported, so that its bytes are undefined.
    pub(super) unknown: bool,
}

impl Symbol {
    /// Memory at an address with initial bytes.
    pub(super) fn new(address: u64, initial: Vec<u8>, size: usize) -> Self {
        Symbol {
            address,
            initial,
            size,
            unknown: false,
        }
    }

    /// Replaces initial bytes.
    pub(super) fn set(&mut self, offset: usize, bytes: &[u8]) {
        for (to, from) in self.initial.iter_mut().skip(offset).zip(bytes) {
            *to = *from;
        }
    }
}

/// The memory symbols of a module, by space, and its functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    addresses: FxHashMap<String, u64>,
    functions: FxHashMap<String, usize>,
    shared_names: FxHashSet<String>,
    shared: usize,
    /// Shared memory without a size, which is behind all that has one.
    dynamic: Vec<(String, usize)>,
    constants: Vec<(String, Symbol)>,
    pub(super) globals: Vec<(String, Symbol)>,
    /// Memory whose initial bytes may contain addresses.
    with_addresses: Vec<Memory>,
}

impl Names for Symbols {
    fn address(&self, symbol: &str) -> Option<u64> {
        self.addresses.get(symbol).copied()
    }

    fn is_shared(&self, symbol: &str) -> bool {
        self.shared_names.contains(symbol)
    }

    fn function(&self, symbol: &str) -> Option<usize> {
        self.functions.get(symbol).copied()
    }
}

/// A kernel of a module, prepared for any number of runs.
#[derive(Debug)]
pub struct Kernel<'c> {
    pub(super) context: &'c Context,
    pub(super) functions: Vec<Function>,
    operations: Vec<Operation>,
    pub(super) symbols: Symbols,
    pub(super) entry: Entry,
    /// The machine code, if that is what the module has.
    pub(super) code: Option<Module>,
}

/// The function of a module that a launch runs.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its index.
    pub(super) function: usize,
    pub(super) op: Operation,
    /// The cluster extents that it requires.
    pub(super) cluster: Option<[u32; 3]>,
    pub(super) places: Places,
    parameters: Vec<Parameter>,
    /// Whether the parameters are known.
    has_parameters: bool,
    /// The first instruction.
    pub(super) start: usize,
    /// Bytes of shared memory with a size, and how many of them the system reserves.
    shared: [usize; 2],
    name: String,
}

impl Entry {
    fn of(
        context: &Context,
        symbols: &Symbols,
        functions: &[Operation],
        name: &str,
    ) -> Result<Self, Fault> {
        let Some(&function) = symbols.functions.get(name) else {
            return Err(Fault::plain(&format!("undefined kernel '{name}'")));
        };
        let op = functions[function];
        let kernel = Func(op);
        if kernel.kernel(context).is_none() {
            return Err(Fault::at(context, op, "is not a kernel"));
        }
        let cluster = kernel.cluster(context).map(|extents| {
            let mut cluster = [1; 3];
            for (to, extent) in cluster.iter_mut().zip(extents) {
                *to = u32::try_from(extent).unwrap_or(1).max(1);
            }
            cluster
        });
        let sm = sm_number(kernel.target(context).unwrap_or_default());
        Ok(Entry {
            function,
            op,
            cluster,
            places: places(sm.unwrap_or(0)),
            parameters: parameters(context, op),
            has_parameters: true,
            start: 0,
            shared: [symbols.shared, 0],
            name: name.to_owned(),
        })
    }

    /// A kernel of machine code.
    fn of_code(code: &Module, name: &str) -> Result<Self, Fault> {
        let Some(facts) = code.kernel(name) else {
            return Err(Fault::plain(&format!("undefined kernel '{name}'")));
        };
        Ok(Entry {
            function: 0,
            op: facts.op,
            cluster: facts.cluster,
            places: places(facts.sm),
            has_parameters: facts.parameters.is_some(),
            parameters: facts.parameters.unwrap_or_default(),
            start: facts.start,
            shared: [facts.shared, reserved_shared(facts.sm)],
            name: name.to_owned(),
        })
    }
}

/// The parameters described by an attribute of a kernel.
fn parameters(context: &Context, op: Operation) -> Vec<Parameter> {
    let all = op.attribute(context, "parameters");
    let all = all
        .and_then(|all| all.as_array(context))
        .unwrap_or_default();
    let number = |dictionary: &Attribute, key: &str| {
        let number = dictionary.get(context, key)?.as_i64(context)?;
        usize::try_from(number).ok()
    };
    let read = all.iter().filter_map(|one| {
        let name = one.get(context, "name")?;
        Some(Parameter {
            name: name.as_str(context)?.to_owned(),
            offset: number(one, "offset")?,
            size: number(one, "size")?,
        })
    });
    read.collect()
}

impl<'c> Kernel<'c> {
    /// Prepares a kernel of a module, with all functions of the module.
    ///
    /// # Errors
    /// No such kernel; unresolved names; unsupported launch parameters.
    pub fn new(context: &'c Context, module: Operation, name: &str) -> Result<Self, Fault> {
        if let Some((code, function, symbols)) = Module::new(context, module)? {
            return Ok(Kernel {
                context,
                entry: Entry::of_code(&code, name)?,
                functions: vec![function],
                operations: Vec::new(),
                symbols,
                code: Some(code),
            });
        }
        let mut operations = Vec::new();
        let mut symbols = Symbols::default();
        let body = module.body_block(context, 0);
        let all = body.into_iter().flat_map(|body| body.operations(context));
        for op in all {
            if let Some(memory) = Memory::of(context, op) {
                symbols.add(context, memory);
            } else if let Some(function) = Func::of(context, op)
                && op.body_block(context, 0).is_some()
            {
                let name = function.sym_name(context).unwrap_or_default().to_owned();
                symbols.functions.insert(name, operations.len());
                operations.push(op);
            }
        }
        symbols.place_dynamic();
        symbols.write_addresses(context)?;
        let entry = Entry::of(context, &symbols, &operations, name)?;
        let functions = operations
            .iter()
            .map(|op| Function::new(context, *op, &symbols))
            .collect::<Result<_, _>>()?;
        Ok(Kernel {
            context,
            functions,
            operations,
            symbols,
            entry,
            code: None,
        })
    }

    /// Selects another kernel of the module, without preparing its functions again.
    ///
    /// # Errors
    /// No such kernel; the one before remains selected.
    pub fn select(&mut self, name: &str) -> Result<(), Fault> {
        self.entry = match &self.code {
            Some(code) => Entry::of_code(code, name)?,
            None => Entry::of(self.context, &self.symbols, &self.operations, name)?,
        };
        Ok(())
    }

    /// The parameters, in declaration order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.entry.parameters
    }

    /// Whether the parameters are known: machine code need not describe them.
    pub fn has_parameters(&self) -> bool {
        self.entry.has_parameters
    }

    /// The shared memory of a CTA at its start; what the system reserves is zero.
    pub(super) fn shared_memory(&self, launch: &Launch) -> Bytes {
        let [size, reserved] = self.entry.shared;
        let mut shared = Bytes::undefined(size + launch.dynamic_shared);
        shared.initialize(&vec![0; reserved]);
        shared
    }

    /// The place of the instruction at an address of machine code.
    pub(super) fn place_of(&self, address: u64) -> Option<usize> {
        self.code.as_ref()?.place_of(address)
    }

    /// The constant banks of a launch: parameters and extents in bank 0, symbols in bank 3.
    pub(super) fn banks(&self, launch: &Launch, cluster: [u32; 3]) -> Vec<Bytes> {
        let first = self.first_bank(launch, cluster);
        if let Some(code) = &self.code {
            let mut banks = vec![first];
            banks.extend(code.banks(&self.entry.name, launch));
            return banks;
        }
        let mut symbols = Bytes::undefined(1 << 16);
        for (name, symbol) in &self.symbols.constants {
            let given = launch.constants.iter().find(|(known, _)| known == name);
            let initial = match given {
                Some((_, bytes)) => bytes.clone(),
                None if symbol.unknown => continue,
                None => zero_padded(symbol),
            };
            for (number, byte) in initial.iter().take(symbol.size).enumerate() {
                let at = symbol.address as usize + number;
                let _ = symbols.write(at, 1, Some((*byte).into()));
            }
        }
        vec![first, Bytes::default(), Bytes::default(), symbols]
    }
}

impl Kernel<'_> {
    fn first_bank(&self, launch: &Launch, cluster: [u32; 3]) -> Bytes {
        let places = &self.entry.places;
        let mut bank = Bytes::undefined(1 << 16);
        let mut words = |place: usize, words: &[u32]| {
            for (number, word) in words.iter().enumerate() {
                let _ = bank.write(place + 4 * number, 4, Some(*word));
            }
        };
        words(places.extents[0], &launch.block);
        words(places.extents[1], &launch.grid);
        let dynamic = u32::try_from(launch.dynamic_shared).unwrap_or(u32::MAX);
        words(places.dynamic_shared, &[dynamic]);
        words(places.stack, &[Stack::TOP as u32]);
        let mut windows = [
            memory::SHARED_WINDOW,
            memory::LOCAL_WINDOW,
            memory::CONSTANT_WINDOW,
            memory::PARAMETER_WINDOW,
        ];
        if !places.window_of_bank {
            windows[3] += places.parameters as u64;
        }
        for (place, window) in places.windows.iter().zip(windows) {
            if let Some(place) = place {
                words(*place, &[window as u32, (window >> 32) as u32]);
            }
        }
        if let Some(clusters) = &places.clusters {
            let counts = [0, 1, 2].map(|axis| launch.grid[axis] / cluster[axis]);
            let size: u32 = cluster.iter().product();
            words(
                clusters.implicit,
                &[u32::from(self.entry.cluster.or(launch.cluster).is_none())],
            );
            words(clusters.extents, &cluster);
            words(clusters.clusters, &counts);
            words(clusters.size, &[size]);
            let reciprocals = cluster.map(|extent| (1.0 / extent as f32).to_bits());
            words(clusters.reciprocals, &reciprocals);
        }
        for (number, byte) in launch.parameters.iter().enumerate() {
            let _ = bank.write(places.parameters + number, 1, Some((*byte).into()));
        }
        bank
    }
}

pub(super) fn zero_padded(symbol: &Symbol) -> Vec<u8> {
    let mut bytes = symbol.initial.clone();
    bytes.resize(symbol.size, 0);
    bytes
}

impl Symbols {
    /// The generic address of a symbol, for initial bytes of memory.
    fn generic_address(&self, symbol: &str, generic: bool) -> Option<u64> {
        if let Some(function) = self.functions.get(symbol) {
            return Some(memory::function_address(*function));
        }
        let constant = self.constants.iter().any(|(name, _)| name == symbol);
        let window = match generic {
            true if constant => memory::CONSTANT_WINDOW,
            _ => 0,
        };
        Some(window + self.addresses.get(symbol)?)
    }

    /// Writes the addresses in initial bytes, once all symbols have a location.
    ///
    /// # Errors
    /// An address of a symbol without a location.
    fn write_addresses(&mut self, context: &Context) -> Result<(), Fault> {
        for memory in std::mem::take(&mut self.with_addresses) {
            let own = memory.sym_name(context).unwrap_or_default();
            let all = memory.addresses(context);
            let all = all
                .and_then(|all| all.as_array(context))
                .unwrap_or_default();
            for address in all {
                let number = |key: &str| address.get(context, key)?.as_i64(context);
                let symbol = address.get(context, "symbol");
                let symbol = symbol.and_then(|symbol| symbol.as_symbol(context));
                let symbol = symbol.unwrap_or_default();
                let generic = address.get(context, "generic").is_some();
                let Some(base) = self.generic_address(symbol, generic) else {
                    let message = format!("takes the address of '{symbol}', which has none");
                    return Err(Fault::at(context, memory.0, &message));
                };
                let addend = number("addend").unwrap_or(0);
                let mut value = base.wrapping_add(addend.cast_unsigned());
                if let Some(mask) = number("mask")
                    .map(i64::cast_unsigned)
                    .filter(|mask| *mask != 0)
                {
                    value = (value & mask) >> mask.trailing_zeros();
                }
                let at = |key| number(key).and_then(|number| usize::try_from(number).ok());
                let (offset, bytes) = (at("offset").unwrap_or(0), at("bytes").unwrap_or(0));
                let found = self.constants.iter_mut().chain(&mut self.globals);
                let mut found = found.filter(|(name, _)| name == own);
                if let Some((_, symbol)) = found.next() {
                    let initial = symbol.initial.iter_mut().skip(offset).take(bytes);
                    for (to, from) in initial.zip(value.to_le_bytes()) {
                        *to = from;
                    }
                }
            }
        }
        Ok(())
    }

    /// Places shared memory without a size behind the other one, where ptxas places it.
    fn place_dynamic(&mut self) {
        const ALIGNMENT: usize = 16;
        if let Some(most) = self.dynamic.iter().map(|(_, alignment)| *alignment).max() {
            self.shared = self.shared.next_multiple_of(most.max(ALIGNMENT));
        }
        for (name, _) in self.dynamic.drain(..) {
            self.addresses.insert(name, self.shared as u64);
        }
    }

    fn add(&mut self, context: &Context, memory: Memory) {
        use orison_ori::keywords::Space;
        let size = usize::try_from(memory.size(context).unwrap_or(0)).unwrap_or(0);
        let alignment = usize::try_from(memory.alignment(context).unwrap_or(1)).unwrap_or(1);
        let name = memory.sym_name(context).unwrap_or_default().to_owned();
        self.with_addresses.push(memory);
        let initial = memory.initial(context);
        let initial = initial.and_then(|initial| initial.as_integer_array(context));
        let initial = initial.map_or_else(Vec::new, |(_, bytes)| {
            bytes.iter().map(|byte| *byte as u8).collect()
        });
        let mut symbol = Symbol {
            address: 0,
            initial,
            size,
            unknown: memory.initial_text(context).is_some(),
        };
        let behind = |end: &mut usize| {
            let start = end.next_multiple_of(alignment.max(1));
            *end = start.saturating_add(size);
            start as u64
        };
        match memory.space(context) {
            Some(Space::Shared) if size == 0 => {
                self.dynamic.push((name.clone(), alignment));
                self.shared_names.insert(name.clone());
            }
            Some(Space::Shared) => {
                symbol.address = behind(&mut self.shared);
                self.shared_names.insert(name.clone());
            }
            Some(Space::Constant) => {
                let mut end = self
                    .constants
                    .last()
                    .map_or(0, |(_, last)| last.address as usize + last.size);
                symbol.address = behind(&mut end);
                self.constants.push((name.clone(), symbol.clone()));
            }
            _ => {
                symbol.address = GlobalMemory::symbol_address(self.globals.len());
                self.globals.push((name.clone(), symbol.clone()));
            }
        }
        self.addresses.insert(name, symbol.address);
    }
}
