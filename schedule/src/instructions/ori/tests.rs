//! What regions of operations know, against what other analyses say.

use orison_ir::analyses::{ControlFlowGraph, Liveness, LoopForest};
use orison_ir::{Context, Source, parse_source};
use orison_ori::analyses::pressure::RegisterClass as Class;
use orison_ori::analyses::{Frequencies, Inductions, RegisterPressure};
use orison_ori::knobs::Knobs;

use super::*;
use crate::instructions::strategies::ALL;

/// Runs a closure on a function of sm_90.
fn with_scope<R>(body: &str, settings: &[&str], run: impl FnOnce(Scope<'_>) -> R) -> R {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let text = format!(
        "ori.func @f(%q: !ori.r64, %r: !ori.r64, %x: !ori.r, %p: !ori.p) target \"sm_90\" {{\n{body}\n}}"
    );
    let source = Source {
        name: "test.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).unwrap_or_else(|_| {
        let errors = context.diagnostics.take();
        let errors: Vec<_> = errors.iter().map(|one| one.render(&context)).collect();
        panic!("{}", errors.concat())
    });
    let function = module
        .body_block(&context, 0)
        .and_then(|block| block.first_op(&context))
        .expect("a function");
    let region = function.regions(&context).next().expect("a body");
    let flow = ControlFlowGraph::of(&context, region);
    let forest = LoopForest::of(&flow);
    let inductions = Inductions::of(&context, &flow, &forest);
    let scope = Scope {
        context: &context,
        flow: &flow,
        liveness: &Liveness::of(&context, &flow),
        forest: &forest,
        inductions: &inductions,
        frequencies: &Frequencies::of(&context, &flow, &forest, &inductions),
        model: LatencyModel::for_target("sm_90").expect("a model"),
        knobs: &Knobs::of(settings).expect("knobs"),
    };
    run(scope)
}

/// Values of every class, wide ones, parts, values that nothing uses, and values that are live through.
const BLOCKS: &str = "\
    %zero = ori.imm 0 : !ori.r\n\
    %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r\n\
    %w = ori.ldg <b64> [%q + 8] : (!ori.r64) -> !ori.r64\n\
    %c = ori.isetp <lt, s32, and> %a, %x : (!ori.r, !ori.r) -> !ori.p\n\
    %u = ori.r2ur %x : (!ori.r) -> !ori.ur\n\
    %low = ori.extract %w[0] : (!ori.r64) -> !ori.r\n\
    %high = ori.extract %w[1] : (!ori.r64) -> !ori.r\n\
    %s = ori.iadd3 %low, %high, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
    %unused = ori.iadd3 %low, %x, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
    ori.cond_bra %c, ^left, ^right(%s : !ori.r) : !ori.p\n\
    ^left:\n\
    %pair = ori.concat %s, %x : (!ori.r, !ori.r) -> !ori.r64\n\
    ori.stg <b64> [%r], %pair : (!ori.r64, !ori.r64) -> ()\n\
    ori.bra ^right(%a : !ori.r)\n\
    ^right(%v: !ori.r):\n\
    %t = ori.iadd3 %v, %u, %zero : (!ori.r, !ori.ur, !ori.r) -> !ori.r\n\
    ori.stg <b32> [%r], %t : (!ori.r64, !ori.r) -> ()\n\
    ori.ret";

#[test]
fn live_registers_are_those_of_the_analysis() {
    with_scope(BLOCKS, &["LivenessUseHiLo=0"], |scope| {
        let known = RegisterPressure::of(scope.context, scope.flow, scope.liveness);
        for block in scope.flow.reverse_post_order() {
            let parts = part::parts(scope, *block);
            let [part] = parts.as_slice() else {
                panic!("{} parts", parts.len());
            };
            let most = Pressure::of(&part.region.registers, &part.order);
            let classes = [
                (RegisterClass::General, Class::General),
                (RegisterClass::Predicate, Class::Predicate),
                (RegisterClass::Uniform, Class::Uniform),
            ];
            for (own, class) in classes {
                let counted = u32::try_from(most[own as usize]).expect("a count");
                assert_eq!(counted, known.block(*block).get(class), "block {block}");
            }
        }
    });
}

