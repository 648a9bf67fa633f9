//! One expression after the other (Sethi and Ullman 1970).

use std::cmp::Reverse;

use crate::instructions::narrow;
use crate::instructions::region::Region;
use crate::instructions::registers::{RegisterClass, Registers};

/// The order in which every node comes behind what it depends on, and that as late as possible: in front of the first
/// node that needs it. Of what a node depends on, what leaves the most registers free behind it comes first.
pub(super) fn order(region: &Region<'_>) -> Vec<u32> {
    let gains = gains(region);
    let mut order = Vec::with_capacity(region.len());
    let mut is_entered = vec![false; region.len()];
    // Nodes with what they depend on that has not been looked at.
    let mut path: Vec<(u32, Vec<u32>)> = Vec::new();
    let before = |node: u32| {
        let edges = region.graph.predecessors(node as usize).iter();
        let mut nodes: Vec<u32> = edges.map(|edge| edge.from).collect();
        // The last one is taken first.
        nodes.sort_by_key(|node| (gains[*node as usize], Reverse(*node)));
        nodes
    };
    let has_users = |node: &u32| {
        let registers = &region.registers;
        let mut made = registers.defines(*node as usize).iter();
        !made.all(|value| registers.value(*value as usize).live_out)
            && region.graph.successors(*node as usize).next().is_some()
    };
    let (inner, last): (Vec<u32>, Vec<u32>) = (0..narrow(region.len())).partition(has_users);
    for root in last.into_iter().chain(inner) {
        if std::mem::replace(&mut is_entered[root as usize], true) {
            continue;
        }
        path.push((root, before(root)));
        while let Some((node, left)) = path.last_mut() {
            match left.pop() {
                Some(next) if is_entered[next as usize] => {}
                Some(next) => {
                    is_entered[next as usize] = true;
                    path.push((next, before(next)));
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    order
}

/// By how many registers more are needed to compute each node, with all that it depends on, than to keep its results.
fn gains(region: &Region<'_>) -> Vec<i32> {
    let registers = &region.registers;
    let mut makers = vec![None; registers.count()];
    let mut needs = vec![0; region.len()];
    let mut gains = vec![0; region.len()];
    for node in 0..region.len() {
        let own = width(registers, registers.defines(node));
        let made = registers.reads(node).iter();
        let mut operands: Vec<usize> = made.filter_map(|value| makers[*value as usize]).collect();
        operands.sort_unstable_by_key(|maker| (Reverse(gains[*maker]), *maker));
        operands.dedup();
        let (mut kept, mut most) = (0, own);
        for maker in operands {
            most = most.max(kept + needs[maker]);
            kept += needs[maker] - gains[maker];
        }
        needs[node] = most.max(kept);
        gains[node] = needs[node] - own;
        for value in registers.defines(node) {
            makers[*value as usize] = Some(node);
        }
    }
    gains
}

/// The general registers of values.
fn width(registers: &Registers, values: &[u32]) -> i32 {
    let values = values
        .iter()
        .map(|value| registers.value(*value as usize))
        .filter(|value| value.class == RegisterClass::General);
    values.map(|value| i32::from(value.width)).sum()
}
