//! The examples, scheduled and materialized, keep their behaviour in every order.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use orison_interpret::tile::kernel::{Argument, Launch};

use crate::harness::{Program, shrunk};

/// Runs of each example and driver.
const RUNS: u64 = 300;
/// Those of the campaign.
const CAMPAIGN: u64 = 1_000;

pub struct Example {
    pub name: &'static str,
    pub function: &'static str,
    pub text: &'static str,
    /// A launch with this many tiles along each axis.
    pub launch: fn(usize) -> Launch,
}

impl Example {
    /// The example with small tiles.
    pub fn text(&self) -> String {
        shrunk(self.text, 8, 8)
    }

    pub fn launch(&self) -> Launch {
        (self.launch)(Launch::default().tiles)
    }

    /// Launches with more iterations than overlap, and with fewer.
    pub fn launches(&self) -> Vec<Launch> {
        [4, 9, 1, 2].map(self.launch).to_vec()
    }
}

macro_rules! example {
    ($name:literal, $function:literal, $launch:expr) => {
        Example {
            name: $name,
            function: $function,
            text: include_str!(concat!("../../../../examples/", $name, ".mlir")),
            launch: $launch,
        }
    };
}

/// All examples with arguments for their small forms.
pub const EXAMPLES: &[Example] = &[
    example!("gemm", "gemm", |tiles| on_grid([2, 1, 1], tiles)),
    example!("attention", "attention", one_block),
    example!("attention-causal", "attention_causal", causal),
    example!("attention-backward", "attention_backward", one_block),
    example!("gemm-epilogue", "gemm_bias_relu", one_block),
    example!("persistent-gemm", "gemm_relu", persistent),
    example!("split-k", "gemm_split_k", split_k),
    example!("two-gemms", "two_gemms", one_block),
    example!("grouped-gemm", "grouped_gemm", grouped),
    example!("layer-norm", "layer_norm", one_block),
    example!("convolution", "convolution", convolution),
    example!("tcgen05-gemm", "tcgen05_gemm", one_block),
];

fn one_block(tiles: usize) -> Launch {
    on_grid([1, 1, 1], tiles)
}

/// A grid, of which only the blocks that have tiles are launched.
fn on_grid(grid: [i64; 3], tiles: usize) -> Launch {
    let most = i64::try_from(tiles).expect("few tiles");
    Launch {
        grid: grid.map(|blocks| blocks.min(most)),
        tiles,
        ..Launch::default()
    }
}

/// Block `n` has `n + 1` iterations.
fn causal(tiles: usize) -> Launch {
    on_grid([i64::MAX, 1, 1], tiles)
}

/// One tile of D less than two columns have, for two programs; of seven tiles, four for one, three for the
/// other.
fn persistent(tiles: usize) -> Launch {
    let launch = on_grid([2, 1, 1], tiles);
    let rows = i64::try_from(tiles).expect("few tiles");
    let [programs, ..] = launch.grid;
    let columns = programs;
    let arguments = [rows, columns * rows - (columns - 1), programs, columns];
    let arguments = arguments.map(|number| Some(Argument::Number(number)));
    Launch {
        arguments: [None, None, None].into_iter().chain(arguments).collect(),
        ..launch
    }
}

/// An odd number of tiles of K for two blocks: of nine tiles, five for one, four for the other.
fn split_k(tiles: usize) -> Launch {
    let tiles = 2 * tiles + 1;
    let count = i64::try_from(tiles).expect("few tiles");
    let arguments = vec![
        None,
        None,
        None,
        Some(Argument::Number(count)),
        Some(Argument::Number(2)),
    ];
    Launch {
        arguments,
        ..on_grid([1, 1, 2], tiles)
    }
}

/// `tiles` along K. The experts of the tiles of rows are 2 and 0, of four.
fn grouped(tiles: usize) -> Launch {
    let experts = Argument::Numbers {
        shape: vec![4],
        values: vec![2.0, 0.0, 3.0, 3.0],
    };
    let count = i64::try_from(tiles).expect("few tiles");
    let arguments = vec![
        None,
        None,
        None,
        Some(experts),
        Some(Argument::Number(count)),
    ];
    Launch {
        arguments,
        ..on_grid([2, 1, 1], tiles.max(4))
    }
}

