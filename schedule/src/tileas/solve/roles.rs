//! The agents of a region: their roles, and the operations that are assigned to them.
//!
//! A region has a load agent and a compute agent, unless one of its scheduled loops lists other
//! agents in `nv_tile.aws.agents`. Then `nv_tile.aws.agent` on an operation names the agent that
//! executes it, by its position in the list.

use std::collections::BTreeMap;

use orison_ir::{Attribute, Context, Diagnostic, Operation};

use super::super::attributes::{AGENT, AGENTS};

/// The role of agents that execute loads ahead of time. Agents of other roles compute.
pub const LOAD_ROLE: &str = "load";
/// The role of the agent that executes everything else if no agents are listed.
const COMPUTE_ROLE: &str = "compute";
/// Maximum number of agents: each needs a group of four of the 64 warps of a multiprocessor.
pub const MAX_AGENTS: usize = 16;
/// Registers per thread that `setmaxnreg` can set: multiples of 8.
pub const REGISTERS: std::ops::RangeInclusive<i32> = 24..=240;

/// An agent, by its position in the list of its region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Agent(u8);

impl Agent {
    /// The load agent of a region without a list.
    pub const LOAD: Agent = Agent(0);
    /// The compute agent of a region without a list.
    pub const COMPUTE: Agent = Agent(1);

    /// The agent at a position; `None` beyond `MAX_AGENTS`.
    pub fn new(position: usize) -> Option<Agent> {
        let position = u8::try_from(position).ok()?;
        (usize::from(position) < MAX_AGENTS).then_some(Agent(position))
    }

    /// Its position.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of agents.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct AgentSet(u16);

impl AgentSet {
    /// The set of one agent.
    pub fn of(agent: Agent) -> AgentSet {
        AgentSet(1 << agent.0)
    }

    /// Adds an agent; whether it was not in the set.
    pub fn insert(&mut self, agent: Agent) -> bool {
        let before = self.0;
        self.0 |= 1 << agent.0;
        self.0 != before
    }

    /// Whether an agent is in the set.
    pub fn contains(self, agent: Agent) -> bool {
        self.0 & 1 << agent.0 != 0
    }

    /// The agents, in their order.
    pub fn iter(self) -> impl Iterator<Item = Agent> {
        let all = (0..MAX_AGENTS).filter_map(Agent::new);
        all.filter(move |agent| self.contains(*agent))
    }

    /// The number of agents.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The position of an agent among those of the set.
    pub fn position(self, agent: Agent) -> Option<usize> {
        self.iter().position(|other| other == agent)
    }
}

/// The description of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Role {
    /// Its name: `LOAD_ROLE`, or any other for agents that compute.
    pub name: String,
    /// Number of warps, if given.
    pub warps: Option<i32>,
    /// Registers per thread, if given.
    pub registers: Option<i32>,
}

impl Role {
    fn named(name: &str) -> Role {
        Role {
            name: name.to_owned(),
            warps: None,
            registers: None,
        }
    }
}

