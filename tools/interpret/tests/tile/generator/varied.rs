//! Kernels of nested structures: loops and branches inside each other up to four levels deep, with
//! any bounds, all kinds of operations, and state of six kinds.

use std::fmt::Write as _;

use orison_interpret::tile::Random;

use super::{COSTS, HALF, ROW, TILE, TOKEN, WEAK, Writer, stored_tile};

/// Two tiles, a row, the token that orders stores, a loaded tile that the next iteration uses, and a
/// coordinate.
type State = [String; 6];

/// Innermost loops of a kernel, at most.
const LOOPS: usize = 4;
const ACCUMULATOR: &str = "!nv_tileas.tiled_view<8x8xf32, tmem>";

fn types() -> String {
    format!("{TILE}, {TILE}, {ROW}, {TOKEN}, {HALF}, index")
}

fn numbered(prefix: &str, kind: &str) -> State {
    std::array::from_fn(|number| format!("%{prefix}{kind}{number}"))
}

/// A kernel: structures one after the other, then an epilogue. Its arguments are those of the other
/// kernels and, last, memory with the numbers of tiles.
pub fn varied(seed: u64) -> String {
    let mut writer = Structures {
        random: Random::new(seed.wrapping_mul(0x9e37_79b9) ^ 0x5eed),
        text: String::new(),
        names: 0,
        loops: 0,
    };
    let mut state = ["%zero", "%zero", "%row0", "%token", "%held0", "%c0"].map(str::to_owned);
    for _ in 0..1 + writer.random.below(3) {
        state = writer.structure(&state, 0, None);
    }
    writer.epilogue(&state);
    let body = format!("{}{}", HEAD, writer.text);
    let warps = [8, 8, 12, 16][writer.random.below(4)];
    super::function(warps, &body).replace(
        "%count: index)",
        "%count: index, %N: !nv_tileaa.memref<?xi32>)",
    )
}

/// What the operations of nested structures need besides the values of every kernel.
const HEAD: &str = "  %c3 = arith.constant 3 : index
  %held0 = arith.constant dense<5.000000e-01> : tensor<8x8xf16>
  %none = arith.constant dense<-1.000000e+00> : tensor<8x8xf32>
  %numbers = nv_tileaa.block_tile %N : !nv_tileaa.memref<?xi32> -> !nv_tileaa.tiled_view<1xi32, gmem>
";

/// Writes structures.
struct Structures {
    random: Random,
    text: String,
    names: usize,
    loops: usize,
}

impl Structures {
    fn prefix(&mut self) -> String {
        self.names += 1;
        format!("s{}", self.names)
    }

    fn line(&mut self, text: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {text}");
    }

    /// A structure with this state before it, in the loop with this induction variable; returns the
    /// state after it.
    fn structure(&mut self, state: &State, depth: usize, outer: Option<&str>) -> State {
        if depth >= 3 || self.loops >= LOOPS {
            return self.innermost(state, outer);
        }
        match self.random.below(9) {
            0 | 1 => self.carrying_loop(state, depth),
            2 | 3 => self.storing_loop(state, depth),
            4 => self.branch(state, depth, outer, false),
            5 => self.branch(state, depth, outer, true),
            _ => self.innermost(state, outer),
        }
    }

    /// One or two structures that a loop repeats and whose state it carries.
    fn carrying_loop(&mut self, state: &State, depth: usize) -> State {
        let prefix = self.prefix();
        let carried = numbered(&prefix, "a");
        let results = numbered(&prefix, "r");
        let induction = format!("%{prefix}o");
        let pairs = carried
            .iter()
            .zip(state)
            .map(|(to, from)| format!("{to} = {from}"));
        let pairs: Vec<String> = pairs.collect();
        let (list, types) = (results.join(", "), types());
        self.line(&format!(
            "{list} = scf.for {induction} = %c0 to %c2 step %c1 iter_args({}) -> ({types}) {{",
            pairs.join(", ")
        ));
        let mut inside = carried;
        for _ in 0..1 + self.random.below(2) {
            inside = self.structure(&inside, depth + 1, Some(&induction));
        }
        self.line(&format!("scf.yield {} : {types}", inside.join(", ")));
        self.line("}");
        results
    }

