//! Division of a kernel's warps among agents.
//!
//! Source: TileAS reference 6.6 (D12, agent warp packing), 1.4 (`agent_switch`), 1.12.

use orison_ir::{Context, Operation};
use orison_tileas::nv_tileaa::KernelSpec;

use super::super::solve::roles::REGISTERS;
use super::super::solve::{Agent, Role, Roles};

/// Registers available per lane for all warps: 65,536 per multiprocessor, 32 threads per warp.
pub const REGISTERS_A_LANE: i32 = 2_048;
/// Registers a load thread needs: addresses and loop counters.
pub const LOAD_REGISTERS: i32 = 40;
/// Maximum registers of a compute thread.
const COMPUTE_REGISTERS: i32 = 232;
/// Warps of a group: registers are allocated to groups of four.
pub const WARP_GROUP: i32 = 4;
/// Warps of a group if two blocks work on one product.
const PAIR_GROUP: i32 = 8;
/// Warps of a kernel without an explicit number of warps.
const DEFAULT_WARPS: i32 = 2 * WARP_GROUP;

/// An agent before packing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentWarps {
    /// Kinds that are multiples of four come first: 0 is a load agent, 1 a compute agent.
    pub kind: u8,
    /// Number of warps.
    pub warps: i32,
    /// Its first warp is a multiple of this.
    pub group: i32,
    /// Registers per thread.
    pub registers: i32,
}

/// An agent, or a hole that only pads the numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedAgent {
    /// Position of the agent in the input; `None` for a hole.
    pub agent: Option<usize>,
    /// First warp.
    pub start: i32,
    /// Warps; a hole is recorded with one.
    pub warps: i32,
    /// Distance to the next agent of the group, in agents; for a hole, the number of warps it
    /// covers.
    pub stride: i32,
    /// Registers per thread; 0 inherits.
    pub registers: i32,
}

/// Packs agents: those whose kind is a multiple of four first, each starting at a warp that is a
/// multiple of its group, with holes between, and a last hole up to a multiple of four.
///
/// ```
/// use orison_schedule::tileas::materialize::{AgentWarps, pack};
///
/// let agent = |kind| AgentWarps { kind, warps: 4, group: 8, registers: 0 };
/// let packed = pack(&[agent(1), agent(0)]);
/// let starts: Vec<_> = packed.iter().map(|agent| (agent.agent, agent.start)).collect();
/// assert_eq!(starts, [(Some(1), 0), (None, 4), (Some(0), 8)]);
/// ```
pub fn pack(agents: &[AgentWarps]) -> Vec<PackedAgent> {
    let first = |agent: &&(usize, &AgentWarps)| agent.1.kind & 3 == 0;
    let numbered: Vec<(usize, &AgentWarps)> = agents.iter().enumerate().collect();
    let front = numbered.iter().filter(first);
    let back = numbered.iter().filter(|agent| !first(agent));
    let mut packed = Vec::new();
    let mut cursor = 0;
    for &(number, agent) in front.chain(back) {
        let start = round_up(cursor, agent.group);
        hole(&mut packed, cursor, start);
        packed.push(PackedAgent {
            agent: Some(number),
            start,
            warps: agent.warps,
            stride: 1,
            registers: agent.registers,
        });
        cursor = start + agent.warps;
    }
    let end = round_up(cursor, WARP_GROUP);
    hole(&mut packed, cursor, end);
    packed
}

fn hole(packed: &mut Vec<PackedAgent>, from: i32, to: i32) {
    if to > from {
        packed.push(PackedAgent {
            agent: None,
            start: from,
            warps: 1,
            stride: to - from,
            registers: 0,
        });
    }
}

fn round_up(value: i32, granule: i32) -> i32 {
    let granule = granule.max(1);
    (value + granule - 1) / granule * granule
}

/// Divides the warps of the kernel around an operation between a load agent and compute agents, in
/// whole groups: all agents of a switch have equally many. `None` if there are too few.
pub fn divide(context: &Context, op: Operation, compute_agents: i32) -> Option<Vec<PackedAgent>> {
    let spec = KernelSpec::around(context, op);
    let total = spec.as_ref().and_then(|spec| spec.num_warps);
    let agents = compute_agents + 1;
    let total = total.unwrap_or(DEFAULT_WARPS.max(agents * WARP_GROUP));
    let share = total / agents / WARP_GROUP * WARP_GROUP;
    if share < WARP_GROUP {
        return None;
    }
    let left = (REGISTERS_A_LANE / share - LOAD_REGISTERS) / compute_agents;
    // Register budgets are multiples of eight.
    let registers = (left / 8 * 8).clamp(LOAD_REGISTERS, COMPUTE_REGISTERS);
    let make = |group: i32| {
        let agent = |kind: u8, registers: i32| AgentWarps {
            kind,
            warps: share,
            group,
            registers,
        };
        let mut agents = vec![agent(0, LOAD_REGISTERS)];
        agents.extend((0..compute_agents).map(|_| agent(1, registers)));
        pack(&agents)
    };
    // In a pair of blocks, agents start at multiples of eight warps, if the kernel has them.
    if spec.is_some_and(|spec| is_pair(&spec)) {
        let packed = make(PAIR_GROUP);
        let last = packed.iter().map(|agent| agent.start + agent.warps).max();
        if last.is_some_and(|last| last <= total) {
            return Some(packed);
        }
    }
    Some(make(WARP_GROUP))
}

