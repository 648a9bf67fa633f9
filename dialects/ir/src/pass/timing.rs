//! `--mlir-timing`: execution times of the parts of a run.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::{Event, Instrumentation, PassEnd};

/// The display form of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimingDisplay {
    /// Nested like the pipeline.
    #[default]
    Tree,
    /// One line per name, longest time first.
    List,
}

#[derive(Debug)]
struct Node {
    name: String,
    /// Distinguishes passes of the same name.
    number: usize,
    children: Vec<usize>,
    total: Duration,
}

/// Execution times of the parts of a run.
#[derive(Debug)]
pub struct Timing {
    started: Instant,
    nodes: Vec<Node>,
    /// The running nodes, outermost first.
    running: Vec<(usize, Instant)>,
}

impl Default for Timing {
    fn default() -> Self {
        Timing::new()
    }
}

const ROOT: usize = 0;
const RULE: &str =
    "===-------------------------------------------------------------------------===";

impl Timing {
    /// Starts the clock.
    pub fn new() -> Self {
        let started = Instant::now();
        let root = Node {
            name: "root".to_owned(),
            number: 0,
            children: Vec::new(),
            total: Duration::ZERO,
        };
        Timing {
            started,
            nodes: vec![root],
            running: vec![(ROOT, started)],
        }
    }

    /// Starts a part. Times of parts with the same name, index and parent are added up.
    pub fn start(&mut self, name: &str, number: usize) {
        let parent = self.running.last().map_or(ROOT, |(node, _)| *node);
        let known = self.nodes[parent].children.iter().copied().find(|&child| {
            let child = &self.nodes[child];
            child.number == number && child.name == name
        });
        let node = known.unwrap_or_else(|| {
            let node = self.nodes.len();
            self.nodes.push(Node {
                name: name.to_owned(),
                number,
                children: Vec::new(),
                total: Duration::ZERO,
            });
            self.nodes[parent].children.push(node);
            node
        });
        self.running.push((node, Instant::now()));
    }

    /// Stops the part that was started last.
    pub fn stop(&mut self) {
        if self.running.len() > 1
            && let Some((node, started)) = self.running.pop()
        {
            self.nodes[node].total += started.elapsed();
        }
    }

    /// The report.
    pub fn report(&self, display: TimingDisplay) -> String {
        let total = self.started.elapsed();
        let mut text = format!("{RULE}\n{:25}... Execution time report ...\n{RULE}\n", "");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  Total Execution Time: {:.4} seconds\n",
            total.as_secs_f64()
        );
        text.push_str("  ----Wall Time----  ----Name----\n");
        match display {
            TimingDisplay::Tree => self.tree(&mut text, ROOT, 0, total),
            TimingDisplay::List => self.list(&mut text, total),
        }
        let known: Duration = self.children_total(ROOT);
        line(&mut text, "Rest", total.saturating_sub(known), total);
        line(&mut text, "Total", total, total);
        text
    }

    fn children_total(&self, node: usize) -> Duration {
        let children = self.nodes[node].children.iter();
        children.map(|&child| self.nodes[child].total).sum()
    }

    fn tree(&self, text: &mut String, node: usize, depth: usize, total: Duration) {
        for &child in &self.nodes[node].children {
            let Node {
                name, total: time, ..
            } = &self.nodes[child];
            let name = format!("{}{name}", "  ".repeat(depth));
            line(text, &name, *time, total);
            self.tree(text, child, depth + 1, total);
        }
    }

    /// Each name with the time not attributed to its parts.
    fn list(&self, text: &mut String, total: Duration) {
        let mut times: Vec<(&str, Duration)> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate().skip(1) {
            let own = node.total.saturating_sub(self.children_total(number));
            match times.iter_mut().find(|(name, _)| *name == node.name) {
                Some((_, time)) => *time += own,
                None => times.push((&node.name, own)),
            }
        }
        times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        for (name, time) in times {
            line(text, name, time, total);
        }
    }
}

fn line(text: &mut String, name: &str, time: Duration, total: Duration) {
    let seconds = time.as_secs_f64();
    let share = 100.0 * seconds / total.as_secs_f64().max(1e-9);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {seconds:8.4} ({share:5.1}%)  {name}");
}

impl Instrumentation for Timing {
    fn before_pass(&mut self, event: &mut Event<'_>) {
        self.start(event.pass.definition().name, event.number);
    }

    fn computed_analysis(&mut self, name: &'static str) {
        self.start(&format!("(A) {name}"), 0);
        self.stop();
    }

    fn after_pass(&mut self, _: &mut Event<'_>, _: PassEnd) {
        self.stop();
    }

    fn before_nested(&mut self, anchor: &str, number: usize) {
        self.start(&format!("'{anchor}' Pipeline"), number);
    }

    fn after_nested(&mut self) {
        self.stop();
    }
}
