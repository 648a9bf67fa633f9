//! Warp products with a sparse left matrix, with scales, or of floats narrower than a byte:
//! `mma.sp`, `kind::…` and `block_scale`.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::matrix::parts;
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

const NARROW: [&str; 5] = [".e4m3", ".e5m2", ".e3m2", ".e2m3", ".e2m1"];
const KINDS: [&str; 4] = [
    ".kind::f8f6f4",
    ".kind::mxf8f6f4",
    ".kind::mxf4",
    ".kind::mxf4nvf4",
];

/// The modifiers of a product.
struct Product<'m> {
    shape: &'m str,
    left: &'m str,
    right: &'m str,
    sum: &'m str,
    kind: Option<&'m str>,
    sparse: bool,
    saturates: bool,
    /// Format of the scales and their number per row.
    scales: Option<(&'m str, i32)>,
}

/// Whether a product is one of these.
pub(super) fn is_special(instruction: &Instruction<'_>) -> bool {
    let mut words = instruction.modifiers.iter();
    words.any(|word| word.starts_with(".sp") || word.starts_with(".kind::"))
}

impl<'m> Product<'m> {
    fn of(instruction: &Instruction<'m>) -> Option<Self> {
        let mut words = Words::of(instruction);
        let sparse = words.any(&[".sp", ".sp::ordered_metadata"]).is_some();
        let kind = words.any(&KINDS);
        let scaled = words.take(".block_scale");
        let count = words.translated(&[
            (".scale_vec::1X", 1),
            (".scale_vec::2X", 2),
            (".scale_vec::4X", 4),
        ]);
        let scale = if scaled { Some(words.last()?) } else { None };
        let (addend, right, left, sum) =
            (words.last()?, words.last()?, words.last()?, words.last()?);
        (words.take(".sync") && words.take(".aligned")).then_some(())?;
        let saturates = words.take(".satfinite");
        (words.take(".row") && words.take(".col")).then_some(())?;
        let shape = words.first()?;
        words.done()?;
        (sum == addend).then_some(())?;
        let scales = match (scale, kind) {
            (None, None | Some(".kind::f8f6f4")) => None,
            (Some(format @ ".ue8m0"), Some(".kind::mxf8f6f4")) if count.unwrap_or(1) == 1 => {
                Some((format, 1))
            }
            (Some(format @ ".ue8m0"), Some(".kind::mxf4" | ".kind::mxf4nvf4")) => {
                Some((format, count.unwrap_or(2)))
            }
            (Some(format @ ".ue4m3"), Some(".kind::mxf4nvf4")) => {
                Some((format, count.unwrap_or(4)))
            }
            _ => return None,
        };
        Some(Product {
            shape,
            left,
            right,
            sum,
            kind,
            sparse,
            saturates,
            scales,
        })
    }

    /// The operation without its operands.
    fn operation(&self, emitter: &mut Emitter<'_, '_>) -> Option<MachineOperation> {
        let formats = [
            ("left_format", &self.left[1..]),
            ("right_format", &self.right[1..]),
        ];
        let floats = [("from", &self.left[1..]), ("accumulator", &self.sum[1..])];
        let narrow = [formats[0], formats[1], floats[1]];
        let are_narrow = NARROW.contains(&self.left) && NARROW.contains(&self.right);
        let nibbles = self.left == ".e2m1" && self.right == ".e2m1";
        let integers = |format: &str| matches!(format, ".s8" | ".u8" | ".s4" | ".u4");
        let (name, keys): (_, &[_]) = match (self.kind, self.sparse) {
            (Some(".kind::f8f6f4"), false) if are_narrow => (ori::Qmma::NAME, &narrow),
            (Some(".kind::mxf8f6f4"), _) if are_narrow && self.sum == ".f32" => {
                (ori::QmmaScaled::NAME, &formats)
            }
            (Some(".kind::mxf4" | ".kind::mxf4nvf4"), _) if nibbles && self.sum == ".f32" => {
                (ori::OmmaScaled::NAME, &[])
            }
            (Some(".kind::f8f6f4") | None, true) if are_narrow => (ori::QmmaSparse::NAME, &narrow),
            (None, true) if integers(self.left) && integers(self.right) => {
                (ori::ImmaSparse::NAME, &formats)
            }
            (None, true) if self.left == self.right => (ori::HmmaSparse::NAME, &floats),
            _ => return None,
        };
        (!self.saturates || name == ori::ImmaSparse::NAME).then_some(())?;
        let mut op = emitter.operation(name, &[], keys);
        op = op.word(emitter.context(), "shape", &self.shape[1..]);
        if self.saturates {
            op = op.flag("saturate");
        }
        if name == ori::OmmaScaled::NAME {
            let (format, count) = self.scales?;
            // Scales are unsigned, so that the signed and unsigned formats are equal.
            let format = if format == ".ue4m3" { "e4m3" } else { "ue8m0" };
            op = op.word(emitter.context(), "scale_format", format);
            op = op.number(emitter.context(), "scales", count);
        }
        Some(op)
    }
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let product = Product::of(instruction)?;
    let mut op = product.operation(emitter)?;
    let [d, a, b, c, rest @ ..] = instruction.operands.as_slice() else {
        return None;
    };
    for (group, operand) in [("a", a), ("b", b), ("c", c)] {
        let count = u32::try_from(parts(operand).len()).ok()?;
        let value = emitter.read_parts(operand, Register::general(count), count)?;
        op = op.operand(group, value);
    }
    let rest = if product.sparse {
        let [metadata, selector, rest @ ..] = rest else {
            return None;
        };
        let metadata = emitter.source(metadata, R)?;
        let selector = i32::try_from(selector.as_integer()?).ok()?;
        op = op.operand("metadata", metadata);
        op = op.number(emitter.context(), "selector", selector);
        rest
    } else {
        rest
    };
    match (product.scales.is_some(), rest) {
        (true, [left, left_place, right, right_place]) => {
            let values = [emitter.source(left, R)?, emitter.source(right, R)?];
            op = op
                .operand("left_scale", values[0])
                .operand("right_scale", values[1]);
            let places = places(emitter, [left_place, right_place])?;
            op = op.operand("places", places);
        }
        (false, []) => {}
        _ => return None,
    }
    let count = u32::try_from(parts(d).len()).ok()?;
    let value = emitter.emit_kept(op, &[(d, Register::general(count))])?[0];
    emitter.write_parts(d, value, count)
}

/// `{byte, thread}` of both scales as four bytes of a 32-bit value.
fn places<'a>(emitter: &mut Emitter<'_, 'a>, both: [&Expression<'a>; 2]) -> Option<Value> {
    let mut known = 0;
    let mut others = Vec::new();
    for (operand, pair) in both.into_iter().zip(0..) {
        let numbers = parts(operand);
        (numbers.len() == 2).then_some(())?;
        for (number, place) in numbers.iter().zip(0..) {
            let shift = 8 * (2 * pair + place);
            match number.as_integer() {
                Some(number) => known |= (i32::try_from(number).ok()? & 0xff) << shift,
                None => others.push((emitter.source(number, R)?, shift)),
            }
        }
    }
    let mut all = emitter.word_of(known);
    for (value, shift) in others {
        let byte = emitter.masked(value, 0xff);
        let shift = emitter.word_of(shift);
        let byte = emitter.left(byte, shift);
        all = emitter.logic2(super::emit::table::OR, all, byte);
    }
    Some(all)
}
