//! The registers of products of warp groups: demands, live ranges and shortages of small kernels. The
//! figures are computed by hand.

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, Operation, Source, parse_source};
use orison_ori::analyses::MatrixGroups;
use orison_rewrites::ori::matrix_registers::{MatrixRegisters, RegisterLimit, Shortage};

/// A product of `64 x columns` numbers in `columns / 2` registers a thread.
fn product(name: &str, columns: u32, accumulator: &str) -> String {
    let words = columns / 2;
    let (operand, ty) = match accumulator {
        "" => (String::new(), String::new()),
        _ => (
            format!(" accumulator({accumulator})"),
            format!(", !ori.acc<{words}>"),
        ),
    };
    format!(
        "{name} = ori.wgmma.mma <columns = {columns}, depth = 16, half, left_format = f16, \
         right_format = f16, accumulator = f32> %d, %d{operand} : (!ori.r64, !ori.r64{ty}) -> \
         !ori.acc<{words}>\n"
    )
}

/// A store of the first word of an accumulator.
fn store(value: &str, words: u32) -> String {
    let part = format!("%first_{}", value.trim_start_matches('%'));
    format!(
        "{part} = ori.extract {value}[0] : (!ori.acc<{words}>) -> !ori.r\n\
         ori.stg <b32> [%a], {part} : (!ori.r64, !ori.r) -> ()\n"
    )
}

const FENCE: &str = "ori.wgmma.fence\n";
const COMMIT: &str = "ori.wgmma.commit\n";
const WAIT: &str = "ori.wgmma.wait <count = 0> : () -> ()\n";

struct Kernel {
    context: Context,
    module: Operation,
    function: Operation,
}

impl Kernel {
    fn of(attributes: &str, body: &str) -> Self {
        let mut context = Context::new();
        orison_host::register(&mut context);
        orison_ori::register(&mut context);
        let text = format!(
            "builtin.module {{\nori.func kernel @k() target \"sm_90a\" attributes {{{attributes}}} \
             {{\n%d = ori.cbank[0, 528] : !ori.r64\n%a = ori.cbank[0, 536] : !ori.r64\n{body}\
             ori.exit\n}}\n}}"
        );
        let source = Source {
            name: "k.mlir",
            text: &text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source);
        let module = module.unwrap_or_else(|_| panic!("{:?}\n{text}", context.diagnostics.take()));
        let body = module.body_block(&context, 0).expect("a body");
        let function = body.first_op(&context).expect("a function");
        Kernel {
            context,
            module,
            function,
        }
    }

    fn registers(&self) -> MatrixRegisters {
        let context = &self.context;
        let flow = ControlFlowGraph::of(context, self.function.region(context, 0));
        let liveness = Liveness::of(context, &flow);
        let groups = MatrixGroups::of(context, &flow);
        MatrixRegisters::of(context, self.function, (&flow, &liveness, &groups))
    }

    fn limit(&self, option: Option<u32>) -> RegisterLimit {
        RegisterLimit::of(&self.context, self.function, option)
    }

    /// The operation at a position of the entry block, behind the two parameters.
    fn at(&self, position: usize) -> Operation {
        let block = self.function.region(&self.context, 0).blocks(&self.context);
        let block = block.into_iter().next().expect("a block");
        let found = block.operations(&self.context).nth(position + 2);
        found.expect("an operation")
    }

    fn run(&mut self, pipeline: &str) {
        let mut registry = PassRegistry::default();
        orison_rewrites::passes(&mut registry);
        let pipeline = registry.parse_pipeline(&format!("builtin.module({pipeline})"));
        let pipeline = pipeline.expect("a pipeline");
        let done = run_pipeline(&mut self.context, &pipeline, self.module);
        done.expect("the pipeline succeeds");
    }
}

/// Two accumulators of 4 registers that are stored after one wait.
fn two() -> String {
    let products = product("%p", 8, "") + &product("%q", 8, "");
    let stores = store("%p", 4) + &store("%q", 4);
    format!("{FENCE}{products}{COMMIT}{WAIT}{stores}")
}

#[test]
fn products_need_their_accumulators_and_what_is_in_flight() {
    let kernel = Kernel::of("", &two());
    let registers = kernel.registers();
    let figures = registers.products().iter();
    let figures: Vec<_> = figures.map(|one| (one.op, one.own, one.live)).collect();
    assert_eq!(figures, [(kernel.at(1), 4, 4), (kernel.at(2), 4, 8)]);
    let largest = registers.largest().expect("a product");
    // 24 registers below the first accumulator, 2 kept free.
    assert_eq!((largest.op, largest.least_limit()), (kernel.at(1), 30));
    let stages = registers.stages().iter();
    let stages: Vec<_> = stages.map(|one| (one.op, one.registers)).collect();
    assert_eq!(stages, [(kernel.at(4), 8), (kernel.at(0), 8)]);
}

