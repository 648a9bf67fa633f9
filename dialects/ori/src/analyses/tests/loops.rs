//! Induction variables, trip counts and iteration distances, compared with executions of the loops.

use orison_ir::Value;
use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::{Program, function};
use crate::analyses::induction::{Distance, Inductions, Loop, TripCount, distance};
use crate::analyses::memory;
use crate::semantics::Bits;

/// The analysis of the loops of a function, with what it stands on.
struct Analysed {
    program: Program,
    flow: ControlFlowGraph,
    forest: LoopForest,
    inductions: Inductions,
}

fn analysed(body: &str) -> Analysed {
    let program = function(body);
    let flow = program.flow();
    let forest = LoopForest::of(&flow);
    let inductions = Inductions::of(&program.context, &flow, &forest);
    Analysed {
        program,
        flow,
        forest,
        inductions,
    }
}

fn trip_count(body: &str) -> TripCount {
    analysed(body).inductions.at(0).trip_count
}

/// A loop of one block with a counter of one or two words, tested before or after its step.
struct Counting {
    start: i64,
    step: i64,
    bound: i64,
    compare: &'static str,
    is_signed: bool,
    is_wide: bool,
    /// The comparison has the stepped counter.
    after: bool,
    /// The loop goes on where the comparison does not hold.
    inverted: bool,
    /// The counter is on the right side.
    exchanged: bool,
}

impl Counting {
    fn text(&self) -> String {
        let sign = if self.is_signed { "s32" } else { "u32" };
        let (inverted, compare) = (if self.inverted { "not " } else { "" }, self.compare);
        let sides = |counter: &str, bound: &str| match self.exchanged {
            true => format!("{bound}, {counter}"),
            false => format!("{counter}, {bound}"),
        };
        let (ty, body) = if self.is_wide {
            let tested = if self.after { "n" } else { "i" };
            let body = format!(
                "%i0 = ori.extract %i[0] : (!ori.r64) -> !ori.r\n\
                 %i1 = ori.extract %i[1] : (!ori.r64) -> !ori.r\n\
                 %s0 = ori.extract %s[0] : (!ori.r64) -> !ori.r\n\
                 %s1 = ori.extract %s[1] : (!ori.r64) -> !ori.r\n\
                 %b0 = ori.extract %b[0] : (!ori.r64) -> !ori.r\n\
                 %b1 = ori.extract %b[1] : (!ori.r64) -> !ori.r\n\
                 %n0:2 = ori.iadd3 %i0, %s0, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)\n\
                 %n1 = ori.iadd3 <extended> %i1, %s1, %zero carry(%n0#1) \
                 : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r\n\
                 %n = ori.concat %n0#0, %n1 : (!ori.r, !ori.r) -> !ori.r64\n\
                 %low = ori.isetp <{compare}, u32, and> {} : (!ori.r, !ori.r) -> !ori.p\n\
                 %c = ori.isetp <{compare}, {sign}, extended, and> {} low(%low) \
                 : (!ori.r, !ori.r, !ori.p) -> !ori.p\n",
                sides(&format!("%{tested}0"), "%b0"),
                sides(&format!("%{tested}1"), "%b1"),
            );
            // The low word of the sum is the first of two results.
            (
                "r64",
                body.replace("%n0,", "%n0#0,").replace(", %n0 ", ", %n0#0 "),
            )
        } else {
            let tested = if self.after { "%n" } else { "%i" };
            let body = format!(
                "%n = ori.iadd3 %i, %s, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
                 %c = ori.isetp <{compare}, {sign}, and> {} : (!ori.r, !ori.r) -> !ori.p\n",
                sides(tested, "%b")
            );
            ("r", body)
        };
        format!(
            "%a = ori.imm {} : !ori.{ty}\n%s = ori.imm {} : !ori.{ty}\n%b = ori.imm {} : !ori.{ty}\n\
             ori.bra ^head(%a : !ori.{ty})\n\
             ^head(%i: !ori.{ty}):\n{body}\
             ori.cond_bra {inverted}%c, ^head(%n : !ori.{ty}), ^out : !ori.p\n\
             ^out:\nori.ret",
            self.start, self.step, self.bound
        )
    }

    /// How often the header runs, up to a limit.
    fn simulated(&self, analysed: &Analysed, limit: u64) -> Option<u64> {
        let context = &analysed.program.context;
        let blocks = analysed.flow.blocks();
        let mut known: FxHashMap<Value, Bits> = FxHashMap::default();
        analysed.program.execute(blocks[0], &mut known);
        let enter = blocks[0].terminator(context)?;
        let latch = blocks[1].terminator(context)?;
        let counter = blocks[1].argument(context, 0);
        let start = known[&enter.operand(context, 0)];
        known.insert(counter, start);
        for trips in 1..=limit {
            analysed.program.execute(blocks[1], &mut known);
            let holds = known[&latch.operand(context, 0)] != 0;
            if holds == self.inverted {
                return Some(trips);
            }
            let next = known[&latch.operand(context, 1)];
            known.insert(counter, next);
        }
        None
    }
}

