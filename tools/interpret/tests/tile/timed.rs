//! Timed runs: timelines computed by hand, and what holds for every program.
//!
//! In the kernels below, every cost is an attribute, so expected cycles follow from the text alone:
//! a producer that takes `fill` cycles for a stage, a consumer that takes `drain`, and barriers with
//! latencies for acquire, commit, wait and release.

use orison_interpret::tile::kernel::{Argument, Inputs, Kernel, Launch};
use orison_interpret::tile::timed::{LoopTimes, Record, Wait, check_intervals};
use orison_schedule::machine::MachineModel;

use crate::examples::EXAMPLES;
use crate::generator::rich;
use crate::harness::Program;
use crate::random_loops;

/// Times a kernel on Hopper's units.
fn timed(program: &Program, function: &str, launch: &Launch) -> Record {
    timed_on(MachineModel::hopper(), program, function, launch)
}

pub fn timed_on(
    machine: &MachineModel,
    program: &Program,
    function: &str,
    launch: &Launch,
) -> Record {
    let interpreter = program.interpreter();
    let kernel = Kernel {
        interpreter: &interpreter,
        function,
    };
    let record = Inputs::new(&interpreter, function, launch)
        .and_then(|inputs| kernel.timed(&inputs, launch, machine));
    record.unwrap_or_else(|failure| panic!("{}", failure.render(&program.context)))
}

/// A ring between a producer and a consumer.
#[derive(Clone, Copy)]
struct Ring {
    slots: u32,
    fill: u32,
    drain: u32,
    /// Latencies of acquire, commit, wait and release.
    barriers: [u32; 4],
}

const FREE: [u32; 4] = [0; 4];

impl Ring {
    fn text(&self) -> String {
        let Ring {
            slots,
            fill,
            drain,
            barriers: [acquire, commit, wait, release],
        } = self;
        format!(
            r#"
nv_tileaa.func @f(%n: index) attributes {{nv_tileaa.kernel_spec = {{numWarps = 8 : i32}}}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = nv_tileas.async.pipeline.create_pipeline {{numStages = {slots} : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4xf32>], tileas.schedule.latency = 0 : i32}}
  %ip = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ic = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.agent_switch(%p, %ip, %ic : !nv_tileas.pipeline, !nv_tileas.iter<producer>, !nv_tileas.iter<consumer>) attributes {{agent_strides = array<i32: 1, 1>, isolated = false, max_regs = array<i32: 40, 232>, num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>}} {{
    %x = arith.constant dense<1.0> : tensor<4xf32>
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%it = %ip) -> (!nv_tileas.iter<producer>) {{
      %own = nv_tileas.async.pipeline.producer_acquire %p, %it {{tileas.schedule.latency = {acquire} : i32}} : !nv_tileas.iter<producer>
      %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<4xf32>] {{
      ^bb0(%s: tensor<4xf32>):
        nv_tileas.copy %x to %s {{atom = #nv_tileas.atom<"sts">, tileas.schedule.latency = {fill} : i32, tileas.schedule.resources = [array<i32: 16, {fill}, 1>]}} : tensor<4xf32> to tensor<4xf32>
        nv_tileas.async.pipeline.yield
      }}
      nv_tileas.async.pipeline.producer_commit %p, %full {{tileas.schedule.latency = {commit} : i32}}
      %next = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<producer>
      scf.yield %next : !nv_tileas.iter<producer>
    }} {{tileas.schedule.interval = 10 : i32}}
    nv_tileas.async.pipeline.yield
  }}, {{
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%it = %ic) -> (!nv_tileas.iter<consumer>) {{
      %ready = nv_tileas.async.pipeline.consumer_wait %p, %it {{tileas.schedule.latency = {wait} : i32}} : !nv_tileas.iter<consumer>
      %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<4xf32>] {{
      ^bb0(%s: tensor<4xf32>):
        %y = arith.addf %s, %s {{tileas.schedule.latency = {drain} : i32, tileas.schedule.resources = [array<i32: 4, {drain}, 1>]}} : tensor<4xf32>
        nv_tileas.async.pipeline.yield
      }}
      nv_tileas.async.pipeline.consumer_release %p, %read {{tileas.schedule.latency = {release} : i32}}
      %next = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<consumer>
      scf.yield %next : !nv_tileas.iter<consumer>
    }} {{tileas.schedule.interval = 10 : i32}}
    nv_tileas.async.pipeline.yield
  }}
  nv_tileaa.return
}}
"#
        )
    }

    fn program(&self) -> Program {
        let program = Program::parse("ring", &self.text());
        program.unwrap_or_else(|errors| panic!("{errors}\n{}", self.text()))
    }

    fn record(&self, iterations: i64) -> (Program, Record) {
        let program = self.program();
        let record = repeated(&program, iterations);
        (program, record)
    }

    /// Cycles an iteration in the producer and in the consumer.
    fn intervals(&self) -> Vec<f64> {
        intervals_of(&self.program())
    }
}

