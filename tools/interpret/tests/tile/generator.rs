//! Random kernels of tile loops.
//!
//! [`plain`] kernels have loads, products, arithmetic, reductions and stores, in one or two loops;
//! every one of them can be materialized. [`rich`] ones also have loads with a dead tile and a live
//! token, tokens and indices that loops carry, operations of another dialect with and without
//! costs, in loops and branches, branches that store, constraints, several loops in loops and
//! branches, and epilogues. [`varied`] ones nest loops and branches, and have all of this.

mod varied;

pub use varied::varied;

use std::fmt::Write as _;

use orison_interpret::tile::Random;

const TILE: &str = "tensor<8x8xf32>";
const HALF: &str = "tensor<8x8xf16>";
const ROW: &str = "tensor<8xf32>";
const TOKEN: &str = "!nv_tileaa.mem_token";
const WEAK: &str = "in_bounds = array<i1: true, true>, mem_semantic = \"weak\"";
const COSTS: &str =
    "tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]";

/// The initial and final values of a loop: two tiles, a row, and the token that orders stores.
type State = [String; 4];

/// The types of a [`State`].
fn state_types() -> String {
    format!("{TILE}, {TILE}, {ROW}, {TOKEN}")
}

/// Writes the body of a loop.
struct Writer {
    random: Random,
    text: String,
    values: usize,
    /// The prefix that distinguishes its values from those of other loops.
    prefix: String,
    /// Available values of each type.
    tiles: Vec<String>,
    halves: Vec<String>,
    rows: Vec<String>,
    /// The token that the next operation on written memory waits for.
    token: String,
    /// The coordinates of loads.
    coordinates: &'static [&'static str],
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

    fn coordinates(&mut self) -> &'static str {
        self.coordinates[self.random.below(self.coordinates.len())]
    }

    fn load(&mut self, memory: usize) {
        let name = self.name();
        let coordinates = self.coordinates();
        // Some loads are plain ones, which the consumer executes itself.
        let atom = if self.random.below(4) > 0 {
            "tma_load_2d\", box = [8, 8]"
        } else {
            "ldg_128\""
        };
        self.line(&format!(
            "{name}, {name}t = nv_tileas.tiled_load %tiles{memory}[{coordinates}] token %token : {TOKEN} {{atom = #nv_tileas.atom<\"{atom}>, {WEAK}}} : !nv_tileaa.tiled_view<8x8xf16, gmem> -> {HALF}, {TOKEN}"
        ));
        self.halves.push(name);
    }

    fn product(&mut self, a: &str, b: &str, c: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = nv_tileas.dot {a}, {b}, {c} {{atom = #nv_tileas.atom<\"wgmma_m64n8k16_f32_f16_f16\">}} : {HALF}, {HALF}, {TILE} -> {TILE}"));
        self.tiles.push(name.clone());
        name
    }

    /// One of the operations that every kernel has.
    fn operation(&mut self) {
        match self.random.below(9) {
            8 => self.branch(),
            0 => {
                let memory = self.random.below(2);
                self.load(memory);
            }
            1 | 2 => {
                let (a, b) = (self.pick(|w| &w.halves), self.pick(|w| &w.halves));
                let c = self.pick(|w| &w.tiles);
                self.product(&a, &b, &c);
            }
            3 | 4 => {
                let name = self.name();
                let operation = ["addf", "subf", "maximumf"][self.random.below(3)];
                let (a, b) = (self.pick(|w| &w.tiles), self.pick(|w| &w.tiles));
                self.line(&format!("{name} = arith.{operation} {a}, {b} : {TILE}"));
                self.tiles.push(name);
            }
            5 => {
                let name = self.name();
                let a = self.pick(|w| &w.halves);
                self.line(&format!("{name} = arith.extf {a} : {HALF} to {TILE}"));
                self.tiles.push(name);
            }
            6 => self.reduction(),
            _ => {
                let name = self.name();
                let a = self.pick(|w| &w.rows);
                self.line(&format!(
                    "{name} = \"cuda_tile.broadcast\"({a}) {{{COSTS}}} : ({ROW}) -> {TILE}"
                ));
                self.tiles.push(name);
            }
        }
    }

    fn branch(&mut self) {
        let name = self.name();
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

    fn reduction(&mut self) {
        let name = self.name();
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

    /// One of the operations that only rich kernels have.
    fn rich_operation(&mut self) {
        match self.random.below(8) {
            0 => {
                self.load_stored(false);
            }
            1 => {
                let tile = self.load_stored(true);
                self.tiles.push(tile);
            }
            2 => self.store(),
            3 => self.foreign(),
            4 => self.foreign_in_branch(),
            5 => self.store_in_branch(),
            6 => self.nested_branch(),
            _ => {
                // Its effects are unknown: it stays in order with all memory accesses.
                let name = self.name();
                let a = self.pick(|w| &w.tiles);
                self.line(&format!(
                    "{name} = \"cuda_tile.exp2\"({a}) : ({TILE}) -> {TILE}"
                ));
                self.tiles.push(name);
            }
        }
    }

    /// A load of the memory that the loop stores. If it is dead, only its token is used.
    fn load_stored(&mut self, by_tma: bool) -> String {
        let name = self.name();
        let atom = match by_tma && self.random.below(2) == 0 {
            true => "tma_load_2d\", box = [8, 8]",
            false => "ldg_128\"",
        };
        let token = self.token.clone();
        self.line(&format!("{name}, {name}t = nv_tileas.tiled_load %outs[%m, %i] token {token} : {TOKEN} {{atom = #nv_tileas.atom<\"{atom}>, {WEAK}}} : !nv_tileaa.tiled_view<8x8xf32, gmem> -> {TILE}, {TOKEN}"));
        self.token = format!("{name}t");
        name
    }

    fn store(&mut self) {
        let value = self.pick(|w| &w.tiles);
        let (name, token) = (self.name(), self.token.clone());
        self.line(&stored_tile(&name, &value, "%outs[%m, %i]", &token));
        self.token = name;
    }

    fn foreign(&mut self) {
        let name = self.name();
        let a = self.pick(|w| &w.tiles);
        let latency = 1 + self.random.below(20);
        let (slot, held) = (
            [2, 4, 7, 12][self.random.below(4)],
            1 + self.random.below(9),
        );
        let constraint = match self.random.below(5) {
            0 => "tileas.schedule.constraint.gid = 1 : i32, ",
            1 => "tileas.schedule.constraint.max_depth = 1 : i32, ",
            2 => "tileas.schedule.constraint.force_serial_execution, ",
            _ => "",
        };
        self.line(&format!("{name} = \"cuda_tile.exp2\"({a}) {{{constraint}tileas.schedule.latency = {latency} : i32, tileas.schedule.resources = [array<i32: {slot}, {held}, 1>]}} : ({TILE}) -> {TILE}"));
        self.tiles.push(name);
    }

    fn foreign_in_branch(&mut self) {
        let name = self.name();
        let a = self.pick(|w| &w.tiles);
        let costs = match self.random.below(3) {
            0 => "",
            1 => " {tileas.schedule.latency = 3 : i32}",
            _ => {
                " {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]}"
            }
        };
        self.line(&format!("{name}c = arith.cmpi ult, %i, %c1 : index"));
        self.line(&format!("{name} = scf.if {name}c -> ({TILE}) {{"));
        self.line(&format!(
            "  {name}e = \"cuda_tile.exp2\"({a}){costs} : ({TILE}) -> {TILE}"
        ));
        self.line(&format!("  scf.yield {name}e : {TILE}"));
        self.line("} else {");
        self.line(&format!("  scf.yield {a} : {TILE}"));
        self.line("}");
        self.tiles.push(name);
    }

    fn store_in_branch(&mut self) {
        let value = self.pick(|w| &w.tiles);
        let (name, token) = (self.name(), self.token.clone());
        self.line(&format!("{name}c = arith.cmpi ult, %i, %c2 : index"));
        self.line(&format!("{name} = scf.if {name}c -> ({TOKEN}) {{"));
        self.line(&stored_tile(
            &format!("{name}s"),
            &value,
            "%outs[%m, %i]",
            &token,
        ));
        self.line(&format!("  scf.yield {name}s : {TOKEN}"));
        self.line("} else {");
        self.line(&format!("  scf.yield {token} : {TOKEN}"));
        self.line("}");
        self.token = name;
    }

    fn nested_branch(&mut self) {
        let name = self.name();
        let (a, row) = (self.pick(|w| &w.tiles), self.pick(|w| &w.rows));
        self.line(&format!("{name}c = arith.cmpi slt, %i, %c2 : index"));
        self.line(&format!("{name}k = arith.cmpi slt, %i, %c1 : index"));
        self.line(&format!("{name} = scf.if {name}c -> ({TILE}) {{"));
        self.line(&format!("  {name}n = scf.if {name}k -> ({TILE}) {{"));
        self.line(&format!(
            "    {name}b = \"cuda_tile.broadcast\"({row}) {{{COSTS}}} : ({ROW}) -> {TILE}"
        ));
        self.line(&format!("    scf.yield {name}b : {TILE}"));
        self.line("  } else {");
        self.line(&format!("    scf.yield {a} : {TILE}"));
        self.line("  }");
        self.line(&format!("  scf.yield {name}n : {TILE}"));
        self.line("} else {");
        self.line(&format!("  scf.yield {a} : {TILE}"));
        self.line("}");
        self.tiles.push(name);
    }
}

/// A store of a tile.
fn stored_tile(name: &str, value: &str, place: &str, token: &str) -> String {
    format!(
        "{name} = nv_tileas.tiled_store {value}, {place} token {token} : {TOKEN} {{atom = #nv_tileas.atom<\"stg_128\">, {WEAK}}} : {TILE}, !nv_tileaa.tiled_view<8x8xf32, gmem> -> {TOKEN}"
    )
}

/// A loop with loads, arithmetic, products, reductions, carried values and stores; its results
/// are `%<prefix>r0` to `%<prefix>r3`.
fn looped(random: &mut Random, prefix: &str, initial: &State, is_rich: bool) -> (String, State) {
    let mut writer = Writer {
        random: Random::new(random.bits()),
        text: String::new(),
        values: 0,
        prefix: prefix.to_owned(),
        tiles: ["%zero", "%acc0", "%acc1"].map(str::to_owned).to_vec(),
        halves: Vec::new(),
        rows: vec!["%row".to_owned()],
        token: "%tok".to_owned(),
        coordinates: &["%m, %i", "%i, %m", "%i, %next", "%i, %i"],
    };
    writer.line("%next = arith.addi %i, %c1 : index");
    writer.load(0);
    writer.load(1);
    // The product uses both loads.
    let (a, b) = (writer.halves[0].clone(), writer.halves[1].clone());
    let first = writer.product(&a, &b, "%acc0");
    for _ in 0..2 + writer.random.below(8) {
        if is_rich && writer.random.below(2) == 0 {
            writer.rich_operation();
        } else {
            writer.operation();
        }
    }
    if writer.random.below(2) == 0 {
        writer.store();
    }
    let other = writer.pick(|w| &w.tiles);
    let row = writer.pick(|w| &w.rows);
    let token = writer.token.clone();
    let types = state_types();
    writer.line(&format!(
        "scf.yield {first}, {other}, {row}, {token} : {types}"
    ));
    let [tile0, tile1, rows, token] = initial;
    let results = results(prefix);
    let text = format!(
        "  {} = scf.for %i = %c0 to %count step %c1 iter_args(%acc0 = {tile0}, %acc1 = {tile1}, %row = {rows}, %tok = {token}) -> ({types}) {{\n{}  }}\n",
        results.join(", "),
        writer.text
    );
    (text, results)
}

fn results(prefix: &str) -> State {
    [0, 1, 2, 3].map(|number| format!("%{prefix}r{number}"))
}

/// Adds up the values that a loop carries and stores the sum; the token of the store is
/// `%<prefix>st`.
fn stored(prefix: &str, state: &State, row: &str) -> String {
    let [first, second, rows, token] = state;
    format!(
        "  %{prefix}rows = \"cuda_tile.broadcast\"({rows}) {{{COSTS}}} : ({ROW}) -> {TILE}
  %{prefix}sum0 = arith.addf {first}, {second} : {TILE}
  %{prefix}sum = arith.addf %{prefix}sum0, %{prefix}rows : {TILE}
  {}
",
        stored_tile(
            &format!("%{prefix}st"),
            &format!("%{prefix}sum"),
            &format!("%ends[%m, {row}]"),
            token
        )
    )
}

/// The function around a body.
fn function(warps: usize, body: &str) -> String {
    format!(
        "nv_tileaa.func @f(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %E: !nv_tileaa.memref<?x?xf32>, %count: index) attributes {{nv_tileaa.kernel_spec = {{numWarps = {warps} : i32}}}} {{
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

fn start() -> State {
    ["%zero", "%zero", "%row0", "%token"].map(str::to_owned)
}

/// A kernel with one loop, with a loop followed by another one that continues with its values, or
/// with a loop in another one.
pub fn plain(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let body = match seed % 3 {
        0 => {
            let (text, state) = looped(random, "v", &start(), false);
            text + &stored("v", &state, "%c0")
        }
        1 => {
            let (first, state) = looped(random, "v", &start(), false);
            let (second, state) = looped(random, "w", &state, false);
            first + &second + &stored("w", &state, "%c0")
        }
        _ => {
            let (inner, state) = looped(random, "v", &start(), false);
            let inner = inner + &stored("v", &state, "%o");
            format!("  scf.for %o = %c0 to %c2 step %c1 {{\n{inner}  }}\n")
        }
    };
    function(8, &body)
}

/// A kernel of one to three parts, each a loop that may be in a loop or in a branch, with an
/// epilogue.
pub fn rich(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut body = String::new();
    let mut state = start();
    let parts = 1 + random.below(3);
    for part in 0..parts {
        let prefix = ["u", "v", "w"][part];
        let (text, after) = match random.below(5) {
            0 | 1 => looped(random, prefix, &state, true),
            2 => in_loop(random, prefix, &state),
            3 => in_storing_loop(random, prefix, &state),
            _ => in_branch(random, prefix, &state),
        };
        body += &text;
        state = after;
    }
    if random.below(3) == 0 {
        // The epilogue depends on an argument.
        let inner = stored("e", &state, "%c0");
        body += "  %some = arith.cmpi ult, %c1, %count : index\n";
        body += &format!("  scf.if %some {{\n{inner}  }}\n");
    } else {
        body += &stored("e", &state, "%c0");
    }
    let warps = [4, 8, 8, 8, 12, 16][random.below(6)];
    function(warps, &body)
}

/// A loop whose state is carried by an enclosing loop.
fn in_loop(random: &mut Random, prefix: &str, state: &State) -> (String, State) {
    let carried = [0, 1, 2, 3].map(|number| format!("%{prefix}a{number}"));
    let (inner, after) = looped(random, &format!("{prefix}i"), &carried, true);
    let pairs = carried.iter().zip(state);
    let pairs: Vec<String> = pairs
        .map(|(inner, outer)| format!("{inner} = {outer}"))
        .collect();
    let (types, results) = (state_types(), results(prefix));
    let text = format!(
        "  {} = scf.for %{prefix}o = %c0 to %c2 step %c1 iter_args({}) -> ({types}) {{\n{inner}    scf.yield {} : {types}\n  }}\n",
        results.join(", "),
        pairs.join(", "),
        after.join(", ")
    );
    (text, results)
}

/// A loop that restarts in every iteration of another one, which stores its results.
fn in_storing_loop(random: &mut Random, prefix: &str, state: &State) -> (String, State) {
    let inner_prefix = format!("{prefix}i");
    let inside = [
        state[0].clone(),
        state[1].clone(),
        state[2].clone(),
        format!("%{prefix}a"),
    ];
    let (inner, after) = looped(random, &inner_prefix, &inside, true);
    let store = stored(&inner_prefix, &after, &format!("%{prefix}o"));
    let text = format!(
        "  %{prefix}t = scf.for %{prefix}o = %c0 to %c2 step %c1 iter_args(%{prefix}a = {}) -> ({TOKEN}) {{\n{inner}{store}    scf.yield %{inner_prefix}st : {TOKEN}\n  }}\n",
        state[3]
    );
    let mut after = state.clone();
    after[3] = format!("%{prefix}t");
    (text, after)
}

/// A loop in one arm of a branch.
fn in_branch(random: &mut Random, prefix: &str, state: &State) -> (String, State) {
    let (inner, after) = looped(random, &format!("{prefix}i"), state, true);
    let (types, results) = (state_types(), results(prefix));
    let text = format!(
        "  %{prefix}c = arith.cmpi ult, %c0, %count : index\n  {} = scf.if %{prefix}c -> ({types}) {{\n{inner}    scf.yield {} : {types}\n  }} else {{\n    scf.yield {} : {types}\n  }}\n",
        results.join(", "),
        after.join(", "),
        state.join(", ")
    );
    (text, results)
}
