//! `tensormap`: fields of a tensor map of 128 bytes, and its copy from shared to global memory.
//!
//! ptxas implements these as loads and stores; the offsets of the fields are observed in the output
//! of version 13.0.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::{Address, Emitter};
use super::emit::{negative, table};
use super::modifiers::Words;
use super::spaces::{SPACES, Space, address_in, addressed};
use super::synchronize::{Fence, fence};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// The location of a field of at most 32 bits.
struct Field {
    /// The offset of its 32-bit container in the map, in bytes.
    word: i32,
    /// Its lowest bit.
    bit: i32,
    /// How many bits.
    width: u32,
    /// The stored value is one less.
    less_one: bool,
    /// Other bits to clear.
    cleared: i32,
}

/// The field with a name; of a dimension, if it has one for each.
fn field_of(name: &str, dimension: i32) -> Option<Field> {
    let field = |word, bit, width, less_one| Field {
        word,
        bit,
        width,
        less_one,
        cleared: 0,
    };
    Some(match name {
        ".rank" => field(0x8, 4, 3, false),
        ".elemtype" => field(0x8, 7, 4, false),
        ".interleave_layout" => field(0x8, 11, 2, false),
        // Setting the mode resets its atomicity to 16 bytes.
        ".swizzle_mode" => Field {
            cleared: 0x40_0000,
            ..field(0x8, 13, 2, false)
        },
        ".fill_mode" => field(0x8, 15, 1, false),
        ".box_dim" if dimension == 0 => field(0x34, 24, 8, true),
        ".box_dim" => field(0x38, 8 * (dimension - 1), 8, true),
        ".global_dim" => field(0x20 + 4 * dimension, 0, 32, true),
        ".element_stride" => field(0x34, 3 * dimension, 3, true),
        _ => return None,
    })
}

/// Access to the 32-bit values of the map at an address.
struct Map {
    space: Space,
    address: Address,
}

impl Map {
    fn access(
        &self,
        emitter: &mut Emitter<'_, '_>,
        loads: bool,
        word: i32,
        width: &str,
    ) -> Option<MachineOperation> {
        let name = match (self.space, loads) {
            (Space::Shared, true) => ori::Lds::NAME,
            (Space::Shared, false) => ori::Sts::NAME,
            (Space::Global, true) => ori::Ldg::NAME,
            (Space::Global, false) => ori::Stg::NAME,
            (Space::Generic, true) => ori::Ld::NAME,
            (Space::Generic, false) => ori::St::NAME,
            _ => return None,
        };
        let place = Address {
            base: self.address.base,
            offset: self.address.offset.checked_add(word)?,
        };
        let op = emitter.operation(name, &[], &[("width", width)]);
        Some(addressed(emitter, op, "base", "offset", &place))
    }

    fn load(&self, emitter: &mut Emitter<'_, '_>, word: i32) -> Option<Value> {
        let op = self.access(emitter, true, word, "b32")?.result(R);
        Some(emitter.emit_kept(op, &[])?[0])
    }

    fn store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        word: i32,
        width: &str,
        value: Value,
    ) -> Option<()> {
        let op = self.access(emitter, false, word, width)?;
        emitter.emit_kept(op.operand("value", value), &[])?;
        Some(())
    }
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    if words.take(".cp_fenceproxy") {
        return copy(emitter, &mut words, &instruction.operands);
    }
    words.take(".replace").then_some(())?;
    words.take(".tile").then_some(())?;
    let name = words.first()?;
    let width = words.last()?;
    words.take(".b1024").then_some(())?;
    let space = words.translated(&SPACES).unwrap_or_default();
    words.done()?;
    let (place, rest) = instruction.operands.split_first()?;
    let map = Map {
        space,
        address: address_in(emitter, space, place)?,
    };
    let (dimension, value) = match rest {
        [value] => (0, value),
        [dimension, value] => (i32::try_from(dimension.as_integer()?).ok()?, value),
        _ => return None,
    };
    (0..5).contains(&dimension).then_some(())?;
    match (name, width) {
        (".global_address", ".b64") => {
            let value = emitter.source(value, R64)?;
            map.store(emitter, 0, "b64", value)
        }
        (".global_stride", ".b64") => {
            (dimension < 4).then_some(())?;
            let value = emitter.source(value, R64)?;
            stride(emitter, &map, dimension, value)
        }
        (name, ".b32") => {
            let field = field_of(name, dimension)?;
            // On later targets other bits also affect swizzling.
            if name == ".swizzle_mode" {
                let mode = value.as_integer()?;
                (0..4).contains(&mode).then_some(())?;
            }
            let value = emitter.source(value, R)?;
            replace(emitter, &map, &field, value)
        }
        _ => None,
    }
}

