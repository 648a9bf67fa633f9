//! Time of `ori-gmma` against the number of products: `cargo bench -p orison-rewrites --bench gmma`.
//!
//! Programs of 1,000 and 10,000 branches, loops or stages, in forms that make a dataflow expensive:
//! all products are in flight, or may be, where the branches meet. The exponent is that of the time
//! between the two sizes; the run fails if one is above 1.4. The import is not timed.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use orison_ir::Context;
use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_translate::import::{Options, import_with, register_dialects};

const SIZES: [usize; 2] = [1_000, 10_000];
const MOST: f64 = 1.4;

/// Writes the part of a program with a number, and what closes it behind the parts after it.
type Part = fn(&mut String, usize) -> String;

const FORMS: [(&str, Part); 9] = [
    ("branches around products", |text, number| {
        skip(text, number, "%n");
        *text += &(stage("d") + "\n");
        label(text, number)
    }),
    ("with a wait for all but one", |text, number| {
        skip(text, number, "%n");
        *text += &(stage("d") + "wgmma.wait_group.sync.aligned 1;\n");
        label(text, number)
    }),
    ("with reads and barriers", |text, number| {
        skip(text, number, "%n");
        *text += &(stage("d") + "st.global.f32 [%out], %d0;\nbar.sync 0;\n");
        label(text, number)
    }),
    ("with loads and factors", |text, number| {
        skip(text, number, "%n");
        *text += "ld.global.f32 %d1, [%out];\nxor.b32 %a1, %a1, %n;\n";
        *text += &stage("d").replace(
            "%da, %da, %true, 1, 1, 0, 0",
            "{%a0, %a1, %a2, %a3}, %da, %true, 1, 1, 0",
        );
        label(text, number)
    }),
    ("beside loads on other sides", |text, number| {
        skip(text, number, "%n");
        *text += "ld.global.f32 %d1, [%out];\nbar.sync 0;\n";
        label(text, number);
        let _ = writeln!(text, "@%p1 bra $M{number};");
        let _ = writeln!(text, "{}$M{number}:", stage("d"));
        *text += "wgmma.wait_group.sync.aligned 0;\n";
        String::new()
    }),
    ("of some threads", |text, number| {
        skip(text, number, "%t");
        *text += &stage("d");
        label(text, number)
    }),
    ("inside of each other", |text, number| {
        skip(text, number, "%n");
        *text += &stage("d");
        format!("$L{number}:\nbar.sync 0;\n")
    }),
    ("stages and stores", |text, _| {
        *text += &(stage("d") + "st.global.f32 [%out], %d0;\n");
        String::new()
    }),
    ("loops of two blocks", |text, number| {
        let _ = writeln!(text, "mov.u32 %r1, 0;\n$H{number}:");
        skip(text, number, "%t");
        *text += &stage("d");
        label(text, number);
        let _ = writeln!(
            text,
            "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, %n;\n@%p2 bra $H{number};"
        );
        String::new()
    }),
];

fn skip(text: &mut String, number: usize, by: &str) {
    let _ = writeln!(
        text,
        "setp.lt.u32 %p1, {by}, {number};\n@%p1 bra $L{number};"
    );
}

fn label(text: &mut String, number: usize) -> String {
    let _ = writeln!(text, "$L{number}:");
    String::new()
}

/// A fence, a product and a commit.
fn stage(name: &str) -> String {
    format!(
        "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 \
         {{%{name}0, %{name}1, %{name}2, %{name}3}}, %da, %da, %true, 1, 1, 0, 0;\n\
         wgmma.commit_group.sync.aligned;\n"
    )
}

/// A program with this many parts.
fn program(part: Part, count: usize) -> String {
    let mut text = ".version 8.6\n.target sm_90a\n.address_size 64\n\
                    .visible .entry k(.param .u64 out, .param .u32 n)\n.maxntid 128\n{\n\
                    .reg .pred %p<4>, %true;\n.reg .b32 %n, %t, %r<4>, %a<4>;\n\
                    .reg .b64 %out, %da;\n.reg .f32 %d<4>;\nld.param.u64 %out, [out];\n\
                    cvta.to.global.u64 %out, %out;\nld.param.u32 %n, [n];\nmov.u32 %t, %tid.x;\n\
                    cvt.u64.u32 %da, %n;\nsetp.eq.u32 %true, 0, 0;\n"
        .to_owned();
    for word in 0..4 {
        let _ = writeln!(text, "ld.global.f32 %d{word}, [%out+{}];", 4 * word);
        let _ = writeln!(text, "ld.global.u32 %a{word}, [%out+{}];", 4 * word);
    }
    let ends: Vec<String> = (0..count).map(|number| part(&mut text, number)).collect();
    text.extend(ends.into_iter().rev());
    text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
    for word in 0..4 {
        let _ = writeln!(text, "st.global.f32 [%out+{}], %d{word};", 4 * word);
    }
    text + "ret;\n}\n"
}

/// The time of the pipeline, without the import.
fn time(registry: &PassRegistry, text: &str) -> Duration {
    let mut context = Context::new();
    register_dialects(&mut context);
    let parsed = orison_translate::ptx::parse(text).expect("well-formed PTX");
    let options = Options {
        ptx_locations: true,
        ..Options::default()
    };
    let imported = import_with(&mut context, "k.ptx", text, &parsed, options);
    let (module, _) = imported.expect("an import");
    let pipeline = registry.parse_pipeline("builtin.module(ori-gmma)");
    let pipeline = pipeline.expect("a pipeline");
    let clock = Instant::now();
    let done = run_pipeline(&mut context, &pipeline, module);
    let spent = clock.elapsed();
    assert!(done.is_ok());
    spent
}

fn main() {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    println!(
        "{:<30} {:>12} {:>12} {:>9}",
        "form", "1,000", "10,000", "exponent"
    );
    for (name, part) in FORMS {
        let spent = SIZES.map(|count| time(&registry, &program(part, count)));
        let ratio = spent[1].as_secs_f64() / spent[0].as_secs_f64();
        let exponent = ratio.log10();
        println!(
            "{name:<30} {:>12.2?} {:>12.2?} {exponent:>9.2}",
            spent[0], spent[1]
        );
        assert!(exponent < MOST, "{name}: not close to linear");
    }
}
