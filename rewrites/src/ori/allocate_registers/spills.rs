//! Units in local memory: where each has its place, and how it comes back.

use orison_ir::{Attribute, Context, Identifier, Operation};
use orison_ori::analyses::properties;
use orison_ori::operations::structure::Func;
use orison_ori::{MachineOperation, Register};
use rustc_hash::FxHashMap;

use super::residence::{Point, Residence};
use super::units::{Program, UnitId};
use crate::ori::functions::Function;

/// The name of the slot of the frame in which units are kept.
pub const SLOT: &str = "orison.spills";

/// When units leave registers and come back.
#[derive(Debug, Default)]
pub struct Spills {
    /// The units in registers at the start of each block, without arguments.
    pub starts: Vec<Vec<UnitId>>,
    /// The units that leave in front of an instruction.
    pub before: FxHashMap<u32, Vec<UnitId>>,
    /// The units that leave behind what an instruction reads.
    pub behind: FxHashMap<u32, Vec<UnitId>>,
    /// The units that come back in front of an instruction.
    pub back: FxHashMap<u32, Vec<UnitId>>,
    /// The places in local memory, in bytes, of units that are not computed again.
    pub places: FxHashMap<UnitId, i32>,
}

impl Spills {
    /// Gives places to the units that come back.
    pub fn of(context: &Context, program: &Program, residence: Residence) -> Self {
        let mut spills = Spills {
            starts: residence.starts,
            ..Spills::default()
        };
        for (at, is_behind, unit) in residence.drops {
            let list = if is_behind {
                &mut spills.behind
            } else {
                &mut spills.before
            };
            list.entry(at).or_default().push(unit);
        }
        for (point, unit) in residence.reloads {
            let at = match point {
                Point::Before(at) => at,
                Point::End(block) => program.blocks[block as usize].instructions.end - 1,
            };
            spills.back.entry(at).or_default().push(unit);
            if recomputed(context, program, unit).is_none() {
                let next = i32::try_from(4 * spills.places.len()).unwrap_or(i32::MAX);
                spills.places.entry(unit).or_insert(next);
            }
        }
        spills
    }

    /// The bytes in local memory.
    pub fn size(&self) -> i64 {
        4 * i64::try_from(self.places.len()).unwrap_or(0)
    }
}

/// The operation that computes a unit from constants alone.
pub fn recomputed(context: &Context, program: &Program, unit: UnitId) -> Option<Operation> {
    let unit = program.units.get(unit as usize)?;
    let op = unit.value.defining_op(context)?;
    let is_free = op
        .operands(context)
        .all(|operand| program.units_of(operand).is_none());
    let can = is_free
        && op.result_count(context) == 1
        && Register::of(context, unit.value.ty(context)) == Some(Register::R)
        && properties::is_speculatable(context, op)
        && properties::is_instruction(context, op);
    can.then_some(op)
}

/// A copy of the operation that computes a unit.
pub fn copy_of(context: &Context, program: &Program, unit: UnitId) -> Option<MachineOperation> {
    MachineOperation::copy_of(context, recomputed(context, program, unit)?)
}

/// Adds a slot for spilled units to the frame of a function. Returns its offset in the frame.
pub fn add_slot(context: &mut Context, function: Function, size: i64) {
    let frame = Func(function.op).frame(context);
    let mut slots = frame
        .and_then(|frame| frame.as_array(context))
        .map(<[_]>::to_vec)
        .unwrap_or_default();
    let integer = |context: &Context, slot: &Attribute, key: &str| {
        slot.get(context, key)
            .and_then(|value| value.as_i64(context))
            .unwrap_or(0)
    };
    let ends = slots
        .iter()
        .map(|slot| integer(context, slot, "offset") + integer(context, slot, "size"));
    let offset = ends.max().unwrap_or(0).max(0);
    let offset = (offset + 3) / 4 * 4;
    let name = Attribute::string(context, SLOT);
    let entries = [
        ("alignment", Attribute::i32(context, 4)),
        ("name", name),
        (
            "offset",
            Attribute::i32(context, i32::try_from(offset).unwrap_or(0)),
        ),
        (
            "size",
            Attribute::i32(context, i32::try_from(size).unwrap_or(0)),
        ),
    ];
    let entries = entries.map(|(key, value)| (Identifier::new(context, key), value));
    let slot = Attribute::dictionary(context, &entries);
    slots.push(slot);
    let frame = Attribute::array(context, &slots);
    function.op.set_attribute(context, "frame", frame);
}
