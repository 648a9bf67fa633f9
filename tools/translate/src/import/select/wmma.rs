//! `wmma`: warp matrices whose register layout is opaque to PTX, and private to their loads,
//! products and stores. Here it is that of the operands of `mma`, two products of which make one.
//!
//! A matrix is divided into tiles of 16 or 8 rows of a left factor, 8 columns of a right factor, or
//! 8 columns of a sum. With 8 rows and 32 columns the roles are swapped: the transposed product has
//! 32 rows. ptxas does the same, sm_80 to sm_90.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};
use super::emit::packed_bytes;
use super::float16::{as_float, as_half};
use super::matrix::parts;
use super::memory::operation_on;
use super::modifiers::Words;
use super::spaces::{SPACES, Space, address_in, addressed};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// The shape of `wmma`, by the names of shape and format.
#[derive(Clone, Copy)]
struct Matrices {
    /// Rows of the left matrix and the sum.
    rows: u32,
    /// Columns of the right matrix and the sum.
    columns: u32,
    /// Columns of the left matrix, rows of the right.
    depth: u32,
}

/// Which matrix of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Left,
    Right,
    Sum,
}

/// The part of a matrix in one register of a thread: an element, or several adjacent ones.
#[derive(Clone, Copy)]
struct Part {
    /// Row of a left factor or sum, column of a right factor, at thread 0.
    outer: u32,
    /// The other coordinate, at thread 0.
    inner: u32,
}

/// The layout of a matrix in the registers of a warp.
struct Layout {
    /// Bits of an element.
    bits: u32,
    /// Elements of a register that are adjacent in `inner`.
    elements: u32,
    /// `inner` of a thread's first element is its index in a group of four times this.
    step: u32,
    /// The parts of a thread, in order.
    parts: Vec<Part>,
    /// Extents of `outer` and `inner`.
    extents: [u32; 2],
}

impl Matrices {
    fn of(shape: &str) -> Option<Self> {
        let [rows, columns, depth] = match shape {
            ".m16n16k16" => [16, 16, 16],
            ".m32n8k16" => [32, 8, 16],
            ".m8n32k16" => [8, 32, 16],
            ".m16n16k8" => [16, 16, 8],
            ".m8n8k4" => [8, 8, 4],
            ".m8n8k32" => [8, 8, 32],
            ".m8n8k128" => [8, 8, 128],
            _ => return None,
        };
        Some(Matrices {
            rows,
            columns,
            depth,
        })
    }

    /// Whether this shape supports elements of a format.
    fn knows(self, format: &str) -> bool {
        let wide = self.depth == 16;
        match format {
            ".f16" | ".bf16" | ".s8" | ".u8" => wide,
            ".tf32" => self.depth == 8,
            ".f64" => self.depth == 4,
            ".s4" | ".u4" => self.depth == 32,
            ".b1" => self.depth == 128,
            ".f32" => wide || self.depth == 8,
            ".s32" => wide || self.depth >= 32,
            _ => false,
        }
    }

    /// Whether the transposed product is computed.
    fn is_swapped(self) -> bool {
        self.rows < self.columns
    }

    /// Rows and columns of the computed product.
    fn extents(self) -> [u32; 2] {
        if self.is_swapped() {
            [self.columns, self.rows]
        } else {
            [self.rows, self.columns]
        }
    }

    /// Rows of a tile.
    fn tile_rows(self) -> u32 {
        self.extents()[0].min(16)
    }

    /// The role of a matrix in the computed product.
    fn role(self, which: Which) -> Which {
        match which {
            Which::Left if self.is_swapped() => Which::Right,
            Which::Right if self.is_swapped() => Which::Left,
            which => which,
        }
    }

