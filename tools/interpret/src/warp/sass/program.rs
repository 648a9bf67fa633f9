//! The machine code of a module, prepared to run.

use orison_ir::{Context, Operation};
use orison_machine::sm_number;
use orison_sass::dialect::{Func, Resources, Section};
use orison_sass::function::Function as Text;
use orison_sass::listing::Note;

use super::super::Fault;
use super::super::memory::{Bytes, GlobalMemory};
use super::super::parameters::{Launch, Parameter};
use super::super::program::{Function, Instruction};
use super::super::registers::Registers;
use super::super::symbols::{Symbol, Symbols};
use super::constants::Pool;
use super::decode::{Decoder, Line};
use super::labels::{BYTES, FIRST, Labels};
use super::sections::{Data, Sections, words};

/// Attributes of kernels in `.nv.info`, by number.
const PARAMETER: u8 = 0x17;
const CLUSTER: u8 = 0x3d;

/// A function of a module.
#[derive(Debug)]
struct Entry {
    name: String,
    op: Operation,
    target: String,
    /// The index of its first instruction among those of the module, each counted once.
    start: usize,
    /// The CTAs of the clusters that it requires, as it states.
    cluster: Option<[u32; 3]>,
}

/// The machine code of a module.
#[derive(Debug)]
pub(in crate::warp) struct Module {
    entries: Vec<Entry>,
    sections: Sections,
    pool: Pool,
    /// The place of each instruction among those that the interpreter executes.
    places: Vec<usize>,
}

/// What a launch needs to know of a kernel.
pub(in crate::warp) struct KernelFacts {
    pub(in crate::warp) op: Operation,
    pub(in crate::warp) start: usize,
    pub(in crate::warp) sm: u16,
    /// Its parameters, if the module has the section that describes them.
    pub(in crate::warp) parameters: Option<Vec<Parameter>>,
    pub(in crate::warp) cluster: Option<[u32; 3]>,
    /// Bytes of shared memory, with what the system reserves.
    pub(in crate::warp) shared: usize,
}

/// The first bytes of shared memory that the system reserves, from sm_90 on.
pub(in crate::warp) fn reserved_shared(sm: u16) -> usize {
    if sm >= 90 { 0x400 } else { 0 }
}

/// The CTAs of the clusters that a function states that it requires.
fn cluster(context: &Context, function: Operation) -> Option<[u32; 3]> {
    let stated = Func(function).resources(context)?;
    Resources::of(context, stated).cluster
}

/// The parameters that attributes describe: an index, an ordinal number, an offset, and a size in the
/// bits from 18 on.
fn parameters(kernel: &str, data: &Data) -> Vec<Parameter> {
    let all = data
        .information()
        .into_iter()
        .filter(|it| it.attribute == PARAMETER);
    let mut found: Vec<_> = all
        .filter_map(|it| {
            let [_, place, kind] = words(&it.value)[..] else {
                return None;
            };
            let (number, offset) = (place & 0xFFFF, place >> 16);
            let parameter = Parameter {
                name: format!("{kernel}_param_{number}"),
                offset: offset as usize,
                size: (kind >> 18) as usize,
            };
            Some((number, parameter))
        })
        .collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, parameter)| parameter).collect()
}

impl Module {
    /// Reads and decodes the machine code of a module; `None` if it has none.
    ///
    /// # Errors
    /// A function that is not well-formed.
    pub(in crate::warp) fn new(
        context: &Context,
        module: Operation,
    ) -> Result<Option<(Self, Function, Symbols)>, Fault> {
        let body = module.body_block(context, 0);
        let operations = body.into_iter().flat_map(|body| body.operations(context));
        let mut functions = Vec::new();
        let mut sections = Sections::default();
        for op in operations {
            if Func::matches(context, op) {
                let read = Text::of_operation(context, op);
                let read = read.map_err(|error| Fault::at(context, op, &error.message))?;
                functions.push((op, read));
            } else if let Some(section) = Section::of(context, op) {
                let notes = op.attribute(context, "notes");
                let notes = notes
                    .and_then(|notes| notes.as_array(context))
                    .unwrap_or_default();
                let notes: Vec<Note> = notes
                    .iter()
                    .filter_map(|note| Note::parse(note.as_str(context)?))
                    .collect();
                let title = section.title(context).unwrap_or_default().to_owned();
                sections.insert(title, Data::read(notes.iter()));
            }
        }
        if functions.is_empty() {
            return Ok(None);
        }
        let mut labels = Labels::default();
        let mut entries = Vec::new();
        let mut count = 0;
        for (op, function) in &functions {
            let start = count;
            // The one that stops a run behind a function has an address, too.
            count += labels.add(function, count) + 1;
            entries.push(Entry {
                name: function.name.to_string(),
                op: *op,
                target: function.target.to_string(),
                start,
                cluster: cluster(context, *op),
            });
        }
        let symbols = symbols(&mut sections, &mut labels);
        let (function, pool, places) = decode(context, &functions, &labels);
        Ok(Some((
            Module {
                entries,
                sections,
                pool,
                places,
            },
            function,
            symbols,
        )))
    }