#[test]
fn accumulators_live_from_the_arrive_to_the_wait() {
    let kernel = Kernel::of("", &two());
    let registers = kernel.registers();
    assert_eq!(registers.live_ranges().len(), 2);
    for range in registers.live_ranges() {
        assert_eq!(range.words, 4);
        assert_eq!(range.starts, [kernel.at(0)]);
        assert_eq!(range.ends, [kernel.at(4)]);
    }
    // In place, over two stages: one accumulator; the first wait leaves its group in flight.
    let text = format!(
        "{FENCE}{}{COMMIT}ori.wgmma.wait <count = 1> : () -> ()\n{FENCE}{}{COMMIT}{WAIT}{}",
        product("%p", 8, ""),
        product("%q", 8, "%p"),
        store("%q", 4),
    );
    let kernel = Kernel::of("", &text);
    let registers = kernel.registers();
    let [range] = registers.live_ranges() else {
        panic!("one accumulator: {:?}", registers.live_ranges());
    };
    assert_eq!(range.starts, [kernel.at(0), kernel.at(4)]);
    assert_eq!(range.ends, [kernel.at(7)]);
}

#[test]
fn a_number_that_is_asked_for_counts_all_accumulators() {
    // The second product starts when the first accumulator is stored: 4 live, 8 are needed in all.
    let stage = |name: &str| {
        let rest = format!("{COMMIT}{WAIT}{}", store(name, 4));
        format!("{FENCE}{}{rest}", product(name, 8, ""))
    };
    let text = stage("%p") + &stage("%q");
    let kernel = Kernel::of("", &text);
    let registers = kernel.registers();
    let free = kernel.limit(None);
    assert_eq!((free.registers, free.is_asked), (255, false));
    assert_eq!(registers.together(free), 4);
    let asked = kernel.limit(Some(33));
    assert_eq!((asked.registers, asked.is_asked), (33, true));
    assert_eq!(registers.together(asked), 8);
    let short = registers.check(asked).expect_err("24 + 8 + 2 are needed");
    assert_eq!(
        (short, short.code()),
        (Shortage::Function(kernel.at(1)), 7512)
    );
    assert_eq!(registers.check(kernel.limit(Some(34))), Ok(()));
    // 512 threads have 128 registers each, and the option yields to them.
    let kernel = Kernel::of("max_threads = array<i32: 512>", &text);
    let limit = kernel.limit(Some(40));
    assert_eq!((limit.registers, limit.is_asked), (128, false));
    // Four such CTAs are all the threads of a multiprocessor; five are ignored.
    for (ctas, expected) in [(4, (32, true)), (5, (128, false))] {
        let header = format!("max_threads = array<i32: 512>, min_ctas = {ctas} : i32");
        let limit = Kernel::of(&header, &text).limit(None);
        assert_eq!((limit.registers, limit.is_asked), expected);
    }
}

#[test]
fn stages_that_do_not_fit_fit_serialized() {
    let products = product("%p", 256, "") + &product("%q", 256, "");
    let rest = format!("{COMMIT}{WAIT}{}{}", store("%p", 128), store("%q", 128));
    let mut kernel = Kernel::of("", &format!("{FENCE}{products}{rest}"));
    let limit = kernel.limit(None);
    let short = kernel.registers().check(limit);
    let short = short.expect_err("256 registers and 2 are needed");
    assert_eq!((short, short.code()), (Shortage::Stage(kernel.at(4)), 7511));
    kernel.run("ori-fixup-gmma-sequence");
    let registers = kernel.registers();
    let stages = registers.stages().iter();
    assert!(stages.clone().all(|stage| stage.registers == 128));
    // Of each product, the arrive and the wait.
    assert_eq!(stages.count(), 4);
    assert_eq!(registers.check_stages(limit), Ok(()));
}

#[test]
fn a_permuted_accumulator_must_be_copied() {
    let words: String = (0..4)
        .map(|word| format!("%e{word} = ori.extract %p[{word}] : (!ori.acc<4>) -> !ori.r\n"))
        .collect();
    let whole = "%c = ori.concat %e1, %e0, %e3, %e2 : (!ori.r, !ori.r, !ori.r, !ori.r) -> \
                 !ori.acc<4>\n";
    let text = format!(
        "{FENCE}{}{words}{whole}{}{COMMIT}{WAIT}{}",
        product("%p", 8, ""),
        product("%q", 8, "%c"),
        store("%q", 4),
    );
    let kernel = Kernel::of("", &text);
    let short = kernel.registers().check(kernel.limit(None));
    assert_eq!(short, Err(Shortage::Overlap));
    assert_eq!(short.map_err(Shortage::code), Err(7511));
}

#[test]
fn a_function_without_products_needs_nothing() {
    let kernel = Kernel::of("", "");
    let registers = kernel.registers();
    assert!(registers.largest().is_none());
    assert_eq!(registers.check(kernel.limit(Some(1))), Ok(()));
}
