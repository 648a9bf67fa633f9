//! Kernels of PTX, imported and run, compared with results of the host; each also after each pass, and as machine code of ptxas.

mod clang;
mod files;
mod generator;
mod machine;
mod passes;
mod random_kernels;
mod tensor;
mod triton;

use orison_interpret::warp::{Bytes, GlobalMemory, Launch};

/// An argument of a kernel.
enum Argument {
    /// A number, as stored in the parameter.
    Number(Vec<u8>),
    /// A buffer with a name.
    Buffer(&'static str, Vec<u8>),
    /// A pointer to nothing.
    Null,
}

fn int(value: i32) -> Argument {
    Argument::Number(value.to_le_bytes().to_vec())
}

fn float(value: f32) -> Argument {
    Argument::Number(value.to_le_bytes().to_vec())
}

fn floats(name: &'static str, values: &[f32]) -> Argument {
    Argument::Buffer(name, values.iter().flat_map(|x| x.to_le_bytes()).collect())
}

fn ints(name: &'static str, values: &[i32]) -> Argument {
    Argument::Buffer(name, values.iter().flat_map(|x| x.to_le_bytes()).collect())
}

fn doubles(name: &'static str, values: &[f64]) -> Argument {
    Argument::Buffer(name, values.iter().flat_map(|x| x.to_le_bytes()).collect())
}

/// The final contents of the buffers; all bytes must be defined.
struct Left(GlobalMemory);

impl Left {
    fn bytes(&self, name: &str) -> &[u8] {
        let buffer = self.0.buffer(name).expect("a buffer of the run");
        assert!(
            buffer.known().iter().all(|known| *known),
            "holes in '{name}'"
        );
        buffer.data()
    }

    pub fn floats(&self, name: &str) -> Vec<f32> {
        let words = self.bytes(name).chunks_exact(4);
        words
            .map(|word| f32::from_le_bytes(word.try_into().expect("as many bytes as a number has")))
            .collect()
    }

    pub fn ints(&self, name: &str) -> Vec<i32> {
        let words = self.bytes(name).chunks_exact(4);
        words
            .map(|word| i32::from_le_bytes(word.try_into().expect("as many bytes as a number has")))
            .collect()
    }

    pub fn doubles(&self, name: &str) -> Vec<f64> {
        let words = self.bytes(name).chunks_exact(8);
        words
            .map(|word| f64::from_le_bytes(word.try_into().expect("as many bytes as a number has")))
            .collect()
    }

    pub fn halves(&self, name: &str) -> Vec<u16> {
        let words = self.bytes(name).chunks_exact(2);
        words
            .map(|word| u16::from_le_bytes(word.try_into().expect("as many bytes as a number has")))
            .collect()
    }
}

/// The path of a kernel file: of the tests of this tool, or of the parser.
fn path(file: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");
    let own = format!("{root}/run/ptx/{file}");
    if std::path::Path::new(&own).exists() {
        own
    } else {
        format!("{root}/translate/ptx/{file}")
    }
}

/// Runs a kernel of a file.
fn run(
    file: &str,
    name: &str,
    grid: [u32; 3],
    block: [u32; 3],
    shared: usize,
    arguments: Vec<Argument>,
) -> Left {
    run_with(file, name, grid, block, shared, arguments, Vec::new())
}

/// Runs a kernel of a file, with values in constant memory; passes preserve its behaviour.
fn run_with(
    file: &str,
    name: &str,
    grid: [u32; 3],
    block: [u32; 3],
    shared: usize,
    arguments: Vec<Argument>,
    constants: Vec<(String, Vec<u8>)>,
) -> Left {
    let module = passes::Module::load(file);
    let kernel = module.kernel(name);
    let mut memory = GlobalMemory::default();
    let mut parameters = Vec::new();
    assert_eq!(kernel.parameters().len(), arguments.len());
    for (argument, parameter) in arguments.into_iter().zip(kernel.parameters()) {
        let bytes = match argument {
            Argument::Number(bytes) => bytes,
            Argument::Buffer(name, bytes) => memory
                .add(name, Bytes::defined(bytes))
                .to_le_bytes()
                .to_vec(),
            Argument::Null => vec![0; 8],
        };
        assert_eq!(bytes.len(), parameter.size);
        parameters.resize(parameter.offset, 0);
        parameters.extend(bytes);
    }
    let launch = Launch {
        grid,
        block,
        parameters,
        dynamic_shared: shared,
        constants,
        seed: 7,
        ..Launch::default()
    };
    let before = memory.clone();
    if let Err(fault) = kernel.run(&mut memory, &launch) {
        panic!("{name}: {}", fault.render(&module.context));
    }
    passes::keep(file, name, &launch, &before, &memory);
    machine::agree(file, name, &launch, &before, &memory);
    Left(memory)
}

/// Pseudorandom multiples of 1/64 from -4 to 4.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_769) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8 & 511) as f32 / 64.0 - 4.0
    };
    (0..count).map(|_| next()).collect()
}

/// Pseudorandom integers from 0 to a limit.
fn wholes(count: usize, limit: i32, seed: u32) -> Vec<i32> {
    let numbers = numbers(count, seed).into_iter();
    let wholes = numbers.zip(self::numbers(count, seed + 77));
    wholes
        .map(|(x, y)| ((x + 4.0) * 64.0 + (y + 4.0) * 4096.0) as i32 % limit)
        .collect()
}

fn assert_close(found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (number, (x, y)) in found.iter().zip(expected).enumerate() {
        let close = (x - y).abs() <= tolerance * y.abs().max(1.0);
        assert!(close, "number {number} is {x}, not {y}");
    }
}