/// The agents of a region, and the operations assigned to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roles {
    list: Vec<Role>,
    assigned: BTreeMap<Operation, Agent>,
    /// Whether the list is given by an attribute.
    listed: bool,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl Roles {
    /// A load agent and a compute agent; nothing is assigned.
    pub fn load_and_compute() -> Roles {
        Roles {
            list: vec![Role::named(LOAD_ROLE), Role::named(COMPUTE_ROLE)],
            assigned: BTreeMap::new(),
            listed: false,
        }
    }

    /// The agents that scheduled loops of one region list.
    ///
    /// # Errors
    /// A located error for a malformed list, for loops with different lists, and for a list without
    /// an agent that computes.
    pub fn of_loops(context: &Context, loops: &[Operation]) -> Parsed<Roles> {
        let mut found: Option<(Operation, Vec<Role>)> = None;
        for &looped in loops {
            let Some(attribute) = looped.attribute(context, AGENTS) else {
                continue;
            };
            let list = parse_list(context, looped, attribute)?;
            match &found {
                Some((first, known)) if *known != list => {
                    let message = "lists other agents than another loop of its region";
                    let error = looped.op_error(context, message);
                    let place = first.location(context);
                    return Err(Box::new(error.with_note(place, "the other one is here")));
                }
                Some(_) => {}
                None => found = Some((looped, list)),
            }
        }
        let Some((looped, list)) = found else {
            return Ok(Roles::load_and_compute());
        };
        if list.iter().all(|role| role.name == LOAD_ROLE) {
            let message = format!("requires an agent in '{AGENTS}' whose role is not 'load'");
            return Err(looped.op_error(context, message));
        }
        Ok(Roles {
            list,
            assigned: BTreeMap::new(),
            listed: true,
        })
    }

    /// Reads the assignment of operations of the region.
    ///
    /// # Errors
    /// A located error for an attribute that is not the position of an agent in the list.
    pub fn assign(
        &mut self,
        context: &Context,
        ops: impl Iterator<Item = Operation>,
    ) -> Parsed<()> {
        for op in ops {
            let Some(attribute) = op.attribute(context, AGENT) else {
                continue;
            };
            if !self.listed {
                let message =
                    format!("has '{AGENT}', but no scheduled loop of its region has '{AGENTS}'");
                return Err(op.op_error(context, message));
            }
            let position = attribute
                .as_i32(context)
                .and_then(|position| usize::try_from(position).ok())
                .filter(|position| *position < self.list.len());
            let Some(agent) = position.and_then(Agent::new) else {
                let message = format!(
                    "attribute '{AGENT}' must be an i32 from 0 to {}, the last of '{AGENTS}'",
                    self.list.len() - 1
                );
                return Err(op.op_error(context, message));
            };
            self.assigned.insert(op, agent);
        }
        Ok(())
    }

    /// Whether the agents are given by an attribute.
    pub fn is_listed(&self) -> bool {
        self.listed
    }

    /// The descriptions of the agents, in their order.
    pub fn list(&self) -> &[Role] {
        &self.list
    }

    /// All agents.
    pub fn agents(&self) -> impl Iterator<Item = Agent> + use<> {
        (0..self.list.len()).filter_map(Agent::new)
    }

    /// Whether an agent executes loads ahead of time.
    pub fn is_loader(&self, agent: Agent) -> bool {
        let role = self.list.get(agent.index());
        role.is_some_and(|role| role.name == LOAD_ROLE)
    }

    /// The agent of an operation, if it is assigned.
    pub fn assigned(&self, op: Operation) -> Option<Agent> {
        self.assigned.get(&op).copied()
    }

    /// The load agent of loads that are not assigned.
    pub fn loader(&self) -> Option<Agent> {
        self.agents().find(|agent| self.is_loader(*agent))
    }

    /// The agent of other operations that are not assigned: the first that computes.
    pub fn others(&self) -> Agent {
        let mut computing = self.agents().filter(|agent| !self.is_loader(*agent));
        computing.next().unwrap_or(Agent::COMPUTE)
    }
}

fn parse_list(context: &Context, looped: Operation, attribute: Attribute) -> Parsed<Vec<Role>> {
    let malformed = |wanted: &str| {
        let message = format!("attribute '{AGENTS}' must be {wanted}");
        looped.op_error(context, message)
    };
    let entries = attribute.as_array(context).unwrap_or_default();
    if entries.is_empty() || entries.len() > MAX_AGENTS {
        let wanted = format!("an array of 1 to {MAX_AGENTS} dictionaries");
        return Err(malformed(&wanted));
    }
    let mut list = Vec::new();
    for entry in entries {
        let name = entry.get(context, "role");
        let name = name.and_then(|name| name.as_str(context));
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return Err(malformed("an array of dictionaries with a string 'role'"));
        };
        let number = |key: &str, range: std::ops::RangeInclusive<i32>, step: i32| {
            let Some(value) = entry.get(context, key) else {
                return Ok(None);
            };
            let fits = |value: &i32| range.contains(value) && value % step == 0;
            let value = value.as_i32(context).filter(fits);
            let wanted = format!(
                "an array of dictionaries whose '{key}' is an i32 from {} to {} in steps of {step}",
                range.start(),
                range.end()
            );
            value.map(Some).ok_or_else(|| malformed(&wanted))
        };
        list.push(Role {
            name: name.to_owned(),
            warps: number("warps", 4..=64, 4)?,
            registers: number("registers", REGISTERS, 8)?,
        });
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_keeps_the_order_of_agents() {
        let agents = [3, 0, 9].map(|position| Agent::new(position).expect("few"));
        let mut set = AgentSet::default();
        assert!(set.is_empty());
        assert!(agents.into_iter().all(|agent| set.insert(agent)));
        assert!(!set.insert(agents[0]));
        assert_eq!(set.iter().map(Agent::index).collect::<Vec<_>>(), [0, 3, 9]);
        assert_eq!(set.position(agents[0]), Some(1));
        assert_eq!(set.position(Agent::COMPUTE), None);
        assert_eq!(set.len(), 3);
    }

    #[test]
    fn there_are_sixteen_agents() {
        assert_eq!(Agent::new(15).map(Agent::index), Some(15));
        assert_eq!(Agent::new(16), None);
    }
}
