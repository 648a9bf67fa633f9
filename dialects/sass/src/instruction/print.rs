//! Prints instructions in nvdisasm syntax.

use std::fmt::{Display, Formatter, Result};

use super::{
    Address, ConstantBank, ConstantOperand, Guard, Immediate, Instruction, MemoryOperand, Mnemonic,
    Operand, RegisterOperand,
};

impl Display for Guard {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let not = if self.negated { "!" } else { "" };
        write!(out, "@{not}{}", self.predicate)
    }
}

impl Display for Mnemonic {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.write_str(self.text())
    }
}

fn dotted(out: &mut Formatter<'_>, selector: &str) -> Result {
    if selector.is_empty() {
        return Ok(());
    }
    write!(out, ".{selector}")
}

impl Display for RegisterOperand {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        for (holds, sign) in [
            (self.not, "!"),
            (self.negate, "-"),
            (self.invert, "~"),
            (self.absolute, "|"),
        ] {
            if holds {
                out.write_str(sign)?;
            }
        }
        self.register.fmt(out)?;
        if self.absolute {
            out.write_str("|")?;
        }
        if self.reuse {
            out.write_str(".reuse")?;
        }
        dotted(out, &self.selector)
    }
}

impl Display for Immediate {
    /// nvdisasm prints a blank after infinities and NaNs, and not the bits of NaNs: the alternate form does.
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Immediate::Integer {
                negative,
                magnitude,
            } => {
                let sign = if *negative { "-" } else { "" };
                write!(out, "{sign}{magnitude:#x}")
            }
            Immediate::Float(text) => {
                let number = text.split(':').next().unwrap_or_default();
                let text = if out.alternate() { text } else { number };
                let blank = if text.ends_with(['F', 'N']) { " " } else { "" };
                write!(out, "{text}{blank}")
            }
        }
    }
}

impl Display for Address {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        for (number, register) in self.registers.iter().enumerate() {
            let plus = if number == 0 { "" } else { "+" };
            write!(out, "{plus}{}", register.register)?;
            dotted(out, &register.selector)?;
        }
        let Some(offset) = self.offset else {
            return Ok(());
        };
        let plus = if self.registers.is_empty() { "" } else { "+" };
        let sign = if offset < 0 { "-" } else { "" };
        write!(out, "{plus}{sign}{:#x}", offset.unsigned_abs())
    }
}

impl Display for MemoryOperand {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if let Some(descriptor) = self.descriptor {
            write!(out, "desc[{descriptor}]")?;
        }
        write!(out, "{}[{}]", self.space.keyword(), self.address)?;
        dotted(out, &self.selector)
    }
}

impl Display for ConstantOperand {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let bar = if self.absolute { "|" } else { "" };
        let negate = if self.negate { "-" } else { "" };
        let invert = if self.invert { "~" } else { "" };
        write!(out, "{negate}{invert}{bar}")?;
        match self.bank {
            ConstantBank::Number(bank) => write!(out, "c[{bank:#x}]")?,
            ConstantBank::Bindless(register) => write!(out, "cx[{register}]")?,
        }
        write!(out, "[{}]{bar}", self.address)?;
        dotted(out, &self.selector)
    }
}

impl Display for Operand {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Register(operand) => operand.fmt(out),
            Operand::Immediate(immediate) => immediate.fmt(out),
            Operand::Constant(constant) => constant.fmt(out),
            Operand::Memory(memory) => memory.fmt(out),
            Operand::Label(label) => write!(out, "`({label})"),
            Operand::AllPredicates { uniform: true } => out.write_str("UPR"),
            Operand::AllPredicates { uniform: false } => out.write_str("PR"),
            Operand::Scoreboards(numbers) => {
                out.write_str("{")?;
                for (place, number) in numbers.iter().enumerate() {
                    let comma = if place == 0 { "" } else { "," };
                    write!(out, "{comma}{number}")?;
                }
                out.write_str("}")
            }
            Operand::Relative { register, target } => write!(out, "{register} {target}"),
            Operand::Special(text)
            | Operand::Relocation(text)
            | Operand::Other(text)
            | Operand::Opaque(text) => out.write_str(text),
        }
    }
}

/// Prints guard, mnemonic and operands of an instruction, without comments; the alternate form has the bits of NaNs.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a>(pub &'a Instruction);

impl Display for Code<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let Code(found) = self;
        if let Some(guard) = found.guard {
            write!(out, "{guard} ")?;
        }
        found.mnemonic.fmt(out)?;
        for (number, operand) in found.operands.iter().enumerate() {
            let between = match number {
                0 if found.mnemonic.text().is_empty() => "",
                0 => " ",
                _ => ", ",
            };
            out.write_str(between)?;
            operand.fmt(out)?;
        }
        Ok(())
    }
}

impl Display for Instruction {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        Code(self).fmt(out)?;
        if !self.targets.is_empty() {
            write!(out, " (*\"BRANCH_TARGETS {}\"*)", self.targets.join(","))?;
        }
        match &self.remark {
            Some(remark) => write!(out, " (*\"{remark}\"*)"),
            None => Ok(()),
        }
    }
}
