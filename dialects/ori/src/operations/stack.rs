//! Local memory: the frame of an activation, and what is taken beside it while the activation runs.
//!
//! The attribute `frame` of a function has its variables, the slots of the frame. Every activation has
//! a frame of its own, which ends with it. The stack grows down; ptxas keeps its end in R1, which no
//! operation names: code generation has to.

use orison_ir::declare::{Assembly, Effects, I32Attr, StrAttr, Trait, VerifyResult};
use orison_ir::{Attribute, Context, Operation, Region};
use rustc_hash::FxHashSet;

use super::structure::Func;
use crate::declare::machine_operations;
use crate::types::{R, SOURCE};

/// A variable in the frame of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot<'c> {
    /// Its name, unique in the function.
    pub name: &'c str,
    /// Bytes from the lowest address of the frame to it, a multiple of its alignment.
    pub offset: u32,
    /// Bytes of it.
    pub size: u32,
    /// What its address is a multiple of: a power of two in bytes.
    pub alignment: u32,
}

impl<'c> Slot<'c> {
    /// An entry of the attribute `frame`; none when a key is missing or out of range.
    fn read(context: &'c Context, entry: Attribute) -> Option<Self> {
        let number = |key| u32::try_from(entry.get(context, key)?.as_i32(context)?).ok();
        Some(Slot {
            name: entry.get(context, "name")?.as_str(context)?,
            offset: number("offset")?,
            size: number("size")?,
            alignment: number("alignment").filter(|alignment| alignment.is_power_of_two())?,
        })
    }

    /// The entry of the attribute `frame`. Numbers that do not fit an `i32` become the largest one,
    /// which the verifier refuses.
    pub fn attribute(&self, context: &mut Context) -> Attribute {
        let name = Attribute::string(context, self.name);
        let mut entry = Attribute::EMPTY_DICTIONARY.with(context, "name", name);
        let numbers = [
            ("offset", self.offset),
            ("size", self.size),
            ("alignment", self.alignment),
        ];
        for (key, number) in numbers {
            let number = Attribute::i32(context, i32::try_from(number).unwrap_or(i32::MAX));
            entry = entry.with(context, key, number);
        }
        entry
    }
}

/// The frame that every activation of a function has in local memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame<'c> {
    /// The variables, by offset; no two of them overlap.
    pub slots: Vec<Slot<'c>>,
}

impl<'c> Frame<'c> {
    /// The most bytes of local memory that a thread has (CUDA programming guide, technical
    /// specifications), all frames of its activations together.
    pub const LOCAL_MEMORY: u32 = 512 << 10;

    /// The frame of a function; malformed entries of the attribute are left out.
    pub fn of(context: &'c Context, function: Func) -> Self {
        let entries = function.frame(context);
        let entries = entries.and_then(|entries| entries.as_array(context));
        let entries = entries.unwrap_or_default().iter();
        Frame {
            slots: entries
                .filter_map(|entry| Slot::read(context, *entry))
                .collect(),
        }
    }

    /// Bytes from the lowest address of the frame to the end of the last slot.
    pub fn size(&self) -> u32 {
        let last = self.slots.last();
        last.map_or(0, |slot| slot.offset.saturating_add(slot.size))
    }

    /// What the address of the frame is a multiple of, in bytes.
    pub fn alignment(&self) -> u32 {
        let alignments = self.slots.iter().map(|slot| slot.alignment);
        alignments.max().unwrap_or(1)
    }
}

orison_ir::operations! {
    /// The address of a slot of the frame of the activation that executes it.
    ///
    /// It is the same wherever it stands in the function, and another one in each activation that has
    /// not ended. Accesses beyond the slot, and after the activation has ended, are undefined.
    op SlotAddress = "ori.slot_address" {
        results {
            /// The address in local memory.
            result: one(R)
        }
        attributes {
            /// The name of the slot in the attribute `frame` of the function.
            slot = "slot": required(StrAttr)
        }
        with {
            traits: &[Trait::AlwaysSpeculatable, Trait::HasParent(&["ori.func"])],
            effects: Effects::None,
            assembly: Assembly::Format("$slot attr-dict `:` type($result)"),
        }
    }
}

machine_operations! {
    /// Takes local memory beside the frame until the activation ends or the stack is put back.
    ///
    /// What it holds at first is undefined.
    op Alloca = "ori.alloca" {
        operands {
            /// How many bytes.
            size: one(SOURCE),
        }
        results {
            /// Its address in local memory.
            address: one(R),
        }
        attributes {
            /// What the address is a multiple of: a power of two in bytes.
            alignment = "alignment": required(I32Attr),
        }
        effects: Unknown,
        verify: alignment,
    }

    /// The end of the stack.
    op StackSave = "ori.stack_save" {
        results {
            /// Its address in local memory.
            place: one(R),
        }
        effects: Unknown,
    }

    /// Puts the end of the stack back to where it was.
    op StackRestore = "ori.stack_restore" {
        operands {
            /// Where it was in this activation.
            place: one(SOURCE),
        }
        effects: Unknown,
    }
}

/// Slots are aligned, do not overlap, have names of their own and fit local memory; addresses are
/// those of slots that there are.
pub(super) fn verify_frame(context: &Context, op: Operation) -> VerifyResult {
    let entries = Func(op).frame(context);
    let entries = entries.and_then(|entries| entries.as_array(context));
    let mut names = FxHashSet::default();
    let mut end = 0;
    for (number, entry) in entries.unwrap_or_default().iter().enumerate() {
        let Some(slot) = Slot::read(context, *entry) else {
            let message = format!(
                "slot #{number} must have name, offset, size and an alignment that is a power of two"
            );
            return Err(op.op_error(context, message));
        };
        let fault = if !names.insert(slot.name) {
            "has the name of one before".to_owned()
        } else if slot.offset < end {
            "overlaps the one before".to_owned()
        } else if slot.offset % slot.alignment != 0 {
            format!("is not aligned to {} bytes", slot.alignment)
        } else if slot.offset.saturating_add(slot.size) > Frame::LOCAL_MEMORY {
            format!(
                "ends beyond the {} bytes of local memory that a thread has",
                Frame::LOCAL_MEMORY
            )
        } else {
            end = slot.offset + slot.size;
            continue;
        };
        let message = format!("slot '{}' {fault}", slot.name);
        return Err(op.op_error(context, message));
    }
    verify_addresses(context, Func(op).body(context), &names)
}

fn verify_addresses(context: &Context, body: Region, slots: &FxHashSet<&str>) -> VerifyResult {
    for block in body.blocks(context) {
        for op in block.operations(context) {
            let Some(address) = SlotAddress::of(context, op) else {
                continue;
            };
            let name = address.slot(context).unwrap_or_default();
            if !slots.contains(name) {
                let message = format!("there is no slot '{name}' in the frame of the function");
                return Err(op.op_error(context, message));
            }
        }
    }
    Ok(())
}

fn alignment(context: &Context, op: Operation) -> VerifyResult {
    let alignment = op.attribute(context, "alignment");
    let alignment = alignment.and_then(|alignment| alignment.as_i32(context));
    let alignment = alignment.unwrap_or(0);
    if u32::try_from(alignment).is_ok_and(u32::is_power_of_two) {
        return Ok(());
    }
    let message = format!("alignment must be a power of two, but is {alignment}");
    Err(op.op_error(context, message))
}
