//! Use-list orders.
//!
//! Uses are read in text order, and each is prepended to the use list of its value. So a use list
//! is in reverse text order unless the file specifies another order: as a permutation, or as pairs
//! of moved positions.

use super::cursor::{Cursor, Read};
use super::emitter::Emitter;
use super::numbering::Numbering;
use crate::{Context, Operation, Use, Value};

/// The use-list order of one of several values.
#[derive(Debug)]
pub(super) struct UseOrder {
    /// The index of the value.
    pub(super) value: usize,
    numbers: Vec<u64>,
    pairs: bool,
}

/// Reads the use-list orders of `count` results or arguments.
pub(super) fn read(cursor: &mut Cursor<'_>, count: usize) -> Read<Vec<UseOrder>> {
    let orders = if count > 1 { cursor.varint()? } else { 1 };
    let orders = cursor.fits(orders, "use-list orders")?;
    let read = |_| {
        let value = if count > 1 {
            cursor.index(count, "value")?
        } else {
            0
        };
        let (length, pairs) = cursor.flagged()?;
        let length = cursor.fits(length, "uses")?;
        let numbers: Read<Vec<u64>> = (0..length).map(|_| cursor.varint()).collect();
        Ok(UseOrder {
            value,
            numbers: numbers?,
            pairs,
        })
    };
    (0..orders).map(read).collect()
}

/// A use, by operation index and operand index. Later uses are greater.
type Place = (u32, usize);

/// Sorts uses into the order in which they are read: last in the text first.
fn sorted(uses: impl Iterator<Item = (Place, Use)>) -> Vec<(Place, Use)> {
    let mut uses: Vec<_> = uses.collect();
    uses.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    uses
}

/// Sets the uses of a value to the default order, or to the given one.
///
/// `None` if that is not a valid order of its uses.
pub(super) fn apply(
    context: &mut Context,
    value: Value,
    order: Option<&UseOrder>,
    number: impl Fn(Operation) -> u32,
) -> Option<()> {
    let uses = value.uses(context);
    let uses = sorted(uses.map(|usage| ((number(usage.owner), usage.operand), usage)));
    let count = uses.len();
    let places = match order {
        None => (0..count).collect(),
        Some(order) => permutation(order, count)?,
    };
    let mut ordered = vec![None; count];
    for (place, (_, usage)) in places.into_iter().zip(uses) {
        ordered[place] = Some(usage);
    }
    // A permutation leaves no position empty.
    let ordered: Vec<Use> = ordered.into_iter().flatten().collect();
    value.set_use_order(context, &ordered);
    Some(())
}

/// The position of each of `count` uses; `None` if two uses have the same position.
fn permutation(order: &UseOrder, count: usize) -> Option<Vec<usize>> {
    let numbers: Option<Vec<usize>> = order
        .numbers
        .iter()
        .map(|number| usize::try_from(*number).ok())
        .collect();
    let numbers = numbers?;
    let places = if order.pairs {
        let mut places: Vec<_> = (0..count).collect();
        for pair in numbers.chunks(2) {
            *places.get_mut(pair[0])? = *pair.get(1)?;
        }
        places
    } else {
        numbers
    };
    let mut taken = vec![false; count];
    for place in &places {
        if std::mem::replace(taken.get_mut(*place)?, true) {
            return None;
        }
    }
    (places.len() == count).then_some(places)
}

/// Writes the non-default use-list orders of results or arguments; returns whether there are any.
pub(super) fn write(
    context: &Context,
    numbering: &Numbering,
    values: &[Value],
    out: &mut Emitter,
) -> bool {
    let mut orders = Vec::new();
    for (number, value) in values.iter().enumerate() {
        if let Some(order) = order_of(context, numbering, *value) {
            orders.push((number, order));
        }
    }
    if orders.is_empty() {
        return false;
    }
    let several = values.len() != 1;
    if several {
        out.count(orders.len());
    }
    for (number, order) in orders {
        if several {
            out.count(number);
        }
        write_order(&order, out);
    }
    true
}

/// The list position of each use, in reading order; `None` if that is the list order.
fn order_of(context: &Context, numbering: &Numbering, value: Value) -> Option<Vec<usize>> {
    let mut uses = value.uses(context).map(|usage| {
        let number = numbering.operation_number(usage.owner)?;
        Some((number, usage.operand))
    });
    let (first, second) = (uses.next()?, uses.next()?);
    let places: Option<Vec<Place>> = [first, second].into_iter().chain(uses).collect();
    let places = places?;
    if places.windows(2).all(|pair| pair[0] > pair[1]) {
        return None;
    }
    let mut order: Vec<_> = (0..places.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(places[*index]));
    Some(order)
}

fn write_order(order: &[usize], out: &mut Emitter) {
    let moved = order
        .iter()
        .enumerate()
        .filter(|(index, place)| index != *place);
    let count = moved.clone().count();
    // Pairs are shorter if fewer than half of the uses are moved.
    if count < order.len() / 2 {
        out.flagged(count as u64 * 2, true);
        for (index, place) in moved {
            out.count(*place);
            out.count(index);
        }
    } else {
        out.flagged(order.len() as u64, false);
        for place in order {
            out.count(*place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(numbers: &[u64], pairs: bool, count: usize) -> Option<Vec<usize>> {
        let order = UseOrder {
            value: 0,
            numbers: numbers.to_vec(),
            pairs,
        };
        permutation(&order, count)
    }

    #[test]
    fn an_order_is_a_permutation_of_all_uses() {
        assert_eq!(places(&[2, 0, 1], false, 3), Some(vec![2, 0, 1]));
        assert_eq!(places(&[0, 0], false, 2), None, "a place is taken twice");
        assert_eq!(places(&[0, 2], false, 2), None, "there is no such place");
        assert_eq!(places(&[0, 1], false, 3), None, "a use has no place");
        assert_eq!(places(&[0, 1, 2], false, 2), None, "there are fewer uses");
        assert_eq!(places(&[u64::MAX, 0], false, 2), None);
    }

    #[test]
    fn pairs_move_some_uses_and_leave_the_others() {
        assert_eq!(places(&[0, 2, 2, 0], true, 4), Some(vec![2, 1, 0, 3]));
        assert_eq!(places(&[], true, 2), Some(vec![0, 1]));
        assert_eq!(places(&[0, 2], true, 4), None, "two uses in one place");
        assert_eq!(places(&[0, 1, 1], true, 2), None, "half of a pair");
        assert_eq!(places(&[4, 0, 0, 4], true, 4), None, "no such use");
    }
}
