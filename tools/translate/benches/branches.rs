//! How the time of the import, of the work that all passes share and of each pass on `ori` grows
//! with the number of targets of one indexed branch, the depth of nested loops, and the number of
//! instructions in loops: `cargo bench -p orison-translate --bench branches [targets|nest|loops
//! [sizes…]]`.
//!
//! The last column is the exponent of the growth between the last two sizes; 1 is linear.

use std::time::{Duration, Instant};

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};
use orison_translate::import::{import, register_dialects};
use orison_translate::ptx;

/// A program of a size.
struct Shape {
    name: &'static str,
    text: fn(usize) -> String,
    sizes: [usize; 3],
}

const SHAPES: [Shape; 3] = [
    Shape {
        name: "targets",
        text: targets,
        sizes: [1_000, 10_000, 100_000],
    },
    Shape {
        name: "nest",
        text: nest,
        sizes: [50, 150, 500],
    },
    Shape {
        name: "loops",
        text: loops,
        sizes: [1_000, 10_000, 100_000],
    },
];

/// Loops, each of which is all but the counter of the one around it.
fn nest(depth: usize) -> String {
    let begin: String = (0..depth)
        .map(|level| {
            format!(
                "mov.u32 %i{level}, 0;\nL{level}: setp.ge.s32 %p, %i{level}, %n; @%p bra E{level};\n"
            )
        })
        .collect();
    let end: String = (0..depth)
        .rev()
        .map(|level| format!("add.s32 %i{level}, %i{level}, 1; bra L{level};\nE{level}:\n"))
        .collect();
    let counters: Vec<String> = (0..depth).map(|level| format!("%i{level}")).collect();
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 p, .param .u32 q) {{\n\
         .reg .b32 %s, %n, {}; .reg .b64 %d; .reg .pred %p;\n\
         ld.param.u64 %d, [p]; ld.param.u32 %n, [q]; mov.u32 %s, 0;\n\
         {begin}add.s32 %s, %s, %i0; st.global.u32 [%d], %s;\n{end}\
         st.global.u32 [%d+4], %s; ret;\n}}\n",
        counters.join(", ")
    )
}

/// Loops of ten instructions, one behind the other.
fn loops(instructions: usize) -> String {
    let body = |number: usize| {
        let offset = number % 1000 * 4;
        format!(
            "mov.u32 %i, 0;\nL{number}: ld.global.f32 %v, [%d+{offset}]; mul.f32 %v, %v, %x; fma.rn.f32 %v, %v, %x, %v;\n\
             add.f32 %s, %s, %v; mad.lo.s32 %j, %i, %n, %n; st.shared.u32 [%i], %j;\n\
             add.s32 %i, %i, 1; setp.lt.s32 %p, %i, %n; @%p bra L{number};\n"
        )
    };
    let bodies: String = (0..instructions / 10).map(body).collect();
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 p, .param .u32 q) {{\n\
         .reg .b32 %i, %j, %n; .reg .f32 %x, %v, %s; .reg .b64 %d; .reg .pred %p;\n\
         ld.param.u64 %d, [p]; ld.param.u32 %n, [q]; mov.f32 %x, 0f3F000000; mov.f32 %s, %x;\n\
         {bodies}st.global.f32 [%d], %s; ret;\n}}\n"
    )
}

/// A loop around an indexed branch, as in interpreters: cases modify registers that others read.
fn targets(targets: usize) -> String {
    let labels: Vec<String> = (0..targets).map(|case| format!("L{case}")).collect();
    let cases: String = (0..targets)
        .map(|case| format!("L{case}: add.u32 %a, %a, {case}; xor.b32 %b, %b, %a; bra NEXT;\n"))
        .collect();
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 p, .param .u32 q) {{\n\
         .reg .b32 %a, %b, %i, %n; .reg .b64 %p; .reg .pred %m;\n\
         ld.param.u64 %p, [p]; ld.param.u32 %n, [q]; mov.u32 %a, %tid.x; mov.u32 %b, 9;\n\
         T: .branchtargets {};\n\
         LOOP: rem.u32 %i, %n, {targets};\nbrx.idx %i, T;\n{cases}\
         NEXT: add.u32 %n, %n, %a; setp.lt.u32 %m, %n, 100000; @%m bra LOOP;\n\
         st.global.u32 [%p], %a; st.global.u32 [%p+4], %b; ret;\n}}\n",
        labels.join(", ")
    )
}

