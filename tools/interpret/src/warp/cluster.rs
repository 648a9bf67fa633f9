//! Clusters: CTAs that access each other's shared memory and synchronize with each other.
//!
//! The CTAs of a cluster are resident together, adjacent in the list, in the order of their ranks;
//! they are removed together, so that the others can still refer to a CTA that has ended.

use super::Fault;
use super::action::Address;
use super::machine::{Flow, Machine, Turn};
use super::memory::{Space, split_rank};
use super::paths::Wait;
use super::registers::lanes;

impl Machine<'_, '_> {
    /// The index, among the resident CTAs, of the one that owns a shared space, relative to a CTA.
    /// `None` if the cluster has no such CTA, if it has ended, or for other spaces.
    pub(super) fn shared_of(&self, cta: usize, space: Space) -> Option<usize> {
        let own = &self.ctas[cta];
        let rank = match space {
            Space::Shared => return Some(cta),
            Space::Cluster(rank) => rank,
            _ => return None,
        };
        if rank >= own.cluster {
            return None;
        }
        let found = cta - own.rank as usize + rank as usize;
        (!self.ctas[found].ended || found == cta).then_some(found)
    }

    /// The space, relative to a CTA, of the shared memory of the CTA with a rank.
    pub(super) fn space_of_rank(&self, cta: usize, rank: u32) -> Space {
        if rank == self.ctas[cta].rank {
            Space::Shared
        } else {
            Space::Cluster(rank)
        }
    }

    /// The location of a shared-memory address that contains a rank.
    pub(super) fn cluster_place(&self, cta: usize, address: u64) -> (Space, u64) {
        let (rank, place) = split_rank(address);
        (self.space_of_rank(cta, rank), place)
    }

    /// The location of an access to shared memory of any CTA of the cluster.
    pub(super) fn place_in_cluster(
        &mut self,
        turn: &Turn<'_>,
        address: &Address,
        lane: usize,
        count: usize,
    ) -> Result<(Space, u64), Fault> {
        let sum = self.address(turn, address, lane)?;
        let (space, place) = self.cluster_place(turn.cta, sum);
        self.check_alignment(turn, (space, place), lane, count)?;
        Ok((space, place))
    }

    /// The index of the CTA that owns a shared space; an error at the operation if there is none.
    pub(super) fn cta_of(&self, turn: &Turn<'_>, space: Space) -> Result<usize, Fault> {
        match self.shared_of(turn.cta, space) {
            Some(cta) => Ok(cta),
            None => self.fault(turn, &self.no_shared_memory(turn.cta, space)),
        }
    }

    /// Why a space is not accessible shared memory.
    pub(super) fn no_shared_memory(&self, cta: usize, space: Space) -> String {
        match space {
            Space::Cluster(rank) if rank < self.ctas[cta].cluster => {
                format!("accesses CTA {rank} of the cluster, which has ended")
            }
            Space::Cluster(rank) => format!(
                "accesses CTA {rank} of a cluster of {} CTAs",
                self.ctas[cta].cluster
            ),
            space => format!("accesses {space} memory as shared memory"),
        }
    }

    /// The cluster address of a symbol of shared memory.
    pub(super) fn shared_symbol(&mut self, turn: &Turn<'_>, place: u64) -> Result<(), Fault> {
        let address = super::memory::with_rank(self.ctas[turn.cta].rank, place);
        self.write_same(turn, 0, address.into())
    }

    /// Maps an address of shared memory to the CTA with another rank.
    pub(super) fn map_address(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let slots = [0, 1].map(|operand| turn.instruction.operands[operand].slot);
        let result = turn.instruction.results[0];
        for lane in lanes(turn.active) {
            let registers = self.registers(turn)?;
            let (address, rank) = (
                registers.bits(slots[0], lane),
                registers.bits(slots[1], lane),
            );
            let mapped = address.zip(rank).map(|(address, rank)| {
                let place = split_rank(address as u64).1;
                super::memory::with_rank(rank as u32 & 0xFF, place).into()
            });
            registers.set_bits(result, lane, mapped);
        }
        Ok(())
    }

    /// Arrives at the barrier of the cluster.
    pub(super) fn arrive_at_cluster(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        let twice = turn.active & warp.cluster_owed;
        if twice != 0 {
            let message = format!(
                "arrives at the cluster barrier twice without a wait, in lane {}",
                twice.trailing_zeros()
            );
            return self.fault(turn, &message);
        }
        warp.cluster_owed |= turn.active;
        warp.cluster_arrived |= turn.active;
        self.release_cluster(turn.cta);
        Ok(Flow::Pause)
    }

    /// Waits until all threads of the cluster that have not ended have arrived.
    pub(super) fn wait_for_cluster(&mut self, turn: &mut Turn<'_>) -> Result<Flow, Fault> {
        self.split_inactive(turn);
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        let without = turn.active & !warp.cluster_owed;
        if without != 0 {
            let message = format!(
                "waits for the cluster barrier without a previous arrive, in lane {}",
                without.trailing_zeros()
            );
            return self.fault(turn, &message);
        }
        if turn.active & warp.cluster_arrived != 0 {
            return Ok(Flow::Wait(Wait::Cluster));
        }
        warp.cluster_owed &= !turn.active;
        Ok(Flow::Next)
    }

    /// Opens the barrier of a cluster once all threads have arrived.
    pub(super) fn release_cluster(&mut self, cta: usize) {
        let first = cta - self.ctas[cta].rank as usize;
        let all = first..first + self.ctas[cta].cluster as usize;
        let mut warps = self.ctas[all.clone()].iter().flat_map(|cta| &cta.warps);
        let complete = warps.all(|warp| warp.lanes & !warp.ended & !warp.cluster_arrived == 0);
        if !complete {
            return;
        }
        for warp in self.ctas[all].iter_mut().flat_map(|cta| &mut cta.warps) {
            warp.cluster_arrived = 0;
            for path in &mut warp.paths {
                if path.wait == Wait::Cluster {
                    path.wait = Wait::Ready;
                }
            }
        }
    }
}