fn repeated(program: &Program, iterations: i64) -> Record {
    let launch = Launch {
        arguments: vec![Some(Argument::Number(iterations))],
        ..Launch::default()
    };
    timed(program, "f", &launch)
}

/// Cycles an iteration of each loop.
fn intervals_of(program: &Program) -> Vec<f64> {
    let record = repeated(program, 24);
    let intervals = record.loops.iter().map(LoopTimes::interval);
    intervals.collect::<Option<_>>().expect("enough iterations")
}

/// Without barrier latencies: one slot alternates between the sides, two let both work at once.
#[test]
fn the_slower_side_bounds_a_ring_of_two_slots() {
    for (fill, drain) in [(10, 4), (4, 10), (7, 7)] {
        let ring = |slots| Ring {
            slots,
            fill,
            drain,
            barriers: FREE,
        };
        let both = f64::from(fill + drain);
        let slower = f64::from(fill.max(drain));
        assert_eq!(ring(1).intervals(), [both, both], "{fill} {drain}");
        assert_eq!(ring(2).intervals(), [slower, slower], "{fill} {drain}");
        assert_eq!(ring(3).intervals(), [slower, slower], "{fill} {drain}");
    }
}

/// A round of a slot takes 1 + 10 + 2 + 3 + 4 + 4 = 24 cycles: acquire, fill, commit, wait, drain,
/// release. The producer takes 11 of its own: acquire and fill.
#[test]
fn barrier_latencies_are_in_the_round_of_a_slot() {
    let ring = |slots| Ring {
        slots,
        fill: 10,
        drain: 4,
        barriers: [1, 2, 3, 4],
    };
    assert_eq!(ring(1).intervals(), [24.0, 24.0]);
    assert_eq!(ring(2).intervals(), [12.0, 12.0]);
    assert_eq!(ring(3).intervals(), [11.0, 11.0]);
}

/// A region that hands its stage over ends after the copy into the stage, also where operations that
/// take no time follow it.
#[test]
fn a_stage_is_handed_over_when_it_is_filled() {
    let ring = Ring {
        slots: 1,
        fill: 10,
        drain: 4,
        barriers: FREE,
    };
    let text = ring.text();
    let (start, rest) = text.split_once("      %own = ").expect("an acquire");
    let (produced, rest) = rest
        .split_once("        nv_tileas.async.pipeline.yield")
        .expect("a region");
    let (_, region) = produced.split_once("{\n      ^bb0").expect("a block");
    let (_, rest) = rest
        .split_once("      %next")
        .expect("the end of the iteration");
    let text = format!(
        "{start}      %w = nv_tileas.async.pipeline.produce_one %p, %it payload [tensor<4xf32>] : !nv_tileas.iter<producer> attributes {{tileas.schedule.latency = 0 : i32}} {{
      ^bb0{region}        %free = arith.constant 1 : index
        nv_tileas.async.pipeline.yield
      }}
      %next{rest}"
    );
    let program = Program::parse("ring", &text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    assert_eq!(intervals_of(&program), [14.0, 14.0]);
}

