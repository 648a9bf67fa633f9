//! Local memory: the frame of an activation, and dynamic allocation during the activation.
//!
//! The attribute `frame` of a function lists its variables, the slots of the frame. Every
//! activation has its own frame, which ends with it. The stack grows down; ptxas keeps its end in
//! R1, which no operation names: code generation has to.

use orison_ir::declare::{Assembly, Effects, I32Attr, StrAttr, Trait, VerifyResult};
use orison_ir::{Attribute, Context, Operation, Region};
use rustc_hash::FxHashSet;

use super::structure::Func;
use crate::declare::machine_operations;
use crate::types::{R, SOURCE};

/// A variable in the frame of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot<'c> {
    /// The name, unique in the function.
    pub name: &'c str,
    /// Offset in bytes from the lowest address of the frame, a multiple of the alignment.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes, a power of two.
    pub alignment: u32,
}

impl<'c> Slot<'c> {
    /// Reads an entry of the attribute `frame`; `None` if a key is missing or out of range.
    fn read(context: &'c Context, entry: Attribute) -> Option<Self> {
        let number = |key| u32::try_from(entry.get(context, key)?.as_i32(context)?).ok();
        Some(Slot {
            name: entry.get(context, "name")?.as_str(context)?,
            offset: number("offset")?,
            size: number("size")?,
            alignment: number("alignment").filter(|alignment| alignment.is_power_of_two())?,
        })
    }

    /// The entry of the attribute `frame`. Values that do not fit an `i32` become the largest one,
    /// which the verifier rejects.
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

/// The frame in local memory of every activation of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame<'c> {
    /// The variables, by offset, without overlap.
    pub slots: Vec<Slot<'c>>,
}

impl<'c> Frame<'c> {
    /// Maximum size in bytes of a thread's local memory (CUDA programming guide, technical
    /// specifications), for all frames of its activations.
    pub const LOCAL_MEMORY: u32 = 512 << 10;

    /// The frame of a function; malformed entries of the attribute are skipped.
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

    /// Size in bytes from the lowest address of the frame to the end of the last slot.
    pub fn size(&self) -> u32 {
        let last = self.slots.last();
        last.map_or(0, |slot| slot.offset.saturating_add(slot.size))
    }

    /// Alignment of the frame in bytes.
    pub fn alignment(&self) -> u32 {
        let alignments = self.slots.iter().map(|slot| slot.alignment);
        alignments.max().unwrap_or(1)
    }
}

orison_ir::operations! {
    /// The operations of the family without an instruction.
    list PSEUDO;

    /// The address of a slot in the frame of the current activation.
    ///
    /// It is the same everywhere in the function, and differs between activations that have not
    /// ended. Accesses outside of the slot, or after the end of the activation, are undefined.
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
            traits: &[Trait::AlwaysSpeculatable, Trait::HasParent(&[Func::NAME])],
            effects: Effects::None,
            assembly: Assembly::Format("$slot attr-dict `:` type($result)"),
        }
    }
}

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Allocates local memory outside the frame until the activation ends or the stack is restored.
    ///
    /// Its initial contents are undefined.
    op Alloca = "ori.alloca" {
        operands {
            /// Number of bytes.
            size: one(SOURCE),
        }
        results {
            /// The address in local memory.
            address: one(R),
        }
        attributes {
            /// Alignment in bytes: a power of two.
            alignment = "alignment": required(I32Attr),
        }
        with { effects: Effects::Unknown, verify: Some(alignment) }
    }

    /// The current end of the stack.
    op StackSave = "ori.stack_save" {
        results {
            /// The address in local memory.
            place: one(R),
        }
        with { effects: Effects::Unknown }
    }

    /// Restores the end of the stack.
    op StackRestore = "ori.stack_restore" {
        operands {
            /// An earlier end of the stack in this activation.
            place: one(SOURCE),
        }
        with { effects: Effects::Unknown }
    }
}

/// Checks that slots are aligned, do not overlap, have unique names and fit local memory, and that
/// slot addresses name existing slots.
pub(super) fn verify_frame(context: &Context, op: Operation) -> VerifyResult {
    let entries = Func(op).frame(context);
    let entries = entries.and_then(|entries| entries.as_array(context));
    let mut names = FxHashSet::default();
    let mut end = 0;
    for (number, entry) in entries.unwrap_or_default().iter().enumerate() {
        let Some(slot) = Slot::read(context, *entry) else {
            let message = format!(
                "slot #{number} requires a name, an offset, a size and an alignment that is a \
                 power of two"
            );
            return Err(op.op_error(context, message));
        };
        let fault = if !names.insert(slot.name) {
            "has the name of a previous slot".to_owned()
        } else if slot.offset < end {
            "overlaps the previous slot".to_owned()
        } else if slot.offset % slot.alignment != 0 {
            format!("is not aligned to {} bytes", slot.alignment)
        } else if slot.offset.saturating_add(slot.size) > Frame::LOCAL_MEMORY {
            format!(
                "exceeds the {} bytes of local memory of a thread",
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
                let message = format!("the frame of the function has no slot '{name}'");
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
