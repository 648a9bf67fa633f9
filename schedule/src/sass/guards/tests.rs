use super::*;
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::LatencyModel;
use crate::sass::test_support::{Random, function};

/// For each pair of instructions, whether the guard of the later one excludes the earlier.
fn exclusive(lines: &str) -> Vec<(u32, u32)> {
    let lines: Vec<String> = lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| format!("B------:R-:W-:-:S01 {line}"))
        .collect();
    let model = LatencyModel::for_machine(90).expect("a model");
    let function = function("sm_90a", &lines.join("\n"));
    let facts = FunctionFacts::new(&function, model);
    let mut guards = Guards::default();
    let mut found = Vec::new();
    for (number, fact) in (0_u32..).zip((0..facts.len()).map(|number| facts.fact(number))) {
        found.extend(
            (0..number)
                .filter(|earlier| guards.exclusive(*earlier, fact.guard))
                .map(|earlier| (earlier, number)),
        );
        guards.issue(number, fact.guard);
        guards.define(fact.predicates.as_deref());
    }
    found
}

#[test]
fn a_predicate_and_its_negation_exclude_each_other_until_it_changes() {
    let found = exclusive(
        "@P3 LDG.E R0, desc[UR4][R2.64]
         @!P3 MOV R0, R1
         @P2 MOV R0, R1
         MOV R0, R1
         @P1 ISETP.NE.AND P3, PT, R4, RZ, PT
         @!P3 MOV R0, R1",
    );
    assert_eq!(found, [(0, 1)]);
}

#[test]
fn the_two_results_of_a_comparison_exclude_each_other() {
    let of = |combined: &str| {
        exclusive(&format!(
            "ISETP.GE.{combined} P0, P1, R2, R3, P2
             @P0 MOV R0, R1
             @P1 MOV R0, R1
             @!P0 MOV R0, R1
             @!P1 MOV R0, R1
             @P2 MOV R0, R1
             @!P2 MOV R0, R1"
        ))
    };
    let same = |found: Vec<(u32, u32)>, own: &[(u32, u32)]| {
        let mut all = vec![(1, 3), (2, 4), (5, 6)];
        all.extend_from_slice(own);
        all.sort_by_key(|pair| (pair.1, pair.0));
        assert_eq!(found, all);
    };
    // Both are false without P2.
    same(of("AND"), &[(1, 2), (1, 6), (2, 6)]);
    // Both are true with P2, and one of them without.
    same(of("OR"), &[(3, 4), (3, 5), (4, 5)]);
    // They differ.
    same(of("XOR"), &[(1, 2), (3, 4)]);
}

#[test]
fn a_truth_table_implies_its_inputs() {
    let found = exclusive(
        "PLOP3.LUT P0, PT, P1, P2, PT, 0x80, 0x8
         @P0 MOV R0, R1
         @!P1 MOV R0, R1
         @!P2 MOV R0, R1",
    );
    assert_eq!(found, [(1, 2), (1, 3)]);
}

/// `P0` is overwritten, but a predicate that implies its old negation is not.
#[test]
fn exclusion_outlives_the_predicate() {
    let found = exclusive(
        "@P0 LDG.E R0, desc[UR4][R2.64]
         ISETP.NE.AND P1, PT, R4, RZ, !P0
         ISETP.NE.AND P0, PT, R5, RZ, PT
         @!P0 MOV R0, R1
         @P1 MOV R0, R1",
    );
    assert_eq!(found, [(0, 4)]);
}

#[test]
fn paths_keep_what_both_know() {
    let fact = |text: &str| {
        let model = LatencyModel::for_machine(90).expect("a model");
        let function = function("sm_90a", &format!("B------:R-:W-:-:S01 {text}"));
        FunctionFacts::new(&function, model).fact(0).clone()
    };
    let (load, other) = (fact("@P0 MOV R0, R1"), fact("@!P0 MOV R0, R1"));
    let (left, compare) = (Guards::default(), fact("ISETP.NE.AND P0, PT, R4, RZ, PT"));
    let mut joined = left.clone();
    joined.issue(0, load.guard);
    let mut changed = joined.clone();
    assert!(joined.exclusive(0, other.guard));
    // On a path without the instruction nothing contradicts it.
    assert!(!joined.join(&left));
    assert!(joined.exclusive(0, other.guard));
    changed.define(compare.predicates.as_deref());
    assert!(joined.join(&changed) && !joined.exclusive(0, other.guard));
    assert!(!joined.join(&changed));
}

/// A predicate of three, negated or not.
fn predicate(random: &mut Random) -> (usize, bool) {
    (random.below(3), random.below(2) == 1)
}

/// Threads execute random programs: no two instructions are called exclusive that one executes.
#[test]
fn no_thread_executes_both_of_an_exclusive_pair() {
    let mut random = Random::new(7);
    let text = |(register, negated): (usize, bool)| {
        format!("{}P{register}", if negated { "!" } else { "" })
    };
    let mut exclusions = 0;
    for _ in 0..400 {
        let mut lines = Vec::new();
        let mut threads = vec![([false; 3], Vec::new()); 32];
        for (values, _) in &mut threads {
            *values = [0, 1, 2].map(|_| random.below(2) == 1);
        }
        for number in 0..14_u32 {
            let guard = (random.below(2) == 0).then(|| predicate(&mut random));
            let results = [random.below(3), random.below(4)];
            let inputs = [0, 1, 2].map(|_| predicate(&mut random));
            let (kind, tables) = (random.below(6), [random.below(256), random.below(256)]);
            let second = |name: usize| {
                let used = kind != 5 && name < 3 && name != results[0];
                if used {
                    format!("P{name}")
                } else {
                    "PT".to_owned()
                }
            };
            let [a, b, c] = inputs.map(text);
            let (first, second) = (results[0], second(results[1]));
            let line = match kind {
                0 => "MOV R0, R1".to_owned(),
                5 => format!("R2P PR, RZ, {:#x}", 1 << first),
                1 => format!(
                    "PLOP3.LUT P{first}, {second}, {a}, {b}, {c}, {:#x}, {:#x}",
                    tables[0], tables[1]
                ),
                kind => {
                    let combine = ["AND", "OR", "XOR"][kind - 2];
                    format!("ISETP.GE.{combine} P{first}, {second}, R2, R3, {a}")
                }
            };
            let at = guard
                .map(|guard| format!("@{} ", text(guard)))
                .unwrap_or_default();
            lines.push(format!("{at}{line}"));
            for (values, executed) in &mut threads {
                let holds = |(register, negated): (usize, bool)| values[register] != negated;
                if !guard.is_none_or(holds) {
                    continue;
                }
                executed.push(number);
                let [x, y, z] = inputs.map(holds);
                let outcome = random.below(2) == 1;
                let new = match kind {
                    0 => continue,
                    1 => {
                        let row = usize::from(x) * 4 + usize::from(y) * 2 + usize::from(z);
                        tables.map(|table| table >> row & 1 == 1)
                    }
                    2 => [outcome && x, !outcome && x],
                    3 => [outcome || x, !outcome || x],
                    5 => [false, values[results[1] % 3]],
                    _ => [outcome != x, outcome == x],
                };
                values[first] = new[0];
                if second != "PT" {
                    values[results[1]] = new[1];
                }
            }
        }
        let found = exclusive(&lines.join("\n"));
        exclusions += found.len();
        for (_, executed) in &threads {
            for (earlier, later) in &found {
                let both = executed.contains(earlier) && executed.contains(later);
                assert!(!both, "{earlier}, {later} in\n{}", lines.join("\n"));
            }
        }
    }
    assert!(exclusions > 300, "{exclusions}");
}