    /// The register layout of the matrix with a role.
    fn layout(self, role: Which, format: &str) -> Option<Layout> {
        let bits = match format {
            ".f64" => 64,
            ".f32" | ".tf32" | ".s32" => 32,
            ".f16" | ".bf16" => 16,
            ".s8" | ".u8" => 8,
            ".s4" | ".u4" => 4,
            ".b1" => 1,
            _ => return None,
        };
        let elements = (32 / bits).max(1);
        let [rows, columns] = self.extents();
        let halves = self.tile_rows() / 8;
        let mut parts = Vec::new();
        match role {
            Which::Sum => {
                // Two adjacent elements of a thread are one register or two.
                let registers = 2 / elements.min(2);
                for (tile_row, tile_column) in tiles(rows, columns, self.tile_rows()) {
                    for half in 0..halves {
                        for register in 0..registers {
                            parts.push(Part {
                                outer: tile_row + 8 * half,
                                inner: tile_column + register,
                            });
                        }
                    }
                }
            }
            Which::Left | Which::Right => {
                let (outer, halves) = match role {
                    Which::Left => (rows, halves),
                    _ => (columns, 1),
                };
                for tile in (0..outer).step_by(8 * halves as usize) {
                    for inner in (0..self.depth).step_by(4 * elements as usize) {
                        for half in 0..halves {
                            parts.push(Part {
                                outer: tile + 8 * half,
                                inner,
                            });
                        }
                    }
                }
            }
        }
        let (step, extents) = match role {
            Which::Sum => (2, [rows, columns]),
            Which::Left => (elements, [rows, self.depth]),
            Which::Right => (elements, [columns, self.depth]),
        };
        Some(Layout {
            bits,
            elements,
            step,
            parts,
            extents,
        })
    }
}

/// The origins of the tiles of a sum, in register order.
fn tiles(rows: u32, columns: u32, tile_rows: u32) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    for row in (0..rows).step_by(tile_rows as usize) {
        for column in (0..columns).step_by(8) {
            all.push((row, column));
        }
    }
    all
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    // A branch around it would enclose many operations; guards do not occur in practice.
    emitter.guard.is_none().then_some(())?;
    let mut words = Words::of(instruction);
    match words.first()? {
        ".load" => transfer(emitter, &mut words, &instruction.operands, true),
        ".store" => transfer(emitter, &mut words, &instruction.operands, false),
        ".mma" => product(emitter, &mut words, &instruction.operands),
        _ => None,
    }
}

/// The location of a matrix in memory, relative to a thread.
struct Place {
    space: Space,
    /// The first byte of the matrix.
    base: Value,
    /// The constant offset in the address.
    offset: i32,
    /// Elements between rows, or between columns.
    stride: Stride,
    bits: u32,
}

/// A stride that is constant or not.
#[derive(Clone, Copy)]
enum Stride {
    Known(i32),
    In(Value),
}

impl Place {
    /// Bytes of a number of elements; `None` if not whole.
    fn bytes(&self, elements: u32) -> Option<i32> {
        let bits = elements.checked_mul(self.bits)?;
        (bits % 8 == 0).then_some(())?;
        i32::try_from(bits / 8).ok()
    }

    /// The address of the element at `lines` strides and `elements` from the base.
    fn at(&self, emitter: &mut Emitter<'_, '_>, lines: u32, elements: u32) -> Option<Address> {
        let within = self.bytes(elements)?;
        let line_bytes = self.bytes(lines);
        let offset = self.offset.checked_add(within)?;
        match self.stride {
            Stride::Known(stride) => {
                let lines = i64::from(lines) * i64::from(stride) * i64::from(self.bits) / 8;
                let offset = offset.checked_add(i32::try_from(lines).ok()?)?;
                (-(1 << 23)..1 << 23).contains(&offset).then_some(())?;
                Some(Address {
                    base: Some(self.base),
                    offset,
                })
            }
            Stride::In(_) if lines == 0 => Some(Address {
                base: Some(self.base),
                offset,
            }),
            Stride::In(stride) => {
                let bytes = emitter.word_of(line_bytes?);
                let base = distant(emitter, self.space, self.base, stride, bytes);
                Some(Address {
                    base: Some(base),
                    offset,
                })
            }
        }
    }

