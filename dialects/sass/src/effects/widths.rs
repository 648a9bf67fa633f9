//! The number of registers of the operands of an instruction.

use orison_machine::{Destinations, Row, Slot, Width};

use super::textures;
use crate::instruction::{Instruction, Mnemonic, Operand};
use crate::registers::RegisterFile;

/// The widths of the operands of an instruction.
pub(super) struct Widths<'a> {
    row: Option<&'a Row>,
    instruction: &'a Instruction,
    destinations: usize,
    /// Number of predicates before the components of a texture.
    predicates: usize,
    /// Index of the last general register among the sources.
    last: Option<usize>,
}

impl<'a> Widths<'a> {
    pub(super) fn new(
        row: Option<&'a Row>,
        instruction: &'a Instruction,
        destinations: usize,
    ) -> Self {
        let general = |operand: &Operand| {
            operand
                .as_register()
                .is_some_and(|found| found.register.file == RegisterFile::General)
        };
        let sources = instruction.operands.get(destinations..).unwrap_or_default();
        let texels = row.is_some_and(|row| row.destinations == Some(Destinations::Texels));
        let predicates = if texels {
            destinations.saturating_sub(2)
        } else {
            0
        };
        Widths {
            row,
            instruction,
            destinations,
            predicates,
            last: sources
                .iter()
                .rposition(general)
                .map(|place| place + destinations),
        }
    }

    /// The last width that applies to one of the slots.
    fn find(&self, applies: impl Fn(Slot) -> bool, operand: Option<&Operand>) -> u8 {
        let mnemonic = &self.instruction.mnemonic;
        let Some(row) = self.row else {
            return data(mnemonic);
        };
        let mut found = 1;
        for widths in row
            .widths
            .iter()
            .filter(|widths| has_all(mnemonic, widths.has))
        {
            for (_, width) in widths.of.iter().filter(|(slot, _)| applies(*slot)) {
                found = evaluate(*width, self.instruction, operand);
            }
        }
        found
    }

    /// Registers of a register operand.
    pub(super) fn of_operand(&self, number: usize, operand: &Operand) -> u8 {
        let single = operand.as_register().is_some_and(|found| {
            found.register.file.is_predicate() || found.register.file == RegisterFile::Convergence
        });
        if single {
            return 1;
        }
        let destinations = self.destinations;
        self.find(
            |slot| match slot {
                Slot::Destinations => number < destinations,
                Slot::Destination(place) => {
                    number == place + self.predicates && number < destinations
                }
                Slot::Sources => number >= destinations,
                Slot::Source(place) => number == destinations + place,
                Slot::Last => self.last == Some(number),
                Slot::Address(_) | Slot::MatrixDescriptor => false,
            },
            Some(operand),
        )
    }

    /// Uniform registers of the address with an index.
    pub(super) fn of_address(&self, number: usize) -> u8 {
        if self.row.is_none() {
            return 1;
        }
        self.find(|slot| slot == Slot::Address(number), None)
    }

    /// Uniform registers of a matrix descriptor.
    pub(super) fn of_matrix_descriptor(&self) -> u8 {
        if self.row.is_none() {
            return 2;
        }
        self.find(|slot| slot == Slot::MatrixDescriptor, None)
    }
}

/// Whether the modifiers are consecutive in the mnemonic.
fn has_all(mnemonic: &Mnemonic, wanted: &[&str]) -> bool {
    let Some(first) = wanted.first() else {
        return true;
    };
    let mut rest = mnemonic.modifiers();
    while rest.any(|modifier| modifier == *first) {
        if rest
            .clone()
            .zip(&wanted[1..])
            .filter(|(have, want)| have == *want)
            .count()
            == wanted.len() - 1
        {
            return true;
        }
    }
    false
}

/// Registers for the size in a mnemonic.
fn data(mnemonic: &Mnemonic) -> u8 {
    let sizes = mnemonic.modifiers().filter_map(|modifier| {
        Some(match modifier {
            "64" | "S64" | "U64" | "F64" | "F32x2" | "F16x4" | "BF16x4" | "E4M3x8" | "E5M2x8" => 2,
            "96" => 3,
            "128" | "F32x4" | "F16x8" | "BF16x8" | "E4M3x16" | "E5M2x16" => 4,
            "256" => 8,
            _ => return None,
        })
    });
    sizes.last().unwrap_or(1)
}

/// The number in the first modifier for which a function returns one.
fn number_of(mnemonic: &Mnemonic, number: impl Fn(&str) -> Option<u8>) -> u8 {
    mnemonic.modifiers().find_map(number).unwrap_or(1)
}

fn evaluate(width: Width, instruction: &Instruction, operand: Option<&Operand>) -> u8 {
    let mnemonic = &instruction.mnemonic;
    match width {
        Width::Count(count) => count,
        Width::Data => data(mnemonic),
        Width::Selected => {
            let pair = operand
                .and_then(Operand::as_register)
                .is_some_and(|found| found.selector.contains("F32x2"));
            if pair { 2 } else { 1 }
        }
        Width::Columns(divisor) => {
            let columns = mnemonic.modifiers().find_map(|modifier| {
                let mut sizes = modifier.split('x').map(str::parse::<u16>);
                let (rows, columns, depth) = (sizes.next()?, sizes.next()?, sizes.next()?);
                if rows.is_err() || depth.is_err() {
                    return None;
                }
                columns.ok()
            });
            let width = columns.unwrap_or(1) / u16::from(divisor);
            u8::try_from(width.max(1)).unwrap_or(u8::MAX)
        }
        Width::Repeat(factor) => number_of(mnemonic, |modifier| {
            modifier.strip_prefix('x')?.parse().ok()
        })
        .saturating_mul(factor),
        Width::Texels => textures::texels(instruction, false),
        Width::TexelsRest => textures::texels(instruction, true),
        Width::Coordinates | Width::CoordinatesRest => {
            // The handle is in uniform registers if nothing follows the coordinates.
            let uniform = operand
                .and_then(Operand::as_register)
                .is_some_and(|found| found.register.file == RegisterFile::Uniform);
            if uniform {
                2
            } else {
                textures::coordinates(instruction, width == Width::CoordinatesRest)
            }
        }
        Width::Place => textures::place(instruction),
        Width::Dimensions(more) => number_of(mnemonic, |modifier| {
            modifier.strip_suffix('D')?.parse().ok()
        })
        .saturating_add(more),
    }
}
