//! Copies of tensors, clusters and tensor memory: kernels of Triton and hand-written ones.

use orison_ir::Context;
use orison_ir::numbers::{Float, FloatKind};
use orison_translate::run::{Description, load};

use super::*;

fn narrow(kind: FloatKind, values: &[f32]) -> Vec<u8> {
    let bits = values
        .iter()
        .map(|x| Float::from_f64(kind, (*x).into()).bits() as u16);
    bits.flat_map(u16::to_le_bytes).collect()
}

fn wide(kind: FloatKind, halves: &[u16]) -> Vec<f32> {
    let wide = halves
        .iter()
        .map(|bits| Float::from_bits(kind, (*bits).into()).to_f64() as f32);
    wide.collect()
}

/// Runs a PTX text as a JSON text describes; returns the outputs.
fn described(
    name: &str,
    text: &str,
    json: &serde_json::Value,
) -> Result<serde_json::Value, String> {
    let description = Description::parse("run.json", &json.to_string())?;
    let mut context = Context::new();
    let module = load(&mut context, name, text, true)?;
    let directory = std::path::Path::new(".");
    let printed =
        orison_translate::run::run(&context, module, "run.json", &description, directory)?;
    let outputs = |printed: &str| -> serde_json::Value {
        let printed: serde_json::Value =
            serde_json::from_str(printed).expect("the run prints JSON");
        printed["outputs"].clone()
    };
    for (compiler, module) in machine::compiled(name, text) {
        let found = module.describe(&description);
        let found = found.unwrap_or_else(|error| panic!("{name} of {compiler}: {error}"));
        assert_eq!(outputs(&found), outputs(&printed), "{name} of {compiler}");
    }
    Ok(outputs(&printed))
}

fn described_file(file: &str, json: &serde_json::Value) -> Result<serde_json::Value, String> {
    let text = std::fs::read_to_string(path(file)).expect("the kernel of a test");
    described(file, &text, json)
}

fn numbers_of(output: &serde_json::Value) -> Vec<u64> {
    let all = output.as_array().expect("an output is a list");
    all.iter()
        .map(|it| it.as_u64().unwrap_or(u64::MAX))
        .collect()
}

/// The product of two matrices, the right one column-major.
fn product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f32> {
    let places = (0..m).flat_map(|row| (0..n).map(move |column| (row, column)));
    let sum = |(row, column): (usize, usize)| {
        let (left, right) = (&a[row * k..][..k], &b[column * k..][..k]);
        left.iter().zip(right).map(|(x, y)| x * y).sum()
    };
    places.map(sum).collect()
}

/// A matrix product of Triton, which writes its tensor maps itself and copies whole tiles; also at
/// the edges of the matrices.
fn matmul(file: &str, threads: u32, [m, n, k]: [usize; 3], grid: u32) {
    let kind = FloatKind::BF16;
    let whole = |count, seed| -> Vec<f32> {
        let all = wholes(count, 7, seed);
        all.into_iter().map(|x| (x - 3) as f32).collect()
    };
    let (a, b) = (whole(m * k, 50), whole(n * k, 51));
    let expected = product(&a, &b, [m, n, k]);
    let arguments = vec![
        Argument::Buffer("a", narrow(kind, &a)),
        Argument::Buffer("b", narrow(kind, &b)),
        Argument::Buffer("c", narrow(kind, &vec![0.0; m * n])),
        int(m as i32),
        int(n as i32),
        int(k as i32),
        Argument::Buffer("scratch", vec![0; 4096 * grid as usize]),
        Argument::Null,
    ];
    let name = "matmul_persistent_tma";
    let left = run(
        file,
        name,
        [grid, 1, 1],
        [threads, 1, 1],
        230_000,
        arguments,
    );
    assert_close(&wide(kind, &left.halves("c")), &expected, 1.0 / 256.0);
}

#[test]
fn tensor_copies_feed_warp_groups() {
    let file = "matmul_bf16_persistent_tma_128x128x64.sm_90a.ptx";
    matmul(file, 128, [72, 136, 144], 2);
}

#[test]
fn tensor_copies_feed_tensor_memory() {
    let file = "matmul_bf16_persistent_tma_128x128x64.sm_100a.ptx";
    matmul(file, 128, [72, 136, 144], 2);
}

