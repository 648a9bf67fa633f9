//! Kernels compiled by Triton: four warps per CTA, and two unused pointers.

use orison_ir::numbers::{Float, FloatKind};

use super::*;

const WARPS: [u32; 3] = [128, 1, 1];

fn with_scratch(mut arguments: Vec<Argument>) -> Vec<Argument> {
    arguments.extend([Argument::Null, Argument::Null]);
    arguments
}

fn narrow(name: &'static str, kind: FloatKind, values: &[f32]) -> Argument {
    let bits = values
        .iter()
        .map(|x| Float::from_f64(kind, (*x).into()).bits() as u16);
    Argument::Buffer(name, bits.flat_map(u16::to_le_bytes).collect())
}

fn wide(kind: FloatKind, halves: &[u16]) -> Vec<f32> {
    let wide = halves
        .iter()
        .map(|bits| Float::from_bits(kind, (*bits).into()).to_f64() as f32);
    wide.collect()
}

#[test]
fn vadd() {
    let n = 2000;
    let (x, y) = (numbers(n, 30), numbers(n, 31));
    let expected: Vec<_> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    let arguments = vec![
        floats("x", &x),
        floats("y", &y),
        floats("o", &vec![0.0; n]),
        int(n as i32),
    ];
    let left = run(
        "vadd_f32.sm_100a.ptx",
        "vadd",
        [2, 1, 1],
        WARPS,
        0,
        with_scratch(arguments),
    );
    assert_eq!(left.floats("o"), expected);
}

#[test]
fn softmax() {
    let (rows, columns) = (3, 1000);
    let x = numbers(rows * columns, 32);
    let expected: Vec<_> = x
        .chunks(columns)
        .flat_map(|row| {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let powers: Vec<_> = row.iter().map(|x| f64::from(x - most).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(move |x| (x / sum) as f32)
        })
        .collect();
    let arguments = vec![
        floats("o", &vec![0.0; rows * columns]),
        floats("x", &x),
        int(columns as i32),
        int(columns as i32),
        int(rows as i32),
        int(columns as i32),
    ];
    let file = "softmax_f32_1024.sm_80.ptx";
    let left = run(
        file,
        "softmax",
        [2, 1, 1],
        WARPS,
        4112,
        with_scratch(arguments),
    );
    let found = left.floats("o");
    for (x, y) in found.iter().zip(&expected) {
        assert!((x - y).abs() <= 1e-5 * y, "{x} is not {y}");
    }
}

#[test]
fn reduction() {
    let n = 5000;
    let x = numbers(n, 33);
    let sum: f32 = x.iter().sum();
    let arguments = vec![floats("x", &x), floats("o", &[0.0]), int(n as i32)];
    let file = "reduce_sum_f32.sm_80.ptx";
    let left = run(
        file,
        "reduce_sum",
        [2, 1, 1],
        WARPS,
        16,
        with_scratch(arguments),
    );
    assert_eq!(left.floats("o"), [sum]);
}

#[test]
fn histogram() {
    let n = 1500;
    let x = wholes(n, 256, 34);
    let mut expected = vec![0; 256];
    for value in &x {
        expected[*value as usize] += 1;
    }
    for file in [
        "histogram_i32_256.sm_80.ptx",
        "histogram_i32_256.sm_90a.ptx",
    ] {
        let arguments = vec![ints("x", &x), ints("o", &[0; 256]), int(n as i32)];
        let left = run(
            file,
            "histogram",
            [2, 1, 1],
            WARPS,
            1024,
            with_scratch(arguments),
        );
        assert_eq!(left.ints("o"), expected, "{file}");
    }
}

#[test]
fn rope() {
    let (heads, tokens, dimension) = (2, 40, 128);
    let half = dimension / 2;
    let kind = FloatKind::BF16;
    // The values rounded to bf16.
    let halves = numbers(heads * tokens * dimension, 35).into_iter();
    let x: Vec<_> = halves
        .map(|x| Float::from_f64(kind, x.into()).to_f64() as f32)
        .collect();
    let (cosines, sines) = (numbers(tokens * half, 36), numbers(tokens * half, 37));
    let mut expected = vec![0.0; x.len()];
    for head in 0..heads {
        for token in 0..tokens {
            for d in 0..half {
                let base = (head * tokens + token) * dimension + d;
                let (a, b) = (x[base], x[base + half]);
                let (c, s) = (cosines[token * half + d], sines[token * half + d]);
                expected[base] = a * c - b * s;
                expected[base + half] = b * c + a * s;
            }
        }
    }
    let arguments = vec![
        narrow("x", kind, &x),
        floats("cos", &cosines),
        floats("sin", &sines),
        narrow("o", kind, &vec![0.0; x.len()]),
        int(tokens as i32),
    ];
    let file = "rope_bf16_d128.sm_80.ptx";
    let left = run(
        file,
        "rope",
        [2, heads as u32, 1],
        WARPS,
        0,
        with_scratch(arguments),
    );
    // Half a unit in the last place of a bf16.
    assert_close(&wide(kind, &left.halves("o")), &expected, 1.0 / 256.0);
}

#[test]
fn matmul() {
    let [m, n, k] = [64, 64, 96];
    let (a, b) = (numbers(m * k, 38), numbers(k * n, 39));
    let mut expected = vec![0.0_f32; m * n];
    for row in 0..m {
        for column in 0..n {
            let sum: f32 = (0..k)
                .map(|step| a[row * k + step] * b[step * n + column])
                .sum();
            expected[row * n + column] = if sum >= 0.0 { sum } else { 0.01 * sum };
        }
    }
    let kind = FloatKind::F16;
    let arguments = vec![
        narrow("a", kind, &a),
        narrow("b", kind, &b),
        narrow("c", kind, &vec![0.0; m * n]),
        int(m as i32),
        int(n as i32),
        int(k as i32),
        int(k as i32),
        int(n as i32),
        int(n as i32),
    ];
    let file = "matmul_f16_64x64x32_s3_act.sm_80.ptx";
    let left = run(
        file,
        "matmul",
        [1, 1, 1],
        WARPS,
        16384,
        with_scratch(arguments),
    );
    // Halves of up to 1024 have a spacing of up to 1/2.
    assert_close(&wide(kind, &left.halves("c")), &expected, 1e-3);
}
