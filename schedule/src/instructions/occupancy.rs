//! How many CTAs of a kernel run at once on a multiprocessor, by the registers of a thread.

use orison_machine::Multiprocessor;

/// Registers are given to warps in multiples of so many for each thread.
pub const STEP: i32 = 8;
/// Warps of a multiprocessor that share a register file.
const FILES: u32 = 4;
/// The registers of a file for each lane of a warp.
const FILE: u32 = Multiprocessor::REGISTERS / FILES / 32;
/// Warps of a CTA if the program does not say how many: one on each register file.
const UNKNOWN: u32 = FILES;

/// The CTAs of a kernel that run at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// The warps of a CTA.
    warps: u32,
    /// The CTAs that everything but registers lets run.
    most: u32,
}

impl Occupancy {
    /// That of a kernel on a machine. What its CTAs have in shared memory counts only if their threads are known: ptxas
    /// 13.0 looks at neither otherwise.
    pub fn of(machine: u16, threads: Option<u32>, shared: u32) -> Self {
        let has = Multiprocessor::of(machine);
        let Some(threads) = threads else {
            return Occupancy {
                warps: UNKNOWN,
                most: has.warps / UNKNOWN,
            };
        };
        let warps = threads.div_ceil(32).max(1);
        let by_shared = has.shared / (shared.saturating_add(has.reserved)).max(1);
        let most = (has.warps / warps).min(has.ctas).min(by_shared);
        Occupancy {
            warps,
            most: most.max(1),
        }
    }

    /// The CTAs that run at once if a thread has so many registers.
    pub fn ctas(&self, registers: i32) -> u32 {
        let registers = u32::try_from(registers).unwrap_or(0).max(1);
        (FILES * (FILE / registers) / self.warps).min(self.most)
    }

    /// The numbers of registers with which a thread of a kernel that may have `most` has all that it can have without
    /// fewer CTAs running, the smallest first. The last one is `most`.
    pub fn steps(&self, most: i32) -> impl Iterator<Item = i32> + '_ {
        let numbers = (1..).map(|count| count * STEP);
        let numbers = numbers.take_while(move |registers| *registers < most);
        let steps = numbers.filter(|registers| self.ctas(*registers) > self.ctas(registers + STEP));
        steps.chain([most])
    }
}

#[cfg(test)]
mod tests {
    use super::Occupancy;

    fn steps(machine: u16, threads: Option<u32>, shared: u32) -> Vec<i32> {
        Occupancy::of(machine, threads, shared).steps(255).collect()
    }

    /// 512 registers of a lane in each file: 16 warps with 32 of them, 12 with 40, 10 with 48, 9 with 56 and so on.
    #[test]
    fn each_number_lets_as_many_warps_run_as_fit_into_the_files() {
        let all = [32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255];
        assert_eq!(steps(90, None, 0), all);
        // 48 warps run with 40 registers, 32 with 64: fewer gain nothing.
        assert_eq!(steps(86, None, 0)[..2], [40, 48]);
        assert_eq!(steps(75, None, 0)[..2], [64, 72]);
    }

    /// What ptxas 13.0.88 uses for kernels of so many threads, whose loads need more and more registers.
    #[test]
    fn warps_of_a_cta_run_together() {
        // 48 registers: 40 warps, 6 CTAs of 6; as many with 56.
        assert_eq!(steps(90, Some(192), 0)[..4], [32, 40, 56, 64]);
        assert_eq!(steps(90, Some(384), 0)[..4], [32, 40, 56, 80]);
        // One CTA or two.
        assert_eq!(steps(90, Some(1024), 0)[..2], [32, 64]);
    }

    #[test]
    fn shared_memory_and_the_number_of_ctas_are_limits() {
        // Four CTAs with 49 KiB each: 16 warps, and 128 registers.
        assert_eq!(steps(90, Some(128), 48 * 1024)[0], 128);
        // 9 with 25 KiB.
        assert_eq!(steps(90, Some(128), 24 * 1024)[0], 56);
        // 32 CTAs of one warp.
        assert_eq!(steps(80, Some(32), 0)[0], 64);
        assert_eq!(steps(89, Some(32), 0)[0], 80);
        // Nothing is known of the CTA.
        assert_eq!(steps(90, None, 48 * 1024)[0], 32);
    }
}
