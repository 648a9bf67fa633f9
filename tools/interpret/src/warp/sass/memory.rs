//! Loads, stores, atomic operations and copies of a thread.

use orison_ir::numbers::Direction;
use orison_ori::keywords::{AtomicOperation, AtomicType, Width};
use orison_ori::operations as ori;
use orison_sass::instruction::{Address as Sum, AddressSpace, Operand as Part};
use orison_sass::registers::RegisterFile;

use super::super::action::{Action, Address, Atomic, Copy, Transfer};
use super::super::change::Change;
use super::super::memory::{Space, bytes_of};
use super::super::program::Operand;
use super::decode::{Decoded, Decoder, Line, lanes_of, plain};
use super::files;

/// Modifiers that do not affect results: memory is sequentially consistent, and there are no caches.
const WITHOUT_EFFECT: &[&str] = &[
    "E", "CONSTANT", "STRONG", "WEAK", "GPU", "SYS", "CTA", "SM", "VC", "MMIO", "PRIVATE", "EF",
    "EL", "EN", "EU", "LU", "NA", "LTC64B", "LTC128B", "LTC256B", "BYPASS", "ACCESS", "CI",
    "SCOPE",
];

/// The width of an access, and whether all its modifiers are known; `None` for another modifier.
fn width(line: &Line<'_>, others: &[&str]) -> Decoded<Width> {
    let mut width = Width::B32;
    for modifier in line.text.mnemonic.modifiers() {
        width = match modifier {
            "U8" => Width::U8,
            "S8" => Width::S8,
            "U16" => Width::U16,
            "S16" => Width::S16,
            "32" => Width::B32,
            "64" => Width::B64,
            "128" => Width::B128,
            "256" => Width::B256,
            "ENL2" => width,
            known if WITHOUT_EFFECT.contains(&known) || others.contains(&known) => continue,
            other => return Err(format!("its modifier '{other}' is not modelled")),
        };
    }
    Ok(width)
}

/// Registers of a value in memory.
fn words(width: Width) -> usize {
    bytes_of(width).0.div_ceil(4)
}

/// The space of a load or store, by its mnemonic.
fn space(base: &str) -> Option<Space> {
    Some(match base {
        "LDG" | "STG" | "ATOMG" | "REDG" => Space::Global,
        "LD" | "ST" | "ATOM" | "RED" => Space::Generic,
        "LDS" | "STS" | "ATOMS" | "REDS" => Space::Shared,
        "LDL" | "STL" => Space::Local,
        _ => return None,
    })
}