/// The stride divided by 16: its low 32 bits in a separate location, four more bits in a shared
/// one.
fn stride(emitter: &mut Emitter<'_, '_>, map: &Map, dimension: i32, value: Value) -> Option<()> {
    let four = emitter.word_of(4);
    let scaled = super::bits::shift_pair_right(emitter, value, four, false);
    let (low, high) = (emitter.word(scaled, 0), emitter.word(scaled, 1));
    map.store(emitter, 0xc + 4 * dimension, "b32", low)?;
    let field = Field {
        word: 0x1c,
        bit: 4 * dimension,
        width: 4,
        less_one: false,
        cleared: 0,
    };
    replace(emitter, map, &field, high)
}

fn replace(emitter: &mut Emitter<'_, '_>, map: &Map, field: &Field, value: Value) -> Option<()> {
    let mut value = value;
    if field.less_one {
        let one = emitter.word_of(1);
        value = emitter.plus(value, negative(one));
    }
    if field.width == 32 {
        return map.store(emitter, field.word, "b32", value);
    }
    if field.bit > 0 {
        let bit = emitter.word_of(field.bit);
        value = emitter.left(value, bit);
    }
    let bits = ((1_u32 << field.width) - 1) << field.bit;
    let before = map.load(emitter, field.word)?;
    let mask = emitter.word_of(bits.cast_signed());
    let mut after = emitter.logic(table::CHOOSE, value, mask, before);
    if field.cleared != 0 {
        after = emitter.masked(after, !field.cleared);
    }
    map.store(emitter, field.word, "b32", after)
}

/// A warp copies the map, 32 bits per thread, and its writes are ordered before later accesses.
fn copy<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    operands: &[Expression<'a>],
) -> Option<()> {
    let expected = [".global", ".shared::cta", ".tensormap::generic", ".release"];
    expected.iter().all(|word| words.take(word)).then_some(())?;
    let scope = words.translated(&super::spaces::SCOPES)?;
    (words.rest() == [".sync", ".aligned"]).then_some(())?;
    let [to, from, size] = operands else {
        return None;
    };
    (size.as_integer()? == 128).then_some(())?;
    let (to, from) = (emitter.address(to, false)?, emitter.address(from, true)?);
    let lane = emitter.special_register("SR_LANEID");
    let two = emitter.word_of(2);
    let distance = emitter.left(lane, two);
    let source = emitter.plus(from.base?, distance);
    let wide = emitter.extended_pair(distance, false);
    let target = emitter.add_wide(to.base?, wide, false);
    let op = emitter.operation(
        ori::Lds::NAME,
        &[("base", source.into())],
        &[("width", "b32")],
    );
    let op = op
        .number(emitter.context(), "offset", from.offset)
        .result(R);
    let word = emitter.emit_kept(op, &[])?[0];
    fence(emitter, &Fence::before(scope))?;
    let keys = [
        ("operation", "exch"),
        ("type", "b32"),
        ("order", "strong"),
        ("scope", scope),
    ];
    let sources = [("base", target.into()), ("value", word.into())];
    let op = emitter
        .operation(ori::Atomg::NAME, &sources, &keys)
        .result(R);
    let op = op.number(emitter.context(), "offset", to.offset);
    emitter.emit_kept(op, &[])?;
    Some(())
}