    /// A structure that starts again in each iteration of a loop, which stores its results.
    fn storing_loop(&mut self, state: &State, depth: usize) -> State {
        let prefix = self.prefix();
        let induction = format!("%{prefix}o");
        let (argument, result) = (format!("%{prefix}a"), format!("%{prefix}t"));
        self.line(&format!(
            "{result} = scf.for {induction} = %c0 to %c2 step %c1 iter_args({argument} = {}) -> ({TOKEN}) {{",
            state[3]
        ));
        let mut inside = state.clone();
        inside[3] = argument;
        let inside = self.structure(&inside, depth + 1, Some(&induction));
        let token = self.stored(&inside, &induction);
        self.line(&format!("scf.yield {token} : {TOKEN}"));
        self.line("}");
        let mut after = state.clone();
        after[3] = result;
        after
    }

    /// A structure in one arm of a branch, or one in each. The condition is not known before the run.
    fn branch(&mut self, state: &State, depth: usize, outer: Option<&str>, both: bool) -> State {
        let prefix = self.prefix();
        let results = numbered(&prefix, "r");
        let (list, types) = (results.join(", "), types());
        let tested = outer.unwrap_or("%c1");
        self.line(&format!(
            "%{prefix}c = arith.cmpi ult, {tested}, %count : index"
        ));
        self.line(&format!("{list} = scf.if %{prefix}c -> ({types}) {{"));
        let after = self.structure(state, depth + 1, outer);
        self.line(&format!("scf.yield {} : {types}", after.join(", ")));
        self.line("} else {");
        let after = if both {
            self.structure(state, depth + 1, outer)
        } else {
            state.clone()
        };
        self.line(&format!("scf.yield {} : {types}", after.join(", ")));
        self.line("}");
        results
    }

    /// Bounds of at most three tiles: known or not, with any first iteration and step, or those of a
    /// triangle.
    fn bounds(&mut self, prefix: &str, outer: Option<&str>) -> (String, String, &'static str) {
        let known = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let (from, to) = match (self.random.below(10), outer) {
            (0, Some(outer)) => {
                self.line(&format!("%{prefix}h = arith.addi {outer}, %c1 : index"));
                ("%c0".to_owned(), format!("%{prefix}h"))
            }
            (1, Some(outer)) => (outer.to_owned(), "%count".to_owned()),
            (2, _) => known("%c0", "%c3"),
            (3, _) => known("%c1", "%c3"),
            (4, _) => known("%c1", "%count"),
            (5, _) => known("%c0", "%c1"),
            _ => known("%c0", "%count"),
        };
        let step = if self.random.below(6) == 0 {
            "%c2"
        } else {
            "%c1"
        };
        (from, to, step)
    }

    fn innermost(&mut self, state: &State, outer: Option<&str>) -> State {
        self.loops += 1;
        let prefix = self.prefix();
        let results = numbered(&prefix, "r");
        let (from, to, step) = self.bounds(&prefix, outer);
        let mut body = Writer {
            random: Random::new(self.random.bits()),
            text: String::new(),
            values: 0,
            prefix: prefix.clone(),
            tiles: ["%zero", "%acc0", "%acc1"].map(str::to_owned).to_vec(),
            halves: vec!["%held".to_owned()],
            rows: vec!["%row".to_owned()],
            token: "%tok".to_owned(),
            coordinates: &["%m, %i", "%i, %m", "%i, %next", "%m, %at", "%at, %i"],
        };
        body.line("%next = arith.addi %i, %c1 : index");
        body.load(0);
        body.load(1);
        let (a, b) = (body.halves[1].clone(), body.halves[2].clone());
        let in_tensor_memory = body.random.below(5) == 0;
        let first = if in_tensor_memory {
            body.product_in_tensor_memory(&a, &b, &from)
        } else {
            body.product(&a, &b, "%acc0")
        };
        for _ in 0..1 + body.random.below(7) {
            match body.random.below(3) {
                0 => body.operation(),
                1 => body.rich_operation(),
                _ => body.varied_operation(),
            }
        }
        if body.random.below(2) == 0 {
            body.store();
        }
        let (other, row) = (body.pick(|w| &w.tiles), body.pick(|w| &w.rows));
        let (half, token) = (body.pick(|w| &w.halves), body.token.clone());
        body.line(&format!("%{prefix}x = arith.addi %at, %c1 : index"));
        body.line(&format!("%{prefix}y = arith.remui %{prefix}x, %c3 : index"));
        let (more, more_types, more_pairs) = if in_tensor_memory {
            let pairs = format!(", %tensor = %{prefix}tensor");
            (format!(", %{prefix}sum"), format!(", {ACCUMULATOR}"), pairs)
        } else {
            Default::default()
        };
        let types = types() + &more_types;
        body.line(&format!(
            "scf.yield {first}, {other}, {row}, {token}, {half}, %{prefix}y{more} : {types}"
        ));
        if in_tensor_memory {
            self.line(&format!(
                "%{prefix}tensor = nv_tileas.alloc_tensor in \"tmem\" : {ACCUMULATOR}"
            ));
        }
        let mut list = results.join(", ");
        if in_tensor_memory {
            let _ = write!(list, ", %{prefix}last");
        }
        let [tile0, tile1, rows, token, held, at] = state;
        let constraint = match self.random.below(10) {
            0 => " {tileas.schedule.constraint.force_serial_execution}",
            _ => "",
        };
        self.line(&format!(
            "{list} = scf.for %i = {from} to {to} step {step} iter_args(%acc0 = {tile0}, %acc1 = {tile1}, %row = {rows}, %tok = {token}, %held = {held}, %at = {at}{more_pairs}) -> ({types}) {{"
        ));
        self.text.push_str(&body.text);
        self.line(&format!("}}{constraint}"));
        results
    }

