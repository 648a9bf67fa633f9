//! Intervals, bounds, work and time on random loops of several families:
//! `cargo bench -p orison-schedule --bench intervals -- --sizes=60,100 --seeds=3`.
//!
//! `--read=FILE` schedules the loops of a file instead, and `--write=FILE` writes loops and schedules
//! for `tools/judge-intervals`, a line of JSON for each. The form is that of
//! `tests/modulo/loops.jsonl`, with `gid`, `depth` and `pools` on nodes.

#[path = "../tests/common/mod.rs"]
mod common;

use std::fmt::Write as _;
use std::time::Instant;

use common::families::Family;
use orison_schedule::check::{Claim, check_schedule};
use orison_schedule::modulo::{
    DependenceGraph, Schedule, SchedulingOptions, SearchLimit, schedule_loop,
};
use serde_json::{Value, json};

/// What the command line asks for.
struct Request {
    families: Vec<Family>,
    sizes: Vec<u32>,
    seeds: u64,
    first_seed: u64,
    options: SchedulingOptions,
    read: Option<String>,
    write: Option<String>,
}

impl Request {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut request = Self {
            families: Family::ALL.to_vec(),
            sizes: vec![60, 100, 200, 400, 800, 1600],
            seeds: 1,
            first_seed: 1,
            options: SchedulingOptions::default(),
            read: None,
            write: None,
        };
        // `cargo bench` adds `--bench`.
        for argument in arguments.filter(|argument| argument != "--bench") {
            let (name, value) = argument.split_once('=').unwrap_or((&argument, ""));
            let number = |text: &str| {
                text.parse::<u64>()
                    .map_err(|_| format!("{name}: not a number: '{text}'"))
            };
            match name {
                "--families" => {
                    request.families = value.split(',').map(family).collect::<Result<_, _>>()?;
                }
                "--sizes" => {
                    let sizes = value
                        .split(',')
                        .map(|size| number(size).map(|size| size.max(2) as u32));
                    request.sizes = sizes.collect::<Result<_, _>>()?;
                }
                "--seeds" => request.seeds = number(value)?,
                "--first-seed" => request.first_seed = number(value)?,
                "--exact-work" => request.options.exact_work = number(value)?,
                "--ejection-work" => request.options.ejection_work = number(value)?,
                "--read" => request.read = Some(value.to_owned()),
                "--write" => request.write = Some(value.to_owned()),
                _ => return Err(format!("unknown option '{argument}'")),
            }
        }
        Ok(request)
    }

    /// The loops with their names and the best interval known.
    fn loops(&self) -> Result<Vec<(String, DependenceGraph, Option<u32>)>, String> {
        if let Some(path) = &self.read {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            let known = text.lines().map(common::known_loop);
            return Ok(known
                .map(|known| (known.name, known.graph, Some(known.optimal_interval)))
                .collect());
        }
        let mut loops = Vec::new();
        for &family in &self.families {
            for &size in &self.sizes {
                for seed in self.first_seed..self.first_seed + self.seeds {
                    let name = format!("{}-{size}-{seed}", family.name());
                    loops.push((name, family.generate(seed, size), None));
                }
            }
        }
        Ok(loops)
    }
}

fn family(name: &str) -> Result<Family, String> {
    let mut all = Family::ALL.into_iter();
    all.find(|family| family.name() == name)
        .ok_or_else(|| format!("unknown family '{name}'"))
}

/// A loop and its schedule as a line of JSON.
fn line(name: &str, graph: &DependenceGraph, schedule: &Schedule) -> Value {
    let nodes = graph.nodes().iter().map(|node| {
        let uses: Vec<_> = node
            .uses
            .iter()
            .map(|hold| (hold.slot, hold.duration))
            .collect();
        let pools: Vec<_> = node
            .pools
            .iter()
            .map(|share| (share.pool, share.count))
            .collect();
        json!({
            "name": node.name, "latency": node.latency, "uses": uses, "pools": pools,
            "gid": node.constraints.group, "depth": node.constraints.max_depth,
        })
    });
    let nodes: Vec<Value> = nodes.collect();
    let edges = graph.edges().iter();
    let edges: Vec<_> = edges
        .map(|edge| (edge.from, edge.to, edge.distance))
        .collect();
    let pools = graph.space().pools.iter();
    json!({
        "name": name, "nodes": nodes, "edges": edges,
        "capacities": pools.map(|pool| pool.capacity).collect::<Vec<_>>(),
        "rec_mii": schedule.bounds.recurrence, "res_mii": schedule.bounds.resource,
        "optimal_ii": schedule.interval, "proven": schedule.proven,
        "lower_bound": schedule.lower_bound, "starts": schedule.starts,
    })
}

fn limit(schedule: &Schedule) -> &'static str {
    match schedule.limit {
        None => "proven",
        Some(SearchLimit::Work) => "work",
        Some(SearchLimit::Size) => "size",
        Some(SearchLimit::Disabled) => "disabled",
    }
}

fn main() {
    let request = Request::parse(std::env::args().skip(1)).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2);
    });
    let loops = request.loops().unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2);
    });
    println!(
        "{:<22} {:>10} {:>6} {:>6} {:>6} {:>7} {:<12} {:>9} {:>10}",
        "loop", "operations", "MII", "bound", "II", "limit", "generator", "of known", "time"
    );
    let mut written = String::new();
    for (name, graph, known) in loops {
        let clock = Instant::now();
        let schedule = schedule_loop(&graph, &request.options);
        let spent = clock.elapsed();
        let schedule = match schedule {
            Ok(schedule) => schedule,
            Err(error) => {
                println!("{name:<22} {:>10} {error}", graph.len());
                continue;
            }
        };
        check_schedule(&graph, &Claim::from(&schedule)).expect("a valid schedule");
        let difference = known.map_or(String::new(), |known| {
            format!("{:+}", i64::from(schedule.interval) - i64::from(known))
        });
        println!(
            "{name:<22} {:>10} {:>6} {:>6} {:>6} {:>7} {:<12} {difference:>9} {spent:>10.1?}",
            graph.len(),
            schedule.bounds.interval(),
            schedule.lower_bound,
            schedule.interval,
            limit(&schedule),
            format!("{:?}", schedule.generator),
        );
        let _ = writeln!(written, "{}", line(&name, &graph, &schedule));
    }
    if let Some(path) = &request.write
        && let Err(error) = std::fs::write(path, written)
    {
        eprintln!("{path}: {error}");
        std::process::exit(1);
    }
}