    /// Advances the base to the start of a thread: `line` strides and `element` elements.
    fn of_thread(
        &mut self,
        emitter: &mut Emitter<'_, '_>,
        line: Value,
        element: Value,
    ) -> Option<()> {
        let stride = match self.stride {
            Stride::Known(stride) => emitter.word_of(stride),
            Stride::In(stride) => stride,
        };
        let count = emitter.multiply(line, stride, element);
        self.base = if self.bits < 8 {
            // Strides of elements narrower than a byte are whole bytes.
            let shift = emitter.word_of(if self.bits == 4 { 1 } else { 3 });
            let bytes = emitter.right(count, shift, false);
            let one = emitter.word_of(1);
            distant(emitter, self.space, self.base, bytes, one)
        } else {
            let bytes = emitter.word_of(i32::try_from(self.bits / 8).ok()?);
            distant(emitter, self.space, self.base, count, bytes)
        };
        Some(())
    }
}

/// An address `count * bytes` after another.
fn distant(
    emitter: &mut Emitter<'_, '_>,
    space: Space,
    base: Value,
    count: Value,
    bytes: Value,
) -> Value {
    if space.is_narrow() {
        emitter.multiply(count, bytes, base)
    } else {
        emitter.multiply_pair(count, bytes, base, false)
    }
}

/// The modifiers of a load or store.
struct Access {
    layout: Layout,
    /// Elements of a register are contiguous in memory.
    natural: bool,
}

/// `wmma.load` and `wmma.store`.
fn transfer<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
    loads: bool,
) -> Option<()> {
    let which = match (words.first()?, loads) {
        (".a", true) => Which::Left,
        (".b", true) => Which::Right,
        (".c", true) | (".d", false) => Which::Sum,
        _ => return None,
    };
    let format = words.last()?;
    (words.take(".sync") && words.take(".aligned")).then_some(())?;
    let by_rows = words.any(&[".row", ".col"])? == ".row";
    let shape = words.first()?;
    let space = words.translated(&SPACES).unwrap_or_default();
    words.done()?;
    (space != Space::Cluster).then_some(())?;
    let matrices = Matrices::of(shape).filter(|shape| shape.knows(format))?;
    let layout = matrices.layout(matrices.role(which), format)?;
    // The inner coordinate of a left factor runs along rows, that of a right one along columns.
    let natural = match which {
        Which::Left => by_rows,
        Which::Right => !by_rows,
        Which::Sum => by_rows != matrices.is_swapped(),
    };
    (natural || layout.bits >= 8).then_some(())?;
    let (data, address, stride) = match (operands, loads) {
        ([data, address], true) | ([address, data], false) => (data, address, None),
        ([data, address, stride], true) | ([address, data, stride], false) => {
            (data, address, Some(stride))
        }
        _ => return None,
    };
    let place = place_of(emitter, &layout, space, address, stride, natural)?;
    let access = Access { layout, natural };
    if loads {
        return load(emitter, &access, place, data);
    }
    store(emitter, &access, place, data)
}

fn place_of<'a>(
    emitter: &mut Emitter<'_, 'a>,
    layout: &Layout,
    space: Space,
    address: &Expression<'a>,
    stride: Option<&Expression<'a>>,
    natural: bool,
) -> Option<Place> {
    let address = address_in(emitter, space, address)?;
    let stride = match stride.map(|stride| (stride, stride.as_integer())) {
        None => Stride::Known(i32::try_from(layout.extents[usize::from(natural)]).ok()?),
        Some((_, Some(known))) => Stride::Known(i32::try_from(known).ok()?),
        Some((stride, None)) => Stride::In(emitter.source(stride, R)?),
    };
    Some(Place {
        space,
        base: address.base?,
        offset: address.offset,
        stride,
        bits: layout.bits,
    })
}

impl Access {
    /// Whether 16-bit elements are transposed as 8 by 8 matrices in the warp.
    fn transposes(&self) -> bool {
        !self.natural && self.layout.bits == 16
    }

