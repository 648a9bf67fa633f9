//! The common order of all agents.
//!
//! An agent executes its share of a body in one order, iteration by iteration. If the orders of all
//! agents are parts of one order in which every event precedes the operations that wait for it,
//! then the agents cannot deadlock, whatever their speed: executing the common order alone never
//! waits.
//!
//! The common order is that of the schedule, except that the loads of one pipe, which are issued
//! together, are adjacent.

use std::collections::{BTreeMap, BTreeSet};

/// Operations in an order that respects `edges`, with the members of each group adjacent and
/// otherwise by `keys`.
///
/// # Errors
/// Groups that cannot be adjacent: some operation must come between two of their members.
pub fn common_order<K: Ord + Copy>(
    keys: &[K],
    edges: &[(usize, usize)],
    groups: &[Vec<usize>],
) -> Result<Vec<usize>, BTreeSet<usize>> {
    let count = keys.len();
    let mut unit_of: Vec<usize> = (0..count).collect();
    let mut members: BTreeMap<usize, Vec<usize>> =
        (0..count).map(|node| (node, vec![node])).collect();
    for group in groups {
        let Some(&unit) = group.iter().min_by_key(|node| keys[**node]) else {
            continue;
        };
        let mut sorted = group.clone();
        sorted.sort_by_key(|node| keys[*node]);
        for &node in group {
            unit_of[node] = unit;
            members.remove(&node);
        }
        members.insert(unit, sorted);
    }
    let mut waits: BTreeMap<usize, usize> = members.keys().map(|unit| (*unit, 0)).collect();
    let mut after: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let pairs: BTreeSet<(usize, usize)> = edges
        .iter()
        .map(|(from, to)| (unit_of[*from], unit_of[*to]))
        .filter(|(from, to)| from != to)
        .collect();
    for (from, to) in pairs {
        after.entry(from).or_default().push(to);
        *waits.entry(to).or_default() += 1;
    }
    let mut ready: BTreeSet<(K, usize)> = waits
        .iter()
        .filter(|(_, count)| **count == 0)
        .map(|(unit, _)| (keys[*unit], *unit))
        .collect();
    let mut order = Vec::with_capacity(count);
    while let Some((_, unit)) = ready.pop_first() {
        waits.remove(&unit);
        order.extend(members.remove(&unit).unwrap_or_default());
        for next in after.remove(&unit).unwrap_or_default() {
            if let Some(count) = waits.get_mut(&next) {
                *count -= 1;
                if *count == 0 {
                    ready.insert((keys[next], next));
                }
            }
        }
    }
    if order.len() == count {
        return Ok(order);
    }
    // The remaining operations are in or after a cycle; a cycle passes through a group.
    let stuck = members.into_values().filter(|list| list.len() > 1);
    Err(stuck.flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_groups_the_keys_decide() {
        let order = common_order(&[2, 0, 1], &[(1, 2), (2, 0)], &[]);
        assert_eq!(order, Ok(vec![1, 2, 0]));
    }

    #[test]
    fn a_group_waits_for_what_all_its_members_need() {
        // 0 and 2 are issued together, and 1 computes the address of 2.
        let order = common_order(&[0, 1, 2, 3], &[(1, 2), (0, 3), (2, 3)], &[vec![0, 2]]);
        assert_eq!(order, Ok(vec![1, 0, 2, 3]));
    }

    #[test]
    fn a_group_with_something_between_is_refused() {
        // 1 reads what 0 loaded, and 2 must be loaded after 1.
        let order = common_order(&[0, 1, 2], &[(0, 1), (1, 2)], &[vec![0, 2]]);
        assert_eq!(order, Err(BTreeSet::from([0, 2])));
    }
}
