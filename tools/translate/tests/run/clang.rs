//! Kernels compiled by clang. It fuses sums of products, so the references fuse too.

use super::*;

#[test]
fn saxpy() {
    let (x, y) = (numbers(1000, 1), numbers(1000, 2));
    let expected: Vec<_> = x
        .iter()
        .zip(&y)
        .map(|(x, y)| 2.5_f32.mul_add(*x, *y))
        .collect();
    let arguments = || vec![int(1000), float(2.5), floats("x", &x), floats("y", &y)];
    let file = "saxpy.sm_80.ptx";
    let left = run(file, "saxpy", [4, 1, 1], [256, 1, 1], 0, arguments());
    assert_eq!(left.floats("y"), expected);
    let left = run(
        file,
        "saxpy_gridstride",
        [2, 1, 1],
        [96, 1, 1],
        0,
        arguments(),
    );
    assert_eq!(left.floats("y"), expected);
    let vector = vec![int(250), float(2.5), floats("x", &x), floats("y", &y)];
    let left = run(file, "saxpy_vec4", [1, 1, 1], [256, 1, 1], 0, vector);
    assert_eq!(left.floats("y"), expected);
    let wide = |values: &[f32]| -> Vec<f64> { values.iter().map(|x| f64::from(*x)).collect() };
    let scale = Argument::Number(0.1_f64.to_le_bytes().to_vec());
    let (x, y) = (wide(&x), wide(&y));
    let expected: Vec<_> = x
        .iter()
        .zip(&y)
        .map(|(x, y)| 0.1_f64.mul_add(*x, *y))
        .collect();
    let arguments = vec![int(1000), scale, doubles("x", &x), doubles("y", &y)];
    let left = run(file, "daxpy", [4, 1, 1], [256, 1, 1], 0, arguments);
    assert_eq!(left.doubles("y"), expected);
}

/// `a` times `b`, row-major, summed in the order of k.
fn product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f32> {
    let element = |row: usize, column: usize| {
        (0..k).fold(0.0_f32, |sum, step| {
            a[row * k + step].mul_add(b[step * n + column], sum)
        })
    };
    (0..m * n).map(|at| element(at / n, at % n)).collect()
}

#[test]
fn gemm() {
    let file = "gemm.sm_90a.ptx";
    let [m, n, k] = [20, 33, 19];
    let (a, b) = (numbers(m * k, 3), numbers(k * n, 4));
    let expected = product(&a, &b, [m, n, k]);
    let size = |n: usize| int(n as i32);
    for (name, block) in [("gemm_naive", [16, 16, 1]), ("gemm_smem16", [16, 16, 1])] {
        let arguments = vec![
            size(m),
            size(n),
            size(k),
            floats("a", &a),
            floats("b", &b),
            floats("c", &vec![0.0; m * n]),
        ];
        let left = run(file, name, [3, 2, 1], block, 0, arguments);
        assert_eq!(left.floats("c"), expected, "{name}");
    }
    let [m, n, k] = [128, 128, 16];
    let (a, b) = (numbers(m * k, 5), numbers(k * n, 6));
    let arguments = vec![
        size(n),
        size(k),
        floats("a", &a),
        floats("b", &b),
        floats("c", &vec![0.0; m * n]),
    ];
    let left = run(file, "gemm_reg8x8", [1, 1, 1], [256, 1, 1], 0, arguments);
    assert_eq!(left.floats("c"), product(&a, &b, [m, n, k]));
}

