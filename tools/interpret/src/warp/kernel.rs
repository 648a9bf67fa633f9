//! A kernel that is ready to run, and how it is launched.

use orison_ir::{Attribute, Context, Operation};
use orison_ori::operations::sm_number;
use orison_ori::operations::structure::{Func, Memory};
use rustc_hash::FxHashMap;

use super::Fault;
use super::machine::Machine;
use super::memory::{Bytes, GlobalMemory};
use super::program::{Function, Names};

/// How a kernel is run.
#[derive(Clone, Debug)]
pub struct Launch {
    /// CTAs, by dimension.
    pub grid: [u32; 3],
    /// Threads of a CTA, by dimension.
    pub block: [u32; 3],
    /// The bytes of the parameters, as they lie in constant bank 0.
    pub parameters: Vec<u8>,
    /// Bytes of shared memory beside those of symbols with a size.
    pub dynamic_shared: usize,
    /// First values of constant memory with a name, which otherwise are those of the module.
    pub constants: Vec<(String, Vec<u8>)>,
    /// What the order of warps is drawn from.
    pub seed: u64,
    /// Instructions of warps after which a run is given up.
    pub step_limit: u64,
}

impl Default for Launch {
    fn default() -> Self {
        Launch {
            grid: [1; 3],
            block: [32, 1, 1],
            parameters: Vec::new(),
            dynamic_shared: 0,
            constants: Vec::new(),
            seed: 0,
            step_limit: 100_000_000,
        }
    }
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it lies behind the first parameter, in bytes.
    pub offset: usize,
    /// How many bytes it has.
    pub size: usize,
}

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Instructions, one for all lanes of a path.
    pub instructions: u64,
    /// Lanes that took part in them.
    pub lane_instructions: u64,
    /// Branches whose lanes parted.
    pub divergent_branches: u64,
}

/// Where parameters and launch extents lie in constant bank 0.
#[derive(Clone, Copy, Debug)]
struct Places {
    parameters: usize,
    extents: usize,
}

/// The places of a target (seen in what ptxas 13.0 emits); those of sm_80 before it.
fn places(sm: u16) -> Places {
    match sm {
        100.. => Places {
            parameters: 0x380,
            extents: 0x360,
        },
        90..=99 => Places {
            parameters: 0x210,
            extents: 0,
        },
        _ => Places {
            parameters: 0x160,
            extents: 0,
        },
    }
}

/// A symbol of memory.
#[derive(Clone, Debug)]
struct Symbol {
    address: u64,
    initial: Vec<u8>,
    size: usize,
}

/// The memory symbols of a module, by space, and its functions.
#[derive(Clone, Debug, Default)]
struct Symbols {
    addresses: FxHashMap<String, u64>,
    functions: FxHashMap<String, usize>,
    shared: usize,
    local: usize,
    constants: Vec<(String, Symbol)>,
    globals: Vec<(String, Symbol)>,
}

impl Names for Symbols {
    fn address(&self, symbol: &str) -> Option<u64> {
        self.addresses.get(symbol).copied()
    }

    fn function(&self, symbol: &str) -> Option<usize> {
        self.functions.get(symbol).copied()
    }
}

/// A kernel of a module, ready to run any number of times.
#[derive(Debug)]
pub struct Kernel<'c> {
    pub(super) context: &'c Context,
    pub(super) functions: Vec<Function>,
    pub(super) entry: usize,
    places: Places,
    symbols: Symbols,
    parameters: Vec<Parameter>,
}

