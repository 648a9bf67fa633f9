//! The module that the benchmark is about: kernels as a tile compiler has them in its middle.

use std::fmt::Write;

/// How many operations a kernel has at most, so that the last one is near the wanted number.
const LONGEST: usize = 200;

/// How many operations more one in fifty has.
const LONG: usize = 2500;

/// Types of the kernels.
const ADDRESS: &str = "!nv_tileaa.memref<?x?xf16>";
const VIEW: &str = "!nv_tileaa.tiled_view<128x64xf16, gmem>";
const OUTPUT: &str = "!nv_tileaa.tiled_view<128x128xf32, gmem>";
const TOKEN: &str = "!nv_tileaa.mem_token";
const TILE: &str = "tensor<128x64xf16>";
const SUM: &str = "tensor<128x128xf32>";
const ROW: &str =
    "tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.linear<{register = [[0, 1]]}>}>>";

/// A module of about this many operations in generic form, with a location for each. Each function
/// is a kernel: arithmetic on numbers and tiles, a loop that loads tiles and multiplies them, a
/// condition, a few blocks, and among them operations that orison does not know and MLIR does
/// (`math`), and those that nobody knows.
pub(crate) fn kernels(operations: usize) -> (String, usize) {
    let mut writer = Writer {
        text: String::from("\"builtin.module\"() ({\n"),
        operations: 1,
        kernel: 0,
        line: 1,
        next: 0,
        state: 12_345,
    };
    while writer.operations + LONGEST <= operations {
        let long = writer.random(50) == 0 && writer.operations + LONGEST + LONG <= operations;
        writer.kernel(if long { LONG * 4 / 5 } else { 0 });
        writer.kernel += 1;
    }
    writer.text.push_str("}) : () -> ()\n");
    (writer.text, writer.operations)
}

/// Writes kernels one behind the other.
struct Writer {
    text: String,
    operations: usize,
    kernel: usize,
    line: usize,
    /// The number of the next value.
    next: usize,
    state: u64,
}