#[test]
fn warps_with_different_tasks_hand_tiles_on() {
    for (arch, threads) in [("sm_90a", 384), ("sm_100a", 256)] {
        let file = format!("matmul_bf16_persistent_tma_128x128x64_ws.{arch}.ptx");
        matmul(&file, threads, [128, 64, 136], 1);
    }
}

/// Factors in tensor memory and shared memory, of floats that are exact in tf32.
#[test]
fn rounded_floats_are_multiplied_in_tensor_memory() {
    let [m, n, k] = [128, 64, 64];
    let (a, b) = (numbers(m * k, 52), numbers(k * n, 53));
    let by_columns: Vec<_> = (0..n)
        .flat_map(|column| (0..k).map(move |step| (step, column)))
        .map(|(step, column)| b[step * n + column])
        .collect();
    let expected = product(&a, &by_columns, [m, n, k]);
    let mut arguments = vec![
        floats("a", &a),
        floats("b", &b),
        floats("c", &vec![0.0; m * n]),
    ];
    arguments.extend([m, n, k, k, n, n].map(|extent| int(extent as i32)));
    arguments.extend([Argument::Null, Argument::Null]);
    let file = "matmul_tf32_128x64x32_s4.sm_100a.ptx";
    let left = run(file, "matmul", [1, 1, 1], [128, 1, 1], 230_000, arguments);
    assert_close(&left.floats("c"), &expected, 1e-5);
}

#[test]
fn launches_have_the_threads_that_kernels_are_for() {
    let json = serde_json::json!({"kernel": "shapes", "block": [64], "arguments": [
        {"type": "u32", "count": 1536}]});
    let error = described_file("tensor_memory.sm_100a.ptx", &json).unwrap_err();
    assert!(
        error.contains("exactly [128, 1, 1] threads, launched with [64, 1, 1]"),
        "{error}"
    );
    let json = serde_json::json!({"kernel": "swap", "grid": [3], "block": [32], "arguments": [
        {"type": "u32", "count": 512}]});
    let error = described_file("cluster_swap.sm_90a.ptx", &json).unwrap_err();
    assert!(
        error.contains("which do not divide a grid of [3, 1, 1]"),
        "{error}"
    );
    let json = serde_json::json!({"kernel": "swap", "grid": [4], "block": [32], "cluster": [4],
        "arguments": [{"type": "u32", "count": 512}]});
    let error = described_file("cluster_swap.sm_90a.ptx", &json).unwrap_err();
    assert!(error.contains("launched with [4, 1, 1]"), "{error}");
}

#[test]
fn clusters_reach_each_other() {
    let arguments = vec![ints("out", &vec![0; 4 * 4 * 32])];
    let file = "cluster_swap.sm_90a.ptx";
    let left = run(file, "swap", [4, 1, 1], [32, 1, 1], 0, arguments);
    let found = left.ints("out");
    for cta in 0..4 {
        for thread in 0..32 {
            let sent = (cta ^ 1) * 100 + thread;
            let expected = [sent, sent + 1000, cta / 2 * 10 + 2, cta & 1 ^ 1];
            assert_eq!(found[(cta * 32 + thread) as usize * 4..][..4], expected);
        }
    }
}

/// The box begins before the tensor and ends after it.
#[test]
fn boxes_are_loaded_stored_and_added() {
    let [width, height] = [72, 10];
    let a: Vec<i64> = (0..width * height).map(|place| place % 251).collect();
    for (swizzle, columns, x, y) in [
        (128, 64, 16, -1),
        (64, 32, -8, 5),
        (32, 16, 60, 3),
        (0, 64, 3, -7),
    ] {
        let rows = 512 / columns;
        let inside = |x: i64, y: i64| (0..width).contains(&x) && (0..height).contains(&y);
        let places =
            (0..rows).flat_map(|row| (0..columns).map(move |column| (x + column, y + row)));
        let expected: Vec<_> = places
            .map(|(x, y)| {
                if inside(x, y) {
                    2 * a[(y * width + x) as usize]
                } else {
                    0
                }
            })
            .collect();
        let map = |of: &str, extents: [i64; 2]| {
            serde_json::json!({"type": "f16", "tensor_map": {
                "of": of, "dimensions": extents, "box": [columns, rows], "swizzle": swizzle}})
        };
        let json = serde_json::json!({"kernel": "boxes", "block": [32], "seed": swizzle,
            "arguments": [{"type": "s32", "value": x}, map("a", [width, height]),
                map("b", [columns, rows]), {"type": "s32", "value": y}],
            "buffers": {"a": {"type": "f16", "values": a},
                "b": {"type": "f16", "count": 512, "expect": expected}}});
        described_file("tensor_boxes.sm_90a.ptx", &json).unwrap();
    }
}