#[test]
fn knobs_say_how_registers_are_counted() {
    let first = |settings: &[&str]| {
        with_scope(BLOCKS, settings, |scope| {
            let part = &part::parts(scope, 0)[0];
            Pressure::of(&part.region.registers, &part.order)[RegisterClass::General as usize]
        })
    };
    // %q, %r, %x, %a, %w and its parts; the parts are words of %w.
    let apart = first(&["LivenessUseHiLo=0"]);
    let halves = first(&[]);
    assert!(halves < apart, "{halves} and {apart}");
    // %q and %r as one register each.
    let values = first(&["LivenessUseHiLo=0", "LivenessCountRegComp=0"]);
    assert!(values < apart, "{values} and {apart}");
    // %x, %a and %low have two uses and more.
    let more = first(&["SchedMultiRefMinRefs=2", "SchedMultiRefDeltaLive=5"]);
    assert!(more >= halves + 10, "{more} and {halves}");
}

#[test]
fn every_strategy_gives_an_order_that_is_allowed() {
    with_scope(BLOCKS, &[], |scope| {
        for block in scope.flow.reverse_post_order() {
            for part in part::parts(scope, *block) {
                for strategy in ALL {
                    for phase in Phase::ALL {
                        let settings = Settings {
                            phase,
                            ..Settings::default()
                        };
                        let order = strategy.order(&part.region, &part.order, &settings);
                        let allowed = order.is_none_or(|order| part.region.allows(&order));
                        assert!(allowed, "{} in {}", strategy.name(), phase.name());
                    }
                }
            }
        }
    });
}

#[test]
fn long_blocks_are_divided() {
    let sum = |number: usize| {
        format!(
            "%v{} = ori.iadd3 %v{number}, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r\n",
            number + 1
        )
    };
    let count = 9_000;
    let mut body = "%v0 = ori.iadd3 %x, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r\n".to_owned();
    body.extend((0..count).map(sum));
    body.push_str(&format!(
        "ori.stg <b32> [%r], %v{count} : (!ori.r64, !ori.r) -> ()\nori.ret"
    ));
    with_scope(&body, &[], |scope| {
        let parts = part::parts(scope, 0);
        let lengths: Vec<usize> = parts.iter().map(|part| part.operations.len()).collect();
        assert_eq!(lengths, [4095, 4095, 812]);
        // Of the chain one register is live between the parts, behind %q, %r, %x and %p's class.
        let live = Pressure::new(&parts[1].region.registers);
        assert_eq!(live.live()[RegisterClass::General as usize], 2 + 1 + 1);
    });
}

#[test]
fn cold_blocks_and_the_phase_that_reduces_keep_registers_back() {
    let knobs = |settings: &[&str]| BudgetKnobs::of(&Knobs::of(settings).expect("knobs"));
    let budget = |settings: &[&str], phase, cold| {
        let budget = knobs(settings).budget(Limit::Most(255), phase, (cold, true));
        (budget.general, budget.reduced)
    };
    // 95 % of 255 less 3; a 16th less.
    assert_eq!(budget(&[], Phase::Ilp, false), (239, 239 - 14));
    assert_eq!(budget(&[], Phase::Ilp, true), (239, 225));
    let cold = &["SchedMaxRLiveOKslackColdBlocks=20"];
    assert_eq!(budget(cold, Phase::Ilp, true).0, 219);
    assert_eq!(budget(cold, Phase::Ilp, false).0, 239);
    // 250 less 3, and an eighth and 3, or what the knob says.
    assert_eq!(budget(&[], Phase::ReduceReg, false).0, 250 - 3 - 34);
    assert_eq!(budget(cold, Phase::ReduceReg, false).0, 250 - 3 - 20);
    assert_eq!(
        budget(&["SchedReduceIncLimit=100"], Phase::ReduceReg, false).0,
        100 - 3 - 15
    );
    assert_eq!(budget(&["SchedMaxRTarget=64"], Phase::Ilp, false).0, 60 - 3);
    assert_eq!(
        budget(&["SchedMaxRTarget=0"], Phase::Ilp, false).0,
        i32::MAX
    );
    assert_eq!(
        budget(&["SchedMaxRLiveCarefulSlack=30"], Phase::Ilp, false).1,
        209
    );
    assert_eq!(
        budget(&["SchedMaxRLiveOKslack=0"], Phase::Ilp, false).0,
        242
    );
}

