//! The order of accesses to memory.

use orison_machine::Space;
use orison_sass::effects::{self, Effects};
use orison_sass::instruction::{AddressSpace, Guard, Instruction, MemoryOperand, Operand};
use orison_sass::registers::Register;
use rustc_hash::FxHashMap;

use super::findings::{Reason, Window};
use super::registers::Registers;
use super::{Passed, Placed};

/// What addresses count from: equal sums of registers are comparable in the same space, and in generic and
/// global memory, whose addresses are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    Window(Window),
    Generic,
}

/// The sum of registers in an address: each with its selector, and how often it, and the one behind it if it is
/// a pair, were written before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Base {
    origin: Origin,
    registers: Vec<(Register, Box<str>, [u32; 2])>,
}

/// The bytes of an access: `count` from `first` on, counted from a base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bytes {
    base: Base,
    first: i64,
    count: u8,
}

/// An access of an instruction to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Use {
    windows: &'static [Window],
    writes: bool,
    /// `None` if it may be any.
    bytes: Option<Bytes>,
}

/// The windows of a space. Constant banks are never written.
fn windows(space: Space) -> &'static [Window] {
    match space {
        Space::Generic => &[Window::Local, Window::Shared, Window::Global],
        Space::Local => &[Window::Local],
        Space::Shared | Space::SharedCluster => &[Window::Shared],
        Space::Global => &[Window::Global],
        Space::Surface | Space::Texture => &[Window::Texture],
        Space::Tensor => &[Window::Tensor],
        Space::Constant => &[],
    }
}

/// The accesses of an instruction, with the values that registers have in front of it. One that writes counts
/// as one that also reads.
pub(super) fn uses(
    instruction: &Instruction,
    effects: &Effects,
    registers: &Registers,
) -> Vec<Use> {
    let memory = effects::memory(&instruction.mnemonic);
    let operands = operands(instruction);
    let touched = memory
        .reads
        .iter()
        .filter(|space| !memory.writes.contains(space));
    let touched = touched.map(|space| (*space, false));
    let touched = touched.chain(memory.writes.iter().map(|space| (*space, true)));
    let found = touched.map(|(space, writes)| {
        let operand = match (operands.as_slice(), instruction.mnemonic.base()) {
            ([only], "LD" | "LDG" | "LDS" | "LDL" | "ST" | "STG" | "STS" | "STL") => Some(only),
            // A copy has the address that it writes first.
            ([shared, global], "LDGSTS") => Some(if writes { shared } else { global }),
            _ => None,
        };
        let bytes = operand.map(|(number, operand)| Bytes {
            base: base(space, (*number, operand), effects, registers),
            first: operand.address.offset.unwrap_or(0),
            count: size(instruction),
        });
        Use {
            windows: windows(space),
            writes,
            bytes: bytes.filter(|_| !instruction.guard.is_some_and(Guard::is_never)),
        }
    });
    found.filter(|found| !found.windows.is_empty()).collect()
}

/// The operands that are addresses, with their indices.
fn operands(instruction: &Instruction) -> Vec<(usize, &MemoryOperand)> {
    let operands = instruction.operands.iter().enumerate();
    let addresses = operands.filter_map(|(number, operand)| match operand {
        Operand::Memory(memory) if memory.space == AddressSpace::Plain => Some((number, memory)),
        _ => None,
    });
    addresses.collect()
}

fn base(
    space: Space,
    (number, operand): (usize, &MemoryOperand),
    effects: &Effects,
    registers: &Registers,
) -> Base {
    let origin = match windows(space) {
        [only] if *only != Window::Global => Origin::Window(*only),
        _ => Origin::Generic,
    };
    let added = operand.address.registers.iter();
    let added = added.filter(|found| !found.register.is_constant());
    let values = added.map(|found| {
        let first = found.register;
        let is_pair = effects.uses.iter().any(|access| {
            let range = access.range;
            access.operand == Some(number)
                && (range.file, range.first) == (first.file, first.index)
                && range.count > 1
        });
        let second = Register::new(first.file, first.index.saturating_add(1));
        let high = if is_pair {
            registers.version(second)
        } else {
            0
        };
        (
            first,
            found.selector.clone(),
            [registers.version(first), high],
        )
    });
    let mut registers: Vec<_> = values.collect();
    registers.sort();
    Base { origin, registers }
}

