//! Which values are computed again: the cheapest ones of the highest peak, as long as peaks become lower.

use std::collections::BinaryHeap;

use orison_ir::{Context, Value};
use orison_ori::analyses::RegisterClass;
use rustc_hash::{FxHashMap, FxHashSet};

use super::State;
use super::candidates::Candidate;

/// The candidates, by the value, as soon as they are asked for.
struct Candidates<'a> {
    context: &'a Context,
    state: &'a State,
    known: FxHashMap<Value, Option<Candidate>>,
}

impl Candidates<'_> {
    fn of(&mut self, value: Value) -> Option<&Candidate> {
        let found = self.known.entry(value);
        let found = found.or_insert_with(|| Candidate::of(self.context, self.state, value));
        found.as_ref()
    }
}

/// A block with a peak.
struct Place {
    registers: u32,
    /// Values that can be given up there, the cheapest one last.
    values: Vec<Value>,
}

/// The candidates whose copies bring the highest peak down, towards `floor`, for at most as many executed issue slots as
/// are left. Linear in the values that are live through the peaks, times a logarithm.
pub(super) fn choose(
    context: &Context,
    state: &State,
    floor: u32,
    left: &mut f64,
) -> Vec<Candidate> {
    let mut candidates = Candidates {
        context,
        state,
        known: FxHashMap::default(),
    };
    let (mut places, through) = places(context, state, floor, &mut candidates);
    let mut heap: BinaryHeap<(u32, u32)> =
        (0..).zip(&places).map(|(n, p)| (p.registers, n)).collect();
    let mut chosen: Vec<Value> = Vec::new();
    let mut is_chosen: FxHashSet<Value> = FxHashSet::default();
    let mut useful = 0;
    let mut lowest = state.profile.peak();
    let (mut spent, mut paid) = (0.0, 0.0);
    while let Some((registers, number)) = heap.pop() {
        let place = &mut places[number as usize];
        if place.registers != registers {
            continue;
        }
        if registers < lowest {
            (lowest, useful, paid) = (registers, chosen.len(), spent);
        }
        if registers <= floor {
            break;
        }
        let next = loop {
            match place.values.pop() {
                Some(value) if is_chosen.contains(&value) => {}
                found => break found,
            }
        };
        let Some(value) = next else { break };
        let cost = candidates.of(value).map_or(f64::MAX, |found| found.cost);
        if spent + cost > *left {
            break;
        }
        spent += cost;
        is_chosen.insert(value);
        chosen.push(value);
        for (number, units) in &through[&value] {
            let place = &mut places[*number as usize];
            place.registers = place.registers.saturating_sub(*units);
            heap.push((place.registers, *number));
        }
    }
    *left -= paid;
    chosen.truncate(useful);
    let found = chosen.into_iter();
    found
        .filter_map(|value| candidates.of(value).cloned())
        .collect()
}

/// By value: the places through which it lives, and its registers there.
type Through = FxHashMap<Value, Vec<(u32, u32)>>;

fn places(
    context: &Context,
    state: &State,
    floor: u32,
    candidates: &mut Candidates<'_>,
) -> (Vec<Place>, Through) {
    let mut places = Vec::new();
    let mut through: Through = FxHashMap::default();
    for (block, peak) in (0..).zip(&state.profile.blocks) {
        if peak.registers <= floor {
            continue;
        }
        let number = u32::try_from(places.len()).unwrap_or(u32::MAX);
        let mut values: Vec<(f64, u32, Value)> = Vec::new();
        let units = peak.through.iter();
        let units = units.map(|unit| &state.program.units[*unit as usize]);
        for unit in units.filter(|unit| unit.class == RegisterClass::General) {
            if let Some(last) = values.last_mut()
                && last.2 == unit.value
            {
                last.1 += 1;
                continue;
            }
            let found = candidates.of(unit.value);
            if let Some(found) = found.filter(|found| frees(context, state, found, block, peak.at))
            {
                values.push((found.cost, 1, unit.value));
            }
        }
        values.sort_by(|one, two| {
            let by_register = |value: &(f64, u32, Value)| value.0 / f64::from(value.1);
            by_register(two).total_cmp(&by_register(one))
        });
        for (_, units, value) in &values {
            through.entry(*value).or_default().push((number, *units));
        }
        places.push(Place {
            registers: peak.registers,
            values: values.into_iter().map(|(_, _, value)| value).collect(),
        });
    }
    (places, through)
}

/// Whether copies of a candidate do not live through the peak of a block.
fn frees(context: &Context, state: &State, found: &Candidate, block: u32, at: u32) -> bool {
    let users = found.users(context, state, block);
    let places = users.map(|user| state.places.get(&user).copied().unwrap_or(u32::MAX));
    let is_behind: Vec<bool> = places.map(|place| place > at).collect();
    let is_home = state.block_of(context, found.op) == Some(block);
    match is_home {
        true => !is_behind.contains(&true),
        false => !is_behind.contains(&true) || !is_behind.contains(&false),
    }
}