/// Three iterations with one slot, fill 10 and drain 4: filled at 10, 24 and 38, drained at 42. The
/// consumer waits from 0, 14 and 28 for 10 cycles each, the producer twice for 4.
#[test]
fn waits_are_counted_where_they_happen() {
    let ring = Ring {
        slots: 1,
        fill: 10,
        drain: 4,
        barriers: FREE,
    };
    let (_, record) = ring.record(3);
    assert_eq!(record.cycles, 42);
    let waits = record.waits.iter();
    let stages: Vec<(usize, &Wait, u64)> = waits
        .filter(|wait| matches!(wait.wait, Wait::FreeStage | Wait::FullStage))
        .map(|wait| (wait.agent, &wait.wait, wait.cycles))
        .collect();
    assert_eq!(
        stages,
        [(2, &Wait::FullStage, 30), (1, &Wait::FreeStage, 8)]
    );
    let busy = |name: &str| {
        let unit = record.units.iter().find(|unit| unit.name == name);
        unit.map(|unit| unit.busy)
    };
    assert_eq!(busy("tp_smem_wr"), Some(30));
    assert_eq!(busy("fp32x2_fp16ultra"), Some(12));
    // Three iterations have no steady state.
    assert!(record.loops.iter().all(|times| times.interval().is_none()));
}

/// A kernel with one agent, or two that share nothing but the machine's units.
fn loops(bodies: &[&str]) -> String {
    let agents = bodies.iter().map(|body| {
        format!(
            "{{
    %x = arith.constant dense<1.0> : tensor<4xf32>
    scf.for %i = %c0 to %n step %c1 {{
{body}
    }}
    nv_tileas.async.pipeline.yield
  }}"
        )
    });
    let agents: Vec<String> = agents.collect();
    let list = |each: fn(usize) -> usize| {
        let numbers: Vec<String> = (0..bodies.len()).map(|n| each(n).to_string()).collect();
        format!("array<i32: {}>", numbers.join(", "))
    };
    format!(
        "nv_tileaa.func @f(%n: index) attributes {{nv_tileaa.kernel_spec = {{numWarps = 16 : i32}}}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  nv_tileas.async.pipeline.agent_switch attributes {{agent_strides = {}, isolated = false, max_regs = {}, num_agents_per_group = 1 : i32, num_warps = {}, warp_id = {}}} {}
  nv_tileaa.return
}}",
        list(|_| 1),
        list(|_| 40),
        list(|_| 4),
        list(|n| 4 * n),
        agents.join(", ")
    )
}

/// An operation with this latency that holds a slot for this long.
fn op(result: &str, operand: &str, latency: u32, slot: u32, hold: u32) -> String {
    format!(
        "      %{result} = arith.addf %{operand}, %{operand} {{tileas.schedule.latency = {latency} : i32, tileas.schedule.resources = [array<i32: {slot}, {hold}, 1>]}} : tensor<4xf32>\n"
    )
}