#[test]
fn the_budget_lets_more_warps_run_where_that_issues_more() {
    // A loop of 40 instructions that needs 20 registers: with 64 warps as many issue as can.
    let window = LiveWindow {
        frequency: 100.0,
        instructions: vec![(Kind::Plain, 20); 48],
    };
    let chosen = |settings: &[&str], has_loops: bool| {
        let knobs = Knobs::of(settings).expect("knobs");
        let curve = Curve::of(std::slice::from_ref(&window), has_loops, &knobs);
        choose_budget(&curve, &BudgetKnobs::of(&knobs), 255, 20)
    };
    assert_eq!(chosen(&[], false), 255);
    // 2, 3, 4, 5 and 6 warps a scheduler are compared.
    assert_eq!(chosen(&[], true), 80);
    // Registers that are not needed cost nothing, and as many issue with few warps.
    let wide = [
        "SchedBumpScaleAugmentFactor=0",
        "SchedEstimatedLoopIterations=4,6,6",
    ];
    assert_eq!(chosen(&wide, true), 255);
}

/// What ptxas 13.0.88 uses for kernels without loops: the registers of the next step that leaves four.
#[test]
fn the_budget_is_the_first_step_that_leaves_room() {
    let occupancy = Occupancy::of(90, None, 0);
    let chosen = |least: i32| choose_step(occupancy, 255, least);
    assert_eq!(chosen(10), Limit::Step(32));
    assert_eq!(chosen(27), Limit::Step(32));
    assert_eq!(chosen(28), Limit::Step(40));
    assert_eq!(chosen(100), Limit::Step(128));
    // Behind the last step are the registers of the function.
    assert_eq!(chosen(200), Limit::Most(255));
    assert_eq!(choose_step(occupancy, 64, 60), Limit::Most(64));
    // Of a step, all registers may be used, but those that are kept back.
    let knobs = BudgetKnobs::of(&Knobs::of::<&str>(&[]).expect("knobs"));
    let budget = knobs.budget(Limit::Step(64), Phase::Ilp, (false, true));
    assert_eq!(budget.general, 64 - 1 - 3);
}

/// Eight sums of two loaded words each, where the program has all loads in front: one sum behind the other needs the
/// arguments (five), the sum of sums and two words.
#[test]
fn expressions_are_computed_one_after_another() {
    let loads = (0..8).map(|number| {
        let offset = 4 * number;
        format!(
            "%a{number} = ori.ldg <b32> [%q + {offset}] : (!ori.r64) -> !ori.r\n\
             %b{number} = ori.ldg <b32> [%r + {offset}] : (!ori.r64) -> !ori.r\n"
        )
    });
    let loads: String = loads.collect();
    let sums = (0..8).map(|number| {
        let before = match number {
            0 => "%x".to_owned(),
            _ => format!("%s{}", number - 1),
        };
        format!(
            "%s{number} = ori.imad %a{number}, %b{number}, {before} : (!ori.r, !ori.r, !ori.r) -> !ori.r\n"
        )
    });
    let sums: String = sums.collect();
    let body = format!("{loads}{sums}ori.stg <b32> [%q], %s7 : (!ori.r64, !ori.r) -> ()\nori.ret");
    with_scope(&body, &[], |scope| {
        let parts = part::parts(scope, 0);
        let part = &parts[0];
        assert!(general(part, &part.order) >= 16);
        let strategy = named("pressure").expect("a strategy");
        let order = strategy.order(&part.region, &part.order, &Settings::default());
        let order = order.expect("an order");
        assert!(general(part, &order) <= 5 + 1 + 2, "{order:?}");
        // A function that is to need few registers gets about as many.
        let options = |is_internal| Options {
            phases: vec![Phase::Ilp],
            strategy: None,
            settings: Settings::default(),
            registers: 255,
            is_asked: false,
            is_internal,
            occupancy: Some(Occupancy::of(90, None, 0)),
        };
        let live = |is_internal| schedule(scope, &options(is_internal)).phases[0].live[1];
        assert!(live(true) <= 5 + 1 + 2 + 1);
        assert!(live(false) > live(true));
    });
}