/// Packs listed agents, each with the warps and registers it lists. Without a number of warps, an
/// agent has as many as the others, or four; without registers, a load agent has few, and the
/// others share what is left. `None` if the kernel around the operation has too few warps, the
/// multiprocessor too few registers, or numbers of warps differ: all agents of a switch have
/// equally many.
pub fn pack_roles(context: &Context, op: Operation, roles: &Roles) -> Option<Vec<PackedAgent>> {
    let spec = KernelSpec::around(context, op);
    let total = spec.as_ref().and_then(|spec| spec.num_warps);
    let list = roles.list();
    let warps = list.iter().find_map(|role| role.warps);
    let warps = warps.unwrap_or(WARP_GROUP);
    let count = i32::try_from(list.len()).ok()?;
    if list
        .iter()
        .any(|role| role.warps.is_some_and(|own| own != warps))
        || total.is_some_and(|total| count * warps > total)
    {
        return None;
    }
    let given = |(agent, role): (Agent, &Role)| {
        let few = roles.is_loader(agent).then_some(LOAD_REGISTERS);
        role.registers.or(few)
    };
    let given: Vec<Option<i32>> = roles.agents().zip(list).map(given).collect();
    let available = REGISTERS_A_LANE / warps;
    let taken: i32 = given.iter().flatten().sum();
    let open = count - i32::try_from(given.iter().flatten().count()).ok()?;
    let share = match open {
        0 => 0,
        open => ((available - taken) / open / 8 * 8).min(COMPUTE_REGISTERS),
    };
    if taken > available || (open > 0 && share < *REGISTERS.start()) {
        return None;
    }
    let agents: Vec<AgentWarps> = given
        .into_iter()
        .map(|registers| AgentWarps {
            // Agents stay in the order of the list.
            kind: 0,
            warps,
            group: WARP_GROUP,
            registers: registers.unwrap_or(share),
        })
        .collect();
    Some(pack(&agents))
}

/// Whether the kernel runs in clusters of two blocks.
fn is_pair(spec: &KernelSpec) -> bool {
    let blocks = spec
        .cluster_dim
        .as_ref()
        .map(|extents| extents.iter().product::<i32>());
    blocks == Some(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(kind: u8, warps: i32, group: i32) -> AgentWarps {
        AgentWarps {
            kind,
            warps,
            group,
            registers: 0,
        }
    }

    fn spans(packed: &[PackedAgent]) -> Vec<(Option<usize>, i32, i32)> {
        let spans = packed.iter().map(|a| (a.agent, a.start, a.stride));
        spans.collect()
    }

    #[test]
    fn agents_of_whole_groups_leave_no_holes() {
        let packed = pack(&[agent(0, 4, 4), agent(1, 4, 4), agent(1, 4, 4)]);
        assert_eq!(
            spans(&packed),
            [(Some(0), 0, 1), (Some(1), 4, 1), (Some(2), 8, 1)]
        );
    }

    #[test]
    fn the_partition_is_stable() {
        let packed = pack(&[
            agent(1, 4, 4),
            agent(4, 4, 4),
            agent(2, 4, 4),
            agent(0, 4, 4),
        ]);
        let order: Vec<_> = packed.iter().map(|agent| agent.agent).collect();
        assert_eq!(order, [Some(1), Some(3), Some(0), Some(2)]);
    }

    #[test]
    fn holes_pad_starts_and_the_total() {
        let packed = pack(&[agent(0, 1, 4), agent(1, 5, 4)]);
        assert_eq!(
            spans(&packed),
            [(Some(0), 0, 1), (None, 1, 3), (Some(1), 4, 1), (None, 9, 3)]
        );
        assert!(
            packed
                .iter()
                .filter(|a| a.agent.is_none())
                .all(|a| a.warps == 1)
        );
    }

    #[test]
    fn nothing_starts_at_zero() {
        assert_eq!(round_up(0, 8), 0);
        assert_eq!(round_up(1, 8), 8);
        assert_eq!(pack(&[]), []);
    }
}
