//! Products of a warp, and the fragments of their matrices.

use orison_ori::keywords::{Format, Shape};
use orison_sass::instruction::Operand as Part;

use super::super::action::{Action, Fragments, Product};
use super::super::fragments::{extents, width};
use super::decode::{Decoded, Decoder, Lanes, Line, plain};
use super::files;

/// The shape with the digits of a mnemonic.
fn shape(digits: &str) -> Option<Shape> {
    Some(match digits {
        "884" => Shape::M8n8k4,
        "8816" => Shape::M8n8k16,
        "8832" => Shape::M8n8k32,
        "88128" => Shape::M8n8k128,
        "1684" => Shape::M16n8k4,
        "1688" => Shape::M16n8k8,
        "16816" => Shape::M16n8k16,
        "16832" => Shape::M16n8k32,
        "16864" => Shape::M16n8k64,
        "168128" => Shape::M16n8k128,
        "168256" => Shape::M16n8k256,
        _ => return None,
    })
}

/// The formats of factors and sums among the modifiers.
fn formats<'a>(modifiers: impl Iterator<Item = &'a str>) -> Decoded<Vec<Format>> {
    let mut formats = Vec::new();
    for modifier in modifiers {
        formats.push(match modifier {
            "F16" => Format::F16,
            "BF16" => Format::Bf16,
            "TF32" => Format::Tf32,
            "F32" => Format::F32,
            "U8" => Format::U8,
            "S8" => Format::S8,
            "U4" => Format::U4,
            "S4" => Format::S4,
            "E4M3" => Format::E4m3,
            "E5M2" => Format::E5m2,
            "SAT" | "XOR" | "AND" | "POPC" => continue,
            other => return Err(format!("its modifier '{other}' is not modelled")),
        });
    }
    Ok(formats)
}

impl Decoder<'_> {
    /// A product of a warp or a transfer of its fragments, if it is one.
    pub(super) fn matrices(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "HMMA" | "IMMA" | "DMMA" | "BMMA" | "QMMA" => self.product(line),
            "LDSM" => self.load_fragments(line),
            "STSM" => self.store_fragments(line),
            "MOVM" => self.transpose(line),
            _ => return None,
        })
    }

    fn product(&mut self, line: &Line<'_>) -> Decoded {
        let mut modifiers = line.text.mnemonic.modifiers();
        let shape = modifiers
            .next()
            .and_then(shape)
            .ok_or("its shape is not modelled")?;
        let formats = formats(modifiers)?;
        let [left, right, sum] = match (line.text.mnemonic.base(), formats.as_slice()) {
            ("HMMA", [sum]) => [Format::F16, Format::F16, *sum],
            ("HMMA", [sum, from]) => [*from, *from, *sum],
            ("IMMA", [left, right]) => [*left, *right, Format::S32],
            ("DMMA", []) => [Format::F64; 3],
            ("BMMA", []) => [Format::B1, Format::B1, Format::S32],
            ("QMMA", [sum, left, right]) => [*left, *right, *sum],
            _ => return Err("its formats are not modelled".to_owned()),
        };
        let [rows, columns, depth] = extents(shape);
        let words = |elements: usize, format: Format| elements * width(format) / (32 * 32);
        let product = Product {
            shape,
            left,
            right,
            sum,
            saturate: line.has("SAT"),
            exclusive: line.has("XOR"),
        };
        let sums = words(rows * columns, sum);
        let result = self.result(line, 0, sums)?;
        let operands = [
            self.plain_source(line, 1, words(rows * depth, left).max(1))?,
            self.plain_source(line, 2, words(columns * depth, right).max(1))?,
            self.plain_source(line, 3, sums)?,
        ];
        if line.text.operands.len() != 4 {
            return Err("its operands are not modelled".to_owned());
        }
        self.emit(
            line,
            Action::Product(product),
            &operands,
            &[result],
            Lanes::Path,
        );
        Ok(())
    }

    /// The number of matrices, and whether they are transposed.
    fn matrix_count(line: &Line<'_>) -> Decoded<(usize, bool)> {
        line.only(&["16", "M88", "MT88", "2", "4"])?;
        let count = match () {
            () if line.has("4") => 4,
            () if line.has("2") => 2,
            () => 1,
        };
        Ok((count, line.has("MT88")))
    }

    fn load_fragments(&mut self, line: &Line<'_>) -> Decoded {
        let (count, transposed) = Self::matrix_count(line)?;
        let mut operands = Vec::new();
        let result = self.result(line, 0, count)?;
        let address = self.memory(line, 1, false, &mut operands)?;
        let action = Action::Fragments(Fragments {
            address,
            transposed,
            value: None,
        });
        // A matrix may be written to the register that has the addresses of the next one.
        let between = files::slot_at(files::SCRATCH + 8, count);
        self.emit(line, action, &operands, &[between], Lanes::Path);
        self.emit(
            line,
            Action::Concat,
            &[plain(between)],
            &[result],
            Lanes::Path,
        );
        Ok(())
    }

    fn store_fragments(&mut self, line: &Line<'_>) -> Decoded {
        let (count, transposed) = Self::matrix_count(line)?;
        let mut operands = vec![self.plain_source(line, 1, count)?];
        let address = self.memory(line, 0, false, &mut operands)?;
        let action = Action::Fragments(Fragments {
            address,
            transposed,
            value: Some(0),
        });
        self.emit(line, action, &operands, &[], Lanes::Path);
        Ok(())
    }

    fn transpose(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["16", "MT88"])?;
        let result = self.result(line, 0, 1)?;
        let Part::Register(_) = line.part(1)? else {
            return Err("its operand is not a register".to_owned());
        };
        let value = self.plain_source(line, 1, 1)?;
        self.emit(line, Action::Transpose, &[value], &[result], Lanes::Path);
        Ok(())
    }
}
