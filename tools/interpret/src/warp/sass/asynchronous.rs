//! Instructions without results, and asynchronous ones: copies, mbarriers, products of warp groups.

use orison_ori::keywords::{AtomicOperation, Format, MbarrierAction, Shape};
use orison_ori::operations as ori;
use orison_sass::instruction::{AddressSpace, MemoryOperand, Operand as Part};
use orison_sass::registers::RegisterFile;

use super::super::action::{
    Action, Arrival, ArrivalBehind, BulkCopy, GroupProduct, OnMbarrier, Product, TensorCopy,
    TensorCopyKind,
};
use super::super::fragments::width;
use super::super::program::Operand;
use super::decode::{Decoded, Decoder, Lanes, Line, plain};
use super::files;

/// Instructions that only order memory, or only affect time: memory is sequentially consistent here, and
/// scoreboards are ignored.
const NOTHING: &[&str] = &[
    "NOP",
    "MEMBAR",
    "ERRBAR",
    "CGAERRBAR",
    "FENCE",
    "CCTL",
    "CCTLL",
    "ACQBULK",
    "PREEXIT",
    "PMTRIG",
    "UCCTL",
    "UTMAPF",
    "UTMACCTL",
    "UBLKPF",
    "UVIRTCOUNT",
];

impl Decoder<'_> {
    /// An instruction that computes nothing.
    pub(super) fn other(&mut self, line: &Line<'_>) -> Decoded {
        let base = line.text.mnemonic.base();
        if base == "FENCE" && line.has("T") {
            return self.simple(line, Action::WaitForStores);
        }
        if NOTHING.contains(&base) {
            return self.simple(line, Action::Nothing);
        }
        let families = [
            Self::access,
            Self::control,
            Self::exchange,
            Self::matrices,
            Self::copies,
            Self::mbarriers,
            Self::groups,
            Self::tensor_memory,
        ];
        for family in families {
            if let Some(decoded) = family(self, line) {
                return decoded;
            }
        }
        Err("there is no row for it".to_owned())
    }

    /// A copy, or a wait for copies, if it is one.
    fn copies(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "LDGDEPBAR" => self.simple(line, Action::CloseGroup),
            "DEPBAR" => self.wait_for_copies(line),
            "UTMALDG" => self.load_box(line),
            "UTMASTG" => self.store_box(line, TensorCopyKind::Store),
            "UTMAREDG" => self.reduce_box(line),
            "UBLKCP" => self.bulk_copy(line),
            "UTMACMDFLUSH" => self.simple(line, Action::CloseBulks),
            "USETMAXREG" => self.set_registers(line),
            "UCGABAR_ARV" => self.simple(line, Action::ArriveAtCluster),
            "UCGABAR_WAIT" => self.simple(line, Action::WaitForCluster),
            _ => return None,
        })
    }

    /// `DEPBAR.LE SB0, 0x1`: the groups of copies of a thread are counted by a scoreboard. Others are
    /// ignored, as all scoreboards are. A group of bulk copies is waited for completely.
    fn wait_for_copies(&mut self, line: &Line<'_>) -> Decoded {
        let counts = match line.part(0)? {
            Part::Register(found) => found.register.index == 0,
            _ => false,
        };
        if !line.has("LE") || !counts {
            return self.simple(line, Action::Nothing);
        }
        let count = line.number(1)?.cast_unsigned();
        self.simple(line, Action::WaitForGroups(count as usize))?;
        self.simple(
            line,
            Action::WaitForBulks {
                most: count,
                reads: false,
            },
        )
    }

    /// Registers are unlimited here.
    fn set_registers(&mut self, line: &Line<'_>) -> Decoded {
        if line.text.operands.len() < 2 {
            return self.simple(line, Action::Nothing);
        }
        let result = self.result(line, 0, 1)?;
        self.emit(line, Action::Succeed, &[], &[result], Lanes::First);
        Ok(())
    }

    /// The uniform registers of the address that an operand is: this many, from one of them on.
    fn uniform(&self, line: &Line<'_>, number: usize, from: u8, count: usize) -> Decoded<Operand> {
        let Part::Memory(MemoryOperand {
            space: AddressSpace::Plain,
            address,
            ..
        }) = line.part(number)?
        else {
            return Err(format!("its operand {number} is not an address"));
        };
        let [register] = address.registers.as_slice() else {
            return Err(format!("its operand {number} is not modelled"));
        };
        let mut register = register.register;
        if register.file != RegisterFile::Uniform
            || address.offset.is_some_and(|offset| offset != 0)
        {
            return Err(format!("its operand {number} is not modelled"));
        }
        if !register.is_constant() {
            register.index = register.index.saturating_add(from);
        }
        let slot = files::source(register, count);
        Ok(plain(slot.ok_or("a register is out of range")?))
    }

    /// The number of dimensions in the mnemonic.
    fn dimensions(line: &Line<'_>) -> Decoded<u8> {
        let mut modifiers = line.text.mnemonic.modifiers();
        let dimensions = modifiers.find_map(|modifier| modifier.strip_suffix('D')?.parse().ok());
        dimensions.ok_or_else(|| "it has no dimensions".to_owned())
    }

    /// A box of a tensor: the address in shared memory, the mbarrier, and coordinates are consecutive
    /// registers.
    fn load_box(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["1D", "2D", "3D", "4D", "5D", "MULTICAST", "2CTA", "IM2COL"])?;
        let dimensions = Self::dimensions(line)?;
        let mut operands = vec![
            self.uniform(line, 1, 0, 2)?,
            self.uniform(line, 0, 0, 1)?,
            self.uniform(line, 0, 1, 1)?,
        ];
        let multicast = line.has("MULTICAST").then_some(operands.len());
        if line.has("MULTICAST") {
            // The receivers are in the high half, offsets in the low one.
            let packed = self.plain_source(line, 2, 1)?;
            operands.push(self.bits(line, packed, 16, 16, 0)?);
        }
        let offsets = operands.len();
        if line.has("IM2COL") {
            // As many bits of a half each.
            let packed = self.plain_source(line, 2, 1)?;
            let count = usize::from(dimensions.saturating_sub(2).max(1));
            let bits = 16 / count;
            for number in 0..count {
                let place = (number * bits) as u64;
                operands.push(self.bits(line, packed, place, bits as u64, 2 * number + 2)?);
            }
        }
        let first = operands.len();
        for number in 0..dimensions {
            operands.push(self.uniform(line, 0, 2 + number, 1)?);
        }
        let action = Action::TensorCopy(TensorCopy {
            descriptor: 0,
            shared: 1,
            coordinates: first..operands.len(),
            offsets: line.has("IM2COL").then_some(offsets..first),
            kind: TensorCopyKind::Load {
                barrier: 2,
                multicast,
                two_ctas: line.has("2CTA"),
            },
        });
        self.emit(line, action, &operands, &[], Lanes::First);
        Ok(())
    }

    /// Bits of a register, in one of the sequence.
    pub(super) fn bits(
        &mut self,
        line: &Line<'_>,
        from: Operand,
        place: u64,
        count: u64,
        scratch: usize,
    ) -> Decoded<Operand> {
        let [shifted, found] =
            [0, 1].map(|number| files::slot_at(files::SCRATCH + scratch + number, 1));
        let zero = plain(files::slot_at(files::ZEROS, 1));
        let amount = plain(self.pool.number(place, 1));
        let words = [("direction", "right"), ("signedness", "u32")];
        self.compute(line, ori::Shf::NAME, &words, &[from, amount, zero], shifted)?;
        let count = plain(self.pool.number(count, 1));
        let words = [("signedness", "u32")];
        self.compute(
            line,
            ori::Sgxt::NAME,
            &words,
            &[plain(shifted), count],
            found,
        )?;
        Ok(plain(found))
    }

    fn reduce_box(&mut self, line: &Line<'_>) -> Decoded {
        let all = [
            ("ADD", AtomicOperation::Add),
            ("MIN", AtomicOperation::Min),
            ("MAX", AtomicOperation::Max),
            ("INC", AtomicOperation::Inc),
            ("DEC", AtomicOperation::Dec),
            ("AND", AtomicOperation::And),
            ("OR", AtomicOperation::Or),
            ("XOR", AtomicOperation::Xor),
        ];
        let operation = all.into_iter().find(|(name, _)| line.has(name));
        let (_, operation) = operation.ok_or("its operation is not modelled")?;
        self.store_box(line, TensorCopyKind::Reduce(operation))
    }

    fn store_box(&mut self, line: &Line<'_>, kind: TensorCopyKind) -> Decoded {
        line.only(&[
            "1D", "2D", "3D", "4D", "5D", "ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR",
        ])?;
        let dimensions = Self::dimensions(line)?;
        let mut operands = vec![self.uniform(line, 1, 0, 2)?, self.uniform(line, 0, 0, 1)?];
        for number in 0..dimensions {
            operands.push(self.uniform(line, 0, 1 + number, 1)?);
        }
        let action = Action::TensorCopy(TensorCopy {
            descriptor: 0,
            shared: 1,
            coordinates: 2..operands.len(),
            offsets: None,
            kind,
        });
        self.emit(line, action, &operands, &[], Lanes::First);
        Ok(())
    }

    /// `UBLKCP.S.G`: to shared memory, whose address the mbarrier follows; `UBLKCP.G.S`: back.
    fn bulk_copy(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["S", "G"])?;
        let to_shared = line.text.mnemonic.modifiers().next() == Some("S");
        let size = self.plain_source(line, 2, 1)?;
        let (mut operands, barrier) = match to_shared {
            true => {
                let barrier = self.uniform(line, 0, 1, 1)?;
                (
                    vec![self.uniform(line, 0, 0, 1)?, self.uniform(line, 1, 0, 2)?],
                    Some(barrier),
                )
            }
            false => (
                vec![self.uniform(line, 0, 0, 2)?, self.uniform(line, 1, 0, 1)?],
                None,
            ),
        };
        // Sizes are in units of 16 bytes.
        let bytes = files::slot_at(files::SCRATCH, 1);
        let words = [("direction", "left"), ("signedness", "u32")];
        let amount = plain(self.pool.number(4, 1));
        let zero = plain(files::slot_at(files::ZEROS, 1));
        self.compute(line, ori::Shf::NAME, &words, &[size, amount, zero], bytes)?;
        operands.push(plain(bytes));
        operands.extend(barrier);
        let action = Action::BulkCopy(BulkCopy {
            destination: 0,
            source: 1,
            size: 2,
            barrier: barrier.map(|_| 3),
            multicast: None,
            change: None,
        });
        self.emit(line, action, &operands, &[], Lanes::First);
        Ok(())
    }

    /// An operation on an mbarrier, if it is one.
    fn mbarriers(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "SYNCS" if line.has("EXCH") => self.initialize(line),
            "SYNCS" if line.has("CCTL") => self.invalidate(line),
            "SYNCS" if line.has("ARRIVE") => self.arrive(line),
            "SYNCS" if line.has("PHASECHK") => self.check_phase(line),
            "ARRIVES" => self.arrive_behind(line),
            _ => return None,
        })
    }

    /// `SYNCS.EXCH.64`: the word that an mbarrier starts with has 2^20 minus the count from bit 1 on.
    fn initialize(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["EXCH", "64"])?;
        if !line.register(0)?.is_constant() {
            return Err("its result is not modelled".to_owned());
        }
        let value = self.plain_source(line, 2, 1)?;
        let lanes = match line.register(2)?.file {
            RegisterFile::Uniform => Lanes::First,
            _ => Lanes::Path,
        };
        let [shifted, count] = [0, 1].map(|place| files::slot_at(files::SCRATCH + 16 + place, 1));
        let zero = plain(files::slot_at(files::ZEROS, 1));
        let words = [("direction", "right"), ("signedness", "u32")];
        let amount = plain(self.pool.number(1, 1));
        self.compute(
            line,
            ori::Shf::NAME,
            &words,
            &[value, amount, zero],
            shifted,
        )?;
        let minus = plain(self.pool.number(u64::from(u32::MAX), 1));
        let all = plain(self.pool.number(1 << 20, 1));
        self.compute(
            line,
            ori::Imad::NAME,
            &[],
            &[plain(shifted), minus, all],
            count,
        )?;
        let mut operands = vec![plain(count)];
        let address = self.memory(line, 1, false, &mut operands)?;
        let on = OnMbarrier {
            action: MbarrierAction::Initialize,
            address,
            count: Some(0),
        };
        self.emit(line, Action::OnMbarrier(on), &operands, &[], lanes);
        Ok(())
    }

    fn invalidate(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["CCTL", "IV"])?;
        let mut operands = Vec::new();
        let address = self.memory(line, 0, false, &mut operands)?;
        let on = OnMbarrier {
            action: MbarrierAction::Invalidate,
            address,
            count: None,
        };
        self.emit(line, Action::OnMbarrier(on), &operands, &[], Lanes::Path);
        Ok(())
    }

    /// `SYNCS.ARRIVE.TRANS64`: `A` tells the arrivals, `T` the bytes to expect: none (`0`), one (`1`), or
    /// those in the register (`R`); one arrival, and the register, by default.
    fn arrive(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&[
            "ARRIVE", "TRANS64", "A1T0", "A1TR", "ART0", "A0TR", "RED", "OPTOUT",
        ])?;
        let mut operands = vec![self.plain_source(line, 2, 1)?];
        let address = self.memory(line, 1, false, &mut operands)?;
        let result = self.result(line, 0, 2)?;
        if line.has("A0TR") {
            let on = OnMbarrier {
                action: MbarrierAction::ExpectTx,
                address,
                count: Some(0),
            };
            self.emit(line, Action::OnMbarrier(on), &operands, &[], Lanes::Path);
            return Ok(());
        }
        let expects = !line.has("A1T0") && !line.has("ART0");
        let action = Action::Arrive(Arrival {
            address,
            count: line.has("ART0").then_some(0),
            expect: expects.then_some(0),
            drops: line.has("OPTOUT"),
            remote: line.has("RED"),
        });
        self.emit(line, action, &operands, &[result], Lanes::Path);
        Ok(())
    }

    /// The parity of the phase is the highest bit of the register.
    fn check_phase(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["PHASECHK", "TRANS64", "TRYWAIT"])?;
        let state = self.plain_source(line, 2, 1)?;
        let parity = files::slot_at(files::SCRATCH + 16, 1);
        let words = [("direction", "right"), ("signedness", "u32")];
        let amount = plain(self.pool.number(31, 1));
        let zero = plain(files::slot_at(files::ZEROS, 1));
        self.compute(line, ori::Shf::NAME, &words, &[state, amount, zero], parity)?;
        let mut operands = vec![plain(parity)];
        let address = self.memory(line, 1, false, &mut operands)?;
        let result = self.result(line, 0, 1)?;
        let action = Action::WaitForPhase {
            address,
            phase: 0,
            test: !line.has("TRYWAIT"),
        };
        self.emit(line, action, &operands, &[result], Lanes::Path);
        Ok(())
    }

    fn arrive_behind(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["LDGSTSBAR", "64", "ARVCNT", "TRANSCNT"])?;
        let mut operands = Vec::new();
        let address = self.memory(line, 0, false, &mut operands)?;
        let counted = line.has("ARVCNT");
        let action = Action::ArriveBehind(ArrivalBehind { address, counted });
        self.emit(line, action, &operands, &[], Lanes::Path);
        Ok(())
    }

    /// A product of a warp group, or a wait for products, if it is one.
    fn groups(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "WARPGROUP" if line.has("ARRIVE") => self.simple(line, Action::FenceProducts),
            "WARPGROUP" if line.has("DEPBAR") => line
                .number(1)
                .and_then(|count| self.simple(line, Action::WaitForProducts(count as u32))),
            "HGMMA" | "IGMMA" | "QGMMA" => self.group_product(line),
            _ => return None,
        })
    }

    /// The columns, the depth, and the formats of the left and the right factor and the sum.
    fn group_shape(line: &Line<'_>) -> Decoded<([usize; 2], [Format; 3])> {
        let mut modifiers = line.text.mnemonic.modifiers();
        let shape = modifiers.next().unwrap_or_default().split('x');
        let extents: Vec<usize> = shape.filter_map(|extent| extent.parse().ok()).collect();
        let [64, columns, depth] = extents[..] else {
            return Err("its shape is not modelled".to_owned());
        };
        let mut formats = Vec::new();
        for modifier in modifiers {
            formats.push(match modifier {
                "F16" => Format::F16,
                "BF16" => Format::Bf16,
                "TF32" => Format::Tf32,
                "F32" => Format::F32,
                "S8" => Format::S8,
                "U8" => Format::U8,
                "E4M3" => Format::E4m3,
                "E5M2" => Format::E5m2,
                "SAT" => continue,
                other => return Err(format!("its modifier '{other}' is not modelled")),
            });
        }
        let formats = match (line.text.mnemonic.base(), formats.as_slice()) {
            ("HGMMA", [sum]) => [Format::F16, Format::F16, *sum],
            ("HGMMA", [sum, from]) => [*from, *from, *sum],
            ("IGMMA", [left, right]) => [*left, *right, Format::S32],
            ("QGMMA", [sum, left, right]) => [*left, *right, *sum],
            _ => return Err("its formats are not modelled".to_owned()),
        };
        Ok(([columns, depth], formats))
    }

    fn group_product(&mut self, line: &Line<'_>) -> Decoded {
        let ([columns, depth], [left, right, sum]) = Self::group_shape(line)?;
        let parts = &line.text.operands;
        let at = parts
            .iter()
            .position(|part| matches!(part, Part::Memory(_)));
        let at = at.ok_or("it has no descriptor")?;
        let Part::Memory(found) = &parts[at] else {
            return Err("it has no descriptor".to_owned());
        };
        let transposed = match &*found.selector {
            "" => [false, false],
            "tnspA" => [true, false],
            "tnspB" => [false, true],
            "tnspA.tnspB" => [true, true],
            other => return Err(format!("a descriptor with '{other}' is not modelled")),
        };
        let descriptor = |from: u8| -> Decoded<Operand> {
            let [register] = found.address.registers.as_slice() else {
                return Err("its descriptor is not modelled".to_owned());
            };
            let mut register = register.register;
            if !register.is_constant() {
                register.index = register.index.saturating_add(from);
            }
            Ok(plain(
                files::source(register, 2).ok_or("a register is out of range")?,
            ))
        };
        let words = columns * width(sum) / 64;
        let mut operands = match at {
            1 => vec![descriptor(0)?, descriptor(2)?],
            2 => vec![self.plain_source(line, 1, 4)?, descriptor(0)?],
            _ => return Err("its operands are not modelled".to_owned()),
        };
        let result = self.result(line, 0, words)?;
        let mut accumulator = None;
        let mut scale = None;
        if !line.register(at + 1)?.is_constant() {
            accumulator = Some(operands.len());
            operands.push(self.plain_source(line, at + 1, words)?);
        }
        let mut closes = false;
        for number in at + 2..parts.len() {
            let register = line.register(number)?;
            if register.file == RegisterFile::GroupScoreboard {
                closes = true;
                continue;
            }
            let operand = self.plain_source(line, number, 1)?;
            match (register.is_constant(), operand.inverted) {
                (true, true) => accumulator = None,
                (true, false) => {}
                (false, _) => {
                    scale = Some(operands.len());
                    operands.push(operand);
                }
            }
        }
        let action = Action::GroupProduct(GroupProduct {
            product: Product {
                shape: Shape::M16n8k16,
                left,
                right,
                sum,
                saturate: line.has("SAT"),
                exclusive: false,
            },
            columns,
            depth,
            negated: [false; 2],
            transposed,
            accumulator,
            scale,
        });
        self.emit(line, action, &operands, &[result], Lanes::Path);
        if closes {
            self.simple(line, Action::CloseProducts)?;
        }
        Ok(())
    }
}
