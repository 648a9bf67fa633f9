//! Facts are sound: for all operand values that facts allow, the facts of the result allow the
//! value of the operator. Checked on 3-bit words, for all values that random facts allow.

use egg::{Subst, Var};
use orison_rewrites::ori::general_optimize::evaluate::evaluate;
use orison_rewrites::ori::general_optimize::facts::{Facts, Graph, Knowledge, transfer};
use orison_rewrites::ori::general_optimize::rule_texts;
use orison_rewrites::ori::general_optimize::rules::PatternRule;
use orison_rewrites::ori::general_optimize::term::{Operator, Sort, Term};

use crate::random::Random;

/// Facts that allow a value, so that they are not contradictory.
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

/// Facts for which a condition holds and values they allow for which it does not; otherwise, how
/// often it held.
fn counterexample(
    sorts: &[Sort],
    word: u32,
    holds: &dyn Fn(&[Facts]) -> bool,
) -> Result<usize, (Vec<Facts>, Vec<Facts>)> {
    let mut random = Random(3);
    let mut held = 0;
    for _ in 0..2000 {
        let facts: Vec<Facts> = sorts
            .iter()
            .map(|sort| around(&mut random, *sort, word))
            .collect();
        if !holds(&facts) {
            continue;
        }
        held += 1;
        let values: Vec<Vec<u64>> = facts.iter().map(|facts| allowed(facts, word)).collect();
        for _ in 0..30 {
            let exact = facts.iter().zip(&values).map(|(facts, values)| {
                let value = values[random.below(values.len())];
                Facts::exactly(value, facts.sort, word)
            });
            let exact: Vec<Facts> = exact.collect();
            if !holds(&exact) {
                return Err((facts, exact));
            }
        }
    }
    Ok(held)
}

/// Whether a condition holds for leaves with known facts.
fn holds_for(rule: &PatternRule, variables: &[Var], word: u32, facts: &[Facts]) -> bool {
    let mut knowledge = Knowledge::new(word);
    knowledge.leaves = facts.to_vec();
    let mut graph = Graph::new(knowledge);
    let mut substitution = Subst::default();
    for (number, (variable, facts)) in (0..).zip(variables.iter().zip(facts)) {
        let leaf = graph.add(Term::leaf(number, facts.sort));
        substitution.insert(*variable, leaf);
    }
    graph.rebuild();
    rule.holds(&graph, &substitution)
}

#[test]
fn conditions_are_monotone() {
    let word = 4;
    let mut asked = 0;
    for text in rule_texts() {
        for condition in &text.when {
            let mut alone = text.clone();
            alone.when = vec![condition.clone()];
            let Some(rule) = PatternRule::new(&alone, word).unwrap() else {
                continue;
            };
            let named = |variable: &Var| {
                let name = variable.to_string();
                condition.split_whitespace().any(|part| part == name)
            };
            let (variables, sorts): (Vec<Var>, Vec<Sort>) = rule
                .variables()
                .into_iter()
                .filter(|(variable, _)| named(variable))
                .unzip();
            let holds = |facts: &[Facts]| holds_for(&rule, &variables, word, facts);
            match counterexample(&sorts, word, &holds) {
                Ok(held) => assert!(held > 0, "'{condition}' of '{}' never holds", text.name),
                Err((vague, exact)) => panic!(
                    "'{condition}' of '{}' holds for {vague:?} but not for {exact:?}",
                    text.name
                ),
            }
            asked += 1;
        }
    }
    assert!(asked > 30, "only {asked} conditions were asked");
}

#[test]
fn a_condition_that_is_not_monotone_is_caught() {
    let unknown = |facts: &[Facts]| facts[0].constant(4).is_none();
    assert!(counterexample(&[Sort::Word], 4, &unknown).is_err());
}