    /// What is known of a kernel.
    pub(in crate::warp) fn kernel(&self, name: &str) -> Option<KernelFacts> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        let sm = sm_number(&entry.target).unwrap_or(0);
        let information = self.sections.get(&format!(".nv.info.{name}"));
        let cluster = information.and_then(|data| {
            let found = data
                .information()
                .into_iter()
                .find(|it| it.attribute == CLUSTER)?;
            <[u32; 3]>::try_from(words(&found.value)).ok()
        });
        let shared = self.sections.get(&format!(".nv.shared.{name}"));
        let shared = shared.map_or(0, |data| data.bytes.len());
        Some(KernelFacts {
            op: entry.op,
            start: self.places.get(entry.start).copied()?,
            sm,
            parameters: information.map(|data| parameters(name, data)),
            cluster: cluster.or(entry.cluster),
            shared: shared.max(reserved_shared(sm)),
        })
    }

    /// The place of the instruction at an address.
    pub(in crate::warp) fn place_of(&self, address: u64) -> Option<usize> {
        let offset = address
            .checked_sub(FIRST)
            .filter(|offset| offset % BYTES == 0)?;
        self.places
            .get(usize::try_from(offset / BYTES).ok()?)
            .copied()
    }

    /// The constant banks behind that of parameters.
    pub(in crate::warp) fn banks(&self, kernel: &str, launch: &Launch) -> Vec<Bytes> {
        let bank = |number: usize| {
            let of_kernel = self.sections.get(&format!(".nv.constant{number}.{kernel}"));
            let data = of_kernel.or_else(|| self.sections.get(&format!(".nv.constant{number}")));
            let Some(data) = data else {
                return Bytes::default();
            };
            let mut bytes = data.bytes.clone();
            for (symbol, place, size) in data.symbols() {
                let given = launch.constants.iter().find(|(known, _)| known == symbol);
                let given = given.map_or(&[][..], |(_, given)| given);
                for (to, from) in bytes[place..].iter_mut().take(size).zip(given) {
                    *to = *from;
                }
            }
            // Beyond its data, a bank has bytes that nothing wrote.
            let mut bank = Bytes::undefined(bytes.len().max(1 << 16));
            bank.initialize(&bytes);
            bank
        };
        (1..=8).map(bank).collect()
    }

    /// The registers of a warp at its start.
    pub(in crate::warp) fn registers(&self, banks: &[Bytes]) -> Registers {
        self.pool.registers(banks)
    }
}

/// Gives the symbols of global memory addresses, and writes the addresses among initial values.
fn symbols(sections: &mut Sections, labels: &mut Labels) -> Symbols {
    let mut symbols = Symbols::default();
    for name in [".nv.global.init", ".nv.global"] {
        for (symbol, place, size) in sections.get(name).into_iter().flat_map(Data::symbols) {
            let address = GlobalMemory::symbol_address(symbols.globals.len());
            labels.insert(symbol, address);
            let initial = sections[name]
                .bytes
                .get(place..place + size)
                .unwrap_or_default();
            symbols.globals.push((
                symbol.to_owned(),
                Symbol::new(address, initial.to_vec(), size),
            ));
        }
    }
    for (name, data) in sections.iter_mut() {
        for (at, size, text) in data.expressions.clone() {
            // `symbol`, `fun@R_CUDA_G64(symbol)`.
            let symbol = text
                .rsplit_once('(')
                .map_or(&*text, |(_, rest)| rest.trim_end_matches(')'));
            let Some(address) = labels.symbol(symbol) else {
                continue;
            };
            data.bytes[at..at + size].copy_from_slice(&address.to_le_bytes()[..size]);
            let of_section = [".nv.global.init", ".nv.global"].contains(&&**name);
            for (symbol, place, extent) in data.symbols().filter(|_| of_section) {
                let known = symbols
                    .globals
                    .iter_mut()
                    .find(|(known, _)| known == symbol);
                if let Some((_, known)) = known
                    && (place..place + extent).contains(&at)
                {
                    known.set(at - place, &address.to_le_bytes()[..size]);
                }
            }
        }
    }
    symbols
}

/// Decodes all instructions.
fn decode(
    context: &Context,
    functions: &[(Operation, Text<'_>)],
    labels: &Labels,
) -> (Function, Pool, Vec<usize>) {
    let mut decoder = Decoder {
        context,
        labels,
        pool: Pool::default(),
        instructions: Vec::new(),
    };
    let mut places = Vec::new();
    for (number, (op, function)) in functions.iter().enumerate() {
        for found in function.instructions() {
            let address = FIRST + BYTES * places.len() as u64;
            places.push(decoder.instructions.len());
            let own = match found.origin {
                orison_sass::scheduled::Origin::Operation(own) => own,
                _ => *op,
            };
            let mut line = Line {
                op: own,
                text: &found.instruction,
                encoding: found.encoding(),
                address,
                function: number,
                guard: None,
            };
            decoder.line(&mut line);
        }
        // Control must not continue with the next function.
        decoder.end(*op);
        places.push(decoder.instructions.len() - 1);
    }
    let Decoder {
        pool, instructions, ..
    } = decoder;
    (Function::of_code(instructions), pool, places)
}

impl Decoder<'_> {
    /// Appends what stops a run that continues after the last instruction of a function.
    fn end(&mut self, op: Operation) {
        let why = "continues after its last instruction".to_owned();
        self.instructions.push(Instruction::stop(op, why));
    }
}