#[test]
fn what_lies_outside_may_be_no_number() {
    let json = serde_json::json!({"kernel": "boxes", "block": [32],
        "arguments": [{"type": "s32", "value": 0},
            {"type": "f16", "tensor_map": {"of": "a", "dimensions": [64, 4], "box": [64, 8], "outside": "nan"}},
            {"type": "f16", "tensor_map": {"of": "b", "dimensions": [64, 8], "box": [64, 8]}},
            {"type": "s32", "value": 0}],
        "buffers": {"a": {"type": "f16", "count": 256, "fill": 1},
            "b": {"type": "f16", "count": 512, "output": true}}});
    let outputs = described_file("tensor_boxes.sm_90a.ptx", &json).unwrap();
    let found = outputs["b"].as_array().unwrap();
    assert!(found[..256].iter().all(|number| *number == 2.0));
    assert!(found[256..].iter().all(|number| *number == "nan"));
}

#[test]
fn a_box_may_be_for_all_of_a_cluster() {
    let json = serde_json::json!({"kernel": "multicast", "grid": [2], "block": [32],
        "arguments": [{"type": "u32", "tensor_map": {"of": "a", "dimensions": [30], "box": [32]}},
            {"type": "u32", "count": 64, "output": true, "name": "out"}],
        "buffers": {"a": {"type": "u32", "values": (100..130).collect::<Vec<_>>()}}});
    let outputs = described_file("tensor_boxes.sm_90a.ptx", &json).unwrap();
    let one: Vec<_> = (100..130).chain([0, 0]).collect();
    assert_eq!(numbers_of(&outputs["out"]), [one.clone(), one].concat());
}

/// Four channels, images of three rows and four columns, with a border of one.
#[test]
fn pixels_of_a_convolution_are_loaded() {
    let json = serde_json::json!({"kernel": "pixels", "block": [32],
        "arguments": [{"type": "u32", "tensor_map": {"of": "a", "dimensions": [4, 4, 3, 1],
                "pixels": {"lower": [-1, -1], "upper": [-1, -1], "channels": 4, "pixels": 8}}},
            {"type": "u32", "count": 32, "output": true, "name": "out"}],
        "buffers": {"a": {"type": "u32", "values": (1..49).collect::<Vec<_>>()}}});
    let outputs = described_file("tensor_boxes.sm_90a.ptx", &json).unwrap();
    // From column and row -1 on, moved by 1 and 2: columns 0 to 3 of row 1, then of row 2.
    let expected: Vec<u64> = (0..8)
        .flat_map(|pixel| {
            let (row, column) = (1 + pixel / 4, pixel % 4);
            (0..4).map(move |channel| 1 + (row * 4 + column) * 4 + channel)
        })
        .collect();
    assert_eq!(numbers_of(&outputs["out"]), expected);
}

/// Lane `l` and column `c` hold `16 l + c`.
#[test]
fn shapes_of_tensor_memory_follow_the_manual() {
    let json = serde_json::json!({"kernel": "shapes", "block": [128], "arguments": [
        {"type": "u32", "count": 1536, "output": true, "name": "out"}]});
    let outputs = described_file("tensor_memory.sm_100a.ptx", &json).unwrap();
    let found = numbers_of(&outputs["out"]);
    let word = |lane: u64, column: u64| 16 * lane + column;
    for thread in 0..128_u64 {
        let (base, t) = (thread / 32 * 32, thread % 32);
        let pair =
            |column| word(base + t, column) & 0xFFFF | (word(base + t, column + 1) & 0xFFFF) << 16;
        let small = base + t % 2 * 8 + t / 4;
        let expected = [
            word(small, t / 2 % 2),
            word(small, 2 + t / 2 % 2),
            word(base + t / 4, t % 4),
            word(base + 8 + t / 4, t % 4),
            word(base + 16 + t / 4, 2 * (t % 4)),
            word(base + 16 + t / 4, 2 * (t % 4) + 1),
            word(base + 24 + t / 4, 2 * (t % 4)),
            word(base + 24 + t / 4, 2 * (t % 4) + 1),
            word(base + t % 16, t / 16 * 4),
            word(base + t % 16, t / 16 * 4 + 1),
            pair(0),
            pair(2),
        ];
        assert_eq!(
            found[12 * thread as usize..][..12],
            expected,
            "thread {thread}"
        );
    }
}