fn imported(text: &str) -> (Context, Operation) {
    let parsed = ptx::parse(text).expect("PTX");
    let mut context = Context::new();
    register_dialects(&mut context);
    let (module, _) = import(&mut context, "bench.ptx", text, &parsed).expect("an import");
    (context, module)
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let made = work();
    (start.elapsed(), made)
}

/// Names and times of the measurements.
fn measure(text: &str) -> Vec<(String, Duration)> {
    let mut rows = Vec::new();
    let mut row = |name: &str, time| rows.push((name.to_owned(), time));
    let (time, parsed) = timed(|| ptx::parse(text).expect("PTX"));
    row("parse PTX", time);
    let mut context = Context::new();
    register_dialects(&mut context);
    let made = timed(|| import(&mut context, "bench.ptx", text, &parsed).expect("an import"));
    row("import", made.0);
    let module = made.1.0;
    let (time, valid) = timed(|| context.verify(module).is_ok());
    assert!(valid, "{:?}", context.diagnostics.take().last());
    row("verify", time);
    let (time, printed) = timed(|| print_to_string(&context, module, &PrintFlags::default()));
    row("print", time);
    let source = Source {
        name: "bench.mlir",
        text: &printed,
        first_line: 1,
    };
    let (time, read) = timed(|| parse_source(&mut context, source));
    assert!(read.is_ok());
    row("read", time);
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let general = ["canonicalize", "cse", "sccp"].into_iter();
    let passes = registry.passes().map(|pass| pass.name);
    let ours = passes.filter(|name| name.starts_with("ori-") && *name != "ori-print-analysis");
    let kinds = "ori-print-analysis{kind=loops,divergence,pressure}";
    for name in general.chain(ours).chain([kinds]) {
        let (mut context, module) = imported(text);
        let pipeline = registry.parse_pipeline(&format!("builtin.module({name})"));
        let pipeline = pipeline.expect("a pipeline");
        let (time, ran) = timed(|| run_pipeline(&mut context, &pipeline, module));
        assert!(ran.is_ok(), "{name}");
        assert!(context.verify(module).is_ok(), "{name}");
        row(name, time);
    }
    rows
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let sizes: Vec<usize> = given.iter().filter_map(|size| size.parse().ok()).collect();
    let named = |shape: &&Shape| given.iter().any(|name| name == shape.name);
    let any = SHAPES.iter().any(|shape| named(&shape));
    for shape in SHAPES.iter().filter(|shape| !any || named(shape)) {
        let sizes = if any && !sizes.is_empty() {
            &sizes[..]
        } else {
            &shape.sizes
        };
        table(shape, sizes);
    }
}

/// Measures programs of a shape and prints the times.
fn table(shape: &Shape, sizes: &[usize]) {
    let columns: Vec<_> = sizes
        .iter()
        .map(|size| measure(&(shape.text)(*size)))
        .collect();
    let heads: String = sizes.iter().map(|size| format!(" {size} ms |")).collect();
    println!("| {} |{heads} exponent |", shape.name);
    println!("|---|{}--:|", "--:|".repeat(sizes.len()));
    for (number, (name, _)) in columns[0].iter().enumerate() {
        let times: Vec<f64> = columns
            .iter()
            .map(|column| column[number].1.as_secs_f64() * 1e3)
            .collect();
        let cells: String = times.iter().map(|time| format!(" {time:.1} |")).collect();
        let exponent = match (times.as_slice(), sizes) {
            ([.., before, last], [.., small, large]) => {
                #[allow(clippy::cast_precision_loss)]
                let growth = (*large as f64 / *small as f64).ln();
                format!("{:.1}", (last / before).ln() / growth)
            }
            _ => String::new(),
        };
        println!("| {name} |{cells} {exponent} |");
    }
}
