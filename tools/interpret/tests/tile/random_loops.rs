//! Random loops do what they did before they became agents.

use std::fmt::Write as _;

use orison_interpret::tile::Random;
use orison_interpret::tile::kernel::Launch;

use crate::examples::DRIVERS;
use crate::harness::Program;

const PROGRAMS: u64 = 60;
const RUNS: u64 = 25;

const TILE: &str = "tensor<8x8xf32>";
const HALF: &str = "tensor<8x8xf16>";
const ROW: &str = "tensor<8xf32>";

/// Writes the body of a loop.
struct Writer {
    random: Random,
    text: String,
    values: usize,
    /// What tells its values from those of other loops.
    prefix: &'static str,
    /// Values of each type that can be used.
    tiles: Vec<String>,
    halves: Vec<String>,
    rows: Vec<String>,
}

impl Writer {
    fn name(&mut self) -> String {
        self.values += 1;
        format!("%{}{}", self.prefix, self.values)
    }

    fn line(&mut self, text: &str) {
        writeln!(self.text, "    {text}").expect("a string");
    }

    fn pick(&mut self, list: fn(&Writer) -> &Vec<String>) -> String {
        let count = list(self).len();
        let number = self.random.below(count);
        list(self)[number].clone()
    }

    fn load(&mut self, memory: usize) {
        let name = self.name();
        let coordinates = ["%m, %i", "%i, %m", "%i, %next", "%i, %i"][self.random.below(4)];
        // Some loads are plain ones, which the reader does itself.
        let (atom, extra) = if self.random.below(4) > 0 {
            ("tma_load_2d\", box = [8, 8]", "")
        } else {
            ("ldg_128\"", "")
        };
        self.line(&format!(
            "{name}, {name}t = nv_tileas.tiled_load %tiles{memory}[{coordinates}] token %token : !nv_tileaa.mem_token {{atom = #nv_tileas.atom<\"{atom}>{extra}, in_bounds = array<i1: true, true>, mem_semantic = \"weak\"}} : !nv_tileaa.tiled_view<8x8xf16, gmem> -> {HALF}, !nv_tileaa.mem_token"
        ));
        self.halves.push(name);
    }

    fn operation(&mut self) {
        let name = self.name();
        match self.random.below(9) {
            8 => {
                let (a, b) = (self.pick(|w| &w.tiles), self.pick(|w| &w.tiles));
                self.line(&format!("{name}c = arith.cmpi slt, %i, %c2 : index"));
                self.line(&format!("{name} = scf.if {name}c -> ({TILE}) {{"));
                self.line(&format!("  {name}d = arith.mulf {a}, {b} : {TILE}"));
                self.line(&format!("  scf.yield {name}d : {TILE}"));
                self.line("} else {");
                self.line(&format!("  scf.yield {a} : {TILE}"));
                self.line("}");
                self.tiles.push(name);
            }
            0 => {
                let memory = self.random.below(2);
                self.load(memory);
            }
            1 | 2 => {
                let (a, b) = (self.pick(|w| &w.halves), self.pick(|w| &w.halves));
                let c = self.pick(|w| &w.tiles);
                self.line(&format!("{name} = nv_tileas.dot {a}, {b}, {c} {{atom = #nv_tileas.atom<\"wgmma_m64n8k16_f32_f16_f16\">}} : {HALF}, {HALF}, {TILE} -> {TILE}"));
                self.tiles.push(name);
            }
            3 | 4 => {
                let operation = ["addf", "subf", "maximumf"][self.random.below(3)];
                let (a, b) = (self.pick(|w| &w.tiles), self.pick(|w| &w.tiles));
                self.line(&format!("{name} = arith.{operation} {a}, {b} : {TILE}"));
                self.tiles.push(name);
            }
            5 => {
                let a = self.pick(|w| &w.halves);
                self.line(&format!("{name} = arith.extf {a} : {HALF} to {TILE}"));
                self.tiles.push(name);
            }
            6 => {
                let a = self.pick(|w| &w.tiles);
                let operation = ["addf", "maximumf"][self.random.below(2)];
                self.line(&format!(
                    "{name} = nv_tileas.reduce {a} axis 1 : {TILE} -> {ROW} {{"
                ));
                self.line("^bb0(%x: f32, %y: f32):");
                self.line(&format!("  %b = arith.{operation} %x, %y : f32"));
                self.line("  nv_tileas.yield %b : f32");
                self.line("}");
                self.rows.push(name);
            }
            _ => {
                let a = self.pick(|w| &w.rows);
                self.line(&format!("{name} = \"cuda_tile.broadcast\"({a}) {{tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]}} : ({ROW}) -> {TILE}"));
                self.tiles.push(name);
            }
        }
    }
}

