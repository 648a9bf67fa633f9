//! How long a module takes into orison and back, against MLIR's own printing and parsing of it.
//!
//! `tools/mlir/cargo bench` (1,000,000 operations; `-- 100000` for another number)

use std::time::{Duration, Instant};

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use melior::utility::register_all_dialects;

/// How often each is measured; the median counts.
const RUNS: usize = 3;

/// A module with this many operations: functions of about a thousand, half of them sums, the rest
/// constants, comparisons, selects and operations that nobody knows.
fn source(operations: usize) -> String {
    let mut text = String::from("\"builtin.module\"() ({\n");
    let mut emitted = 0;
    let mut state = 12_345_u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    while emitted < operations {
        let size = (200 + random(1800)).min(operations - emitted);
        text.push_str(&format!(
            "  \"func.func\"() <{{function_type = (i32) -> i32, sym_name = \"f{emitted}\"}}> ({{\n  ^bb0(%v0: i32):\n"
        ));
        let mut last = 0;
        for number in 1..=size {
            let mut pick = || last - random(last.min(40) + 1);
            let (a, b) = (pick(), pick());
            match number % 10 {
                0 | 1 => text.push_str(&format!(
                    "    %v{number} = \"arith.constant\"() <{{value = {number} : i32}}> : () -> i32\n"
                )),
                2 => text.push_str(&format!(
                    "    %v{number} = \"test.unknown\"(%v{a}, %v{b}) {{tag = \"t{}\"}} : (i32, i32) -> i32\n",
                    number % 7
                )),
                _ => text.push_str(&format!(
                    "    %v{number} = \"arith.addi\"(%v{a}, %v{b}) <{{overflowFlags = #arith.overflow<none>}}> : (i32, i32) -> i32\n"
                )),
            }
            last = number;
        }
        text.push_str(&format!(
            "    \"func.return\"(%v{last}) : (i32) -> ()\n  }}) : () -> ()\n"
        ));
        emitted += size;
    }
    text.push_str("}) : () -> ()\n");
    text
}

fn median(mut measure: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<_> = (0..RUNS).map(|_| measure()).collect();
    times.sort();
    times[RUNS / 2]
}

fn main() {
    let operations = std::env::args().skip(1).find_map(|text| text.parse().ok());
    let operations = operations.unwrap_or(1_000_000);
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_threading(false);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context.set_allow_unregistered_dialects(true);
    let text = source(operations);
    let mut module = Module::parse(&context, &text).expect("MLIR reads it");
    drop(text);

    let through_text = median(|| {
        let start = Instant::now();
        let flags = OperationPrintingFlags::new().print_generic_operation_form();
        let text = module.as_operation().to_string_with_flags(flags);
        let text = text.expect("MLIR prints it");
        let copy = Module::parse(&context, &text).expect("MLIR reads it");
        let time = start.elapsed();
        drop(copy);
        time
    });
    let through_orison = median(|| {
        let start = Instant::now();
        orison_mlir::round_trip(&mut module).expect("it goes over");
        start.elapsed()
    });
    println!("{operations} operations");
    println!(
        "MLIR prints and parses    {:8.3} s",
        through_text.as_secs_f64()
    );
    println!(
        "into orison and back      {:8.3} s",
        through_orison.as_secs_f64()
    );
    println!(
        "ratio                     {:8.3}",
        through_orison.as_secs_f64() / through_text.as_secs_f64()
    );
}
