//! Facts are true: whatever values the facts of the operands allow, the facts of the result allow what
//! the operator makes of them. On words of three bits, all values that random facts allow.

use orison_rewrites::ori::general_optimize::evaluate::evaluate;
use orison_rewrites::ori::general_optimize::facts::{Facts, transfer};
use orison_rewrites::ori::general_optimize::term::{Operator, Sort};

use crate::random::Random;

/// Facts around a value, so that they are not empty.
fn around(random: &mut Random, sort: Sort, word: u32) -> Facts {
    let mask = sort.mask(word);
    let value = random.value(sort.bits(word));
    if random.below(4) == 0 {
        return Facts::exactly(value, sort, word);
    }
    let other = random.value(sort.bits(word));
    let range = Facts::between(value.min(other), value.max(other), sort, word);
    let known = random.next() & random.next() & mask;
    let bits = Facts {
        zeros: known & !value,
        ones: known & value,
        ..Facts::unknown(sort, word)
    };
    match random.below(3) {
        0 => range,
        1 => bits,
        _ => range.and(bits, word).unwrap(),
    }
}

fn allowed(facts: &Facts, word: u32) -> Vec<u64> {
    (0..=facts.sort.mask(word))
        .filter(|value| facts.allows(*value))
        .collect()
}

#[test]
fn transfer_is_sound() {
    let word = 3;
    let mut random = Random(1);
    for operator in Operator::ALL
        .iter()
        .copied()
        .filter(|operator| !operator.is_float())
    {
        for _ in 0..150 {
            let facts: Vec<Facts> = (0..operator.arity())
                .map(|number| around(&mut random, operator.operand_sort(number), word))
                .collect();
            let result = transfer(operator, word, &facts);
            let beyond = (result.zeros | result.ones | result.max) & !result.sort.mask(word);
            assert_eq!(
                beyond, 0,
                "{operator:?} of {facts:?} is said to be {result:?}"
            );
            let values: Vec<Vec<u64>> = facts.iter().map(|facts| allowed(facts, word)).collect();
            let mut places = vec![0; values.len()];
            loop {
                let operands: Vec<u64> = places
                    .iter()
                    .zip(&values)
                    .map(|(place, values)| values[*place])
                    .collect();
                if let Some(value) = evaluate(operator, word, &operands) {
                    assert!(
                        result.allows(value),
                        "{operator:?} of {facts:?} is said to be {result:?}, but {operands:?} \
                         give {value}"
                    );
                }
                let Some(next) = (0..places.len()).find(|i| places[*i] + 1 < values[*i].len())
                else {
                    break;
                };
                places[next] += 1;
                places[..next].fill(0);
            }
        }
    }
}

#[test]
fn both_and_either_are_sound() {
    let word = 4;
    let mut random = Random(2);
    for _ in 0..3000 {
        let a = around(&mut random, Sort::Word, word);
        let b = around(&mut random, Sort::Word, word);
        let either = a.or(b);
        for value in 0..16 {
            let in_both = a.allows(value) && b.allows(value);
            match a.and(b, word) {
                Some(both) => assert!(!in_both || both.allows(value), "{a:?} {b:?} {value}"),
                None => assert!(!in_both, "{a:?} and {b:?} exclude each other, but {value}"),
            }
            let in_either = a.allows(value) || b.allows(value);
            assert!(!in_either || either.allows(value), "{a:?} {b:?} {value}");
        }
    }
}