    /// Advances a location to the start of each thread.
    fn to_thread(&self, emitter: &mut Emitter<'_, '_>, place: &mut Place) -> Option<()> {
        let lane = emitter.special_register("SR_LANEID");
        let two = emitter.word_of(2);
        let group = emitter.right(lane, two, false);
        let four = emitter.masked(lane, 3);
        let step = emitter.word_of(i32::try_from(self.layout.step).ok()?);
        let zero = emitter.word_of(0);
        let inner = emitter.multiply(four, step, zero);
        if self.natural || self.transposes() {
            place.of_thread(emitter, group, inner)
        } else {
            place.of_thread(emitter, inner, group)
        }
    }

    /// Lines and elements from the start of the thread to one of its parts.
    fn distance(&self, part: Part) -> (u32, u32) {
        if self.natural {
            (part.outer, part.inner)
        } else {
            (part.inner, part.outer)
        }
    }

    /// The width of a single access, and the parts it fills.
    fn at_once(&self) -> (&'static str, Register, usize) {
        let pairs = self.natural && self.layout.step == 2 && self.layout.elements == 1;
        match (self.layout.bits, pairs) {
            (64, true) => ("b128", Register::R128, 2),
            (64, false) => ("b64", R64, 1),
            (32, true) => ("b64", R64, 2),
            _ => ("b32", R, 1),
        }
    }

    /// The register of a part.
    fn register(&self) -> Register {
        if self.layout.bits == 64 { R64 } else { R }
    }
}

fn load<'a>(
    emitter: &mut Emitter<'_, 'a>,
    access: &Access,
    mut place: Place,
    data: &Expression<'a>,
) -> Option<()> {
    access.to_thread(emitter, &mut place)?;
    let name = operation_on(place.space, true)?;
    let fetch = |emitter: &mut Emitter<'_, 'a>, address: &Address, width: &str, to: Register| {
        let op = emitter.operation(name, &[], &[("width", width)]);
        let op = addressed(emitter, op, "base", "offset", address);
        emitter.emit(op.result(to))
    };
    let (width, register, together) = access.at_once();
    let bytewise = !access.natural && access.layout.bits == 8;
    let mut values = Vec::new();
    for parts in access.layout.parts.chunks(together) {
        let (lines, elements) = access.distance(parts[0]);
        if bytewise {
            let mut bytes = Vec::new();
            for byte in 0..4 {
                let address = place.at(emitter, lines + byte, elements)?;
                bytes.push(fetch(emitter, &address, "u8", R));
            }
            values.push(packed_bytes(emitter, &bytes));
            continue;
        }
        let address = place.at(emitter, lines, elements)?;
        let value = fetch(emitter, &address, width, register);
        if access.transposes() {
            let op = MachineOperation::new(ori::Movm::NAME).operand("a", value);
            values.push(emitter.emit(op.result(R)));
        } else if together == 1 {
            values.push(value);
        } else {
            values.extend(emitter.cut(value, 2, access.register()));
        }
    }
    // 16-bit elements of some shapes are duplicated.
    let targets = parts(data);
    (targets.len().is_multiple_of(values.len())).then_some(())?;
    for (target, value) in targets.iter().zip(values.iter().cycle()) {
        emitter.write(target, *value)?;
    }
    Some(())
}

fn store<'a>(
    emitter: &mut Emitter<'_, 'a>,
    access: &Access,
    mut place: Place,
    data: &Expression<'a>,
) -> Option<()> {
    let sources = parts(data);
    (sources.len() == access.layout.parts.len()).then_some(())?;
    let values: Option<Vec<_>> = sources
        .iter()
        .map(|source| emitter.source(source, access.register()))
        .collect();
    let values = values?;
    access.to_thread(emitter, &mut place)?;
    let name = operation_on(place.space, false)?;
    let (width, _, together) = access.at_once();
    for (parts, values) in access
        .layout
        .parts
        .chunks(together)
        .zip(values.chunks(together))
    {
        let (lines, elements) = access.distance(parts[0]);
        let mut value = emitter.concat(values);
        if access.transposes() {
            let op = MachineOperation::new(ori::Movm::NAME).operand("a", value);
            value = emitter.emit(op.result(R));
        }
        let address = place.at(emitter, lines, elements)?;
        let op = emitter.operation(name, &[], &[("width", width)]);
        let op = addressed(emitter, op, "base", "offset", &address);
        emitter.emit_all(op.operand("value", value));
    }
    Some(())
}