    /// Stores the sum of what a structure computes; returns the token of the store.
    fn stored(&mut self, state: &State, row: &str) -> String {
        let name = self.prefix();
        let [first, second, rows, token, half, _] = state;
        self.line(&format!(
            "%{name}a = \"cuda_tile.broadcast\"({rows}) {{{COSTS}}} : ({ROW}) -> {TILE}"
        ));
        self.line(&format!("%{name}b = arith.addf {first}, {second} : {TILE}"));
        self.line(&format!("%{name}c = arith.extf {half} : {HALF} to {TILE}"));
        self.line(&format!(
            "%{name}d = arith.addf %{name}a, %{name}c : {TILE}"
        ));
        self.line(&format!(
            "%{name}e = arith.addf %{name}b, %{name}d : {TILE}"
        ));
        let place = format!("%ends[%m, {row}]");
        let store = stored_tile(&format!("%{name}s"), &format!("%{name}e"), &place, token);
        self.line(&store);
        format!("%{name}s")
    }

    /// The end of the kernel: with a bias that is loaded, a function of another dialect, a reduction,
    /// or in a branch.
    fn epilogue(&mut self, state: &State) {
        let mut state = state.clone();
        let name = self.prefix();
        match self.random.below(5) {
            0 => {
                let load = "nv_tileas.tiled_load %tiles1[%c0, %m] token %token";
                self.line(&format!("%{name}h, %{name}t = {load} : {TOKEN} {{atom = #nv_tileas.atom<\"tma_load_2d\", box = [8, 8]>, {WEAK}}} : !nv_tileaa.tiled_view<8x8xf16, gmem> -> {HALF}, {TOKEN}"));
                state[4] = format!("%{name}h");
            }
            1 => {
                let tile = &state[0];
                self.line(&format!(
                    "%{name}f = \"cuda_tile.exp2\"({tile}) {{{COSTS}}} : ({TILE}) -> {TILE}"
                ));
                state[0] = format!("%{name}f");
            }
            2 => {
                let tile = &state[1];
                self.line(&format!("%{name}f = math.exp2 {tile} : {TILE}"));
                self.line(&format!(
                    "%{name}g = arith.truncf %{name}f : {TILE} to {HALF}"
                ));
                state[4] = format!("%{name}g");
            }
            3 => {
                self.line(&format!("%{name}c = arith.cmpi ult, %c1, %count : index"));
                self.line(&format!("scf.if %{name}c {{"));
                self.stored(&state, "%c0");
                self.line("}");
                return;
            }
            _ => {}
        }
        let first = self.stored(&state, "%c0");
        state[3] = first;
        if self.random.below(3) == 0 {
            self.stored(&state, "%c1");
        }
    }
}

impl Writer {
    /// A product whose sum is in tensor memory: the first iteration, or each, starts it.
    fn product_in_tensor_memory(&mut self, a: &str, b: &str, first: &str) -> String {
        let prefix = self.prefix.clone();
        self.line(&format!("%{prefix}if = arith.cmpi ne, %i, {first} : index"));
        let condition = if self.random.below(2) == 0 {
            format!(" if %{prefix}if : i1")
        } else {
            // Without the condition, the first product adds to what the program has stored.
            self.line(&format!("nv_tileas.copy %acc0 to %tensor {{atom = #nv_tileas.atom<\"tcgen05_st_32x32b_x8\">}} : {TILE} to {ACCUMULATOR}"));
            String::new()
        };
        self.line(&format!("%{prefix}sum = nv_tileas.dot {a}, {b}, %tensor{condition} {{atom = #nv_tileas.atom<\"tcgen05_mma_m128n8k16_f32_f16_f16\">}} : {HALF}, {HALF}, {ACCUMULATOR} -> {ACCUMULATOR}"));
        let name = self.name();
        self.line(&format!("{name} = nv_tileas.copy %{prefix}sum {{atom = #nv_tileas.atom<\"tcgen05_ld_32x32b_x8\">}} : {ACCUMULATOR} -> {TILE}"));
        self.tiles.push(name.clone());
        name
    }

