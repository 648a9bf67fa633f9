//! The examples, scheduled and materialized, keep their behaviour in every order.

use std::fmt::Write as _;

use orison_interpret::tile::kernel::{Argument, Launch};

use crate::harness::{Program, shrunk};

/// Runs of each example and driver.
const RUNS: u64 = 1_000;

pub struct Example {
    pub name: &'static str,
    pub function: &'static str,
    text: &'static str,
    launch: fn() -> Launch,
}

impl Example {
    /// The example with small tiles.
    pub fn text(&self) -> String {
        shrunk(self.text, 8, 8)
    }

    pub fn launch(&self) -> Launch {
        (self.launch)()
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
    example!("gemm", "gemm", || on_grid([2, 1, 1])),
    example!("attention", "attention", Launch::default),
    example!("attention-causal", "attention_causal", || on_grid([
        4, 1, 1
    ])),
    example!("attention-backward", "attention_backward", Launch::default),
    example!("gemm-epilogue", "gemm_bias_relu", Launch::default),
    example!("persistent-gemm", "gemm_relu", persistent),
    example!("split-k", "gemm_split_k", split_k),
    example!("two-gemms", "two_gemms", Launch::default),
    example!("grouped-gemm", "grouped_gemm", grouped),
    example!("layer-norm", "layer_norm", Launch::default),
    example!("convolution", "convolution", convolution),
    example!("tcgen05-gemm", "tcgen05_gemm", Launch::default),
];

fn on_grid(grid: [i64; 3]) -> Launch {
    Launch {
        grid,
        ..Launch::default()
    }
}

/// Seven tiles of D, two in a row, for two programs: four for one, three for the other.
fn persistent() -> Launch {
    let arguments = [4, 7, 2, 2].map(|number| Some(Argument::Number(number)));
    Launch {
        arguments: [None, None, None].into_iter().chain(arguments).collect(),
        ..on_grid([2, 1, 1])
    }
}

/// Nine tiles of K for two blocks: five for one, four for the other.
fn split_k() -> Launch {
    let arguments = vec![
        None,
        None,
        None,
        Some(Argument::Number(9)),
        Some(Argument::Number(2)),
    ];
    Launch {
        arguments,
        tiles: 9,
        ..on_grid([1, 1, 2])
    }
}

fn grouped() -> Launch {
    let experts = Argument::Numbers {
        shape: vec![4],
        values: vec![2.0, 0.0, 3.0, 3.0],
    };
    let arguments = vec![None, None, None, Some(experts)];
    Launch {
        arguments,
        ..on_grid([2, 1, 1])
    }
}

/// Two rows of 16 pixels, filters of 2 x 2, 16 channels in two tiles: an input of 3 x 17 pixels.
fn convolution() -> Launch {
    let number = |value| Some(Argument::Number(value));
    let arguments = vec![
        Some(Argument::Random(vec![3 * 17 * 16])),
        Some(Argument::Random(vec![16, 2 * 2 * 16])),
        Some(Argument::Random(vec![2, 16, 16])),
        number(2),
        number(16),
        number(2),
        number(2),
        number(2),
        number(17 * 16),
        number(16),
    ];
    Launch {
        arguments,
        ..on_grid([2, 1, 1])
    }
}

/// The two ways to materialize a schedule: agents, and one agent that prefetches.
pub const DRIVERS: &[(&str, &str)] = &[
    ("agents", "tileas-materialize-schedule"),
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

/// Runs each example, with agents and with one agent, in 1,000 orders on a machine.
fn check_orders(machine: &str) {
    let mut report = String::new();
    let mut failures = Vec::new();
    for example in EXAMPLES {
        let launch = example.launch();
        let before =
            Program::parse(example.name, &example.text()).expect("the example is well-formed");
        let expected = before
            .run(example.function, &launch, 0)
            .unwrap_or_else(|errors| panic!("{}: {errors}", example.name));
        for (driver, pass) in DRIVERS {
            let start = std::time::Instant::now();
            let found = materialized_on(machine, example, pass)
                .and_then(|after| after.interleave(example.function, &launch, &expected, RUNS));
            match found {
                Ok(found) => writeln!(
                    report,
                    "{:18} {driver:9} {} runs, {} different orders, {:.2?}",
                    example.name,
                    found.runs,
                    found.different,
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
fn examples_do_what_they_did_in_1000_orders_on_hopper() {
    check_orders("hopper");
}

#[test]
fn examples_do_what_they_did_in_1000_orders_on_blackwell() {
    check_orders("blackwell");
}