/// The formats of the factors, the addend and the sum.
struct Formats<'m> {
    left: &'m str,
    right: &'m str,
    /// The format of the addend.
    addend: &'m str,
    /// The format of the sum.
    sum: &'m str,
    exclusive: bool,
    saturates: bool,
}

impl<'m> Formats<'m> {
    fn of(words: &mut Words<'m>) -> Option<(Self, &'m str)> {
        let bits = words.any(&[".xor", ".and"]);
        (words.take(".popc") == bits.is_some()).then_some(())?;
        (words.take(".sync") && words.take(".aligned")).then_some(())?;
        let saturates = words.take(".satfinite");
        // The memory layout of factors is irrelevant here.
        words.any(&[".row", ".col"])?;
        words.any(&[".row", ".col"])?;
        words.take(".rn");
        let shape = words.first()?;
        let (left, right, addend, sum) = match words.rest() {
            [sum, addend] => (".f16", ".f16", *addend, *sum),
            [sum, left, right, addend] => (*left, *right, *addend, *sum),
            _ => return None,
        };
        let formats = Formats {
            left,
            right,
            addend,
            sum,
            exclusive: bits == Some(".xor"),
            saturates,
        };
        Some((formats, shape))
    }

    /// The operation that multiplies a tile, without operands.
    fn operation(
        &self,
        emitter: &mut Emitter<'_, '_>,
        matrices: Matrices,
        accumulator: &str,
    ) -> Option<MachineOperation> {
        let sides = if matrices.is_swapped() {
            [self.right, self.left]
        } else {
            [self.left, self.right]
        };
        let formats = [
            ("left_format", &sides[0][1..]),
            ("right_format", &sides[1][1..]),
        ];
        let floats = [("from", &self.left[1..]), ("accumulator", accumulator)];
        let integers = |format: &str| matches!(format, ".s8" | ".u8" | ".s4" | ".u4");
        let (name, keys): (_, &[_]) = match (self.left, self.right, accumulator) {
            (".f16", ".f16", "f16" | "f32")
            | (".bf16", ".bf16", "f32")
            | (".tf32", ".tf32", "f32") => (ori::Hmma::NAME, &floats),
            (left, right, "s32") if integers(left) && integers(right) => {
                (ori::Imma::NAME, &formats)
            }
            (".b1", ".b1", "s32") => (ori::Bmma::NAME, &[]),
            (".f64", ".f64", "f64") => (ori::Dmma::NAME, &[]),
            _ => return None,
        };
        let shape = format!("m{}n8k{}", matrices.tile_rows(), matrices.depth);
        let mut op = emitter.operation(name, &[], keys);
        op = op.word(emitter.context(), "shape", &shape);
        if self.saturates {
            (name == ori::Imma::NAME).then_some(())?;
            op = op.flag("saturate");
        }
        Some(if self.exclusive {
            op.flag("exclusive")
        } else {
            op
        })
    }
}

/// The values of a matrix, without duplicates.
fn matrix<'a>(
    emitter: &mut Emitter<'_, 'a>,
    operand: &Expression<'a>,
    layout: &Layout,
) -> Option<Vec<Value>> {
    let all = parts(operand);
    let count = layout.parts.len();
    (all.len() >= count && all.len().is_multiple_of(count)).then_some(())?;
    let register = if layout.bits == 64 { R64 } else { R };
    let values = all[..count]
        .iter()
        .map(|part| emitter.source(part, register));
    values.collect()
}