/// Each thread copies a row of a matrix of 64-byte rows to shared memory, as core matrices of 8
/// rows of 16 bytes: four along a row, contiguous.
fn row_to_shared(from: &str, symbol: &str, rows: usize) -> String {
    let chunks = (0..4).map(|chunk| {
        format!(
            "@%p1 ld.global.v4.u32 {{%r20, %r21, %r22, %r23}}, [%rd6+{}];\n\
             @%p1 st.shared.v4.u32 [%r7+{}], {{%r20, %r21, %r22, %r23}};\n",
            16 * chunk,
            128 * chunk
        )
    });
    let chunks: String = chunks.collect();
    format!(
        "setp.lt.u32 %p1, %r1, {rows};\n\
         mad.lo.u32 %r3, %r2, {rows}, %r1;\n\
         mul.wide.u32 %rd5, %r3, 64;\n\
         add.s64 %rd6, {from}, %rd5;\n\
         shr.u32 %r4, %r1, 3;\n\
         and.b32 %r5, %r1, 7;\n\
         mov.u32 %r6, {symbol};\n\
         mad.lo.u32 %r7, %r4, 512, %r6;\n\
         mad.lo.u32 %r7, %r5, 16, %r7;\n\
         {chunks}"
    )
}

/// The descriptor of a matrix in this layout, from one of its chunks on.
fn descriptor(to: &str, symbol: &str, chunk: usize) -> String {
    format!(
        "mov.u32 %r10, {symbol};\n\
         and.b32 %r10, %r10, 262143;\n\
         add.u32 %r10, %r10, {};\n\
         shr.u32 %r10, %r10, 4;\n\
         or.b32 %r10, %r10, {};\n\
         mov.u32 %r11, {};\n\
         mov.b64 {to}, {{%r10, %r11}};\n",
        128 * chunk,
        (128 >> 4) << 16,
        512 >> 4 | 1 << 14
    )
}

/// A product in tensor memory of a left factor with rows, and a right one with columns, of 64
/// bytes.
struct Multiply {
    rows: usize,
    columns: usize,
    /// Whether a pair of CTAs computes it.
    pair: bool,
    kind: &'static str,
    /// The bits of the formats in the instruction descriptor.
    formats: u32,
}