impl Decoder<'_> {
    /// An address, whose registers are added to the operands. In global memory registers are pairs.
    pub(super) fn address(
        &mut self,
        line: &Line<'_>,
        sum: &Sum,
        wide: bool,
        operands: &mut Vec<Operand>,
    ) -> Decoded<Address> {
        let mut address = Address {
            base: None,
            uniform: None,
            offset: sum.offset.unwrap_or(0),
        };
        for found in &sum.registers {
            if found.register.is_constant() {
                continue;
            }
            let uniform = found.register.file == RegisterFile::Uniform;
            let (count, shift) = match &*found.selector {
                "64" => (2, 0),
                "U32" => (1, 0),
                "" => (if wide { 2 } else { 1 }, 0),
                "X4" => (1, 2),
                "X8" => (1, 3),
                "X16" => (1, 4),
                other => return Err(format!("an address with '.{other}' is not modelled")),
            };
            let slot = files::source(found.register, count).ok_or("an address is not modelled")?;
            let mut operand = plain(slot);
            if shift > 0 {
                let to = files::slot_at(files::SCRATCH, 1);
                let words = [("direction", "left"), ("signedness", "u32")];
                let amount = plain(self.pool.number(shift, 1));
                let zero = plain(files::slot_at(files::ZEROS, 1));
                self.compute(line, ori::Shf::NAME, &words, &[operand, amount, zero], to)?;
                operand = plain(to);
            }
            let place = if uniform {
                &mut address.uniform
            } else {
                &mut address.base
            };
            if place.replace(operands.len()).is_some() {
                return Err("an address with two registers of a file is not modelled".to_owned());
            }
            operands.push(operand);
        }
        Ok(address)
    }

    /// The memory operand with an index, whose registers are added to the operands.
    pub(super) fn memory(
        &mut self,
        line: &Line<'_>,
        number: usize,
        wide: bool,
        operands: &mut Vec<Operand>,
    ) -> Decoded<Address> {
        match line.part(number)? {
            Part::Memory(found) if found.space == AddressSpace::Plain => {
                self.address(line, &found.address, wide, operands)
            }
            _ => Err(format!("its operand {number} is not an address")),
        }
    }

    /// A load, store or atomic operation, if it is one.
    pub(super) fn access(&mut self, line: &Line<'_>) -> Option<Decoded> {
        let base = line.text.mnemonic.base();
        Some(match base {
            "LDC" | "ULDC" | "LDCU" => self.load_constant(line),
            "LDGSTS" => self.copy_to_shared(line),
            "LDG" | "LD" | "LDS" | "LDL" => self.load(line, space(base)?),
            "STG" | "ST" | "STS" | "STL" => self.store(line, space(base)?),
            "ATOMG" | "ATOM" | "ATOMS" => self.atomic(line, space(base)?, true),
            "REDG" | "RED" | "REDS" => self.atomic(line, space(base)?, false),
            _ => return None,
        })
    }

    fn load(&mut self, line: &Line<'_>, space: Space) -> Decoded {
        let width = width(line, &[])?;
        if line.text.operands.len() != 2 {
            return Err("its operands are not modelled".to_owned());
        }
        let mut operands = Vec::new();
        let result = self.result(line, 0, words(width))?;
        let wide = matches!(space, Space::Global | Space::Generic);
        let address = self.memory(line, 1, wide, &mut operands)?;
        let action = Action::Load(Transfer {
            space,
            address,
            width,
            value: 0,
        });
        self.emit(
            line,
            action,
            &operands,
            &[result],
            lanes_of(&line.text.mnemonic),
        );
        Ok(())
    }

    fn load_constant(&mut self, line: &Line<'_>) -> Decoded {
        let width = width(line, &[])?;
        let Part::Constant(found) = line.part(1)? else {
            return Err("its operand is not in a constant bank".to_owned());
        };
        let orison_sass::instruction::ConstantBank::Number(bank) = found.bank else {
            return Err("constants by descriptor are not modelled".to_owned());
        };
        let mut operands = Vec::new();
        let result = self.result(line, 0, words(width))?;
        let address = self.address(line, &found.address, false, &mut operands)?;
        let space = Space::Constant(usize::try_from(bank).unwrap_or(usize::MAX));
        let action = Action::Load(Transfer {
            space,
            address,
            width,
            value: 0,
        });
        let uniform = files::is_uniform(result);
        let lanes = if uniform {
            super::decode::Lanes::First
        } else {
            super::decode::Lanes::Path
        };
        self.emit(line, action, &operands, &[result], lanes);
        Ok(())
    }

    fn store(&mut self, line: &Line<'_>, space: Space) -> Decoded {
        let width = width(line, &[])?;
        if line.text.operands.len() != 2 {
            return Err("its operands are not modelled".to_owned());
        }
        let mut operands = vec![self.plain_source(line, 1, words(width))?];
        let wide = matches!(space, Space::Global | Space::Generic);
        let address = self.memory(line, 0, wide, &mut operands)?;
        let action = Action::Store(Transfer {
            space,
            address,
            width,
            value: 0,
        });
        self.emit(line, action, &operands, &[], lanes_of(&line.text.mnemonic));
        Ok(())
    }

    fn atomic(&mut self, line: &Line<'_>, space: Space, has_result: bool) -> Decoded {
        let change = change(line)?;
        let count = change.bytes().div_ceil(4);
        let at = line
            .text
            .operands
            .iter()
            .position(|part| matches!(part, Part::Memory(_)));
        let at = at.ok_or("it has no address")?;
        let mut operands = Vec::new();
        let mut expected = None;
        let given = line.text.operands.len() - at - 1;
        let value = match (change.operation, given) {
            (AtomicOperation::CompareAndSwap, 2) => {
                expected = Some(1);
                operands.push(self.plain_source(line, at + 2, count)?);
                self.plain_source(line, at + 1, count)?
            }
            (AtomicOperation::CountIncrement, 0) => plain(files::slot_at(files::ZEROS, count)),
            (AtomicOperation::CompareAndSwap | AtomicOperation::CountIncrement, _) => {
                return Err("its operands are not modelled".to_owned());
            }
            (_, 1) => self.plain_source(line, at + 1, count)?,
            _ => return Err("its operands are not modelled".to_owned()),
        };
        operands.push(value);
        let wide = matches!(space, Space::Global | Space::Generic);
        let address = self.memory(line, at, wide, &mut operands)?;
        let results = match (has_result, at) {
            (false, 0) => Vec::new(),
            (true, 1) => vec![self.result(line, 0, count)?],
            // The predicate tells nothing of an operation that always succeeds.
            (true, 2) if line.register(0)?.is_constant() => vec![self.result(line, 1, count)?],
            _ => return Err("its results are not modelled".to_owned()),
        };
        let transfer = Transfer {
            space,
            address,
            width: Width::B32,
            value: 0,
        };
        let action = Action::Atomic(Atomic {
            transfer,
            change,
            expected,
        });
        self.emit(
            line,
            action,
            &operands,
            &results,
            lanes_of(&line.text.mnemonic),
        );
        Ok(())
    }

    /// `LDGSTS`: the bytes are zero where its predicate is false.
    fn copy_to_shared(&mut self, line: &Line<'_>) -> Decoded {
        let width = width(line, &["ZFILL"])?;
        let mut operands = Vec::new();
        let shared = self.memory(line, 0, false, &mut operands)?;
        let global = self.memory(line, 1, true, &mut operands)?;
        let copied = match line.text.operands.len() {
            2 => None,
            3 => {
                operands.push(self.plain_source(line, 2, 1)?);
                Some(operands.len() - 1)
            }
            _ => return Err("its operands are not modelled".to_owned()),
        };
        let action = Action::Copy(Copy {
            shared,
            global,
            width,
            size: None,
            copied,
            zero_fill: line.text.mnemonic.has("ZFILL"),
        });
        self.emit(line, action, &operands, &[], lanes_of(&line.text.mnemonic));
        Ok(())
    }
}