#[test]
fn stencils() {
    let file = "stencil.sm_100a.ptx";
    let n = 600;
    let x = numbers(n, 7);
    let at = |i: i64| {
        usize::try_from(i)
            .ok()
            .and_then(|i| x.get(i))
            .copied()
            .unwrap_or(0.0)
    };
    let expected: Vec<_> = (0..n as i64)
        .map(|i| {
            (-3..=3).fold(0.0_f32, |sum, k| {
                at(i + k).mul_add(1.0 / (4 + k) as f32, sum)
            })
        })
        .collect();
    let arguments = vec![int(n as i32), floats("x", &x), floats("y", &vec![0.0; n])];
    let left = run(file, "stencil1d_r3", [3, 1, 1], [256, 1, 1], 0, arguments);
    assert_close(&left.floats("y"), &expected, 1e-6);

    let (w, h) = (40, 19);
    let x = numbers(w * h, 8);
    let (c0, c1) = (0.5_f32, 0.125_f32);
    let mut expected = vec![0.0; w * h];
    for j in 1..h - 1 {
        for i in 1..w - 1 {
            let p = j * w + i;
            expected[p] = c0 * x[p] + c1 * (x[p - 1] + x[p + 1] + x[p - w] + x[p + w]);
        }
    }
    let arguments = vec![
        int(w as i32),
        int(h as i32),
        float(c0),
        float(c1),
        floats("x", &x),
        floats("y", &vec![0.0; w * h]),
    ];
    let left = run(file, "stencil2d_5pt", [2, 3, 1], [32, 8, 1], 0, arguments);
    assert_close(&left.floats("y"), &expected, 1e-6);

    let (w, h, d) = (12, 10, 6);
    let x = numbers(w * h * d, 9);
    let mut expected = vec![0.0; w * h * d];
    for k in 1..d - 1 {
        for j in 1..h - 1 {
            for i in 1..w - 1 {
                let q = (k * h + j) * w + i;
                let near = x[q - w * h] + x[q + w * h] + x[q - 1] + x[q + 1] + x[q - w] + x[q + w];
                expected[q] = c0 * x[q] + c1 * near;
            }
        }
    }
    let arguments = vec![
        int(w as i32),
        int(h as i32),
        int(d as i32),
        float(c0),
        float(c1),
        floats("x", &x),
        floats("y", &vec![0.0; w * h * d]),
    ];
    let left = run(
        file,
        "stencil3d_7pt_march",
        [1, 2, 1],
        [32, 8, 1],
        0,
        arguments,
    );
    assert_close(&left.floats("y"), &expected, 1e-6);
}

#[test]
fn reductions_and_scans() {
    let file = "reduction.sm_80.ptx";
    let n = 1000;
    let x = numbers(n, 10);
    // Multiples of 1/64 add up without rounding, in any order.
    let sum: f32 = x.iter().sum();
    let arguments = vec![int(n as i32), floats("x", &x), floats("o", &[0.0])];
    let left = run(file, "reduce_shfl", [2, 1, 1], [256, 1, 1], 0, arguments);
    assert_eq!(left.floats("o"), [sum]);
    let arguments = vec![int(n as i32), floats("x", &x), floats("o", &[0.0; 4])];
    let left = run(
        file,
        "reduce_tree_smem",
        [4, 1, 1],
        [256, 1, 1],
        0,
        arguments,
    );
    let sums: Vec<f32> = x.chunks(256).map(|part| part.iter().sum()).collect();
    assert_eq!(left.floats("o"), sums);
    let x = wholes(100, 1000, 11);
    let arguments = vec![int(100), ints("x", &x), ints("y", &[0; 100])];
    let left = run(file, "scan_warp", [1, 1, 1], [128, 1, 1], 0, arguments);
    let scans = x.chunks(32).flat_map(|part| {
        let mut sum = 0;
        part.iter().map(move |x| {
            sum += x;
            sum
        })
    });
    assert_eq!(left.ints("y"), scans.collect::<Vec<_>>());
    let wide = |seed| -> Vec<f64> { numbers(100, seed).into_iter().map(f64::from).collect() };
    let (x, y) = (wide(12), wide(13));
    let mut expected = vec![0.0_f64; 64];
    for (at, (x, y)) in x.iter().zip(&y).enumerate() {
        expected[at % 64] = x.mul_add(*y, expected[at % 64]);
    }
    let arguments = vec![
        int(100),
        doubles("x", &x),
        doubles("y", &y),
        doubles("o", &[0.0; 64]),
    ];
    let left = run(file, "dot_f64", [1, 1, 1], [64, 1, 1], 0, arguments);
    assert_eq!(left.doubles("o"), expected);
}