/// A kernel of a product. Each thread stores 32 columns of its lane of tensor memory.
fn multiply_kernel(multiply: &Multiply) -> String {
    let ctas = if multiply.pair { 2 } else { 1 };
    let Multiply {
        rows,
        columns,
        kind,
        formats,
        ..
    } = *multiply;
    let [a, b] = [
        row_to_shared("%rd1", "left", rows / ctas),
        row_to_shared("%rd2", "right", columns / ctas),
    ];
    let steps = (0..2).map(|step| {
        format!(
            "{}{}tcgen05.mma.cta_group::{ctas}.kind::{kind} [%r12], %rd10, %rd11, %r13, %p{};\n",
            descriptor("%rd10", "left", 2 * step),
            descriptor("%rd11", "right", 2 * step),
            if step == 0 { 3 } else { 4 }
        )
    });
    let steps: String = steps.collect();
    let instruction = formats | ((columns / 8) << 17 | (rows / 16) << 24) as u32;
    let values: Vec<_> = (0..32).map(|number| format!("%v{number}")).collect();
    let stores = values.chunks(4).enumerate().map(|(number, four)| {
        format!(
            "st.global.v4.u32 [%rd14+{}], {{{}}};\n",
            16 * number,
            four.join(", ")
        )
    });
    let (stores, values) = (stores.collect::<String>(), values.join(", "));
    let (cluster, commit) = if multiply.pair {
        (
            ".reqnctapercluster 2, 1, 1\n",
            ".multicast::cluster.b64 [%r15], %h1",
        )
    } else {
        ("", ".b64 [%r15]")
    };
    format!(
        ".version 8.6\n.target sm_100a\n.address_size 64\n\
         .visible .entry multiply(.param .u64 a, .param .u64 b, .param .u64 c)\n\
         .reqntid 128, 1, 1\n{cluster}{{\n\
         .reg .b32 %r<40>;\n.reg .b32 %v<32>;\n.reg .b16 %h<3>;\n.reg .b64 %rd<20>;\n.reg .pred %p<9>;\n\
         .shared .align 1024 .b8 left[8192];\n.shared .align 1024 .b8 right[8192];\n\
         .shared .align 16 .b8 place[16];\n.shared .align 8 .b64 bar;\n\
         ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [c];\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, %cluster_ctarank;\n{a}{b}\
         mov.u32 %r14, place;\nmov.u32 %r15, bar;\n\
         setp.ge.u32 %p2, %r1, 32;\nsetp.ne.u32 %p5, %r1, 0;\n\
         @!%p5 mbarrier.init.shared::cta.b64 [%r15], 1;\n\
         @%p2 bra $on;\n\
         tcgen05.alloc.cta_group::{ctas}.sync.aligned.shared::cta.b32 [%r14], 32;\n\
         $on:\n\
         fence.proxy.async.shared::cta;\n\
         barrier.cluster.arrive;\nbarrier.cluster.wait;\n\
         ld.shared.u32 %r12, [%r14];\n\
         setp.ne.u32 %p6, %r2, 0;\nor.pred %p5, %p5, %p6;\n\
         setp.ne.u32 %p4, %r14, 0xFFFFFFFF;\nnot.pred %p3, %p4;\n\
         mov.u32 %r13, {instruction};\nmov.b16 %h1, 3;\n\
         @%p5 bra $wait;\n{steps}\
         tcgen05.commit.cta_group::{ctas}.mbarrier::arrive::one.shared::cluster{commit};\n\
         $wait:\n\
         mbarrier.try_wait.parity.shared::cta.b64 %p7, [%r15], 0;\n@!%p7 bra $wait;\n\
         tcgen05.fence::after_thread_sync;\n\
         shr.u32 %r16, %r1, 5;\nshl.b32 %r16, %r16, 21;\nadd.u32 %r17, %r12, %r16;\n\
         tcgen05.ld.sync.aligned.32x32b.x32.b32 {{{values}}}, [%r17];\n\
         tcgen05.wait::ld.sync.aligned;\n\
         mad.lo.u32 %r18, %r2, 128, %r1;\nmul.wide.u32 %rd13, %r18, 128;\nadd.s64 %rd14, %rd3, %rd13;\n{stores}\
         barrier.cluster.arrive;\nbarrier.cluster.wait;\n\
         @%p2 bra $end;\n\
         tcgen05.dealloc.cta_group::{ctas}.sync.aligned.b32 %r12, 32;\n\
         $end:\nret;\n}}\n"
    )
}

/// The results of each thread for a product whose factors have this many elements of a type; `None`
/// for lanes that no row uses.
fn multiplied(multiply: &Multiply, types: [&str; 2], factors: [&[f32]; 2]) -> Vec<Option<f64>> {
    let ctas = if multiply.pair { 2 } else { 1 };
    let values = |all: &[f32]| -> Vec<serde_json::Value> {
        let whole = types[0] == "s8";
        let one = |x: &f32| {
            if whole {
                (*x as i64).into()
            } else {
                (*x).into()
            }
        };
        all.iter().map(one).collect()
    };
    let factors = factors.map(values);
    let json = serde_json::json!({"kernel": "multiply", "grid": [ctas], "block": [128], "arguments": [
        {"type": types[0], "values": factors[0]}, {"type": types[0], "values": factors[1]},
        {"type": types[1], "count": 128 * ctas * 32, "output": true, "name": "c"}]});
    let outputs = described("multiply.ptx", &multiply_kernel(multiply), &json);
    let outputs = outputs.unwrap_or_else(|error| panic!("{error}"));
    let found = outputs["c"].as_array().expect("an output is a list");
    found.iter().map(serde_json::Value::as_f64).collect()
}