/// Numbers around the ends of the ranges of words and pairs.
fn edge() -> impl Strategy<Value = i64> {
    let around = prop_oneof![
        Just(0i64),
        Just(1 << 31),
        Just(-(1 << 31)),
        Just(i64::MAX),
        Just(i64::MIN)
    ];
    (around, -60..60i64).prop_map(|(base, more)| base.wrapping_add(more))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// A constant trip count is that of an execution, and one is found unless the counter wraps.
    #[test]
    fn trip_counts_are_those_of_an_execution(
        numbers in (edge(), -9..9i64, -70..70i64),
        compare in proptest::sample::select(&["lt", "le", "gt", "ge", "eq", "ne"][..]),
        flags in any::<[bool; 5]>(),
    ) {
        let (start, step, span) = numbers;
        let [is_signed, is_wide, after, inverted, exchanged] = flags;
        let fit = |number: i64| if is_wide { number } else { (number << 32) >> 32 };
        let counting = Counting {
            start: fit(start),
            step,
            bound: fit(start.wrapping_add(span)),
            compare,
            is_signed,
            is_wide,
            after,
            inverted,
            exchanged,
        };
        let text = counting.text();
        let analysed = analysed(&text);
        let simulated = counting.simulated(&analysed, 200);
        match analysed.inductions.at(0).trip_count {
            TripCount::Constant(count) if count <= 200 => {
                prop_assert_eq!(Some(count), simulated, "{}", text);
            }
            TripCount::Constant(_) => prop_assert_eq!(None, simulated, "{}", text),
            TripCount::Unknown => {
                let limit = if is_wide { i128::from(i64::MAX) } else { i128::from(i32::MAX) };
                let near = [i128::from(counting.start), i128::from(counting.bound)];
                let end = near.iter().any(|number| number.abs() > limit - 2000 || number.abs() < 2000);
                // A step of 0 is no counter.
                prop_assert!(step == 0 || simulated.is_none() || end, "{}", text);
            }
            other => prop_assert!(false, "{:?}\n{}", other, text),
        }
    }
}

/// A loop with a symbolic bound, and what stands between its head and its latch.
fn symbolic(body: &str) -> String {
    format!(
        "ori.bra ^head(%zero, %d : !ori.r, !ori.r64)\n\
         ^head(%i: !ori.r, %q: !ori.r64):\n{body}\
         %n = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %q2 = ori.imad_wide <u32> %four, %four, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
         %c = ori.isetp <lt, s32, and> %n, %x : (!ori.r, !ori.r) -> !ori.p\n\
         ori.cond_bra %c, ^head(%n, %q2 : !ori.r, !ori.r64), ^out : !ori.p\n\
         ^out:\nori.ret"
    )
}

#[test]
fn a_loop_with_one_counted_exit_has_a_symbolic_count() {
    assert_eq!(trip_count(&symbolic("")), TripCount::Symbolic);
    let ends = symbolic("ori.exit_if %p : !ori.p\n");
    assert_eq!(trip_count(&ends), TripCount::Unknown);
    let varying = symbolic("").replace("%n, %x :", "%n, %n :");
    assert_eq!(trip_count(&varying), TripCount::Unknown);
}

/// A second exit may be taken before the counted one.
#[test]
fn another_exit_makes_a_count_an_upper_bound() {
    let two = |condition: &str| {
        format!(
            "%b = ori.imm 10 : !ori.r\n%s = ori.imm 7 : !ori.r\n\
             ori.bra ^head(%zero : !ori.r)\n\
             ^head(%i: !ori.r):\n\
             %n = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             %t = ori.isetp <eq, s32, and> {condition} : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %t, ^out, ^latch : !ori.p\n\
             ^latch:\n\
             %c = ori.isetp <lt, s32, and> %n, %b : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %c, ^head(%n : !ori.r), ^out : !ori.p\n\
             ^out:\nori.ret"
        )
    };
    // The values 1, 2, … are compared with 7: in the seventh iteration.
    assert_eq!(trip_count(&two("%n, %s")), TripCount::Constant(7));
    assert_eq!(trip_count(&two("%r, %x")), TripCount::AtMost(10));
    // Only an exit that each iteration tests counts.
    let skipped = two("%r, %x").replace("^out, ^latch", "^latch, ^side")
        + "\n^side:\n\
        %c2 = ori.isetp <lt, s32, and> %n, %s : (!ori.r, !ori.r) -> !ori.p\n\
        ori.cond_bra %c2, ^head(%n : !ori.r), ^out : !ori.p";
    assert_eq!(trip_count(&skipped), TripCount::Unknown);
}

