//! The part of a function in which groups are followed.

use super::sections::{End, Order, Section};

/// The sections between the first and the last fence, product, commit or wait.
pub(super) struct Region {
    /// The sections in it.
    pub inside: Vec<bool>,
    /// The sections at whose ends nothing may be in flight.
    pub ends: Vec<bool>,
}

impl Region {
    /// The region around the sections with such operations.
    pub fn of(sections: &[Section], order: &Order, acting: &[usize]) -> Self {
        let start = order.common_dominator(acting);
        let end = order.common_post_dominator(acting);
        let mut reached = vec![false; sections.len()];
        let mut pending = vec![start];
        while let Some(number) = pending.pop() {
            if !std::mem::replace(&mut reached[number], true) {
                pending.extend(sections[number].next.iter().copied());
            }
        }
        let to_exit = end == order.exit;
        let inside = (0..sections.len())
            .map(|number| {
                let between = order.post_dominates(end, number) && order.dominates(start, number);
                reached[number] && (to_exit || between)
            })
            .collect();
        let leaves = |section: &Section| {
            section.next.is_empty() || matches!(section.end, End::Exit | End::ExitIf)
        };
        let ends = sections.iter().enumerate().map(|(number, section)| {
            if to_exit {
                leaves(section)
            } else {
                number == end
            }
        });
        Region {
            inside,
            ends: ends.collect(),
        }
    }
}