/// A loop with loads, arithmetic, products, reductions, carried values and stores, over
/// `%r<n>0`, `%r<n>1`, `%r<n>2` from `initial`.
fn looped(random: &mut Random, prefix: &'static str, initial: [&str; 3]) -> String {
    let mut writer = Writer {
        random: Random::new(random.bits()),
        text: String::new(),
        values: 0,
        prefix,
        tiles: vec!["%zero".to_owned(), "%acc0".to_owned(), "%acc1".to_owned()],
        halves: Vec::new(),
        rows: vec!["%row".to_owned()],
    };
    writer.line("%next = arith.addi %i, %c1 : index");
    writer.load(0);
    writer.load(1);
    // The products keep both loads in use.
    let (a, b) = (writer.halves[0].clone(), writer.halves[1].clone());
    let name = writer.name();
    writer.line(&format!("{name} = nv_tileas.dot {a}, {b}, %acc0 {{atom = #nv_tileas.atom<\"wgmma_m64n8k16_f32_f16_f16\">}} : {HALF}, {HALF}, {TILE} -> {TILE}"));
    writer.tiles.push(name.clone());
    for _ in 0..2 + writer.random.below(8) {
        writer.operation();
    }
    if writer.random.below(2) == 0 {
        let value = writer.pick(|w| &w.tiles);
        let stored = writer.name();
        writer.line(&format!("{stored} = nv_tileas.tiled_store {value}, %outs[%m, %i] token %token : !nv_tileaa.mem_token {{atom = #nv_tileas.atom<\"stg_128\">, in_bounds = array<i1: true, true>, mem_semantic = \"weak\"}} : {TILE}, !nv_tileaa.tiled_view<8x8xf32, gmem> -> !nv_tileaa.mem_token"));
    }
    let (other, row) = (writer.pick(|w| &w.tiles), writer.pick(|w| &w.rows));
    writer.line(&format!(
        "scf.yield {name}, {other}, {row} : {TILE}, {TILE}, {ROW}"
    ));
    let [first, second, third] = initial;
    format!(
        "  %{prefix}r0, %{prefix}r1, %{prefix}r2 = scf.for %i = %c0 to %count step %c1 iter_args(%acc0 = {first}, %acc1 = {second}, %row = {third}) -> ({TILE}, {TILE}, {ROW}) {{\n{}  }}\n",
        writer.text
    )
}

/// Adds up what a loop carries and stores it.
fn stored(prefix: &str, row: &str) -> String {
    format!(
        "  %{prefix}rows = \"cuda_tile.broadcast\"(%{prefix}r2) {{tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]}} : ({ROW}) -> {TILE}
  %{prefix}sum0 = arith.addf %{prefix}r0, %{prefix}r1 : {TILE}
  %{prefix}sum = arith.addf %{prefix}sum0, %{prefix}rows : {TILE}
  %{prefix}st = nv_tileas.tiled_store %{prefix}sum, %ends[%m, {row}] token %token : !nv_tileaa.mem_token {{atom = #nv_tileas.atom<\"stg_128\">, in_bounds = array<i1: true, true>, mem_semantic = \"weak\"}} : {TILE}, !nv_tileaa.tiled_view<8x8xf32, gmem> -> !nv_tileaa.mem_token
"
    )
}

/// A kernel with one loop, with a loop behind another one that goes on with its values, or with a
/// loop in another one.
fn program(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let start = ["%zero", "%zero", "%row0"];
    let body = match seed % 3 {
        0 => looped(random, "v", start) + &stored("v", "%c0"),
        1 => {
            let first = looped(random, "v", start);
            let second = looped(random, "w", ["%vr0", "%vr1", "%vr2"]);
            first + &second + &stored("w", "%c0")
        }
        _ => {
            let inner = looped(random, "v", start) + &stored("v", "%o");
            format!("  scf.for %o = %c0 to %c2 step %c1 {{\n{inner}  }}\n")
        }
    };
    format!(
        "nv_tileaa.func @f(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %E: !nv_tileaa.memref<?x?xf32>, %count: index) attributes {{nv_tileaa.kernel_spec = {{numWarps = 8 : i32}}}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.000000e+00> : {TILE}
  %row0 = arith.constant dense<1.000000e+00> : {ROW}
  %m = nv_tileaa.get_program_id axis 0
  %token = nv_tileaa.create_mem_token
  %tiles0 = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %tiles1 = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %outs = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<8x8xf32, gmem>
  %ends = nv_tileaa.block_tile %E : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<8x8xf32, gmem>
{body}  nv_tileaa.return
}}
"
    )
}

#[test]
fn random_loops_do_what_they_did() {
    let mut declined = Vec::new();
    let mut failures = Vec::new();
    let mut compared = 0u64;
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let before = Program::parse("random", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        // Coordinates reach one tile further than the trip count.
        let launch = Launch {
            tiles: 4,
            arguments: trip(3),
            ..Launch::default()
        };
        let expected = before
            .run("f", &launch, seed)
            .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        for (driver, pass) in DRIVERS {
            let pipeline =
                format!("builtin.module(tileas-generate-schedule,tileas-verify-schedule,{pass})");
            let after = Program::parse("random", &text).and_then(|p| p.transformed(&pipeline));
            let after = match after {
                Ok(after) => after,
                // Only a loop in which nothing is loaded by TMA has no producer.
                Err(errors) if errors.contains("no load by TMA") => {
                    declined.push(seed);
                    continue;
                }
                Err(errors) => {
                    failures.push(format!("seed {seed}, {driver}: {errors}"));
                    continue;
                }
            };
            // A program that was left alone would prove nothing.
            if !after.text().contains("create_pipeline") {
                failures.push(format!("seed {seed}, {driver}: nothing was materialized"));
                continue;
            }
            match after.interleave("f", &launch, &expected, RUNS) {
                Ok(_) => compared += 1,
                Err(errors) => failures.push(format!("seed {seed}, {driver}: {errors}")),
            }
        }
    }
    println!("{compared} programs, {} without agents", declined.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        compared >= PROGRAMS * 8 / 10,
        "too few programs: {declined:?}"
    );
}

fn trip(count: i64) -> Vec<Option<orison_interpret::tile::kernel::Argument>> {
    use orison_interpret::tile::kernel::Argument;
    vec![None, None, None, None, Some(Argument::Number(count))]
}