    /// One of the operations that only these kernels have.
    fn varied_operation(&mut self) {
        match self.random.below(11) {
            0 => self.scan(),
            1 => self.columns(),
            2 => self.elementwise(),
            3 => self.mask(),
            4 => self.slices(),
            5 => self.layouts(),
            6 => self.atomic(),
            7 => self.asynchronous_load(),
            8 => self.asynchronous_product(),
            9 => self.indirect_load(),
            _ => self.ordered_load(),
        }
    }

    fn combined(&mut self, line: &str) {
        let operation = ["addf", "maximumf"][self.random.below(2)];
        self.line(line);
        self.line("^bb0(%x: f32, %y: f32):");
        self.line(&format!("  %b = arith.{operation} %x, %y : f32"));
        self.line("  nv_tileas.yield %b : f32");
        self.line("}");
    }

    fn scan(&mut self) {
        let (name, tile) = (self.name(), self.pick(|w| &w.tiles));
        let axis = self.random.below(2);
        let reverse = ["", " attributes {reverse = true}"][self.random.below(2)];
        self.combined(&format!(
            "{name} = nv_tileas.scan {tile} axis {axis}{reverse} : {TILE} -> {TILE} {{"
        ));
        self.tiles.push(name);
    }

    /// The sums of columns, in every row.
    fn columns(&mut self) {
        let (name, tile) = (self.name(), self.pick(|w| &w.tiles));
        self.combined(&format!(
            "{name}r = nv_tileas.reduce {tile} axis 0 : {TILE} -> {ROW} {{"
        ));
        self.line(&format!(
            "{name}e = nv_tileas.expand_dims {name}r axis 0 : {ROW} -> tensor<1x8xf32>"
        ));
        self.line(&format!(
            "{name} = \"cuda_tile.broadcast\"({name}e) {{{COSTS}}} : (tensor<1x8xf32>) -> {TILE}"
        ));
        self.rows.push(format!("{name}r"));
        self.tiles.push(name);
    }

    fn elementwise(&mut self) {
        let (name, a) = (self.name(), self.pick(|w| &w.tiles));
        match self.random.below(3) {
            0 => self.line(&format!("{name} = math.exp2 {a} : {TILE}")),
            1 => self.line(&format!("{name} = arith.negf {a} : {TILE}")),
            _ => {
                self.line(&format!("{name}h = arith.truncf {a} : {TILE} to {HALF}"));
                self.line(&format!("{name} = arith.extf {name}h : {HALF} to {TILE}"));
                self.halves.push(format!("{name}h"));
            }
        }
        self.tiles.push(name);
    }

    /// Elements up to the diagonal of the block, as in causal attention.
    fn mask(&mut self) {
        let (name, tile) = (self.name(), self.pick(|w| &w.tiles));
        self.line(&format!("{name}k = arith.cmpi ult, %i, %c1 : index"));
        self.line(&format!("{name}g = nv_tileas.generate : tensor<8x8xi1> {{"));
        self.line("^bb0(%gx: index, %gy: index):");
        self.line("  %gl = arith.cmpi ule, %gy, %gx : index");
        self.line(&format!("  %gs = arith.ori {name}k, %gl : i1"));
        self.line("  nv_tileas.yield %gs : i1");
        self.line("}");
        self.line(&format!(
            "{name} = arith.select {name}g, {tile}, %none : tensor<8x8xi1>, {TILE}"
        ));
        self.tiles.push(name);
    }

    fn slices(&mut self) {
        let (name, a) = (self.name(), self.pick(|w| &w.tiles));
        let b = self.pick(|w| &w.tiles);
        self.line(&format!(
            "{name}v = nv_tileas.view {a} : {TILE} -> tensor<4x16xf32>"
        ));
        self.line(&format!(
            "{name}s = nv_tileas.extract_slice {name}v[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>"
        ));
        self.line(&format!(
            "{name} = nv_tileas.insert_slice {name}s into {b}[%c1, 0] [4, 8] [1, 1] : tensor<4x8xf32> into {TILE}"
        ));
        self.tiles.push(name);
    }