fn interval_of(bodies: &[&str]) -> Vec<f64> {
    let text = loops(bodies);
    let program = Program::parse("loops", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    intervals_of(&program)
}

#[test]
fn agents_share_the_units() {
    let (first, second) = (op("y", "x", 5, 4, 5), op("y", "x", 5, 5, 5));
    assert_eq!(interval_of(&[&first]), [5.0]);
    assert_eq!(interval_of(&[&first, &second]), [5.0, 5.0]);
    assert_eq!(interval_of(&[&first, &first]), [10.0, 10.0]);
    assert_eq!(interval_of(&[&first, &first, &first]), [15.0; 3]);
    // Among agents that wait, the one that has waited longest is next: none is left behind.
    let short = op("y", "x", 1, 4, 1);
    assert_eq!(interval_of(&[&first, &short]), [6.0, 6.0]);
}

/// A chain waits for operands: 5 + 3 cycles. Independent operations on other slots start in the same
/// cycle, so only the slot bounds them.
#[test]
fn operations_wait_for_operands_in_order() {
    let chain = op("y", "x", 5, 4, 1) + &op("z", "y", 3, 5, 1);
    // The next iteration starts when the last operation has started, five cycles after the first.
    assert_eq!(interval_of(&[&chain]), [5.0]);
    let apart = op("y", "x", 5, 4, 2) + &op("z", "x", 3, 5, 1);
    assert_eq!(interval_of(&[&apart]), [2.0]);
    // In order: what follows an operation that waits does not overtake it.
    let behind = chain + &op("w", "x", 1, 6, 1);
    assert_eq!(interval_of(&[&behind]), [5.0]);
}

/// A product on the tensor cores holds its agent for its latency of 16; in the asynchronous form
/// the agent works until it waits.
#[test]
fn synchronous_products_hold_their_agent() {
    let types = "tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32> -> tensor<16x16xf32>";
    let tiles = "      %a = arith.constant dense<1.0> : tensor<16x16xf16>
      %c = arith.constant dense<1.0> : tensor<16x16xf32>\n";
    let cost =
        "tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 11, 8, 1>]";
    let atom = "atom = #nv_tileas.atom<\"wgmma_m64n16k16_f32_f16_f16\">";
    let after = op("y", "x", 10, 4, 10) + &op("z", "y", 1, 5, 1);
    let product =
        format!("{tiles}      %d = nv_tileas.dot %a, %a, %c {{{atom}, {cost}}} : {types}\n");
    assert_eq!(interval_of(&[&product]), [16.0]);
    // 16 for the product, 10 until the operand of the last operation is available.
    assert_eq!(interval_of(&[&(product + &after)]), [26.0]);
    let asynchronous = format!(
        "{tiles}      %d:2 = nv_tileas.async.dot %a, %a, %c {{{atom}, {cost}}} : {types}\n{after}      nv_tileas.async.wait %d#1 {{tileas.schedule.latency = 0 : i32}}\n"
    );
    assert_eq!(interval_of(&[&asynchronous]), [16.0]);
}

#[test]
fn the_certificate_compares_with_the_schedule() {
    let ring = |fill, drain| {
        Ring {
            slots: 2,
            fill,
            drain,
            barriers: FREE,
        }
        .record(24)
    };
    let (program, kept) = ring(10, 4);
    assert_eq!(check_intervals(&program.context, &kept, 0.0), Ok(()));
    let (program, slow) = ring(4, 11);
    assert_eq!(check_intervals(&program.context, &slow, 10.5), Ok(()));
    let errors = check_intervals(&program.context, &slow, 2.0).expect_err("11 is not 10");
    let expected = "an iteration takes 11.00 cycles in agent 1, 10.0% more than the 10 scheduled";
    assert!(errors.contains(expected), "{errors}");
    let (program, fast) = ring(4, 8);
    let errors = check_intervals(&program.context, &fast, 2.0).expect_err("8 is not 10");
    assert!(
        errors.contains("20.0% less than the 10 scheduled"),
        "{errors}"
    );
    let (program, short) = Ring {
        slots: 2,
        fill: 1,
        drain: 1,
        barriers: FREE,
    }
    .record(3);
    let errors = check_intervals(&program.context, &short, 2.0).expect_err("too short");
    assert!(errors.contains("are too few to measure"), "{errors}");
}

/// What holds for every run: it is deterministic, takes at least as long as its busiest unit is
/// held, and no agent waits longer than it lives. Returns it.
fn check_bounds(
    name: &str,
    machine: &MachineModel,
    program: &Program,
    function: &str,
    launch: &Launch,
) -> Record {
    let record = timed_on(machine, program, function, launch);
    let busiest = record.units.iter().map(|unit| unit.busy).max();
    // A unit may be held after the result of its last operation is available.
    let slack = 8192;
    assert!(
        busiest.unwrap_or(0) <= record.cycles + slack,
        "{name}: {record:?}"
    );
    for agent in &record.agents {
        assert!(
            agent.waiting <= agent.end - agent.start,
            "{name}: {agent:?}"
        );
        assert!(agent.end <= record.cycles, "{name}: {agent:?}");
    }
    let again = timed_on(machine, program, function, launch);
    assert_eq!(
        (record.cycles, &record.waits),
        (again.cycles, &again.waits),
        "{name}"
    );
    record
}

/// Every example on a machine, before materialization, with agents and with one agent:
///
/// * An interval that is proven minimal is not executed in fewer cycles: the timed run obeys the
///   dependences and units that the proof is about, with costs from the same rows.
/// * Materialization makes no kernel slower: before it each operation of an iteration is waited for.
/// * Iterations that overlap inside agents take no more cycles than those that do not.
fn check_examples(name: &str, machine: &MachineModel) {
    let mut measured = 0;
    for example in EXAMPLES {
        let mut launch = example.launch();
        if launch.arguments.is_empty() {
            launch.tiles = 16;
        }
        let before = Program::parse(example.name, &example.text()).expect("well-formed");
        let alone = check_bounds(example.name, machine, &before, example.function, &launch);
        let scheduled = Program::parse(example.name, &example.text()).expect("well-formed");
        let generate = format!("builtin.module(tileas-generate-schedule{{machine={name}}})");
        let scheduled = scheduled.transformed(&generate).expect("a schedule").text();
        let proven = !scheduled.contains("proven = false");
        let mut longest = Vec::new();
        for (driver, option) in [
            ("agents", "rotate=true"),
            ("in turn", "rotate=false"),
            ("one agent", "use-aus=true"),
        ] {
            let place = format!("{} ({driver}, {name})", example.name);
            let pipeline =
                format!("builtin.module(tileas-materialize-schedule{{machine={name} {option}}})");
            let after = Program::parse(example.name, &scheduled).expect("it was printed");
            let after = after.transformed(&pipeline);
            let after = after.unwrap_or_else(|errors| panic!("{place}: {errors}"));
            let record = check_bounds(&place, machine, &after, example.function, &launch);
            assert!(
                record.cycles <= alone.cycles,
                "{place}: {} cycles, before {}",
                record.cycles,
                alone.cycles
            );
            longest.push(longest_interval(&record));
            for ratio in record.loops.iter().filter_map(LoopTimes::ratio) {
                measured += 1;
                assert!(!proven || ratio > 0.99, "{place}: {ratio}");
            }
        }
        let place = format!("{} ({name})", example.name);
        assert!(longest[0] <= longest[1], "{place}: {longest:?}");
    }
    // Two agents and one agent of most examples have enough iterations.
    assert!(measured >= 3 * EXAMPLES.len(), "{measured}");
}

/// The most cycles of an iteration in an agent; none if there are too few iterations.
fn longest_interval(record: &Record) -> f64 {
    let intervals = record.loops.iter().filter_map(LoopTimes::interval);
    intervals.fold(0.0, f64::max)
}

#[test]
fn examples_take_their_time_on_hopper() {
    check_examples("hopper", MachineModel::hopper());
}

#[test]
fn examples_take_their_time_on_blackwell() {
    check_examples("blackwell", MachineModel::blackwell());
}

#[test]
fn random_kernels_keep_the_bounds() {
    for seed in 0..10 {
        let program = Program::parse("random", &rich(seed)).expect("well-formed");
        let pipeline = "builtin.module(tileas-generate-schedule{exact-work=100000},tileas-materialize-schedule)";
        if let Ok(program) = program.transformed(pipeline) {
            let launch = random_loops::launch();
            check_bounds("random", MachineModel::hopper(), &program, "f", &launch);
        }
    }
}
