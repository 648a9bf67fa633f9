//! Time to read listings, to compute what instructions read and write, to convert them to operations,
//! to parse these, and to reset their control words: `cargo bench -p orison-sass --bench import`. The
//! last column is the reset with the verification after it, as a share of the parser with its own.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string, walk};
use orison_sass::control::ControlWord;
use orison_sass::dialect::{self, Edits};
use orison_sass::scheduled::Scheduled;
use orison_sass::{effects, listing};

/// A listing with this many instructions: the code of a real kernel repeated, as one function.
fn repeated(count: usize) -> String {
    let text = include_str!("../tests/real/tma_matmul.sm_90a.sass");
    let listing = listing::parse(text).expect("a listing");
    let found = &listing.sections[0];
    let code: Vec<_> = found.instructions().collect();
    let mut out = ".target sm_90a\n//---- .text.k ----\n".to_owned();
    for number in 0..count {
        let instruction = code[number % code.len()];
        let encoding = instruction.encoding().expect("bits");
        // Labels are renamed per copy.
        if number % 16 == 0 {
            let _ = writeln!(out, ".L_x_{}:", number / 16);
        }
        let instruction = match instruction.labels().next() {
            Some(_) => format!("@P0 BRA `(.L_x_{})", number / 16),
            None => instruction.to_string(),
        };
        let _ = writeln!(
            out,
            "        /*{:04x}*/  {instruction} ;  /* {:#018x} */\n  /* {:#018x} */",
            number * 16,
            encoding.low,
            encoding.high,
        );
    }
    out
}

fn registered() -> Context {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_sass::register(&mut context);
    context
}

fn milliseconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = black_box(work());
    (result, start.elapsed().as_secs_f64() * 1e3)
}

fn main() {
    println!(
        "instructions |   read | blocks | effects |     IR |  print |  parse | verify |  reset | verify | share   (milliseconds)"
    );
    for count in [1_000, 10_000, 100_000] {
        let text = repeated(count);
        let (listing, read) = milliseconds(|| listing::parse(&text).expect("a listing"));
        let again = listing.clone();
        let (functions, blocks) = milliseconds(|| again.into_functions().expect("functions"));
        let ((), effect) = milliseconds(|| {
            for function in &functions {
                for instruction in function.instructions() {
                    black_box(effects::effects(instruction));
                }
            }
        });
        let mut context = registered();
        let (module, ir) =
            milliseconds(|| dialect::module(&mut context, listing, "k.sass").expect("a module"));
        let (text, print) =
            milliseconds(|| print_to_string(&context, module, &PrintFlags::default()));
        let source = Source {
            name: "k.mlir",
            text: &text,
            first_line: 1,
        };
        // What another context has interned and verified does not count.
        let mut context = registered();
        let (module, parse) =
            milliseconds(|| parse_source(&mut context, source).expect("a module"));
        let (verified, verify) = milliseconds(|| context.verify(module));
        assert!(verified.is_ok());
        let (changed, reset) = milliseconds(|| {
            let mut edits = Edits::default();
            for op in walk::collect(&context, module) {
                if let Some(mut found) = Scheduled::find(&context, op) {
                    found.control = ControlWord::PLAIN;
                    found.mark_reuse(|_| false);
                    edits.change(&context, op, &found);
                }
            }
            edits.apply(&mut context)
        });
        assert!(changed);
        let (verified, again) = milliseconds(|| context.verify(module));
        assert!(verified.is_ok());
        let share = (reset + again) / (parse + verify);
        println!(
            "{count:>12} | {read:>6.1} | {blocks:>6.1} | {effect:>7.1} | {ir:>6.1} | {print:>6.1} | {parse:>6.1} | {verify:>6.1} | {reset:>6.1} | {again:>6.1} | {share:>5.2}"
        );
    }
}