#[test]
fn a_pair_of_ctas_multiplies() {
    for (rows, columns) in [(256, 32), (128, 64)] {
        let (a, b) = (numbers(rows * 32, 60), numbers(columns * 32, 61));
        let expected = product(&a, &b, [rows, columns, 32]);
        let multiply = Multiply {
            rows,
            columns,
            pair: true,
            kind: "f16",
            formats: 1 << 4,
        };
        let found = multiplied(&multiply, ["f16", "f32"], [&a, &b]);
        for thread in 0..256 {
            for number in 0..32 {
                // With 128 rows, the upper lanes of each CTA hold the upper columns of its 64 rows.
                let (row, column) = match rows {
                    256 => (thread, number),
                    _ => (
                        thread / 128 * 64 + thread % 64,
                        thread / 64 % 2 * 32 + number,
                    ),
                };
                let wanted = f64::from(expected[row * columns + column]);
                let found = found[thread * 32 + number].expect("a number");
                assert!(
                    (found - wanted).abs() <= 1e-4 * wanted.abs().max(1.0),
                    "{row} {column}"
                );
            }
        }
    }
}

#[test]
fn kinds_of_elements_are_multiplied() {
    let whole = |count, seed| -> Vec<f32> {
        let all = wholes(count, 17, seed);
        all.into_iter().map(|x| (x - 8) as f32).collect()
    };
    let cases = [
        ("i8", "s8", "s32", 2 << 4 | 1 << 7 | 1 << 10),
        ("f8f6f4", "e4m3", "f32", 1 << 4),
        ("f8f6f4", "e5m2", "f32", 1 << 4 | 1 << 7 | 1 << 10),
    ];
    for (kind, element, sum, formats) in cases {
        for rows in [64, 128] {
            let (a, b) = (whole(rows * 64, 62), whole(32 * 64, 63));
            // Eight-bit floats with two mantissa bits cannot represent all of them.
            let held = |all: Vec<f32>| {
                all.into_iter().map(|x| {
                    if element == "e5m2" {
                        x.clamp(-4.0, 4.0)
                    } else {
                        x
                    }
                })
            };
            let (a, b): (Vec<_>, Vec<_>) = (held(a).collect(), held(b).collect());
            let expected = product(&a, &b, [rows, 32, 64]);
            let multiply = Multiply {
                rows,
                columns: 32,
                pair: false,
                kind,
                formats,
            };
            let found = multiplied(&multiply, [element, sum], [&a, &b]);
            for row in 0..rows {
                let lane = if rows == 64 {
                    row / 16 * 32 + row % 16
                } else {
                    row
                };
                for column in 0..32 {
                    let found = found[lane * 32 + column];
                    assert_eq!(
                        found,
                        Some(expected[row * 32 + column].into()),
                        "{kind} {row} {column}"
                    );
                }
            }
            // Lanes that no row uses are unchanged.
            assert_eq!(found[16 * 32].is_none(), rows == 64);
        }
    }
}

#[test]
fn descriptors_that_are_not_modelled_are_told() {
    let multiply = |kind, formats| Multiply {
        rows: 128,
        columns: 32,
        pair: false,
        kind,
        formats,
    };
    let cases = [
        (
            multiply("f16", 1 << 2 | 1 << 4),
            "multiplies a sparse matrix",
        ),
        (
            multiply("f8f6f4", 1 << 4 | 5 << 7),
            "elements of format 5 of kind 'f8f6f4'",
        ),
        (multiply("i8", 1 << 4), "accumulators of format 1"),
        (
            Multiply {
                rows: 128,
                ..multiply("f16", 1 << 4 | 1 << 17)
            },
            "found 40",
        ),
        (
            Multiply {
                rows: 256,
                ..multiply("f16", 1 << 4)
            },
            "has 256 rows",
        ),
    ];
    for (multiply, words) in cases {
        let json = serde_json::json!({"kernel": "multiply", "block": [128], "arguments": [
            {"type": "u8", "count": 16384}, {"type": "u8", "count": 4096}, {"type": "u32", "count": 4096}]});
        let error = described("multiply.ptx", &multiply_kernel(&multiply), &json).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}