impl Writer {
    /// A number below this.
    fn random(&mut self, below: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.state >> 33) as usize % below
    }

    /// One of these.
    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.random(among.len())]
    }

    /// The location of an operation, at its end. About three operations come from a line.
    fn located(&mut self) {
        self.operations += 1;
        self.line += usize::from(self.random(3) == 0);
        let column = 5 + 4 * self.random(8);
        let (kernel, line) = (self.kernel % 50, self.line % 2000);
        let place = format!("\"kernels/kernel_{kernel}.py\":{line}:{column}");
        let written = match self.random(20) {
            0 => writeln!(
                self.text,
                " loc(callsite({place} at \"launch.py\":{kernel}:1))"
            ),
            _ => writeln!(self.text, " loc({place})"),
        };
        written.expect("a string takes everything");
    }

    /// An operation without regions; what it defines when it has a result.
    fn operation(&mut self, result: &str, name: &str, middle: &str, kinds: &str) -> String {
        let value = format!("%v{}", self.next);
        self.next += 1;
        match result {
            "" => write!(self.text, "\"{name}\"{middle} : ({kinds}) -> ()"),
            _ => write!(
                self.text,
                "{value} = \"{name}\"{middle} : ({kinds}) -> {result}"
            ),
        }
        .expect("a string takes everything");
        self.located();
        value
    }

    fn constant(&mut self, value: &str, ty: &str) -> String {
        self.operation(
            ty,
            "arith.constant",
            &format!("() <{{value = {value}}}>"),
            "",
        )
    }

    /// Sums, products, shifts, comparisons and choices of numbers, and what they come to.
    fn numbers(&mut self, start: &str, count: usize) -> String {
        let mut known = vec![start.to_owned()];
        for _ in 0..count {
            let recent = known.len().saturating_sub(12);
            let a = known[recent + self.random(known.len() - recent)].clone();
            let b = known[recent + self.random(known.len() - recent)].clone();
            let new = match self.random(10) {
                0 | 1 => {
                    let value = format!("{} : i32", self.random(100_000));
                    self.constant(&value, "i32")
                }
                2 => {
                    let predicate = self.random(10);
                    let middle = format!("({a}, {b}) <{{predicate = {predicate} : i64}}>");
                    let less = self.operation("i1", "arith.cmpi", &middle, "i32, i32");
                    let middle = format!("({less}, {a}, {b})");
                    self.operation("i32", "arith.select", &middle, "i1, i32, i32")
                }
                3 => {
                    let tag = self.random(7);
                    let middle = format!("({a}, {b}) {{tag = \"t{tag}\"}}");
                    self.operation("i32", "test.unknown", &middle, "i32, i32")
                }
                4 | 5 => {
                    let name =
                        self.pick(&["arith.divsi", "arith.remsi", "arith.xori", "arith.andi"]);
                    self.operation("i32", name, &format!("({a}, {b})"), "i32, i32")
                }
                _ => {
                    let name = self.pick(&["arith.addi", "arith.addi", "arith.muli", "arith.subi"]);
                    let flags = self.pick(&["none", "nsw"]);
                    let flags =
                        format!("({a}, {b}) <{{overflowFlags = #arith.overflow<{flags}>}}>");
                    self.operation("i32", name, &flags, "i32, i32")
                }
            };
            known.push(new);
        }
        known.pop().unwrap_or_default()
    }

    /// Sums and functions of tiles.
    fn tiles(&mut self, start: &str, count: usize) -> String {
        let mut value = start.to_owned();
        for _ in 0..count {
            let fast = self.pick(&["none", "fast", "contract"]);
            let flags = format!("<{{fastmath = #arith.fastmath<{fast}>}}>");
            let binary = format!("({value}, {start}) {flags}");
            let both = format!("{SUM}, {SUM}");
            value = match self.random(5) {
                0 => self.operation(SUM, "math.exp2", &format!("({value}) {flags}"), SUM),
                1 => {
                    let middle = format!("({value}) <{{axis = 1 : i32}}>");
                    let row = self.operation(ROW, "nv_tileas.row_sum", &middle, SUM);
                    self.operation(SUM, "nv_tileas.spread", &format!("({row})"), ROW)
                }
                2 => self.operation(SUM, "arith.mulf", &binary, &both),
                3 => self.operation(SUM, "arith.maximumf", &binary, &both),
                _ => self.operation(SUM, "arith.addf", &binary, &both),
            };
        }
        value
    }

    /// A tile from memory.
    fn load(&mut self, view: &str, row: &str, column: &str, token: &str, group: usize) -> String {
        let middle = format!(
            "({view}, {row}, {column}, {token}) <{{atom = #nv_tileas.atom<\"tma_load_2d\", box = [128, 64]>, \
             in_bounds = array<i1: true, true>, mem_semantic = \"weak\", \
             operandSegmentSizes = array<i32: 1, 2, 0, 1>}}> \
             {{tileas.schedule.constraint.gid = {group} : i32, tileas.schedule.constraint.leader_gid = 1 : i32}}"
        );
        let (value, number) = (format!("%v{}", self.next), self.next);
        self.next += 1;
        write!(
            self.text,
            "{value}:2 = \"nv_tileas.tiled_load\"{middle} : ({VIEW}, index, index, {TOKEN}) -> ({TILE}, {TOKEN})"
        )
        .expect("a string takes everything");
        self.located();
        format!("%v{number}#0")
    }

    /// The loop over K.
    fn multiply(&mut self, zero: &str, one: &str, sum: &str, token: &str) -> String {
        let result = format!("%v{}", self.next);
        let views: Vec<_> = ["%a", "%b"]
            .iter()
            .map(|from| self.operation(VIEW, "nv_tileaa.block_tile", &format!("({from})"), ADDRESS))
            .collect();
        let result = format!("{result}x");
        write!(
            self.text,
            "{result} = \"scf.for\"({zero}, %n, {one}, {sum}) ({{\n^bb0({result}k: index, {result}s: {SUM}):\n"
        )
        .expect("a string takes everything");
        let (k, mut so_far) = (format!("{result}k"), format!("{result}s"));
        for group in 0..=self.random(2) {
            let left = self.load(&views[0], zero, &k, token, 2 * group + 1);
            let right = self.load(&views[1], one, &k, token, 2 * group + 2);
            let middle = format!(
                "({left}, {right}, {so_far}) <{{atom = #nv_tileas.atom<\"wgmma_m64n128k16_f32_f16_f16\">}}> \
                 {{tileas.schedule.constraint.gid = {} : i32, tileas.schedule.constraint.leader_gid = 3 : i32}}",
                2 * group + 3
            );
            let kinds = format!("{TILE}, {TILE}, {SUM}");
            so_far = self.operation(SUM, "nv_tileas.dot", &middle, &kinds);
            let count = self.random(4);
            so_far = self.tiles(&so_far, count);
        }
        self.operation("", "scf.yield", &format!("({so_far})"), SUM);
        write!(self.text, "}}) : (index, index, index, {SUM}) -> {SUM}")
            .expect("a string takes everything");
        self.located();
        result
    }

    /// A choice between two ways to a number.
    fn condition(&mut self, number: &str) -> String {
        let middle = format!("({number}, {number}) <{{predicate = 2 : i64}}>");
        let less = self.operation("i1", "arith.cmpi", &middle, "i32, i32");
        let result = format!("%v{}x", self.next);
        self.next += 1;
        writeln!(self.text, "{result} = \"scf.if\"({less}) ({{")
            .expect("a string takes everything");
        for second in [true, false] {
            let count = 1 + self.random(6);
            let value = self.numbers(number, count);
            self.operation("", "scf.yield", &format!("({value})"), "i32");
            self.text
                .push_str(if second { "}, {\n" } else { "}) : (i1) -> i32" });
        }
        self.located();
        result
    }

    fn kernel(&mut self, more: usize) {
        let number = self.kernel;
        self.next = 0;
        write!(
            self.text,
            "\"func.func\"() <{{function_type = ({ADDRESS}, {ADDRESS}, index, i32) -> (), sym_name = \"kernel_{number}\"}}> ({{\n\
             ^bb0(%a: {ADDRESS}, %b: {ADDRESS}, %n: index, %x: i32):\n"
        )
        .expect("a string takes everything");
        let zero = self.constant("0 : index", "index");
        let one = self.constant("1 : index", "index");
        let sum = self.constant(&format!("dense<0.0> : {SUM}"), SUM);
        let token = self.operation(TOKEN, "nv_tileaa.create_mem_token", "()", "");
        let count = 5 + self.random(30) + more;
        let start = self.numbers("%x", count);
        let product = self.multiply(&zero, &one, &sum, &token);
        let count = 1 + self.random(6);
        let value = self.tiles(&product, count);
        let chosen = self.condition(&start);
        self.operation("", "cf.br", &format!("({chosen})[^end]"), "i32");
        writeln!(self.text, "^end(%y{number}: i32):").expect("a string takes everything");
        let count = 5 + self.random(20);
        self.numbers(&format!("%y{number}"), count);
        let view = self.operation(OUTPUT, "nv_tileaa.block_tile", "(%a)", ADDRESS);
        let middle = format!(
            "({view}, {value}, {zero}, {one}, {token}) <{{atom = #nv_tileas.atom<\"stg_128\">, \
             in_bounds = array<i1: true, true>, mem_semantic = \"weak\", \
             operandSegmentSizes = array<i32: 1, 1, 2, 0, 1>}}>"
        );
        let kinds = format!("{OUTPUT}, {SUM}, index, index, {TOKEN}");
        self.operation(TOKEN, "nv_tileas.tiled_store", &middle, &kinds);
        self.operation("", "func.return", "()", "");
        self.text
            .push_str("}) {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} : () -> ()");
        self.located();
    }
}
