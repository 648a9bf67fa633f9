//! How long a module takes into orison and back, against MLIR's own printing and parsing of it.
//!
//! `tools/mlir/cargo bench` (10,000, 100,000 and 1,000,000 operations; `-- 300000` for another
//! number)
//!
//! The peer is measured in the three ways that MLIR's users have, in one context with all dialects
//! loaded, into a string and out of it: as MLIR prints by default, in generic form, and with
//! locations, without which the text loses what the bridge carries over. MLIR's time does not have the
//! end of the old module in it; that of the bridge does. What counts is the time of the processor,
//! so that other programs change little.

mod kernels;

use std::fs;
use std::sync::LazyLock;
use std::time::Instant;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use melior::utility::register_all_dialects;

/// Operations in all runs with a module; each is measured at most five times, and the fastest counts.
const ENOUGH: usize = 500_000;

/// A way through text: what it is called, and its flags.
type Way = (&'static str, fn() -> OperationPrintingFlags);

const WAYS: [Way; 3] = [
    ("MLIR prints and parses", OperationPrintingFlags::new),
    ("  the same, generic form", || {
        OperationPrintingFlags::new().print_generic_operation_form()
    }),
    ("  the same, with locations", || {
        OperationPrintingFlags::new().enable_debug_info(true, false)
    }),
];

fn main() {
    let wanted = std::env::args().skip(1).find_map(|text| text.parse().ok());
    let context = Context::new_with_threading(false);
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context.set_allow_unregistered_dialects(true);
    for operations in wanted.map_or(vec![10_000, 100_000, 1_000_000], |one: usize| vec![one]) {
        compare(&context, operations);
    }
}

/// Measures a module of about this many operations, and says what came out.
fn compare(context: &Context, operations: usize) {
    let (text, operations) = kernels::kernels(operations);
    let mut module = Module::parse(context, &text).expect("MLIR reads it");
    drop(text);
    let mut through_text = [f64::INFINITY; WAYS.len()];
    let mut through_orison = f64::INFINITY;
    for _ in 0..(ENOUGH / operations).clamp(1, 5) {
        for ((_, flags), fastest) in WAYS.iter().zip(&mut through_text) {
            *fastest = fastest.min(print_and_parse(context, &module, flags()));
        }
        let start = seconds();
        orison_mlir::round_trip(&mut module).expect("it goes over");
        through_orison = through_orison.min(seconds() - start);
    }
    println!("{operations} operations");
    println!("into orison and back       {through_orison:8.4} s");
    for ((name, _), time) in WAYS.iter().zip(through_text) {
        let ratio = through_orison / time;
        println!("{name:26} {time:8.4} s   ratio {ratio:.3}");
    }
}

/// Seconds that MLIR takes to print a module and to parse what it printed.
fn print_and_parse(context: &Context, module: &Module<'_>, flags: OperationPrintingFlags) -> f64 {
    let start = seconds();
    let text = module.as_operation().to_string_with_flags(flags);
    let text = text.expect("MLIR prints it");
    let copy = Module::parse(context, &text).expect("MLIR reads it");
    let time = seconds() - start;
    drop(copy);
    time
}

/// Seconds for which this thread was on a processor; of the clock where the system does not say.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |number| number / 1e9)
}