/// Two rows of 16 pixels, filters of 2 x 2, half as many tiles of 8 channels as `tiles`: an input of 3 x
/// 17 pixels. With one tile the filter has one row.
fn convolution(tiles: usize) -> Launch {
    let (rows, channels) = (tiles.min(2), tiles.div_ceil(2) * 8);
    let number = |value: usize| Some(Argument::Number(i64::try_from(value).expect("few tiles")));
    let arguments = vec![
        Some(Argument::Random(vec![3 * 17 * channels])),
        Some(Argument::Random(vec![16, rows * 2 * channels])),
        Some(Argument::Random(vec![2, 16, 16])),
        number(2),
        number(16),
        number(rows),
        number(2),
        number(channels / 8),
        number(17 * channels),
        number(channels),
    ];
    Launch {
        arguments,
        ..on_grid([2, 1, 1], 2)
    }
}

/// The ways to materialize a schedule: agents, agents that execute one iteration after the other, and
/// one agent that prefetches.
pub const DRIVERS: &[(&str, &str)] = &[
    ("agents", "tileas-materialize-schedule"),
    ("in turn", "tileas-materialize-schedule{rotate=false}"),
    ("one agent", "tileas-materialize-schedule{use-aus=true}"),
];

/// An example, scheduled and materialized for the machine of its kernel.
pub fn materialized(example: &Example, pass: &str) -> Result<Program, String> {
    materialized_on("auto", example, pass)
}

fn materialized_on(machine: &str, example: &Example, pass: &str) -> Result<Program, String> {
    let (pass, options) = match pass.split_once('{') {
        Some((pass, options)) => (pass, options.trim_end_matches('}')),
        None => (pass, ""),
    };
    let pipeline = format!(
        "builtin.module(tileas-generate-schedule{{machine={machine}}},tileas-verify-schedule{{machine={machine}}},{pass}{{machine={machine} {options}}})"
    );
    let after = Program::parse(example.name, &example.text())?.transformed(&pipeline)?;
    if after.text().contains("create_pipeline") {
        Ok(after)
    } else {
        Err("nothing was materialized".to_owned())
    }
}

/// Runs each example in each form in so many orders on a machine, with more iterations than overlap and with
/// fewer.
fn check_orders(machine: &str, orders: u64) {
    let mut report = String::new();
    let mut failures = Vec::new();
    for example in EXAMPLES {
        let before =
            Program::parse(example.name, &example.text()).expect("the example is well-formed");
        let run = |launch: Launch| {
            let memory = before.run(example.function, &launch, 0);
            let memory = memory.unwrap_or_else(|errors| panic!("{}: {errors}", example.name));
            (launch, memory)
        };
        let expected: Vec<_> = example.launches().into_iter().map(run).collect();
        let runs = orders / u64::try_from(expected.len()).expect("a few launches");
        let mut known = BTreeSet::new();
        for (driver, pass) in DRIVERS {
            let start = std::time::Instant::now();
            let different = materialized_on(machine, example, pass).and_then(|after| {
                // Some forms give the same agents.
                if !known.insert(after.text()) {
                    return Ok(None);
                }
                let mut different = 0;
                for (launch, memory) in &expected {
                    different += after
                        .interleave(example.function, launch, memory, runs)?
                        .different;
                }
                Ok(Some(different))
            });
            match different {
                Ok(None) => {}
                Ok(Some(different)) => writeln!(
                    report,
                    "{:18} {driver:9} {orders} runs, {different} different orders, {:.2?}",
                    example.name,
                    start.elapsed()
                )
                .expect("a string"),
                Err(errors) => failures.push(format!("{} ({driver}): {errors}", example.name)),
            }
        }
    }
    println!("{machine}\n{report}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn examples_do_what_they_did_in_many_orders_on_hopper() {
    check_orders("hopper", RUNS);
}

#[test]
fn examples_do_what_they_did_in_many_orders_on_blackwell() {
    check_orders("blackwell", RUNS);
}

#[test]
#[ignore = "the whole campaign takes minutes"]
fn examples_do_what_they_did_in_1000_orders() {
    check_orders("hopper", CAMPAIGN);
    check_orders("blackwell", CAMPAIGN);
}