#[test]
fn divergent_kernels() {
    let file = "divergent.sm_80.ptx";
    let mut sorted = wholes(200, 1000, 14);
    sorted.sort_unstable();
    let keys = wholes(70, 1000, 15);
    let expected: Vec<_> = keys
        .iter()
        .map(|key| sorted.partition_point(|x| x < key) as i32)
        .collect();
    let arguments = vec![
        int(200),
        int(70),
        ints("a", &sorted),
        ints("key", &keys),
        ints("o", &[0; 70]),
    ];
    let left = run(file, "bsearch", [3, 1, 1], [32, 1, 1], 0, arguments);
    assert_eq!(left.ints("o"), expected);

    let (w, h, most) = (32, 8, 60);
    let mut expected = Vec::new();
    for j in 0..h {
        for i in 0..w {
            let cx = (i as f32 / w as f32).mul_add(3.5, -2.5);
            let cy = (j as f32 / h as f32).mul_add(2.0, -1.0);
            let (mut x, mut y, mut k) = (0.0_f32, 0.0_f32, 0);
            while x.mul_add(x, y * y) < 4.0 && k < most {
                let t = x.mul_add(x, -(y * y)) + cx;
                y = (2.0 * x).mul_add(y, cy);
                x = t;
                k += 1;
            }
            expected.push(k);
        }
    }
    let arguments = vec![
        int(w),
        int(h),
        int(most),
        ints("o", &vec![0; (w * h) as usize]),
    ];
    let left = run(file, "mandelbrot", [1, 1, 1], [32, 8, 1], 0, arguments);
    let found = left.ints("o");
    // The compiler chooses which of the two squares is fused, and orbits magnify the difference.
    let same = found.iter().zip(&expected).filter(|(x, y)| x == y).count();
    assert!(same >= 240, "{same} of 256 points");

    let ops = wholes(96, 9, 16);
    let x: Vec<_> = numbers(96, 17)
        .into_iter()
        .map(|x| x.abs() + 0.25)
        .collect();
    let expected: Vec<_> = ops
        .iter()
        .zip(&x)
        .map(|(op, v)| match op {
            0 => v + 1.0,
            1 => v * v,
            2 => 1.0 / v,
            3 => v.sqrt(),
            4 => v.exp2(),
            5 => -v,
            6 => v.mul_add(3.0, -1.0),
            7 => *v,
            _ => 0.0,
        })
        .collect();
    let arguments = vec![
        int(96),
        ints("op", &ops),
        floats("x", &x),
        floats("y", &[9.0; 96]),
    ];
    let left = run(file, "switch8", [3, 1, 1], [32, 1, 1], 0, arguments);
    assert_close(&left.floats("y"), &expected, 3e-7);

    let rows = 5;
    let starts = [0, 3, 3, 70, 110, 120];
    let columns = wholes(120, 64, 18);
    let (values, x) = (numbers(120, 19), numbers(64, 20));
    let mut expected = vec![0.0_f32; rows];
    for row in 0..rows {
        for at in starts[row]..starts[row + 1] {
            expected[row] += values[at as usize] * x[columns[at as usize] as usize];
        }
    }
    let arguments = vec![
        int(rows as i32),
        ints("ptr", &starts),
        ints("col", &columns),
        floats("val", &values),
        floats("x", &x),
        floats("y", &vec![0.0; rows]),
    ];
    let left = run(file, "spmv_csr", [2, 1, 1], [96, 1, 1], 0, arguments);
    assert_close(&left.floats("y"), &expected, 1e-6);
}

#[test]
fn kernels_on_all_memories() {
    let file = "memory.sm_80.ptx";
    let (w, h) = (64, 32);
    let x = numbers(w * h, 21);
    let expected: Vec<_> = (0..w * h).map(|at| x[at % h * w + at / h]).collect();
    let arguments = vec![
        int(w as i32),
        int(h as i32),
        floats("x", &x),
        floats("y", &vec![0.0; w * h]),
    ];
    let left = run(file, "transpose32", [2, 1, 1], [32, 8, 1], 0, arguments);
    assert_eq!(left.floats("y"), expected);

    let x = wholes(1024, 5000, 22);
    let left = run(
        file,
        "bitonic512",
        [2, 1, 1],
        [512, 1, 1],
        0,
        vec![ints("x", &x)],
    );
    let mut sorted = x.clone();
    for part in sorted.chunks_mut(512) {
        part.sort_unstable();
    }
    assert_eq!(left.ints("x"), sorted);

    let taps = 9;
    let x = numbers(64 + taps, 23);
    let coefficients = numbers(64, 24);
    let expected: Vec<_> = (0..64)
        .map(|i| (0..taps).fold(0.0_f32, |sum, k| coefficients[k].mul_add(x[i + k], sum)))
        .collect();
    let bytes = coefficients.iter().flat_map(|x| x.to_le_bytes()).collect();
    let left = run_with(
        file,
        "fir_const",
        [2, 1, 1],
        [32, 1, 1],
        0,
        vec![
            int(64),
            int(taps as i32),
            floats("x", &x),
            floats("y", &[0.0; 64]),
        ],
        vec![("coef".to_owned(), bytes)],
    );
    assert_eq!(left.floats("y"), expected);

    let n = 5;
    let x = wholes(24 * 32 + 64, 100, 25);
    let expected: Vec<_> = (0..32)
        .map(|thread| {
            let mut a: Vec<_> = x[thread * 24..][..24].to_vec();
            for k in 0..n {
                let (s, d) = (((x[k] % 24) & 15) as usize, ((x[k + 7] % 24) & 15) as usize);
                let kept = a[s];
                a[s] = a[d];
                a[d] = kept + 1;
            }
            a.iter()
                .fold(0_i32, |sum, x| sum.wrapping_mul(31).wrapping_add(*x))
        })
        .collect();
    let arguments = vec![int(n as i32), ints("x", &x), ints("y", &[0; 32])];
    let left = run(file, "local_array", [1, 1, 1], [32, 1, 1], 0, arguments);
    assert_eq!(left.ints("y"), expected);

    let n = 4;
    let x = numbers(n * 512, 26);
    let expected: Vec<_> = (0..512)
        .map(|at| {
            (0..n)
                .map(|k| x[k * 512 + ((at / 4) ^ 1) * 4 + at % 4])
                .sum::<f32>()
        })
        .collect();
    let arguments = vec![int(n as i32), floats("x", &x), floats("y", &[0.0; 512])];
    let left = run(file, "cp_async_pipe", [1, 1, 1], [128, 1, 1], 0, arguments);
    assert_eq!(left.floats("y"), expected);
}