/// The distances of the accesses of a loop's block in the order of the text, each with each.
fn distances(analysed: &Analysed) -> Vec<Distance> {
    let context = &analysed.program.context;
    let around = Loop {
        context,
        flow: &analysed.flow,
        natural: &analysed.forest.loops()[0],
    };
    let header = analysed.flow.block(around.natural.header);
    let accesses = header.operations(context);
    let accesses: Vec<_> = accesses
        .flat_map(|op| memory::accesses(context, op))
        .collect();
    let own = analysed.inductions.at(0);
    let mut found = Vec::new();
    for first in &accesses {
        for second in &accesses {
            found.push(distance(&around, own, first, second));
        }
    }
    found
}

#[test]
fn accesses_at_a_stride_overlap_in_iterations_that_are_apart() {
    let pair = |first: &str, second: &str| {
        let body = format!(
            "ori.stg <b32> [{first}], %x : (!ori.r64, !ori.r) -> ()\n\
             %l = ori.ldg <b32> [{second}] : (!ori.r64) -> !ori.r\n"
        );
        let all = distances(&analysed(&symbolic(&body)));
        (all[1], all[2])
    };
    // The pointer steps by 16 bytes.
    let at = |distance: i64| Distance::Between(distance, distance);
    assert_eq!(pair("%q", "%q"), (at(0), at(0)));
    assert_eq!(pair("%q", "%q + 4"), (Distance::Never, Distance::Never));
    assert_eq!(pair("%q + 16", "%q"), (at(1), at(-1)));
    assert_eq!(pair("%q", "%q + 32"), (at(-2), at(2)));
    assert_eq!(pair("%q", "%q + 14"), (at(-1), at(1)));
    assert_eq!(pair("%q", "%e"), (Distance::Any, Distance::Any));
    assert_eq!(pair("%d", "%d + 4"), (Distance::Never, Distance::Never));
    assert_eq!(pair("%d", "%d"), (Distance::Any, Distance::Any));
    // The pointer starts at %d: it passes it once, which is not told.
    assert_eq!(pair("%q", "%d"), (Distance::Any, Distance::Any));
    // Four bytes at multiples of 16 never meet four bytes behind them.
    assert_eq!(pair("%q", "%d + 4"), (Distance::Never, Distance::Never));
}

/// An index that is extended to 64 bits is affine only if it does not wrap.
#[test]
fn extended_indices_are_followed_if_they_do_not_wrap() {
    let store = |sign: &str| {
        format!(
            "%a = ori.imad_wide <{sign}> %i, %four, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
             ori.stg <b32> [%a + 8], %x : (!ori.r64, !ori.r) -> ()\n\
             %l = ori.ldg <b32> [%a] : (!ori.r64) -> !ori.r\n"
        )
    };
    let found = |text: String| distances(&analysed(&text))[1];
    // From 0 up to a signed bound.
    assert_eq!(found(symbolic(&store("s32"))), Distance::Between(2, 2));
    // From 0 on it is the same as an unsigned number; from -1 the number wraps in its first step.
    assert_eq!(found(symbolic(&store("u32"))), Distance::Between(2, 2));
    let negative = |sign: &str| {
        let text = symbolic(&store(sign)).replace("^head(%zero,", "^head(%minus,");
        found(format!("%minus = ori.imm -1 : !ori.r\n{text}"))
    };
    assert_eq!(negative("u32"), Distance::Any);
    assert_eq!(negative("s32"), Distance::Between(2, 2));
    // Up to an unsigned bound the number may be negative as a signed one.
    let unsigned = |sign: &str| found(symbolic(&store(sign)).replace("<lt, s32", "<lt, u32"));
    assert_eq!(unsigned("u32"), Distance::Between(2, 2));
    assert_eq!(unsigned("s32"), Distance::Any);
    // A counter that starts anywhere may wrap in its first step.
    let anywhere = symbolic(&store("s32")).replace("^head(%zero,", "^head(%r,");
    assert_eq!(found(anywhere.clone()), Distance::Any);
    // Tested before its step it does not.
    let before = anywhere.replace("%n, %x :", "%i, %x :");
    assert_eq!(found(before), Distance::Between(2, 2));
    // A step of two may jump over the bound.
    let two = symbolic(&store("s32")).replace("%i, %one, %zero", "%i, %one, %one");
    assert_eq!(found(two.clone()), Distance::Any);
    let constant = two.replace("%n, %x :", "%n, %four :");
    assert_eq!(found(constant), Distance::Between(1, 1));
}
