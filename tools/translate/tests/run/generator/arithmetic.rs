//! Arithmetic and conversions.

use std::fmt::Write;

use super::{Generator, SINGLES};

impl Generator<'_> {
    pub(super) fn integers(&mut self) {
        let [a, b, c] = [(); 3].map(|()| self.word());
        let d = self.word_register();
        match self.random.below(10) {
            0..=2 => {
                let operation = self.random.pick(&[
                    "add.s32",
                    "sub.s32",
                    "mul.lo.s32",
                    "mul.hi.s32",
                    "mul.hi.u32",
                    "min.s32",
                    "min.u32",
                    "max.s32",
                    "max.u32",
                    "and.b32",
                    "or.b32",
                    "xor.b32",
                    "div.u32",
                    "div.s32",
                    "rem.u32",
                    "rem.s32",
                    "mul24.lo.s32",
                    "mul24.hi.u32",
                    "add.sat.s32",
                    "sub.sat.s32",
                ]);
                let b = if operation.starts_with("div") || operation.starts_with("rem") {
                    line!(self, "or.b32 %t2, {b}, 1;");
                    "%t2".to_owned()
                } else {
                    b
                };
                line!(self, "{operation} {d}, {a}, {b};");
            }
            3 => {
                let operation = self
                    .random
                    .pick(&["shl.b32", "shr.u32", "shr.s32", "shl.b32"]);
                line!(self, "{operation} {d}, {a}, {b};");
            }
            4 => {
                let operation = self.random.pick(&[
                    "not.b32",
                    "neg.s32",
                    "abs.s32",
                    "popc.b32",
                    "clz.b32",
                    "brev.b32",
                    "bfind.u32",
                    "bfind.s32",
                    "bfind.shiftamt.u32",
                    "cnot.b32",
                ]);
                let a = self.word_register();
                line!(self, "{operation} {d}, {a};");
            }
            5 => {
                let operation = self.random.pick(&[
                    "mad.lo.s32",
                    "mad.hi.s32",
                    "mad.hi.u32",
                    "sad.s32",
                    "sad.u32",
                    "shf.l.wrap.b32",
                    "shf.r.wrap.b32",
                    "shf.l.clamp.b32",
                    "shf.r.clamp.b32",
                    "prmt.b32",
                    "prmt.b32.f4e",
                    "prmt.b32.b4e",
                    "prmt.b32.rc8",
                    "prmt.b32.ecl",
                    "prmt.b32.ecr",
                    "prmt.b32.rc16",
                    "dp4a.u32.s32",
                    "dp4a.s32.u32",
                    "dp2a.lo.s32.u32",
                    "dp2a.hi.u32.u32",
                ]);
                line!(self, "{operation} {d}, {a}, {b}, {c};");
            }
            6 => {
                let table = self.random.below(256);
                line!(self, "lop3.b32 {d}, {a}, {b}, {c}, {table};");
            }
            7 if self.random.below(2) == 0 => {
                let operation = self.random.pick(&["bfe.u32", "bfe.s32"]);
                let [place, length] = [32, 33].map(|limit| self.random.below(limit));
                line!(self, "{operation} {d}, {a}, {place}, {length};");
            }
            7 => {
                // ptxas 13.0 at -O1 inserts nothing where the length is 32.
                let [place, length] = [32, 32].map(|limit| self.random.below(limit));
                line!(self, "bfi.b32 {d}, {a}, {b}, {place}, {length};");
            }
            8 => {
                let p = self.predicate();
                let operation = self.random.pick(&["selp.b32", "selp.s32"]);
                line!(self, "{operation} {d}, {a}, {b}, {p};");
            }
            _ => {
                let e = self.word_register();
                line!(
                    self,
                    "add.cc.u32 %t2, {a}, {b};\naddc.cc.u32 {d}, {c}, {a};\naddc.u32 {e}, {b}, 0;"
                );
            }
        }
    }

    pub(super) fn wide_integers(&mut self) {
        let [a, b, d] = [(); 3].map(|()| self.pair());
        let [x, y] = [(); 2].map(|()| self.word());
        match self.random.below(5) {
            0 | 1 => {
                let operation = self.random.pick(&[
                    "add.s64",
                    "sub.s64",
                    "mul.lo.s64",
                    "mul.hi.s64",
                    "mul.hi.u64",
                    "min.s64",
                    "max.u64",
                    "and.b64",
                    "or.b64",
                    "xor.b64",
                    "div.u64",
                    "rem.s64",
                    "div.s64",
                ]);
                let b = if operation.starts_with("div") || operation.starts_with("rem") {
                    line!(self, "or.b64 %a4, {b}, 1;");
                    "%a4".to_owned()
                } else {
                    b
                };
                line!(self, "{operation} {d}, {a}, {b};");
            }
            2 => {
                let operation = self.random.pick(&["shl.b64", "shr.u64", "shr.s64"]);
                line!(self, "and.b32 %t2, {x}, 127;\n{operation} {d}, {a}, %t2;");
            }
            3 => {
                let operation = self.random.pick(&["mul.wide.s32", "mul.wide.u32"]);
                line!(self, "{operation} {d}, {x}, {y};");
            }
            _ => {
                let operation = self.random.pick(&["mad.wide.s32", "mad.wide.u32"]);
                line!(self, "{operation} {d}, {x}, {y}, {a};");
            }
        }
    }

    pub(super) fn singles(&mut self) {
        let [a, b, c] = [(); 3].map(|()| self.single());
        let d = format!("%f{}", self.random.below(SINGLES));
        match self.random.below(7) {
            0 | 1 => {
                let operation = self.random.pick(&[
                    "add.rn.f32",
                    "sub.rn.f32",
                    "mul.rn.f32",
                    "add.rz.f32",
                    "add.rm.ftz.f32",
                    "mul.rp.f32",
                    "mul.rn.ftz.f32",
                    "add.rn.sat.f32",
                    "mul.rn.ftz.sat.f32",
                    "min.f32",
                    "max.f32",
                    "min.NaN.f32",
                    "max.ftz.f32",
                    "min.ftz.f32",
                ]);
                // ptxas makes the minimum of a register and itself a copy, which may keep another NaN.
                let same = a == b && (operation.starts_with("min") || operation.starts_with("max"));
                let b = if same { "0f3F800000" } else { &b };
                line!(self, "{operation} {d}, {a}, {b};");
            }
            2 | 3 => {
                let operation = self.random.pick(&[
                    "fma.rn.f32",
                    "fma.rz.f32",
                    "fma.rm.f32",
                    "fma.rp.ftz.f32",
                    "fma.rn.sat.f32",
                    "fma.rn.ftz.f32",
                ]);
                line!(self, "{operation} {d}, {a}, {b}, {c};");
            }
            4 => {
                let operation = self.random.pick(&[
                    "rcp.approx.f32",
                    "rcp.approx.ftz.f32",
                    "sqrt.approx.f32",
                    "rsqrt.approx.f32",
                    "sin.approx.f32",
                    "cos.approx.ftz.f32",
                    "lg2.approx.f32",
                    "ex2.approx.f32",
                    "tanh.approx.f32",
                    "ex2.approx.ftz.f32",
                    "abs.f32",
                    "neg.f32",
                    "neg.ftz.f32",
                ]);
                let a = format!("%f{}", self.random.below(SINGLES));
                line!(self, "{operation} {d}, {a};");
            }
            5 => {
                let operation = self.random.pick(&[
                    "div.rn.f32",
                    "div.approx.f32",
                    "div.full.f32",
                    "div.rz.f32",
                    "copysign.f32",
                    "div.rn.ftz.f32",
                ]);
                line!(self, "{operation} {d}, {a}, {b};");
            }
            _ => {
                let operation = self.random.pick(&[
                    "sqrt.rn.f32",
                    "rcp.rn.f32",
                    "sqrt.rp.f32",
                    "rcp.rz.f32",
                    "sqrt.rn.ftz.f32",
                ]);
                let a = format!("%f{}", self.random.below(SINGLES));
                line!(self, "{operation} {d}, {a};");
            }
        }
    }

    pub(super) fn doubles(&mut self) {
        let [a, b, c, d] = [(); 4].map(|()| self.double());
        match self.random.below(5) {
            0 | 1 => {
                let operation = self.random.pick(&[
                    "add.rn.f64",
                    "sub.rz.f64",
                    "mul.rn.f64",
                    "mul.rp.f64",
                    "min.f64",
                    "max.f64",
                ]);
                line!(self, "{operation} {d}, {a}, {b};");
            }
            2 => line!(self, "fma.rn.f64 {d}, {a}, {b}, {c};"),
            3 => {
                // The sign of the NaN that a root or a negation gives is not defined.
                let operation = self.random.pick(&["sqrt.rn.f64", "rcp.rn.f64", "abs.f64"]);
                let a = if operation.starts_with("sqrt") {
                    line!(self, "abs.f64 {d}, {a};");
                    &d
                } else {
                    &a
                };
                line!(self, "{operation} {d}, {a};");
            }
            _ => {
                let p = self.predicate();
                line!(self, "selp.f64 {d}, {a}, {b}, {p};");
            }
        }
    }

    pub(super) fn halves(&mut self) {
        let [a, b, c, d] = [(); 4].map(|()| self.word_register());
        match self.random.below(5) {
            0 => {
                let operation = self.random.pick(&[
                    "add.rn.f16x2",
                    "sub.rn.f16x2",
                    "mul.rn.f16x2",
                    "add.rn.ftz.f16x2",
                    "mul.rn.sat.f16x2",
                    "min.f16x2",
                    "max.NaN.f16x2",
                    "min.bf16x2",
                ]);
                line!(self, "{operation} {d}, {a}, {b};");
            }
            1 => {
                let operation = self.random.pick(&[
                    "fma.rn.f16x2",
                    "fma.rn.relu.f16x2",
                    "fma.rn.bf16x2",
                    "fma.rn.ftz.f16x2",
                ]);
                line!(self, "{operation} {d}, {a}, {b}, {c};");
            }
            2 => {
                let [x, y] = [(); 2].map(|()| format!("%f{}", self.random.below(SINGLES)));
                let operation = self.random.pick(&[
                    "cvt.rn.f16x2.f32",
                    "cvt.rz.f16x2.f32",
                    "cvt.rn.bf16x2.f32",
                    "cvt.rn.relu.f16x2.f32",
                ]);
                line!(self, "{operation} {d}, {x}, {y};");
            }
            3 => {
                let to = format!("%f{}", self.random.below(SINGLES));
                let part = self.random.below(2);
                line!(
                    self,
                    "mov.b32 {{%h0, %h1}}, {a};\ncvt.f32.f16 {to}, %h{part};"
                );
            }
            _ => {
                let operation =
                    self.random
                        .pick(&["add.rn.f16", "mul.rn.f16", "sub.rn.f16", "max.f16"]);
                line!(
                    self,
                    "mov.b32 {{%h0, %h1}}, {a};\nmov.b32 {{%h2, %h3}}, {b};"
                );
                line!(
                    self,
                    "{operation} %h0, %h1, %h2;\nmov.b32 {d}, {{%h0, %h3}};"
                );
            }
        }
    }

    pub(super) fn conversion(&mut self) {
        let (r, l) = (self.word_register(), self.pair());
        let (f, d) = (format!("%f{}", self.random.below(SINGLES)), self.double());
        match self.random.below(14) {
            0 => line!(self, "cvt.rn.f32.s32 {f}, {r};"),
            1 => line!(self, "cvt.rz.f32.u32 {f}, {r};"),
            2 => line!(self, "cvt.rzi.s32.f32 {r}, {f};"),
            3 => line!(self, "cvt.rni.u32.f32 {r}, {f};"),
            4 => line!(self, "cvt.rmi.ftz.s32.f32 {r}, {f};"),
            5 => line!(self, "cvt.f64.f32 {d}, {f};"),
            6 => line!(self, "cvt.rn.f32.f64 {f}, {d};"),
            7 => line!(self, "cvt.rzi.s64.f64 {l}, {d};"),
            8 => line!(self, "cvt.rn.f64.u64 {d}, {l};"),
            9 => line!(self, "cvt.rpi.f32.f32 {f}, {f};"),
            10 => {
                let format = self.random.pick(&["u8", "s8", "u16", "s16"]);
                line!(self, "cvt.{format}.u32 %t2, {r};\nmov.b32 {r}, %t2;");
            }
            11 => {
                let format = self
                    .random
                    .pick(&["u8.s32", "s8.s32", "u16.s32", "s16.s32"]);
                line!(self, "cvt.sat.{format} %t2, {r};\nmov.b32 {r}, %t2;");
            }
            12 => line!(self, "cvt.s64.s32 {l}, {r};"),
            _ => line!(self, "cvt.u32.u64 {r}, {l};"),
        }
    }
}