    fn layouts(&mut self) {
        let (name, tile) = (self.name(), self.pick(|w| &w.tiles));
        let columns = "tensor<8x8xf32, #nv_tileas.layout<\"(8,8),(1,8)\">>";
        self.line(&format!(
            "{name}l = nv_tileas.convert_layout {tile} : {TILE} -> {columns}"
        ));
        self.line(&format!(
            "{name} = nv_tileas.convert_layout {name}l : {columns} -> {TILE}"
        ));
        self.tiles.push(name);
    }

    fn atomic(&mut self) {
        let (name, value) = (self.name(), self.pick(|w| &w.tiles));
        let token = self.token.clone();
        let mode = ["add", "max"][self.random.below(2)];
        self.line(&format!("{name}, {name}t = nv_tileas.tiled_atomic_rmw \"{mode}\" %outs[%m, %i] by {value} token {token} : {TOKEN} {{{WEAK}}} : !nv_tileaa.tiled_view<8x8xf32, gmem> by {TILE} -> {TILE}, {TOKEN}"));
        self.token = format!("{name}t");
        self.tiles.push(name);
    }

    fn asynchronous_load(&mut self) {
        let name = self.name();
        let coordinates = self.coordinates();
        self.line(&format!("{name}, {name}d = nv_tileas.async.tiled_load %tiles1[{coordinates}] {{{WEAK}}} : !nv_tileaa.tiled_view<8x8xf16, gmem> -> {HALF}"));
        if self.random.below(2) == 0 {
            // Something executes meanwhile.
            self.operation();
        }
        self.line(&format!("nv_tileas.async.wait {name}d"));
        self.halves.push(name);
    }

    fn asynchronous_product(&mut self) {
        let (a, b) = (self.pick(|w| &w.halves), self.pick(|w| &w.halves));
        let (name, c) = (self.name(), self.pick(|w| &w.tiles));
        self.line(&format!("{name}, {name}d = nv_tileas.async.dot {a}, {b}, {c} {{atom = #nv_tileas.atom<\"wgmma_m64n8k16_f32_f16_f16\">}} : {HALF}, {HALF}, {TILE} -> {TILE}"));
        self.line(&format!("nv_tileas.async.wait {name}d"));
        self.tiles.push(name);
    }

    /// A load whose coordinate is loaded.
    fn indirect_load(&mut self) {
        let name = self.name();
        self.line(&format!("{name}n, {name}u = nv_tileas.tiled_load %numbers[%i] token %token : {TOKEN} {{in_bounds = array<i1: true>, mem_semantic = \"weak\"}} : !nv_tileaa.tiled_view<1xi32, gmem> -> tensor<1xi32>, {TOKEN}"));
        self.line(&format!(
            "{name}r = nv_tileas.generate : tensor<8x8xi32> {{"
        ));
        self.line("^bb0(%gx: index, %gy: index):");
        self.line("  %gi = arith.index_cast %gx : index to i32");
        self.line("  nv_tileas.yield %gi : i32");
        self.line("}");
        self.line(&format!(
            "{name}c = \"cuda_tile.broadcast\"({name}n) {{{COSTS}}} : (tensor<1xi32>) -> tensor<8x8xi32>"
        ));
        self.line(&format!("{name} = nv_tileas.gather_load %A at ({name}r, {name}c : tensor<8x8xi32>, tensor<8x8xi32>) token %token : {TOKEN} : !nv_tileaa.memref<?x?xf16> -> {HALF}"));
        self.halves.push(name);
    }

    /// A load or store that orders others.
    fn ordered_load(&mut self) {
        let (name, token) = (self.name(), self.token.clone());
        let strong = "in_bounds = array<i1: true, true>, mem_scope = \"gpu\"";
        if self.random.below(2) == 0 {
            self.line(&format!("{name}, {name}t = nv_tileas.tiled_load %outs[%m, %i] token {token} : {TOKEN} {{{strong}, mem_semantic = \"acquire\"}} : !nv_tileaa.tiled_view<8x8xf32, gmem> -> {TILE}, {TOKEN}"));
            self.tiles.push(name.clone());
        } else {
            let value = self.pick(|w| &w.tiles);
            self.line(&format!("{name}t = nv_tileas.tiled_store {value}, %outs[%m, %i] token {token} : {TOKEN} {{{strong}, mem_semantic = \"release\"}} : {TILE}, !nv_tileaa.tiled_view<8x8xf32, gmem> -> {TOKEN}"));
        }
        self.token = format!("{name}t");
    }
}
