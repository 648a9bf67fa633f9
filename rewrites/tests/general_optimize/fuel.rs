//! Fuel and debug counters: limits how many windows are replaced, starting with the first.

use orison_ir::pass::PassManager;
use orison_rewrites::ori::general_optimize::cost::of_block;

use crate::programs::{program, read, run_passes, text, with};

const OPTIONS: &str = "window=6";

/// The program after the pass, its cost, and the fuel used.
fn limited(before: &str, limit: impl Fn(&mut PassManager<'_>)) -> (String, u64, u64) {
    let (mut context, module) = read(before);
    let mut manager = PassManager::default();
    manager.control().fuel = Some(1000);
    limit(&mut manager);
    let fuel = manager.control().fuel.unwrap();
    run_passes(&mut manager, &mut context, module, &with(OPTIONS));
    let function = module
        .body_block(&context, 0)
        .unwrap()
        .first_op(&context)
        .unwrap();
    let cost = of_block(&context, function.body_block(&context, 0).unwrap());
    let used = fuel - manager.control().fuel.unwrap();
    (text(&context, module), cost, used)
}

#[test]
fn fuel_is_used_by_the_window() {
    let mut most = 0;
    for seed in 7000..7006 {
        let before = program(seed, 40, false);
        let (all, cost, used) = limited(&before, |_| {});
        most = most.max(used);
        let mut last = u64::MAX;
        for fuel in 0..=used {
            let set = |manager: &mut PassManager<'_>| manager.control().fuel = Some(fuel);
            let (found, now, spent) = limited(&before, set);
            assert_eq!(spent, fuel, "seed {seed}");
            assert!(now <= last, "seed {seed}, fuel {fuel}: {last} became {now}");
            last = now;
            let (context, module) = read(&before);
            if fuel == 0 {
                assert_eq!(found, text(&context, module), "seed {seed}");
            }
            let (again, ..) = limited(&before, set);
            assert_eq!(found, again, "seed {seed}, fuel {fuel}");
            if fuel == used {
                assert_eq!(found, all, "seed {seed}");
                assert_eq!(now, cost, "seed {seed}");
            }
        }
    }
    assert!(
        most >= 4,
        "no program has more than {most} windows that get cheaper"
    );
}

#[test]
fn debug_counters_choose_windows_and_matches() {
    for seed in 7000..7003 {
        let before = program(seed, 40, false);
        let (all, _, used) = limited(&before, |_| {});
        for count in 0..used {
            let counter = format!("ori-general-replace-count={count}");
            let counted = limited(&before, |manager| {
                manager.control().counters.set(&counter).unwrap();
            });
            let fuelled = limited(&before, |manager| manager.control().fuel = Some(count));
            assert_eq!(counted.2, fuelled.2, "seed {seed}");
            assert_eq!(counted.0, fuelled.0, "seed {seed}");
        }
        let skipped = limited(&before, |manager| {
            manager
                .control()
                .counters
                .set("ori-general-replace-skip=1000")
                .unwrap();
        });
        assert_eq!(skipped.2, 0);
        // A rule that is never admitted has no effect.
        let without = limited(&before, |manager| {
            manager
                .control()
                .counters
                .set("ori-general-add-zero-count=0")
                .unwrap();
            manager
                .control()
                .counters
                .set("ori-general-linear-form-count=0")
                .unwrap();
        });
        assert!(without.2 <= used + 2 && !all.is_empty());
    }
}