/// The parameters that an attribute of a kernel tells.
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
    /// Makes a kernel of a module ready, with all functions of the module.
    ///
    /// # Errors
    /// No such kernel; clusters; names without a meaning.
    pub fn new(context: &'c Context, module: Operation, name: &str) -> Result<Self, Fault> {
        let mut functions = Vec::new();
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
                symbols.functions.insert(name, functions.len());
                functions.push(op);
            }
        }
        let Some(&entry) = symbols.functions.get(name) else {
            return Err(Fault::plain(&format!("there is no kernel '{name}'")));
        };
        let op = functions[entry];
        let kernel = Func(op);
        if kernel.kernel(context).is_none() {
            return Err(Fault::at(context, op, "is no kernel"));
        }
        let cluster = kernel.cluster(context).unwrap_or_default();
        if cluster.iter().any(|extent| *extent > 1) {
            return Err(Fault::at(
                context,
                op,
                "has clusters, which are not modelled",
            ));
        }
        let sm = sm_number(kernel.target(context).unwrap_or_default());
        let functions: Result<Vec<_>, _> = functions
            .into_iter()
            .map(|op| Function::new(context, op, &symbols))
            .collect();
        Ok(Kernel {
            context,
            functions: functions?,
            entry,
            places: places(sm.unwrap_or(0)),
            symbols,
            parameters: parameters(context, op),
        })
    }

    /// The parameters, in the order of the declaration.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Runs the kernel on global memory, which is left as it was when the run ended, or stopped.
    ///
    /// # Errors
    /// What the kernel must not do, waits without end, a run that is too long.
    pub fn run(&self, memory: &mut GlobalMemory, launch: &Launch) -> Result<Statistics, Fault> {
        let threads: u64 = launch
            .block
            .iter()
            .map(|extent| u64::from(*extent))
            .product();
        let blocks: u64 = launch
            .grid
            .iter()
            .map(|extent| u64::from(*extent))
            .product();
        if !(1..=1024).contains(&threads) || blocks == 0 {
            let message = format!("a CTA of {threads} threads, a grid of {blocks} CTAs");
            return Err(Fault::plain(&message));
        }
        for (number, (name, symbol)) in self.symbols.globals.iter().enumerate() {
            // The buffers of symbols come behind those of the launch: their addresses are fixed.
            let mut bytes = Bytes::undefined(symbol.size);
            bytes.initialize(&zero_padded(symbol));
            memory.add_symbol(number, name, bytes);
        }
        Machine::new(self, memory, launch).run()
    }

    /// Bytes of shared memory of the symbols that have a size.
    pub(super) fn static_shared(&self) -> usize {
        self.symbols.shared
    }

    /// Bytes of local memory a thread needs.
    pub(super) fn local_size(&self) -> usize {
        self.symbols.local
    }

    /// The constant banks of a launch: parameters and extents in bank 0, symbols in bank 3.
    pub(super) fn banks(&self, launch: &Launch) -> Vec<Bytes> {
        let mut first = Bytes::undefined(1 << 16);
        let words = launch.block.iter().chain(&launch.grid);
        for (number, word) in words.enumerate() {
            let _ = first.write(self.places.extents + 4 * number, 4, Some(*word));
        }
        for (number, byte) in launch.parameters.iter().enumerate() {
            let _ = first.write(self.places.parameters + number, 1, Some((*byte).into()));
        }
        let mut symbols = Bytes::undefined(1 << 16);
        for (name, symbol) in &self.symbols.constants {
            let given = launch.constants.iter().find(|(known, _)| known == name);
            let initial = match given {
                Some((_, bytes)) => bytes.clone(),
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

fn zero_padded(symbol: &Symbol) -> Vec<u8> {
    let mut bytes = symbol.initial.clone();
    bytes.resize(symbol.size, 0);
    bytes
}

impl Symbols {
    fn add(&mut self, context: &Context, memory: Memory) {
        use orison_ori::keywords::Space;
        let size = usize::try_from(memory.size(context).unwrap_or(0)).unwrap_or(0);
        let alignment = usize::try_from(memory.alignment(context).unwrap_or(1)).unwrap_or(1);
        let name = memory.sym_name(context).unwrap_or_default().to_owned();
        let initial = memory.initial(context);
        let initial = initial.and_then(|initial| initial.as_integer_array(context));
        let initial = initial.map_or_else(Vec::new, |(_, bytes)| {
            bytes.iter().map(|byte| *byte as u8).collect()
        });
        let mut symbol = Symbol {
            address: 0,
            initial,
            size,
        };
        let behind = |end: &mut usize| {
            let start = end.next_multiple_of(alignment.max(1));
            *end = start.saturating_add(size);
            start as u64
        };
        match memory.space(context) {
            Some(Space::Shared) => symbol.address = behind(&mut self.shared),
            Some(Space::Local) => symbol.address = behind(&mut self.local),
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