#[test]
fn loops() {
    let file = "loops.sm_80.ptx";
    let x: Vec<_> = (1..65).collect();
    let steps = |mut v: i32| {
        let mut count = 0;
        while v != 1 {
            v = if v & 1 == 1 { 3 * v + 1 } else { v >> 1 };
            count += 1;
        }
        count
    };
    let expected: Vec<_> = x.iter().map(|v| steps(*v)).collect();
    let arguments = vec![ints("x", &x), ints("y", &[0; 64])];
    let left = run(file, "loop_while_data", [1, 1, 1], [64, 1, 1], 0, arguments);
    assert_eq!(left.ints("y"), expected);

    let n = 8;
    let mut x: Vec<_> = wholes(64 * n, 30, 27).iter().map(|v| v - 5).collect();
    x[13] = 99;
    let expected: Vec<_> = x
        .chunks(n)
        .map(|row| {
            let until = row.iter().take_while(|v| **v != 99);
            until.filter(|v| **v >= 0).sum::<i32>()
        })
        .collect();
    let arguments = vec![int(n as i32), ints("x", &x), ints("y", &[0; 64])];
    let left = run(
        file,
        "loop_break_continue",
        [2, 1, 1],
        [32, 1, 1],
        0,
        arguments,
    );
    assert_eq!(left.ints("y"), expected);

    for (name, trips) in [
        ("loop_trip5", 5),
        ("loop_trip33", 33),
        ("loop_trip100_nounroll", 100),
    ] {
        let x = numbers(1024 * trips, 28);
        let expected: Vec<_> = (0..64)
            .map(|i| (0..trips).fold(0.0_f32, |s, k| s.mul_add(0.5, x[i + k * 1024])))
            .collect();
        let arguments = vec![floats("x", &x), floats("y", &[0.0; 64])];
        let left = run(file, name, [1, 1, 1], [64, 1, 1], 0, arguments);
        assert_close(&left.floats("y"), &expected, 1e-6);
    }

    let (n, s1, s2) = (6, 37, 5);
    let mut expected = vec![0; 1 << 16];
    for i in 0..32 {
        for k in 0..n {
            expected[((k * s1 + i * s2) & 0xFFFF) as usize] = k * k * s1;
        }
    }
    // Several threads write some of the elements, each the value of its own last step.
    let mut writers = vec![0; 1 << 16];
    for i in 0..32 {
        for k in 0..n {
            writers[((k * s1 + i * s2) & 0xFFFF) as usize] += 1;
        }
    }
    let arguments = vec![int(n), int(s1), int(s2), ints("y", &vec![0; 1 << 16])];
    let left = run(file, "loop_strength", [1, 1, 1], [32, 1, 1], 0, arguments);
    for (at, found) in left.ints("y").iter().enumerate() {
        assert!(writers[at] > 1 || *found == expected[at], "word {at}");
    }
}
