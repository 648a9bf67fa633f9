//! Runs of a tool: cost and output.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A tool with its arguments, the input last.
#[derive(Clone, Debug)]
pub(crate) struct Job<'j> {
    pub(crate) tool: &'j Path,
    pub(crate) arguments: &'j [&'j str],
    pub(crate) input: &'j Path,
}

/// The cost of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Wall-clock time in seconds.
    pub(crate) wall: f64,
    /// User and system CPU time in seconds.
    pub(crate) processor: f64,
    /// Peak memory in MiB.
    pub(crate) memory: f64,
}

fn failure(message: String) -> io::Error {
    io::Error::other(message)
}

impl Job<'_> {
    /// Runs the tool once. CPU time and memory are measured by GNU time.
    ///
    /// # Errors
    /// If the tool or GNU time cannot be run, or the tool fails.
    pub(crate) fn cost(&self, scratch: &Path) -> io::Result<Cost> {
        let report = scratch.join("cost");
        let start = Instant::now();
        let status = Command::new("/usr/bin/time")
            .args(["-f", "%U %S %M", "-o"])
            .arg(&report)
            .arg(self.tool)
            .args(self.arguments)
            .arg(self.input)
            .stdout(Stdio::null())
            .status()
            .map_err(|error| failure(format!("cannot run GNU time at /usr/bin/time: {error}")))?;
        let wall = start.elapsed().as_secs_f64();
        if !status.success() {
            return Err(failure(format!("{} failed", self.tool.display())));
        }
        let text = fs::read_to_string(report)?;
        let numbers: Vec<f64> = text
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [user, system, kibibytes] = numbers[..] else {
            return Err(failure(format!("GNU time says '{}'", text.trim())));
        };
        Ok(Cost {
            wall,
            processor: user + system,
            memory: kibibytes / 1024.0,
        })
    }

    /// Runs the tool and writes its output to a file.
    ///
    /// # Errors
    /// If the tool cannot be run or fails.
    pub(crate) fn output(&self, path: PathBuf) -> io::Result<PathBuf> {
        let output = Command::new(self.tool)
            .args(self.arguments)
            .arg(self.input)
            .stdout(fs::File::create(&path)?)
            .status()?;
        if output.success() {
            Ok(path)
        } else {
            Err(failure(format!("{} failed", self.tool.display())))
        }
    }
}

/// Runs jobs alternately, so that machine load affects all equally, and returns the median of each
/// measurement.
///
/// # Errors
/// If a run fails.
pub(crate) fn medians(jobs: &[Job<'_>], runs: usize, scratch: &Path) -> io::Result<Vec<Cost>> {
    let mut costs = vec![Vec::new(); jobs.len()];
    for _ in 0..runs {
        for (job, costs) in jobs.iter().zip(&mut costs) {
            costs.push(job.cost(scratch)?);
        }
    }
    Ok(costs
        .iter()
        .map(|costs| Cost {
            wall: median(costs, |cost| cost.wall),
            processor: median(costs, |cost| cost.processor),
            memory: median(costs, |cost| cost.memory),
        })
        .collect())
}

fn median(costs: &[Cost], number: impl Fn(&Cost) -> f64) -> f64 {
    let mut numbers: Vec<_> = costs.iter().map(number).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}
