//! A common numbering of the register files that can be part of a hazard.

use orison_sass::registers::{Register, RegisterFile};

use crate::sass::latency::TableFile;

/// A register of any file that has latencies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegisterNumber(u16);

/// The first number of each file; convergence barriers and scoreboards have none.
const FILES: [(RegisterFile, TableFile, u16); 4] = [
    (RegisterFile::General, TableFile::General, 0),
    (RegisterFile::Uniform, TableFile::Uniform, 255),
    (RegisterFile::Predicate, TableFile::Predicate, 510),
    (
        RegisterFile::UniformPredicate,
        TableFile::UniformPredicate,
        517,
    ),
];

impl RegisterNumber {
    /// The number of registers.
    pub const COUNT: usize = 524;

    /// The number of a register; `None` for constants and for files without latencies.
    pub fn of(register: Register) -> Option<RegisterNumber> {
        if register.is_constant() {
            return None;
        }
        let (file, _, start) = FILES.iter().find(|row| row.0 == register.file)?;
        let known = register.index < file.count();
        known.then(|| RegisterNumber(start + u16::from(register.index)))
    }

    /// The register.
    pub fn register(self) -> Register {
        let (file, _, start) = self.row();
        let index = u8::try_from(self.0 - start).unwrap_or(Register::CONSTANT);
        Register::new(file, index)
    }

    /// The table for its file.
    pub fn file(self) -> TableFile {
        self.row().1
    }

    /// Its index in an array over all registers.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    fn row(self) -> (RegisterFile, TableFile, u16) {
        let [general, rest @ ..] = FILES;
        let starts = rest.into_iter().rev().find(|row| self.0 >= row.2);
        starts.unwrap_or(general)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_both_ways() {
        let mut seen = vec![false; RegisterNumber::COUNT];
        for file in [
            RegisterFile::General,
            RegisterFile::Uniform,
            RegisterFile::Predicate,
            RegisterFile::UniformPredicate,
        ] {
            for index in 0..file.count() {
                let register = Register::new(file, index);
                let number = RegisterNumber::of(register).expect("a number");
                assert_eq!(number.register(), register);
                assert!(!std::mem::replace(&mut seen[number.index()], true));
            }
        }
        assert!(seen.into_iter().all(|found| found));
        assert_eq!(RegisterNumber::of(Register::RZ), None);
        assert_eq!(RegisterNumber::of(Register::PT), None);
        let barrier = Register::new(RegisterFile::Convergence, 0);
        assert_eq!(RegisterNumber::of(barrier), None);
    }
}