/// What an atomic operation does.
fn change(line: &Line<'_>) -> Decoded<Change> {
    let mut operation = None;
    let mut kind = AtomicType::U32;
    let (mut wide, mut ftz) = (false, false);
    for modifier in line.text.mnemonic.modifiers() {
        match modifier {
            "ADD" => operation = Some(AtomicOperation::Add),
            "MIN" => operation = Some(AtomicOperation::Min),
            "MAX" => operation = Some(AtomicOperation::Max),
            "INC" if operation == Some(AtomicOperation::CountIncrement) => {}
            "INC" => operation = Some(AtomicOperation::Inc),
            "DEC" => operation = Some(AtomicOperation::Dec),
            "AND" => operation = Some(AtomicOperation::And),
            "OR" => operation = Some(AtomicOperation::Or),
            "XOR" => operation = Some(AtomicOperation::Xor),
            "EXCH" => operation = Some(AtomicOperation::Exchange),
            "CAS" | "CAST" => operation = Some(AtomicOperation::CompareAndSwap),
            "POPC" => operation = Some(AtomicOperation::CountIncrement),
            "S32" => kind = AtomicType::S32,
            "64" | "U64" => wide = true,
            "S64" => (wide, kind) = (true, AtomicType::S32),
            "128" => kind = AtomicType::B128,
            "F32" => kind = AtomicType::F32,
            "F32x2" => kind = AtomicType::F32x2,
            "F32x4" => kind = AtomicType::F32x4,
            "F64" => kind = AtomicType::F64,
            "F16x2" => kind = AtomicType::F16x2,
            "BF16_V2" | "BF16x2" => kind = AtomicType::Bf16x2,
            "FTZ" => ftz = true,
            "RN" | "SPIN" | "32" => {}
            known if WITHOUT_EFFECT.contains(&known) => {}
            other => return Err(format!("its modifier '{other}' is not modelled")),
        }
    }
    let kind = match (wide, kind) {
        (true, AtomicType::S32) => AtomicType::S64,
        (true, _) => AtomicType::U64,
        (false, kind) => kind,
    };
    let operation = operation.ok_or("its operation is not modelled")?;
    Ok(Change {
        operation,
        kind,
        ftz,
        rounding: Direction::NearestEven,
    })
}