/// The bytes that a thread accesses.
fn size(instruction: &Instruction) -> u8 {
    let mut sizes = instruction.mnemonic.modifiers().filter_map(|modifier| {
        Some(match modifier {
            "U8" | "S8" => 1,
            "U16" | "S16" => 2,
            "64" => 8,
            "128" => 16,
            "256" => 32,
            _ => return None,
        })
    });
    sizes.next().unwrap_or(4)
}

/// The number of a base.
type BaseNumber = u32;

/// The accesses of one kind to a window: the one that stands last in the new order, and the last of those with
/// another base.
#[derive(Clone, Copy, Default, Debug)]
struct Lasts {
    last: Option<Placed>,
    base: Option<BaseNumber>,
    elsewhere: Option<Placed>,
}

impl Lasts {
    fn add(&mut self, placed: Placed, base: Option<BaseNumber>) {
        if base.is_some() && base == self.base {
            placed.keep_last(&mut self.last);
        } else if Some(placed) > self.last {
            self.elsewhere = self.last;
            self.last = Some(placed);
            self.base = base;
        } else {
            placed.keep_last(&mut self.elsewhere);
        }
    }

    /// The last one with another base, or with any if it has none.
    fn beside(&self, base: Option<BaseNumber>) -> Option<Placed> {
        match base.is_some() && base == self.base {
            true => self.elsewhere,
            false => self.last,
        }
    }
}

/// The last reads and writes.
#[derive(Clone, Copy, Default, Debug)]
struct Sides<T> {
    read: T,
    written: T,
}

/// The accesses to memory of a block so far.
#[derive(Default)]
pub(super) struct Accesses {
    bases: FxHashMap<Base, BaseNumber>,
    windows: FxHashMap<Window, Sides<Lasts>>,
    /// By base and byte.
    bytes: FxHashMap<(BaseNumber, i64), Sides<Option<Placed>>>,
}

impl Accesses {
    /// Compares the accesses of an instruction with those before it, and adds them.
    pub(super) fn check(&mut self, uses: Vec<Use>, placed: Placed, passed: &mut Vec<Passed>) {
        for found in uses {
            self.access(found, placed, passed);
        }
    }

    fn access(&mut self, found: Use, placed: Placed, passed: &mut Vec<Passed>) {
        let Some(window) = found.windows.first().copied() else {
            return;
        };
        let (place, base) = match found.bytes {
            Some(bytes) => {
                let new = BaseNumber::try_from(self.bases.len()).unwrap_or(BaseNumber::MAX);
                let base = *self.bases.entry(bytes.base).or_insert(new);
                let places = (0..i64::from(bytes.count))
                    .map(move |step| (base, bytes.first.wrapping_add(step)));
                (Some(places), Some(base))
            }
            None => (None, None),
        };
        let mut compare = |earlier: Option<Placed>, window| {
            let earlier = earlier.filter(|earlier| *earlier > placed);
            passed.extend(earlier.map(|earlier| (earlier.instruction, Reason::Memory(window))));
        };
        for window in found.windows {
            let sides = self.windows.entry(*window).or_default();
            compare(sides.written.beside(base), *window);
            if found.writes {
                compare(sides.read.beside(base), *window);
                sides.written.add(placed, base);
            } else {
                sides.read.add(placed, base);
            }
        }
        for key in place.into_iter().flatten() {
            let sides = self.bytes.entry(key).or_default();
            compare(sides.written, window);
            if found.writes {
                compare(sides.read, window);
                placed.keep_last(&mut sides.written);
            } else {
                placed.keep_last(&mut sides.read);
            }
        }
    }
}
