//! Physical registers.

use std::fmt;

/// A register file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RegisterFile {
    /// `R0` to `R254` and `RZ`: 32 bits per thread.
    General,
    /// `UR0` to `UR62` (more from sm_100) and `URZ`: 32 bits per warp.
    Uniform,
    /// `P0` to `P6` and `PT`: one bit per thread.
    Predicate,
    /// `UP0` to `UP6` and `UPT`: one bit per warp.
    UniformPredicate,
    /// `B0` to `B15`: convergence barriers.
    Convergence,
    /// `SB0` to `SB5`: scoreboards that an instruction names.
    Scoreboard,
    /// `gsb0`: counters of groups of warp group products.
    GroupScoreboard,
}

impl RegisterFile {
    /// All files.
    pub const ALL: [RegisterFile; 7] = [
        RegisterFile::General,
        RegisterFile::Uniform,
        RegisterFile::Predicate,
        RegisterFile::UniformPredicate,
        RegisterFile::Convergence,
        RegisterFile::Scoreboard,
        RegisterFile::GroupScoreboard,
    ];

    /// The prefix of register names.
    pub const fn prefix(self) -> &'static str {
        match self {
            RegisterFile::General => "R",
            RegisterFile::Uniform => "UR",
            RegisterFile::Predicate => "P",
            RegisterFile::UniformPredicate => "UP",
            RegisterFile::Convergence => "B",
            RegisterFile::Scoreboard => "SB",
            RegisterFile::GroupScoreboard => "gsb",
        }
    }

    /// Whether its registers hold one bit.
    pub const fn is_predicate(self) -> bool {
        matches!(
            self,
            RegisterFile::Predicate | RegisterFile::UniformPredicate
        )
    }

    /// The number of registers, without the constant one.
    pub const fn count(self) -> u8 {
        match self {
            RegisterFile::General | RegisterFile::Uniform => 255,
            RegisterFile::Predicate | RegisterFile::UniformPredicate => 7,
            RegisterFile::Convergence => 16,
            RegisterFile::Scoreboard => 6,
            RegisterFile::GroupScoreboard => 8,
        }
    }
}

/// A register of a file, or the one that is always zero or true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register {
    /// The file.
    pub file: RegisterFile,
    /// The index; [`Register::CONSTANT`] for `RZ`, `URZ`, `PT`, `UPT`.
    pub index: u8,
}

impl Register {
    /// The index of the constant register of a file.
    pub const CONSTANT: u8 = 255;
    /// Always zero.
    pub const RZ: Register = Register::new(RegisterFile::General, Register::CONSTANT);
    /// Always zero, in the uniform datapath.
    pub const URZ: Register = Register::new(RegisterFile::Uniform, Register::CONSTANT);
    /// Always true.
    pub const PT: Register = Register::new(RegisterFile::Predicate, Register::CONSTANT);
    /// Always true, in the uniform datapath.
    pub const UPT: Register = Register::new(RegisterFile::UniformPredicate, Register::CONSTANT);

    /// A register of a file.
    pub const fn new(file: RegisterFile, index: u8) -> Register {
        Register { file, index }
    }

    /// A general register.
    pub const fn general(index: u8) -> Register {
        Register::new(RegisterFile::General, index)
    }

    /// A uniform register.
    pub const fn uniform(index: u8) -> Register {
        Register::new(RegisterFile::Uniform, index)
    }

    /// A predicate.
    pub const fn predicate(index: u8) -> Register {
        Register::new(RegisterFile::Predicate, index)
    }

    /// Whether it is always zero or true, so that nothing depends on it.
    pub const fn is_constant(self) -> bool {
        self.index == Register::CONSTANT
    }

    /// The register with this name.
    pub fn from_name(name: &str) -> Option<Register> {
        let (register, rest) = Register::split(name)?;
        rest.is_empty().then_some(register)
    }

