//! What runs at once on a multiprocessor.

/// What a multiprocessor has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Multiprocessor {
    /// Warps.
    pub warps: u32,
    /// CTAs.
    pub ctas: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Bytes of it that every CTA takes besides its own.
    pub reserved: u32,
}

impl Multiprocessor {
    /// The registers of one, 32 bits each.
    pub const REGISTERS: u32 = 65_536;

    /// The threads that it has room for.
    pub const fn threads(&self) -> u32 {
        self.warps * 32
    }
}

#[cfg(test)]
mod tests {
    use super::Multiprocessor;

    /// The figures of NVIDIA's table of compute capabilities.
    #[test]
    fn machines_have_what_the_last_one_before_them_has() {
        let threads = |machine| Multiprocessor::of(machine).threads();
        assert_eq!(
            [75, 80, 86, 89, 90].map(threads),
            [1024, 2048, 1536, 1536, 2048]
        );
        assert_eq!(
            [100, 103, 110, 120, 121].map(threads),
            [2048, 2048, 1536, 1536, 1536]
        );
        let shared = |machine| Multiprocessor::of(machine).shared / 1024;
        assert_eq!(
            [75, 80, 86, 87, 89, 90, 110, 121].map(shared),
            [64, 164, 100, 164, 100, 228, 228, 100]
        );
        assert_eq!(Multiprocessor::of(70), Multiprocessor::of(75));
    }
}
