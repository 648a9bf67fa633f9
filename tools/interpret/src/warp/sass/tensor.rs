//! Tensor memory: its columns, transfers from and to registers, copies from shared memory, products.

use orison_ori::keywords::{CopyShape, CopyWarps, TensorKind, TensorShape};
use orison_ori::operations as ori;
use orison_sass::instruction::{AddressSpace, MemoryOperand, Operand as Part};

use super::super::action::{Action, Code, TensorMemoryCopy, TensorMultiply, TensorTransfer};
use super::super::program::Operand;
use super::decode::{Decoded, Decoder, Lanes, Line, plain};
use super::files;

impl Decoder<'_> {
    /// An instruction on tensor memory, if it is one.
    pub(super) fn tensor_memory(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "UTCATOMSWS" if line.has("FIND_AND_SET") => self.allocate(line),
            "UTCATOMSWS" if line.has("AND") => self.free(line),
            "LDTM" => self.load_cells(line),
            "STTM" => self.store_cells(line),
            "UTCHMMA" => self.multiply(line, TensorKind::F16),
            "UTCQMMA" => self.multiply(line, TensorKind::F8f6f4),
            "UTCIMMA" => self.multiply(line, TensorKind::I8),
            "UTCBAR" => self.commit(line),
            "UTCCP" => self.copy_cells(line),
            _ => return None,
        })
    }

    fn allocate(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["FIND_AND_SET", "ALIGN", "2CTA"])?;
        let results = [self.result(line, 1, 1)?, self.result(line, 0, 1)?];
        let count = self.plain_source(line, 2, 1)?;
        self.emit(
            line,
            Action::Code(Code::Allocate),
            &[count],
            &results,
            Lanes::First,
        );
        Ok(())
    }

    fn free(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["AND", "2CTA"])?;
        if !line.register(0)?.is_constant() {
            return Err("its result is not modelled".to_owned());
        }
        let mask = self.plain_source(line, 1, 1)?;
        self.emit(line, Action::Code(Code::Free), &[mask], &[], Lanes::First);
        Ok(())
    }

    /// The descriptor or address of an operand: as many registers, with the offset added.
    fn special_address(
        &mut self,
        line: &Line<'_>,
        number: usize,
        space: AddressSpace,
        words: usize,
    ) -> Decoded<Operand> {
        let wrong = || format!("its operand {number} is not modelled");
        let Part::Memory(MemoryOperand {
            space: found,
            address,
            ..
        }) = line.part(number)?
        else {
            return Err(wrong());
        };
        let [register] = address.registers.as_slice() else {
            return Err(wrong());
        };
        let slot = files::source(register.register, words).ok_or_else(wrong)?;
        let offset = address.offset.unwrap_or(0);
        if *found != space || offset != 0 && words != 1 {
            return Err(wrong());
        }
        if offset == 0 {
            return Ok(plain(slot));
        }
        let sum = files::slot_at(files::SCRATCH, 1);
        let offset = plain(self.pool.number(offset.cast_unsigned(), 1));
        self.compute(line, ori::Viadd::NAME, &[], &[plain(slot), offset], sum)?;
        Ok(plain(sum))
    }

    /// The shape of a transfer, and how many times it is repeated.
    fn transfer(line: &Line<'_>) -> Decoded<(TensorTransfer, usize)> {
        let mut transfer = TensorTransfer {
            shape: TensorShape::S32x32b,
            distance: 0,
            packs: false,
            lanes: u32::MAX,
        };
        let mut count = 1;
        for modifier in line.text.mnemonic.modifiers() {
            match modifier {
                "16dp64bit" => transfer.shape = TensorShape::S16x64b,
                "16dp128bit" => transfer.shape = TensorShape::S16x128b,
                "16dp256bit" => transfer.shape = TensorShape::S16x256b,
                "32dp32bit" => {}
                "16dp32bit_t0_t15" => {
                    transfer.shape = TensorShape::S16x32bx2;
                    transfer.lanes = 0xFFFF;
                }
                "16dp32bit_t16_t31" => {
                    transfer.shape = TensorShape::S16x32bx2;
                    transfer.lanes = 0xFFFF_0000;
                }
                "PACK16BIT" | "UNPACK16BIT" | "EXPAND16BIT" => transfer.packs = true,
                other => {
                    let number = other
                        .strip_prefix('x')
                        .and_then(|number| number.parse().ok());
                    count =
                        number.ok_or_else(|| format!("its modifier '{other}' is not modelled"))?;
                }
            }
        }
        let each = match transfer.shape {
            TensorShape::S16x128b => 2,
            TensorShape::S16x256b => 4,
            _ => 1,
        };
        Ok((transfer, count * each))
    }

    fn load_cells(&mut self, line: &Line<'_>) -> Decoded {
        let (transfer, count) = Self::transfer(line)?;
        let result = self.result(line, 0, count)?;
        let address = self.special_address(line, 1, AddressSpace::Tensor, 1)?;
        self.emit(
            line,
            Action::LoadTensor(transfer, 0),
            &[address],
            &[result],
            Lanes::Path,
        );
        Ok(())
    }

    fn store_cells(&mut self, line: &Line<'_>) -> Decoded {
        let (transfer, count) = Self::transfer(line)?;
        let address = self.special_address(line, 0, AddressSpace::Tensor, 1)?;
        let value = self.plain_source(line, 1, count)?;
        let action = Action::StoreTensor(transfer, (0, 1));
        self.emit(line, action, &[address, value], &[], Lanes::Path);
        Ok(())
    }

    /// A product: factors, sums, an operand without a meaning for these kinds, the instruction descriptor,
    /// the lanes of the sums that are kept (four words, which may be absent), and whether it adds to the
    /// sums.
    fn multiply(&mut self, line: &Line<'_>, kind: TensorKind) -> Decoded {
        line.only(&["2CTA"])?;
        let last = line.text.operands.len().saturating_sub(1);
        match last {
            5 => {}
            6 => {
                let masked = self.plain_source(line, 5, 4)?;
                self.emit(
                    line,
                    Action::Code(Code::RequireZero),
                    &[masked],
                    &[],
                    Lanes::First,
                );
            }
            _ => return Err("its operands are not modelled".to_owned()),
        }
        let in_tensor_memory = match line.part(0)? {
            Part::Memory(found) => found.space == AddressSpace::Tensor,
            _ => false,
        };
        let left = match in_tensor_memory {
            true => self.special_address(line, 0, AddressSpace::Tensor, 1)?,
            false => self.special_address(line, 0, AddressSpace::MatrixDescriptor, 2)?,
        };
        let operands = [
            left,
            self.special_address(line, 1, AddressSpace::MatrixDescriptor, 2)?,
            self.special_address(line, 2, AddressSpace::Tensor, 1)?,
            self.special_address(line, 4, AddressSpace::InstructionDescriptor, 1)?,
            self.plain_source(line, last, 1)?,
        ];
        let action = Action::MultiplyTensor(TensorMultiply {
            left: 0,
            right: 1,
            accumulator: 2,
            instruction: 3,
            scale: Some(4),
            kind,
            two_ctas: line.has("2CTA"),
        });
        self.emit(line, action, &operands, &[], Lanes::First);
        Ok(())
    }

    fn commit(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["2CTA", "MULTICAST"])?;
        let mut operands = vec![self.special_address(line, 0, AddressSpace::Plain, 1)?];
        let multicast = line.has("MULTICAST").then_some(1);
        if multicast.is_some() {
            operands.push(self.plain_source(line, line.text.operands.len() - 1, 1)?);
        }
        let action = Action::CommitTensor {
            barrier: 0,
            multicast,
        };
        self.emit(line, action, &operands, &[], Lanes::First);
        Ok(())
    }

    fn copy_cells(&mut self, line: &Line<'_>) -> Decoded {
        let (mut shape, mut warps) = (None, None);
        for modifier in line.text.mnemonic.modifiers() {
            match modifier {
                "T" | "S" | "2CTA" => {}
                "128dp256bit" => shape = Some(CopyShape::S128x256b),
                "128dp128bit" => shape = Some(CopyShape::S128x128b),
                "4x32dp128bit" => {
                    (shape, warps) = (Some(CopyShape::S32x128b), Some(CopyWarps::All));
                }
                "2x64dp128bit_lw02_lw13" => {
                    (shape, warps) = (Some(CopyShape::S64x128b), Some(CopyWarps::Pairs02));
                }
                "2x64dp128bit_lw01_lw23" => {
                    (shape, warps) = (Some(CopyShape::S64x128b), Some(CopyWarps::Pairs01));
                }
                other => return Err(format!("its modifier '{other}' is not modelled")),
            }
        }
        let operands = [
            self.special_address(line, 0, AddressSpace::Tensor, 1)?,
            self.special_address(line, 1, AddressSpace::MatrixDescriptor, 2)?,
        ];
        let action = Action::CopyToTensor(TensorMemoryCopy {
            address: 0,
            source: 1,
            shape: shape.ok_or("its shape is not modelled")?,
            warps,
            two_ctas: line.has("2CTA"),
        });
        self.emit(line, action, &operands, &[], Lanes::First);
        Ok(())
    }
}