    /// The register at the start of a text, and the rest of the text.
    pub fn split(text: &str) -> Option<(Register, &str)> {
        use RegisterFile::{
            Convergence, General, GroupScoreboard, Predicate, Scoreboard, Uniform, UniformPredicate,
        };
        let bytes = text.as_bytes();
        let (file, start, constant) = match (bytes.first()?, bytes.get(1)) {
            (b'R', _) => (General, 1, b'Z'),
            (b'P', _) => (Predicate, 1, b'T'),
            (b'U', Some(b'R')) => (Uniform, 2, b'Z'),
            (b'U', Some(b'P')) => (UniformPredicate, 2, b'T'),
            (b'B', _) => (Convergence, 1, 0),
            (b'S', Some(b'B')) => (Scoreboard, 2, 0),
            (b'g', Some(b's')) if text.starts_with("gsb") => (GroupScoreboard, 3, 0),
            _ => return None,
        };
        let digits = bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let end = start + digits;
        let ends = |at: usize| {
            !bytes
                .get(at)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        if digits == 0 {
            let named = constant != 0 && bytes.get(start) == Some(&constant) && ends(start + 1);
            return named.then(|| (Register::new(file, Register::CONSTANT), &text[start + 1..]));
        }
        let padded = digits > 1 && bytes[start] == b'0';
        let index: u8 = text[start..end].parse().ok()?;
        let known = ends(end) && !padded && index < file.count();
        known.then(|| (Register::new(file, index), &text[end..]))
    }
}

impl fmt::Display for Register {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.file.prefix())?;
        if !self.is_constant() {
            return write!(out, "{}", self.index);
        }
        out.write_str(if self.file.is_predicate() { "T" } else { "Z" })
    }
}

/// Consecutive registers of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegisterRange {
    /// The file.
    pub file: RegisterFile,
    /// Index of the first register.
    pub first: u8,
    /// The number of registers; never zero.
    pub count: u8,
}

impl RegisterRange {
    /// This many registers starting at `first`; `None` for the constant registers, which nothing
    /// depends on. A range is cut at the end of its file.
    pub fn new(first: Register, count: u8) -> Option<RegisterRange> {
        if first.is_constant() || count == 0 {
            return None;
        }
        Some(RegisterRange {
            file: first.file,
            first: first.index,
            count: count.min(first.file.count() - first.index.min(first.file.count())),
        })
        .filter(|range| range.count > 0)
    }

    /// The registers in order.
    pub fn registers(self) -> impl Iterator<Item = Register> {
        (0..self.count).map(move |step| Register::new(self.file, self.first + step))
    }

    /// Whether a register is in the range.
    pub fn contains(self, register: Register) -> bool {
        register.file == self.file
            && register.index >= self.first
            && register.index - self.first < self.count
    }

    /// Whether two ranges share a register.
    pub fn overlaps(self, other: RegisterRange) -> bool {
        let end = |range: RegisterRange| u16::from(range.first) + u16::from(range.count);
        self.file == other.file
            && u16::from(self.first) < end(other)
            && u16::from(other.first) < end(self)
    }
}

impl fmt::Display for RegisterRange {
    /// `R4` or `R4-R7`, as nvdisasm prints ranges.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = Register::new(self.file, self.first);
        if self.count == 1 {
            return first.fmt(out);
        }
        let last = Register::new(self.file, self.first + (self.count - 1));
        write!(out, "{first}-{last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: u8, count: u8) -> RegisterRange {
        RegisterRange::new(Register::new(RegisterFile::General, first), count).expect("a range")
    }

    #[test]
    fn a_range_has_its_registers_and_no_others() {
        let found = range(4, 2);
        let has = |index| found.contains(Register::new(RegisterFile::General, index));
        assert_eq!([3, 4, 5, 6].map(has), [false, true, true, false]);
        assert!(!found.contains(Register::uniform(4)));
        assert_eq!(found.registers().count(), 2);
    }

    #[test]
    fn adjacent_ranges_do_not_overlap() {
        assert!(!range(4, 2).overlaps(range(6, 2)));
        assert!(!range(6, 2).overlaps(range(4, 2)));
        assert!(range(4, 3).overlaps(range(6, 2)));
        assert!(range(6, 2).overlaps(range(4, 3)));
        assert!(range(4, 8).overlaps(range(6, 1)));
    }

    #[test]
    fn names_are_a_file_and_a_number_of_it() {
        let group = Register::new(RegisterFile::GroupScoreboard, 1);
        assert_eq!(Register::from_name("gsb1"), Some(group));
        assert_eq!(Register::from_name("UR4"), Some(Register::uniform(4)));
        for text in ["gs", "gsx1", "gs1", "g", "U4", "R", "R1x", "SB", ""] {
            assert_eq!(Register::from_name(text), None, "{text}");
        }
    }

    /// The last registers of a file: R254 is the last general one.
    #[test]
    fn a_range_ends_with_its_file() {
        let count = RegisterFile::General.count();
        assert_eq!(range(count - 1, 4).count, 1);
        let last = Register::new(RegisterFile::General, Register::CONSTANT);
        assert_eq!(RegisterRange::new(last, 1), None);
    }
}