/// `wmma.mma`: a product for each tile of the sum.
fn product<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let (formats, shape) = Formats::of(words)?;
    let [d, a, b, c] = operands else {
        return None;
    };
    let matrices = Matrices::of(shape)?;
    let known = [formats.left, formats.right, formats.addend, formats.sum];
    known
        .iter()
        .all(|format| matrices.knows(format))
        .then_some(())?;
    let (left, right) = if matrices.is_swapped() {
        ((b, formats.right), (a, formats.left))
    } else {
        ((a, formats.left), (b, formats.right))
    };
    let mut factors = [Vec::new(), Vec::new()];
    for (values, role, (operand, format)) in [(0, Which::Left, left), (1, Which::Right, right)] {
        let layout = matrices.layout(role, format)?;
        factors[values] = matrix(emitter, operand, &layout)?;
    }
    let layout = matrices.layout(Which::Sum, formats.addend)?;
    let mut addend = matrix(emitter, c, &layout)?;
    // Sums are computed in the wider of the formats of addend and sum.
    let accumulator = match (formats.addend, formats.sum) {
        (".f16", ".f16") => "f16",
        (".f16", ".f32") => {
            addend = unpacked(emitter, &addend);
            "f32"
        }
        (".f32", ".f16") => "f32",
        (addend, sum) if addend == sum => &sum[1..],
        _ => return None,
    };
    let op = formats.operation(emitter, matrices, accumulator)?;
    let mut sums = tiled(emitter, matrices, &op, &factors, &addend)?;
    if formats.sum == ".f16" && accumulator == "f32" {
        sums = packed(emitter, &sums);
    }
    let targets = parts(d);
    (targets.len() == sums.len()).then_some(())?;
    for (target, value) in targets.iter().zip(sums) {
        emitter.write(target, value)?;
    }
    Some(())
}

/// Multiplies tile by tile; returns the registers of the sum.
fn tiled(
    emitter: &mut Emitter<'_, '_>,
    matrices: Matrices,
    op: &MachineOperation,
    [left, right]: &[Vec<Value>; 2],
    addend: &[Value],
) -> Option<Vec<Value>> {
    let [rows, columns] = matrices.extents();
    let all = tiles(rows, columns, matrices.tile_rows());
    let tile_rows = (rows / matrices.tile_rows()) as usize;
    let tile_columns = (columns / 8) as usize;
    let each = addend.len() / all.len();
    let mut sums = Vec::new();
    for (number, addend) in addend.chunks(each).enumerate() {
        let of = |values: &[Value], tiles: usize, tile: usize| {
            let each = values.len() / tiles;
            values[tile * each..(tile + 1) * each].to_vec()
        };
        let a = of(left, tile_rows, number / tile_columns);
        let b = of(right, tile_columns, number % tile_columns);
        let (a, b) = (emitter.concat(&a), emitter.concat(&b));
        let c = emitter.concat(addend);
        let ty = Register::of(emitter.builder.ir(), c.ty(emitter.builder.ir()))?;
        let op = op.clone().operand("a", a).operand("b", b).operand("c", c);
        let sum = emitter.emit(op.result(ty));
        let register = Register::general(ty.words()? / u32::try_from(each).ok()?);
        sums.extend(emitter.cut(sum, each, register));
    }
    Some(sums)
}

/// Pairs of halves as floats.
fn unpacked(emitter: &mut Emitter<'_, '_>, pairs: &[Value]) -> Vec<Value> {
    let mut all = Vec::new();
    for pair in pairs {
        all.push(as_float(emitter, "f16", *pair));
        let high = emitter.bytes(*pair, 0x4432);
        all.push(as_float(emitter, "f16", high));
    }
    all
}

/// Floats as pairs of halves.
fn packed(emitter: &mut Emitter<'_, '_>, floats: &[Value]) -> Vec<Value> {
    let halves: Vec<_> = floats
        .iter()
        .map(|float| as_half(emitter, "f16", *float))
        .collect();
    let pairs = halves.chunks(2);
    pairs.map(|pair| emitter.packed(pair[0], pair[1])).collect()
}
