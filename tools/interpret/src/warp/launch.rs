//! Launches of prepared kernels.

use orison_ori::operations::structure::Func;

use super::Fault;
use super::kernel::{Kernel, Statistics};
use super::machine::Machine;
use super::memory::{Bytes, GlobalMemory};
use super::parameters::Launch;
use super::symbols::zero_padded;

impl Kernel<'_> {
    /// Runs the kernel on global memory, which keeps its state at the end of the run, or at the
    /// error.
    ///
    /// # Errors
    /// A kernel error, a deadlock, or too many steps.
    pub fn run(&self, memory: &mut GlobalMemory, launch: &Launch) -> Result<Statistics, Fault> {
        let threads: u64 = launch
            .block
            .iter()
            .map(|extent| u64::from(*extent))
            .product();
        let blocks: u64 = launch
            .grid
            .iter()
            .map(|extent| u64::from(*extent))
            .product();
        if !(1..=1024).contains(&threads) || blocks == 0 {
            let message = format!("unsupported launch: {threads} threads per CTA, {blocks} CTAs");
            return Err(Fault::plain(&message));
        }
        for (number, (name, symbol)) in self.symbols.globals.iter().enumerate() {
            // The buffers of symbols follow those of the launch: their addresses are fixed.
            let mut bytes = Bytes::undefined(symbol.size);
            if !symbol.unknown {
                bytes.initialize(&zero_padded(symbol));
            }
            memory.add_symbol(number, name, bytes);
        }
        self.check_threads(launch)?;
        let cluster = self.cluster_of(launch)?;
        Machine::new(self, memory, launch, cluster).run()
    }

    /// Reports an error if the CTA size differs from the one the kernel requires.
    fn check_threads(&self, launch: &Launch) -> Result<(), Fault> {
        let kernel = Func(self.entry.op);
        let fail = |what: &str, extents: &[i32]| {
            let message = format!(
                "requires CTAs of {what} {extents:?} threads, launched with {:?}",
                launch.block
            );
            Err(Fault::at(self.context, self.entry.op, &message))
        };
        let wide = |extents: &[i32]| {
            let all = extents.iter().copied().chain([1, 1, 1]).take(3);
            all.map(|extent| u32::try_from(extent).unwrap_or(1))
                .collect::<Vec<_>>()
        };
        if let Some(extents) = kernel.required_threads(self.context)
            && wide(&extents) != launch.block
        {
            return fail("exactly", &extents);
        }
        let threads = |extents: &[u32]| extents.iter().map(|it| u64::from(*it)).product::<u64>();
        if let Some(extents) = kernel.max_threads(self.context)
            && threads(&wide(&extents)) < threads(&launch.block)
        {
            return fail("at most", &extents);
        }
        Ok(())
    }

    /// The CTAs of a cluster of a launch.
    fn cluster_of(&self, launch: &Launch) -> Result<[u32; 3], Fault> {
        /// The maximum cluster size of any target.
        const LARGEST: u32 = 16;
        let fail = |message: String| Err(Fault::at(self.context, self.entry.op, &message));
        let cluster = match (self.entry.cluster, launch.cluster) {
            (Some(own), Some(given)) if own != given => {
                return fail(format!(
                    "requires clusters of {own:?} CTAs, launched with {given:?}"
                ));
            }
            (own, given) => own.or(given).unwrap_or([1; 3]),
        };
        let size = cluster
            .iter()
            .try_fold(1_u32, |size, extent| size.checked_mul(*extent));
        let divides = |(extent, all): (&u32, &u32)| *extent > 0 && all % extent == 0;
        if !cluster.iter().zip(&launch.grid).all(divides) {
            return fail(format!(
                "has clusters of {cluster:?} CTAs, which do not divide a grid of {:?}",
                launch.grid
            ));
        }
        if size.is_none_or(|size| size > LARGEST) {
            return fail(format!(
                "has clusters of more than {LARGEST} CTAs: {cluster:?}"
            ));
        }
        if size != Some(1) && self.entry.places.clusters.is_none() {
            return fail("has clusters, which require sm_90".to_owned());
        }
        Ok(cluster)
    }
}
